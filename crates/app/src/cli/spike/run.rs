//! `lore spike run`: only after a person's yes to exactly this experiment.

use std::process::{Command, Stdio};

use lore_engine::spike::ExperimentShown;
use lore_engine::{Asker, Engine, Presence, env};

use super::{RunArgs, SCHEMA, told};
use crate::cli::{Outcome, presence};
use crate::error::{Code, Failure};
use crate::ui::{Tone, Ui, counted, paint, sanitised};

pub(super) fn run(ui: &Ui, engine: &Engine, args: &RunArgs) -> Outcome {
    let shown = engine.experiment(&args.name)?;
    if args.dry_run {
        if ui.is_json() {
            ui.json(SCHEMA, &shown);
        } else {
            ui.line(sanitised(&shown.text));
            let said = if shown.confirmed { "confirmed" } else { "not confirmed yet" };
            ui.line(paint(Tone::Faint, format!("hash {}, {said}", shown.hash)));
        }
        return Ok(Code::Done);
    }
    engine.only_what_can_be_run(&args.name)?;
    match &args.confirm {
        Some(hash) => engine.confirm_experiment(&args.name, hash)?,
        None if !shown.confirmed => ask(ui, engine, &args.name, &shown)?,
        None => {}
    }
    if args.detach {
        return detach(ui, engine, &args.name);
    }
    let progress = ui.progress("measuring");
    let report = engine.run_spike(&args.name, &|done, total| progress.at(u64::from(done), u64::from(total)));
    drop(progress);
    let report = report?;
    if ui.is_json() {
        ui.json(SCHEMA, &report);
        return Ok(Code::Done);
    }
    for note in &report.notes {
        ui.line(format!("{} {}", paint(Tone::Warn, "note:"), sanitised(note)));
    }
    let resumed = if report.resumed > 0 {
        format!(", {} there already", counted(report.resumed, "was", "were"))
    } else {
        String::new()
    };
    ui.line(format!("{} made{resumed}", counted(report.made, "run", "runs")));
    told::moved(ui, &report.spike, "measured")
}

/// Shows the experiment and asks a person at their terminal; a flag could be given by anybody.
fn ask(ui: &Ui, engine: &Engine, name: &str, shown: &ExperimentShown) -> Result<(), Failure> {
    let is_seen = presence() == Presence::AtTerminal;
    if !is_seen || ui.is_json() || *engine.asker() != Asker::Person {
        // The engine refuses it and says what to do.
        return Ok(());
    }
    ui.note(sanitised(&shown.text));
    ui.note("This is run on your machine, in a place of its own. Run it? [y/N]");
    let mut answer = String::new();
    let yes = std::io::stdin().read_line(&mut answer).is_ok()
        && matches!(answer.trim().to_lowercase().as_str(), "y" | "yes");
    if yes {
        engine.confirm_experiment(name, &shown.hash)?;
    }
    Ok(())
}

/// Starts ourselves again, in a group of our own and without our streams.
fn detach(ui: &Ui, engine: &Engine, name: &str) -> Outcome {
    let shown = engine.experiment(name)?;
    if !shown.confirmed {
        let hint = format!("say yes first: lore spike run {name} --detach --confirm {}", shown.hash);
        return Err(Failure::usage("nobody has confirmed this experiment", hint));
    }
    let program = env::program()
        .ok_or_else(|| Failure::usage("cannot tell where `lore` lies", "run it without --detach"))?;
    let mut command = Command::new(program);
    command.args(["--quiet", "spike", "run", &shown.id]).env(env::LORE_BASE, engine.root());
    command.current_dir(engine.project());
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt as _;
        command.process_group(0);
    }
    let child =
        command.spawn().map_err(|error| Failure::environment("cannot run in the background", &error))?;
    if ui.is_json() {
        ui.json(SCHEMA, &serde_json::json!({ "detached": true, "process": child.id(), "id": shown.id }));
    } else {
        ui.line(format!("it runs in the background; `lore spike status {name}` tells how far it is"));
    }
    Ok(Code::Done)
}
