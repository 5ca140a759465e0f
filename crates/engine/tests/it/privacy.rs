//! What the user wants left out stays out, and what is private stays at home.

use lore_core::recall::Query;
use lore_engine::check::Fix;
use lore_engine::curate::CurateOptions;
use lore_engine::entries::NewEntry;
use lore_engine::hook::WorkOptions;
use lore_engine::sessions::SessionFilter;
use lore_engine::{Engine, InitOptions};

use crate::stage::{LOGS, MONEY, Stage};

fn settings(stage: &Stage, text: &str) {
    stage.repo.write("home/.config/lore/config.toml", text);
}

#[test]
fn an_excluded_session_is_neither_read_nor_searched() {
    let stage = Stage::new();
    stage.session("s-money", 1, MONEY);
    stage.session("s-logs", 2, LOGS);
    settings(&stage, "[sessions]\npaths = [\"sessions\"]\nexclude = [\"S-MONEY\"]\n");
    let report = stage.curate();
    assert_eq!(report.sessions, 1, "{report:?}");
    assert!(stage.articles().values().all(|text| !text.contains("floating point")));
    stage.engine().shelve(&SessionFilter::default(), &|_, _| {}).expect("works");
    let found = stage.engine().query(&Query::text("floating point for money")).expect("works");
    assert!(found.said.is_empty() && found.hits.is_empty(), "{found:?}");
    let archive = stage.engine().archive().expect("works");
    let listed = archive.list(&SessionFilter::default(), &|_, _| {}).expect("works");
    assert_eq!(listed.sessions.len(), 1, "{listed:?}");
}

/// A session that was left out by its branch was never read again, as long as its file stayed as it was.
#[test]
fn what_is_no_longer_excluded_is_read() {
    let stage = Stage::new();
    stage.session("s-money", 1, MONEY);
    let path = stage.project().join("sessions/s-money.jsonl");
    let text = std::fs::read_to_string(path).expect("the session can be read");
    let branch = "\"gitBranch\":\"payroll\",\"version\"";
    stage.repo.write("sessions/s-money.jsonl", text.replace("\"version\"", branch));
    let sensed = || crate::signals::sense(&stage).sessions;
    settings(&stage, "[sessions]\nexclude = [\"payroll\"]\n");
    assert_eq!((stage.curate().sessions, sensed()), (0, 0));
    assert_eq!(stage.curate().unchanged, 1, "it is not opened each time");
    settings(&stage, "");
    assert_eq!((stage.curate().sessions, sensed()), (1, 1));
    assert!(stage.articles().values().any(|text| text.contains("floating point")));
    assert_eq!(stage.curate().unchanged, 1);
}

/// What had been put on the shelf before it was left out could still be searched.
#[test]
fn what_is_excluded_later_is_no_longer_searched() {
    let stage = Stage::new();
    stage.session("s-money", 1, MONEY);
    stage.session("s-logs", 2, LOGS);
    let found = |settings_text: &str| {
        settings(&stage, &format!("[sessions]\npaths = [\"sessions\"]\n{settings_text}"));
        stage.engine().shelve(&SessionFilter::default(), &|_, _| {}).expect("works");
        let found = stage.engine().query(&Query::text("floating point for money")).expect("works").said;
        let waits = stage.engine().backlog(&SessionFilter::default(), &|_, _| {}).expect("works").sessions;
        (found.iter().filter(|said| said.text.contains("money")).count() > 0, waits.len())
    };
    assert_eq!(found(""), (true, 2));
    let logs = SessionFilter {
        paths: vec![stage.project().join("sessions/s-logs.jsonl")],
        ..SessionFilter::default()
    };
    settings(&stage, "[sessions]\npaths = [\"sessions\"]\nexclude = [\"s-money\"]\n");
    stage.engine().shelve(&logs, &|_, _| {}).expect("a worker reads what is new");
    assert_eq!(found("exclude = [\"s-money\"]\n"), (false, 1));
    assert_eq!(found(""), (true, 2));
    assert_eq!(found("ignore_agents = [\"claude-code\"]\n"), (false, 0));
    assert_eq!(found(""), (true, 2));
    assert_eq!(found("[topics]\nexclude = [\"\\\\bmoney\\\\b\"]\n"), (false, 2));
    assert_eq!(found(""), (true, 2));
}

#[test]
fn nothing_is_kept_about_an_excluded_topic() {
    let stage = Stage::new();
    stage.session("s-money", 1, MONEY);
    stage.session("s-logs", 2, LOGS);
    settings(&stage, "[sessions]\npaths = [\"sessions\"]\n[topics]\nexclude = [\"\\\\bmoney\\\\b\"]\n");
    stage.curate();
    let articles = stage.articles();
    assert!(!articles.is_empty() && articles.values().all(|text| !text.contains("money")), "{articles:?}");
    stage.engine().shelve(&SessionFilter::default(), &|_, _| {}).expect("works");
    let found = stage.engine().query(&Query::text("floating point for money")).expect("works");
    assert!(found.said.iter().all(|said| !said.text.contains("money")), "{found:?}");
}

/// An editor was sent what nothing was to be kept about.
#[test]
fn an_excluded_topic_reaches_no_editor_and_no_reader() {
    let stage = Stage::new();
    let turns = [
        ("user", "The salary of the crew is 900 a week.\nNever sell tickets after the last boat has left."),
        ("assistant", "Understood: the salary is 900, and no tickets after the last boat."),
    ];
    stage.session("s-crew", 1, &turns);
    settings(&stage, "[sessions]\npaths = [\"sessions\"]\n[topics]\nexclude = [\"salary\"]\n");
    let engine = stage.engine();
    let packet = engine.show_packet(&SessionFilter::default(), None).expect("works");
    let text = packet.text;
    assert!(text.contains("after the last boat") && !text.contains("900"), "{text}");
    let archive = engine.archive().expect("works");
    let found = archive.search(&SessionFilter::default(), "salary", &|_, _| {}).expect("works");
    assert!(found.is_empty(), "{found:?}");
    let session = archive.session(&SessionFilter::default(), "s-crew").expect("is there");
    let shown = lore_engine::sessions::transcript(&session);
    assert!(shown.contains("last boat") && shown.contains("[left out") && !shown.contains("900"), "{shown}");
}

#[test]
fn a_pattern_of_the_users_that_cannot_be_read_is_an_error_and_not_silence() {
    let stage = Stage::new();
    settings(&stage, "[topics]\nexclude = [\"(\"]\n");
    let Err(error) = Engine::open(stage.world()) else { panic!("it must not be ignored") };
    assert!(error.to_string().contains("`(` in `topics.exclude` is no regular expression"), "{error}");
    assert!(error.hints()[0].contains("lore config set topics.exclude"), "{:?}", error.hints());
}

/// A settings file with the marks of a merge switched off what was to be left out, and sessions were kept in full.
#[test]
fn settings_that_cannot_be_read_keep_everything_out() {
    for broken in [
        "<<<<<<< HEAD\n[topics]\nexclude = [\"money\"]\n=======\n>>>>>>> theirs\n",
        "[topics]\nexclude = \"money\"\n",
        "[topics]\nexclude = [\"money\", \"(\"]\n",
        "[sessions]\nexclude = [\"[\"]\n",
    ] {
        let stage = Stage::new();
        stage.session("s-money", 1, MONEY);
        stage.session("s-logs", 2, LOGS);
        stage.repo.write("knowledge/.lore/config.toml", broken);
        let engine = stage.engine();
        let refused = |what: &str, outcome: Result<(), lore_engine::Error>| {
            let error = outcome.expect_err(what);
            assert!(error.to_string().contains("what is to be left out"), "{what}: {error}");
            assert!(error.hints()[0].contains("nothing is kept"), "{what}: {:?}", error.hints());
        };
        let all = SessionFilter::default();
        refused("curate", engine.curate(&CurateOptions::default(), &|_, _| {}).map(drop));
        refused("shelve", engine.shelve(&all, &|_, _| {}).map(drop));
        refused("read", engine.archive().map(drop));
        refused("edit", engine.show_packet(&all, None).map(drop));
        refused(
            "write",
            engine
                .add(
                    NewEntry {
                        title: "Ships".to_owned(),
                        body: "Ships sail.".to_owned(),
                        ..NewEntry::default()
                    },
                    false,
                )
                .map(drop),
        );
        refused("work", lore_engine::hook::work(stage.world(), WorkOptions::default()).map(drop));
        engine.query(&Query::text("money")).expect("reading goes on");
        let report = engine.check(Fix::No).expect("works");
        assert!(report.diagnostics.iter().any(|found| found.code == "settings-in-doubt"), "{report:?}");
        let found = lore_engine::doctor::examine(&stage.world()).expect("works");
        assert!(
            found.is_ill() && found.findings.iter().any(|one| one.what.contains("hooks are silent")),
            "{found:?}"
        );
        assert!(stage.articles().is_empty());
    }
}

/// What was put on the shelf before is not told either, as long as nobody knows what is to be left out.
#[test]
fn what_was_said_is_not_told_while_settings_cannot_be_read() {
    let stage = Stage::new();
    stage.session("s-money", 1, MONEY);
    settings(&stage, "[sessions]\npaths = [\"sessions\"]\n");
    stage.engine().shelve(&SessionFilter::default(), &|_, _| {}).expect("works");
    let said = || stage.engine().query(&Query::text("floating point for money")).expect("works").said;
    assert!(!said().is_empty());
    stage.repo.write("knowledge/.lore/config.toml", "[topics\n");
    assert!(said().is_empty());
}

#[test]
fn what_is_private_stays_in_the_personal_base() {
    let stage = Stage::new();
    let entry = |title: &str, tag: &str| NewEntry {
        title: title.to_owned(),
        body: format!("{title}, and that is a rule."),
        kind: Some(lore_core::Kind::Preference),
        tags: vec![tag.to_owned()],
        ..NewEntry::default()
    };
    let error = stage.engine().add(entry("My salary is not discussed", "private"), false);
    assert!(error.expect_err("is refused").to_string().contains("personal base"));
    Engine::init(&stage.world(), &InitOptions { personal: true, ..InitOptions::default() }).expect("works");
    let own = Engine::open_personal(stage.world()).expect("works");
    own.add(entry("My salary is not discussed", "private"), false).expect("works at home");
    own.add(entry("Answer in short sentences", "style"), false).expect("works");
    own.query(&Query::text("salary")).expect("the index is built");
    for (words, expected) in [("my salary is not discussed", 0), ("answer in short sentences", 1)] {
        let found = stage.engine().query(&Query::text(words)).expect("works");
        assert_eq!(found.hits.len(), expected, "{words}: {found:?}");
    }
    let occasion = lore_engine::context::Occasion::Whole(String::new());
    let told = stage.engine().context(&lore_engine::context::ContextOptions::new(occasion)).expect("works");
    assert!(told.text.contains("short sentences") && !told.text.contains("salary"), "{}", told.text);
    assert_eq!(own.query(&Query::text("salary is not discussed")).expect("works").hits.len(), 1);
}
