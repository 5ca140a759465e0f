//! Golden transcripts, small and written by hand, for each agent and era.

mod aider;
mod claude_code;
mod cline;
mod codex;
mod copilot;
mod cursor;
mod damage;
mod discover;
mod gemini;
mod goose;
mod keep;
mod locations;
mod opencode;
mod pi;
mod plain;
mod replay;
mod specstory;
mod support;
