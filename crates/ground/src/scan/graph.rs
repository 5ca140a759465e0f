//! Which files rest on which: by what they ask for, and by the names that only one file defines.

use rustc_hash::{FxHashMap, FxHashSet};

use super::tree::TreeFile;
use super::words::{Term, name_of};

/// A name that more files define does not lead to one of them.
const MOST_DEFINERS: u32 = 3;
/// An import that could mean more files than this, such as a package of many, counts for none.
const WIDEST: usize = 40;

/// Which files a file asks for, and which ask for it.
pub(super) struct Graph {
    pub(super) asks: Vec<Vec<u32>>,
    pub(super) asked_by: Vec<Vec<u32>>,
    /// How many files define a name.
    pub(super) definers: FxHashMap<Term, u32>,
}

impl Graph {
    /// Draws the graph of a tree.
    pub(super) fn of(files: &[TreeFile]) -> Graph {
        let places = Places::of(files);
        let mut definers: FxHashMap<Term, u32> = FxHashMap::default();
        for file in files {
            let own: FxHashSet<Term> = file.outline.defined.iter().map(|one| name_of(&one.name)).collect();
            for name in own {
                *definers.entry(name).or_default() += 1;
            }
        }
        let mut asks = vec![Vec::new(); files.len()];
        let mut asked_by = vec![Vec::new(); files.len()];
        for (from, file) in files.iter().enumerate() {
            let mut found: Vec<u32> =
                file.outline.imports.iter().flat_map(|import| places.meant(&file.path, import)).collect();
            found.sort_unstable();
            found.dedup();
            found.retain(|to| *to as usize != from);
            for to in &found {
                asked_by[*to as usize].push(u32::try_from(from).unwrap_or(u32::MAX));
            }
            asks[from] = found;
        }
        Graph { asks, asked_by, definers }
    }

    /// Returns the names of a file that lead to it, or nearly.
    pub(super) fn own_names(&self, file: &TreeFile) -> impl Iterator<Item = (Term, f64)> {
        file.outline.defined.iter().filter(|one| one.name.len() > 3).filter_map(|one| {
            let name = name_of(&one.name);
            let count = self.definers.get(&name).copied().unwrap_or(0);
            (1..=MOST_DEFINERS).contains(&count).then(|| (name, 1.0 / f64::from(count)))
        })
    }
}

/// Where files are, by what an import can call them.
struct Places<'t> {
    files: &'t [TreeFile],
    by_path: FxHashMap<&'t str, u32>,
    /// By the name without its ending; folders by the names of the files in them.
    by_stem: FxHashMap<&'t str, Vec<u32>>,
    by_folder: FxHashMap<&'t str, Vec<u32>>,
}

/// Endings that an import leaves out.
const ENDINGS: &[&str] = &[
    "",
    ".ts",
    ".tsx",
    ".js",
    ".jsx",
    ".mjs",
    ".py",
    ".rs",
    ".vue",
    ".svelte",
    ".css",
    ".scss",
    "/index.ts",
    "/index.tsx",
    "/index.js",
    "/__init__.py",
    "/mod.rs",
    ".json",
    ".sh",
    ".rb",
    ".h",
];

impl<'t> Places<'t> {
    fn of(files: &'t [TreeFile]) -> Places<'t> {
        let mut places = Places {
            files,
            by_path: FxHashMap::default(),
            by_stem: FxHashMap::default(),
            by_folder: FxHashMap::default(),
        };
        for (at, file) in files.iter().enumerate() {
            let at = u32::try_from(at).unwrap_or(u32::MAX);
            places.by_path.insert(&file.path, at);
            let (folder, name) = file.path.rsplit_once('/').unwrap_or(("", &file.path));
            let stem = name.split('.').next().unwrap_or(name);
            let stem = if matches!(stem, "mod" | "index" | "__init__" | "lib") {
                folder.rsplit('/').next().unwrap_or(stem)
            } else {
                stem
            };
            places.by_stem.entry(stem).or_default().push(at);
            places.by_folder.entry(folder.rsplit('/').next().unwrap_or(folder)).or_default().push(at);
        }
        places
    }

    /// Lists the files that an import means; empty where it means none of ours.
    fn meant(&self, from: &str, import: &str) -> Vec<u32> {
        let import = import.trim_matches(['"', '\'', '<', '>', '(', ')', ';', ' ']);
        if import.starts_with("./") || import.starts_with("../") {
            return self.relative(from, import).into_iter().collect();
        }
        if let Some(rest) = import.strip_prefix('.') {
            // Python: one dot is this package, each further one the package above.
            let up = rest.len() - rest.trim_start_matches('.').len();
            let path = format!("./{}{}", "../".repeat(up), rest.trim_start_matches('.').replace('.', "/"));
            return self.relative(from, &path).into_iter().collect();
        }
        if import.contains('/') {
            let bare = import.trim_start_matches(['@', '~']).trim_start_matches('/');
            let same_folder =
                import.contains('.').then(|| self.relative(from, &format!("./{import}"))).flatten();
            if let Some(found) = same_folder {
                return vec![found];
            }
            return self.by_segments(from, &bare.split('/').collect::<Vec<_>>());
        }
        let plain = import.split(['{', ' ']).next().unwrap_or(import);
        let segments: Vec<&str> = plain
            .split([':', '.', '\\'])
            .filter(|part| !part.is_empty() && !matches!(*part, "crate" | "self" | "super" | "*" | "h"))
            .collect();
        self.by_segments(from, &segments)
    }

    fn relative(&self, from: &str, import: &str) -> Option<u32> {
        let mut parts: Vec<&str> = from.split('/').collect();
        parts.pop();
        for part in import.split('/') {
            match part {
                "." | "" => {}
                ".." => {
                    parts.pop()?;
                }
                part => parts.push(part),
            }
        }
        let path = parts.join("/");
        let path =
            path.strip_suffix(".js").filter(|_| !self.by_path.contains_key(path.as_str())).unwrap_or(&path);
        ENDINGS.iter().find_map(|ending| self.by_path.get(format!("{path}{ending}").as_str()).copied())
    }

    /// Finds the file or folder whose path shares most with the end of the segments.
    fn by_segments(&self, from: &str, segments: &[&str]) -> Vec<u32> {
        let from_top = from.split('/').next().unwrap_or_default();
        // The last segments may be names in the file, not the file.
        for end in (1..=segments.len()).rev().take(3) {
            let last = segments[end - 1];
            let last = last.rsplit_once('.').map_or(last, |(stem, _)| stem);
            let files = self.by_stem.get(last).map_or(&[][..], Vec::as_slice);
            let shared = |at: &u32| shared_end(&self.files[*at as usize].path, &segments[..end - 1]);
            let best = files.iter().map(|at| (shared(at), *at)).max_by_key(|(shared, at)| {
                let near = self.files[*at as usize].path.starts_with(from_top);
                (*shared, near, std::cmp::Reverse(*at))
            });
            if let Some((shared, at)) = best
                && (shared > 0 || (segments.len() == 1 && files.len() == 1) || (end > 1 && files.len() == 1))
            {
                return vec![at];
            }
            // A package is all the files of its folder.
            let inside = self.by_folder.get(last).map_or(&[][..], Vec::as_slice);
            let fits = |at: &&u32| {
                let folder = self.files[**at as usize].path.rsplit_once('/').map_or("", |(folder, _)| folder);
                // A folder at the top has nothing above it that could fit.
                end < 2 || !folder.contains('/') || shared_end(folder, &segments[..end - 1]) > 0
            };
            let inside: Vec<u32> = inside.iter().filter(fits).copied().collect();
            if end == segments.len() && !inside.is_empty() && inside.len() <= WIDEST && segments.len() > 1 {
                return inside;
            }
        }
        Vec::new()
    }
}

/// Counts how many folders above the last part fit the segments, from the end.
fn shared_end(path: &str, segments: &[&str]) -> usize {
    let folders = path.rsplit('/').skip(1);
    folders.zip(segments.iter().rev()).take_while(|(folder, segment)| folder == *segment).count()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::outline::outline;
    use super::*;

    fn tree(files: &[(&str, &str)]) -> Vec<TreeFile> {
        let file = |(path, text): &(&str, &str)| TreeFile {
            path: (*path).to_owned(),
            outline: Arc::new(outline(path, text)),
        };
        files.iter().map(file).collect()
    }

    #[test]
    fn imports_lead_to_files() {
        let check = |files: &[(&str, &str)], from: usize, to: &[u32]| {
            let tree = tree(files);
            assert_eq!(Graph::of(&tree).asks[from], to, "{files:?}");
        };
        check(&[("src/a.ts", "import x from './b'"), ("src/b.ts", "")], 0, &[1]);
        check(&[("src/a.ts", "import x from '../lib'"), ("lib/index.ts", "")], 0, &[1]);
        check(&[("app/a.py", "from .b import c"), ("app/b.py", "")], 0, &[1]);
        check(&[("app/a.py", "from shop.b import c"), ("src/shop/b.py", "")], 0, &[1]);
        check(&[("src/a.rs", "use crate::tax::rate::Rate;"), ("src/tax/rate.rs", "")], 0, &[1]);
        check(&[("A.java", "import org.shop.Tax;"), ("main/org/shop/Tax.java", "")], 0, &[1]);
        check(&[("a.go", "import \"x.org/shop/tax\""), ("tax/a.go", ""), ("tax/b.go", "")], 0, &[1, 2]);
        check(
            &[("a.go", "import \"x.org/shop/tax\""), ("shop/tax/a.go", ""), ("shop/tax/b.go", "")],
            0,
            &[1, 2],
        );
        check(&[("a.ts", "import x from 'react'"), ("b.ts", "")], 0, &[]);
    }
}
