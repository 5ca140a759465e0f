//! Codex: rollouts, plain or compressed, one file for each thread.
//!
//! A rollout says most things twice: as a raw `response_item` (what the model saw and wrote) and as
//! an `event_msg` (what the person saw). Items are always there and carry the calls; events tell
//! which of the texts in the user's place a person typed. Both are followed, and what was already
//! heard from one side is not taken from the other.

mod echo;
mod item;
mod output;

use std::path::Path;

use lore_core::session::{Author, Channel};
use lore_core::{Session, SessionId};
use serde_json::Value;

use self::echo::Echo;
use crate::conversation::{Conversation, Record};
use crate::json::{Fields, document, head_has, number_of, records};
use crate::{Input, Location, Places, ReadError, Reader};

/// Reads Codex rollouts.
pub(super) struct Codex;

impl Reader for Codex {
    fn agent(&self) -> &'static str {
        "codex"
    }

    fn recognises(&self, path: &Path, head: &[u8]) -> bool {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let rollout = name.starts_with("rollout-") && name.contains(".json");
        rollout || (head_has(head, "\"type\":\"session_meta\"") && head_has(head, "\"payload\":"))
    }

    fn read(&self, input: &Input<'_>, sink: &mut dyn FnMut(Session)) -> Result<(), ReadError> {
        let mut rollout = Rollout::new(input);
        let findings = if input.path.extension().is_some_and(|extension| extension == "json") {
            let (document, findings) = document(input)?;
            rollout.document(&document);
            findings
        } else {
            records(input, |line, record| rollout.record(line, &record))?
        };
        rollout.conversation.draft.add_diagnostics(findings);
        if let Some(session) = rollout.finish() {
            sink(session);
        }
        Ok(())
    }

    fn locations(&self, places: &Places) -> Vec<Location> {
        let home = places.folder("CODEX_HOME", ".codex");
        let endings = &[".jsonl", ".jsonl.zst", ".json"];
        vec![
            Location::folder(home.join("sessions"), 4, endings),
            Location::folder(home.join("archived_sessions"), 4, endings),
        ]
    }
}

/// A rollout on its way to a session.
struct Rollout<'a> {
    conversation: Conversation<'a>,
    echo: Echo,
    named: bool,
    /// Records before this one were copied from the parent's rollout.
    own_from: u64,
    seen: u32,
}

impl<'a> Rollout<'a> {
    fn new(input: &Input<'a>) -> Rollout<'a> {
        let conversation = Conversation::new(input, "codex", &id_of(input.path));
        Rollout { conversation, echo: Echo::default(), named: false, own_from: 0, seen: 0 }
    }

    /// Reads the oldest form: one document with the items in a list.
    fn document(&mut self, document: &Value) {
        self.meta(&document["session"]);
        for (index, item) in document.list("items").iter().enumerate() {
            let line = number_of(index);
            self.conversation.record(Record { line, at: item.time("timestamp"), id: item.text("id") });
            self.item(item);
        }
    }

    fn record(&mut self, line: u32, record: &Value) {
        self.seen += 1;
        let at = record.time("timestamp");
        let kind = record.text("type").unwrap_or_default();
        let Some(payload) = record.get("payload") else {
            // Before there were envelopes the items stood by themselves, behind a nameless header.
            self.conversation.record(Record { line, at, id: record.text("id") });
            return if kind.is_empty() { self.meta(record) } else { self.item(record) };
        };
        let inherited = record.get("ordinal").and_then(Value::as_u64).is_some_and(|n| n < self.own_from);
        if inherited && kind != "session_meta" {
            return;
        }
        self.conversation.record(Record { line, at, id: payload.text("id") });
        match kind {
            "session_meta" => self.meta(payload),
            "turn_context" => {
                self.conversation.written_by(payload.text("model"));
                self.directory(payload);
            }
            "response_item" => self.item(payload),
            "event_msg" => self.event(payload),
            "compacted" => {
                if let Some(summary) = payload.text("message") {
                    self.conversation.say(Author::System, Channel::Summary, summary);
                }
            }
            _ => {}
        }
    }

    /// Takes the header; a forked rollout repeats its parent's further down, which is left alone.
    fn meta(&mut self, meta: &Value) {
        if self.named || !meta.is_object() {
            return;
        }
        let Some(id) = meta.text("id").or_else(|| meta.text("session_id")) else { return };
        self.named = true;
        let draft = &mut self.conversation.draft;
        draft.session.id = SessionId::new(id);
        draft.seen_at(meta.time("timestamp"));
        draft.session.agent_version = meta.text("cli_version").and_then(|text| draft.short(text));
        draft.session.branch = meta["git"].text("branch").and_then(|text| draft.short(text));
        let subagent = &meta["source"]["subagent"];
        let spawned = subagent["thread_spawn"].text("parent_thread_id");
        let parent = meta.text("parent_thread_id").or(spawned).or_else(|| meta.text("forked_from_id"));
        draft.session.parent = parent.map(SessionId::new);
        self.conversation.delegated = !subagent.is_null() || meta.text("thread_source") == Some("subagent");
        self.own_from = meta.get("subagent_history_start_ordinal").and_then(Value::as_u64).unwrap_or(0);
        self.directory(meta);
    }

    fn directory(&mut self, from: &Value) {
        let draft = &mut self.conversation.draft;
        if draft.session.directory.is_none() {
            draft.session.directory = from.text("cwd").and_then(|text| draft.short(text));
        }
    }

    fn finish(mut self) -> Option<Session> {
        if !self.named && self.conversation.len() == 0 && self.seen == 0 {
            return None;
        }
        for index in self.echo.unannounced() {
            // Had a person typed it, there would be an event too.
            let turn = &mut self.conversation.turns()[index];
            turn.author = Author::System;
            turn.channel = Channel::Injected;
        }
        Some(self.conversation.finish())
    }
}

/// Takes the thread's id from the file's name, `rollout-<time>-<uuid>[_<uuid>].jsonl[.zst]`.
fn id_of(path: &Path) -> String {
    let name = path.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    let stem = name.split(".json").next().unwrap_or_default();
    let stem = stem.split('_').next().unwrap_or_default();
    let uuid = stem.get(stem.len().saturating_sub(36)..).unwrap_or(stem);
    let is_uuid = uuid.len() == 36 && uuid.bytes().filter(|byte| *byte == b'-').count() == 4;
    if is_uuid { uuid.to_owned() } else { stem.to_owned() }
}
