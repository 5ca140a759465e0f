//! What came from elsewhere since everything was last compared, by whatever way: a pull, a rebase, a squashed or
//! picked commit. It is held against what is there, as if it had been handed in.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use lore_core::{Entry, EntryId};
use lore_distill::curate::{Newcomer, meet};
use lore_store::git::Git;
use lore_store::{Owner, Version};

use crate::curate::known_in;
use crate::merges::claims_in;
use crate::{Engine, Error};

/// Which texts were written here and are not committed yet: they were compared when they were written.
const OWN: &str = "cache/own";
/// Of more nothing is remembered; what is not, is compared once more.
const MOST: usize = 512;
/// So many entries are looked at for each statement that came.
const NEAR: usize = 8;

/// Files that are made of all others, and say nothing themselves.
const LISTS: [&str; 3] = ["index.md", "/log.md", "/timeline.md"];

/// A file with one content.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Text {
    version: String,
    path: String,
}

impl Engine {
    /// Notes which files were just written here. What is gone meanwhile, because another branch is checked out, is news
    /// when it comes again.
    pub(crate) fn note_own(&self, files: &[String]) {
        if self.store.git().is_none() {
            return;
        }
        let version =
            |path: &str| Some(Version::of(&std::fs::read(self.root().join(path)).ok()?).to_string());
        let mut own = self.own_texts();
        own.retain(|text| version(&text.path).as_ref() == Some(&text.version));
        let entries = files.iter().filter(|path| path.ends_with(".md"));
        own.extend(entries.filter_map(|path| Some(Text { version: version(path)?, path: path.clone() })));
        if own.len() > MOST {
            own.clear();
        }
        self.keep_own(&own);
    }

    fn own_texts(&self) -> BTreeSet<Text> {
        let kept = self.store.work().path(OWN).ok().and_then(|path| std::fs::read_to_string(path).ok());
        let text = |line: &str| {
            let (version, path) = line.split_once(' ')?;
            Some(Text { version: version.to_owned(), path: path.to_owned() })
        };
        kept.as_deref().unwrap_or_default().lines().filter_map(text).collect()
    }

    /// Keeps the list; where that is not possible, more is compared than has to be.
    fn keep_own(&self, own: &BTreeSet<Text>) {
        let lines: String = own.iter().map(|text| format!("{} {}\n", text.version, text.path)).collect();
        let _ = self.store.work().write(OWN, lines.as_bytes());
    }

    /// Compares the statements that came between two commits with those that were there.
    pub(crate) fn compare_arrived(
        &self,
        git: &Git,
        prefix: &str,
        (last, head): (&str, &str),
    ) -> Result<(), Error> {
        let own = self.own_texts();
        let (came, committed) = arrived(git, self.store.root(), prefix, (last, head), &own);
        if !came.is_empty() {
            self.compare_with_all(&came)?;
        }
        if !committed.is_empty() {
            let mut own = self.own_texts();
            own.retain(|text| !committed.contains(text));
            self.keep_own(&own);
        }
        Ok(())
    }

    fn compare_with_all(&self, came: &BTreeMap<EntryId, Vec<Newcomer>>) -> Result<(), Error> {
        let mut transaction = self.store.begin(&Owner::machine("merge"), self.world.now)?;
        transaction.join()?;
        let all: BTreeSet<&Newcomer> = came.values().flatten().collect();
        let changed = known_in(self.store.work(), &transaction, |known| {
            let mut changed: BTreeMap<EntryId, Entry> = BTreeMap::new();
            for (id, claims) in came {
                let now = |changed: &BTreeMap<EntryId, Entry>, id: &EntryId| {
                    changed.get(id).cloned().or_else(|| Some(transaction.get(id.as_str()).ok()?.entry))
                };
                let Some(entry) = now(&changed, id) else { continue };
                let near = claims.iter().flat_map(|claim| known.similar(&claim.text, NEAR));
                let near: BTreeSet<EntryId> = near.map(|entry| entry.id).filter(|near| near != id).collect();
                let near = near.iter().filter_map(|near| now(&changed, near));
                // Whoever tied them has compared them.
                let near: Vec<Entry> = near.filter(|near| !are_tied(near, &entry)).collect();
                let there = near.iter().chain([&entry]).flat_map(claims_of);
                let there: Vec<Newcomer> = there.filter(|claim| !all.contains(claim)).collect();
                let met = meet(near.into_iter().chain([entry]), claims, &there, known);
                changed.extend(met.into_iter().map(|entry| (entry.id.clone(), entry)));
            }
            changed
        });
        self.mark_compared(transaction, changed.into_values().collect()).map(drop)
    }
}

fn are_tied(one: &Entry, other: &Entry) -> bool {
    let leads = |from: &Entry, to: &Entry| from.links.iter().any(|link| link.target == to.id.as_str());
    leads(one, other) || leads(other, one)
}

fn claims_of(entry: &Entry) -> Vec<Newcomer> {
    let article = lore_core::Article::parse(&entry.body);
    article.current().map(|claim| Newcomer { entry: entry.id.clone(), text: claim.text.clone() }).collect()
}

/// Lists the statements that stand in files of a commit and stood in none of an earlier one, by entry; and, apart, the
/// files that were written here, of which none are.
fn arrived(
    git: &Git,
    root: &Path,
    prefix: &str,
    (last, head): (&str, &str),
    own: &BTreeSet<Text>,
) -> (BTreeMap<EntryId, Vec<Newcomer>>, Vec<Text>) {
    let paths = git.changed_between(last, head, root).unwrap_or_default();
    let is_list = |path: &String| LISTS.iter().any(|list| path.ends_with(list));
    let paths: Vec<String> =
        paths.into_iter().filter(|path| path.ends_with(".md") && !is_list(path)).collect();
    let before = git.files_at(last, &paths).unwrap_or_default();
    let after = git.files_at(head, &paths).unwrap_or_default();
    let mut old: BTreeSet<String> = BTreeSet::new();
    for (path, bytes) in paths.iter().zip(&before) {
        old.extend(claims_in(path, prefix, bytes).into_iter().map(|claim| claim.text));
    }
    let (mut came, mut committed) = (BTreeMap::<EntryId, Vec<Newcomer>>::new(), Vec::new());
    for (path, bytes) in paths.iter().zip(&after).filter(|(_, bytes)| !bytes.is_empty()) {
        let inside = path.strip_prefix(prefix).unwrap_or(path).to_owned();
        let text = Text { version: Version::of(bytes).to_string(), path: inside };
        if own.contains(&text) {
            committed.push(text);
            continue;
        }
        for claim in claims_in(path, prefix, bytes).into_iter().filter(|claim| !old.contains(&claim.text)) {
            came.entry(claim.entry.clone()).or_default().push(claim);
        }
    }
    (came, committed)
}
