//! Which files people and agents have written down rules and decisions in.

use std::path::{Path, PathBuf};

use crate::World;

/// A longer file is something else.
pub(super) const LONGEST: usize = 256 << 10;
/// So many are read.
const MOST: usize = 300;

/// Files in the project's own folder, and in folders below it.
const INSTRUCTIONS: [&str; 4] = ["AGENTS.md", "AGENTS.override.md", "CLAUDE.md", "GEMINI.md"];
/// Files that only the top has.
const AT_TOP: [&str; 8] = [
    ".claude/CLAUDE.md",
    "CLAUDE.local.md",
    ".github/copilot-instructions.md",
    ".cursorrules",
    ".windsurfrules",
    ".clinerules",
    ".goosehints",
    "CONVENTIONS.md",
];
/// Folders of rules, with how the files in them end.
const RULES: [(&str, &str); 6] = [
    (".cursor/rules", ".mdc"),
    (".cursor/rules", ".md"),
    (".claude/rules", ".md"),
    (".github/instructions", ".instructions.md"),
    (".windsurf/rules", ".md"),
    (".clinerules", ".md"),
];
/// Folders of decision records.
const RECORDS: [&str; 9] = [
    "docs/adr",
    "docs/adrs",
    "doc/adr",
    "docs/decisions",
    "docs/architecture/decisions",
    "doc/architecture/decisions",
    "architecture/decisions",
    "adr",
    "decisions",
];
/// Files of the user's own, below their home.
const OWN: [&str; 5] = [
    ".claude/CLAUDE.md",
    ".codex/AGENTS.md",
    ".gemini/GEMINI.md",
    ".config/opencode/AGENTS.md",
    ".pi/agent/AGENTS.md",
];
/// Folders that hold other people's files.
const FOREIGN: [&str; 5] = ["node_modules", "target", "vendor", "dist", "build"];

/// Lists the files that are there, each with what it is.
pub(super) fn files(world: &World, project: &Path) -> Vec<(PathBuf, &'static str)> {
    let mut found: Vec<(PathBuf, &'static str)> = Vec::new();
    let mut add = |path: PathBuf, about: &'static str| {
        // A link may lead to what is read anyway, or out of the project.
        let is_file = path.symlink_metadata().is_ok_and(|about| about.is_file());
        if is_file && found.len() < MOST && found.iter().all(|(known, _)| *known != path) {
            found.push((path, about));
        }
    };
    for folder in around(project) {
        INSTRUCTIONS.iter().for_each(|name| add(folder.join(name), "instructions"));
    }
    AT_TOP.iter().for_each(|name| add(project.join(name), "instructions"));
    for (folder, ending) in RULES {
        for path in listed(&project.join(folder), ending) {
            add(path, "rules");
        }
    }
    for folder in RECORDS {
        for path in listed(&project.join(folder), ".md") {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_lowercase();
            if !matches!(name.as_str(), "readme.md" | "index.md" | "template.md") {
                add(path, "decision record");
            }
        }
    }
    if let Some(home) = world.home() {
        OWN.iter().for_each(|name| add(home.join(name), "your instructions"));
        for path in listed(&memory(&home, world, project), ".md") {
            add(path, "memory of claude-code");
        }
    }
    found
}

/// Returns where Claude Code keeps what it noted about a project.
fn memory(home: &Path, world: &World, project: &Path) -> PathBuf {
    let folder =
        world.variable(crate::env::CLAUDE_CONFIG_DIR).map_or_else(|| home.join(".claude"), PathBuf::from);
    let slug: String = project
        .display()
        .to_string()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    folder.join("projects").join(slug).join("memory")
}

/// Lists a folder and those below it, two levels deep; that is where such files are kept.
fn around(project: &Path) -> Vec<PathBuf> {
    let mut folders = vec![project.to_owned()];
    let mut level = folders.clone();
    for _ in 0..2 {
        let mut next: Vec<PathBuf> = Vec::new();
        for folder in &level {
            let listing = std::fs::read_dir(folder).into_iter().flatten().flatten();
            let below = listing.filter(|item| item.file_type().is_ok_and(|kind| kind.is_dir()));
            next.extend(below.map(|item| item.path()).filter(|path| {
                let name = path.file_name().and_then(|name| name.to_str()).unwrap_or(".");
                !name.starts_with('.') && !FOREIGN.contains(&name)
            }));
        }
        next.sort();
        next.truncate(MOST);
        folders.extend(next.iter().cloned());
        level = next;
    }
    folders
}

fn listed(folder: &Path, ending: &str) -> Vec<PathBuf> {
    let listing = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|item| item.path());
    let fits = |path: &PathBuf| {
        path.file_name().and_then(|name| name.to_str()).is_some_and(|name| name.ends_with(ending))
    };
    let mut found: Vec<PathBuf> = listing.filter(fits).collect();
    found.sort();
    found
}
