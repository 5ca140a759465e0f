//! Edits as an agent hands them in over the protocol, and what it is told of them.

use serde_json::{Value, json};

use crate::editing::{Client, answer, desk};

/// An agent that did as the packet says was turned away: the tool knew fewer fields than the packet asks for.
#[test]
fn whatever_a_packet_asks_for_can_be_handed_in() {
    let desk = desk();
    let mut agent = Client::new(&desk);
    let (name, text) = agent.next(0).expect("there is a packet");
    let tools = agent.request("tools/list", &json!({}));
    let tools = tools["tools"].as_array().expect("there are tools");
    let tool = tools.iter().find(|tool| tool["name"] == "curate_submit").expect("is there");
    let form = &tool["inputSchema"]["properties"];
    let fields = &form["edits"]["items"]["properties"];
    let example = text.lines().find(|line| line.starts_with("{\"packet\"")).expect("shows how to answer");
    let example: Value = serde_json::from_str(example).expect("is JSON");
    for part in example.as_object().expect("is one object").keys() {
        assert!(form[part]["type"].is_string(), "{part}: {form}");
    }
    let asked = example["edits"].as_array().expect("has edits").iter();
    for field in
        asked.filter_map(Value::as_object).flat_map(|edit| edit.keys()).map(String::as_str).chain(["n"])
    {
        assert!(fields[field]["description"].is_string(), "{field}: {fields}");
    }
    for field in ["op", "kind", "decided_by", "scope"] {
        assert!(fields[field]["enum"].is_array(), "{field}: {fields}");
    }
    let mut answer = answer(&name, &text);
    for (at, edit) in answer["edits"].as_array_mut().expect("has edits").iter_mut().enumerate() {
        edit["n"] = (at + 1).into();
        edit["risk"] = "rounding loses money".into();
        // Clients fill what a schema names.
        edit["entry"] = "".into();
        edit["was"] = json!({ "text": "", "lines": [] });
    }
    answer["edits"][0]["mood"] = "good".into();
    let done = agent.call("curate_submit", &answer)["structuredContent"].clone();
    assert_eq!(done["refused"], json!([]), "{done}");
    assert_eq!(done["applied"], 4, "{done}");
    let left_out = done["left_out"].to_string();
    assert!(left_out.contains("`mood` is not a field of an edit"), "{done}");
}
