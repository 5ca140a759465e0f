//! Numbers with what they count, out of prose and out of names such as `POLL_SECONDS = 300`.

use std::collections::BTreeSet;

use lore_core::text::joined_numbers;
use lore_core::words::{is_stop_word, number_word};

use crate::findings::stem;

/// What ends a clause, as a word of its own.
pub(super) const END: &str = "|";
/// So many words behind a number may say what it counts.
const NOUN: usize = 3;

/// Units that can be told in each other, with what one of them is worth.
const UNITS: [(&str, f64, &[&str]); 15] = [
    ("second", 1e-9, &["ns", "nanosecond", "nanoseconds"]),
    ("second", 1e-6, &["us", "µs", "microsecond", "microseconds"]),
    ("second", 1e-3, &["ms", "millis", "millisecond", "milliseconds"]),
    ("second", 1.0, &["s", "sec", "secs", "second", "seconds"]),
    ("second", 60.0, &["min", "mins", "minute", "minutes"]),
    ("second", 3600.0, &["h", "hr", "hrs", "hour", "hours"]),
    ("second", 86_400.0, &["d", "day", "days"]),
    ("second", 604_800.0, &["week", "weeks"]),
    ("second", 2_592_000.0, &["month", "months"]),
    ("byte", 1.0, &["b", "byte", "bytes"]),
    ("byte", 1e3, &["kb", "kib", "kilobyte", "kilobytes"]),
    ("byte", 1e6, &["mb", "mib", "megabyte", "megabytes"]),
    ("byte", 1e9, &["gb", "gib", "gigabyte", "gigabytes"]),
    ("byte", 1e12, &["tb", "tib", "terabyte", "terabytes"]),
    ("percent", 1.0, &["%", "percent"]),
];

/// Words that multiply the number before them.
const TIMES: [(&str, f64); 6] =
    [("k", 1e3), ("thousand", 1e3), ("hundred", 1e2), ("dozen", 12.0), ("million", 1e6), ("billion", 1e9)];

/// What a number counts.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Of {
    /// A measure, in the base of its unit.
    Measure(&'static str),
    /// So much of a measure or of a thing in each second.
    Rate(String),
    /// Things; their words.
    Things(BTreeSet<String>),
    /// Nobody says.
    Untold,
}

/// A number and what it counts.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Quantity {
    pub(super) value: f64,
    pub(super) of: Of,
    /// Whether it is the time from one to the next: `every 5 minutes`, `12 times per hour`.
    pub(super) is_interval: bool,
    /// Where it begins among the words, and where what follows it does.
    pub(super) start: usize,
    pub(super) end: usize,
}

impl Quantity {
    /// Tells whether the other counts the same.
    pub(super) fn goes_with(&self, other: &Quantity) -> bool {
        match (&self.of, &other.of) {
            (Of::Things(one), Of::Things(other)) => one.intersection(other).next().is_some(),
            (Of::Untold, _) | (_, Of::Untold) => true,
            (one, other) => one == other,
        }
    }
}

/// Splits a text into words in small letters: names into their parts, numbers from their units, marks as [`END`].
pub(super) fn words(text: &str) -> Vec<String> {
    let text = joined_numbers(text).replace(['’', '`'], "'").replace("n't ", " not ");
    let chars: Vec<char> = text.chars().collect();
    let mut words: Vec<String> = Vec::new();
    let mut word = String::new();
    for (at, c) in chars.iter().copied().enumerate() {
        let before = at.checked_sub(1).map_or(' ', |before| chars[before]);
        let next = chars.get(at + 1).copied().unwrap_or(' ');
        let in_number = before.is_ascii_digit() && next.is_ascii_digit();
        if c.is_alphanumeric() || c == '%' || in_number && matches!(c, '.' | ',' | ':') {
            let is_number = word.starts_with(|c: char| c.is_ascii_digit());
            let turns =
                is_number && (c.is_alphabetic() || c == '%') || before.is_lowercase() && c.is_uppercase();
            if turns && !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
            word.extend(c.to_lowercase().filter(|c| *c != ','));
            continue;
        }
        if !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        match c {
            '/' if next.is_alphabetic() && words.len() > 1 && is_time(&rest_of(&chars[at + 1..])) => {
                words.push("per".to_owned());
            }
            '.' | ';' | ',' | '!' | '?' | '(' | ')' | '\n' if next.is_whitespace() || c != '.' => {
                words.push(END.to_owned());
            }
            _ => {}
        }
    }
    words.extend(Some(word).filter(|word| !word.is_empty()));
    words
}

fn rest_of(chars: &[char]) -> String {
    chars.iter().take_while(|c| c.is_alphanumeric()).collect::<String>().to_lowercase()
}

/// Lists the numbers among some words.
pub(super) fn quantities(words: &[String]) -> Vec<Quantity> {
    let mut found: Vec<Quantity> = Vec::new();
    for at in 0..words.len() {
        if found.last().is_none_or(|last| at >= last.end)
            && let Some(quantity) = read(words, at)
        {
            found.push(quantity);
        }
    }
    found
}

fn read(words: &[String], at: usize) -> Option<Quantity> {
    let word = |at: usize| words.get(at).map_or(END, String::as_str);
    // "Every minute" is each one minute.
    if matches!(word(at), "every" | "each")
        && let Some((base @ "second", worth)) = unit(word(at + 1))
    {
        let of = Of::Measure(base);
        return Some(Quantity { value: worth, of, is_interval: true, start: at, end: at + 2 });
    }
    if let Some(minutes) = clock(word(at)) {
        let of = Of::Measure("clock");
        return Some(Quantity { value: minutes, of, is_interval: false, start: at, end: at + 1 });
    }
    let (mut value, mut end) = match word(at) {
        "once" => (1.0, at + 1),
        "twice" => (2.0, at + 1),
        other => (number(other)?, at + 1),
    };
    let is_often = matches!(word(at), "once" | "twice") || matches!(word(end), "times" | "time");
    while let Some((_, times)) = TIMES.iter().find(|(name, _)| *name == word(end)) {
        value *= times;
        end += 1;
    }
    let per = |at: usize| {
        let is_per = matches!(word(at), "per" | "a" | "an" | "each" | "every");
        unit(word(at + 1)).filter(|(base, _)| is_per && *base == "second").map(|(_, worth)| worth)
    };
    if is_often {
        end += usize::from(matches!(word(end), "times" | "time"));
        // How often in a time is told as the time from one to the next; "once" alone is no number.
        if let Some(time) = per(end).filter(|_| value > 0.0) {
            let of = Of::Measure("second");
            return Some(Quantity { value: time / value, of, is_interval: true, start: at, end: end + 2 });
        }
        return None;
    }
    let is_interval = matches!(at.checked_sub(1).map_or(END, word), "every" | "each");
    let start = at - usize::from(is_interval);
    if let Some((base, worth)) = unit(word(end)) {
        (value, end) = (value * worth, end + 1);
        return Some(match per(end) {
            Some(time) => {
                let of = Of::Rate(base.to_owned());
                Quantity { value: value / time, of, is_interval: false, start, end: end + 2 }
            }
            None => Quantity { value, of: Of::Measure(base), is_interval, start, end },
        });
    }
    let noun: Vec<&String> = words[end..].iter().take(NOUN).take_while(|word| is_noun(word)).collect();
    let things: BTreeSet<String> = noun.iter().map(|word| stem(word)).collect();
    let after = end + noun.len();
    if let (Some(last), Some(time)) = (noun.last(), per(after)) {
        let of = Of::Rate(stem(last));
        return Some(Quantity { value: value / time, of, is_interval: false, start, end: after + 2 });
    }
    // A name may say the unit before the number.
    let names =
        |word: &&String| !matches!(word.as_str(), "to" | "is" | "at" | "of" | "be" | "equals" | "stays");
    let named = words[..start].iter().rfind(names).filter(|word| word.len() > 1).and_then(|word| unit(word));
    Some(match named.filter(|_| things.is_empty()) {
        Some((base, worth)) => {
            Quantity { value: value * worth, of: Of::Measure(base), is_interval: false, start, end }
        }
        None if things.is_empty() => Quantity { value, of: Of::Untold, is_interval: false, start, end },
        None => Quantity { value, of: Of::Things(things), is_interval: false, start, end: after },
    })
}

fn number(word: &str) -> Option<f64> {
    let is_factor = TIMES.iter().any(|(name, _)| *name == word);
    let word = if word == "one" { "1" } else { number_word(word).filter(|_| !is_factor).unwrap_or(word) };
    let is_number = word.starts_with(|c: char| c.is_ascii_digit()) && !word.contains(':');
    word.parse().ok().filter(|_| is_number)
}

/// Reads a time of day, in minutes.
fn clock(word: &str) -> Option<f64> {
    let (hours, minutes) = word.split_once(':')?;
    let (hours, minutes): (u32, u32) = (hours.parse().ok()?, minutes.parse().ok()?);
    (hours < 25 && minutes < 60).then(|| f64::from(hours * 60 + minutes))
}

fn is_noun(word: &str) -> bool {
    let is_word = word.chars().all(char::is_alphabetic) && word.len() > 1;
    is_word
        && !is_stop_word(word)
        && !matches!(word, "per" | "within" | "every" | "without")
        && number(word).is_none()
}

fn is_time(word: &str) -> bool {
    unit(word).is_some_and(|(base, _)| base == "second")
}

/// Tells whether a word is a unit.
pub(super) fn is_unit(word: &str) -> bool {
    unit(word).is_some()
}

fn unit(word: &str) -> Option<(&'static str, f64)> {
    UNITS.iter().find(|(.., names)| names.contains(&word)).map(|(base, worth, _)| (*base, *worth))
}
