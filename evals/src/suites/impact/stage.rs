//! A clone of a public repository, checked out as it was before a change.

use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::process::Command;

use tempfile::TempDir;

use crate::context::{Context, Failure};

pub(super) struct Stage {
    pub(super) repo: String,
    scratch: TempDir,
    root: PathBuf,
    first: RefCell<Option<String>>,
}

impl Stage {
    /// Clones a repository that lies beside the data; nothing where it is not there.
    pub(super) fn open(context: &Context, repo: &str) -> Result<Option<Stage>, Failure> {
        let Some(repos) = &context.repos else { return Err("give --repos DIR with bare clones".into()) };
        let source = repos.join(repo.replace('/', "+")).join("repo");
        if !source.is_dir() {
            return Ok(None);
        }
        let scratch = TempDir::with_prefix("lore-impact-")?;
        let root = scratch.path().join("work");
        let stage = Stage { repo: repo.to_owned(), scratch, root, first: RefCell::default() };
        let source = source.canonicalize()?;
        let mut clone = Command::new("git");
        clone.args(["clone", "--quiet", "--shared", "--no-checkout"]).arg(source).arg(stage.root());
        run(clone)?;
        Ok(Some(stage))
    }

    pub(super) fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn kept(&self) -> PathBuf {
        self.scratch.path().join("kept")
    }

    /// Puts the files of a commit in place. Snapshots may lack their largest files; the others are enough.
    pub(super) fn check_out(&self, commit: &str) -> Result<(), Failure> {
        self.first.borrow_mut().get_or_insert_with(|| commit.to_owned());
        run(self.git(&["update-ref", "--no-deref", "HEAD", commit]))?;
        run(self.git(&["read-tree", commit]))?;
        let _ = run(self.git(&["checkout-index", "--all", "--force", "--quiet"]));
        run(self.git(&["clean", "-fdxq"]))
    }

    fn git(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new("git");
        command.arg("-C").arg(&self.root).args(arguments);
        command
    }

    /// Tells whether this commit was the first that was checked out.
    pub(super) fn is_first(&self, commit: &str) -> bool {
        self.first.borrow().as_deref() == Some(commit)
    }
}

fn run(mut command: Command) -> Result<(), Failure> {
    let output = command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_LFS_SKIP_SMUDGE", "1").output()?;
    if output.status.success() {
        Ok(())
    } else {
        Err(String::from_utf8_lossy(&output.stderr).into_owned().into())
    }
}
