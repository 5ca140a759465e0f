//! What was considered, and what became of it.

use lore_core::recall::Query;
use lore_core::{Hit, Kind, Status};
use serde::Serialize;

use super::choose::{Chosen, Reason, Request};
use super::company::company_word;
use crate::reader::{SearchError, Snapshot};

/// Whether something considered has a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It has.
    In,
    /// It has not.
    Out,
}

/// An entry that was considered, and what became of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Considered {
    /// The entry.
    pub id: String,
    /// Its title.
    pub title: String,
    /// Its status.
    pub status: Status,
    /// How well it fits.
    pub score: f64,
    /// Share of the words it has.
    pub coverage: f64,
    /// How near in meaning it is.
    pub semantic: f64,
    /// What became of it.
    pub verdict: Verdict,
    /// Why.
    pub why: String,
    /// The conditions it rests on.
    #[serde(skip)]
    pub depends_on: Vec<String>,
    /// How they stand, for whoever can tell; surfacing cannot.
    pub freshness: Option<String>,
}

impl Chosen {
    /// Lists every entry that was considered for the words, with what became of it.
    pub fn considered(
        &self,
        snapshot: &Snapshot<'_>,
        request: &Request<'_>,
        limit: usize,
    ) -> Result<Vec<Considered>, SearchError> {
        let query = Query { limit: Some(limit), ..Query::text(request.prompt) };
        let hits = snapshot.search(&query, request.today)?;
        let mut out: Vec<Considered> = hits.iter().map(|hit| self.judged(hit, request)).collect();
        for pick in &self.picks {
            let entry = &pick.card.entry;
            if out.iter().all(|one| one.id != entry.id.as_str()) {
                let mut hit = Hit::new(entry.id.clone(), entry.kind, &entry.title);
                hit.status = entry.status;
                hit.score = pick.score;
                out.push(self.judged(&hit, request));
            }
        }
        for one in &mut out {
            one.depends_on = snapshot.card(&one.id)?.map(|card| card.entry.depends_on).unwrap_or_default();
        }
        Ok(out)
    }

    fn judged(&self, hit: &Hit, request: &Request<'_>) -> Considered {
        let pick = self.picks.iter().find(|pick| pick.card.entry.id == hit.id);
        let why = match (pick, &self.silent) {
            (Some(pick), _) => match &pick.reason {
                Reason::Company { kind, of } => format!("{} {of}, so it comes along", company_word(*kind)),
                Reason::Disputed => "fits and is disputed".to_owned(),
                _ => hit.why.first().cloned().unwrap_or_else(|| "fits the words".to_owned()),
            },
            _ if request.seen.contains(hit.id.as_str()) => "was shown before in this session".to_owned(),
            _ if !request.kinds.is_empty() && !request.kinds.contains(&hit.kind) => {
                format!("a {} is not asked for here", hit.kind)
            }
            _ if hit.kind == Kind::Signal => "raw signals are shown on request only".to_owned(),
            (None, Some(silent)) => format!("below the floor: {silent}"),
            (None, None) => "others fit better".to_owned(),
        };
        Considered {
            id: hit.id.to_string(),
            title: hit.title.clone(),
            status: hit.status,
            score: hit.score,
            coverage: hit.matched.coverage,
            semantic: hit.matched.semantic,
            verdict: if pick.is_some() { Verdict::In } else { Verdict::Out },
            why,
            depends_on: Vec::new(),
            freshness: None,
        }
    }
}
