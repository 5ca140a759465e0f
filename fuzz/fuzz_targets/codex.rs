#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lore_fuzz::read(
    "codex",
    &["rollout-a.jsonl", "rollout-a.json"],
    bytes
));
