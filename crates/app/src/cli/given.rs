//! How what a command prints is given to the agent in whose shell it runs.

use super::Command;

/// What is done to the words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Given {
    /// It is fenced as a whole: it quotes what stands in the base or was said in sessions.
    Fenced,
    /// Marks in it are broken: its words are ours, or it has to be read while it runs.
    Broken,
    /// It stays as it is: it has fences of its own, or is for a program.
    AsItIs,
}

impl Command {
    /// Tells how an agent is given it. A command that is not named here is fenced.
    pub(super) fn given(&self) -> Given {
        match self {
            _ if self.is_for_programs() => Given::AsItIs,
            Command::Completions(_)
            | Command::Context(_)
            | Command::Demo(_)
            | Command::Man(_)
            | Command::Mcp(_)
            | Command::Surface(_) => Given::AsItIs,
            Command::Config(_)
            | Command::Curate(_)
            | Command::Doctor(_)
            | Command::Edits(_)
            | Command::Init(_)
            | Command::Install(_)
            | Command::Model(_)
            | Command::Packet(_)
            | Command::Schedule(_)
            | Command::Uninstall(_) => Given::Broken,
            Command::Review(args) if args.walks() => Given::Broken,
            Command::View(args) if !args.prints() => Given::Broken,
            _ => Given::Fenced,
        }
    }
}
