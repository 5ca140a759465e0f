//! What ended a trouble: another command, one that was run first, or what somebody says made it work.

use std::sync::LazyLock;

use lore_core::session::{Author, Channel, Outcome, ToolCall, Turn};
use regex::Regex;

use super::cut;
use super::work::{command_head, is_probe, without_options};

/// It is looked for among so many calls and so many turns that follow.
const CALLS: usize = 8;
const TURNS: usize = 20;
/// So much of a command is told.
pub(super) const TOLD: usize = 80;

/// Says in words what made it work, or has to be run before.
static SAYS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)\bafter (?:running )?`(?P<after>[^`]{3,60})`[^.!?]*\b(?:pass(?:es|ed)?|works?|worked|succeeds?|succeeded|green|fixed)\b|",
        r"`(?P<first>[^`]{3,60})` first\b|",
        r"\b(?:needs? to|needed to|had to|has to|must) (?:first )?run `(?P<run>[^`]{3,60})`"
    ))
    .expect("the pattern is a constant")
});
/// Looks like something that is typed into a shell.
static COMMAND: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:\./)?[a-z][\w.-]*(?: [\w./:=@-]+)+$").expect("the pattern is a constant")
});

/// Tells what helped: another way to say the same, or what was run before the same worked.
pub(super) fn by_calls<'c>(head: &str, after: impl Iterator<Item = &'c ToolCall>) -> Option<String> {
    let mut between: Option<String> = None;
    for call in after.take(CALLS) {
        let Some(command) = call.command.as_deref().filter(|_| call.outcome == Outcome::Done) else {
            continue;
        };
        let worked = cut(&command_head(command), TOLD);
        // Who asks for help was not helped yet.
        if asks_for_help(command) {
            continue;
        }
        if worked == head {
            return between.map(|first| run_first(&first));
        }
        // What was run before may be all that was missing, where only options differ.
        if let Some(first) = between.as_deref().filter(|_| without_options(&worked) == without_options(head))
        {
            return Some(run_first(first));
        }
        if is_other_way(head, &worked) {
            return Some(match between {
                Some(first) => format!("Run `{first}` first, then `{worked}` instead of `{head}`."),
                None => format!("Run `{worked}` instead of `{head}`."),
            });
        }
        if !is_probe(command) {
            between = Some(worked);
        }
    }
    None
}

/// Tells what helped by what is said after it, by the agent or by the person.
pub(super) fn by_words<'t>(head: &str, after: impl Iterator<Item = &'t Turn>) -> Option<String> {
    let is_said = |turn: &&Turn| {
        matches!(
            (turn.author, turn.channel),
            (Author::Agent, Channel::Reply) | (Author::Person, Channel::Prompt)
        )
    };
    after.take(TURNS).filter(is_said).flat_map(|turn| &turn.blocks).find_map(|block| {
        let found = SAYS.captures(&block.text)?;
        let what = ["after", "first", "run"].into_iter().find_map(|name| found.name(name))?.as_str();
        (COMMAND.is_match(what) && what != head).then(|| run_first(what))
    })
}

/// Tells whether a command asks what it can do; `-h` with a word behind it names a host.
fn asks_for_help(command: &str) -> bool {
    let mut words = command.split_whitespace().peekable();
    while let Some(word) = words.next() {
        let ends = words.peek().is_none_or(|next| next.starts_with(['|', '>', '&', ';', '2', '#']));
        if matches!(word, "--help" | "help") || word == "-h" && ends {
            return true;
        }
    }
    false
}

fn run_first(command: &str) -> String {
    format!("Run `{command}` first.")
}

/// Tells whether two commands say the same in other words: most of the shorter one stands in the other.
fn is_other_way(one: &str, other: &str) -> bool {
    let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let (one, other) = (words(one), words(other));
    let shared = one.iter().filter(|word| other.contains(word)).count();
    shared >= 2 && shared * 3 >= one.len().min(other.len()) * 2
}
