//! Looking at settings and changing them.

use std::path::PathBuf;

use lore_core::redact::Redactor;
use lore_store::derived::Derived;

use crate::base::config_files;
use crate::config::{self, Config, ConfigError, Layer, Setting};
use crate::{Engine, Error};

/// Settings are read by many programs and often tracked; a secret in one is a secret no more.
fn refuse_secret(key: &str, value: &str) -> Result<(), Error> {
    // Alone, and as the file would say it: a name tells more than a value.
    let told = format!("{key} = \"{value}\"");
    let found = [value, told.as_str()]
        .into_iter()
        .find_map(|text| Redactor::standard().redact(text).findings.first().map(|finding| finding.rule));
    match found {
        Some(rule) => Err(Error::request(
            format!("the value for `{key}` looks like a secret ({rule}); nothing was changed"),
            "keep secrets out of settings: put it into an environment variable and name that",
        )),
        None => Ok(()),
    }
}

impl Engine {
    /// Lists every setting with its value and where that came from.
    pub fn config_list(&self) -> &[Setting] {
        self.config.list()
    }

    /// Returns one setting.
    pub fn config_get(&self, key: &str) -> Result<&Setting, Error> {
        Ok(self.config.get(key)?)
    }

    /// Returns the file of a layer.
    pub fn config_path(&self, layer: Layer) -> Result<PathBuf, Error> {
        let files = config_files(&self.world, &self.scope);
        let found = files.into_iter().find(|(known, _)| *known == layer);
        Ok(found.map(|(_, path)| path).ok_or(ConfigError::NoFile(layer))?)
    }

    /// Changes a setting in the file of a layer, or takes it out where no value is given.
    pub fn config_set(&self, layer: Layer, key: &str, value: Option<&str>) -> Result<PathBuf, Error> {
        if let Some(value) = value {
            refuse_secret(key, value)?;
        }
        let path = self.config_path(layer)?;
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            Err(source) => return Err(Error::File { doing: "read", path, source }),
        };
        let changed = match value {
            Some(value) => config::set(&text, &path, key, value)?,
            None => config::unset(&text, &path, key)?,
        };
        let folder = path.parent().map(PathBuf::from).unwrap_or_default();
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("config.toml").to_owned();
        let derived = match layer {
            Layer::Checkout => Derived::new(folder),
            _ => Derived::ordinary(folder),
        };
        derived.write(&name, changed.as_bytes())?;
        // The file just written must be usable, or the next command would fail.
        Config::load(&config_files(&self.world, &self.scope))?;
        Ok(path)
    }
}
