//! npm, yarn, pnpm and bun.

use regex::Regex;
use serde_json::Value;

use super::{Use, line_at};
use crate::freshness::Project;
use crate::freshness::project::line_of;
use crate::freshness::setting::without_comments;

pub(super) fn uses(project: &Project, name: &str) -> Vec<Use> {
    let mut uses = Vec::new();
    for file in ["package-lock.json", "npm-shrinkwrap.json"].iter().flat_map(|lock| project.named(lock)) {
        uses.extend(package_lock(project, file, name));
    }
    for file in project.named("yarn.lock") {
        uses.extend(yarn(project, file, name));
    }
    for file in project.named("pnpm-lock.yaml") {
        uses.extend(pnpm(project, file, name));
    }
    for file in project.named("bun.lock") {
        uses.extend(bun(project, file, name));
    }
    for file in project.named("package.json") {
        uses.extend(manifest(project, file, name));
    }
    uses
}

/// The copy at the top is the one the project itself imports.
fn package_lock(project: &Project, file: &str, name: &str) -> Option<Use> {
    let text = project.text(file)?;
    let value: Value = serde_json::from_str(&text).ok()?;
    let key = format!("node_modules/{name}");
    let packages = value.get("packages").and_then(|packages| packages.get(&key));
    let found = packages.or_else(|| value.get("dependencies")?.get(name))?;
    let version = found.get("version").and_then(Value::as_str).map(str::to_owned);
    let line =
        line_of(&text, &format!("\"{key}\"")).or_else(|| line_of(&text, &format!("\"{name}\""))).unwrap_or(1);
    Some(Use { file: file.to_owned(), line, version, locked: true })
}

fn yarn(project: &Project, file: &str, name: &str) -> Vec<Use> {
    let Some(text) = project.text(file) else { return Vec::new() };
    let name = regex::escape(name);
    let pattern = format!(r#"(?m)^"?{name}@[^\n]*:\n(?:[ \t]+[^\n]*\n)*?[ \t]+version:?[ \t]+"?([^"\s]+)"#);
    let Ok(regex) = Regex::new(&pattern) else { return Vec::new() };
    let made = |found: regex::Captures<'_>| Use {
        file: file.to_owned(),
        line: line_at(&text, found.get(0).map_or(0, |whole| whole.start())),
        version: Some(found[1].to_owned()),
        locked: true,
    };
    regex.captures_iter(&text).map(made).collect()
}

fn pnpm(project: &Project, file: &str, name: &str) -> Vec<Use> {
    let Some(text) = project.text(file) else { return Vec::new() };
    let name = regex::escape(name);
    // Lock file versions 5 to 9: `/name/1.2.3:`, `/name@1.2.3:`, `name@1.2.3:`, with peers in parentheses.
    let Ok(regex) = Regex::new(&format!(r"(?m)^  '?/?{name}[@/](\d[^:(_'\s]*)[^\n]*:")) else {
        return Vec::new();
    };
    let mut uses: Vec<Use> = regex
        .captures_iter(&text)
        .map(|found| Use {
            file: file.to_owned(),
            line: line_at(&text, found.get(0).map_or(0, |whole| whole.start())),
            version: Some(found[1].to_owned()),
            locked: true,
        })
        .collect();
    uses.dedup_by(|a, b| a.version == b.version);
    // Versions 6 and up list packages and snapshots; one mention each is enough.
    let mut seen = Vec::new();
    uses.retain(|one| {
        let known = seen.contains(&one.version);
        seen.push(one.version.clone());
        !known
    });
    uses
}

fn bun(project: &Project, file: &str, name: &str) -> Option<Use> {
    let text = project.text(file)?;
    let value: Value = serde_json::from_str(&without_comments(&text)).ok()?;
    let spec = value.get("packages")?.get(name)?.get(0)?.as_str()?;
    let version = spec.rsplit_once('@').map(|(_, version)| version.to_owned());
    let line = line_of(&text, &format!("\"{name}\": [")).unwrap_or(1);
    Some(Use { file: file.to_owned(), line, version, locked: true })
}

fn manifest(project: &Project, file: &str, name: &str) -> Option<Use> {
    let text = project.text(file)?;
    let value: Value = serde_json::from_str(&without_comments(&text)).ok()?;
    let sections = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
    let range = sections.iter().find_map(|section| value.get(section)?.get(name)?.as_str())?;
    let range = range.strip_prefix("workspace:").unwrap_or(range);
    let range =
        range.strip_prefix("npm:").and_then(|alias| alias.rsplit_once('@')).map_or(range, |(_, range)| range);
    let line = line_of(&text, &format!("\"{name}\"")).unwrap_or(1);
    Some(Use { file: file.to_owned(), line, version: Some(range.to_owned()), locked: false })
}
