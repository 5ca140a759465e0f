//! What may answer a question: pieces of entries and of past sessions, each with where it stands.

use std::collections::{HashMap, HashSet};

use jiff::Timestamp;
use lore_core::article::Article;
use lore_core::recall::Query;
use lore_core::{Claim, Curator, Entry, LinkKind, Moment, Standing, Status, Voice};

use crate::answer::{AskOptions, overlap};
use crate::asking::{may_answer, only_asks};
use crate::clause::{clauses, pieces};
use crate::index::Level;
use crate::reader::{SearchError, Snapshot};
use crate::said::PassageQuery;
use crate::semantic::Embedder;
use crate::status::is_status;
use crate::token;
use crate::wording::objects;

/// How many entries and passages are looked at.
const ENTRIES: usize = 80;
const PASSAGES: usize = 300;
/// A piece that shares more of its words with a statement says the same.
const SAME: f64 = 0.55;
/// Shorter pieces say nothing.
const SHORTEST: usize = 12;
/// What a person says within so many lines answers what an agent said.
const NEXT: usize = 8;

/// Where some pieces come from: one entry, or one passage.
pub(crate) struct Parent {
    pub(crate) level: Level,
    pub(crate) source: String,
    /// The session it was said in, or the one the entry rests on.
    pub(crate) session: String,
    /// How well the whole entry fits the question, from 0 to 1; nothing for a passage.
    pub(crate) fit: f64,
    /// Whether only the machine stands behind the entry.
    pub(crate) unreviewed: bool,
    /// Whether a person stands behind every word of it.
    pub(crate) vouched: bool,
    /// Whose words they are.
    pub(crate) voice: Voice,
    /// Whether a person objected to it right after it was said.
    pub(crate) refused: bool,
    /// What an entry is called; nothing for a passage.
    pub(crate) title: String,
    /// Its own words, to see how much of the question it is about.
    pub(crate) terms: HashSet<String>,
    pub(crate) vector: Vec<f32>,
}

/// A piece of text that can be read on its own.
pub(crate) struct Piece {
    pub(crate) parent: usize,
    pub(crate) text: String,
    pub(crate) terms: HashSet<String>,
    pub(crate) vector: Vec<f32>,
    pub(crate) at: Option<Moment>,
    pub(crate) status: &'static str,
    /// Whether it is a question, or a part of one.
    pub(crate) asks: bool,
    /// Whose words it is in.
    pub(crate) voice: Voice,
    /// Which side of a dispute within an entry it is of; nothing where it is of none.
    pub(crate) side: Option<usize>,
    /// Whether it says why something else on its page is so.
    pub(crate) is_reason: bool,
}

/// What is to be known of a piece beside its words.
#[derive(Clone, Copy)]
struct About {
    parent: usize,
    at: Option<Moment>,
    status: &'static str,
    voice: Voice,
    side: Option<usize>,
    is_reason: bool,
}

/// A statement of an entry, as it bears on the words it was made of.
struct Cited {
    terms: HashSet<String>,
    holds: bool,
}

/// All that may answer a question.
#[derive(Default)]
pub(crate) struct Evidence {
    pub(crate) parents: Vec<Parent>,
    pub(crate) pieces: Vec<Piece>,
    /// What entries say of places in past sessions.
    cited: HashMap<String, Vec<Cited>>,
}

/// Gathers the pieces of the nearest entries and passages, up to a moment where one is given.
pub(crate) fn gather(
    snapshot: &Snapshot<'_>,
    question: &str,
    until: Option<Moment>,
    options: &AskOptions,
) -> Result<Evidence, SearchError> {
    let mut evidence = Evidence::default();
    let mut objections = Vec::new();
    let query = Query { limit: Some(ENTRIES), projects: options.projects.clone(), ..Query::text(question) };
    for hit in snapshot.search(&query, options.today)? {
        if let Some(card) = snapshot.card(hit.id.as_str())? {
            let fit = (hit.matched.lexical + 0.5 * hit.matched.semantic) / 1.5;
            evidence.add_entry(snapshot, &card.entry, until, fit)?;
        }
    }
    evidence.hear_doubts();
    let query = PassageQuery {
        limit: Some(PASSAGES),
        projects: options.projects.clone(),
        until,
        ..PassageQuery::text(question)
    };
    for hit in snapshot.said(&query)? {
        let passage = hit.passage;
        let parent = evidence.parent(Parent {
            level: Level::Passages,
            source: passage.source(),
            session: passage.session.to_string(),
            fit: 0.0,
            unreviewed: false,
            vouched: false,
            voice: passage.voice,
            refused: false,
            title: String::new(),
            terms: HashSet::new(),
            vector: Vec::new(),
        });
        let from = evidence.pieces.len();
        // As things stood at an earlier moment, it may have held.
        let status = if hit.superseded && until.is_none() { Status::Superseded.word() } else { "uncurated" };
        let (at, voice) = (passage.at.map(Moment::Instant), passage.voice);
        // How far a piece of work was at the time is no answer to anything.
        let passes = |text: &str| voice != Voice::Person && is_status(text);
        for text in clauses(&passage.text).into_iter().filter(|text| !passes(text)) {
            evidence.add(text, About { parent, at, status, voice, side: None, is_reason: false });
        }
        evidence.hear_entries(&passage.source(), from);
        if passage.voice == Voice::Person && objects(&passage.text) {
            objections.push((passage.session.to_string(), line_of(&passage.source())));
        }
    }
    evidence.hear_objections(&objections);
    if let Some(embedder) = &snapshot.index.embedder {
        evidence.embed(embedder.as_ref());
    }
    Ok(evidence)
}

/// Returns the line of a session that a source names.
pub(crate) fn line_of(source: &str) -> usize {
    source.rsplit_once("#L").and_then(|(_, line)| line.parse().ok()).unwrap_or_default()
}

impl Evidence {
    /// Marks what agents said right before a person objected.
    fn hear_objections(&mut self, objections: &[(String, usize)]) {
        for parent in self.parents.iter_mut().filter(|parent| parent.voice == Voice::Agent) {
            let line = line_of(&parent.source);
            parent.refused = line > 0
                && objections
                    .iter()
                    .any(|(session, at)| *session == parent.session && (line + 1..=line + NEXT).contains(at));
        }
    }

    /// Returns what follows a piece where it stands, unless that asks.
    pub(crate) fn stated_after(&self, at: usize) -> Option<&Piece> {
        self.pieces.get(at + 1).filter(|next| next.parent == self.pieces[at].parent && !next.asks)
    }

    /// Tells whether a piece says something: it is no question, or what follows answers it.
    pub(crate) fn says_something(&self, at: usize) -> bool {
        !self.pieces[at].asks || self.stated_after(at).is_some_and(|next| may_answer(&next.text))
    }

    fn parent(&mut self, parent: Parent) -> usize {
        self.parents.push(parent);
        self.parents.len() - 1
    }

    fn add(&mut self, text: String, about: About) {
        let About { parent, at, status, voice, side, is_reason } = about;
        let terms = terms(&text);
        if text.len() >= SHORTEST && !terms.is_empty() {
            self.parents[parent].terms.extend(terms.iter().cloned());
            let asks = only_asks(&text, self.parents[parent].voice);
            // A long question was cut.
            if asks && let Some(before) = self.pieces.last_mut().filter(|before| before.parent == parent) {
                before.asks |= before.text.ends_with(',');
            }
            self.pieces.push(Piece {
                parent,
                text,
                terms,
                vector: Vec::new(),
                at,
                status,
                asks,
                voice,
                side,
                is_reason,
            });
        }
    }

    /// Leaves out what an entry says as if it held, where another shows it beside what speaks against it: what a person
    /// wrote is not rewritten when it is doubted.
    fn hear_doubts(&mut self) {
        let is_open = |piece: &&Piece| matches!(piece.status, "possibly-replaced" | "disputed");
        let doubted: Vec<(usize, String)> =
            self.pieces.iter().filter(is_open).map(|piece| (piece.parent, piece.text.clone())).collect();
        self.pieces.retain(|piece| {
            let is_doubted =
                |(by, text): &(usize, String)| *by != piece.parent && piece.text.ends_with(text.as_str());
            piece.status != Status::Current.word() || !doubted.iter().any(is_doubted)
        });
    }

    /// Lets entries say of the latest pieces, which are from one place, that they no longer hold.
    fn hear_entries(&mut self, source: &str, from: usize) {
        let Some(cited) = self.cited.get(source) else { return };
        for piece in &mut self.pieces[from..] {
            let about = || cited.iter().filter(|one| overlap(&one.terms, &piece.terms) > SAME);
            if about().next().is_some() && about().all(|one| !one.holds) {
                piece.status = Status::Superseded.word();
            }
        }
    }

    /// Gives every piece its vector, and every parent the sum of those of its pieces.
    fn embed(&mut self, embedder: &dyn Embedder) {
        let texts: Vec<&str> = self.pieces.iter().map(|piece| piece.text.as_str()).collect();
        let vectors = embedder.embed_all(&texts);
        for parent in &mut self.parents {
            parent.vector = vec![0.0; embedder.dimensions()];
        }
        for (piece, vector) in self.pieces.iter_mut().zip(vectors) {
            let sum = &mut self.parents[piece.parent].vector;
            sum.iter_mut().zip(&vector).for_each(|(sum, value)| *sum += value);
            piece.vector = vector;
        }
        for parent in &mut self.parents {
            let length = parent.vector.iter().map(|v| v * v).sum::<f32>().sqrt();
            if length > 0.0 {
                parent.vector.iter_mut().for_each(|v| *v /= length);
            }
        }
    }

    /// Adds the claims of an entry as they stood at a moment.
    fn add_entry(
        &mut self,
        snapshot: &Snapshot<'_>,
        entry: &Entry,
        until: Option<Moment>,
        fit: f64,
    ) -> Result<(), SearchError> {
        let known =
            |at: Option<Moment>| until.is_none_or(|until| at.is_none_or(|at| at.date() <= until.date()));
        if !known(entry.created) {
            return Ok(());
        }
        let status = self.status_at(snapshot, entry, until)?;
        let session = entry.sources.iter().find_map(|source| source.session.as_ref());
        let voice = voice_of(entry);
        let parent = self.parent(Parent {
            level: Level::Entries,
            source: entry.id.to_string(),
            session: session.map_or_else(|| entry.id.to_string(), ToString::to_string),
            fit,
            unreviewed: entry.is_unreviewed(),
            vouched: entry.is_verified_by_a_person() || entry.curated_by == Curator::Human,
            refused: false,
            voice,
            title: entry.title.clone(),
            terms: terms(&entry.title),
            vector: Vec::new(),
        });
        let article = Article::parse(&entry.body);
        let dates: HashMap<&str, Moment> =
            entry.sources.iter().filter_map(|source| Some((source.id.as_deref()?, source.at?))).collect();
        // What somebody wrote by hand says in its title what the text below explains.
        let mut title = session.is_none().then_some(entry.title.as_str());
        let reasons = article.lead.len()..article.lead.len() + article.why.len();
        let states = !article.lead.is_empty() || !article.facts.is_empty();
        for (number, claim) in article.claims().enumerate() {
            let is_reason = states && reasons.contains(&number);
            let at = claim.sources.iter().filter_map(|key| dates.get(key.as_str())).max().copied();
            let at = at.or(entry.updated).or(entry.created);
            if !known(at.filter(|_| !claim.sources.is_empty())) {
                continue;
            }
            let status = match &claim.standing {
                Standing::Current => status,
                Standing::Disputed { .. } => "disputed",
                Standing::PossiblyReplaced { since, .. } if until.is_some() && !known(*since) => status,
                Standing::PossiblyReplaced { .. } => "possibly-replaced",
                Standing::Past { until: end, .. } if until.is_some() && !known(*end) => status,
                Standing::Past { .. } => "superseded",
            };
            for source in entry.sources_of(claim) {
                let holds = status != Status::Superseded.word();
                let cited = Cited { terms: terms(&claim.text), holds };
                self.cited.entry(source.resource.clone()).or_default().push(cited);
            }
            let (voice, side) = match &claim.standing {
                Standing::Disputed { .. } => (voice_of_side(snapshot, entry, claim)?, Some(number)),
                _ => (voice, None),
            };
            for text in pieces(&claim.text) {
                let title = title.take().filter(|title| !says_title(&text, title));
                let text = title.map_or(text.clone(), |title| format!("{title}: {text}"));
                self.add(text, About { parent, at, status, voice, side, is_reason });
            }
        }
        for section in &article.other {
            for text in clauses(&section.body) {
                let text = title.take().map_or(text.clone(), |title| format!("{title}: {text}"));
                let at = entry.updated.or(entry.created);
                self.add(text, About { parent, at, status, voice, side: None, is_reason: false });
            }
        }
        Ok(())
    }

    /// Says what the status of an entry was: nothing is superseded before what replaced it was known.
    fn status_at(
        &self,
        snapshot: &Snapshot<'_>,
        entry: &Entry,
        until: Option<Moment>,
    ) -> Result<&'static str, SearchError> {
        if let Some(until) = until
            && entry.status == Status::Superseded
        {
            for name in entry.linked(LinkKind::SupersededBy) {
                let newer = snapshot.card(name)?.and_then(|card| card.entry.created);
                if newer.is_some_and(|created| created.date() > until.date()) {
                    return Ok(Status::Current.word());
                }
            }
        }
        Ok(entry.status.word())
    }
}

impl Piece {
    /// Returns when it was said, as one number.
    pub(crate) fn second(&self) -> Option<i64> {
        self.at.map(|at| Timestamp::as_second(at.instant()))
    }
}

/// Says whose words an entry is in, where nothing says it of a part.
pub(crate) fn voice_of(entry: &Entry) -> Voice {
    entry.sources.iter().map(|source| source.voice).max().unwrap_or(Voice::Person)
}

/// Says whose words one side of a dispute is in: of those it cites, else of the entry that it quotes.
fn voice_of_side(snapshot: &Snapshot<'_>, entry: &Entry, claim: &Claim) -> Result<Voice, SearchError> {
    if let Some(voice) = entry.sources_of(claim).map(|source| source.voice).max() {
        return Ok(voice);
    }
    for name in entry.linked(LinkKind::Contradicts) {
        let Some(card) = snapshot.card(name)? else { continue };
        if Article::parse(&card.entry.body).claims().any(|theirs| theirs.text == claim.text) {
            return Ok(voice_of(&card.entry));
        }
    }
    Ok(voice_of(entry))
}

/// Tells whether a statement repeats its title.
fn says_title(text: &str, title: &str) -> bool {
    text.to_lowercase().contains(&title.to_lowercase())
}

fn terms(text: &str) -> HashSet<String> {
    token::tokens(text).into_iter().map(|token| token.term).collect()
}
