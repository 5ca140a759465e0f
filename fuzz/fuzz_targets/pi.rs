#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lore_fuzz::read(
    "pi",
    &["2026-01-01T00-00-00-000Z_a.jsonl"],
    bytes
));
