//! Meaning as vectors: who makes them, how they are kept, how they are compared.

mod bert;
mod scan;

use lore_core::meaning::{StaticTable, quantise};

pub use bert::{Bert, ModelError};
pub(crate) use scan::Scan;

/// Whoever turns a text into a vector.
pub trait Embedder: Send + Sync {
    /// Names the vectors; another name means that the index has to be rebuilt.
    fn name(&self) -> &str;

    /// Returns the length of every vector, a multiple of eight.
    fn dimensions(&self) -> usize;

    /// Returns the vector of a text; all zero where the text says nothing.
    fn embed(&self, text: &str) -> Vec<f32>;

    /// Returns the vectors of many texts, which may be faster than one after the other.
    fn embed_all(&self, texts: &[&str]) -> Vec<Vec<f32>> {
        texts.iter().map(|text| self.embed(text)).collect()
    }
}

impl Embedder for StaticTable {
    fn name(&self) -> &str {
        self.name()
    }

    fn dimensions(&self) -> usize {
        self.dimensions()
    }

    fn embed(&self, text: &str) -> Vec<f32> {
        self.embed(text)
    }

    fn embed_all(&self, texts: &[&str]) -> Vec<Vec<f32>> {
        self.embed_all(texts)
    }
}

/// How many vector components one number of the index holds.
pub(crate) const PER_WORD: usize = 8;
/// Longer texts get one vector per window of about this many characters.
const WINDOW: usize = 600;
/// No text gets more windows than this.
const WINDOWS: usize = 8;

/// The vectors of a text in the form in which the index keeps them.
pub(crate) struct Packed {
    /// How many windows the text has.
    pub(crate) windows: u64,
    /// The components, eight to a number, window after window.
    pub(crate) vectors: Vec<u64>,
    /// The signs of the components, sixty-four to a number, window after window.
    pub(crate) sketches: Vec<u64>,
}

/// Embeds a text, window by window.
pub(crate) fn packed(embedder: &dyn Embedder, text: &str) -> Packed {
    let mut out = Packed { windows: 0, vectors: Vec::new(), sketches: Vec::new() };
    for window in windows(text).into_iter().take(WINDOWS) {
        let vector = quantise(&embedder.embed(window));
        out.windows += 1;
        out.vectors.extend(pack(&vector));
        out.sketches.extend(sketch(&vector));
    }
    out
}

/// Cuts a text into windows at line ends or spaces.
fn windows(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = text.trim();
    while rest.len() > WINDOW + WINDOW / 2 {
        let mut limit = WINDOW;
        while !rest.is_char_boundary(limit) {
            limit -= 1;
        }
        let head = &rest[..limit];
        let cut = head
            .rfind('\n')
            .or_else(|| head.rfind(". "))
            .filter(|at| *at > WINDOW / 2)
            .or_else(|| head.rfind(char::is_whitespace))
            .filter(|at| *at > 0)
            .unwrap_or(limit);
        let (window, tail) = rest.split_at(cut);
        out.push(window.trim());
        rest = tail.trim_start();
    }
    out.push(rest);
    out
}

fn pack(vector: &[i8]) -> impl Iterator<Item = u64> {
    vector.chunks(PER_WORD).map(|chunk| {
        let mut bytes = [0u8; PER_WORD];
        for (byte, value) in bytes.iter_mut().zip(chunk) {
            *byte = value.cast_unsigned();
        }
        u64::from_le_bytes(bytes)
    })
}

/// Returns the signs of a vector: an eighth of it, and enough to tell what is worth a closer look.
fn sketch(vector: &[i8]) -> Vec<u64> {
    let bits = |chunk: &[i8]| {
        (0..).zip(chunk).map(|(at, value)| u64::from(*value > 0) << at).fold(0, |all, bit| all | bit)
    };
    vector.chunks(64).map(bits).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn windows_keep_every_word(text in "[a-zé .\n]{0,3000}") {
            let joined: Vec<&str> = windows(&text).into_iter().flat_map(str::split_whitespace).collect();
            let words: Vec<&str> = text.split_whitespace().collect();
            prop_assert_eq!(joined.concat(), words.concat());
        }
    }
}
