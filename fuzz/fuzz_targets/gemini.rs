#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lore_fuzz::read(
    "gemini",
    &["chats/session-a.jsonl", "chats/session-a.json"],
    bytes
));
