//! What clients get back: shapes of our own, so that they stay when the inside changes.

use std::borrow::Cow;

use lore_core::handle::shown as shown_name;
use lore_core::recall::Hit;
use lore_core::{EntryId, sentinel};
use lore_engine::brief::Briefing;
use lore_engine::context;
use lore_engine::learn;
use lore_engine::meet::{Meeting, Met};
use lore_engine::query::{self, Neighbourhood};
use lore_engine::reference::Opened;
use lore_engine::surfacing;
use lore_engine::written::Written;
use schemars::JsonSchema;
use serde::Serialize;

use super::words::{framed, over_here};

/// No more characters of a session or a file are given at once.
const LONGEST: usize = 12_000;

/// An entry that was found.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct FoundEntry {
    /// Its id, for citing and for `get`.
    id: String,
    kind: String,
    title: String,
    /// current, outdated, superseded or disputed.
    status: String,
    /// Whether the machine wrote it and no person has confirmed it.
    unreviewed: bool,
    /// By what the code shows that it no longer holds; empty where it does not.
    broken: String,
    /// How well it fits, from 0 to 1.
    score: f64,
    /// The words that matter.
    snippet: String,
    /// Why it was chosen.
    why: Vec<String>,
    /// The day it last changed; empty where unknown.
    changed: String,
    /// What replaced it.
    replaced_by: Vec<String>,
    /// The project it is from; empty for this one.
    project: String,
}

/// Words from a past session that nobody has curated.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct SaidWords {
    text: String,
    /// Session and line.
    source: String,
    /// Whose words: person, agent.
    voice: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Found {
    hits: Vec<FoundEntry>,
    /// What was said in past sessions: uncurated, below every hit.
    said: Vec<SaidWords>,
    /// What files say about it, below a person's word.
    written: Vec<WrittenText>,
    /// What to do where there is no hit; empty otherwise.
    nothing: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct WholeEntry {
    id: String,
    /// The kind of an entry; otherwise footnote, session, commit, file, issue, link or removed.
    kind: String,
    title: String,
    /// Empty for what is no entry.
    status: String,
    /// Whether the machine wrote it and no person has confirmed it.
    unreviewed: bool,
    /// high, medium, low or unknown.
    confidence: String,
    tags: Vec<String>,
    /// Its file, relative to the base; empty for what is no entry.
    path: String,
    /// The file: front matter and Markdown; or the words that are cited, with what stands around them.
    text: String,
    /// Entries that point here, as `kind id`.
    linked_from: Vec<String>,
    /// What is around an entry, as text; only where that was asked for.
    graph: String,
    /// Entries that are alike without being linked; only where that was asked for.
    similar: Vec<FoundEntry>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct BriefText {
    summary: String,
    /// The whole brief as Markdown.
    markdown: String,
    /// Entries it rests on.
    entries: Vec<String>,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ContextText {
    /// The text; empty where there is nothing to say.
    text: String,
    tokens: usize,
    /// Entries in it.
    entries: Vec<String>,
    /// Why nothing is said; empty otherwise.
    silent: String,
    /// Entries that contradict the approach.
    dismissed: Vec<String>,
    /// Spikes that need not be run.
    spikes_avoided: Vec<String>,
}

/// A line of a file that people or agents wrote.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct WrittenText {
    text: String,
    /// File and line.
    source: String,
    /// file, yours or confirmed.
    standing: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct LearnedEntry {
    /// added, linked, known, or disputed where it contradicts the entry that is named.
    outcome: String,
    id: String,
    path: String,
    /// Entries it is close to.
    close_to: Vec<String>,
    /// What it met among what is known, in words: which entry says the same or contradicts it, and what that says; empty
    /// where it met nothing.
    met: String,
    /// The pattern that it became part of; empty where it did not.
    pattern: String,
}

#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Marked {
    pub(super) id: String,
    pub(super) outcome: String,
}

impl From<&Hit> for FoundEntry {
    fn from(hit: &Hit) -> FoundEntry {
        FoundEntry {
            id: hit.id.handle().to_string(),
            kind: hit.kind.to_string(),
            title: hit.title.clone(),
            status: hit.status.to_string(),
            unreviewed: hit.unreviewed,
            broken: hit.broken.clone().unwrap_or_default(),
            score: hit.score,
            snippet: hit.snippet.clone(),
            why: hit.why.clone(),
            changed: hit.changed.map(|at| at.date().to_string()).unwrap_or_default(),
            replaced_by: hit.replaced_by.iter().map(|id| shown_name(id)).collect(),
            project: hit.project.clone().unwrap_or_default(),
        }
    }
}

impl From<query::Found> for Found {
    fn from(found: query::Found) -> Found {
        let said = |said: query::Said| SaidWords {
            text: sentinel::wrap(&said.text),
            source: said.source,
            voice: said.voice.word().to_owned(),
        };
        Found {
            hits: found.hits.iter().map(FoundEntry::from).collect(),
            said: found.said.into_iter().map(said).collect(),
            written: found.written.into_iter().map(WrittenText::from).collect(),
            nothing: found.nothing.as_deref().map(over_here).unwrap_or_default(),
        }
    }
}

impl From<Opened> for WholeEntry {
    fn from(opened: Opened) -> WholeEntry {
        let Opened { what, name, title, line, text, note, entry, .. } = opened;
        let Some(shown) = entry else {
            let note = note.map(|note| format!("\n({})", over_here(&note))).unwrap_or_default();
            return WholeEntry {
                id: name,
                kind: what.to_owned(),
                title,
                status: String::new(),
                unreviewed: false,
                confidence: "unknown".to_owned(),
                tags: Vec::new(),
                path: String::new(),
                text: sentinel::wrap(&format!("{}{note}", bounded(&text))),
                linked_from: Vec::new(),
                graph: String::new(),
                similar: Vec::new(),
            };
        };
        let entry = shown.entry;
        let unreviewed = entry.is_unreviewed();
        WholeEntry {
            id: entry.id.handle().to_string(),
            kind: entry.kind.to_string(),
            title: entry.title,
            unreviewed,
            status: entry.status.to_string(),
            confidence: entry.confidence.map_or("unknown", |confidence| confidence.word()).to_owned(),
            tags: entry.tags,
            path: shown.path,
            text: sentinel::wrap(if line.is_some() { &text } else { &shown.text }),
            linked_from: shown
                .linked_from
                .iter()
                .map(|link| format!("{} {}", link.kind.key(), shown_name(&link.target)))
                .collect(),
            graph: String::new(),
            similar: Vec::new(),
        }
    }
}

impl From<(Opened, Option<Neighbourhood>)> for WholeEntry {
    fn from((opened, around): (Opened, Option<Neighbourhood>)) -> WholeEntry {
        let mut whole = WholeEntry::from(opened);
        if let Some(around) = around {
            whole.graph = sentinel::wrap(&around.to_text());
            whole.similar = around.similar.iter().map(FoundEntry::from).collect();
        }
        whole
    }
}

/// Cuts a long session to what an agent can read at once.
fn bounded(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => Cow::Owned(format!("{}\n… cut here; name a line to see more", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

impl From<Briefing> for BriefText {
    fn from(brief: Briefing) -> BriefText {
        let past = brief.past_issues.iter().map(|past| &past.hit);
        let hits = brief.must_know.iter().chain(past).chain(&brief.anti_patterns);
        BriefText {
            entries: hits.map(|hit| hit.id.handle().to_string()).collect(),
            summary: brief.summary,
            markdown: sentinel::wrap(&brief.markdown),
        }
    }
}

impl From<context::Context> for ContextText {
    fn from(context: context::Context) -> ContextText {
        ContextText {
            text: framed(&context.text),
            tokens: context.tokens,
            entries: context.items.iter().map(|item| shown_name(&item.id)).collect(),
            silent: context.silent.unwrap_or_default(),
            dismissed: Vec::new(),
            spikes_avoided: Vec::new(),
        }
    }
}

impl From<Written> for WrittenText {
    fn from(written: Written) -> WrittenText {
        WrittenText {
            text: sentinel::wrap(&written.text),
            source: format!("{}:{}", written.file, written.line),
            standing: written.standing.word().to_owned(),
        }
    }
}

impl From<surfacing::Surfaced> for ContextText {
    fn from(surfaced: surfacing::Surfaced) -> ContextText {
        ContextText {
            silent: String::new(),
            text: framed(&surfaced.text),
            tokens: surfaced.tokens,
            entries: surfaced.items.iter().map(|item| shown_name(&item.id)).collect(),
            dismissed: surfaced.dismissed.iter().map(|one| shown_name(&one.id)).collect(),
            spikes_avoided: surfaced.spikes_avoided.iter().map(|spike| shown_name(&spike.id)).collect(),
        }
    }
}

impl From<learn::Learned> for LearnedEntry {
    fn from(learned: learn::Learned) -> LearnedEntry {
        LearnedEntry {
            outcome: learned.outcome.to_owned(),
            id: learned.id.handle().to_string(),
            path: learned.path,
            close_to: learned.close_to.into_iter().map(|(id, _)| id.handle().to_string()).collect(),
            met: learned.met.as_ref().map(|met| sentinel::wrap(&met_in_words(met))).unwrap_or_default(),
            pattern: learned.pattern.map(|id| id.handle().to_string()).unwrap_or_default(),
        }
    }
}

/// Says what something new met among what is known.
fn met_in_words(met: &Met) -> String {
    let does = match met.how {
        Meeting::Known => "says the same as",
        Meeting::Replaces => "replaces",
        Meeting::Changes => "changes a part of",
        Meeting::Contradicts if met.unsure => "may contradict",
        Meeting::Contradicts => "contradicts",
        Meeting::Beside => "stands beside",
    };
    let follows = match met.how {
        Meeting::Known => "; nothing was written",
        Meeting::Contradicts => "; both are shown until a person decides",
        _ => "",
    };
    let one = |id: &EntryId, said: &str| format!("[{}] “{said}”", id.handle());
    let all: Vec<String> = std::iter::once(one(&met.id, &met.said))
        .chain(met.also.iter().map(|also| one(&also.id, &also.said)))
        .collect();
    format!("{does} {}{follows}", all.join(", "))
}
