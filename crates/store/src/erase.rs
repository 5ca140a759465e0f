//! Erasing words from the base: the one change that leaves no earlier words behind.
//!
//! Its change set tells that it happened and keeps nothing of what was there. A seal, from which the
//! words cannot be read, travels with the base, so that they do not come back, here or in a clone.

use std::fs;
use std::path::Path;

use lore_core::forget::{FORGOTTEN, Finds, Seal};

use crate::check::Refused;
use crate::lines::{self, Lines};
use crate::snapshot::Stored;
use crate::{Store, Tombstone, Transaction, format, layout};

/// What a seal forbids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Sealed {
    /// Words: what says them is not written again.
    Words,
    /// A session: nothing of it is read again.
    Session,
    /// A person: their name is not written again.
    Person,
}

impl Sealed {
    const ALL: [Sealed; 3] = [Sealed::Words, Sealed::Session, Sealed::Person];

    /// Returns its word.
    pub const fn word(self) -> &'static str {
        match self {
            Sealed::Words => "words",
            Sealed::Session => "session",
            Sealed::Person => "person",
        }
    }
}

/// Everything that was forgotten in a base, sealed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Seals {
    all: Vec<(Sealed, Seal)>,
}

impl Seals {
    fn parse(text: &str) -> Seals {
        let parse = |line: &String| {
            let (word, seal) = line.split_once('\t')?;
            Some((Sealed::ALL.into_iter().find(|kind| kind.word() == word)?, Seal::parse(seal)?))
        };
        Seals { all: lines::parse(text).iter().filter_map(parse).collect() }
    }

    /// Tells whether nothing was ever forgotten.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// Lists them.
    pub fn iter(&self) -> impl Iterator<Item = &(Sealed, Seal)> {
        self.all.iter()
    }

    /// Tells whether a text says what was forgotten.
    pub fn forbid(&self, text: &str) -> bool {
        self.all.iter().any(|(kind, seal)| *kind == Sealed::Words && seal.is_in(text))
    }

    /// Tells whether a session was forgotten.
    pub fn forbid_session(&self, name: &str) -> bool {
        self.all.iter().any(|(kind, seal)| *kind == Sealed::Session && seal.is_in(name))
    }

    /// Takes the names of forgotten people out of a text; nothing where it has none.
    pub fn without_people(&self, text: &str) -> Option<String> {
        let mut out: Option<String> = None;
        for (_, seal) in self.all.iter().filter(|(kind, _)| *kind == Sealed::Person) {
            out = seal.scrub(out.as_deref().unwrap_or(text), FORGOTTEN).or(out);
        }
        out
    }
}

impl Store {
    /// Lists what was forgotten, sealed.
    pub fn seals(&self) -> Seals {
        Seals::parse(&self.state(layout::FORGOTTEN))
    }
}

impl Transaction<'_> {
    /// Remembers that these words, this session or this person was forgotten.
    pub fn seal(&mut self, kind: Sealed, seal: &Seal) {
        let text = self.store.state(layout::FORGOTTEN);
        let lines = self.state.entry(layout::FORGOTTEN.to_owned()).or_insert_with(|| lines::parse(&text));
        lines.insert(format!("{}\t{}", kind.word(), seal.line()));
        self.erases = true;
    }

    /// Puts a text in the place of an entry's, or removes the entry; whatever was there is not kept.
    ///
    /// The text may bear another id and lie elsewhere, because ids and paths are made of words too.
    pub fn erase(&mut self, old: &Stored, text: Option<&str>, path: &str) -> Result<(), Refused> {
        self.erases = true;
        self.taken_back.insert(old.entry.id.clone());
        let Some(text) = text else {
            self.unplan(old);
            return Ok(());
        };
        // Our hash is right again only where it was right before.
        let before = old.text().unwrap_or_default();
        let ours = format::stored_hash(before).is_some_and(|hash| hash == format::content_hash(before));
        let text = if ours { format::with_hash(text) } else { text.to_owned() };
        let Some(entry) = format::read(path, text.as_bytes()).entry else {
            self.unplan(old);
            return Ok(());
        };
        if path == old.path && entry.id == old.entry.id {
            return self.plan(&entry.id, old.path.clone(), text, Some(old.version)).map(drop);
        }
        self.unplan(old);
        let free = self.free_id(&entry.id);
        let text = text.replacen(entry.id.as_str(), free.as_str(), 1);
        let text = if ours { format::with_hash(&text) } else { text };
        let path = match self.is_taken(path) {
            true => format!("{}/{free}.md", layout::parent(path)),
            false => path.to_owned(),
        };
        self.plan(&free, path, text, None).map(drop)
    }

    /// Takes words out of everything the machine tracks beside entries; returns the files that had them.
    ///
    /// `keep` gets each line and returns it as it may stay, or nothing where it goes.
    pub fn erase_state(&mut self, keep: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
        let mut changed = Vec::new();
        let mut paths = self.store.state_files(layout::LEDGER);
        paths.extend(self.store.state_files(layout::RUNS));
        below(self.store.root(), &format!("{}/state", layout::STATE), &mut paths);
        for path in paths {
            let before = lines::parse(&self.store.state(&path));
            let after: Lines = before.iter().filter_map(|line| keep(line)).collect();
            if before != after {
                self.state.insert(path.clone(), after);
                changed.push(path);
            }
        }
        let stones: Vec<Tombstone> = self.stones.iter().cloned().collect();
        let mut touched = false;
        for stone in stones {
            let line = stone.line();
            let kept = keep(&line);
            if kept.as_ref() == Some(&line) {
                continue;
            }
            touched = true;
            self.stones.lift(&stone.id);
            if let Some(stone) = kept.and_then(|line| Tombstone::parse(&line)) {
                // Whoever guesses what was forgotten must not find it confirmed.
                self.stones.add(Tombstone { said: Vec::new(), ..stone });
            }
        }
        changed.extend(touched.then(|| layout::TOMBSTONES.to_owned()));
        self.erases |= !changed.is_empty();
        changed
    }
}

fn below(root: &Path, folder: &str, paths: &mut Vec<String>) {
    let Ok(listing) = fs::read_dir(root.join(folder)) else { return };
    for item in listing.flatten() {
        let Ok(name) = item.file_name().into_string() else { continue };
        let path = layout::join(folder, &name);
        match item.file_type() {
            Ok(kind) if kind.is_dir() => below(root, &path, paths),
            Ok(kind) if kind.is_file() => paths.push(path),
            _ => {}
        }
    }
}
