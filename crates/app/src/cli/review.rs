//! `lore review`

mod walk;

use std::io::IsTerminal as _;

use clap::Subcommand;
use lore_engine::Engine;
use lore_engine::curator::EditQuestion;
use lore_engine::review::{Cause, Pending, ReviewPage, Reviewed, Ruling};
use serde::Serialize;

use self::walk::walk;
use super::list::FilterArgs;
use super::{Outcome, edit, show};
use crate::error::{Code, Failure};
use crate::screen;
use crate::ui::{Tone, Ui, counted, cut, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  lore review\n  lore review keep use-postgresql\n  lore review reject noted-in-docs --why \"only mattered that day\"\n  lore review merge money-in-cents --into never-use-floating-point"
)]
pub(super) struct Args {
    #[command(subcommand)]
    action: Option<Action>,
    #[command(flatten)]
    filter: FilterArgs,
    /// Only what an editor wrote or changed: `model`, `agent`, or its name
    #[arg(long, value_name = "WHO")]
    by: Option<String>,
    /// Ask line by line instead of taking the whole screen
    #[arg(long)]
    plain: bool,
    /// Show at most this many
    #[arg(long, short = 'n', value_name = "N", default_value_t = 20)]
    limit: usize,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List what waits for you; also what `lore review` does where nobody can answer
    List,
    /// Show one entry with the sides of its dispute numbered
    Show {
        /// Id, alias, path, or the beginning of an id
        name: String,
    },
    /// Do what an editor proposes and only you may decide
    Grant {
        /// The question, such as `q-1f2e3d4c`
        name: String,
        /// Show what would be done and do nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Close a question; what it proposes is not proposed again
    Dismiss {
        /// The question, such as `q-1f2e3d4c`
        name: String,
        /// Show what would be done and do nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Confirm entries
    Keep {
        /// Ids, aliases, paths, or beginnings of ids
        #[arg(required = true)]
        names: Vec<String>,
        /// Show what would be done and do nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Remove entries for good; they do not come back
    Reject {
        /// Ids, aliases, paths, or beginnings of ids
        #[arg(required = true)]
        names: Vec<String>,
        /// Why; kept so that others understand
        #[arg(long, default_value = "not worth keeping")]
        why: String,
        /// Show what would be done and do nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Put what an entry says into another one
    Merge {
        /// The entry that goes
        name: String,
        /// The entry that stays
        #[arg(long, value_name = "NAME")]
        into: String,
        /// Show what would be done and do nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Say that another entry holds instead
    Supersede {
        /// The entry that no longer holds
        name: String,
        /// The entry that holds
        #[arg(long, value_name = "NAME")]
        by: String,
        /// Show what would be done and do nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Say which side of a dispute is right
    Settle {
        /// The disputed entry
        name: String,
        /// The number of the side that is right
        #[arg(long, value_name = "N")]
        side: usize,
        /// Show what would be done and do nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Say that all sides of a dispute are right, or that what was replaced holds beside what replaced it
    Both {
        /// The disputed entry, or either of the two
        name: String,
        /// Show what would be done and do nothing
        #[arg(long)]
        dry_run: bool,
    },
}

#[derive(Debug, Serialize)]
struct Listing<'a> {
    total: usize,
    disputed: usize,
    entries: &'a [Pending],
    questions: &'a [EditQuestion],
}

impl Args {
    /// Tells whether it goes through what waits with somebody who answers.
    pub(super) fn walks(&self) -> bool {
        self.action.is_none() && std::io::stdin().is_terminal()
    }
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: Args) -> Outcome {
    let one = |name: String, ruling: Ruling, dry_run: bool| rule(ui, engine, &[name], &ruling, dry_run);
    match args.action {
        Some(Action::Keep { names, dry_run }) => rule(ui, engine, &names, &Ruling::Keep, dry_run),
        Some(Action::Reject { names, why, dry_run }) => {
            rule(ui, engine, &names, &Ruling::Reject { why }, dry_run)
        }
        Some(Action::Merge { name, into, dry_run }) => one(name, Ruling::Merge { into }, dry_run),
        Some(Action::Supersede { name, by, dry_run }) => one(name, Ruling::Supersede { by }, dry_run),
        Some(Action::Settle { name, side, dry_run }) => {
            one(name, Ruling::Settle { side, says: None }, dry_run)
        }
        Some(Action::Both { name, dry_run }) => one(name, Ruling::Both, dry_run),
        Some(Action::Grant { name, dry_run }) => {
            decided(ui, "granted", &engine.grant(&name, dry_run)?, dry_run)
        }
        Some(Action::Dismiss { name, dry_run }) => {
            decided(ui, "dismissed", &engine.dismiss(&name, dry_run)?, dry_run)
        }
        Some(Action::Show { name }) if name.starts_with("q-") => show_question(ui, engine, &name),
        Some(Action::Show { name }) => show_one(ui, engine, &name),
        Some(Action::List) => list(ui, engine, args.filter, args.by.as_deref(), args.limit),
        None if ui.is_json() || !std::io::stdin().is_terminal() => {
            list(ui, engine, args.filter, args.by.as_deref(), args.limit)
        }
        None if args.plain || !std::io::stdout().is_terminal() || engine.world().has_dumb_terminal() => {
            walk(ui, engine, args.filter, args.by.as_deref())
        }
        None => on_screen(ui, engine, args.filter, args.by.as_deref()),
    }
}

/// Reviews on the whole screen; where nothing waits there is nothing to see.
fn on_screen(ui: &Ui, engine: &Engine, filter: FilterArgs, by: Option<&str>) -> Outcome {
    let waiting = |engine: &Engine| pending(engine, filter.clone(), by);
    if waiting(engine)?.is_empty() && engine.edit_questions().is_empty() {
        ui.note("Nothing waits for you.");
        return Ok(Code::Done);
    }
    let edit = |engine: &Engine, id: &str| edit::open(ui, engine, id).map(drop);
    screen::review(&screen::Outside { engine, waiting: &waiting, edit: &edit })?;
    Ok(Code::Done)
}

fn rule(ui: &Ui, engine: &Engine, names: &[String], ruling: &Ruling, dry_run: bool) -> Outcome {
    let done = engine.review_all(names, ruling, dry_run)?;
    if ui.is_json() {
        ui.json("lore.reviewed/1", &serde_json::json!({ "reviewed": done }));
    } else {
        done.iter().for_each(|one| ui.line(told(one)));
    }
    Ok(Code::Done)
}

/// Says in a word what was done.
pub(crate) const fn verb(ruling: &Ruling) -> &'static str {
    match ruling {
        Ruling::Keep => "kept",
        Ruling::Reject { .. } => "rejected",
        Ruling::Merge { .. } => "merged",
        Ruling::Supersede { .. } => "superseded",
        Ruling::Settle { .. } => "settled",
        Ruling::Both => "let hold",
    }
}

fn told(done: &Reviewed) -> String {
    let verb = verb(&done.ruling);
    let would = if done.dry_run { "would be " } else { "" };
    let other = match (&done.ruling, &done.other) {
        (Ruling::Merge { .. }, Some(other)) => {
            format!(" into {}", paint(Tone::Name, other.handle().as_str()))
        }
        (Ruling::Supersede { .. }, Some(other)) => {
            format!(" by {}", paint(Tone::Name, other.handle().as_str()))
        }
        _ => String::new(),
    };
    let id = paint(Tone::Name, done.id.handle().as_str());
    match done.ruling {
        Ruling::Both => format!("{}all sides hold: {id}", if done.dry_run { "then " } else { "" }),
        _ => format!("{would}{verb} {id}{other}"),
    }
}

fn decided(ui: &Ui, word: &str, question: &EditQuestion, dry_run: bool) -> Outcome {
    if ui.is_json() {
        ui.json(
            "lore.decided/1",
            &serde_json::json!({ "decided": word, "question": question, "dry_run": dry_run }),
        );
    } else {
        let would = if dry_run { "would be " } else { "" };
        ui.line(format!("{would}{word} {}  {}", paint(Tone::Name, &question.id), sanitised(&question.title)));
    }
    Ok(Code::Done)
}

/// Lists what waits, of one editor where that is wanted.
fn pending(engine: &Engine, filter: FilterArgs, by: Option<&str>) -> Result<Vec<Pending>, Failure> {
    let pending = engine.to_review(&filter.resolve(engine)?)?;
    Ok(match by {
        Some(by) => engine.reviewed_by(pending, by)?,
        None => pending,
    })
}

fn question_line(question: &EditQuestion) -> String {
    let title = paint(Tone::Strong, cut(&question.title, 60));
    let why = paint(Tone::Faint, cut(&question.question, 90));
    format!("{title}  {}\n  {why}", paint(Tone::Name, &question.id))
}

fn show_question(ui: &Ui, engine: &Engine, name: &str) -> Outcome {
    let question = engine.edit_question(name)?;
    if ui.is_json() {
        ui.json("lore.question/1", &question);
        return Ok(Code::Done);
    }
    ui.line(format!("{}  {}", paint(Tone::Strong, &question.title), paint(Tone::Name, &question.id)));
    ui.line(format!("{} ({})", sanitised(&question.question), sanitised(&question.by)));
    if let Some(entry) = &question.entry {
        ui.line(format!("about {}", paint(Tone::Name, entry.handle().as_str())));
        // What would change is shown as it stands.
        if let Ok(page) = engine.review_page(entry.as_str()) {
            let article = lore_core::Article::parse(&page.shown.entry.body);
            for claim in article.current() {
                ui.line(format!("  {}", paint(Tone::Bad, sanitised(&format!("- {}", claim.text)))));
            }
        }
    }
    if let Some(text) = &question.text {
        ui.line(format!("  {}", paint(Tone::Good, format!("+ {text}"))));
    }
    for line in &question.lines {
        let at = line.at.map(|at| format!(", {}", at.date())).unwrap_or_default();
        ui.line(paint(Tone::Faint, format!("  {}#L{} {}{at}", line.session, line.line, line.voice)));
        ui.line(format!("    {}", sanitised(&line.words)));
    }
    Ok(Code::Done)
}

fn list(ui: &Ui, engine: &Engine, filter: FilterArgs, by: Option<&str>, limit: usize) -> Outcome {
    let pending = pending(engine, filter, by)?;
    let questions = engine.edit_questions();
    let shown = &pending[..pending.len().min(limit)];
    let disputed = pending.iter().filter(|one| one.cause == Cause::Disputed).count();
    if ui.is_json() {
        ui.json(
            "lore.review/1",
            &Listing { total: pending.len(), disputed, entries: shown, questions: &questions },
        );
        return Ok(Code::Done);
    }
    if pending.is_empty() && questions.is_empty() {
        ui.note("Nothing waits for you.");
        return Ok(Code::Done);
    }
    for question in questions.iter().take(limit) {
        ui.line(question_line(question));
    }
    if !questions.is_empty() {
        ui.note(format!(
            "{} of an editor: `lore review show`, `grant` or `dismiss` takes the name",
            counted(questions.len(), "question", "questions")
        ));
    }
    let told = once(&pending);
    for one in told.iter().take(limit) {
        ui.line(super::list::line(&one.item));
        for other in &one.against {
            let id = paint(Tone::Name, other.id.handle().as_str());
            ui.line(format!("  {} {}  {id}", paint(Tone::Bad, "against"), cut(&other.title, 60)));
        }
        if one.cause == Cause::SetAside {
            ui.line(paint(Tone::Faint, "  set aside by an editor: `lore review keep` takes it up again"));
        }
        if let Some(rejected) = &one.rejected {
            ui.line(format!(
                "  {}",
                paint(
                    Tone::Warn,
                    sanitised(&format!("{rejected}; the edit stands until you keep or reject it"))
                )
            ));
        }
    }
    let wait = counted(told.len(), "waits", "wait");
    let disputed = told.iter().filter(|one| one.cause == Cause::Disputed).count();
    let replaced = pending.iter().filter(|one| one.cause == Cause::PossiblyReplaced).count();
    ui.note(format!("{wait} for you, {disputed} of them disputed, {replaced} possibly replaced"));
    Ok(Code::Done)
}

/// Leaves out whoever was told already as the other side of a dispute.
fn once(pending: &[Pending]) -> Vec<&Pending> {
    let mut told: Vec<&Pending> = Vec::new();
    for one in pending {
        let is_told = |other: &&Pending| other.against.iter().any(|against| against.id == one.item.id);
        if one.cause != Cause::Disputed || !told.iter().any(is_told) {
            told.push(one);
        }
    }
    told
}

fn show_one(ui: &Ui, engine: &Engine, name: &str) -> Outcome {
    let mut page = engine.review_page(name)?;
    if ui.is_json() {
        page.rests_on.iter_mut().for_each(|cited| engine.look_up(cited));
        let told = serde_json::json!({ "entry": page.shown, "sides": page.sides, "rests_on": page.rests_on });
        ui.json("lore.review-entry/1", &told);
        return Ok(Code::Done);
    }
    let ReviewPage { shown, sides, .. } = page;
    show::people(ui, &shown);
    if !sides.is_empty() {
        ui.line("");
        let heading = if shown.entry.status == lore_core::Status::Disputed {
            "Disputed; the sides are"
        } else {
            "Possibly replaced; what holds, and what held before"
        };
        ui.line(paint(Tone::Bad, heading));
    }
    for side in &sides {
        let said = side.said.as_deref().map(|said| format!(" ({said})")).unwrap_or_default();
        ui.line(format!("  {}. {}{}", side.number, sanitised(&side.text), paint(Tone::Faint, said)));
    }
    Ok(Code::Done)
}
