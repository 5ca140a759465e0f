//! The reference of all commands as one Markdown page, from the definitions that their help is made of.

use clap::{Arg, Command};

/// The heading under which options stand that every command takes.
const EVERYWHERE: &str = "Everywhere";

/// Writes the page.
pub(super) fn page(whole: &Command) -> String {
    let mut page = String::from(
        "# Commands\n\nMade by `lore man --markdown` from the definitions of the commands; a test compares them. \
         `lore help COMMAND` prints the same, `lore man COMMAND` as a manual page.\n",
    );
    page.push_str("\nEvery command takes:\n\n");
    let everywhere = whole.get_arguments().filter(|one| one.get_help_heading() == Some(EVERYWHERE));
    table(&mut page, "option", everywhere.collect());
    page.push_str("\n| command | what it does |\n|---|---|\n");
    for command in shown(whole) {
        let name = command.get_name();
        page.push_str(&format!("| [`lore {name}`](#lore-{name}) | {} |\n", about(command)));
    }
    for command in shown(whole) {
        section(&mut page, command, "lore", 2);
    }
    page
}

fn section(page: &mut String, command: &Command, before: &str, level: usize) {
    let name = format!("{before} {}", command.get_name());
    page.push_str(&format!("\n{} {name}\n\n{}.\n", "#".repeat(level), about(command)));
    let also: Vec<String> = command.get_visible_aliases().map(|alias| format!("`{alias}`")).collect();
    if !also.is_empty() {
        page.push_str(&format!("Also {}.\n", also.join(", ")));
    }
    let usage = command.clone().render_usage().to_string();
    let usage: Vec<&str> = usage.trim_start_matches("Usage:").lines().map(str::trim).collect();
    page.push_str(&format!("\n```\n{}\n```\n", usage.join("\n")));
    let own = |one: &&Arg| !one.is_hide_set() && one.get_help_heading() != Some(EVERYWHERE) && !is_help(one);
    let arguments: Vec<&Arg> = command.get_positionals().filter(own).collect();
    let options: Vec<&Arg> = command.get_arguments().filter(|one| !one.is_positional()).filter(own).collect();
    for (what, list) in [("argument", arguments), ("option", options)] {
        if !list.is_empty() {
            page.push('\n');
            table(page, what, list);
        }
    }
    if let Some(after) = command.get_after_help() {
        page.push_str(&format!("\n```\n{}\n```\n", after.to_string().trim_end()));
    }
    for inner in shown(command) {
        section(page, inner, &name, level + 1);
    }
}

fn table(page: &mut String, what: &str, list: Vec<&Arg>) {
    page.push_str(&format!("| {what} | |\n|---|---|\n"));
    for one in list {
        page.push_str(&format!("| `{}` | {} |\n", called(one), told(one)));
    }
}

/// Says how an argument is typed.
fn called(one: &Arg) -> String {
    let values: Vec<String> =
        one.get_value_names().into_iter().flatten().map(|name| format!("<{name}>")).collect();
    let takes = one.get_action().takes_values();
    let value = if takes { format!(" {}", values.join(" ")) } else { String::new() };
    let short = one.get_short().map(|short| format!("-{short}"));
    let long = one.get_long().map(|long| format!("--{long}"));
    match (short, long) {
        (Some(short), Some(long)) => format!("{short}, {long}{value}"),
        (Some(only), None) | (None, Some(only)) => format!("{only}{value}"),
        (None, None) => values.join(" "),
    }
}

/// Says what it does, what it takes, and what holds where it is not given.
fn told(one: &Arg) -> String {
    let mut told = one.get_help().map(ToString::to_string).unwrap_or_default();
    let words: Vec<String> = one
        .get_possible_values()
        .iter()
        .filter(|_| one.get_action().takes_values())
        .map(|word| format!("`{}`", word.get_name()))
        .collect();
    if !words.is_empty() {
        told.push_str(&format!("; one of {}", words.join(", ")));
    }
    let defaults: Vec<String> =
        one.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect();
    if !defaults.concat().is_empty() && one.get_action().takes_values() {
        told.push_str(&format!("; `{}` where it is not given", defaults.join(" ")));
    }
    told.replace('|', "\\|").replace('\n', " ")
}

fn about(command: &Command) -> String {
    command.get_about().map(ToString::to_string).unwrap_or_default()
}

fn shown(command: &Command) -> impl Iterator<Item = &Command> {
    command.get_subcommands().filter(|one| !one.is_hide_set() && one.get_name() != "help")
}

fn is_help(one: &Arg) -> bool {
    matches!(one.get_id().as_str(), "help" | "version")
}
