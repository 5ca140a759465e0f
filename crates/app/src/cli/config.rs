//! `lore config`

use std::path::Path;

use clap::{Subcommand, ValueEnum};
use lore_engine::Engine;
use lore_engine::config::rights::{Right, right_of};
use lore_engine::config::{Ignored, Layer};
use lore_engine::settings::ConsentGiven;

use super::{Global, Outcome};
use crate::error::Code;
use crate::ui::{Tone, Ui, cut, paint, sanitised};

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  lore config set query.limit 9")]
pub(super) struct Args {
    #[command(subcommand)]
    action: Option<Action>,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List every setting, its value and where that comes from
    List,
    /// Print the value of one setting
    Get {
        /// Name, such as `query.limit`
        key: String,
    },
    /// Change a setting
    Set {
        /// Name, such as `query.limit`
        key: String,
        /// Value; lists are given with commas
        value: String,
        /// Whose settings; the project's, or yours for what a project may not set
        #[arg(long, value_enum)]
        whose: Option<Whose>,
    },
    /// Go back to the value of the weaker layer
    Unset {
        /// Name, such as `query.limit`
        key: String,
        /// Whose settings; the project's, or yours for what a project may not set
        #[arg(long, value_enum)]
        whose: Option<Whose>,
    },
    /// Let this repository's settings count as they stand now
    #[command(after_help = "Example:\n  lore config allow --dry-run")]
    Allow {
        /// Show what would count and remember nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Take back what was allowed for this repository
    #[command(after_help = "Example:\n  lore config disallow")]
    Disallow {
        /// Show what would no longer count and change nothing
        #[arg(long)]
        dry_run: bool,
    },
    /// Print the reference of all settings and variables as Markdown
    Reference,
    /// Print the path of a settings file
    Path {
        /// Whose settings
        #[arg(long, value_enum, default_value_t = Whose::Project)]
        whose: Whose,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Whose {
    /// Yours, for all projects
    User,
    /// The project's, tracked with the base
    Project,
    /// This checkout's, not tracked
    Checkout,
}

impl From<Whose> for Layer {
    fn from(whose: Whose) -> Layer {
        match whose {
            Whose::User => Layer::User,
            Whose::Project => Layer::Project,
            Whose::Checkout => Layer::Checkout,
        }
    }
}

pub(super) fn run(ui: &Ui, global: &Global, args: Args) -> Outcome {
    let action = args.action.unwrap_or(Action::List);
    // What is yours in all projects needs none.
    let yours = |key: &str, whose: Option<Whose>| match whose {
        Some(whose) => whose == Whose::User,
        None => matches!(right_of(key).right, Right::Allowed | Right::Never) && !global.personal,
    };
    match &action {
        Action::Reference => {
            ui.print_whole(&lore_engine::config::reference());
            return Ok(Code::Done);
        }
        Action::Path { whose: Whose::User } => {
            ui.line(lore_engine::settings::user_file(&global.world()?)?.display().to_string());
            return Ok(Code::Done);
        }
        Action::Set { key, value, whose } if yours(key, *whose) => {
            let path = lore_engine::settings::set_for_user(&global.world()?, key, Some(value))?;
            is_set(ui, key, &path);
            return Ok(Code::Done);
        }
        Action::Unset { key, whose } if yours(key, *whose) => {
            let path = lore_engine::settings::set_for_user(&global.world()?, key, None)?;
            ui.note(format!("{key} is no longer set in {}", path.display()));
            return Ok(Code::Done);
        }
        _ => {}
    }
    let engine = &global.open()?;
    match action {
        Action::List => list(ui, engine),
        Action::Get { key } => {
            let setting = engine.config_get(&key)?;
            if ui.is_json() {
                ui.json("lore.setting/1", setting);
            } else {
                ui.line(plain(&setting.value));
            }
        }
        Action::Set { key, value, whose } => {
            let layer = whose.map_or(Layer::Project, Layer::from);
            let changed = engine.config_set(layer, &key, Some(&value))?;
            is_set(ui, &key, &changed.path);
            if hides(&key) && layer == Layer::Project && !global.personal {
                ui.note("These words travel with the repository; `--whose user` keeps them to yourself.");
            }
            if let Some(ignored) = changed.ignored {
                ui.note(format!("{} it does not count yet: {}", paint(Tone::Warn, "note:"), ignored.why));
                ui.note(format!("{} {}", paint(Tone::Name, "hint:"), ignored.hint));
            }
        }
        Action::Unset { key, whose } => {
            let changed = engine.config_set(whose.map_or(Layer::Project, Layer::from), &key, None)?;
            ui.note(format!("{key} is no longer set in {}", changed.path.display()));
        }
        Action::Allow { dry_run } => {
            let given = engine.config_allow(dry_run)?;
            consented(ui, &given, if dry_run { "would count" } else { "count" });
        }
        Action::Disallow { dry_run } => {
            let given = engine.config_disallow(dry_run)?;
            consented(ui, &given, if dry_run { "would no longer count" } else { "do not count" });
        }
        Action::Reference => {}
        Action::Path { whose } => ui.line(engine.config_path(whose.into())?.display().to_string()),
    }
    Ok(Code::Done)
}

fn list(ui: &Ui, engine: &Engine) {
    let settings = engine.config_list();
    if ui.is_json() {
        let ignored = engine.config_ignored();
        ui.json("lore.config/1", &serde_json::json!({ "settings": settings, "ignored": ignored }));
        return;
    }
    for setting in settings {
        let from = paint(Tone::Faint, format!("({})", setting.layer));
        ui.line(format!("{} = {} {from}", paint(Tone::Name, &setting.key), setting.value));
        ui.line(format!("  {}", setting.about));
        for ignored in engine.config_ignored().iter().filter(|ignored| ignored.key == setting.key) {
            refused(ui, ignored);
        }
    }
    for ignored in engine.config_ignored().iter().filter(|ignored| ignored.key.is_empty()) {
        ui.line(paint(Tone::Name, ignored.path.display().to_string()));
        refused(ui, ignored);
    }
}

/// Says which value does not count, and why.
fn refused(ui: &Ui, ignored: &Ignored) {
    let value = ignored.value.as_ref().map(|value| format!(" {value}")).unwrap_or_default();
    let what = format!("ignored:{} ({})", cut(&value, 60), ignored.layer);
    ui.line(format!("  {} {}", paint(Tone::Warn, what), sanitised(&ignored.why)));
    ui.line(format!("  {} {}", paint(Tone::Name, "hint:"), sanitised(&ignored.hint)));
}

fn consented(ui: &Ui, given: &ConsentGiven, verb: &str) {
    if ui.is_json() {
        ui.json("lore.consent/1", given);
        return;
    }
    let files: Vec<String> = given.files.iter().map(|path| path.display().to_string()).collect();
    if !given.changed {
        ui.note("Nothing changes by it.");
    }
    if given.values.is_empty() {
        ui.line(format!("no value beyond what every repository may set stands in {}", files.join(", ")));
        return;
    }
    ui.line(format!("these values {verb} for you, as long as {} stays as it is:", files.join(", ")));
    for one in &given.values {
        let value = one.value.as_ref().map(ToString::to_string).unwrap_or_default();
        ui.line(format!("  {} = {}", paint(Tone::Name, &one.key), cut(&value, 100)));
    }
}

/// Picks the layer: what a repository may not set goes to the user's own file.
fn is_set(ui: &Ui, key: &str, path: &Path) {
    ui.note(format!("{key} is set in {}", path.display()));
    if hides(key) {
        ui.note("Sessions are hidden from now on; `lore forget WORDS --dry-run` lists what is in the base already.");
    }
}

/// Tells whether a setting names what nobody is to see.
fn hides(key: &str) -> bool {
    matches!(key, "topics.exclude" | "sessions.exclude")
}

fn plain(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
