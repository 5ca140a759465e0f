//! Whose words stand in a file, and what the machine may therefore do with it.
//!
//! Every text we write carries a hash of itself. A file whose text no longer fits its hash was
//! changed by someone else; a file without a hash was made by someone else. That needs no git and
//! is right whatever tool the change was made with.
//!
//! Who committed a change says nothing: our own commits carry the user's name. What history adds
//! are the texts themselves: if any committed version of a file does not fit its hash, a person
//! once had a hand in it, even if later versions were hashed anew. So with git a file is ours only
//! if all its committed versions were.

use std::collections::BTreeSet;
use std::path::Path;

use lore_core::{Curator, Detail, Entry, EntryId, Link, LinkKind, Status};
use serde::{Deserialize, Serialize};

use crate::derived::Derived;
use crate::git::{Git, GitError};
use crate::{format, layout};

/// What is known of the committed versions of all files, so that only new commits are looked at.
const REMEMBERED: &str = "cache/people";
/// How many versions are compared at a time.
const BATCH: usize = 500;

/// Tells who really wrote the text of a file that says it was `said`.
pub(crate) fn curator(text: &str, said: Curator) -> Curator {
    let ours = format::stored_hash(text).is_some_and(|hash| hash == format::content_hash(text));
    match (said, ours) {
        (said, true) => said,
        (Curator::Human, false) => Curator::Human,
        (Curator::Mixed, false) => Curator::Mixed,
        (Curator::Auto, false) if format::stored_hash(text).is_none() => Curator::Human,
        (Curator::Auto, false) => Curator::Mixed,
    }
}

/// Tells whether the machine may make this change to a person's entry.
///
/// Evidence may be added, and that another entry contradicts it: a doubt is shown, the words stay.
/// On a signal the life cycle may move, because the machine keeps it and
/// the observation itself stays as it was.
pub(crate) fn may_change(old: &Entry, new: &Entry) -> bool {
    let keeps = old.sources.iter().all(|source| new.sources.contains(source));
    let mut same = new.clone();
    same.sources.clone_from(&old.sources);
    same.updated = old.updated;
    same.curated_by = old.curated_by;
    same.last_auto_curated = old.last_auto_curated;
    same.generated.clone_from(&old.generated);
    if let (Detail::Signal(old_signal), Detail::Signal(signal)) = (&old.detail, &mut same.detail) {
        signal.lifecycle_state = old_signal.lifecycle_state;
        signal.lifecycle_log.clone_from(&old_signal.lifecycle_log);
        same.links.clone_from(&old.links);
        same.occurrences = old.occurrences;
        same.status = old.status;
    }
    if same.status == Status::Disputed {
        same.status = old.status;
    }
    let marks = |link: &Link| link.kind == LinkKind::Contradicts && !old.links.contains(link);
    same.links.retain(|link| !marks(link));
    keeps && same == *old
}

/// Entries that had a committed version which was not ours.
///
/// They go by their id: after a merge a path can hold another entry than before.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub(crate) struct People {
    revision: String,
    entries: BTreeSet<String>,
}

impl People {
    /// Looks at the commits that were not looked at yet.
    pub(crate) fn look(git: &Git, root: &Path, work: &Derived) -> Result<People, GitError> {
        let Some(revision) = git.revision() else { return Ok(People::default()) };
        let remembered = std::fs::read(work.folder().join(REMEMBERED)).ok();
        let known: Option<People> = remembered.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        if let Some(known) = known.clone().filter(|known| known.revision == revision) {
            return Ok(known);
        }
        let mut people =
            known.filter(|known| git.is_ancestor(&known.revision, &revision)).unwrap_or_default();
        let since = Some(people.revision.as_str()).filter(|since| !since.is_empty());
        let top = std::fs::canonicalize(git.top()).unwrap_or_else(|_| git.top().to_owned());
        let inside = root.strip_prefix(&top).map(|path| path.to_string_lossy().replace('\\', "/"));
        let Ok(prefix) = inside else { return Ok(People::default()) };
        let blobs = git.blobs(since, root)?;
        let within = |path: &str| {
            let rest = if prefix.is_empty() { Some(path) } else { path.strip_prefix(&format!("{prefix}/")) };
            rest.filter(|path| layout::is_entry(path) && !layout::is_ours(path)).map(str::to_owned)
        };
        let wanted: Vec<(String, &str)> =
            blobs.iter().filter_map(|blob| Some((within(&blob.path)?, blob.id.as_str()))).collect();
        for batch in wanted.chunks(BATCH) {
            let ids: Vec<&str> = batch.iter().map(|(_, id)| *id).collect();
            let contents = git.contents(&ids)?;
            for ((path, _), bytes) in batch.iter().zip(contents) {
                if curator(&String::from_utf8_lossy(&bytes), Curator::Auto) != Curator::Auto {
                    people.entries.extend(format::read(path, &bytes).entry.map(|entry| entry.id.to_string()));
                }
            }
        }
        people.revision = revision;
        if let Ok(bytes) = serde_json::to_vec(&people) {
            let _ = work.write(REMEMBERED, &bytes);
        }
        Ok(people)
    }

    /// Tells whether a person had a hand in the entry.
    pub(crate) fn touched(&self, id: &EntryId) -> bool {
        self.entries.contains(id.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lore_core::{Kind, LifecycleState, Signal, Source, Voice};

    fn entry(kind: Kind) -> Entry {
        Entry::new(EntryId::new(kind, jiff::civil::date(2026, 2, 20), "a thing"), kind, "A thing")
    }

    #[test]
    fn an_edit_is_noticed_by_the_hash() {
        let ours =
            format::with_hash(&format::write(&Entry { body: "We said so.\n".into(), ..entry(Kind::Fact) }));
        let check = |text: &str, said, expected| assert_eq!(curator(text, said), expected, "{text}");
        check(&ours, Curator::Auto, Curator::Auto);
        check(&ours, Curator::Human, Curator::Human);
        let edited = ours.replace("We said", "I say");
        check(&edited, Curator::Auto, Curator::Mixed);
        check(&edited, Curator::Human, Curator::Human);
        check("---\ntype: fact\n---\nMine.\n", Curator::Auto, Curator::Human);
        check("no front matter at all", Curator::Auto, Curator::Human);
    }

    #[test]
    fn on_a_persons_entry_only_evidence_is_added() {
        let old = Entry { sources: vec![Source::new("a", Voice::Person)], ..entry(Kind::Fact) };
        let check = |new: Entry, expected: bool| assert_eq!(may_change(&old, &new), expected, "{new:?}");
        let mut more = old.clone();
        more.sources.push(Source::new("b", Voice::Agent));
        check(more, true);
        check(Entry { sources: Vec::new(), ..old.clone() }, false);
        check(Entry { title: "Another".into(), ..old.clone() }, false);
        check(Entry { body: "changed".into(), ..old.clone() }, false);

        let signal = entry(Kind::Signal);
        let moved = Signal { lifecycle_state: LifecycleState::Triaged, ..Signal::default() };
        assert!(may_change(&signal, &Entry { detail: Detail::Signal(moved.clone()), ..signal.clone() }));
        let louder = Signal { polarity: Some("negative".into()), ..moved };
        assert!(!may_change(&signal, &Entry { detail: Detail::Signal(louder), ..signal.clone() }));
    }
}
