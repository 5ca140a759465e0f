//! What a text must hold to answer a question: somebody for "who", money for "what does it cost".
//!
//! A text about the same thing that holds nothing of the sort is near, and no answer. Only plain signs count; what a
//! question asks for in other ways demands nothing.

use std::collections::HashSet;

use lore_core::meaning::Vocabulary;
use lore_core::words::{Commonness, is_number_word};

use crate::bounds::lie_elsewhere;
use crate::token::tokens;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Demand {
    Somebody,
    Money,
    Count,
    Span,
    Day,
    Weight,
    Colour,
    Place,
}

const PEOPLE: &str = "everyone|everybody|anyone|anybody|nobody|someone|somebody|person|people|team|staff|crew|owner|\
    maintainer|admin|administrator|manager|lead|boss|customer|user|client|agent|developer|reviewer|engineer|\
    author|operator|group|company|supplier|vendor|contractor|office|department|committee|board|bot|service|\
    job|worker|workflow|pipeline|hook|ci|scheduler|script|program|command|server|contributor|guest|student|\
    teacher";
const US: &str = "i|we|you|ich|wir|je|nous|yo|nosotros";
const FREE: &str = "free|gratis|kostenlos|gratuit";
const MONEY: &str = "euro|eur|dollar|usd|cent|franc|chf|pound|gbp|free|price|cost|fee|paid|pay|charge|charged|budget|rate|\
    discount|kostenlos|kostet|preis|gebühr|gratuit|gratis|prix|precio|cuesta|coûte";
const TIMES: &str = "second|minute|min|hour|day|week|month|year|ms|ever|until|till|daily|weekly|monthly|yearly|overnight|\
    sekunden|minuten|stunden|stunde|tage|tag|wochen|monate|jahre|bis|jours|heures|semaines|mois|ans|días|\
    horas|minutos|semanas|meses|años|forever|permanently|never|indefinitely";
const DAYS: &str = "monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|march|april|june|july|august|\
    september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|mon|tue|wed|thu|\
    fri|sat|sun|today|yesterday|tomorrow|weekend|weekday|daily|day|montag|dienstag|mittwoch|donnerstag|\
    freitag|samstag|sonntag|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|\
    jueves|viernes|sábado|domingo";
const WEIGHTS: &str = "kg|kilo|kilogram|g|gram|ton|tonne|lb|pound|ounce|tonnen|gramm";
const COLOURS: &str = "red|green|blue|yellow|orange|purple|violet|pink|brown|black|white|grey|gray|beige|teal|cyan|magenta|\
    turquoise|gold|silver|amber|rot|grün|blau|gelb|lila|rosa|braun|schwarz|weiß|grau|rouge|vert|bleu|jaune|\
    noir|blanc|gris|rojo|verde|azul|amarillo|negro|blanco|dark|light";
/// What says how many beside numbers.
const AMOUNTS: &str = "no|one|dozen|million|billion|both|single|once|twice|pair|ein|eine|einen|un|une|uno|una|all|every|each|unlimited|none|\
    several|many|few";
/// Behind these a number measures and counts nothing.
const MEASURES: &str = "degree|percent|euro|dollars|minute|hour|day|seconds|weeks|months|years|o'clock|am|pm|kg|km|cm|mm|mb|gb|\
    kb|ms|hz|prozent|grad|uhr|january|february|march|april|may|june|july|august|september|october|november|\
    december";
const PLACES: &str = "in|at|on|under|below|above|inside|into|within|behind|near|beside|next|from|to|via|between|through|\
    outside|im|am|auf|bei|unter|vor|hinter|nach|aus|dans|sur|sous|chez|en|desde|hacia|zu";

/// So many words away a number or a person still belongs to a word.
const REACH: usize = 5;
/// So many letters of a name stand for it: Postgres, PostgreSQL.
const BEGINNING: usize = 5;
/// Words of which one stands where another could: what is said of one is not said of the other.
const CONTRASTS: [&str; 15] = [
    "winter|summer|spring|autumn|fall",
    "monday|tuesday|wednesday|thursday|friday|saturday|sunday",
    "january|february|march|april|may|june|july|august|september|october|november|december",
    "north|south|east|west|northern|southern|eastern|western",
    "left|right",
    "first|second|third|last",
    "morning|afternoon|evening|night|day",
    "hourly|daily|weekly|monthly|quarterly|yearly|annual",
    "staging|production|development",
    "internal|external",
    "public|private",
    "inbound|outbound|incoming|outgoing",
    "minimum|maximum",
    "small|medium|large|big",
    "german|french|english|spanish|italian|dutch|portuguese|danish|swedish|norwegian|finnish|czech|hungarian|\
     greek|russian|ukrainian|turkish|arabic|chinese|japanese|korean|austrian|swiss|belgian|british|american|\
     canadian|mexican|brazilian|australian|indian",
];

/// What a question demands of its answer.
pub(crate) struct Demands {
    sorts: Vec<Demand>,
    /// What is asked how many of.
    counted: Option<String>,
    /// Its words, as they are compared.
    words: HashSet<String>,
    /// Words that stand side by side in it: the first tells which of the second is meant.
    pairs: Vec<(Told, Told)>,
    /// Names without which it asks nothing: "Why did we choose Go?"
    names: Vec<String>,
    question: String,
    vocabulary: Vocabulary,
}

/// A word and how it is compared.
struct Told {
    term: String,
    word: String,
}

impl Demands {
    pub(crate) fn of(question: &str) -> Demands {
        let lower = question.to_lowercase();
        let said: Vec<&str> =
            lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let mut sorts = Vec::new();
        let begins = |words: &[&str]| said.starts_with(words);
        let has = |words: &[&str]| said.iter().any(|word| words.contains(word));
        let asks = question.trim_end().ends_with('?');
        if begins(&["who"]) || begins(&["qui"]) || begins(&["quién"]) {
            sorts.push(Demand::Somebody);
        }
        if asks && is_about_cost(&said) {
            sorts.push(Demand::Money);
        }
        if [["which", "day"], ["what", "day"], ["what", "date"], ["which", "date"]]
            .iter()
            .any(|words| begins(words))
        {
            sorts.push(Demand::Day);
        }
        let many = [&["how", "many"][..], &["wie", "viele"], &["combien", "de"], &["cuántos"], &["cuántas"]];
        let counted = many.iter().find(|words| begins(words)).and_then(|words| said.get(words.len()));
        if counted.is_some() {
            sorts.push(Demand::Count);
        }
        if begins(&["how", "long"]) || begins(&["wie", "lange"]) {
            sorts.push(Demand::Span);
        }
        if begins(&["how", "heavy"]) || begins(&["wie", "schwer"]) {
            sorts.push(Demand::Weight);
        }
        if has(&["colour", "color", "farbe", "couleur"]) && has(&["what", "which", "welche", "quelle"]) {
            sorts.push(Demand::Colour);
        }
        if begins(&["where"]) || begins(&["wo"]) {
            sorts.push(Demand::Place);
        }
        let vocabulary = Vocabulary::default();
        let told = told_words(question);
        let words = told.iter().flatten().map(|told| told.term.clone()).collect();
        let mut pairs = Vec::new();
        let mut before: Option<Told> = None;
        for one in told {
            if let (Some(first), Some(second)) = (before.take(), &one) {
                pairs.push((first, Told { term: second.term.clone(), word: second.word.clone() }));
            }
            before = one;
        }
        let names = if is_about_the_past(&said) { names_in(question) } else { Vec::new() };
        let (counted, question) = (counted.map(|word| (*word).to_owned()), question.to_owned());
        Demands { sorts, counted, words, pairs, names, question, vocabulary }
    }

    /// Tells whether a text holds what is asked for, and speaks of no other of the same sort. What was only said in a past
    /// session has to hold it beside what is asked about; an entry is about nothing else.
    pub(crate) fn are_met_by(&self, text: &str, is_entry: bool) -> bool {
        let holds = |sort: &Demand| self.holds(*sort, text) || is_entry && self.holds_somewhere(*sort, text);
        self.sorts.iter().all(holds)
            && self.names.iter().all(|name| words_of(text).any(|word| self.is_name(name, word, is_entry)))
            && !self.speaks_of_another(text)
            && !lie_elsewhere(&self.question, text)
    }

    /// Tells whether a word is a name that is asked about. People write names small; what is also a word of every day
    /// ("go") is then a name only in an entry.
    fn is_name(&self, name: &str, word: &str, is_entry: bool) -> bool {
        let (small, other) = (name.to_lowercase(), word.to_lowercase());
        let begins = || {
            small.len().min(other.len()) >= BEGINNING
                && (small.starts_with(&other) || other.starts_with(&small))
        };
        word == name || (is_entry || self.is_rare(&small)) && (small == other || begins())
    }

    fn is_rare(&self, word: &str) -> bool {
        self.vocabulary.look_up(word).common == Commonness::Rare
    }

    fn holds(&self, sort: Demand, text: &str) -> bool {
        let has = |list: &str| words_of(text).any(|word| is_in(&word.to_lowercase(), list));
        let digits = || text.contains(|c: char| c.is_ascii_digit());
        match sort {
            Demand::Somebody => self.names_somebody(text) || self.somebody_does_it(text),
            Demand::Money => has(MONEY) && (digits() || has(FREE)) || text.contains(['€', '$', '£']),
            Demand::Count => self.counts(text, self.counted.as_deref().unwrap_or_default()),
            Demand::Span => has(TIMES) || has_short_span(text),
            Demand::Day => has(DAYS) || digits(),
            Demand::Weight => has(WEIGHTS),
            Demand::Colour => has(COLOURS) || text.contains('#'),
            Demand::Place => has(PLACES) || text.contains(['/', '`', ':']),
        }
    }

    fn holds_somewhere(&self, sort: Demand, text: &str) -> bool {
        let has = |list: &str| words_of(text).any(|word| is_in(&word.to_lowercase(), list));
        let digits = || text.contains(|c: char| c.is_ascii_digit());
        match sort {
            // "marta approves refunds": whoever types it does not write names large.
            Demand::Somebody => {
                let mut words = words_of(text);
                let first = words.next().is_some_and(|word| !self.is_asked(word));
                has(PEOPLE) || has(US) || first && words.next().is_some_and(|word| self.is_asked(word))
            }
            Demand::Money => has(MONEY) || digits() || words_of(text).any(is_number_word),
            Demand::Count => counts_something(text),
            Demand::Span => digits() || words_of(text).any(is_number_word),
            Demand::Day | Demand::Weight | Demand::Colour | Demand::Place => false,
        }
    }

    /// Tells whether something is named that the question does not name: "Ingrid approves it", "it is approved by Ingrid".
    fn names_somebody(&self, text: &str) -> bool {
        let mut opens = true;
        for word in text.split_whitespace() {
            let plain = word.trim_matches(|c: char| !c.is_alphanumeric());
            let is_large = plain.starts_with(char::is_uppercase) && plain.contains(char::is_lowercase);
            let lower = plain.to_lowercase();
            let is_asked = tokens(plain).iter().any(|token| self.words.contains(&token.term));
            if is_large && !is_asked && (!opens || self.is_rare(&lower)) {
                return true;
            }
            opens = word.ends_with(['.', '!', '?', ':', '\n']);
        }
        text.contains('@')
    }

    /// "I approve every release", "the crew approves it": somebody stands beside what is asked about.
    fn somebody_does_it(&self, text: &str) -> bool {
        let words: Vec<String> = words_of(text).map(str::to_lowercase).collect();
        words.iter().enumerate().any(|(at, word)| {
            let around = &words[at.saturating_sub(REACH)..words.len().min(at + REACH + 1)];
            (is_in(word, US) || is_in(word, PEOPLE)) && around.iter().any(|word| self.is_asked(word))
        })
    }

    fn is_asked(&self, word: &str) -> bool {
        tokens(word).iter().any(|token| self.words.contains(&token.term))
    }

    /// Tells whether a text holds a number that counts something near what is asked about.
    fn counts(&self, text: &str, counted: &str) -> bool {
        let words: Vec<&str> = words_of(text).collect();
        let measured = is_in(counted, TIMES) || is_in(counted, MEASURES);
        let terms = tokens(counted);
        let is_counted =
            |word: &&str| tokens(word).iter().any(|one| terms.iter().any(|other| one.term == other.term));
        words.iter().enumerate().any(|(at, word)| {
            let next = words.get(at + 1).map(|word| word.to_lowercase()).unwrap_or_default();
            let around = &words[at.saturating_sub(REACH)..words.len().min(at + REACH + 1)];
            is_number(word) && (measured || !is_in(&next, MEASURES) && around.iter().any(is_counted))
        })
    }

    /// "The winter timetable" is asked for, and only "the summer timetable" is spoken of.
    fn speaks_of_another(&self, text: &str) -> bool {
        let said = told_words(text);
        let has = |term: &str| said.iter().flatten().any(|told| told.term == term);
        self.pairs.iter().any(|(which, what)| {
            if has(&which.term) || !has(&what.term) {
                return false;
            }
            let before = |at: usize| at.checked_sub(1).and_then(|before| said[before].as_ref());
            let there =
                (0..said.len()).filter(|at| said[*at].as_ref().is_some_and(|told| told.term == what.term));
            let mut others =
                there.map(|at| before(at).filter(|told| !self.words.contains(&told.term))).peekable();
            others.peek().is_some()
                && others.all(|other| other.is_some_and(|other| are_contrasts(&which.word, &other.word)))
        })
    }
}

fn are_contrasts(one: &str, other: &str) -> bool {
    one != other && CONTRASTS.iter().any(|set| is_in(one, set) && is_in(other, set))
}

/// "Why did we choose …", "when did we move from …": what is asked about happened, or nothing answers.
fn is_about_the_past(said: &[&str]) -> bool {
    matches!(
        said,
        ["did", "we" | "you" | "they", ..] | ["why" | "when" | "how", "did", "we" | "you" | "they", ..]
    )
}

/// Lists the words of a question that are names by how they are written; short forms of everything are none.
fn names_in(question: &str) -> Vec<String> {
    let is_name = |word: &&str| {
        let is_large = word.starts_with(char::is_uppercase);
        let is_short_form = word.len() <= 4 && word.chars().all(|c| c.is_uppercase() || c == 's');
        word.len() > 1 && is_large && !is_short_form
    };
    words_of(question).skip(1).filter(is_name).map(str::to_owned).collect()
}

/// "What does it cost" and "how much are the costs"; not "which cost limits are there".
fn is_about_cost(said: &[&str]) -> bool {
    let first = said.first().copied().unwrap_or_default();
    let ends = said.last().is_some_and(|word| is_in(word, "cost|costs|kosten|kostet|coûte|cuesta|cuestan"));
    let priced =
        said.iter().take(5).any(|word| matches!(*word, "price" | "fee" | "preis" | "prix" | "precio"));
    (ends || priced)
        && matches!(first, "what" | "how" | "was" | "wie" | "combien" | "cuánto" | "quel" | "welcher" | "qué")
        || matches!(
            said,
            ["was" | "wie", "kostet" | "kosten", ..]
                | ["combien", "coûte", ..]
                | ["cuánto", "cuesta" | "cuestan", ..]
        )
}

/// Tells whether a text holds a number that measures nothing, so that it may count something.
fn counts_something(text: &str) -> bool {
    let words: Vec<&str> = words_of(text).collect();
    words.iter().enumerate().any(|(at, word)| {
        let next = words.get(at + 1).map(|word| word.to_lowercase()).unwrap_or_default();
        is_number(word) && !is_in(&next, MEASURES)
    })
}

/// Tells whether a word is a number, in digits or letters, and no year.
fn is_number(word: &str) -> bool {
    let lower = word.to_lowercase();
    let is_year = lower.len() == 4 && (lower.starts_with("19") || lower.starts_with("20"));
    (lower.starts_with(|c: char| c.is_ascii_digit()) || is_number_word(&lower) || is_in(&lower, AMOUNTS))
        && !is_year
}

/// "30s", "24h": a number with the letter of its unit.
fn has_short_span(text: &str) -> bool {
    words_of(text).any(|word| {
        let unit = word.trim_start_matches(|c: char| c.is_ascii_digit());
        unit.len() < word.len() && is_in(unit, "s|m|h|d|w|ms|sec|min|hr|hrs")
    })
}

/// Lists the words of a text in order; where one tells nothing there is a gap.
fn told_words(text: &str) -> Vec<Option<Told>> {
    let mut out = Vec::new();
    for word in text.split_whitespace() {
        let plain = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
        let is_plain = plain.chars().all(char::is_alphabetic) && !lore_core::words::is_stop_word(&plain);
        let term = tokens(&plain).into_iter().next().map(|token| token.term).filter(|_| is_plain);
        out.push(term.map(|term| Told { term, word: plain }));
        if word.ends_with([',', '.', ';', ':', '!', '?']) {
            out.push(None);
        }
    }
    out
}

fn words_of(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty())
}

/// Tells whether a word is in a list, alone or as several of it: Thursday, Thursdays.
fn is_in(word: &str, list: &str) -> bool {
    list.split('|').map(str::trim).any(|one| one == word || word.strip_suffix('s') == Some(one))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(question: &str, text: &str, expected: bool) {
        assert_eq!(Demands::of(question).are_met_by(text, false), expected, "{question} {text}");
    }

    #[test]
    fn an_entry_need_not_say_it_beside_what_is_asked_about() {
        let met = |question: &str, text: &str| Demands::of(question).are_met_by(text, true);
        assert!(met("How many reviewers does a change need?", "Every change gets two approvals."));
        assert!(met("What does a night cost?", "Single rooms are 80 in winter."));
        assert!(met("Who approves refunds?", "marta approves all refunds"));
        assert!(met("How long do sessions last?", "Sessions never expire."));
        for many in ["14", "fourteen", "nineteen", "ninety", "vierzehn"] {
            assert!(met("How many ropes does a berth need?", &format!("Berths need at least {many} ropes.")));
            assert!(met("How long must a rope be?", &format!("Ropes have at least {many} fathoms.")));
        }
        assert!(met("Why did we pick Rust?", "we picked rust because it starts fast"));
        assert!(met("Why did we leave Postgres?", "We left PostgreSQL because nobody could run it."));
        assert!(!met("How many lots are in the vault?", "The vault is kept at minus 18 degrees."));
        assert!(!met("Who approves refunds?", "Refunds are paid to the card that was used."));
    }

    #[test]
    fn who_is_answered_by_somebody() {
        check("Who approves refunds?", "Refunds are paid to the card that was used.", false);
        check("Who approves refunds?", "Ingrid approves every refund.", true);
        check("Who approves refunds?", "Refunds are approved by Ingrid.", true);
        check("Who approves refunds?", "The night crew approves refunds.", true);
        check("Who runs the Lyon warehouse?", "The warehouse in Lyon holds LED walls.", false);
    }

    #[test]
    fn what_is_measured_is_answered_in_its_measure() {
        check(
            "What does a germination test cost?",
            "Every lot gets a germination test every five years.",
            false,
        );
        check("What does a test cost?", "A test is 12 euros.", true);
        check("Which cost limits are there?", "A run stops at 40 calls.", true);
        check("How many lots are in the vault?", "The vault is kept at minus 18 degrees.", false);
        check("How many lots are in the vault?", "The vault holds 300 lots.", true);
        check("How many lots are in the vault?", "Rules for the vault: lots are checked by two.", true);
        check("How many people use the vault?", "Use vault 3 for seeds.", false);
        check("How many minutes before departure?", "The gate closes 10 minutes before.", true);
        check("How heavy is a hoist?", "Hoists are inspected once a year.", false);
        check("What colour do the scanners have?", "The scanners run Android 11.", false);
        check("Where are the ramps serviced?", "Boarding closes early, because the ramp needs time.", false);
        check("Where are the ramps serviced?", "Ramps are serviced in Bergen.", true);
    }

    #[test]
    fn what_is_asked_to_have_happened_is_named() {
        check("Why did we choose Go for the engine?", "I'm going to reuse that engine.", false);
        check("Why did we choose Go for the engine?", "Go, because the engine has to start fast.", true);
        check("Did we decide to rewrite the CLI in Rust?", "The rewrite of that part waits.", false);
        check("Which day was the site published?", "The site is published from a branch.", false);
        check("Which day was the site published?", "It was published on Friday.", true);
        check("Which day do we release?", "Releases happen on Thursdays.", true);
        check("How long are logs kept?", "Logs are kept under `logs/2`.", false);
        check("How long are logs kept?", "Logs are kept for 30d.", true);
        check("What price will the paid plan have?", "The plan is to write a test.", false);
    }

    #[test]
    fn another_of_the_same_sort_is_no_answer() {
        let summer = "The summer timetable has to be ready by 15 April.";
        check("When does the winter timetable have to be ready?", summer, false);
        check("When does the summer timetable have to be ready?", summer, true);
        check("When does the timetable have to be ready?", summer, true);
        check("When is the printed timetable ready?", summer, true);
        let danish = "The Danish ferry has two decks.";
        check("What does the Greek ferry have?", danish, false);
        check("What does the Danish ferry have?", danish, true);
        check("What do sailors over 60 wear?", "Sailors under 20 wear a scarf.", false);
        check("Why did we choose Rust?", "We chose Rust because it starts fast.", true);
    }
}
