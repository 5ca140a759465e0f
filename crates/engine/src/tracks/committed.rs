//! Work that first shows when an agent commits it, because no hook of the agent tells of it.

use std::path::Path;

use jiff::{SignedDuration, Timestamp};
use lore_ground::gate::Enforce;
use lore_ground::git::ask_git;
use lore_ground::track::Track;

use super::hooked::RECENT;
use super::keep::{COMMITS, of_session};
use super::touched;
use crate::asker::Asker;
use crate::{Engine, Error};

/// Stands on the record of a track whose work git has taken: one check is good for one commit.
const COMMITTED: &str = "committed";
/// For so long a commit may be on its way that an agent's hook let through: a person may be asked before it is made.
const EXPECTED: SignedDuration = SignedDuration::from_hours(1);
/// How git begins the message of a commit that only brings others together.
const MERGES: [&str; 5] =
    ["Merge branch '", "Merge remote-tracking branch '", "Merge tag '", "Merge commit '", "Merge branches '"];

impl Engine {
    /// Begins a track with the message of a commit that an agent makes, where nothing told of the work before.
    ///
    /// A person's commit begins none: the gate is there for what agents do.
    pub fn begin_with_commit(&self, message: &str) -> Result<Option<Track>, Error> {
        let message = said(message);
        let is_merge = MERGES.iter().any(|merge| message.starts_with(merge));
        let is_agents = matches!(self.asker, Asker::Agent { .. });
        if self.enforce() == Enforce::Off || !is_agents {
            return Ok(None);
        }
        // Both are used up by the commit, whatever else lets it through.
        let is_told = self.was_told_of()?;
        if message.is_empty() || is_merge || !self.under_way().is_empty() || self.is_of_the_base() {
            return Ok(None);
        }
        if self.is_checked_already()? || is_told {
            return Ok(None);
        }
        self.begin_track(&self.own_session(), &message, self.mode()).map(Some)
    }

    /// Takes note of commits that an agent's hook let through, so that git does not ask about them a second time.
    pub(crate) fn expect_commits(&self, session: &str, count: usize) -> Result<(), Error> {
        if self.enforce() == Enforce::Off || count == 0 {
            return Ok(());
        }
        // Whose it is stands above it, so that it goes when the session is forgotten.
        let note = format!("{session}\n{count}\n{}", self.world.now);
        Ok(self.store.shared().write_text(&of_session(COMMITS, session), &note)?)
    }

    /// Tells whether an agent's hook let the commit through that is being made; each is told of once.
    fn was_told_of(&self) -> Result<bool, Error> {
        let own = self.own_session();
        let shared = self.store.shared();
        let files = std::fs::read_dir(shared.folder().join(COMMITS));
        for file in files.into_iter().flatten().flatten() {
            let text = std::fs::read_to_string(file.path()).unwrap_or_default();
            let mut lines = text.lines();
            let session = lines.next().unwrap_or_default();
            let count: usize = lines.next().and_then(|count| count.parse().ok()).unwrap_or(0);
            let at: Option<Timestamp> = lines.next().and_then(|at| at.parse().ok());
            let is_recent = at.is_some_and(|at| self.world.now.duration_since(at) <= EXPECTED);
            // Where the shell does not say which session it is, any of the agent's may be.
            let is_own = session == own || own.ends_with('/') && session.starts_with(&own);
            if count == 0 || !is_recent || !is_own {
                continue;
            }
            let left = format!("{session}\n{}\n{}", count - 1, at.unwrap_or_default());
            shared.write_text(&of_session(COMMITS, session), &left)?;
            return Ok(true);
        }
        Ok(false)
    }

    /// Tells whether nothing but the base is committed: what is written down changes nothing in the project.
    fn is_of_the_base(&self) -> bool {
        let real = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        // Git runs its hooks at the top of the worktree.
        let (top, base) = (real(&self.world.directory), real(self.root()));
        let staged = ask_git(&top, &["diff", "--cached", "--name-only", "--no-renames", "-z"]);
        let staged = staged.unwrap_or_default();
        let mut files = staged.split('\0').filter(|file| !file.is_empty()).peekable();
        files.peek().is_some() && files.all(|file| top.join(file).starts_with(&base))
    }

    /// Tells whether a track that went through all its gates is what is being committed, and notes that it was.
    fn is_checked_already(&self) -> Result<bool, Error> {
        let own = self.own_session();
        let is_it = |track: &Track| {
            let is_own = track.session.is_empty() || track.session == own;
            let is_recent = self.world.now.duration_since(touched(track)) <= RECENT;
            track.is_complete() && is_own && is_recent && !track.record.iter().any(|line| line == COMMITTED)
        };
        let Some(mut track) = self.kept_tracks().into_iter().find(is_it) else { return Ok(false) };
        track.record.push(COMMITTED.to_owned());
        self.keep_track(&track)?;
        Ok(true)
    }
}

/// Returns what somebody said in a message, without what git wrote below it.
fn said(message: &str) -> String {
    let own = message.lines().take_while(|line| !line.contains(">8 ---"));
    own.filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_somebody_said_is_read_of_a_message() {
        let check = |message: &str, expected: &str| assert_eq!(said(message), expected, "{message}");
        check("Use Redis\n\nIt is fast.\n# On branch main\n", "Use Redis\n\nIt is fast.");
        check("Use Redis\n# ------------------------ >8 ------------------------\n+x\n", "Use Redis");
        check("# nothing\n\n", "");
    }
}
