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
    let query = widened(query);
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
            let cosine = cosine(vector, &query, query_length);
            let slot = &mut best[*doc as usize];
            *slot = slot.max(cosine);
        }
    }
    Ok(best)
}

/// Multiplies eight numbers at a time and adds them up in pairs, which every processor can do at once.
fn cosine(vector: &[u64], query: &[[i16; PER_WORD]], query_length: f32) -> f32 {
    let mut dot = [0i32; PER_WORD / 2];
    let mut square = [0i32; PER_WORD / 2];
    for (word, query) in vector.iter().zip(query) {
        let values = word.to_le_bytes().map(|byte| i16::from(byte.cast_signed()));
        for at in 0..PER_WORD / 2 {
            let (a, b) = (i32::from(values[2 * at]), i32::from(values[2 * at + 1]));
            dot[at] += a * i32::from(query[2 * at]) + b * i32::from(query[2 * at + 1]);
            square[at] += a * a + b * b;
        }
    }
    let (dot, square) = (dot.iter().sum::<i32>(), square.iter().sum::<i32>());
    if square == 0 { 0.0 } else { dot as f32 / ((square as f32).sqrt() * query_length) }
}

/// Widens a query once, so that it need not be done for every vector.
fn widened(query: &[i8]) -> Vec<[i16; PER_WORD]> {
    let wide = |chunk: &[i8]| {
        let mut out = [0; PER_WORD];
        out.iter_mut().zip(chunk).for_each(|(out, value)| *out = i16::from(*value));
        out
    };
    query.chunks(PER_WORD).map(wide).collect()
}

fn length(vector: &[i8]) -> f32 {
    let square: i32 = vector.iter().map(|v| i32::from(*v) * i32::from(*v)).sum();
    (square as f32).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_cosine_is_the_plain_one(pairs in proptest::collection::vec(any::<(i8, i8)>(), 1..40)) {
            let (vector, query): (Vec<i8>, Vec<i8>) = pairs.into_iter().unzip();
            let packed: Vec<u64> = super::super::pack(&vector).collect();
            let product = |a: &[i8], b: &[i8]| -> i32 { a.iter().zip(b).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum() };
            let square = product(&vector, &vector);
            let plain = if square == 0 { 0.0 } else { product(&vector, &query) as f32 / ((square as f32).sqrt() * length(&query)) };
            prop_assume!(length(&query) > 0.0);
            prop_assert_eq!(cosine(&packed, &widened(&query), length(&query)), plain);
        }
    }
}
