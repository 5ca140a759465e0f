//! What is worth an article, and what waits.

use std::collections::{BTreeMap, HashMap};

use lore_core::{Candidate, SessionId};

use super::merit::{Merit, merit};

/// How much must speak for a candidate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bars {
    /// For a new article.
    pub article: f64,
    /// For one more claim in an article that is there.
    pub claim: f64,
    /// For putting something known in question.
    pub conflict: f64,
    /// What being among the foremost of its session adds; the first of them gets it twice.
    pub foremost: f64,
    /// For being kept at all until more speaks for it.
    pub waiting: f64,
    /// Whether a statement must be one that a stranger can read.
    pub form: bool,
    /// Whether what people say in passing may put in doubt what they said in other words; who hands something in is asked
    /// by its form alone.
    pub suspects: bool,
}

/// A base of so few sessions or articles takes all that reads well, one of so many only the best.
const FEW: usize = 20;
const MANY: usize = 300;

impl Bars {
    /// Takes everything, for statements that were chosen already.
    pub const OPEN: Bars = Bars {
        article: f64::NEG_INFINITY,
        claim: f64::NEG_INFINITY,
        conflict: f64::NEG_INFINITY,
        waiting: f64::NEG_INFINITY,
        foremost: 0.0,
        form: false,
        suspects: false,
    };

    /// Returns the bars for a project of so many sessions or articles, whichever are more.
    ///
    /// In a young project every answer is news; where hundreds of pages exist, a further one must be
    /// worth the reader's time.
    pub fn among(size: usize) -> Bars {
        let (few, many, size) = (FEW as f64, MANY as f64, size as f64);
        let share = ((size.max(few) / few).ln() / (many / few).ln()).min(1.0);
        let article = 0.62 + 0.33 * share;
        Bars {
            article,
            claim: article - 0.15,
            conflict: article - 0.15,
            waiting: article - 0.3,
            foremost: 0.12 * (1.0 - share),
            form: true,
            suspects: true,
        }
    }

    /// Moves what decides about pages and claims up or down.
    #[must_use]
    pub fn moved(self, by: f64) -> Bars {
        Bars { article: self.article + by, claim: self.claim + by, conflict: self.conflict + by, ..self }
    }

    /// Tells whether a candidate may become a claim.
    pub(super) fn admits(&self, merit: &Merit) -> bool {
        self.is_fit(merit) && merit.value >= self.claim
    }

    /// Tells whether a candidate may wait for more to speak for it.
    pub(super) fn keeps(&self, merit: &Merit) -> bool {
        self.is_fit(merit) && merit.value >= self.waiting
    }

    fn is_fit(&self, merit: &Merit) -> bool {
        !self.form || merit.unfit.is_none()
    }
}

/// So many statements of a session are its foremost.
const FOREMOST: usize = 3;

/// The statements that speak most for their session, by where they stand, with their rank there.
pub(super) type Foremost = HashMap<(SessionId, u32, String), usize>;

/// Finds the statements that speak most for each session: in a young project, a session that was
/// held at all leaves something behind.
///
/// They are given with their rank.
pub(super) fn foremost(candidates: &[Candidate]) -> Foremost {
    let mut by_session: BTreeMap<&SessionId, Vec<(f64, &Candidate)>> = BTreeMap::new();
    for candidate in candidates {
        let merit = merit(candidate);
        if let Some(evidence) = candidate.evidence.first().filter(|_| merit.unfit.is_none()) {
            by_session.entry(&evidence.session).or_default().push((merit.value, candidate));
        }
    }
    let mut out = Foremost::new();
    for mut ranked in by_session.into_values() {
        ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.text.cmp(&b.1.text)));
        let places = ranked.into_iter().take(FOREMOST).filter_map(|(_, candidate)| place(candidate));
        out.extend(places.enumerate().map(|(rank, place)| (place, rank)));
    }
    out
}

/// Names where a candidate stands.
pub(super) fn place(candidate: &Candidate) -> Option<(SessionId, u32, String)> {
    let first = candidate.evidence.first()?;
    Some((first.session.clone(), first.line, candidate.text.clone()))
}
