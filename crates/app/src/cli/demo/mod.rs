//! `lore demo`

use std::path::PathBuf;

use lore_core::Status;
use lore_core::recall::Query;
use lore_engine::brief::Topic;
use lore_engine::context::{ContextOptions, Occasion};
use lore_engine::curate::CurateOptions;
use lore_engine::entries::Filter;
use lore_engine::sessions::SessionFilter;
use lore_engine::{Engine, InitOptions, demo};

use super::{Global, Outcome, context, curate, query, show};
use crate::error::{Code, Failure};
use crate::ui::{Tone, Ui, paint, sanitised, throw_away};

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  lore demo\n  lore demo --keep ~/lore-demo")]
pub(super) struct Args {
    /// Folder to keep the result in, instead of a throw-away one
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

pub(super) fn run(ui: &Ui, global: &Global, args: &Args) -> Outcome {
    let scratch = tempfile::Builder::new()
        .prefix("lore-demo-")
        .tempdir()
        .map_err(|e| Failure::environment("cannot make a temporary folder", &e))?;
    throw_away(scratch.path());
    let mut world = global.world()?;
    let folder =
        args.keep.as_ref().map_or_else(|| scratch.path().to_owned(), |keep| world.directory.join(keep));
    // The tour must not be remembered as one of the user's projects.
    world
        .variables
        .insert(lore_engine::env::LORE_DATA_DIR.to_owned(), folder.join("data").display().to_string());
    world.now = demo::now();
    let sessions = demo::lay_out(&folder)?;
    world.directory = folder.clone();
    Engine::init(&world, &InitOptions { project: Some(folder.clone()), ..InitOptions::default() })?;
    let engine = Engine::open(world)?;

    title(ui, "Six sessions of two agents become articles", "lore curate --sessions sessions");
    let filter = SessionFilter { path: Some(sessions), everywhere: true, ..SessionFilter::default() };
    let report = engine.curate(&CurateOptions { filter, ..CurateOptions::default() }, &|_, _| {})?;
    if ui.is_json() {
        ui.json("lore.curate/1", &report);
        return Ok(Code::Done);
    }
    curate::people(ui, &report, 20);

    let about =
        Query { limit: Some(10), ..Query::text("move the booking database from SQLite to PostgreSQL") };
    for hit in engine.query(&about)?.hits {
        let shown = engine.show(hit.id.as_str())?;
        if shown.entry.body.contains("## History") {
            title(ui, "What holds now, and what it replaced", &format!("lore show {}", hit.id.handle()));
            show::people(ui, &shown);
            break;
        }
    }
    title(ui, "A question", "lore query \"where are confirmation mails sent\" --explain");
    let asked = Query { limit: Some(2), ..Query::text("where are confirmation mails sent") };
    query::people(ui, &engine.query(&asked)?, true);

    let disputed = engine.list(&Filter { status: Some(Status::Disputed), ..Filter::default() })?;
    if let Some(item) = disputed.first() {
        title(ui, "Two people differ, and nobody has settled it", &format!("lore show {}", item.id.handle()));
        show::people(ui, &engine.show(item.id.as_str())?);
    }
    let work = "let customers cancel a booking and refund the deposit";
    title(ui, "What a colleague would say before you begin", &format!("lore brief \"{work}\""));
    let topic = Topic { text: work.to_owned(), ..Topic::default() };
    ui.print(sanitised(&engine.brief(&topic)?.markdown));

    let prompt = "Which database do bookings live in?";
    title(ui, "What an agent is told with its first prompt", &format!("lore context --prompt \"{prompt}\""));
    let told = engine.context(&ContextOptions::new(Occasion::Whole(prompt.to_owned())))?;
    context::people(ui, &told);

    title(ui, "The key somebody pasted is nowhere", "grep -r sk_test knowledge");
    let whole = engine.export(lore_engine::export::ExportForm::Markdown, &Filter::default())?;
    let found = whole.matches(&demo::secret()).count();
    ui.line(format!("{found} places"));
    if let Some(keep) = &args.keep {
        ui.line(format!("\nEverything is in {}", sanitised(&keep.display().to_string())));
    }
    ui.line(format!(
        "\nIn your own repository: {}, then {}",
        paint(Tone::Name, "lore init"),
        paint(Tone::Name, "lore curate")
    ));
    Ok(if found == 0 { Code::Done } else { Code::Bug })
}

fn title(ui: &Ui, what: &str, command: &str) {
    ui.line(format!(
        "\n{}\n{}\n",
        paint(Tone::Strong, format!("── {what}")),
        paint(Tone::Faint, format!("$ {command}"))
    ));
}
