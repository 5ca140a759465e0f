//! What each kind adds to an entry.

use serde::{Deserialize, Serialize};

use crate::{Kind, LifecycleState, Moment};

/// The part of an entry that depends on its kind.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(tag = "detail", rename_all = "lowercase")]
pub enum Detail {
    /// Facts, preferences, architecture, limitations and events add nothing.
    #[default]
    None,
    /// What a decision adds.
    Decision(Decision),
    /// What a resolution adds.
    Resolution(Resolution),
    /// What a pattern adds.
    Pattern(Pattern),
    /// What a review finding adds.
    Feedback(Feedback),
    /// What a signal adds.
    Signal(Signal),
    /// What a spike adds.
    Spike(Spike),
    /// What a lesson adds.
    Lesson(Lesson),
}

impl Detail {
    /// Returns the empty detail of a kind.
    pub fn empty(kind: Kind) -> Detail {
        match kind {
            Kind::Decision => Detail::Decision(Decision::default()),
            Kind::Resolution => Detail::Resolution(Resolution::default()),
            Kind::Pattern => Detail::Pattern(Pattern::default()),
            Kind::Feedback => Detail::Feedback(Feedback::default()),
            Kind::Signal => Detail::Signal(Signal::default()),
            Kind::Spike => Detail::Spike(Spike::default()),
            Kind::Lesson => Detail::Lesson(Lesson::default()),
            Kind::Fact | Kind::Preference | Kind::Architecture | Kind::Limitation | Kind::Event => {
                Detail::None
            }
        }
    }
}

/// Declares an enum of words: its text form, its lenient reading, and serde by that text.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal $(| $also:literal)*),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub enum $name { $($(#[$vdoc])* #[serde(rename = $word)] $variant),+ }

        impl $name {
            /// Lists all values.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// Returns the word used in front matter.
            pub const fn word(self) -> &'static str {
                match self { $($name::$variant => $word),+ }
            }

            /// Reads the word, in any case, and the words other tools use for it.
            pub fn from_word(word: &str) -> Option<$name> {
                match word.trim().to_ascii_lowercase().as_str() {
                    $($word $(| $also)* => Some($name::$variant),)+
                    _ => None,
                }
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.word())
            }
        }
    };
}
pub(crate) use words;

words! {
    /// How bad friction or a finding is.
    Severity {
        /// A nuisance.
        Low = "low" | "minor" | "trace" | "info",
        /// It cost time.
        Medium = "medium" | "notable",
        /// It cost the result, or nearly.
        High = "high",
        /// It cost what is hard to bring back, or the goal of a phase.
        Critical = "critical" | "blocker",
    }
}

words! {
    /// What sort of friction, or what went well.
    SignalType {
        /// The work went another way than the plan.
        Deviation = "deviation",
        /// A person was annoyed or had to correct.
        Frustration = "frustration",
        /// It took several tries.
        Struggle = "struggle",
        /// Something ran with other settings than configured.
        Config = "config" | "config-mismatch",
        /// A tool could not do it.
        CapabilityGap = "capability-gap",
        /// Nobody knew.
        EpistemicGap = "epistemic-gap",
        /// A measurement to compare with later.
        Baseline = "baseline",
        /// An idea for doing better.
        Improvement = "improvement",
        /// Something that worked well.
        GoodPattern = "good-pattern",
        /// None of these.
        Custom = "custom",
    }
}

words! {
    /// Whether to do it or to avoid it.
    PatternType {
        /// Do it.
        Pattern = "pattern",
        /// Avoid it.
        AntiPattern = "anti-pattern" | "antipattern",
    }
}

words! {
    /// What the measurements of a spike said.
    SpikeOutcome {
        /// The hypothesis held.
        Confirmed = "confirmed",
        /// It did not.
        Rejected = "rejected",
        /// It held in part.
        Partial = "partial",
        /// The data do not say.
        Inconclusive = "inconclusive",
    }
}

words! {
    /// How far a spike has come.
    SpikeState {
        /// The question is stated.
        Hypothesis = "hypothesis" | "designing",
        /// The experiment and its criteria are written down.
        Designed = "designed" | "building",
        /// The experiment runs.
        Running = "running",
        /// The data are in.
        Collected = "collected",
        /// The outcome is decided.
        Concluded = "concluded" | "complete" | "completed" | "inconclusive",
        /// It is put away; its answer is not handed out any more.
        Archived = "archived",
    }
}

/// What a decision adds: the roads not taken.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Decision {
    /// Options that were considered and refused.
    pub alternatives: Vec<Alternative>,
    /// When to look at it again.
    pub review_date: Option<Moment>,
}

/// An option that was refused.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alternative {
    /// What it was.
    pub option: String,
    /// Why it was not taken.
    pub rejected_because: Option<String>,
}

/// What a resolution adds: how the issue went.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Resolution {
    /// `bug`, `feature`, or what its author calls it.
    pub issue_type: Option<String>,
    /// Category of the cause, such as `concurrency`.
    pub root_cause: Option<String>,
    /// How long it took, as written.
    pub time_to_resolve: Option<String>,
    /// The agents that worked on it.
    pub agents_used: Vec<String>,
    /// Tests that now guard it.
    pub tests_added: Vec<String>,
}

/// What a pattern adds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Pattern {
    /// Whether to do it or to avoid it.
    pub pattern_type: Option<PatternType>,
}

/// What a review finding adds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Feedback {
    /// How bad it is.
    pub severity: Option<Severity>,
    /// `security`, `quality`, `performance`, `style`, `other`.
    pub category: Option<String>,
}

/// What a signal adds. Everything but the last two fields is frozen once written.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Signal {
    /// How bad it is.
    pub severity: Option<Severity>,
    /// What sort it is.
    pub signal_type: Option<SignalType>,
    /// `positive`, `negative` or `neutral`.
    pub polarity: Option<String>,
    /// The phase of the plan it happened in.
    pub phase: Option<String>,
    /// The plan it happened in.
    pub plan: Option<String>,
    /// How it was noticed.
    pub detection_method: Option<String>,
    /// What a recurrence is recognised by.
    pub subject: Option<String>,
    /// The command that went wrong, by its first words.
    pub command: Option<String>,
    /// The error it ended with.
    pub error: Option<String>,
    /// Where it stands.
    pub lifecycle_state: LifecycleState,
    /// How it came there, one line per move.
    pub lifecycle_log: Vec<String>,
}

/// What a spike adds: the only truth about how far it is and what came out.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Spike {
    /// What is asked, in the words of whoever asked.
    pub question: Option<String>,
    /// What can be chosen from.
    pub alternatives: Vec<String>,
    /// What limits the choice, such as `without a network`.
    pub constraint: Option<String>,
    /// For how much it is asked, such as `10000 rows`.
    pub scale: Option<String>,
    /// What to take where the data do not say.
    pub simplest: Option<String>,
    /// What has to come out for the hypothesis to hold, such as `wall_ms of mmap < 0.9 x read`.
    pub criteria: Vec<String>,
    /// What the answer was found under: machine, versions, commit.
    pub conditions: Vec<String>,
    /// How often it was measured.
    pub rounds: Option<u32>,
    /// The session that asked, so that it is told the answer.
    pub asked_in: Option<String>,
    /// The statement under test.
    pub hypothesis: Option<String>,
    /// What came out.
    pub outcome: Option<SpikeOutcome>,
    /// How far it has come.
    pub state: Option<SpikeState>,
}

/// What a lesson adds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Lesson {
    /// `tooling`, `architecture`, `testing`, `workflow`, `external`, `environment`, …; also the folder.
    pub category: Option<String>,
    /// How many signals stand behind it.
    pub evidence_count: Option<u32>,
    /// Conditions under any of which it is shown unasked, such as `error ~ no such table`.
    pub triggers: Vec<String>,
    /// How its confidence came about, one line per reflection that moved it.
    pub confidence_log: Vec<String>,
}
