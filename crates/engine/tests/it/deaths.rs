//! Runs that die at every point at which they write: what stands is the old or the new, whoever comes
//! next finishes the work, and nothing is done twice.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use lore_core::{Article, Claim, Standing, Status};
use lore_engine::check::Fix;
use lore_engine::curate::CurateOptions;
use lore_engine::entries::{Filter, NewEntry};
use lore_engine::review::Ruling;
use lore_engine::sessions::SessionFilter;
use lore_engine::{Engine, Error};
use lore_store::Point;

use crate::stage::{Stage, fill, usual};

type Files = std::collections::BTreeMap<String, String>;

/// A use case, as a command runs it.
type Work<'a> = &'a dyn Fn(&Engine) -> Result<(), Error>;

/// Does the work in copies of a stage and dies at each point in turn; hands over what is left.
fn die_at_every_point(prepared: &Stage, work: Work<'_>, left: &dyn Fn(&Stage, usize)) {
    let mut deaths = 0;
    for at in 0..1000 {
        let stage = prepared.copied();
        let count = AtomicUsize::new(0);
        let die = move |_| {
            if count.fetch_add(1, Ordering::SeqCst) == at { panic!("killed at point {at}") } else { Ok(()) }
        };
        let engine = stage.engine().with_fault(Arc::new(die));
        match std::panic::catch_unwind(AssertUnwindSafe(|| work(&engine))) {
            Err(_) => deaths += 1,
            Ok(done) => {
                done.expect("the work is done where nothing kills it");
                assert!(deaths > 8, "only {deaths} points were passed");
                return;
            }
        }
        drop(engine);
        left(&stage, at);
    }
    panic!("the work never came to its end");
}

/// Checks a base: nothing odd, and no list that would have to be made anew.
fn is_sound(stage: &Stage) {
    let report = stage.engine().check(Fix::No).expect("can be checked");
    assert!(report.is_clean(), "{:#?}", report.diagnostics);
    let report = stage.engine().check(Fix::Safe).expect("can be mended");
    assert_eq!(report.fixed, Vec::<String>::new(), "there is nothing to mend");
}

/// What is expected of one transaction: the old or the new, and doing it again gives the new.
fn all_or_nothing(prepared: &Stage, work: Work<'_>) {
    let undisturbed = prepared.copied();
    work(&undisturbed.engine()).expect("the work can be done");
    let (old, new) = (prepared.base(), undisturbed.base());
    assert_ne!(old, new, "the work does something");
    is_sound(&undisturbed);
    let (olds, news) = (AtomicUsize::new(0), AtomicUsize::new(0));
    die_at_every_point(prepared, work, &|stage, at| {
        // Whoever writes next finishes what was promised, and waits for whoever is at it.
        let store = lore_store::Store::open(&lore_store::Scope::at(&stage.project())).expect("can be opened");
        drop(
            store.begin(&lore_store::Owner::machine("test"), lore_testutils::start()).expect("can be begun"),
        );
        let engine = stage.engine();
        let runs = |stage: &Stage| {
            let log = stage.engine().log_of_runs(&lore_engine::log::LogOptions::default());
            log.expect("the log can be read").runs.len()
        };
        let now = stage.base();
        assert!(now == old || now == new, "killed at point {at}: neither, for {:?}", odd(&now, &old, &new));
        let count = if now == new { &news } else { &olds };
        count.fetch_add(1, Ordering::SeqCst);
        let again = work(&engine);
        assert!(now == new || again.is_ok(), "killed at point {at}: {again:?}");
        assert_eq!(stage.base(), new, "killed at point {at}: the next run gives the same");
        assert!(runs(stage) >= runs(&undisturbed), "killed at point {at}: the run is told");
    });
    let (olds, news) = (olds.into_inner(), news.into_inner());
    assert!(olds > 3 && news > 3, "{olds} times the old, {news} times the new");
}

/// Lists the files that are as they were and those that are as they will be, where there are both.
fn odd<'f>(now: &'f Files, old: &'f Files, new: &'f Files) -> Vec<(&'f String, bool, bool)> {
    let all: std::collections::BTreeSet<&String> = now.keys().chain(old.keys()).chain(new.keys()).collect();
    let told = all.into_iter().map(|path| {
        let text = now.get(path);
        (path, text == old.get(path), text == new.get(path))
    });
    told.filter(|(_, old, new)| !(*old && *new)).collect()
}

fn ids(stage: &Stage) -> Vec<String> {
    let all = stage.engine().list(&Filter::default()).expect("can be listed");
    let mut ids: Vec<String> = all.into_iter().map(|item| item.id.to_string()).collect();
    ids.sort();
    ids
}

#[test]
fn a_review_that_dies_is_done_or_not_begun() {
    let stage = usual();
    stage.curate();
    let all = ids(&stage);
    let (one, two) = (all[0].clone(), all[1].clone());
    let rulings = [
        Ruling::Keep,
        Ruling::Reject { why: "only that day".to_owned() },
        Ruling::Merge { into: two.clone() },
        Ruling::Supersede { by: two.clone() },
    ];
    for ruling in rulings {
        all_or_nothing(&stage, &|engine| engine.review(&one, ruling.clone(), false).map(drop));
    }
    // Several at once are one decision.
    all_or_nothing(&stage, &|engine| {
        let why = Ruling::Reject { why: "none of them".to_owned() };
        engine.review_all(&[one.clone(), two.clone()], &why, false).map(drop)
    });
}

#[test]
fn a_dispute_that_is_settled_by_a_run_that_dies_is_settled_or_open() {
    let stage = usual();
    stage.curate();
    let (path, _) = stage.article_with("floating point");
    let mut entry = stage.engine().show(&path).expect("is there").entry;
    let id = entry.id.to_string();
    let mut article = Article::parse(&entry.body);
    let said = |said: &str| Standing::Disputed { said: Some(said.to_owned()) };
    let one = article.lead.remove(0);
    article.conflict = vec![
        Claim { standing: said("a person on 2026-02-21"), ..one },
        Claim { standing: said("a person on 2026-03-01"), ..Claim::new("Amounts are decimals.", Vec::new()) },
    ];
    entry.body = article.render();
    entry.status = Status::Disputed;
    let text = lore_store::format::with_hash(&lore_store::format::write(&entry));
    stage.repo.write(&format!("knowledge/{path}"), text);
    stage.engine().check(Fix::Safe).expect("the lists can be made");
    all_or_nothing(&stage, &|engine| {
        engine.review(&id, Ruling::Settle { side: 2, says: None }, false).map(drop)
    });
}

#[test]
fn an_import_that_dies_takes_everything_once() {
    let stage = usual();
    stage.curate();
    for number in 1..=5 {
        stage.repo.write(
            &format!("old/signals/demo/2026-01-0{number}-slow.md"),
            format!(
                "---\nid: sig-2026-01-0{number}-slow\ntype: signal\nproject: demo\ntags: [tests]\n\
                 created: 2026-01-0{number}T10:00:00Z\nseverity: notable\nsignal_type: struggle\n\
                 lifecycle_state: detected\n---\n\n## What Happened\n\nThe tests took {number}0 minutes.\n"
            ),
        );
    }
    all_or_nothing(&stage, &|engine| {
        let report = engine.import("old".as_ref(), false)?;
        assert_eq!(report.taken.len() + report.known.len(), 5, "{:?}", report.left);
        assert!(report.taken.is_empty() || report.known.is_empty(), "all or nothing");
        Ok(())
    });
}

/// Two branches that differ: one file that git cannot decide, and two values that meet without a conflict.
fn two_branches() -> Stage {
    let stage = fill(Stage::with_git());
    stage.repo.write(".gitignore", "/home/\n/sessions/\n");
    stage.curate();
    stage.repo.commit("curated");
    let (path, text) = stage.article_with("floating point");
    let file = format!("knowledge/{path}");
    let with = |more: &str| text.replacen("\n\n[^s1]:", &format!("\n\n{more}\n\n[^s1]:"), 1);
    let add = |who: &str, day: i64, title: &str, body: &str| {
        let mut world = stage.world();
        world.variables.insert("LORE_USER".to_owned(), who.to_owned());
        world.now = lore_testutils::days_later(day);
        let new = NewEntry { title: title.to_owned(), body: body.to_owned(), ..NewEntry::default() };
        Engine::open(world).and_then(|engine| engine.add(new, false)).expect("can be written");
    };
    stage.repo.git(&["switch", "--quiet", "-c", "theirs"]);
    stage.repo.write(&file, with("Their accountant asked for it."));
    add("bo", 7, "Plain output", "Colour output is disabled by default.");
    stage.repo.commit("theirs");
    stage.repo.git(&["switch", "--quiet", "main"]);
    stage.repo.write(&file, with("Our accountant asked for it."));
    add("ada", 5, "Colours", "Colour output is enabled by default.");
    stage.repo.commit("ours");
    stage
}

fn git(stage: &Stage, arguments: &[&str]) -> (bool, String) {
    let mut command = std::process::Command::new("git");
    command.current_dir(stage.project()).args(arguments).envs(lore_testutils::git_environment());
    let output = command.output().expect("git can be run");
    (output.status.success(), String::from_utf8_lossy(&output.stdout).into_owned())
}

fn disputed(stage: &Stage) -> Vec<String> {
    let all = stage.engine().list(&Filter::default()).expect("can be listed");
    all.into_iter().filter(|item| item.status == Status::Disputed).map(|item| item.title).collect()
}

#[test]
fn mending_a_merge_that_dies_is_finished_by_the_next() {
    let stage = two_branches();
    let (clean, _) = git(&stage, &["merge", "--no-edit", "theirs"]);
    assert!(!clean, "git cannot decide by itself");
    let mend = |engine: &Engine| engine.check(Fix::Safe).map(drop);
    let undisturbed = stage.copied();
    mend(&undisturbed.engine()).expect("can be mended");
    is_sound(&undisturbed);
    let new = undisturbed.base();
    let both = new.values().find(|text| text.contains("Our accountant")).expect("is there");
    assert!(both.contains("Their accountant"), "what both sides say is there");
    assert_eq!(disputed(&undisturbed).len(), 2, "what met is compared");
    die_at_every_point(&stage, &mend, &|stage, at| {
        let engine = stage.engine();
        engine.check(Fix::Safe).expect("can be mended again");
        assert_eq!(stage.base(), new, "killed at point {at}");
        assert_eq!(git(stage, &["ls-files", "--unmerged"]).1, "", "killed at point {at}: git knows it");
        stage.repo.commit("merged");
        let (_, dirty) = git(stage, &["status", "--porcelain", "knowledge"]);
        assert_eq!(dirty, "", "killed at point {at}: all of it is committed");
    });
}

#[test]
fn comparing_what_met_in_a_merge_that_dies_is_finished_by_the_next() {
    let stage = two_branches();
    // The file that git cannot decide is not what this is about.
    git(&stage, &["merge", "--no-edit", "-X", "ours", "theirs"]);
    assert_eq!(disputed(&stage), Vec::<String>::new(), "nothing was compared yet");
    let (_, text) = stage.article_with("floating point");
    let id = text.lines().find_map(|line| line.strip_prefix("id: ")).expect("has an id").to_owned();
    let write = |engine: &Engine| engine.review(&id, Ruling::Keep, false).map(drop);
    let undisturbed = stage.copied();
    write(&undisturbed.engine()).expect("can be kept");
    assert_eq!(disputed(&undisturbed).len(), 2, "what met is compared by the first that writes");
    is_sound(&undisturbed);
    let new = undisturbed.base();
    die_at_every_point(&stage, &write, &|stage, at| {
        write(&stage.engine()).expect("can be kept again");
        assert_eq!(stage.base(), new, "killed at point {at}");
    });
}

#[test]
fn what_cannot_be_compared_after_a_write_is_left_for_the_next() {
    let stage = two_branches();
    git(&stage, &["merge", "--no-edit", "-X", "ours", "theirs"]);
    let (_, text) = stage.article_with("floating point");
    let id = text.lines().find_map(|line| line.strip_prefix("id: ")).expect("has an id").to_owned();
    let talk = ("user", "Never store passwords in plain text. That is a rule for the whole project.");
    stage.session("s-keys", 8, &[talk]);
    let filter = SessionFilter { path: Some("sessions".into()), ..SessionFilter::default() };
    let options = CurateOptions { filter, ..CurateOptions::default() };
    let keep = |engine: &Engine| engine.review(&id, Ruling::Keep, false).map(drop);
    let curate = |engine: &Engine| engine.curate(&options, &|_, _| {}).map(drop);
    for write in [&keep as Work<'_>, &curate] {
        let stage = stage.copied();
        let before = stage.base();
        let promises = AtomicUsize::new(0);
        let refuse = move |point| match point {
            Point::Promise if promises.fetch_add(1, Ordering::SeqCst) == 1 => {
                Err(std::io::Error::other("the disk is full"))
            }
            _ => Ok(()),
        };
        write(&stage.engine().with_fault(Arc::new(refuse))).expect("what is written is no failure");
        assert_ne!(stage.base(), before, "it is written");
        assert_eq!(disputed(&stage), Vec::<String>::new(), "nothing was compared");
        keep(&stage.engine()).expect("can be kept");
        assert_eq!(disputed(&stage).len(), 2, "the next that writes compares");
    }
}
