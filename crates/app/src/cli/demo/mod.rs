//! `lore demo`: the program's own commands, run one after the other on a small project with a past.
//!
//! Nothing that is shown is written here: every stop parses what a person would type and runs it.

mod agent;
mod stops;

use std::cell::RefCell;
use std::path::PathBuf;

use clap::Parser as _;
use lore_engine::env::{HOME, LORE_AGENT, LORE_CONFIG, LORE_DATA_DIR, LORE_USER, NO_COLOR, PATH, TERM};
use lore_engine::{Engine, InitOptions, World, demo};
use serde::Serialize;

use super::{Global, Outcome};
use crate::error::{Code, Failure};
use crate::ui::{Output, Tone, Ui, paint, sanitised, shell_word, throw_away};

/// What the tour writes or lays out, by the names under which it is typed.
const OURS: [&str; 3] = ["sessions", "plan.md", "answer.json"];
/// What stands for the throw-away folder, so that the tour reads the same every time.
const SHOWN: &str = "~/kayak";

#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  lore demo\n  lore demo --keep ~/lore-demo")]
pub(super) struct Args {
    /// Folder to keep the result in, instead of a throw-away one
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

/// One command of the tour, and how it ended.
#[derive(Debug, Serialize)]
struct Typed {
    stop: String,
    command: String,
    output: String,
    done: bool,
}

/// The tour on its way.
struct Tour<'u> {
    ui: &'u Ui,
    world: World,
    folder: PathBuf,
    /// Whether the folder outlives the tour, so that its name is worth showing.
    kept: bool,
    stop: RefCell<String>,
    typed: RefCell<Vec<Typed>>,
}

pub(super) fn run(ui: &Ui, global: &Global, args: &Args) -> Outcome {
    let scratch = tempfile::Builder::new()
        .prefix("lore-demo-")
        .tempdir()
        .map_err(|e| Failure::environment("cannot make a temporary folder", &e))?;
    throw_away(scratch.path());
    let real = global.world()?;
    let folder = args.keep.as_ref().map_or_else(|| scratch.path().to_owned(), |keep| real.place(keep));
    demo::lay_out(&folder)?;
    let world = visiting(&real, &folder);
    Engine::init(&world, &InitOptions { project: Some(folder.clone()), ..InitOptions::default() })?;
    let tour = Tour {
        ui,
        world,
        folder,
        kept: args.keep.is_some(),
        stop: RefCell::default(),
        typed: RefCell::default(),
    };
    stops::all(&tour)?;
    let typed = tour.typed.into_inner();
    let code = if typed.iter().all(|one| one.done) { Code::Done } else { Code::Bug };
    if ui.is_json() {
        ui.json("lore.demo/1", &serde_json::json!({ "typed": typed }));
    } else if let Some(keep) = &args.keep {
        ui.line(format!("\nEverything is in {}", sanitised(&keep.display().to_string())));
    }
    Ok(code)
}

/// Makes the world of the tour: of the real one it has the terminal and where programs are, so that neither
/// the user's own settings, projects and sessions nor the agent in whose shell it runs have a part in it.
fn visiting(real: &World, folder: &std::path::Path) -> World {
    let mut world = World { now: demo::now(), directory: folder.to_owned(), ..real.clone() };
    world.variables.retain(|name, _| [PATH, TERM, NO_COLOR].contains(&name.as_str()));
    let data = folder.join("data");
    for (name, value) in [
        (HOME, data.display().to_string()),
        (LORE_DATA_DIR, data.display().to_string()),
        (LORE_CONFIG, data.join("config.toml").display().to_string()),
        (LORE_USER, "marta".to_owned()),
    ] {
        world.variables.insert(name.to_owned(), value);
    }
    world
}

impl Tour<'_> {
    /// Comes to the next stop: what it shows, and why that matters.
    fn stop(&self, title: &str, why: &str) {
        title.clone_into(&mut self.stop.borrow_mut());
        self.say(format!("\n{}\n{}", paint(Tone::Strong, format!("── {title}")), sanitised(why)));
    }

    /// Types a command as the person whose project this is.
    fn lore(&self, words: &[&str]) -> Result<(), Failure> {
        self.lore_in(&self.world, words, &|text| text)
    }

    /// Types a command as the coding agent.
    fn lore_as_agent(&self, words: &[&str]) -> Result<(), Failure> {
        self.lore_in(&self.agents_world(), words, &|text| text)
    }

    /// Types a command in a world of its own; of what it prints, `cut` says what is shown.
    fn lore_in(&self, world: &World, words: &[&str], cut: &dyn Fn(String) -> String) -> Result<(), Failure> {
        let command =
            format!("lore {}", words.iter().map(|word| shell_word(word)).collect::<Vec<_>>().join(" "));
        let full = |word: &&str| match OURS.contains(word) {
            true => self.folder.join(word).display().to_string(),
            false => (*word).to_owned(),
        };
        let args = std::iter::once("lore".to_owned()).chain(words.iter().map(full));
        let mut args = super::Args::try_parse_from(args)
            .map_err(|e| Failure::environment(format!("the tour types `{command}` wrongly"), &e))?;
        args.global.world = Some(world.clone());
        let kept = Ui::keeping(Output { json: false, quiet: false });
        let outcome = super::run(&kept, args);
        if let Err(failure) = &outcome {
            failure.report(&kept);
        }
        self.typed(&command, cut(kept.kept()), outcome.is_ok());
        Ok(())
    }

    /// Shows a command and what came of it.
    fn typed(&self, command: &str, output: String, done: bool) {
        let output = match self.kept {
            true => output,
            false => output.replace(&self.folder.display().to_string(), SHOWN),
        };
        // What an agent does by itself, nobody types.
        let prompt = if command.starts_with("claude: ") { "" } else { "$ " };
        self.say(format!("\n{}", paint(Tone::Faint, format!("{prompt}{command}"))));
        self.say(output.trim_end());
        let output = anstream::adapter::strip_str(&output).to_string();
        let stop = self.stop.borrow().clone();
        self.typed.borrow_mut().push(Typed { stop, command: command.to_owned(), output, done });
    }

    fn say(&self, text: impl AsRef<str>) {
        if !self.ui.is_json() {
            self.ui.line(text);
        }
    }

    /// The same world as the coding agent's shell has it.
    fn agents_world(&self) -> World {
        let mut world = self.world.clone();
        world.variables.insert(LORE_AGENT.to_owned(), "claude-code".to_owned());
        world
    }

    fn engine(&self) -> Result<Engine, Failure> {
        Ok(Engine::open(self.world.clone())?)
    }
}
