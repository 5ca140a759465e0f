//! Cuts prose into sentences and takes the markup out of them.

use lore_core::text::is_cut_short;

/// Cuts a paragraph into sentences; code spans and parentheses are never cut.
pub fn sentences(paragraph: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut code = false;
    let mut depth = 0_u32;
    let mut chars = paragraph.char_indices().peekable();
    while let Some((at, letter)) = chars.next() {
        match letter {
            '`' => code = !code,
            '(' | '[' if !code => depth += 1,
            ')' | ']' if !code => depth = depth.saturating_sub(1),
            '\n' if !code => {
                push(paragraph, start, at, &mut found);
                start = at + 1;
                depth = 0;
            }
            '.' | '!' | '?' if !code && depth == 0 => {
                let mut end = at + 1;
                while let Some(&(next, mark)) = chars.peek() {
                    if !matches!(mark, '.' | '!' | '?' | '"' | '”' | '*' | '\'' | '’' | ')') {
                        break;
                    }
                    end = next + mark.len_utf8();
                    chars.next();
                }
                let ends = match chars.peek() {
                    None => true,
                    Some(&(_, next)) => next.is_whitespace() && opens_sentence(&paragraph[end..]),
                };
                let (before, after) = (&paragraph[start..at], &paragraph[end..]);
                if ends && !(letter == '.' && (is_abbreviation(before) || is_day(before, after))) {
                    push(paragraph, start, end, &mut found);
                    start = end;
                }
            }
            _ => {}
        }
    }
    push(paragraph, start, paragraph.len(), &mut found);
    found
}

/// Takes emphasis, links, check marks and surplus blanks out of a line; code spans stay as they are.
pub(crate) fn plain(line: &str) -> String {
    let mut out = String::with_capacity(line.len());
    let mut rest = line.trim();
    let mut code = false;
    while let Some(letter) = rest.chars().next() {
        let width = letter.len_utf8();
        if letter == '`' {
            code = !code;
        }
        if !code {
            if let Some(after) = rest.strip_prefix("**").or_else(|| rest.strip_prefix("~~")) {
                rest = after;
                continue;
            }
            if let Some((text, after)) = link(rest) {
                out.push_str(text);
                rest = after;
                continue;
            }
            // Between words a picture stands for one: "use 🔔 for arrivals".
            let decorates = is_ornament(letter) && !is_word(&out, rest);
            if letter == '*' && is_emphasis(&out, &rest[width..]) || decorates {
                rest = &rest[width..];
                continue;
            }
            if letter.is_whitespace() {
                if !out.is_empty() && !out.ends_with(' ') {
                    out.push(' ');
                }
                rest = &rest[width..];
                continue;
            }
        }
        out.push(letter);
        rest = &rest[width..];
    }
    out.truncate(out.trim_end().len());
    out
}

/// Counts the words of a text.
pub(crate) fn word_count(text: &str) -> usize {
    text.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).count()
}

/// Yields lower-case words of letters, digits and underscores, without the punctuation around them.
pub(crate) fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '\'' | '’')))
        .map(|word| word.trim_matches(['\'', '’']))
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}

fn push<'a>(text: &'a str, start: usize, end: usize, into: &mut Vec<&'a str>) {
    let sentence = text[start..end].trim();
    if sentence.chars().any(char::is_alphanumeric) {
        into.push(sentence);
    }
}

fn opens_sentence(rest: &str) -> bool {
    rest.trim_start()
        .chars()
        .next()
        .is_none_or(|first| !first.is_lowercase() && !matches!(first, ',' | ';' | '='))
}

/// "Ab 1. Oktober": the mark makes a day of the number.
pub(crate) fn is_day(before: &str, after: &str) -> bool {
    const MONTHS: [&str; 18] = [
        "jan", "jän", "feb", "mär", "mar", "maa", "apr", "mai", "mei", "jun", "jul", "aug", "sep", "okt",
        "oct", "nov", "dez", "dec",
    ];
    let number = before.rsplit(' ').next().unwrap_or_default();
    let next = after.trim_start().to_lowercase();
    number.parse::<u8>().is_ok_and(|day| (1..=31).contains(&day))
        && MONTHS.iter().any(|month| next.starts_with(month))
}

fn is_abbreviation(before: &str) -> bool {
    let last = before.rsplit(|c: char| c.is_whitespace() || c == '(').next().unwrap_or_default();
    // A list number ("1.") ends nothing either.
    let number = !last.is_empty()
        && last.len() <= 2
        && last.chars().all(|c| c.is_ascii_digit())
        && before.trim() == last;
    number || is_cut_short(before)
}

/// Splits `[text](address)…` into the text and what follows.
fn link(rest: &str) -> Option<(&str, &str)> {
    let inner = rest.strip_prefix('[')?;
    let close = inner.find("](")?;
    let text = &inner[..close];
    if text.contains(['[', '\n']) {
        return None;
    }
    let end = inner[close..].find(')')?;
    Some((text.trim_matches('`'), &inner[close + end + 1..]))
}

fn is_emphasis(before: &str, after: &str) -> bool {
    let opens = before.chars().next_back().is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '"' | '—'))
        && after.chars().next().is_some_and(|c| c.is_alphanumeric() || c == '`')
        && after.contains('*');
    let closes =
        before.chars().next_back().is_some_and(|c| c.is_alphanumeric() || matches!(c, '`' | '.' | '!' | ')'))
            && after.chars().next().is_none_or(|c| c.is_whitespace() || c.is_ascii_punctuation());
    opens || closes
}

/// Tells whether pictures at the front of a text stand between words, as one of them.
fn is_word(before: &str, pictures: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || is_ornament(letter);
    let behind = pictures.trim_start_matches(is_ornament).trim_start();
    before.trim_end().ends_with(is_letter)
        && behind.starts_with(|c: char| c.is_lowercase() || c.is_ascii_digit())
}

/// Tells whether a character is a picture rather than a letter.
pub(crate) fn is_ornament(letter: char) -> bool {
    matches!(u32::from(letter), 0x1F300..=0x1FAFF | 0x2600..=0x27BF | 0xFE0F | 0x200D | 0x2B50 | 0x2B55)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(paragraph: &str, expected: &[&str]) {
        assert_eq!(sentences(paragraph), expected);
    }

    #[test]
    fn cuts_at_the_end_of_sentences_only() {
        check("One. Two! Three?", &["One.", "Two!", "Three?"]);
        check("Use tools, e.g. Make. Then stop.", &["Use tools, e.g. Make.", "Then stop."]);
        check("Set `a. B` first. Done", &["Set `a. B` first.", "Done"]);
        check(
            "It is 1.5 times (ca. Twice. Or so) faster. Good",
            &["It is 1.5 times (ca. Twice. Or so) faster.", "Good"],
        );
        check("first line\nsecond line", &["first line", "second line"]);
        check("see main.rs for it", &["see main.rs for it"]);
        check("1. Item", &["1. Item"]);
        check("... !", &[]);
    }

    #[test]
    fn takes_the_markup_out() {
        assert_eq!(plain("✅ **Bold** and *soft* with [a link](http://x.y)"), "Bold and soft with a link");
        assert_eq!(plain("keep `**code**` and 2 * 3"), "keep `**code**` and 2 * 3");
        assert_eq!(
            plain("use 🔔 for arrivals and ⚓️ for berths 🎉"),
            "use 🔔 for arrivals and ⚓️ for berths"
        );
        assert_eq!(plain("Done ✅ The bell rings"), "Done The bell rings");
        assert_eq!(plain("  a   b "), "a b");
        assert_eq!(plain("glob *.rs stays"), "glob *.rs stays");
    }

    #[test]
    fn words_lose_their_punctuation() {
        assert_eq!(words("Don't use `foo_bar`, ok?").collect::<Vec<_>>(), ["don't", "use", "foo_bar", "ok"]);
        assert_eq!(word_count("a - b"), 2);
    }
}
