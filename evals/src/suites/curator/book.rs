//! Packets written down for others to answer, and their answers read back.
//!
//! What stands beside the record depends on what was written before, so an answer is known by the part
//! of the record it is about: session and records. Packets are written down as a base that rules alone
//! filled would give them; where an answer names an entry by its short name, the entry behind it is
//! looked up in the packet of now. An entry that is not shown there any more makes of a change a new
//! statement; such answers are counted.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use lore_core::{EntryId, Packet};
use lore_engine::curator::{Errand, Model, ModelError, ModelReply, ModelRequest};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::context::Failure;

/// What stands beside a packet that was written down.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Sidecar {
    /// The part of the record.
    key: String,
    packet: String,
    /// The entries by their short names.
    entries: BTreeMap<String, EntryId>,
}

/// An answer that was recorded.
struct Recorded {
    text: String,
    entries: BTreeMap<String, EntryId>,
}

/// Writes packets down and answers from what is there.
pub(super) struct Book {
    project: String,
    write: Option<PathBuf>,
    answers: BTreeMap<String, Recorded>,
    pub(super) told: RefCell<Told>,
}

/// What a book was asked.
#[derive(Debug, Clone, Default)]
pub(super) struct Told {
    pub(super) packets: usize,
    pub(super) answered: usize,
    pub(super) missing: usize,
    /// Edits whose entry is not shown any more.
    pub(super) lost_entries: usize,
    pub(super) looks: usize,
    pub(super) repairs: usize,
    /// What the packets and the recorded answers would cost.
    pub(super) tokens_in: usize,
    pub(super) tokens_out: usize,
}

impl Book {
    pub(super) fn open(
        project: &str,
        write: Option<&Path>,
        answers: Option<&Path>,
        packets: Option<&Path>,
    ) -> Result<Book, Failure> {
        let mut known = BTreeMap::new();
        for folder in answers.into_iter() {
            let mut files: Vec<PathBuf> =
                fs::read_dir(folder)?.filter_map(|file| Some(file.ok()?.path())).collect();
            files.sort();
            for path in files {
                let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
                let Some(stem) = name.strip_suffix(".json").filter(|stem| !stem.ends_with(".map")) else {
                    continue;
                };
                if !stem.starts_with(&format!("{project}-")) {
                    continue;
                }
                let beside = [Some(folder), packets];
                let beside =
                    beside.into_iter().flatten().map(|folder| folder.join(format!("{stem}.map.json")));
                let Some(sidecar) = beside.into_iter().find_map(|path| fs::read(path).ok()) else {
                    return Err(format!("`{stem}.map.json` is missing: give `--set packets-in=DIR`").into());
                };
                let sidecar: Sidecar = serde_json::from_slice(&sidecar)?;
                let text = fs::read_to_string(&path)?;
                known.insert(sidecar.key, Recorded { text, entries: sidecar.entries });
            }
        }
        Ok(Book {
            project: project.to_owned(),
            write: write.map(Path::to_owned),
            answers: known,
            told: RefCell::default(),
        })
    }

    fn write_down(&self, request: &ModelRequest<'_>) -> Result<(), Failure> {
        let Some(folder) = &self.write else { return Ok(()) };
        let name = format!("{}-{:02}", self.project, self.told.borrow().packets);
        let packet = request.packet;
        let sidecar = Sidecar {
            key: key(packet),
            packet: packet.id.to_string(),
            entries: packet.nearest.iter().map(|near| (near.short.clone(), near.id.clone())).collect(),
        };
        fs::create_dir_all(folder)?;
        fs::write(folder.join(format!("{name}.txt")), request.text)?;
        fs::write(folder.join(format!("{name}.map.json")), serde_json::to_vec_pretty(&sidecar)?)?;
        Ok(())
    }

    /// Puts the names of this packet into an answer that was given to another one.
    fn translated(&self, recorded: &Recorded, packet: &Packet) -> String {
        let Some(mut answer) = object(&recorded.text) else { return recorded.text.clone() };
        answer["packet"] = packet.id.as_str().into();
        let mut told = self.told.borrow_mut();
        if let Some(edits) = answer.get_mut("edits").and_then(Value::as_array_mut) {
            edits.retain_mut(|edit| {
                let Some(short) = edit.get("entry").and_then(Value::as_str).map(str::to_owned) else {
                    return true;
                };
                let id = recorded.entries.get(&short);
                let now = id.and_then(|id| packet.nearest.iter().find(|near| near.id == *id));
                if let Some(near) = now {
                    edit["entry"] = near.short.as_str().into();
                    return true;
                }
                told.lost_entries += 1;
                let has_all = ["kind", "title", "text"]
                    .iter()
                    .all(|field| edit.get(*field).is_some_and(Value::is_string));
                if has_all {
                    edit["op"] = "new".into();
                    edit.as_object_mut().map(|fields| fields.remove("entry"));
                }
                has_all
            });
        }
        answer.to_string()
    }
}

impl Model for Book {
    fn name(&self) -> &str {
        "recorded"
    }

    fn ask(&self, request: &ModelRequest<'_>) -> Result<ModelReply, ModelError> {
        let free = |text: String| Ok(ModelReply { tokens: Some((0, 0)), ..ModelReply::of(text) });
        match request.errand {
            Errand::Edits => {}
            // Nobody is there to be asked again: what was flagged is taken as covered, because the
            // recorded editor saw the same lines, and what was refused stays refused.
            Errand::Look => {
                self.told.borrow_mut().looks += 1;
                let numbers =
                    request.text.lines().filter_map(|line| line.strip_prefix("CLAIM ")?.split_once(':'));
                let looks: serde_json::Map<String, Value> =
                    numbers.map(|(number, _)| (number.to_owned(), "entailed".into())).collect();
                return free(json!({ "looks": looks }).to_string());
            }
            Errand::Repair | Errand::Again => {
                self.told.borrow_mut().repairs += 1;
                return free(json!({ "packet": request.packet.id.as_str(), "edits": [] }).to_string());
            }
        }
        self.told.borrow_mut().packets += 1;
        if let Err(error) = self.write_down(request) {
            return Err(ModelError::Unreachable(self.name().to_owned(), error.to_string()));
        }
        if let Some(recorded) = self.answers.get(&key(request.packet)) {
            let mut told = self.told.borrow_mut();
            told.answered += 1;
            told.tokens_in += lore_core::text::tokens(request.text);
            told.tokens_out += lore_core::text::tokens(&recorded.text);
            drop(told);
            return free(self.translated(recorded, request.packet));
        }
        self.told.borrow_mut().missing += 1;
        free(json!({ "packet": request.packet.id.as_str(), "edits": [] }).to_string())
    }
}

/// Names the part of the record that a packet holds.
fn key(packet: &Packet) -> String {
    let part = |part: &lore_core::PacketSession| {
        let first = packet.lines.iter().find(|line| line.session == part.session && !line.old);
        format!("{}:{}-{}", part.session, first.map_or(0, |line| line.record), part.up_to)
    };
    packet.sessions.iter().map(part).collect::<Vec<_>>().join(" ")
}

fn object(text: &str) -> Option<Value> {
    let (start, end) = (text.find('{')?, text.rfind('}')?);
    serde_json::from_str(text.get(start..=end)?).ok()
}
