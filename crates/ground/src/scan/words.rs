//! Words of prose and of code, cut the same way on both sides of a comparison.

use frostem::{Algorithm, Stemmer};
use rustc_hash::FxHashMap;

/// Words that stand in any text and name nothing.
const STOPS: &[&str] = &[
    "the", "and", "for", "that", "this", "with", "from", "are", "was", "were", "has", "have", "had", "not",
    "but", "can", "will", "would", "should", "could", "when", "then", "than", "into", "its", "also", "all",
    "any", "each", "which", "who", "what", "where", "how", "why", "use", "used", "using", "now", "more",
    "been", "being", "does", "did", "done", "only", "other", "such", "some", "there", "their", "they",
    "them", "these", "those", "you", "your", "our", "here", "just", "like", "make", "makes", "made", "over",
    "about", "after", "before", "because", "between", "both", "instead", "per", "via", "one", "two", "let",
    "may",
];

/// A word by its number; two words with one number are rarer than two words that mean two things.
pub(super) type Term = u32;

/// Gives a name a number, letter by letter as it is written (FNV-1a, because it is kept on disk).
pub(super) fn name_of(word: &str) -> Term {
    word.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ Term::from(byte)).wrapping_mul(0x0100_0193))
}

/// Cuts text into words; remembers the stems it has seen, because code says the same words often.
pub(super) struct Cutter {
    stemmer: Stemmer,
    known: FxHashMap<String, Option<Term>>,
}

impl Default for Cutter {
    fn default() -> Cutter {
        Cutter { stemmer: Stemmer::new(Algorithm::English), known: FxHashMap::default() }
    }
}

impl Cutter {
    /// Hands over every word of a text and of the names in it, by the number of its stem.
    pub(super) fn cut(&mut self, text: &str, mut each: impl FnMut(Term)) {
        self.spell(text, |term, _| each(term));
    }

    /// Does the same, and says how each is written.
    pub(super) fn spell(&mut self, text: &str, mut each: impl FnMut(Term, &str)) {
        for name in names(text) {
            parts(name, |part| {
                if let Some(term) = self.term(part) {
                    each(term, part);
                }
            });
        }
    }

    /// Returns the number of one word's stem; nothing for what names nothing.
    fn term(&mut self, part: &str) -> Option<Term> {
        if part.len() < 2 || part.len() > 40 {
            return None;
        }
        if let Some(known) = self.known.get(part) {
            return *known;
        }
        let low = part.to_lowercase();
        let is_empty = STOPS.contains(&low.as_str())
            || low.len() < 2
            || low.chars().all(|c| c.is_ascii_digit())
            || (low.len() > 20 && low.bytes().any(|b| b.is_ascii_digit()));
        let term = (!is_empty).then(|| name_of(&self.stemmer.stem(&low)));
        self.known.insert(part.to_owned(), term);
        term
    }
}

/// Lists the runs of letters, digits and underscores.
pub(super) fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).filter(|name| !name.is_empty())
}

/// Tells whether a word is written as only code writes words.
pub(super) fn is_compound(name: &str) -> bool {
    let inner = name.trim_matches('_');
    if inner.len() < 3 {
        return false;
    }
    let low_then_high =
        inner.as_bytes().windows(2).any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    low_then_high || inner.contains('_')
}

/// Cuts a name at underscores, at humps and between letters and digits.
pub(super) fn parts(name: &str, mut each: impl FnMut(&str)) {
    for piece in name.split(['_', '$']).filter(|piece| !piece.is_empty()) {
        let mut start = 0;
        let letters: Vec<(usize, char)> = piece.char_indices().collect();
        for at in 1..letters.len() {
            let (before, here) = (letters[at - 1].1, letters[at].1);
            let after = letters.get(at + 1).map(|(_, c)| *c);
            let hump = before.is_lowercase() && here.is_uppercase();
            // In `HTTPServer` the last capital belongs to the next word.
            let acronym =
                before.is_uppercase() && here.is_uppercase() && after.is_some_and(char::is_lowercase);
            let digit = before.is_ascii_digit() != here.is_ascii_digit() && !before.is_uppercase();
            if hump || acronym || digit {
                each(&piece[start..letters[at].0]);
                start = letters[at].0;
            }
        }
        each(&piece[start..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_where_their_words_meet() {
        let check = |name: &str, expected: &[&str]| {
            let mut found = Vec::new();
            parts(name, |part| found.push(part.to_owned()));
            assert_eq!(found, expected, "{name}");
        };
        check("parseHTTPServer", &["parse", "HTTP", "Server"]);
        check("max_retry_count", &["max", "retry", "count"]);
        check("LIMIT", &["LIMIT"]);
        check("utf8Text", &["utf", "8", "Text"]);
    }

    #[test]
    fn prose_and_code_meet_in_their_stems() {
        let mut cutter = Cutter::default();
        let terms = |cutter: &mut Cutter, text: &str| {
            let mut found = Vec::new();
            cutter.cut(text, |term| found.push(term));
            found
        };
        assert_eq!(terms(&mut cutter, "retrying payments"), terms(&mut cutter, "RetryPayment"));
        assert!(terms(&mut cutter, "and the 42").is_empty());
    }
}
