//! Packets written down for others to answer, and their answers read back.
//!
//! What stands beside the record depends on what was written before, and where a packet ends on how lines
//! are cut, so an answer is taken apart: each edit is given to the packet of now that shows the lines it
//! cites, found by their words. Packets are written down as the answers at hand leave the base; without any,
//! as rules alone filled it, and then no packet shows what an editor made of the one before. Where an edit
//! names an entry by its short name, the entry behind it is looked up in the packet of now: by its name, as
//! the draft of a line that says its words, or as the entry that says nearly the same. An entry that is not
//! shown there any more makes of a change a new statement; such edits are counted.
//!
//! What goes back to the editor to be said again is written down as `NAME.again.txt`; the answer to it is read from
//! `NAME.again.json` beside the first one, whose edits its numbers mean.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use lore_core::Packet;
use lore_engine::curator::{Errand, Model, ModelError, ModelReply, ModelRequest};
use serde_json::{Value, json};

use super::recorded::{Places, Recorded, Sidecar, shown_entries};
use crate::context::Failure;
use crate::words::Words;

/// So alike are two wordings of one entry.
const ALIKE: f64 = 0.6;

/// Writes packets down and answers from what is there.
pub(super) struct Book {
    project: String,
    write: Option<PathBuf>,
    answers: Vec<Recorded>,
    /// Answers and edits that a packet has had.
    given: RefCell<BTreeSet<(usize, usize)>>,
    /// Those of the packet that was answered last, in their order.
    last: RefCell<Vec<(usize, usize)>>,
    pub(super) told: RefCell<Told>,
    /// The packets that were answered since somebody last looked, with their answers.
    pub(super) asked: RefCell<Vec<(Packet, String)>>,
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
    /// Of the repairs, those that somebody answered.
    pub(super) repaired: usize,
    /// What the packets and the repairs would cost, and the answers to repairs.
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
        let mut known = Vec::new();
        for folder in answers.into_iter() {
            let mut files: Vec<PathBuf> =
                fs::read_dir(folder)?.filter_map(|file| Some(file.ok()?.path())).collect();
            files.sort();
            for path in files {
                let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
                let Some(stem) = name.strip_suffix(".json").filter(|stem| !stem.ends_with(".map")) else {
                    continue;
                };
                if !stem.starts_with(&format!("{project}-")) || stem.ends_with(".again") {
                    continue;
                }
                let beside = [Some(folder), packets];
                let read = |ending: &str| {
                    let beside = beside.into_iter().flatten();
                    let found = beside.map(|folder| folder.join(format!("{stem}.{ending}")));
                    let found = found.into_iter().find_map(|path| fs::read_to_string(path).ok());
                    found.ok_or_else(|| format!("`{stem}.{ending}` is missing: give `--set packets-in=DIR`"))
                };
                let sidecar: Sidecar = serde_json::from_str(&read("map.json")?)?;
                let again = fs::read_to_string(folder.join(format!("{stem}.again.json"))).unwrap_or_default();
                known.push(Recorded::of(sidecar, &read("txt")?, fs::read_to_string(&path)?, &again));
            }
        }
        Ok(Book {
            project: project.to_owned(),
            write: write.map(Path::to_owned),
            answers: known,
            given: RefCell::default(),
            last: RefCell::default(),
            told: RefCell::default(),
            asked: RefCell::default(),
        })
    }

    /// Counts what all recorded answers cost, whole as they were given.
    pub(super) fn tokens_out(&self) -> usize {
        let first: usize = self.answers.iter().map(|recorded| lore_core::text::tokens(&recorded.text)).sum();
        first + self.told.borrow().tokens_out
    }

    /// Gives what was recorded for a request to say edits again; nothing is better where nobody answered.
    fn again(&self, request: &ModelRequest<'_>) -> Result<String, Failure> {
        let mut told = self.told.borrow_mut();
        told.repairs += 1;
        if let Some(folder) = &self.write {
            let name = format!("{}-{:02}.again.txt", self.project, told.packets);
            fs::write(folder.join(name), request.text)?;
        }
        if self.answer_is_known(request.packet) {
            told.tokens_in += lore_core::text::tokens(request.text);
        }
        drop(told);
        let edits = self.said_again(request.packet);
        let mut told = self.told.borrow_mut();
        told.repaired += usize::from(!edits.is_empty());
        let answer = json!({ "packet": request.packet.id.as_str(), "edits": edits }).to_string();
        told.tokens_out += lore_core::text::tokens(&answer);
        Ok(answer)
    }

    /// Gathers what was said again for edits that this packet was given.
    fn said_again(&self, packet: &Packet) -> Vec<Value> {
        let mut edits = Vec::new();
        for (at, recorded) in self.answers.iter().enumerate().filter(|(_, one)| one.is_of(packet)) {
            let places = Places::of(recorded, packet);
            for edit in &recorded.again {
                let number = edit.get("n").and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok());
                let place = number.and_then(|number| {
                    self.last.borrow().iter().position(|given| *given == (at, number.saturating_sub(1)))
                });
                let said = place.and_then(|_| self.translated(edit, recorded, &places, packet));
                if let (Some(place), Some(mut edit)) = (place, said) {
                    edit["n"] = json!(place + 1);
                    edits.push(edit);
                }
            }
        }
        edits
    }

    /// Tells whether somebody answered for a session of a packet.
    fn answer_is_known(&self, packet: &Packet) -> bool {
        self.answers.iter().any(|recorded| recorded.is_of(packet))
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

    /// Gathers the recorded edits whose lines this packet shows; nothing where nobody answered for it.
    fn answer(&self, packet: &Packet) -> Option<Value> {
        let mut edits = Vec::new();
        let mut known = false;
        self.last.borrow_mut().clear();
        for (at, recorded) in self.answers.iter().enumerate().filter(|(_, one)| one.is_of(packet)) {
            known = true;
            let places = Places::of(recorded, packet);
            for (number, edit) in recorded.edits.iter().enumerate() {
                if !self.given.borrow().contains(&(at, number))
                    && let Some(edit) = self.translated(edit, recorded, &places, packet)
                {
                    self.given.borrow_mut().insert((at, number));
                    self.last.borrow_mut().push((at, number));
                    edits.push(edit);
                }
            }
        }
        known.then(|| json!({ "packet": packet.id.as_str(), "edits": edits }))
    }

    /// Puts the names and numbers of this packet into an edit that was made for another one.
    fn translated(
        &self,
        edit: &Value,
        recorded: &Recorded,
        places: &Places,
        packet: &Packet,
    ) -> Option<Value> {
        let mut edit = edit.clone();
        let lines = places.numbers(edit.get("lines")?);
        // What an earlier packet showed too does not draw an edit into that one.
        let new = edit["lines"]
            .as_array()
            .into_iter()
            .flatten()
            .filter(|line| line.as_u64().is_some_and(|line| !recorded.old.contains(&line)));
        let new = places.numbers(&new.cloned().collect());
        let is_here = new.iter().any(|line| packet.line(*line).is_some_and(|line| !line.old));
        if !is_here {
            return None;
        }
        edit["lines"] = json!(lines);
        if let Some(was) = edit.get("was").and_then(|was| was.get("lines")).cloned() {
            edit["was"]["lines"] = json!(places.numbers(&was));
        }
        let Some(short) = edit.get("entry").and_then(Value::as_str).map(str::to_owned) else {
            return Some(edit);
        };
        let id = recorded.entries.get(&short);
        let named = id.and_then(|id| packet.nearest.iter().find(|near| near.id == *id));
        let said = recorded.leads.get(&short).map(|lead| Words::of(lead));
        let drafted = || {
            let says = |number: &u32| {
                let text = packet.line(*number).map(|line| Words::of(&line.text));
                said.as_ref().zip(text).is_some_and(|(said, text)| said.mostly_in(&text))
            };
            packet.nearest.iter().find(|near| near.lines.iter().any(says))
        };
        let alike = || {
            let said = Words::of(recorded.shown.get(&short)?);
            let now = shown_entries(packet.text.split_once("\nRECORD ")?.0);
            let likeness = |text: &String| said.likeness(&Words::of(text));
            let best = now.iter().map(|(short, text)| (likeness(text), short));
            let (likeness, short) = best.max_by(|a, b| a.0.total_cmp(&b.0))?;
            packet.nearest.iter().find(|near| near.short == *short && likeness >= ALIKE)
        };
        if let Some(near) = named.or_else(drafted).or_else(alike) {
            edit["entry"] = near.short.as_str().into();
            return Some(edit);
        }
        self.told.borrow_mut().lost_entries += 1;
        let has_all =
            ["kind", "title", "text"].iter().all(|field| edit.get(*field).is_some_and(Value::is_string));
        edit["op"] = "new".into();
        edit.as_object_mut().map(|fields| fields.remove("entry"));
        has_all.then_some(edit)
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
            // Nobody is there to look again: what was flagged is taken as covered, because the recorded
            // editor saw the same lines.
            Errand::Look => {
                self.told.borrow_mut().looks += 1;
                let numbers =
                    request.text.lines().filter_map(|line| line.strip_prefix("CLAIM ")?.split_once(':'));
                let looks: serde_json::Map<String, Value> =
                    numbers.map(|(number, _)| (number.to_owned(), "entailed".into())).collect();
                return free(json!({ "looks": looks }).to_string());
            }
            Errand::Repair => {
                return match self.again(request) {
                    Ok(answer) => free(answer),
                    Err(error) => Err(ModelError::Unreachable(self.name().to_owned(), error.to_string())),
                };
            }
            Errand::Again | Errand::Lessons => {
                return free(json!({ "packet": request.packet.id.as_str(), "edits": [] }).to_string());
            }
        }
        self.told.borrow_mut().packets += 1;
        if let Err(error) = self.write_down(request) {
            return Err(ModelError::Unreachable(self.name().to_owned(), error.to_string()));
        }
        if let Some(answer) = self.answer(request.packet) {
            let mut told = self.told.borrow_mut();
            told.answered += 1;
            told.tokens_in += lore_core::text::tokens(request.text);
            self.asked.borrow_mut().push((request.packet.clone(), answer.to_string()));
            return free(answer.to_string());
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
