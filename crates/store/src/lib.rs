//! The truth: Markdown in git, and the only code that writes it.
//!
//! A [`Store`] is one knowledge base: a folder of Markdown files, one per entry, and a folder of state
//! that lies in git's own, where no clone can put anything. Readers take a [`Snapshot`]; it needs no lock and never
//! waits. Writers [`begin`](Store::begin) a [`Transaction`], which happens as a whole or not at
//! all, whatever becomes of the process.
//!
//! This crate knows nothing of search, models or agents. It never asks for the time, the
//! environment or the current folder: they are given to it. It never overwrites what a person
//! wrote, never brings back what a person deleted, and never writes what redaction would change.
//!
//! ```
//! use lore_core::{Entry, EntryId, Kind};
//! use lore_store::{CommitOptions, Owner, Scope, Store};
//!
//! # let temp = tempfile::tempdir()?;
//! let store = Store::init(&Scope::at(temp.path()))?;
//! let now: jiff::Timestamp = "2026-02-20T12:00:00Z".parse()?;
//! let mut transaction = store.begin(&Owner::machine("example"), now)?;
//! let id = EntryId::new(Kind::Decision, jiff::civil::date(2026, 2, 20), "Use PostgreSQL");
//! transaction.create(Entry::new(id, Kind::Decision, "Use PostgreSQL"))?;
//! transaction.commit(&CommitOptions::default())?;
//!
//! let snapshot = store.snapshot()?;
//! assert_eq!(snapshot.resolve("use-postgresql")?.path, "decisions/use-postgresql.md");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod apply;
mod cache;
mod change_set;
mod check;
mod chronicle;
mod commit;
mod consequences;
mod contents;
pub mod derived;
pub mod door;
mod erase;
mod file_lock;
pub mod format;
mod frozen;
pub mod git;
mod happened;
pub mod import;
mod index;
mod journal;
mod layout;
mod ledger;
mod lines;
mod lock;
mod log;
mod look;
mod manifest;
mod mend;
pub mod merge;
mod migrate;
mod owner;
mod place;
mod protect;
pub mod registry;
mod removal;
mod scope;
mod snapshot;
mod store;
mod summary;
mod take_back;
mod takeover;
mod tombstone;
mod transaction;
mod tree;
mod withheld;

pub use apply::{ApplyError, RESCUED};
#[doc(hidden)]
pub use apply::{Fault, Point};
pub use change_set::{ChangeSet, Fate, Former, Happened};
pub use check::Refused;
pub use chronicle::{Chapter, Touched};
pub use commit::{CommitError, CommitOptions, Committed, Lists};
pub use erase::{Sealed, Seals};
pub use file_lock::FileLock;
pub use layout::{KNOWLEDGE, WORK};
pub use ledger::{Curated, EditedBy, Ledger};
pub use lock::{Holder, LockError};
pub use look::{Before, Changes, Depth, Looked};
pub use mend::Mended;
pub use migrate::{FORMAT_VERSION, MigrateError};
pub use owner::{Hand, Owner};
pub use place::Linked;
pub use scope::{Location, Scope, ScopeKind};
pub use snapshot::{ReadError, ResolveError, Snapshot, Stored};
pub use store::{BeginError, GetError, OpenError, Store};
pub use summary::{Summary, Version};
pub use take_back::{NotTaken, TakenBack, WhyNot};
pub use tombstone::{Tombstone, Tombstones};
pub use transaction::{Transaction, Written};
pub use tree::ListError;
pub use withheld::CAME_BACK;
