//! People edit and delete; ten further runs leave their work alone.

use lore_engine::{Engine, InitOptions};

use crate::stage::{LOGS, Stage, fill};

/// What a person does to an article.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Deed {
    EditBody,
    EditTitle,
    EditFrontMatter,
    DeleteFile,
    RemoveByCommand,
    Rename,
}

/// What happens between two runs.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Then {
    /// Nothing is new.
    Nothing,
    /// All sessions are read again.
    Bootstrap,
    /// A session repeats what the article says.
    SaidAgain,
    /// A session says the opposite.
    Reversed,
    /// The untracked folder is lost, as in a fresh clone, and all sessions are read again.
    Clone,
}

const THENS: [Then; 5] = [Then::Nothing, Then::Bootstrap, Then::SaidAgain, Then::Reversed, Then::Clone];

const MARK: &str = "Ada: settled with accounting, see the ledger.";

/// Adds a line of a person's above the footnotes.
fn with_mark(text: &str) -> String {
    let edited = text.replacen("\n[^s1]:", &format!("\n{MARK}\n\n[^s1]:"), 1);
    assert_ne!(edited, text, "the article cites something");
    edited
}

fn check(stage: Stage, deed: Deed, then: Then) {
    let mut stage = fill(stage);
    stage.curate();
    let (path, text) = stage.article_with("floating point");
    let file = format!("knowledge/{path}");
    let mut expected = None;
    match deed {
        Deed::EditBody => expected = Some(with_mark(&text)),
        Deed::EditTitle => {
            let title = text.lines().find(|line| line.starts_with("title:")).expect("has a title").to_owned();
            expected = Some(text.replace(&title, "title: Money is counted in cents"));
        }
        Deed::EditFrontMatter => {
            expected = Some(text.replacen("\ntype:", "\n# checked twice\nowner: ada\ntype:", 1));
        }
        Deed::DeleteFile => stage.repo.remove(&file),
        Deed::RemoveByCommand => {
            stage.engine().remove(&path, "not ours", false).map(|_| ()).expect("can be removed");
        }
        Deed::Rename => {
            stage.repo.rename(&file, "knowledge/preferences/cents.md");
            expected = Some(text.clone());
        }
    }
    if let Some(text) = expected.as_ref().filter(|_| deed != Deed::Rename) {
        stage.repo.write(&file, text);
    }
    for run in 0..10_i64 {
        stage.day = run + 10;
        let day = run + 10;
        match then {
            Then::Nothing => drop(stage.curate()),
            Then::Bootstrap => drop(stage.bootstrap()),
            Then::SaidAgain => {
                stage.session(&format!("s-again-{run}"), day, crate::stage::MONEY);
                stage.curate();
            }
            Then::Reversed => {
                let words =
                    "We no longer use integer cents for money. Use decimal numbers for all amounts instead.";
                stage.session(
                    &format!("s-rev-{run}"),
                    day,
                    &[("user", words), ("assistant", "Done, all amounts are decimal numbers now.")],
                );
                stage.curate();
            }
            Then::Clone => {
                std::fs::remove_dir_all(stage.state()).expect("a clone has none");
                stage.bootstrap();
            }
        }
        let context = format!("{deed:?}, {then:?}, run {run}");
        let now = if deed == Deed::Rename { "knowledge/preferences/cents.md" } else { &file };
        match &expected {
            Some(before) => {
                let after = stage.repo.read(now);
                // A file that was only moved is still the machine's; it stays where it was put.
                if deed != Deed::Rename {
                    assert_eq!(words_of(&after), words_of(before), "{context}");
                }
                for line in
                    before.lines().filter(|line| line.contains("owner:") || line.contains("# checked"))
                {
                    assert!(after.contains(line), "{context}: {line} is gone");
                }
                // It is there once, not beside a copy that the machine made.
                if then != Then::Reversed {
                    stage.article_with("floating point");
                }
            }
            None => {
                assert!(!stage.project().join(&file).exists(), "{context}: it came back");
                let title = text.lines().find(|line| line.starts_with("title:")).expect("has a title");
                let back: Vec<String> = stage
                    .articles()
                    .into_iter()
                    .filter(|(_, text)| text.lines().any(|line| line == title))
                    .map(|(path, _)| path)
                    .collect();
                assert_eq!(back, Vec::<String>::new(), "{context}: it came back elsewhere");
            }
        }
    }
    // The rest of the base goes on living.
    stage.session(
        "s-new",
        40,
        &[
            (
                "user",
                "Always name branches after the ticket, in lower case. That is our convention from now on.",
            ),
            LOGS[1],
        ],
    );
    assert_eq!(stage.curate().fresh, 1, "{deed:?}, {then:?}");
}

/// Takes the title and the text, without the evidence the machine may add.
fn words_of(text: &str) -> (String, String) {
    let title = text.lines().find(|line| line.starts_with("title:")).unwrap_or_default().to_owned();
    let body = text.split("\n---\n").nth(1).unwrap_or_default();
    (title, body.to_owned())
}

macro_rules! survive {
    ($($name:ident: $deed:ident),+ $(,)?) => {
        $(#[test]
        fn $name() {
            for then in THENS {
                check(Stage::new(), Deed::$deed, then);
            }
        })+
    };
}

survive! {
    an_edited_text_survives_ten_runs: EditBody,
    an_edited_title_survives_ten_runs: EditTitle,
    edited_front_matter_survives_ten_runs: EditFrontMatter,
    a_deleted_file_stays_deleted_for_ten_runs: DeleteFile,
    a_removed_entry_stays_removed_for_ten_runs: RemoveByCommand,
    a_moved_file_stays_where_it_was_put_for_ten_runs: Rename,
}

#[test]
fn edits_and_deletions_survive_ten_runs_with_git() {
    for deed in [Deed::EditBody, Deed::DeleteFile] {
        for then in [Then::Bootstrap, Then::SaidAgain, Then::Clone] {
            check(Stage::with_git(), deed, then);
        }
    }
}

#[test]
fn a_committed_edit_is_a_persons_even_if_the_hash_fits_again() {
    let stage = fill(Stage::with_git());
    stage.curate();
    stage.repo.commit("curated");
    let (path, text) = stage.article_with("floating point");
    let file = format!("knowledge/{path}");
    stage.repo.write(&file, with_mark(&text));
    stage.repo.commit("edited by hand");
    stage.bootstrap();
    assert!(stage.repo.read(&file).contains(MARK));
}

#[test]
fn a_reversed_decision_is_told_beside_a_persons_article() {
    let stage = fill(Stage::new());
    stage.curate();
    let (path, text) = stage.article_with("floating point");
    let file = format!("knowledge/{path}");
    let edited = with_mark(&text);
    stage.repo.write(&file, &edited);
    let words =
        "We no longer use integer cents for money. Use floating point for money in all of the code instead.";
    stage.session("s-rev", 9, &[("user", words), ("assistant", "Done.")]);
    let report = stage.curate();
    assert_eq!(words_of(&stage.repo.read(&file)), words_of(&edited));
    assert_eq!(report.problems, Vec::<String>::new());
}

/// `lore ask` brought up ids that no other command knew.
#[test]
fn an_entry_of_the_personal_base_is_told_from_a_project() {
    let stage = Stage::new();
    let options = InitOptions { personal: true, ..InitOptions::default() };
    Engine::init(&stage.world(), &options).expect("a base can be made");
    let own = Engine::open_personal(stage.world()).expect("can be opened");
    let kept = own.remember("I like short ropes.", None, false).expect("can be told");
    let told = stage.engine().held_elsewhere(&kept.handle.to_string());
    assert!(told.is_some_and(|told| told.contains("--personal")));
    assert_eq!(stage.engine().held_elsewhere("prf-nothing"), None);
}

/// What stood in the place of our lists was overwritten without a word.
#[test]
fn what_somebody_wrote_before_us_is_kept() {
    let stage = Stage::new();
    let there = stage.project().join("other");
    std::fs::create_dir_all(there.join("knowledge")).expect("can be made");
    std::fs::write(there.join("knowledge/index.md"), "# Handbook\n\nAsk Ada first.\n")
        .expect("can be written");
    let options = InitOptions { project: Some(there), ..InitOptions::default() };
    let made = Engine::init(&stage.world(), &options).expect("a base can be made");
    let [kept] = made.rescued.as_slice() else { panic!("{made:?}") };
    let aside = kept.split('`').nth(1).expect("names the file");
    assert!(std::fs::read_to_string(aside).expect("is there").contains("Ask Ada first."));
}
