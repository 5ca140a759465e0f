//! The commands, one file each.

mod agents;
mod ask;
mod brief;
mod check;
mod command;
mod complete;
mod completions;
mod config;
mod context;
mod curate;
mod demo;
mod distill;
mod doctor;
mod edit;
mod editing;
mod edits;
mod export;
mod forget;
mod fresh;
mod given;
mod ground;
mod hook;
mod impact;
mod import;
mod init;
mod install;
mod learn;
mod list;
mod log;
mod man;
mod mcp;
mod merge_driver;
mod model;
mod new;
mod open;
mod packet;
mod person;
mod phase;
mod projects;
mod query;
mod reflect;
mod related;
mod remember;
pub(crate) mod review;
mod rm;
mod schedule;
mod sense;
mod sessions;
mod show;
mod signal;
mod spike;
mod status;
mod surface;
mod told;
mod undo;
mod usage;
mod verify;
mod view;
mod welcome;
mod why;
mod words;
mod written;

use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser};
use lore_engine::{Engine, World};

use self::command::Command;
use self::given::Given;
use self::person::{own_word, presence};
use crate::error::{Code, Failure};
use crate::ui::{Output, Tone, Ui, paint};

/// What a command returns: how the program ends, or why it could not be carried out.
type Outcome = Result<Code, Failure>;

/// What people do first, for those who have only the program at hand; docs/how-to.md says more.
const FIRST: &str = "What people do first:
  wire an agent                    lore install codex
  find why something was decided   lore ask \"why do we …?\", lore why ID
  correct an entry                 lore edit ID
  stop a topic                     lore config set topics.exclude '[\"salary\"]'
  take a run back                  lore log, lore undo RUN
  move to another machine          clone, lore install git, lore install --all
  settle a dispute                 lore review, lore review settle ID --side N
  see what an agent was told       lore told, lore context \"…\"
  remove everything                lore uninstall --all; lore help uninstall
  have other transcripts read      lore config set sessions.paths DIR";

/// The institutional memory of a software project and its coding agents
#[derive(Debug, Parser)]
#[command(name = "lore", version, max_term_width = 80, infer_subcommands = true, after_help = FIRST)]
pub(crate) struct Args {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Option<Command>,
}

/// Options every command takes.
#[derive(Debug, Clone, Default, ClapArgs)]
struct Global {
    /// Print one JSON object instead of text for people
    #[arg(long, global = true, help_heading = "Everywhere")]
    json: bool,
    /// Say nothing but the result
    #[arg(long, short, global = true, help_heading = "Everywhere")]
    quiet: bool,
    /// Do not show long output page by page
    #[arg(long, global = true, help_heading = "Everywhere")]
    no_pager: bool,
    /// Use your personal base instead of the project's
    #[arg(long, global = true, help_heading = "Everywhere")]
    personal: bool,
    /// Act as if started in this folder
    #[arg(short = 'C', value_name = "DIR", global = true, help_heading = "Everywhere")]
    directory: Option<PathBuf>,
    /// A world to look at instead of the real one; the tour has its own
    #[arg(skip)]
    world: Option<World>,
}

impl Args {
    /// Reads the command line. What is wrong with it is told here, but to a program, which is told as of any failure.
    pub(crate) fn read() -> Result<Args, Failure> {
        if let Some(hook) = hook::Args::of_agent(std::env::args_os().skip(1)) {
            return Ok(Args { global: Global::default(), command: Some(Command::Hook(hook)) });
        }
        Args::try_parse().map_err(|error| {
            if !error.use_stderr() || !std::env::args_os().any(|argument| argument == "--json") {
                error.exit();
            }
            let text = error.to_string();
            let (said, rest) = text.split_once('\n').unwrap_or((&text, ""));
            let usage = rest.lines().find(|line| line.starts_with("Usage:")).unwrap_or("see `lore --help`");
            Failure::usage(said.trim_start_matches("error: "), usage)
        })
    }

    /// Returns how to print.
    pub(crate) fn output(&self) -> Output {
        Output { json: self.global.json, quiet: self.global.quiet }
    }
}

/// Runs the command that was asked for.
pub(crate) fn run(ui: &Ui, args: Args) -> Outcome {
    let Args { global, command } = args;
    if !command.as_ref().is_some_and(Command::is_for_programs) {
        global.world()?.check_time()?;
    }
    let is_for_an_agent = global.world()?.agent().is_some();
    let command = command.map(Command::meant);
    if is_for_an_agent {
        match command.as_ref().map_or(Given::Fenced, Command::given) {
            Given::Fenced => ui.hold(),
            Given::Broken => ui.break_marks(),
            Given::AsItIs => {}
        }
    }
    let Some(command) = command else {
        let outcome = welcome::run(ui, &global);
        ui.release();
        return outcome;
    };
    // Hooks stay silent, the status shows it anyway, and settings are what `config` is about.
    let open = || -> Result<Engine, Failure> {
        let engine = global.open()?;
        for news in engine.news_of_ignored().into_iter().chain(engine.news_of_renamed()) {
            ui.note(format!("{} {news}", paint(Tone::Warn, "note:")));
        }
        Ok(engine)
    };
    if command.pages() && !global.no_pager {
        let world = global.world()?;
        if let Some(pager) = crate::pager::of(&world) {
            ui.page(pager, world.variable(lore_engine::env::LESS).is_some());
        }
    }
    let telling = command.tells().filter(|_| is_for_an_agent);
    if telling.is_some() {
        ui.record();
    }
    let outcome =
        dispatch(ui, &global, command, &open).map_err(|failure| failure.or_elsewhere(&|| global.open()));
    ui.turn_over();
    ui.release();
    if let (Some((name, asked)), Some(text)) = (telling, ui.recorded())
        && let Ok(engine) = global.open()
    {
        engine.tell_printed(name, &asked, &text);
    }
    outcome
}

fn dispatch(
    ui: &Ui,
    global: &Global,
    command: Command,
    open: &dyn Fn() -> Result<Engine, Failure>,
) -> Outcome {
    match command {
        Command::Init(args) => init::run(ui, global, &args),
        Command::Status => status::run(ui, &global.open()?),
        Command::List(args) => list::run(ui, &open()?, args),
        Command::Show(args) => show::run(ui, &open()?, &args),
        Command::View(args) if args.serves() => view::run(ui, &own_word(ui, open()?), &args),
        Command::View(args) => view::run(ui, &open()?, &args),
        Command::Why(args) => why::run(ui, &open()?, &args),
        Command::Open(args) => open::run(ui, &open()?, &args),
        Command::Remember(args) => remember::run(ui, &own_word(ui, open()?), &args),
        Command::New(args) => new::run(ui, &own_word(ui, open()?), args),
        Command::Edit(args) => edit::run(ui, &own_word(ui, open()?), &args),
        Command::Verify(args) => verify::run(ui, &own_word(ui, open()?), &args),
        Command::Rm(args) => rm::run(ui, &own_word(ui, open()?), &args),
        Command::Undo(args) => undo::run(ui, &own_word(ui, open()?), &args),
        Command::Forget(args) => forget::run(ui, &own_word(ui, open()?), args),
        Command::Log(args) => log::run(ui, &open()?, &args),
        Command::Written(args) => written::run(ui, &open()?, &args),
        Command::Told(args) => told::run(ui, &open()?, &args),
        Command::Check(args) => check::run(ui, &open()?, &args),
        Command::Fresh(args) => fresh::run(ui, &open()?, &args),
        Command::Ground(args) => ground::run(ui, &open()?, &args),
        Command::Impact(args) => impact::run(ui, global, &args),
        Command::Phase(args) => phase::run(ui, &own_word(ui, open()?), args),
        Command::Import(args) => import::run(ui, &open()?, &args),
        Command::Export(args) => export::run(ui, &open()?, &args),
        Command::Curate(args) => curate::run(ui, &open()?, args),
        Command::Review(args) => review::run(ui, &own_word(ui, open()?), args),
        Command::Schedule(args) if args.takes_out() => schedule::run(ui, &own_word(ui, open()?), args),
        Command::Schedule(args) => schedule::run(ui, &open()?, args),
        Command::Packet(args) => packet::run(ui, &open()?, args),
        Command::Edits(args) => edits::run(ui, &open()?, args),
        Command::Distill(args) => distill::run(ui, &open()?, args),
        Command::Ask(args) => ask::run(ui, &open()?, &args),
        Command::Brief(args) => brief::run(ui, &open()?, args),
        Command::Learn(args) => learn::run(ui, &own_word(ui, open()?), args),
        Command::Agents(args) => agents::run(ui, &open()?, args),
        Command::Model(args) => model::run(ui, &open()?, args),
        Command::Query(args) => query::run(ui, &open()?, args),
        Command::Related(args) => related::run(ui, &open()?, &args),
        Command::Context(args) => context::run(ui, &open()?, args),
        Command::Surface(args) => surface::run(ui, &open()?, args),
        Command::Spike(args) => spike::run(ui, open()?, args),
        Command::Sense(args) => sense::run(ui, &open()?, args),
        Command::Signal(args) => signal::run(ui, &own_word(ui, open()?), args),
        Command::Reflect(args) => reflect::run(ui, &open()?, &args),
        Command::Usage(args) => usage::run(ui, &open()?, &args),
        Command::Complete(args) => complete::run(ui, global, &args),
        Command::Mcp(args) => mcp::run(ui, global, &args),
        Command::Install(args) => install::run(ui, &global.world()?, &args, install::Direction::In),
        Command::Uninstall(args) => install::run(ui, &global.world()?, &args.into(), install::Direction::Out),
        Command::Doctor(args) => doctor::run(ui, &global.world()?, &args),
        Command::Hook(args) => hook::run(ui, global, &args),
        Command::Work(args) => hook::work(ui, global.world()?, &args),
        Command::MergeDriver(args) => merge_driver::run(global, args),
        Command::Demo(args) => demo::run(ui, global, &args),
        Command::Sessions(args) => sessions::run(ui, global, args),
        Command::Config(args) => config::run(ui, global, args),
        Command::Completions(args) => completions::run(ui, &args),
        Command::Man(args) => man::run(ui, &args),
    }
}

impl Global {
    /// Looks at the world from the folder that was asked for.
    fn world(&self) -> Result<World, Failure> {
        let mut world = match &self.world {
            Some(world) => world.clone(),
            None => World::real().map_err(lore_engine::Error::from)?,
        };
        if let Some(directory) = &self.directory {
            world.directory = world.place(directory);
            if !world.directory.is_dir() {
                let sentence = format!("`{}` is not a folder", world.directory.display());
                return Err(Failure::usage(sentence, "give an existing folder to `-C`"));
            }
        }
        Ok(world)
    }

    /// Opens the base that is meant.
    fn open(&self) -> Result<Engine, Failure> {
        let world = self.world()?;
        Ok(if self.personal { Engine::open_personal(world)? } else { Engine::open(world)? })
    }
}
