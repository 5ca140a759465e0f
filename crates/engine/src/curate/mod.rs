//! From past sessions to articles: read what is new, judge it, write it in one transaction.

mod left_out;
mod paths;
mod printed;
mod queue;
mod reading;
mod report;
mod rests;
mod seen;
mod shelf;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

use lore_capture::{Found, Keep};
use lore_core::session::Session;
use lore_core::text::counted;
use lore_core::{Article, Candidate, ENTRY_BAR, Entry, Moment, Proposal, Status};
use lore_distill::curate::{Bars, Curation, Setting, curate};
use lore_store::derived::Derived;
use lore_store::{CommitOptions, Curated, Refused, Snapshot, Transaction};

use self::left_out::{gone_for_good, without_forgotten, without_rejected};
use self::paths::Portable;
use self::queue::Queue;
pub(crate) use self::reading::fingerprint;
use self::reading::{Part, read, told_damage};
pub use self::report::{CurateReport, Due, Touched};
pub(crate) use self::rests::Rests;
use self::seen::Seen;
use self::shelf::Shelf;
use crate::hook::inbox::LONGEST_WAIT;
use crate::sessions::{OnProgress, SessionFilter};
use crate::{Engine, Error};

/// How to curate.
#[derive(Debug, Clone, Default)]
pub struct CurateOptions {
    /// Which sessions.
    pub filter: SessionFilter,
    /// Read every session again, also those that were curated before.
    pub bootstrap: bool,
    /// Only sessions that went on at this moment or later.
    pub since: Option<Moment>,
    /// Whether to wait until there is enough to do.
    pub when: When,
    /// Say what would be done and write nothing.
    pub dry_run: bool,
    /// Make a git commit, whatever the settings say.
    pub commit: bool,
}

/// Whether to wait until there is enough to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum When {
    /// Curate whatever is new.
    #[default]
    Now,
    /// Only from as many new sessions on as the settings say.
    Due,
}

/// What the sessions of one run brought.
#[derive(Default)]
struct Batch {
    candidates: Vec<Candidate>,
    curated: Vec<Curated>,
    rests: Rests,
}

impl Engine {
    /// Curates sessions that are new or have grown; what a worker failed of before is then no trouble any more.
    pub fn curate(&self, options: &CurateOptions, progress: OnProgress<'_>) -> Result<CurateReport, Error> {
        let report = self.curate_as_worker(options, progress)?;
        if !options.dry_run {
            self.forget_trouble_with(&report.finished, &options.filter)?;
            // By hand before a worker came: nothing of it waits any more.
            self.forget_notes_of(&report.finished)?;
        }
        Ok(report)
    }

    /// The same for a worker, which says itself what it failed of.
    pub(crate) fn curate_as_worker(
        &self,
        options: &CurateOptions,
        progress: OnProgress<'_>,
    ) -> Result<CurateReport, Error> {
        if options.dry_run && !self.is_rehearsing() {
            return self.rehearsing()?.curate_as_worker(options, progress);
        }
        if options.bootstrap && !options.dry_run {
            self.at_desk(|desk| desk.wait_again())?;
        }
        let archive = self.archive()?;
        self.note_whereabouts(archive.folders());
        let ledger = self.store.ledger();
        let mut seen = Seen::load(self.store.shared(), &archive);
        let everything = options.filter.takes_everything();
        let since = options.since.map(Moment::instant);
        let seals = self.store.seals();
        let mut all = archive.sources(&options.filter)?;
        all.retain(|found| !seals.forbid_session(&found.path.to_string_lossy()));
        let total = all.len();
        let is_old = |found: &Found| since.is_some_and(|since| found.modified.is_some_and(|at| at < since));
        all.retain(|found| !is_old(found));
        let mut finished: BTreeSet<PathBuf> = all.iter().map(|found| found.path.clone()).collect();
        let sources: Vec<Found> = all
            .into_iter()
            .filter(|found| options.bootstrap || !seen.knows(found, everything, &ledger))
            .collect();
        let places: HashMap<&std::path::Path, usize> =
            sources.iter().enumerate().map(|(at, found)| (found.path.as_path(), at)).collect();
        let extract = |session: Session, found: &Found| {
            let source = places.get(found.path.as_path()).copied()?;
            if seals.forbid_session(session.id.as_str()) {
                return None;
            }
            let is_here = found.own || archive.belongs(&session);
            let mut part = read(&session, source, &ledger, options.bootstrap, since);
            Portable::new(archive.folders(), session.directory.as_deref()).candidates(&mut part.found);
            Some(Part { is_here, ..part })
        };
        let (mut parts, problems) =
            archive.each_of(&sources, &options.filter, Keep::Conversation, progress, extract);
        let mut report = CurateReport {
            sources: total,
            unchanged: total - sources.len(),
            sessions: parts.iter().filter(|part| !part.is_old).count(),
            fresh: parts
                .iter()
                .filter(|part| part.is_new)
                .map(|part| &part.curated.session)
                .collect::<BTreeSet<_>>()
                .len(),
            dry_run: options.dry_run,
            ..CurateReport::default()
        };
        let old = parts.iter().filter(|part| part.is_old).map(|part| part.source);
        let unfinished: BTreeSet<usize> = problems.iter().map(|(at, _)| *at).chain(old).collect();
        report.unread = problems.iter().map(|(at, why)| (sources[*at].path.clone(), why.clone())).collect();
        report.problems = problems.into_iter().map(|(_, why)| why).collect();
        if options.when == When::Due {
            let needed = self.settings.curate.after_sessions as usize;
            // A few sessions that nothing joins would wait for ever.
            let waits_long = |part: &Part| {
                let at = sources.get(part.source).and_then(|found| found.modified);
                part.is_new
                    && at.is_some_and(|at| self.world.now.as_second() - at.as_second() >= LONGEST_WAIT)
            };
            report.due = Some(Due { needed, new: report.fresh, waited: parts.iter().any(waits_long) });
            if report.was_not_due() {
                return Ok(report);
            }
        }
        let damaged = parts
            .iter()
            .filter_map(|part| Some((sources[part.source].path.as_path(), part.damage.as_ref()?)));
        report.problems.extend(told_damage(damaged));
        printed::settle(&archive, &sources, &mut parts);
        // Of a source from which some sessions were taken, the others are not known.
        if options.filter.only.is_empty() {
            remember(&mut seen, everything, &sources, &parts, &unfinished);
        }
        unfinished.iter().for_each(|at| {
            finished.remove(&sources[*at].path);
        });
        report.finished = finished;
        let mut batch = Batch { rests: Rests::new(self), ..Batch::default() };
        for part in parts.into_iter().filter(|part| part.is_new) {
            batch.rests.heard(&part.curated.session, part.is_here);
            batch.curated.push(part.curated);
            let off_limits = |text: &str| archive.exclusion().is_off_limits(text);
            let kept = part.found.into_iter().filter(|one| !off_limits(&one.text) && !off_limits(&one.title));
            batch.candidates.extend(kept);
        }
        if !batch.curated.is_empty() {
            self.decide(batch, options, &mut report)?;
        }
        if !options.dry_run {
            seen.save(self.store.shared())?;
            self.shelve(&options.filter, progress)?;
            self.leave_in_step();
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

    fn decide(&self, batch: Batch, options: &CurateOptions, report: &mut CurateReport) -> Result<(), Error> {
        let Batch { candidates, curated: read, mut rests } = batch;
        report.candidates = candidates.len();
        let mut transaction = self.begin_as_machine("curate")?;
        // What a person deleted must be known before it could be made again.
        report.deleted = transaction.notice_deletions()?;
        let candidates = without_forgotten(candidates, &self.store.seals());
        let _alone = (!options.dry_run).then(|| Queue::lock(self.store.shared())).transpose()?;
        let mut queue = Queue::load(self.store.shared())?;
        let before = queue.clone();
        let woken = queue.wake(&candidates);
        let candidates = woken.into_iter().chain(candidates).collect();
        let is_said = |text: &str| is_said_in(self.store.work(), &transaction, text);
        let candidates = without_rejected(candidates, &transaction, &is_said, report);
        let curation = self.judge(candidates, &transaction);
        for mut proposal in curation.proposals {
            rests.settle(&mut proposal, &transaction);
            write(&mut transaction, proposal, report)?;
        }
        for decision in &curation.decisions {
            *report.outcomes.entry(decision.outcome.word().to_owned()).or_insert(0) += 1;
        }
        queue.push(&curation.queue);
        report.queued = queue.len();
        report.decisions = curation.decisions;
        if options.dry_run {
            return Ok(());
        }
        transaction.note_curated(read);
        // Until the transaction has happened, nobody who waits is let go: whoever dies in between leaves
        // candidates that wait although they rose, and these are recognised.
        queue.joined(&before).save(self.store.shared())?;
        let line = format!(
            "curated {}: {} new, {} changed",
            counted(report.fresh, "session", "sessions"),
            report.created.len(),
            report.updated.len()
        );
        let git = (options.commit || self.settings.git.commit).then(|| format!("knowledge: {line}"));
        // A run that found nothing leaves no trace in the log either.
        let did = !(report.created.is_empty() && report.updated.is_empty() && report.deleted.is_empty());
        let log_line = did.then(|| line.clone());
        let options = CommitOptions { git, log_line, said: Some(line), ..CommitOptions::default() };
        let committed = transaction.commit(&options)?;
        match committed.git {
            Some(Ok(commit)) => report.commit = Some(commit),
            Some(Err(error)) => report.not_committed = Some(error.to_string()),
            None => {}
        }
        rests.save();
        queue.save(self.store.shared())?;
        self.settle_merges(&committed.files);
        Ok(())
    }

    fn judge(&self, candidates: Vec<Candidate>, transaction: &Transaction<'_>) -> Curation {
        let by = self.shift();
        self.judge_with(candidates, transaction, &|size: usize| Bars::among(size).moved(by))
    }

    /// Compares candidates with what is known, under bars of the caller's.
    pub(crate) fn judge_with(
        &self,
        candidates: Vec<Candidate>,
        transaction: &Transaction<'_>,
        bars: &dyn Fn(usize) -> Bars,
    ) -> Curation {
        let snapshot = transaction.base();
        let catalogue = shelf::catalogue(self.store.work(), snapshot);
        let gone = gone_for_good(transaction);
        let known = Shelf::new(snapshot, &catalogue, gone);
        let path = |entry: &Entry| snapshot.path_of(entry);
        let said = candidates.iter().filter_map(Candidate::said_at).max();
        let known_at = || Some(snapshot.summaries().filter_map(|summary| summary.updated).max()?.instant());
        let now = said.or_else(known_at).unwrap_or(jiff::Timestamp::UNIX_EPOCH);
        let setting = Setting { known: &known, now, path: &path, bars };
        curate(candidates, &setting)
    }

    /// Returns how far the user's threshold is from the one that the bars are set for.
    fn shift(&self) -> f64 {
        self.settings.curate.threshold - ENTRY_BAR
    }
}

/// Does something with what is known, as curation sees it.
pub(crate) fn known_in<T>(
    derived: &Derived,
    transaction: &Transaction<'_>,
    work: impl FnOnce(&dyn lore_distill::curate::Known) -> T,
) -> T {
    let catalogue = shelf::catalogue(derived, transaction.base());
    let gone = gone_for_good(transaction);
    work(&Shelf::new(transaction.base(), &catalogue, gone))
}

/// Tells whether an entry that holds says a text, in its words.
fn is_said_in(derived: &Derived, transaction: &Transaction<'_>, text: &str) -> bool {
    const NEAR: usize = 6;
    let plain = |text: &str| -> Vec<String> {
        let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
        words.map(str::to_lowercase).collect()
    };
    let near = known_in(derived, transaction, |known| known.similar(text, NEAR));
    near.iter().filter(|entry| matches!(entry.status, Status::Current | Status::Disputed)).any(|entry| {
        let article = Article::parse(&entry.body);
        article.current().chain(&article.conflict).any(|claim| plain(&claim.text) == plain(text))
    })
}

/// Reads the entries of a base that are like any of these texts.
pub(crate) fn alike_in(derived: &Derived, snapshot: &Snapshot, texts: &[String], limit: usize) -> Vec<Entry> {
    if texts.is_empty() {
        return Vec::new();
    }
    known_at(derived, snapshot, |known| texts.iter().flat_map(|text| known.similar(text, limit)).collect())
}

/// Does something with a base that nobody is writing to, as curation sees it.
pub(crate) fn known_at<T>(
    derived: &Derived,
    snapshot: &Snapshot,
    work: impl FnOnce(&dyn lore_distill::curate::Known) -> T,
) -> T {
    let catalogue = shelf::catalogue(derived, snapshot);
    work(&Shelf::new(snapshot, &catalogue, []))
}

/// Notes how the sources looked that were read to their end.
fn remember(
    seen: &mut Seen,
    everything: bool,
    sources: &[Found],
    parts: &[Part],
    unfinished: &BTreeSet<usize>,
) {
    let mut of_source: Vec<Vec<&Part>> = vec![Vec::new(); sources.len()];
    for part in parts {
        of_source[part.source].push(part);
    }
    for (at, (found, parts)) in sources.iter().zip(of_source).enumerate() {
        if unfinished.contains(&at) {
            continue;
        }
        let curated = parts.into_iter().map(|part| &part.curated);
        seen.note(
            found,
            everything || found.own,
            curated.map(|c| (c.agent.clone(), c.session.clone(), c.lines)).collect(),
        );
    }
}

/// Writes what was proposed and notes it.
fn write(
    transaction: &mut Transaction<'_>,
    proposal: Proposal,
    report: &mut CurateReport,
) -> Result<(), Error> {
    let id = proposal.id().clone();
    let is_new = matches!(proposal, Proposal::Create { .. });
    let before = match is_new {
        false if report.dry_run => transaction.get(id.as_str())?.shown_text().map(Cow::into_owned),
        _ => None,
    };
    match propose(transaction, proposal) {
        Ok(()) => {
            let stored = transaction.get(id.as_str())?;
            let text = stored.shown_text().unwrap_or_default().into_owned();
            let (kind, title) = (stored.entry.kind, stored.entry.title);
            let touched =
                Touched { id, kind, title, status: stored.entry.status, path: stored.path, text, before };
            if is_new { report.created.push(touched) } else { report.updated.push(touched) }
        }
        Err(Refused::Removed(stone)) => report.reject(&stone),
        Err(refused) => report.problems.push(format!("{id}: {refused}")),
    }
    Ok(())
}

/// Asks the transaction for what was proposed; on a person's text only evidence is added.
pub(crate) fn propose(transaction: &mut Transaction<'_>, proposal: Proposal) -> Result<(), Refused> {
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
