use crate::support::check;

#[test]
fn the_documented_form_is_read() {
    check("plain", "documented.jsonl");
}

#[test]
fn common_exports_are_read() {
    check("plain", "openai-messages.json");
    check("plain", "claude-ai-export.json");
    check("plain", "sharegpt.jsonl");
    check("plain", "anthropic-blocks.jsonl");
}

#[test]
fn damaged_transcripts_are_read() {
    check("plain", "damaged.jsonl");
}
