//! Questions asked later of what a project's sessions left behind, through the code users run.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use lore_capture::{ReadOptions, read_path};
use lore_core::Session;
use lore_core::session::{Author, Channel};
use lore_engine::Engine;
use lore_engine::ask::{Answer, Evidence, Question};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::cells::{Cells, Good, Headline, Measured};
use crate::context::{Context, Failure};
use crate::corpus::Corpus;
use crate::report::Report;
use crate::suites::files_below;

/// So many lines of an answer are its lead.
const LEAD: usize = 3;

#[derive(Debug, Deserialize)]
struct Asked {
    id: String,
    corpus: String,
    question: String,
    answer: Option<String>,
    accept: Vec<String>,
    #[serde(default)]
    reject: Vec<String>,
}

#[derive(Debug, Serialize)]
struct Dumped {
    id: String,
    budget: usize,
    abstained: bool,
    why: String,
    answered: bool,
    current: bool,
    lead: bool,
    stale: bool,
    passages: Vec<Given>,
}

#[derive(Debug, Serialize)]
struct Given {
    text: String,
    status: String,
    source: String,
}

const FIGURES: [Measured; 9] = [
    Measured { name: "answered_lead", good: Good::High, headline: Headline::Mean },
    Measured { name: "answered_current@500", good: Good::High, headline: Headline::Mean },
    Measured { name: "answered@500", good: Good::High, headline: Headline::Mean },
    Measured { name: "answered@2000", good: Good::High, headline: Headline::Mean },
    Measured { name: "bm25@500", good: Good::High, headline: Headline::Mean },
    Measured { name: "bm25@2000", good: Good::High, headline: Headline::Mean },
    Measured { name: "stale_rate@500", good: Good::Low, headline: Headline::Mean },
    Measured { name: "stale_rate@2000", good: Good::Low, headline: Headline::Mean },
    Measured { name: "wrongly_abstained", good: Good::Low, headline: Headline::Mean },
];

/// Beside them, over the questions that nothing answers.
const ABSTAINED: Measured = Measured { name: "abstained", good: Good::High, headline: Headline::Pooled };

/// Asks every question of every corpus.
pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let questions: Vec<Asked> = context.json_lines("gold/qa.jsonl")?;
    let mut report = Report::default();
    let mut dumped = Vec::new();
    let mut cells = Cells::default();
    for (name, folder) in context.unpacked("transcripts")? {
        let asked: Vec<&Asked> = questions.iter().filter(|question| question.corpus == name).collect();
        if asked.is_empty() {
            continue;
        }
        let plain = Bm25::new(paragraphs(&folder)?);
        let corpus = Corpus::read(&name, &folder)?;
        let start = std::time::Instant::now();
        let made = corpus.bootstrapped(None)?;
        report.set_number(&format!("{name}.bootstrap_s"), start.elapsed().as_secs_f64());
        let start = std::time::Instant::now();
        for question in &asked {
            ask(question, &made.engine, &plain, &mut cells, &mut dumped)?;
        }
        let each = start.elapsed().as_secs_f64() * 1000.0 / (asked.len() * 2) as f64;
        report.set_number(&format!("{name}.ask_ms"), each);
        eprintln!("{name}: {} questions", asked.len());
    }
    for figure in FIGURES.iter().chain([&ABSTAINED]) {
        cells.write(figure, "", &mut report);
    }
    report.set("below_bm25", below(&cells, "answered_current@500", "bm25@500"));
    report.set("projects", cells.by_project());
    context.dump(&dumped)?;
    Ok(report)
}

/// Names the projects in which one figure is lower than another.
fn below(cells: &Cells, figure: &str, other: &str) -> Vec<String> {
    let lower = |project: &&String| {
        cells.get(figure, project).share().zip(cells.get(other, project).share()).is_some_and(|(a, b)| a < b)
    };
    cells.projects(figure).filter(lower).cloned().collect()
}

fn ask(
    question: &Asked,
    engine: &Engine,
    plain: &Bm25,
    cells: &mut Cells,
    dumped: &mut Vec<Dumped>,
) -> Result<(), Failure> {
    for (budget, answered, stale, bm25) in [
        (500, "answered@500", "stale_rate@500", "bm25@500"),
        (2000, "answered@2000", "stale_rate@2000", "bm25@2000"),
    ] {
        let given = engine.ask(&Question { budget, ..Question::new(&question.question) })?;
        let found = Found::of(question, &given)?;
        let mut count = |figure: &str, holds: bool| cells.count(figure, &question.corpus, holds);
        if question.answer.is_some() {
            count(answered, found.answered);
            count(stale, found.stale);
            count(bm25, all_match(&question.accept, &plain.take(&question.question, budget))?);
            if budget == 500 {
                count("answered_lead", found.lead);
                count("answered_current@500", found.current);
                count("wrongly_abstained", !given.known);
            }
        } else if budget == 500 {
            count("abstained", !given.known);
        }
        dumped.push(Dumped {
            id: question.id.clone(),
            budget,
            abstained: !given.known,
            why: given.why.clone(),
            answered: found.answered,
            current: found.current,
            lead: found.lead,
            stale: found.stale,
            passages: given
                .passages
                .into_iter()
                .map(|one| Given { text: one.text, status: one.status, source: one.source })
                .collect(),
        });
    }
    Ok(())
}

/// What an answer holds.
struct Found {
    answered: bool,
    current: bool,
    lead: bool,
    stale: bool,
}

impl Found {
    fn of(question: &Asked, given: &Answer) -> Result<Found, Failure> {
        let text = |wanted: &dyn Fn(&Evidence) -> bool| {
            let texts = given.passages.iter().filter(|one| wanted(one)).map(|one| one.text.as_str());
            texts.collect::<Vec<_>>().join("\n\n")
        };
        let matches = |text: &str| -> Result<bool, Failure> {
            Ok(question.answer.is_some() && all_match(&question.accept, text)?)
        };
        let whole = text(&|_| true);
        Ok(Found {
            answered: matches(&whole)?,
            current: given.known && matches(&text(&Evidence::is_current))?,
            lead: given.known && matches(&lead(given, &whole)?)?,
            stale: question.answer.is_some() && is_stale(given, &question.reject)?,
        })
    }
}

/// Returns the first three lines of an answer: its lead, where it has one of its own.
fn lead(given: &Answer, whole: &str) -> Result<String, Failure> {
    let shown = serde_json::to_value(given)?;
    let mut own = String::new();
    strings(&shown["lead"], &mut own);
    let text = if own.trim().is_empty() { whole } else { &own };
    Ok(text.lines().filter(|line| !line.trim().is_empty()).take(LEAD).collect::<Vec<_>>().join("\n"))
}

/// Collects what a lead says, whether it is one text or several.
fn strings(value: &serde_json::Value, out: &mut String) {
    match value {
        serde_json::Value::String(text) => {
            out.push_str(text);
            out.push('\n');
        }
        serde_json::Value::Array(lines) => lines.iter().for_each(|line| strings(line, out)),
        serde_json::Value::Object(line) => {
            if let Some(text) = line.get("text") {
                strings(text, out);
            }
        }
        _ => {}
    }
}

fn is_stale(given: &Answer, reject: &[String]) -> Result<bool, Failure> {
    for evidence in given.passages.iter().filter(|evidence| evidence.is_current()) {
        for pattern in reject {
            if matches(pattern, &evidence.text)? {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

fn all_match(patterns: &[String], text: &str) -> Result<bool, Failure> {
    for pattern in patterns {
        if !matches(pattern, text)? {
            return Ok(false);
        }
    }
    Ok(true)
}

fn matches(pattern: &str, text: &str) -> Result<bool, Failure> {
    Ok(fancy_regex::Regex::new(&format!("(?i){pattern}"))?.is_match(text)?)
}

/// Returns what people and agents said, as paragraphs.
fn paragraphs(folder: &Path) -> Result<Vec<String>, Failure> {
    let read = |file: &PathBuf| {
        let mut paragraphs = Vec::new();
        // A file that is no transcript has nothing to say.
        let _ = read_path(file, &ReadOptions::default(), &mut |session| paragraphs.extend(prose(&session)));
        paragraphs
    };
    Ok(files_below(folder)?.par_iter().flat_map(read).collect())
}

fn prose(session: &Session) -> Vec<String> {
    let spoken = session.turns.iter().filter(|turn| {
        matches!(turn.author, Author::Person | Author::Agent)
            && !matches!(
                turn.channel,
                Channel::Injected | Channel::CommandEcho | Channel::Notice | Channel::Summary
            )
    });
    let blocks = spoken.flat_map(|turn| &turn.blocks);
    let paragraphs = blocks.flat_map(|block| block.text.split("\n\n")).map(str::trim);
    paragraphs.filter(|paragraph| !paragraph.is_empty()).map(str::to_owned).collect()
}

/// The plainest ranking there is, to compare with.
struct Bm25 {
    paragraphs: Vec<String>,
    postings: HashMap<String, Vec<(u32, u32)>>,
    lengths: Vec<f64>,
    average: f64,
}

impl Bm25 {
    fn new(paragraphs: Vec<String>) -> Bm25 {
        let mut postings: HashMap<String, Vec<(u32, u32)>> = HashMap::new();
        let mut lengths = Vec::new();
        for (number, paragraph) in paragraphs.iter().enumerate() {
            let mut counts: HashMap<String, u32> = HashMap::new();
            let mut length = 0.0;
            for word in words(paragraph) {
                *counts.entry(word).or_default() += 1;
                length += 1.0;
            }
            for (word, count) in counts {
                postings.entry(word).or_default().push((number as u32, count));
            }
            lengths.push(length);
        }
        let average = lengths.iter().sum::<f64>() / lengths.len().max(1) as f64;
        Bm25 { paragraphs, postings, lengths, average }
    }

    /// Takes the best paragraphs in order until the budget is full.
    fn take(&self, question: &str, budget: usize) -> String {
        let mut scores: HashMap<u32, f64> = HashMap::new();
        let total = self.paragraphs.len() as f64;
        for word in words(question) {
            let Some(postings) = self.postings.get(&word) else { continue };
            let holders = postings.len() as f64;
            let rarity = (1.0 + (total - holders + 0.5) / (holders + 0.5)).ln();
            for (paragraph, count) in postings {
                let count = f64::from(*count);
                let norm = 1.2 * (0.25 + 0.75 * self.lengths[*paragraph as usize] / self.average);
                *scores.entry(*paragraph).or_default() += rarity * count * 2.2 / (count + norm);
            }
        }
        let mut ranked: Vec<(u32, f64)> = scores.into_iter().collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let mut out = String::new();
        let mut left = budget * 4;
        for (paragraph, _) in ranked {
            if left == 0 {
                break;
            }
            let text: String = self.paragraphs[paragraph as usize].chars().take(left).collect();
            left -= text.chars().count();
            out.push_str(&text);
            out.push_str("\n\n");
        }
        out
    }
}

fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).map(str::to_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::Cell;

    fn given(known: bool, passages: &[(&str, &str)]) -> Answer {
        let evidence = |(text, status): &(&str, &str)| Evidence {
            text: (*text).to_owned(),
            status: (*status).to_owned(),
            unreviewed: false,
            broken: None,
            source: String::new(),
            level: "entry",
            voice: lore_core::Voice::Agent,
            at: None,
            score: 1.0,
            project: None,
        };
        Answer {
            answered: None,
            question: String::new(),
            known,
            why: String::new(),
            lead: Vec::new(),
            passages: passages.iter().map(evidence).collect(),
            written: Vec::new(),
        }
    }

    #[test]
    fn an_answer_counts_by_where_it_stands() {
        let question = Asked {
            id: "q".to_owned(),
            corpus: "p".to_owned(),
            question: "when is the kiln fired?".to_owned(),
            answer: Some("Mondays".to_owned()),
            accept: vec!["monday".to_owned()],
            reject: vec!["friday".to_owned()],
        };
        let check = |known, passages: &[(&str, &str)], expected: [bool; 4]| {
            let found = Found::of(&question, &given(known, passages)).expect("has patterns");
            assert_eq!([found.answered, found.current, found.lead, found.stale], expected, "{passages:?}");
        };
        check(true, &[("on Mondays", "current")], [true, true, true, false]);
        check(false, &[("on Mondays", "current")], [true, false, false, false]);
        check(true, &[("on Mondays", "superseded")], [true, false, true, false]);
        check(true, &[("a\nb\nc", "current"), ("on Mondays", "current")], [true, true, false, false]);
        check(true, &[("on Fridays", "current")], [false, false, false, true]);
        check(true, &[("on Fridays", "superseded")], [false, false, false, false]);
    }

    #[test]
    fn a_project_below_the_plain_ranking_is_named() {
        let mut cells = Cells::default();
        for (project, own, plain) in [("worse", 3, 4), ("same", 4, 4), ("better", 5, 4)] {
            *cells.cell("own", project) = Cell { part: own, whole: 10 };
            *cells.cell("plain", project) = Cell { part: plain, whole: 10 };
        }
        assert_eq!(below(&cells, "own", "plain"), ["worse"]);
    }

    #[test]
    fn the_plain_ranking_fills_its_budget_with_what_shares_rare_words() {
        let texts = ["the kiln is fired on Mondays", "the glaze is blue", "the clay is grey"];
        let ranking = Bm25::new(texts.iter().map(|text| (*text).to_owned()).collect());
        assert!(ranking.take("when is the kiln fired", 8).starts_with("the kiln"));
        assert!(ranking.take("when is the kiln fired", 1).starts_with("the "));
        assert_eq!(ranking.take("zebra", 100), "");
    }
}
