#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lore_fuzz::read("aider", &[".aider.chat.history.md"], bytes));
