use crate::support::check;

#[test]
fn documents_are_read() {
    check("gemini", "session-2026-01-10T08-00-feedbeef.json");
}

#[test]
fn logs_are_read_with_their_edits() {
    check("gemini", "ferry/chats/session-2026-08-01T08-00-cafe0001.jsonl");
}

#[test]
fn subagents_name_their_parent() {
    check("gemini", "ferry/chats/cafe0001-0000-4000-8000-000000000001/cafe0002.jsonl");
}

#[test]
fn damaged_chats_are_read() {
    check("gemini", "session-torn.json");
    check("gemini", "session-odd.jsonl");
}
