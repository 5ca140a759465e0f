//! Questions asked later of what a project's sessions left behind, through the code users run.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use lore_capture::{ReadOptions, read_path};
use lore_core::Session;
use lore_core::session::{Author, Channel};
use lore_engine::ask::{Answer, Question};
use lore_engine::curate::CurateOptions;
use lore_engine::sessions::SessionFilter;
use lore_engine::{Engine, InitOptions, World};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::context::{Context, Failure};
use crate::report::Report;
use crate::suites::capture::files_below;

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
    stale: bool,
    passages: Vec<Given>,
}

#[derive(Debug, Serialize)]
struct Given {
    text: String,
    status: String,
    source: String,
}

/// Sums over questions; corpora are reported apart and together.
type Sums = BTreeMap<&'static str, f64>;

/// Asks every question of every corpus.
pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let questions: Vec<Asked> = context.json_lines("gold/qa.jsonl")?;
    let mut report = Report::default();
    let mut dumped = Vec::new();
    let mut all = Sums::new();
    for (corpus, folder) in context.unpacked("transcripts")? {
        let asked: Vec<&Asked> = questions.iter().filter(|question| question.corpus == corpus).collect();
        if asked.is_empty() {
            continue;
        }
        let heard = Heard::read(&folder)?;
        let start = std::time::Instant::now();
        let (engine, _guard) = bootstrapped(context, &corpus, &folder, heard.latest)?;
        report.set_number(&format!("{corpus}.bootstrap_s"), start.elapsed().as_secs_f64());
        let plain = Bm25::new(heard.paragraphs);
        let start = std::time::Instant::now();
        let sums = ask_all(&asked, &engine, &plain, &mut dumped)?;
        let each = start.elapsed().as_secs_f64() * 1000.0 / (asked.len() * 2) as f64;
        report.set_number(&format!("{corpus}.ask_ms"), each);
        tell(&format!("{corpus}."), &sums, &mut report);
        for (name, sum) in sums {
            *all.entry(name).or_default() += sum;
        }
    }
    tell("", &all, &mut report);
    context.dump(&dumped)?;
    Ok(report)
}

fn ask_all(
    asked: &[&Asked],
    engine: &Engine,
    plain: &Bm25,
    dumped: &mut Vec<Dumped>,
) -> Result<Sums, Failure> {
    let mut sums = Sums::new();
    for question in asked {
        let known = question.answer.is_some();
        let mut add = |name, right: bool| *sums.entry(name).or_default() += f64::from(u8::from(right));
        add("known", known);
        add("unknown", !known);
        for (budget, answered_name, stale_name, plain_name) in [
            (500, "answered@500", "stale_rate@500", "bm25@500"),
            (2000, "answered@2000", "stale_rate@2000", "bm25@2000"),
        ] {
            let given = engine.ask(&Question { budget, ..Question::new(&question.question) })?;
            let text: Vec<&str> = given.passages.iter().map(|evidence| evidence.text.as_str()).collect();
            let answered = known && all_match(&question.accept, &text.join("\n\n"))?;
            let stale = known && is_stale(&given, &question.reject)?;
            add(answered_name, answered);
            add(stale_name, stale);
            add(plain_name, known && all_match(&question.accept, &plain.take(&question.question, budget))?);
            if budget == 500 {
                add("abstained", !given.known && !known);
                add("wrongly_abstained", !given.known && known);
            }
            let passages = given.passages.into_iter();
            dumped.push(Dumped {
                id: question.id.clone(),
                budget,
                abstained: !given.known,
                why: given.why,
                answered,
                stale,
                passages: passages
                    .map(|one| Given { text: one.text, status: one.status, source: one.source })
                    .collect(),
            });
        }
    }
    Ok(sums)
}

fn tell(prefix: &str, sums: &Sums, report: &mut Report) {
    let of = |name: &str| sums.get(name).copied().unwrap_or(0.0);
    report.set(&format!("{prefix}questions"), (of("known") + of("unknown")) as u64);
    for name in [
        "answered@500",
        "answered@2000",
        "bm25@500",
        "bm25@2000",
        "stale_rate@500",
        "stale_rate@2000",
        "abstained",
        "wrongly_abstained",
    ] {
        let whole = if name == "abstained" { of("unknown") } else { of("known") };
        report.set_number(&format!("{prefix}{name}"), of(name) / whole.max(1.0));
    }
}

/// Makes an empty base and lets the product read every session, or takes the one of an earlier run.
fn bootstrapped(
    context: &Context,
    corpus: &str,
    folder: &Path,
    now: Timestamp,
) -> Result<(Engine, Option<tempfile::TempDir>), Failure> {
    let kept = context.setting_text("base").map(|folder| PathBuf::from(folder).join(corpus));
    let temporary = if kept.is_none() { Some(tempfile::tempdir()?) } else { None };
    let project = kept.or_else(|| temporary.as_ref().map(|made| made.path().to_owned())).unwrap_or_default();
    std::fs::create_dir_all(project.join("home"))?;
    let home = project.join("home").to_string_lossy().into_owned();
    let variables = [("HOME".to_owned(), home)].into_iter().collect();
    let world = World { now, directory: project.clone(), variables };
    if let Ok(engine) = Engine::open(world.clone()) {
        return Ok((engine, temporary));
    }
    Engine::init(&world, &InitOptions { project: Some(project), ..InitOptions::default() })?;
    let engine = Engine::open(world)?;
    let filter = SessionFilter { path: Some(folder.to_owned()), ..SessionFilter::default() };
    engine.curate(&CurateOptions { filter, bootstrap: true, ..CurateOptions::default() }, &|_, _| {})?;
    Ok((engine, temporary))
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

/// What people and agents said, as paragraphs, and when somebody last spoke.
struct Heard {
    paragraphs: Vec<String>,
    latest: Timestamp,
}

impl Heard {
    fn read(folder: &Path) -> Result<Heard, Failure> {
        let read: Vec<(Vec<String>, Option<Timestamp>)> = files_below(folder)?
            .par_iter()
            .map(|file| {
                let mut paragraphs = Vec::new();
                let mut latest = None;
                // A file that is no transcript has nothing to say.
                let _ = read_path(file, &ReadOptions::default(), &mut |session| {
                    latest = latest.max(session.turns.iter().filter_map(|turn| turn.at).max());
                    paragraphs.extend(prose(&session));
                });
                (paragraphs, latest)
            })
            .collect();
        let latest = read.iter().filter_map(|(_, at)| *at).max().unwrap_or(Timestamp::UNIX_EPOCH);
        Ok(Heard { paragraphs: read.into_iter().flat_map(|(paragraphs, _)| paragraphs).collect(), latest })
    }
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
