//! Makes the static table that ships with the product from a sentence model on disk.
//!
//! Every word piece goes through the model alone; the vectors are centred, reduced to their main
//! directions, and weighted by how rare the piece is. The same model gives the same bytes.

use lore_core::meaning::{Row, StaticTable};
use lore_surface::Bert;
use rayon::prelude::*;

use crate::context::{Context, Failure};
use crate::report::Report;

/// Dimensions that are kept where `--set dimensions=N` does not say otherwise.
const DIMENSIONS: usize = 128;
/// Rounds of rotations after which the main directions have long settled.
const ROUNDS: usize = 12;

/// Reads `--model`, writes the table to `--dump`.
pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let folder = context.model.as_ref().ok_or("this needs `--model` with a folder in Hugging Face layout")?;
    let target = context.output().ok_or("this needs `--dump` with the file to write")?;
    let model = Bert::load(folder)?;
    let pieces: Vec<(usize, &str)> =
        model.vocabulary().into_iter().enumerate().filter(|(_, piece)| !is_placeholder(piece)).collect();
    let mut vectors: Vec<Vec<f32>> =
        pieces.par_iter().map(|(number, _)| model.embed_piece(u32::try_from(*number).unwrap_or(0))).collect();
    centre(&mut vectors);
    let directions = main_directions(&vectors, context.setting("dimensions", DIMENSIONS));
    let rows: Vec<Row> = pieces
        .par_iter()
        .zip(&vectors)
        .enumerate()
        .map(|(rank, ((_, piece), vector))| {
            // Vocabularies list their pieces about by frequency, so the place stands for rarity.
            let weight = ((rank + 1) as f32).ln_1p();
            let reduced = directions.iter().map(|direction| weight * dot(direction, vector)).collect();
            Row { piece: (*piece).to_owned(), vector: reduced }
        })
        .collect();
    let bytes = StaticTable::encode(rows);
    std::fs::write(target, &bytes)?;
    let mut report = Report::default();
    report.set("pieces", pieces.len());
    report.set("dimensions", directions.len());
    report.set("bytes", bytes.len());
    Ok(report)
}

/// Tells whether a piece stands for nothing that is ever written.
fn is_placeholder(piece: &str) -> bool {
    piece.len() > 2 && piece.starts_with('[') && piece.ends_with(']')
}

/// Takes the mean away, which all pieces share and which therefore says nothing.
fn centre(vectors: &mut [Vec<f32>]) {
    let Some(size) = vectors.first().map(Vec::len) else { return };
    let mut mean = vec![0.0f64; size];
    for vector in vectors.iter() {
        mean.iter_mut().zip(vector).for_each(|(sum, value)| *sum += f64::from(*value));
    }
    let count = vectors.len() as f64;
    for vector in vectors {
        vector.iter_mut().zip(&mean).for_each(|(value, sum)| *value -= (sum / count) as f32);
    }
}

/// Finds the directions in which vectors differ most, by Jacobi rotations of their covariance.
fn main_directions(vectors: &[Vec<f32>], wanted: usize) -> Vec<Vec<f32>> {
    let size = vectors.first().map_or(0, Vec::len);
    let mut matrix: Vec<Vec<f64>> = (0..size)
        .into_par_iter()
        .map(|row| {
            let mut sums = vec![0.0f64; size];
            for vector in vectors {
                let factor = f64::from(vector[row]);
                sums.iter_mut().zip(vector).for_each(|(sum, value)| *sum += factor * f64::from(*value));
            }
            sums
        })
        .collect();
    // One row per direction; they turn together with the matrix.
    let mut basis: Vec<Vec<f64>> =
        (0..size).map(|at| (0..size).map(|other| f64::from(u8::from(at == other))).collect()).collect();
    for _ in 0..ROUNDS {
        for p in 0..size {
            for q in p + 1..size {
                rotate(&mut matrix, &mut basis, p, q);
            }
        }
    }
    let mut order: Vec<usize> = (0..size).collect();
    order.sort_by(|a, b| matrix[*b][*b].total_cmp(&matrix[*a][*a]));
    let chosen = order.into_iter().take(wanted);
    chosen.map(|at| upright(&basis[at])).collect()
}

/// Turns two axes so that they no longer vary together.
fn rotate(matrix: &mut [Vec<f64>], basis: &mut [Vec<f64>], p: usize, q: usize) {
    let shared = matrix[p][q];
    if shared.abs() < 1e-12 {
        return;
    }
    let angle = (matrix[q][q] - matrix[p][p]) / (2.0 * shared);
    let tangent = angle.signum() / (angle.abs() + angle.hypot(1.0));
    let cosine = 1.0 / tangent.hypot(1.0);
    let sine = tangent * cosine;
    for row in matrix.iter_mut() {
        let (a, b) = (row[p], row[q]);
        row[p] = cosine * a - sine * b;
        row[q] = sine * a + cosine * b;
    }
    for table in [matrix, basis] {
        let (head, tail) = table.split_at_mut(q);
        for (a, b) in head[p].iter_mut().zip(tail[0].iter_mut()) {
            (*a, *b) = (cosine * *a - sine * *b, sine * *a + cosine * *b);
        }
    }
}

/// Fixes the sign of a direction, so that the same model always gives the same table.
fn upright(direction: &[f64]) -> Vec<f32> {
    let largest = direction.iter().fold(0.0f64, |most, v| if v.abs() > most.abs() { *v } else { most });
    direction.iter().map(|v| (v * largest.signum()) as f32).collect()
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_main_direction_is_where_things_differ() {
        let mut vectors: Vec<Vec<f32>> =
            (0..20u8).map(|n| vec![f32::from(n), 2.0 * f32::from(n), f32::from(n % 2) * 0.1]).collect();
        centre(&mut vectors);
        let found = main_directions(&vectors, 1);
        let expected = [1.0f32 / 5f32.sqrt(), 2.0 / 5f32.sqrt(), 0.0];
        assert!(found[0].iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-2), "{found:?}");
    }
}
