//! Carrying out a decision on one article.

use lore_core::article::{Note, Quote};
use lore_core::{Article, Candidate, Claim, Curator, Entry, Evidence, Kind, Moment, Source, one_line};

use super::Outcome;
use super::judgement::Relation;
use super::merit::merit;
use super::statement::Statement;
use super::work::{Spot, Work, voice_of};
use crate::article;
use crate::extract::terms::terms;

/// So many quotations are shown.
const QUOTES: usize = 8;
/// So long may a quotation be, in characters.
const QUOTE_LENGTH: usize = 240;

/// Turns a candidate into a statement to compare.
pub(super) fn statement(candidate: &Candidate) -> Statement {
    Statement {
        text: candidate.text.clone(),
        quote: candidate.evidence.first().map(|evidence| evidence.quote.clone()).unwrap_or_default(),
        kind: candidate.kind,
        voice: candidate.voice(),
        at: candidate.said_at(),
        places: candidate.evidence.iter().map(|e| (e.session.as_str().to_owned(), e.line)).collect(),
    }
}

/// Turns every claim of an article into a statement to compare.
pub(super) fn statements(work: &Work) -> Vec<(Spot, Statement)> {
    let article = &work.article;
    let spots = (0..article.lead.len())
        .map(Spot::Lead)
        .chain((0..article.why.len()).map(Spot::Why))
        .chain((0..article.facts.len()).map(Spot::Fact))
        .chain((0..article.conflict.len()).map(Spot::Conflict))
        .chain((0..article.doubted.len()).map(Spot::Doubted))
        .chain((0..article.history.len()).map(Spot::History));
    spots.map(|spot| (spot, stated(work, claim_at(article, spot)))).collect()
}

fn stated(work: &Work, claim: &Claim) -> Statement {
    let sources: Vec<&Source> = cited(&work.entry, &claim.sources).collect();
    let quotes = claim.sources.iter().filter_map(|key| work.article.quote(key)).take(2);
    let words: Vec<&str> = quotes.map(|quote| quote.words.as_str()).collect();
    let said_at = sources.iter().filter_map(|source| source.at).max_by_key(|at| at.instant());
    // What cites nothing was said when it was written.
    let written = work.entry.updated.or(work.entry.created).filter(|_| sources.is_empty());
    let places = sources.iter().flat_map(|source| {
        let session = source.session.as_ref().map(|session| session.as_str().to_owned());
        session.into_iter().flat_map(|session| source.lines.iter().map(move |line| (session.clone(), *line)))
    });
    Statement {
        text: claim.text.clone(),
        quote: words.join(". "),
        kind: work.entry.kind,
        voice: voice_of(&work.entry, &claim.sources),
        at: said_at.or(written).map(Moment::instant),
        places: places.collect(),
    }
}

/// Lists the sources behind footnote keys.
pub(super) fn cited<'a>(entry: &'a Entry, keys: &'a [String]) -> impl Iterator<Item = &'a Source> {
    entry.sources.iter().filter(|source| source.id.as_ref().is_some_and(|id| keys.contains(id)))
}

pub(super) fn claim_at(article: &Article, spot: Spot) -> &Claim {
    match spot {
        Spot::Lead(at) => &article.lead[at],
        Spot::Why(at) => &article.why[at],
        Spot::Fact(at) => &article.facts[at],
        Spot::Conflict(at) => &article.conflict[at],
        Spot::Doubted(at) => &article.doubted[at],
        Spot::History(at) => &article.history[at],
    }
}

fn claim_at_mut(article: &mut Article, spot: Spot) -> &mut Claim {
    match spot {
        Spot::Lead(at) => &mut article.lead[at],
        Spot::Why(at) => &mut article.why[at],
        Spot::Fact(at) => &mut article.facts[at],
        Spot::Conflict(at) => &mut article.conflict[at],
        Spot::Doubted(at) => &mut article.doubted[at],
        Spot::History(at) => &mut article.history[at],
    }
}

/// Says what joining an article means, given how the candidate stands to its nearest claim.
pub(super) fn outcome(relation: Relation, spot: Spot) -> Outcome {
    match (relation, spot) {
        (Relation::Same, Spot::History(_) | Spot::Doubted(_)) => Outcome::Adds,
        (Relation::Same, _) => Outcome::Same,
        (Relation::Refines, Spot::Lead(_) | Spot::Why(_) | Spot::Fact(_)) => Outcome::Refines,
        _ => Outcome::Adds,
    }
}

/// Tells whether the article holds the candidate already: the same evidence, and the same words.
pub(super) fn holds(work: &Work, candidate: &Candidate) -> bool {
    let text = one_line(&candidate.text);
    candidate.evidence.iter().any(|evidence| {
        let Some(key) = key_of(&work.entry, evidence) else { return false };
        // One passage may say two things, told apart by those who word them.
        let told = says_as_much(&evidence.quote, &text)
            || work.article.claims().any(|claim| says_as_much(&claim.text, &text));
        let words = shown(&evidence.quote);
        let quoted = work.article.context.iter().any(|quote| {
            quote.source == key
                && (quote.words == words || says_as_much(&quote.words, words.trim_end_matches('…')))
        });
        let unshown = work.article.context.len() >= QUOTES && work.article.quote(&key).is_none();
        let cites = |claim: &Claim| {
            claim.sources.contains(&key) && (claim.text == text || says_as_much(&claim.text, &evidence.quote))
        };
        told && (quoted || unshown || work.article.claims().any(cites))
    })
}

/// Finds the footnote of a passage that is cited, or of a copy of it: sibling files of one
/// session hold the same record at the same instant.
fn key_of(entry: &Entry, evidence: &Evidence) -> Option<String> {
    let same = |source: &&Source| {
        let here =
            source.session.as_ref() == Some(&evidence.session) && source.lines.contains(&evidence.line);
        let at = evidence.at.map(Moment::Instant);
        let elsewhere = source.session.as_ref() != Some(&evidence.session);
        here || elsewhere && at.is_some() && source.at == at && source.voice == evidence.voice
    };
    entry.sources.iter().find(same).and_then(|source| source.id.clone())
}

/// Writes the first claim of a new article.
pub(crate) fn begin(work: &mut Work, candidate: &Candidate) {
    let (statement, why) = article::statement_and_reasons(&candidate.text);
    let keys = cite(work, candidate, if why.is_empty() { &statement } else { "" });
    work.article.lead.push(Claim::new(&statement, keys.clone()));
    work.article.why.extend(why.iter().map(|reason| Claim::new(reason, keys.clone())));
    touch(work, candidate);
}

/// Puts the statement that most speaks for to the front and names the article after it.
pub(super) fn open_with_best(work: &mut Work) -> bool {
    let Some((spot, kind, title)) = best_opening(work) else { return false };
    // What a kind tells besides belongs to that kind; an article has nothing of it yet.
    work.entry.detail = Entry::new(work.entry.id.clone(), kind, title.as_str()).detail;
    work.entry.kind = kind;
    work.entry.title = title;
    if spot != Spot::Lead(0) {
        let claim = take(&mut work.article, spot);
        let rest = std::mem::replace(&mut work.article.lead, vec![claim]);
        work.article.facts.splice(0..0, rest);
    }
    true
}

/// Finds the claim that should open an article, with the kind and the title of who told it.
fn best_opening(work: &Work) -> Option<(Spot, Kind, String)> {
    let fit =
        |candidate: &&Candidate| article::is_article(candidate.kind) && merit(candidate).unfit.is_none();
    let mut ranked: Vec<(f64, &Candidate)> =
        work.told_by.iter().filter(fit).map(|candidate| (merit(candidate).value, candidate)).collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let (lead, facts) = (&work.article.lead, &work.article.facts);
    ranked.into_iter().filter(|_| !lead.is_empty()).find_map(|(_, candidate)| {
        let statement = article::statement_and_reasons(&candidate.text).0;
        let says = |claim: &Claim| claim.text == statement || claim.text == one_line(&candidate.text);
        let spot = lead.iter().position(says).map(Spot::Lead);
        let spot = spot.or_else(|| facts.iter().position(says).map(Spot::Fact))?;
        Some((spot, candidate.kind, article::title(candidate)))
    })
}

/// Adds evidence to a claim that says the same.
pub(crate) fn add_sources(work: &mut Work, spot: Spot, candidate: &Candidate) {
    let before = work.entry.sources.len();
    let standing = claim_at(&work.article, spot).text.clone();
    let keys = cite(work, candidate, &standing);
    let claim = claim_at_mut(&mut work.article, spot);
    let known = claim.sources.len();
    for key in keys {
        if !claim.sources.contains(&key) {
            claim.sources.push(key);
        }
    }
    if work.entry.sources.len() > before || claim.sources.len() > known {
        touch(work, candidate);
    }
}

/// Puts the finer wording in the place of the coarser one; the evidence of both stays.
pub(super) fn refine(work: &mut Work, spot: Spot, candidate: &Candidate) {
    if candidate.voice() < voice_of(&work.entry, &claim_at(&work.article, spot).sources) {
        // An agent's wording does not replace a person's.
        return add_claim(work, candidate);
    }
    let keys = cite(work, candidate, &candidate.text);
    if work.entry.curated_by == Curator::Auto {
        let known = claim_at(&work.article, spot).clone();
        let finer = one_line(&candidate.text);
        if adds_a_clause(&known.text, &finer) {
            quote_before_rewording(work, spot);
            let claim = claim_at_mut(&mut work.article, spot);
            claim.text = finer;
            claim.sources.extend(keys);
            claim.sources.dedup();
        } else {
            // It leaves something out or speaks of less, so it cannot stand for the other: the newer comes first, both stay.
            if article::title_says(&work.entry.title, &known.text, &finer) {
                work.entry.title = article::title(candidate);
            }
            *claim_at_mut(&mut work.article, spot) = Claim::new(&finer, keys);
            work.article.facts.insert(0, known);
        }
    }
    touch(work, candidate);
}

/// "Ropes are coiled, because wet ones rot" says all of "Ropes are coiled", and "ropes are coiled in the shed too" does
/// not: what is told of a part leaves the whole as it is.
fn adds_a_clause(known: &str, finer: &str) -> bool {
    const EXTEND: [&str; 4] = [" either", " too", " as well", " also"];
    const GROUNDS: [&str; 4] = ["because ", "since ", "so that ", "as "];
    let plain = |text: &str| text.trim().trim_end_matches(['.', '!']).to_lowercase();
    let (known, finer) = (plain(known), plain(finer));
    let Some(rest) = finer.strip_prefix(known.as_str()) else { return false };
    let is_clause = rest.starts_with([',', ';', ':', '.', '(', '–', '—'])
        || rest.starts_with(" (")
        || GROUNDS.iter().any(|word| rest.trim_start().starts_with(word));
    (rest.is_empty() || is_clause) && !EXTEND.iter().any(|word| rest.contains(word))
}

/// Keeps the words of a claim that is about to be worded anew, where they are quoted nowhere else.
fn quote_before_rewording(work: &mut Work, spot: Spot) {
    let claim = claim_at(&work.article, spot).clone();
    for key in &claim.sources {
        let source = work.entry.sources.iter().find(|source| source.id.as_ref() == Some(key));
        let Some(source) = source else { continue };
        if work.article.quote(key).is_none() && work.article.context.len() < QUOTES {
            let said = article::capitalised(&article::said_by(source));
            work.article.context.push(Quote { said, words: shown(&claim.text), source: key.clone() });
        }
    }
}

/// Tells whether a statement holds the words it rests on, but for "ok", "and" and the like before them.
fn says_as_much(text: &str, quote: &str) -> bool {
    let plain = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    let (said, told) = (terms(quote), terms(text));
    let quote = plain(quote);
    !quote.is_empty() && (plain(text).contains(&quote) || !said.is_empty() && said.is_subset(&told))
}

/// Adds one more thing that is known on the subject.
pub(crate) fn add_claim(work: &mut Work, candidate: &Candidate) {
    let keys = cite(work, candidate, &candidate.text);
    let text = one_line(&candidate.text);
    match work.article.facts.iter_mut().find(|claim| claim.text == text) {
        Some(claim) => claim.sources.extend(keys),
        None => work.article.facts.push(Claim::new(&text, keys)),
    }
    touch(work, candidate);
}

/// Takes a claim out of its place.
pub(super) fn take(article: &mut Article, spot: Spot) -> Claim {
    match spot {
        Spot::Lead(at) => article.lead.remove(at),
        Spot::Why(at) => article.why.remove(at),
        Spot::Fact(at) => article.facts.remove(at),
        Spot::Conflict(at) => article.conflict.remove(at),
        Spot::Doubted(at) => article.doubted.remove(at),
        Spot::History(at) => article.history.remove(at),
    }
}

/// Adds the candidate's evidence to the entry and returns the footnote keys; words that the
/// standing text holds are not quoted beside it.
pub(crate) fn cite(work: &mut Work, candidate: &Candidate, standing: &str) -> Vec<String> {
    let mut keys = Vec::new();
    for evidence in &candidate.evidence {
        let key = key_of(&work.entry, evidence).unwrap_or_else(|| {
            let key = next_key(&work.entry);
            let source = Source { id: Some(key.clone()), ..evidence.source(candidate.issue.as_deref()) };
            work.article.notes.push(Note { id: key.clone(), text: article::note(&source) });
            work.entry.sources.push(source);
            key
        });
        let words = shown(&evidence.quote);
        let known = work.article.context.iter().any(|quote| quote.source == key && quote.words == words);
        // A quotation that says the claim once more is of no use to anybody.
        let told = says_as_much(standing, &evidence.quote);
        if !known && !told && !words.is_empty() && work.article.context.len() < QUOTES {
            let said = article::said_by(&evidence.source(None));
            let said = article::capitalised(&said);
            work.article.context.push(Quote { said, words, source: key.clone() });
        }
        if !keys.contains(&key) {
            keys.push(key);
        }
    }
    keys
}

pub(crate) fn next_key(entry: &Entry) -> String {
    let number = |source: &Source| source.id.as_deref()?.strip_prefix('s')?.parse::<u32>().ok();
    format!("s{}", entry.sources.iter().filter_map(number).max().unwrap_or(0) + 1)
}

/// Returns a quotation as it is shown: one line, cut at a word.
pub(super) fn shown(quote: &str) -> String {
    article::shorten(&one_line(quote), QUOTE_LENGTH)
}

pub(super) fn touch(work: &mut Work, candidate: &Candidate) {
    work.touched = true;
    article::widen(&mut work.entry, candidate);
}
