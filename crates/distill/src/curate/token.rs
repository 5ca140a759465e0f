//! From text to words: tokens, their form, and their stem.

use super::foreign;
use super::lexicon::{self, Class};
use crate::extract::terms::number_word;
use crate::ruling::Language;

/// How a term was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// An ordinary word.
    Word,
    /// An identifier, path, flag, or something in quotation marks.
    Name,
    /// A quantity.
    Number,
}

/// A word with whether it is a name, or the end of a clause.
pub(crate) enum Token {
    Mark { word: String, name: bool },
    Break,
}

impl Token {
    pub(crate) fn is(&self, wanted: &str) -> bool {
        matches!(self, Token::Mark { word, .. } if word == wanted)
    }
}

/// Splits into words, marked names and clause breaks; joins fixed phrases into one word.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let language = Language::of(text);
    let mut out = Vec::new();
    let mut quoted = false;
    let mut ticked = false;
    let mut opens_sentence = true;
    let words: Vec<&str> =
        text.split_whitespace().flat_map(scripts).flat_map(|word| elided(word, language)).collect();
    let mut at = 0;
    while let Some(raw) = words.get(at) {
        if let Some((length, english)) = foreign::phrase(language, &words[at..]) {
            join_phrase(&mut out, english.to_owned(), false);
            at += length;
            if words[at - 1].ends_with(['.', ',', ';', ':', '!', '?', ')']) {
                out.push(Token::Break);
            }
            continue;
        }
        at += 1;
        let mut word = raw.replace(['*', '’', '“', '”'], "").replace('\'', "");
        if matches!(word.as_str(), "→" | "->" | "=>") {
            deny_last(&mut out);
            out.push(Token::Mark { word: "arrow".to_owned(), name: false });
            continue;
        }
        let opens = word.starts_with('"') || word.starts_with("(\"");
        let ticks = word.matches('`').count();
        quoted |= opens;
        let name = ticked || ticks > 0 || quoted && word.chars().any(char::is_uppercase);
        ticked ^= ticks % 2 == 1;
        let closes = raw.trim_end_matches(|c: char| ".,;:)".contains(c)).ends_with('"');
        word = word.replace(['`', '"'], "");
        let ends = word.ends_with(['.', ',', ';', ':', '!', '?', ')']) || word.starts_with('(');
        if word.starts_with('(') {
            out.push(Token::Break);
        }
        let core = word.trim_start_matches(['(', ',', ';', ':', '!', '?', '[']);
        let core = core.trim_end_matches(['.', ':', ';', '!', '?', ',', ')', ']']);
        if core.chars().all(|c| Script::of(c) == Script::Stop) && !core.is_empty() {
            out.push(Token::Break);
        } else if core.chars().any(char::is_alphanumeric) {
            let name = name || looks_like_name(core, opens_sentence);
            // "…, too." adds, "too slow" does not.
            let last = core.eq_ignore_ascii_case("too")
                && (ends || text.trim_end_matches(['.', '!']).ends_with(core));
            let core = if last { "also" } else { core };
            let mut kept = if name { core.to_owned() } else { core.to_lowercase() };
            let mut name = name;
            if language != Language::English
                && let Some(english) = foreign::english(language, &core.to_lowercase())
            {
                (kept, name) = (if english == "-" { "the" } else { english }.to_owned(), false);
            }
            join_phrase(&mut out, kept, name);
        } else if matches!(core, "-" | "–" | "—") {
            out.push(Token::Break);
        }
        opens_sentence = word.ends_with(['.', '!', '?', ':']);
        if closes {
            quoted = false;
        }
        if (ends && !word.starts_with('(') || word.ends_with(')')) && !(word.ends_with(':') && is_topic(&out))
        {
            out.push(Token::Break);
        }
    }
    out
}

/// "Harbour keys: …": what stands before the colon says what the rest is about.
fn is_topic(out: &[Token]) -> bool {
    let clause: Vec<&Token> = out.iter().rev().take_while(|token| !matches!(token, Token::Break)).collect();
    let states = |token: &&&Token| matches!(token, Token::Mark { word, .. } if lexicon::is(word, Class::Verb) || lexicon::is(word, Class::Change));
    (1..=5).contains(&clause.len()) && clause.iter().find(states).is_none()
}

/// Splits a word where its script changes: languages written without blanks set off their names,
/// borrowed words and endings that way.
fn scripts(word: &str) -> Vec<&str> {
    if word.is_ascii() {
        return vec![word];
    }
    let mut out = Vec::new();
    let (mut from, mut before) = (0, None);
    for (at, c) in word.char_indices() {
        let now = Script::of(c);
        let split =
            before.is_some_and(|before| before != now && (before != Script::Blanks || now != Script::Blanks));
        if split && at > from {
            out.push(&word[from..at]);
            from = at;
        }
        before = Some(now);
    }
    out.push(&word[from..]);
    out
}

/// Splits `l'API`, `n'envoie` and `nell'archivio` where the language writes small words that way.
fn elided(word: &str, language: Language) -> Vec<&str> {
    let small: &[&str] = match language {
        Language::French => &["l", "d", "n", "s", "j", "m", "t", "c", "qu"],
        Language::Italian => {
            &["l", "d", "c", "s", "un", "dell", "nell", "all", "dall", "sull", "quest", "quell"]
        }
        _ => &[],
    };
    match word.split_once(['\'', '’']) {
        Some((first, rest)) if small.contains(&first.to_lowercase().as_str()) => {
            let small = first;
            vec![small, rest]
        }
        _ => vec![word],
    }
}

/// The scripts whose change sets off a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Script {
    /// Written with blanks between words, and everything that is not a letter.
    Blanks,
    Hiragana,
    Katakana,
    Han,
    /// A full stop or comma of these languages.
    Stop,
}

impl Script {
    fn of(c: char) -> Script {
        match c {
            '\u{3041}'..='\u{309f}' => Script::Hiragana,
            '\u{30a0}'..='\u{30ff}' => Script::Katakana,
            '\u{3400}'..='\u{9fff}' => Script::Han,
            '。' | '、' | '！' | '？' | '，' => Script::Stop,
            _ => Script::Blanks,
        }
    }
}

/// Joins `instead of`, `rather than`, `no longer` and the like with the word before.
fn join_phrase(out: &mut Vec<Token>, word: String, name: bool) {
    const PHRASES: &[(&str, &str)] = &[
        ("instead", "of"),
        ("rather", "than"),
        ("no", "longer"),
        ("so", "that"),
        ("for", "now"),
        ("back", "to"),
        ("used", "to"),
        ("any", "more"),
        ("no", "more"),
        ("after", "all"),
        ("out", "of"),
        ("out", "again"),
        ("is", "over"),
        ("are", "over"),
        ("thinking", "again"),
        ("opt", "in"),
        ("opt", "out"),
        ("from", "today"),
        ("these", "days"),
        ("this", "week"),
        ("next", "week"),
        ("last", "week"),
        ("nur", "noch"),
        ("time", "out"),
        ("took", "over"),
        ("is", "history"),
        ("are", "history"),
    ];
    if let Some(Token::Mark { word: last, .. }) = out.last_mut()
        && matches!(last.as_str(), "times" | "timed")
        && word == "out"
    {
        "time-out".clone_into(last);
        return;
    }
    if let Some(Token::Mark { word: last, .. }) = out.last_mut()
        && PHRASES.iter().any(|(a, b)| last == a && word == *b)
    {
        last.push('-');
        last.push_str(&word);
        return;
    }
    out.push(Token::Mark { word, name });
}

/// An arrow denies what stands before it; said as `instead of` would say it.
fn deny_last(out: &mut Vec<Token>) {
    if let Some(Token::Mark { word, name }) = out.pop() {
        out.push(Token::Mark { word: "instead-of".to_owned(), name: false });
        out.push(Token::Mark { word, name });
        out.push(Token::Break);
    }
}

fn looks_like_name(word: &str, first: bool) -> bool {
    // Every project has an API: it names nothing.
    if word.len() < 5
        && word.chars().all(char::is_alphanumeric)
        && lexicon::is(&word.to_lowercase(), Class::Common)
    {
        return false;
    }
    let bytes = word.as_bytes();
    let inner_upper = word.chars().skip(1).any(char::is_uppercase);
    let upper = bytes.first().is_some_and(u8::is_ascii_uppercase);
    let punctuated = word.trim_end_matches('/').contains(['/', '_', '.', '<', '>', '@', '#', '$', '=', ':'])
        || word.starts_with("--")
        || word.ends_with("()");
    let digit = bytes.first().is_some_and(u8::is_ascii_digit);
    ((punctuated || inner_upper) && !digit) || (upper && !first)
}

pub(crate) fn form_of(word: &str, name: bool) -> Form {
    let bare = word.trim_start_matches(['+', '~', '<', '>', '≥', '≤', '/', '-']);
    let digit = bare.as_bytes().first().is_some_and(u8::is_ascii_digit);
    let number = number_word(word).is_some()
        || digit && !bare.contains(['/', '_', '@'])
        || digit && bare.ends_with('/');
    if number {
        Form::Number
    } else if name {
        Form::Name
    } else {
        Form::Word
    }
}

pub(crate) fn number(word: &str) -> String {
    if word == "one" {
        return "1".to_owned();
    }
    if let Some(digits) = number_word(word) {
        return digits.to_owned();
    }
    word.chars().filter(|c| !",~+/".contains(*c)).flat_map(char::to_lowercase).collect()
}

pub(crate) fn trim_name(word: &str) -> &str {
    word.trim_end_matches("()").trim_end_matches('/')
}

/// Splits a name at punctuation and at humps.
pub(crate) fn parts(name: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut current = String::new();
    let mut lower_before = false;
    for c in name.chars() {
        let hump = c.is_uppercase() && lower_before;
        if (!c.is_alphanumeric() || hump) && !current.is_empty() {
            out.push(std::mem::take(&mut current));
        }
        if c.is_alphanumeric() {
            current.extend(c.to_lowercase());
        }
        lower_before = c.is_lowercase() || c.is_ascii_digit();
    }
    if !current.is_empty() {
        out.push(current);
    }
    out
}

/// Tells whether a word carries no subject.
pub(crate) fn is_stop(word: &str) -> bool {
    word.len() < 2
        || lexicon::is(word, Class::Stop)
        || word.chars().all(|c| Script::of(c) == Script::Hiragana)
}

/// Cuts inflection and the commonest derivations; crude, but the same for both sides.
pub(crate) fn stem(word: &str) -> String {
    const ENDINGS: [&str; 22] = [
        "izations", "isations", "ization", "isation", "ations", "ation", "ments", "ment", "ities", "ity",
        "ings", "ing", "ions", "ion", "ers", "ed", "er", "ly", "es", "als", "al", "s",
    ];
    let mut word = word.to_lowercase();
    if let Some(plain) = lexicon::plain_form(&word) {
        word = plain.to_owned();
    }
    if word.len() > 4 && word.ends_with("ies") {
        word.truncate(word.len() - 3);
        word.push('y');
    }
    for ending in ENDINGS {
        if let Some(rest) = word.strip_suffix(ending)
            && rest.len() >= if matches!(ending, "s" | "es" | "ed" | "ing") { 3 } else { 4 }
            && !(ending == "s" && rest.ends_with('s'))
            // `employees` and `employee` meet.
            && !(ending == "es" && rest.ends_with('e'))
        {
            let mut rest = rest.to_owned();
            // `dropped` and `drop` meet.
            let bytes = rest.as_bytes();
            if matches!(ending, "ed" | "ing" | "er" | "ers")
                && bytes.len() > 3
                && bytes[bytes.len() - 1] == bytes[bytes.len() - 2]
                && !matches!(bytes[bytes.len() - 1], b's' | b'l')
            {
                rest.pop();
            }
            word = rest;
            break;
        }
    }
    for ending in ["iz", "is", "e", "y", "i"] {
        if let Some(rest) = word.strip_suffix(ending)
            && rest.len() >= 4 - usize::from(ending == "e")
        {
            return rest.to_owned();
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_of_one_word_share_a_stem() {
        let check = |words: &[&str]| {
            let stems: Vec<String> = words.iter().map(|word| stem(word)).collect();
            assert!(stems.windows(2).all(|pair| pair[0] == pair[1]), "{stems:?}");
        };
        check(&["drop", "drops", "dropped", "dropping"]);
        check(&["enable", "enabled", "enables", "enabling"]);
        check(&["redact", "redaction", "redacted"]);
        check(&["folder", "folders"]);
        check(&["keep", "kept", "keeps"]);
        assert_ne!(stem("test"), stem("text"));
    }

    #[test]
    fn names_fall_into_parts() {
        assert_eq!(parts("maxRetryCount"), ["max", "retry", "count"]);
        assert_eq!(parts("--no-colour"), ["no", "colour"]);
        assert_eq!(parts("src/lib.rs"), ["src", "lib", "rs"]);
    }

    #[test]
    fn fixed_phrases_are_one_word() {
        let words = |text: &str| -> Vec<String> {
            let word = |token: Token| match token {
                Token::Mark { word, .. } => Some(word),
                Token::Break => None,
            };
            tokens(text).into_iter().filter_map(word).collect()
        };
        assert_eq!(words("Use tabs instead of spaces."), ["use", "tabs", "instead-of", "spaces"]);
        assert_eq!(words("it is no longer there"), ["it", "is", "no-longer", "there"]);
    }
}
