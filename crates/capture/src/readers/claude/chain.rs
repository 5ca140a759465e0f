//! Which records the conversation went on from.
//!
//! Records form a tree. A rewind leaves a branch behind; parallel tool calls leave branches too,
//! which were not abandoned. The path from the last record to the first is live; what hangs off
//! it is live only as far as it belongs to a message on the path.

use std::hash::Hasher;

use rustc_hash::{FxHashMap, FxHasher};

/// What a record is to the conversation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Something in the user's place.
    Prompt,
    /// Part of the agent's message in this turn, or the result of one of its calls.
    Turn(u32),
    /// Anything else that others may hang from.
    Other,
}

#[derive(Debug)]
struct Node {
    parent: Option<u64>,
    role: Role,
}

/// The tree of one conversation.
#[derive(Debug, Default)]
pub(super) struct Chain {
    nodes: Vec<Node>,
    index: FxHashMap<u64, u32>,
    leaf: Option<u32>,
    named_leaf: Option<u64>,
}

/// Hashes an id; ids are only ever compared.
pub(super) fn key(id: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(id);
    hasher.finish()
}

impl Chain {
    /// Tells whether a record with this id is there already.
    pub(super) fn has(&self, id: Option<u64>) -> bool {
        id.is_some_and(|id| self.index.contains_key(&id))
    }

    /// Adds a record and returns its number.
    pub(super) fn add(&mut self, id: Option<u64>, parent: Option<u64>, role: Role) -> u32 {
        let number = u32::try_from(self.nodes.len()).unwrap_or(u32::MAX);
        self.nodes.push(Node { parent, role });
        if let Some(id) = id {
            self.index.entry(id).or_insert(number);
        }
        if role != Role::Other {
            self.leaf = Some(number);
            self.named_leaf = None;
        }
        number
    }

    /// Says what a record turned out to be.
    pub(super) fn set_role(&mut self, node: u32, role: Role) {
        if let Some(node) = self.nodes.get_mut(node as usize) {
            node.role = role;
        }
    }

    /// Notes the leaf the agent itself names; later records overrule it.
    pub(super) fn name_leaf(&mut self, id: u64) {
        self.named_leaf = Some(id);
    }

    /// Tells for every record whether it was abandoned.
    pub(super) fn abandoned(&self, turns: usize) -> Vec<bool> {
        let on_path = self.path();
        let mut live_turns = vec![false; turns];
        for (node, on_path) in self.nodes.iter().zip(&on_path) {
            if let (Role::Turn(turn), true) = (node.role, on_path)
                && let Some(live) = live_turns.get_mut(turn as usize)
            {
                *live = true;
            }
        }
        let mut abandoned: Vec<bool> = Vec::with_capacity(self.nodes.len());
        for (number, node) in self.nodes.iter().enumerate() {
            let given_up = !on_path[number]
                && match node.role {
                    Role::Turn(turn) => !live_turns.get(turn as usize).copied().unwrap_or(false),
                    Role::Prompt => true,
                    Role::Other => {
                        let parent = node.parent.and_then(|parent| self.index.get(&parent));
                        parent.and_then(|parent| abandoned.get(*parent as usize)).copied().unwrap_or(false)
                    }
                };
            abandoned.push(given_up);
        }
        abandoned
    }

    /// Marks the records on the way from the leaf to the start.
    fn path(&self) -> Vec<bool> {
        let mut on_path = vec![false; self.nodes.len()];
        let named = self.named_leaf.and_then(|id| self.index.get(&id)).copied();
        let mut current = named.or(self.leaf);
        while let Some(number) = current {
            let at = number as usize;
            if on_path[at] {
                break;
            }
            on_path[at] = true;
            let parent = self.nodes[at].parent.and_then(|parent| self.index.get(&parent)).copied();
            // Where the parent is missing (a damaged line, a second beginning) what stands before
            // it is taken: losing the thread must not make everything before look given up.
            current = parent.or_else(|| number.checked_sub(1));
        }
        on_path
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(records: &[(&str, &str, Role)], named: Option<&str>, expected: &str) {
        let mut chain = Chain::default();
        for (id, parent, role) in records {
            let parent = Some(*parent).filter(|parent| !parent.is_empty());
            chain.add(Some(key(id.as_bytes())), parent.map(|parent| key(parent.as_bytes())), *role);
        }
        if let Some(id) = named {
            chain.name_leaf(key(id.as_bytes()));
        }
        let marks: String = chain.abandoned(9).iter().map(|gone| if *gone { 'x' } else { '.' }).collect();
        assert_eq!(marks, expected, "{records:?}");
    }

    #[test]
    fn rewound_branches_are_abandoned_and_parallel_results_are_not() {
        use Role::{Other, Prompt, Turn};
        check(&[("a", "", Prompt), ("b", "a", Turn(0)), ("c", "b", Prompt)], None, "...");
        let rewound = [
            ("a", "", Prompt),
            ("b", "a", Turn(0)),
            ("c", "b", Prompt),
            ("d", "c", Turn(1)),
            ("e", "b", Prompt),
        ];
        check(&rewound, None, "..xx.");
        check(&rewound, Some("d"), "....x");
        // Two calls of one message, each with its result; the conversation goes on from one of them.
        let parallel = [
            ("a", "", Prompt),
            ("b", "a", Turn(0)),
            ("r", "b", Turn(0)),
            ("c", "b", Turn(0)),
            ("s", "c", Turn(0)),
        ];
        check(&parallel, None, ".....");
        let lost = [("a", "", Prompt), ("b", "gone", Turn(0)), ("n", "b", Other), ("c", "n", Prompt)];
        check(&lost, None, "....");
        check(&[("a", "b", Prompt), ("b", "a", Turn(0))], None, "..");
    }
}
