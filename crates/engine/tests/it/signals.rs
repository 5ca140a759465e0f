//! Friction: noticed quietly, written down when it matters, moved by code.

use lore_core::{Confidence, LifecycleState, Severity};
use lore_engine::check::Fix;
use lore_engine::curator::{Errand, Model, ModelError, ModelReply, ModelRequest};
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
enum Step<'a> {
    Person(&'a str),
    Agent(&'a str),
    /// A command, and what it said where it failed.
    Ran(&'a str, Option<&'a str>),
}

use Step::{Agent, Person, Ran};

/// Writes a session with commands.
fn session(stage: &Stage, id: &str, day: i64, steps: &[Step<'_>]) {
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
const NO_TAR: &str = "error: the tar is missing";

/// The same command fails three times.
fn struggling() -> Vec<Step<'static>> {
    vec![Person("build the boat"), Ran(HULL, Some(NO_TAR)), Ran(HULL, Some(NO_TAR)), Ran(HULL, Some(NO_TAR))]
}

/// The same command works.
fn sailing() -> Vec<Step<'static>> {
    vec![Person("build the boat"), Ran(HULL, None), Agent("Built.")]
}

fn sense(stage: &Stage) -> SenseReport {
    let filter = SessionFilter { path: Some("sessions".into()), ..SessionFilter::default() };
    stage
        .engine()
        .sense(&SenseOptions { filter, ..SenseOptions::default() }, &|_, _| {})
        .expect("sensing works")
}

fn signals(stage: &Stage) -> Vec<SignalItem> {
    let filter = SignalFilter { archived: true, ..SignalFilter::default() };
    stage.engine().signals(&filter).expect("signals can be listed")
}

fn go(stage: &Stage, name: &str, what: SignalMove) -> Result<LifecycleState, String> {
    let request = MoveRequest { name: name.to_owned(), what, why: None, dry_run: false };
    stage.engine().move_signal(&request).map(|moved| moved.to).map_err(|error| error.to_string())
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

/// Lets three commands fail with one error, each in two sessions.
fn without_tar(stage: &mut Stage) {
    for (number, command) in ["make hull", "make deck", "make keel"].into_iter().enumerate() {
        for again in 0..2_i64 {
            let day = i64::try_from(number).expect("few") * 2 + again + 1;
            stage.day = day;
            let failing = Ran(command, Some(NO_TAR));
            session(stage, &format!("{number}-{again}"), day, &[Person("go on"), failing, failing, failing]);
        }
    }
    assert_eq!(sense(stage).written.len(), 3);
}

#[test]
fn what_recurs_becomes_a_lesson_that_speaks_after_a_failure() {
    let mut stage = Stage::new();
    without_tar(&mut stage);
    let rehearsed = stage.engine().reflect(&ReflectOptions { dry_run: true, ..ReflectOptions::default() });
    assert_eq!(rehearsed.expect("reflected").lessons.len(), 1);
    assert!(stage.articles().keys().all(|path| !path.starts_with("lessons/")), "a rehearsal writes nothing");
    let report = stage.engine().reflect(&ReflectOptions::default()).expect("reflected");
    let lesson = &report.lessons[0];
    assert_eq!((lesson.change, lesson.evidence.len(), lesson.places), ("new", 3, 6), "{lesson:?}");
    assert_eq!(lesson.triggers, ["error ~ error the tar is missing"]);
    let (path, text) =
        stage.articles().into_iter().find(|(path, _)| path.starts_with("lessons/")).expect("written");
    for heading in ["## Lesson", "## When This Applies", "## Recommendation", "## Evidence"] {
        assert!(text.contains(heading), "{path}: {text}");
    }
    // The same error in another command brings it up.
    let message = json!({ "session_id": "s-new", "cwd": stage.project(), "hook_event_name": "PostToolUseFailure",
        "tool_name": "Bash", "tool_input": { "command": "make mast" }, "error": "make: start\nerror: the tar is missing\n" });
    lore_engine::hook::work(
        stage.world(),
        lore_engine::hook::WorkOptions { at_once: true, ..Default::default() },
    )
    .expect("the index is built");
    let reply = lore_engine::hook::answer(
        stage.world(),
        "claude-code",
        "post-tool-use-failure",
        message.to_string().as_bytes(),
    );
    assert!(reply.output.as_deref().is_some_and(|said| said.contains("tar is missing")), "{reply:?}");
    // Nothing new: nothing is written again, and it is not due.
    let again = stage.engine().reflect(&ReflectOptions::default()).expect("reflected");
    assert_eq!((again.lessons[0].change, again.unprocessed), ("same", 0));
    let due = stage.engine().reflect(&ReflectOptions { due: true, ..ReflectOptions::default() });
    assert!(due.expect("reflected").not_due);
}

#[test]
fn a_lesson_gains_with_more_evidence_and_decays_without() {
    let mut stage = Stage::new();
    without_tar(&mut stage);
    let reflect = |stage: &Stage| stage.engine().reflect(&ReflectOptions::default()).expect("reflected");
    reflect(&stage);
    for again in 0..2_i64 {
        stage.day = 20 + again;
        let failing = Ran("make rudder", Some(NO_TAR));
        session(&stage, &format!("r-{again}"), stage.day, &[Person("go on"), failing, failing, failing]);
    }
    assert_eq!(sense(&stage).written.len(), 1);
    let report = reflect(&stage);
    assert_eq!(report.lessons.len(), 1, "updated, not repeated: {report:?}");
    let before = report.lessons[0].confidence;
    assert_eq!(report.lessons[0].change, "stronger");
    let lessons = |stage: &Stage| stage.articles().keys().filter(|path| path.starts_with("lessons/")).count();
    assert_eq!(lessons(&stage), 1);
    // Everything was settled long ago and nobody needed the lesson since.
    let ids: Vec<String> = signals(&stage).into_iter().map(|item| item.id).collect();
    for id in ids {
        assert_eq!(go(&stage, &id, SignalMove::Invalidate), Ok(LifecycleState::Invalidated));
    }
    let mut changes = Vec::new();
    for half_year in 1..5 {
        stage.day = 20 + half_year * 200;
        changes.extend(reflect(&stage).outdated.into_iter().map(|line| (line.change, line.confidence)));
    }
    assert!(changes.iter().any(|(change, _)| *change == "weaker") && before > Confidence::Low, "{changes:?}");
    assert_eq!(changes.last().map(|(change, _)| *change), Some("outdated"), "{changes:?}");
    assert_eq!(lessons(&stage), 1, "it stays to be found");
}

/// Words lessons as it is told to; a second look believes it.
struct Wording {
    recommendation: &'static str,
    look: &'static str,
    asked: std::cell::RefCell<Vec<Errand>>,
}

impl Wording {
    fn of(recommendation: &'static str) -> Wording {
        Wording { recommendation, look: "entailed", asked: Default::default() }
    }
}

impl Model for Wording {
    fn name(&self) -> &str {
        "scripted"
    }

    fn ask(&self, request: &ModelRequest<'_>) -> Result<ModelReply, ModelError> {
        self.asked.borrow_mut().push(request.errand);
        if request.errand == Errand::Look {
            let claims = request.text.lines().filter_map(|line| line.strip_prefix("CLAIM ")?.split_once(':'));
            let looks: serde_json::Map<String, Value> =
                claims.map(|(number, _)| (number.to_owned(), self.look.into())).collect();
            return Ok(ModelReply::of(json!({ "looks": looks }).to_string()));
        }
        if self.recommendation.is_empty() {
            return Ok(ModelReply::of(r#"{"lessons":[{"n":1,"none":true}]}"#));
        }
        let lines: Vec<u32> = request.packet.lines.iter().map(|line| line.number).collect();
        let lesson = json!({ "n": 1, "title": "Missing tar stops make", "lines": lines,
            "lesson": "`make hull`, `make deck` and `make keel` stop with “error: the tar is missing”.",
            "applies": "Before running make.", "recommendation": self.recommendation });
        Ok(ModelReply::of(json!({ "packet": request.packet.id.as_str(), "lessons": [lesson] }).to_string()))
    }
}

#[test]
fn an_editor_words_a_lesson_as_far_as_its_signals_say_so() {
    let mut stage = Stage::new();
    without_tar(&mut stage);
    let lesson = |stage: &Stage| {
        stage.articles().into_iter().find(|(path, _)| path.starts_with("lessons/")).map(|(_, text)| text)
    };
    let usual = ReflectOptions::default();
    // What no signal says is not taken, and the lesson stands in the words it has without an editor.
    let foreign = Wording::of("Install `gnu_tarball` 41 before running `make hull`.");
    let report = stage.engine().reflect_with(&usual, Some(&foreign)).expect("reflected");
    let wording = report.wording.expect("somebody was asked");
    assert_eq!((wording.asked, wording.worded, wording.kept.len()), (1, 0, 1), "{wording:?}");
    assert!(wording.kept[0].why.contains("gnu_tarball"), "{wording:?}");
    let ours = lesson(&stage).expect("is written all the same");
    assert!(!ours.contains("gnu_tarball") && !ours.contains("edited:"), "{ours}");
    // A rehearsal asks and writes nothing; what it was told is remembered.
    let editor = Wording::of("Deal with the missing tar before running `make hull` again.");
    let rehearsal = ReflectOptions { dry_run: true, ..usual.clone() };
    let report = stage.engine().reflect_with(&rehearsal, Some(&editor)).expect("reflected");
    assert_eq!(report.lessons[0].worded_by.as_deref(), Some("scripted"), "{report:?}");
    assert_eq!(lesson(&stage).as_deref(), Some(ours.as_str()));
    let asked = editor.asked.borrow().len();
    let report = stage.engine().reflect_with(&usual, Some(&editor)).expect("reflected");
    assert_eq!(editor.asked.borrow().len(), asked, "the answer is known");
    assert_eq!(report.wording.map(|wording| (wording.worded, wording.tokens_in)), Some((1, 0)));
    let theirs = lesson(&stage).expect("is there");
    assert!(theirs.contains("# Missing tar stops make") && theirs.contains("by: model scripted"), "{theirs}");
    assert!(
        theirs.contains("Deal with the missing tar before") && theirs.contains("## Evidence"),
        "{theirs}"
    );
    assert_eq!(theirs.matches("- `sig-").count(), 3, "{theirs}");
    // Worded once is enough.
    let report = stage.engine().reflect_with(&usual, Some(&editor)).expect("reflected");
    assert_eq!(report.wording.map(|wording| wording.asked), Some(0));
    assert_eq!(lesson(&stage), Some(theirs));
}

#[test]
fn a_second_look_that_says_nothing_is_taken_again() {
    let mut stage = Stage::new();
    without_tar(&mut stage);
    let rehearsal = ReflectOptions { dry_run: true, ..ReflectOptions::default() };
    let advice = "Deal with the missing tar before running `make hull` again.";
    let mute = Wording { look: "hm", ..Wording::of(advice) };
    let report = stage.engine().reflect_with(&rehearsal, Some(&mute)).expect("reflected");
    let wording = report.wording.expect("somebody was asked");
    assert!(wording.kept.iter().any(|kept| kept.why.contains("nobody took")), "{wording:?}");
    let editor = Wording::of(advice);
    let report = stage.engine().reflect_with(&rehearsal, Some(&editor)).expect("reflected");
    assert_eq!(*editor.asked.borrow(), [Errand::Look], "the words are remembered, the look is not");
    assert_eq!(report.wording.map(|wording| wording.worded), Some(1));
}

#[test]
fn what_an_editor_finds_no_lesson_in_stays_a_question() {
    let mut stage = Stage::new();
    without_tar(&mut stage);
    let usual = ReflectOptions::default();
    let report = stage.engine().reflect_with(&usual, Some(&Wording::of(""))).expect("reflected");
    assert_eq!((report.lessons.len(), report.unclear.len()), (0, 1), "{report:?}");
    let wording = report.wording.expect("somebody was asked");
    assert_eq!((wording.none.len(), wording.kept.len()), (1, 0), "{wording:?}");
    // What is a lesson already is not taken away by it.
    assert_eq!(stage.engine().reflect(&usual).expect("reflected").lessons.len(), 1);
    let report = stage.engine().reflect_with(&usual, Some(&Wording::of(""))).expect("reflected");
    assert_eq!((report.lessons.len(), report.unclear.len()), (1, 0), "{report:?}");
}

#[test]
fn a_remedy_that_somebody_noted_becomes_the_recommendation() {
    let mut stage = Stage::new();
    let titles =
        ["The chain slips off the winch", "Chain slipped from the winch", "The winch lets the chain slip"];
    let note = |stage: &mut Stage, at: usize, remedy: &str| {
        stage.day = i64::try_from(at).expect("few") + 1;
        let told =
            NewSignal { title: titles[at].to_owned(), remedy: remedy.to_owned(), ..NewSignal::default() };
        stage.engine().add_signal(&told, false).expect("written").id
    };
    for at in 0..2 {
        note(&mut stage, at, "");
    }
    let last = note(&mut stage, 2, "");
    let reflect = |stage: &Stage| {
        let rehearsal = ReflectOptions { dry_run: true, ..ReflectOptions::default() };
        stage.engine().reflect(&rehearsal).expect("reflected")
    };
    let report = reflect(&stage);
    assert_eq!((report.lessons.len(), report.unclear.len()), (0, 1), "nobody says what to do: {report:?}");
    // Who triages it says what is to be done.
    let triage = MoveRequest {
        name: last.to_string(),
        what: SignalMove::Triage,
        why: Some("Cover the winch when it rains".to_owned()),
        dry_run: false,
    };
    stage.engine().move_signal(&triage).expect("moved");
    let report = reflect(&stage);
    assert_eq!(report.lessons[0].recommendation, "Cover the winch when it rains.", "{report:?}");
    // Who notes it with a remedy says it at once.
    let mut stage = Stage::new();
    for (at, remedy) in ["", "Run `chain_lock` after mooring", ""].into_iter().enumerate() {
        note(&mut stage, at, remedy);
    }
    let report = reflect(&stage);
    assert_eq!(report.lessons[0].recommendation, "Run `chain_lock` after mooring.", "{report:?}");
}

#[test]
fn an_editor_that_fails_costs_no_lesson() {
    struct Silent(&'static str);
    impl Model for Silent {
        fn name(&self) -> &str {
            "silent"
        }
        fn ask(&self, _: &ModelRequest<'_>) -> Result<ModelReply, ModelError> {
            match self.0 {
                "" => Err(ModelError::TimedOut("silent".to_owned(), 1)),
                words => Ok(ModelReply::of(words)),
            }
        }
    }
    for (words, says) in [("", "did not answer"), ("I would rather not.", "no object")] {
        let mut stage = Stage::new();
        without_tar(&mut stage);
        let report = stage.engine().reflect_with(&ReflectOptions::default(), Some(&Silent(words)));
        let report = report.expect("reflected");
        assert_eq!((report.lessons.len(), report.lessons[0].change), (1, "new"));
        let wording = report.wording.expect("somebody was asked");
        let why = wording.stopped.or(wording.kept.first().map(|kept| kept.why.clone()));
        assert!(why.is_some_and(|why| why.contains(says)), "{words}");
    }
}

#[test]
fn a_command_that_misfires_in_session_after_session_becomes_a_lesson() {
    const WRONG: &str = "error: unrecognized subcommand 'sail'";
    let mut stage = Stage::new();
    let misfire = |stage: &mut Stage, number: u32| {
        stage.day = i64::from(number) + 1;
        let steps = [
            Person("hoist the sail"),
            Ran("hoist sail up", Some(WRONG)),
            Ran("sail up", None),
            Agent("Done."),
        ];
        session(stage, &format!("m-{number}"), stage.day, &steps);
    };
    for number in 0..2 {
        misfire(&mut stage, number);
    }
    let report = sense(&stage);
    assert_eq!((report.raised.len(), report.written.len(), report.notes), (0, 0, 0), "{report:?}");
    for number in 2..5 {
        misfire(&mut stage, number);
    }
    let report = sense(&stage);
    assert_eq!((report.raised.len(), report.written.len()), (0, 1), "{report:?}");
    let lessons = stage.engine().reflect(&ReflectOptions::default()).expect("reflected").lessons;
    assert_eq!(lessons.len(), 1, "{lessons:?}");
    assert_eq!(lessons[0].recommendation, "Run `sail up` instead of `hoist sail up`.");
    assert_eq!(lessons[0].triggers, ["error ~ error unrecognized subcommand 'sail'"]);
    lore_engine::hook::work(
        stage.world(),
        lore_engine::hook::WorkOptions { at_once: true, ..Default::default() },
    )
    .expect("the index is built");
    let after = |command: &str, error: &str| {
        let message = json!({ "session_id": "s-new", "cwd": stage.project(), "hook_event_name": "PostToolUseFailure",
            "tool_name": "Bash", "tool_input": { "command": command }, "error": error });
        let bytes = message.to_string();
        lore_engine::hook::answer(stage.world(), "claude-code", "post-tool-use-failure", bytes.as_bytes())
            .output
    };
    let other = after("hoist anchor", "error: unrecognized subcommand 'anchor'");
    assert!(other.is_none_or(|said| !said.contains("sail up")), "another word is another matter");
    let said = after("hoist sail down", &format!("Exit code 2\n{WRONG}\n\nUsage: hoist [COMMAND]"));
    assert!(said.is_some_and(|said| said.contains("Run `sail up` instead")), "it says what works");
}
