//! How near two statements are by what their words mean: "attachments" and "uploads" share no letter.

use std::rc::Rc;

use lore_core::meaning::{KnownWord, Vocabulary};

type Word = (String, Rc<KnownWord>);

/// The words of a statement that say what it is about, with what they mean.
#[derive(Debug, Default)]
pub(crate) struct Meaning {
    words: Vec<Word>,
    /// The meaning of all of them together, of length one; empty where none is known.
    all: Vec<f32>,
}

/// A number says nothing about what a statement is about, and is compared as one.
fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

impl Meaning {
    /// Looks up the words of a statement.
    pub(crate) fn of(said: &[String], vocabulary: &Vocabulary) -> Meaning {
        let mut words: Vec<Word> = Vec::new();
        for word in said {
            let is_new = words.iter().all(|(other, _)| other != word);
            let known = vocabulary.look_up(word);
            if is_new && known.tells > 0.0 && !is_number(word) {
                words.push((word.clone(), known));
            }
        }
        let mut all: Vec<f32> = Vec::new();
        for (_, known) in &words {
            all.resize(all.len().max(known.vector.len()), 0.0);
            for (sum, value) in all.iter_mut().zip(&known.vector) {
                *sum += known.tells as f32 * value;
            }
        }
        let length = all.iter().map(|value| value * value).sum::<f32>().sqrt();
        if length > 0.0 {
            all.iter_mut().for_each(|value| *value /= length);
        }
        Meaning { words, all }
    }
}

fn likeness(a: &[f32], b: &[f32]) -> f64 {
    f64::from(a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>()).max(0.0)
}

/// How near two statements are, each between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kinship {
    /// What they say as a whole.
    whole: f64,
    /// How much of the known one finds its like in the arriving one …
    of_known: f64,
    /// … and the other way round.
    of_arriving: f64,
    /// The best like of a word that tells.
    best: f64,
    /// How alike the words are of which neither finds its like in the other.
    rest: f64,
}

/// Words that are this alike stand for one another.
const ALIKE: f64 = 0.6;

impl Kinship {
    /// Compares two statements.
    pub(crate) fn between(known: &Meaning, arriving: &Meaning) -> Kinship {
        let likeness = |(word, a): &Word, (other, b): &Word| {
            if word == other { 1.0 } else { likeness(&a.vector, &b.vector) }
        };
        let table: Vec<Vec<f64>> = known
            .words
            .iter()
            .map(|word| arriving.words.iter().map(|other| likeness(word, other)).collect())
            .collect();
        let row = |at: usize| table[at].iter().copied().fold(0.0, f64::max);
        let column = |at: usize| table.iter().map(|row| row[at]).fold(0.0, f64::max);
        let telling = |(at, (_, known)): (usize, &Word)| row(at) * known.tells.sqrt();
        let mut rest = 0.0_f64;
        for (at, cells) in table.iter().enumerate().filter(|(at, _)| row(*at) < ALIKE) {
            for (other, cell) in cells.iter().enumerate().filter(|(other, _)| column(*other) < ALIKE) {
                let tells = known.words[at].1.tells.min(arriving.words[other].1.tells);
                rest = rest.max(cell * tells.sqrt());
            }
        }
        Kinship {
            whole: self::likeness(&known.all, &arriving.all),
            of_known: share(&known.words, row),
            of_arriving: share(&arriving.words, column),
            best: known.words.iter().enumerate().map(telling).fold(0.0, f64::max),
            rest,
        }
    }

    /// Returns how near they are, as one number.
    pub fn nearness(&self) -> f64 {
        self.whole.max(f64::midpoint(self.of_known, self.of_arriving))
    }

    /// Lists what was measured, by name.
    pub(crate) fn measures(&self) -> [(&'static str, f64); 6] {
        [
            ("whole", self.whole),
            ("of known", self.of_known),
            ("of arriving", self.of_arriving),
            ("of both", self.of_known.min(self.of_arriving)),
            ("best", self.best),
            ("rest", self.rest),
        ]
    }
}

/// Returns how much of what the words tell is found, word by word.
fn share(words: &[Word], found: impl Fn(usize) -> f64) -> f64 {
    let all: f64 = words.iter().map(|(_, known)| known.tells).sum();
    let told: f64 = words.iter().enumerate().map(|(at, (_, known))| known.tells * found(at)).sum();
    if all > 0.0 { told / all } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::super::slot::plain_words;
    use super::*;

    fn kinship(known: &str, arriving: &str) -> Kinship {
        let vocabulary = Vocabulary::default();
        let meaning = |text: &str| Meaning::of(&plain_words(text), &vocabulary);
        Kinship::between(&meaning(known), &meaning(arriving))
    }

    #[test]
    fn other_words_for_one_thing_are_near() {
        let attachments = "Attachments may weigh 5 MB.";
        let near = kinship(attachments, "people can upload files of 20 MB each");
        let far = kinship(attachments, "the choir rehearses in the church");
        assert!(near.nearness() > far.nearness() + 0.15, "{near:?} {far:?}");
    }

    #[test]
    fn what_says_nothing_is_near_nothing() {
        let none = kinship("", "12 34");
        assert_eq!(none, kinship("", ""));
        assert!(none.nearness() <= 0.0);
    }
}
