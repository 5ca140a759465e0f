//! A run that is killed at any moment: the base is whole, no packet is written twice, no session is lost.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use lore_engine::curator::EditOptions;
use lore_testutils::ScriptedModel;
use serde_json::{Value, json};

use super::{Scripted, USUAL, answer, backlog, editor, options, run_with};
use crate::stage::{Stage, usual};

/// Edits, and then changes what was edited before, so that packets touch each other's files.
fn changing() -> Scripted {
    Scripted(ScriptedModel::new(|_, text| {
        let mut whole: Value = serde_json::from_str(&answer(text, USUAL)).expect("is JSON");
        let known =
            text.lines().find(|line| line.starts_with('e') && line.contains("Money in integer cents"));
        let line = ScriptedModel::line_with(text, "PostgreSQL queue table");
        if let (Some(known), Some(line)) = (known, line) {
            let entry = known.split_whitespace().next().unwrap_or_default();
            let more = json!({ "op": "adds", "entry": entry, "lines": [line],
                "text": "Confirmation mails use the existing PostgreSQL queue table." });
            whole["edits"].as_array_mut().expect("is a list").push(more);
        }
        Ok(whole.to_string())
    }))
}

/// Kills a run at each of its points, lets another finish it, and compares.
fn check(made: impl Fn() -> Stage, model: impl Fn() -> Scripted, apart: bool) -> usize {
    let options = EditOptions { apart, ..options() };
    let undisturbed = made();
    run_with(&undisturbed, &model(), &options);
    let expected = undisturbed.articles();
    assert!(!expected.is_empty());
    let mut deaths = 0;
    for at in 0..400 {
        let stage = made();
        let count = AtomicUsize::new(0);
        let die = move |_| {
            let now = count.fetch_add(1, Ordering::SeqCst);
            if now == at { panic!("killed at point {at}") } else { Ok(()) }
        };
        let engine = stage.engine().with_fault(Arc::new(die));
        let job = AssertUnwindSafe(|| engine.edit_with(&model(), &options, &|_| {}, &|_, _| {}));
        if catch_unwind(job).is_ok() {
            break;
        }
        drop(engine);
        deaths += 1;
        let found = stage.engine().check(lore_engine::check::Fix::No).expect("can be checked");
        assert_eq!(found.diagnostics, [], "killed at point {at}");
        run_with(&stage, &model(), &options);
        run_with(&stage, &model(), &options);
        assert_eq!(stage.articles(), expected, "killed at point {at}");
        assert!(backlog(&stage.engine()).sessions.is_empty(), "killed at point {at}");
        let mut packets: BTreeMap<String, usize> = BTreeMap::new();
        for (path, text) in stage.base().iter().filter(|(path, _)| path.contains("ledger")) {
            for line in text.lines().filter(|line| line.contains("\tp-")) {
                let packet = line.rsplit('\t').next().unwrap_or_default();
                let session = line.split('\t').nth(1).unwrap_or_default();
                *packets.entry(format!("{path} {packet} {session}")).or_default() += 1;
            }
        }
        assert!(packets.values().all(|count| *count == 1), "killed at point {at}: {packets:?}");
    }
    deaths
}

// Four runs of different shape, together well over two hundred deaths.
#[test]
fn a_death_between_packets_of_one_session_each() {
    let deaths = check(usual, || editor(USUAL), true);
    assert!(deaths >= 60, "only {deaths} points were passed");
}

#[test]
fn a_death_in_a_packet_of_several_sessions() {
    let deaths = check(usual, || editor(USUAL), false);
    assert!(deaths >= 20, "only {deaths} points were passed");
}

#[test]
fn a_death_between_packets_that_touch_the_same_entry() {
    let deaths = check(usual, changing, true);
    assert!(deaths >= 60, "only {deaths} points were passed");
}

#[test]
fn a_death_after_rules_have_read_the_sessions() {
    let made = || {
        let stage = usual();
        stage.curate();
        stage
    };
    let deaths = check(made, changing, true);
    assert!(deaths >= 60, "only {deaths} points were passed");
}
