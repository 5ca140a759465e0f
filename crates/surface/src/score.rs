//! The order of entries: similarity, age, domain and occurrence, then what their status asks for.

use lore_core::recall::{Matched, Query};
use lore_core::score::{Parts, decay_after, domain_match, is_at_the_floor, occurrence};
use lore_core::{Hit, LinkKind, Moment, Status};
use tantivy::columnar::Column;
use tantivy::{DocAddress, DocId, TantivyError};

use crate::document::Standing;
use crate::explain;
use crate::filter::{Allowed, LookUp, folders, holders};
use crate::fuse::{Likeness, likeness};
use crate::index::Card;
use crate::lexical::Weighted;
use crate::query::{self, Word};
use crate::reader::Snapshot;
use crate::schema::EntryFields;
use crate::snippet;

/// How many hits are given where the query does not say.
const LIMIT: usize = 5;
/// How likely hits have to be among the candidates whose files are not read.
const SPARE: usize = 8;
/// At this likeness the best hit counts as fully alike.
const SURE: f64 = 0.4;
/// What remains of the score of something that was replaced or has gone out of date.
const REPLACED: f64 = 0.5;

/// A document that may become a hit.
struct Candidate {
    address: DocAddress,
    tie: u64,
    rank: f64,
    parts: Parts,
    direct: Direct,
}

/// How an entry is tied to what was asked, beyond words; the better comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Direct {
    No,
    Folder,
    File,
    Issue,
}

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
    let mut hits = Vec::new();
    for candidate in candidates {
        if let Some(card) = snapshot.card_at(candidate.address)? {
            hits.push((hit(&candidate, &card, query, &words, &likeness), candidate.direct));
        }
    }
    hits.sort_by(|(a, direct_a), (b, direct_b)| {
        direct_b.cmp(direct_a).then(b.score.total_cmp(&a.score)).then_with(|| a.id.cmp(&b.id))
    });
    let hits = hits.into_iter().map(|(hit, _)| hit).collect();
    let mut hits = with_company(snapshot, hits, limit)?;
    hits.truncate(limit);
    Ok(hits)
}

/// Says how much a word counts in each field.
fn weighted(fields: &EntryFields) -> [Weighted; 4] {
    [
        Weighted { field: fields.title, weight: 2.5, length: 0.5 },
        Weighted { field: fields.description, weight: 1.5, length: 0.5 },
        Weighted { field: fields.labels, weight: 1.5, length: 0.3 },
        Weighted { field: fields.body, weight: 1.0, length: 0.75 },
    ]
}

fn candidates(
    snapshot: &Snapshot<'_>,
    query: &Query,
    today: Moment,
    likeness: &Likeness,
    browsing: bool,
) -> Result<Vec<Candidate>, TantivyError> {
    let best = likeness.fused.iter().flatten().fold(0.0f32, |most, score| most.max(*score));
    let scale = if best > 0.0 { (f64::from(best) / SURE).min(1.0).sqrt() / f64::from(best) } else { 0.0 };
    // What is far below the best cannot come before it by age alone.
    let floor = best * 0.1;
    let mut out = Vec::new();
    for (ord, segment) in snapshot.entries.segment_readers().iter().enumerate() {
        let allowed = Allowed::new(segment, &filters(&snapshot.index.entry_fields, query))?;
        let directs = directs(snapshot, segment, query)?;
        let domains = domains(snapshot, segment, query)?;
        let columns = segment.fast_fields();
        let standings = columns.u64("standing")?;
        let changes: Column<i64> = columns.i64("changed")?;
        let ties = columns.u64("tie")?;
        for doc in segment.doc_ids_alive() {
            let fused = likeness.fused[ord][doc as usize];
            let direct = directs.get(doc);
            let alike = browsing || (fused > floor && fused > 0.0) || direct != Direct::No;
            if !alike || !allowed.has(doc) {
                continue;
            }
            let changed = changes.first(doc);
            if query.since.is_some_and(|since| changed.is_none_or(|at| at < since.instant().as_second())) {
                continue;
            }
            let standing = Standing::from_bits(standings.first(doc).unwrap_or_default());
            let parts = Parts {
                similarity: f64::from(fused) * scale,
                decay: decay(standing, changed, today),
                domain: if domains.binary_search(&doc).is_ok() { 1.0 } else { 0.5 },
                occurrence: occurrences(standing),
            };
            let stale = is_at_the_floor(parts.decay) || standing.status != Status::Current;
            if query.fresh && stale {
                continue;
            }
            out.push(Candidate {
                address: DocAddress::new(ord as u32, doc),
                tie: ties.first(doc).unwrap_or_default(),
                rank: parts.total() * status_factor(standing.status),
                parts,
                direct,
            });
        }
    }
    Ok(out)
}

fn filters(fields: &EntryFields, query: &Query) -> Vec<Vec<tantivy::Term>> {
    let terms = |look_ups: Vec<LookUp>| look_ups.iter().flat_map(|l| l.terms(fields)).collect();
    vec![
        terms(query.kinds.iter().map(|kind| LookUp::Kind(*kind)).collect()),
        terms(query.tags.iter().map(|tag| LookUp::Tag(tag.clone())).collect()),
        terms(query.projects.iter().map(|project| LookUp::Project(project.clone())).collect()),
    ]
}

/// The documents of one segment that are tied to what was asked.
struct Directs {
    issue: Vec<DocId>,
    file: Vec<DocId>,
    folder: Vec<DocId>,
}

impl Directs {
    fn get(&self, doc: DocId) -> Direct {
        let has = |docs: &[DocId]| docs.binary_search(&doc).is_ok();
        if has(&self.issue) {
            Direct::Issue
        } else if has(&self.file) {
            Direct::File
        } else if has(&self.folder) {
            Direct::Folder
        } else {
            Direct::No
        }
    }
}

fn directs(
    snapshot: &Snapshot<'_>,
    segment: &tantivy::SegmentReader,
    query: &Query,
) -> Result<Directs, TantivyError> {
    let fields = &snapshot.index.entry_fields;
    let terms = |look_ups: &[LookUp]| look_ups.iter().flat_map(|l| l.terms(fields)).collect::<Vec<_>>();
    let issue: Vec<LookUp> = query.issue.iter().map(|issue| LookUp::Issue(issue.clone())).collect();
    let files: Vec<LookUp> = query.files.iter().map(|file| LookUp::File(file.clone())).collect();
    // An entry about the folder itself speaks for the files in it.
    let above: Vec<LookUp> = query
        .files
        .iter()
        .flat_map(|file| folders(file))
        .map(|folder| LookUp::File(folder.trim_end_matches('/').to_owned()))
        .collect();
    Ok(Directs {
        issue: holders(segment, &terms(&issue))?,
        file: holders(segment, &terms(&files))?,
        folder: holders(segment, &terms(&above))?,
    })
}

fn domains(
    snapshot: &Snapshot<'_>,
    segment: &tantivy::SegmentReader,
    query: &Query,
) -> Result<Vec<DocId>, TantivyError> {
    let Some(domain) = &query.domain else { return Ok(Vec::new()) };
    let fields = &snapshot.index.entry_fields;
    let mut terms = LookUp::Domain(domain.clone()).terms(fields);
    terms.extend(LookUp::Tag(domain.clone()).terms(fields));
    holders(segment, &terms)
}

fn decay(standing: Standing, changed: Option<i64>, today: Moment) -> f64 {
    match changed.filter(|_| !standing.evergreen) {
        None => 1.0,
        Some(second) => {
            let days = (today.instant().as_second().saturating_sub(second) / 86_400).max(0);
            decay_after(u32::try_from(days).unwrap_or(u32::MAX))
        }
    }
}

fn occurrences(standing: Standing) -> f64 {
    match (standing.kind, standing.occurrences) {
        (lore_core::Kind::Pattern, Some(n)) => (f64::from(n) / 10.0).min(1.0),
        _ => 0.5,
    }
}

fn status_factor(status: Status) -> f64 {
    match status {
        Status::Current | Status::Disputed => 1.0,
        Status::Outdated | Status::Superseded => REPLACED,
    }
}

fn hit(candidate: &Candidate, card: &Card, query: &Query, words: &[Word], likeness: &Likeness) -> Hit {
    let entry = &card.entry;
    let DocAddress { segment_ord, doc_id } = candidate.address;
    let (segment, doc) = (segment_ord as usize, doc_id as usize);
    let semantic = likeness.semantic.as_ref().map_or(0.0, |scores| scores[segment][doc].max(0.0));
    let (terms, coverage) = explain::matched(entry, words, &likeness.found);
    let parts = Parts {
        domain: domain_match(entry, query.domain.as_deref()),
        occurrence: occurrence(entry),
        ..candidate.parts
    };
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
fn with_company(snapshot: &Snapshot<'_>, hits: Vec<Hit>, limit: usize) -> Result<Vec<Hit>, TantivyError> {
    let mut out: Vec<Hit> = Vec::new();
    for hit in hits.into_iter().take(limit) {
        if out.iter().any(|known| known.id == hit.id) {
            continue;
        }
        let Some(card) = snapshot.addresses(&[LookUp::Name(hit.id.to_string())])?.first().copied() else {
            continue;
        };
        let Some(card) = snapshot.card_at(card)? else { continue };
        let mut behind = Vec::new();
        for (kind, target) in company(snapshot, &card)? {
            if out.iter().any(|known| known.id == target.entry.id) || target.entry.id == hit.id {
                continue;
            }
            let mut beside = Hit::new(target.entry.id.clone(), target.entry.kind, &target.entry.title);
            beside.status = target.entry.status;
            beside.score = hit.score;
            beside.parts = hit.parts;
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
