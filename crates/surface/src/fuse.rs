//! Two rankers, one order: the scores are brought to one scale and added, never the ranks.

use tantivy::{Searcher, TantivyError};

use crate::lexical::{self, Found, Saturation, Weighted};
use crate::query::Word;
use crate::semantic::{self, Embedder};

/// How much each ranker says. Data, so that a measurement can change it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tuning {
    /// What the likeness of meaning counts beside the likeness of words, which counts 1.
    pub semantic: f32,
    /// How fast further occurrences of a word stop counting.
    pub saturation: Saturation,
    /// What a word counts that was said just before or after a passage, beside one said in it.
    pub context: f32,
    /// What an agent's words count beside a person's: people decide, agents repeat.
    pub agent: f32,
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

/// From so many documents on, comparing takes longer than starting threads for it.
const MANY: u64 = 20_000;

/// Compares a query with every document.
pub(crate) fn likeness(
    searcher: &Searcher,
    fields: &[Weighted],
    words: &[Word],
    text: &str,
    embedder: Option<&dyn Embedder>,
    tuning: &Tuning,
) -> Result<Likeness, TantivyError> {
    let by_words = || lexical::score(searcher, fields, words, tuning.saturation);
    let by_meaning = || match embedder {
        Some(embedder) if !words.is_empty() => {
            semantic::similarities(searcher, "vector", &embedder.embed(text)).map(Some)
        }
        _ => Ok(None),
    };
    let (scores, semantic) = if searcher.num_docs() > MANY {
        rayon::join(by_words, by_meaning)
    } else {
        (by_words(), by_meaning())
    };
    let (scores, semantic) = (scores?, semantic?);
    let mut fused = scores.documents.clone();
    if let Some(semantic) = &semantic {
        for (fused, semantic) in fused.iter_mut().flatten().zip(semantic.iter().flatten()) {
            *fused = (*fused + tuning.semantic * semantic.max(0.0)) / (1.0 + tuning.semantic);
        }
    }
    Ok(Likeness { fused, lexical: scores.documents, semantic, found: scores.words })
}
