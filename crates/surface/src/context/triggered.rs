//! Lessons that speak by themselves: what just happened is what they were made of.

use std::collections::BTreeSet;

use lore_core::trigger::{Happening, holds};
use lore_core::{Confidence, Detail, Entry, Kind, Status};

use super::choose::{Pick, Reason};
use crate::filter::LookUp;
use crate::reader::{SearchError, Snapshot};

/// Lists the lessons of which a trigger holds, the surest first.
pub fn triggered(
    snapshot: &Snapshot<'_>,
    happening: &Happening<'_>,
    seen: &BTreeSet<String>,
    limit: usize,
) -> Result<Vec<Pick>, SearchError> {
    let mut picks: Vec<Pick> = Vec::new();
    for card in snapshot.find(&[LookUp::Kind(Kind::Lesson)])? {
        let entry = &card.entry;
        let Detail::Lesson(lesson) = &entry.detail else { continue };
        let stands = entry.status == Status::Current && !seen.contains(entry.id.as_str());
        if stands && lesson.triggers.iter().any(|trigger| holds(trigger, happening)) {
            picks.push(Pick {
                says: vec![advice(entry)],
                reason: Reason::Match,
                score: 1.0,
                against: None,
                replaced_by: None,
                card,
            });
        }
    }
    let sure = |pick: &Pick| pick.card.entry.confidence.unwrap_or(Confidence::Low);
    picks.sort_by(|a, b| sure(b).cmp(&sure(a)).then_with(|| a.card.entry.id.cmp(&b.card.entry.id)));
    picks.truncate(limit);
    Ok(picks)
}

/// Returns what a lesson recommends, on one line.
fn advice(entry: &Entry) -> String {
    let part = entry.body.split_once("## Recommendation").map(|(_, rest)| rest);
    let part = part.map(|rest| rest.split("\n## ").next().unwrap_or(rest).trim());
    let text = part.filter(|text| !text.is_empty()).or(entry.description.as_deref());
    lore_core::one_line(text.unwrap_or(&entry.title))
}
