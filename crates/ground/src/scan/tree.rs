//! The files of a repository with their outlines; what was read before is not read again.

use std::io::Read as _;
use std::path::Path;
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use lore_core::hash;
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

use super::ScanRequest;
use super::outline::{Outline, outline};

/// Larger files are listed but not read.
const LARGEST: u64 = 4 << 20;
/// The format of a larger one shows in so much of it.
const HEAD: u64 = 64 << 10;
/// So many files are read before the time is looked at.
const PORTION: usize = 256;
/// Files touched within this many nanoseconds before they were read may change once more without
/// looking different; they are read again.
const RACY: i64 = 2_000_000_000;
/// So many outlines are kept for each file there is; more are those of trees that nobody goes back to.
const KEPT: usize = 3;
/// Raised when outlines are made differently.
const VERSION: u32 = 4;

/// One file.
#[derive(Debug)]
pub(super) struct TreeFile {
    pub(super) path: String,
    pub(super) outline: Arc<Outline>,
}

/// Outlines of earlier scans, by content; the paths only say which content a file had.
#[derive(Debug, Default)]
pub struct Outlines {
    by_content: FxHashMap<u64, Arc<Outline>>,
    looks: FxHashMap<String, Look>,
}

/// The same as it is kept.
#[derive(Serialize, Deserialize)]
struct Kept<O> {
    version: u32,
    by_content: Vec<(u64, O)>,
    looks: Vec<(String, Look)>,
}

/// How a file looked when it was read.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Look {
    size: u64,
    at: i64,
    content: u64,
}

impl Outlines {
    /// Reads what was kept; what cannot be understood counts as nothing.
    pub fn from_bytes(bytes: &[u8]) -> Outlines {
        let kept: Option<Kept<Outline>> = postcard::from_bytes(bytes).ok();
        let Some(kept) = kept.filter(|kept| kept.version == VERSION) else { return Outlines::default() };
        let shared = |(content, outline)| (content, Arc::new(outline));
        Outlines {
            by_content: kept.by_content.into_iter().map(shared).collect(),
            looks: kept.looks.into_iter().collect(),
        }
    }

    /// Tells whether any file that was read last defines a name; trees before that are kept, but do not count.
    pub fn defines(&self, name: &str) -> bool {
        let outlines = self.looks.values().filter_map(|look| self.by_content.get(&look.content));
        outlines.flat_map(|outline| &outline.defined).any(|one| one.name == name)
    }

    /// Returns what to keep.
    pub fn to_bytes(&self) -> Vec<u8> {
        let by_content: Vec<(u64, &Outline)> =
            self.by_content.iter().map(|(content, outline)| (*content, outline.as_ref())).collect();
        let looks = self.looks.iter().map(|(path, look)| (path.clone(), *look)).collect();
        postcard::to_stdvec(&Kept { version: VERSION, by_content, looks }).unwrap_or_default()
    }
}

/// What a repository holds.
pub(super) struct Tree {
    pub(super) files: Vec<TreeFile>,
    /// How many files there are, read or not.
    pub(super) listed: usize,
    /// Whether the time was up before everything was read.
    pub(super) partial: bool,
    /// How many were read anew.
    pub(super) fresh: usize,
}

/// How a file is to be had.
enum Had {
    Known(Arc<Outline>, Look),
    Read(Outline, Look),
    /// It is there, but its text is not for us.
    Closed,
}

/// Reads the files of a repository, those that `first` names before the others.
pub(super) fn read(request: &ScanRequest<'_>, known: &mut Outlines, first: &dyn Fn(&str) -> bool) -> Tree {
    let mut paths: Vec<&String> = without_our_own(request.project.paths());
    let mut listed = paths.len();
    paths.sort_by_key(|path| !first(path));
    let mut files = Vec::with_capacity(listed);
    let mut next = Outlines::default();
    let (mut partial, mut fresh) = (false, 0);
    let reading = Reading { root: request.project.root(), now: request.now, is_own: request.is_own };
    for portion in paths.chunks(PORTION) {
        if partial || (request.time_is_up)() {
            partial = true;
            // What is not read is still there by its name.
            files.extend(
                portion.iter().map(|path| TreeFile { path: (*path).clone(), outline: Arc::default() }),
            );
            continue;
        }
        let had: Vec<Had> = portion.par_iter().map(|path| have(&reading, path, known)).collect();
        for (path, had) in portion.iter().zip(had) {
            let (outline, look) = match had {
                Had::Known(outline, look) => (outline, look),
                Had::Read(outline, look) => (Arc::new(outline), look),
                Had::Closed => {
                    files.push(TreeFile { path: (*path).clone(), outline: Arc::default() });
                    continue;
                }
            };
            fresh += usize::from(!known.by_content.contains_key(&look.content));
            next.looks.insert((*path).clone(), look);
            next.by_content.entry(look.content).or_insert_with(|| Arc::clone(&outline));
            if outline.own {
                listed -= 1;
                continue;
            }
            files.push(TreeFile { path: (*path).clone(), outline });
        }
    }
    // What was not looked at this time may still be right, and a branch that was left is often gone back to.
    if partial || next.by_content.len() + known.by_content.len() <= KEPT * listed.max(PORTION) {
        for (content, outline) in known.by_content.drain() {
            next.by_content.entry(content).or_insert(outline);
        }
    }
    if partial {
        for (path, look) in known.looks.drain() {
            next.looks.entry(path).or_insert(look);
        }
    }
    *known = next;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Tree { files, listed, partial, fresh }
}

/// Leaves out what we wrote ourselves, bases and state: as code it would bear witness for itself, and what
/// a base says is told with its standing by the history.
fn without_our_own(paths: &[String]) -> Vec<&String> {
    let marked = paths.iter().filter_map(|path| path.strip_suffix(".lore/format"));
    let bases: Vec<&str> = marked.filter(|base| !base.is_empty()).collect();
    let is_own = |path: &str| path.starts_with(".lore/") || bases.iter().any(|base| path.starts_with(base));
    paths.iter().filter(|path| !is_own(path)).collect()
}

/// What reading one file needs of a request.
struct Reading<'r> {
    root: &'r Path,
    now: i64,
    is_own: &'r (dyn Fn(&str, &str) -> bool + Sync),
}

fn have(reading: &Reading<'_>, path: &str, known: &Outlines) -> Had {
    let full = reading.root.join(path);
    let Some(about) = std::fs::symlink_metadata(&full).ok().filter(std::fs::Metadata::is_file) else {
        return Had::Closed;
    };
    let at = about.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
    let at = at.and_then(|at| i64::try_from(at.as_nanos()).ok()).unwrap_or(0);
    if let Some(look) = known.looks.get(path)
        && look.size == about.len()
        && look.at == at
        && at < reading.now - RACY
        && let Some(outline) = known.by_content.get(&look.content)
    {
        return Had::Known(Arc::clone(outline), *look);
    }
    if is_closed(path) {
        return Had::Closed;
    }
    if about.len() > LARGEST {
        // What is too large to be read may still be known by its beginning.
        let head = beginning_of(&full);
        if !(reading.is_own)(path, &head) {
            return Had::Closed;
        }
        let content = hash::key(&[path.as_bytes(), b"own", &about.len().to_le_bytes(), head.as_bytes()]);
        let outline = Outline { own: true, ..Outline::default() };
        return Had::Read(outline, Look { size: about.len(), at, content });
    }
    let Ok(bytes) = std::fs::read(&full) else { return Had::Closed };
    if bytes.iter().take(8000).any(|byte| *byte == 0) {
        return Had::Closed;
    }
    // The same text is read differently under another ending.
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    let text = String::from_utf8_lossy(&bytes);
    let own = (reading.is_own)(path, &text);
    let content = hash::key(&[ending.as_bytes(), if own { b"own" } else { b"" }, &bytes]);
    let look = Look { size: about.len(), at, content };
    if let Some(outline) = known.by_content.get(&content) {
        return Had::Known(Arc::clone(outline), look);
    }
    let read = if own { Outline { own, ..Outline::default() } } else { outline(path, &text) };
    Had::Read(read, look)
}

/// Reads as much of a file as its format shows in.
fn beginning_of(file: &Path) -> String {
    let mut head = Vec::new();
    let read = std::fs::File::open(file).and_then(|file| file.take(HEAD).read_to_end(&mut head));
    if read.is_err() { String::new() } else { String::from_utf8_lossy(&head).into_owned() }
}

/// Tells whether a file is by its name none that anybody writes words into.
fn is_closed(path: &str) -> bool {
    let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
    matches!(
        ending,
        "png"
            | "jpg"
            | "jpeg"
            | "gif"
            | "webp"
            | "ico"
            | "woff"
            | "woff2"
            | "ttf"
            | "otf"
            | "pdf"
            | "zip"
            | "gz"
            | "wasm"
            | "so"
            | "dll"
            | "jar"
            | "class"
            | "pyc"
            | "map"
            | "mp4"
            | "mp3"
    ) || path.ends_with(".min.js")
        || path.ends_with(".min.css")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::freshness::Project;
    use crate::scan::History;

    #[test]
    fn what_we_wrote_is_no_code() {
        let paths = [
            ".lore/tracks/a.json",
            "docs/notes.md",
            "knowledge/.lore/format",
            "knowledge/log.md",
            "knowledge2/log.md",
            "src/main.rs",
            "sub/base/.lore/format",
            "sub/base/decisions/one.md",
        ];
        let paths = paths.map(str::to_owned);
        let left: Vec<&str> = without_our_own(&paths).into_iter().map(String::as_str).collect();
        assert_eq!(left, ["docs/notes.md", "knowledge2/log.md", "src/main.rs"]);
        let at_the_root = [".lore/format".to_owned(), "notes.md".to_owned()];
        assert_eq!(without_our_own(&at_the_root), ["notes.md"]);
    }

    #[test]
    #[allow(clippy::disallowed_methods, reason = "tests set their own stage")]
    fn a_tree_gone_back_to_is_not_read_again_and_does_not_count_before() {
        let folder = tempfile::tempdir().unwrap();
        let mut known = Outlines::default();
        let scan = |text: &str, known: &mut Outlines| {
            std::fs::write(folder.path().join("tax.rs"), text).unwrap();
            let request = ScanRequest {
                project: &Project::new(folder.path()),
                text: "",
                history: &Box::new(History::default()),
                limit: 0,
                now: 0,
                is_own: &|_, _| false,
                time_is_up: &|| false,
            };
            read(&request, known, &|_| false).fresh
        };
        assert_eq!(scan("fn old_rate() {}", &mut known), 1);
        assert_eq!(scan("fn new_rate() {}", &mut known), 1);
        assert!(known.defines("new_rate") && !known.defines("old_rate"));
        let mut kept = Outlines::from_bytes(&known.to_bytes());
        assert_eq!(scan("fn old_rate() {}", &mut kept), 0);
        assert!(kept.defines("old_rate") && !kept.defines("new_rate"));
    }
}
