//! Imports that name modules: those of Python are made by folders, those of Rust are declared by files.
//!
//! A module may hand on what another defines. Whoever asks for that rests on both.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{Places, ReadText, Way, below, folder, folders_above, name, stem};
use crate::scan::asked::{DECLARED, brought, without_alias};
use crate::scan::words::{Term, name_of};

/// How often a name is followed from who hands it on to who defines it.
const HANDED_ON: usize = 4;

/// Where a path leads: a file, and what of the path is left for names in it.
type Led<'p> = (u32, Vec<&'p str>);

/// How a language leads from a file along a path.
trait Lead {
    /// Leads along a path that a file asks for.
    fn lead<'p>(&self, from: u32, path: &'p str) -> Option<Led<'p>>;
}

/// Follows everything that files of one way ask for.
fn follow(places: &Places<'_>, way: Way, lead: &dyn Lead, on: &mut [Vec<u32>]) {
    let mut defined: FxHashSet<(u32, Term)> = FxHashSet::default();
    for (at, file) in places.all(way) {
        defined.extend(file.outline.defined.iter().map(|one| (at, name_of(&one.name))));
    }
    let follower = Follower { places, lead, defined };
    for (from, file) in places.all(way) {
        for path in &file.outline.asked {
            if let Some((at, rest)) = lead.lead(from, without_alias(path)) {
                on[from as usize].push(at);
                on[from as usize].extend(follower.definer(at, &rest, HANDED_ON));
            }
        }
    }
}

struct Follower<'f> {
    places: &'f Places<'f>,
    lead: &'f dyn Lead,
    defined: FxHashSet<(u32, Term)>,
}

impl Follower<'_> {
    /// Finds the file that defines a name which another file has, by itself or from others.
    fn definer(&self, at: u32, names: &[&str], times: usize) -> Option<u32> {
        let name = *names.first()?;
        if self.defined.contains(&(at, name_of(name))) {
            return Some(at);
        }
        if times == 0 {
            return None;
        }
        let asked = &self.places.files[at as usize].outline.asked;
        let exact = asked.iter().filter(|path| brought(path) == name);
        let whole = asked.iter().filter(|path| brought(path) == "*");
        exact.chain(whole).find_map(|path| {
            let (next, rest) = self.lead.lead(at, without_alias(path))?;
            let wanted = match rest.as_slice() {
                // A module is handed on: the rest of the path goes on in it.
                [] => &names[1..],
                ["*", ..] => names,
                rest => rest,
            };
            (next != at).then(|| self.definer(next, wanted, times - 1)).flatten()
        })
    }
}

/// Follows the imports of Python.
pub(super) fn python(places: &Places<'_>, on: &mut [Vec<u32>]) {
    let mut tops: FxHashMap<&str, Vec<&str>> = FxHashMap::default();
    for (_, file) in places.all(Way::Python) {
        let package = folder(&file.path);
        if name(&file.path) == "__init__.py" && places.at(&below(folder(package), "__init__.py")).is_none() {
            tops.entry(name(package)).or_default().push(folder(package));
        }
    }
    follow(places, Way::Python, &Python { places, tops }, on);
}

struct Python<'f> {
    places: &'f Places<'f>,
    /// In which folders packages lie that lie in no other, by their names.
    tops: FxHashMap<&'f str, Vec<&'f str>>,
}

impl Python<'_> {
    /// Leads along a path from a folder.
    fn down<'p>(&self, root: &str, parts: &[&'p str]) -> Option<Led<'p>> {
        let mut folder = root.to_owned();
        let mut at = None;
        for (count, part) in parts.iter().enumerate() {
            let inner = below(&folder, part);
            if let Some(package) = self.places.at(&format!("{inner}/__init__.py")) {
                at = Some((package, count + 1));
            } else if let Some(module) =
                ["py", "pyi"].iter().find_map(|end| self.places.at(&format!("{inner}.{end}")))
            {
                return Some((module, parts[count + 1..].to_vec()));
            } else if !self.places.folders.contains(inner.as_str()) {
                break;
            }
            folder = inner;
        }
        at.map(|(at, count)| (at, parts[count..].to_vec()))
    }

    /// Lists the folders in which a package or module may lie that a file names in full.
    fn roots(&self, from: &str, first: &str) -> Vec<String> {
        // Modules beside a module of a package are not found by their bare name.
        let is_open = |folder: &&str| self.places.at(&below(folder, "__init__.py")).is_none();
        let mut roots: Vec<String> = folders_above(from)
            .filter(is_open)
            .flat_map(|above| [above.to_owned(), below(above, "src"), below(above, "lib")])
            .collect();
        // Elsewhere in the repository it is meant only if there is but one.
        if let Some([only]) = self.tops.get(first).map(Vec::as_slice) {
            roots.push((*only).to_owned());
        }
        roots
    }
}

impl Lead for Python<'_> {
    fn lead<'p>(&self, from: u32, path: &'p str) -> Option<Led<'p>> {
        let own = self.places.path(from);
        let bare = path.trim_start_matches('.');
        let parts: Vec<&str> = bare.split('.').filter(|part| !part.is_empty()).collect();
        let dots = path.len() - bare.len();
        if dots == 0 {
            let roots = self.roots(own, parts.first()?);
            return roots.iter().find_map(|root| self.down(root, &parts));
        }
        let package = folders_above(own).nth(dots - 1)?;
        self.down(package, &parts).or_else(|| Some((self.places.at(&below(package, "__init__.py"))?, parts)))
    }
}

/// Follows the imports of Rust.
pub(super) fn rust(places: &Places<'_>, text: ReadText<'_>, on: &mut [Vec<u32>]) {
    let mut rust = Rust {
        places,
        crates: FxHashMap::default(),
        parents: FxHashMap::default(),
        children: FxHashMap::default(),
    };
    for (at, file) in places.all(Way::Rust) {
        for child in file.outline.asked.iter().filter_map(|path| path.strip_prefix(DECLARED)) {
            if let Some(found) = rust.declared(&file.path, child) {
                rust.children.insert((at, child), found);
                // A module that a library and a program declare belongs to the library.
                let parent = rust.parents.entry(found).or_insert(at);
                if name(&file.path) == "lib.rs" {
                    *parent = at;
                }
            }
        }
    }
    if places.all(Way::Rust).next().is_none() {
        return;
    }
    for manifest in places.by_name.get("Cargo.toml").into_iter().flatten().map(|at| places.path(*at)) {
        if let Some((name, root)) = text(manifest).and_then(|text| library(&text)) {
            rust.crates.extend(places.at(&below(folder(manifest), &root)).map(|at| (name, at)));
        }
    }
    follow(places, Way::Rust, &rust, on);
}

/// Reads from a manifest what a library is called in code, and where it begins.
fn library(manifest: &str) -> Option<(String, String)> {
    let manifest: toml::Table = manifest.parse().ok()?;
    let word = |table: &str, key: &str| manifest.get(table)?.get(key)?.as_str().map(str::to_owned);
    let name = word("lib", "name").or_else(|| word("package", "name"))?;
    let root = word("lib", "path").unwrap_or_else(|| "src/lib.rs".to_owned());
    Some((name.replace('-', "_"), root))
}

struct Rust<'f> {
    places: &'f Places<'f>,
    /// Where libraries begin, by what code calls them.
    crates: FxHashMap<String, u32>,
    parents: FxHashMap<u32, u32>,
    children: FxHashMap<(u32, &'f str), u32>,
}

impl Rust<'_> {
    /// Finds the file of a module that another declares.
    fn declared(&self, parent: &str, child: &str) -> Option<u32> {
        let own = folder(parent);
        let is_top = matches!(name(parent), "mod.rs" | "lib.rs" | "main.rs");
        let inner = (!is_top).then(|| below(own, stem(parent)));
        // A program or test of one file has its modules beside it.
        inner.into_iter().chain([own.to_owned()]).find_map(|folder| {
            let file = below(&folder, child);
            self.places.at(&format!("{file}.rs")).or_else(|| self.places.at(&format!("{file}/mod.rs")))
        })
    }

    /// Finds the file where the crate of a file begins.
    fn root(&self, from: u32) -> u32 {
        let mut at = from;
        // Files that declare each other in a circle have no beginning.
        for _ in 0..64 {
            let Some(parent) = self.parents.get(&at) else { break };
            at = *parent;
        }
        at
    }
}

impl Lead for Rust<'_> {
    fn lead<'p>(&self, from: u32, path: &'p str) -> Option<Led<'p>> {
        let parts: Vec<&str> = path.split("::").map(str::trim).collect();
        let mut rest = parts.as_slice();
        let mut at = match *rest.first()? {
            "crate" => self.root(from),
            "self" | "mod" => from,
            "super" => *self.parents.get(&from)?,
            // Modules of the file go before crates; before 2018 paths began at the root.
            first if self.children.contains_key(&(from, first)) => self.children[&(from, first)],
            first => match self.crates.get(first) {
                Some(root) => *root,
                None => *self.children.get(&(self.root(from), first))?,
            },
        };
        rest = &rest[1..];
        while let Some(first) = rest.first() {
            at = match (*first, self.children.get(&(at, *first))) {
                ("super", _) => *self.parents.get(&at)?,
                (_, Some(child)) => *child,
                _ => break,
            };
            rest = &rest[1..];
        }
        Some((at, rest.to_vec()))
    }
}
