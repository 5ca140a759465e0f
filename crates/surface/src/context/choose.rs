//! Which entries and passages are worth a place.

use std::collections::{BTreeSet, HashMap, HashSet};

use lore_core::recall::Query;
use lore_core::{Article, Claim, Entry, EntryId, Kind, LinkKind, Moment, Standing, Status, Voice};
use serde::Serialize;

use super::against::Against;
use super::cited::made_of;
use super::company::{tie, with_company};
use super::doubt::doubt;
use super::neighbours::leave_out_neighbours;
use super::rank::{Unit, What, lift_sessions, of_entry, of_passage, overlap, said, terms, within};
use super::stack::Stack;
use super::stale;
use crate::answer::Quote;
use crate::dismissed::{Dismissals, Reply};
use crate::fit::{Asked, Sureness, entry_fit, passage_fit};
use crate::index::Card;
use crate::query::{self, Word};
use crate::reader::{SearchError, Snapshot};
use crate::said::PassageHit;
use crate::snippet;
use crate::wording::{excepts, reason};

/// What is wanted.
pub struct Request<'a> {
    /// The words it is about.
    pub prompt: &'a str,
    /// The day.
    pub today: Moment,
    /// How many articles at most; disputed ones and company come on top.
    pub articles: usize,
    /// How many passages of past sessions at most.
    pub passages: usize,
    /// What was said before and is not said again.
    pub seen: &'a BTreeSet<String>,
    /// Only these kinds, in this order of importance; all but signals where empty.
    pub kinds: &'a [Kind],
    /// What the project is built with.
    pub stack: &'a Stack,
    /// Whether nobody asked: then the prompt itself has to tell what it is about, and what is less sure
    /// has to fit better.
    pub unasked: bool,
}

/// Why something has its place.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "reason", rename_all = "kebab-case")]
pub enum Reason {
    /// It is how people here want things done.
    Preference,
    /// It fits the words.
    Match,
    /// It fits, and its sources contradict each other.
    Disputed,
    /// What stands beside it must not be shown without it.
    Company {
        /// What it does to the other, seen from the other.
        kind: LinkKind,
        /// The other.
        of: EntryId,
    },
}

/// An entry with a place.
#[derive(Debug, Clone, PartialEq)]
pub struct Pick {
    /// The entry.
    pub card: Card,
    /// Why.
    pub reason: Reason,
    /// What it says about the words, best first; only what still holds.
    pub says: Vec<String>,
    /// How well it fits.
    pub score: f64,
    /// What stands against a rule.
    pub against: Option<Against>,
    /// What may have taken its place, and nobody has decided.
    pub replaced_by: Option<EntryId>,
}

/// What was chosen.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Chosen {
    /// Entries, best first, each right before what must come along.
    pub picks: Vec<Pick>,
    /// What was said in past sessions, best first.
    pub said: Vec<Quote>,
    /// Why there is nothing, where there is nothing.
    pub silent: Option<String>,
}

/// So many entries are looked at.
const ENTRIES: usize = 30;
/// Beside a passage that fits, those are shown that fit at least this share of what it has to.
const BESIDE: f64 = 0.3;
/// Beside an entry nobody asked for, those that fit at least this share of how well the entry does.
const BESIDE_AN_ENTRY: f64 = 0.7;
/// Beside the entry that fits best, nobody is told of one that fits less than this share of it.
const BESIDE_THE_BEST: f64 = 0.65;
/// So many claims of one entry may be shown.
const CLAIMS: usize = 4;
/// So many passages of one record may be quoted: a long answer is more than its best sentences.
const FROM_ONE: usize = 3;
/// What each further one loses.
const AGAIN: f64 = 0.05;
/// A dispute is shown whatever the room, if it fits at least this well, measured by the best entry.
const MATTERS: f64 = 0.6;
/// What shares more of its words with something shown says the same.
const SAME: f64 = 0.6;

/// Why nothing is said to an everyday prompt.
const EVERYDAY: &str = "its words are everyday ones, which tell nothing of what it is about";

/// Chooses what is worth saying about the words, or nothing.
pub fn choose(snapshot: &Snapshot<'_>, request: &Request<'_>) -> Result<Chosen, SearchError> {
    let asked = if request.unasked { Asked::prompt(request.prompt) } else { Asked::search(request.prompt) };
    let named_only = !asked.is_telling() && asked.may_name();
    if !asked.is_telling() && !named_only {
        return Ok(Chosen { silent: Some(EVERYDAY.to_owned()), ..Chosen::default() });
    }
    let words = query::words(request.prompt);
    let kinds = request.kinds.to_vec();
    let query = Query { limit: Some(ENTRIES), kinds, ..Query::text(asked.gist(request.prompt)) };
    let mut best = 0.0f64;
    let mut units: Vec<Unit> = Vec::new();
    let mut fits: HashMap<EntryId, f64> = HashMap::new();
    for found in snapshot.best(&query, &words, request.today)? {
        let sureness = if request.unasked { Sureness::of(&found.card.entry) } else { Sureness::Confirmed };
        if named_only && !asked.is_named_in(&found.card.entry) {
            continue;
        }
        let fit = entry_fit(&asked, &found.card.entry, sureness.floor());
        best = best.max(fit);
        if fit >= sureness.floor() {
            fits.insert(found.card.entry.id.clone(), fit);
            units.push(of_entry(found));
        }
    }
    let written = if units.is_empty() || !request.unasked { 0.0 } else { best };
    if request.unasked {
        leave_out_neighbours(snapshot, &asked, (request.prompt, request.today), &mut units)?;
        leave_out_far(&fits, &mut units);
    }
    // Passages are many, and everyday words stand in most of them.
    if request.passages > 0 && !named_only {
        let said = said(snapshot, request.prompt, request.today)?;
        let fits: Vec<f64> = said.iter().map(|hit| passage_fit(&asked, &hit.passage.text)).collect();
        let nearest = fits.iter().copied().fold(0.0, f64::max);
        best = best.max(nearest);
        // Who asked wants what was said as well; for nobody's question an entry is not made longer by
        // words of which none is about it.
        if nearest >= Sureness::Said.floor() || !request.unasked && !units.is_empty() {
            let least = (Sureness::Said.floor() * BESIDE).max(written * BESIDE_AN_ENTRY);
            let heard: Vec<(&PassageHit, f64)> =
                said.iter().zip(fits).filter(|(_, fit)| *fit >= least).collect();
            units.extend(quotations(snapshot, (&asked, &words), &heard, (least, request.unasked))?);
        }
    }
    if units.is_empty() {
        let why = if named_only {
            EVERYDAY.to_owned()
        } else if best == 0.0 {
            "nothing that is written or said has to do with it".to_owned()
        } else {
            format!("the best evidence fits by {best:.2}, which is below the floor")
        };
        return Ok(Chosen { silent: Some(why), ..Chosen::default() });
    }
    lift_sessions(&mut units);
    let mut units = stale::replace(units);
    units.sort_by(|a, b| b.score.total_cmp(&a.score));

    let mut chosen = Chosen::default();
    let mut known: BTreeSet<String> = request.seen.clone();
    let (mut written, mut quoted): (Vec<HashSet<String>>, Vec<HashSet<String>>) = (Vec::new(), Vec::new());
    let mut articles = 0;
    let mut groups: Vec<Vec<Pick>> = Vec::new();
    // What was curated is worth more than the words it was made of, so it is chosen first.
    let (entries, quotes): (Vec<Unit>, Vec<Unit>) =
        units.into_iter().partition(|unit| matches!(unit.what, What::Entry(_)));
    let best = entries.first().map_or(0.0, |unit| unit.score);
    for unit in entries.into_iter().chain(spread(quotes)) {
        match unit.what {
            What::Said { quote, terms } => {
                // A short entry shares its few words with everything on its subject.
                let in_entry = |entry: &HashSet<String>| within(&terms, entry) > SAME;
                let repeated = repeats(&terms, &quoted) || written.iter().any(in_entry);
                let heard = chosen.said.iter().filter(|other| other.source == quote.source).count();
                let wanted = chosen.said.len() < request.passages && heard < FROM_ONE && !repeated;
                if wanted && known.insert(quote.key()) {
                    chosen.said.push(quote);
                    quoted.push(terms);
                }
            }
            What::Entry(card) => {
                let disputed = card.entry.status == Status::Disputed && unit.score >= best * MATTERS;
                let room = disputed || articles < request.articles;
                if !room || known.contains(card.entry.id.as_str()) || !is_wanted(&card.entry, request.kinds) {
                    continue;
                }
                let says = says(&card.entry, &words);
                let terms = terms(&format!("{} {}", card.entry.title, says.join(" ")));
                let excepting = says.iter().any(|claim| excepts(claim));
                if !disputed && !excepting && repeats(&terms, &written) {
                    continue;
                }
                known.insert(card.entry.id.to_string());
                articles += usize::from(!disputed);
                written.push(terms);
                let reason = if disputed { Reason::Disputed } else { Reason::Match };
                let score = unit.score * request.stack.factor(&card.entry);
                let pick = Pick { says, card: *card, reason, score, against: None, replaced_by: None };
                groups.push(with_company(snapshot, pick, &mut known, request, &words)?);
            }
        }
    }
    let score = |group: &Vec<Pick>| group.iter().map(|pick| pick.score).fold(0.0, f64::max);
    groups.sort_by(|a, b| score(b).total_cmp(&score(a)));
    chosen.picks = by_kind(groups, request.kinds);
    tie(&mut chosen.picks);
    doubt(&mut chosen.picks);
    if chosen.picks.is_empty() && chosen.said.is_empty() {
        chosen.silent = Some("everything that fits was shown before".to_owned());
    }
    Ok(chosen)
}

/// Quotes what was said, as far as it stands; a page that was made of it takes its place.
fn quotations(
    snapshot: &Snapshot<'_>,
    (asked, words): (&Asked, &[Word]),
    heard: &[(&PassageHit, f64)],
    (least, unasked): (f64, bool),
) -> Result<Vec<Unit>, SearchError> {
    let mut units = Vec::new();
    let mut dismissals = Dismissals::default();
    for (hit, fit) in heard {
        let (session, line) = (hit.passage.session.as_str(), hit.passage.line);
        if dismissals.has(snapshot, session, line)? {
            continue;
        }
        let mut refused = false;
        if unasked && hit.passage.voice == Voice::Agent {
            let reply = dismissals.reply(snapshot, session, line)?;
            if reply == Reply::Deferred {
                continue;
            }
            refused = reply == Reply::Refused;
        } else if unasked && dismissals.shows_a_text(snapshot, session, line)? {
            continue;
        }
        let Some(quote) = of_passage(hit, words, (unasked, refused)) else { continue };
        // What was left out may have been all that it had to do with the prompt.
        if unasked && !quote.says(|text| passage_fit(asked, text) >= least) {
            continue;
        }
        let page = if *fit >= Sureness::Said.floor() { made_of(snapshot, hit, &quote)? } else { None };
        units.push(page.unwrap_or(quote));
    }
    Ok(units)
}

/// Leaves out what fits far worse than the best: beside what a prompt is about, what shares a part of it is noise. A rule
/// for how to work holds whatever else the work is about.
fn leave_out_far(fits: &HashMap<EntryId, f64>, units: &mut Vec<Unit>) {
    let fit = |unit: &Unit| match &unit.what {
        What::Entry(card) => fits.get(&card.entry.id).copied().unwrap_or_default(),
        What::Said { .. } => 0.0,
    };
    let best = units.iter().map(&fit).fold(0.0, f64::max);
    let is_rule =
        |unit: &Unit| matches!(&unit.what, What::Entry(card) if card.entry.kind == Kind::Preference);
    units.retain(|unit| is_rule(unit) || fit(unit) >= best * BESIDE_THE_BEST);
}

/// Puts what others said a little before what the same record says again.
fn spread(mut quotes: Vec<Unit>) -> Vec<Unit> {
    let mut heard: HashMap<String, u32> = HashMap::new();
    for unit in &mut quotes {
        if let What::Said { quote, .. } = &mut unit.what {
            let before = heard.entry(quote.source.clone()).or_default();
            let loss = AGAIN * f64::from(*before);
            unit.score -= loss;
            // Beside entries it counts without what its session lent it.
            quote.score -= loss;
            *before += 1;
        }
    }
    quotes.sort_by(|a, b| b.score.total_cmp(&a.score));
    quotes
}

fn repeats(terms: &HashSet<String>, shown: &[HashSet<String>]) -> bool {
    shown.iter().any(|other| overlap(terms, other) > SAME)
}

/// Signals are raw; they are shown on request only.
pub(super) fn is_wanted(entry: &Entry, kinds: &[Kind]) -> bool {
    if kinds.is_empty() { entry.kind != Kind::Signal } else { kinds.contains(&entry.kind) }
}

/// Brings the kinds that matter most to a role to the front; the rest keep their order, and what
/// comes along stays with its entry.
fn by_kind(mut groups: Vec<Vec<Pick>>, kinds: &[Kind]) -> Vec<Pick> {
    let rank = |group: &Vec<Pick>| {
        let found = group.iter().find(|pick| !matches!(pick.reason, Reason::Company { .. }));
        found.and_then(|pick| kinds.iter().position(|kind| pick.card.entry.kind == *kind))
    };
    groups.sort_by_key(|group| rank(group).unwrap_or(kinds.len()));
    groups.into_iter().flatten().collect()
}

/// Lists the statements of an entry that still hold, those about the words first, and behind them why it is so.
pub(super) fn says(entry: &Entry, words: &[Word]) -> Vec<String> {
    let article = Article::parse(&entry.body);
    let disputed =
        article.conflict.iter().filter(|claim| matches!(claim.standing, Standing::Disputed { .. }));
    let told = |claim: &Claim| !claim.text.is_empty();
    let stated = || article.lead.iter().chain(&article.facts);
    let is_stated = stated().any(told);
    let claims: Vec<(bool, String)> = article
        .current()
        .chain(disputed)
        .filter(|claim| told(claim))
        .map(|claim| (is_stated && article.why.contains(claim), claim.text.clone()))
        .collect();
    let described = || entry.description.clone().into_iter().map(|text| (false, text)).collect();
    let claims: Vec<(bool, String)> = if claims.is_empty() { described() } else { claims };
    let mut order: Vec<(usize, f32)> =
        claims.iter().enumerate().map(|(at, (_, text))| (at, snippet::weigh(text, words))).collect();
    // Both sides of a dispute are worth nothing without each other, so its order stays.
    if entry.status != Status::Disputed {
        order.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        // A reason says nothing without what it is the reason of.
        let first = order.iter().position(|(at, _)| !claims[*at].0);
        if let Some(first) = first.map(|at| order.remove(at)) {
            order.insert(0, first);
        }
    }
    order.truncate(CLAIMS);
    order.sort_by_key(|(at, _)| claims[*at].0 && entry.status != Status::Disputed);
    let mark = |(is_reason, text): &(bool, String)| if *is_reason { reason(text) } else { text.clone() };
    order.into_iter().map(|(at, _)| mark(&claims[at])).collect()
}
