//! The other way round: an agent fetches what could be worded better and hands it back.

use lore_core::{
    Article, Candidate, Confidence, Curator, Entry, EntryId, Evidence, SessionId, Status, Voice,
};
use lore_distill::model::{Offered, RefinedEntry, accept, offer, read};
use lore_store::{Refused, Summary};
use serde::Serialize;

use crate::curate::{CurateOptions, CurateReport};
use crate::sessions::SessionFilter;
use crate::{Engine, Error};

/// What is handed out.
#[derive(Debug, Clone)]
pub struct OfferOptions {
    /// Which sessions.
    pub filter: SessionFilter,
    /// At most so many.
    pub limit: usize,
}

/// Something that could be worded better.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Offer {
    /// The candidate with the words it rests on.
    #[serde(flatten)]
    pub offered: Offered,
    /// The entry it is already; nothing where it is not written yet.
    pub entry: Option<EntryId>,
}

/// What became of refined entries.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct RefineReport {
    /// Entries and candidates that were worded better.
    pub reworded: usize,
    /// Entries that were taken back because they are not worth keeping.
    pub dropped: Vec<EntryId>,
    /// Entries that changed.
    pub entries: Vec<EntryId>,
    /// What was refused, and why.
    pub notes: Vec<String>,
    /// What curating the rest did, where sessions were new.
    pub curated: Option<CurateReport>,
    /// Whether only a rehearsal was asked for.
    pub dry_run: bool,
}

impl Engine {
    /// Lists what an agent could word better: statements of sessions that are not curated yet,
    /// then articles that the machine wrote and no person has confirmed, the newest first.
    pub fn offers(&self, options: &OfferOptions) -> Result<Vec<Offer>, Error> {
        let candidates = self.uncurated(&options.filter)?;
        let mut offers: Vec<Offer> =
            offer(&candidates).into_iter().map(|offered| Offer { offered, entry: None }).collect();
        let snapshot = self.store.snapshot()?;
        let mut ours: Vec<&Summary> = snapshot.summaries().filter(|summary| is_ours(summary)).collect();
        ours.sort_by(|a, b| b.updated.cmp(&a.updated).then_with(|| a.id.cmp(&b.id)));
        for summary in ours.into_iter().take(options.limit.saturating_sub(offers.len())) {
            let Ok(stored) = snapshot.read(summary) else { continue };
            let candidate = candidate_of(&stored.entry);
            let mut offered = offer(std::slice::from_ref(&candidate));
            if let Some(mut offered) = offered.pop().filter(|offered| !offered.quotes.is_empty()) {
                offered.candidate = summary.id.to_string();
                offers.push(Offer { offered, entry: Some(summary.id.clone()) });
            }
        }
        offers.truncate(options.limit);
        Ok(offers)
    }

    /// Takes refined entries as JSON, in the form of `{"entries": […]}`, and writes them.
    pub fn refine(&self, filter: &SessionFilter, json: &str, dry_run: bool) -> Result<RefineReport, Error> {
        let refined = read(json).map_err(|error| {
            Error::request(
                format!("the refined entries cannot be read: {error}"),
                "hand in one object `{\"entries\": [{\"candidate\": …, \"title\": …, \"text\": …}]}`",
            )
        })?;
        let is_candidate = |entry: &RefinedEntry| entry.candidate.starts_with("c-");
        let (candidates, entries): (Vec<RefinedEntry>, Vec<RefinedEntry>) =
            refined.into_iter().partition(is_candidate);
        let mut report = RefineReport { dry_run, ..RefineReport::default() };
        self.reword(entries, &mut report)?;
        if !candidates.is_empty() {
            let options = CurateOptions { filter: filter.clone(), dry_run, ..CurateOptions::default() };
            let curated = self.curate_with(&options, &|_, _| {}, &candidates)?;
            report.reworded += curated.refined.as_ref().map_or(0, |refined| refined.reworded);
            report.notes.extend(curated.refined.iter().flat_map(|refined| refined.notes.clone()));
            report.curated = Some(curated);
        }
        Ok(report)
    }

    /// Words entries better that the machine wrote and no person has confirmed.
    fn reword(&self, entries: Vec<RefinedEntry>, report: &mut RefineReport) -> Result<(), Error> {
        if entries.is_empty() {
            return Ok(());
        }
        let mut transaction = self.begin_as_machine("refine")?;
        for refined in entries {
            let name = refined.candidate.clone();
            let Ok(summary) = transaction.base().resolve(&name) else {
                report.notes.push(format!("`{name}` is neither an entry nor a candidate"));
                continue;
            };
            let id = summary.id.clone();
            if !is_ours(summary) {
                report
                    .notes
                    .push(format!("`{id}` has been confirmed or edited by a person and stays as it is"));
                continue;
            }
            if !refined.keep {
                match transaction.remove(id.as_str(), "an agent found it not worth keeping") {
                    Ok(_) => report.dropped.push(id),
                    Err(refused) => report.notes.push(format!("{id}: {refused}")),
                }
                continue;
            }
            let stored = transaction.get(id.as_str())?;
            let candidate = candidate_of(&stored.entry);
            let named = RefinedEntry { candidate: lore_distill::model::name_of(&candidate), ..refined };
            let done = accept(vec![candidate.clone()], &[named]);
            report.notes.extend(done.notes);
            let Some(better) = done.candidates.into_iter().next().filter(|better| *better != candidate)
            else {
                continue;
            };
            match transaction.replace(worded(stored.entry, &candidate, &better), stored.version) {
                Ok(_) => {
                    report.reworded += 1;
                    report.entries.push(id);
                }
                Err(Refused::Protected { .. }) => report.notes.push(format!("`{id}` holds a person's words")),
                Err(refused) => report.notes.push(format!("{id}: {refused}")),
            }
        }
        if report.dry_run || (report.entries.is_empty() && report.dropped.is_empty()) {
            return Ok(());
        }
        let message = format!("refine {} entries", report.entries.len() + report.dropped.len());
        self.commit(transaction, &message).map(drop)
    }
}

/// Tells whether only the machine had a hand in it so far.
fn is_ours(summary: &Summary) -> bool {
    lore_distill::article::is_article(summary.kind)
        && summary.curated_by == Curator::Auto
        && summary.status == Status::Current
        && !summary.verified
        && !summary.archived
}

/// Takes an article as the candidate it could have come from: its statement and the words it cites.
fn candidate_of(entry: &Entry) -> Candidate {
    let article = Article::parse(&entry.body);
    let lead: Vec<&str> = article.lead.iter().map(|claim| claim.text.as_str()).collect();
    let evidence = article.context.iter().map(|quote| {
        let source = entry.sources.iter().find(|source| source.id.as_deref() == Some(quote.source.as_str()));
        Evidence {
            session: source.and_then(|source| source.session.clone()).unwrap_or_else(|| SessionId::new("")),
            agent: String::new(),
            line: source.and_then(|source| source.lines.first().copied()).unwrap_or(0),
            quote: quote.words.clone(),
            voice: source.map_or(Voice::Agent, |source| source.voice),
            at: None,
        }
    });
    Candidate {
        kind: entry.kind,
        title: entry.title.clone(),
        text: lead.join(" "),
        confidence: entry.confidence.unwrap_or(Confidence::Medium),
        keywords: entry.tags.clone(),
        files: entry.files.clone(),
        issue: entry.issues.first().cloned(),
        evidence: evidence.collect(),
        weight: 1.0,
        features: Vec::new(),
        at: None,
        route: lore_core::Route::Statement,
    }
}

/// Puts better words in the place of an article's statement; its evidence stays.
fn worded(mut entry: Entry, before: &Candidate, better: &Candidate) -> Entry {
    entry.title.clone_from(&better.title);
    entry.tags.clone_from(&better.keywords);
    entry.confidence = Some(better.confidence);
    if better.text != before.text {
        let mut article = Article::parse(&entry.body);
        let mut sources: Vec<String> = article.lead.iter().flat_map(|claim| claim.sources.clone()).collect();
        sources.dedup();
        article.lead = vec![lore_core::Claim::new(&better.text, sources)];
        entry.description = article.lead.first().map(|claim| crate::entries::in_short(&claim.text));
        entry.body = article.render();
    }
    entry
}
