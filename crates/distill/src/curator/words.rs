//! The words of a statement that can be checked: names, and what carries its meaning.

use std::collections::{BTreeSet, HashSet};
use std::sync::LazyLock;

use regex::Regex;

use super::numbers::{self, is_quantity};
use crate::curate::lexicon::{self, Class};
use crate::curate::token::{is_stop, parts, stem};
use crate::extract::sentence::sentences;

pub(super) static TOKEN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"[\p{L}\p{N}_./:@#$&+~\\-]*[\p{L}\p{N}_]").expect("the pattern is a constant")
});

static PLACEHOLDER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"<[A-Za-z][\w -]{0,30}>").expect("the pattern is a constant"));

/// Abbreviations of the trade; whoever says them names nothing in particular.
const TRADE: [&str; 16] = [
    "API", "CI", "CLI", "CSS", "HTML", "HTTP", "ID", "JSON", "OS", "PR", "SQL", "UI", "URL", "UUID", "XML",
    "YAML",
];

/// Verbs of every sentence that tell nothing about what it says.
pub(super) const PALE: [&str; 18] = [
    "use", "uses", "used", "using", "make", "makes", "made", "keep", "keeps", "kept", "set", "sets", "give",
    "gives", "given", "new", "two", "instead",
];

/// A word that opens a sentence is known where so many of its first letters open a word there.
const KINDRED: usize = 6;
/// The shortest word that “un” is put before.
const ROOT: usize = 3;

/// Everything some lines say, ready to be asked.
#[derive(Debug, Default)]
pub(super) struct Cover {
    /// All letters and digits in a row, and for each byte whether a word begins or ends there.
    flat: String,
    borders: Vec<bool>,
    pub(super) stems: HashSet<String>,
    numbers: HashSet<String>,
}

impl Cover {
    /// Reads texts.
    pub(super) fn of<'t>(texts: impl IntoIterator<Item = &'t str>) -> Cover {
        let mut cover = Cover::default();
        for text in texts {
            cover.add(text);
        }
        cover
    }

    /// Reads one text more.
    pub(super) fn add(&mut self, text: &str) {
        for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
            self.stems.insert(stem(word));
            for part in parts(word) {
                self.flat.push_str(&part);
                self.borders.resize(self.flat.len() + 1, false);
                self.borders[self.flat.len() - part.len()] = true;
                self.borders[self.flat.len()] = true;
                self.stems.insert(stem(&part));
            }
        }
        self.numbers.extend(numbers::stated(text));
    }

    /// Tells whether a name stands there, however it is written: `writers:[]` is `writers: []`.
    pub(super) fn has_name(&self, name: &str) -> bool {
        let words = parts(name);
        let flat = words.concat();
        if flat.is_empty() || self.has_run(&flat) {
            return true;
        }
        // `PRs` are more than one `PR`; a small word that ends in s is rarely a plural.
        let shortest = if is_plural_of_capitals(name) { 2 } else { 4 };
        let singular = flat.strip_suffix('s').filter(|flat| flat.len() >= shortest);
        // `OpenAI-compatible` names OpenAI.
        let bare = name.rsplit_once('-').filter(|(_, tail)| TAILS.contains(tail)).map(|(bare, _)| bare);
        singular.is_some_and(|flat| self.has_run(flat))
            || is_spelled_out(&words, &self.stems)
            || bare.is_some_and(|bare| self.has_name(bare))
    }

    /// Tells whether a name stands there in one piece.
    pub(super) fn has_whole(&self, name: &str) -> bool {
        let flat = parts(name).concat();
        !flat.is_empty() && self.has_run(&flat)
    }

    /// Tells whether a word that may open a sentence stands there, in the form it takes when it does.
    pub(super) fn has_opening(&self, word: &str) -> bool {
        const FORMS: [&str; 7] = ["ing", "ed", "s", "ion", "ions", "ment", "er"];
        let lower = word.to_lowercase();
        let bends = FORMS.iter().any(|form| lower.ends_with(form));
        let kindred = || {
            let first: String = lower.chars().take(KINDRED).collect();
            first.chars().count() == KINDRED && self.stems.iter().any(|stem| stem.starts_with(&first))
        };
        // `Push` stands where `pushed` does; what an ending makes a name, as in `Fastly`, does not.
        let is_root = || stem(&lower) == lower;
        // `Unbatched` stands where `batched` does, `Enrolment` where `enroll` does.
        let root = || lower.strip_prefix("un").filter(|_| bends).map(stem);
        let knows_root = || root().is_some_and(|root| root.len() >= ROOT && self.stems.contains(&root));
        let doubled = || {
            let stem = stem(&lower);
            bends && stem.ends_with('l') && self.stems.contains(&format!("{stem}l"))
        };
        self.has_name(word)
            || (bends || is_root()) && self.stems.contains(&stem(&lower))
            || kindred()
            || knows_root()
            || doubled()
    }

    /// Tells whether a number stands there.
    pub(super) fn has_number(&self, number: &[String]) -> bool {
        number.iter().any(|way| self.numbers.contains(way) || numbers::is_rounded(way, &self.numbers))
    }

    /// Returns the share of a sentence's telling words that stand there; all where it has none.
    pub(super) fn share(&self, sentence: &str) -> f64 {
        let content = content(sentence);
        let there = content.iter().filter(|stem| self.stems.contains(*stem)).count();
        if content.is_empty() { 1.0 } else { there as f64 / content.len() as f64 }
    }

    /// Tells whether a sentence stands there: so much of its telling words, and each name and number.
    pub(super) fn says(&self, sentence: &str, least: f64) -> bool {
        self.share(sentence) >= least
            && names(sentence).iter().all(|name| self.has_name(name))
            && numbers::numbers(sentence).iter().all(|(_, ways)| self.has_number(ways))
    }

    fn has_run(&self, flat: &str) -> bool {
        let mut from = 0;
        while let Some(at) = self.flat[from..].find(flat).map(|at| from + at) {
            let end = at + flat.len();
            let plural = self.flat[end..].starts_with('s') && self.borders[end + 1];
            if self.borders[at] && (self.borders[end] || plural) {
                return true;
            }
            from = at + self.flat[at..].chars().next().map_or(1, char::len_utf8);
        }
        false
    }
}

/// Everyday words that are tied to the end of a name and name nothing.
const TAILS: [&str; 14] = [
    "aware",
    "based",
    "backed",
    "compatible",
    "driven",
    "hosted",
    "level",
    "like",
    "managed",
    "native",
    "side",
    "specific",
    "style",
    "wide",
];

/// Tells whether a name is an abbreviation in the plural: `PRs`, `URLs`.
fn is_plural_of_capitals(name: &str) -> bool {
    let capitals = name.strip_suffix('s').unwrap_or_default();
    capitals.chars().count() > 1 && capitals.chars().all(char::is_uppercase)
}

/// A name of several parts is known where all of them are, in any form; one letter alone is no part, and what is
/// left without its letters must be more than one word: `OAuth3` is not `auth`.
fn is_spelled_out(words: &[String], stems: &HashSet<String>) -> bool {
    let is_part = |word: &&String| word.chars().count() > 1 || word.chars().all(|c| c.is_ascii_digit());
    let parts: Vec<&String> = words.iter().filter(is_part).collect();
    // What an ending makes a name, as in `Fastly`, is not `fast`.
    let is_named_by_its_ending = |word: &str| word.strip_suffix("ly").is_some_and(|root| stem(word) == root);
    let is_known = |word: &&String| stems.contains(&stem(word)) && !is_named_by_its_ending(word);
    parts.len() > 1 && parts.iter().all(is_known)
}

/// Lists the stems of the words that carry a sentence.
pub(super) fn content(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '\'' || c == '’'));
    let mut out = Vec::new();
    for word in words {
        let word = word.replace(['\'', '’'], "");
        if lexicon::is(&word.to_lowercase(), Class::Negator) {
            continue;
        }
        for part in parts(&word) {
            let is_word = part.starts_with(|c: char| c.is_alphabetic()) && part.chars().count() > 1;
            if is_word && !is_stop(&part) && !PALE.contains(&part.as_str()) {
                out.push(stem(&part));
            }
        }
    }
    out
}

/// Lists the names in a statement: code, and what is written large inside a sentence.
pub(super) fn names(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut body = String::with_capacity(text.len());
    for (at, piece) in text.split('`').enumerate() {
        if at % 2 == 1 && !piece.trim().is_empty() {
            // `<name>...HEAD` is any name before it.
            let named = PLACEHOLDER.replace_all(piece.trim(), " ");
            if named.contains(char::is_alphanumeric) {
                push(&mut out, named.trim());
            }
            // What follows code goes on with its sentence.
            body.push_str(" x ");
        } else {
            body.push_str(piece);
        }
    }
    for found in TOKEN.find_iter(&body) {
        let token = found.as_str().trim_matches(['.', ':', '-', '/', '~', '+', '&', '#', '@', '\\']);
        let inside = goes_on(&body[..found.start()]);
        let is_trade = TRADE.contains(&token.strip_suffix('s').unwrap_or(token));
        if !is_trade && !is_quantity(token) && (is_code(token) || inside && is_large(token)) {
            push(&mut out, token);
        }
    }
    out
}

pub(super) fn push(out: &mut Vec<String>, name: &str) {
    if !out.iter().any(|known| known == name) {
        out.push(name.to_owned());
    }
}

/// Tells whether what comes next stands inside a sentence.
pub(super) fn goes_on(before: &str) -> bool {
    let trimmed = before.trim_end_matches([' ', '(', '"', '“', '‘', '\'', '[']);
    trimmed.chars().next_back().is_some_and(|last| {
        last.is_lowercase()
            || last.is_numeric()
            || matches!(last, ',' | ';' | ')' | '—' | '–' | '’' | '”' | '/' | '&' | '+' | '=' | '-' | '→')
            || last.is_uppercase() && before.ends_with(' ')
    })
}

pub(super) fn is_large(token: &str) -> bool {
    let mut letters = token.chars();
    letters.next().is_some_and(char::is_uppercase) && letters.next().is_some_and(char::is_lowercase)
}

/// Tells whether a word is written as only names are.
pub(super) fn is_code(token: &str) -> bool {
    let letters = token.chars().filter(|c| c.is_alphabetic()).count();
    // “e.g” and “i.e” are abbreviations.
    if letters == 0 || token.split('.').all(|part| part.chars().count() == 1) {
        return false;
    }
    let digit = token.chars().any(|c| c.is_ascii_digit());
    let hump = token.chars().zip(token.chars().skip(1)).any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    let capitals = token.chars().all(|c| c.is_uppercase() || c.is_ascii_digit() || c == 's' || c == '-')
        && token.chars().filter(|c| c.is_uppercase()).count() >= 2;
    // “JSONata” begins as an abbreviation does; “PRs” are more than one.
    let begins_large = token.chars().take_while(|c| c.is_uppercase()).count() >= 2
        && token.chars().filter(|c| c.is_lowercase()).count() > 1;
    let slashes = token.matches('/').count();
    let path =
        slashes > 1 || slashes == 1 && token.contains(['.', '_']) || token.starts_with(['/', '~', '@']);
    let suffix = token.rsplit_once('.').is_some_and(|(stem, end)| {
        !stem.is_empty() && (1..=5).contains(&end.len()) && end.chars().all(char::is_alphanumeric)
    });
    token.contains('_')
        || digit
        || hump
        || capitals
        || begins_large
        || path
        || suffix
        || token.contains("::")
        || token.starts_with("--")
}

/// Returns the sentence of a text that shares most telling words with others: where it speaks of the same.
pub(super) fn nearest_sentence<'t>(text: &'t str, words: &BTreeSet<String>) -> &'t str {
    let shared = |sentence: &&str| content(sentence).iter().filter(|word| words.contains(*word)).count();
    sentences(text).into_iter().rev().max_by_key(shared).unwrap_or(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_as_code_and_inside_sentences() {
        let check = |text: &str, expected: &[&str]| assert_eq!(names(text), expected, "{text}");
        check("Sessions go to `redis_store` and src/lib.rs.", &["redis_store", "src/lib.rs"]);
        check("The queue is run by Kafka, not RabbitMQ.", &["Kafka", "RabbitMQ"]);
        check("Uploads and downloads are kept for 30 days.", &[]);
        check("Read/write splits use HTTP/2, GRPC and 100MB at most.", &["HTTP/2", "GRPC"]);
        check("GRPCling reads two files.", &["GRPCling"]);
        check("The page has URLs and CSS.", &[]);
        check("Compare `<name>...HEAD` with `<name>`.", &["...HEAD"]);
        check("Set `a`. Kafka is gone.", &["a"]);
        check("Use --no-color for CI.", &[]);
    }

    #[test]
    fn a_name_is_known_however_it_is_written() {
        let cover = Cover::of(["The uploadQueue has `writers: []` in src/queue-store.ts, and IPNS keys."]);
        let check = |name: &str, expected: bool| assert_eq!(cover.has_name(name), expected, "{name}");
        check("writers:[]", true);
        check("upload_queue", true);
        check("queue-store.ts", true);
        check("queueStore", true);
        check("IPNS", true);
        check("uploadQueues", true);
        check("RedisStreams", false);
        check("ts-query-x", false);
        check("PN", false);
        check("PNs", false);
        check("XQueue9", false);
        check("O_keys", false);
        let cover = Cover::of(["The release PR had to be closed by hand."]);
        assert!(cover.has_name("PRs"));
        let cover = Cover::of(["We wait for the drain, which is fast; requests go to OpenAI."]);
        assert!(cover.has_name("OpenAI-compatible") && cover.has_name("WaitForFastDrain"));
        assert!(!cover.has_name("Fastly-compatible") && !cover.has_name("WaitForFastlyDrain"));
    }

    #[test]
    fn the_share_of_telling_words_is_counted() {
        let cover = Cover::of(["Refunds older than 90 days are refused by the payment provider"]);
        assert!(cover.share("The payment provider refuses refunds older than 90 days.") > 0.9);
        assert!(cover.share("Customers insisted on a quarterly planning call.") < 0.3);
    }
}
