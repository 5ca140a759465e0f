//! A plain scan over all vectors of a snapshot: exact, and fast enough for hundreds of thousands.

use tantivy::{Searcher, SegmentReader};

use super::{PER_WORD, quantise};

/// How many numbers are fetched from the index at once.
const BLOCK: usize = 4096;

/// Returns for each segment and document the cosine between the query and its best window.
pub(crate) fn similarities(
    searcher: &Searcher,
    field: &str,
    query: &[f32],
) -> Result<Vec<Vec<f32>>, tantivy::TantivyError> {
    let query = quantise(query);
    searcher.segment_readers().iter().map(|segment| segment_similarities(segment, field, &query)).collect()
}

fn segment_similarities(
    segment: &SegmentReader,
    field: &str,
    query: &[i8],
) -> Result<Vec<f32>, tantivy::TantivyError> {
    let mut best = vec![0.0f32; segment.max_doc() as usize];
    let words = query.len().div_ceil(PER_WORD);
    let query_length = length(query);
    if words == 0 || query_length == 0.0 {
        return Ok(best);
    }
    let column = segment.fast_fields().u64(field)?;
    let total = column.values.num_vals() as usize;
    let mut owners = Vec::with_capacity(total / words);
    for doc in 0..segment.max_doc() {
        let rows = column.index.value_row_ids(doc);
        for _ in 0..(rows.end - rows.start) as usize / words {
            owners.push(doc);
        }
    }
    let per_block = (BLOCK / words).max(1);
    let mut block = vec![0u64; per_block * words];
    for (number, docs) in owners.chunks(per_block).enumerate() {
        let start = number * per_block * words;
        let values = &mut block[..docs.len() * words];
        column.values.get_range(start as u64, values);
        for (doc, vector) in docs.iter().zip(values.chunks(words)) {
            let cosine = cosine(vector, query, query_length);
            let slot = &mut best[*doc as usize];
            *slot = slot.max(cosine);
        }
    }
    Ok(best)
}

fn cosine(vector: &[u64], query: &[i8], query_length: f32) -> f32 {
    let mut dot = 0i32;
    let mut square = 0i32;
    for (word, chunk) in vector.iter().zip(query.chunks(PER_WORD)) {
        for (byte, q) in word.to_le_bytes().into_iter().zip(chunk) {
            let value = i32::from(byte.cast_signed());
            dot += value * i32::from(*q);
            square += value * value;
        }
    }
    if square == 0 { 0.0 } else { dot as f32 / ((square as f32).sqrt() * query_length) }
}

fn length(vector: &[i8]) -> f32 {
    let square: i32 = vector.iter().map(|v| i32::from(*v) * i32::from(*v)).sum();
    (square as f32).sqrt()
}
