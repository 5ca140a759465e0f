//! What was taken back of an editor's work, and what came twice in one answer.

use lore_core::{Op, ProofMark};
use lore_engine::curate::CurateOptions;
use lore_engine::curator::EditSubmission;
use serde_json::{Value, json};

use super::{USUAL, answer, backlog, editor, run, sessions};
use crate::stage::{Stage, usual};

fn submit(stage: &Stage, json: &Value) -> lore_engine::curator::SubmittedEdits {
    let submission = EditSubmission { json: json.to_string(), ..EditSubmission::default() };
    stage.engine().for_agent("robin").submit_edits(&submission).expect("is taken")
}

fn fetch(stage: &Stage) -> String {
    stage.engine().for_agent("robin").next_packet(&sessions(), None).expect("is handed out").text
}

fn read_again(stage: &Stage) {
    let options = CurateOptions { bootstrap: true, filter: sessions(), ..CurateOptions::default() };
    stage.engine().curate(&options, &|_, _| {}).expect("can be curated");
}

/// The hint named a command after which no session waited for an editor.
#[test]
fn what_was_taken_back_waits_for_an_editor_again_once_it_is_asked_for() {
    let stage = usual();
    let made = run(&stage, &editor(USUAL)).run.expect("something was written");
    let undone = stage.engine().undo(Some(&made), false).expect("can be taken back");
    assert!(undone.edited && undone.read_sessions, "{undone:#?}");
    assert!(backlog(&stage.engine()).sessions.is_empty(), "not by itself");
    read_again(&stage);
    assert_eq!(backlog(&stage.engine()).sessions.len(), 3);
    let again = run(&stage, &editor(USUAL));
    assert!(again.run.is_some(), "{again:#?}");
    stage.article_with("Log lines as JSON");
    assert!(backlog(&stage.engine()).sessions.is_empty());
    read_again(&stage);
    assert!(backlog(&stage.engine()).sessions.is_empty(), "what nobody took back counts");
}

#[test]
fn who_brings_an_undone_run_back_has_nothing_to_edit_again() {
    let stage = usual();
    let made = run(&stage, &editor(USUAL)).run.expect("something was written");
    let undone = stage.engine().undo(Some(&made), false).expect("can be taken back");
    stage.engine().undo(undone.undone_by.as_deref(), false).expect("can be brought back");
    read_again(&stage);
    assert!(backlog(&stage.engine()).sessions.is_empty());
}

/// Questions of a run that was taken back could still be granted.
#[test]
fn the_questions_of_what_was_taken_back_go() {
    let stage = usual();
    let text = fetch(&stage);
    let mut edits: Value = serde_json::from_str(&answer(&text, USUAL)).expect("is JSON");
    edits["unsure"] = json!([{ "lines": [1], "question": "Are shares of a cent ever needed?" }]);
    let mut done = submit(&stage, &edits);
    if done.ask.is_some() {
        let looks = json!({ "1": "entailed", "2": "entailed", "3": "entailed" });
        done = submit(&stage, &json!({ "packet": edits["packet"], "edits": [], "looks": looks }));
    }
    assert_eq!(stage.engine().edit_questions().len(), 1);
    stage.engine().undo(done.outcome.run.as_deref(), false).expect("can be taken back");
    assert_eq!(stage.engine().edit_questions().len(), 0);
}

#[test]
fn the_same_edit_twice_is_told_as_the_same() {
    let stage = usual();
    let text = fetch(&stage);
    let mut edits: Value = serde_json::from_str(&answer(&text, &USUAL[2..])).expect("is JSON");
    let twice = edits["edits"][0].clone();
    edits["edits"] = json!([twice, twice]);
    let mut done = submit(&stage, &edits);
    if done.ask.is_some() {
        let looks = json!({ "1": "entailed", "2": "entailed" });
        done = submit(&stage, &json!({ "packet": edits["packet"], "edits": [], "looks": looks }));
    }
    let told: Vec<(Op, ProofMark)> = done.outcome.edits.iter().map(|edit| (edit.op, edit.mark)).collect();
    assert_eq!(told, [(Op::New, ProofMark::Applied), (Op::Same, ProofMark::Lowered)], "{done:#?}");
    assert_eq!(done.outcome.edits[0].entry, done.outcome.edits[1].entry);
    let why = done.outcome.edits[1].why.as_deref().unwrap_or_default();
    assert!(why.contains("edit 1 of this answer says the same"), "{why}");
}

/// A corrected edit became a question, because nobody had looked at the correction.
#[test]
fn an_edit_that_comes_back_in_other_words_has_been_looked_at() {
    let stage = usual();
    let text = fetch(&stage);
    let mut edits: Value = serde_json::from_str(&answer(&text, &USUAL[2..])).expect("is JSON");
    edits["edits"][0]["text"] = "Log lines are not written as JSON, one object per line.".into();
    let asked = submit(&stage, &edits);
    assert!(asked.ask.is_some_and(|ask| ask.contains("CLAIM 1")), "a turned “not” is looked at");
    edits["edits"][0]["text"] = "Log lines are never written but as JSON, one object per line.".into();
    edits["edits"][0]["n"] = 1.into();
    let done = submit(&stage, &edits);
    assert_eq!((done.ask.as_ref(), done.outcome.questions), (None, 0), "{done:#?}");
    stage.article_with("Log lines as JSON");
}
