//! What the text and a file, what it defines, or its path say in the same words.

use rustc_hash::FxHashMap;

use super::{Sight, Signal, Signals};
use crate::scan::bm25::{Bag, Statistics, bag};
use crate::scan::roles::Role;
use crate::scan::words::{Cutter, Term};

impl Sight<'_> {
    /// Compares words.
    pub(super) fn words(&self, found: &mut [Signals]) {
        let mut cutter = Cutter::default();
        let mut cut = |text: &mut dyn Iterator<Item = &str>| -> Bag {
            let mut counts: FxHashMap<Term, u16> = FxHashMap::default();
            for one in text {
                cutter.cut(one, |term| *counts.entry(term).or_default() += 1);
            }
            bag(counts)
        };
        let paths: Vec<Bag> =
            self.files.iter().map(|file| cut(&mut std::iter::once(file.path.as_str()))).collect();
        let defined: Vec<Bag> = self
            .files
            .iter()
            .map(|file| cut(&mut file.outline.defined.iter().map(|one| one.name.as_str())))
            .collect();
        let words = &self.design.words;
        for (signal, bags) in [(Signal::DefinedWords, &defined), (Signal::Path, &paths)] {
            let statistics = Statistics::of(words, bags.iter().map(Vec::as_slice));
            let scores: Vec<f64> = bags.iter().map(|bag| statistics.score(words, bag)).collect();
            self.fill_by_role(found, signal, &scores);
        }
        let contents: Vec<&[(Term, u16)]> =
            self.files.iter().map(|file| file.outline.words.as_slice()).collect();
        let statistics = Statistics::of(words, contents.iter().copied());
        let scores = |asked: &FxHashMap<Term, f64>| -> Vec<f64> {
            contents.iter().map(|bag| statistics.score(asked, bag)).collect()
        };
        let whole = scores(words);
        self.fill_by_role(found, Signal::Content, &whole);
        self.fill_ranks(found, Signal::ContentRank, &whole);
        self.fill_by_role(found, Signal::TitleContent, &scores(&self.design.title));
    }

    /// Puts places in line in place: the first counts most, the tenth half as much.
    fn fill_ranks(&self, found: &mut [Signals], signal: Signal, values: &[f64]) {
        for wanted in [true, false] {
            let mut order: Vec<usize> = (0..values.len())
                .filter(|at| (self.roles[*at] == Role::Document) == wanted && values[*at] > 0.0)
                .collect();
            order.sort_by(|a, b| values[*b].total_cmp(&values[*a]).then(a.cmp(b)));
            for (place, at) in order.into_iter().enumerate() {
                found[at][signal as usize] = 1.0 / (1.0 + place as f32 / 10.0);
            }
        }
    }
}
