//! Fits the weights of the contradiction check, with cross-validation by topic.

use std::collections::BTreeSet;

use lore_distill::curate::{Base, Statement, Weights, compare};

use super::gold::{self, Item};
use super::{bases, share};
use crate::context::{Context, Failure};
use crate::report::Report;

/// The features that count; the others only explain.
const FEATURES: [&str; 15] = [
    "question",
    "another",
    "another_answer",
    "cue",
    "cued_answer",
    "elsewhere",
    "decides",
    "limit_met",
    "person_over_agent",
    "agent_over_person",
    "reason",
    "same_session",
    "event",
    "same_kind",
    "narrower",
];

struct Example {
    topic: String,
    features: Vec<f64>,
    conflict: f64,
    compatible: bool,
    /// What it counts; pairs that can never conflict, because of their order, count nothing.
    importance: f64,
}

/// Fits weights, writes them where asked for with `--dump`, and reports what to expect of them.
pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let examples = examples(context)?;
    let decay = context.setting("decay-percent", 100) as f64 / 100.0;
    let topics: BTreeSet<&str> = examples.iter().map(|example| example.topic.as_str()).collect();
    let mut sums = vec![f64::NEG_INFINITY; examples.len()];
    for topic in &topics {
        let seen: Vec<&Example> = examples.iter().filter(|example| example.topic != *topic).collect();
        let weights = fit(&seen, decay);
        for (sum, example) in sums.iter_mut().zip(&examples) {
            if example.topic == *topic && example.importance > 0.0 {
                *sum = weigh(&weights, &example.features);
            }
        }
    }
    let mut report = Report::default();
    report.set("views", examples.len());
    report.set("topics", topics.len());
    for step in 0..=15 {
        let threshold = f64::from(step) / 10.0;
        put(&mut report, &format!("validated@{threshold:.1}"), &examples, &sums, threshold);
    }
    let fitted = fit(&examples.iter().collect::<Vec<_>>(), decay);
    let own: Vec<f64> = examples.iter().map(|example| weigh(&fitted, &example.features)).collect();
    let threshold = context.setting("threshold-percent", 70) as f64 / 100.0;
    put(&mut report, "fitted", &examples, &own, threshold);
    let round = |value: f64| (value * 1000.0).round() / 1000.0;
    let conflict = FEATURES.iter().zip(&fitted).map(|(name, weight)| ((*name).to_owned(), round(*weight)));
    let weights = Weights { bias: round(fitted[FEATURES.len()]), conflict: conflict.collect(), threshold };
    context.dump(&[weights])?;
    Ok(report)
}

fn examples(context: &Context) -> Result<Vec<Example>, Failure> {
    let items = gold::items(context)?;
    let bases = bases(&items);
    let changes = gold::changes(context, &items)?;
    // Each pair is seen twice: by a base that knows nothing else, and by one that knows the corpus.
    let empty = Base::default();
    let views = changes.iter().flat_map(|change| [(change, &empty), (change, &bases[&change.new.corpus])]);
    let example = |(change, base): (&gold::Change<'_>, &Base)| {
        let judgement = compare(&statement(change.old), &statement(change.new), base, Weights::shipped());
        let late = judgement.features.get("not_later").copied().unwrap_or(0.0) < 0.5;
        Example {
            topic: change.new.topic_key.clone(),
            features: FEATURES
                .iter()
                .map(|name| judgement.features.get(name).copied().unwrap_or(0.0))
                .collect(),
            conflict: f64::from(u8::from(change.is_conflict())),
            compatible: !change.is_conflict() && !change.is_duplicate(),
            importance: 0.5 * f64::from(u8::from(late)),
        }
    };
    Ok(views.map(example).collect())
}

/// Makes the statement that is compared.
pub(in crate::suites) fn statement(item: &Item) -> Statement {
    Statement {
        text: item.statement.clone(),
        quote: item.quote.clone(),
        kind: item.kind(),
        voice: item.voice(),
        at: item.at(),
        places: BTreeSet::from([(item.session.clone(), item.line)]),
    }
}

/// Fits a logistic regression by gradient descent with momentum; the last number is the bias.
fn fit(examples: &[&Example], decay: f64) -> Vec<f64> {
    let total: f64 = examples.iter().map(|example| example.importance).sum::<f64>().max(1.0);
    let mut weights = vec![0.0; FEATURES.len() + 1];
    let mut speed = vec![0.0; weights.len()];
    for _ in 0..3000 {
        let mut slope = vec![0.0; weights.len()];
        for example in examples {
            let chance = 1.0 / (1.0 + (-weigh(&weights, &example.features)).exp());
            let error = (chance - example.conflict) * example.importance / total;
            for (slope, feature) in slope.iter_mut().zip(example.features.iter().chain([&1.0])) {
                *slope += error * feature;
            }
        }
        for (at, weight) in weights.iter_mut().enumerate() {
            let pull = if at < FEATURES.len() { decay * *weight / total } else { 0.0 };
            speed[at] = 0.9 * speed[at] + slope[at] + pull;
            *weight -= 0.2 * speed[at];
        }
    }
    weights
}

fn weigh(weights: &[f64], features: &[f64]) -> f64 {
    let sum: f64 = weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum();
    sum + weights[features.len()]
}

fn put(report: &mut Report, name: &str, examples: &[Example], sums: &[f64], threshold: f64) {
    let said = |sum: f64, example: &Example| sum >= threshold && example.importance > 0.0;
    let count = |wanted: &dyn Fn(&Example, bool) -> bool| {
        let hit = examples.iter().zip(sums).filter(|(example, sum)| wanted(example, said(**sum, example)));
        hit.count() as f64
    };
    let found = count(&|example, yes| example.conflict > 0.5 && yes);
    let precision = share(found, count(&|_, yes| yes));
    let recall = share(found, count(&|example, _| example.conflict > 0.5));
    let disputed = count(&|example, yes| example.compatible && yes);
    report.set_number(&format!("{name}.precision"), precision);
    report.set_number(&format!("{name}.recall"), recall);
    report.set_number(&format!("{name}.f1"), share(2.0 * precision * recall, precision + recall));
    report.set_number(
        &format!("{name}.false_disputes"),
        share(disputed, count(&|example, _| example.compatible)),
    );
}
