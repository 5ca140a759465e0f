//! The protocol on standard input and output, in both of its eras.

use serde_json::{Value, json};

use crate::desk::Desk;

fn talk(desk: &Desk, messages: &[Value]) -> Vec<Value> {
    let input: String = messages.iter().map(|message| format!("{message}\n")).collect();
    let run = desk.told(&input, &["mcp"]);
    assert_eq!(run.code, 0, "{run}");
    run.out.lines().map(|line| serde_json::from_str(line).expect("every line is a message")).collect()
}

fn desk() -> Desk {
    let desk = Desk::with_base();
    let body = "Bookings live in PostgreSQL.";
    assert_eq!(
        desk.lore(&["new", "Use PostgreSQL for bookings", "--type", "decision", "--body", body]).code,
        0
    );
    desk
}

fn initialize() -> Vec<Value> {
    vec![
        json!({ "jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": { "name": "test", "version": "1" } } }),
        json!({ "jsonrpc": "2.0", "method": "notifications/initialized" }),
    ]
}

#[test]
fn tools_are_listed_with_schemas_and_hints() {
    let mut messages = initialize();
    messages.push(json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/list" }));
    let replies = talk(&desk(), &messages);
    assert_eq!(replies[0]["result"]["serverInfo"]["name"], "lore");
    let tools = replies[1]["result"]["tools"].as_array().expect("there are tools");
    let shown: Vec<String> = tools
        .iter()
        .map(|tool| {
            let annotations = &tool["annotations"];
            let writes = annotations["readOnlyHint"] == false;
            assert!(
                tool["inputSchema"]["type"] == "object" && tool["outputSchema"]["type"] == "object",
                "{tool}"
            );
            format!("{}{}", tool["name"].as_str().unwrap_or_default(), if writes { " (writes)" } else { "" })
        })
        .collect();
    insta::assert_snapshot!("mcp_tools", shown.join("\n"));
}

#[test]
fn the_same_answer_as_on_the_command_line() {
    let desk = desk();
    let mut messages = initialize();
    messages.push(json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
        "name": "search", "arguments": { "query": "where do bookings live" } } }));
    messages.push(json!({ "jsonrpc": "2.0", "id": 3, "method": "tools/call", "params": {
        "name": "get", "arguments": { "id": "no-such-entry" } } }));
    let replies = talk(&desk, &messages);
    let of = |id: u64| replies.iter().find(|reply| reply["id"] == id).expect("there is a reply");
    let line: Value =
        serde_json::from_str(&desk.lore(&["query", "where do bookings live", "--json"]).out).expect("JSON");
    let id: lore_core::EntryId =
        line["hits"][0]["id"].as_str().and_then(|id| id.parse().ok()).expect("an id");
    assert_eq!(of(2)["result"]["structuredContent"]["hits"][0]["id"], id.handle().as_str());
    assert_eq!(of(3)["result"]["isError"], true);
    assert!(of(3)["result"]["content"][0]["text"].as_str().is_some_and(|text| text.contains("hint:")));
}

#[test]
fn other_projects_can_be_asked_for() {
    let desk = desk();
    let line =
        ["surface", "--role", "planner", "--task", "where do bookings live", "--all-projects", "--json"];
    let line: Value = serde_json::from_str(&desk.lore(&line).out).expect("JSON");
    let mut messages = initialize();
    let call = |id: u64, name: &str, arguments: Value| json!({ "jsonrpc": "2.0", "id": id, "method": "tools/call", "params": { "name": name, "arguments": arguments } });
    let task = json!({ "role": "planner", "task": "where do bookings live", "all_projects": true });
    messages.push(call(2, "surface", task));
    messages.push(call(3, "ask", json!({ "question": "where do bookings live?", "all_projects": true })));
    let replies = talk(&desk, &messages);
    let of = |id: u64| replies.iter().find(|reply| reply["id"] == id).expect("there is a reply");
    assert_eq!(of(2)["result"]["structuredContent"]["text"], line["text"], "{}", of(2));
    assert_eq!(of(3)["result"]["structuredContent"]["evidence"][0]["project"], "");
}

#[test]
fn a_client_of_the_newest_protocol_needs_no_greeting() {
    let meta = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { "name": "test", "version": "1" },
        "io.modelcontextprotocol/clientCapabilities": {},
    });
    let replies = talk(
        &desk(),
        &[
            json!({ "jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": { "_meta": meta } }),
            json!({ "jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": { "_meta": meta,
            "name": "ask", "arguments": { "question": "Where do bookings live?" } } }),
        ],
    );
    assert!(replies[0]["result"].is_object(), "{replies:?}");
    assert!(replies[1]["result"]["structuredContent"]["known"].is_boolean(), "{replies:?}");
}
