//! Weak models: whatever they answer, nothing wrong is written and nothing is lost.

use std::sync::atomic::{AtomicU64, Ordering};

use lore_core::{Op, ProofMark};
use lore_engine::curator::EditOptions;
use lore_testutils::ScriptedModel;
use serde_json::{Value, json};

use super::{Scripted, USUAL, answer, backlog, editor, options, run, run_with, written};
use crate::stage::{Stage, usual};

/// Words that nobody said.
const MADE_UP: [&str; 5] = ["Oracle", "server-9", "Kubernetes", "4711", "Terraform"];

/// A small generator, the same on every machine.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }
}

/// Answers a packet badly, in one of many ways.
fn bad(text: &str, seed: u64) -> String {
    let mut dice = Dice(seed);
    let mut whole: Value = serde_json::from_str(&answer(text, USUAL)).expect("is JSON");
    let many = whole["edits"].as_array().map_or(0, Vec::len) as u64;
    // A request for better words shows some lines only, perhaps none of those that are known here.
    let rounds = if many == 0 { 0 } else { dice.roll(3) + 1 };
    for _ in 0..rounds {
        let at = dice.roll(many) as usize;
        let name = MADE_UP[dice.roll(5) as usize];
        let edit = &mut whole["edits"][at];
        match dice.roll(11) {
            0 => edit["kind"] = "wisdom".into(),
            1 => edit["lines"] = json!([999]),
            2 => edit["lines"] = json!([]),
            3 => edit["text"] = format!("{name} holds all of it.").into(),
            4 => {
                edit["text"] =
                    format!("{} It runs on {name}.", edit["text"].as_str().unwrap_or_default()).into()
            }
            5 => edit["title"] = "word ".repeat(40).into(),
            6 => edit["text"] = "One. Two. Three. Four. Five subjects in one.".into(),
            7 => edit["op"] = "supersedes".into(),
            8 => edit["entry"] = "e99".into(),
            9 => edit["lines"] = json!("all"),
            _ => edit["was"] = json!({ "text": format!("{name} was used."), "lines": [1] }),
        }
    }
    let text = whole.to_string();
    match dice.roll(8) {
        0 => "I'm sorry, I cannot help with that.".to_owned(),
        1 => text.chars().take(dice.roll(text.len() as u64) as usize).collect(),
        2 => text.replace("\"p-", "\"p-0"),
        3 => format!("Sure, here it is:\n```json\n{text}\n```\nAnything else?"),
        4 => String::new(),
        _ => text,
    }
}

#[test]
fn nothing_made_up_is_written_and_no_session_is_lost() {
    let made_up = |text: &str| MADE_UP.iter().any(|name| text.contains(name));
    for seed in 0..60 {
        let stage = usual();
        let count = AtomicU64::new(0);
        let model = Scripted(ScriptedModel::new(move |_, text| {
            Ok(bad(text, seed * 1_000 + count.fetch_add(1, Ordering::SeqCst)))
        }));
        let apart = EditOptions { apart: true, insist: true, ..options() };
        let mut edited = 0;
        for _ in 0..2 {
            let report = run_with(&stage, &model, &apart);
            edited += report.packets.len();
        }
        for (path, text) in stage.articles() {
            assert!(!made_up(&text), "seed {seed}: {path}\n{text}");
        }
        let waiting = backlog(&stage.engine());
        let done = stage.engine().status().expect("has one").editing.edited;
        assert_eq!(waiting.sessions.len() + waiting.given_up + done, 3, "seed {seed}: {edited} packets");
        // What waits is edited by a better one.
        let rest = waiting.sessions.len();
        let good = run_with(&stage, &editor(USUAL), &apart);
        assert_eq!(good.packets.len(), rest, "seed {seed}");
    }
}

#[test]
fn an_answer_that_cannot_be_read_is_asked_for_once_more() {
    let stage = usual();
    let model = Scripted(ScriptedModel::new(|number, text| {
        Ok(if number == 0 { "{\"edits\": 3}".to_owned() } else { answer(text, USUAL) })
    }));
    let report = run(&stage, &model);
    assert_eq!(written(&report), [(Op::New, ProofMark::Applied); 3], "{report:#?}");
    let asked = model.0.asked();
    assert!(asked[1].contains("could not be taken: `edits` is not a list"), "{}", asked[1]);
}

#[test]
fn a_packet_that_fails_three_times_is_left_to_rules() {
    let stage = usual();
    let model = Scripted(ScriptedModel::always("no"));
    for round in 0..4 {
        let report = run(&stage, &model);
        assert_eq!(report.packets, [], "{report:#?}");
        assert_eq!(model.0.asked().len(), 2 * (round + 1).min(3), "twice a round, three rounds");
    }
    let waiting = backlog(&stage.engine());
    assert_eq!((waiting.sessions.len(), waiting.given_up), (0, 3));
    assert!(!stage.curate().created.is_empty(), "rules read them all the same");
}

#[test]
fn a_cut_answer_gives_what_is_whole_and_a_smaller_packet() {
    let stage = Stage::new();
    let turns: Vec<(String, String)> = (0..24)
        .map(|n| {
            (
                format!(
                    "The gate {n} is always shut at {n} minutes past, never earlier. {}",
                    "It was so before. ".repeat(40)
                ),
                "Understood, it stays so.".to_owned(),
            )
        })
        .collect();
    let turns: Vec<(&str, &str)> = turns
        .iter()
        .flat_map(|(said, answered)| [("user", said.as_str()), ("assistant", answered.as_str())])
        .collect();
    stage.session("s-1", 1, &turns);
    let model = Scripted(ScriptedModel::new(|number, text| {
        let line = ScriptedModel::line_with(text, "The gate ").unwrap_or(1);
        let record = text.split("\nRECORD ").nth(1).unwrap_or_default();
        let gate: String = record
            .split("The gate ")
            .nth(1)
            .unwrap_or_default()
            .chars()
            .take_while(char::is_ascii_digit)
            .collect();
        let edit = json!({ "op": "new", "kind": "preference", "title": format!("Gate {gate} is shut on time"),
            "text": format!("The gate {gate} is always shut at {gate} minutes past, never earlier."), "lines": [line], "decided_by": "person" });
        let whole = json!({ "packet": ScriptedModel::packet_in(text), "edits": [edit] }).to_string();
        Ok(if number == 0 {
            format!("{},{{\"op\":\"new\",\"ti", whole.trim_end_matches("]}"))
        } else {
            whole
        })
    }));
    let report = run(&stage, &model);
    let asked = model.0.asked();
    assert!(asked.len() >= 2, "{report:#?}");
    assert!(
        asked[1].len() < asked[0].len(),
        "the next packet is smaller: {} {}",
        asked[0].len(),
        asked[1].len()
    );
    assert!(report.notes.iter().any(|note| note.contains("cut off")), "{report:#?}");
    let about_first = stage.articles().values().filter(|text| text.contains("Gate 0 is shut")).count();
    assert_eq!(about_first, 1, "what was whole is written, and once");
}

#[test]
fn a_model_of_which_nothing_can_be_taken_is_unfit() {
    let stage = usual();
    stage.session("s-4", 4, crate::stage::MONEY);
    let model = Scripted(ScriptedModel::new(|_, text| {
        let edit = json!({ "op": "new", "kind": "fact", "title": "Oracle holds it", "text": "Oracle holds all bookings.", "lines": [1] });
        Ok(json!({ "packet": ScriptedModel::packet_in(text), "edits": [edit] }).to_string())
    }));
    let report = run_with(&stage, &model, &EditOptions { apart: true, ..options() });
    assert_eq!(report.packets.len(), 3);
    assert!(report.stopped.as_deref().is_some_and(|why| why.contains("is not asked again")), "{report:#?}");
    assert!(stage.articles().is_empty());
    let again = run(&stage, &model);
    assert!(again.stopped.as_deref().is_some_and(|why| why.contains("unfit")), "{again:#?}");
    assert_eq!(stage.engine().status().expect("has one").editing.unfit.as_deref(), Some("scripted"));
}

#[test]
fn a_refused_edit_is_mended_once() {
    let stage = usual();
    let model = Scripted(ScriptedModel::new(|number, text| {
        let mut whole: Value = serde_json::from_str(&answer(text, USUAL)).expect("is JSON");
        if number == 0 {
            whole["edits"][2]["text"] =
                "Log lines are always written to Terraform, one object per line.".into();
        }
        Ok(whole.to_string())
    }));
    let report = run(&stage, &model);
    let asked = model.0.asked();
    assert_eq!(asked.len(), 2, "{report:#?}");
    assert!(asked[1].contains("always write log lines"), "its lines: {}", asked[1]);
    assert!(!asked[1].contains("Never use floating point"), "and not the packet: {}", asked[1]);
    assert!(asked[1].contains("Terraform"), "{}", asked[1]);
    stage.article_with("Log lines as JSON");
    assert!(stage.articles().values().all(|text| !text.contains("Terraform")));
}
