//! Conditions under which a lesson is shown unasked: an error that was seen before, a command, a file.
//!
//! `error ~ TEXT` holds where an error has the words of TEXT in their order, whatever numbers and paths
//! stand between them; `command ~ TEXT` where a command begins with TEXT; `file GLOB` where a path fits.

use std::sync::LazyLock;

use regex::Regex;

static VARYING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?:[A-Za-z]:)?(?:/[\w.@~+-]+)+/?|\b[0-9a-f]{7,40}\b|\d+(?:[.:]\d+)*")
        .expect("the pattern is a constant")
});
static QUOTED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#""[^"]*"|'[^']*'"#).expect("the pattern is a constant"));
/// One name in quotes.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r#"["']-{0,2}([A-Za-z][A-Za-z_-]{1,30})["']"#).expect("the pattern is a constant")
});

/// Fewer words would fit anything.
const FEWEST: usize = 3;
/// Fewer need the name that stands in quotes as well: "unrecognized subcommand" is said by many programs.
const SPARE: usize = 5;
/// So many words of an error are enough to recognise it.
const MOST: usize = 12;

/// What just happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Happening<'a> {
    /// What the failure said.
    pub error: &'a str,
    /// The command that was run.
    pub command: &'a str,
    /// The file that was worked on.
    pub file: &'a str,
}

/// Tells whether a trigger holds; one that is not understood never does.
pub fn holds(trigger: &str, happening: &Happening<'_>) -> bool {
    let trigger = trigger.trim();
    if let Some(text) = trigger.strip_prefix("error ~") {
        // What a trigger has in quotes has to be there; what else stands in quotes varies.
        let quotes = if NAMED.is_match(text) { Quotes::Read } else { Quotes::Vary };
        return in_order(&shape(text, quotes), &shape(happening.error, quotes));
    }
    if let Some(text) = trigger.strip_prefix("command ~") {
        let wanted = in_single_spaces(text);
        let begins = |one: &str| in_single_spaces(one).starts_with(&wanted);
        return !wanted.is_empty()
            && commands(happening.command).any(|one| begins(one) || begins(without_settings(one)));
    }
    if let Some(glob) = trigger.strip_prefix("file ") {
        return !happening.file.is_empty() && fits(glob.trim(), happening.file);
    }
    false
}

/// Makes the trigger that recognises an error, where it has enough words for that.
pub fn of_error(error: &str) -> Option<String> {
    let telling = |words: &[String]| {
        words.iter().filter(|word| word.chars().filter(|c| c.is_alphabetic()).count() > 2).count()
    };
    let mut words = shape(error, Quotes::Vary);
    let names: Vec<String> = NAMED.captures_iter(error).map(|found| found[1].to_lowercase()).collect();
    if telling(&words) < SPARE && !names.is_empty() {
        let quoted = |word: String| if names.contains(&word) { format!("'{word}'") } else { word };
        words = shape(error, Quotes::Read).into_iter().map(quoted).collect();
    }
    (telling(&words) >= FEWEST).then(|| format!("error ~ {}", words[..words.len().min(MOST)].join(" ")))
}

/// Makes the trigger that recognises a command by its first words.
pub fn of_command(command: &str) -> Option<String> {
    let words: Vec<&str> = command.split_whitespace().take(3).collect();
    (words.len() > 1).then(|| format!("command ~ {}", words.join(" ")))
}

/// What is done with words in quotes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quotes {
    Vary,
    Read,
}

/// Reduces an error to the words that stay the same when it comes again.
fn shape(error: &str, quotes: Quotes) -> Vec<String> {
    let named = match quotes {
        Quotes::Vary => QUOTED.replace_all(error, " "),
        Quotes::Read => error.into(),
    };
    let plain = VARYING.replace_all(&named, " ").to_lowercase();
    plain
        .split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '\'')))
        .map(|word| word.trim_matches(['-', '\'']))
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Tells whether words stand in a text in their order and close together.
fn in_order(wanted: &[String], text: &[String]) -> bool {
    let Some(first) = wanted.first() else { return false };
    let starts = text.iter().enumerate().filter(|(_, word)| *word == first).map(|(at, _)| at);
    starts.take(50).any(|start| {
        let within = &text[start..text.len().min(start + wanted.len() * 2 + 4)];
        let mut rest = within.iter();
        wanted.iter().all(|word| rest.any(|other| other == word))
    })
}

/// Lists the commands of a command line.
fn commands(line: &str) -> impl Iterator<Item = &str> {
    line.lines().flat_map(|line| line.split("&&")).flat_map(|step| step.split([';', '|'])).map(str::trim)
}

/// Takes the variables off that are set for one command: what is run is the same with them.
fn without_settings(command: &str) -> &str {
    let mut rest = command.trim_start();
    while let Some(opening) = rest.split_whitespace().next() {
        let is_setting = opening.split_once('=').is_some_and(|(name, _)| {
            !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
        });
        if !is_setting {
            break;
        }
        rest = rest[opening.len()..].trim_start();
    }
    rest
}

fn in_single_spaces(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Tells whether a path, or the end of one, fits a pattern as conditions of entries have them.
fn fits(glob: &str, path: &str) -> bool {
    expression(glob)
        .and_then(|inner| Regex::new(&format!("(?:^|/){inner}$")).ok())
        .is_some_and(|pattern| pattern.is_match(path))
}

/// Writes a pattern as a regular expression: `*`, `?` and `[…]` stay within a folder, `**` as a whole part stands
/// for any folders, also for none, and `{…,…}` for one of several.
fn expression(glob: &str) -> Option<String> {
    let mut out = String::new();
    let mut choices = 0_usize;
    let mut begins_part = true;
    let mut rest = glob;
    while let Some(letter) = rest.chars().next() {
        let (mut next, mut opens_part) = (&rest[letter.len_utf8()..], false);
        match letter {
            '*' if begins_part && rest.starts_with("**/") => {
                out.push_str("(?:.*/)?");
                (next, opens_part) = (&rest[3..], true);
            }
            '*' if begins_part && ends_with_any_folders(rest, choices) => {
                out.push_str(".*");
                next = &rest[2..];
            }
            '*' => {
                out.push_str("[^/]*");
                next = next.trim_start_matches('*');
            }
            '?' => out.push_str("[^/]"),
            '[' => {
                let negated = next.starts_with(['!', '^']);
                let set = if negated { &next[1..] } else { next };
                // A bracket that stands first is one of the letters.
                let end = 1 + set.get(1..)?.find(']')?;
                let letters = set[..end].replace('\\', "\\\\").replace('[', "\\[").replace(']', "\\]");
                let letters = letters.replace('&', "\\&").replace('~', "\\~").replace('^', "\\^");
                out.push_str(&format!("[{}{letters}]", if negated { "^/" } else { "" }));
                next = &set[end + 1..];
            }
            '{' => {
                out.push_str("(?:");
                (choices, opens_part) = (choices + 1, true);
            }
            '}' if choices > 0 => {
                out.push(')');
                choices -= 1;
            }
            ',' if choices > 0 => {
                out.push('|');
                opens_part = true;
            }
            '\\' => {
                let escaped = next.chars().next()?;
                out.push_str(&regex::escape(escaped.encode_utf8(&mut [0; 4])));
                next = &next[escaped.len_utf8()..];
            }
            plain => {
                opens_part = plain == '/';
                out.push_str(&regex::escape(plain.encode_utf8(&mut [0; 4])));
            }
        }
        (rest, begins_part) = (next, opens_part);
    }
    (choices == 0).then_some(out)
}

/// Tells whether `**` stands at the end of a pattern, or of one of several.
fn ends_with_any_folders(rest: &str, choices: usize) -> bool {
    let after = rest.strip_prefix("**");
    after.is_some_and(|after| after.is_empty() || (choices > 0 && after.starts_with([',', '}'])))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_recognised_whatever_numbers_and_paths_it_has() {
        let trigger = of_error("error: cannot find mast `/ship/a.rs` at line 12").expect("has words");
        assert_eq!(trigger, "error ~ error cannot find mast at line");
        let error = |error: &'static str| Happening { error, ..Happening::default() };
        assert!(holds(&trigger, &error("x\nerror: cannot find mast `/boat/b/c.rs` at line 7\ny")));
        assert!(!holds(&trigger, &error("error: cannot find the rope")));
        assert_eq!(of_error("Exit code 1"), None);
        assert!(!holds("error ~ ", &error("anything")));
    }

    #[test]
    fn an_error_of_few_words_is_recognised_by_what_it_names() {
        let trigger = of_error("error: unrecognized subcommand 'sail'").expect("has words");
        assert_eq!(trigger, "error ~ error unrecognized subcommand 'sail'");
        let error = |error: &'static str| Happening { error, ..Happening::default() };
        assert!(holds(
            &trigger,
            &error("Exit code 2\nerror: unrecognized subcommand 'sail'\n\nUsage: hoist")
        ));
        assert!(!holds(&trigger, &error("error: unrecognized subcommand 'anchor'")));
        assert_eq!(
            of_error("error: unknown option '--fast'").as_deref(),
            Some("error ~ error unknown option 'fast'")
        );
        assert!(holds("error ~ unknown option 'fast'", &error("error: unknown option '--fast'")));
        let long =
            of_error("error: the mast 'main' was not found in the rig of the ship").expect("has words");
        assert!(
            !long.contains("main")
                && holds(&long, &error("error: the mast 'aft' was not found in the rig of the ship"))
        );
    }

    #[test]
    fn commands_and_files_are_recognised() {
        let ran = |command: &'static str| Happening { command, ..Happening::default() };
        assert!(holds("command ~ make hull", &ran("cd /x && make hull -j4 | tail")));
        assert!(!holds("command ~ make hull", &ran("make mast")));
        // What a lesson is made of has no settings in it, and one space between words.
        assert!(holds("command ~ make hull", &ran("cd /x && FOO=1 BAR='a' make  hull")));
        assert!(holds("command ~ FOO=1 make", &ran("FOO=1 make hull")));
        assert!(!holds("command ~ make hull", &ran("echo make hull")));
        let touched = |file: &'static str| Happening { file, ..Happening::default() };
        assert!(holds("file src/*.rs", &touched("/ship/src/mast.rs")));
        assert!(!holds("file src/*.rs", &touched("/ship/src/deep/mast.rs")));
        assert!(holds("file src/**", &touched("src/deep/mast.rs")));
        assert!(holds("file src/**/mod.rs", &touched("/ship/src/mod.rs")));
        assert!(!holds("file src/**/mod.rs", &touched("/ship/srcx/mod.rs")));
        assert!(!holds("nonsense", &touched("src/mast.rs")));
    }
}
