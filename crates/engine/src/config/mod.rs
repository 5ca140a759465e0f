//! Layered settings: defaults, user, project, checkout.
//!
//! The user's own file is believed. What lies in a repository arrived with it, and counts as far as
//! [`rights`] says for each setting, or wholly once the user allowed its text ([`consent`]).

pub mod consent;
mod load;
pub(crate) mod patterns;
mod reference;
pub mod rights;
mod settings;

use std::fmt;
use std::path::{Component, Path, PathBuf};

pub use load::{Faith, Ignored, SettingsFile};
pub use reference::reference;
pub use settings::{Curate, Ground, Settings, describe};
use toml::{Table, Value};

/// The defaults, as documented to the user.
pub const DEFAULTS: &str = include_str!("defaults.toml");

/// Where a setting comes from; later ones override earlier ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Layer {
    /// Built in.
    Default,
    /// The user's own file.
    User,
    /// Tracked with the base, for everybody.
    Project,
    /// This checkout only, not tracked.
    Checkout,
}

impl fmt::Display for Layer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Layer::Default => "default",
            Layer::User => "user",
            Layer::Project => "project",
            Layer::Checkout => "checkout",
        })
    }
}

/// Settings that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file is not TOML.
    #[error("`{}` is not valid TOML: {message}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// What the parser says.
        message: String,
    },
    /// The file cannot be read.
    #[error("cannot read `{}`", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// There is no such setting.
    #[error("there is no setting `{0}`")]
    UnknownKey(String),
    /// The value is of the wrong sort.
    #[error("`{key}` must be {expected}, not `{found}`")]
    WrongType {
        /// The setting.
        key: String,
        /// What it must be.
        expected: &'static str,
        /// What it is.
        found: String,
    },
    /// The value is none of those that there are.
    #[error("`{key}` must be {}, not {found}", allowed(key))]
    NotAChoice {
        /// The setting.
        key: String,
        /// What it is.
        found: String,
    },
    /// The value cannot be meant.
    #[error("`{key}` must be {expected}, not `{found}`")]
    Unfit {
        /// The setting.
        key: String,
        /// What it must be.
        expected: &'static str,
        /// What it is.
        found: String,
    },
    /// A pattern is none.
    #[error("`{pattern}` in `{key}` is no regular expression: {why}")]
    NoPattern {
        /// The setting.
        key: String,
        /// The pattern.
        pattern: String,
        /// What is wrong with it.
        why: String,
    },
    /// A file of the user's own holds a value that cannot be used.
    #[error("`{}`: {source}", path.display())]
    InFile {
        /// The file.
        path: PathBuf,
        /// The setting.
        key: String,
        /// What is wrong with it.
        source: Box<ConfigError>,
    },
    /// There is no file for that layer.
    #[error("there is no settings file for the layer `{0}` here")]
    NoFile(Layer),
}

/// One setting with its value and where that came from.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Setting {
    /// Dotted name.
    pub key: String,
    /// The value in force.
    pub value: Value,
    /// The layer that set it.
    pub layer: Layer,
    /// What it does.
    pub about: String,
}

/// All layers, merged, each value knowing where it came from.
#[derive(Debug, Clone)]
pub struct Config {
    settings: Vec<Setting>,
    /// Settings in the files that we do not know: reported, never fatal.
    pub unknown: Vec<(PathBuf, String)>,
    /// Settings in the files that have another name since; they count for one more version.
    pub renamed: Vec<(PathBuf, String)>,
    /// What a repository wanted and did not get.
    pub ignored: Vec<Ignored>,
}

/// Names that settings had before, with what they are called now.
const RENAMED: [(&str, &str); 6] = [
    ("refine.provider", "curate.provider"),
    ("refine.endpoint", "curate.endpoint"),
    ("refine.model", "curate.model"),
    ("refine.command", "curate.command"),
    ("refine.timeout", "curate.timeout"),
    ("refine.budget", "curate.tokens_per_run"),
];

/// Returns what a setting is called now.
pub fn present_name(key: &str) -> &str {
    RENAMED.iter().find(|(before, _)| *before == key).map_or(key, |(_, now)| now)
}

impl Config {
    /// Returns the defaults alone.
    pub fn defaults() -> Config {
        Config {
            settings: settings::described_defaults(),
            unknown: Vec::new(),
            renamed: Vec::new(),
            ignored: Vec::new(),
        }
    }

    /// Lists every setting.
    pub fn list(&self) -> &[Setting] {
        &self.settings
    }

    /// Returns one setting.
    pub fn get(&self, key: &str) -> Result<&Setting, ConfigError> {
        let found = self.settings.iter().find(|setting| setting.key == present_name(key));
        found.ok_or_else(|| ConfigError::UnknownKey(key.to_owned()))
    }

    /// Names the first thing in the settings that says, or may say, what is to be left out, and cannot be used.
    pub(crate) fn in_doubt(&self) -> Option<&Ignored> {
        self.ignored.iter().find(|ignored| ignored.leaves_out)
    }

    /// Returns the settings as typed values.
    pub fn settings(&self) -> Settings {
        Settings::from_list(&self.settings)
    }
}

/// Returns the text of a settings file with one value changed; comments and order stay.
pub fn set(text: &str, path: &Path, key: &str, value: &str) -> Result<String, ConfigError> {
    let config = Config::defaults();
    let key = present_name(key);
    let default = &config.get(key)?.value;
    let parsed = parse_value(default, value);
    check_type(key, default, &parsed)?;
    patterns::check_patterns(key, &parsed)?;
    let mut document = edit(text, path)?;
    let (section, name) = key.split_once('.').ok_or_else(|| ConfigError::UnknownKey(key.to_owned()))?;
    if document.get(section).is_none() {
        document[section] = toml_edit::table();
    }
    let literal: toml_edit::Value = parsed.to_string().parse().map_err(|_| ConfigError::WrongType {
        key: key.to_owned(),
        expected: kind_of(default),
        found: value.to_owned(),
    })?;
    document[section][name] = toml_edit::value(literal);
    Ok(document.to_string())
}

/// Returns the text of a settings file without one value.
pub fn unset(text: &str, path: &Path, key: &str) -> Result<String, ConfigError> {
    Config::defaults().get(key)?;
    let mut document = edit(text, path)?;
    if let Some((section, name)) = key.split_once('.')
        && let Some(table) = document.get_mut(section).and_then(toml_edit::Item::as_table_mut)
    {
        table.remove(name);
    }
    Ok(document.to_string())
}

fn edit(text: &str, path: &Path) -> Result<toml_edit::DocumentMut, ConfigError> {
    let syntax = |e: toml_edit::TomlError| ConfigError::Syntax {
        path: path.to_owned(),
        message: patterns::unreadable(text, e.span(), e.message()),
    };
    text.parse::<toml_edit::DocumentMut>().map_err(syntax)
}

/// Reads what was typed on a command line as the sort of value the setting takes.
fn parse_value(default: &Value, text: &str) -> Value {
    match default {
        Value::String(_) => Value::String(text.to_owned()),
        Value::Array(_) if !text.trim_start().starts_with('[') => {
            let parts = text.split(',').map(str::trim).filter(|part| !part.is_empty());
            Value::Array(parts.map(|part| Value::String(part.to_owned())).collect())
        }
        _ => format!("value = {text}")
            .parse::<Table>()
            .ok()
            .and_then(|table| table.get("value").cloned())
            .unwrap_or_else(|| Value::String(text.to_owned())),
    }
}

fn check_type(key: &str, default: &Value, value: &Value) -> Result<(), ConfigError> {
    let fits = match (default, value) {
        (Value::Float(_), Value::Integer(_)) => true,
        (Value::Integer(_), Value::Integer(number)) => *number >= 0,
        (Value::Array(_), Value::Array(items)) => items.iter().all(Value::is_str),
        _ => default.same_type(value),
    };
    if fits {
        check_choice(key, value)?;
        return check_meaning(key, value);
    }
    Err(ConfigError::WrongType { key: key.to_owned(), expected: kind_of(default), found: value.to_string() })
}

/// Settings of which only certain words mean something; a misspelt one must not pass for another.
const CHOICES: [(&str, &[&str]); 4] = [
    ("ground.mode", &["SPEED", "FULL"]),
    ("ground.enforce", &["off", "advisory", "as-table"]),
    ("ground.sources", &["repo", "history", "web"]),
    ("ground.web", &["none", "searxng", "brave", "tavily", "command"]),
];

fn choices(key: &str) -> Option<&'static [&'static str]> {
    CHOICES.iter().find(|(name, _)| *name == key).map(|(_, words)| *words)
}

/// Lists the words of a setting for people.
fn allowed(key: &str) -> String {
    let words: Vec<String> =
        choices(key).unwrap_or_default().iter().map(|word| format!("`{word}`")).collect();
    match words.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

fn check_choice(key: &str, value: &Value) -> Result<(), ConfigError> {
    let Some(words) = choices(key) else { return Ok(()) };
    let one = std::slice::from_ref(value);
    let given = value.as_array().map_or(one, Vec::as_slice);
    let is_there = |one: &&Value| {
        let said = one.as_str().unwrap_or_default();
        words.iter().any(|word| *word == said || key == "ground.mode" && word.eq_ignore_ascii_case(said))
    };
    match given.iter().find(|one| !is_there(one)) {
        None => Ok(()),
        Some(one) => Err(ConfigError::NotAChoice {
            key: key.to_owned(),
            found: format!("`{}`", one.as_str().unwrap_or_default()),
        }),
    }
}

/// Turns down values of the right sort with which nothing would work any more.
fn check_meaning(key: &str, value: &Value) -> Result<(), ConfigError> {
    let number = value.as_float().or_else(|| value.as_integer().map(|whole| whole as f64));
    let (expected, fits) = match key {
        "base.location" => {
            let path = Path::new(value.as_str().unwrap_or_default());
            let inside = path.components().all(|part| matches!(part, Component::Normal(_)));
            ("a folder inside the project", inside && path.components().next().is_some())
        }
        "curate.threshold" => ("from 0 to 1", number.is_some_and(|bar| (0.0..=1.0).contains(&bar))),
        _ => return Ok(()),
    };
    let found = || value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    if fits { Ok(()) } else { Err(ConfigError::Unfit { key: key.to_owned(), expected, found: found() }) }
}

fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::String(_) => "a text",
        Value::Integer(_) => "a whole number from 0 up",
        Value::Float(_) => "a number",
        Value::Boolean(_) => "`true` or `false`",
        Value::Array(_) => "a list of texts",
        Value::Datetime(_) | Value::Table(_) => "something else",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_default_is_described_and_typed() {
        for setting in Config::defaults().list() {
            assert!(!setting.about.is_empty(), "`{}` has no comment", setting.key);
        }
        let settings = Config::defaults().settings();
        assert_eq!(settings.curate.after_sessions, 5);
        assert_eq!(settings.base.location, "knowledge");
    }

    #[test]
    fn wrong_values_are_refused_with_what_is_right() {
        let check = |key: &str, value: &str, expected: &str| {
            let error = set("", Path::new("c.toml"), key, value).unwrap_err();
            assert_eq!(error.to_string(), expected);
        };
        check("query.limit", "many", "`query.limit` must be a whole number from 0 up, not `\"many\"`");
        check("query.limit", "-1", "`query.limit` must be a whole number from 0 up, not `-1`");
        check("git.commit", "maybe", "`git.commit` must be `true` or `false`, not `\"maybe\"`");
        check("query.colour", "red", "there is no setting `query.colour`");
        let modes = "`ground.enforce` must be `off`, `advisory` or `as-table`, not `as_table`";
        check("ground.enforce", "as_table", modes);
        check("ground.mode", "fast", "`ground.mode` must be `SPEED` or `FULL`, not `fast`");
        check(
            "ground.sources",
            "repo, wiki",
            "`ground.sources` must be `repo`, `history` or `web`, not `wiki`",
        );
        assert!(set("", Path::new("c.toml"), "ground.mode", "full").is_ok());
    }

    #[test]
    fn setting_keeps_comments() {
        let before = "# mine\n[query]\nlimit = 3 # few\n";
        let after = set(before, Path::new("c.toml"), "redact.patterns", "a+, b+").unwrap();
        assert_eq!(after, "# mine\n[query]\nlimit = 3 # few\n\n[redact]\npatterns = [\"a+\", \"b+\"]\n");
        assert!(!unset(&after, Path::new("c.toml"), "query.limit").unwrap().contains("limit"));
    }
}
