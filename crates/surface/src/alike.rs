//! How alike two texts are, whatever else is in the index.

use std::collections::HashMap;

use crate::index::Index;
use crate::token;

impl Index {
    /// Says how alike two texts are, from 0 to 1: by the words they share, and by their meaning.
    pub fn alike(&self, a: &str, b: &str) -> f64 {
        let words = shared(a, b);
        let Some(embedder) = &self.embedder else { return words };
        let meaning = cosine(&embedder.embed(a), &embedder.embed(b)).max(0.0);
        // Vectors of whole texts are near for any two texts on one subject; words tell copies apart.
        0.7 * words + 0.3 * meaning
    }
}

/// Returns twice the words in common over all words of both, words of grammar left out.
fn shared(a: &str, b: &str) -> f64 {
    let count = |text: &str| {
        let mut counts: HashMap<String, i32> = HashMap::new();
        for token in token::tokens(text).into_iter().filter(|token| !token::is_stop_word(&token.word)) {
            *counts.entry(token.term).or_default() += 1;
        }
        counts
    };
    let (a, b) = (count(a), count(b));
    let total: i32 = a.values().chain(b.values()).sum();
    let common: i32 = a.iter().map(|(term, n)| (*n).min(b.get(term).copied().unwrap_or(0))).sum();
    if total == 0 { 0.0 } else { 2.0 * f64::from(common) / f64::from(total) }
}

/// Returns how near two vectors are, from -1 to 1; one without length is near to none.
pub fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let dot = |a: &[f32], b: &[f32]| a.iter().zip(b).map(|(x, y)| f64::from(x * y)).sum::<f64>();
    let lengths = (dot(a, a) * dot(b, b)).sqrt();
    if lengths == 0.0 { 0.0 } else { dot(a, b) / lengths }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn copies_are_alike_and_strangers_are_not() {
        let one = "Use a retry with backoff for the payment gateway";
        assert!((shared(one, one) - 1.0).abs() < 1e-9);
        assert!(shared(one, "Retry the payment gateway, with a backoff") > 0.8);
        assert!(shared(one, "Write dates as day, month, year") < 0.1);
        assert!(shared("", "").abs() < 1e-9);
    }
}
