//! Sentences that take something back and say nothing else: "forget the rule about the pier".

use std::collections::BTreeSet;

use super::foreign;
use super::slot::plain_words;
use super::token::{is_stop, stem};
use super::told::taken_back;
use crate::ruling::{DROPS, Language, RULES};

/// Words behind which stands what is taken back, each with the verbs before them.
const OPENINGS: [(&[&str], &[&str]); 7] = [
    (&["forget", "disregard"], &["that", "about"]),
    (
        &["vergiss", "vergesst", "streich", "streiche"],
        &[
            "dass",
            "das mit",
            "die sache mit",
            "die regel mit",
            "die regel zu",
            "die regel zum",
            "die regel zur",
            "die regel über",
            "die regel von",
            "die regel für",
            "die regel dass",
            "die regel",
            "was ich über",
            "was ich zu",
        ],
    ),
    (
        &["oublie", "oubliez", "oublions"],
        &[
            "que",
            "la règle de",
            "la règle du",
            "la règle des",
            "la règle sur",
            "la règle que",
            "la règle",
            "ce que j'ai dit sur",
            "ce que j'ai dit de",
        ],
    ),
    (
        &["olvida", "olvide", "olvidad", "olviden"],
        &[
            "que",
            "lo de",
            "lo del",
            "la regla de",
            "la regla del",
            "la regla sobre",
            "la regla",
            "lo que dije sobre",
            "lo que dije de",
        ],
    ),
    (
        &["esquece", "esqueça", "esqueçam"],
        &["que", "a regra de", "a regra do", "a regra da", "a regra sobre", "o que eu disse sobre"],
    ),
    (
        &["dimentica", "dimenticate"],
        &[
            "che",
            "la regola di",
            "la regola su",
            "la regola sul",
            "la regola sulla",
            "quello che ho detto su",
        ],
    ),
    (&["vergeet"], &["dat", "de regel over", "de regel van", "de regel voor", "wat ik zei over"]),
];
/// What stands before, or behind, something that is said to be so no more.
const NO_LONGER_TRUE: [&str; 10] = [
    "it is no longer true that",
    "it's no longer true that",
    "it is not true anymore that",
    "it's not true anymore that",
    "es ist nicht mehr wahr dass",
    "es stimmt nicht mehr dass",
    "il n'est plus vrai que",
    "ce n'est plus vrai que",
    "ya no es cierto que",
    "ya no es verdad que",
];
const IS_OVER: [&str; 8] = [
    "is no longer true",
    "are no longer true",
    "is not true anymore",
    "isn't true anymore",
    "ist nicht mehr wahr",
    "stimmt nicht mehr",
    "n'est plus vrai",
    "ya no es cierto",
];
/// Words that only lead to the sentence.
const LEADS: [&str; 8] = ["ok", "okay", "actually", "please", "and", "bitte", "also", "por"];
/// So much of what is named has to be in a statement for it to be the one that is meant.
const MEANT: f64 = 0.6;

/// What somebody takes back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Withdrawal {
    /// What it is about, as it was said.
    pub topic: String,
    stems: BTreeSet<String>,
}

impl Withdrawal {
    /// Reads a sentence that takes something back and says nothing else.
    pub fn read(text: &str) -> Option<Withdrawal> {
        let text = text.trim().trim_end_matches(['.', '!']);
        let (first, rest) = text.split_once(' ')?;
        // "Vergiss, dass …" goes on; "…, it is twelve" says something else.
        let rest = rest.replace(", dass ", " dass ").replace(", dat ", " dat ");
        let goes_on = |mark: &str| rest.contains(mark);
        if [", ", "; ", ": ", ". "].into_iter().any(goes_on) || first.ends_with([':', ';', '.']) {
            return None;
        }
        let words = plain_words(&format!("{first} {rest}"));
        let words: Vec<&str> =
            words.iter().map(String::as_str).skip_while(|word| LEADS.contains(word)).collect();
        let topic = topic(&words)?;
        let language = Language::of(text);
        let tells = |word: &&str| {
            let counts = word.starts_with(|c: char| c.is_ascii_digit());
            let small = is_stop(word)
                || word.chars().count() < 3
                || matches!(*word, "being" | "said" | "gesagt" | "habe");
            counts || !small && !RULES.contains(word) && foreign::english(language, word).is_none()
        };
        let stems: BTreeSet<String> = topic.iter().copied().filter(tells).map(stem).collect();
        (!stems.is_empty()).then(|| Withdrawal { topic: topic.join(" "), stems })
    }

    /// Returns how much of what is taken back a statement holds, 0 where it is not the one that is meant.
    pub fn fit(&self, said: &str) -> f64 {
        let said: BTreeSet<String> = plain_words(said).iter().map(|word| stem(word)).collect();
        let share = self.stems.intersection(&said).count() as f64 / self.stems.len() as f64;
        if share >= MEANT { share } else { 0.0 }
    }
}

/// Returns the words that say what is taken back.
fn topic<'w>(words: &[&'w str]) -> Option<Vec<&'w str>> {
    let owned: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
    if let Some(rest) = taken_back(&owned) {
        return Some(words[words.len() - rest.len()..].to_vec());
    }
    let behind = |opening: &str| -> Option<Vec<&'w str>> {
        let size = opening.split(' ').count();
        let opens = words.len() > size && opening.split(' ').zip(words).all(|(a, b)| a == *b);
        opens.then(|| words[size..].to_vec())
    };
    let before = |closing: &str| -> Option<Vec<&'w str>> {
        let at = words.len().checked_sub(closing.split(' ').count()).filter(|at| *at > 0)?;
        let closes = closing.split(' ').zip(&words[at..]).all(|(a, b)| a == *b);
        closes.then(|| words[..at].to_vec())
    };
    let opened = OPENINGS.iter().flat_map(|(verbs, joints)| {
        verbs.iter().flat_map(move |verb| joints.iter().map(move |joint| format!("{verb} {joint}")))
    });
    opened
        .filter_map(|opening| behind(&opening))
        .min_by_key(Vec::len)
        .or_else(|| NO_LONGER_TRUE.iter().find_map(|opening| behind(opening)))
        .or_else(|| IS_OVER.iter().find_map(|closing| before(closing)))
        .or_else(|| ended_rule(words))
        .or_else(|| dropped_rule(words))
}

/// "The rule about lamps is void", "our ban on lamps no longer applies".
fn ended_rule<'w>(words: &[&'w str]) -> Option<Vec<&'w str>> {
    const ENDS: [&[&str]; 13] = [
        &["is", "void"],
        &["is", "gone"],
        &["is", "off"],
        &["is", "dead"],
        &["is", "obsolete"],
        &["is", "history"],
        &["is", "cancelled"],
        &["is", "canceled"],
        &["is", "over"],
        &["is", "lifted"],
        &["is", "withdrawn"],
        &["no", "longer", "applies"],
        &["no", "longer", "holds"],
    ];
    let rest = words
        .strip_prefix(&["the"])
        .or_else(|| words.strip_prefix(&["our"]))
        .or_else(|| words.strip_prefix(&["my"]))?;
    let rest = ENDS.iter().find_map(|end| rest.strip_suffix(*end))?;
    let (first, topic) = rest.split_first()?;
    (RULES.contains(first) && topic.len() > 1).then(|| topic.to_vec())
}

/// "Drop the lamp rule", "scrap our rule on lamps".
fn dropped_rule<'w>(words: &[&'w str]) -> Option<Vec<&'w str>> {
    let (verb, rest) = words.split_first()?;
    let (article, rest) = rest.split_first()?;
    let names_a_rule = rest.last().is_some_and(|word| RULES.contains(word))
        || rest.first().is_some_and(|word| RULES.contains(word)) && rest.len() > 2;
    let is_article = matches!(*article, "the" | "our" | "my" | "this" | "that" | "die" | "unsere");
    (DROPS.contains(verb) && is_article && names_a_rule).then(|| rest.to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_back_is_named() {
        let known = "Pier logs are kept for 7 years.";
        for text in [
            "Forget that pier logs are kept for 7 years.",
            "Forget about the pier logs.",
            "Pier logs being kept for 7 years is no longer true.",
            "It's no longer true that pier logs are kept for 7 years.",
            "Drop the pier log rule.",
            "Scrap the rule about pier logs.",
            "Scrap our policy on pier logs.",
            "Forget the rule about pier logs.",
            "The rule about pier logs is void.",
            "Our policy on pier logs no longer applies.",
        ] {
            let read = Withdrawal::read(text);
            assert!(read.as_ref().is_some_and(|read| read.fit(known) >= 1.0), "{text}: {read:?}");
        }
        for (known, text) in [
            ("Die Lampen brennen bis 22 Uhr.", "Vergiss die Regel mit den Lampen."),
            ("Die Lampen brennen bis 22 Uhr.", "Vergiss, dass die Lampen bis 22 Uhr brennen."),
            ("Les lampes restent allumées la nuit.", "Oublie la règle des lampes."),
            ("Las lámparas se apagan a las 22.", "Olvida lo de las lámparas."),
        ] {
            let read = Withdrawal::read(text);
            assert!(read.as_ref().is_some_and(|read| read.fit(known) >= 1.0), "{text}: {read:?}");
        }
        let other = Withdrawal::read("Forget the rule about pier logs.").expect("it takes something back");
        assert!(other.fit("The crane lifts 5 tons.") <= 0.0);
    }

    #[test]
    fn what_says_something_is_kept() {
        for text in [
            "Scratch that about berth 9, it is 12.",
            "Ignore the warnings of the crane.",
            "Drop the table of tides.",
            "Ignore that lamp.",
            "The ban is over.",
            "Never forget that pilots are on board.",
        ] {
            assert_eq!(Withdrawal::read(text), None, "{text}");
        }
    }
}
