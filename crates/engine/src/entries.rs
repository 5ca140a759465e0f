//! Looking at entries and changing them one at a time.

mod listed;

use lore_core::text::counted;
use lore_core::{Confidence, Detail, Entry, EntryId, Kind, Link, LinkKind, Moment, Stamp, Status, Trust};
use lore_store::{Stored, Summary};
use serde::Serialize;

pub use self::listed::{Filter, Item};
use crate::ended::Ended;
use crate::meet::{Meeting, Met};
use crate::review::replace_all;
use crate::{Engine, Error};

/// An entry, whole.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Shown {
    /// The entry.
    pub entry: Entry,
    /// How far it can be relied on.
    pub trust: Option<Trust>,
    /// Its file, relative to the base.
    pub path: String,
    /// The file's text.
    pub text: String,
    /// What is linked to it from elsewhere.
    pub linked_from: Vec<Link>,
    /// How it ended, where it no longer holds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ended: Option<Ended>,
    /// What was odd about the file.
    pub diagnostics: Vec<lore_core::Diagnostic>,
}

/// A new entry as a person gives it.
#[derive(Debug, Clone, Default)]
pub struct NewEntry {
    /// Its kind.
    pub kind: Option<Kind>,
    /// Its title.
    pub title: String,
    /// The Markdown below the title.
    pub body: String,
    /// Subject words.
    pub tags: Vec<String>,
    /// Files it is about.
    pub files: Vec<String>,
    /// Issues it belongs to.
    pub issues: Vec<String>,
    /// Entries it replaces.
    pub supersedes: Vec<String>,
    /// Conditions it rests on.
    pub depends_on: Vec<String>,
    /// How sure the person is.
    pub confidence: Option<Confidence>,
}

/// What a command did to an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Done {
    /// The entry.
    pub id: EntryId,
    /// Its file, relative to the base.
    pub path: String,
    /// What a new one met among what was known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub met: Option<Met>,
    /// Whether only a rehearsal was asked for.
    pub dry_run: bool,
}

/// What became of a removed entry.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Removed {
    /// The entry.
    pub id: EntryId,
    /// The file it was in, relative to the base.
    pub path: String,
    /// What it had replaced, and nothing else replaces.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub holds_again: Vec<EntryId>,
    /// Whether only a rehearsal was asked for.
    pub dry_run: bool,
}

impl Engine {
    /// Reads a time in the past as people say it: a date, `7d`, `yesterday`, `monday`.
    pub fn looking_back(&self, text: &str) -> Result<Moment, Error> {
        Ok(Moment::looking_back(text, self.world.now)?)
    }

    /// Lists entries, newest first, and says which the code shows to be over.
    pub fn list(&self, filter: &Filter) -> Result<Vec<Item>, Error> {
        self.marked(self.listed(filter)?)
    }

    /// Lists entries, newest first, as they were written.
    pub(crate) fn listed(&self, filter: &Filter) -> Result<Vec<Item>, Error> {
        let snapshot = self.store.snapshot()?;
        let mut found: Vec<&Summary> = snapshot.summaries().filter(|summary| filter.fits(summary)).collect();
        found.sort_by(|a, b| b.updated.cmp(&a.updated).then_with(|| a.id.cmp(&b.id)));
        Ok(found.into_iter().map(Item::of).collect())
    }

    /// Lists the rules that people set, as a session hears them at its start.
    pub fn rules(&self, filter: &Filter) -> Result<Vec<Item>, Error> {
        let picks = self.with_library(|index| lore_surface::rules(&index.snapshot()))?;
        let snapshot = self.store.snapshot()?;
        let item = |pick: &lore_surface::Pick| {
            let entry = &pick.card.entry;
            let summary = snapshot.find(entry.id.as_str()).filter(|summary| filter.fits(summary))?;
            let further = if entry.status == Status::Disputed {
                &[][..]
            } else {
                pick.says.get(1..).unwrap_or_default()
            };
            Some(Item { also: further.to_vec(), ..Item::of(summary) })
        };
        self.marked(picks.iter().filter_map(item).collect())
    }

    /// Shows one entry.
    pub fn show(&self, name: &str) -> Result<Shown, Error> {
        let snapshot = self.store.snapshot()?;
        let summary = snapshot.resolve(name)?;
        let stored = snapshot.read(summary)?;
        let names = |target: &str| {
            target == summary.id.as_str() || summary.aliases.iter().any(|alias| alias == target)
        };
        let mut linked_from: Vec<Link> = Vec::new();
        for other in snapshot.summaries() {
            for link in other.links.iter().filter(|link| names(&link.target)) {
                let link = Link::new(link.kind, other.id.as_str());
                // It may be named by its id and by an earlier one.
                if !linked_from.contains(&link) {
                    linked_from.push(link);
                }
            }
        }
        Ok(Shown {
            trust: stored.entry.trust(),
            path: stored.path.clone(),
            text: stored.shown_text().map_or_else(|| stored.entry.body.clone(), std::borrow::Cow::into_owned),
            linked_from,
            ended: self.ended(&snapshot, &stored.entry),
            diagnostics: stored.diagnostics.clone(),
            entry: stored.entry,
        })
    }

    /// Adds an entry in a person's name.
    pub fn add(&self, new: NewEntry, dry_run: bool) -> Result<Done, Error> {
        let title = new.title.trim();
        if title.is_empty() {
            return Err(Error::request("an entry needs a title", "give it as the first argument, in quotes"));
        }
        if !new.supersedes.is_empty() {
            let instead = "leave `--supersedes` out: what contradicts is found and marked";
            self.only_a_person("replace an entry by its own word", instead)?;
        }
        self.keep_private(&new.tags)?;
        let files = self.all_from_project(&new.files)?;
        let conditions = new.depends_on.iter().map(|text| self.condition_from_project(text));
        let depends_on = conditions.collect::<Result<Vec<_>, _>>()?;
        let kind = self.kind_for(new.kind.unwrap_or(Kind::Fact));
        let now = self.world.moment();
        let mut transaction = self.begin("new")?;
        let id = transaction.free_id(&EntryId::new(kind, now.date(), title));
        let mut entry = Entry::new(id, kind, title);
        entry.tags = new.tags;
        entry.files = files;
        entry.issues = new.issues.iter().map(|issue| issue.trim_start_matches('#').to_owned()).collect();
        entry.depends_on = depends_on;
        entry.confidence = Some(new.confidence.unwrap_or(Confidence::High));
        entry.body = body_of(title, &new.body);
        entry.description = first_sentence(&new.body);
        self.sign(&mut entry);
        if let Some(opposed) = self.against_known(&entry, &mut transaction)? {
            if !dry_run {
                self.commit(transaction, &format!("dispute {}", opposed.id))?;
            }
            return Ok(Done { id: opposed.id, path: opposed.path, met: None, dry_run });
        }
        let mut replaced = Vec::new();
        for name in &new.supersedes {
            let old = self.resolve_in(&transaction, name)?;
            entry.links.push(Link::new(LinkKind::Supersedes, old.entry.id.as_str()));
            replaced.push(old);
        }
        // Whoever names what it replaces has compared already.
        let met = if replaced.is_empty() { self.meet(&entry, &transaction)? } else { None };
        let met = met.filter(|met| met.how != Meeting::Known);
        let changed = match &met {
            Some(met) => self.tie(&mut entry, met, &transaction)?,
            None => Vec::new(),
        };
        let new_id = entry.id.clone();
        let written = transaction.create(entry)?;
        replace_all(&mut transaction, changed)?;
        let fallen = replaced.into_iter().map(|old| {
            let mut entry = old.entry;
            entry.status = Status::Superseded;
            entry.links.push(Link::new(LinkKind::SupersededBy, new_id.as_str()));
            (entry, old.version)
        });
        replace_all(&mut transaction, fallen.collect())?;
        let done = Done { id: written.id, path: written.path, met, dry_run };
        if !dry_run {
            self.commit(transaction, &format!("add {}", done.id))?;
        }
        Ok(done)
    }

    /// Removes an entry; it stays removed, also in other clones.
    pub fn remove(&self, name: &str, why: &str, dry_run: bool) -> Result<Removed, Error> {
        let mut transaction = self.begin("rm")?;
        let old = self.resolve_in(&transaction, name)?;
        if old.entry.rests_on_a_person() {
            let instead = "say why it is wrong with `lore learn`, so that both sides are shown to a person, or ask the user to run `lore rm` themselves";
            self.only_a_person("remove what a person said or confirmed", instead)?;
        }
        let id = old.entry.id.clone();
        let replaced = |summary: &&Summary| {
            let mut by = summary.links.iter().filter(|link| link.kind == LinkKind::SupersededBy).peekable();
            summary.status == Status::Superseded
                && by.peek().is_some()
                && by.all(|link| link.target == id.as_str())
        };
        let holds_again =
            transaction.base().summaries().filter(replaced).map(|summary| summary.id.clone()).collect();
        let done = Removed { id, path: old.path, holds_again, dry_run };
        if !dry_run {
            transaction.remove(done.id.as_str(), why)?;
            self.commit(transaction, &format!("remove {}", done.id))?;
        }
        Ok(done)
    }

    /// Marks entries as confirmed by the user.
    pub fn verify(&self, names: &[String], dry_run: bool) -> Result<Vec<Done>, Error> {
        self.only_a_person("confirm an entry", "ask the user to run `lore verify` themselves")?;
        let mut transaction = self.begin("verify")?;
        let stamp = Stamp { by: self.world.person(), at: Some(self.world.moment()) };
        let mut done = Vec::new();
        for name in names {
            let mut old = self.resolve_in(&transaction, name)?;
            old.entry.verified.retain(|known| known.by != stamp.by);
            old.entry.verified.push(stamp.clone());
            let written = transaction.replace(old.entry, old.version)?;
            done.push(Done { id: written.id, path: written.path, met: None, dry_run });
        }
        if !dry_run {
            self.commit(transaction, &format!("verify {}", counted(done.len(), "entry", "entries")))?;
        }
        Ok(done)
    }

    pub(crate) fn resolve_in(
        &self,
        transaction: &lore_store::Transaction<'_>,
        name: &str,
    ) -> Result<Stored, Error> {
        let id = transaction.base().resolve_whole(name)?.id.clone();
        Ok(transaction.get(id.as_str())?)
    }
}

/// Puts the title above the text, as every article has it.
fn body_of(title: &str, body: &str) -> String {
    let body = body.trim();
    let heading = if body.starts_with("# ") { String::new() } else { format!("# {title}\n\n") };
    format!("{heading}{body}\n")
}

/// Takes the first sentence of the prose, for lists.
pub(crate) fn first_sentence(body: &str) -> Option<String> {
    let line = body.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'))?;
    let first = lore_distill::extract::sentences_in(line).first().copied().unwrap_or(line);
    Some(first.trim_end_matches('.').to_owned()).filter(|sentence| !sentence.is_empty())
}

/// Cuts a statement to the length of a description.
pub(crate) fn in_short(text: &str) -> String {
    match text.char_indices().nth(160) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

/// Returns the skeleton of a new entry of a kind, for an editor.
pub fn skeleton(kind: Kind) -> &'static str {
    match Detail::empty(kind) {
        Detail::Decision(_) => {
            "What was decided, in one sentence.\n\n## Why\n\n## Alternatives\n\n## Consequences\n"
        }
        Detail::Resolution(_) => "What the problem was.\n\n## Root cause\n\n## Solution\n",
        Detail::Pattern(_) => {
            "What to do, in one sentence.\n\n## When to use it\n\n## When not\n\n## Example\n"
        }
        Detail::Feedback(_) => "What was found.\n\n## Recommendation\n",
        Detail::Signal(_) => "## What Happened\n\n## Context\n\n## Potential Cause\n",
        Detail::Spike(_) => "## Question\n\n## Criteria\n\n## Answer\n",
        Detail::Lesson(_) => {
            "What was learned, in one sentence.\n\n## When it applies\n\n## Recommendation\n"
        }
        Detail::None => "The statement, in one or two sentences.\n\n## Context\n",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_sentences_are_short() {
        let check =
            |body: &str, expected: Option<&str>| assert_eq!(first_sentence(body).as_deref(), expected);
        check("# Title\n\nWe use it. Because.", Some("We use it"));
        check("One line", Some("One line"));
        check("Children see Dr. Okafor in room 3.", Some("Children see Dr. Okafor in room 3"));
        check("# Title\n", None);
    }
}
