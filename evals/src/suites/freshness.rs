//! Conditions held against small projects of every ecosystem: are all verdicts right, and how fast?

use std::time::Instant;

use lore_ground::freshness::{Project, evaluate};
use serde::Serialize;

use crate::context::{Context, Failure};
use crate::report::Report;

#[path = "../../../crates/ground/tests/it/matrix.rs"]
mod matrix;

#[derive(Serialize)]
struct Row {
    project: &'static str,
    condition: &'static str,
    verdict: String,
    expected: String,
    evidence: Vec<String>,
}

/// Evaluates the matrix.
pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let folder = tempfile::tempdir()?;
    let mut rows = Vec::new();
    let mut warm = Vec::new();
    for fixture in matrix::FIXTURES {
        let root = folder.path().join(fixture.name);
        matrix::make(fixture, &root)?;
        let project = Project::new(&root);
        for (condition, expected) in fixture.cases {
            let verdict = evaluate(condition, &project);
            let start = Instant::now();
            evaluate(condition, &project);
            warm.push(start.elapsed());
            rows.push(Row {
                project: fixture.name,
                condition,
                verdict: format!("{:?}", verdict.truth),
                expected: format!("{expected:?}"),
                evidence: verdict.evidence,
            });
        }
    }
    let right = rows.iter().filter(|row| row.verdict == row.expected).count();
    let mean = warm.iter().sum::<std::time::Duration>().as_secs_f64() / warm.len().max(1) as f64;
    let mut report = Report::default();
    report.set("conditions", rows.len());
    report.set("right", right);
    report.set_number("accuracy", right as f64 / rows.len().max(1) as f64);
    report.set_number("warm_ms_per_50", mean * 50.0 * 1000.0);
    context.dump(&rows)?;
    Ok(report)
}
