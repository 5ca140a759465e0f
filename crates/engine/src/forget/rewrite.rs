//! Putting another word in the place of what is forgotten: in what was written into a file, not in what gives it its form.

use std::mem::discriminant;

use lore_core::{Article, Claim, Entry, Standing};
use lore_store::format;

use super::eraser::Eraser;

/// Its value follows from the kind, whatever stands there.
const TOPIC: &str = "topic:";

/// Returns a file's text without what is forgotten. A word that is a key, a state or a heading of the file stays there.
pub(super) fn without(eraser: &Eraser, path: &str, text: &str) -> String {
    let Some(whole) = eraser.scrub(text) else { return text.to_owned() };
    let form = |text: &str| form(eraser, path, text);
    let Some(wanted) = form(text) else { return whole };
    if form(&whole).as_ref() == Some(&wanted) {
        return whole;
    }
    let mut lines: Vec<String> = text.split_inclusive('\n').map(str::to_owned).collect();
    for at in 0..lines.len() {
        let old = lines[at].clone();
        // All of a line is what somebody wrote, or what stands behind its key.
        for new in [eraser.scrub(&old), behind_key(eraser, &old)].into_iter().flatten() {
            lines[at] = new;
            if form(&lines.concat()).as_ref() == Some(&wanted) {
                break;
            }
            lines[at].clone_from(&old);
        }
    }
    lines.concat()
}

fn behind_key(eraser: &Eraser, line: &str) -> Option<String> {
    let (key, value) = line.split_once(": ")?;
    Some(format!("{key}: {}", eraser.scrub(value)?))
}

/// Says of a path what is left of its file name; the folder follows from the kind.
pub(super) fn path_without(eraser: &Eraser, entry: &Entry, path: &str) -> Option<String> {
    let topic = entry.kind.topic();
    match path.strip_prefix(topic).and_then(|rest| rest.strip_prefix('/')) {
        Some(rest) => Some(format!("{topic}/{}", eraser.scrub(rest)?)),
        None => eraser.scrub(path),
    }
}

/// Describes everything in a file that is not somebody's words; nothing where it is no entry.
fn form(eraser: &Eraser, path: &str, text: &str) -> Option<String> {
    let read = format::read(path, text.as_bytes());
    let faults: Vec<_> =
        read.diagnostics.iter().map(|fault| (fault.place.line, fault.code.clone())).collect();
    let entry = read.entry?;
    let topics: Vec<&str> = text.lines().filter(|line| line.starts_with(TOPIC)).collect();
    let scheme = |name: &str| name.split_once(':').map(|(scheme, _)| scheme.to_owned());
    let sources: Vec<_> = entry
        .sources
        .iter()
        .map(|source| {
            (
                &source.id,
                scheme(&source.resource),
                source.voice,
                &source.lines,
                source.at,
                source.session.is_some(),
            )
        })
        .collect();
    let stamps: Vec<_> =
        entry.generated.iter().chain(&entry.verified).map(|stamp| (scheme(&stamp.by), stamp.at)).collect();
    let counts = [
        entry.title.len().min(1),
        usize::from(entry.description.is_some()),
        entry.tags.len(),
        entry.depends_on.len(),
        entry.files.len(),
        entry.issues.len(),
        entry.aliases.len(),
    ];
    let links: Vec<_> = entry.links.iter().map(|link| link.kind).collect();
    let keys: Vec<_> = entry.extra.keys().collect();
    let times = (entry.created, entry.updated, entry.stale_after, entry.last_auto_curated);
    let states =
        (entry.id.kind(), entry.kind, entry.status, entry.confidence, entry.curated_by, entry.occurrences);
    // What a kind adds holds words and states side by side: the words may change, and nothing else.
    let detail = format!("{:?}", entry.detail);
    let detail = (discriminant(&entry.detail), eraser.scrub(&detail).unwrap_or(detail));
    let body = shape(&Article::parse(&entry.body));
    Some(format!(
        "{faults:?} {topics:?} {states:?} {times:?} {counts:?} {sources:?} {stamps:?} {links:?} {keys:?} {detail:?} {body}"
    ))
}

/// Describes an article without its words.
fn shape(article: &Article) -> String {
    let claims = |claims: &[Claim]| {
        let standing = |claim: &Claim| match &claim.standing {
            Standing::Past { until, replaced_by, reason } => {
                format!("past {until:?} {} {}", replaced_by.is_some(), reason.is_some())
            }
            Standing::PossiblyReplaced { since, .. } => format!("doubted {since:?}"),
            Standing::Disputed { .. } => "disputed".to_owned(),
            Standing::Current => "current".to_owned(),
        };
        claims.iter().map(|claim| (standing(claim), claim.sources.clone())).collect::<Vec<_>>()
    };
    let Article { lead, why, facts, conflict, doubted, context, other, history, related, notes } = article;
    let parts = [lead, why, facts, conflict, doubted, history].map(|part| claims(part));
    let rest = [context.len(), other.len(), related.len(), notes.len()];
    format!("{parts:?} {rest:?}")
}

#[cfg(test)]
mod tests {
    use lore_core::forget::Phrase;
    use lore_store::Sealed;

    use super::*;

    const FILE: &str = "\
---
id: prf-2026-02-20-log-lines-are-json
type: preference
topic: preferences
title: The current log lines are JSON
tags:
  - current
created: \"2026-02-20T10:00:00Z\"
status: current
sources:
  - id: s1
    resource: human:current
    voice: person
curated_by: human
---

The title says what is current, says a person.[^s1]

## History

- The history of a person.[^s1]
  Until 2026-02-20

[^s1]: A person
";

    #[test]
    fn only_what_was_written_gives_way() {
        let check = |words: &str, expected: &[(&str, &str)]| {
            let eraser = Eraser::new(Sealed::Words, &[Phrase::new(words).unwrap()]);
            let left = without(&eraser, "preferences/log-lines-are-json.md", FILE);
            let changed: Vec<(&str, &str)> =
                FILE.lines().zip(left.lines()).filter(|(before, after)| before != after).collect();
            assert_eq!(changed, expected, "{words}");
        };
        check(
            "current",
            &[
                ("title: The current log lines are JSON", "title: The forgotten log lines are JSON"),
                ("  - current", "  - forgotten"),
                ("    resource: human:current", "    resource: human:forgotten"),
                (
                    "The title says what is current, says a person.[^s1]",
                    "The title says what is forgotten, says a person.[^s1]",
                ),
            ],
        );
        check("history", &[("- The history of a person.[^s1]", "- The forgotten of a person.[^s1]")]);
    }
}
