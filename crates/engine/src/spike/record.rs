//! What runs leave behind: one line per run, so that a run that was killed goes on where it stopped.

use std::collections::BTreeMap;

use lore_core::EntryId;
use lore_distill::spike::Measured;
use lore_store::FileLock;
use serde::{Deserialize, Serialize};

use super::view::SpikeView;
use crate::{Engine, Error};

/// A run of one alternative.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct RunLine {
    pub(super) alternative: String,
    /// Counted from 0; the first ones only warm up.
    pub(super) repetition: u32,
    pub(super) warm_up: bool,
    /// Why it does not count, where it does not.
    pub(super) failure: Option<String>,
    pub(super) numbers: BTreeMap<String, f64>,
}

/// What is known of the runs of a round besides their numbers.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct RunHead {
    pub(super) round: u32,
    /// Hash of the `EXPERIMENT.md` that is run.
    pub(super) experiment: String,
    pub(super) alternatives: Vec<String>,
    pub(super) repetitions: u32,
    pub(super) total: u32,
    pub(super) began: String,
    pub(super) conditions: Vec<String>,
    /// How it ended, where it did.
    pub(super) ended: Option<String>,
    /// What its processes bear in their environment.
    pub(super) mark: String,
}

/// How far a run is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RunStatus {
    /// Which round it is.
    pub round: u32,
    /// Runs that are done.
    pub done: u32,
    /// Runs that are to be done.
    pub total: u32,
    /// Whether somebody is at it.
    pub is_running: bool,
    /// When it began.
    pub began: String,
    /// How it ended, where it did.
    pub ended: Option<String>,
    /// Alternatives of which a run failed, with why.
    pub failed: BTreeMap<String, String>,
}

/// What a run came to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SpikeRun {
    /// The spike as it stands now.
    pub spike: SpikeView,
    /// Runs that were made now.
    pub made: u32,
    /// Runs that an interrupted run had made before.
    pub resumed: u32,
    /// What happened that a person should know.
    pub notes: Vec<String>,
}

/// Where the runs of one spike lie, below the work folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RunPlace {
    pub(super) folder: String,
    lock: String,
}

impl RunPlace {
    fn head(&self) -> String {
        format!("{}/run.json", self.folder)
    }

    fn lines(&self, round: u32) -> String {
        format!("{}/round-{round}.jsonl", self.folder)
    }
}

impl Engine {
    /// Says where the runs of a spike lie: under its whole id, because the same may be asked on another day.
    ///
    /// They once lay under the slug alone; those are its own if they ran its experiment.
    pub(super) fn run_place(&self, id: &EntryId, path: &str) -> RunPlace {
        let below =
            |name: &str| RunPlace { folder: format!("spikes/{name}"), lock: format!("spikes/{id}/lock") };
        let (place, former) = (below(id.as_str()), below(id.slug()));
        let is_own = |head: RunHead| self.experiment_hash(path).is_some_and(|hash| hash == head.experiment);
        let is_former = self.run_head(&place).is_none() && self.run_head(&former).is_some_and(is_own);
        if is_former { former } else { place }
    }

    /// Tells how far the run of a spike is; nothing where there never was one on this machine.
    pub(super) fn run_status(&self, place: &RunPlace) -> Option<RunStatus> {
        let head = self.run_head(place)?;
        let lines = self.run_lines(place, head.round);
        let failed = lines.iter().filter_map(|line| Some((line.alternative.clone(), line.failure.clone()?)));
        Some(RunStatus {
            round: head.round,
            done: u32::try_from(lines.len()).unwrap_or(u32::MAX),
            total: head.total,
            is_running: head.ended.is_none() && matches!(self.take_spike_lock(place), Ok(None)),
            began: head.began,
            ended: head.ended,
            failed: failed.collect(),
        })
    }

    pub(super) fn run_head(&self, place: &RunPlace) -> Option<RunHead> {
        let path = self.store.work().folder().join(place.head());
        serde_json::from_slice(&std::fs::read(path).ok()?).ok()
    }

    pub(super) fn save_run_head(&self, place: &RunPlace, head: &RunHead) -> Result<(), Error> {
        Ok(self.store.work().write_json_clean(&place.head(), head)?)
    }

    /// Reads the runs of a round; a line that was cut off when the machine stopped is no run.
    pub(super) fn run_lines(&self, place: &RunPlace, round: u32) -> Vec<RunLine> {
        let path = self.store.work().folder().join(place.lines(round));
        let text = std::fs::read_to_string(path).unwrap_or_default();
        text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
    }

    pub(super) fn add_run_line(&self, place: &RunPlace, round: u32, line: &RunLine) -> Result<(), Error> {
        let (work, name) = (self.store.work(), place.lines(round));
        Ok(work.append_text(&name, &format!("{}\n", work.json(&name, line)?))?)
    }

    pub(super) fn forget_run_lines(&self, place: &RunPlace, round: u32) -> Result<(), Error> {
        Ok(self.store.work().remove(&place.lines(round))?)
    }

    /// Takes the right to run a spike, or nothing where somebody else has it.
    pub(super) fn take_spike_lock(&self, place: &RunPlace) -> Result<Option<FileLock>, Error> {
        Ok(self.store.work().try_lock(&place.lock)?)
    }
}

/// Puts the runs of a round together; warm-ups and failures are no measurements.
pub(super) fn measured(head: &RunHead, lines: &[RunLine]) -> Measured {
    let mut measured = Measured { alternatives: head.alternatives.clone(), ..Measured::default() };
    for line in lines {
        if let Some(why) = &line.failure {
            measured.failed.insert(line.alternative.clone(), why.clone());
        }
        if line.warm_up || line.failure.is_some() {
            continue;
        }
        for (metric, number) in &line.numbers {
            let numbers = measured.numbers.entry((line.alternative.clone(), metric.clone())).or_default();
            let at = line.repetition as usize;
            if numbers.len() <= at {
                numbers.resize(at + 1, None);
            }
            numbers[at] = Some(*number);
        }
    }
    measured
}

/// Reads the numbers that a run printed: `metric=value` lines, and lines that are a JSON object.
pub(super) fn printed_numbers(text: &str) -> BTreeMap<String, f64> {
    let mut found = BTreeMap::new();
    for line in text.lines().map(str::trim) {
        if line.starts_with('{') {
            if let Ok(serde_json::Value::Object(fields)) = serde_json::from_str(line) {
                flatten("", &fields, &mut found);
            }
        } else if let Some((name, value)) = line.split_once('=') {
            let name = name.trim();
            let plain =
                !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.'));
            let number = value.trim();
            let end = number
                .find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | '-' | '+' | 'e' | 'E'))
                .unwrap_or(number.len());
            if plain && let Ok(value) = number[..end].parse::<f64>() {
                found.insert(name.to_owned(), value);
            }
        }
    }
    found.retain(|_, value| value.is_finite());
    found
}

fn flatten(
    prefix: &str,
    fields: &serde_json::Map<String, serde_json::Value>,
    found: &mut BTreeMap<String, f64>,
) {
    for (name, value) in fields {
        let name = format!("{prefix}{name}");
        match value {
            serde_json::Value::Object(inner) => flatten(&format!("{name}."), inner, found),
            serde_json::Value::Bool(yes) => drop(found.insert(name, f64::from(u8::from(*yes)))),
            other => drop(other.as_f64().map(|number| found.insert(name, number))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_they_are_printed() {
        let found = printed_numbers(
            "words\nrows=10\nspeed = 512.5 MB/s\nbad=x\n a b=3\n{\"time\": {\"p50\": 1.5}, \"ok\": true, \"name\": \"x\"}\nrows=11\n",
        );
        let expected = [("ok", 1.0), ("rows", 11.0), ("speed", 512.5), ("time.p50", 1.5)];
        assert_eq!(found, expected.map(|(name, value)| (name.to_owned(), value)).into());
    }
}
