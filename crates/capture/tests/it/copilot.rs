use crate::support::check;

#[test]
fn event_logs_are_read() {
    check("copilot", "session-state/7c0ffee0-0000-4000-8000-000000000001/events.jsonl");
}

#[test]
fn a_rewind_gives_up_what_came_after() {
    check("copilot", "session-state/7c0ffee0-0000-4000-8000-000000000002/events.jsonl");
}

#[test]
fn early_documents_are_read() {
    check("copilot", "history-session-state/session_7c0ffee0_1.json");
}

#[test]
fn damaged_logs_are_read() {
    check("copilot", "damaged.jsonl");
}
