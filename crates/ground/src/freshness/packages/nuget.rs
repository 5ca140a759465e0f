//! NuGet.

use regex::Regex;
use serde_json::Value;

use super::{Use, line_at};
use crate::freshness::Project;
use crate::freshness::project::line_of;

pub(super) fn uses(project: &Project, name: &str) -> Vec<Use> {
    let mut uses = Vec::new();
    for file in project.named("packages.lock.json") {
        uses.extend(lock(project, file, name));
    }
    let escaped = regex::escape(name);
    let reference = format!(
        r#"(?is)<Package(?:Reference|Version)\s+(?:Include|Update)="{escaped}"(?:\s+Version="([^"]*)"|[^>]*?\sVersion="([^"]*)"|[^>/]*>\s*<Version>([^<]*)</Version>)?"#
    );
    for name in ["*.csproj", "*.fsproj", "*.vbproj", "Directory.Packages.props", "Directory.Build.props"] {
        for file in project.named(name) {
            uses.extend(matches(project, file, &reference, false));
        }
    }
    let listed = format!(r#"(?i)<package\s+id="{escaped}"\s+version="([^"]*)""#);
    for file in project.named("packages.config") {
        uses.extend(matches(project, file, &listed, true));
    }
    // Central management names the version once; the project files only name the package.
    if uses.iter().any(|one| one.version.is_some()) {
        uses.retain(|one| one.version.is_some());
    }
    uses
}

fn lock(project: &Project, file: &str, name: &str) -> Vec<Use> {
    let Some(text) = project.text(file) else { return Vec::new() };
    let Ok(value) = serde_json::from_str::<Value>(&text) else { return Vec::new() };
    let frameworks =
        value.get("dependencies").and_then(Value::as_object).into_iter().flat_map(|all| all.values());
    let mut uses: Vec<Use> = Vec::new();
    for (key, package) in frameworks.filter_map(Value::as_object).flatten() {
        if key.eq_ignore_ascii_case(name) {
            let version = package.get("resolved").and_then(Value::as_str).map(str::to_owned);
            let line = line_of(&text, &format!("\"{key}\"")).unwrap_or(1);
            uses.push(Use { file: file.to_owned(), line, version, locked: true });
        }
    }
    uses.dedup();
    uses
}

fn matches(project: &Project, file: &str, pattern: &str, locked: bool) -> Vec<Use> {
    let Some(text) = project.text(file) else { return Vec::new() };
    let Ok(regex) = Regex::new(pattern) else { return Vec::new() };
    let made = |found: regex::Captures<'_>| {
        let version =
            (1..found.len()).find_map(|group| found.get(group)).map(|version| version.as_str().to_owned());
        let at = found.get(0).map_or(0, |whole| whole.start());
        Use { file: file.to_owned(), line: line_at(&text, at), version, locked }
    };
    regex.captures_iter(&text).map(made).collect()
}
