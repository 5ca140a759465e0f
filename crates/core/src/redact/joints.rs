//! What joins a name with its value.

use std::ops::Range;

use super::bytes::{WORD, within};
use super::literals::{skip_closers, skip_ordinal, skip_space};

/// How a name and its value are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Joint {
    /// `=`, `:=`, `+=`, `=>`, `->` and their kin; compared (`==`) counts as well.
    Equals,
    Colon,
    Comma,
    /// An opening bracket, as in `password("…")`.
    Call,
    /// A space, as between a flag and its argument.
    Space,
    /// The end of an opening tag.
    Tag,
    /// `is`, in a sentence.
    Is,
}

/// A name with what stands between it and its value.
pub(super) struct Joined {
    pub(super) joint: Joint,
    /// Where the operator ends.
    pub(super) end: usize,
    /// Where the value starts.
    pub(super) start: usize,
    /// Whether quotes closed the name.
    pub(super) quoted_name: bool,
    /// Whether space stands before the operator.
    pub(super) spaced: bool,
    /// Whether the name is a flag of a command.
    pub(super) flag: bool,
}

/// Reads on from the end of a name to the start of its value.
pub(super) fn read(bytes: &[u8], name: &Range<usize>) -> Option<Joined> {
    let before = name.start.checked_sub(1).map(|index| bytes[index]);
    let (closed, quoted_name) = skip_closers(bytes, name.end);
    let closed = skip_ordinal(bytes, closed);
    let at = skip_space(bytes, closed);
    let spaced = at > closed;
    let (joint, end) = match operator(bytes, at) {
        Sign::Colon => (Joint::Colon, at + 1),
        Sign::Equals(length) => (Joint::Equals, at + length),
        Sign::Greater if matches!(before, Some(b'<' | b':')) => (Joint::Tag, at + 1),
        Sign::Greater | Sign::Path => return None,
        Sign::None => match bytes.get(at)? {
            b',' if quoted_name || !spaced => (Joint::Comma, at + 1),
            b'(' if !spaced && matches!(bytes.get(at + 1), Some(b'"' | b'\'')) => (Joint::Call, at + 1),
            b'-' if spaced && bytes[at..].starts_with(b"- ") => (Joint::Is, at + 2),
            b'i' if spaced && bytes[at..].starts_with(b"is ") => (Joint::Is, at + 3),
            _ if spaced && !quoted_name => (Joint::Space, at),
            _ => return None,
        },
    };
    let mut joined =
        Joined { joint, end, start: skip_space(bytes, end), quoted_name, spaced, flag: before == Some(b'-') };
    joined.skip_marks(bytes);
    joined.skip_line(bytes);
    joined.skip_type(bytes);
    Some(joined)
}

/// The signs of an operator.
enum Sign {
    Colon,
    /// Something with `=`, or another sign that sets a value, of this length.
    Equals(usize),
    Greater,
    /// `::`, which leads on to another name.
    Path,
    None,
}

fn operator(bytes: &[u8], at: usize) -> Sign {
    let count =
        |from: usize, set: &[u8]| bytes[from..].iter().take(4).take_while(|b| set.contains(b)).count();
    let lead = count(at, b":?+.|!<-");
    let equals = count(at + lead, b"=");
    let arrow = bytes.get(at + lead + equals) == Some(&b'>');
    match &bytes[at..at + lead] {
        b"<" if equals == 1 => Sign::None,
        _ if equals > 0 => Sign::Equals(lead + equals + usize::from(arrow)),
        b"" if arrow => Sign::Greater,
        b"-" if arrow => Sign::Equals(2),
        b"<-" | b"||" | b"??" => Sign::Equals(2),
        [b':', b':', ..] => Sign::Path,
        [b':', ..] => Sign::Colon,
        _ => Sign::None,
    }
}

impl Joined {
    /// Steps over marks of emphasis and tags that close behind the sign: `**Password:** x`, `<b>Password:</b> x`.
    fn skip_marks(&mut self, bytes: &[u8]) {
        if self.joint != Joint::Colon {
            return;
        }
        let marks = bytes[self.end..].iter().take(3).take_while(|byte| matches!(byte, b'*' | b'_')).count();
        let tag = match bytes[self.end..].strip_prefix(b"</") {
            Some(tag) => tag.iter().take(8).position(|byte| *byte == b'>').map_or(0, |length| length + 3),
            None => 0,
        };
        let after = self.end + marks.max(tag);
        if after > self.end && bytes.get(after) == Some(&b' ') {
            self.start = skip_space(bytes, after);
        }
    }

    /// Goes on to the next line where the literal stands there alone.
    fn skip_line(&mut self, bytes: &[u8]) {
        if self.joint == Joint::Equals && bytes.get(self.start) == Some(&b'\n') {
            let next = skip_space(bytes, self.start + 1);
            if matches!(bytes.get(next), Some(b'"' | b'\'')) {
                self.start = next;
            }
        }
    }

    /// Steps over a type between a name and its value: `name: string = "…"`, `name string = "…"`.
    fn skip_type(&mut self, bytes: &[u8]) {
        let eligible = self.joint == Joint::Colon || self.joint == Joint::Space;
        let first = bytes.get(self.start).copied().unwrap_or_default();
        if !eligible || !(first.is_ascii_alphabetic() || matches!(first, b'&' | b'*' | b'[')) {
            return;
        }
        let part = |b: &&u8| within(WORD, **b) || b"<>[]|?&*' .".contains(b);
        let after = self.start + bytes[self.start..].iter().take(48).take_while(part).count();
        let set = bytes.get(after) == Some(&b'=') && bytes[after - 1] == b' ';
        if set && !matches!(bytes.get(after + 1), None | Some(b'=' | b'>')) {
            self.joint = Joint::Equals;
            self.start = skip_space(bytes, after + 1);
        }
    }
}
