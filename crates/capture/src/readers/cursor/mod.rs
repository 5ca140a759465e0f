//! Cursor: the editor's database of chats, and the transcripts that its agents leave as JSON Lines.

mod composer;

use std::path::Path;

use lore_core::{Session, SessionId};
use serde_json::Value;

use crate::conversation::{Conversation, Record};
use crate::database::is_database;
use crate::json::{Fields, head_has, records};
use crate::{Input, Location, Places, ReadError, Reader};

/// Reads Cursor's chats.
pub(super) struct Cursor;

impl Reader for Cursor {
    fn agent(&self) -> &'static str {
        "cursor"
    }

    fn recognises(&self, path: &Path, head: &[u8]) -> bool {
        if is_database(head) {
            let named = path.file_name().is_some_and(|name| name == "state.vscdb");
            return named || memchr::memmem::find(head, b"cursorDiskKV").is_some();
        }
        let lines = path.extension().is_some_and(|extension| extension == "jsonl");
        let shaped = head_has(head, "{\"role\":\"") && head_has(head, "\"message\":{\"content\":[");
        lines && shaped && !head_has(head, "\"type\":\"session\"")
    }

    fn read(&self, input: &Input<'_>, sink: &mut dyn FnMut(Session)) -> Result<(), ReadError> {
        if is_database(&input.head(16)?) {
            return composer::read_database(input, sink);
        }
        let stem = input.stem();
        let mut talk = Conversation::new(input, "cursor", &stem);
        if let Some(parent) = parent_of(input.path) {
            talk.draft.session.parent = Some(SessionId::new(parent));
            talk.delegated = true;
        }
        let mut seen = 0;
        let findings = records(input, |line, record| {
            seen += 1;
            add_record(&mut talk, line, &record);
        })?;
        if seen > 0 || !findings.is_empty() {
            talk.draft.add_diagnostics(findings);
            sink(talk.finish());
        }
        Ok(())
    }

    fn locations(&self, places: &Places) -> Vec<Location> {
        let mut found = vec![Location::folder(
            places.folder("CURSOR_DATA_DIR", ".cursor").join("projects"),
            5,
            &[".jsonl"],
        )];
        for folder in places.application_folders() {
            let user = folder.join("Cursor/User");
            found.push(Location::file(user.join("globalStorage/state.vscdb")));
            found.push(Location::folder(user.join("workspaceStorage"), 1, &["state.vscdb"]));
        }
        found
    }

    fn belongs(&self, path: &Path, folders: &[&Path]) -> Option<bool> {
        let parts: Vec<String> = path.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        let at = parts.iter().position(|part| part == "agent-transcripts")?;
        let project = parts.get(at.checked_sub(1)?)?;
        Some(folders.iter().any(|folder| slug_of(folder) == *project))
    }
}

/// Names a folder as Cursor does: without the first separator, all but letters and digits as hyphens.
fn slug_of(folder: &Path) -> String {
    let text = folder.to_string_lossy();
    let text = text.trim_start_matches(['/', '\\']);
    text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}

/// Finds the session that a subagent's transcript lies below: `<parent>/subagents/<id>.jsonl`.
fn parent_of(path: &Path) -> Option<String> {
    let folder = path.parent()?;
    if folder.file_name()? != "subagents" {
        return None;
    }
    Some(folder.parent()?.file_name()?.to_string_lossy().into_owned())
}

fn add_record(talk: &mut Conversation<'_>, line: u32, record: &Value) {
    talk.record(Record { line, at: record.time("timestamp"), id: record.text("id") });
    let content = &record["message"]["content"];
    let blocks = content.as_array().map_or(std::slice::from_ref(content), Vec::as_slice);
    let role = record.text("role").unwrap_or_default();
    talk.end_reply();
    for block in blocks {
        let text = block.text("text").or(block.as_str()).unwrap_or_default();
        match (role, block.text("type").unwrap_or("text")) {
            ("user", "text") => {
                talk.prompt(&without_time(text));
            }
            ("assistant", "text") => talk.reply(text),
            ("assistant", "tool_use") => {
                talk.call(block.text("id"), block.text("name").unwrap_or("unknown"), &block["input"]);
            }
            _ => {}
        }
    }
}

/// Takes off the time that Cursor writes before a prompt.
fn without_time(text: &str) -> String {
    match text.split_once("<timestamp>") {
        Some((before, rest)) => match rest.split_once("</timestamp>") {
            Some((_, after)) => format!("{before}{after}"),
            None => text.to_owned(),
        },
        None => text.to_owned(),
    }
}
