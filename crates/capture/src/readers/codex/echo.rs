//! Tells what was already heard from the other side of a rollout.

use std::collections::HashMap;

/// Texts heard as items and as events, so that each counts once whichever comes first.
#[derive(Debug, Default)]
pub(super) struct Echo {
    said: Side,
    prompted: Side,
    /// Turns made of texts in the user's place, in order, with whether an event confirmed them.
    prompts: Vec<(usize, bool)>,
    events: bool,
}

/// Keys of texts that one source had and the other has not had yet.
#[derive(Debug, Default)]
struct Side {
    items: HashMap<String, Vec<usize>>,
    events: HashMap<String, Vec<usize>>,
}

/// Where a text was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Source {
    /// A `response_item`.
    Item,
    /// An `event_msg`.
    Event,
}

impl Echo {
    /// Tells whether words of the agent are new.
    pub(super) fn reply(&mut self, source: Source, text: &str) -> bool {
        self.said.take(source, &key(text)).is_none() && {
            self.said.put(source, key(text), 0);
            true
        }
    }

    /// Tells whether a text in the user's place is new; an event confirms the item it repeats.
    pub(super) fn prompt(&mut self, source: Source, text: &str) -> bool {
        self.events |= source == Source::Event;
        let Some(index) = self.prompted.take(source, &key(text)) else { return true };
        if let Some(prompt) = self.prompts.iter_mut().find(|(turn, _)| *turn == index) {
            prompt.1 = true;
        }
        false
    }

    /// Remembers the turn that was made of a text in the user's place.
    pub(super) fn prompted(&mut self, source: Source, text: &str, turn: usize) {
        self.prompted.put(source, key(text), turn);
        self.prompts.push((turn, source == Source::Event));
    }

    /// Forgets the last prompts and returns where the first of them stood.
    pub(super) fn roll_back(&mut self, prompts: usize) -> Option<usize> {
        let events = self.events;
        let typed: Vec<usize> =
            self.prompts.iter().filter(|(_, sure)| *sure || !events).map(|(turn, _)| *turn).collect();
        let from = *typed.get(typed.len().saturating_sub(prompts.max(1)))?;
        self.prompts.retain(|(turn, sure)| *turn < from || (events && !*sure));
        Some(from)
    }

    /// Lists turns that no event confirmed in a rollout that has events.
    pub(super) fn unannounced(&self) -> Vec<usize> {
        let unsure = self.prompts.iter().filter(|(_, sure)| self.events && !sure);
        unsure.map(|(turn, _)| *turn).collect()
    }
}

impl Side {
    /// Takes what the other source had.
    fn take(&mut self, source: Source, key: &str) -> Option<usize> {
        let other = match source {
            Source::Item => &mut self.events,
            Source::Event => &mut self.items,
        };
        other.get_mut(key)?.pop()
    }

    fn put(&mut self, source: Source, key: String, turn: usize) {
        let own = match source {
            Source::Item => &mut self.items,
            Source::Event => &mut self.events,
        };
        own.entry(key).or_default().push(turn);
    }
}

/// Sources differ in how they join the parts of a text, so blanks do not count.
fn key(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).take(600).collect()
}
