//! An entry as Markdown that other programs show: statements, the words they rest on, neighbours.

use std::fmt::Write as _;

use lore_core::Status;

use super::inert::{self, Reader};
use crate::view::{BaseView, ViewClaim, ViewEntry, ViewSource};

/// What is needed to write an entry down for a reader.
pub(super) struct Prose<'a> {
    pub(super) view: &'a BaseView,
    pub(super) reader: Reader,
    /// Writes a link to an entry, or its title where it has no page.
    pub(super) link: &'a dyn Fn(usize) -> String,
}

impl Prose<'_> {
    /// Makes a text harmless that stands on one line.
    pub(super) fn line(&self, text: &str) -> String {
        inert::line(text, self.reader)
    }

    /// Says in a line how an entry stands.
    pub(super) fn standing(&self, entry: &ViewEntry) -> String {
        let mut words = vec![entry.kind.to_string(), standing(entry).to_owned()];
        for stamp in &entry.confirmed {
            let on = stamp.at.as_ref().map(|day| format!(" on {day}")).unwrap_or_default();
            words.push(format!("confirmed by {}{on}", self.line(&stamp.by)));
        }
        words.extend(entry.created.as_ref().map(|day| format!("known since {day}")));
        words.extend(
            entry
                .updated
                .as_ref()
                .filter(|day| entry.created.as_ref() != Some(day))
                .map(|day| format!("changed {day}")),
        );
        words.join(" · ")
    }

    /// Writes a whole entry below its title.
    pub(super) fn body(&self, entry: &ViewEntry) -> String {
        let mut out = String::new();
        match &entry.page {
            // Taking it apart would lose something.
            Some(page) => out.push_str(&inert::page(page, self.reader)),
            None => {
                self.paragraphs(entry, "lead", &mut out);
                self.list(entry, "why", "Why", &mut out);
                self.list(entry, "facts", "Also known", &mut out);
                self.list(entry, "conflict", "In dispute", &mut out);
                self.list(entry, "doubted", "Possibly replaced", &mut out);
                self.sections(entry, &mut out);
                self.list(entry, "history", "What held before", &mut out);
            }
        }
        self.about(entry, &mut out);
        self.links(entry, &mut out);
        if entry.page.is_none() {
            self.notes(entry, &mut out);
        }
        out
    }

    /// Writes the statements of a part as paragraphs.
    pub(super) fn paragraphs(&self, entry: &ViewEntry, part: &str, out: &mut String) {
        for claim in entry.claims.iter().filter(|claim| claim.part == part) {
            let _ = writeln!(out, "{}\n", self.statement(claim));
        }
    }

    /// Writes the statements of a part as a list below a heading.
    pub(super) fn list(&self, entry: &ViewEntry, part: &str, heading: &str, out: &mut String) {
        let mut claims = entry.claims.iter().filter(|claim| claim.part == part).peekable();
        if claims.peek().is_none() {
            return;
        }
        let _ = writeln!(out, "## {heading}\n");
        for claim in claims {
            let _ = writeln!(out, "- {}", self.statement(claim));
            let mut then = Vec::new();
            then.extend(claim.said.as_ref().map(|said| format!("said by {}", self.line(said))));
            then.extend(claim.day.as_ref().map(|day| match claim.standing {
                "past" => format!("held until {day}"),
                _ => format!("in doubt since {day}"),
            }));
            then.extend(claim.instead.as_ref().map(|instead| format!("then: {}", self.line(instead))));
            if !then.is_empty() {
                let _ = writeln!(out, "  *{}*", then.join("; ").replace('*', ""));
            }
        }
        out.push('\n');
    }

    /// Writes the sections that somebody added.
    pub(super) fn sections(&self, entry: &ViewEntry, out: &mut String) {
        for section in &entry.sections {
            let _ = writeln!(
                out,
                "## {}\n\n{}",
                self.line(&section.heading),
                inert::page(&section.text, self.reader)
            );
        }
    }

    /// Writes where the words stand that statements rest on, as footnotes; what no statement names in particular the
    /// whole page rests on, and a footnote that nothing points at is shown nowhere.
    pub(super) fn notes(&self, entry: &ViewEntry, out: &mut String) {
        let is_named = |at: usize| entry.claims.iter().any(|claim| claim.sources.contains(&at));
        let (named, whole): (Vec<_>, Vec<_>) =
            entry.sources.iter().enumerate().partition(|(at, _)| is_named(*at));
        if !whole.is_empty() {
            out.push_str("## Sources\n\n");
            for (_, source) in &whole {
                let _ = writeln!(out, "- {}", self.citation(source));
            }
            out.push('\n');
        }
        for (at, source) in named {
            let _ = writeln!(out, "[^s{}]: {}", at + 1, self.citation(source));
        }
    }

    /// Says who said something, when and where, with the words where they are quoted.
    pub(super) fn citation(&self, source: &ViewSource) -> String {
        let mut words = vec![
            match source.voice.as_str() {
                "person" => "A person",
                "agent" => "An agent",
                "web" => "A web page",
                _ => "A tool",
            }
            .to_owned(),
        ];
        words.extend(source.at.clone());
        words.push(match (&source.session, source.line) {
            (Some(session), Some(line)) => format!("session {}, line {line}", self.line(session)),
            (Some(session), None) => format!("session {}", self.line(session)),
            (None, _) => self.line(&source.place),
        });
        let quoted = source.words.iter().map(|words| format!(" “{}”", self.line(words))).collect::<String>();
        if quoted.is_empty() { words.join(", ") } else { format!("{}:{quoted}", words.join(", ")) }
    }

    fn statement(&self, claim: &ViewClaim) -> String {
        let marks: String = claim.sources.iter().map(|place| format!("[^s{}]", place + 1)).collect();
        format!("{}{marks}", self.line(&claim.text))
    }

    fn about(&self, entry: &ViewEntry, out: &mut String) {
        if entry.about.is_empty() {
            return;
        }
        out.push_str("## About it\n\n");
        for about in &entry.about {
            let values: Vec<String> = about.values.iter().map(|value| self.line(value)).collect();
            let _ = writeln!(out, "- {}: {}", about.name, values.join("; "));
        }
        out.push('\n');
    }

    fn links(&self, entry: &ViewEntry, out: &mut String) {
        if entry.links.is_empty() {
            return;
        }
        out.push_str("## Beside it\n\n");
        for link in entry.links.iter().filter(|link| link.entry < self.view.entries.len()) {
            let _ = writeln!(out, "- {} {}", link.how, (self.link)(link.entry));
        }
        out.push('\n');
    }
}

/// Says in a word how an entry stands.
pub(super) fn standing(entry: &ViewEntry) -> &'static str {
    match entry.status {
        Status::Current if entry.waits == Some(crate::review::Cause::PossiblyReplaced) => "possibly replaced",
        Status::Current => "holds",
        Status::Disputed => "disputed",
        Status::Superseded => "replaced",
        Status::Outdated => "outdated",
    }
}
