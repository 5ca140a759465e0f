//! What entries stand for one another, said where people look: show, why, review, forget, and other projects' entries.

use serde_json::Value;

use crate::desk::{Desk, Run};

fn does(desk: &Desk, arguments: &[&str]) -> Run {
    let run = desk.lore(arguments);
    assert_eq!(run.code, 0, "{arguments:?}\n{run}");
    run
}

fn remembered(desk: &Desk, sentences: &[&str]) -> Vec<String> {
    let id = |sentence: &&str| {
        let told: Value =
            serde_json::from_str(&does(desk, &["remember", sentence, "--json"]).out).expect("JSON");
        told["id"].as_str().expect("it has an id").to_owned()
    };
    sentences.iter().map(id).collect()
}

#[test]
fn what_replaced_an_entry_and_what_it_replaced_are_told() {
    let desk = Desk::with_base();
    let ids = remembered(&desk, &["Our ferry is called Otter.", "We moved from Otter to Heron."]);
    let old = does(&desk, &["show", &ids[0]]).out;
    let head: Vec<&str> = old.lines().take(4).collect();
    assert!(head[3].starts_with("replaced by") && head[3].contains("We moved from Otter to Heron"), "{old}");
    let why = does(&desk, &["why", &ids[1]]).out;
    assert!(why.contains("replaced") && why.contains("Our ferry is called Otter"), "{why}");
    let why: Value = serde_json::from_str(&does(&desk, &["why", &ids[1], "--json"]).out).expect("JSON");
    assert_eq!(why["replaced"][0]["id"], ids[0].as_str());
    let why: Value = serde_json::from_str(&does(&desk, &["why", &ids[0], "--json"]).out).expect("JSON");
    assert_eq!(why["ended"]["replaced_by"][0]["id"], ids[1].as_str());
}

#[test]
fn a_withdrawn_entry_says_so() {
    let desk = Desk::with_base();
    let id = remembered(&desk, &["Never paint the pier green."]).remove(0);
    does(&desk, &["remember", "Forget the rule about painting the pier green."]);
    let shown = does(&desk, &["show", &id]).out;
    assert!(shown.lines().nth(3).is_some_and(|line| line.starts_with("withdrawn by human:")), "{shown}");
}

#[test]
fn a_dispute_is_listed_once_with_both_sides() {
    let desk = Desk::with_base();
    let ids = remembered(
        &desk,
        &["The lamp on the pier is red.", "The lamp on the pier is green.", "Ropes are kept in shed 4."],
    );
    let listed = does(&desk, &["review", "list"]);
    assert_eq!(listed.out.matches("disputed").count(), 1, "{listed}");
    assert!(listed.out.contains("against"), "{listed}");
    assert!(listed.err.contains("1 waits for you, 1 of them disputed"), "{listed}");
    let listed: Value = serde_json::from_str(&does(&desk, &["review", "list", "--json"]).out).expect("JSON");
    let entries = listed["entries"].as_array().expect("entries");
    let pair = |one: &Value| (one["id"].clone(), one["against"][0]["id"].clone());
    assert_eq!(pair(&entries[0]).0, pair(&entries[1]).1, "{listed}");
    let refused = desk.lore(&["review", "settle", &ids[2], "--side", "1"]);
    assert!(refused.code == 2 && refused.err.contains("is not disputed"), "{refused}");
}

#[test]
fn forgetting_says_what_it_is_about() {
    let desk = Desk::with_base();
    let ids = remembered(&desk, &["Zanzibar is the code name of the importer."]);
    let nowhere = desk.lore(&["forget", "quantum flux", "--dry-run"]);
    assert_eq!((nowhere.code, nowhere.out.as_str()), (1, "these words are nowhere in what we keep\n"));
    let found = does(&desk, &["forget", "Zanzibar", "--dry-run"]);
    assert!(found.out.starts_with("would forget these words\n"), "{found}");
    let entry = desk.lore(&["forget", &ids[0], "--dry-run"]);
    assert!(
        entry.code == 2 && entry.err.contains("that is an entry") && entry.err.contains("lore rm"),
        "{entry}"
    );
}

#[test]
fn an_entry_of_another_project_says_whose_it_is() {
    let desk = Desk::with_base();
    let id = remembered(&desk, &["Zanzibar is the code name of the importer."]).remove(0);
    let other = desk.home().join("other");
    std::fs::create_dir_all(&other).expect("a folder can be made");
    let other = other.display().to_string();
    does(&desk, &["init", &other]);
    for verb in ["show", "open"] {
        let shown = does(&desk, &["-C", &other, verb, &id]);
        assert!(shown.out.starts_with("note: from another project"), "{shown}");
        let json: Value =
            serde_json::from_str(&does(&desk, &["-C", &other, verb, &id, "--json"]).out).expect("JSON");
        assert!(json["note"].as_str().is_some_and(|note| note.contains("another project")), "{json}");
    }
}

#[test]
fn looking_for_nothing_is_refused_and_pages_come_as_json() {
    let desk = Desk::with_base();
    let nothing = desk.lore(&["query", ""]);
    assert!(nothing.code == 2 && nothing.err.contains("nothing to look for"), "{nothing}");
    for command in [&["man"][..], &["completions", "bash"], &["config", "reference"]] {
        let run = does(&desk, &[command, &["--json"]].concat());
        let json: Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{run}"));
        assert!(json["text"].as_str().is_some_and(|text| !text.is_empty()), "{run}");
    }
}

#[test]
fn another_project_without_a_remote_is_called_by_its_folder() {
    let (here, other) = (Desk::new(), Desk::new());
    let data = here.home().display().to_string();
    let run = |desk: &Desk, arguments: &[&str]| desk.run(arguments, &[("LORE_DATA_DIR", &data)]);
    for desk in [&here, &other] {
        desk.write("a", "");
        desk.git(&["add", "a"]);
        let commit = ["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-qm"];
        desk.git(&[&commit[..], &[&desk.project().display().to_string()]].concat());
        assert_eq!(run(desk, &["init"]).code, 0);
    }
    run(&here, &["remember", "Our ferry is called Otter."]);
    run(&other, &["remember", "Zebras are striped in black and white."]);
    let question = "are zebras striped?";
    let asked = run(&here, &["ask", "--all-projects", question]);
    assert!(asked.out.contains("in project)"), "{asked}");
    let told = run(&here, &["context", "--all-projects", question]);
    assert!(told.out.contains("in project)"), "{told}");
    let unknown = run(&here, &["ask", "--project", "nowhere", question]);
    assert!(unknown.err.contains("the known projects are `project`"), "{unknown}");
    assert_eq!(run(&here, &["ask", "--project", "project", question]).code, 0);
}

#[test]
fn what_files_say_is_listed_and_held_against_the_base() {
    let desk = Desk::with_base();
    let none = does(&desk, &["written"]);
    assert!(none.err.contains("There is no AGENTS.md"), "{none}");
    desk.write(
        "AGENTS.md",
        "# Rules\n\n- Always use tabs in the harbour code.\n- Ropes are kept in shed 4.\n",
    );
    let listed = does(&desk, &["written"]);
    assert!(listed.out.starts_with("AGENTS.md  2 statements"), "{listed}");
    let all = does(&desk, &["written", "--all"]);
    assert!(all.out.contains("(AGENTS.md:3, "), "{all}");
    remembered(&desk, &["Never use tabs in the harbour code."]);
    let against = desk.lore(&["written"]);
    assert_eq!(against.code, 1, "{against}");
    assert!(against.out.contains("- AGENTS.md:3  Always use tabs in the harbour code"), "{against}");
    let told: Value = serde_json::from_str(&desk.lore(&["written", "--json"]).out).expect("JSON");
    assert_eq!((&told["schema"], &told["disagreements"][0]["line"]), (&"lore.written/1".into(), &3.into()));
}
