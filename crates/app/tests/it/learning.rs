//! Taking in what was learned, how agents did, and models.

use crate::desk::Desk;

const AGENT: [(&str, &str); 1] = [("CLAUDECODE", "1")];

#[test]
fn a_near_copy_is_known_and_something_close_is_linked() {
    let desk = Desk::with_base();
    let text = "The gateway drops one call in a hundred, so every call is retried with backoff.";
    let learn = |title: &str, text: &str| desk.lore(&["learn", title, "-t", "pattern", "--text", text]);
    insta::assert_snapshot!("learn", learn("Retry the payment gateway with backoff", text));
    insta::assert_snapshot!("learn_known", learn("Retry the payment gateway with backoff", text));
    let close = "The gateway drops one call in a hundred, so every call is retried with backoff, at most thrice, then given up.";
    insta::assert_snapshot!("learn_close", learn("Retry the payment gateway with backoff", close));
    let page = desk.read("knowledge/patterns/retry-the-payment-gateway-with-backoff.md");
    assert!(page.contains("pattern_type: pattern"), "{page}");
    assert_eq!(desk.lore(&["learn", "x", "-t", "nonsense"]).code, 2);
    assert_eq!(desk.lore(&["learn"]).code, 2);
}

#[test]
fn what_an_agent_hands_in_without_a_session_names_none() {
    let mut desk = Desk::with_base();
    assert_eq!(desk.lore(&["remember", "The tolls are written as CSV files."]).code, 0);
    desk.at("2026-02-21T12:00:00Z");
    let run = desk.run(&["learn", "The tolls are written as Parquet files.", "--json"], &AGENT);
    assert!(run.out.contains("\"disputed\""), "{run}");
    let page = desk.read("knowledge/decisions/the-tolls-are-written-as-parquet-files.md");
    assert!(page.contains("resource: agent:") && !page.contains("session: "), "{page}");
    assert!(!page.contains("session://"), "{page}");
}

#[test]
fn a_plan_that_goes_against_a_rule_says_so() {
    let desk = Desk::with_base();
    assert_eq!(desk.lore(&["remember", "I don't want Brass here."]).code, 0);
    let run = desk.run(&["learn", "Hinges are made of Brass.", "--json"], &AGENT);
    assert!(run.out.contains("\"disputed\"") && run.out.contains("I don't want Brass here."), "{run}");
    let rule = desk.lore(&["list", "-t", "preference", "--json"]);
    assert!(rule.out.contains("\"current\"") && !rule.out.contains("\"disputed\""), "{rule}");
}

#[test]
fn what_is_learned_of_a_file_rests_on_it() {
    let desk = Desk::with_base();
    desk.write("src/tolls.py", "TOLL = 3\n");
    assert_eq!(desk.lore(&["learn", "Tolls are rounded up", "--files", "src/tolls.py"]).code, 0);
    let page = desk.read("knowledge/decisions/tolls-are-rounded-up.md");
    assert!(page.contains("depends_on:\n  - src/tolls.py exists"), "{page}");
    std::fs::rename(desk.project().join("src/tolls.py"), desk.project().join("src/fees.py"))
        .expect("it moves");
    let fresh = desk.lore(&["fresh"]);
    assert!(fresh.out.contains("src/tolls.py"), "{fresh}");
    assert_eq!(desk.lore(&["learn", "Fees are new", "--files", "src/nowhere.py"]).code, 0);
    assert!(!desk.read("knowledge/decisions/fees-are-new.md").contains("depends_on"));
}

#[test]
fn who_points_twice_is_named_once() {
    let desk = Desk::with_base();
    for title in ["The ferry is red", "The harbour is old"] {
        assert_eq!(desk.lore(&["new", title, "--type", "decision", "--body", "So it is."]).code, 0);
    }
    let path = "knowledge/decisions/the-harbour-is-old.md";
    let page = desk.read(path);
    let red = desk.read("knowledge/decisions/the-ferry-is-red.md");
    let id = red.lines().find_map(|line| line.strip_prefix("id: ")).expect("it has an id");
    let links = format!("related:\n  - {id}\ncontradicts:\n  - {id}\ncurated_by:");
    desk.write(path, &page.replace("curated_by:", &links));
    let shown = desk.lore(&["show", "the-ferry-is-red"]);
    let line = shown.out.lines().find(|line| line.contains("linked from")).expect("it is linked");
    assert_eq!(line.matches("dec-").count(), 1, "{line}");
}

#[test]
fn findings_that_keep_coming_back_become_a_pattern() {
    let desk = Desk::with_base();
    let review = |file: &str| {
        format!("- [HIGH] SQL injection: the value goes into the statement unbound in `{file}`. Bind it.\n")
    };
    let run = desk.told(&review("src/a.rs"), &["learn", "--from-review"]);
    assert_eq!(run.code, 0, "{run}");
    let run = desk.told(&review("src/b.rs"), &["learn", "--from-review"]);
    assert!(!run.out.contains("seen often enough"), "{run}");
    let run = desk.told(&review("src/c.rs"), &["learn", "--from-review", "--json"]);
    assert!(run.out.contains("\"pattern\": \"pat-"), "{run}");
    let list = desk.lore(&["list", "-t", "pattern", "--json"]);
    assert!(list.out.contains("SQL injection") || list.out.contains("the value goes"), "{list}");
}

#[test]
fn an_issue_and_json_are_read_too() {
    let desk = Desk::with_base();
    let issue = "# Login fails after midnight\n\nUsers are logged out.\n\n## Root cause\n\nUTC and local dates mixed.\n";
    let run = desk.told(issue, &["learn", "--from-issue", "42", "--domain", "auth"]);
    assert_eq!(run.code, 0, "{run}");
    insta::assert_snapshot!("learn_issue", desk.lore(&["show", "login-fails-after-midnight"]));
    let json = r#"{"type": "decision", "title": "Dates are UTC", "text": "All dates are kept in UTC.",
        "alternatives": [{"option": "local time", "rejected_because": "it jumps twice a year"}]}"#;
    let run = desk.told(json, &["learn", "--from-json", "-", "--dry-run"]);
    assert!(run.out.contains("would be added"), "{run}");
    assert_eq!(desk.lore(&["show", "dates-are-utc"]).code, 2);
    assert_eq!(desk.told("{", &["learn", "--from-json", "-"]).code, 2);
}

#[test]
fn agents_are_counted_by_domain() {
    let mut desk = Desk::with_base();
    insta::assert_snapshot!("agents_none", desk.lore(&["agents"]));
    for (minute, outcome) in ["success", "partial", "failed", "success"].into_iter().enumerate() {
        desk.at(&format!("2026-02-20T12:0{minute}:00Z"));
        let run = desk.lore(&["agents", "record", "gardener", "--outcome", outcome, "--domain", "auth"]);
        assert_eq!(run.code, 0, "{run}");
    }
    insta::assert_snapshot!("agents", desk.lore(&["agents", "show"]));
    assert!(desk.read("knowledge/.lore/state/agents").lines().count() >= 4);
    assert_eq!(desk.lore(&["agents", "record", "gardener", "--outcome", "glorious"]).code, 2);
    let brief = desk.lore(&["brief", "--domain", "auth"]);
    assert!(brief.out.contains("gardener: 2 of 4 pieces of work in auth went through"), "{brief}");
}

#[test]
fn models_are_local_and_checked() {
    let desk = Desk::with_base();
    insta::assert_snapshot!("model_list", desk.lore(&["model"]));
    let run = desk.lore(&["model", "verify", "static"]);
    assert_eq!(run.code, 0, "{run}");
    insta::assert_snapshot!("model_missing", desk.lore(&["model", "install", "no-such-folder"]));
    assert_eq!(desk.lore(&["model", "verify", "unheard-of"]).code, 2);
    assert_eq!(desk.lore(&["config", "set", "query.model", "unheard-of", "--whose", "checkout"]).code, 0);
    insta::assert_snapshot!("model_not_installed", desk.lore(&["query", "anything"]));
}
