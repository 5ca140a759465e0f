//! Which entries the base holds, so that a missing file is known to have been deleted.
//!
//! This is tracked beside the entries and therefore always speaks of the same branch and commit:
//! switching branches makes files vanish too, and that is no deletion. It is kept by the month in
//! the id, so that a write touches one small file.

use std::collections::{BTreeMap, HashMap};

use lore_core::EntryId;

use crate::lines::{self, Lines};
use crate::{Summary, layout};

/// One entry the base is known to hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Known {
    pub(crate) id: EntryId,
    pub(crate) path: String,
    pub(crate) title: String,
    pub(crate) aliases: Vec<String>,
}

/// All entries the base is known to hold, by month.
#[derive(Debug, Clone, Default)]
pub(crate) struct Manifest {
    /// The files as they are; after a merge by git their lines may be out of order.
    months: BTreeMap<String, String>,
}

impl Manifest {
    /// Takes in the file of one month.
    pub(crate) fn add_month(&mut self, month: &str, text: &str) {
        self.months.insert(month.to_owned(), text.to_owned());
    }

    /// Lists the entries; where a merge left two lines for one, the last.
    pub(crate) fn known(&self) -> impl Iterator<Item = Known> {
        self.months.values().flat_map(|text| lines::parse(text)).filter_map(|line| parse(&line))
    }

    /// Makes the manifest of these entries and lists the months whose file must change.
    pub(crate) fn update<'a>(&self, entries: impl Iterator<Item = &'a Summary>) -> Vec<(String, String)> {
        let mut wanted: HashMap<&str, Vec<&Summary>> = HashMap::new();
        for summary in entries {
            wanted.entry(layout::month_of(summary.id.as_str())).or_default().push(summary);
        }
        let mut changed = Vec::new();
        for (month, summaries) in &wanted {
            let text = lines::render(&summaries.iter().map(|summary| line(summary)).collect::<Lines>());
            if self.months.get(*month) != Some(&text) {
                changed.push(((*month).to_owned(), text));
            }
        }
        let emptied = self.months.keys().filter(|month| !wanted.contains_key(month.as_str()));
        changed.extend(emptied.map(|month| (month.clone(), String::new())));
        changed.sort();
        changed
    }
}

fn line(summary: &Summary) -> String {
    lines::join([summary.id.as_str(), &summary.path, &summary.title, &summary.aliases.join(",")])
}

fn parse(line: &str) -> Option<Known> {
    let mut fields = line.split('\t');
    let mut next = || fields.next().unwrap_or_default();
    let id = next().parse().ok()?;
    let (path, title) = (next().to_owned(), next().to_owned());
    let aliases = next().split(',').filter(|alias| !alias.is_empty()).map(str::to_owned).collect();
    Some(Known { id, path, title, aliases })
}
