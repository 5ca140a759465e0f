//! A home in which recorded sessions grow where their agents would write them.

use std::fs::File;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;

use jiff::Timestamp;
use lore_core::Session;
use rusqlite::Connection;
use serde_json::Value;

use crate::context::Failure;

/// A session that is being written down.
pub(super) enum Growing {
    /// A file of lines.
    Lines { path: PathBuf, records: Vec<String>, written: usize },
    /// Rows of a database that all sessions of the agent share.
    Rows { document: Value, id: String, written: usize },
}

/// The home of somebody who uses several agents.
pub(super) struct Home {
    pub(super) folder: PathBuf,
    database: Mutex<Connection>,
    database_file: PathBuf,
}

impl Home {
    pub(super) fn new(folder: &Path) -> Result<Home, Failure> {
        let data = folder.join(".local/share/opencode");
        std::fs::create_dir_all(&data)?;
        let file = data.join("opencode.db");
        let database = Connection::open(&file)?;
        database.execute_batch(
            "PRAGMA journal_mode = WAL;
             CREATE TABLE session (id TEXT PRIMARY KEY, parent_id TEXT, directory TEXT, title TEXT, version TEXT,
                 time_created INTEGER, time_updated INTEGER, revert TEXT);
             CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, data TEXT);
             CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, data TEXT);",
        )?;
        Ok(Home { folder: folder.to_owned(), database: Mutex::new(database), database_file: file })
    }

    /// Prepares a session to be written where its agent would, as one of this project.
    pub(super) fn place(&self, session: &Session, source: &Path, project: &Path) -> Result<Growing, Failure> {
        let own = project.display().to_string();
        let mut text = std::fs::read_to_string(source)?;
        if let Some(folder) = session.directory.as_deref().filter(|folder| folder.len() > 3) {
            // In a text of JSON a backslash is written twice.
            text = text.replace(&folder.replace('\\', "\\\\"), &own);
        }
        let id = session.id.as_str();
        let name = source.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let slug: String = own.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
        let path = match session.agent.as_str() {
            "claude-code" => self.folder.join(".claude/projects").join(slug).join(name),
            "codex" => {
                self.folder.join(format!(".codex/sessions/2026/07/27/rollout-2026-07-27T09-00-00-{id}.jsonl"))
            }
            "copilot" => self.folder.join(".copilot/session-state").join(id).join("events.jsonl"),
            "pi" => self.folder.join(".pi/agent/sessions").join(format!("-{slug}--")).join(name),
            _ => {
                let document = serde_json::from_str(&text)?;
                return Ok(Growing::Rows { document, id: id.to_owned(), written: 0 });
            }
        };
        std::fs::create_dir_all(path.parent().ok_or("a file has a folder")?)?;
        Ok(Growing::Lines { path, records: text.lines().map(str::to_owned).collect(), written: 0 })
    }

    /// Writes what a session has up to a record, as if at that time.
    pub(super) fn grow(&self, session: &mut Growing, line: u32, now: Timestamp) -> Result<(), Failure> {
        match session {
            Growing::Lines { path, records, written } => {
                let until = (line as usize).clamp(*written, records.len());
                let mut file = File::options().create(true).append(true).open(path)?;
                for record in &records[*written..until] {
                    file.write_all(record.as_bytes())?;
                    file.write_all(b"\n")?;
                }
                *written = until;
                file.set_modified(SystemTime::from(now))?;
            }
            Growing::Rows { document, id, written } => {
                let database = self.database.lock().unwrap_or_else(PoisonError::into_inner);
                if *written == 0 {
                    insert_session(&database, document)?;
                }
                let messages = document["messages"].as_array().map_or(&[][..], Vec::as_slice);
                let until = (line as usize).clamp(*written, messages.len());
                for message in &messages[*written..until] {
                    insert_message(&database, id, message)?;
                }
                *written = until;
                File::options()
                    .append(true)
                    .open(&self.database_file)?
                    .set_modified(SystemTime::from(now))?;
            }
        }
        Ok(())
    }
}

impl Growing {
    /// Returns the file, where the session has one of its own.
    pub(super) fn path(&self) -> Option<&Path> {
        match self {
            Growing::Lines { path, .. } => Some(path),
            Growing::Rows { .. } => None,
        }
    }
}

fn insert_session(database: &Connection, document: &Value) -> Result<(), Failure> {
    let info = &document["info"];
    let text = |name: &str| info[name].as_str().map(str::to_owned);
    database.execute(
        "INSERT OR IGNORE INTO session VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        rusqlite::params![
            text("id"),
            text("parentID"),
            text("directory"),
            text("title"),
            text("version"),
            info["time"]["created"].as_i64(),
            info["time"]["updated"].as_i64(),
            info.get("revert").map(Value::to_string)
        ],
    )?;
    Ok(())
}

fn insert_message(database: &Connection, session: &str, message: &Value) -> Result<(), Failure> {
    let info = &message["info"];
    let id = info["id"].as_str().unwrap_or_default();
    database.execute(
        "INSERT OR IGNORE INTO message VALUES (?1, ?2, ?3, ?4)",
        rusqlite::params![id, session, info["time"]["created"].as_i64(), info.to_string()],
    )?;
    for (at, part) in message["parts"].as_array().into_iter().flatten().enumerate() {
        let name = part["id"].as_str().map_or_else(|| format!("{id}-{at:04}"), str::to_owned);
        database.execute(
            "INSERT OR IGNORE INTO part VALUES (?1, ?2, ?3, ?4)",
            rusqlite::params![name, id, session, part.to_string()],
        )?;
    }
    Ok(())
}
