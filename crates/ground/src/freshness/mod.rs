//! Is it still true? Conditions against lock files, manifests, files, symbols and git.
//!
//! ```
//! use lore_ground::freshness::{Project, Truth, evaluate};
//!
//! # let folder = tempfile::tempdir()?;
//! # std::fs::write(folder.path().join("package.json"), r#"{"dependencies":{"prisma":"^5.1.0"}}"#)?;
//! let project = Project::new(folder.path());
//! let verdict = evaluate("prisma >= 4.0 AND NOT monorepo", &project);
//! assert_eq!(verdict.truth, Truth::Holds);
//! # Ok::<(), std::io::Error>(())
//! ```

mod condition;
mod evaluate;
mod files;
mod git;
mod language;
mod packages;
mod project;
mod runtime;
mod setting;
mod symbol;
mod truth;
mod version;

pub use condition::{Condition, Fact, FileTest};
pub use evaluate::evaluate;
pub use language::parse;
pub use packages::Ecosystem;
pub use project::Project;
pub use truth::{Truth, Verdict};
