//! What files say about a prompt, where the agent has not loaded them by itself.

use std::collections::BTreeSet;

use lore_core::text::tokens;

use super::Context;
use super::prompt::PREFACE_PROMPT;
use crate::Engine;
use crate::written::Unasked;

const HEADING: &str = "In this project's files:\n";

impl Engine {
    /// Writes the statement of a file that bears most on a prompt, within the budget; the session says whose it is.
    pub(super) fn say_written(
        &self,
        prompt: &str,
        budget: usize,
        (session, known): (Option<&str>, &BTreeSet<String>),
        context: &mut Context,
    ) -> String {
        let agent = session.and_then(|session| session.split_once('/')).map_or("", |(agent, _)| agent);
        let Some(found) = self.unasked(agent, prompt, known) else { return String::new() };
        let Unasked { text, place } = &found;
        let preface = if context.silent.is_some() { format!("{PREFACE_PROMPT}\n") } else { String::new() };
        let said = format!("{preface}{HEADING}- {text} [{place}]\n");
        if tokens(&said) > budget {
            return String::new();
        }
        context.quoted.push(found.key());
        context.said.push(place.clone());
        context.silent = None;
        said
    }
}
