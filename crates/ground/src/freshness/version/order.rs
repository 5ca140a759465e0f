//! The order of versions: one tokenizer, and what each ecosystem thinks of qualifiers.

use std::cmp::Ordering;

/// Whose rules order versions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Scheme {
    /// Semantic versioning: npm, Cargo, Go, NuGet.
    Semver,
    /// PEP 440.
    Pep440,
    /// Maven and Gradle.
    Maven,
    /// RubyGems.
    Gem,
    /// Composer.
    Composer,
}

/// A version taken apart: an epoch, numbers, and what follows them, already weighed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Parsed {
    epoch: u64,
    numbers: Vec<u64>,
    tail: Vec<Part>,
}

/// A piece after the numbers. Weight 0 is the plain release; less comes before it, more after it.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Weight(i32),
    Number(u64),
    Text(String),
}

/// Compares two versions.
pub(crate) fn compare(scheme: Scheme, a: &str, b: &str) -> Ordering {
    let (a, b) = (parse(scheme, a), parse(scheme, b));
    let numbers = || {
        let length = a.numbers.len().max(b.numbers.len());
        let at = |version: &Parsed, index: usize| version.numbers.get(index).copied().unwrap_or(0);
        (0..length)
            .map(|index| at(&a, index).cmp(&at(&b, index)))
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    };
    a.epoch.cmp(&b.epoch).then_with(numbers).then_with(|| tails(scheme, &a.tail, &b.tail))
}

/// Returns the leading numbers of a version.
pub(super) fn numbers(version: &str) -> Vec<u64> {
    parse(Scheme::Semver, version).numbers
}

fn parse(scheme: Scheme, text: &str) -> Parsed {
    let lower = text.trim().to_ascii_lowercase();
    let plain = lower.strip_prefix('v').filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    let mut text = plain.unwrap_or(&lower);
    let mut epoch = 0;
    if scheme == Scheme::Pep440
        && let Some((number, rest)) = text.split_once('!')
    {
        epoch = number.parse().unwrap_or(0);
        text = rest;
    }
    // Build metadata and local versions do not order, except after an equal version in PEP 440.
    let (main, local) = text.split_once('+').map_or((text, None), |(main, local)| (main, Some(local)));
    let mut numbers = Vec::new();
    let mut rest = main;
    loop {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        if digits == 0 {
            break;
        }
        numbers.push(rest[..digits].parse().unwrap_or(u64::MAX));
        rest = &rest[digits..];
        match rest.strip_prefix('.') {
            Some(after) if after.starts_with(|c: char| c.is_ascii_digit()) => rest = after,
            _ => break,
        }
    }
    let mut tail = if scheme == Scheme::Semver { semver_tail(rest) } else { worded_tail(scheme, rest) };
    if let (Scheme::Pep440, Some(local)) = (scheme, local) {
        tail.push(Part::Weight(1));
        tail.extend(pieces(local).into_iter().map(piece_part));
    }
    Parsed { epoch, numbers, tail }
}

/// Everything after `-` is a pre-release, its identifiers compared one by one.
fn semver_tail(rest: &str) -> Vec<Part> {
    let rest = rest.trim_start_matches(['-', '.', '_']);
    if rest.is_empty() {
        return Vec::new();
    }
    let mut tail = vec![Part::Weight(-1)];
    tail.extend(rest.split('.').map(|part| match part.parse() {
        Ok(number) => Part::Number(number),
        Err(_) => Part::Text(part.to_owned()),
    }));
    tail
}

/// Words with a known weight, and the numbers that follow them.
fn worded_tail(scheme: Scheme, rest: &str) -> Vec<Part> {
    let mut tail: Vec<Part> = pieces(rest)
        .into_iter()
        .map(|piece| match weight(scheme, &piece) {
            Some(weight) => Part::Weight(weight),
            None => piece_part(piece),
        })
        .collect();
    // `1.0.final` is `1.0`.
    if tail == [Part::Weight(0)] {
        tail.clear();
    }
    tail
}

fn piece_part(piece: String) -> Part {
    piece.parse().map_or(Part::Text(piece), Part::Number)
}

/// Splits at punctuation and wherever letters and digits meet.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut last = ' ';
    for c in text.chars() {
        if !c.is_ascii_alphanumeric() {
            last = ' ';
            continue;
        }
        if last == ' ' || last.is_ascii_digit() != c.is_ascii_digit() {
            pieces.push(String::new());
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push(c);
        }
        last = c;
    }
    pieces
}

fn weight(scheme: Scheme, word: &str) -> Option<i32> {
    let known = match (scheme, word) {
        (Scheme::Pep440 | Scheme::Composer, "dev") => -6,
        (_, "alpha" | "a") => -5,
        (_, "beta" | "b") => -4,
        (Scheme::Maven, "milestone" | "m") => -3,
        (_, "rc" | "cr") | (Scheme::Pep440, "c" | "pre" | "preview") => -2,
        (Scheme::Maven, "snapshot") => -1,
        (Scheme::Maven, "final" | "ga" | "release") | (Scheme::Composer, "stable") => 0,
        (Scheme::Maven, "sp") => 1,
        (Scheme::Pep440, "post" | "rev" | "r") | (Scheme::Composer, "patch" | "pl" | "p") => 2,
        _ => return None,
    };
    Some(known)
}

/// Compares what follows the numbers. The shorter one is filled up with the plain release.
fn tails(scheme: Scheme, a: &[Part], b: &[Part]) -> Ordering {
    for index in 0..a.len().max(b.len()) {
        let order = match (a.get(index), b.get(index)) {
            (Some(a), Some(b)) => part(scheme, a, b),
            (Some(a), None) => against_release(scheme, a, index),
            (None, Some(b)) => against_release(scheme, b, index).reverse(),
            (None, None) => Ordering::Equal,
        };
        if order.is_ne() {
            return order;
        }
    }
    Ordering::Equal
}

fn part(scheme: Scheme, a: &Part, b: &Part) -> Ordering {
    match (a, b) {
        (Part::Weight(a), Part::Weight(b)) => a.cmp(b),
        (Part::Number(a), Part::Number(b)) => a.cmp(b),
        (Part::Text(a), Part::Text(b)) => a.cmp(b),
        // Semver: numbers come before words. Maven: unknown words come after known qualifiers, before numbers.
        (Part::Number(_), Part::Text(_)) => {
            if scheme == Scheme::Semver {
                Ordering::Less
            } else {
                Ordering::Greater
            }
        }
        (Part::Text(_), Part::Number(_)) => {
            if scheme == Scheme::Semver {
                Ordering::Greater
            } else {
                Ordering::Less
            }
        }
        (Part::Weight(weight), Part::Number(_)) => weight.cmp(&1).then(Ordering::Less),
        (Part::Number(_), Part::Weight(weight)) => 1.cmp(weight).then(Ordering::Greater),
        (Part::Weight(weight), Part::Text(_)) => weight.cmp(&text_weight(scheme)).then(Ordering::Less),
        (Part::Text(_), Part::Weight(weight)) => text_weight(scheme).cmp(weight).then(Ordering::Greater),
    }
}

/// What an unknown word weighs: a pre-release everywhere but in Maven.
fn text_weight(scheme: Scheme) -> i32 {
    if scheme == Scheme::Maven { 2 } else { -5 }
}

fn against_release(scheme: Scheme, part: &Part, index: usize) -> Ordering {
    match part {
        Part::Weight(weight) => weight.cmp(&0),
        Part::Text(_) if index == 0 => text_weight(scheme).cmp(&0),
        Part::Number(0) if scheme != Scheme::Semver => Ordering::Equal,
        // A longer pre-release comes after its own beginning.
        Part::Text(_) | Part::Number(_) => Ordering::Greater,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_ecosystem_has_its_order() {
        let check = |scheme: Scheme, ascending: &[&str]| {
            for pair in ascending.windows(2) {
                assert_eq!(
                    compare(scheme, pair[0], pair[1]),
                    Ordering::Less,
                    "{scheme:?} {} < {}",
                    pair[0],
                    pair[1]
                );
                assert_eq!(
                    compare(scheme, pair[1], pair[0]),
                    Ordering::Greater,
                    "{scheme:?} {} > {}",
                    pair[1],
                    pair[0]
                );
            }
        };
        check(
            Scheme::Semver,
            &[
                "1.0.0-alpha",
                "1.0.0-alpha.1",
                "1.0.0-alpha.beta",
                "1.0.0-beta",
                "1.0.0-beta.2",
                "1.0.0-beta.11",
                "1.0.0-rc.1",
                "1.0.0",
                "1.0.1",
                "1.10.0",
                "2.0.0",
            ],
        );
        check(
            Scheme::Pep440,
            &[
                "1.0.dev1",
                "1.0a1",
                "1.0a2",
                "1.0b1",
                "1.0rc1",
                "1.0",
                "1.0+local.1",
                "1.0.post1",
                "1.1",
                "1!0.5",
            ],
        );
        check(
            Scheme::Maven,
            &[
                "1.0-alpha-1",
                "1.0-beta-1",
                "1.0-m1",
                "1.0-rc1",
                "1.0-SNAPSHOT",
                "1.0",
                "1.0-sp1",
                "1.0.1",
                "1.1",
            ],
        );
        check(Scheme::Gem, &["1.0.a1", "1.0.b1", "1.0.rc1", "1.0", "1.0.1"]);
        check(
            Scheme::Composer,
            &["1.0-dev", "1.0-alpha1", "1.0-beta2", "1.0-RC1", "1.0", "1.0-patch1", "1.0.1"],
        );
    }

    #[test]
    fn the_same_version_written_differently() {
        let check = |scheme: Scheme, a: &str, b: &str| {
            assert_eq!(compare(scheme, a, b), Ordering::Equal, "{a} = {b}")
        };
        check(Scheme::Semver, "v1.2.0", "1.2");
        check(Scheme::Semver, "1.2.0+build", "1.2.0");
        check(Scheme::Pep440, "1.0-rc.1", "1.0rc1");
        check(Scheme::Maven, "1.0.Final", "1.0");
        check(Scheme::Maven, "1.0-ga", "1");
    }
}
