//! A wish or a plan held against what stands: it may want what was ruled out, or another value than was laid down.
//!
//! Nothing is decided here. Who is told that a wish goes against an entry keeps to the entry, or has somebody
//! write down what holds instead.

use std::collections::BTreeSet;

use lore_core::{Kind, Voice};

use super::compare::Side;
use super::judge::judge;
use super::judgement::Relation;
use super::known::Known;
use super::near::Distance;
use super::reading::{Reading, Term};
use super::statement::Statement;
use super::token::{Form, stem};
use super::weights::Weights;
use crate::extract::keywords::files;
use crate::extract::sentence::sentences;

/// So many sentences of a plan are held against what stands.
const SENTENCES: usize = 60;
/// A prohibition and a wish that share fewer words than this are about different things.
const WORDS: usize = 2;
/// Words for doing anything to a thing, by their stems; what is forbidden is the thing.
const TOUCHES: [&str; 14] = [
    "add", "alter", "chang", "do", "edit", "have", "make", "modifi", "put", "remov", "renam", "replac",
    "touch", "use",
];
/// Words that say how many more of a thing, and not which.
const MORE: [&str; 6] = ["addit", "anoth", "extra", "further", "more", "new"];
/// How a wish begins before it says what is wanted.
const OPENINGS: [&str; 18] = [
    "please ",
    "pls ",
    "can you ",
    "could you ",
    "let's ",
    "lets ",
    "let us ",
    "we should ",
    "we need to ",
    "we want to ",
    "i want to ",
    "i'd like to ",
    "now ",
    "then ",
    "also ",
    "just ",
    "- ",
    "* ",
];
/// What gives something another value, with the word before that value.
const GIVES: [&str; 15] = [
    "change",
    "switch",
    "set",
    "raise",
    "lower",
    "bump",
    "increase",
    "decrease",
    "reduce",
    "turn",
    "convert",
    "move",
    "migrate",
    "upgrade",
    "downgrade",
];

/// How a wish goes against a claim.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Against {
    /// It wants what the claim rules out.
    Forbidden,
    /// It gives another value than the claim.
    OtherValue,
}

/// Finds the sentence of a wish that goes against a claim, if one does.
pub fn goes_against<'w>(wish: &'w str, claim: &str, known: &dyn Known) -> Option<(Against, &'w str)> {
    let claim = &decided_against(&spelt_out(claim));
    let ruled = Reading::of(without_terms(claim));
    let stands = side(claim.clone(), known);
    let parts = wish.lines().flat_map(sentences).filter(|part| !part.trim_end().ends_with('?'));
    parts.take(SENTENCES).find_map(|part| {
        let wanted = restated(part);
        if wants_forbidden(&ruled, &Reading::of(&wanted)) {
            return Some((Against::Forbidden, part));
        }
        // What a prohibition says otherwise is where it holds, and what is to be made is new.
        let is_made = made(opened(part)).is_some();
        if ruled.terms.iter().any(|term| term.denied) || !(is_made || gives_a_value(&wanted)) {
            return None;
        }
        let judged = judge(&stands, &side(wanted, known), Weights::shipped(), Distance::among(0));
        (judged.relation == Relation::Conflict).then_some((Against::OtherValue, part))
    })
}

/// "No new ropes without asking": until somebody was asked, none.
fn without_terms(claim: &str) -> &str {
    let lower = claim.to_ascii_lowercase();
    let ends = [" without ", " unless ", " until "].iter().filter_map(|word| lower.find(word)).min();
    ends.map_or(claim, |end| &claim[..end])
}

fn side(text: String, known: &dyn Known) -> Side {
    let statement = Statement { voice: Voice::Person, ..Statement::plain(text, Kind::Decision) };
    statement.side_with(&|stem| known.rarity(stem))
}

/// Tells whether one statement wants what the other forbids: what stands first behind the "not" of a clause. What
/// follows says where, and there much else may be done.
fn wants_forbidden(ruled: &Reading, wanted: &Reading) -> bool {
    let is_whole = |term: &&Term| !term.part;
    let named = |term: &Term| wanted.terms.iter().any(|other| is_one(other, term) && !other.denied);
    let says = |term: &&Term| !MORE.contains(&term.stem.as_str());
    let touches = |term: &&Term| TOUCHES.contains(&term.stem.as_str());
    let whole: Vec<&Term> = ruled.terms.iter().filter(is_whole).filter(says).collect();
    // "Never use Brass": whoever names it in a wish wants it, whatever for. "… for lamps" asks for the lamps too.
    let bans: Vec<usize> =
        whole.iter().filter(|term| term.denied && touches(term)).map(|t| t.clause).collect();
    let banned: Vec<&Term> =
        whole.iter().copied().filter(|term| bans.contains(&term.clause) && !touches(term)).collect();
    let whole = if banned.is_empty() { whole } else { banned };
    let shared = whole.iter().filter(|term| named(term)).count();
    // "No new ropes" has one word to share.
    let enough = WORDS.min(whole.len());
    let mut clauses = BTreeSet::new();
    let forbidden = ruled.terms.iter().filter(is_whole).filter(|term| term.denied);
    let forbidden = forbidden.filter(|term| !TOUCHES.contains(&term.stem.as_str()) && says(term));
    let first: Vec<&Term> = forbidden.filter(|term| clauses.insert(term.clause)).collect();
    // Who gives up what is forbidden, or forbids it too, is of one mind with the claim.
    let gives_up = |term: &&Term| wanted.terms.iter().any(|other| is_one(other, term) && other.denied);
    shared >= enough && !first.iter().any(gives_up) && first.iter().any(|term| named(term))
}

/// Tells whether two words are one, however they are written: a name in small letters is a word like others.
fn is_one(a: &Term, b: &Term) -> bool {
    a.stem == b.stem || (a.form == Form::Name || b.form == Form::Name) && stem(&a.stem) == stem(&b.stem)
}

/// Leaves out how a wish begins.
fn opened(wish: &str) -> &str {
    let mut rest = wish.trim();
    while let Some(opening) = OPENINGS
        .iter()
        .find(|opening| rest.get(..opening.len()).is_some_and(|head| head.eq_ignore_ascii_case(opening)))
    {
        rest = rest[opening.len()..].trim_start();
    }
    rest
}

/// "Make the lamps go out after 9 minutes": the lamps go out then.
fn made(wish: &str) -> Option<&str> {
    let (first, after) = wish.split_once(' ')?;
    let makes = ["make", "let", "have"].iter().any(|word| first.eq_ignore_ascii_case(word));
    (makes && after.contains(|c: char| c.is_ascii_digit())).then_some(after)
}

/// Says a wish as what would then hold: `change the limit to 5` is `the limit is 5`.
fn restated(wish: &str) -> String {
    let rest = &spelt_out(&without_files(opened(wish)));
    if let Some(made) = made(rest) {
        return made.to_owned();
    }
    let (first, after) = rest.split_once(' ').unwrap_or((rest, ""));
    let gives = GIVES.contains(&first.to_lowercase().as_str());
    match after.rsplit_once(" to ") {
        Some((what, value)) if gives => match what.rsplit_once(" from ") {
            Some((what, old)) => format!("{what} is {value} instead of {old}"),
            None => match what.strip_prefix("from ") {
                Some(old) => format!("Use {value} instead of {old}"),
                None => format!("{what} is {value}"),
            },
        },
        _ => rest.to_owned(),
    }
}

/// `RETRY_LIMIT` is the retry limit.
fn spelt_out(wish: &str) -> String {
    let is_constant =
        |word: &str| word.contains('_') && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let word = |word: &str| match is_constant(word) {
        true => word.to_lowercase().split('_').filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" "),
        false => word.to_owned(),
    };
    wish.split(' ').map(word).collect::<Vec<_>>().join(" ")
}

/// "We decided against brass": what was turned down is ruled out.
fn decided_against(claim: &str) -> String {
    const TURNED: [&str; 10] = [
        "rejected ",
        "decided against using ",
        "decided against ",
        "decided not to use ",
        "ruled out using ",
        "ruled out ",
        "turned down ",
        "voted against ",
        "settled against ",
        "chose not to use ",
    ];
    let lower = claim.to_ascii_lowercase();
    let found = TURNED.iter().find_map(|words| lower.find(words).map(|at| (at, words.len())));
    // "Chose iron over brass": the second is what is ruled out.
    let over = ["chose ", "picked ", "preferred "].iter().any(|verb| lower.contains(verb));
    let over = lower.find(" over ").filter(|_| over && found.is_none());
    match (found, over) {
        (Some((at, size)), _) => format!("{}will not use {}", &claim[..at], &claim[at + size..]),
        (None, Some(at)) => format!("We will not use {}", &claim[at + " over ".len()..]),
        (None, None) => claim.to_owned(),
    }
}

/// "Use brass for the lamps in src/lamps.rs": where the work is done is no other value.
fn without_files(wish: &str) -> String {
    let is_file = |word: &str| word.contains('/') || !files(word).is_empty();
    let words: Vec<&str> = wish.split_whitespace().collect();
    let leads = |at: usize| {
        matches!(words[at], "in" | "inside" | "within" | "at")
            && words.get(at + 1).is_some_and(|next| is_file(next))
    };
    let kept = (0..words.len()).filter(|at| !(leads(*at) || *at > 0 && leads(at - 1)));
    kept.map(|at| words[at]).collect::<Vec<_>>().join(" ")
}

/// Tells whether a sentence says what something is, or what takes whose place.
fn gives_a_value(sentence: &str) -> bool {
    let said = format!(" {} ", sentence.to_lowercase());
    said.starts_with(" use ")
        || [" is ", " are ", " uses ", " instead of "].iter().any(|word| said.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curate::Base;

    fn against(wish: &str, claim: &str) -> Option<Against> {
        goes_against(wish, claim, &Base::new([])).map(|(against, _)| against)
    }

    #[test]
    fn what_was_ruled_out_is_not_wanted_unnoticed() {
        let check = |wish: &str, claim: &str| {
            assert_eq!(against(wish, claim), Some(Against::Forbidden), "{wish} | {claim}");
        };
        check(
            "Add retries with the Orchid client in the tally module",
            "The tally module must not depend on anything at runtime, not even Orchid.",
        );
        check(
            "Let's add Brass as a lining.",
            "We decided against Brass because the yard has too little of it.",
        );
        check("Use Orchid for the tally.", "We ruled out Orchid.");
        check("Use Orchid for the tally.", "We rejected Orchid because it is slow.");
        check("Use Orchid for the tally.", "We chose Tulip over Orchid for the tally.");
        check(
            "Switch the seal of the parcel label from CRC to SHA",
            "Parcel labels carry a CRC seal; do not change the seal, old labels must stay readable.",
        );
        check(
            "Write the sailing dates as ordinal days by default",
            "We decided never to use ordinal days for sailing dates by default.",
        );
        check("please log the names of passengers when a booking fails", "Never log passengers' names.");
        check("add hemp as a new rope", "Never add new ropes without asking first.");
        check("add hemp to the ropes", "No new ropes.");
        for wish in ["move the lamps to Brass", "introduce Brass as a frame", "put the lamps into brass"] {
            check(wish, "Never use Brass.");
            check(wish, "Never use Brass, lamps stay in iron.");
        }
    }

    #[test]
    fn another_value_than_was_laid_down_is_noticed() {
        let check = |wish: &str, claim: &str| {
            assert_eq!(against(wish, claim), Some(Against::OtherValue), "{wish} | {claim}");
        };
        check(
            "Change the default strictness of the parser to LENIENT",
            "The default strictness of the parser is LEGACY.",
        );
        check(
            "Let's change the default of forward() to 303",
            "We decided that forward() keeps 302 as default until release 4.",
        );
        check(
            "The default strictness of the parser is LENIENT",
            "The default strictness of the parser is LEGACY.",
        );
        check("Raise the retry limit to 9", "The retry limit is 5.");
        check("set RETRY_LIMIT to 9", "Keep the retry limit at 3.");
        check("set retry_limit to 9", "The retry limit is 5.");
        check("Change the retry_limit to 9", "We decided that the retry_limit stays 3.");
        check("make the lamps go out after 60 minutes", "We decided that the lamps go out after 30 minutes.");
    }

    #[test]
    fn what_is_about_something_else_or_of_one_mind_is_no_matter() {
        let check = |wish: &str, claim: &str| assert_eq!(against(wish, claim), None, "{wish} | {claim}");
        check("Rename the render loop", "Never allocate in the render loop of the mixer.");
        check("Stop logging passengers' names", "Never log passengers' names.");
        check("Write a script that deploys the ferry", "We do not deploy on Fridays.");
        check("Is the retry limit 9?", "The retry limit is 5.");
        check("make the ferry table 9 rows high", "The ferry table is printed twice.");
        check("coil the ropes", "No new boats.");
        check("Use Brass for the bells", "Never use Brass for lamps.");
        check("Remove Brass from the lamps", "Never use Brass.");
        check("Replace Brass with Iron", "Never use Brass.");
        check("Add a --quiet flag to the export command", "The export command writes CSV.");
        check("Set up a nightly job for the tide tables", "Tide tables are kept for two years.");
        check("Use Brass for lamps in src/lamps.rs", "We moved the harbour lamps to Brass.");
        check("Move lamps to Brass in src/lamps.rs", "We moved the harbour lamps to Brass.");
    }
}
