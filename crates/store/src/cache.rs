//! What the files said last time, so that an unchanged file is not parsed again.
//!
//! The cache is derived and never believed: a record counts only for a file that still has the
//! size, times and inode it was made from. It is a row of frames, each with a checksum; later
//! frames replace records of earlier ones. A damaged frame is skipped, which at worst means that
//! its files are read again. Writers append a small frame; whoever read many files anew puts a
//! whole new cache in place.
//!
//! A file changed in the same tick of the clock in which it was read looks unchanged. Such records
//! are kept without their times, so that the next reader compares the bytes (as git does).

use std::collections::HashMap;
use std::fs::Metadata;
use std::sync::Arc;

use lore_core::Diagnostic;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::derived::Derived;
use crate::{Summary, Version, layout};

/// File of the cache in the work folder.
const CACHE: &str = "cache/entries";
/// Opens the file; the number changes with every change of what is stored or how it is made.
const MAGIC: &[u8; 8] = b"LOREC\0\0\x05";
/// Records per frame of a whole cache, so that frames can be decoded in parallel.
const CHUNK: usize = 512;
/// Length and checksum before each frame.
const HEADER: usize = 12;
/// Files younger than this at the time of caching may change without looking changed.
const TICK: i64 = 20_000_000;
/// The same for file systems that keep whole seconds only.
const COARSE_TICK: i64 = 2_000_000_000;

/// What a file looked like from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct FileKey {
    pub(crate) size: u64,
    modified: i64,
    changed: i64,
    inode: u64,
}

impl FileKey {
    pub(crate) fn of(meta: &Metadata) -> FileKey {
        #[cfg(unix)]
        {
            use std::os::unix::fs::MetadataExt as _;
            let nanos =
                |seconds: i64, nanos: i64| seconds.saturating_mul(1_000_000_000).saturating_add(nanos);
            FileKey {
                size: meta.len(),
                modified: nanos(meta.mtime(), meta.mtime_nsec()),
                changed: nanos(meta.ctime(), meta.ctime_nsec()),
                inode: meta.ino(),
            }
        }
        #[cfg(not(unix))]
        {
            let since = |time: std::time::SystemTime| time.duration_since(std::time::UNIX_EPOCH).ok();
            let modified = meta.modified().ok().and_then(since).map_or(0, |d| d.as_nanos() as i64);
            FileKey { size: meta.len(), modified, changed: modified, inode: 0 }
        }
    }

    #[cfg(unix)]
    #[allow(clippy::unnecessary_cast, reason = "the types differ between systems")]
    pub(crate) fn of_stat(stat: &rustix::fs::Stat) -> FileKey {
        let nanos = |seconds: i64, nanos: i64| seconds.saturating_mul(1_000_000_000).saturating_add(nanos);
        FileKey {
            size: stat.st_size as u64,
            modified: nanos(stat.st_mtime as i64, stat.st_mtime_nsec as i64),
            changed: nanos(stat.st_ctime as i64, stat.st_ctime_nsec as i64),
            inode: stat.st_ino as u64,
        }
    }

    pub(crate) fn numbers(self) -> [u64; 4] {
        [self.size, self.modified.cast_unsigned(), self.changed.cast_unsigned(), self.inode]
    }

    pub(crate) fn from_numbers([size, modified, changed, inode]: [u64; 4]) -> FileKey {
        FileKey { size, modified: modified.cast_signed(), changed: changed.cast_signed(), inode }
    }

    /// Tells whether a file that looks like this is surely the one that was read.
    pub(crate) fn proves(self, now: FileKey) -> bool {
        self.modified != 0 && self == now
    }

    /// Tells whether a file that was surely read is still the same file, as far as a listing tells: it
    /// was not replaced, but may have been written in place.
    pub(crate) fn is_still(self, item: &std::fs::DirEntry) -> bool {
        #[cfg(unix)]
        {
            use std::os::unix::fs::DirEntryExt as _;
            self.modified != 0 && self.inode == item.ino()
        }
        #[cfg(not(unix))]
        {
            let _ = item;
            false
        }
    }

    /// Returns a number that differs between files and states of a file, for adding up many of them.
    pub(crate) fn number(self, name: &str) -> u64 {
        self.numbers().into_iter().fold(mix(0, checksum(name.as_bytes())), mix)
    }

    /// Forgets the times of a file that was changed when, or just before, the clock showed `at`.
    pub(crate) fn settled(self, at: FileKey) -> FileKey {
        let tick = if self.modified % 1_000_000_000 == 0 { COARSE_TICK } else { TICK };
        let latest = self.modified.max(self.changed);
        if self.modified == 0 || latest.saturating_add(tick) >= at.modified {
            FileKey { modified: 0, ..self }
        } else {
            self
        }
    }
}

/// What one file said.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) path: String,
    pub(crate) key: FileKey,
    pub(crate) version: Version,
    pub(crate) summary: Option<Summary>,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Record {
    /// Gives the summary what it shares with its record; it is not stored twice.
    pub(crate) fn complete(mut self) -> Record {
        if let Some(summary) = &mut self.summary {
            summary.path.clone_from(&self.path);
            summary.version = self.version;
            summary.archived = layout::is_archived(&self.path);
        }
        self
    }
}

/// From what a generated index was made, and what it looked like then.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Made {
    pub(crate) from: u64,
    pub(crate) key: FileKey,
}

#[derive(Debug, Deserialize)]
struct Frame {
    records: Vec<Record>,
    gone: Vec<String>,
    made: Vec<(String, Made)>,
}

/// What a frame says about one file.
enum Item {
    Here(Arc<Record>),
    Gone(String),
}

impl Item {
    fn path(&self) -> &str {
        match self {
            Item::Here(record) => &record.path,
            Item::Gone(path) => path,
        }
    }
}

/// A frame that is being written; the same fields, borrowed.
#[derive(Debug, Default, Serialize)]
struct Part<'a> {
    records: &'a [Arc<Record>],
    gone: &'a [String],
    made: &'a [(&'a String, &'a Made)],
}

/// Everything remembered.
#[derive(Debug, Clone, Default)]
pub(crate) struct Cache {
    /// By path.
    pub(crate) records: Vec<Arc<Record>>,
    /// By path of the generated file.
    pub(crate) made: HashMap<String, Made>,
    /// Records in frames that later frames made useless.
    waste: usize,
}

impl Cache {
    /// Reads what is there; a missing or damaged cache is an empty one.
    pub(crate) fn load(work: &Derived) -> Cache {
        let Ok(bytes) = std::fs::read(work.folder().join(name(work))) else { return Cache::default() };
        let Some(rest) = bytes.strip_prefix(MAGIC) else { return Cache::default() };
        let decoded: Vec<Option<Frame>> = frames(rest)
            .into_par_iter()
            .map(|payload| {
                let mut frame: Frame = postcard::from_bytes(payload).ok()?;
                frame.records = frame.records.into_iter().map(Record::complete).collect();
                Some(frame)
            })
            .collect();
        let mut all: Vec<Item> = Vec::new();
        let mut made = HashMap::new();
        for frame in decoded.into_iter().flatten() {
            all.extend(frame.records.into_iter().map(|record| Item::Here(Arc::new(record))));
            frame.gone.iter().for_each(|path| {
                made.remove(path);
            });
            all.extend(frame.gone.into_iter().map(Item::Gone));
            made.extend(frame.made);
        }
        // The order of frames decides between records of one file, so the sort must keep it.
        all.sort_by(|a, b| a.path().cmp(b.path()));
        let total = all.len();
        let mut records: Vec<Arc<Record>> = Vec::with_capacity(total);
        let mut all = all.into_iter().peekable();
        while let Some(item) = all.next() {
            let is_last = all.peek().is_none_or(|next| next.path() != item.path());
            if let Item::Here(record) = item
                && is_last
            {
                records.push(record);
            }
        }
        let waste = total - records.len();
        Cache { records, made, waste }
    }

    /// Tells whether so much was appended that a whole new cache is cheaper to read.
    pub(crate) fn is_wasteful(&self) -> bool {
        self.waste > 256 && self.waste > self.records.len() / 4
    }

    /// Puts a whole new cache in place. It is derived: a failure only costs time later.
    pub(crate) fn save(work: &Derived, records: &[Arc<Record>], made: &HashMap<String, Made>) {
        let mut frames: Vec<Vec<u8>> = records
            .par_chunks(CHUNK)
            .map(|chunk| encode(&Part { records: chunk, ..Part::default() }))
            .collect();
        let made: Vec<(&String, &Made)> = made.iter().collect();
        frames.push(encode(&Part { made: &made, ..Part::default() }));
        let mut bytes = MAGIC.to_vec();
        frames.iter().for_each(|frame| bytes.extend_from_slice(frame));
        let _ = work.write(&name(work), &bytes);
    }

    /// Adds what one transaction changed.
    pub(crate) fn append(
        work: &Derived,
        records: &[Arc<Record>],
        gone: &[String],
        made: &[(&String, &Made)],
    ) {
        let mut bytes = encode(&Part { records, gone, made });
        if !work.folder().join(name(work)).exists() {
            bytes.splice(..0, MAGIC.iter().copied());
        }
        let _ = work.append(&name(work), &bytes);
    }
}

/// Asks the file system for its time, which is the only clock that file times can be compared with.
pub(crate) fn clock(work: &Derived) -> FileKey {
    const TICKER: &str = "cache/clock";
    let shown = || {
        work.touch(TICKER).ok()?;
        std::fs::metadata(work.folder().join(TICKER)).ok()
    };
    // Without a clock every file counts as young and is compared byte by byte.
    shown().map_or(FileKey::default(), |meta| FileKey::of(&meta))
}

fn encode(frame: &Part<'_>) -> Vec<u8> {
    let payload = postcard::to_stdvec(frame).unwrap_or_default();
    let length = u32::try_from(payload.len()).unwrap_or(0);
    let mut bytes = Vec::with_capacity(HEADER + payload.len());
    bytes.extend_from_slice(&length.to_le_bytes());
    bytes.extend_from_slice(&checksum(&payload).to_le_bytes());
    bytes.extend_from_slice(&payload);
    bytes
}

/// Splits into the payloads whose checksum is right; stops where the lengths no longer make sense.
fn frames(mut bytes: &[u8]) -> Vec<&[u8]> {
    let mut found = Vec::new();
    while let Some((header, rest)) = bytes.split_at_checked(HEADER) {
        let (length, sum) = header.split_at(4);
        let length = length.try_into().map_or(0, |four| u32::from_le_bytes(four) as usize);
        let sum = sum.try_into().map_or(0, u64::from_le_bytes);
        let Some((payload, rest)) = rest.split_at_checked(length) else { break };
        if checksum(payload) == sum {
            found.push(payload);
        }
        bytes = rest;
    }
    found
}

/// Notices damage, nothing more: eight bytes at a time, because caches are big.
pub(crate) fn checksum(bytes: &[u8]) -> u64 {
    let (words, rest) = bytes.as_chunks::<8>();
    let sum = words.iter().fold(bytes.len() as u64, |sum, word| mix(sum, u64::from_le_bytes(*word)));
    rest.iter().fold(sum, |sum, byte| mix(sum, u64::from(*byte)))
}

fn mix(sum: u64, word: u64) -> u64 {
    (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29)
}

/// Names the file: what records say depends on what is held back from them.
fn name(work: &Derived) -> String {
    work.door().name(CACHE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn record(path: &str) -> Arc<Record> {
        let key = FileKey { size: 3, modified: 5_000_000_001, changed: 5_000_000_001, inode: 1 };
        let version = Version::of(path.as_bytes());
        Arc::new(Record { path: path.to_owned(), key, version, summary: None, diagnostics: Vec::new() })
    }

    fn saved() -> (tempfile::TempDir, Derived) {
        let temp = tempfile::tempdir().unwrap();
        let work = Derived::new(temp.path());
        let records: Vec<_> = (0..1500).map(|n| record(&format!("a/{n:04}.md"))).collect();
        Cache::save(&work, &records, &HashMap::new());
        (temp, work)
    }

    /// A cache keeps the places of words in their lists; where one moves, the number in `MAGIC` has to grow.
    #[test]
    fn places_in_a_kept_cache_do_not_move() {
        use lore_core::{Confidence, Curator, Kind, LifecycleState, LinkKind, Severity, Status};
        fn places<T: serde::Serialize + std::fmt::Debug>(all: &[T]) -> String {
            let place = |one: &T| format!("{:?}{:?}", one, postcard::to_stdvec(one).unwrap());
            all.iter().map(place).collect::<Vec<_>>().join(" ")
        }
        let kept = [
            places(&Kind::ALL),
            places(&[Status::Current, Status::Outdated, Status::Superseded, Status::Disputed]),
            places(&[Confidence::High, Confidence::Medium, Confidence::Low]),
            places(&[Curator::Auto, Curator::Human, Curator::Mixed]),
            places(&[Severity::Low, Severity::Medium, Severity::High, Severity::Critical]),
            places(&LifecycleState::ALL),
            places(&LinkKind::ALL),
        ];
        insta::assert_snapshot!(kept.join("\n"), @r"
        Decision[0] Fact[1] Preference[2] Architecture[3] Limitation[4] Event[5] Resolution[6] Pattern[7] Feedback[8] Lesson[11] Spike[10] Signal[9]
        Current[0] Outdated[1] Superseded[2] Disputed[3]
        High[2] Medium[1] Low[0]
        Auto[0] Human[1] Mixed[2]
        Low[0] Medium[1] High[2] Critical[3]
        Detected[0] Triaged[1] Blocked[2] Remediated[3] Verified[4] Invalidated[5]
        Related[0] Supersedes[1] SupersededBy[2] Contradicts[3] DerivedFrom[4] Qualifies[5] QualifiedBy[6] RecurrenceOf[7]
        ");
    }

    #[test]
    fn later_frames_replace_earlier_ones() {
        let (_temp, work) = saved();
        Cache::append(&work, &[record("a/0007.md"), record("b/new.md")], &["a/0008.md".to_owned()], &[]);
        let cache = Cache::load(&work);
        assert_eq!(cache.records.len(), 1500);
        let paths: Vec<&str> = cache.records.iter().map(|record| record.path.as_str()).collect();
        assert!(paths.is_sorted() && paths.contains(&"b/new.md") && !paths.contains(&"a/0008.md"));
        assert_eq!(cache.waste, 3);
    }

    #[test]
    fn a_young_file_is_not_proved_by_its_times() {
        let key = FileKey { size: 1, modified: 10_000_000_123, changed: 10_000_000_123, inode: 9 };
        let at = |nanos| FileKey { modified: nanos, ..FileKey::default() };
        assert!(!key.settled(at(10_000_000_123)).proves(key));
        assert!(!key.settled(at(10_015_000_000)).proves(key));
        assert!(key.settled(at(10_100_000_000)).proves(key));
        let coarse = FileKey { modified: 10_000_000_000, ..key };
        assert!(!coarse.settled(at(11_500_000_000)).proves(coarse));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]
        #[test]
        fn damage_never_invents_a_record(at in 0usize..60_000, byte in any::<u8>(), cut in 0usize..60_000) {
            let (_temp, work) = saved();
            let path = work.folder().join(CACHE);
            let mut bytes = std::fs::read(&path).unwrap();
            let length = bytes.len();
            bytes[at % length] = byte;
            bytes.truncate(length - cut % length);
            work.write(CACHE, &bytes).unwrap();
            for record in Cache::load(&work).records {
                prop_assert_eq!(record.version, Version::of(record.path.as_bytes()));
            }
        }
    }
}
