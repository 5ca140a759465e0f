//! Whether changes are noticed as things arrive: all labelled statements of a project, in order of time,
//! each compared with everything that came before, at the operating point that is shipped.
//!
//! Curation finds what is near through [`Known`]; the catalogue behind the command finds exactly what
//! [`Base`] finds, so that nothing else stands between this and what users get.

mod score;

use std::collections::{BTreeMap, BTreeSet};

use jiff::Timestamp;
use lore_core::{Article, Candidate, Claim, Entry, Proposal, Status};
use lore_distill::curate::{Bars, Base, Known, Relation, Setting, Weights, compare, curate};
use rayon::prelude::*;
use serde::Serialize;

use self::score::{Arrival, Labelled, Mark, normal, score};
use super::curate::gold::{self, Item};
use super::curate::statement;
use crate::cells::{Cells, Good, Headline, Measured};
use crate::context::{Context, Failure, UNREAD};
use crate::report::Report;

/// So many neighbours count as linked.
const LINKED: usize = 5;
/// So many are looked at for the nearest.
const NEAR: usize = 12;

const FIGURES: [Measured; 9] = [
    Measured { name: "changed_precision", good: Good::High, headline: Headline::Pooled },
    Measured { name: "changed_recall", good: Good::High, headline: Headline::Pooled },
    Measured { name: "superseded_precision", good: Good::High, headline: Headline::Pooled },
    Measured { name: "other_subject", good: Good::Low, headline: Headline::Pooled },
    Measured { name: "lost", good: Good::Low, headline: Headline::Pooled },
    Measured { name: "unmarked", good: Good::Low, headline: Headline::Pooled },
    Measured { name: "link@5", good: Good::High, headline: Headline::Pooled },
    Measured { name: "baseline.changed_precision", good: Good::High, headline: Headline::Pooled },
    Measured { name: "baseline.changed_recall", good: Good::High, headline: Headline::Pooled },
];

#[derive(Serialize)]
struct Dumped {
    project: String,
    item: String,
    outcome: &'static str,
    against: Vec<String>,
    right: bool,
    reason: String,
}

/// Lets every project's statements arrive.
pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let items = gold::items(context)?;
    let changes = gold::changes(context, &items)?;
    let mut projects: BTreeMap<&str, Vec<&Item>> = BTreeMap::new();
    for item in items.values().filter(|item| context.is_wanted(&item.corpus)) {
        projects.entry(&item.corpus).or_default().push(item);
    }
    let labelled = Labelled::new(&items, &changes);
    let scored: Vec<(Cells, Vec<Dumped>)> = projects
        .par_iter()
        .map(|(project, items)| {
            let arrivals = arrive(items);
            let cells = score(project, &arrivals, &labelled);
            eprintln!("{project}: {} statements", arrivals.len());
            (cells, arrivals.iter().map(|arrival| dumped(project, arrival, &labelled)).collect())
        })
        .collect();
    let (mut all, mut rows) = (Cells::default(), Vec::new());
    for (cells, dumped) in scored {
        all.join(&cells);
        rows.extend(dumped);
    }
    let mut report = Report::default();
    for figure in &FIGURES {
        all.write(figure, "", &mut report);
    }
    // Of what is lost the number counts, not the share: the bar is none.
    let lost = all.summary("lost", Good::Low).map_or(0, |one| one.pooled.part);
    report.set("lost", lost);
    report.set("left_out", UNREAD.into_iter().filter(|name| !context.is_wanted(name)).collect::<Vec<_>>());
    report.set("projects", all.by_project());
    context.dump(&rows)?;
    Ok(report)
}

fn dumped(project: &str, arrival: &Arrival, labelled: &Labelled<'_>) -> Dumped {
    let marks = arrival.marks.iter().flat_map(|mark| mark.against.iter().cloned());
    Dumped {
        project: project.to_owned(),
        item: arrival.item.clone(),
        outcome: arrival.outcome,
        against: marks.collect(),
        right: arrival.marks.iter().all(|mark| labelled.is_right(&arrival.item, mark)),
        reason: arrival.reason.clone(),
    }
}

/// Hands in one statement after the other and notes what became of it and of what was known.
fn arrive(items: &[&Item]) -> Vec<Arrival> {
    let mut order: Vec<&Item> = items.to_vec();
    order.sort_by(|a, b| (a.at(), &a.session, a.line, &a.id).cmp(&(b.at(), &b.session, b.line, &b.id)));
    let mut base = Base::default();
    let mut ledger = Ledger::default();
    let mut out = Vec::new();
    for (at, item) in order.iter().enumerate() {
        let candidate = item.candidate();
        let near = near(&candidate, &base);
        let linked = ledger.items_in(near.iter().take(LINKED));
        let nearest = nearest(item, &order[..at], &ledger.items_in(near.iter()), &base);
        let before = ledger.standing();
        let path = |entry: &Entry| format!("{}/{}.md", entry.kind.topic(), entry.id.slug());
        let now = item.at().unwrap_or(Timestamp::UNIX_EPOCH);
        let setting =
            Setting { known: &base, now, path: &path, bars: &|_| Bars { suspects: true, ..Bars::OPEN } };
        let curation = curate(vec![candidate], &setting);
        for proposal in curation.proposals {
            match proposal {
                Proposal::Create { entry, .. } | Proposal::Replace { entry, .. } => {
                    ledger.take(&entry);
                    base.insert(*entry);
                }
                Proposal::AddSources { .. } => {}
            }
        }
        ledger.expect(item);
        let decision = curation.decisions.first();
        let outcome = decision.map_or("dropped", |decision| decision.outcome.word());
        let against = decision.and_then(|decision| decision.against.as_deref());
        let after = ledger.standing();
        let marks = ledger.marks(item, (&before, &after), outcome, against);
        let reasons = decision.into_iter().flat_map(|decision| &decision.reasons);
        out.push(Arrival {
            item: item.id.clone(),
            outcome,
            marks,
            linked,
            nearest,
            lost: ledger.lost(&after),
            reason: reasons.map(|reason| reason.0.as_str()).collect::<Vec<_>>().join("; "),
        });
    }
    out
}

/// Returns what curation would fetch for a candidate, best first.
fn near(candidate: &Candidate, base: &Base) -> Vec<Entry> {
    let text = format!("{}. {}. {}", candidate.title, candidate.text, candidate.keywords.join(". "));
    base.similar(&text, NEAR)
}

/// Returns the earlier statement that is closest, where it is close enough to be about the same subject.
fn nearest(item: &Item, earlier: &[&Item], near: &[String], base: &Base) -> Option<String> {
    let arriving = statement(item);
    let judged = earlier
        .iter()
        .filter(|other| near.contains(&other.id))
        .map(|other| (compare(&statement(other), &arriving, base, Weights::shipped()), &other.id));
    let linked = judged.filter(|(judgement, _)| judgement.relation != Relation::Apart);
    linked.max_by(|a, b| a.0.closeness.total_cmp(&b.0.closeness)).map(|(_, id)| id.clone())
}

/// What stands in the base, by normalised sentence, and which statements it stands for.
#[derive(Default)]
struct Ledger {
    /// The sentences of each entry, and whether each is presented as holding.
    entries: BTreeMap<String, Vec<(String, bool)>>,
    /// Statements by their sentence.
    items: BTreeMap<String, Vec<String>>,
    lost: Vec<String>,
}

impl Ledger {
    /// Notes an entry as it stands now.
    fn take(&mut self, entry: &Entry) {
        let article = Article::parse(&entry.body);
        let current: Vec<*const Claim> = article.current().map(std::ptr::from_ref).collect();
        let sentence = |claim: &Claim| {
            let holds = current.contains(&std::ptr::from_ref(claim)) && claim.is_current();
            (normal(&claim.text), holds && entry.status == Status::Current)
        };
        self.entries.insert(entry.id.to_string(), article.claims().map(sentence).collect());
    }

    /// Notes which sentence a statement should stand as.
    fn expect(&mut self, item: &Item) {
        self.items.entry(normal(&item.statement)).or_default().push(item.id.clone());
    }

    /// Tells of every sentence that stands somewhere whether it is presented as holding.
    fn standing(&self) -> BTreeMap<String, bool> {
        let mut out: BTreeMap<String, bool> = BTreeMap::new();
        for (sentence, holds) in self.entries.values().flatten() {
            *out.entry(sentence.clone()).or_default() |= holds;
        }
        out
    }

    /// Lists the statements whose sentences stand in some entries.
    fn items_in<'e>(&self, entries: impl Iterator<Item = &'e Entry>) -> Vec<String> {
        let sentences = entries.filter_map(|entry| self.entries.get(entry.id.as_str())).flatten();
        sentences.filter_map(|(sentence, _)| self.items.get(sentence)).flatten().cloned().collect()
    }

    /// Finds what the arrival was said to change: what it was set against, and what no longer stands as it did.
    fn marks(
        &self,
        item: &Item,
        (before, after): (&BTreeMap<String, bool>, &BTreeMap<String, bool>),
        outcome: &'static str,
        against: Option<&str>,
    ) -> Vec<Mark> {
        let own = normal(&item.statement);
        let named = against.filter(|_| score::is_mark(outcome)).map(normal);
        let turned = before
            .iter()
            .filter(|(sentence, held)| **held && **sentence != own && after.get(*sentence) == Some(&false));
        let sentences: BTreeSet<String> =
            named.into_iter().chain(turned.map(|(one, _)| one.clone())).collect();
        let of = |sentence: &String| self.items.get(sentence).cloned().unwrap_or_default();
        sentences.iter().map(|sentence| Mark { outcome, against: of(sentence) }).collect()
    }

    /// Lists statements whose sentence stood or should stand, and does not, each once.
    fn lost(&mut self, standing: &BTreeMap<String, bool>) -> Vec<String> {
        let gone = self.items.iter().filter(|(sentence, _)| !standing.contains_key(*sentence));
        let gone: Vec<String> = gone.flat_map(|(_, items)| items.clone()).collect();
        let new: Vec<String> = gone.into_iter().filter(|item| !self.lost.contains(item)).collect();
        self.lost.extend(new.iter().cloned());
        new
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn item(id: &str, minute: u32, statement: &str) -> Item {
        let row = serde_json::json!({
            "id": id, "corpus": "pottery", "session": format!("s{minute}"), "line": 3, "role": "user",
            "quote": statement, "type": "decision", "statement": statement,
            "ts": format!("2026-03-01T10:{minute:02}:00Z"),
        });
        serde_json::from_value(row).expect("is an item")
    }

    #[test]
    fn statements_arrive_in_order_of_time_and_none_is_lost() {
        let items = [
            item("late", 20, "The kiln is fired on Mondays instead of Fridays."),
            item("early", 10, "The kiln is fired on Fridays."),
            item("other", 15, "Glazes are ordered from the co-operative in spring."),
        ];
        let arrivals = arrive(&items.iter().collect::<Vec<_>>());
        let order: Vec<&str> = arrivals.iter().map(|arrival| arrival.item.as_str()).collect();
        assert_eq!(order, ["early", "other", "late"]);
        assert_eq!(arrivals[0].outcome, "new");
        assert!(arrivals[2].linked.contains(&"early".to_owned()), "{arrivals:?}");
        assert!(arrivals.iter().all(|arrival| arrival.lost.is_empty()), "{arrivals:?}");
    }

    #[test]
    fn a_sentence_that_is_nowhere_is_lost_once() {
        let mut ledger = Ledger::default();
        ledger.expect(&item("gone", 10, "The kiln is fired on Fridays."));
        assert_eq!(ledger.lost(&BTreeMap::new()), ["gone"]);
        assert_eq!(ledger.lost(&BTreeMap::new()), Vec::<String>::new());
        ledger.expect(&item("there", 11, "Clay is wedged twice."));
        let standing = BTreeMap::from([("clay is wedged twice".to_owned(), false)]);
        assert_eq!(ledger.lost(&standing), Vec::<String>::new());
    }

    #[test]
    fn what_no_longer_holds_after_an_arrival_counts_as_marked() {
        let mut ledger = Ledger::default();
        ledger.expect(&item("old", 10, "The kiln is fired on Fridays."));
        let new = item("new", 11, "The kiln is fired on Mondays.");
        let held = BTreeMap::from([("the kiln is fired on fridays".to_owned(), true)]);
        let past = BTreeMap::from([("the kiln is fired on fridays".to_owned(), false)]);
        let marks = |outcome, against, after: &BTreeMap<String, bool>| {
            ledger.marks(&new, (&held, after), outcome, against)
        };
        let expected = |outcome| vec![Mark { outcome, against: vec!["old".to_owned()] }];
        assert_eq!(marks("supersedes", None, &past), expected("supersedes"));
        let named = Some("The kiln is fired on Fridays.");
        assert_eq!(marks("possibly-replaced", named, &held), expected("possibly-replaced"));
        assert_eq!(marks("refines", named, &held), []);
    }
}
