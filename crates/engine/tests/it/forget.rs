//! What is forgotten is gone from everything we write, and does not come back.

use std::fs;
use std::path::{Path, PathBuf};

use lore_engine::check::Fix;
use lore_engine::forget::{ForgetReport, Subject};
use lore_engine::usage::Use;

use crate::stage::{Stage, usual};

const SECRET: &[(&str, &str)] = &[
    (
        "user",
        "From now on always write Project Zanzibar log lines as JSON, one object per line. That is a rule for the whole project.",
    ),
    ("assistant", "Agreed. The logger of Project Zanzibar writes one JSON object per line now."),
];

fn forget(stage: &Stage, subject: Subject) -> ForgetReport {
    stage.engine().forget_about(&subject, false).expect("is forgotten")
}

fn words() -> Subject {
    Subject::Named("project zanzibar".to_owned())
}

/// Lists the files below the project that hold words, but git's own objects and the agents' transcripts.
fn holding(stage: &Stage, words: &[&str]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![stage.project()];
    while let Some(folder) = folders.pop() {
        for item in fs::read_dir(folder).expect("can be listed").flatten() {
            let path = item.path();
            let left_out = [".git/objects", "sessions"].iter().any(|end| path.ends_with(end));
            if path.is_dir() {
                folders.extend((!left_out).then_some(path));
            } else if has(&path, words) {
                found.push(path);
            }
        }
    }
    found
}

/// Finds the folder that holds a file or folder of this name.
fn folder_of(name: &str, below: &Path) -> Option<PathBuf> {
    if below.join(name).exists() {
        return Some(below.to_owned());
    }
    let folders = fs::read_dir(below).ok()?.flatten().map(|item| item.path());
    folders.filter(|path| path.is_dir()).find_map(|path| folder_of(name, &path))
}

fn has(path: &Path, words: &[&str]) -> bool {
    let bytes = fs::read(path).unwrap_or_default();
    let text = format!("{} {}", path.display(), String::from_utf8_lossy(&bytes)).to_lowercase();
    // Change sets are packed.
    let unpacked = bytes.iter().position(|byte| *byte == b'\n').map(|end| &bytes[end + 1..]);
    let unpacked = unpacked.and_then(|bytes| zstd::decode_all(bytes).ok()).unwrap_or_default();
    let unpacked = String::from_utf8_lossy(&unpacked).to_lowercase();
    words.iter().any(|word| text.contains(word) || unpacked.contains(word))
}

fn filled() -> Stage {
    let stage = Stage::new();
    stage.session("s-money", 1, crate::stage::MONEY);
    stage.session("5ec4e700-0000-4000-8000-00000000beef", 4, SECRET);
    stage.curate();
    let engine = stage.engine();
    let secret = stage.articles().into_iter().find(|(_, text)| text.contains("Zanzibar"));
    let (path, text) = secret.expect("the rule was kept");
    let id = text.lines().find_map(|line| line.strip_prefix("id: ")).expect("has an id").to_owned();
    engine.record_uses("claude-code/5ec4e700", [(id.clone(), Use::Surfaced)]).expect("is recorded");
    engine.verify(std::slice::from_ref(&id), false).expect("is confirmed");
    engine.context_for_test("how are Project Zanzibar log lines written?");
    assert!(!holding(&stage, &["zanzibar"]).is_empty());
    assert!(path.ends_with(".md"));
    stage
}

trait ForTest {
    fn context_for_test(&self, prompt: &str);
}

impl ForTest for lore_engine::Engine {
    /// Has an agent told something, so that there is a record of it.
    fn context_for_test(&self, prompt: &str) {
        let message = serde_json::json!({
            "session_id": "0a11d000-0000-4000-8000-00000000cafe", "cwd": self.project(),
            "hook_event_name": "UserPromptSubmit", "prompt": prompt,
        });
        let bytes = message.to_string();
        lore_engine::hook::answer(self.world().clone(), "claude-code", "UserPromptSubmit", bytes.as_bytes());
    }
}

#[test]
fn words_are_gone_everywhere_and_do_not_come_back() {
    let stage = filled();
    let rehearsed = stage.engine().forget_about(&words(), true).expect("can be rehearsed");
    assert!(!rehearsed.is_empty() && rehearsed.dry_run);
    assert!(!holding(&stage, &["zanzibar"]).is_empty(), "a rehearsal changes nothing");

    let report = forget(&stage, words());
    assert!(report.passages > 0 && report.change_sets > 0, "{report:?}");
    assert_eq!(holding(&stage, &["zanzibar"]), Vec::<PathBuf>::new());
    assert_eq!(report.remains.transcripts.len(), 1, "{:?}", report.remains);
    assert!(stage.articles().values().any(|text| text.contains("floating point")), "the rest stays");

    // The transcript is still there, and read again from the beginning.
    stage.bootstrap();
    stage.session("s-again", 9, SECRET);
    stage.curate();
    stage.engine().undo(None, false).expect("something can be taken back");
    assert_eq!(holding(&stage, &["zanzibar"]), Vec::<PathBuf>::new());
    let again = forget(&stage, words());
    assert!(again.is_empty(), "{again:?}");
}

#[test]
fn what_else_an_article_says_stays() {
    let stage = usual();
    stage.curate();
    let (path, text) = stage.article_with("floating point");
    let more = text.replacen("\n[^s1]:", "\n## Why\n\n- Zanzibar pays in shillings.\n\n[^s1]:", 1);
    assert_ne!(more, text);
    stage.repo.write(&format!("knowledge/{path}"), &more);
    let report = forget(&stage, Subject::Words("zanzibar".into()));
    assert_eq!(report.changed, std::slice::from_ref(&path));
    let left = &stage.articles()[&path];
    assert!(left.contains("floating point") && !left.contains("shillings"), "{left}");
    assert!(left.contains("A statement was removed on 2026-02-20."), "{left}");
    let checked = stage.engine().check(Fix::No).expect("can be checked");
    assert!(checked.is_clean(), "{:?}", checked.diagnostics);
}

#[test]
fn a_session_goes_with_all_that_rests_on_it_alone() {
    let stage = filled();
    let id = "5ec4e700-0000-4000-8000-00000000beef";
    let report = forget(&stage, Subject::Named(id[..8].to_owned()));
    assert_eq!(report.kind, "session");
    assert!(report.removed.len() + report.changed.len() > 0 && report.passages > 0, "{report:?}");
    assert_eq!(holding(&stage, &[id, "zanzibar"]), Vec::<PathBuf>::new());
    stage.bootstrap();
    assert_eq!(holding(&stage, &[id, "zanzibar"]), Vec::<PathBuf>::new());
}

/// What agents were told, and what people note, cites a session by the beginning of its id; that stayed.
#[test]
fn the_short_name_of_a_session_goes_with_it() {
    let cited = || {
        let stage = filled();
        let (path, text) = stage.article_with("floating point");
        let note = text.replacen("\n\n[^s1]:", "\n\nAna found it in 5ec4e700#L1, see there.\n\n[^s1]:", 1);
        stage.repo.write(&format!("knowledge/{path}"), note);
        stage.engine().tell(&lore_engine::told::Telling {
            at: lore_testutils::start(),
            session: "claude-code/0a11d000".to_owned(),
            event: "prompt".to_owned(),
            asked: String::new(),
            text: "- “log lines are JSON” [5ec4e700#L1 · 2026-02-24]".to_owned(),
            because: Vec::new(),
        });
        stage
    };
    let (here, there) = (cited(), cited());
    forget(&here, Subject::Named("5ec4e700".to_owned()));
    assert_eq!(holding(&here, &["5ec4e700"]), Vec::<PathBuf>::new());
    assert!(here.articles().values().any(|text| text.contains("Ana found it in forgotten")));
    let seals = here.repo.read("knowledge/.lore/state/forgotten");
    there.repo.write("knowledge/.lore/state/forgotten", &seals);
    forget(&there, Subject::Sealed);
    assert_eq!(holding(&there, &["5ec4e700"]), Vec::<PathBuf>::new());
}

#[test]
fn a_persons_name_is_forgotten_and_what_they_did_stays() {
    let stage = filled();
    let before = stage.articles().len();
    let report = forget(&stage, Subject::Named("ada".to_owned()));
    assert_eq!((report.kind.as_str(), stage.articles().len()), ("person", before));
    assert!(stage.articles().values().any(|text| text.contains("human:forgotten")));
    assert_eq!(holding(&stage, &["human:ada"]), Vec::<PathBuf>::new());
}

/// Words that the files of a base are made of are not what anybody wrote.
#[test]
fn what_gives_a_file_its_form_is_not_forgotten() {
    for words in ["current", "person", "human", "title", "sources", "history", "project", "preference"] {
        let stage = filled();
        let before = stage.articles();
        stage.engine().forget_about(&Subject::Words(words.to_owned()), false).expect("is forgotten");
        let after = stage.articles();
        for (path, text) in &after {
            let entry = lore_store::format::read(path, text.as_bytes());
            assert!(entry.diagnostics.is_empty(), "{words}: {:?}", entry.diagnostics);
            let known = before.get(path).unwrap_or_else(|| panic!("{words} moved {path}"));
            for fixed in ["type: ", "status: ", "curated_by: ", "    voice: ", "topic: "] {
                let own = |text: &str| {
                    text.lines().filter(|line| line.starts_with(fixed)).map(str::to_owned).collect::<Vec<_>>()
                };
                assert_eq!(own(text), own(known), "{words} in {path}");
            }
        }
        let checked = stage.engine().check(Fix::No).expect("can be checked");
        assert!(checked.is_clean(), "{words}: {:?}", checked.diagnostics);
    }
}

#[test]
fn settings_and_what_else_a_file_holds_outlive_what_is_forgotten() {
    let stage = filled();
    let state = folder_of("changes", &stage.project()).expect("has change sets");
    let settings = "[topics]\nexclude = [\"project zanzibar\"]\n\n[redact]\npatterns = [\"KEY-[0-9]+\"]\n";
    fs::write(state.join("config.toml"), settings).expect("can be written");
    let kept = |name: &str| fs::read_to_string(state.join(name)).unwrap_or_default();
    let run = |id: &str, by: &str| serde_json::json!({ "id": id, "by": by, "sets": ["1-a"] });
    let desk =
        serde_json::json!({ "runs": [run("edit-1", "zanzibar"), run("edit-2", "claude")], "count": 2 });
    fs::create_dir_all(state.join("curator")).expect("can be made");
    fs::write(state.join("curator/desk.json"), desk.to_string()).expect("can be written");

    let report = forget(&stage, Subject::Words("zanzibar".to_owned()));
    assert_eq!(kept("config.toml"), settings);
    let named = |note: &String| note.contains("your settings name it") && note.contains("config.toml");
    assert!(report.remains.notes.iter().any(named), "{:?}", report.remains);
    let left: serde_json::Value = serde_json::from_str(&kept("curator/desk.json")).expect("is still one");
    assert_eq!(left["runs"], serde_json::json!([run("edit-2", "claude")]));
    assert_eq!(left["count"], 2);
}

#[test]
fn people_with_short_names_can_be_forgotten() {
    for name in ["田中", "Bo", "李"] {
        let stage = filled();
        let mut world = stage.world();
        world.variables.insert("LORE_USER".to_owned(), name.to_owned());
        let engine = lore_engine::Engine::open(world).expect("can be opened");
        let id = stage
            .articles()
            .values()
            .next()
            .and_then(|text| text.lines().find_map(|line| line.strip_prefix("id: ")).map(str::to_owned));
        engine.verify(&[id.expect("has an id")], false).expect("is confirmed");
        let by = format!("human:{name}");
        assert!(!holding(&stage, &[by.to_lowercase().as_str()]).is_empty(), "{name}");
        engine.forget_about(&Subject::Person(name.to_owned()), false).expect("is forgotten");
        assert_eq!(holding(&stage, &[by.to_lowercase().as_str()]), Vec::<PathBuf>::new(), "{name}");
    }
    let refused = filled().engine().forget_about(&Subject::Person("Cy".to_owned()), false);
    assert!(refused.is_err(), "nobody is called so");
}

/// A clone that merges knows what was forgotten by its seal alone.
#[test]
fn another_clone_forgets_by_the_seal() {
    let here = filled();
    let there = filled();
    forget(&here, words());
    let seals = here.repo.read("knowledge/.lore/state/forgotten");
    assert!(!seals.to_lowercase().contains("zanzibar"));
    there.repo.write("knowledge/.lore/state/forgotten", &seals);
    let report = forget(&there, Subject::Sealed);
    assert!(report.passages > 0, "{report:?}");
    assert_eq!(holding(&there, &["zanzibar"]), Vec::<PathBuf>::new());
}

#[test]
fn git_history_is_named_and_never_touched() {
    let stage = Stage::with_git();
    stage.session("s-zanzibar", 4, SECRET);
    stage.curate();
    stage.repo.commit("knowledge");
    let head = stage.repo.git(&["rev-parse", "HEAD"]);
    stage.repo.write("adr/0001.md", "Project Zanzibar writes JSON.\n");
    let report = forget(&stage, words());
    assert_eq!(report.remains.files, ["adr/0001.md"]);
    assert!(!report.remains.commits.is_empty(), "{report:?}");
    assert!(report.remains.commands.iter().any(|command| command.contains("git filter-repo")));
    assert_eq!(stage.repo.git(&["rev-parse", "HEAD"]), head);
}

/// What git goes on holding was told by the log of runs as it had been called.
#[test]
fn the_log_holds_back_what_git_still_says() {
    let stage = Stage::with_git();
    stage.session("s-zanzibar", 4, SECRET);
    stage.curate();
    stage.repo.commit("knowledge: Project Zanzibar is noted");
    forget(&stage, words());
    stage.repo.commit("less");
    let log = stage.engine().log_of_runs(&lore_engine::log::LogOptions::default()).expect("can be told");
    let told = format!("{log:?}").to_lowercase();
    assert!(log.runs.iter().any(|run| run.command == "git"), "{told}");
    assert!(!told.contains("zanzibar"), "{told}");
    assert!(told.contains("forgotten is noted"), "{told}");
}

/// A page was still called after the side of a dispute that was forgotten.
#[test]
fn a_page_is_not_called_after_what_was_forgotten() {
    let stage = Stage::new();
    let said = |id: &str, day: i64, hours: &str, reply: &str| {
        let words =
            format!("We decided that berths can be cancelled for free until {hours} hours before arrival.");
        stage.session(id, day, &[("user", words.as_str()), ("assistant", reply)]);
    };
    said("5ec4e700-0000-4000-8000-0000000000a1", 1, "24", "Noted.");
    said("71d0c3aa-1111-4111-8111-1111111111b2", 2, "48", "Noted.");
    stage.curate();
    assert!(!holding_in(&stage, "24 hours").is_empty());
    forget(&stage, Subject::Session("5ec4e700-0000-4000-8000-0000000000a1".to_owned()));
    for (path, text) in stage.articles() {
        assert!(!text.contains("24 hours"), "{path}: {text}");
    }
    assert!(!holding_in(&stage, "48 hours").is_empty());
}

fn holding_in(stage: &Stage, words: &str) -> Vec<String> {
    stage.articles().into_iter().filter(|(_, text)| text.contains(words)).map(|(path, _)| path).collect()
}

/// A page that was copied as a pattern for another, its id left as it was, went into the first and was deleted.
#[test]
fn mending_does_not_fold_two_pages_that_only_share_an_id() {
    let stage = usual();
    stage.curate();
    let (path, text) = stage.article_with("floating point");
    let body = text[4..].find("\n---\n").expect("it has front matter") + 8;
    let copied =
        format!("{}\n\n# Lamps are lit at dusk\n\nThe keeper lights the lamps at dusk.\n", &text[..body])
            .lines()
            .map(|line| if line.starts_with("title:") { "title: Lamps are lit at dusk" } else { line })
            .filter(|line| !line.starts_with("description:"))
            .collect::<Vec<_>>()
            .join("\n");
    stage.repo.write("knowledge/decisions/lamps.md", &copied);
    stage.engine().check(Fix::Safe).expect("can be mended");
    let articles = stage.articles();
    assert!(articles.values().any(|text| text.contains("keeper lights")), "{:?}", articles.keys());
    assert!(articles.keys().any(|known| *known == path) && articles.len() >= 2, "{:?}", articles.keys());
    assert!(stage.project().join("knowledge/decisions/lamps.md").exists(), "it is left where it was put");
}

/// The recipe for git's history took `ana` out of `manage` too.
#[test]
fn the_recipe_for_history_takes_whole_words() {
    let stage = Stage::with_git();
    stage.engine().remember("Ana wrote the lexer.", None, false).expect("can be told");
    stage.repo.commit("a word");
    stage.repo.write("notes.txt", "Bananas are managed by hand.\n");
    stage.repo.commit("no word of it");
    let subject = Subject::Named("ana".to_owned());
    let report = stage.engine().forget_about(&subject, true).expect("can be rehearsed");
    let recipe = report.remains.commands.iter().find(|command| command.contains("regex:")).expect("is given");
    assert!(recipe.contains(r"(?<!\w)ana(?!\w)"), "{recipe}");
    let commits = &report.remains.commits;
    assert!(!commits.is_empty() && commits.iter().all(|one| one.file != "notes.txt"), "{commits:?}");
}

/// Words that had been erased for everybody came back with a branch that still had them, and nobody was told.
#[test]
fn forgotten_words_that_a_merge_brings_are_held_back_told_and_taken_out_again() {
    let stage = Stage::with_git();
    let remember = |text: &str| stage.engine().remember(text, None, false).map(|done| done.path);
    stage.repo.write(".gitignore", "/home/\n");
    remember("Project Zanzibar ships in May, and the pier is closed then.").expect("is kept");
    stage.repo.commit("begun");
    stage.repo.git(&["switch", "--quiet", "-c", "theirs"]);
    let path = remember("Project Zanzibar has a budget of nine boats.").expect("is kept");
    stage.repo.commit("theirs");
    stage.repo.git(&["switch", "--quiet", "main"]);
    let words = Subject::Words("project zanzibar".to_owned());
    stage.engine().forget_about(&words, false).expect("is forgotten");
    stage.repo.commit("forgotten");
    stage.repo.git(&["checkout", "--quiet", "theirs", "--", &format!("knowledge/{path}")]);
    stage.repo.commit("merged");
    assert!(stage.repo.read(&format!("knowledge/{path}")).contains("Zanzibar"), "it is in the file");
    let engine = stage.engine();
    let report = engine.check(Fix::No).expect("works");
    let found = report.diagnostics.iter().find(|one| one.code == "forgotten-words").expect("is told");
    assert!(
        found.place.line.is_some() && found.hint.as_deref().is_some_and(|hint| hint.contains("--sealed"))
    );
    let told = lore_engine::doctor::examine(&stage.world()).expect("works");
    assert!(told.is_ill() && told.findings.iter().any(|one| one.what.contains("were forgotten")), "{told:?}");
    let shown = engine.list(&lore_engine::entries::Filter::default()).expect("works");
    assert!(shown.iter().all(|item| !item.title.contains("Zanzibar")), "{shown:?}");
    let hits = engine.query(&lore_core::recall::Query::text("budget of nine boats")).expect("works").hits;
    assert!(hits.iter().all(|hit| !format!("{hit:?}").contains("Zanzibar")), "{hits:?}");
    let again = remember("Project Zanzibar is back.").expect_err("is not kept again");
    assert!(again.to_string().contains("were forgotten"), "{again}");
    remember("The pier has nine boats.").expect("anything else is kept");
    engine.forget_about(&Subject::Sealed, false).expect("is forgotten again");
    assert!(stage.base().values().all(|text| !text.contains("Zanzibar")));
    let report = stage.engine().check(Fix::No).expect("works");
    assert!(report.diagnostics.iter().all(|one| one.code != "forgotten-words"), "{report:?}");
}
