//! What words mean, as vectors: how near two of them are without being the same.

mod table;
mod vocabulary;
mod wordpiece;

pub use table::{Row, StaticTable};
pub use vocabulary::{KnownWord, Vocabulary};
pub use wordpiece::{PieceIndex, pieces};

/// Scales a vector so that its largest component is 127.
pub fn quantise(vector: &[f32]) -> Vec<i8> {
    let largest = vector.iter().fold(0.0f32, |most, v| most.max(v.abs()));
    if largest == 0.0 {
        return vec![0; vector.len()];
    }
    vector.iter().map(|v| (v / largest * 127.0).round() as i8).collect()
}

/// Tells vectors of one making from another (FNV-1a over every 61st byte).
pub fn fingerprint(bytes: &[u8]) -> u32 {
    bytes
        .iter()
        .step_by(61)
        .fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(*byte)).wrapping_mul(0x0100_0193))
}
