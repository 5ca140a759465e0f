//! What speaks for a file, in words: which words and names it shares with the design, what it changes with.

use rustc_hash::{FxHashMap, FxHashSet};

use super::bm25::{Bag, Statistics, bag};
use super::log::WIDEST;
use super::report::Reason;
use super::roles::bare_stem;
use super::signals::{NAMES, SENTENCES, Sight, Signal, Signals};
use super::weights::ImpactWeights;
use super::words::{Cutter, Term, name_of};

/// So many words or names are given for one reason.
const MOST: usize = 3;
/// So many reasons are given for one file.
const MOST_REASONS: usize = 4;

/// Signals of a file that the design names in some way: by its path, by its folder, or by what it defines or uses.
const NAMING: [Signal; 10] = [
    Signal::Named,
    Signal::NamedByName,
    Signal::NamedDocument,
    Signal::Referred,
    Signal::Stem,
    Signal::Folder,
    Signal::Scope,
    Signal::BesideNew,
    Signal::Defines,
    Signal::Uses,
];
/// Fewer telling words could have met by chance.
const ENOUGH_WORDS: usize = 2;

/// Words of any task: they say that something is to be done, not where. The short ones stand in any sentence.
const EVERYDAY: &str = "add fix bug issue problem change update remove delete create improve support \
    implement feature work need want allow handle refactor clean code new correct wrong better broken break \
    fail please thing way set get design plan task todo should must current every see say \
    to in of is it if or on no be by as at an we do so up";

/// Finds the words for what speaks for files.
pub(super) struct Reasons<'r> {
    sight: &'r Sight<'r>,
    statistics: Statistics,
    everyday: FxHashSet<Term>,
    /// How the design writes its words.
    spelled: FxHashMap<Term, String>,
    /// With which of the likeliest files a file changes.
    together: FxHashMap<u32, Together>,
}

/// How often a file changed with another.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Together {
    with: u32,
    times: usize,
    of: usize,
}

impl<'r> Reasons<'r> {
    pub(super) fn of(
        sight: &'r Sight<'r>,
        text: &str,
        past: &[Vec<u32>],
        likeliest: &[usize],
    ) -> Reasons<'r> {
        let mut cutter = Cutter::default();
        let mut everyday = FxHashSet::default();
        cutter.cut(EVERYDAY, |term| _ = everyday.insert(term));
        let mut spelled: FxHashMap<Term, String> = FxHashMap::default();
        cutter.spell(text, |term, part| {
            let known = spelled.entry(term).or_insert_with(|| part.to_lowercase());
            // Of `archive` and `archived` the shorter is nearer to what is meant.
            if part.len() < known.len() {
                *known = part.to_lowercase();
            }
        });
        let contents = sight.files.iter().map(|file| file.outline.words.as_slice());
        let statistics = Statistics::of(&sight.design.words, contents);
        Reasons { sight, statistics, everyday, spelled, together: together(past, likeliest) }
    }

    /// Lists what speaks for a file, the strongest first.
    pub(super) fn why(&self, at: usize, signals: &Signals, weights: &ImpactWeights) -> Vec<Reason> {
        let mut found: Vec<Reason> = NAMES
            .iter()
            .enumerate()
            .map(|(signal, name)| Reason {
                signal: name,
                weight: (weights.all[signal] * f64::from(signals[signal]) * 1000.0).round() / 1000.0,
                says: String::new(),
            })
            .filter(|reason| reason.weight > 0.05)
            .collect();
        found.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        found.truncate(MOST_REASONS);
        // Words are looked for only where they are shown.
        for reason in &mut found {
            reason.says = self.says(at, reason.signal);
        }
        found
    }

    /// Tells whether anything in the design is particular to this repository: it names something that is
    /// there, or the file that shares most with it shares enough words that tell files apart.
    pub(super) fn is_particular(&self, signals: &[Signals]) -> bool {
        let is_named = |(at, signals): (usize, &Signals)| {
            NAMING.iter().any(|one| signals[*one as usize] > 0.0)
                || signals[Signal::StemWord as usize] > 0.0 && self.has_own_name(at)
        };
        if signals.iter().enumerate().filter(|(at, _)| !self.sight.design.copies.contains(at)).any(is_named) {
            return true;
        }
        let words = &self.sight.design.words;
        let files = self.sight.files.iter().enumerate();
        let others = files.filter(|(at, _)| !self.sight.design.copies.contains(at));
        let bags = others.map(|(_, file)| file.outline.words.as_slice());
        let scored = bags.map(|bag| (self.statistics.score(words, bag), bag));
        let Some((_, best)) = scored.max_by(|a, b| a.0.total_cmp(&b.0)) else { return false };
        let tells = |term: Term| self.statistics.is_rare(term) && !self.everyday.contains(&term);
        self.statistics.shares(words, best).filter(|(term, _)| tells(*term)).count() >= ENOUGH_WORDS
    }

    /// Tells whether a file is called otherwise than by words of any task.
    fn has_own_name(&self, at: usize) -> bool {
        counted(std::iter::once(bare_stem(&self.sight.files[at].path).as_str()))
            .iter()
            .any(|(term, _)| !self.everyday.contains(term))
    }

    fn says(&self, at: usize, signal: &str) -> String {
        let is = |one: Signal| NAMES[one as usize] == signal;
        let outline = &self.sight.files[at].outline;
        let said = if is(Signal::Content) || is(Signal::ContentRank) || is(Signal::TitleContent) {
            let words = self.telling(&outline.words);
            let shared = listed(&words).map(|words| format!("it speaks of {words}"));
            shared.or_else(|| Some("it shares only everyday words with the design".to_owned()))
        } else if is(Signal::Path) {
            let words = self.telling(&counted(std::iter::once(self.sight.files[at].path.as_str())));
            let shared = listed(&words).map(|words| format!("its path says {words}"));
            shared.or_else(|| Some("its path shares an everyday word with the design".to_owned()))
        } else if is(Signal::DefinedWords) {
            let words = self.telling(&counted(outline.defined.iter().map(|one| one.name.as_str())));
            listed(&words).map(|words| format!("what it defines is called after {words}"))
        } else if is(Signal::Defines) {
            let names = self.names(|name| outline.defined.iter().any(|one| one.name == name));
            listed(&names).map(|names| format!("it defines {names}"))
        } else if is(Signal::Uses) {
            let names = self.names(|name| outline.speaks_of(name_of(name)));
            listed(&names).map(|names| format!("it uses {names}"))
        } else if is(Signal::Churn) {
            let (times, of) = self.sight.touches(u32::try_from(at).unwrap_or(u32::MAX));
            let commits = if of == 1 { "commit" } else { "commits" };
            Some(format!("{times} of {of} {commits} touched it"))
        } else if is(Signal::Cochange) || is(Signal::CochangeSure) {
            let at = u32::try_from(at).unwrap_or(u32::MAX);
            self.together.get(&at).map(|together| {
                let with = &self.sight.files[together.with as usize].path;
                format!("it was touched with {with}, {} of {} times", together.times, together.of)
            })
        } else {
            None
        };
        let plain = || {
            let at = NAMES.iter().position(|name| *name == signal);
            at.map_or_else(String::new, |at| SENTENCES[at].to_owned())
        };
        said.unwrap_or_else(plain)
    }

    /// Lists the words of the design that count most for a text, without those of any task.
    fn telling(&self, bag: &[(Term, u16)]) -> Vec<&str> {
        let mut shares: Vec<(Term, f64)> = self.statistics.shares(&self.sight.design.words, bag).collect();
        shares.retain(|(term, _)| !self.everyday.contains(term));
        shares.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        shares.iter().filter_map(|(term, _)| self.spelled.get(term)).map(String::as_str).take(MOST).collect()
    }

    /// Lists the names of the design that fit, those that it says most first.
    fn names(&self, fits: impl Fn(&str) -> bool) -> Vec<&str> {
        let mut names: Vec<(&str, f64)> =
            self.sight.design.names.iter().map(|(name, weight)| (name.as_str(), *weight)).collect();
        names.retain(|(name, _)| fits(name));
        names.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(b.0)));
        names.into_iter().map(|(name, _)| name).take(MOST).collect()
    }
}

/// Counts the words of names.
fn counted<'n>(names: impl Iterator<Item = &'n str>) -> Bag {
    let mut cutter = Cutter::default();
    let mut counts: FxHashMap<Term, u16> = FxHashMap::default();
    for name in names {
        cutter.cut(name, |term| {
            let count = counts.entry(term).or_default();
            *count = count.saturating_add(1);
        });
    }
    bag(counts)
}

/// Puts words into one phrase; nothing where there are none.
fn listed(words: &[&str]) -> Option<String> {
    let quoted: Vec<String> = words.iter().map(|word| format!("`{word}`")).collect();
    (!quoted.is_empty()).then(|| quoted.join(", "))
}

/// Finds for every file the one of the likeliest that it goes along with in the largest share of commits.
fn together(past: &[Vec<u32>], likeliest: &[usize]) -> FxHashMap<u32, Together> {
    let likeliest: FxHashSet<u32> =
        likeliest.iter().map(|at| u32::try_from(*at).unwrap_or(u32::MAX)).collect();
    let mut all: FxHashMap<u32, usize> = FxHashMap::default();
    let mut both: FxHashMap<(u32, u32), usize> = FxHashMap::default();
    for touched in past.iter().filter(|touched| touched.len() <= WIDEST) {
        for with in touched.iter().filter(|at| likeliest.contains(at)) {
            *all.entry(*with).or_default() += 1;
            for other in touched.iter().filter(|other| *other != with) {
                *both.entry((*other, *with)).or_default() += 1;
            }
        }
    }
    let mut best: FxHashMap<u32, Together> = FxHashMap::default();
    for ((at, with), times) in both {
        let one = Together { with, times, of: all[&with] };
        // One common commit of one says less than five of ten.
        let share = |one: &Together| one.times as f64 / (one.of as f64 + 4.0);
        let known = best.entry(at).or_insert(one);
        if (share(&one), known.with) > (share(known), one.with) {
            *known = one;
        }
    }
    best
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

    const SHOP: [(&str, &str); 3] = [
        ("src/rate.rs", "fn strict_rate() {} // rounding of taxes"),
        ("src/bill.rs", "fn bill() { strict_rate() }"),
        ("src/other.rs", "fn fixed() {}"),
    ];

    /// Returns what is said of a signal for a file of the shop.
    fn said(text: &str, commits: &[&[u32]], at: usize, signal: Signal) -> String {
        with(text, commits, |reasons, _| reasons.says(at, NAMES[signal as usize]))
    }

    /// Looks at the shop with a design.
    fn with<T>(text: &str, commits: &[&[u32]], look: impl Fn(&Reasons<'_>, &[Signals]) -> T) -> T {
        let tree: Vec<TreeFile> = SHOP
            .iter()
            .map(|(path, text)| TreeFile { path: (*path).to_owned(), outline: Arc::new(outline(path, text)) })
            .collect();
        let past: Vec<Vec<u32>> = commits.iter().map(|files| files.to_vec()).collect();
        let history = History::default();
        let (design, graph) = (design::read(text), Graph::of(&tree));
        let sight = Sight::new(&tree, &design, &graph, &history);
        look(&Reasons::of(&sight, text, &past, &[0]), &sight.first())
    }

    #[test]
    fn words_and_names_that_are_shared_are_said() {
        let text = "Fix the Rounding of tax in `strict_rate`";
        assert_eq!(said(text, &[], 0, Signal::Defines), "it defines `strict_rate`");
        assert_eq!(said(text, &[], 1, Signal::Uses), "it uses `strict_rate`");
        assert_eq!(said(text, &[], 0, Signal::Path), "its path says `rate`");
        let content = said(text, &[], 0, Signal::Content);
        assert!(content.starts_with("it speaks of ") && content.contains("`rounding`"), "{content}");
        assert_eq!(said(text, &[], 2, Signal::Content), "it shares only everyday words with the design");
    }

    #[test]
    fn what_changes_together_is_counted() {
        let commits: [&[u32]; 3] = [&[0, 1], &[0, 1], &[0, 2]];
        let found = said("tax", &commits, 1, Signal::Cochange);
        assert_eq!(found, "it was touched with src/rate.rs, 2 of 3 times");
        assert_eq!(said("tax", &[], 1, Signal::Cochange), SENTENCES[Signal::Cochange as usize]);
    }

    #[test]
    fn a_design_that_could_be_any_is_told_from_one_of_this_repository() {
        let check = |text: &str, particular: bool| {
            let found = with(text, &[], |reasons, signals| reasons.is_particular(signals));
            assert_eq!(found, particular, "{text}");
        };
        check("Fix the bug", false);
        check("Add a Kubernetes operator", false);
        check("The rounding is odd", false);
        check("The rounding of taxes is odd", true);
        check("Look into src/bill.rs", true);
        check("Fix the bill", true);
        check("Round in `strict_rate`", true);
    }
}
