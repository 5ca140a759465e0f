//! What happens at an agent's natural points: a session begins, a prompt is sent, a session ends.
//!
//! An agent must never notice us by our failing: whatever goes wrong here ends in a line of our
//! own log and in silence. Ending a session only leaves a note; a worker of its own curates.

mod aside;
pub(crate) mod inbox;
mod log;
mod portions;
mod running;
mod worker;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;

use lore_capture::hook::{self, Act, HookEvent, Stage, Told};
use lore_core::redact::Redactor;
use lore_core::sentinel;

pub use aside::{Trouble, WorkerFailure, WorkerRun};
pub use inbox::Waiting;
pub(crate) use log::last as last_trouble;
pub use running::Running;
pub use worker::{WorkOptions, Worked, due_elsewhere, work};

use lore_ground::command::{changes_files, commits, delivers};
use lore_ground::git::ask_git;
use lore_ground::guard::{Disarming, Marks, disarms};

use crate::base::Patience;
use crate::context::{ContextOptions, Occasion};
use crate::tracks::{Deed, Enforce};
use crate::{Engine, Error, World};

/// What a hook is to do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct HookReply {
    /// What to print for the agent, if anything.
    pub output: Option<String>,
    /// The base whose waiting sessions are due, so that a worker should be started.
    pub work: Option<std::path::PathBuf>,
    /// The base whose tracks have steps to check, so that a worker should be started for them.
    pub ground: Option<std::path::PathBuf>,
}

/// Does what an agent's hook asks for. Never fails: what goes wrong is written to our log, a panic of ours too.
pub fn answer(world: World, agent: &str, event: &str, message: &[u8]) -> HookReply {
    let fallback = world.clone();
    let job = AssertUnwindSafe(|| answered(world, agent, event, message));
    catch_unwind(job).unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<&str>().map(|said| (*said).to_owned());
        let said = said.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
        let said = Redactor::standard().redact(&said).text.replace('\n', " ");
        log::write(None, &fallback, &format!("{agent} {event}: a panic: {said}"));
        HookReply::default()
    })
}

fn answered(world: World, agent: &str, event: &str, message: &[u8]) -> HookReply {
    let fallback = world.clone();
    let event = match hook::read(agent, event, message) {
        Ok(event) => event,
        Err(error) => {
            // What it is about is not known; where the agent was started is.
            let engine = Engine::open(world).ok();
            log::write(engine.as_ref(), &fallback, &format!("{agent} {event}: {}", described(&error)));
            return HookReply::default();
        }
    };
    let mut world = world;
    if let Some(directory) = event.directory.as_ref().filter(|directory| directory.is_dir()) {
        world.directory.clone_from(directory);
    }
    // A project without a base is not an error: there is nothing to say in it.
    let engine = match Engine::open(world) {
        Ok(engine) => Engine { patience: Patience::Hook, ..engine },
        Err(Error::NoBase(_)) => return HookReply::default(),
        Err(error) => {
            log::write(None, &fallback, &format!("{agent} {}: {}", event.name, described(&error)));
            return HookReply::default();
        }
    };
    engine.hooked(&event).unwrap_or_else(|error| {
        log::write(Some(&engine), &fallback, &format!("{agent} {}: {}", event.name, described(&error)));
        HookReply::default()
    })
}

/// Returns a prompt as far as it says what is wanted: of one into which a log was pasted, its beginning and its end.
fn in_brief(prompt: &str) -> String {
    let count = prompt.chars().count();
    if count <= HEAD + TAIL {
        return prompt.to_owned();
    }
    let head: String = prompt.chars().take(HEAD).collect();
    let tail: String = prompt.chars().skip(count - TAIL).collect();
    format!("{head}\n{tail}")
}

/// So many characters of a long prompt are read from its beginning, and so many from its end.
const HEAD: usize = 4_000;
const TAIL: usize = 2_000;

impl Engine {
    fn hooked(&self, event: &HookEvent) -> Result<HookReply, Error> {
        if self.config.in_doubt().is_some() {
            return self.hooked_in_doubt(event);
        }
        let occasion = match &event.told {
            Told::End => {
                self.leave_note(event)?;
                self.hear_of(event)?;
                self.hear_no_more(event.agent, event.session.as_str())?;
                return Ok(HookReply { work: self.work_due(), ..HookReply::default() });
            }
            Told::Rest => {
                self.hear_of(event)?;
                return Ok(HookReply::default());
            }
            Told::Tool { stage, act } => return self.hooked_tool(event, *stage, act),
            Told::Failed { act: Act::Runs(command), error } if hook::hears(event) => {
                Occasion::Failure { command: command.clone(), error: error.clone() }
            }
            Told::Begin(begun) => Occasion::Begin(*begun),
            Told::Prompt { text, asked: true } if is_a_request(text) => Occasion::Prompt(in_brief(text)),
            Told::Prompt { .. } | Told::Failed { .. } | Told::Other => return Ok(HookReply::default()),
        };
        let session = format!("{}/{}", event.agent, event.session);
        // What cannot be followed must not cost the agent its context.
        if let Err(error) = self.follow_session(event, &session) {
            self.log(&format!("{session}: the session cannot be followed: {}", described(&error)));
        }
        let output = if hook::hears(event) { self.said(event, &session, occasion)? } else { None };
        let behind = self.behind.load(Ordering::Relaxed);
        let work = (behind && !self.is_working()).then(|| self.root().to_owned());
        let work = work.or_else(|| matches!(event.told, Told::Begin(_)).then(|| self.work_due()).flatten());
        Ok(HookReply { output, work, ground: None })
    }

    /// Does what has to be done while it is not known what is to be left out: gates hold, and of a session that ended
    /// only its name is kept, so that it is read when that is known.
    fn hooked_in_doubt(&self, event: &HookEvent) -> Result<HookReply, Error> {
        match &event.told {
            Told::Tool { stage, act } => return self.hooked_tool(event, *stage, act),
            Told::End => self.leave_note(event)?,
            _ => {}
        }
        Ok(HookReply::default())
    }

    /// Takes note of a session that begins or goes on, and of what it is asked to do.
    fn follow_session(&self, event: &HookEvent, session: &str) -> Result<(), Error> {
        match &event.told {
            Told::Begin(_) => {
                self.hear_of(event)?;
                self.sweep_quiet().map(drop)
            }
            Told::Prompt { text, .. } => {
                self.hear_of(event)?;
                self.notice_prompt(session, text).map(drop)
            }
            _ => Ok(()),
        }
    }

    /// Returns the base, where enough sessions wait in it and nobody is at it.
    fn work_due(&self) -> Option<std::path::PathBuf> {
        let due = self.waiting().is_due(&self.settings.curate, self.world.now);
        (due && !self.is_working()).then(|| self.root().to_owned())
    }

    /// Writes what the agent is told on an occasion, in the form it expects.
    fn said(&self, event: &HookEvent, session: &str, occasion: Occasion) -> Result<Option<String>, Error> {
        let options = ContextOptions { session: Some(session.to_owned()), ..ContextOptions::new(occasion) };
        match self.context(&options) {
            Ok(mut context) => {
                let waiting = match &options.occasion {
                    Occasion::Begin(_) => self.tell_waiting()?,
                    _ => None,
                };
                if let Some(waiting) = waiting {
                    // One fence around all of it: what is outside would be read back as somebody's words.
                    let said = sentinel::inside(&context.text).unwrap_or(&context.text);
                    context.text = sentinel::wrap(&format!("{said}\n{waiting}"));
                }
                let (name, asked) = options.occasion.told_as();
                self.tell_context(session, name, &asked, &context);
                Ok((!context.text.is_empty()).then(|| hook::reply(event, &context.text)))
            }
            // There is nothing to answer from yet: nobody waits for that, a worker builds it.
            Err(Error::NotBuilt) => {
                if let Occasion::Begin(_) = &options.occasion {
                    self.owe_start(session)?;
                }
                self.behind.store(true, Ordering::Relaxed);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Takes note of what a tool does; before it happens, the gate may refuse it.
    fn hooked_tool(&self, event: &HookEvent, stage: Stage, act: &Act) -> Result<HookReply, Error> {
        let session = format!("{}/{}", event.agent, event.session);
        if let Some(refusal) = self.guarded(act).filter(|_| stage == Stage::Before) {
            self.log(&format!("{session}: {refusal}"));
            return Ok(HookReply { output: Some(hook::refuse(event, &refusal)), ..HookReply::default() });
        }
        let alias = |name: &str| {
            let meant = ask_git(self.project(), &["config", "--get", &format!("alias.{name}")])?;
            Some(meant.trim().to_owned())
        };
        let deed = match (stage, act) {
            (Stage::Before, Act::Reads) => Deed::Looked,
            (Stage::Before, Act::Plans(plan)) => Deed::PlanShown(plan.clone()),
            (Stage::After, Act::Plans(_)) => Deed::PlanApproved,
            (Stage::Before, Act::Edits(_)) => Deed::Edited,
            (Stage::Before, Act::Runs(command)) if delivers(command, &alias) => Deed::Delivered,
            (Stage::Before, Act::Runs(command)) if changes_files(command, self.project()) => Deed::Edited,
            _ => return Ok(HookReply::default()),
        };
        let noticed = self.notice_deed(&session, &deed)?;
        if let (Deed::Delivered, None, Act::Runs(command)) = (&deed, &noticed.refusal, act) {
            self.expect_commits(&session, commits(command, &alias))?;
        }
        let output = match (&noticed.refusal, &noticed.context, act) {
            (Some(refusal), ..) if stage == Stage::Before => Some(hook::refuse(event, refusal)),
            _ if !hook::hears(event) || self.config.in_doubt().is_some() => None,
            (_, Some(found), _) => {
                self.tell_found(&session, found);
                Some(hook::reply(event, found))
            }
            (_, None, Act::Edits(files)) if !files.is_empty() => {
                self.said(event, &session, Occasion::Files(files.clone()))?
            }
            _ => None,
        };
        let ground = noticed.due.then(|| self.root().to_owned());
        Ok(HookReply { output, work: None, ground })
    }

    /// Says why a deed is refused that would take the gate away instead of passing it, where gates hold.
    fn guarded(&self, act: &Act) -> Option<String> {
        if self.enforce() != Enforce::AsTable {
            return None;
        }
        let disarming = match act {
            Act::Runs(command) => {
                let (agents, sessions) = World::agent_marks();
                disarms(command, Marks { agents: &agents, sessions: &sessions })?
            }
            Act::Edits(files) => {
                let is_hook = |file: &String| file.replace('\\', "/").contains(".git/hooks/");
                files.iter().any(is_hook).then_some(Disarming::Hooks)?
            }
            _ => return None,
        };
        let why = match disarming {
            Disarming::Hooks => {
                "git's hooks ask whether a change was checked (`ground.enforce` is as-table), and no agent turns them off or goes round them"
            }
            Disarming::Marks => {
                "the variables of this shell say that an agent is at work (`ground.enforce` is as-table), and no agent takes them away before `lore` or `git`"
            }
        };
        Some(format!("HELD: {why}; a person does it in a terminal of their own: ask the user"))
    }

    /// Writes a line to the log of hooks and workers.
    pub(crate) fn log(&self, line: &str) {
        log::write(Some(self), &self.world, line);
    }
}

/// Tells whether a prompt says anything one could know something about.
fn is_a_request(prompt: &str) -> bool {
    let prompt = prompt.trim();
    let is_command = prompt.starts_with('/') && !prompt.contains(char::is_whitespace);
    !is_command && prompt.chars().filter(|c| c.is_alphanumeric()).count() >= 3
}

/// Puts an error and its causes on one line, without anything that must not be written down.
pub(crate) fn described(error: &dyn std::error::Error) -> String {
    let mut line = error.to_string();
    let mut cause = error.source();
    while let Some(next) = cause {
        line.push_str(": ");
        line.push_str(&next.to_string());
        cause = next.source();
    }
    Redactor::standard().redact(&line).text.replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bare_commands_and_grunts_are_no_requests() {
        let check = |prompt: &str, expected: bool| assert_eq!(is_a_request(prompt), expected, "{prompt}");
        check("/clear", false);
        check("/review the cancellation rule", true);
        check("ok", false);
        check("  ", false);
        check("why?", true);
    }
}
