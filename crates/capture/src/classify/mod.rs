//! Whose words stand in the user's place: a person's, or something that only looks like it.
//!
//! Agents put much into the user's place that no person wrote: reminders, echoes of commands and
//! their output, notices, digests, skills. They wrap most of it in tags or begin it with set
//! words. What a person typed may stand between such pieces, so a text is taken apart.

mod marks;
mod pasted;

use lore_core::session::{Author, Channel};

use self::marks::{OPENINGS, TAGS, WRAPPERS};
use self::pasted::agents_words_from;

/// A piece of a text in the user's place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Writing<'a> {
    /// Who wrote it.
    pub author: Author,
    /// By which way it came in.
    pub channel: Channel,
    /// The words, without the tags around them.
    pub text: &'a str,
}

/// Takes a text in the user's place apart, in its order; empty pieces are left out.
pub fn classify(text: &str) -> Vec<Writing<'_>> {
    let mut pieces = Vec::new();
    take_apart(text, &mut pieces);
    pieces
}

fn take_apart<'a>(text: &'a str, pieces: &mut Vec<Writing<'a>>) {
    let mut rest = text;
    let mut at = 0;
    // Tags found open and never closed; looking for their end once is enough.
    let mut unclosed: Vec<&str> = Vec::new();
    while let Some(open) = rest[at..].find('<').map(|found| at + found) {
        at = open + 1;
        let Some(tag) = tag_at(&rest[open..]) else { continue };
        let known = TAGS.iter().find(|(name, ..)| *name == tag);
        let begins_line =
            rest[..open].trim_end_matches([' ', '\t']).ends_with('\n') || rest[..open].trim().is_empty();
        // Plain words are tags in many a language; a harness puts its own on a line of their own.
        let is_plain_word = !tag.contains(['-', '_']);
        let wraps = WRAPPERS.contains(&tag) && rest[..open].trim().is_empty();
        if (known.is_none() && !wraps) || (is_plain_word && !begins_line) || unclosed.contains(&tag) {
            continue;
        }
        let Some((inner, end)) = element(&rest[open..], tag) else {
            unclosed.push(tag);
            continue;
        };
        plain(&rest[..open], pieces);
        match known {
            Some((_, author, channel)) => add(inner, *author, *channel, pieces),
            None => take_apart(inner, pieces),
        }
        rest = &rest[open + end..];
        at = 0;
    }
    plain(rest, pieces);
}

/// Returns the name of the tag that opens at the start of a text.
fn tag_at(text: &str) -> Option<&str> {
    let after = text.strip_prefix('<')?;
    let length = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '-' && c != '_')?;
    let ends_well = matches!(after.as_bytes()[length], b'>' | b' ' | b'\n');
    (length > 0 && ends_well).then(|| &after[..length])
}

/// Splits `<tag …>inner</tag>` at the start of a text.
fn element<'a>(text: &'a str, tag: &str) -> Option<(&'a str, usize)> {
    let begin = text.find('>')? + 1;
    let close = format!("</{tag}>");
    let length = text[begin..].find(&close)?;
    Some((&text[begin..begin + length], begin + length + close.len()))
}

fn plain<'a>(text: &'a str, pieces: &mut Vec<Writing<'a>>) {
    let text = text.trim();
    if let Some((_, author, channel)) = OPENINGS.iter().find(|(opening, ..)| text.starts_with(opening)) {
        return add(text, *author, *channel, pieces);
    }
    if let Some((command, arguments)) = slash_command(text) {
        add(command, Author::System, Channel::CommandEcho, pieces);
        return add(arguments, Author::Person, Channel::CommandArguments, pieces);
    }
    let from = agents_words_from(text).unwrap_or(text.len());
    add(&text[..from], Author::Person, Channel::Prompt, pieces);
    add(&text[from..], Author::Person, Channel::PastedPlan, pieces);
}

/// Splits `/command arguments`; a path is not a command.
fn slash_command(text: &str) -> Option<(&str, &str)> {
    let word = text.split_whitespace().next()?;
    let name = word.strip_prefix('/')?;
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | ':'));
    is_name.then(|| text.split_at(word.len()))
}

fn add<'a>(text: &'a str, author: Author, channel: Channel, pieces: &mut Vec<Writing<'a>>) {
    let text = text.trim();
    if !text.is_empty() {
        pieces.push(Writing { author, channel, text });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[(Author, Channel, &str)]) {
        let found: Vec<_> = classify(text).into_iter().map(|w| (w.author, w.channel, w.text)).collect();
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn what_is_not_a_person_is_not_called_one() {
        use Author::{Person, System, Tool};
        use Channel::{CommandArguments, CommandEcho, Injected, Notice, Prompt, Summary};
        check("  ", &[]);
        check("move the pier", &[(Person, Prompt, "move the pier")]);
        check(
            "<system-reminder>be brief</system-reminder>\nmove the pier <system-reminder>x</system-reminder>",
            &[(System, Injected, "be brief"), (Person, Prompt, "move the pier"), (System, Injected, "x")],
        );
        check(
            "<command-name>/fix</command-name><command-args>the pier</command-args>",
            &[(System, CommandEcho, "/fix"), (Person, CommandArguments, "the pier")],
        );
        check("<bash-stdout>ok</bash-stdout><bash-stderr></bash-stderr>", &[(Tool, CommandEcho, "ok")]);
        check("[Request interrupted by user]", &[(System, Notice, "[Request interrupted by user]")]);
        let digest = "This session is being continued from a previous conversation that ran out of context.";
        check(digest, &[(System, Summary, digest)]);
        check(
            "/review the pier",
            &[(System, CommandEcho, "/review"), (Person, CommandArguments, "the pier")],
        );
        check("/help", &[(System, CommandEcho, "/help")]);
    }

    #[test]
    fn what_is_a_person_stays_one() {
        use Author::Person;
        use Channel::Prompt;
        for text in [
            "/home/ada/ferry is the folder",
            "use <Context> here, and close it with </Context>",
            "why is <context>x</context> in the template?",
            "a < b and <div> is never closed",
            "<system-reminder> stands in my log, never closed",
            "/ alone",
        ] {
            check(text, &[(Person, Prompt, text)]);
        }
        check("<user_query>\nmove the pier\n</user_query>", &[(Person, Prompt, "move the pier")]);
    }

    #[test]
    fn many_open_tags_cost_no_time() {
        let text = "<context>\n<div>".repeat(20_000);
        assert_eq!(classify(&text).len(), 1);
    }
}
