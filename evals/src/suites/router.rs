//! Router: whether a question is put to the source it belongs to.

use std::collections::{BTreeMap, BTreeSet};

use lore_ground::router::{Named, RouterWeights, SIGN_NAMES, SIGNS, SourceKind, route, signs};
use serde::{Deserialize, Serialize};

use crate::context::{Context, Failure};
use crate::report::Report;

#[derive(Debug, Clone, Deserialize)]
struct Row {
    question: String,
    label: SourceKind,
    source: String,
    #[serde(default)]
    ambiguous: bool,
    #[serde(default)]
    domain: String,
}

impl Row {
    fn is_core(&self) -> bool {
        !self.ambiguous && !self.domain.starts_with("personal")
    }

    /// Sources that one person or one tool made are one family.
    fn family(&self) -> &str {
        self.source.split(':').next().unwrap_or(&self.source)
    }
}

#[derive(Serialize)]
struct Dumped<'r> {
    question: &'r str,
    order: Vec<SourceKind>,
}

/// Hits by label.
#[derive(Default)]
struct Hits {
    all: BTreeMap<SourceKind, (usize, usize)>,
    two: usize,
}

impl Hits {
    fn count(&mut self, label: SourceKind, order: &[SourceKind]) {
        let row = self.all.entry(label).or_default();
        row.0 += usize::from(order.first() == Some(&label));
        row.1 += 1;
        self.two += usize::from(order.iter().take(2).any(|source| *source == label));
    }

    fn put(&self, report: &mut Report, name: &str) {
        let (right, all) = self.all.values().fold((0, 0), |(r, a), row| (r + row.0, a + row.1));
        report.set_number(name, share(right, all));
        report.set_number(&format!("{name}.two_hops"), share(self.two, all));
        for (label, (right, all)) in &self.all {
            report.set_number(&format!("{name}.{}", label.word()), share(*right, *all));
        }
    }
}

fn share(part: usize, all: usize) -> f64 {
    part as f64 / all.max(1) as f64
}

/// Runs the suite with the shipped weights.
pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let rows: Vec<Row> = context.json_lines("ground/router.jsonl.gz")?;
    let weights = RouterWeights::shipped();
    let (mut core, mut ambiguous, mut personal) = (Hits::default(), Hits::default(), Hits::default());
    let mut dumped = Vec::new();
    for row in &rows {
        let order = route(&row.question, Named::default(), &weights).order;
        let hits = if row.is_core() {
            &mut core
        } else if row.ambiguous {
            &mut ambiguous
        } else {
            &mut personal
        };
        hits.count(row.label, &order);
        dumped.push(Dumped { question: &row.question, order });
    }
    context.dump(&dumped)?;
    let mut report = Report::default();
    report.set("questions", rows.len());
    core.put(&mut report, "core");
    ambiguous.put(&mut report, "ambiguous");
    personal.put(&mut report, "personal");
    left_out(&rows, &mut report);
    Ok(report)
}

/// Fits the weights to all questions and writes them where asked for.
pub(crate) fn run_fit(context: &Context) -> Result<Report, Failure> {
    let rows: Vec<Row> = context.json_lines("ground/router.jsonl.gz")?;
    let core: Vec<&Row> = rows.iter().filter(|row| row.is_core()).collect();
    let fitted = fit(&core);
    let mut text = String::new();
    for (source, row) in SourceKind::ALL.iter().zip(&fitted.signs) {
        text.push_str(&format!("\n[fitted.{}]\n", source.word()));
        for (name, weight) in SIGN_NAMES.iter().zip(row).filter(|(_, weight)| weight.abs() >= 0.01) {
            text.push_str(&format!("{name} = {weight:.2}\n"));
        }
    }
    context.dump_text(&text)?;
    let mut report = Report::default();
    left_out(&rows, &mut report);
    Ok(report)
}

/// Leaves out each source, and each family of sources, once.
fn left_out(rows: &[Row], report: &mut Report) {
    let core: Vec<&Row> = rows.iter().filter(|row| row.is_core()).collect();
    let prior = RouterWeights::prior();
    let mut hits = Hits::default();
    core.iter().for_each(|row| hits.count(row.label, &route(&row.question, Named::default(), &prior).order));
    hits.put(report, "prior_alone");
    for (name, group) in
        [("left_out", (|row| row.source.as_str()) as fn(&Row) -> &str), ("left_out_family", Row::family)]
    {
        let groups: BTreeSet<&str> = core.iter().map(|row| group(row)).collect();
        let mut hits = Hits::default();
        for left in &groups {
            let seen: Vec<&Row> = core.iter().copied().filter(|row| group(row) != *left).collect();
            let weights = fit(&seen);
            for row in core.iter().filter(|row| group(row) == *left) {
                hits.count(row.label, &route(&row.question, Named::default(), &weights).order);
            }
        }
        hits.put(report, name);
    }
}

/// Gradient descent with momentum on a softmax, pulled towards the prior; each label counts alike.
fn fit(rows: &[&Row]) -> RouterWeights {
    const PULL: f64 = 0.1;
    let prior = RouterWeights::prior();
    let mut weights = prior.clone();
    let mut speed = [[0.0; SIGNS]; 3];
    let examples: Vec<([f64; SIGNS], usize)> = rows
        .iter()
        .map(|row| {
            (signs(&row.question), SourceKind::ALL.iter().position(|kind| *kind == row.label).unwrap_or(0))
        })
        .collect();
    let of = |label: usize| examples.iter().filter(|(_, other)| *other == label).count().max(1) as f64;
    let counts = [of(0), of(1), of(2)];
    let labels =
        (0..3).filter(|label| examples.iter().any(|(_, other)| other == label)).count().max(1) as f64;
    for _ in 0..800 {
        let mut slope = [[0.0; SIGNS]; 3];
        for (signs, label) in &examples {
            let sums: Vec<f64> = weights
                .signs
                .iter()
                .map(|row| row.iter().zip(signs).map(|(w, s)| w * s).sum::<f64>())
                .collect();
            let best = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let raised: Vec<f64> = sums.iter().map(|sum| (sum - best).exp()).collect();
            let all: f64 = raised.iter().sum();
            for source in 0..3 {
                let wanted = if source == *label { 1.0 } else { 0.0 };
                let error = (raised[source] / all - wanted) / counts[*label] / labels;
                for (slope, sign) in slope[source].iter_mut().zip(signs) {
                    *slope += error * sign;
                }
            }
        }
        for source in 0..3 {
            for at in 0..SIGNS {
                let pull = PULL * (weights.signs[source][at] - prior.signs[source][at]);
                speed[source][at] = 0.9 * speed[source][at] + slope[source][at] + pull;
                weights.signs[source][at] -= 0.5 * speed[source][at];
            }
        }
    }
    weights
}
