//! Any answer is read without a panic, and what is read of it has the form of an edit.
#![no_main]

use libfuzzer_sys::fuzz_target;
use lore_distill::curator::{read_answer, read_second_look};

fuzz_target!(|text: &str| {
    read_second_look(text);
    let Ok(answer) = read_answer(text) else { return };
    for edit in answer.edits.iter().filter_map(|(_, edit)| edit.as_ref().ok()) {
        assert!((1..=8).contains(&edit.lines.len()) && edit.lines.iter().all(|line| *line > 0));
        assert!(edit.said().chars().count() <= 520);
        let written = serde_json::json!({ "packet": "p", "edits": [edit] }).to_string();
        let again = read_answer(&written).expect("what was read can be written");
        assert_eq!(again.edits[0].1.as_ref(), Ok(edit), "and reads back");
    }
});
