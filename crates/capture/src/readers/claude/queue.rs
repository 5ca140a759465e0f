//! Prompts typed while the agent was busy, each reported once.
//!
//! A queued prompt stands in the file when it is typed. It then leaves the queue in one of three
//! ways: it is handed to the agent in the middle of its work (and may stand again beside a tool
//! result or as an attachment), it is sent as a prompt of its own (and stands again as such), or
//! the person takes it back to change it. Only the first is reported from here; a prompt that
//! still waits when the file ends was never said.

use std::collections::VecDeque;

use jiff::Timestamp;

/// A prompt in the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Queued {
    /// The record in which it was typed.
    pub(super) line: u32,
    /// When it was typed.
    pub(super) at: Option<Timestamp>,
    /// Its words.
    pub(super) text: String,
}

/// The prompts queued so far.
#[derive(Debug, Default)]
pub(super) struct Queue {
    waiting: VecDeque<Queued>,
    delivered: Vec<String>,
}

impl Queue {
    /// Adds a prompt.
    pub(super) fn enqueue(&mut self, line: u32, at: Option<Timestamp>, text: &str) {
        self.waiting.push_back(Queued { line, at, text: text.trim().to_owned() });
    }

    /// Follows what happens to the queue and returns a prompt that was handed to the agent.
    pub(super) fn leave(&mut self, operation: &str, content: &str) -> Option<Queued> {
        if operation == "popAll" {
            self.waiting.clear();
            return None;
        }
        if !matches!(operation, "remove" | "dequeue") {
            return None;
        }
        let named = self.waiting.iter().position(|queued| queued.text == content.trim());
        let queued = self.waiting.remove(named.unwrap_or(0))?;
        if operation == "dequeue" {
            return None;
        }
        self.delivered.push(queued.text.clone());
        Some(queued)
    }

    /// Tells whether a text that the agent was handed has been reported from the queue, and
    /// forgets it then.
    pub(super) fn claims(&mut self, text: &str) -> bool {
        let found = self.delivered.iter().position(|delivered| delivered == text.trim());
        found.map(|at| self.delivered.swap_remove(at)).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queued_prompt_is_reported_once() {
        let mut queue = Queue::default();
        for (line, text) in [(3, "yes"), (5, "run the tests"), (7, "then push")] {
            queue.enqueue(line, None, text);
        }
        assert_eq!(queue.leave("remove", ""), Some(Queued { line: 3, at: None, text: "yes".to_owned() }));
        assert!(queue.claims("yes"), "the agent was handed it");
        assert!(!queue.claims("yes"), "this one was typed later");
        let named = Some(Queued { line: 7, at: None, text: "then push".to_owned() });
        assert_eq!(queue.leave("remove", "then push"), named);
        assert_eq!(queue.leave("dequeue", ""), None, "it comes again as a prompt");
        assert_eq!(queue.leave("remove", ""), None);
    }
}
