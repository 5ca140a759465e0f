//! The settings as typed values, and their descriptions out of the defaults file.

use toml::{Table, Value};

use super::{DEFAULTS, Layer, Setting};

/// All settings in force.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
pub struct Settings {
    /// Where the base is.
    pub base: Base,
    /// What git is told.
    pub git: Git,
    /// When and how much is curated.
    pub curate: Curate,
    /// What is taken out besides known secrets.
    pub redact: Redact,
    /// Which sessions are read.
    pub sessions: Sessions,
    /// What is not taken in.
    pub topics: Topics,
    /// How queries answer.
    pub query: Query,
    /// What a session start gets.
    pub context: Context,
    /// The personal base.
    pub personal: Personal,
    /// How design steps are checked.
    pub ground: Ground,
    /// What is done with friction that was noticed.
    pub signals: Signals,
}

/// What is done with friction that was noticed.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
pub struct Signals {
    /// `personal`, `occasion` or `words`.
    pub share: String,
    /// Sessions without a recurrence that verify a remedy.
    pub window: u32,
    /// Most notes that wait.
    pub notes: u32,
    /// Whether a remedy needs a triage before it.
    pub strict: bool,
}

/// Where the base is.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
pub struct Base {
    /// Folder, relative to the repository.
    pub location: String,
}

/// What git is told.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
pub struct Git {
    /// Commit each change.
    pub commit: bool,
}

/// When and how much is curated.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
pub struct Curate {
    /// Run after this many new sessions.
    pub after_sessions: u32,
    /// Weight that makes an article.
    pub threshold: f64,
    /// Whether new articles rest on files and packages that they name.
    pub conditions: bool,
    /// Who edits: `none`, `openai`, `anthropic` or `command`.
    pub provider: String,
    /// Address of the service.
    pub endpoint: String,
    /// Name of the model.
    pub model: String,
    /// Command line.
    pub command: String,
    /// Further editors, as `NAME=COMMAND`.
    pub editors: Vec<String>,
    /// Seconds to wait.
    pub timeout: u64,
    /// Patterns of sessions that no editor sees.
    pub private: Vec<String>,
    /// Tokens a run of an editor may cost.
    pub tokens_per_run: usize,
    /// Tokens that editors may cost in a day.
    pub tokens_per_day: usize,
}

/// What is taken out besides known secrets.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
pub struct Redact {
    /// Regular expressions.
    pub patterns: Vec<String>,
}

/// Which sessions are read.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
pub struct Sessions {
    /// Further places.
    pub paths: Vec<String>,
    /// Agents to leave out.
    pub ignore_agents: Vec<String>,
    /// Patterns of sessions that are never read.
    pub exclude: Vec<String>,
}

/// What is not taken in.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
pub struct Topics {
    /// Patterns of what nothing is kept about.
    pub exclude: Vec<String>,
}

/// How queries answer.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
pub struct Query {
    /// How many hits.
    pub limit: usize,
    /// Where vectors come from.
    pub model: String,
}

/// What a session start gets.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
pub struct Context {
    /// Tokens.
    pub budget: usize,
    /// Articles.
    pub articles: usize,
    /// Whether to say what was considered.
    pub debug: bool,
}

/// The personal base.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
pub struct Personal {
    /// Whether queries look there too.
    pub search: bool,
}

/// How design steps are checked.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
pub struct Ground {
    /// `SPEED` or `FULL`.
    pub mode: String,
    /// `off`, `advisory` or `as-table`.
    pub enforce: String,
    /// Which sources are asked.
    pub sources: Vec<String>,
    /// `none`, `searxng`, `brave`, `tavily` or `command`.
    pub web: String,
    /// Address of the search.
    pub web_endpoint: String,
    /// Command line of the search.
    pub web_command: String,
    /// Seconds to wait for it.
    pub web_timeout: u64,
}

impl Settings {
    pub(super) fn from_list(list: &[Setting]) -> Settings {
        let mut whole = Table::new();
        for setting in list {
            if let Some((section, name)) = setting.key.split_once('.') {
                let table = whole.entry(section).or_insert_with(|| Value::Table(Table::new()));
                if let Value::Table(table) = table {
                    table.insert(name.to_owned(), setting.value.clone());
                }
            }
        }
        whole.try_into().expect("types were checked against the defaults when the layers were merged")
    }
}

/// Reads keys, values and their comments out of the defaults file.
pub(super) fn described_defaults() -> Vec<Setting> {
    let table: Table = DEFAULTS.parse().expect("the defaults are valid; a test reads them");
    let mut settings = Vec::new();
    let mut section = "";
    let mut about = Vec::new();
    for line in DEFAULTS.lines() {
        if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            section = name;
        } else if let Some(comment) = line.strip_prefix("# ") {
            about.push(comment);
            continue;
        } else if let Some((name, _)) = line.split_once(" = ")
            && let Some(value) = table.get(section).and_then(|values| values.get(name))
        {
            let key = format!("{section}.{name}");
            settings.push(Setting {
                key,
                value: value.clone(),
                layer: Layer::Default,
                about: about.join(" "),
            });
        }
        about.clear();
    }
    settings
}

/// Renders the reference page of all settings.
pub fn describe() -> String {
    use std::fmt::Write as _;
    let mut page = String::from(
        "# Settings\n\nChange one with `lore config set KEY VALUE`; `lore config list` shows the values in \
         force and where each comes from.\n\n| setting | default | what it does |\n|---|---|---|\n",
    );
    for setting in described_defaults() {
        let _ = writeln!(page, "| `{}` | `{}` | {} |", setting.key, setting.value, setting.about);
    }
    page
}
