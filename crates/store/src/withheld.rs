//! Words that were forgotten and are there again: a merge brought them, or a person's hand.

use std::ops::Range;

use lore_core::forget::{FORGOTTEN, Finds as _, Seal};
use lore_core::{ContentHash, Diagnostic, Level};

use crate::format::prose;
use crate::{Sealed, Seals};

/// Name of the diagnostic of a file that holds forgotten words.
pub const CAME_BACK: &str = "forgotten-words";

/// What is held back of entries, because it was forgotten.
#[derive(Debug)]
pub(crate) struct Withheld {
    seals: Vec<(Sealed, Seal)>,
    /// Tells one set of seals from another.
    pub(crate) mark: String,
}

impl Withheld {
    /// Takes the words and the names that were forgotten; nothing where none were.
    pub(crate) fn of(seals: &Seals) -> Option<Withheld> {
        let seals: Vec<(Sealed, Seal)> =
            seals.iter().filter(|(kind, _)| *kind != Sealed::Session).cloned().collect();
        let lines: Vec<String> = seals.iter().map(|(_, seal)| seal.line()).collect();
        let mark = ContentHash::of(lines.join("\n").as_bytes()).short().to_owned();
        (!seals.is_empty()).then_some(Withheld { seals, mark })
    }

    /// Lists where such words stand in an entry's file, in order and apart from each other.
    pub(crate) fn found(&self, text: &str) -> Vec<Range<usize>> {
        self.found_of(text, |_| true)
    }

    /// Returns the first such words that are not to be written and did not stand there before. A person whose name was
    /// forgotten may go on signing what they write.
    pub(crate) fn first_new(&self, text: &str, before: Option<&str>) -> Option<Range<usize>> {
        let is_words = |kind: Sealed| kind == Sealed::Words;
        let known = before.map_or(0, |before| self.found_of(before, is_words).len());
        self.found_of(text, is_words).into_iter().nth(known)
    }

    fn found_of(&self, text: &str, wanted: impl Fn(Sealed) -> bool) -> Vec<Range<usize>> {
        let mut all: Vec<Range<usize>> = Vec::new();
        for part in prose(text) {
            for (_, seal) in self.seals.iter().filter(|(kind, _)| wanted(*kind)) {
                let inside = seal.find(&text[part.clone()]).into_iter();
                all.extend(inside.map(|range| part.start + range.start..part.start + range.end));
            }
        }
        in_order(all)
    }

    /// Returns a text without them, or nothing where it has none.
    pub(crate) fn without(&self, text: &str) -> Option<String> {
        let found = self.found(text);
        (!found.is_empty()).then(|| replaced(text, &found))
    }

    /// Does so with words that are no entry's file: a title, a name, the subject of a commit.
    pub(crate) fn without_words(&self, words: &str) -> Option<String> {
        let found = in_order(self.seals.iter().flat_map(|(_, seal)| seal.find(words)).collect());
        (!found.is_empty()).then(|| replaced(words, &found))
    }

    /// Says on which lines of an entry's file they stand.
    pub(crate) fn diagnostics(&self, path: &str, text: &str) -> Vec<Diagnostic> {
        let mut all: Vec<Diagnostic> = Vec::new();
        for range in self.found(text) {
            let line = u32::try_from(text[..range.start].matches('\n').count() + 1).unwrap_or(u32::MAX);
            let message =
                format!("holds words that were forgotten; it is shown with `{FORGOTTEN}` in their place");
            let one = Diagnostic::new(Level::Error, CAME_BACK, path, message)
                .at_line(line)
                .with_hint("`lore forget --sealed` takes them out again");
            if !all.contains(&one) {
                all.push(one);
            }
        }
        all
    }
}

/// Puts places in order, and leaves out what lies within another.
fn in_order(mut all: Vec<Range<usize>>) -> Vec<Range<usize>> {
    all.sort_by_key(|range| (range.start, range.end));
    let mut end = 0;
    all.retain(|range| {
        let is_apart = range.start >= end;
        end = if is_apart { range.end } else { end };
        is_apart
    });
    all
}

fn replaced(text: &str, found: &[Range<usize>]) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for range in found {
        out.push_str(&text[at..range.start]);
        out.push_str(FORGOTTEN);
        at = range.end;
    }
    out.push_str(&text[at..]);
    out
}
