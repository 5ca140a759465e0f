//! One file per agent; its wire structs stay private.
//!
//! A new agent is one more file here and one more line in [`readers`].

mod aider;
mod claude;
mod cline;
mod codex;
mod copilot;
mod cursor;
mod gemini;
mod goose;
mod opencode;
mod pi;
mod plain;
mod specstory;

use crate::Reader;

/// Lists every reader; where two would recognise a file, the first one takes it.
pub fn readers() -> &'static [&'static dyn Reader] {
    READERS
}

/// The plain reader comes last: it takes whatever looks like a conversation.
const READERS: &[&dyn Reader] = &[
    &claude::ClaudeCode,
    &codex::Codex,
    &gemini::Gemini,
    &copilot::Copilot,
    &pi::Pi,
    &opencode::OpenCode,
    &cursor::Cursor,
    &aider::Aider,
    &cline::Cline,
    &specstory::SpecStory,
    &goose::Goose,
    &plain::Plain,
];
