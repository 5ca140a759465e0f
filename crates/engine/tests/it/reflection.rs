//! Reflection: what recurs becomes lessons, in our words or an editor's, and they speak in time.

use lore_core::{Confidence, LifecycleState};
use lore_engine::curator::{Errand, Model, ModelError, ModelReply, ModelRequest};
use lore_engine::reflection::ReflectOptions;
use lore_engine::signals::{MoveRequest, NewSignal, SignalMove};
use serde_json::{Value, json};

use crate::signals::Step::{Agent, Person, Ran};
use crate::signals::{NO_TAR, go, sense, session, signals};
use crate::stage::Stage;

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
    /// How many lines it cites: the lesson as it was, then signal by signal.
    cites: usize,
    asked: std::cell::RefCell<Vec<Errand>>,
}

impl Wording {
    fn of(recommendation: &'static str) -> Wording {
        Wording { recommendation, look: "entailed", cites: usize::MAX, asked: Default::default() }
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
        let lines: Vec<u32> = request.packet.lines.iter().map(|line| line.number).take(self.cites).collect();
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
    // It stays one when nobody is asked, and nobody is asked twice.
    assert_eq!(stage.engine().reflect(&usual).expect("reflected").lessons.len(), 0);
    let editor = Wording::of("");
    stage.engine().reflect_with(&usual, Some(&editor)).expect("reflected");
    assert!(editor.asked.borrow().is_empty());
}

#[test]
fn what_is_a_lesson_already_is_not_taken_away_by_an_editor() {
    let mut stage = Stage::new();
    without_tar(&mut stage);
    let usual = ReflectOptions::default();
    assert_eq!(stage.engine().reflect(&usual).expect("reflected").lessons.len(), 1);
    let report = stage.engine().reflect_with(&usual, Some(&Wording::of(""))).expect("reflected");
    assert_eq!((report.lessons.len(), report.unclear.len()), (1, 0), "{report:?}");
}

#[test]
fn an_editor_takes_signals_off_that_tell_of_something_else() {
    let mut stage = Stage::new();
    without_tar(&mut stage);
    let usual = ReflectOptions::default();
    let lesson = |stage: &Stage| {
        stage.articles().into_iter().find(|(path, _)| path.starts_with("lessons/")).map(|(_, text)| text)
    };
    // One signal is no lesson.
    let advice = "Deal with the missing tar before running make again.";
    let report = stage.engine().reflect_with(&usual, Some(&Wording { cites: 2, ..Wording::of(advice) }));
    let wording = report.expect("reflected").wording.expect("somebody was asked");
    assert!(wording.kept.iter().any(|kept| kept.why.contains("fewer than two")), "{wording:?}");
    let ours = lesson(&stage).expect("it is one in our words");
    assert_eq!(ours.matches("- `sig-").count(), 3, "{ours}");
    let editor = Wording { cites: 3, ..Wording::of("Deal with the missing tar before running it again.") };
    let report = stage.engine().reflect_with(&usual, Some(&editor)).expect("reflected");
    assert_eq!((report.lessons[0].evidence.len(), report.lessons[0].places), (2, 4), "{report:?}");
    let theirs = lesson(&stage).expect("is there");
    assert_eq!(theirs.matches("- `sig-").count(), 2, "{theirs}");
    assert_eq!(theirs.matches("resource: signal:").count(), 2, "{theirs}");
    assert!(theirs.contains("evidence_count: 2"), "{theirs}");
    // They do not come back by the words they share.
    let report = stage.engine().reflect(&usual).expect("reflected");
    assert_eq!(report.lessons[0].change, "same", "{report:?}");
    assert_eq!(lesson(&stage), Some(theirs));
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
