//! The design itself, where it lies in the repository: it agrees with itself in everything, and is not what changes.

use rustc_hash::{FxHashMap, FxHashSet};

use super::bm25::{Bag, bag};
use super::roles::Role;
use super::tree::TreeFile;
use super::words::{Cutter, Term};

/// So much of a file has to stand in the design: it may have been touched up since.
const OF_THE_FILE: f64 = 0.9;
/// So much of the design has to stand in the file: it may have been put together from several.
const OF_THE_DESIGN: f64 = 0.25;

/// Fewer words could have met by chance, unless they are all there is.
const ENOUGH: f64 = 20.0;

/// Finds the files that hold the design, or a part of it, by their places.
pub(super) fn find(files: &[TreeFile], text: &str) -> FxHashSet<usize> {
    let own = counted(text);
    files.iter().enumerate().filter(|(_, file)| is_copy(&own, file)).map(|(at, _)| at).collect()
}

fn is_copy(own: &Bag, file: &TreeFile) -> bool {
    // What a program is made of is never its design, however much of it is quoted.
    if !matches!(Role::of(&file.path), Role::Document | Role::Other) {
        return false;
    }
    let theirs = &file.outline.words;
    let (all, inside) = (total(own), total(theirs));
    let shared: f64 = theirs
        .iter()
        .filter_map(|(term, count)| {
            let at = own.binary_search_by_key(term, |(term, _)| *term).ok()?;
            Some(f64::from((*count).min(own[at].1)))
        })
        .sum();
    let is_most = shared >= OF_THE_FILE * inside && shared >= OF_THE_DESIGN * all;
    is_most && (shared >= ENOUGH || (shared > 0.0 && own == theirs))
}

fn total(bag: &[(Term, u16)]) -> f64 {
    bag.iter().map(|(_, count)| f64::from(*count)).sum()
}

fn counted(text: &str) -> Bag {
    let mut counts: FxHashMap<Term, u16> = FxHashMap::default();
    Cutter::default().cut(text, |term| {
        let count = counts.entry(term).or_default();
        *count = count.saturating_add(1);
    });
    bag(counts)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::scan::outline::outline;

    #[test]
    fn the_design_is_known_by_its_words() {
        let half = "The rate of each country stands in one table, which says from when it holds, until when, who \
            decided, whom it concerns, how goods are sorted, how parcels count, what customs take, why.";
        let text = format!("Round every tax to cents. {half} Bills print the rate.");
        let check = |path: &str, held: &str, is_copy: bool| {
            let outline = Arc::new(outline(path, held));
            let file = TreeFile { path: path.to_owned(), outline };
            assert_eq!(find(&[file], &text).contains(&0), is_copy, "{held}");
        };
        check("plans/tax.md", &text, true);
        check("plans/tax.md", &format!("{text} (draft)"), true);
        check("plans/tax.md", half, true);
        check("plans/tax.md", "Round every tax", false);
        check("plans/tax.md", &format!("{text} Then comes much more that nobody has asked for yet."), false);
        check("plans/tax.md", "", false);
        check("plans/tax.rs", &text, false);
    }
}
