//! Which one entry a person means by a name.

use lore_core::EntryId;

use super::Snapshot;
use crate::Summary;

/// A name does not lead to one entry.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ResolveError {
    /// Nothing is called that.
    #[error("there is no entry `{name}`")]
    Unknown {
        /// What was asked for.
        name: String,
        /// What may have been meant.
        near: Vec<EntryId>,
    },
    /// More than one entry starts like that.
    #[error("`{name}` could be any of {}", list(.found, .titles))]
    Ambiguous {
        /// What was asked for.
        name: String,
        /// What it could be.
        found: Vec<EntryId>,
        /// What each of these is called.
        titles: Vec<String>,
    },
}

impl Snapshot {
    /// Finds the one entry a person means: id, handle, alias, path, title, the start of an id, or a slug.
    pub fn resolve(&self, name: &str) -> Result<&Summary, ResolveError> {
        self.resolve_whole(name).or_else(|unknown| {
            let name = unquoted(name);
            let begins = |s: &&Summary| !name.is_empty() && s.id.as_str().starts_with(name);
            match unknown {
                ResolveError::Unknown { .. } => {
                    one_of(name, self.summaries().filter(begins).collect())?.ok_or(unknown)
                }
                ResolveError::Ambiguous { .. } => Err(unknown),
            }
        })
    }

    /// Finds the one entry that bears a name; the start of a name is none. Whoever changes or removes something has
    /// to say what, for the start of what was removed is the start of its neighbour.
    pub fn resolve_whole(&self, name: &str) -> Result<&Summary, ResolveError> {
        let name = unquoted(name);
        if let Some(found) = self.find(name) {
            return Ok(found);
        }
        if let Ok(handle) = name.parse()
            && let Some(found) = one_of(name, self.by_handle(&handle))?
        {
            return Ok(found);
        }
        let path = self.inside(name);
        let title = name.to_lowercase();
        let ways: [&dyn Fn(&Summary) -> bool; 3] = [
            &|s| s.path == path || s.path.strip_suffix(".md") == Some(path),
            &|s| s.id.slug() == name,
            &|s| s.title.to_lowercase() == title,
        ];
        for way in ways {
            if let Some(found) = one_of(name, self.summaries().filter(|s| way(s)).collect())? {
                return Ok(found);
            }
        }
        let words: Vec<&str> = name.split(['-', '/', ' ']).filter(|word| word.len() > 3).collect();
        let shared = |s: &&Summary| words.iter().filter(|word| s.id.slug().contains(*word)).count();
        let mut near: Vec<&Summary> = self.summaries().filter(|s| shared(s) > 0).collect();
        near.sort_by_key(|s| std::cmp::Reverse(shared(s)));
        let near = near.into_iter().take(3).map(|s| s.id.clone()).collect();
        Err(ResolveError::Unknown { name: name.to_owned(), near })
    }

    /// Takes a path as people give it, from the project's folder or from the root, as one in the base.
    fn inside<'n>(&self, path: &'n str) -> &'n str {
        let path = path.strip_prefix("./").unwrap_or(path);
        let below = |folder: Option<&str>| path.strip_prefix(folder?)?.strip_prefix('/');
        let folder = self.root.file_name().and_then(|name| name.to_str());
        below(self.root.to_str()).or_else(|| below(folder)).unwrap_or(path)
    }
}

/// So many are named in the sentence itself; more stand below it, …
const IN_A_SENTENCE: usize = 3;
/// … at most so many of them.
const LISTED: usize = 20;

fn list(ids: &[EntryId], titles: &[String]) -> String {
    if ids.len() <= IN_A_SENTENCE {
        return ids.iter().map(|id| format!("`{id}`")).collect::<Vec<_>>().join(", ");
    }
    let line = |(id, title): (&EntryId, &String)| format!("\n  {}  {title}", id.handle());
    let lines: String = ids.iter().zip(titles).take(LISTED).map(line).collect();
    let more = ids.len().saturating_sub(LISTED);
    let rest = if more > 0 { format!("\n  and {more} more") } else { String::new() };
    format!("{}:{lines}{rest}", lore_core::text::counted(ids.len() as u64, "entry", "entries"))
}

fn one_of<'s>(name: &str, found: Vec<&'s Summary>) -> Result<Option<&'s Summary>, ResolveError> {
    if found.len() > 1 {
        let titles = found.iter().map(|summary| summary.title.clone()).collect();
        let found = found.iter().map(|summary| summary.id.clone()).collect();
        return Err(ResolveError::Ambiguous { name: name.to_owned(), found, titles });
    }
    Ok(found.first().copied())
}

/// Takes off what people put around a name: blanks, quotation marks, the brackets of a citation.
fn unquoted(name: &str) -> &str {
    let name = name.trim();
    let pairs = [('"', '"'), ('\'', '\''), ('“', '”'), ('`', '`'), ('[', ']')];
    let inner = pairs.iter().find_map(|(open, close)| name.strip_prefix(*open)?.strip_suffix(*close));
    inner.map_or(name, str::trim)
}
