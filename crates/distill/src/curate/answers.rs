//! The desk's answers: a candidate begins an article, joins one, goes into its history, or waits.

use lore_core::{Article, Candidate, Curator, Link, LinkKind, Reason, Voice};

use super::desk::{Desk, Finding};
use super::judgement::{Plainness, Reach};
use super::merge;
use super::merit::{Merit, merit};
use super::standing;
use super::work::Spot;
use super::{Decision, Outcome};
use crate::article;

impl Desk<'_> {
    pub(super) fn begin(&mut self, candidate: Candidate) -> Decision {
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

    /// Begins an article beside one that is a person's.
    fn begin_beside(&mut self, candidate: Candidate, at: usize, outcome: Outcome, known: String) -> Decision {
        let theirs = self.works[at].entry.id.clone();
        let decision = self.begin(candidate);
        if let Some(mine) = decision.entry.as_ref().and_then(|id| self.by_id.get(id)).copied() {
            self.works[mine].entry.links.push(Link::new(LinkKind::Related, theirs.as_str()));
        }
        let reasons =
            vec![Reason("it is about what a person wrote or confirmed, and stands beside it".to_owned())];
        Decision { outcome, against: Some(known), reasons, ..decision }
    }

    /// Adds a candidate to an article by its title alone.
    pub(super) fn add(&mut self, candidate: Candidate, at: usize) -> Decision {
        let merit = merit(&candidate);
        if !self.bars.admits(&merit) {
            return self.postpone(candidate, &merit, Outcome::Adds, at, String::new(), Vec::new());
        }
        merge::add_claim(&mut self.works[at], &candidate);
        let reasons = vec![Reason("it was said under the same heading".to_owned())];
        self.after(at, candidate, Outcome::Adds, None, reasons)
    }

    pub(super) fn join(&mut self, candidate: Candidate, finding: Finding) -> Decision {
        let work = &mut self.works[finding.work];
        let known = merge::claim_at(&work.article, finding.spot).text.clone();
        let reasons: Vec<Reason> = finding.judgement.reasons.into_iter().map(Reason).collect();
        let merit = merit(&candidate);
        let outcome = merge::outcome(finding.judgement.relation, finding.spot);
        if outcome != Outcome::Same && !self.bars.admits(&merit) {
            return self.postpone(candidate, &merit, outcome, finding.work, known, Vec::new());
        }
        // What people wrote or confirmed is not added to: what they say besides would stand nowhere, or under their name.
        let is_theirs = work.entry.curated_by != Curator::Auto || work.entry.is_verified_by_a_person();
        let says_less = finding.judgement.features.get("holds_arriving").is_some_and(|share| *share > 0.5);
        if outcome != Outcome::Same && is_theirs && !says_less && candidate.voice() == Voice::Person {
            return self.begin_beside(candidate, finding.work, outcome, known);
        }
        match outcome {
            Outcome::Same => merge::add_sources(work, finding.spot, &candidate),
            Outcome::Refines => merge::refine(work, finding.spot, &candidate),
            _ => merge::add_claim(work, &candidate),
        }
        self.after(finding.work, candidate, outcome, Some(known), reasons)
    }

    /// Keeps what comes to light after something that was said later and says otherwise: in its history.
    pub(super) fn keep_as_past(&mut self, candidate: Candidate, at: usize, spot: Spot) -> Decision {
        let known = merge::claim_at(&self.works[at].article, spot).text.clone();
        let reasons = vec![Reason("what is known was said later, and says otherwise".to_owned())];
        if self.works[at].entry.curated_by != Curator::Auto || self.works[at].entry.is_edited() {
            return self.decision(&candidate, Outcome::Dropped, Some(at), Some(known), reasons);
        }
        standing::add_to_history(&mut self.works[at], spot, &candidate, &reasons[0].0);
        self.after(at, candidate, Outcome::Adds, Some(known), reasons)
    }

    /// Lets a candidate wait for more to speak for it.
    pub(super) fn postpone(
        &mut self,
        candidate: Candidate,
        merit: &Merit,
        outcome: Outcome,
        at: usize,
        against: String,
        mut reasons: Vec<Reason>,
    ) -> Decision {
        reasons.push(Reason(merit.unfit.map_or_else(
            || "too little speaks for it yet; it waits".to_owned(),
            |why| format!("it waits: {why}"),
        )));
        let decision = self.decision(&candidate, outcome, Some(at), Some(against), reasons);
        self.queue.push(candidate);
        decision
    }

    pub(super) fn after(
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

    pub(super) fn decision(
        &self,
        candidate: &Candidate,
        outcome: Outcome,
        work: Option<usize>,
        against: Option<String>,
        reasons: Vec<Reason>,
    ) -> Decision {
        let entry = work.map(|at| self.works[at].entry.id.clone());
        let (title, reach, further) = (candidate.title.clone(), Reach::Whole, Vec::new());
        let plainness = Plainness::Doubtful;
        Decision { title, outcome, entry, against, reasons, reach, plainness, further }
    }
}
