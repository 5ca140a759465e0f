use crate::support::check;

#[test]
fn histories_are_read() {
    check("specstory", ".specstory/history/2026-06-03_08-00-00Z-lighthouse.md");
    check("specstory", ".specstory/history/2025-03-01_08-00-00Z-early.md");
}

#[test]
fn damaged_histories_are_read() {
    check("specstory", "cut.md");
}
