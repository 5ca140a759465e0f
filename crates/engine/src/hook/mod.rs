//! What happens at an agent's natural points: a session begins, a prompt is sent, a session ends.
//!
//! An agent must never notice us by our failing: whatever goes wrong here ends in a line of our
//! own log and in silence. Ending a session only leaves a note; a worker of its own curates.

mod aside;
mod inbox;
mod log;
mod worker;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;

use lore_capture::hook::{self, Act, HookEvent, Stage, Told};
use lore_core::redact::Redactor;

pub use aside::{Trouble, WorkerFailure};
pub use inbox::Waiting;
pub use worker::{WorkOptions, Worked, work};

use lore_ground::track::delivers;

use crate::base::Patience;
use crate::context::{ContextOptions, Occasion};
use crate::tracks::Deed;
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
            log::write(None, &fallback, &format!("{agent} {event}: {}", described(&error)));
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

impl Engine {
    fn hooked(&self, event: &HookEvent) -> Result<HookReply, Error> {
        let occasion = match &event.told {
            Told::End => {
                self.leave_note(event)?;
                let due = self.waiting().is_due(&self.settings.curate, self.world.now);
                let work = (due && !self.is_working()).then(|| self.root().to_owned());
                return Ok(HookReply { work, ..HookReply::default() });
            }
            Told::Tool { stage, act } => return self.hooked_tool(event, *stage, act),
            Told::Begin(begun) => Occasion::Begin(*begun),
            Told::Prompt { text, asked: true } if is_a_request(text) => Occasion::Prompt(text.clone()),
            Told::Prompt { .. } | Told::Other => return Ok(HookReply::default()),
        };
        let session = format!("{}/{}", event.agent, event.session);
        if let Told::Prompt { text, .. } = &event.told {
            // What cannot be followed must not cost the agent its context.
            if let Err(error) = self.notice_prompt(&session, text) {
                self.log(&format!("{session}: the change cannot be followed: {}", described(&error)));
            }
        }
        let options = ContextOptions { session: Some(session.clone()), ..ContextOptions::new(occasion) };
        let output = match self.context(&options) {
            Ok(context) => {
                let (name, asked) = match &options.occasion {
                    Occasion::Prompt(text) => ("prompt", text.as_str()),
                    _ => ("session-start", ""),
                };
                self.tell_context(&session, name, asked, &context);
                let said = (!context.is_silent()).then_some(context.text);
                let waiting = match &options.occasion {
                    Occasion::Begin(_) => self.tell_waiting()?,
                    _ => None,
                };
                let parts: Vec<String> = said.into_iter().chain(waiting).collect();
                (!parts.is_empty()).then(|| hook::reply(event, &parts.join("\n")))
            }
            // There is nothing to answer from yet: nobody waits for that, a worker builds it.
            Err(Error::NotBuilt) => {
                if let Occasion::Begin(_) = &options.occasion {
                    self.owe_start(&session)?;
                }
                self.behind.store(true, Ordering::Relaxed);
                None
            }
            Err(error) => return Err(error),
        };
        let behind = self.behind.load(Ordering::Relaxed);
        let work = (behind && !self.is_working()).then(|| self.root().to_owned());
        Ok(HookReply { output, work, ground: None })
    }

    /// Takes note of what a tool does; before it happens, the gate may refuse it.
    fn hooked_tool(&self, event: &HookEvent, stage: Stage, act: &Act) -> Result<HookReply, Error> {
        let deed = match (stage, act) {
            (Stage::Before, Act::Reads) => Deed::Looked,
            (Stage::Before, Act::Plans(plan)) => Deed::PlanShown(plan.clone()),
            (Stage::After, Act::Plans(_)) => Deed::PlanApproved,
            (Stage::Before, Act::Edits) => Deed::Edited,
            (Stage::Before, Act::Runs(command)) if delivers(command) => Deed::Delivered,
            _ => return Ok(HookReply::default()),
        };
        let noticed = self.notice_deed(&format!("{}/{}", event.agent, event.session), &deed)?;
        let output = match (&noticed.refusal, &noticed.context) {
            (Some(refusal), _) if stage == Stage::Before => Some(hook::refuse(event, refusal)),
            (_, Some(context)) => Some(hook::reply(event, context)),
            _ => None,
        };
        let ground = noticed.due.then(|| self.root().to_owned());
        Ok(HookReply { output, work: None, ground })
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
fn described(error: &dyn std::error::Error) -> String {
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
