//! OpenCode: a database, before that a folder of small files, and the document `export` writes.

mod message;
mod store;

use std::path::Path;

use lore_core::{Session, SessionId};
use serde_json::Value;

use self::message::{add_first, add_second};
use crate::conversation::Conversation;
use crate::database::is_database;
use crate::json::{Fields, document, head_has, number_of, time_of};
use crate::{Input, Location, Places, ReadError, Reader};

/// Reads OpenCode's sessions.
pub(super) struct OpenCode;

impl Reader for OpenCode {
    fn agent(&self) -> &'static str {
        "opencode"
    }

    fn recognises(&self, path: &Path, head: &[u8]) -> bool {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if is_database(head) {
            return name.starts_with("opencode") && name.ends_with(".db");
        }
        let exported = head_has(head, "\"info\":{\"id\":\"ses")
            || (head_has(head, "\"info\":{") && head_has(head, "\"projectID\":"));
        exported || (store::is_stored(path) && head_has(head, "\"id\":\"ses"))
    }

    fn read(&self, input: &Input<'_>, sink: &mut dyn FnMut(Session)) -> Result<(), ReadError> {
        if is_database(&input.head(16)?) {
            return store::read_database(input, sink);
        }
        let (document, findings) = document(input)?;
        let mut talks = Vec::new();
        if store::is_stored(input.path) && document.get("info").is_none() {
            talks.push(store::read_folder(input, &document));
        } else {
            let several = document.as_array().map_or(std::slice::from_ref(&document), Vec::as_slice);
            talks.extend(several.iter().filter(|one| one.is_object()).map(|one| exported(input, one)));
        }
        if talks.is_empty() && !findings.is_empty() {
            talks.push(begin(input, &Value::Null));
        }
        for (index, mut talk) in talks.into_iter().enumerate() {
            if index == 0 {
                talk.draft.add_diagnostics(findings.clone());
            }
            sink(talk.finish());
        }
        Ok(())
    }

    fn locations(&self, places: &Places) -> Vec<Location> {
        let data = places.data().join("opencode");
        let storage = match places.variable("OPENCODE_STORAGE_ROOT") {
            Some(_) => places.folder("OPENCODE_STORAGE_ROOT", ""),
            None => data.join("storage"),
        };
        let mut found = vec![
            Location::folder(data, 0, &[".db"]),
            Location::folder(storage.join("session"), 2, &[".json"]),
        ];
        if places.variable("OPENCODE_SQLITE_DB").is_some() {
            found.push(Location::file(places.folder("OPENCODE_SQLITE_DB", "")));
        }
        found
    }
}

/// Begins a session with what OpenCode knows about it.
fn begin<'a>(input: &Input<'a>, info: &Value) -> Conversation<'a> {
    let stem = input.stem();
    let mut talk = Conversation::new(input, "opencode", info.text("id").unwrap_or(&stem));
    let draft = &mut talk.draft;
    draft.session.directory = info.text("directory").and_then(|text| draft.short(text));
    draft.session.title = info.text("title").and_then(|text| draft.short(text));
    draft.session.agent_version = info.text("version").and_then(|text| draft.short(text));
    draft.session.parent = info.text("parentID").map(SessionId::new);
    draft.seen_at(info["time"].time("created"));
    draft.seen_at(info["time"].time("updated"));
    // A session within another one is prompted by the agent of that one.
    talk.delegated = info.text("parentID").is_some();
    talk
}

/// Reads one exported session.
fn exported<'a>(input: &Input<'a>, document: &Value) -> Conversation<'a> {
    let info = &document["info"];
    let mut talk = begin(input, info);
    let reverted = info["revert"].text("messageID");
    let mut given_up = None;
    for (index, message) in document.list("messages").iter().enumerate() {
        if reverted.is_some() && message["info"].text("id") == reverted {
            given_up = Some(talk.len());
        }
        let line = number_of(index);
        match message.get("info") {
            Some(info) => add_first(&mut talk, line, info, message.list("parts")),
            None => add_second(&mut talk, line, message, time_of(&message["time"]["created"])),
        }
    }
    talk.abandon_from(given_up);
    talk
}
