//! How much stands behind a group, and what speaks against it.

use std::collections::BTreeSet;

use lore_core::{Confidence, LifecycleState, Severity, SignalType};

use super::Friction;
use super::heart::Heart;
use super::likeness::Likeness;

/// A signal that went well and is at least this alike speaks against trouble.
const AGAINST: f64 = 0.25;
/// So many different places make a lesson.
pub(super) const PLACES: usize = 2;
/// So many signals, unless they were seen in more places or are serious.
const SIGNALS: usize = 3;
/// So many signals of so many places are more than a first guess.
const WELL_FOUNDED: (usize, usize) = (4, 3);

/// A signal that recurred in so many places is evidence enough by itself: recurrences are counted in one.
pub(super) const ALONE: usize = 4;
/// So many signals of something that went well make a lesson.
const WELL: usize = 5;

/// From here on what one signal asks for suits the others of its group, and the other one of two.
///
/// Read on one store of 321 signals written by agents: 42 groups with a remedy lay between .32 and 1.37; below
/// .5 the evidence was about something else than the advice, and pairs below .85 shared a word and no more.
const SUITS: f64 = 0.5;
const SUITS_TWO: f64 = 0.85;

/// Two signals so alike, in the same place, are one.
const TWIN: f64 = 0.6;

/// What a group amounts to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It is a lesson.
    Holds,
    /// It may be one; an experiment could tell.
    Unclear,
    /// It is not enough to say anything.
    TooLittle,
}

/// What was found about a group.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Weighed {
    pub(super) verdict: Verdict,
    pub(super) confidence: Confidence,
    pub(super) places: usize,
    pub(super) severity: Severity,
    pub(super) against: Vec<usize>,
}

pub(super) fn weigh(signals: &[Friction], likeness: &Likeness, heart: &Heart) -> Weighed {
    let group = &heart.group[..];
    let own = || group.iter().map(|at| &signals[*at]);
    let places = own().flat_map(|signal| &signal.places).collect::<BTreeSet<_>>().len();
    let severity = own().map(|signal| signal.severity).max().unwrap_or(Severity::Low);
    let positive = own().all(|signal| signal.positive);
    let last = own().filter_map(|signal| signal.at).max();
    let against: Vec<usize> = if positive {
        Vec::new()
    } else {
        (0..signals.len())
            .filter(|at| signals[*at].positive && signals[*at].at >= last)
            // That nothing happened in one run is a measurement.
            .filter(|at| signals[*at].signal_type != Some(SignalType::Baseline))
            .filter(|at| likeness.to_group(*at, group) >= AGAINST)
            .collect()
    };
    let withdrawn = own().filter(|signal| signal.state == LifecycleState::Invalidated).count();
    // Two sensors that noticed the same in one place are one witness.
    let is_twin = |(place, at): (usize, &usize)| {
        let before = &group[..place];
        before.iter().any(|other| {
            signals[*other].places == signals[*at].places && likeness.between(*other, *at) >= TWIN
        })
    };
    let twins = group.iter().enumerate().filter(|one| is_twin(*one)).count();
    let standing = (group.len() - withdrawn).saturating_sub(twins);
    let serious = own().filter(|signal| signal.severity >= Severity::High).count();
    let is_told = heart.remedy.is_some();
    // Two are enough that are plainly the same, where what to do suits both.
    let recognised = is_told && heart.fit >= SUITS_TWO;
    let enough = standing >= SIGNALS || places >= ALONE || serious >= 2 || recognised;
    // Two trifles are no pattern; one that keeps coming back is.
    let is_trifle = standing < SIGNALS && places < ALONE && severity == Severity::Low;
    // What is asked for by one and spoken of by no other is its own affair.
    let is_strange =
        is_told && group.len() > 1 && heart.fit < if standing < SIGNALS { SUITS_TWO } else { SUITS };
    // A measurement is there to be compared with, not to be followed.
    let measured = own().filter(|signal| signal.signal_type == Some(SignalType::Baseline)).count();
    let gaps = own().filter(|signal| signal.signal_type == Some(SignalType::EpistemicGap)).count();
    let first = founded(standing, places);
    let confidence = if against.is_empty() { first } else { moved(first, -1) };
    // What was remedied and did not come back asks for nothing, unless an error would show that it did.
    let is_settled =
        |signal: &Friction| matches!(signal.state, LifecycleState::Remediated | LifecycleState::Verified);
    let remedied = own().filter(|signal| is_settled(signal)).filter_map(|signal| signal.at).max();
    let came_back = own().any(|signal| !is_settled(signal) && signal.at > remedied);
    let is_over = remedied.is_some() && !came_back && own().all(|signal| signal.error.is_none());
    let verdict = match () {
        () if is_over => Verdict::TooLittle,
        () if places < PLACES || standing < 2 && places < ALONE => Verdict::TooLittle,
        () if measured * 2 >= group.len() => Verdict::TooLittle,
        // What goes well is what is expected; it has to stand out to be worth a page.
        () if positive && standing < WELL => Verdict::TooLittle,
        () if gaps * 2 > group.len() && !is_told || against.len() * 2 >= standing => Verdict::Unclear,
        () if enough && !is_strange && !is_trifle => Verdict::Holds,
        () => Verdict::Unclear,
    };
    Weighed { verdict, confidence, places, severity, against }
}

/// Tells how sure a lesson is at first sight.
pub(super) fn founded(signals: usize, places: usize) -> Confidence {
    let is_well = signals >= WELL_FOUNDED.0 && places >= WELL_FOUNDED.1;
    if is_well { Confidence::Medium } else { Confidence::Low }
}

/// Moves a confidence by a step up or down.
pub fn moved(confidence: Confidence, by: i32) -> Confidence {
    match (confidence, by.signum()) {
        (Confidence::Low, 1) | (Confidence::High, -1) => Confidence::Medium,
        (Confidence::Medium, 1) => Confidence::High,
        (Confidence::Medium, -1) => Confidence::Low,
        (same, _) => same,
    }
}

#[cfg(test)]
mod tests {
    use super::super::reflect;
    use super::super::tests::friction;
    use super::*;

    fn pair(advice: &str) -> Vec<Friction> {
        let mut signals = vec![
            friction(1, "The anchor chain was left unlocked", "1"),
            friction(2, "Anchor chain unlocked after mooring", "2"),
        ];
        signals.iter_mut().for_each(|signal| signal.cause = String::new());
        signals[0].cause = advice.to_owned();
        signals
    }

    #[test]
    fn two_are_a_lesson_where_what_to_do_suits_both() {
        let mut signals = pair("The mate should check after mooring that the anchor chain is not unlocked.");
        assert_eq!(reflect(&signals).insights.len(), 1);
        signals.iter_mut().for_each(|signal| signal.severity = Severity::Low);
        let found = reflect(&signals);
        assert_eq!((found.insights.len(), found.unclear.len()), (0, 1), "two trifles are none");
        let found =
            reflect(&pair("The captain should paint buoys yellow, sell tickets and feed every gull."));
        assert_eq!((found.insights.len(), found.unclear.len()), (0, 1), "{found:#?}");
    }
}
