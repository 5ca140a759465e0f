//! A short answer in the words that were written or said, with where they stand, or none at all.
//!
//! Many short pieces tell more than a few long ones, so texts are taken apart, each piece is weighed
//! by itself, and the best are given until the budget is spent; then come the pieces that follow
//! them. Nothing is rephrased: what is shown can be found word for word at its source. What an explicit
//! change made old is marked as earlier. Where the evidence is weak it says that it does not know.
//! In front of the evidence stands the lead: what answers the question, in one to three lines.

use std::collections::{HashMap, HashSet};

use lore_core::{Moment, Voice};
use serde::Serialize;

use crate::before::with_what_was;
use crate::dismissed::Dismissals;
use crate::evidence::{Evidence, Piece, gather, line_of};
use crate::fit::Asked;
use crate::index::Level;
use crate::judge::{Judged, judge};
use crate::lead::{lead, replacement, with_other_sides};
use crate::period::{Period, period};
use crate::query;
use crate::reader::{SearchError, Snapshot};
use crate::sought::sought;
use crate::weigh::{Weighed, dot, weigh};
use crate::wording::{excepts, tells_of_change};

/// How to answer.
#[derive(Debug, Clone, PartialEq)]
pub struct AskOptions {
    /// The day of asking.
    pub today: Moment,
    /// What may be spent, in tokens.
    pub budget: usize,
    /// As things stood at this moment; the question may say so itself.
    pub as_of: Option<Moment>,
    /// Only these projects; all where empty.
    pub projects: Vec<String>,
    /// What the project is called: a word that stands in everything tells nothing about one thing.
    pub own_names: Vec<String>,
}

/// What can be said to a question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// What answers the question, in one to three lines; both sides where it changed or is disputed.
    pub lead: Vec<Quote>,
    /// The evidence, best first, within the budget.
    pub passages: Vec<Quote>,
    /// Whether the evidence is too weak to call it an answer; the nearest is given all the same.
    pub abstained: bool,
    /// Why it is, or is not, an answer.
    pub why: String,
}

/// Words that were written or said, with their source.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Quote {
    /// The words.
    pub text: String,
    /// `current`, `disputed`, `outdated`, `superseded`; `uncurated` for what was only said; `earlier`
    /// where something newer on the same subject tells of a change.
    pub status: String,
    /// Whether the machine wrote it and no person has confirmed it.
    pub unreviewed: bool,
    /// The id of the entry, or session and line.
    pub source: String,
    /// `entry` or `passage`.
    pub level: &'static str,
    /// Whose words they are.
    pub voice: Voice,
    /// When it was written or said.
    pub at: Option<Moment>,
    /// How it ranks among the others, the larger the better; numbers of two questions do not compare.
    pub score: f64,
    /// The part of it that says most, where there is little room; empty where it is all short.
    #[serde(skip)]
    pub gist: String,
    /// Counts the passages of a session; a place may have several.
    #[serde(skip)]
    pub sequence: u32,
}

impl Quote {
    /// Tells a passage from others at the same place.
    pub fn key(&self) -> String {
        format!("{}~{}", self.source, self.sequence)
    }
}

/// Pieces that share more of their words than this say the same.
const SAME: f64 = 0.55;
/// Entries that share more than this do.
const ALL: f64 = 0.95;
/// An entry that fits the question this well as a whole comes before everything else …
const FITS: f64 = 0.4;
/// … at most so many of them, …
const LEADING: usize = 3;
/// … with so many pieces of each.
const LEADING_PIECES: usize = 2;
/// This share of the budget goes to the best pieces, the rest first to what follows them.
const FIRST: f64 = 0.5;
/// So many pieces that follow a good one are given with it.
const FOLLOWING: usize = 2;
/// So many of the best pieces can make others look old …
const NEWER: usize = 300;
/// … if they tell of a change in so many words and are at least this near in meaning.
const ONE_SUBJECT: f64 = 0.8;
/// … and share this much of their words.
const SHARED: f64 = 0.3;
/// A line of the lead fits at least this share of what fits best.
const BESIDE: f64 = 0.7;
/// A token is four characters.
const CHARACTERS: usize = 4;

/// Answers a question from what is written and said.
pub fn answer(snapshot: &Snapshot<'_>, question: &str, options: &AskOptions) -> Result<Answer, SearchError> {
    let Some(as_of) = options.as_of else {
        let period = period(question, options.today.date());
        let given = answer_within(snapshot, question, options, period)?;
        // A time in a question may be a part of what it is about: nobody is told less for having named one.
        let narrowed = matches!(period, Period::Between(..)) && given.abstained;
        return if narrowed { answer_within(snapshot, question, options, Period::Unsaid) } else { Ok(given) };
    };
    answer_within(snapshot, question, options, Period::Between(as_of.date(), as_of.date()))
}

/// Answers a question as of the time it is about.
fn answer_within(
    snapshot: &Snapshot<'_>,
    question: &str,
    options: &AskOptions,
    period: Period,
) -> Result<Answer, SearchError> {
    let until = match period {
        Period::Between(_, end) => Some(Moment::Day(end)),
        _ => None,
    };
    let sought = sought(snapshot, query::words(question))?;
    let evidence = gather(snapshot, question, until, options)?;
    let vector = snapshot.index.embedder.as_ref().map(|embedder| embedder.embed(question));
    let dated = until.is_some() || period == Period::First;
    let weighed = weigh(&evidence, &sought, question, &vector.unwrap_or_default(), !dated);
    let asked = Asked::question(question).without(&options.own_names);
    let in_full = Asked::question_in_full(question).without(&options.own_names);
    let Judged { best, past, once, why } =
        judge([&asked, &in_full], &evidence, &weighed, (question, &sought));
    let abstained = best < Asked::ANSWERS;
    let taken = packed(&evidence, &weighed, options.budget * CHARACTERS);
    let taken = undismissed(snapshot, &evidence, taken)?;
    let passages = quotes(&evidence, &weighed, &taken, dated);
    let lead = if abstained {
        Vec::new()
    } else {
        let fits = |text: &str| asked.fit_above(text, 0.0).value >= best * BESIDE;
        let lead = match past {
            // Of what holds, nothing fits by itself; what took the place of what fits answers.
            Some(at) => replacement(snapshot, &evidence, &weighed, at)?,
            None => lead(&evidence, &weighed, &passages, &taken, &fits, until.is_some()),
        };
        // Whatever the words of its successor are: where the old answers, the new does.
        let lead = match once.filter(|_| lead.is_empty()) {
            Some(at) => replacement(snapshot, &evidence, &weighed, at)?,
            None => lead,
        };
        let lead = with_other_sides(snapshot, lead)?;
        if until.is_some() { lead } else { with_what_was(snapshot, lead, question)? }
    };
    let (abstained, why) = match lead.is_empty() && !abstained {
        true if past.is_some() => {
            (true, "what was written about it no longer holds, and nothing took its place".to_owned())
        }
        true if !passages.is_empty() => (true, "what was found about it may no longer hold".to_owned()),
        // Nothing was found to be too old; there was no room.
        _ => (abstained, why),
    };
    Ok(Answer { lead, passages, abstained, why })
}

/// Leaves out what was dismissed right after it was said.
fn undismissed(
    snapshot: &Snapshot<'_>,
    evidence: &Evidence,
    taken: Vec<usize>,
) -> Result<Vec<usize>, SearchError> {
    let mut dismissals = Dismissals::default();
    let mut kept = Vec::with_capacity(taken.len());
    for at in taken {
        let parent = &evidence.parents[evidence.pieces[at].parent];
        let line = u32::try_from(line_of(&parent.source)).unwrap_or_default();
        if parent.level == Level::Entries || !dismissals.has(snapshot, &parent.session, line)? {
            kept.push(at);
        }
    }
    Ok(kept)
}

/// Takes pieces while they fit and say something new: the best, then what follows them, then more.
fn packed(evidence: &Evidence, weighed: &Weighed, budget: usize) -> Vec<usize> {
    let mut pack = Pack { evidence, left: budget, taken: Vec::new() };
    leading(evidence, weighed).into_iter().for_each(|at| pack.add(at));
    let kept = budget - (budget as f64 * FIRST) as usize;
    for at in &weighed.order {
        if pack.left < kept {
            break;
        }
        pack.add(*at);
    }
    for at in pack.taken.clone() {
        for next in at + 1..=at + FOLLOWING {
            let follows = evidence.pieces.get(next).is_some_and(|p| p.parent == evidence.pieces[at].parent);
            if follows {
                pack.add(next);
            }
        }
    }
    for at in &weighed.order {
        pack.add(*at);
    }
    pack.taken
}

/// Finds what curated entries that fit the question as a whole say about it.
fn leading(evidence: &Evidence, weighed: &Weighed) -> Vec<usize> {
    let fit = |parent: &usize| evidence.parents[*parent].fit;
    let mut parents: Vec<usize> = (0..evidence.parents.len()).filter(|parent| fit(parent) >= FITS).collect();
    parents.sort_by(|a, b| fit(b).total_cmp(&fit(a)));
    let says = |parent: usize| {
        let holds = |piece: &Piece| piece.parent == parent && matches!(piece.status, "current" | "disputed");
        let own = weighed.order.iter().copied().filter(|at| holds(&evidence.pieces[*at]));
        let mut own: Vec<usize> = own.take(LEADING_PIECES).collect();
        own.sort_unstable();
        own
    };
    parents.into_iter().take(LEADING).flat_map(says).collect()
}

struct Pack<'e> {
    evidence: &'e Evidence,
    left: usize,
    taken: Vec<usize>,
}

impl Pack<'_> {
    fn add(&mut self, at: usize) {
        let piece = &self.evidence.pieces[at];
        // One character parts it from its neighbour.
        let cost = piece.text.chars().count() + 1;
        if cost > self.left || self.taken.contains(&at) {
            return;
        }
        let mut others = self.taken.iter().map(|other| &self.evidence.pieces[*other]);
        // What curation keeps apart differs, be it in one word only.
        let is_entry = |piece: &Piece| self.evidence.parents[piece.parent].level == Level::Entries;
        let apart = |other: &Piece| is_entry(piece) && is_entry(other) && other.parent != piece.parent;
        // What took the place of something has most of its words, and says what it does not.
        let is_past = |piece: &Piece| matches!(piece.status, "superseded" | "possibly-replaced");
        let follows = |other: &Piece| other.parent == piece.parent && is_past(other) && !is_past(piece);
        // A question has the words of its answer, and must not stand in its way.
        let known = others.any(|other| {
            let same = if apart(other) { ALL } else { SAME };
            // A rule and its exception share nearly all of their words.
            let differ = apart(other) && excepts(&piece.text) != excepts(&other.text);
            !differ
                && !other.text.ends_with('?')
                && !follows(other)
                && overlap(&piece.terms, &other.terms) > same
        });
        if !known {
            self.left -= cost;
            self.taken.push(at);
        }
    }
}

/// Joins what was taken from one place, in its order there.
fn quotes(evidence: &Evidence, weighed: &Weighed, taken: &[usize], dated: bool) -> Vec<Quote> {
    let newer: Vec<usize> = weighed.order.iter().copied().take(NEWER).collect();
    let mut old: HashMap<usize, (usize, usize)> = HashMap::new();
    for at in taken {
        let piece = &evidence.pieces[*at];
        let (earlier, all) = old.entry(piece.parent).or_default();
        *earlier += usize::from(is_earlier(evidence, piece, &newer));
        *all += 1;
    }
    let mut quotes: Vec<(usize, Vec<usize>, &'static str)> = Vec::new();
    let side = |pieces: &[usize]| pieces.first().and_then(|at| evidence.pieces[*at].side);
    for at in taken.iter().copied() {
        let piece = &evidence.pieces[at];
        let holds = matches!(piece.status, "current" | "uncurated");
        // It was all said at one time, so it grows old together.
        let is_old = old.get(&piece.parent).is_some_and(|(earlier, all)| earlier * 2 >= *all)
            || evidence.parents[piece.parent].refused;
        let status = if holds && !dated && is_old { "earlier" } else { piece.status };
        let same = |(parent, pieces, other): &&mut (usize, Vec<usize>, &'static str)| {
            *parent == piece.parent && *other == status && side(pieces) == piece.side
        };
        match quotes.iter_mut().find(same) {
            Some((_, pieces, _)) => pieces.push(at),
            None => quotes.push((piece.parent, vec![at], status)),
        }
    }
    // What no longer holds comes last, however well it fits; before it what may not hold any more.
    quotes.sort_by_key(|(_, _, status)| match *status {
        "superseded" | "outdated" => 2,
        "earlier" => 1,
        _ => 0,
    });
    quotes
        .into_iter()
        .map(|(parent, mut pieces, status)| {
            let score = pieces.iter().map(|at| weighed.scores[*at]).fold(f64::MIN, f64::max);
            pieces.sort_unstable();
            let parent = &evidence.parents[parent];
            let texts: Vec<&str> = pieces.iter().map(|at| evidence.pieces[*at].text.as_str()).collect();
            Quote {
                unreviewed: parent.unreviewed,
                text: texts.join("\n"),
                status: status.to_owned(),
                source: parent.source.clone(),
                level: if parent.level == Level::Entries { "entry" } else { "passage" },
                voice: pieces.first().map_or(parent.voice, |at| evidence.pieces[*at].voice),
                at: pieces.iter().filter_map(|at| evidence.pieces[*at].at).max(),
                score,
                gist: String::new(),
                sequence: 0,
            }
        })
        .collect()
}

/// Tells whether something newer, said elsewhere on the same subject, tells of a change in so many words.
///
/// What a person said is only made old by what a person said.
fn is_earlier(evidence: &Evidence, piece: &Piece, newer: &[usize]) -> bool {
    let parent = &evidence.parents[piece.parent];
    let Some(said) = piece.second() else { return false };
    newer.iter().map(|at| &evidence.pieces[*at]).any(|other| {
        let beside = &evidence.parents[other.parent];
        // Curation has read what was said later, and let an entry that is all about the question stand.
        let stands = parent.fit >= FITS && beside.fit < parent.fit;
        !stands
            && beside.session != parent.session
            && (!parent.vouched || beside.vouched)
            && (parent.voice != Voice::Person || beside.voice == Voice::Person)
            && other.second().is_some_and(|at| at > said + 60)
            && tells_of_change(&other.text)
            && overlap(&piece.terms, &other.terms) >= SHARED
            && dot(&piece.vector, &other.vector) >= ONE_SUBJECT
    })
}

/// Returns what share of the smaller set is in the other.
pub(crate) fn overlap(a: &HashSet<String>, b: &HashSet<String>) -> f64 {
    let smaller = a.len().min(b.len()).max(1);
    a.intersection(b).count() as f64 / smaller as f64
}
