//! The articles of one run: fetched when a candidate comes near them, changed at most once each.

use std::collections::{BTreeSet, HashMap, HashSet};

use jiff::Timestamp;
use lore_core::{Article, Candidate, Curator, Entry, EntryId, Proposal, Reason, SessionId};

use super::judge::{self, Distance, Judgement, Relation, Statement};
use super::known::Rarity;
use super::merge::{self, Verdict};
use super::merit::{Merit, merit, merit_together};
use super::promote::{Bars, foremost, place};
use super::weights::Weights;
use super::work::{Spot, Work, propose};
use super::{Decision, Outcome, Setting, compare, in_order};
use crate::article;

/// So many entries are fetched for a candidate, and so many are compared claim by claim.
const FETCHED: usize = 12;
const COMPARED: usize = 8;
/// A conflict counts only where nothing else known is much closer to the candidate.
const CLOSE_ENOUGH: f64 = 0.9;
/// From so many candidates on, the run itself says which words are rare.
const MANY: usize = 200;
/// So often those that wait are looked at again.
const ROUNDS: usize = 3;

pub(super) struct Desk<'a> {
    setting: &'a Setting<'a>,
    bars: Bars,
    /// The foremost statements of each session of this run.
    foremost: HashSet<(SessionId, u32, String)>,
    weights: &'static Weights,
    works: Vec<Work>,
    by_id: HashMap<EntryId, usize>,
    by_stem: HashMap<String, BTreeSet<usize>>,
    /// Articles by the sessions and the instants they cite.
    by_session: HashMap<SessionId, BTreeSet<usize>>,
    by_instant: HashMap<Timestamp, BTreeSet<usize>>,
    queue: Vec<Candidate>,
    /// The words of a big run; a base that is only just being made has none of its own yet.
    words: Option<Rarity>,
    distance: Distance,
}

/// What a run comes to.
pub(super) struct Finished {
    pub(super) proposals: Vec<Proposal>,
    pub(super) queue: Vec<Candidate>,
    /// New articles that got another name than they began with.
    pub(super) renamed: HashMap<EntryId, EntryId>,
}

/// A claim on the desk and what the candidate means for it.
struct Finding {
    work: usize,
    spot: Spot,
    judgement: Judgement,
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
            foremost: if bars.foremost > 0.0 { foremost(candidates) } else { HashSet::new() },
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
        }
    }

    /// Decides about one candidate.
    pub(super) fn take(&mut self, candidate: Candidate) -> Decision {
        self.fetch(&candidate);
        let side = self.side(&merge::statement(&candidate));
        if let Some(work) = self.already(&candidate) {
            let reasons = vec![Reason("its evidence is cited already".to_owned())];
            return self.decision(&candidate, Outcome::Same, Some(work), None, reasons);
        }
        let findings = self.findings(&side);
        let best = findings.iter().map(|finding| finding.judgement.closeness).fold(0.0, f64::max);
        if let Some(same) = self.restated(&findings, best) {
            return self.join(candidate, same);
        }
        let contradicted = |finding: &&Finding| {
            finding.judgement.relation == Relation::Conflict
                && finding.judgement.closeness >= best * CLOSE_ENOUGH
                && !matches!(finding.spot, Spot::History(_))
        };
        let conflicts: Vec<&Finding> = findings.iter().filter(contradicted).collect();
        if let Some(first) =
            conflicts.iter().max_by(|a, b| a.judgement.closeness.total_cmp(&b.judgement.closeness))
        {
            let work = first.work;
            let spots = conflicts.iter().filter(|f| f.work == work).map(|f| f.spot).collect();
            let reasons = first.judgement.reasons.clone();
            let against = merge::claim_at(&self.works[work].article, first.spot).text.clone();
            return self.contradict(candidate, work, spots, &against, &reasons);
        }
        let near = findings.into_iter().filter(|finding| belongs(finding, self.distance));
        match near.max_by(|a, b| a.judgement.closeness.total_cmp(&b.judgement.closeness)) {
            Some(finding) => self.join(candidate, finding),
            None => self.begin(candidate),
        }
    }

    /// Says what is to be written and what waits.
    pub(super) fn finish(mut self) -> Finished {
        for _ in 0..ROUNDS {
            if !self.settle() {
                break;
            }
        }
        let mut kept = Vec::new();
        for at in 0..self.works.len() {
            if self.waits(at) {
                let told_by = std::mem::take(&mut self.works[at].told_by);
                self.queue.extend(told_by);
            } else if self.works[at].touched {
                kept.push(at);
            }
        }
        let renamed = kept.iter().filter_map(|at| self.head(*at)).collect();
        let mut by_tag: HashMap<String, Vec<usize>> = HashMap::new();
        for at in &kept {
            for tag in &self.works[*at].entry.tags {
                by_tag.entry(tag.clone()).or_default().push(*at);
            }
        }
        for at in &kept {
            self.relate(*at, &by_tag);
        }
        let now = self.setting.now;
        let mut works: Vec<Option<Work>> = self.works.into_iter().map(Some).collect();
        let proposals = kept.into_iter().filter_map(|at| works[at].take()).map(|work| propose(work, now));
        Finished { proposals: proposals.collect(), queue: self.queue, renamed }
    }

    /// Opens a new article with what speaks most for it; what came first need not say it best.
    fn head(&mut self, at: usize) -> Option<(EntryId, EntryId)> {
        let work = &mut self.works[at];
        if !work.is_new || !merge::open_with_best(work) {
            return None;
        }
        let before = work.entry.id.clone();
        let plain = article::id_for(&work.entry);
        let mut id = plain.clone();
        let mut number = 2;
        while id != before && self.is_taken(&id) {
            id = plain.numbered(number);
            number += 1;
        }
        self.by_id.remove(&before);
        self.by_id.insert(id.clone(), at);
        self.works[at].entry.id = id.clone();
        (id != before).then_some((before, id))
    }

    fn is_taken(&self, id: &EntryId) -> bool {
        let known = self.setting.known;
        known.contains(id) || known.is_forgotten(id) || self.by_id.contains_key(id)
    }

    /// Tells whether too little speaks for a new article.
    fn waits(&self, at: usize) -> bool {
        let work = &self.works[at];
        let foremost = work.told_by.iter().filter_map(place).any(|place| self.foremost.contains(&place));
        let lift = if foremost { self.bars.foremost } else { 0.0 };
        work.is_new && merit_together(&work.told_by, self.bars.form) + lift < self.bars.article
    }

    /// Looks again at the candidates that wait: what came later may be an article they belong into.
    /// A second run over the same sessions would find it, and must find nothing to do.
    fn settle(&mut self) -> bool {
        let waiting: Vec<usize> = (0..self.works.len()).filter(|at| self.waits(*at)).collect();
        let mut again = std::mem::take(&mut self.queue);
        for at in &waiting {
            self.clear(*at);
            again.append(&mut self.works[*at].told_by);
        }
        let before = again.len();
        for candidate in in_order(again) {
            self.take(candidate);
        }
        let after: usize =
            (0..self.works.len()).filter(|at| self.waits(*at)).map(|at| self.works[at].told_by.len()).sum();
        after + self.queue.len() < before
    }

    /// Takes an article off the desk.
    fn clear(&mut self, at: usize) {
        for (_, side) in std::mem::take(&mut self.works[at].sides) {
            for term in &side.reading.terms {
                if let Some(works) = self.by_stem.get_mut(&term.stem) {
                    works.remove(&at);
                }
            }
        }
        let work = &mut self.works[at];
        work.article = Article::default();
        work.entry.sources.clear();
        work.touched = false;
        self.by_id.remove(&work.entry.id);
    }

    fn side(&self, statement: &Statement) -> compare::Side {
        statement.side_with(&|stem| match &self.words {
            Some(words) => words.of(stem),
            None => self.setting.known.rarity(stem),
        })
    }

    /// Puts what is known near the candidate on the desk.
    fn fetch(&mut self, candidate: &Candidate) {
        let text = format!("{}. {}. {}", candidate.title, candidate.text, candidate.keywords.join(". "));
        let mut found = self.setting.known.similar(&text, FETCHED);
        for evidence in &candidate.evidence {
            found.extend(self.setting.known.citing(&evidence.session));
        }
        for entry in found {
            if !self.by_id.contains_key(&entry.id) && article::is_article(entry.kind) {
                let article = Article::parse(&entry.body);
                self.put(entry, article, false);
            }
        }
    }

    fn put(&mut self, entry: Entry, article: Article, is_new: bool) -> usize {
        let at = self.works.len();
        self.by_id.insert(entry.id.clone(), at);
        let sources_before = entry.sources.len();
        self.works.push(Work {
            entry,
            article,
            sides: Vec::new(),
            is_new,
            touched: false,
            reasons: Vec::new(),
            told_by: Vec::new(),
            sources_before,
        });
        self.refresh(at);
        at
    }

    /// Takes the claims of an article apart again after it changed.
    fn refresh(&mut self, at: usize) {
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

    fn findings(&self, side: &compare::Side) -> Vec<Finding> {
        let mut sums: HashMap<usize, f64> = HashMap::new();
        for (stem, weight) in side.reading.weights() {
            for work in self.by_stem.get(stem).into_iter().flatten() {
                *sums.entry(*work).or_default() += weight;
            }
        }
        let mut ranked: Vec<(usize, f64)> = sums.into_iter().collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut out = Vec::new();
        for (work, _) in ranked.into_iter().take(COMPARED) {
            for (spot, known) in &self.works[work].sides {
                let judgement = judge::judge(known, side, self.weights, self.distance);
                out.push(Finding { work, spot: *spot, judgement });
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

    fn begin(&mut self, candidate: Candidate) -> Decision {
        let merit = merit(&candidate);
        if !self.bars.keeps(&merit) {
            let why = merit.unfit.unwrap_or("too little speaks for it");
            let reasons = vec![Reason(format!("nothing known is about the same subject, and {why}"))];
            return self.decision(&candidate, Outcome::Dropped, None, None, reasons);
        }
        let mut entry = article::entry_for(&candidate, self.setting.now);
        if self.setting.known.is_forgotten(&entry.id) {
            let reasons = vec![Reason("a person removed this entry before".to_owned())];
            return self.decision(&candidate, Outcome::Dropped, None, None, reasons);
        }
        let plain = entry.id.clone();
        let mut number = 2;
        while self.is_taken(&entry.id) {
            entry.id = plain.numbered(number);
            number += 1;
        }
        let at = self.put(entry, Article::default(), true);
        merge::begin(&mut self.works[at], &candidate);
        let reasons = vec![Reason("nothing known is about the same subject".to_owned())];
        self.after(at, candidate, Outcome::New, None, reasons)
    }

    fn join(&mut self, candidate: Candidate, finding: Finding) -> Decision {
        let work = &mut self.works[finding.work];
        let known = merge::claim_at(&work.article, finding.spot).text.clone();
        let reasons: Vec<Reason> = finding.judgement.reasons.into_iter().map(Reason).collect();
        let merit = merit(&candidate);
        let outcome = merge::outcome(finding.judgement.relation, finding.spot);
        if outcome != Outcome::Same && !self.bars.admits(&merit) {
            return self.postpone(candidate, &merit, outcome, finding.work, known, Vec::new());
        }
        match outcome {
            Outcome::Same => merge::add_sources(work, finding.spot, &candidate),
            Outcome::Refines => merge::refine(work, finding.spot, &candidate),
            _ => merge::add_claim(work, &candidate),
        }
        self.after(finding.work, candidate, outcome, Some(known), reasons)
    }

    fn contradict(
        &mut self,
        candidate: Candidate,
        at: usize,
        spots: Vec<Spot>,
        against: &str,
        reasons: &[String],
    ) -> Decision {
        let work = &self.works[at];
        let known = merge::statements(work).into_iter().filter(|(spot, _)| spots.contains(spot));
        let verdict = merge::verdict(known.map(|(_, statement)| statement), &candidate);
        let (outcome, why) = match verdict {
            Verdict::Replaces(why) => (Outcome::Supersedes, why),
            Verdict::Open(why) => (Outcome::Disputed, why),
        };
        let mut words: Vec<Reason> = reasons.iter().cloned().map(Reason).collect();
        words.push(Reason(why.to_owned()));
        let merit = merit(&candidate);
        if !self.bars.admits(&merit) || merit.value < self.bars.conflict {
            return self.postpone(candidate, &merit, outcome, at, against.to_owned(), words);
        }
        if self.works[at].entry.curated_by != Curator::Auto {
            return self.beside(candidate, at, against, words);
        }
        let reason = words.iter().map(|reason| reason.0.as_str()).collect::<Vec<_>>().join("; ");
        match outcome {
            Outcome::Supersedes => merge::supersede(&mut self.works[at], spots, &candidate, &reason),
            _ => merge::dispute(&mut self.works[at], spots, &candidate),
        }
        self.after(at, candidate, outcome, Some(against.to_owned()), words)
    }

    /// Keeps a contradiction of a person's article in an article of its own: theirs is never rewritten.
    fn beside(&mut self, candidate: Candidate, at: usize, against: &str, mut words: Vec<Reason>) -> Decision {
        words
            .push(Reason("a person wrote the known article, so the other side stands in its own".to_owned()));
        let theirs = self.works[at].entry.clone();
        let decision = self.begin(candidate);
        if let Some(mine) = decision.entry.as_ref().and_then(|id| self.by_id.get(id)).copied() {
            merge::oppose(&mut self.works[mine], &theirs, against);
            self.works[mine].reasons.extend(words.iter().cloned());
            self.refresh(mine);
        }
        Decision { outcome: Outcome::Disputed, against: Some(against.to_owned()), reasons: words, ..decision }
    }

    /// Lets a candidate wait, or drops one that no further evidence would make readable.
    fn postpone(
        &mut self,
        candidate: Candidate,
        merit: &Merit,
        outcome: Outcome,
        at: usize,
        against: String,
        mut reasons: Vec<Reason>,
    ) -> Decision {
        let waits = self.bars.keeps(merit);
        reasons.push(Reason(match merit.unfit {
            Some(why) if !waits => format!("it is not kept: {why}"),
            _ if waits => "too little speaks for it yet; it waits".to_owned(),
            _ => "it is not kept: too little speaks for it".to_owned(),
        }));
        let outcome = if waits { outcome } else { Outcome::Dropped };
        let decision = self.decision(&candidate, outcome, Some(at), Some(against), reasons);
        if waits {
            self.queue.push(candidate);
        }
        decision
    }

    fn after(
        &mut self,
        at: usize,
        candidate: Candidate,
        outcome: Outcome,
        against: Option<String>,
        reasons: Vec<Reason>,
    ) -> Decision {
        let decision = self.decision(&candidate, outcome, Some(at), against, reasons.clone());
        let work = &mut self.works[at];
        if work.touched {
            let say = |reason: &Reason| Reason(format!("“{}”: {}", candidate.title, reason.0));
            work.reasons.extend(reasons.iter().map(say));
        }
        work.told_by.push(candidate);
        self.refresh(at);
        decision
    }

    fn decision(
        &self,
        candidate: &Candidate,
        outcome: Outcome,
        work: Option<usize>,
        against: Option<String>,
        reasons: Vec<Reason>,
    ) -> Decision {
        let entry = work.map(|at| self.works[at].entry.id.clone());
        Decision { title: candidate.title.clone(), outcome, entry, against, reasons }
    }

    /// Links an article to its neighbours, those of this run included.
    fn relate(&mut self, at: usize, by_tag: &HashMap<String, Vec<usize>>) {
        let work = &self.works[at];
        if work.entry.curated_by != Curator::Auto || work.entry.tags.is_empty() {
            return;
        }
        let text = format!("{}. {}", work.entry.title, work.entry.tags.join(". "));
        let mut others = self.setting.known.similar(&text, FETCHED);
        let mut shared: HashMap<usize, usize> = HashMap::new();
        for tag in &work.entry.tags {
            for other in by_tag.get(tag).into_iter().flatten().filter(|other| **other != at) {
                *shared.entry(*other).or_default() += 1;
            }
        }
        let mut near: Vec<usize> =
            shared.into_iter().filter(|(_, n)| *n > 1).map(|(other, _)| other).collect();
        near.sort_unstable();
        others.extend(near.into_iter().map(|other| self.works[other].entry.clone()));
        article::relate(&mut self.works[at], &others, self.setting.path);
    }
}

/// Tells whether the candidate belongs into the article: it repeats or sharpens one of its claims, or
/// it is about what the article's first claim is about. Being near just any claim of it would let
/// articles grow from neighbour to neighbour into one that holds everything.
fn belongs(finding: &Finding, distance: Distance) -> bool {
    match finding.judgement.relation {
        Relation::Same | Relation::Refines => true,
        Relation::Neighbours | Relation::Conflict => {
            matches!(finding.spot, Spot::Lead(0) | Spot::Conflict(_))
                && finding.judgement.closeness >= distance.joins
        }
        Relation::Apart => false,
    }
}
