//! What an agent is told: whether it is what it needs, whether it is silent otherwise, and how fast.

mod fit;
mod replay;
pub(super) mod speed;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use jiff::Timestamp;
use lore_capture::hook::Begun;
use lore_core::Status;
use lore_engine::context::{ContextOptions, Occasion};
use lore_engine::curate::CurateOptions;
use lore_engine::sessions::SessionFilter;
use lore_engine::{Engine, InitOptions, World, env};
use serde::{Deserialize, Serialize};

use crate::context::{Context, Failure};
use crate::report::Report;

pub(crate) use fit::run as run_fit;
pub(crate) use replay::run as run_replay;
pub(crate) use speed::run as run_speed;

/// Unrelated prompts, taken from conversations about something else.
const UNRELATED: usize = 40;

#[derive(Debug, Deserialize)]
struct Question {
    id: String,
    corpus: String,
    question: String,
    answer: Option<String>,
    accept: Vec<String>,
    as_of: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Collection {
    queries: Vec<Asked>,
}

#[derive(Debug, Deserialize)]
struct Asked {
    text: String,
}

#[derive(Debug, Serialize)]
struct Dumped {
    id: String,
    prompt: String,
    kind: &'static str,
    needed: bool,
    silent: bool,
    tokens: usize,
    text: String,
}

/// Bootstraps every corpus, then sends the questions as first prompts of new sessions.
pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let questions: Vec<Question> = context.json_lines("gold/qa.jsonl")?;
    let others: Vec<Collection> = context.json_lines("retrieval/dev.jsonl.gz")?;
    let unrelated = unrelated(&others);
    let mut report = Report::default();
    let mut dumped = Vec::new();
    let mut pooled = Figures::default();
    for (corpus, folder) in context.unpacked("transcripts")? {
        let asked: Vec<&Question> = questions.iter().filter(|question| question.corpus == corpus).collect();
        if asked.is_empty() {
            continue;
        }
        let kept = context.setting_text("base").map(|base| PathBuf::from(base).join(&corpus));
        let scratch = tempfile::tempdir()?;
        let project = kept.unwrap_or_else(|| scratch.path().to_owned());
        let engine = bootstrapped(&project, &folder, &asked)?;
        let mut figures = Figures::default();
        let budget = context.setting("budget", 500);
        for question in &asked {
            let kind = if question.answer.is_some() { "question" } else { "null" };
            let told = told(&engine, &question.question, budget)?;
            let needed = question.answer.is_some() && all_match(&question.accept, &told.text)?;
            figures.add(kind, needed, &told);
            dumped.push(told.dump(&question.id, &question.question, kind, needed));
        }
        for (number, prompt) in unrelated.iter().enumerate() {
            let told = told(&engine, prompt, budget)?;
            figures.add("unrelated", false, &told);
            dumped.push(told.dump(&format!("unrelated-{number}"), prompt, "unrelated", false));
        }
        figures.write(&format!("{corpus}."), &mut report);
        pooled.join(figures);
    }
    pooled.write("", &mut report);
    context.dump(&dumped)?;
    Ok(report)
}

/// What a session was told with its first prompt.
struct Told {
    text: String,
    tokens: usize,
    start: usize,
    silent: bool,
    over: bool,
    uncited: usize,
    as_current: usize,
}

impl Told {
    fn dump(self, id: &str, prompt: &str, kind: &'static str, needed: bool) -> Dumped {
        Dumped {
            id: id.to_owned(),
            prompt: prompt.to_owned(),
            kind,
            needed,
            silent: self.silent,
            tokens: self.tokens,
            text: self.text,
        }
    }
}

/// Begins a session and sends its first prompt; the prompt's text must keep to the budget by itself.
fn told(engine: &Engine, prompt: &str, budget: usize) -> Result<Told, Failure> {
    let options = |occasion| ContextOptions { budget: Some(budget), ..ContextOptions::new(occasion) };
    let start = engine.context(&options(Occasion::Begin(Begun::Empty)))?;
    let asked = engine.context(&options(Occasion::Prompt(prompt.to_owned())))?;
    let lines: Vec<&str> =
        start.text.lines().chain(asked.text.lines()).filter(|line| line.starts_with("- ")).collect();
    let uncited = lines.iter().filter(|line| !line.contains('[') && !line.starts_with("- …")).count();
    let replaced = |line: &str| {
        asked.items.iter().any(|item| {
            item.status == Status::Superseded
                && line.contains(&format!("[{} ", item.id))
                && !line.contains("NO LONGER HOLDS")
        })
    };
    Ok(Told {
        uncited,
        as_current: lines.iter().filter(|line| replaced(line)).count(),
        tokens: asked.tokens,
        start: start.tokens,
        silent: asked.is_silent(),
        over: asked.tokens > budget && !asked.over_budget,
        text: asked.text,
    })
}

#[derive(Default)]
struct Figures {
    sums: BTreeMap<&'static str, Vec<f64>>,
}

impl Figures {
    fn add(&mut self, kind: &'static str, needed: bool, told: &Told) {
        let mut add = |name: &'static str, value: f64| self.sums.entry(name).or_default().push(value);
        let truth = |yes: bool| f64::from(u8::from(yes));
        match kind {
            "question" => {
                add("needed", truth(needed));
                add("tokens", told.tokens as f64);
                add("tokens_at_start", told.start as f64);
                add("silent_on_questions", truth(told.silent));
            }
            "null" => {
                add("silent_on_null", truth(told.silent));
                add("silent", truth(told.silent));
            }
            _ => {
                add("silent_on_unrelated", truth(told.silent));
                add("silent", truth(told.silent));
            }
        }
        add("over_budget", truth(told.over));
        add("uncited_lines", told.uncited as f64);
        add("superseded_as_current", told.as_current as f64);
    }

    fn join(&mut self, other: Figures) {
        for (name, values) in other.sums {
            self.sums.entry(name).or_default().extend(values);
        }
    }

    fn write(&self, prefix: &str, report: &mut Report) {
        for (name, values) in &self.sums {
            let mean = values.iter().sum::<f64>() / values.len().max(1) as f64;
            report.set_number(&format!("{prefix}{name}"), mean);
        }
    }
}

/// Takes prompts evenly from all collections, so that no conversation decides.
fn unrelated(collections: &[Collection]) -> Vec<String> {
    let mut taken = Vec::new();
    let mut round = 0;
    while taken.len() < UNRELATED && round < 100 {
        for collection in collections {
            let at = round * 5;
            if let Some(asked) = collection.queries.get(at)
                && taken.len() < UNRELATED
            {
                taken.push(asked.text.clone());
            }
        }
        round += 1;
    }
    taken
}

/// Makes a project with a base of everything in a folder, or opens the one that is there.
fn bootstrapped(project: &Path, transcripts: &Path, asked: &[&Question]) -> Result<Engine, Failure> {
    let last = asked.iter().filter_map(|question| question.as_of.as_deref()).max().unwrap_or("2026-06-01");
    let now: Timestamp = format!("{last}T23:00:00Z").parse()?;
    let world = world(project, now);
    let ready = project.join("knowledge/.lore").is_dir();
    if !ready {
        std::fs::create_dir_all(project)?;
        Engine::init(&world, &InitOptions { project: Some(project.to_owned()), ..InitOptions::default() })?;
    }
    let engine = Engine::open(world)?;
    if !ready {
        let filter = SessionFilter {
            path: Some(transcripts.to_owned()),
            everywhere: true,
            ..SessionFilter::default()
        };
        engine.curate(&CurateOptions { filter, bootstrap: true, ..CurateOptions::default() }, &|_, _| {})?;
    }
    Ok(engine)
}

/// A world in which nobody's home is touched.
pub(in crate::suites) fn world(project: &Path, now: Timestamp) -> World {
    let home = project.join(".home");
    let variables = [
        (env::HOME.to_owned(), home.display().to_string()),
        (env::LORE_DATA_DIR.to_owned(), home.join("data").display().to_string()),
    ];
    World { now, directory: project.to_owned(), variables: variables.into_iter().collect() }
}

fn all_match(patterns: &[String], text: &str) -> Result<bool, Failure> {
    for pattern in patterns {
        if !fancy_regex::Regex::new(&format!("(?i){pattern}"))?.is_match(text)? {
            return Ok(false);
        }
    }
    Ok(true)
}
