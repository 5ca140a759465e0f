//! What stands in the articles that a project's sessions leave behind.
//!
//! Each project is bootstrapped into an empty base as the command does it, and its claims are held
//! against the labels; then the same with the first few sessions alone, since a young base is what
//! a newcomer sees. Figures are given per project, as mean, worst and pooled.

mod claims;
mod grade;
mod labels;
mod score;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use rayon::prelude::*;
use serde::Serialize;
use serde_json::Value;

use self::claims::{Cited, Records, Standing};
use self::grade::ToGrade;
use self::labels::{Labels, Spot};
use crate::cells::Cells;
use crate::context::{Context, Failure, UNREAD, write_lines};
use crate::corpus::{Corpus, Transcript};
use crate::report::Report;

/// Sizes of young bases, in sessions.
const SMALL: [usize; 3] = [5, 10, 20];

/// A claim as people read it.
#[derive(Serialize)]
struct Dumped {
    project: String,
    page: String,
    title: String,
    kind: &'static str,
    claim: String,
    cited: Vec<Cited>,
    /// Whether the cited records hold most of its words.
    is_held: bool,
    matched: Option<String>,
    keep: Option<u8>,
}

/// What one base showed.
struct Shown {
    cells: Cells,
    articles: usize,
}

/// What one project showed.
struct Outcome {
    name: String,
    whole: Shown,
    small: Vec<(usize, Shown)>,
    dumped: Vec<Dumped>,
    to_grade: Vec<ToGrade>,
}

/// Makes all bases and takes all figures.
pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let labels = labels::read(context)?;
    let folders = context.unpacked("transcripts")?;
    let wanted: Vec<(&String, &PathBuf, &Labels)> =
        folders.iter().filter_map(|(name, folder)| Some((name, folder, labels.get(name)?))).collect();
    let sizes = if context.setting("small", 1) == 0 { &[] } else { &SMALL[..] };
    let measured = wanted.par_iter().map(|(name, folder, labels)| {
        let outcome = measure(name, folder, labels, sizes)?;
        eprintln!("{name}: {} articles, {} claims", outcome.whole.articles, outcome.dumped.len());
        Ok(outcome)
    });
    let outcomes = measured.collect::<Result<Vec<Outcome>, Failure>>()?;
    let report = tell(context, &outcomes, &labels);
    let (mut dumped, mut to_grade) = (Vec::new(), Vec::new());
    for outcome in outcomes {
        dumped.extend(outcome.dumped);
        to_grade.extend(outcome.to_grade);
    }
    context.dump(&dumped)?;
    if let Some(path) = &context.grade {
        write_lines(path, &to_grade)?;
    }
    Ok(report)
}

fn tell(context: &Context, outcomes: &[Outcome], labels: &BTreeMap<String, Labels>) -> Report {
    let mut report = Report::default();
    let mut whole = Cells::default();
    for outcome in outcomes {
        whole.join(&outcome.whole.cells);
    }
    score::write(&whole, "", &mut report);
    report.set("articles", outcomes.iter().map(|outcome| outcome.whole.articles).sum::<usize>());
    baseline(outcomes, labels, &mut report);
    let mut young: Vec<Cells> = Vec::new();
    for size in SMALL {
        let of_size = outcomes.iter().flat_map(|outcome| &outcome.small).filter(|(own, _)| *own == size);
        let mut cells = Cells::default();
        let mut articles = 0;
        for (_, shown) in of_size {
            cells.join(&shown.cells);
            articles += shown.articles;
        }
        score::write(&cells, &format!("small.{size}."), &mut report);
        report.set(&format!("small.{size}.articles"), articles);
        young.push(cells);
    }
    score::write_rises(&whole, &young.iter().collect::<Vec<_>>(), &mut report);
    let mut projects = whole.by_project();
    for outcome in outcomes {
        if let Some(Value::Object(row)) = projects.get_mut(&outcome.name) {
            row.insert("articles".to_owned(), outcome.whole.articles.into());
            row.insert("claims".to_owned(), outcome.dumped.len().into());
        }
    }
    report.set("left_out", UNREAD.into_iter().filter(|name| !context.is_wanted(name)).collect::<Vec<_>>());
    report.set("projects", projects);
    report
}

/// Writes what keeping every statement that was judged would give, to compare with.
fn baseline(outcomes: &[Outcome], labels: &BTreeMap<String, Labels>, report: &mut Report) {
    let mut cells = Cells::default();
    for outcome in outcomes {
        for judged in labels.get(&outcome.name).into_iter().flat_map(|labels| &labels.judged) {
            cells.count("keep2", &outcome.name, judged.keep == 2);
            cells.count("junk", &outcome.name, judged.keep == 0);
        }
    }
    score::write(&cells, "baseline.", report);
}

fn measure(name: &str, folder: &Path, labels: &Labels, sizes: &[usize]) -> Result<Outcome, Failure> {
    let corpus = Corpus::read(name, folder)?;
    let (whole, standing, records) = show(&corpus, labels, None)?;
    let mut small = Vec::new();
    for size in sizes.iter().filter(|size| corpus.sessions() >= **size * 2) {
        let first = corpus.first(*size);
        small.push((*size, show(&corpus, labels, Some(&first))?.0));
    }
    let dumped = standing.current().map(|claim| {
        let judged = labels.judgement(claim);
        Dumped {
            project: name.to_owned(),
            page: claim.page.clone(),
            title: claim.title.clone(),
            kind: claim.kind,
            claim: claim.text.clone(),
            cited: claim.cited.clone(),
            is_held: records.hold(claim),
            matched: judged.map(|judged| judged.id.clone()),
            keep: judged.map(|judged| judged.keep),
        }
    });
    let to_grade = grade::draw(name, &standing, labels, &records);
    Ok(Outcome { name: name.to_owned(), whole, small, dumped: dumped.collect(), to_grade })
}

/// Makes one base and holds it against the labels.
fn show(
    corpus: &Corpus,
    labels: &Labels,
    only: Option<&[&Transcript]>,
) -> Result<(Shown, Standing, Records), Failure> {
    let made = corpus.bootstrapped(only)?;
    for problem in &made.report.problems {
        eprintln!("{}: {problem}", corpus.name);
    }
    let standing = Standing::read(&made.engine, corpus)?;
    let records = Records::read(&standing.current().collect::<Vec<_>>(), corpus)?;
    let files: Option<BTreeSet<&str>> = only.map(|only| only.iter().map(|one| one.file.as_str()).collect());
    let is_there = |spot: &Spot| files.as_ref().is_none_or(|files| spot.is_in(files));
    let cells = score::score(&corpus.name, &standing, labels, &records, &is_there);
    Ok((Shown { cells, articles: standing.articles }, standing, records))
}

#[cfg(test)]
mod tests {
    use super::labels::made_up::{passage, pattern};
    use super::labels::{Item, Judged};
    use super::*;
    use crate::cells::Cell;
    use crate::corpus::made_up::session;

    #[test]
    fn a_project_is_made_into_a_base_and_held_against_its_labels() {
        let folder = tempfile::tempdir().expect("there is a place for it");
        let said = ["From now on never fire the kiln on Sundays.", "thanks, that looks good"];
        session(folder.path(), "aaaaaaaa-0000-4000-8000-000000000001", "2026-03-01", &said);
        let file = "aaaaaaaa-0000-4000-8000-000000000001.jsonl";
        let item = |must| Item { spot: pattern(file, must), is_ruling: true, is_preference: false };
        let labels = Labels {
            items: vec![item("kiln.*sunday"), item("glaze")],
            noise: vec![passage(file, 2, said[1])],
            judged: vec![Judged { id: "j".to_owned(), keep: 2, spot: passage(file, 1, said[0]) }],
            changes: Vec::new(),
        };
        let outcome = measure("pottery", folder.path(), &labels, &SMALL).expect("can be measured");
        let cell = |figure| outcome.whole.cells.get(figure, "pottery");
        assert_eq!(cell("rulings_recall"), Cell { part: 1, whole: 2 });
        assert_eq!(cell("keep2"), Cell { part: 1, whole: 1 });
        assert_eq!(cell("noise"), Cell { part: 0, whole: 1 });
        assert_eq!(cell("false_citations"), Cell { part: 0, whole: 1 });
        assert_eq!((outcome.whole.articles, outcome.small.len()), (1, 0));
        assert_eq!(outcome.dumped[0].matched.as_deref(), Some("j"));
        assert_eq!(outcome.dumped[0].cited[0].line, 1);
    }
}
