//! Friction: noticed quietly, written down when it matters, moved by code.

use lore_core::{LifecycleState, Severity};
use lore_engine::check::Fix;
use lore_engine::reflection::ReflectOptions;
use lore_engine::sessions::SessionFilter;
use lore_engine::signals::{
    MoveRequest, NewSignal, SenseOptions, SenseReport, SignalFilter, SignalItem, SignalMove,
};
use lore_engine::{Engine, InitOptions};
use serde_json::{Value, json};

use crate::stage::Stage;

/// One record of a session.
#[derive(Clone, Copy)]
pub(crate) enum Step<'a> {
    Person(&'a str),
    Agent(&'a str),
    /// A command, and what it said where it failed.
    Ran(&'a str, Option<&'a str>),
}

use Step::{Agent, Person, Ran};

/// Writes a session with commands.
pub(crate) fn session(stage: &Stage, id: &str, day: i64, steps: &[Step<'_>]) {
    let mut records: Vec<Value> = Vec::new();
    for (number, step) in steps.iter().enumerate() {
        match step {
            Person(text) => {
                records.push(json!({"type": "user", "message": {"role": "user", "content": text}}))
            }
            Agent(text) => records.push(json!({
                "type": "assistant",
                "message": {"role": "assistant", "id": format!("m{number}"), "model": "m",
                    "content": [{"type": "text", "text": text}]},
            })),
            Ran(command, error) => {
                let call = format!("t{number}");
                records.push(json!({
                    "type": "assistant",
                    "message": {"role": "assistant", "id": format!("m{number}"), "model": "m", "content": [
                        {"type": "tool_use", "id": call, "name": "Bash", "input": {"command": command}}]},
                }));
                records.push(json!({
                    "type": "user",
                    "message": {"role": "user", "content": [{
                        "type": "tool_result", "tool_use_id": call,
                        "is_error": error.is_some(), "content": error.unwrap_or("fine"),
                    }]},
                }));
            }
        }
    }
    let mut text = String::new();
    for (number, mut record) in records.into_iter().enumerate() {
        let at = lore_testutils::days_later(day)
            .checked_add(jiff::SignedDuration::from_secs(i64::try_from(number).expect("few") * 30))
            .expect("tests stay within a few years");
        record["uuid"] = json!(format!("{id}-{number}"));
        record["parentUuid"] = json!(number.checked_sub(1).map(|before| format!("{id}-{before}")));
        record["sessionId"] = json!(id);
        record["isSidechain"] = json!(false);
        record["cwd"] = json!(stage.project());
        record["version"] = json!("2.0.0");
        record["timestamp"] = json!(at.to_string());
        text.push_str(&format!("{record}\n"));
    }
    stage.repo.write(&format!("sessions/{id}.jsonl"), text);
}

const HULL: &str = "make hull";
pub(crate) const NO_TAR: &str = "error: the tar is missing";

/// The same command fails three times.
fn struggling() -> Vec<Step<'static>> {
    vec![Person("build the boat"), Ran(HULL, Some(NO_TAR)), Ran(HULL, Some(NO_TAR)), Ran(HULL, Some(NO_TAR))]
}

/// The same command works.
fn sailing() -> Vec<Step<'static>> {
    vec![Person("build the boat"), Ran(HULL, None), Agent("Built.")]
}

pub(crate) fn sense(stage: &Stage) -> SenseReport {
    let filter = SessionFilter { path: Some("sessions".into()), ..SessionFilter::default() };
    stage
        .engine()
        .sense(&SenseOptions { filter, ..SenseOptions::default() }, &|_, _| {})
        .expect("sensing works")
}

pub(crate) fn signals(stage: &Stage) -> Vec<SignalItem> {
    let filter = SignalFilter { archived: true, ..SignalFilter::default() };
    stage.engine().signals(&filter).expect("signals can be listed")
}

pub(crate) fn go(stage: &Stage, name: &str, what: SignalMove) -> Result<LifecycleState, String> {
    let request = MoveRequest { name: name.to_owned(), what, why: None, dry_run: false };
    stage.engine().move_signal(&request).map(|moved| moved.to).map_err(|error| error.to_string())
}

/// What was left out as too old was taken for read, and nobody looked at it again.
#[test]
fn what_is_left_for_later_is_sensed_later() {
    let stage = Stage::new();
    session(&stage, "s-boat", 0, &struggling());
    let from = |since: Option<&str>| {
        let filter = SessionFilter { path: Some("sessions".into()), ..SessionFilter::default() };
        let since = since.map(|day| day.parse().expect("is a day"));
        let options = SenseOptions { filter, since, ..SenseOptions::default() };
        stage.engine().sense(&options, &|_, _| {}).expect("can be sensed").sessions
    };
    assert_eq!(from(Some("2026-03-01")), 0);
    assert_eq!((from(None), from(None)), (1, 0));
}

#[test]
fn what_happens_once_is_a_note_and_what_recurs_a_signal() {
    let mut stage = Stage::new();
    session(&stage, "s-1", 1, &struggling());
    let first = sense(&stage);
    assert_eq!((first.raised.len(), first.written.len(), first.notes), (1, 0, 1), "{first:?}");
    assert_eq!(signals(&stage), []);
    assert!(stage.articles().is_empty(), "nothing is written for one occasion");
    assert_eq!(sense(&stage).raised, [], "a session is sensed once");
    session(&stage, "s-2", 2, &struggling());
    stage.day = 2;
    let second = sense(&stage);
    assert_eq!(second.written.len(), 1, "{second:?}");
    let found = signals(&stage);
    assert_eq!((found[0].times, found[0].state), (2, Some(LifecycleState::Detected)));
    let (_, text) = stage.article_with("failed 3 times");
    assert!(
        text.contains("## What Happened")
            && text.contains("## Context")
            && text.contains("## Potential Cause")
    );
    assert!(
        text.contains("session://claude-code/s-1") && text.contains("session://claude-code/s-2"),
        "{text}"
    );
    let log = stage.repo.read("knowledge/log.md");
    assert_eq!(log.matches("noticed 1 signal,").count(), 1, "{log}");
    // The first run of a base was told as one of the year in which time begins.
    assert!(!log.contains("1970"), "{log}");
    session(&stage, "s-3", 3, &struggling());
    assert_eq!(sense(&stage).recurred.len(), 1);
    assert_eq!(signals(&stage)[0].times, 3, "a recurrence is counted, not repeated");
}

#[test]
fn annoyance_leaves_no_quotation_in_the_tree() {
    let angry = [
        Person("paint the hull"),
        Ran("paint --colour red", None),
        Agent("Painted red."),
        Person("no, that is wrong, you bloody fool painted the wrong hull"),
        Agent("Painted again."),
        Person("what are you doing?? it is still the bloody wrong hull"),
    ];
    let quoted = |stage: &Stage| stage.base().values().any(|text| text.contains("bloody"));
    let stage = Stage::with_git();
    session(&stage, "s-1", 1, &angry);
    let report = sense(&stage);
    assert!(report.raised.iter().any(|one| one.severity >= Severity::High), "{report:?}");
    assert_eq!((report.written.len(), report.held.len()), (0, 1), "{report:?}");
    assert!(!quoted(&stage) && stage.articles().is_empty());
    let state = std::fs::read_to_string(stage.state().join("signals/notes.json")).expect("notes are kept");
    assert!(
        !state.contains("fool") && state.contains("paint --colour"),
        "the occasion, not the words: {state}"
    );
    // With a base of their own it goes there, still without the words.
    let stage = Stage::with_git();
    Engine::init(&stage.world(), &InitOptions { personal: true, ..InitOptions::default() })
        .expect("own base");
    session(&stage, "s-1", 1, &angry);
    let report = sense(&stage);
    assert_eq!((report.written.len(), report.personal.len()), (0, 1), "{report:?}");
    assert!(!quoted(&stage) && stage.articles().is_empty());
    let own = Engine::open_personal(stage.world()).expect("own base");
    let texts: Vec<String> = own
        .signals(&SignalFilter::default())
        .expect("listed")
        .into_iter()
        .map(|item| own.show(&item.id).expect("shown").text)
        .collect();
    assert_eq!(texts.len(), 1);
    assert!(!texts[0].contains("bloody"), "{}", texts[0]);
}

#[test]
fn code_moves_a_signal_through_its_life() {
    let mut stage = Stage::with_git();
    session(&stage, "s-1", 1, &struggling());
    session(&stage, "s-2", 2, &struggling());
    stage.day = 2;
    let id = sense(&stage).written[0].clone();
    assert_eq!(go(&stage, &id, SignalMove::Triage), Ok(LifecycleState::Triaged));
    // A commit that names it is its remedy.
    stage.repo.write("tar.txt", "tar");
    stage.repo.commit(&format!("hull: tar is there\n\nResolves: {id}"));
    let check = stage.engine().check(Fix::No).expect("checked");
    assert!(check.diagnostics.iter().any(|one| one.code == "signal-behind"), "{:?}", check.diagnostics);
    assert_eq!(sense(&stage).moved, [(id.clone(), "remediated".to_owned())]);
    // Three sessions with the occasion and without the trouble verify it.
    for day in 3..6 {
        stage.day = day;
        session(&stage, &format!("good-{day}"), day, &sailing());
    }
    assert_eq!(sense(&stage).moved, [(id.clone(), "verified".to_owned())]);
    // It comes back: reopened, linked, worse; and the same commit is no remedy any more.
    stage.day = 7;
    session(&stage, "s-7", 7, &struggling());
    let back = sense(&stage);
    assert_eq!(back.moved, [(id.clone(), "detected".to_owned())]);
    assert_eq!(back.recurred.len(), 1);
    let found = signals(&stage);
    let new = found.iter().find(|item| item.id == back.recurred[0]).expect("a recurrence is written");
    assert_eq!(new.severity, Some(Severity::Critical));
    let text = stage.engine().show(&new.id).expect("shown").text;
    assert!(text.contains("recurrence_of") && text.contains(&id), "{text}");
    let old = stage.engine().show(&id).expect("shown").text;
    assert_eq!(old.matches(" → ").count(), 4, "every move is a line: {old}");
    assert_eq!(sense(&stage).moved, []);
}

#[test]
fn illegal_moves_are_refused_and_a_note_is_kept_by_hand() {
    let stage = Stage::new();
    session(&stage, "s-1", 1, &struggling());
    let note = sense(&stage).raised[0].note.clone();
    assert_eq!(
        go(&stage, &note, SignalMove::Verify),
        Err("a signal cannot go from `detected` to `verified`".into())
    );
    assert_eq!(go(&stage, &note, SignalMove::Triage), Ok(LifecycleState::Triaged));
    let id = signals(&stage)[0].id.clone();
    assert_eq!(go(&stage, &id, SignalMove::Invalidate), Ok(LifecycleState::Invalidated));
    assert!(go(&stage, &id, SignalMove::Triage).is_err());
    session(&stage, "s-2", 2, &struggling());
    assert_eq!(sense(&stage).written, Vec::<String>::new(), "what is no problem is not raised again");
}

#[test]
fn a_person_writes_a_signal_and_nobody_is_told_of_it_unasked() {
    let stage = Stage::new();
    let told = NewSignal { title: "The anchor drags".to_owned(), ..NewSignal::default() };
    stage.engine().add_signal(&told, false).expect("written");
    assert_eq!(signals(&stage)[0].title, "The anchor drags");
    let asked = lore_core::recall::Query::text("the anchor drags");
    let found = stage.engine().query(&asked).expect("asked");
    let text = format!("{found:?}");
    assert!(!text.contains("anchor-drags"), "{text}");
}

/// The troubles of a project: what is run, what it says when it fails, and when it is remedied for good.
const TROUBLES: [(&str, &str); 5] = [
    ("make hull", "error: the tar is missing"),
    ("rigging check", "fatal: mast not found"),
    ("sail test", "assertion failed: sail is dry"),
    ("anchor deploy", "permission denied: harbour"),
    ("lamp build", "error: no oil in the lamp"),
];

#[test]
fn a_year_of_sessions_leaves_nothing_stuck() {
    let mut stage = Stage::with_git();
    let mut named: Vec<String> = Vec::new();
    let mut sizes: Vec<u64> = Vec::new();
    for week in 0..50_i64 {
        stage.day = week * 7;
        // Ten sessions a week; each trouble shows until it is remedied, the first one comes back in week 30.
        for number in 0..10_usize {
            let (command, error) = TROUBLES[number % TROUBLES.len()];
            let remedied = week >= 10 + 4 * i64::try_from(number % TROUBLES.len()).expect("few");
            let returns = number % TROUBLES.len() == 0 && week == 30;
            let id = format!("w{week}-{number}");
            let fails = !remedied && number < TROUBLES.len() && week % 2 == 0 || returns && number < 5;
            let outcome = fails.then_some(error);
            let steps =
                [Person("go on"), Ran(command, outcome), Ran(command, outcome), Ran(command, outcome)];
            session(&stage, &id, week * 7, &steps);
        }
        // Somebody remedies one trouble every fourth week, and says so.
        let known = signals(&stage);
        for (number, (command, _)) in TROUBLES.iter().enumerate() {
            let due = 10 + 4 * i64::try_from(number).expect("few");
            let open: Vec<&SignalItem> = known
                .iter()
                .filter(|item| item.title.contains(command) && item.state == Some(LifecycleState::Detected))
                .collect();
            if week == due || (number == 0 && week == 32) {
                for item in open {
                    stage.repo.write(&format!("remedy-{}.txt", named.len()), &item.id);
                    stage.repo.commit(&format!("mend {number}\n\nResolves: {}", item.id));
                    named.push(item.id.clone());
                }
            }
        }
        sense(&stage);
        // What was read is gone from the folder, as old sessions go.
        for file in std::fs::read_dir(stage.project().join("sessions")).expect("listed").flatten() {
            std::fs::remove_file(file.path()).expect("removed");
        }
        let state = std::fs::metadata(stage.state().join("signals/notes.json")).expect("notes are kept");
        sizes.push(state.len());
    }
    let found = signals(&stage);
    let count = |state| found.iter().filter(|item| item.state == Some(state)).count();
    assert_eq!(found.len(), 6, "five troubles and one that came back: {found:#?}");
    assert_eq!(count(LifecycleState::Verified), 6, "{found:#?}");
    let archived =
        found.iter().filter(|item| item.path.as_deref().is_some_and(|path| path.contains("archive/")));
    assert_eq!(archived.count(), 6, "what is settled is put away: {found:#?}");
    let last = found.iter().find(|item| item.severity == Some(Severity::Critical)).expect("the recurrence");
    assert!(last.title.contains("make hull"), "{last:?}");
    assert!(sizes[49] < 60_000, "the state stays small: {sizes:?}");
    let (early, late) = (sizes[14] - sizes[10], sizes[49] - sizes[45]);
    assert!(late <= early.max(2_000), "a session costs what it did before: {sizes:?}");
    let check = stage.engine().check(Fix::No).expect("checked");
    let stuck = check.diagnostics.iter().filter(|one| one.code.starts_with("signal-")).count();
    assert_eq!(stuck, 0, "{:?}", check.diagnostics);
}

/// The title said three times, the description twice, and it had been four.
#[test]
fn a_page_says_one_number_and_it_is_the_true_one() {
    let mut stage = Stage::new();
    let mut steps = struggling();
    session(&stage, "s-1", 1, &steps);
    sense(&stage);
    // The session goes on after it was looked at.
    steps.push(Ran(HULL, Some(NO_TAR)));
    session(&stage, "s-1", 1, &steps);
    assert_eq!(sense(&stage).raised, [], "it is the same trouble");
    session(&stage, "s-2", 2, &struggling());
    stage.day = 2;
    assert_eq!(sense(&stage).written.len(), 1);
    let (_, text) = stage.article_with("failed 4 times");
    assert!(!text.contains("failed 3 times") && !text.contains("failed 2 times"), "{text}");
    assert!(text.matches("failed 4 times").count() >= 3, "title, description and body: {text}");
}

/// Of several sessions between two looks only the last was cited, and a lesson counts places by citations.
#[test]
fn every_session_that_brought_it_is_a_place() {
    let mut stage = Stage::new();
    for day in 1..=2 {
        session(&stage, &format!("s-{day}"), day, &struggling());
    }
    sense(&stage);
    for day in 3..=8 {
        session(&stage, &format!("s-{day}"), day, &struggling());
    }
    stage.day = 8;
    sense(&stage);
    let (_, text) = stage.article_with("failed 3 times");
    for day in 1..=8 {
        assert!(text.contains(&format!("session://claude-code/s-{day}#")), "{day}: {text}");
    }
    let reflect = || stage.engine().reflect(&ReflectOptions::default()).expect("reflected");
    reflect();
    let lesson = || stage.article_with("stops `make hull`").1;
    assert!(lesson().contains("(seen 8 times in 8 places)"), "{}", lesson());
    session(&stage, "s-9", 9, &struggling());
    sense(&stage);
    reflect();
    assert!(lesson().contains("(seen 9 times in 9 places)"), "{}", lesson());
    assert!(lesson().contains("occurrences: 9") && !lesson().contains("seen 8 times"), "{}", lesson());
    let text = lesson();
    reflect();
    assert_eq!(lesson(), text, "nothing new, nothing written");
}

/// `lore sense` named notes that no command found, several under one title.
#[test]
fn what_is_noticed_can_be_looked_up_and_told_apart() {
    let mut stage = Stage::new();
    stage.day = 300;
    let complaints = |said: &'static str| {
        [
            Person("build the boat"),
            Agent("Done."),
            Person(said),
            Agent("Right."),
            Person("It still does not work."),
        ]
    };
    session(&stage, "aaaa-one", 299, &complaints("No, that is wrong."));
    session(&stage, "bbbb-two", 299, &complaints("That is wrong."));
    // Light, and older than half a year: it is forgotten at once.
    session(&stage, "cccc-old", 10, &complaints("No, that is wrong."));
    let report = sense(&stage);
    assert!(report.raised.len() >= 2 && report.passed_over >= 1, "{report:#?}");
    let mut titles: Vec<&str> = report.raised.iter().map(|raised| raised.title.as_str()).collect();
    titles.sort_unstable();
    let all = titles.len();
    titles.dedup();
    assert_eq!(titles.len(), all, "{titles:?}");
    let engine = stage.engine();
    for raised in &report.raised {
        let opened = engine.open_reference("by-hand", &raised.note, Some(3)).expect("it opens");
        assert!(opened.text.contains(&raised.session), "{opened:?}");
        let why = engine.why(&raised.note).expect("it tells why");
        assert_eq!((why.id.as_str(), why.claims.len()), (raised.note.as_str(), 1));
        let refused = engine.review(&raised.note, lore_engine::review::Ruling::Keep, false).unwrap_err();
        assert!(refused.to_string().contains("is a note about friction"), "{refused}");
    }
}
