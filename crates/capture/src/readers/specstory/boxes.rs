//! Uses of tools, shown as foldable boxes.

use lore_core::FormAnswer;
use serde_json::{Value, json};

use super::FAR;
use super::header::{Headers, fence_of};
use crate::answers::answers_of;

/// Begins the result of a call that a person refused.
const REFUSED: &str = "The user doesn't want to proceed with this tool use.";

/// Stands between the harness's words and the person's.
const SAID: &str = "the user said:";

/// Follows the person's words in some versions.
const AFTERWORDS: &str = "\n\nNote: The user's next message may contain";

/// Finds the last line of a box. What a tool printed or read stands in it as it is, so a line that
/// looks like the end may belong to another box within: its own end stands outside fences, or what
/// comes after it is sure to be the conversation again.
pub(super) fn box_end(lines: &[String], from: usize, headers: &Headers) -> Option<usize> {
    if lines[from].contains("</tool-use>") {
        return Some(from);
    }
    let mut fence: Option<usize> = None;
    let mut open = 1;
    let mut first = None;
    for (at, line) in lines.iter().enumerate().skip(from + 1).take(FAR) {
        let text = line.trim();
        match (fence, fence_of(line)) {
            (None, Some((marks, _))) => fence = Some(marks),
            (Some(opened), Some((marks, true))) if marks >= opened => fence = None,
            _ => {}
        }
        if fence.is_none() && text.starts_with("<tool-use ") && !text.contains("</tool-use>") {
            open += 1;
        }
        if !is_end(text) {
            continue;
        }
        first = first.or(Some(at));
        let goes_on = goes_on(lines, at + 1, headers);
        if fence.is_none() && (open == 1 || goes_on) || fence.is_some() && goes_on {
            return Some(at);
        }
        open -= i32::from(fence.is_none());
    }
    // Something in it was never closed: then the first line that could be its end is.
    first
}

fn is_end(text: &str) -> bool {
    matches!(text, "</tool-use>" | "</details></tool-use>")
}

/// Tells whether the conversation goes on here: nothing follows, or a header that fits.
fn goes_on(lines: &[String], from: usize, headers: &Headers) -> bool {
    let is_empty = |at: &usize| matches!(lines[*at].trim(), "" | "---");
    (from..lines.len()).find(|at| !is_empty(at)).is_none_or(|at| headers.clone().at(lines, at).is_some())
}

/// Finds the command or the file in what is shown of a call.
pub(super) fn arguments_of(kind: &str, body: &str) -> Value {
    let (head, rest) = body.split_once("</summary>").unwrap_or((body, ""));
    let summary = between(head, "<summary>", "</summary>").unwrap_or_default();
    let told = summary.split_once(": ").map_or("", |(_, told)| told);
    let told =
        told.split_once("Run command: ").or_else(|| told.split_once("file: ")).map_or("", |(_, told)| told);
    let quoted = |text: &str| {
        let lines = text.lines().map(str::trim).filter(|line| !line.starts_with("```"));
        let mut found = lines.filter_map(|line| between(line.split_once('`').map(|_| line)?, "`", "`"));
        found.find(|text| !text.is_empty()).map(str::to_owned)
    };
    let first =
        |options: [Option<String>; 4]| options.into_iter().flatten().find(|text| !text.trim().is_empty());
    if kind == "shell" {
        let fenced = between(rest, "```bash\n", "\n```").map(str::to_owned);
        let command = first([Some(told.to_owned()), quoted(summary), quoted(rest), fenced]);
        return json!({ "summary": summary, "command": command });
    }
    let is_path = |text: &String| text.contains(['/', '.']) && !text.contains(' ');
    let path = first([Some(told.to_owned()), quoted(summary), quoted(rest), None]).filter(is_path);
    json!({ "summary": summary, "path": path })
}

/// Reads whether and why a person refused a call. Where the result could be what the tool read or
/// printed nothing is believed: anyone can write those words into a file.
pub(super) fn refused<'t>(kind: &str, output: &'t str) -> Option<Option<&'t str>> {
    if matches!(kind, "read" | "search" | "shell" | "fetch" | "mcp") {
        return None;
    }
    let result = output.rsplit_once("```text\n")?.1.strip_suffix("```")?.trim();
    if !result.starts_with(REFUSED) {
        return None;
    }
    let reason = result.split_once(SAID).map(|(_, reason)| reason.split(AFTERWORDS).next().unwrap_or(reason));
    Some(reason.map(str::trim).filter(|reason| !reason.is_empty()))
}

/// Takes what a person answered, with the question where there is one of each.
pub(super) fn answers_in(output: &str) -> Vec<String> {
    // The documents with the questions and with the result stand one below the other.
    let documents = output.split("```json\n").skip(1).map(|rest| rest.split("\n```").next().unwrap_or(rest));
    let documents: Vec<Value> = documents.filter_map(|text| serde_json::from_str(text).ok()).collect();
    let questions = documents.first().cloned().unwrap_or_default();
    let mut found: Vec<String> =
        documents.iter().skip(1).flat_map(|given| answers_of(&questions, given)).collect();
    let mut above = "";
    let mut rest = output;
    while let Some((before, after)) = rest.split_once("**Answer:**") {
        above = if before.trim().is_empty() { above } else { before };
        // An answer goes on over as many lines as were typed, up to the next question.
        let end = after.find("\n**").unwrap_or(after.len());
        let answer = after[..end].trim().trim_matches('_');
        if !answer.is_empty() {
            found.push(with_question(above, answer));
        }
        rest = &after[end..];
    }
    found
}

/// Puts an answer below its question and what the chosen option says beside it.
fn with_question(above: &str, answer: &str) -> String {
    let bold = |line: &str| {
        let line = line.trim().trim_end_matches("_(select multiple)_").trim_end();
        line.strip_prefix("**").and_then(|line| line.strip_suffix("**")).map(str::to_owned)
    };
    let questions: Vec<String> = above.lines().filter_map(bold).collect();
    let [question] = questions.as_slice() else { return answer.to_owned() };
    let option = format!("- **{answer}** - ");
    let about = above.lines().find_map(|line| line.trim().strip_prefix(&option));
    FormAnswer { heading: None, question, answer }.with_offer(about)
}

pub(super) fn attribute<'t>(tag: &'t str, name: &str) -> Option<&'t str> {
    let rest = tag.split_once(name)?.1.trim_start().strip_prefix('=')?;
    between(rest.trim_start(), "\"", "\"")
}

fn between<'t>(text: &'t str, open: &str, close: &str) -> Option<&'t str> {
    let rest = text.split_once(open)?.1;
    Some(rest.split(close).next().unwrap_or(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_ends_where_its_own_end_is() {
        let check = |text: &str, expected: Option<usize>| {
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            assert_eq!(box_end(&lines, 0, &Headers::default()), expected, "{text}");
        };
        let open = "<tool-use data-tool-type=\"read\">";
        check(&format!("{open}x</tool-use>\na"), Some(0));
        check(&format!("{open}\nx\n</tool-use>\na"), Some(2));
        check(&format!("{open}\n```\n</tool-use>\n```\n</tool-use>\na"), Some(4));
        check(&format!("{open}\n{open}\n</tool-use>\n</tool-use>\na"), Some(3));
        check(&format!("{open}\nsay `</tool-use>` here\n</details></tool-use>\na"), Some(2));
        // A fence that is never closed does not swallow what follows.
        check(&format!("{open}\n```\n</tool-use>\n\n_**User**_\n\na"), Some(2));
        check(&format!("{open}\n```\n</tool-use>\nwords"), Some(2));
        check(&format!("{open}\nx"), None);
    }

    #[test]
    fn refusals_and_answers_are_whole() {
        let said = format!("```text\n{REFUSED} It was rejected. {SAID}\nuse tabs,\nnot spaces\n```");
        assert_eq!(refused("write", &said), Some(Some("use tabs,\nnot spaces")));
        assert_eq!(refused("write", &format!("```text\n{REFUSED}\n```")), Some(None));
        assert_eq!(refused("shell", &said), None, "a command can print anything");
        assert_eq!(refused("write", "```text\nwritten\n```"), None);
        let asked = "**Which lamp?**\n\nOptions:\n- **Oil** - smells\n- **Gas**\n\n**Answer:** ";
        assert_eq!(answers_in(&format!("{asked}Oil\n")), ["Which lamp?\n→ Oil (smells)"]);
        assert_eq!(
            answers_in(&format!("{asked}none,\nwait for power\n")),
            ["Which lamp?\n→ none,\nwait for power"]
        );
        assert_eq!(answers_in("**A?**\n\n**B?**\n\n**Answer:** yes, no"), ["yes, no"]);
        assert_eq!(answers_in("**A?**\n**Answer:** yes\n**B?**\n**Answer:** no"), ["A?\n→ yes", "B?\n→ no"]);
    }
}
