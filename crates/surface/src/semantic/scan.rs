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
    let query: Vec<i16> = query.iter().map(|value| i16::from(*value)).collect();
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
    let mut bytes = vec![0u8; block.len() * PER_WORD];
    for (number, docs) in owners.chunks(per_block).enumerate() {
        let start = number * per_block * words;
        let values = &mut block[..docs.len() * words];
        column.values.get_range(start as u64, values);
        for (bytes, value) in bytes.as_chunks_mut::<PER_WORD>().0.iter_mut().zip(values) {
            *bytes = value.to_le_bytes();
        }
        for (doc, vector) in docs.iter().zip(bytes.chunks_exact(words * PER_WORD)) {
            let cosine = cosine(vector, &query, query_length);
            let slot = &mut best[*doc as usize];
            *slot = slot.max(cosine);
        }
    }
    Ok(best)
}

/// Returns the cosine, or nothing where it is not positive: what points away is no more than unlike.
///
/// The numbers are widened to sixteen bits only, which every processor can multiply eight at a time.
fn cosine(vector: &[u8], query: &[i16], query_length: f32) -> f32 {
    let wide = |byte: &u8| i16::from(byte.cast_signed());
    let dot: i32 = vector.iter().map(wide).zip(query).map(|(a, b)| i32::from(a) * i32::from(*b)).sum();
    if dot <= 0 {
        return 0.0;
    }
    let square: i32 = vector.iter().map(wide).map(|a| i32::from(a) * i32::from(a)).sum();
    dot as f32 / ((square as f32).sqrt() * query_length)
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
            let product = |a: &[i8], b: &[i8]| -> i32 { a.iter().zip(b).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum() };
            let (dot, square) = (product(&vector, &query), product(&vector, &vector));
            let plain = if dot <= 0 { 0.0 } else { dot as f32 / ((square as f32).sqrt() * length(&query)) };
            let bytes: Vec<u8> = vector.iter().map(|value| value.cast_unsigned()).collect();
            let wide: Vec<i16> = query.iter().map(|value| i16::from(*value)).collect();
            prop_assume!(length(&query) > 0.0);
            prop_assert_eq!(cosine(&bytes, &wide, length(&query)), plain);
        }
    }
}
