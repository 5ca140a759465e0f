//! A statement taken apart: what it is about, what it affirms, what it denies.

use std::collections::BTreeMap;

use super::lexicon::{self, Class};
use super::phrase::{commands, ends_preamble, is_cue, weight_of};
use super::scope::{Scope, is_switch};
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
