//! The kept corpus of the fuzz targets, gone through on every run of the tests.

use std::fs;
use std::path::{Path, PathBuf};

use lore_capture::{Input, Keep, Lines, ReadOptions, classify, readers};

fn corpus(target: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus").join(target);
    let mut found: Vec<PathBuf> =
        fs::read_dir(folder).expect("is kept").flatten().map(|entry| entry.path()).collect();
    found.sort();
    assert!(!found.is_empty(), "{target} has a corpus");
    found
}

/// What its target checks is checked of what it has found.
#[test]
fn claude_code() {
    let reader = readers().iter().find(|reader| reader.agent() == "claude-code").expect("is registered");
    for path in corpus("claude_code") {
        let bytes = fs::read(&path).expect("can be read");
        let words = |keep: Keep| {
            let options = ReadOptions { keep, ..ReadOptions::default() };
            let input = Input::bytes(Path::new("0.jsonl"), &bytes, &options);
            let mut words = Vec::new();
            let take = &mut |session: lore_core::Session| {
                words.extend(session.turns.iter().map(|turn| (turn.author, turn.channel, turn.text())));
            };
            reader.read(&input, take).expect("content is no error");
            words
        };
        assert_eq!(words(Keep::Everything), words(Keep::Conversation), "{}", path.display());
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

/// Goes through a reader's corpus under each name that its files may have, as its target does.
fn replay(agent: &str, names: &[&str]) {
    let reader = readers().iter().find(|reader| reader.agent() == agent).expect("is registered");
    let options = ReadOptions::default();
    for path in corpus(agent) {
        let bytes = fs::read(&path).expect("can be read");
        for name in names {
            let input = Input::bytes(Path::new(name), &bytes, &options);
            let check =
                |session: lore_core::Session| assert!(session.turns.iter().all(|turn| turn.line() > 0));
            reader.read(&input, &mut { check }).expect("content is no error");
        }
    }
}

#[test]
fn every_other_reader() {
    replay("aider", &[".aider.chat.history.md"]);
    replay("cline", &["tasks/a/api_conversation_history.json", "tasks/a/ui_messages.json"]);
    replay("codex", &["rollout-a.jsonl", "rollout-a.json"]);
    replay("copilot", &["a/events.jsonl", "history-session-state/a.json"]);
    replay("cursor", &["agent-transcripts/a.jsonl"]);
    replay("gemini", &["chats/session-a.jsonl", "chats/session-a.json"]);
    replay("goose", &["a.jsonl", "export.json"]);
    replay("opencode", &["export.json", "storage/session/p/ses_a.json"]);
    replay("pi", &["2026-01-01T00-00-00-000Z_a.jsonl"]);
    replay("plain", &["a.jsonl", "a.json"]);
    replay("specstory", &[".specstory/history/a.md"]);
}
