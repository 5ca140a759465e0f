//! The reference of all settings and variables, made from the defaults and their comments.

use std::fmt::Write as _;

use super::Config;
use super::rights::right_of;
use crate::env::all_variables;

const HEAD: &str = "\
# Settings and variables

Made by `lore config reference`; do not edit.

Settings stand in TOML files. A later file overrides an earlier one: the defaults, yours
(`~/.config/lore/config.toml`), the project's (`knowledge/.lore/config.toml`, tracked), this
checkout's (`config.toml` in the state of the base: `.git/lore/knowledge/`, without git `.lore/`).
`lore config set KEY VALUE` writes them.

Yours is believed. A file that lies in a repository arrived with it, so it can make Lorekeep say less, never
start, write, send or read more: what it may set is said in the last column, and a value beyond that is
ignored. `lore config list` shows what was ignored and why. `lore config allow` lets the settings of this
repository count as they stand now (all but what is yours alone); it is remembered in your own data folder by
the text of the file, so that any change asks again. `lore config disallow` takes it back. Only a person can
allow: in a coding agent's shell it is refused. A value in a repository's file that cannot be used at all is
ignored too; in your own file it is an error.

What says what is to be left out (`topics.exclude`, `sessions.exclude`, `sessions.ignore_agents`,
`redact.patterns`, `curate.private`) is never ignored in silence. Where a repository's value of these cannot be
used, or its file cannot be read at all (marks of a merge, no valid TOML), nothing is written, no session is read
and hooks are silent until somebody mends it; `lore doctor`, `lore check` and every command say so. What is
written already can be read.
";

/// Writes the page.
pub fn reference() -> String {
    let mut page = HEAD.to_owned();
    let mut section = String::new();
    for setting in Config::defaults().list() {
        let (of, name) = setting.key.split_once('.').unwrap_or(("", &setting.key));
        if of != section {
            of.clone_into(&mut section);
            let _ = write!(
                page,
                "\n## {of}\n\n| setting | default | what it does | who may set it |\n|---|---|---|---|\n"
            );
        }
        let about = setting.about.replace('|', "\\|");
        let who = right_of(&setting.key).sentence();
        let _ = writeln!(page, "| `{of}.{name}` | `{}` | {about} | {who} |", setting.value);
    }
    page.push_str("\n## Variables\n\n| variable | what it does |\n|---|---|\n");
    for variable in all_variables() {
        let _ = writeln!(page, "| `{}` | {} |", variable.name, variable.about);
    }
    page
}
