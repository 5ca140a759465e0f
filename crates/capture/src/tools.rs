//! What a tool was asked to do, from its name and arguments.

use std::borrow::Cow;

use lore_core::session::{FileAction, FileTouch};

use crate::arguments::DEPTH;
use crate::{Arguments, Cleaner};

/// Keys under which agents name one file.
pub(crate) const PATH_KEYS: &[&str] = &[
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
pub(crate) const COMMAND_KEYS: &[&str] =
    &["command", "cmd", "script", "commandLine", "command_line", "shell_command"];

/// What a tool does to files, as far as its name tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Manner {
    /// What its `command` says, which is no command line then.
    Editor,
    /// Always the same.
    Does(FileAction),
    /// Nothing: it searches or runs something.
    Nothing,
}

/// Returns the command line a shell tool was given.
pub(crate) fn command_of<'r>(manner: Manner, arguments: &'r Arguments<'_>) -> Option<Cow<'r, str>> {
    if manner == Manner::Editor {
        return None;
    }
    match COMMAND_KEYS.iter().find_map(|key| arguments.get(key))? {
        Arguments::Text(command) if !command.trim().is_empty() => Some(Cow::Borrowed(command)),
        // Some agents give the words of the command, often `["bash", "-lc", "…"]`.
        Arguments::List(words) => {
            let words: Vec<&str> = words.iter().filter_map(Arguments::as_text).collect();
            match words.as_slice() {
                [] => None,
                [shell, flag, script] if is_shell(shell) && flag.starts_with('-') => {
                    Some(Cow::Borrowed(script))
                }
                _ => Some(Cow::Owned(words.join(" "))),
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

/// Returns the files a call names and what it does to them.
pub(crate) fn files_of(manner: Manner, arguments: &Arguments<'_>) -> Vec<FileTouch> {
    let mut found = Vec::new();
    if let Some(patch) = patch_of(arguments) {
        touches_of_patch(patch, &mut found);
        if !found.is_empty() {
            return found;
        }
    }
    let action = match manner {
        Manner::Nothing => return found,
        Manner::Does(action) => action,
        Manner::Editor => match arguments.get("command").and_then(Arguments::as_text) {
            Some("view") => FileAction::Read,
            Some("create" | "write") => FileAction::Write,
            _ => FileAction::Edit,
        },
    };
    let mut add = |path: &str| {
        let path = path.strip_prefix("file://").unwrap_or(path);
        let touch = FileTouch { path: path.to_owned(), action };
        if !path.is_empty() && path.len() < 4096 && !path.contains('\n') && !found.contains(&touch) {
            found.push(touch);
        }
    };
    for key in PATH_KEYS {
        if let Some(Arguments::Text(path)) = arguments.get(key) {
            add(path);
        }
    }
    for key in ["paths", "files", "file_paths", "filePaths"] {
        for item in arguments.get(key).into_iter().flat_map(Arguments::items) {
            let named = || PATH_KEYS.iter().find_map(|key| item.get(key)?.as_text());
            item.as_text().or_else(named).into_iter().for_each(&mut add);
        }
    }
    found
}

/// Tells what a tool does to files by its name, reduced to what agents agree on.
pub(crate) fn manner_of(tool: &str) -> Manner {
    let letters = tool.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase());
    let name: String = letters.collect();
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    let searches =
        ["grep", "glob", "search", "list", "find", "bash", "shell", "exec", "terminal", "task", "fetch"];
    match () {
        () if has(&["streditor", "strreplacebasededit", "texteditor"]) => Manner::Editor,
        () if has(&searches) || name == "ls" || name.starts_with("todo") => Manner::Nothing,
        () if has(&["delete", "remove", "unlink"]) => Manner::Does(FileAction::Delete),
        () if has(&["edit", "replace", "patch", "insert", "applydiff", "modify", "update"]) => {
            Manner::Does(FileAction::Edit)
        }
        () if has(&["write", "create", "save"]) => Manner::Does(FileAction::Write),
        () if has(&["read", "view", "open", "cat"]) => Manner::Does(FileAction::Read),
        () => Manner::Nothing,
    }
}

fn patch_of<'r>(arguments: &'r Arguments<'_>) -> Option<&'r str> {
    let named =
        || ["input", "patch", "patchText", "diff"].iter().find_map(|key| arguments.get(key)?.as_text());
    let text = arguments.as_text().or_else(named)?;
    text.contains("*** Begin Patch").then_some(text)
}

/// Reads the headers of an `apply_patch` envelope.
pub(crate) fn touches_of_patch(patch: &str, found: &mut Vec<FileTouch>) {
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
pub(crate) fn shortened(arguments: &Arguments<'_>, cleaner: &mut Cleaner<'_>) -> String {
    let mut short = Short { out: String::new(), room: cleaner.arguments_limit(), is_telling: false, cleaner };
    short.write(arguments, DEPTH);
    let Short { out, is_telling, .. } = short;
    if !is_telling {
        return out;
    }
    // Once more as a whole: the key beside a value gives it away as a secret.
    let redacted = cleaner.whole(&out);
    if redacted == out || serde_json::from_str::<serde::de::IgnoredAny>(&redacted).is_ok() {
        redacted.into_owned()
    } else {
        let mut out = String::with_capacity(redacted.len() + 2);
        push_json(&mut out, &redacted);
        out
    }
}

/// Arguments on their way to a short text.
struct Short<'c, 'o> {
    out: String,
    /// How many bytes may still be written.
    room: usize,
    /// Whether some key names what is usually kept secret.
    is_telling: bool,
    cleaner: &'c mut Cleaner<'o>,
}

impl Short<'_, '_> {
    fn write(&mut self, arguments: &Arguments<'_>, depth: usize) {
        match arguments {
            Arguments::Nothing => self.out.push_str("null"),
            Arguments::Word(word) if matches!(word.as_ref(), "true" | "false") => self.out.push_str(word),
            _ if self.room == 0 || depth == 0 => self.out.push_str("\"…\""),
            Arguments::TooDeep => self.out.push_str("\"…\""),
            Arguments::Word(word) => self.out.push_str(word),
            Arguments::Text(text) => {
                let text = self.cleaner.argument(text);
                self.room = self.room.saturating_sub(text.len());
                push_json(&mut self.out, &text);
            }
            Arguments::List(items) => {
                self.out.push('[');
                for (at, item) in items.iter().enumerate() {
                    self.out.push_str(if at == 0 { "" } else { "," });
                    if self.room == 0 {
                        self.out.push_str(&format!("\"… {} more\"", items.len() - at));
                        break;
                    }
                    self.room = self.room.saturating_sub(4);
                    self.write(item, depth - 1);
                }
                self.out.push(']');
            }
            Arguments::Map(map) => {
                self.out.push('{');
                for (at, (key, item)) in map.iter().enumerate() {
                    self.out.push_str(if at == 0 { "" } else { "," });
                    if self.room == 0 {
                        self.out.push_str(&format!("\"…\":\"{} more\"", map.len() - at));
                        break;
                    }
                    let key = self.cleaner.key(key);
                    self.is_telling |= is_telling(&key);
                    self.room = self.room.saturating_sub(key.len() + 4);
                    push_json(&mut self.out, &key);
                    self.out.push(':');
                    self.write(item, depth - 1);
                }
                self.out.push('}');
            }
        }
    }
}

/// Tells whether a key names what is usually kept secret.
fn is_telling(key: &str) -> bool {
    let begins = |rest: &[u8], word: &str| {
        rest.get(..word.len()).is_some_and(|part| part.eq_ignore_ascii_case(word.as_bytes()))
    };
    key.bytes().enumerate().any(|(at, byte)| {
        let words: &[&str] = match byte | 0x20 {
            b'k' => &["key"],
            b't' => &["token"],
            b's' => &["secret"],
            b'p' => &["pass", "pwd", "private"],
            b'a' => &["auth"],
            b'c' => &["cred", "cookie"],
            _ => &[],
        };
        words.iter().any(|word| begins(&key.as_bytes()[at..], word))
    })
}

/// Writes a text as a JSON string.
fn push_json(out: &mut String, text: &str) {
    out.reserve(text.len() + 2);
    out.push('"');
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| IS_ESCAPED[usize::from(byte)]) {
        out.push_str(&rest[..at]);
        out.push_str(match rest.as_bytes()[at] {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\t' => "\\t",
            b'\r' => "\\r",
            // Cleaned text holds no others; what is written must be JSON all the same.
            _ => " ",
        });
        rest = &rest[at + 1..];
    }
    out.push_str(rest);
    out.push('"');
}

const IS_ESCAPED: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 0x20 {
        table[byte] = true;
        byte += 1;
    }
    table[b'"' as usize] = true;
    table[b'\\' as usize] = true;
    table
};

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::ReadOptions;

    #[test]
    fn commands_are_found() {
        let check = |value: Value, expected: Option<&str>| {
            assert_eq!(
                command_of(manner_of("shell"), &Arguments::of(&value)).as_deref(),
                expected,
                "{value}"
            );
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
            let found: Vec<(String, FileAction)> = files_of(manner_of(tool), &Arguments::of(&value))
                .into_iter()
                .map(|touch| (touch.path, touch.action))
                .collect();
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
    fn telling_keys_are_known() {
        for key in
            ["key", "API_KEY", "authToken", "db-password", "PWD", "private_pem", "Credentials", "cookies"]
        {
            assert!(is_telling(key), "{key}");
        }
        for key in ["file_path", "command", "pattern", "todos", "ke", "description", "é"] {
            assert!(!is_telling(key), "{key}");
        }
    }

    #[test]
    fn arguments_stay_json_and_get_short() {
        let options = ReadOptions::default();
        let long = json!({"file_path": "a.rs", "content": "line of text\n".repeat(10_000), "n": 3});
        let text = shortened(&Arguments::of(&long), &mut Cleaner::new(&options));
        assert!(text.len() < 2000, "{}", text.len());
        let back: Value = serde_json::from_str(&text).expect("stays JSON");
        assert_eq!(back["file_path"], "a.rs");
        assert_eq!(back["n"], 3);
        let many = Value::Array((0..100_000).map(|n| json!({ "n": n })).collect());
        assert!(shortened(&Arguments::of(&many), &mut Cleaner::new(&options)).len() < 40_000);
    }
}
