//! `lore learn`

use std::io::{BufRead as _, IsTerminal as _};
use std::path::PathBuf;

use lore_engine::Engine;
use lore_engine::learn::{Learned, Lesson};
use lore_engine::meet::Meeting;

use super::brief::standard_input;
use super::remember::meeting;
use super::{Outcome, words};
use crate::error::{Code, Failure};
use crate::ui::{Tone, Ui, cut, paint};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples: lore learn \"Retry the gateway with backoff\" -t pattern --text \"It drops one call in a hundred.\"\n          gh issue view 42 | lore learn --from-issue 42\n          lore learn --from-review < review.md"
)]
pub(super) struct Args {
    /// What was learned, in a few words; without it you are asked
    title: Option<String>,
    /// decision, resolution, pattern, feedback, or another kind
    #[arg(long = "type", short = 't', value_name = "KIND", value_parser = words::kinds())]
    kind: Option<String>,
    /// The statement, in a sentence or two
    #[arg(long)]
    text: Option<String>,
    /// Why
    #[arg(long)]
    why: Option<String>,
    /// What was done about it, or should be
    #[arg(long)]
    solution: Option<String>,
    /// An option that was refused, as `option: why`; may be repeated
    #[arg(long = "alternative", value_name = "OPTION")]
    alternatives: Vec<String>,
    /// It is something to avoid
    #[arg(long)]
    anti: bool,
    /// How bad a finding is: low, medium, high
    #[arg(long)]
    severity: Option<String>,
    /// What a finding is about: security, quality, performance, style, other
    #[arg(long)]
    category: Option<String>,
    /// Part of the system
    #[arg(long)]
    domain: Option<String>,
    /// Subject word; may be repeated
    #[arg(long)]
    tag: Vec<String>,
    /// File it is about; may be repeated
    #[arg(long = "files", value_name = "FILE")]
    files: Vec<String>,
    /// Issue it belongs to
    #[arg(long)]
    issue: Option<String>,
    /// Read the text of this issue from standard input
    #[arg(long, value_name = "ISSUE", conflicts_with_all = ["title", "from_review", "from_json"])]
    from_issue: Option<String>,
    /// Read a review from standard input, one entry for each finding
    #[arg(long, conflicts_with_all = ["title", "from_json"])]
    from_review: bool,
    /// Read JSON from this file, or `-` for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "title")]
    from_json: Option<PathBuf>,
    /// Show what would be written and write nothing
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: Args) -> Outcome {
    let dry_run = args.dry_run;
    let mut learned = Vec::new();
    let args = Args { files: engine.all_from_project(&args.files)?, ..args };
    for lesson in lessons(ui, args)? {
        learned.push(engine.learn(&lesson, dry_run)?);
    }
    if ui.is_json() {
        ui.json("lore.learn/1", &serde_json::json!({ "learned": learned }));
        return Ok(Code::Done);
    }
    for one in &learned {
        people(ui, one);
    }
    Ok(Code::Done)
}

fn lessons(ui: &Ui, args: Args) -> Result<Vec<Lesson>, Failure> {
    if let Some(issue) = &args.from_issue {
        let lesson = Lesson::from_issue(issue, &standard_input()?)?;
        return Ok(vec![with_flags(lesson, args)]);
    }
    if args.from_review {
        let found = Lesson::from_review(&standard_input()?)?;
        let issue: Vec<String> = args.issue.into_iter().collect();
        let domain = args.domain;
        let placed = |lesson: Lesson| Lesson { domain: domain.clone(), issues: issue.clone(), ..lesson };
        return Ok(found.into_iter().map(placed).collect());
    }
    if let Some(path) = &args.from_json {
        let text = if path.as_os_str() == "-" {
            standard_input()?
        } else {
            let path = path.clone();
            std::fs::read_to_string(&path).map_err(|source| lore_engine::Error::File {
                doing: "read",
                path,
                source,
            })?
        };
        return Ok(Lesson::from_json(&text)?);
    }
    let mut lesson = Lesson { title: args.title.clone().unwrap_or_default(), ..Lesson::default() };
    if args.title.is_none() {
        if !std::io::stdin().is_terminal() {
            return Err(Failure::usage(
                "what was learned needs a title",
                "give it as the first argument, or use --from-issue, --from-review or --from-json",
            ));
        }
        lesson.title = asked(ui, "What was learned, in a few words?");
        lesson.kind =
            Some(asked(ui, "Kind: decision, resolution, pattern or feedback?")).filter(|k| !k.is_empty());
        lesson.text = asked(ui, "In a sentence or two?");
        lesson.rationale = Some(asked(ui, "Why?")).filter(|why| !why.is_empty());
    }
    Ok(vec![with_flags(lesson, args)])
}

/// Adds what was given as flags to a lesson.
fn with_flags(mut lesson: Lesson, args: Args) -> Lesson {
    lesson.kind = args.kind.or(lesson.kind);
    lesson.text = args.text.unwrap_or(lesson.text);
    lesson.rationale = args.why.or(lesson.rationale);
    lesson.solution = args.solution.or(lesson.solution);
    lesson.severity = args.severity.or(lesson.severity);
    lesson.category = args.category.or(lesson.category);
    lesson.domain = args.domain.or(lesson.domain);
    lesson.tags.extend(args.tag);
    lesson.files.extend(args.files);
    lesson.issues.extend(args.issue);
    if args.anti {
        lesson.pattern_type = Some("anti-pattern".to_owned());
    }
    for alternative in args.alternatives {
        let (option, why) = match alternative.split_once(": ") {
            Some((option, why)) => (option.to_owned(), Some(why.to_owned())),
            None => (alternative, None),
        };
        lesson.alternatives.push(lore_core::Alternative { option, rejected_because: why });
    }
    lesson
}

fn asked(ui: &Ui, question: &str) -> String {
    ui.note(question);
    let mut line = String::new();
    // Whoever closes the input has nothing more to say.
    let _ = std::io::stdin().lock().read_line(&mut line);
    line.trim().to_owned()
}

fn people(ui: &Ui, learned: &Learned) {
    let title = paint(Tone::Strong, cut(&learned.title, 50));
    let would = if learned.dry_run { "would be " } else { "" };
    match learned.outcome {
        "known" => {
            ui.line(format!("{} {title}  {}", paint(Tone::Warn, "known already:"), learned.id.handle()))
        }
        "disputed" => ui.line(format!(
            "{} {title}  {}",
            paint(Tone::Bad, format!("contradicts, {would}shown as the other side:")),
            learned.path
        )),
        _ => {
            ui.line(format!("{} {title}", paint(Tone::Good, format!("{would}added:"))));
            ui.line(format!("  {}  {}", paint(Tone::Name, learned.id.handle().as_str()), learned.path));
        }
    }
    for (other, like) in learned.close_to.iter().filter(|(other, _)| *other != learned.id) {
        ui.line(format!(
            "  close to {} ({like:.2}), so they are linked",
            paint(Tone::Name, other.handle().as_str())
        ));
    }
    if let Some(met) = learned.met.as_ref().filter(|met| !matches!(met.how, Meeting::Beside | Meeting::Known))
    {
        ui.line(meeting(met, None));
    }
    if let Some(pattern) = &learned.pattern {
        ui.line(format!(
            "  seen often enough to be a pattern: {}",
            paint(Tone::Name, pattern.handle().as_str())
        ));
    }
}
