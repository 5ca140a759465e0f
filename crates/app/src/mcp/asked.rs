//! What clients may ask, with the descriptions that models read.

use schemars::JsonSchema;
use serde::Deserialize;

/// Words and filters.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
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
pub(super) struct Get {
    /// An id such as dec-k3f9x2, a footnote such as dec-k3f9x2#s1, session://…#L88 or 6af70815#L88, a path, a commit, file:line, an issue.
    pub(super) id: String,
    /// How many lines of a file, or turns of a session, around the one that is meant; 0 for three.
    #[serde(default)]
    pub(super) context: u32,
}

/// An entry and how far around it.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Related {
    /// Its id.
    pub(super) id: String,
    /// At most this many that are alike; 0 for five.
    #[serde(default)]
    pub(super) limit: u32,
}

/// What work is about to begin.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
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
pub(super) struct Ask {
    /// The question, in words.
    pub(super) question: String,
    /// Tokens the answer may cost; 0 for 500.
    #[serde(default)]
    pub(super) budget: u32,
    /// As things stood on this day, such as 2026-02-20 or 2 weeks ago; empty for now.
    #[serde(default)]
    pub(super) as_of: String,
    /// Also in the bases of other known projects.
    #[serde(default)]
    pub(super) all_projects: bool,
}

/// What an agent is asked to do.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Context {
    /// The words.
    pub(super) prompt: String,
    /// Session in which nothing is said twice; empty for none.
    #[serde(default)]
    pub(super) session: String,
    /// Tokens it may cost; 0 for the setting.
    #[serde(default)]
    pub(super) budget: u32,
}

/// A step of work.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Surface {
    /// Who asks: researcher, planner, debugger or executor.
    pub(super) role: String,
    /// What is to be done.
    pub(super) task: String,
    /// What went wrong, in the words of the machine; empty for nothing.
    #[serde(default)]
    pub(super) error: String,
    /// How it is to be done, so that entries that speak against it are named.
    #[serde(default)]
    pub(super) approach: String,
    /// Chain of steps it belongs to: later ones get only what is new, and earlier conclusions.
    #[serde(default)]
    pub(super) chain: String,
    /// Also in the bases of other known projects.
    #[serde(default)]
    pub(super) all_projects: bool,
}

/// What was learned.
#[derive(Debug, Deserialize, JsonSchema)]
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

/// What became of an entry that you were shown.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Mark {
    /// The entry.
    pub(super) id: String,
    /// applied, where it helped, or contradicted, where it proved wrong.
    pub(super) outcome: String,
    /// The session; empty for none.
    #[serde(default)]
    pub(super) session: String,
}

/// How many candidates.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub(super) struct Candidates {
    /// At most this many; 0 for forty.
    pub(super) limit: u32,
}

/// Candidates, worded better.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct Refine {
    /// One per candidate; those that are left out stay as they are.
    pub(super) entries: Vec<RefinedEntry>,
    /// Say what would happen and write nothing.
    #[serde(default)]
    pub(super) dry_run: bool,
}

/// A candidate, worded better. Say only what its quotes say; anything else is refused.
#[derive(Debug, Deserialize, serde::Serialize, JsonSchema)]
pub(super) struct RefinedEntry {
    /// The name it was offered under.
    pub(super) candidate: String,
    /// Whether it is worth keeping.
    #[serde(default = "yes")]
    pub(super) keep: bool,
    /// At most ten words; empty to keep ours.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) title: String,
    /// One to three self-contained sentences; empty to keep ours.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub(super) text: String,
    /// Subject words.
    #[serde(default)]
    pub(super) keywords: Vec<String>,
}

fn yes() -> bool {
    true
}
