//! `lore complete`: what could stand at the cursor, for the scripts that `lore completions` prints.
//!
//! The scripts know commands and options; values that only the base knows are asked for here. Whatever
//! goes wrong, nothing is offered and nobody is told: a shell in the middle of a line is no place for errors.

use clap::CommandFactory as _;
use lore_engine::Engine;
use lore_engine::completion::{Suggested, Values};

use super::{Global, Outcome};
use crate::error::Code;
use crate::ui::Ui;

#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Which of the words the cursor is in, from 0
    #[arg(long)]
    at: usize,
    /// The words of the line, the program first
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

/// Most values that are offered.
const MOST: usize = 200;

pub(super) fn run(ui: &Ui, global: &Global, args: &Args) -> Outcome {
    let before = args.words.get(1..args.at.min(args.words.len())).unwrap_or_default();
    let begun = args.words.get(args.at).map_or("", String::as_str);
    let Some(values) = wanted(before, begun) else { return Ok(Code::Done) };
    let given = place_of(before);
    let world = Global { directory: given.or_else(|| global.directory.clone()), ..global.clone() };
    let personal = before.iter().any(|word| word == "--personal");
    let opened = Global { personal, ..world }.open();
    let found = opened
        .map(|engine: Engine| engine.suggested(values, begun))
        .unwrap_or_else(|_| Engine::suggested_without_base(values, begun));
    for Suggested { value, about } in found.into_iter().take(MOST) {
        let about: String = about.chars().filter(|c| !c.is_control()).take(70).collect();
        ui.line(format!("{value}\t{about}"));
    }
    Ok(Code::Done)
}

/// Says where `-C` leads, if it was given.
fn place_of(before: &[String]) -> Option<std::path::PathBuf> {
    let at = before.iter().position(|word| word == "-C")?;
    before.get(at + 1).map(std::path::PathBuf::from)
}

/// Finds out which values are wanted at the cursor.
fn wanted(before: &[String], begun: &str) -> Option<Values> {
    let mut whole = super::Args::command();
    whole.build();
    let mut command = &whole;
    let mut path: Vec<String> = Vec::new();
    let mut taken = 0_usize;
    let mut words = before.iter();
    let mut open_option = None;
    while let Some(word) = words.next() {
        open_option = None;
        if let Some(name) = word.strip_prefix('-').filter(|name| !name.is_empty()) {
            let option = option_of(command, name);
            if option.is_some_and(takes_value) && !word.contains('=') {
                // Its value is the next word, or what stands at the cursor.
                match words.next() {
                    Some(_) => {}
                    None => open_option = option,
                }
            }
        } else if let Some(below) = command.find_subcommand(word).filter(|_| taken == 0) {
            path.push(below.get_name().to_owned());
            command = below;
        } else {
            taken += 1;
        }
    }
    if let Some(option) = open_option {
        return of_option(option.get_id().as_str());
    }
    if begun.starts_with('-') || path.is_empty() {
        return None;
    }
    let positional = command.get_positionals().nth(taken).or_else(|| {
        command
            .get_positionals()
            .last()
            .filter(|last| last.get_num_args().is_some_and(|n| n.max_values() > 1))
    })?;
    of_argument(&path.join(" "), positional.get_id().as_str())
}

/// Says which values an option takes.
pub(super) fn of_option(name: &str) -> Option<Values> {
    Some(match name {
        "kind" | "kinds" | "type" => Values::Kinds,
        "tag" | "tags" => Values::Tags,
        "domain" => Values::Domains,
        "agent" => Values::Agents,
        "session" => Values::Sessions,
        "supersedes" | "related" => Values::Entries,
        _ => return None,
    })
}

fn of_argument(command: &str, name: &str) -> Option<Values> {
    Some(match (command, name) {
        ("show" | "why" | "open" | "edit" | "verify" | "rm" | "related", _) => Values::Entries,
        (
            "review show" | "review keep" | "review reject" | "review merge" | "review supersede"
            | "review settle",
            _,
        ) => Values::Entries,
        ("undo", "run") => Values::Runs,
        ("install" | "uninstall", "agents") => Values::Agents,
        ("config get" | "config set" | "config unset", "key") => Values::Settings,
        ("sessions show" | "distill", _) => Values::Sessions,
        (
            "signal show" | "signal triage" | "signal block" | "signal remediate" | "signal verify"
            | "signal invalidate",
            _,
        ) => Values::Signals,
        _ if command.starts_with("spike ") && name == "name" => Values::Spikes,
        _ => return None,
    })
}

fn option_of<'a>(command: &'a clap::Command, name: &str) -> Option<&'a clap::Arg> {
    let name = name.split('=').next().unwrap_or(name);
    command.get_arguments().find(|option| match name.strip_prefix('-') {
        Some(long) => option.get_long() == Some(long),
        None => option.get_short().is_some_and(|short| name == short.to_string()),
    })
}

fn takes_value(option: &clap::Arg) -> bool {
    option.get_action().takes_values()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(line: &str) -> Option<Values> {
        let words: Vec<String> = line.split(' ').map(str::to_owned).collect();
        let (begun, before) = words.split_last().expect("a line has words");
        wanted(before, begun)
    }

    #[test]
    fn the_cursor_tells_what_is_wanted() {
        for (line, expected) in [
            ("show ", Some(Values::Entries)),
            ("show dec", Some(Values::Entries)),
            ("confirm dec", Some(Values::Entries)),
            ("rm --dry-run ", Some(Values::Entries)),
            ("verify one ", Some(Values::Entries)),
            ("sessions show ", Some(Values::Sessions)),
            ("query --type ", Some(Values::Kinds)),
            ("query words --tag ", Some(Values::Tags)),
            ("-C somewhere why ", Some(Values::Entries)),
            ("install ", Some(Values::Agents)),
            ("config get ", Some(Values::Settings)),
            ("config set curate.", Some(Values::Settings)),
            ("undo ", Some(Values::Runs)),
            ("spike run ", Some(Values::Spikes)),
            ("signal triage ", Some(Values::Signals)),
            ("query ", None),
            ("sh", None),
            ("show --js", None),
            ("new ", None),
        ] {
            assert_eq!(at(line), expected, "{line}");
        }
    }
}
