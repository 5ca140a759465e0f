#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lore_fuzz::read(
    "cline",
    &["tasks/a/api_conversation_history.json", "tasks/a/ui_messages.json"],
    bytes
));
