//! What a person takes back in so many words goes to the history, and nothing takes its place.

use lore_core::{Candidate, Claim, Curator, Moment, Reason, Standing, Status, Voice};

use super::desk::Desk;
use super::merge::{cite, claim_at, take, touch};
use super::withdrawal::Withdrawal;
use super::work::Spot;
use super::{Decision, Outcome};

const TAKEN_BACK: &str = "a person took it back";
const NOBODY_KNOWS: &str = "it takes back what is not known, or could mean several things";

impl Desk<'_> {
    /// Lets go of what a sentence takes back; nothing where it takes nothing back.
    pub(super) fn let_go(&mut self, candidate: &Candidate) -> Option<Decision> {
        if candidate.voice() < Voice::Person {
            return None;
        }
        let withdrawal = Withdrawal::read(&candidate.text)?;
        let Some((at, spot)) = self.meant_by(&withdrawal) else {
            let why = vec![Reason(NOBODY_KNOWS.to_owned())];
            return Some(self.decision(candidate, Outcome::Dropped, None, None, why));
        };
        let against = claim_at(&self.works[at].article, spot).text.clone();
        let why = vec![Reason(TAKEN_BACK.to_owned())];
        if self.works[at].entry.curated_by != Curator::Auto {
            return Some(self.beside(candidate.clone(), at, &against, Outcome::PossiblyReplaced, why));
        }
        let work = &mut self.works[at];
        let keys = cite(work, candidate, &candidate.text);
        let standing = Standing::Past {
            until: candidate.said_at().map(Moment::Instant),
            replaced_by: None,
            reason: Some(TAKEN_BACK.to_owned()),
        };
        // What opens a page is what the page says; the rest was told along with it.
        let spots: Vec<Spot> = match spot {
            Spot::Lead(_) => (0..work.article.lead.len()).rev().map(Spot::Lead).collect(),
            other => vec![other],
        };
        for spot in spots {
            let claim = take(&mut work.article, spot);
            let sources = claim.sources.iter().chain(&keys).cloned().collect();
            work.article.history.insert(0, Claim { standing: standing.clone(), sources, ..claim });
        }
        touch(work, candidate);
        Some(self.after(at, candidate.clone(), Outcome::Supersedes, Some(against), why))
    }

    /// Finds the one claim that fits best to what somebody takes back.
    fn meant_by(&mut self, withdrawal: &Withdrawal) -> Option<(usize, Spot)> {
        let mut found: Vec<(f64, usize, Spot)> = Vec::new();
        for (at, work) in self.works.iter().enumerate() {
            if !matches!(work.entry.status, Status::Current | Status::Disputed) {
                continue;
            }
            let holds = |spot: &Spot| !matches!(spot, Spot::History(_) | Spot::Why(_));
            for (spot, _) in work.sides.iter().filter(|(spot, _)| holds(spot)) {
                let said = withdrawal.fit(&claim_at(&work.article, *spot).text);
                let titled = if *spot == Spot::Lead(0) { withdrawal.fit(&work.entry.title) } else { 0.0 };
                found.push((said.max(titled), at, *spot));
            }
        }
        found.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let (fit, at, spot) = *found.first()?;
        let is_rival = |other: &(f64, usize, Spot)| other.1 != at && other.0 >= fit;
        (fit > 0.0 && !found.iter().any(is_rival)).then_some((at, spot))
    }
}
