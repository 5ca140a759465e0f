//! What the import statements of a file spell out, path by path.
//!
//! Kept beside the imports as written: those lead to likely files, these to the files that are meant.

use std::ops::Range;

/// Longer statements are lists that a program wrote.
const LONGEST: usize = 8000;
/// Most paths that are kept of one file.
const MOST: usize = 600;

/// What a module that has its own file is marked with; no path begins with a word of the language.
pub(super) const DECLARED: &str = "mod::";

/// Collects the paths of one file, in the order of its text.
pub(super) struct Asked {
    is_rust: bool,
    /// Where modules that stand within the file end; the last is the innermost.
    within: Vec<usize>,
    /// Where the last statement ends: parts of it are not read once more.
    end: usize,
    paths: Vec<String>,
}

impl Asked {
    pub(super) fn of(ending: &str) -> Asked {
        Asked { is_rust: ending == "rs", within: Vec::new(), end: 0, paths: Vec::new() }
    }

    /// A module begins within the file.
    pub(super) fn enter(&mut self, end: usize) {
        self.within.push(end);
    }

    /// Adds what a statement, or a path in running code, asks for.
    pub(super) fn add(&mut self, range: Range<usize>, words: &str) {
        if range.start < self.end || words.len() > LONGEST {
            return;
        }
        self.end = range.end;
        if !self.is_rust {
            python(words, &mut self.paths);
            return;
        }
        self.within.retain(|end| range.start < *end);
        let mut found = Vec::new();
        let words = plain(words);
        let named = words.split_once("extern crate ").map(|(_, name)| name.trim_end_matches(';'));
        spread("", named.unwrap_or(&words), &mut found);
        let depth = self.within.len();
        self.paths.extend(found.iter().filter_map(|path| from_the_file(path, depth)));
    }

    pub(super) fn done(mut self) -> Vec<String> {
        self.paths.sort_unstable();
        self.paths.dedup();
        self.paths.truncate(MOST);
        self.paths
    }
}

/// Returns the name that a path brings in.
pub(super) fn brought(path: &str) -> &str {
    path.rsplit([' ', ':', '.']).next().unwrap_or(path)
}

/// Returns a path without the other name it is given.
pub(super) fn without_alias(path: &str) -> &str {
    path.split(' ').next().unwrap_or(path)
}

/// Takes comments out, and what room is not needed.
fn plain(words: &str) -> String {
    let lines = words.lines().map(|line| line.split("//").next().unwrap_or(line));
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

/// Writes every path of a tree such as `a::{b, c::d}` out.
fn spread(before: &str, tree: &str, found: &mut Vec<String>) {
    let tree = tree.trim();
    let Some((above, inner)) = tree.split_once('{') else {
        // Types in running code bear their own: `Vec<u8>::new` asks for `Vec`.
        let path = tree.split('<').next().unwrap_or(tree).trim_end_matches(':');
        let path = format!("{before}{path}");
        found.push(path.strip_suffix("::self").map_or_else(|| path.clone(), str::to_owned));
        return;
    };
    let before = format!("{before}{}", above.trim());
    let inner = inner.trim_end().strip_suffix('}').unwrap_or(inner);
    let (mut depth, mut start) = (0_usize, 0);
    for (at, letter) in inner.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                spread(&before, &inner[start..at], found);
                start = at + 1;
            }
            _ => {}
        }
    }
    if !inner[start..].trim().is_empty() {
        spread(&before, &inner[start..], found);
    }
}

/// Says a path of Rust as seen from the file, though it stands in modules within it.
fn from_the_file(path: &str, depth: usize) -> Option<String> {
    let path = path.trim_start_matches("::");
    let first = path.split([':', ' ']).next().unwrap_or(path);
    let is_module = first.starts_with(|c: char| c.is_lowercase() || c == '_');
    // A module in a module within the file lies where only the two names together would lead.
    let is_inner = depth > 0 && path.starts_with(DECLARED);
    if !is_module || is_inner || matches!(first, "std" | "core" | "alloc") {
        return None;
    }
    if depth == 0 || !matches!(first, "self" | "super") {
        return Some(path.to_owned());
    }
    let mut rest = path;
    for _ in 0..depth {
        // What is asked for stands in the file itself.
        rest = rest.strip_prefix("super::")?;
    }
    Some(if rest.starts_with("super::") { rest.to_owned() } else { format!("self::{rest}") })
}

/// Writes every path of a statement of Python out: `from .a import b, c` asks for `.a.b` and `.a.c`.
fn python(words: &str, found: &mut Vec<String>) {
    let lines = words.lines().map(|line| line.split('#').next().unwrap_or(line).trim_end_matches('\\'));
    let words = lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ");
    let (module, names) = match words.strip_prefix("from ") {
        Some(rest) => rest.split_once(" import").unwrap_or((rest, "")),
        None => ("", words.strip_prefix("import ").unwrap_or(&words)),
    };
    let module = module.trim();
    let joint = if module.is_empty() || module.ends_with('.') { "" } else { "." };
    for name in
        names.trim().trim_matches(['(', ')']).split(',').map(str::trim).filter(|name| !name.is_empty())
    {
        found.push(format!("{module}{joint}{name}"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::outline::outline;
    use super::*;

    #[test]
    fn every_path_of_a_statement_is_written_out() {
        let check = |path: &str, text: &str, expected: &[&str]| {
            assert_eq!(outline(path, text).asked, expected, "{text}");
        };
        check(
            "a.rs",
            "use crate::{a::{self, B}, c as d, // no\n e::*};",
            &["crate::a", "crate::a::B", "crate::c as d", "crate::e::*"],
        );
        check(
            "a.rs",
            "mod bill;\npub use self::bill::Bill;\nuse std::io;",
            &["mod::bill", "self::bill::Bill"],
        );
        check(
            "a.rs",
            "fn a() { crate::tax::rate(); Vec::<u8>::new(); tax::Rate::of() }",
            &["crate::tax::rate", "tax::Rate::of"],
        );
        check(
            "a.py",
            "from .a import (b,  # no\n  c as d)\nfrom . import e\nimport os.path, f",
            &[".a.b", ".a.c as d", ".e", "f", "os.path"],
        );
    }

    #[test]
    fn a_module_within_a_file_asks_from_there() {
        let text = "mod tests { use super::*; use super::super::tax; use crate::rate; }\nuse super::bill;";
        assert_eq!(outline("a.rs", text).asked, ["crate::rate", "self::*", "super::bill", "super::tax"]);
    }

    #[test]
    fn a_path_brings_in_its_last_name_or_another() {
        assert_eq!(["a::b", "a.b as c", "a::*"].map(brought), ["b", "c", "*"]);
        assert_eq!(without_alias("a::b as c"), "a::b");
    }
}
