//! What an agent is told over the protocol: as much as a person on the command line, and no more.

use serde_json::{Value, json};

use crate::desk::Desk;
use crate::editing::desk_of;
use crate::mcp::call;

fn desk() -> Desk {
    let desk = Desk::with_base();
    let body = "Bookings live in PostgreSQL, because two desks write at once.";
    assert_eq!(
        desk.lore(&["new", "Use PostgreSQL for bookings", "--type", "decision", "--body", body]).code,
        0
    );
    desk
}

/// Whoever asked got up to twenty passages, each in a fence of its own, also where nothing was known.
#[test]
fn a_question_gets_the_lead_that_the_command_line_gives() {
    let desk = desk();
    let words = "where do bookings live?";
    let nothing = "which colour has the harbour master's parrot?";
    let results = call(
        &desk,
        &[
            ("ask", json!({ "question": words })),
            ("ask", json!({ "question": words, "evidence": true })),
            ("ask", json!({ "question": nothing })),
        ],
    );
    let told = &results[0]["structuredContent"];
    let line: Value = serde_json::from_str(&desk.lore(&["ask", words, "--json"]).out).expect("JSON");
    assert_eq!((&told["known"], &line["known"]), (&json!(true), &json!(true)), "{told}");
    let text = told["text"].as_str().expect("is text");
    for lead in line["lead"].as_array().expect("there is a lead") {
        assert!(text.contains(lead["text"].as_str().unwrap_or("?")), "{text}");
    }
    assert_eq!(text.matches("<lorekeep-context>").count(), 1, "{text}");
    assert_eq!((&told["evidence"], told["more"].as_u64() > Some(0)), (&json!(""), true), "{told}");
    assert_ne!(results[1]["structuredContent"]["evidence"], "", "{}", results[1]);
    let unknown = &results[2]["structuredContent"];
    assert_eq!((&unknown["known"], &unknown["evidence"]), (&json!(false), &json!("")), "{unknown}");
}

/// Rules were told and it was said beside them that nothing is.
#[test]
fn who_is_told_rules_is_not_told_that_nothing_is_said() {
    let desk = desk();
    assert_eq!(desk.lore(&["remember", "Always run the migrations before the seeds."]).code, 0);
    let told = call(&desk, &[("context", json!({ "prompt": "continue" }))])[0]["structuredContent"].clone();
    let line: Value = serde_json::from_str(&desk.lore(&["context", "continue", "--json"]).out).expect("JSON");
    for (text, silent) in [(&told["text"], &told["silent"]), (&line["text"], &line["silent"])] {
        assert!(text.as_str().is_some_and(|text| text.contains("migrations before the seeds")), "{text}");
        assert!(silent.is_null() || silent == "", "{silent}");
    }
}

/// The turns around a cited place came whole, thousands of words of them.
#[test]
fn a_footnote_opens_what_is_cited_and_more_only_on_request() {
    let much = "I read every file of the ledger and listed what each of them does. ".repeat(80);
    let rule = "Never use floating point for money; all amounts are integer cents.";
    let desk = desk_of(&[(rule, &much)]);
    assert_eq!(desk.lore(&["curate"]).code, 0);
    let items: Value = serde_json::from_str(&desk.lore(&["list", "--json"]).out).expect("JSON");
    let id =
        items["items"].as_array().or(items["entries"].as_array()).expect("there are entries")[0]["handle"]
            .clone();
    let footnote = format!("{}#s1", id.as_str().expect("an entry has a handle"));
    let results =
        call(&desk, &[("get", json!({ "id": footnote })), ("get", json!({ "id": footnote, "context": 3 }))]);
    let text = |at: usize| results[at]["structuredContent"]["text"].as_str().unwrap_or_default();
    assert!(text(0).contains("floating point") && text(0).len() < 1_500, "{}", text(0));
    assert!(text(1).contains("floating point") && text(1).len() > 5_000, "{}", text(1));
}

/// An agent without a shell was sent to the command line.
#[test]
fn hints_name_the_tool_and_a_mark_its_two_words() {
    let desk = desk();
    let results = call(
        &desk,
        &[
            ("search", json!({ "query": "parrots of the harbour master" })),
            ("get", json!({ "id": "no-such-entry" })),
            ("ask", json!({ "question": " " })),
            ("curate_submit", json!({ "packet": "p-000000000000", "edits": [] })),
            ("context", json!({ "prompt": "where do bookings live?" })),
            ("mark", json!({ "id": "use-postgresql-for-bookings", "outcome": "applied" })),
            ("mark", json!({ "id": "use-postgresql-for-bookings", "outcome": "surfaced" })),
        ],
    );
    for result in &results[..5] {
        assert!(!result.to_string().contains("lore "), "{result}");
    }
    assert!(results[3].to_string().contains("curate_next"), "{}", results[3]);
    assert_eq!(results[5]["structuredContent"]["outcome"], "applied", "{}", results[5]);
    assert!(results[6]["structuredContent"].is_null(), "{}", results[6]);
}
