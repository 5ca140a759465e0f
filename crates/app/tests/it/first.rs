//! The first ten minutes: a base in a repository with a past, and the tour.

use serde_json::json;

use crate::desk::Desk;

/// Leaves a session of Claude Code in the home folder, as the agent would.
fn with_a_past(desk: &Desk) {
    let folder = desk.past();
    let id = "7ed57110-1d7d-4b88-bddd-7e2ab3274e37";
    let line = json!({ "type": "user", "uuid": "u1", "parentUuid": null, "sessionId": id, "cwd": desk.project(),
        "timestamp": "2026-02-19T10:00:00Z", "message": { "role": "user",
        "content": "We decided to use Redis for the job queue, because polling Postgres is too slow." } });
    std::fs::write(folder.join(format!("{id}.jsonl")), format!("{line}\n")).expect("a file can be written");
}

#[test]
fn a_new_base_tells_of_past_sessions_and_what_to_do() {
    let desk = Desk::new();
    with_a_past(&desk);
    insta::assert_snapshot!("first_init", desk.lore(&["init"]));
    let other = Desk::new();
    with_a_past(&other);
    insta::assert_snapshot!("first_bootstrap", other.lore(&["init", "--bootstrap"]));
}

#[test]
fn the_tour_shows_every_stop_and_no_secret() {
    let desk = Desk::new();
    let run = desk.lore(&["demo"]);
    assert_eq!(run.code, 0, "{run}");
    for shown in [
        "made 10 articles",
        "Never use floating point for money",
        "Replaced by: Move the booking database to PostgreSQL.",
        "Cancellations are free until 24 hours before the start",
        "settled fac-",
        "refused: 1\n  A refund takes 14 days  the number 14 does not stand in the cited lines",
        "Stripe cannot refund a charge older than 180 days  lim-",
        "seen 4 times in 4 places",
        "stops `cargo test`: Run `make migrate` first.",
        "Take CSV for day list pier display",
        "No spike is made.",
        "refused: RUN_GROUNDING",
        "src/cancel.rs:7",
        "<lorekeep-context>",
        "Nothing would be said",
        "Cancellations are free until 48 hours before the start.\n  (fac-",
        "Not known: ",
        "nothing found",
        "Now in your own repository",
    ] {
        assert!(run.out.contains(shown), "{shown}\n{run}");
    }
    let sides = run.out.matches("Said by a person on 2026-04-02").count();
    assert_eq!(sides, 2, "both sides are people's: {run}");
    let key = run.out.replace("grep -r sk_test", "");
    assert!(!key.contains("sk_test_"), "{run}");
    assert!(run.err.is_empty(), "{run}");
}

/// The tour's own commands are all done, none takes something from the user's home or the agent's shell.
#[test]
fn the_tour_is_the_same_for_everybody() {
    let desk = Desk::new();
    let plain = desk.lore(&["demo", "--json"]);
    let inside = desk.run(&["demo", "--json"], &[("CLAUDECODE", "1"), ("LORE_USER", "grace")]);
    let typed = |text: &str| -> Vec<serde_json::Value> {
        let value: serde_json::Value = serde_json::from_str(text).expect("the tour is JSON");
        value["typed"].as_array().expect("commands were typed").clone()
    };
    let (plain, inside) = (typed(&plain.out), typed(&inside.out));
    assert!(plain.len() >= 20, "{plain:#?}");
    for (one, other) in plain.iter().zip(&inside) {
        assert_eq!(one["done"], true, "{one:#}");
        assert_eq!(one["output"], other["output"], "{one:#}");
    }
}

/// `init`, `sessions`, `sessions stats`, `curate` and `status` gave three different numbers: of files, of
/// sessions as often as a file tells of them, and of sessions.
#[test]
fn sessions_are_counted_once_and_the_same_everywhere() {
    let desk = Desk::new();
    with_a_past(&desk);
    let id = "7ed57110-1d7d-4b88-bddd-7e2ab3274e37";
    let folder = std::fs::read_dir(desk.home().join(".claude/projects"))
        .expect("there are sessions")
        .flatten()
        .next()
        .expect("of one project")
        .path();
    let whole = std::fs::read_to_string(folder.join(format!("{id}.jsonl"))).expect("a file can be read");
    std::fs::write(folder.join("copy.jsonl"), &whole).expect("a file can be written");
    std::fs::write(folder.join("empty.jsonl"), "").expect("a file can be written");
    let silent = json!({ "type": "summary", "summary": "Nothing was said", "leafUuid": "u1" });
    std::fs::write(folder.join("silent.jsonl"), format!("{silent}\n")).expect("a file can be written");
    let init = desk.lore(&["init"]);
    assert!(init.out.contains("found 1 past session of this project: 1 of claude-code"), "{init}");
    let number = |arguments: &[&str], field: &str| -> serde_json::Value {
        let run = desk.lore(&[arguments, &["--json"]].concat());
        serde_json::from_str::<serde_json::Value>(&run.out).expect("JSON")[field].clone()
    };
    assert_eq!(number(&["sessions"], "total"), 1);
    assert_eq!(number(&["sessions", "stats"], "agents"), json!({ "claude-code": 1 }));
    assert_eq!(number(&["curate"], "fresh"), 1);
    assert_eq!(number(&["status"], "curated_sessions"), 1);
}

/// `lore demo | head` left its throw-away folder behind.
#[cfg(unix)]
#[test]
fn the_tour_leaves_nothing_behind_when_nobody_reads_to_the_end() {
    let desk = Desk::new();
    let temporary = desk.home().join("tmp");
    std::fs::create_dir_all(&temporary).expect("a folder can be made");
    let script = format!("'{}' demo | head -n 2", env!("CARGO_BIN_EXE_lore"));
    let output = std::process::Command::new("sh")
        .args(["-c", &script])
        .current_dir(desk.project())
        .env("HOME", desk.home())
        .env("TMPDIR", &temporary)
        .output()
        .expect("a shell can be run");
    assert!(output.status.success() && !output.stdout.is_empty());
    let left: Vec<_> = std::fs::read_dir(&temporary).expect("a folder can be listed").flatten().collect();
    assert!(left.is_empty(), "{left:?}");
}

/// The page at the door shows this part of the tour.
#[test]
fn what_an_agent_is_told_on_the_tour() {
    let tour = Desk::new().lore(&["demo"]).out;
    let begins = tour.find("$ lore context --prompt").expect("there is such a stop");
    insta::assert_snapshot!("demo_context", tour[begins..].split("\n── ").next().unwrap_or_default());
}
