//! Typed access to front matter that forgives and reports.

use std::collections::HashMap;

use lore_core::{Confidence, Diagnostic, Level, LinkKind, Moment};
use serde_json::{Map, Value};

use super::node::Node;
use super::parse::Field;
use super::salvage::shorten;

/// Names other tools use for a key of ours; they count only where ours is absent.
pub(super) const SYNONYMS: [(&str, &str); 8] = [
    ("tags", "keywords"),
    ("created", "created_at"),
    ("created", "date"),
    ("updated", "updated_at"),
    ("occurrences", "occurrence_count"),
    ("related", "related_signals"),
    ("related", "related_entries"),
    ("issues", "related_issues"),
];

/// Returns the field that holds a key of ours, under its own name or a synonym.
pub(super) fn find<'f>(fields: &'f [Field], key: &str) -> Option<&'f Field> {
    let by_name = |name: &str| fields.iter().rev().find(|field| field.key == name);
    by_name(key).or_else(|| synonyms(key).find_map(by_name))
}

fn synonyms(key: &str) -> impl Iterator<Item = &'static str> {
    SYNONYMS.iter().filter(move |(ours, _)| *ours == key).map(|(_, theirs)| *theirs)
}

/// The fields of one file while they are being read.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    file: String,
    /// What has not been asked for yet.
    left: Vec<(String, Node, u32)>,
    /// Values of our keys that could not be kept as they stand.
    pub(crate) unread: Vec<(String, Node)>,
    /// What was odd.
    pub(crate) diagnostics: Vec<Diagnostic>,
}

impl Fields {
    /// Takes the fields of a file; `above` is how many lines stand above the front matter.
    pub(crate) fn new(file: &str, fields: Vec<Field>, above: u32) -> Fields {
        let mut out = Fields { file: file.to_owned(), ..Fields::default() };
        let mut places: HashMap<String, usize> = HashMap::with_capacity(fields.len());
        for field in fields {
            let line = field.line + above;
            if let Some(place) = places.get(&field.key) {
                let message = format!("`{}` stands twice; the last one counts", field.key);
                out.left[*place] = (field.key, field.node, line);
                out.report(
                    Level::Warning,
                    "yaml-duplicate-key",
                    line,
                    message,
                    "remove one of the two lines",
                );
            } else {
                places.insert(field.key.clone(), out.left.len());
                out.left.push((field.key, field.node, line));
            }
        }
        out
    }

    /// Makes fields from a mapping that stands in no file of its own.
    pub(crate) fn from_pairs(file: &str, pairs: Vec<(String, Node)>) -> Fields {
        let left = pairs.into_iter().map(|(key, node)| (key, node, 1)).collect();
        Fields { file: file.to_owned(), left, ..Fields::default() }
    }

    /// Mends values that were encoded twice.
    pub(crate) fn repair(&mut self) {
        for (_, node, _) in &mut self.left {
            super::scan::repair(node);
        }
    }

    /// Adds a finding.
    pub(crate) fn report(
        &mut self,
        level: Level,
        code: &str,
        line: u32,
        message: impl Into<String>,
        hint: &str,
    ) {
        let found = Diagnostic::new(level, code, self.file.clone(), message).at_line(line).with_hint(hint);
        self.diagnostics.push(found);
    }

    /// Looks at a value without taking it.
    pub(crate) fn peek(&self, key: &str) -> Option<&Node> {
        self.left.iter().find(|(name, ..)| name == key).map(|(_, node, _)| node)
    }

    /// Sets a value that was not there, or replaces it.
    pub(crate) fn set(&mut self, key: &str, node: Node) {
        match self.left.iter_mut().find(|(name, ..)| name == key) {
            Some(found) => found.1 = node,
            None => self.left.push((key.to_owned(), node, 1)),
        }
    }

    /// Takes a value and its line, under our name for it or a synonym.
    pub(crate) fn take(&mut self, key: &str) -> Option<(Node, u32)> {
        let at = |name: &str| self.left.iter().position(|(known, ..)| known == name);
        let index = at(key).or_else(|| synonyms(key).find_map(at))?;
        let (_, node, line) = self.left.remove(index);
        Some((node, line))
    }

    /// Takes a text.
    pub(crate) fn text(&mut self, key: &str) -> Option<String> {
        let (node, line) = self.take(key)?;
        match &node {
            Node::Plain(text) | Node::Text(text) => {
                let trimmed = text.trim();
                (!trimmed.is_empty()).then(|| trimmed.to_owned())
            }
            Node::Null => None,
            Node::List(items) => {
                let joined = strings(items).join(", ");
                if !items.is_empty() {
                    self.wrong_type(key, &node, line, "a text");
                }
                (!joined.is_empty()).then_some(joined)
            }
            Node::Map(pairs) => {
                if !pairs.is_empty() {
                    self.wrong_type(key, &node, line, "a text");
                    self.unread.push((key.to_owned(), node));
                }
                None
            }
        }
    }

    /// Takes a list of texts.
    pub(crate) fn list(&mut self, key: &str) -> Vec<String> {
        let Some((node, line)) = self.take(key) else { return Vec::new() };
        match &node {
            Node::Null => Vec::new(),
            Node::List(items) => strings(items),
            Node::Plain(text) | Node::Text(text) => {
                if text.trim().is_empty() {
                    return Vec::new();
                }
                // One edge is often written without a list, and means the same.
                if !LinkKind::ALL.iter().any(|kind| kind.key() == key) {
                    self.wrong_type(key, &node, line, "a list");
                }
                // A condition is a sentence; the other lists hold words and names.
                if key == "depends_on" {
                    return vec![text.trim().to_owned()];
                }
                let parts = text.trim_matches(['[', ']']).split(',').map(|part| part.trim().to_owned());
                parts.filter(|part| !part.is_empty()).collect()
            }
            Node::Map(pairs) => {
                if !pairs.is_empty() {
                    self.wrong_type(key, &node, line, "a list");
                    self.unread.push((key.to_owned(), node.clone()));
                }
                strings(std::slice::from_ref(&node))
            }
        }
    }

    /// Takes a day or an instant.
    pub(crate) fn moment(&mut self, key: &str) -> Option<Moment> {
        let (node, line) = self.take(key)?;
        match node.text().map(str::parse::<Moment>) {
            Some(Ok(moment)) => Some(moment),
            _ if node.is_empty() => None,
            _ => {
                let shown = node.text().map_or_else(|| node.sort().to_owned(), shorten);
                let message = format!("`{key}` is not a date: `{shown}`");
                self.report(
                    Level::Warning,
                    "not-a-date",
                    line,
                    message,
                    "write `2026-02-20` or `2026-02-20T12:00:00Z`",
                );
                self.unread.push((key.to_owned(), node));
                None
            }
        }
    }

    /// Takes one of a set of words.
    pub(crate) fn word<T: Copy>(
        &mut self,
        key: &str,
        read: impl Fn(&str) -> Option<T>,
        known: impl Fn() -> String,
    ) -> Option<T> {
        let (node, line) = self.take(key)?;
        if node.is_empty() {
            return None;
        }
        let found = node.text().and_then(|text| read(text.trim()));
        if found.is_none() {
            let shown = node.text().map_or_else(|| node.sort().to_owned(), shorten);
            let message = format!("`{key}` has no value `{shown}`");
            self.report(Level::Warning, "unknown-word", line, message, &format!("use one of {}", known()));
            self.unread.push((key.to_owned(), node));
        }
        found
    }

    /// Takes a confidence, as a word or as a number between 0 and 1 or in percent.
    pub(crate) fn confidence(&mut self, key: &str) -> Option<Confidence> {
        let number = |text: &str| -> Option<Confidence> {
            let (digits, percent) =
                text.strip_suffix('%').map_or((text, false), |digits| (digits.trim(), true));
            let value = digits.parse::<f64>().ok().filter(|value| (0.0..=100.0).contains(value))?;
            let share = if percent || value > 1.0 { value / 100.0 } else { value };
            Some(match share {
                share if share >= 0.8 => Confidence::High,
                share if share >= 0.5 => Confidence::Medium,
                _ => Confidence::Low,
            })
        };
        let as_number = self.peek(key).and_then(Node::text).and_then(|text| number(text.trim()));
        let Some(confidence) = as_number else {
            return self.word(key, Confidence::from_word, || words(Confidence::ALL, |c| c.word()));
        };
        let (node, line) = self.take(key)?;
        let message =
            format!("`{key}` is the number {}; read as `{confidence}`", node.text().unwrap_or_default());
        self.report(Level::Note, "number-for-word", line, message, &format!("write `{key}: {confidence}`"));
        self.unread.push((key.to_owned(), node));
        Some(confidence)
    }

    /// Takes a whole number.
    pub(crate) fn count(&mut self, key: &str) -> Option<u32> {
        let (node, line) = self.take(key)?;
        let found = node.text().and_then(|text| text.trim().parse().ok());
        if found.is_none() && !node.is_empty() {
            let message = format!("`{key}` is not a whole number");
            self.report(Level::Warning, "not-a-number", line, message, &format!("write `{key}: 1`"));
            self.unread.push((key.to_owned(), node));
        }
        found
    }

    /// Takes what nobody asked for.
    pub(crate) fn rest(&mut self) -> Map<String, Value> {
        self.left.drain(..).map(|(key, node, _)| (key, node.to_json())).collect()
    }

    fn wrong_type(&mut self, key: &str, node: &Node, line: u32, expected: &str) {
        let message = format!("`{key}` is {}; {expected} is expected", node.sort());
        let hint = if expected == "a list" {
            format!("write `{key}:` and below it `  - …`")
        } else {
            format!("write `{key}: …` on one line")
        };
        self.report(Level::Note, "wrong-type", line, message, &hint);
    }
}

/// Joins the words of a set for a hint.
pub(crate) fn words<T: Copy>(all: &[T], word: impl Fn(T) -> &'static str) -> String {
    let quoted: Vec<String> = all.iter().map(|value| format!("`{}`", word(*value))).collect();
    quoted.join(", ")
}

/// Flattens a list into texts; `- key: value` that was meant as a sentence becomes one again.
pub(crate) fn strings(items: &[Node]) -> Vec<String> {
    let mut out = Vec::new();
    for item in items {
        match item {
            Node::Null => {}
            Node::Plain(text) | Node::Text(text) => {
                if !text.trim().is_empty() {
                    out.push(text.trim().to_owned());
                }
            }
            Node::List(inner) => out.extend(strings(inner)),
            Node::Map(pairs) => {
                let texts: Vec<String> = pairs
                    .iter()
                    .map(|(key, node)| format!("{key}: {}", strings(std::slice::from_ref(node)).join(", ")))
                    .collect();
                out.push(texts.join(", ").trim().to_owned());
            }
        }
    }
    out
}
