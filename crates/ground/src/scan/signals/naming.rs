//! Names: of files without their ending, of what is defined and used, and of the part of the project.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Sight, Signal, Signals, folder_and_name};
use crate::scan::words::{Term, name_of};

impl Sight<'_> {
    /// Looks for every name of the text.
    pub(super) fn names(&self, found: &mut [Signals]) {
        self.stems(found);
        self.scopes(found);
        self.symbols(found);
    }

    /// File names without their ending.
    fn stems(&self, found: &mut [Signals]) {
        let mut stems: FxHashMap<&str, Vec<usize>> = FxHashMap::default();
        for (at, stem) in self.stems.iter().enumerate() {
            stems.entry(stem).or_default().push(at);
        }
        let names: FxHashSet<String> = self.design.names.keys().map(|name| name.to_lowercase()).collect();
        for (stem, files) in stems {
            if stem.len() < 3 {
                continue;
            }
            let share = 1.0 / (files.len() as f32).sqrt();
            let squeezed = stem.replace(['-', '.'], "_");
            let is_word = self.design.whole.contains(stem)
                || squeezed.split('_').all(|part| self.design.whole.contains(part));
            for at in files {
                found[at][Signal::Stem as usize] = if names.contains(stem) { share } else { 0.0 };
                found[at][Signal::StemWord as usize] = if is_word { share } else { 0.0 };
            }
        }
    }

    /// The part of the project that the first line begins with, as in `parser: ...`.
    fn scopes(&self, found: &mut [Signals]) {
        for scope in &self.design.scopes {
            let inner = format!("/{scope}/");
            for (at, file) in self.files.iter().enumerate() {
                let (folder, _) = folder_and_name(&file.path);
                let folder = format!("/{}/", folder.to_lowercase());
                let value = if folder.ends_with(&inner) || self.stems[at] == *scope {
                    1.0
                } else if folder.contains(&inner) {
                    0.6
                } else {
                    continue;
                };
                super::raise(found, super::number(at), Signal::Scope, value);
            }
        }
    }

    /// Names of code: who defines them, who uses them.
    fn symbols(&self, found: &mut [Signals]) {
        let asked = self.design.name_terms();
        let mut in_files: FxHashMap<Term, u32> = FxHashMap::default();
        for file in self.files {
            for name in asked.keys().filter(|name| file.outline.speaks_of(**name)) {
                *in_files.entry(*name).or_default() += 1;
            }
        }
        let all = self.files.len() as f64;
        let mut used = vec![0.0; self.files.len()];
        for (at, file) in self.files.iter().enumerate() {
            let own: FxHashSet<Term> = file.outline.defined.iter().map(|one| name_of(&one.name)).collect();
            let mut defines = 0.0;
            for (name, weight) in &asked {
                let definers = self.graph.definers.get(name).copied().unwrap_or(0);
                if definers > 0 && own.contains(name) {
                    defines += weight / f64::from(definers).sqrt();
                }
                if file.outline.speaks_of(*name) {
                    let rare = (all / f64::from(in_files.get(name).copied().unwrap_or(1))).ln_1p();
                    used[at] += weight * rare;
                }
            }
            found[at][Signal::Defines as usize] = (1.0 - (-defines).exp()) as f32;
        }
        self.fill_by_role(found, Signal::Uses, &used);
    }
}
