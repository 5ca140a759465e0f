//! Reads fixtures and writes sessions down so that a person can check them.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use lore_capture::{Input, ReadOptions, Reader, reader_of};
use lore_core::Session;
use lore_core::session::{Branch, ToolCall, Turn};

/// Returns the path of a fixture.
pub(crate) fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/data").join(name)
}

/// Reads a file with the reader that recognises it, which has to be this agent's.
pub(crate) fn read(agent: &str, path: &Path) -> Vec<Session> {
    let options = ReadOptions::default();
    let input = Input::file(path, &options);
    let reader = reader_of(&input).expect("some reader knows it");
    assert_eq!(reader.agent(), agent, "{}", path.display());
    let mut sessions = Vec::new();
    reader.read(&input, &mut |session| sessions.push(session)).expect("content is never an error");
    sessions
}

/// Reads a fixture and compares it with its snapshot.
pub(crate) fn check(agent: &str, name: &str) {
    let sessions = read(agent, &fixture(&format!("{agent}/{name}")));
    insta::with_settings!({ omit_expression => true, prepend_module_to_snapshot => false }, {
        let name = format!("{agent}-{}", name.replace(['.', '/'], "-"));
        // Some agents' sessions work in the folder that their file lies in.
        let folder = fixture("").to_string_lossy().into_owned();
        insta::assert_snapshot!(name, write_down(&sessions).replace(&folder, "DATA/"));
    });
}

/// Writes sessions down, one line for each turn and call.
pub(crate) fn write_down(sessions: &[Session]) -> String {
    let mut out = String::new();
    for session in sessions {
        let _ = writeln!(out, "session {} ({})", session.id, session.agent);
        let mut field = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                let _ = writeln!(out, "  {name}: {value}");
            }
        };
        field("directory", session.directory.clone());
        field("branch", session.branch.clone());
        field("title", session.title.clone());
        field("version", session.agent_version.clone());
        field("started", session.started.map(|at| at.to_string()));
        field("ended", session.ended.map(|at| at.to_string()));
        field("parent", session.parent.as_ref().map(ToString::to_string));
        field("issue", session.issue.clone());
        session.turns.iter().for_each(|turn| write_turn(&mut out, turn));
        for finding in &session.diagnostics {
            let line = finding.place.line.map_or_else(String::new, |line| format!(" at {line}"));
            let _ = writeln!(out, "  ! {} {:?}{line}: {}", finding.code, finding.level, finding.message);
        }
    }
    out
}

fn write_turn(out: &mut String, turn: &Turn) {
    let branch = if turn.branch == Branch::Abandoned { " ABANDONED" } else { "" };
    let at = turn.at.map_or_else(String::new, |at| format!(" {at}"));
    let id = turn.native_id.as_ref().map_or_else(String::new, |id| format!(" #{id}"));
    let model = turn.model.as_ref().map_or_else(String::new, |model| format!(" by {model}"));
    let telltale = turn.telltale.map_or_else(String::new, |telltale| format!(" ({telltale:?})"));
    let _ = writeln!(out, "- {:?} {:?}{telltale}{branch}{at}{id}{model}", turn.author, turn.channel);
    for block in &turn.blocks {
        let _ = writeln!(out, "    {}: {}", block.line, block.text.replace('\n', "\n       "));
    }
    turn.tool_calls.iter().for_each(|call| write_call(out, call));
}

fn write_call(out: &mut String, call: &ToolCall) {
    let result = call.result_line.map_or_else(|| "-".to_owned(), |line| line.to_string());
    let id = call.id.as_deref().unwrap_or("-");
    let _ = writeln!(
        out,
        "    * {} {id} {}→{result} {:?} {}",
        call.name, call.line, call.outcome, call.arguments
    );
    if let Some(command) = &call.command {
        let _ = writeln!(out, "      $ {command}");
    }
    for touch in &call.files {
        let _ = writeln!(out, "      {:?} {}", touch.action, touch.path);
    }
    if !call.output.is_empty() {
        let _ = writeln!(out, "      = {}", call.output.replace('\n', "\n        "));
    }
}

/// Lists every fixture.
fn fixtures() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![fixture("")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("is a folder") {
            let path = entry.expect("is an entry").path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    assert!(found.len() > 10);
    found
}

/// Lists every fixture with its bytes and the reader that recognises it.
pub(crate) fn cases() -> impl Iterator<Item = (PathBuf, Vec<u8>, &'static dyn Reader)> {
    fixtures().into_iter().filter_map(|path| {
        let bytes = std::fs::read(&path).expect("a fixture");
        let options = ReadOptions::default();
        let reader = reader_of(&Input::bytes(&path, &bytes, &options)).ok()?;
        Some((path.clone(), bytes, reader))
    })
}
