//! BM25 over weighted fields, term by term, with the statistics of living documents only.
//!
//! The engine's own scorer counts deleted documents until they are merged away, so that an updated
//! index would rank otherwise than a rebuilt one. Here the counts are exact, a term that stands in
//! several fields of a document is saturated once (BM25F), and every term's share can be shown.

use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocId, Searcher, SegmentReader, TantivyError, Term};

use crate::query::Word;

/// A field and how much a word in it counts.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Weighted {
    pub(crate) field: Field,
    /// What one occurrence is worth.
    pub(crate) weight: f32,
    /// How much long texts are held back: 0 not at all, 1 fully.
    pub(crate) length: f32,
    /// Whether a word in it belongs to the document; such fields stand before the others.
    pub(crate) own: bool,
}

/// How fast further occurrences of a word stop counting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Saturation(pub(crate) f32);

/// The lexical scores of all documents, each between 0 and 1.
pub(crate) struct Scores {
    /// By segment and document.
    pub(crate) documents: Vec<Vec<f32>>,
    /// What each word of the query found.
    pub(crate) words: Vec<Found>,
}

/// What one word of the query found.
pub(crate) struct Found {
    /// How much the word tells.
    pub(crate) rarity: f32,
    /// By segment, a bit for every document that has the word.
    holders: Vec<Vec<u64>>,
}

impl Found {
    /// Tells whether a document has the word.
    pub(crate) fn is_in(&self, segment: usize, doc: DocId) -> bool {
        self.holders[segment][doc as usize / 64] >> (doc % 64) & 1 == 1
    }
}

/// Scores every document for the words.
pub(crate) fn score(
    searcher: &Searcher,
    fields: &[Weighted],
    words: &[Word],
    saturation: Saturation,
) -> Result<Scores, TantivyError> {
    let segments = searcher.segment_readers();
    let averages = average_lengths(segments, fields)?;
    let living: u32 = segments.iter().map(SegmentReader::num_docs).sum();
    let mut documents: Vec<Vec<f32>> = segments.iter().map(|s| vec![0.0; s.max_doc() as usize]).collect();
    let mut scratch: Vec<Vec<f32>> = documents.clone();
    let mut found = Vec::with_capacity(words.len());
    let mut ideal = 0.0;
    for word in words {
        let mut touched: Vec<Vec<DocId>> = vec![Vec::new(); segments.len()];
        let (mut holders, mut having) = (Vec::with_capacity(segments.len()), 0);
        for (number, segment) in segments.iter().enumerate() {
            let mut own = 0;
            for (weighted, average) in fields.iter().zip(&averages) {
                let scratch = &mut scratch[number];
                gather(segment, weighted, *average, &word.term, scratch, &mut touched[number])?;
                if weighted.own {
                    own = touched[number].len();
                }
            }
            let mut bits = vec![0u64; segment.max_doc() as usize / 64 + 1];
            touched[number][..own].iter().for_each(|doc| bits[*doc as usize / 64] |= 1 << (doc % 64));
            holders.push(bits);
            having += own;
        }
        let rarity = rarity(living, having as u32);
        ideal += word.weight * rarity;
        for (number, docs) in touched.into_iter().enumerate() {
            for doc in docs {
                let frequency = std::mem::take(&mut scratch[number][doc as usize]);
                documents[number][doc as usize] +=
                    word.weight * rarity * frequency / (frequency + saturation.0);
            }
        }
        found.push(Found { rarity, holders });
    }
    if ideal > 0.0 {
        for score in documents.iter_mut().flatten() {
            *score /= ideal;
        }
    }
    Ok(Scores { documents, words: found })
}

/// Adds the length-normalised frequencies of a term in one field.
fn gather(
    segment: &SegmentReader,
    weighted: &Weighted,
    average: f32,
    term: &str,
    frequencies: &mut [f32],
    touched: &mut Vec<DocId>,
) -> Result<(), TantivyError> {
    let inverted = segment.inverted_index(weighted.field)?;
    let term = Term::from_field_text(weighted.field, term);
    let Some(mut postings) = inverted.read_block_postings(&term, IndexRecordOption::WithFreqs)? else {
        return Ok(());
    };
    let lengths = segment.get_fieldnorms_reader(weighted.field)?;
    let alive = segment.alive_bitset();
    loop {
        let docs = postings.docs();
        if docs.is_empty() {
            return Ok(());
        }
        for (doc, frequency) in docs.iter().zip(postings.freqs()) {
            if alive.is_some_and(|alive| !alive.is_alive(*doc)) {
                continue;
            }
            let long = lengths.fieldnorm(*doc) as f32 / average;
            let norm = 1.0 - weighted.length + weighted.length * long;
            let slot = &mut frequencies[*doc as usize];
            if *slot == 0.0 {
                touched.push(*doc);
            }
            *slot += weighted.weight * *frequency as f32 / norm;
        }
        postings.advance();
    }
}

/// Averages the lengths of each field over living documents that have it.
fn average_lengths(segments: &[SegmentReader], fields: &[Weighted]) -> Result<Vec<f32>, TantivyError> {
    let mut averages = Vec::with_capacity(fields.len());
    for weighted in fields {
        let mut counts = [0u64; 256];
        for segment in segments {
            let lengths = segment.get_fieldnorms_reader(weighted.field)?;
            match segment.alive_bitset() {
                None => (0..segment.max_doc()).for_each(|doc| {
                    counts[lengths.fieldnorm_id(doc) as usize] += 1;
                }),
                Some(alive) => alive.iter_alive().for_each(|doc| {
                    counts[lengths.fieldnorm_id(doc) as usize] += 1;
                }),
            }
        }
        // Documents without the field must not make it look short.
        counts[0] = 0;
        let documents: u64 = counts.iter().sum();
        let words: u64 = counts
            .iter()
            .enumerate()
            .map(|(id, count)| {
                u64::from(tantivy::fieldnorm::FieldNormReader::id_to_fieldnorm(id as u8)) * count
            })
            .sum();
        averages.push(if documents == 0 { 1.0 } else { (words as f32 / documents as f32).max(1.0) });
    }
    Ok(averages)
}

/// Returns how much a word tells, from the number of documents that have it.
pub(crate) fn rarity(living: u32, holders: u32) -> f32 {
    let (living, holders) = (living as f32, holders as f32);
    (1.0 + (living - holders + 0.5) / (holders + 0.5)).ln()
}
