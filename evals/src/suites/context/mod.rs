//! What an agent is told: whether it is what it needs, whether it is silent otherwise, and how fast.

mod fit;
mod replay;
pub(super) mod speed;

use std::path::{Path, PathBuf};

use jiff::Timestamp;
use lore_capture::hook::Begun;
use lore_core::text::tokens;
use lore_engine::context::{ContextOptions, Occasion};
use lore_engine::curate::CurateOptions;
use lore_engine::sessions::SessionFilter;
use lore_engine::{Engine, InitOptions, World, env, hook};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::cells::{Cells, Good, Headline, Measured};
use crate::context::{Context, Failure};
use crate::report::Report;

pub(crate) use fit::run as run_fit;
pub(in crate::suites) use replay::readings;
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
    #[serde(default)]
    reject: Vec<String>,
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
    project: String,
    id: String,
    prompt: String,
    kind: &'static str,
    needed: bool,
    silent: bool,
    tokens: usize,
    text: String,
}

/// A prompt of every day that needs nothing.
#[derive(Debug, Deserialize)]
struct Everyday {
    id: String,
    prompt: String,
    needs: Option<String>,
}

const FIGURES: [Measured; 6] = [
    Measured { name: "needed", good: Good::High, headline: Headline::Mean },
    Measured { name: "silent", good: Good::High, headline: Headline::Mean },
    Measured { name: "silent_on_null", good: Good::High, headline: Headline::Mean },
    Measured { name: "silent_on_unrelated", good: Good::High, headline: Headline::Mean },
    Measured { name: "everyday", good: Good::High, headline: Headline::Mean },
    Measured { name: "superseded_as_current", good: Good::Low, headline: Headline::Mean },
];

/// Words with which a line says that what it tells may not hold.
const MARKS: [&str; 5] = ["no longer holds", "disputed", "possibly replaced", "possibly-replaced", "earlier"];

/// Bootstraps every corpus, then sends the questions as first prompts of new sessions.
pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let questions: Vec<Question> = context.json_lines("gold/qa.jsonl")?;
    let others: Vec<Collection> = context.json_lines("retrieval/dev.jsonl.gz")?;
    let everyday: Vec<Everyday> = context.json_lines("plain/everyday.jsonl")?;
    let unrelated = unrelated(&others);
    let mut report = Report::default();
    let mut dumped = Vec::new();
    let mut figures = Figures::default();
    for (corpus, folder) in context.unpacked("transcripts")? {
        let asked: Vec<&Question> = questions.iter().filter(|question| question.corpus == corpus).collect();
        if asked.is_empty() {
            continue;
        }
        let kept = context.setting_text("base").map(|base| PathBuf::from(base).join(&corpus));
        let scratch = tempfile::tempdir()?;
        let project = kept.unwrap_or_else(|| scratch.path().to_owned());
        let engine = bootstrapped(&project, &folder, &asked)?;
        ready(&engine)?;
        let null = Vec::new();
        let prompts =
            asked
                .iter()
                .map(|question| {
                    let kind = if question.answer.is_some() { "question" } else { "null" };
                    (kind, question.id.clone(), &question.question, &question.accept, &question.reject)
                })
                .chain(unrelated.iter().enumerate().map(|(number, prompt)| {
                    ("unrelated", format!("unrelated-{number}"), prompt, &null, &null)
                }))
                .chain(
                    everyday
                        .iter()
                        .filter(|row| row.needs.is_none())
                        .map(|row| ("everyday", row.id.clone(), &row.prompt, &null, &null)),
                );
        for (kind, id, prompt, accept, reject) in prompts {
            let told = told(&engine, &id, prompt);
            let needed = kind == "question" && all_match(accept, &told.text)?;
            let stale = stale(&told.text, reject)?;
            figures.add(&corpus, kind, needed, stale, &told);
            dumped.push(told.dump(&corpus, &id, prompt, kind, needed));
        }
        eprintln!("{corpus}: {} questions", asked.len());
    }
    figures.write(&mut report);
    context.dump(&dumped)?;
    Ok(report)
}

/// What a session was told with its first prompt.
struct ToldFirst {
    text: String,
    tokens: usize,
    start: usize,
}

impl ToldFirst {
    fn is_silent(&self) -> bool {
        self.text.trim().is_empty()
    }

    fn dump(self, project: &str, id: &str, prompt: &str, kind: &'static str, needed: bool) -> Dumped {
        Dumped {
            project: project.to_owned(),
            id: id.to_owned(),
            prompt: prompt.to_owned(),
            kind,
            needed,
            silent: self.is_silent(),
            tokens: self.tokens,
            text: self.text,
        }
    }
}

/// Builds what hooks answer from: a hook never does, a worker has done it before.
fn ready(engine: &Engine) -> Result<(), Failure> {
    engine.context(&ContextOptions::new(Occasion::Begin(Begun::Empty)))?;
    Ok(())
}

/// Begins a session and sends its first prompt, through the hook that an agent calls.
fn told(engine: &Engine, session: &str, prompt: &str) -> ToldFirst {
    let start = hooked(engine, "SessionStart", session, &[("source", "startup")]);
    let text = hooked(engine, "UserPromptSubmit", session, &[("prompt", prompt)]);
    ToldFirst { tokens: tokens(&text), start: tokens(&start), text }
}

/// Returns the text that the hook hands to the agent.
fn hooked(engine: &Engine, event: &str, session: &str, more: &[(&str, &str)]) -> String {
    let world = engine.world().clone();
    let mut message = json!({
        "session_id": session, "hook_event_name": event, "cwd": world.directory.display().to_string(),
    });
    for (name, value) in more {
        message[*name] = json!(value);
    }
    let reply = hook::answer(world, "claude-code", "", message.to_string().as_bytes());
    let output = reply.output.unwrap_or_default();
    let said: serde_json::Value = serde_json::from_str(&output).unwrap_or_default();
    said["hookSpecificOutput"]["additionalContext"].as_str().map_or(output, str::to_owned)
}

/// Tells whether something that no longer holds is told without a mark; nothing where that cannot be told.
fn stale(text: &str, reject: &[String]) -> Result<Option<bool>, Failure> {
    if reject.is_empty() {
        return Ok(None);
    }
    for line in text.lines() {
        let lower = line.to_lowercase();
        if MARKS.iter().any(|mark| lower.contains(mark)) {
            continue;
        }
        for pattern in reject {
            if all_match(std::slice::from_ref(pattern), line)? {
                return Ok(Some(true));
            }
        }
    }
    Ok(Some(false))
}

#[derive(Default)]
struct Figures {
    cells: Cells,
    /// What prompts and starts cost.
    tokens: Vec<usize>,
    starts: Vec<usize>,
}

impl Figures {
    fn add(&mut self, project: &str, kind: &str, needed: bool, stale: Option<bool>, told: &ToldFirst) {
        let silent = told.is_silent();
        match kind {
            "question" => {
                self.cells.count("needed", project, needed);
                self.tokens.push(told.tokens);
                self.starts.push(told.start);
                if let Some(stale) = stale {
                    self.cells.count("superseded_as_current", project, stale);
                }
            }
            "everyday" => self.cells.count("everyday", project, silent),
            "null" => {
                self.cells.count("silent_on_null", project, silent);
                self.cells.count("silent", project, silent);
            }
            _ => {
                self.cells.count("silent_on_unrelated", project, silent);
                self.cells.count("silent", project, silent);
            }
        }
    }

    #[allow(clippy::cast_precision_loss, reason = "prompts are few")]
    fn write(&self, report: &mut Report) {
        for figure in &FIGURES {
            self.cells.write(figure, "", report);
        }
        let mean = |values: &[usize]| values.iter().sum::<usize>() as f64 / values.len().max(1) as f64;
        report.set_number("tokens", mean(&self.tokens));
        report.set_number("tokens_at_start", mean(&self.starts));
        report.set("projects", self.cells.by_project());
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

#[cfg(test)]
mod tests {
    use lore_engine::entries::NewEntry;

    use super::*;
    use crate::cells::Cell;

    fn first(text: &str) -> ToldFirst {
        ToldFirst { text: text.to_owned(), tokens: 0, start: 0 }
    }

    #[test]
    fn what_no_longer_holds_may_be_told_with_a_mark_only() {
        let reject = ["friday".to_owned()];
        let check = |text: &str, expected| assert_eq!(stale(text, &reject).expect("has patterns"), expected);
        check("- The kiln is fired on Fridays [a]", Some(true));
        check("- NO LONGER HOLDS: the kiln is fired on Fridays [a]", Some(false));
        check("- The kiln is fired on Mondays [a]", Some(false));
        assert_eq!(stale("on Fridays", &[]).expect("has none"), None);
    }

    #[test]
    fn each_sort_of_prompt_counts_for_its_own_figure() {
        let check = |kind: &str, needed, text: &str, expected: &[(&str, usize, usize)]| {
            let mut figures = Figures::default();
            figures.add("p", kind, needed, Some(needed), &first(text));
            for (figure, part, whole) in expected {
                assert_eq!(
                    *figures.cells.cell(figure, "p"),
                    Cell { part: *part, whole: *whole },
                    "{kind} {figure}"
                );
            }
        };
        check("question", true, "x", &[("needed", 1, 1), ("superseded_as_current", 1, 1), ("silent", 0, 0)]);
        check("question", false, "", &[("needed", 0, 1), ("superseded_as_current", 0, 1)]);
        check("null", false, " \n", &[("silent", 1, 1), ("silent_on_null", 1, 1)]);
        check("unrelated", false, "x", &[("silent", 0, 1), ("silent_on_unrelated", 0, 1)]);
        check("everyday", false, "", &[("everyday", 1, 1), ("silent", 0, 0)]);
        check("everyday", false, "x", &[("everyday", 0, 1)]);
    }

    #[test]
    fn a_base_answers_through_the_hook_and_is_quiet_otherwise() {
        let folder = tempfile::tempdir().expect("there is a place for it");
        let world = world(folder.path(), "2026-03-01T10:00:00Z".parse().expect("is a time"));
        let options = InitOptions { project: Some(folder.path().to_owned()), ..InitOptions::default() };
        Engine::init(&world, &options).expect("is empty");
        let engine = Engine::open(world).expect("was made");
        let known = NewEntry {
            title: "The kiln is fired on Fridays".to_owned(),
            body: "The kiln is fired on Fridays, because the workshop is empty then.".to_owned(),
            ..NewEntry::default()
        };
        engine.add(known, false).expect("is new");
        ready(&engine).expect("builds");
        let told = |session: &str, prompt: &str| told(&engine, session, prompt);
        assert!(told("s1", "on which day is the kiln fired?").text.contains("Fridays"));
        assert!(told("s2", "thanks, that is all").is_silent());
    }
}
