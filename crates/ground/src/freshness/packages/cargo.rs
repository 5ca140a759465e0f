//! Cargo.

use toml::{Table, Value};

use super::Use;
use crate::freshness::Project;
use crate::freshness::project::line_of;

pub(super) fn uses(project: &Project, name: &str) -> Vec<Use> {
    let mut uses = Vec::new();
    for file in project.named("Cargo.lock") {
        uses.extend(toml_lock(project, file, &|found| same(found, name)));
    }
    for file in project.named("Cargo.toml") {
        uses.extend(manifest(project, file, name));
    }
    uses
}

/// Reads `[[package]]` tables with `name` and `version`, as several lock files have them.
pub(super) fn toml_lock(project: &Project, file: &str, wanted: &dyn Fn(&str) -> bool) -> Vec<Use> {
    let Some(text) = project.text(file) else { return Vec::new() };
    let mut uses = Vec::new();
    let mut name: Option<(String, usize)> = None;
    for (index, line) in text.lines().enumerate() {
        if line.starts_with("[[package]]") {
            name = None;
        } else if let Some(value) = quoted(line, "name") {
            name = Some((value.to_owned(), index + 1));
        } else if let (Some(version), Some((found, at))) = (quoted(line, "version"), &name)
            && wanted(found)
        {
            uses.push(Use {
                file: file.to_owned(),
                line: *at,
                version: Some(version.to_owned()),
                locked: true,
            });
            name = None;
        }
    }
    uses
}

fn quoted<'l>(line: &'l str, key: &str) -> Option<&'l str> {
    line.strip_prefix(key)?.trim_start().strip_prefix('=')?.trim().strip_prefix('"')?.strip_suffix('"')
}

fn manifest(project: &Project, file: &str, name: &str) -> Option<Use> {
    let text = project.text(file)?;
    let table: Table = text.parse().ok()?;
    let workspace = table.get("workspace").and_then(Value::as_table);
    let targets = table.get("target").and_then(Value::as_table);
    let tables = std::iter::once(&table)
        .chain(workspace)
        .chain(targets.into_iter().flat_map(|targets| targets.values().filter_map(Value::as_table)));
    for table in tables {
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let Some(dependencies) = table.get(section).and_then(Value::as_table) else { continue };
            for (key, value) in dependencies {
                let real = value.get("package").and_then(Value::as_str).unwrap_or(key);
                if same(real, name) {
                    let version =
                        value.as_str().or_else(|| value.get("version")?.as_str()).map(str::to_owned);
                    let line = line_of(&text, &format!("\n{key}")).map_or(1, |line| line + 1);
                    return Some(Use { file: file.to_owned(), line, version, locked: false });
                }
            }
        }
    }
    None
}

/// `-` and `_` are the same to Cargo.
fn same(a: &str, b: &str) -> bool {
    a.replace('_', "-") == b.replace('_', "-")
}
