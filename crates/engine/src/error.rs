//! What can go wrong in a use case, sorted by blame.

use std::io::ErrorKind;
use std::path::PathBuf;

use lore_store::derived::DerivedError;
use lore_store::git::GitError;
use lore_store::{
    BeginError, CommitError, GetError, ListError, LockError, OpenError, ReadError, Refused, ResolveError,
};

/// Who can do something about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Blame {
    /// The request or the configuration.
    User,
    /// The disk, git, an editor, another process.
    Environment,
    /// Ourselves.
    Bug,
}

/// A use case that could not be carried out.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no base here.
    #[error("there is no knowledge base here or above `{}`", .0.display())]
    NoBase(PathBuf),
    /// The user has no base of their own yet.
    #[error("there is no personal knowledge base at `{}`", .0.display())]
    NoPersonalBase(PathBuf),
    /// There is one already.
    #[error("there is a knowledge base at `{}` already", .0.display())]
    BaseExists(PathBuf),
    /// Neither a home folder nor a data folder is known.
    #[error("cannot tell where personal data belong: HOME is not set")]
    NoHome,
    /// A word is not a kind of entry.
    #[error(transparent)]
    Kind(#[from] lore_core::UnknownKind),
    /// A word is not a date.
    #[error(transparent)]
    Moment(#[from] lore_core::NotAMoment),
    /// A word is not a time to look back to.
    #[error(transparent)]
    Since(#[from] lore_core::NotInThePast),
    /// The request makes no sense as it stands.
    #[error("{sentence}")]
    Request {
        /// What is the matter.
        sentence: String,
        /// What would be right.
        hint: String,
    },
    /// A reference leads nowhere.
    #[error("nothing is called `{name}`{}", looked_for(.tried))]
    NothingCalled {
        /// The reference.
        name: String,
        /// What it was tried as.
        tried: Vec<&'static str>,
        /// Entries that may have been meant.
        near: Vec<String>,
    },
    /// No session has this id.
    #[error("no session is called `{0}`")]
    NoSession(String),
    /// A name does not lead to one entry.
    #[error(transparent)]
    Resolve(#[from] ResolveError),
    /// The settings cannot be used.
    #[error(transparent)]
    Config(#[from] crate::config::ConfigError),
    /// The current folder cannot be told.
    #[error(transparent)]
    NoDirectory(#[from] crate::env::NoDirectory),
    /// The base cannot be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// The base cannot be listed.
    #[error(transparent)]
    List(#[from] ListError),
    /// An entry cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Nobody may write now.
    #[error(transparent)]
    Begin(#[from] BeginError),
    /// The store refuses the change.
    #[error(transparent)]
    Refused(#[from] Refused),
    /// The change did not happen.
    #[error(transparent)]
    Commit(#[from] CommitError),
    /// The change happened, but git made no commit of it.
    #[error("the knowledge is written, but git made no commit of it")]
    NotCommitted(#[source] GitError),
    /// A file outside the base cannot be read or written.
    #[error("cannot {doing} `{}`", path.display())]
    File {
        /// What was tried.
        doing: &'static str,
        /// On which file.
        path: PathBuf,
        /// Why it failed.
        source: std::io::Error,
    },
    /// Another tool's store cannot be read.
    #[error(transparent)]
    Import(#[from] lore_store::import::ImportError),
    /// A transcript cannot be read.
    #[error(transparent)]
    Capture(#[from] lore_capture::ReadError),
    /// Whoever asked does not wait any more.
    #[error("it was called off")]
    CalledOff,
    /// We ended where we should not have.
    #[error("it ended in a panic")]
    Panicked,
    /// There is no index to answer from, and no time to build one.
    #[error("the index is not built yet")]
    NotBuilt,
    /// The index cannot be opened.
    #[error(transparent)]
    IndexOpen(#[from] lore_surface::OpenError),
    /// The index cannot be written.
    #[error(transparent)]
    IndexWrite(#[from] lore_surface::WriteError),
    /// The index cannot be searched.
    #[error(transparent)]
    IndexSearch(#[from] lore_surface::SearchError),
    /// A sentence model cannot be used.
    #[error(transparent)]
    Model(#[from] lore_surface::ModelError),
    /// A pattern of the user is not a regular expression.
    #[error(transparent)]
    Pattern(#[from] lore_core::redact::PatternError),
    /// Something that can be made again cannot be written.
    #[error(transparent)]
    Derived(#[from] lore_store::derived::DerivedError),
}

fn looked_for(tried: &[&str]) -> String {
    match tried {
        [] => String::new(),
        [one] => format!(": there is no such {one}"),
        [first @ .., last] => format!(": there is no such {} or {last}", first.join(", ")),
    }
}

impl From<GetError> for Error {
    fn from(error: GetError) -> Error {
        match error {
            GetError::List(error) => Error::List(error),
            GetError::Resolve(error) => Error::Resolve(error),
            GetError::Read(error) => Error::Read(error),
        }
    }
}

impl Error {
    /// Makes a refusal of a request, with what would be right.
    pub fn request(sentence: impl Into<String>, hint: impl Into<String>) -> Error {
        Error::Request { sentence: sentence.into(), hint: hint.into() }
    }

    /// Returns who can do something about it.
    pub fn blame(&self) -> Blame {
        match self {
            Error::NoBase(_)
            | Error::NoPersonalBase(_)
            | Error::BaseExists(_)
            | Error::NoHome
            | Error::Kind(_)
            | Error::Moment(_)
            | Error::Since(_)
            | Error::Request { .. }
            | Error::NothingCalled { .. }
            | Error::NoSession(_)
            | Error::Resolve(_)
            | Error::Config(_)
            | Error::Import(_)
            | Error::Pattern(_)
            | Error::Model(_)
            | Error::Refused(_) => Blame::User,
            Error::NoDirectory(_)
            | Error::Open(_)
            | Error::List(_)
            | Error::Read(_)
            | Error::Begin(_)
            | Error::Commit(_)
            | Error::NotCommitted(_)
            | Error::File { .. }
            | Error::Capture(_)
            | Error::NotBuilt
            | Error::CalledOff
            | Error::IndexOpen(_)
            | Error::IndexWrite(_)
            | Error::IndexSearch(_)
            | Error::Derived(_) => Blame::Environment,
            Error::Panicked => Blame::Bug,
        }
    }

    /// Returns the name under which no entry is known here; another base may have it.
    pub fn unknown_entry(&self) -> Option<&str> {
        match self {
            Error::Resolve(ResolveError::Unknown { name, .. }) => Some(name),
            _ => None,
        }
    }

    /// Tells whether we may not write, as in a checkout of somebody else's.
    fn is_not_allowed(&self) -> bool {
        if let Error::Derived(refused)
        | Error::Begin(BeginError::Derived(refused) | BeginError::Lock(LockError::Derived(refused))) = self
            && let DerivedError::Closed { .. } = refused
        {
            return true;
        }
        let mut next = std::error::Error::source(self);
        while let Some(cause) = next {
            if let Some(cause) = cause.downcast_ref::<std::io::Error>() {
                return matches!(cause.kind(), ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem);
            }
            next = cause.source();
        }
        false
    }

    /// Returns what to do next, each a command or an edit.
    pub fn hints(&self) -> Vec<String> {
        let hint = |text: &str| vec![text.to_owned()];
        match self {
            Error::NoBase(_) => hint("run `lore init` in your repository to make one"),
            Error::NoPersonalBase(_) => hint("run `lore init --personal` to make one"),
            Error::BaseExists(_) => hint("run `lore status` to see what is in it"),
            Error::NoHome => hint("set LORE_DATA_DIR to a folder of your own"),
            Error::Kind(_) => {
                let words: Vec<&str> = lore_core::Kind::ALL.iter().map(|kind| kind.word()).collect();
                vec![format!("the kinds are {}", words.join(", "))]
            }
            Error::Request { hint, .. } => vec![hint.clone()],
            Error::NothingCalled { near, .. } if !near.is_empty() => {
                near.iter().take(3).map(|name| format!("did you mean `{name}`?")).collect()
            }
            Error::NothingCalled { .. } => {
                hint("`lore list` shows every entry, `lore sessions` every session")
            }
            Error::NoSession(_) => hint("`lore sessions` lists them"),
            Error::Resolve(ResolveError::Unknown { near, .. }) if !near.is_empty() => {
                near.iter().map(|id| format!("did you mean `{id}`?")).collect()
            }
            Error::Resolve(ResolveError::Unknown { .. }) => hint("`lore list` shows every entry"),
            Error::Resolve(ResolveError::Ambiguous { .. }) => hint("give more of the id"),
            Error::Config(crate::config::ConfigError::InFile { key, .. }) => vec![format!(
                "`lore config set {key} VALUE --whose user` mends it, `lore config unset {key} --whose user` takes it out"
            )],
            Error::Config(
                crate::config::ConfigError::Syntax { path, .. }
                | crate::config::ConfigError::Read { path, .. },
            ) => vec![format!("mend `{}`, or remove it", path.display())],
            Error::Config(crate::config::ConfigError::UnknownKey(_)) => {
                hint("`lore config list` shows every setting")
            }
            Error::Capture(lore_capture::ReadError::Io { .. }) => {
                hint("give a folder, file or archive of sessions that exists and can be read")
            }
            Error::Import(_) => hint(
                "give the folder of a GSD store, a GitClaw state, a `.claude/knowledge` store or an OKF bundle",
            ),
            Error::Model(_) => hint("give a folder with `config.json`, `vocab.txt` and `model.safetensors`"),
            Error::Refused(Refused::Secret { .. }) => {
                hint("take the secret out; knowledge travels with the repository")
            }
            Error::Refused(Refused::Forgotten { .. }) => {
                hint("say it without them; what was forgotten is not kept again")
            }
            Error::NotCommitted(GitError::UnderWay { what }) => {
                vec![format!("end the {what}, then commit the folder of the base yourself")]
            }
            Error::NotCommitted(_) => {
                hint("put right what git says, then commit the folder of the base yourself")
            }
            Error::Refused(Refused::Protected { .. }) => hint("edit the file yourself with `lore edit`"),
            Error::Refused(Refused::Frozen { .. }) => {
                hint("say what became of it with `lore signal triage`, or add another with `lore signal add`")
            }
            Error::Refused(Refused::Move { .. }) => hint("`lore signal show` tells where it stands"),
            Error::Refused(Refused::Conflicted(_)) => hint(
                "`lore check --fix` merges what both sides say; marks that it leaves you take out in the file",
            ),
            Error::Refused(Refused::Changed { .. }) => hint("run the command again"),
            _ if self.is_not_allowed() => {
                hint("you may not write there: give yourself the right to, or do it in a clone of your own")
            }
            _ => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io;

    use super::*;

    #[test]
    fn who_may_not_write_is_told_what_to_do() {
        let check = |kind: ErrorKind, expected: usize| {
            let refused = || DerivedError::Io {
                doing: "open",
                path: "lock.queue".into(),
                source: io::Error::from(kind),
            };
            let file = Error::File { doing: "write", path: "page".into(), source: io::Error::from(kind) };
            let begin = Error::Begin(BeginError::Lock(LockError::Derived(refused())));
            for error in [Error::Derived(refused()), begin, file] {
                assert_eq!(error.hints().len(), expected, "{error}");
            }
        };
        check(ErrorKind::PermissionDenied, 1);
        check(ErrorKind::ReadOnlyFilesystem, 1);
        check(ErrorKind::StorageFull, 0);
        let closed = DerivedError::Closed { path: "lock.queue".into(), why: "another's".into() };
        assert_eq!(Error::Begin(BeginError::Lock(closed.into())).hints().len(), 1);
    }
}
