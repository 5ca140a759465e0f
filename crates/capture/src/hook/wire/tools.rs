//! What a tool does, by its name and what it is given; agents call the same things differently.

use serde_json::Value;

use crate::hook::event::Act;

/// Fields in which tools are given a file.
const FILES: [&str; 8] =
    ["file_path", "filePath", "path", "notebook_path", "absolute_path", "target_file", "filename", "file"];
/// Lines of a patch that name a file.
const PATCHED: [&str; 4] = ["*** Update File: ", "*** Add File: ", "*** Delete File: ", "*** Move to: "];

/// Tells what a tool does.
pub(super) fn act(name: &str, input: Option<&Value>) -> Act {
    let text = |keys: &[&str]| {
        let found = keys.iter().find_map(|key| input?.get(*key));
        match found {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Array(words)) => words.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" "),
            _ => String::new(),
        }
    };
    match name.to_lowercase().replace(['_', '-'], "").as_str() {
        "read" | "readfile" | "readmanyfiles" | "grep" | "glob" | "ls" | "view" | "searchfilecontent"
        | "listdirectory" | "notebookread" | "todowrite" | "todo" => Act::Reads,
        "exitplanmode" => Act::Plans(text(&["plan"])),
        "updateplan" => Act::Plans(input.map(ToString::to_string).unwrap_or_default()),
        "edit" | "write" | "multiedit" | "notebookedit" | "applypatch" | "replace" | "writefile"
        | "create" | "strreplaceeditor" | "patch" | "editfile" | "texteditor" => Act::Edits(files(input)),
        "bash" | "shell" | "runshellcommand" | "execcommand" | "localshell" | "execute"
        | "developershell" | "terminal" | "runterminalcmd" => Act::Runs(text(&["command", "cmd", "script"])),
        _ => Act::Other,
    }
}

/// Lists the files that an edit names: in a field of its own, or in the lines of a patch.
fn files(input: Option<&Value>) -> Vec<String> {
    let Some(input) = input else { return Vec::new() };
    let mut found: Vec<String> =
        FILES.iter().filter_map(|key| input.get(*key)?.as_str()).map(str::to_owned).collect();
    let patches =
        ["patch", "input", "command", "patchText"].iter().filter_map(|key| input.get(*key)?.as_str());
    let texts = patches.chain(input.as_str());
    let named = |line: &str| PATCHED.iter().find_map(|mark| Some(line.strip_prefix(mark)?.trim().to_owned()));
    found.extend(texts.flat_map(str::lines).filter_map(named));
    found.dedup();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

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
    }
}
