//! A value in a JSON, TOML, YAML, INI or environment file.

use lore_core::redact::{MARK, Redactor};

use super::project::line_of;
use super::{Project, Truth, Verdict};

pub(super) fn judge(project: &Project, path: &str, key: &str, equal: bool, wanted: Option<&str>) -> Verdict {
    let Some(text) = project.text(path) else {
        return Verdict::from_file(Truth::Broken, path, format!("{path} is not there"));
    };
    let last = key.rsplit('.').next().unwrap_or(key);
    let place = line_of(&text, last).map_or_else(|| path.to_owned(), |line| format!("{path}:{line}"));
    let found = match look_up(path, &text, key) {
        Ok(found) => found,
        Err(why) => {
            return Verdict::from_file(Truth::CannotTell, path, format!("{path} cannot be read: {why}"));
        }
    };
    let (truth, evidence) = match (found, wanted) {
        (None, _) => (Truth::Broken, format!("{path} does not set `{key}`")),
        (Some(value), None) => (Truth::Holds, format!("{place} sets `{key}` to `{}`", told(key, &value))),
        (Some(value), Some(wanted)) => {
            let same = value.eq_ignore_ascii_case(wanted);
            let truth = if same == equal { Truth::Holds } else { Truth::Broken };
            (truth, format!("{place} sets `{key}` to `{}`", told(key, &value)))
        }
    };
    Verdict::from_file(truth, path, evidence)
}

/// Returns a value as it may be told: settings hold secrets, and evidence is kept and handed out.
fn told<'v>(key: &str, value: &'v str) -> &'v str {
    let line = format!("{key}=\"{value}\"");
    let is_secret = !Redactor::standard().redact(&line).findings.is_empty();
    if is_secret { MARK } else { value }
}

fn look_up(path: &str, text: &str, key: &str) -> Result<Option<String>, String> {
    let ending = path.rsplit('.').next().unwrap_or_default();
    match ending {
        "json" | "jsonc" | "json5" => {
            let plain = without_comments(text);
            let value: serde_json::Value = serde_json::from_str(&plain).map_err(|e| e.to_string())?;
            Ok(walk(&value, key).map(shown))
        }
        "toml" | "lock" => {
            let value: toml::Value =
                text.parse::<toml::Table>().map(toml::Value::Table).map_err(|e| e.message().to_owned())?;
            let value = serde_json::to_value(value).map_err(|e| e.to_string())?;
            Ok(walk(&value, key).map(shown))
        }
        "yaml" | "yml" => Ok(indented(text, key)),
        _ => Ok(assigned(text, key)),
    }
}

fn walk<'v>(value: &'v serde_json::Value, key: &str) -> Option<&'v serde_json::Value> {
    if let Some(found) = value.get(key) {
        return Some(found);
    }
    // Keys may hold dots themselves, so every split is tried, the longest first.
    let dots = key.match_indices('.').map(|(at, _)| at).collect::<Vec<_>>();
    dots.into_iter().rev().find_map(|at| {
        let (first, rest) = (&key[..at], &key[at + 1..]);
        let inner = value.get(first).or_else(|| value.get(first.parse::<usize>().ok()?))?;
        walk(inner, rest)
    })
}

fn shown(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Drops `//` and `/* */` comments outside strings, and commas before a closing bracket.
pub(super) fn without_comments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.char_indices().peekable();
    let mut in_string = false;
    while let Some((at, c)) = rest.next() {
        match c {
            '\\' if in_string => {
                out.push(c);
                if let Some((_, escaped)) = rest.next() {
                    out.push(escaped);
                }
            }
            '"' => {
                in_string = !in_string;
                out.push(c);
            }
            '/' if !in_string && text[at..].starts_with("//") => {
                while rest.next_if(|(_, c)| *c != '\n').is_some() {}
            }
            '/' if !in_string && text[at..].starts_with("/*") => {
                let end = text[at..].find("*/").map_or(text.len(), |end| at + end + 2);
                while rest.next_if(|(next, _)| *next < end).is_some() {}
            }
            ']' | '}' if !in_string => {
                let kept = out.trim_end();
                if kept.ends_with(',') {
                    out.truncate(kept.len() - 1);
                }
                out.push(c);
            }
            _ => out.push(c),
        }
    }
    out
}

/// Finds a scalar in block YAML by following indentation.
fn indented(text: &str, key: &str) -> Option<String> {
    let mut wanted = key.split('.').peekable();
    let mut depth: Option<usize> = None;
    let mut name = wanted.next()?;
    for line in text.lines() {
        let trimmed = line.trim_start();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        let indent = line.len() - trimmed.len();
        if depth.is_some_and(|depth| indent <= depth) {
            return None;
        }
        let Some((found, value)) = trimmed.split_once(':') else { continue };
        if found.trim_matches(['"', '\'']) != name {
            continue;
        }
        match wanted.next() {
            None => {
                let value = value.split(" #").next().unwrap_or_default().trim();
                return Some(value.trim_matches(['"', '\'']).to_owned());
            }
            Some(next) => {
                name = next;
                depth = Some(indent);
            }
        }
    }
    None
}

/// Finds `KEY=value`, also below an INI section.
fn assigned(text: &str, key: &str) -> Option<String> {
    let (section, name) = key.rsplit_once('.').map_or((None, key), |(section, name)| (Some(section), name));
    let mut current = None;
    for line in text.lines().map(str::trim) {
        if let Some(title) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            current = Some(title.to_owned());
        } else if let Some((found, value)) = line.split_once(['=', ':']) {
            let found = found.trim().trim_start_matches("export ").trim();
            let here = section.is_none() || current.as_deref() == section;
            if found == key || (here && found == name) {
                return Some(value.trim().trim_matches(['"', '\'']).to_owned());
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_not_told() {
        assert_eq!(told("DB_PASSWORD", "Falcon42"), MARK);
        assert_eq!(told("db.password", "falcon-two-horse"), MARK);
        assert_eq!(told("type", "module"), "module");
        assert_eq!(told("retries", "3"), "3");
    }
}
