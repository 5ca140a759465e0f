//! Whatever stands in a file, reading it neither panics nor fails, and reading it in two steps
//! reports the same as reading it in one.
#![no_main]

use std::path::Path;

use libfuzzer_sys::fuzz_target;
use lore_capture::resume::{Reported, difference};
use lore_capture::{Input, ReadOptions, readers};
use lore_core::Session;

fuzz_target!(|data: &[u8]| {
    let whole = read(data);
    for session in &whole {
        for turn in &session.turns {
            assert!(turn.blocks.iter().all(|block| !block.text.trim().is_empty()));
        }
    }
    let mut reported = Reported::default();
    if let Some(session) = read(&data[..data.len() / 2]).into_iter().next() {
        let _ = difference(session, &mut reported);
    }
    for session in whole {
        let _ = difference(session.clone(), &mut reported);
        assert!(difference(session, &mut reported).is_none(), "nothing is reported twice");
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
