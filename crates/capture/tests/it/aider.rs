use crate::support::{check, fixture, read};

#[test]
fn every_chat_is_a_session() {
    check("aider", ".aider.chat.history.md");
}

/// What aider tells the model when an edit fits nowhere was taken for the model's own words.
#[test]
fn what_aider_objects_to_is_not_the_models() {
    check("aider", "objection/.aider.chat.history.md");
}

/// An objection that was only quoted, or never ended, took every later prompt for aider's words.
#[test]
fn whoever_speaks_next_ends_an_objection() {
    check("aider", "quoted/.aider.chat.history.md");
}

#[test]
fn damaged_histories_are_read() {
    check("aider", "cut/.aider.chat.history.md");
    assert!(read("aider", &fixture("aider/empty/.aider.chat.history.md")).is_empty());
}
