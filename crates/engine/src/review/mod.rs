//! A person goes through what the machine wrote: keep, reject, merge, supersede, settle.
//!
//! Nothing is remembered beside the base. What a person kept carries their stamp, what they
//! rejected has a tombstone, so the list of what is left follows from the files alone.

mod apart;
mod join;
mod keep;
mod own;
mod page;
mod settle;
mod sides;
mod twins;

use lore_core::{Claim, Curator, Entry, EntryId, Kind, LinkKind, Moment, Stamp, Standing, Status, one_line};
use lore_store::{Stored, Summary, Transaction};
use serde::{Deserialize, Serialize};

pub(crate) use self::apart::{reconcile, replace_all};
pub use self::page::{CitedWords, ReviewPage, ReviewPlace};
pub use self::sides::Side;
pub(crate) use self::sides::in_question;
use self::sides::{sides, still_says};
use crate::ended::Named;
use crate::entries::{Filter, Item};
use crate::{Engine, Error};

/// Why an entry is to be looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// One person rejected it while another edited it; the edit stands until somebody decides.
    Rejected,
    /// Its sources contradict each other.
    Disputed,
    /// Something in it seems to have been replaced by something later.
    PossiblyReplaced,
    /// The machine wrote it and no person has confirmed it.
    New,
    /// Rules wrote it and an editor found nothing in it that lasts: it is shown to nobody until a person keeps it.
    SetAside,
}

/// An entry that waits for a person.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Pending {
    /// The entry.
    #[serde(flatten)]
    pub item: Item,
    /// Why it waits.
    pub cause: Cause,
    /// Who rejected it and why, where somebody did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rejected: Option<String>,
    /// The entries that stand against it, where it is disputed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub against: Vec<Named>,
}

/// What a person decides about an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "ruling", rename_all = "lowercase")]
pub enum Ruling {
    /// It is right.
    Keep,
    /// It is not worth keeping and must not come back.
    Reject {
        /// Why, for others.
        why: String,
    },
    /// It says what another entry says.
    Merge {
        /// The entry that stays.
        into: String,
    },
    /// Another entry holds instead.
    Supersede {
        /// The entry that holds.
        by: String,
    },
    /// One side of the dispute is right.
    Settle {
        /// The number of the side.
        side: usize,
        /// What that side said to whoever chose it; where it says something else by now, nothing is settled.
        #[serde(default, skip_serializing)]
        says: Option<String>,
    },
    /// All sides are right: they speak of different things.
    Both,
}

/// Refuses what was decided upon another text than there is.
fn is_as_shown(stored: &Stored, shown: &str) -> Result<(), Error> {
    if stored.version.to_string() == shown {
        return Ok(());
    }
    let sentence = format!("`{}` was changed since it was shown; nothing was decided", stored.path);
    Err(Error::request(sentence, "read what it says now, and decide then"))
}

/// What became of an entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reviewed {
    /// The entry.
    pub id: EntryId,
    /// What was decided.
    #[serde(flatten)]
    pub ruling: Ruling,
    /// The other entry, where there is one.
    pub other: Option<EntryId>,
    /// Whether only a rehearsal was asked for.
    pub dry_run: bool,
    /// The run that did it, by which it can be taken back.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
}

impl Cause {
    /// Returns its word.
    pub const fn word(self) -> &'static str {
        match self {
            Cause::Rejected => "rejected",
            Cause::Disputed => "disputed",
            Cause::PossiblyReplaced => "possibly replaced",
            Cause::New => "new",
            Cause::SetAside => "set aside",
        }
    }
}

impl Engine {
    /// Lists what waits for a person in the order of causes, of each the newest first: what was rejected and is
    /// there again, disputes, what may be replaced, what is new, what was set aside.
    pub fn to_review(&self, filter: &Filter) -> Result<Vec<Pending>, Error> {
        let snapshot = self.store.snapshot()?;
        let stones = self.store.tombstones();
        let rejected = |summary: &Summary| {
            let stone = stones.get(&summary.id)?;
            Some(format!("rejected by {} on {}: {}", stone.by, stone.on, stone.why))
        };
        let cause = |summary: &Summary| match summary.status {
            _ if stones.get(&summary.id).is_some() => Some(Cause::Rejected),
            Status::Disputed => Some(Cause::Disputed),
            Status::Current if summary.doubted => Some(Cause::PossiblyReplaced),
            Status::Current if summary.is_unreviewed() => Some(Cause::New),
            Status::Outdated if summary.curated_by == Curator::Auto => {
                let entry = snapshot.read(summary).ok()?.entry;
                entry.is_set_aside().then_some(Cause::SetAside)
            }
            _ => None,
        };
        let wanted =
            |summary: &&Summary| !summary.archived && summary.kind != Kind::Signal && filter.fits(summary);
        let against = apart::Against::of(&snapshot);
        let mut pending: Vec<Pending> = snapshot
            .summaries()
            .filter(wanted)
            .filter_map(|summary| {
                let item = Item::of(summary);
                let against = against.entry(summary);
                Some(Pending { item, cause: cause(summary)?, rejected: rejected(summary), against })
            })
            .collect();
        pending.sort_by(|a, b| {
            let newest = b.item.updated.cmp(&a.item.updated);
            a.cause.cmp(&b.cause).then(newest).then_with(|| a.item.id.cmp(&b.item.id))
        });
        Ok(pending)
    }

    /// Keeps those of the waiting entries that an editor wrote or changed: `model`, `agent`, or with its name.
    pub fn reviewed_by(&self, pending: Vec<Pending>, by: &str) -> Result<Vec<Pending>, Error> {
        let snapshot = self.store.snapshot()?;
        let is_theirs = |one: &Pending| {
            let summary = snapshot.find(one.item.id.as_str())?;
            let entry = snapshot.read(summary).ok()?.entry;
            let editor = entry.extra.get("edited")?.get("by")?.as_str()?.to_owned();
            let name = editor.split_once(' ').map_or("", |(_, name)| name).to_owned();
            (editor.starts_with(by) || name == by).then_some(())
        };
        Ok(pending.into_iter().filter(|one| is_theirs(one).is_some()).collect())
    }

    /// Does what a person decided about an entry.
    pub fn review(&self, name: &str, ruling: Ruling, dry_run: bool) -> Result<Reviewed, Error> {
        let mut done = self.review_all(&[name.to_owned()], &ruling, dry_run)?;
        done.pop().ok_or_else(|| Error::request("no entry was named", "name one"))
    }

    /// Does what a person decided about an entry upon the text that they were shown, as a view names it; where it says
    /// something else by now, nothing is done.
    pub fn review_shown(&self, name: &str, ruling: &Ruling, shown: &str) -> Result<Reviewed, Error> {
        let mut done = self.review_some(&[name.to_owned()], ruling, false, Some(shown))?;
        done.pop().ok_or_else(|| Error::request("no entry was named", "name one"))
    }

    /// Does what a person decided about several entries: all of it or nothing.
    pub fn review_all(
        &self,
        names: &[String],
        ruling: &Ruling,
        dry_run: bool,
    ) -> Result<Vec<Reviewed>, Error> {
        self.review_some(names, ruling, dry_run, None)
    }

    fn review_some(
        &self,
        names: &[String],
        ruling: &Ruling,
        dry_run: bool,
        shown: Option<&str>,
    ) -> Result<Vec<Reviewed>, Error> {
        self.only_a_person("decide a review", "ask the user to run `lore review` themselves")?;
        let other = match ruling {
            Ruling::Merge { into } => Some(into.clone()),
            Ruling::Supersede { by } => Some(by.clone()),
            Ruling::Keep | Ruling::Reject { .. } | Ruling::Settle { .. } | Ruling::Both => None,
        };
        let ours = |name: &str| -> Result<bool, Error> {
            let snapshot = self.store.snapshot()?;
            Ok(snapshot.resolve_whole(name)?.curated_by == Curator::Auto)
        };
        let is_ours =
            matches!(ruling, Ruling::Merge { .. } | Ruling::Supersede { .. } | Ruling::Settle { .. })
                && names.iter().try_fold(true, |all, name| -> Result<bool, Error> {
                    let others = self.opponents(name)?;
                    Ok(all && ours(name)? && others.iter().all(|other| ours(other).unwrap_or(true)))
                })?
                && other.as_deref().map_or(Ok(true), ours)?;
        let mut transaction =
            if is_ours { self.begin_leaving_it_ours("review")? } else { self.begin("review")? };
        let mut done = Vec::new();
        let mut said = "";
        for name in names {
            if let Some(shown) = shown {
                is_as_shown(&self.resolve_in(&transaction, name)?, shown)?;
            }
            let (reviewed, word) = self.rule(&mut transaction, name, ruling, other.as_deref(), dry_run)?;
            done.push(reviewed);
            said = word;
        }
        if !dry_run {
            let ids: Vec<&str> = done.iter().map(|one| one.id.as_str()).collect();
            let run = self.commit(transaction, &format!("{said} {}", ids.join(", ")))?.run;
            done.iter_mut().for_each(|one| one.run.clone_from(&run));
        }
        Ok(done)
    }

    /// Does what was decided about one entry within a transaction.
    fn rule(
        &self,
        transaction: &mut Transaction<'_>,
        name: &str,
        ruling: &Ruling,
        other: Option<&str>,
        dry_run: bool,
    ) -> Result<(Reviewed, &'static str), Error> {
        let entry = match (self.resolve_in(transaction, name), self.note_called(name)) {
            (Err(_), Some(note)) => return Err(note.is_no_entry()),
            (entry, _) => entry?,
        };
        let id = entry.entry.id.clone();
        let other = other.map(|name| self.resolve_in(transaction, name)).transpose()?;
        let other_id = other.as_ref().map(|other| other.entry.id.clone());
        if other_id.as_ref() == Some(&id) {
            let (what, hint) = match ruling {
                Ruling::Merge { .. } => ("be merged into itself", "`--into` names the entry that stays"),
                _ => ("take its own place", "`--by` names the entry that holds instead"),
            };
            return Err(Error::request(format!("`{id}` cannot {what}"), hint));
        }
        let said = match (ruling, other) {
            (Ruling::Keep, _) => self.keep_entry(transaction, entry)?,
            (Ruling::Reject { why }, _) => {
                transaction.remove(id.as_str(), why)?;
                "rejected"
            }
            (Ruling::Settle { side, says }, _) => {
                if let Some(says) = says {
                    still_says(&sides(transaction.base(), &entry.entry), *side, says)?;
                }
                self.settle_entry(transaction, entry, *side)?
            }
            (Ruling::Both, _) => self.let_both_hold(transaction, entry)?,
            (Ruling::Merge { .. }, Some(other)) => {
                let into = other.entry.id.clone();
                transaction.remove_for(id.as_str(), &format!("merged into {into}"), Some(into.as_str()))?;
                // Its links may just have changed.
                let other = transaction.get(into.as_str())?;
                let joined = join::joined(entry.entry, other.entry);
                transaction.replace(joined, other.version)?;
                "merged"
            }
            (Ruling::Supersede { .. }, Some(other)) => self.supersede_entry(transaction, entry, other)?,
            (Ruling::Merge { .. } | Ruling::Supersede { .. }, None) => {
                return Err(Error::request("the other entry is missing", "name it"));
            }
        };
        Ok((Reviewed { id, ruling: ruling.clone(), other: other_id, dry_run, run: None }, said))
    }

    /// Lists the entries that an entry contradicts.
    fn opponents(&self, name: &str) -> Result<Vec<String>, Error> {
        let snapshot = self.store.snapshot()?;
        let links = &snapshot.resolve(name)?.links;
        let against = links.iter().filter(|link| link.kind == LinkKind::Contradicts);
        Ok(against.map(|link| link.target.clone()).collect())
    }

    fn past(&self, claim: Claim, instead: &str, reason: &str) -> Claim {
        let standing = Standing::Past {
            until: Some(Moment::Day(self.world.moment().date())),
            replaced_by: Some(one_line(instead)),
            reason: Some(reason.to_owned()),
        };
        Claim { standing, ..claim }
    }

    fn confirm(&self, entry: &mut Entry) {
        let stamp = Stamp { by: self.world.person(), at: Some(self.world.moment()) };
        entry.verified.retain(|known| known.by != stamp.by);
        entry.verified.push(stamp);
    }
}
