//! Machine state: sets of lines, each with its own rule.

use std::collections::BTreeMap;

use crate::lines::{self, Lines};
use crate::{Tombstone, Tombstones, layout};

/// Merges a file of machine state; nothing where the path is none.
pub(super) fn merge(path: &str, base: Option<&[u8]>, ours: &[u8], theirs: &[u8]) -> Option<String> {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (base, one, other) = (base.map(text).unwrap_or_default(), text(ours), text(theirs));
    let below = |folder: &str| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    if path == layout::TOMBSTONES {
        return Some(stones(&base, &one, &other).render());
    }
    let [base, one, other] = [base, one, other].map(|text| lines::parse(&text));
    let merged = if below(layout::LEDGER) {
        longest(one.union(&other))
    } else if below(layout::MANIFEST) {
        by_name(&base, &one, &other)
    } else if below(layout::RUNS) {
        one.union(&other).cloned().collect()
    } else if below(".lore/state") || path == layout::IGNORE || path == layout::ATTRIBUTES {
        let gone = |line: &&String| base.contains(*line) && !(one.contains(*line) && other.contains(*line));
        one.union(&other).filter(|line| !gone(line)).cloned().collect()
    } else {
        return None;
    };
    Some(lines::render(&merged))
}

/// Puts one file of machine state in order, as merging it with nothing would.
pub(crate) fn merge_state(path: &str, text: &str) -> String {
    merge(path, None, text.as_bytes(), b"").unwrap_or_else(|| text.to_owned())
}

/// Keeps the longest reading of each session.
fn longest<'a>(lines: impl Iterator<Item = &'a String>) -> Lines {
    let mut by_session: BTreeMap<(&str, &str), &String> = BTreeMap::new();
    // Sorted lines of one session stand in the order of how far they were read.
    for line in lines {
        let mut fields = line.split('\t');
        let session = (fields.next().unwrap_or_default(), fields.next().unwrap_or_default());
        let longest = by_session.entry(session).or_insert(line);
        *longest = line.max(*longest);
    }
    by_session.into_values().cloned().collect()
}

/// Merges lines that begin with a name, which is there at most once.
fn by_name(base: &Lines, one: &Lines, other: &Lines) -> Lines {
    fn named(lines: &Lines) -> BTreeMap<&str, &String> {
        lines.iter().map(|line| (line.split('\t').next().unwrap_or_default(), line)).collect()
    }
    let (base, one, other) = (named(base), named(one), named(other));
    let names = one.keys().chain(other.keys());
    let choose = |name: &&str| match (base.get(name), one.get(name), other.get(name)) {
        (Some(base), Some(line), None) | (Some(base), None, Some(line)) if base == line => None,
        (_, Some(line), None) | (_, None, Some(line)) => Some((*line).clone()),
        (Some(base), Some(line), Some(changed)) if base == line => Some((*changed).clone()),
        (Some(base), Some(changed), Some(line)) if base == line => Some((*changed).clone()),
        (_, Some(one), Some(other)) => Some((*one.min(other)).clone()),
        (_, None, None) => None,
    };
    names.filter_map(choose).collect()
}

/// Whoever lifted a stone was a person, and that holds; otherwise all stones of both sides stay.
fn stones(base: &str, one: &str, other: &str) -> Tombstones {
    let [base, one, other] = [base, one, other].map(Tombstones::parse);
    let mut merged = Tombstones::default();
    let mut keep = |stone: &Tombstone, there: &Tombstones| match there.get(&stone.id) {
        Some(_) => merged.add(stone.clone()),
        None if base.get(&stone.id) == Some(stone) => {}
        None => merged.add(stone.clone()),
    };
    one.iter().for_each(|stone| keep(stone, &other));
    other.iter().for_each(|stone| keep(stone, &one));
    merged
}
