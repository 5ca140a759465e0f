//! Whether everything is in place: the program, the agents' hooks and their trust, the worker, the index.
//!
//! Nothing is changed and nothing built; each finding says what to do about it.

mod upkeep;

use std::path::PathBuf;

use lore_core::text::counted;
use lore_surface::Level;
use serde::Serialize;

use crate::context::{ContextOptions, Occasion};
use crate::hook::{Running, Trouble, WorkerRun};
use crate::install::{self, AgentState, Trust, Whose};
use crate::schedule::Way;
use crate::tracks::Enforce;
use crate::{Engine, Error, World, env};

/// What was looked at, and what was found.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Examination {
    /// This program.
    pub program: Option<PathBuf>,
    /// The program that agents start by the name `lore`.
    pub on_path: Option<PathBuf>,
    /// How each agent stands.
    pub agents: Vec<AgentHealth>,
    /// How the base stands; nothing where there is none.
    pub base: Option<BaseHealth>,
    /// What is wrong, and what to do about it.
    pub findings: Vec<Finding>,
}

/// How an agent stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgentHealth {
    /// What is installed.
    #[serde(flatten)]
    pub state: AgentState,
    /// The last that was heard of it in this project.
    pub last_heard: Option<Running>,
}

/// How a base stands.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct BaseHealth {
    /// Its folder.
    pub root: PathBuf,
    /// `in step`, `behind`, `not built`, or why it cannot be used.
    pub index: String,
    /// Sessions that wait to be curated.
    pub waiting: usize,
    /// After how many they are.
    pub after_sessions: u32,
    /// Sessions that are under way.
    pub running: usize,
    /// Sessions that could not be curated.
    pub set_aside: Vec<Trouble>,
    /// What the last worker did.
    pub worker: Option<WorkerRun>,
    /// Whether one is at it now.
    pub working: bool,
    /// How many statements of files contradict the base, as far as was looked.
    pub disagreements: usize,
    /// What a session that begins now is told.
    pub start: String,
    /// What that costs.
    pub tokens: usize,
}

/// Something that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// Whether it keeps something from working.
    pub grave: bool,
    /// What.
    pub what: String,
    /// What to do.
    pub hint: String,
}

impl Examination {
    /// Tells whether something does not work.
    pub fn is_ill(&self) -> bool {
        self.findings.iter().any(|finding| finding.grave)
    }
}

/// Looks at everything.
pub fn examine(world: &World) -> Result<Examination, Error> {
    let mut findings = Vec::new();
    let mut find = |grave: bool, what: String, hint: &str| {
        findings.push(Finding { grave, what, hint: hint.to_owned() });
    };
    let program = env::program();
    let on_path = world.found("lore");
    let engine = match Engine::open(world.clone()) {
        Ok(engine) => Some(engine),
        Err(Error::NoBase(_)) => {
            find(false, "this project has no knowledge base".to_owned(), "`lore init` makes one");
            None
        }
        Err(error) => {
            let why = crate::hook::described(&error);
            let hints = error.hints();
            let hint = hints.first().map_or("`lore check` says more", String::as_str);
            find(true, format!("the base cannot be opened: {why}"), hint);
            None
        }
    };
    let agents: Vec<AgentHealth> = install::states(world)
        .into_iter()
        .map(|state| AgentHealth {
            last_heard: engine.as_ref().and_then(|engine| engine.last_heard(state.agent)),
            state,
        })
        .collect();
    let is_wired = agents.iter().any(|agent| !agent.state.installed.is_empty());
    match (&on_path, &program) {
        (None, _) if is_wired => find(
            true,
            "agents are wired, and `lore` is not on the PATH: their hooks do nothing".to_owned(),
            "put its folder on the PATH, or install with `--user --program PATH`",
        ),
        (Some(found), Some(own)) if found.canonicalize().ok() != own.canonicalize().ok() => find(
            false,
            format!("agents start another program: `{}`", found.display()),
            "update that one, or put this one before it on the PATH",
        ),
        _ => {}
    }
    agents.iter().for_each(|agent| look_at(agent, &mut find));
    let ignored = engine.as_ref().filter(|engine| !engine.is_personal()).and_then(Engine::ignored_by);
    if let Some(rule) = ignored {
        let what = format!("git leaves the base out ({rule}), so it does not travel with the code");
        find(false, what, "take that line out, or add `!knowledge/` behind it");
    }
    if let Some(aside) = engine.as_ref().and_then(Engine::kept_aside) {
        find(
            false,
            format!("what somebody wrote is kept aside in `{aside}`"),
            "put it where it belongs, and delete it there",
        );
    }
    if let Some(engine) = &engine {
        engine.look_at_upkeep(&mut find)?;
        engine.look_at_gate(is_wired, &mut find);
        if let Some(trouble) = crate::hook::last_trouble(engine) {
            let (at, said) = (trouble.at.strftime("%Y-%m-%d %H:%M"), &trouble.said);
            let what = format!("a hook or a worker could not do its work on {at} (UTC): {said}");
            find(false, what, &format!("`{}` holds all of it", trouble.log.display()));
        }
    }
    let base = engine.map(|engine| engine.health()).transpose()?;
    if let Some(base) = &base {
        base.look(is_wired, &mut find);
    }
    findings.sort_by_key(|finding| !finding.grave);
    Ok(Examination { program, on_path, agents, base, findings })
}

fn look_at(agent: &AgentHealth, find: &mut impl FnMut(bool, String, &str)) {
    let name = agent.state.agent;
    for installed in &agent.state.installed {
        let flag = if installed.whose == Whose::User { " --user" } else { "" };
        if let [first, ..] = installed.missing.as_slice() {
            let more = installed.missing.len() - 1;
            let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
            find(
                false,
                format!("{name}: `{}`{rest} is missing or was changed", first.display()),
                &format!("`lore install {name}{flag}` puts it back; what somebody made their own stays"),
            );
        }
        match &installed.trust {
            Trust::Pending { how } => find(true, format!("{name}: installed, but not yet trusted"), how),
            Trust::Off { how } => find(true, format!("{name}: installed, but its hooks are turned off"), how),
            Trust::Trusted | Trust::Unknown { .. } => {}
        }
    }
    if agent.state.installed.is_empty()
        && agent.state.agent != "other"
        && let Some(why) = &agent.state.found
    {
        find(false, format!("{name}: not wired, although {why}"), &format!("`lore install {name}`"));
    }
}

impl Engine {
    /// A gate that is to hold must be asked by somebody.
    fn look_at_gate(&self, is_wired: bool, find: &mut impl FnMut(bool, String, &str)) {
        if self.enforce() != Enforce::AsTable || self.is_personal() || self.store.git().is_none() {
            return;
        }
        if self.schedule(Way::GitGate).is_ok_and(|gate| gate.installed) {
            return;
        }
        let what = if is_wired {
            "`ground.enforce` is as-table, and git does not ask the gate: only what agents' hooks see is held"
        } else {
            "`ground.enforce` is as-table, and neither git nor an agent's hook asks the gate: nothing is held"
        };
        find(!is_wired, what.to_owned(), "`lore schedule install git-gate`");
    }

    fn health(&self) -> Result<BaseHealth, Error> {
        let index = match self.open_index() {
            Err(error) => crate::hook::described(&error),
            Ok(index) if index.to_fill(Level::Entries).is_some() => "not built".to_owned(),
            Ok(_) if self.is_in_step() => "in step".to_owned(),
            Ok(_) => "behind".to_owned(),
        };
        let told = match index.as_str() {
            // Nothing is built for the sake of looking.
            "in step" => self.context(&ContextOptions::new(Occasion::Whole(String::new())))?,
            _ => crate::context::Context::default(),
        };
        Ok(BaseHealth {
            root: self.root().to_owned(),
            index,
            waiting: self.waiting().sessions(),
            after_sessions: self.settings.curate.after_sessions,
            running: self.running().len(),
            set_aside: self.set_aside(),
            worker: self.last_worker(),
            working: self.is_working(),
            disagreements: self.known_disagreements().len(),
            tokens: told.tokens,
            start: told.text,
        })
    }
}

impl BaseHealth {
    fn look(&self, is_wired: bool, find: &mut impl FnMut(bool, String, &str)) {
        match self.index.as_str() {
            "in step" => {}
            "behind" => find(
                false,
                "the index is behind; the next worker brings it into step".to_owned(),
                "`lore work` does it now",
            ),
            "not built" if is_wired => find(
                false,
                "there is no index yet; the first session has it built and is told with its first prompt"
                    .to_owned(),
                "`lore work` builds it now",
            ),
            "not built" => {}
            why => find(true, format!("the index cannot be used: {why}"), "`lore work` makes it anew"),
        }
        if let Some(failure) = self.worker.as_ref().and_then(|run| run.failure.as_ref()) {
            find(
                true,
                format!("the last worker failed: {failure}"),
                "`lore work --now` tries again and says why",
            );
        }
        if !self.set_aside.is_empty() {
            let count = self.set_aside.len();
            find(
                true,
                format!("{} could not be curated", counted(count, "session", "sessions")),
                "`lore status` names them and how to retry",
            );
        }
        if self.disagreements > 0 {
            let count = self.disagreements;
            let (one, many) = ("contradicts", "contradict");
            let what = format!(
                "{} of AGENTS.md and its like {} the base",
                counted(count, "line", "lines"),
                if count == 1 { one } else { many }
            );
            find(false, what, "`lore written` shows both sides");
        }
        if self.after_sessions == 0 && self.waiting > 0 {
            find(
                false,
                format!(
                    "{}, and curating by itself is off",
                    counted(self.waiting, "session waits", "sessions wait")
                ),
                "`lore curate`, or `lore config set curate.after_sessions 5`",
            );
        }
    }
}
