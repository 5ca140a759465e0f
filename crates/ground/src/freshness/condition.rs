//! What a condition says, once it is read.

use super::Ecosystem;
use super::version::Comparator;

/// A condition that knowledge rests on.
#[derive(Debug, Clone, PartialEq)]
pub enum Condition {
    /// All must hold.
    All(Vec<Condition>),
    /// One is enough.
    Any(Vec<Condition>),
    /// The opposite.
    Not(Box<Condition>),
    /// Something that can be looked up.
    Fact(Fact),
    /// Words for people; nothing can be looked up.
    Free(String),
    /// More parentheses within each other than are followed.
    TooDeep,
}

/// Something that can be looked up.
#[derive(Debug, Clone, PartialEq)]
pub enum Fact {
    /// A package is used, in one of these versions where any are named.
    Package {
        /// Only this ecosystem, where named.
        ecosystem: Option<Ecosystem>,
        /// Its name.
        name: String,
        /// What its version must satisfy.
        comparators: Vec<Comparator>,
    },
    /// A language or tool is pinned to one of these versions.
    Runtime {
        /// `node`, `python`, `rust`, …
        name: &'static str,
        /// What its version must satisfy.
        comparators: Vec<Comparator>,
    },
    /// Something about a path.
    File {
        /// Path or glob, relative to the project.
        path: String,
        /// What must be so.
        test: FileTest,
    },
    /// A name is defined in a file, or anywhere.
    Symbol {
        /// The name.
        name: String,
        /// The file, folder or glob.
        path: Option<String>,
    },
    /// A value in a settings file.
    Setting {
        /// The file.
        path: String,
        /// Dotted key.
        key: String,
        /// Whether it must or must not have the value.
        equal: bool,
        /// The value; only its presence is asked for where there is none.
        value: Option<String>,
    },
    /// A branch exists.
    Branch(String),
    /// The work tree is on this branch.
    OnBranch(String),
    /// A tag exists.
    Tag(String),
    /// A path was not changed after a day or a commit.
    Unchanged {
        /// The path.
        path: String,
        /// `2026-01-31` or a commit.
        since: String,
    },
    /// The repository holds several packages.
    Monorepo,
}

/// What must be so about a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FileTest {
    /// Something is there.
    Exists,
    /// A file is there.
    IsFile,
    /// A folder is there.
    IsFolder,
    /// The text holds these words.
    Contains(String),
    /// The text matches this regular expression.
    Matches(String),
}
