//! Claims that two lines of history brought together, compared as if they had arrived one by one.
//!
//! Which line is whose does not matter: every pair across the lines is judged with the older claim
//! as the known one, so that whoever merges marks the same.

use std::collections::{BTreeMap, BTreeSet};

use lore_core::article::Note;
use lore_core::{
    Article, Candidate, Claim, Confidence, Curator, Entry, EntryId, Evidence, Link, LinkKind, Moment,
    SessionId, Source, Standing, Status, one_line,
};

use super::compare::Side;
use super::judge;
use super::judgement::{Judgement, Relation};
use super::known::Known;
use super::merge;
use super::near::Distance;
use super::standing;
use super::verdict::{self, Verdict};
use super::weights::Weights;
use super::work::{Spot, Work};
use crate::article;

/// A claim that one line of history brought.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Newcomer {
    /// The entry it stands in.
    pub entry: EntryId,
    /// What it says.
    pub text: String,
}

/// So many claims of the other line are compared with each.
const NEAREST: usize = 8;
/// A conflict counts only where nothing else of the other line is much closer.
const CLOSE_ENOUGH: f64 = 0.9;

/// A claim on its place, ready to be compared.
struct Guest {
    at: Newcomer,
    said: Option<jiff::Timestamp>,
    side: Side,
}

/// Two claims that cannot both hold.
struct Clash {
    older: Newcomer,
    newer: Newcomer,
    said: Option<jiff::Timestamp>,
    judgement: Judgement,
}

/// Compares what one line brought with what another did and returns the entries that change.
pub fn meet(
    entries: impl IntoIterator<Item = Entry>,
    one: &[Newcomer],
    other: &[Newcomer],
    known: &dyn Known,
) -> Vec<Entry> {
    let mut works: BTreeMap<EntryId, Work> = entries
        .into_iter()
        .filter(|entry| {
            article::is_article(entry.kind) && !matches!(entry.status, Status::Superseded | Status::Outdated)
        })
        .map(|entry| (entry.id.clone(), work(entry)))
        .collect();
    let rarity = |stem: &str| known.rarity(stem);
    let guests = |line: &[Newcomer]| -> Vec<Guest> {
        let line: BTreeSet<&Newcomer> = line.iter().collect();
        let guest = |at: &Newcomer| {
            let work = works.get(&at.entry)?;
            let (_, mut statement) = merge::statements(work).into_iter().find(|(spot, statement)| {
                !matches!(spot, Spot::Conflict(_) | Spot::Doubted(_) | Spot::History(_))
                    && statement.text == at.text
            })?;
            // A sentence without footnotes was said when its author last spoke.
            statement.at = statement.at.or_else(|| work.entry.last_heard().map(Moment::instant));
            Some(Guest { at: at.clone(), said: statement.at, side: statement.side_with(&rarity) })
        };
        line.into_iter().filter_map(guest).collect()
    };
    let (one, other) = (guests(one), guests(other));
    let distance = Distance::among(known.size());
    for clash in clashes(&one, &other, distance) {
        settle(&mut works, &clash);
    }
    let touched = works.into_values().filter(|work| work.touched);
    touched.map(finished).collect()
}

fn work(entry: Entry) -> Work {
    let article = Article::parse(&entry.body);
    Work::new(entry, article)
}

fn finished(work: Work) -> Entry {
    if work.entry.curated_by != Curator::Auto {
        return work.entry;
    }
    let at =
        work.entry.last_heard().or(work.entry.updated).map_or(jiff::Timestamp::UNIX_EPOCH, Moment::instant);
    let links = work.entry.linked(LinkKind::Contradicts).next().is_some();
    let mut entry = article::finish(work.entry, &work.article, at);
    if links && entry.status == Status::Current {
        entry.status = Status::Disputed;
    }
    entry
}

/// Finds the pairs that cannot both hold, the ones whose newer claim was said first in front.
fn clashes(one: &[Guest], other: &[Guest], distance: Distance) -> Vec<Clash> {
    let mut pairs: BTreeSet<(usize, usize)> = BTreeSet::new();
    for (at, near) in nearest(one, other) {
        pairs.extend(near.into_iter().map(|other| (at, other)));
    }
    for (at, near) in nearest(other, one) {
        pairs.extend(near.into_iter().map(|one| (one, at)));
    }
    let weights = Weights::shipped();
    let mut judged: Vec<Clash> = Vec::new();
    let mut best: BTreeMap<Newcomer, f64> = BTreeMap::new();
    for (a, b) in pairs {
        let (a, b) = (&one[a], &other[b]);
        if a.at == b.at {
            continue;
        }
        let (older, newer) = if (a.said, &a.at) <= (b.said, &b.at) { (a, b) } else { (b, a) };
        let judgement = judge::judge(&older.side, &newer.side, weights, distance);
        let closest = best.entry(newer.at.clone()).or_insert(0.0);
        *closest = closest.max(judgement.closeness);
        if judgement.relation == Relation::Conflict {
            judged.push(Clash {
                older: older.at.clone(),
                newer: newer.at.clone(),
                said: newer.said,
                judgement,
            });
        }
    }
    judged.retain(|clash| {
        clash.judgement.closeness >= best.get(&clash.newer).copied().unwrap_or(0.0) * CLOSE_ENOUGH
    });
    judged.sort_by(|a, b| (a.said, &a.newer, &a.older).cmp(&(b.said, &b.newer, &b.older)));
    judged
}

/// Finds for each claim the claims of the other line that share the most telling words with it.
fn nearest(these: &[Guest], those: &[Guest]) -> Vec<(usize, Vec<usize>)> {
    let mut by_stem: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
    for (at, guest) in those.iter().enumerate() {
        for term in &guest.side.reading.terms {
            by_stem.entry(&term.stem).or_default().insert(at);
        }
    }
    let near = |guest: &Guest| {
        let mut sums: BTreeMap<usize, f64> = BTreeMap::new();
        for (stem, weight) in guest.side.reading.weights() {
            for at in by_stem.get(stem).into_iter().flatten() {
                *sums.entry(*at).or_default() += weight;
            }
        }
        let mut ranked: Vec<(usize, f64)> = sums.into_iter().collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| those[a.0].at.cmp(&those[b.0].at)));
        ranked.into_iter().take(NEAREST).map(|(at, _)| at).collect()
    };
    these.iter().enumerate().map(|(at, guest)| (at, near(guest))).collect()
}

/// Marks one pair: the older claim goes to the history, or both sides are shown.
fn settle(works: &mut BTreeMap<EntryId, Work>, clash: &Clash) {
    let (Some(older), Some(newer)) = (works.get(&clash.older.entry), works.get(&clash.newer.entry)) else {
        return;
    };
    // An earlier pair may have moved one of them.
    let (Some(old), Some(new)) = (standing(older, &clash.older.text), standing(newer, &clash.newer.text))
    else {
        return;
    };
    let linked =
        |work: &Work, to: &EntryId| work.entry.linked(LinkKind::Contradicts).any(|id| id == to.as_str());
    if linked(older, &clash.newer.entry) || linked(newer, &clash.older.entry) {
        return;
    }
    let known = merge::statements(older).into_iter().filter(|(spot, _)| *spot == old).map(|(_, said)| said);
    let announced = clash.judgement.features.get("announced").is_some_and(|share| *share > 0.5);
    let verdict = verdict::verdict(
        known,
        &candidate(newer, merge::claim_at(&newer.article, new)),
        (clash.judgement.certain, clash.judgement.reach, announced),
    );
    let same = clash.older.entry == clash.newer.entry;
    let ours = older.entry.curated_by == Curator::Auto;
    match verdict {
        Verdict::Replaces(why) if ours => supersede(works, clash, why),
        Verdict::Doubts(why) if ours => doubt(works, clash, why),
        // A person's own text is not touched for what merely reads as if.
        Verdict::Doubts(_) => {}
        _ if same && ours => dispute_within(works, clash),
        // Within a person's own article, both sentences are theirs.
        _ if same => {}
        _ => {
            let (mine, theirs) = (side_of(older, old), side_of(newer, new));
            let titles = (older.entry.title.clone(), newer.entry.title.clone());
            oppose(works, &clash.older, &clash.newer.entry, theirs, &titles.1);
            oppose(works, &clash.newer, &clash.older.entry, mine, &titles.0);
        }
    }
}

fn standing(work: &Work, text: &str) -> Option<Spot> {
    let held = merge::statements(work).into_iter().find(|(spot, statement)| {
        !matches!(spot, Spot::Conflict(_) | Spot::Doubted(_) | Spot::History(_)) && statement.text == text
    });
    held.map(|(spot, _)| spot)
}

/// A claim with the sources it rests on.
fn side_of(work: &Work, spot: Spot) -> (Claim, Vec<Source>) {
    let claim = merge::claim_at(&work.article, spot).clone();
    let sources = merge::cited(&work.entry, &claim.sources).cloned().collect();
    (claim, sources)
}

fn supersede(works: &mut BTreeMap<EntryId, Work>, clash: &Clash, why: &str) {
    let Some(newer) = works.get(&clash.newer.entry) else { return };
    let (statement, by) = (one_line(&clash.newer.text), newer.entry.id.clone());
    let Some(older) = works.get_mut(&clash.older.entry) else { return };
    let Some(spot) = standing(older, &clash.older.text) else { return };
    let claim = merge::take(&mut older.article, spot);
    let mut reasons = clash.judgement.reasons.clone();
    reasons.push(why.to_owned());
    let standing = Standing::Past {
        until: clash.said.map(Moment::Instant),
        replaced_by: Some(statement),
        reason: Some(one_line(&reasons.join("; "))),
    };
    older.article.history.insert(0, Claim { standing, ..claim });
    older.touched = true;
    let whole = older.article.current().next().is_none() && by != clash.older.entry;
    if whole {
        add_link(&mut older.entry, LinkKind::SupersededBy, &by);
        if let Some(newer) = works.get_mut(&by).filter(|newer| newer.entry.curated_by == Curator::Auto) {
            add_link(&mut newer.entry, LinkKind::Supersedes, &clash.older.entry);
            newer.touched = true;
        }
    }
}

/// Keeps the older claim beside the newer one until somebody confirms that it was replaced.
fn doubt(works: &mut BTreeMap<EntryId, Work>, clash: &Clash, why: &str) {
    let Some(older) = works.get_mut(&clash.older.entry) else { return };
    let Some(spot) = standing(older, &clash.older.text) else { return };
    let claim = merge::take(&mut older.article, spot);
    let mut reasons = clash.judgement.reasons.clone();
    reasons.push(why.to_owned());
    let standing = Standing::PossiblyReplaced {
        since: clash.said.map(Moment::Instant),
        by: Some(one_line(&clash.newer.text)),
        reason: Some(one_line(&reasons.join("; "))),
    };
    older.article.doubted.insert(0, Claim { standing, ..claim });
    older.touched = true;
}

fn dispute_within(works: &mut BTreeMap<EntryId, Work>, clash: &Clash) {
    let Some(work) = works.get_mut(&clash.older.entry) else { return };
    for text in [&clash.older.text, &clash.newer.text] {
        let Some(spot) = standing(work, text) else { continue };
        let claim = merge::take(&mut work.article, spot);
        let said = standing::strongest(merge::cited(&work.entry, &claim.sources)).map(article::said_by);
        work.article.conflict.push(Claim { standing: Standing::Disputed { said }, ..claim });
    }
    work.touched = true;
}

/// Shows in one article what another says against it; a person's text only gets the mark.
fn oppose(
    works: &mut BTreeMap<EntryId, Work>,
    at: &Newcomer,
    other: &EntryId,
    (theirs, sources): (Claim, Vec<Source>),
    title: &str,
) {
    let Some(work) = works.get_mut(&at.entry) else { return };
    work.touched = true;
    add_link(&mut work.entry, LinkKind::Contradicts, other);
    if work.entry.curated_by != Curator::Auto {
        work.entry.status = Status::Disputed;
        return;
    }
    let Some(spot) = standing(work, &at.text) else { return };
    let claim = merge::take(&mut work.article, spot);
    let said = standing::strongest(merge::cited(&work.entry, &claim.sources)).map(article::said_by);
    work.article.conflict.push(Claim { standing: Standing::Disputed { said }, ..claim });
    let said = standing::strongest(sources.iter()).map_or_else(|| "a person".to_owned(), article::said_by);
    let keys: Vec<String> = sources.iter().map(|source| cite(work, source)).collect();
    let standing = Standing::Disputed { said: Some(format!("{said}, in “{title}”")) };
    work.article.conflict.push(Claim { standing, ..Claim::new(&theirs.text, keys) });
}

/// Adds a source of another article and returns its footnote.
fn cite(work: &mut Work, source: &Source) -> String {
    let same = |known: &&Source| known.resource == source.resource && known.lines == source.lines;
    if let Some(key) = work.entry.sources.iter().find(same).and_then(|known| known.id.clone()) {
        return key;
    }
    let key = merge::next_key(&work.entry);
    work.article.notes.push(Note { id: key.clone(), text: article::note(source) });
    work.entry.sources.push(Source { id: Some(key.clone()), ..source.clone() });
    key
}

fn add_link(entry: &mut Entry, kind: LinkKind, target: &EntryId) {
    let link = Link::new(kind, target.as_str());
    if !entry.links.contains(&link) {
        entry.links.push(link);
    }
}

/// Turns a claim into what it would have been when it arrived.
fn candidate(work: &Work, claim: &Claim) -> Candidate {
    let evidence = |source: &Source| Evidence {
        session: source.session.clone().unwrap_or_else(|| SessionId::new(source.resource.as_str())),
        agent: String::new(),
        line: source.lines.first().copied().unwrap_or_default(),
        quote: String::new(),
        voice: source.voice,
        at: source.at.map(Moment::instant),
    };
    let sources: Vec<&Source> = match claim.sources.is_empty() {
        // A sentence without footnotes is its author's, who is the entry's source.
        true => work.entry.sources.iter().collect(),
        false => merge::cited(&work.entry, &claim.sources).collect(),
    };
    Candidate {
        kind: work.entry.kind,
        title: work.entry.title.clone(),
        text: claim.text.clone(),
        confidence: work.entry.confidence.unwrap_or(Confidence::Medium),
        keywords: Vec::new(),
        files: Vec::new(),
        issue: None,
        at: sources.iter().filter_map(|source| source.at).map(Moment::instant).max(),
        evidence: sources.into_iter().map(evidence).collect(),
        weight: 1.0,
        features: Vec::new(),
        route: lore_core::Route::Statement,
        backing: lore_core::Backing::Words,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::curate::Base;
    use lore_core::{Kind, Voice};

    /// An entry of one claim, by an agent or, in a file of their own, by a person.
    fn entry(name: &str, text: &str, day: u32, voice: Voice) -> Entry {
        let id: EntryId = format!("fac-2026-02-{day:02}-{name}").parse().unwrap();
        let at = format!("2026-02-{day:02}T10:00:00Z").parse().ok();
        let session = SessionId::new(format!("s-{day}"));
        let source =
            Source { id: Some("s1".into()), at, ..Source::session_line("claude", &session, 1, voice) };
        let lead = vec![Claim::new(text, vec!["s1".to_owned()])];
        let body = Article { lead, ..Article::default() }.render();
        Entry { sources: vec![source], body, ..Entry::new(id, Kind::Fact, name) }
    }

    fn brought(entry: &Entry) -> Vec<Newcomer> {
        let article = Article::parse(&entry.body);
        article
            .current()
            .map(|claim| Newcomer { entry: entry.id.clone(), text: claim.text.clone() })
            .collect()
    }

    fn check(one: &Entry, other: &Entry) -> Vec<Entry> {
        let base = Base::new([one.clone(), other.clone()]);
        let there = meet(base.entries().to_vec(), &brought(one), &brought(other), &base);
        let back = meet(base.entries().to_vec(), &brought(other), &brought(one), &base);
        assert_eq!(there, back, "whose line is whose does not matter");
        there
    }

    const THREE: &str = "The worker retries 3 times.";
    const FIVE: &str = "The worker retries 5 times.";
    const ON: &str = "Colour output is enabled by default.";
    const OFF: &str = "Colour output is disabled by default.";

    #[test]
    fn a_persons_later_word_replaces_what_came_from_the_other_line() {
        let (old, new) = (entry("three", THREE, 2, Voice::Agent), entry("five", FIVE, 9, Voice::Person));
        let changed = check(&old, &new);
        let old = changed.iter().find(|entry| entry.id == old.id).unwrap();
        assert_eq!(old.status, Status::Superseded);
        assert_eq!(Article::parse(&old.body).history[0].text, THREE);
        assert_eq!(old.linked(LinkKind::SupersededBy).collect::<Vec<_>>(), [new.id.as_str()]);
    }

    #[test]
    fn two_agents_are_shown_beside_each_other_with_their_evidence() {
        let (one, other) = (entry("on", ON, 2, Voice::Agent), entry("off", OFF, 9, Voice::Agent));
        let changed = check(&one, &other);
        assert_eq!(changed.len(), 2);
        for entry in &changed {
            assert_eq!((entry.status, entry.sources.len()), (Status::Disputed, 2), "{}", entry.body);
            assert_eq!(Article::parse(&entry.body).conflict.len(), 2);
        }
        // What was marked is not marked again.
        let base = Base::new(changed.clone());
        assert_eq!(meet(changed, &brought(&one), &brought(&other), &base), []);
    }

    #[test]
    fn a_persons_text_is_marked_and_not_touched() {
        let human = |mut entry: Entry| {
            entry.curated_by = Curator::Human;
            entry
        };
        let one = human(entry("on", ON, 2, Voice::Person));
        let other = human(entry("off", OFF, 9, Voice::Person));
        let changed = check(&one, &other);
        assert_eq!(changed.len(), 2);
        for changed in changed {
            let before = if changed.id == one.id { &one } else { &other };
            assert_eq!((&changed.body, changed.status), (&before.body, Status::Disputed));
        }
    }

    #[test]
    fn what_is_about_other_things_stays_as_it_is() {
        let one = entry("mailer", THREE, 2, Voice::Agent);
        let other = entry("logs", "Log lines are written as JSON objects.", 9, Voice::Person);
        assert_eq!(check(&one, &other), []);
    }
}
