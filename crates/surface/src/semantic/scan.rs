//! How near every document of a snapshot is to a query in meaning: all of them by the signs of their
//! vectors, which takes little reading, and the best of them exactly.

use tantivy::columnar::Column;
use tantivy::{DocId, Searcher, SegmentReader, TantivyError};

use super::{PER_WORD, quantise, sketch};

/// How many numbers are fetched from the index at once.
const BLOCK: usize = 4096;

/// A query beside the vectors of a snapshot.
pub(crate) struct Scan {
    query: Vec<i16>,
    length: f32,
    signs: Vec<u64>,
    segments: Vec<Vectors>,
}

/// The vectors of one segment.
struct Vectors {
    vectors: Column<u64>,
    sketches: Column<u64>,
    /// The first window of every document, and the end of the last.
    starts: Vec<u32>,
    deleted: Vec<DocId>,
}

impl Scan {
    /// Prepares for a query.
    pub(crate) fn new(searcher: &Searcher, query: &[f32]) -> Result<Scan, TantivyError> {
        let query = quantise(query);
        let segments = searcher.segment_readers().iter().map(Vectors::open).collect::<Result<_, _>>()?;
        Ok(Scan {
            length: length(&query),
            signs: sketch(&query),
            query: query.into_iter().map(i16::from).collect(),
            segments,
        })
    }

    /// Estimates the cosine between the query and the best window of every document, by segment.
    pub(crate) fn estimates(&self) -> Vec<Vec<f32>> {
        let bits = self.query.len();
        // Two vectors differ in as many signs as the angle between them is wide.
        let cosines: Vec<f32> = (0..=bits)
            .map(|differing| (std::f32::consts::PI * differing as f32 / bits as f32).cos().max(0.0))
            .collect();
        self.segments.iter().map(|vectors| vectors.estimates(&self.signs, &cosines)).collect()
    }

    /// Returns the cosine between the query and the best window of a document, or nothing where it is
    /// not positive: what points away is no more than unlike.
    pub(crate) fn cosine(&self, segment: usize, doc: DocId) -> f32 {
        let vectors = &self.segments[segment];
        let words = self.query.len().div_ceil(PER_WORD);
        let mut block = vec![0u64; words];
        let mut bytes = vec![0u8; words * PER_WORD];
        let mut best = 0.0f32;
        for window in vectors.starts[doc as usize]..vectors.starts[doc as usize + 1] {
            vectors.vectors.values.get_range(u64::from(window) * words as u64, &mut block);
            for (bytes, value) in bytes.as_chunks_mut::<PER_WORD>().0.iter_mut().zip(&block) {
                *bytes = value.to_le_bytes();
            }
            best = best.max(cosine(&bytes, &self.query, self.length));
        }
        best
    }
}

impl Vectors {
    fn open(segment: &SegmentReader) -> Result<Vectors, TantivyError> {
        let columns = segment.fast_fields();
        let windows = columns.u64("windows")?;
        let documents = segment.max_doc() as usize;
        let mut counts = vec![0u64; documents];
        if windows.values.num_vals() as usize == documents {
            windows.values.get_range(0, &mut counts);
        } else {
            for (doc, count) in (0..).zip(&mut counts) {
                *count = windows.first(doc).unwrap_or_default();
            }
        }
        let mut starts = Vec::with_capacity(documents + 1);
        let mut next = 0;
        starts.push(next);
        for count in counts {
            next += count as u32;
            starts.push(next);
        }
        let alive = segment.alive_bitset();
        let deleted =
            alive.map(|alive| (0..segment.max_doc()).filter(|doc| alive.is_deleted(*doc)).collect());
        Ok(Vectors {
            vectors: columns.u64("vector")?,
            sketches: columns.u64("sketch")?,
            starts,
            deleted: deleted.unwrap_or_default(),
        })
    }

    fn estimates(&self, signs: &[u64], cosines: &[f32]) -> Vec<f32> {
        let windows = self.starts.last().copied().unwrap_or_default() as usize;
        let per_block = (BLOCK / signs.len()).max(1);
        let mut block = vec![0u64; per_block * signs.len()];
        let mut nearest = Vec::with_capacity(windows);
        for first in (0..windows).step_by(per_block) {
            let block = &mut block[..per_block.min(windows - first) * signs.len()];
            self.sketches.values.get_range((first * signs.len()) as u64, block);
            nearest.extend(block.chunks_exact(signs.len()).map(|sketch| {
                let differing: u32 = sketch.iter().zip(signs).map(|(a, b)| (a ^ b).count_ones()).sum();
                cosines.get(differing as usize).copied().unwrap_or_default()
            }));
        }
        let best = |pair: &[u32; 2]| -> f32 {
            nearest[pair[0] as usize..pair[1] as usize].iter().fold(0.0, |best, cosine| best.max(*cosine))
        };
        let mut estimates: Vec<f32> = self.starts.array_windows::<2>().map(best).collect();
        // What is gone must not take the place of something alive.
        self.deleted.iter().for_each(|doc| estimates[*doc as usize] = 0.0);
        estimates
    }
}

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
