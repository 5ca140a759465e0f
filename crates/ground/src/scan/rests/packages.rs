//! Imports that name packages: within a package nothing is imported, so there names tie files.

use rustc_hash::FxHashMap;

use super::{Places, ReadText, Way, below, by_names, ending, folder, speaks_of_stem, stem};
use crate::scan::graph::Graph;

/// Follows the imports of Java and its kin, and names within a package.
pub(super) fn jvm(places: &Places<'_>, graph: &Graph, on: &mut [Vec<u32>]) {
    let mut by_stem: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
    let mut packages: FxHashMap<(&str, &str), Vec<u32>> = FxHashMap::default();
    let mut by_package: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
    for (at, file) in places.all(Way::Jvm) {
        by_stem.entry(stem(&file.path)).or_default().push(at);
        packages.entry(package(&file.path)).or_default().push(at);
        by_package.entry(package(&file.path).1).or_default().push(at);
    }
    for (from, file) in places.all(Way::Jvm) {
        let rests = &mut on[from as usize];
        for import in &file.outline.imports {
            let parts: Vec<&str> = import.split('.').collect();
            match imported_type(places, &by_stem, from, &parts) {
                Some(found) => rests.push(found),
                None => rests.extend(whole_package(places, &by_package, from, &parts)),
            }
        }
        let beside = &packages[&package(&file.path)];
        let named = beside.iter().copied().filter(|at| speaks_of_stem(places, from, *at));
        rests.extend(named.filter(|at| places.may_rest(from, *at)));
        // In Java everything stands in a type of its file's name; elsewhere functions may stand alone.
        if ending(&file.path) != "java" {
            rests.extend(by_names(places, graph, from, beside));
        }
    }
}

/// Finds the file of a type; what follows the type is a name within it.
fn imported_type(
    places: &Places<'_>,
    by_stem: &FxHashMap<&str, Vec<u32>>,
    from: u32,
    parts: &[&str],
) -> Option<u32> {
    (2..=parts.len()).rev().take(3).find_map(|end| {
        let above = parts[..end - 1].join("/");
        let fits = |at: &u32| {
            let rest = folder(places.path(*at)).strip_suffix(above.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        places.nearest(from, by_stem.get(parts[end - 1])?.iter().copied().filter(fits))
    })
}

/// Of a package that is imported whole, lists the files that are spoken of.
fn whole_package(
    places: &Places<'_>,
    by_package: &FxHashMap<&str, Vec<u32>>,
    from: u32,
    parts: &[&str],
) -> Vec<u32> {
    let meant = by_package.get(parts.join("/").as_str()).into_iter().flatten().copied();
    meant.filter(|at| speaks_of_stem(places, from, *at)).collect()
}

/// Takes a path apart: the part of the project it belongs to, and the package, which tests share.
fn package(path: &str) -> (&str, &str) {
    let folder = folder(path);
    for root in ["/java/", "/kotlin/", "/scala/", "/groovy/"] {
        if let Some((above, package)) = folder.split_once(root) {
            let module = above.rsplit_once("src/").map_or(above, |(module, _)| module);
            return (module, package);
        }
    }
    (folder, "")
}

/// Follows the imports of Go, and names within a folder.
pub(super) fn go(places: &Places<'_>, graph: &Graph, text: ReadText<'_>, on: &mut [Vec<u32>]) {
    let mut in_folder: FxHashMap<&str, Vec<u32>> = FxHashMap::default();
    for (at, file) in places.all(Way::Go) {
        in_folder.entry(folder(&file.path)).or_default().push(at);
    }
    if in_folder.is_empty() {
        return;
    }
    let modules = go_modules(places, text);
    for (from, file) in places.all(Way::Go) {
        let folders = file.outline.imports.iter().filter_map(|import| go_folder(&modules, import));
        for package in folders.chain([folder(&file.path).to_owned()]) {
            let Some(package) = in_folder.get(package.as_str()) else { continue };
            on[from as usize].extend(by_names(places, graph, from, package));
        }
    }
}

/// Reads what the modules of Go are called, and in which folders they lie; the longest name first.
fn go_modules(places: &Places<'_>, text: ReadText<'_>) -> Vec<(String, String)> {
    let manifests = places.by_name.get("go.mod").into_iter().flatten().map(|at| places.path(*at));
    let mut found: Vec<(String, String)> = manifests
        .filter_map(|path| {
            let text = text(path)?;
            let module = text.lines().find_map(|line| line.trim().strip_prefix("module "))?;
            Some((module.trim().trim_matches('"').to_owned(), folder(path).to_owned()))
        })
        .collect();
    found.sort_by_key(|(module, _)| std::cmp::Reverse(module.len()));
    found
}

/// Finds the folder of a package of Go.
fn go_folder(modules: &[(String, String)], import: &str) -> Option<String> {
    let import = import.trim_matches(['"', '`']);
    modules.iter().find_map(|(module, folder)| {
        let rest = import.strip_prefix(module.as_str())?;
        (rest.is_empty() || rest.starts_with('/')).then(|| below(folder, rest.trim_start_matches('/')))
    })
}
