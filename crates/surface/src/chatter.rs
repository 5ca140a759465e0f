//! What an agent says about what it is doing, which is not what holds.

/// Tells whether a piece of text only says what its author does next.
pub(crate) fn is_chatter(text: &str) -> bool {
    const OPENINGS: &[&str] = &[
        "let me",
        "now let",
        "let's",
        "i'll",
        "i will",
        "now i",
        "i'm going",
        "i need to",
        "i should",
        "looking at",
        "good question",
        "perfect",
        "great",
        "sure",
        "okay",
        "ok,",
        "done",
        "next,",
        "here's",
        "here is",
        "wait",
        "hmm",
    ];
    let start = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    // Some write “I’ll”, some "I'll".
    let head: String =
        start.chars().take(HEAD).map(|c| if c == '’' { '\'' } else { c.to_ascii_lowercase() }).collect();
    OPENINGS.iter().any(|opening| head.starts_with(opening)) || is_under_way(&head)
}

/// So much of a text says how it begins.
const HEAD: usize = 40;

/// "I'm pulling the overall view as well": what is done at the moment, by whoever speaks.
fn is_under_way(head: &str) -> bool {
    let mut words = head.split_whitespace();
    let first = words.next().unwrap_or_default();
    let next = words.find(|word| !matches!(*word, "also" | "now" | "just" | "still" | "only" | "already"));
    let am = first == "i'm" || first == "we're";
    am && next.is_some_and(|word| word.len() > 4 && word.ends_with("ing"))
}

/// Tells whether an agent says what it did or is about to do: what was made is not what holds.
pub(crate) fn tells_of_doing(text: &str) -> bool {
    const SUBJECTS: &[&str] = &["i", "i'll", "i'd", "i've", "i'm", "while", "then"];
    const DEEDS: &[&str] = &[
        "added",
        "add",
        "changed",
        "change",
        "created",
        "create",
        "fixed",
        "fix",
        "made",
        "make",
        "moved",
        "move",
        "pushed",
        "push",
        "put",
        "ran",
        "removed",
        "remove",
        "renamed",
        "rename",
        "updated",
        "update",
        "updating",
        "wrote",
        "write",
        "adding",
        "changing",
        "creating",
        "fixing",
        "moving",
        "checking",
        "check",
        "running",
        "run",
        "look",
        "looking",
        "start",
        "started",
        "implement",
        "implemented",
    ];
    let lower = text.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty());
    let first = words.next().unwrap_or_default();
    SUBJECTS.contains(&first) && words.take(6).any(|word| DEEDS.contains(&word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chatter_says_what_its_author_does() {
        assert!(is_chatter("Let me look at it") && !is_chatter("The lock is held"));
        assert!(is_chatter("I’ll look at it") && is_chatter("I'm also pulling the log of the lock."));
        assert!(!is_chatter("I'm the keeper of the lock") && !is_chatter("I'm king of the pier"));
    }
}
