//! V12 and V13: what the base says already, and what people took out of it.

use std::collections::BTreeSet;

use lore_core::{Article, Entry, Op, Status};

use super::polarity::denies;
use super::{Galley, Noticed, Room};
use crate::curator::numbers::numbers;
use crate::curator::words::{content, names};

/// From here on two statements are shown to each other, and from here on one says what was removed.
const ALIKE: f64 = 0.85;
const REMOVED: f64 = 0.8;
/// So many entries, and one in so many, name what is a word of the project.
const SEVERAL: usize = 3;
const MANY: usize = 4;

/// A sentence of an entry that holds.
pub(super) struct Stated<'a> {
    entry: &'a Entry,
    plain: String,
    content: BTreeSet<String>,
}

impl Stated<'_> {
    /// Tells whether a name stands in it, whole.
    pub(super) fn names(&self, name: &str) -> bool {
        let name = plain(name);
        !name.is_empty() && format!(" {} ", self.plain).contains(&format!(" {name} "))
    }
}

/// Lists what the entries state.
pub(super) fn statements(entries: &[Entry]) -> Vec<Stated<'_>> {
    let mut out = Vec::new();
    for entry in entries.iter().filter(|entry| matches!(entry.status, Status::Current | Status::Disputed)) {
        let article = Article::parse(&entry.body);
        let lead: Vec<&str> = article.lead.iter().map(|claim| claim.text.as_str()).collect();
        let each = article.current().chain(&article.conflict).map(|claim| claim.text.clone());
        for text in std::iter::once(lead.join(" ")).chain(each).filter(|text| !text.is_empty()) {
            let stated = Stated { entry, plain: plain(&text), content: content(&text).into_iter().collect() };
            if !out.iter().any(|known: &Stated<'_>| known.entry.id == entry.id && known.plain == stated.plain)
            {
                out.push(stated);
            }
        }
    }
    out
}

/// Tells whether a name is a word of the project: several entries that stand near name it, and many of them.
pub(super) fn is_word_of_the_base(name: &str, statements: &[Stated<'_>]) -> bool {
    let ids = |stated: &mut dyn Iterator<Item = &Stated<'_>>| {
        stated.map(|stated| stated.entry.id.as_str().to_owned()).collect::<BTreeSet<String>>().len()
    };
    let (naming, all) =
        (ids(&mut statements.iter().filter(|stated| stated.names(name))), ids(&mut statements.iter()));
    naming >= SEVERAL && naming * MANY >= all
}

/// V12: the same sentence is the same; what is merely alike is linked and never folded.
pub(super) fn not_said_already<'a>(galley: &mut Galley<'a>, room: &Room<'a>) -> Noticed {
    if !galley.speaks() {
        return Noticed::Fine;
    }
    let text = galley.edit.said();
    let said = plain(text);
    let own = galley.target.map(|target| &target.id);
    // Its own entry first: a refinement that changes nothing is about that one.
    let same = |stated: &&Stated<'a>| stated.plain == said;
    let mut found = room.statements.iter().filter(same);
    let found = found.clone().find(|stated| Some(&stated.entry.id) == own).or_else(|| found.next());
    if let Some(stated) = found {
        galley.target = Some(stated.entry);
        galley.edit.op = Op::Same;
        galley.edit.was = None;
        galley.edit.reason = None;
        return Noticed::Lower(format!("“{}” says it already", stated.entry.title));
    }
    let content: BTreeSet<String> = content(text).into_iter().collect();
    for stated in &room.statements {
        if Some(&stated.entry.id) != own && likeness(&content, &stated.content) >= ALIKE {
            galley.alike.insert(stated.entry.id.clone());
        }
    }
    if galley.alike.is_empty() {
        Noticed::Fine
    } else {
        Noticed::Note("another entry says nearly the same".to_owned())
    }
}

/// V13: what a person took out stays out; what only resembles it is asked about.
pub(super) fn not_removed(galley: &mut Galley<'_>, room: &Room<'_>) -> Noticed {
    if !galley.speaks() {
        return Noticed::Fine;
    }
    let text = galley.edit.said();
    let title = galley.edit.title.as_deref().unwrap_or_default();
    let (said, own) = (plain(text), content(text).into_iter().collect::<BTreeSet<String>>());
    let mut resembles = false;
    for removed in room.context.removed.iter().filter(|removed| !removed.trim().is_empty()) {
        let gone = plain(removed);
        let near = likeness(&own, &content(removed).into_iter().collect());
        if gone == said || gone == plain(title) || near >= REMOVED && has_same_values(text, removed) {
            return Noticed::Refuse("a person removed or refused this before".to_owned());
        }
        resembles |= near >= REMOVED;
    }
    if resembles {
        return Noticed::Propose("it resembles what a person removed or refused before".to_owned());
    }
    Noticed::Fine
}

/// Tells whether two statements differ in no number, name or denial.
fn has_same_values(a: &str, b: &str) -> bool {
    let values = |text: &str| -> BTreeSet<String> {
        let numbers = numbers(text).into_iter().map(|(written, _)| written);
        names(text).iter().map(|name| plain(name)).chain(numbers).collect()
    };
    denies(a) == denies(b) && values(a) == values(b)
}

/// Writes a sentence without what makes no difference.
pub(in crate::curator) fn plain(text: &str) -> String {
    let words: Vec<String> = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    words.join(" ")
}

/// Returns the share of telling words that two statements have in common.
fn likeness(a: &BTreeSet<String>, b: &BTreeSet<String>) -> f64 {
    let all = a.len() + b.len();
    if all == 0 { 0.0 } else { 2.0 * a.intersection(b).count() as f64 / all as f64 }
}
