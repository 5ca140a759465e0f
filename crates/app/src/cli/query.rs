//! `lore query`

use lore_core::Status;
use lore_core::handle::shown;
use lore_core::recall::{Hit, Query};
use lore_engine::Engine;
use lore_engine::query::{Found, Said};

use super::projects::Projects;
use super::{Outcome, words, written};
use crate::error::{Code, Failure};
use crate::ui::{Tone, Ui, cut, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: lore query \"session locking\" --type decision --files src/lock.rs --explain"
)]
pub(super) struct Args {
    /// What you want to know, in any words
    text: Vec<String>,
    /// Only this kind; may be repeated
    #[arg(long = "type", short = 't', value_name = "KIND", value_parser = words::kinds())]
    kinds: Vec<String>,
    /// Prefer this part of the system
    #[arg(long)]
    domain: Option<String>,
    /// Only with this tag or one below it; may be repeated
    #[arg(long)]
    tag: Vec<String>,
    /// What is known about this file comes first; may be repeated
    #[arg(long = "files", value_name = "FILE")]
    files: Vec<String>,
    /// What belongs to this issue comes first
    #[arg(long)]
    issue: Option<String>,
    /// Only what changed on or after this day: `2026-01-31`, `7d`, `yesterday`, `monday`
    #[arg(long, value_name = "DATE")]
    since: Option<String>,
    /// Leave out what is old or no longer current
    #[arg(long)]
    fresh: bool,
    #[command(flatten)]
    projects: Projects,
    /// Show at most this many
    #[arg(long, short = 'n', value_name = "N")]
    limit: Option<usize>,
    /// Show why each entry is where it is
    #[arg(long)]
    explain: bool,
}

impl Args {
    /// Says what was asked, in words.
    pub(super) fn asked(&self) -> String {
        self.text.join(" ")
    }
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: Args) -> Outcome {
    let kinds: Result<Vec<_>, _> = args.kinds.iter().map(|word| word.parse()).collect();
    let query = Query {
        text: args.text.join(" "),
        kinds: kinds.map_err(lore_engine::Error::from)?,
        domain: args.domain,
        tags: args.tag,
        since: args.since.as_deref().map(|text| engine.looking_back(text)).transpose()?,
        files: engine.all_from_project(&args.files)?,
        issue: args.issue.map(|issue| issue.trim_start_matches('#').to_owned()),
        fresh: args.fresh,
        limit: args.limit,
        ..Query::default()
    };
    // Without words, filters may still say what is wanted.
    let filters = Query { text: String::new(), limit: None, fresh: false, ..query.clone() };
    if query.text.trim().is_empty() && filters == Query::default() {
        let hint = "say it in words: lore query \"session locking\"; `lore list` shows every entry";
        return Err(Failure::usage("there is nothing to look for", hint));
    }
    let found = engine.query_across(&query, &args.projects.across())?;
    if ui.is_json() {
        ui.json("lore.query/1", &found);
    } else {
        people(ui, &found, args.explain);
    }
    Ok(if found.hits.is_empty() { Code::No } else { Code::Done })
}

/// Prints the hits, best first.
pub(super) fn people(ui: &Ui, found: &Found, explain: bool) {
    for hit in &found.hits {
        one(ui, hit, explain);
    }
    if let Some(nothing) = &found.nothing {
        ui.note(nothing);
    }
    written::beside(ui, &found.written);
    said(ui, &found.said);
}

/// Prints what was said in past sessions, apart from what was curated.
fn said(ui: &Ui, said: &[Said]) {
    if said.is_empty() {
        return;
    }
    ui.line(paint(Tone::Warn, "Said in past sessions (uncurated)"));
    for one in said {
        let who = one.voice.word();
        let day = one.at.map(|at| format!(", {}", at.date())).unwrap_or_default();
        ui.line(format!("  {}", sanitised(&one.text.replace('\n', " "))));
        ui.line(format!("  {}", paint(Tone::Faint, format!("({who}{day}, {})", one.source))));
    }
}

fn one(ui: &Ui, hit: &Hit, explain: bool) {
    let status = match hit.status {
        Status::Current if hit.unreviewed => format!(" {}", paint(Tone::Faint, "unreviewed")),
        Status::Current => String::new(),
        Status::Disputed => format!(" {}", paint(Tone::Bad, "disputed")),
        other => format!(" {}", paint(Tone::Warn, other.word())),
    };
    ui.line(format!("{}{status}", paint(Tone::Strong, cut(&hit.title, 66))));
    let project = hit.project.as_ref().map(|name| format!("  in {name}")).unwrap_or_default();
    let day = hit.changed.map(|at| format!("  {}", at.date())).unwrap_or_default();
    ui.line(format!(
        "  {}{}",
        paint(Tone::Name, hit.id.handle().as_str()),
        paint(Tone::Faint, format!("{day}{project}"))
    ));
    if !hit.snippet.is_empty() {
        ui.line(format!("  {}", sanitised(&hit.snippet)));
    }
    if let Some(why) = &hit.broken {
        ui.line(format!("  {} {}", paint(Tone::Bad, "no longer holds:"), sanitised(why)));
    }
    for newer in &hit.replaced_by {
        ui.line(format!("  replaced by {}", paint(Tone::Name, shown(newer))));
    }
    if explain {
        ui.line(format!("  {}", lore_engine::query::arithmetic(hit)));
        for why in &hit.why {
            ui.line(format!("    {}", sanitised(why)));
        }
    }
}
