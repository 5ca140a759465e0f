//! Changes that the sessions hold, and whether a reader of the base learns of them.
//!
//! A change is noticed where an entry that holds says what is new, and what was before is told as past:
//! in the history of that entry or of another, in an entry that was replaced or is disputed, or in a
//! sentence that says that something is over. The old side is known by the patterns of its label, or by what tells it from
//! the new one: names and numbers first, other words where there are none. A quotation as a whole is
//! seldom repeated by anybody. What still stands elsewhere as if it held was not noticed.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use fancy_regex::Regex;
use lore_core::{LinkKind, Status};
use serde_json::{Value, json};

use super::labels::{Item, Labels, all};
use super::measure::{Left, Page};
use crate::words::Words;

/// So many of the telling words of one side must be said, out of ten.
const ENOUGH: usize = 6;

/// Words that say nothing about a side.
const EMPTY: &str = " the a an and or of to in on for is are was were be been it its this that these those with as at by from \
    we you i he they our your my not no so if then than but into out up all any each every will would should can could may \
    must have has had do does did there here now just also only very more most one two new old use uses used using ";

/// A change of the labels with both sides.
struct Sides<'l> {
    relation: &'l str,
    old: &'l (Item, Vec<Regex>),
    new: &'l (Item, Vec<Regex>),
}

impl Left {
    /// Lists the labelled pairs whose sides were both shown to the editor.
    fn sides<'l>(&'l self, labels: &'l Labels) -> impl Iterator<Item = Sides<'l>> {
        let find = |id: &str| {
            let own = |(item, _): &&(Item, Vec<Regex>)| item.id == id && self.files.contains(&item.file);
            labels.items.iter().find(own)
        };
        labels.pairs.iter().filter(|pair| pair.corpus == self.project).filter_map(move |pair| {
            let (old, new) = (find(&pair.old_item)?, find(&pair.new_item)?);
            Some(Sides { relation: &pair.relation, old, new })
        })
    }

    /// Lists the changes and what became of each, for somebody to read.
    pub(super) fn changes(&self, labels: &Labels) -> Vec<Value> {
        let mut rows = Vec::new();
        for sides in self.sides(labels) {
            let (old, new) = (&sides.old.0, &sides.new.0);
            let told: Vec<Value> = self
                .standing(&sides)
                .take(4)
                .map(|page| json!({ "id": page.entry.id, "says": page.current, "of_the_past": self.told_by(page) }))
                .collect();
            let holds: Vec<String> =
                self.still_held(&sides).map(|page| format!("{}: {}", page.entry.id, page.current)).collect();
            rows.push(json!({
                "project": self.project, "relation": sides.relation, "noticed": self.is_noticed(&sides),
                "old": old.quote, "new": new.quote, "old_must": old.must, "new_must": new.must,
                "told_apart_by": telling_apart(&old.quote, &new.quote), "new_stands": told, "old_holds": holds,
            }));
        }
        rows
    }

    /// Lists the entries that say what is new: those that hold, and those in which both sides stand disputed.
    fn standing<'l>(&'l self, sides: &'l Sides<'l>) -> impl Iterator<Item = &'l Page> {
        self.pages.iter().filter(|page| {
            let disputed = page.entry.status == Status::Disputed && all(&sides.new.1, &page.past);
            disputed || page.is_current && all(&sides.new.1, &page.current)
        })
    }

    /// Gathers what an entry tells of the past: its history, what it replaced or disputes, and its own
    /// sentences that say that something is over.
    fn told_by(&self, page: &Page) -> String {
        let links = [LinkKind::Supersedes, LinkKind::Contradicts];
        let others: BTreeSet<&str> = links.iter().flat_map(|kind| page.entry.linked(*kind)).collect();
        let others = self.pages.iter().filter(|other| others.contains(other.entry.id.as_str()));
        // What rules took from the same lines is no earlier state of anything.
        let is_draft =
            |other: &Page| !other.is_edited && other.cited.iter().all(|one| page.cited.contains(one));
        let others = others.filter(|other| !is_draft(other));
        let mut out = vec![page.past.clone()];
        out.extend(others.map(|other| format!("{}\n{}", other.current, other.past)));
        out.extend(sentences(&page.current).into_iter().filter(|sentence| is_over(sentence)));
        out.join("\n")
    }

    /// Lists the entries that say what was before as if it held, and nothing of what is new.
    fn still_held<'l>(&'l self, sides: &'l Sides<'l>) -> impl Iterator<Item = &'l Page> {
        let quote = Words::of(&sides.old.0.quote);
        self.pages.iter().filter(move |page| {
            let holding: Vec<String> =
                sentences(&page.current).into_iter().filter(|sentence| !is_over(sentence)).collect();
            let holding = holding.join("\n");
            page.is_current
                && page.is_edited
                && !all(&sides.new.1, &page.current)
                && all(&sides.old.1, &holding)
                && quote.mostly_in(&Words::of(&holding))
        })
    }

    fn is_noticed(&self, sides: &Sides<'_>) -> bool {
        let apart = telling_apart(&sides.old.0.quote, &sides.new.0.quote);
        // In a history one name or number of the old side is enough; in running text it is not.
        let recalls = |text: &str| {
            let text = Words::of(text);
            apart.iter().any(|token| is_name(token) && Words::of(token).mostly_in(&text))
        };
        let says_old = |page: &Page| {
            let told = self.told_by(page);
            all(&sides.old.1, &told) || says(&told, &apart) || recalls(&page.past)
        };
        let elsewhere = || self.pages.iter().any(|page| page.is_edited && all(&sides.old.1, &page.past));
        let mut standing = self.standing(sides).peekable();
        let stands = standing.peek().is_some();
        stands && (standing.any(says_old) || elsewhere()) && self.still_held(sides).next().is_none()
    }

    /// Tells whether something is nowhere said to hold, and somewhere not to.
    fn is_marked(&self, says: impl Fn(&str) -> bool) -> bool {
        let holds = self.pages.iter().any(|page| page.is_current && page.is_edited && says(&page.current));
        let gone = self.pages.iter().any(|page| says(&page.past));
        gone && !holds
    }
}

/// Counts what became of the labelled pairs. `changes_by_pattern` is the bare measure beside which the
/// other is read: all patterns of the old side stand in something past and nowhere in what holds.
pub(super) fn count(left: &Left, labels: &Labels, count: &mut impl FnMut(&'static str, bool)) {
    for sides in left.sides(labels) {
        let (old, new) = (&sides.old.1, &sides.new.1);
        let marked = left.is_marked(|text| all(old, text));
        let stands = left.pages.iter().any(|page| page.is_current && all(new, &page.current));
        match sides.relation {
            "supersedes" | "contradicts" => {
                count("changes_noticed", left.is_noticed(&sides));
                count("changes_by_pattern", marked && stands);
                count("changes_new_stands", stands);
            }
            "compatible" => count("false_conflicts", marked),
            "duplicate" => {
                let holding = left.pages.iter().filter(|page| {
                    page.is_current && page.is_edited && (all(old, &page.current) || all(new, &page.current))
                });
                count("duplicates_merged", holding.count() == 1);
            }
            _ => {}
        }
    }
}

/// Lists what tells one side from the other: its names and numbers where it has any of its own, else its
/// telling words.
fn telling_apart(old: &str, new: &str) -> Vec<String> {
    let other = Words::of(new);
    let tokens = old.split(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/')));
    let tokens = tokens.map(|token| token.trim_matches(['-', '.', '/'])).filter(|token| token.len() > 1);
    let mut own: Vec<String> = Vec::new();
    for token in tokens {
        let is_empty = EMPTY.contains(&format!(" {} ", token.to_lowercase()));
        let known = Words::of(token).mostly_in(&other) || own.iter().any(|one| one == token);
        if !is_empty && !known {
            own.push(token.to_owned());
        }
    }
    let names: Vec<String> = own.iter().filter(|token| is_name(token)).cloned().collect();
    if names.is_empty() { own } else { names }
}

fn is_name(token: &str) -> bool {
    let inside = token.chars().skip(1).any(char::is_uppercase);
    inside || token.contains(['_', '/', '.']) || token.chars().any(|c| c.is_ascii_digit())
}

/// Tells whether an entry says a passage: its sentences that hold have most of the words, and all of the
/// names and numbers.
pub(super) fn is_said(passage: &str, page: &Page) -> bool {
    let holding: Vec<String> =
        sentences(&page.current).into_iter().filter(|sentence| !is_over(sentence)).collect();
    let holding = Words::of(&holding.join("\n"));
    let mut names = telling_apart(passage, "").into_iter().filter(|token| is_name(token));
    Words::of(passage).mostly_in(&holding) && names.all(|name| Words::of(&name).mostly_in(&holding))
}

/// Tells whether a text says most of what tells a side apart; one common word alone says nothing.
fn says(text: &str, telling: &[String]) -> bool {
    let text = Words::of(text);
    let there = telling.iter().filter(|token| Words::of(token).mostly_in(&text)).count();
    let least = if telling.iter().all(|token| is_name(token)) { 1 } else { 2 };
    there >= least && there * 10 >= telling.len() * ENOUGH
}

/// Tells whether a sentence says of something that it is over.
fn is_over(sentence: &str) -> bool {
    static OVER: LazyLock<Regex> = LazyLock::new(|| {
        let words = r"(?i)\b(?:instead of|rather than|no longer|not|never|nor|without|replac\w+|remov\w+|was|were|had been|formerly|previous\w*|until|used to|dropped|reject\w*|given up|gave up|revert\w*|renam\w*|supersed\w*|defer\w*|hid(?:es|den)?|incorrect|refocused|shifts? from|stays? out)\b";
        Regex::new(words).expect("the pattern is a constant")
    });
    OVER.is_match(sentence).unwrap_or(false)
}

fn sentences(text: &str) -> Vec<String> {
    let ends = |text: &str| text.ends_with(['.', '\n', ';']);
    let words: Vec<&str> = text.split_inclusive(char::is_whitespace).collect();
    words.chunk_by(|word, _| !ends(word.trim_end_matches(' '))).map(<[&str]>::concat).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_are_told_apart_by_their_names_before_their_words() {
        let check = |old: &str, new: &str, expected: &[&str]| assert_eq!(telling_apart(old, new), expected);
        check("Tickets expire after 90 minutes", "Tickets expire after 30 minutes", &["90"]);
        check("The shop uses `CashBook`", "The shop uses `CardReader`", &["CashBook"]);
        check("Crews are asked to confirm", "Crews see a notice", &["asked", "confirm"]);
    }

    #[test]
    fn one_common_word_says_nothing_and_a_name_does() {
        let telling = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        assert!(says("it was `CashBook` before", &telling(&["CashBook"])));
        assert!(!says("they were asked", &telling(&["asked", "confirm"])));
        assert!(says("they were asked to confirm", &telling(&["asked", "confirm"])));
        assert!(is_over("Cards replaced coins.") && !is_over("Cards are read twice."));
    }
}
