//! The reader of answers and the published schema agree.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::curator::answer::FIELDS;
use crate::curator::{EDITS_SCHEMA, INSTRUCTIONS, LOOKS_SCHEMA, NoEdits, read_answer, read_second_look};

/// Checks a value against the few words of JSON schema that ours is made of.
fn fits(value: &Value, schema: &Value) -> bool {
    let kind = schema.get("type").and_then(Value::as_str);
    let is_kind = match kind {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.as_f64().is_some_and(|n| n.fract() == 0.0),
        _ => true,
    };
    let size = |name: &str| schema.get(name).and_then(Value::as_u64).map(|n| usize::try_from(n).unwrap());
    let allowed = schema.get("enum").and_then(Value::as_array).is_none_or(|words| words.contains(value));
    let short =
        value.as_str().is_none_or(|text| size("maxLength").is_none_or(|most| text.chars().count() <= most));
    let least = schema.get("minimum").and_then(Value::as_f64);
    let large = value.as_f64().is_none_or(|n| least.is_none_or(|least| n >= least));
    let items = value.as_array().is_none_or(|list| {
        size("minItems").is_none_or(|least| list.len() >= least)
            && size("maxItems").is_none_or(|most| list.len() <= most)
            && list.iter().all(|item| schema.get("items").is_none_or(|schema| fits(item, schema)))
    });
    let fields = value.as_object().is_none_or(|fields| {
        let properties = schema.get("properties").and_then(Value::as_object);
        let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
        let closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
        required.filter_map(Value::as_str).all(|name| fields.contains_key(name))
            && fields.iter().all(|(name, value)| match properties.and_then(|known| known.get(name)) {
                Some(schema) => fits(value, schema),
                None => !closed,
            })
    });
    is_kind && allowed && short && large && items && fields
}

#[test]
fn reader_and_schema_agree() {
    let schema: Value = serde_json::from_str(EDITS_SCHEMA).unwrap();
    let check = |edit: Value, expected: bool| {
        let answer = json!({ "packet": "p-1", "edits": [edit] });
        assert_eq!(fits(&answer, &schema), expected, "schema on {answer}");
        let read = read_answer(&answer.to_string()).unwrap();
        assert_eq!(read.is_well_formed(), expected, "reader on {answer}: {:?}", read.edits);
    };
    check(json!({ "op": "new", "kind": "fact", "title": "t", "text": "x", "lines": [1] }), true);
    check(json!({ "op": "same", "entry": "e1", "lines": [1, 2, 3, 4, 5, 6, 7, 8] }), true);
    check(json!({ "op": "same", "entry": "e1", "lines": [2.0] }), true);
    check(json!({ "op": "new", "lines": [1], "mood": "good" }), true);
    check(json!({ "op": "new", "lines": [1], "was": { "text": "x", "lines": [] } }), true);
    check(
        json!({ "op": "new", "lines": [1], "decided_by": "agreed", "scope": "person", "reason": "r" }),
        true,
    );
    check(json!({ "op": "new", "lines": [] }), false);
    check(json!({ "op": "new", "lines": (1..=24).collect::<Vec<u32>>() }), true);
    check(json!({ "op": "new", "lines": (1..=25).collect::<Vec<u32>>() }), false);
    check(json!({ "op": "new", "lines": [0] }), false);
    check(json!({ "op": "new", "lines": [-3] }), false);
    check(json!({ "op": "new", "lines": [1.5] }), false);
    check(json!({ "op": "new", "lines": ["1"] }), false);
    check(json!({ "op": "new", "lines": "1" }), false);
    check(json!({ "op": "new" }), false);
    check(json!({ "lines": [1] }), false);
    check(json!({ "op": "New", "lines": [1] }), false);
    check(json!({ "op": "delete", "lines": [1] }), false);
    check(json!({ "op": 7, "lines": [1] }), false);
    check(json!({ "op": "new", "lines": [1], "kind": "lesson" }), false);
    check(json!({ "op": "new", "lines": [1], "kind": "facts" }), false);
    check(json!({ "op": "new", "lines": [1], "title": "x".repeat(113) }), false);
    check(json!({ "op": "new", "lines": [1], "text": "ä".repeat(650) }), true);
    check(json!({ "op": "new", "lines": [1], "text": "ä".repeat(651) }), false);
    check(json!({ "op": "new", "lines": [1], "reason": "x".repeat(301) }), false);
    check(json!({ "op": "new", "lines": [1], "text": ["x"] }), false);
    check(json!({ "op": "new", "lines": [1], "text": null }), false);
    check(json!({ "op": "new", "lines": [1], "entry": 3 }), false);
    check(json!({ "op": "new", "lines": [1], "decided_by": "unknown" }), false);
    check(json!({ "op": "new", "lines": [1], "scope": "world" }), false);
    check(json!({ "op": "new", "lines": [1], "was": "before" }), false);
    check(json!({ "op": "new", "lines": [1], "was": { "text": "x" } }), true);
    check(json!({ "op": "new", "lines": [1], "was": { "text": "x", "lines": [1], "why": "y" } }), false);
    check(json!({ "op": "new", "lines": [1], "was": { "text": "x".repeat(376), "lines": [1] } }), false);
    check(json!("new"), false);
    check(json!(null), false);
}

/// An editor that did as the packet says was turned away at a door that knew fewer fields.
#[test]
fn every_field_that_is_asked_for_is_in_the_schema() {
    let schema: Value = serde_json::from_str(EDITS_SCHEMA).unwrap();
    let fields = schema["properties"]["edits"]["items"]["properties"].as_object().unwrap();
    let known: BTreeSet<&str> = fields.keys().map(String::as_str).collect();
    assert_eq!(known, BTreeSet::from(FIELDS), "the reader takes what the schema names");
    let explained = INSTRUCTIONS.lines().filter_map(|line| line.split_once(": ")).map(|(name, _)| name);
    let is_field = |name: &&str| name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    let explained: Vec<&str> = explained.filter(is_field).collect();
    assert!(
        explained.contains(&"risk") && explained.iter().all(|name| known.contains(name)),
        "{explained:?}"
    );
    let example: Value = serde_json::from_str(INSTRUCTIONS.lines().last().unwrap()).unwrap();
    assert!(fits(&example, &schema), "{example}");
    let read = read_answer(&example.to_string()).unwrap();
    assert!(read.is_well_formed() && read.notes.is_empty(), "{read:?}");
}

#[test]
fn a_second_look_is_read_as_its_schema_says() {
    let schema: Value = serde_json::from_str(LOOKS_SCHEMA).unwrap();
    let words = schema["additionalProperties"]["anyOf"][0]["enum"].as_array().unwrap();
    let part = json!({ "partly": "x", "title": "y" });
    for said in words.iter().chain([&part]) {
        let answer = json!({ "packet": "p-1", "edits": [], "looks": { "1": said } }).to_string();
        assert_eq!(read_second_look(&answer).len(), 1, "{answer}");
        assert!(read_answer(&answer).unwrap().notes.is_empty(), "{answer}");
    }
}

#[test]
fn what_stands_around_the_edits_does_not_matter() {
    let edit = r#"{"op":"same","entry":"e1","lines":[2]}"#;
    let read = read_answer(&format!(
        "Of course! Here {{it}} is:\n```json\n{{\"packet\":\"p-1\",\"edits\":[{edit}],\"mood\":1}}\n```\nBye."
    ))
    .unwrap();
    assert_eq!((read.packet.as_deref(), read.edits.len(), read.notes.len()), (Some("p-1"), 1, 1));
    let cut =
        read_answer(&format!("{{\"packet\":\"p-1\",\"edits\":[{edit},{edit},{{\"op\":\"new\",\"te")).unwrap();
    assert!(cut.cut_off && cut.edits.len() == 2);
    assert_eq!(read_answer("I would rather not."), Err(NoEdits::NotJson));
    assert_eq!(read_answer("{\"edits\": \"none\"}"), Err(NoEdits::NotAList));
    let asks = json!({ "packet": "p", "edits": [], "unsure": [
        { "lines": [1, "x"], "question": "Which store?" }, { "question": "" }, 4, { "lines": [], "question": "Why?" }, { "question": "One too many?" } ] });
    let read = read_answer(&asks.to_string()).unwrap();
    assert_eq!(
        read.unsure.iter().map(|one| one.question.as_str()).collect::<Vec<_>>(),
        ["Which store?"],
        "three are looked at"
    );
}

#[test]
fn an_edit_of_which_the_editor_says_that_nobody_would_miss_it_is_left_out() {
    let read = |risk: Value| {
        let edit =
            json!({ "op": "new", "risk": risk, "kind": "fact", "title": "t", "text": "x", "lines": [1] });
        let answer =
            json!({ "packet": "p-1", "edits": [edit, { "op": "same", "entry": "e1", "lines": [2] }] });
        read_answer(&answer.to_string()).unwrap()
    };
    for none in ["-", "None.", "nothing", " n/a "] {
        let read = read(json!(none));
        let places: Vec<usize> = read.edits.iter().map(|(at, _)| *at).collect();
        assert_eq!(places, [2], "{none}");
        assert!(read.is_well_formed() && read.as_written.is_empty(), "nobody is asked to mend it: {none}");
        assert!(read.left_out.iter().any(|said| said.contains("edit 1")), "{:?}", read.left_out);
    }
    // A field left empty vanished with its edit, and nobody was told.
    assert_eq!(read(json!("")).edits[0].1.as_ref().unwrap().risk, None);
    let said = read(json!("none of the lamps would be lit"));
    assert_eq!(said.edits[0].1.as_ref().unwrap().risk.as_deref(), Some("none of the lamps would be lit"));
    let odd = read(json!(["a list"]));
    assert_eq!(odd.edits[0].1.as_ref().unwrap().risk, None, "nothing hangs on its form");
}

#[test]
fn a_reason_that_says_there_is_none_is_none() {
    let check = |reason: &str, expected: Option<&str>| {
        let edit =
            json!({ "op": "new", "kind": "fact", "title": "t", "text": "x", "reason": reason, "lines": [1] });
        let answer = read_answer(&json!({ "packet": "p-1", "edits": [edit] }).to_string()).unwrap();
        assert_eq!(answer.edits[0].1.as_ref().unwrap().reason.as_deref(), expected, "{reason:?}");
    };
    check("the lamp smokes", Some("the lamp smokes"));
    check(" ", None);
    check("not stated.", None);
    check("None", None);
}
