//! Places in past sessions: from the transcript, else from the shelf, else from what articles quote.

use std::path::PathBuf;

use lore_core::session::{Session, Turn};
use lore_core::text::counted;
use lore_core::{Article, Moment};
use lore_surface::{Level, Passage};

use super::{Engine, Error, Opened};
use crate::sessions::{SessionFilter, transcript};

/// So many turns of a session are shown where no record is named.
const FIRST: usize = 40;

impl Engine {
    /// Opens a session at a record.
    pub(super) fn open_talk(
        &self,
        agent: Option<&str>,
        id: &str,
        line: Option<u32>,
        context: usize,
    ) -> Result<Option<Opened>, Error> {
        if id.is_empty() {
            return Ok(None);
        }
        match self.talk(agent, id) {
            Ok(session) => {
                if let Some(line) = line.filter(|line| !has_line(&session, *line)) {
                    let last = last_line(&session);
                    return Err(Error::request(
                        format!("session `{}` has no line {line}", session.id),
                        format!("its last is `lore open {}#L{last}`", session.id),
                    ));
                }
                return Ok(Some(told(&session, line, context)));
            }
            Err(Error::NoSession(_) | Error::NoHome) => {}
            Err(error) => return Err(error),
        }
        if let Some(opened) = self.shelved_talk(agent, id, line, context) {
            return Ok(Some(opened));
        }
        self.quoted_talk(id, line)
    }

    /// Reads the transcript: where it was when it was curated, else in the usual places.
    fn talk(&self, agent: Option<&str>, id: &str) -> Result<Session, Error> {
        let archive = self.archive()?;
        let agent = agent.map(str::to_owned);
        let paths = self.curated_from(id);
        if !paths.is_empty() {
            let filter = SessionFilter { paths, everywhere: true, ..SessionFilter::default() };
            match archive.session(&filter, id) {
                Err(Error::NoSession(_) | Error::Capture(_)) => {}
                other => return other,
            }
        }
        let filter = SessionFilter { agent, ..SessionFilter::default() };
        match archive.session(&filter, id) {
            Err(Error::NoSession(_)) => {
                archive.named_session(&SessionFilter { everywhere: true, ..filter }, id)
            }
            other => other,
        }
    }

    /// Takes a session from the shelf: agents clear transcripts away, passages stay.
    fn shelved_talk(
        &self,
        agent: Option<&str>,
        id: &str,
        line: Option<u32>,
        context: usize,
    ) -> Option<Opened> {
        let index = self.open_index().ok()?;
        if index.to_fill(Level::Passages).is_some() {
            return None;
        }
        let mut passages = index.snapshot().said_in(id).ok()?;
        passages.retain(|passage| agent.is_none_or(|agent| passage.agent == agent));
        let session = passages.first()?.session.clone();
        passages.retain(|passage| passage.session == session);
        let (first, last) = span(passages.iter().map(|passage| passage.line), passages.len(), line, context);
        let shown = &passages[first..last];
        let text: String = shown.iter().map(line_of).collect();
        let one = passages.first()?;
        Some(Opened {
            reference: String::new(),
            what: "session",
            name: named(&one.agent, one.session.as_str(), line),
            title: format!("a session of {}", one.agent),
            file: None,
            line,
            text,
            note: Some(
                "the transcript is not on this machine; these are the passages that were kept".to_owned(),
            ),
            entry: None,
        })
    }

    /// Takes what articles quote of a session.
    fn quoted_talk(&self, id: &str, line: Option<u32>) -> Result<Option<Opened>, Error> {
        let mut text = String::new();
        let mut full = None;
        for stored in self.store.snapshot()?.read_all() {
            let article = Article::parse(&stored.entry.body);
            for source in &stored.entry.sources {
                let Some(session) = source.session.as_ref().filter(|own| own.as_str().starts_with(id)) else {
                    continue;
                };
                if line.is_some_and(|line| !source.lines.contains(&line)) {
                    continue;
                }
                full.get_or_insert_with(|| session.to_string());
                let key = source.id.as_deref().unwrap_or_default();
                let day = source.at.map(|at| format!(" on {}", at.date())).unwrap_or_default();
                text.push_str(&format!(
                    "{} in “{}” [{}]{day}\n",
                    source.resource,
                    stored.entry.title,
                    stored.entry.id.handle()
                ));
                for quote in article.context.iter().filter(|quote| quote.source == key) {
                    text.push_str(&format!("  {}: “{}”\n", quote.said, quote.words));
                }
                let claims = article.claims().filter(|claim| claim.sources.iter().any(|own| own == key));
                claims.for_each(|claim| text.push_str(&format!("  rests on it: {}\n", claim.text)));
            }
        }
        Ok(full.map(|session| Opened {
            reference: String::new(),
            what: "session",
            name: session,
            title: "what entries cite of this session".to_owned(),
            file: None,
            line,
            text,
            note: Some("the transcript is not on this machine; this is what entries cite of it".to_owned()),
            entry: None,
        }))
    }
}

/// Returns the last record that something said or done stands in.
fn last_line(session: &Session) -> u32 {
    let of = |turn: &Turn| {
        let blocks = turn.blocks.iter().map(|block| block.line);
        let calls = turn.tool_calls.iter().flat_map(|call| [Some(call.line), call.result_line]);
        blocks.chain(calls.flatten()).max()
    };
    session.turns.iter().filter_map(of).max().unwrap_or(0)
}

/// Tells whether a session has a record; behind the last thing that was said there may be some of the agent's own.
fn has_line(session: &Session, line: u32) -> bool {
    let written = || std::fs::read_to_string(&session.origin).map_or(0, |text| text.lines().count());
    line <= last_line(session) || usize::try_from(line).is_ok_and(|line| line <= written())
}

fn told(session: &Session, line: Option<u32>, context: usize) -> Opened {
    let part = around(session, line, context);
    let left = session.turns.len() - part.turns.len();
    let note = (left > 0 && line.is_none()).then(|| {
        let next = session.turns.get(part.turns.len()).map_or(0, Turn::line);
        let left = counted(left, "more turn", "more turns");
        format!("{left}; `lore open {}#L{next}` goes on", session.id)
    });
    Opened {
        reference: String::new(),
        what: "session",
        name: named(&session.agent, session.id.as_str(), line),
        title: session.title.clone().unwrap_or_else(|| format!("a session of {}", session.agent)),
        file: Some(PathBuf::from(&session.origin)).filter(|origin| origin.is_file()),
        line,
        text: transcript(&part),
        note,
        entry: None,
    }
}

/// Cuts a session to the turns around a record, or to its beginning.
pub fn around(session: &Session, line: Option<u32>, context: usize) -> Session {
    let lines = session.turns.iter().map(Turn::line);
    let (first, last) = span(lines, session.turns.len(), line, context);
    Session { turns: session.turns[first..last].to_vec(), ..session.clone() }
}

/// Finds which of some places, in their order, stand around a record.
fn span(lines: impl Iterator<Item = u32>, count: usize, line: Option<u32>, context: usize) -> (usize, usize) {
    let Some(line) = line else { return (0, count.min(FIRST)) };
    // The record may be a result that belongs to the turn before; turns need not be in the order of records.
    let nearest =
        lines.enumerate().filter(|(_, own)| *own <= line).max_by_key(|(at, own)| (*own, usize::MAX - at));
    let at = nearest.map_or(0, |(at, _)| at);
    (at.saturating_sub(context), (at + context + 1).min(count))
}

fn named(agent: &str, id: &str, line: Option<u32>) -> String {
    let line = line.map(|line| format!("#L{line}")).unwrap_or_default();
    format!("session://{agent}/{id}{line}")
}

fn line_of(passage: &Passage) -> String {
    let at = passage.at.map(|at| format!("  {}", Moment::Instant(at).date())).unwrap_or_default();
    format!("── {}{at}  line {}\n{}\n\n", passage.voice.word(), passage.line, passage.text.trim_end())
}
