//! Walks over the JSON of a line without decoding what nobody asks for.
//!
//! Most of a file is the output of tools, thoughts and copies of both. A string that is not used is
//! crossed by looking for its closing quote, which many bytes at a time can be compared with; what
//! stands in it is neither checked nor copied. What is asked for is decoded strictly.

use std::borrow::Cow;

use memchr::memchr;

/// Why a line could not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Broken {
    /// It is not a whole JSON object.
    Shape,
    /// Something that is used is not UTF-8.
    NotUtf8,
}

/// A place in a line.
#[derive(Debug)]
pub(crate) struct Walk<'a> {
    bytes: &'a [u8],
    at: usize,
    /// Whether a map or list was entered just now, so that no comma stands before what comes.
    entered: bool,
}

impl<'a> Walk<'a> {
    /// Stands at the beginning.
    pub(crate) fn new(bytes: &'a [u8]) -> Walk<'a> {
        Walk { bytes, at: 0, entered: false }
    }

    /// Returns the next byte that is not white space, without going past it.
    #[inline]
    pub(crate) fn peek(&mut self) -> Result<u8, Broken> {
        while let Some(byte) = self.bytes.get(self.at) {
            if !matches!(byte, b' ' | b'\t' | b'\r' | b'\n') {
                return Ok(*byte);
            }
            self.at += 1;
        }
        Err(Broken::Shape)
    }

    /// Enters a map (`{`) or a list (`[`); goes past anything else and says no.
    pub(crate) fn enter(&mut self, opening: u8) -> Result<bool, Broken> {
        if self.peek()? != opening {
            return self.skip().map(|_| false);
        }
        self.at += 1;
        self.entered = true;
        Ok(true)
    }

    /// Goes to the next value of a map and returns its key as it is written; leaves the map at its end.
    #[inline]
    pub(crate) fn key(&mut self) -> Result<Option<&'a [u8]>, Broken> {
        if !self.goes_on(b'}')? {
            return Ok(None);
        }
        let Some(key) = self.quoted()? else { return Err(Broken::Shape) };
        if self.peek()? != b':' {
            return Err(Broken::Shape);
        }
        self.at += 1;
        Ok(Some(key))
    }

    /// Goes to the next value of a list; leaves the list at its end.
    pub(crate) fn item(&mut self) -> Result<bool, Broken> {
        self.goes_on(b']')
    }

    #[inline]
    fn goes_on(&mut self, closing: u8) -> Result<bool, Broken> {
        let entered = std::mem::take(&mut self.entered);
        match self.peek()? {
            byte if byte == closing => {
                self.at += 1;
                Ok(false)
            }
            b',' if !entered => {
                self.at += 1;
                Ok(true)
            }
            _ if entered => Ok(true),
            _ => Err(Broken::Shape),
        }
    }

    /// Goes past a string and returns what stands between its quotes; stays where it is, and returns
    /// nothing, where something else stands.
    #[inline]
    fn quoted(&mut self) -> Result<Option<&'a [u8]>, Broken> {
        if self.peek()? != b'"' {
            return Ok(None);
        }
        let from = self.at + 1;
        self.at = end_of_string(self.bytes, from)?;
        Ok(Some(&self.bytes[from..self.at - 1]))
    }

    /// Goes past a value and returns it as it is written.
    pub(crate) fn skip(&mut self) -> Result<&'a [u8], Broken> {
        let first = self.peek()?;
        let from = self.at;
        match first {
            b'"' => self.at = end_of_string(self.bytes, from + 1)?,
            b'{' | b'[' => self.skip_nested()?,
            _ => {
                let rest = &self.bytes[from..];
                let is_word = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
                let length = rest.iter().take_while(is_word).count();
                if length == 0 {
                    return Err(Broken::Shape);
                }
                self.at += length;
            }
        }
        Ok(&self.bytes[from..self.at])
    }

    /// Crosses maps and lists however deep they are.
    fn skip_nested(&mut self) -> Result<(), Broken> {
        let mut depth = 0u32;
        let mut at = self.at;
        while let Some(byte) = self.bytes.get(at) {
            at += 1;
            match byte {
                b'"' => at = end_of_string(self.bytes, at)?,
                b'{' | b'[' => depth += 1,
                b'}' | b']' if depth <= 1 => {
                    self.at = at;
                    return Ok(());
                }
                b'}' | b']' => depth -= 1,
                _ => {}
            }
        }
        Err(Broken::Shape)
    }

    /// Goes past a string and returns what stands between its quotes, escapes and all; nothing where
    /// something else stands.
    #[inline]
    pub(crate) fn written(&mut self) -> Result<Option<&'a [u8]>, Broken> {
        let text = self.quoted()?;
        if text.is_none() {
            self.skip()?;
        }
        Ok(text)
    }

    /// Goes past a string and decodes it; nothing where something else stands.
    pub(crate) fn string(&mut self) -> Result<Option<Cow<'a, str>>, Broken> {
        self.written()?.map(decode).transpose()
    }

    /// Returns all that is left from here.
    pub(crate) fn rest(&mut self) -> Result<&'a [u8], Broken> {
        self.peek()?;
        Ok(&self.bytes[self.at..])
    }

    /// Makes sure that nothing follows.
    pub(crate) fn end(&mut self) -> Result<(), Broken> {
        if self.peek().is_ok() { Err(Broken::Shape) } else { Ok(()) }
    }
}

/// Decodes what stands between the quotes of a string.
pub(crate) fn decode(written: &[u8]) -> Result<Cow<'_, str>, Broken> {
    let text = utf8(written)?;
    if memchr(b'\\', written).is_none() {
        return Ok(Cow::Borrowed(text));
    }
    unescape(text).map(Cow::Owned).ok_or(Broken::Shape)
}

fn utf8(bytes: &[u8]) -> Result<&str, Broken> {
    simdutf8::basic::from_utf8(bytes).map_err(|_| Broken::NotUtf8)
}

/// Undoes the escapes of a string; nothing where one is none.
fn unescape(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = memchr(b'\\', rest.as_bytes()) {
        out.push_str(&rest[..at]);
        let (letter, after) = rest[at + 1..].split_at_checked(1)?;
        rest = after;
        out.push(match letter.as_bytes()[0] {
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            letter @ (b'"' | b'\\' | b'/') => char::from(letter),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'u' => {
                let (c, after) = unicode_escape(rest)?;
                rest = after;
                c
            }
            _ => return None,
        });
    }
    out.push_str(rest);
    Some(out)
}

/// Reads the digits of an escape, and those of its other half; half of a character reads as none.
fn unicode_escape(text: &str) -> Option<(char, &str)> {
    let unit = |text: &str| {
        let digits = text.get(..4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        u16::from_str_radix(digits, 16).ok()
    };
    let first = unit(text)?;
    let rest = &text[4..];
    if let Some(c) = char::from_u32(u32::from(first)) {
        return Some((c, rest));
    }
    let second = rest.strip_prefix("\\u").and_then(unit);
    let pair = second.and_then(|second| char::decode_utf16([first, second]).next()?.ok());
    Some(match pair {
        Some(c) => (c, &rest[6..]),
        None => (char::REPLACEMENT_CHARACTER, rest),
    })
}

/// Returns the place behind the quote that closes the string which begins here.
#[inline]
fn end_of_string(bytes: &[u8], from: usize) -> Result<usize, Broken> {
    let mut at = from;
    // Keys and ids are short, and a search made for long texts takes longer to start than to look at
    // a few words of eight bytes.
    while let Some([first, second]) = bytes[at..].first_chunk::<16>().filter(|_| at < from + 48).map(halves) {
        let (here, there) = (quotes(first), quotes(second));
        if here | there != 0 {
            at += match here {
                0 => 8 + (there.trailing_zeros() / 8) as usize,
                _ => (here.trailing_zeros() / 8) as usize,
            };
            if at == from || bytes[at - 1] != b'\\' {
                return Ok(at + 1);
            }
            break;
        }
        at += 16;
    }
    end_of_long_string(bytes, from, at)
}

#[inline]
fn halves(sixteen: &[u8; 16]) -> [u64; 2] {
    let both = u128::from_le_bytes(*sixteen);
    [both as u64, (both >> 64) as u64]
}

/// Marks quotes among eight bytes; the lowest bit that is set stands in the first one.
#[inline]
fn quotes(eight: u64) -> u64 {
    const ONES: u64 = u64::from_le_bytes([1; 8]);
    let without = eight ^ u64::from_le_bytes([b'"'; 8]);
    without.wrapping_sub(ONES) & !without & (ONES << 7)
}

/// Goes on looking for the closing quote at a place within the string.
#[inline(never)]
fn end_of_long_string(bytes: &[u8], from: usize, at: usize) -> Result<usize, Broken> {
    let mut at = at;
    loop {
        let quote = at + memchr(b'"', &bytes[at..]).ok_or(Broken::Shape)?;
        let slashes = bytes[from..quote].iter().rev().take_while(|byte| **byte == b'\\').count();
        at = quote + 1;
        if slashes % 2 == 0 {
            return Ok(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    /// Reads a value through the walk alone, entering everything.
    fn read(walk: &mut Walk<'_>) -> Result<Value, Broken> {
        Ok(match walk.peek()? {
            b'{' => {
                let mut map = serde_json::Map::new();
                walk.enter(b'{')?;
                while let Some(key) = walk.key()? {
                    let key = decode(key)?.into_owned();
                    map.insert(key, read(walk)?);
                }
                Value::Object(map)
            }
            b'[' => {
                let mut list = Vec::new();
                walk.enter(b'[')?;
                while walk.item()? {
                    list.push(read(walk)?);
                }
                Value::Array(list)
            }
            b'"' => Value::String(walk.string()?.unwrap_or_default().into_owned()),
            _ => serde_json::from_slice(walk.skip()?).map_err(|_| Broken::Shape)?,
        })
    }

    fn whole(text: &str) -> Result<Value, Broken> {
        let mut walk = Walk::new(text.as_bytes());
        let value = read(&mut walk)?;
        walk.end()?;
        Ok(value)
    }

    #[test]
    fn what_is_not_whole_is_noticed() {
        let check = |text: &str| assert_eq!(whole(text), Err(Broken::Shape), "{text}");
        check("");
        check("{");
        check("{\"a\":1");
        check("{\"a\":1,}");
        check("{,\"a\":1}");
        check("{\"a\" 1}");
        check("{\"a\":1 \"b\":2}");
        check("{\"a\":1}}");
        check("[1 2]");
        check("{\"a\":\"\\\"}");
        check("{\"a\":}");
        let mut walk = Walk::new(b"{\"a\":[{\"b\":\"]}\"}");
        assert_eq!(walk.skip(), Err(Broken::Shape), "a bracket in a string closes nothing");
        assert_eq!(Walk::new(b"\"\xff\"").string(), Err(Broken::NotUtf8));
    }

    #[test]
    fn escapes_are_undone() {
        let check = |written: &str, expected: Option<&str>| {
            let found = decode(written.as_bytes()).ok();
            assert_eq!(found.as_deref(), expected, "{written}");
        };
        check("plain", Some("plain"));
        check(r#"a\nb\t\"c\" \\ \/ \b\f\r"#, Some("a\nb\t\"c\" \\ / \u{8}\u{c}\r"));
        check(r"\u00e9\u2192 \ud83d\udc69", Some("é→ 👩"));
        // Half of a character, as where a text was cut by its length.
        check(r"\ud83d and \udc69", Some("\u{fffd} and \u{fffd}"));
        check(r"\ud83d\u0041", Some("\u{fffd}A"));
        check(r"\x", None);
        check(r"\u12", None);
        check(r"\u+123", None);
        check("\\", None);
    }

    fn values() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::Bool),
            any::<i64>().prop_map(Value::from),
            "[a\"\\\\/\n\t\u{1}é→👩{}\\[\\],:]{0,40}".prop_map(Value::String),
        ];
        leaf.prop_recursive(4, 30, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(Value::Array),
                prop::collection::vec(("[a\"\\\\é]{0,4}", inner), 0..5)
                    .prop_map(|pairs| Value::Object(pairs.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn walking_reads_what_parsing_reads(value in values(), pretty in any::<bool>()) {
            let text = if pretty { format!("{value:#}") } else { value.to_string() };
            prop_assert_eq!(whole(&text), Ok(value));
            let mut walk = Walk::new(text.as_bytes());
            prop_assert_eq!(walk.skip(), Ok(text.as_bytes()));
        }

        #[test]
        fn what_parsing_takes_walking_takes(text in "[{}\\[\\]\",:a1\\\\ ]{0,16}") {
            if let Ok(value) = serde_json::from_str::<Value>(&text) {
                prop_assert_eq!(whole(&text), Ok(value));
            }
        }
    }
}
