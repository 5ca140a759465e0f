//! The repository a condition is held against: files read once, paths that stay inside.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Files larger than this are not looked into.
const LARGEST: u64 = 32 * 1024 * 1024;
/// How deep manifests are looked for.
const DEPTH: usize = 5;

/// A repository, read as far as conditions need it.
#[derive(Debug)]
pub struct Project {
    root: PathBuf,
    texts: Mutex<HashMap<String, Option<Arc<str>>>>,
    paths: OnceLock<Vec<String>>,
    /// Manifests may lie anywhere; by the last part of their path they are found without a search.
    by_name: OnceLock<HashMap<String, Vec<usize>>>,
}

impl Project {
    /// Looks at a folder.
    pub fn new(root: impl Into<PathBuf>) -> Project {
        Project {
            root: root.into(),
            texts: Mutex::default(),
            paths: OnceLock::new(),
            by_name: OnceLock::new(),
        }
    }

    /// Returns the folder.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Reads a text file; nothing where it is missing, too large, not text or outside.
    pub(crate) fn text(&self, path: &str) -> Option<Arc<str>> {
        let mut texts = self.texts.lock().unwrap_or_else(PoisonError::into_inner);
        texts.entry(path.to_owned()).or_insert_with(|| self.read(path)).clone()
    }

    fn read(&self, path: &str) -> Option<Arc<str>> {
        let full = self.inside(path)?;
        let size = std::fs::metadata(&full).ok().filter(std::fs::Metadata::is_file)?.len();
        if size > LARGEST {
            return None;
        }
        let bytes = std::fs::read(full).ok()?;
        Some(String::from_utf8_lossy(&bytes).into())
    }

    /// Returns the full path of something inside the project; `..` leads nowhere.
    pub(crate) fn inside(&self, path: &str) -> Option<PathBuf> {
        let path = Path::new(path.trim_start_matches("./"));
        let plain = path.components().all(|part| matches!(part, std::path::Component::Normal(_)));
        plain.then(|| self.root.join(path))
    }

    /// Lists all files that git would not ignore, relative to the project, sorted.
    pub(crate) fn paths(&self) -> &[String] {
        self.paths.get_or_init(|| {
            let walk = ignore::WalkBuilder::new(&self.root).hidden(false).require_git(false).build();
            let mut paths: Vec<String> = walk
                .filter_map(Result::ok)
                .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
                .filter_map(|entry| {
                    Some(entry.path().strip_prefix(&self.root).ok()?.to_str()?.replace('\\', "/"))
                })
                .filter(|path| !path.starts_with(".git/"))
                .collect();
            paths.sort();
            paths
        })
    }

    /// Lists the text files of which this is true, by what they say.
    pub fn files_that(&self, say: &dyn Fn(&str) -> bool) -> Vec<String> {
        let says = |path: &&String| self.read(path).is_some_and(|text| say(&text));
        self.paths().iter().filter(says).cloned().collect()
    }

    /// Finds the one file that is called so: by its path, or by the end of it where no other ends so.
    ///
    /// What git ignores is not there for others, so it is not found.
    pub fn file(&self, name: &str) -> Option<&str> {
        let name = name.trim_start_matches("./");
        let at = self.paths().binary_search_by(|path| path.as_str().cmp(name));
        if let Some(path) = at.ok().and_then(|at| self.paths().get(at)) {
            return Some(path);
        }
        let ends = |path: &&str| path.strip_suffix(name).is_some_and(|rest| rest.ends_with('/'));
        let found: Vec<&str> =
            self.named(name.rsplit('/').next().unwrap_or(name)).into_iter().filter(ends).collect();
        (found.len() == 1).then(|| found[0])
    }

    /// Lists the manifests of one name, those nearest to the root first.
    ///
    /// Where the root has one, only a walk can tell whether there are more; the walk is made once.
    pub(crate) fn named(&self, name: &str) -> Vec<&str> {
        let by_name = self.by_name.get_or_init(|| {
            let mut by_name: HashMap<String, Vec<usize>> = HashMap::new();
            let near = |path: &String| path.matches('/').count() <= DEPTH && !is_foreign(path);
            for (at, path) in self.paths().iter().enumerate().filter(|(_, path)| near(path)) {
                let last = path.rsplit('/').next().unwrap_or(path);
                by_name.entry(last.to_owned()).or_default().push(at);
                if let Some((_, ending)) = last.rsplit_once('.') {
                    by_name.entry(format!("*.{ending}")).or_default().push(at);
                }
            }
            by_name
        });
        let found = by_name.get(name).into_iter().flatten();
        let mut found: Vec<&str> = found.filter_map(|at| self.paths().get(*at)).map(String::as_str).collect();
        found.sort_by_key(|path| (path.matches('/').count(), *path));
        found
    }
}

/// Tells whether a path lies in a folder of other people's code or of test data.
fn is_foreign(path: &str) -> bool {
    let folders = [
        "node_modules",
        "vendor",
        "target",
        "third_party",
        "testdata",
        "fixtures",
        "__fixtures__",
        "examples",
    ];
    path.split('/').any(|part| folders.contains(&part))
}

/// Returns the 1-based line of the first place where a text stands.
pub(crate) fn line_of(text: &str, wanted: &str) -> Option<usize> {
    let at = text.find(wanted)?;
    Some(text[..at].matches('\n').count() + 1)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::disallowed_methods, reason = "tests set their own stage")]
    use super::*;

    #[test]
    fn a_file_is_found_by_its_path_or_by_an_end_that_only_it_has() {
        let folder = tempfile::tempdir().unwrap();
        for path in ["src/price.rs", "src/tax/mod.rs", "src/mail/mod.rs", "out/made.rs", ".gitignore"] {
            let path = folder.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "out/\n").unwrap();
        }
        let project = Project::new(folder.path());
        let check = |name: &str, expected: Option<&str>| assert_eq!(project.file(name), expected, "{name}");
        check("src/price.rs", Some("src/price.rs"));
        check("./src/price.rs", Some("src/price.rs"));
        check("price.rs", Some("src/price.rs"));
        check("tax/mod.rs", Some("src/tax/mod.rs"));
        check("mod.rs", None);
        check("ice.rs", None);
        check("out/made.rs", None);
        check("../price.rs", None);
    }
}
