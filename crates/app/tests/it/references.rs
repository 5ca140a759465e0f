//! Reference pages say what the program does.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use crate::desk::Desk;

fn docs(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(name);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()))
}

#[test]
fn the_page_of_settings_is_up_to_date() {
    let run = Desk::with_base().lore(&["config", "reference"]);
    assert_eq!(run.code, 0, "{run}");
    let hint = "run `cargo run -- config reference > docs/settings.md` in a folder with a base";
    assert_eq!(docs("settings.md"), run.out, "{hint}");
}

#[test]
fn every_json_shape_is_on_its_page() {
    let page = docs("json.md");
    let mut schemas = BTreeSet::new();
    let mut folders: Vec<PathBuf> = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("can be listed").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let text = fs::read_to_string(&path).expect("is text");
            for (at, _) in text.match_indices("\"lore.") {
                let name = text[at + 1..].split('"').next().unwrap_or_default();
                if name.contains('/') {
                    schemas.insert(name.to_owned());
                }
            }
        }
    }
    assert!(schemas.len() > 20, "{schemas:?}");
    let missing: Vec<&String> = schemas.iter().filter(|name| !page.contains(&format!("`{name}`"))).collect();
    assert!(missing.is_empty(), "docs/json.md does not speak of {missing:?}");
}

#[test]
fn the_fields_of_machine_output_are_named() {
    let desk = Desk::with_base();
    assert_eq!(desk.lore(&["new", "Use SQLite", "--body", "SQLite is used."]).code, 0);
    let page = docs("json.md");
    for arguments in [
        vec!["list"],
        vec!["show", "use-sqlite"],
        vec!["status"],
        vec!["check"],
        vec!["curate"],
        vec!["review"],
        vec!["candidates"],
        vec!["sessions"],
        vec!["sessions", "stats"],
        vec!["schedule"],
        vec!["schedule", "show", "github-actions"],
        vec!["config"],
        vec!["show", "nowhere"],
    ] {
        let mut all = arguments.clone();
        all.push("--json");
        let run = desk.lore(&all);
        let value: serde_json::Value = serde_json::from_str(&run.out).unwrap_or_else(|_| panic!("{run}"));
        let schema = value["schema"].as_str().unwrap_or_else(|| panic!("{run}")).to_owned();
        let row = page
            .lines()
            .find(|line| line.contains(&format!("`{schema}`")))
            .unwrap_or_else(|| panic!("{schema}"));
        let fields = value.as_object().expect("is an object").keys().filter(|key| *key != "schema");
        let unnamed: Vec<&String> = fields.filter(|key| !row.contains(&format!("`{key}`"))).collect();
        assert!(unnamed.is_empty(), "docs/json.md, {schema}: {unnamed:?} are not named");
    }
}
