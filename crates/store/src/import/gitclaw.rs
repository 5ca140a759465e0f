//! GitClaw's state folder: what it remembered, and which session belongs to which issue.

use lore_core::text::first_words;
use lore_core::{Curator, Entry, EntryId, Kind, Moment, Source, Stamp, Voice};
use serde_json::Value;

use super::walk::{self, Found};
use super::{ImportOptions, ImportReport, Imported, IssueSession, Left, first_sentence};
use crate::format::text_of;

/// A title has so many words of what was remembered.
const TITLE: usize = 10;

/// Reads the memory, the user's page and the mapping of issues.
pub(super) fn read(files: &[Found], options: &ImportOptions, report: &mut ImportReport) {
    for file in files {
        let result = match file.relative.as_str() {
            "memory.log" => memory(file, options, report),
            "user.md" => user(file, options, report),
            path if path.starts_with("issues/") && file.ending() == "json" => mapping(file, report),
            path if path.starts_with("sessions/") => {
                Err("a session; sessions are captured, not imported".to_owned())
            }
            _ => Err("nothing that GitClaw keeps as knowledge".to_owned()),
        };
        if let Err(why) = result {
            report.left.push(Left { from: file.relative.clone(), why });
        }
    }
}

fn text(file: &Found) -> Result<(String, Vec<lore_core::Diagnostic>), String> {
    let bytes = walk::read(file).map_err(|left| left.why)?;
    let (text, odd) = text_of(&file.relative, &bytes);
    let mended = lore_core::text::repair_mojibake(&text).into_owned();
    Ok((mended.trim_start_matches('\u{feff}').to_owned(), odd.into_iter().collect()))
}

/// Makes one entry per line of `[2026-02-20 12:30] what was to be remembered`.
fn memory(file: &Found, options: &ImportOptions, report: &mut ImportReport) -> Result<(), String> {
    let (text, odd) = text(file)?;
    for (index, line) in text.lines().enumerate() {
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let (at, statement) = dated(line);
        if statement.is_empty() {
            report.left.push(Left {
                from: format!("{}:{number}", file.relative),
                why: "nothing behind the date".to_owned(),
            });
            continue;
        }
        let kind = if is_wish(statement) { Kind::Preference } else { Kind::Fact };
        let mut source = Source::new(format!("gitclaw/{}#L{number}", file.relative), Voice::Agent);
        source.title = Some("GitClaw memory".to_owned());
        source.at = at;
        let mut entry = remembered(kind, first_words(statement, TITLE).trim_end_matches('.'), at, options);
        entry.description = Some(statement.to_owned());
        entry.body = format!("{statement}\n");
        entry.sources.push(source);
        let repaired = odd.clone();
        report.entries.push(Imported { entry, from: format!("{}:{number}", file.relative), repaired });
    }
    Ok(())
}

/// Makes one entry of what is known about the user.
fn user(file: &Found, options: &ImportOptions, report: &mut ImportReport) -> Result<(), String> {
    let (text, repaired) = text(file)?;
    let said: Vec<&str> =
        text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    if said.is_empty() {
        return Err("nothing is written about the user".to_owned());
    }
    let name = said.iter().find_map(|line| {
        let (label, value) = line.trim_start_matches(['-', '*', ' ']).split_once(':')?;
        let label = label.trim_matches('*').trim();
        let value = value.trim_matches(['*', ' ', '_', '"']);
        (label.eq_ignore_ascii_case("name") && !value.is_empty()).then(|| value.to_owned())
    });
    let title = name
        .map_or_else(|| "How the user wants to be treated".to_owned(), |name| format!("The user: {name}"));
    let mut entry = remembered(Kind::Preference, &title, None, options);
    entry.description = first_sentence(&said.join(" ").replace("**", ""));
    entry.body = format!("{}\n", text.trim());
    let mut source = Source::new(format!("gitclaw/{}", file.relative), Voice::Agent);
    source.title = Some("GitClaw user page".to_owned());
    entry.sources.push(source);
    report.entries.push(Imported { entry, from: file.relative.clone(), repaired });
    Ok(())
}

/// Notes which session an issue was worked on in.
fn mapping(file: &Found, report: &mut ImportReport) -> Result<(), String> {
    let (text, _) = text(file)?;
    let value: Value = serde_json::from_str(&text).map_err(|error| format!("not valid JSON: {error}"))?;
    let issue = match value.get("issueNumber") {
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::String(text)) => text.trim_start_matches('#').to_owned(),
        _ => file.name().trim_end_matches(".json").to_owned(),
    };
    let session = value.get("sessionPath").and_then(Value::as_str).ok_or("it names no session")?;
    if let Some(why) = walk::refuse_path(session) {
        return Err(why);
    }
    report.issue_sessions.push(IssueSession { issue, session: session.to_owned() });
    Ok(())
}

fn remembered(kind: Kind, title: &str, at: Option<Moment>, options: &ImportOptions) -> Entry {
    let day = at.map_or(jiff::civil::Date::constant(1970, 1, 1), Moment::date);
    let mut entry = Entry::new(EntryId::new(kind, day, title), kind, title);
    entry.project.clone_from(&options.project);
    entry.created = at;
    entry.updated = at;
    entry.generated = Some(Stamp { by: "process:gitclaw".to_owned(), at });
    entry.curated_by = Curator::Mixed;
    entry
}

/// Splits `[date] statement`.
fn dated(line: &str) -> (Option<Moment>, &str) {
    let parts = line.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    match parts.map(|(date, rest)| (date.trim().parse::<Moment>(), rest.trim())) {
        Some((Ok(at), rest)) => (Some(at), rest),
        _ => (None, line),
    }
}

/// Tells whether a sentence says how someone wants things, rather than how things are.
fn is_wish(statement: &str) -> bool {
    const OPENING: [&str; 14] = [
        "always", "never", "please", "prefer", "prefers", "use", "do", "don't", "avoid", "call", "address",
        "keep", "make", "remember",
    ];
    const INSIDE: [&str; 9] =
        ["prefers", "wants", "would like", "likes", "should", "must", "asked me to", "wishes", "preference"];
    let lower = statement.to_lowercase();
    let first = lower.split(|c: char| !c.is_alphanumeric() && c != '\'').next().unwrap_or_default();
    OPENING.contains(&first) || INSIDE.iter().any(|words| contains_words(&lower, words))
}

/// Finds words as words, not inside longer ones.
fn contains_words(text: &str, words: &str) -> bool {
    text.match_indices(words).any(|(at, found)| {
        let before = text[..at].chars().next_back().is_none_or(|c| !c.is_alphanumeric());
        let after = text[at + found.len()..].chars().next().is_none_or(|c| !c.is_alphanumeric());
        before && after
    })
}
