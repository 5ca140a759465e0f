//! Imports that are paths: scripts, styles and shells name files, C includes headers.

use super::{Places, Way, below, by_names, ending, folder, folders_above, stem};
use crate::scan::graph::Graph;

/// Endings that an import leaves out, in the order in which they are tried.
const ENDINGS: &[&str] = &[
    "",
    ".ts",
    ".tsx",
    ".mts",
    ".cts",
    ".d.ts",
    ".js",
    ".jsx",
    ".mjs",
    ".cjs",
    ".vue",
    ".svelte",
    ".json",
    ".css",
    ".scss",
    "/index.ts",
    "/index.tsx",
    "/index.mts",
    "/index.d.ts",
    "/index.js",
    "/index.jsx",
    "/index.mjs",
    "/index.vue",
];

/// Follows the imports of scripts, styles and shells.
pub(super) fn scripts(places: &Places<'_>, on: &mut [Vec<u32>]) {
    for (from, file) in places.all(Way::Relative) {
        let found = file.outline.imports.iter().filter_map(|import| script(places, &file.path, import));
        on[from as usize].extend(found);
    }
}

/// Finds the file that an import of a script means.
fn script(places: &Places<'_>, from: &str, import: &str) -> Option<u32> {
    // What stands behind a question mark is for the bundler.
    let import = import.trim_matches(['"', '\'']).split('?').next().unwrap_or(import);
    if import.starts_with('.') {
        return with_ending(places, &joined(folder(from), import)?);
    }
    // Styles and shells name what lies beside them; for a script a bare name is a package.
    if !import.contains('/') {
        let is_bare = matches!(ending(from), "css" | "scss" | "sass" | "less" | "sh" | "bash");
        return is_bare.then(|| with_ending(places, &below(folder(from), import))).flatten();
    }
    // Packages are not files; a short name for a folder above is `@/`, `~/` or `#`.
    let short = ["@/", "~/", "#", "/"].iter().find_map(|mark| import.strip_prefix(mark)).unwrap_or(import);
    let first = short.split('/').next().filter(|first| !first.starts_with('@'))?;
    let is_file = !short.contains('/');
    folders_above(from).flat_map(|above| [above.to_owned(), below(above, "src")]).find_map(|above| {
        let may_be = is_file || places.folders.contains(below(&above, first).as_str());
        may_be.then(|| with_ending(places, &below(&above, short))).flatten()
    })
}

/// Finds a file whose ending may be left out, or be that of what it is built to.
fn with_ending(places: &Places<'_>, path: &str) -> Option<u32> {
    let built = [
        (".js", &[".ts", ".tsx", ".d.ts"][..]),
        (".jsx", &[".tsx"]),
        (".mjs", &[".mts"]),
        (".cjs", &[".cts"]),
    ];
    let as_written =
        ENDINGS.iter().find_map(|ending| places.at(format!("{path}{ending}").trim_start_matches('/')));
    as_written.or_else(|| {
        let (bare, sources) = built.iter().find_map(|(end, from)| Some((path.strip_suffix(end)?, from)))?;
        sources.iter().find_map(|ending| places.at(&format!("{bare}{ending}")))
    })
}

/// Puts a path with dots in it below a folder; nothing where it leads out.
pub(super) fn joined(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "." | "" => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Follows includes to headers, and through a header to the source that defines what is spoken of.
pub(super) fn headers(places: &Places<'_>, graph: &Graph, on: &mut [Vec<u32>]) {
    for (from, file) in places.all(Way::C) {
        let headers = file.outline.imports.iter().filter_map(|import| header(places, from, import));
        let headers: Vec<u32> = headers.collect();
        for header in &headers {
            let sources = ["c", "cc", "cpp", "cxx"].iter().filter_map(|ending| {
                let name = format!("{}.{ending}", stem(places.path(*header)));
                places.nearest(*header, places.by_name.get(name.as_str())?.iter().copied())
            });
            let sources: Vec<u32> = sources.filter(|source| *source != from).collect();
            // The header declares the same names, so it is not asked who else defines them.
            on[from as usize].extend(sources.iter().flat_map(|one| by_names(places, graph, from, &[*one])));
        }
        on[from as usize].extend(headers);
    }
}

/// Finds the header that an include means: beside the file, or by the end of its path.
fn header(places: &Places<'_>, from: u32, include: &str) -> Option<u32> {
    let include = include.trim_matches(['"', '<', '>', ' ']);
    let beside = joined(folder(places.path(from)), include).and_then(|path| places.at(&path));
    let end = include.trim_start_matches("../");
    let by_end = || {
        let named = places.by_name.get(super::name(end))?.iter().copied();
        let fits = |at: &u32| {
            let rest = places.path(*at).strip_suffix(end);
            rest.is_some_and(|rest| rest.is_empty() || rest.ends_with('/'))
        };
        places.nearest(from, named.filter(fits))
    };
    beside.or_else(by_end)
}
