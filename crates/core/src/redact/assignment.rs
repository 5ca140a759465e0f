//! A name, an operator and a literal, in every syntax that sets one.

use std::ops::Range;

use super::bytes::{BARE, Runs, WORD, run_end, within};
use super::names::{self, Kind};
use super::shapes::floor;
use super::values::{self, Form};

/// How far a name reaches to either side of the word that caught our eye.
const NAME_REACH: usize = 80;
/// How long a quoted value may be.
const VALUE_REACH: usize = 4096;

/// How much of a value is looked at.
const JUDGED: usize = 256;
/// How long a bare value behind a name and a space is at least.
const SPACED_LEAST: usize = 16;

/// How a name and its value are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Joint {
    /// `=`, `:=`, `+=`, `=>`, `->` and their kin; compared (`==`) counts as well.
    Equals,
    Colon,
    Comma,
    /// A space, as between a flag and its argument.
    Space,
    /// The end of an opening tag.
    Tag,
    /// `is`, in a sentence.
    Is,
}

/// What one look at a name found.
pub(super) struct Look {
    /// Where the name ends; nothing before it needs another look.
    pub(super) name_end: usize,
    /// Where the secret stands.
    pub(super) value: Option<Range<usize>>,
    /// The rule that says so.
    pub(super) rule: &'static str,
}

/// Looks at the name around an anchor and at what is assigned to it.
pub(super) fn look(text: &str, anchor: Range<usize>, runs: &mut Runs<'_>) -> Look {
    let bytes = text.as_bytes();
    let name = name_around(bytes, anchor);
    let mut look = Look { name_end: name.end, value: None, rule: "assignment" };
    if !may_be_set(bytes, &name) {
        return look;
    }
    let Some(kind) = names::kind(&text[with_owner(text, &name)..name.end]) else { return look };
    let queried = name.start > 0 && matches!(bytes[name.start - 1], b'?' | b'&');
    let kind = if queried && kind == Kind::Weak { Kind::Key } else { kind };
    look.value = match kind {
        Kind::Authorization | Kind::Cookie => None,
        _ => value_after(text, &name, kind, runs).or_else(|| value_before(text, &name, kind)),
    };
    look.rule = match kind {
        Kind::Password => "password",
        Kind::Secret => "secret",
        Kind::Key => "key-or-token",
        Kind::Weak | Kind::Owned | Kind::Authorization | Kind::Cookie => "assignment",
    };
    look
}

/// Returns where a name starts that is written as two words: `api key`, `cache key`.
fn with_owner(text: &str, name: &Range<usize>) -> usize {
    let before = &text.as_bytes()[..name.start];
    let Some((b' ', rest)) = before.split_last() else { return name.start };
    let length = rest.iter().rev().take(16).take_while(|byte| byte.is_ascii_alphabetic()).count();
    let start = name.start - 1 - length;
    if names::is_owner(&text[start..name.start - 1]) { start } else { name.start }
}

/// Tells quickly whether anything around a name could set it; most names in prose fail here.
fn may_be_set(bytes: &[u8], name: &Range<usize>) -> bool {
    let (closed, quoted) = skip_closers(bytes, name.end);
    let at = skip_space(bytes, skip_ordinal(bytes, closed));
    let compared = || bytes[..name.start].iter().rev().take(34).any(|byte| *byte == b'=');
    match bytes.get(at) {
        Some(
            b':' | b'=' | b'?' | b'+' | b'.' | b'|' | b'!' | b'>' | b'<' | b'-' | b',' | b'(' | b'"' | b'\''
            | b'`' | b'\\',
        ) => true,
        Some(b'i') => bytes[at..].starts_with(b"is ") || compared(),
        Some(b'v' | b'\n' | b'\r') if quoted => true,
        Some(byte) if at > closed => {
            name.start > 0 && bytes[name.start - 1] == b'-'
                || run_end(&bytes[..(at + SPACED_LEAST).min(bytes.len())], at, BARE) == at + SPACED_LEAST
                || byte.is_ascii_alphabetic() && has_type(bytes, at)
                || compared()
        }
        _ => compared(),
    }
}

/// Tells whether a word and `=` follow, as in `name string = "…"`.
fn has_type(bytes: &[u8], at: usize) -> bool {
    bytes[at..].iter().take(48).take_while(|byte| **byte != b'\n').any(|byte| *byte == b'=')
}

/// Returns the whole name that an anchor is part of.
pub(super) fn name_around(bytes: &[u8], anchor: Range<usize>) -> Range<usize> {
    let part = |byte: &u8| within(WORD, *byte) || matches!(byte, b'-' | b'.');
    let floor = anchor.start.saturating_sub(NAME_REACH);
    let before = bytes[floor..anchor.start].iter().rev().take_while(|byte| part(byte)).count();
    let ceiling = (anchor.end + NAME_REACH).min(bytes.len());
    let after = bytes[anchor.end..ceiling].iter().take_while(|byte| part(byte)).count();
    let mut name = anchor.start - before..anchor.end + after;
    // The letter of an escaped line break belongs to the escape.
    if name.start > 0
        && bytes[name.start - 1] == b'\\'
        && name.start < anchor.start
        && matches!(bytes[name.start], b'n' | b'r' | b't')
    {
        name.start += 1;
    }
    while name.start < anchor.start && matches!(bytes[name.start], b'-' | b'.') {
        name.start += 1;
    }
    while name.end > anchor.end && matches!(bytes[name.end - 1], b'-' | b'.') {
        name.end -= 1;
    }
    name
}

/// Returns the name that a value at `value` is assigned to.
pub(super) fn name_before(text: &str, value: usize) -> Option<&str> {
    let bytes = text.as_bytes();
    let floor = value.saturating_sub(24);
    let gap = |at: usize, set: &[u8]| {
        at - bytes[floor.min(at)..at].iter().rev().take_while(|b| set.contains(b)).count()
    };
    let quote = gap(value, b"\"'`\\");
    let operator = gap(quote, b" \t=:>");
    let seen = &bytes[operator..quote];
    if !seen.contains(&b'=') && !seen.contains(&b':') || seen.starts_with(b"::") {
        return None;
    }
    let end = gap(operator, b" \"'`\\]");
    let start = bytes[end.saturating_sub(NAME_REACH)..end]
        .iter()
        .rev()
        .take_while(|b| within(WORD, **b) || matches!(b, b'-' | b'.'))
        .count();
    (start > 0).then(|| &text[end - start..end])
}

fn value_after(text: &str, name: &Range<usize>, kind: Kind, runs: &mut Runs<'_>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let (mut at, quoted_name) = skip_closers(bytes, name.end);
    if quoted_name && let Some(value) = value_attribute(text, at, runs) {
        return accept(text, kind, Form::Quoted, value);
    }
    at = skip_ordinal(bytes, at);
    let spaced = at;
    at = skip_space(bytes, at);
    let spaced = at > spaced;
    let flag = name.start > 0 && bytes[name.start - 1] == b'-';
    let (joint, end) = joint(bytes, at, name, quoted_name, spaced)?;
    let mut start = skip_space(bytes, end);
    if joint == Joint::Equals && bytes.get(start) == Some(&b'\n') {
        let next = skip_space(bytes, start + 1);
        start = if matches!(bytes.get(next), Some(b'"' | b'\'')) { next } else { start };
    }
    let (joint, start) = skip_type(bytes, joint, start, spaced);
    // `pass` alone is also what tests do and what one does with arguments.
    let quote = matches!(bytes.get(start), Some(b'"' | b'\'' | b'\\'));
    let firm = quote && (joint == Joint::Equals || joint == Joint::Colon && &text[name.clone()] == "pass");
    let kind = if text[name.clone()].eq_ignore_ascii_case("pass") && !firm { Kind::Weak } else { kind };
    match joint {
        Joint::Tag => tagged(text, start).and_then(|value| accept(text, kind, Form::Quoted, value)),
        Joint::Comma if !quoted_name && bytes[end - 1] == b',' => {
            // A row of a table: only a value that needs no name beside it.
            (start == end).then_some(())?;
            let value = bare(bytes, start, runs)?;
            accept(text, Kind::Weak, Form::Tight, value)
        }
        Joint::Is => match quoted(text, start, runs) {
            Some(value) => accept(text, kind, Form::Quoted, value),
            None => accept(text, Kind::Weak, Form::Loose, bare(bytes, start, runs)?),
        },
        Joint::Comma => {
            // The second argument of a call, not the next member of an object or of a list of words.
            let opened = bytes[..name.start]
                .iter()
                .rev()
                .find(|byte| !matches!(byte, b'"' | b'\'' | b'\\' | b'`' | b' '));
            let called = bytes[end - 1] == b'(';
            (called || opened == Some(&b'(')).then_some(())?;
            let kind = if called && kind != Kind::Password { Kind::Weak } else { kind };
            let value = quoted(text, start, runs)?;
            let (closed, _) = skip_closers(bytes, value.end);
            let member = bytes.get(skip_space(bytes, closed)) == Some(&b':');
            accept(text, kind, Form::Quoted, value).filter(|_| !member)
        }
        Joint::Space if !flag => {
            // In prose a quoted word often follows a name; only a password needs no more than that.
            let value = if bytes.get(start) == Some(&b'`') { None } else { quoted(text, start, runs) };
            let kind = match kind {
                Kind::Password if value.is_some() => kind,
                Kind::Password | Kind::Secret | Kind::Key => Kind::Owned,
                _ => Kind::Weak,
            };
            let value = value.or_else(|| bare(bytes, start, runs))?;
            (value.len() >= SPACED_LEAST || kind == Kind::Password).then_some(())?;
            accept(text, kind, Form::Quoted, value)
        }
        Joint::Equals | Joint::Colon | Joint::Space => {
            if let Some(value) = quoted(text, start, runs) {
                return accept(text, kind, Form::Quoted, value);
            }
            let tight = joint == Joint::Equals && start == end && !spaced;
            let start = if joint == Joint::Colon { block_start(bytes, start) } else { start };
            let value = bare(bytes, start, runs)?;
            accept(text, kind, if tight { Form::Tight } else { Form::Loose }, value)
        }
    }
}

/// Returns the literal that the name is compared with from the other side: `"literal" == name`.
fn value_before(text: &str, name: &Range<usize>, kind: Kind) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut at = name.start;
    while at > 0
        && (within(WORD, bytes[at - 1]) || matches!(bytes[at - 1], b' ' | b'$' | b'.'))
        && name.start - at < 32
    {
        at -= 1;
    }
    let operator = bytes[..at].iter().rev().take(3).take_while(|byte| matches!(byte, b'=' | b'!')).count();
    if operator < 2 {
        return None;
    }
    at -= operator;
    while at > 0 && bytes[at - 1] == b' ' {
        at -= 1;
    }
    let quote = *bytes.get(at.checked_sub(1)?)?;
    if !matches!(quote, b'"' | b'\'' | b'`') {
        return None;
    }
    let end = at - 1;
    let floor = end.saturating_sub(256);
    let length = bytes[floor..end].iter().rev().take_while(|byte| **byte != quote && **byte != b'\n').count();
    let start = end - length;
    (start > floor && bytes[start - 1] == quote).then_some(())?;
    accept(text, kind, Form::Quoted, start..end)
}

fn accept(text: &str, kind: Kind, form: Form, value: Range<usize>) -> Option<Range<usize>> {
    // A long value is judged by its head: it is either all secret or none.
    let shown = text.get(value.start..floor(text, value.end.min(value.start + JUDGED)))?;
    if values::is_secret(kind, form, shown) {
        return Some(value);
    }
    // Between quotes there may be more than the key: a scheme before it, braces or space around it.
    if form != Form::Quoted || shown.len() == JUDGED {
        return None;
    }
    let longest = shown.split([' ', '{', '}', '\t']).max_by_key(|word| word.len())?;
    let kind = if matches!(kind, Kind::Key | Kind::Secret) { Kind::Owned } else { Kind::Weak };
    let alone = longest.len() >= SPACED_LEAST && longest.len() < shown.len();
    let at = value.start + shown.find(longest)?;
    (alone && values::is_secret(kind, form, longest)).then_some(at..at + longest.len())
}

/// Steps over what closes a name: quotes, also escaped ones, and brackets.
fn skip_closers(bytes: &[u8], mut at: usize) -> (usize, bool) {
    let mut quoted = false;
    for _ in 0..8 {
        match bytes.get(at) {
            Some(b'"' | b'\'' | b'`') => quoted = true,
            Some(b'\\') if matches!(bytes.get(at + 1), Some(b'"' | b'\'' | b'\\')) => {}
            Some(b']' | b'*') => {}
            _ => break,
        }
        at += 1;
    }
    (at, quoted)
}

/// Steps over the number in `Unseal Key 2:`.
fn skip_ordinal(bytes: &[u8], at: usize) -> usize {
    let end =
        at + 1 + bytes.get(at + 1..).map_or(0, |rest| rest.iter().take_while(|b| b.is_ascii_digit()).count());
    if bytes.get(at) == Some(&b' ') && end - at > 1 && end - at < 4 && bytes.get(end) == Some(&b':') {
        end
    } else {
        at
    }
}

pub(super) fn skip_space(bytes: &[u8], at: usize) -> usize {
    at + bytes[at.min(bytes.len())..].iter().take(64).take_while(|byte| matches!(byte, b' ' | b'\t')).count()
}

/// Reads what joins a name with its value.
fn joint(
    bytes: &[u8],
    at: usize,
    name: &Range<usize>,
    quoted_name: bool,
    spaced: bool,
) -> Option<(Joint, usize)> {
    let count =
        |from: usize, set: &[u8]| bytes[from..].iter().take(4).take_while(|b| set.contains(b)).count();
    let lead = count(at, b":?+.|!<-");
    let equals = count(at + lead, b"=");
    let signs = lead
        + equals
        + if equals > 0 || lead == 0 || bytes[at + lead - 1] == b'-' {
            count(at + lead + equals, b">").min(1)
        } else {
            0
        };
    let operator = &bytes[at..at + signs];
    let before = name.start.checked_sub(1).map(|index| bytes[index]);
    match operator {
        b":" => Some((Joint::Colon, at + 1)),
        b"::" => None,
        b">" if matches!(before, Some(b'<' | b':')) => Some((Joint::Tag, at + 1)),
        b"->" | b"<-" => Some((Joint::Equals, at + 2)),
        b"||" | b"??" => Some((Joint::Equals, at + 2)),
        _ if equals > 0 && operator != b"<=" => Some((Joint::Equals, at + signs)),
        _ if operator.starts_with(b":") && !operator.starts_with(b"::") => Some((Joint::Colon, at + 1)),
        _ => match bytes.get(at)? {
            b',' if quoted_name || !spaced => Some((Joint::Comma, at + 1)),
            b'(' if !spaced && matches!(bytes.get(at + 1), Some(b'"' | b'\'')) => {
                Some((Joint::Comma, at + 1))
            }
            b'-' if spaced && bytes[at..].starts_with(b"- ") => Some((Joint::Is, at + 2)),
            b'i' if spaced && bytes[at..].starts_with(b"is ") => Some((Joint::Is, at + 3)),
            _ if spaced && !quoted_name => Some((Joint::Space, at)),
            _ => None,
        },
    }
}

/// Steps over a type between a name and its value: `name: string = "…"`, `name string = "…"`.
fn skip_type(bytes: &[u8], joint: Joint, start: usize, spaced: bool) -> (Joint, usize) {
    let eligible = joint == Joint::Colon || joint == Joint::Space && spaced;
    if !eligible
        || !bytes.get(start).is_some_and(|b| b.is_ascii_alphabetic() || matches!(b, b'&' | b'*' | b'['))
    {
        return (joint, start);
    }
    let length = bytes[start..]
        .iter()
        .take(48)
        .take_while(|b| {
            within(WORD, **b)
                || matches!(b, b'<' | b'>' | b'[' | b']' | b'|' | b'?' | b'&' | b'*' | b'\'' | b' ' | b'.')
        })
        .count();
    let after = start + length;
    match (bytes.get(after), bytes.get(after + 1)) {
        (Some(b'='), Some(next)) if bytes[after - 1] == b' ' && *next != b'=' && *next != b'>' => {
            (Joint::Equals, skip_space(bytes, after + 1))
        }
        _ => (joint, start),
    }
}

/// Returns the start of a YAML block (`name: |`), or `at` where there is none.
fn block_start(bytes: &[u8], at: usize) -> usize {
    if !matches!(bytes.get(at), Some(b'|' | b'>')) {
        return at;
    }
    let sign = at + 1 + usize::from(matches!(bytes.get(at + 1), Some(b'-' | b'+')));
    if bytes.get(sign) == Some(&b'\n') { skip_space(bytes, sign + 1) } else { at }
}

/// Returns what stands between quotes at `at`, with the letters before them that some languages allow.
fn quoted(text: &str, at: usize, runs: &mut Runs<'_>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let mut open = at;
    while open < at + 2
        && matches!(
            bytes.get(open),
            Some(b'@' | b'b' | b'B' | b'r' | b'R' | b'u' | b'U' | b'f' | b'F' | b'$')
        )
    {
        open += 1;
    }
    let slashes = bytes[open.min(bytes.len())..].iter().take(8).take_while(|byte| **byte == b'\\').count();
    let quote = *bytes.get(open + slashes)?;
    if !matches!(quote, b'"' | b'\'' | b'`') {
        return None;
    }
    let mut start = open + slashes + 1;
    if bytes[start..].starts_with(&[quote, quote]) {
        start += 2;
    }
    let mut end = start;
    let ceiling = (start + VALUE_REACH).min(bytes.len());
    while end < ceiling {
        match bytes[end] {
            b'\n' => break,
            byte if byte == quote => {
                let before = bytes[start..end].iter().rev().take_while(|byte| **byte == b'\\').count();
                // A deeper quote is part of the value, one of our depth or less ends it.
                if before <= slashes {
                    return Some(start..end - before);
                }
            }
            _ => {}
        }
        end += 1;
    }
    // Nothing closes it on this line: the text was cut, or a quote is missing.
    bare(bytes, start, runs)
}

/// Returns a bare value at `at`.
fn bare(bytes: &[u8], at: usize, runs: &mut Runs<'_>) -> Option<Range<usize>> {
    let mut end = runs.end(at, BARE);
    while end > at && matches!(bytes[end - 1], b'.' | b':' | b'?' | b'|') {
        end -= 1;
    }
    // What goes on as a call, an index or a generic type is code.
    let code = matches!(bytes.get(end), Some(b'(' | b'[' | b'{' | b'<'))
        || matches!(bytes.get(end), Some(b'"' | b'\'' | b'`')) && end - at < 3;
    (end > at && !code).then_some(at..end)
}

/// Returns the text of an element, without the space around it.
fn tagged(text: &str, at: usize) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let ceiling = (at + VALUE_REACH).min(bytes.len());
    let end = at + bytes[at.min(ceiling)..ceiling].iter().position(|byte| *byte == b'<')?;
    if bytes.get(end + 1) != Some(&b'/') {
        return None;
    }
    let inner = text.get(at..end)?;
    let start = at + (inner.len() - inner.trim_start().len());
    let inner = inner.trim();
    (!inner.contains('\n')).then_some(start..start + inner.len())
}

/// Returns the value in `name="password" value="…"` and `"name": "password", "value": "…"`.
fn value_attribute(text: &str, at: usize, runs: &mut Runs<'_>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let gap = |at: usize| {
        at + bytes[at.min(bytes.len())..]
            .iter()
            .take(40)
            .take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b',' | b'"' | b'\'' | b'\\'))
            .count()
    };
    let word = gap(at);
    if !bytes[word.min(bytes.len())..].starts_with(b"value") {
        return None;
    }
    let (closed, _) = skip_closers(bytes, word + 5);
    let sign = skip_space(bytes, closed);
    if !matches!(bytes.get(sign), Some(b'=' | b':')) {
        return None;
    }
    quoted(text, skip_space(bytes, sign + 1), runs)
}
