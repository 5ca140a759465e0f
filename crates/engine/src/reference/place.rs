//! Files and commits of the project that are cited.

use std::path::{Path, PathBuf};

use lore_core::text::counted;

use super::Opened;
use crate::{Engine, Error};

/// Longer files are shown around a line only, and larger ones not at all.
const WHOLE: usize = 400;
const LARGEST: u64 = 4 << 20;

impl Engine {
    /// Opens a file of the project; what lies outside it is not ours to show.
    pub(super) fn open_file(
        &self,
        path: &str,
        line: Option<u32>,
        context: usize,
    ) -> Result<Option<Opened>, Error> {
        let Some((file, shown)) = self.inside_project(path) else { return Ok(None) };
        if file.metadata().is_ok_and(|about| about.len() > LARGEST) {
            return Err(Error::request(format!("`{shown}` is too large to show"), "open it in an editor"));
        }
        let Ok(bytes) = std::fs::read(&file) else { return Ok(None) };
        let text = self.clean(&String::from_utf8_lossy(&bytes));
        let long = text.lines().nth(WHOLE).is_some();
        let (text, note) = match line {
            Some(line) => (excerpt_of(&text, line, context, &shown)?, None),
            None if long => {
                let note = format!(
                    "only the first {}; name a line, as `{shown}:{WHOLE}`",
                    counted(WHOLE, "line", "lines")
                );
                (excerpt(&text, 1, WHOLE - 1), Some(note))
            }
            None => (text, None),
        };
        let name = line.map_or_else(|| shown.clone(), |line| format!("{shown}:{line}"));
        let title = shown;
        Ok(Some(Opened {
            reference: String::new(),
            what: "file",
            name,
            title,
            file: Some(file),
            line,
            text,
            note,
            entry: None,
        }))
    }

    /// Opens a commit: who, when, what was said and which files were changed.
    pub(super) fn open_commit(&self, id: &str) -> Option<Opened> {
        let text = self.store.git()?.told(id)?;
        let text = self.clean(&text);
        let mut lines = text.lines();
        let name = lines.next()?.strip_prefix("commit ")?.to_owned();
        let title = text.lines().skip_while(|line| !line.is_empty()).find(|line| !line.trim().is_empty());
        Some(Opened {
            reference: String::new(),
            what: "commit",
            title: title.unwrap_or(&name).trim().to_owned(),
            name,
            file: None,
            line: None,
            text,
            note: None,
            entry: None,
        })
    }

    /// Finds an existing file below the project's folder, links followed, with its path from there.
    fn inside_project(&self, path: &str) -> Option<(PathBuf, String)> {
        let top = self.project().canonicalize().ok()?;
        let from = |folder: &Path| {
            let file = folder.join(path).canonicalize().ok().filter(|file| file.is_file())?;
            let inside = file.strip_prefix(&top).ok()?.to_string_lossy().into_owned();
            Some((file, inside))
        };
        let here = || from(&self.world.directory);
        // What we cite is named from the project; only who says so names it from where they stand.
        let said = if path.starts_with('.') { here() } else { None };
        let (file, inside) = said.or_else(|| from(&top)).or_else(|| from(self.root())).or_else(here)?;
        // The innards of git hold what was never meant to be shown, our own state among it.
        (!inside.starts_with(".git/")).then_some((file, inside))
    }

    fn clean(&self, text: &str) -> String {
        self.store.door().written(text).into_owned()
    }
}

/// Shows a line of something, or says that it does not go on so far.
pub(super) fn excerpt_of(text: &str, line: u32, context: usize, name: &str) -> Result<String, Error> {
    let shown = excerpt(text, line, context);
    if !shown.is_empty() {
        return Ok(shown);
    }
    let lines = counted(text.lines().count(), "line", "lines");
    Err(Error::request(
        format!("`{name}` has no line {line}: it has {lines}"),
        format!("name one that is there, or `{name}` for all of it"),
    ))
}

/// Shows a line with those around it, numbered, the one that is meant marked.
pub(super) fn excerpt(text: &str, line: u32, context: usize) -> String {
    let wanted = (line as usize).max(1);
    let first = wanted.saturating_sub(context).max(1);
    let shown = text.lines().enumerate().skip(first - 1).take(wanted + context + 1 - first);
    let number = |(at, words): (usize, &str)| {
        let mark = if at + 1 == wanted { '>' } else { ' ' };
        format!("{mark}{:>5}  {words}\n", at + 1)
    };
    shown.map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_shown_with_a_little_around_it() {
        let text = "a\nb\nc\nd\n";
        let check = |line: u32, context: usize, expected: &str| {
            assert_eq!(excerpt(text, line, context), expected, "{line} {context}");
        };
        check(2, 1, "     1  a\n>    2  b\n     3  c\n");
        check(1, 0, ">    1  a\n");
        check(4, 1, "     3  c\n>    4  d\n");
        check(0, 0, ">    1  a\n");
        check(9, 1, "");
        assert_eq!(excerpt_of(text, 5, 1, "a.rs").ok().as_deref(), Some("     4  d\n"), "the end is near");
        let refused = excerpt_of(text, 9, 1, "a.rs").expect_err("it ends before").to_string();
        assert_eq!(refused, "`a.rs` has no line 9: it has 4 lines");
    }
}
