//! A run can be told, taken back, and taken back again.

use lore_core::Moment;
use lore_engine::ask::Question;
use lore_engine::context::{ContextOptions, Occasion};
use lore_engine::log::LogOptions;
use lore_engine::review::Ruling;

use crate::stage::{Stage, usual};

fn log(stage: &Stage) -> lore_engine::log::Chronicle {
    stage.engine().log_of_runs(&LogOptions::default()).expect("the log can be read")
}

#[test]
fn a_curation_is_taken_back_and_not_made_again_by_itself() {
    let stage = usual();
    stage.curate();
    let made = stage.articles();
    assert!(made.len() >= 3);
    let rehearsed = stage.engine().undo(None, true).expect("can be rehearsed");
    assert_eq!((rehearsed.removed.len(), rehearsed.undone_by), (made.len(), None));
    assert_eq!(stage.articles(), made);

    let undone = stage.engine().undo(None, false).expect("is taken back");
    assert!(undone.read_sessions && undone.left.is_empty());
    assert!(stage.articles().is_empty(), "{:?}", stage.articles().keys());
    stage.curate();
    assert!(stage.articles().is_empty(), "sessions that were read are not read again by themselves");

    let runs = log(&stage).runs;
    assert_eq!(runs.iter().map(|run| run.command.as_str()).collect::<Vec<_>>(), ["undo", "curate"]);
    assert_eq!(runs[1].undone_by, runs[0].id);
    assert!(runs[1].entries.iter().all(|entry| entry.what == "added"));
    assert!(runs[0].entries.iter().all(|entry| entry.what == "removed"));

    // Taking back is a run itself, so it can be taken back.
    stage.engine().undo(None, false).expect("is brought back");
    assert_eq!(stage.articles(), made);
    assert!(log(&stage).runs[0].entries.iter().all(|entry| entry.what == "restored"));
}

#[test]
fn a_rejection_is_taken_back_with_its_tombstone() {
    let stage = usual();
    stage.curate();
    let before = stage.base();
    let (path, _) = stage.article_with("floating point");
    stage.engine().review(&path, Ruling::Reject { why: "wrong".into() }, false).expect("is rejected");
    let undone = stage.engine().undo(None, false).expect("is taken back");
    assert_eq!((undone.restored, undone.lifted.len()), (vec![path], 1));
    assert_eq!(stage.base(), before);
}

#[test]
fn what_a_person_changed_since_is_named_and_left() {
    let stage = usual();
    stage.curate();
    let (path, text) = stage.article_with("floating point");
    let mine = text.replace("floating point", "binary fractions");
    stage.repo.write(&format!("knowledge/{path}"), &mine);
    let undone = stage.engine().undo(None, false).expect("is taken back");
    assert_eq!(undone.left.len(), 1);
    assert_eq!(undone.left[0].path, path);
    assert_eq!(stage.articles().into_iter().collect::<Vec<_>>(), [(path.clone(), mine)]);
    let refused = stage.engine().undo(Some("999"), false).expect_err("there is no such run");
    assert!(refused.to_string().contains("999"), "{refused}");
    let gone = stage.engine().before_run(Some(&undone.run), &path).expect_err("it was new");
    assert!(gone.to_string().contains("did not exist"), "{gone}");
    assert!(!undone.left[0].hint.contains("--show"), "{}", undone.left[0].hint);
}

#[test]
fn what_can_be_shown_of_a_changed_file_is_advised() {
    let stage = usual();
    stage.curate();
    let (path, _) = stage.article_with("floating point");
    stage.engine().review(&path, Ruling::Keep, false).expect("is kept");
    let (_, text) = stage.article_with("floating point");
    stage.repo.write(&format!("knowledge/{path}"), text.replace("floating point", "binary fractions"));
    let undone = stage.engine().undo(None, false).expect("is taken back");
    let advised = format!("`lore undo {} --show {path}`", undone.run);
    assert!(undone.left[0].hint.contains(&advised), "{}", undone.left[0].hint);
    assert!(
        stage.engine().before_run(Some(&undone.run), &path).expect("is shown").contains("floating point")
    );
}

#[test]
fn the_log_reaches_back_to_a_day_and_tells_what_became_of_entries() {
    let mut stage = usual();
    stage.curate();
    stage.day = 5;
    let (path, _) = stage.article_with("floating point");
    stage.engine().review(&path, Ruling::Keep, false).expect("is kept");
    let since = Moment::looking_back("2d", stage.world().now).expect("a time");
    let options = LogOptions { since: Some(since), limit: None };
    let runs = stage.engine().log_of_runs(&options).expect("the log can be read").runs;
    assert_eq!(runs.len(), 1);
    assert_eq!((runs[0].by.as_str(), runs[0].entries[0].what), ("human:ada", "confirmed"));
    let all = stage.engine().log_of_runs(&LogOptions { since: None, limit: Some(1) }).expect("can be read");
    assert_eq!((all.runs.len(), all.more), (1, 1));
}

/// What came in from others is told by git, what this checkout did by its own sets, and nothing twice.
#[test]
fn the_log_tells_what_others_committed() {
    let stage = crate::stage::fill(Stage::with_git());
    stage.curate();
    let own = log(&stage).runs.len();
    stage.repo.commit("knowledge: mine");
    stage.repo.write("knowledge/project/theirs.md", "---\ntype: fact\ntitle: Theirs\n---\nSo it is.\n");
    stage.repo.git(&["add", "-A"]);
    stage.repo.git(&["commit", "-q", "-m", "a fact of theirs", "--author", "Grace <grace@example.org>"]);
    let runs = log(&stage).runs;
    let theirs: Vec<_> = runs.iter().filter(|run| run.by == "Grace").collect();
    assert_eq!((runs.iter().filter(|run| run.command != "git").count(), theirs.len()), (own, 1));
    assert_eq!(theirs[0].entries[0].title, "Theirs");
}

/// It was removed as never true, and still quoted from the session it was said in.
#[test]
fn what_was_rejected_is_not_quoted_from_its_session() {
    let stage = usual();
    stage.curate();
    let asked = |engine: &lore_engine::Engine| {
        let question = Question::new("may we use floating point for money amounts in cents?");
        let answer = engine.ask(&question).expect("can be asked");
        let said: Vec<String> = answer.passages.into_iter().map(|one| one.text).collect();
        let prompt = Occasion::Prompt(question.text.clone());
        let context = engine.context(&ContextOptions::new(prompt)).expect("can be chosen");
        let query = lore_core::recall::Query::text(question.text.clone());
        let found = engine.query(&query).expect("can be searched");
        let heard: Vec<String> = found.said.into_iter().map(|one| one.text).collect();
        format!("{}\n{}\n{}", said.join("\n"), context.text, heard.join("\n"))
    };
    assert!(asked(&stage.engine()).contains("floating point"));
    let (path, _) = stage.article_with("floating point");
    stage.engine().review(&path, Ruling::Reject { why: "never true".into() }, false).expect("is rejected");
    let text = asked(&stage.engine());
    assert!(!text.contains("floating point"), "{text}");
    stage.engine().undo(None, false).expect("is taken back");
    assert!(asked(&stage.engine()).contains("floating point"), "and heard again when it is taken back");
}

/// Who commits under another name than git is told to, or within the second, saw each run twice.
#[test]
fn a_run_and_the_commit_that_holds_it_are_told_once() {
    let stage = crate::stage::fill(Stage::with_git());
    stage.repo.write(".gitignore", "/home/\n/sessions/\n");
    stage.curate();
    stage.repo.commit("what was learned");
    let told = || -> Vec<(String, usize)> {
        let runs = log(&stage).runs.into_iter();
        runs.map(|run| (run.command, run.entries.len())).collect()
    };
    let learned = stage.articles().len();
    assert_eq!(told(), [("curate".to_owned(), learned)]);
    // What a person changed in a file is in no run; the commit tells it, and only that.
    let (path, text) = stage.article_with("floating point");
    stage.repo.write(&format!("knowledge/{path}"), text.replace("floating point", "binary fractions"));
    let (other, _) = stage.article_with("queue table");
    stage.engine().review(&other, Ruling::Keep, false).expect("is kept");
    stage.repo.commit("by hand");
    let mut now = told();
    now.sort();
    assert_eq!(
        now,
        [("curate".to_owned(), learned), ("git".to_owned(), 1), ("review".to_owned(), 1)],
        "the commit holds the edit and the confirmation, and tells the edit"
    );
    stage.engine().review(&other, Ruling::Reject { why: "no".into() }, false).expect("is rejected");
    stage.repo.commit("rejected");
    assert_eq!(told().iter().filter(|(command, _)| command == "git").count(), 1);
}

/// What was merged away was nowhere, and "lies elsewhere now" was all that taking it back said.
#[test]
fn a_merge_that_is_taken_back_leaves_two_entries_as_they_were() {
    let stage = usual();
    stage.curate();
    let before = stage.base();
    let entries = stage.engine().list(&lore_engine::entries::Filter::default()).expect("can be listed");
    let (from, into) = (entries[0].id.to_string(), entries[1].id.to_string());
    stage.engine().review(&from, Ruling::Merge { into: into.clone() }, false).expect("is merged");
    let undone = stage.engine().undo(None, false).expect("is taken back");
    assert!(undone.left.is_empty(), "{undone:?}");
    assert_eq!(stage.base(), before);
}

/// The start of what was removed was taken for the name of its neighbour, which went as well.
#[test]
fn who_removes_names_the_whole_entry() {
    let stage = usual();
    let engine = stage.engine();
    let add = |title: &str| {
        let new = lore_engine::entries::NewEntry {
            title: title.to_owned(),
            body: format!("{title}, says the harbour master."),
            ..lore_engine::entries::NewEntry::default()
        };
        engine.add(new, false).expect("can be written").id.to_string()
    };
    let (short, long) = (add("Ring the bell"), add("Ring the bell twice in fog"));
    engine.remove(&short, "no bell", false).expect("is removed");
    assert!(engine.remove(&short, "no bell", false).is_err());
    assert!(engine.remove(&long[..long.len() - 2], "half a name", false).is_err());
    assert!(engine.show(&long).is_ok());
}
