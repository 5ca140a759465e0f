//! Prompts typed while the agent was busy, each reported once.
//!
//! A queued prompt stands in the file when it is typed and often again when it is delivered: as a
//! user record, beside a tool result, or as an attachment. The first one is taken, since a reader
//! of a growing file has reported it already when the others come.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// Waiting in the queue.
    Waiting,
    /// Taken out to be sent as a prompt of its own, or taken back by the person.
    Sent,
    /// Handed to the agent in the middle of its work.
    Delivered,
}

/// By which way a text comes in that may have been queued before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// As a prompt of its own.
    Prompt,
    /// Beside a tool result or as an attachment.
    Delivery,
}

/// The prompts queued so far.
#[derive(Debug, Default)]
pub(super) struct Queue {
    items: Vec<(String, State)>,
}

impl Queue {
    /// Adds a prompt.
    pub(super) fn enqueue(&mut self, text: &str) {
        self.items.push((text.trim().to_owned(), State::Waiting));
    }

    /// Follows the other things that happen to a queue.
    pub(super) fn operation(&mut self, operation: &str) {
        let state = match operation {
            "dequeue" | "popAll" => State::Sent,
            "remove" => State::Delivered,
            _ => return,
        };
        let waiting = self.items.iter_mut().filter(|item| item.1 == State::Waiting);
        let take = if operation == "popAll" { usize::MAX } else { 1 };
        waiting.take(take).for_each(|item| item.1 = state);
    }

    /// Tells whether a text was reported from the queue already, and forgets it then.
    pub(super) fn claims(&mut self, text: &str, way: Way) -> bool {
        let text = text.trim();
        if self.items.is_empty() || text.is_empty() {
            return false;
        }
        let open = |state: State| way == Way::Delivery || state != State::Delivered;
        if let Some(at) = self.items.iter().position(|item| open(item.1) && item.0 == text) {
            self.items.remove(at);
            return true;
        }
        // Several prompts may be sent as one.
        let mut rest = text;
        let mut claimed = Vec::new();
        for (at, item) in self.items.iter().enumerate() {
            if open(item.1)
                && !item.0.is_empty()
                && let Some(after) = rest.strip_prefix(item.0.as_str())
            {
                claimed.push(at);
                rest = after.trim_start();
            }
        }
        let all = rest.is_empty() && claimed.len() > 1;
        if all {
            claimed.iter().rev().for_each(|at| {
                self.items.remove(*at);
            });
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queued_prompt_is_reported_once() {
        let mut queue = Queue::default();
        for text in ["yes", "run the tests", "then push"] {
            queue.enqueue(text);
        }
        queue.operation("remove");
        assert!(!queue.claims("yes", Way::Prompt), "it was delivered; this one was typed later");
        assert!(queue.claims("yes", Way::Delivery));
        assert!(!queue.claims("something else", Way::Prompt));
        queue.operation("dequeue");
        queue.operation("dequeue");
        assert!(queue.claims("run the tests\nthen push", Way::Prompt));
        assert!(!queue.claims("then push", Way::Prompt), "each is claimed once");
    }
}
