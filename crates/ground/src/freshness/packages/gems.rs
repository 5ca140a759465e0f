//! Bundler and gem specifications.

use regex::Regex;

use super::{Use, line_at};
use crate::freshness::Project;

pub(super) fn uses(project: &Project, name: &str) -> Vec<Use> {
    let mut uses = Vec::new();
    let escaped = regex::escape(name);
    for file in project.named("Gemfile.lock") {
        uses.extend(matches(project, file, &format!(r"(?m)^    {escaped} \(([^)\s]+)\)"), true));
    }
    for file in project.named("Gemfile") {
        let pattern = format!(r#"(?m)^\s*gem\s+["']{escaped}["']((?:\s*,\s*["'][^"']+["'])*)"#);
        uses.extend(matches(project, file, &pattern, false));
    }
    for file in project.named("*.gemspec") {
        let pattern = format!(
            r#"(?m)add_(?:runtime_|development_)?dependency\s*\(?\s*["']{escaped}["']((?:\s*,\s*["'][^"']+["'])*)"#
        );
        uses.extend(matches(project, file, &pattern, false));
    }
    uses
}

fn matches(project: &Project, file: &str, pattern: &str, locked: bool) -> Vec<Use> {
    let Some(text) = project.text(file) else { return Vec::new() };
    let Ok(regex) = Regex::new(pattern) else { return Vec::new() };
    let made = |found: regex::Captures<'_>| {
        let version = found.get(1).map_or("", |version| version.as_str());
        // A platform follows the version, as in `1.15.4-x86_64-linux`.
        let version = if locked {
            version.split('-').next().unwrap_or(version).to_owned()
        } else {
            version.replace(['"', '\''], "")
        };
        let version = version.trim_matches([',', ' ']).to_owned();
        let at = found.get(0).map_or(0, |whole| whole.end());
        Use {
            file: file.to_owned(),
            line: line_at(&text, at),
            version: (!version.is_empty()).then_some(version),
            locked,
        }
    };
    regex.captures_iter(&text).map(made).collect()
}
