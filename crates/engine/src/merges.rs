//! What comes in with a merge, a pull or a rebase: lines of history that met are compared once.
//!
//! Nothing has to be installed for this. Each command that writes looks whether git has moved since
//! the last one, and compares what the lines of history that met brought against each other.

use std::path::Path;

use lore_core::{Article, Diagnostic, Entry, EntryId, Level};
use lore_distill::curate::{Newcomer, meet};
use lore_store::git::{Git, Unmerged};
use lore_store::{CommitOptions, Owner, Transaction, format};

pub use lore_store::merge::{Called, Driven};

use crate::curate::known_in;
use crate::{Engine, Error};

/// The commit up to which everything was compared; derived, because comparing twice changes nothing.
const COMPARED: &str = "cache/compared";

/// The tree of git that holds nothing: what a repository without a commit begins with.
const NOTHING: &str = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/// The state of git's index in which nothing of the base was undecided.
const DECIDED: &str = "cache/decided";

/// Name of the diagnostic of a file in which a merge is undecided.
pub(crate) const CONFLICT: &str = "merge-conflict";

/// Two lines of history and where they parted.
struct Meeting {
    parted: String,
    one: String,
    other: String,
}

impl Engine {
    /// Begins a transaction on our own behalf.
    pub(crate) fn begin_as_machine(&self, what: &str) -> Result<Transaction<'_>, Error> {
        self.refuse_in_doubt()?;
        self.refuse_undecided()?;
        Ok(self.store.begin(&Owner::machine(what), self.world.now)?)
    }

    /// Refuses to write while git waits for a decision about files of the base.
    pub(crate) fn refuse_undecided(&self) -> Result<(), Error> {
        match self.undecided().first() {
            None => Ok(()),
            Some(first) => Err(Error::request(
                format!("a merge is not finished: `{}` is undecided", first.path),
                "`lore check --fix` merges what both sides say; then commit",
            )),
        }
    }

    /// Lists files of the base that a merge left undecided, relative to the base.
    pub(crate) fn undecided(&self) -> Vec<Unmerged> {
        let Some((git, prefix)) = self.inside_git() else { return Vec::new() };
        // Git reads its whole index to answer, which in a large repository takes longer than the write.
        let (state, work) = (git.index_state(), self.store.work());
        let known = || std::fs::read_to_string(work.folder().join(DECIDED)).ok();
        if state.is_some() && known() == state {
            return Vec::new();
        }
        let Ok(files) = git.unmerged(self.store.root()) else { return Vec::new() };
        if let (true, Some(state)) = (files.is_empty(), state) {
            // It is asked again where this cannot be written.
            let _ = work.write(DECIDED, state.as_bytes());
        }
        let inside = |mut file: Unmerged| {
            file.path = file.path.strip_prefix(&prefix)?.to_owned();
            Some(file)
        };
        files.into_iter().filter_map(inside).collect()
    }

    /// Says of each undecided file that it is.
    pub(crate) fn undecided_files(&self) -> Vec<Diagnostic> {
        let found = self.undecided().into_iter().map(|file| {
            let message = match (&file.ours, &file.theirs) {
                (Some(_), Some(_)) => "both sides of a merge changed it, and git could not decide",
                _ => "one side of a merge removed it, the other changed it",
            };
            Diagnostic::new(Level::Error, CONFLICT, file.path, message)
                .with_hint("`lore check --fix` merges what both sides say")
        });
        found.collect()
    }

    /// Compares what a merge brings that waits to be committed; returns the files that changed.
    pub(crate) fn settle_waiting(&self) -> Result<Vec<String>, Error> {
        let Some((git, prefix)) = self.inside_git() else { return Ok(Vec::new()) };
        let (Some(one), Some(other)) = (git.revision(), git.merging()) else { return Ok(Vec::new()) };
        let Some(parted) = git.merge_base(&one, &other) else { return Ok(Vec::new()) };
        self.compare_lines(git, &prefix, &Meeting { parted, one, other })
    }

    /// Compares what came together since the last write. What was written before stands in any case: where
    /// this cannot be done now, the next write does it.
    pub(crate) fn settle_merges(&self, wrote: &[String]) {
        self.note_own(wrote);
        if let Err(error) = self.compare_merged() {
            tracing::warn!(%error, "what a merge brought is left for the next write");
        }
    }

    fn compare_merged(&self) -> Result<(), Error> {
        let Some((git, prefix)) = self.inside_git() else { return Ok(()) };
        // Whatever is committed first is new then.
        let head = git.revision().unwrap_or_else(|| NOTHING.to_owned());
        let kept = self.store.work().path(COMPARED).ok().and_then(|path| std::fs::read_to_string(path).ok());
        let last = kept.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        if last.as_deref() == Some(&head) {
            return Ok(());
        }
        let goes_on = last.as_deref().filter(|last| *last == NOTHING || git.has_ancestor(&head, last));
        let begun = last.as_deref().filter(|last| *last != NOTHING);
        for meeting in meetings(git, begun, &head, goes_on.is_some()) {
            self.compare_lines(git, &prefix, &meeting)?;
        }
        if let Some(last) = goes_on {
            self.compare_arrived(git, &prefix, (last, &head))?;
        }
        // A commit of ours may have moved it again; that brings nothing from elsewhere.
        let now = git.revision().unwrap_or(head);
        Ok(self.store.work().write(COMPARED, now.as_bytes())?)
    }

    fn compare_lines(&self, git: &Git, prefix: &str, meeting: &Meeting) -> Result<Vec<String>, Error> {
        let root = self.store.root();
        let one = brought(git, root, prefix, &meeting.parted, &meeting.one);
        let mut other = brought(git, root, prefix, &meeting.parted, &meeting.other);
        other.retain(|claim| !one.contains(claim));
        let mut transaction = self.store.begin(&Owner::machine("merge"), self.world.now)?;
        // What a person committed undecided is theirs to decide.
        transaction.join()?;
        let mut ids: Vec<&EntryId> = one.iter().chain(&other).map(|claim| &claim.entry).collect();
        ids.sort();
        ids.dedup();
        let entries: Vec<_> = ids
            .into_iter()
            .filter_map(|id| transaction.get(id.as_str()).ok())
            .map(|stored| stored.entry)
            .collect();
        let changed = known_in(self.store.work(), &transaction, |known| meet(entries, &one, &other, known));
        self.mark_compared(transaction, changed)
    }

    /// Writes what a comparison found, as far as it may be written; returns the files that changed.
    pub(crate) fn mark_compared(
        &self,
        mut transaction: Transaction<'_>,
        changed: Vec<Entry>,
    ) -> Result<Vec<String>, Error> {
        for entry in changed {
            let version = transaction.get(entry.id.as_str())?.version;
            if let Err(refused) = transaction.replace(entry, version) {
                tracing::warn!(%refused, "a contradiction could not be marked");
            }
        }
        let message = "knowledge: compare what was merged".to_owned();
        let git = self.settings.git.commit.then_some(message);
        let files = transaction.commit(&CommitOptions { git, ..CommitOptions::default() })?.files;
        self.note_own(&files);
        Ok(files)
    }

    /// Tells git that files of the base are decided.
    pub(crate) fn mark_decided<'p>(&self, paths: impl IntoIterator<Item = &'p String>) {
        let full: Vec<_> = paths.into_iter().map(|path| self.store.root().join(path)).collect();
        if let Some(git) = self.store.git()
            && let Err(error) = git.stage(&full)
        {
            tracing::warn!(%error, "git could not be told that the merge is decided");
        }
    }

    /// Returns the repository and where the base lies in it.
    fn inside_git(&self) -> Option<(&Git, String)> {
        let git = self.store.git()?;
        let top = std::fs::canonicalize(git.top()).unwrap_or_else(|_| git.top().to_owned());
        let inside = self.store.root().strip_prefix(&top).ok()?.to_string_lossy().replace('\\', "/");
        Some((git, if inside.is_empty() { inside } else { format!("{inside}/") }))
    }
}

/// Merges one file for git, which says where it lies.
pub fn drive(top: &Path, called: &Called) -> Result<Driven, Error> {
    lore_store::merge::drive(top, called).map_err(|source| Error::File {
        doing: "merge",
        path: top.join(&called.path),
        source,
    })
}

/// Lists the lines of history that met since a commit, which the present one goes on from or not.
fn meetings(git: &Git, last: Option<&str>, head: &str, goes_on: bool) -> Vec<Meeting> {
    let mut found = Vec::new();
    let mut add = |one: &str, other: &str| {
        let parted = git.merge_base(one, other);
        found.extend(parted.map(|parted| Meeting { parted, one: one.to_owned(), other: other.to_owned() }));
    };
    match last {
        // Rebased, or another branch: what was here before meets what is here now.
        Some(last) if !goes_on => add(last, head),
        last => {
            for (one, other) in git.merges(last, head).unwrap_or_default() {
                add(&one, &other);
            }
        }
    }
    found
}

/// Lists the claims that a line of history brought.
fn brought(git: &Git, root: &Path, prefix: &str, from: &str, to: &str) -> Vec<Newcomer> {
    let paths = git.changed_between(from, to, root).unwrap_or_default();
    let paths: Vec<String> = paths.into_iter().filter(|path| path.ends_with(".md")).collect();
    let before = git.files_at(from, &paths).unwrap_or_default();
    let after = git.files_at(to, &paths).unwrap_or_default();
    let mut found: Vec<Newcomer> = Vec::new();
    for ((path, before), after) in paths.iter().zip(&before).zip(&after) {
        let old = claims_in(path, prefix, before);
        found.extend(claims_in(path, prefix, after).into_iter().filter(|claim| !old.contains(claim)));
    }
    found.sort();
    found
}

/// Lists the claims of an entry's file, by its path from the top of the repository.
pub(crate) fn claims_in(path: &str, prefix: &str, bytes: &[u8]) -> Vec<Newcomer> {
    let inside = path.strip_prefix(prefix).unwrap_or(path);
    let entry = if bytes.is_empty() { None } else { format::read(inside, bytes).entry };
    let of = |entry: Entry| -> Vec<Newcomer> {
        let article = Article::parse(&entry.body);
        let newcomer = |text: &String| Newcomer { entry: entry.id.clone(), text: text.clone() };
        article.current().map(|claim| newcomer(&claim.text)).collect()
    };
    entry.map(of).unwrap_or_default()
}
