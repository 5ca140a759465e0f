//! What may be written. Reading is lenient; this is the other side.

use lore_core::{Curator, Detail, Diagnostic, Entry, EntryId};

use crate::door::Door;
use crate::snapshot::ReadError;
use crate::{Tombstone, format};

/// A change was refused; nothing of it will be written.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// Another entry has this id or alias.
    #[error("there is already an entry `{id}` (`{path}`)")]
    Taken {
        /// The id or alias.
        id: String,
        /// The file of the entry that has it.
        path: String,
    },
    /// There is no such entry.
    #[error("there is no entry `{0}`")]
    Unknown(String),
    /// It was removed, and what was removed stays removed.
    #[error("`{}` was removed on {} by {} and stays removed", .0.title, .0.on, .0.by)]
    Removed(Box<Tombstone>),
    /// The text is a person's; only evidence may be added.
    #[error("`{id}` holds a person's words; only sources may be added to it")]
    Protected {
        /// The entry.
        id: EntryId,
        /// Whose text it is.
        curated_by: Curator,
    },
    /// A signal's observation stays as it was seen.
    #[error("{what} cannot change: the observation of `{id}` stays as it was seen")]
    Frozen {
        /// The signal.
        id: EntryId,
        /// What would have changed.
        what: &'static str,
    },
    /// The table of moves has no such move.
    #[error("`{id}`: {source}")]
    Move {
        /// The signal.
        id: EntryId,
        /// The move.
        source: lore_core::IllegalMove,
    },
    /// The file changed after it was read.
    #[error("`{path}` was changed by someone else since it was read")]
    Changed {
        /// The file.
        path: String,
    },
    /// The text holds something that looks like a secret.
    #[error("`{id}` holds what looks like a secret on line {line} ({rule})")]
    Secret {
        /// The entry.
        id: EntryId,
        /// The line of the file.
        line: usize,
        /// The rule that found it.
        rule: String,
    },
    /// The text says what was forgotten.
    #[error("`{id}` would say words again that were forgotten (line {line})")]
    Forgotten {
        /// The entry.
        id: EntryId,
        /// The line of the file.
        line: usize,
    },
    /// The entry is not fit to be written.
    #[error("`{id}` cannot be written: {problem}")]
    Invalid {
        /// The entry.
        id: EntryId,
        /// What is wrong with it.
        problem: String,
    },
    /// An edited text does not read as the entry it was.
    #[error("the edited text of `{id}` cannot be read back: {}", .diagnostics.first().map(|d| d.message.as_str()).unwrap_or("no entry"))]
    Unreadable {
        /// The entry.
        id: EntryId,
        /// What was found.
        diagnostics: Vec<Diagnostic>,
    },
    /// The path would lead out of the base.
    #[error("`{0}` leads out of the base")]
    Outside(String),
    /// The file, on the line that is named, holds a conflict that nobody has decided.
    #[error("`{0}` holds a merge conflict")]
    Conflicted(String),
    /// The file is not text we could change without loss.
    #[error("`{0}` is not valid UTF-8 and is left as it is")]
    NotText(String),
    /// The front matter cannot be changed without damage.
    #[error(transparent)]
    Rewrite(#[from] format::RewriteError),
    /// The entry could not be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}

/// Checks that an entry is whole.
pub(crate) fn entry(entry: &Entry) -> Result<(), Refused> {
    match problem(entry) {
        Some(problem) => Err(Refused::Invalid { id: entry.id.clone(), problem: problem.to_owned() }),
        None => Ok(()),
    }
}

fn problem(entry: &Entry) -> Option<&'static str> {
    let blank = |text: &String| text.trim().is_empty();
    let detail = std::mem::discriminant(&Detail::empty(entry.kind));
    if entry.id.kind() != Some(entry.kind) {
        Some("its id names another kind than it has")
    } else if blank(&entry.title) {
        Some("it has no title")
    } else if entry.title.contains('\n') {
        Some("its title has more than one line")
    } else if entry.links.iter().any(|link| blank(&link.target)) {
        Some("one of its links leads nowhere")
    } else if entry.links.iter().any(|link| link.target == entry.id.as_str()) {
        Some("it links to itself")
    } else if entry.sources.iter().any(|source| blank(&source.resource)) {
        Some("one of its sources says not where it is")
    } else if entry.aliases.iter().any(|alias| blank(alias) || alias.contains(['\t', '\n', ','])) {
        Some("one of its aliases is not a name")
    } else if std::mem::discriminant(&entry.detail) != detail {
        Some("its details are those of another kind")
    } else {
        None
    }
}

/// Refuses text that redaction would change; what a person already had in the file is theirs.
pub(crate) fn secrets(door: &Door, id: &EntryId, text: &str, before: Option<&str>) -> Result<(), Refused> {
    let mut known: Vec<&str> = before
        .map(|before| door.found(before).into_iter().map(|(_, range)| &before[range]).collect())
        .unwrap_or_default();
    for (rule, range) in door.found(text) {
        match known.iter().position(|old| *old == &text[range.clone()]) {
            Some(at) => {
                known.swap_remove(at);
            }
            None => {
                let line = text[..range.start].matches('\n').count() + 1;
                return Err(Refused::Secret { id: id.clone(), line, rule: rule.to_owned() });
            }
        }
    }
    match door.forgotten_anew(text, before) {
        Some(range) => {
            let line = text[..range.start].matches('\n').count() + 1;
            Err(Refused::Forgotten { id: id.clone(), line })
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lore_core::{Kind, Link, LinkKind, Source, Voice};

    #[test]
    fn only_whole_entries_are_written() {
        let good = Entry::new("dec-2026-01-01-x".parse().unwrap(), Kind::Decision, "X");
        assert!(entry(&good).is_ok());
        let check = |bad: Entry, expected: &str| {
            assert!(entry(&bad).unwrap_err().to_string().contains(expected), "{bad:?}");
        };
        check(Entry { kind: Kind::Fact, ..good.clone() }, "another kind");
        check(Entry { title: "  ".into(), ..good.clone() }, "no title");
        check(Entry { title: "a\nb".into(), ..good.clone() }, "more than one line");
        check(Entry { links: vec![Link::new(LinkKind::Related, " ")], ..good.clone() }, "leads nowhere");
        check(
            Entry { links: vec![Link::new(LinkKind::Related, "dec-2026-01-01-x")], ..good.clone() },
            "itself",
        );
        check(Entry { sources: vec![Source::new("", Voice::Web)], ..good.clone() }, "sources");
        check(Entry { detail: Detail::None, ..good.clone() }, "details");
    }
}
