//! The first ten minutes: a base in a repository with a past, and the tour.

use serde_json::json;

use crate::desk::Desk;

/// Leaves a session of Claude Code in the home folder, as the agent would.
fn with_a_past(desk: &Desk) {
    let slug: String = desk
        .project()
        .display()
        .to_string()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let folder = desk.home().join(".claude/projects").join(slug);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
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
    for stop in [
        "Six sessions of two agents become articles",
        "What holds now, and what it replaced",
        "Replaced by: Move the booking database to PostgreSQL.",
        "A question",
        "0.6 × ",
        "Two people differ, and nobody has settled it",
        "## Conflict",
        "cancellations are free until 24 hours before the start",
        "Cancellations are free until 48 hours before the start",
        "What a colleague would say before you begin",
        "What an agent is told with its first prompt",
        "The key somebody pasted is nowhere",
        "0 places",
    ] {
        assert!(run.out.contains(stop), "{stop}\n{run}");
    }
    let sides = run.out.matches("Said by a person on 2026-04-02").count();
    assert_eq!(sides, 2, "both sides are people's: {run}");
    assert!(run.out.contains("<lorekeep-context>") && !run.out.contains("sk_test_"), "{run}");
}

/// README showed an output that the tour no longer gave.
#[test]
fn the_readme_shows_what_the_tour_shows() {
    let tour = Desk::new().lore(&["demo"]);
    let tour = format!("{}{}", tour.out, tour.err);
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let page = std::fs::read_to_string(path).expect("README can be read");
    let examples = page.split("\n```").skip(1).step_by(2).filter(|block| block.starts_with('\n'));
    let lines: Vec<&str> = examples
        .filter(|block| block.contains("$ lore ") || block.contains("## "))
        .flat_map(str::lines)
        .filter(|line| !line.is_empty() && *line != "…")
        .collect();
    assert!(lines.len() > 15, "{lines:?}");
    let strange: Vec<&&str> = lines.iter().filter(|line| !tour.contains(**line)).collect();
    assert!(strange.is_empty(), "README shows what the tour does not: {strange:#?}");
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
    assert!(init.out.contains("found 1 past sessions of this project: 1 of claude-code"), "{init}");
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

/// The page at the door shows this part of the tour; where this snapshot moves, README.md has to.
#[test]
fn what_an_agent_is_told_on_the_tour() {
    let tour = Desk::new().lore(&["demo"]).out;
    let begins = tour.find("$ lore context --prompt").expect("there is such a stop");
    insta::assert_snapshot!("demo_context", tour[begins..].split("\n── ").next().unwrap_or_default());
}
