//! An editor goes through the sessions of a project, in the order of time, on the way that users run.
//!
//! `--write-packets DIR` writes down what an editor is shown, `--answers DIR` reads recorded answers
//! back (`--set packets-in=DIR` says where their packets lie), `--model CMD` asks a command. Before
//! each session everything up to it is curated by rules, as a worker would have done it. `--set
//! packets=12` says how many packets of each project, were every session by itself: those of the sessions
//! with most labels. A command is asked as a worker asks it, when `--set together=5` sessions wait, short
//! ones in one packet; recorded answers are read back session by session. Figures are over those
//! sessions, or over those of them whose packets lie in the folder of `--set counted=DIR`; `rules.` gives
//! them for the same sessions without an editor.

mod book;
mod changes;
mod corpus;
mod labels;
mod measure;
mod mutation;
mod overheard;
mod recorded;

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use jiff::Timestamp;
use lore_core::{Entry, ProofMark};
use lore_engine::curate::CurateOptions;
use lore_engine::curator::{EditOptions, EditReport, Model};
use lore_engine::entries::Filter;
use lore_engine::sessions::SessionFilter;
use lore_engine::{Engine, InitOptions, World};

use self::book::{Book, Told};
use self::corpus::Corpus;
use self::labels::Labels;
use self::measure::{Left, Tallies};
use self::mutation::Mutants;
use self::overheard::Overheard;
use crate::context::{Context, Failure, write_lines};
use crate::report::Report;

/// So many entries of each project are drawn for grading.
const TO_GRADE: usize = 20;
/// So many sessions wait before a worker asks an editor.
const TOGETHER: usize = 5;

/// Runs the suite.
pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let mut report = Report::default();
    let labels = Labels::read(context)?;
    let (mut whole, mut without) = (Tallies::new(), Tallies::new());
    let mut to_grade = Vec::new();
    let mut refusals = Vec::new();
    let mut mutants = Mutants::new(context);
    let (mut kept, mut cost) = (0, (0, 0));
    let packets = context.setting_text("packets-in").map(Path::new);
    for corpus in corpus::read(context)? {
        let answers = context.answers.as_deref();
        let book = Book::open(&corpus.name, context.write_packets.as_deref(), answers, packets)?;
        let edited = match &context.model {
            Some(command) => {
                let line = command.to_string_lossy().into_owned();
                let together = context.setting("together", TOGETHER).max(1);
                edit(&corpus, &Asked::Command { line, together }, &mut mutants)?
            }
            None => edit(&corpus, &Asked::Book(&book), &mut mutants)?,
        };
        tell(&corpus, &book, &edited, &mut report)?;
        if answers.is_none() && context.model.is_none() {
            continue;
        }
        let left = Left::read(&edited.engine, &corpus)?;
        add(&mut whole, &left.measure(&corpus, &labels)?, &format!("{}.", corpus.name), &mut report);
        let (own, of_rules) = left.sizes();
        let told = book.told.borrow();
        let spent = |of: fn(&EditReport) -> usize| edited.reports.iter().map(of).sum::<usize>();
        kept += own;
        cost.0 += told.tokens_in + spent(|report| report.tokens_in);
        cost.1 += book.tokens_out() + spent(|report| report.tokens_out);
        drop(told);
        report.set(&format!("{}.kept", corpus.name), own);
        report.set(&format!("{}.kept_by_rules", corpus.name), of_rules);
        report.set(&format!("{}.replaced", corpus.name), left.replaced());
        to_grade.extend(left.to_grade(&corpus, &edited.packets, TO_GRADE));
        for packet in edited.reports.iter().flat_map(|report| &report.packets) {
            let refused = packet.edits.iter().filter(|edit| edit.mark >= ProofMark::Proposal);
            refusals.extend(refused.map(|edit| serde_json::json!({
                "project": corpus.name, "packet": packet.packet, "n": edit.n, "op": edit.op, "mark": edit.mark,
                "title": edit.title, "why": edit.why,
            })));
        }
        refusals.extend(left.changes(&labels));
        refusals.extend(left.noise(&labels));
        let nobody = Book::open(&corpus.name, None, None, None)?;
        let rules = edit(&corpus, &Asked::Book(&nobody), &mut mutants)?;
        let left = Left::read(&rules.engine, &corpus)?;
        add(&mut without, &left.measure(&corpus, &labels)?, &format!("rules.{}.", corpus.name), &mut report);
    }
    if kept > 0 {
        report.set_number("tokens_in_per_entry", cost.0 as f64 / kept as f64);
        report.set_number("tokens_out_per_entry", cost.1 as f64 / kept as f64);
    }
    mutants.write(&mut report);
    mutants.second_look(context, &mut report)?;
    write(&whole, "", &mut report);
    write(&without, "rules.", &mut report);
    refusals.append(&mut mutants.passed);
    context.dump(&refusals)?;
    if let Some(path) = &context.grade {
        write_lines(path, &to_grade)?;
    }
    Ok(report)
}

/// Writes how a run went.
fn tell(corpus: &Corpus, book: &Book, edited: &Edited, report: &mut Report) -> Result<(), Failure> {
    let mut set = |name: &str, value: usize| report.set(&format!("{}.{name}", corpus.name), value);
    let told = &edited.told;
    set("sessions", corpus.chosen.len());
    set("packets", told.packets);
    set("answered", told.answered);
    set("unanswered", told.missing);
    set("lost_entries", told.lost_entries);
    set("second_looks", told.looks);
    set("repairs", told.repairs);
    set("repaired", told.repaired);
    set("tokens_in", told.tokens_in);
    set("tokens_out", book.tokens_out());
    set("entries", edited.engine.status()?.entries);
    let mut marks: BTreeMap<String, usize> = BTreeMap::new();
    for edit in edited.reports.iter().flat_map(|report| &report.packets).flat_map(|packet| &packet.edits) {
        let op = serde_json::to_value(edit.op)?.as_str().unwrap_or_default().to_owned();
        let mark = serde_json::to_value(edit.mark)?.as_str().unwrap_or_default().to_owned();
        *marks.entry(format!("edits.{mark}")).or_default() += 1;
        *marks.entry(format!("edits.{mark}.{op}")).or_default() += 1;
    }
    marks.into_iter().for_each(|(name, count)| set(&name, count));
    Ok(())
}

fn add(whole: &mut Tallies, own: &Tallies, prefix: &str, report: &mut Report) {
    for (name, (right, all)) in own {
        report.set(&format!("{prefix}{name}"), format!("{right} of {all}"));
        let sum = whole.entry(name).or_default();
        *sum = (sum.0 + right, sum.1 + all);
    }
}

fn write(tallies: &Tallies, prefix: &str, report: &mut Report) {
    for (name, (right, all)) in tallies {
        report.set_number(&format!("{prefix}{name}"), *right as f64 / (*all).max(1) as f64);
        report.set(&format!("{prefix}{name}.n"), *all);
    }
}

/// Who is asked.
enum Asked<'a> {
    Book(&'a Book),
    Command {
        line: String,
        /// So many sessions at a time.
        together: usize,
    },
}

/// What an editor left behind.
struct Edited {
    engine: Engine,
    _folder: tempfile::TempDir,
    reports: Vec<EditReport>,
    /// The packets of the sessions that count.
    packets: BTreeSet<String>,
    /// What was asked.
    told: Told,
}

/// Goes through a project: rules first, then the editor, session after session.
fn edit(corpus: &Corpus, asked: &Asked<'_>, mutants: &mut Mutants) -> Result<Edited, Failure> {
    let folder = tempfile::tempdir()?;
    let home = folder.path().join("home");
    // People's folders are called as their projects are.
    let project = folder.path().join(&corpus.name);
    std::fs::create_dir(&project)?;
    if let Asked::Command { line, .. } = asked {
        write_editor(&home, line)?;
    }
    let home = home.to_string_lossy().into_owned();
    let latest = corpus.sessions.iter().filter_map(|held| held.ended.or(held.started)).max();
    let path = std::env::var("PATH").unwrap_or_default();
    let world = World {
        now: latest.unwrap_or(Timestamp::UNIX_EPOCH),
        directory: project.clone(),
        variables: [("HOME".to_owned(), home), ("PATH".to_owned(), path)].into_iter().collect(),
    };
    Engine::init(&world, &InitOptions { project: Some(project), ..InitOptions::default() })?;
    let engine = Engine::open(world)?;
    let command = match asked {
        Asked::Command { .. } => Some(engine.editor("asked")?),
        Asked::Book(_) => None,
    };
    let overheard = command.as_deref().map(Overheard::new);
    let model: &dyn Model = match (asked, &overheard) {
        (Asked::Book(book), _) => *book,
        (_, Some(overheard)) => overheard,
        (Asked::Command { line, .. }, None) => return Err(format!("`{line}` cannot be asked").into()),
    };
    let (mut reports, mut packets) = (Vec::new(), BTreeSet::new());
    let mut before = 0;
    let together = match asked {
        Asked::Book(_) => 1,
        Asked::Command { together, .. } => *together,
    };
    for group in corpus.chosen.chunks(together) {
        let last = group[group.len() - 1];
        rules(&engine, corpus, before, last)?;
        before = last + 1;
        let held: Vec<&corpus::Held> = group.iter().map(|at| &corpus.sessions[*at]).collect();
        let paths = held.iter().map(|held| held.path.clone()).collect();
        let options = EditOptions {
            filter: SessionFilter { paths, everywhere: true, ..SessionFilter::default() },
            only: Some(held.iter().map(|held| held.session.clone()).collect()),
            apart: together == 1,
            ..EditOptions::default()
        };
        let entries = entries(&engine)?;
        let report = engine.edit_with(model, &options, &|_| {}, &|_, _| {})?;
        let answered = match (asked, &overheard) {
            (Asked::Book(book), _) => book.asked.take(),
            (_, overheard) => overheard.as_ref().map(|heard| heard.asked.take()).unwrap_or_default(),
        };
        for (packet, answer) in answered {
            mutants.read((&corpus.name, &packet), &answer, &entries);
        }
        if let Some(why) = &report.stopped {
            eprintln!("{}: {why}", corpus.name);
        }
        if group.iter().any(|at| corpus.counted.contains(at)) {
            packets.extend(report.packets.iter().map(|packet| packet.packet.to_string()));
        }
        reports.push(report);
    }
    rules(&engine, corpus, before, corpus.sessions.len().saturating_sub(1))?;
    let told = match (asked, overheard) {
        (Asked::Book(book), _) => book.told.borrow().clone(),
        (_, overheard) => overheard.map(|heard| heard.told.into_inner()).unwrap_or_default(),
    };
    Ok(Edited { engine, _folder: folder, reports, packets, told })
}

/// Reads all entries as they stand.
fn entries(engine: &Engine) -> Result<Vec<Entry>, Failure> {
    let read = |item: lore_engine::entries::Item| Ok(engine.show(item.id.as_str())?.entry);
    engine.list(&Filter::default())?.into_iter().map(read).collect()
}

/// Names a command as the editor `asked` in the settings below a home.
pub(super) fn write_editor(home: &Path, command: &str) -> Result<(), Failure> {
    let config = home.join(".config/lore");
    std::fs::create_dir_all(&config)?;
    let line = serde_json::Value::from(format!("asked={command}")).to_string();
    // A measurement may cost what it costs; who starts it has seen the packets.
    let limits = "tokens_per_run = 100000000\ntokens_per_day = 100000000\ntimeout = 3600";
    Ok(std::fs::write(config.join("config.toml"), format!("[curate]\neditors = [{line}]\n{limits}\n"))?)
}

/// Has rules read the sessions from one place to another, both included.
fn rules(engine: &Engine, corpus: &Corpus, from: usize, to: usize) -> Result<(), Failure> {
    let read = corpus.sessions.get(from..=to).unwrap_or_default();
    let paths: Vec<_> = read.iter().map(|held| held.path.clone()).collect();
    if !paths.is_empty() {
        let filter = SessionFilter { paths, everywhere: true, ..SessionFilter::default() };
        engine.curate(&CurateOptions { filter, ..CurateOptions::default() }, &|_, _| {})?;
    }
    Ok(())
}
