//! What clients may ask, with the descriptions that models read.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::edits;

/// Words and filters.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Search {
    /// What you want to know, in any words.
    pub(super) query: String,
    /// Only these kinds: decision, fact, preference, architecture, limitation, event, resolution, pattern, feedback, lesson, spike, signal.
    pub(super) kinds: Vec<String>,
    /// Part of the system to prefer; empty for none.
    pub(super) domain: String,
    /// Only with one of these tags or a tag below it.
    pub(super) tags: Vec<String>,
    /// What is known about these files comes first.
    pub(super) files: Vec<String>,
    /// What belongs to this issue comes first; empty for none.
    pub(super) issue: String,
    /// Only what changed on or after this day, such as 2026-02-20, 7d or yesterday; empty for any.
    pub(super) since: String,
    /// At most this many; 0 for the setting.
    pub(super) limit: u32,
    /// Also in the bases of other known projects.
    pub(super) all_projects: bool,
}

/// Anything that was cited.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Get {
    /// An id such as dec-k3f9x2, a footnote such as dec-k3f9x2#s1, session://…#L88 or 6af70815#L88, a path, a commit, file:line, an issue.
    pub(super) id: String,
    /// How many lines of a file, or turns of a session, around the one that is meant; 0 for three, and of a footnote for
    /// what is cited alone.
    #[serde(default)]
    pub(super) context: u32,
    /// Of an entry, also what is linked to it both ways and at most this many that are alike; 0 for none.
    #[serde(default)]
    pub(super) related: u32,
}

/// What work is about to begin.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct Brief {
    /// The issue's number; empty for none.
    pub(super) issue: String,
    /// Its text, or words that say what is to be done.
    pub(super) text: String,
    /// Files that will be touched.
    pub(super) files: Vec<String>,
    /// Part of the system; empty for none.
    pub(super) domain: String,
}

/// A question.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Ask {
    /// The question, in words.
    pub(super) question: String,
    /// Tokens the answer may cost; 0 for 500.
    #[serde(default)]
    pub(super) budget: u32,
    /// As things stood on this day, such as 2026-02-20 or 2 weeks ago; empty for now.
    #[serde(default)]
    pub(super) as_of: String,
    /// Also the words it rests on, as far as the budget goes; where it is not known, the nearest that was found.
    #[serde(default)]
    pub(super) evidence: bool,
    /// Also in the bases of other known projects.
    #[serde(default)]
    pub(super) all_projects: bool,
}

/// What is to be done, and who asks.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Context {
    /// The words: a prompt, or a step of work.
    pub(super) prompt: String,
    /// Who asks: researcher, planner, debugger or executor; empty for what a prompt is told.
    #[serde(default)]
    pub(super) role: String,
    /// What went wrong, in the words of the machine; with a role. Empty for nothing.
    #[serde(default)]
    pub(super) error: String,
    /// How it is to be done, so that entries that speak against it are named; with a role.
    #[serde(default)]
    pub(super) approach: String,
    /// Chain of steps it belongs to: later ones get only what is new, and earlier conclusions; with a role.
    #[serde(default)]
    pub(super) chain: String,
    /// Session in which nothing is said twice; empty for none.
    #[serde(default)]
    pub(super) session: String,
    /// Tokens it may cost; 0 for the setting.
    #[serde(default)]
    pub(super) budget: u32,
    /// Also in the bases of other known projects.
    #[serde(default)]
    pub(super) all_projects: bool,
}

/// A question or a claim about the code.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Ground {
    /// The question, the claim or the design, in words.
    pub(super) question: String,
}

/// A design.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Impact {
    /// What is to be changed, in words.
    pub(super) design: String,
    /// At most this many files; 0 for twenty.
    #[serde(default)]
    pub(super) limit: u32,
}

/// A question that an experiment could answer.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Spike {
    /// The question, such as: should we use X or Y for Z?
    pub(super) question: String,
}

/// What was learned.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Learn {
    /// decision, resolution, pattern, feedback, or another kind.
    pub(super) kind: String,
    /// What it says, in at most ten words.
    pub(super) title: String,
    /// The statement and what belongs to it.
    pub(super) text: String,
    /// Why; empty for nothing.
    #[serde(default)]
    pub(super) rationale: String,
    /// What was done about it, or should be; empty for nothing.
    #[serde(default)]
    pub(super) solution: String,
    /// Subject words.
    #[serde(default)]
    pub(super) tags: Vec<String>,
    /// Part of the system; empty for none.
    #[serde(default)]
    pub(super) domain: String,
    /// Files it is about.
    #[serde(default)]
    pub(super) files: Vec<String>,
    /// Issues it belongs to.
    #[serde(default)]
    pub(super) issues: Vec<String>,
    /// The session you work in; empty for none.
    #[serde(default)]
    pub(super) session: String,
    /// Say what would happen and write nothing.
    #[serde(default)]
    pub(super) dry_run: bool,
}

/// What an agent may say of an entry.
#[derive(Debug, Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[schemars(inline)]
pub(super) enum MarkedAs {
    Applied,
    Contradicted,
}

/// What became of an entry that you were shown.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct Mark {
    /// The entry.
    pub(super) id: String,
    /// applied: it helped, the work was done as it says. contradicted: it proved wrong, by the code, by a result or by
    /// what a person said. That it was shown or opened is counted without being told.
    pub(super) outcome: MarkedAs,
    /// The session; empty for none.
    #[serde(default)]
    pub(super) session: String,
}

/// How large a packet may be.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct CurateNext {
    /// At most this many tokens; 0 for the usual size, about eight thousand.
    pub(super) max_tokens: u32,
}

/// Edits for a packet.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CurateSubmit {
    /// The packet's name.
    pub(super) packet: String,
    #[serde(default)]
    #[schemars(schema_with = "edits::edits")]
    pub(super) edits: Vec<Value>,
    #[serde(default)]
    #[schemars(schema_with = "edits::unsure")]
    pub(super) unsure: Vec<Value>,
    #[serde(default)]
    #[schemars(schema_with = "edits::looks")]
    pub(super) looks: BTreeMap<String, Value>,
    /// Say what would happen and write nothing.
    #[serde(default)]
    pub(super) dry_run: bool,
}
