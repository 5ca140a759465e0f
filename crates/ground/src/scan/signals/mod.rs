//! What speaks for a file being changed: one number per signal, between 0 and about 1.
//!
//! The first signals look at the design and one file; the later ones at the files that the first
//! ones found (the seeds) and how a file is tied to them.

mod mentions;
mod naming;
mod past;
mod table;
mod ties;
mod wording;

use rustc_hash::{FxHashMap, FxHashSet};

use super::design::Design;
use super::graph::Graph;
use super::history::History;
use super::roles::{Role, bare_stem, is_changelog, is_numbered};
use super::tree::TreeFile;

pub use table::{COUNT, NAMES, TIES};
pub(super) use table::{SENTENCES, Signal};

/// The signals of one file.
pub(super) type Signals = [f32; COUNT];

/// Everything the signals look at.
pub(super) struct Sight<'s> {
    pub(super) files: &'s [TreeFile],
    pub(super) design: &'s Design,
    pub(super) graph: &'s Graph,
    pub(super) history: &'s History,
    /// Which file a path of the history is now.
    present: Vec<Option<u32>>,
    roles: Vec<Role>,
    /// Names of the files without endings and marks of tests.
    stems: Vec<String>,
}

impl<'s> Sight<'s> {
    pub(super) fn new(
        files: &'s [TreeFile],
        design: &'s Design,
        graph: &'s Graph,
        history: &'s History,
    ) -> Sight<'s> {
        let by_path: FxHashMap<&str, u32> =
            files.iter().enumerate().map(|(at, file)| (file.path.as_str(), number(at))).collect();
        let present = history.paths.iter().map(|path| by_path.get(path.as_str()).copied()).collect();
        let roles = files.iter().map(|file| Role::of(&file.path)).collect();
        let stems = files.iter().map(|file| bare_stem(&file.path)).collect();
        Sight { files, design, graph, history, present, roles, stems }
    }

    pub(super) fn role(&self, file: usize) -> Role {
        self.roles[file]
    }

    /// Lists the files of a commit that are still there.
    pub(super) fn touched(&self, commit: usize) -> impl Iterator<Item = u32> {
        self.history.commits[commit].files.iter().filter_map(|path| self.present[*path as usize])
    }

    /// Looks at the design and each file.
    pub(super) fn first(&self) -> Vec<Signals> {
        let mut found = vec![[0.0; COUNT]; self.files.len()];
        self.mentions(&mut found);
        self.names(&mut found);
        self.words(&mut found);
        self.past(&mut found);
        self.companions(&mut found);
        for ((signals, role), stem) in found.iter_mut().zip(&self.roles).zip(&self.stems) {
            match role {
                // What changes is written down there, so it is no document like others.
                Role::Document if is_changelog(stem) => {}
                Role::Test => signals[Signal::IsTest as usize] = 1.0,
                Role::Document => signals[Signal::IsDocument as usize] = 1.0,
                Role::Settings => signals[Signal::IsSettings as usize] = 1.0,
                Role::Made => signals[Signal::IsMade as usize] = 1.0,
                Role::Code | Role::Other => {}
            }
        }
        for (at, _) in self.files.iter().enumerate().filter(|(_, file)| is_numbered(&file.path)) {
            found[at][Signal::Numbered as usize] = 1.0;
        }
        found
    }

    /// Documents beside the design are its companions, written with it: research, tasks, earlier and later
    /// parts. They speak of the same things more than any file that changes.
    fn companions(&self, found: &mut [Signals]) {
        let copies = self.design.copies.iter();
        let folders: FxHashSet<&str> = copies
            .map(|at| folder_and_name(&self.files[*at].path).0)
            .filter(|folder| !folder.is_empty())
            .collect();
        for (at, file) in self.files.iter().enumerate() {
            let is_beside = folders.contains(folder_and_name(&file.path).0);
            if is_beside && self.roles[at] == Role::Document {
                raise(found, number(at), Signal::BesideDesign, 1.0);
            }
        }
    }

    /// Puts values in place as shares of the largest among documents, or among the others.
    ///
    /// Old plans speak of everything a new plan speaks of; beside them no code would count.
    fn fill_by_role(&self, found: &mut [Signals], signal: Signal, values: &[f64]) {
        for wanted in [true, false] {
            let is_of = |at: &usize| (self.roles[*at] == Role::Document) == wanted;
            let best = (0..values.len()).filter(is_of).map(|at| values[at]).fold(0.0, f64::max);
            if best > 0.0 {
                for at in (0..values.len()).filter(is_of) {
                    found[at][signal as usize] = (values[at] / best) as f32;
                }
            }
        }
    }
}

/// Puts values in place as shares of the largest.
fn fill(found: &mut [Signals], signal: Signal, values: &[f64]) {
    let best = values.iter().copied().fold(0.0, f64::max);
    if best > 0.0 {
        for (signals, value) in found.iter_mut().zip(values) {
            signals[signal as usize] = (value / best) as f32;
        }
    }
}

/// Puts a value in place where it is larger than what is there.
fn raise(found: &mut [Signals], at: u32, signal: Signal, value: f32) {
    let place = &mut found[at as usize][signal as usize];
    *place = place.max(value);
}

/// Numbers a file.
fn number(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

/// Takes a path apart: its folder and its name.
fn folder_and_name(path: &str) -> (&str, &str) {
    path.rsplit_once('/').unwrap_or(("", path))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::scan::outline::outline;
    use crate::scan::weights::{ImpactWeights, weigh};
    use crate::scan::{copies, design};

    /// Returns one signal of each file of a project for a design.
    fn look(files: &[(&str, &str)], text: &str, signal: Signal) -> Vec<f32> {
        let files: Vec<TreeFile> = files
            .iter()
            .map(|(path, text)| TreeFile { path: (*path).to_owned(), outline: Arc::new(outline(path, text)) })
            .collect();
        let (mut design, graph, history) = (design::read(text), Graph::of(&files), History::default());
        design.copies = copies::find(&files, text);
        let sight = Sight::new(&files, &design, &graph, &history);
        let mut found = sight.first();
        let first = &ImpactWeights::shipped().first;
        let sums: Vec<f64> = found.iter().map(|one| weigh(first, one)).collect();
        sight.of_seeds(&sums, &mut found);
        found.iter().map(|one| one[signal as usize]).collect()
    }

    const SHOP: [(&str, &str); 4] =
        [("src/tax.ts", ""), ("src/rate.ts", ""), ("test/tax.test.ts", ""), ("test/rate.test.ts", "")];

    #[test]
    fn tests_go_with_what_is_listed_unless_tests_are_listed_too() {
        let without = look(&SHOP, "## Files to modify\n- src/tax.ts\n", Signal::TestOfNamed);
        assert_eq!(without, [0.0, 0.0, 1.0, 0.0]);
        let with =
            look(&SHOP, "## Files to modify\n- src/tax.ts\n- test/rate.test.ts\n", Signal::TestOfNamed);
        assert_eq!(with, [0.0; 4]);
        let beside =
            look(&SHOP, "## Files to modify\n- src/tax.ts\n- test/rate.test.ts\n", Signal::TestBesideListed);
        assert_eq!(beside, [0.0, 0.0, 1.0, 0.0]);
    }

    #[test]
    fn a_test_is_likely_as_what_it_tests_is() {
        let found = look(&SHOP, "The tax, in src/tax.ts, and then the rate.", Signal::TestOfLikely);
        assert!(found[2] == 1.0 && found[3] > 0.0 && found[3] < 0.5, "{found:?}");
        assert_eq!(found[..2], [0.0; 2]);
    }

    #[test]
    fn documents_beside_the_design_are_its_companions() {
        let text = "Round every tax to cents";
        let files = [("plans/one.md", text), ("plans/two.md", ""), ("plans/a.ts", ""), ("docs/tax.md", "")];
        assert_eq!(look(&files, text, Signal::BesideDesign), [1.0, 1.0, 0.0, 0.0]);
        assert_eq!(look(&files, "Round every bill", Signal::BesideDesign), [0.0; 4]);
    }

    #[test]
    fn records_in_a_series_are_known_by_their_numbers() {
        let files = [
            ("plans/2026-03-01-login/plan.md", ""),
            ("db/0007_add_users.sql", ""),
            ("docs/2fa.md", ""),
            ("src/v2-login.ts", ""),
        ];
        assert_eq!(look(&files, "Log in by mail", Signal::Numbered), [1.0, 1.0, 0.0, 0.0]);
    }

    #[test]
    fn a_list_of_changes_says_more_than_a_list() {
        let text = "## Context\n- src/rate.ts\n## Files to modify\n- src/tax.ts\n";
        assert_eq!(look(&SHOP, text, Signal::ToChange), [1.0, 0.0, 0.0, 0.0]);
        assert_eq!(look(&SHOP, text, Signal::Referred), [0.0, 1.0, 0.0, 0.0]);
    }

    #[test]
    fn where_siblings_are_listed_a_new_one_is_too() {
        let files = [
            ("src/taxes/all.ts", "import './french'\nimport './german'\n"),
            ("src/taxes/french.ts", ""),
            ("src/taxes/german.ts", ""),
            ("src/shop.ts", "import './taxes/french'\n"),
        ];
        let found = look(&files, "Create src/taxes/danish.ts.", Signal::ListsBesideNew);
        assert!(found[0] > 0.5 && found[1..] == [0.0; 3], "{found:?}");
    }

    #[test]
    fn files_of_one_name_go_together() {
        let files =
            [("pom.xml", "release"), ("tax/pom.xml", ""), ("tax/Rate.java", ""), ("bill/pom.xml", "")];
        let found = look(&files, "Raise the release in /pom.xml", Signal::Namesake);
        assert!(found[1] > found[2] && found[3] > found[2], "{found:?}");
    }

    #[test]
    fn the_first_line_begins_with_a_part_of_the_project() {
        let files = [("src/parser/date.rs", ""), ("src/parser/in/word.rs", ""), ("src/shop.rs", "")];
        assert_eq!(look(&files, "parser: read dates", Signal::Scope), [1.0, 0.6, 0.0]);
    }
}
