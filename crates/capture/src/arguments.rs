//! What a tool was given, borrowed from the transcript as far as it can be.

use std::borrow::Cow;

use serde_json::{Number, Value};

use crate::walk::{Broken, Walk, decode};

/// Most levels of nested arguments that are looked at.
pub(crate) const DEPTH: usize = 8;

/// A tool's arguments.
#[derive(Debug, Clone, PartialEq)]
pub enum Arguments<'a> {
    /// Nothing, or nothing that can be read.
    Nothing,
    /// A text.
    Text(Cow<'a, str>),
    /// A number, or a yes or no, as it is written.
    Word(Cow<'a, str>),
    /// Several, one behind the other.
    List(Vec<Arguments<'a>>),
    /// Several, each with its name.
    Map(Vec<(Cow<'a, str>, Arguments<'a>)>),
    /// More, nested deeper than anyone looks.
    TooDeep,
}

impl<'a> Arguments<'a> {
    /// Reads arguments as they stand in a file; what is not JSON reads as nothing.
    pub(crate) fn of_json(raw: &'a [u8]) -> Arguments<'a> {
        let mut walk = Walk::new(raw);
        let read = Arguments::read(&mut walk, DEPTH).and_then(|read| walk.end().map(|()| read));
        read.unwrap_or(Arguments::Nothing)
    }

    /// Borrows arguments that were parsed.
    pub fn of(value: &'a Value) -> Arguments<'a> {
        Arguments::of_value(value, DEPTH)
    }

    fn of_value(value: &'a Value, depth: usize) -> Arguments<'a> {
        match value {
            Value::Null => Arguments::Nothing,
            Value::Bool(yes) => Arguments::Word(Cow::Borrowed(if *yes { "true" } else { "false" })),
            Value::Number(number) => Arguments::Word(Cow::Owned(number.to_string())),
            Value::String(text) => Arguments::Text(Cow::Borrowed(text)),
            _ if depth == 0 => Arguments::TooDeep,
            Value::Array(items) => {
                Arguments::List(items.iter().map(|item| Arguments::of_value(item, depth - 1)).collect())
            }
            Value::Object(map) => {
                let pair = |(key, item): (&'a String, &'a Value)| {
                    (Cow::Borrowed(key.as_str()), Arguments::of_value(item, depth - 1))
                };
                Arguments::Map(map.iter().map(pair).collect())
            }
        }
    }

    fn read(walk: &mut Walk<'a>, depth: usize) -> Result<Arguments<'a>, Broken> {
        Ok(match walk.peek()? {
            b'"' => Arguments::Text(walk.string()?.unwrap_or_default()),
            b'{' | b'[' if depth == 0 => {
                walk.skip()?;
                Arguments::TooDeep
            }
            b'{' => {
                let mut map = Vec::new();
                walk.enter(b'{')?;
                while let Some(key) = walk.key()? {
                    map.push((decode(key)?, Arguments::read(walk, depth - 1)?));
                }
                Arguments::Map(map)
            }
            b'[' => {
                let mut list = Vec::new();
                walk.enter(b'[')?;
                while walk.item()? {
                    list.push(Arguments::read(walk, depth - 1)?);
                }
                Arguments::List(list)
            }
            _ => word(walk.skip()?)?,
        })
    }

    /// Returns the text, where it is one.
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Arguments::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Returns the items of a list, none where there is none.
    pub fn items(&self) -> &[Arguments<'a>] {
        match self {
            Arguments::List(items) => items,
            _ => &[],
        }
    }

    /// Returns the argument of this name; the last one, where there are several.
    pub fn get(&self, name: &str) -> Option<&Arguments<'a>> {
        let Arguments::Map(map) = self else { return None };
        map.iter().rev().find(|(key, _)| key == name).map(|(_, argument)| argument)
    }
}

fn word(raw: &[u8]) -> Result<Arguments<'_>, Broken> {
    let text = str::from_utf8(raw).map_err(|_| Broken::NotUtf8)?;
    match text {
        "null" => Ok(Arguments::Nothing),
        "true" | "false" => Ok(Arguments::Word(Cow::Borrowed(text))),
        _ if serde_json::from_str::<Number>(text).is_ok() => Ok(Arguments::Word(Cow::Borrowed(text))),
        _ => Err(Broken::Shape),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_in_a_file_reads_as_what_was_parsed() {
        let check = |text: &str| {
            let value: Value = serde_json::from_str(text).expect("is JSON");
            assert_eq!(Arguments::of_json(text.as_bytes()), Arguments::of(&value), "{text}");
        };
        check("null");
        check("\"a\\nb\"");
        check(r#"{"a": [1, -2.5, true, false, null, "x"], "b": {"c": {}}, "é\"": []}"#);
        check("[[[[[[[[[[1]]]]]]]]]]");
    }

    #[test]
    fn what_is_not_json_reads_as_nothing() {
        let check =
            |text: &[u8]| assert_eq!(Arguments::of_json(text), Arguments::Nothing, "{}", text.escape_ascii());
        check(b"");
        check(b"{\"a\":tru}");
        check(b"{\"a\":1} more");
        check(b"{\"a\":\"\xff\"}");
    }

    #[test]
    fn the_last_of_a_name_counts() {
        let arguments = Arguments::of_json(br#"{"a":"one","a":"two"}"#);
        assert_eq!(arguments.get("a").and_then(Arguments::as_text), Some("two"));
    }
}
