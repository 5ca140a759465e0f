//! Opening whatever we print or hand to an agent: entries, footnotes, places in sessions, commits, lines, issues.
//!
//! There is one resolver, so that a citation that an agent was given opens for a person, and the other
//! way round. A reference that could be several things is tried as each of them, in the order of
//! [`meanings`].

mod parse;
mod part;
mod place;
mod talk;

use std::path::PathBuf;

use lore_core::text::counted;
use lore_core::{Article, EntryId, Handle};
use lore_store::{ResolveError, Tombstone};
use serde::Serialize;

pub use parse::{Meant, meanings};
use part::part_about;
pub use talk::around;

use crate::entries::{Filter, Item, Shown};
use crate::others::PERSONAL;
use crate::query::Across;
use crate::usage::Use;
use crate::{Engine, Error};

/// So many lines or turns stand around the one that is meant where nothing is said.
const AROUND: usize = 3;

/// What a reference led to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Opened {
    /// What was asked for.
    pub reference: String,
    /// What it is: entry, removed, note, footnote, session, commit, file, issue or link.
    pub what: &'static str,
    /// Its full name.
    pub name: String,
    /// What to call it.
    pub title: String,
    /// The file it stands in, where there is one.
    pub file: Option<PathBuf>,
    /// The line of the file, or the record of the session.
    pub line: Option<u32>,
    /// The words, redacted: all of it, or what stands around the line.
    pub text: String,
    /// What one should know about the text, such as that the transcript itself is gone.
    pub note: Option<String>,
    /// The whole entry, where it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<Box<Shown>>,
}

impl Engine {
    /// Opens a reference for somebody and remembers which entry was opened.
    ///
    /// `context` says how many lines of a file, or turns of a session, stand around the one that is meant. Where nothing
    /// is said there are a few; behind a footnote there is only what is cited, as much of it as the quotation needs.
    pub fn open_reference(&self, who: &str, text: &str, context: Option<usize>) -> Result<Opened, Error> {
        let mut tried = Vec::new();
        let mut near = Vec::new();
        for meant in meanings(text) {
            tried.push(meant.word());
            match self.open_as(&meant, context) {
                Ok(Some(opened)) => {
                    if let Some(shown) = &opened.entry {
                        // Reading must also work where nothing can be written.
                        let _ = self.record_uses(who, [(shown.entry.id.to_string(), Use::Opened)]);
                    }
                    return Ok(Opened { reference: text.to_owned(), ..opened });
                }
                Ok(None) => {}
                Err(Error::Resolve(ResolveError::Unknown { near: found, .. })) => near.extend(found),
                Err(error) => return Err(error),
            }
        }
        if let Some(opened) = self.open_elsewhere(text, context.unwrap_or(AROUND)) {
            return Ok(opened);
        }
        let near = near.iter().map(|id: &EntryId| id.handle().to_string()).collect();
        Err(Error::NothingCalled { name: text.to_owned(), tried, near })
    }

    fn open_as(&self, meant: &Meant, asked: Option<usize>) -> Result<Option<Opened>, Error> {
        let context = asked.unwrap_or(AROUND);
        match meant {
            Meant::Entry { name, line } => self.open_entry(name, *line, context).map(Some),
            Meant::Footnote { entry, key } => self.open_footnote(entry, key, asked).map(Some),
            Meant::Session { agent, id, line } => self.open_talk(agent.as_deref(), id, *line, context),
            Meant::Commit(id) => Ok(self.open_commit(id)),
            Meant::File { path, line } => self.open_file(path, *line, context),
            Meant::Issue(issue) => self.open_issue(issue),
            Meant::Link(link) => self.open_link(link),
        }
    }

    /// Opens an entry of the user's own base or of another project: agents are shown those too.
    fn open_elsewhere(&self, text: &str, context: usize) -> Option<Opened> {
        let Some(Meant::Entry { name, line }) = meanings(text).into_iter().next() else { return None };
        if name.parse::<Handle>().is_err() && name.parse::<EntryId>().is_err() {
            return None;
        }
        let others = self.others(&Across::All).ok()?;
        others.into_iter().find_map(|(project, other)| {
            let opened = other.open_entry(&name, line, context).ok()?;
            let whose = match project == PERSONAL {
                true => "from your personal base".to_owned(),
                false => format!("from another project, `{}`", other.project().display()),
            };
            Some(Opened { reference: text.to_owned(), note: Some(whose), ..opened })
        })
    }

    fn open_entry(&self, name: &str, line: Option<u32>, context: usize) -> Result<Opened, Error> {
        let shown = match self.show(name) {
            Ok(shown) => shown,
            Err(Error::Resolve(unknown @ ResolveError::Unknown { .. })) => {
                let noted = || self.open_note(name);
                return self.removed(name).or_else(noted).ok_or(Error::Resolve(unknown));
            }
            Err(error) => return Err(error),
        };
        let text = match line {
            Some(line) => place::excerpt_of(&shown.text, line, context, &shown.path)?,
            None => shown.text.clone(),
        };
        Ok(Opened {
            reference: String::new(),
            what: "entry",
            name: shown.entry.id.to_string(),
            title: shown.entry.title.clone(),
            file: Some(self.root().join(&shown.path)),
            line,
            text,
            note: None,
            entry: Some(Box::new(shown)),
        })
    }

    /// Opens a note about friction, or the signal that it became.
    fn open_note(&self, name: &str) -> Option<Opened> {
        let note = self.note_called(name)?;
        if let Some(entry) = &note.entry {
            return self.open_entry(entry, None, 0).ok();
        }
        let times = counted(note.times, "time", "times");
        let mut text = format!("{}\n\n{}\n", note.title, note.happened);
        for more in [&note.context].into_iter().chain(&note.cause).filter(|text| !text.is_empty()) {
            text.push_str(&format!("{more}\n"));
        }
        text.push_str(&format!("\nNoticed {times}:\n"));
        for one in &note.occasions {
            let day =
                one.at.map(|at| format!("{}: ", lore_core::Moment::Instant(at).date())).unwrap_or_default();
            let line = if one.line == 0 { String::new() } else { format!("#L{}", one.line) };
            text.push_str(&format!("- {day}{}/{}{line}\n", one.agent, one.session));
        }
        Some(Opened {
            reference: String::new(),
            what: "note",
            name: note.id,
            title: note.title,
            file: None,
            line: None,
            text,
            note: Some("it waits on this machine and is written down when it comes again".to_owned()),
            entry: None,
        })
    }

    /// Tells what is known of an entry that somebody removed.
    fn removed(&self, name: &str) -> Option<Opened> {
        let handle: Option<Handle> = name.parse().ok();
        let fits = |stone: &&Tombstone| {
            stone.id.as_str() == name
                || handle.as_ref().is_some_and(|handle| handle.fits(&stone.id))
                || stone.aliases.iter().any(|alias| alias == name)
        };
        let stones = self.store.tombstones();
        let stone = stones.iter().find(fits)?;
        let why = if stone.why.is_empty() { "no reason was given" } else { &stone.why };
        Some(Opened {
            reference: String::new(),
            what: "removed",
            name: stone.id.to_string(),
            title: stone.title.clone(),
            file: None,
            line: None,
            text: format!("{} was removed on {} by {}: {why}\n", stone.id, stone.on, stone.by),
            note: None,
            entry: None,
        })
    }

    /// Opens what stands behind a footnote, with the words that the article quotes of it.
    fn open_footnote(&self, name: &str, key: &str, context: Option<usize>) -> Result<Opened, Error> {
        if name.is_empty() {
            return Err(Error::request(
                format!("`[^{key}]` is a footnote of some entry"),
                format!("name the entry too, as `dec-k3f9x2#{key}`"),
            ));
        }
        let shown = self.show(name)?;
        let entry = &shown.entry;
        let article = Article::parse(&entry.body);
        let source = entry.sources.iter().find(|source| source.id.as_deref() == Some(key));
        let Some(source) = source else {
            let keys: Vec<&str> = entry.sources.iter().filter_map(|source| source.id.as_deref()).collect();
            let hint = match keys.is_empty() {
                true => format!("`{}` has no footnotes", entry.id.handle()),
                false => format!("the footnotes of `{}` are {}", entry.id.handle(), keys.join(", ")),
            };
            return Err(Error::request(format!("there is no footnote `{key}` there"), hint));
        };
        let mut text = String::new();
        let mut quoted = String::new();
        for quote in article.context.iter().filter(|quote| quote.source == key) {
            if quoted.is_empty() {
                quoted.clone_from(&quote.words);
            }
            text.push_str(&format!("{}: “{}”\n", quote.said, quote.words));
        }
        let claims = article.claims().filter(|claim| claim.sources.iter().any(|own| own == key));
        for claim in claims {
            text.push_str(&format!("rests on it: {}\n", claim.text));
        }
        let mut opened = Opened {
            reference: String::new(),
            what: "footnote",
            name: format!("{}#{key}", entry.id),
            title: format!("{} of “{}”", source.resource, entry.title),
            file: Some(self.root().join(&shown.path)),
            line: None,
            text,
            note: None,
            entry: None,
        };
        let behind =
            meanings(&source.resource).into_iter().filter(|meant| !matches!(meant, Meant::Footnote { .. }));
        for meant in behind {
            if let Ok(Some(found)) = self.open_as(&meant, Some(context.unwrap_or(0))) {
                (opened.file, opened.line, opened.note) = (found.file, found.line, found.note);
                opened.text.push('\n');
                match part_about(&found.text, &quoted).filter(|_| context.is_none()) {
                    Some(part) => {
                        opened.text.push_str(&part);
                        let more = format!("cut to what is quoted; `lore open {}` shows more", found.name);
                        opened.note =
                            Some(opened.note.map_or(more.clone(), |note| format!("{note}; {more}")));
                    }
                    None => opened.text.push_str(&found.text),
                }
                return Ok(opened);
            }
        }
        opened.note = Some(format!("`{}` itself is not on this machine", source.resource));
        Ok(opened)
    }

    fn open_issue(&self, issue: &str) -> Result<Option<Opened>, Error> {
        let found =
            self.listed(&Filter { issue: Some(issue.to_owned()), archived: true, ..Filter::default() })?;
        Ok((!found.is_empty()).then(|| listed("issue", &format!("#{issue}"), &found)))
    }

    /// Lists the entries that rest on a page; the page itself is never fetched.
    fn open_link(&self, link: &str) -> Result<Option<Opened>, Error> {
        let snapshot = self.store.snapshot()?;
        let rests = snapshot.read_all().into_iter();
        let rests = rests.filter(|stored| stored.entry.sources.iter().any(|source| source.resource == link));
        let ids: Vec<EntryId> = rests.map(|stored| stored.entry.id).collect();
        let found: Vec<Item> =
            snapshot.summaries().filter(|summary| ids.contains(&summary.id)).map(Item::of).collect();
        let mut opened = listed("link", link, &found);
        opened.note = Some("pages are never fetched; open the address in a browser".to_owned());
        Ok(Some(opened))
    }
}

/// Lists entries as what a reference led to.
fn listed(what: &'static str, name: &str, found: &[Item]) -> Opened {
    let lines = found.iter().map(|item| format!("- {} [{}]\n", item.title, item.id.handle()));
    let count = counted(found.len(), "entry", "entries");
    Opened {
        reference: String::new(),
        what,
        name: name.to_owned(),
        title: format!("{count} of {name}"),
        file: None,
        line: None,
        text: lines.collect(),
        note: None,
        entry: None,
    }
}
