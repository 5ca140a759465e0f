//! Pieces of work in a session, and how they ended: tests, commits, what was taken back, what a person
//! corrected. Nobody is asked; what the session does not show is left open.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use jiff::Timestamp;
use lore_core::command::{makes_commit, runs_tests};
use lore_core::session::{Outcome, Session, ToolCall};
use regex::Regex;
use serde::{Deserialize, Serialize};

use super::work::changed_file;
use super::{Sensed, cues, person, said};
use crate::extract::scene::{Scene, changes_files, is_person};

/// Nobody works through a longer pause.
const PAUSE: i64 = 30 * 60;

static FAILING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?m)\b[1-9]\d*\s+(?:tests?\s+)?(?:fail(?:ed|ing|ures?)?|errors?)\b|test result: FAILED|^(?:FAIL|FAILED)\b|(?i:failures?:\s*[1-9])|^error(?:\[E\d+\])?: |could not compile|Traceback \(most recent",
    )
    .expect("the pattern is a constant")
});
static PASSING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?mi)test result: ok|\b\d+\s+(?:tests?\s+)?(?:pass(?:ed|ing)?|successful)\b|^ok\s|^PASS\b|\b0 fail|all (?:\w+ )?(?:tests|checks) pass|^OK\b|BUILD SUCCESS|100% tests passed",
    )
    .expect("the pattern is a constant")
});
static MADE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^\[[^\]\n]*?\b([0-9a-f]{7,40})\] ").expect("the pattern is a constant")
});

/// A piece of work: from the first change of a file until it is settled and the person goes on to something else.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Stretch {
    /// The record it begins at.
    pub line: u32,
    /// When it began.
    pub at: Option<Timestamp>,
    /// How long it was worked on, pauses left out.
    pub minutes: Option<u32>,
    /// The model that did most of it.
    pub model: Option<String>,
    /// Where in the tree most of it was done.
    pub domain: Option<String>,
    /// How the last run of tests ended; nothing where none ran after the last change.
    pub green: Option<bool>,
    /// Whether it was committed.
    pub committed: bool,
    /// The commits, as far as git named them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub commits: Vec<String>,
    /// Whether it was taken back.
    pub reverted: bool,
    /// How often the person corrected it.
    pub corrected: u32,
    /// Whether the person's last word on it was a correction, or praise.
    pub last_word: Option<LastWord>,
}

/// What the person said last about a piece of work.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LastWord {
    /// That it is wrong, and nothing was changed since.
    Correction,
    /// That it is good.
    Praise,
}

/// How a piece of work ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WorkOutcome {
    /// It was done.
    Success,
    /// It was done in part, or only after corrections.
    Partial,
    /// It was not done, or undone.
    Failed,
}

impl WorkOutcome {
    /// Says what it counts for in a share of success.
    pub fn worth(self) -> f64 {
        match self {
            WorkOutcome::Success => 1.0,
            WorkOutcome::Partial => 0.5,
            WorkOutcome::Failed => 0.0,
        }
    }
}

impl Stretch {
    /// Says how it ended, where the session shows it.
    pub fn outcome(&self) -> Option<WorkOutcome> {
        let held = self.committed || self.green == Some(true);
        if self.reverted {
            return Some(WorkOutcome::Failed);
        }
        match self.last_word {
            Some(LastWord::Correction) if !self.committed => return Some(WorkOutcome::Failed),
            Some(LastWord::Praise) if self.corrected == 0 && self.green != Some(false) => {
                return Some(WorkOutcome::Success);
            }
            _ => {}
        }
        match (self.green, held) {
            (Some(false), false) => Some(WorkOutcome::Failed),
            (Some(false), true) => Some(WorkOutcome::Partial),
            (_, true) if self.corrected > 0 => Some(WorkOutcome::Partial),
            (_, true) => Some(WorkOutcome::Success),
            _ => None,
        }
    }
}

/// Finds the pieces of work of a session, in their order.
pub fn stretches(session: &Session) -> Vec<Stretch> {
    let scene = Scene::new(session);
    let complaints = person::complaints(&scene);
    let mut making = Making { session, found: Vec::new(), at: None };
    for view in &scene.views {
        let turn = view.turn;
        making.tick(turn.at);
        if is_person(turn) {
            let line = turn.blocks.first().map_or(0, |block| block.line);
            making.heard(line, &turn.text(), &complaints);
        }
        for call in &turn.tool_calls {
            making.done(call, turn.at, turn.model.as_deref());
        }
    }
    making.found.into_iter().map(Open::closed).collect()
}

/// A piece of work that may still go on.
#[derive(Default)]
struct Open {
    stretch: Stretch,
    seconds: i64,
    places: BTreeMap<String, usize>,
    models: BTreeMap<String, usize>,
    /// Changes that are in no commit yet.
    pending: bool,
    /// The person went on to something else after it was settled.
    left: bool,
    /// Changes were thrown away and none made since.
    thrown: bool,
}

impl Open {
    fn is_settled(&self) -> bool {
        !self.pending && self.stretch.committed || self.stretch.green == Some(true)
    }

    fn closed(mut self) -> Stretch {
        let most = |counts: BTreeMap<String, usize>| {
            let best = counts.into_iter().max_by(|a, b| a.1.cmp(&b.1).then_with(|| b.0.cmp(&a.0)));
            best.map(|(name, _)| name)
        };
        self.stretch.domain = most(self.places);
        self.stretch.model = most(self.models);
        self.stretch.minutes =
            self.stretch.at.map(|_| u32::try_from(self.seconds.div_euclid(60)).unwrap_or(0).max(1));
        self.stretch.reverted |= self.thrown;
        self.stretch
    }
}

struct Making<'a> {
    session: &'a Session,
    found: Vec<Open>,
    at: Option<Timestamp>,
}

impl Making<'_> {
    /// Lets time go by.
    fn tick(&mut self, at: Option<Timestamp>) {
        let Some(now) = at else { return };
        let gone = self.at.map_or(0, |before| now.as_second() - before.as_second());
        self.at = Some(now);
        if let Some(open) = self.found.last_mut().filter(|open| !open.left)
            && (0..=PAUSE).contains(&gone)
        {
            open.seconds += gone;
        }
    }

    /// Takes in what the person says: about the last piece of work, or by going on to the next.
    fn heard(&mut self, line: u32, text: &str, complaints: &[Sensed]) {
        let Some(open) = self.found.last_mut() else { return };
        if complaints.iter().any(|complaint| complaint.line == line) {
            open.stretch.corrected += 1;
            open.stretch.last_word = Some(LastWord::Correction);
            open.left = false;
            return;
        }
        let sentences = said::sentences(text);
        if sentences.iter().take(2).any(|sentence| cues::find("praises", sentence).is_some()) {
            open.stretch.last_word = Some(LastWord::Praise);
        }
        open.left |= open.is_settled() || open.stretch.last_word == Some(LastWord::Praise);
    }

    /// Takes in what the agent does.
    fn done(&mut self, call: &ToolCall, at: Option<Timestamp>, model: Option<&str>) {
        let went = matches!(call.outcome, Outcome::Done | Outcome::Unknown);
        if changes_files(call) {
            let place = changed_file(call).and_then(|path| place_of(path, self.session.directory.as_deref()));
            // What lies outside the tree is no work on it: plans, notes, scratch.
            let Some(place) = place else { return };
            let open = self.open(call.line, at);
            *open.places.entry(place).or_default() += 1;
            if let Some(model) = model {
                *open.models.entry(model.to_owned()).or_default() += 1;
            }
            (open.pending, open.thrown, open.stretch.green, open.stretch.last_word) =
                (true, false, None, None);
            return;
        }
        let Some(command) = call.command.as_deref() else { return };
        if makes_commit(command) && went {
            let open = self.open(call.line, at);
            (open.stretch.committed, open.pending) = (true, false);
            open.stretch.commits.extend(MADE.captures_iter(&call.output).map(|made| made[1].to_owned()));
            if let Some(model) = model {
                open.models.entry(model.to_owned()).or_default();
            }
        }
        let Some(open) = self.found.last_mut() else { return };
        if runs_tests(command) {
            open.stretch.green = passed(call, command).or(open.stretch.green);
        }
        if went && open.pending && takes_all_back(command) {
            (open.thrown, open.pending) = (true, false);
        }
        if went && open.stretch.committed && takes_commit_back(command, &open.stretch.commits) {
            open.stretch.reverted = true;
        }
    }

    /// Returns the piece of work that goes on, or begins one.
    fn open(&mut self, line: u32, at: Option<Timestamp>) -> &mut Open {
        if self.found.last().is_none_or(|open| open.left) {
            let stretch = Stretch { line, at, ..Stretch::default() };
            self.found.push(Open { stretch, ..Open::default() });
        }
        self.found.last_mut().expect("one was just added where there was none")
    }
}

/// Says whether a run of tests went well; nothing where a pipe hid it and nothing was said.
fn passed(call: &ToolCall, command: &str) -> Option<bool> {
    match call.outcome {
        Outcome::Failed => Some(false),
        Outcome::Rejected | Outcome::Interrupted => None,
        _ if FAILING.is_match(&call.output) => Some(false),
        _ if PASSING.is_match(&call.output) => Some(true),
        Outcome::Done if !command.contains(['|', ';', '&']) => Some(true),
        _ => None,
    }
}

/// Tells whether a command throws all changes of the working tree away.
fn takes_all_back(command: &str) -> bool {
    let words: Vec<&str> = command.split_whitespace().collect();
    words.windows(3).enumerate().any(|(at, three)| match three {
        ["git", "reset", "--hard"] | ["git", "stash", "drop"] => true,
        ["git", "checkout", "--"] => words.get(at + 3) == Some(&"."),
        ["git", "checkout" | "restore", "."] => true,
        _ => false,
    })
}

/// Tells whether a command takes back a commit of this piece of work.
fn takes_commit_back(command: &str, commits: &[String]) -> bool {
    let words: Vec<&str> = command.split_whitespace().collect();
    let ours = |name: &str| commits.iter().any(|id| id.starts_with(name) || name.starts_with(id.as_str()));
    words.windows(2).enumerate().any(|(at, two)| match two {
        ["git", "revert"] => {
            words[at + 2..].iter().any(|word| word.starts_with("HEAD") || (word.len() >= 7 && ours(word)))
        }
        ["git", "reset"] => {
            let rest = &words[at + 2..];
            rest.contains(&"--hard")
                && rest.iter().any(|word| word.starts_with("HEAD~") || word.starts_with("HEAD^"))
        }
        _ => false,
    })
}

/// Names where in the tree a file lies, by at most two folders; nothing where it lies outside.
pub fn place_of(path: &str, directory: Option<&str>) -> Option<String> {
    let path = path.replace('\\', "/");
    let inside = match directory {
        Some(directory) => {
            let directory = directory.replace('\\', "/");
            let below = path.strip_prefix(directory.trim_end_matches('/'));
            below.and_then(|rest| rest.strip_prefix('/')).map_or_else(|| path.clone(), str::to_owned)
        }
        None => path,
    };
    let parts: Vec<&str> = inside.split('/').filter(|part| !matches!(*part, "" | ".")).collect();
    // A worktree is the same tree somewhere else: `.claude/worktrees/NAME/src`, `../app__worktrees/NAME/src`.
    let worktree = parts.iter().position(|part| part.to_ascii_lowercase().ends_with("worktrees"));
    let mut folders = match worktree.filter(|at| at + 2 < parts.len()) {
        Some(at) => parts[at + 2..].to_vec(),
        None if inside.starts_with(['/', '~'])
            || inside.starts_with("..")
            || inside.get(1..2) == Some(":") =>
        {
            return None;
        }
        None => parts,
    };
    folders.pop()?;
    folders.truncate(2);
    // What only says that code is inside names no part of the system.
    while folders.len() > 1 && matches!(folders.last(), Some(&("src" | "lib"))) {
        folders.pop();
    }
    Some(if folders.is_empty() { ".".to_owned() } else { folders.join("/") })
}

/// Tells whether a part of the system that somebody names is this place: the folder, or one of its parts.
pub fn is_place(place: &str, named: &str) -> bool {
    let named = named.trim_matches('/');
    place.eq_ignore_ascii_case(named) || place.split('/').any(|part| part.eq_ignore_ascii_case(named))
}

#[cfg(test)]
mod tests {
    use super::super::tests::Talk;
    use super::*;

    fn only(talk: Talk) -> Stretch {
        let mut found = talk.stretches();
        assert_eq!(found.len(), 1, "{found:?}");
        found.remove(0)
    }

    fn work() -> Talk {
        Talk::default().person("light the buoy").edits("src/buoy/lamp.rs", Outcome::Done)
    }

    const OK: &str = "test result: ok. 12 passed; 0 failed";
    const COMMITTED: &str = "[main 1a2b3c4] buoy: light\n 1 file changed";

    #[test]
    fn what_the_session_shows_decides_how_it_ended() {
        let check = |talk: Talk, expected: Option<WorkOutcome>| {
            let stretch = only(talk);
            assert_eq!(stretch.outcome(), expected, "{stretch:?}");
        };
        use WorkOutcome::{Failed, Partial, Success};
        check(work(), None);
        check(work().runs("cargo test 2>&1 | tail -3", Outcome::Done, OK), Some(Success));
        check(work().runs("cargo test 2>&1 | tail -3", Outcome::Done, ""), None);
        check(work().runs("cargo test", Outcome::Done, ""), Some(Success));
        check(work().runs("bun test | tail -3", Outcome::Done, " 12 pass\n 0 fail"), Some(Success));
        check(work().runs("bun test | tail -3", Outcome::Done, " 11 pass\n 1 fail"), Some(Failed));
        check(
            work().runs("cargo test | tail", Outcome::Done, "test result: FAILED. 11 passed; 1 failed"),
            Some(Failed),
        );
        check(work().runs("pytest", Outcome::Failed, "1 failed"), Some(Failed));
        // A change after the tests makes them tell nothing.
        let changed =
            work().runs("pytest", Outcome::Failed, "1 failed").edits("src/buoy/lamp.rs", Outcome::Done);
        check(changed, None);
        check(work().runs("git commit -am light", Outcome::Done, COMMITTED), Some(Success));
        check(
            work()
                .runs("git commit -am light", Outcome::Done, COMMITTED)
                .person("the lamp is still in the wrong place"),
            Some(Partial),
        );
        check(work().agent("Done.").person("the lamp is still in the wrong place"), Some(Failed));
        check(work().runs("git checkout -- .", Outcome::Done, ""), Some(Failed));
        let reverted = work().runs("git commit -am x", Outcome::Done, COMMITTED).runs(
            "git revert 1a2b3c4",
            Outcome::Done,
            "",
        );
        check(reverted, Some(Failed));
        // Catching up with others throws nothing away that was committed.
        let pulled = work().runs("git commit -am x", Outcome::Done, COMMITTED).runs(
            "git reset --hard origin/main",
            Outcome::Done,
            "",
        );
        check(pulled, Some(Success));
        let praised =
            work().edits("src/buoy/a.rs", Outcome::Done).agent("Done.").person("that is perfect, thanks!");
        check(praised, Some(Success));
    }

    #[test]
    fn a_piece_ends_where_it_is_settled_and_the_person_goes_on() {
        let talk = work()
            .runs("git commit -am one", Outcome::Done, COMMITTED)
            .edits("src/buoy/bell.rs", Outcome::Done)
            .runs("git commit -am two", Outcome::Done, "[main (root-commit) 2a2b3c4] two")
            .person("now the pier")
            .edits("docs/pier.md", Outcome::Done)
            .edits("/elsewhere/notes.md", Outcome::Done);
        let found = talk.stretches();
        let told: Vec<(&str, usize, bool)> = found
            .iter()
            .map(|one| (one.domain.as_deref().unwrap_or_default(), one.commits.len(), one.committed))
            .collect();
        assert_eq!(told, [("src/buoy", 2, true), ("docs", 0, false)]);
        // Mending what the person found wrong is the same piece.
        let mended = work()
            .runs("git commit -am one", Outcome::Done, COMMITTED)
            .person("the lamp is still in the wrong place")
            .edits("src/buoy/lamp.rs", Outcome::Done)
            .runs("git commit -am two", Outcome::Done, COMMITTED);
        assert_eq!(only(mended).outcome(), Some(WorkOutcome::Partial));
        assert_eq!(
            Talk::default().person("look at the buoy").runs("cargo test", Outcome::Done, OK).stretches(),
            []
        );
    }

    #[test]
    fn places_are_folders_of_the_tree() {
        let check = |path: &str, expected: Option<&str>| {
            assert_eq!(place_of(path, Some("/srv/harbour")).as_deref(), expected, "{path}");
        };
        check("/srv/harbour/src/buoy/lamp.rs", Some("src/buoy"));
        check("crates/hull/src/lib.rs", Some("crates/hull"));
        check("lib/src/main.rs", Some("lib"));
        check("README.md", Some("."));
        check("/srv/harbours/x.rs", None);
        check("../other/x.rs", None);
        check("~/notes.md", None);
        check(r"C:\harbour\x.rs", None);
        check("/srv/harbour/.claude/worktrees/bell/src/buoy/bell.rs", Some("src/buoy"));
        check("/srv/harbour__worktrees/bell/docs/bell.md", Some("docs"));
        check("/srv/harbour__worktrees/bell", None);
        check("src/worktrees/list.rs", Some("src/worktrees"));
        assert!(
            is_place("src/buoy", "buoy")
                && is_place("src/buoy", "src/buoy")
                && !is_place("src/buoys", "buoy")
        );
    }
}
