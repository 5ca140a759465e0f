//! Knowledge for a step of work: roles, chains, and what speaks against an approach.

use serde_json::Value;

use crate::desk::Desk;

const SPIKE: &str = "---\nid: spk-2026-01-10-redis-or-postgres\ntype: spike\ntitle: Redis or Postgres for the mail queue\nstatus: current\nconfidence: high\ncreated: 2026-01-10\noutcome: confirmed\ntags: [redis, queue]\n---\n\nA Postgres table is fast enough as the mail queue: 900 mails a second, no Redis needed.\n";
const LESSON: &str = "---\nid: les-2026-01-15-retry-mails\ntype: lesson\ntitle: Retry mails with a growing pause\nstatus: current\nconfidence: high\ncreated: 2026-01-15\ntags: [mail/smtp]\n---\n\nMails that fail with connection refused are retried with a growing pause.\n";

fn desk() -> Desk {
    let desk = Desk::with_base();
    desk.write("knowledge/spikes/redis-or-postgres/spike.md", SPIKE);
    desk.write("knowledge/lessons/mail/retry-mails.md", LESSON);
    let new = |title: &str, kind: &str, body: &str| {
        let run = desk.lore(&["new", title, "--type", kind, "--body", body]);
        assert_eq!(run.code, 0, "{run}");
    };
    new(
        "Use a Postgres table as the mail queue",
        "decision",
        "We use a Postgres table as the mail queue, not Redis.",
    );
    new("Queue mails slowly", "signal", "The mail queue was slow once.");
    desk
}

fn ids(run: &crate::desk::Run) -> Vec<String> {
    let value: Value = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run}"));
    let items = value["items"].as_array().expect("there are items");
    items.iter().map(|item| item["id"].as_str().unwrap_or_default().to_owned()).collect()
}

#[test]
fn a_researcher_gets_spikes_first_and_avoids_running_them_again() {
    let desk = desk();
    let task = ["surface", "--role", "researcher", "--task", "Redis or Postgres for the mail queue?"];
    insta::assert_snapshot!("surface_researcher", desk.lore(&task));
    let json = desk.lore(&[&task[..], &["--json"]].concat());
    assert_eq!(ids(&json).first().map(String::as_str), Some("spk-2026-01-10-redis-or-postgres"));
    assert!(!json.out.contains("queue-mails-slowly"), "raw signals come on request only: {json}");
}

#[test]
fn an_executor_asks_only_about_errors_and_gets_little() {
    let desk = desk();
    let refused = desk.lore(&["surface", "--role", "executor", "--task", "send the mails"]);
    assert_eq!(refused.code, 2, "{refused}");
    let error = ["--error", "smtp: connection refused while sending mails"];
    let run = desk
        .lore(&[&["surface", "--role", "executor", "--task", "send mails", "--json"], &error[..]].concat());
    let value: Value = serde_json::from_str(&run.out).expect("the report is JSON");
    assert_eq!(ids(&run), ["les-2026-01-15-retry-mails"]);
    assert!(
        value["budget"] == 200 && value["tokens"].as_u64().is_some_and(|tokens| tokens <= 200),
        "{value}"
    );
    let nothing = desk.lore(&["surface", "--role", "planner", "--task", "paint the hamster cage"]);
    assert_eq!(nothing.code, 1, "{nothing}");
    assert!(nothing.out.contains("Checked knowledge base, no relevant entries found."), "{nothing}");
    assert_eq!(desk.lore(&["surface", "--role", "tourist", "--task", "x"]).code, 2);
}

#[test]
fn a_chain_hands_conclusions_on_and_repeats_nothing() {
    let desk = desk();
    let ask = |role: &str| {
        desk.lore(&[
            "surface",
            "--role",
            role,
            "--task",
            "a Postgres table as the mail queue",
            "--chain",
            "mails",
            "--json",
        ])
    };
    let first = ask("researcher");
    assert!(!ids(&first).is_empty(), "{first}");
    let text = "Postgres is enough [spk-2026-01-10-redis-or-postgres]";
    let told = ["surface", "--role", "researcher", "--chain", "mails", "--conclude", text];
    assert_eq!(desk.lore(&told).code, 0);
    let second = ask("planner");
    let before = ids(&first);
    assert!(ids(&second).iter().all(|id| !before.contains(id)), "{second}");
    let value: Value = serde_json::from_str(&second.out).expect("the report is JSON");
    assert_eq!(value["carried"][0]["text"], text);
    assert!(
        value["text"].as_str().is_some_and(|text| text.contains("researcher: Postgres is enough")),
        "{value}"
    );
}

#[test]
fn what_speaks_against_an_approach_is_named() {
    let desk = desk();
    let run = desk.lore(&[
        "surface",
        "--role",
        "planner",
        "--task",
        "the mail queue",
        "--approach",
        "We use Redis as the mail queue, not a Postgres table.",
    ]);
    assert!(run.out.contains("**Dismissed** (they contradict the approach):\n- [dec-c7gd8f"), "{run}");
}

#[test]
fn an_approach_is_held_against_what_its_own_words_meet() {
    let desk = Desk::with_base();
    assert_eq!(desk.lore(&["remember", "Never use Brass."]).code, 0);
    let run = desk.lore(&[
        "surface",
        "--role",
        "planner",
        "--task",
        "finish the porch",
        "--approach",
        "add hinges of Brass",
    ]);
    assert!(run.out.contains("**Dismissed** (they contradict the approach):\n- ["), "{run}");
    assert!(run.out.contains("it says “Never use Brass.”") && !run.out.contains("**Applied:**"), "{run}");
}

/// A shop in Rust, and beside it two other known projects: one in Rust, one in Python.
fn neighbours() -> (Desk, [Desk; 2], String) {
    let (shop, rusty, snake) = (Desk::new(), Desk::new(), Desk::new());
    let data = shop.project().join("../data").display().to_string();
    let manifest = |name: &str| format!("[package]\nname = \"{name}\"\n[dependencies]\nserde = \"1\"\n");
    shop.write("Cargo.toml", &manifest("shop"));
    rusty.write("Cargo.toml", &manifest("rusty"));
    snake.write("requirements.txt", "django==5.0\n");
    for (desk, url) in [
        (&shop, "https://example.org/team/shop.git"),
        (&rusty, "https://example.org/team/rusty.git"),
        (&snake, "https://example.org/team/adder.git"),
    ] {
        desk.git(&["remote", "add", "origin", url]);
        assert_eq!(desk.run(&["init"], &[("LORE_DATA_DIR", &data)]).code, 0);
    }
    let body = "Payments that fail are retried three times with a growing pause.";
    for (desk, title) in
        [(&snake, "Retry failed payments in the worker"), (&rusty, "Retry failed payments in the queue")]
    {
        desk.write("src/retry.txt", "retries");
        let new =
            ["new", title, "--type", "decision", "--body", body, "--depends-on", "src/retry.txt exists"];
        let run = desk.run(&new, &[("LORE_DATA_DIR", &data)]);
        assert_eq!(run.code, 0, "{run}");
    }
    (shop, [rusty, snake], data)
}

#[test]
fn other_projects_know_something_too_and_those_alike_come_first() {
    let (shop, _others, data) = neighbours();
    let ask = |more: &[&str]| {
        let task = ["surface", "--role", "planner", "--task", "retry failed payments", "--json"];
        shop.run(&[&task[..], more].concat(), &[("LORE_DATA_DIR", &data)])
    };
    assert_eq!(ask(&[]).code, 1, "without being asked to, nobody looks there");
    let all = ask(&["--all-projects"]);
    let value: Value = serde_json::from_str(&all.out).unwrap_or_else(|error| panic!("{error}: {all}"));
    let projects: Vec<&str> = value["items"]
        .as_array()
        .expect("items")
        .iter()
        .filter_map(|item| item["project"].as_str())
        .collect();
    assert_eq!(projects, ["example.org/team/rusty", "example.org/team/adder"], "{value}");
    // The conditions are those of the other repository.
    assert_eq!(value["items"][0]["freshness"], "holds", "{value}");
    assert!(
        value["text"].as_str().is_some_and(|text| text.contains("- (in example.org/team/rusty) ")),
        "{value}"
    );

    let one = ask(&["--project", "adder"]);
    assert_eq!(ids(&one).len(), 1, "{one}");
    assert!(one.out.contains("team/adder") && !one.out.contains("team/rusty"), "{one}");
    assert_eq!(ask(&["--project", "nowhere"]).code, 2);
    assert_eq!(ask(&["--all-projects", "--only-here"]).code, 2);
}

#[test]
fn questions_and_prompts_can_reach_other_projects() {
    let (shop, _others, data) = neighbours();
    let run = |arguments: &[&str]| shop.run(arguments, &[("LORE_DATA_DIR", &data)]);
    let question = ["ask", "how often are failed payments retried?", "--no-sessions"];
    assert_eq!(run(&question).code, 1);
    let told = run(&[&question[..], &["--all-projects"]].concat());
    assert_eq!(told.code, 0, "{told}");
    assert!(told.out.contains("three times") && told.out.contains(", in example.org/team/"), "{told}");

    let prompt = ["context", "--only-prompt", "--prompt", "how often are failed payments retried?"];
    assert_eq!(run(&prompt).code, 1);
    let told = run(&[&prompt[..], &["--project", "rusty"]].concat());
    assert_eq!(told.code, 0, "{told}");
    assert!(told.out.contains("- (in example.org/team/rusty) "), "{told}");
}
