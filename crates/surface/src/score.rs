//! The order of entries: similarity, age, domain and occurrence, then what their status asks for.

use lore_core::recall::{Matched, Query};
use lore_core::score::Parts;
use lore_core::{Hit, LinkKind, Moment};
use tantivy::TantivyError;

use crate::candidate::{Candidate, candidates, status_factor};
use crate::explain;
use crate::filter::LookUp;
use crate::fuse::likeness;
use crate::index::Card;
use crate::lexical::Weighted;
use crate::query::{self, Word};
use crate::reader::Snapshot;
use crate::schema::EntryFields;
use crate::snippet;

/// How many hits are given where the query does not say.
const LIMIT: usize = 5;
/// What an entry must not be shown without, seen from it.
pub(crate) const COMPANY: [LinkKind; 3] =
    [LinkKind::SupersededBy, LinkKind::QualifiedBy, LinkKind::Contradicts];

/// An entry that was found, with what its place rests on.
pub(crate) struct Scored {
    pub(crate) card: Card,
    pub(crate) matched: Matched,
    parts: Parts,
    score: f64,
}

/// Returns the best entries, best first, each with what it must not be shown without.
pub(crate) fn search(
    snapshot: &Snapshot<'_>,
    query: &Query,
    today: Moment,
) -> Result<Vec<Hit>, TantivyError> {
    let words = query::words(&query.text);
    let best = best(snapshot, query, &words, today)?;
    let hits = best.into_iter().map(|one| (hit(&one, query, &words), one.card)).collect();
    let mut hits = with_company(snapshot, hits)?;
    hits.truncate(query.limit.unwrap_or(LIMIT));
    Ok(hits)
}

/// Returns the best entries, best first.
pub(crate) fn best(
    snapshot: &Snapshot<'_>,
    query: &Query,
    words: &[Word],
    today: Moment,
) -> Result<Vec<Scored>, TantivyError> {
    let limit = query.limit.unwrap_or(LIMIT);
    let likeness = likeness(
        &snapshot.entries,
        &weighted(&snapshot.index.entry_fields),
        words,
        &query.text,
        snapshot.index.embedder.as_deref(),
        &snapshot.tuning,
        limit,
    )?;
    let mut candidates = candidates(snapshot, query, today, &likeness, words.is_empty())?;
    candidates.sort_by(|a, b| {
        b.direct.cmp(&a.direct).then(b.rank.total_cmp(&a.rank)).then_with(|| a.tie.cmp(&b.tie))
    });
    candidates.truncate(limit);
    let mut best = Vec::with_capacity(candidates.len());
    for candidate in candidates {
        best.extend(snapshot.card_at(candidate.address)?.map(|card| (candidate, card)));
    }
    // Equals come in the order of their names, which a reader can follow.
    best.sort_by(|(a, card_a), (b, card_b)| {
        (b.direct.cmp(&a.direct))
            .then(b.rank.total_cmp(&a.rank))
            .then_with(|| card_a.entry.id.cmp(&card_b.entry.id))
    });
    let scored = |(candidate, card): (Candidate, Card)| Scored {
        card,
        matched: likeness.matched(candidate.address, words),
        parts: candidate.parts,
        score: candidate.rank,
    };
    Ok(best.into_iter().map(scored).collect())
}

/// Says how much a word counts in each field.
fn weighted(fields: &EntryFields) -> [Weighted; 4] {
    [
        Weighted { field: fields.title, weight: 2.5, length: 0.5, own: true },
        Weighted { field: fields.description, weight: 1.5, length: 0.5, own: true },
        Weighted { field: fields.labels, weight: 1.5, length: 0.3, own: true },
        Weighted { field: fields.body, weight: 1.0, length: 0.75, own: true },
    ]
}

fn hit(found: &Scored, query: &Query, words: &[Word]) -> Hit {
    let entry = &found.card.entry;
    Hit {
        status: entry.status,
        unreviewed: found.card.entry.is_unreviewed(),
        score: found.score,
        why: explain::why(entry, query, &found.parts, &found.matched),
        parts: found.parts,
        matched: found.matched.clone(),
        snippet: snippet::of_entry(entry, words),
        path: found.card.path.clone(),
        changed: entry.updated.or(entry.created),
        replaced_by: entry.linked(LinkKind::SupersededBy).map(str::to_owned).collect(),
        ..Hit::new(entry.id.clone(), entry.kind, &entry.title)
    }
}

/// Brings along what replaced, qualifies or contradicts a hit, and puts it in front where it replaces.
fn with_company(snapshot: &Snapshot<'_>, hits: Vec<(Hit, Card)>) -> Result<Vec<Hit>, TantivyError> {
    let mut out: Vec<Hit> = Vec::new();
    for (hit, card) in hits {
        if out.iter().any(|known| known.id == hit.id) {
            continue;
        }
        let mut behind = Vec::new();
        for (kind, target) in company(snapshot, &card)? {
            if out.iter().any(|known| known.id == target.entry.id) || target.entry.id == hit.id {
                continue;
            }
            let mut beside = Hit::new(target.entry.id.clone(), target.entry.kind, &target.entry.title);
            beside.status = target.entry.status;
            beside.parts = hit.parts;
            beside.matched = hit.matched.clone();
            beside.score = hit.parts.total() * status_factor(target.entry.status);
            beside.snippet = snippet::of_entry(&target.entry, &[]);
            beside.path = target.path.clone();
            beside.changed = target.entry.updated.or(target.entry.created);
            beside.why = vec![explain::beside(kind, &hit)];
            if kind == LinkKind::SupersededBy { out.push(beside) } else { behind.push(beside) }
        }
        out.push(hit);
        out.extend(behind);
    }
    Ok(out)
}

/// Lists what an entry must not be shown without, seen from it.
pub(crate) fn company(snapshot: &Snapshot<'_>, card: &Card) -> Result<Vec<(LinkKind, Card)>, TantivyError> {
    let mut out: Vec<(LinkKind, Card)> = Vec::new();
    for link in card.entry.links.iter().filter(|link| COMPANY.contains(&link.kind)) {
        for address in snapshot.addresses(&[LookUp::Name(link.target.clone())])? {
            out.extend(snapshot.card_at(address)?.map(|target| (link.kind, target)));
        }
    }
    for address in snapshot.addresses(&[LookUp::LinksTo(card.entry.id.to_string())])? {
        let Some(other) = snapshot.card_at(address)? else { continue };
        for link in other.entry.links.iter().filter(|link| link.target == card.entry.id.as_str()) {
            if let Some(kind) = link.kind.inverse().filter(|kind| COMPANY.contains(kind)) {
                out.push((kind, other.clone()));
            }
        }
    }
    out.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.entry.id.cmp(&b.1.entry.id)));
    out.dedup_by(|a, b| a.1.entry.id == b.1.entry.id);
    Ok(out)
}
