//! What a line looks like: typed, or left by a program.

use lore_core::session::Telltale;
use memchr::memchr;

/// What a line says about who wrote it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Look {
    /// Nothing stands in it.
    Blank,
    /// It reads like words of a person.
    Prose,
    /// It could be either.
    Neutral,
    /// A program may have written it, if its neighbours agree.
    Weak(Telltale),
    /// A program wrote it.
    Strong(Telltale),
}

impl Look {
    /// Returns what shows that a program wrote it.
    pub(super) fn telltale(self) -> Option<Telltale> {
        match self {
            Look::Weak(telltale) | Look::Strong(telltale) => Some(telltale),
            Look::Blank | Look::Prose | Look::Neutral => None,
        }
    }
}

/// Lists the lines of a text with where they begin.
pub(super) fn each(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut at = 0;
    text.split_inclusive('\n').map(move |line| {
        let start = at;
        at += line.len();
        (start, line.trim_end())
    })
}

/// Returns where the line begins in which something stands.
pub(super) fn start(text: &str, at: usize) -> usize {
    text[..at].rfind('\n').map_or(0, |line_end| line_end + 1)
}

/// Tells an item of a list.
pub(super) fn is_item(line: &str) -> bool {
    without_item(line).len() < line.trim_start().len()
}

/// Returns what an item of a list says; any other line as it is.
pub(super) fn without_item(line: &str) -> &str {
    let line = line.trim_start();
    if let Some(rest) = line.strip_prefix(['-', '*', '+', '•', '–']) {
        return rest.strip_prefix([' ', '\t']).map_or(line, str::trim_start);
    }
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    let label = if digits > 0 { digits } else { usize::from(line.starts_with(|c: char| c.is_alphabetic())) };
    let rest = line.get(label..).filter(|_| label > 0 && label < 4).unwrap_or_default();
    let Some(rest) = rest.strip_prefix(['.', ')']) else { return line };
    rest.strip_prefix([' ', '\t']).map_or(line, str::trim_start)
}

/// How much of a line is looked at.
const LOOKED_AT: usize = 300;

/// Looks at one line.
pub(super) fn look(line: &str) -> Look {
    let words = line.trim();
    if words.is_empty() {
        return Look::Blank;
    }
    // What a line is shows at its beginning.
    let words = &words[..words.floor_char_boundary(LOOKED_AT)];
    let by_form = [screen, trace, log, data].into_iter().find_map(|form| form(line, words));
    by_form.or_else(|| code(words)).unwrap_or_else(|| prose(words))
}

fn screen(line: &str, words: &str) -> Option<Look> {
    let strong = Look::Strong(Telltale::Screen);
    let first = words.chars().next()?;
    if matches!(first, '⏺' | '⎿' | '✻' | '✽') || is_prompt(words) {
        return Some(strong);
    }
    // Lines of boxes and trees, bars, and the dots that turn while something runs.
    let drawn = |c: char| matches!(c, '\u{2500}'..='\u{259f}' | '\u{2801}'..='\u{28ff}');
    // All of them begin with the same byte.
    if memchr(0xe2, words.as_bytes()).is_some()
        && let Some(at) = words.find(drawn)
    {
        let is_drawn = prose(&words[..at]) != Look::Prose;
        return is_drawn.then_some(if at == 0 { strong } else { Look::Weak(Telltale::Screen) });
    }
    let padding = line.trim_end_matches(['\r', '\n']).len() - line.trim_end().len();
    (padding >= 12 || words.ends_with("to expand)")).then_some(Look::Weak(Telltale::Screen))
}

/// Tells a line that begins with what a shell asks with, and a command behind it.
pub(super) fn is_prompt(words: &str) -> bool {
    let words = words.trim();
    if words.starts_with(['❯', '➜']) {
        return true;
    }
    let command = |rest: &str| rest.starts_with(|c: char| c.is_ascii_alphanumeric() || "./~_".contains(c));
    if words.strip_prefix("$ ").is_some_and(command) || words.starts_with(">>> ") {
        return true;
    }
    if words.starts_with("PS ") && words.contains(":\\") && words.contains('>') {
        return true;
    }
    // name@machine folder %
    let Some((who, rest)) = words.split_once([' ', ':']) else { return false };
    let names_machine = who.split_once('@').is_some_and(|(name, machine)| {
        let is_name =
            |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '(' | ')' | '[' | ']');
        !name.is_empty() && !machine.is_empty() && name.chars().chain(machine.chars()).all(is_name)
    });
    let asks = |rest: &str| {
        rest.contains("% ") || rest.contains("$ ") || rest.contains("# ") || rest.ends_with(['%', '$', '#'])
    };
    names_machine && asks(rest)
}

fn trace(_: &str, words: &str) -> Option<Look> {
    let strong = Look::Strong(Telltale::Trace);
    // at moor (src/pier.ts:12:3), at moor (unknown)
    if let Some(rest) = words.strip_prefix("at ")
        && (has_place(rest) || rest.strip_suffix(')').is_some_and(names_one))
    {
        return Some(strong);
    }
    // moor @ pier.js:12
    if let Some((_, place)) = words.split_once(" @ ")
        && !place.contains(' ')
        && (has_place(place) || place.contains('/'))
        && place.ends_with(|c: char| c.is_ascii_digit())
    {
        return Some(strong);
    }
    let opens =
        ["Traceback (most recent call", "goroutine ", "panic: ", "Caused by: ", "Exception in thread"];
    if opens.iter().any(|opening| words.starts_with(opening))
        || (words.starts_with("File \"") && words.contains("\", line "))
    {
        return Some(strong);
    }
    // TypeError: …
    let (name, _) = words.split_once(": ")?;
    let is_name = name.len() > 5
        && name.len() < 60
        && name.starts_with(|c: char| c.is_ascii_uppercase())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | ':'))
        && (name.ends_with("Error") || name.ends_with("Exception"));
    is_name.then_some(strong)
}

/// Tells one name and what stands in the bracket behind it.
fn names_one(rest: &str) -> bool {
    let Some((name, _)) = rest.split_once(" (") else { return false };
    !name.contains(' ') && name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_' || c == '<')
}

/// Tells a place in a file: `name.ext:12` or `name.ext:12:3`.
fn has_place(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find(':') {
        let before = &rest[..at];
        let digits = rest[at + 1..].bytes().take_while(u8::is_ascii_digit).count();
        let file = before.rsplit([' ', '(', '/', '\\', '"', '\'', '[']).next().unwrap_or_default();
        let file = file.split('?').next().unwrap_or(file);
        let is_file = file.rsplit_once('.').is_some_and(|(name, ending)| {
            !name.is_empty()
                && (1..=5).contains(&ending.len())
                && ending.bytes().all(|b| b.is_ascii_alphanumeric())
        });
        if digits > 0 && is_file {
            return true;
        }
        rest = &rest[at + 1..];
    }
    false
}

fn log(_: &str, words: &str) -> Option<Look> {
    let weak = Some(Look::Weak(Telltale::Log));
    if begins_with_time(words) {
        return weak;
    }
    let opens = [
        "=== ",
        "--- FAIL",
        "--- PASS",
        "npm ERR!",
        "npm error",
        "npm warn",
        "error[",
        "error: ",
        "Error: ",
        "warning: ",
        "warning[",
        "fatal: ",
        "✖ ",
        "✓ ",
        "✗ ",
        "FAIL ",
        "PASS ",
    ];
    if opens.iter().any(|opening| words.starts_with(opening)) {
        return weak;
    }
    // [part] what happened
    if let Some((part, rest)) = words.strip_prefix('[').and_then(|rest| rest.split_once(']'))
        && (3..40).contains(&part.len())
        && part.split(' ').skip(1).all(|word| word.starts_with(|c: char| c.is_ascii_uppercase()))
        && rest.starts_with([' ', ':', '\t'])
    {
        return weak;
    }
    let first = words.split_whitespace().next().unwrap_or_default();
    let level = first.trim_matches(|c: char| !c.is_ascii_alphabetic());
    let levels = ["INFO", "INF", "WARN", "WARNING", "WRN", "ERROR", "ERR", "DEBUG", "DBG", "TRACE", "FATAL"];
    if levels.contains(&level) && first.len() < 12 {
        return weak;
    }
    // src/file.rs:12: what happened, or 152:63  warning
    let numbers = first.trim_end_matches(':').split_once(':');
    let is_numbers = numbers
        .is_some_and(|(line, column)| [line, column].iter().all(|n| n.parse::<u32>().is_ok()))
        && words[first.len()..].starts_with("  ");
    if (has_place(first) && words.len() > first.len()) || is_numbers {
        return weak;
    }
    let is_pair =
        |word: &str| word.split_once('=').is_some_and(|(key, value)| is_key(key) && !value.is_empty());
    if words.split_whitespace().filter(|word| is_pair(word)).count() >= 3 {
        return weak;
    }
    // Label:     value
    let labelled = words.split_once(':').is_some_and(|(label, value)| {
        value.starts_with("   ") && label.len() < 24 && label.starts_with(|c: char| c.is_ascii_uppercase())
    });
    (labelled || is_path(words)).then_some(Look::Weak(Telltale::Log))
}

/// Tells a line that holds nothing but an absolute path.
fn is_path(words: &str) -> bool {
    !words.contains(' ')
        && ((words.starts_with('/') && words[1..].contains('/')) || words.get(1..3) == Some(":\\"))
}

/// Tells a line that begins with a date and a time, or a time in brackets.
fn begins_with_time(words: &str) -> bool {
    let mut rest = words.trim_start_matches(['[', '(']);
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let named = rest.get(..3).is_some_and(|month| MONTHS.contains(&month));
    let date = if named { 4 } else { 0 };
    rest = rest.get(date..).unwrap_or_default().trim_start();
    let is_date = |c: char| c.is_ascii_digit() || matches!(c, '-' | '/' | '.' | ',' | ' ' | 'T');
    let colon = rest.find(':').filter(|at| (1..=22).contains(at));
    let Some(colon) = colon else { return false };
    let before = &rest[..colon];
    let hour = before.bytes().rev().take_while(u8::is_ascii_digit).count();
    let after = rest[colon + 1..].bytes().take_while(u8::is_ascii_digit).count();
    let behind = rest.get(colon + 3..).unwrap_or_default();
    let seconds = behind.starts_with(':') || behind.starts_with("AM ") || behind.starts_with("PM ");
    before.chars().all(is_date) && (1..=2).contains(&hour) && after == 2 && seconds
}

fn is_key(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
}

fn data(_: &str, words: &str) -> Option<Look> {
    let weak = Some(Look::Weak(Telltale::Data));
    if words.chars().all(|c| matches!(c, '{' | '}' | '[' | ']' | '(' | ')' | ',' | ';')) {
        return weak;
    }
    let has_key = |open: char, close: &str| {
        words
            .strip_prefix(open)
            .is_some_and(|rest| rest.split_once(close).is_some_and(|(key, _)| !key.contains(' ')))
    };
    if has_key('"', "\":") || has_key('“', "”:") || words.starts_with("{\"") {
        return weak;
    }
    let is_element = words.starts_with('<')
        && words.ends_with('>')
        && words[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!');
    let is_row = words.len() > 4 && words.starts_with('|') && words.ends_with('|');
    let cells = words.matches(',').count();
    let is_csv = cells >= 3 && !words.contains(", ") && words.matches(' ').count() <= cells;
    let is_tsv = words.matches('\t').count() >= 2;
    if is_element || is_row || is_csv || is_tsv {
        return weak;
    }
    // key: value, where neither is more than a word
    let (key, value) = words.trim_start_matches("- ").split_once(':')?;
    let is_pair = is_key(key) && key.starts_with(|c: char| c.is_ascii_lowercase() || c == '_');
    let value = value.trim();
    (is_pair && !value.is_empty() && !value.contains(' ')).then_some(Look::Weak(Telltale::Data))
}

fn code(words: &str) -> Option<Look> {
    if is_item(words) {
        return None;
    }
    let weak = Some(Look::Weak(Telltale::Code));
    // 76 |   }
    let number = words.bytes().take_while(u8::is_ascii_digit).count();
    if number > 0 && words[number..].trim_start().starts_with('|') {
        return weak;
    }
    let ends = words.ends_with(['{', ';']) || words.ends_with("=>") || words.ends_with("</");
    let opens = ["//", "/*", "*/", "#include", "}", "import ", "export ", "@Override", "#!/"];
    if ends || opens.iter().any(|opening| words.starts_with(opening)) {
        return weak;
    }
    let first = words.split([' ', '(']).next().unwrap_or_default();
    let keywords =
        ["func", "fn", "def", "class", "const", "let", "var", "return", "if", "for", "while", "else"];
    let is_set = words.contains(['(', '=', '{', '}']) && words.ends_with([')', ':', '{', '}', ',', ']']);
    if keywords.contains(&first) && is_set {
        return weak;
    }
    let (mut marks, mut letters) = (0, 0);
    let mut quoted = false;
    for c in words.chars() {
        match c {
            '`' => quoted = !quoted,
            _ if quoted => {}
            '(' | ')' | '{' | '}' | '[' | ']' | '<' | '>' | '=' | ';' | '|' | '&' | '$' | '_' | '"'
            | '\\' | '/' => marks += 1,
            _ if c.is_alphanumeric() => letters += 1,
            _ => {}
        }
    }
    (marks * 5 > marks + letters && marks >= 4).then_some(Look::Weak(Telltale::Code))
}

/// Tells words of a person, as far as one line can.
fn prose(words: &str) -> Look {
    let is_word = |word: &&str| word.chars().filter(|c| c.is_alphabetic()).count() * 2 > word.chars().count();
    let spoken = words.split_whitespace().filter(is_word).count();
    // Some languages put no spaces between words.
    let dense = words.chars().filter(|c| c.is_alphabetic() && !c.is_ascii()).count();
    if spoken >= 3 || dense >= 6 { Look::Prose } else { Look::Neutral }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_programs_leave_is_told_from_words() {
        use Telltale::{Code, Data, Log, Screen, Trace};
        let check = |line: &str, expected: Option<Telltale>| {
            assert_eq!(look(line).telltale(), expected, "{line}");
        };
        check("❯ make pier", Some(Screen));
        check("$ make pier", Some(Screen));
        check("ada@harbour ferry % make pier", Some(Screen));
        check("root@harbour:~/ferry# make", Some(Screen));
        check("PS C:\\ferry> make", Some(Screen));
        check("│ lamp │ lit │", Some(Screen));
        check("⏺ I moved the pier.", Some(Screen));
        check("The pier is long.                     ", Some(Screen));
        check("    at moor (src/pier.ts:12:3)", Some(Trace));
        check("    at moor (unknown)", Some(Trace));
        check("moor @ pier.js?v=7:12", Some(Trace));
        check("  File \"pier.py\", line 3, in moor", Some(Trace));
        check("TypeError: pier is not a function", Some(Trace));
        check("2026-03-01T08:00:00Z moored", Some(Log));
        check("Mar  1 08:00:00 harbour moord[3]: moored", Some(Log));
        check("3/24/2026, 7:19:34 AM moored", Some(Log));
        check("[08:00:00] moored", Some(Log));
        check("8:00AM WRN no lamp", Some(Log));
        check("[moor] the ferry came", Some(Log));
        check("[Harbour Office] the ferry came", Some(Log));
        check("pier_test.go:12: too short", Some(Log));
        check("  152:63  warning  too short", Some(Log));
        check("/home/ada/ferry/pier.ts", Some(Log));
        check("level=info ferry=7 berth=north", Some(Log));
        check("Berth:      north", Some(Log));
        check("\"berth\": \"north\",", Some(Data));
        check("},", Some(Data));
        check("<div class=\"pier\">", Some(Data));
        check("berth,ferry,hour,length", Some(Data));
        check("berth: north", Some(Data));
        check("const pier = build(7);", Some(Code));
        check("if (pier.length > 7) {", Some(Code));
        check("76 |   }", Some(Code));
    }

    #[test]
    fn words_of_people_are_left_alone() {
        for line in [
            "no, use tabs",
            "3, but enabled by default",
            "why does $ stand in front of it?",
            "error handling is wrong, fix it",
            "use `make pier` instead of `make all`, always",
            "note: the pier is closed",
            "at 12:30 the ferry leaves (or 13:00)",
            "8:30 is too early for the ferry",
            "write to ada @ harbour, she knows",
            "- `moor()` should return a Result<Pier, Error>",
            "1. yes 2. no",
            "if that fails, use the old one:",
            "for now let it be",
            "ログの先頭に時刻を付けて、他は変えないで",
            "nein, nimm Leerzeichen",
            "i mean src/pier.ts and not src/quay.ts",
            "draw the frame with ─ and │, not with - and |",
        ] {
            assert_eq!(look(line).telltale(), None, "{line}");
        }
    }

    #[test]
    fn items_of_lists_are_known() {
        for (line, expected) in [
            ("- a", "a"),
            ("  * a b", "a b"),
            ("12. a", "a"),
            ("b) a", "a"),
            ("-a", "-a"),
            ("2026. a", "2026. a"),
            ("", ""),
        ] {
            assert_eq!(without_item(line), expected, "{line}");
        }
    }
}
