//! Decisions as a folder of numbered records (ADR), which other tools and people know how to read.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;

use lore_core::{Curator, Status, slug};

use super::folder::{Leaf, Marked};
use super::inert::{self, Reader};
use super::prose::Prose;
use crate::view::{BaseView, ViewEntry};

/// Names the record of each decision that is wanted, by its place in the view: what has a number keeps it, with its name, and
/// what is new gets the next, the oldest first. `taken` are all names in the folder, ours and others'.
pub(super) fn names(
    view: &BaseView,
    wanted: &BTreeSet<usize>,
    there: &BTreeMap<String, Marked>,
    taken: &[String],
) -> BTreeMap<usize, String> {
    let mut names = BTreeMap::new();
    let mut fresh = Vec::new();
    let mut numbered: HashMap<&str, &String> = HashMap::new();
    for (path, mark) in there.iter().filter(|(path, _)| number(path).is_some()) {
        numbered.entry(&mark.entry).or_insert(path);
    }
    for at in wanted.iter().copied() {
        let entry = &view.entries[at];
        match numbered.get(entry.id.as_str()) {
            Some(path) => {
                names.insert(at, (*path).clone());
            }
            None => fresh.push((entry.created.clone(), entry.id.clone(), at)),
        }
    }
    fresh.sort();
    let last = taken.iter().filter_map(|name| number(name)).max().unwrap_or(0);
    for (next, (_, _, at)) in (last + 1..).zip(fresh) {
        names.insert(at, format!("{next:04}-{}.md", slug(&view.entries[at].title)));
    }
    names
}

/// Writes the records.
pub(super) fn leaves(view: &BaseView, names: &BTreeMap<usize, String>) -> Vec<Leaf> {
    let link = |at: usize| match names.get(&at) {
        Some(name) => format!("[{}]({name})", heading(view, at, name)),
        None => inert::label(&view.entries[at].title, Reader::Plain),
    };
    let prose = Prose { view, reader: Reader::Plain, link: &link };
    let leaf = |(at, name): (&usize, &String)| Leaf {
        path: name.clone(),
        entry: view.entries[*at].id.clone(),
        text: record(&prose, *at, name),
    };
    names.iter().map(leaf).collect()
}

/// Returns the number a record begins with: `0007-use-tabs.md` is 7.
fn number(name: &str) -> Option<u32> {
    let digits = name.bytes().take_while(u8::is_ascii_digit).count();
    (digits > 0 && name[digits..].starts_with(['-', '_', '.'])).then(|| name[..digits].parse().ok())?
}

fn heading(view: &BaseView, at: usize, name: &str) -> String {
    let title = inert::label(&view.entries[at].title, Reader::Plain);
    number(name).map_or_else(|| title.clone(), |number| format!("{number}. {title}"))
}

fn record(prose: &Prose<'_>, at: usize, name: &str) -> String {
    let entry = &prose.view.entries[at];
    let mut out = format!("# {}\n\n", heading(prose.view, at, name));
    if let Some(day) = &entry.created {
        let _ = writeln!(out, "Date: {day}\n");
    }
    let _ = writeln!(out, "## Status\n\n{}\n", status(entry));
    for link in
        entry.links.iter().filter(|link| matches!(link.how, "replaced by" | "replaces" | "contradicts"))
    {
        let how = match link.how {
            "replaced by" => "Superseded by",
            "replaces" => "Supersedes",
            _ => "Contradicts",
        };
        let _ = writeln!(out, "{how} {}\n", (prose.link)(link.entry));
    }
    if entry.page.is_some() {
        out.push_str(&prose.body(entry));
        return out;
    }
    context(prose, entry, &mut out);
    out.push_str("## Decision\n\n");
    prose.paragraphs(entry, "lead", &mut out);
    prose.list(entry, "conflict", "In dispute", &mut out);
    prose.list(entry, "doubted", "Possibly replaced", &mut out);
    prose.list(entry, "facts", "Consequences", &mut out);
    let refused = entry.about.iter().filter(|about| about.name == "not taken");
    for about in refused {
        out.push_str("## Alternatives\n\n");
        for value in &about.values {
            let _ = writeln!(out, "- {}", prose.line(value));
        }
        out.push('\n');
    }
    prose.sections(entry, &mut out);
    prose.list(entry, "history", "History", &mut out);
    prose.notes(entry, &mut out);
    out
}

/// Writes the reasons; where none are told, a description that says more than the decision itself.
fn context(prose: &Prose<'_>, entry: &ViewEntry, out: &mut String) {
    if entry.claims.iter().any(|claim| claim.part == "why") {
        prose.list(entry, "why", "Context", out);
    } else if let Some(description) = entry.description.as_ref().filter(|text| !repeats(entry, text)) {
        let _ = writeln!(out, "## Context\n\n{}\n", prose.line(description));
    }
}

/// Tells whether a description is the beginning of what the record says anyway.
fn repeats(entry: &ViewEntry, description: &str) -> bool {
    let plain = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let description = plain(description);
    let said = entry.claims.iter().map(|claim| plain(&claim.text));
    said.chain([plain(&entry.title)]).any(|said| said.starts_with(&description))
}

/// Says how a decision stands, in the words of such records: what nobody stands behind is only proposed.
fn status(entry: &ViewEntry) -> &'static str {
    let by_a_person =
        !entry.confirmed.is_empty() || entry.written_by != Curator::Auto || entry.voice == Some("person");
    match entry.status {
        Status::Current if by_a_person => "Accepted",
        Status::Current => "Proposed",
        Status::Disputed => "Proposed (disputed)",
        Status::Superseded => "Superseded",
        Status::Outdated => "Deprecated",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_begin_with_a_number() {
        let check = |name: &str, expected: Option<u32>| assert_eq!(number(name), expected, "{name}");
        check("0007-use-tabs.md", Some(7));
        check("12_other.md", Some(12));
        check("3.md", Some(3));
        check("2026", None);
        check("use-tabs.md", None);
    }
}
