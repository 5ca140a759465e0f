//! What an agent would be told, and what became of it.

use serde_json::Value;

use crate::desk::Desk;

fn desk() -> Desk {
    let desk = Desk::with_base();
    let new = |arguments: &[&str]| {
        let run = desk.lore(&[&["new"], arguments].concat());
        assert_eq!(run.code, 0, "{run}");
    };
    new(&["Keep answers short", "--type", "preference", "--body", "Keep answers short; no whole diffs."]);
    new(&["Bookings live in SQLite", "--type", "decision", "--body", "Bookings live in one SQLite file."]);
    new(&[
        "Bookings live in PostgreSQL",
        "--type",
        "decision",
        "--body",
        "Bookings live in PostgreSQL since two instances write at once.",
        "--supersedes",
        "dec-2026-02-20-bookings-live-in-sqlite",
    ]);
    new(&[
        "Prisma reads bookings",
        "--type",
        "fact",
        "--body",
        "Prisma reads the bookings from the database.",
        "--depends-on",
        "prisma >= 4.0",
    ]);
    desk.write("package.json", "{\n  \"dependencies\": {\n    \"prisma\": \"^3.1.0\"\n  }\n}\n");
    desk
}

#[test]
fn the_text_cites_everything_and_brings_what_replaced_an_entry() {
    let desk = desk();
    let run = desk.lore(&["context", "--prompt", "where do bookings live, in SQLite or another database?"]);
    insta::assert_snapshot!("context", run);
    let debug = desk.lore(&["context", "--prompt", "where do bookings live, in SQLite?", "--debug"]);
    insta::assert_snapshot!("context_debug", debug);
}

#[test]
fn words_without_an_option_are_the_prompt() {
    let desk = desk();
    let asked = "where do bookings live, in SQLite or another database?";
    let named = desk.lore(&["context", "--prompt", asked]);
    assert_eq!((named.code, named.out.contains("PostgreSQL")), (0, true), "{named}");
    let quoted = desk.lore(&["context", asked]);
    assert_eq!((quoted.code, &quoted.out), (0, &named.out), "{quoted}");
    let words: Vec<&str> = asked.split(' ').collect();
    let bare = desk.lore(&[&["context"], words.as_slice()].concat());
    assert_eq!((bare.code, &bare.out), (0, &named.out), "{bare}");
    for both in [["context", "one", "--prompt", "two"], ["context", "one", "--file", "src/a.rs"]] {
        let run = desk.lore(&both);
        assert!(run.code == 2 && run.err.contains("cannot be used with"), "{run}");
    }
}

#[test]
fn silence_is_an_honest_no() {
    let desk = desk();
    let run = desk.lore(&["context", "--only-prompt", "--prompt", "Suggest three names for a hamster"]);
    assert_eq!((run.code, run.out.as_str()), (1, ""), "{run}");
    let json =
        desk.lore(&["context", "--only-prompt", "--prompt", "Suggest three names for a hamster", "--json"]);
    let value: Value = serde_json::from_str(&json.out).expect("the report is JSON");
    assert_eq!((&value["text"], &value["schema"]), (&Value::from(""), &Value::from("lore.context/1")));
}

#[test]
fn an_edit_in_place_is_noticed_and_the_budget_holds() {
    let desk = desk();
    let show = || desk.lore(&["context", "--json"]);
    let before: Value = serde_json::from_str(&show().out).expect("the report is JSON");
    assert!(before["text"].as_str().is_some_and(|text| text.contains("Keep answers short")), "{before}");
    let path = "knowledge/preferences/keep-answers-short.md";
    desk.write(path, &desk.read(path).replace("Keep answers short; no whole diffs.", "Answer in rhymes."));
    let after: Value = serde_json::from_str(&show().out).expect("the report is JSON");
    assert!(after["text"].as_str().is_some_and(|text| text.contains("rhymes")), "{after}");
    for budget in ["0", "40", "120", "300"] {
        let run =
            desk.lore(&["context", "--json", "--budget", budget, "--prompt", "bookings in the database"]);
        let value: Value = serde_json::from_str(&run.out).expect("the report is JSON");
        let (tokens, budget) = (value["tokens"].as_u64(), value["budget"].as_u64());
        assert!(value["over_budget"] == true || tokens <= budget, "{value}");
    }
}

#[test]
fn uses_are_counted() {
    let desk = desk();
    let ask = ["context", "--session", "s1", "--prompt", "where do bookings live, in SQLite?"];
    assert_eq!(desk.lore(&ask).code, 0);
    let marked = desk.lore(&["usage", "--mark", "applied", "bookings-live-in-postgresql"]);
    assert_eq!(marked.code, 0, "{marked}");
    insta::assert_snapshot!("usage", desk.lore(&["usage"]));
    assert_eq!(desk.lore(&["usage", "--mark", "loved", "bookings-live-in-postgresql"]).code, 2);
}

#[test]
fn an_entry_that_somebody_opens_counts_as_opened() {
    let desk = desk();
    let name = "bookings-live-in-postgresql";
    assert_eq!(desk.lore(&["show", name]).code, 0);
    assert_eq!(desk.lore(&["show", name, "--json"]).code, 0);
    let usage: serde_json::Value =
        serde_json::from_str(&desk.lore(&["usage", "--json"]).out).expect("the report is JSON");
    assert_eq!(usage["used"][0]["opened"], 2, "{usage}");
}

#[test]
fn an_entry_can_be_read_where_that_cannot_be_recorded() {
    let desk = desk();
    desk.write(".git/lore/knowledge/usage", "a file where the folder of records would be");
    let run = desk.lore(&["show", "bookings-live-in-postgresql"]);
    assert_eq!(run.code, 0, "{run}");
    assert!(run.out.contains("PostgreSQL") && run.err.is_empty(), "{run}");
}
