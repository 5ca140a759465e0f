//! Whole corpora into an empty base, as `lore curate --bootstrap` does it.
//!
//! For each corpus: how long and how much memory the program takes; through the engine, how many articles, and whether
//! a second run changes a single byte; and, on a base of `entries` entries in the words of that corpus, how long one more
//! session takes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use lore_core::{Article, Claim, Confidence, Entry, EntryId, Kind, Source, Voice};
use lore_engine::curate::{CurateOptions, CurateReport};
use lore_engine::entries::Filter;
use lore_engine::sessions::SessionFilter;
use lore_engine::{Engine, InitOptions, World};
use serde::Serialize;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

use crate::context::{Context, Failure};
use crate::report::Report;
use crate::suites::program::Lore;

const NOW: &str = "2026-11-15T00:00:00Z";

/// An article as the product wrote it.
#[derive(Serialize)]
struct Dumped {
    corpus: String,
    path: String,
    title: String,
    kind: String,
    status: String,
    sessions: Vec<String>,
    issues: Vec<String>,
    text: String,
}

/// Takes all figures.
pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let mut report = Report::default();
    let mut dumped = Vec::new();
    let mut most = (0, String::new(), Map::new());
    for (corpus, folder) in context.unpacked("transcripts")? {
        let project = TempDir::with_prefix("lore-bootstrap-")?;
        let mut figures = Map::new();
        by_program(context, &folder, &mut figures)?;
        let sessions = whole(&corpus, project.path(), &folder, &mut figures, &mut dumped)?;
        let entries = context.setting("entries", 10_000);
        if entries > 0 {
            one_more(project.path(), &folder, entries, context.setting("more", 12), &mut figures)?;
        }
        for (name, value) in &figures {
            report.set(&format!("{corpus}.{name}"), value.clone());
        }
        if sessions > most.0 {
            most = (sessions, corpus, figures);
        }
    }
    // The bars speak of the largest corpus.
    report.set("largest", most.1);
    for name in ["seconds", "peak_mb", "one_more_ms"] {
        if let Some(value) = most.2.get(name) {
            report.set(name, value.clone());
        }
    }
    context.dump(&dumped)?;
    Ok(report)
}

/// Times the program that users run, in a process of its own: what another corpus left in memory is not its.
fn by_program(context: &Context, folder: &Path, figures: &mut Map<String, Value>) -> Result<(), Failure> {
    let project = TempDir::with_prefix("lore-program-")?;
    let lore = Lore::found(context, project.path())?;
    lore.time(&["init"], "")?;
    let folder = folder.canonicalize()?.display().to_string();
    let ran = lore.watch(&["curate", "--bootstrap", "--no-ask", "--all", "--sessions", &folder])?;
    number(figures, "seconds", ran.life / 1000.0);
    number(figures, "peak_mb", ran.peak_mb);
    Ok(())
}

/// Bootstraps a corpus and runs again, in two ways.
fn whole(
    corpus: &str,
    project: &Path,
    folder: &Path,
    figures: &mut Map<String, Value>,
    dumped: &mut Vec<Dumped>,
) -> Result<usize, Failure> {
    init(project)?;
    let everything = |bootstrap| CurateOptions {
        filter: SessionFilter { path: Some(folder.to_owned()), ..SessionFilter::default() },
        bootstrap,
        ..CurateOptions::default()
    };
    let first = engine(project)?.curate(&everything(true), &|_, _| {})?;
    told(&first, figures);
    let listed = engine(project)?.list(&Filter::default())?;
    figures.insert("articles".to_owned(), listed.len().into());
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    let mut statuses: BTreeMap<&str, usize> = BTreeMap::new();
    for item in &listed {
        *kinds.entry(item.kind.word()).or_default() += 1;
        *statuses.entry(item.status.word()).or_default() += 1;
    }
    figures.insert("kinds".to_owned(), json!(kinds));
    figures.insert("statuses".to_owned(), json!(statuses));
    let snapshot = engine(project)?;
    for item in &listed {
        let shown = snapshot.show(item.id.as_str())?;
        let mut sessions: Vec<String> = shown
            .entry
            .sources
            .iter()
            .filter_map(|source| Some(source.session.as_ref()?.to_string()))
            .collect();
        sessions.dedup();
        dumped.push(Dumped {
            corpus: corpus.to_owned(),
            path: shown.path,
            title: item.title.clone(),
            kind: item.kind.word().to_owned(),
            status: item.status.word().to_owned(),
            sessions,
            issues: shown.entry.issues.clone(),
            text: shown.entry.body,
        });
    }

    let before = bytes_below(&project.join("knowledge"))?;
    let began = Instant::now();
    engine(project)?.curate(&everything(false), &|_, _| {})?;
    number(figures, "second_run_ms", began.elapsed().as_secs_f64() * 1000.0);
    figures.insert("second_run_changed_files".to_owned(), differing(&before, project)?.into());
    let began = Instant::now();
    let again = engine(project)?.curate(&everything(true), &|_, _| {})?;
    number(figures, "second_bootstrap_seconds", began.elapsed().as_secs_f64());
    figures.insert("second_bootstrap_created".to_owned(), again.created.len().into());
    figures.insert("second_bootstrap_updated".to_owned(), again.updated.len().into());
    figures.insert("second_bootstrap_changed_files".to_owned(), differing(&before, project)?.into());
    Ok(first.sessions)
}

fn told(report: &CurateReport, figures: &mut Map<String, Value>) {
    figures.insert("sessions".to_owned(), report.sessions.into());
    figures.insert("candidates".to_owned(), report.candidates.into());
    figures.insert("created".to_owned(), report.created.len().into());
    figures.insert("waiting".to_owned(), report.queued.into());
    figures.insert("outcomes".to_owned(), json!(report.outcomes));
    figures.insert("problems".to_owned(), report.problems.len().into());
}

/// Times one more session, each in a process that knows nothing yet, on a base of many entries.
fn one_more(
    made: &Path,
    folder: &Path,
    entries: usize,
    runs: usize,
    figures: &mut Map<String, Value>,
) -> Result<(), Failure> {
    let statements = statements(made)?;
    let project = TempDir::with_prefix("lore-many-")?;
    init(project.path())?;
    fill(project.path(), &statements, entries)?;
    // The first look after a clone reads everything once.
    let began = Instant::now();
    let arriving = project.path().join("arriving");
    std::fs::create_dir_all(&arriving)?;
    let options = CurateOptions {
        filter: SessionFilter { path: Some(arriving.clone()), ..SessionFilter::default() },
        ..CurateOptions::default()
    };
    let files = sessions_below(folder)?;
    let step = (files.len() / (runs + 1)).max(1);
    let (mut times, mut work) = (Vec::new(), Vec::new());
    for (number, file) in files.iter().step_by(step).take(runs + 1).enumerate() {
        let name = format!("{number}-{}", file.file_name().unwrap_or_default().to_string_lossy());
        std::fs::copy(file, arriving.join(name))?;
        let (began_one, worked) = (Instant::now(), cpu_ms());
        engine(project.path())?.curate(&options, &|_, _| {})?;
        if number == 0 {
            self::number(figures, "one_more_first_ms", began.elapsed().as_secs_f64() * 1000.0);
        } else {
            times.push(began_one.elapsed().as_secs_f64() * 1000.0);
            work.push(cpu_ms() - worked);
        }
    }
    times.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let last = times.len().saturating_sub(1);
        times.get((last as f64 * share).round() as usize).copied().unwrap_or_default()
    };
    figures.insert("one_more_base".to_owned(), entries.into());
    figures.insert("one_more_runs".to_owned(), times.len().into());
    number(figures, "one_more_ms", at(0.5));
    number(figures, "one_more_p90_ms", at(0.9));
    number(figures, "one_more_max_ms", at(1.0));
    // On a busy machine the work tells more than the time.
    work.sort_by(f64::total_cmp);
    number(figures, "one_more_work_ms", work.get(work.len() / 2).copied().unwrap_or_default());
    Ok(())
}

/// Lists what the articles of a base state, for making others in the same words.
fn statements(project: &Path) -> Result<Vec<String>, Failure> {
    let engine = engine(project)?;
    let mut statements = Vec::new();
    for item in engine.list(&Filter::default())? {
        let body = engine.show(item.id.as_str())?.entry.body;
        statements.extend(Article::parse(&body).current().map(|claim| claim.text.clone()));
    }
    if statements.is_empty() {
        statements.push("The base of this corpus is empty.".to_owned());
    }
    Ok(statements)
}

/// Puts entries into a base as a clone would bring them: halves of statements, put together anew.
fn fill(project: &Path, statements: &[String], entries: usize) -> Result<(), Failure> {
    let root = project.join("knowledge");
    let kinds = [Kind::Decision, Kind::Fact, Kind::Preference, Kind::Architecture, Kind::Limitation];
    for number in 0..entries {
        let one: Vec<&str> = statements[number % statements.len()].split_whitespace().collect();
        let other: Vec<&str> = statements[(number * 7 + number / statements.len()) % statements.len()]
            .split_whitespace()
            .collect();
        let text = [&one[..one.len().div_ceil(2)], &other[other.len() / 2..]].concat().join(" ");
        let kind = kinds[number % kinds.len()];
        let title: Vec<&str> = text.split_whitespace().take(8).collect();
        let title = format!("{} {number}", title.join(" "));
        let day = jiff::civil::date(2026, 1 + (number % 9) as i8, 1 + (number % 28) as i8);
        let mut entry = Entry::new(EntryId::new(kind, day, &title), kind, title);
        let session = lore_core::SessionId::new(format!("earlier-{}", number / 12));
        let source = Source::session_line("claude-code", &session, number as u32 + 1, Voice::Person);
        entry.sources = vec![Source { id: Some("s1".to_owned()), ..source }];
        entry.confidence = Some(Confidence::Medium);
        let article = Article { lead: vec![Claim::new(&text, vec!["s1".to_owned()])], ..Article::default() };
        entry.body = article.render();
        let file = root.join(kind.topic()).join(entry.id.slug()).with_extension("md");
        std::fs::create_dir_all(file.parent().unwrap_or(&root))?;
        std::fs::write(file, lore_store::format::with_hash(&lore_store::format::write(&entry)))?;
    }
    Ok(())
}

fn init(project: &Path) -> Result<(), Failure> {
    let options = InitOptions { project: Some(project.to_owned()), ..InitOptions::default() };
    Ok(Engine::init(&world(project)?, &options).map(drop)?)
}

fn engine(project: &Path) -> Result<Engine, Failure> {
    Ok(Engine::open(world(project)?)?)
}

fn world(project: &Path) -> Result<World, Failure> {
    let home = project.join("home").display().to_string();
    let variables = BTreeMap::from([("HOME".to_owned(), home)]);
    Ok(World { now: NOW.parse()?, directory: project.to_owned(), variables })
}

/// Lists the transcripts of a corpus, in an order that is always the same.
fn sessions_below(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut found: Vec<PathBuf> =
        lore_capture::discover_at(folder)?.into_iter().map(|found| found.path).collect();
    found.sort();
    Ok(found)
}

fn bytes_below(root: &Path) -> Result<BTreeMap<PathBuf, Vec<u8>>, Failure> {
    let mut files = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
            } else {
                files.insert(path.clone(), std::fs::read(&path)?);
            }
        }
    }
    Ok(files)
}

/// Counts the files of a base that are not as they were.
fn differing(before: &BTreeMap<PathBuf, Vec<u8>>, project: &Path) -> Result<usize, Failure> {
    let after = bytes_below(&project.join("knowledge"))?;
    let changed = after.iter().filter(|(path, bytes)| before.get(*path) != Some(bytes)).count();
    Ok(changed + before.keys().filter(|path| !after.contains_key(*path)).count())
}

fn number(figures: &mut Map<String, Value>, name: &str, value: f64) {
    let rounded = (value * 100.0).round() / 100.0;
    figures.insert(name.to_owned(), json!(rounded));
}

/// Returns the work of this process so far, in all its threads.
fn cpu_ms() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
    let ticks = |at: usize| fields.get(at).and_then(|field| field.parse::<f64>().ok()).unwrap_or_default();
    (ticks(11) + ticks(12)) * 10.0
}
