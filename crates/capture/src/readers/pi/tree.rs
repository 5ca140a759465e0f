//! Which entries lie on the way from the root to the leaf.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// The entries of a session and the turns that each of them made.
#[derive(Debug, Default)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    by_id: HashMap<String, usize>,
}

#[derive(Debug)]
struct Node {
    parent: Option<String>,
    root: bool,
    turns: Range<usize>,
}

impl Tree {
    /// Adds an entry; without an id it follows the one before it. Tells whether it begins a branch.
    pub(super) fn add(&mut self, id: Option<&str>, parent: Option<&str>) -> bool {
        let previous = self.nodes.len().checked_sub(1);
        let branches = parent.is_some_and(|parent| self.by_id.get(parent).copied() != previous);
        self.nodes.push(Node {
            parent: parent.map(str::to_owned),
            root: id.is_some() && parent.is_none(),
            turns: 0..0,
        });
        if let Some(id) = id {
            self.by_id.insert(id.to_owned(), self.nodes.len() - 1);
        }
        branches
    }

    /// Notes the turns that the entry added last made.
    pub(super) fn made(&mut self, turns: Range<usize>) {
        if let Some(node) = self.nodes.last_mut() {
            node.turns = turns;
        }
    }

    /// Lists the turns that do not lie on the way to the leaf.
    ///
    /// Where the way breaks off (an entry was lost) everything before the break counts as live:
    /// nothing says that it was given up.
    pub(super) fn abandoned(&self) -> Vec<Range<usize>> {
        let mut live = HashSet::new();
        let mut at = self.nodes.len().checked_sub(1);
        while let Some(index) = at {
            if !live.insert(index) {
                break;
            }
            at = match &self.nodes[index].parent {
                Some(parent) => match self.by_id.get(parent) {
                    Some(parent) => Some(*parent),
                    None => index.checked_sub(1),
                },
                None if self.nodes[index].root => None,
                // Entries without ids make a list.
                None => index.checked_sub(1),
            };
        }
        let nodes = self.nodes.iter().enumerate();
        nodes.filter(|(index, _)| !live.contains(index)).map(|(_, node)| node.turns.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_other_branches_are_given_up() {
        let check = |entries: &[(&str, &str)], expected: &[usize]| {
            let mut tree = Tree::default();
            for (index, (id, parent)) in entries.iter().enumerate() {
                let some = |text: &&str| (!text.is_empty()).then(|| (*text).to_owned());
                tree.add(some(id).as_deref(), some(parent).as_deref());
                tree.made(index..index + 1);
            }
            let abandoned: Vec<usize> = tree.abandoned().into_iter().flatten().collect();
            assert_eq!(abandoned, expected, "{entries:?}");
        };
        check(&[], &[]);
        check(&[("", ""), ("", "")], &[]);
        check(&[("a", ""), ("b", "a"), ("c", "b")], &[]);
        check(&[("a", ""), ("b", "a"), ("c", "b"), ("d", "a")], &[1, 2]);
        check(&[("a", ""), ("b", "lost"), ("c", "b")], &[]);
        check(&[("a", ""), ("b", "a"), ("c", "")], &[0, 1]);
        // A ring must not keep us forever.
        check(&[("a", "b"), ("b", "a")], &[]);
    }
}
