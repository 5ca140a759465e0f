//! What waits, in words that are fit for the screen, and by what it can be grouped.

use lore_engine::curator::EditQuestion;
use lore_engine::entries::Item;
use lore_engine::review::Pending;

use crate::screen::text::one_line;

/// By what a list can be grouped and narrowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Facet {
    Kind,
    State,
    Confidence,
}

impl Facet {
    pub(crate) const ALL: [Facet; 3] = [Facet::Kind, Facet::State, Facet::Confidence];

    pub(crate) const fn word(self) -> &'static str {
        match self {
            Facet::Kind => "kind",
            Facet::State => "state",
            Facet::Confidence => "confidence",
        }
    }
}

/// What waits: an entry, or an editor's question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Awaited {
    Entry,
    Question,
}

/// An entry that waits, in words that are fit for the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Awaiting {
    pub(crate) id: String,
    pub(crate) handle: String,
    pub(crate) title: String,
    pub(crate) day: String,
    /// What somebody else decided about it.
    pub(crate) note: Option<String>,
    pub(crate) sort: Awaited,
    facets: [String; 3],
    /// What a search looks in.
    pub(super) found: String,
}

impl Awaiting {
    pub(crate) fn of(pending: &Pending) -> Awaiting {
        let item = &pending.item;
        let title = one_line(&item.title);
        let about = item.description.as_deref().unwrap_or_default();
        let found = format!("{title} {about} {} {} {}", item.handle, item.id, item.tags.join(" "));
        Awaiting {
            id: item.id.to_string(),
            handle: item.handle.to_string(),
            day: item.updated.map(|at| at.date().to_string()).unwrap_or_default(),
            note: pending.rejected.as_deref().map(one_line),
            facets: [
                item.kind.to_string(),
                pending.cause.word().to_owned(),
                item.confidence.map_or_else(|| "unknown".to_owned(), |confidence| confidence.to_string()),
            ],
            found: found.to_lowercase(),
            sort: Awaited::Entry,
            title,
        }
    }

    /// Takes in a question of an editor: it waits like an entry, whatever it is about.
    pub(crate) fn asked(question: &EditQuestion) -> Awaiting {
        let title = one_line(&question.title);
        let kind = question.entry.as_ref().and_then(|entry| entry.kind());
        let day = question.lines.iter().filter_map(|line| line.at).max();
        Awaiting {
            id: question.id.clone(),
            handle: one_line(&question.id),
            day: day.map(|at| at.date().to_string()).unwrap_or_default(),
            note: None,
            facets: [
                kind.map_or_else(|| "question".to_owned(), |kind| kind.to_string()),
                "question".to_owned(),
                "unknown".to_owned(),
            ],
            found: format!("{title} {} {}", question.question, question.id).to_lowercase(),
            sort: Awaited::Question,
            title,
        }
    }

    pub(crate) fn facet(&self, facet: Facet) -> &str {
        &self.facets[facet as usize]
    }
}

/// An entry that another can be merged into or replaced by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Heir {
    pub(crate) id: String,
    pub(crate) handle: String,
    pub(crate) title: String,
    pub(crate) kind: String,
    pub(super) found: String,
}

impl Heir {
    pub(crate) fn of(item: &Item) -> Heir {
        let title = one_line(&item.title);
        let found = format!("{title} {} {}", item.handle, item.id).to_lowercase();
        Heir {
            id: item.id.to_string(),
            handle: item.handle.to_string(),
            kind: item.kind.to_string(),
            title,
            found,
        }
    }
}
