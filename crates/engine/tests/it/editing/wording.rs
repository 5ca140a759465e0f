//! What is taken and could be said better goes back once, without the packet.

use lore_core::ProofMark;
use lore_core::text::tokens;
use lore_engine::curator::EditSubmission;
use lore_testutils::ScriptedModel;
use serde_json::{Value, json};

use super::{Scripted, USUAL, answer, run, written};
use crate::stage::{Stage, usual};

const TWO: &str = "Log lines are JSON; one object per line";
const ONE: &str = "Log lines are written as JSON";

/// Answers as usual, with a title that says two things.
fn clumsy(text: &str) -> Value {
    let mut answer: Value = serde_json::from_str(&answer(text, USUAL)).expect("is JSON");
    answer["edits"][2]["title"] = TWO.into();
    answer
}

/// Writes the third edit of an answer once more, as it is asked for.
fn again(packet: &str, mut edit: Value, change: impl Fn(&mut Value)) -> String {
    edit["n"] = 3.into();
    change(&mut edit);
    let looks = json!({ "1": "entailed", "2": "entailed", "3": "entailed" });
    json!({ "packet": packet, "edits": [edit], "looks": looks }).to_string()
}

fn asked_twice(stage: &Stage, change: impl Fn(&mut Value) + Send + Sync + 'static) -> (usize, usize, usize) {
    let model = Scripted(ScriptedModel::new(move |_, text| {
        // The edit stands in the request, for whoever is asked remembers nothing.
        let shown = text.lines().find_map(|line| line.strip_prefix("3: "));
        let Some(edit) = shown.and_then(|edit| serde_json::from_str(edit).ok()) else {
            return Ok(clumsy(text).to_string());
        };
        Ok(again(&ScriptedModel::packet_in(text), edit, &change))
    }));
    let report = run(stage, &model);
    assert_eq!(written(&report).len(), 3, "{report:#?}");
    assert!(written(&report).iter().all(|(_, mark)| *mark == ProofMark::Applied), "{report:#?}");
    let asked = model.0.asked();
    assert_eq!(asked.len(), 2, "{asked:#?}");
    (tokens(&asked[0]), tokens(&asked[1]), report.tokens_in)
}

#[test]
fn the_second_request_is_small_and_counted() {
    let stage = usual();
    let (packet, request, spent) = asked_twice(&stage, |edit| edit["title"] = ONE.into());
    assert!(request * 2 < packet, "{request} of {packet}");
    assert!(spent >= packet + request, "{spent}");
    let (_, text) = stage.article_with("Log lines are always written");
    assert!(text.contains(ONE) && !text.contains(TWO), "{text}");
    assert_eq!(stage.articles().len(), 3);
}

#[test]
fn words_that_the_lines_do_not_say_leave_it_as_it_was() {
    let stage = usual();
    asked_twice(&stage, |edit| edit["text"] = "Log lines go to Splunk as JSON.".into());
    let (_, text) = stage.article_with("Log lines are always written");
    assert!(text.contains(TWO) && !text.contains("Splunk"), "{text}");
}

#[test]
fn an_agent_is_asked_with_everything_else() {
    let stage = usual();
    let engine = stage.engine().for_agent("robin");
    let packet = engine.next_packet(&super::sessions(), None).expect("is handed out");
    let first = clumsy(&packet.text);
    let submit = |json: String| engine.submit_edits(&EditSubmission { json, ..EditSubmission::default() });
    let asked = submit(first.to_string()).expect("is read").ask.expect("something is asked");
    assert!(asked.contains("- 3, new") && asked.contains("more than one thing"), "{asked}");
    assert!(stage.articles().is_empty(), "nothing is written yet");
    let done =
        submit(again(first["packet"].as_str().expect("it has one"), first["edits"][2].clone(), |edit| {
            edit["title"] = ONE.into()
        }))
        .expect("is written");
    assert_eq!((done.ask, done.outcome.written()), (None, 3), "{:#?}", done.outcome);
    let (_, text) = stage.article_with("Log lines are always written");
    assert!(text.contains(ONE) && !text.contains(TWO), "{text}");
}
