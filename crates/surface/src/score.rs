//! The order of entries: similarity, age, domain and occurrence, then what their status asks for.

use lore_core::recall::{Matched, Query};
use lore_core::score::{Parts, domain_match, occurrence};
use lore_core::{Hit, LinkKind, Moment};
use tantivy::{DocAddress, TantivyError};

use crate::candidate::{Candidate, candidates, status_factor};
use crate::explain;
use crate::filter::LookUp;
use crate::fuse::{Likeness, likeness};
use crate::index::Card;
use crate::lexical::Weighted;
use crate::query::{self, Word};
use crate::reader::Snapshot;
use crate::schema::EntryFields;
use crate::snippet;

/// How many hits are given where the query does not say.
const LIMIT: usize = 5;
/// So many more are read than asked for, because some stand for others.
const SPARE: usize = 8;

/// Returns the best entries, best first.
pub(crate) fn search(
    snapshot: &Snapshot<'_>,
    query: &Query,
    today: Moment,
) -> Result<Vec<Hit>, TantivyError> {
    let fields = &snapshot.index.entry_fields;
    let words = query::words(&query.text);
    let likeness = likeness(
        &snapshot.entries,
        &weighted(fields),
        &words,
        &query.text,
        snapshot.index.embedder.as_deref(),
        &snapshot.tuning,
    )?;
    let mut candidates = candidates(snapshot, query, today, &likeness, words.is_empty())?;
    let limit = query.limit.unwrap_or(LIMIT);
    candidates.sort_by(|a, b| {
        b.direct.cmp(&a.direct).then(b.rank.total_cmp(&a.rank)).then_with(|| a.tie.cmp(&b.tie))
    });
    candidates.truncate(limit + SPARE);
    let mut best = Vec::new();
    for candidate in candidates {
        if let Some(card) = snapshot.card_at(candidate.address)? {
            let parts = Parts {
                domain: domain_match(&card.entry, query.domain.as_deref()),
                occurrence: occurrence(&card.entry),
                ..candidate.parts
            };
            best.push((parts.total() * status_factor(card.entry.status), candidate, parts, card));
        }
    }
    best.sort_by(|(score_a, a, _, card_a), (score_b, b, _, card_b)| {
        (b.direct.cmp(&a.direct))
            .then(score_b.total_cmp(score_a))
            .then_with(|| card_a.entry.id.cmp(&card_b.entry.id))
    });
    // What is not shown needs no words; finding them takes longer than all the rest.
    best.truncate(limit);
    let hits = best
        .into_iter()
        .map(|(_, candidate, parts, card)| (hit(&candidate, parts, &card, query, &words, &likeness), card))
        .collect();
    let mut hits = with_company(snapshot, hits)?;
    hits.truncate(limit);
    Ok(hits)
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

fn hit(
    candidate: &Candidate,
    parts: Parts,
    card: &Card,
    query: &Query,
    words: &[Word],
    likeness: &Likeness,
) -> Hit {
    let entry = &card.entry;
    let DocAddress { segment_ord, doc_id } = candidate.address;
    let (segment, doc) = (segment_ord as usize, doc_id as usize);
    let semantic = likeness.semantic.as_ref().map_or(0.0, |scores| scores[segment][doc].max(0.0));
    let (terms, coverage) = explain::matched(entry, words, &likeness.found);
    let matched = Matched {
        terms,
        lexical: f64::from(likeness.lexical[segment][doc]),
        semantic: f64::from(semantic),
        coverage,
    };
    Hit {
        status: entry.status,
        score: parts.total() * status_factor(entry.status),
        why: explain::why(entry, query, &parts, &matched),
        parts,
        matched,
        snippet: snippet::of_entry(entry, words),
        path: card.path.clone(),
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
fn company(snapshot: &Snapshot<'_>, card: &Card) -> Result<Vec<(LinkKind, Card)>, TantivyError> {
    const SHOWN: [LinkKind; 3] = [LinkKind::SupersededBy, LinkKind::QualifiedBy, LinkKind::Contradicts];
    let mut out: Vec<(LinkKind, Card)> = Vec::new();
    for link in card.entry.links.iter().filter(|link| SHOWN.contains(&link.kind)) {
        for address in snapshot.addresses(&[LookUp::Name(link.target.clone())])? {
            out.extend(snapshot.card_at(address)?.map(|target| (link.kind, target)));
        }
    }
    for address in snapshot.addresses(&[LookUp::LinksTo(card.entry.id.to_string())])? {
        let Some(other) = snapshot.card_at(address)? else { continue };
        for link in other.entry.links.iter().filter(|link| link.target == card.entry.id.as_str()) {
            if let Some(kind) = link.kind.inverse().filter(|kind| SHOWN.contains(kind)) {
                out.push((kind, other.clone()));
            }
        }
    }
    out.sort_by(|a, b| a.0.cmp(&b.0).then_with(|| a.1.entry.id.cmp(&b.1.entry.id)));
    out.dedup_by(|a, b| a.1.entry.id == b.1.entry.id);
    Ok(out)
}
