//! Claude Code, era by era.

use lore_core::session::{Author, Session};

use crate::support::{check, fixture, read};

#[test]
fn summaries_and_inline_sidechains() {
    check("claude-code", "0a11d000-0000-4000-8000-000000000001.jsonl");
}

#[test]
fn rewinds_refusals_answers_and_compaction() {
    check("claude-code", "0a11d000-0000-4000-8000-000000000002.jsonl");
}

#[test]
fn progress_and_inline_subagents() {
    check("claude-code", "0a11d000-0000-4000-8000-000000000003.jsonl");
}

#[test]
fn attachments_titles_and_our_own_words() {
    check("claude-code", "0a11d000-0000-4000-8000-000000000004.jsonl");
}

#[test]
fn subagent_files() {
    check("claude-code", "0a11d000-0000-4000-8000-000000000004/subagents/agent-b0b.jsonl");
}

#[test]
fn damaged_files() {
    check("claude-code", "damaged.jsonl");
}

#[test]
fn nothing_of_ours_is_read_back() {
    let sessions = read("claude-code", &fixture("claude-code/0a11d000-0000-4000-8000-000000000004.jsonl"));
    let all = serde_json::to_string(&sessions).expect("sessions are plain data");
    assert!(!all.contains("fares live in fares.toml"), "{all}");
    assert!(persons(&sessions).any(|text| text == "raise the winter fare"));
}

fn persons(sessions: &[Session]) -> impl Iterator<Item = String> {
    let turns = sessions.iter().flat_map(|session| &session.turns);
    turns.filter(|turn| turn.author == Author::Person).map(lore_core::session::Turn::text)
}
