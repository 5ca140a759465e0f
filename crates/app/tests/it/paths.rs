//! Paths as people type them: from where they stand, upwards too.

use std::fs;

use serde_json::Value;

use crate::desk::Desk;

#[test]
fn a_way_upwards_leaves_the_project() {
    let desk = Desk::with_base();
    let run = desk.lore(&["-C", "../home", "remember", "Coffee is free on Mondays."]);
    assert!(run.code == 2 && run.err.contains("no knowledge base"), "{run}");
    assert!(desk.lore(&["list"]).out.is_empty());
    let base = desk.project().join("knowledge").display().to_string();
    let run = desk.run(&["-C", "..", "list"], &[("LORE_BASE", "project/../home/knowledge")]);
    assert!(run.err.contains("[desk]/home/knowledge"), "{run}");
    assert_eq!(desk.run(&["-C", "..", "list"], &[("LORE_BASE", &base)]).code, 0);
}

#[test]
fn a_base_is_made_and_a_tour_kept_beside_the_project() {
    let desk = Desk::new();
    let run = desk.lore(&["init", "../beside"]);
    assert!(run.code == 2 && run.err.contains("is not there"), "{run}");
    fs::create_dir(desk.project().join("../beside")).expect("can be made");
    let run = desk.lore(&["init", "../beside"]);
    assert!(run.code == 0 && run.out.contains("[desk]/beside/knowledge"), "{run}");
    let run = desk.lore(&["demo", "--keep", "../tour"]);
    assert_eq!(run.code, 0, "{run}");
    assert!(!desk.project().join("knowledge").exists());
}

fn done(desk: &Desk, arguments: &[&str]) -> String {
    let run = desk.lore(arguments);
    assert_eq!(run.code, 0, "{arguments:?}: {run}");
    run.out
}

/// A project whose only file about thumbs lies in `src`, seen from the folder below that.
fn desk() -> Desk {
    let desk = Desk::with_base();
    desk.write("src/thumb.py", "def thumb():\n    pass\n");
    desk.write("src/x/own.py", "");
    desk
}

#[test]
fn files_are_named_from_where_one_stands() {
    let desk = desk();
    let text = "Thumbnails over 200 px crash the renderer.";
    let learn = ["-C", "src/x", "learn", "Thumb size", "-t", "limitation", "--text", text];
    done(
        &desk,
        &[&learn[..], &["--files", "../thumb.py", "--files", "./own.py", "--files", "gone.py"]].concat(),
    );
    let shown: Value = serde_json::from_str(&done(&desk, &["show", "thumb-size", "--json"])).expect("JSON");
    let files = serde_json::json!(["src/thumb.py", "src/x/own.py", "gone.py"]);
    assert_eq!(shown["entry"]["files"], files, "{shown}");
    let new = ["-C", "src", "new", "Thumbs are square", "--body", "Every thumb is square."];
    done(&desk, &[&new[..], &["--file", "thumb.py"]].concat());
    assert!(desk.read("knowledge/project/thumbs-are-square.md").contains("- src/thumb.py"));
    let absolute = desk.project().join("src/thumb.py").display().to_string();
    let ways = [
        ("src/x", "../thumb.py"),
        ("src/x", "src/thumb.py"),
        ("src", "thumb.py"),
        (".", "src/x/../thumb.py"),
        (".", &absolute),
    ];
    for (folder, file) in ways {
        let listed = done(&desk, &["-C", folder, "list", "--file", file]);
        assert!(
            listed.contains("Thumb size") && listed.contains("Thumbs are square"),
            "{folder} {file}: {listed}"
        );
        let told = done(&desk, &["-C", folder, "context", "--file", file]);
        assert!(told.contains("Thumb"), "{folder} {file}: {told}");
        let found = done(&desk, &["-C", folder, "query", "--files", file]);
        assert!(found.contains("Thumb size"), "{folder} {file}: {found}");
        let opened = done(&desk, &["-C", folder, "open", &format!("{file}:2")]);
        assert!(opened.contains(">    2      pass"), "{folder} {file}: {opened}");
    }
}

#[test]
fn conditions_name_files_from_where_one_stands() {
    let desk = desk();
    let condition = "../thumb.py contains \"def thumb\" AND NOT ../gone.py exists";
    let new = ["-C", "src/x", "new", "Thumbs are made here", "--body", "Thumbs are made here."];
    done(&desk, &[&new[..], &["--depends-on", condition]].concat());
    let page = desk.read("knowledge/project/thumbs-are-made-here.md");
    assert!(page.contains("src/thumb.py contains") && page.contains("NOT src/gone.py exists"), "{page}");
    let fresh: Value = serde_json::from_str(&done(&desk, &["fresh", "--json"])).expect("JSON");
    assert!(fresh.to_string().contains("\"truth\":\"holds\""), "{fresh}");
}

#[test]
fn what_lies_outside_the_project_is_refused() {
    let desk = desk();
    let new = ["new", "Elsewhere", "--body", "It lies elsewhere."];
    let refused = |arguments: &[&str]| {
        let run = desk.lore(arguments);
        assert!(run.code == 2 && run.err.contains("lies outside the project"), "{arguments:?}: {run}");
    };
    refused(&[&new[..], &["--file", "../home/x.py"]].concat());
    refused(&[&new[..], &["--depends-on", "../home/x.py exists"]].concat());
    refused(&["learn", "Elsewhere", "--text", "It lies elsewhere.", "--files", "/etc/hosts"]);
    refused(&["signal", "add", "Elsewhere", "--file", "../x.py"]);
    refused(&["list", "--file", "../home"]);
    assert!(desk.lore(&["list"]).out.is_empty());
}
