//! Numbers as people write them: blanks between the thousands are no end of a number.

use std::borrow::Cow;

/// Digits in a group that a blank stands before.
const GROUP: usize = 3;

/// Writes numbers such as `35 000` without the blanks, so that they are read whole.
pub fn joined_numbers(text: &str) -> Cow<'_, str> {
    let mut joined: Option<String> = None;
    let mut done = 0;
    let mut at = 0;
    while let Some(start) = text[at..].find(|c: char| c.is_ascii_digit()).map(|found| at + found) {
        let first = digits(&text[start..]);
        at = start + first;
        let before = text[..start].chars().next_back();
        // A version, a decimal place or the end of a name has no thousands.
        let stands_alone = before.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '.' | ',' | '_' | ':'));
        if !stands_alone || first > GROUP || text[start..].starts_with('0') {
            continue;
        }
        let mut groups = vec![&text[start..at]];
        while let Some((group, end)) = group_at(text, at) {
            groups.push(group);
            at = end;
        }
        if groups.len() > 1 {
            let out = joined.get_or_insert_default();
            out.push_str(&text[done..start]);
            out.push_str(&groups.concat());
            done = at;
        }
    }
    match joined {
        Some(mut out) => {
            out.push_str(&text[done..]);
            Cow::Owned(out)
        }
        None => Cow::Borrowed(text),
    }
}

/// Returns the next three digits behind one blank, and where they end.
fn group_at(text: &str, at: usize) -> Option<(&str, usize)> {
    let rest = &text[at..];
    let blank =
        rest.chars().next().filter(|c| matches!(c, ' ' | '\u{a0}' | '\u{2009}' | '\u{202f}' | '\''))?;
    let group = &rest[blank.len_utf8()..];
    let after = group.get(GROUP..)?;
    let is_whole = digits(group) == GROUP
        && !after.starts_with(|c: char| c.is_alphabetic() || c == '_')
        // `40 443/tcp` and `12 120.5` are two things each; `1 500.` ends a sentence.
        && !(after.starts_with(['/', '.', ':', '-']) && after[1..].starts_with(char::is_alphanumeric));
    is_whole.then(|| (&group[..GROUP], at + blank.len_utf8() + GROUP))
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_joined_and_nothing_else() {
        let check = |text: &str, expected: &str| assert_eq!(joined_numbers(text), expected);
        check("serialise 34 560 rows?", "serialise 34560 rows?");
        check("1 000 000 tiles, then 2 500.", "1000000 tiles, then 2500.");
        check("12\u{a0}000 and 7\u{202f}400 and 9'300", "12000 and 7400 and 9300");
        check("up to 35 000", "up to 35000");
        for kept in [
            "3 rows",
            "release 4.2 300 times",
            "12 34 rows",
            "2026 100 rows",
            "0 100",
            "v2 300",
            "40 443/tcp",
            "12 3456",
            "größe 5",
            "",
            "7 300ms",
            "step 3 1200",
        ] {
            check(kept, kept);
        }
    }
}
