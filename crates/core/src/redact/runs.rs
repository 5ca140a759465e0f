//! Which bytes of a text stand in long runs, sixty-four bytes at a time.

use super::bytes::{Alphabet, BASE64_BODY, DASH, UNDER, run_end};
use super::scan::{LONE_LEAST, SHORTEST_KEY};

/// What a value is made of that nothing names.
const BODY: Alphabet = BASE64_BODY | DASH | UNDER;

/// Bytes that are looked at together.
const WINDOW: usize = 64;

/// Places of a window, one bit each: which byte is in which alphabet.
#[derive(Debug, Clone, Copy, Default)]
struct Marks {
    alnum: u64,
    body: u64,
    word: u64,
}

/// Something in a text that may be a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A word starts here, and as much follows as the shortest key has.
    Word(usize),
    /// A run starts here that is long enough to be a value by itself.
    Value(usize),
}

/// Goes through the places where a key may stand.
pub(super) fn each(bytes: &[u8], mut visit: impl FnMut(Place)) {
    let mut before = Marks::default();
    let mut here = Marks::at(bytes, 0);
    for base in (0..bytes.len()).step_by(WINDOW) {
        let next = Marks::at(bytes, base + WINDOW);
        let long = followed(here.word, next.word, SHORTEST_KEY);
        for_each_bit(long & starts(here.alnum, before.alnum), |bit| visit(Place::Word(base + bit)));
        let long = followed(here.body, next.body, LONE_LEAST);
        for_each_bit(long & starts(here.body, before.body), |bit| visit(Place::Value(base + bit)));
        before = here;
        here = next;
    }
}

/// Returns where the run of a value ends that begins here.
pub(super) fn end_of_value(bytes: &[u8], from: usize) -> usize {
    run_end(bytes, from + LONE_LEAST, BODY)
}

#[inline]
fn for_each_bit(mut bits: u64, mut then: impl FnMut(usize)) {
    while bits != 0 {
        then(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

/// Leaves of a set of places those before which none stands.
#[inline]
fn starts(marks: u64, before: u64) -> u64 {
    marks & !(marks << 1 | before >> (WINDOW - 1))
}

/// Leaves of a set of places those from which on as many follow each other.
#[inline]
fn followed(marks: u64, next: u64, length: usize) -> u64 {
    let mut left = u128::from(next) << WINDOW | u128::from(marks);
    let mut done = 1;
    while done < length {
        let step = done.min(length - done);
        left &= left >> step;
        done += step;
    }
    left as u64
}

impl Marks {
    #[inline]
    fn at(bytes: &[u8], at: usize) -> Marks {
        let rest = bytes.get(at..).unwrap_or_default();
        if let Some(window) = rest.first_chunk::<WINDOW>() {
            return Marks::of(window);
        }
        let mut window = [0; WINDOW];
        window[..rest.len()].copy_from_slice(rest);
        Marks::of(&window)
    }

    /// Comparisons instead of a table: the compiler then looks at many bytes at once.
    #[inline]
    fn of(window: &[u8; WINDOW]) -> Marks {
        let classes = window.map(|byte| {
            let letter = (byte | 0x20).wrapping_sub(b'a') < 26;
            let alnum = letter | (byte.wrapping_sub(b'0') < 10);
            let body = alnum | (byte == b'+') | (byte == b'/') | (byte == b'-') | (byte == b'_');
            let word = body | (byte == b'.') | (byte == b'=') | (byte == b'~');
            u8::from(alnum) | u8::from(body) << 1 | u8::from(word) << 2
        });
        let mut marks = Marks::default();
        for (index, eight) in classes.as_chunks::<8>().0.iter().enumerate() {
            let eight = u64::from_le_bytes(*eight);
            // Gathers one bit of each of the eight bytes.
            let gather = |bit: u32| {
                let ones = eight >> bit & u64::from_le_bytes([1; 8]);
                (ones.wrapping_mul(0x0102_0408_1020_4080) >> 56) << (8 * index)
            };
            marks.alnum |= gather(0);
            marks.body |= gather(1);
            marks.word |= gather(2);
        }
        marks
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::bytes::{ALNUM, BASE64, DOT, SLUG, TILDE, within};
    use super::*;

    /// What a key with its prefix is made of.
    const WORD: Alphabet = SLUG | BASE64 | DOT | TILDE;

    #[test]
    fn every_byte_is_told_as_the_table_tells_it() {
        for byte in 0..=255u8 {
            let place = usize::from(byte) % WINDOW;
            let mut window = [b' '; WINDOW];
            window[place] = byte;
            let marks = Marks::of(&window);
            let expected = [ALNUM, BODY, WORD].map(|alphabet| u64::from(within(alphabet, byte)) << place);
            assert_eq!([marks.alnum, marks.body, marks.word], expected, "{byte}");
        }
    }

    proptest! {
        #[test]
        fn every_place_is_found(text in "([a-z0-9_/]{1,40}|[ ,\"é]{1,3}|[.=a]{1,30}){0,20}") {
            let bytes = text.as_bytes();
            let follow = |at: usize, alphabet| run_end(bytes, at, alphabet) - at;
            let begins = |at: usize, alphabet| {
                within(alphabet, bytes[at]) && (at == 0 || !within(alphabet, bytes[at - 1]))
            };
            let all = 0..bytes.len();
            let words = all.clone().filter(|at| begins(*at, ALNUM) && follow(*at, WORD) >= SHORTEST_KEY);
            let values = all.filter(|at| begins(*at, BODY) && follow(*at, BODY) >= LONE_LEAST);
            let (mut found_words, mut found_values) = (Vec::new(), Vec::new());
            each(bytes, |place| match place {
                Place::Word(at) => found_words.push(at),
                Place::Value(at) => found_values.push(at),
            });
            prop_assert_eq!(found_words, words.collect::<Vec<_>>());
            prop_assert_eq!(found_values, values.collect::<Vec<_>>());
        }
    }
}
