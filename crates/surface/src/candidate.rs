//! Which entries may become hits: filtered by exact terms, cut by likeness, weighed by age and place.

use lore_core::recall::Query;
use lore_core::score::{Parts, decay_after, is_at_the_floor, occurrence};
use lore_core::{Kind, Moment, Status};
use tantivy::{DocAddress, DocId, SegmentReader, TantivyError};

use crate::document::Standing;
use crate::filter::{Allowed, LookUp, folders, holders};
use crate::fuse::Likeness;
use crate::reader::Snapshot;
use crate::schema::EntryFields;

/// So many of the most alike are weighed further; age cannot lift what is far below them.
const WEIGHED: usize = 300;
/// At this likeness the best hit counts as fully alike.
const SURE: f64 = 0.4;
/// What is less alike than this share of the best is no hit.
const TAIL: f32 = 0.1;
/// Where no word of the query stands in an entry, it has to be at least this near in meaning …
const NEAR: f32 = 0.35;
/// … and words that carry only grammar do not count as such.
const SPOKEN: f32 = 0.04;
/// What remains of the score of something that was replaced or has gone out of date.
const REPLACED: f64 = 0.5;

/// A document that may become a hit.
pub(crate) struct Candidate {
    pub(crate) address: DocAddress,
    pub(crate) tie: u64,
    pub(crate) rank: f64,
    pub(crate) parts: Parts,
    pub(crate) direct: Direct,
}

/// How an entry is tied to what was asked, beyond words; the better comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Direct {
    No,
    Folder,
    File,
    Issue,
}

/// A document that passed the filters.
struct Eligible {
    address: DocAddress,
    fused: f32,
    direct: Direct,
}

/// Lists the entries that may become hits, in no order.
pub(crate) fn candidates(
    snapshot: &Snapshot<'_>,
    query: &Query,
    today: Moment,
    likeness: &Likeness,
    browsing: bool,
) -> Result<Vec<Candidate>, TantivyError> {
    let mut eligible = Vec::new();
    for (ord, segment) in snapshot.entries.segment_readers().iter().enumerate() {
        gather(snapshot, ord, segment, query, likeness, browsing, &mut eligible)?;
    }
    let best = eligible.iter().fold(0.0f32, |most, one| most.max(one.fused));
    if !browsing {
        let least = least_weighed(&eligible).max(best * TAIL);
        eligible.retain(|one| one.fused >= least || one.direct != Direct::No);
    }
    let scale = if best > 0.0 { (f64::from(best) / SURE).min(1.0).sqrt() / f64::from(best) } else { 0.0 };
    let mut out = Vec::with_capacity(eligible.len());
    for (ord, segment) in snapshot.entries.segment_readers().iter().enumerate() {
        let domains = domains(snapshot, segment, query)?;
        let columns = segment.fast_fields();
        let (standings, ties) = (columns.u64("standing")?, columns.u64("tie")?);
        let changes = columns.i64("changed")?;
        for one in eligible.iter().filter(|one| one.address.segment_ord as usize == ord) {
            let doc = one.address.doc_id;
            let standing = Standing::from_bits(standings.first(doc).unwrap_or_default());
            let parts = Parts {
                similarity: f64::from(one.fused) * scale,
                decay: decay(standing, changes.first(doc), today),
                domain: if domains.binary_search(&doc).is_ok() { 1.0 } else { 0.5 },
                occurrence: occurrence(standing.kind, standing.occurrences),
            };
            let stale = is_at_the_floor(parts.decay) || standing.status != Status::Current;
            if query.fresh && stale {
                continue;
            }
            out.push(Candidate {
                address: one.address,
                tie: ties.first(doc).unwrap_or_default(),
                rank: parts.total() * status_factor(standing.status),
                parts,
                direct: one.direct,
            });
        }
    }
    Ok(out)
}

/// Says what remains of a score for its status.
pub(crate) fn status_factor(status: Status) -> f64 {
    match status {
        Status::Current | Status::Disputed => 1.0,
        Status::Outdated | Status::Superseded => REPLACED,
    }
}

fn gather(
    snapshot: &Snapshot<'_>,
    ord: usize,
    segment: &SegmentReader,
    query: &Query,
    likeness: &Likeness,
    browsing: bool,
    out: &mut Vec<Eligible>,
) -> Result<(), TantivyError> {
    let allowed = Allowed::new(segment, &filters(&snapshot.index.entry_fields, query))?;
    let directs = directs(snapshot, segment, query)?;
    let columns = segment.fast_fields();
    let (changes, standings) = (columns.i64("changed")?, columns.u64("standing")?);
    // Raw signals are shown to those who ask for them.
    let is_raw = |doc: DocId| {
        query.kinds.is_empty()
            && Standing::from_bits(standings.first(doc).unwrap_or_default()).kind == Kind::Signal
    };
    let since = query.since.map(|since| since.instant().as_second());
    for (doc, fused) in (0..).zip(&likeness.fused[ord]) {
        let direct = directs.get(doc);
        let near = likeness.lexical[ord][doc as usize] > SPOKEN
            || likeness.semantic.as_ref().is_some_and(|scores| scores[ord][doc as usize] >= NEAR);
        // Without words, files and issues say what is wanted; without these, everything is.
        let alike = (browsing && query.files.is_empty() && query.issue.is_none())
            || (*fused > 0.0 && near)
            || direct != Direct::No;
        if alike
            && allowed.has(doc)
            && !segment.is_deleted(doc)
            && !is_raw(doc)
            && since.is_none_or(|since| changes.first(doc).is_some_and(|at| at >= since))
        {
            out.push(Eligible { address: DocAddress::new(ord as u32, doc), fused: *fused, direct });
        }
    }
    Ok(())
}

/// Returns the likeness below which documents are not weighed; equals are all kept, so that the order
/// does not depend on how the index came about.
fn least_weighed(eligible: &[Eligible]) -> f32 {
    if eligible.len() <= WEIGHED {
        return 0.0;
    }
    let mut scores: Vec<f32> = eligible.iter().map(|one| one.fused).collect();
    let (_, least, _) = scores.select_nth_unstable_by(WEIGHED - 1, |a, b| b.total_cmp(a));
    *least
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

fn directs(snapshot: &Snapshot<'_>, segment: &SegmentReader, query: &Query) -> Result<Directs, TantivyError> {
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
    segment: &SegmentReader,
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
