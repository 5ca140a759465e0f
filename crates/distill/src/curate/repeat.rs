//! The first run of a project, repeated on its own result.
//!
//! While hundreds of sessions are read, statements meet articles that are not yet what they will be.
//! A second run would find something to do; it is done at once, so that it finds nothing.

use lore_core::{Candidate, Entry, EntryId, Proposal, SessionId};

use super::{Base, Curation, Known, Setting, pass};

/// So often at most.
const PASSES: usize = 3;

/// Repeats a run until nothing changes.
pub(super) fn settled(first: Curation, candidates: &[Candidate], setting: &Setting<'_>) -> Curation {
    let mut curation = first;
    for _ in 0..PASSES {
        let entries = curation.proposals.iter().filter_map(created).cloned();
        let known = After { base: Base::new(entries), before: setting.known };
        let next = pass(candidates, &Setting { known: &known, ..*setting });
        curation.queue = next.queue;
        if next.proposals.is_empty() {
            break;
        }
        for proposal in next.proposals {
            take(&mut curation.proposals, proposal);
        }
    }
    curation
}

/// Puts a change of something that is only proposed into the proposal.
fn take(proposals: &mut Vec<Proposal>, change: Proposal) {
    let Proposal::Replace { entry: changed, reasons: more } = change else {
        proposals.push(change);
        return;
    };
    let known = proposals.iter_mut().find(|proposal| proposal.id() == &changed.id);
    if let Some(Proposal::Create { entry, reasons }) = known {
        *entry = changed;
        reasons.extend(more);
    }
}

fn created(proposal: &Proposal) -> Option<&Entry> {
    match proposal {
        Proposal::Create { entry, .. } => Some(entry),
        _ => None,
    }
}

/// What will be known after a run on an empty base.
struct After<'a> {
    base: Base,
    before: &'a dyn Known,
}

impl Known for After<'_> {
    fn similar(&self, text: &str, limit: usize) -> Vec<Entry> {
        self.base.similar(text, limit)
    }

    fn citing(&self, session: &SessionId) -> Vec<Entry> {
        self.base.citing(session)
    }

    fn all(&self) -> Vec<Entry> {
        self.base.all()
    }

    fn size(&self) -> usize {
        self.base.size()
    }

    fn contains(&self, id: &EntryId) -> bool {
        self.base.contains(id)
    }

    fn is_forgotten(&self, id: &EntryId) -> bool {
        self.before.is_forgotten(id)
    }

    fn rarity(&self, stem: &str) -> f64 {
        self.base.rarity(stem)
    }
}
