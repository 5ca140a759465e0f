//! Which entries the base holds, so that a missing file is known to have been deleted.
//!
//! This is tracked beside the entries and therefore always speaks of the same branch and commit:
//! switching branches makes files vanish too, and that is no deletion. It is kept by the month in
//! the id, so that a write touches one small file.

use std::collections::BTreeMap;

use lore_core::EntryId;

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

    /// Lists the entries that are known but, as `present` says of their ids, not there.
    pub(crate) fn missing(&self, present: impl Fn(&str) -> bool) -> Vec<Known> {
        let lines = self.months.values().flat_map(|text| text.lines());
        let absent = |line: &&str| line.split('\t').next().is_some_and(|id| !id.is_empty() && !present(id));
        lines.filter(absent).filter_map(parse).collect()
    }

    /// Makes the manifest of these entries and lists the months whose file must change.
    pub(crate) fn update<'a>(&self, entries: impl Iterator<Item = &'a Summary>) -> Vec<(String, String)> {
        let mut wanted: BTreeMap<&str, Vec<&Summary>> = BTreeMap::new();
        for summary in entries {
            wanted.entry(layout::month_of(summary.id.as_str())).or_default().push(summary);
        }
        let mut changed: Vec<(String, String)> = Vec::new();
        for (month, summaries) in &mut wanted {
            summaries.sort_by(|a, b| (&a.id, &a.path).cmp(&(&b.id, &b.path)));
            let text = summaries.iter().fold(String::new(), line);
            if self.months.get(*month) != Some(&text) {
                changed.push(((*month).to_owned(), text));
            }
        }
        let emptied = self.months.keys().filter(|month| !wanted.contains_key(month.as_str()));
        changed.extend(emptied.map(|month| (month.clone(), String::new())));
        changed
    }
}

/// Adds the line of an entry; what would break the line becomes a space.
fn line(mut text: String, summary: &&Summary) -> String {
    let mut clean = |field: &str| {
        let at = text.len();
        text.push_str(field);
        if text[at..].contains(['\t', '\n', '\r']) {
            let cleaned = text[at..].replace(['\t', '\n', '\r'], " ");
            text.replace_range(at.., &cleaned);
        }
        text.push('\t');
    };
    clean(summary.id.as_str());
    clean(&summary.path);
    clean(&summary.title);
    summary.aliases.iter().enumerate().for_each(|(number, alias)| {
        if number > 0 {
            text.push(',');
        }
        text.push_str(alias);
    });
    let end = text.trim_end().len();
    text.truncate(end);
    text.push('\n');
    text
}

fn parse(line: &str) -> Option<Known> {
    let mut fields = line.split('\t');
    let mut next = || fields.next().unwrap_or_default();
    let id = next().parse().ok()?;
    let (path, title) = (next().to_owned(), next().to_owned());
    let aliases = next().split(',').filter(|alias| !alias.is_empty()).map(str::to_owned).collect();
    Some(Known { id, path, title, aliases })
}
