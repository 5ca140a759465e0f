//! A statement taken apart: what it is about, what it affirms, what it denies.

use std::collections::BTreeMap;

use super::foreign;
use super::lexicon::{self, Class};
use super::phrase::{
    commands, ends_phrase, ends_preamble, gives_a_value, is_cue, is_slot, is_tail, next_word, weight_of,
};
use super::token::{Form, Token, form_of, is_stop, number, parts, stem, tokens, trim_name};

/// One word that carries meaning.
#[derive(Debug, Clone)]
pub(crate) struct Term {
    /// Stemmed and lower-case; names keep their punctuation.
    pub(crate) stem: String,
    pub(crate) form: Form,
    /// How much it tells about the subject.
    pub(crate) weight: f64,
    pub(crate) denied: bool,
    pub(crate) subject: bool,
    /// Stands before the verb of its clause.
    pub(crate) head: bool,
    /// Only a part of a name or of a compound.
    pub(crate) part: bool,
    /// The function word or verb before it, and its distance in terms.
    pub(crate) slot: Option<String>,
    /// Which clause of the statement it stands in, counted from 0.
    pub(crate) clause: usize,
}

/// A statement taken apart.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reading {
    pub(crate) terms: Vec<Term>,
    /// The classes of its words, one set of bits per word.
    classes: Vec<u32>,
    /// How many of the first terms say under which circumstances the rest holds.
    pub(crate) preamble: usize,
    /// The commands of several words that it names, as they are typed.
    pub(crate) commands: Vec<String>,
}

/// "us bucket" and "the US region" name a country: nobody begins with the pronoun, or writes it large.
fn countries(text: &str) -> std::borrow::Cow<'_, str> {
    let opens = text.get(..3).is_some_and(|head| head.eq_ignore_ascii_case("us "));
    if !opens && !text.contains(" US ") {
        return text.into();
    }
    let rest = if opens { &text[3..] } else { text };
    format!("{}{}", if opens { "USA " } else { "" }, rest.replace(" US ", " USA ")).into()
}

impl Reading {
    /// Takes a statement apart.
    pub(crate) fn of(text: &str) -> Reading {
        let text = &countries(text);
        let mut tokens = tokens(text);
        // "From now on …" says since when, and no more.
        if let [from, now, on, ..] = tokens.as_slice()
            && from.is("from")
            && now.is("now")
            && on.is("on")
        {
            tokens.remove(2);
            tokens.remove(0);
        }
        let mut reading = Reading { commands: commands(text), ..Reading::default() };
        let mut scope = Scope::new();
        // `Since the audit …` says from when on, not where.
        let opens = matches!(tokens.first(), Some(Token::Mark { word, .. })
            if lexicon::is(word, Class::Circumstance) && word != "since" && word != "after");
        let mut preamble = opens;
        for (at, token) in tokens.iter().enumerate() {
            if preamble && (matches!(token, Token::Break) || ends_preamble(token, at)) {
                preamble = false;
                reading.preamble = reading.terms.len();
                scope.subject = true;
                scope.denied = false;
            }
            match token {
                Token::Break => scope.close(),
                Token::Mark { word, name } => {
                    reading.classes.push(lexicon::classes_of(word));
                    scope.step(word, &tokens[at + 1..], &mut reading.terms);
                    if is_switch(word, &scope, &tokens[at + 1..]) {
                        reading.push_value(word, &scope);
                    } else {
                        reading.push(word, *name, &scope);
                    }
                    scope.seen(word);
                }
            }
        }
        reading
    }

    /// Scales the weight of each term by how rare it is among all that is known.
    pub(crate) fn weigh(&mut self, rarity: &dyn Fn(&str) -> f64) {
        for term in &mut self.terms {
            term.weight *= rarity(&term.stem);
        }
    }

    /// Counts how many of its words are of a class.
    pub(crate) fn count(&self, class: Class) -> usize {
        self.classes.iter().filter(|bits| *bits & class as u32 != 0).count()
    }

    /// Maps each stem to the strongest weight it has here, in an order that is always the same: sums
    /// over it must not differ from run to run.
    pub(crate) fn weights(&self) -> BTreeMap<&str, f64> {
        let mut out: BTreeMap<&str, f64> = BTreeMap::new();
        for term in &self.terms {
            let weight = out.entry(&term.stem).or_default();
            *weight = weight.max(term.weight);
        }
        out
    }

    /// Lists the whole names and quantities, without the parts of names.
    pub(crate) fn of_form(&self, form: Form) -> impl Iterator<Item = &Term> {
        self.terms.iter().filter(move |term| term.form == form && !term.part)
    }

    /// Records a small word that is what the sentence says: `is off by default`, `one approval`.
    fn push_value(&mut self, word: &str, scope: &Scope) {
        let (form, stem) =
            if word == "one" { (Form::Number, number(word)) } else { (Form::Word, word.into()) };
        self.terms.push(Term {
            stem,
            form,
            weight: 0.6,
            denied: scope.denied,
            subject: scope.subject,
            head: scope.head,
            part: false,
            slot: scope.slot.clone(),
            clause: scope.clause,
        });
    }

    fn push(&mut self, word: &str, name: bool, scope: &Scope) {
        let form = form_of(word, name);
        let base = Term {
            stem: String::new(),
            form,
            weight: 1.0,
            denied: scope.denied,
            subject: scope.subject,
            head: scope.head,
            part: false,
            slot: scope.slot.clone(),
            clause: scope.clause,
        };
        match form {
            Form::Number => {
                self.terms.push(Term { stem: number(word), weight: 0.8, ..base });
            }
            Form::Name => {
                let whole = trim_name(word).to_lowercase();
                let parts = parts(word);
                let plain = Some(stem(&whole)).filter(|plain| *plain != whole);
                let plain = plain.filter(|plain| plain.chars().all(char::is_alphabetic));
                let part_weight = if parts.len() > 1 { 0.6 } else { 0.0 };
                self.terms.push(Term { stem: whole, weight: 1.4, ..base.clone() });
                // Written in one go, and in lower case.
                if let Some(stem) = plain {
                    self.terms.push(Term { stem, weight: 1.0, form: Form::Word, part: true, ..base.clone() });
                }
                for part in parts {
                    if part_weight > 0.0 && !is_stop(&part) {
                        let stem = stem(&part);
                        let weight = part_weight * weight_of(&stem);
                        self.terms.push(Term { stem, weight, form: Form::Word, part: true, ..base.clone() });
                    }
                }
            }
            Form::Word => {
                let plain: String = word.chars().filter(|c| *c != '-').collect();
                if is_stop(&plain) || is_cue(word) {
                    return;
                }
                let whole = stem(&plain);
                self.terms.push(Term { weight: weight_of(&whole), stem: whole, ..base.clone() });
                if word.contains('-') {
                    for part in word.split('-').filter(|part| !is_stop(part)) {
                        let stem = stem(part);
                        let weight = 0.6 * weight_of(&stem);
                        self.terms.push(Term { stem, weight, part: true, ..base.clone() });
                    }
                }
            }
        }
    }
}

/// Tells whether each of two statements is about a command of the same tool that the other does not name.
pub(crate) fn of_other_commands(a: &Reading, b: &Reading) -> bool {
    let tool = |command: &str| command.split(' ').next().map(str::to_owned);
    let related = |x: &String, y: &String| x.starts_with(y.as_str()) || y.starts_with(x.as_str());
    let mut pairs = a.commands.iter().flat_map(|x| b.commands.iter().map(move |y| (x, y))).peekable();
    pairs.peek().is_some() && pairs.all(|(x, y)| tool(x) == tool(y) && !related(x, y))
}

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
struct Scope {
    denied: bool,
    subject: bool,
    head: bool,
    started: bool,
    first_clause: bool,
    slot: Option<String>,
    /// The denial covers a noun phrase, not the rest of the clause.
    phrase: bool,
    /// A word of the clause says no; what takes something away says what becomes of it.
    negated: bool,
    /// Something of the clause is taken from where it was.
    leaves: bool,
    since: usize,
    clause_from: usize,
    clause: usize,
    previous: [String; 3],
}

impl Scope {
    fn new() -> Scope {
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

    fn close(&mut self) {
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
    fn step(&mut self, word: &str, rest: &[Token], terms: &mut [Term]) {
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

    fn seen(&mut self, word: &str) {
        self.previous.rotate_right(1);
        self.previous[0] = word.to_owned();
        self.since += 1;
    }
}

/// Tells whether `on`, `off` or `one` is a value here and not merely a function word.
fn is_switch(word: &str, scope: &Scope, rest: &[Token]) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, denied: &[&str]) {
        let reading = Reading::of(text);
        let found: Vec<&str> =
            reading.terms.iter().filter(|t| t.denied && !t.part).map(|t| t.stem.as_str()).collect();
        assert_eq!(found, denied, "{text}");
    }

    #[test]
    fn what_is_denied_is_told_from_what_is_affirmed() {
        check("Use tabs instead of spaces.", &["spac"]);
        check("The cache is not shared.", &["shar"]);
        check("The old parser was removed from the build.", &["old", "pars"]);
        check("Secrets are removed by the filter.", &[]);
        check("The branch moved from `main` to `trunk`.", &["main"]);
        check("The timeout is no longer configurable.", &["configurabl"]);
        check("Sessions no longer expire.", &["expir"]);
        check("Move the queries to Drizzle. Prisma no longer works for us.", &["prisma", "work"]);
        check("The old parser is no longer needed.", &["old", "pars", "need"]);
    }

    #[test]
    fn the_subject_ends_at_the_verb() {
        let reading = Reading::of("The session index is kept in memory.");
        let subject: Vec<&str> =
            reading.terms.iter().filter(|t| t.subject).map(|t| t.stem.as_str()).collect();
        assert_eq!(subject, ["sess", "index"]);
    }
}
