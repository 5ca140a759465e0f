//! What is found on a machine, and in what a user points at.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use lore_capture::{Places, ReadOptions, discover, discover_at, read_path};
use tempfile::TempDir;

use crate::support::fixture;

fn put(path: &Path, bytes: &[u8]) {
    fs::create_dir_all(path.parent().expect("has a folder")).expect("can be made");
    let mut file =
        fs::OpenOptions::new().create(true).write(true).truncate(true).open(path).expect("can be made");
    file.write_all(bytes).expect("can be written");
}

fn session(directory: &str) -> Vec<u8> {
    let record = serde_json::json!({
        "parentUuid": null, "isSidechain": false, "cwd": directory, "sessionId": "s", "type": "user",
        "uuid": "u1", "message": {"role": "user", "content": "hello"},
    });
    format!("{record}\n").into_bytes()
}

fn names(found: &[lore_capture::Found], below: &Path) -> Vec<String> {
    let mut names: Vec<String> = found
        .iter()
        .map(|found| {
            found.path.strip_prefix(below).unwrap_or(&found.path).to_string_lossy().replace('\\', "/")
        })
        .collect();
    names.sort();
    names
}

#[test]
fn sessions_of_a_project_and_its_worktrees_are_found() {
    let home = TempDir::new().expect("a folder");
    let projects = home.path().join("elsewhere/projects");
    for (name, directory) in [
        ("-w-ferry/a.jsonl", "/w/ferry"),
        ("-w-ferry-docs/b.jsonl", "/w/ferry/docs"),
        ("-w-ferry-two/c.jsonl", "/w/ferry-two"),
        ("-w-trees-ferry-1/d.jsonl", "/w/trees/ferry-1"),
        ("-w-other/e.jsonl", "/w/other"),
        ("chosen/f.jsonl", "/w/ferry"),
    ] {
        put(&projects.join(name), &session(directory));
    }
    put(&projects.join("-w-ferry/notes.txt"), b"not a session");
    put(&projects.join("-w-ferry/broken.jsonl"), b"\0\0\0");
    let elsewhere = home.path().join("elsewhere").to_string_lossy().into_owned();
    let variables = BTreeMap::from([("CLAUDE_CONFIG_DIR".to_owned(), elsewhere)]);
    let places = Places { home: home.path().to_owned(), variables };
    let check = |folders: &[&str], expected: &[&str]| {
        let folders: Vec<PathBuf> = folders.iter().map(PathBuf::from).collect();
        assert_eq!(names(&discover(&places, &folders), &projects), expected, "{folders:?}");
    };
    check(&["/w/ferry"], &["-w-ferry-docs/b.jsonl", "-w-ferry/a.jsonl", "chosen/f.jsonl"]);
    check(
        &["/w/ferry", "/w/trees/ferry-1"],
        &["-w-ferry-docs/b.jsonl", "-w-ferry/a.jsonl", "-w-trees-ferry-1/d.jsonl", "chosen/f.jsonl"],
    );
    check(&["/w/nobody"], &[]);
    assert_eq!(discover(&places, &[]).len(), 6);
}

#[test]
fn a_folder_a_file_and_an_archive_are_read_alike() {
    let folder = TempDir::new().expect("a folder");
    let bytes =
        fs::read(fixture("claude-code/0a11d000-0000-4000-8000-000000000002.jsonl")).expect("is there");
    put(&folder.path().join("deep/down/0a11d000-0000-4000-8000-000000000002.jsonl"), &bytes);
    put(&folder.path().join("deep/readme.md"), b"nothing to see");
    let found = discover_at(folder.path()).expect("is there");
    assert_eq!(names(&found, folder.path()), ["deep/down/0a11d000-0000-4000-8000-000000000002.jsonl"]);
    assert_eq!(found[0].agent, "claude-code");

    let mut archive = tar::Builder::new(Vec::new());
    archive.append_dir_all("deep", folder.path().join("deep")).expect("can be packed");
    let archive = archive.into_inner().expect("can be packed");
    let packed = zstd::encode_all(archive.as_slice(), 3).expect("can be packed");
    let zipped = folder.path().join("all.tar.zst");
    let plain = folder.path().join("all.tar");
    put(&zipped, &packed);
    put(&plain, &archive);
    assert_eq!(discover_at(&zipped).expect("is there")[0].agent, "archive");

    let texts = |path: &Path| {
        let mut texts = Vec::new();
        let add = &mut |session: lore_core::Session| {
            texts.extend(session.turns.iter().map(lore_core::session::Turn::text));
        };
        read_path(path, &ReadOptions::default(), add).expect("can be read");
        texts
    };
    let expected = texts(&found[0].path);
    assert!(expected.len() > 10);
    assert_eq!(texts(&zipped), expected);
    assert_eq!(texts(&plain), expected);
    assert!(discover_at(Path::new("/nowhere/at/all")).is_err());
}
