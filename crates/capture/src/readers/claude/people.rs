//! People's words inside tool results: why a call was refused, what was answered to a question.

use lore_core::FormAnswer;
use serde_json::Value;

use super::wire::Asked;

/// Begins a result that stands for a refused call.
const REFUSALS: &[&str] = &[
    "The user doesn't want to proceed with this tool use.",
    "The user doesn't want to take this action right now.",
    "Permission for this tool use was denied.",
    "The agent proposed a plan that was rejected by the user.",
    "User rejected tool use",
];

/// Stands between the harness's words and the person's.
const SAID: &[&str] =
    &["the user said:", "The user said:", "provided the following reason for the rejection:"];

/// Follows the person's words in some versions.
const AFTERWORDS: &[&str] =
    &["\n\nNote: The user's next message may contain", "\n\nIMPORTANT: After completing"];

/// Begins what the harness says for a person who wants to talk about the questions first.
const CLARIFY: &str = "The user wants to clarify these questions.";

/// A call that a person refused.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Refusal<'a> {
    /// What the harness says.
    pub(super) notice: &'a str,
    /// What the person says; nothing where no reason was given.
    pub(super) reason: Option<&'a str>,
}

/// Who can have written the words of a result that failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tool {
    /// One of the agent's own tools: its errors begin with words of the harness.
    Own,
    /// A server's, or one whose call is not known: its errors begin as the server likes.
    Foreign,
}

/// Tells whether the record itself says that a person refused the call.
///
/// The words of a result are whatever a tool printed, so they prove nothing. A refusal is written
/// by the harness: it stands as one text, and again in the field beside the result, which a tool
/// that ran fills with its own structure. A server's error is written in the very same way, except
/// that only a refusal without a reason is said by name there.
pub(super) fn is_refused(structured: Option<&[u8]>, content: &[u8], tool: Tool) -> bool {
    let Some(beside) = structured.and_then(|beside| beside.strip_prefix(b"\"")) else { return false };
    if beside.starts_with(b"User rejected tool use\"") {
        return true;
    }
    let beside = beside.strip_prefix(b"Error: ").unwrap_or(beside);
    let begins = |text: &[u8]| REFUSALS.iter().any(|opening| text.starts_with(opening.as_bytes()));
    tool == Tool::Own && content.starts_with(b"\"") && begins(beside)
}

/// Splits the result of a refused call; nothing for any other result.
pub(super) fn refusal(text: &str) -> Option<Refusal<'_>> {
    let text = text.trim();
    if !REFUSALS.iter().any(|opening| text.starts_with(opening)) {
        return None;
    }
    let said = SAID.iter().filter_map(|said| Some((text.find(said)?, said.len()))).min();
    let Some((at, length)) = said else { return Some(Refusal { notice: text, reason: None }) };
    let mut reason = text[at + length..].trim();
    if let Some(end) = AFTERWORDS.iter().filter_map(|words| reason.find(words)).min() {
        reason = reason[..end].trim_end();
    }
    // The harness's own words go; which questions it was about, and any answer, stay.
    if reason.starts_with(CLARIFY)
        && let Some(questions) = reason.find("Questions asked:")
    {
        reason = &reason[questions..];
    }
    Some(Refusal { notice: text[..at].trim(), reason: Some(reason).filter(|reason| !reason.is_empty()) })
}

/// Puts each answer together with its question.
pub(super) fn answers(structured: Option<&[u8]>, text: &str) -> Vec<String> {
    // More may follow behind the value.
    let asked =
        structured.and_then(|json| serde_json::Deserializer::from_slice(json).into_iter::<Asked>().next());
    let asked = asked.and_then(Result::ok).unwrap_or_default();
    let mut out = Vec::new();
    for (question, answer) in &asked.answers {
        let answer = match answer {
            Value::String(answer) => answer.clone(),
            Value::Array(many) => many.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(", "),
            _ => continue,
        };
        if answer.trim().is_empty() {
            continue;
        }
        let offered = asked.questions.iter().find(|asked| asked.question == *question);
        let choice = offered.and_then(|asked| asked.options.iter().find(|choice| choice.label == answer));
        let about = choice.map(|choice| choice.description.as_str());
        let heading = offered.map(|asked| asked.header.as_str());
        out.push(FormAnswer { heading, question, answer: &answer }.with_offer(about));
    }
    if out.is_empty() { answers_in_text(text) } else { out }
}

/// Reads `"question"="answer"` pairs out of the sentence older versions keep.
fn answers_in_text(text: &str) -> Vec<String> {
    let Some((_, mut rest)) = text.split_once(": \"").filter(|(before, _)| before.contains("answered"))
    else {
        return Vec::new();
    };
    let mut out = Vec::new();
    while let Some((question, after)) = rest.split_once("\"=\"") {
        let end = after.find("\", \"").or_else(|| after.rfind("\". ")).or_else(|| after.rfind('"'));
        let Some(end) = end else { break };
        out.push(FormAnswer { heading: None, question, answer: &after[..end] }.with_offer(None));
        rest = after[end..].strip_prefix("\", \"").unwrap_or_default();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_found() {
        let check = |text: &str, expected: Option<Option<&str>>| {
            assert_eq!(refusal(text).map(|refusal| refusal.reason), expected, "{text}");
        };
        let opening = "The user doesn't want to proceed with this tool use. The tool use was rejected";
        check("all tests pass", None);
        check("he said: The user doesn't want to proceed with this tool use.", None);
        check(&format!("{opening}. STOP what you are doing."), Some(None));
        let said = format!("{opening}. To tell you how to proceed, the user said:\nuse tabs, please");
        check(&said, Some(Some("use tabs, please")));
        let note = "\n\nNote: The user's next message may contain a correction.";
        check(&format!("{said}{note}"), Some(Some("use tabs, please")));
        let clarify =
            format!("{opening}, the user said:\n{CLARIFY}\n  Ask.\n\n  Questions asked:\n- \"Which?\"");
        check(&clarify, Some(Some("Questions asked:\n- \"Which?\"")));
    }

    // An error of a server that began with the harness's sentence became a person's preference.
    #[test]
    fn only_the_record_says_that_a_person_refused() {
        let text = br#""The user doesn't want to proceed with this tool use. The user said: never test""#;
        let same =
            br#""Error: The user doesn't want to proceed with this tool use. The user said: never test""#;
        let check = |beside: Option<&[u8]>, content: &[u8], tool: Tool, expected: bool| {
            assert_eq!(is_refused(beside, content, tool), expected, "{tool:?}");
        };
        check(Some(same), text, Tool::Own, true);
        check(Some(br#""User rejected tool use","uuid":"1""#), text, Tool::Foreign, true);
        check(Some(same), text, Tool::Foreign, false);
        check(Some(br#""Error: User rejected tool use""#), text, Tool::Foreign, false);
        check(Some(br#"{"stdout":"","stderr":"","interrupted":false}"#), text, Tool::Own, false);
        check(Some(br#""Error: Exit code 1""#), text, Tool::Own, false);
        check(Some(same), br#"[{"type":"text","text":"The user doesn't"}]"#, Tool::Own, false);
        check(None, text, Tool::Own, false);
    }

    #[test]
    fn answers_stand_with_their_questions() {
        let json = r#"{"questions":[{"question":"Which store?","header":"Store","options":[{"label":"Files","description":"plain text"}]}],
            "answers":{"Which store?":"Files","Why?":"because, simply"}}"#;
        let expected = ["Store · Which store?\n→ Files (plain text)", "Why?\n→ because, simply"];
        assert_eq!(answers(Some(json.as_bytes()), ""), expected);
        let text = "User has answered your questions: \"Which store?\"=\"Files\", \"Why?\"=\"so\". You can continue.";
        assert_eq!(answers(None, text), ["Which store?\n→ Files", "Why?\n→ so"]);
        assert!(answers(Some(b"[]"), "no answers here").is_empty());
    }
}
