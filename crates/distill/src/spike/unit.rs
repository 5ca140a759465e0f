//! Units: the one a metric is measured in, told by its name, and the one a criterion names.
//!
//! A run prints bare numbers. `latency_ms=100` says in its name what it counts, so `< 0.5 s` can be turned
//! into milliseconds before anything is compared. What cannot be turned is refused while it can still be
//! mended: a comparison of seconds with milliseconds looks like a result.

/// What a unit is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Dimension {
    /// Counted in nanoseconds.
    Time,
    /// Counted in bytes.
    Size,
}

/// A unit, and what one of it is worth in the smallest of its dimension.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Unit {
    dimension: Dimension,
    worth: f64,
}

const TIMES: [(f64, &[&str]); 7] = [
    (1.0, &["ns", "nsec", "nanosecond", "nanoseconds"]),
    (1e3, &["us", "µs", "μs", "usec", "microsecond", "microseconds"]),
    (1e6, &["ms", "msec", "millis", "millisecond", "milliseconds"]),
    (1e9, &["s", "sec", "secs", "second", "seconds"]),
    (6e10, &["min", "mins", "minute", "minutes"]),
    (3.6e12, &["h", "hr", "hrs", "hour", "hours"]),
    (8.64e13, &["day", "days"]),
];

const SIZES: [(f64, &[&str]); 9] = [
    (1.0, &["b", "byte", "bytes"]),
    (1e3, &["kb", "kilobyte", "kilobytes"]),
    (1e6, &["mb", "megabyte", "megabytes"]),
    (1e9, &["gb", "gigabyte", "gigabytes"]),
    (1e12, &["tb", "terabyte", "terabytes"]),
    (1024.0, &["kib", "kibibyte", "kibibytes"]),
    (1_048_576.0, &["mib", "mebibyte", "mebibytes"]),
    (1_073_741_824.0, &["gib", "gibibyte", "gibibytes"]),
    (1_099_511_627_776.0, &["tib", "tebibyte", "tebibytes"]),
];

/// Words of a metric's name that say which number of many it is, and not what it counts.
const STATISTICS: [&str; 12] =
    ["min", "max", "mean", "avg", "average", "median", "total", "sum", "std", "stddev", "best", "worst"];

/// The measured memory of a run; it counts 1024 x 1024 bytes, as the setting `memory` does.
const PEAK: &str = "peak_mb";

/// Words that say that a number is a part or a multiple of something, and so has no unit.
const PLAIN: [&str; 6] = ["%", "percent", "x", "×", "times", "ratio"];

/// Why a number with a unit cannot be compared with a metric.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnitProblem {
    /// Nobody knows the unit.
    #[error("`{unit}` is no unit that `{metric}` could be compared in")]
    Unknown {
        /// The unit of the criterion.
        unit: String,
        /// The metric.
        metric: String,
    },
    /// The metric counts something else.
    #[error("`{metric}` counts {counts}, which `{unit}` is no unit of")]
    Misfit {
        /// The unit of the criterion.
        unit: String,
        /// The metric.
        metric: String,
        /// What the metric counts.
        counts: &'static str,
    },
    /// The name of the metric does not say what it counts.
    #[error(
        "the name of `{metric}` does not say in which unit it is measured, so `{unit}` cannot be compared with it"
    )]
    Untold {
        /// The unit of the criterion.
        unit: String,
        /// The metric.
        metric: String,
    },
}

impl UnitProblem {
    /// Says what to do about it.
    pub fn next_step(&self) -> String {
        let plain = "write the number alone, in the unit that the run prints";
        match self {
            UnitProblem::Unknown { .. } => {
                format!("times are ns, us, ms, s, min or h, sizes B, KB, MB, GB, KiB, MiB or GiB; or {plain}")
            }
            UnitProblem::Misfit { counts, .. } => format!("name a unit of {counts}, or {plain}"),
            UnitProblem::Untold { unit, metric } => {
                let told = unit.replace('/', "_per_").replace(' ', "_").to_lowercase();
                format!("print it as `{metric}_{told}=…` and ask for that, or {plain}")
            }
        }
    }
}

/// Turns a number of some unit into the unit that a metric is measured in.
pub(super) fn in_unit_of(metric: &str, value: f64, unit: Option<&str>) -> Result<f64, UnitProblem> {
    let Some(unit) = unit else { return Ok(value) };
    let (named, metric) = (unit.to_owned(), metric.to_owned());
    let words = segments(&metric);
    let measured = unit_of_metric(&words);
    let (counted, per) = halves(unit);
    if let Some((of, rate)) = &measured {
        let counts = match (of.map(|of| of.dimension), rate) {
            (Some(Dimension::Time), None) => "time",
            (Some(Dimension::Size), None) => "bytes",
            (Some(_), Some(_)) => "bytes in a time",
            (None, _) => "something in a time",
        };
        let misfit = || UnitProblem::Misfit { unit: named.clone(), metric: metric.clone(), counts };
        let over = match (per.map(time), rate) {
            (None, None) => 1.0,
            (Some(Some(per)), Some(rate)) => rate.worth / per.worth,
            (Some(None), _) => return Err(UnitProblem::Unknown { unit: named, metric }),
            _ => return Err(misfit()),
        };
        return match (of, known(counted)) {
            (Some(of), Some(unit)) if of.dimension == unit.dimension => {
                let worth = if metric == PEAK { binary(unit.worth) } else { unit.worth };
                let of = if metric == PEAK { binary(of.worth) } else { of.worth };
                Ok(value * worth * over / of)
            }
            (None, _) if names(&words, counted) => Ok(value * over),
            (Some(_), None) if !PLAIN.contains(&counted) => Err(UnitProblem::Unknown { unit: named, metric }),
            _ => Err(misfit()),
        };
    }
    // “100 rows” of `row_count` says in words what the name says.
    if per.is_none() && (PLAIN.contains(&counted) || names(&words, counted)) {
        return Ok(value);
    }
    let is_known = known(counted).is_some() && per.is_none_or(|per| time(per).is_some());
    Err(if is_known {
        UnitProblem::Untold { unit: named, metric }
    } else {
        UnitProblem::Unknown { unit: named, metric }
    })
}

/// Reads the unit off the end of a metric's name: what is counted, and in which time where it is a rate.
fn unit_of_metric(words: &[String]) -> Option<(Option<Unit>, Option<Unit>)> {
    let is_statistic = |word: &String| {
        STATISTICS.contains(&word.as_str())
            || word
                .strip_prefix('p')
                .is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_digit()))
    };
    // `min` alone may be minutes or the smallest; nobody can tell.
    let end = words.iter().rposition(|word| !is_statistic(word))?;
    let (last, before) = (words[end].as_str(), &words[..end]);
    if last == "size" {
        return Some((Some(Unit { dimension: Dimension::Size, worth: 1.0 }), None));
    }
    // `latency_b` is that of the alternative b.
    let unit = known(last).filter(|_| last != "b")?;
    if unit.dimension == Dimension::Time {
        match before {
            [.., counted, per] if per == "per" => return Some((size(counted), Some(unit))),
            [.., counted] if size(counted).is_some() && counted != "b" => {
                return Some((size(counted), Some(unit)));
            }
            _ => {}
        }
    }
    Some((Some(unit), None))
}

/// Splits a name into its words: `scanSizeKB`, `scan_size_kb` and `scan.size-kb` have the same.
fn segments(metric: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before = ' ';
    for c in metric.chars() {
        let opens = c.is_uppercase() && (before.is_lowercase() || before.is_ascii_digit());
        if (opens || !c.is_alphanumeric()) && words.last().is_some_and(|word| !word.is_empty()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphanumeric()) {
            word.extend(c.to_lowercase());
        }
        before = c;
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Splits `MB/s` and `rows per second` into what is counted and the time it is counted in.
fn halves(unit: &str) -> (&str, Option<&str>) {
    match unit.split_once('/').or_else(|| unit.split_once(" per ")) {
        Some((counted, per)) => (counted.trim(), Some(per.trim())),
        None => (unit, None),
    }
}

/// Tells whether a word is one of those that a name is made of, in the singular or the plural.
fn names(words: &[String], unit: &str) -> bool {
    let plain = |word: &str| word.to_lowercase().trim_end_matches('s').to_owned();
    unit.split_whitespace().all(|part| words.iter().any(|word| plain(word) == plain(part)))
}

fn known(unit: &str) -> Option<Unit> {
    time(unit).or_else(|| size(unit))
}

fn time(unit: &str) -> Option<Unit> {
    find(&TIMES, unit).map(|worth| Unit { dimension: Dimension::Time, worth })
}

fn size(unit: &str) -> Option<Unit> {
    // `Mb` is read as megabits by some and as megabytes by others.
    let is_bits = unit.len() == 2 && unit.ends_with('b') && unit.starts_with(char::is_uppercase);
    find(&SIZES, unit).filter(|_| !is_bits).map(|worth| Unit { dimension: Dimension::Size, worth })
}

fn find(table: &[(f64, &[&str])], unit: &str) -> Option<f64> {
    let lower = unit.to_lowercase();
    table.iter().find(|(_, names)| names.contains(&lower.as_str())).map(|(worth, _)| *worth)
}

/// Returns the power of 1024 that stands for a power of 1000.
fn binary(worth: f64) -> f64 {
    match SIZES[1..5].iter().position(|(decimal, _)| (decimal - worth).abs() < 0.5) {
        Some(at) => SIZES[at + 5].0,
        None => worth,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_turned_into_the_unit_of_the_metric() {
        let check = |metric: &str, value: f64, unit: &str, expected: f64| {
            let unit = Some(unit).filter(|unit| !unit.is_empty());
            assert_eq!(in_unit_of(metric, value, unit), Ok(expected), "{metric} {value} {unit:?}");
        };
        check("latency_ms", 0.5, "s", 500.0);
        check("latency_ms", 250.0, "µs", 0.25);
        check("wall_ms", 5.0, "s", 5000.0);
        check("wall_ms", 2.0, "min", 120_000.0);
        check("build_s", 1.5, "h", 5400.0);
        check("took_seconds", 300.0, "ms", 0.3);
        check("size_kb", 3.0, "MB", 3000.0);
        check("size_kb", 3.0, "MiB", 3145.728);
        check("size", 3.0, "MB", 3e6);
        check("bytes", 3.0, "kB", 3000.0);
        check("output_size", 2.0, "KiB", 2048.0);
        check("latencyMs", 1.0, "s", 1000.0);
        check("latency_ms.p99", 1.0, "s", 1000.0);
        check("wall_ms_min", 1.0, "s", 1000.0);
        check("scan_mb_s", 1.0, "GB/s", 1000.0);
        check("rows_per_s", 600.0, "rows/min", 10.0);
        check("peak_mb", 16.0, "MB", 16.0);
        check("peak_mb", 16.0, "MiB", 16.0);
        check("peak_mb", 1.0, "GB", 1024.0);
        // A number alone is in the metric's own unit.
        check("latency_ms", 500.0, "", 500.0);
        check("beauty", 3.0, "", 3.0);
        // What only says again what is counted.
        check("rows", 100.0, "rows", 100.0);
        check("row_count", 100.0, "rows", 100.0);
        check("build_min", 3.0, "min", 3.0);
        check("recall", 90.0, "%", 90.0);
        check("speedup", 2.0, "x", 2.0);
    }

    #[test]
    fn what_cannot_be_compared_is_refused() {
        let check = |metric: &str, unit: &str, said: &str| {
            let problem = in_unit_of(metric, 1.0, Some(unit)).expect_err(metric);
            assert!(problem.to_string().contains(said), "{problem}");
            assert!(!problem.next_step().is_empty());
        };
        check("latency_ms", "parsecs", "no unit");
        check("latency_ms", "MB", "counts time");
        check("latency_ms", "%", "counts time");
        check("latency_ms", "ms/row", "no unit");
        check("size_kb", "s", "counts bytes");
        check("size_kb", "Mb", "no unit");
        check("size_kb", "MB/s", "counts bytes");
        check("latency", "ms", "does not say");
        check("build_min", "s", "does not say");
        check("throughput", "MB/s", "does not say");
        check("beauty", "points", "no unit");
    }
}
