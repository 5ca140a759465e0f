//! The measure: entries against labels, exactly as the data's own page defines it.

use std::collections::BTreeMap;

use lore_core::Candidate;

use super::gold::{Gold, Labelled, Read};

/// The entries of one session.
pub(crate) struct Extracted<'a> {
    pub(crate) session: &'a Labelled,
    pub(crate) entries: Vec<Candidate>,
}

/// Counts, to be divided at the end.
#[derive(Debug, Default, Clone, PartialEq)]
pub(crate) struct Tally {
    pub(crate) items: usize,
    pub(crate) found: usize,
    pub(crate) self_contained: usize,
    pub(crate) judged: usize,
    pub(crate) right: usize,
    pub(crate) noise: usize,
    pub(crate) fooled: usize,
    pub(crate) sessions: usize,
    pub(crate) entries: usize,
    pub(crate) typed: usize,
    pub(crate) typed_right: usize,
}

/// Scores what was extracted from the labelled sessions.
pub(crate) fn score(gold: &Gold, extracted: &[Extracted<'_>]) -> Tally {
    let exhaustive = extracted.iter().any(|one| one.session.read == Read::Exhaustive);
    let judged_read = if exhaustive { Read::Exhaustive } else { Read::Full };
    let mut tally = Tally::default();
    let by_file: BTreeMap<&str, &Extracted<'_>> =
        extracted.iter().map(|one| (one.session.file.as_str(), one)).collect();
    for one in extracted {
        tally.sessions += 1;
        tally.entries += one.entries.len();
        if one.session.read == judged_read {
            precision(gold, one, &mut tally);
        }
        if one.session.read != Read::Partial {
            recall(gold, one, &mut tally);
        }
    }
    for noise in &gold.noise {
        let Some(one) = by_file.get(noise.file.as_str()) else { continue };
        tally.noise += 1;
        tally.fooled += usize::from(one.entries.iter().any(|entry| covers(entry, noise.line, &noise.quote)));
    }
    tally
}

fn precision(gold: &Gold, one: &Extracted<'_>, tally: &mut Tally) {
    for entry in &one.entries {
        if entry.evidence.iter().any(|evidence| one.session.cut_lines.contains(&evidence.line)) {
            continue;
        }
        let text = whole(entry);
        tally.judged += 1;
        tally.right += usize::from(gold.right(&one.session.file).any(|item| item.matches(&text)));
    }
}

fn recall(gold: &Gold, one: &Extracted<'_>, tally: &mut Tally) {
    let texts: Vec<String> = one.entries.iter().map(whole).collect();
    for item in gold.items.iter().filter(|item| item.file == one.session.file && item.counts()) {
        tally.items += 1;
        let matching: Vec<usize> = (0..texts.len()).filter(|index| item.matches(&texts[*index])).collect();
        tally.found += usize::from(!matching.is_empty());
        tally.self_contained +=
            usize::from(matching.iter().any(|index| item.is_self_contained(&texts[*index])));
        if !matching.is_empty() {
            tally.typed += 1;
            let same = |index: &usize| one.entries[*index].kind.word() == item.kind;
            tally.typed_right += usize::from(matching.iter().any(same));
        }
    }
}

/// Returns what is matched: the title and the text.
pub(crate) fn whole(entry: &Candidate) -> String {
    format!("{}\n{}", entry.title, entry.text)
}

/// Tells whether a noise passage became part of an entry.
pub(crate) fn covers(entry: &Candidate, line: u32, quote: &str) -> bool {
    if !entry.evidence.iter().any(|evidence| evidence.line == line) {
        return false;
    }
    let words = |text: &str| -> std::collections::BTreeSet<String> {
        text.split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty())
            .map(str::to_lowercase)
            .collect()
    };
    let quote = words(quote);
    let own = words(&whole(entry));
    let shared = quote.intersection(&own).count();
    !quote.is_empty() && shared * 10 >= quote.len() * 6
}

/// Divides two counts; nothing out of nothing is nothing.
#[allow(clippy::cast_precision_loss, reason = "counts of labels are small")]
pub(crate) fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

impl Tally {
    /// Adds two tallies.
    pub(crate) fn plus(&self, other: &Tally) -> Tally {
        Tally {
            items: self.items + other.items,
            found: self.found + other.found,
            self_contained: self.self_contained + other.self_contained,
            judged: self.judged + other.judged,
            right: self.right + other.right,
            noise: self.noise + other.noise,
            fooled: self.fooled + other.fooled,
            sessions: self.sessions + other.sessions,
            entries: self.entries + other.entries,
            typed: self.typed + other.typed,
            typed_right: self.typed_right + other.typed_right,
        }
    }

    /// Prints the figures on one line.
    pub(crate) fn line(&self) -> String {
        format!(
            "recall {:.3} selfcontained {:.3} precision {:.3} ({}/{}) noise {:.3} entries {:.1} type {:.3}",
            share(self.found, self.items),
            share(self.self_contained, self.items),
            share(self.right, self.judged),
            self.right,
            self.judged,
            share(self.fooled, self.noise),
            share(self.entries, self.sessions),
            share(self.typed_right, self.typed)
        )
    }
}
