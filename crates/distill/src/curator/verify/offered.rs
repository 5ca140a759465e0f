//! V21: what was only offered among other ways, or asked, is not told as something that is so.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use lore_core::{LineClass, PacketLine};
use regex::Regex;

use super::clauses::clauses;
use super::form::decides_nothing;
use super::{Galley, Noticed, Room, told_by_mark};
use crate::article::shorten;
use crate::curator::numbers::numbers;
use crate::curator::words::{Cover, content, names};
use crate::extract::sentence::sentences;

/// This share of a clause, and so many telling words or a name, must stand among what was offered alone.
const OPEN_SHARE: f64 = 0.5;
const OPEN: usize = 2;
/// Who answers in so many words need not repeat what was offered.
const SHORT: usize = 10;
/// So much of a clause is quoted in a remark, in characters.
const SHOWN: usize = 80;

/// How ways are offered beside each other.
static OFFERS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)\b(?:options?|alternatives?|choices|possibilities|optionen|möglichkeiten|varianten|alternativen|opciones|alternativas|opções|possibilités)\b[^.:]{0,40}[:：]
        | \beither\b.+\bor\b | \bentweder\b.+\boder\b | \bsoit\b.+\bsoit\b | \bou\s+bien\b
        | \b(?:we|you|one|i)\ could\s+(?:also\ |either\ |instead\ )? | \bwir\ könnten\b | \bman\ könnte\b | \bon\ pourrait\b | \bpodr[ií]amos\b | \bpoderíamos\b
        | (?:選択肢|方法)[^。]{0,10}[:：]",
    )
    .expect("the pattern is a constant")
});

/// V21: a clause that stands in the cited lines only where ways are offered or something is asked, and that no later
/// cited line takes up, is looked at a second time.
pub(super) fn taken_up(galley: &mut Galley<'_>, room: &Room<'_>) -> Noticed {
    if !galley.speaks() {
        return Noticed::Fine;
    }
    merely_offered(galley, room).map_or(Noticed::Fine, Noticed::Flag)
}

/// Finds a clause that was only offered or asked, and says so.
pub(super) fn merely_offered(galley: &Galley<'_>, room: &Room<'_>) -> Option<String> {
    let cited = galley.cited(room);
    let lines: Vec<&PacketLine> = cited.into_iter().filter(|line| !decides_nothing(line.class)).collect();
    let mut plain = galley.cover(&[], room);
    let mut open: Vec<(&PacketLine, &str)> = Vec::new();
    for line in &lines {
        plain.add(told_by_mark(line.class));
        let (offered, said) = parted(line);
        said.into_iter().for_each(|sentence| plain.add(sentence));
        open.extend(offered.into_iter().map(|sentence| (*line, sentence)));
    }
    if open.is_empty() {
        return None;
    }
    for clause in sentences(galley.edit.said()).into_iter().flat_map(clauses) {
        let stems: BTreeSet<String> = content(&clause).into_iter().collect();
        let missing: BTreeSet<&String> = stems.iter().filter(|stem| !plain.stems.contains(*stem)).collect();
        let lacks_a_name = names(&clause).iter().any(|name| !plain.has_name(name))
            || numbers(&clause).iter().any(|(_, ways)| !plain.has_number(ways));
        let weighs = missing.len() >= OPEN || lacks_a_name && !missing.is_empty();
        if !weighs || (missing.len() as f64) < OPEN_SHARE * stems.len() as f64 {
            continue;
        }
        let in_offer = |sentence: &str| {
            let cover = Cover::of([sentence]);
            missing.iter().filter(|stem| cover.stems.contains(**stem)).count()
        };
        let best = open.iter().max_by_key(|(_, sentence)| in_offer(sentence))?;
        if in_offer(best.1) * 2 < missing.len().max(2) {
            continue;
        }
        let takes_up = |line: &&&PacketLine| {
            line.number > best.0.number
                && line.session == best.0.session
                && (line.text.split_whitespace().count() <= SHORT || in_offer(&line.text) > 0)
        };
        if lines.iter().find(takes_up).is_none() {
            let clause = shorten(&clause, SHOWN);
            return Some(format!(
                "line {} only offers or asks “{clause}”: cite the line that took it up, or leave it out",
                best.0.number
            ));
        }
    }
    None
}

/// Parts what a line offers or asks from what it says.
fn parted(line: &PacketLine) -> (Vec<&str>, Vec<&str>) {
    let (mut offered, mut said) = (Vec::new(), Vec::new());
    let mut in_list = false;
    for piece in line.text.lines() {
        let item = piece.trim_start();
        let is_item = item.starts_with(['-', '*', '•'])
            || item
                .split_once([')', '.'])
                .is_some_and(|(mark, _)| mark.len() <= 2 && mark.chars().all(char::is_alphanumeric));
        in_list = in_list && is_item;
        for sentence in sentences(piece) {
            let offers = OFFERS.is_match(sentence);
            let asks = sentence.trim_end().ends_with(['?', '？']);
            if in_list || offers || asks {
                offered.push(sentence)
            } else {
                said.push(sentence)
            }
            in_list |= offers && sentence.trim_end().ends_with([':', '：']);
        }
    }
    // Who asks and goes on has answered: “Where to? → Into the shed”.
    if line.class == LineClass::Typed && !said.is_empty() {
        said.append(&mut offered);
    }
    (offered, said)
}
