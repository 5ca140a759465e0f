//! `lore show`

use lore_core::handle::shown as shown_name;
use lore_core::{Status, Voice};
use lore_engine::Engine;
use lore_engine::ended::Ended;
use lore_engine::entries::Shown;
use serde::Serialize;

use super::{Outcome, open};
use crate::error::Code;
use crate::ui::{Tone, Ui, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  lore show use-postgresql")]
pub(super) struct Args {
    /// Id, short id, alias, path, title, or anything else that `lore open` takes
    name: String,
    /// Print the file as it is
    #[arg(long)]
    raw: bool,
}

impl Args {
    /// Asks for what is called so.
    pub(super) fn of(name: String) -> Args {
        Args { name, raw: false }
    }

    /// Says what was asked, in words.
    pub(super) fn asked(&self) -> String {
        self.name.clone()
    }
}

#[derive(Debug, Serialize)]
struct Told<'a> {
    #[serde(flatten)]
    shown: &'a Shown,
    /// Which other project it is from.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: &Args) -> Outcome {
    let opened = engine.open_reference("by-hand", &args.name, None)?;
    let Some(shown) = opened.entry.as_deref().filter(|_| opened.line.is_none()) else {
        if ui.is_json() {
            ui.json("lore.open/1", &opened);
        } else {
            open::people(ui, &opened);
        }
        return Ok(Code::Done);
    };
    if ui.is_json() {
        ui.json("lore.show/1", &Told { shown, note: opened.note.as_deref() });
    } else if args.raw {
        ui.print(&shown.text);
    } else {
        open::people(ui, &opened);
        for one in engine.known_disagreements().iter().filter(|one| one.entry == shown.entry.id) {
            ui.line(format!("{} {}", paint(Tone::Bad, "but"), sanitised(&one.beside())));
        }
    }
    Ok(Code::Done)
}

pub(super) fn people(ui: &Ui, shown: &Shown) {
    let entry = &shown.entry;
    ui.line(paint(Tone::Strong, &entry.title));
    let status = match entry.status {
        Status::Current => paint(Tone::Good, "current"),
        Status::Disputed => paint(Tone::Bad, "disputed"),
        other => paint(Tone::Warn, other.word()),
    };
    let confidence = entry.confidence.map(|c| format!(", {c} confidence")).unwrap_or_default();
    let trust = shown.trust.map(|trust| format!(", word of {}", someone(trust.0))).unwrap_or_default();
    let unreviewed = if entry.is_unreviewed() { ", unreviewed" } else { "" };
    ui.line(format!("{} · {status}{unreviewed}{confidence}{trust}", entry.kind));
    ui.line(format!(
        "{}  {}",
        paint(Tone::Name, entry.id.handle().as_str()),
        paint(Tone::Faint, &shown.path)
    ));
    if let Some(how) = &shown.ended {
        ended(ui, how);
    }
    let day = |moment: Option<lore_core::Moment>| moment.map(|m| m.date().to_string());
    let facts = [
        ("since", day(entry.created)),
        ("changed", day(entry.updated).filter(|_| entry.updated != entry.created)),
        ("tags", join(&entry.tags)),
        ("files", join(&entry.files)),
        ("issues", join(&entry.issues)),
        ("depends on", join(&entry.depends_on)),
        ("verified", join(&entry.verified.iter().map(|stamp| stamp.by.clone()).collect::<Vec<_>>())),
        (
            "links",
            join(
                &entry
                    .links
                    .iter()
                    .map(|link| format!("{} {}", link.kind.key(), shown_name(&link.target)))
                    .collect::<Vec<_>>(),
            ),
        ),
        ("linked from", join(&pointing(shown))),
    ];
    for (name, value) in facts {
        if let Some(value) = value {
            ui.line(format!("{} {}", paint(Tone::Faint, format!("{name:>11}")), sanitised(&value)));
        }
    }
    ui.line("");
    let body = entry.body.trim();
    let body = body.strip_prefix(&format!("# {}", entry.title)).unwrap_or(body);
    ui.line(sanitised(body.trim()));
    // What a footnote of the text names already is not said twice.
    let noted = |id: &Option<String>| id.as_ref().is_some_and(|id| body.contains(&format!("[^{id}]: ")));
    let unnoted: Vec<_> = entry.sources.iter().filter(|source| !noted(&source.id)).collect();
    if !unnoted.is_empty() {
        ui.line(format!("\n{}", paint(Tone::Faint, "Sources")));
        for source in unnoted {
            let at = source.at.map(|at| format!("  {}", at.date())).unwrap_or_default();
            ui.line(format!("  {:<7}{}{at}", source.voice.word(), sanitised(&source.resource)));
        }
    }
    for diagnostic in &shown.diagnostics {
        ui.note(format!("{} {diagnostic}", paint(Tone::Warn, "note:")));
    }
}

/// Says in a line what took the place of an entry, or who withdrew it.
pub(super) fn ended(ui: &Ui, ended: &Ended) {
    let day = ended.day.as_deref().map(|day| format!(", {day}")).unwrap_or_default();
    for newer in &ended.replaced_by {
        let id = paint(Tone::Name, newer.id.handle().as_str());
        ui.line(format!("{} {id} “{}”{day}", paint(Tone::Warn, "replaced by"), sanitised(&newer.title)));
    }
    if ended.replaced_by.is_empty() {
        let by = ended.withdrawn_by.as_deref().map(|by| format!(" by {by}")).unwrap_or_default();
        ui.line(format!("{}{}{day}", paint(Tone::Warn, "withdrawn"), sanitised(&by)));
    }
}

/// Names what points at an entry, each once, be it in several ways.
fn pointing(shown: &Shown) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in shown.linked_from.iter().map(|link| shown_name(&link.target)) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn join(items: &[String]) -> Option<String> {
    (!items.is_empty()).then(|| items.join(", "))
}

fn someone(voice: Voice) -> &'static str {
    match voice {
        Voice::Person => "a person",
        Voice::Agent => "an agent",
        Voice::Tool => "a tool",
        Voice::Web => "a web page",
    }
}
