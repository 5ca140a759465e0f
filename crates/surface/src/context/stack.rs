//! What a project is built with, so that entries about other things rank lower.

use std::collections::BTreeSet;

use lore_core::Entry;

/// Technologies an entry may be about; only what is in this list can be foreign to a project.
const TECHNOLOGIES: &str = include_str!("technologies.txt");

/// An entry about something the project uses.
const AT_HOME: f64 = 1.15;
/// An entry about something the project does not use.
const FOREIGN: f64 = 0.6;

/// What a project is built with, in lower case.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Stack {
    names: BTreeSet<String>,
}

impl Stack {
    /// Takes names of packages, languages and tools.
    pub fn new(names: impl IntoIterator<Item = String>) -> Stack {
        let simple = |name: String| {
            let name = name.to_lowercase();
            // `@nestjs/core` and `github.com/spf13/cobra` are known by their parts.
            let parts: Vec<String> = name
                .split(['/', '@', ':', '-', '_', '.'])
                .filter(|part| part.len() > 1)
                .map(str::to_owned)
                .collect();
            parts.into_iter().chain([name])
        };
        Stack { names: names.into_iter().flat_map(simple).collect() }
    }

    /// Tells whether nothing is known of the project.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// Says what remains of an entry's score here.
    pub fn factor(&self, entry: &Entry) -> f64 {
        if self.is_empty() {
            return 1.0;
        }
        let tags: Vec<String> = entry.tags.iter().map(|tag| tag.to_lowercase()).collect();
        let parts: Vec<&str> = tags.iter().flat_map(|tag| tag.split('/')).collect();
        let technologies: Vec<&&str> = parts.iter().filter(|part| is_technology(part)).collect();
        if parts.iter().any(|part| self.names.contains(*part)) {
            AT_HOME
        } else if technologies.is_empty() {
            1.0
        } else {
            FOREIGN
        }
    }

    /// Tells whether two projects are built with anything in common; nothing where that cannot be said.
    pub fn meets(&self, other: &Stack) -> Option<bool> {
        let technologies = |stack: &Stack| -> BTreeSet<String> {
            stack.names.iter().filter(|name| is_technology(name)).cloned().collect()
        };
        let (here, there) = (technologies(self), technologies(other));
        (!here.is_empty() && !there.is_empty()).then(|| !here.is_disjoint(&there))
    }
}

fn is_technology(word: &str) -> bool {
    TECHNOLOGIES.lines().any(|name| name == word)
}

#[cfg(test)]
mod tests {
    use lore_core::{EntryId, Kind};

    use super::*;

    #[test]
    fn what_the_project_uses_comes_before_what_it_does_not() {
        let stack = Stack::new(["@prisma/client".to_owned(), "Rust".to_owned()]);
        let factor = |tag: &str| {
            let id: EntryId = "les-2026-01-15-x".parse().unwrap();
            let mut entry = Entry::new(id, Kind::Lesson, "x");
            entry.tags = vec![tag.to_owned()];
            stack.factor(&entry)
        };
        assert!(factor("database/prisma/migrations") > factor("bookings"));
        assert!(factor("django") < factor("bookings"));
        assert_eq!(
            Stack::default().factor(&Entry::new("les-2026-01-15-x".parse().unwrap(), Kind::Lesson, "x")),
            1.0
        );
    }

    #[test]
    fn projects_meet_in_what_they_are_built_with() {
        let stack = |names: &[&str]| Stack::new(names.iter().map(|name| (*name).to_owned()));
        assert_eq!(stack(&["rust", "serde"]).meets(&stack(&["rust", "clap"])), Some(true));
        assert_eq!(stack(&["rust"]).meets(&stack(&["django", "python"])), Some(false));
        assert_eq!(stack(&[]).meets(&stack(&["django"])), None);
    }
}
