//! Front matter and body into an entry.

use std::collections::BTreeSet;

use jiff::civil::Date;
use lore_core::{Article, Curator, Entry, EntryId, Kind, Level, Link, LinkKind, Status};

use super::fields::{Fields, words};
use super::title::{self, heading};
use super::{detail, evidence};

/// A description that shares so many words in ten with a statement is that statement as it was.
const MOSTLY: usize = 6;

/// What is known about a file besides its content.
#[derive(Debug, Clone, Default)]
pub(crate) struct Known<'a> {
    /// Its path, relative, with `/` between parts.
    pub(crate) path: &'a str,
    /// Its id and kind, where something else already settled them.
    pub(crate) settled: Option<(&'a EntryId, Kind)>,
}

/// An entry with what could not be kept as it stood.
pub(crate) struct Decoded {
    pub(crate) entry: Entry,
    pub(crate) diagnostics: Vec<lore_core::Diagnostic>,
    pub(crate) unread: Vec<(String, super::node::Node)>,
}

/// Reads an entry out of fields and body. Every gap is filled from what else is known.
pub(crate) fn decode(mut fields: Fields, body: String, known: &Known<'_>) -> Decoded {
    let written = fields.take("id").and_then(|(node, line)| Some((node.text()?.trim().to_owned(), line)));
    let id = written.as_ref().and_then(|(text, _)| text.parse::<EntryId>().ok());
    let kind = kind(&mut fields, id.as_ref(), known);
    fields.take("topic");
    fields.take("content_hash");
    let stem = stem(known.path);
    let title = fields.text("title").or_else(|| heading(&body));
    let created = fields.moment("created");
    let updated = fields.moment("updated");
    let id = id.unwrap_or_else(|| match known.settled {
        Some((id, _)) => id.clone(),
        None => {
            let day = created.or(updated).map(lore_core::Moment::date);
            let id = derived_id(kind, stem, title.as_deref(), day);
            let message = match &written {
                Some((text, _)) => format!("`{text}` is not an id of ours; the entry is called `{id}`"),
                None => format!("the entry has no id; it is called `{id}`"),
            };
            let line = written.as_ref().map_or(1, |(_, line)| *line);
            fields.report(Level::Note, "id-derived", line, message, &format!("write `id: {id}`"));
            id
        }
    });
    let title = title.unwrap_or_else(|| title::from_slug(id.slug()));
    let mut entry = Entry::new(id, kind, title);
    entry.created = created;
    entry.updated = updated;
    common(&mut fields, &mut entry);
    if let Some((text, _)) = written
        && text != entry.id.as_str()
        && !text.is_empty()
        && !entry.aliases.contains(&text)
    {
        entry.aliases.push(text);
    }
    entry.detail = detail::read(&mut fields, kind);
    entry.body = body;
    let overtaken = entry.description.as_deref().and_then(|said| overtaken(said, &entry.body));
    entry.description = overtaken.or(entry.description);
    entry.extra = fields.rest();
    Decoded { entry, diagnostics: fields.diagnostics, unread: fields.unread }
}

/// Says what a page says now, where its description is what its first statement said before somebody corrected
/// that by hand: people change the page and do not see the line above it. A description of its own stays.
fn overtaken(described: &str, body: &str) -> Option<String> {
    let described = described.trim_end_matches(['.', '…', ' ']);
    if described.is_empty() || body.contains(described) {
        return None;
    }
    let article = Article::parse(body);
    let says = article.current().next()?.text.clone();
    let words = |text: &str| -> BTreeSet<String> {
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect()
    };
    let (before, now) = (words(described), words(&says));
    let shared = before.intersection(&now).count();
    (before != now && shared * 10 >= before.len().max(now.len()) * MOSTLY).then_some(says)
}

fn common(fields: &mut Fields, entry: &mut Entry) {
    entry.description = fields.text("description");
    entry.tags = fields.list("tags");
    entry.domain = fields.text("domain");
    entry.project = fields.text("project");
    let status = fields.word("status", Status::from_word, || words(Status::ALL, |word| word.word()));
    entry.status = status.unwrap_or(Status::Current);
    entry.confidence = fields.confidence("confidence");
    entry.sources = evidence::sources(fields);
    entry.generated = evidence::generated(fields);
    entry.verified = evidence::verified(fields);
    entry.stale_after = fields.moment("stale_after");
    entry.depends_on = fields.list("depends_on");
    entry.files = fields.list("files");
    let issues = fields.list("issues");
    entry.issues = issues.iter().map(|issue| issue.trim_start_matches('#').to_owned()).collect();
    for kind in LinkKind::ALL {
        // A well-known tool writes this where a list was left empty.
        let targets = fields.list(kind.key()).into_iter();
        let targets = targets.filter(|target| target.trim_matches(['[', ']']) != "object Object");
        entry.links.extend(targets.map(|target| Link::new(kind, target)));
    }
    entry.occurrences = fields.count("occurrences");
    // Whoever does not say that the machine may rewrite the text is a person.
    let curator = fields.word("curated_by", Curator::from_word, || words(Curator::ALL, |word| word.word()));
    entry.curated_by = curator.unwrap_or(Curator::Human);
    entry.last_auto_curated = fields.moment("last_auto_curated");
    entry.aliases = fields.list("aliases");
}

/// Finds the kind: the key, else the id, else the folder, else a fact.
fn kind(fields: &mut Fields, id: Option<&EntryId>, known: &Known<'_>) -> Kind {
    let written = fields.take("type").and_then(|(node, line)| {
        let text = node.text()?.trim().to_owned();
        (!text.is_empty()).then_some((text, node, line))
    });
    if let Some(kind) = written.as_ref().and_then(|(text, ..)| text.parse::<Kind>().ok()) {
        return kind;
    }
    let settled = known.settled.map(|(_, kind)| kind);
    let from_id = id
        .and_then(EntryId::kind)
        .or_else(|| Kind::from_prefix(stem(known.path).get(..4)?.strip_suffix('-')?));
    let kind = settled.or(from_id).or_else(|| kind_of_folder(known.path)).unwrap_or(Kind::Fact);
    let (line, message) = match written {
        Some((text, node, line)) => {
            fields.unread.push(("type".to_owned(), node));
            (line, format!("`{text}` is no kind of entry; read as `{kind}`"))
        }
        None => (1, format!("the entry has no type; read as `{kind}`")),
    };
    if settled.is_none() {
        fields.report(Level::Warning, "unknown-type", line, message, &format!("write `type: {kind}`"));
    }
    kind
}

fn kind_of_folder(path: &str) -> Option<Kind> {
    let folders = path.rsplit_once('/')?.0;
    folders.split('/').rev().find_map(|folder| Kind::ALL.into_iter().find(|kind| kind.topic() == folder))
}

/// Returns the name of a file without its folder and ending.
pub(crate) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}

/// Makes an id out of a file name, a title and a day, the same one each time.
pub(crate) fn derived_id(kind: Kind, stem: &str, title: Option<&str>, day: Option<Date>) -> EntryId {
    if let Ok(id) = stem.parse::<EntryId>() {
        return id;
    }
    let (in_name, words) = day_in(stem);
    let day = day.or(in_name).unwrap_or(Date::constant(1970, 1, 1));
    let words = words.strip_prefix(kind.prefix()).filter(|rest| rest.starts_with('-')).unwrap_or(&words);
    let name = if words.trim_matches('-').is_empty() { title.unwrap_or("untitled") } else { words };
    EntryId::new(kind, day, name)
}

/// Finds a day such as `2026-02-20` in a file name, and returns the name without it.
pub(crate) fn day_in(stem: &str) -> (Option<Date>, String) {
    for start in 0..stem.len().saturating_sub(9) {
        if let Some(day) = stem.get(start..start + 10).and_then(|text| text.parse::<Date>().ok()) {
            let rest = format!("{}-{}", &stem[..start], &stem[start + 10..]);
            return (Some(day), rest.replace("--", "-").trim_matches('-').to_owned());
        }
    }
    (None, stem.to_owned())
}
