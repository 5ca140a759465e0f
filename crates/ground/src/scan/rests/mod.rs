//! What each file rests on, for the report: what it imports, and nothing that is only likely.
//!
//! The graph that the signals look at ties files loosely, because a weak tie still tells something. Whoever
//! reads "12 files rest on it" takes it for a fact, so here an import leads to the file it means in its own
//! language, or nowhere. Names tie files only where the language needs no import for them.

mod modules;
mod packages;
mod relative;

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::graph::Graph;
use super::roles::Role;
use super::tree::TreeFile;
use super::words::{Term, name_of};

/// Reads a file that says how imports are to be read, such as a manifest.
pub(super) type ReadText<'r> = &'r dyn Fn(&str) -> Option<Arc<str>>;

/// Which files each file rests on, and which rest on it; both sorted.
#[derive(Debug)]
pub(super) struct Rests {
    pub(super) on: Vec<Vec<u32>>,
    pub(super) by: Vec<Vec<u32>>,
}

/// How a language says what it needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// By paths that begin at the file.
    Relative,
    /// By modules that the folders make.
    Python,
    /// By modules that files declare.
    Rust,
    /// By packages and the types in them; none is needed within a package.
    Jvm,
    /// By packages that are folders; none is needed within one.
    Go,
    /// By headers.
    C,
    /// Not known well enough: by likely imports, and names that only one file defines.
    Loose,
    /// Nothing rests on anything.
    Never,
}

impl Way {
    fn of(path: &str, role: Role) -> Way {
        if matches!(role, Role::Document | Role::Made | Role::Settings) {
            return Way::Never;
        }
        match ending(path) {
            "ts" | "tsx" | "mts" | "cts" | "js" | "jsx" | "mjs" | "cjs" | "vue" | "svelte" | "astro"
            | "css" | "scss" | "sass" | "less" | "sh" | "bash" => Way::Relative,
            "py" | "pyi" => Way::Python,
            "rs" => Way::Rust,
            "java" | "kt" | "kts" | "scala" | "groovy" => Way::Jvm,
            "go" => Way::Go,
            "c" | "h" | "cc" | "cpp" | "cxx" | "hpp" | "hh" | "hxx" => Way::C,
            _ if matches!(role, Role::Code | Role::Test) => Way::Loose,
            _ => Way::Never,
        }
    }
}

/// The files by what an import can call them.
struct Places<'t> {
    files: &'t [TreeFile],
    by_path: FxHashMap<&'t str, u32>,
    by_name: FxHashMap<&'t str, Vec<u32>>,
    folders: FxHashSet<&'t str>,
    ways: Vec<Way>,
    roles: Vec<Role>,
}

impl<'t> Places<'t> {
    fn of(files: &'t [TreeFile]) -> Places<'t> {
        let roles: Vec<Role> = files.iter().map(|file| Role::of(&file.path)).collect();
        let ways = files.iter().zip(&roles).map(|(file, role)| Way::of(&file.path, *role)).collect();
        let mut by_name: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
        for (file, at) in files.iter().zip(0..) {
            by_name.entry(name(&file.path)).or_default().push(at);
        }
        let by_path = files.iter().zip(0..).map(|(file, at)| (file.path.as_str(), at)).collect();
        let folders = files.iter().flat_map(|file| folders_above(&file.path)).collect();
        Places { files, by_path, by_name, folders, ways, roles }
    }

    fn path(&self, at: u32) -> &'t str {
        &self.files[at as usize].path
    }

    /// Finds the file of a path.
    fn at(&self, path: &str) -> Option<u32> {
        self.by_path.get(path).copied()
    }

    /// Lists the files of a way with their numbers.
    fn all(&self, way: Way) -> impl Iterator<Item = (u32, &'t TreeFile)> {
        (0..).zip(self.files).filter(move |(at, _)| self.ways[*at as usize] == way)
    }

    /// Of files that an import can mean, takes the one that shares most folders with who asks.
    fn nearest(&self, from: u32, meant: impl Iterator<Item = u32>) -> Option<u32> {
        let own = self.path(from);
        let shared = |at: &u32| {
            own.split('/').zip(self.path(*at).split('/')).take_while(|(one, other)| one == other).count()
        };
        meant.max_by_key(|at| (shared(at), std::cmp::Reverse(*at)))
    }

    /// Tells whether names tie two files: nothing but a test rests on a test.
    fn may_rest(&self, from: u32, on: u32) -> bool {
        let (from, on) = (from as usize, on as usize);
        self.ways[from] == self.ways[on] && (self.roles[on] != Role::Test || self.roles[from] == Role::Test)
    }
}

impl Rests {
    /// Finds out what every file rests on.
    pub(super) fn of(files: &[TreeFile], graph: &Graph, text: ReadText<'_>) -> Rests {
        let places = Places::of(files);
        let mut on: Vec<Vec<u32>> = vec![Vec::new(); files.len()];
        relative::scripts(&places, &mut on);
        relative::headers(&places, graph, &mut on);
        modules::python(&places, &mut on);
        modules::rust(&places, text, &mut on);
        packages::jvm(&places, graph, &mut on);
        packages::go(&places, graph, text, &mut on);
        loose(&places, graph, &mut on);
        let mut by = vec![Vec::new(); files.len()];
        for (from, on) in (0..).zip(&mut on) {
            on.sort_unstable();
            on.dedup();
            on.retain(|on| *on != from);
            on.iter().for_each(|on| by[*on as usize].push(from));
        }
        Rests { on, by }
    }
}

/// Ties files of languages whose imports are not known well enough, each only to its own kind.
fn loose(places: &Places<'_>, graph: &Graph, on: &mut [Vec<u32>]) {
    let mut owners: FxHashMap<Term, u32> = FxHashMap::default();
    for (at, file) in places.all(Way::Loose) {
        owners.extend(graph.own_names(file).filter(|(_, share)| *share >= 1.0).map(|(name, _)| (name, at)));
    }
    for (from, file) in places.all(Way::Loose) {
        let named = file.outline.names.iter().filter_map(|name| owners.get(name).copied());
        let asked = graph.asks[from as usize].iter().copied();
        let is_alike =
            |on: &u32| ending(places.path(*on)) == ending(&file.path) && places.may_rest(from, *on);
        on[from as usize].extend(named.chain(asked).filter(is_alike));
    }
}

/// Ties a file to those of one package whose names it speaks of, if no other file of the package defines them.
fn by_names(places: &Places<'_>, graph: &Graph, from: u32, package: &[u32]) -> Vec<u32> {
    let names = &places.files[from as usize].outline;
    let mut owners: FxHashMap<Term, FxHashSet<u32>> = FxHashMap::default();
    for at in package {
        for (name, _) in
            graph.own_names(&places.files[*at as usize]).filter(|(name, _)| names.speaks_of(*name))
        {
            owners.entry(name).or_default().insert(*at);
        }
    }
    let single = owners.into_values().filter(|owners| owners.len() == 1).flatten();
    single.filter(|on| places.may_rest(from, *on)).collect()
}

/// Tells whether a file speaks of another by its name.
fn speaks_of_stem(places: &Places<'_>, from: u32, on: u32) -> bool {
    places.files[from as usize].outline.speaks_of(name_of(stem(places.path(on))))
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn stem(path: &str) -> &str {
    name(path).split('.').next().unwrap_or_default()
}

fn ending(path: &str) -> &str {
    name(path).rsplit_once('.').map_or("", |(_, ending)| ending)
}

/// Puts a name below a folder; the root has no name.
fn below(folder: &str, name: &str) -> String {
    match (folder, name) {
        ("", name) => name.to_owned(),
        (folder, "") => folder.to_owned(),
        (folder, name) => format!("{folder}/{name}"),
    }
}

/// Lists the folders a file lies in, the nearest first, the root last.
fn folders_above(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder(path)), |inner| (!inner.is_empty()).then(|| folder(inner)))
}

#[cfg(test)]
mod tests {
    use super::super::outline::outline;
    use super::*;

    /// Checks what the first file of a project rests on; manifests may be among its files.
    fn check(files: &[(&str, &str)], expected: &[&str]) {
        let tree: Vec<TreeFile> = files
            .iter()
            .map(|(path, text)| TreeFile { path: (*path).to_owned(), outline: Arc::new(outline(path, text)) })
            .collect();
        let read = |path: &str| files.iter().find(|(own, _)| *own == path).map(|(_, text)| Arc::from(*text));
        let rests = Rests::of(&tree, &Graph::of(&tree), &read);
        let found: Vec<&str> = rests.on[0].iter().map(|on| files[*on as usize].0).collect();
        assert_eq!(found, expected, "{files:?}");
    }

    #[test]
    fn names_that_only_one_file_defines_are_no_imports() {
        let owner = "export function resolveTaxes() {}\n";
        check(&[("src/a.ts", "resolveTaxes()"), ("src/tax.ts", owner)], &[]);
        check(&[("tests/test_a.py", "def resolve_taxes(): pass"), ("a.py", "resolve_taxes()")], &[]);
        check(&[("a/src/lib.rs", "fn a() { resolve_taxes() }"), ("b/main.rs", "fn resolve_taxes() {}")], &[]);
    }

    #[test]
    fn scripts_name_files() {
        check(&[("src/a.ts", "import x from './b.js'"), ("src/b.ts", "")], &["src/b.ts"]);
        check(&[("src/a.ts", "import x from '..'"), ("index.ts", ""), ("src/index.ts", "")], &["index.ts"]);
        check(&[("src/a.ts", "import x from './b?raw'"), ("src/b.ts", ""), ("b.ts", "")], &["src/b.ts"]);
        check(&[("src/in/a.vue", "import x from '@/b'\n"), ("src/b.ts", "")], &["src/b.ts"]);
        check(&[("src/a.ts", "import x from 'types/hot'"), ("types/hot.d.ts", "")], &["types/hot.d.ts"]);
        check(&[("a.css", "@import 'b.css';\n"), ("b.css", "")], &["b.css"]);
        check(&[("a.ts", "import 'chart.js'; import '@org/b'"), ("chart.js", ""), ("org/b.ts", "")], &[]);
        check(&[("src/a.ts", "import x from 'node:http'; import y from 'http'"), ("src/http.ts", "")], &[]);
    }

    #[test]
    fn modules_of_python_are_made_by_folders() {
        let shop = [
            ("src/shop/__init__.py", "from .tax import Tax as Tax\n"),
            ("src/shop/tax.py", "class Tax: pass\n"),
        ];
        let with = |text: &'static str| [("tests/test_tax.py", text), shop[0], shop[1]];
        check(&with("import shop"), &["src/shop/__init__.py"]);
        check(&with("from shop.tax import Tax"), &["src/shop/tax.py"]);
        check(&with("from shop import tax"), &["src/shop/tax.py"]);
        check(&with("from shop import Tax"), &["src/shop/__init__.py", "src/shop/tax.py"]);
        // The library of the language goes before a module of the package.
        check(
            &[("shop/a.py", "from typing import Any"), ("shop/__init__.py", ""), ("shop/typing.py", "")],
            &[],
        );
        check(
            &[("shop/a.py", "from . import typing as t"), ("shop/__init__.py", ""), ("shop/typing.py", "")],
            &["shop/typing.py"],
        );
    }

    #[test]
    fn modules_of_rust_are_declared_by_files() {
        let shop = [
            ("crates/shop/Cargo.toml", "[package]\nname = \"big-shop\"\n"),
            ("crates/shop/src/lib.rs", "mod tax;\nmod rate;\npub use tax::Tax;\n"),
            ("crates/shop/src/tax.rs", "pub struct Tax;\n"),
            ("crates/shop/src/rate.rs", ""),
        ];
        let with =
            |path: &'static str, text: &'static str| [(path, text), shop[0], shop[1], shop[2], shop[3]];
        let elsewhere = |text: &'static str| with("src/main.rs", text);
        check(&elsewhere("use big_shop::Tax;"), &["crates/shop/src/lib.rs", "crates/shop/src/tax.rs"]);
        check(&elsewhere("use crate::tax::Tax;"), &[]);
        let inside = |text: &'static str| {
            let mut files = with("crates/shop/src/bill.rs", text);
            files[2].1 = "mod tax;\nmod rate;\nmod bill;\n";
            files
        };
        check(&inside("fn a() { crate::tax::Tax::new() }"), &["crates/shop/src/tax.rs"]);
        check(&inside("use super::rate;"), &["crates/shop/src/rate.rs"]);
        check(&inside("mod tests { use super::*; }"), &[]);
    }

    #[test]
    fn within_a_package_names_are_enough() {
        let (tax, test) = ("gson/src/main/java/org/Tax.java", "gson/src/test/java/org/TaxTest.java");
        check(&[(test, "class TaxTest { Tax tax; }"), (tax, "class Tax {}")], &[tax]);
        check(&[(tax, "class Tax { TaxTest no; }"), (test, "class TaxTest {}")], &[]);
        check(&[("a/src/main/java/b/A.java", "class A { Tax tax; }"), (tax, "class Tax {}")], &[]);
        check(&[("A.java", "import org.Tax.RATE;"), (tax, "class Tax {}")], &[tax]);
        let module = ("go.mod", "module x.org/shop\n");
        check(
            &[
                ("a.go", "import \"x.org/shop/tax\"\nvar a = tax.Rate()"),
                module,
                ("tax/a.go", "func Rate() {}"),
                ("tax/b.go", "func Bill() {}"),
            ],
            &["tax/a.go"],
        );
        check(&[("a.go", "var a = Rate()"), module, ("b.go", "func Rate() {}"), ("tax/a.go", "")], &["b.go"]);
    }

    #[test]
    fn who_includes_a_header_rests_on_what_it_speaks_of() {
        let files = [
            ("main.c", "#include \"inc/tax.h\"\nint main(void) { return rate_of(1); }"),
            ("inc/tax.h", "int rate_of(int);"),
            ("src/tax.c", "int rate_of(int a) { return a; }"),
            ("src/bill.c", "int bill_of(int a) { return a; }"),
        ];
        check(&files, &["inc/tax.h", "src/tax.c"]);
    }
}
