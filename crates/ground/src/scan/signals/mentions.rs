//! Paths and file names that the text gives: whole, by their end, without their ending, or by a folder.

use globset::GlobBuilder;
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Sight, Signal, Signals, folder_and_name, number, raise};
use crate::scan::design::Named;
use crate::scan::roles::Role;
use crate::scan::words::name_of;

/// Files by what a text can call them.
struct Called<'f> {
    by_name: FxHashMap<&'f str, Vec<u32>>,
    in_folder: FxHashMap<&'f str, Vec<u32>>,
}

impl Sight<'_> {
    /// Looks for every path of the text.
    pub(super) fn mentions(&self, found: &mut [Signals]) {
        let mut called = Called { by_name: FxHashMap::default(), in_folder: FxHashMap::default() };
        for (at, file) in self.files.iter().enumerate() {
            let (folder, name) = folder_and_name(&file.path);
            called.by_name.entry(name).or_default().push(number(at));
            called.in_folder.entry(folder).or_default().push(number(at));
        }
        let mut grown: FxHashSet<&str> = FxHashSet::default();
        for (mention, named) in &self.design.paths {
            let mention = mention.trim_matches('/');
            let meant = self.meant(mention, &called);
            for at in &meant {
                self.named(found, mention, named, *at, meant.len());
            }
            if meant.is_empty() {
                self.around(found, mention, &called, &mut grown);
            }
        }
        for folder in grown {
            self.lists(found, &called.in_folder[folder]);
        }
    }

    /// Lists the files that a mention means.
    fn meant(&self, mention: &str, called: &Called<'_>) -> Vec<u32> {
        if mention.contains('*') || mention.contains('{') {
            return self.matching(mention);
        }
        let (_, last) = folder_and_name(mention);
        let fits = |at: &&u32| {
            let path = self.files[**at as usize].path.as_str();
            is_end(path, mention) || is_end(mention, path)
        };
        called.by_name.get(last).into_iter().flatten().filter(fits).copied().collect()
    }

    fn matching(&self, pattern: &str) -> Vec<u32> {
        let pattern = if pattern.starts_with("**") { pattern.to_owned() } else { format!("**/{pattern}") };
        let Ok(glob) = GlobBuilder::new(&pattern).literal_separator(true).build() else { return Vec::new() };
        let matcher = glob.compile_matcher();
        let fits = self.files.iter().enumerate().filter(|(_, file)| matcher.is_match(&file.path));
        fits.map(|(at, _)| number(at)).collect()
    }

    /// One file that a mention means, beside others it may mean.
    fn named(&self, found: &mut [Signals], mention: &str, named: &Named, at: u32, others: usize) {
        let share = 1.0 / others.max(1) as f32;
        let is_document = self.roles[at as usize] == Role::Document;
        // What is only to be read is not what changes; a name without a folder may mean another.
        let signal = match (named.referred, is_document, mention.contains('/')) {
            (true, ..) => Signal::Referred,
            (_, true, _) => Signal::NamedDocument,
            (_, _, false) => Signal::NamedByName,
            _ => Signal::Named,
        };
        raise(found, at, signal, share);
        // A bare name that several files bear says little about any of them.
        let is_exact = mention.contains('/') || others == 1;
        if named.referred || !is_exact {
            return;
        }
        raise(found, at, Signal::NamedOften, share * ((1 + named.times) as f32).ln() / 2.0);
        if named.listed {
            raise(found, at, Signal::Listed, share);
        }
        // Running text speaks of changes near much that stays, and lists hold much that is only looked at.
        if named.listed && named.to_change {
            raise(found, at, Signal::ToChange, share);
        }
    }

    /// A folder, or a file that is not there yet: what lies beside it.
    fn around<'f>(
        &self,
        found: &mut [Signals],
        mention: &str,
        called: &Called<'f>,
        grown: &mut FxHashSet<&'f str>,
    ) {
        let (above, last) = folder_and_name(mention);
        let is_file = last.contains('.') && !above.is_empty();
        for (signal, end) in [(Signal::Folder, Some(mention)), (Signal::BesideNew, is_file.then_some(above))]
        {
            let Some(end) = end else { continue };
            let meant: Vec<&'f str> =
                called.in_folder.keys().copied().filter(|folder| is_end(folder, end)).collect();
            let inside: Vec<u32> =
                meant.iter().flat_map(|folder| &called.in_folder[folder]).copied().collect();
            // The more it can mean, the less it says of each.
            let share = 1.0 / (inside.len().max(1) as f32).sqrt();
            inside.iter().for_each(|at| raise(found, *at, signal, share));
            if signal == Signal::BesideNew {
                grown.extend(meant);
            }
        }
    }

    /// Where siblings are listed, a new one has to be listed too: tables, registries, files of exports.
    fn lists(&self, found: &mut [Signals], siblings: &[u32]) {
        if siblings.len() < 3 {
            return;
        }
        let names: FxHashMap<u32, u32> = siblings
            .iter()
            .map(|at| (*at, name_of(stem(folder_and_name(&self.files[*at as usize].path).1))))
            .collect();
        for (at, file) in self.files.iter().enumerate() {
            let asks = &self.graph.asks[at];
            let is_listed = |sibling: &&u32| {
                **sibling != number(at) && (asks.contains(sibling) || file.outline.speaks_of(names[*sibling]))
            };
            let listed = siblings.iter().filter(is_listed).count();
            if listed >= 2 {
                raise(found, number(at), Signal::ListsBesideNew, listed as f32 / siblings.len() as f32);
            }
        }
    }
}

/// Takes the ending off a file name.
fn stem(name: &str) -> &str {
    name.split_once('.').map_or(name, |(stem, _)| stem)
}

/// Tells whether a path ends with another, at a slash.
fn is_end(path: &str, end: &str) -> bool {
    path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
}
