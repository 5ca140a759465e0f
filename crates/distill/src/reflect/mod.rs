//! From signals to lessons: what recurs in different places, told once, with its evidence.
//!
//! Signals are compared by what they say ([`likeness`]), brought together while they stay alike on average
//! ([`cluster`]), weighed with what speaks against them ([`weigh`]) and worded out of their own sentences
//! ([`wording`]). Nothing is written here, and no signal is changed.

mod applies;
mod category;
mod cluster;
mod drift;
mod gap;
mod gist;
mod heading;
mod heart;
mod likeness;
mod order;
mod remedy;
mod said;
mod verb;
mod weigh;
mod wording;

use std::collections::BTreeSet;

use jiff::Timestamp;
use lore_core::{Confidence, LifecycleState, Severity, SignalType};

pub use self::drift::{Drift, drift};
pub(crate) use self::gist::gist;
use self::likeness::Likeness;
pub(crate) use self::remedy::capital;
pub use self::weigh::moved;

/// A signal as reflection sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Friction {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// What happened.
    pub happened: String,
    /// What was going on.
    pub context: String,
    /// What may be behind it, where it says.
    pub cause: String,
    /// What to do about it, or what was done, where it says.
    pub remedy: String,
    /// Signals that it names as its like.
    pub related: Vec<String>,
    /// Subject words.
    pub tags: Vec<String>,
    /// What sort it is.
    pub signal_type: Option<SignalType>,
    /// How bad it is.
    pub severity: Severity,
    /// Whether it tells of something that went well.
    pub positive: bool,
    /// When it was seen.
    pub at: Option<Timestamp>,
    /// Where it stands.
    pub state: LifecycleState,
    /// The sessions, phases or plans it was seen in.
    pub places: BTreeSet<String>,
    /// How often it was seen.
    pub times: u32,
    /// Files it is about.
    pub files: Vec<String>,
    /// The command that went wrong.
    pub command: Option<String>,
    /// The error.
    pub error: Option<String>,
}

/// What several signals have in common.
#[derive(Debug, Clone, PartialEq)]
pub struct Insight {
    /// The lesson in a few words.
    pub title: String,
    /// The lesson in one sentence.
    pub lesson: String,
    /// When it applies.
    pub applies: String,
    /// What to do.
    pub recommendation: String,
    /// `tooling`, `architecture`, `testing`, `workflow`, `external` or `environment`.
    pub category: &'static str,
    /// How sure it is at first sight.
    pub confidence: Confidence,
    /// Subject words.
    pub tags: Vec<String>,
    /// Conditions under which it should be shown unasked.
    pub triggers: Vec<String>,
    /// The signals it rests on, by their place among those given.
    pub evidence: Vec<usize>,
    /// Signals that speak against it.
    pub against: Vec<usize>,
    /// Different places it was seen in.
    pub places: usize,
    /// The worst of its signals.
    pub severity: Severity,
    /// Whether it tells of something to keep doing.
    pub positive: bool,
    /// Whether a signal says what to do about it, plainly enough to be told to somebody.
    pub is_told: bool,
}

impl Insight {
    /// Keeps only the signals that somebody found to tell of this very thing; tells whether they are enough.
    pub fn narrow(&mut self, signals: &[Friction], is_meant: impl Fn(&Friction) -> bool) -> bool {
        self.evidence.retain(|at| is_meant(&signals[*at]));
        let own = || self.evidence.iter().map(|at| &signals[*at]);
        self.places = own().flat_map(|signal| &signal.places).collect::<BTreeSet<_>>().len();
        self.severity = own().map(|signal| signal.severity).max().unwrap_or(Severity::Low);
        self.confidence = self.confidence.min(weigh::founded(self.evidence.len(), self.places));
        self.triggers = wording::triggers(&own().collect::<Vec<_>>());
        self.is_told = true;
        self.evidence.len() > 1 && self.places >= weigh::PLACES
    }
}

/// What reflection found.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reflection {
    /// What recurs with enough evidence.
    pub insights: Vec<Insight>,
    /// What seems to recur, and nobody can say yet: questions for an experiment.
    pub unclear: Vec<Insight>,
    /// How many signals were looked at.
    pub signals: usize,
    /// The largest group.
    pub largest: usize,
}

/// Finds what recurs.
pub fn reflect(signals: &[Friction]) -> Reflection {
    let likeness = Likeness::new(signals);
    let stock = wording::Stock::new(signals);
    let groups = cluster::groups(signals, &likeness);
    let mut reflection = Reflection {
        signals: signals.len(),
        largest: groups.iter().map(Vec::len).max().unwrap_or(0),
        ..Reflection::default()
    };
    let alone = |group: &[usize]| group.iter().any(|at| signals[*at].places.len() >= weigh::ALONE);
    let groups = groups.into_iter().flat_map(|group| heart::cored(signals, (&likeness, &stock), group));
    for heart in groups.filter(|heart| heart.group.len() > 1 || alone(&heart.group)) {
        let evidence = weigh::weigh(signals, &likeness, &heart);
        let insight = wording::worded(signals, (&likeness, &stock), &heart, &evidence);
        match evidence.verdict {
            // That it recurs is no lesson while nobody can say what to do.
            weigh::Verdict::Holds if insight.is_told => reflection.insights.push(insight),
            weigh::Verdict::Holds | weigh::Verdict::Unclear => reflection.unclear.push(insight),
            weigh::Verdict::TooLittle => {}
        }
    }
    let order = |one: &Insight| {
        (one.positive, std::cmp::Reverse(one.severity), std::cmp::Reverse(one.evidence.len()))
    };
    reflection.insights.sort_by_key(order);
    reflection.unclear.sort_by_key(order);
    reflection
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    pub(crate) fn friction(number: usize, title: &str, place: &str) -> Friction {
        Friction {
            id: format!("sig-{number}"),
            title: title.to_owned(),
            happened: format!("{title}. It cost an hour."),
            context: String::new(),
            cause: format!("Whoever leaves should look at it first: {title}."),
            remedy: String::new(),
            related: Vec::new(),
            tags: Vec::new(),
            signal_type: Some(SignalType::Deviation),
            severity: Severity::Medium,
            positive: false,
            at: Timestamp::from_second(1_700_000_000 + i64::try_from(number).unwrap_or(0) * 86_400).ok(),
            state: LifecycleState::Detected,
            places: BTreeSet::from([place.to_owned()]),
            times: 1,
            files: Vec::new(),
            command: None,
            error: None,
        }
    }

    fn harbour() -> Vec<Friction> {
        let titles = [
            ("The anchor chain was left unlocked", "1"),
            ("Anchor chain unlocked after mooring", "2"),
            ("Nobody locked the anchor chain", "3"),
            ("The tide table was read for the wrong day", "1"),
            ("Tide table of the wrong month", "4"),
            ("Wrong tide table used at night", "5"),
            ("A gull ate the sandwich", "2"),
        ];
        titles.iter().enumerate().map(|(at, (title, place))| friction(at, title, place)).collect()
    }

    #[test]
    fn what_recurs_in_different_places_is_a_lesson() {
        let mut signals = harbour();
        signals[0].cause = String::new();
        signals[2].cause = String::new();
        signals[1].cause = "Whoever moors should lock the chain before leaving the boat.".to_owned();
        let found = reflect(&signals);
        let evidence: Vec<&Vec<usize>> = found.insights.iter().map(|one| &one.evidence).collect();
        assert_eq!(evidence.len(), 2, "{found:#?}");
        assert!(evidence.contains(&&vec![0, 1, 2]) && evidence.contains(&&vec![3, 4, 5]));
        let chain = found.insights.iter().find(|one| one.evidence.contains(&0)).expect("the chain");
        assert!(chain.recommendation.contains("lock the chain before leaving"), "{chain:#?}");
    }

    #[test]
    fn one_signal_is_a_lesson_only_where_it_recurred_in_many_places() {
        let mut signals = vec![friction(1, "The anchor chain was left unlocked", "1")];
        signals[0].severity = Severity::Critical;
        assert_eq!(reflect(&signals).insights, [], "a lone one is none, however bad");
        signals[0].places = ["1", "2", "3", "4"].map(str::to_owned).into();
        assert_eq!(reflect(&signals).insights.len(), 1);
    }

    #[test]
    fn what_nobody_has_a_remedy_for_is_a_question() {
        let mut signals = harbour();
        for signal in &mut signals {
            signal.cause = format!("It happens because of the frost. {}.", signal.title);
        }
        let found = reflect(&signals);
        assert_eq!(found.insights, []);
        assert_eq!(found.unclear.len(), 2, "{found:#?}");
    }

    #[test]
    fn what_one_occasion_was_like_explains_nothing() {
        let mut signals = harbour();
        for signal in &mut signals {
            signal.cause =
                "There was no check because Plan 03 did not include the chain of Plan 02.".to_owned();
        }
        assert_eq!(reflect(&signals).insights, []);
    }

    #[test]
    fn the_one_that_explains_it_names_it() {
        let mut signals = harbour();
        for signal in &mut signals {
            signal.cause = String::new();
        }
        signals[2].cause = "There is no lock on the anchor chain.".to_owned();
        let found = reflect(&signals);
        assert_eq!(found.insights[0].title, "Add a lock on the anchor chain", "{found:#?}");
        assert!(found.insights[0].lesson.starts_with("There is no lock on the anchor chain (seen"));
    }

    #[test]
    fn what_was_remedied_and_did_not_come_back_is_no_lesson() {
        let mut signals = harbour();
        signals[1].state = LifecycleState::Remediated;
        assert!(reflect(&signals).insights.iter().any(|one| one.evidence.contains(&0)), "it came back");
        signals[2].state = LifecycleState::Remediated;
        assert!(reflect(&signals).insights.iter().all(|one| !one.evidence.contains(&0)));
        signals[2].error = Some("the chain slips from the winch".to_owned());
        assert!(
            reflect(&signals).insights.iter().any(|one| one.evidence.contains(&0)),
            "an error would tell"
        );
    }

    #[test]
    fn a_lesson_is_told_by_one_signal() {
        let mut signals = harbour();
        signals[0].cause = "The winch has no brake for the chain.".to_owned();
        signals[1].cause = "Nobody knows why. The mate should lock the chain with `chain_lock`.".to_owned();
        let found = reflect(&signals);
        let chain = found.insights.iter().find(|one| one.evidence.contains(&0)).expect("the chain");
        assert_eq!(chain.title, "Have the mate lock the chain with `chain_lock`");
        assert_eq!(chain.recommendation, "Have the mate lock the chain with `chain_lock`.");
        assert!(chain.applies.starts_with("After mooring. Signs of it: “"), "{chain:#?}");
        assert!(!chain.lesson.contains("brake"), "another's cause is no reason for it: {chain:#?}");
    }

    #[test]
    fn what_to_do_makes_the_title() {
        let mut signals = harbour();
        signals[1].title = "Anchor chain mooring gaps".to_owned();
        signals[1].cause =
            "The chain slips because the lock rusts. Lock the anchor chain with `chain_lock` when it rains."
                .to_owned();
        let found = reflect(&signals);
        let chain = found.insights.iter().find(|one| one.evidence.contains(&0)).expect("the chain");
        assert_eq!(chain.title, "Lock the anchor chain with `chain_lock` when it rains");
        assert_eq!(chain.lesson, "The chain slips because the lock rusts (seen 3 times in 3 places).");
    }

    #[test]
    fn a_topic_is_parted_into_what_is_alike() {
        let mut signals = harbour();
        let brake = "The anchor chain winch brake";
        for (number, title) in
            ["squeals in frost", "squeals in a cold night of frost"].into_iter().enumerate()
        {
            let signal = friction(20 + number, &format!("{brake} {title}"), &format!("b{number}"));
            signals.push(Friction { severity: Severity::High, ..signal });
        }
        let found = reflect(&signals);
        let all: Vec<&Insight> = found.insights.iter().chain(&found.unclear).collect();
        let of = |at: usize| all.iter().position(|one| one.evidence.contains(&at));
        assert!(of(7).is_some() && of(7) == of(8) && of(7) != of(0), "{found:#?}");
    }

    #[test]
    fn signals_that_name_each_other_are_alike() {
        let mut signals = vec![
            friction(1, "The chain slipped at the pier", "1"),
            friction(2, "Anchor lost in the bay", "2"),
            friction(3, "A gull ate the sandwich", "3"),
        ];
        signals.iter_mut().for_each(|signal| signal.tags = vec!["mooring".to_owned()]);
        let before = Likeness::new(&signals).between(0, 1);
        signals[1].related = vec!["sig-1".to_owned()];
        assert!(Likeness::new(&signals).between(0, 1) > before + 0.1);
        signals[1].related.extend((3..4).map(|number| format!("sig-{number}")));
        let of_many = Likeness::new(&signals).between(0, 1);
        assert!(of_many > before && of_many < before + 0.1, "who names many says less of each");
    }

    #[test]
    fn what_was_noticed_twice_in_one_place_counts_once() {
        let mut signals = harbour();
        signals[1] = Friction { id: "sig-9".to_owned(), ..signals[0].clone() };
        let chain = |signals: &[Friction]| {
            reflect(signals).insights.into_iter().find(|one| one.evidence.contains(&0))
        };
        signals.iter_mut().for_each(|signal| signal.severity = Severity::Low);
        signals[2].cause = String::new();
        signals[0].cause = "The winch has no lock for the anchor chain.".to_owned();
        signals[1].cause = signals[0].cause.clone();
        assert_eq!(chain(&signals), None, "two witnesses of a trifle are too few");
        signals[1].places = BTreeSet::from(["4".to_owned()]);
        assert!(chain(&signals).is_some(), "in another place it is a third");
    }

    #[test]
    fn an_insight_can_be_narrowed_to_what_tells_of_it() {
        let signals = harbour();
        let found = reflect(&signals).insights.remove(0);
        let (mut two, mut one) = (found.clone(), found.clone());
        assert!(two.narrow(&signals, |signal| signal.id != signals[found.evidence[0]].id));
        assert_eq!((two.evidence.len(), two.places), (found.evidence.len() - 1, found.places - 1));
        assert!(!one.narrow(&signals, |signal| signal.id == signals[found.evidence[0]].id), "one is none");
    }

    #[test]
    fn what_ends_with_another_error_is_another_matter() {
        let failing = |number: usize, error: &str| Friction {
            command: Some("hoist main".to_owned()),
            error: Some(error.to_owned()),
            ..friction(number, "`hoist main` failed again and again", &number.to_string())
        };
        let torn = "error: the main sail is torn";
        let stuck = "error: the rope got stuck in a block";
        let signals: Vec<Friction> =
            (0..6).map(|number| failing(number, if number % 2 == 0 { torn } else { stuck })).collect();
        let found = reflect(&signals);
        let evidence: Vec<&Vec<usize>> = found.insights.iter().map(|one| &one.evidence).collect();
        assert_eq!(evidence, [&vec![0, 2, 4], &vec![1, 3, 5]], "{found:#?}");
    }

    #[test]
    fn repeats_of_one_place_are_no_lesson() {
        let mut signals = harbour();
        for signal in &mut signals[..3] {
            signal.places = BTreeSet::from(["1".to_owned()]);
        }
        let found = reflect(&signals);
        assert!(found.insights.iter().all(|one| !one.evidence.contains(&0)), "{found:#?}");
    }

    #[test]
    fn what_speaks_against_it_lowers_the_confidence() {
        let mut signals: Vec<Friction> = (0..5)
            .map(|number| friction(number, "The anchor chain was left unlocked", &number.to_string()))
            .collect();
        let sure = reflect(&signals).insights[0].confidence;
        let mut good = friction(9, "The anchor chain was locked at every mooring", "9");
        good.positive = true;
        signals.push(good);
        let found = reflect(&signals);
        let chain =
            found.insights.iter().chain(&found.unclear).find(|one| one.evidence.contains(&0)).expect("there");
        assert!(chain.confidence < sure && chain.against == [5], "{chain:#?}");
    }
}
