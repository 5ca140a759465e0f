//! Whether a person is there, and whose word a command carries in an agent's shell.

use std::io::IsTerminal as _;

use lore_engine::{Asker, Engine, Presence};

use crate::ui::Ui;

/// Lets a person who works in an agent's shell say that the word is theirs.
///
/// Only at a terminal, by answering: a flag or a variable could be given by the agent as well.
pub(super) fn own_word(ui: &Ui, engine: Engine) -> Engine {
    let Asker::Agent { name, .. } = engine.asker() else { return engine };
    if presence() == Presence::Unseen || ui.is_json() {
        return engine;
    }
    ui.note(format!("This shell is {name}'s. Is what you write your own word? [y/N]"));
    let mut answer = String::new();
    let is_own = std::io::stdin().read_line(&mut answer).is_ok()
        && matches!(answer.trim().to_lowercase().as_str(), "y" | "yes");
    if is_own { engine.for_person() } else { engine }
}

/// Tells whether somebody sits there: what is asked and what is answered both go through a terminal.
pub(super) fn presence() -> Presence {
    let is_terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    if is_terminal { Presence::AtTerminal } else { Presence::Unseen }
}
