//! Everything that is wrong with the base, and mending what can be mended safely.

use std::collections::BTreeMap;

use lore_core::{Curator, Diagnostic, EntryId, Level, Moment, Status};
use lore_ground::freshness::Truth;
use lore_store::{CommitOptions, Lists, Owner, Refused, Snapshot, Summary};
use serde::Serialize;

use crate::ended::Named;
use crate::exclude::what_is_in_doubt;
use crate::status::broken_links;
use crate::{Engine, Error};

/// Whether a check also mends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Fix {
    /// Only look.
    #[default]
    No,
    /// Mend what is safe: generated lists, and the front matter of entries that are ours.
    Safe,
}

/// What a check found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CheckReport {
    /// Everything odd, by file.
    pub diagnostics: Vec<Diagnostic>,
    /// How many entries were looked at.
    pub entries: usize,
    /// Files that were mended.
    pub fixed: Vec<String>,
    /// Entries that mending found to contradict each other, so that a person has to decide.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub disputed: Vec<Named>,
}

impl CheckReport {
    /// Tells whether anything needs doing; notes do not.
    pub fn is_clean(&self) -> bool {
        self.diagnostics.iter().all(|diagnostic| diagnostic.level == Level::Note)
    }
}

/// Says of entries whose first words are those of another that one of the two would do: two people said the same in two
/// clones, on two days.
fn said_twice(snapshot: &Snapshot) -> Vec<Diagnostic> {
    let plain = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let mut first: BTreeMap<String, &Summary> = BTreeMap::new();
    let mut found = Vec::new();
    let mut standing: Vec<&Summary> = snapshot
        .summaries()
        .filter(|summary| {
            summary.status == Status::Current
                && !summary.archived
                && lore_distill::article::is_article(summary.kind)
        })
        .collect();
    standing.sort_by(|a, b| (a.created, &a.id).cmp(&(b.created, &b.id)));
    for summary in standing {
        let said = plain(summary.description.as_deref().unwrap_or(&summary.title));
        match first.get(&said) {
            Some(known) if known.kind == summary.kind => {
                let message = format!("says the same as `{}`", known.id.handle());
                let hint =
                    format!("`lore review merge {} --into {}` makes one of them", summary.id, known.id);
                found.push(
                    Diagnostic::new(Level::Note, "said-twice", summary.path.clone(), message).with_hint(hint),
                );
            }
            _ => drop(first.insert(said, summary)),
        }
    }
    found
}

/// Lists the entries that somebody has to decide about, because something is said against them.
fn in_dispute(snapshot: &Snapshot) -> BTreeMap<EntryId, String> {
    let waits =
        |summary: &&Summary| !summary.archived && (summary.status == Status::Disputed || summary.doubted);
    snapshot.summaries().filter(waits).map(|summary| (summary.id.clone(), summary.title.clone())).collect()
}

impl Engine {
    /// Looks at every file of the base.
    pub fn check(&self, fix: Fix) -> Result<CheckReport, Error> {
        let (fixed, before) = match fix {
            Fix::No => (Vec::new(), None),
            Fix::Safe => {
                let before = in_dispute(&*self.store.snapshot()?);
                (self.mend()?, Some(before))
            }
        };
        let snapshot = self.store.snapshot()?;
        let disputed = before.map(|before| {
            let new = in_dispute(&snapshot).into_iter().filter(|(id, _)| !before.contains_key(id));
            new.map(|(id, title)| Named { id, title }).collect()
        });
        let mut diagnostics = snapshot.diagnostics();
        diagnostics.extend(self.store.oddities());
        let undecided = self.undecided_files();
        // Of a file that is in conflict nothing else is worth saying.
        diagnostics.retain(|found| !undecided.iter().any(|file| file.place.file == found.place.file));
        diagnostics.extend(undecided);
        diagnostics.extend(broken_links(&snapshot).into_iter().map(|link| {
            let message = format!("`{}` leads to `{}`, which is not in the base", link.key, link.target);
            Diagnostic::new(Level::Warning, "broken-link", link.path, message)
                .with_hint(format!("correct or remove it with `lore edit {}`", link.from))
        }));
        let today = Moment::Instant(self.world.now);
        for summary in snapshot.summaries().filter(|summary| !summary.archived) {
            if let Some(day) = summary.stale_after.filter(|day| day.date() <= today.date()) {
                let message = format!("was to be looked at again from {}", day.date());
                let hint = format!("confirm it with `lore verify {}`, or correct it", summary.id);
                diagnostics.push(
                    Diagnostic::new(Level::Note, "stale", summary.path.clone(), message).with_hint(hint),
                );
            }
        }
        for judged in self.judge_all(&snapshot) {
            for condition in judged.conditions.iter().filter(|condition| condition.truth == Truth::Broken) {
                let evidence = condition.evidence.join("; ");
                let message =
                    format!("rests on `{}`, which no longer holds: {evidence}", condition.condition);
                let hint = format!("correct it with `lore edit {}`, or replace it", judged.id);
                diagnostics.push(
                    Diagnostic::new(Level::Warning, "no-longer-true", judged.path.clone(), message)
                        .with_hint(hint),
                );
            }
        }
        diagnostics.extend(said_twice(&snapshot));
        diagnostics.extend(self.signals_that_wait()?);
        diagnostics.extend(self.config.ignored.iter().filter(|ignored| ignored.leaves_out).map(|ignored| {
            let path = ignored.path.display().to_string();
            Diagnostic::new(Level::Error, "settings-in-doubt", path, what_is_in_doubt(ignored))
                .with_hint(format!("{}; until then nothing is kept", ignored.hint))
        }));
        diagnostics.extend(self.config.unknown.iter().map(|(path, key)| {
            Diagnostic::new(
                Level::Warning,
                "unknown-setting",
                path.display().to_string(),
                format!("there is no setting `{key}`"),
            )
            .with_hint("`lore config list` shows every setting")
        }));
        diagnostics.extend(self.config.renamed.iter().map(|(path, key)| {
            let now = crate::config::present_name(key);
            Diagnostic::new(
                Level::Warning,
                "renamed-setting",
                path.display().to_string(),
                format!("`{key}` is called `{now}` now, and counts under its old name for this version only"),
            )
            .with_hint(format!("`lore config set {now} VALUE`, and take the old line out"))
        }));
        diagnostics.sort();
        Ok(CheckReport {
            entries: snapshot.len(),
            diagnostics,
            fixed,
            disputed: disputed.unwrap_or_default(),
        })
    }

    /// Writes the front matter of our own damaged entries anew and makes every list again.
    fn mend(&self) -> Result<Vec<String>, Error> {
        let mut transaction = self.store.begin(&Owner::machine("check"), self.world.now)?;
        let mended = transaction.mend(self.undecided())?;
        let damaged: Vec<String> = transaction
            .base()
            .diagnostics()
            .into_iter()
            .filter(|diagnostic| diagnostic.level > Level::Note)
            .map(|diagnostic| diagnostic.place.file)
            .collect();
        let ours: Vec<_> = transaction
            .base()
            .summaries()
            .filter(|summary| summary.curated_by == Curator::Auto && damaged.contains(&summary.path))
            .map(|summary| summary.id.clone())
            .collect();
        for id in ours {
            let stored = transaction.get(id.as_str())?;
            if mended.decided.contains(&stored.path) {
                continue;
            }
            let text = lore_store::format::write(&stored.entry);
            match transaction.replace_text(&id, &text, stored.version) {
                Ok(_)
                | Err(
                    Refused::Protected { .. }
                    | Refused::Secret { .. }
                    | Refused::Forgotten { .. }
                    | Refused::Frozen { .. },
                ) => {}
                Err(error) => return Err(error.into()),
            }
        }
        let committed =
            transaction.commit(&CommitOptions { lists: Lists::All, ..CommitOptions::default() })?;
        let mut files = committed.files;
        files.extend(self.settle_waiting()?);
        if !mended.decided.is_empty() {
            self.mark_decided(mended.decided.iter().chain(&files));
        }
        self.settle_merges(&files);
        files.sort();
        files.dedup();
        Ok(files)
    }
}
