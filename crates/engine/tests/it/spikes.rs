//! Open questions: looked up, measured apart from the user's tree, decided, and never measured twice.
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::path::{Path, PathBuf};

use lore_core::{SpikeOutcome, SpikeState};
use lore_engine::context::{ContextOptions, Occasion};
use lore_engine::spike::{AnsweredHow, Design, NewSpike, ReadAnswer};
use lore_engine::surfacing::{Role, Task};
use lore_engine::{Engine, InitOptions, World};
use lore_testutils::{TestRepo, start};
use tempfile::TempDir;

const QUESTION: &str = "Should we use a heap or a list for the event queue?";

/// A project, and a home that lies elsewhere, as homes do.
struct Bench {
    repo: TestRepo,
    home: TempDir,
}

impl Bench {
    fn new() -> Bench {
        let bench = Bench { repo: TestRepo::with_git(), home: tempfile::tempdir().unwrap() };
        let options = InitOptions { project: Some(bench.repo.path()), ..InitOptions::default() };
        Engine::init(&bench.world(), &options).unwrap();
        bench
    }

    fn world(&self) -> World {
        let variables = [
            ("HOME", self.home.path().to_string_lossy().into_owned()),
            ("LORE_USER", "ada".to_owned()),
            ("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin".to_owned()),
        ];
        World {
            now: start(),
            directory: self.repo.path(),
            variables: variables.map(|(name, value)| (name.to_owned(), value)).into(),
        }
    }

    fn engine(&self) -> Engine {
        Engine::open(self.world()).unwrap()
    }

    /// Asks the question and designs an experiment of two scripts.
    fn designed(&self, heap: &str, list: &str, settings: &str) -> String {
        self.designed_for(&["cost of heap < 0.9 x list"], heap, list, settings)
    }

    fn designed_for(&self, criteria: &[&str], heap: &str, list: &str, settings: &str) -> String {
        let engine = self.engine();
        let asked =
            engine.spike(NewSpike { question: QUESTION.to_owned(), ..NewSpike::default() }, false).unwrap();
        let id = asked.spike.unwrap().id.to_string();
        let page = page(heap, list, settings);
        let criteria = criteria.iter().map(|&line| line.to_owned()).collect();
        let design = Design { criteria, experiment: Some(page), ..Design::default() };
        let view = engine.design_spike(&id, &design, false).unwrap();
        assert_eq!(view.state, SpikeState::Designed);
        id
    }
    fn confirm(&self, id: &str) {
        let engine = self.engine();
        let shown = engine.experiment(id).unwrap();
        engine.confirm_experiment(id, &shown.hash).unwrap();
    }

    fn state(&self, id: &str) -> SpikeState {
        self.engine().show_spike(id).unwrap().state
    }

    fn places(&self) -> PathBuf {
        self.home.path().join(".local/share/lore/spikes")
    }
}

/// Writes an experiment of two scripts.
fn page(heap: &str, list: &str, settings: &str) -> String {
    format!(
        "## Settings\n\n- repetitions: 6\n- warm-up: 1\n- place: empty\n- time: 20 s\n{settings}\n\
         ## Alternative: heap\n\n```sh\n{heap}\n```\n\n## Alternative: list\n\n```sh\n{list}\n```\n"
    )
}

fn files_below(folder: &Path) -> usize {
    let items = std::fs::read_dir(folder).into_iter().flatten().flatten();
    items.map(|item| if item.path().is_dir() { files_below(&item.path()) } else { 1 }).sum()
}

#[test]
fn a_question_is_measured_once_and_answered_ever_after() {
    let bench = Bench::new();
    let id = bench.designed("echo cost=5", "echo cost=10", "");
    let task = Task::new(Role::Researcher, QUESTION);
    let before = bench.engine().surface(&task).unwrap();
    assert!(
        before.items.is_empty() && before.answered.is_none(),
        "nothing is told of what is open: {before:?}"
    );
    bench.confirm(&id);
    let run = bench.engine().run_spike(&id, &|_, _| {}).unwrap();
    assert_eq!((run.made, run.spike.state), (14, SpikeState::Collected), "{run:?}");
    let decision = bench.engine().decide_spike(&id, false).unwrap();
    assert_eq!(decision.spike.outcome, Some(SpikeOutcome::Confirmed));
    assert_eq!(decision.recommended.as_deref(), Some("heap"));
    for file in &decision.files {
        assert!(bench.repo.join("knowledge").join(file).is_file(), "{file}");
    }
    assert_eq!(files_below(&bench.places()), 0, "no place is left");

    let again = NewSpike { question: "list or heap for the event queue?".to_owned(), ..NewSpike::default() };
    let asked = bench.engine().spike(again.clone(), false).unwrap();
    assert!(asked.spike.is_none(), "{asked:?}");
    assert_eq!(asked.answered.map(|answered| answered.how), Some(AnsweredHow::Full));
    bench.engine().spike(again.clone(), false).unwrap();
    assert_eq!(bench.engine().spikes_avoided(), 1, "one question counts once");
    // A planner is not told of spikes, unless one answers what is planned.
    for role in [Role::Researcher, Role::Planner] {
        let surfaced = bench.engine().surface(&Task::new(role, QUESTION)).unwrap();
        assert_eq!(surfaced.spikes_avoided.len(), 1, "{surfaced:?}");
        assert_eq!(surfaced.items.len(), 1, "what counts as avoided is told: {surfaced:?}");
    }
    let known = bench.engine().ask(&lore_engine::ask::Question::new(QUESTION)).unwrap();
    assert!(known.known && known.answered.is_some(), "{known:?}");
    let forced = bench.engine().spike(NewSpike { force: true, ..again }, false).unwrap();
    assert!(forced.spike.is_some());
    assert!(bench.engine().check(lore_engine::check::Fix::No).unwrap().is_clean());
}

#[test]
fn nothing_runs_without_a_persons_yes_to_exactly_this() {
    let bench = Bench::new();
    let id = bench.designed("touch ran; echo cost=1", "echo cost=1", "");
    let refused = bench.engine().run_spike(&id, &|_, _| {}).unwrap_err();
    assert!(refused.to_string().contains("nobody has confirmed"), "{refused}");
    bench.confirm(&id);
    let paper = format!("knowledge/{}/EXPERIMENT.md", bench.engine().show_spike(&id).unwrap().folder);
    let text = bench.repo.read(&paper);
    bench.repo.write(&paper, text.replace("cost=1", "cost=2"));
    let refused = bench.engine().run_spike(&id, &|_, _| {}).unwrap_err();
    assert!(
        refused.to_string().contains("nobody has confirmed"),
        "another letter needs another yes: {refused}"
    );
    let agent = bench.engine().for_agent("robin");
    let shown = agent.experiment(&id).unwrap();
    assert!(agent.confirm_experiment(&id, &shown.hash).is_err());
    bench.confirm(&id);
    assert!(agent.run_spike(&id, &|_, _| {}).is_err());
    assert_eq!(bench.state(&id), SpikeState::Designed);
}

#[test]
fn who_writes_into_the_users_tree_is_stopped_and_nothing_of_it_counts() {
    let bench = Bench::new();
    let readme = bench.repo.join("README.md");
    let before = bench.repo.read("README.md");
    let script = format!("echo spoiled > '{}' || true\necho cost=1", readme.display());
    let id = bench.designed(&script, "echo cost=2", "");
    bench.confirm(&id);
    match bench.engine().run_spike(&id, &|_, _| {}) {
        // Where the system lets us, the tree is read-only and the attempt fails.
        Ok(run) => assert!(!run.notes.iter().any(|note| note.contains("not read-only")), "{run:?}"),
        Err(refused) => {
            assert!(refused.to_string().contains("README.md"), "{refused}");
            let view = bench.engine().show_spike(&id).unwrap();
            assert_eq!(view.state, SpikeState::Designed);
            assert!(
                view.run.is_some_and(
                    |run| run.done == 0 && run.ended.is_some_and(|how| how.contains("README.md"))
                )
            );
            return;
        }
    }
    assert_eq!(bench.repo.read("README.md"), before, "the tree is as it was");
}

#[test]
fn what_changes_in_the_tree_meanwhile_stops_the_run() {
    let bench = Bench::new();
    let id = bench.designed("echo cost=1", "echo cost=2", "");
    bench.confirm(&id);
    let readme = bench.repo.join("README.md");
    // Somebody edits a file while the experiment runs; who it was cannot be told.
    let touched = std::cell::Cell::new(false);
    let progress = |_: u32, _: u32| {
        if !touched.replace(true) {
            std::fs::write(&readme, "edited\n").unwrap();
        }
    };
    let refused = bench.engine().run_spike(&id, &progress).unwrap_err();
    assert!(refused.to_string().contains("README.md"), "{refused}");
    let view = bench.engine().show_spike(&id).unwrap();
    assert_eq!((view.state, view.run.map(|run| run.done)), (SpikeState::Designed, Some(0)));
    let run = bench.engine().run_spike(&id, &|_, _| {}).unwrap();
    assert_eq!((run.made, run.spike.state), (14, SpikeState::Collected), "it can be run again");
}

/// A session that ended meanwhile was curated, and all numbers were thrown away for it.
#[test]
fn what_lore_writes_into_the_base_meanwhile_stops_no_run_that_is_kept_from_it() {
    let bench = Bench::new();
    let id = bench.designed("echo cost=1", "echo cost=2", "");
    bench.confirm(&id);
    bench.repo.commit("all of it");
    let write = |done: u32, _: u32| {
        let ask = |about: &str| NewSpike { question: format!("Should we {about}?"), ..NewSpike::default() };
        match done {
            2 => drop(bench.engine().spike(ask("use hemp or nylon for the ropes"), false).unwrap()),
            4 => bench.repo.commit("knowledge: ask"),
            6 => drop(bench.engine().spike(ask("use tar or paint for the hull"), false).unwrap()),
            _ => {}
        }
    };
    match bench.engine().run_spike(&id, &write) {
        Ok(run) => assert_eq!((run.made, run.spike.state), (14, SpikeState::Collected), "{run:?}"),
        // Where nothing keeps the experiment from the base, it may have been the experiment.
        Err(refused) => {
            assert!(refused.to_string().contains("knowledge/"), "{refused}");
            let run = bench.engine().run_spike(&id, &|_, _| {}).unwrap();
            assert!(run.notes.iter().any(|note| note.contains("not read-only")), "{run:?}");
        }
    }
}

#[test]
fn a_commit_of_more_than_the_base_stops_the_run() {
    let bench = Bench::new();
    let id = bench.designed("echo cost=1", "echo cost=2", "");
    bench.confirm(&id);
    bench.repo.write("README.md", "edited\n");
    let commit = |done: u32, _: u32| {
        if done == 2 {
            bench.repo.commit("readme and knowledge");
        }
    };
    let refused = bench.engine().run_spike(&id, &commit).unwrap_err();
    assert!(refused.to_string().contains("branches or tags"), "{refused}");
}

#[test]
fn an_alternative_that_never_ends_eats_or_forks_fails_and_the_other_is_measured() {
    let bench = Bench::new();
    for (script, settings, why) in [
        ("while :; do :; done", "- time: 0.3 s\n", "ended after"),
        ("a=xxxxxxxxxxxxxxxx; while :; do a=$a$a; done", "- memory: 48 MB\n", "held more than"),
        ("while :; do sleep 60 & done", "- processes: 12\n", "more than 12 processes"),
    ] {
        let id = bench.designed(script, "echo cost=2", settings);
        bench.confirm(&id);
        let run = bench.engine().run_spike(&id, &|_, _| {}).unwrap();
        assert_eq!(run.spike.state, SpikeState::Collected, "{run:?}");
        let failed = run.spike.run.unwrap().failed;
        assert!(failed.get("heap").is_some_and(|told| told.contains(why)), "{script}: {failed:?}");
        assert!(!failed.contains_key("list"));
        let decision = bench.engine().decide_spike(&id, false).unwrap();
        assert_eq!(
            (decision.spike.outcome, decision.recommended.as_deref()),
            (Some(SpikeOutcome::Inconclusive), Some("list"))
        );
        bench.engine().archive_spike(&id, false).unwrap();
    }
}

/// A program that is not installed is no finding about it.
#[test]
fn where_nothing_ran_nothing_is_decided_and_the_question_stays_open() {
    let bench = Bench::new();
    let id = bench.designed("exit 127", "exit 126", "");
    bench.confirm(&id);
    let engine = bench.engine();
    engine.run_spike(&id, &|_, _| {}).unwrap();
    let refused = engine.decide_spike(&id, false).unwrap_err();
    let told = refused.to_string();
    assert!(
        told.contains("could not be measured") && told.contains("heap: it ended with exit code 127"),
        "{told}"
    );
    assert_eq!(bench.state(&id), SpikeState::Collected);
    assert_eq!(engine.answered(QUESTION).unwrap(), None);
    let mended = Some(page("echo cost=1", "echo cost=2", ""));
    engine.design_spike(&id, &Design { experiment: mended, ..Design::default() }, false).unwrap();
    bench.confirm(&id);
    engine.run_spike(&id, &|_, _| {}).unwrap();
    let decision = engine.decide_spike(&id, false).unwrap();
    assert_eq!((decision.spike.outcome, decision.spike.rounds), (Some(SpikeOutcome::Confirmed), 1));
}

#[test]
fn a_run_that_was_killed_goes_on_where_it_stopped() {
    let bench = Bench::new();
    let id = bench.designed("echo cost=1", "echo cost=2", "");
    bench.confirm(&id);
    // A panic in the middle leaves what a killed process leaves: the state, and the lines so far.
    let engine = bench.engine();
    let stopped = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        engine.run_spike(&id, &|done, _| assert!(done < 5, "the machine stops here"))
    }));
    assert!(stopped.is_err());
    let view = bench.engine().show_spike(&id).unwrap();
    assert_eq!(view.state, SpikeState::Running);
    let run = view.run.unwrap();
    assert!(!run.is_running && run.done == 5 && run.ended.is_none(), "{run:?}");
    assert!(view.next.contains("interrupted"), "{}", view.next);
    let run = bench.engine().run_spike(&id, &|_, _| {}).unwrap();
    assert_eq!((run.resumed, run.made, run.spike.state), (5, 9, SpikeState::Collected));
}

#[test]
fn two_rounds_are_measured_at_most() {
    let bench = Bench::new();
    let id = bench.designed("echo cost=1", "echo cost=1", "");
    bench.confirm(&id);
    let engine = bench.engine();
    // Nobody measures what the criterion asks for, so neither round says anything.
    let design = Design { criteria: vec!["beauty of heap > list".to_owned()], ..Design::default() };
    engine.design_spike(&id, &design, false).unwrap();
    for round in 1..=2 {
        engine.run_spike(&id, &|_, _| {}).unwrap();
        let decision = engine.decide_spike(&id, false).unwrap();
        assert_eq!(
            (decision.spike.outcome, decision.spike.rounds),
            (Some(SpikeOutcome::Inconclusive), round)
        );
        assert_eq!(decision.recommended.as_deref(), Some("heap"), "the simplest is taken");
    }
    let refused = engine.run_spike(&id, &|_, _| {}).unwrap_err();
    assert!(refused.to_string().contains("is concluded"), "{refused}");
}

#[test]
fn illegal_moves_are_refused_and_reading_answers_too() {
    let bench = Bench::new();
    let engine = bench.engine();
    let question = "Where are the parcels stored?".to_owned();
    let asked = engine.spike(NewSpike { question, ..NewSpike::default() }, false).unwrap();
    assert!(asked.look_up_first);
    let id = asked.spike.unwrap().id.to_string();
    assert!(engine.decide_spike(&id, false).is_err(), "nothing was measured");
    let read = ReadAnswer {
        outcome: SpikeOutcome::Confirmed,
        answer: "Parcels are stored in the shed".to_owned(),
        source: None,
    };
    engine.conclude_spike(&id, &read, false).unwrap();
    assert!(engine.conclude_spike(&id, &read, false).is_err());
    assert!(engine.design_spike(&id, &Design::default(), false).is_err());
    engine.archive_spike(&id, false).unwrap();
    assert!(engine.archive_spike(&id, false).is_err());
}

#[test]
fn the_session_that_asked_is_told_with_its_next_prompt() {
    let bench = Bench::new();
    let engine = bench.engine();
    let session = Some("robin/s-1".to_owned());
    let new = NewSpike { question: QUESTION.to_owned(), session: session.clone(), ..NewSpike::default() };
    let id = engine.spike(new, false).unwrap().spike.unwrap().id.to_string();
    let told = |text: &str| {
        let options = ContextOptions {
            session: session.clone(),
            ..ContextOptions::new(Occasion::Prompt(text.to_owned()))
        };
        bench.engine().context(&options).unwrap().text
    };
    assert!(!told("Paint the hamster cage").contains("decided"));
    let read =
        ReadAnswer { outcome: SpikeOutcome::Confirmed, answer: "Take the heap".to_owned(), source: None };
    engine.conclude_spike(&id, &read, false).unwrap();
    let text = told("Paint the hamster cage");
    assert!(text.contains("is decided") && text.contains("Take the heap"), "{text}");
    assert!(!told("Paint the hamster cage again").contains("is decided"), "it is said once");
}

#[test]
fn workspaces_of_others_are_taken_once() {
    let bench = Bench::new();
    let from = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("spikes/001-which-glue/DESIGN.md", "# Spike\n\n## Question\n\nWhich glue holds?\n"),
        (
            "spikes/002-paint-and-rain/DECISION.md",
            "**Question:** Does paint hold in rain?\n**Answer:** Yes, for a year.\n**Completed:** 2026-01-02\n",
        ),
    ] {
        let path = from.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    let report = bench.engine().import_spikes(from.path(), false).unwrap();
    assert_eq!((report.taken.len(), report.left.len()), (2, 0), "{report:?}");
    let again = bench.engine().import_spikes(from.path(), false).unwrap();
    assert_eq!((again.taken.len(), again.known.len()), (0, 2), "{again:?}");
    let states: Vec<SpikeState> = bench.engine().spikes(None).unwrap().iter().map(|one| one.state).collect();
    assert_eq!(states, [SpikeState::Hypothesis, SpikeState::Concluded]);
    assert!(bench.engine().check(lore_engine::check::Fix::No).unwrap().is_clean());
}

/// The same question made a workspace each time it was asked.
#[test]
fn a_question_that_is_open_is_not_opened_again() {
    let bench = Bench::new();
    let ask = |question: &str| {
        let new = NewSpike { question: question.to_owned(), ..NewSpike::default() };
        bench.engine().spike(new, false).unwrap()
    };
    let first = ask("Should we use hemp or nylon for the mooring ropes?");
    assert!(!first.is_open);
    let id = first.spike.unwrap().id;
    for again in [
        "Should we use hemp or nylon for the mooring ropes?",
        "should we use nylon or hemp for the mooring ropes",
    ] {
        let asked = ask(again);
        assert_eq!((asked.is_open, asked.spike.map(|spike| spike.id)), (true, Some(id.clone())), "{again}");
    }
    assert!(!ask("Should we use hemp or nylon for the flag lines?").is_open);
}

/// `< 0.5 s` was compared with milliseconds as if it said half a millisecond, and parsecs were taken for any unit.
#[test]
fn a_criterion_is_compared_in_the_unit_of_its_metric() {
    let bench = Bench::new();
    let criteria = ["latency_ms of heap < 0.5 s", "size_kb of heap <= 3 MB", "size of heap <= 3 MB"];
    let runs = "echo latency_ms=100; echo size_kb=2000; echo size=2000000";
    let id = bench.designed_for(&criteria, runs, runs, "");
    bench.confirm(&id);
    bench.engine().run_spike(&id, &|_, _| {}).unwrap();
    let decision = bench.engine().decide_spike(&id, true).unwrap();
    assert_eq!(decision.spike.outcome, Some(SpikeOutcome::Confirmed), "{:?}", decision.criteria);
    for (criterion, said, next) in [
        ("latency_ms of heap < 500 parsecs", "`parsecs` is no unit", "ns, us, ms"),
        ("size_kb of heap < 5 s", "counts bytes", "unit of bytes"),
        ("latency of heap < 5 s", "does not say in which unit", "latency_s="),
    ] {
        let design = Design { criteria: vec![criterion.to_owned()], ..Design::default() };
        let refused = bench.engine().design_spike(&id, &design, true).unwrap_err();
        assert!(refused.to_string().contains(said), "{refused}");
        assert!(refused.hints().iter().any(|hint| hint.contains(next)), "{refused:?}");
    }
}

/// The interval of three repetitions was said to be right nineteen times out of twenty.
#[test]
fn few_repetitions_are_said_to_be_less_sure() {
    let bench = Bench::new();
    let id = bench.designed("echo cost=5", "echo cost=10", "- repetitions: 3\n");
    let designed = bench.engine().design_spike(&id, &Design::default(), false).unwrap();
    assert!(designed.warnings.iter().any(|said| said.contains("three times out of four")), "{designed:?}");
    bench.confirm(&id);
    bench.engine().run_spike(&id, &|_, _| {}).unwrap();
    let decision = bench.engine().decide_spike(&id, false).unwrap();
    assert_eq!(decision.spike.outcome, Some(SpikeOutcome::Confirmed), "the verdict stays");
    assert_eq!((decision.coverage.clone(), decision.is_less_sure(0)), (vec![Some(0.75)], true));
    assert!(decision.warnings.iter().any(|said| said.contains("6 are needed")), "{decision:?}");
    let paper = bench.repo.read(&format!("knowledge/{}/DECISION.md", decision.spike.folder));
    assert!(
        paper.contains("| held, less sure |")
            && paper.contains("the interval it lies in\nthree times out of four."),
        "{paper}"
    );
}

/// What was measured for one purpose was said to answer for another, and time to be open where it was measured.
#[test]
fn an_answer_is_whole_only_for_its_own_purpose() {
    let bench = Bench::new();
    let id = bench.designed_for(&["wall_ms of heap < 10 s"], "echo cost=5", "echo cost=10", "");
    bench.confirm(&id);
    bench.engine().run_spike(&id, &|_, _| {}).unwrap();
    bench.engine().decide_spike(&id, false).unwrap();
    for (question, how, open) in [
        ("Is a list faster than a heap for the event queue?", AnsweredHow::Full, None),
        ("Should we use a heap or a list for queues of events?", AnsweredHow::Full, None),
        (
            "Does a list need less memory than a heap for the event queue?",
            AnsweredHow::Partial,
            Some("memory"),
        ),
        ("Should we use a heap or a list for the mail queue?", AnsweredHow::Partial, Some("mail")),
        ("Should we use a heap or a list for the queue?", AnsweredHow::Partial, Some("other than event")),
    ] {
        let answered = bench.engine().answered(question).unwrap().unwrap();
        let named: Vec<&str> = answered.open.iter().map(String::as_str).collect();
        assert_eq!((answered.how, named), (how, open.into_iter().collect()), "{question}");
    }
}

/// A question that was asked again on another day threw away the numbers of the first, which was decided from the second's.
#[test]
fn a_question_asked_anew_leaves_the_numbers_of_the_first_alone() {
    let bench = Bench::new();
    let first = bench.designed("echo cost=5", "echo cost=10", "");
    bench.confirm(&first);
    bench.engine().run_spike(&first, &|_, _| {}).unwrap();
    let later = World { now: start() + jiff::Span::new().hours(72), ..bench.world() };
    let engine = Engine::open(later).unwrap();
    let new = NewSpike { question: QUESTION.to_owned(), force: true, ..NewSpike::default() };
    let second = engine.spike(new, false).unwrap().spike.unwrap().id.to_string();
    assert_ne!(first, second);
    let paper = |id: &str| format!("knowledge/{}/EXPERIMENT.md", engine.show_spike(id).unwrap().folder);
    let other = bench.repo.read(&paper(&first)).replace("cost=5", "cost=20").replace(&first, &second);
    let design = Design {
        criteria: vec!["cost of heap < 0.9 x list".to_owned()],
        experiment: Some(other),
        ..Design::default()
    };
    engine.design_spike(&second, &design, false).unwrap();
    assert_eq!(engine.show_spike(&second).unwrap().run, None, "it was never run");
    bench.confirm(&second);
    engine.run_spike(&second, &|_, _| {}).unwrap();
    let outcome = |id: &str| engine.decide_spike(id, false).unwrap().spike.outcome;
    assert_eq!(outcome(&first), Some(SpikeOutcome::Confirmed));
    assert_eq!(outcome(&second), Some(SpikeOutcome::Rejected));
}

#[test]
fn numbers_of_another_experiment_decide_nothing() {
    let bench = Bench::new();
    let id = bench.designed("echo cost=5", "echo cost=10", "");
    bench.confirm(&id);
    bench.engine().run_spike(&id, &|_, _| {}).unwrap();
    let paper = format!("knowledge/{}/EXPERIMENT.md", bench.engine().show_spike(&id).unwrap().folder);
    let text = bench.repo.read(&paper);
    bench.repo.write(&paper, text.replace("cost=5", "cost=20"));
    let refused = bench.engine().decide_spike(&id, false).unwrap_err();
    assert!(refused.to_string().contains("another experiment"), "{refused}");
    assert_eq!(bench.state(&id), SpikeState::Collected);
    bench.repo.write(&paper, text);
    assert!(bench.engine().decide_spike(&id, false).is_ok());
}

/// Runs once lay under what follows the day in an id.
#[test]
fn what_was_measured_before_is_still_found() {
    let bench = Bench::new();
    let id = bench.designed("echo cost=5", "echo cost=10", "");
    bench.confirm(&id);
    let engine = bench.engine();
    let stopped = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        engine.run_spike(&id, &|done, _| assert!(done < 5, "the machine stops here"))
    }));
    assert!(stopped.is_err());
    let runs = bench.repo.join(".git/lore/knowledge/spikes");
    std::fs::rename(runs.join(&id), runs.join(&id["spk-2026-01-01-".len()..])).unwrap();
    assert_eq!(bench.engine().show_spike(&id).unwrap().run.map(|run| run.done), Some(5));
    let run = bench.engine().run_spike(&id, &|_, _| {}).unwrap();
    assert_eq!((run.resumed, run.made), (5, 9));
    assert!(bench.engine().decide_spike(&id, false).is_ok());
}
