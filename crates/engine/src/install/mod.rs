//! Wiring `lore` into agents, and taking it out again without a trace.
//!
//! A settings file belongs to the user: what we add is put into its text without touching anything
//! else, the file as it was is kept, and taking us out gives back the same bytes. Neither needs a base.

mod agents;
pub(crate) mod block;
mod git;
mod hooks;
mod json_text;
mod pieces;
mod plugin;
mod records;
mod servers;
mod texts;
mod trust;
mod uninstall;
mod wired;

use std::path::{Path, PathBuf};

use lore_store::derived::Derived;
use lore_store::git::Git;
use serde::Serialize;

pub use agents::{AGENTS, Agent};
pub use plugin::write_plugin;
pub use trust::Trust;
pub use uninstall::uninstall;

use crate::{Error, World};
use pieces::{Piece, Planned};
use records::Records;
pub(crate) use wired::Wired;

/// The merge driver is wired like an agent.
pub const GIT: &str = "git";

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
    /// Other agents that still need it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub needed_by: Vec<String>,
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
    /// It stays, because another agent needs it or somebody made it their own.
    Kept,
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
    /// Whether the agent runs it; only after installing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trust: Option<Trust>,
    /// What the user should know or do besides.
    pub notes: Vec<String>,
}

/// How an agent stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AgentState {
    /// Its short name.
    pub agent: &'static str,
    /// Its name as its maker writes it.
    pub title: &'static str,
    /// Why we think that somebody uses it here, if we do.
    pub found: Option<String>,
    /// Where we are in.
    pub installed: Vec<Installed>,
}

/// What is installed for an agent in one place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Installed {
    /// Whose settings.
    pub whose: Whose,
    /// Files that should be there and hold nothing of ours, or something else.
    pub missing: Vec<PathBuf>,
    /// Whether the agent runs it.
    pub trust: Trust,
}

/// Returns the skills that are installed with us, each by its name.
pub const fn skills() -> &'static [(&'static str, &'static str)] {
    texts::SKILLS
}

/// Returns the folder that project settings are put into.
pub fn project_of(world: &World) -> PathBuf {
    Git::discover(&world.directory).map_or_else(|| world.directory.clone(), |git| git.top().to_owned())
}

/// Tells how every agent stands.
pub fn states(world: &World) -> Vec<AgentState> {
    let project = project_of(world);
    AGENTS
        .iter()
        .map(|agent| AgentState {
            agent: agent.name,
            title: agent.title,
            found: agent.found(world, &project),
            installed: [Whose::Project, Whose::User]
                .into_iter()
                .filter_map(|whose| installed(world, agent, &project, whose))
                .collect(),
        })
        .collect()
}

/// Looks whether we are in an agent's settings; skills alone may be another agent's.
fn installed(world: &World, agent: &Agent, project: &Path, whose: Whose) -> Option<Installed> {
    let files = agent.planned(world, project, whose).ok()?;
    let text_of = |file: &Planned| read(&file.path).ok().flatten().unwrap_or_default();
    let holds = |file: &Planned| {
        let text = text_of(file);
        file.pieces.iter().all(|piece| piece.is_in(&text))
    };
    let is_whole = |file: &Planned| {
        let text = text_of(file);
        file.pieces.iter().all(|piece| piece.is_whole(&text))
    };
    let is_telling = |file: &&Planned| {
        file.pieces.iter().any(|piece| matches!(piece, Piece::Hooks(_) | Piece::Program(_) | Piece::Block))
            || matches!(file.pieces.as_slice(), [Piece::Server(_)]) && !file.path.ends_with(".mcp.json")
    };
    if !files.iter().filter(is_telling).any(holds) {
        return None;
    }
    let missing = files.iter().filter(|file| !is_whole(file)).map(|file| file.path.clone()).collect();
    Some(Installed { whose, missing, trust: trust::trust(world, agent, project, whose) })
}

/// Names the agents for which something of ours is still there, be their own settings gone or broken.
pub fn left_behind(world: &World, whose: Whose) -> Vec<String> {
    let Ok(records) = Records::of(world) else { return Vec::new() };
    let project = project_of(world);
    let relies = |agent: &Agent, file: &Planned| {
        file.path.exists()
            && records.get(&file.path).is_some_and(|kept| kept.agents.iter().any(|known| known == agent.name))
    };
    let has_left = |agent: &&Agent| {
        agent.planned(world, &project, whose).is_ok_and(|files| files.iter().any(|file| relies(agent, file)))
    };
    AGENTS.iter().filter(has_left).map(|agent| agent.name.to_owned()).collect()
}

/// Wires us into an agent.
pub fn install(world: &World, options: &InstallOptions) -> Result<InstallReport, Error> {
    if options.agent == GIT {
        return git::wire(world, options, Some(&options.program));
    }
    let agent = Agent::named(&options.agent)?;
    let project = project_of(world);
    let records = Records::of(world)?;
    let mut files = Vec::new();
    // Everything is worked out before anything is written, so that a file that cannot be changed stops it whole.
    for file in agent.planned(world, &project, options.whose)? {
        if options.whose == Whose::Project {
            stays_inside(&file.path, &project)?;
        }
        let before = read(&file.path)?;
        let kept = records.get(&file.path);
        let untouched =
            before.as_deref().is_some_and(|text| kept.as_ref().is_some_and(|kept| kept.is_as_left(text)));
        let mut after = before.clone();
        for piece in &file.pieces {
            let added = piece.add(after.as_deref(), &options.program, untouched);
            after = Some(added.map_err(|why| not_ours_to_touch(&file.path, &why))?);
        }
        let foreign = !untouched
            && before.is_some()
            && file
                .pieces
                .iter()
                .any(|piece| matches!(piece, Piece::Own(ours) if after.as_deref() != Some(ours)));
        let done = match &before {
            _ if foreign => Done::Kept,
            text if *text == after => Done::Unchanged,
            None => Done::Created,
            Some(_) => Done::Changed,
        };
        let backup = matches!(done, Done::Created | Done::Changed).then(|| records.place(&file.path));
        files.push(FileChange { path: file.path, done, before, after, backup, needed_by: Vec::new() });
    }
    if !options.dry_run {
        for file in &files {
            match (&file.after, file.done) {
                (Some(after), Done::Created | Done::Changed) => {
                    records.keep(&file.path, file.before.as_deref(), after, agent.name)?;
                    write(&file.path, after)?;
                }
                _ => records.rely(&file.path, agent.name)?,
            }
        }
    }
    let trust = trust::trust(world, agent, &project, options.whose);
    Ok(InstallReport {
        agent: agent.name.to_owned(),
        whose: options.whose,
        files,
        dry_run: options.dry_run,
        trust: Some(trust),
        notes: agent.notes(options.whose),
    })
}

/// Refuses a file of a project that is a link to somewhere else: a clone could have us write into the user's own files.
fn stays_inside(path: &Path, project: &Path) -> Result<(), Error> {
    // A file that is not there yet lies where its folder leads.
    let real = path.ancestors().find_map(|part| std::fs::canonicalize(part).ok());
    let (Some(real), Ok(root)) = (real, std::fs::canonicalize(project)) else { return Ok(()) };
    match real.starts_with(&root) {
        true => Ok(()),
        false => {
            Err(not_ours_to_touch(path, &format!("it leads out of this project, to {}", real.display())))
        }
    }
}

fn not_ours_to_touch(path: &Path, why: &str) -> Error {
    Error::request(
        format!("`{}` cannot be changed safely: {why}", path.display()),
        "mend the file, or add the hooks by hand as `docs/agents.md` shows",
    )
}

fn read(path: &Path) -> Result<Option<String>, Error> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(source) => Err(Error::File { doing: "read", path: path.to_owned(), source }),
    }
}

/// Puts a file in place whole. A link stays a link, and permissions stay what they were.
pub(crate) fn write(path: &Path, text: &str) -> Result<(), Error> {
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

/// Removes a file that we made.
fn remove(path: &Path) -> Result<(), Error> {
    let folder = path.parent().unwrap_or(Path::new("."));
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    Ok(Derived::ordinary(folder).remove(name)?)
}
