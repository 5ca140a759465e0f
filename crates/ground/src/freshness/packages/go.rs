//! Go modules. `go.mod` names the versions that are selected, so it counts as a lock file.

use super::Use;
use crate::freshness::Project;

pub(super) fn uses(project: &Project, name: &str) -> Vec<Use> {
    let mut uses = Vec::new();
    for file in project.named("go.mod") {
        let Some(text) = project.text(file) else { continue };
        let mut replaced = None;
        for (index, line) in text.lines().enumerate() {
            let line = line.split("//").next().unwrap_or_default().trim();
            let line = line.strip_prefix("require ").unwrap_or(line);
            let mut words = line.trim_start_matches("replace ").split_whitespace();
            let Some(module) = words.next().filter(|module| fits(module, name)) else { continue };
            let rest: Vec<&str> = words.collect();
            if let Some(arrow) = rest.iter().position(|word| *word == "=>") {
                replaced = rest.get(arrow + 2).map(|version| (*version).to_owned());
                continue;
            }
            let version =
                rest.first().filter(|version| version.starts_with('v') && module.contains(['/', '.']));
            if let Some(version) = version {
                let version = version.trim_end_matches("+incompatible").to_owned();
                uses.push(Use {
                    file: file.to_owned(),
                    line: index + 1,
                    version: Some(version),
                    locked: true,
                });
            }
        }
        if let (Some(version), Some(last)) = (replaced, uses.last_mut().filter(|last| last.file == file)) {
            last.version = Some(version);
        }
    }
    uses
}

/// A module may be named by its last part, a major version suffix aside.
fn fits(module: &str, name: &str) -> bool {
    let plain = |path: &str| match path.rsplit_once("/v") {
        Some((stem, major)) if major.bytes().all(|b| b.is_ascii_digit()) && !major.is_empty() => {
            stem.to_owned()
        }
        _ => path.to_owned(),
    };
    module == name
        || plain(module) == name
        || (!name.contains('/') && plain(module).rsplit('/').next() == Some(name))
}
