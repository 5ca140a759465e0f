//! A whole base for reading: what is shown, in which order, and what is not.

use lore_engine::entries::NewEntry;
use lore_engine::review::{Cause, Ruling};
use lore_engine::view::{BaseView, ViewEntry, ViewOptions};
use lore_engine::{Engine, InitOptions};

use crate::stage::Stage;

const DATABASE: &str = "---\nid: dec-2026-02-01-bookings-live-in-postgresql\ntype: decision\ntitle: Bookings live in PostgreSQL\n\
    tags:\n  - storage/sql\n  - never\ncreated: \"2026-02-01T09:00:00Z\"\nupdated: \"2026-02-09T09:00:00Z\"\nstatus: current\n\
    sources:\n  - id: s1\n    resource: session://codex/abc#L4\n    voice: person\n    session: abc\n    lines:\n      - 4\n    at: \"2026-02-01T09:00:00Z\"\n\
    \u{20}\u{20}- id: s2\n    resource: session://codex/def#L7\n    voice: person\n    session: def\n    lines:\n      - 7\n    at: \"2026-02-09T09:00:00Z\"\ncurated_by: auto\n---\n\n\
    Bookings live in PostgreSQL.[^s2]\n\n## Why\n\n- Two instances write at once.[^s2]\n\n## Context\n\n- A person on 2026-02-09: “OK, PostgreSQL then.”[^s2]\n\n\
    ## History\n\n- Bookings live in SQLite.[^s1]\n  Until 2026-02-09T09:00:00Z\n  Replaced by: Bookings live in PostgreSQL.\n  Reason: it was said later\n\n\
    [^s1]: A person, `session://codex/abc#L4`\n[^s2]: A person, `session://codex/def#L7`\n";
const RETRIES: &str = "---\nid: fac-2026-02-03-retries-stop-after-three\ntype: fact\ntitle: Retries stop after three\n\
    tags:\n  - storage/sql\n  - never\ncreated: \"2026-02-03T09:00:00Z\"\nstatus: disputed\nsources:\n  - id: s1\n    resource: session://codex/abc#L9\n    voice: person\n    session: abc\n    lines:\n      - 9\n    at: \"2026-02-03T09:00:00Z\"\n\
    \u{20}\u{20}- id: s2\n    resource: session://codex/ghi#L2\n    voice: agent\n    session: ghi\n    lines:\n      - 2\n    at: \"2026-02-05T09:00:00Z\"\ncurated_by: auto\n---\n\n\
    ## Conflict\n\nThe sources contradict each other and nobody has decided yet.\n\n- Retries stop after three.[^s1]\n  Said by a person on 2026-02-03\n- Retries stop after five.[^s2]\n  Said by an agent on 2026-02-05\n\n\
    [^s1]: A person, `session://codex/abc#L9`\n[^s2]: An agent, `session://codex/ghi#L2`\n";

fn filled() -> Stage {
    let stage = Stage::new();
    stage.repo.write("knowledge/decisions/bookings-live-in-postgresql.md", DATABASE);
    stage.repo.write("knowledge/project/retries-stop-after-three.md", RETRIES);
    stage
}

fn view(engine: &Engine) -> BaseView {
    engine.base_view(ViewOptions::default()).expect("a base can be read")
}

fn entry<'a>(view: &'a BaseView, title: &str) -> &'a ViewEntry {
    view.entries.iter().find(|entry| entry.title == title).expect("it is shown")
}

#[test]
fn each_claim_stands_with_its_words_and_its_standing() {
    let stage = filled();
    let view = view(&stage.engine());
    let titles: Vec<&str> = view.entries.iter().map(|entry| entry.title.as_str()).collect();
    assert_eq!(titles, ["Bookings live in PostgreSQL", "Retries stop after three"], "the newest first");
    let database = entry(&view, "Bookings live in PostgreSQL");
    let told: Vec<_> =
        database.claims.iter().map(|claim| (claim.part, claim.standing, claim.text.as_str())).collect();
    assert_eq!(
        told,
        [
            ("lead", "holds", "Bookings live in PostgreSQL."),
            ("why", "holds", "Two instances write at once."),
            ("history", "past", "Bookings live in SQLite."),
        ]
    );
    assert_eq!(database.claims[2].day.as_deref(), Some("2026-02-09"));
    let source = &database.sources[database.claims[0].sources[0]];
    assert_eq!(
        (source.voice.as_str(), source.session.as_deref(), source.line),
        ("person", Some("def"), Some(7))
    );
    assert_eq!(
        (source.at.as_deref(), source.words.as_slice()),
        (Some("2026-02-09"), &["OK, PostgreSQL then.".to_owned()][..])
    );
    assert_eq!(database.page, None, "its claims say all of it");
}

#[test]
fn a_choice_on_the_page_is_the_choice_of_the_review() {
    let stage = filled();
    let view = view(&stage.engine());
    let retries = entry(&view, "Retries stop after three");
    assert_eq!(retries.waits, Some(Cause::Disputed));
    let shown: Vec<&str> = retries.sides.iter().map(|place| retries.claims[*place].text.as_str()).collect();
    let sides = stage.engine().review_page(&retries.id).expect("can be opened").sides;
    assert_eq!(shown, sides.iter().map(|side| side.text.as_str()).collect::<Vec<_>>());
    stage.engine().review(&retries.id, Ruling::Settle { side: 2, says: None }, false).expect("works");
    let after = stage.engine().base_view(ViewOptions::default()).expect("works");
    let retries = entry(&after, "Retries stop after five");
    assert!(retries.sides.is_empty() && retries.waits.is_none(), "{retries:?}");
    assert_eq!(retries.claims[0].text, "Retries stop after five.");
    assert_eq!(retries.confirmed[0].by, "ada");
}

#[test]
fn graphs_and_days_tell_what_replaced_what() {
    let stage = filled();
    let view = view(&stage.engine());
    let drawn: Vec<Vec<(String, &str, String)>> = view
        .graphs
        .iter()
        .map(|graph| {
            let text = |at: usize| graph.nodes[at].text.clone();
            graph.edges.iter().map(|edge| (text(edge.from), edge.how, text(edge.to))).collect()
        })
        .collect();
    let edge = |from: &str, how: &'static str, to: &str| vec![(from.to_owned(), how, to.to_owned())];
    assert_eq!(
        drawn,
        [
            edge("Bookings live in SQLite.", "replaced", "Bookings live in PostgreSQL."),
            edge("Retries stop after three.", "against", "Retries stop after five."),
        ]
    );
    let days: Vec<(&str, &str)> =
        view.timeline.iter().map(|event| (event.day.as_str(), event.what)).collect();
    assert_eq!(
        days,
        [
            ("2026-02-09", "replaced"),
            ("2026-02-05", "disputed"),
            ("2026-02-03", "added"),
            ("2026-02-01", "added")
        ]
    );
    let subjects: Vec<&str> = view.subjects.iter().map(|group| group.name.as_str()).collect();
    assert_eq!(subjects, ["storage", "storage/sql"], "`never` is shared and is no subject");
}

#[test]
fn what_is_private_is_left_out_with_everything_that_names_it() {
    let stage = Stage::new();
    Engine::init(&stage.world(), &InitOptions { personal: true, ..InitOptions::default() }).expect("works");
    let own = Engine::open_personal(stage.world()).expect("works");
    let add = |title: &str, tag: &str, supersedes: &[&str]| {
        let new = NewEntry {
            title: title.to_owned(),
            body: format!("{title}."),
            tags: vec![tag.to_owned()],
            supersedes: supersedes.iter().map(|name| (*name).to_owned()).collect(),
            ..NewEntry::default()
        };
        own.add(new, false).expect("works").id.to_string()
    };
    let open = add("Answer in short sentences", "style", &[]);
    add("My salary is discussed with nobody", "private", &[&open]);
    let told = serde_json::to_string(&view(&own)).expect("is JSON");
    assert!(told.contains("short sentences") && !told.to_lowercase().contains("salary"), "{told}");
    let whole = own.base_view(ViewOptions { private: true, ..ViewOptions::default() }).expect("works");
    assert_eq!((view(&own).totals.left_out, whole.totals.left_out, whole.entries.len()), (1, 0, 2));
}

#[test]
fn a_secret_that_somebody_wrote_into_a_file_is_not_shown() {
    let stage = filled();
    let text = DATABASE.replace("Two instances write at once.", "The password is Falcon42, for all.");
    stage.repo.write("knowledge/decisions/bookings-live-in-postgresql.md", text);
    let told = serde_json::to_string(&view(&stage.engine())).expect("is JSON");
    assert!(!told.contains("Falcon42") && told.contains("The password is"), "{told}");
}

#[test]
fn what_claims_do_not_say_is_shown_as_it_stands() {
    let stage = filled();
    let text = DATABASE.replace("## Why", "```sql\nSELECT 1;\n```\n\n## Why");
    stage.repo.write("knowledge/decisions/bookings-live-in-postgresql.md", text);
    let view = view(&stage.engine());
    let page = entry(&view, "Bookings live in PostgreSQL").page.clone();
    assert!(page.is_some_and(|page| page.contains("SELECT 1;")));
}

#[test]
fn a_page_never_overwrites_what_is_not_ours() {
    let stage = filled();
    let engine = stage.engine();
    let ours = "<!doctype html><meta name=\"generator\" content=\"lore view\">";
    let out = std::path::Path::new("out/page.html");
    engine.write_page(Some(out), ours, true).expect("works");
    assert!(!stage.project().join(out).exists(), "a rehearsal writes nothing");
    engine.write_page(Some(out), ours, false).expect("a new file is made");
    engine.write_page(Some(out), ours, false).expect("a page of ours is made anew");
    stage.repo.write("out/page.html", "<!doctype html>somebody's");
    let refused = engine.write_page(Some(out), ours, false).expect_err("it is somebody's");
    assert!(refused.to_string().contains("no page of ours"), "{refused}");
    assert_eq!(stage.repo.read("out/page.html"), "<!doctype html>somebody's");
    let kept = engine.write_page(None, ours, false).expect("works");
    assert!(kept.ends_with("view.html") && kept.is_file());
}
