//! The house rules that a compiler cannot check.

use std::fs;
use std::path::{Path, PathBuf};

/// Longest file; what goes beyond is two files.
const LINES: usize = 600;
/// Longest part of a file before its tests.
const PRODUCTION_LINES: usize = 500;
/// So many packages may be locked; a new dependency has to be worth its weight.
const PACKAGES: usize = 410;

#[test]
fn files_are_short() {
    let mut long = Vec::new();
    for path in sources() {
        let text = read(&path);
        let production = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(&text).lines().count();
        let is_test = path.components().any(|part| part.as_os_str() == "tests");
        if text.lines().count() > LINES || (!is_test && production > PRODUCTION_LINES) {
            long.push(format!("{}: {production} lines and tests", path.display()));
        }
    }
    assert!(long.is_empty(), "split these files:\n{}", long.join("\n"));
}

#[test]
fn few_packages_are_locked() {
    let count = read(&top().join("Cargo.lock")).lines().filter(|line| line.starts_with("name = ")).count();
    assert!(count <= PACKAGES, "{count} packages are locked, {PACKAGES} may be");
}

#[test]
fn the_floors_hold() {
    let stages = ["capture", "store", "distill", "surface", "ground"];
    let check = |package: &str, forbidden: &[&str]| {
        let manifest = read(&top().join("crates").join(package).join("Cargo.toml"));
        let used = manifest.split("[dev-dependencies]").next().unwrap_or_default();
        for other in forbidden.iter().filter(|other| **other != package) {
            assert!(!used.contains(&format!("lore-{other}.")), "{package} must not use {other}");
        }
    };
    for stage in stages {
        check(stage, &stages);
        check(stage, &["engine", "testutils"]);
    }
    check("core", &stages);
    check("core", &["engine", "testutils"]);
    check("app", &stages);
}

/// An arrow in the picture whose type nobody sent or took misled whoever read it.
#[test]
fn every_arrow_of_the_picture_is_used() {
    let page = read(&top().join("ARCHITECTURE.md"));
    let picture = page.split("```").nth(1).expect("there is a picture");
    let words = read(&top().join("crates/core/src/lib.rs"));
    let speaks = |package: &str, name: &str| {
        let folder = top().join("crates").join(package).join("src");
        let own = sources().into_iter().filter(|path| path.starts_with(&folder));
        let is_name = |line: &str| {
            let code = line.split("//").next().unwrap_or_default();
            code.split(|c: char| !c.is_alphanumeric()).any(|word| word == name)
        };
        own.map(|path| read(&path)).any(|text| text.lines().any(is_name))
    };
    // From whom, what, to whom: the row of the picture, and the way back below it.
    let row: Vec<&str> = picture.lines().find(|line| line.contains("──▶")).into_iter().collect();
    let steps: Vec<&str> = row[0].split_whitespace().collect();
    let mut arrows: Vec<(&str, &str, &str)> = Vec::new();
    for step in steps.windows(3).filter(|step| step[1].starts_with("──")) {
        let to = if step[2] == "people," { "app" } else { step[2] };
        arrows.push((step[0], step[1].trim_matches(|c: char| !c.is_alphanumeric()), to));
    }
    assert!(picture.contains("└──────Entry"), "{picture}");
    arrows.push(("store", "Entry", "distill"));
    assert_eq!(arrows.len(), 5, "{arrows:?}");
    for (from, name, to) in arrows {
        assert!(words.contains(name), "{name} is no word of core");
        // Where the other stage takes it apart, it is engine that does.
        let taken = speaks(to, name) || speaks("engine", name);
        assert!(speaks(from, name) && taken, "{from} does not hand {name} to {to}");
    }
}

#[test]
fn nothing_is_left_for_later() {
    // Written apart, so that this file does not find itself.
    let marks = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X:"), concat!("#[ig", "nore]")];
    let mut found = Vec::new();
    for path in sources() {
        for (number, line) in read(&path).lines().enumerate() {
            // Quoted text may speak of such marks: that is what extraction looks for.
            let code = line.split('"').next().unwrap_or_default();
            if marks.iter().any(|mark| code.contains(mark)) {
                found.push(format!("{}:{}: {}", path.display(), number + 1, line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "{}", found.join("\n"));
}

/// `1 entries` was said in two dozen places.
#[test]
fn counted_things_agree_in_number() {
    let things = "answers articles candidates commits entries files hits lessons lines notes packets passages \
        problems questions rules runs sessions signals sources spikes statements turns";
    let things: Vec<&str> = things.split_whitespace().collect();
    let mut found = Vec::new();
    let ours = |path: &PathBuf| {
        path.starts_with(top().join("crates")) && !path.components().any(|part| part.as_os_str() == "tests")
    };
    for path in sources().into_iter().filter(ours) {
        let text = read(&path);
        let production = text.split("#[cfg(test)]").next().unwrap_or_default();
        for (number, line) in production.lines().enumerate().filter(|(_, line)| line.contains('"')) {
            let after = line.match_indices("} ").map(|(at, _)| &line[at + 2..]);
            let mut words =
                after.map(|rest| rest.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default());
            if words.any(|word| things.contains(&word)) {
                found.push(format!("{}:{}: {}", path.display(), number + 1, line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "say it with `counted`:\n{}", found.join("\n"));
}

#[test]
fn every_command_has_an_example_in_its_help() {
    let desk = crate::desk::Desk::new();
    let names = commands();
    let without: Vec<&String> =
        names.iter().filter(|name| !desk.lore(&[name, "--help"]).out.contains("Example")).collect();
    assert!(without.is_empty(), "these commands show no example: {without:?}");
}

#[test]
fn every_test_that_the_security_page_names_is_there() {
    let page = read(&top().join("docs/security.md"));
    let is_test = |name: &&str| {
        name.matches('_').count() >= 3 && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
    };
    let named: Vec<&str> = page.split('`').skip(1).step_by(2).filter(is_test).collect();
    assert!(named.len() > 60, "{} tests are named", named.len());
    let code: String = sources().iter().map(|path| read(path)).collect();
    let missing: Vec<&str> =
        named.into_iter().filter(|name| !code.contains(&format!("fn {name}("))).collect();
    assert!(missing.is_empty(), "docs/security.md names tests that do not exist: {missing:?}");
}

/// Lists the commands as the program names them.
pub(crate) fn commands() -> Vec<String> {
    let listing = crate::desk::Desk::new().lore(&["--help"]).out;
    let lines = listing.lines().skip_while(|line| *line != "Commands:").skip(1);
    let names = lines
        .take_while(|line| !line.is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help");
    let names: Vec<String> = names.map(str::to_owned).collect();
    assert!(names.len() > 15, "{names:?}");
    names
}

#[test]
fn every_command_is_run_by_a_test() {
    let folder = top().join("crates/app/tests/it");
    let tests: String = fs::read_dir(folder)
        .expect("the folder can be listed")
        .flatten()
        .filter(|entry| entry.path().extension().is_some_and(|extension| extension == "rs"))
        .map(|entry| read(&entry.path()))
        .collect();
    let names = commands();
    let without: Vec<&String> = names.iter().filter(|name| !tests.contains(&format!("\"{name}\""))).collect();
    assert!(without.is_empty(), "no test runs these commands: {without:?}");
}

#[test]
fn every_reader_is_listed_and_tried() {
    let capture = top().join("crates/capture");
    let list = read(&capture.join("src/readers/mod.rs"));
    let fuzz = read(&top().join("fuzz/Cargo.toml"));
    let mut readers = 0;
    for entry in fs::read_dir(capture.join("src/readers")).expect("the folder can be listed").flatten() {
        let name = entry.path().file_stem().expect("a file has a name").to_string_lossy().into_owned();
        if name == "mod" {
            continue;
        }
        readers += 1;
        // The reader of Claude Code is called by the agent's whole name where others have to find it.
        let tried = if name == "claude" { "claude_code" } else { name.as_str() };
        assert!(list.contains(&format!("&{name}::")), "{name} is not in the list of readers");
        assert!(capture.join(format!("tests/it/{tried}.rs")).is_file(), "no test reads what {name} reads");
        assert!(fuzz.contains(&format!("fuzz_targets/{tried}.rs")), "no fuzz target for {name}");
        assert!(top().join(format!("fuzz/fuzz_targets/{tried}.rs")).is_file(), "no fuzz target for {name}");
    }
    assert!(readers > 10, "the readers are found");
}

#[test]
fn every_kind_is_on_its_pages() {
    for page in ["docs/format.md", "docs/glossary.md"] {
        let text = read(&top().join(page));
        let missing: Vec<&str> = lore_core::Kind::ALL
            .iter()
            .map(|kind| kind.word())
            .filter(|word| !text.split(|c: char| !c.is_alphanumeric()).any(|found| found == *word))
            .collect();
        assert!(missing.is_empty(), "{page} does not name {missing:?}");
    }
}

fn top() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("cannot read {}: {error}", path.display()))
}

/// Lists the Rust files of the workspace.
fn sources() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![top().join("crates"), top().join("evals"), top().join("fuzz/fuzz_targets")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("the folder can be listed").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                found.push(path);
            }
        }
    }
    assert!(found.len() > 100, "the sources are found");
    found
}
