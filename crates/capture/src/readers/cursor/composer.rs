//! The editor's database: conversations ("composers") whose messages ("bubbles") stand under keys
//! of their own, and the panel that came before them.

use std::path::Path;

use lore_core::session::{Author, Channel, Outcome};
use lore_core::{Level, Session, SessionId};
use serde_json::Value;

use crate::answers::answers_of;
use crate::conversation::{Conversation, Record, ToolResult};
use crate::database::Database;
use crate::json::{Fields, arguments_of, number_of, output_of, parse_document};
use crate::{Input, ReadError};

/// Key of the old chat panel.
const PANEL: &str = "workbench.panel.aichat.view.aichat.chatdata";

/// Reads every conversation of the database.
pub(super) fn read_database(input: &Input<'_>, sink: &mut dyn FnMut(Session)) -> Result<(), ReadError> {
    let database = Database::open(input)?;
    let folder = workspace_of(input);
    let keys =
        database.rows("cursorDiskKV", &["key"], "WHERE key LIKE 'composerData:%' ORDER BY rowid", None)?;
    for key in keys.iter().filter_map(|row| row.text(0)) {
        let composer = value_of(&database, "cursorDiskKV", &key)?;
        let Some(composer) = composer.filter(Value::is_object) else { continue };
        let id = key.split_once(':').map_or(key.as_str(), |(_, id)| id);
        let mut talk = begin(input, id, &composer, folder.as_deref());
        add_bubbles(&database, &mut talk, id, &composer)?;
        // Empty composers are left behind by every window that was ever opened.
        if talk.len() > 0 {
            sink(talk.finish());
        }
    }
    if let Some(panel) = value_of(&database, "ItemTable", PANEL)? {
        for (index, tab) in panel.list("tabs").iter().enumerate() {
            let talk = read_tab(input, index, tab, folder.as_deref());
            if let Some(talk) = talk.filter(|talk| talk.len() > 0) {
                sink(talk.finish());
            }
        }
    }
    Ok(())
}

fn value_of(database: &Database, table: &str, key: &str) -> Result<Option<Value>, ReadError> {
    let rows = database.rows(table, &["value"], "WHERE key = ?1", Some(key))?;
    Ok(rows.first().and_then(|row| row.json(0)))
}

fn begin<'a>(input: &Input<'a>, id: &str, composer: &Value, folder: Option<&str>) -> Conversation<'a> {
    let mut talk = Conversation::new(input, "cursor", id);
    let draft = &mut talk.draft;
    draft.session.title = composer.text("name").and_then(|text| draft.short(text));
    draft.seen_at(composer.time("createdAt"));
    draft.seen_at(composer.time("lastUpdatedAt"));
    let named = folder_of(composer);
    let directory = named.as_deref().or(folder);
    draft.session.directory = directory.and_then(|text| draft.short(text));
    let branch = composer.text("committedToBranch").or_else(|| composer.text("createdOnBranch"));
    draft.session.branch = branch.and_then(|text| draft.short(text));
    let parent = composer["subagentInfo"].text("parentComposerId");
    draft.session.parent = parent.map(SessionId::new);
    talk.delegated = parent.is_some();
    let model = composer["modelConfig"].text("modelName");
    talk.written_by(model);
    talk
}

fn add_bubbles(
    database: &Database,
    talk: &mut Conversation<'_>,
    composer_id: &str,
    composer: &Value,
) -> Result<(), ReadError> {
    let inline = composer.list("conversation");
    for (index, bubble) in inline.iter().enumerate() {
        add_bubble(talk, number_of(index), bubble);
    }
    if !inline.is_empty() {
        return Ok(());
    }
    for (index, header) in composer.list("fullConversationHeadersOnly").iter().enumerate() {
        let line = number_of(index);
        let Some(id) = header.text("bubbleId") else { continue };
        let bubble = match composer["conversationMap"].get(id) {
            Some(bubble) => Some(bubble.clone()),
            None => value_of(database, "cursorDiskKV", &format!("bubbleId:{composer_id}:{id}"))?,
        };
        match bubble {
            Some(bubble) => add_bubble(talk, line, &bubble),
            None => talk.draft.diagnose(
                Level::Note,
                "message-missing",
                line,
                "the message is not in the database",
            ),
        }
    }
    Ok(())
}

fn add_bubble(talk: &mut Conversation<'_>, line: u32, bubble: &Value) {
    let at = bubble.time("createdAt").or_else(|| bubble["timingInfo"].time("clientStartTime"));
    talk.record(Record { line, at, id: bubble.text("bubbleId") });
    if talk.draft.session.directory.is_none()
        && let Some(folder) = folder_of(bubble)
    {
        talk.draft.session.directory = talk.draft.short(&folder);
    }
    let text = bubble.text("text").or_else(|| bubble.text("rawText")).unwrap_or_default();
    let kind = bubble.get("type");
    let is_user = kind.and_then(Value::as_i64) == Some(1) || kind.and_then(Value::as_str) == Some("user");
    if is_user {
        talk.end_reply();
        talk.prompt(text);
        return;
    }
    talk.written_by(bubble["modelInfo"].text("modelName").or_else(|| bubble.text("modelType")));
    if !text.is_empty() {
        talk.end_reply();
        talk.reply(text);
    }
    if bubble["toolFormerData"].is_object() {
        add_tool(talk, line, &bubble["toolFormerData"]);
    }
    if let Some(error) = bubble["errorDetails"].text("message") {
        talk.say(Author::System, Channel::Notice, error);
    }
}

fn add_tool(talk: &mut Conversation<'_>, line: u32, tool: &Value) {
    let own = format!("bubble-{line}");
    let id = tool.text("toolCallId").unwrap_or(&own);
    let name = tool.text("name").unwrap_or("unknown");
    let arguments = ["rawArgs", "params", "args"].iter().find_map(|key| tool.get(*key)).map(arguments_of);
    let arguments = arguments.unwrap_or_default();
    talk.call(Some(id), name, &arguments);
    let result = arguments_of(&tool["result"]);
    let refused = matches!(tool.text("userDecision"), Some("rejected" | "denied"));
    let outcome = match tool.text("status") {
        _ if refused => Outcome::Rejected,
        Some("completed" | "success") => Outcome::Done,
        Some("error" | "failed") => Outcome::Failed,
        Some("cancelled" | "canceled" | "aborted") => Outcome::Interrupted,
        Some("rejected") => Outcome::Rejected,
        _ => Outcome::Unknown,
    };
    if outcome != Outcome::Unknown || !result.is_null() {
        let output = output_of(&result);
        talk.result(ToolResult { id: Some(id), outcome, output: &output });
        if outcome == Outcome::Rejected {
            talk.refused(&output);
        }
        if crate::answers::QUESTIONERS.contains(&name) {
            for answer in answers_of(&arguments, &result) {
                talk.say(Author::Person, Channel::Answer, &answer);
            }
        }
    }
}

/// Reads one tab of the old panel.
fn read_tab<'a>(
    input: &Input<'a>,
    index: usize,
    tab: &Value,
    folder: Option<&str>,
) -> Option<Conversation<'a>> {
    let own = format!("tab-{index}");
    let mut talk = Conversation::new(input, "cursor", tab.text("tabId").unwrap_or(&own));
    let draft = &mut talk.draft;
    draft.session.title = tab.text("chatTitle").and_then(|text| draft.short(text));
    draft.session.directory = folder.and_then(|text| draft.short(text));
    draft.seen_at(tab.time("lastSendTime"));
    for (index, bubble) in tab.list("bubbles").iter().enumerate() {
        add_bubble(&mut talk, number_of(index), bubble);
    }
    Some(talk)
}

/// Finds the folder that a conversation or a message says it belongs to.
fn folder_of(value: &Value) -> Option<String> {
    let uri = &value["workspaceIdentifier"]["uri"];
    let first = value.list("workspaceUris").first().and_then(Value::as_str);
    let found = uri.text("fsPath").or_else(|| uri.text("path"));
    let found =
        found.or_else(|| value.text("workspaceProjectDir")).or_else(|| value.text("workspace")).or(first)?;
    Some(found.strip_prefix("file://").unwrap_or(found).to_owned())
}

/// Finds the folder that a window's database belongs to, from the file beside it.
fn workspace_of(input: &Input<'_>) -> Option<String> {
    let beside: &Path = input.path.parent()?;
    let text = std::fs::read_to_string(beside.join("workspace.json")).ok()?;
    let workspace = parse_document(&text, "").0;
    let folder = workspace.text("folder")?;
    Some(folder.strip_prefix("file://").unwrap_or(folder).to_owned())
}
