//! What came from other hands, by rebase, squash and pick, is held against what is there.

use lore_core::Status;
use lore_engine::Error;
use lore_engine::check::Fix;
use lore_engine::entries::Filter;

use crate::stage::Stage;

fn disputed(stage: &Stage) -> Vec<String> {
    let all = stage.engine().list(&Filter::default()).expect("can be listed");
    let mut found: Vec<String> =
        all.into_iter().filter(|item| item.status == Status::Disputed).map(|item| item.title).collect();
    found.sort();
    found
}

fn remember(stage: &Stage, text: &str) -> Result<String, Error> {
    stage.engine().remember(text, None, false).map(|done| done.path)
}

/// Two branches that say otherwise of the same, each in a page of its own.
fn two_branches() -> Stage {
    let mut stage = Stage::with_git();
    stage.repo.write(".gitignore", "/home/\n");
    remember(&stage, "Tickets are printed on blue paper.").expect("is kept");
    stage.repo.commit("begun");
    stage.repo.git(&["switch", "--quiet", "-c", "theirs"]);
    remember(&stage, "The worker retries 3 times.").expect("is kept");
    stage.repo.commit("theirs");
    stage.repo.git(&["switch", "--quiet", "main"]);
    stage.day = 3;
    remember(&stage, "The worker retries 5 times.").expect("is kept");
    stage.repo.commit("ours");
    stage
}

fn met(stage: &Stage) {
    assert_eq!(disputed(stage), Vec::<String>::new(), "nothing was compared yet");
    remember(stage, "The harbour master keeps the keys.").expect("is kept");
    let found = disputed(stage);
    assert!(found.len() == 2 && found.iter().all(|title| title.contains("worker retries")), "{found:?}");
}

#[test]
fn what_a_squash_brings_is_compared_with_what_is_there() {
    let stage = two_branches();
    stage.repo.git(&["merge", "--quiet", "--squash", "-X", "ours", "theirs"]);
    stage.repo.commit("squashed");
    met(&stage);
}

#[test]
fn what_is_picked_is_compared_with_what_is_there() {
    let stage = two_branches();
    stage.repo.git(&["cherry-pick", "-X", "ours", "theirs"]);
    met(&stage);
}

#[test]
fn what_a_rebase_brings_together_is_compared() {
    let stage = two_branches();
    stage.repo.git(&["rebase", "--quiet", "-X", "ours", "theirs"]);
    met(&stage);
}

/// What people let stand side by side elsewhere was no contradiction here.
#[test]
fn what_somebody_tied_is_not_compared_again() {
    let stage = two_branches();
    stage.repo.git(&["merge", "--quiet", "--squash", "-X", "ours", "theirs"]);
    stage.repo.commit("squashed");
    met(&stage);
    let all = stage.engine().list(&Filter::default()).expect("can be listed");
    let one = all.into_iter().find(|item| item.status == Status::Disputed).expect("is there").id;
    stage.engine().review(one.as_str(), lore_engine::review::Ruling::Both, false).expect("is decided");
    stage.repo.commit("both");
    let work = lore_store::Scope::at(&stage.project()).work;
    let before = stage.repo.git(&["rev-list", "--max-parents=0", "HEAD"]);
    std::fs::write(work.join("cache/compared"), before.trim()).expect("can be written");
    remember(&stage, "The ferry has two engines.").expect("is kept");
    assert_eq!(disputed(&stage), Vec::<String>::new());
}

#[test]
fn mending_tells_which_contradictions_it_found() {
    let stage = two_branches();
    stage.repo.git(&["merge", "--quiet", "--squash", "-X", "ours", "theirs"]);
    stage.repo.commit("squashed");
    let report = stage.engine().check(Fix::Safe).expect("can be mended");
    let mut titles: Vec<&str> = report.disputed.iter().map(|one| one.title.as_str()).collect();
    titles.sort_unstable();
    assert_eq!(titles.len(), 2, "{report:?}");
    assert!(stage.engine().check(Fix::Safe).expect("can be mended").disputed.is_empty(), "it is said once");
}
