//! `lore phase`

use lore_engine::tracks::{Checked, Deed, Mode, Phase, Standing};
use lore_engine::{Engine, Error};

use super::Outcome;
use crate::error::{Code, Failure};
use crate::ui::{Tone, Ui, counted, cut, paint, sanitised};

/// So much is shown of what a check found.
const FOUND: usize = 160;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  lore phase\n  lore phase start \"add a --quiet flag\" --mode FULL\n  lore phase back define --why \"the plan was wrong\"\n  lore phase skip \"only a typo in a comment\""
)]
pub(super) struct Args {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Show where the track stands and what its next step needs
    Show {
        /// The track; without it the one that is open
        track: Option<String>,
        /// List every track
        #[arg(long)]
        all: bool,
    },
    /// Begin a track by hand
    Start {
        /// What is to be changed, in words
        #[arg(required = true)]
        request: Vec<String>,
        /// How thoroughly: SPEED or FULL, instead of `ground.mode`
        #[arg(long, value_parser = ["SPEED", "FULL", "speed", "full"])]
        mode: Option<String>,
    },
    /// Go back to an earlier phase; checks of this and later steps no longer count
    Back {
        /// DISCOVER, DEFINE, DEVELOP or DELIVER
        phase: String,
        /// Why
        #[arg(long, default_value = "no reason given")]
        why: String,
        /// The track; without it the one that is open
        #[arg(long)]
        track: Option<String>,
    },
    /// Take every step that is left, as far as the gates let it
    Finish {
        /// The track; without it the one that is open
        track: Option<String>,
    },
    /// Leave out the check of the next step; the reason stays on record
    Skip {
        /// Why no check is needed, or what was verified by hand
        #[arg(required = true)]
        reason: Vec<String>,
        /// The track; without it the one that is open
        #[arg(long)]
        track: Option<String>,
    },
    /// Make the checks that are due
    #[command(hide = true)]
    CheckDue,
    /// Answer one of git's hooks
    #[command(hide = true)]
    Git {
        /// pre-commit, commit-msg or pre-push
        event: String,
        /// Whatever git adds
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        more: Vec<String>,
    },
}

impl Args {
    /// Tells whether one of git's hooks or of our own asks.
    pub(super) fn is_for_programs(&self) -> bool {
        matches!(self.what, Some(What::CheckDue | What::Git { .. }))
    }
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: Args) -> Outcome {
    let what = args.what.unwrap_or(What::Show { track: None, all: false });
    let standing = match what {
        What::Show { all: true, .. } => return all(ui, engine),
        What::Show { track, .. } => engine.track(track.as_deref())?,
        What::Start { request, mode } => {
            let mode =
                mode.map(|mode| if mode.eq_ignore_ascii_case("full") { Mode::Full } else { Mode::Speed });
            engine.start_track(&request.join(" "), mode)?
        }
        What::Back { phase, why, track } => {
            let to = Phase::from_word(&phase).ok_or_else(|| {
                Failure::usage(format!("`{phase}` is no phase"), "say DISCOVER, DEFINE, DEVELOP or DELIVER")
            })?;
            engine.go_back(track.as_deref(), to, &why)?
        }
        What::Finish { track } => {
            let (standing, decision) = engine.finish_track(track.as_deref())?;
            show(ui, &standing);
            let open = decision.is_none_or(|decision| decision.open);
            return Ok(if open { Code::Done } else { Code::No });
        }
        What::Skip { reason, track } => {
            engine.skip_step(track.as_deref(), &reason.join(" "), super::presence())?
        }
        What::CheckDue => {
            let made = engine.make_due_checks();
            if ui.is_json() {
                ui.json("lore.phase-checks/1", &serde_json::json!({ "made": made }));
            }
            return Ok(Code::Done);
        }
        What::Git { event, more } => return git(ui, engine, &event, &more),
    };
    show(ui, &standing);
    Ok(Code::Done)
}

/// Git waits for us: the check that is missing is made now, so that one try is enough.
fn git(ui: &Ui, engine: &Engine, event: &str, more: &[String]) -> Outcome {
    // What was told of the work before it was committed is asked about before the message is there.
    if event == "commit-msg" && !begins(engine, more) {
        return Ok(Code::Done);
    }
    let noticed = loop {
        let noticed = engine.notice_git(&Deed::Delivered);
        let is_held = noticed.as_ref().is_ok_and(|noticed| noticed.refusal.is_some());
        // Each gate shows only when the one before it is open.
        if !is_held || engine.make_due_checks() == 0 {
            break noticed;
        }
    };
    match noticed {
        Ok(noticed) => match noticed.refusal {
            Some(refusal) => {
                ui.error(
                    &format!("{event} is held: {refusal}"),
                    &[],
                    &["`lore phase show` says what was found".to_owned()],
                );
                Ok(Code::No)
            }
            None => {
                if noticed.due {
                    super::hook::start(engine.root(), &["phase", "check-due"]);
                }
                Ok(Code::Done)
            }
        },
        // A gate that does not work holds nobody, unless a machine builds.
        Err(error) if engine.is_ci_build() => Err(Failure::from(error)),
        Err(error) => {
            let error: Error = error;
            ui.note(format!("{} the gate does not work: {error}", paint(Tone::Warn, "warning:")));
            Ok(Code::Done)
        }
    }
}

/// Tells whether a commit begins a track, by the file with its message.
fn begins(engine: &Engine, more: &[String]) -> bool {
    let message = more.first().and_then(|file| std::fs::read(file).ok()).unwrap_or_default();
    let begun = engine.begin_with_commit(&String::from_utf8_lossy(&message));
    // A gate that does not work holds nobody.
    begun.is_ok_and(|track| track.is_some())
}

fn all(ui: &Ui, engine: &Engine) -> Outcome {
    let tracks = engine.tracks();
    if ui.is_json() {
        ui.json("lore.phases/1", &serde_json::json!({ "tracks": tracks }));
    } else {
        for standing in &tracks {
            let track = &standing.track;
            ui.line(format!(
                "{}  {}  {}",
                paint(Tone::Name, &track.id),
                track.phase.word(),
                sanitised(&track.session)
            ));
        }
        ui.note(counted(tracks.len(), "track", "tracks"));
    }
    Ok(if tracks.is_empty() { Code::No } else { Code::Done })
}

fn show(ui: &Ui, standing: &Standing) {
    if ui.is_json() {
        ui.json("lore.phase/1", standing);
    } else {
        people(ui, standing);
    }
}

pub(super) fn people(ui: &Ui, standing: &Standing) {
    let track = &standing.track;
    let mode = if track.mode == Mode::Full { "FULL" } else { "SPEED" };
    ui.line(format!(
        "{} stands at {} ({mode})",
        paint(Tone::Name, &track.id),
        paint(Tone::Strong, track.phase.word())
    ));
    let first = track.request.lines().next().unwrap_or_default();
    ui.line(format!("  {}", sanitised(first)));
    for step in &track.steps {
        let came = match &step.checked {
            None => "check is due".to_owned(),
            Some(Checked::Ran { confidence, codes, .. }) => {
                let codes: Vec<&str> = codes.iter().map(|code| code.number()).collect();
                format!("checked, confidence {confidence:.2} {}", codes.join(" "))
            }
            Some(Checked::Skipped { reason, .. }) => format!("skipped: {reason}"),
            Some(Checked::Impossible { reason }) => format!("could not be checked: {reason}"),
        };
        let taken = if step.taken { "" } else { " (waits)" };
        ui.line(format!(
            "  {} → {}{taken}: {}; {}",
            step.from.word(),
            step.to.word(),
            step.shown_by,
            sanitised(came.trim_end())
        ));
        for found in step.found.iter().take(6) {
            ui.line(format!("    {}", paint(Tone::Faint, cut(found, FOUND))));
        }
    }
    if let Some(next) = &standing.next {
        let tone = if next.gate.open { Tone::Good } else { Tone::Bad };
        ui.line(format!(
            "  next {} → {}: {}, {}: {} {}",
            next.from.word(),
            next.to.word(),
            next.depth.word(),
            format!("{:?}", next.enforcement).to_lowercase(),
            paint(tone, next.gate.action.word()),
            sanitised(&next.gate.why)
        ));
        if !next.gate.lift.is_empty() {
            ui.line(format!("  {}", sanitised(&next.gate.lift)));
        }
    }
    for line in &track.record {
        ui.line(format!("  {}", paint(Tone::Faint, sanitised(line))));
    }
}
