//! The gate: which check a step of design needs, and whether the step may be taken.
//!
//! Everything here is a table or follows from one. Who stands before a closed gate is told what opens it.

use serde::{Deserialize, Serialize};

use crate::findings::{Code, HIGH, LOW};

/// How thoroughly a track is worked on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Mode {
    /// Light checks that never stop anybody.
    #[default]
    Speed,
    /// Every step is checked, the later the harder.
    Full,
}

/// Where a track stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Phase {
    /// What is there and what is wanted is looked at.
    Discover,
    /// What shall be is written down.
    Define,
    /// How it shall be is worked out.
    Develop,
    /// It is made.
    Deliver,
    /// It is done.
    Complete,
}

impl Phase {
    /// Every phase in order.
    pub const ALL: [Phase; 5] =
        [Phase::Discover, Phase::Define, Phase::Develop, Phase::Deliver, Phase::Complete];

    /// Returns its word.
    pub fn word(self) -> &'static str {
        match self {
            Phase::Discover => "DISCOVER",
            Phase::Define => "DEFINE",
            Phase::Develop => "DEVELOP",
            Phase::Deliver => "DELIVER",
            Phase::Complete => "COMPLETE",
        }
    }

    /// Reads a word, however it is written.
    pub fn from_word(word: &str) -> Option<Phase> {
        Phase::ALL.into_iter().find(|phase| phase.word().eq_ignore_ascii_case(word.trim()))
    }

    /// Returns the phase after it.
    pub fn next(self) -> Option<Phase> {
        let at = Phase::ALL.iter().position(|phase| *phase == self)?;
        Phase::ALL.get(at + 1).copied()
    }
}

/// How much is looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Depth {
    /// The likeliest source alone, three seconds at most.
    Light,
    /// The repository alone.
    MiniRepo,
    /// The web alone, where it is configured; the history where not.
    MiniWeb,
    /// One source after the other, until one is sure.
    Standard,
    /// Every source, and the impact scan beside them.
    Full,
}

impl Depth {
    /// Returns how many seconds it may take.
    pub fn seconds(self) -> u64 {
        match self {
            Depth::Light => 3,
            Depth::MiniRepo | Depth::MiniWeb => 5,
            Depth::Standard => 10,
            Depth::Full => 45,
        }
    }

    /// Returns its word.
    pub fn word(self) -> &'static str {
        match self {
            Depth::Light => "light",
            Depth::MiniRepo => "mini (repo)",
            Depth::MiniWeb => "mini (web)",
            Depth::Standard => "standard",
            Depth::Full => "full with impact scan",
        }
    }
}

/// What happens where a check is missing or came out badly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Enforcement {
    /// It is noted, and work goes on.
    Advisory,
    /// Nobody passes without a check.
    Gatekeeper,
    /// Nobody passes without a check that came out well.
    Mandatory,
}

/// What the settings make of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Enforce {
    /// Nothing is checked.
    Off,
    /// Everything is checked, nothing is stopped.
    #[default]
    Advisory,
    /// As the table says.
    AsTable,
}

/// What a step needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Need {
    /// How much is looked at.
    pub depth: Depth,
    /// What happens where that is missing.
    pub enforcement: Enforcement,
}

/// Returns what the step out of a phase needs; nothing follows the last.
pub fn need(mode: Mode, from: Phase) -> Option<Need> {
    let row = |depth, enforcement| Some(Need { depth, enforcement });
    match (mode, from) {
        (_, Phase::Complete) => None,
        (Mode::Speed, _) => row(Depth::Light, Enforcement::Advisory),
        (Mode::Full, Phase::Discover) => row(Depth::MiniRepo, Enforcement::Advisory),
        (Mode::Full, Phase::Define) => row(Depth::MiniWeb, Enforcement::Advisory),
        (Mode::Full, Phase::Develop) => row(Depth::Standard, Enforcement::Gatekeeper),
        (Mode::Full, Phase::Deliver) => row(Depth::Full, Enforcement::Mandatory),
    }
}

/// What came of the check of one step.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Checked {
    /// It was looked into.
    Ran {
        /// How sure the answer is, from 0 to 1.
        confidence: f64,
        /// What was noticed.
        codes: Vec<Code>,
        /// Rules and decisions that the change does not keep to.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        against: Vec<String>,
        /// How often it was tried.
        tries: u32,
    },
    /// Somebody said that it shall be left out.
    Skipped {
        /// Why.
        reason: String,
        /// Whether a person said so.
        by_person: bool,
    },
    /// It could not be made, through no fault of whoever stands before the gate.
    Impossible {
        /// Why.
        reason: String,
    },
}

/// What to do now.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Action {
    /// Go on.
    Proceed,
    /// Go on, and know this.
    Warn,
    /// Check first.
    RunGrounding,
    /// Check once more: the time was up before anything was found.
    RetryGrounding,
    /// A person has to look.
    ManualVerify,
    /// Go on: somebody said why no check is needed.
    Skipped,
}

impl Action {
    /// Returns its word.
    pub fn word(self) -> &'static str {
        match self {
            Action::Proceed => "PROCEED",
            Action::Warn => "WARN",
            Action::RunGrounding => "RUN_GROUNDING",
            Action::RetryGrounding => "RETRY_GROUNDING",
            Action::ManualVerify => "MANUAL_VERIFY",
            Action::Skipped => "SKIPPED",
        }
    }
}

/// Whether a step may be taken.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct GateDecision {
    /// What to do now.
    pub action: Action,
    /// Whether the step may be taken.
    pub open: bool,
    /// Why.
    pub why: String,
    /// What opens the gate; empty where it is open.
    pub lift: String,
}

/// Decides whether a step may be taken.
pub fn decide(need: Need, enforce: Enforce, checked: Option<&Checked>) -> GateDecision {
    let open =
        |action, why: &str| GateDecision { action, open: true, why: why.to_owned(), lift: String::new() };
    if enforce == Enforce::Off {
        return open(Action::Proceed, "checks are turned off");
    }
    let judged = judge(need.enforcement, checked);
    match judged {
        (action, why, None) => open(action, &why),
        (_, why, Some(_)) if enforce == Enforce::Advisory || need.enforcement == Enforcement::Advisory => {
            open(Action::Warn, &why)
        }
        (action, why, Some(lift)) => GateDecision { action, open: false, why, lift },
    }
}

/// What opens a gate before a change that does not keep to what stands.
const OVERRULED: &str = "keep to it; or a person writes down what holds now (`lore remember \"…\"`) and `lore ground --track` is run \
    again, or a person says why it does not matter here: `lore phase skip \"…\"`";

/// Says what the table says: the action, why, and what opens the gate where it is closed.
fn judge(enforcement: Enforcement, checked: Option<&Checked>) -> (Action, String, Option<String>) {
    let run = || Some("run `lore ground --track`, then try again".to_owned());
    let person = || Some("a person looks and says so: `lore phase skip \"what was verified\"`".to_owned());
    match checked {
        None => (Action::RunGrounding, "this step has not been checked".to_owned(), run()),
        Some(Checked::Skipped { reason, by_person }) => {
            if *by_person || enforcement != Enforcement::Mandatory {
                (Action::Skipped, format!("left out: {reason}"), None)
            } else {
                (Action::ManualVerify, "only a person can leave out this check".to_owned(), person())
            }
        }
        Some(Checked::Impossible { reason }) => {
            (Action::Warn, format!("the check could not be made: {reason}"), None)
        }
        Some(Checked::Ran { confidence, codes, against, tries }) => {
            let has = |code: Code| codes.contains(&code);
            if has(Code::TimedOut) && *confidence <= 0.0 && *tries < 2 {
                return (
                    Action::RetryGrounding,
                    "the time was up before anything was found".to_owned(),
                    run(),
                );
            }
            if has(Code::AllFailed) || *confidence <= 0.0 {
                let why = "no source could say anything".to_owned();
                // Who keeps a gate asks that it was run; more than that only the mandatory check asks.
                let lift = if enforcement == Enforcement::Mandatory { person() } else { None };
                let action = if lift.is_some() { Action::ManualVerify } else { Action::Warn };
                return (action, why, lift);
            }
            if *confidence < LOW && enforcement == Enforcement::Mandatory {
                return (Action::ManualVerify, "what was found is not sure enough".to_owned(), person());
            }
            if let Some(first) = against.first() {
                let lift = (enforcement == Enforcement::Mandatory).then(|| OVERRULED.to_owned());
                let action = if lift.is_some() { Action::ManualVerify } else { Action::Warn };
                return (action, first.clone(), lift);
            }
            if has(Code::Conflict) {
                return (Action::Warn, "sources contradict each other".to_owned(), None);
            }
            if *confidence < HIGH {
                let why = format!("checked, with a confidence of {confidence:.2}");
                return (if *confidence < LOW { Action::Warn } else { Action::Proceed }, why, None);
            }
            (Action::Proceed, "checked".to_owned(), None)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ran(confidence: f64, codes: &[Code]) -> Option<Checked> {
        Some(Checked::Ran { confidence, codes: codes.to_vec(), against: Vec::new(), tries: 1 })
    }

    fn opposed() -> Option<Checked> {
        let against = vec!["dec-1 rules this out".to_owned()];
        Some(Checked::Ran { confidence: 0.95, codes: vec![Code::Conflict], against, tries: 1 })
    }

    #[test]
    fn the_table_is_the_one_that_was_asked_for() {
        let full = |from| need(Mode::Full, from).map(|need| (need.depth, need.enforcement));
        assert_eq!(full(Phase::Discover), Some((Depth::MiniRepo, Enforcement::Advisory)));
        assert_eq!(full(Phase::Define), Some((Depth::MiniWeb, Enforcement::Advisory)));
        assert_eq!(full(Phase::Develop), Some((Depth::Standard, Enforcement::Gatekeeper)));
        assert_eq!(full(Phase::Deliver), Some((Depth::Full, Enforcement::Mandatory)));
        assert_eq!(full(Phase::Complete), None);
        for from in [Phase::Discover, Phase::Define, Phase::Develop, Phase::Deliver] {
            let speed = need(Mode::Speed, from).unwrap();
            assert_eq!((speed.depth, speed.enforcement), (Depth::Light, Enforcement::Advisory));
        }
    }

    #[test]
    fn every_cell_says_what_to_do() {
        let check = |enforcement, checked: Option<Checked>, action, is_open| {
            let need = Need { depth: Depth::Standard, enforcement };
            let decision = decide(need, Enforce::AsTable, checked.as_ref());
            assert_eq!((decision.action, decision.open), (action, is_open), "{enforcement:?} {checked:?}");
            assert_eq!(decision.lift.is_empty(), is_open, "what is closed says what opens it");
        };
        let skipped = |by_person| Some(Checked::Skipped { reason: "a typo".to_owned(), by_person });
        let failed = || ran(0.0, &[Code::AllFailed]);
        use Enforcement::{Advisory, Gatekeeper, Mandatory};
        check(Advisory, None, Action::Warn, true);
        check(Gatekeeper, None, Action::RunGrounding, false);
        check(Mandatory, None, Action::RunGrounding, false);
        check(Advisory, failed(), Action::Warn, true);
        check(Gatekeeper, failed(), Action::Warn, true);
        check(Mandatory, failed(), Action::ManualVerify, false);
        check(Gatekeeper, ran(0.2, &[Code::LowConfidence]), Action::Warn, true);
        check(Mandatory, ran(0.2, &[Code::LowConfidence]), Action::ManualVerify, false);
        check(Mandatory, ran(0.6, &[]), Action::Proceed, true);
        check(Mandatory, ran(0.9, &[Code::Conflict]), Action::Warn, true);
        check(Mandatory, ran(0.9, &[]), Action::Proceed, true);
        check(Advisory, opposed(), Action::Warn, true);
        check(Gatekeeper, opposed(), Action::Warn, true);
        check(Mandatory, opposed(), Action::ManualVerify, false);
        check(Gatekeeper, ran(0.0, &[Code::TimedOut, Code::AllFailed]), Action::RetryGrounding, false);
        check(Gatekeeper, skipped(false), Action::Skipped, true);
        check(Mandatory, skipped(false), Action::ManualVerify, false);
        check(Mandatory, skipped(true), Action::Skipped, true);
    }

    #[test]
    fn a_second_time_out_does_not_hold_the_gate_for_ever() {
        let need = Need { depth: Depth::Standard, enforcement: Enforcement::Gatekeeper };
        let twice = Checked::Ran {
            confidence: 0.0,
            codes: vec![Code::TimedOut, Code::AllFailed],
            against: Vec::new(),
            tries: 2,
        };
        assert_eq!(decide(need, Enforce::AsTable, Some(&twice)).action, Action::Warn);
    }

    #[test]
    fn settings_can_only_open_the_gate() {
        let need = Need { depth: Depth::Full, enforcement: Enforcement::Mandatory };
        assert_eq!(decide(need, Enforce::Advisory, None).action, Action::Warn);
        assert!(decide(need, Enforce::Advisory, None).open);
        assert_eq!(decide(need, Enforce::Off, None).action, Action::Proceed);
    }
}
