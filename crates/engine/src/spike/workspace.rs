//! The workspace of a spike: `spike.md` is the only truth, the papers stand beside it.

use std::collections::BTreeSet;

use lore_core::{
    Confidence, Detail, Entry, EntryId, IllegalSpikeMove, Kind, Moment, Spike, SpikeOutcome, SpikeState,
};
use lore_distill::spike::{Criterion, ENOUGH, ExperimentPlan, paper, too_few};
use lore_store::{Stored, Transaction};
use lore_surface::Inquiry;
use serde::Serialize;

use super::answered::Answered;
use super::view::SpikeView;
use crate::{Asker, Engine, Error};

/// Fewer words ask nothing.
const A_QUESTION: usize = 3;

/// A question to be answered by experiment.
#[derive(Debug, Clone, Default)]
pub struct NewSpike {
    /// The question.
    pub question: String,
    /// What can be chosen from, besides what the question names.
    pub alternatives: Vec<String>,
    /// The statement under test.
    pub hypothesis: Option<String>,
    /// What has to come out.
    pub criteria: Vec<String>,
    /// What limits the choice.
    pub constraint: Option<String>,
    /// For how much.
    pub scale: Option<String>,
    /// What to take where the data do not say.
    pub simplest: Option<String>,
    /// Subject words.
    pub tags: Vec<String>,
    /// Make it although it is answered already.
    pub force: bool,
    /// The session that asks, as `agent/id`, where the shell does not say.
    pub session: Option<String>,
}

/// What became of a question.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SpikeAsked {
    /// The question.
    pub question: String,
    /// What can be chosen from.
    pub alternatives: Vec<String>,
    /// What it is for.
    pub subject: String,
    /// What limits the choice.
    pub constraint: Option<String>,
    /// For how much.
    pub scale: Option<String>,
    /// By what it is to be told, where the question says so.
    pub measure: Option<String>,
    /// What answers it already.
    pub answered: Option<Answered>,
    /// Whether looking it up would do.
    pub look_up_first: bool,
    /// The workspace that was made, or that is open for it already.
    pub spike: Option<SpikeView>,
    /// Whether it was asked before and is still open.
    pub is_open: bool,
    /// Whether only a rehearsal was asked for.
    pub dry_run: bool,
}

/// What is added to a spike before it runs.
#[derive(Debug, Clone, Default)]
pub struct Design {
    /// The statement under test.
    pub hypothesis: Option<String>,
    /// What has to come out, instead of what stands there.
    pub criteria: Vec<String>,
    /// What to take where the data do not say.
    pub simplest: Option<String>,
    /// The text of `EXPERIMENT.md`, instead of what stands there.
    pub experiment: Option<String>,
}

impl Engine {
    /// Looks whether a question is answered, and makes a workspace for it where it is not.
    pub fn spike(&self, new: NewSpike, dry_run: bool) -> Result<SpikeAsked, Error> {
        let question = new.question.split_whitespace().collect::<Vec<_>>().join(" ");
        if question.is_empty() {
            let hint = "ask in words: lore spike \"Should we use X or Y for Z?\"";
            return Err(Error::request("there is no question", hint));
        }
        // `lore spike lst` is a slip of the pen, and nothing that could be measured.
        if question.split(' ').count() < A_QUESTION {
            let hint = "ask in words: lore spike \"Should we use X or Y for Z?\"; `lore spike --help` lists the commands";
            return Err(Error::request(format!("`{question}` is neither a question nor a command"), hint));
        }
        let mut inquiry = Inquiry::parse(&question).with_alternatives(&new.alternatives);
        for told in new.scale.iter().chain(&new.constraint) {
            inquiry = inquiry.with_condition(told);
        }
        criteria(&new.criteria)?;
        let scale: Vec<&str> = inquiry.quantities.iter().map(|one| one.text.as_str()).collect();
        let scale = new.scale.clone().or_else(|| Some(scale.join(", ")).filter(|text| !text.is_empty()));
        let constraint = Some(inquiry.conditions.join(", ")).filter(|text| !text.is_empty());
        let constraint = new.constraint.clone().or(constraint);
        let asked_with: Vec<&str> = new.scale.iter().chain(&new.constraint).map(String::as_str).collect();
        let whole = if asked_with.is_empty() {
            question.clone()
        } else {
            format!("{question} under {}", asked_with.join(" under "))
        };
        let mut asked = SpikeAsked {
            question: question.clone(),
            alternatives: inquiry.alternatives.clone(),
            subject: inquiry.subject.clone(),
            constraint,
            scale,
            measure: inquiry.measure.map(|measure| measure.word().to_owned()),
            answered: self.answered(&whole)?,
            look_up_first: inquiry.is_to_look_up(),
            spike: None,
            is_open: false,
            dry_run,
        };
        if asked.answered.as_ref().is_some_and(Answered::is_whole) && !new.force {
            if let (Some(answered), false) = (&asked.answered, dry_run) {
                self.note_avoided(&question, answered)?;
            }
            return Ok(asked);
        }
        // Under other conditions it is another question.
        let is_other = new.force || new.scale.is_some() || new.constraint.is_some();
        let open = if is_other { None } else { self.open_spike(&asked)? };
        asked.is_open = open.is_some();
        asked.spike = match open {
            Some(open) => Some(open),
            None => Some(self.make_spike(&new, &asked, dry_run)?),
        };
        Ok(asked)
    }

    /// Finds the spike in which the same is asked, in whatever order, and which nobody has concluded.
    fn open_spike(&self, asked: &SpikeAsked) -> Result<Option<SpikeView>, Error> {
        let words = |text: &str| -> BTreeSet<String> {
            let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            words.map(str::to_lowercase).collect()
        };
        let whole = |question: &str| words(&format!("{question} {}", asked.alternatives.join(" ")));
        let same = |known: &SpikeView| {
            known.outcome.is_none()
                && known.question.as_deref().is_some_and(|question| whole(question) == whole(&asked.question))
        };
        Ok(self.spikes(None)?.into_iter().find(same))
    }

    fn make_spike(&self, new: &NewSpike, asked: &SpikeAsked, dry_run: bool) -> Result<SpikeView, Error> {
        let title = title(asked);
        let today = Moment::Instant(self.world.now).date();
        let mut transaction = self.begin("spike")?;
        let id = transaction.free_id(&EntryId::new(Kind::Spike, today, &title));
        let mut entry = Entry::new(id, Kind::Spike, title);
        let simplest = new.simplest.clone().or_else(|| asked.alternatives.first().cloned());
        let spike = Spike {
            question: Some(asked.question.clone()),
            alternatives: asked.alternatives.clone(),
            constraint: asked.constraint.clone(),
            scale: asked.scale.clone(),
            simplest,
            criteria: new.criteria.clone(),
            hypothesis: new.hypothesis.clone(),
            asked_in: self.asking_session(new.session.as_deref()),
            state: Some(SpikeState::Hypothesis),
            ..Spike::default()
        };
        entry.tags.clone_from(&new.tags);
        entry.description = Some(format!("Open question: {}", asked.question));
        entry.body = paper::page(&entry, &spike, None);
        let papers = [
            ("HYPOTHESIS.md", paper::hypothesis(&entry, &spike)),
            ("EXPERIMENT.md", paper::experiment(&entry, &spike)),
        ];
        entry.detail = Detail::Spike(spike);
        self.sign(&mut entry);
        // What is not answered is nobody's knowledge yet.
        entry.verified = Vec::new();
        entry.confidence = None;
        let written = transaction.create(entry.clone())?;
        let folder = folder(&written.path).to_owned();
        for (name, text) in papers {
            transaction.put_paper(&format!("{folder}/{name}"), &text)?;
        }
        if !dry_run {
            self.commit(transaction, &format!("ask {}", written.id))?;
        }
        Ok(self.view(&entry, &written.path))
    }

    /// Adds what a spike needs before it runs; with a whole design it is designed.
    pub fn design_spike(&self, name: &str, design: &Design, dry_run: bool) -> Result<SpikeView, Error> {
        let mut transaction = self.begin("spike design")?;
        let (mut stored, mut spike) = self.spike_in(&transaction, name)?;
        if !matches!(spike.stage(), SpikeState::Hypothesis | SpikeState::Designed | SpikeState::Collected) {
            return Err(illegal(&IllegalSpikeMove { from: spike.stage(), to: SpikeState::Designed }));
        }
        spike.hypothesis = design.hypothesis.clone().or(spike.hypothesis);
        spike.simplest = design.simplest.clone().or(spike.simplest);
        if !design.criteria.is_empty() {
            spike.criteria.clone_from(&design.criteria);
        }
        criteria(&spike.criteria)?;
        let path = format!("{}/EXPERIMENT.md", folder(&stored.path));
        let text = match &design.experiment {
            Some(text) => {
                let text = if text.starts_with("---\n") {
                    text.clone()
                } else {
                    format!("{}{text}", experiment_front(&stored.entry))
                };
                transaction.put_paper(&path, &text)?;
                text
            }
            None => self.store.paper(&path).unwrap_or_default(),
        };
        if is_designed(&text, &spike) && spike.stage() == SpikeState::Hypothesis {
            spike.state = Some(SpikeState::Designed);
        }
        stored.entry.detail = Detail::Spike(spike);
        let mut view = self.view(&stored.entry, &stored.path);
        let repetitions = ExperimentPlan::parse(&text).ok().map(|plan| plan.repetitions as usize);
        view.warnings.extend(repetitions.filter(|&count| count < ENOUGH).map(too_few));
        transaction.replace(stored.entry, stored.version)?;
        if !dry_run {
            self.commit(transaction, &format!("design {}", view.id))?;
        }
        Ok(view)
    }

    /// Puts a spike away: its papers stay, its answer is not handed out any more.
    pub fn archive_spike(&self, name: &str, dry_run: bool) -> Result<SpikeView, Error> {
        let mut transaction = self.begin("spike archive")?;
        let (mut stored, mut spike) = self.spike_in(&transaction, name)?;
        spike.state = Some(spike.stage().go(SpikeState::Archived).map_err(|refused| illegal(&refused))?);
        stored.entry.detail = Detail::Spike(spike);
        let view = self.view(&stored.entry, &stored.path);
        transaction.replace(stored.entry, stored.version)?;
        if !dry_run {
            self.commit(transaction, &format!("archive {}", view.id))?;
        }
        Ok(view)
    }

    /// Moves a spike to another state, with whatever else changes.
    pub(super) fn move_spike(
        &self,
        name: &str,
        to: SpikeState,
        change: impl FnOnce(&mut Entry, &mut Spike),
    ) -> Result<(), Error> {
        let mut transaction = self.begin("spike")?;
        let (mut stored, mut spike) = self.spike_in(&transaction, name)?;
        spike.state = Some(spike.stage().go(to).map_err(|refused| illegal(&refused))?);
        change(&mut stored.entry, &mut spike);
        stored.entry.detail = Detail::Spike(spike);
        let id = stored.entry.id.clone();
        transaction.replace(stored.entry, stored.version)?;
        self.commit(transaction, &format!("{to} {id}"))?;
        Ok(())
    }

    /// Reads a spike by any of its names.
    pub(super) fn read_spike(&self, name: &str) -> Result<Stored, Error> {
        let snapshot = self.store.snapshot()?;
        let stored = snapshot.read(snapshot.resolve(name)?)?;
        of_spike(&stored.entry)?;
        Ok(stored)
    }

    /// Reads a spike to change it.
    pub(super) fn spike_in(
        &self,
        transaction: &Transaction<'_>,
        name: &str,
    ) -> Result<(Stored, Spike), Error> {
        let stored = self.resolve_in(transaction, name)?;
        let spike = of_spike(&stored.entry)?;
        Ok((stored, spike))
    }

    fn asking_session(&self, named: Option<&str>) -> Option<String> {
        match (named, &self.asker) {
            (Some(named), _) => Some(named.to_owned()),
            (None, Asker::Agent { name, session: Some(session) }) => Some(format!("{name}/{session}")),
            _ => None,
        }
    }
}

/// Takes the spike out of an entry.
pub(super) fn of_spike(entry: &Entry) -> Result<Spike, Error> {
    match &entry.detail {
        Detail::Spike(spike) => Ok(spike.clone()),
        _ => Err(Error::request(
            format!("`{}` is not a spike", entry.id),
            "`lore spike list` shows every spike",
        )),
    }
}

/// Says that a move is not in the table.
pub(super) fn illegal(refused: &IllegalSpikeMove) -> Error {
    let next: Vec<&str> = refused.from.next().iter().map(|state| state.word()).collect();
    let hint = if next.is_empty() {
        "ask the question anew with `lore spike --force`".to_owned()
    } else {
        format!("from `{}` it can go to {}", refused.from, next.join(", "))
    };
    Error::request(refused.to_string(), hint)
}

/// Reads criteria, or says which cannot be read, or not be compared with what its metric counts.
pub(super) fn criteria(lines: &[String]) -> Result<Vec<Criterion>, Error> {
    let read = |line: &String| {
        let criterion: Criterion = line.parse().map_err(|wrong| {
            Error::request(
                format!("{wrong}"),
                "for example `wall_ms of mmap < 0.9 x read` or `peak_mb <= 200 MB`",
            )
        })?;
        let limit = criterion.limit();
        limit.map_err(|wrong| Error::request(format!("`{criterion}`: {wrong}"), wrong.next_step()))?;
        Ok(criterion)
    };
    lines.iter().map(read).collect()
}

/// Returns the folder of a file of the base.
pub(super) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn is_designed(experiment: &str, spike: &Spike) -> bool {
    ExperimentPlan::parse(experiment).is_ok() && !spike.criteria.is_empty()
}

fn experiment_front(entry: &Entry) -> String {
    let title = serde_json::to_string(&format!("Experiment: {}", entry.title)).unwrap_or_default();
    format!("---\ntype: spike-experiment\ntitle: {title}\nspike: {}\n---\n\n", entry.id)
}

fn title(asked: &SpikeAsked) -> String {
    let short = |text: &str, most: usize| text.split_whitespace().take(most).collect::<Vec<_>>().join(" ");
    let plain = asked.question.trim_end_matches(['?', '.', '!']);
    if asked.alternatives.len() > 1 && !asked.subject.is_empty() {
        return short(&format!("{} for {}", asked.alternatives.join(" or "), asked.subject), 10);
    }
    short(plain, 10)
}

/// How sure an outcome is.
pub(super) fn confidence(outcome: SpikeOutcome) -> Confidence {
    match outcome {
        SpikeOutcome::Confirmed | SpikeOutcome::Rejected => Confidence::High,
        SpikeOutcome::Partial => Confidence::Medium,
        SpikeOutcome::Inconclusive => Confidence::Low,
    }
}
