//! Other tools' stores, read as they are.
//!
//! [`import`] only reads. It returns entries ready to be written by a transaction, and says what
//! was repaired and what was left, and why. Originals' ids are kept where they have our form and
//! become aliases where they do not; keys that are not ours stay in `extra` untouched.

mod gitclaw;
mod gsd;
mod knowledge;
mod links;
mod okf;
mod render;
mod walk;
mod workspaces;

use std::path::{Path, PathBuf};

use lore_core::{Diagnostic, Entry};

use crate::format::decode::{Known, decode};
use crate::format::fields::Fields;
use crate::format::scan::{Scanned, scan};
use walk::Found;
pub use workspaces::{ImportedSpike, is_same_spike, spike_workspaces};

/// Whose store it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum StoreKind {
    /// `signals/`, `spikes/`, `lessons/`, `reflections/` with an `index.md`.
    Gsd,
    /// `issues/<n>.json`, `memory.log`, `user.md`.
    GitClaw,
    /// `index.yaml` with entries in YAML, JSON or Markdown files.
    ClaudeKnowledge,
    /// Any Open Knowledge Format bundle, one of ours included.
    Okf,
}

impl StoreKind {
    /// Returns the word used on the command line.
    pub const fn word(self) -> &'static str {
        match self {
            StoreKind::Gsd => "gsd",
            StoreKind::GitClaw => "gitclaw",
            StoreKind::ClaudeKnowledge => "claude-knowledge",
            StoreKind::Okf => "okf",
        }
    }

    /// Reads that word.
    pub fn from_word(word: &str) -> Option<StoreKind> {
        let all = [StoreKind::Gsd, StoreKind::GitClaw, StoreKind::ClaudeKnowledge, StoreKind::Okf];
        all.into_iter().find(|kind| kind.word() == word)
    }
}

/// What the importer is told.
#[derive(Debug, Clone, Default)]
pub struct ImportOptions {
    /// Whose store it is, where that is not to be found out.
    pub kind: Option<StoreKind>,
    /// The project of entries that name none.
    pub project: Option<String>,
}

/// An entry that arrived.
#[derive(Debug, Clone, PartialEq)]
pub struct Imported {
    /// The entry, ready to be written.
    pub entry: Entry,
    /// The file it came from, relative to the store.
    pub from: String,
    /// What was odd about it and how it was read.
    pub repaired: Vec<Diagnostic>,
}

/// Something that did not become an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Left {
    /// The file, relative to the store.
    pub from: String,
    /// The reason.
    pub why: String,
}

/// Which session belongs to which issue, as a store recorded it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IssueSession {
    /// The issue, without `#`.
    pub issue: String,
    /// The session's transcript, as the store names it.
    pub session: String,
}

/// What told whose store it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToldBy {
    /// A mark that only such a store has, or the caller.
    Mark,
    /// Pages or folders that could as well be something else: strays must not be taken unasked.
    Guess,
}

/// What an import gave.
#[derive(Debug, Clone, PartialEq)]
pub struct ImportReport {
    /// Whose store it was.
    pub kind: StoreKind,
    /// What told so.
    pub told_by: ToldBy,
    /// What arrived, in order of the files.
    pub entries: Vec<Imported>,
    /// What did not, and why.
    pub left: Vec<Left>,
    /// Sessions by issue, for those who read the sessions.
    pub issue_sessions: Vec<IssueSession>,
}

/// Why nothing could be imported at all.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// There is no folder there.
    #[error("cannot import `{0}`: it is not a folder")]
    NotAFolder(PathBuf),
    /// No reader knows it.
    #[error(
        "cannot import `{0}`: it looks like no store that can be read (GSD, GitClaw, `.claude/knowledge`, OKF)"
    )]
    Unknown(PathBuf),
}

/// Tells whose store lies at a path, or in one of its usual places below it.
pub fn detect(path: &Path) -> Option<StoreKind> {
    locate(path, None).map(|(kind, ..)| kind)
}

/// Reads a foreign store.
pub fn import(path: &Path, options: &ImportOptions) -> Result<ImportReport, ImportError> {
    if !path.is_dir() {
        return Err(ImportError::NotAFolder(path.to_path_buf()));
    }
    let found = locate(path, options.kind);
    let (kind, root, told_by) = found
        .or_else(|| options.kind.map(|kind| (kind, path.to_path_buf(), ToldBy::Mark)))
        .ok_or_else(|| ImportError::Unknown(path.to_path_buf()))?;
    let mut left = Vec::new();
    let files = walk::walk(&root, &mut left);
    let mut report = ImportReport { kind, told_by, entries: Vec::new(), left, issue_sessions: Vec::new() };
    match kind {
        StoreKind::Gsd => gsd::read(&files, options, &mut report),
        StoreKind::GitClaw => gitclaw::read(&files, options, &mut report),
        StoreKind::ClaudeKnowledge => knowledge::read(&files, options, &mut report),
        StoreKind::Okf => okf::read(&files, options, &mut report),
    }
    links::settle(&mut report.entries);
    report.left.sort_by(|a, b| a.from.cmp(&b.from));
    Ok(report)
}

/// Finds the store at a path or in the places where its tool keeps it.
fn locate(path: &Path, wanted: Option<StoreKind>) -> Option<(StoreKind, PathBuf, ToldBy)> {
    const PLACES: [&str; 8] = [
        "",
        "knowledge",
        ".planning/knowledge",
        "gsd-knowledge",
        ".claude/knowledge",
        "state",
        ".GITCLAW/state",
        ".github-minimum-intelligence/state",
    ];
    let known = PLACES.iter().find_map(|place| {
        let root = if place.is_empty() { path.to_path_buf() } else { path.join(place) };
        let (kind, told_by) = kind_of(&root)?;
        (wanted.is_none() || wanted == Some(kind)).then_some((kind, root, told_by))
    });
    // Loose pages count only where nothing says more, or every repository with a README would.
    known.or_else(|| okf::has_concepts(path).then(|| (StoreKind::Okf, path.to_path_buf(), ToldBy::Guess)))
}

/// Tells whose store a folder is, by what only that store has.
fn kind_of(root: &Path) -> Option<(StoreKind, ToldBy)> {
    let has = |name: &str| root.join(name).exists();
    let mappings = || {
        let listing = std::fs::read_dir(root.join("issues"));
        listing.is_ok_and(|mut files| {
            files.any(|file| file.is_ok_and(|file| file.file_name().to_string_lossy().ends_with(".json")))
        })
    };
    if !root.is_dir() {
        return None;
    }
    let told = |kind, sure: bool| Some((kind, if sure { ToldBy::Mark } else { ToldBy::Guess }));
    if has(".lore") || okf::is_bundle(root) {
        return told(StoreKind::Okf, has(".lore/format") || okf::is_bundle(root));
    }
    if has("index.yaml") || has("index.yml") || (has("index.json") && has("config.json")) {
        return told(StoreKind::ClaudeKnowledge, root.ends_with("knowledge"));
    }
    if mappings() || has("memory.log") || (has("user.md") && has("sessions")) {
        return told(StoreKind::GitClaw, has("memory.log") || has("user.md"));
    }
    let folder = |name: &str| root.join(name).is_dir();
    let is_gsd = folder("signals")
        || folder("lessons")
        || folder("reflections")
        || (folder("spikes") && has("index.md"));
    is_gsd.then_some((StoreKind::Gsd, if has("index.md") { ToldBy::Mark } else { ToldBy::Guess }))
}

/// A Markdown file taken apart, before anything of its store's habits is applied.
struct Page {
    fields: Fields,
    body: String,
    diagnostics: Vec<Diagnostic>,
}

/// Reads a Markdown file of a store.
fn page(file: &Found) -> Result<Page, Left> {
    let bytes = walk::read(file)?;
    let (text, encoding) = crate::format::text_of(&file.relative, &bytes);
    if text.trim().is_empty() {
        return Err(Left { from: file.relative.clone(), why: "the file is empty".to_owned() });
    }
    let Scanned { fields, above, body, diagnostics, .. } = scan(&file.relative, &text);
    let diagnostics = encoding.into_iter().chain(diagnostics).collect();
    Ok(Page { fields: Fields::new(&file.relative, fields, above), body, diagnostics })
}

/// Turns fields into an entry, named by a path where it names itself by nothing better. Values that
/// could not be kept as they stood go to `original_<key>`.
fn finish(
    from: &str,
    path: &str,
    fields: Fields,
    body: String,
    mut diagnostics: Vec<Diagnostic>,
) -> Imported {
    let decoded = decode(fields, body, &Known { path, settled: None });
    let mut entry = decoded.entry;
    for (key, node) in decoded.unread {
        entry.extra.entry(format!("original_{key}")).or_insert_with(|| node.to_json());
    }
    diagnostics.extend(decoded.diagnostics);
    diagnostics.sort_by_key(|found| found.place.line);
    Imported { entry, from: from.to_owned(), repaired: diagnostics }
}

/// Cuts the first sentence of a text for use as a description.
fn first_sentence(text: &str) -> Option<String> {
    const LIMIT: usize = 200;
    let mut in_code = false;
    let prose = text.lines().map(str::trim).find(|line| {
        in_code ^= line.starts_with("```");
        !in_code && !line.is_empty() && !line.starts_with(['#', '|', '`', '>', '-', '*', '<', '!'])
    })?;
    let end = prose.find(". ").map_or(prose.len(), |at| at + 1);
    let sentence = prose[..end].trim();
    let cut = sentence.char_indices().nth(LIMIT).map_or(sentence.len(), |(at, _)| at);
    if cut == sentence.len() {
        return Some(sentence.to_owned());
    }
    let at = sentence[..cut].rfind(' ').unwrap_or(cut);
    Some(format!("{}…", sentence[..at].trim_end()))
}
