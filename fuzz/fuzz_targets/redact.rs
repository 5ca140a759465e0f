//! Any text is redacted without a panic, and redacting twice is redacting once.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lore_core::redact::{MARK, Redactor};

fuzz_target!(|text: &str| {
    let redacted = Redactor::standard().redact(text);
    let again = Redactor::standard().redact(&redacted.text);
    assert!(again.findings.is_empty(), "{:?} left {:?}", again.findings, redacted.text);
    let mut end = 0;
    let mut rebuilt = String::new();
    for finding in &redacted.findings {
        assert!(finding.range.start >= end && !finding.range.is_empty(), "in order, without overlap");
        rebuilt.push_str(&text[end..finding.range.start]);
        rebuilt.push_str(MARK);
        end = finding.range.end;
    }
    rebuilt.push_str(&text[end..]);
    assert_eq!(rebuilt, redacted.text, "ranges speak of the text that was given");
});
