//! Python: uv, poetry, pdm, Pipenv and pip.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::Value;
use toml::Table;

use super::{Use, cargo};
use crate::freshness::Project;
use crate::freshness::project::line_of;

pub(super) fn uses(project: &Project, name: &str) -> Vec<Use> {
    let wanted = normal(name);
    let mut uses = Vec::new();
    for file in ["uv.lock", "poetry.lock", "pdm.lock"].iter().flat_map(|lock| project.named(lock)) {
        uses.extend(cargo::toml_lock(project, file, &|found| normal(found) == wanted));
    }
    for file in project.named("Pipfile.lock") {
        uses.extend(pipfile_lock(project, file, &wanted));
    }
    let listed = project.paths().iter().filter(|path| is_requirements(path));
    for file in listed {
        uses.extend(requirements(project, file, &wanted));
    }
    for file in project.named("pyproject.toml") {
        uses.extend(pyproject(project, file, &wanted));
    }
    for file in project.named("setup.cfg") {
        uses.extend(lines(project, file, &wanted));
    }
    for file in project.named("Pipfile") {
        uses.extend(tables(project, file, &wanted, &["packages", "dev-packages"]));
    }
    uses
}

/// PEP 503: runs of `-`, `_` and `.` are one `-`, and case does not count.
fn normal(name: &str) -> String {
    static RUNS: LazyLock<Regex> = LazyLock::new(|| Regex::new("[-_.]+").expect("the pattern is fixed"));
    RUNS.replace_all(&name.to_ascii_lowercase(), "-").into_owned()
}

fn is_requirements(path: &str) -> bool {
    let last = path.rsplit('/').next().unwrap_or(path);
    last.starts_with("requirements") && last.ends_with(".txt")
        || path.contains("requirements/") && last.ends_with(".txt")
}

fn pipfile_lock(project: &Project, file: &str, wanted: &str) -> Option<Use> {
    let text = project.text(file)?;
    let value: Value = serde_json::from_str(&text).ok()?;
    for section in ["default", "develop"] {
        let Some(packages) = value.get(section).and_then(Value::as_object) else { continue };
        if let Some((name, package)) = packages.iter().find(|(name, _)| normal(name) == wanted) {
            let version = package.get("version").and_then(Value::as_str);
            let version = version.map(|version| version.trim_start_matches('=').to_owned());
            let line = line_of(&text, &format!("\"{name}\"")).unwrap_or(1);
            return Some(Use { file: file.to_owned(), line, version, locked: true });
        }
    }
    None
}

fn requirements(project: &Project, file: &str, wanted: &str) -> Vec<Use> {
    let mut uses = lines(project, file, wanted);
    // A pin in a requirements file is what gets installed.
    for one in &mut uses {
        if let Some(exact) = one
            .version
            .as_deref()
            .and_then(|range| range.strip_prefix("=="))
            .filter(|v| !v.contains(['*', ',']))
        {
            one.version = Some(exact.trim().to_owned());
            one.locked = true;
        }
    }
    uses
}

fn lines(project: &Project, file: &str, wanted: &str) -> Vec<Use> {
    let Some(text) = project.text(file) else { return Vec::new() };
    let numbered = text.lines().enumerate();
    numbered
        .filter_map(|(index, line)| {
            let version = requirement(line.trim(), wanted)?;
            Some(Use { file: file.to_owned(), line: index + 1, version, locked: false })
        })
        .collect()
}

/// Reads `name[extra] >= 1.0 ; marker`; nothing where it is another package.
fn requirement(text: &str, wanted: &str) -> Option<Option<String>> {
    static FORM: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"^([A-Za-z0-9][\w.\-]*)\s*(?:\[[^\]]*\])?\s*\(?([^;#)]*)").expect("the pattern is fixed")
    });
    let found = FORM.captures(text)?;
    if normal(&found[1]) != wanted {
        return None;
    }
    let range = found[2].trim().trim_end_matches('\\').trim();
    Some((!range.is_empty() && !range.starts_with('@')).then(|| range.to_owned()))
}

fn pyproject(project: &Project, file: &str, wanted: &str) -> Vec<Use> {
    let Some(text) = project.text(file) else { return Vec::new() };
    let Ok(table) = text.parse::<Table>() else { return Vec::new() };
    let mut uses = Vec::new();
    let place = |spec: &str| line_of(&text, spec).unwrap_or(1);
    let project_table = table.get("project");
    let optional = project_table.and_then(|p| p.get("optional-dependencies")).and_then(toml::Value::as_table);
    let groups = table.get("dependency-groups").and_then(toml::Value::as_table);
    let listed = project_table
        .and_then(|p| p.get("dependencies"))
        .into_iter()
        .chain(optional.into_iter().flat_map(|t| t.values()))
        .chain(groups.into_iter().flat_map(|t| t.values()));
    for spec in listed.filter_map(toml::Value::as_array).flatten().filter_map(toml::Value::as_str) {
        if let Some(version) = requirement(spec, wanted) {
            uses.push(Use { file: file.to_owned(), line: place(spec), version, locked: false });
        }
    }
    if uses.is_empty() {
        uses = tables(
            project,
            file,
            wanted,
            &[
                "tool.poetry.dependencies",
                "tool.poetry.dev-dependencies",
                "tool.poetry.group.dev.dependencies",
            ],
        );
    }
    uses
}

fn tables(project: &Project, file: &str, wanted: &str, sections: &[&str]) -> Vec<Use> {
    let Some(text) = project.text(file) else { return Vec::new() };
    let Ok(table) = text.parse::<Table>() else { return Vec::new() };
    let whole = toml::Value::Table(table);
    let mut uses = Vec::new();
    for section in sections {
        let found = section.split('.').try_fold(&whole, |value, key| value.get(key));
        for (name, value) in found.and_then(toml::Value::as_table).into_iter().flatten() {
            if normal(name) == wanted {
                let version = value.as_str().or_else(|| value.get("version")?.as_str());
                let version = version.filter(|v| *v != "*").map(str::to_owned);
                let line = line_of(&text, &format!("\n{name}")).map_or(1, |line| line + 1);
                uses.push(Use { file: file.to_owned(), line, version, locked: false });
            }
        }
    }
    uses
}
