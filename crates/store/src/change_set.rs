//! What each transaction changed, kept so that it can be told and taken back.
//!
//! A change set is made before the transaction is promised and lies in the staging folder beside
//! the files it speaks of. When the promise is kept it moves to its own folder; if the promise is
//! never made, or is taken back, it goes with the rest of the staging folder. So there is a set for
//! everything that happened, and none for what did not.
//!
//! It holds what each file held before. What follows from other files (lists, manifest) and what only
//! ever grows (which sessions were read, what runs said) is left out: taking back never touches it.
#![allow(clippy::disallowed_methods, reason = "with apply.rs, the home of writing knowledge")]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use lore_core::{ContentHash, EntryId, Kind};
use serde::{Deserialize, Serialize};

use crate::{Store, Version, derived, layout};

/// Folder of the sets in the work folder.
pub(crate) const CHANGES: &str = "changes";
/// Opens every file; the number changes with the form.
const MAGIC: &str = "lore-change-set/1";
/// So many sets are kept …
const KEPT: usize = 200;
/// … as long as they take no more than this.
const KEPT_BYTES: u64 = 64 << 20;
/// Text of a set is small and written while somebody waits: the fastest compression will do.
const LEVEL: i32 = 1;

/// One transaction that happened.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChangeSet {
    /// Its number and a few letters that tell it from one of the same number elsewhere.
    pub id: String,
    /// Counts the transactions of this checkout.
    pub number: u64,
    /// When it happened.
    pub at: Timestamp,
    /// Who did it, as stamps name them.
    pub by: String,
    /// The command, such as `curate`.
    pub command: String,
    /// What it did, in words.
    pub said: Option<String>,
    /// The set that it took back.
    #[serde(default)]
    pub undoes: Option<String>,
    /// Further sets that it took back with it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub undoes_too: Vec<String>,
    /// What became of entries.
    pub happened: Vec<Happened>,
    /// Every file it changed that can be given back.
    pub files: Vec<Former>,
    /// Tombstones it made, by id.
    #[serde(default)]
    pub buried: Vec<EntryId>,
    /// Tombstones it lifted, as lines of their file.
    #[serde(default)]
    pub(crate) lifted: Vec<String>,
    /// Whether it noted that sessions were read.
    #[serde(default)]
    pub read_sessions: bool,
}

/// What became of one entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Happened {
    /// What.
    pub what: Fate,
    /// The entry.
    pub id: EntryId,
    /// Its kind.
    pub kind: Kind,
    /// What it is called now, or was called last.
    pub title: String,
}

/// What can become of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fate {
    /// It is new.
    Learned,
    /// It says something else.
    Changed,
    /// Its sources contradict each other now.
    Disputed,
    /// A dispute was settled.
    Settled,
    /// Something else holds instead.
    Superseded,
    /// It is out of date.
    Outdated,
    /// A person confirmed it.
    Confirmed,
    /// It is gone.
    Removed,
    /// Its file lies elsewhere.
    Moved,
}

impl Fate {
    /// Returns its word.
    pub const fn word(self) -> &'static str {
        match self {
            Fate::Learned => "added",
            Fate::Changed => "changed",
            Fate::Disputed => "disputed",
            Fate::Settled => "settled",
            Fate::Superseded => "superseded",
            Fate::Outdated => "outdated",
            Fate::Confirmed => "confirmed",
            Fate::Removed => "removed",
            Fate::Moved => "moved",
        }
    }
}

/// A file before and after the transaction.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Former {
    /// The file, relative to the base.
    pub path: String,
    /// Which bytes it held; nothing where there was none.
    pub before: Option<Version>,
    /// Which bytes it holds since; nothing where it went.
    pub after: Option<Version>,
    /// How many bytes follow for it.
    length: usize,
    /// Whether its earlier words were forgotten and cannot come back.
    #[serde(default)]
    pub forgotten: bool,
    /// What it held.
    #[serde(skip)]
    pub(crate) bytes: Vec<u8>,
}

impl Former {
    pub(crate) fn new(path: &str, was: Option<Vec<u8>>, after: Option<Version>) -> Former {
        let before = was.as_deref().map(Version::of);
        let bytes = was.unwrap_or_default();
        Former { path: path.to_owned(), before, after, length: bytes.len(), forgotten: false, bytes }
    }

    /// Returns the text it held, where it is known and text.
    pub fn text(&self) -> Option<&str> {
        self.before?;
        (!self.forgotten).then(|| std::str::from_utf8(&self.bytes).ok()).flatten()
    }
}

impl ChangeSet {
    /// Tells whether it took another set back.
    pub fn takes_back(&self, id: &str) -> bool {
        self.undoes.iter().chain(&self.undoes_too).any(|undone| undone == id)
    }

    /// Gives it a name that can be typed, once.
    pub(crate) fn name_itself(&mut self) {
        if self.id.is_empty() {
            let told = serde_json::to_vec(&(&self.at, &self.by, &self.happened, &self.files));
            let hash = ContentHash::of(&told.unwrap_or_default());
            self.id = format!("{}-{}", self.number, hash.as_str().get(..4).unwrap_or_default());
        }
    }

    /// Writes it with a name of its own.
    pub(crate) fn encode(&mut self) -> io::Result<Vec<u8>> {
        let all: Vec<u8> = self.files.iter().flat_map(|file| file.bytes.iter().copied()).collect();
        self.name_itself();
        let mut plain = serde_json::to_vec(self)?;
        plain.push(b'\n');
        plain.extend(all);
        let packed = zstd::encode_all(plain.as_slice(), LEVEL)?;
        let mut out = format!("{MAGIC} {}\n", ContentHash::of(&packed)).into_bytes();
        out.extend(packed);
        Ok(out)
    }

    /// Reads one; a damaged one, or one that speaks of files outside the base, is none.
    pub(crate) fn decode(bytes: &[u8]) -> Option<ChangeSet> {
        let end = bytes.iter().position(|byte| *byte == b'\n')?;
        let head = std::str::from_utf8(&bytes[..end]).ok()?;
        let hash = head.strip_prefix(MAGIC)?.trim();
        let packed = &bytes[end + 1..];
        if ContentHash::of(packed).as_str() != hash {
            return None;
        }
        let plain = zstd::decode_all(packed).ok()?;
        let end = plain.iter().position(|byte| *byte == b'\n')?;
        let mut set: ChangeSet = serde_json::from_slice(&plain[..end]).ok()?;
        let mut rest = &plain[end + 1..];
        for file in &mut set.files {
            if !layout::is_inside(&file.path) {
                return None;
            }
            let (own, more) = rest.split_at_checked(file.length)?;
            file.bytes = own.to_vec();
            rest = more;
        }
        Some(set)
    }

    /// Tells whether entries changed, and not machine state alone.
    pub fn changed_knowledge(&self) -> bool {
        self.files.iter().any(|file| layout::is_entry(&file.path)) || !self.buried.is_empty()
    }

    /// Takes words out of it for good; tells whether there were any.
    ///
    /// What a file held before cannot be given back in part, so a file with such words is not given
    /// back at all.
    pub fn forget(&mut self, forgets: &dyn Fn(&str) -> bool, instead: &str) -> bool {
        let mut changed = false;
        for file in &mut self.files {
            if !file.forgotten && (forgets(&String::from_utf8_lossy(&file.bytes)) || forgets(&file.path)) {
                (file.forgotten, file.length, file.before) = (true, 0, None);
                file.bytes = Vec::new();
                if forgets(&file.path) {
                    file.path = "forgotten".to_owned();
                }
                changed = true;
            }
        }
        let count = self.happened.len() + self.lifted.len() + self.buried.len();
        self.happened.retain(|one| !forgets(&one.title) && !forgets(one.id.as_str()));
        self.lifted.retain(|line| !forgets(line));
        self.buried.retain(|id| !forgets(id.as_str()));
        changed |= count != self.happened.len() + self.lifted.len() + self.buried.len();
        for text in [&mut self.by].into_iter().chain(self.said.as_mut()) {
            if forgets(text) {
                instead.clone_into(text);
                changed = true;
            }
        }
        changed
    }
}

impl Store {
    /// Lists the transactions that can be told, oldest first.
    pub fn change_sets(&self) -> Vec<ChangeSet> {
        let mut sets: Vec<ChangeSet> = files(self.work().folder())
            .iter()
            .filter_map(|path| ChangeSet::decode(&fs::read(path).ok()?))
            .collect();
        sets.sort_by_key(|set| (set.at, set.number));
        sets
    }

    /// Takes words out of every change set; tells how many held them.
    ///
    /// A set that cannot be read cannot be searched either, so it goes.
    pub fn forget_in_change_sets(
        &self,
        forgets: &dyn Fn(&str) -> bool,
        instead: &str,
    ) -> Result<usize, derived::DerivedError> {
        let mut count = 0;
        for path in files(self.work().folder()) {
            let failed = |source| derived::DerivedError::Io { doing: "rewrite", path: path.clone(), source };
            let bytes = fs::read(&path).map_err(failed)?;
            match ChangeSet::decode(&bytes) {
                Some(mut set) => {
                    if set.forget(forgets, instead) {
                        count += 1;
                        let bytes = set.encode().map_err(failed)?;
                        derived::write_private(&path, &bytes).map_err(failed)?;
                    }
                }
                None => fs::remove_file(&path).map_err(failed)?,
            }
        }
        Ok(count)
    }

    /// Counts the change sets that hold such words.
    pub fn change_sets_with(&self, forgets: &dyn Fn(&str) -> bool) -> usize {
        self.change_sets().into_iter().filter_map(|mut set| set.forget(forgets, "").then_some(())).count()
    }
}

/// Names the set of a transaction in the staging folder.
pub(crate) fn staged_name(number: u64) -> String {
    format!("{number}-set")
}

/// Moves the set of a transaction that happened to its place, and lets the oldest go.
pub(crate) fn keep(staging: &Path, work: &Path, number: u64) -> io::Result<()> {
    let staged = staging.join(staged_name(number));
    let Ok(bytes) = fs::read(&staged) else { return Ok(()) }; // It was kept before, or there is none.
    let folder = work.join(CHANGES);
    derived::make_private(&folder)?;
    let hash = ContentHash::of(&bytes);
    let name = format!("{number:010}-{}", hash.as_str().get(..8).unwrap_or_default());
    fs::rename(&staged, folder.join(name))?;
    prune(work);
    Ok(())
}

/// Lets the oldest sets go where there are too many. One that stays is no harm.
fn prune(work: &Path) {
    let mut kept = 0;
    let mut bytes = 0;
    let mut all: Vec<(PathBuf, fs::Metadata)> =
        files(work).into_iter().filter_map(|path| Some((path.clone(), path.metadata().ok()?))).collect();
    // A journal that was lost begins to count anew, so the time of the file tells the order.
    all.sort_by_key(|(path, about)| {
        (std::cmp::Reverse(about.modified().ok()), std::cmp::Reverse(path.clone()))
    });
    for (path, about) in all {
        kept += 1;
        bytes += about.len();
        if kept > KEPT || (bytes > KEPT_BYTES && kept > 1) {
            let _ = fs::remove_file(path);
        }
    }
}

fn files(work: &Path) -> Vec<PathBuf> {
    let listing = fs::read_dir(work.join(CHANGES)).into_iter().flatten().flatten();
    let mut paths: Vec<PathBuf> = listing
        .filter(|item| item.file_type().is_ok_and(|kind| kind.is_file()))
        .map(|item| item.path())
        .collect();
    paths.sort();
    paths
}

/// Tells whether a change of this file can be taken back.
pub(crate) fn is_kept(path: &str) -> bool {
    let below = |folder: &str| path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
    !layout::is_rebuilt(path)
        && path != layout::TOMBSTONES
        && !below(layout::LEDGER)
        && !below(layout::RUNS)
        && path != layout::ATTRIBUTES
        && path != layout::IGNORE
        && path != layout::FORMAT
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set() -> ChangeSet {
        ChangeSet {
            id: String::new(),
            number: 7,
            at: "2026-02-20T12:00:00Z".parse().unwrap(),
            by: "human:ana".to_owned(),
            command: "rm".to_owned(),
            said: Some("remove fac-2026-02-20-one".to_owned()),
            undoes: None,
            undoes_too: Vec::new(),
            happened: Vec::new(),
            files: vec![
                Former::new("project/one.md", Some(b"# One\n".to_vec()), None),
                Former::new("project/two.md", None, Some(Version::of(b"two"))),
                Former::new("project/three.md", Some(b"# Three\n".to_vec()), Some(Version::of(b"3"))),
            ],
            buried: Vec::new(),
            lifted: Vec::new(),
            read_sessions: false,
        }
    }

    #[test]
    fn reads_back_and_notices_damage() {
        let mut written = set();
        let bytes = written.encode().unwrap();
        assert!(written.id.starts_with("7-") && written.id.len() == 6, "{}", written.id);
        let read = ChangeSet::decode(&bytes).unwrap();
        assert_eq!(read, written);
        assert_eq!(read.files[2].text(), Some("# Three\n"));
        assert_eq!(read.files[1].text(), None);
        for at in [0, 30, bytes.len() - 1] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert_eq!(ChangeSet::decode(&damaged), None, "damaged at {at}");
        }
        let mut outside = set();
        outside.files[0].path = "../../.bashrc".to_owned();
        assert_eq!(ChangeSet::decode(&outside.encode().unwrap()), None);
    }

    #[test]
    fn forgotten_words_are_gone_and_their_files_cannot_come_back() {
        let mut set = set();
        set.encode().unwrap();
        assert!(set.forget(&|text| text.contains("Three"), "forgotten"));
        assert!(!set.forget(&|text| text.contains("Three"), "forgotten"), "once is enough");
        let read = ChangeSet::decode(&set.encode().unwrap()).unwrap();
        assert_eq!((read.files[2].text(), read.files[2].forgotten), (None, true));
        assert_eq!(read.files[0].text(), Some("# One\n"));
    }

    #[test]
    fn the_oldest_go_when_there_are_too_many() {
        let work = tempfile::tempdir().unwrap();
        let staging = work.path().join("staging");
        fs::create_dir(&staging).unwrap();
        for number in 1..=(KEPT as u64 + 3) {
            fs::write(staging.join(staged_name(number)), number.to_string()).unwrap();
            keep(&staging, work.path(), number).unwrap();
        }
        assert_eq!(files(work.path()).len(), KEPT);
        keep(&staging, work.path(), 9999).unwrap();
        assert!(fs::read_dir(&staging).unwrap().next().is_none());
    }
}
