//! Files as people name them, from where they stand, and as entries do, from the project's folder.

use std::path::{Path, PathBuf};

use lore_ground::freshness::{Condition, Fact, parse};
use lore_store::git::Git;

use crate::{Engine, Error};

impl Engine {
    /// Names a file as entries do, from the project's folder.
    ///
    /// What is named by a bare path is looked for where one stands first; where it is not there, the path
    /// is taken as it is, because whoever has read it in an entry says it in the same way.
    pub fn from_project(&self, file: &str) -> Result<String, Error> {
        let Some(root) = self.root_of_files().filter(|_| !file.contains("://")) else {
            return Ok(file.to_owned());
        };
        let path = self.world.place(Path::new(file));
        if !says_from_where(file) && path.symlink_metadata().is_err() {
            return Ok(file.to_owned());
        }
        let inside = real(&path).strip_prefix(&root).map(Path::to_owned);
        let inside = inside.or_else(|_| path.strip_prefix(self.project()).map(Path::to_owned));
        match inside {
            Ok(inside) if inside.as_os_str().is_empty() => Ok(".".to_owned()),
            Ok(inside) => Ok(inside.display().to_string().replace('\\', "/")),
            Err(_) => Err(Error::request(
                format!("`{file}` lies outside the project"),
                format!("name a file below `{}`", root.display()),
            )),
        }
    }

    /// Does the same for several files.
    pub fn all_from_project(&self, files: &[String]) -> Result<Vec<String>, Error> {
        files.iter().map(|file| self.from_project(file)).collect()
    }

    /// Writes a condition as entries do, with its files named from the project's folder.
    pub(crate) fn condition_from_project(&self, text: &str) -> Result<String, Error> {
        let condition = parse(text);
        let mut named = Vec::new();
        paths_of(&condition, &mut named);
        named
            .iter()
            .try_fold(text.to_owned(), |text, path| Ok(with_path(&text, path, &self.from_project(path)?)))
    }

    /// Finds the folder from which entries name files, as far as one stands in it.
    fn root_of_files(&self) -> Option<PathBuf> {
        if self.is_personal() {
            return None;
        }
        let (project, here) = (real(self.project()), real(&self.world.directory));
        if here.starts_with(&project) {
            return Some(project);
        }
        // A worktree without a base of its own is served by that of the main one.
        let (there, own) = (Git::discover(&here)?, self.store.git()?);
        let inside = project.strip_prefix(real(own.top())).ok()?.to_owned();
        (there.common() == own.common()).then(|| there.top().join(inside))
    }
}

/// Tells whether a path itself says where it begins.
fn says_from_where(file: &str) -> bool {
    let first = file.split(['/', '\\']).next().unwrap_or_default();
    matches!(first, "." | "..") || Path::new(file).is_absolute()
}

/// Follows the links of a path as far as it exists.
fn real(path: &Path) -> PathBuf {
    let found = path.ancestors().find_map(|there| Some((there.canonicalize().ok()?, there)));
    let Some((real, there)) = found else { return path.to_owned() };
    // Whatever is joined leaves a separator behind, and nothing does as well.
    path.strip_prefix(there).map_or(real.clone(), |rest| real.join(rest).components().collect())
}

/// Lists the paths that a condition names.
fn paths_of<'c>(condition: &'c Condition, found: &mut Vec<&'c str>) {
    match condition {
        Condition::All(parts) | Condition::Any(parts) => parts.iter().for_each(|part| paths_of(part, found)),
        Condition::Not(part) => paths_of(part, found),
        Condition::Fact(
            Fact::File { path, .. }
            | Fact::Setting { path, .. }
            | Fact::Unchanged { path, .. }
            | Fact::Symbol { path: Some(path), .. },
        ) => found.push(path),
        Condition::Fact(_) | Condition::Free(_) | Condition::TooDeep => {}
    }
}

/// Puts another path in the place of one, wherever it stands as a word of its own.
fn with_path(text: &str, path: &str, instead: &str) -> String {
    if path.is_empty() || path == instead {
        return text.to_owned();
    }
    let parts = |c: char| c.is_alphanumeric() || "./\\_-*".contains(c);
    let mut out = String::new();
    let mut end = 0;
    for (at, _) in text.match_indices(path) {
        let rest = &text[at + path.len()..];
        let rest = rest.strip_prefix('/').unwrap_or(rest);
        out.push_str(&text[end..at]);
        let is_whole = !text[..at].ends_with(parts) && !rest.starts_with(parts);
        out.push_str(if is_whole { instead } else { path });
        end = at + path.len();
    }
    out + &text[end..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_replaced_where_it_is_a_word() {
        let check = |text: &str, path: &str, expected: &str| {
            assert_eq!(with_path(text, path, "src/a.py"), expected, "{text}");
        };
        check("../a.py exists", "../a.py", "src/a.py exists");
        check("NOT (\"../a.py\" exists)", "../a.py", "NOT (\"src/a.py\" exists)");
        check("../../a.py exists AND ../a.py exists", "../a.py", "../../a.py exists AND src/a.py exists");
        check("../a.pyc exists OR ../a.py/ exists", "../a.py", "../a.pyc exists OR src/a.py/ exists");
        check("config ../a.py:deep.key is set", "../a.py", "config src/a.py:deep.key is set");
    }

    #[test]
    fn a_path_says_where_it_begins() {
        let check = |path: &str, expected: bool| assert_eq!(says_from_where(path), expected, "{path}");
        check("../a", true);
        check("./a", true);
        check("..", true);
        check("/a", true);
        check("a/../b", false);
        check(".github/a", false);
        check("", false);
    }
}
