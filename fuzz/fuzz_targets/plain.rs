#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lore_fuzz::read("plain", &["a.jsonl", "a.json"], bytes));
