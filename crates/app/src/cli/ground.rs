//! `lore ground`

use lore_engine::Engine;
use lore_engine::grounding::{Depth, GroundOptions, Grounding};

use super::{Outcome, phase};
use crate::error::{Code, Failure};
use crate::ui::{Tone, Ui, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  lore ground \"where is the retry limit set?\"\n  lore ground --depth full \"move sessions to Redis\"\n  lore ground --track"
)]
pub(super) struct Args {
    /// The question or the design, in words
    #[arg(required_unless_present = "track")]
    question: Vec<String>,
    /// How much to look at: light, standard or full (with the impact scan)
    #[arg(long, default_value = "standard", value_parser = ["light", "standard", "full"])]
    depth: String,
    /// Make the check that the next step of a track needs; without a name, of the track that is open
    #[arg(long, value_name = "TRACK", num_args = 0..=1, conflicts_with = "question")]
    track: Option<Option<String>>,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: &Args) -> Outcome {
    if let Some(name) = &args.track {
        let (standing, grounding) = engine.ground_track(name.as_deref())?;
        let open = standing.next.as_ref().is_none_or(|next| next.gate.open);
        if ui.is_json() {
            ui.json("lore.ground/1", &serde_json::json!({ "grounding": grounding, "standing": standing }));
        } else {
            people(ui, &grounding);
            phase::people(ui, &standing);
        }
        return Ok(if open { Code::Done } else { Code::No });
    }
    let depth = match args.depth.as_str() {
        "light" => Depth::Light,
        "full" => Depth::Full,
        "standard" => Depth::Standard,
        other => return Err(Failure::usage(format!("`{other}` is no depth"), "say light, standard or full")),
    };
    let options = GroundOptions { depth, ..GroundOptions::new(args.question.join(" ")) };
    let grounding = engine.ground(&options)?;
    if ui.is_json() {
        ui.json("lore.ground/1", &serde_json::json!({ "grounding": grounding }));
    } else {
        people(ui, &grounding);
    }
    Ok(if grounding.findings.is_empty() { Code::No } else { Code::Done })
}

fn people(ui: &Ui, grounding: &Grounding) {
    let tone = match grounding.level {
        "high" => Tone::Good,
        "medium" => Tone::Warn,
        _ => Tone::Bad,
    };
    let order: Vec<&str> = grounding.route.order.iter().map(|source| source.word()).collect();
    ui.line(format!(
        "Confidence {} ({:.2}). Asked {}: {}.",
        paint(tone, grounding.level),
        grounding.confidence,
        order.join(", then "),
        sanitised(&grounding.route.because.join("; "))
    ));
    for asked in &grounding.asked {
        let outcome = serde_json::to_value(asked.outcome).ok();
        let outcome = outcome.as_ref().and_then(|word| word.as_str()).unwrap_or_default().to_owned();
        let why = if asked.why.is_empty() { String::new() } else { format!(": {}", sanitised(&asked.why)) };
        ui.line(paint(Tone::Faint, format!("  {} {outcome}{why}", asked.source.word())));
    }
    for finding in &grounding.findings {
        ui.line(format!("- {}", sanitised(&finding.text.replace('\n', " "))));
        let place =
            format!("{} {}, {} ({:.2})", finding.source.word(), finding.how, finding.at, finding.confidence);
        ui.line(format!("  {}", paint(Tone::Faint, sanitised(&place))));
    }
    for against in &grounding.against {
        ui.line(format!(
            "{} {}",
            paint(Tone::Bad, "against:"),
            sanitised(&against.line().replace('\n', " "))
        ));
    }
    for conflict in &grounding.conflicts {
        ui.line(format!("{} {}", paint(Tone::Bad, "conflict:"), sanitised(&conflict.summary)));
    }
    for warning in &grounding.warnings {
        ui.line(format!("{} {warning}", paint(Tone::Warn, "warning:")));
    }
    if let Some(impact) = &grounding.impact {
        for warning in &impact.warnings {
            ui.line(format!("{} {warning}", paint(Tone::Warn, "warning:")));
        }
        ui.line("Files that are likely to change:");
        for file in impact.files.iter().take(10) {
            ui.line(format!("  {}", sanitised(&file.path)));
        }
    }
    ui.line(format!("Recommendation: {}.", sanitised(&grounding.recommendation)));
}
