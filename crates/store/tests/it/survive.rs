//! What holds for any bytes at all; the fuzz target `front_matter` runs the same check.

use lore_store::format::{content_hash, read, rewrite, stored_hash, with_hash, write};

const PATH: &str = "decisions/dec-2026-02-20-x.md";

/// Reads bytes as an entry, changes nothing, then changes something.
pub(crate) fn check(bytes: &[u8]) {
    let Some(entry) = read(PATH, bytes).entry else { return };
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    assert_eq!(rewrite(text, &entry).as_deref(), Ok(text), "no change means the same bytes");

    let canonical = write(&entry);
    let back = read(PATH, canonical.as_bytes());
    assert_eq!(back.diagnostics, [], "a canonical text reads without complaint");
    let again = back.entry.expect("a canonical text is an entry");
    assert_eq!(write(&again), canonical, "there is one canonical text");

    let mut changed = entry;
    changed.title = "Changed: yes".to_owned();
    changed.tags.push("new tag".to_owned());
    if let Ok(now) = rewrite(text, &changed) {
        let back = read(PATH, now.as_bytes()).entry.expect("a changed file is still an entry");
        assert_eq!((back.title, back.tags), (changed.title, changed.tags), "a change comes out");
        assert_eq!(back.extra, changed.extra, "and changes nothing else");
    }

    let hashed = with_hash(text);
    if stored_hash(text).is_none()
        && let Some(stored) = stored_hash(&hashed)
    {
        assert_eq!(stored, content_hash(&hashed), "a hash does not count itself");
    }
}

/// Replays what fuzzing found worth keeping.
#[cfg(test)]
#[test]
fn the_corpus_survives() {
    let corpus = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/front_matter");
    let mut count = 0;
    for item in std::fs::read_dir(corpus).expect("the corpus is in the repository") {
        let path = item.expect("a file of the corpus").path();
        check(&std::fs::read(path).expect("a readable file"));
        count += 1;
    }
    assert!(count >= 9, "the corpus has {count} files");
}
