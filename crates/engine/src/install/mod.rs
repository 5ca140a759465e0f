//! Wiring `lore` into an agent, and taking it out again without a trace.
//!
//! A settings file belongs to the user: what we add is put into its text without touching anything
//! else, the file as it was is kept, and taking us out gives back the same bytes.

mod claude_code;
mod git;
mod json_text;

use std::path::{Path, PathBuf};

use lore_core::ContentHash;
use lore_store::derived::Derived;
use serde::{Deserialize, Serialize};

use crate::{Engine, Error, World};

/// Agents we can be wired into.
pub const AGENTS: &[&str] = &["claude-code"];
/// The merge driver is wired like an agent.
const GIT: &str = "git";

/// Whose settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Whose {
    /// Everybody's who works on the project: tracked by git.
    Project,
    /// One user's, in every project.
    User,
}

/// How to wire.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InstallOptions {
    /// The agent.
    pub agent: String,
    /// Whose settings.
    pub whose: Whose,
    /// The command that starts us.
    pub program: String,
    /// Say what would change and change nothing.
    pub dry_run: bool,
}

/// What became of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FileChange {
    /// The file.
    pub path: PathBuf,
    /// What happened to it.
    pub done: Done,
    /// Its text before; nothing where there was no file.
    #[serde(skip)]
    pub before: Option<String>,
    /// Its text now; nothing where there is no file.
    #[serde(skip)]
    pub after: Option<String>,
    /// Where the file as it was is kept.
    pub backup: Option<PathBuf>,
}

/// What happened to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Done {
    /// It is new.
    Created,
    /// Something was added to it, or taken out of it.
    Changed,
    /// It is byte for byte what it was before we came.
    Restored,
    /// We made it, and it is gone again.
    Removed,
    /// There was nothing to do.
    Unchanged,
}

/// What was wired.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct InstallReport {
    /// The agent.
    pub agent: String,
    /// Whose settings.
    pub whose: Whose,
    /// The files.
    pub files: Vec<FileChange>,
    /// Whether only a rehearsal was asked for.
    pub dry_run: bool,
    /// What the user should know or do besides.
    pub notes: Vec<String>,
}

/// What we know about a file we changed.
#[derive(Debug, Serialize, Deserialize)]
struct Kept {
    path: PathBuf,
    before: Option<String>,
    /// Hash of what we left.
    left: String,
}

impl Engine {
    /// Wires us into an agent.
    pub fn install(&self, options: &InstallOptions) -> Result<InstallReport, Error> {
        if options.agent == GIT {
            return self.wire_git(options, Some(&options.program));
        }
        let plan = plan(&self.world, self.project(), options)?;
        let mut files = Vec::new();
        for file in plan.files {
            let before = read(&file.path)?;
            let after = (file.add)(before.as_deref(), &options.program)
                .map_err(|why| not_ours_to_touch(&file.path, &why))?;
            let unchanged = before.as_deref() == Some(after.as_str());
            let done = match (&before, unchanged) {
                (_, true) => Done::Unchanged,
                (None, _) => Done::Created,
                (Some(_), _) => Done::Changed,
            };
            let backup = (!unchanged).then(|| self.backup_of(&file.path));
            if !options.dry_run && !unchanged {
                self.keep_original(&file.path, before.as_deref(), &after)?;
                write(&file.path, &after)?;
            }
            files.push(FileChange { path: file.path, done, before, after: Some(after), backup });
        }
        Ok(InstallReport {
            agent: options.agent.clone(),
            whose: options.whose,
            files,
            dry_run: options.dry_run,
            notes: plan.notes,
        })
    }

    /// Takes us out again: byte for byte, or, where somebody changed the file since, just our part.
    pub fn uninstall(&self, options: &InstallOptions) -> Result<InstallReport, Error> {
        if options.agent == GIT {
            return self.wire_git(options, None);
        }
        let plan = plan(&self.world, self.project(), options)?;
        let mut files = Vec::new();
        for file in plan.files {
            let before = read(&file.path)?;
            let kept = self.kept_original(&file.path);
            let (after, done) = match (&before, &kept) {
                (Some(text), Some(kept)) if hash(text) == kept.left => match &kept.before {
                    Some(original) => (Some(original.clone()), Done::Restored),
                    None => (None, Done::Removed),
                },
                (Some(text), _) => {
                    let out = (file.take_out)(text).map_err(|why| not_ours_to_touch(&file.path, &why))?;
                    let done = if out == *text { Done::Unchanged } else { Done::Changed };
                    (Some(out), done)
                }
                (None, _) => (None, Done::Unchanged),
            };
            if !options.dry_run {
                match (&after, done) {
                    (_, Done::Unchanged) => {}
                    (Some(text), _) => write(&file.path, text)?,
                    (None, _) => remove(&file.path)?,
                }
                self.store.shared().remove(&record_name(&file.path))?;
            }
            files.push(FileChange { path: file.path, done, before, after, backup: None });
        }
        Ok(InstallReport {
            agent: options.agent.clone(),
            whose: options.whose,
            files,
            dry_run: options.dry_run,
            notes: Vec::new(),
        })
    }

    fn backup_of(&self, path: &Path) -> PathBuf {
        self.store.shared().folder().join(record_name(path))
    }

    /// Keeps the file as it was before we first touched it.
    fn keep_original(&self, path: &Path, before: Option<&str>, after: &str) -> Result<(), Error> {
        // A second installation must not take our own work for the user's.
        let earlier =
            self.kept_original(path).filter(|kept| before.is_some_and(|text| hash(text) == kept.left));
        let before = match earlier {
            Some(kept) => kept.before,
            None => before.map(str::to_owned),
        };
        let kept = Kept { path: path.to_owned(), before, left: hash(after) };
        let bytes = serde_json::to_vec_pretty(&kept).unwrap_or_default();
        Ok(self.store.shared().write(&record_name(path), &bytes)?)
    }

    fn kept_original(&self, path: &Path) -> Option<Kept> {
        serde_json::from_slice(&std::fs::read(self.backup_of(path)).ok()?).ok()
    }
}

/// A file to be changed, and how.
struct Planned {
    path: PathBuf,
    add: fn(Option<&str>, &str) -> Result<String, String>,
    take_out: fn(&str) -> Result<String, String>,
}

struct Plan {
    files: Vec<Planned>,
    notes: Vec<String>,
}

fn plan(world: &World, project: &Path, options: &InstallOptions) -> Result<Plan, Error> {
    match options.agent.as_str() {
        "claude-code" => claude_code::plan(world, project, options.whose),
        other => Err(Error::request(
            format!("cannot be wired into `{other}`"),
            format!("say `git` for the merge driver; the agents are {}", AGENTS.join(", ")),
        )),
    }
}

fn not_ours_to_touch(path: &Path, why: &str) -> Error {
    Error::request(
        format!("`{}` cannot be changed safely: {why}", path.display()),
        "mend the file, or add the hooks by hand as `docs/agents.md` shows",
    )
}

fn record_name(path: &Path) -> String {
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("file");
    let key = ContentHash::of(path.display().to_string().as_bytes()).short().to_owned();
    format!("install/{key}-{}", name.trim_start_matches('.'))
}

fn hash(text: &str) -> String {
    ContentHash::of(text.as_bytes()).as_str().to_owned()
}

fn read(path: &Path) -> Result<Option<String>, Error> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(Error::File { doing: "read", path: path.to_owned(), source }),
    }
}

/// Puts a file in place whole. A link stays a link, and permissions stay what they were.
fn write(path: &Path, text: &str) -> Result<(), Error> {
    let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let permissions = std::fs::metadata(&real).ok().map(|about| about.permissions());
    let folder = real.parent().unwrap_or(Path::new("."));
    let name = real.file_name().and_then(|name| name.to_str()).unwrap_or("settings.json");
    Derived::ordinary(folder).write(name, text.as_bytes())?;
    if let Some(permissions) = permissions {
        let failed = |source| Error::File { doing: "set the permissions of", path: real.clone(), source };
        std::fs::set_permissions(&real, permissions).map_err(failed)?;
    }
    Ok(())
}

/// Removes a file that we made, and its folder if nothing else is in it.
fn remove(path: &Path) -> Result<(), Error> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    Derived::ordinary(folder).remove(name)?;
    // Folders stay where something else is in them.
    let ours = folder.ancestors().take_while(|folder| {
        folder.file_name().is_some_and(|name| name == ".claude" || name == "skills" || name == "curate")
    });
    for folder in ours {
        if std::fs::remove_dir(folder).is_err() {
            break;
        }
    }
    Ok(())
}
