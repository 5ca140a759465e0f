//! Looking at settings and changing them, and saying which repositories' settings count.

use std::path::{Path, PathBuf};

use lore_core::redact::Redactor;
use lore_store::derived::Derived;
use serde::Serialize;

use crate::base::{config_files, consent_id, load_config};
use crate::config::consent::Consent;
use crate::config::rights::{Right, right_of};
use crate::config::{self, ConfigError, Faith, Ignored, Layer, Setting, SettingsFile};
use crate::exclude::what_is_in_doubt;
use crate::{Engine, Error, World};

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

/// What became of a change of settings.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SettingChanged {
    /// The file that was written.
    pub path: PathBuf,
    /// Why the value does not count yet, where it does not.
    pub ignored: Option<Ignored>,
}

/// What was said about a repository's settings.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ConsentGiven {
    /// The project, as it is known on this machine.
    pub project: String,
    /// The files whose text is meant.
    pub files: Vec<PathBuf>,
    /// The values that count from now on, or no longer do.
    pub values: Vec<Ignored>,
    /// Whether anything changes by it.
    pub changed: bool,
    /// Whether only a rehearsal was asked for.
    pub dry_run: bool,
}

/// Changes a setting of the user's own, wherever they are: what locks them out of a base must not need one to be mended.
pub fn set_for_user(world: &World, key: &str, value: Option<&str>) -> Result<PathBuf, Error> {
    refuse_agents(world, key)?;
    if let Some(value) = value {
        refuse_secret(key, value)?;
    }
    let path = user_file(world)?;
    write_setting(&path, Layer::User, key, value)?;
    Ok(path)
}

/// Refuses an agent what not even a repository may set by itself: what holds it, and what is run for it.
fn refuse_agents(world: &World, key: &str) -> Result<(), Error> {
    let is_guarded = !matches!(right_of(key).right, Right::Anything | Right::Between(..));
    match world.agent().filter(|_| is_guarded) {
        Some(agent) => Err(Error::request(
            format!("{agent} cannot change `{key}`; only a person can"),
            format!("run `lore config set {key} …` in a terminal of your own"),
        )),
        None => Ok(()),
    }
}

/// Returns the user's own settings file.
pub fn user_file(world: &World) -> Result<PathBuf, Error> {
    world.config_file().ok_or(Error::NoHome)
}

fn write_setting(path: &Path, layer: Layer, key: &str, value: Option<&str>) -> Result<(), Error> {
    let text = match std::fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        Err(source) => return Err(Error::File { doing: "read", path: path.to_owned(), source }),
    };
    let changed = match value {
        Some(value) => config::set(&text, path, key, value)?,
        None => config::unset(&text, path, key)?,
    };
    let folder = path.parent().map(PathBuf::from).unwrap_or_default();
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or("config.toml");
    let derived = match layer {
        Layer::Checkout => Derived::new(folder),
        _ => Derived::ordinary(folder),
    };
    Ok(derived.write(name, changed.as_bytes())?)
}

impl Engine {
    /// Lists every setting with its value and where that came from.
    pub fn config_list(&self) -> &[Setting] {
        self.config.list()
    }

    /// Lists what a repository wanted and did not get, and why.
    pub fn config_ignored(&self) -> &[Ignored] {
        &self.config.ignored
    }

    /// Returns one setting.
    pub fn config_get(&self, key: &str) -> Result<&Setting, Error> {
        Ok(self.config.get(key)?)
    }

    /// Returns the file of a layer.
    pub fn config_path(&self, layer: Layer) -> Result<PathBuf, Error> {
        let found = self.settings_files().into_iter().find(|file| file.layer == layer);
        Ok(found.map(|file| file.path).ok_or(ConfigError::NoFile(layer))?)
    }

    /// Changes a setting in the file of a layer, or takes it out where no value is given.
    pub fn config_set(&self, layer: Layer, key: &str, value: Option<&str>) -> Result<SettingChanged, Error> {
        refuse_agents(&self.world, key)?;
        if let Some(value) = value {
            refuse_secret(key, value)?;
        }
        let path = self.config_path(layer)?;
        write_setting(&path, layer, key, value)?;
        // The file just written must be usable, or the next command would fail.
        let now = load_config(&self.world, &self.scope, self.store.git())?;
        let is_it = |ignored: &Ignored| ignored.key == key && ignored.layer == layer;
        Ok(SettingChanged { path, ignored: now.ignored.into_iter().find(is_it) })
    }

    /// Lets this repository's settings count as they stand now.
    pub fn config_allow(&self, dry_run: bool) -> Result<ConsentGiven, Error> {
        if let Some(agent) = self.world.agent() {
            return Err(Error::request(
                format!("{agent} cannot allow a repository's settings; only a person can"),
                "run `lore config allow` in a terminal of your own",
            ));
        }
        let data = self.world.data_folder().ok_or(Error::NoHome)?;
        let project = consent_id(&self.scope, self.store.git());
        let mut consent = Consent::load(&data);
        let mut files = Vec::new();
        let mut changed = false;
        for file in self.arrived() {
            if let Ok(Some(text)) = file.read() {
                changed |= !consent.allows(&project, &text);
                consent.allow(&project, &text);
                files.push(file.path);
            }
        }
        if files.is_empty() {
            return Err(Error::request(
                "this repository has no settings of its own",
                "`lore config list` shows where each value comes from",
            ));
        }
        if !dry_run && changed {
            consent.save(&data)?;
        }
        let values = self.config.ignored.iter().filter(|ignored| ignored.can_be_allowed).cloned().collect();
        Ok(ConsentGiven { project, files, values, changed, dry_run })
    }

    /// Takes back what was allowed for this repository.
    pub fn config_disallow(&self, dry_run: bool) -> Result<ConsentGiven, Error> {
        let data = self.world.data_folder().ok_or(Error::NoHome)?;
        let project = consent_id(&self.scope, self.store.git());
        let mut consent = Consent::load(&data);
        let changed = consent.disallow(&project);
        if !dry_run && changed {
            consent.save(&data)?;
        }
        let files = self.settings_files();
        let without = config::Config::load(&files, &|_| false)?;
        let values = without.ignored.into_iter().filter(|ignored| ignored.can_be_allowed).collect();
        let files = self.arrived().filter(|file| file.path.exists()).map(|file| file.path).collect();
        Ok(ConsentGiven { project, files, values, changed, dry_run })
    }

    /// Says in one line what of this repository's settings is ignored, the first time it is so.
    ///
    /// Where it cannot be remembered that it was said, it is said again; so is what keeps us from writing, as long as
    /// it does.
    pub fn news_of_ignored(&self) -> Option<String> {
        if let Some(doubt) = self.config.in_doubt() {
            let what = what_is_in_doubt(doubt);
            return Some(format!(
                "{what}; nothing is kept, and no session is read or told, until you {}",
                doubt.hint
            ));
        }
        let ignored = &self.config.ignored;
        if ignored.is_empty() {
            return None;
        }
        let mut names: Vec<&str> =
            ignored.iter().map(|one| one.key.as_str()).filter(|key| !key.is_empty()).collect();
        names.dedup();
        let what = match names.len() {
            0 => "the settings file of this repository is ignored".to_owned(),
            1 => format!("a setting of this repository is ignored: {}", names[0]),
            count => format!("{count} settings of this repository are ignored: {}", names.join(", ")),
        };
        if let Some(data) = self.world.data_folder() {
            let mut consent = Consent::load(&data);
            if !consent.tell(&consent_id(&self.scope, self.store.git()), &what) {
                return None;
            }
            if let Err(error) = consent.save(&data) {
                tracing::debug!(%error, "what was said is not remembered");
            }
        }
        Some(format!("{what} (`lore config list` says why)"))
    }

    /// Says which settings are written under a name of before, once for each set of them.
    pub fn news_of_renamed(&self) -> Option<String> {
        let (_, first) = self.config.renamed.first()?;
        let more = match self.config.renamed.len() - 1 {
            0 => String::new(),
            count => format!(", and {count} more have another name"),
        };
        let now = config::present_name(first);
        let what = format!(
            "the setting `{first}` is called `{now}` now{more}; the old name counts in this version only"
        );
        let data = self.world.data_folder()?;
        let mut consent = Consent::load(&data);
        if !consent.tell(&format!("{} names", consent_id(&self.scope, self.store.git())), &what) {
            return None;
        }
        if let Err(error) = consent.save(&data) {
            tracing::debug!(%error, "what was said is not remembered");
        }
        Some(format!("{what} (`lore check` names the files)"))
    }

    pub(crate) fn settings_files(&self) -> Vec<SettingsFile> {
        config_files(&self.world, &self.scope, self.store.git())
    }

    fn arrived(&self) -> impl Iterator<Item = SettingsFile> {
        self.settings_files().into_iter().filter(|file| file.faith == Faith::Arrived)
    }
}
