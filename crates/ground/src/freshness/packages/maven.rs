//! Maven and Gradle.

use regex::Regex;
use toml::Table;

use super::{Use, line_at};
use crate::freshness::Project;
use crate::freshness::project::line_of;

pub(super) fn uses(project: &Project, name: &str) -> Vec<Use> {
    let mut uses = Vec::new();
    for file in project.named("gradle.lockfile") {
        uses.extend(coordinates(project, file, name, true));
    }
    for file in project.named("pom.xml") {
        uses.extend(pom(project, file, name));
    }
    for file in ["build.gradle", "build.gradle.kts"].iter().flat_map(|build| project.named(build)) {
        uses.extend(coordinates(project, file, name, false));
    }
    for file in project.named("libs.versions.toml") {
        uses.extend(catalog(project, file, name));
    }
    uses
}

/// Splits `group:artifact`; the artifact alone is enough.
fn parts(name: &str) -> (Option<&str>, &str) {
    name.split_once(':').map_or((None, name), |(group, artifact)| (Some(group), artifact))
}

/// Finds `group:artifact:version` in build scripts and lock files.
fn coordinates(project: &Project, file: &str, name: &str, locked: bool) -> Vec<Use> {
    let Some(text) = project.text(file) else { return Vec::new() };
    let (group, artifact) = parts(name);
    let group = group.map_or_else(|| r"[\w.\-]+".to_owned(), regex::escape);
    let artifact = regex::escape(artifact);
    let Ok(regex) =
        Regex::new(&format!(r#"(?m)(?:^|["'(\s]){group}:{artifact}(?::([^"'=:@\s)]+))?["'=:@\s)]"#))
    else {
        return Vec::new();
    };
    let made = |found: regex::Captures<'_>| {
        let version =
            found.get(1).map(|version| version.as_str()).filter(|version| !version.starts_with('$'));
        let at = found.get(0).map_or(0, |whole| whole.start() + 1);
        Use { file: file.to_owned(), line: line_at(&text, at), version: version.map(str::to_owned), locked }
    };
    regex.captures_iter(&text).map(made).collect()
}

fn pom(project: &Project, file: &str, name: &str) -> Vec<Use> {
    let Some(text) = project.text(file) else { return Vec::new() };
    let (group, artifact) = parts(name);
    let Ok(blocks) = Regex::new(r"(?s)<(?:dependency|parent|plugin)>.*?</(?:dependency|parent|plugin)>")
    else {
        return Vec::new();
    };
    let mut uses = Vec::new();
    for block in blocks.find_iter(&text) {
        let tag = |tag: &str| inner(block.as_str(), tag);
        if tag("artifactId") != Some(artifact) || group.is_some_and(|group| tag("groupId") != Some(group)) {
            continue;
        }
        let version = tag("version").map(|version| {
            match version.strip_prefix("${").and_then(|v| v.strip_suffix('}')) {
                Some(property) => inner(&text, property).map(str::to_owned),
                None => Some(version.to_owned()),
            }
        });
        uses.push(Use {
            file: file.to_owned(),
            line: line_at(&text, block.start()),
            version: version.flatten(),
            locked: false,
        });
    }
    uses
}

fn inner<'t>(text: &'t str, tag: &str) -> Option<&'t str> {
    let open = format!("<{tag}>");
    let start = text.find(&open)? + open.len();
    let end = text[start..].find(&format!("</{tag}>"))?;
    Some(text[start..start + end].trim())
}

/// Gradle's version catalogue.
fn catalog(project: &Project, file: &str, name: &str) -> Vec<Use> {
    let Some(text) = project.text(file) else { return Vec::new() };
    let Ok(table) = text.parse::<Table>() else { return Vec::new() };
    let (group, artifact) = parts(name);
    let versions = table.get("versions");
    let mut uses = Vec::new();
    for (key, library) in table.get("libraries").and_then(toml::Value::as_table).into_iter().flatten() {
        let get = |key: &str| library.get(key).and_then(toml::Value::as_str);
        let short = library.as_str().map(|text| text.split(':').collect::<Vec<_>>());
        let module = get("module").and_then(|module| module.split_once(':'));
        let own_group =
            module.map(|(g, _)| g).or_else(|| get("group")).or_else(|| short.as_ref()?.first().copied());
        let own_name =
            module.map(|(_, a)| a).or_else(|| get("name")).or_else(|| short.as_ref()?.get(1).copied());
        if own_name != Some(artifact) || group.is_some_and(|group| own_group != Some(group)) {
            continue;
        }
        let reference = library.get("version").and_then(|v| v.get("ref")).and_then(toml::Value::as_str);
        let version = get("version")
            .or_else(|| versions?.get(reference?)?.as_str())
            .or_else(|| short.as_ref()?.get(2).copied());
        let line = line_of(&text, &format!("\n{key}")).map_or(1, |line| line + 1);
        uses.push(Use { file: file.to_owned(), line, version: version.map(str::to_owned), locked: false });
    }
    uses
}
