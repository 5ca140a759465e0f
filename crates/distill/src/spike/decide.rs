//! From measurements to an outcome and a recommendation, with the noise taken into account.

use lore_core::SpikeOutcome;

use super::{Comparison, Criterion, ENOUGH, Measured, Spread, Threshold, coverage, how_often};

/// Whether a criterion was met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CriterionVerdict {
    /// It was: the whole interval lies on the right side.
    Met,
    /// It was not.
    NotMet,
    /// The numbers scatter across the threshold, or there are none.
    Unclear,
}

impl CriterionVerdict {
    /// Returns its words.
    pub const fn words(self) -> &'static str {
        match self {
            CriterionVerdict::Met => "held",
            CriterionVerdict::NotMet => "did not hold",
            CriterionVerdict::Unclear => "cannot be told",
        }
    }
}

/// A criterion with what was measured for it.
#[derive(Debug, Clone, PartialEq)]
pub struct JudgedCriterion {
    /// The criterion.
    pub criterion: Criterion,
    /// Whether it was met.
    pub verdict: CriterionVerdict,
    /// What says so, for people.
    pub shown: String,
    /// Alternatives that do not meet it, where it is asked of each.
    pub short: Vec<String>,
    /// From how many numbers it was told, the fewest where it is asked of several; nothing where there are none.
    pub numbers: Option<usize>,
}

impl JudgedCriterion {
    /// Returns how often an interval such as the one it was told by holds the true median.
    pub fn coverage(&self) -> Option<f64> {
        self.numbers.map(coverage)
    }

    /// Tells whether it was told by too few numbers to be right nineteen times out of twenty.
    pub fn is_less_sure(&self) -> bool {
        self.verdict != CriterionVerdict::Unclear && self.numbers.is_some_and(|numbers| numbers < ENOUGH)
    }

    /// Says whether it was met, and where that is less sure.
    pub fn words(&self) -> String {
        let sure = if self.is_less_sure() { ", less sure" } else { "" };
        format!("{}{sure}", self.verdict.words())
    }
}

/// What came out.
#[derive(Debug, Clone, PartialEq)]
pub struct Decided {
    /// Whether the hypothesis held.
    pub outcome: SpikeOutcome,
    /// Every criterion.
    pub criteria: Vec<JudgedCriterion>,
    /// What to take; nothing where no alternative will do.
    pub recommended: Option<String>,
    /// Why, in one clause.
    pub because: String,
}

impl Decided {
    /// Says what is to be known of numbers that are too few, where they are.
    pub fn warning(&self) -> Option<String> {
        let few = self.criteria.iter().filter(|one| one.is_less_sure());
        few.filter_map(|one| one.numbers).min().map(too_few)
    }
}

/// Says what is to be known of so few repetitions.
pub fn too_few(repetitions: usize) -> String {
    let told = match repetitions {
        0 | 1 => "one repetition does not tell how far the numbers scatter".to_owned(),
        few => format!("the interval of {few} repetitions holds the median only {}", how_often(few)),
    };
    format!("{told}; {ENOUGH} are needed for nineteen times out of twenty")
}

/// Compares measurements with criteria; `simplest` is what to take where they do not say.
pub fn decide(measured: &Measured, criteria: &[Criterion], simplest: &str) -> Decided {
    let judged: Vec<JudgedCriterion> = criteria.iter().map(|criterion| judge(measured, criterion)).collect();
    let count = |verdict: CriterionVerdict| judged.iter().filter(|one| one.verdict == verdict).count();
    let (met, not, unclear) =
        (count(CriterionVerdict::Met), count(CriterionVerdict::NotMet), count(CriterionVerdict::Unclear));
    let outcome = match (met, not, unclear) {
        (0, 0, _) => SpikeOutcome::Inconclusive,
        (_, 0, 0) => SpikeOutcome::Confirmed,
        (0, ..) => SpikeOutcome::Rejected,
        _ => SpikeOutcome::Partial,
    };
    let (recommended, because) = recommend(measured, &judged, outcome, simplest);
    Decided { outcome, criteria: judged, recommended, because }
}

fn judge(measured: &Measured, criterion: &Criterion) -> JudgedCriterion {
    let unclear = |why: String| (CriterionVerdict::Unclear, why);
    let (mut short, mut numbers) = (Vec::new(), None);
    let (verdict, shown) = match (&criterion.threshold, &criterion.of) {
        (Threshold::Alternative { factor, name }, Some(of)) => {
            match (named(measured, of), named(measured, name)) {
                (Some(of), Some(to)) => match measured.ratio(&criterion.metric, of, to) {
                    Some(ratio) => {
                        numbers = Some(ratio.count);
                        let shown = format!("ratio {}", interval(&ratio));
                        (verdict(criterion.comparison, &ratio, *factor), shown)
                    }
                    None => unclear(format!("nobody measured `{}` of both", criterion.metric)),
                },
                _ => unclear("an alternative of that name was not measured".to_owned()),
            }
        }
        (Threshold::Alternative { .. }, None) => unclear("it does not say of which alternative".to_owned()),
        (Threshold::Value { .. }, of) => {
            let limit = match criterion.limit() {
                Ok(limit) => limit,
                Err(wrong) => {
                    let (verdict, shown) = unclear(wrong.to_string());
                    return JudgedCriterion { criterion: criterion.clone(), verdict, shown, short, numbers };
                }
            };
            let asked: Vec<&str> = match of {
                Some(of) => named(measured, of).into_iter().collect(),
                None => measured.alternatives.iter().map(String::as_str).collect(),
            };
            let mut best = CriterionVerdict::NotMet;
            let mut parts = Vec::new();
            for name in asked {
                let Some(spread) = measured.spread(name, &criterion.metric) else { continue };
                let one = verdict(criterion.comparison, &spread, limit);
                if one == CriterionVerdict::NotMet {
                    short.push(name.to_owned());
                }
                best = match (best, one) {
                    (CriterionVerdict::Met, _) | (_, CriterionVerdict::Met) => CriterionVerdict::Met,
                    (CriterionVerdict::Unclear, _) | (_, CriterionVerdict::Unclear) => {
                        CriterionVerdict::Unclear
                    }
                    _ => CriterionVerdict::NotMet,
                };
                numbers = Some(numbers.map_or(spread.count, |fewest: usize| fewest.min(spread.count)));
                parts.push(format!("{name} {}", interval(&spread)));
            }
            match parts.is_empty() {
                true => unclear(format!("nobody measured `{}`", criterion.metric)),
                false => (best, parts.join(", ")),
            }
        }
    };
    JudgedCriterion { criterion: criterion.clone(), verdict, shown, short, numbers }
}

/// Finds an alternative whatever the case of its name.
fn named<'m>(measured: &'m Measured, name: &str) -> Option<&'m str> {
    measured.alternatives.iter().map(String::as_str).find(|known| known.eq_ignore_ascii_case(name))
}

fn verdict(comparison: Comparison, spread: &Spread, threshold: f64) -> CriterionVerdict {
    let (low, high) = (comparison.passes(spread.low, threshold), comparison.passes(spread.high, threshold));
    match (low, high, comparison) {
        (true, true, _) => CriterionVerdict::Met,
        (false, false, Comparison::Equal) if spread.low < threshold && threshold < spread.high => {
            CriterionVerdict::Unclear
        }
        (false, false, _) => CriterionVerdict::NotMet,
        _ => CriterionVerdict::Unclear,
    }
}

/// Tells whether a criterion asks anything of an alternative: of each, of this one, or to be beaten.
fn asks(criterion: &Criterion, name: &str) -> bool {
    let is_named = |other: &String| other.eq_ignore_ascii_case(name);
    let beside = match &criterion.threshold {
        Threshold::Alternative { name, .. } => is_named(name),
        Threshold::Value { .. } => false,
    };
    criterion.of.as_ref().is_none_or(is_named) || beside
}

fn recommend(
    measured: &Measured,
    judged: &[JudgedCriterion],
    outcome: SpikeOutcome,
    simplest: &str,
) -> (Option<String>, String) {
    let is_short = |name: &String| judged.iter().any(|one| one.short.contains(name));
    let will_do = |name: &&String| !measured.failed.contains_key(*name) && !is_short(name);
    let fit: Vec<&String> = measured.alternatives.iter().filter(will_do).collect();
    let simple = fit.iter().find(|name| name.eq_ignore_ascii_case(simplest)).copied();
    let favoured = judged.iter().find_map(|one| match (&one.criterion.threshold, &one.criterion.of) {
        (Threshold::Alternative { .. }, Some(of)) => named(measured, of),
        _ => None,
    });
    let favoured = fit.iter().find(|name| Some(name.as_str()) == favoured).copied();
    let was_asked = |name: &&&String| judged.iter().any(|one| asks(&one.criterion, name));
    let tried = fit.iter().find(was_asked).copied();
    let take = |name: &str, because: &str| (Some(name.to_owned()), because.to_owned());
    match (outcome, favoured, simple, fit.first()) {
        (_, _, _, None) => (None, "no alternative does what is asked".to_owned()),
        (SpikeOutcome::Confirmed, Some(name), ..) => take(name, "it is as much better as was asked"),
        (SpikeOutcome::Inconclusive, _, Some(name), _) => {
            take(name, "the numbers do not say, so the simplest is taken")
        }
        (SpikeOutcome::Inconclusive, _, None, Some(first)) => {
            take(first, "the numbers do not say, and it is the first of those that ran")
        }
        (_, Some(favoured), Some(name), _) if favoured != name => {
            take(name, "it is the simplest, and the other is not as much better as was asked")
        }
        (SpikeOutcome::Rejected, Some(_), Some(name), _) => {
            take(name, "it is the simplest, though not as much better as was asked")
        }
        (_, _, Some(name), _) if was_asked(&&name) => take(name, "it does what is asked and is the simplest"),
        (_, _, Some(name), _) if tried.is_some() => {
            let tried = tried.map_or("", String::as_str);
            take(tried, &format!("it does what is asked; {name}, the simplest, was not asked anything"))
        }
        (_, _, None, Some(_)) if tried.is_some() => {
            take(tried.map_or("", String::as_str), "it is the first that does what is asked")
        }
        // Who was not asked has not passed: it is only what is left.
        (.., Some(first)) => {
            let name = simple.unwrap_or(first);
            let short: Vec<&str> =
                measured.alternatives.iter().filter(|name| is_short(name)).map(String::as_str).collect();
            let rest = match short.is_empty() {
                true => "the others failed".to_owned(),
                false => format!("what was asked did not hold for {}", short.join(", ")),
            };
            take(name, &format!("{rest}, and {name} was not asked anything"))
        }
    }
}

/// Writes a median with its interval.
pub(super) fn interval(spread: &Spread) -> String {
    let (low, high) = (number(spread.low), number(spread.high));
    if low == high { number(spread.median) } else { format!("{} [{low}, {high}]", number(spread.median)) }
}

/// Writes a number with as many digits as say something.
pub(super) fn number(value: f64) -> String {
    let digits = match value.abs() {
        size if size >= 1000.0 || size.fract() == 0.0 => 0,
        size if size >= 100.0 => 1,
        size if size >= 1.0 => 2,
        _ => 3,
    };
    format!("{value:.digits$}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(alternatives: &[(&str, &[f64])]) -> Measured {
        let mut measured = Measured::default();
        for (name, numbers) in alternatives {
            measured.alternatives.push((*name).to_owned());
            let key = ((*name).to_owned(), "wall_ms".to_owned());
            measured.numbers.insert(key, numbers.iter().copied().map(Some).collect());
        }
        measured
    }

    fn check(measured: &Measured, criteria: &[&str], outcome: SpikeOutcome, recommended: Option<&str>) {
        let criteria: Vec<Criterion> = criteria.iter().map(|text| text.parse().unwrap()).collect();
        let decided = decide(measured, &criteria, "plain");
        assert_eq!((decided.outcome, decided.recommended.as_deref()), (outcome, recommended), "{decided:?}");
    }

    #[test]
    fn a_clear_gain_confirms_and_a_small_one_does_not() {
        let clear = measured(&[
            ("plain", &[10.0, 10.1, 9.9, 10.2, 10.0, 9.8]),
            ("clever", &[5.0, 5.1, 4.9, 5.2, 5.0, 5.0]),
        ]);
        check(&clear, &["wall_ms of clever < 0.9 x plain"], SpikeOutcome::Confirmed, Some("clever"));
        check(&clear, &["wall_ms of clever < 0.3 x plain"], SpikeOutcome::Rejected, Some("plain"));
        check(
            &clear,
            &["wall_ms of clever < 0.9 x plain", "wall_ms of clever < 0.3 x plain"],
            SpikeOutcome::Partial,
            Some("plain"),
        );
    }

    /// It was said to do what was asked, beside the criterion that it had missed.
    #[test]
    fn what_missed_its_criterion_is_not_said_to_do_what_is_asked() {
        let same = measured(&[("plain", &[10.0; 6]), ("clever", &[10.0; 6])]);
        let decided = decide(&same, &["wall_ms of plain < 0.9 x clever".parse().unwrap()], "plain");
        assert_eq!(
            (decided.outcome, decided.recommended.as_deref()),
            (SpikeOutcome::Rejected, Some("plain"))
        );
        assert!(decided.because.contains("not as much better"), "{decided:?}");
    }

    #[test]
    fn what_few_numbers_say_is_less_sure() {
        let few = measured(&[("plain", &[10.0; 3]), ("clever", &[5.0; 3])]);
        let decided = decide(&few, &["wall_ms of clever < plain".parse().unwrap()], "plain");
        assert_eq!((decided.outcome, decided.criteria[0].verdict.words()), (SpikeOutcome::Confirmed, "held"));
        assert_eq!(decided.criteria[0].words(), "held, less sure");
        assert_eq!(decided.criteria[0].coverage(), Some(0.75));
        let said = decided.warning().unwrap_or_default();
        assert!(said.contains("three times out of four") && said.contains("6 are needed"), "{said}");
        let enough = measured(&[("plain", &[10.0; 6]), ("clever", &[5.0; 6])]);
        let decided = decide(&enough, &["wall_ms of clever < plain".parse().unwrap()], "plain");
        assert_eq!((decided.warning(), decided.criteria[0].words()), (None, "held".to_owned()));
    }

    #[test]
    fn noise_is_not_taken_for_a_difference() {
        let noisy = measured(&[
            ("plain", &[10.0, 14.0, 9.0, 13.0, 10.0, 12.0]),
            ("clever", &[9.0, 9.5, 13.0, 8.0, 14.0, 9.0]),
        ]);
        check(&noisy, &["wall_ms of clever < plain"], SpikeOutcome::Inconclusive, Some("plain"));
    }

    #[test]
    fn who_falls_short_or_fails_is_not_recommended() {
        let slow = measured(&[("plain", &[100.0; 6]), ("clever", &[5.0; 6])]);
        check(&slow, &["wall_ms <= 50 ms"], SpikeOutcome::Confirmed, Some("clever"));
        check(&slow, &["wall_ms <= 1 ms"], SpikeOutcome::Rejected, None);
        let mut broken = slow;
        broken.failed.insert("clever".to_owned(), "exit code 1".to_owned());
        check(&broken, &["wall_ms of clever < plain"], SpikeOutcome::Confirmed, Some("plain"));
    }

    /// It was said to be the first that does what is asked, and nobody had asked anything of it.
    #[test]
    fn who_was_not_asked_is_not_said_to_have_passed() {
        let two = measured(&[("plain", &[100.0; 6]), ("clever", &[5.0; 6])]);
        let because = |criterion: &str| {
            let decided = decide(&two, &[criterion.parse().unwrap()], "plain");
            (decided.recommended.unwrap_or_default(), decided.because)
        };
        let (name, why) = because("wall_ms of plain < 50 ms");
        assert_eq!(name, "clever");
        assert_eq!(why, "what was asked did not hold for plain, and clever was not asked anything");
        let (name, why) = because("wall_ms of clever < 50 ms");
        assert_eq!(name, "clever");
        assert_eq!(why, "it does what is asked; plain, the simplest, was not asked anything");
        let (name, why) = because("wall_ms of clever < 1 ms");
        assert_eq!(name, "plain");
        assert_eq!(why, "what was asked did not hold for clever, and plain was not asked anything");
    }

    /// Half a second was taken for half a millisecond.
    #[test]
    fn units_are_turned_into_those_of_the_metric() {
        let two = measured(&[("plain", &[100.0; 6]), ("clever", &[5.0; 6])]);
        check(&two, &["wall_ms of plain < 0.5 s"], SpikeOutcome::Confirmed, Some("plain"));
        check(&two, &["wall_ms of plain < 0.05 s"], SpikeOutcome::Rejected, Some("clever"));
        check(&two, &["wall_ms of plain < 5 parsecs"], SpikeOutcome::Inconclusive, Some("plain"));
    }

    #[test]
    fn what_nobody_measured_is_inconclusive() {
        let none = measured(&[("plain", &[1.0]), ("clever", &[1.0])]);
        check(&none, &["recall of clever > plain"], SpikeOutcome::Inconclusive, Some("plain"));
        check(&none, &["wall_ms of other < plain"], SpikeOutcome::Inconclusive, Some("plain"));
        check(&none, &[], SpikeOutcome::Inconclusive, Some("plain"));
    }
}
