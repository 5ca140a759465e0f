//! Which model edits: the one that was named, or the one of the settings.

use std::path::PathBuf;
use std::time::Duration;

use super::command::{HEADLESS, Program};
#[cfg(feature = "model-http")]
use super::http;
use super::model::Model;
use crate::env::{ANTHROPIC_API_KEY, LORE_MODEL_KEY, OPENAI_API_KEY};
use crate::{Engine, Error};

/// The folder in which commands are started; nothing is ever put there.
const EMPTY: &str = "curator/empty";

impl Engine {
    /// Returns the model that the settings name; nothing where they name none.
    pub fn configured_model(&self) -> Result<Option<Box<dyn Model>>, Error> {
        let settings = &self.settings.curate;
        match settings.provider.as_str() {
            "" | "none" => Ok(None),
            "command" if settings.command.trim().is_empty() => {
                Err(self.needs("the command", "curate.command"))
            }
            "command" => Ok(Some(self.program(&settings.command, &settings.command)?)),
            "openai" | "anthropic" if settings.model.trim().is_empty() => {
                Err(self.needs("the model", "curate.model"))
            }
            "openai" => self.service(OPENAI_API_KEY).map(Some),
            "anthropic" => self.service(ANTHROPIC_API_KEY).map(Some),
            other => Err(Error::request(
                format!("`{other}` is not a provider of models"),
                "set `curate.provider` to none, openai, anthropic or command",
            )),
        }
    }

    /// Returns the editor of a name: a line of the user's own, an agent we know how to ask, or a model
    /// behind the address of the settings.
    pub fn editor(&self, name: &str) -> Result<Box<dyn Model>, Error> {
        let own = self.settings.curate.editors.iter().filter_map(|line| line.split_once('='));
        let own = own.map(|(name, line)| (name.trim(), line.trim())).find(|(known, _)| *known == name);
        if let Some((_, line)) = own.or_else(|| HEADLESS.iter().copied().find(|(known, _)| *known == name)) {
            let program = line.split_whitespace().next().unwrap_or_default();
            if !program.contains('/') && !self.world.finds(program) {
                return Err(Error::request(
                    format!("`{program}` cannot be started: it is not in the folders of `PATH`"),
                    format!(
                        "install it, or say how to ask: `lore config set --whose user curate.editors '[\"{name}=COMMAND\"]'`"
                    ),
                ));
            }
            return self.program(name, line);
        }
        if matches!(self.settings.curate.provider.as_str(), "openai" | "anthropic")
            && self.settings.curate.model == name
        {
            return self.configured_model()?.ok_or_else(|| self.unknown_editor(name));
        }
        Err(self.unknown_editor(name))
    }

    fn unknown_editor(&self, name: &str) -> Error {
        let known: Vec<&str> = HEADLESS.iter().map(|(name, _)| *name).collect();
        Error::request(
            format!("nobody knows how to ask `{name}`"),
            format!(
                "say one of {}, or how: `lore config set --whose user curate.editors '[\"{name}=COMMAND\"]'`",
                known.join(", ")
            ),
        )
    }

    fn needs(&self, what: &str, key: &str) -> Error {
        Error::request(
            format!("`curate.provider` is `{}`, but {what} is not set", self.settings.curate.provider),
            format!("run `lore config set {key} …`, or `lore config set curate.provider none`"),
        )
    }

    fn patience(&self) -> Duration {
        Duration::from_secs(self.settings.curate.timeout.max(1))
    }

    fn program(&self, name: &str, line: &str) -> Result<Box<dyn Model>, Error> {
        let folder: PathBuf = self.store.shared().make_folder(EMPTY)?;
        Ok(Box::new(Program::new(name, line, folder, self.patience())))
    }

    #[cfg(feature = "model-http")]
    fn service(&self, variable: &str) -> Result<Box<dyn Model>, Error> {
        let settings = &self.settings.curate;
        let dialect =
            if settings.provider == "openai" { http::Dialect::OpenAi } else { http::Dialect::Anthropic };
        let key = self.world.variable(LORE_MODEL_KEY).or_else(|| self.world.variable(variable));
        Ok(Box::new(http::Service::new(dialect, &settings.endpoint, &settings.model, key, self.patience())))
    }

    #[cfg(not(feature = "model-http"))]
    fn service(&self, _: &str) -> Result<Box<dyn Model>, Error> {
        let _ = LORE_MODEL_KEY;
        Err(Error::request(
            "this program was built without models behind an address",
            "set `curate.provider` to `command`, or build it with the feature `model-http`",
        ))
    }
}
