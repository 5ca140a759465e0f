//! What a record gives up: names beside a word of change. Entries that say such a name may no longer hold.

use std::collections::BTreeMap;

use lore_core::{Article, Entry, LineClass, PacketLine};

use super::words::{Cover, is_code, names};
use crate::curate::lexicon::{self, Class};
use crate::extract::sentence::sentences;

/// A name in more lines than one in so many is what the session is about, not what it gives up.
const COMMON: usize = 3;
/// A name of fewer letters stands in too many places.
const SHORTEST: usize = 4;
/// So many words away from a word of change a name is still meant by it.
const NEAR: usize = 7;
/// A name that more entries say is none of theirs in particular.
const FEW: usize = 3;

/// Lists the sentences that say of something that it is gone or became something else.
fn farewells<'l>(lines: impl Iterator<Item = &'l PacketLine>) -> Vec<&'l str> {
    let speaks = |line: &&PacketLine| !matches!(line.class, LineClass::Pasted | LineClass::PlanRefused);
    let said = lines.filter(speaks).flat_map(|line| line.text.lines()).flat_map(sentences);
    said.filter(|sentence| gives_up(sentence) && !names(sentence).is_empty()).collect()
}

fn gives_up(sentence: &str) -> bool {
    sentence.to_lowercase().contains("no longer") || sentence.split_whitespace().any(is_change)
}

/// Lists the names that stand beside a word of change.
pub(super) fn names_given_up(sentence: &str) -> Vec<String> {
    let near = Cover::of([near_the_change(sentence).as_str()]);
    let own = names(sentence).into_iter().filter(|name| name.chars().count() >= SHORTEST);
    own.filter(|name| near.has_whole(name)).collect()
}

fn is_change(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    lexicon::classes_of(&word) & Class::Change as u32 != 0
}

/// Returns the part of a sentence in which a word of change speaks: what stands near it.
fn near_the_change(sentence: &str) -> String {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let is_sign = |at: &usize| is_change(words[*at]) || words[*at].eq_ignore_ascii_case("longer") && *at > 0;
    let signs: Vec<usize> = (0..words.len()).filter(is_sign).collect();
    let near = |at: &usize| signs.iter().any(|sign| sign.abs_diff(*at) <= NEAR);
    let near: Vec<&str> = (0..words.len()).filter(near).map(|at| words[at]).collect();
    near.join(" ")
}

/// The names that a record gives up.
pub(super) struct GivenUp(Vec<String>);

impl GivenUp {
    pub(super) fn of(lines: &[&PacketLine]) -> GivenUp {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for sentence in farewells(lines.iter().copied()) {
            for name in names_given_up(sentence) {
                counts.entry(name).or_default();
            }
        }
        let covers: Vec<Cover> = lines.iter().map(|line| Cover::of([line.text.as_str()])).collect();
        for (name, count) in &mut counts {
            *count = covers.iter().filter(|cover| cover.has_whole(name)).count();
        }
        let most = (lines.len() / COMMON).max(2);
        GivenUp(counts.into_iter().filter(|(_, count)| *count <= most).map(|(name, _)| name).collect())
    }

    /// Names them all, to look for entries that say one.
    pub(super) fn joined(&self) -> String {
        self.0.join(" ")
    }

    /// Chooses the entries that say one of these names of what holds, those first that say code, and one which
    /// few others say; a name that many entries say tells nothing about any of them.
    pub(super) fn overtakes<'e>(&self, entries: &[&'e Entry]) -> Vec<&'e Entry> {
        let said: Vec<Cover> = entries.iter().map(|entry| cover_of(entry)).collect();
        let mut named: BTreeMap<usize, (bool, usize)> = BTreeMap::new();
        for name in &self.0 {
            let saying: Vec<usize> = (0..entries.len()).filter(|at| said[*at].has_whole(name)).collect();
            for at in saying.iter().filter(|_| saying.len() <= FEW) {
                // A word that is written as code is surely a name; a capital may open anything.
                let own = (!is_code(name), saying.len());
                let best = named.entry(*at).or_insert(own);
                *best = (*best).min(own);
            }
        }
        let mut order: Vec<((bool, usize), usize)> = named.into_iter().map(|(at, best)| (best, at)).collect();
        order.sort_unstable();
        order.into_iter().map(|(_, at)| entries[at]).collect()
    }
}

fn cover_of(entry: &Entry) -> Cover {
    let article = Article::parse(&entry.body);
    let mut cover = Cover::of([entry.title.as_str()]);
    article.current().chain(&article.conflict).for_each(|claim| cover.add(&claim.text));
    cover
}

#[cfg(test)]
mod tests {
    use lore_core::{EntryId, Kind, SessionId};

    use super::*;

    fn line(class: LineClass, text: &str) -> PacketLine {
        PacketLine {
            number: 1,
            session: SessionId::new("s"),
            agent: "claude-code".to_owned(),
            record: 1,
            class,
            at: None,
            text: text.to_owned(),
            old: false,
        }
    }

    #[test]
    fn an_entry_that_names_what_went_is_found() {
        let lines = [
            line(LineClass::Commit, "chore: remove the harbour_feed adapter. Tides come from `TideTable`."),
            line(LineClass::Passing, "The quay plan is drawn by Mooring."),
            line(LineClass::Pasted, "removed `night_watch`"),
        ];
        let gone = GivenUp::of(&lines.each_ref());
        let entry = |body: &str| {
            let id = EntryId::new(Kind::Fact, jiff::civil::date(2026, 1, 1), "it");
            Entry { body: body.to_owned(), ..Entry::new(id, Kind::Fact, "it") }
        };
        let check = |body: &str, expected: bool| {
            assert_eq!(gone.overtakes(&[&entry(body)]).len() == 1, expected, "{body}");
        };
        check("Arrivals are read with `harbour_feed` every minute.", true);
        check("Arrivals are shown by Mooring.", false);
        check("The harbour has a feed of its own.", false);
        check("The `night_watch` job runs at two.", false);
        let many = ["First", "Second", "Third", "Fourth"]
            .map(|one| entry(&format!("{one}: `harbour_feed` is read.")));
        assert_eq!(gone.overtakes(&many.each_ref()).len(), 0, "what all say is about none of them");
    }
}
