//! A track: one change from the first wish to the commit, and what moves it.
//!
//! Nobody announces a step. What an agent does shows where it stands: it reads, it shows a plan, it
//! edits, it commits. Each crossing from one phase to the next is a step with a check of its own.

use std::sync::LazyLock;

use regex::Regex;
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
        {
            self.plan.clone_from(plan);
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

    /// Returns what to look into: the plan where there is one, else the wish.
    pub fn question(&self) -> String {
        if self.plan.is_empty() { self.request.clone() } else { format!("{}\n\n{}", self.request, self.plan) }
    }
}

/// Words that ask for a change.
const CHANGE: &str = "add|allow|apply|build|bump|change|cleanup|clean up|convert|create|delete|deploy|design|disable|drop|enable|extend|extract|finish|fix|get rid of|handle|implement|improve|install|integrate|introduce|let's|make|merge|migrate|modify|move|optimise|optimize|patch|plan|port|publish|push|refactor|release|remove|rename|replace|resolve|revert|rewrite|set up|setup|ship|simplify|split|support|switch|update|upgrade|use|wire|write";
/// Words with which a prompt begins that only asks.
const ONLY_ASKS: &str = "what|why|where|when|who|which|how does|how do|how did|how is|how are|how come|how many|how much|how long|is|are|was|were|does|did|do we|do you|do i|has|have|explain|describe|show|list|tell me|summarise|summarize|review|read|look at|find";

/// Tells whether a prompt asks for a change, not only for an answer.
pub fn asks_for_change(prompt: &str) -> bool {
    let prompt = prompt.trim();
    let first = prompt.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let first = first.trim_start_matches(|c: char| !is_word(c));
    let is_question = begins_with(first, ONLY_ASKS) && prompt.len() < 400;
    !is_question && words(prompt).any(|rest| begins_with(rest, CHANGE))
}

/// Tells whether a text begins with one of some phrases, whole and whatever the case. Compiling a pattern of
/// them (a regular expression) took longer than all else that a hook does with a prompt.
fn begins_with(text: &str, phrases: &str) -> bool {
    let is_there = |phrase: &str| {
        let head = text.as_bytes().get(..phrase.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(phrase.as_bytes()))
            && !text[phrase.len()..].starts_with(is_word)
    };
    let first = text.as_bytes().first().map(u8::to_ascii_lowercase);
    phrases.split('|').filter(|phrase| phrase.as_bytes().first().copied() == first).any(is_there)
}

/// Lists what is left of a text from each of its words on.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut before = false;
    text.char_indices().filter_map(move |(at, c)| {
        let begins = is_word(c) && !before;
        before = is_word(c);
        begins.then(|| &text[at..])
    })
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Tells whether a command line commits, pushes or opens a pull request.
pub fn delivers(command: &str) -> bool {
    static DELIVERS: LazyLock<Regex> = LazyLock::new(|| {
        let pattern = r"(?:^|[;&|(\n]\s*|\bthen\s+)(?:[A-Za-z_]\w*=\S+\s+)*(?:sudo\s+)?(?:git(?:\s+-[cC]\s+\S+|\s+--?[\w-]+(?:=\S+)?)*\s+(?:commit|push)\b|gh\s+pr\s+(?:create|merge)\b|glab\s+mr\s+create\b|jj\s+(?:git\s+push|commit)\b|hub\s+pull-request\b)";
        Regex::new(pattern).expect("the pattern is fixed")
    });
    // Most commands have none of these words, and making the pattern ready takes longer than the hook.
    let may_deliver =
        ["commit", "push", "create", "merge", "pull-request"].iter().any(|word| command.contains(word));
    may_deliver && DELIVERS.is_match(command)
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
        let fine = Checked::Ran { confidence: 0.8, codes: Vec::new(), tries: 1 };
        track.check(Phase::Develop, fine, Vec::new(), "2");
        assert!(track.notice(&Deed::Edited, Enforce::AsTable, "3").unwrap().open);
        assert_eq!(track.phase, Phase::Deliver);
    }

    #[test]
    fn going_back_forgets_this_and_later_checks() {
        let mut track = track(Mode::Speed);
        track.notice(&Deed::Delivered, Enforce::Advisory, "1");
        track.back(Phase::Define, "the plan was wrong");
        assert_eq!(track.phase, Phase::Define);
        assert_eq!(track.steps.iter().map(|step| step.from).collect::<Vec<_>>(), [Phase::Discover]);
    }

    /// The same as one pattern would say; it is only too slow to make for each prompt.
    fn by_pattern(prompt: &str) -> bool {
        let [asks, change] = [ONLY_ASKS, CHANGE].map(|phrases| phrases.replace(' ', "[ ]"));
        let asks = Regex::new(&format!(r"(?i)^\W*(?:{asks})\b")).unwrap();
        let change = Regex::new(&format!(r"(?i)\b(?:{change})\b")).unwrap();
        let prompt = prompt.trim();
        let first = prompt.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        !(asks.is_match(first) && prompt.len() < 400) && change.is_match(prompt)
    }

    proptest::proptest! {
        #[test]
        fn words_are_found_as_a_pattern_finds_them(
            parts in proptest::collection::vec(proptest::sample::select(vec![
                "add", "Adding", "reuse", "USE", "let's", "clean", "up", "cleanup", "how", "do", "we", "what", "is",
                "fix_it", "fix", "größe", "é", "-", "_", "'", "?", ".", " ", " ", " ", "\n", "«", "set", "get rid of",
            ]), 0..12),
        ) {
            let prompt = parts.concat();
            proptest::prop_assert_eq!(asks_for_change(&prompt), by_pattern(&prompt), "{:?}", prompt);
        }
    }

    #[test]
    fn wishes_are_told_from_questions() {
        let check = |prompt: &str, expected: bool| assert_eq!(asks_for_change(prompt), expected, "{prompt}");
        check("Add a --quiet flag to the export command", true);
        check("the login page crashes, please fix it", true);
        check("Can you rename the column?", true);
        check("What does the export command do?", false);
        check("why did you change the parser?", false);
        check("thanks", false);
    }

    #[test]
    fn commands_that_deliver_are_known() {
        let check = |command: &str, expected: bool| assert_eq!(delivers(command), expected, "{command}");
        check("git commit -m 'x'", true);
        check("cd a && git -C b push origin main", true);
        check("cargo test && gh pr create --fill", true);
        check("git add -A\ngit commit", true);
        check("git log --grep commit", false);
        check("echo git commit", false);
        check("git status", false);
    }
}
