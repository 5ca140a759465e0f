//! Which bytes a key may be made of, and how random a text looks.

use std::ops::Range;

/// A set of byte classes.
pub(super) type Alphabet = u16;

pub(super) const LOWER: Alphabet = 1;
pub(super) const UPPER: Alphabet = 1 << 1;
pub(super) const DIGIT: Alphabet = 1 << 2;
/// `a` to `f`, in either case: with `DIGIT` it makes hexadecimal.
pub(super) const HEX_LETTER: Alphabet = 1 << 3;
pub(super) const UNDER: Alphabet = 1 << 4;
pub(super) const DASH: Alphabet = 1 << 5;
pub(super) const DOT: Alphabet = 1 << 6;
/// The two signs of base64 that are not letters or digits.
pub(super) const BASE64_SIGN: Alphabet = 1 << 7;
pub(super) const TILDE: Alphabet = 1 << 8;
pub(super) const COLON: Alphabet = 1 << 9;
pub(super) const EQUALS: Alphabet = 1 << 10;
/// Other printable signs that stand in passwords and do not end a bare word.
pub(super) const OTHER: Alphabet = 1 << 11;

pub(super) const HEX: Alphabet = DIGIT | HEX_LETTER;
pub(super) const ALNUM: Alphabet = LOWER | UPPER | DIGIT;
pub(super) const WORD: Alphabet = ALNUM | UNDER;
pub(super) const SLUG: Alphabet = WORD | DASH;
/// Base64 without what fills it up.
pub(super) const BASE64_BODY: Alphabet = ALNUM | BASE64_SIGN;
pub(super) const BASE64: Alphabet = BASE64_BODY | EQUALS;
pub(super) const WIDE: Alphabet = SLUG | BASE64_SIGN | EQUALS | DOT;
/// Everything that an unquoted value may hold.
pub(super) const BARE: Alphabet = WIDE | TILDE | COLON | EQUALS | OTHER;

const CLASSES: [Alphabet; 256] = classes();

const fn classes() -> [Alphabet; 256] {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        table[byte] = match byte as u8 {
            b'a'..=b'f' => LOWER | HEX_LETTER,
            b'A'..=b'F' => UPPER | HEX_LETTER,
            b'g'..=b'z' => LOWER,
            b'G'..=b'Z' => UPPER,
            b'0'..=b'9' => DIGIT,
            b'_' => UNDER,
            b'-' => DASH,
            b'.' => DOT,
            b'+' | b'/' => BASE64_SIGN,
            b'=' => EQUALS,
            b'~' => TILDE,
            b':' => COLON,
            b'!' | b'@' | b'#' | b'$' | b'%' | b'^' | b'*' | b'?' | b'|' => OTHER,
            // Letters beyond ASCII; a character is never cut because all its bytes are of this class.
            0x80..=0xff => OTHER,
            _ => 0,
        };
        byte += 1;
    }
    table
}

/// Tells whether a byte is in the alphabet.
pub(super) fn within(alphabet: Alphabet, byte: u8) -> bool {
    CLASSES[byte as usize] & alphabet != 0
}

/// Returns where the run of the alphabet that starts at `from` ends.
pub(super) fn run_end(text: &[u8], from: usize, alphabet: Alphabet) -> usize {
    text[from..].iter().position(|byte| !within(alphabet, *byte)).map_or(text.len(), |length| from + length)
}

/// Measures runs, each once per alphabet, however often it is asked: names and prefixes may repeat
/// within one endless word.
pub(super) struct Runs<'a> {
    bytes: &'a [u8],
    last: Vec<(Alphabet, Range<usize>)>,
}

impl<'a> Runs<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Runs<'a> {
        Runs { bytes, last: Vec::new() }
    }

    /// Returns where the run of the alphabet that starts at `from` ends.
    pub(super) fn end(&mut self, from: usize, alphabet: Alphabet) -> usize {
        let from = from.min(self.bytes.len());
        let known = self.last.iter().position(|(known, _)| *known == alphabet).unwrap_or_else(|| {
            self.last.push((alphabet, 0..0));
            self.last.len() - 1
        });
        let run = &mut self.last[known].1;
        if !run.contains(&from) {
            *run = from..run_end(self.bytes, from, alphabet);
        }
        run.end
    }
}

/// Tells whether a key may start at `at`: no letter or digit stands before it, save for the letter of
/// an escaped line break or tabulator.
pub(super) fn starts_word(text: &[u8], at: usize) -> bool {
    let Some(before) = at.checked_sub(1).map(|index| text[index]) else { return true };
    if !within(ALNUM, before) {
        return true;
    }
    matches!(before, b'n' | b'r' | b't') && at >= 2 && text[at - 2] == b'\\'
}

/// What a value is made of.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Mix {
    pub(super) length: usize,
    pub(super) lower: usize,
    pub(super) upper: usize,
    pub(super) digits: usize,
    pub(super) hex: usize,
    /// Signs that are rare in names and paths.
    pub(super) signs: usize,
    /// How often neighbours change between lower case, upper case and digit.
    pub(super) changes: usize,
    pub(super) distinct: u32,
    /// How often upper case follows upper case.
    pub(super) capitals: usize,
}

impl Mix {
    /// Counts the bytes of a value.
    pub(super) fn of(value: &[u8]) -> Mix {
        let mut mix = Mix { length: value.len(), ..Mix::default() };
        let mut seen = [0u64; 4];
        let mut last = 0;
        for byte in value {
            seen[(*byte >> 6) as usize] |= 1 << (*byte & 63);
            let class = CLASSES[*byte as usize];
            mix.lower += usize::from(class & LOWER != 0);
            mix.upper += usize::from(class & UPPER != 0);
            mix.digits += usize::from(class & DIGIT != 0);
            mix.hex += usize::from(class & HEX != 0);
            mix.signs += usize::from(class & (OTHER | TILDE) != 0 || class == 0);
            let kind = class & ALNUM;
            mix.changes += usize::from(kind != 0 && last != 0 && kind != last);
            mix.capitals += usize::from(kind == UPPER && last == UPPER);
            last = kind;
        }
        mix.distinct = seen.iter().map(|bits| bits.count_ones()).sum();
        mix
    }

    pub(super) fn letters(&self) -> usize {
        self.lower + self.upper
    }

    /// Letters and digits both.
    pub(super) fn mixed(&self) -> bool {
        self.letters() > 0 && self.digits > 0
    }

    /// Tells whether the value looks drawn by lot (of high entropy): kinds of characters change far more often than in
    /// names, words, versions and paths, and few characters repeat.
    pub(super) fn random(&self) -> bool {
        let distinct = self.distinct as usize >= (self.length / 3).clamp(7, 14);
        let one_case = self.upper == 0 || self.lower == 0;
        // Letters of both cases change as often in names with digits, up to a point; with letters of one
        // case a few digits strewn among them already say enough.
        let least = match self.length {
            _ if !one_case => 38,
            20.. if self.digits >= 3 => 15,
            _ => 22,
        };
        self.length >= 12 && self.digits > 0 && distinct && self.changes * 100 >= self.length * least
    }

    /// Tells whether letters change case as no name in camel case does.
    pub(super) fn mixed_case(&self) -> bool {
        self.length >= 16
            && self.upper > 2
            && self.lower > 2
            && self.changes * 100 >= self.length * 33
            && self.capitals * 100 >= self.length * 12
    }

    /// Tells whether the value is one hexadecimal number of the size of a digest or key.
    pub(super) fn hexadecimal(&self) -> bool {
        self.length >= 16 && self.hex == self.length && self.digits > 0 && self.distinct >= 6
    }
}

/// Tells whether a value is a UUID.
pub(super) fn is_uuid(value: &[u8]) -> bool {
    value.len() == 36
        && value.iter().enumerate().all(|(index, byte)| match index {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => byte.is_ascii_hexdigit(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_random(value: &str, expected: bool) {
        assert_eq!(Mix::of(value.as_bytes()).random(), expected, "{value}");
    }

    #[test]
    fn random_is_told_from_names() {
        check_random("q7Xk2PzR9vLm4TbW", true);
        check_random("k3v9x2m7q1w8z5b4", true);
        check_random("getUserTokenFromRequest", false);
        check_random("release-2024-01-15-final", false);
        check_random("Ed25519PrivateKeyBytes", false);
        check_random("aaaaaaaaaaaaaaaaaaaaaaaa1", false);
        assert!(!Mix::of(b"hasOtherActiveItemsOnBranch").mixed_case());
        assert!(Mix::of(b"hQbTWkdZpRNcFyKmsXVa").mixed_case());
    }

    #[test]
    fn words_start_after_signs_and_escapes() {
        assert!(starts_word(b"key", 0));
        assert!(starts_word(b"=key", 1));
        assert!(starts_word(b"\\nkey", 2));
        assert!(!starts_word(b"monkey", 3));
    }

    #[test]
    fn uuids_are_known() {
        assert!(is_uuid(b"01234567-89ab-cdef-0123-456789abcdef"));
        assert!(!is_uuid(b"01234567-89ab-cdef-0123-456789abcdeg"));
    }
}
