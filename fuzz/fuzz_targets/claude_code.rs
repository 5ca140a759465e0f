//! Whatever stands in a file, reading it neither panics nor fails, and reading it in two steps
//! reports the same as reading it in one.
#![no_main]

use std::collections::BTreeMap;
use std::path::Path;

use libfuzzer_sys::fuzz_target;
use lore_capture::resume::{Reported, difference};
use lore_capture::{Input, ReadOptions, readers};
use lore_core::{Session, SessionId};

fuzz_target!(|data: &[u8]| {
    let whole = read(data);
    for session in &whole {
        for turn in &session.turns {
            assert!(turn.blocks.iter().all(|block| !block.text.trim().is_empty()));
        }
    }
    let mut reported: BTreeMap<SessionId, Reported> = BTreeMap::new();
    for session in read(&data[..data.len() / 2]) {
        let _ = difference(session.clone(), reported.entry(session.id).or_default());
    }
    for session in whole {
        let known = reported.entry(session.id.clone()).or_default();
        let _ = difference(session.clone(), known);
        assert!(difference(session, known).is_none(), "nothing is reported twice");
    }
});

fn read(data: &[u8]) -> Vec<Session> {
    let reader = readers().iter().find(|reader| reader.agent() == "claude-code").expect("is registered");
    let options = ReadOptions::default();
    let mut sessions = Vec::new();
    let input = Input::bytes(Path::new("0.jsonl"), data, &options);
    reader.read(&input, &mut |session| sessions.push(session)).expect("content is never an error");
    sessions
}
