//! Hygiene of text: what people never meant to write goes, what was garbled is mended.

mod abbreviation;
mod mojibake;
mod numbers;

use std::borrow::Cow;
use std::fmt::Display;

pub use abbreviation::{abbreviates, first_and_rest, is_cut_short};
pub use mojibake::repair_mojibake;
pub use numbers::joined_numbers;

/// Estimates the tokens of a text: four characters each, rounded up.
///
/// This is the estimator every budget of ours is stated in; it needs no tokenizer and errs by
/// about a fifth on English prose and source code.
pub fn tokens(text: &str) -> usize {
    text.chars().count().div_ceil(4)
}

/// Counts things in words: `1 entry`, `2 entries`.
pub fn counted<N: Display + From<u8> + PartialEq>(count: N, one: &str, many: &str) -> String {
    let word = if count == N::from(1) { one } else { many };
    format!("{count} {word}")
}

/// Cuts a text to so many letters at a word, and shows that it did.
pub fn cut_at_word(text: &str, longest: usize) -> String {
    if text.chars().count() <= longest {
        return text.to_owned();
    }
    let kept: String = text.chars().take(longest).collect();
    let end = kept.rfind(' ').unwrap_or(kept.len());
    format!("{}…", kept[..end].trim_end_matches([',', ';', ':', ' ']))
}

/// Keeps so many words of a text, and shows where there were more.
pub fn first_words(text: &str, most: usize) -> String {
    let mut words = text.split_whitespace();
    let kept = words.by_ref().take(most).collect::<Vec<_>>().join(" ");
    if words.next().is_none() { kept } else { format!("{kept}…") }
}

/// Removes terminal escapes, control, zero-width and direction-changing characters, mends line
/// ends and mojibake. Cleaning twice is the same as cleaning once.
pub fn clean(text: &str) -> Cow<'_, str> {
    if is_plain(text.as_bytes()) || is_harmless(text.as_bytes()) {
        return Cow::Borrowed(text);
    }
    clean_slowly(text)
}

fn clean_slowly(text: &str) -> Cow<'_, str> {
    // Mending can bring hidden characters to light, and removing those can join what then needs
    // mending. Each round shortens the text, so this ends.
    let mut current = Cow::Borrowed(text);
    loop {
        let mended = repair_mojibake(&current);
        let stripped = strip(&mended);
        if stripped == current.as_ref() {
            return current;
        }
        current = Cow::Owned(stripped.into_owned());
    }
}

/// Tells whether the bytes are printable ASCII, line feeds and tabs only: the usual case, decided fast.
fn is_plain(bytes: &[u8]) -> bool {
    bytes.chunks(128).all(is_plain_block)
}

/// Looks at a whole block without an early way out, so that the compiler can take many bytes at once.
#[inline]
fn is_plain_block(block: &[u8]) -> bool {
    block.iter().fold(true, |plain, byte| plain & is_plain_byte(*byte))
}

#[inline]
fn is_plain_byte(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\n' | b'\t')
}

/// Tells whether UTF-8 bytes hold nothing that could have to go: no control characters, nothing
/// hidden, no letter that mojibake begins with. It may say no where there is nothing to do.
fn is_harmless(bytes: &[u8]) -> bool {
    let mut at = 0;
    while at < bytes.len() {
        if bytes[at..].first_chunk::<16>().is_some_and(|block| is_plain_block(block)) {
            at += 16;
            continue;
        }
        let next = |offset: usize| bytes.get(at + offset).copied().unwrap_or(0);
        at += match bytes[at] {
            byte if is_plain_byte(byte) => {
                bytes[at..].iter().take_while(|byte| is_plain_byte(**byte)).count()
            }
            // U+00A0 to U+00BF.
            0xc2 if next(1) >= 0xa0 => 2,
            // Arrows, bullets, boxes, check marks; U+2000 to U+206F only where it is a dash, quote or ellipsis.
            0xe2 if next(1) >= 0x82 => 3,
            0xe2 if next(1) == 0x80 && matches!(next(2), 0x90..=0xa7) => 3,
            0xc4..=0xdf => 2,
            0xe0 | 0xe1 | 0xe3..=0xee => 3,
            0xf0..=0xf2 => 4,
            _ => return false,
        };
    }
    true
}

fn strip(text: &str) -> Cow<'_, str> {
    if !text.chars().any(|c| c == '\r' || is_hidden(c) || c == '\u{200c}' || c == '\u{200d}') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\u{1b}' | '\u{9b}' => skip_escape(c, &mut rest),
            '\r' => {
                if rest.peek() != Some(&'\n') {
                    out.push('\n');
                }
            }
            // Joiners shape emoji and Indic and Arabic words; between ASCII they only hide.
            '\u{200c}' | '\u{200d}' => {
                if out.chars().next_back().is_some_and(|last| !last.is_ascii())
                    && rest.peek().is_some_and(|next| !next.is_ascii() && !is_hidden(*next))
                    && !matches!(out.chars().next_back(), Some('\u{200c}' | '\u{200d}'))
                    && !matches!(rest.peek(), Some('\u{200c}' | '\u{200d}'))
                {
                    out.push(c);
                }
            }
            _ if is_hidden(c) => {}
            _ => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Skips what follows an escape character: a control sequence, an operating-system command, or one letter.
fn skip_escape(first: char, rest: &mut std::iter::Peekable<std::str::Chars<'_>>) {
    let introducer = if first == '\u{9b}' { Some('[') } else { rest.peek().copied() };
    match introducer {
        Some('[') => {
            if first == '\u{1b}' {
                rest.next();
            }
            while let Some(c) = rest.next_if(|c| matches!(c, ' '..='?')) {
                let _ = c;
            }
            rest.next_if(|c| matches!(c, '@'..='~'));
        }
        Some(']' | 'P' | 'X' | '^' | '_') => {
            rest.next();
            while let Some(c) = rest.next_if(|c| *c != '\n') {
                if c == '\u{7}' || c == '\u{9c}' {
                    break;
                }
                if c == '\u{1b}' {
                    rest.next_if_eq(&'\\');
                    break;
                }
            }
        }
        Some(' '..='/') => {
            rest.next();
            rest.next_if(|c| matches!(c, '0'..='~'));
        }
        Some('0'..='~') => {
            rest.next();
        }
        _ => {}
    }
}

fn is_hidden(c: char) -> bool {
    match c {
        '\n' | '\t' | '\r' => false,
        '\u{0}'..='\u{1f}' | '\u{7f}'..='\u{9f}' => true,
        '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' => true,
        '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{206f}' | '\u{feff}' => true,
        '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}' => true,
        _ => false,
    }
}

/// Stands on a line of its own where so many bytes of a long text were left out.
pub fn elision(bytes: usize) -> String {
    format!("[… {bytes} bytes {ELIDED}")
}

/// Tells whether something was left out of a text that says so.
pub fn has_elision(text: &str) -> bool {
    text.contains(ELIDED)
}

const ELIDED: &str = "left out …]";

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn hidden_things_go_and_words_stay() {
        let check = |input: &str, expected: &str| assert_eq!(clean(input), expected, "{input:?}");
        check("plain text\n\twith tabs", "plain text\n\twith tabs");
        check("\u{1b}[31mred\u{1b}[0m", "red");
        check("\u{1b}]8;;http://x\u{7}link\u{1b}]8;;\u{7}", "link");
        check("a\u{202e}b\u{200b}c\u{feff}", "abc");
        check("one\r\ntwo\rthree", "one\ntwo\nthree");
        check("bell\u{7} and null\0", "bell and null");
        check("👩\u{200d}💻 works", "👩\u{200d}💻 works");
        check("pass\u{200d}word", "password");
        check("Größe — naïve café", "Größe — naïve café");
    }

    #[test]
    fn cuts_stand_between_words_and_are_seen() {
        assert_eq!(cut_at_word("one two", 7), "one two");
        assert_eq!(cut_at_word("one two, three", 10), "one two…");
        assert_eq!(cut_at_word("unbroken", 4), "unbr…");
        assert_eq!(first_words("one  two", 2), "one two");
        assert_eq!(first_words("one two three", 2), "one two…");
        assert_eq!(first_words("", 2), "");
    }

    #[test]
    fn tokens_are_four_characters() {
        assert_eq!(tokens(""), 0);
        assert_eq!(tokens("abcde"), 2);
        assert_eq!(tokens("ääää"), 1);
    }

    proptest! {
        #[test]
        fn harmless_text_needs_no_cleaning(text in "[a\u{85}\u{a0}éÂß→…\u{2010}\u{2028}\u{200d}\u{2060}\u{2190}\u{feff}\u{e0001}👩ก한]{0,6}") {
            if is_plain(text.as_bytes()) || is_harmless(text.as_bytes()) {
                prop_assert_eq!(clean_slowly(&text), text.as_str());
            }
        }

        #[test]
        fn cleaning_is_idempotent(text in any::<String>()) {
            let once = clean(&text).into_owned();
            prop_assert_eq!(clean(&once), once.as_str());
        }

        #[test]
        fn cleaning_is_idempotent_on_nasty_text(text in "[aâ€\u{94}ÃÂ\u{1b}\\[\\]\u{200d}\u{200b}👩m0;\r\n]{0,30}") {
            let once = clean(&text).into_owned();
            prop_assert_eq!(clean(&once), once.as_str());
        }
    }
}
