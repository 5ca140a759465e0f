//! Lessons out of what people have at hand: the text of an issue, a review, JSON.

use crate::Error;
use crate::learn::Lesson;

/// Words that say how bad a finding is, the longest first where one begins another.
const SEVERITIES: [(&str, &str); 9] = [
    ("critical", "critical"),
    ("blocker", "critical"),
    ("high", "high"),
    ("major", "high"),
    ("medium", "medium"),
    ("minor", "low"),
    ("low", "low"),
    ("nit", "low"),
    ("info", "low"),
];
/// Words that say what a finding is about.
const CATEGORIES: [(&str, &[&str]); 4] = [
    ("security", &["security", "injection", "secret", "credential", "password", "xss", "auth"]),
    ("performance", &["performance", "slow", "latency", "n+1", "memory", "allocation"]),
    ("style", &["style", "naming", "format", "typo", "wording"]),
    ("quality", &["test", "error handling", "duplicate", "complexity", "bug", "race", "null", "panic"]),
];

impl Lesson {
    /// Reads the text of an issue: the first line is its title, headings name the rest.
    pub fn from_issue(issue: &str, text: &str) -> Result<Lesson, Error> {
        let title = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
        let title = title.trim_start_matches('#').trim();
        if title.is_empty() {
            return Err(Error::request("there is no text", "give the text of the issue on standard input"));
        }
        let mut lesson = Lesson {
            kind: Some("resolution".to_owned()),
            title: short(title),
            issues: vec![issue.trim_start_matches('#').to_owned()],
            ..Lesson::default()
        };
        for (heading, body) in sections(text.split_once('\n').map_or("", |(_, rest)| rest)) {
            let heading = heading.to_lowercase();
            let is = |words: &[&str]| words.iter().any(|word| heading.contains(word));
            if is(&["root cause", "cause"]) {
                lesson.root_cause = Some(body);
            } else if is(&["solution", "fix", "resolution"]) {
                lesson.solution = Some(body);
            } else if is(&["why", "rationale"]) {
                lesson.rationale = Some(body);
            } else if heading.is_empty() || is(&["problem", "what", "description", "summary"]) {
                lesson.text = format!("{}\n\n{body}", lesson.text).trim().to_owned();
            } else {
                lesson.text = format!("{}\n\n### {heading}\n\n{body}", lesson.text).trim().to_owned();
            }
        }
        Ok(lesson)
    }

    /// Reads a review: every list item, or every paragraph where there are none, is a finding.
    pub fn from_review(text: &str) -> Result<Vec<Lesson>, Error> {
        let item = |line: &str| {
            let line = line.trim_start();
            let rest = line.strip_prefix("- ").or_else(|| line.strip_prefix("* "));
            rest.or_else(|| {
                let digits = line.trim_start_matches(|c: char| c.is_ascii_digit());
                if digits.len() == line.len() { None } else { digits.strip_prefix(". ") }
            })
            .map(str::to_owned)
        };
        let mut findings: Vec<String> = Vec::new();
        for line in text.lines() {
            if let Some(found) = item(line) {
                findings.push(found);
            } else if line.starts_with([' ', '\t'])
                && !line.trim().is_empty()
                && let Some(last) = findings.last_mut()
            {
                last.push(' ');
                last.push_str(line.trim());
            }
        }
        if findings.is_empty() {
            let paragraphs = text
                .split("\n\n")
                .map(|paragraph| paragraph.split_whitespace().collect::<Vec<_>>().join(" "));
            findings = paragraphs.filter(|text| !text.is_empty() && !text.starts_with('#')).collect();
        }
        if findings.is_empty() {
            return Err(Error::request("the review has no findings", "give its text on standard input"));
        }
        Ok(findings.iter().map(|finding| Lesson::finding(finding)).collect())
    }

    /// Reads one object or a list of them.
    pub fn from_json(text: &str) -> Result<Vec<Lesson>, Error> {
        let read = if text.trim_start().starts_with('[') {
            serde_json::from_str(text)
        } else {
            serde_json::from_str(text).map(|one| vec![one])
        };
        let hint = r#"one object or a list, such as {"type": "pattern", "title": "…", "text": "…"}"#;
        read.map_err(|error| Error::request(format!("the JSON cannot be read: {error}"), hint))
    }

    fn finding(text: &str) -> Lesson {
        let lower = text.to_lowercase();
        let opening: String = lower.chars().take(24).collect();
        let severity =
            SEVERITIES.iter().find(|(word, _)| opening.contains(word)).map(|(_, severity)| *severity);
        let category = CATEGORIES.iter().find(|(_, words)| words.iter().any(|word| lower.contains(word)));
        let plain = text.trim().trim_start_matches(['*', '[', '(']).to_owned();
        let plain = match (severity, plain.split_once([':', ']', ')'])) {
            (Some(_), Some((head, rest))) if head.len() < 24 && !rest.trim().is_empty() => {
                rest.trim_start_matches(['*', ':', ' ', ']']).to_owned()
            }
            _ => plain,
        };
        let files = text
            .split(|c: char| c.is_whitespace() || matches!(c, '`' | '(' | ')' | ',' | ':'))
            .filter(|word| word.contains('/') && word.contains('.') && !word.contains("//"))
            .map(|word| word.trim_end_matches('.').to_owned())
            .collect();
        let (statement, advice) = match plain.split_once(". ") {
            Some((statement, advice)) => (statement.to_owned(), Some(advice.to_owned())),
            None => (plain.clone(), None),
        };
        Lesson {
            kind: Some("feedback".to_owned()),
            title: short(&statement),
            text: statement,
            solution: advice,
            severity: severity.map(str::to_owned),
            category: Some(category.map_or("other", |(category, _)| category).to_owned()),
            files,
            ..Lesson::default()
        }
    }
}

/// Cuts a title after ten words.
fn short(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().take(10).collect();
    words.join(" ").trim_end_matches(['.', ',', ';', ':']).to_owned()
}

/// Splits a text at its headings; what stands before the first has none.
fn sections(text: &str) -> Vec<(String, String)> {
    let mut out = vec![(String::new(), String::new())];
    for line in text.lines() {
        match line.strip_prefix('#') {
            Some(heading) => out.push((heading.trim_start_matches('#').trim().to_owned(), String::new())),
            None => {
                if let Some((_, body)) = out.last_mut() {
                    body.push_str(line);
                    body.push('\n');
                }
            }
        }
    }
    out.retain(|(_, body)| !body.trim().is_empty());
    out.into_iter().map(|(heading, body)| (heading, body.trim().to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_issue_gives_a_resolution() {
        let text = "# Login fails after midnight\n\nUsers are logged out.\n\n## Root cause\n\nUTC and local dates mixed.\n\n## Fix\n\nUse UTC.";
        let lesson = Lesson::from_issue("#42", text).unwrap();
        assert_eq!(lesson.title, "Login fails after midnight");
        assert_eq!(lesson.text, "Users are logged out.");
        assert_eq!(lesson.root_cause.as_deref(), Some("UTC and local dates mixed."));
        assert_eq!(lesson.solution.as_deref(), Some("Use UTC."));
        assert_eq!(lesson.issues, ["42"]);
        assert!(Lesson::from_issue("1", "  \n").is_err());
    }

    #[test]
    fn a_review_gives_findings_with_severity_and_category() {
        let text = "Two things:\n\n- [HIGH] SQL injection in `src/db/users.rs`. Bind the value.\n- nit: typo in the help";
        let found = Lesson::from_review(text).unwrap();
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].title, "SQL injection in `src/db/users.rs`");
        assert_eq!(found[0].severity.as_deref(), Some("high"));
        assert_eq!(found[0].category.as_deref(), Some("security"));
        assert_eq!(found[0].files, ["src/db/users.rs"]);
        assert_eq!(found[0].solution.as_deref(), Some("Bind the value."));
        assert_eq!(
            (found[1].severity.as_deref(), found[1].category.as_deref()),
            (Some("low"), Some("style"))
        );
        assert_eq!(
            Lesson::from_review("The cache is slow.").unwrap()[0].category.as_deref(),
            Some("performance")
        );
    }

    #[test]
    fn json_may_be_one_or_many() {
        assert_eq!(Lesson::from_json(r#"{"type":"pattern","name":"Retry"}"#).unwrap()[0].title, "Retry");
        assert_eq!(Lesson::from_json(r#"[{"title":"a"},{"title":"b"}]"#).unwrap().len(), 2);
        assert!(Lesson::from_json("{").is_err());
    }
}
