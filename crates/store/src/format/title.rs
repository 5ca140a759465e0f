//! A title for an entry that has none.

use lore_core::Kind;

/// Headings that name a section, never a subject.
const SECTIONS: [&str; 34] = [
    "what happened",
    "context",
    "potential cause",
    "cause",
    "root cause",
    "remediation",
    "hypothesis",
    "experiment",
    "results",
    "result",
    "decision",
    "consequences",
    "related",
    "summary",
    "background",
    "overview",
    "rationale",
    "alternatives",
    "evidence",
    "lesson",
    "recommendation",
    "reflection report",
    "findings",
    "problem",
    "solution",
    "sources",
    "history",
    "references",
    "description",
    "details",
    "notes",
    "question",
    "answer",
    "impact",
];

/// Returns the subject named by the first heading of level one, or by a heading that opens the text.
pub(crate) fn heading(body: &str) -> Option<String> {
    let mut in_code = false;
    let mut is_first = true;
    for line in body.lines() {
        if line.trim_start().starts_with("```") || line.trim_start().starts_with("~~~") {
            in_code = !in_code;
        }
        if in_code || line.trim().is_empty() {
            continue;
        }
        let hashes = line.len() - line.trim_start_matches('#').len();
        if (hashes == 1 || (is_first && (2..=6).contains(&hashes)))
            && let Some(text) = line[hashes..].strip_prefix(' ')
            && let Some(title) = subject(text)
        {
            return Some(title);
        }
        is_first = false;
    }
    None
}

/// Drops closing hashes and a leading word such as `Signal:`; refuses names of sections.
fn subject(heading: &str) -> Option<String> {
    let text = heading.trim().trim_end_matches('#').trim();
    let text = match text.split_once(": ") {
        Some((label, rest)) if label.parse::<Kind>().is_ok() => rest.trim(),
        _ => text,
    };
    let plain = text.trim_end_matches(':').to_lowercase();
    (!text.is_empty() && !SECTIONS.contains(&plain.as_str())).then(|| text.to_owned())
}

/// Turns the words of a slug into a title.
pub(crate) fn from_slug(slug: &str) -> String {
    let words = slug.replace(['-', '_'], " ");
    let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut letters = words.chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => "Untitled".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heading_is_a_title_unless_it_names_a_section() {
        let check =
            |body: &str, expected: Option<&str>| assert_eq!(heading(body).as_deref(), expected, "{body}");
        check("# Use one queue\n\nText", Some("Use one queue"));
        check("\n# Signal: Queue is slow #\n", Some("Queue is slow"));
        check("## What Happened\n\nText\n\n## Special words\n", None);
        check("## Special words\n\nText", Some("Special words"));
        check("Text\n\n# Later title", Some("Later title"));
        check("```\n# comment\n```\n", None);
        check("#hashtag", None);
        assert_eq!(from_slug("queue-is-slow_today"), "Queue is slow today");
    }
}
