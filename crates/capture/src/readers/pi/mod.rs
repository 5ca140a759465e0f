//! pi and its relatives (OpenClaw, Oh-My-Pi, GitClaw): a tree of entries, one file for each session.
//!
//! The first version was a plain list; since the second every entry names its parent, and going
//! back to an earlier entry begins a new branch in the same file. The last entry is the leaf: its
//! ancestors are the live branch.

mod entry;
mod tree;

use std::path::{Path, PathBuf};

use lore_core::{Session, SessionId};
use serde_json::Value;

use self::tree::Tree;
use crate::conversation::Conversation;
use crate::database::{Database, is_database};
use crate::json::{Fields, head_has, parse_document, records};
use crate::{Input, Location, Places, ReadError, Reader};

/// Reads the sessions of pi and of the agents that write as it does.
pub(super) struct Pi;

impl Reader for Pi {
    fn agent(&self) -> &'static str {
        "pi"
    }

    fn recognises(&self, path: &Path, head: &[u8]) -> bool {
        if is_database(head) {
            let named = path.file_name().is_some_and(|name| name == "openclaw-agent.sqlite");
            return named || memchr::memmem::find(head, b"transcript_events").is_some();
        }
        head_has(head, "\"type\":\"session\"") && head_has(head, "\"cwd\":")
    }

    fn read(&self, input: &Input<'_>, sink: &mut dyn FnMut(Session)) -> Result<(), ReadError> {
        if is_database(&input.head(16)?) {
            return read_database(input, sink);
        }
        let mut log = Log::new(input, &stem_of(input.path));
        let findings = records(input, |line, entry| log.entry(line, &entry))?;
        log.conversation.draft.add_diagnostics(findings);
        if !input.is_detached() {
            log.conversation.draft.session.issue = issue_of(input.path);
        }
        if log.seen > 0 {
            sink(log.finish());
        }
        Ok(())
    }

    fn locations(&self, places: &Places) -> Vec<Location> {
        let pi = places.folder("PI_CODING_AGENT_DIR", ".pi/agent");
        let sessions = places.folder("PI_SESSIONS_DIR", ".pi/agent/sessions");
        let mut found = vec![Location::folder(pi.join("sessions"), 3, &[".jsonl"])];
        if places.variable("PI_SESSIONS_DIR").is_some() {
            found.push(Location::folder(sessions, 3, &[".jsonl"]));
        }
        found.push(Location::folder(places.home.join(".omp/agent/sessions"), 3, &[".jsonl"]));
        let openclaw = places.folder("OPENCLAW_HOME", ".openclaw");
        found.push(Location::folder(openclaw.join("agents"), 3, &[".jsonl", "openclaw-agent.sqlite"]));
        found
    }

    fn project_locations(&self, folder: &Path) -> Vec<Location> {
        // GitClaw commits its sessions to the repository.
        let states = [".GITCLAW/state/sessions", ".gitclaw/state/sessions", "state/sessions"];
        states.iter().map(|state| Location::folder(folder.join(state), 1, &[".jsonl"])).collect()
    }
}

/// A session's entries on their way to turns.
struct Log<'a> {
    conversation: Conversation<'a>,
    tree: Tree,
    named: bool,
    seen: u32,
}

impl<'a> Log<'a> {
    fn new(input: &Input<'a>, id: &str) -> Log<'a> {
        let agent = if is_openclaw(input.path) { "openclaw" } else { "pi" };
        let conversation = Conversation::new(input, agent, id);
        Log { conversation, tree: Tree::default(), named: false, seen: 0 }
    }

    /// Takes the header.
    fn header(&mut self, header: &Value) {
        if self.named {
            return;
        }
        self.named = true;
        let draft = &mut self.conversation.draft;
        if let Some(id) = header.text("id") {
            draft.session.id = SessionId::new(id);
        }
        draft.session.directory = header.text("cwd").and_then(|text| draft.short(text));
        draft.session.branch = header.text("branch").and_then(|text| draft.short(text));
        let parent = header.text("parentSession").or_else(|| header.text("branchedFrom"));
        draft.session.parent = parent.map(|path| SessionId::new(stem_of(Path::new(path))));
        draft.seen_at(header.time("timestamp"));
        // The first version put the model into the header.
        self.conversation.written_by(header.text("modelId"));
    }

    fn finish(mut self) -> Session {
        for turns in self.tree.abandoned() {
            self.conversation.abandon(turns);
        }
        self.conversation.finish()
    }
}

/// Reads OpenClaw's database, where each row holds one entry.
fn read_database(input: &Input<'_>, sink: &mut dyn FnMut(Session)) -> Result<(), ReadError> {
    let database = Database::open(input)?;
    let mut log: Option<(String, Log<'_>)> = None;
    let wanted = ["session_id", "event_json", "event_zstd"];
    database.each("transcript_events", &wanted, "ORDER BY session_id, seq", None, |row| {
        let Some(id) = row.text(0) else { return };
        if log.as_ref().is_none_or(|(open, _)| *open != id)
            && let Some((_, done)) = log.replace((id.clone(), Log::new(input, &id)))
        {
            sink(done.finish());
        }
        let Some((_, log)) = &mut log else { return };
        let line = log.seen + 1;
        let unpacked = row.bytes(2).and_then(|packed| zstd::bulk::decompress(packed, ENTRY_LIMIT).ok());
        let entry = row.json(1).or_else(|| serde_json::from_slice(&unpacked?).ok());
        match entry {
            Some(entry) => log.entry(line, &entry),
            None => {
                log.seen += 1;
                let level = lore_core::Level::Warning;
                log.conversation.draft.diagnose(
                    level,
                    "bad-record",
                    line,
                    "the record is not JSON and was skipped",
                );
            }
        }
    })?;
    if let Some((_, done)) = log {
        sink(done.finish());
    }
    Ok(())
}

/// Largest entry that is unpacked.
const ENTRY_LIMIT: usize = 32 << 20;

fn is_openclaw(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == ".openclaw")
        || path.file_name().is_some_and(|name| name == "openclaw-agent.sqlite")
}

/// Takes the id out of `<time>_<id>.jsonl`.
fn stem_of(path: &Path) -> String {
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    match stem.split_once('_') {
        Some((_, id)) if !id.is_empty() => id.to_owned(),
        _ => stem,
    }
}

/// Finds the issue that GitClaw keeps a session for: `state/issues/<n>.json` names the session's file.
fn issue_of(path: &Path) -> Option<String> {
    let folder = path.parent()?;
    if folder.file_name()? != "sessions" {
        return None;
    }
    let name = path.file_name()?.to_str()?;
    let issues = std::fs::read_dir(folder.parent()?.join("issues")).ok()?;
    let number_of = |file: PathBuf| {
        let issue = parse_document(&std::fs::read_to_string(file).ok()?, "").0;
        let session = issue.text("sessionPath")?.rsplit(['/', '\\']).next()?;
        if session == name { issue.get("issueNumber").and_then(Value::as_u64) } else { None }
    };
    // Later issues may have gone on with the session of an earlier one.
    let number = issues.filter_map(|entry| number_of(entry.ok()?.path())).min()?;
    Some(number.to_string())
}
