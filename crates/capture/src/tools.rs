//! What a tool was asked to do, from its name and arguments.

use lore_core::session::{FileAction, FileTouch};
use serde_json::{Map, Value};

use crate::Cleaner;

/// Keys under which agents name one file.
const PATH_KEYS: &[&str] = &[
    "file_path",
    "filePath",
    "path",
    "notebook_path",
    "absolute_path",
    "target_file",
    "relative_workspace_path",
    "filename",
    "file",
    "uri",
];

/// Keys under which agents name a command line.
const COMMAND_KEYS: &[&str] = &["command", "cmd", "script", "commandLine", "command_line", "shell_command"];

/// Most levels of nested arguments that are looked at.
const DEPTH: usize = 8;

/// Returns the command line a shell tool was given.
pub fn command_of(tool: &str, arguments: &Value) -> Option<String> {
    let arguments = arguments.as_object().filter(|_| !is_editor(&letters(tool)))?;
    let found = COMMAND_KEYS.iter().find_map(|key| arguments.get(*key))?;
    match found {
        Value::String(command) if !command.trim().is_empty() => Some(command.clone()),
        // Some agents give the words of the command, often `["bash", "-lc", "…"]`.
        Value::Array(words) => {
            let words: Vec<&str> = words.iter().filter_map(Value::as_str).collect();
            match words.as_slice() {
                [] => None,
                [shell, flag, script] if is_shell(shell) && flag.starts_with('-') => {
                    Some((*script).to_owned())
                }
                _ => Some(words.join(" ")),
            }
        }
        _ => None,
    }
}

fn is_shell(word: &str) -> bool {
    let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
    matches!(
        name,
        "sh" | "bash" | "zsh" | "fish" | "pwsh" | "powershell" | "cmd" | "powershell.exe" | "cmd.exe"
    )
}

/// Tells a tool whose `command` names an edit, not a command line.
fn is_editor(letters: &str) -> bool {
    ["streditor", "strreplacebasededit", "texteditor"].iter().any(|name| letters.contains(name))
}

/// Reduces a tool's name to what agents agree on.
fn letters(tool: &str) -> String {
    tool.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase()
}

/// Returns the files a call names and what it does to them.
pub fn files_of(tool: &str, arguments: &Value) -> Vec<FileTouch> {
    let mut found = Vec::new();
    if let Some(patch) = patch_of(arguments) {
        touches_of_patch(patch, &mut found);
        if !found.is_empty() {
            return found;
        }
    }
    let Some(action) = action_of(tool, arguments) else { return found };
    let Value::Object(arguments) = arguments else { return found };
    let mut add = |path: &str| {
        let path = path.strip_prefix("file://").unwrap_or(path);
        let touch = FileTouch { path: path.to_owned(), action };
        if !path.is_empty() && path.len() < 4096 && !path.contains('\n') && !found.contains(&touch) {
            found.push(touch);
        }
    };
    for key in PATH_KEYS {
        if let Some(Value::String(path)) = arguments.get(*key) {
            add(path);
        }
    }
    for key in ["paths", "files", "file_paths", "filePaths"] {
        for item in arguments.get(key).and_then(Value::as_array).into_iter().flatten() {
            match item {
                Value::String(path) => add(path),
                Value::Object(item) => PATH_KEYS
                    .iter()
                    .filter_map(|key| item.get(*key).and_then(Value::as_str))
                    .take(1)
                    .for_each(&mut add),
                _ => {}
            }
        }
    }
    found
}

/// Tells what a tool does to files by its name; nothing for tools that only search or run.
fn action_of(tool: &str, arguments: &Value) -> Option<FileAction> {
    let name = letters(tool);
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if has(&["grep", "glob", "search", "list", "find", "bash", "shell", "exec", "terminal", "task", "fetch"])
    {
        return None;
    }
    if name == "ls" || name.starts_with("todo") {
        return None;
    }
    if is_editor(&name) {
        return match arguments.get("command").and_then(Value::as_str) {
            Some("view") => Some(FileAction::Read),
            Some("create" | "write") => Some(FileAction::Write),
            _ => Some(FileAction::Edit),
        };
    }
    if has(&["delete", "remove", "unlink"]) {
        return Some(FileAction::Delete);
    }
    if has(&["edit", "replace", "patch", "insert", "applydiff", "modify", "update"]) {
        return Some(FileAction::Edit);
    }
    if has(&["write", "create", "save"]) {
        return Some(FileAction::Write);
    }
    has(&["read", "view", "open", "cat"]).then_some(FileAction::Read)
}

fn patch_of(arguments: &Value) -> Option<&str> {
    let text = match arguments {
        Value::String(text) => Some(text.as_str()),
        Value::Object(map) => {
            ["input", "patch", "patchText", "diff"].iter().find_map(|key| map.get(*key)?.as_str())
        }
        _ => None,
    }?;
    text.contains("*** Begin Patch").then_some(text)
}

/// Reads the headers of an `apply_patch` envelope.
fn touches_of_patch(patch: &str, found: &mut Vec<FileTouch>) {
    const HEADERS: &[(&str, FileAction)] = &[
        ("*** Add File: ", FileAction::Write),
        ("*** Update File: ", FileAction::Edit),
        ("*** Delete File: ", FileAction::Delete),
        ("*** Move to: ", FileAction::Write),
    ];
    for line in patch.lines() {
        for (header, action) in HEADERS {
            if let Some(path) = line.strip_prefix(header) {
                let touch = FileTouch { path: path.trim().to_owned(), action: *action };
                if !found.contains(&touch) {
                    found.push(touch);
                }
            }
        }
    }
}

/// Returns the arguments as JSON text with long values cut, cleaned and redacted.
pub(crate) fn shortened(arguments: &Value, cleaner: &mut Cleaner<'_>) -> String {
    let mut room = cleaner.arguments_limit();
    let short = shorten(arguments, cleaner, &mut room, DEPTH);
    let text = short.to_string();
    if !has_telling_key(&short) {
        return text;
    }
    // Once more as a whole: the key beside a value gives it away as a secret.
    let redacted = cleaner.whole(&text);
    if redacted == text || serde_json::from_str::<serde::de::IgnoredAny>(&redacted).is_ok() {
        redacted
    } else {
        Value::String(redacted).to_string()
    }
}

/// Tells whether some key names what is usually kept secret.
fn has_telling_key(value: &Value) -> bool {
    const TELLING: &[&str] = &["key", "token", "secret", "pass", "pwd", "auth", "cred", "cookie", "private"];
    match value {
        Value::Array(items) => items.iter().any(has_telling_key),
        Value::Object(map) => map.iter().any(|(key, item)| {
            let key = key.to_ascii_lowercase();
            TELLING.iter().any(|telling| key.contains(telling)) || has_telling_key(item)
        }),
        _ => false,
    }
}

fn shorten(value: &Value, cleaner: &mut Cleaner<'_>, room: &mut usize, depth: usize) -> Value {
    if *room == 0 || depth == 0 {
        return match value {
            Value::Bool(_) | Value::Null => value.clone(),
            _ => Value::String("…".to_owned()),
        };
    }
    match value {
        Value::String(text) => {
            let text = cleaner.argument(text);
            *room = room.saturating_sub(text.len());
            Value::String(text)
        }
        Value::Array(items) => {
            let mut short = Vec::new();
            for item in items {
                if *room == 0 {
                    short.push(Value::String(format!("… {} more", items.len() - short.len())));
                    break;
                }
                *room = room.saturating_sub(4);
                short.push(shorten(item, cleaner, room, depth - 1));
            }
            Value::Array(short)
        }
        Value::Object(map) => {
            let mut short = Map::new();
            for (key, item) in map {
                if *room == 0 {
                    short.insert("…".to_owned(), Value::String(format!("{} more", map.len() - short.len())));
                    break;
                }
                let key = cleaner.key(key);
                *room = room.saturating_sub(key.len() + 4);
                let item = shorten(item, cleaner, room, depth - 1);
                short.insert(key, item);
            }
            Value::Object(short)
        }
        _ => value.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::ReadOptions;

    #[test]
    fn commands_are_found() {
        let check = |value: Value, expected: Option<&str>| {
            assert_eq!(command_of("shell", &value).as_deref(), expected, "{value}");
        };
        check(json!({"command": "ls -l", "description": "list"}), Some("ls -l"));
        check(json!({"cmd": ["bash", "-lc", "make test"]}), Some("make test"));
        check(json!({"command": ["git", "status"]}), Some("git status"));
        check(json!({"query": "x"}), None);
        check(json!("ls"), None);
    }

    #[test]
    fn files_are_found() {
        let check = |tool: &str, value: Value, expected: &[(&str, FileAction)]| {
            let found: Vec<(String, FileAction)> =
                files_of(tool, &value).into_iter().map(|touch| (touch.path, touch.action)).collect();
            let expected: Vec<(String, FileAction)> =
                expected.iter().map(|(path, action)| ((*path).to_owned(), *action)).collect();
            assert_eq!(found, expected, "{tool} {value}");
        };
        check("Read", json!({"file_path": "/a/b.rs"}), &[("/a/b.rs", FileAction::Read)]);
        check("MultiEdit", json!({"file_path": "b.rs", "edits": []}), &[("b.rs", FileAction::Edit)]);
        check("write_to_file", json!({"path": "b.rs", "content": "x"}), &[("b.rs", FileAction::Write)]);
        check("Grep", json!({"path": "src", "pattern": "x"}), &[]);
        check(
            "str_replace_based_edit_tool",
            json!({"command": "view", "path": "a"}),
            &[("a", FileAction::Read)],
        );
        let patch = "*** Begin Patch\n*** Add File: new.rs\n+x\n*** Delete File: old.rs\n*** End Patch";
        let expected = [("new.rs", FileAction::Write), ("old.rs", FileAction::Delete)];
        check("apply_patch", json!({"input": patch}), &expected);
        check("apply_patch", json!(patch), &expected);
    }

    #[test]
    fn arguments_stay_json_and_get_short() {
        let options = ReadOptions::default();
        let long = json!({"file_path": "a.rs", "content": "line of text\n".repeat(10_000), "n": 3});
        let text = shortened(&long, &mut Cleaner::new(&options));
        assert!(text.len() < 2000, "{}", text.len());
        let back: Value = serde_json::from_str(&text).expect("stays JSON");
        assert_eq!(back["file_path"], "a.rs");
        assert_eq!(back["n"], 3);
        let many = Value::Array((0..100_000).map(|n| json!({ "n": n })).collect());
        assert!(shortened(&many, &mut Cleaner::new(&options)).len() < 40_000);
    }
}
