//! Composer.

use serde_json::Value;

use super::Use;
use crate::freshness::Project;
use crate::freshness::project::line_of;

pub(super) fn uses(project: &Project, name: &str) -> Vec<Use> {
    let wanted = name.to_ascii_lowercase();
    let mut uses = Vec::new();
    for file in project.named("composer.lock") {
        uses.extend(lock(project, file, &wanted));
    }
    for file in project.named("composer.json") {
        uses.extend(manifest(project, file, &wanted));
    }
    uses
}

fn lock(project: &Project, file: &str, wanted: &str) -> Option<Use> {
    let text = project.text(file)?;
    let value: Value = serde_json::from_str(&text).ok()?;
    let packages = ["packages", "packages-dev"].iter().filter_map(|key| value.get(key)?.as_array()).flatten();
    for package in packages {
        let name = package.get("name").and_then(Value::as_str).unwrap_or_default();
        if name.eq_ignore_ascii_case(wanted) {
            let version = package.get("version").and_then(Value::as_str).map(str::to_owned);
            let line = line_of(&text, &format!("\"name\": \"{name}\"")).unwrap_or(1);
            return Some(Use { file: file.to_owned(), line, version, locked: true });
        }
    }
    None
}

fn manifest(project: &Project, file: &str, wanted: &str) -> Option<Use> {
    let text = project.text(file)?;
    let value: Value = serde_json::from_str(&text).ok()?;
    for section in ["require", "require-dev"] {
        let Some(packages) = value.get(section).and_then(Value::as_object) else { continue };
        let found = packages.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
        if let Some((name, range)) = found {
            let version = range.as_str().map(|range| range.split('@').next().unwrap_or(range).to_owned());
            let line = line_of(&text, &format!("\"{name}\"")).unwrap_or(1);
            return Some(Use { file: file.to_owned(), line, version, locked: false });
        }
    }
    None
}
