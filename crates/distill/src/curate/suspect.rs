//! What may no longer hold though no form of words says so.
//!
//! Who says how something is today seldom looks up what was said of it before, and uses other words. A small base can
//! ask of each of its claims whether a person's later word may have put an end to it. The answer is never more than
//! “possibly”: both are shown, and somebody confirms or rejects it.
//!
//! The numbers are in `suspect.tsv`, made by `lore-evals suspect-fit` from the same pairs as those of a change.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::OnceLock;

use lore_core::meaning::Vocabulary;
use lore_core::{Candidate, Status, Voice};

use super::agreement::{is_allowed_somewhere, says_why};
use super::aside::{
    counts_for_one_thing, is_about_somebody_named, is_next_in_a_series, is_of_a_kind, is_renaming,
    renames_another,
};
use super::change;
use super::compare::{self, Order, Side};
use super::desk::{Desk, Finding};
use super::judge;
use super::judgement::{Plainness, Relation};
use super::kin::{Kinship, Meaning};
use super::lasting;
use super::lexicon::Class;
use super::merit::merit;
use super::near::is_frame_alone;
use super::outgrown::says_again;
use super::remade::{bound_two_sides, bounds_again, counts_another, demands_first, speaks_of_another};
use super::told::tells_of_once;
use super::work::Spot;
use crate::fitted::LogOdds;
use crate::ruling::is_trouble;

/// The log-odds that count, in steps.
const ODDS: std::ops::RangeInclusive<i32> = -16..=8;
/// Steps to a unit of log-odds, and to a whole of likeness.
const STEPS: f64 = 2.0;
const LEVELS: f64 = 10.0;
const LEADS: f64 = 20.0;
/// Among a dozen claims that were not written for it one is this near; fewer tell less, not more.
const USUAL: f64 = 0.3;

/// What the words of a pair and their likeness say about it.
#[derive(Debug)]
pub struct SuspectOdds<'t>(LogOdds<'t, 1>);

impl<'t> SuspectOdds<'t> {
    /// Returns the shipped numbers.
    pub(crate) fn shipped() -> &'static SuspectOdds<'static> {
        static SHIPPED: OnceLock<SuspectOdds<'static>> = OnceLock::new();
        SHIPPED.get_or_init(|| SuspectOdds::read(include_str!("suspect.tsv")))
    }

    /// Reads a table.
    pub fn read(table: &'t str) -> SuspectOdds<'t> {
        SuspectOdds(LogOdds::read(table))
    }

    /// Returns the log-odds that the known statement of a pair with these features no longer holds.
    pub fn of(&self, seen: &[String]) -> f64 {
        self.0.sum(seen)[0]
    }
}

/// Returns what is seen of a pair: what its words alone say of a change, how near its meanings are, and how near those of
/// the nearest other claim.
pub fn suspicion(change: f64, kinship: &Kinship, next: f64) -> Vec<String> {
    let reached = ODDS.filter(|step| change * STEPS >= f64::from(*step));
    let mut out: Vec<String> = reached.map(|step| format!("odds {step}")).collect();
    let nearness = kinship.nearness();
    let lead = nearness / (nearness + next.max(USUAL));
    out.extend((1..=(lead * LEADS) as u32).map(|level| format!("lead {level}")));
    for (name, share) in kinship.measures() {
        out.extend((1..=(share * LEVELS) as u32).map(|level| format!("{name} {level}")));
    }
    out
}

/// From these log-odds on something is suspected to be over, in a base of so many claims; one of twice as many has
/// twice as many that read so by chance.
const SUSPECTED: f64 = -0.8;
const CLAIMS: f64 = 20.0;
/// From these on it is likely.
const LIKELY: f64 = 1.0;
/// What is said in the midst of work, or has little else that speaks for it, has to say so much more plainly that
/// something changed: errands and faults are told there too. Real sessions hold hardly one change in a hundred
/// statements, and a wrong mark stands in front of what holds.
const PASSING: f64 = 1.0;
/// What may stand beside what is known, by its form, has to say so much more plainly that it replaces it.
const BESIDE: f64 = 1.0;

/// The meanings of what lies on a desk, looked up once.
#[derive(Default)]
pub(super) struct Meanings {
    vocabulary: Vocabulary,
    known: RefCell<HashMap<Vec<String>, Rc<Meaning>>>,
}

impl Meanings {
    fn of(&self, said: &[String]) -> Rc<Meaning> {
        let mut known = self.known.borrow_mut();
        if let Some(meaning) = known.get(said) {
            return meaning.clone();
        }
        let meaning = Rc::new(Meaning::of(said, &self.vocabulary));
        known.insert(said.to_vec(), meaning.clone());
        meaning
    }
}

impl Desk<'_> {
    /// Finds the claim that a person's word may have put an end to, where there are few enough to look at each.
    pub(super) fn suspected(&mut self, candidate: &Candidate, side: &Side) -> Option<Finding> {
        if !self.bars.suspects || self.distance.crowded || candidate.voice() < Voice::Person {
            return None;
        }
        // What fails is to be mended, and says nothing of what holds.
        if lasting::passes(candidate) && is_trouble(&candidate.text) {
            return None;
        }
        self.fetch_all();
        let said = self.meanings.of(&side.said);
        let mut nearest: Vec<(f64, usize, usize, Kinship)> = Vec::new();
        for (work, held) in self.works.iter().enumerate() {
            if held.is_past(side) || held.entry.status == Status::Outdated {
                continue;
            }
            for (at, (spot, known)) in held.sides.iter().enumerate() {
                if matches!(spot, Spot::Lead(_) | Spot::Fact(_)) {
                    let kinship = Kinship::between(&self.meanings.of(&known.said), &said);
                    nearest.push((kinship.nearness(), work, at, kinship));
                }
            }
        }
        let claims = nearest.len();
        nearest.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let merit = merit(candidate);
        let speaks = self.bars.admits(&merit) && merit.value >= self.bars.conflict;
        let passing = if lasting::passes(candidate) || !speaks { PASSING } else { 0.0 };
        let (_, work, at, kinship) = nearest.first()?;
        let next = nearest.iter().find(|(_, other, ..)| other != work).map_or(0.0, |(next, ..)| *next);
        let (spot, known) = &self.works[*work].sides[*at];
        if !may_follow(known, side) || stands_beside(known, side) {
            return None;
        }
        let beside = if may_stand_beside(known, side) { BESIDE } else { 0.0 };
        let by_chance = passing + beside + (claims as f64 / CLAIMS).ln().max(0.0);
        let (work, spot) = (*work, *spot);
        let odds = SuspectOdds::shipped().of(&suspicion(change::odds(known, side), kinship, next));
        if odds < SUSPECTED + by_chance {
            return None;
        }
        let mut judgement = judge::judge(known, side, self.weights, self.distance);
        judgement.relation = Relation::Conflict;
        judgement.plainness =
            if odds >= LIKELY + by_chance { Plainness::Likely } else { Plainness::Doubtful };
        judgement.reasons = vec!["its words read as if that were no longer so".to_owned()];
        let finding = Finding { work, spot, judgement };
        self.may_touch(&finding, side).then_some(finding)
    }
}

/// What an agent says in more terms than this tells of more than one thing.
const FEW_TERMS: usize = 12;

/// Tells whether what arrives was said after what is known, and on another occasion. Agents tell much in a sentence, and
/// part of it resembles whatever is said later, but for what they chose.
fn may_follow(known: &Side, arriving: &Side) -> bool {
    let session =
        |side: &Side| side.places.iter().map(|(session, _)| session.clone()).collect::<BTreeSet<_>>();
    (known.voice >= Voice::Person || known.reading.terms.len() <= FEW_TERMS)
        && matches!(compare::order(known, arriving), Order::Later | Order::Unknown)
        && session(known).is_disjoint(&session(arriving))
}

/// "… in the west office as well": what is known holds, and so does this. "Too many" is no more than many.
fn says_too(said: &[String]) -> bool {
    let is_too =
        |word: &String| matches!(word.as_str(), "also" | "auch" | "también" | "aussi" | "também" | "anche");
    said.iter().any(is_too)
        || said.last().is_some_and(|word| word == "too")
        || said.windows(2).any(|pair| pair[0] == "as" && pair[1] == "well")
}

/// Tells whether a statement stands beside another by its form, whatever else is seen of the two: it tells of once, of the
/// next of a series, of a kind, of another name, of the other side of a bound.
fn stands_beside(known: &Side, arriving: &Side) -> bool {
    let of_a_day = |word: &String| matches!(word.as_str(), "yesterday" | "today" | "tonight");
    known.said.iter().any(of_a_day)
        || tells_of_once(&known.said)
        || tells_of_once(&arriving.said)
        || says_again(&arriving.said)
        || counts_another(&known.said, &arriving.said)
        || bound_two_sides(&known.said, &arriving.said)
        || bounds_again(&known.said, &arriving.said)
        || says_why(known, arriving, &compare::difference(known, arriving))
        || renames_another(known, arriving)
        || is_next_in_a_series(known, arriving)
        || is_of_a_kind(known, arriving)
        || is_renaming(known, arriving)
        || is_about_somebody_named(known, arriving)
        || is_frame_alone(known, arriving)
        || is_allowed_somewhere(known, arriving)
}

/// Tells whether a statement may stand beside another by its form, unless much else speaks for a change: it adds
/// something, tells of one thing of many, of what comes first, or names what is left out.
fn may_stand_beside(known: &Side, arriving: &Side) -> bool {
    says_too(&arriving.said)
        || counts_for_one_thing(known, arriving)
        || speaks_of_another(&known.said, &arriving.said)
        || demands_first(&arriving.said) && !demands_first(&known.said)
        || arriving.reading.count(Class::Exception) > 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_shipped_table_is_read() {
        assert_eq!(SuspectOdds::shipped().0.len(), include_str!("suspect.tsv").lines().count());
    }
}
