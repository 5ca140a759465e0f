//! Golden transcripts, small and written by hand, for each agent and era.

mod codex;
mod copilot;
mod damage;
mod gemini;
mod pi;
mod support;
