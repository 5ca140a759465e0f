//! Signals and reflection on the command line.

use serde_json::json;

use crate::desk::Desk;

/// Writes a session in which one command fails three times.
fn failing(desk: &Desk, id: &str, day: u32, command: &str) {
    let mut text = String::new();
    let mut add = |number: usize, kind: &str, message: serde_json::Value| {
        let record = json!({
            "uuid": format!("{id}-{number}"),
            "parentUuid": number.checked_sub(1).map(|before| format!("{id}-{before}")),
            "sessionId": id, "isSidechain": false, "cwd": desk.project(), "version": "2.0.0",
            "timestamp": format!("2026-02-{day:02}T09:{number:02}:00Z"), "type": kind, "message": message,
        });
        text.push_str(&format!("{record}\n"));
    };
    add(0, "user", json!({"role": "user", "content": "go on with the boat"}));
    for round in 0..3 {
        let call = format!("t{round}");
        let used = json!({"type": "tool_use", "id": call, "name": "Bash", "input": {"command": command}});
        let said = json!({"type": "tool_result", "tool_use_id": call, "is_error": true,
            "content": "error: the tar is missing"});
        let model = json!({"role": "assistant", "id": format!("m{round}"), "model": "m", "content": [used]});
        add(1 + 2 * round, "assistant", model);
        add(2 + 2 * round, "user", json!({"role": "user", "content": [said]}));
    }
    desk.write(&format!("sessions/{id}.jsonl"), &text);
}

#[test]
fn friction_is_noticed_written_and_moved() {
    let desk = Desk::with_base();
    failing(&desk, "s-1", 10, "make hull");
    insta::assert_snapshot!(
        "sense_explained",
        desk.lore(&["sense", "--sessions", "sessions", "--dry-run", "--explain"])
    );
    assert_eq!(desk.lore(&["sense", "--sessions", "sessions"]).code, 0);
    insta::assert_snapshot!("signal_notes", desk.lore(&["signal", "list", "--notes"]));
    failing(&desk, "s-2", 11, "make hull");
    insta::assert_snapshot!("sense", desk.lore(&["sense", "--sessions", "sessions"]));
    insta::assert_snapshot!("signal_list", desk.lore(&["signal", "list"]));
    let listed = desk.lore(&["signal", "list", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&listed.out).expect("is JSON");
    assert_eq!((&value["schema"], &value["total"]), (&json!("lore.signals/1"), &json!(1)));
    let id = value["signals"][0]["handle"].as_str().expect("has a short name").to_owned();
    insta::assert_snapshot!("signal_verify_refused", desk.lore(&["signal", "verify", &id]));
    insta::assert_snapshot!("signal_triage", desk.lore(&["signal", "triage", &id, "--why", "buy tar"]));
    let agent = [("LORE_AGENT", "robin")];
    let refused = desk.run(&["signal", "invalidate", &id], &agent);
    assert_eq!(refused.code, 2, "an agent settles nothing: {refused}");
    let shown = desk.lore(&["signal", "show", &id]);
    assert!(shown.out.contains("detected → triaged, by human:"), "{shown}");
}

#[test]
fn a_signal_is_written_by_hand_and_what_it_says_stays() {
    let desk = Desk::with_base();
    let told = ["signal", "add", "The anchor drags", "--type", "struggle", "--severity", "low"];
    insta::assert_snapshot!("signal_add", desk.lore(&told));
    let text = desk.read("knowledge/signals/2026-02/the-anchor-drags.md");
    assert!(text.contains("severity: low") && text.contains("signal_type: struggle"), "{text}");
    let wrong = desk.lore(&["signal", "add", "x", "--severity", "awful"]);
    assert_eq!(wrong.code, 2, "{wrong}");
    assert!(wrong.err.contains("critical"), "{wrong}");
}

#[test]
fn what_recurs_is_reflected_upon() {
    let desk = Desk::with_base();
    for (number, command) in ["make hull", "make deck", "make keel"].into_iter().enumerate() {
        let day = u32::try_from(number).expect("few") * 2 + 3;
        failing(&desk, &format!("a-{number}"), day, command);
        failing(&desk, &format!("b-{number}"), day + 1, command);
    }
    assert_eq!(desk.lore(&["sense", "--sessions", "sessions"]).code, 0);
    insta::assert_snapshot!("reflect", desk.lore(&["reflect"]));
    let again = desk.lore(&["reflect", "--due"]);
    assert!(again.err.contains("Not due"), "{again}");
}

/// An editor as a shell script, which words the only lesson it is shown.
#[cfg(unix)]
fn wording(desk: &Desk, recommendation: &str) {
    let text = format!(
        r#"#!/bin/sh
prompt=$(cat)
case "$prompt" in *'CLAIM '*) printf '{{"looks":{{"0":"entailed","1":"entailed","2":"entailed"}}}}'; exit 0;; esac
name=$(printf '%s' "$prompt" | grep -o 'Packet p-[0-9a-f]*' | head -n 1 | cut -d' ' -f2)
printf '{{"packet":"%s","lessons":[{{"n":1,"title":"Missing tar stops make","lesson":"`make hull`, `make deck` and `make keel` stop with “error: the tar is missing”.","applies":"Before running make.","recommendation":"{recommendation}","lines":[1,2,3]}}]}}' "$name"
"#
    );
    desk.write("words.sh", &text);
    let line = format!("mine=sh {}", desk.project().join("words.sh").display());
    assert_eq!(desk.lore(&["config", "set", "--whose", "user", "curate.editors", &line]).code, 0);
}

#[cfg(unix)]
#[test]
fn lessons_are_worded_by_an_editor_of_the_users() {
    let desk = Desk::with_base();
    for (number, command) in ["make hull", "make deck", "make keel"].into_iter().enumerate() {
        let day = u32::try_from(number).expect("few") * 2 + 3;
        failing(&desk, &format!("a-{number}"), day, command);
        failing(&desk, &format!("b-{number}"), day + 1, command);
    }
    assert_eq!(desk.lore(&["sense", "--sessions", "sessions"]).code, 0);
    let unknown = desk.lore(&["reflect", "--with", "nobody"]);
    assert_eq!(unknown.code, 2, "{unknown}");
    assert!(unknown.err.contains("nobody knows how to ask `nobody`"), "{unknown}");
    wording(&desk, "Install `gnu_tarball` before running `make hull`.");
    insta::assert_snapshot!("reflect_with_refused", desk.lore(&["reflect", "--with", "mine", "--dry-run"]));
    wording(&desk, "Deal with the missing tar before running `make hull` again.");
    insta::assert_snapshot!("reflect_with", desk.lore(&["reflect", "--with", "mine"]));
    let again = desk.lore(&["reflect", "--with", "mine", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&again.out).expect("is JSON");
    assert_eq!(
        (&value["schema"], &value["wording"]["asked"]),
        (&json!("lore.reflect/1"), &json!(0)),
        "{again}"
    );
}
