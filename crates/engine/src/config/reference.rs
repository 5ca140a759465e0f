//! The reference of all settings and variables, made from the defaults and their comments.

use std::fmt::Write as _;

use super::Config;
use crate::env::VARIABLES;

const HEAD: &str = "\
# Settings and variables

Made by `lore config reference`; do not edit.

Settings stand in TOML files. A later file overrides an earlier one: the defaults, yours
(`~/.config/lore/config.toml`), the project's (`knowledge/.lore/config.toml`, tracked), this
checkout's (`config.toml` in the state of the base: `.git/lore/knowledge/`, without git `.lore/`).
`lore config set KEY VALUE` writes them.
";

/// Writes the page.
pub fn reference() -> String {
    let mut page = HEAD.to_owned();
    let mut section = String::new();
    for setting in Config::defaults().list() {
        let (of, name) = setting.key.split_once('.').unwrap_or(("", &setting.key));
        if of != section {
            of.clone_into(&mut section);
            let _ = write!(page, "\n## {of}\n\n| setting | default | what it does |\n|---|---|---|\n");
        }
        let about = setting.about.replace('|', "\\|");
        let _ = writeln!(page, "| `{of}.{name}` | `{}` | {about} |", setting.value);
    }
    page.push_str("\n## Variables\n\n| variable | what it does |\n|---|---|\n");
    for variable in VARIABLES {
        let _ = writeln!(page, "| `{}` | {} |", variable.name, variable.about);
    }
    page
}
