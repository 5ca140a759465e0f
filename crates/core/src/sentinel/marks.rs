//! Marks that a reader of ours could take for somebody else's word: our own fence, what harnesses put
//! around their notices, and the openings of turns.

use std::ops::Range;

use super::fold::{Seen, fold};

/// The name in our own marks.
pub(super) const NAME: &str = "lorekeep-context";

/// Names that harnesses give to what they say themselves. In angle brackets, at the beginning or at
/// the end of an element, they are never a program's or a page's own.
const HARNESS: &[&str] = &[
    "system-reminder",
    "system_reminder",
    "system-prompt",
    "system_prompt",
    "system-message",
    "user-prompt-submit-hook",
    "session-start-hook",
    "hook_prompt",
    "function_calls",
    "function_results",
    "function_call",
    "function_result",
    "tool_result",
    "tool_results",
    "tool_use",
    "tool_use_error",
    "tool_call",
    "tool_response",
    "local-command-stdout",
    "local-command-stderr",
    "local-command-caveat",
    "command-name",
    "command-message",
    "command-args",
    "bash-stdout",
    "bash-stderr",
    "bash-input",
    "task-notification",
    "environment_context",
    "environment_details",
    "user_instructions",
    "user_message",
    "explicit_instructions",
    "turn_aborted",
    "developer_instructions",
    "permissions_instructions",
    "state_snapshot",
    "antml:function_calls",
    "antml:invoke",
    "antml:parameter",
    "antml:thinking",
    "antml:thinking_mode",
];

/// Names that are a role or a part of a call; as a type's argument they are somebody's code, so they
/// count only where nothing that could be a name stands before the bracket.
const ROLES: &[&str] =
    &["system", "assistant", "human", "user", "invoke", "parameter", "thinking", "developer", "instructions"];

/// Words that open a turn at the beginning of a line.
const TURNS: &[&str] = &["human", "assistant"];

/// What stands in the place of our own mark.
const OURS: &str = "[lorekeep mark]";
/// So far behind the bracket a name may begin: slashes, spaces, signs of a template.
const FILLING: usize = 64;

/// One place to change, and what to.
type Change = (Range<usize>, String);

/// Breaks every mark in a text; nothing where there is none.
pub(super) fn broken(text: &str) -> Option<String> {
    let mut current: Option<String> = None;
    // Each round puts in only signs that fold to themselves and are no bracket, so the rounds end.
    loop {
        let now = current.as_deref().unwrap_or(text);
        let changes = changes(now, &fold(now));
        if changes.is_empty() {
            return current;
        }
        let mut out = String::with_capacity(now.len());
        let mut done = 0;
        for (place, instead) in changes {
            if place.start < done {
                continue;
            }
            out.push_str(&now[done..place.start]);
            out.push_str(&instead);
            done = place.end;
        }
        out.push_str(&now[done..]);
        current = Some(out);
    }
}

fn changes(text: &str, seen: &[Seen]) -> Vec<Change> {
    let mut out = Vec::new();
    for at in 0..seen.len() {
        match seen[at].0 {
            '<' => out.extend(tag(text, seen, at)),
            // A turn begins at the beginning of a line, whatever quotes or spaces stand before it.
            'h' | 'a' if begins_line(seen, at) => out.extend(turn(text, seen, at)),
            '[' => out.extend(instruction(seen, at)),
            _ => {}
        }
    }
    out
}

/// Looks whether an element begins or ends here whose name means something to a reader.
fn tag(text: &str, seen: &[Seen], at: usize) -> Option<Change> {
    let mut from = at + 1;
    let end = seen.len().min(at + FILLING);
    let mut closes = false;
    while from < end
        && matches!(
            seen[from].0,
            ' ' | '\n' | '/' | '\\' | '<' | '!' | '?' | '|' | '-' | '_' | '.' | '"' | '\''
        )
    {
        closes |= seen[from].0 == '/';
        // The next bracket is looked at by itself.
        if seen[from].0 == '<' {
            return None;
        }
        from += 1;
    }
    let start = seen[at].1.start;
    // `<|…|>` are the marks of the models themselves.
    if seen.get(at + 1).is_some_and(|(c, _)| *c == '|')
        && seen[from.min(seen.len())..].first().is_some_and(|(c, _)| c.is_ascii_alphabetic())
    {
        return Some((start..seen[at].1.end, "[".to_owned()));
    }
    if let Some(behind) = name_at(seen, from, NAME, Fit::Loose) {
        let mut last = behind;
        while last < seen.len() && seen[last].0 == ' ' {
            last += 1;
        }
        let closed = seen.get(last).is_some_and(|(c, _)| *c == '>');
        let end = if closed { last } else { behind - 1 };
        return Some((start..seen[end].1.end, OURS.to_owned()));
    }
    let found = HARNESS.iter().find_map(|name| name_at(seen, from, name, Fit::Exact));
    let role = || {
        let before = text[..start].chars().next_back();
        let is_type = before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | ':' | '.'));
        if is_type && !closes {
            None
        } else {
            ROLES.iter().find_map(|name| name_at(seen, from, name, Fit::Exact))
        }
    };
    let behind = found.or_else(role)?;
    let inner = &text[seen[at].1.end..seen[behind - 1].1.end];
    match seen.get(behind).filter(|(c, _)| *c == '>') {
        Some((_, bracket)) => {
            let between = &text[seen[behind - 1].1.end..bracket.start];
            Some((start..bracket.end, format!("[{inner}{between}]")))
        }
        None => Some((start..seen[at].1.end, "[".to_owned())),
    }
}

/// How a name is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Fit {
    /// Letter by letter, as a whole.
    Exact,
    /// However its parts are joined, wherever it is broken, and whatever follows.
    Loose,
}

/// Returns the place behind a name that stands here.
fn name_at(seen: &[Seen], from: usize, name: &str, fit: Fit) -> Option<usize> {
    let is_joint = |c: char| matches!(c, '-' | '_' | ' ' | '\n');
    let mut at = from;
    for letter in name.chars() {
        if fit == Fit::Loose {
            if is_joint(letter) {
                continue;
            }
            while at < seen.len() && is_joint(seen[at].0) {
                at += 1;
            }
        }
        if seen.get(at)?.0 != letter {
            return None;
        }
        at += 1;
    }
    let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.');
    (fit == Fit::Loose || !seen.get(at).is_some_and(|(c, _)| goes_on(*c))).then_some(at)
}

fn begins_line(seen: &[Seen], at: usize) -> bool {
    let before = seen[..at].iter().rev().map(|(c, _)| *c);
    before.take(16).find(|c| *c != ' ').is_none_or(|c| c == '\n')
}

/// Looks whether a line opens a turn, such as `Human:`.
fn turn(text: &str, seen: &[Seen], at: usize) -> Option<Change> {
    let behind = TURNS.iter().find_map(|word| name_at_word(seen, at, word))?;
    let mut colon = behind;
    while colon < seen.len() && seen[colon].0 == ' ' {
        colon += 1;
    }
    if seen.get(colon)?.0 != ':' {
        return None;
    }
    let place = seen[at].1.start..seen[behind - 1].1.end;
    let word = &text[place.clone()];
    Some((place, format!("({word})")))
}

fn name_at_word(seen: &[Seen], at: usize, word: &str) -> Option<usize> {
    let mut letters = seen.get(at..)?.iter().map(|(c, _)| *c);
    word.chars().all(|letter| letters.next() == Some(letter)).then_some(at + word.len())
}

/// Looks for `[INST]` and its like.
fn instruction(seen: &[Seen], at: usize) -> Option<Change> {
    let rest: String = seen[at..].iter().take(8).map(|(c, _)| *c).collect();
    let is_mark = rest.starts_with("[inst]") || rest.starts_with("[/inst]");
    is_mark.then(|| (seen[at].1.clone(), "(".to_owned()))
}
