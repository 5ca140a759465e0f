//! What the words of a statement so far mean for the next one: whether it is denied, and what it is said of.

use super::foreign;
use super::lexicon::{self, Class};
use super::phrase::{ends_phrase, gives_a_value, is_slot, is_tail, next_word};
use super::reading::Term;
use super::token::{Form, Token, is_stop};

/// What a thing no longer does, or is, when it is given up.
const SERVES: [&str; 14] = [
    "work",
    "works",
    "used",
    "needed",
    "required",
    "supported",
    "maintained",
    "necessary",
    "enough",
    "exists",
    "exist",
    "fits",
    "fit",
    "suffices",
];

/// Words that rule out what the clause has named before them.
const RULED_OUT: [&str; 3] = ["forbidden", "prohibited", "disallowed"];

/// What the words so far mean for the next one.
pub(super) struct Scope {
    pub(super) denied: bool,
    pub(super) subject: bool,
    pub(super) head: bool,
    started: bool,
    first_clause: bool,
    pub(super) slot: Option<String>,
    /// The denial covers a noun phrase, not the rest of the clause.
    phrase: bool,
    /// A word of the clause says no; what takes something away says what becomes of it.
    negated: bool,
    /// Something of the clause is taken from where it was.
    leaves: bool,
    since: usize,
    clause_from: usize,
    pub(super) clause: usize,
    previous: [String; 3],
}

impl Scope {
    pub(super) fn new() -> Scope {
        Scope {
            denied: false,
            subject: true,
            head: true,
            started: false,
            first_clause: true,
            slot: None,
            phrase: false,
            negated: false,
            leaves: false,
            since: 0,
            clause_from: 0,
            clause: 0,
            previous: Default::default(),
        }
    }

    pub(super) fn close(&mut self) {
        self.denied = false;
        self.head = true;
        self.negated = false;
        self.leaves = false;
        self.slot = None;
        if self.started {
            self.subject = false;
            self.first_clause = false;
        }
        self.clause_from = usize::MAX;
        self.clause += 1;
    }

    /// Takes one word into account before it is itself recorded.
    pub(super) fn step(&mut self, word: &str, rest: &[Token], terms: &mut [Term]) {
        if self.clause_from == usize::MAX {
            self.clause_from = terms.len();
            // "The gate got a new lock, it has two keys now" goes on about the gate.
            let goes_on = matches!(word, "it" | "its" | "they" | "theyre") && gives_a_value(rest);
            if (goes_on || is_tail(word, rest)) && self.clause > 0 {
                self.clause -= 1;
            }
        }
        let order = !self.started && lexicon::is(word, Class::Order);
        let begun = terms.len() > self.clause_from.min(terms.len());
        if self.head && begun && lexicon::is(word, Class::Verb) {
            self.head = false;
        }
        if self.subject && self.started && lexicon::is(word, Class::Verb) {
            self.subject = false;
        }
        if lexicon::is(word, Class::Reason) || lexicon::is(word, Class::Condition) || word == "but" {
            self.denied = word == "without";
            self.phrase = true;
            self.clause_from = terms.len();
            if lexicon::is(word, Class::Reason) || word == "but" {
                self.clause += 1;
            }
        }
        if lexicon::is(word, Class::Negator) {
            self.phrase =
                matches!(word, "no" | "without" | "instead-of" | "rather-than" | "neither" | "none");
            // `not only` and `no matter` affirm.
            let affirms = matches!(next_word(rest), Some("only" | "matter"));
            // `nothing … without` says it twice and means it.
            let twice = word == "without" && self.negated;
            self.denied = !affirms && !twice;
            self.negated |= !affirms;
            if twice {
                let clause = self.clause;
                terms.iter_mut().filter(|term| term.clause == clause).for_each(|term| term.denied = false);
            }
            self.since = 0;
            // `X must never be opened`, `opening X is forbidden`: what stands before is what is not done.
            let be = |word: &String| matches!(word.as_str(), "is" | "are" | "be");
            let may = |word: &String| {
                matches!(word.as_str(), "must" | "may" | "should" | "can" | "shall" | "could" | "might")
            };
            if RULED_OUT.contains(&word) && self.previous.iter().take(2).any(be)
                || matches!(word, "not" | "never") && may(&self.previous[0]) && next_word(rest) == Some("be")
                || matches!(word, "mustnt" | "shouldnt" | "cannot" | "cant") && next_word(rest) == Some("be")
            {
                self.deny_clause(terms);
            }
            // `X no longer works` gives X up; `X no longer expires` says something about it.
            if word == "no-longer" && next_word(rest).is_some_and(|next| SERVES.contains(&next)) {
                self.deny_clause(terms);
            }
        } else if foreign::denies_clause(word) {
            self.deny_clause(terms);
        } else if lexicon::is(word, Class::Remover) {
            self.removal(word, rest, terms);
        } else if self.denied && (self.since > 6 || self.phrase && self.since > 1 && ends_phrase(word)) {
            self.denied = false;
        }
        let renames = matches!(word, "renamed" | "migrated" | "switched" | "moved" | "converted");
        if renames && matches!(next_word(rest), Some("to" | "into")) {
            // `X was renamed to Y`: what was called X is not any more.
            let from = self.clause_from.min(terms.len());
            for term in &mut terms[from..] {
                term.denied |= word == "renamed" || term.form == Form::Name || term.part;
            }
        }
        // "Keep oars out of the shed" is said of the shed.
        self.leaves |= matches!(
            word,
            "moved" | "took" | "taken" | "migrated" | "moving" | "keep" | "keeps" | "stay" | "stays"
        );
        if word == "out-of" && self.leaves {
            (self.denied, self.phrase, self.since) = (true, true, 0);
        }
        if word == "renamed" && !matches!(next_word(rest), Some("to" | "into" | "from")) {
            self.deny_clause(terms);
        }
        // "From here to there", and not "boats from here go to the pier".
        let verb =
            |token: &Token| matches!(token, Token::Mark { word, .. } if lexicon::is(word, Class::Verb));
        if word == "from" && rest.iter().take(6).take_while(|token| !verb(token)).any(|token| token.is("to"))
        {
            self.denied = true;
            self.since = 0;
        } else if word == "to" && self.denied && self.slot.as_deref() == Some("from") {
            self.denied = false;
        }
        if is_slot(word) {
            self.slot = Some(word.to_owned());
        }
        if !order {
            self.started = true;
        }
    }

    /// Handles `X is removed` (X is denied) and `removes X` (what follows is denied).
    fn removal(&mut self, word: &str, rest: &[Token], terms: &mut [Term]) {
        let passive = self.previous.iter().any(|word| {
            matches!(
                word.as_str(),
                "is" | "are" | "was" | "were" | "be" | "been" | "being" | "get" | "gets" | "got"
            )
        });
        // "Guests can cancel online" tells what they may do, "postponed to May" when it is.
        let able = matches!(self.previous[0].as_str(), "can" | "may" | "could" | "might");
        let until = matches!(word, "postponed" | "deferred") && next_word(rest) == Some("to");
        if able || until {
            return;
        }
        let by = matches!(next_word(rest), Some("by" | "with"));
        if by && passive && !matches!(word, "replaced" | "superseded") {
            // `Secrets are removed by the filter` tells what the filter does.
            return;
        }
        let in_time =
            rest.iter().take(2).any(|token| token.is("after") || token.is("when") || token.is("once"));
        if passive && in_time && self.previous[0] == "be" {
            // `has to be removed after a while` says what becomes of a thing that is there.
            return;
        }
        if self.previous[0] == "no-longer" {
            self.denied = true;
        } else if passive
            || by
            || matches!(word, "gone" | "is-over" | "are-over" | "is-history" | "are-history" | "out-again")
        {
            self.deny_clause(terms);
            self.denied = false;
        } else {
            self.denied = !self.denied;
            self.phrase = false;
            self.since = 0;
        }
    }

    /// Denies what the clause has named so far.
    fn deny_clause(&self, terms: &mut [Term]) {
        let from = self.clause_from.min(terms.len());
        for term in &mut terms[from..] {
            term.denied = true;
        }
    }

    pub(super) fn seen(&mut self, word: &str) {
        self.previous.rotate_right(1);
        self.previous[0] = word.to_owned();
        self.since += 1;
    }
}

/// Tells whether `on`, `off` or `one` is a value here and not merely a function word.
pub(super) fn is_switch(word: &str, scope: &Scope, rest: &[Token]) -> bool {
    let before = scope.previous[0].as_str();
    match word {
        "on" | "off" => {
            let ends = matches!(rest.first(), None | Some(Token::Break));
            let by_default = next_word(rest) == Some("by");
            let turned = matches!(
                before,
                "is" | "are"
                    | "was"
                    | "be"
                    | "been"
                    | "turned"
                    | "switched"
                    | "stays"
                    | "stay"
                    | "keep"
                    | "default"
            );
            let until = matches!(next_word(rest), Some("unless" | "until" | "now" | "for" | "in"));
            by_default || turned && (ends || until)
        }
        "one" => {
            let counted = next_word(rest).is_some_and(|next| {
                !is_stop(next) && !lexicon::is(next, Class::Verb) && !next.ends_with('s')
            });
            counted && !matches!(before, "the" | "this" | "that" | "which" | "each" | "every" | "no" | "any")
        }
        _ => false,
    }
}
