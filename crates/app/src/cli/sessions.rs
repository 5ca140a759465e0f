//! `lore sessions`

use std::path::PathBuf;

use clap::Subcommand;
use lore_core::session::Author;
use lore_engine::reference::{Meant, around, meanings};
use lore_engine::sessions::{Archive, SessionFilter, SessionItem, transcript};
use lore_engine::{Engine, Error};

use super::{Global, Outcome};
use crate::error::{Code, Failure};
use crate::ui::{Tone, Ui, counted, cut, paint, sanitised};

/// So many turns stand around a record that is named.
const AROUND: usize = 3;

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  lore sessions -n 5\n  lore sessions search \"retry queue\"")]
pub(super) struct Args {
    #[command(subcommand)]
    action: Option<Action>,
    /// File, folder or archive to read instead of the usual places
    #[arg(long, value_name = "PATH", global = true)]
    sessions: Option<PathBuf>,
    /// Only sessions of this agent, such as `claude-code`
    #[arg(long, global = true)]
    agent: Option<String>,
    /// Also sessions of other projects
    #[arg(long, global = true)]
    all: bool,
    /// Show at most this many
    #[arg(long, short = 'n', value_name = "N", global = true, default_value_t = 20)]
    limit: usize,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List sessions, newest first
    List,
    /// Print a session as a readable conversation
    Show {
        /// Id of the session, or its beginning; with `#L88` or `:88` only what stands around that record
        id: String,
    },
    /// Count what there is
    Stats,
    /// Find words in what people and agents said
    Search {
        /// The words
        words: String,
    },
}

pub(super) fn run(ui: &Ui, global: &Global, args: Args) -> Outcome {
    let archive = archive(global)?;
    let filter = SessionFilter {
        path: args.sessions,
        agent: args.agent,
        everywhere: args.all,
        ..SessionFilter::default()
    };
    match args.action.unwrap_or(Action::List) {
        Action::List => list(ui, &archive, &filter, args.limit),
        Action::Show { id } => show(ui, &archive, &filter, &id),
        Action::Stats => stats(ui, &archive, &filter),
        Action::Search { words } => search(ui, &archive, &filter, &words, args.limit),
    }
}

/// Sessions can be looked at before there is a base.
fn archive(global: &Global) -> Result<Archive, Failure> {
    match Engine::open(global.world()?) {
        Ok(engine) => Ok(engine.archive()?),
        Err(Error::NoBase(_)) => Ok(Archive::new(global.world()?)?),
        Err(error) => Err(error.into()),
    }
}

fn list(ui: &Ui, archive: &Archive, filter: &SessionFilter, limit: usize) -> Outcome {
    let progress = ui.progress("reading sessions");
    let mut list = archive.list(filter, &|done, total| progress.at(done, total))?;
    drop(progress);
    let total = list.sessions.len();
    list.sessions.truncate(limit);
    if ui.is_json() {
        ui.json(
            "lore.sessions/1",
            &serde_json::json!({ "total": total, "sessions": list.sessions, "unreadable": list.unreadable }),
        );
        return Ok(Code::Done);
    }
    for item in &list.sessions {
        line(ui, item);
    }
    for why in &list.unreadable {
        ui.note(format!("{} {}", paint(Tone::Warn, "left out:"), sanitised(why)));
    }
    if total == 0 {
        ui.note("No sessions of this project were found. `--all` looks at other projects, `--sessions PATH` elsewhere.");
    } else if total > limit {
        ui.note(format!("… and {} more (`-n N` shows more)", total - limit));
    }
    Ok(Code::Done)
}

fn line(ui: &Ui, item: &SessionItem) {
    let summary = &item.summary;
    let day = summary
        .started
        .map(|at| at.strftime("%Y-%m-%d %H:%M").to_string())
        .unwrap_or_else(|| "no date".to_owned());
    ui.line(format!("{}  {}", paint(Tone::Faint, &day), paint(Tone::Strong, cut(&summary.title, 60))));
    let short: String = summary.id.as_str().chars().take(36).collect();
    let facts = format!(
        "{}, {} by people, {} by the agent, {}",
        summary.agent,
        summary.person_turns,
        summary.agent_turns,
        counted(summary.tool_calls, "tool call", "tool calls")
    );
    ui.line(format!("  {}", paint(Tone::Name, short)));
    ui.line(format!("  {}", paint(Tone::Faint, facts)));
}

fn show(ui: &Ui, archive: &Archive, filter: &SessionFilter, id: &str) -> Outcome {
    let meant = meanings(id).into_iter().find_map(|meant| match meant {
        Meant::Session { id, line, .. } => Some((id, line)),
        _ => None,
    });
    let (id, line) = meant.unwrap_or_else(|| (id.to_owned(), None));
    let mut session = archive.session(filter, &id)?;
    if line.is_some() {
        session = around(&session, line, AROUND);
    }
    if ui.is_json() {
        ui.json("lore.session/1", &session);
        return Ok(Code::Done);
    }
    ui.line(format!(
        "{}  {}",
        paint(Tone::Strong, session.title.as_deref().unwrap_or("session")),
        paint(Tone::Name, session.id.as_str())
    ));
    ui.line(paint(
        Tone::Faint,
        format!("{} in {}", session.agent, session.directory.as_deref().unwrap_or("an unknown folder")),
    ));
    ui.line("");
    ui.print(transcript(&session));
    for diagnostic in &session.diagnostics {
        ui.note(format!("{} {diagnostic}", paint(Tone::Warn, "note:")));
    }
    Ok(Code::Done)
}

fn stats(ui: &Ui, archive: &Archive, filter: &SessionFilter) -> Outcome {
    let progress = ui.progress("reading sessions");
    let stats = archive.stats(filter, &|done, total| progress.at(done, total))?;
    drop(progress);
    if ui.is_json() {
        ui.json("lore.session-stats/1", &stats);
        return Ok(Code::Done);
    }
    for (agent, count) in &stats.agents {
        ui.line(format!("{count:>8}  sessions of {agent}"));
    }
    let figures = [
        (stats.person_turns as u64, "messages of people"),
        (stats.agent_turns as u64, "messages of agents"),
        (stats.tool_calls as u64, "tool calls"),
        (stats.failed_calls as u64, "of them failed"),
        (stats.rejected_calls as u64, "of them refused by a person"),
        (stats.redactions, "values redacted"),
        (stats.diagnostics as u64, "oddities in the files"),
        (stats.bytes, "bytes"),
    ];
    for (figure, what) in figures {
        ui.line(format!("{figure:>8}  {what}"));
    }
    Ok(Code::Done)
}

fn search(ui: &Ui, archive: &Archive, filter: &SessionFilter, words: &str, limit: usize) -> Outcome {
    let progress = ui.progress("searching sessions");
    let quotes = archive.search(filter, words, &|done, total| progress.at(done, total))?;
    drop(progress);
    let shown = &quotes[..quotes.len().min(limit)];
    if ui.is_json() {
        ui.json("lore.session-search/1", &serde_json::json!({ "total": quotes.len(), "quotes": shown }));
        return Ok(if quotes.is_empty() { Code::No } else { Code::Done });
    }
    for quote in shown {
        let who = match quote.author {
            Author::Person => paint(Tone::Good, "person"),
            Author::Agent => paint(Tone::Name, "agent "),
            Author::Tool | Author::System => paint(Tone::Faint, "other "),
        };
        let place = quote.session.short();
        ui.line(format!("{}:{:<5} {who} {}", paint(Tone::Faint, place), quote.line, cut(&quote.text, 58)));
    }
    if quotes.is_empty() {
        ui.note(format!("Nobody said \"{words}\" in the sessions that were read."));
        return Ok(Code::No);
    }
    if quotes.len() > limit {
        ui.note(format!("… and {} more (`-n N` shows more)", quotes.len() - limit));
    }
    Ok(Code::Done)
}
