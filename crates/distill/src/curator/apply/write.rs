//! Carrying out one edit on one article.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use lore_core::article::Note;
use lore_core::{Article, Claim, DecidedBy, Entry, Moment, Source, Standing, one_line};
use regex::Regex;

use super::deed::Deed;
use crate::article;
use crate::curate::Work;
use crate::curate::merge;
use crate::curate::standing;
use crate::curate::work::Spot;
use crate::curator::nearest::is_raw;
use crate::curator::numbers::numbers;
use crate::curator::verify::{denies, plain};
use crate::curator::words::{Cover, names};
use crate::extract::phrases::ANSWERING;
use crate::extract::sentence::sentences;

/// More facts than these make an article that should be worded anew.
const FACTS: usize = 5;
/// So much of one is said again by what was not meant to take its place.
const SAID_AGAIN: f64 = 0.85;
/// A sentence repeats a claim that says so much of it, and so much more of it than the cited lines do.
const REPEATED: f64 = 0.5;
const BETTER: f64 = 0.2;

/// Writes the first words of a new article.
pub(super) fn begin(work: &mut Work, deed: &Deed<'_>) {
    merge::begin(work, &deed.candidate);
    let keys: Vec<String> = work.article.lead.first().map(|claim| claim.sources.clone()).unwrap_or_default();
    if let Some(reason) = &deed.proof.edit.reason {
        push_new(&mut work.article.why, Claim::new(reason, keys));
    }
    for carried in &deed.proof.carried {
        let keys = carried.sources.iter().map(|source| cite_source(work, source)).collect();
        push_new(&mut work.article.why, Claim::new(&carried.text, keys));
    }
    remember(work, deed);
    deed.proof.edit.decided_by.unwrap_or(DecidedBy::Nobody).write(&mut work.entry);
}

/// Cites what the replaced entry rests on, where the new words repeat what it said and no cited line says it as well.
pub(super) fn keep_evidence(work: &mut Work, deed: &Deed<'_>, old: &Entry) {
    let article = Article::parse(&old.body);
    let cited = Cover::of(deed.cited_texts());
    let text = deed.candidate.text.as_str();
    for claim in article.current() {
        let known = Cover::of([claim.text.as_str()]);
        let is_repeated = |sentence: &&str| {
            let share = known.share(sentence);
            share >= REPEATED && share >= cited.share(sentence) + BETTER
        };
        if !sentences(text).iter().any(is_repeated) {
            continue;
        }
        for source in old.sources_of(claim) {
            let key = cite_source(work, source);
            if let Some(lead) = work.article.lead.first_mut().filter(|lead| !lead.sources.contains(&key)) {
                lead.sources.push(key);
            }
        }
    }
}

/// Adds evidence to the claim that says the same.
pub(super) fn same(work: &mut Work, deed: &Deed<'_>) -> Result<(), String> {
    let said = plain(&deed.candidate.text);
    match spot_of(&work.article, &said) {
        Some(spot) => merge::add_sources(work, spot, &deed.candidate),
        None => {
            let before = work.entry.sources.len();
            merge::cite(work, &deed.candidate, "");
            work.touched |= work.entry.sources.len() > before;
        }
    }
    Ok(())
}

/// Adds one more fact, in the place of what it says again; an article that has enough of them is to be refined
/// instead.
pub(super) fn add(work: &mut Work, deed: &Deed<'_>) -> Result<(), String> {
    let statement = one_line(&deed.candidate.text);
    let known: Vec<&str> = work.article.current().map(|claim| claim.text.as_str()).collect();
    if holds(&work.article, &deed.candidate.text)
        || unsaid(&known.join(" "), &statement, SAID_AGAIN).is_empty()
    {
        return same(work, deed);
    }
    let says_again = |claim: &Claim| unsaid(&statement, &claim.text, SAID_AGAIN).is_empty();
    // What says the opening and more opens the article.
    if !work.article.lead.is_empty() && work.article.lead.iter().all(says_again) {
        return refine(work, deed);
    }
    if let Some(at) = work.article.facts.iter().position(says_again) {
        let mut keys = work.article.facts[at].sources.clone();
        keys.extend(merge::cite(work, &deed.candidate, &statement));
        work.article.facts[at] = Claim::new(&statement, once(keys));
        remember(work, deed);
        work.touched = true;
        return Ok(());
    }
    if work.article.facts.len() >= FACTS {
        return Err(format!("“{}” holds {FACTS} facts already; it is to be refined", work.entry.title));
    }
    merge::add_claim(work, &deed.candidate);
    remember(work, deed);
    Ok(())
}

/// Puts the finer words in the place of the lead. What they leave unsaid of it still holds and stays as a fact; what
/// they say otherwise goes to the history. Of a draft neither is kept. The evidence stays.
pub(super) fn refine(work: &mut Work, deed: &Deed<'_>) -> Result<(), String> {
    if holds(&work.article, &deed.candidate.text) {
        return same(work, deed);
    }
    let statement = one_line(&deed.candidate.text);
    let mut keys = merge::cite(work, &deed.candidate, &statement);
    let until = deed.candidate.at.map(Moment::Instant);
    // What rules copied out of the same lines never held in its own right; the lines are cited.
    let is_draft = deed.is_about_a_draft();
    let is_raw = is_raw(&work.entry);
    let cover = Cover::of([statement.as_str()]);
    let is_said = |claim: &Claim| sentences(&claim.text).iter().any(|text| cover.share(text) >= REPEATED);
    // What seemed to be replaced and is said again holds.
    let (meant, doubted): (Vec<Claim>, Vec<Claim>) =
        std::mem::take(&mut work.article.doubted).into_iter().partition(is_said);
    work.article.doubted = doubted;
    let is_about_another = !meant.is_empty() || work.article.facts.iter().any(is_said);
    let cited = keys.clone();
    keys.extend(meant.into_iter().flat_map(|claim| claim.sources));
    for claim in std::mem::take(&mut work.article.lead).into_iter().rev() {
        // Of an entry that was put together from several statements only the one that is meant is worded anew.
        if is_about_another && !is_said(&claim) && !claim.sources.iter().any(|key| cited.contains(key)) {
            push_new(&mut work.article.facts, claim);
            continue;
        }
        keys.extend(claim.sources.iter().cloned());
        let unsaid = unsaid(&statement, without_question(&claim.text), REPEATED);
        if is_draft || unsaid.is_empty() {
            continue;
        }
        let (over, beside): (Vec<&str>, Vec<&str>) =
            unsaid.into_iter().partition(|sentence| says_otherwise(&statement, sentence, is_raw));
        if !beside.is_empty() {
            push_new(&mut work.article.facts, Claim::new(&beside.join(" "), claim.sources.clone()));
        }
        if !over.is_empty() {
            let reason = Some("it was worded more exactly".to_owned());
            let standing = Standing::Past { until, replaced_by: Some(statement.clone()), reason };
            work.article.history.insert(0, Claim { standing, text: over.join(" "), ..claim });
        }
    }
    // A fact that the opening says now is told once.
    let (again, facts): (Vec<Claim>, Vec<Claim>) = std::mem::take(&mut work.article.facts)
        .into_iter()
        .partition(|fact| unsaid(&statement, &fact.text, SAID_AGAIN).is_empty());
    work.article.facts = facts;
    keys.extend(again.into_iter().flat_map(|fact| fact.sources));
    let keys = once(keys);
    work.article.lead.push(Claim::new(&statement, keys.clone()));
    if let Some(reason) = &deed.proof.edit.reason {
        push_new(&mut work.article.why, Claim::new(reason, keys));
    }
    if !deed.candidate.title.is_empty() {
        work.entry.title = deed.title();
    }
    remember(work, deed);
    let decided = DecidedBy::of(&work.entry).max(deed.proof.edit.decided_by.unwrap_or(DecidedBy::Nobody));
    decided.write(&mut work.entry);
    article::widen(&mut work.entry, &deed.candidate);
    work.touched = true;
    Ok(())
}

/// Puts both sides side by side.
pub(super) fn dispute(work: &mut Work, deed: &Deed<'_>) -> Result<(), String> {
    let said = plain(&deed.candidate.text);
    if spot_of(&work.article, &said).is_some_and(|_| holds(&work.article, &deed.candidate.text)) {
        return same(work, deed);
    }
    let spots = (0..work.article.lead.len()).map(Spot::Lead).collect();
    standing::dispute(work, spots, &deed.candidate);
    remember(work, deed);
    Ok(())
}

/// Returns the sentences of a claim that finer words do not say: what they do say did not end.
fn unsaid<'c>(finer: &str, claim: &'c str, least: f64) -> Vec<&'c str> {
    let cover = Cover::of([finer]);
    let is_said = |sentence: &&str| cover.says(sentence, least) && (denies(finer) || !denies(sentence));
    sentences(claim).into_iter().filter(|sentence| !is_said(sentence)).collect()
}

/// What was asked is no part of what was answered.
fn without_question(text: &str) -> &str {
    text.split_once(ANSWERING).map_or(text, |(answer, _)| answer)
}

/// Tells whether finer words say a sentence with another name, another number, or the other way round. Raw words are
/// written large for many reasons; there only what looks like code is a name.
fn says_otherwise(finer: &str, sentence: &str, is_raw: bool) -> bool {
    let (there, here) = (Cover::of([finer]), Cover::of([sentence]));
    let other_name = || {
        let is_name = |name: &&String| !is_raw || name.contains(|c: char| !c.is_alphabetic());
        names(sentence).iter().filter(is_name).any(|name| !there.has_name(name))
            && names(finer).iter().any(|name| !here.has_name(name))
    };
    let other_number = || {
        let lacks = |cover: &Cover, text: &str| numbers(text).iter().any(|(_, ways)| !cover.has_number(ways));
        lacks(&there, sentence) && lacks(&here, finer)
    };
    let turned = |share: f64| share >= SAID_AGAIN && denies(sentence) != denies(finer);
    let share = there.share(sentence);
    share >= REPEATED && (turned(share) || other_name() || other_number())
}

/// Tells whether an article says exactly this: as one of its claims, or as its opening with reasons.
pub(super) fn holds(article: &Article, text: &str) -> bool {
    let said = plain(text);
    if article.current().chain(&article.conflict).any(|claim| plain(&claim.text) == said) {
        return true;
    }
    let cut = |claims: &[Claim]| -> BTreeSet<String> {
        claims.iter().flat_map(|claim| sentences(&claim.text)).map(plain).collect()
    };
    let (lead, why) = (cut(&article.lead), cut(&article.why));
    let said: BTreeSet<String> = sentences(text).into_iter().map(plain).collect();
    !lead.is_empty()
        && lead.is_subset(&said)
        && said.iter().all(|one| lead.contains(one) || why.contains(one))
}

/// Finds the claim that says a sentence, else the one that opens the article.
fn spot_of(article: &Article, said: &str) -> Option<Spot> {
    let says = |claim: &Claim| plain(&claim.text) == *said;
    let find = |claims: &[Claim], spot: fn(usize) -> Spot| claims.iter().position(says).map(spot);
    find(&article.lead, Spot::Lead)
        .or_else(|| find(&article.facts, Spot::Fact))
        .or_else(|| find(&article.why, Spot::Why))
        .or_else(|| find(&article.conflict, Spot::Conflict))
        .or_else(|| (!article.lead.is_empty()).then_some(Spot::Lead(0)))
}

/// How an alternative is told that nobody took: it never held, so nothing took its place.
static NOT_TAKEN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(?:turned down|rejected|ruled out|decided against|dismissed|declined|discarded|not (?:taken|chosen|adopted|picked|wanted)|(?:was|were) (?:considered|weighed|discussed|offered))\b",
    )
    .expect("the pattern is a constant")
});

/// Writes what the session gave up into the history: what held before, and apart from it what was turned down.
fn remember(work: &mut Work, deed: &Deed<'_>) {
    let Some(was) = &deed.was else { return };
    let text = one_line(&was.text);
    let (refused, held): (Vec<&str>, Vec<&str>) =
        sentences(&text).into_iter().partition(|sentence| NOT_TAKEN.is_match(sentence));
    let replaced = Standing::Past {
        until: deed.candidate.at.map(Moment::Instant),
        replaced_by: Some(one_line(&deed.candidate.text)),
        reason: None,
    };
    let not_taken =
        Standing::Past { until: None, replaced_by: None, reason: Some("it was turned down".to_owned()) };
    for (said, standing) in [(refused, not_taken), (held, replaced)] {
        let text = said.join(" ");
        if text.is_empty() || work.article.history.iter().any(|claim| claim.text == text) {
            continue;
        }
        let keys = merge::cite(work, was, &text);
        work.article.history.insert(0, Claim { standing, ..Claim::new(&text, keys) });
    }
}

/// Lists each footnote once, in the order they came.
fn once(mut keys: Vec<String>) -> Vec<String> {
    let mut seen = BTreeSet::new();
    keys.retain(|key| seen.insert(key.clone()));
    keys
}

fn push_new(claims: &mut Vec<Claim>, claim: Claim) {
    if !claims.iter().any(|known| known.text == claim.text) {
        claims.push(claim);
    }
}

/// Cites a source of another entry and returns its key here.
fn cite_source(work: &mut Work, source: &Source) -> String {
    let same = |known: &&Source| known.resource == source.resource && known.voice == source.voice;
    if let Some(key) = work.entry.sources.iter().find(same).and_then(|known| known.id.clone()) {
        return key;
    }
    let key = merge::next_key(&work.entry);
    let source = Source { id: Some(key.clone()), ..source.clone() };
    work.article.notes.push(Note { id: key.clone(), text: article::note(&source) });
    work.entry.sources.push(source);
    key
}
