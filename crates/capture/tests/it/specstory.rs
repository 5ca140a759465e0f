use crate::support::check;

#[test]
fn histories_are_read() {
    check("specstory", ".specstory/history/2026-06-03_08-00-00Z-lighthouse.md");
    check("specstory", ".specstory/history/2025-03-01_08-00-00Z-early.md");
}

/// A box within a box ended the outer one, a header within pasted text changed the speaker and the
/// time, a refusal with a reason and an answer of two lines were lost.
#[test]
fn boxes_and_headers_within_others_change_nothing() {
    check("specstory", ".specstory/history/2026-07-01_08-00-00Z-boxes.md");
}

/// The title of the second copy was taken for the agent's answer to what was said last in the first.
#[test]
fn a_history_that_was_saved_twice_has_titles_that_nobody_said() {
    check("specstory", ".specstory/history/2025-06-01_08-00-twice.md");
}

#[test]
fn damaged_histories_are_read() {
    check("specstory", "cut.md");
}
