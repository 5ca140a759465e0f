//! The door that every text passes that is written or handed out: no secret goes through it.
//!
//! Entries are refused where they hold one ([`crate::check`]), because a person's words are never
//! rewritten. Everything else that we write down ourselves (reasons, notes of runs, machine state, logs)
//! is redacted here, so that no caller has to think of it. On the way out an entry that holds one, by a
//! person's hand or by a merge, is shown without it. What the user's own patterns match counts as one.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use lore_core::redact::{MARK, PatternError, Redactor};
use lore_core::{ContentHash, Diagnostic, Entry, Level};

use crate::withheld::Withheld;
use crate::{Seals, format};

/// Name of the diagnostic of a file that holds a secret.
pub const SECRET: &str = "secret";

/// What goes through, by our rules and the user's own.
#[derive(Debug, Clone, Default)]
pub struct Door {
    own: Option<Arc<OwnRules>>,
    withheld: Option<Arc<Withheld>>,
}

/// The rules that a user added to ours.
#[derive(Debug)]
struct OwnRules {
    redactor: Redactor,
    /// Tells one set of patterns from another.
    mark: String,
}

impl Door {
    /// Holds back what these patterns match too.
    pub fn with_patterns(patterns: &[String]) -> Result<Door, PatternError> {
        if patterns.is_empty() {
            return Ok(Door::default());
        }
        let redactor = Redactor::with_patterns(patterns)?;
        let mark = ContentHash::of(patterns.join("\n").as_bytes()).short().to_owned();
        Ok(Door { own: Some(Arc::new(OwnRules { redactor, mark })), withheld: None })
    }

    /// Holds back from entries what was forgotten, too.
    #[must_use]
    pub fn with_seals(self, seals: &Seals) -> Door {
        Door { withheld: Withheld::of(seals).map(Arc::new), ..self }
    }

    /// Tells whether anything is held back because it was forgotten.
    pub fn has_seals(&self) -> bool {
        self.withheld.is_some()
    }

    /// Lets through what was forgotten, for whoever takes it out.
    #[must_use]
    pub fn without_seals(&self) -> Door {
        Door { own: self.own.clone(), withheld: None }
    }

    /// Names a file of texts that have gone through; what other rules let through lies elsewhere.
    pub fn name(&self, file: &str) -> String {
        let own = self.own.as_ref().map(|own| own.mark.as_str());
        let withheld = self.withheld.as_ref().map(|withheld| withheld.mark.as_str());
        own.into_iter().chain(withheld).fold(file.to_owned(), |name, mark| format!("{name}-{mark}"))
    }

    fn redactor(&self) -> &Redactor {
        self.own.as_ref().map_or_else(|| Redactor::standard(), |own| &own.redactor)
    }

    /// Takes secrets out of a text that is about to be written or handed out.
    pub fn written<'t>(&self, text: &'t str) -> Cow<'t, str> {
        self.redactor().redact(text).text
    }

    /// Takes secrets out of a text that is about to be written; lines that are JSON stay JSON.
    pub fn written_lines<'t>(&self, text: &'t str) -> Cow<'t, str> {
        match self.written(text) {
            Cow::Borrowed(text) => Cow::Borrowed(text),
            Cow::Owned(_) if text.starts_with('{') => {
                let lines: Vec<Cow<'_, str>> = text.split('\n').map(|line| self.written_line(line)).collect();
                Cow::Owned(lines.join("\n"))
            }
            Cow::Owned(clean) => Cow::Owned(clean),
        }
    }

    /// Takes secrets out of a line of machine state; one that is JSON stays JSON.
    pub fn written_line<'t>(&self, line: &'t str) -> Cow<'t, str> {
        let redacted = self.written(line);
        if matches!(redacted, Cow::Borrowed(_)) || !is_json(line) || is_json(&redacted) {
            return redacted;
        }
        // What was taken out holds the JSON together; its texts are redacted one by one.
        match serde_json::from_str(line) {
            Ok(value) => Cow::Owned(self.cleaned(value).to_string()),
            Err(_) => redacted,
        }
    }

    fn cleaned(&self, value: serde_json::Value) -> serde_json::Value {
        use serde_json::Value;
        match value {
            Value::String(text) => Value::String(self.written(&text).into_owned()),
            Value::Array(items) => Value::Array(items.into_iter().map(|item| self.cleaned(item)).collect()),
            Value::Object(map) => {
                Value::Object(map.into_iter().map(|(key, item)| (key, self.cleaned(item))).collect())
            }
            other => other,
        }
    }

    /// Finds secrets in the text of an entry. Our own hash is random by nature and is none.
    pub(crate) fn found(&self, text: &str) -> Vec<(&'static str, Range<usize>)> {
        let findings = self.redactor().redact(text).findings;
        if findings.is_empty() {
            return Vec::new();
        }
        let hash = format::stored_hash(text)
            .and_then(|hash| text.find(hash.as_str()).map(|at| at..at + hash.as_str().len()));
        let outside = |range: &Range<usize>| {
            hash.as_ref().is_none_or(|hash| range.end <= hash.start || range.start >= hash.end)
        };
        findings
            .into_iter()
            .filter(|finding| outside(&finding.range))
            .map(|finding| (finding.rule, finding.range))
            .collect()
    }

    /// Says which lines of an entry's file hold secrets, and of which sort.
    pub(crate) fn diagnostics(&self, path: &str, text: &str) -> Vec<Diagnostic> {
        let mut all: Vec<Diagnostic> = Vec::new();
        for (rule, range) in self.found(text) {
            let line = u32::try_from(text[..range.start].matches('\n').count() + 1).unwrap_or(u32::MAX);
            let message = format!("holds what looks like a secret ({rule}); agents and exports get `{MARK}`");
            let hint =
                "take it out of the file, and replace it where it is used: git keeps what was committed";
            let one = Diagnostic::new(Level::Error, SECRET, path, message).at_line(line).with_hint(hint);
            if !all.contains(&one) {
                all.push(one);
            }
        }
        all.extend(self.withheld.iter().flat_map(|withheld| withheld.diagnostics(path, text)));
        all
    }

    /// Returns the first words of an entry's new text that were forgotten, and that were not there before.
    pub(crate) fn forgotten_anew(&self, text: &str, before: Option<&str>) -> Option<Range<usize>> {
        self.withheld.as_ref()?.first_new(text, before)
    }

    /// Returns the text of an entry's file without its secrets and what was forgotten, or nothing where it holds none.
    pub(crate) fn shown_text(&self, text: &str) -> Option<String> {
        let clean = self.without_secrets(text);
        let withheld = self.withheld.as_ref();
        withheld.and_then(|withheld| withheld.without(clean.as_deref().unwrap_or(text))).or(clean)
    }

    /// Returns words that stand in no file without their secrets and what was forgotten, or nothing where they hold none.
    pub fn shown_words(&self, words: &str) -> Option<String> {
        let clean = match self.written(words) {
            Cow::Borrowed(_) => None,
            Cow::Owned(clean) => Some(clean),
        };
        let withheld = self.withheld.as_ref();
        withheld.and_then(|withheld| withheld.without_words(clean.as_deref().unwrap_or(words))).or(clean)
    }

    fn without_secrets(&self, text: &str) -> Option<String> {
        let found = self.found(text);
        if found.is_empty() {
            return None;
        }
        let mut out = String::with_capacity(text.len());
        let mut at = 0;
        for (_, range) in found {
            out.push_str(&text[at..range.start]);
            out.push_str(MARK);
            at = range.end;
        }
        out.push_str(&text[at..]);
        Some(out)
    }

    /// Returns an entry as it may be handed out, or nothing where it may be as it is.
    pub(crate) fn shown(&self, path: &str, text: &str, entry: &Entry) -> Option<Entry> {
        let clean = format::read(path, self.shown_text(text)?.as_bytes()).entry?;
        // Names lead to files and to each other; they are not told, they are looked up.
        Some(Entry {
            id: entry.id.clone(),
            aliases: entry.aliases.clone(),
            curated_by: entry.curated_by,
            ..clean
        })
    }
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok()
}

/// Gives an entry the words back that were taken out when it was handed out, so that writing it again
/// changes nothing that nobody meant to change.
pub(crate) fn with_own_words(mut entry: Entry, old: &Entry, shown: &Entry) -> Entry {
    if entry.title == shown.title {
        entry.title.clone_from(&old.title);
    }
    if entry.description == shown.description {
        entry.description.clone_from(&old.description);
    }
    if entry.tags == shown.tags {
        entry.tags.clone_from(&old.tags);
    }
    if entry.body == shown.body {
        entry.body.clone_from(&old.body);
    }
    if entry.detail == shown.detail {
        entry.detail.clone_from(&old.detail);
    }
    if entry.extra == shown.extra {
        entry.extra.clone_from(&old.extra);
    }
    for (source, (before, known)) in entry.sources.iter_mut().zip(old.sources.iter().zip(&shown.sources)) {
        if source == known {
            source.clone_from(before);
        }
    }
    entry
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_stays_json() {
        let line = r#"{"agent":"a","issue":"password is \"Falcon42\""}"#;
        let door = Door::default();
        let clean = door.written_line(line);
        assert!(!clean.contains("Falcon42") && is_json(&clean), "{clean}");
        assert_eq!(door.written_line("nothing\tto see"), "nothing\tto see");
    }

    #[test]
    fn an_entry_is_shown_without_its_secrets() {
        let text = "---\ntype: fact\ntitle: Staging\n---\n\nThe password is Falcon42, for all.\n";
        let entry = format::read("project/staging.md", text.as_bytes()).entry.unwrap();
        let door = Door::default();
        let shown = door.shown("project/staging.md", text, &entry).unwrap();
        assert_eq!(shown.body.trim(), format!("The password is {MARK}, for all."));
        assert_eq!(with_own_words(shown.clone(), &entry, &shown).body, entry.body);
        let said = door.diagnostics("project/staging.md", text);
        assert_eq!((said.len(), said[0].place.line, said[0].code.as_str()), (1, Some(6), SECRET));
        assert!(!said[0].message.contains("Falcon42"));
    }
    #[test]
    fn a_users_own_patterns_hold_at_the_door() {
        let door = Door::with_patterns(&["ACME-[0-9]+".to_owned()]).unwrap();
        assert_eq!(door.written("case ACME-17 is open"), format!("case {MARK} is open"));
        let line = r#"{"asked":"what of ACME-17?"}"#;
        assert!(is_json(&door.written_line(line)) && !door.written_line(line).contains("ACME-17"));
        let text = "---\ntype: fact\ntitle: Case ACME-17\n---\n\nIt is open.\n";
        let entry = format::read("project/case.md", text.as_bytes()).entry.unwrap();
        assert_eq!(door.shown("project/case.md", text, &entry).unwrap().title, format!("Case {MARK}"));
        assert_ne!(door.name("entries"), Door::default().name("entries"));
        assert!(Door::with_patterns(&["(".to_owned()]).is_err());
    }
}
