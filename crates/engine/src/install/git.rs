//! The merge driver: git merges entries by meaning, in this repository.
//!
//! A driver is a program, so a clone cannot bring it: it stands in the settings of the repository on
//! this machine and is put there only when somebody asks for it.

use lore_ground::git::ask_git;
use lore_store::git::{Git, GitError};
use lore_store::{CommitOptions, Owner};

use super::{Done, FileChange, InstallOptions, InstallReport};
use crate::{Engine, Error, World};

const NAME: &str = "merge.lorekeep.name";
const DRIVER: &str = "merge.lorekeep.driver";
const TITLE: &str = "Lorekeep: entries by meaning";

/// Returns the command that git runs. Without us, or where we fail, git merges as it always does.
fn command(program: &str) -> String {
    let program = format!("'{}'", program.replace('\'', r"'\''"));
    let plain = "git merge-file -L ours -L base -L theirs %A %O %B";
    format!(
        "if command -v {program} >/dev/null 2>&1; then {program} merge-driver %O %A %B %P; s=$?; \
         [ $s -le 1 ] && exit $s; fi; {plain}"
    )
}

/// Registers the merge driver, or takes it out; taking it out needs no base.
pub(super) fn wire(
    world: &World,
    options: &InstallOptions,
    driver: Option<&str>,
) -> Result<InstallReport, Error> {
    let engine = match driver {
        Some(_) => Some(Engine::open(world.clone())?),
        None => None,
    };
    let around = Git::discover(&world.directory);
    let git = engine.as_ref().and_then(|engine| engine.store.git()).or(around.as_ref());
    let git = git.ok_or_else(|| {
        Error::request("this base is not in a git repository", "run `git init` first, or do without")
    })?;
    let wanted = driver.map(command);
    let now = git.local_setting(DRIVER);
    let lines = |driver: &Option<String>| {
        driver.as_ref().map(|driver| format!("{NAME} = {TITLE}\n{DRIVER} = {driver}\n"))
    };
    // The file is git's own and was there before.
    let done = if now == wanted { Done::Unchanged } else { Done::Changed };
    if !options.dry_run && done != Done::Unchanged {
        write(git, wanted.as_deref()).map_err(refused)?;
    }
    if let (false, Some(engine)) = (options.dry_run, &engine) {
        let mut transaction = engine.store.begin(&Owner::machine("install"), world.now)?;
        transaction.bring_attributes();
        transaction.commit(&CommitOptions::default())?;
    }
    let path = git.common().join("config");
    let (before, after) = (lines(&now), lines(&wanted));
    let file = FileChange { path, done, before, after, backup: None, needed_by: Vec::new() };
    let note = match (&wanted, options.dry_run) {
        (Some(_), false) => {
            "git now merges entries of this base by meaning; `lore uninstall git` takes that back"
        }
        (Some(_), true) => "git would merge entries of this base by meaning",
        (None, false) => "git merges entries of this base as plain text again",
        (None, true) => "git would merge entries of this base as plain text again",
    };
    Ok(InstallReport {
        agent: options.agent.clone(),
        whose: options.whose,
        files: vec![file],
        dry_run: options.dry_run,
        trust: None,
        notes: vec![note.to_owned()],
    })
}

impl Engine {
    /// Tells whether git is told to have entries merged by us, and not how.
    pub(crate) fn lacks_merge_driver(&self) -> bool {
        let Some(git) = self.store.git().filter(|_| !self.is_personal()) else { return false };
        git.local_setting(DRIVER).is_none() && ask_git(self.project(), &["config", "--get", DRIVER]).is_none()
    }

    /// Registers the merge driver where the base lies in a repository; tells whether it does.
    pub(crate) fn register_merge_driver(&self, program: &str) -> bool {
        self.store.git().is_some_and(|git| {
            write(git, Some(&command(program)))
                .inspect_err(|error| tracing::warn!(%error, "no merge driver"))
                .is_ok()
        })
    }
}

fn write(git: &Git, driver: Option<&str>) -> Result<(), GitError> {
    git.set_local_setting(NAME, driver.map(|_| TITLE))?;
    git.set_local_setting(DRIVER, driver)
}

fn refused(error: GitError) -> Error {
    Error::request(
        format!("git's settings could not be changed: {error}"),
        "look at `git config --local --list`",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_with_quotes_stays_one_word() {
        let line = command("/home/o'neil/bin/lore");
        assert!(line.contains(r"'/home/o'\''neil/bin/lore' merge-driver %O %A %B %P"), "{line}");
        assert!(line.ends_with("git merge-file -L ours -L base -L theirs %A %O %B"), "{line}");
    }
}
