//! What an agent saw with its own eyes: it opens no page, and what a person said otherwise is in doubt since.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::compare::{Order, Side, order};
use super::lexicon::{self, Class};
use super::reading::Term;
use super::slot::Slot;
use super::token::stem;
use crate::extract::terms::number_word;

/// How an agent tells that it looked.
static LOOKED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)^(?:i|we)\ (?:have\ |just\ |also\ |actually\ )*(?:found(?:\ out)?|noticed|see|saw|measured|checked|verified|confirmed|discovered|looked\ (?:at|into|in|up)|read|tested|traced)
            (?:\ `?[\w./-]+`?){0,3}?(?:\ that\b|:|,)\ (?P<seen>.+)$
          | ^(?:findings?|observation|result|confirmed|verified):\ (?P<found>.+)$
          | ^according\ to\ (?:[^,]{3,60},|(?:my|our|the)\ (?:measurements?|tests?|logs?|benchmarks?|profiler))\ (?P<told>.+)$",
    )
    .expect("the pattern is a constant")
});
/// … and where, behind what it saw.
static WHERE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)^(?P<seen>.+?)[,;]?\ (?:as\ i\ can\ see|as\ (?:seen|shown|defined|set)\ in|according\ to|judging\ by|i\ (?:measured|checked|verified)\ (?:it|that))\b.*$",
    )
    .expect("the pattern is a constant")
});
/// A sentence of more words says more than what was seen.
const FEW: usize = 18;
/// … and so has one that does not tell that somebody looked.
const BARE: usize = 12;
/// A sentence of fewer says nothing.
const LEAST: usize = 4;

/// So many more words must be the same for something that is urged to be what was ruled out.
const NAMED: usize = 2;

/// What stands behind what was seen: where somebody found it, or what is so instead.
static BEHIND: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)(?:[,;] (?:i|we) (?:found|saw|see|measured|checked|verified|confirmed|read|looked|tested|tried|counted|traced|have|got) .+|[,;] (?:it|they) .+|; .+)$",
    )
    .expect("the pattern is a constant")
});

/// What an agent saw.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Observed {
    /// As it says so, without who looked and where.
    pub(super) told: String,
    /// The part of it that something known can be held against.
    pub(super) held: String,
    /// Whether it says that it looked.
    pub(super) looked: bool,
    /// Whether it says that it looked, or gives a number or denies something: what does neither may be anything.
    pub(super) is_sure: bool,
}

/// "The crane should lift the bell": what an agent holds for right, be it against what a person laid down.
fn prescribes(held: &str) -> bool {
    let lower = held.to_lowercase();
    [" should ", " must ", " has to ", " have to ", " needs to "].iter().any(|word| lower.contains(word))
}

/// Returns what was seen; nothing where a sentence says something else.
pub(super) fn observed(text: &str) -> Option<Observed> {
    let text = text.trim().trim_end_matches('.');
    let found = LOOKED.captures(text).or_else(|| WHERE.captures(text));
    let named = found
        .as_ref()
        .and_then(|found| ["seen", "found", "told"].iter().find_map(|name| found.name(name)))
        .map(|seen| seen.as_str())
        .or_else(|| behind_its_place(text));
    let told = named.unwrap_or(text);
    // "…: it went twice" tells how.
    let told = told.split(": ").next().unwrap_or(told).trim();
    let held = BEHIND.replace(told, "");
    let held = if held.split_whitespace().count() >= LEAST { held.as_ref() } else { told };
    let of_oneself =
        |word: &str| matches!(word.to_lowercase().as_str(), "i" | "i'm" | "i've" | "me" | "my" | "let");
    // Who looked may contradict by any word; who does not say so only by a number or a denial.
    let looked = named.is_some() || held.len() < told.len() && told[held.len()..].contains(" I ");
    let most = if looked || prescribes(held) { FEW } else { BARE };
    let is_seen = (LEAST..=most).contains(&told.split_whitespace().count())
        && !told.contains('?')
        && !held.split_whitespace().any(of_oneself);
    let is_sure = looked || prescribes(held) || measures(held);
    is_seen.then(|| Observed { told: told.to_owned(), held: held.to_owned(), looked, is_sure })
}

/// "According to the notes in the shed the crane holds 4 tons": what was seen begins with the last article before its verb.
fn behind_its_place(text: &str) -> Option<&str> {
    let told = text.get(13..).filter(|_| text.to_lowercase().starts_with("according to "))?;
    let is_verb = |word: &str| lexicon::is(&word.to_lowercase(), Class::Verb);
    let end = told.split(' ').position(is_verb)?;
    let words: Vec<&str> = told.split(' ').take(end).collect();
    let at = words
        .iter()
        .rposition(|word| matches!(*word, "the" | "our" | "its" | "this" | "a"))
        .filter(|at| *at > 1)?;
    let from = words[..at].iter().map(|word| word.len() + 1).sum::<usize>();
    told.get(from..)
}

/// Only a number or a denial contradicts beyond doubt.
fn measures(seen: &str) -> bool {
    let denies = |word: &str| matches!(word, "not" | "no" | "never" | "cannot") || word.ends_with("n't");
    let says = |word: &str| denies(word) || number_word(word).is_some();
    seen.contains(|c: char| c.is_ascii_digit()) || seen.to_lowercase().split_whitespace().any(says)
}

/// "The winch must always pull the rope up", "never pull the rope up with the winch": an agent holds right what a person
/// ruled out, whatever else the two say.
pub(super) fn urges_what_is_ruled_out(known: &Side, arriving: &Side) -> bool {
    let urged = behind(&arriving.said, &["should", "must", "to", "can", "may"], &["not", "never"]);
    let ruled_out = behind(&known.said, &["never", "not", "don't", "cannot", "can't", "mustn't"], &[]);
    let terms: BTreeSet<&str> =
        known.reading.terms.iter().filter(|term| !term.part).map(|term| term.stem.as_str()).collect();
    urged.iter().any(|verb| {
        let names = |term: &&Term| !term.part && term.stem != *verb && terms.contains(term.stem.as_str());
        ruled_out.contains(verb) && arriving.reading.terms.iter().filter(names).count() >= NAMED
    })
}

/// "Boats over 9 tons are towed at noon", "boats over 9 tons are towed at the keeper's word": the same begun sentence with
/// another end, and none of it left open.
pub(super) fn ends_otherwise(known: &Side, arriving: &Side) -> bool {
    let slot = Slot::between(&known.said, &arriving.said);
    let leaves_open =
        |word: &String| matches!(word.as_str(), "also" | "too" | "either" | "sometimes" | "usually");
    slot.is_another_end() && !arriving.said.iter().any(leaves_open)
}

/// Tells whether something was said after what is known.
pub(super) fn follows(known: &Side, arriving: &Side) -> bool {
    matches!(order(known, arriving), Order::Later | Order::Unknown)
}

/// Returns the stems of what stands behind one of these words, unless one of those stands between.
fn behind(said: &[String], heads: &[&str], unless: &[&str]) -> Vec<String> {
    let is_head = |at: &usize| heads.contains(&said[*at].as_str());
    let verb = |at: usize| {
        said[at + 1..]
            .iter()
            .find(|word| !matches!(word.as_str(), "always" | "also" | "just" | "ever" | "only" | "be"))
    };
    let meant = |word: &&String| !unless.contains(&word.as_str());
    (0..said.len()).filter(is_head).filter_map(verb).filter(meant).map(|word| stem(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_seen_stands_without_who_looked() {
        let check = |text: &str, expected: Option<&str>| {
            let seen = observed(text).filter(|seen| seen.is_sure);
            assert_eq!(seen.map(|seen| seen.held).as_deref(), expected, "{text}");
        };
        check("I found that the crane is not fast: it took an hour.", Some("the crane is not fast"));
        check("The crane lifts 4 tons, as I can see in crane.rs.", Some("The crane lifts 4 tons"));
        check("Finding: the crane lifts 4 tons only.", Some("the crane lifts 4 tons only"));
        check("I checked the crane file: the crane lifts 4 tons", Some("the crane lifts 4 tons"));
        check("According to the plan, the crane lifts 4 tons.", Some("the crane lifts 4 tons"));
        check("According to the notes in the shed the crane holds 4 tons.", Some("the crane holds 4 tons"));
        check("I checked crane.rs: the crane lifts 4 tons", Some("the crane lifts 4 tons"));
        check("I looked at the crane: the crane lifts 4 tons", Some("the crane lifts 4 tons"));
        check("The crane lifts 4 tons.", Some("The crane lifts 4 tons"));
        check(
            "I measured it: the crane does not lift 4 tons, it lifts 2.",
            Some("the crane does not lift 4 tons"),
        );
        check(
            "Keys are not in the office, I found them in the boathouse.",
            Some("Keys are not in the office"),
        );
        check("The crane is fast, I found no brake in it.", Some("The crane is fast"));
        check("I oiled the crane and I will paint it.", None);
        check("Does the crane lift 4 tons?", None);
        check("The crane should lift the bell itself.", Some("The crane should lift the bell itself"));
        check("The crane lifts a lot.", None);
        check("All done.", None);
    }
}
