#![no_main]

#[path = "../../crates/store/tests/it/survive.rs"]
mod survive;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| survive::check(bytes));
