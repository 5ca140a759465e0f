//! Words that are long enough to be a key.

use std::ops::Range;

use super::bytes::{Alphabet, BASE64, DOT, SLUG, TILDE, run_end};
use super::scan::SHORTEST_KEY;

/// What such a word is made of.
const WORD: Alphabet = SLUG | BASE64 | DOT | TILDE;

/// Bytes that are looked at together.
const WINDOW: usize = 64;

/// Returns the next word of at least [`SHORTEST_KEY`] bytes; `from` is not within one.
pub(super) fn next_long_word(bytes: &[u8], from: usize) -> Option<Range<usize>> {
    let mut at = from;
    while at + SHORTEST_KEY <= bytes.len() {
        let starts = match bytes[at..].first_chunk::<WINDOW>() {
            Some(window) => starts_of_runs(marks(window)),
            None => {
                let mut window = [0; WINDOW];
                let rest = &bytes[at..];
                window[..rest.len()].copy_from_slice(rest);
                starts_of_runs(marks(&window))
            }
        };
        if starts != 0 {
            let start = at + starts.trailing_zeros() as usize;
            return Some(start..run_end(bytes, start + SHORTEST_KEY, WORD));
        }
        // The last bytes may begin a word that goes on behind the window.
        at += WINDOW - (SHORTEST_KEY - 1);
    }
    None
}

/// Leaves of a set of places those from which at least [`SHORTEST_KEY`] follow each other.
fn starts_of_runs(marks: u64) -> u64 {
    let mut starts = marks;
    let mut length = 1;
    while length < SHORTEST_KEY {
        let step = length.min(SHORTEST_KEY - length);
        starts &= starts >> step;
        length += step;
    }
    starts
}

/// Returns the places of a window that may be part of a word, one bit each.
///
/// Comparisons instead of a table: the compiler then looks at many bytes at once.
fn marks(window: &[u8; WINDOW]) -> u64 {
    let is_part = |byte: u8| {
        let letter = (byte | 0x20).wrapping_sub(b'a') < 26;
        let sign_or_digit = byte.wrapping_sub(b'+') <= b'9' - b'+' && byte != b',';
        letter | sign_or_digit | (byte == b'_') | (byte == b'=') | (byte == b'~')
    };
    let parts = window.map(|byte| u8::from(is_part(byte)));
    let mut marks = 0;
    for (index, eight) in parts.as_chunks::<8>().0.iter().enumerate() {
        // Gathers the lowest bit of each of the eight bytes.
        let bits = u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
        marks |= bits << (8 * index);
    }
    marks
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::bytes::within;
    use super::*;

    #[test]
    fn every_byte_is_told_as_the_table_tells_it() {
        for byte in 0..=255u8 {
            let mut window = [b' '; WINDOW];
            window[usize::from(byte) % WINDOW] = byte;
            let expected = u64::from(within(WORD, byte)) << (usize::from(byte) % WINDOW);
            assert_eq!(marks(&window), expected, "{byte}");
        }
    }

    proptest! {
        #[test]
        fn every_long_word_is_found(text in "([a-z0-9_/]{1,40}|[ ,\"é]{1,3}){0,20}") {
            let bytes = text.as_bytes();
            let mut expected = Vec::new();
            let mut at = 0;
            while at < bytes.len() {
                let end = run_end(bytes, at, WORD);
                if end - at >= SHORTEST_KEY {
                    expected.push(at..end);
                }
                at = end + 1;
            }
            let mut found = Vec::new();
            let mut at = 0;
            while let Some(word) = next_long_word(bytes, at) {
                at = word.end;
                found.push(word);
            }
            prop_assert_eq!(found, expected);
        }
    }
}
