//! Writing lessons: new ones, more evidence for those that are known, and their decay.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use lore_core::text::counted;
use lore_core::{
    Confidence, Curator, Detail, EDITED, Entry, EntryId, Kind, Lesson, Link, LinkKind, Moment, Source,
    Status, Voice,
};
use lore_distill::reflect::{Friction, Insight, moved};
use lore_store::{Refused, Transaction};
use regex::Regex;
use serde_json::Value;

use super::wording::{has_our_words, was_left_out};
use super::{LessonLine, told};
use crate::{Engine, Error};

/// So many signals of a lesson make a group the same lesson.
const SAME: usize = 2;
/// A lesson that nobody needed for so many days decays.
const STALE: i64 = 180;
/// Stands between what a lesson says and what speaks for it.
const EVIDENCE: &str = "\n\n## Evidence\n\n";

impl Engine {
    /// Reads the lessons of the base with the signals each was made of.
    pub(super) fn known_lessons(&self) -> Result<Vec<(Entry, Vec<String>)>, Error> {
        let snapshot = self.store.snapshot()?;
        let lessons = snapshot.summaries().filter(|one| one.kind == Kind::Lesson);
        let stored = snapshot.read_some(lessons).into_iter().flatten();
        Ok(stored
            .map(|stored| {
                let derived = stored.entry.linked(LinkKind::DerivedFrom).map(str::to_owned);
                let abroad =
                    stored.entry.sources.iter().filter_map(|one| one.resource.strip_prefix("signal:"));
                let derived = derived.chain(abroad.map(str::to_owned)).collect();
                (stored.entry, derived)
            })
            .collect())
    }

    /// Writes a lesson, or moves the one that says it already.
    pub(super) fn learn_from(
        &self,
        transaction: &mut Transaction<'_>,
        insight: &Insight,
        signals: &[Friction],
        known: &[(Entry, Vec<String>)],
        spoken: &mut BTreeSet<EntryId>,
        signed: Option<Value>,
    ) -> Result<LessonLine, Error> {
        let best = lesson_for(insight, signals, known, spoken);
        let Some((lesson, derived)) = best else {
            let mut entry = self.lesson_entry(insight, signals, transaction);
            entry.extra.extend(signed.map(|by| (EDITED.to_owned(), by)));
            let id = transaction.create(entry)?.id;
            spoken.insert(id.clone());
            return Ok(told(insight, signals, "new", Some((&id, insight.confidence))));
        };
        spoken.insert(lesson.id.clone());
        let new: Vec<&Friction> = insight
            .evidence
            .iter()
            .map(|at| &signals[*at])
            .filter(|one| !derived.contains(&one.id) && !was_left_out(lesson, &one.id))
            .collect();
        let before = lesson.confidence.unwrap_or(Confidence::Low);
        let step = if !insight.against.is_empty() { -1 } else { i32::from(!new.is_empty()) };
        let after = moved(before, step);
        let change = match step {
            1 => "stronger",
            -1 if after != before => "weaker",
            _ => "same",
        };
        let signed = signed.filter(|_| has_our_words(lesson));
        let recounted = recounted(lesson, derived, insight, signals).filter(|_| signed.is_none());
        let is_recounted = recounted.is_some();
        if change == "same" && signed.is_none() && !is_recounted {
            return Ok(told(insight, signals, change, Some((&lesson.id, before))));
        }
        let mut stored = transaction.get(lesson.id.as_str())?;
        if change != "same" {
            stored.entry.confidence = Some(after);
            stored.entry.status = Status::Current;
        }
        let sources: Vec<Source> = new.iter().map(|one| source_of(one)).collect();
        for one in &new {
            stored.entry.links.extend(link_to(one));
            stored.entry.sources.push(source_of(one));
        }
        if change != "same"
            && let Detail::Lesson(detail) = &mut stored.entry.detail
        {
            detail.evidence_count = Some(u32::try_from(insight.evidence.len()).unwrap_or(u32::MAX));
            detail.confidence_log.push(format!(
                "{}: {before} → {after}, {}, {} against",
                self.world.now.strftime("%Y-%m-%d"),
                counted(new.len(), "more signal", "more signals"),
                insight.against.len()
            ));
            for trigger in &insight.triggers {
                if !detail.triggers.contains(trigger) {
                    detail.triggers.push(trigger.clone());
                }
            }
        }
        if let Some((body, times)) = recounted {
            (stored.entry.body, stored.entry.occurrences) = (body, Some(times));
        }
        if stored.entry.curated_by == Curator::Auto && !new.is_empty() {
            stored.entry.body = with_evidence(&stored.entry.body, &new);
        }
        if let Some(by) = signed {
            stored.entry.title = in_a_line(&insight.title);
            stored.entry.description = crate::entries::first_sentence(&insight.recommendation);
            stored.entry.body = with_words(&stored.entry.body, insight);
            stored.entry.extra.insert(EDITED.to_owned(), by);
            without_left_out(&mut stored.entry, derived);
            // It speaks up where what it rests on would come again, and nowhere else.
            if let Detail::Lesson(detail) = &mut stored.entry.detail {
                detail.triggers.clone_from(&insight.triggers);
                detail.evidence_count = Some(u32::try_from(insight.evidence.len()).unwrap_or(u32::MAX));
            }
        }
        match transaction.replace(stored.entry, stored.version) {
            // A person's wording stays; what speaks for it is added.
            Err(Refused::Protected { .. }) => {
                transaction.add_sources(lesson.id.as_str(), sources)?;
            }
            other => {
                other?;
            }
        }
        let change = if change == "same" && is_recounted { "recounted" } else { change };
        Ok(told(insight, signals, change, Some((&lesson.id, after))))
    }

    fn lesson_entry(&self, insight: &Insight, signals: &[Friction], transaction: &Transaction<'_>) -> Entry {
        let own: Vec<&Friction> = insight.evidence.iter().map(|at| &signals[*at]).collect();
        let last = own.iter().filter_map(|one| one.at).max().unwrap_or(self.world.now);
        let moment = Moment::Instant(last);
        let title = in_a_line(&insight.title);
        let id = transaction.free_id(&EntryId::new(Kind::Lesson, moment.date(), &title));
        let mut entry = Entry::new(id, Kind::Lesson, &title);
        entry.description = crate::entries::first_sentence(&insight.recommendation);
        entry.tags.clone_from(&insight.tags);
        entry.confidence = Some(insight.confidence);
        entry.created = Some(moment);
        entry.updated = Some(moment);
        entry.files = own
            .iter()
            .flat_map(|one| one.files.iter().cloned())
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect();
        entry.links = own.iter().filter_map(|one| link_to(one)).collect();
        entry.sources = own.iter().map(|one| source_of(one)).collect();
        entry.occurrences = Some(own.iter().map(|one| one.times.max(1)).sum());
        let evidence: String = own.iter().map(|one| evidence_line(one)).collect();
        entry.body = format!("{}{EVIDENCE}{evidence}", words_of(insight));
        if !insight.against.is_empty() {
            entry.body.push_str("\nAgainst it:\n\n");
            entry.body.extend(insight.against.iter().map(|at| evidence_line(&signals[*at])));
        }
        entry.detail = Detail::Lesson(Lesson {
            category: Some(insight.category.to_owned()),
            evidence_count: Some(u32::try_from(own.len()).unwrap_or(u32::MAX)),
            triggers: insight.triggers.clone(),
            confidence_log: vec![format!(
                "{}: {}, {} in {}, {} against",
                self.world.now.strftime("%Y-%m-%d"),
                insight.confidence,
                counted(own.len(), "signal", "signals"),
                counted(insight.places, "place", "places"),
                insight.against.len()
            )],
        });
        entry
    }

    /// Lets lessons decay that nobody needed and nothing spoke for in a long time.
    pub(super) fn let_decay(
        &self,
        transaction: &mut Transaction<'_>,
        known: &[(Entry, Vec<String>)],
        spoken: &BTreeSet<EntryId>,
    ) -> Result<Vec<LessonLine>, Error> {
        let usage = self.usage()?;
        let needed: BTreeSet<&str> = usage
            .used
            .iter()
            .filter(|item| item.applied > 0 && item.contradicted == 0)
            .map(|item| item.id.as_str())
            .collect();
        let contradicted: BTreeSet<&str> = usage
            .used
            .iter()
            .filter(|item| item.contradicted > item.applied)
            .map(|item| item.id.as_str())
            .collect();
        let mut found = Vec::new();
        for (lesson, derived) in known {
            let idle = lesson
                .last_heard()
                .or(lesson.updated)
                .map_or(0, |at| (self.world.now.as_second() - at.instant().as_second()) / 86_400);
            let is_contradicted = contradicted.contains(lesson.id.as_str());
            let is_stale = idle >= STALE && !needed.contains(lesson.id.as_str());
            let ours = lesson.curated_by == Curator::Auto && lesson.status == Status::Current;
            if !ours || spoken.contains(&lesson.id) && !is_contradicted || !(is_stale || is_contradicted) {
                continue;
            }
            let mut stored = transaction.get(lesson.id.as_str())?;
            let before = lesson.confidence.unwrap_or(Confidence::Low);
            let after = moved(before, -1);
            let why = if is_contradicted {
                "contradicted in use"
            } else {
                "nothing spoke for it and nobody used it"
            };
            stored.entry.confidence = Some(after);
            let outdated = before == Confidence::Low;
            if outdated {
                stored.entry.status = Status::Outdated;
            }
            if let Detail::Lesson(detail) = &mut stored.entry.detail {
                let day = self.world.now.strftime("%Y-%m-%d");
                let last =
                    detail.confidence_log.last().is_some_and(|line| line.starts_with(&day.to_string()));
                if last {
                    continue;
                }
                detail.confidence_log.push(format!(
                    "{day}: {before} → {}, {why}",
                    if outdated { "outdated".to_owned() } else { after.to_string() }
                ));
            }
            transaction.replace(stored.entry, stored.version)?;
            found.push(LessonLine {
                id: lesson.id.to_string(),
                title: lesson.title.clone(),
                lesson: why.to_owned(),
                applies: String::new(),
                recommendation: String::new(),
                category: String::new(),
                confidence: after,
                evidence: derived.clone(),
                against: Vec::new(),
                places: 0,
                triggers: Vec::new(),
                worded_by: None,
                change: if outdated { "outdated" } else { "weaker" },
            });
        }
        Ok(found)
    }
}

/// Finds the lesson of the base that says what a group of signals says, with the signals it was made of.
pub(super) fn lesson_for<'k>(
    insight: &Insight,
    signals: &[Friction],
    known: &'k [(Entry, Vec<String>)],
    spoken: &BTreeSet<EntryId>,
) -> Option<&'k (Entry, Vec<String>)> {
    let ids: BTreeSet<&str> = insight.evidence.iter().map(|at| signals[*at].id.as_str()).collect();
    let shared = |derived: &[String]| derived.iter().filter(|id| ids.contains(id.as_str())).count();
    known
        .iter()
        .filter(|(entry, derived)| {
            !spoken.contains(&entry.id)
                && shared(derived) >= SAME.min(ids.len()).min(derived.len().max(1))
                && shared(derived) * 3 >= derived.len().min(ids.len())
        })
        .max_by_key(|(entry, derived)| (shared(derived), entry.id.clone()))
}

/// What a lesson says, before its evidence.
fn words_of(insight: &Insight) -> String {
    format!(
        "# {}\n\n## Lesson\n\n{}\n\n## When This Applies\n\n{}\n\n## Recommendation\n\n{}",
        in_a_line(&insight.title),
        insight.lesson,
        insight.applies,
        insight.recommendation
    )
}

/// Says a lesson anew; what speaks for it stays as it stands.
fn with_words(body: &str, insight: &Insight) -> String {
    let evidence = body.find(EVIDENCE).map_or("", |at| &body[at..]);
    format!("{}{evidence}", words_of(insight))
}

/// Says how often and where a lesson of ours was seen by now, where its page says another number.
fn recounted(
    lesson: &Entry,
    derived: &[String],
    insight: &Insight,
    signals: &[Friction],
) -> Option<(String, u32)> {
    let own = || insight.evidence.iter().map(|at| &signals[*at]);
    // Of some of its signals alone nobody can tell how often it was seen.
    let is_whole = derived.iter().all(|id| own().any(|one| one.id == *id));
    let (before, now) = (seen(&lesson.body)?, seen(&insight.lesson)?);
    let is_ours = has_our_words(lesson) && lesson.status == Status::Current;
    let body = || lesson.body.replacen(before, now, 1);
    (is_ours && is_whole && before != now).then(|| (body(), own().map(|one| one.times.max(1)).sum()))
}

/// Finds where a lesson says how often it was seen: “seen 5 times in 4 places”.
fn seen(text: &str) -> Option<&str> {
    static SEEN: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"\bseen \d+ times? in \d+ places?\b").expect("the pattern is a constant")
    });
    SEEN.find(text).map(|found| found.as_str())
}

/// Takes the signals off a lesson that its editor found to tell of something else.
fn without_left_out(lesson: &mut Entry, derived: &[String]) {
    for id in derived.iter().filter(|id| was_left_out(lesson, id)).cloned().collect::<Vec<String>>() {
        lesson.links.retain(|link| link.kind != LinkKind::DerivedFrom || link.target != id);
        lesson.sources.retain(|source| source.resource.strip_prefix("signal:") != Some(id.as_str()));
        let line = format!("- `{id}`: ");
        let kept: Vec<&str> = lesson.body.lines().filter(|one| !one.starts_with(&line)).collect();
        lesson.body = kept.join("\n") + "\n";
    }
}

fn link_to(one: &Friction) -> Option<Link> {
    // What lies in another base cannot be linked; the source names it.
    (!one.id.contains('/')).then(|| Link::new(LinkKind::DerivedFrom, one.id.as_str()))
}

fn source_of(one: &Friction) -> Source {
    Source { at: one.at.map(Moment::Instant), ..Source::new(format!("signal:{}", one.id), Voice::Agent) }
}

fn evidence_line(one: &Friction) -> String {
    format!("- `{}`: {} ({})\n", one.id, in_a_line(&one.title), one.severity)
}

/// Adds lines to the evidence of a lesson that we wrote.
fn with_evidence(body: &str, new: &[&Friction]) -> String {
    let lines: String = new.iter().map(|one| evidence_line(one)).collect();
    match body.find("\nAgainst it:") {
        Some(at) => format!("{}{lines}{}", &body[..at], &body[at..]),
        None => format!("{}\n{lines}", body.trim_end()),
    }
}

pub(super) fn in_a_line(title: &str) -> String {
    let line = lore_core::one_line(title);
    if line.chars().count() <= 100 {
        return line;
    }
    let cut: String = line.chars().take(99).collect();
    let whole = cut.rsplit_once(' ').map_or(cut.as_str(), |(whole, _)| whole);
    format!("{whole}…")
}
