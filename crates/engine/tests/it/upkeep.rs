//! What the doctor says of a base that cannot be written, merged or trusted as it should be.

use lore_engine::check::Fix;
use lore_engine::doctor::examine;
use lore_engine::entries::Filter;
use lore_engine::{Engine, Error};

use crate::stage::Stage;

fn remember(stage: &Stage, text: &str) -> Result<String, Error> {
    stage.engine().remember(text, None, false).map(|done| done.path)
}

/// Two branches with a page each.
fn marked() -> Stage {
    let stage = Stage::with_git();
    stage.repo.write(".gitignore", "/home/\n");
    stage.repo.commit("begun");
    stage.repo.git(&["switch", "--quiet", "-c", "theirs"]);
    remember(&stage, "Colour output is disabled by default.").expect("is kept");
    stage.repo.commit("theirs");
    stage.repo.git(&["switch", "--quiet", "main"]);
    remember(&stage, "Tickets are printed on blue paper.").expect("is kept");
    stage.repo.commit("ours");
    stage
}

/// Somebody committed what git could not decide; the next write decided it in silence.
#[test]
fn committed_marks_are_told_and_their_page_alone_is_not_written() {
    let stage = marked();
    let path = remember(&stage, "Mails are sent from the queue table.").expect("is kept");
    let file = format!("knowledge/{path}");
    let text = stage.repo.read(&file);
    let line = "Mails are sent from the queue table.\n";
    let at = text.rfind(line).expect("says so");
    let marked = format!(
        "{}<<<<<<< HEAD\n{line}=======\nMails are sent by hand.\n>>>>>>> theirs\n{}",
        &text[..at],
        &text[at + line.len()..]
    );
    for marked in [marked.clone(), marked.replace("<<<<<<< HEAD\n", "")] {
        stage.repo.write(&file, &marked);
        stage.repo.commit("undecided");
        stage.repo.git(&["merge", "--quiet", "--no-edit", "-X", "ours", "theirs"]);
        remember(&stage, &format!("Boat {} is moored at the pier.", marked.len()))
            .expect("others are written");
        assert_eq!(stage.repo.read(&file), marked, "nobody decides it in silence");
        let report = stage.engine().check(Fix::No).expect("works");
        let found = report.diagnostics.iter().find(|one| one.code == "merge-conflict").expect("is told");
        assert_eq!((found.place.file.as_str(), found.place.line.is_some()), (path.as_str(), true));
        let told = examine(&stage.world()).expect("works");
        let named = |what: &str| what.contains(&path) && what.contains(':') && what.contains("merge");
        assert!(told.findings.iter().any(|one| one.grave && named(&one.what)), "{told:?}");
        let engine = stage.engine();
        let id = engine.list(&Filter::default()).expect("works").into_iter().find(|one| one.path == path);
        let id = id.expect("is listed").id;
        let refused = engine.verify(&[id.to_string()], false).expect_err("is not written");
        assert!(refused.to_string().contains(&path), "{refused}");
    }
}

#[test]
fn a_clone_without_the_driver_is_told_so() {
    let stage = Stage::with_git();
    let said = || {
        let found = examine(&stage.world()).expect("works").findings;
        found.iter().any(|one| one.hint == "`lore install git`")
    };
    assert!(said());
    stage.repo.git(&["config", "merge.lorekeep.driver", "true"]);
    assert!(!said());
}

#[test]
fn a_project_that_is_not_there_is_not_made() {
    let stage = Stage::new();
    let options = lore_engine::InitOptions {
        project: Some("does/not/exist".into()),
        ..lore_engine::InitOptions::default()
    };
    let error = Engine::init(&stage.world(), &options).expect_err("is refused");
    assert!(error.to_string().contains("is not there; nothing was made"), "{error}");
    assert!(!stage.project().join("does").exists());
}
