//! Taking in what somebody learned: told by hand, out of an issue, out of a review.
//!
//! A near copy of what is known is not written again; something close is linked; findings that keep
//! coming back become a pattern.

use lore_core::recall::Query;
use lore_core::{
    Confidence, Detail, Entry, EntryId, Kind, Link, LinkKind, PatternType, Severity, Source, Status, Voice,
};
use lore_surface::Index;
use serde::{Deserialize, Serialize};

use crate::curate::Rests;
use crate::meet::{Meeting, Met};
use crate::opposed::Opposed;
use crate::review::replace_all;
use crate::{Engine, Error};

/// From this likeness on it is known already.
const KNOWN: f64 = 0.95;
/// From this likeness on the two are linked.
const LINKED: f64 = 0.85;
/// From this likeness on findings are of one sort.
const SAME_SORT: f64 = 0.7;
/// So many findings of one sort make a pattern.
const PATTERN_AFTER: usize = 3;
/// How many neighbours are compared.
const NEIGHBOURS: usize = 12;

/// What somebody learned; the same fields in JSON.
#[derive(Debug, Clone, PartialEq, Default, Deserialize)]
#[serde(default)]
pub struct Lesson {
    /// `decision`, `resolution`, `pattern`, `feedback`, or another kind.
    #[serde(rename = "type", alias = "kind")]
    pub kind: Option<String>,
    /// What it says, in a few words.
    #[serde(alias = "name", alias = "issue_title", alias = "finding")]
    pub title: String,
    /// The text below the title.
    #[serde(alias = "description", alias = "decision", alias = "problem", alias = "body")]
    pub text: String,
    /// Why.
    #[serde(alias = "why")]
    pub rationale: Option<String>,
    /// What was done about it, or should be.
    #[serde(alias = "recommendation")]
    pub solution: Option<String>,
    /// Where it applies.
    #[serde(alias = "when_to_use")]
    pub when: Option<String>,
    /// Options that were refused.
    pub alternatives: Vec<lore_core::Alternative>,
    /// Category of the cause.
    pub root_cause: Option<String>,
    /// `bug`, `feature`, ….
    pub issue_type: Option<String>,
    /// How long it took.
    pub time_to_resolve: Option<String>,
    /// Agents that worked on it.
    pub agents_used: Vec<String>,
    /// Tests that now guard it.
    pub tests_added: Vec<String>,
    /// `pattern` or `anti-pattern`.
    pub pattern_type: Option<String>,
    /// How bad a finding is.
    pub severity: Option<String>,
    /// `security`, `quality`, `performance`, `style`, `other`.
    pub category: Option<String>,
    /// Subject words.
    pub tags: Vec<String>,
    /// Part of the system.
    pub domain: Option<String>,
    /// Files it is about.
    #[serde(alias = "files_changed")]
    pub files: Vec<String>,
    /// Issues it belongs to.
    pub issues: Vec<String>,
    /// The agent's session it was learned in; of no account for a person.
    pub session: Option<String>,
}

/// What became of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Learned {
    /// `added`, `linked` (added, and linked to something close), `known` (nothing was written) or
    /// `disputed` (it contradicts what is known, and stands there or beside it as the other side).
    pub outcome: &'static str,
    /// The entry that says it now.
    pub id: EntryId,
    /// Its title.
    pub title: String,
    /// Its file, relative to the base.
    pub path: String,
    /// What is close to it, and how close.
    pub close_to: Vec<(EntryId, f64)>,
    /// What it met among what was known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub met: Option<Met>,
    /// The pattern that it became part of, where it did.
    pub pattern: Option<EntryId>,
    /// Whether only a rehearsal was asked for.
    pub dry_run: bool,
}

impl Learned {
    /// It stands in an entry that was there before.
    fn in_known(
        outcome: &'static str,
        (id, title, path): (EntryId, String, String),
        met: Met,
        (close_to, dry_run): (Vec<(EntryId, f64)>, bool),
    ) -> Learned {
        Learned { outcome, id, title, path, close_to, met: Some(met), pattern: None, dry_run }
    }
}

impl Engine {
    /// Takes in what somebody learned.
    pub fn learn(&self, lesson: &Lesson, dry_run: bool) -> Result<Learned, Error> {
        self.keep_private(&lesson.tags)?;
        let mut entry = self.entry_of(lesson)?;
        if !entry.files.is_empty() {
            let mut rests = Rests::new(self);
            entry.depends_on = rests.of_files(&entry);
            if !dry_run {
                rests.save();
            }
        }
        let text = format!("{}\n{}", entry.title, entry.body);
        let index = self.library()?;
        let near = self.near(&index, &entry, &text)?;
        let close_to: Vec<(EntryId, f64)> = near
            .iter()
            .filter(|(_, like)| *like >= LINKED)
            .map(|(other, like)| (other.id.clone(), *like))
            .collect();
        let is_known = |(other, like): &&(Entry, f64)| *like > KNOWN || self.disputes_already(other, &entry);
        if let Some((known, like)) = near.iter().find(is_known) {
            let path = self.store.snapshot()?.resolve(known.id.as_str())?.path.clone();
            let (id, title) = (known.id.clone(), known.title.clone());
            let said = known.description.clone().unwrap_or_else(|| title.clone());
            let (how, also) = (Meeting::Known, Vec::new());
            let met = Met { how, id: id.clone(), title: title.clone(), said, also, unsure: false };
            let close_to = vec![(id.clone(), *like)];
            return Ok(Learned::in_known("known", (id, title, path), met, (close_to, dry_run)));
        }
        entry.links.extend(close_to.iter().map(|(id, _)| Link::new(LinkKind::Related, id.as_str())));
        let mut transaction = self.begin("learn")?;
        if let Some(opposed) = self.against_known(&entry, &mut transaction)? {
            if !dry_run {
                self.commit(transaction, &format!("dispute {}", opposed.id))?;
            }
            let Opposed { id, title, path, met } = opposed;
            return Ok(Learned::in_known("disputed", (id, title, path), met, (close_to, dry_run)));
        }
        entry.id = transaction.free_id(&entry.id);
        let met = self.meet(&entry, &transaction)?.filter(|met| met.how != Meeting::Known);
        let changed = match &met {
            Some(met) => self.tie(&mut entry, met, &transaction)?,
            None => Vec::new(),
        };
        let opposed = if met.is_none() { self.against_laid_down(&entry)? } else { None };
        if let Some(opposed) = &opposed {
            // What was laid down stays as it is: an agent's word is no reason to doubt it.
            let ids = std::iter::once(&opposed.id).chain(opposed.also.iter().map(|also| &also.id));
            entry.links.extend(ids.map(|id| Link::new(LinkKind::Contradicts, id.as_str())));
            entry.status = Status::Disputed;
        }
        entry.links.dedup();
        let (id, title, kind) = (entry.id.clone(), entry.title.clone(), entry.kind);
        let written = transaction.create(entry.clone())?;
        replace_all(&mut transaction, changed)?;
        let mut pattern = None;
        if kind == Kind::Feedback {
            let findings: Vec<&Entry> = near
                .iter()
                .filter(|(other, like)| *like >= SAME_SORT && same_sort(other, &entry))
                .map(|(other, _)| other)
                .collect();
            pattern = self.promote(&mut transaction, &entry, &findings)?;
        }
        if !dry_run {
            self.commit(transaction, &format!("learn {id}"))?;
        }
        let outcome = match (&opposed, close_to.is_empty()) {
            (Some(_), _) => "disputed",
            (None, true) => "added",
            (None, false) => "linked",
        };
        let met = met.or(opposed);
        Ok(Learned { outcome, id, title, path: written.path, close_to, met, pattern, dry_run })
    }

    /// Lists entries of the same kind by likeness, the nearest first.
    fn near(&self, index: &Index, entry: &Entry, text: &str) -> Result<Vec<(Entry, f64)>, Error> {
        let query = Query { kinds: vec![entry.kind], limit: Some(NEIGHBOURS), ..Query::text(text) };
        let snapshot = index.snapshot();
        let mut near = Vec::new();
        for hit in snapshot.search(&query, self.world.moment())? {
            if let Some(card) = snapshot.card(hit.id.as_str())?.filter(|card| card.entry.kind == entry.kind) {
                let like = index.alike(text, &format!("{}\n{}", card.entry.title, card.entry.body));
                near.push((card.entry, like));
            }
        }
        near.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| a.0.id.cmp(&b.0.id)));
        Ok(near)
    }

    /// Makes a pattern of findings of one sort, or adds to the one that was made of them.
    fn promote(
        &self,
        transaction: &mut lore_store::Transaction<'_>,
        finding: &Entry,
        others: &[&Entry],
    ) -> Result<Option<EntryId>, Error> {
        if others.len() + 1 < PATTERN_AFTER {
            return Ok(None);
        }
        let occurrences = u32::try_from(others.len() + 1).unwrap_or(u32::MAX);
        let made_of = |link: &Link| {
            link.kind == LinkKind::DerivedFrom && others.iter().any(|other| other.id.as_str() == link.target)
        };
        let known = transaction
            .base()
            .summaries()
            .find(|summary| summary.kind == Kind::Pattern && summary.links.iter().any(made_of))
            .map(|summary| summary.id.clone());
        if let Some(id) = known {
            let mut stored = transaction.get(id.as_str())?;
            stored.entry.occurrences = Some(occurrences.max(stored.entry.occurrences.unwrap_or(0) + 1));
            stored.entry.links.push(Link::new(LinkKind::DerivedFrom, finding.id.as_str()));
            transaction.replace(stored.entry, stored.version)?;
            return Ok(Some(id));
        }
        let now = self.world.moment();
        let mut pattern = Entry::new(
            transaction.free_id(&EntryId::new(Kind::Pattern, now.date(), &finding.title)),
            Kind::Pattern,
            &finding.title,
        );
        let mut body =
            format!("# {}\n\nReviews found this {occurrences} times.\n\n## Findings\n\n", finding.title);
        for one in others.iter().copied().chain([finding]) {
            body.push_str(&format!("- {} ({})\n", one.title, one.id));
            pattern.links.push(Link::new(LinkKind::DerivedFrom, one.id.as_str()));
            pattern.files.extend(
                one.files.iter().filter(|file| !pattern.files.contains(file)).cloned().collect::<Vec<_>>(),
            );
        }
        pattern.body = body;
        pattern.description = Some(format!("Found {occurrences} times in reviews: {}", finding.title));
        pattern.domain.clone_from(&finding.domain);
        pattern.tags.clone_from(&finding.tags);
        pattern.occurrences = Some(occurrences);
        pattern.confidence = Some(Confidence::Medium);
        pattern.detail = Detail::Pattern(lore_core::Pattern { pattern_type: Some(PatternType::AntiPattern) });
        // It is as good as the findings it is made of.
        let voices = others.iter().copied().chain([finding]).flat_map(|one| &one.sources);
        let voice = voices.map(|source| source.voice).min().unwrap_or(Voice::Agent);
        pattern.sources = vec![Source { at: Some(now), ..Source::new("process:promotion", voice) }];
        Ok(Some(transaction.create(pattern)?.id))
    }

    fn entry_of(&self, lesson: &Lesson) -> Result<Entry, Error> {
        let title = lesson.title.trim().trim_end_matches('.');
        if title.is_empty() {
            return Err(Error::request(
                "what was learned needs a title",
                "give it as the first argument, in quotes",
            ));
        }
        let kind = self.kind_for(lesson.kind.as_deref().unwrap_or("decision").parse()?);
        let now = self.world.moment();
        let mut entry = Entry::new(EntryId::new(kind, now.date(), title), kind, title);
        entry.body = body(title, lesson);
        entry.description = crate::entries::first_sentence(&lesson.text);
        entry.tags.clone_from(&lesson.tags);
        entry.domain.clone_from(&lesson.domain);
        entry.files.clone_from(&lesson.files);
        entry.issues = lesson.issues.iter().map(|issue| issue.trim_start_matches('#').to_owned()).collect();
        entry.confidence = Some(Confidence::High);
        entry.detail = detail(kind, lesson)?;
        self.sign_in(&mut entry, lesson.session.as_deref());
        Ok(entry)
    }
}

fn same_sort(a: &Entry, b: &Entry) -> bool {
    let category = |entry: &Entry| match &entry.detail {
        Detail::Feedback(feedback) => feedback.category.clone(),
        _ => None,
    };
    category(a) == category(b)
}

fn detail(kind: Kind, lesson: &Lesson) -> Result<Detail, Error> {
    let mut detail = Detail::empty(kind);
    match &mut detail {
        Detail::Decision(decision) => decision.alternatives.clone_from(&lesson.alternatives),
        Detail::Resolution(resolution) => {
            resolution.issue_type.clone_from(&lesson.issue_type);
            resolution.root_cause.clone_from(&lesson.root_cause);
            resolution.time_to_resolve.clone_from(&lesson.time_to_resolve);
            resolution.agents_used.clone_from(&lesson.agents_used);
            resolution.tests_added.clone_from(&lesson.tests_added);
        }
        Detail::Pattern(pattern) => {
            let word = lesson.pattern_type.as_deref().unwrap_or("pattern");
            pattern.pattern_type = Some(PatternType::from_word(word).ok_or_else(|| {
                Error::request(
                    format!("`{word}` is not a sort of pattern"),
                    "say `pattern` or `anti-pattern`",
                )
            })?);
        }
        Detail::Feedback(feedback) => {
            feedback.category.clone_from(&lesson.category);
            if let Some(word) = &lesson.severity {
                feedback.severity = Some(Severity::from_word(word).ok_or_else(|| {
                    Error::request(
                        format!("`{word}` is not a severity"),
                        "say `low`, `medium`, `high` or `critical`",
                    )
                })?);
            }
        }
        _ => {}
    }
    Ok(detail)
}

/// Writes the page: the statement first, then a section for each thing that was told.
fn body(title: &str, lesson: &Lesson) -> String {
    let mut out = format!("# {title}\n\n");
    let mut section = |heading: &str, text: &str| {
        if !text.trim().is_empty() {
            if !heading.is_empty() {
                out.push_str(&format!("## {heading}\n\n"));
            }
            out.push_str(text.trim());
            out.push_str("\n\n");
        }
    };
    section("", &lesson.text);
    section("Why", lesson.rationale.as_deref().unwrap_or_default());
    section("Root cause", lesson.root_cause.as_deref().unwrap_or_default());
    section("Solution", lesson.solution.as_deref().unwrap_or_default());
    section("When to use it", lesson.when.as_deref().unwrap_or_default());
    let refused: Vec<String> = lesson
        .alternatives
        .iter()
        .map(|one| match &one.rejected_because {
            Some(why) => format!("- {}: {why}", one.option),
            None => format!("- {}", one.option),
        })
        .collect();
    section("Alternatives", &refused.join("\n"));
    format!("{}\n", out.trim_end())
}
