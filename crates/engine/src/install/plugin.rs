//! A folder that Claude Code takes as a plugin, and as a market with this one plugin in it: hooks, skills, the researcher and the
//! MCP server in one piece, to be handed on or put into a repository of its own.

use std::path::Path;

use lore_store::derived::Derived;
use serde_json::json;

use super::agents::Agent;
use super::{Done, FileChange, InstallReport, Whose, hooks, servers, texts};
use crate::{Error, World};

/// What the plugin is called: its skills are `/lore:knowledge` and so on.
const NAME: &str = "lore";
const MANIFEST: &str = ".claude-plugin/plugin.json";
const MARKET: &str = ".claude-plugin/marketplace.json";
const MARKET_NAME: &str = "lorekeep";
const ABOUT: &str =
    "What this project knows, with sources: decisions, rules, limitations and lessons from past sessions.";

/// Writes the plugin into a folder; one of ours is brought up to date, anything else is left alone.
pub fn write_plugin(
    world: &World,
    folder: &Path,
    program: &str,
    dry_run: bool,
) -> Result<InstallReport, Error> {
    let folder = world.directory.join(folder);
    let is_empty = std::fs::read_dir(&folder).map_or(true, |mut inside| inside.next().is_none());
    let ours = std::fs::read_to_string(folder.join(MANIFEST)).is_ok_and(|text| is_ours(&text));
    if !is_empty && !ours {
        return Err(Error::request(
            format!("`{}` holds something else", folder.display()),
            "name a folder that is empty, not there yet, or a plugin of ours",
        ));
    }
    let target = Derived::ordinary(&folder);
    let mut files = Vec::new();
    for (name, text) in contents(program)? {
        let before = std::fs::read_to_string(folder.join(&name)).ok();
        let done = match &before {
            None => Done::Created,
            Some(before) if *before == text => Done::Unchanged,
            Some(_) => Done::Changed,
        };
        if !dry_run && done != Done::Unchanged {
            target.write(&name, text.as_bytes())?;
        }
        let path = folder.join(&name);
        files.push(FileChange { path, done, before, after: Some(text), backup: None, needed_by: Vec::new() });
    }
    let shown = folder.display();
    let notes = vec![format!(
        "`claude plugin validate {shown}` checks it; `claude plugin marketplace add {shown}` and `claude plugin install {NAME}@{MARKET_NAME}` put it in"
    )];
    let agent = "claude-code".to_owned();
    Ok(InstallReport { agent, whose: Whose::Project, files, dry_run, trust: None, notes })
}

fn is_ours(manifest: &str) -> bool {
    serde_json::from_str::<serde_json::Value>(manifest).is_ok_and(|manifest| manifest["name"] == NAME)
}

/// Lists the files of the plugin, by their names.
fn contents(program: &str) -> Result<Vec<(String, String)>, Error> {
    let version = env!("CARGO_PKG_VERSION");
    let author = json!({ "name": "Lorekeep" });
    let manifest = json!({
        "name": NAME, "version": version, "description": ABOUT, "author": author, "license": "Apache-2.0 OR MIT",
        "keywords": ["knowledge", "memory", "decisions"],
    });
    let market = json!({
        "name": MARKET_NAME, "description": "Lorekeep for Claude Code", "owner": author,
        "plugins": [{ "name": NAME, "source": "./", "description": ABOUT }],
    });
    let refused = |why: String| {
        Error::request(format!("the plugin cannot be written: {why}"), "tell us; this is our bug")
    };
    let begun = json!({ "description": "Tells a session what is known, and keeps what it leaves behind." });
    let wired = hooks::add(Agent::named("claude-code")?, Some(&pretty(&begun)), program).map_err(refused)?;
    let server = servers::add(servers::ServerShape::Servers, None, program).map_err(refused)?;
    let mut files = vec![
        (MANIFEST.to_owned(), pretty(&manifest)),
        (MARKET.to_owned(), pretty(&market)),
        ("hooks/hooks.json".to_owned(), wired),
        (".mcp.json".to_owned(), server),
        ("agents/lore-researcher.md".to_owned(), texts::RESEARCHER.to_owned()),
        ("README.md".to_owned(), texts::PLUGIN.to_owned()),
    ];
    let skill = |(name, text): &(&str, &str)| (format!("skills/{name}/SKILL.md"), (*text).to_owned());
    files.extend(texts::SKILLS.iter().map(skill));
    Ok(files)
}

fn pretty(value: &serde_json::Value) -> String {
    format!("{value:#}\n")
}
