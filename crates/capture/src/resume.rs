//! What was already reported of a source that grows.
//!
//! Agents append to their files, but they also rewrite, rotate, truncate and compress them, and a
//! new record can change what an earlier one means (a rewind, a result that answers a call). So
//! an offset alone is not enough: a [`Cursor`] remembers how the source looked and, as hashes,
//! what was reported. A source that has not changed is not opened. One that has is read again
//! (at hundreds of megabytes a second) and only what was not reported yet is handed on.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use lore_core::session::{Author, Branch, Outcome, Session, ToolCall, Turn};
use lore_core::{ContentHash, SessionId, hash};
use serde::{Deserialize, Serialize};

use crate::{Input, ReadError, ReadOptions, reader_of};

/// How much of the beginning and of the end is compared.
const SAMPLE: u64 = 4096;

/// How the keys of a cursor are made. Whatever changes a key has to change this number: a cursor
/// of another number knows nothing we could compare with.
const KEYS: u32 = 2;

/// Where we stopped in one source.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Cursor {
    /// Which way its keys were made; the first ones did not say.
    #[serde(default)]
    pub keys: u32,
    /// The source.
    pub path: PathBuf,
    /// Its number in the file system, where there is one.
    pub inode: Option<u64>,
    /// Bytes it had.
    pub size: u64,
    /// When it was last written.
    pub modified: Option<Timestamp>,
    /// Hash of its first bytes.
    pub head: Option<ContentHash>,
    /// Hash of its last bytes.
    pub tail: Option<ContentHash>,
    /// What was reported, by session.
    pub reported: BTreeMap<SessionId, Reported>,
}

/// What was reported of one session.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Reported {
    /// The last record something was reported of.
    pub lines: u32,
    /// Hashes of turns, blocks and calls, sorted.
    pub keys: Vec<u64>,
    /// Hashes of the ids of turns that were abandoned, sorted.
    pub abandoned: Vec<u64>,
}

/// What happened to a source since the cursor was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// There is no cursor yet.
    New,
    /// Nothing.
    Same,
    /// Something was added at its end.
    Grown,
    /// It was rewritten, rotated, truncated or compressed.
    Rewritten,
}

/// What is new in one session.
#[derive(Debug, Clone, PartialEq)]
pub struct Update {
    /// The session with nothing but its new turns; a turn that only gained something holds what it gained.
    pub session: Session,
    /// Turns reported before whose branch was given up, or taken up again, since.
    pub branches: BTreeMap<String, Branch>,
}

/// Names a source in a way that compressing it does not change.
pub fn source_key(path: &Path) -> PathBuf {
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("zst" | "gz") => path.with_extension(""),
        _ => path.to_owned(),
    }
}

/// Tells what happened to a source, looking at no more than its ends.
pub fn fate(path: &Path, cursor: Option<&Cursor>) -> Result<Fate, ReadError> {
    let Some(cursor) = known(cursor) else { return Ok(Fate::New) };
    let now = Cursor::look(path).map_err(|source| ReadError::Io { path: path.to_owned(), source })?;
    if cursor.path != path || now.size < cursor.size {
        return Ok(Fate::Rewritten);
    }
    let same_file = now.inode == cursor.inode;
    if same_file && now.size == cursor.size && now.modified == cursor.modified {
        return Ok(Fate::Same);
    }
    let head = sample(path, 0, cursor.size.min(SAMPLE)).ok();
    let tail = sample(path, cursor.size.saturating_sub(SAMPLE), cursor.size.min(SAMPLE)).ok();
    let kept = head == cursor.head && tail == cursor.tail;
    Ok(match kept {
        true if now.size == cursor.size => Fate::Same,
        true => Fate::Grown,
        false => Fate::Rewritten,
    })
}

/// Reads what is new in a source and returns the cursor to go on from.
///
/// Databases and folders full of small files change without growing; they are compared by what
/// they hold.
pub fn read_new(
    path: &Path,
    cursor: Option<&Cursor>,
    options: &ReadOptions,
    sink: &mut dyn FnMut(Update),
) -> Result<Cursor, ReadError> {
    let cursor = known(cursor);
    if let Some(cursor) = cursor
        && fate(path, Some(cursor))? == Fate::Same
    {
        return Ok(cursor.clone());
    }
    // Looked at before reading: what is added meanwhile is then found the next time.
    let mut next = Cursor::look(path).map_err(|source| ReadError::Io { path: path.to_owned(), source })?;
    let input = Input::file(path, options);
    let reader = reader_of(&input)?;
    let mut reported = cursor.map(|cursor| cursor.reported.clone()).unwrap_or_default();
    reader.read(&input, &mut |session| {
        let known = reported.entry(session.id.clone()).or_default();
        if let Some(update) = difference(session, known) {
            sink(update);
        }
    })?;
    next.reported = reported;
    Ok(next)
}

/// Takes a cursor for none where its keys are not ours: everything is then reported again, which
/// can be told from what is there, where something left out could not.
fn known(cursor: Option<&Cursor>) -> Option<&Cursor> {
    cursor.filter(|cursor| cursor.keys == KEYS)
}

/// Leaves of a session what was not reported yet, and notes it as reported.
pub fn difference(mut session: Session, reported: &mut Reported) -> Option<Update> {
    // What a rewritten file no longer holds was reported all the same.
    let mut now: HashSet<u64> = reported.keys.iter().copied().collect();
    let mut counts: HashMap<u64, u32> = HashMap::new();
    let mut is_new = |key: u64| -> bool {
        let count = counts.entry(key).or_default();
        *count += 1;
        // The same words said again are another block.
        now.insert(hash::key(&[&key.to_le_bytes(), &count.to_le_bytes()]))
    };
    let mut old: HashSet<String> = HashSet::new();
    let mut now_at: BTreeMap<String, Branch> = BTreeMap::new();
    let mut lines = reported.lines;
    session.turns.retain_mut(|turn| {
        lines = lines_of(turn).fold(lines, u32::max);
        let own = turn.native_id.clone().unwrap_or_default();
        let words = if turn.native_id.is_none() { turn.text() } else { String::new() };
        let fresh = is_new(key_of("turn", &own, &[&words]));
        // Several turns may stem from one record; the first one speaks for all.
        if !own.is_empty() && !now_at.contains_key(&own) {
            now_at.insert(own.clone(), turn.branch);
            if !fresh {
                old.insert(own.clone());
            }
        }
        turn.blocks.retain(|block| is_new(key_of("block", &own, &[&block.text])));
        turn.tool_calls.retain(|call| is_new(call_key(&own, call)));
        fresh || !turn.blocks.is_empty() || !turn.tool_calls.is_empty()
    });
    let was_abandoned = |id: &String| reported.abandoned.binary_search(&key_of("id", id, &[])).is_ok();
    let is_abandoned = |branch: &Branch| *branch == Branch::Abandoned;
    let changed =
        now_at.iter().filter(|(id, branch)| old.contains(*id) && is_abandoned(branch) != was_abandoned(id));
    let branches: BTreeMap<String, Branch> = changed.map(|(id, branch)| (id.clone(), *branch)).collect();
    let abandoned =
        now_at.iter().filter(|(_, branch)| is_abandoned(branch)).map(|(id, _)| key_of("id", id, &[]));
    reported.abandoned = abandoned.collect::<BTreeSet<u64>>().into_iter().collect();
    reported.lines = lines;
    reported.keys = now.into_iter().collect();
    reported.keys.sort_unstable();
    let nothing = session.turns.is_empty() && branches.is_empty();
    (!nothing).then_some(Update { session, branches })
}

impl Update {
    /// Adds what is new to what was reported before, so that the session is whole again.
    pub fn apply(self, session: &mut Session) {
        let mut turns = std::mem::take(&mut session.turns);
        for gained in self.session.turns {
            // Several turns may stem from one record; only an agent's message grows.
            let grows = gained.author == Author::Agent && gained.native_id.is_some();
            let same = |turn: &&mut Turn| {
                grows && turn.native_id == gained.native_id && turn.author == gained.author
            };
            match turns.iter_mut().find(same) {
                Some(turn) => grow(turn, gained),
                None => turns.insert(place_of(&gained, &turns), gained),
            }
        }
        for turn in &mut turns {
            if let Some(branch) = turn.native_id.as_ref().and_then(|id| self.branches.get(id)) {
                turn.branch = *branch;
            }
        }
        *session = Session { turns, ..self.session };
    }
}

/// Finds where a new turn stands: at the end, but for what was typed before and reported late.
fn place_of(turn: &Turn, turns: &[Turn]) -> usize {
    let line = turn.line();
    if turn.native_id.is_some() || line == 0 {
        return turns.len();
    }
    turns.iter().rposition(|before| (1..=line).contains(&before.line())).map_or(0, |at| at + 1)
}

fn grow(turn: &mut Turn, gained: Turn) {
    turn.blocks.extend(gained.blocks);
    turn.channel = gained.channel;
    turn.branch = gained.branch;
    for call in gained.tool_calls {
        match turn.tool_calls.iter_mut().find(|known| known.line == call.line && known.id == call.id) {
            Some(known) => *known = call,
            None => turn.tool_calls.push(call),
        }
    }
}

impl Cursor {
    /// Looks at a source as it is now; nothing is reported of it yet.
    fn look(path: &Path) -> io::Result<Cursor> {
        let about = fs::metadata(path)?;
        let size = about.len();
        let is_file = about.is_file();
        let end = |from: u64| if is_file { sample(path, from, size.min(SAMPLE)).ok() } else { None };
        Ok(Cursor {
            keys: KEYS,
            path: path.to_owned(),
            inode: inode(&about),
            size,
            modified: about.modified().ok().and_then(|at| Timestamp::try_from(at).ok()),
            head: end(0),
            tail: end(size.saturating_sub(SAMPLE)),
            reported: BTreeMap::new(),
        })
    }
}

#[cfg(unix)]
fn inode(about: &fs::Metadata) -> Option<u64> {
    use std::os::unix::fs::MetadataExt as _;
    Some(about.ino())
}

#[cfg(not(unix))]
fn inode(_about: &fs::Metadata) -> Option<u64> {
    None
}

fn sample(path: &Path, from: u64, length: u64) -> io::Result<ContentHash> {
    let mut file = File::open(path)?;
    file.seek(SeekFrom::Start(from))?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes)?;
    Ok(ContentHash::of(&bytes))
}

fn lines_of(turn: &Turn) -> impl Iterator<Item = u32> {
    let calls = turn.tool_calls.iter().flat_map(|call| [call.line, call.result_line.unwrap_or(0)]);
    turn.blocks.iter().map(|block| block.line).chain(calls)
}

/// A call is reported when it is made and once more when it ends.
fn call_key(own: &str, call: &ToolCall) -> u64 {
    let ended = call.result_line.is_some() || call.outcome != Outcome::Unknown;
    let id = call.id.as_deref().unwrap_or(&call.arguments);
    key_of("call", own, &[&call.name, id, if ended { "ended" } else { "made" }])
}

fn key_of(kind: &str, own: &str, rest: &[&str]) -> u64 {
    let mut parts = vec![kind.as_bytes(), own.as_bytes()];
    parts.extend(rest.iter().map(|part| part.as_bytes()));
    hash::key(&parts)
}
