//! The articles of one run: fetched when a candidate comes near them, changed at most once each.

use std::collections::{BTreeSet, HashMap};

use jiff::Timestamp;
use lore_core::{Article, Candidate, Curator, Entry, EntryId, Reason, Route, SessionId, Status, Voice};

use super::contradict::Clash;
use super::judge;
use super::judgement::{Judgement, Plainness, Relation};
use super::known::Rarity;
use super::lasting;
use super::merge;
use super::merit::merit;
use super::near::Distance;
use super::promote::{Bars, Foremost, foremost};
use super::reading::{Reading, Term};
use super::statement::Statement;
use super::suspect::Meanings;
use super::weights::Weights;
use super::work::{Spot, Work};
use super::{Decision, Outcome, Setting, compare};
use crate::article;

/// So many entries are compared with a candidate claim by claim.
const COMPARED: usize = 8;
/// So much of a claim must be denied for it to go with another that is replaced.
pub(super) const DENIED: f64 = 0.3;

/// Tells whether what arrives denies most of what a claim says, and not the like of another thing.
pub(super) fn denies_by_name(finding: &Finding) -> bool {
    let on = |name: &str, bar: f64| finding.judgement.features.get(name).is_some_and(|share| *share > bar);
    let about = on("clause_known", 0.6) && !on("other_subject", 0.5) && !on("clause_subject", 0.5);
    on("denies_known", DENIED) && about
}

/// Tells whether a statement is about the point of a title: it denies a word of it, or says half of them.
fn speaks_of(said: &Reading, title: &str) -> bool {
    let point = Reading::of(title);
    let point: Vec<&str> =
        point.terms.iter().filter(|term| !term.part).map(|term| term.stem.as_str()).collect();
    let stands = |stem: &&&str| said.terms.iter().any(|term| term.stem == **stem);
    let denied = |term: &Term| term.denied && !term.part && point.contains(&term.stem.as_str());
    said.terms.iter().any(denied) || point.iter().filter(stands).count() * 2 >= point.len()
}

/// A conflict counts only where nothing else known is much closer to the candidate.
const CLOSE_ENOUGH: f64 = 0.9;
/// From so many candidates on, the run itself says which words are rare.
const MANY: usize = 200;

pub(super) struct Desk<'a> {
    pub(super) setting: &'a Setting<'a>,
    pub(super) bars: Bars,
    /// The foremost statements of each session of this run.
    pub(super) foremost: Foremost,
    pub(super) weights: &'static Weights,
    pub(super) works: Vec<Work>,
    pub(super) by_id: HashMap<EntryId, usize>,
    pub(super) by_stem: HashMap<String, BTreeSet<usize>>,
    /// Articles by the sessions and the instants they cite.
    pub(super) by_session: HashMap<SessionId, BTreeSet<usize>>,
    pub(super) by_instant: HashMap<Timestamp, BTreeSet<usize>>,
    pub(super) queue: Vec<Candidate>,
    /// The words of a big run; a base that is only just being made has none of its own yet.
    pub(super) words: Option<Rarity>,
    pub(super) distance: Distance,
    pub(super) meanings: Meanings,
    /// Whether everything that is known was fetched.
    pub(super) has_all: bool,
}

/// A claim on the desk and what the candidate means for it.
pub(super) struct Finding {
    pub(super) work: usize,
    pub(super) spot: Spot,
    pub(super) judgement: Judgement,
}

impl<'a> Desk<'a> {
    pub(super) fn new(setting: &'a Setting<'a>, candidates: &[Candidate]) -> Desk<'a> {
        let words = (candidates.len() >= MANY).then(|| {
            let mut words = Rarity::default();
            candidates.iter().for_each(|candidate| words.add_text(&candidate.text));
            words
        });
        let sessions: BTreeSet<&SessionId> =
            candidates.iter().flat_map(|c| &c.evidence).map(|evidence| &evidence.session).collect();
        let size = setting.known.size().max(sessions.len());
        let bars = (setting.bars)(size);
        Desk {
            bars,
            foremost: if bars.foremost > 0.0 { foremost(candidates) } else { Foremost::new() },
            words,
            distance: Distance::among(setting.known.size().max(candidates.len())),
            setting,
            weights: Weights::shipped(),
            works: Vec::new(),
            by_id: HashMap::new(),
            by_stem: HashMap::new(),
            by_session: HashMap::new(),
            by_instant: HashMap::new(),
            queue: Vec::new(),
            meanings: Meanings::default(),
            has_all: false,
        }
    }

    /// Decides about one candidate.
    ///
    /// What nobody could read later is left out before anything is compared: whether it is near
    /// something known must not depend on what came first.
    pub(super) fn take(&mut self, candidate: Candidate) -> Decision {
        if candidate.voice() <= Voice::Tool {
            let why = "a tool printed it before, and nobody said it in words of their own";
            return self.decision(&candidate, Outcome::Dropped, None, None, vec![Reason(why.to_owned())]);
        }
        let merit = merit(&candidate);
        if candidate.route != Route::Order && !self.bars.keeps(&merit) {
            if let Some(decision) = self.doubt_by_sight(&candidate) {
                return decision;
            }
            let why = merit.unfit.unwrap_or("too little speaks for it");
            return self.decision(&candidate, Outcome::Dropped, None, None, vec![Reason(why.to_owned())]);
        }
        self.fetch(&candidate);
        let side = self.side(&merge::statement(&candidate));
        if let Some(work) = self.already(&candidate) {
            let reasons = vec![Reason("its evidence is cited already".to_owned())];
            return self.decision(&candidate, Outcome::Same, Some(work), None, reasons);
        }
        if let Some(decision) = self.let_go(&candidate) {
            return decision;
        }
        let mut findings = self.findings(&side);
        let beyond_us = self.beyond_us(&findings, &side);
        findings.retain(|finding| self.may_touch(finding, &side));
        let standing =
            findings.iter().filter(|finding| !matches!(finding.spot, Spot::History(_) | Spot::Doubted(_)));
        let best = standing.map(|finding| finding.judgement.closeness).fold(0.0, f64::max);
        if let Some(same) = self.restated(&findings, best) {
            return self.join(candidate, same);
        }
        let passing = self.bars.form && lasting::passes(&candidate);
        let agrees = |finding: &Finding| {
            matches!(finding.judgement.relation, Relation::Same | Relation::Refines)
                && !matches!(finding.spot, Spot::History(_) | Spot::Doubted(_))
        };
        if passing && findings.iter().any(agrees) {
            let why = "it says in passing what is known";
            return self.decision(&candidate, Outcome::Dropped, None, None, vec![Reason(why.to_owned())]);
        }
        let contradicted = |finding: &&Finding| {
            finding.judgement.relation == Relation::Conflict
                && finding.judgement.closeness >= best * CLOSE_ENOUGH
                && !matches!(finding.spot, Spot::History(_) | Spot::Doubted(_))
        };
        let mut conflicts: Vec<&Finding> = findings.iter().filter(contradicted).collect();
        // Where the whole is known too, it is what changed, and what holds for a part of it stays.
        if conflicts.iter().any(|finding| !finding.judgement.of_a_part) {
            conflicts.retain(|finding| !finding.judgement.of_a_part);
        }
        if let Some(first) =
            conflicts.iter().max_by(|a, b| a.judgement.closeness.total_cmp(&b.judgement.closeness))
        {
            let work = first.work;
            let announced = first.judgement.features.get("announced").is_some_and(|share| *share > 0.5);
            let (certain, ends) = (first.judgement.certain, first.judgement.ends);
            let (reach, plainness) = (first.judgement.reach, first.judgement.plainness);
            // What replaces one claim of an article replaces the others that it denies.
            let denies = |f: &&Finding| {
                f.judgement.relation == Relation::Conflict && f.judgement.closeness >= best * CLOSE_ENOUGH
                    || certain && denies_by_name(f)
            };
            let current =
                |f: &&Finding| f.work == work && !matches!(f.spot, Spot::History(_) | Spot::Doubted(_));
            let spots = findings.iter().filter(current).filter(denies).map(|f| f.spot).collect();
            let elsewhere = self.denied_elsewhere(&findings, work);
            let reasons = first.judgement.reasons.clone();
            let against = merge::claim_at(&self.works[work].article, first.spot).text.clone();
            let further = self.further(&conflicts, &findings, first);
            let suspect = false;
            let named = first.judgement.restated
                || ["names_old", "clause_value"]
                    .iter()
                    .any(|of| first.judgement.features.get(of).is_some_and(|share| *share >= 0.5));
            let clash = Clash {
                at: work,
                spots,
                against,
                reasons,
                certain,
                ends,
                announced,
                reach,
                plainness,
                named,
                suspect,
            };
            let decision = Decision { further, ..self.contradict(candidate.clone(), clash) };
            if decision.outcome == Outcome::Supersedes && self.works[work].touched {
                self.replace_elsewhere(&candidate, elsewhere, &decision.reasons);
            }
            return decision;
        }
        if let Some((work, against, reasons)) =
            beyond_us.filter(|_| candidate.voice() == Voice::Person && !passing)
        {
            return self.beside(candidate, work, &against, Outcome::PossiblyReplaced, reasons);
        }
        if let Some(suspect) = self.suspected(&candidate, &side) {
            return self.doubt(candidate, suspect);
        }
        if passing {
            let why = "it was said in passing; it can be asked for, and waits for an editor";
            return self.decision(&candidate, Outcome::Dropped, None, None, vec![Reason(why.to_owned())]);
        }
        let overtaken = |finding: &&Finding| {
            finding.judgement.overtaken
                && finding.judgement.closeness >= best * CLOSE_ENOUGH
                && !matches!(finding.spot, Spot::History(_) | Spot::Doubted(_))
        };
        if let Some((at, spot)) = findings.iter().find(overtaken).map(|finding| (finding.work, finding.spot))
        {
            return self.keep_as_past(candidate, at, spot);
        }
        let near = findings.into_iter().filter(|finding| belongs(finding, self.distance));
        match near.max_by(|a, b| a.judgement.closeness.total_cmp(&b.judgement.closeness)) {
            Some(finding) => self.join(candidate, finding),
            None => match self.namesake(&candidate) {
                Some(at) => self.add(candidate, at),
                None => self.begin(candidate),
            },
        }
    }

    /// Tells whether a finding may change the article it is about. What an editor wrote gets evidence from
    /// rules, and what plainly contradicts its point; to word it anew, to add to it or to mend a part of it is
    /// for the next editor.
    pub(super) fn may_touch(&self, finding: &Finding, said: &compare::Side) -> bool {
        let entry = &self.works[finding.work].entry;
        !entry.is_edited()
            || match finding.judgement.relation {
                Relation::Same => true,
                Relation::Conflict => finding.judgement.certain && speaks_of(&said.reading, &entry.title),
                Relation::Apart | Relation::Neighbours | Relation::Refines => false,
            }
    }

    /// Finds the claim of an editor that a statement says otherwise than, where no rule may word it anew.
    fn beyond_us(&self, findings: &[Finding], said: &compare::Side) -> Option<(usize, String, Vec<Reason>)> {
        let closeness = |finding: &Finding| finding.judgement.closeness;
        let nearest = findings.iter().max_by(|a, b| closeness(a).total_cmp(&closeness(b)))?;
        let plain = nearest.judgement.relation == Relation::Conflict
            && nearest.judgement.reach.is_whole()
            && (nearest.judgement.certain || nearest.judgement.plainness == Plainness::Likely)
            && matches!(nearest.spot, Spot::Lead(_) | Spot::Fact(_));
        let work = &self.works[nearest.work];
        (plain && work.entry.is_edited() && !self.may_touch(nearest, said)).then(|| {
            let against = merge::claim_at(&work.article, nearest.spot).text.clone();
            (nearest.work, against, nearest.judgement.reasons.iter().cloned().map(Reason).collect())
        })
    }

    /// Finds the article that bears the title of a candidate: points of one list go under its heading.
    fn namesake(&self, candidate: &Candidate) -> Option<usize> {
        let title = article::title(candidate);
        let near = candidate.evidence.iter().filter_map(|evidence| self.by_session.get(&evidence.session));
        near.flatten().copied().find(|at| {
            let work = &self.works[*at];
            work.entry.title == title && work.entry.curated_by == Curator::Auto && !work.entry.is_edited()
        })
    }

    pub(super) fn side(&self, statement: &Statement) -> compare::Side {
        statement.side_with(&|stem| match &self.words {
            Some(words) => words.of(stem),
            None => self.setting.known.rarity(stem),
        })
    }

    pub(super) fn put(&mut self, entry: Entry, article: Article, is_new: bool) -> usize {
        let at = self.works.len();
        self.by_id.insert(entry.id.clone(), at);
        self.works.push(Work { is_new, ..Work::new(entry, article) });
        self.refresh(at);
        at
    }

    /// Takes the claims of an article apart again after it changed.
    pub(super) fn refresh(&mut self, at: usize) {
        let statements = merge::statements(&self.works[at]);
        let sides: Vec<_> =
            statements.iter().map(|(spot, statement)| (*spot, self.side(statement))).collect();
        for (_, side) in &sides {
            for term in &side.reading.terms {
                self.by_stem.entry(term.stem.clone()).or_default().insert(at);
            }
        }
        let work = &mut self.works[at];
        work.sides = sides;
        for source in &work.entry.sources {
            if let Some(session) = &source.session {
                self.by_session.entry(session.clone()).or_default().insert(at);
            }
            if let Some(moment) = source.at {
                self.by_instant.entry(moment.instant()).or_default().insert(at);
            }
        }
    }

    /// Finds the article that holds the candidate from an earlier run.
    fn already(&self, candidate: &Candidate) -> Option<usize> {
        let near = candidate.evidence.iter().flat_map(|evidence| {
            let session = self.by_session.get(&evidence.session).into_iter().flatten();
            let instant = evidence.at.and_then(|at| self.by_instant.get(&at)).into_iter().flatten();
            session.chain(instant).copied()
        });
        let near: BTreeSet<usize> = near.collect();
        near.into_iter().find(|at| merge::holds(&self.works[*at], candidate))
    }

    pub(super) fn findings(&self, side: &compare::Side) -> Vec<Finding> {
        let mut sums: HashMap<usize, f64> = HashMap::new();
        for (stem, weight) in side.reading.weights() {
            for work in self.by_stem.get(stem).into_iter().flatten() {
                *sums.entry(*work).or_default() += weight;
            }
        }
        let mut ranked: Vec<(usize, f64)> = sums.into_iter().collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut out = Vec::new();
        // What was replaced is past: who says it again lays it down anew, and who says otherwise meets what stands.
        let stands = |(work, _): &(usize, f64)| !self.works[*work].is_past(side);
        for (work, _) in ranked.into_iter().filter(stands).take(COMPARED) {
            // Nobody is at odds with what was laid aside.
            let holds = self.works[work].entry.status != Status::Outdated;
            for (spot, known) in &self.works[work].sides {
                let judgement = judge::judge(known, side, self.weights, self.distance);
                if holds || judgement.relation != Relation::Conflict {
                    out.push(Finding { work, spot: *spot, judgement });
                }
            }
        }
        out
    }

    /// Finds a current claim that the candidate merely repeats and that is its closest.
    fn restated(&self, findings: &[Finding], best: f64) -> Option<Finding> {
        let same = |finding: &&Finding| {
            finding.judgement.relation == Relation::Same
                && finding.judgement.closeness >= best - 1e-9
                && !matches!(finding.spot, Spot::History(_))
        };
        findings.iter().find(same).map(|finding| Finding {
            work: finding.work,
            spot: finding.spot,
            judgement: finding.judgement.clone(),
        })
    }
}

/// Weight that more than one word has, as the feature `shared` tells it.
const MORE_THAN_A_WORD: f64 = 0.375;

/// What is so close belongs on one page whatever the subjects of its sentences are.
const OF_ONE_PAGE: f64 = 0.6;

/// Tells whether the candidate belongs into the article: it repeats or sharpens one of its claims, or
/// it is about what the article's first claim is about. Being near just any claim of it would let
/// articles grow from neighbour to neighbour into one that holds everything.
fn belongs(finding: &Finding, distance: Distance) -> bool {
    match finding.judgement.relation {
        Relation::Same | Relation::Refines => true,
        Relation::Neighbours | Relation::Conflict => {
            let at_least = |name: &str, bar: f64| {
                finding.judgement.features.get(name).is_some_and(|value| *value >= bar)
            };
            // In a base of three claims a single common word looks like a subject.
            let one_word = !at_least("shared", MORE_THAN_A_WORD) && !at_least("same_subject", 0.8);
            // What shares words and not what it is about would be looked for under another title.
            let about_it = distance.crowded
                || finding.judgement.relation == Relation::Conflict
                || at_least("subject", 0.5)
                || at_least("same_subject", 0.5)
                || finding.judgement.closeness >= OF_ONE_PAGE;
            about_it
                && matches!(finding.spot, Spot::Lead(0) | Spot::Conflict(_))
                && finding.judgement.closeness >= distance.joins
                && !one_word
        }
        Relation::Apart => false,
    }
}
