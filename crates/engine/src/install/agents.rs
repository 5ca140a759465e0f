//! The agents we can be wired into: where each keeps what, as one table.

use std::path::{Path, PathBuf};

use super::hooks::{HookShape, Moment};
use super::pieces::{Piece, Planned};
use super::servers::ServerShape;
use super::{Whose, texts};
use crate::env::{CLAUDE_CONFIG_DIR, CODEX_HOME, COPILOT_HOME, PI_CODING_AGENT_DIR};
use crate::{Error, World};

/// An agent.
#[derive(Debug, Clone, Copy)]
pub struct Agent {
    /// Its short name.
    pub name: &'static str,
    /// Its name as its maker writes it.
    pub title: &'static str,
    /// The program that people start.
    pub(super) program: &'static str,
    /// The variable that moves its folder, and the folder below the user's home.
    pub(super) home: (Option<&'static str>, &'static str),
    /// What it keeps in a project, by which it is known to be used there.
    pub(super) marks: &'static [&'static str],
    /// How and when its hooks call.
    pub(super) hooks: Option<(HookShape, &'static [Moment])>,
    plan: fn(&Agent, &Place) -> Vec<(PathBuf, Piece)>,
    /// What a user should know besides, in a project and in their own settings.
    notes: (&'static [&'static str], &'static [&'static str]),
}

/// Where things go.
pub(super) struct Place {
    pub(super) whose: Whose,
    /// The project's folder, or the agent's own below the user's home.
    pub(super) folder: PathBuf,
    /// The user's home; in a project, the project.
    pub(super) top: PathBuf,
}

/// Every agent, in the order they are shown.
pub const AGENTS: &[Agent] = &[
    Agent {
        name: "claude-code",
        title: "Claude Code",
        program: "claude",
        home: (Some(CLAUDE_CONFIG_DIR), ".claude"),
        marks: &[".claude", "CLAUDE.md", ".mcp.json"],
        hooks: Some((HookShape::Nested { per_second: 1, name: None }, super::hooks::CLAUDE)),
        plan: claude_code,
        notes: (&[], &["for the MCP server run `claude mcp add --scope user lore -- lore mcp`"]),
    },
    Agent {
        name: "codex",
        title: "Codex",
        program: "codex",
        home: (Some(CODEX_HOME), ".codex"),
        marks: &[".codex"],
        hooks: Some((HookShape::Nested { per_second: 1, name: None }, super::hooks::CODEX)),
        plan: codex,
        notes: (&[], &[]),
    },
    Agent {
        name: "gemini",
        title: "Gemini CLI",
        program: "gemini",
        home: (None, ".gemini"),
        marks: &[".gemini", "GEMINI.md"],
        hooks: Some((HookShape::Nested { per_second: 1000, name: Some("lore") }, super::hooks::GEMINI)),
        plan: gemini,
        notes: (&[], &[]),
    },
    Agent {
        name: "opencode",
        title: "OpenCode",
        program: "opencode",
        home: (None, ".config/opencode"),
        marks: &[".opencode", "opencode.json", "opencode.jsonc"],
        hooks: None,
        plan: opencode,
        notes: (&[], &[]),
    },
    Agent {
        name: "copilot",
        title: "GitHub Copilot CLI",
        program: "copilot",
        home: (Some(COPILOT_HOME), ".copilot"),
        marks: &[".github/hooks", ".github/copilot-instructions.md"],
        hooks: Some((HookShape::Copilot, super::hooks::COPILOT)),
        plan: copilot,
        notes: (&[], &[]),
    },
    Agent {
        name: "cursor",
        title: "Cursor",
        program: "cursor-agent",
        home: (None, ".cursor"),
        marks: &[".cursor"],
        hooks: Some((HookShape::Cursor, super::hooks::CURSOR)),
        plan: cursor,
        notes: (&[], &[]),
    },
    Agent {
        name: "pi",
        title: "pi",
        program: "pi",
        home: (Some(PI_CODING_AGENT_DIR), ".pi/agent"),
        marks: &[".pi"],
        hooks: None,
        plan: pi,
        notes: (&[], &[]),
    },
    Agent {
        name: "goose",
        title: "Goose",
        program: "goose",
        home: (None, ".config/goose"),
        marks: &[".goosehints", ".agents/plugins"],
        hooks: Some((HookShape::Nested { per_second: 1, name: None }, super::hooks::GOOSE)),
        plan: goose,
        notes: (
            &[
                "Goose tells its hooks of sessions and shows its model nothing they say: what is known reaches \
               it through AGENTS.md, the skills and, with `--user`, the MCP server",
            ],
            &[],
        ),
    },
    Agent {
        name: "other",
        title: "any other agent",
        program: "",
        home: (None, ""),
        marks: &["AGENTS.md"],
        hooks: None,
        plan: other,
        notes: (&["for an agent that reads AGENTS.md or `.mcp.json`; its hooks are not known to us"], &[]),
    },
];

impl Agent {
    /// Finds an agent by its name, or by what people also call it.
    pub fn named(name: &str) -> Result<&'static Agent, Error> {
        let plain = name.trim().to_lowercase();
        let known = match plain.as_str() {
            "claude" | "claudecode" => "claude-code",
            "gemini-cli" => "gemini",
            "copilot-cli" | "github-copilot" => "copilot",
            "cursor-agent" => "cursor",
            "agents-md" | "agents.md" | "mcp" => "other",
            plain => plain,
        };
        AGENTS.iter().find(|agent| agent.name == known).ok_or_else(|| {
            let names: Vec<&str> = AGENTS.iter().map(|agent| agent.name).collect();
            Error::request(
                format!("cannot be wired into `{name}`"),
                format!("say `git` for the merge driver; the agents are {}", names.join(", ")),
            )
        })
    }

    /// Returns its folder below the user's home.
    pub(super) fn folder(&self, world: &World) -> Option<PathBuf> {
        let moved = self.home.0.and_then(|name| world.variable(name)).map(PathBuf::from);
        moved.or_else(|| Some(world.home()?.join(self.home.1)))
    }

    /// Says why we think that somebody uses it here, if we do.
    pub fn found(&self, world: &World, project: &Path) -> Option<String> {
        if !self.program.is_empty() && world.finds(self.program) {
            return Some(format!("`{}` is on the PATH", self.program));
        }
        let mark = self.marks.iter().find(|mark| project.join(mark).exists());
        if let Some(mark) = mark {
            return Some(format!("`{mark}` is in the project"));
        }
        let folder = self.folder(world).filter(|_| !self.home.1.is_empty() && !self.program.is_empty())?;
        folder.is_dir().then(|| format!("`{}` exists", folder.display()))
    }

    /// Lists what is put where, each file once.
    pub(super) fn planned(&self, world: &World, project: &Path, whose: Whose) -> Result<Vec<Planned>, Error> {
        if self.name == "other" && whose == Whose::User {
            return Err(Error::request(
                "an agent that we do not know has no settings of its own that we could change",
                "leave `--user` out, or add the MCP server `lore mcp` to its settings by hand",
            ));
        }
        let place = match whose {
            Whose::Project => Place { whose, folder: project.to_owned(), top: project.to_owned() },
            Whose::User => Place {
                whose,
                folder: self.folder(world).ok_or(Error::NoHome)?,
                top: world.home().ok_or(Error::NoHome)?,
            },
        };
        let mut files: Vec<Planned> = Vec::new();
        for (path, piece) in (self.plan)(self, &place) {
            match files.iter_mut().find(|file| file.path == path) {
                Some(file) => file.pieces.push(piece),
                None => files.push(Planned { path, pieces: vec![piece] }),
            }
        }
        Ok(files)
    }

    /// Lists what the user should know besides.
    pub(super) fn notes(&self, whose: Whose) -> Vec<String> {
        let notes = if whose == Whose::Project { self.notes.0 } else { self.notes.1 };
        notes.iter().map(|note| (*note).to_owned()).collect()
    }
}

impl Place {
    /// Returns a file in the project, or the other one in the agent's own folder.
    fn either(&self, project: &str, user: &str) -> PathBuf {
        self.folder.join(if self.whose == Whose::Project { project } else { user })
    }
}

/// Skills for a folder that only one agent reads.
fn skills(folder: &Path) -> Vec<(PathBuf, Piece)> {
    let one =
        |(name, text): &(&'static str, &'static str)| (folder.join(name).join("SKILL.md"), Piece::own(text));
    texts::SKILLS.iter().map(one).collect()
}

/// Skills where nearly all agents look.
fn shared_skills(place: &Place) -> Vec<(PathBuf, Piece)> {
    skills(&place.top.join(".agents/skills"))
}

fn with(mut pieces: Vec<(PathBuf, Piece)>, more: Vec<(PathBuf, Piece)>) -> Vec<(PathBuf, Piece)> {
    pieces.extend(more);
    pieces
}

fn claude_code(agent: &Agent, place: &Place) -> Vec<(PathBuf, Piece)> {
    let folder = place.either(".claude", "");
    let mut pieces = vec![(folder.join("settings.json"), Piece::hooks(agent))];
    if place.whose == Whose::Project {
        pieces.push((place.folder.join(".mcp.json"), Piece::Server(ServerShape::Servers)));
    }
    pieces.push((folder.join("agents/lore-researcher.md"), Piece::own(texts::RESEARCHER)));
    with(pieces, skills(&folder.join("skills")))
}

fn codex(agent: &Agent, place: &Place) -> Vec<(PathBuf, Piece)> {
    let pieces = vec![
        (place.either(".codex/hooks.json", "hooks.json"), Piece::hooks(agent)),
        (place.either(".codex/config.toml", "config.toml"), Piece::Server(ServerShape::Codex)),
    ];
    with(pieces, shared_skills(place))
}

fn gemini(agent: &Agent, place: &Place) -> Vec<(PathBuf, Piece)> {
    let settings = place.either(".gemini/settings.json", "settings.json");
    let pieces =
        vec![(settings.clone(), Piece::hooks(agent)), (settings, Piece::Server(ServerShape::Servers))];
    with(pieces, shared_skills(place))
}

fn opencode(_: &Agent, place: &Place) -> Vec<(PathBuf, Piece)> {
    let commented = place.folder.join("opencode.jsonc");
    let settings = if commented.exists() { commented } else { place.folder.join("opencode.json") };
    let plugin = place.either(".opencode/plugins/lore.js", "plugins/lore.js");
    let pieces =
        vec![(plugin, Piece::program(texts::OPENCODE)), (settings, Piece::Server(ServerShape::OpenCode))];
    with(pieces, shared_skills(place))
}

fn copilot(agent: &Agent, place: &Place) -> Vec<(PathBuf, Piece)> {
    let pieces = vec![
        (place.either(".github/hooks/lore.json", "hooks/lore.json"), Piece::hooks(agent)),
        (place.either(".mcp.json", "mcp-config.json"), Piece::Server(ServerShape::Servers)),
    ];
    with(pieces, shared_skills(place))
}

fn cursor(agent: &Agent, place: &Place) -> Vec<(PathBuf, Piece)> {
    let folder = place.either(".cursor", "");
    let pieces = vec![
        (folder.join("hooks.json"), Piece::hooks(agent)),
        (folder.join("mcp.json"), Piece::Server(ServerShape::Servers)),
    ];
    with(pieces, skills(&folder.join("skills")))
}

fn pi(_: &Agent, place: &Place) -> Vec<(PathBuf, Piece)> {
    let folder = place.either(".pi", "");
    let pieces = vec![
        (folder.join("extensions/lore.ts"), Piece::program(texts::PI)),
        (folder.join("mcp.json"), Piece::Server(ServerShape::Servers)),
    ];
    with(pieces, shared_skills(place))
}

fn goose(agent: &Agent, place: &Place) -> Vec<(PathBuf, Piece)> {
    let pieces = match place.whose {
        Whose::Project => vec![
            (place.folder.join(".agents/plugins/lore/hooks/hooks.json"), Piece::hooks(agent)),
            (place.folder.join("AGENTS.md"), Piece::Block),
        ],
        Whose::User => vec![(place.folder.join("config.yaml"), Piece::Server(ServerShape::Goose))],
    };
    with(pieces, shared_skills(place))
}

fn other(_: &Agent, place: &Place) -> Vec<(PathBuf, Piece)> {
    let pieces = vec![
        (place.folder.join("AGENTS.md"), Piece::Block),
        (place.folder.join(".mcp.json"), Piece::Server(ServerShape::Servers)),
    ];
    with(pieces, shared_skills(place))
}
