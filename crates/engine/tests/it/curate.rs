//! Runs of curation: incremental, repeated, rehearsed.

use lore_engine::curate::{CurateOptions, When};
use lore_engine::sessions::SessionFilter;

use crate::stage::{LOGS, MAIL, MONEY, Stage, usual};

#[test]
fn a_second_run_changes_nothing() {
    let stage = usual();
    let first = stage.curate();
    assert_eq!(first.fresh, 3);
    assert!(!first.created.is_empty());
    let (before, articles) = (stage.base(), stage.articles());
    let second = stage.curate();
    assert_eq!((second.fresh, second.unchanged, second.sources), (0, 3, 3));
    assert_eq!(stage.base(), before);
    let again = stage.bootstrap();
    assert_eq!((again.fresh, again.created.len(), again.updated.len()), (3, 0, 0));
    assert_eq!(stage.articles(), articles);
}

#[test]
fn without_the_untracked_folder_the_ledger_still_knows() {
    let stage = usual();
    stage.curate();
    let before = stage.base();
    std::fs::remove_dir_all(stage.project().join(".lore")).expect("derived files can go");
    let report = stage.curate();
    assert_eq!((report.unchanged, report.sessions, report.fresh), (0, 3, 0));
    assert_eq!(stage.base(), before);
}

#[test]
fn a_base_that_was_reset_is_filled_again_although_no_file_changed() {
    let stage = usual();
    stage.curate();
    let articles = stage.articles();
    let knowledge = stage.project().join("knowledge");
    std::fs::remove_dir_all(knowledge.join(".lore/sessions")).ok();
    let ledger = std::fs::read_dir(knowledge.join(".lore")).expect("is there").flatten();
    for entry in ledger.filter(|entry| entry.file_name().to_string_lossy().contains("ledger")) {
        std::fs::remove_dir_all(entry.path()).expect("can go");
    }
    let report = stage.curate();
    assert_eq!(report.fresh, 3, "the remembered look of a file is worth nothing without the ledger");
    assert_eq!(stage.articles(), articles);
}

#[test]
fn only_the_new_lines_of_a_grown_session_are_curated() {
    let stage = Stage::new();
    stage.session("s-1", 1, MONEY);
    stage.curate();
    let before = stage.articles();
    let longer: Vec<(&str, &str)> = MONEY.iter().chain(LOGS).copied().collect();
    stage.session("s-1", 1, &longer);
    let report = stage.curate();
    assert_eq!((report.fresh, report.unchanged), (1, 0));
    assert!(report.decisions.iter().all(|decision| !decision.title.contains("floating")), "{report:#?}");
    let after = stage.articles();
    assert!(after.len() > before.len(), "{:?}", after.keys());
    assert!(before.keys().all(|path| after.contains_key(path)));
}

#[test]
fn a_rewritten_session_is_read_anew() {
    let stage = Stage::new();
    stage.session("s-1", 1, MONEY);
    stage.curate();
    stage.session("s-1", 1, LOGS);
    let report = stage.curate();
    assert_eq!(report.fresh, 1);
    stage.article_with("JSON");
}

#[test]
fn a_rehearsal_writes_nothing_and_shows_what_would_be_written() {
    let stage = usual();
    let before = stage.base();
    let rehearsed = stage.curate_with(CurateOptions { dry_run: true, ..CurateOptions::default() });
    assert_eq!(stage.base(), before);
    let done = stage.curate();
    let texts = |report: &lore_engine::curate::CurateReport| -> Vec<String> {
        report.created.iter().map(|one| one.text.clone()).collect()
    };
    assert_eq!(texts(&rehearsed), texts(&done));
}

#[test]
fn a_run_can_wait_until_enough_is_new() {
    let stage = usual();
    let due = || CurateOptions { when: When::Due, ..CurateOptions::default() };
    let report = stage.curate_with(due());
    assert!(report.was_not_due());
    assert_eq!(report.due.map(|due| (due.needed, due.new)), Some((5, 3)));
    assert!(stage.articles().is_empty());
    stage.session("s-4", 4, MONEY);
    stage.session("s-5", 4, LOGS);
    let report = stage.curate_with(due());
    assert!(!report.was_not_due());
    assert!(!stage.articles().is_empty());
    assert!(stage.curate_with(due()).was_not_due());
}

#[test]
fn older_sessions_can_be_left_for_later() {
    let stage = usual();
    let since = "2026-02-23".parse().ok();
    let report = stage.curate_with(CurateOptions { since, ..CurateOptions::default() });
    assert_eq!(report.fresh, 1, "only the session of the third day");
    // What was left out is not taken for curated.
    assert_eq!(stage.curate().fresh, 2);
}

#[test]
fn a_run_is_one_commit_when_asked() {
    let stage = crate::stage::fill(Stage::with_git());
    stage.repo.commit("base");
    let count = || stage.repo.git(&["rev-list", "--count", "HEAD"]).trim().to_owned();
    let before = count();
    stage.repo.git(&["config", "user.name", "Ada"]);
    stage.repo.git(&["config", "user.email", "ada@example.org"]);
    let report = stage.curate_with(CurateOptions { commit: true, ..CurateOptions::default() });
    assert!(report.commit.is_some());
    assert_eq!(count().parse::<u32>().ok(), before.parse::<u32>().ok().map(|count| count + 1));
    let dirty = stage.repo.git(&["status", "--porcelain", "--", "knowledge"]);
    assert_eq!(dirty, "");
}

/// The queue was written after the transaction: a run that was killed in between had noted the
/// sessions as read, and those of their candidates that were to wait were gone for good.
#[test]
fn a_death_at_any_moment_loses_no_candidate_that_waits() {
    let stage = |bar: f64| {
        let stage = usual();
        stage.repo.write("home/.config/lore/config.toml", format!("[curate]\nthreshold = {bar}\n"));
        // What people lay down never waits; what an agent found out may.
        let found = "The root cause of the failing export is that the backup holds a lock on the bookings table. The \
                     lock is released only when the upload ends, so a long upload blocks every export.";
        stage.session("s-9", 9, &[("user", "why does the export fail at night?"), ("assistant", found)]);
        stage
    };
    let queue = |stage: &Stage| {
        let text = std::fs::read_to_string(stage.state().join("queue.jsonl")).unwrap_or_default();
        text.lines().map(str::to_owned).collect::<std::collections::BTreeSet<_>>()
    };
    // The bar is set so that some of what is found has to wait.
    let bars = [0.85, 0.9, 0.92, 0.94, 0.96, 0.98, 1.0];
    let waiting = |bar: &f64| stage(*bar).curate().queued;
    let bar = bars.into_iter().find(|bar| waiting(bar) > 0).expect("something waits below some bar");
    let undisturbed = stage(bar);
    undisturbed.curate();
    let (expected, articles) = (queue(&undisturbed), undisturbed.articles());
    let mut deaths = 0;
    for at in 0..400 {
        let stage = stage(bar);
        let count = std::sync::atomic::AtomicUsize::new(0);
        let die = move |_| {
            let now = count.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
            if now == at { panic!("killed at point {at}") } else { Ok(()) }
        };
        let engine = stage.engine().with_fault(std::sync::Arc::new(die));
        let options = CurateOptions {
            filter: SessionFilter { path: Some("sessions".into()), ..SessionFilter::default() },
            ..CurateOptions::default()
        };
        let run = std::panic::AssertUnwindSafe(|| engine.curate(&options, &|_, _| {}));
        if std::panic::catch_unwind(run).is_ok() {
            break;
        }
        drop(engine);
        deaths += 1;
        stage.curate();
        stage.curate();
        assert_eq!(stage.articles(), articles, "killed at point {at}");
        let kept = queue(&stage);
        assert!(kept.is_superset(&expected), "killed at point {at}: {} of {}", kept.len(), expected.len());
    }
    assert!(deaths > 5, "only {deaths} points were passed");
}

#[test]
fn a_transcript_that_was_rewritten_shorter_is_read_on_from_there() {
    let stage = Stage::new();
    stage.session("s-money", 1, &[MONEY, MAIL].concat());
    stage.curate();
    stage.session("s-money", 1, LOGS);
    assert_eq!(stage.curate().fresh, 1, "all of it is new");
    let more = ("user", "Never store passwords in plain text. That is a rule for the whole project.");
    stage.session("s-money", 1, &[LOGS, &[more]].concat());
    let filter = SessionFilter { path: Some("sessions".into()), ..SessionFilter::default() };
    let whole = stage.engine().candidates(&filter, "s-money").expect("can be read").len();
    let grown = stage.curate();
    assert!(grown.fresh == 1 && grown.candidates > 0, "what came since is read");
    assert!(grown.candidates < whole, "{} of {whole}", grown.candidates);
    assert_eq!(stage.curate().fresh, 0);
}

#[test]
fn what_of_a_transcript_cannot_be_read_is_said_once() {
    let stage = Stage::new();
    stage.session("s-money", 1, MONEY);
    let path = stage.project().join("sessions/s-money.jsonl");
    let text = std::fs::read_to_string(&path).expect("is there");
    let (first, rest) = text.split_once('\n').expect("has lines");
    stage.repo.write("sessions/s-money.jsonl", format!("{first}\nthis is no record\n{rest}"));
    let filter = SessionFilter { path: Some("sessions".into()), ..SessionFilter::default() };
    let options = CurateOptions { filter, ..CurateOptions::default() };
    let report = stage.engine().curate(&options, &|_, _| {}).expect("can be curated");
    let [problem] = report.problems.as_slice() else { panic!("{:?}", report.problems) };
    assert!(problem.starts_with("1 record of 1 session; the first is "), "{problem}");
    assert!(problem.contains("s-money.jsonl, line 2: "), "{problem}");
    assert_eq!(stage.curate().problems, Vec::<String>::new());
}
