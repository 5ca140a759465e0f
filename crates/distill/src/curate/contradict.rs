//! What is done with a contradiction: shown as replaced, as doubted, or as open.

use std::collections::BTreeMap;

use lore_core::{Candidate, Curator, Entry, LinkKind, Reason, Voice};

use super::desk::{DENIED, Desk, Finding, denies_by_name};
use super::judgement::{Plainness, Reach, Relation};
use super::merit::merit;
use super::observed::{ends_otherwise, follows, observed, urges_what_is_ruled_out};
use super::sighted::says_otherwise;
use super::verdict::{Verdict, verdict};
use super::work::{Spot, voice_of};
use super::{Decision, Further, Outcome, lasting, merge, standing};
use crate::reflect::capital;

/// A claim that a candidate says otherwise than.
pub(super) struct Clash {
    /// The article.
    pub(super) at: usize,
    /// Its claims that are at odds with the candidate.
    pub(super) spots: Vec<Spot>,
    /// The one that is most so.
    pub(super) against: String,
    pub(super) reasons: Vec<String>,
    pub(super) certain: bool,
    pub(super) ends: bool,
    pub(super) announced: bool,
    pub(super) reach: Reach,
    pub(super) plainness: Plainness,
    /// Whether what arrives names what held before, or says the same sentence of another value.
    pub(super) named: bool,
    /// Whether all that is seen of the words lets suspect it.
    pub(super) suspect: bool,
}

impl Desk<'_> {
    /// Acts on a contradiction by how sure it is and who spoke.
    pub(super) fn contradict(&mut self, candidate: Candidate, clash: Clash) -> Decision {
        let reach = clash.reach;
        let plainness = clash.plainness;
        Decision { reach, plainness, ..self.act_on(candidate, clash) }
    }

    /// Acts on what nothing but a suspicion speaks for.
    pub(super) fn doubt(&mut self, candidate: Candidate, suspect: Finding) -> Decision {
        let Finding { work, spot, judgement } = suspect;
        let clash = Clash {
            at: work,
            spots: vec![spot],
            against: merge::claim_at(&self.works[work].article, spot).text.clone(),
            reasons: judgement.reasons,
            certain: false,
            ends: false,
            announced: judgement.features.get("announced").is_some_and(|share| *share > 0.5),
            reach: Reach::Whole,
            plainness: judgement.plainness,
            named: false,
            suspect: true,
        };
        self.contradict(candidate, clash)
    }

    fn act_on(&mut self, candidate: Candidate, clash: Clash) -> Decision {
        let Clash { at, spots, against, reasons, certain, ends, announced, reach, plainness, named, suspect } =
            clash;
        let work = &self.works[at];
        let known = merge::statements(work).into_iter().filter(|(spot, _)| spots.contains(spot));
        let found = verdict(known.map(|(_, statement)| statement), &candidate, (certain, reach, announced));
        let in_dispute = spots.iter().any(|spot| matches!(spot, Spot::Conflict(_)));
        let (outcome, why) = match found {
            Verdict::Replaces(why) => (Outcome::Supersedes, why),
            // What is open already stays open.
            Verdict::Doubts(why) if in_dispute => (Outcome::Disputed, why),
            Verdict::Doubts(why) => (Outcome::PossiblyReplaced, why),
            Verdict::Open(why) => (Outcome::Disputed, why),
        };
        let mut words: Vec<Reason> = reasons.into_iter().map(Reason).collect();
        if reach == Reach::Part {
            words.push(Reason("a part of it is not spoken of, and may still hold".to_owned()));
        }
        words.push(Reason(why.to_owned()));
        let merit = merit(&candidate);
        // A plain contradiction is told however little else speaks for what contradicts.
        let of_a_person = |spot: &Spot| {
            let claim = merge::claim_at(&self.works[at].article, *spot);
            voice_of(&self.works[at].entry, &claim.sources) == Voice::Person
        };
        let of_people = candidate.voice() == Voice::Person || spots.iter().any(of_a_person);
        let plain = certain && merit.unfit.is_none() && of_people;
        // What a person says about something that is known is seldom said in passing.
        let of_a_fit_person = merit.unfit.is_none() && candidate.voice() == Voice::Person;
        let told = plain || (ends || suspect || plainness == Plainness::Likely) && of_a_fit_person;
        if !told && self.bars.form && lasting::passes(&candidate) {
            words.push(Reason("it was said in passing".to_owned()));
            return self.decision(&candidate, Outcome::Dropped, Some(at), Some(against), words);
        }
        // Who announces a change is heard, however little else speaks for it; amid work, if it is likely one of all that is known.
        let likely = plainness == Plainness::Likely;
        let is_news = announced && (!lasting::passes(&candidate) || likely && reach.is_whole());
        // So is who gives a likely other value of something known, where they were not at work on it.
        // Amid work they are, where they name what held, or say the same of another value; among few claims that is enough.
        let says_otherwise = likely && (suspect || !lasting::passes(&candidate))
            || named && reach.is_whole() && (likely || !self.distance.crowded)
            || ends && !self.distance.crowded;
        // A suspicion has passed a bar of its own.
        let heard = plain || of_a_fit_person && (says_otherwise || is_news || suspect);
        if !heard && (!self.bars.admits(&merit) || merit.value < self.bars.conflict) {
            return self.postpone(candidate, &merit, outcome, at, against, words);
        }
        if self.works[at].entry.curated_by != Curator::Auto {
            return self.beside(candidate, at, &against, outcome, words);
        }
        let reason = words.iter().map(|reason| reason.0.as_str()).collect::<Vec<_>>().join("; ");
        match outcome {
            Outcome::Supersedes => standing::supersede(&mut self.works[at], spots, &candidate, &reason),
            Outcome::PossiblyReplaced => standing::doubt(&mut self.works[at], spots, &candidate, &reason),
            _ => standing::dispute(&mut self.works[at], spots, &candidate),
        }
        self.after(at, candidate, outcome, Some(against), words)
    }

    /// What an agent saw opens no page of its own; where it plainly contradicts what a person said, both are shown
    /// until somebody settles it.
    pub(super) fn doubt_by_sight(&mut self, candidate: &Candidate) -> Option<Decision> {
        if candidate.voice() != Voice::Agent {
            return None;
        }
        let seen = observed(&candidate.text)?;
        let (told, held) = (capital(&seen.told), capital(&seen.held));
        let of = |text: String| Candidate { title: held.clone(), text, ..candidate.clone() };
        let (candidate, held) = (of(told), of(held.clone()));
        self.fetch(&candidate);
        let side = self.side(&merge::statement(&held));
        let of_a_person = |finding: &Finding| {
            let work = &self.works[finding.work];
            let claim = merge::claim_at(&work.article, finding.spot);
            voice_of(&work.entry, &claim.sources) == Voice::Person
        };
        let known =
            |finding: &Finding| self.works[finding.work].sides.iter().find(|(spot, _)| *spot == finding.spot);
        let ruled_out = |finding: &Finding| {
            known(finding).is_some_and(|(_, known)| urges_what_is_ruled_out(known, &side))
        };
        // Another value of the very same: of a person's claim, or of what an agent said where this one looked.
        let otherwise_seen = |finding: &Finding| {
            let claim = &merge::claim_at(&self.works[finding.work].article, finding.spot).text;
            let later = known(finding).is_some_and(|(_, known)| follows(known, &side));
            later && (seen.looked || of_a_person(finding)) && says_otherwise(claim, &seen.held)
        };
        let opposed = |finding: &Finding| {
            if !matches!(finding.spot, Spot::Lead(_) | Spot::Fact(_)) {
                return false;
            }
            let denied = (finding.judgement.certain && seen.is_sure || finding.judgement.restated)
                && finding.judgement.relation == Relation::Conflict;
            let otherwise = known(finding).is_some_and(|(_, known)| ends_otherwise(known, &side));
            (denied || ruled_out(finding) || otherwise) && of_a_person(finding) || otherwise_seen(finding)
        };
        let found = self.findings(&side).into_iter().filter(|finding| self.may_touch(finding, &side));
        let found =
            found.filter(opposed).max_by(|a, b| a.judgement.closeness.total_cmp(&b.judgement.closeness))?;
        let work = &self.works[found.work];
        let against = merge::claim_at(&work.article, found.spot).text.clone();
        let words: Vec<Reason> = match ruled_out(&found) {
            true => vec![Reason("an agent holds right what a person ruled out".to_owned())],
            false if otherwise_seen(&found) => {
                vec![Reason("an agent saw another value of the same".to_owned())]
            }
            false => found.judgement.reasons.iter().cloned().map(Reason).collect(),
        };
        if work.entry.curated_by != Curator::Auto {
            return None;
        }
        standing::dispute(&mut self.works[found.work], vec![found.spot], &candidate);
        Some(self.after(found.work, candidate, Outcome::Disputed, Some(against), words))
    }

    /// Keeps a contradiction of a person's article in an article of its own: theirs is never rewritten.
    pub(super) fn beside(
        &mut self,
        candidate: Candidate,
        at: usize,
        against: &str,
        outcome: Outcome,
        mut words: Vec<Reason>,
    ) -> Decision {
        let whose = match self.works[at].entry.curated_by {
            Curator::Auto => "an editor wrote the known article, so the other side stands in its own",
            _ => "a person wrote the known article, so the other side stands in its own",
        };
        words.push(Reason(whose.to_owned()));
        let theirs = self.works[at].entry.clone();
        // What people say later is shown first, and theirs beside it.
        let is_replaced = outcome == Outcome::PossiblyReplaced
            || outcome == Outcome::Supersedes && candidate.voice() == Voice::Person;
        let outcome = if is_replaced { Outcome::PossiblyReplaced } else { Outcome::Disputed };
        let decision = self.begin(candidate);
        if let Some(mine) = decision.entry.as_ref().and_then(|id| self.by_id.get(id)).copied() {
            let work = &mut self.works[mine];
            match outcome {
                Outcome::PossiblyReplaced => {
                    let reason = words.iter().map(|reason| reason.0.as_str()).collect::<Vec<_>>().join("; ");
                    standing::doubt_theirs(work, &theirs, against, &reason);
                }
                _ => standing::oppose(work, &theirs, against),
            }
            self.works[mine].reasons.extend(words.iter().cloned());
            self.refresh(mine);
        }
        Decision { outcome, against: Some(against.to_owned()), reasons: words, ..decision }
    }

    /// Finds what else the candidate contradicts as plainly as the first; of what disputes or changes a part of that,
    /// whatever it contradicts at all.
    pub(super) fn further(
        &self,
        conflicts: &[&Finding],
        findings: &[Finding],
        first: &Finding,
    ) -> Vec<Further> {
        let entry = |finding: &Finding| &self.works[finding.work].entry;
        let ties = |from: &Entry, to: &Entry| {
            let kinds = [LinkKind::Contradicts, LinkKind::Qualifies, LinkKind::QualifiedBy];
            from.links.iter().any(|link| kinds.contains(&link.kind) && link.target == to.id.as_str())
        };
        let as_plain = |finding: &&Finding| {
            finding.judgement.reach.is_whole() && finding.judgement.certain >= first.judgement.certain
        };
        let tied = |finding: &&Finding| {
            finding.judgement.relation == Relation::Conflict
                && finding.judgement.reach != Reach::Elsewhere
                && matches!(finding.spot, Spot::Lead(_) | Spot::Why(_) | Spot::Fact(_))
                && (ties(entry(first), entry(finding)) || ties(entry(finding), entry(first)))
        };
        let all = conflicts.iter().copied().filter(as_plain).chain(findings.iter().filter(tied));
        let mut out: BTreeMap<usize, Further> = BTreeMap::new();
        for finding in all.filter(|finding| finding.work != first.work) {
            let against = merge::claim_at(&self.works[finding.work].article, finding.spot).text.clone();
            out.entry(finding.work).or_insert_with(|| Further { entry: entry(finding).id.clone(), against });
        }
        out.into_values().collect()
    }

    /// Finds the claims of other articles that the candidate denies too.
    pub(super) fn denied_elsewhere(&self, findings: &[Finding], work: usize) -> BTreeMap<usize, Vec<Spot>> {
        let mut out: BTreeMap<usize, Vec<Spot>> = BTreeMap::new();
        let near = self.distance.joins;
        for finding in findings.iter().filter(|f| f.work != work && f.judgement.closeness >= near) {
            let denied = denies_by_name(finding);
            let agrees = finding.judgement.features.get("both_deny").is_some_and(|share| *share > DENIED);
            if denied && !agrees && matches!(finding.spot, Spot::Lead(_) | Spot::Fact(_)) {
                out.entry(finding.work).or_default().push(finding.spot);
            }
        }
        out
    }

    /// A decision that was reversed must not stand anywhere as if it still held.
    pub(super) fn replace_elsewhere(
        &mut self,
        candidate: &Candidate,
        denied: BTreeMap<usize, Vec<Spot>>,
        reasons: &[Reason],
    ) {
        let reason = reasons.iter().map(|reason| reason.0.as_str()).collect::<Vec<_>>().join("; ");
        for (at, spots) in denied {
            let known =
                merge::statements(&self.works[at]).into_iter().filter(|(spot, _)| spots.contains(spot));
            let found =
                verdict(known.map(|(_, statement)| statement), candidate, (true, Reach::Whole, false));
            if self.works[at].entry.curated_by == Curator::Auto && matches!(found, Verdict::Replaces(_)) {
                standing::supersede(&mut self.works[at], spots, candidate, &reason);
                self.after(at, candidate.clone(), Outcome::Supersedes, None, reasons.to_vec());
            }
        }
    }
}
