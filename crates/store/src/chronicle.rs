//! What git tells of a base: which commit did what to which entries, and which commits hold some words.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use crate::git::{Git, GitError};
use crate::{ChangeSet, Version, format, layout};

/// So many commits are told at most.
const COMMITS: &str = "--max-count=1000";
/// Of so many files at most it is read what they were called.
const ENTITLED: usize = 500;
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
    /// Entries it touched.
    pub files: Vec<Touched>,
}

/// What a commit did to one entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Touched {
    /// Git's letter for what it did.
    pub sign: char,
    /// The file, relative to the base.
    pub path: String,
    /// What the entry was called then, where [`Git::entitle`] read it.
    pub title: Option<String>,
    /// The blob that it made of it; zeroes where it removed it.
    blob: String,
    /// The blob that was there before.
    old: String,
}

impl Git {
    /// Lists the commits that touched entries of a base, newest first; merges add nothing of their own.
    pub fn chronicle(&self, base: &Path) -> Result<Vec<Chapter>, GitError> {
        let told = format!("--format={OPENS}%H%x09%an%x09%at%x09%s");
        let folder = base.to_string_lossy();
        let arguments = [
            "-c",
            "core.quotePath=false",
            "log",
            "--no-merges",
            "--no-renames",
            "--raw",
            "--no-abbrev",
            COMMITS,
            &told,
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
                    let entry = touched(line, &inside).filter(|touched| layout::is_entry(&touched.path));
                    if let Some(last) = chapters.last_mut() {
                        last.files.extend(entry);
                    }
                }
            }
        }
        Ok(chapters)
    }

    /// Leaves out of commits what these runs did: each change is told once. A commit holds a run's change
    /// where a file has the bytes that the run left, or is gone as it left it.
    pub fn without_runs(&self, chapters: &mut Vec<Chapter>, sets: &[ChangeSet]) -> Result<(), GitError> {
        let mut left: HashMap<&str, Vec<Option<Version>>> = HashMap::new();
        for file in sets.iter().flat_map(|set| &set.files) {
            left.entry(file.path.as_str()).or_default().push(file.after);
        }
        let known = |touched: &&Touched| left.contains_key(touched.path.as_str());
        let all = chapters.iter().flat_map(|chapter| &chapter.files).filter(known);
        let ids: BTreeSet<&str> =
            all.filter(|touched| touched.sign != 'D').map(|touched| touched.blob.as_str()).collect();
        let ids: Vec<&str> = ids.into_iter().collect();
        let contents = if ids.is_empty() { Vec::new() } else { self.contents(&ids)? };
        let versions: HashMap<String, Version> =
            ids.iter().zip(&contents).map(|(id, bytes)| ((*id).to_owned(), Version::of(bytes))).collect();
        for chapter in chapters.iter_mut() {
            chapter.files.retain(|touched| {
                let now = versions.get(&touched.blob).copied();
                left.get(touched.path.as_str()).is_none_or(|after| !after.contains(&now))
            });
        }
        chapters.retain(|chapter| !chapter.files.is_empty());
        Ok(())
    }

    /// Reads what the entries that commits touched were called then; of very many, those of the newest commits.
    pub fn entitle(&self, chapters: &mut [Chapter]) -> Result<(), GitError> {
        let blob = |file: &Touched| if file.sign == 'D' { file.old.clone() } else { file.blob.clone() };
        let files = || chapters.iter().flat_map(|chapter| &chapter.files).take(ENTITLED);
        let paths: BTreeMap<String, &str> = files().map(|file| (blob(file), file.path.as_str())).collect();
        let ids: Vec<&str> = paths.keys().map(String::as_str).collect();
        let contents = if ids.is_empty() { Vec::new() } else { self.contents(&ids)? };
        let titles: HashMap<String, String> = paths
            .iter()
            .zip(contents)
            .filter_map(|((id, path), bytes)| Some((id.clone(), format::read(path, &bytes).entry?.title)))
            .collect();
        for file in chapters.iter_mut().flat_map(|chapter| &mut chapter.files) {
            file.title = titles.get(&blob(file)).cloned();
        }
        Ok(())
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
    pub fn inside(&self, folder: &Path) -> PathBuf {
        let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let (top, folder) = (real(self.top()), real(folder));
        folder.strip_prefix(&top).map(Path::to_owned).unwrap_or_default()
    }
}

/// Reads `:100644 100644 <old> <new> M` and, after a tab, the path.
fn touched(line: &str, inside: &Path) -> Option<Touched> {
    let (meta, path) = line.split_once('\t')?;
    let path = Path::new(path).strip_prefix(inside).ok()?.to_string_lossy().into_owned();
    let mut fields = meta.split(' ').skip(2);
    let (old, blob) = (fields.next()?.to_owned(), fields.next()?.to_owned());
    let sign = fields.next()?.chars().next()?;
    Some(Touched { sign, path, title: None, blob, old })
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
