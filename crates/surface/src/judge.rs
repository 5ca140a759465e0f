//! Whether what was found answers a question, and why.

use std::collections::HashSet;

use crate::demand::Demands;
use crate::evidence::{Evidence, Piece};
use crate::fit::{Asked, Fit};
use crate::index::Level;
use crate::sought::Sought;
use crate::token::{Form, Token, tokens};
use crate::weigh::{Weighed, counts};

/// So many of the best pieces are measured to see whether it is known.
const MEASURED: usize = 60;
/// Where every word of the question was written or said at some time, so much less fits well enough: it is a word that
/// nobody ever used that most questions without an answer have in common.
const ALL_HEARD: f64 = 0.06;
/// What fits and does not hold what is asked for is so much below what answers.
const SHORT_OF_IT: f64 = 0.01;
/// So many words have to be asked for that having all of them says something.
const EVERY: usize = 3;

/// How well the evidence answers a question.
pub(crate) struct Judged {
    /// How well the best of it fits.
    pub(crate) best: f64,
    /// The piece of an entry that fits best, where it no longer holds and nothing that holds answers.
    pub(crate) past: Option<usize>,
    /// The piece of an entry that answers best of what no longer holds, whatever else does.
    pub(crate) once: Option<usize>,
    /// Why it is, or is not, an answer.
    pub(crate) why: String,
}

/// Decides whether the evidence answers the question: whether anything fits it above the floor.
///
/// An entry has to fit the question, a passage the question with every word of it.
pub(crate) fn judge(
    [asked, in_full]: [&Asked; 2],
    evidence: &Evidence,
    weighed: &Weighed,
    (question, sought): (&str, &[Sought]),
) -> Judged {
    if weighed.order.is_empty() {
        let why = "nothing that is written or said has anything to do with it".to_owned();
        return Judged { best: 0.0, past: None, once: None, why };
    }
    let demands = Demands::of(question);
    let unheard = unheard(question, sought);
    let floor = Asked::ANSWERS - if unheard.is_empty() { ALL_HEARD } else { 0.0 };
    let measure = |at: &usize| {
        let piece = &evidence.pieces[*at];
        // What stood there once says nothing of what stands there now.
        let next = evidence.stated_after(*at).filter(|next| is_past(next) == is_past(piece));
        let parent = &evidence.parents[piece.parent];
        let title = parent.title.as_str();
        let next = next.map_or("", |next| next.text.as_str());
        let is_entry = parent.level == Level::Entries;
        let asked = if is_entry { asked } else { in_full };
        let text = format!("{title} {} {next}", piece.text);
        let fit = asked.fit_above(&text, floor);
        // What only asks, or holds nothing of the sort that is asked for, is near and no answer.
        let lacks = match fit.value >= floor {
            true if !evidence.says_something(*at) => Lacks::Answer,
            true if !demands.are_met_by(&text, is_entry) => Lacks::Sort,
            _ => Lacks::Nothing,
        };
        let value = if lacks == Lacks::Nothing { fit.value } else { floor - SHORT_OF_IT };
        Measured { at: *at, fit: Fit { value, ..fit }, lacks }
    };
    let measured: Vec<Measured> = weighed.order.iter().take(MEASURED).map(measure).collect();
    let best_of = |wanted: &dyn Fn(&Piece) -> bool| {
        let wanted = measured.iter().filter(|one| wanted(&evidence.pieces[one.at]));
        wanted.max_by(|a, b| a.fit.value.total_cmp(&b.fit.value)).copied()
    };
    let mut best = best_of(&|_| true).unwrap_or_default();
    let holds = best_of(&|piece| !is_past(piece)).map_or(0.0, |one| one.fit.value);
    let past = best_of(&|piece| is_past(piece) && evidence.parents[piece.parent].level == Level::Entries);
    let once = past.filter(|one| one.fit.value >= floor);
    let mut past = once.filter(|_| holds < floor);
    // Everyday words tell little, and an entry that has every one of them is about nothing else.
    if weighed.order.iter().take(MEASURED).any(|at| says_all(evidence, *at, sought, &demands)) {
        best.fit.value = best.fit.value.max(Asked::ANSWERS);
        past = None;
    }
    if best.fit.value >= floor {
        best.fit.value = best.fit.value.max(Asked::ANSWERS);
    }
    let why = why(&best, &unheard);
    Judged { best: best.fit.value, past: past.map(|one| one.at), once: once.map(|one| one.at), why }
}

/// Tells whether something took the place of what a piece says, or seems to have.
fn is_past(piece: &Piece) -> bool {
    matches!(piece.status, "superseded" | "outdated" | "possibly-replaced")
}

/// How well a piece fits the question.
#[derive(Clone, Copy, Default)]
struct Measured {
    at: usize,
    fit: Fit,
    lacks: Lacks,
}

/// What a piece that fits the question lacks to answer it.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum Lacks {
    #[default]
    Nothing,
    /// It only asks.
    Answer,
    /// It holds nothing of the sort that is asked for.
    Sort,
}

/// Says in plain words how much of a question the evidence speaks of.
fn why(Measured { fit: best, lacks, .. }: &Measured, unheard: &[&str]) -> String {
    let unheard = match unheard {
        [] => String::new(),
        words => format!("nobody ever wrote or said {}", words.join(", ")),
    };
    let share = (best.covered * 100.0).abs();
    let said = match best.value >= Asked::ANSWERS {
        true => format!("what was found speaks of {share:.0} % of the question"),
        false if *lacks == Lacks::Answer => {
            "it was only asked, and nothing that was found answers it".to_owned()
        }
        false if *lacks == Lacks::Sort => {
            "what was found speaks of it, and does not say what is asked for".to_owned()
        }
        false if best.covered > 0.0 => {
            format!("what comes nearest speaks of only {share:.0} % of the question")
        }
        false if unheard.is_empty() => "nothing that is written or said speaks of it".to_owned(),
        false => return unheard,
    };
    if unheard.is_empty() { said } else { format!("{said}; {unheard}") }
}

/// Lists the words of a question, as they were typed, that stand nowhere.
fn unheard<'q>(question: &'q str, sought: &[Sought]) -> Vec<&'q str> {
    let missing: HashSet<&str> =
        sought.iter().filter(|one| !one.found && counts(one)).map(|one| one.word.term.as_str()).collect();
    let is_missing = |token: Token| token.form != Form::Whole && missing.contains(token.term.as_str());
    let words: Vec<&str> =
        question.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric())).collect();
    // "How long", "how many": nobody has to have said "long".
    let measures = |at: usize| at > 0 && words[at - 1].eq_ignore_ascii_case("how");
    let found = words.iter().enumerate().filter(|(at, _)| !measures(*at));
    found.map(|(_, word)| *word).filter(|word| tokens(word).into_iter().any(is_missing)).collect()
}

/// Tells whether one statement of an entry, under its title, has every word that is asked for, and there are several.
fn says_all(evidence: &Evidence, at: usize, sought: &[Sought], demands: &Demands) -> bool {
    let piece = &evidence.pieces[at];
    let parent = &evidence.parents[piece.parent];
    let wanted: Vec<&Sought> = sought.iter().filter(|one| counts(one)).collect();
    let title: HashSet<String> = tokens(&parent.title).into_iter().map(|token| token.term).collect();
    let has = |one: &&Sought| piece.terms.contains(&one.word.term) || title.contains(&one.word.term);
    parent.level == Level::Entries
        && evidence.says_something(at)
        && matches!(piece.status, "current" | "disputed")
        && wanted.len() >= EVERY
        && wanted.iter().all(has)
        && demands.are_met_by(&format!("{} {}", parent.title, piece.text), true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query;

    #[test]
    fn words_that_nobody_said_are_named_as_they_were_typed() {
        let sought: Vec<Sought> = query::words("Où garde-t-on la `crème`?")
            .into_iter()
            .map(|word| Sought { found: word.word == "la", word, rarity: 1.0 })
            .collect();
        assert_eq!(unheard("Où garde-t-on la `crème`?", &sought), ["Où", "garde-t-on", "crème"]);
    }

    #[test]
    fn why_is_told_in_plain_words() {
        let fit = |value, covered| Fit { value, covered, ..Fit::default() };
        let check = |fit: Fit, words: &[&str], expected: &str| {
            assert_eq!(why(&Measured { fit, ..Measured::default() }, words), expected);
        };
        check(fit(0.9, 1.0), &[], "what was found speaks of 100 % of the question");
        check(
            fit(0.2, 0.23),
            &["timeout"],
            "what comes nearest speaks of only 23 % of the question; nobody ever wrote or said timeout",
        );
        check(fit(0.0, 0.0), &["hangar"], "nobody ever wrote or said hangar");
        check(fit(0.1, 0.0), &[], "nothing that is written or said speaks of it");
    }
}
