//! What people correct in their own last words: "sorry, I meant brass, not iron".

use lore_core::Candidate;

use super::begins_with_verb;
use crate::extract::terms::number_word;

/// A correction has few words; more say something of their own.
const WORDS: usize = 14;
/// What is put in, or taken out, has at most so many.
const VALUE: usize = 5;

/// Words with which somebody takes up what they said a moment ago.
const LEADS: [&str; 22] = [
    "sorry",
    "oops",
    "ups",
    "wait",
    "no",
    "ah",
    "oh",
    "actually",
    "correction",
    "pardon",
    "hm",
    "quatsch",
    "moment",
    "nein",
    "korrektur",
    "perdón",
    "perdona",
    "désolé",
    "désolée",
    "scusa",
    "scusate",
    "desculpa",
];
/// Those among them that also open an answer to somebody else.
const WEAK: [&str; 8] = ["no", "ah", "oh", "actually", "hm", "moment", "nein", "wait"];
/// Words behind which stands what was meant.
const MEANT: [&str; 19] = [
    "i meant to say",
    "i meant",
    "i mean",
    "i was wrong",
    "i got that wrong",
    "make that",
    "make it",
    "that should be",
    "it should be",
    "should have been",
    "ich meinte",
    "ich meine",
    "quise decir",
    "quería decir",
    "je voulais dire",
    "quis dizer",
    "queria dizer",
    "volevo dire",
    "intendevo",
];
/// Words between what is put in and what is taken out.
const INSTEAD: [&str; 10] =
    ["instead of", "rather than", "and not", "not", "und nicht", "nicht", "y no", "pas", "não", "non"];

/// What is taken back: rules and the like, by the words for them.
pub(crate) const RULES: [&str; 12] = [
    "rule",
    "rules",
    "decision",
    "convention",
    "policy",
    "requirement",
    "ban",
    "note",
    "agreement",
    "guideline",
    "regel",
    "entscheidung",
];
/// Words by which a rule is given up that is named before what it is: "drop the lamp rule".
pub(crate) const DROPS: [&str; 15] = [
    "forget",
    "scratch",
    "scrap",
    "disregard",
    "ignore",
    "strike",
    "withdraw",
    "drop",
    "cancel",
    "revoke",
    "retract",
    "abandon",
    "streich",
    "streiche",
    "vergiss",
];

/// What takes the place of what in somebody's own last words.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Amendment {
    /// What was said by mistake; nothing where it is the one number that was said.
    old: Option<Vec<String>>,
    new: Vec<String>,
}

impl Amendment {
    /// Reads a message that corrects what its author said just before, and says nothing else.
    pub(super) fn read(text: &str) -> Option<Amendment> {
        let text = text.trim();
        let words: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        if words.len() > WORDS || text.contains(['?', '\n']) {
            return None;
        }
        let led = words.iter().take_while(|word| LEADS.contains(&bare(word).as_str())).count();
        let firm = words[..led].iter().any(|word| !WEAK.contains(&bare(word).as_str()));
        let rest = &words[led..];
        let before = MEANT.iter().find_map(|meant| opens(rest, meant));
        let behind = MEANT.iter().find_map(|meant| {
            let length = meant.split(' ').count();
            let at = rest.len().checked_sub(length).filter(|at| *at > 0)?;
            opens(&rest[at..], meant).map(|_| at)
        });
        let (meant, rest) = match (before, behind) {
            (Some(length), _) => (true, &rest[length..]),
            (None, Some(at)) => (true, &rest[..at]),
            (None, None) => (false, rest),
        };
        if !meant && !firm || rest.is_empty() {
            return None;
        }
        let parted = (1..rest.len()).find_map(|at| {
            let length = INSTEAD.iter().find_map(|instead| opens(&rest[at..], instead))?;
            Some((&rest[..at], &rest[at + length..]))
        });
        let of = |words: &[String]| words.iter().map(|word| trimmed(word).to_owned()).collect::<Vec<_>>();
        match parted {
            Some((new, old)) => {
                let fits = |words: &[String]| (1..=VALUE).contains(&words.len());
                let is_value = fits(new) && fits(old) && !begins_with_verb(&new.join(" "));
                is_value.then(|| Amendment { old: Some(of(old)), new: of(new) })
            }
            None => (rest.len() <= 2 && is_number(&rest[0])).then(|| Amendment { old: None, new: of(rest) }),
        }
    }

    /// Says something again as it was meant; nothing where the correction is not about it.
    pub(super) fn apply(&self, said: &str) -> Option<String> {
        let words: Vec<&str> = said.split_whitespace().collect();
        let (from, length) = match &self.old {
            Some(old) => {
                let stands = |at: &usize| {
                    let here = words[*at..].iter().take(old.len());
                    here.len() == old.len() && here.zip(old).all(|(a, b)| bare(a) == bare(b))
                };
                (only((0..words.len()).filter(stands))?, old.len())
            }
            None => {
                let at = only((0..words.len()).filter(|at| is_number(words[*at])))?;
                let unit = words.get(at + 1).map(|word| bare(word));
                match self.new.get(1).map(|word| bare(word)) {
                    None => (at, 1),
                    Some(of) if unit.as_ref().is_some_and(|unit| root(unit) == root(&of)) => (at, 2),
                    Some(_) => return None,
                }
            }
        };
        let last = words[from + length - 1];
        let tail = &last[last
            .rfind(char::is_alphanumeric)
            .map_or(0, |at| at + last[at..].chars().next().map_or(1, char::len_utf8))..];
        let put = format!("{}{tail}", self.new.join(" "));
        let all =
            words[..from].iter().copied().chain([put.as_str()]).chain(words[from + length..].iter().copied());
        Some(all.collect::<Vec<_>>().join(" "))
    }

    /// Corrects what was laid down just before; tells whether anything was.
    pub(super) fn correct(&self, laid_down: &mut [Candidate], by: &lore_core::Evidence) -> bool {
        let mut any = false;
        for candidate in laid_down {
            let Some(text) = self.apply(&candidate.text) else { continue };
            candidate.title = self.apply(&candidate.title).unwrap_or_else(|| candidate.title.clone());
            candidate.text = text;
            candidate.evidence.push(by.clone());
            candidate.at = by.at.or(candidate.at);
            any = true;
        }
        any
    }
}

/// "Scrap the lamp rule": somebody takes back a rule by the word for it.
pub(super) fn takes_back_a_rule(body: &str) -> bool {
    let words: Vec<String> = body.split_whitespace().map(bare).collect();
    words.len() > 2
        && words.len() <= WORDS
        && words.first().is_some_and(|word| DROPS.contains(&word.as_str()))
        && words[1..].iter().any(|word| RULES.contains(&word.as_str()))
}

fn opens(words: &[String], phrase: &str) -> Option<usize> {
    let length = phrase.split(' ').count();
    let stands =
        words.len() >= length && words.iter().zip(phrase.split(' ')).all(|(word, own)| bare(word) == own);
    stands.then_some(length)
}

fn only(mut found: impl Iterator<Item = usize>) -> Option<usize> {
    found.next().filter(|_| found.next().is_none())
}

fn is_number(word: &str) -> bool {
    let word = bare(word);
    word.starts_with(|c: char| c.is_ascii_digit()) || number_word(&word).is_some()
}

/// "Year" and "years" are one unit.
fn root(word: &str) -> &str {
    word.strip_suffix('s').unwrap_or(word)
}

fn trimmed(word: &str) -> &str {
    word.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '/' | '@' | '%' | '€' | '$'))
}

fn bare(word: &str) -> String {
    trimmed(word).to_lowercase().replace('’', "'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_correct_their_own_last_words() {
        let check = |said: &str, then: &str, expected: Option<&str>| {
            let meant = Amendment::read(then).and_then(|amendment| amendment.apply(said));
            assert_eq!(meant.as_deref(), expected, "{said} / {then}");
        };
        let ropes = "Ropes are sold in yards.";
        check(ropes, "Sorry, I meant metres, not yards.", Some("Ropes are sold in metres."));
        check(ropes, "oops, metres instead of yards", Some("Ropes are sold in metres."));
        check(ropes, "ich meinte Meter, nicht yards", Some("Ropes are sold in Meter."));
        check("Lamps burn for two nights.", "Make that three nights.", Some("Lamps burn for three nights."));
        check("The bell rings 900 times a day.", "I was wrong, 800", Some("The bell rings 800 times a day."));
        check("A berth has eight digits.", "Oops, nine digits I mean", Some("A berth has nine digits."));
        // What is about something else, or an order of its own, corrects nothing.
        check(ropes, "Sorry, I meant brass, not iron.", None);
        check(ropes, "no, use metres, not yards", None);
        check(ropes, "sorry, can you use metres, not yards?", None);
        check("Lamps burn for two nights.", "make that three boats", None);
        check("Two lamps burn for two nights.", "make that three nights", None);
        check(ropes, "now count the ropes", None);
    }
}
