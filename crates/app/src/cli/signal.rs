//! `lore signal`

use clap::Subcommand;
use lore_core::{LifecycleState, Severity, SignalType};
use lore_engine::Engine;
use lore_engine::signals::{MoveRequest, NewSignal, SignalFilter, SignalItem, SignalMove, SignalView};

use super::Outcome;
use crate::error::{Code, Failure};
use crate::ui::{Tone, Ui, cut, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  lore signal add \"The build needs two tries\" --type struggle --severity low\n  lore signal list --severity high\n  lore signal triage sig-7kq2 --why \"pin the compiler\""
)]
pub(super) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Write down what went wrong, or well
    Add(AddArgs),
    /// List signals, the worst first
    List(ListArgs),
    /// Show one signal, or a note that waits
    Show {
        /// Its id, short name or the name of a note
        id: String,
    },
    /// Decide that something is to be done about it; keeps a note as a signal
    Triage(MoveArgs),
    /// Say that it waits for something else
    Block(MoveArgs),
    /// Say that a remedy is in place
    Remediate(MoveArgs),
    /// Say that it did not come back
    Verify(MoveArgs),
    /// Say that it was never a problem
    Invalidate(MoveArgs),
}

#[derive(Debug, clap::Args)]
struct AddArgs {
    /// What happened, in a few words
    title: String,
    /// deviation, frustration, struggle, config, good-pattern, …
    #[arg(long = "type", short = 't', value_name = "TYPE")]
    signal_type: Option<String>,
    /// low, medium, high or critical
    #[arg(long, short, value_name = "SEVERITY")]
    severity: Option<String>,
    /// What happened, in sentences
    #[arg(long, value_name = "TEXT", default_value = "")]
    what: String,
    /// What was going on
    #[arg(long, value_name = "TEXT", default_value = "")]
    context: String,
    /// What may be behind it
    #[arg(long, value_name = "TEXT", default_value = "")]
    cause: String,
    /// What to do about it, or what helped; lessons are made of this
    #[arg(long, value_name = "TEXT", default_value = "")]
    remedy: String,
    /// The phase it happened in
    #[arg(long)]
    phase: Option<String>,
    /// The plan it happened in
    #[arg(long)]
    plan: Option<String>,
    /// Subject words
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// Files it is about
    #[arg(long = "file", value_name = "PATH")]
    files: Vec<String>,
    /// It tells of something that went well
    #[arg(long)]
    positive: bool,
    /// Show what would be written and write nothing
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, clap::Args)]
struct ListArgs {
    /// Only in this state: detected, triaged, blocked, remediated, verified, invalidated
    #[arg(long)]
    state: Option<String>,
    /// Only of this sort
    #[arg(long = "type", short = 't', value_name = "TYPE")]
    signal_type: Option<String>,
    /// Only as bad as this or worse
    #[arg(long, short, value_name = "SEVERITY")]
    severity: Option<String>,
    /// Also what lies in the archive
    #[arg(long)]
    all: bool,
    /// Also notes that wait in untracked state
    #[arg(long)]
    notes: bool,
    /// Show at most this many
    #[arg(long, short = 'n', value_name = "N", default_value_t = 30)]
    limit: usize,
}

#[derive(Debug, clap::Args)]
struct MoveArgs {
    /// Its id, short name or the name of a note
    id: String,
    /// Why
    #[arg(long, short = 'm', value_name = "TEXT")]
    why: Option<String>,
    /// Show what would happen and write nothing
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: Args) -> Outcome {
    match args.action {
        Action::Add(args) => add(ui, engine, args),
        Action::List(args) => list(ui, engine, &args),
        Action::Show { id } => show(ui, engine, &id),
        Action::Triage(args) => go(ui, engine, args, SignalMove::Triage),
        Action::Block(args) => go(ui, engine, args, SignalMove::Block),
        Action::Remediate(args) => go(ui, engine, args, SignalMove::Remediate),
        Action::Verify(args) => go(ui, engine, args, SignalMove::Verify),
        Action::Invalidate(args) => go(ui, engine, args, SignalMove::Invalidate),
    }
}

fn add(ui: &Ui, engine: &Engine, args: AddArgs) -> Outcome {
    let told = NewSignal {
        title: args.title,
        signal_type: args.signal_type.as_deref().map(signal_type).transpose()?,
        severity: args.severity.as_deref().map(severity).transpose()?,
        positive: args.positive,
        happened: args.what,
        context: args.context,
        cause: args.cause,
        remedy: args.remedy,
        phase: args.phase,
        plan: args.plan,
        tags: args.tags,
        files: args.files,
    };
    let done = engine.add_signal(&told, args.dry_run)?;
    if ui.is_json() {
        ui.json("lore.signal/1", &done);
        return Ok(Code::Done);
    }
    let would = if done.dry_run { "would be written:" } else { "written:" };
    ui.line(format!(
        "{} {}  {}",
        paint(Tone::Good, would),
        paint(Tone::Name, done.id.handle().as_str()),
        paint(Tone::Faint, &done.path)
    ));
    Ok(Code::Done)
}

fn list(ui: &Ui, engine: &Engine, args: &ListArgs) -> Outcome {
    let filter = SignalFilter {
        state: args.state.as_deref().map(state).transpose()?,
        signal_type: args.signal_type.as_deref().map(signal_type).transpose()?,
        severity: args.severity.as_deref().map(severity).transpose()?,
        archived: args.all,
        notes: args.notes,
    };
    let mut found = engine.signals(&filter)?;
    let total = found.len();
    found.truncate(args.limit);
    if ui.is_json() {
        ui.json("lore.signals/1", &serde_json::json!({ "total": total, "signals": found }));
        return Ok(Code::Done);
    }
    for item in &found {
        line(ui, item);
    }
    if total == 0 {
        ui.note("No signals. `lore sense` looks for friction in sessions, plans and history.");
    } else if total > found.len() {
        ui.note(format!("… and {} more (`-n N` shows more)", total - found.len()));
    }
    Ok(Code::Done)
}

fn line(ui: &Ui, item: &SignalItem) {
    let worst = item.severity.is_some_and(|severity| severity >= Severity::High);
    let severity = item.severity.map_or("-", Severity::word);
    let times = if item.times > 1 { format!(" ×{}", item.times) } else { String::new() };
    ui.line(format!(
        "{} {} {}{times}",
        paint(if worst { Tone::Bad } else { Tone::Warn }, format!("{severity:<8}")),
        paint(Tone::Faint, format!("{:<11}", item.state.map_or("note", LifecycleState::word))),
        paint(Tone::Strong, sanitised(&cut(&item.title, 70))),
    ));
    let sort = item.signal_type.map_or("", SignalType::word);
    let own = if item.personal { ", your own" } else { "" };
    let at = item.updated.as_deref().unwrap_or("no date");
    ui.line(format!(
        "  {}  {}",
        paint(Tone::Name, &item.handle),
        paint(Tone::Faint, format!("{sort}, {at}{own}"))
    ));
}

fn show(ui: &Ui, engine: &Engine, id: &str) -> Outcome {
    let view = engine.signal(id)?;
    if ui.is_json() {
        ui.json("lore.signal/1", &view);
        return Ok(Code::Done);
    }
    match &view {
        SignalView::Signal { path, text, chain, .. } => {
            ui.line(paint(Tone::Faint, path));
            ui.line(sanitised(text.trim_end()));
            for other in chain {
                ui.line(format!("same trouble: {}", paint(Tone::Name, other)));
            }
        }
        SignalView::Note(note) => {
            ui.line(format!(
                "{}  {} {}",
                paint(Tone::Name, &note.id),
                paint(Tone::Warn, note.severity.word()),
                paint(Tone::Strong, sanitised(&note.title))
            ));
            for text in [&note.happened, &note.context].into_iter().filter(|text| !text.is_empty()) {
                ui.line(sanitised(text));
            }
            for one in &note.occasions {
                let day = one.at.map_or_else(String::new, |at| at.strftime("%Y-%m-%d").to_string());
                let place = format!("  {day} {} {} line {}", one.agent, one.session, one.line);
                ui.line(paint(Tone::Faint, place));
            }
            ui.note(format!("A note on this machine; `lore signal triage {}` keeps it.", note.id));
        }
    }
    Ok(Code::Done)
}

fn go(ui: &Ui, engine: &Engine, args: MoveArgs, what: SignalMove) -> Outcome {
    let request = MoveRequest { name: args.id, what, why: args.why, dry_run: args.dry_run };
    let moved = engine.move_signal(&request)?;
    if ui.is_json() {
        ui.json("lore.signal/1", &moved);
        return Ok(Code::Done);
    }
    let would = if moved.dry_run { "would go" } else { "goes" };
    ui.line(format!(
        "{} {would} from {} to {}  {}",
        paint(Tone::Name, moved.id.handle().as_str()),
        moved.from,
        paint(Tone::Good, moved.to.word()),
        sanitised(&cut(&moved.title, 60))
    ));
    ui.line(format!("  {}", paint(Tone::Faint, &moved.line)));
    Ok(Code::Done)
}

fn signal_type(word: &str) -> Result<SignalType, Failure> {
    let known: Vec<&str> = SignalType::ALL.iter().map(|one| one.word()).collect();
    let hint = format!("say one of {}", known.join(", "));
    SignalType::from_word(word)
        .ok_or_else(|| Failure::usage(format!("`{word}` is not a sort of signal"), hint))
}

fn severity(word: &str) -> Result<Severity, Failure> {
    Severity::from_word(word).ok_or_else(|| {
        Failure::usage(format!("`{word}` is not a severity"), "say `low`, `medium`, `high` or `critical`")
    })
}

fn state(word: &str) -> Result<LifecycleState, Failure> {
    let known: Vec<&str> = LifecycleState::ALL.iter().map(|one| one.word()).collect();
    let hint = format!("say one of {}", known.join(", "));
    LifecycleState::from_word(word).ok_or_else(|| Failure::usage(format!("`{word}` is not a state"), hint))
}
