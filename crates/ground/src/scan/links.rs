//! How the listed files hang together: what rests on what, what tests what, and in which order to go.

use rustc_hash::FxHashMap;

use super::design::ChangeType;
use super::report::{ImpactFile, Level, Risk};
use super::rests::Rests;
use super::roles::{Role, bare_stem, is_test_code};
use super::signals::Sight;

/// So many tests of a file are named.
const MOST_TESTS: usize = 3;
/// Names that files bear for where they lie: a test of this name may test any of them.
const NAMED_FOR_THEIR_PLACE: &[&str] = &["index", "mod", "__init__", "main", "lib"];

/// How the listed files hang together.
pub(super) struct Links {
    /// Per place: the listed files it rests on.
    pub(super) rests: Vec<Vec<usize>>,
    /// Per place: how many files of the repository rest on it.
    dependents: Vec<usize>,
    commits: FxHashMap<u32, usize>,
    /// Per place: the tests that are called after it.
    tests: Vec<Vec<usize>>,
}

impl Links {
    pub(super) fn of(sight: &Sight<'_>, rests: &Rests, past: &[Vec<u32>], listed: &[usize]) -> Links {
        let place_of: FxHashMap<usize, usize> =
            listed.iter().enumerate().map(|(place, at)| (*at, place)).collect();
        let on_listed = |at: &usize| {
            let on = rests.on[*at].iter().map(|on| *on as usize).filter(|on| place_of.contains_key(on));
            let mut on: Vec<usize> = on.collect();
            on.sort_by_key(|on| place_of[on]);
            on
        };
        let rests_by = |at: usize| rests.by[at].as_slice();
        let dependents = listed.iter().map(|at| rests_by(*at).len()).collect();
        let rests_on = listed.iter().map(on_listed).collect();
        let mut commits: FxHashMap<u32, usize> = FxHashMap::default();
        for at in past.iter().flatten() {
            *commits.entry(*at).or_default() += 1;
        }
        let mut by_stem: FxHashMap<String, Vec<usize>> = FxHashMap::default();
        for (at, file) in sight.files.iter().enumerate().filter(|(_, file)| is_test_code(&file.path)) {
            by_stem.entry(bare_stem(&file.path)).or_default().push(at);
        }
        let tests = listed.iter().map(|at| tests_of(sight, &by_stem, rests_by(*at), *at)).collect();
        Links { rests: rests_on, dependents, commits, tests }
    }

    pub(super) fn change(&self, sight: &Sight<'_>, at: usize) -> ChangeType {
        let path = &sight.files[at].path;
        let is_end = |mention: &str| {
            path.strip_suffix(mention).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        let named = sight.design.paths.iter().find(|(mention, _)| is_end(mention));
        match named.and_then(|(_, named)| named.change) {
            Some(change @ (ChangeType::Delete | ChangeType::Rename)) => change,
            _ => ChangeType::Modify,
        }
    }

    pub(super) fn risk(&self, sight: &Sight<'_>, place: usize, at: usize) -> Risk {
        let dependents = self.dependents[place];
        let commits = self.commits.get(&u32::try_from(at).unwrap_or(u32::MAX)).copied().unwrap_or(0);
        let is_code = sight.role(at) == Role::Code;
        let tests = self.tests[place].iter().take(MOST_TESTS);
        let tests: Vec<String> = tests.map(|test| sight.files[*test].path.clone()).collect();
        let points = usize::from(dependents >= 5)
            + usize::from(dependents >= 20)
            + usize::from(commits >= 20)
            + usize::from(tests.is_empty());
        let level = match (is_code, points) {
            (false, _) | (true, 0..=1) => Level::Low,
            (true, 2) => Level::Medium,
            (true, _) => Level::High,
        };
        Risk { level, dependents, commits, tests }
    }

    /// Orders places: what others rest on first, then code, tests, settings and documents.
    pub(super) fn sequence(&self, files: &[ImpactFile]) -> Vec<usize> {
        let place_of: FxHashMap<&str, usize> =
            files.iter().enumerate().map(|(place, file)| (file.path.as_str(), place)).collect();
        let group = |place: usize| match files[place].role {
            Role::Code | Role::Other => 0,
            Role::Settings => 1,
            Role::Test => 2,
            Role::Made => 3,
            Role::Document => 4,
        };
        let mut left: Vec<usize> = (0..files.len()).collect();
        let mut done = Vec::with_capacity(files.len());
        while !left.is_empty() {
            let waits = |place: usize| {
                let on = files[place].depends_on.iter().filter_map(|path| place_of.get(path.as_str()));
                on.filter(|on| left.contains(on) && group(**on) <= group(place)).count()
            };
            // In a circle the one that waits for least goes first.
            let next = left.iter().copied().min_by_key(|place| (group(*place), waits(*place), *place));
            let Some(next) = next else { break };
            left.retain(|place| *place != next);
            done.push(next);
        }
        done
    }
}

/// Finds the tests of a file by their names, those that import it or lie nearest first.
fn tests_of(
    sight: &Sight<'_>,
    by_stem: &FxHashMap<String, Vec<usize>>,
    rests_by: &[u32],
    at: usize,
) -> Vec<usize> {
    let path = &sight.files[at].path;
    let stem = bare_stem(path);
    let named = by_stem.get(&stem).filter(|_| sight.role(at) == Role::Code);
    let mut named: Vec<usize> = named.into_iter().flatten().copied().collect();
    let imports = |test: &usize| rests_by.iter().any(|by| *by as usize == *test);
    // Where one imports the file, others of its name test others of its name.
    if NAMED_FOR_THEIR_PLACE.contains(&stem.as_str()) || named.iter().any(imports) {
        named.retain(imports);
    }
    let shared = |test: &usize| {
        path.split('/')
            .zip(sight.files[*test].path.split('/'))
            .take_while(|(one, other)| one == other)
            .count()
    };
    named.sort_by_key(|test| std::cmp::Reverse(shared(test)));
    named
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::scan::design;
    use crate::scan::graph::Graph;
    use crate::scan::history::History;
    use crate::scan::outline::outline;
    use crate::scan::tree::TreeFile;

    /// Returns the tests of the first file of a project.
    fn tests_of_first(files: &[(&str, &str)]) -> Vec<String> {
        let tree: Vec<TreeFile> = files
            .iter()
            .map(|(path, text)| TreeFile { path: (*path).to_owned(), outline: Arc::new(outline(path, text)) })
            .collect();
        let (design, graph, history) = (design::read("tax"), Graph::of(&tree), History::default());
        let sight = Sight::new(&tree, &design, &graph, &history);
        let rests = Rests::of(&tree, &graph, &|_| None);
        Links::of(&sight, &rests, &[], &[0]).risk(&sight, 0, 0).tests
    }

    #[test]
    fn what_imports_a_file_tests_it_before_others_of_its_name() {
        let other = ("b/tax.spec.ts", "");
        let own = ("a/__tests__/tax.spec.ts", "import '../tax'");
        assert_eq!(tests_of_first(&[("a/tax.ts", ""), other, own]), [own.0]);
        assert_eq!(tests_of_first(&[("a/tax.ts", ""), other, ("a/tax.css", "")]), [other.0]);
    }

    #[test]
    fn a_name_for_a_place_needs_an_import() {
        let (near, far) = (("a/index.test.ts", "import '.'"), ("b/index.test.ts", ""));
        assert_eq!(tests_of_first(&[("a/index.ts", ""), near, far]), [near.0]);
        assert!(tests_of_first(&[("a/index.ts", ""), far]).is_empty());
    }
}
