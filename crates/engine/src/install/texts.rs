//! What we write for agents to read, as files of their own beside this one.

/// The skills, each by its name.
pub(super) const SKILLS: &[(&str, &str)] = &[
    ("knowledge", include_str!("files/skills/knowledge.md")),
    ("curate", include_str!("files/skills/curate.md")),
    ("spike", include_str!("files/skills/spike.md")),
    ("reflect", include_str!("files/skills/reflect.md")),
    ("ground", include_str!("files/skills/ground.md")),
];

/// A subagent that finds out what is known.
pub(super) const RESEARCHER: &str = include_str!("files/researcher.md");
/// The plugin for OpenCode.
pub(super) const OPENCODE: &str = include_str!("files/opencode.js");
/// The extension for pi.
pub(super) const PI: &str = include_str!("files/pi.ts");
/// What a reader of the plugin's folder should know.
pub(super) const PLUGIN: &str = include_str!("files/plugin.md");
/// What stands in AGENTS.md.
pub(super) const BLOCK: &str = include_str!("files/block.md");

#[cfg(test)]
mod tests {
    use super::*;

    /// Every agent lists descriptions in every session, so they have to be short; some refuse long ones.
    #[test]
    fn skills_are_named_after_their_folders_and_short() {
        for (name, text) in SKILLS {
            let mut lines = text.lines();
            assert_eq!(lines.next(), Some("---"), "{name}");
            assert_eq!(lines.next(), Some(format!("name: {name}").as_str()));
            let about =
                lines.next().and_then(|line| line.strip_prefix("description: ")).expect("a description");
            assert!(about.len() < 300 && !about.contains(": "), "{name}: {about}");
            assert!(text.lines().count() < 30, "{name}");
        }
    }
}
