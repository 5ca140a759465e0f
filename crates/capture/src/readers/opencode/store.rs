//! Where OpenCode keeps its sessions: the database, and the folders that came before it.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use lore_core::{Level, Session};
use serde_json::{Map, Value, json};

use super::begin;
use super::message::{add_first, add_second};
use crate::conversation::Conversation;
use crate::database::{Database, Row};
use crate::json::{Fields, number_of};
use crate::{Input, ReadError};

/// Reads every session of the database.
pub(super) fn read_database(input: &Input<'_>, sink: &mut dyn FnMut(Session)) -> Result<(), ReadError> {
    let database = Database::open(input)?;
    let wanted =
        ["id", "parent_id", "directory", "title", "version", "time_created", "time_updated", "revert"];
    for row in database.rows("session", &wanted, "ORDER BY time_created, id", None)? {
        let Some(id) = row.text(0) else { continue };
        let info = json!({
            "id": id,
            "parentID": row.text(1),
            "directory": row.text(2),
            "title": row.text(3),
            "version": row.text(4),
            "time": { "created": row.text(5), "updated": row.text(6) },
        });
        let reverted = row.json(7).and_then(|revert| revert.text("messageID").map(str::to_owned));
        let mut talk = begin(input, &info);
        let messages = Messages::load(&database, &id)?;
        messages.add(&mut talk, reverted.as_deref());
        sink(talk.finish());
    }
    Ok(())
}

/// The messages of one session, in whichever model more of them are kept.
struct Messages {
    first: Vec<(String, Option<Value>)>,
    parts: HashMap<String, Vec<Value>>,
    second: Vec<(Row, Option<Value>)>,
}

impl Messages {
    fn load(database: &Database, session: &str) -> Result<Messages, ReadError> {
        let of_session = "WHERE session_id = ?1 ORDER BY";
        let order = format!("{of_session} time_created, id");
        let first = database.rows("message", &["id", "data"], &order, Some(session))?;
        let first = first.iter().map(|row| (row.text(0).unwrap_or_default(), row.json(1))).collect();
        let mut parts: HashMap<String, Vec<Value>> = HashMap::new();
        let order = format!("{of_session} message_id, id");
        database.each("part", &["message_id", "data"], &order, Some(session), |row| {
            if let (Some(message), Some(data)) = (row.text(0), row.json(1)) {
                parts.entry(message).or_default().push(data);
            }
        })?;
        let order = format!("{of_session} seq, time_created, id");
        let wanted = ["id", "type", "data", "time_created"];
        // Without a sequence the table is from a version that did not fill it yet.
        let second = if database.has_table("session_message") {
            database.rows("session_message", &wanted, &order, Some(session))?
        } else {
            Vec::new()
        };
        let second = second
            .into_iter()
            .map(|row| {
                let data = row.json(2);
                (row, data)
            })
            .collect();
        Ok(Messages { first, parts, second })
    }

    fn add(&self, talk: &mut Conversation<'_>, reverted: Option<&str>) {
        let mut given_up = None;
        let count = self.first.len().max(self.second.len());
        let use_first = !self.first.is_empty() && self.first.len() >= self.second.len();
        for index in 0..count {
            let line = number_of(index);
            let id = if use_first {
                self.first.get(index).map(|(id, _)| id.clone())
            } else {
                self.second.get(index).and_then(|(row, _)| row.text(0))
            };
            if reverted.is_some() && id.as_deref() == reverted {
                given_up = Some(talk.len());
            }
            if use_first {
                self.add_first(talk, line, index);
            } else {
                self.add_second(talk, line, index);
            }
        }
        talk.abandon_from(given_up);
    }

    fn add_first(&self, talk: &mut Conversation<'_>, line: u32, index: usize) {
        let Some((id, data)) = self.first.get(index) else { return };
        let Some(data) = data else { return bad_row(talk, line) };
        let info = with_fields(data, &[("id", Some(id.clone()))]);
        add_first(talk, line, &info, self.parts.get(id).map_or(&[], Vec::as_slice));
    }

    fn add_second(&self, talk: &mut Conversation<'_>, line: u32, index: usize) {
        let Some((row, data)) = self.second.get(index) else { return };
        let Some(data) = data else { return bad_row(talk, line) };
        let message = with_fields(data, &[("id", row.text(0)), ("type", row.text(1))]);
        let at = message["time"].time("created").or_else(|| row.time(3));
        add_second(talk, line, &message, at);
    }
}

fn bad_row(talk: &mut Conversation<'_>, line: u32) {
    talk.draft.diagnose(Level::Warning, "bad-record", line, "the record is not JSON and was skipped");
}

/// Puts back what the database keeps in columns of their own.
fn with_fields(data: &Value, fields: &[(&str, Option<String>)]) -> Value {
    let mut all: Map<String, Value> = data.as_object().cloned().unwrap_or_default();
    for (key, value) in fields {
        if let Some(value) = value {
            all.insert((*key).to_owned(), Value::String(value.clone()));
        }
    }
    Value::Object(all)
}

/// Tells whether a file is a session's description in the folders of old.
pub(super) fn is_stored(path: &Path) -> bool {
    let is_session = path.file_stem().is_some_and(|stem| stem.to_string_lossy().starts_with("ses"));
    // The folder above may be called anything: a variable names it.
    is_session
        && path
            .ancestors()
            .nth(2)
            .is_some_and(|folder| folder.file_name().is_some_and(|name| name == "session"))
}

/// Reads a session from the folders of old: `message/<session>/` and `part/<message>/` beside it.
pub(super) fn read_folder<'a>(input: &Input<'a>, info: &Value) -> Conversation<'a> {
    let mut talk = begin(input, info);
    let storage = input.path.ancestors().nth(3);
    let (Some(storage), Some(session), false) = (storage, info.text("id"), input.is_detached()) else {
        talk.draft.diagnose(Level::Warning, "messages-missing", 1, "the messages stand in other files");
        return talk;
    };
    if !is_plain_name(session) {
        return talk;
    }
    let reverted = info["revert"].text("messageID");
    let mut given_up = None;
    for (index, (name, message)) in documents(&storage.join("message").join(session)).iter().enumerate() {
        let line = number_of(index);
        let Some(message) = message else {
            bad_row(&mut talk, line);
            continue;
        };
        if reverted.is_some() && message.text("id") == reverted {
            given_up = Some(talk.len());
        }
        let parts: Vec<Value> =
            documents(&storage.join("part").join(name)).into_iter().filter_map(|(_, part)| part).collect();
        add_first(&mut talk, line, message, &parts);
    }
    talk.abandon_from(given_up);
    talk
}

/// Reads the documents of a folder in the order of their names, which is that of time.
fn documents(folder: &Path) -> Vec<(String, Option<Value>)> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "json"));
    files.sort();
    let read = |file: PathBuf| {
        let name = file.file_stem()?.to_str()?.to_owned();
        let text = std::fs::read_to_string(file).ok();
        Some((name, text.and_then(|text| serde_json::from_str(&text).ok())))
    };
    files.into_iter().filter_map(read).collect()
}

/// Tells whether a name can only mean something within the folder it is looked for in.
fn is_plain_name(name: &str) -> bool {
    name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}
