//! Claims that give way on an article: replaced, doubted, or in dispute.

use lore_core::{Article, Candidate, Claim, Entry, Link, LinkKind, Moment, Source, Standing, one_line};

use super::merge::{cite, cited, claim_at, take, touch};
use super::work::{Spot, Work};
use crate::article;

/// Moves claims to the history and puts the candidate in the place of the first.
pub(super) fn supersede(work: &mut Work, spots: Vec<Spot>, candidate: &Candidate, reason: &str) {
    let (statement, reason) = (one_line(&candidate.text), one_line(reason));
    let standing = Standing::Past {
        until: candidate.said_at().map(Moment::Instant),
        replaced_by: Some(statement),
        reason: Some(reason),
    };
    let fallen = give_way(work, spots, candidate, &standing);
    work.article.history.splice(0..0, fallen);
    settle(&mut work.article);
}

/// Puts the candidate into the history: the claim at a spot was said later and stands.
pub(super) fn add_to_history(work: &mut Work, spot: Spot, candidate: &Candidate, reason: &str) {
    let stands = claim_at(&work.article, spot).clone();
    let until =
        cited(&work.entry, &stands.sources).filter_map(|source| source.at).max_by_key(|at| at.instant());
    let standing = Standing::Past { until, replaced_by: Some(stands.text), reason: Some(one_line(reason)) };
    let text = one_line(&candidate.text);
    let keys = cite(work, candidate, &text);
    work.article.history.push(Claim { standing, ..Claim::new(&text, keys) });
    touch(work, candidate);
}

/// Puts the candidate first and keeps beside it what it seems to replace, until somebody confirms it.
pub(super) fn doubt(work: &mut Work, spots: Vec<Spot>, candidate: &Candidate, reason: &str) {
    let (statement, reason) = (one_line(&candidate.text), one_line(reason));
    let standing = Standing::PossiblyReplaced {
        since: candidate.said_at().map(Moment::Instant),
        by: Some(statement),
        reason: Some(reason),
    };
    let fallen = give_way(work, spots, candidate, &standing);
    work.article.doubted.splice(0..0, fallen);
}

/// Puts the candidate in the place of the first of some claims and returns them with their new
/// standing; a title that stated one of them follows.
fn give_way(work: &mut Work, mut spots: Vec<Spot>, candidate: &Candidate, standing: &Standing) -> Vec<Claim> {
    let keys = cite(work, candidate, &candidate.text);
    // Why it was so is no reason for what is so now.
    if spots.contains(&Spot::Lead(0)) {
        let reasons = (0..work.article.why.len()).map(Spot::Why);
        spots.extend(reasons.filter(|spot| !spots.contains(spot)).collect::<Vec<_>>());
    }
    spots.sort();
    let first = spots.first().copied();
    let statement = one_line(&candidate.text);
    let mut fallen = Vec::new();
    for spot in spots.iter().rev() {
        let claim = take(&mut work.article, *spot);
        if article::title_says(&work.entry.title, &claim.text, &statement) {
            work.entry.title = article::title_in_place_of(candidate, &claim.text);
        }
        fallen.insert(0, Claim { standing: standing.clone(), ..claim });
    }
    let claim = Claim::new(&statement, keys);
    match first {
        Some(Spot::Fact(at)) => work.article.facts.insert(at.min(work.article.facts.len()), claim),
        _ => work.article.lead.insert(0, claim),
    }
    touch(work, candidate);
    fallen
}

/// Returns the first source of the most trusted voice: a side of a dispute is theirs who would settle it.
pub(super) fn strongest<'s>(sources: impl Iterator<Item = &'s Source>) -> Option<&'s Source> {
    sources.min_by_key(|source| std::cmp::Reverse(source.voice))
}

/// Moves both sides to the conflict section.
pub(crate) fn dispute(work: &mut Work, mut spots: Vec<Spot>, candidate: &Candidate) {
    let keys = cite(work, candidate, &candidate.text);
    spots.sort();
    for spot in spots.iter().rev() {
        if matches!(spot, Spot::Conflict(_)) {
            continue;
        }
        let claim = take(&mut work.article, *spot);
        let said = strongest(cited(&work.entry, &claim.sources)).map(article::said_by);
        work.article.conflict.push(Claim { standing: Standing::Disputed { said }, ..claim });
    }
    let sources: Vec<Source> = candidate.evidence.iter().map(|evidence| evidence.source(None)).collect();
    let said = strongest(sources.iter()).map(article::said_by);
    let standing = Standing::Disputed { said };
    work.article.conflict.push(Claim { standing, ..Claim::new(&candidate.text, keys) });
    touch(work, candidate);
}

/// Names the person's article that a new one contradicts, and both sides.
pub(super) fn oppose(work: &mut Work, theirs: &Entry, against: &str) {
    for claim in std::mem::take(&mut work.article.lead) {
        let said = strongest(cited(&work.entry, &claim.sources)).map(article::said_by);
        work.article.conflict.push(Claim { standing: Standing::Disputed { said }, ..claim });
    }
    let said = Some(format!("a person, in “{}”", theirs.title));
    let standing = Standing::Disputed { said };
    work.article.conflict.push(Claim { standing, ..Claim::new(against, Vec::new()) });
    work.entry.links.push(Link::new(LinkKind::Contradicts, theirs.id.as_str()));
}

/// Shows beside a new claim the one of a person's article that it seems to replace.
pub(super) fn doubt_theirs(work: &mut Work, theirs: &Entry, against: &str, reason: &str) {
    let by = work.article.lead.first().map(|claim| claim.text.clone());
    let reason = Some(one_line(&format!("{reason}; it stands in “{}”", theirs.title)));
    let standing = Standing::PossiblyReplaced { since: work.entry.updated, by, reason };
    work.article.doubted.push(Claim { standing, ..Claim::new(against, Vec::new()) });
    // Whoever settles it settles it there too.
    work.entry.links.push(Link::new(LinkKind::Contradicts, theirs.id.as_str()));
}

/// A conflict with one side left is none.
fn settle(article: &mut Article) {
    if article.conflict.len() == 1 {
        for claim in std::mem::take(&mut article.conflict) {
            article.facts.push(Claim { standing: Standing::Current, ..claim });
        }
    }
}
