//! Sentences of several fields through the sensors, as sessions would have them.

use lore_core::session::{Author, Channel, FileAction, FileTouch, Outcome, Session, ToolCall, Turn};
use lore_core::{Severity, SignalType};

use super::{Configured, Sensed, sense};

/// A session in the making, one record per turn.
#[derive(Default)]
pub(super) struct Talk {
    turns: Vec<Turn>,
}

impl Talk {
    fn line(&self) -> u32 {
        u32::try_from(self.turns.len()).expect("a short talk") * 10 + 1
    }

    pub(super) fn person(mut self, text: &str) -> Talk {
        self.turns.push(Turn::prose(Author::Person, Channel::Prompt, self.line(), text));
        self
    }

    pub(super) fn agent(mut self, text: &str) -> Talk {
        self.turns.push(Turn::prose(Author::Agent, Channel::Reply, self.line(), text));
        self
    }

    fn call(mut self, call: ToolCall) -> Talk {
        let line = self.line();
        let call = ToolCall { line, ..call };
        let blank = Turn::prose(Author::Agent, Channel::Reply, line, "");
        self.turns.push(Turn { blocks: Vec::new(), tool_calls: vec![call], ..blank });
        self
    }

    pub(super) fn runs(self, command: &str, outcome: Outcome, output: &str) -> Talk {
        self.call(ToolCall {
            command: Some(command.to_owned()),
            outcome,
            output: output.to_owned(),
            ..bare("Bash")
        })
    }

    pub(super) fn edits(self, path: &str, outcome: Outcome) -> Talk {
        let files = vec![FileTouch { path: path.to_owned(), action: FileAction::Edit }];
        self.call(ToolCall { files, outcome, output: "text not found".to_owned(), ..bare("Edit") })
    }

    pub(super) fn stretches(self) -> Vec<super::Stretch> {
        super::stretches(&Session { turns: self.turns, ..Session::default() })
    }

    pub(super) fn misfires(self) -> Vec<Sensed> {
        super::misfires(&Session { turns: self.turns, ..Session::default() })
    }

    fn sensed(self) -> Vec<Sensed> {
        sense(&Session { turns: self.turns, ..Session::default() }, &Configured::default())
    }
}

fn bare(name: &str) -> ToolCall {
    ToolCall {
        id: None,
        name: name.to_owned(),
        line: 0,
        result_line: None,
        arguments: String::new(),
        command: None,
        outcome: Outcome::Done,
        output: String::new(),
        files: Vec::new(),
    }
}

/// Says something after the agent has done some work, and returns what was raised.
fn after_work(text: &str) -> Vec<Sensed> {
    Talk::default()
        .person("move the buoy")
        .edits("src/buoy.rs", Outcome::Done)
        .agent("Done.")
        .person(text)
        .sensed()
}

#[test]
fn complaints_are_heard() {
    for text in [
        "the buoy is still in the wrong place",
        "no, that is not what I asked for",
        "I already told you that the pier is closed",
        "why did you delete the lighthouse?",
        "ugh, the invoice has two totals now",
        "please don't touch the ledger",
        "revert that, the old colour was fine",
        "it doesn't work on the tablet",
        "what are you doing?",
        "I meant the northern harbour",
        "that's wrong, a tide table has four entries a day",
        "This isn\u{2019}t good.",
    ] {
        let found = after_work(text);
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        assert_eq!(found[0].signal_type, SignalType::Frustration, "{text}");
    }
}

#[test]
fn politeness_questions_own_mistakes_and_quotations_are_no_complaints() {
    for text in [
        "can you show me the tide table again?",
        "sorry, I messed up the branch, can you do it again",
        "no, this is fine",
        "great, now add the second buoy",
        "why is the sea salty?",
        "please add a test that fails if the buoy is not lit",
        "> this is still broken\n\nwhat does the sailor mean by that line",
        "```\nerror: it doesn't work\n```",
        "more review comments",
        "let's make the lamp a bit wider",
        "does the lamp still have to be red?",
        "correct me if I am wrong: the tide turns twice a day",
    ] {
        let found: Vec<Sensed> =
            after_work(text).into_iter().filter(|one| one.signal_type == SignalType::Frustration).collect();
        assert_eq!(found, [], "{text}");
    }
}

#[test]
fn a_complaint_tells_the_occasion_and_not_the_words() {
    let found = after_work("no, that is wrong, you broke the bloody buoy");
    let told = format!("{} {} {}", found[0].title, found[0].happened, found[0].context);
    assert!(!told.contains("bloody"), "{told}");
    assert_eq!(found[0].title, "What the agent said or did was contradicted: src/buoy.rs");
    assert!(found[0].quote.as_deref().is_some_and(|quote| quote.contains("bloody")));
}

#[test]
fn a_second_complaint_is_worse() {
    let found = Talk::default()
        .person("move the buoy")
        .agent("Moved.")
        .person("it is still there")
        .agent("Moved now.")
        .person("it is still there, next to the pier")
        .sensed();
    let severities: Vec<Severity> = found.iter().map(|one| one.severity).collect();
    assert_eq!(severities, [Severity::Medium, Severity::High]);
}

#[test]
fn what_fails_again_and_again_is_a_struggle() {
    let mut talk = Talk::default().person("build the boat");
    for _ in 0..3 {
        talk = talk.runs("cd /boat && make hull 2>&1", Outcome::Failed, "error: no rule to make hull");
    }
    let found = talk.sensed();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].signal_type, SignalType::Struggle);
    assert_eq!(found[0].command.as_deref(), Some("make hull"));
    assert_eq!(found[0].error.as_deref(), Some("error: no rule to make hull"));
}

#[test]
fn failures_on_purpose_probes_and_single_ones_are_no_struggle() {
    let quiet = |talk: Talk| {
        let found = talk.sensed();
        assert_eq!(found, [], "{found:?}");
    };
    quiet(Talk::default().runs("make hull", Outcome::Failed, "error: no rule"));
    quiet(
        Talk::default()
            .runs("grep -rn mast .", Outcome::Failed, "")
            .runs("grep -rn mast .", Outcome::Failed, "")
            .runs("grep -rn mast .", Outcome::Failed, ""),
    );
    quiet(Talk::default().agent("The test still fails, as expected: the mast is not built yet."));
    quiet(Talk::default().edits("src/mast.rs", Outcome::Failed).edits("src/mast.rs", Outcome::Done));
}

#[test]
fn edits_that_do_not_take_and_admissions_are_struggles() {
    let found =
        Talk::default().edits("src/mast.rs", Outcome::Failed).edits("src/mast.rs", Outcome::Failed).sensed();
    assert_eq!(found[0].subject, "edit: text not found");
    let found = Talk::default().agent("I was editing the wrong file all along.").sensed();
    assert_eq!(found[0].signal_type, SignalType::Struggle);
}

#[test]
fn what_was_forbidden_and_done_is_a_deviation() {
    let found = Talk::default()
        .person("trim the sails")
        .agent("Trimmed.")
        .person("oh, please don't amend commits here")
        .runs("git commit --amend --no-edit", Outcome::Done, "")
        .sensed();
    let kinds: Vec<SignalType> = found.iter().map(|one| one.signal_type).collect();
    assert_eq!(kinds, [SignalType::Frustration, SignalType::Deviation]);
    let found = Talk::default().runs("git commit -m x --no-verify", Outcome::Done, "").sensed();
    assert_eq!((found[0].signal_type, found[0].severity), (SignalType::Deviation, Severity::High));
    let asked = Talk::default().person("commit it with --no-verify").runs(
        "git commit -m x --no-verify",
        Outcome::Done,
        "",
    );
    assert_eq!(asked.sensed(), []);
    let qualified =
        Talk::default().person("never push to main").runs("git push origin dev", Outcome::Done, "");
    assert_eq!(qualified.sensed(), []);
    let other = Talk::default().person("don't push through the fog").runs("git push", Outcome::Done, "");
    assert_eq!(other.sensed(), []);
}

#[test]
fn a_model_that_was_not_configured_is_told() {
    let mut turn = Turn::prose(Author::Agent, Channel::Reply, 3, "Sailing.");
    turn.model = Some("claude-haiku-9".to_owned());
    let session = Session { turns: vec![turn], ..Session::default() };
    let configured = Configured::of_plan(r#"{"model_profile": "quality"}"#);
    let found = sense(&session, &configured);
    assert_eq!(found[0].title, "`claude-haiku-9` ran where opus was configured");
    assert_eq!(sense(&session, &Configured::of_plan(r#"{"model_profile": "budget"}"#)), []);
    assert_eq!(sense(&session, &Configured::of_plan("nonsense")), []);
}

#[test]
fn plain_praise_of_work_is_a_good_sign() {
    let talk = Talk::default()
        .person("paint the hull")
        .edits("a.rs", Outcome::Done)
        .edits("b.rs", Outcome::Done)
        .edits("c.rs", Outcome::Done)
        .person("this is exactly what I wanted");
    let found = talk.sensed();
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].is_positive && found[0].signal_type == SignalType::GoodPattern);
}

#[test]
fn a_struggle_is_told_with_what_ended_it() {
    let stuck = || {
        let wrong = "error: the sail is wet";
        (0..3).fold(Talk::default().person("hoist the sail"), |talk, _| {
            talk.runs("hoist main", Outcome::Failed, wrong)
        })
    };
    let remedy = |talk: Talk| {
        let found = talk.sensed().into_iter().find(|one| one.signal_type == SignalType::Struggle);
        found.expect("a struggle").remedy
    };
    let dried = Some("Run `dry sails` first.");
    let by_calls = stuck().runs("dry sails", Outcome::Done, "").runs("hoist main", Outcome::Done, "");
    assert_eq!(remedy(by_calls).as_deref(), dried);
    let by_agent = stuck().agent("Found it: they were wet. After `dry sails` everything works.");
    assert_eq!(remedy(by_agent).as_deref(), dried);
    let by_person = stuck().person("I said it already: `dry sails` first.");
    assert_eq!(remedy(by_person).as_deref(), dried);
    assert_eq!(remedy(stuck().agent("After `Sail::dry()` it works.")), None, "that is no command");
    assert_eq!(remedy(stuck().agent("I give up.")), None);
}

/// A second way of calling it made two troubles of one, and a host behind `-h` was taken for a call for help.
#[test]
fn one_trouble_is_known_by_its_error_whatever_the_options() {
    let wrong = "error: no entry for the ferry at this pier";
    let talk = Talk::default()
        .person("count the crates")
        .runs("tally -h pier -c 'all crates'", Outcome::Failed, wrong)
        .runs("tally -h pier -f crates.txt", Outcome::Failed, wrong)
        .runs("tally -h pier -c 'all crates'", Outcome::Failed, wrong)
        .runs("tools/gangway.sh", Outcome::Done, "down")
        .runs("tally -h quay -c 'all crates'", Outcome::Done, "40");
    let found = talk.sensed().into_iter().find(|one| one.signal_type == SignalType::Struggle);
    let found = found.expect("a struggle");
    assert!(found.title.contains("failed 3 times"), "{}", found.title);
    assert_eq!(
        found.remedy.as_deref(),
        Some("Run `tools/gangway.sh` first, then `tally -h quay -c` instead of `tally -h pier -c`.")
    );
    assert_eq!(found.subject, "tally pier: error: no entry for the ferry at this pier");
}

/// The title said three, the description two, and it had been four.
#[test]
fn what_is_told_is_the_whole_number() {
    let failing = |times: usize| {
        let talk = Talk::default().person("build the boat");
        (0..times)
            .fold(talk, |talk, _| talk.runs("make hull", Outcome::Failed, "error: the tar is missing"))
            .sensed()
    };
    for times in [3, 4, 7] {
        let found = failing(times);
        assert_eq!(found.len(), 1, "{found:?}");
        let said = format!("`make hull` failed {times} times in the same way: error: the tar is missing");
        assert_eq!((found[0].title.clone(), found[0].happened.clone()), (said.clone(), format!("{said}.")));
        assert!(found[0].why.iter().all(|why| why.contains(&format!("{times} times"))), "{found:?}");
    }
}
