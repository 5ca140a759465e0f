#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lore_fuzz::read(
    "copilot",
    &["a/events.jsonl", "history-session-state/a.json"],
    bytes
));
