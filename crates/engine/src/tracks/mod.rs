//! Tracks: each change from the wish to the commit, its steps noticed from what agents do.
//!
//! A hook only takes note and asks the gate, which is a table. The checks themselves are made by a
//! worker, or by whoever runs `lore ground --track`. State lies outside what git tracks, one file per
//! track; no track reads another's.

mod committed;
mod hooked;
mod keep;

use jiff::Timestamp;
pub use lore_ground::gate::{Action, Checked, Enforce, Enforcement, GateDecision, Mode, Phase};
use lore_ground::prompt::{asks_for_change, only_asks};
pub use lore_ground::track::{Deed, Step, Track};
use lore_store::FileLock;
use serde::Serialize;

use crate::asker::{Asker, Presence};
use crate::grounding::{Code, GroundOptions, Grounding, Opposing};
use crate::{Engine, Error};

pub use hooked::Noticed;

/// Longer wishes and plans are cut.
const LONGEST: usize = 20_000;

/// A track and what its next step needs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Standing {
    /// The track.
    pub track: Track,
    /// The step before it.
    pub next: Option<NextStep>,
}

/// The step before a track, and what the gate says now.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NextStep {
    /// The phase that is left.
    pub from: Phase,
    /// The phase that is entered.
    pub to: Phase,
    /// How much is looked at.
    pub depth: crate::grounding::Depth,
    /// What happens where it is missing.
    pub enforcement: Enforcement,
    /// What the gate says.
    pub gate: GateDecision,
}

impl Engine {
    /// Returns what the settings make of the table.
    pub fn enforce(&self) -> Enforce {
        match self.settings.ground.enforce.as_str() {
            "off" => Enforce::Off,
            "as-table" => Enforce::AsTable,
            _ => Enforce::Advisory,
        }
    }

    fn mode(&self) -> Mode {
        if self.settings.ground.mode.eq_ignore_ascii_case("full") { Mode::Full } else { Mode::Speed }
    }

    /// Lists the tracks, the one that was touched last first.
    pub fn tracks(&self) -> Vec<Standing> {
        self.kept_tracks().into_iter().map(|track| self.standing(track)).collect()
    }

    /// Finds a track: by its name, else the one of this agent's session, else the last open one.
    pub fn track(&self, name: Option<&str>) -> Result<Standing, Error> {
        Ok(self.standing(self.the_track(name)?))
    }

    pub(super) fn the_track(&self, name: Option<&str>) -> Result<Track, Error> {
        let none = || {
            Error::request(
                "there is no open track here",
                "begin one: lore phase start \"what is to be changed\"",
            )
        };
        if let Some(name) = name {
            let missing = || {
                Error::request(format!("no track is called `{name}`"), "`lore phase show --all` lists them")
            };
            return self.kept_track(name).ok_or_else(missing);
        }
        let all = self.kept_tracks();
        let session = match &self.asker {
            Asker::Agent { name, session: Some(session) } => Some(format!("{name}/{session}")),
            _ => None,
        };
        let own = session
            .and_then(|session| all.iter().find(|track| track.session == session && !track.is_complete()));
        own.or_else(|| all.iter().find(|track| !track.is_complete())).cloned().ok_or_else(none)
    }

    /// The same where something is done to it: which of several is meant has to be said.
    fn the_meant_track(&self, name: Option<&str>) -> Result<Track, Error> {
        let track = self.the_track(name)?;
        let open = self.kept_tracks().into_iter().filter(|other| !other.is_complete());
        let others: Vec<String> = open.map(|other| other.id).filter(|id| *id != track.id).collect();
        let is_own = matches!(&self.asker, Asker::Agent { name, session: Some(session) }
            if track.session == format!("{name}/{session}"));
        if name.is_none() && !is_own && !others.is_empty() {
            return Err(Error::request(
                format!("{} tracks are open: {}, {}", others.len() + 1, track.id, others.join(", ")),
                "name the one that is meant; `lore phase show --all` lists them",
            ));
        }
        Ok(track)
    }

    fn standing(&self, track: Track) -> Standing {
        let next = track.need(track.phase).zip(track.phase.next()).map(|(need, to)| {
            let checked = track.step(track.phase).and_then(|step| step.checked.as_ref());
            let mut gate = lore_ground::gate::decide(need, self.enforce(), checked);
            gate.lift = self.lift(&track, &gate);
            NextStep { from: track.phase, to, depth: need.depth, enforcement: need.enforcement, gate }
        });
        Standing { track, next }
    }

    /// Says what opens a gate: to an agent also that it is not the one who can.
    fn lift(&self, track: &Track, gate: &GateDecision) -> String {
        let is_agents = !track.session.is_empty() || matches!(self.asker, Asker::Agent { .. });
        let is_a_persons = gate.action == Action::ManualVerify && !gate.open;
        let ask = if is_agents && is_a_persons { "; an agent asks the user for that" } else { "" };
        format!("{}{ask}", gate.lift)
    }

    /// Begins a track by hand.
    pub fn start_track(&self, request: &str, mode: Option<Mode>) -> Result<Standing, Error> {
        let session = self.own_session();
        if mode == Some(Mode::Speed) && self.mode() == Mode::Full {
            self.only_a_person(
                "work less thoroughly than `ground.mode` says (FULL)",
                "leave out `--mode`; a person runs `lore phase start --mode SPEED` in a terminal of their own",
            )?;
        }
        let track = self.begin_track(&session, request, mode.unwrap_or_else(|| self.mode()))?;
        Ok(self.standing(track))
    }

    /// Names the session of the agent that is at work, `agent/` where its shell does not say which; nothing where a
    /// person works.
    fn own_session(&self) -> String {
        match &self.asker {
            Asker::Agent { name, session: Some(session) } => format!("{name}/{session}"),
            Asker::Agent { name, session: None } => format!("{name}/"),
            Asker::Person => String::new(),
        }
    }

    pub(super) fn begin_track(&self, session: &str, request: &str, mode: Mode) -> Result<Track, Error> {
        let request = self.store.door().written(request);
        let request: String = request.chars().take(LONGEST).collect();
        let now = self.world.now;
        let title: String = request.lines().next().unwrap_or_default().chars().take(40).collect();
        let slug = lore_core::slug(&title);
        let key = lore_core::ContentHash::of(format!("{session}\n{now}\n{request}").as_bytes());
        let id = format!(
            "{}-{}",
            if slug.is_empty() { "track" } else { &slug },
            &key.short()[..6.min(key.short().len())]
        );
        let track =
            Track::new(id, self.store.door().written(session).into_owned(), mode, request, now.to_string());
        self.keep_track(&track)?;
        Ok(track)
    }

    /// Goes back to an earlier phase; the checks of this and later steps no longer count.
    pub fn go_back(&self, name: Option<&str>, to: Phase, why: &str) -> Result<Standing, Error> {
        let mut track = self.the_track(name)?;
        if to >= track.phase {
            return Err(Error::request(
                format!("`{}` stands at {}, which is not behind {}", track.id, track.phase.word(), to.word()),
                "name an earlier phase",
            ));
        }
        track.back(to, &format!("{} ({})", self.store.door().written(why), self.who()));
        self.keep_track(&track)?;
        Ok(self.standing(track))
    }

    /// Takes the next step, or every step that is left, as far as the gate lets it.
    pub fn finish_track(&self, name: Option<&str>) -> Result<(Standing, Option<GateDecision>), Error> {
        let (mut track, _) = self.replaced(self.the_meant_track(name)?)?;
        // Each gate shows only when the one before it is open.
        let decision = loop {
            let decision = track.notice(&Deed::Delivered, self.enforce(), &self.world.now.to_string());
            if track.due().is_empty() {
                break decision;
            }
            self.check_due_before(&mut track, Phase::Complete);
            if track.is_complete() {
                break decision;
            }
        };
        track.record.push(format!("finish asked for by {}", self.who()));
        self.keep_track(&track)?;
        Ok((self.standing(track), decision))
    }

    /// Leaves out the check of the next step; the reason stays on record.
    pub fn skip_step(&self, name: Option<&str>, reason: &str, presence: Presence) -> Result<Standing, Error> {
        let say = "say why: lore phase skip \"only a typo in a comment\"";
        match reason.chars().filter(|c| c.is_alphanumeric()).count() {
            0 => return Err(Error::request("a skip needs a reason", say)),
            1..=2 => {
                let sentence = format!("`{}` is too short a reason to be understood later", reason.trim());
                return Err(Error::request(sentence, say));
            }
            _ => {}
        }
        let mut track = self.the_meant_track(name)?;
        let from = track.phase;
        let Some(need) = track.need(from) else {
            return Err(Error::request(
                format!("`{}` is complete", track.id),
                "there is nothing left to skip",
            ));
        };
        let by_hand = "a person runs `lore phase skip` in a terminal of their own";
        if need.enforcement == Enforcement::Mandatory {
            self.only_a_person_at_a_terminal(presence, "skip a mandatory check", by_hand)?;
        } else if self.asker == Asker::Person && !track.session.is_empty() {
            // An agent may leave out its lighter checks in its own name, and not in a person's.
            self.only_a_person_at_a_terminal(presence, "skip a check of an agent's work", by_hand)?;
        }
        let reason = self.store.door().written(reason).into_owned();
        let by_person = self.asker == Asker::Person;
        track.record.push(format!("skipped the check after {} ({}): {reason}", from.word(), self.who()));
        let checked = Checked::Skipped { reason: reason.clone(), by_person };
        track.check(from, checked, vec![format!("skipped: {reason}")], &self.world.now.to_string());
        self.log(&format!("track {}: check after {} skipped: {reason}", track.id, from.word()));
        self.keep_track(&track)?;
        Ok(self.standing(track))
    }

    /// Makes the check of a track's next step, and of any before it that is still due.
    pub fn ground_track(&self, name: Option<&str>) -> Result<(Standing, Grounding), Error> {
        let mut track = self.the_track(name)?;
        let from = track.phase;
        self.check_due_before(&mut track, from);
        let Some(need) = track.need(from) else {
            return Err(Error::request(
                format!("`{}` is complete", track.id),
                "there is nothing left to check",
            ));
        };
        let grounding = self.ground(&GroundOptions {
            depth: need.depth,
            track: track.id.clone(),
            ..GroundOptions::new(track.question())
        })?;
        self.write_check(&mut track, from, &grounding);
        self.keep_track(&track)?;
        Ok((self.standing(track), grounding))
    }

    /// Makes every check that is due, of every track; returns how many were made.
    pub fn make_due_checks(&self) -> usize {
        // Whoever is at it does all of them.
        let Some(_lock) = self.checking_lock() else { return 0 };
        let mut made = 0;
        let tracks = self.kept_tracks();
        self.sweep_tracks(&tracks);
        for mut track in tracks {
            let before = track.due().len();
            if before > 0 {
                self.check_due_before(&mut track, Phase::Complete);
                made += before - track.due().len();
                if let Err(error) = self.merge_checks(&track) {
                    self.log(&format!("track {}: its checks could not be kept: {error}", track.id));
                }
            }
        }
        made
    }

    /// Takes the right to make checks, or nothing where somebody else has it.
    pub(super) fn checking_lock(&self) -> Option<FileLock> {
        self.store.shared().try_lock("tracks/checking.lock").ok()?
    }

    /// Makes the checks of steps that were noticed, from phases before one.
    fn check_due_before(&self, track: &mut Track, end: Phase) {
        for (from, depth) in track.due().into_iter().filter(|(from, _)| *from < end) {
            let options =
                GroundOptions { depth, track: track.id.clone(), ..GroundOptions::new(track.question()) };
            match self.ground(&options) {
                Ok(grounding) => self.write_check(track, from, &grounding),
                Err(error) => self.fail_open(track, from, &error),
            }
        }
    }

    /// A check that cannot be made must not hold anybody for ever: it is noted, and work goes on; where a
    /// machine builds, it counts as failed.
    fn fail_open(&self, track: &mut Track, from: Phase, error: &Error) {
        let why = self.store.door().written(&error.to_string()).into_owned();
        self.log(&format!("track {}: the check after {} could not be made: {why}", track.id, from.word()));
        let now = self.world.now.to_string();
        let checked = if self.is_ci_build() {
            Checked::Ran { confidence: 0.0, codes: vec![Code::AllFailed], against: Vec::new(), tries: 1 }
        } else {
            Checked::Impossible { reason: why.clone() }
        };
        track.check(from, checked, vec![why], &now);
    }

    /// Tells whether a machine builds here, where a check that cannot be made stops the step.
    pub fn is_ci_build(&self) -> bool {
        self.world.variable(crate::env::CI).is_some_and(|value| !matches!(value, "" | "0" | "false"))
    }

    fn write_check(&self, track: &mut Track, from: Phase, grounding: &Grounding) {
        let tries = match track.step(from).and_then(|step| step.checked.as_ref()) {
            Some(Checked::Ran { tries, .. }) => tries + 1,
            _ => 1,
        };
        let against = grounding.against.iter().map(Opposing::short).collect();
        let mut found: Vec<String> = grounding.against.iter().map(Opposing::line).collect();
        let checked =
            Checked::Ran { confidence: grounding.confidence, codes: grounding.codes.clone(), against, tries };
        found.extend(grounding.warnings.iter().cloned());
        found.extend(grounding.conflicts.iter().map(|conflict| conflict.summary.clone()));
        found.extend(grounding.findings.iter().take(3).map(|one| format!("{}: {}", one.at, one.text)));
        if let Some(impact) = &grounding.impact {
            let files: Vec<&str> = impact.files.iter().take(8).map(|file| file.path.as_str()).collect();
            found.push(format!("likely to change: {}", files.join(", ")));
        }
        track.check(from, checked, found, &self.world.now.to_string());
    }

    fn who(&self) -> String {
        match &self.asker {
            Asker::Person => self.world.person(),
            Asker::Agent { name, .. } => format!("agent:{name}"),
        }
    }
}

/// Tells whether a prompt begins a track: by a word for work, else by its grammar, which takes longer to read.
pub(super) fn begins(prompt: &str) -> bool {
    asks_for_change(prompt) || !only_asks(prompt) && lore_distill::ruling::wants_change(prompt)
}

/// Orders tracks by when they were touched.
pub(super) fn touched(track: &Track) -> Timestamp {
    let last = track.steps.iter().map(|step| step.at.as_str()).chain([track.began.as_str()]).max();
    last.and_then(|at| at.parse().ok()).unwrap_or(Timestamp::UNIX_EPOCH)
}
