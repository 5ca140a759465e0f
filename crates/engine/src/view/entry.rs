//! One entry of a view: its claims with the words they rest on, and what belongs beside them.

use lore_core::{
    Article, Claim, Confidence, Curator, Entry, Kind, LinkKind, Moment, Source, Standing, Status, one_line,
};
use lore_store::Stored;
use serde::Serialize;

use super::Places;
use super::about::{ViewAbout, about};
use crate::review::{Cause, in_question};

/// An entry, prepared for reading.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ViewEntry {
    /// Its name for ever.
    pub id: String,
    /// Its short name.
    pub handle: String,
    /// What sort of knowledge it is.
    pub kind: Kind,
    /// Its title.
    pub title: String,
    /// One sentence about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Whether it can be relied on.
    pub status: Status,
    /// Why it waits for a person, where it does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub waits: Option<Cause>,
    /// How sure we are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub confidence: Option<Confidence>,
    /// The least trusted voice among its sources.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub voice: Option<&'static str>,
    /// Whose text it is.
    pub written_by: Curator,
    /// Who confirmed it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub confirmed: Vec<ViewStamp>,
    /// Subject words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tags: Vec<String>,
    /// The day it was first known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub created: Option<String>,
    /// The day it last changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated: Option<String>,
    /// Its statements, those that hold first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub claims: Vec<ViewClaim>,
    /// The claims between which a person is to choose, in the order of their numbers from 1 on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sides: Vec<usize>,
    /// What it rests on.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<ViewSource>,
    /// Sections that somebody added.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sections: Vec<ViewSection>,
    /// The page as it stands, where the claims do not say all of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<String>,
    /// What its kind adds, and what else belongs to it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub about: Vec<ViewAbout>,
    /// Its neighbours.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<ViewLink>,
    /// Its file, relative to the base.
    pub path: String,
    /// Which text of it is shown; a decision names it, so that nobody decides about what they did not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
}

/// A statement with its standing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ViewClaim {
    /// Where it stands in the article: `lead`, `why`, `facts`, `conflict`, `doubted` or `history`.
    pub part: &'static str,
    /// The statement.
    pub text: String,
    /// `holds`, `disputed`, `possibly-replaced` or `past`.
    pub standing: &'static str,
    /// The day from which it was doubted, or until which it held.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub day: Option<String>,
    /// Who said it and when, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub said: Option<String>,
    /// What holds instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instead: Option<String>,
    /// Why we think so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// What it rests on, by place among the entry's sources.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<usize>,
}

/// Words that something rests on.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ViewSource {
    /// Its footnote, such as `s1`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// `person`, `agent`, `tool`, `web`.
    pub voice: String,
    /// What opens it with `lore open`.
    pub place: String,
    /// The agent in whose session it was said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<String>,
    /// The line of the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The commit or issue it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub also: Option<String>,
    /// The words, where the page quotes them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<String>,
}

/// Who confirmed something, and when.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ViewStamp {
    /// Who.
    pub by: String,
    /// The day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
}

/// A section that somebody added, as Markdown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ViewSection {
    /// Its heading.
    pub heading: String,
    /// Its Markdown.
    pub text: String,
}

/// A link to another entry.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ViewLink {
    /// How it is linked, in words, read from this entry.
    pub how: &'static str,
    /// The place of the other entry.
    pub entry: usize,
}

/// Prepares one entry.
pub(super) fn of(stored: &Stored, waits: Option<Cause>, places: &Places) -> ViewEntry {
    let entry = &stored.entry;
    let article = Article::parse(&entry.body);
    let listed: Vec<&Claim> = article.claims().collect();
    let (newer, older) = in_question(&article);
    let chosen = newer.into_iter().chain(older);
    let sides = chosen.filter_map(|side| listed.iter().position(|claim| std::ptr::eq(*claim, side)));
    let claims: Vec<ViewClaim> = listed.iter().map(|claim| of_claim(entry, &article, claim)).collect();
    let first = claims.first().map(|claim| claim.text.clone());
    ViewEntry {
        id: entry.id.to_string(),
        handle: entry.id.handle().to_string(),
        kind: entry.kind,
        title: entry.title.clone(),
        description: entry.description.clone().filter(|text| Some(text) != first.as_ref()),
        status: entry.status,
        waits,
        confidence: entry.confidence,
        voice: entry.trust().map(|trust| trust.0.word()),
        written_by: entry.curated_by,
        confirmed: confirmed(entry),
        tags: entry.tags.clone(),
        created: known(entry.created).map(day),
        updated: known(entry.updated).map(day),
        sides: sides.collect(),
        claims,
        sources: entry.sources.iter().map(|source| of_source(source, &article)).collect(),
        sections: sections(&article),
        page: page(entry, &article),
        about: about(entry),
        links: links(entry, places),
        path: stored.path.clone(),
        version: None,
    }
}

/// Says on the other side of each link that it is linked, where that is not said yet.
pub(super) fn link_back(entries: &mut [ViewEntry]) {
    let mut missing = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        for link in &entry.links {
            let knows = |other: &ViewEntry| other.links.iter().any(|back| back.entry == at);
            if entries.get(link.entry).is_some_and(|other| !knows(other)) {
                missing.push((link.entry, ViewLink { how: back(link.how), entry: at }));
            }
        }
    }
    for (at, link) in missing {
        if let Some(entry) = entries.get_mut(at).filter(|entry| !entry.links.contains(&link)) {
            entry.links.push(link);
        }
    }
}

/// Returns a moment that somebody knew; the beginning of the epoch stands for none.
pub(super) fn known(moment: Option<Moment>) -> Option<Moment> {
    moment.filter(|moment| moment.instant() != jiff::Timestamp::UNIX_EPOCH)
}

/// Returns the day of a moment as text.
pub(super) fn day(moment: Moment) -> String {
    moment.date().to_string()
}

fn confirmed(entry: &Entry) -> Vec<ViewStamp> {
    let by_people = entry.verified.iter().filter_map(|stamp| {
        let by = stamp.by.strip_prefix("human:")?.to_owned();
        Some(ViewStamp { by, at: known(stamp.at).map(day) })
    });
    by_people.collect()
}

fn of_claim(entry: &Entry, article: &Article, claim: &Claim) -> ViewClaim {
    let holds = |list: &[Claim]| list.iter().any(|one| std::ptr::eq(one, claim));
    let part = match () {
        () if holds(&article.lead) => "lead",
        () if holds(&article.why) => "why",
        () if holds(&article.facts) => "facts",
        () if holds(&article.conflict) => "conflict",
        () if holds(&article.doubted) => "doubted",
        () => "history",
    };
    let place = |key: &String| entry.sources.iter().position(|source| source.id.as_ref() == Some(key));
    let plain = ViewClaim {
        part,
        text: claim.text.clone(),
        standing: "holds",
        day: None,
        said: None,
        instead: None,
        reason: None,
        sources: claim.sources.iter().filter_map(place).collect(),
    };
    match claim.standing.clone() {
        Standing::Current => plain,
        Standing::Disputed { said } => ViewClaim { standing: "disputed", said, ..plain },
        Standing::PossiblyReplaced { since, by, reason } => ViewClaim {
            standing: "possibly-replaced",
            day: known(since).map(day),
            instead: by,
            reason,
            ..plain
        },
        Standing::Past { until, replaced_by, reason } => {
            ViewClaim { standing: "past", day: known(until).map(day), instead: replaced_by, reason, ..plain }
        }
    }
}

fn of_source(source: &Source, article: &Article) -> ViewSource {
    let of_it = |key: &String| source.id.as_ref() == Some(key);
    let quotes = article.context.iter().filter(|quote| of_it(&quote.source));
    let agent = source.resource.strip_prefix("session://").and_then(|rest| rest.split_once('/'));
    let issue = source.issue.as_ref().map(|issue| format!("issue {issue}"));
    ViewSource {
        key: source.id.clone(),
        voice: source.voice.word().to_owned(),
        place: source.resource.clone(),
        agent: agent.map(|(agent, _)| agent.to_owned()),
        session: source.session.as_ref().map(ToString::to_string),
        line: source.lines.first().copied(),
        at: known(source.at).map(day),
        also: source.commit.as_ref().map(|commit| format!("commit {commit}")).or(issue),
        words: quotes.map(|quote| quote.words.clone()).collect(),
    }
}

fn sections(article: &Article) -> Vec<ViewSection> {
    let section = |section: &lore_core::article::Section| ViewSection {
        heading: section.heading.clone(),
        text: section.body.clone(),
    };
    article.other.iter().filter(|one| !one.body.trim().is_empty()).map(section).collect()
}

/// Returns the Markdown of an entry where taking it apart loses something: code, tables, own headings.
fn page(entry: &Entry, article: &Article) -> Option<String> {
    let body = entry.body.trim();
    let body = body.strip_prefix(&format!("# {}", entry.title)).unwrap_or(body).trim();
    // What is only wrapped or spaced in another way is the same.
    let told = one_line(&article.render());
    (told != one_line(body) && !body.is_empty()).then(|| body.to_owned())
}

fn links(entry: &Entry, places: &Places) -> Vec<ViewLink> {
    let mut out: Vec<ViewLink> = Vec::new();
    for link in &entry.links {
        let Some(at) = places.find(&link.target) else { continue };
        let link = ViewLink { how: how(link.kind), entry: at };
        if !out.contains(&link) {
            out.push(link);
        }
    }
    out
}

const fn how(kind: LinkKind) -> &'static str {
    match kind {
        LinkKind::Related => "related",
        LinkKind::Supersedes => "replaces",
        LinkKind::SupersededBy => "replaced by",
        LinkKind::Contradicts => "contradicts",
        LinkKind::DerivedFrom => "made from",
        LinkKind::Qualifies => "limits",
        LinkKind::QualifiedBy => "limited by",
        LinkKind::RecurrenceOf => "happened before as",
    }
}

/// Says how a link reads from its other end.
fn back(how: &'static str) -> &'static str {
    match how {
        "replaces" => "replaced by",
        "replaced by" => "replaces",
        "made from" => "led to",
        "limits" => "limited by",
        "limited by" => "limits",
        "happened before as" => "happened again as",
        same => same,
    }
}
