//! The base as notes that Obsidian links to each other.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use lore_core::text::counted;

use super::folder::{Leaf, NONE};
use super::inert::{self, Reader};
use super::prose::{Prose, standing};
use crate::view::{BaseView, ViewEntry};

const READER: Reader = Reader::Vault;
/// Longest name of a note.
const NAME: usize = 90;

/// Writes the notes and one that leads to all of them.
pub(super) fn leaves(view: &BaseView, wanted: &BTreeSet<usize>) -> Vec<Leaf> {
    let names = names(view, wanted);
    let link = |at: usize| {
        let title = inert::label(&view.entries[at].title, READER);
        names.get(&at).map_or_else(|| title.clone(), |name| format!("[[{name}|{title}]]"))
    };
    let prose = Prose { view, reader: READER, link: &link };
    let mut leaves = vec![Leaf {
        path: "Knowledge.md".to_owned(),
        entry: NONE.to_owned(),
        text: opening(view, &names, &link),
    }];
    for (at, name) in &names {
        let entry = &view.entries[*at];
        let text = format!(
            "{}\n# {}\n\n*{}*\n\n{}",
            front_matter(entry),
            inert::label(&entry.title, READER),
            prose.standing(entry),
            prose.body(entry)
        );
        leaves.push(Leaf { path: format!("{name}.md"), entry: entry.id.clone(), text });
    }
    leaves
}

/// Names the notes by their titles, in a folder for each kind; two of one name are told apart by their handles.
fn names(view: &BaseView, wanted: &BTreeSet<usize>) -> BTreeMap<usize, String> {
    let plain = |entry: &ViewEntry| format!("{}/{}", entry.kind.heading(), file_name(&entry.title));
    let mut count: BTreeMap<String, usize> = BTreeMap::new();
    for at in wanted {
        *count.entry(plain(&view.entries[*at]).to_lowercase()).or_default() += 1;
    }
    let name = |at: &usize| {
        let entry = &view.entries[*at];
        let name = plain(entry);
        let twice = count.get(&name.to_lowercase()).is_some_and(|count| *count > 1);
        (*at, if twice { format!("{name} ({})", entry.handle) } else { name })
    };
    wanted.iter().map(name).collect()
}

/// Takes out of a title what a file system or a link cannot have.
fn file_name(title: &str) -> String {
    let clean = lore_core::text::clean(title);
    let kept: String = clean
        .chars()
        .map(|c| if c.is_control() || "*\"\\/<>:|?#^[]%`".contains(c) { ' ' } else { c })
        .collect();
    let words: Vec<&str> = kept.split_whitespace().collect();
    let mut name: String = words.join(" ").chars().take(NAME).collect();
    name.truncate(name.trim_end_matches([' ', '.']).len());
    let name = name.trim_start_matches(['.', ' ']).trim();
    if name.is_empty() { "Untitled".to_owned() } else { name.to_owned() }
}

fn front_matter(entry: &ViewEntry) -> String {
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let mut out = String::from("---\n");
    let _ = writeln!(out, "aliases:\n  - {}\n  - {}", quoted(&entry.handle), quoted(&entry.id));
    let _ = writeln!(out, "tags:\n  - lore/{}", entry.kind);
    for tag in entry.tags.iter().filter_map(|tag| plain_tag(tag)) {
        let _ = writeln!(out, "  - {}", quoted(&tag));
    }
    let _ = writeln!(
        out,
        "kind: {}\nstatus: {}\nconfirmed: {}",
        entry.kind,
        entry.status,
        !entry.confirmed.is_empty()
    );
    for (name, day) in [("created", &entry.created), ("updated", &entry.updated)] {
        if let Some(day) = day {
            let _ = writeln!(out, "{name}: {day}");
        }
    }
    let _ = writeln!(out, "page: {}\n---", quoted(&entry.path));
    out
}

/// Returns a tag as Obsidian takes it: letters, digits, `_`, `-` and `/`, and not digits alone.
fn plain_tag(tag: &str) -> Option<String> {
    let tag: String = tag
        .chars()
        .map(|c| if c.is_alphanumeric() || matches!(c, '_' | '-' | '/') { c } else { '-' })
        .collect();
    let tag = tag.trim_matches(['-', '/']).to_owned();
    tag.chars().any(|c| !c.is_ascii_digit() && c != '-' && c != '/').then_some(tag)
}

fn opening(view: &BaseView, names: &BTreeMap<usize, String>, link: &dyn Fn(usize) -> String) -> String {
    let entries = counted(names.len(), "entry", "entries");
    let mut out = format!("# What {} knows\n\n{entries}.\n", inert::label(&view.name, READER));
    for group in &view.kinds {
        let mut listed = group.entries.iter().filter(|at| names.contains_key(at)).peekable();
        if listed.peek().is_some() {
            let _ = write!(out, "\n## {}\n\n", group.title);
            for at in listed {
                let how = standing(&view.entries[*at]);
                let how = if how == "holds" { String::new() } else { format!(" ({how})") };
                let _ = writeln!(out, "- {}{how}", link(*at));
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_tags_are_those_that_obsidian_takes() {
        let check = |title: &str, expected: &str| assert_eq!(file_name(title), expected, "{title}");
        check("Use `a/b`: always?", "Use a b always");
        check("../../etc/passwd", "etc passwd");
        check("[[x]] | #y ^z", "x y z");
        check("...", "Untitled");
        check("Grüße an alle.", "Grüße an alle");
        assert_eq!(plain_tag("you'd").as_deref(), Some("you-d"));
        assert_eq!(plain_tag("auth/jwt").as_deref(), Some("auth/jwt"));
        assert_eq!(plain_tag("2026"), None);
    }
}
