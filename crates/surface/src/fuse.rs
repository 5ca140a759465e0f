//! Two rankers, one order: the scores are brought to one scale and added, never the ranks.

use lore_core::recall::Matched;
use tantivy::{DocAddress, Searcher, TantivyError};

use crate::explain;
use crate::lexical::{self, Found, Saturation, Weighted};
use crate::query::Word;
use crate::semantic::{Embedder, Scan};

/// How much each ranker says. Data, so that a measurement can change it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Tuning {
    /// What the likeness of meaning counts beside the likeness of words, which counts 1.
    pub(crate) semantic: f32,
    /// How fast further occurrences of a word stop counting.
    pub(crate) saturation: Saturation,
    /// What a word counts that was said just before or after a passage, beside one said in it.
    pub(crate) context: f32,
    /// What an agent's words count beside a person's: people decide, agents repeat.
    pub(crate) agent: f32,
}

impl Default for Tuning {
    fn default() -> Tuning {
        Tuning { semantic: 0.5, saturation: Saturation(1.2), context: 0.3, agent: 0.8 }
    }
}

/// How alike every document of a snapshot is to a query.
pub(crate) struct Likeness {
    /// By segment and document, from 0 to 1.
    pub(crate) fused: Vec<Vec<f32>>,
    pub(crate) lexical: Vec<Vec<f32>>,
    pub(crate) semantic: Option<Vec<Vec<f32>>>,
    pub(crate) found: Vec<Found>,
}

impl Likeness {
    /// Says what a document has of the query.
    pub(crate) fn matched(&self, address: DocAddress, words: &[Word]) -> Matched {
        let (segment, doc) = (address.segment_ord as usize, address.doc_id as usize);
        let (terms, coverage) = explain::coverage(segment, address.doc_id, words, &self.found);
        let semantic = self.semantic.as_ref().map_or(0.0, |scores| scores[segment][doc]);
        Matched {
            terms,
            lexical: f64::from(self.lexical[segment][doc]),
            semantic: f64::from(semantic),
            coverage,
        }
    }
}

/// From so many documents on, comparing takes longer than starting threads for it.
const MANY: u64 = 20_000;

/// For one that is asked for, so many that seem most alike are compared exactly …
const CLOSELY: usize = 40;
/// … and never fewer than this.
const AT_LEAST: usize = 600;

/// Compares a query with every document.
pub(crate) fn likeness(
    searcher: &Searcher,
    fields: &[Weighted],
    words: &[Word],
    text: &str,
    embedder: Option<&dyn Embedder>,
    tuning: &Tuning,
    limit: usize,
) -> Result<Likeness, TantivyError> {
    let by_words = || lexical::score(searcher, fields, words, tuning.saturation);
    let by_meaning = || {
        embedder.filter(|_| !words.is_empty()).map(|embedder| estimate(searcher, embedder, text)).transpose()
    };
    let (scores, meaning) = if searcher.num_docs() > MANY {
        rayon::join(by_words, by_meaning)
    } else {
        (by_words(), by_meaning())
    };
    let (scores, meaning) = (scores?, meaning?);
    let fuse = |words: f32, meaning: f32| (words + tuning.semantic * meaning) / (1.0 + tuning.semantic);
    let mut fused = scores.documents.clone();
    let semantic = meaning.map(|(scan, mut semantic)| {
        let both = || scores.documents.iter().flatten().zip(semantic.iter().flatten());
        let closely = limit.saturating_mul(CLOSELY).max(AT_LEAST);
        let least = nth_largest(both().map(|(words, meaning)| fuse(*words, *meaning)), closely);
        for (segment, (fused, semantic)) in fused.iter_mut().zip(&mut semantic).enumerate() {
            for (doc, (fused, semantic)) in (0..).zip(fused.iter_mut().zip(semantic)) {
                // What is not worth a closer look counts by its words alone.
                *semantic = if fuse(*fused, *semantic) >= least { scan.cosine(segment, doc) } else { 0.0 };
                *fused = fuse(*fused, *semantic);
            }
        }
        semantic
    });
    Ok(Likeness { fused, lexical: scores.documents, semantic, found: scores.words })
}

/// Estimates how near every document is in meaning, and keeps what a closer look needs.
fn estimate(
    searcher: &Searcher,
    embedder: &dyn Embedder,
    text: &str,
) -> Result<(Scan, Vec<Vec<f32>>), TantivyError> {
    let scan = Scan::new(searcher, &embedder.embed(text))?;
    let estimates = scan.estimates();
    Ok((scan, estimates))
}

/// Returns the nth of the scores in falling order, or nothing where there are fewer.
fn nth_largest(scores: impl Iterator<Item = f32>, nth: usize) -> f32 {
    let mut scores: Vec<f32> = scores.collect();
    if scores.len() <= nth {
        return 0.0;
    }
    *scores.select_nth_unstable_by(nth - 1, |a, b| b.total_cmp(a)).1
}
