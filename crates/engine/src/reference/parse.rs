//! What a reference can mean, from its form alone.

/// One thing a reference can mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meant {
    /// An entry by any of its names, or a line of its file.
    Entry {
        /// Id, handle, alias, path, title or slug.
        name: String,
        /// The line of the file.
        line: Option<u32>,
    },
    /// The evidence behind a footnote of an entry.
    Footnote {
        /// The entry.
        entry: String,
        /// The key of the footnote, such as `s1`.
        key: String,
    },
    /// A session, or a record of it.
    Session {
        /// The agent that held it, where that is said.
        agent: Option<String>,
        /// Its id, or the beginning of it.
        id: String,
        /// The record.
        line: Option<u32>,
    },
    /// A commit of the project.
    Commit(String),
    /// A file of the project, or a line of it.
    File {
        /// From the project's folder.
        path: String,
        /// The line.
        line: Option<u32>,
    },
    /// An issue.
    Issue(String),
    /// A page elsewhere, which is never fetched.
    Link(String),
}

impl Meant {
    /// Says what is looked for.
    pub fn word(&self) -> &'static str {
        match self {
            Meant::Entry { .. } => "entry",
            Meant::Footnote { .. } => "footnote",
            Meant::Session { .. } => "session",
            Meant::Commit(_) => "commit",
            Meant::File { .. } => "file",
            Meant::Issue(_) => "issue",
            Meant::Link(_) => "link",
        }
    }
}

/// Lists what a reference can mean, the likeliest first.
pub fn meanings(text: &str) -> Vec<Meant> {
    let text = bare(text);
    if text.is_empty() {
        return Vec::new();
    }
    if let Some(rest) = text.strip_prefix("session://") {
        let (place, line) = with_line(rest);
        let (agent, id) = place.split_once('/').map_or((None, place), |(agent, id)| (Some(agent), id));
        return vec![Meant::Session { agent: agent.map(str::to_owned), id: id.to_owned(), line }];
    }
    if text.starts_with("https://") || text.starts_with("http://") {
        return vec![Meant::Link(text.to_owned())];
    }
    if let Some(number) = issue(text) {
        return vec![Meant::Issue(number.to_owned())];
    }
    if let Some((entry, key)) = footnote(text) {
        return vec![Meant::Footnote { entry: entry.to_owned(), key: key.to_owned() }];
    }
    let (name, line) = with_line(text);
    let own = name.to_owned();
    let mut meant = vec![Meant::Entry { name: own.clone(), line }];
    if line.is_none() && name != text {
        return meant;
    }
    meant.push(Meant::File { path: own.clone(), line });
    if is_session_like(name) {
        meant.push(Meant::Session { agent: None, id: own.clone(), line });
    }
    if line.is_none() && is_hash(name) {
        meant.push(Meant::Commit(own.clone()));
    }
    if line.is_none() && !name.contains(char::is_whitespace) {
        meant.push(Meant::Issue(own));
    }
    meant
}

/// Takes off what stands around a reference where we print it: brackets, quotation marks, and in a
/// citation everything after the name.
fn bare(text: &str) -> &str {
    let mut text = text.trim();
    if !text.starts_with("[^") {
        for (open, close) in [('[', ']'), ('(', ')'), ('`', '`'), ('"', '"'), ('\'', '\''), ('“', '”')] {
            if let Some(inner) = text.strip_prefix(open).and_then(|rest| rest.strip_suffix(close)) {
                text = inner.trim();
            }
        }
    }
    text.split(" · ").next().unwrap_or(text).trim()
}

/// Splits `name#L7`, `name#L7-L9`, `name:7` and `name:7:3` into the name and the first line.
fn with_line(text: &str) -> (&str, Option<u32>) {
    let number = |digits: &str| {
        let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
        let rest = &digits[end..];
        let is_rest = rest.chars().all(|c| c.is_ascii_digit() || matches!(c, '-' | 'L' | 'l' | ':'));
        digits[..end].parse::<u32>().ok().filter(|_| is_rest)
    };
    if let Some((name, rest)) = text.rsplit_once('#')
        && let Some(line) = rest.strip_prefix(['L', 'l']).and_then(number)
    {
        return (name, Some(line));
    }
    // From the left, so that `file:7:3` is line 7; a drive letter or a scheme has no digits after it.
    let colons = text.match_indices(':').map(|(at, _)| at);
    for at in colons.filter(|at| *at > 0) {
        if let Some(line) = number(&text[at + 1..]) {
            return (&text[..at], Some(line));
        }
    }
    (text, None)
}

fn issue(text: &str) -> Option<&str> {
    let lower = text.get(..5).map(str::to_ascii_lowercase);
    let rest = match lower.as_deref() {
        Some("issue") => text[5..].trim().trim_start_matches('#'),
        _ => text.strip_prefix('#')?,
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
    (!rest.is_empty() && rest.chars().any(|c| c.is_ascii_digit()) && rest.chars().all(plain)).then_some(rest)
}

/// Takes apart `entry#s1`, `entry[^s1]` and `entry^s1`.
fn footnote(text: &str) -> Option<(&str, &str)> {
    let (entry, key) = match text.strip_suffix(']').and_then(|rest| rest.rsplit_once("[^")) {
        Some(parts) => parts,
        None => text.rsplit_once('^').or_else(|| text.rsplit_once('#'))?,
    };
    let is_key = key.starts_with(|c: char| c.is_ascii_lowercase())
        && key.ends_with(|c: char| c.is_ascii_digit())
        && key.len() <= 12
        && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
        // `l7` is a line in small letters.
        && !(key.starts_with('l') && key[1..].chars().all(|c| c.is_ascii_digit()));
    is_key.then_some((entry.trim(), key))
}

/// Ids of sessions are long and have digits in them.
fn is_session_like(name: &str) -> bool {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    name.len() >= 6 && name.chars().all(plain) && name.chars().any(|c| c.is_ascii_digit())
}

fn is_hash(name: &str) -> bool {
    (7..=64).contains(&name.len()) && name.chars().all(|c| c.is_ascii_hexdigit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_form_we_print_is_understood() {
        let check = |text: &str, expected: &str| {
            let meant: Vec<String> = meanings(text).iter().map(|one| format!("{one:?}")).collect();
            assert_eq!(meant.first().map(String::as_str), Some(expected), "{text}: {meant:?}");
        };
        let entry = r#"Entry { name: "dec-k3f9x2", line: None }"#;
        check("dec-k3f9x2", entry);
        check(" [dec-k3f9x2] ", entry);
        check("[dec-k3f9x2 · current · high · 3d]", entry);
        check("`dec-k3f9x2`", entry);
        check("“Use one queue”", r#"Entry { name: "Use one queue", line: None }"#);
        check("knowledge/decisions/a.md:7", r#"Entry { name: "knowledge/decisions/a.md", line: Some(7) }"#);
        let session = r#"Session { agent: Some("codex"), id: "6af70815-1", line: Some(88) }"#;
        check("session://codex/6af70815-1#L88", session);
        check("[session://codex/6af70815-1#L88 · 2026-02-10]", session);
        check("session://6af7", r#"Session { agent: None, id: "6af7", line: None }"#);
        check("dec-k3f9x2#s1", r#"Footnote { entry: "dec-k3f9x2", key: "s1" }"#);
        check("dec-k3f9x2[^s1]", r#"Footnote { entry: "dec-k3f9x2", key: "s1" }"#);
        check("[^s1]", r#"Footnote { entry: "", key: "s1" }"#);
        check("#74", r#"Issue("74")"#);
        check("issue #74", r#"Issue("74")"#);
        check("https://example.com/a#b1", r#"Link("https://example.com/a#b1")"#);
    }

    #[test]
    fn what_could_be_several_things_is_tried_as_all_of_them() {
        let check = |text: &str, expected: &[&str]| {
            let words: Vec<&str> = meanings(text).iter().map(Meant::word).collect();
            assert_eq!(words, expected, "{text}");
        };
        check("6af70815", &["entry", "file", "session", "commit", "issue"]);
        check("6af70815#L88", &["entry", "file", "session"]);
        check("6af70815:24", &["entry", "file", "session"]);
        check("src/db/pool.rs:12:4", &["entry", "file"]);
        check("use-postgresql", &["entry", "file", "issue"]);
        check("", &[]);
        assert!(meanings("6af70815:24").contains(&Meant::Session {
            agent: None,
            id: "6af70815".to_owned(),
            line: Some(24)
        }));
    }
}
