//! A track: one change from the first wish to the commit, and what moves it.
//!
//! Nobody announces a step. What an agent does shows where it stands: it reads, it shows a plan, it
//! edits, it commits. Each crossing from one phase to the next is a step with a check of its own.

use serde::{Deserialize, Serialize};

use crate::gate::{Checked, Depth, Enforce, GateDecision, Mode, Need, Phase, decide, need};

/// Something that an agent or a person did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Deed {
    /// Files were read or searched, or a list of steps was made.
    Looked,
    /// A plan was shown.
    PlanShown(String),
    /// A plan was approved.
    PlanApproved,
    /// A file was changed.
    Edited,
    /// Git was asked to commit, push, or open a pull request.
    Delivered,
}

impl Deed {
    /// Returns the phase it belongs to: who does this stands there, or behind it.
    fn arrives(&self) -> Phase {
        match self {
            Deed::Looked => Phase::Define,
            Deed::PlanShown(_) => Phase::Develop,
            Deed::PlanApproved | Deed::Edited => Phase::Deliver,
            Deed::Delivered => Phase::Complete,
        }
    }

    /// Says it in words.
    pub fn word(&self) -> &'static str {
        match self {
            Deed::Looked => "files were read",
            Deed::PlanShown(_) => "a plan was shown",
            Deed::PlanApproved => "the plan was approved",
            Deed::Edited => "a file was edited",
            Deed::Delivered => "commit, push or pull request",
        }
    }
}

/// One crossing.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Step {
    /// The phase that is left.
    pub from: Phase,
    /// The phase that is entered.
    pub to: Phase,
    /// What showed it.
    pub shown_by: String,
    /// When, as RFC 3339.
    pub at: String,
    /// Whether it was taken; one that the gate holds waits.
    pub taken: bool,
    /// What came of its check.
    pub checked: Option<Checked>,
    /// What the check found, in a few lines.
    #[serde(default)]
    pub found: Vec<String>,
    /// Whether the agent has been told.
    #[serde(default)]
    pub told: bool,
}

/// One change on its way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Track {
    /// Its name.
    pub id: String,
    /// The session it belongs to, as `agent/id`; empty where a person began it.
    pub session: String,
    /// How thoroughly it is worked on.
    pub mode: Mode,
    /// Where it stands.
    pub phase: Phase,
    /// What is wanted.
    pub request: String,
    /// The plan, where one was shown.
    #[serde(default)]
    pub plan: String,
    /// Whether the plan was written anew after a check found what it did not keep to: then it says alone what is done.
    #[serde(default)]
    pub revised: bool,
    /// What the user asked for since, where that says something of its own.
    #[serde(default)]
    pub since: String,
    /// When it began, as RFC 3339.
    pub began: String,
    /// The crossings so far.
    pub steps: Vec<Step>,
    /// What people and agents did to it by hand, oldest first.
    #[serde(default)]
    pub record: Vec<String>,
}

impl Track {
    /// Begins a track.
    pub fn new(id: String, session: String, mode: Mode, request: String, now: String) -> Track {
        Track {
            id,
            session,
            mode,
            phase: Phase::Discover,
            request,
            plan: String::new(),
            revised: false,
            since: String::new(),
            began: now,
            steps: Vec::new(),
            record: Vec::new(),
        }
    }

    /// Tells whether there is nothing left to do on it.
    pub fn is_complete(&self) -> bool {
        self.phase == Phase::Complete
    }

    /// Returns what the step out of a phase needs.
    pub fn need(&self, from: Phase) -> Option<Need> {
        need(self.mode, from)
    }

    /// Finds the step out of a phase.
    pub fn step(&self, from: Phase) -> Option<&Step> {
        self.steps.iter().find(|step| step.from == from)
    }

    /// Takes note of a deed: crosses as far as the gates are open, and says what the last gate said.
    ///
    /// A step that nothing has checked is taken where the gate does not hold it; its check is still due.
    pub fn notice(&mut self, deed: &Deed, enforce: Enforce, now: &str) -> Option<GateDecision> {
        if let Deed::PlanShown(plan) = deed
            && !plan.trim().is_empty()
            && *plan != self.plan
        {
            self.plan.clone_from(plan);
            self.reconsider();
        }
        let mut last = None;
        while self.phase < deed.arrives() {
            let from = self.phase;
            let (Some(to), Some(need)) = (from.next(), self.need(from)) else { break };
            if self.step(from).is_none() {
                self.steps.push(Step {
                    from,
                    to,
                    shown_by: deed.word().to_owned(),
                    at: now.to_owned(),
                    taken: false,
                    checked: None,
                    found: Vec::new(),
                    told: false,
                });
            }
            let decision = decide(need, enforce, self.step(from).and_then(|step| step.checked.as_ref()));
            let open = decision.open;
            last = Some(decision);
            if !open {
                break;
            }
            if let Some(step) = self.steps.iter_mut().find(|step| step.from == from) {
                step.taken = true;
            }
            self.phase = to;
        }
        last
    }

    /// Lets the checks that found something against it be made again: a plan that was written anew may keep to it.
    fn reconsider(&mut self) {
        for step in self.steps.iter_mut().filter(|step| is_opposed(step)) {
            (step.checked, step.told) = (None, false);
            step.found.clear();
            self.revised = true;
        }
    }

    /// Lists what a check found that it does not keep to, in short.
    pub fn opposed_by(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().filter_map(|step| match &step.checked {
            Some(Checked::Ran { against, .. }) => against.first().map(String::as_str),
            _ => None,
        })
    }

    /// Lists the steps whose check has not been made.
    pub fn due(&self) -> Vec<(Phase, Depth)> {
        let due = self.steps.iter().filter(|step| step.checked.is_none());
        due.filter_map(|step| Some((step.from, self.need(step.from)?.depth))).collect()
    }

    /// Goes back to a phase: the checks of this and later steps no longer count.
    pub fn back(&mut self, to: Phase, why: &str) {
        self.steps.retain(|step| step.from < to);
        self.phase = to;
        self.record.push(format!("back to {}: {why}", to.word()));
    }

    /// Writes down what came of a check.
    pub fn check(&mut self, from: Phase, checked: Checked, found: Vec<String>, now: &str) {
        let Some(to) = from.next() else { return };
        if let Some(step) = self.steps.iter_mut().find(|step| step.from == from) {
            step.checked = Some(checked);
            step.found = found;
            step.told = false;
        } else {
            self.steps.push(Step {
                from,
                to,
                shown_by: "asked for".to_owned(),
                at: now.to_owned(),
                taken: false,
                checked: Some(checked),
                found,
                told: false,
            });
        }
    }

    /// Returns what to look into: the wish with the plan where there is one; a plan that was written anew stands alone.
    pub fn question(&self) -> String {
        if self.revised {
            return self.plan.clone();
        }
        if self.plan.is_empty() { self.request.clone() } else { format!("{}\n\n{}", self.request, self.plan) }
    }
}

fn is_opposed(step: &Step) -> bool {
    matches!(&step.checked, Some(Checked::Ran { against, .. }) if !against.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn track(mode: Mode) -> Track {
        Track::new("t".to_owned(), String::new(), mode, "add a flag".to_owned(), "now".to_owned())
    }

    #[test]
    fn deeds_move_a_track_and_each_crossing_is_a_step() {
        let mut track = track(Mode::Speed);
        assert_eq!(track.notice(&Deed::Looked, Enforce::Advisory, "1").unwrap().action.word(), "WARN");
        assert_eq!(track.phase, Phase::Define);
        assert!(track.notice(&Deed::Looked, Enforce::Advisory, "2").is_none());
        track.notice(&Deed::Edited, Enforce::Advisory, "3");
        assert_eq!(track.phase, Phase::Deliver);
        track.notice(&Deed::Delivered, Enforce::Advisory, "4");
        assert!(track.is_complete());
        assert_eq!(track.steps.len(), 4);
        assert_eq!(track.due().len(), 4);
    }

    #[test]
    fn a_closed_gate_holds_the_track_until_it_is_checked() {
        let mut track = track(Mode::Full);
        let held = track.notice(&Deed::Edited, Enforce::AsTable, "1").unwrap();
        assert_eq!((held.action.word(), held.open), ("RUN_GROUNDING", false));
        assert_eq!(track.phase, Phase::Develop);
        let fine = Checked::Ran { confidence: 0.8, codes: Vec::new(), against: Vec::new(), tries: 1 };
        track.check(Phase::Develop, fine, Vec::new(), "2");
        assert!(track.notice(&Deed::Edited, Enforce::AsTable, "3").unwrap().open);
        assert_eq!(track.phase, Phase::Deliver);
    }

    /// Keeping to the rule did not open what the rule had closed.
    #[test]
    fn a_plan_that_is_written_anew_is_checked_anew_and_alone() {
        let mut track = track(Mode::Full);
        track.notice(&Deed::PlanShown("use Brass".to_owned()), Enforce::AsTable, "1");
        let against = vec!["prf-1 rules this out".to_owned()];
        let opposed = Checked::Ran { confidence: 0.9, codes: Vec::new(), against, tries: 1 };
        track.check(Phase::Deliver, opposed.clone(), Vec::new(), "2");
        track.notice(&Deed::PlanShown("use Brass".to_owned()), Enforce::AsTable, "3");
        assert!(
            !track.revised && track.step(Phase::Deliver).unwrap().checked.is_some(),
            "it is the same plan"
        );
        track.notice(&Deed::PlanShown("use Steel".to_owned()), Enforce::AsTable, "4");
        assert_eq!(track.question(), "use Steel");
        assert_eq!(track.step(Phase::Deliver).unwrap().checked, None);
        assert!(track.due().iter().any(|(from, _)| *from == Phase::Deliver));
    }

    #[test]
    fn going_back_forgets_this_and_later_checks() {
        let mut track = track(Mode::Speed);
        track.notice(&Deed::Delivered, Enforce::Advisory, "1");
        track.back(Phase::Define, "the plan was wrong");
        assert_eq!(track.phase, Phase::Define);
        assert_eq!(track.steps.iter().map(|step| step.from).collect::<Vec<_>>(), [Phase::Discover]);
    }
}
