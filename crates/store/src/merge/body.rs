//! Two texts of one entry become one, strand by strand.

use std::collections::{BTreeMap, BTreeSet};

use lore_core::article::{CONFLICT, FACTS, HISTORY};
use lore_core::one_line;

use super::authors::Authors;
use super::manuscript::{Chapter, Manuscript, Strand, is, without_bullet};
use super::pairs::{Whereabouts, edits, replaced};

/// Whose the changes of the two sides are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Hands {
    /// Two people wrote.
    People,
    /// A person wrote the first side, the machine the second.
    PersonFirst,
    /// Only the machine wrote.
    Machines,
}

/// Merges two bodies whose footnotes have the same keys.
pub(super) fn merge(
    base: &Manuscript,
    [main, other]: [&Manuscript; 2],
    hands: Hands,
    authors: &Authors,
) -> Manuscript {
    let mut weaving = Weaving::new(base, main, other, hands, authors);
    let mut out = Manuscript::default();
    for chapter in &main.chapters {
        let place = chapter.heading.as_str();
        let strands = chapter.strands.iter().filter_map(|strand| weaving.here(place, strand)).collect();
        out.chapters.push(Chapter { heading: chapter.heading.clone(), strands });
    }
    // A page has one heading of its own.
    let doubled = main.heading().and(other.heading()).map(|heading| heading.key.as_str());
    for chapter in &other.chapters {
        let mut before: Option<&str> = None;
        for strand in &chapter.strands {
            let is_doubled = chapter.heading.is_empty() && doubled == Some(strand.key.as_str());
            if !is_doubled && weaving.is_missing(&chapter.heading, strand) {
                // Two statements do not open one article.
                let opens = weaving.was.is_empty() && chapter.heading.is_empty() && strand.states();
                if opens
                    && hands == Hands::People
                    && let Some(own) = lone(main).filter(|_| lone(other).is_some())
                {
                    // What it said before is not known; both wrote down what the page is about.
                    out.chapter("").strands.retain(|known| known.key != own.key);
                    weaving.dispute(own, strand);
                } else if opens {
                    weaving.moved.push((FACTS.to_owned(), as_fact(strand)));
                } else {
                    insert(out.chapter(&chapter.heading), strand.clone(), before);
                }
            }
            before = Some(&strand.key);
        }
    }
    out.leave_open(&weaving.undecided);
    for (heading, strand) in weaving.moved {
        let chapter = out.chapter(&heading);
        match chapter.strands.iter_mut().find(|known| known.key == strand.key) {
            Some(known) => known.cite(&strand.marks),
            None => chapter.strands.push(strand),
        }
    }
    settle(&mut out);
    out.notes = notes(base, main, other, &out);
    out
}

/// Returns the statement of a text that opens with one and no more.
fn lone(of: &Manuscript) -> Option<&Strand> {
    let opening = of.chapters.iter().find(|chapter| chapter.heading.is_empty())?;
    let mut states = opening.strands.iter().filter(|strand| strand.states());
    states.next().filter(|_| states.next().is_none())
}

/// Two bodies on the way to one.
struct Weaving<'a> {
    was: Whereabouts<'a>,
    here: Whereabouts<'a>,
    there: Whereabouts<'a>,
    /// What each side worded anew: from the old words to the new.
    edits: BTreeMap<&'a str, &'a str>,
    their_edits: BTreeMap<&'a str, &'a str>,
    hands: Hands,
    authors: &'a Authors,
    /// Strands that go to another chapter than they stood in.
    moved: Vec<(String, Strand)>,
    /// Old words of which both sides said anew what holds instead.
    undecided: BTreeSet<String>,
    /// What of the other side is taken care of.
    done: BTreeSet<String>,
}

impl<'a> Weaving<'a> {
    fn new(
        base: &'a Manuscript,
        main: &'a Manuscript,
        other: &'a Manuscript,
        hands: Hands,
        authors: &'a Authors,
    ) -> Weaving<'a> {
        let (was, here, there) = (base.places(), main.places(), other.places());
        let edits_of = |side: &'a Manuscript, now: &Whereabouts<'a>| {
            let mut edits = edits(&was, now);
            if let (Some(old), Some(new)) = (base.heading(), side.heading())
                && old.key != new.key
            {
                edits.insert(&old.key, &new.key);
            }
            // What the machine replaced twice it compares itself, by who spoke last.
            if hands != Hands::Machines {
                edits.extend(replaced(&was, now));
            }
            edits
        };
        let (edits, their_edits) = (edits_of(main, &here), edits_of(other, &there));
        let (moved, undecided, done) = (Vec::new(), BTreeSet::new(), BTreeSet::new());
        Weaving { was, here, there, edits, their_edits, hands, authors, moved, undecided, done }
    }

    /// Puts what two sides say side by side; nobody has decided yet.
    fn dispute(&mut self, ours: &Strand, theirs: &Strand) {
        let said = [self.authors.of_main(ours), self.authors.of_other(theirs)];
        for (side, said) in [ours, theirs].into_iter().zip(said) {
            self.moved.push((CONFLICT.to_owned(), side.as_item(said)));
        }
    }

    /// Says what becomes of a strand of the first side in its place.
    fn here(&mut self, place: &str, strand: &Strand) -> Option<Strand> {
        let key = strand.key.as_str();
        if self.there.contains_key(key) {
            return self.in_both(place, strand);
        }
        if self.was.contains_key(key) {
            return self.gone_there(place, strand);
        }
        let before = self.edits.iter().find(|(_, now)| **now == key).map(|(before, _)| *before);
        match before {
            Some(before) => self.worded_anew(before, strand),
            None => Some(strand.clone()),
        }
    }

    /// Both sides have it: the marks are merged, and where one side moved it, it is moved.
    fn in_both(&mut self, place: &str, strand: &Strand) -> Option<Strand> {
        let (there, theirs) = *self.there.get(strand.key.as_str())?;
        let old = self.was.get(strand.key.as_str()).copied();
        self.done.insert(strand.key.clone());
        let marks = super::three(old.map_or(&[][..], |(_, old)| &old.marks), &strand.marks, &theirs.marks);
        let old_place = old.map(|(place, _)| place);
        if old_place.is_some_and(|old| is(old, CONFLICT)) && contested((place, strand), (there, theirs)) {
            let open = strand.as_item(SETTLED_TWICE.to_owned());
            self.moved.push((CONFLICT.to_owned(), Strand { marks, ..open }));
            return None;
        }
        let goes = if there == place {
            false
        } else if old_place == Some(place) {
            true
        } else {
            old_place != Some(there) && weight(there, theirs) > weight(place, strand)
        };
        if goes {
            self.moved.push((there.to_owned(), Strand { marks, ..theirs.clone() }));
            return None;
        }
        let untouched = old.is_some_and(|(_, old)| old.below == strand.below && old.text == strand.text);
        let words = if untouched { theirs } else { strand };
        Some(Strand { text: words.text.clone(), below: words.below.clone(), marks, ..strand.clone() })
    }

    /// The other side took it out, or worded it anew.
    fn gone_there(&mut self, place: &str, strand: &Strand) -> Option<Strand> {
        let (old_place, old) = *self.was.get(strand.key.as_str())?;
        if self.edits.contains_key(strand.key.as_str()) {
            // It is history here; what the other side made of it meets what replaced it.
            return Some(strand.clone());
        }
        let Some(now) = self.their_edits.get(strand.key.as_str()).copied() else {
            let untouched = old_place == place && old.below == strand.below;
            return (!untouched).then(|| strand.clone());
        };
        let (_, theirs) = *self.there.get(now)?;
        self.done.insert(now.to_owned());
        // What was learned for the old words counts for the new.
        let mut theirs = Strand { seam: strand.seam, ..theirs.clone() };
        theirs.cite(&strand.marks);
        Some(theirs)
    }

    /// This side worded it anew; the other may have done so as well.
    fn worded_anew(&mut self, before: &str, strand: &Strand) -> Option<Strand> {
        let mut merged = strand.clone();
        let old = self.there.get(before).copied();
        let now = self.their_edits.get(before).and_then(|now| self.there.get(now)).copied();
        let Some((place, theirs)) = now else {
            if let Some((_, theirs)) = old {
                let known = self.was.get(before).map_or(&[][..], |(_, old)| &old.marks);
                let new = theirs.marks.iter().filter(|mark| !known.contains(mark)).cloned();
                merged.cite(&new.collect::<Vec<String>>());
                self.done.insert(before.to_owned());
            }
            return Some(merged);
        };
        self.done.insert(theirs.key.clone());
        if !strand.states() || !theirs.states() {
            return Some(merged);
        }
        // What the machine put into the history gave way to somebody's word and not to its own wording.
        let gave_way = old.is_some_and(|(place, _)| is(place, HISTORY));
        match self.hands {
            Hands::PersonFirst if !gave_way => {
                merged.cite(&theirs.marks);
                let words = one_line(without_bullet(&strand.text));
                let below = format!("  Replaced by: {words}\n  Reason: {WORDED}");
                self.moved.push((HISTORY.to_owned(), theirs.as_item(below)));
            }
            Hands::People | Hands::PersonFirst => {
                self.undecided.insert(before.to_owned());
                self.dispute(strand, theirs);
                return None;
            }
            Hands::Machines => self.moved.push((beside(place).to_owned(), as_fact(theirs))),
        }
        Some(merged)
    }

    /// Tells whether a strand of the other side is not there yet and was not taken out by this side.
    fn is_missing(&self, place: &str, strand: &Strand) -> bool {
        let key = strand.key.as_str();
        if self.done.contains(key) || self.here.contains_key(key) {
            return false;
        }
        let Some((old_place, old)) = self.was.get(key) else { return true };
        if is(place, HISTORY) && self.their_edits.contains_key(key) {
            return true;
        }
        !self.edits.contains_key(key) && (*old_place != place || old.below != strand.below)
    }
}

/// What a conflict says of a claim that two people decided upon differently.
const SETTLED_TWICE: &str = "  Said by a person, and settled in two ways";
/// Why the machine's wording gave way.
const WORDED: &str = "a person worded it otherwise";

/// Inserts a strand after the one it followed on its side.
fn insert(chapter: &mut Chapter, strand: Strand, before: Option<&str>) {
    let after = before.and_then(|before| chapter.strands.iter().position(|known| known.key == before));
    let newest_first = is(&chapter.heading, HISTORY) && before.is_none();
    let at = match after {
        Some(at) => at + 1,
        None if newest_first => 0,
        None => chapter.strands.len(),
    };
    chapter.strands.insert(at, strand);
}

/// A conflict with one side left is none.
fn settle(out: &mut Manuscript) {
    let Some(conflict) = out.chapters.iter_mut().find(|chapter| is(&chapter.heading, CONFLICT)) else {
        return;
    };
    if conflict.strands.len() == 1 {
        let rest = std::mem::take(&mut conflict.strands);
        out.chapter(FACTS).strands.extend(rest.iter().map(as_fact));
    }
}

fn as_fact(strand: &Strand) -> Strand {
    strand.as_item(String::new())
}

/// Says where a second wording goes.
fn beside(place: &str) -> &str {
    if place.is_empty() { FACTS } else { place }
}

/// Says how much a place counts where both sides moved a claim: what a person settled is settled,
/// then a doubt is shown rather than decided.
fn weight(place: &str, strand: &Strand) -> u8 {
    let by_a_person =
        ["Reason: settled by", "Reason: decided by"].iter().any(|words| strand.below.contains(words));
    match place {
        place if is(place, HISTORY) && by_a_person => SETTLED,
        place if is(place, CONFLICT) => 2,
        place if is(place, HISTORY) => 1,
        _ => 0,
    }
}

/// Tells whether one side settled that a claim holds, and the other that it does not.
fn contested(one: (&str, &Strand), other: (&str, &Strand)) -> bool {
    let fell = |(place, strand): (&str, &Strand)| weight(place, strand) == SETTLED;
    let holds = |(place, _): (&str, &Strand)| !is(place, HISTORY) && !is(place, CONFLICT);
    fell(one) && holds(other) || holds(one) && fell(other)
}

/// What a person settled weighs most.
const SETTLED: u8 = 3;

/// Keeps the footnotes that are cited, or that a side has and neither took out.
fn notes(
    base: &Manuscript,
    main: &Manuscript,
    other: &Manuscript,
    out: &Manuscript,
) -> Vec<(String, String)> {
    let cited: BTreeSet<&String> =
        out.chapters.iter().flat_map(|chapter| &chapter.strands).flat_map(|strand| &strand.marks).collect();
    let has = |of: &Manuscript, key: &String| of.notes.iter().any(|(known, _)| known == key);
    let mut notes: Vec<(String, String)> = Vec::new();
    for (key, text) in main.notes.iter().chain(&other.notes) {
        let removed = has(base, key) && !(has(main, key) && has(other, key));
        if !notes.iter().any(|(known, _)| known == key) && (cited.contains(key) || !removed) {
            notes.push((key.clone(), text.clone()));
        }
    }
    notes
}
