//! What an agent hands in, compared with what is known before it is written.

use lore_core::{Article, Candidate, Entry, EntryId, Evidence, Kind, SessionId, Status, Voice, one_line};
use lore_distill::curate::{Bars, Outcome, Plainness, Reach};
use lore_store::Transaction;

use crate::meet::{Meeting, Met, as_candidate, met_entry, said};
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
            crate::curate::propose(transaction, proposal)?;
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
