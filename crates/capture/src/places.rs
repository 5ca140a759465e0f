//! The outside world as a value: where agents usually leave their sessions.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A variable that says where an agent keeps its sessions, and what it names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlaceVariable {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub about: &'static str,
}

macro_rules! places {
    ($($name:literal: $about:literal),+ $(,)?) => {
        /// Every variable that a reader asks for; no reader may ask for another.
        pub const PLACE_VARIABLES: &[PlaceVariable] =
            &[$(PlaceVariable { name: $name, about: $about }),+];
    };
}

places! {
    "XDG_CONFIG_HOME": "Where settings of the user are.",
    "XDG_DATA_HOME": "Where personal data go.",
    "APPDATA": "Where personal data go on Windows.",
    "CLAUDE_CONFIG_DIR": "Where Claude Code keeps its sessions.",
    "CODEX_HOME": "Where Codex keeps its sessions.",
    "GEMINI_HOME": "Where Gemini CLI keeps its sessions.",
    "GEMINI_CLI_HOME": "Folder with the `.gemini` of Gemini CLI, before GEMINI_HOME.",
    "COPILOT_HOME": "Where Copilot CLI keeps its sessions.",
    "CURSOR_DATA_DIR": "Where Cursor keeps the transcripts of its agents.",
    "CLINE_DIR": "Where Cline's command line keeps its tasks.",
    "PI_CODING_AGENT_DIR": "Where pi keeps its sessions.",
    "PI_SESSIONS_DIR": "A further folder of pi's sessions.",
    "OPENCLAW_HOME": "Where OpenClaw keeps its agents.",
    "GOOSE_PATH_ROOT": "Where Goose keeps its sessions.",
    "OPENCODE_SQLITE_DB": "Database of OpenCode.",
    "OPENCODE_STORAGE_ROOT": "Older storage folder of OpenCode.",
    "AIDER_CHAT_HISTORY_FILE": "Chat history of aider.",
}

/// The home folder and the environment, as they were when the program started.
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// The user's home folder.
    pub home: PathBuf,
    /// Environment variables by name.
    pub variables: BTreeMap<String, String>,
}

/// A folder or file that may hold sessions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Location {
    /// The folder, or a single file such as a database.
    pub path: PathBuf,
    /// How many levels of folders below it are looked at.
    pub depth: usize,
    /// Ends of file names that are worth opening, such as `.jsonl`.
    pub endings: &'static [&'static str],
}

impl Places {
    /// Returns a variable that is set and not empty.
    pub fn variable(&self, name: &str) -> Option<&str> {
        // One that is not listed is never handed in, so asking for it would quietly do nothing.
        debug_assert!(PLACE_VARIABLES.iter().any(|known| known.name == name), "{name} is not listed");
        self.variables.get(name).map(String::as_str).filter(|value| !value.trim().is_empty())
    }

    /// Returns the folder a variable names, else one below the home folder. `~` is understood.
    pub fn folder(&self, variable: &str, below_home: &str) -> PathBuf {
        match self.variable(variable) {
            Some(value) => self.expand(value),
            None => self.home.join(below_home),
        }
    }

    /// Returns the user's configuration folder (`XDG_CONFIG_HOME`).
    pub fn config(&self) -> PathBuf {
        self.folder("XDG_CONFIG_HOME", ".config")
    }

    /// Returns the user's data folder (`XDG_DATA_HOME`).
    pub fn data(&self) -> PathBuf {
        self.folder("XDG_DATA_HOME", ".local/share")
    }

    /// Lists the folders where programs keep their settings, on every system we know.
    pub fn application_folders(&self) -> Vec<PathBuf> {
        let mut folders = vec![self.config(), self.home.join("Library/Application Support")];
        folders.extend(self.variable("APPDATA").map(PathBuf::from));
        folders
    }

    fn expand(&self, value: &str) -> PathBuf {
        match value.strip_prefix('~') {
            Some(rest) if rest.is_empty() || rest.starts_with(['/', '\\']) => {
                self.home.join(rest.trim_start_matches(['/', '\\']))
            }
            _ => Path::new(value).to_owned(),
        }
    }
}

impl Location {
    /// Makes a folder that is searched for files with these endings.
    pub fn folder(path: PathBuf, depth: usize, endings: &'static [&'static str]) -> Location {
        Location { path, depth, endings }
    }

    /// Makes a single file.
    pub fn file(path: PathBuf) -> Location {
        Location { path, depth: 0, endings: &[""] }
    }
}
