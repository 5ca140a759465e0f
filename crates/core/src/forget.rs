//! Words that are to be forgotten: finding them in any text, and knowing them again without having them.
//!
//! Words are compared one by one, without regard to case and to what stands between them, so that a
//! sentence is found in prose, in a slug, in a path and across line breaks alike. A [`Seal`] keeps
//! only a salted, many times repeated hash of the words and how many there are: whoever reads it
//! cannot read them, but a text that holds them is recognised (by a rolling hash first, so that a
//! long transcript costs little).

use std::ops::Range;

use crate::ContentHash;

/// What is put in the place of forgotten words.
pub const FORGOTTEN: &str = "forgotten";
/// How often the hash of a seal is repeated, so that guessing takes its time.
const ROUNDS: usize = 1000;
/// Multiplies the rolling hash.
const BASE: u64 = 0x0100_0000_01b3;

/// Words to be found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phrase {
    words: Vec<String>,
}

/// Words that can be recognised and not read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Seal {
    /// How many words there are.
    count: usize,
    /// Part of their rolling hash, to pass over nearly everything at once.
    sieve: u16,
    salt: String,
    hash: String,
}

/// Whatever can find words in a text.
pub trait Finds {
    /// Lists where the words stand, in order and apart from each other.
    fn find(&self, text: &str) -> Vec<Range<usize>>;

    /// Tells whether a text has them.
    fn is_in(&self, text: &str) -> bool {
        !self.find(text).is_empty()
    }

    /// Puts other words in their place; nothing where the text has none.
    fn scrub(&self, text: &str, instead: &str) -> Option<String> {
        let found = self.find(text);
        if found.is_empty() {
            return None;
        }
        let mut out = String::with_capacity(text.len());
        let mut end = 0;
        for range in found {
            out.push_str(&text[end..range.start]);
            out.push_str(instead);
            end = range.end;
        }
        out.push_str(&text[end..]);
        Some(out)
    }
}

impl Phrase {
    /// Takes words; nothing where there are none.
    pub fn new(text: &str) -> Option<Phrase> {
        let words: Vec<String> = split(text).into_iter().map(|(_, word)| word).collect();
        (!words.is_empty()).then_some(Phrase { words })
    }

    /// Returns an extended regular expression that finds them, for other programs: whole words, as they are compared.
    pub fn expression(&self) -> String {
        let is_alone = |sign: Option<char>| sign.is_some_and(is_a_word);
        let opens = if is_alone(self.words.first().and_then(|word| word.chars().next())) {
            ""
        } else {
            "(^|[^[:alnum:]])"
        };
        let ends = if is_alone(self.words.last().and_then(|word| word.chars().next_back())) {
            ""
        } else {
            "([^[:alnum:]]|$)"
        };
        format!("{opens}{}{ends}", self.words.join("[^[:alnum:]]+"))
    }

    /// Returns them in the form in which they are compared.
    pub fn plain(&self) -> String {
        self.words.join(" ")
    }

    /// Counts their letters.
    pub fn letters(&self) -> usize {
        self.words.iter().map(|word| word.chars().count()).sum()
    }

    /// Seals them.
    pub fn seal(&self, salt: &str) -> Seal {
        let rolled = self.words.iter().fold(0, |sum, word| roll(sum, one(word)));
        let hash = slow(salt, &self.words);
        Seal { count: self.words.len(), sieve: sieve(rolled), salt: salt.to_owned(), hash }
    }
}

impl Finds for Phrase {
    fn find(&self, text: &str) -> Vec<Range<usize>> {
        let words = split(text);
        let count = self.words.len();
        let mut found: Vec<Range<usize>> = Vec::new();
        let mut at = 0;
        while at + count <= words.len() {
            let fits = words[at..at + count].iter().zip(&self.words).all(|((_, word), own)| word == own);
            if fits {
                found.push(words[at].0.start..words[at + count - 1].0.end);
                at += count;
            } else {
                at += 1;
            }
        }
        found
    }
}

impl Seal {
    /// Writes it on one line.
    pub fn line(&self) -> String {
        format!("{}\t{:04x}\t{}\t{}", self.count, self.sieve, self.salt, self.hash)
    }

    /// Reads it back.
    pub fn parse(line: &str) -> Option<Seal> {
        let mut fields = line.split('\t');
        let count = fields.next()?.parse().ok().filter(|count| (1..=1000).contains(count))?;
        let sieve = u16::from_str_radix(fields.next()?, 16).ok()?;
        let (salt, hash) = (fields.next()?.to_owned(), fields.next()?.to_owned());
        Some(Seal { count, sieve, salt, hash })
    }
}

impl Finds for Seal {
    fn find(&self, text: &str) -> Vec<Range<usize>> {
        let words = split(text);
        if words.len() < self.count {
            return Vec::new();
        }
        let hashes: Vec<u64> = words.iter().map(|(_, word)| one(word)).collect();
        let high = (1..self.count).fold(1u64, |power, _| power.wrapping_mul(BASE));
        let mut rolled = hashes[..self.count].iter().fold(0, |sum, hash| roll(sum, *hash));
        let mut found: Vec<Range<usize>> = Vec::new();
        for at in 0..=words.len() - self.count {
            if at > 0 {
                let without = rolled.wrapping_sub(hashes[at - 1].wrapping_mul(high));
                rolled = roll(without, hashes[at + self.count - 1]);
            }
            let start = words[at].0.start;
            if sieve(rolled) == self.sieve && found.last().is_none_or(|last| last.end <= start) {
                let these: Vec<String> =
                    words[at..at + self.count].iter().map(|(_, word)| word.clone()).collect();
                if slow(&self.salt, &these) == self.hash {
                    found.push(start..words[at + self.count - 1].0.end);
                }
            }
        }
        found
    }
}

/// Splits a text into words in lower case, with where they stand. Where a script has no spaces, every
/// character is a word.
/// Tells whether a sign is a word by itself: some scripts put nothing between words.
fn is_a_word(sign: char) -> bool {
    sign >= '\u{2e80}'
}

fn split(text: &str) -> Vec<(Range<usize>, String)> {
    let mut words: Vec<(Range<usize>, String)> = Vec::new();
    let mut open = false;
    for (at, c) in text.char_indices() {
        if !c.is_alphanumeric() {
            open = false;
            continue;
        }
        let alone = is_a_word(c);
        let end = at + c.len_utf8();
        match words.last_mut().filter(|_| open && !alone) {
            Some((range, word)) => {
                range.end = end;
                word.extend(c.to_lowercase());
            }
            None => words.push((at..end, c.to_lowercase().collect())),
        }
        open = !alone;
    }
    words
}

fn one(word: &str) -> u64 {
    word.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(BASE))
}

fn roll(sum: u64, hash: u64) -> u64 {
    sum.wrapping_mul(BASE).wrapping_add(hash)
}

fn sieve(rolled: u64) -> u16 {
    (rolled >> 48) as u16
}

fn slow(salt: &str, words: &[String]) -> String {
    let mut hash = ContentHash::of(format!("{salt}\n{}", words.join(" ")).as_bytes()).to_string();
    for _ in 0..ROUNDS {
        hash = ContentHash::of(format!("{salt}{hash}").as_bytes()).to_string();
    }
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn phrase(text: &str) -> Phrase {
        Phrase::new(text).unwrap()
    }

    #[test]
    fn words_are_found_in_every_form_and_sealed_words_too() {
        let phrase = phrase("Project Zanzibar");
        let seal = Seal::parse(&phrase.seal("salt").line()).unwrap();
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(phrase.scrub(text, "X").as_deref(), expected, "{text}");
            assert_eq!(seal.scrub(text, "X").as_deref(), expected, "sealed: {text}");
        };
        check("We call it Project Zanzibar.", Some("We call it X."));
        check("project\n  ZANZIBAR, project zanzibar", Some("X, X"));
        check("dec-2026-02-20-project-zanzibar-is-off", Some("dec-2026-02-20-X-is-off"));
        check("knowledge/project/project_zanzibar.md", Some("knowledge/project/X.md"));
        check("projects zanzibar", None);
        check("project of zanzibar", None);
        check("", None);
        assert!(!seal.line().to_lowercase().contains("zanzibar"));
        assert_eq!(Phrase::new(" -- "), None);
        assert!(self::phrase("東京").is_in("計画は東京です"));
    }

    #[test]
    fn other_programs_look_for_whole_words() {
        let check = |words: &str, expected: &str| assert_eq!(phrase(words).expression(), expected);
        check("Tom", "(^|[^[:alnum:]])tom([^[:alnum:]]|$)");
        check("tall pier", "(^|[^[:alnum:]])tall[^[:alnum:]]+pier([^[:alnum:]]|$)");
        check("港", "港");
    }

    proptest! {
        #[test]
        fn a_seal_finds_what_its_words_find(text in "[ab -]{0,30}", words in "[ab]{1,2}( [ab]{1,2}){0,2}") {
            let phrase = phrase(&words);
            prop_assert_eq!(phrase.seal("s").find(&text), phrase.find(&text));
        }

        #[test]
        fn nothing_is_left_after_scrubbing(text in "[a-c .]{0,40}", words in "[a-c]( [a-c]){0,1}") {
            let phrase = phrase(&words);
            let once = phrase.scrub(&text, FORGOTTEN).unwrap_or(text);
            prop_assert!(!phrase.is_in(&once));
        }
    }
}
