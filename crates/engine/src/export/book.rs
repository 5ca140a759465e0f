//! The base as a book that mdBook builds.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use lore_core::text::counted;

use super::folder::{Leaf, NONE};
use super::inert::{self, Reader};
use super::prose::{Prose, standing};
use crate::view::BaseView;

const READER: Reader = Reader::Book;

/// Writes the book: settings, contents, an opening, a page for each entry, and what happened when.
pub(super) fn leaves(view: &BaseView, wanted: &BTreeSet<usize>) -> Vec<Leaf> {
    let pages: BTreeMap<usize, String> =
        wanted.iter().map(|at| (*at, target(&view.entries[*at].path))).collect();
    let name = inert::label(&view.name, READER);
    let list = |text: String, path: &str| Leaf { path: path.to_owned(), entry: NONE.to_owned(), text };
    let mut leaves = vec![
        list(settings(&view.name), "book.toml"),
        list(summary(view, &pages, &name), "src/SUMMARY.md"),
        list(opening(view, &pages, &name), "src/README.md"),
        list(timeline(view, &pages), "src/timeline.md"),
    ];
    for (at, page) in &pages {
        let entry = &view.entries[*at];
        let up = "../".repeat(page.matches('/').count());
        let link = |other: usize| {
            let title = inert::label(&view.entries[other].title, READER);
            pages.get(&other).map_or_else(|| title.clone(), |path| format!("[{title}]({up}{path})"))
        };
        let prose = Prose { view, reader: READER, link: &link };
        let title = inert::label(&entry.title, READER);
        let text = format!("# {title}\n\n*{}*\n\n{}", prose.standing(entry), prose.body(entry));
        leaves.push(Leaf { path: format!("src/{}", entry.path), entry: entry.id.clone(), text });
    }
    leaves
}

fn settings(name: &str) -> String {
    let title = toml::Value::String(format!("What {name} knows"));
    format!(
        "[book]\ntitle = {title}\nlanguage = \"en\"\nsrc = \"src\"\n\n[output.html]\nno-section-label = true\n"
    )
}

fn summary(view: &BaseView, pages: &BTreeMap<usize, String>, name: &str) -> String {
    let mut out = format!("# Summary\n\n[{name}](README.md)\n[Timeline](timeline.md)\n");
    for group in &view.kinds {
        let mut listed = group.entries.iter().filter_map(|at| Some((*at, pages.get(at)?))).peekable();
        if listed.peek().is_some() {
            let _ = write!(out, "\n# {}\n\n", group.title);
            for (at, page) in listed {
                let _ = writeln!(out, "- [{}]({page})", inert::label(&view.entries[at].title, READER));
            }
        }
    }
    out
}

fn opening(view: &BaseView, pages: &BTreeMap<usize, String>, name: &str) -> String {
    let mut out = format!("# What {name} knows\n\n{}.\n", counted(pages.len(), "entry", "entries"));
    let waiting: Vec<_> = view.waiting.iter().filter(|one| one.cause != crate::review::Cause::New).collect();
    let waiting: Vec<_> =
        waiting.iter().filter_map(|one| Some((one.entry, pages.get(&one.entry)?))).collect();
    if !waiting.is_empty() {
        out.push_str("\n## Somebody has to decide\n\n");
        for (at, page) in waiting {
            let entry = &view.entries[at];
            let _ = writeln!(out, "- [{}]({page}): {}", inert::label(&entry.title, READER), standing(entry));
        }
    }
    out
}

fn timeline(view: &BaseView, pages: &BTreeMap<usize, String>) -> String {
    let mut out = "# Timeline\n".to_owned();
    let mut month = String::new();
    for event in &view.timeline {
        let Some(page) = pages.get(&event.entry) else { continue };
        let of = event.day.get(..7).unwrap_or(&event.day);
        if of != month {
            of.clone_into(&mut month);
            let _ = write!(out, "\n## {month}\n\n");
        }
        let title = inert::label(&view.entries[event.entry].title, READER);
        let _ = writeln!(out, "- {} {}: [{title}]({page})", event.day, event.what);
    }
    out
}

/// Returns a path as it stands in a link.
fn target(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' => out.push(char::from(byte)),
            byte => {
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}
