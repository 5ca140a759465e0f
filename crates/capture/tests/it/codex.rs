use std::fs::File;

use lore_core::session::Author;

use crate::support::{check, fixture, read, write_down};

#[test]
fn legacy_history_counts_nothing_twice() {
    check("codex", "rollout-2026-03-02T09-00-00-0195a1b2-0000-7000-8000-00000000c0de.jsonl");
}

#[test]
fn paginated_history_counts_nothing_twice() {
    check("codex", "rollout-2026-08-20T10-00-00-0198f000-0000-7000-8000-00000000aaaa.jsonl");
}

#[test]
fn a_subagent_is_prompted_by_an_agent() {
    check("codex", "rollout-2026-08-20T10-05-00-0198f000-0000-7000-8000-00000000bbbb.jsonl");
}

#[test]
fn early_rollouts_have_no_envelopes() {
    check("codex", "rollout-2025-06-11T08-00-00-5d0c7a10-1111-4222-8333-444455556666.jsonl");
    check("codex", "rollout-2025-04-20-77aa.json");
}

#[test]
fn damaged_rollouts_are_read() {
    check("codex", "rollout-damaged.jsonl");
    assert!(read("codex", &fixture("codex/rollout-empty.jsonl")).is_empty());
}

#[test]
fn compressed_rollouts_read_as_plain_ones() {
    let plain = fixture("codex/rollout-2026-03-02T09-00-00-0195a1b2-0000-7000-8000-00000000c0de.jsonl");
    let folder = tempfile::tempdir().expect("a folder");
    let packed =
        folder.path().join("rollout-2026-03-02T09-00-00-0195a1b2-0000-7000-8000-00000000c0de.jsonl.zst");
    let source = File::open(&plain).expect("a fixture");
    zstd::stream::copy_encode(source, File::create_new(&packed).expect("a file"), 3).expect("packs");
    assert_eq!(write_down(&read("codex", &packed)), write_down(&read("codex", &plain)));
}

#[test]
fn only_typed_words_are_a_persons() {
    let path = fixture("codex/rollout-2026-03-02T09-00-00-0195a1b2-0000-7000-8000-00000000c0de.jsonl");
    let sessions = read("codex", &path);
    let persons = sessions[0].turns.iter().filter(|turn| turn.author == Author::Person).count();
    assert_eq!(persons, 6);
}
