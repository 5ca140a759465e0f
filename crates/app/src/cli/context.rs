//! `lore context`

use lore_core::handle::shown;
use lore_engine::Engine;
use lore_engine::context::{Considered, Context, ContextOptions, Occasion};

use super::Outcome;
use super::projects::Projects;
use crate::error::Code;
use crate::ui::{Tone, Ui, counted, cut, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  lore context \"why do refunds fail after 24 hours\" --debug\n  lore context --file src/refunds.rs"
)]
pub(super) struct Args {
    /// What the agent is asked to do; without it only preferences are shown
    #[arg(value_name = "PROMPT")]
    words: Vec<String>,
    /// The same, as an option
    #[arg(long, short = 'p', default_value = "", conflicts_with = "words")]
    prompt: String,
    /// Session in which nothing is to be said twice
    #[arg(long, value_name = "ID")]
    session: Option<String>,
    /// Tokens it may cost, instead of the setting
    #[arg(long, value_name = "N")]
    budget: Option<usize>,
    /// Only what is known about the prompt, without preferences
    #[arg(long)]
    only_prompt: bool,
    /// What it is told before it changes this file
    #[arg(long, value_name = "PATH", conflicts_with_all = ["prompt", "words"])]
    file: Vec<String>,
    /// Show every entry that was considered, and why it is in or out
    #[arg(long)]
    debug: bool,
    #[command(flatten)]
    projects: Projects,
}

impl Args {
    /// Says what was asked, in words.
    pub(super) fn asked(&self) -> Option<String> {
        self.session.is_none().then(|| format!("{}{}", self.prompt(), self.file.join(" ")))
    }

    fn prompt(&self) -> String {
        if self.words.is_empty() { self.prompt.clone() } else { self.words.join(" ") }
    }
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: Args) -> Outcome {
    let occasion = match &args {
        Args { file, .. } if !file.is_empty() => Occasion::Files(file.clone()),
        Args { only_prompt: true, .. } => Occasion::Prompt(args.prompt()),
        _ => Occasion::Whole(args.prompt()),
    };
    let options = ContextOptions {
        session: args.session,
        budget: args.budget,
        debug: args.debug || engine.debugs_context(),
        across: args.projects.across(),
        ..ContextOptions::new(occasion)
    };
    let context = engine.context(&options)?;
    // Whoever names a session is an agent or acts for one.
    if let Some(session) = &options.session {
        let (_, asked) = options.occasion.told_as();
        engine.tell_context(session, "context", &asked, &context);
    }
    if ui.is_json() {
        ui.json("lore.context/1", &context);
    } else {
        people(ui, &context);
    }
    Ok(if context.is_silent() { Code::No } else { Code::Done })
}

/// Prints the text as an agent gets it, and talks about it beside it.
pub(super) fn people(ui: &Ui, context: &Context) {
    if context.is_silent() {
        let why = context.silent.as_deref().unwrap_or("there is nothing to say");
        ui.note(format!("Nothing would be said: {}.", sanitised(why)));
    } else {
        ui.line(sanitised(&context.text));
        let over = if context.over_budget { ", more than allowed because of what is disputed" } else { "" };
        ui.note(format!(
            "{} tokens of {}{over}; {}, {}, {} left out for lack of room",
            context.tokens,
            context.budget,
            counted(context.items.len(), "entry", "entries"),
            counted(context.quotations(), "quotation", "quotations"),
            context.dropped.len()
        ));
    }
    considered(ui, &context.considered);
}

/// Lists every entry that was considered.
pub(super) fn considered(ui: &Ui, entries: &[Considered]) {
    if entries.is_empty() {
        return;
    }
    ui.line(format!("\n{}", paint(Tone::Strong, "Considered")));
    for one in entries {
        let verdict = match one.verdict {
            lore_engine::context::Verdict::In => paint(Tone::Good, "in "),
            lore_engine::context::Verdict::Out => paint(Tone::Faint, "out"),
        };
        ui.line(format!(
            "{verdict} {:.2}  words {:.0} %  meaning {:.2}  {}  {}",
            one.score,
            one.coverage * 100.0,
            one.semantic,
            paint(Tone::Name, shown(&one.id)),
            one.status
        ));
        ui.line(format!("     {}", sanitised(&cut(&one.why, 74))));
        if let Some(freshness) = &one.freshness {
            ui.line(format!("     {}", sanitised(&cut(freshness, 74))));
        }
    }
}
