//! Whether an agent runs what was installed: most hold hooks back until a person has trusted them.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;
use toml_edit::DocumentMut;

use super::agents::Agent;
use super::{Whose, hooks};
use crate::World;

/// Whether what is installed is run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "state", rename_all = "kebab-case")]
pub enum Trust {
    /// The agent runs it.
    Trusted,
    /// A person has still to say yes.
    Pending {
        /// How.
        how: String,
    },
    /// A person turned hooks off.
    Off {
        /// Where, and how to turn them on.
        how: String,
    },
    /// The agent does not say; it may ask.
    Unknown {
        /// What it may ask.
        how: String,
    },
}

/// Looks whether an agent trusts what we installed.
pub(super) fn trust(world: &World, agent: &Agent, project: &Path, whose: Whose) -> Trust {
    let pending = |how: &str| Trust::Pending { how: how.to_owned() };
    let unknown = |how: &str| Trust::Unknown { how: how.to_owned() };
    let decided = |trusted: bool, how: &str| if trusted { Trust::Trusted } else { pending(how) };
    let folder = agent.folder(world).unwrap_or_default();
    if let Some(how) = turned_off(agent, &folder, project) {
        return Trust::Off { how };
    }
    match agent.name {
        "claude-code" => decided(
            claude_trusts(world, project),
            "start `claude` in this folder once and accept it; it also asks about the MCP server",
        ),
        "codex" => {
            let at = if whose == Whose::Project { project.join(".codex") } else { folder.clone() };
            decided(
                codex_trusts(&folder, &at.join("hooks.json"), agent),
                "start `codex` in this folder and accept the hooks in `/hooks`; after an update, once more",
            )
        }
        "gemini" if !gemini_trusts_folder(&folder, project) => pending(
            "start `gemini` in this folder once and trust it; before that it runs no hooks and no server",
        ),
        "gemini" if whose == Whose::User => Trust::Trusted,
        "gemini" => decided(
            gemini_trusts(&folder, project, agent),
            "start `gemini` in this folder once; it warns of the new hooks and remembers them",
        ),
        "pi" if whose == Whose::User => Trust::Trusted,
        "pi" => decided(pi_trusts(&folder, project), "start `pi` in this folder once and trust the project"),
        "copilot" if whose == Whose::Project => {
            unknown("`copilot` asks once whether it may trust this folder; until then it runs no hooks of it")
        }
        "cursor" if whose == Whose::Project => {
            unknown("Cursor runs hooks only in a workspace that you trust")
        }
        _ => Trust::Trusted,
    }
}

/// Finds where somebody turned the hooks of an agent off, with how to turn them on.
fn turned_off(agent: &Agent, folder: &Path, project: &Path) -> Option<String> {
    match agent.name {
        "claude-code" => {
            let own = project.join(".claude");
            let files =
                [own.join("settings.local.json"), own.join("settings.json"), folder.join("settings.json")];
            // The first that says something counts.
            let said = |file: &PathBuf| json(file.clone())?.get("disableAllHooks")?.as_bool();
            let file =
                files.iter().find(|file| said(file).is_some()).filter(|file| said(file) == Some(true))?;
            Some(format!("take `disableAllHooks` out of `{}`", file.display()))
        }
        "codex" => {
            let text = std::fs::read_to_string(folder.join("config.toml")).ok()?;
            let config = text.parse::<DocumentMut>().ok()?;
            let states = config.get("hooks")?.get("state")?.as_table_like()?;
            let places = [project.join(".codex/hooks.json"), folder.join("hooks.json")];
            let files: Vec<String> = places.iter().flat_map(|place| spellings(place)).collect();
            let is_ours = |key: &str| files.iter().any(|file| key.starts_with(&format!("{file}:")));
            let is_off =
                |state: &toml_edit::Item| state.get("enabled").and_then(|on| on.as_bool()) == Some(false);
            states.iter().find(|(key, state)| is_ours(key) && is_off(state))?;
            Some("turn the hooks of `lore` on in `/hooks` of `codex`".to_owned())
        }
        _ => None,
    }
}

fn json(path: PathBuf) -> Option<Value> {
    serde_json::from_slice(&std::fs::read(path).ok()?).ok()
}

/// Lists the ways to spell a folder.
fn spellings(project: &Path) -> Vec<String> {
    let real = project.canonicalize().unwrap_or_else(|_| project.to_owned());
    vec![project.display().to_string(), real.display().to_string()]
}

fn claude_trusts(world: &World, project: &Path) -> bool {
    let moved = world.variable(crate::env::CLAUDE_CONFIG_DIR).map(PathBuf::from);
    let Some(file) = moved.or_else(|| world.home()).map(|folder| folder.join(".claude.json")) else {
        return false;
    };
    let Some(state) = json(file) else { return false };
    spellings(project).iter().any(|project| state["projects"][project]["hasTrustDialogAccepted"] == true)
}

/// Codex keeps a hash for each hook it may run, under the file and place of the hook.
fn codex_trusts(folder: &Path, hooks: &Path, agent: &Agent) -> bool {
    let text = std::fs::read_to_string(folder.join("config.toml")).unwrap_or_default();
    let Ok(config) = text.parse::<DocumentMut>() else { return false };
    let states =
        config.get("hooks").and_then(|hooks| hooks.get("state")).and_then(|state| state.as_table_like());
    let Some(states) = states else { return false };
    let files = spellings(hooks);
    let has = |event: &str| {
        let label = event.replace('-', "_");
        states.iter().any(|(key, state)| {
            let ours = files.iter().any(|file| {
                key.strip_prefix(file.as_str()).is_some_and(|rest| rest.starts_with(&format!(":{label}:")))
            });
            ours && state.get("trusted_hash").is_some()
        })
    };
    agent.hooks.is_some_and(|(_, moments)| moments.iter().all(|moment| has(moment.1)))
}

/// Gemini keeps a decision for each folder, unless its user turned that off.
fn gemini_trusts_folder(folder: &Path, project: &Path) -> bool {
    let settings = json(folder.join("settings.json")).unwrap_or_default();
    if settings["security"]["folderTrust"]["enabled"] == false {
        return true;
    }
    let Some(known) = json(folder.join("trustedFolders.json")) else { return false };
    let real = project.canonicalize().unwrap_or_else(|_| project.to_owned());
    let parent = |folder: &Path| known[folder.display().to_string()] == "TRUST_PARENT";
    let trusted = |folder: &Path| known[folder.display().to_string()] == "TRUST_FOLDER";
    real.ancestors().any(trusted) || std::fs::read_dir(&real).is_ok() && parent(&real)
}

/// Gemini keeps the commands of each project that it has warned of.
fn gemini_trusts(folder: &Path, project: &Path, agent: &Agent) -> bool {
    let Some(known) = json(folder.join("trusted_hooks.json")) else { return false };
    let settings = std::fs::read_to_string(project.join(".gemini/settings.json")).unwrap_or_default();
    let ours = hooks::present(agent, &settings).len();
    let trusted = |project: &String| {
        let commands = known[project].as_array().cloned().unwrap_or_default();
        commands.iter().filter_map(Value::as_str).filter(|key| key.contains(" hook gemini ")).count() >= ours
    };
    ours > 0 && spellings(project).iter().any(trusted)
}

/// pi keeps a yes or no for each folder; the nearest around the project counts.
fn pi_trusts(folder: &Path, project: &Path) -> bool {
    let Some(known) = json(folder.join("trust.json")) else { return false };
    let real = project.canonicalize().unwrap_or_else(|_| project.to_owned());
    let decided = real.ancestors().find_map(|folder| known[folder.display().to_string()].as_bool());
    decided == Some(true)
}
