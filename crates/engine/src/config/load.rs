//! Merging the settings files, each as far as it is believed.

use std::path::{Path, PathBuf};

use serde::Serialize;
use toml::{Table, Value};

use super::patterns::{check_patterns, leaves_out, takes_patterns, unreadable};
use super::rights::{Right, right_of};
use super::{Config, ConfigError, Layer, check_type};
use crate::World;

/// Larger settings files of a repository are not read.
const LARGEST: u64 = 256 * 1024;

/// One settings file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingsFile {
    /// Where it stands among the others.
    pub layer: Layer,
    /// The file.
    pub path: PathBuf,
    /// How far it is believed.
    pub faith: Faith,
}

/// How far a settings file is believed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Faith {
    /// It is the user's own, or lies where only they can put it.
    Own,
    /// It may have arrived with a clone.
    Arrived,
}

/// What would help a value that does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Remedy {
    /// The user may allow it.
    Allow,
    /// It has to be written differently, or elsewhere.
    Mend,
}

/// A value that a repository wanted and that does not count.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Ignored {
    /// The setting; empty where the whole file is meant.
    pub key: String,
    /// What it was to be; nothing where the whole file is meant.
    pub value: Option<Value>,
    /// The layer that tried to set it.
    pub layer: Layer,
    /// The file.
    pub path: PathBuf,
    /// Why it does not count.
    pub why: String,
    /// What to do.
    pub hint: String,
    /// Whether `lore config allow` would make it count.
    pub can_be_allowed: bool,
    /// Whether it says, or may say, what is to be left out; until that is known nothing is kept.
    pub leaves_out: bool,
}

impl SettingsFile {
    /// Makes the user's own file.
    pub fn own(path: PathBuf) -> SettingsFile {
        SettingsFile { layer: Layer::User, path, faith: Faith::Own }
    }

    /// Reads the text; nothing where there is no such file.
    ///
    /// What arrived with a repository must be a plain file of a sensible size: a link could lead
    /// anywhere, and a device never ends.
    pub(crate) fn read(&self) -> Result<Option<String>, std::io::Error> {
        if self.faith == Faith::Arrived {
            let about = match self.path.symlink_metadata() {
                Ok(about) => about,
                Err(error) if is_absent(&error) => return Ok(None),
                Err(error) => return Err(error),
            };
            if !about.is_file() || about.len() > LARGEST {
                let message = "it is not a plain file of at most 256 kB";
                return Err(std::io::Error::new(std::io::ErrorKind::InvalidData, message));
            }
        }
        match std::fs::read_to_string(&self.path) {
            Ok(text) => Ok(Some(text)),
            Err(error) if is_absent(&error) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

fn is_absent(error: &std::io::Error) -> bool {
    matches!(error.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory)
}

impl Config {
    /// Merges files over the defaults; a file that does not exist is skipped.
    ///
    /// The user's own file must be right. One that arrived with a repository never stops anything:
    /// what cannot be used in it is listed in [`Config::ignored`]. `allowed` is asked about its text
    /// only if it wants more than it may.
    pub fn load(files: &[SettingsFile], allowed: &dyn Fn(&str) -> bool) -> Result<Config, ConfigError> {
        let mut config = Config::defaults();
        for file in files {
            match file.faith {
                Faith::Own => config.load_own(file)?,
                Faith::Arrived => config.load_arrived(file, allowed),
            }
        }
        Ok(config)
    }

    /// Merges the user's own file over the defaults, for where no base is known.
    pub(crate) fn of_user(world: &World) -> Result<Config, ConfigError> {
        let files: Vec<SettingsFile> = world.config_file().map(SettingsFile::own).into_iter().collect();
        Config::load(&files, &|_| false)
    }

    fn load_own(&mut self, file: &SettingsFile) -> Result<(), ConfigError> {
        let failed = |source| ConfigError::Read { path: file.path.clone(), source };
        let Some(text) = file.read().map_err(failed)? else { return Ok(()) };
        let syntax = |error: toml::de::Error| ConfigError::Syntax {
            path: file.path.clone(),
            message: unreadable(&text, error.span(), error.message()),
        };
        let table = text.parse::<Table>().map_err(syntax)?;
        for (key, value) in self.known(&file.path, &table) {
            let Some(setting) = self.settings.iter_mut().find(|setting| setting.key == key) else { continue };
            let fits = check_type(&key, &setting.value, &value).and_then(|()| check_patterns(&key, &value));
            fits.map_err(|source| ConfigError::InFile {
                path: file.path.clone(),
                key: key.clone(),
                source: Box::new(source),
            })?;
            setting.value = value;
            setting.layer = file.layer;
        }
        Ok(())
    }

    fn load_arrived(&mut self, file: &SettingsFile, allowed: &dyn Fn(&str) -> bool) {
        let text = match file.read() {
            Ok(Some(text)) => text,
            Ok(None) => return,
            Err(error) => return self.ignore_file(file, &format!("it cannot be read: {error}")),
        };
        let table = match text.parse::<Table>() {
            Ok(table) => table,
            Err(error) => {
                let what = unreadable(&text, error.span(), error.message());
                return self.ignore_file(file, &format!("it is not valid TOML: {what}"));
            }
        };
        let mut is_allowed = None;
        for (key, value) in self.known(&file.path, &table) {
            let Some(at) = self.settings.iter().position(|setting| setting.key == key) else { continue };
            let row = right_of(&key);
            let held = &self.settings[at].value;
            let admitted = match check_type(&key, held, &value) {
                Err(error) => Err((error.to_string(), Remedy::Mend)),
                Ok(()) => row.admit(held, &value).or_else(|why| {
                    let can_be_allowed = !matches!(row.right, Right::Never | Right::Add);
                    let is_allowed = can_be_allowed && *is_allowed.get_or_insert_with(|| allowed(&text));
                    let remedy = if can_be_allowed { Remedy::Allow } else { Remedy::Mend };
                    if is_allowed { Ok(value.clone()) } else { Err((why, remedy)) }
                }),
            };
            match admitted {
                Ok(admitted) => {
                    let admitted =
                        if takes_patterns(&key) { self.patterns(file, &key, &admitted) } else { admitted };
                    self.settings[at].value = admitted;
                    self.settings[at].layer = file.layer;
                }
                Err((why, remedy)) => self.ignore(file, key, value, why, remedy),
            }
        }
    }

    /// Leaves out what is no regular expression: one bad pattern must not take the others with it.
    fn patterns(&mut self, file: &SettingsFile, key: &str, all: &Value) -> Value {
        let mut kept = Vec::new();
        for item in all.as_array().into_iter().flatten() {
            match check_patterns(key, item) {
                // What holds without the file was looked at with the file that it is from.
                Err(error) => {
                    self.ignore(file, key.to_owned(), item.clone(), error.to_string(), Remedy::Mend)
                }
                Ok(()) => kept.push(item.clone()),
            }
        }
        Value::Array(kept)
    }

    /// Lists the values of settings that there are, and notes those that there are not.
    fn known(&mut self, path: &Path, table: &Table) -> Vec<(String, Value)> {
        let mut found = Vec::new();
        for (section, values) in table {
            let Value::Table(values) = values else {
                self.unknown.push((path.to_owned(), section.clone()));
                continue;
            };
            for (name, value) in values {
                let said = format!("{section}.{name}");
                let key = super::present_name(&said).to_owned();
                if key != said {
                    self.renamed.push((path.to_owned(), said));
                }
                if self.settings.iter().any(|setting| setting.key == key) {
                    found.push((key, value.clone()));
                } else {
                    self.unknown.push((path.to_owned(), key));
                }
            }
        }
        found
    }

    fn ignore_file(&mut self, file: &SettingsFile, why: &str) {
        self.ignored.push(Ignored {
            key: String::new(),
            value: None,
            layer: file.layer,
            path: file.path.clone(),
            why: why.to_owned(),
            hint: "mend the file, or remove it".to_owned(),
            can_be_allowed: false,
            leaves_out: true,
        });
    }

    fn ignore(&mut self, file: &SettingsFile, key: String, value: Value, why: String, remedy: Remedy) {
        let can_be_allowed = remedy == Remedy::Allow;
        let own = format!("`lore config set --whose user {key} VALUE` sets it for you");
        let hint = if can_be_allowed {
            format!("`lore config allow` lets this repository's settings count; {own}")
        } else if right_of(&key).right == Right::Never {
            own
        } else {
            format!("correct it in `{}`", file.path.display())
        };
        let (layer, path, leaves_out) = (file.layer, file.path.clone(), leaves_out(&key));
        self.ignored.push(Ignored {
            key,
            value: Some(value),
            layer,
            path,
            why,
            hint,
            can_be_allowed,
            leaves_out,
        });
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::disallowed_methods, reason = "tests set their own stage")]
    use super::*;

    /// Loads a user's and a project's file.
    fn load(user: &str, project: &str, allowed: bool) -> Result<Config, ConfigError> {
        let folder = tempfile::tempdir().unwrap();
        let (own, theirs) = (folder.path().join("user.toml"), folder.path().join("project.toml"));
        std::fs::write(&own, user).unwrap();
        std::fs::write(&theirs, project).unwrap();
        let theirs = SettingsFile { layer: Layer::Project, path: theirs, faith: Faith::Arrived };
        Config::load(&[SettingsFile::own(own), theirs], &|_| allowed)
    }

    #[test]
    fn later_layers_win_and_strangers_are_named() {
        let config = load("[query]\nlimit = 9", "[query]\nlimit = 7\ncolour = 1", false).unwrap();
        assert_eq!(config.settings().query.limit, 7);
        assert_eq!(config.get("query.limit").unwrap().layer, Layer::Project);
        assert_eq!(config.unknown.len(), 1);
        assert_eq!(config.unknown[0].1, "query.colour");
    }

    // A tracked file named a command, and the next curation ran it.
    #[test]
    fn a_repository_starts_sends_and_reads_nothing_unless_allowed() {
        let project = "[curate]\nprovider = \"command\"\ncommand = \"sh -c evil\"\nendpoint = \"http://evil\"\n\
                       [sessions]\npaths = [\"/etc\"]\n[base]\nlocation = \"elsewhere\"\n";
        let config = load("", project, false).unwrap();
        assert_eq!(config.settings(), Config::defaults().settings());
        let keys: Vec<&str> = config.ignored.iter().map(|ignored| ignored.key.as_str()).collect();
        assert_eq!(
            keys,
            ["base.location", "curate.command", "curate.endpoint", "curate.provider", "sessions.paths"]
        );
        assert!(
            config.ignored.iter().all(|ignored| ignored.layer == Layer::Project && !ignored.why.is_empty())
        );
        let config = load("", project, true).unwrap();
        assert_eq!(config.settings().curate.command, "sh -c evil");
        assert_eq!(config.settings().base.location, "knowledge", "nobody but the user says where a base is");
        assert_eq!(config.ignored.len(), 2);
    }

    #[test]
    fn what_the_user_takes_out_stays_out() {
        let user = "[redact]\npatterns = [\"ACME-[0-9]+\"]\n[sessions]\nignore_agents = [\"codex\"]\n";
        let project = "[redact]\npatterns = [\"(\", \"CASE\"]\n[sessions]\nignore_agents = []\n";
        for allowed in [false, true] {
            let config = load(user, project, allowed).unwrap();
            assert_eq!(config.settings().redact.patterns, ["ACME-[0-9]+", "CASE"]);
            assert_eq!(config.settings().sessions.ignore_agents, ["codex"]);
            assert_eq!(config.ignored.len(), 1, "one pattern is no regular expression: {:?}", config.ignored);
        }
    }

    // One wrong value in a tracked file made every command of everybody fail.
    #[test]
    fn a_broken_file_of_a_repository_stops_nobody_and_the_users_own_does() {
        let check = |text: &str, why: &str| {
            let config = load("", text, true).unwrap();
            assert_eq!(config.settings(), Config::defaults().settings(), "{text}");
            assert!(config.ignored[0].why.contains(why), "{:?}", config.ignored);
            assert!(load(text, "", true).is_err(), "{text}");
        };
        check("[query\n", "not valid TOML");
        check("[query]\nlimit = \"many\"\n", "must be a whole number");
        check("[query]\nlimit = -3\n", "must be a whole number");
        check("[ground]\nenforce = \"As-table\"\n", "must be `off`, `advisory` or `as-table`");
        check("[ground]\nmode = \"FULLY\"\n", "must be `SPEED` or `FULL`");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_in_a_repository_is_not_followed() {
        let folder = tempfile::tempdir().unwrap();
        let (real, link) = (folder.path().join("real.toml"), folder.path().join("config.toml"));
        std::fs::write(&real, "[query]\nlimit = 7\n").unwrap();
        std::os::unix::fs::symlink(&real, &link).unwrap();
        let file = SettingsFile { layer: Layer::Project, path: link, faith: Faith::Arrived };
        let config = Config::load(&[file], &|_| true).unwrap();
        assert_eq!(config.settings().query.limit, 5);
        assert_eq!(config.ignored.len(), 1);
    }
}
