//! `lore doctor`

use lore_engine::World;
use lore_engine::doctor::{AgentHealth, BaseHealth, Examination, examine};

use super::{Outcome, install};
use crate::error::Code;
use crate::ui::{Tone, Ui, counted, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(after_help = "Ends with 1 where something does not work, so that scripts can tell.\n\n\
                        Example: lore doctor --json")]
pub(super) struct Args {
    /// Also print what a session that begins now is told
    #[arg(long)]
    told: bool,
}

pub(super) fn run(ui: &Ui, world: &World, args: &Args) -> Outcome {
    let found = examine(world)?;
    if ui.is_json() {
        ui.json("lore.doctor/1", &found);
    } else {
        people(ui, &found, args.told);
    }
    Ok(if found.is_ill() { Code::No } else { Code::Done })
}

fn people(ui: &Ui, found: &Examination, told: bool) {
    let path = match &found.on_path {
        Some(path) => format!("agents start {}", path.display()),
        None => "not on the PATH".to_owned(),
    };
    row(ui, "program", &format!("{}, {path}", env!("CARGO_PKG_VERSION")));
    if let Some(base) = &found.base {
        state(ui, base);
    }
    ui.line("");
    for agent in &found.agents {
        if !agent.state.installed.is_empty() || agent.last_heard.is_some() || agent.state.found.is_some() {
            row(ui, agent.state.agent, &standing(agent));
        }
    }
    ui.line("");
    if found.findings.is_empty() {
        ui.line(paint(Tone::Good, "Everything is in place."));
    }
    for finding in &found.findings {
        let (tone, word) = if finding.grave { (Tone::Bad, "wrong") } else { (Tone::Warn, "note ") };
        ui.line(format!("{}  {}", paint(tone, word), sanitised(&finding.what)));
        ui.line(format!("       {}", sanitised(&finding.hint)));
    }
    if let Some(base) = found.base.as_ref().filter(|_| told) {
        ui.line(format!("\n{}", paint(Tone::Strong, "What a session that begins now is told")));
        ui.line(if base.start.is_empty() { "nothing".into() } else { sanitised(&base.start) });
    }
}

fn state(ui: &Ui, base: &BaseHealth) {
    row(ui, "base", &base.root.display().to_string());
    row(ui, "index", &base.index);
    let due = match base.after_sessions {
        0 => "not by itself".to_owned(),
        after => format!("at {after}"),
    };
    row(
        ui,
        "sessions",
        &format!(
            "{} under way, {} to be curated ({due})",
            base.running,
            counted(base.waiting, "waits", "wait")
        ),
    );
    let worker = match &base.worker {
        _ if base.working => "at it now".to_owned(),
        None => "never ran".to_owned(),
        Some(run) => format!(
            "{}: {}, {} made, {} changed",
            run.at.strftime("%Y-%m-%d %H:%M"),
            counted(run.sessions, "session", "sessions"),
            counted(run.created, "article", "articles"),
            run.updated
        ),
    };
    row(ui, "worker", &worker);
    if base.index == "in step" {
        row(ui, "start", &format!("{} tokens (`lore doctor --told` shows them)", base.tokens));
    }
}

fn standing(agent: &AgentHealth) -> String {
    let mut parts: Vec<String> = agent.state.installed.iter().map(install::standing).collect();
    if parts.is_empty() {
        parts.push("not wired".to_owned());
    }
    match &agent.last_heard {
        Some(heard) => {
            parts.push(format!(
                "last heard {} ({})",
                heard.at.strftime("%Y-%m-%d %H:%M"),
                sanitised(&heard.event)
            ));
        }
        None if !agent.state.installed.is_empty() => parts.push("never heard of".to_owned()),
        None => {}
    }
    parts.join("; ")
}

fn row(ui: &Ui, name: &str, text: &str) {
    ui.line(format!("{}  {}", paint(Tone::Strong, format!("{name:<12}")), sanitised(text)));
}
