//! Whatever stands in a file, reading it neither panics nor fails, reading it in two steps reports
//! the same as reading it in one, and reading the conversation alone leaves out no words.
#![no_main]

use std::collections::BTreeMap;
use std::path::Path;

use libfuzzer_sys::fuzz_target;
use lore_capture::resume::{Reported, difference};
use lore_capture::{Input, Keep, ReadOptions, readers};
use lore_core::{Session, SessionId};

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
    let mut reported: BTreeMap<SessionId, Reported> = BTreeMap::new();
    for session in read(&data[..data.len() / 2], Keep::Everything) {
        let _ = difference(session.clone(), reported.entry(session.id).or_default());
    }
    for session in whole {
        let known = reported.entry(session.id.clone()).or_default();
        let _ = difference(session.clone(), known);
        assert!(difference(session, known).is_none(), "nothing is reported twice");
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
