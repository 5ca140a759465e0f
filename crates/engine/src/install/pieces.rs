//! What is put into files: hooks, servers, whole files of our own, a marked block.

use std::path::PathBuf;

use super::agents::Agent;
use super::servers::{self, ServerShape};
use super::{block, hooks, texts};

/// A file and what is put into it.
pub(super) struct Planned {
    pub(super) path: PathBuf,
    pub(super) pieces: Vec<Piece>,
}

/// Something of ours.
pub(super) enum Piece {
    /// Hooks among others.
    Hooks(&'static Agent),
    /// The MCP server among others.
    Server(ServerShape),
    /// A file that people may make their own; once somebody changed it, it is theirs.
    Own(&'static str),
    /// A file that is called after us and starts us; an older one is replaced.
    Program(&'static str),
    /// A marked block in a file of others.
    Block,
}

/// What stands for the command that starts us.
const PROGRAM: &str = "@PROGRAM@";
/// What every program of ours says about itself.
const WRITTEN: &str = "Written by `lore install";

impl Piece {
    pub(super) fn hooks(agent: &Agent) -> Piece {
        let known = super::AGENTS.iter().find(|known| known.name == agent.name);
        known.map_or(Piece::Block, Piece::Hooks)
    }

    pub(super) const fn own(text: &'static str) -> Piece {
        Piece::Own(text)
    }

    pub(super) const fn program(text: &'static str) -> Piece {
        Piece::Program(text)
    }

    /// Puts it in. `untouched` says that the file is as we left it.
    pub(super) fn add(&self, text: Option<&str>, program: &str, untouched: bool) -> Result<String, String> {
        match self {
            Piece::Hooks(agent) => hooks::add(agent, text, program),
            Piece::Server(shape) => servers::add(*shape, text, program),
            Piece::Own(ours) => Ok(text.filter(|_| !untouched).unwrap_or(ours).to_owned()),
            Piece::Program(ours) => match text {
                Some(theirs) if !theirs.contains(WRITTEN) => {
                    Err("there is another file of this name".to_owned())
                }
                _ => Ok(ours.replace(PROGRAM, &program.replace('\\', "\\\\"))),
            },
            Piece::Block => Ok(block::with(text.unwrap_or_default(), block::KNOWLEDGE, texts::BLOCK)),
        }
    }

    /// Takes it out; nothing where the whole file goes.
    pub(super) fn take_out(&self, text: &str) -> Result<Option<String>, String> {
        Ok(match self {
            Piece::Hooks(agent) => Some(hooks::take_out(agent, text)?),
            Piece::Server(shape) => Some(servers::take_out(*shape, text)?),
            Piece::Own(ours) => (text != *ours).then(|| text.to_owned()),
            Piece::Program(_) => (!text.contains(WRITTEN)).then(|| text.to_owned()),
            Piece::Block => Some(block::without(text, block::KNOWLEDGE)),
        })
    }

    /// Tells whether all of it is in a file: somebody may have taken out one of several hooks.
    pub(super) fn is_whole(&self, text: &str) -> bool {
        match self {
            Piece::Hooks(agent) => {
                let wanted = agent.hooks.map_or(0, |(_, moments)| moments.len());
                hooks::present(agent, text).len() == wanted
            }
            _ => self.is_in(text),
        }
    }

    /// Tells whether something of it is in a file, in whatever version.
    pub(super) fn is_in(&self, text: &str) -> bool {
        match self {
            Piece::Hooks(agent) => !hooks::present(agent, text).is_empty(),
            Piece::Server(shape) => servers::is_present(*shape, text),
            Piece::Own(ours) => text == *ours,
            Piece::Program(_) => text.contains(WRITTEN),
            Piece::Block => block::find(text, block::KNOWLEDGE).is_some(),
        }
    }
}
