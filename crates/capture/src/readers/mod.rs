//! One file per agent; its wire structs stay private.
//!
//! A new agent is one more file here and one more line in [`readers`].

mod claude;
mod codex;
mod copilot;
mod gemini;
mod pi;

use crate::Reader;

/// Lists every reader; where two would recognise a file, the first one takes it.
pub fn readers() -> &'static [&'static dyn Reader] {
    READERS
}

const READERS: &[&dyn Reader] =
    &[&claude::ClaudeCode, &codex::Codex, &gemini::Gemini, &copilot::Copilot, &pi::Pi];
