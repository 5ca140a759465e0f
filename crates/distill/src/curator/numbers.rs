//! Numbers in a statement and in the lines it cites, however they are written.

use std::collections::HashSet;
use std::sync::LazyLock;

use regex::Regex;

use crate::extract::terms::number_word;

/// Words that count besides the numbers themselves.
const COUNTING: [(&str, &str); 7] = [
    ("one", "1"),
    ("once", "1"),
    ("single", "1"),
    ("twice", "2"),
    ("both", "2"),
    ("double", "2"),
    ("triple", "3"),
];

/// What is counted behind a hyphen: `130-character keys`, `20-odd tokens`.
const UNITS: [&str; 24] = [
    "bit",
    "byte",
    "char",
    "character",
    "column",
    "core",
    "day",
    "digit",
    "fold",
    "hour",
    "letter",
    "line",
    "minute",
    "month",
    "odd",
    "page",
    "row",
    "second",
    "step",
    "time",
    "way",
    "week",
    "word",
    "year",
];

/// A number with fewer digits than these is no longer one rounded, and none is written with more places.
const SIGNIFICANT: usize = 3;
const MOST_PLACES: usize = 6;

static PRODUCT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\d[\d_]*(?:\s*[*×]\s*\d[\d_]*)+").expect("the pattern is a constant"));

/// Lists the numbers of a statement, each with the ways it may be written.
pub(super) fn numbers(text: &str) -> Vec<(String, Vec<String>)> {
    let chars: Vec<char> = text.chars().collect();
    let mut out: Vec<(String, Vec<String>)> = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        let before = at.checked_sub(1).map(|at| chars[at]);
        let opens = chars[at].is_ascii_digit()
            && !before.is_some_and(|c| {
                c.is_alphanumeric() || c == '_' || c == '.' && at > 1 && chars[at - 2].is_alphanumeric()
            });
        if !opens {
            at += 1;
            continue;
        }
        let from = at;
        while at < chars.len() {
            let joins = matches!(chars[at], '.' | ',' | '_')
                && chars.get(at + 1).is_some_and(char::is_ascii_digit)
                && (chars[at] != ',' || is_group(&chars[at + 1..]));
            if !(chars[at].is_ascii_digit() || joins) {
                break;
            }
            at += 1;
        }
        let written: String = chars[from..at].iter().collect();
        let ways = ways(&written, chars.get(at).copied());
        if !out.iter().any(|(known, _)| *known == written) {
            out.push((written, ways));
        }
    }
    out
}

/// Returns every way in which the numbers of a text may be said again.
pub(super) fn stated(text: &str) -> HashSet<String> {
    let mut out: HashSet<String> = HashSet::new();
    for (_, ways) in numbers(text) {
        out.extend(ways);
    }
    // Digits inside names count where they are cited: `v2` knows 2.
    for run in text.split(|c: char| !c.is_ascii_digit()).filter(|run| !run.is_empty()) {
        out.insert(run.to_owned());
    }
    for word in text.split(|c: char| !c.is_alphabetic()).filter(|word| word.len() > 2) {
        let lower = word.to_lowercase();
        let counting = || COUNTING.iter().find(|(name, _)| *name == lower).map(|(_, digits)| *digits);
        out.extend(number_word(&lower).or_else(counting).map(str::to_owned));
    }
    for found in PRODUCT.find_iter(text) {
        out.extend(product(found.as_str()));
    }
    out
}

/// Tells whether a number with a fraction is a longer one of these, cut or rounded: 13.98 is 13.982486.
pub(super) fn is_rounded(written: &str, known: &HashSet<String>) -> bool {
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).count();
    let Some((_, fraction)) = written.split_once('.') else { return false };
    let Ok(said) = written.parse::<f64>() else { return false };
    let places = fraction.len();
    if digits(written) < SIGNIFICANT || places > MOST_PLACES {
        return false;
    }
    let unit = 10_f64.powi(-i32::try_from(places).unwrap_or(0));
    known.iter().any(|longer| {
        let finer = longer.split_once('.').is_some_and(|(_, finer)| finer.len() > places);
        // Half a unit for rounding, a whole one for cutting.
        finer
            && longer.parse::<f64>().is_ok_and(|exact| {
                let off = exact - said;
                off > -0.5 * unit - f64::EPSILON && off < unit
            })
    })
}

/// Tells whether a word is a number with at most a unit behind it.
pub(super) fn is_quantity(token: &str) -> bool {
    let rest = token.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ',' | '_'));
    let measured = rest.strip_prefix('-').is_some_and(|unit| {
        UNITS.contains(&unit) || unit.strip_suffix('s').is_some_and(|unit| UNITS.contains(&unit))
    });
    token.starts_with(|c: char| c.is_ascii_digit())
        && (rest.len() <= 3 && rest.chars().all(char::is_alphabetic) || measured)
}

/// Three digits and no more: a group of thousands.
fn is_group(rest: &[char]) -> bool {
    rest.iter().take_while(|c| c.is_ascii_digit()).count() == 3
}

fn ways(written: &str, next: Option<char>) -> Vec<String> {
    let plain: String = written.chars().filter(|c| !matches!(c, ',' | '_')).collect();
    let mut out = vec![plain.clone()];
    let trimmed = plain.trim_start_matches('0');
    if trimmed.len() < plain.len() && !trimmed.is_empty() && !trimmed.starts_with('.') {
        out.push(trimmed.to_owned());
    }
    if let Some((whole, fraction)) = plain.split_once('.').filter(|(_, fraction)| !fraction.contains('.')) {
        let fraction = fraction.trim_end_matches('0');
        out.push(if fraction.is_empty() { whole.to_owned() } else { format!("{whole}.{fraction}") });
    }
    let times = match next {
        Some('k' | 'K') => 1_000_u64,
        Some('M') => 1_000_000,
        _ => return out,
    };
    out.extend(plain.parse::<u64>().ok().and_then(|n| n.checked_mul(times)).map(|n| n.to_string()));
    out
}

/// Works out a product and what it is in larger units: `100 * 1024 * 1024` is 100 MB.
fn product(text: &str) -> Vec<String> {
    let mut factors = text.split(['*', '×']).map(|factor| factor.trim().replace('_', "").parse::<u64>().ok());
    let whole = factors.try_fold(1_u64, |product, factor| product.checked_mul(factor?));
    let Some(whole) = whole else { return Vec::new() };
    let units = [1, 1_000, 1_024, 1_000_000, 1_048_576, 60, 3_600, 60_000, 3_600_000, 86_400, 86_400_000];
    units.into_iter().filter(|unit| whole % unit == 0).map(|unit| (whole / unit).to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(said: &str, cited: &str, expected: bool) {
        let known = stated(cited);
        let covered = numbers(said).iter().all(|(_, ways)| ways.iter().any(|way| known.contains(way)));
        assert_eq!(covered, expected, "“{said}” in “{cited}”");
    }

    #[test]
    fn a_longer_number_may_be_rounded() {
        let known = stated("it took 13.982486s, then 302.5248 s, and 4.26 s");
        let check = |said: &str, expected: bool| assert_eq!(is_rounded(said, &known), expected, "{said}");
        check("13.98", true);
        check("14.0", true);
        check("302.5", true);
        check("302.6", false);
        check("13.90", false);
        check("4.2", false);
        check("13", false);
    }

    #[test]
    fn numbers_are_known_in_other_writings() {
        check("at most 100MB", "const MAX = 100 * 1024 * 1024;", true);
        check("at most 1,000 items", "limit is 1000", true);
        check("10k rows", "10000 rows", true);
        check("after 3 attempts", "it gives up after three attempts", true);
        check("keeps it 5 minutes", "5 * 60 * 1000", true);
        check("version 1.2.3", "bumped to 1.2.3", true);
        check("version 1.2.4", "bumped to 1.2.3", false);
        check("after 4 attempts", "after 3 attempts", false);
        check("73 ms", "730 ms", false);
        check("see H-08", "H-08 is open", true);
        check("no numbers in v2", "none", true);
    }
}
