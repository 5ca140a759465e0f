//! The lines that say who speaks from here on.

use jiff::{SignedDuration, Timestamp};
use serde_json::json;

use super::{FAR, Speaker};
use crate::json::time_of;

/// How far back a header may go: agents write several records at once, and some tell only minutes.
const BACK: SignedDuration = SignedDuration::from_secs(60);

/// A line such as `_**User (2026-08-01 08:00:00Z)**_` or `_**Agent (model 2026-08-01 08:00:00Z)**_`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Header<'t> {
    pub(super) speaker: Speaker,
    pub(super) sidechain: bool,
    pub(super) model: Option<&'t str>,
    pub(super) at: Option<Timestamp>,
}

/// The headers so far: the next one has to fit to them.
#[derive(Debug, Clone, Default)]
pub(super) struct Headers {
    any: bool,
    /// Whether headers stand below rules in this file.
    ruled: bool,
    /// Whether the person's headers tell the time in this file.
    timed: bool,
    main: Option<Timestamp>,
    side: Option<Timestamp>,
}

impl Headers {
    /// Looks how a file sets its headers.
    pub(super) fn of(lines: &[String]) -> Headers {
        let below = |at: &usize| parse(&lines[*at]).is_some() && above(lines, *at) == Some("---");
        Headers { ruled: (0..lines.len()).any(|at| below(&at)), ..Headers::default() }
    }

    /// Returns the header that stands at a line, if one does that can be believed.
    pub(super) fn at<'l>(&mut self, lines: &'l [String], at: usize) -> Option<Header<'l>> {
        let header = parse(&lines[at])?;
        let is_free = |line: Option<&String>| {
            line.is_none_or(|line| line.trim().is_empty() || line.trim_start().starts_with("<!--"))
        };
        let before = at.checked_sub(1).and_then(|before| lines.get(before));
        if !is_free(before) || !is_free(lines.get(at + 1)) || !self.fits(&header, lines, at) {
            return None;
        }
        self.timed |= header.speaker == Speaker::Person && header.at.is_some();
        self.any = true;
        let last = if header.sidechain { &mut self.side } else { &mut self.main };
        *last = header.at.or(*last);
        Some(header)
    }

    /// Returns where what a line fences ends, if it opens a fence. Agents put fences into fences, so
    /// that one may seem to end behind the next header: where the other side begins to speak below a
    /// rule, what looked like a fence was none.
    pub(super) fn fence_end(&self, lines: &[String], from: usize, speaker: Speaker) -> Option<usize> {
        let end = closed(lines, from)?;
        let speaks = |at: usize| {
            let header = parse(&lines[at]).and_then(|_| self.clone().at(lines, at));
            header.is_some_and(|header| header.at.is_some() || header.speaker != speaker)
                && above(lines, at) == Some("---")
        };
        (!(from + 1..end).any(speaks)).then_some(end)
    }

    fn fits(&self, header: &Header<'_>, lines: &[String], at: usize) -> bool {
        let last = if header.sidechain { self.side } else { self.main };
        match (header.at, last) {
            (Some(now), Some(last)) => now >= last - BACK,
            (Some(_), None) => true,
            // Where people's headers tell the time, one that does not is pasted.
            (None, _) if self.timed && header.speaker == Speaker::Person => false,
            // Without a time only the rule above it tells a header from a line that looks like one.
            (None, _) => !self.any || self.timed || !self.ruled || is_below_rule(lines, at),
        }
    }
}

fn is_below_rule(lines: &[String], at: usize) -> bool {
    above(lines, at)
        .is_none_or(|line| line == "---" || line.ends_with("</tool-use>") || line.starts_with('#'))
}

/// Returns the line above that is not empty.
fn above(lines: &[String], at: usize) -> Option<&str> {
    lines[..at].iter().rev().map(|line| line.trim()).find(|line| !line.is_empty())
}

/// Reads a header in exactly the form that they are written in.
fn parse(line: &str) -> Option<Header<'_>> {
    let inner = line.trim_end().strip_prefix("_**")?.strip_suffix("**_")?;
    let (who, rest) = match inner.strip_suffix(')').and_then(|inner| inner.split_once(" (")) {
        Some((who, rest)) => (who, rest),
        None => (inner, ""),
    };
    let (who, sidechain) = match who.strip_suffix(" - sidechain") {
        Some(who) => (who, true),
        None => (who, false),
    };
    let speaker = match who {
        "User" => Speaker::Person,
        "Agent" | "Assistant" => Speaker::Agent,
        _ => return None,
    };
    // The time is the last two words, the model whatever stands before them.
    let words: Vec<&str> = rest.split_whitespace().collect();
    let at = moment(&words[words.len().saturating_sub(2)..].join(" "));
    if speaker == Speaker::Person && at.is_none() && !rest.is_empty() {
        return None;
    }
    let named = rest.split_once("model ").map_or(rest, |(_, model)| model);
    let model = named.split([' ', ',']).next().filter(|word| !word.is_empty() && !word.starts_with("20"));
    Some(Header { speaker, sidechain, model, at })
}

/// Reads a time such as `2026-08-01 08:00Z`.
pub(super) fn moment(text: &str) -> Option<Timestamp> {
    let text = text.trim();
    time_of(&json!(text)).or_else(|| time_of(&json!(text.trim_end_matches('Z'))))
}

/// Counts the marks of a line that opens or closes a fence.
pub(super) fn fence_of(line: &str) -> Option<(usize, bool)> {
    let line = line.trim();
    let marks = line.bytes().take_while(|byte| *byte == b'`').count();
    (marks >= 3).then_some((marks, line.len() == marks))
}

/// Returns where what a line fences ends; nothing where it opens no fence, or one that never ends.
fn closed(lines: &[String], from: usize) -> Option<usize> {
    let (marks, _) = fence_of(&lines[from])?;
    let closes = |line: &String| fence_of(line).is_some_and(|(other, bare)| bare && other >= marks);
    lines[from + 1..].iter().take(FAR).position(closes).map(|length| from + length + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_have_one_form() {
        let check = |line: &str, expected: Option<(Speaker, Option<&str>, bool)>| {
            let found = parse(line).map(|header| (header.speaker, header.model, header.at.is_some()));
            assert_eq!(found, expected, "{line}");
        };
        check("_**User**_", Some((Speaker::Person, None, false)));
        check("_**User (2026-06-03 08:00Z)**_", Some((Speaker::Person, None, true)));
        check("_**User - sidechain (2026-06-03 08:00:00Z)**_", Some((Speaker::Person, None, true)));
        check("_**Agent (opus-4 2026-06-03 08:00:00Z)**_", Some((Speaker::Agent, Some("opus-4"), true)));
        check("_**Agent (model copilot/auto)**_", Some((Speaker::Agent, Some("copilot/auto"), false)));
        check("_**Assistant**_", Some((Speaker::Agent, None, false)));
        check("  _**User**_", None);
        check("_**Users**_", None);
        check("_**User (yesterday)**_", None);
        check("_**Important**_", None);
    }

    #[test]
    fn a_fence_does_not_reach_over_the_next_speaker() {
        let check = |lines: &[&str], expected: Option<usize>| {
            let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
            assert_eq!(Headers::of(&lines).fence_end(&lines, 0, Speaker::Agent), expected, "{lines:?}");
        };
        check(&["```sh", "make", "```", "done"], Some(3));
        check(&["```sh", "make"], None);
        check(&["words"], None);
        check(&["```", "", "---", "", "_**User**_", "", "no", "```"], None);
        check(&["```", "", "---", "", "_**Assistant**_", "", "an older chat", "```"], Some(8));
        check(&["```", "", "_**User**_", "", "an older chat", "```"], Some(6));
    }

    #[test]
    fn a_header_has_to_fit_to_those_before() {
        let check = |lines: &[&str], expected: &[usize]| {
            let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
            let mut headers = Headers::of(&lines);
            let found: Vec<usize> = (0..lines.len()).filter(|at| headers.at(&lines, *at).is_some()).collect();
            assert_eq!(found, expected, "{lines:?}");
        };
        let (eight, nine) = ("_**User (2026-06-03 08:00Z)**_", "_**User (2026-06-03 09:00Z)**_");
        check(&[eight, "", "a", "", nine], &[0, 4]);
        // Pasted from an older history, without a time, or within a paragraph.
        check(&[nine, "", "a", "", eight], &[0]);
        check(&[eight, "", "a", "", "_**User**_", "", "b"], &[0]);
        check(&[eight, "", "a", nine, "", "b"], &[0]);
        check(&["_**User**_", "", "a", "", "---", "", "_**Assistant**_"], &[0, 6]);
        check(&["_**User**_", "", "a", "", "---", "", "_**Assistant**_", "", "b", "", "_**User**_"], &[0, 6]);
        check(&["_**User**_", "", "a", "", "_**Assistant**_"], &[0, 4]);
    }
}
