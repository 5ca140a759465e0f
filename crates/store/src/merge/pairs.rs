//! What a side put in the place of what: the words that went, and those that came instead.

use std::collections::{BTreeMap, BTreeSet};

use lore_core::article::{CONFLICT, DOUBTED, HISTORY};

use super::manuscript::{Strand, is, key_of};

/// Where each strand of a text stands, by its words.
pub(super) type Whereabouts<'a> = BTreeMap<&'a str, (&'a str, &'a Strand)>;

/// Pairs what a side took out with what it put in instead: by shared footnotes, or by shared words.
pub(super) fn edits<'a>(was: &Whereabouts<'a>, now: &Whereabouts<'a>) -> BTreeMap<&'a str, &'a str> {
    let gone: Vec<&str> = was.keys().filter(|key| !now.contains_key(*key)).copied().collect();
    let new: Vec<&str> = now.keys().filter(|key| !was.contains_key(*key)).copied().collect();
    let mut pairs: Vec<(f64, &str, &str)> = Vec::new();
    for old in &gone {
        for fresh in &new {
            let (Some((place, before)), Some((new_place, after))) = (was.get(old), now.get(fresh)) else {
                continue;
            };
            let shares = before.marks.iter().any(|mark| after.marks.contains(mark));
            let words = likeness(old, fresh);
            let score = words + if shares { 0.5 } else { 0.0 } + if place == new_place { 0.1 } else { 0.0 };
            if words >= 0.4 || (shares && words >= 0.15 && place == new_place) {
                pairs.push((score, old, fresh));
            }
        }
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let (mut out, mut used) = (BTreeMap::new(), BTreeSet::new());
    for (_, old, fresh) in pairs {
        if !out.contains_key(old) && used.insert(fresh) {
            out.insert(old, fresh);
        }
    }
    // The only statement that went from a chapter, and the only one that came: whatever it says now.
    let stated = |of: &Whereabouts<'a>, keys: &[&'a str], taken: &dyn Fn(&str) -> bool| {
        let mut by_place: BTreeMap<&'a str, Vec<&'a str>> = BTreeMap::new();
        for key in keys.iter().filter(|key| !taken(key)) {
            if let Some((place, _)) = of.get(key).filter(|(_, strand)| strand.states()) {
                by_place.entry(place).or_default().push(key);
            }
        }
        by_place
    };
    let left = stated(was, &gone, &|key| out.contains_key(key));
    let came = stated(now, &new, &|key| used.contains(key));
    for (place, old) in left {
        if let ([old], Some([fresh])) = (old.as_slice(), came.get(place).map(Vec::as_slice)) {
            out.insert(old, fresh);
        }
    }
    out
}

/// Pairs what a side replaced and kept in its history with what stands in its place now, through however many steps.
pub(super) fn replaced<'a>(was: &Whereabouts<'a>, now: &Whereabouts<'a>) -> BTreeMap<&'a str, &'a str> {
    let stood = |place: &str| ![CONFLICT, HISTORY, DOUBTED].into_iter().any(|ours| is(place, ours));
    let heir = |strand: &Strand| {
        let text = strand.below.lines().find_map(|line| line.trim_start().strip_prefix("Replaced by: "))?;
        now.get_key_value(key_of(text).as_str()).map(|(key, found)| (*key, *found))
    };
    let mut out = BTreeMap::new();
    for key in was.iter().filter(|(_, (place, _))| stood(place)).map(|(key, _)| *key) {
        let mut at = now.get(key).copied();
        // Each step leads to another statement; a text that leads in a circle ends somewhere all the same.
        for _ in 0..now.len() {
            let Some((fresh, found)) =
                at.filter(|(place, _)| is(place, HISTORY)).and_then(|(_, strand)| heir(strand))
            else {
                break;
            };
            if stood(found.0) && !was.contains_key(fresh) {
                out.insert(key, fresh);
            }
            at = Some(found);
        }
    }
    out
}

/// Returns the share of words that two texts have in common.
fn likeness(a: &str, b: &str) -> f64 {
    let words = |text: &str| -> BTreeSet<String> {
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_owned)
            .collect()
    };
    let (a, b) = (words(a), words(b));
    let shared = a.intersection(&b).count();
    let all = a.len() + b.len() - shared;
    if all == 0 { 0.0 } else { shared as f64 / all as f64 }
}
