//! Words of a session as a packet shows them: without code, ornament and private folders.

use std::sync::LazyLock;

use lore_core::text::clean;
use lore_core::text::counted;
use regex::Regex;

/// Fenced code of so many lines and characters is short enough to be read where it stands.
const CODE_LINES: usize = 2;
const CODE_LENGTH: usize = 160;

static HOME: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:/home/|/Users/|\b[A-Za-z]:\\+Users\\+)[A-Za-z0-9._-]+")
        .expect("the pattern is a constant")
});

/// Takes out what costs room and says nothing.
pub(super) fn tidy(text: &str) -> String {
    let text = without_home(&clean(text));
    let mut out: Vec<String> = Vec::new();
    let mut fence: Option<(&str, Vec<&str>)> = None;
    for line in text.lines() {
        let mark = ["```", "~~~"].into_iter().find(|mark| line.trim_start().starts_with(mark));
        match (fence.take(), mark) {
            (None, Some(mark)) => fence = Some((mark, Vec::new())),
            (Some((open, code)), Some(mark)) if open == mark => out.extend(shown_code(&code)),
            (Some((open, mut code)), _) => {
                code.push(line);
                fence = Some((open, code));
            }
            (None, None) => out.extend(shown_line(line)),
        }
    }
    if let Some((_, code)) = fence {
        out.extend(shown_code(&code));
    }
    out.join("\n")
}

/// Writes folders of people as `~`.
pub(super) fn without_home(text: &str) -> String {
    HOME.replace_all(text, "~").into_owned()
}

/// Keeps the beginning and the end of a long text and says how much is missing.
pub(super) fn cut(text: &str, head: usize, tail: usize) -> String {
    let length = text.chars().count();
    // The mark takes room as well, and a word in two halves says nothing.
    if length <= head + tail + MARK.min((head + tail) / 8) {
        return text.to_owned();
    }
    let first: String = text.chars().take(head).collect();
    let last: String = text.chars().skip(length - tail).collect();
    let is_blank = |at: usize| text.chars().nth(at).is_none_or(char::is_whitespace);
    let first =
        match first.rfind(char::is_whitespace).filter(|at| !is_blank(head) && first.len() - at <= WORD) {
            Some(at) => first[..at].to_owned(),
            None => first,
        };
    let last = match last.find(char::is_whitespace).filter(|at| !is_blank(length - tail - 1) && *at <= WORD) {
        Some(at) => last[at..].to_owned(),
        None => last,
    };
    let left = length - first.chars().count() - last.chars().count();
    format!("{} […{left}{LEFT_OUT} {}", first.trim_end(), last.trim_start())
}

/// The mark takes so many characters, and so many bytes of a word are not shown in halves.
const MARK: usize = 40;
const WORD: usize = 24;

/// Ends the mark that stands for what was cut.
const LEFT_OUT: &str = " characters left out…]";

/// Tells whether something was cut out of a piece of text.
pub(super) fn is_cut(piece: &str) -> bool {
    piece.contains(LEFT_OUT)
}

/// Cuts to a limit, three quarters of it from the beginning.
pub(super) fn cut_to(text: &str, limit: usize) -> String {
    let tail = limit / 4;
    cut(text, limit - tail, tail)
}

fn shown_code(code: &[&str]) -> Vec<String> {
    let lines: Vec<&str> = code.iter().map(|line| line.trim()).filter(|line| !line.is_empty()).collect();
    let length: usize = lines.iter().map(|line| line.chars().count()).sum();
    if lines.len() <= CODE_LINES && length <= CODE_LENGTH {
        return lines.into_iter().map(str::to_owned).collect();
    }
    vec![format!("[code, {}]", counted(lines.len(), "line", "lines"))]
}

/// Returns a line without marks of headings and emphasis; nothing for an empty one or a rule.
fn shown_line(line: &str) -> Option<String> {
    let line = line.trim_end();
    let bare = line.trim();
    let is_rule =
        bare.len() >= 3 && bare.chars().all(|c| matches!(c, '-' | '|' | ':' | '+' | '=' | ' ' | '─'));
    if bare.is_empty() || is_rule {
        return None;
    }
    let hashes = bare.len() - bare.trim_start_matches('#').len();
    let heading = (1..=6).contains(&hashes) && bare[hashes..].starts_with(' ');
    let text = if heading { bare[hashes..].trim_start() } else { line };
    let mut out = String::with_capacity(text.len());
    for word in without_bold(text).split([' ', '\t']).filter(|word| !word.is_empty()) {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    (!out.is_empty()).then_some(out)
}

/// Takes the marks of bold words out; inside code `**` is part of a pattern.
fn without_bold(text: &str) -> String {
    let pieces: Vec<String> = text
        .split('`')
        .enumerate()
        .map(|(at, piece)| if at % 2 == 1 { piece.to_owned() } else { piece.replace("**", "") })
        .collect();
    pieces.join("`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_ornament_and_homes_go() {
        let check = |text: &str, expected: &str| assert_eq!(tidy(text), expected, "{text}");
        check("## Plan\n\n**Bold**  words\n\n---\n| a | b |\n|---|---|", "Plan\nBold words\n| a | b |");
        check("see\n```rust\nlet a = 1;\n```\nthere", "see\nlet a = 1;\nthere");
        check("see\n```\na\nb\nc\n```\nthere", "see\n[code, 3 lines]\nthere");
        check("open\n```\na\nb\nc", "open\n[code, 3 lines]");
        check("in /home/ada/ferry and /Users/eve/x", "in ~/ferry and ~/x");
        check("C:\\Users\\eve\\x", "~\\x");
        check("**Deny** `Read(./logs/**)` and `**/x`", "Deny `Read(./logs/**)` and `**/x`");
        check("a\u{202e}b\u{200b}c", "abc");
    }

    #[test]
    fn cuts_say_how_much_is_missing() {
        assert_eq!(cut("abcdefghij", 4, 2), "abcd […4 characters left out…] ij");
        assert_eq!(cut("abcdef", 4, 2), "abcdef");
        let said = "The lamp of the northern pier is lit at dusk by whoever is on watch, and put out at dawn";
        let shown = cut(said, 30, 12);
        assert_eq!(shown, "The lamp of the northern pier […47 characters left out…] out at dawn");
        assert_eq!(cut(said, 60, 20), said, "the mark would be longer than what it stands for");
        assert_eq!(cut_to("12345678", 4), "123 […4 characters left out…] 8");
    }
}
