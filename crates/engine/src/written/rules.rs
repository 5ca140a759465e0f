//! Confirmed rules in AGENTS.md, between marks, kept current as long as the block is ours.

use std::path::PathBuf;

use lore_core::{ContentHash, Status};
use lore_surface::rules;
use serde::Serialize;

use crate::install::block;
use crate::others::is_private;
use crate::{Engine, Error};

/// Hash of the block as we left it, in the state of the base.
const LEFT: &str = "written/rules.hash";
const FILE: &str = "AGENTS.md";
const PREFACE: &str = "Rules that people confirmed, kept current by `lore export --agents-md`; edit them with `lore edit ID`, not here.";

/// What became of the block.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RulesWritten {
    /// The file.
    pub path: PathBuf,
    /// How many rules stand in it.
    pub rules: usize,
    /// Whether something changed.
    pub changed: bool,
    /// Whether somebody changed the block, so that it was left alone.
    pub theirs: bool,
    /// The whole text of the file.
    #[serde(skip)]
    pub text: String,
    /// Whether only a rehearsal was asked for.
    pub dry_run: bool,
}

impl Engine {
    /// Writes the rules that people confirmed into AGENTS.md; a block that somebody changed is left alone
    /// unless it is to be replaced.
    pub fn write_rules(&self, replace: bool, dry_run: bool) -> Result<RulesWritten, Error> {
        let path = self.project().join(FILE);
        let before = std::fs::read_to_string(&path).unwrap_or_default();
        let picks = self.with_library(|index| rules(&index.snapshot()))?;
        let confirmed: Vec<String> = picks
            .iter()
            .filter(|pick| {
                let entry = &pick.card.entry;
                entry.is_verified_by_a_person() && entry.status == Status::Current && !is_private(&entry.tags)
            })
            .flat_map(|pick| {
                let handle = pick.card.entry.id.handle();
                // A page may lay down several things.
                let said = if pick.says.is_empty() {
                    std::slice::from_ref(&pick.card.entry.title)
                } else {
                    &pick.says
                };
                said.iter().map(move |said| {
                    format!("- {} [{handle}]", said.split_whitespace().collect::<Vec<_>>().join(" "))
                })
            })
            .collect();
        let now = block::find(&before, block::RULES).map(|range| before[range].to_owned());
        let left = std::fs::read_to_string(self.store.shared().folder().join(LEFT)).unwrap_or_default();
        let theirs = now.as_deref().is_some_and(|now| hash(now) != left) && !replace;
        let text = match (confirmed.is_empty(), theirs) {
            (_, true) => before.clone(),
            (true, _) => block::without(&before, block::RULES),
            _ => block::with(&before, block::RULES, &format!("{PREFACE}\n\n{}", confirmed.join("\n"))),
        };
        let changed = text != before;
        if changed && !dry_run {
            crate::install::write(&path, &text)?;
            let ours = block::find(&text, block::RULES).map(|range| hash(&text[range])).unwrap_or_default();
            self.store.shared().write(LEFT, ours.as_bytes())?;
        }
        Ok(RulesWritten { path, rules: confirmed.len(), changed, theirs, text, dry_run })
    }

    /// Brings the block up to date where there is one; nobody gets one unasked.
    pub(crate) fn refresh_rules(&self) {
        let text = std::fs::read_to_string(self.project().join(FILE)).unwrap_or_default();
        if block::find(&text, block::RULES).is_some()
            && let Err(error) = self.write_rules(false, false)
        {
            self.log(&format!("worker: the rules in {FILE}: {}", crate::hook::described(&error)));
        }
    }
}

fn hash(text: &str) -> String {
    ContentHash::of(text.as_bytes()).short().to_owned()
}
