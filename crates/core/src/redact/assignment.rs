//! A name, an operator and a literal, in every syntax that sets one.

use std::ops::Range;

use super::bytes::{BARE, Runs, WORD, run_end, within};
use super::directives::{directive, is_directive, to_line_end};
use super::gutters;
use super::joints::{self, Joined, Joint};
use super::literals::{
    bare, block_start, quoted, skip_closers, skip_ordinal, skip_space, tagged, value_attribute,
};
use super::manifests;
use super::names::{self, Kind};
use super::sentences;
use super::shapes::floor;
use super::tables;
use super::values::{self, Form};
use super::wordlike;

/// How far a name reaches to either side of the word that caught our eye.
const NAME_REACH: usize = 80;
/// How much of a value is looked at.
pub(super) const JUDGED: usize = 256;
/// How long a bare value behind a name and a space is at least.
const SPACED_LEAST: usize = 16;

/// What one look at a name found.
pub(super) struct Look {
    /// Where the name ends; nothing before it needs another look.
    pub(super) name_end: usize,
    /// Where the secret stands.
    pub(super) value: Option<Range<usize>>,
    /// Where secrets stand below a name that heads a column.
    pub(super) column: Vec<Range<usize>>,
    /// The rule that says so.
    pub(super) rule: &'static str,
}

/// Looks at the name around an anchor and at what is assigned to it.
pub(super) fn look(text: &str, anchor: Range<usize>, runs: &mut Runs<'_>) -> Look {
    let bytes = text.as_bytes();
    let name = name_around(bytes, anchor);
    let mut look = Look { name_end: name.end, value: None, column: Vec::new(), rule: "assignment" };
    if !may_be_set(bytes, &name) {
        return look;
    }
    let Some(kind) = names::kind(&text[with_owner(text, &name)..name.end]) else { return look };
    let queried = name.start > 0 && matches!(bytes[name.start - 1], b'?' | b'&');
    let kind = if queried && kind == Kind::Weak { Kind::Key } else { kind };
    if kind == Kind::Weak && look.value.is_none() {
        look.value = sentences::pair(text, &name);
    }
    if look.value.is_some() {
        return look;
    }
    look.value = match kind {
        Kind::Authorization | Kind::Cookie => None,
        _ => value_after(text, &name, kind, runs)
            .or_else(|| value_apart(text, &name, kind, runs))
            .or_else(|| value_before(text, &name, kind))
            .or_else(|| sentences::value(text, &name, kind)),
    };
    let plain = matches!(kind, Kind::Password | Kind::Secret | Kind::Key | Kind::Pin);
    if look.value.is_none() && plain {
        tables::below(text, &name, kind, &mut look.column);
    }
    look.rule = match kind {
        Kind::Password | Kind::Pin => "password",
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
        Some(b'\t' | b';') => true,
        Some(b'v' | b'\n' | b'\r' | b'{' | b'}') if quoted => true,
        Some(b'\n' | b'\r') => may_go_on(bytes, name, at) || compared(),
        Some(_) if at > closed && sentences::may_follow(&bytes[at..]) => true,
        Some(_)
            if at > closed
                && (is_directive(bytes, name)
                    || bytes[name.clone()].starts_with(b"pass") && has_user(bytes, name.start)) =>
        {
            true
        }
        Some(byte) if at > closed => {
            name.start > 0 && bytes[name.start - 1] == b'-'
                || run_end(&bytes[..(at + SPACED_LEAST).min(bytes.len())], at, BARE) == at + SPACED_LEAST
                || byte.is_ascii_alphabetic() && has_type(bytes, at)
                || compared()
        }
        None => may_go_on(bytes, name, at),
        _ => compared() || sentences::may_precede(&bytes[..name.start]),
    }
}

/// Tells whether a name at the end of a line may head a column, have its value below it, or be what a
/// sentence says of the words before.
fn may_go_on(bytes: &[u8], name: &Range<usize>, at: usize) -> bool {
    let before = bytes[..name.start].iter().rev().take(20).find(|byte| !b" \"'`*".contains(byte));
    let value = || {
        let below = gutters::skip(bytes, (at + 1).min(bytes.len()));
        bytes.get(below..below + 6).is_some_and(|word| memchr::memmem::find(word, b"alue").is_some())
    };
    matches!(before, Some(b',' | b'|' | b'\t' | b';'))
        || value()
        || sentences::may_precede(&bytes[..name.start])
}

/// Returns the value that a manifest or a table holds apart from its name.
fn value_apart(text: &str, name: &Range<usize>, kind: Kind, runs: &mut Runs<'_>) -> Option<Range<usize>> {
    let given = manifests::value_below(text, name.end, runs)
        .or_else(|| manifests::value_element(text, name.end))
        .or_else(|| manifests::value_around(text, name));
    if let Some(value) = given {
        return accept(text, kind, Form::Quoted, value);
    }
    tables::beside(text, name, kind)
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
    // The number of a line, as a search prints it before the lines around a hit.
    let digits = bytes[name.start..anchor.start].iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits > 0 && bytes[name.start + digits] == b'-' && name.start + digits < anchor.start {
        name.start += digits + 1;
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
    let (closed, quoted_name) = skip_closers(bytes, name.end);
    if quoted_name && let Some(value) = value_attribute(text, closed, runs) {
        return accept(text, kind, Form::Quoted, value);
    }
    let attribute = || {
        let before = &bytes[name.start.saturating_sub(6)..name.start];
        before.ends_with(b"key=\"") || before.ends_with(b"name=\"")
    };
    if quoted_name && bytes.get(closed) == Some(&b'>') && attribute() {
        return accept(text, kind, Form::Quoted, tagged(text, closed + 1)?);
    }
    let joined = joints::read(bytes, name)?;
    let start = joined.start;
    let kind = if is_bare_pass(text, name, &joined) { Kind::Weak } else { kind };
    match joined.joint {
        Joint::Tag => accept(text, kind, Form::Quoted, tagged(text, start)?),
        // A row of a table: only a value that needs no name beside it.
        Joint::Comma if !joined.quoted_name => {
            (start == joined.end).then_some(())?;
            accept(text, Kind::Weak, Form::Tight, bare(bytes, start, runs)?)
        }
        Joint::Comma => {
            let value = quoted(text, start, runs)?;
            is_argument(bytes, name, &value).then_some(())?;
            accept(text, kind, Form::Quoted, value)
        }
        Joint::Call => {
            let kind = if kind == Kind::Password { kind } else { Kind::Weak };
            accept(text, kind, Form::Quoted, quoted(text, start, runs)?)
        }
        Joint::Is => match quoted(text, start, runs) {
            Some(value) => accept(text, kind, Form::Quoted, value),
            None if kind == Kind::Pin => accept(text, kind, Form::Loose, bare(bytes, start, runs)?),
            None => {
                let value = bare(bytes, start, runs)?;
                let dash = bytes[joined.end - 2] == b'-';
                let told = dash && kind == Kind::Password && wordlike::is_no_word(text.get(value.clone())?);
                accept(text, if told { kind } else { Kind::Weak }, Form::Loose, value)
            }
        },
        Joint::Space if !joined.flag => {
            spaced_value(text, start, kind, runs).or_else(|| directive(text, name, start, kind, runs))
        }
        Joint::Equals | Joint::Colon | Joint::Space => {
            if let Some(value) = quoted(text, start, runs) {
                let compared = bytes[..joined.end].ends_with(b"!=") || bytes[..joined.end].ends_with(b"==");
                let words = compared && text.get(value.clone()).is_some_and(wordlike::is_joined_words);
                let told = words && matches!(kind, Kind::Password | Kind::Secret);
                return if told { Some(value) } else { accept(text, kind, Form::Quoted, value) };
            }
            let tight = joined.joint == Joint::Equals && start == joined.end && !joined.spaced;
            let start = if joined.joint == Joint::Colon { block_start(bytes, start) } else { start };
            let form = if tight { Form::Tight } else { Form::Loose };
            let value = bare(bytes, start, runs);
            let judged = value.clone().and_then(|value| accept(text, kind, form, value));
            let set = tight && kind == Kind::Password && is_variable_name(&text[name.clone()]);
            let plain =
                value.filter(|value| set && text.get(value.clone()).is_some_and(wordlike::is_plain_literal));
            judged.or(plain).or_else(|| to_line_end(text, name, start, kind))
        }
    }
}

/// Tells whether a user is named a few words before.
fn has_user(bytes: &[u8], at: usize) -> bool {
    let before = &bytes[at.saturating_sub(40)..at];
    before.windows(4).any(|four| four == b"user") || before.windows(5).any(|five| five == b"login")
}

/// Tells whether a name is that of a variable of the environment.
fn is_variable_name(name: &str) -> bool {
    name.contains('_')
        && name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_')
}

/// Tells whether the name is no more than `pass`, which is also what tests do and what one does with
/// arguments.
fn is_bare_pass(text: &str, name: &Range<usize>, joined: &Joined) -> bool {
    let name = &text[name.clone()];
    let quote = matches!(text.as_bytes().get(joined.start), Some(b'"' | b'\'' | b'\\'));
    let firm = joined.joint == Joint::Equals || joined.joint == Joint::Colon && name == "pass";
    // `pass=` without space and with something that is no word sets it as well.
    let tight = joined.joint == Joint::Equals && joined.start == joined.end && !joined.spaced;
    let word = text.get(joined.start..).and_then(|rest| rest.split(char::is_whitespace).next());
    let told = tight
        && word.is_some_and(|word| word.len() < 64 && wordlike::is_no_word(word) && !word.contains('('));
    name.eq_ignore_ascii_case("pass") && !(quote && firm) && !told
}

/// Tells whether name and value are arguments of a call, not members of an object or of a list of words.
fn is_argument(bytes: &[u8], name: &Range<usize>, value: &Range<usize>) -> bool {
    let opened = bytes[..name.start].iter().rev().take(8).find(|byte| !b"\"'`\\ ".contains(byte));
    let (closed, _) = skip_closers(bytes, value.end);
    opened == Some(&b'(') && bytes.get(skip_space(bytes, closed)) != Some(&b':')
}

/// Returns the value behind a name and a space. In prose a quoted word often follows a name; only a
/// password needs no more than that.
fn spaced_value(text: &str, start: usize, kind: Kind, runs: &mut Runs<'_>) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let value = if bytes.get(start) == Some(&b'`') { None } else { quoted(text, start, runs) };
    let is_password = kind == Kind::Password;
    let kind = match kind {
        Kind::Pin => return accept(text, kind, Form::Loose, bare(bytes, start, runs)?),
        Kind::Password if value.is_some() => kind,
        Kind::Password | Kind::Secret | Kind::Key => Kind::Owned,
        _ => Kind::Weak,
    };
    let value = value.or_else(|| bare(bytes, start, runs))?;
    // A line that says `password 'password'` sets it.
    let ends = matches!(bytes.get(value.end + 1), None | Some(b'\n' | b'\r'));
    if kind == Kind::Password && ends && text.get(value.clone()) == Some("password") {
        return Some(value);
    }
    // `username bob password x`, wherever it stands.
    if is_password
        && has_user(bytes, value.start)
        && text.get(value.clone()).is_some_and(wordlike::is_no_word)
    {
        return accept(text, Kind::Password, Form::Loose, value);
    }
    (value.len() >= SPACED_LEAST || kind == Kind::Password).then_some(())?;
    accept(text, kind, Form::Quoted, value)
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

pub(super) fn accept(text: &str, kind: Kind, form: Form, value: Range<usize>) -> Option<Range<usize>> {
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
