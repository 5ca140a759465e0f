//! Knowing cheaply whether anything changed, and the start of a session ready to be said.
//!
//! A hook has a few milliseconds: too few to look at ten thousand files. Writers of ours move the
//! journal, and nearly everything else (an editor's rename, git) moves the time of a folder. What
//! is shown is compared with its file besides, so that an edit in place is noticed where it
//! matters; every other command looks at all files anyway.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::Ordering;

use lore_core::text::tokens;
use lore_core::{ContentHash, Moment, sentinel};
use lore_surface::{Pick, pack, rule_line, rules, tells_whole};
use serde::{Deserialize, Serialize};

use super::{Context, ContextItem, PREFACE_START, item};
use crate::news::{Reader, Recent};
use crate::others::{PERSONAL, is_private};
use crate::own_files::FileTime;
use crate::query::Across;
use crate::verdicts::judge;
use crate::{Engine, Error};

const STEP: &str = "cache/context/step";
const START: &str = "cache/context/start.json";
/// Moves when what lies ready means something else than before, so that none of an older program is said.
const SHAPE: &str = "3";
/// More rules than this are never shown at once.
const READY: usize = 40;

/// The rules, ready to be said.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Start {
    step: String,
    picks: Vec<Ready>,
    /// How many there are in all.
    all: usize,
    recent: Recent,
}

#[derive(Debug, Serialize, Deserialize)]
struct Ready {
    card: lore_surface::Card,
    says: Vec<String>,
    against: Option<lore_surface::Against>,
}

impl Engine {
    /// Writes the rules that people set, the user's own too, without those that were said already.
    pub(super) fn say_rules(
        &self,
        budget: usize,
        said: &BTreeSet<String>,
        context: &mut Context,
    ) -> Result<String, Error> {
        let mut start = self.start()?;
        if let Some(own) = self.own_rules() {
            start.all += own.all;
            start.picks.extend(own.picks);
        }
        let count = start.picks.len();
        start.picks.retain(|ready| !said.contains(ready.card.entry.id.as_str()));
        start.all -= count - start.picks.len();
        if start.picks.is_empty() {
            return Ok(String::new());
        }
        let today = Moment::Instant(self.world.now);
        let mut verdicts = self.verdicts();
        let picks: Vec<Pick> = start
            .picks
            .into_iter()
            .map(|ready| Pick {
                card: ready.card,
                says: ready.says,
                reason: lore_surface::PickReason::Preference,
                score: 1.0,
                against: ready.against,
                replaced_by: None,
            })
            .collect();
        let mut lines = Vec::new();
        let mut judged = Vec::new();
        let mut spent = 0;
        for pick in &picks {
            if spent > 2 * budget {
                break;
            }
            let one = judge(&pick.card.entry, &mut verdicts);
            let line = rule_line(pick, &one.standing);
            spent += tokens(&line.short);
            lines.push(line);
            judged.push(one);
        }
        verdicts.save();
        let more = |count: usize| format!("- and {count} more: `lore list --rules`");
        let frame = tokens(&sentinel::wrap(PREFACE_START)) + tokens(&more(start.all)) + 2;
        let packed = pack(&lines, budget.saturating_sub(frame));
        if packed.lines.is_empty() {
            return Ok(String::new());
        }
        let mut text = format!("{PREFACE_START}\n");
        for line in &packed.lines {
            text.push_str(line);
            text.push('\n');
        }
        if start.all > packed.lines.len() {
            text.push_str(&more(start.all - packed.lines.len()));
            text.push('\n');
        }
        for (at, (pick, judged)) in picks.iter().zip(judged).enumerate() {
            let line = packed.taken.iter().position(|taken| *taken == at).map(|line| &packed.lines[line]);
            if let Some(line) = line {
                let is_whole = tells_whole(pick, line);
                context.items.push(ContextItem { is_whole, ..item(pick, judged, today) });
            }
        }
        Ok(text)
    }

    /// Reads the rules of the user's own base, where there is one; what cannot be read is left out.
    fn own_rules(&self) -> Option<Start> {
        let others = self.others(&Across::Here).ok()?;
        let (_, own) = others.into_iter().find(|(name, _)| name == PERSONAL)?;
        let own = Engine { patience: self.patience, ..own };
        let mut start = own.start().ok()?;
        let all = start.picks.len();
        start.picks.retain(|ready| !is_private(&ready.card.entry.tags));
        start.all -= all - start.picks.len();
        Some(start)
    }

    /// Says in one line what is new and disputed since the last session began; empty where nothing is.
    pub(super) fn say_news(&self) -> Result<String, Error> {
        let news = self.news_of(&self.start()?.recent, Reader::Agent);
        Ok(news.line(self.world.now).map(|line| format!("{line}\n")).unwrap_or_default())
    }

    /// Reads the start that lies ready, or makes it anew where something changed.
    fn start(&self) -> Result<Start, Error> {
        let path = self.store.work().path(START)?;
        let ready: Option<Start> =
            std::fs::read(&path).ok().and_then(|bytes| serde_json::from_slice(&bytes).ok());
        let step = self.step();
        if let Some(start) = ready.filter(|start| start.step == step) {
            let written = FileTime::of(&path);
            let edited = |pick: &Ready| written.is_before(&self.root().join(&pick.card.path));
            if !start.picks.iter().any(edited) {
                return Ok(start);
            }
        }
        let picks = self.with_library(|index| rules(&index.snapshot()))?;
        self.note_step();
        let behind = self.behind.load(Ordering::Relaxed);
        let all = picks.len();
        let ready = |mut pick: Pick| {
            // What it says is picked out already, and reading the whole again takes its time.
            pick.card.entry.body.clear();
            pick.card.entry.sources.clear();
            Ready { card: pick.card, says: pick.says, against: pick.against }
        };
        let picks = picks.into_iter().take(READY).map(ready).collect();
        let recent = Recent::of(&*self.store.snapshot()?);
        let start = Start { step: self.step(), picks, all, recent };
        if behind {
            return Ok(start);
        }
        if let Err(error) = self.store.work().write_json_clean(START, &start) {
            tracing::debug!(%error, "the start will be made again");
        }
        Ok(start)
    }

    /// Tells whether the index is still in step with the base, as far as a glance can tell.
    pub(crate) fn is_in_step(&self) -> bool {
        let path = self.store.work().folder().join(STEP);
        std::fs::read_to_string(path).is_ok_and(|noted| noted == self.step())
    }

    /// Remembers that the index is in step now.
    pub(super) fn note_step(&self) {
        if self.behind.load(Ordering::Relaxed) {
            return;
        }
        if let Err(error) = self.store.work().write(STEP, self.step().as_bytes()) {
            tracing::debug!(%error, "the index will be looked at again");
        }
    }

    /// Forgets that the index was in step, so that the next worker brings it there.
    pub(crate) fn forget_step(&self) -> Result<(), Error> {
        self.store.work().remove(START)?;
        Ok(self.store.work().remove(STEP)?)
    }

    /// Names the state of the base by the times of its folders and of the journal.
    fn step(&self) -> String {
        let mut text = format!("{SHAPE}\n");
        let mut note = |path: &Path| {
            if let Ok(about) = path.symlink_metadata() {
                let at = about.modified().ok().and_then(|at| jiff::Timestamp::try_from(at).ok());
                text.push_str(&format!("{} {} {at:?}\n", path.display(), about.len()));
            }
        };
        note(&self.store.work().folder().join("staging/journal"));
        note(&self.root().join("index.md"));
        for topic in folders(self.root()) {
            note(&topic);
            note(&topic.join("index.md"));
            if NESTED.iter().any(|name| topic.ends_with(name)) {
                folders(&topic).iter().for_each(|folder| note(folder));
            }
        }
        ContentHash::of(text.as_bytes()).short().to_owned()
    }
}

/// Topics that have folders of their own.
const NESTED: [&str; 3] = ["lessons", "signals", "spikes"];

fn folders(path: &Path) -> Vec<std::path::PathBuf> {
    let listing = std::fs::read_dir(path).into_iter().flatten().flatten();
    let mut folders: Vec<_> = listing
        .filter(|file| file.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|file| file.path())
        .collect();
    folders.sort();
    folders
}
