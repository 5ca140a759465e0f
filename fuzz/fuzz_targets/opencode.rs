#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| lore_fuzz::read(
    "opencode",
    &["export.json", "storage/session/p/ses_a.json"],
    bytes
));
