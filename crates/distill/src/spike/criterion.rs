//! What has to come out, as a person writes it: `wall_ms of mmap < 0.9 x read`, `peak_mb <= 200 MB`.

use std::fmt;
use std::str::FromStr;

use super::unit::{UnitProblem, in_unit_of};

/// How a measurement is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// Less than.
    Less,
    /// At most.
    AtMost,
    /// More than.
    More,
    /// At least.
    AtLeast,
    /// Exactly.
    Equal,
}

/// What a measurement is compared with.
#[derive(Debug, Clone, PartialEq)]
pub enum Threshold {
    /// A number.
    Value {
        /// The number.
        value: f64,
        /// Its unit, where one is named; else it is that of the metric.
        unit: Option<String>,
    },
    /// So many times what another alternative has.
    Alternative {
        /// How many times.
        factor: f64,
        /// The alternative.
        name: String,
    },
}

/// One thing that has to come out.
#[derive(Debug, Clone, PartialEq)]
pub struct Criterion {
    /// The name of the measurement.
    pub metric: String,
    /// Of which alternative; each, where none is named.
    pub of: Option<String>,
    /// How it is compared.
    pub comparison: Comparison,
    /// With what.
    pub threshold: Threshold,
}

/// The line is no criterion.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is not a criterion; write it as `METRIC of ALTERNATIVE < NUMBER UNIT` or `METRIC of ALTERNATIVE < 0.9 x ALTERNATIVE`"
)]
pub struct NotACriterion(pub String);

const SIGNS: [(&str, Comparison); 8] = [
    ("<=", Comparison::AtMost),
    ("≤", Comparison::AtMost),
    (">=", Comparison::AtLeast),
    ("≥", Comparison::AtLeast),
    ("==", Comparison::Equal),
    ("<", Comparison::Less),
    (">", Comparison::More),
    ("=", Comparison::Equal),
];

impl Comparison {
    /// Returns its sign.
    pub const fn sign(self) -> &'static str {
        match self {
            Comparison::Less => "<",
            Comparison::AtMost => "<=",
            Comparison::More => ">",
            Comparison::AtLeast => ">=",
            Comparison::Equal => "=",
        }
    }

    /// Tells whether a number passes.
    pub fn passes(self, value: f64, threshold: f64) -> bool {
        match self {
            Comparison::Less => value < threshold,
            Comparison::AtMost => value <= threshold,
            Comparison::More => value > threshold,
            Comparison::AtLeast => value >= threshold,
            Comparison::Equal => (value - threshold).abs() <= 1e-9 * threshold.abs().max(1.0),
        }
    }
}

impl Criterion {
    /// Returns the number that the metric is compared with, in the metric's own unit; the factor where it is
    /// compared with another alternative.
    pub fn limit(&self) -> Result<f64, UnitProblem> {
        match &self.threshold {
            Threshold::Value { value, unit } => in_unit_of(&self.metric, *value, unit.as_deref()),
            Threshold::Alternative { factor, .. } => Ok(*factor),
        }
    }
}

impl FromStr for Criterion {
    type Err = NotACriterion;

    fn from_str(text: &str) -> Result<Criterion, NotACriterion> {
        let wrong = || NotACriterion(text.trim().to_owned());
        let (at, sign, comparison) = SIGNS
            .iter()
            .filter_map(|(sign, comparison)| Some((text.find(sign)?, *sign, *comparison)))
            // Where one sign opens another, the longer one stands first in the table.
            .min_by_key(|(at, ..)| *at)
            .ok_or_else(wrong)?;
        let (left, right) = (text[..at].trim(), text[at + sign.len()..].trim());
        let (metric, of) = match left.split_once(" of ") {
            Some((metric, of)) => (metric.trim(), Some(of.trim().to_owned())),
            None => (left, None),
        };
        if metric.is_empty() || metric.contains(char::is_whitespace) || right.is_empty() {
            return Err(wrong());
        }
        if of.as_deref().is_some_and(str::is_empty) {
            return Err(wrong());
        }
        let threshold = threshold(right).ok_or_else(wrong)?;
        if matches!(threshold, Threshold::Alternative { .. }) && of.is_none() {
            return Err(wrong());
        }
        Ok(Criterion { metric: metric.to_owned(), of, comparison, threshold })
    }
}

fn threshold(text: &str) -> Option<Threshold> {
    let end =
        text.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',' | '-' | '+')).unwrap_or(text.len());
    let number: Option<f64> = text[..end].replace(',', "").parse().ok();
    let rest = text[end..].trim();
    match (number, rest.strip_prefix(['x', '×', '*'])) {
        (Some(factor), Some(name)) if name.starts_with(char::is_whitespace) && !name.trim().is_empty() => {
            Some(Threshold::Alternative { factor, name: name.trim().to_owned() })
        }
        (Some(value), _) => {
            Some(Threshold::Value { value, unit: Some(rest.to_owned()).filter(|unit| !unit.is_empty()) })
        }
        (None, _) => Some(Threshold::Alternative { factor: 1.0, name: text.to_owned() }),
    }
}

impl fmt::Display for Criterion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.metric)?;
        if let Some(of) = &self.of {
            write!(f, " of {of}")?;
        }
        write!(f, " {} ", self.comparison.sign())?;
        match &self.threshold {
            Threshold::Value { value, unit } => {
                write!(f, "{value}")?;
                unit.iter().try_for_each(|unit| write!(f, " {unit}"))
            }
            Threshold::Alternative { factor, name } if (*factor - 1.0).abs() < f64::EPSILON => {
                f.write_str(name)
            }
            Threshold::Alternative { factor, name } => write!(f, "{factor} x {name}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn criteria_read_as_they_are_written() {
        let check = |text: &str, expected: &str| {
            assert_eq!(
                text.parse::<Criterion>().map(|one| one.to_string()).unwrap_or_default(),
                expected,
                "{text}"
            );
        };
        check("wall_ms of mmap < 0.9 x read", "wall_ms of mmap < 0.9 x read");
        check("wall_ms of mmap<0.9 × read", "wall_ms of mmap < 0.9 x read");
        check("throughput of uniform grid >= 300 MB/s", "throughput of uniform grid >= 300 MB/s");
        check("peak_mb ≤ 1,200", "peak_mb <= 1200");
        check("wall_ms of b > a", "wall_ms of b > a");
        check("exit == 0", "exit = 0");
        check("faster please", "");
        check("wall_ms < read", "");
        check("wall ms < 3", "");
        check("wall_ms of < 3", "");
        check("", "");
    }
}
