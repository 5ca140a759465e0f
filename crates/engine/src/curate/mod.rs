//! From past sessions to articles: read what is new, judge it, write it in one transaction (C-08).

use std::collections::BTreeMap;
use std::path::Path;

use lore_core::session::Session;
use lore_core::{Candidate, ContentHash, Entry, EntryId, Proposal};
use lore_distill::curate::{Bars, Base, Curation, Decision, Outcome, Setting, curate};
use lore_store::{CommitOptions, Curated, Owner, Refused, Snapshot, Transaction};
use serde::Serialize;

use crate::sessions::{OnProgress, SessionFilter};
use crate::{Engine, Error};

/// Where candidates wait that nothing speaks for enough yet.
const QUEUE: &str = "queue.json";

/// How to curate.
#[derive(Debug, Clone, Default)]
pub struct CurateOptions {
    /// Which sessions.
    pub filter: SessionFilter,
    /// Read every session again, also those that were curated before.
    pub bootstrap: bool,
    /// Say what would be done and write nothing.
    pub dry_run: bool,
    /// Make a git commit, whatever the settings say.
    pub commit: bool,
}

/// What a run did.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct CurateReport {
    /// Sessions that were read.
    pub sessions: usize,
    /// Sessions that had something new.
    pub fresh: usize,
    /// Candidates that were found.
    pub candidates: usize,
    /// New articles.
    pub created: Vec<Touched>,
    /// Articles that changed.
    pub updated: Vec<Touched>,
    /// Candidates that wait for more to speak for them.
    pub queued: usize,
    /// How many candidates had each outcome.
    pub outcomes: BTreeMap<String, usize>,
    /// What was decided about each candidate, and why.
    pub decisions: Vec<Decision>,
    /// What could not be read or written, and why.
    pub problems: Vec<String>,
    /// Whether only a rehearsal was asked for.
    pub dry_run: bool,
}

/// An article that was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Touched {
    /// Its id.
    pub id: EntryId,
    /// Its title.
    pub title: String,
    /// Its file, relative to the base.
    pub path: String,
    /// Its text, as it was written.
    #[serde(skip)]
    pub text: String,
}

impl Engine {
    /// Curates sessions that are new or have grown.
    pub fn curate(&self, options: &CurateOptions, progress: OnProgress<'_>) -> Result<CurateReport, Error> {
        let archive = self.archive()?;
        let ledger = self.store.ledger();
        let extract = |session: Session, _: &Path| {
            let lines =
                session.turns.iter().flat_map(|turn| &turn.blocks).map(|block| block.line).max().unwrap_or(0);
            let before = ledger.get(&session.agent, &session.id).map_or(0, |curated| curated.lines);
            let from = if options.bootstrap { 0 } else { before };
            if u64::from(lines) <= from {
                return Some((None, Vec::new()));
            }
            let mut found = lore_distill::extract::extract(&session);
            found.retain(|candidate| {
                candidate.evidence.iter().any(|evidence| u64::from(evidence.line) > from)
            });
            let hash = ContentHash::of(format!("{}{lines}", session.id).as_bytes()).short().to_owned();
            let read =
                Curated { agent: session.agent.clone(), session: session.id, lines: u64::from(lines), hash };
            Some((Some(read), found))
        };
        let (parts, problems) = archive.each(&options.filter, progress, extract)?;
        let sessions = parts.len();
        let mut read = Vec::new();
        let mut candidates = self.queue();
        for (curated, found) in parts {
            read.extend(curated);
            candidates.extend(found);
        }
        let mut report = CurateReport {
            sessions,
            fresh: read.len(),
            candidates: candidates.len(),
            problems,
            dry_run: options.dry_run,
            ..CurateReport::default()
        };
        if report.fresh > 0 {
            self.decide(candidates, read, options, &mut report)?;
        }
        if !options.dry_run {
            self.shelve(&options.filter, progress)?;
        }
        Ok(report)
    }

    /// Lists the candidates of one session with what speaks for each, best first.
    pub fn candidates(&self, filter: &SessionFilter, id: &str) -> Result<Vec<Candidate>, Error> {
        let session = self.archive()?.session(filter, id)?;
        let mut found = lore_distill::extract::extract(&session);
        found.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        Ok(found)
    }

    fn decide(
        &self,
        candidates: Vec<Candidate>,
        read: Vec<Curated>,
        options: &CurateOptions,
        report: &mut CurateReport,
    ) -> Result<(), Error> {
        let mut transaction = self.store.begin(&Owner::machine("curate"), self.world.now)?;
        let curation = self.judge(candidates, transaction.base());
        for proposal in curation.proposals {
            let id = proposal.id().clone();
            let is_new = matches!(proposal, Proposal::Create { .. });
            match propose(&mut transaction, proposal) {
                Ok(()) => {
                    let stored = transaction.get(id.as_str())?;
                    let text = stored.text().unwrap_or_default().to_owned();
                    let touched = Touched { id, title: stored.entry.title, path: stored.path, text };
                    if is_new { report.created.push(touched) } else { report.updated.push(touched) }
                }
                Err(refused) => report.problems.push(format!("{id}: {refused}")),
            }
        }
        for decision in &curation.decisions {
            *report.outcomes.entry(decision.outcome.word().to_owned()).or_insert(0) += 1;
        }
        report.queued = curation.queue.len();
        report.decisions = curation.decisions;
        if options.dry_run {
            return Ok(());
        }
        transaction.note_curated(read);
        let line = format!(
            "curated {} sessions: {} new, {} changed",
            report.fresh,
            report.created.len(),
            report.updated.len()
        );
        let git = (options.commit || self.settings.git.commit).then(|| format!("knowledge: {line}"));
        transaction.commit(&CommitOptions { git, log_line: Some(line), ..CommitOptions::default() })?;
        let queue = serde_json::to_vec(&curation.queue).unwrap_or_default();
        Ok(self.store.derived().write(QUEUE, &queue)?)
    }

    fn judge(&self, candidates: Vec<Candidate>, snapshot: &Snapshot) -> Curation {
        let entries = snapshot.read_all().into_iter().map(|stored| stored.entry);
        let tombstones = self.store.tombstones();
        let gone = tombstones.iter().map(|stone| stone.id.clone());
        let known = Base::new(entries).forgetting(gone);
        let path = |entry: &Entry| match snapshot.find(entry.id.as_str()) {
            Some(summary) => summary.path.clone(),
            None => format!("{}/{}.md", entry.kind.topic(), entry.id.slug()),
        };
        let setting = Setting { known: &known, now: self.world.now, path: &path, bars: Bars::default() };
        curate(candidates, &setting)
    }

    /// Reads the candidates that wait; a damaged queue is an empty one.
    fn queue(&self) -> Vec<Candidate> {
        let path = self.store.derived().path(QUEUE).ok();
        let bytes = path.and_then(|path| std::fs::read(path).ok());
        bytes.and_then(|bytes| serde_json::from_slice(&bytes).ok()).unwrap_or_default()
    }
}

/// Asks the transaction for what was proposed; on a person's text only evidence is added.
fn propose(transaction: &mut Transaction<'_>, proposal: Proposal) -> Result<(), Refused> {
    match proposal {
        Proposal::Create { entry, .. } => transaction.create(*entry).map(|_| ()),
        Proposal::AddSources { id, sources, .. } => transaction.add_sources(id.as_str(), sources).map(|_| ()),
        Proposal::Replace { entry, .. } => {
            let version = transaction.get(entry.id.as_str())?.version;
            let (id, sources) = (entry.id.clone(), entry.sources.clone());
            match transaction.replace(*entry, version) {
                Err(Refused::Protected { .. }) => transaction.add_sources(id.as_str(), sources).map(|_| ()),
                other => other.map(|_| ()),
            }
        }
    }
}

impl CurateReport {
    /// Counts candidates with an outcome.
    pub fn count(&self, outcome: Outcome) -> usize {
        self.outcomes.get(outcome.word()).copied().unwrap_or(0)
    }
}
