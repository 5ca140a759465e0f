//! An entry as front matter, in canonical order.

use std::borrow::Cow;

use lore_core::{Detail, Entry, Kind, LinkKind};

use super::detail;
use super::evidence::{moment_node, sources_node, stamp_node};
use super::fields::SYNONYMS;
use super::node::Node;

/// Keys and values in the order in which they are written.
pub(crate) type Pairs = Vec<(Cow<'static, str>, Node)>;

/// Turns an entry into front matter. The body is not part of it, nor is the content hash.
pub(crate) fn encode(entry: &Entry) -> Pairs {
    let mut out: Pairs = Vec::with_capacity(24);
    put(&mut out, "id", Some(entry.id.as_str()));
    put_word(&mut out, "type", Some(entry.kind.word()));
    put_word(&mut out, "topic", Some(entry.kind.topic()));
    put(&mut out, "title", Some(&entry.title));
    put(&mut out, "description", entry.description.as_deref());
    put_list(&mut out, "tags", &entry.tags);
    put(&mut out, "domain", entry.domain.as_deref());
    put(&mut out, "project", entry.project.as_deref());
    put_moment(&mut out, "created", entry.created);
    put_moment(&mut out, "updated", entry.updated);
    put_word(&mut out, "status", Some(entry.status.word()));
    put_word(&mut out, "confidence", entry.confidence.map(|confidence| confidence.word()));
    detail::write(&entry.detail, &mut out);
    if !entry.sources.is_empty() {
        out.push(("sources".into(), sources_node(&entry.sources)));
    }
    if let Some(stamp) = &entry.generated {
        out.push(("generated".into(), stamp_node(stamp)));
    }
    if !entry.verified.is_empty() {
        out.push(("verified".into(), Node::List(entry.verified.iter().map(stamp_node).collect())));
    }
    put_moment(&mut out, "stale_after", entry.stale_after);
    put_list(&mut out, "depends_on", &entry.depends_on);
    put_list(&mut out, "files", &entry.files);
    put_list(&mut out, "issues", &entry.issues);
    for kind in LinkKind::ALL {
        let targets: Vec<String> = entry.linked(kind).map(str::to_owned).collect();
        put_list(&mut out, kind.key(), &targets);
    }
    if let Some(count) = entry.occurrences {
        out.push(("occurrences".into(), Node::Plain(count.to_string())));
    }
    put_word(&mut out, "curated_by", Some(entry.curated_by.word()));
    put_moment(&mut out, "last_auto_curated", entry.last_auto_curated);
    put_list(&mut out, "aliases", &entry.aliases);
    for (key, value) in &entry.extra {
        if !is_ours(key, entry.kind) {
            out.push((key.clone().into(), Node::from_json(value)));
        }
    }
    // A synonym counts only where our key is absent; one that must not count needs our key.
    for (ours, theirs) in SYNONYMS {
        if entry.extra.contains_key(theirs) && !out.iter().any(|(key, _)| key == ours) {
            out.push((ours.into(), Node::Null));
        }
    }
    out
}

/// Tells whether a key has a meaning of ours in entries of this kind.
pub(crate) fn is_ours(key: &str, kind: Kind) -> bool {
    const COMMON: [&str; 25] = [
        "id",
        "type",
        "topic",
        "title",
        "description",
        "tags",
        "domain",
        "project",
        "created",
        "updated",
        "status",
        "confidence",
        "sources",
        "generated",
        "verified",
        "stale_after",
        "depends_on",
        "files",
        "issues",
        "occurrences",
        "curated_by",
        "last_auto_curated",
        "aliases",
        "content_hash",
        "related",
    ];
    let of_kind: &[&str] = match Detail::empty(kind) {
        Detail::None => &[],
        Detail::Decision(_) => &["alternatives", "review_date"],
        Detail::Resolution(_) => {
            &["issue_type", "root_cause", "time_to_resolve", "agents_used", "tests_added"]
        }
        Detail::Pattern(_) => &["pattern_type"],
        Detail::Feedback(_) => &["severity", "category"],
        Detail::Signal(_) => &[
            "severity",
            "signal_type",
            "polarity",
            "phase",
            "plan",
            "detection_method",
            "subject",
            "command",
            "error",
            "lifecycle_state",
            "lifecycle_log",
        ],
        Detail::Spike(_) => &["hypothesis", "outcome", "state"],
        Detail::Lesson(_) => &["category", "evidence_count", "trigger", "triggers", "confidence_log"],
    };
    COMMON.contains(&key) || of_kind.contains(&key) || LinkKind::ALL.iter().any(|kind| kind.key() == key)
}

/// Adds a text where there is one.
pub(super) fn put(out: &mut Pairs, key: &'static str, text: Option<&str>) {
    if let Some(text) = text {
        out.push((key.into(), Node::Text(text.to_owned())));
    }
}

/// Adds a word that never needs quotes.
pub(super) fn put_word(out: &mut Pairs, key: &'static str, word: Option<&'static str>) {
    if let Some(word) = word {
        out.push((key.into(), Node::Plain(word.to_owned())));
    }
}

/// Adds a list where there is something in it.
pub(super) fn put_list(out: &mut Pairs, key: &'static str, items: &[String]) {
    if !items.is_empty() {
        out.push((key.into(), list(items)));
    }
}

/// Makes a list of texts.
pub(super) fn list(items: &[String]) -> Node {
    Node::List(items.iter().cloned().map(Node::Text).collect())
}

fn put_moment(out: &mut Pairs, key: &'static str, moment: Option<lore_core::Moment>) {
    if let Some(moment) = moment {
        out.push((key.into(), moment_node(moment)));
    }
}
