//! Finding, asking and briefing: what is written first, what was only said below it and marked.

use crate::desk::Desk;

/// A plain transcript in the usual format of one agent, one record a line.
fn session(folder: &std::path::Path) -> String {
    let record = |kind: &str, at: &str, text: &str, id: u32| {
        serde_json::json!({
            "type": kind, "uuid": format!("u{id}"), "parentUuid": id.checked_sub(1).map(|id| format!("u{id}")),
            "sessionId": "5e551011-0000-4000-8000-000000000001", "timestamp": at, "cwd": folder,
            "version": "2.1.0", "userType": "external", "isSidechain": false,
            "message": { "role": kind, "content": text },
        })
        .to_string()
    };
    [
        record("user", "2026-02-10T09:00:00Z", "Why does the invoice job time out at night?", 0),
        record(
            "assistant",
            "2026-02-10T09:01:00Z",
            "The invoice job times out because the nightly backup holds a table lock until 03:10.",
            1,
        ),
        record("user", "2026-02-10T09:02:00Z", "Then run the invoice job at 04:00 from now on.", 2),
    ]
    .join("\n")
}

fn desk() -> Desk {
    let mut desk = Desk::with_base();
    let new = |desk: &Desk, arguments: &[&str]| {
        let run = desk.lore(arguments);
        assert_eq!(run.code, 0, "{run}");
    };
    let body = "SQLite is the database of the booking service. One process writes.";
    new(&desk, &["new", "Use SQLite", "-t", "decision", "--body", body, "--tag", "storage", "--issue", "7"]);
    desk.at("2026-03-01T09:00:00Z");
    let body = "PostgreSQL is the database of the booking service, because two processes write.";
    let old = ["--supersedes", "use-sqlite", "--tag", "storage", "--file", "src/db/pool.rs"];
    new(&desk, &[&["new", "Use PostgreSQL", "-t", "decision", "--body", body], old.as_slice()].concat());
    let body = "Retries hide lock contention in the booking service; raise the pool size instead.";
    new(&desk, &["learn", "Do not retry on lock errors", "-t", "pattern", "--anti", "--text", body]);
    desk.write("transcripts/session.jsonl", &session(&desk.project()));
    new(&desk, &["config", "set", "sessions.paths", "transcripts", "--whose", "checkout"]);
    desk
}

#[test]
fn a_query_shows_what_holds_before_what_was_replaced() {
    let desk = desk();
    insta::assert_snapshot!("query", desk.lore(&["query", "database of the booking service"]));
    insta::assert_snapshot!("query_explain", desk.lore(&["query", "sqlite", "--explain", "--limit", "1"]));
    insta::assert_snapshot!("query_files", desk.lore(&["query", "--files", "src/db/pool.rs", "--quiet"]));
    insta::assert_snapshot!("query_nothing", desk.lore(&["query", "zeppelin"]));
    let json = desk.lore(&["query", "database", "--type", "decision", "--json"]);
    assert!(json.out.contains("\"schema\": \"lore.query/1\""), "{json}");
    assert!(!json.out.contains("pat-"), "{json}");
}

#[test]
fn a_question_is_answered_with_sources_or_not_at_all() {
    let desk = desk();
    insta::assert_snapshot!("ask", desk.lore(&["ask", "which database does the booking service use now?"]));
    insta::assert_snapshot!("ask_said", desk.lore(&["ask", "why does the invoice job time out?"]));
    insta::assert_snapshot!("ask_unknown", desk.lore(&["ask", "who designed the zeppelin hangar?"]));
    let before = desk.lore(&["ask", "which database does the booking service use?", "--as-of", "2026-02-25"]);
    assert!(before.out.contains("SQLite is the database"), "{before}");
    assert!(!before.out.contains("PostgreSQL is the database"), "{before}");
    assert_eq!(desk.lore(&["ask", "x", "--as-of", "soon"]).code, 2);
}

#[test]
fn what_was_only_said_is_marked_and_comes_last() {
    let desk = desk();
    assert_eq!(desk.lore(&["ask", "why does the invoice job time out?"]).code, 0);
    let run = desk.lore(&["query", "invoice job time out"]);
    let said = run.out.find("Said in past sessions (uncurated)").expect("the passages are marked");
    assert!(run.out[said..].contains("nightly backup"), "{run}");
    assert!(run.out[said..].contains("session://claude-code/5e551011"), "{run}");
}

#[test]
fn a_brief_names_what_to_know_and_what_to_avoid() {
    let mut desk = desk();
    let record = |desk: &mut Desk, minute: u32| {
        desk.at(&format!("2026-03-02T12:0{minute}:00Z"));
        let run = desk.lore(&["agents", "record", "gardener", "--outcome", "success", "--issue", "#7"]);
        assert_eq!(run.code, 0, "{run}");
    };
    record(&mut desk, 1);
    let once = desk.lore(&["brief", "the booking service writes to the database"]);
    assert!(!once.out.contains("gardener"), "one case recommends nobody: {once}");
    record(&mut desk, 2);
    record(&mut desk, 3);
    insta::assert_snapshot!("brief", desk.lore(&["brief", "the booking service writes to the database"]));
    let told = desk.told("The pool of the booking service is too small", &["brief", "7", "-"]);
    assert_eq!(told.code, 0, "{told}");
    assert!(told.out.contains("issue #7"), "{told}");
    assert_eq!(desk.lore(&["brief"]).code, 2);
    assert_eq!(desk.lore(&["brief", "zeppelin"]).code, 1);
}

#[test]
fn the_graph_is_drawn_three_ways() {
    let desk = desk();
    insta::assert_snapshot!("related", desk.lore(&["related", "use-postgresql"]));
    insta::assert_snapshot!("related_dot", desk.lore(&["related", "use-postgresql", "--dot"]));
    insta::assert_snapshot!("related_mermaid", desk.lore(&["related", "use-sqlite", "--mermaid"]));
}

#[test]
fn other_projects_are_asked_when_it_is_said() {
    let desk = desk();
    let other = Desk::new();
    let data = desk.project().join("../data");
    let data = data.to_str().expect("the path is text");
    let run = |desk: &Desk, arguments: &[&str]| desk.run(arguments, &[("LORE_DATA_DIR", data)]);
    assert_eq!(run(&other, &["init"]).code, 0);
    let body = "The zeppelin hangar opens at nine.";
    assert_eq!(run(&other, &["new", "Hangar opens at nine", "--body", body]).code, 0);
    assert_eq!(run(&desk, &["query", "hangar"]).code, 1);
    let found = run(&desk, &["query", "hangar", "--all-projects"]);
    assert!(found.out.contains("Hangar opens at nine") && found.out.contains("  in "), "{found}");
    assert_eq!(run(&desk, &["query", "hangar", "--project", "nowhere"]).code, 2);
}

#[test]
fn a_part_with_a_base_of_its_own_stands_beside_the_whole() {
    let desk = desk();
    let body = "The harbour master closes the lock at nine.";
    assert_eq!(desk.lore(&["new", "Lock closes at nine", "--body", body]).code, 0);
    desk.write("parts/ferry/notes.txt", "");
    let part = ["-C", "parts/ferry"];
    assert_eq!(desk.lore(&["init", "parts/ferry"]).code, 0);
    let body = "The ferry leaves from berth four.";
    let new = ["new", "Ferry leaves from berth four", "--body", body];
    assert_eq!(desk.lore(&[&part[..], &new].concat()).code, 0);
    let query = ["query", "harbour master lock", "--all-projects"];
    let found = desk.lore(&[&part[..], &query].concat());
    assert!(found.out.contains("Lock closes at nine"), "{found}");
    let found = desk.lore(&["query", "ferry berth", "--all-projects"]);
    assert!(found.out.contains("Ferry leaves from berth four"), "{found}");
    assert_eq!(found.out.matches("Ferry leaves from berth four").count(), 1, "{found}");
}

#[test]
fn an_edit_by_hand_is_found_at_once() {
    let desk = desk();
    let page = "knowledge/decisions/use-postgresql.md";
    assert_eq!(desk.lore(&["query", "zeppelins"]).code, 1);
    assert_eq!(desk.lore(&["query", "processes"]).code, 0);
    desk.write(page, &desk.read(page).replace("two processes write", "two zeppelins write"));
    let found = desk.lore(&["query", "zeppelins"]);
    assert!(found.out.contains("Use PostgreSQL"), "{found}");
    std::fs::remove_file(desk.project().join(page)).expect("the page can be removed");
    assert_eq!(desk.lore(&["query", "zeppelins"]).code, 1);
}
