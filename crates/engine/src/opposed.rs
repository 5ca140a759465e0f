//! What an agent hands in, compared with what is known before it is written.

use lore_core::{
    Article, Candidate, Entry, EntryId, Evidence, Kind, Proposal, SessionId, Source, Status, Voice, one_line,
};
use lore_distill::curate::{Bars, Outcome, Plainness, Reach};
use lore_store::Transaction;

use crate::meet::{Also, COMPARED, Meeting, Met, as_candidate, met_entry, said};
use crate::{Asker, Engine, Error};

/// The entry in which a contradiction stands now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Opposed {
    pub(crate) id: EntryId,
    pub(crate) title: String,
    pub(crate) path: String,
    /// What is contradicted: the same entry, or a person's beside it.
    pub(crate) met: Met,
}

impl Engine {
    /// Looks whether an agent's word contradicts what is known; if so, both sides are shown in the
    /// known entry, or beside it where a person wrote that, and nothing else is written.
    pub(crate) fn against_known(
        &self,
        entry: &Entry,
        transaction: &mut Transaction<'_>,
    ) -> Result<Option<Opposed>, Error> {
        let Asker::Agent { name, session } = &self.asker else { return Ok(None) };
        let compared = [Kind::Decision, Kind::Fact, Kind::Architecture, Kind::Limitation];
        if !compared.contains(&entry.kind) {
            return Ok(None);
        }
        let candidate = self.candidate_of(entry, name, session.as_ref());
        let curation = self.judge_with(vec![candidate], transaction, &|_| Bars::OPEN);
        let contradicts =
            |outcome| matches!(outcome, Outcome::Disputed | Outcome::PossiblyReplaced | Outcome::Supersedes);
        let found = curation.decisions.iter().find(|decision| contradicts(decision.outcome));
        let Some(decision) = found else { return Ok(None) };
        let Some(id) = decision.entry.clone() else { return Ok(None) };
        let against = decision.against.clone();
        let unsure = decision.reach == Reach::Elsewhere || decision.plainness == Plainness::Doubtful;
        let other = curation.proposals.iter().find_map(met_entry);
        for proposal in curation.proposals {
            crate::curate::propose(transaction, handed_in(proposal, entry))?;
        }
        let stored = transaction.get(id.as_str())?;
        let met = match other.and_then(|other| transaction.get(other.as_str()).ok()) {
            Some(other) => other.entry,
            None => stored.entry.clone(),
        };
        let said = against.unwrap_or_else(|| met.title.clone());
        let (how, also) = (Meeting::Contradicts, Vec::new());
        let met = Met { how, id: met.id, title: met.title, said, also, unsure };
        Ok(Some(Opposed { id, title: stored.entry.title, path: stored.path, met }))
    }

    /// Looks whether an agent's word goes against what was laid down, where the comparison of statements alone does
    /// not show it: a plan against a rule, one more value beside those of a dispute.
    pub(crate) fn against_laid_down(&self, entry: &Entry) -> Result<Option<Met>, Error> {
        if !matches!(self.asker, Asker::Agent { .. }) || !COMPARED.contains(&entry.kind) {
            return Ok(None);
        }
        let stated = format!("{}.\n{}", entry.title, said(entry));
        let found = self.opposing(&stated, &|_| true)?;
        let mut found = found.into_iter().map(|(entry, opposing)| (entry, opposing.says));
        Ok(found.next().map(|(entry, said)| Met {
            how: Meeting::Contradicts,
            id: entry.id,
            title: entry.title,
            said,
            also: found.map(|(entry, said)| Also { id: entry.id, said }).collect(),
            unsure: false,
        }))
    }

    /// Tells whether an agent's word stands in a dispute already, as one of its sides.
    pub(crate) fn disputes_already(&self, known: &Entry, entry: &Entry) -> bool {
        let plain = |text: &str| one_line(text).trim_end_matches('.').to_lowercase();
        let own = plain(&said(entry));
        matches!(self.asker, Asker::Agent { .. })
            && known.status == Status::Disputed
            && Article::parse(&known.body).conflict.iter().any(|claim| plain(&claim.text) == own)
    }

    /// Makes what the comparison takes: the statement alone, with nothing but an agent's voice.
    fn candidate_of(&self, entry: &Entry, name: &str, session: Option<&SessionId>) -> Candidate {
        let evidence = Evidence {
            session: session.cloned().unwrap_or_else(|| SessionId::new("unknown".to_owned())),
            agent: name.to_owned(),
            line: 0,
            quote: said(entry),
            voice: Voice::Agent,
            at: Some(self.world.now),
        };
        let confidence = entry.confidence.unwrap_or(lore_core::Confidence::Medium);
        Candidate { confidence, ..as_candidate(entry, evidence) }
    }
}

/// Lets what was handed in say so: it stands in no line of a session.
fn handed_in(mut proposal: Proposal, by: &Entry) -> Proposal {
    let Some(own) = by.sources.first() else { return proposal };
    let mended = |source: &mut Source| {
        let is_ours = source.lines == [0];
        let was = source.resource.clone();
        if is_ours {
            *source = Source { id: source.id.clone(), ..own.clone() };
        }
        is_ours.then_some(was)
    };
    match &mut proposal {
        Proposal::Create { entry, .. } | Proposal::Replace { entry, .. } => {
            let before: Vec<String> = entry.sources.iter_mut().filter_map(mended).collect();
            for was in before {
                entry.body = entry.body.replace(&was, &own.resource);
            }
        }
        Proposal::AddSources { sources, .. } => {
            for source in sources {
                mended(source);
            }
        }
    }
    proposal
}
