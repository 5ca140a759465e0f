//! `lore surface`

use lore_engine::Engine;
use lore_engine::surfacing::{Role, Surfaced, Task};

use super::projects::Projects;
use super::{Outcome, context, words};
use crate::error::{Code, Failure};
use crate::ui::{Tone, Ui, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example: lore surface --role researcher --task \"choose a queue for mails\" --chain mails\n         \
                        lore surface --role executor --task \"send mails\" --error \"connection refused\"\n         \
                        lore surface --role planner --task \"retry failed payments\" --all-projects"
)]
pub(super) struct Args {
    /// Who asks: researcher, planner, debugger or executor
    #[arg(long, value_parser = words::roles())]
    role: String,
    /// What is to be done
    #[arg(long, default_value = "")]
    task: String,
    /// What went wrong, in the words of the machine
    #[arg(long)]
    error: Option<String>,
    /// How it is to be done, so that entries that speak against it are named
    #[arg(long)]
    approach: Option<String>,
    /// Chain of steps it belongs to: later ones get only what is new, and earlier conclusions
    #[arg(long, value_name = "NAME")]
    chain: Option<String>,
    /// Hand a conclusion on to the later steps of the chain, instead of asking
    #[arg(long, value_name = "TEXT", requires = "chain")]
    conclude: Option<String>,
    /// Tokens it may cost, instead of the role's
    #[arg(long, value_name = "N")]
    budget: Option<usize>,
    /// Only this base, without your personal one
    #[arg(long, conflicts_with_all = ["project", "all_projects"])]
    only_here: bool,
    #[command(flatten)]
    projects: Projects,
    /// Raw signals too
    #[arg(long)]
    signals: bool,
    /// Show every entry that was considered, and why it is in or out
    #[arg(long)]
    debug: bool,
}

impl Args {
    /// Says what was asked, in words.
    pub(super) fn asked(&self) -> Option<String> {
        self.conclude.is_none().then(|| self.task.clone())
    }
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: Args) -> Outcome {
    let words: Vec<&str> = Role::ALL.iter().map(|role| role.word()).collect();
    let role: Role = args.role.parse().map_err(|_| {
        Failure::usage(format!("`{}` is not a role", args.role), format!("say one of {}", words.join(", ")))
    })?;
    if let (Some(chain), Some(text)) = (&args.chain, &args.conclude) {
        let conclusion = engine.conclude(chain, role, text)?;
        if ui.is_json() {
            ui.json("lore.conclude/1", &conclusion);
        } else {
            ui.line(format!("handed on to the later steps of {}", paint(Tone::Name, chain)));
        }
        return Ok(Code::Done);
    }
    let task = Task {
        error: args.error,
        approach: args.approach,
        chain: args.chain,
        budget: args.budget,
        only_here: args.only_here,
        across: args.projects.across(),
        signals: args.signals,
        debug: args.debug || engine.debugs_context(),
        ..Task::new(role, args.task)
    };
    let surfaced = engine.surface(&task)?;
    if ui.is_json() {
        ui.json("lore.surface/1", &surfaced);
    } else {
        people(ui, &surfaced);
    }
    Ok(if surfaced.items.is_empty() && surfaced.carried.is_empty() { Code::No } else { Code::Done })
}

fn people(ui: &Ui, surfaced: &Surfaced) {
    ui.line(sanitised(&surfaced.text));
    ui.note(format!(
        "{} tokens of {}; {} left out for lack of room",
        surfaced.tokens,
        surfaced.budget,
        surfaced.dropped.len()
    ));
    context::considered(ui, &surfaced.considered);
}
