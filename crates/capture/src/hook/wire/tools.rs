//! What a tool does, by its name and what it is given; agents call the same things differently.

use lore_core::session::FileAction;
use serde_json::Value;

use crate::Arguments;
use crate::hook::event::Act;
use crate::tools::{Manner, command_of, files_of, touches_of_patch};

/// Fields in which some agents hand over a patch that does not say where it begins.
const PATCHES: [&str; 4] = ["patch", "input", "command", "patchText"];

/// Tells what a tool does.
pub(super) fn act(name: &str, input: Option<&Value>) -> Act {
    let arguments = input.map_or(Arguments::Nothing, Arguments::of);
    match name.to_lowercase().replace(['_', '-'], "").as_str() {
        "read" | "readfile" | "readmanyfiles" | "grep" | "glob" | "ls" | "view" | "searchfilecontent"
        | "listdirectory" | "notebookread" | "todowrite" | "todo" => Act::Reads,
        "exitplanmode" => {
            let plan = arguments.get("plan").and_then(Arguments::as_text);
            Act::Plans(plan.unwrap_or_default().to_owned())
        }
        "updateplan" => Act::Plans(input.map(ToString::to_string).unwrap_or_default()),
        "edit" | "write" | "multiedit" | "notebookedit" | "applypatch" | "replace" | "writefile"
        | "create" | "strreplaceeditor" | "patch" | "editfile" | "texteditor" => {
            Act::Edits(files(&arguments))
        }
        "bash" | "shell" | "runshellcommand" | "execcommand" | "localshell" | "execute"
        | "developershell" | "terminal" | "runterminalcmd" => {
            Act::Runs(command_of(Manner::Nothing, &arguments).unwrap_or_default().into_owned())
        }
        _ => Act::Other,
    }
}

/// Lists the files that an edit names: in a field of its own, or in the lines of a patch.
fn files(arguments: &Arguments<'_>) -> Vec<String> {
    let mut touches = files_of(Manner::Does(FileAction::Edit), arguments);
    let patches = PATCHES.iter().filter_map(|key| arguments.get(key)?.as_text());
    patches.chain(arguments.as_text()).for_each(|patch| touches_of_patch(patch, &mut touches));
    let mut found: Vec<String> = Vec::new();
    for touch in touches {
        if !found.contains(&touch.path) {
            found.push(touch.path);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tools::{COMMAND_KEYS, PATH_KEYS};

    #[test]
    fn a_patch_names_its_files() {
        let check = |name: &str, input: Value, expected: &[&str]| {
            let expected = Act::Edits(expected.iter().map(|path| (*path).to_owned()).collect());
            assert_eq!(act(name, Some(&input)), expected, "{input}");
        };
        let patch = "*** Begin Patch\n*** Update File: src/a.rs\n@@\n-x\n+y\n*** Add File: src/b.rs\n+z\n*** End Patch";
        check("apply_patch", serde_json::json!({ "input": patch }), &["src/a.rs", "src/b.rs"]);
        check("apply_patch", serde_json::json!(patch), &["src/a.rs", "src/b.rs"]);
        check("write_file", serde_json::json!({ "file_path": "/p/x.py", "content": "*" }), &["/p/x.py"]);
        check("edit", serde_json::json!({ "filePath": "x.ts" }), &["x.ts"]);
        check("apply_patch", serde_json::json!({ "command": "*** Update File: a.rs" }), &["a.rs"]);
    }

    /// What is read of transcripts was not read of hooks: the guard was asked about no file at all.
    #[test]
    fn every_name_of_a_file_and_of_a_command_is_known_to_hooks_too() {
        for key in PATH_KEYS {
            let input = serde_json::json!({ *key: "src/a.rs" });
            assert_eq!(act("edit_file", Some(&input)), Act::Edits(vec!["src/a.rs".to_owned()]), "{key}");
        }
        for key in COMMAND_KEYS {
            let input = serde_json::json!({ *key: "make hull" });
            assert_eq!(act("run_terminal_cmd", Some(&input)), Act::Runs("make hull".to_owned()), "{key}");
        }
        let words = serde_json::json!({ "command": ["bash", "-lc", "make hull && make mast"] });
        assert_eq!(act("shell", Some(&words)), Act::Runs("make hull && make mast".to_owned()));
        let place = serde_json::json!({ "uri": "file:///p/a.rs" });
        assert_eq!(act("edit", Some(&place)), Act::Edits(vec!["/p/a.rs".to_owned()]));
    }
}
