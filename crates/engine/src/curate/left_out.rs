//! What curation leaves out of what sessions say: what was forgotten, and what somebody removed.

use std::collections::{BTreeSet, HashMap};

use lore_core::{Candidate, EntryId, Voice, slug};
use lore_store::{Tombstone, Transaction};

use super::CurateReport;

/// Leaves out what says what was forgotten, and the names of people who were.
pub(super) fn without_forgotten(candidates: Vec<Candidate>, seals: &lore_store::Seals) -> Vec<Candidate> {
    if seals.is_empty() {
        return candidates;
    }
    let is_forbidden = |candidate: &Candidate| {
        let quotes = candidate.evidence.iter().map(|evidence| evidence.quote.as_str());
        [candidate.title.as_str(), candidate.text.as_str()]
            .into_iter()
            .chain(quotes)
            .any(|text| seals.forbid(text))
    };
    let mut kept: Vec<Candidate> =
        candidates.into_iter().filter(|candidate| !is_forbidden(candidate)).collect();
    for candidate in &mut kept {
        let quotes = candidate.evidence.iter_mut().map(|evidence| &mut evidence.quote);
        for text in [&mut candidate.title, &mut candidate.text].into_iter().chain(quotes) {
            if let Some(without) = seals.without_people(text) {
                *text = without;
            }
        }
    }
    kept
}

/// Names the entries whose place nothing may take by itself. What an agent removed is asked about when it is written:
/// a person's words bring it back.
pub(super) fn gone_for_good<'a>(transaction: &'a Transaction<'_>) -> impl Iterator<Item = EntryId> + 'a {
    let stones = transaction.tombstones().iter().filter(|stone| !stone.is_by_an_agent());
    stones.map(|stone| stone.id.clone())
}

/// Leaves out what rests on the words of an entry that somebody removed and is called much the same, and what says the
/// same in the same words wherever it was said; an agent's removal keeps no person's words out.
pub(super) fn without_rejected(
    candidates: Vec<Candidate>,
    transaction: &Transaction<'_>,
    is_said_elsewhere: &dyn Fn(&str) -> bool,
    report: &mut CurateReport,
) -> Vec<Candidate> {
    let stones = transaction.tombstones();
    let mut gone: HashMap<String, Vec<(BTreeSet<String>, &Tombstone)>> = HashMap::new();
    for stone in stones.iter() {
        for record in &stone.evidence {
            gone.entry(record.clone()).or_default().push((words(&stone.title), stone));
        }
    }
    let rejecting = |candidate: &Candidate| {
        let own = words(&candidate.title);
        let is_said = candidate.evidence.iter().any(|evidence| evidence.voice == Voice::Person);
        let records =
            candidate.evidence.iter().filter_map(|e| gone.get(&format!("{}#{}", e.session, e.line)));
        let mut near = records.flatten().filter(|(title, _)| {
            let shared = own.intersection(title).count();
            shared * 2 >= own.len().min(title.len())
        });
        let counts = |stone: &Tombstone| !(is_said && stone.is_by_an_agent());
        let by_record = near.find(|(_, stone)| counts(stone)).map(|(_, stone)| *stone);
        // Of two entries that said the same, somebody may have removed one.
        let says = || stones.saying(&candidate.text).filter(|_| !is_said_elsewhere(&candidate.text));
        by_record.or_else(|| says().filter(|stone| counts(stone)))
    };
    let mut kept = Vec::new();
    for candidate in candidates {
        match rejecting(&candidate) {
            Some(stone) => report.reject(stone),
            None => kept.push(candidate),
        }
    }
    kept
}

fn words(title: &str) -> BTreeSet<String> {
    slug(title).split('-').filter(|word| word.len() > 3).map(str::to_owned).collect()
}
