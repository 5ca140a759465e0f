//! V19: a sentence that is covered as a whole may carry a clause that is not.

use std::collections::BTreeSet;

use lore_core::PacketLine;

use super::form::decides_nothing;
use super::{Galley, Noticed, Room};
use crate::curator::words::content;
use crate::extract::sentence::sentences;

/// A clause of fewer telling words is judged with its sentence.
const LEAST: usize = 4;
/// So many of them that no cited line says, and this share, are more than another way of saying it.
const FOREIGN: usize = 3;
const FOREIGN_SHARE: f64 = 0.4;
/// A line that says this share of them is the one that was meant.
const MEANT: f64 = 0.75;
/// Where no line says them, this share is something that was added; a line that says so much of them may have been meant.
const ADDED_SHARE: f64 = 0.6;
const MAYBE: f64 = 0.5;
/// So many lines may be cited in the end.
const LINES: usize = 12;
/// So much of a clause is quoted in a remark, in characters.
const SHOWN: usize = 80;

/// Where a clause begins.
const BREAKS: [&str; 13] = [
    "; ",
    " — ",
    " – ",
    " (",
    ") ",
    ", and ",
    ", but ",
    ", so ",
    ", which ",
    ", while ",
    " because ",
    " so that ",
    ": ",
];

/// V19: a line that says what a clause has beyond the cited lines is cited too; where there is none, the edit is looked
/// at a second time.
pub(super) fn whole(galley: &mut Galley<'_>, room: &Room<'_>) -> Noticed {
    if !galley.speaks() {
        return Noticed::Fine;
    }
    let mut more = Vec::new();
    for (_, foreign) in foreign(galley, room) {
        let line = saying(&foreign, MEANT, galley, room).filter(|line| !galley.edit.lines.contains(line));
        if let Some(line) = line.filter(|_| galley.edit.lines.len() < LINES) {
            galley.edit.lines.push(line);
            more.push(line.to_string());
        }
    }
    galley.edit.lines.sort_unstable();
    // Half of a sentence may carry the rest of it; what nobody said at all is looked at before it is written.
    if let Some((clause, None)) = added(galley, room) {
        return Noticed::Flag(format!("no line says “{}”", crate::article::shorten(&clause, SHOWN)));
    }
    if more.is_empty() {
        return Noticed::Fine;
    }
    let lines = if more.len() == 1 { "line" } else { "lines" };
    Noticed::Note(format!("{lines} {} cited too, a clause rests there", more.join(", ")))
}

/// Finds a clause that mostly says what no cited line says, and the line that may have been meant.
pub(super) fn added(galley: &Galley<'_>, room: &Room<'_>) -> Option<(String, Option<u32>)> {
    let is_added = |(clause, foreign): &(String, BTreeSet<String>)| {
        let said: BTreeSet<String> = content(clause).into_iter().collect();
        foreign.len() >= LEAST && foreign.len() as f64 >= ADDED_SHARE * said.len() as f64
    };
    let (clause, foreign) = foreign(galley, room).into_iter().find(is_added)?;
    let line = saying(&foreign, MAYBE, galley, room);
    Some((clause, line))
}

/// Lists the clauses that carry several telling words which no cited line says, with these words.
fn foreign(galley: &Galley<'_>, room: &Room<'_>) -> Vec<(String, BTreeSet<String>)> {
    let cover = galley.cover(&galley.edit.lines, room);
    let clauses = sentences(galley.edit.said()).into_iter().flat_map(clauses);
    let mut out = Vec::new();
    for clause in clauses {
        let said: BTreeSet<String> = content(&clause).into_iter().collect();
        let foreign: BTreeSet<String> =
            said.iter().filter(|stem| !cover.stems.contains(*stem)).cloned().collect();
        let weighs = foreign.len() >= FOREIGN && foreign.len() as f64 >= FOREIGN_SHARE * said.len() as f64;
        if said.len() >= LEAST && weighs {
            out.push((clause, foreign));
        }
    }
    out
}

/// Finds the line that says most of these words and so much of them, in a session that is cited; pasted ones are not
/// drawn in.
fn saying(foreign: &BTreeSet<String>, share: f64, galley: &Galley<'_>, room: &Room<'_>) -> Option<u32> {
    let cited = galley.cited(room);
    let may_be = |line: &PacketLine| {
        !decides_nothing(line.class) && cited.iter().any(|own| own.session == line.session)
    };
    let lines = room.context.packet.lines.iter().zip(&room.lines);
    let shared = lines
        .filter(|(line, _)| may_be(line))
        .map(|(line, said)| (foreign.iter().filter(|stem| said.stems.contains(*stem)).count(), line.number));
    let (count, line) = shared.max_by_key(|(count, number)| (*count, std::cmp::Reverse(*number)))?;
    let least = if share < MEANT { 2 } else { FOREIGN };
    (count >= least && count as f64 >= share * foreign.len() as f64).then_some(line)
}

/// Cuts a sentence where a clause begins.
pub(super) fn clauses(sentence: &str) -> Vec<String> {
    let mut parts = vec![sentence.to_owned()];
    for sign in BREAKS {
        parts = parts.iter().flat_map(|part| part.split(sign)).map(str::to_owned).collect();
    }
    parts.into_iter().map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect()
}
