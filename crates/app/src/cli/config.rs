//! `lore config`

use clap::{Subcommand, ValueEnum};
use lore_engine::Engine;
use lore_engine::config::Layer;

use super::Outcome;
use crate::error::Code;
use crate::ui::{Tone, Ui, paint};

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
        /// Whose settings
        #[arg(long, value_enum, default_value_t = Whose::Project)]
        whose: Whose,
    },
    /// Go back to the value of the weaker layer
    Unset {
        /// Name, such as `query.limit`
        key: String,
        /// Whose settings
        #[arg(long, value_enum, default_value_t = Whose::Project)]
        whose: Whose,
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

pub(super) fn run(ui: &Ui, engine: &Engine, args: Args) -> Outcome {
    match args.action.unwrap_or(Action::List) {
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
            let path = engine.config_set(whose.into(), &key, Some(&value))?;
            ui.note(format!("{key} is set in {}", path.display()));
        }
        Action::Unset { key, whose } => {
            let path = engine.config_set(whose.into(), &key, None)?;
            ui.note(format!("{key} is no longer set in {}", path.display()));
        }
        Action::Reference => ui.print(lore_engine::config::reference()),
        Action::Path { whose } => ui.line(engine.config_path(whose.into())?.display().to_string()),
    }
    Ok(Code::Done)
}

fn list(ui: &Ui, engine: &Engine) {
    let settings = engine.config_list();
    if ui.is_json() {
        ui.json("lore.config/1", &serde_json::json!({ "settings": settings }));
        return;
    }
    for setting in settings {
        let from = paint(Tone::Faint, format!("({})", setting.layer));
        ui.line(format!("{} = {} {from}", paint(Tone::Name, &setting.key), setting.value));
        ui.line(format!("  {}", setting.about));
    }
}

fn plain(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}
