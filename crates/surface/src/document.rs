//! Entries and passages as documents of the search engine.

use lore_core::score::is_evergreen;
use lore_core::{Detail, Entry, Kind, Status};
use tantivy::TantivyDocument;

use crate::index::Card;
use crate::passage::Passage;
use crate::schema::{ANY, EntryFields, MeaningFields, PassageFields};
use crate::scope;
use crate::semantic::{Embedder, packed};
use crate::silence::Records;
use crate::writer::WriteError;

/// What ranking needs to know of an entry without reading it, packed into one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Standing {
    pub(crate) kind: Kind,
    pub(crate) status: Status,
    pub(crate) evergreen: bool,
    pub(crate) occurrences: Option<u32>,
}

/// The number of a kind in an index that is kept: never another one, wherever the kind is shown.
const fn kind_code(kind: Kind) -> u64 {
    match kind {
        Kind::Decision => 0,
        Kind::Fact => 1,
        Kind::Preference => 2,
        Kind::Architecture => 3,
        Kind::Limitation => 4,
        Kind::Event => 5,
        Kind::Resolution => 6,
        Kind::Pattern => 7,
        Kind::Feedback => 8,
        Kind::Lesson => 9,
        Kind::Spike => 10,
        Kind::Signal => 11,
    }
}

/// The number of a status in an index that is kept.
const fn status_code(status: Status) -> u64 {
    match status {
        Status::Current => 0,
        Status::Outdated => 1,
        Status::Superseded => 2,
        Status::Disputed => 3,
    }
}

impl Standing {
    pub(crate) fn of(entry: &Entry) -> Standing {
        Standing {
            kind: entry.kind,
            status: entry.status,
            evergreen: is_evergreen(entry),
            occurrences: entry.occurrences,
        }
    }

    pub(crate) fn to_bits(self) -> u64 {
        let (kind, status) = (kind_code(self.kind), status_code(self.status));
        let occurrences = self.occurrences.map_or(0, |n| u64::from(n.min(u32::MAX - 1)) + 1);
        kind | status << 8 | u64::from(self.evergreen) << 16 | occurrences << 24
    }

    pub(crate) fn from_bits(bits: u64) -> Standing {
        let occurrences = u32::try_from(bits >> 24).unwrap_or(u32::MAX);
        Standing {
            kind: Kind::ALL.into_iter().find(|kind| kind_code(*kind) == bits & 0xff).unwrap_or(Kind::Fact),
            status: Status::ALL
                .iter()
                .copied()
                .find(|status| status_code(*status) == bits >> 8 & 0xff)
                .unwrap_or(Status::Current),
            evergreen: bits >> 16 & 1 == 1,
            occurrences: occurrences.checked_sub(1),
        }
    }
}

/// Makes the document of an entry.
pub(crate) fn entry(
    fields: &EntryFields,
    card: &Card,
    embedder: Option<&dyn Embedder>,
) -> Result<TantivyDocument, WriteError> {
    let entry = &card.entry;
    let id = entry.id.as_str();
    let mut document = TantivyDocument::default();
    document.add_text(fields.id, id);
    document.add_text(fields.stamp, &card.stamp);
    for name in std::iter::once(id).chain(entry.aliases.iter().map(String::as_str)) {
        document.add_text(fields.name, name);
    }
    let may_be_empty = [
        fields.tag,
        fields.domain,
        fields.issue,
        fields.file,
        fields.project,
        fields.link,
        fields.rests,
        fields.past,
    ];
    for field in may_be_empty {
        document.add_text(field, ANY);
    }
    document.add_text(fields.kind, entry.kind.word());
    document.add_text(fields.status, entry.status.word());
    for tag in entry.tags.iter().flat_map(|tag| levels(tag)) {
        document.add_text(fields.tag, tag);
    }
    let tagged = entry.tags.iter().filter_map(|tag| tag.strip_prefix("domain:"));
    for domain in entry.domain.as_deref().into_iter().chain(tagged).flat_map(levels) {
        document.add_text(fields.domain, domain);
    }
    let cited = entry.sources.iter().filter_map(|source| source.issue.as_ref());
    for issue in entry.issues.iter().chain(cited) {
        document.add_text(fields.issue, plain_issue(issue));
    }
    for file in entry.files.iter().flat_map(|file| path_keys(file)) {
        document.add_text(fields.file, file);
    }
    for key in scope::keys(entry) {
        document.add_text(fields.file, key);
    }
    if let Some(project) = &entry.project {
        document.add_text(fields.project, project);
    }
    for link in &entry.links {
        document.add_text(fields.link, &link.target);
    }
    let records = Records::of(entry);
    for record in &records.rests {
        document.add_text(fields.rests, record);
    }
    for record in &records.past {
        document.add_text(fields.past, record);
    }
    document.add_text(fields.title, &entry.title);
    document.add_text(fields.description, entry.description.as_deref().unwrap_or_default());
    document.add_text(fields.labels, labels(entry));
    let body = body(entry);
    document.add_text(fields.body, &body);
    document.add_u64(fields.standing, Standing::of(entry).to_bits());
    if let Some(changed) = entry.updated.or(entry.created) {
        document.add_i64(fields.changed, changed.instant().as_second());
    }
    document.add_u64(fields.tie, tie(id));
    if let Some(embedder) = embedder {
        let description = entry.description.as_deref().unwrap_or_default();
        let text = format!("{}. {description}\n{body}", entry.title);
        add_meaning(&mut document, fields.meaning, embedder, &text);
    }
    let record =
        serde_json::to_vec(card).map_err(|source| WriteError::Record { id: id.to_owned(), source })?;
    document.add_bytes(fields.record, &record);
    Ok(document)
}

fn add_meaning(document: &mut TantivyDocument, fields: MeaningFields, embedder: &dyn Embedder, text: &str) {
    let packed = packed(embedder, text);
    document.add_u64(fields.windows, packed.windows);
    packed.vectors.into_iter().for_each(|word| document.add_u64(fields.vector, word));
    packed.sketches.into_iter().for_each(|word| document.add_u64(fields.sketch, word));
}

/// Makes the document of a passage with where it was read and what was said around it.
pub(crate) fn passage(
    fields: &PassageFields,
    source: &str,
    passage: &Passage,
    context: &str,
    embedder: Option<&dyn Embedder>,
) -> Result<TantivyDocument, WriteError> {
    let session = passage.session.as_str();
    let mut document = TantivyDocument::default();
    document.add_text(fields.source, source);
    document.add_text(fields.session, session);
    document.add_text(fields.project, ANY);
    document.add_text(fields.file, ANY);
    if let Some(project) = &passage.project {
        document.add_text(fields.project, project);
    }
    document.add_text(fields.voice, passage.voice.word());
    for file in passage.files.iter().flat_map(|file| path_keys(file)) {
        document.add_text(fields.file, file);
    }
    document.add_text(fields.text, &passage.text);
    document.add_text(fields.context, context);
    if let Some(at) = passage.at {
        document.add_i64(fields.said, at.as_second());
    }
    document.add_u64(fields.tie, tie(&format!("{session}#{}", passage.sequence)));
    if let Some(embedder) = embedder {
        add_meaning(&mut document, fields.meaning, embedder, &passage.text);
    }
    let record = serde_json::to_vec(passage)
        .map_err(|source| WriteError::Record { id: session.to_owned(), source })?;
    document.add_bytes(fields.record, &record);
    Ok(document)
}

/// Lists what a hierarchical tag answers to: `auth/jwt` also to `auth`.
pub(crate) fn levels(tag: &str) -> Vec<String> {
    let tag = plain_tag(tag);
    let cuts = tag.match_indices('/').map(|(at, _)| at).chain(std::iter::once(tag.len()));
    cuts.filter(|at| *at > 0).map(|at| tag[..at].to_owned()).collect()
}

/// Brings a tag or domain into the form in which it is looked up.
pub(crate) fn plain_tag(tag: &str) -> String {
    tag.trim().trim_start_matches('#').trim_matches('/').to_lowercase()
}

/// Brings an issue into the form in which it is looked up.
pub(crate) fn plain_issue(issue: &str) -> &str {
    issue.trim().trim_start_matches('#')
}

/// Lists what a path answers to: itself, its name, and each folder above it with a slash.
pub(crate) fn path_keys(path: &str) -> Vec<String> {
    let path = path.trim().replace('\\', "/");
    let path = path.trim_start_matches("./").trim_start_matches('/');
    let mut keys: Vec<String> = path.match_indices('/').map(|(at, _)| path[..=at].to_owned()).collect();
    if let Some((_, name)) = path.rsplit_once('/')
        && !name.is_empty()
    {
        keys.push(name.to_owned());
    }
    if !path.is_empty() && !path.ends_with('/') {
        keys.push(path.to_owned());
    }
    keys
}

/// Orders documents of equal score in the same way in every index (FNV-1a).
pub(crate) fn tie(text: &str) -> u64 {
    text.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// Joins what an entry is filed under: tags, domain, names, files, issues.
fn labels(entry: &Entry) -> String {
    let mut words: Vec<&str> = entry.tags.iter().map(String::as_str).collect();
    words.extend(entry.domain.as_deref());
    words.extend(entry.files.iter().map(String::as_str));
    words.extend(entry.aliases.iter().map(String::as_str));
    words.extend(entry.issues.iter().map(String::as_str));
    words.join("\n")
}

/// Leaves out footnotes and links: an entry is not about what its neighbours are called.
fn own_words(body: &str) -> String {
    let mut out = String::with_capacity(body.len());
    let mut beside = false;
    for line in body.lines() {
        if let Some(heading) = line.strip_prefix("## ") {
            beside = heading.trim() == "Related";
        }
        if !beside && !line.starts_with("[^") {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

/// Joins the body and what the kind adds to it.
fn body(entry: &Entry) -> String {
    let own = own_words(&entry.body);
    let mut parts = vec![own.as_str()];
    match &entry.detail {
        Detail::Decision(decision) => {
            for alternative in &decision.alternatives {
                parts.push(&alternative.option);
                parts.extend(alternative.rejected_because.as_deref());
            }
        }
        Detail::Resolution(resolution) => {
            parts.extend(resolution.root_cause.as_deref());
            parts.extend(resolution.issue_type.as_deref());
            parts.extend(resolution.tests_added.iter().map(String::as_str));
        }
        Detail::Pattern(pattern) => parts.extend(pattern.pattern_type.map(|kind| kind.word())),
        Detail::Feedback(feedback) => parts.extend(feedback.category.as_deref()),
        Detail::Signal(signal) => {
            parts.extend(signal.signal_type.map(|kind| kind.word()));
            parts.extend(signal.phase.as_deref());
            parts.extend(signal.plan.as_deref());
        }
        Detail::Spike(spike) => {
            parts.extend(spike.hypothesis.as_deref());
            parts.extend(spike.outcome.map(|outcome| outcome.word()));
        }
        Detail::Lesson(lesson) => {
            parts.extend(lesson.category.as_deref());
            parts.extend(lesson.triggers.iter().map(String::as_str));
        }
        Detail::None => {}
    }
    parts.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_paths_answer_to_what_is_above_them() {
        assert_eq!(levels("#Auth/JWT/rotation"), ["auth", "auth/jwt", "auth/jwt/rotation"]);
        assert_eq!(path_keys("./src/auth/jwt.rs"), ["src/", "src/auth/", "jwt.rs", "src/auth/jwt.rs"]);
        assert_eq!(path_keys("Makefile"), ["Makefile"]);
    }

    /// A kind was stored as its place in the order of display: another order made decisions of facts.
    #[test]
    fn codes_in_a_kept_index_do_not_move() {
        let kinds: Vec<(u64, &str)> = Kind::ALL.map(|kind| (kind_code(kind), kind.prefix())).to_vec();
        let known = ["dec", "fac", "prf", "arc", "lim", "evt", "res", "pat", "fbk", "les", "spk", "sig"];
        for (code, prefix) in known.iter().enumerate() {
            assert!(kinds.contains(&(code as u64, prefix)), "{prefix} is not {code} any more");
        }
        let known = [Status::Current, Status::Outdated, Status::Superseded, Status::Disputed];
        assert_eq!(known.map(status_code), [0, 1, 2, 3]);
    }

    #[test]
    fn standing_reads_back() {
        for kind in Kind::ALL {
            for status in Status::ALL {
                for occurrences in [None, Some(0), Some(7)] {
                    let standing = Standing { kind, status: *status, evergreen: true, occurrences };
                    assert_eq!(Standing::from_bits(standing.to_bits()), standing);
                }
            }
        }
    }
}
