//! V1 to V3 and V16: lines, entry, form and number of edits.

use std::collections::BTreeSet;

use lore_core::text::counted;
use lore_core::{
    Article, Curator, Entry, LineClass, Link, LinkKind, Op, PacketLine, SessionId, Source, Status, Voice,
};

use super::{Galley, Noticed, Room, is_protected};
use crate::curator::apply::is_draft;
use crate::curator::words::content;
use crate::extract::sentence::sentences;
use crate::ruling::carries_a_rule;

/// Most words of a title, sentences and characters of a statement, as they are asked for; nobody counts
/// while writing, so a little more is taken too.
const TITLE_WORDS: usize = 10;
const TITLE_WORDS_TAKEN: usize = 12;
const SENTENCES: usize = 3;
const SENTENCES_TAKEN: usize = 4;
const TEXT: usize = 520;
const TEXT_TAKEN: usize = 650;
/// So many lines are cited.
const LINES: usize = 8;
/// So many times as many statements as are expected are refused.
const FAR: usize = 2;
/// A message of so many words is about one thing.
const SHORT: usize = 25;
/// Fewer telling words make no statement.
const LEAST: usize = 2;

/// V16: a packet that holds little cannot teach much. What is beyond what was asked for is looked at a second time, so that
/// an honest answer loses nothing; what is far beyond it is refused.
pub(super) fn within_the_cap(galley: &mut Galley<'_>, room: &Room<'_>) -> Noticed {
    let statements = |count: usize| counted(count, "statement", "statements");
    match galley.place {
        place if !galley.speaks() || place <= room.cap => Noticed::Fine,
        place if place > FAR * room.cap => Noticed::Refuse(format!(
            "no more than {} of this packet can be taken",
            statements(FAR * room.cap)
        )),
        _ => Noticed::Flag(format!(
            "it is beyond the {} that such a packet mostly holds",
            statements(room.cap)
        )),
    }
}

/// V1: every cited line stands in this packet, and one of them is new.
pub(super) fn lines_exist(galley: &mut Galley<'_>, room: &Room<'_>) -> Noticed {
    let packet = room.context.packet;
    galley.edit.lines.sort_unstable();
    galley.edit.lines.dedup();
    let was = galley.edit.was.iter().flat_map(|was| &was.lines);
    if let Some(missing) = galley.edit.lines.iter().chain(was).find(|number| packet.line(**number).is_none())
    {
        return Noticed::Refuse(format!(
            "line {missing} does not exist; this packet has {}",
            packet.lines.len()
        ));
    }
    if galley.edit.lines.is_empty() {
        return Noticed::Refuse("it cites no line".to_owned());
    }
    if galley.cited(room).iter().all(|line| line.old) {
        return Noticed::Refuse("it rests only on lines that were edited before".to_owned());
    }
    if galley.edit.lines.len() > LINES {
        galley.edit.lines = most_telling(galley, room);
        return Noticed::Note(format!("of the lines it cites, the {LINES} that say most of it are kept"));
    }
    Noticed::Fine
}

/// Chooses the lines that together say most of an edit, a person's before others.
fn most_telling(galley: &Galley<'_>, room: &Room<'_>) -> Vec<u32> {
    let mut wanted: BTreeSet<String> = content(galley.edit.said()).into_iter().collect();
    let mut left = galley.cited(room);
    let mut kept: Vec<u32> = Vec::new();
    while kept.len() < LINES && !left.is_empty() {
        let worth = |line: &PacketLine| {
            let new = content(&line.text).into_iter().collect::<BTreeSet<_>>();
            (new.intersection(&wanted).count(), line.class == LineClass::Typed, !line.old)
        };
        let Some(at) = (0..left.len()).rev().max_by_key(|at| worth(left[*at])) else { break };
        let line = left.remove(at);
        content(&line.text).iter().for_each(|stem| {
            wanted.remove(stem);
        });
        kept.push(line.number);
    }
    kept.sort_unstable();
    kept
}

/// V2: the entry stands in this packet and holds; one that was replaced meanwhile is followed once.
pub(super) fn entry_is_there<'a>(galley: &mut Galley<'a>, room: &Room<'a>) -> Noticed {
    let packet = room.context.packet;
    if galley.edit.op == Op::New {
        return match galley.edit.entry.take() {
            Some(_) => Noticed::Note("`new` is about no entry".to_owned()),
            None => Noticed::Fine,
        };
    }
    let Some(short) = galley.edit.entry.as_deref() else {
        return Noticed::Refuse(format!("`{}` needs the entry it is about", galley.edit.op));
    };
    let Some(id) = packet.entry(short) else {
        let shown: String = short.chars().filter(|c| !c.is_control()).take(40).collect();
        return Noticed::Refuse(format!("`{shown}` is not an entry of this packet"));
    };
    let find = |name: &str| room.context.entries.iter().find(|entry| entry.id.as_str() == name);
    let Some(entry) = find(id.as_str()) else { return Noticed::Refuse(format!("the entry `{id}` is gone")) };
    match entry.status {
        Status::Current | Status::Disputed => {
            galley.target = Some(entry);
            Noticed::Fine
        }
        Status::Outdated => Noticed::Refuse(format!("the entry `{id}` is out of date")),
        Status::Superseded => {
            let next = entry.linked(LinkKind::SupersededBy).find_map(find);
            match next.filter(|next| matches!(next.status, Status::Current | Status::Disputed)) {
                Some(next) => {
                    galley.target = Some(next);
                    Noticed::Note(format!("the entry was replaced meanwhile; it is taken for `{}`", next.id))
                }
                None => Noticed::Refuse(format!("the entry `{id}` was replaced meanwhile")),
            }
        }
    }
}

/// V3: what an edit of its sort needs, no longer than asked for.
pub(super) fn form(galley: &mut Galley<'_>, room: &Room<'_>) -> Noticed {
    let op = galley.edit.op;
    match op {
        Op::Split => return Noticed::Refuse("`split` is not taken yet; use `refines` and `new`".to_owned()),
        Op::Drop => return may_be_dropped(galley, room),
        Op::Same => return Noticed::Fine,
        Op::New | Op::Supersedes => {
            if galley.edit.kind.is_none() {
                return Noticed::Refuse(format!("`{op}` needs a kind"));
            }
            if galley.edit.title.is_none() {
                return Noticed::Refuse(format!("`{op}` needs a title"));
            }
        }
        Op::Adds | Op::Disputes => {
            galley.edit.title = None;
        }
        Op::Refines => {}
    }
    if let Some(title) = &galley.edit.title {
        match title.split_whitespace().count() {
            0 => return Noticed::Refuse("the title is empty".to_owned()),
            1..=TITLE_WORDS_TAKEN => {}
            words => {
                return Noticed::Refuse(format!(
                    "the title has {words} words, at most {TITLE_WORDS} are asked for"
                ));
            }
        }
    }
    let text = galley.edit.said();
    let count = sentences(text).len();
    let length = text.chars().count();
    if content(text).len() < LEAST {
        Noticed::Refuse("the text says nothing".to_owned())
    } else if count > SENTENCES_TAKEN {
        Noticed::Refuse(format!("the text has {count} sentences, at most {SENTENCES} are asked for"))
    } else if length > TEXT_TAKEN {
        Noticed::Refuse(format!("the text has {length} characters, at most {TEXT} are asked for"))
    } else if length > TEXT {
        Noticed::Note(format!("the text is long: {length} characters, {TEXT} are asked for"))
    } else {
        Noticed::Fine
    }
}

/// Only what a machine wrote from an agent's words may be given up, and a person is asked; so they are about a
/// draft of this very packet that lays nothing down, and one of an agent's words is set aside.
fn may_be_dropped(galley: &Galley<'_>, room: &Room<'_>) -> Noticed {
    let Some(entry) = galley.target else { return Noticed::Refuse("there is nothing to drop".to_owned()) };
    let by_agents =
        !entry.sources.is_empty() && entry.sources.iter().all(|source| source.voice != Voice::Person);
    if is_errand(entry, room) {
        return if by_agents {
            Noticed::Note("it is set aside until a person keeps it".to_owned())
        } else {
            Noticed::Propose("the editor thinks that what a person said here is not worth keeping".to_owned())
        };
    }
    if is_protected(entry) || entry.curated_by != Curator::Auto || !by_agents {
        return Noticed::Refuse(
            "only what rests on agents' words alone and nobody confirmed may be dropped".to_owned(),
        );
    }
    Noticed::Propose("the editor thinks it is not worth keeping".to_owned())
}

/// Tells whether rules took an entry from lines of this packet, whatever it says is of the moment, nobody
/// touched it and nothing else rests on it.
fn is_errand(entry: &Entry, room: &Room<'_>) -> bool {
    let packet = room.context.packet;
    let holds = |session: &SessionId, record: u32| {
        packet.lines.iter().any(|line| !line.old && line.session == *session && line.record == record)
    };
    let article = Article::parse(&entry.body);
    let claims = article.claims().map(|claim| claim.text.as_str());
    let mut said = claims.chain(std::iter::once(entry.title.as_str()));
    let mut own = packet.lines.iter().filter(|line| {
        let cites = |source: &Source| {
            source.session.as_ref() == Some(&line.session) && source.lines.contains(&line.record)
        };
        entry.sources.iter().any(cites)
    });
    let is_beside = |link: &Link| link.kind != LinkKind::Related;
    let rests_on = |other: &Entry| {
        other.id != entry.id
            && other.links.iter().any(|link| is_beside(link) && link.target == entry.id.as_str())
    };
    packet.is_draft(&entry.id)
        && is_draft(entry, holds)
        && entry.status == Status::Current
        && article.history.is_empty()
        && !entry.links.iter().any(is_beside)
        && !room.context.entries.iter().any(rests_on)
        && !said.any(carries_a_rule)
        && !own.any(|line| line.class == LineClass::Typed && is_short_rule(&line.text))
}

/// A short message is the statement; of a long one the draft holds its own part.
pub(in crate::curator) fn is_short_rule(line: &str) -> bool {
    line.split_whitespace().count() <= SHORT && carries_a_rule(line)
}

/// Tells whether a line decides nothing: pasted words, or a plan that was refused.
pub(super) fn decides_nothing(class: LineClass) -> bool {
    matches!(class, LineClass::Pasted | LineClass::PlanRefused)
}
