//! Logistic regression over features that are there or not.

/// So often every weight is looked at.
const ROUNDS: usize = 100;

/// One row: which features it has, what it is, how much it counts.
#[derive(Debug, Clone)]
pub(super) struct Sample {
    pub(super) features: Vec<usize>,
    pub(super) positive: bool,
    pub(super) importance: f64,
}

/// Fits weights by coordinate descent, drawn to nothing as strongly as is said; the last one is the bias.
///
/// The curvature of a coordinate is bounded by a quarter of what has it, so every step goes down.
pub(super) fn fit(samples: &[Sample], features: usize, decay: f64) -> Vec<f64> {
    let mut having: Vec<Vec<usize>> = vec![Vec::new(); features];
    for (row, sample) in samples.iter().enumerate() {
        for feature in &sample.features {
            having[*feature].push(row);
        }
    }
    having.push((0..samples.len()).collect());
    let mut weights = vec![0.0; features + 1];
    let mut sums = vec![0.0; samples.len()];
    for _ in 0..ROUNDS {
        for (at, rows) in having.iter().enumerate() {
            if rows.is_empty() {
                continue;
            }
            let (mut slope, mut bend) = (0.0, 0.0);
            for row in rows {
                let sample = &samples[*row];
                let chance = 1.0 / (1.0 + f64::exp(-sums[*row]));
                slope += (chance - f64::from(u8::from(sample.positive))) * sample.importance;
                bend += 0.25 * sample.importance;
            }
            let decay = if at < features { decay } else { 0.0 };
            let step = (slope + decay * weights[at]) / (bend + decay).max(f64::EPSILON);
            weights[at] -= step;
            for row in rows {
                sums[*row] -= step;
            }
        }
    }
    weights
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_tells_the_classes_apart_gets_the_weight() {
        let row =
            |features: &[usize], positive| Sample { features: features.to_vec(), positive, importance: 1.0 };
        let samples: Vec<Sample> =
            (0..200).map(|at| if at % 2 == 0 { row(&[0, 2], true) } else { row(&[1, 2], false) }).collect();
        let weights = fit(&samples, 3, 1.0);
        assert!(weights[0] > 1.0 && weights[1] < -1.0, "{weights:?}");
        assert!(weights[2].abs() < 0.2, "{weights:?}");
    }
}
