//! An editor goes through the sessions of a project, in the order of time, on the way that users run.
//!
//! `--write-packets DIR` writes down what an editor is shown, `--answers DIR` reads recorded answers
//! back, `--model CMD` asks a command. Before each session everything up to it is curated by rules, as
//! a worker would have done it. `--set packets=12` says how many packets
//! of each project: those of the sessions with most labels.

mod book;
mod corpus;

use std::collections::BTreeMap;
use std::path::Path;

use jiff::Timestamp;
use lore_engine::curate::CurateOptions;
use lore_engine::curator::{EditOptions, EditReport, Model};
use lore_engine::sessions::SessionFilter;
use lore_engine::{Engine, InitOptions, World};

use self::book::Book;
use self::corpus::Corpus;
use crate::context::{Context, Failure};
use crate::report::Report;

/// Runs the suite.
pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let mut report = Report::default();
    for corpus in corpus::read(context)? {
        let book = Book::open(
            &corpus.name,
            context.write_packets.as_deref(),
            context.answers.as_deref(),
            context.setting_text("packets-in").map(Path::new),
        )?;
        let edited = edit(&corpus, &book)?;
        let told = book.told.borrow().clone();
        report.set(&format!("{}.sessions", corpus.name), corpus.chosen.len());
        report.set(&format!("{}.packets", corpus.name), told.packets);
        report.set(&format!("{}.answered", corpus.name), told.answered);
        report.set(&format!("{}.missing", corpus.name), told.missing);
        report.set(&format!("{}.lost_entries", corpus.name), told.lost_entries);
        report.set(&format!("{}.second_looks", corpus.name), told.looks);
        report.set(&format!("{}.repairs", corpus.name), told.repairs);
        let shown: usize = corpus.chosen.iter().map(|at| corpus.sessions[*at].shown.len()).sum();
        report.set(&format!("{}.characters_shown", corpus.name), shown);
        report.set(&format!("{}.entries", corpus.name), edited.engine.status()?.entries);
        let edits = edited.reports.iter().flat_map(|report| &report.packets).flat_map(|packet| &packet.edits);
        let mut marks: BTreeMap<String, usize> = BTreeMap::new();
        for edit in edits {
            *marks.entry(format!("{:?}", edit.mark).to_lowercase()).or_default() += 1;
        }
        for (mark, count) in marks {
            report.set(&format!("{}.{mark}", corpus.name), count);
        }
    }
    Ok(report)
}

/// What an editor left behind.
struct Edited {
    engine: Engine,
    _folder: tempfile::TempDir,
    reports: Vec<EditReport>,
}

/// Goes through a project: rules first, then the editor, session after session.
fn edit(corpus: &Corpus, model: &dyn Model) -> Result<Edited, Failure> {
    let folder = tempfile::tempdir()?;
    std::fs::create_dir_all(folder.path().join("home"))?;
    let home = folder.path().join("home").to_string_lossy().into_owned();
    let latest = corpus.sessions.iter().filter_map(|held| held.ended.or(held.started)).max();
    let world = World {
        now: latest.unwrap_or(Timestamp::UNIX_EPOCH),
        directory: folder.path().to_owned(),
        variables: [("HOME".to_owned(), home)].into_iter().collect(),
    };
    Engine::init(&world, &InitOptions { project: Some(folder.path().to_owned()), ..InitOptions::default() })?;
    let engine = Engine::open(world)?;
    let mut reports = Vec::new();
    let mut before = 0;
    for at in &corpus.chosen {
        rules(&engine, corpus, before, *at)?;
        before = *at + 1;
        let held = &corpus.sessions[*at];
        let options = EditOptions {
            filter: SessionFilter {
                paths: vec![held.path.clone()],
                everywhere: true,
                ..SessionFilter::default()
            },
            only: Some([held.session.clone()].into_iter().collect()),
            apart: true,
            ..EditOptions::default()
        };
        let report = engine.edit_with(model, &options, &|_| {}, &|_, _| {})?;
        if let Some(why) = &report.stopped {
            return Err(format!("{}: {why}", corpus.name).into());
        }
        reports.push(report);
    }
    rules(&engine, corpus, before, corpus.sessions.len().saturating_sub(1))?;
    Ok(Edited { engine, _folder: folder, reports })
}

/// Has rules read the sessions from one place to another, both included.
fn rules(engine: &Engine, corpus: &Corpus, from: usize, to: usize) -> Result<(), Failure> {
    let paths: Vec<_> =
        corpus.sessions.get(from..=to).unwrap_or_default().iter().map(|held| held.path.clone()).collect();
    if !paths.is_empty() {
        let filter = SessionFilter { paths, everywhere: true, ..SessionFilter::default() };
        engine.curate(&CurateOptions { filter, ..CurateOptions::default() }, &|_, _| {})?;
    }
    Ok(())
}
