//! The outline of a sentence beside another: what both have as only that, so that "forget the ferry" and "forget the
//! lift" read alike wherever the other spoke of the ferry or of the lift.

use std::collections::BTreeSet;

use super::lexicon::{self, Class};
use super::token::{Token, is_stop, stem, tokens};

/// Stands for words that both sentences have.
const SHARED: &str = "=";
/// Stands for words that the other has not.
const OWN: &str = "+";
/// Stands for a number that the other has not.
const NUMBER: &str = "#";
/// Stands for the end of a clause.
const BREAK: &str = ",";
/// Runs of so many parts are looked at.
const RUNS: std::ops::RangeInclusive<usize> = 2..=4;
/// So many words of two sentences make them speak of one thing.
const SAME_SUBJECT: usize = 3;
/// More turns between what is shared and what is not are not told apart.
const TURNS: usize = 6;

/// A word of a sentence, or the end of a clause.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Break,
    /// A word that does the work of grammar, or announces a change.
    Small(String),
    /// A word that says something of a subject.
    Telling {
        word: String,
        stem: String,
    },
}

/// The parts of a sentence in order.
#[derive(Debug, Clone, Default)]
pub(crate) struct Outline(Vec<Part>);

impl Outline {
    /// Takes a sentence apart.
    pub(crate) fn of(text: &str) -> Outline {
        let part = |token: Token| match token {
            Token::Break => Part::Break,
            Token::Mark { word, .. } if is_small(&word) => Part::Small(word),
            Token::Mark { word, .. } => {
                let word = word.to_lowercase();
                Part::Telling { stem: stem(&word), word }
            }
        };
        Outline(tokens(text).into_iter().map(part).collect())
    }

    /// Lists what is seen of a sentence that arrives beside one that is known.
    pub(crate) fn seen(known: &Outline, arriving: &Outline) -> Vec<String> {
        let (of_known, of_arriving) = (known.stems(), arriving.stems());
        let mut out: BTreeSet<String> = BTreeSet::new();
        arriving.runs(&of_known, "arrives", &mut out);
        known.runs(&of_arriving, "known", &mut out);
        let turns = |outline: &Outline, other: &BTreeSet<&str>| {
            let mut marks: Vec<&str> =
                outline.telling().map(|stem| if other.contains(stem) { SHARED } else { OWN }).collect();
            marks.dedup();
            marks.truncate(TURNS);
            marks.concat()
        };
        out.insert(format!("turns known {}", turns(known, &of_arriving)));
        out.insert(format!("turns arriving {}", turns(arriving, &of_known)));
        let is_shared = |stem: Option<&str>| stem.is_some_and(|stem| of_arriving.contains(stem));
        out.insert(format!("known begins {}", is_shared(known.telling().next())));
        out.insert(format!("known ends {}", is_shared(known.telling().last())));
        let shared = of_known.intersection(&of_arriving).count();
        out.insert(format!(
            "shares {} of {} and {}",
            shared.min(4),
            of_known.len().min(6),
            of_arriving.len().min(6)
        ));
        out.into_iter().collect()
    }

    /// Tells whether a sentence says of the known subject something else and denies what is known: "the keys hang in the
    /// office, not in the boathouse".
    pub(crate) fn corrects(known: &Outline, arriving: &Outline) -> bool {
        let of_known = known.stems();
        let clauses: Vec<&[Part]> = arriving.0.split(|part| *part == Part::Break).collect();
        let stems = |parts: &[Part]| -> Vec<String> {
            let telling = |part: &Part| match part {
                Part::Telling { stem, .. } => Some(stem.clone()),
                _ => None,
            };
            parts.iter().filter_map(telling).collect()
        };
        let is_known = |stem: &String| of_known.contains(stem.as_str());
        let corrects = |says: &[Part], denies: &[Part]| {
            let Some((Part::Small(first), denied)) = denies.split_first() else { return false };
            let (mut said, denied) = (stems(says), stems(denied));
            // "Correction: the keys hang …": a word that says what follows.
            if said.first().is_some_and(|stem| stem.starts_with("correct")) {
                said.remove(0);
            }
            first == "not"
                && !denied.is_empty()
                && denied.iter().all(|stem| is_known(stem) && !said.contains(stem))
                && said.first().is_some_and(is_known)
                && !said.iter().all(is_known)
        };
        clauses.windows(2).any(|pair| corrects(pair[0], pair[1]))
    }

    /// Tells whether what holds for all holds for some, or the other way round: "guests may enter by every gate", "guests
    /// may enter only by the east gate".
    pub(crate) fn narrows(known: &Outline, arriving: &Outline) -> bool {
        const ALL: [&str; 9] =
            ["every", "all", "any", "each", "always", "everyone", "anyone", "everything", "everybody"];
        const SOME: [&str; 2] = ["only", "solely"];
        let says = |outline: &Outline, words: &[&str]| {
            outline.0.iter().any(|part| matches!(part, Part::Small(word) if words.contains(&word.as_str())))
        };
        let turned = |one: &Outline, other: &Outline| {
            says(one, &ALL) && !says(one, &SOME) && says(other, &SOME) && !says(other, &ALL)
        };
        let (of_known, of_arriving) = (known.stems(), arriving.stems());
        let shared = of_known.intersection(&of_arriving).count();
        let begins_alike = known.telling().next().is_some_and(|stem| arriving.telling().next() == Some(stem));
        (turned(known, arriving) || turned(arriving, known))
            && begins_alike
            && shared >= 2
            && 3 * shared >= 2 * of_known.len()
    }

    /// Tells whether two sentences differ in nothing but the word that each ends with, wherever the others stand: "the lamp
    /// of the pier is called Ada", "on the pier the lamp is called Bea".
    pub(crate) fn revalues(known: &Outline, arriving: &Outline) -> bool {
        let (of_known, of_arriving) = (known.stems(), arriving.stems());
        let only = |these: &BTreeSet<&str>, those: &BTreeSet<&str>, last: Option<&str>| {
            let mut own = these.difference(those);
            own.next().copied() == last && last.is_some() && own.next().is_none()
        };
        let denies = |outline: &Outline| {
            let is = |part: &Part| matches!(part, Part::Small(word) if lexicon::is(word, Class::Negator));
            outline.0.iter().any(is)
        };
        let shared = of_known.intersection(&of_arriving).count();
        shared >= SAME_SUBJECT
            && only(&of_known, &of_arriving, known.telling().last())
            && only(&of_arriving, &of_known, arriving.telling().last())
            && denies(known) == denies(arriving)
    }

    fn telling(&self) -> impl Iterator<Item = &str> {
        self.0.iter().filter_map(|part| match part {
            Part::Telling { stem, .. } => Some(stem.as_str()),
            _ => None,
        })
    }

    fn stems(&self) -> BTreeSet<&str> {
        self.telling().collect()
    }

    /// Adds the runs of parts in which something of a subject stands, once with the words that only this side has and
    /// once with them as only that.
    fn runs(&self, other: &BTreeSet<&str>, name: &str, out: &mut BTreeSet<String>) {
        for with_words in [false, true] {
            let mut parts = vec!["^"];
            for part in &self.0 {
                let told = match part {
                    Part::Break => BREAK,
                    Part::Small(word) => word,
                    Part::Telling { stem, .. } if other.contains(stem.as_str()) => SHARED,
                    Part::Telling { word, .. } if word.starts_with(|c: char| c.is_ascii_digit()) => NUMBER,
                    Part::Telling { word, .. } if with_words => word,
                    Part::Telling { .. } => OWN,
                };
                let goes_on = parts.last() == Some(&told) && [SHARED, OWN].contains(&told);
                if !goes_on {
                    parts.push(told);
                }
            }
            parts.push("$");
            let marks = |run: &&[&str]| run.iter().any(|part| [SHARED, OWN, NUMBER].contains(part));
            let runs = RUNS.flat_map(|size| parts.windows(size));
            out.extend(runs.filter(marks).map(|run| format!("{name} {}", run.join(" "))));
        }
    }
}

/// Words that say nothing of a subject: those of grammar, and those by which a change is told.
fn is_small(word: &str) -> bool {
    const OF_SUBJECTS: u32 =
        Class::Common as u32 | Class::Verb as u32 | Class::Order as u32 | Class::Place as u32;
    is_stop(word) || lexicon::classes_of(word) & !OF_SUBJECTS != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_denies_what_is_known_of_the_same_subject_corrects_it() {
        let corrects =
            |known: &str, arriving: &str| Outline::corrects(&Outline::of(known), &Outline::of(arriving));
        let known = "The keys hang in the boathouse.";
        assert!(corrects(known, "The keys hang on the office wall, not in the boathouse."));
        assert!(corrects(
            "Die Schlüssel hängen im Bootshaus.",
            "Die Schlüssel hängen im Büro, nicht im Bootshaus."
        ));
        assert!(corrects(known, "Correction: the keys hang in the office, not in the boathouse."));
        assert!(corrects(known, "I was wrong: the keys hang in the office, not in the boathouse."));
        assert!(!corrects(known, "The oars lie in the office, not in the boathouse."));
        assert!(!corrects(known, "The keys hang in the boathouse, not in the office."));
        assert!(!corrects(known, "The keys hang on the office wall, not on a rope."));
    }

    #[test]
    fn what_holds_for_all_and_what_holds_for_some_are_at_odds() {
        let narrows =
            |known: &str, arriving: &str| Outline::narrows(&Outline::of(known), &Outline::of(arriving));
        assert!(narrows("Guests may enter by every gate.", "Guests may enter only by the east gate."));
        assert!(narrows("Guests may enter only by the east gate.", "Guests may enter by any gate."));
        assert!(!narrows("Guests may enter by every gate.", "Crews may enter only by the east gate."));
        assert!(!narrows("Guests may enter by the gate.", "Guests may enter only by the east gate."));
    }

    #[test]
    fn another_last_word_is_another_value() {
        let revalues =
            |known: &str, arriving: &str| Outline::revalues(&Outline::of(known), &Outline::of(arriving));
        let known = "the main lamp of the pier is called Ada";
        assert!(revalues(known, "On the pier the main lamp is called Bea."));
        assert!(!revalues(known, "On the quay the main lamp is called Ada."));
        assert!(!revalues(known, "On the pier the main lamp is not called Bea."));
        assert!(!revalues(known, "On the pier the main lamp is called Ada."));
        assert!(!revalues("Boats are painted red.", "Boats are painted green."), "too little in common");
    }

    #[test]
    fn what_both_say_is_only_that() {
        let seen = |known: &str, arriving: &str| Outline::seen(&Outline::of(known), &Outline::of(arriving));
        let has = |known: &str, arriving: &str, run: &str| {
            let seen = seen(known, arriving);
            assert!(seen.iter().any(|one| one == run), "{run} in {seen:?}");
        };
        has("The keys hang in the boathouse.", "not in the boathouse, in the office", "arrives not in the =");
        has("The keys hang in the boathouse.", "the keys: not in the boathouse", "arrives the = $");
        has("The keys hang in the boathouse.", "The keys hang in the office.", "turns known =+");
        has("Wir nutzen Fähren.", "Fähren nicht mehr", "arrives = no-longer");
        has("The boat holds 12 people.", "The boat holds 14 people.", "arrives = # =");
    }
}
