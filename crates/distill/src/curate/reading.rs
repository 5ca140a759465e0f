//! A statement taken apart: what it is about, what it affirms, what it denies.

use std::collections::{HashMap, HashSet};
use std::sync::OnceLock;

use super::lexicon;

/// How a term was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// An ordinary word.
    Word,
    /// An identifier, path, flag, or something in quotation marks.
    Name,
    /// A quantity.
    Number,
}

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
    /// Only a part of a name or of a compound.
    pub(crate) part: bool,
    /// The function word or verb before it, and its distance in terms.
    pub(crate) slot: Option<String>,
}

/// A statement taken apart.
#[derive(Debug, Clone, Default)]
pub(crate) struct Reading {
    pub(crate) terms: Vec<Term>,
    /// Cue words in the order of the text, such as `instead-of`.
    cues: Vec<String>,
    /// How many of the first terms say under which circumstances the rest holds.
    pub(crate) preamble: usize,
}

impl Reading {
    /// Takes a statement apart.
    pub(crate) fn of(text: &str) -> Reading {
        let tokens = tokens(text);
        let mut reading = Reading::default();
        let mut scope = Scope::new();
        let opens = matches!(tokens.first(), Some(Token::Mark { word, .. }) if lexicon::CIRCUMSTANCES.contains(&word.as_str()));
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
                    reading.cue(word);
                    scope.step(word, &tokens[at + 1..], &mut reading.terms);
                    reading.push(word, *name, &scope);
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

    /// Counts how many of the words of a list occur.
    pub(crate) fn count(&self, list: &[&str]) -> usize {
        self.cues.iter().filter(|cue| list.contains(&cue.as_str())).count()
    }

    /// Maps each stem to the strongest weight it has here.
    pub(crate) fn weights(&self) -> HashMap<&str, f64> {
        let mut out: HashMap<&str, f64> = HashMap::new();
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

    fn cue(&mut self, word: &str) {
        self.cues.push(word.to_owned());
    }

    fn push(&mut self, word: &str, name: bool, scope: &Scope) {
        let form = form_of(word, name);
        let base = Term {
            stem: String::new(),
            form,
            weight: 1.0,
            denied: scope.denied,
            subject: scope.subject,
            part: false,
            slot: scope.slot.clone(),
        };
        match form {
            Form::Number => {
                self.terms.push(Term { stem: number(word), weight: 0.8, ..base });
            }
            Form::Name => {
                let whole = trim_name(word).to_lowercase();
                let parts = parts(word);
                let part_weight = if parts.len() > 1 { 0.6 } else { 0.0 };
                self.terms.push(Term { stem: whole, weight: 1.4, ..base.clone() });
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

/// What the words so far mean for the next one.
struct Scope {
    denied: bool,
    subject: bool,
    started: bool,
    first_clause: bool,
    slot: Option<String>,
    /// The denial covers a noun phrase, not the rest of the clause.
    phrase: bool,
    since: usize,
    clause_from: usize,
    previous: [String; 3],
}

impl Scope {
    fn new() -> Scope {
        Scope {
            denied: false,
            subject: true,
            started: false,
            first_clause: true,
            slot: None,
            phrase: false,
            since: 0,
            clause_from: 0,
            previous: Default::default(),
        }
    }

    fn close(&mut self) {
        self.denied = false;
        self.slot = None;
        if self.started {
            self.subject = false;
            self.first_clause = false;
        }
        self.clause_from = usize::MAX;
    }

    /// Takes one word into account before it is itself recorded.
    fn step(&mut self, word: &str, rest: &[Token], terms: &mut [Term]) {
        if self.clause_from == usize::MAX {
            self.clause_from = terms.len();
        }
        let order = !self.started && lexicon::ORDERS.contains(&word);
        if self.subject && self.started && lexicon::VERBS.contains(&word) {
            self.subject = false;
        }
        if lexicon::REASONS.contains(&word) || lexicon::CONDITIONS.contains(&word) || word == "but" {
            self.denied = word == "without";
            self.phrase = true;
            self.clause_from = terms.len();
        }
        if lexicon::NEGATORS.contains(&word) {
            self.phrase =
                matches!(word, "no" | "without" | "instead-of" | "rather-than" | "neither" | "none");
            // `not only` and `no matter` affirm.
            let affirms = matches!(next_word(rest), Some("only" | "matter"));
            self.denied = !affirms;
            self.since = 0;
        } else if lexicon::REMOVERS.contains(&word) {
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
        if word == "from" && rest.iter().take(6).any(|token| token.is("to")) {
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
            matches!(word.as_str(), "is" | "are" | "was" | "were" | "be" | "been" | "being" | "gets" | "got")
        });
        let by = matches!(next_word(rest), Some("by" | "with"));
        if by && passive && !matches!(word, "replaced" | "superseded") {
            // `Secrets are removed by the filter` tells what the filter does.
            return;
        }
        if self.previous[0] == "no-longer" {
            self.denied = true;
        } else if passive || by || word == "gone" {
            let from = self.clause_from.min(terms.len());
            for term in &mut terms[from..] {
                term.denied = true;
            }
            self.denied = false;
        } else {
            self.denied = !self.denied;
            self.phrase = false;
            self.since = 0;
        }
    }

    fn seen(&mut self, word: &str) {
        self.previous.rotate_right(1);
        self.previous[0] = word.to_owned();
        self.since += 1;
    }
}

/// Without a comma, the circumstances end where the sentence proper must have begun.
fn ends_preamble(token: &Token, at: usize) -> bool {
    at > 2
        && matches!(token, Token::Mark { word, .. } if lexicon::VERBS.contains(&word.as_str()) || word == "the")
}

fn next_word(rest: &[Token]) -> Option<&str> {
    match rest.first() {
        Some(Token::Mark { word, .. }) => Some(word),
        _ => None,
    }
}

enum Token {
    Mark { word: String, name: bool },
    Break,
}

impl Token {
    fn is(&self, wanted: &str) -> bool {
        matches!(self, Token::Mark { word, .. } if word == wanted)
    }
}

/// Splits into words, marked names and clause breaks; joins fixed phrases into one word.
fn tokens(text: &str) -> Vec<Token> {
    let mut out = Vec::new();
    let mut quoted = false;
    let mut ticked = false;
    let mut opens_sentence = true;
    for raw in text.split_whitespace() {
        let mut word = raw.replace(['*', '’', '“', '”'], "").replace('\'', "");
        if matches!(word.as_str(), "→" | "->" | "=>") {
            deny_last(&mut out);
            out.push(Token::Mark { word: "arrow".to_owned(), name: false });
            continue;
        }
        let opens = word.starts_with('"') || word.starts_with("(\"");
        let ticks = word.matches('`').count();
        quoted |= opens;
        let name = ticked || ticks > 0 || quoted && word.chars().any(char::is_uppercase);
        ticked ^= ticks % 2 == 1;
        let closes = raw.trim_end_matches(|c: char| ".,;:)".contains(c)).ends_with('"');
        word = word.replace(['`', '"'], "");
        let ends = word.ends_with(['.', ',', ';', ':', '!', '?', ')']) || word.starts_with('(');
        if word.starts_with('(') {
            out.push(Token::Break);
        }
        let core = word.trim_start_matches(['(', ',', ';', ':', '!', '?', '[']);
        let core = core.trim_end_matches(['.', ':', ';', '!', '?', ',', ')', ']']);
        if core.chars().any(char::is_alphanumeric) {
            let name = name || looks_like_name(core, opens_sentence);
            let kept = if name { core.to_owned() } else { core.to_lowercase() };
            join_phrase(&mut out, kept, name);
        } else if matches!(core, "-" | "–" | "—") {
            out.push(Token::Break);
        }
        opens_sentence = word.ends_with(['.', '!', '?', ':']);
        if closes {
            quoted = false;
        }
        if ends && !word.starts_with('(') || word.ends_with(')') {
            out.push(Token::Break);
        }
    }
    out
}

/// Joins `instead of`, `rather than`, `no longer` and the like with the word before.
fn join_phrase(out: &mut Vec<Token>, word: String, name: bool) {
    const PHRASES: &[(&str, &str)] = &[
        ("instead", "of"),
        ("rather", "than"),
        ("no", "longer"),
        ("so", "that"),
        ("for", "now"),
        ("back", "to"),
        ("used", "to"),
        ("thinking", "again"),
        ("opt", "in"),
        ("opt", "out"),
    ];
    if let Some(Token::Mark { word: last, .. }) = out.last_mut()
        && PHRASES.iter().any(|(a, b)| last == a && word == *b)
    {
        last.push('-');
        last.push_str(&word);
        return;
    }
    out.push(Token::Mark { word, name });
}

/// An arrow denies what stands before it; said as `instead of` would say it.
fn deny_last(out: &mut Vec<Token>) {
    if let Some(Token::Mark { word, name }) = out.pop() {
        out.push(Token::Mark { word: "instead-of".to_owned(), name: false });
        out.push(Token::Mark { word, name });
        out.push(Token::Break);
    }
}

fn looks_like_name(word: &str, first: bool) -> bool {
    let bytes = word.as_bytes();
    let inner_upper = word.chars().skip(1).any(char::is_uppercase);
    let upper = bytes.first().is_some_and(u8::is_ascii_uppercase);
    let punctuated = word.trim_end_matches('/').contains(['/', '_', '.', '<', '>', '@', '#', '$', '=', ':'])
        || word.starts_with("--")
        || word.ends_with("()");
    let digit = bytes.first().is_some_and(u8::is_ascii_digit);
    (punctuated && !digit) || inner_upper && !digit || (upper && !first)
}

fn form_of(word: &str, name: bool) -> Form {
    let bare = word.trim_start_matches(['+', '~', '<', '>', '≥', '≤', '/', '-']);
    let digit = bare.as_bytes().first().is_some_and(u8::is_ascii_digit);
    let number = number_word(word).is_some()
        || digit && !bare.contains(['/', '_', '@'])
        || digit && bare.ends_with('/');
    if number {
        Form::Number
    } else if name {
        Form::Name
    } else {
        Form::Word
    }
}

fn number_word(word: &str) -> Option<&'static str> {
    const WORDS: [(&str, &str); 12] = [
        ("zero", "0"),
        ("two", "2"),
        ("three", "3"),
        ("four", "4"),
        ("five", "5"),
        ("six", "6"),
        ("seven", "7"),
        ("eight", "8"),
        ("nine", "9"),
        ("ten", "10"),
        ("twelve", "12"),
        ("twenty", "20"),
    ];
    let lower = word.to_lowercase();
    WORDS.iter().find(|(name, _)| *name == lower).map(|(_, digits)| *digits)
}

fn number(word: &str) -> String {
    if let Some(digits) = number_word(word) {
        return digits.to_owned();
    }
    word.chars().filter(|c| !",~+/".contains(*c)).flat_map(char::to_lowercase).collect()
}

fn trim_name(word: &str) -> &str {
    word.trim_end_matches("()").trim_end_matches('/')
}

/// Splits a name at punctuation and at humps.
pub(crate) fn parts(name: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut current = String::new();
    let mut lower_before = false;
    for c in name.chars() {
        let hump = c.is_uppercase() && lower_before;
        if (!c.is_alphanumeric() || hump) && !current.is_empty() {
            out.push(std::mem::take(&mut current));
        }
        if c.is_alphanumeric() {
            current.extend(c.to_lowercase());
        }
        lower_before = c.is_lowercase() || c.is_ascii_digit();
    }
    if !current.is_empty() {
        out.push(current);
    }
    out
}

fn ends_phrase(word: &str) -> bool {
    lexicon::VERBS.contains(&word)
        || matches!(word, "and" | "in" | "to" | "with" | "by" | "at" | "on" | "from")
}

fn is_slot(word: &str) -> bool {
    matches!(
        word,
        "in" | "at"
            | "to"
            | "from"
            | "with"
            | "by"
            | "as"
            | "through"
            | "under"
            | "on"
            | "into"
            | "for"
            | "named"
            | "called"
            | "is"
            | "are"
            | "uses"
            | "use"
            | "per"
            | "via"
            | "before"
            | "after"
    )
}

pub(crate) fn is_stop(word: &str) -> bool {
    word.len() < 2 || lexicon::STOP.binary_search(&word).is_ok()
}

fn is_cue(word: &str) -> bool {
    lexicon::NEGATORS.contains(&word)
        || matches!(
            word,
            "for-now" | "so-that" | "back-to" | "used-to" | "thinking-again" | "arrow" | "instead"
        )
}

fn weight_of(stem: &str) -> f64 {
    static COMMON: OnceLock<HashSet<String>> = OnceLock::new();
    let common = COMMON.get_or_init(|| lexicon::COMMON.iter().map(|word| self::stem(word)).collect());
    if common.contains(stem) { 0.35 } else { 1.0 }
}

/// Tells whether two stems are opposites.
pub(crate) fn opposite(a: &str, b: &str) -> bool {
    static PAIRS: OnceLock<HashSet<(String, String)>> = OnceLock::new();
    let pairs = PAIRS.get_or_init(|| {
        let both = |(a, b): &(&str, &str)| {
            let plain = |word: &str| stem(&word.replace('-', ""));
            [(plain(a), plain(b)), (plain(b), plain(a))]
        };
        lexicon::OPPOSITES.iter().flat_map(both).collect()
    });
    pairs.contains(&(a.to_owned(), b.to_owned()))
}

/// Cuts inflection and the commonest derivations; crude, but the same for both sides.
pub(crate) fn stem(word: &str) -> String {
    const ENDINGS: [&str; 21] = [
        "izations", "isations", "ization", "isation", "ations", "ation", "ments", "ment", "ities", "ity",
        "ings", "ing", "ions", "ion", "ers", "ed", "er", "ly", "es", "al", "s",
    ];
    let mut word = word.to_lowercase();
    if let Some((_, plain)) = lexicon::IRREGULAR.iter().find(|(form, _)| *form == word) {
        word = (*plain).to_owned();
    }
    if word.len() > 4 && word.ends_with("ies") {
        word.truncate(word.len() - 3);
        word.push('y');
    }
    for ending in ENDINGS {
        if let Some(rest) = word.strip_suffix(ending)
            && rest.len() >= if matches!(ending, "s" | "es" | "ed" | "ing") { 3 } else { 4 }
            && !(ending == "s" && rest.ends_with('s'))
        {
            let mut rest = rest.to_owned();
            // `dropped` and `drop` meet.
            let bytes = rest.as_bytes();
            if matches!(ending, "ed" | "ing" | "er" | "ers")
                && bytes.len() > 3
                && bytes[bytes.len() - 1] == bytes[bytes.len() - 2]
                && !matches!(bytes[bytes.len() - 1], b's' | b'l')
            {
                rest.pop();
            }
            word = rest;
            break;
        }
    }
    for ending in ["iz", "is", "e", "y", "i"] {
        if let Some(rest) = word.strip_suffix(ending)
            && rest.len() >= 4 - usize::from(ending == "e")
        {
            return rest.to_owned();
        }
    }
    word
}
