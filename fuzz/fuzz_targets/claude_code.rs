//! Whatever stands in a file, reading it neither panics nor fails, and reading the conversation alone
//! leaves out no words.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use lore_capture::{Input, Keep, ReadOptions, readers};
use lore_core::Session;

fuzz_target!(|data: &[u8]| {
    let whole = read(data, Keep::Everything);
    let words = |sessions: &[Session]| {
        let turns = sessions.iter().flat_map(|session| &session.turns);
        turns.map(|turn| (turn.author, turn.channel, turn.text())).collect::<Vec<_>>()
    };
    assert_eq!(words(&whole), words(&read(data, Keep::Conversation)));
    for session in &whole {
        for turn in &session.turns {
            assert!(turn.blocks.iter().all(|block| !block.text.trim().is_empty()));
        }
    }
});

fn read(data: &[u8], keep: Keep) -> Vec<Session> {
    let reader = readers().iter().find(|reader| reader.agent() == "claude-code").expect("is registered");
    let options = ReadOptions { keep, ..ReadOptions::default() };
    let mut sessions = Vec::new();
    let input = Input::bytes(Path::new("0.jsonl"), data, &options);
    reader.read(&input, &mut |session| sessions.push(session)).expect("content is never an error");
    sessions
}
