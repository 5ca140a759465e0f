//! What an entry must not be shown without: what replaces, contradicts or limits it.

use std::collections::BTreeSet;

use lore_core::{EntryId, LinkKind};

use super::choose::{Pick, Reason, Request, is_wanted, says};
use crate::index::Level;
use crate::query::Word;
use crate::reader::{SearchError, Snapshot};
use crate::score::{self, COMPANY};

/// Puts an entry together with what it must not be shown without; what holds now is read first.
pub(super) fn with_company(
    snapshot: &Snapshot<'_>,
    pick: Pick,
    known: &mut BTreeSet<String>,
    request: &Request<'_>,
    words: &[Word],
) -> Result<Vec<Pick>, SearchError> {
    let beside = company(snapshot, &pick, known, request, words)?;
    let replaces = |pick: &Pick| matches!(pick.reason, Reason::Company { kind: LinkKind::SupersededBy, .. });
    let (now, also): (Vec<Pick>, Vec<Pick>) = beside.into_iter().partition(replaces);
    Ok(now.into_iter().chain([pick]).chain(also).collect())
}

/// Says what an entry that comes along does to the other.
pub(super) fn company_word(kind: LinkKind) -> &'static str {
    match kind {
        LinkKind::SupersededBy => "replaces",
        LinkKind::QualifiedBy => "limits",
        _ => "contradicts",
    }
}

/// So many entries at most come along with one.
const MOST: usize = 8;

/// Fetches what supersedes, contradicts or qualifies a pick, and what does so to that, in turn.
fn company(
    snapshot: &Snapshot<'_>,
    pick: &Pick,
    known: &mut BTreeSet<String>,
    request: &Request<'_>,
    words: &[Word],
) -> Result<Vec<Pick>, SearchError> {
    let mut out: Vec<Pick> = Vec::new();
    let mut next = 0;
    loop {
        let of = if next == 0 { &pick.card } else { &out[next - 1].card };
        for (kind, card) in snapshot.guard(Level::Entries, || score::company(snapshot, of))? {
            let fresh = card.entry.id != pick.card.entry.id
                && is_wanted(&card.entry, &[])
                && out.len() < MOST
                && known.insert(card.entry.id.to_string());
            if fresh {
                let of = if next == 0 { &pick.card } else { &out[next - 1].card };
                let reason = Reason::Company { kind, of: of.entry.id.clone() };
                let score = pick.score * request.stack.factor(&card.entry).min(1.0);
                out.push(Pick {
                    says: says(&card.entry, words),
                    card,
                    reason,
                    score,
                    against: None,
                    replaced_by: None,
                });
            }
        }
        if next == out.len() {
            return Ok(out);
        }
        next += 1;
    }
}

/// An entry that fits by itself and also replaces, contradicts or limits another one that is shown must not
/// be dropped for lack of room.
pub(super) fn tie(picks: &mut [Pick]) {
    let mut ties: Vec<(EntryId, LinkKind, EntryId)> = Vec::new();
    for pick in picks.iter() {
        for link in &pick.card.entry.links {
            let other = picks.iter().find(|other| other.card.entry.id.as_str() == link.target);
            let Some(other) = other.map(|other| other.card.entry.id.clone()) else { continue };
            let own = pick.card.entry.id.clone();
            if COMPANY.contains(&link.kind) {
                ties.push((other.clone(), link.kind, own.clone()));
            }
            if let Some(kind) = link.kind.inverse().filter(|kind| COMPANY.contains(kind)) {
                ties.push((own, kind, other));
            }
        }
    }
    for pick in picks.iter_mut().filter(|pick| pick.reason == Reason::Match) {
        if let Some((_, kind, of)) = ties.iter().find(|(id, ..)| *id == pick.card.entry.id) {
            pick.reason = Reason::Company { kind: *kind, of: of.clone() };
        }
    }
}
