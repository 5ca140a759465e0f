//! `lore impact`

use std::path::{Path, PathBuf};
use std::time::Duration;

use lore_engine::impact::{Impact, ImpactFile, ImpactOptions, Level, impact_without_base};

use super::brief::standard_input;
use super::{Global, Outcome};
use crate::error::{Code, Failure};
use crate::ui::{Tone, Ui, counted, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  lore impact docs/design.md\n  git log -1 --format=%B | lore impact -")]
pub(super) struct Args {
    /// File with the design, or `-` to read it from standard input
    #[arg(value_name = "DESIGN")]
    design: PathBuf,
    /// How many files to list
    #[arg(long, default_value_t = 20, value_name = "N")]
    limit: usize,
    /// Answer with what there is after this many seconds of reading
    #[arg(long, default_value_t = 30, value_name = "SECONDS")]
    time: u64,
}

pub(super) fn run(ui: &Ui, global: &Global, args: &Args) -> Outcome {
    let world = global.world()?;
    let text = if args.design.as_os_str() == "-" {
        standard_input()?
    } else {
        let path = world.directory.join(&args.design);
        std::fs::read_to_string(&path).map_err(|_| {
            Failure::usage(
                format!("`{}` cannot be read as text", args.design.display()),
                "give a file with the design, or `-` for standard input",
            )
        })?
    };
    let time = Duration::from_secs(args.time);
    let mut options = ImpactOptions { limit: args.limit, time, ..ImpactOptions::new(text) };
    let path = world.directory.join(&args.design);
    let impact = match global.open() {
        Ok(engine) => {
            options.design = below(engine.project(), &path);
            engine.impact(&options)?
        }
        Err(_) => {
            options.design = below(&world.directory, &path);
            impact_without_base(&world, &options)?
        }
    };
    if ui.is_json() {
        ui.json("lore.impact/1", &impact);
    } else {
        people(ui, &impact);
    }
    Ok(if impact.files.is_empty() { Code::No } else { Code::Done })
}

/// Names a file as the list does; nothing where it lies elsewhere.
fn below(root: &Path, path: &Path) -> Option<String> {
    let (root, path) = (root.canonicalize().ok()?, path.canonicalize().ok()?);
    Some(path.strip_prefix(root).ok()?.to_str()?.replace('\\', "/"))
}

fn people(ui: &Ui, impact: &Impact) {
    for warning in &impact.warnings {
        ui.line(format!("{} {warning}", paint(Tone::Warn, "warning:")));
    }
    for (place, file) in impact.files.iter().enumerate() {
        row(ui, place + 1, file);
    }
    for path in &impact.new_files {
        ui.line(format!("    {} {}", paint(Tone::Good, "create"), sanitised(path)));
    }
    let partial =
        if impact.partial { "; the time was up, some files were only looked at by name" } else { "" };
    let scanned = counted(impact.scanned, "file", "files");
    ui.note(format!("{} of {scanned} read anew{partial}", impact.read));
}

fn row(ui: &Ui, place: usize, file: &ImpactFile) {
    let change = format!("{:?}", file.change).to_lowercase();
    let (tone, risk) = match file.risk.level {
        Level::Low => (Tone::Good, "low"),
        Level::Medium => (Tone::Warn, "medium"),
        Level::High => (Tone::Bad, "high"),
    };
    ui.line(format!(
        "{place:>3} {} {}  risk {}, step {}",
        change,
        paint(Tone::Strong, sanitised(&file.path)),
        paint(tone, risk),
        file.order
    ));
    let mut why: Vec<&str> = Vec::new();
    for reason in &file.why {
        if !why.contains(&reason.says.as_str()) {
            why.push(&reason.says);
        }
    }
    if why.is_empty() {
        why.push("nothing particular speaks for it");
    }
    ui.line(format!("      {}", paint(Tone::Faint, why.join("; "))));
    let risk = &file.risk;
    let tests = if risk.tests.is_empty() {
        "no test by its name".to_owned()
    } else {
        format!("tested by {}", risk.tests.join(", "))
    };
    ui.line(format!(
        "      {}",
        paint(
            Tone::Faint,
            format!(
                "{} on it, {}, {tests}",
                counted(risk.dependents, "file rests", "files rest"),
                counted(risk.commits, "commit", "commits")
            )
        )
    ));
    if !file.depends_on.is_empty() {
        let first: Vec<&str> = file.depends_on.iter().take(4).map(String::as_str).collect();
        ui.line(format!("      {}", paint(Tone::Faint, format!("rests on {}", first.join(", ")))));
    }
}
