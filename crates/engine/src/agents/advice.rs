//! Whom to give a piece of work: only where there is enough to go by, and with the counts.

use std::collections::BTreeMap;

use lore_distill::sense::{WorkOutcome, place_of};

use super::{Counted, WorkFilter, share};
use crate::Engine;
use crate::brief::Recommended;

/// Nobody is recommended by fewer pieces of work whose end is known.
const ENOUGH: usize = 3;
/// An agent of which nothing is known yet is thought to succeed this often …
const PRIOR: f64 = 0.75;
/// … with the weight of this many outcomes.
const PRIOR_WEIGHT: f64 = 2.0;
/// Who is expected to succeed less often is no recommendation.
const WORTH_NAMING: f64 = 0.6;
/// So many are named.
const NAMED: usize = 3;

impl Engine {
    /// Says who did well in a domain, or where these files lie, best first; nobody where too little is known.
    ///
    /// Where nothing is known of the place of the files, the whole tree is what there is to go by.
    pub(crate) fn recommended(&self, domain: Option<&str>, files: &[String]) -> Vec<Recommended> {
        let project = self.project().display().to_string();
        let places: Vec<String> = match domain {
            Some(domain) => vec![domain.to_owned()],
            None => files.iter().filter_map(|file| place_of(file, Some(&project))).collect(),
        };
        let here = |place: &String| {
            let filter = WorkFilter { domain: Some(place.clone()), ..WorkFilter::default() };
            ranked(&self.counted(&filter), Some(place))
        };
        let found = places.iter().map(here).find(|found| !found.is_empty());
        match found {
            Some(found) => found,
            None if domain.is_some() => Vec::new(),
            None => ranked(&self.counted(&WorkFilter::default()), None),
        }
    }
}

fn ranked(work: &[Counted], place: Option<&String>) -> Vec<Recommended> {
    let mut by_hand: BTreeMap<(String, Option<String>), Vec<&Counted>> = BTreeMap::new();
    for one in work {
        by_hand.entry((one.agent.clone(), one.model.clone())).or_default().push(one);
    }
    let mut ranked: Vec<(f64, Recommended)> = Vec::new();
    for ((agent, model), work) in by_hand {
        let (count, success) = share(work.iter().copied());
        let n = count as f64;
        let expected = (success * n + PRIOR * PRIOR_WEIGHT) / (n + PRIOR_WEIGHT);
        if count < ENOUGH || expected < WORTH_NAMING {
            continue;
        }
        let agent = model.map_or(agent.clone(), |model| format!("{agent} ({model})"));
        ranked.push((expected, Recommended { agent, because: because(&work, count, place) }));
    }
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.agent.cmp(&b.1.agent)));
    ranked.into_iter().take(NAMED).map(|(_, one)| one).collect()
}

/// Says in counts what speaks for somebody, and what against.
fn because(work: &[&Counted], count: usize, place: Option<&String>) -> String {
    let of =
        |fits: fn(&Counted) -> bool| work.iter().filter(|one| one.outcome.is_some() && fits(one)).count();
    let through = of(|one| one.outcome == Some(WorkOutcome::Success));
    let place = place.map(|place| format!(" in {place}")).unwrap_or_default();
    let mut text = format!("{through} of {count} pieces of work{place} went through");
    let besides = [
        (of(|one| one.green == Some(true)), "with tests passing"),
        (of(|one| one.corrected), "corrected"),
        (of(|one| one.reverted), "taken back"),
    ];
    let told: Vec<String> = besides
        .into_iter()
        .filter(|(count, _)| *count > 0)
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    if !told.is_empty() {
        text.push_str(&format!("; {}", told.join(", ")));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn work(agent: &str, outcome: WorkOutcome) -> Counted {
        Counted { agent: agent.to_owned(), outcome: Some(outcome), ..Counted::default() }
    }

    #[test]
    fn nobody_is_recommended_by_a_case_or_two_nor_for_failing() {
        let mut all = vec![work("lucky", WorkOutcome::Success), work("lucky", WorkOutcome::Success)];
        all.extend((0..5).map(|_| work("hapless", WorkOutcome::Failed)));
        assert_eq!(ranked(&all, None), []);
        all.extend((0..4).map(|_| work("steady", WorkOutcome::Success)));
        all.push(Counted { corrected: true, ..work("steady", WorkOutcome::Partial) });
        let found = ranked(&all, Some(&"src/buoy".to_owned()));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].agent, "steady");
        assert_eq!(found[0].because, "4 of 5 pieces of work in src/buoy went through; 1 corrected");
    }
}
