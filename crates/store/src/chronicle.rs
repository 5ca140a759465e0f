//! What git tells of a base: which commit did what to which entries, and which commits hold some words.

use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::git::{Git, GitError};
use crate::layout;

/// So many commits are told at most.
const COMMITS: &str = "--max-count=1000";
/// Opens the line of a commit; no file name begins with it.
const OPENS: char = '\u{1}';

/// One commit with what it did to entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chapter {
    /// Full id.
    pub id: String,
    /// Who wrote it.
    pub author: String,
    /// When.
    pub at: Timestamp,
    /// Its first line.
    pub subject: String,
    /// Entries it touched, relative to the base, each with git's letter for what it did.
    pub files: Vec<(char, String)>,
}

impl Git {
    /// Returns the name under which the user commits.
    pub fn user_name(&self) -> Option<String> {
        let name = self.ask(&["config", "user.name"]).ok()?.trim().to_owned();
        Some(name).filter(|name| !name.is_empty())
    }

    /// Lists the commits that touched entries of a base, newest first; merges add nothing of their own.
    pub fn chronicle(&self, base: &Path) -> Result<Vec<Chapter>, GitError> {
        let format = format!("--format={OPENS}%H%x09%an%x09%at%x09%s");
        let folder = base.to_string_lossy();
        let arguments = [
            "-c",
            "core.quotePath=false",
            "log",
            "--no-merges",
            "--no-renames",
            "--name-status",
            COMMITS,
            &format,
            "--",
            &folder,
        ];
        let text = self.ask(&arguments)?;
        let inside = self.inside(base);
        let mut chapters: Vec<Chapter> = Vec::new();
        for line in text.lines().filter(|line| !line.is_empty()) {
            match line.strip_prefix(OPENS) {
                Some(head) => chapters.extend(chapter(head)),
                None => {
                    let entry = line.split_once('\t').and_then(|(sign, path)| {
                        let path = Path::new(path).strip_prefix(&inside).ok()?.to_string_lossy().into_owned();
                        Some((sign.chars().next()?, path))
                    });
                    let entry = entry.filter(|(_, path)| layout::is_entry(path));
                    if let Some(last) = chapters.last_mut() {
                        last.files.extend(entry);
                    }
                }
            }
        }
        Ok(chapters)
    }

    /// Lists the commits of all branches whose changes hold words, as `commit` and `file`; the expression
    /// is an extended one, without regard to case.
    pub fn commits_with(&self, expression: &str) -> Result<Vec<(String, String)>, GitError> {
        let pattern = format!("-G{expression}");
        let format = format!("--format={OPENS}%h");
        let arguments = [
            "-c",
            "core.quotePath=false",
            "log",
            "--all",
            "--regexp-ignore-case",
            "--extended-regexp",
            "--no-renames",
            "--name-only",
            &format,
            &pattern,
        ];
        let text = self.ask(&arguments)?;
        let mut commit = String::new();
        let mut found = Vec::new();
        for line in text.lines().filter(|line| !line.is_empty()) {
            match line.strip_prefix(OPENS) {
                Some(id) => id.clone_into(&mut commit),
                None => found.push((commit.clone(), line.to_owned())),
            }
        }
        Ok(found)
    }

    /// Returns where a folder lies in the repository.
    fn inside(&self, folder: &Path) -> PathBuf {
        let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let (top, folder) = (real(self.top()), real(folder));
        folder.strip_prefix(&top).map(Path::to_owned).unwrap_or_default()
    }
}

fn chapter(head: &str) -> Option<Chapter> {
    let mut fields = head.splitn(4, '\t');
    let (id, author, at) = (fields.next()?, fields.next()?, fields.next()?);
    Some(Chapter {
        id: id.to_owned(),
        author: author.to_owned(),
        at: Timestamp::from_second(at.parse().ok()?).ok()?,
        subject: fields.next().unwrap_or_default().to_owned(),
        files: Vec::new(),
    })
}
