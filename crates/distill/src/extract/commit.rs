//! Reads the message out of a command that commits or opens a pull request.

use crate::extract::wording::capital;

/// Returns the message that a `git commit` or `gh pr create` command carries.
pub(crate) fn message(command: &str) -> Option<String> {
    let start = command.find("git commit").or_else(|| command.find("gh pr create"))?;
    let command = &command[start..];
    let text = heredoc(command).or_else(|| quoted_arguments(command))?;
    let mut lines: Vec<&str> = Vec::new();
    for line in text.lines() {
        let trimmed = line.trim();
        if is_trailer(trimmed) || is_section_to_skip(trimmed) {
            break;
        }
        lines.push(line);
    }
    let message = lines.join("\n").trim().to_owned();
    (!message.is_empty()).then_some(message)
}

/// Writes a message as prose: the subject opens the paragraph below it, or introduces the list below it.
pub(crate) fn as_prose(message: &str) -> String {
    let (subject, body) =
        message.split_once('\n').map_or((message, ""), |(subject, body)| (subject, body.trim_start()));
    let subject = capital(without_type(subject.trim().trim_end_matches(['.', ':'])));
    let body = unwrapped(body);
    if body.is_empty() {
        subject
    } else if body.starts_with(['-', '*', '#', '1']) {
        format!("{subject}:\n\n{body}")
    } else {
        format!("{subject}. {body}")
    }
}

/// Lines shorter than this are ended by their writer, not by the width of the message.
const WRAPPED: usize = 40;

/// Joins the lines of a paragraph that was wrapped to the width of a terminal.
fn unwrapped(body: &str) -> String {
    let mut out = String::with_capacity(body.len());
    let mut width = 0;
    for line in body.lines() {
        let text = line.trim();
        let open = width >= WRAPPED && !out.ends_with(['.', ':', '!', '?', ';']);
        let begins = text.is_empty()
            || text.starts_with(['-', '*', '#', '•', '+', '|', '>'])
            || text
                .split_once(['.', ')'])
                .is_some_and(|(number, _)| number.bytes().all(|b| b.is_ascii_digit()));
        if !out.is_empty() {
            out.push(if open && !begins { ' ' } else { '\n' });
        }
        out.push_str(if open && !begins { text } else { line });
        width = text.chars().count();
    }
    out
}

/// Takes the type of a conventional commit off its subject: `fix(parser): `.
fn without_type(subject: &str) -> &str {
    const TYPES: [&str; 11] =
        ["feat", "fix", "chore", "docs", "refactor", "perf", "test", "build", "ci", "style", "revert"];
    let Some((head, rest)) = subject.split_once(": ") else { return subject };
    let kind = head.trim_end_matches('!').split('(').next().unwrap_or_default();
    if TYPES.contains(&kind.to_ascii_lowercase().as_str()) { rest.trim_start() } else { subject }
}

fn heredoc(command: &str) -> Option<String> {
    let rest = &command[command.find("<<")? + 2..];
    let (opening, body) = rest.split_once('\n')?;
    let mark = opening.trim_start_matches('-').trim().trim_matches(['\'', '"']);
    let mark =
        mark.split(|c: char| !(c.is_alphanumeric() || c == '_')).next().filter(|mark| !mark.is_empty())?;
    let lines: Vec<&str> = body.lines().take_while(|line| line.trim() != mark).collect();
    Some(lines.join("\n"))
}

/// Joins the values of `-m`, `--message`, `--title` and `--body`, each a paragraph.
fn quoted_arguments(command: &str) -> Option<String> {
    let mut paragraphs = Vec::new();
    let mut rest = command;
    while let Some((at, flag)) = ["-m ", "-am ", "--message ", "--message=", "--title ", "--body "]
        .iter()
        .filter_map(|flag| rest.find(flag).map(|at| (at, flag)))
        .min()
    {
        rest = &rest[at + flag.len()..];
        let Some(quote) = rest.chars().next().filter(|c| matches!(c, '"' | '\'')) else { continue };
        let inner = &rest[1..];
        let mut escaped = false;
        let end = inner.char_indices().find(|(_, c)| {
            let ends = *c == quote && !escaped;
            escaped = *c == '\\' && !escaped;
            ends
        });
        let end = end.map_or(inner.len(), |(at, _)| at);
        paragraphs.push(inner[..end].replace("\\\"", "\"").replace("\\`", "`"));
        rest = &inner[end..];
    }
    (!paragraphs.is_empty()).then(|| paragraphs.join("\n\n"))
}

fn is_trailer(line: &str) -> bool {
    let lower = line.to_ascii_lowercase();
    lower.starts_with("co-authored-by:")
        || lower.starts_with("signed-off-by:")
        || lower.contains("generated with")
}

fn is_section_to_skip(line: &str) -> bool {
    let title = line.trim_start_matches('#').trim().to_ascii_lowercase();
    line.starts_with('#') && (title.starts_with("test plan") || title.starts_with("testing"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(command: &str, expected: Option<&str>) {
        assert_eq!(message(command).as_deref(), expected);
    }

    #[test]
    fn the_subject_belongs_to_the_body() {
        assert_eq!(as_prose("Keep it"), "Keep it");
        assert_eq!(as_prose("fix(export)!: keep it"), "Keep it");
        assert_eq!(as_prose("export: keep it"), "Export: keep it");
        assert_eq!(as_prose("Keep it\n\nIt is short."), "Keep it. It is short.");
        assert_eq!(as_prose("Keep it:\n\n- one"), "Keep it:\n\n- one");
        assert_eq!(
            as_prose(
                "Keep it\n\nBoth readers of the table are combined into a single\nReader that is called once.\nIt is fast."
            ),
            "Keep it. Both readers of the table are combined into a single Reader that is called once.\nIt is fast."
        );
    }

    #[test]
    fn reads_messages_in_their_usual_forms() {
        check("git add . && git commit -m \"Keep the \\\"old\\\" name\"", Some("Keep the \"old\" name"));
        check("git commit -m 'One' -m 'Two'", Some("One\n\nTwo"));
        let heredoc = "git commit -m \"$(cat <<'EOF'\nOne\n\nTwo\n\nCo-Authored-By: A <a@b>\nEOF\n)\"";
        check(heredoc, Some("One\n\nTwo"));
        check("git commit --amend --no-edit", None);
        check("git status", None);
    }
}
