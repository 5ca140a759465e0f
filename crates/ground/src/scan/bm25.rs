//! Okapi BM25 over bags of words.

use rustc_hash::FxHashMap;

use super::words::Term;

const SATURATION: f64 = 1.2;
const LENGTH: f64 = 0.6;

/// A bag of words: each with how often it stands there, sorted.
pub(super) type Bag = Vec<(Term, u16)>;

/// Counts words into a sorted bag.
pub(super) fn bag(counts: FxHashMap<Term, u16>) -> Bag {
    let mut bag: Bag = counts.into_iter().collect();
    bag.sort_unstable();
    bag
}

/// How often words stand in how many texts.
pub(super) struct Statistics {
    texts: f64,
    mean: f64,
    in_texts: FxHashMap<Term, u32>,
}

impl Statistics {
    /// Counts only the words that are asked for.
    pub(super) fn of<'b>(
        asked: &FxHashMap<Term, f64>,
        bags: impl Iterator<Item = &'b [(Term, u16)]>,
    ) -> Statistics {
        let (mut texts, mut length) = (0_u32, 0_u64);
        let mut in_texts: FxHashMap<Term, u32> = FxHashMap::default();
        for bag in bags {
            texts += 1;
            length += total(bag);
            for (term, _) in bag {
                if asked.contains_key(term) {
                    *in_texts.entry(*term).or_default() += 1;
                }
            }
        }
        let texts = f64::from(texts.max(1));
        Statistics { texts, mean: (length as f64 / texts).max(1.0), in_texts }
    }

    /// Returns how much a word tells apart (inverse document frequency).
    pub(super) fn weight(&self, term: Term) -> f64 {
        let count = f64::from(self.in_texts.get(&term).copied().unwrap_or(0));
        ((self.texts - count + 0.5) / (count + 0.5)).ln_1p()
    }

    /// Tells whether a word stands in so few of the texts that it tells them apart.
    pub(super) fn is_rare(&self, term: Term) -> bool {
        let count = f64::from(self.in_texts.get(&term).copied().unwrap_or(0));
        count > 0.0 && count <= (self.texts / 4.0).max(3.0)
    }

    /// Scores one text against weighted words.
    pub(super) fn score(&self, asked: &FxHashMap<Term, f64>, bag: &[(Term, u16)]) -> f64 {
        self.shares(asked, bag).fold(0.0, |sum, (_, share)| sum + share)
    }

    /// Returns what each word adds to the score of a text.
    pub(super) fn shares(
        &self,
        asked: &FxHashMap<Term, f64>,
        bag: &[(Term, u16)],
    ) -> impl Iterator<Item = (Term, f64)> {
        let norm = SATURATION * (1.0 - LENGTH + LENGTH * total(bag) as f64 / self.mean);
        bag.iter().filter_map(move |(term, count)| {
            let times = asked.get(term)?;
            let count = f64::from(*count);
            Some((*term, times * self.weight(*term) * count * (SATURATION + 1.0) / (count + norm)))
        })
    }
}

fn total(bag: &[(Term, u16)]) -> u64 {
    bag.iter().map(|(_, count)| u64::from(*count)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_with_the_rare_word_wins() {
        let bags: [Bag; 3] = [vec![(1, 3), (2, 1)], vec![(1, 5)], vec![(1, 1), (3, 9)]];
        let asked: FxHashMap<Term, f64> = [(1, 1.0), (2, 1.0)].into_iter().collect();
        let statistics = Statistics::of(&asked, bags.iter().map(Vec::as_slice));
        let scores: Vec<f64> = bags.iter().map(|bag| statistics.score(&asked, bag)).collect();
        assert!(scores[0] > scores[1] && scores[1] > scores[2], "{scores:?}");
    }
}
