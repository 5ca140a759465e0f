//! The house rules that a compiler cannot check.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Longest file; what goes beyond is two files.
const LINES: usize = 600;
/// Longest part of a file before its tests.
const PRODUCTION_LINES: usize = 400;
/// So many packages may be locked; a new dependency has to be worth its weight.
const PACKAGES: usize = 410;

#[test]
fn files_are_short() {
    let mut long = Vec::new();
    for path in sources() {
        let text = read(&path);
        let production = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(&text).lines().count();
        let is_test = path.with_extension("").components().any(|part| part.as_os_str() == "tests");
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
        let used = used(&manifest);
        assert!(package == "core" || used.contains("lore-core"), "{package} uses {used:?}");
        for other in forbidden.iter().filter(|other| **other != package) {
            assert!(!used.contains(format!("lore-{other}").as_str()), "{package} must not use {other}");
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

/// Lists which of our packages a manifest names outside its tests, however that is written.
fn used(manifest: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    let mut is_for_tests = false;
    for line in manifest.lines().map(|line| line.split('#').next().unwrap_or_default()) {
        if line.starts_with('[') {
            is_for_tests = line.contains("dev-dependencies");
        }
        let is_own = line.starts_with("name =");
        if !is_for_tests && !is_own {
            let words = line.split(|c: char| !(c.is_alphanumeric() || c == '-'));
            found.extend(words.filter(|word| word.starts_with("lore-")));
        }
    }
    found
}

#[test]
fn every_way_to_name_a_package_is_seen() {
    let check = |manifest: &str, expected: bool| {
        assert_eq!(used(manifest).contains("lore-store"), expected, "{manifest}");
    };
    check("[dependencies]\nlore-store.workspace = true", true);
    check("[dependencies]\nlore-store = { workspace = true }", true);
    check("[dependencies]\nkept = { package = \"lore-store\", path = \"../store\" }", true);
    check("[dependencies.lore-store]\nworkspace = true", true);
    check("[dev-dependencies]\nlore-core.workspace = true\n[target.x.dependencies]\nlore-store = {}", true);
    check("[package]\nname = \"lore-store\"\n[dev-dependencies]\nlore-store.workspace = true", false);
    check("[dependencies]\nlore-storehouse.workspace = true # lore-store", false);
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
        for (number, line) in production(&text).into_iter().filter(|(_, line)| line.contains('"')) {
            let after = line.match_indices("} ").map(|(at, _)| &line[at + 2..]);
            let mut words =
                after.map(|rest| rest.split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default());
            if words.any(|word| things.contains(&word)) {
                found.push(format!("{}:{number}: {}", path.display(), line.trim()));
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
    let tests: Vec<String> = fs::read_dir(folder)
        .expect("the folder can be listed")
        .flatten()
        .filter(|entry| entry.path().extension().is_some_and(|extension| extension == "rs"))
        .map(|entry| read(&entry.path()))
        .collect();
    let run: BTreeSet<&str> = tests.iter().flat_map(|test| commands_run(test)).collect();
    let names = commands();
    let without: Vec<&String> = names.iter().filter(|name| !run.contains(name.as_str())).collect();
    assert!(without.is_empty(), "no test runs these commands: {without:?}");
}

/// Lists the commands that a test hands over to be run. A list of lists says only that they are gone through.
fn commands_run(test: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for (at, opening) in test.match_indices("&[") {
        let mut depth = 0;
        let encloses = test[..at].bytes().rev().find(|byte| {
            match byte {
                b')' | b']' | b'}' => depth += 1,
                b'(' | b'[' | b'{' => depth -= 1,
                _ => {}
            }
            depth < 0
        });
        if encloses != Some(b'(') {
            continue;
        }
        let words =
            test[at + opening.len()..].split(']').next().unwrap_or_default().split(',').map(str::trim);
        let mut words = words.map(|word| word.trim_matches('"'));
        while let Some(word) = words.next() {
            match word {
                // It is followed by a folder.
                "-C" => drop(words.next()),
                _ if word.starts_with('-') => {}
                _ => {
                    found.push(word);
                    break;
                }
            }
        }
    }
    found
}

#[test]
fn a_name_in_a_list_is_no_run() {
    let check = |test: &str, expected: &[&str]| assert_eq!(commands_run(test), expected, "{test}");
    check("desk.lore(&[\"list\"]);", &["list"]);
    check("does(\n    &desk,\n    &[\n        \"show\",\n        &id,\n    ],\n)", &["show"]);
    check("desk.lore(&[\"--json\", \"-C\", \"..\", \"impact\", \"x\"])", &["impact"]);
    check("const TRIED: &[&[&str]] = &[\n    &[\"list\"],\n    &[\"show\"],\n];", &[]);
}

/// Lists the lines of a file that are no tests, with their numbers: what follows a test counts again.
pub(crate) fn production(text: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    let mut lines = text.lines().enumerate().map(|(at, line)| (at + 1, line));
    while let Some((number, line)) = lines.next() {
        let margin = line.len() - line.trim_start().len();
        let mark = line.trim_start();
        if !(mark.starts_with("#[cfg(test)]") || mark.starts_with("#[cfg(all(test")) {
            found.push((number, line));
            continue;
        }
        // What is marked ends with a line of its own at the same margin, or where it begins.
        let mut opened = false;
        for (_, inner) in lines.by_ref() {
            let own = inner.trim_start();
            let is_beside = inner.len() - own.len() == margin;
            let ends = is_beside && (own.starts_with('}') || own.ends_with([';', '}', ',']));
            if ends && (opened || !own.starts_with("#[")) {
                break;
            }
            opened |= own.ends_with('{');
        }
    }
    found
}

#[test]
fn what_follows_a_test_counts_again() {
    let check = |text: &str, expected: &[usize]| {
        let numbers: Vec<usize> = production(text).into_iter().map(|(number, _)| number).collect();
        assert_eq!(numbers, expected, "{text}");
    };
    check("a\n#[cfg(test)]\nmod tests;\nb", &[1, 4]);
    check("a\n#[cfg(test)]\nmod tests {\n    b;\n    fn c() {\n    }\n}\nd", &[1, 8]);
    check(
        "impl A {\n    #[cfg(test)]\n    #[must_use]\n    fn b() {\n        c\n    }\n    d\n}",
        &[1, 7, 8],
    );
    check("a\n#[cfg(all(test, unix))]\nuse b;\nc", &[1, 4]);
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
