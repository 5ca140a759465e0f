//! `lore spike`

mod asked;
mod run;
mod told;

use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::Subcommand;
use lore_core::{SpikeOutcome, SpikeState};
use lore_engine::Engine;
use lore_engine::spike::{Design, NewSpike, ReadAnswer};

use super::{Outcome, own_word};
use crate::error::{Code, Failure};
use crate::ui::Ui;

/// The schema of everything this command prints as JSON.
const SCHEMA: &str = "lore.spike/1";

#[derive(Debug, clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Example: lore spike \"Should we use mmap or read for large transcripts?\"\n         \
                  lore spike design mmap-or-read --criterion \"wall_ms of mmap < 0.9 x read\" --experiment plan.md\n         \
                  lore spike run mmap-or-read\n         \
                  lore spike decide mmap-or-read"
)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Option<Sub>,
    #[command(flatten)]
    new: NewArgs,
}

impl Args {
    /// Says what is asked, where a question is.
    pub(super) fn asked(&self) -> Option<String> {
        let question = match &self.command {
            Some(Sub::New(new)) => &new.question,
            None => &self.new.question,
            Some(_) => return None,
        };
        Some(question.join(" "))
    }
}

#[derive(Debug, clap::Args)]
struct NewArgs {
    /// The question, such as "Should we use X or Y for Z?"
    question: Vec<String>,
    /// Something to choose from that the question does not name; may be repeated
    #[arg(long = "alternative", value_name = "NAME")]
    alternatives: Vec<String>,
    /// The statement under test
    #[arg(long, value_name = "TEXT")]
    hypothesis: Option<String>,
    /// What has to come out, such as "wall_ms of X < 0.9 x Y"; may be repeated
    #[arg(long = "criterion", value_name = "TEXT")]
    criteria: Vec<String>,
    /// What limits the choice, such as "without a network"
    #[arg(long, value_name = "TEXT")]
    constraint: Option<String>,
    /// For how much, such as "10 thousand rows"
    #[arg(long, value_name = "TEXT")]
    scale: Option<String>,
    /// What to take where the numbers do not say; the first alternative where it is not given
    #[arg(long, value_name = "NAME")]
    simplest: Option<String>,
    /// Subject word; may be repeated
    #[arg(long = "tag", value_name = "TAG")]
    tags: Vec<String>,
    /// Session that asks, as `agent/id`: its next prompt is told the answer
    #[arg(long, value_name = "SESSION")]
    session: Option<String>,
    /// Make the workspace although the question is answered
    #[arg(long)]
    force: bool,
    /// Show what would be made and make nothing
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, Subcommand)]
enum Sub {
    /// Ask a question; the same as `lore spike "…"`
    New(NewArgs),
    /// Say what has to come out and what is run
    Design(DesignArgs),
    /// Run the experiment apart from your tree, or go on where it was interrupted
    Run(RunArgs),
    /// Show how far a run is
    Status(NameArgs),
    /// Compare what was measured with the criteria, and write the decision
    Decide(DecideArgs),
    /// List spikes, those that need something first
    #[command(visible_alias = "ls")]
    List(ListArgs),
    /// Show one spike
    Show(NameArgs),
    /// Put a spike away; its answer is not handed out any more
    Archive(ArchiveArgs),
    /// Take in spike workspaces of another tool
    Import(ImportArgs),
}

#[derive(Debug, clap::Args)]
struct NameArgs {
    /// Id, alias or path of the spike
    name: String,
}

#[derive(Debug, clap::Args)]
struct DesignArgs {
    /// Id, alias or path of the spike
    name: String,
    /// The statement under test
    #[arg(long, value_name = "TEXT")]
    hypothesis: Option<String>,
    /// What has to come out, instead of what stands there; may be repeated
    #[arg(long = "criterion", value_name = "TEXT")]
    criteria: Vec<String>,
    /// What to take where the numbers do not say
    #[arg(long, value_name = "NAME")]
    simplest: Option<String>,
    /// File with the text of EXPERIMENT.md, or `-` for standard input
    #[arg(long, value_name = "FILE")]
    experiment: Option<PathBuf>,
    /// Show what would change and change nothing
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, clap::Args)]
pub(super) struct RunArgs {
    /// Id, alias or path of the spike
    name: String,
    /// Say yes to the experiment with this hash, where nobody can be asked
    #[arg(long, value_name = "HASH")]
    confirm: Option<String>,
    /// Run in the background; `lore spike status` tells how far it is
    #[arg(long)]
    detach: bool,
    /// Show what would be run and run nothing
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, clap::Args)]
struct DecideArgs {
    /// Id, alias or path of the spike
    name: String,
    /// What came out, where it was read and not measured: confirmed, rejected, partial or inconclusive
    #[arg(long, requires = "answer", value_name = "WORD")]
    outcome: Option<String>,
    /// The answer in one sentence, where it was read and not measured
    #[arg(long, requires = "outcome", value_name = "TEXT")]
    answer: Option<String>,
    /// Where it was read
    #[arg(long, requires = "answer", value_name = "ADDRESS")]
    source: Option<String>,
    /// Show what would be decided and write nothing
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, clap::Args)]
struct ListArgs {
    /// Only in this state: hypothesis, designed, running, collected, concluded or archived
    #[arg(long, value_name = "STATE")]
    state: Option<String>,
    /// List what could be measured instead: gaps that signals tell of, and entries in dispute
    #[arg(long, conflicts_with = "state")]
    candidates: bool,
}

#[derive(Debug, clap::Args)]
struct ArchiveArgs {
    /// Id, alias or path of the spike
    name: String,
    /// Show what would be put away and put nothing away
    #[arg(long)]
    dry_run: bool,
}

#[derive(Debug, clap::Args)]
struct ImportArgs {
    /// Folder of workspaces, each with DESIGN.md, FINDINGS.md or DECISION.md
    path: PathBuf,
    /// Show what would be taken and take nothing
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(ui: &Ui, engine: Engine, args: Args) -> Outcome {
    match args.command.unwrap_or(Sub::New(args.new)) {
        Sub::New(args) => new(ui, &own_word(ui, engine), args),
        Sub::Design(args) => design(ui, &own_word(ui, engine), &args),
        Sub::Run(args) => run::run(ui, &own_word(ui, engine), &args),
        Sub::Status(args) => told::status(ui, &engine, &args.name),
        Sub::Decide(args) => decide(ui, &own_word(ui, engine), &args),
        Sub::List(args) => list(ui, &engine, &args),
        Sub::Show(args) => told::show(ui, &engine, &args.name),
        Sub::Archive(args) => {
            let view = own_word(ui, engine).archive_spike(&args.name, args.dry_run)?;
            told::moved(ui, &view, if args.dry_run { "would put away" } else { "put away" })
        }
        Sub::Import(args) => told::imported(ui, &engine.import_spikes(&args.path, args.dry_run)?),
    }
}

fn new(ui: &Ui, engine: &Engine, args: NewArgs) -> Outcome {
    let asked = engine.spike(
        NewSpike {
            question: args.question.join(" "),
            alternatives: args.alternatives,
            hypothesis: args.hypothesis,
            criteria: args.criteria,
            constraint: args.constraint,
            scale: args.scale,
            simplest: args.simplest,
            tags: args.tags,
            force: args.force,
            session: args.session,
        },
        args.dry_run,
    )?;
    if ui.is_json() {
        ui.json(SCHEMA, &asked);
    } else {
        asked::people(ui, engine, &asked);
    }
    Ok(Code::Done)
}

fn design(ui: &Ui, engine: &Engine, args: &DesignArgs) -> Outcome {
    let experiment = args.experiment.as_deref().map(text_of).transpose()?;
    let design = Design {
        hypothesis: args.hypothesis.clone(),
        criteria: args.criteria.clone(),
        simplest: args.simplest.clone(),
        experiment,
    };
    let view = engine.design_spike(&args.name, &design, args.dry_run)?;
    told::moved(ui, &view, if args.dry_run { "would change" } else { "changed" })
}

fn decide(ui: &Ui, engine: &Engine, args: &DecideArgs) -> Outcome {
    let decision = match (&args.outcome, &args.answer) {
        (Some(word), Some(answer)) => {
            let outcome = SpikeOutcome::from_word(word).ok_or_else(|| {
                let words: Vec<&str> = SpikeOutcome::ALL.iter().map(|one| one.word()).collect();
                Failure::usage(
                    format!("`{word}` is not an outcome"),
                    format!("say one of {}", words.join(", ")),
                )
            })?;
            let read = ReadAnswer { outcome, answer: answer.clone(), source: args.source.clone() };
            engine.conclude_spike(&args.name, &read, args.dry_run)?
        }
        _ => engine.decide_spike(&args.name, args.dry_run)?,
    };
    told::decided(ui, engine, &decision)
}

fn list(ui: &Ui, engine: &Engine, args: &ListArgs) -> Outcome {
    if args.candidates {
        return told::candidates(ui, &engine.spike_candidates()?);
    }
    let state = args.state.as_deref().map(|word| {
        SpikeState::from_word(word).ok_or_else(|| {
            let words: Vec<&str> = SpikeState::ALL.iter().map(|one| one.word()).collect();
            Failure::usage(format!("`{word}` is not a state"), format!("say one of {}", words.join(", ")))
        })
    });
    told::list(ui, engine, &engine.spikes(state.transpose()?)?)
}

/// Reads a file, or standard input.
fn text_of(path: &Path) -> Result<String, Failure> {
    let mut text = String::new();
    let read = match path.to_str() {
        Some("-") => std::io::stdin().lock().read_to_string(&mut text).map(drop),
        _ => std::fs::read_to_string(path).map(|read| text = read),
    };
    read.map_err(|error| Failure::environment(format!("cannot read `{}`", path.display()), &error))?;
    Ok(text)
}
