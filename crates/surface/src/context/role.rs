//! Who asks, and what that changes: the kinds that help, their order, and what it may cost.

use std::fmt;
use std::str::FromStr;

use lore_core::Kind;

/// The step of work somebody is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Finds out what is known before anything is planned; asks at the start and when the direction changes.
    Researcher,
    /// Decides how it will be done; asks at discretion.
    Planner,
    /// Looks for the cause of an error; asks at discretion.
    Debugger,
    /// Carries a plan out; asks only when something deviates from it.
    Executor,
}

impl Role {
    /// Every role.
    pub const ALL: [Role; 4] = [Role::Researcher, Role::Planner, Role::Debugger, Role::Executor];

    /// Returns its name.
    pub const fn word(self) -> &'static str {
        match self {
            Role::Researcher => "researcher",
            Role::Planner => "planner",
            Role::Debugger => "debugger",
            Role::Executor => "executor",
        }
    }

    /// Returns the kinds it is shown, the most important first.
    pub const fn kinds(self) -> &'static [Kind] {
        match self {
            Role::Researcher => &[
                Kind::Spike,
                Kind::Lesson,
                Kind::Decision,
                Kind::Limitation,
                Kind::Architecture,
                Kind::Fact,
                Kind::Pattern,
                Kind::Resolution,
            ],
            Role::Planner => &[
                Kind::Lesson,
                Kind::Decision,
                Kind::Preference,
                Kind::Architecture,
                Kind::Pattern,
                Kind::Limitation,
            ],
            Role::Debugger => &[
                Kind::Lesson,
                Kind::Spike,
                Kind::Resolution,
                Kind::Limitation,
                Kind::Pattern,
                Kind::Fact,
                Kind::Decision,
            ],
            Role::Executor => &[Kind::Lesson, Kind::Resolution, Kind::Limitation, Kind::Pattern],
        }
    }

    /// Returns what it may cost, in tokens.
    pub const fn budget(self) -> usize {
        match self {
            Role::Executor => 200,
            _ => 500,
        }
    }

    /// Tells whether it asks only about something that went wrong.
    pub const fn needs_an_error(self) -> bool {
        matches!(self, Role::Executor)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// The word is no role.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a role")]
pub struct UnknownRole(String);

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(text: &str) -> Result<Role, UnknownRole> {
        let found = Role::ALL.into_iter().find(|role| role.word() == text.trim().to_ascii_lowercase());
        found.ok_or_else(|| UnknownRole(text.to_owned()))
    }
}
