//! What tools print before the text of a line: numbers, arrows, marks of quotes and of differences.

/// Returns where the text of a line begins that starts at `from`: behind a number with its sign
/// (`     2→`, `12:`, `12-`, `12|`, a tabulator), marks of a quote (`> `), a difference (`+`, `-`), a
/// comment or a list, and space.
pub(super) fn skip(bytes: &[u8], from: usize) -> usize {
    let mut at = spaces(bytes, from + path(bytes, from));
    let digits = bytes[at..].iter().take(7).take_while(|byte| byte.is_ascii_digit()).count();
    if digits > 0 && digits < 7 {
        let sign = at + digits;
        let length = match &bytes[sign..] {
            [b':' | b'-' | b'|' | b'\t', ..] => 1,
            rest if rest.starts_with("→".as_bytes()) || rest.starts_with("│".as_bytes()) => 3,
            rest if rest.starts_with(b"\\t") => 2,
            rest if rest.starts_with(b"\\u2192") => 6,
            [b' ', b' ' | b'|', ..] => 2,
            _ => 0,
        };
        if length > 0 {
            at = spaces(bytes, sign + length);
        }
    }
    for _ in 0..8 {
        let mark = match &bytes[at.min(bytes.len())..] {
            [b'>' | b'+' | b'|' | b'*' | b'#', ..] => 1,
            // A dash is the mark of a line that went, or of an item; armour begins with more of them.
            [b'-', next, ..] if *next != b'-' => 1,
            [b'/', b'/', ..] => 2,
            rest if rest.starts_with("│".as_bytes()) => 3,
            _ => break,
        };
        at = spaces(bytes, at + mark);
    }
    at
}

/// Returns the length of the path that a search prints before the number of a line (`src/a.txt:12:`).
fn path(bytes: &[u8], from: usize) -> usize {
    let line = bytes.get(from..bytes.len().min(from + 160)).unwrap_or_default();
    let part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'/' | b'-' | b'@');
    let whole = line.iter().take_while(|byte| part(byte)).count();
    if !line[..whole].contains(&b'.') && !line[..whole].contains(&b'/') {
        return 0;
    }
    let numbered = |sign: usize| {
        let digits = line[sign + 1..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let close = line.get(sign + 1 + digits);
        digits > 0 && matches!((line[sign], close), (b':', Some(b':' | b'-')) | (b'-', Some(b'-')))
    };
    let dashes = (1..whole).filter(|at| line[*at] == b'-');
    dashes
        .chain((whole < line.len() && line[whole] == b':').then_some(whole))
        .find(|at| numbered(*at))
        .map_or(0, |sign| sign + 1)
}

/// Returns where the line that ends at or behind `at` ends, and where the next one begins; escaped
/// breaks are breaks.
pub(super) fn line_end(bytes: &[u8], at: usize, ceiling: usize) -> Option<(usize, usize)> {
    let mut end = at;
    while end < ceiling.min(bytes.len()) {
        match bytes[end] {
            b'\n' => return Some((end, end + 1)),
            b'\\' => {
                let slashes = bytes[end..].iter().take(8).take_while(|byte| **byte == b'\\').count();
                if matches!(bytes.get(end + slashes), Some(b'n' | b'r')) {
                    return Some((end, end + slashes + 1));
                }
                end += slashes;
            }
            _ => end += 1,
        }
    }
    None
}

/// Returns where the line begins that `at` stands on; escaped breaks are breaks.
pub(super) fn line_start(bytes: &[u8], at: usize, reach: usize) -> usize {
    let floor = at.saturating_sub(reach);
    let mut start = at;
    while start > floor {
        match bytes[start - 1] {
            b'\n' => return start,
            b'n' | b'r' if start >= 2 && bytes[start - 2] == b'\\' => return start,
            _ => start -= 1,
        }
    }
    start
}

/// Steps over spaces and tabulators, as many as there are on a line that is indented.
fn spaces(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().take(120).take_while(|byte| matches!(byte, b' ' | b'\t' | b'\r')).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tools_print_before_a_line_is_no_part_of_it() {
        let check = |line: &str, text: &str| assert_eq!(&line[skip(line.as_bytes(), 0)..], text, "{line}");
        for before in [
            "",
            "  ",
            "     2→",
            "12:",
            "src/a-b.txt:12:",
            "src/a-b.txt-12-",
            "12-",
            "    12\t",
            " 7 | ",
            "> ",
            "> > ",
            "+",
            "-",
            "- ",
            "# ",
            "// ",
        ] {
            check(&format!("{before}password: x"), "password: x");
        }
        check("-----BEGIN", "-----BEGIN");
        check("2024 was a year", "2024 was a year");
    }

    #[test]
    fn escaped_breaks_end_a_line() {
        assert_eq!(line_end(b"ab\ncd", 0, 9), Some((2, 3)));
        assert_eq!(line_end(b"ab\\ncd", 0, 9), Some((2, 4)));
        assert_eq!(line_end(b"a\\\"b\\\\ncd", 0, 9), Some((4, 7)));
        assert_eq!(line_start(b"ab\\ncd", 6, 80), 4);
        assert_eq!(line_start(b"ab\ncd", 5, 80), 3);
    }
}
