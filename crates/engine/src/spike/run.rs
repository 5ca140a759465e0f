//! Running an experiment: apart from the user's tree, within limits, one of each alternative in turn.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicU64, Ordering};

use lore_core::{EntryId, SpikeState};
use lore_distill::spike::{ExperimentPlan, PlannedAlternative};

use super::child::{self, Ran, RunLimits, Surroundings};
use super::place::SpikePlace;
use super::processes;
use super::record::{RunHead, RunLine, RunPlace, SpikeRun, printed_numbers};
use super::tree::TreeMark;
use super::workspace::of_spike;
use crate::{Engine, Error};

/// One experiment on its way.
struct Course<'a> {
    engine: &'a Engine,
    id: EntryId,
    runs: RunPlace,
    plan: ExperimentPlan,
    limits: RunLimits,
    head: RunHead,
    before: TreeMark,
    mark: String,
    /// Alternatives that failed and are not run again.
    failed: BTreeSet<String>,
    notes: Vec<String>,
}

impl Engine {
    /// Runs an experiment that a person confirmed, or goes on where a run was interrupted.
    pub fn run_spike(&self, name: &str, progress: &dyn Fn(u32, u32)) -> Result<SpikeRun, Error> {
        let hint = "ask the user to run `lore spike run` in a terminal of their own";
        self.only_a_person("run an experiment", hint)?;
        let shown = self.experiment(name)?;
        let plan = self.plan_of(name, &shown)?;
        if !shown.confirmed {
            let hint =
                format!("read EXPERIMENT.md, then say yes: lore spike run {name} --confirm {}", shown.hash);
            return Err(Error::request(
                format!("nobody has confirmed the experiment of `{}`", shown.id),
                hint,
            ));
        }
        let stored = self.read_spike(name)?;
        let runs = self.run_place(&stored.entry.id, &stored.path);
        let Some(_lock) = self.take_spike_lock(&runs)? else {
            return Err(Error::request(
                format!("`{}` is running already", shown.id),
                format!("see `lore spike status {name}`"),
            ));
        };
        // Somebody who watched an earlier run may be gone while its processes are not.
        if let Some(old) = self.run_head(&runs).filter(|old| !old.mark.is_empty()) {
            processes::end_marked(&old.mark);
        }
        let round = self.begin_round(name, &runs, &shown.hash)?;
        let mut head = self.new_head(round, &shown.hash, &plan);
        if let Some(old) = self
            .run_head(&runs)
            .filter(|old| old.round == round && old.experiment == shown.hash && old.ended.is_none())
        {
            head.began = old.began;
        } else {
            self.forget_run_lines(&runs, round)?;
        }
        self.save_run_head(&runs, &head)?;
        let limits = RunLimits {
            time: plan.time,
            memory: plan.memory,
            output: plan.output,
            processes: plan.processes,
        };
        let mut course = Course {
            engine: self,
            mark: head.mark.clone(),
            limits,
            before: self.tree_mark()?,
            head,
            plan,
            id: stored.entry.id,
            runs,
            failed: BTreeSet::new(),
            notes: Vec::new(),
        };
        let outcome = course.run(progress);
        course.close(name, outcome)
    }

    /// Brings a spike into the state `running` and returns which round it is.
    fn begin_round(&self, name: &str, runs: &RunPlace, hash: &str) -> Result<u32, Error> {
        let stored = self.read_spike(name)?;
        let spike = of_spike(&stored.entry)?;
        let (stage, rounds) = (spike.stage(), spike.rounds.unwrap_or(0));
        let again = match stage {
            SpikeState::Running => {
                // Another experiment under the same state would mix two sets of numbers.
                let same = self.run_head(runs).is_none_or(|head| head.experiment == hash);
                if same {
                    return Ok(rounds.max(1));
                }
                self.move_spike(name, SpikeState::Designed, |_, _| {})?;
                rounds.max(1)
            }
            SpikeState::Concluded if !spike.may_repeat() => {
                let sentence = format!(
                    "`{}` is concluded: {}",
                    stored.entry.id,
                    stored.entry.description.unwrap_or_default()
                );
                return Err(Error::request(
                    sentence,
                    "two rounds at most are measured; ask another question",
                ));
            }
            SpikeState::Concluded => {
                self.move_spike(name, SpikeState::Designed, |_, spike| spike.outcome = None)?;
                rounds + 1
            }
            SpikeState::Hypothesis => {
                self.move_spike(name, SpikeState::Designed, |_, _| {})?;
                1
            }
            SpikeState::Designed | SpikeState::Collected | SpikeState::Archived => rounds.max(1),
        };
        self.move_spike(name, SpikeState::Running, |_, spike| spike.rounds = Some(again))?;
        Ok(again)
    }

    fn new_head(&self, round: u32, hash: &str, plan: &ExperimentPlan) -> RunHead {
        let each = plan.warm_up + plan.repetitions;
        RunHead {
            round,
            experiment: hash.to_owned(),
            alternatives: plan.alternatives.iter().map(|one| one.name.clone()).collect(),
            repetitions: plan.repetitions,
            total: each * u32::try_from(plan.alternatives.len()).unwrap_or(u32::MAX),
            began: self.world.now.strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
            conditions: Vec::new(),
            ended: None,
            mark: format!(
                "{}-{}-{}",
                std::process::id(),
                self.world.now.as_nanosecond(),
                RUNS.fetch_add(1, Ordering::Relaxed)
            ),
        }
    }
}

/// Counts the runs of this process, so that each has a mark of its own.
static RUNS: AtomicU64 = AtomicU64::new(0);

/// Why a course ended before its end.
enum Halt {
    /// The user's tree changed.
    Touched(Vec<String>),
    /// Something else went wrong.
    Failed(Error),
}

impl From<Error> for Halt {
    fn from(error: Error) -> Halt {
        Halt::Failed(error)
    }
}

impl Course<'_> {
    fn run(&mut self, progress: &dyn Fn(u32, u32)) -> Result<(u32, u32), Halt> {
        let known = self.engine.run_lines(&self.runs, self.head.round);
        let has = |name: &str, repetition: u32, warm_up: bool| {
            known.iter().any(|line| {
                line.alternative == name && line.repetition == repetition && line.warm_up == warm_up
            })
        };
        self.failed =
            known.iter().filter(|line| line.failure.is_some()).map(|line| line.alternative.clone()).collect();
        let resumed = u32::try_from(known.len()).unwrap_or(u32::MAX);
        let alternatives = self.plan.alternatives.clone();
        let mut places = Vec::new();
        for (number, alternative) in alternatives.iter().enumerate() {
            places.push(self.engine.make_place(&self.id, number + 1, &self.plan)?);
            self.prepare(alternative, &places[number])?;
        }
        if !places.iter().all(|place| place.shield.is_up()) {
            self.notes.push(
                "the project's tree is looked at before and after, but not read-only for the experiment"
                    .to_owned(),
            );
        }
        self.head.conditions = self.conditions(places.first());
        self.engine.save_run_head(&self.runs, &self.head)?;
        let mut made = 0;
        for turn in 0..self.plan.warm_up + self.plan.repetitions {
            let warm_up = turn < self.plan.warm_up;
            let repetition = if warm_up { turn } else { turn - self.plan.warm_up };
            // Each turn begins with another, so that none always follows the same.
            for at in 0..alternatives.len() {
                let number = (at + turn as usize) % alternatives.len();
                let (alternative, place) = (&alternatives[number], &places[number]);
                if self.failed.contains(&alternative.name) || has(&alternative.name, repetition, warm_up) {
                    continue;
                }
                let ran = self.command(&alternative.measure, place)?;
                let line = self.line(alternative, repetition, warm_up, &ran);
                self.keep_output(&line, &ran)?;
                if let Some(why) = &line.failure {
                    self.failed.insert(alternative.name.clone());
                    self.notes.push(format!("`{}` failed and is not run again: {why}", alternative.name));
                }
                self.untouched(place)?;
                self.engine.add_run_line(&self.runs, self.head.round, &line)?;
                made += 1;
                progress(resumed + made, self.head.total);
            }
        }
        let _ = self.engine.clear_places(&self.id, &places);
        Ok((made, resumed))
    }

    fn prepare(&mut self, alternative: &PlannedAlternative, place: &SpikePlace) -> Result<(), Halt> {
        let scripts: Vec<String> = self.plan.prepare.iter().chain(&alternative.prepare).cloned().collect();
        for script in scripts {
            if self.failed.contains(&alternative.name) {
                break;
            }
            let ran = self.command(&script, place)?;
            if let Some(why) = ran.failure() {
                let why = format!("it could not be prepared: {why}");
                self.notes.push(format!("`{}`: {why}", alternative.name));
                self.failed.insert(alternative.name.clone());
                let line = RunLine {
                    alternative: alternative.name.clone(),
                    repetition: 0,
                    warm_up: true,
                    failure: Some(why),
                    numbers: Default::default(),
                };
                self.keep_output(&line, &ran)?;
                self.engine.add_run_line(&self.runs, self.head.round, &line)?;
            }
            self.untouched(place)?;
        }
        Ok(())
    }

    fn command(&self, script: &str, place: &SpikePlace) -> Result<Ran, Halt> {
        let around = Surroundings {
            folder: &place.folder,
            environment: &place.environment,
            mark: &self.mark,
            shield: &place.shield,
        };
        child::run(script, &around, &self.limits).map_err(|source| {
            Halt::Failed(Error::File { doing: "run the experiment in", path: place.folder.clone(), source })
        })
    }

    fn line(
        &mut self,
        alternative: &PlannedAlternative,
        repetition: u32,
        warm_up: bool,
        ran: &Ran,
    ) -> RunLine {
        let mut numbers = printed_numbers(&ran.stdout);
        numbers.insert("wall_ms".to_owned(), ran.wall.as_secs_f64() * 1000.0);
        // A run may be over before anybody has looked; nothing is better than a nought.
        if ran.peak > 0 {
            numbers.insert("peak_mb".to_owned(), ran.peak as f64 / f64::from(1 << 20));
        }
        numbers.insert("exit".to_owned(), ran.code.map_or(-1.0, f64::from));
        numbers.extend(ran.cpu_ms.filter(|spent| *spent > 0.0).map(|spent| ("cpu_ms".to_owned(), spent)));
        if ran.left > 0 {
            let note = format!("`{}` left {} processes behind; they were ended", alternative.name, ran.left);
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        RunLine {
            alternative: alternative.name.clone(),
            repetition,
            warm_up,
            failure: ran.failure(),
            numbers,
        }
    }

    /// Keeps what a run printed, outside the tracked tree.
    fn keep_output(&self, line: &RunLine, ran: &Ran) -> Result<(), Error> {
        let sort = if line.warm_up { "warm-up" } else { "run" };
        let name = format!(
            "{}/output/round-{}/{}-{sort}-{}.txt",
            self.runs.folder,
            self.head.round,
            lore_core::slug(&line.alternative),
            line.repetition + 1
        );
        let text = format!("{}\n--- standard error ---\n{}", ran.stdout, ran.stderr);
        Ok(self.engine.store.work().write_text(&name, &text)?)
    }

    /// Looks whether the user's tree is as it was.
    fn untouched(&self, place: &SpikePlace) -> Result<(), Halt> {
        let changed = self.engine.changed_since(&self.before, &place.shield)?;
        if changed.is_empty() { Ok(()) } else { Err(Halt::Touched(changed)) }
    }

    /// Says what the numbers are found under.
    fn conditions(&self, place: Option<&SpikePlace>) -> Vec<String> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let mut found =
            vec![format!("measured on {} {}, {cores} cores", std::env::consts::OS, std::env::consts::ARCH)];
        if let Some(commit) = self.engine.store.git().and_then(|git| git.revision()) {
            found.push(format!("at commit {}", commit.get(..12).unwrap_or(&commit)));
        }
        for (command, place) in self.plan.versions.iter().zip(std::iter::repeat(place)) {
            let said = place.and_then(|place| self.command(command, place).ok());
            let said = said.filter(|ran| ran.failure().is_none());
            found.extend(
                said.and_then(|ran| ran.stdout.lines().next().map(|line| format!("with {}", line.trim()))),
            );
        }
        found
    }

    /// Writes down how it ended and brings the spike into the state that follows.
    fn close(mut self, name: &str, outcome: Result<(u32, u32), Halt>) -> Result<SpikeRun, Error> {
        processes::end_marked(&self.mark);
        match outcome {
            Ok((made, resumed)) => {
                self.head.ended = Some("complete".to_owned());
                self.engine.save_run_head(&self.runs, &self.head)?;
                let conditions = self.head.conditions.clone();
                self.engine
                    .move_spike(name, SpikeState::Collected, |_, spike| spike.conditions = conditions)?;
                let spike = self.engine.show_spike(name)?;
                Ok(SpikeRun { spike, made, resumed, notes: self.notes })
            }
            Err(Halt::Touched(files)) => {
                let some: Vec<String> = files.iter().take(5).cloned().collect();
                let more = files.len().saturating_sub(some.len());
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                let sentence = format!(
                    "the project's own tree changed while the experiment ran: {}{more}",
                    some.join(", ")
                );
                self.head.ended = Some(format!("stopped, and its numbers thrown away: {sentence}"));
                self.engine.save_run_head(&self.runs, &self.head)?;
                self.engine.forget_run_lines(&self.runs, self.head.round)?;
                self.engine.move_spike(name, SpikeState::Designed, |_, _| {})?;
                let hint = "look at these files; if it was you, run it again; if it was the experiment, correct EXPERIMENT.md";
                Err(Error::request(sentence, hint))
            }
            Err(Halt::Failed(error)) => Err(error),
        }
    }
}
