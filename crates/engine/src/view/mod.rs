//! A whole base at a glance: what a person sees who reads it from cover to cover.
//!
//! What is shown and in which order is decided here; a face only draws it. Entries refer to each other
//! by their place in [`BaseView::entries`], so that a face never has to resolve a name.

mod about;
mod entry;
mod graph;
mod order;

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use lore_core::{EntryId, Moment, Status};
use lore_store::git::Git;
use lore_store::registry::project_id;
use serde::Serialize;

pub use self::about::ViewAbout;
pub use self::entry::{ViewClaim, ViewEntry, ViewLink, ViewSection, ViewSource, ViewStamp};
pub use self::graph::{ViewEdge, ViewGraph, ViewNode};
pub use self::order::{ViewEvent, ViewGroup};
use crate::curator::EditQuestion;
use crate::entries::Filter;
use crate::others::is_private;
use crate::review::Cause;
use crate::{Engine, Error};

/// The shape of [`BaseView`] as JSON.
pub const SCHEMA: &str = "lore.view/1";

/// The name of the page in the state of the base.
const PAGE: &str = "view.html";
/// What a page of ours says about who made it.
const GENERATOR: &str = "<meta name=\"generator\" content=\"lore view\">";
/// So far into a page that is looked for.
const OPENING: usize = 4096;

/// What goes into a view besides what anybody may read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ViewOptions {
    /// Also entries with the tag `private`.
    pub private: bool,
    /// Also the questions of editors, which quote sessions of this machine.
    pub questions: bool,
    /// Also what lies in the archive.
    pub archived: bool,
    /// Also which text of each entry it is, so that a decision can say what it was made upon.
    pub versions: bool,
}

/// A base, prepared for reading.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BaseView {
    /// The shape of this object.
    pub schema: &'static str,
    /// What the base is called: the project's folder, or `personal`.
    pub name: String,
    /// The day it was prepared.
    pub made: String,
    /// Whether it is the user's own base.
    pub personal: bool,
    /// How much there is.
    pub totals: ViewTotals,
    /// Every entry, the newest first.
    pub entries: Vec<ViewEntry>,
    /// The entries by kind, in the order in which people are shown kinds.
    pub kinds: Vec<ViewGroup>,
    /// The entries by subject, the largest first.
    pub subjects: Vec<ViewGroup>,
    /// What waits for a person, the most urgent first.
    pub waiting: Vec<ViewWaiting>,
    /// What happened, the newest first.
    pub timeline: Vec<ViewEvent>,
    /// What replaced or contradicts what, the newest first.
    pub graphs: Vec<ViewGraph>,
    /// What an editor asked and nobody has answered.
    pub questions: Vec<ViewQuestion>,
}

/// How much there is in a view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
pub struct ViewTotals {
    /// Entries that are shown.
    pub entries: usize,
    /// Those that hold.
    pub current: usize,
    /// Those that a person confirmed.
    pub confirmed: usize,
    /// Those whose sources contradict each other.
    pub disputed: usize,
    /// Those in which something was possibly replaced.
    pub doubted: usize,
    /// Sessions that something rests on.
    pub sessions: usize,
    /// Entries that are left out because they are private.
    pub left_out: usize,
}

/// An entry that waits for a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ViewWaiting {
    /// Its place among the entries.
    pub entry: usize,
    /// Why it waits.
    pub cause: Cause,
}

/// What an editor asked and only a person can answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ViewQuestion {
    /// Its name; `lore review grant` and `dismiss` take it.
    pub id: String,
    /// Who asks.
    pub by: String,
    /// What it is about.
    pub title: String,
    /// The question.
    pub question: String,
    /// What would be written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The entry it would change, by its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entry: Option<usize>,
    /// What was said.
    pub lines: Vec<ViewSource>,
}

/// Where entries stand in a view, by every name they bear.
pub(crate) struct Places(HashMap<String, usize>);

impl Places {
    fn find(&self, name: &str) -> Option<usize> {
        self.0.get(name).copied()
    }
}

impl Engine {
    /// Prepares the whole base for reading.
    pub fn base_view(&self, options: ViewOptions) -> Result<BaseView, Error> {
        let snapshot = self.store.snapshot()?;
        let archived: BTreeSet<&EntryId> =
            snapshot.summaries().filter(|summary| summary.archived).map(|summary| &summary.id).collect();
        let mut stored = snapshot.read_all();
        stored.retain(|one| options.archived || !archived.contains(&one.entry.id));
        let all = stored.len();
        stored.retain(|one| options.private || !is_private(&one.entry.tags));
        let left_out = all - stored.len();
        stored.sort_by(|a, b| {
            order::newest(&b.entry).cmp(&order::newest(&a.entry)).then_with(|| a.entry.id.cmp(&b.entry.id))
        });
        let mut names = HashMap::new();
        for (at, one) in stored.iter().enumerate() {
            names.extend(one.entry.aliases.iter().map(|alias| (alias.clone(), at)));
        }
        // Real ids win over aliases.
        for (at, one) in stored.iter().enumerate() {
            names.insert(one.entry.id.to_string(), at);
            names.insert(one.path.clone(), at);
        }
        let places = Places(names);
        let waiting: Vec<ViewWaiting> = self
            .to_review(&Filter::default())?
            .into_iter()
            .filter_map(|one| {
                Some(ViewWaiting { entry: places.find(one.item.id.as_str())?, cause: one.cause })
            })
            .collect();
        let causes: HashMap<usize, Cause> = waiting.iter().map(|one| (one.entry, one.cause)).collect();
        let mut entries: Vec<ViewEntry> = stored
            .iter()
            .enumerate()
            .map(|(at, one)| ViewEntry {
                version: options.versions.then(|| one.version.to_string()),
                ..entry::of(one, causes.get(&at).copied(), &places)
            })
            .collect();
        entry::link_back(&mut entries);
        let questions = if options.questions { self.edit_questions() } else { Vec::new() };
        Ok(BaseView {
            schema: SCHEMA,
            name: self.called(),
            made: Moment::Instant(self.world.now).date().to_string(),
            personal: self.is_personal(),
            totals: totals(&entries, &waiting, left_out),
            kinds: order::by_kind(&entries),
            subjects: order::by_subject(&entries),
            timeline: order::timeline(&entries),
            graphs: graph::graphs(&entries),
            questions: questions.iter().map(|question| asked(question, &places)).collect(),
            waiting,
            entries,
        })
    }

    /// Puts a page of this base into a file, by default among the state of the base, where no clone
    /// carries it; a file that is no page of ours is never overwritten.
    pub fn write_page(&self, out: Option<&Path>, page: &str, dry_run: bool) -> Result<PathBuf, Error> {
        let Some(out) = out else {
            if !dry_run {
                self.store.work().write(PAGE, page.as_bytes())?;
            }
            return Ok(self.store.work().path(PAGE)?);
        };
        let path = self.world.directory.join(out);
        if path.is_dir() {
            return Err(Error::request(format!("`{}` is a folder", path.display()), "name a file in it"));
        }
        let there = std::fs::read(&path).unwrap_or_default();
        if !there.is_empty() && !is_page(&there) {
            return Err(Error::request(
                format!("`{}` is there and is no page of ours", path.display()),
                "name another file with `--out`, or move that one away",
            ));
        }
        if !dry_run {
            crate::install::write(&path, page)?;
        }
        Ok(path)
    }

    /// Returns what people call this base: the name of its repository, the same in every clone, else its folder's.
    pub(crate) fn called(&self) -> String {
        if self.is_personal() {
            return crate::others::PERSONAL.to_owned();
        }
        let folder = self.project().canonicalize().unwrap_or_else(|_| self.project().to_owned());
        let remote = self.store.git().and_then(Git::remote).map(|_| project_id(self.store.git(), &folder));
        let named = remote.and_then(|id| id.as_str().rsplit('/').next().map(str::to_owned));
        let named = named.filter(|name| !name.is_empty());
        named
            .or_else(|| Some(folder.file_name()?.to_string_lossy().into_owned()))
            .unwrap_or_else(|| "knowledge".to_owned())
    }
}

fn totals(entries: &[ViewEntry], waiting: &[ViewWaiting], left_out: usize) -> ViewTotals {
    let count = |fits: &dyn Fn(&ViewEntry) -> bool| entries.iter().filter(|entry| fits(entry)).count();
    let sessions: BTreeSet<&str> = entries
        .iter()
        .flat_map(|entry| &entry.sources)
        .filter_map(|source| source.session.as_deref())
        .collect();
    ViewTotals {
        entries: entries.len(),
        current: count(&|entry| entry.status == Status::Current),
        confirmed: count(&|entry| !entry.confirmed.is_empty()),
        disputed: count(&|entry| entry.status == Status::Disputed),
        doubted: waiting.iter().filter(|one| one.cause == Cause::PossiblyReplaced).count(),
        sessions: sessions.len(),
        left_out,
    }
}

fn asked(question: &EditQuestion, places: &Places) -> ViewQuestion {
    let line = |line: &crate::curator::QuestionLine| ViewSource {
        voice: line.voice.clone(),
        session: Some(line.session.to_string()),
        place: format!("{}#L{}", line.session, line.line),
        line: Some(line.line),
        at: entry::known(line.at).map(entry::day),
        words: vec![line.words.clone()],
        ..ViewSource::default()
    };
    ViewQuestion {
        id: question.id.clone(),
        by: question.by.clone(),
        title: question.title.clone(),
        question: question.question.clone(),
        text: question.text.clone(),
        entry: question.entry.as_ref().and_then(|id| places.find(id.as_str())),
        lines: question.lines.iter().map(line).collect(),
    }
}
/// Tells whether a file is a page of ours.
pub(crate) fn is_page(file: &[u8]) -> bool {
    String::from_utf8_lossy(file.get(..OPENING).unwrap_or(file)).contains(GENERATOR)
}
