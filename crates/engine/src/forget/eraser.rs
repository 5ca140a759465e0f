//! What is to be forgotten, and what is left of texts, lines and entries without it.

use lore_core::forget::{FORGOTTEN, Finds, Phrase, Seal};
use lore_core::{Article, Claim, Entry, Moment, Source, Standing, Status};
use lore_distill::article::follow_standing;
use lore_store::{Sealed, Stored};
use lore_surface::Passage;
use serde_json::Value;

/// Finds what is to be forgotten.
pub(super) struct Eraser {
    pub(super) kind: Sealed,
    /// What is looked for, the longest first: words, and the short form by which a session is cited.
    finders: Vec<Box<dyn Finds>>,
    /// Ids of entries that go with it: what names them may repeat what they said.
    pub(super) entries: Vec<String>,
}

impl Eraser {
    pub(super) fn new(kind: Sealed, phrases: &[Phrase]) -> Eraser {
        let finders = phrases.iter().map(|phrase| Box::new(phrase.clone()) as Box<dyn Finds>).collect();
        Eraser { kind, finders, entries: Vec::new() }
    }

    /// Finds what was forgotten elsewhere and is known here by its seal alone.
    pub(super) fn sealed(kind: Sealed, seal: Seal) -> Eraser {
        Eraser { kind, finders: vec![Box::new(seal)], entries: Vec::new() }
    }

    pub(super) fn is_in(&self, text: &str) -> bool {
        self.finders.iter().any(|finder| finder.is_in(text))
    }

    /// Tells whether a text beside the base has it, or names an entry that goes with it.
    pub(super) fn is_beside(&self, text: &str) -> bool {
        self.is_in(text) || self.entries.iter().any(|id| text.contains(id.as_str()))
    }

    /// Puts a word in the place of what is forgotten; nothing where a text has none of it.
    pub(super) fn scrub(&self, text: &str) -> Option<String> {
        self.finders.iter().fold(None, |left, finder| {
            let scrubbed = finder.scrub(left.as_deref().unwrap_or(text), FORGOTTEN);
            scrubbed.or(left)
        })
    }

    fn scrubbed(&self, text: &str) -> String {
        self.scrub(text).unwrap_or_else(|| text.to_owned())
    }

    /// Says what is left of a line of tracked state; a line about a forgotten session goes.
    pub(super) fn line(&self, line: &str) -> Option<String> {
        if !self.is_in(line) {
            return Some(line.to_owned());
        }
        (self.kind != Sealed::Session).then(|| self.scrubbed(line))
    }

    /// Tells whether a line of a file, which may be JSON, holds it.
    pub(super) fn is_in_line(&self, line: &str) -> bool {
        self.is_beside(line) || serde_json::from_str(line).is_ok_and(|value| self.is_in_value(&value))
    }

    pub(super) fn is_in_value(&self, value: &Value) -> bool {
        match value {
            Value::String(text) => self.is_in(text),
            Value::Array(items) => items.iter().any(|item| self.is_in_value(item)),
            Value::Object(fields) => {
                fields.iter().any(|(key, value)| self.is_in(key) || self.is_in_value(value))
            }
            _ => false,
        }
    }

    /// Takes every thing that holds it out of the lists and tables of a file's value; tells whether the whole value goes.
    /// A person's name alone gives way to another word.
    pub(super) fn strike_value(&self, value: &mut Value) -> bool {
        if self.kind == Sealed::Person {
            self.scrub_value(value);
        }
        let Value::Object(fields) = value else { return self.strike_items(value) };
        let goes = |(key, value): (&String, &mut Value)| self.is_in(key) || self.strike_items(value);
        fields.iter_mut().any(goes)
    }

    /// Takes out what holds it, thing by thing; tells whether it is in what is no list and no table.
    fn strike_items(&self, value: &mut Value) -> bool {
        match value {
            Value::Array(items) => items.retain(|item| !self.is_in_line(&item.to_string())),
            Value::Object(items) => {
                items.retain(|key, item| !self.is_beside(key) && !self.is_in_line(&item.to_string()))
            }
            other => return self.is_in_line(&other.to_string()),
        }
        false
    }

    fn scrub_value(&self, value: &mut Value) {
        match value {
            Value::String(text) => *text = self.scrubbed(text),
            Value::Array(items) => items.iter_mut().for_each(|item| self.scrub_value(item)),
            Value::Object(fields) => fields.values_mut().for_each(|value| self.scrub_value(value)),
            _ => {}
        }
    }

    /// Says what is left of a passage: without a person it says the same, else it goes.
    pub(super) fn passage(&self, passage: &Passage) -> Option<Passage> {
        let is_of_it = self.kind == Sealed::Session && self.is_in(passage.session.as_str());
        let says_it = self.is_in(&passage.text) || passage.files.iter().any(|file| self.is_in(file));
        if is_of_it || (says_it && self.kind == Sealed::Words) {
            return None;
        }
        if !says_it {
            return Some(passage.clone());
        }
        let files = passage.files.iter().map(|file| self.scrubbed(file)).collect();
        Some(Passage { text: self.scrubbed(&passage.text), files, ..passage.clone() })
    }

    /// Tells whether it stands in an entry's file or in its name.
    pub(super) fn has(&self, stored: &Stored) -> bool {
        stored.text().is_some_and(|text| self.is_in(text)) || self.is_in(&stored.path)
    }

    /// Takes what is forgotten out of an entry's statements; nothing where the entry is nothing without it.
    pub(super) fn entry(&self, entry: &Entry, today: Moment) -> Option<Entry> {
        if self.kind == Sealed::Person {
            return Some(entry.clone());
        }
        let mut entry = entry.clone();
        let is_gone = |source: &Source| {
            let of_session = source.session.as_ref().is_some_and(|id| self.is_in(id.as_str()));
            self.kind == Sealed::Session && (of_session || self.is_in(&source.resource))
        };
        let had = entry.sources.len();
        let gone = entry.sources.iter().filter(|source| is_gone(source));
        let gone: Vec<String> = gone.filter_map(|source| source.id.clone()).collect();
        entry.sources.retain(|source| !is_gone(source));
        if had > 0 && entry.sources.is_empty() {
            return None;
        }
        let mut article = Article::parse(&entry.body);
        let removed = self.strike(&mut article, &gone);
        if !removed.is_empty() && article.current().next().is_none() && article.conflict.is_empty() {
            return None;
        }
        if !removed.is_empty() {
            // One side of a dispute is none.
            if article.conflict.len() == 1 {
                let left = article.conflict.remove(0);
                article.lead.insert(0, Claim { standing: Standing::Current, ..left });
                entry.status = Status::Current;
            }
            let day = today.date();
            let standing = Standing::Past { until: Some(Moment::Day(day)), replaced_by: None, reason: None };
            let note = Claim::new(&format!("A statement was removed on {day}."), Vec::new());
            article.history.insert(0, Claim { standing, ..note });
            // A page is not called after what is forgotten.
            follow_standing(&mut entry, &article, &removed);
        }
        if !removed.is_empty() || !gone.is_empty() {
            entry.body = article.render();
        }
        Some(entry)
    }

    /// Takes out the statements that say it or rest on nothing else, and returns them.
    fn strike(&self, article: &mut Article, gone: &[String]) -> Vec<Claim> {
        let goes = |claim: &Claim| {
            let rested = !claim.sources.is_empty() && claim.sources.iter().all(|key| gone.contains(key));
            rested || (self.kind == Sealed::Words && self.is_in(&claim.text))
        };
        let struck = article.claims().filter(|claim| goes(claim)).cloned().collect();
        let Article { lead, why, facts, conflict, doubted, history, .. } = article;
        for claims in [lead, why, facts, conflict, doubted, history] {
            claims.retain(|claim| !goes(claim));
            for claim in claims {
                claim.sources.retain(|key| !gone.contains(key));
                // What took the place of a claim is told below it once more.
                if let Standing::PossiblyReplaced { by, .. } | Standing::Past { replaced_by: by, .. } =
                    &mut claim.standing
                    && self.kind == Sealed::Words
                    && by.as_ref().is_some_and(|words| self.is_in(words))
                {
                    *by = None;
                }
            }
        }
        article.context.retain(|quote| !gone.contains(&quote.source) && !self.is_in(&quote.words));
        article.notes.retain(|note| !gone.contains(&note.id));
        struck
    }
}
