//! The outside world as a value: clock, home, variables, current folder.
//!
//! This is the only file that asks for any of them; everything else is given a [`World`]. Every
//! variable we read is in [`all_variables`], from which the reference page is made.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use jiff::Timestamp;
use lore_capture::PLACE_VARIABLES;
use lore_core::{Moment, NotAMoment};

use crate::Error;

use crate::command_line;

/// A variable we read, and what it does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub about: &'static str,
}

macro_rules! variables {
    ($($(#[$doc:meta])* $constant:ident = $name:literal: $about:literal),+ $(,)?) => {
        $(#[doc = $about] pub const $constant: &str = $name;)+

        /// Every variable we read ourselves; readers have theirs, see [`all_variables`].
        pub const VARIABLES: &[Variable] = &[$(Variable { name: $name, about: $about }),+];
    };
}

variables! {
    LORE_BASE = "LORE_BASE": "Folder of the knowledge base, instead of the one found from the current folder.",
    LORE_DATA_DIR = "LORE_DATA_DIR": "Folder of the personal base and the registry of projects.",
    LORE_CONFIG = "LORE_CONFIG": "Settings file of the user.",
    LORE_NOW = "LORE_NOW": "Time to use instead of the clock, for runs that can be repeated: `2026-02-20T12:00:00Z`, or a day, which begins at midnight UTC.",
    LORE_USER = "LORE_USER": "Name under which entries are verified and written.",
    GIT_AUTHOR_NAME = "GIT_AUTHOR_NAME": "Name of the user when neither LORE_USER nor USER is set.",
    LORE_MODEL_KEY = "LORE_MODEL_KEY": "Key for the model that `curate.provider` names, before the two below.",
    OPENAI_API_KEY = "OPENAI_API_KEY": "Key for an OpenAI-compatible model.",
    ANTHROPIC_API_KEY = "ANTHROPIC_API_KEY": "Key for a model of Anthropic.",
    LORE_SEARCH_KEY = "LORE_SEARCH_KEY": "Key for the web search that `ground.web` names.",
    CI = "CI": "Set where a machine builds: a check that cannot be made stops the step there.",
    VISUAL = "VISUAL": "Editor that `lore edit` opens.",
    EDITOR = "EDITOR": "Editor that `lore edit` opens when VISUAL is not set.",
    LORE_PAGER = "LORE_PAGER": "Program that shows long output page by page on a terminal; `cat` for none.",
    PAGER = "PAGER": "The same for every program, when LORE_PAGER is not set; else `less` is taken where it is installed.",
    LESS = "LESS": "Options of `less`; where there are none, `FRX`.",
    HOME = "HOME": "The user's home folder.",
    USERPROFILE = "USERPROFILE": "The user's home folder on Windows.",
    USER = "USER": "Name of the user when LORE_USER is not set.",
    USERNAME = "USERNAME": "Name of the user on Windows.",
    TERM = "TERM": "Sort of terminal; on a `dumb` one `lore review` asks line by line.",
    NO_COLOR = "NO_COLOR": "Set to anything: nothing is coloured.",
    PATH = "PATH": "Where programs are looked for.",
    LORE_AGENT = "LORE_AGENT": "Name of the coding agent in whose shell we run, for agents that we do not know by their own variables.",
    CLAUDECODE = "CLAUDECODE": "Set by Claude Code in its shell: what is written is then the agent's word.",
    CLAUDE_CODE_ENTRYPOINT = "CLAUDE_CODE_ENTRYPOINT": "Set by Claude Code in its shell.",
    CLAUDE_CODE_SESSION_ID = "CLAUDE_CODE_SESSION_ID": "The session of Claude Code that we run in.",
    CLAUDE_SESSION_ID = "CLAUDE_SESSION_ID": "The session of Claude Code that we run in.",
    CODEX_SANDBOX = "CODEX_SANDBOX": "Set by Codex in its shell.",
    CODEX_SANDBOX_NETWORK_DISABLED = "CODEX_SANDBOX_NETWORK_DISABLED": "Set by Codex in its shell.",
    CODEX_CI = "CODEX_CI": "Set by Codex in its shell.",
    CODEX_THREAD_ID = "CODEX_THREAD_ID": "The session of Codex that we run in.",
    GEMINI_CLI = "GEMINI_CLI": "Set by Gemini CLI in its shell.",
    GEMINI_SESSION_ID = "GEMINI_SESSION_ID": "The session of Gemini CLI that we run in.",
    OPENCODE = "OPENCODE": "Set by OpenCode in its shell.",
    OPENCODE_SESSION_ID = "OPENCODE_SESSION_ID": "The session of OpenCode that we run in.",
    CURSOR_AGENT = "CURSOR_AGENT": "Set by Cursor's agent in its shell.",
    COPILOT_CLI = "COPILOT_CLI": "Set by Copilot CLI in its shell.",
    COPILOT_AGENT = "COPILOT_AGENT": "Set by Copilot's agent in its shell.",
    COPILOT_AGENT_SESSION_ID = "COPILOT_AGENT_SESSION_ID": "The session of Copilot that we run in.",
    GOOSE_TERMINAL = "GOOSE_TERMINAL": "Set by Goose in its shell.",
    GOOSE_SESSION_ID = "GOOSE_SESSION_ID": "The session of Goose that we run in.",
    PI_CODING_AGENT = "PI_CODING_AGENT": "Set by pi in its shell.",
    CLINE_ACTIVE = "CLINE_ACTIVE": "Set by Cline in its terminals.",
    QWEN_CODE = "QWEN_CODE": "Set by Qwen Code in its shell.",
    AI_AGENT = "AI_AGENT": "Name of the agent, as several agents set it in their shells.",
}

/// Where settings of the user are; readers ask for it too.
const XDG_CONFIG_HOME: &str = "XDG_CONFIG_HOME";
/// Where personal data go; readers ask for it too.
const XDG_DATA_HOME: &str = "XDG_DATA_HOME";
/// Where personal data go on Windows; readers ask for it too.
const APPDATA: &str = "APPDATA";

/// Where Claude Code keeps its settings and sessions; its reader asks for it too.
pub const CLAUDE_CONFIG_DIR: &str = "CLAUDE_CONFIG_DIR";
/// Where Codex keeps its settings and sessions; its reader asks for it too.
pub const CODEX_HOME: &str = "CODEX_HOME";
/// Where Copilot CLI keeps its settings and sessions; its reader asks for it too.
pub const COPILOT_HOME: &str = "COPILOT_HOME";
/// Where pi keeps its settings and sessions; its reader asks for it too.
pub const PI_CODING_AGENT_DIR: &str = "PI_CODING_AGENT_DIR";

/// Variables that agents set in their shells, and whose they are. Their sessions' own names stand
/// behind; either says that an agent is at work.
const MARKS: &[(&str, &str)] = &[
    (CLAUDECODE, "claude-code"),
    (CLAUDE_CODE_ENTRYPOINT, "claude-code"),
    (CODEX_SANDBOX, "codex"),
    (CODEX_SANDBOX_NETWORK_DISABLED, "codex"),
    (CODEX_CI, "codex"),
    (GEMINI_CLI, "gemini"),
    (OPENCODE, "opencode"),
    (CURSOR_AGENT, "cursor"),
    (COPILOT_CLI, "copilot"),
    (COPILOT_AGENT, "copilot"),
    (GOOSE_TERMINAL, "goose"),
    (PI_CODING_AGENT, "pi"),
    (CLINE_ACTIVE, "cline"),
    (QWEN_CODE, "qwen"),
];
const SESSIONS: &[(&str, &str)] = &[
    (CLAUDE_CODE_SESSION_ID, "claude-code"),
    (CLAUDE_SESSION_ID, "claude-code"),
    (CODEX_THREAD_ID, "codex"),
    (GEMINI_SESSION_ID, "gemini"),
    (OPENCODE_SESSION_ID, "opencode"),
    (COPILOT_AGENT_SESSION_ID, "copilot"),
    (GOOSE_SESSION_ID, "goose"),
];

/// Lists every variable we read: our own, and those by which readers find sessions.
pub fn all_variables() -> impl Iterator<Item = Variable> {
    VARIABLES.iter().copied().chain(reader_variables())
}

/// Lists the variables by which readers find sessions.
pub fn reader_variables() -> impl Iterator<Item = Variable> {
    PLACE_VARIABLES.iter().map(|place| Variable { name: place.name, about: place.about })
}

/// The outside world at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct World {
    /// The time.
    pub now: Timestamp,
    /// The current folder.
    pub directory: PathBuf,
    /// The variables of [`all_variables`] that are set.
    pub variables: BTreeMap<String, String>,
}

/// The current folder cannot be told.
#[derive(Debug, thiserror::Error)]
#[error("cannot tell the current folder")]
pub struct NoDirectory(#[source] std::io::Error);

impl World {
    /// Looks at the real world.
    #[allow(clippy::disallowed_methods, reason = "this is the one place that may ask")]
    pub fn real() -> Result<World, NoDirectory> {
        let set = |variable: Variable| {
            let value = std::env::var(variable.name).ok().filter(|value| !value.is_empty())?;
            Some((variable.name.to_owned(), value))
        };
        let variables: BTreeMap<String, String> = all_variables().filter_map(set).collect();
        let directory = std::env::current_dir().map_err(NoDirectory)?;
        Ok(World { now: Timestamp::UNIX_EPOCH, directory, variables }.at_present())
    }

    /// Returns the same world at the present time, for programs that run for long.
    #[must_use]
    #[allow(clippy::disallowed_methods, reason = "this is the one place that may ask")]
    pub fn at_present(&self) -> World {
        let given = self.given_time().and_then(Result::ok);
        World { now: given.map_or_else(Timestamp::now, Moment::instant), ..self.clone() }
    }

    /// Returns the time as pages hold it: to the second.
    pub fn moment(&self) -> Moment {
        Moment::Instant(Timestamp::from_second(self.now.as_second()).unwrap_or(self.now))
    }

    /// Refuses a time that cannot be read. Without this question the clock is used instead, for hooks, which never
    /// fail.
    pub fn check_time(&self) -> Result<(), Error> {
        let Some(Err(error)) = self.given_time() else { return Ok(()) };
        let hint = format!("set {LORE_NOW} to a day or an instant, or take it out for the clock");
        Err(Error::request(format!("{LORE_NOW}: {error}"), hint))
    }

    /// Tells whether a time is to be used instead of the clock.
    pub(crate) fn has_given_time(&self) -> bool {
        matches!(self.given_time(), Some(Ok(_)))
    }

    /// Reads the time to use instead of the clock.
    fn given_time(&self) -> Option<Result<Moment, NotAMoment>> {
        self.variable(LORE_NOW).map(str::parse)
    }

    /// Returns where a path leads that is named from the current folder. Whoever looks for what lies around
    /// it goes up by its parts, and among those `..` would stand for a folder below.
    pub fn place(&self, path: &Path) -> PathBuf {
        let mut place = PathBuf::new();
        for part in self.directory.join(path).components() {
            if part == Component::ParentDir {
                // What is above a link lies above what it leads to.
                place = place.canonicalize().unwrap_or(place);
                place.pop();
            } else {
                place.push(part);
            }
        }
        place
    }

    /// Tells whether the terminal can do nothing but print.
    pub fn has_dumb_terminal(&self) -> bool {
        self.variable(TERM).map_or(cfg!(unix), |term| term == "dumb")
    }

    /// Tells whether colours are wanted, as far as the user has said.
    pub fn wants_colour(&self) -> bool {
        self.variable(NO_COLOR).is_none()
    }

    /// Returns the value of a variable.
    pub fn variable(&self, name: &str) -> Option<&str> {
        self.variables.get(name).map(String::as_str)
    }

    /// Returns the user's home folder.
    pub fn home(&self) -> Option<PathBuf> {
        self.variable(HOME).or_else(|| self.variable(USERPROFILE)).map(PathBuf::from)
    }

    /// Returns the folder of the personal base and of the registry.
    pub fn data_folder(&self) -> Option<PathBuf> {
        let under = |folder: &str| PathBuf::from(folder).join("lore");
        self.variable(LORE_DATA_DIR)
            .map(PathBuf::from)
            .or_else(|| self.variable(XDG_DATA_HOME).map(under))
            .or_else(|| self.variable(APPDATA).map(under))
            .or_else(|| Some(self.home()?.join(".local/share/lore")))
    }

    /// Returns the settings file of the user.
    pub fn config_file(&self) -> Option<PathBuf> {
        let under = |folder: &Path| folder.join("lore/config.toml");
        self.variable(LORE_CONFIG)
            .map(PathBuf::from)
            .or_else(|| self.variable(XDG_CONFIG_HOME).map(|folder| under(Path::new(folder))))
            .or_else(|| Some(under(&self.home()?.join(".config"))))
    }

    /// Returns the name under which the user confirms entries, in OKF's form for a person.
    pub fn person(&self) -> String {
        let name = [LORE_USER, USER, USERNAME].into_iter().find_map(|name| self.variable(name));
        let name = name.or_else(|| self.variable(GIT_AUTHOR_NAME));
        let name = name.map(str::to_owned).or_else(|| self.git_name());
        format!("human:{}", name.as_deref().unwrap_or("unknown"))
    }

    /// Reads the user's name where git has it, the repository's own settings first; git is not started.
    fn git_name(&self) -> Option<String> {
        let repository = self.directory.ancestors().map(|folder| folder.join(".git/config"));
        let global = self.home().map(|home| home.join(".gitconfig"));
        let config = self.variable(XDG_CONFIG_HOME).map(PathBuf::from);
        let config =
            config.or_else(|| Some(self.home()?.join(".config"))).map(|folder| folder.join("git/config"));
        let texts =
            repository.chain(global).chain(config).filter_map(|path| std::fs::read_to_string(path).ok());
        let texts: Vec<String> = texts.collect();
        let key = |key: &str| texts.iter().find_map(|text| git_setting(text, key));
        key("name").or_else(|| key("email"))
    }

    /// Returns the coding agent in whose shell we run, where we do.
    pub fn agent(&self) -> Option<&str> {
        let is_set =
            |name: &str| self.variable(name).is_some_and(|value| !matches!(value, "0" | "false" | ""));
        let named = [LORE_AGENT, AI_AGENT].into_iter().filter(|name| is_set(name));
        let marked = MARKS.iter().chain(SESSIONS).find(|(name, _)| is_set(name)).map(|(_, agent)| *agent);
        marked.or_else(|| named.into_iter().find_map(|name| self.variable(name)))
    }

    /// Names the variables by which an agent's shell is known.
    pub(crate) fn agent_marks() -> (Vec<&'static str>, Vec<&'static str>) {
        let agents = MARKS.iter().map(|(name, _)| *name).chain([LORE_AGENT, AI_AGENT]);
        (agents.collect(), SESSIONS.iter().map(|(name, _)| *name).collect())
    }

    /// Returns the session of that agent, where its shell says so.
    pub fn agent_session(&self) -> Option<&str> {
        let agent = self.agent()?;
        SESSIONS.iter().filter(|(_, of)| *of == agent).find_map(|(name, _)| self.variable(name))
    }

    /// Tells whether a program of this name can be started by it.
    pub fn finds(&self, program: &str) -> bool {
        self.found(program).is_some()
    }

    /// Returns the program that is started by this name.
    pub fn found(&self, program: &str) -> Option<PathBuf> {
        let path = self.variable(PATH).unwrap_or_default();
        std::env::split_paths(path).map(|folder| folder.join(program)).find(|path| path.is_file())
    }

    /// Returns the command line of the user's pager.
    pub fn pager(&self) -> Option<&str> {
        self.variable(LORE_PAGER).or_else(|| self.variable(PAGER))
    }

    /// Returns the user's editor, the program first and then what it is given.
    pub fn editor(&self) -> Option<Vec<String>> {
        let line = self.variable(VISUAL).or_else(|| self.variable(EDITOR))?;
        Some(command_line::words(line)).filter(|words| !words.is_empty())
    }
}

/// Finds a key of the section `[user]` in git's settings.
fn git_setting(text: &str, wanted: &str) -> Option<String> {
    let mut inside = false;
    let mut found = None;
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') {
            inside = line.eq_ignore_ascii_case("[user]");
        } else if let Some((key, value)) = line.split_once('=').filter(|_| inside)
            && key.trim().eq_ignore_ascii_case(wanted)
        {
            // What comes last holds, as git has it.
            let value = value.trim().trim_matches('"').replace(['\t', '\\'], " ");
            found = Some(value.trim().to_owned()).filter(|value| !value.is_empty());
        }
    }
    found
}

/// Returns a variable that the user lets an experiment have by name, such as where a compiler is.
#[allow(clippy::disallowed_methods, reason = "this is the one place that may ask")]
pub(crate) fn handed_on(name: &str) -> Option<String> {
    std::env::var(name).ok()
}

/// Returns where this program lies, so that it can start itself.
pub fn program() -> Option<PathBuf> {
    std::env::current_exe().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn world(variables: &[(&str, &str)]) -> World {
        World {
            now: Timestamp::UNIX_EPOCH,
            directory: PathBuf::from("/project"),
            variables: variables.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect(),
        }
    }

    #[test]
    fn pages_hold_seconds() {
        let now = "2026-02-20T12:32:37.745638796Z".parse().unwrap();
        assert_eq!(World { now, ..world(&[]) }.moment().to_string(), "2026-02-20T12:32:37Z");
    }

    #[test]
    fn folders_follow_the_variables() {
        let check = |variables: &[(&str, &str)], data: Option<&str>, config: Option<&str>| {
            let world = world(variables);
            assert_eq!(world.data_folder(), data.map(PathBuf::from), "{variables:?}");
            assert_eq!(world.config_file(), config.map(PathBuf::from), "{variables:?}");
        };
        check(&[], None, None);
        check(&[("HOME", "/h")], Some("/h/.local/share/lore"), Some("/h/.config/lore/config.toml"));
        check(
            &[("HOME", "/h"), ("XDG_DATA_HOME", "/d"), ("XDG_CONFIG_HOME", "/c")],
            Some("/d/lore"),
            Some("/c/lore/config.toml"),
        );
        check(&[("LORE_DATA_DIR", "/x"), ("LORE_CONFIG", "/y.toml")], Some("/x"), Some("/y.toml"));
    }

    #[test]
    fn a_path_leads_from_the_current_folder() {
        let check = |path: &str, expected: &str| {
            assert_eq!(world(&[]).place(Path::new(path)), PathBuf::from(expected), "{path}");
        };
        check("a/b", "/project/a/b");
        check("./a/./b/", "/project/a/b");
        check("../other", "/other");
        check("a/../../other/..", "/");
        check("../../..", "/");
        check("/elsewhere/../x", "/x");
    }

    #[test]
    fn an_agents_shell_is_known() {
        let check = |variables: &[(&str, &str)], agent: Option<&str>, session: Option<&str>| {
            let world = world(variables);
            assert_eq!((world.agent(), world.agent_session()), (agent, session), "{variables:?}");
        };
        check(&[("USER", "ada"), ("CODEX_HOME", "/x"), ("COPILOT_HOME", "/y")], None, None);
        check(&[("CLAUDECODE", "1")], Some("claude-code"), None);
        check(&[("CLAUDECODE", "0")], None, None);
        check(&[("CLAUDECODE", "1"), ("CLAUDE_SESSION_ID", "s-1")], Some("claude-code"), Some("s-1"));
        check(&[("CODEX_THREAD_ID", "t-1")], Some("codex"), Some("t-1"));
        for (name, agent) in MARKS {
            check(&[(*name, "1")], Some(agent), None);
        }
        check(&[("LORE_AGENT", "robin")], Some("robin"), None);
    }

    // Six variables that readers ask for were never handed to them.
    #[test]
    fn no_variable_is_listed_twice() {
        let mut names: Vec<&str> = all_variables().map(|variable| variable.name).collect();
        names.sort_unstable();
        let all = names.len();
        names.dedup();
        assert_eq!(names.len(), all);
    }

    #[test]
    fn a_person_has_a_name() {
        assert_eq!(world(&[("USER", "ada")]).person(), "human:ada");
        assert_eq!(world(&[("USER", "ada"), ("LORE_USER", "grace")]).person(), "human:grace");
        assert_eq!(world(&[]).person(), "human:unknown");
    }

    /// The person was `human:unknown` in containers, although git knew the name.
    #[test]
    fn git_knows_the_name() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(git_setting(text, "name").as_deref(), expected, "{text}");
        };
        check("[user]\n\tname = Ada Lovelace\n\temail = ada@example.org\n", Some("Ada Lovelace"));
        check("[core]\n\tname = x\n[User]\nName=\"Ada\"\n[alias]\nname = y\n", Some("Ada"));
        check("[user \"x\"]\nname = y\n", None);
        check("[user]\nname =\n", None);
        let temp = tempfile::tempdir().expect("a folder can be made");
        let derived = lore_store::derived::Derived::new(temp.path());
        derived.write(".gitconfig", b"[user]\n\tname = Ada\n").expect("a file can be written");
        let home = temp.path().display().to_string();
        assert_eq!(world(&[("HOME", &home)]).person(), "human:Ada");
        assert_eq!(world(&[("HOME", &home), ("USER", "grace")]).person(), "human:grace");
    }
}
