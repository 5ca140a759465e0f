//! Goose: a database of sessions, before that one log for each, and the document `export` writes.

use std::path::Path;

use jiff::Timestamp;
use lore_core::session::{Author, Channel, Outcome};
use lore_core::{Level, Session, SessionId};
use serde_json::{Value, json};

use crate::conversation::{Conversation, Record, ToolResult};
use crate::database::{Database, is_database};
use crate::json::{Fields, document, head_has, number_of, output_of, prose_of, records};
use crate::{Input, Location, Places, ReadError, Reader};

/// Reads Goose's sessions.
pub(super) struct Goose;

impl Reader for Goose {
    fn agent(&self) -> &'static str {
        "goose"
    }

    fn recognises(&self, path: &Path, head: &[u8]) -> bool {
        if is_database(head) {
            let within = path.components().any(|part| part.as_os_str() == "goose");
            let named = path.file_name().is_some_and(|name| name == "sessions.db");
            return named && (within || memchr::memmem::find(head, b"content_json").is_some())
                || memchr::memmem::find(head, b"user_recipe_values_json").is_some();
        }
        let described = head_has(head, "\"working_dir\":");
        described
            && (head_has(head, "\"message_count\":")
                || head_has(head, "\"conversation\":")
                || head_has(head, "\"extension_data\":")
                || head_has(head, "\"description\":"))
    }

    fn read(&self, input: &Input<'_>, sink: &mut dyn FnMut(Session)) -> Result<(), ReadError> {
        if is_database(&input.head(16)?) {
            return read_database(input, sink);
        }
        let mut talk = begin(input, &Value::Null);
        let mut seen = 0;
        let findings = if input.path.extension().is_some_and(|extension| extension == "jsonl") {
            records(input, |line, record| {
                seen += 1;
                match record.get("role") {
                    Some(_) => add_message(&mut talk, line, &record),
                    None if talk.len() == 0 => describe(&mut talk, &record),
                    None => {}
                }
            })?
        } else {
            let (document, findings) = document(input)?;
            seen += u32::from(document.is_object());
            describe(&mut talk, &document);
            for (index, message) in document.list("conversation").iter().enumerate() {
                add_message(&mut talk, number_of(index), message);
            }
            findings
        };
        if seen > 0 || !findings.is_empty() {
            talk.draft.add_diagnostics(findings);
            sink(talk.finish());
        }
        Ok(())
    }

    fn locations(&self, places: &Places) -> Vec<Location> {
        let folders = match places.variable("GOOSE_PATH_ROOT") {
            Some(_) => vec![places.folder("GOOSE_PATH_ROOT", "").join("data/sessions")],
            None => {
                let mut folders = vec![places.data().join("goose/sessions")];
                let applications = places.application_folders().into_iter();
                folders.extend(applications.map(|folder| folder.join("Block/goose/data/sessions")));
                folders.push(places.home.join("Library/Application Support/Block.goose/sessions"));
                folders
            }
        };
        folders.into_iter().map(|folder| Location::folder(folder, 0, &["sessions.db", ".jsonl"])).collect()
    }
}

fn begin<'a>(input: &Input<'a>, info: &Value) -> Conversation<'a> {
    let stem = input.stem();
    let mut talk = Conversation::new(input, "goose", &stem);
    describe(&mut talk, info);
    talk
}

/// Takes what Goose knows about a session.
fn describe(talk: &mut Conversation<'_>, info: &Value) {
    let draft = &mut talk.draft;
    if let Some(id) = info.text("id") {
        draft.session.id = SessionId::new(id);
    }
    let title = info.text("name").or_else(|| info.text("description"));
    draft.session.title = title.and_then(|text| draft.short(text));
    draft.session.directory = info.text("working_dir").and_then(|text| draft.short(text));
    draft.session.parent = info.text("parent_session_id").map(SessionId::new);
    draft.seen_at(info.time("created_at"));
    draft.seen_at(info.time("updated_at"));
    talk.delegated = matches!(info.text("session_type"), Some("sub_agent" | "subagent"));
    let model = info["model_config"].text("model_name");
    talk.written_by(model);
}

fn read_database(input: &Input<'_>, sink: &mut dyn FnMut(Session)) -> Result<(), ReadError> {
    let database = Database::open(input)?;
    let wanted = [
        "id",
        "name",
        "description",
        "working_dir",
        "created_at",
        "updated_at",
        "session_type",
        "parent_session_id",
        "model_config_json",
    ];
    for row in database.rows("sessions", &wanted, "ORDER BY created_at, id", None)? {
        let Some(id) = row.text(0) else { continue };
        let info = json!({
            "id": id, "name": row.text(1), "description": row.text(2), "working_dir": row.text(3),
            "created_at": row.text(4), "updated_at": row.text(5), "session_type": row.text(6),
            "parent_session_id": row.text(7), "model_config": row.json(8),
        });
        let mut talk = begin(input, &info);
        let mut line = 0;
        let wanted = ["message_id", "role", "content_json", "created_timestamp", "metadata_json"];
        // Older tables have no order of their own but the one in which rows were added.
        database.each("messages", &wanted, "WHERE session_id = ?1 ORDER BY rowid", Some(&id), |row| {
            line += 1;
            let Some(content) = row.json(2) else {
                let message = "the record is not JSON and was skipped";
                return talk.draft.diagnose(Level::Warning, "bad-record", line, message);
            };
            let id = row.text(0);
            let record = Record { line, at: row.time(3), id: id.as_deref() };
            let role = row.text(1).unwrap_or_default();
            add_content(&mut talk, record, &role, &content, &row.json(4).unwrap_or_default());
        })?;
        sink(talk.finish());
    }
    Ok(())
}

fn add_message(talk: &mut Conversation<'_>, line: u32, message: &Value) {
    let at: Option<Timestamp> = message.time("created");
    let record = Record { line, at, id: message.text("id") };
    let role = message.text("role").unwrap_or_default();
    add_content(talk, record, role, &message["content"], &message["metadata"]);
}

fn add_content(
    talk: &mut Conversation<'_>,
    record: Record<'_>,
    role: &str,
    content: &Value,
    metadata: &Value,
) {
    talk.record(record);
    let blocks = content.as_array().map_or(std::slice::from_ref(content), Vec::as_slice);
    let text = prose_of(content);
    // What the person never saw was made for the model: a digest of what went before.
    let hidden = metadata.get("userVisible").and_then(Value::as_bool) == Some(false);
    match role {
        _ if hidden => {
            talk.say(Author::System, Channel::Summary, &text);
        }
        "user" => {
            let results = blocks.iter().any(|block| block.text("type") == Some("toolResponse"));
            if !results {
                talk.end_reply();
            }
            add_prompt(talk, &text);
        }
        "assistant" => {
            talk.end_reply();
            talk.reply(&text);
        }
        _ => {}
    }
    blocks.iter().for_each(|block| add_block(talk, block));
}

/// Takes what stands in the user's place, without the note on time and place that Goose adds.
fn add_prompt(talk: &mut Conversation<'_>, text: &str) {
    match text.split_once("<info-msg>") {
        Some((before, rest)) => {
            let (note, after) = rest.split_once("</info-msg>").unwrap_or((rest, ""));
            talk.prompt(&format!("{before}\n{after}"));
            talk.say(Author::System, Channel::Injected, note);
        }
        None => {
            talk.prompt(text);
        }
    }
}

fn add_block(talk: &mut Conversation<'_>, block: &Value) {
    match block.text("type").unwrap_or_default() {
        "toolRequest" | "frontendToolRequest" => {
            let call = &block["toolCall"];
            let call = call.get("value").unwrap_or(call);
            talk.call(block.text("id"), call.text("name").unwrap_or("unknown"), &call["arguments"]);
        }
        "toolResponse" => {
            let result = &block["toolResult"];
            let value = result.get("value").unwrap_or(result);
            let failed = result.text("status") == Some("error") || value.flag("isError");
            let outcome = if failed { Outcome::Failed } else { Outcome::Done };
            let output = match result.text("error") {
                Some(error) => error.to_owned(),
                None => output_of(value.get("content").unwrap_or(value)),
            };
            talk.result(ToolResult { id: block.text("id"), outcome, output: &output });
        }
        "systemNotification" => {
            talk.say(Author::System, Channel::Notice, block.text("msg").unwrap_or_default());
        }
        "actionRequired" if block["data"].text("actionType") == Some("elicitationResponse") => {
            let given = block["data"].get("userData").or_else(|| block["data"].get("user_data"));
            let answers = given.and_then(Value::as_object).into_iter().flat_map(|map| map.values());
            for answer in answers {
                talk.say(Author::Person, Channel::Answer, &output_of(answer));
            }
        }
        _ => {}
    }
}
