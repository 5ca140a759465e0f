//! An agent that fetches packets and hands edits in.

use lore_engine::Engine;
use lore_engine::curator::EditSubmission;
use serde_json::json;

use super::{USUAL, answer, backlog, sessions};
use crate::stage::{Stage, usual};

fn submission(json: String) -> EditSubmission {
    EditSubmission { json, ..EditSubmission::default() }
}

fn agent(stage: &Stage) -> Engine {
    stage.engine().for_agent("robin")
}

#[test]
fn a_packet_goes_out_comes_back_and_nothing_is_left() {
    let stage = usual();
    let engine = agent(&stage);
    let handed = engine.next_packet(&sessions(), None).expect("is handed out");
    assert_eq!((handed.left, handed.taken), (3, 0));
    let mut done = engine.submit_edits(&submission(answer(&handed.text, USUAL))).expect("is taken");
    if let Some(ask) = &done.ask {
        assert!(ask.contains("CLAIM "), "only a second look is asked for: {ask}");
        assert!(stage.articles().is_empty(), "nothing is written yet");
        let looks = json!({ "packet": handed.packet, "edits": [],
            "looks": { "1": "entailed", "2": "entailed", "3": "entailed" } });
        done = engine.submit_edits(&submission(looks.to_string())).expect("is taken");
    }
    assert_eq!((done.ask.as_ref(), done.left, done.outcome.edits.len()), (None, 0, 3), "{done:#?}");
    let (_, text) = stage.article_with("Log lines as JSON");
    assert!(text.contains("by: agent robin"), "{text}");
    let again = engine.submit_edits(&submission(answer(&handed.text, USUAL))).expect("is harmless");
    assert!(again.outcome.already && again.outcome.edits == done.outcome.edits, "{again:#?}");
    assert_eq!(engine.next_packet(&sessions(), None).expect("asks").packet, None);
}

#[test]
fn two_agents_get_different_packets_and_what_one_drops_comes_back() {
    let mut stage = Stage::new();
    for number in 0..6 {
        let long = format!(
            "We decided that gate {number} stays shut. {}",
            "The reasons are many and long. ".repeat(300)
        );
        stage.session(
            &format!("s-{number}"),
            number,
            &[("user", &long), ("assistant", "Agreed, the gate stays shut.")],
        );
    }
    let (ada, bob) = (agent(&stage), agent(&stage));
    let small = Some(3_000);
    let first = ada.next_packet(&sessions(), small).expect("is handed out");
    let second = bob.next_packet(&sessions(), small).expect("is handed out");
    assert_ne!(first.packet, second.packet);
    assert!(second.taken >= 1);
    let empty =
        |packet: &lore_core::PacketId| submission(json!({ "packet": packet, "edits": [] }).to_string());
    let packet = second.packet.expect("there is one");
    bob.submit_edits(&empty(&packet)).expect("is taken");
    // The first one never comes back; after its time another gets it.
    stage.day = 1;
    let late = agent(&stage).next_packet(&sessions(), small).expect("is handed out");
    assert_eq!(late.packet, first.packet, "the same records under the same name");
    let mut rounds = 0;
    let mut next = late;
    while let Some(packet) = next.packet.take() {
        let engine = agent(&stage);
        engine.submit_edits(&empty(&packet)).expect("is taken");
        next = engine.next_packet(&sessions(), small).expect("is handed out");
        rounds += 1;
        assert!(rounds < 40, "it ends");
    }
    assert!(backlog(&stage.engine()).sessions.is_empty());
    let stale = ada.submit_edits(&empty(&first.packet.expect("there was one"))).expect("is harmless");
    assert!(stale.outcome.already);
}

#[test]
fn what_was_refused_or_needs_a_look_is_asked_once() {
    let stage = usual();
    let engine = agent(&stage);
    let handed = engine.next_packet(&sessions(), None).expect("is handed out");
    let mut first: serde_json::Value = serde_json::from_str(&answer(&handed.text, USUAL)).expect("is JSON");
    let line = first["edits"][0]["lines"][0].clone();
    first["edits"][0]["text"] = "Money is kept in Oracle 12 on server-9.".into();
    let before = stage.base();
    let asked = engine.submit_edits(&submission(first.to_string())).expect("is read");
    let ask = asked.ask.expect("a better wording is asked for");
    assert!(ask.contains("Oracle"), "{ask}");
    assert_eq!(stage.base(), before, "nothing is written yet");
    let mended = json!({ "packet": first["packet"], "looks": { "2": "entailed", "3": "entailed", "4": "entailed" },
        "edits": [{ "op": "new", "kind": "preference", "title": "Money in integer cents",
            "text": "Floating point is never used for money; all amounts are integer cents.",
            "lines": [line], "decided_by": "person" }] });
    let done = engine.submit_edits(&submission(mended.to_string())).expect("is taken");
    assert_eq!(done.ask, None, "{done:#?}");
    stage.article_with("Money in integer cents");
    stage.article_with("Log lines as JSON");
}

/// A network that sends a thing twice used up the second look.
#[test]
fn the_same_handed_in_again_gets_the_same_answer_and_uses_nothing_up() {
    let stage = usual();
    let engine = agent(&stage);
    let handed = engine.next_packet(&sessions(), None).expect("is handed out");
    let mut first: serde_json::Value = serde_json::from_str(&answer(&handed.text, USUAL)).expect("is JSON");
    let line = first["edits"][0]["lines"][0].clone();
    first["edits"][0]["text"] = "Money is kept in Oracle 12 on server-9.".into();
    let first = first.to_string();
    let asked = engine.submit_edits(&submission(first.clone())).expect("is read");
    assert!(asked.ask.is_some(), "{asked:#?}");
    for _ in 0..2 {
        assert_eq!(engine.submit_edits(&submission(first.clone())).expect("is read"), asked);
    }
    assert!(stage.articles().is_empty(), "nothing is written yet");
    let mended = json!({ "packet": handed.packet, "looks": { "2": "entailed", "3": "entailed" },
        "edits": [{ "op": "new", "kind": "preference", "title": "Money in integer cents",
            "text": "Floating point is never used for money; all amounts are integer cents.",
            "lines": [line], "decided_by": "person" }] })
    .to_string();
    let done = engine.submit_edits(&submission(mended.clone())).expect("is taken");
    assert_eq!(done.ask, None, "{done:#?}");
    let written = stage.base();
    for json in [mended, first] {
        let again = engine.submit_edits(&submission(json)).expect("is harmless");
        assert!(again.again && again.outcome.already, "{again:#?}");
        assert_eq!((&again.outcome.edits, &again.outcome.run), (&done.outcome.edits, &done.outcome.run));
    }
    let other = json!({ "packet": handed.packet, "edits": [] }).to_string();
    let other = engine.submit_edits(&submission(other)).expect("is harmless");
    assert!(other.outcome.already && !other.again && other.outcome.edits.is_empty(), "{other:#?}");
    assert_eq!(stage.base(), written);
}

#[test]
fn of_a_claim_that_its_lines_say_in_part_that_part_is_written() {
    let stage = usual();
    let engine = agent(&stage);
    let handed = engine.next_packet(&sessions(), None).expect("is handed out");
    let mut first: serde_json::Value = serde_json::from_str(&answer(&handed.text, USUAL)).expect("is JSON");
    let said = first["edits"][2]["text"].as_str().expect("is text").to_owned();
    let more = said.replace('.', " (insurers demand yearly certificates anyway).");
    first["edits"][2]["text"] = more.into();
    let asked = engine.submit_edits(&submission(first.to_string())).expect("is read");
    assert!(asked.ask.is_some_and(|ask| ask.contains("CLAIM 3")), "nobody said anything of insurers");
    let looks = json!({ "packet": first["packet"], "edits": [],
        "looks": { "1": "entailed", "2": "entailed", "3": { "partly": said } } });
    let done = engine.submit_edits(&submission(looks.to_string())).expect("is taken");
    assert_eq!(done.outcome.questions, 0, "{done:#?}");
    let (_, text) = stage.article_with("Log lines as JSON");
    assert!(text.contains(&said) && !text.contains("insurers"), "{text}");
}

#[test]
fn strange_names_and_answers_are_refused_with_a_next_step() {
    let stage = usual();
    let engine = agent(&stage);
    for (json, expected) in [
        ("nonsense", "cannot be read"),
        ("{\"packet\": \"p-000000000000\", \"edits\": []}", "there is no packet"),
        ("{\"packet\": \"../../desk\", \"edits\": []}", "there is no packet"),
    ] {
        let refused = engine.submit_edits(&submission(json.to_owned())).expect_err("is refused");
        assert!(refused.to_string().contains(expected), "{json}: {refused}");
    }
}

#[test]
fn a_session_is_told_once_a_day_that_enough_waits() {
    let stage = Stage::new();
    for number in 0..5 {
        stage.session(&format!("s-{number}"), number, crate::stage::MONEY);
    }
    backlog(&stage.engine());
    let begin = |stage: &Stage| {
        let message = json!({ "session_id": "s-new", "hook_event_name": "SessionStart", "source": "startup",
            "cwd": stage.project(), "transcript_path": stage.project().join("none.jsonl") });
        let reply = lore_engine::hook::answer(
            stage.world(),
            "claude-code",
            "session-start",
            message.to_string().as_bytes(),
        );
        reply.output.unwrap_or_default()
    };
    stage.engine().query(&lore_core::recall::Query::text("money")).expect("makes the index");
    let said = begin(&stage);
    assert!(said.contains("5 sessions wait to be curated (about ") && said.contains("): /curate"), "{said}");
    let reply: serde_json::Value = serde_json::from_str(&said).expect("is JSON");
    let given = reply["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned();
    assert!(lore_core::sentinel::inside(&given).is_some(), "one fence around all of it: {given}");
    let told = stage.engine().told(None, None).expect("can be listed");
    assert_eq!(told.last().map(|telling| telling.text.as_str()), Some(given.as_str()), "and told as given");
    assert!(!begin(&stage).contains("wait to be curated"), "once a day");
    let tomorrow = Stage { day: 1, ..stage };
    assert!(begin(&tomorrow).contains("wait to be curated"));
}
