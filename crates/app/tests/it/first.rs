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
        "Replaced by: Move bookings from SQLite to PostgreSQL.",
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
