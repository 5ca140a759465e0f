//! The kept corpus of the fuzz targets, gone through on every run of the tests.

use std::fs;
use std::path::{Path, PathBuf};

use lore_capture::{Input, Lines, ReadOptions, classify, readers};

fn corpus(target: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let mut found: Vec<PathBuf> =
        fs::read_dir(folder).expect("is kept").flatten().map(|entry| entry.path()).collect();
    found.sort();
    assert!(!found.is_empty(), "{target} has a corpus");
    found
}

#[test]
fn claude_code() {
    let reader = readers().iter().find(|reader| reader.agent() == "claude-code").expect("is registered");
    for path in corpus("claude_code") {
        let bytes = fs::read(&path).expect("can be read");
        let options = ReadOptions::default();
        let input = Input::bytes(Path::new("0.jsonl"), &bytes, &options);
        reader
            .read(&input, &mut |session| assert!(session.agent == "claude-code"))
            .expect("content is no error");
    }
}

#[test]
fn lines() {
    for path in corpus("lines") {
        let bytes = fs::read(&path).expect("can be read");
        let mut lines = Lines::new(bytes.as_slice(), 64);
        let mut last = 0;
        while let Some(line) = lines.next_line() {
            assert!(line.number > last && !line.bytes.is_empty());
            last = line.number;
            let _ = classify(&String::from_utf8_lossy(line.bytes)).len();
        }
    }
}
