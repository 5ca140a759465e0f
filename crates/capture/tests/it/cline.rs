use crate::support::check;

#[test]
fn tools_called_by_tags_are_read() {
    check("cline", "tasks/1772438400000/api_conversation_history.json");
}

#[test]
fn tools_called_natively_are_read() {
    check("cline", "rooveterinaryinc.roo-cline/tasks/native/api_conversation_history.json");
}

#[test]
fn the_screen_stands_in_for_a_missing_history() {
    check("cline", "tasks/screen-only/ui_messages.json");
}

#[test]
fn damaged_histories_are_read() {
    check("cline", "tasks/torn/api_conversation_history.json");
}
