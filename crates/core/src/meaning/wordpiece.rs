//! The word pieces of BERT-like models: lower case, no accents, longest match first.

use unicode_normalization::UnicodeNormalization;

/// Longer words are unknown.
const LONGEST: usize = 100;

/// Something that knows the numbers of word pieces.
pub trait PieceIndex {
    /// Returns the number of a piece; pieces inside a word begin with `##`.
    fn find(&self, piece: &str) -> Option<u32>;
}

/// Calls back with the number of each piece of a text; `None` stands for an unknown word.
pub fn pieces(text: &str, vocabulary: &impl PieceIndex, mut each: impl FnMut(Option<u32>)) {
    let folded: String = if text.is_ascii() {
        text.to_ascii_lowercase()
    } else {
        let lower = text.to_lowercase();
        lower.nfd().filter(|c| !matches!(c, '\u{300}'..='\u{36f}')).collect()
    };
    let mut numbers = Vec::new();
    let mut key = String::new();
    for word in words(&folded) {
        numbers.clear();
        if split(word, vocabulary, &mut key, &mut numbers) {
            numbers.iter().for_each(|number| each(Some(*number)));
        } else {
            each(None);
        }
    }
}

/// Splits at white space; a sign or an ideograph is a word of its own.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start_matches(|c: char| c.is_whitespace() || c.is_control());
        let first = rest.chars().next()?;
        let length = if stands_alone(first) {
            first.len_utf8()
        } else {
            let ends = |c: char| c.is_whitespace() || c.is_control() || stands_alone(c);
            rest.find(ends).unwrap_or(rest.len())
        };
        let (word, tail) = rest.split_at(length);
        rest = tail;
        Some(word)
    })
}

fn stands_alone(c: char) -> bool {
    c.is_ascii_punctuation()
        || matches!(c, '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '\u{f900}'..='\u{faff}')
        || matches!(c, '\u{a1}' | '\u{a7}' | '\u{ab}' | '\u{b6}' | '\u{b7}' | '\u{bb}' | '\u{bf}')
        || matches!(c, '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205e}' | '\u{3001}'..='\u{3003}' | '\u{3008}'..='\u{3011}')
}

/// Splits a word into its longest known pieces; says no where some letters are in none.
fn split(word: &str, vocabulary: &impl PieceIndex, key: &mut String, numbers: &mut Vec<u32>) -> bool {
    if word.len() > LONGEST * 4 || word.chars().count() > LONGEST {
        return false;
    }
    let mut start = 0;
    while start < word.len() {
        let mut end = word.len();
        loop {
            key.clear();
            if start > 0 {
                key.push_str("##");
            }
            key.push_str(&word[start..end]);
            if let Some(number) = vocabulary.find(key) {
                numbers.push(number);
                start = end;
                break;
            }
            match word[start..end].char_indices().next_back() {
                Some((at, _)) if at > 0 => end = start + at,
                _ => return false,
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Few(&'static [&'static str]);

    impl PieceIndex for Few {
        fn find(&self, piece: &str) -> Option<u32> {
            self.0.iter().position(|known| *known == piece).map(|at| at as u32)
        }
    }

    #[test]
    fn the_longest_piece_wins_and_signs_stand_alone() {
        let few = Few(&["un", "##lock", "##ed", "lock", "!", "cafe", "型"]);
        let check = |text: &str, expected: &[Option<u32>]| {
            let mut found = Vec::new();
            pieces(text, &few, |piece| found.push(piece));
            assert_eq!(found, expected, "{text}");
        };
        check("Unlocked!", &[Some(0), Some(1), Some(2), Some(4)]);
        check("lock zebra Café", &[Some(3), None, Some(5)]);
        check("型型", &[Some(6), Some(6)]);
        check("", &[]);
    }
}
