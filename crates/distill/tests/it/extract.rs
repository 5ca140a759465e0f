//! Sessions in, candidates out.

use lore_core::session::{Author, Channel, FileAction, FileTouch, Outcome, Session, ToolCall, Turn};
use lore_core::{Candidate, Voice};
use lore_distill::extract::extract;
use proptest::prelude::*;

fn person(line: u32, text: &str) -> Turn {
    Turn::prose(Author::Person, Channel::Prompt, line, text)
}

fn agent(line: u32, text: &str) -> Turn {
    Turn::prose(Author::Agent, Channel::Reply, line, text)
}

fn call(line: u32, command: Option<&str>, edited: &[&str]) -> ToolCall {
    let touch = |path: &&str| FileTouch { path: (*path).to_owned(), action: FileAction::Edit };
    ToolCall {
        id: None,
        name: "tool".to_owned(),
        line,
        result_line: Some(line + 1),
        arguments: edited.join(" "),
        command: command.map(str::to_owned),
        outcome: Outcome::Done,
        output: String::new(),
        files: edited.iter().map(touch).collect(),
    }
}

fn working(line: u32, text: &str, calls: Vec<ToolCall>) -> Turn {
    Turn { tool_calls: calls, ..agent(line, text) }
}

fn candidates(turns: Vec<Turn>) -> Vec<Candidate> {
    extract(&Session { turns, agent: "test".to_owned(), ..Session::default() })
}

#[track_caller]
fn entry<'a>(found: &'a [Candidate], words: &str) -> &'a Candidate {
    let texts: Vec<&str> = found.iter().map(|one| one.text.as_str()).collect();
    found
        .iter()
        .find(|one| one.text.contains(words))
        .unwrap_or_else(|| panic!("`{words}` is not in {texts:#?}"))
}

#[test]
fn a_decision_of_a_person_outweighs_narration() {
    let found = candidates(vec![
        person(1, "let's store the queue in `queue.db` instead of a text file, we need to query it"),
        working(2, "Let me look at the queue code first.", vec![call(2, None, &[])]),
        working(
            4,
            "Good, only one caller. Now I'll change it.",
            vec![call(4, None, &["src/queue.rs", "queue.db"])],
        ),
        agent(6, "Done. The queue is now stored in `queue.db` instead of a text file."),
    ]);
    let decision = entry(&found, "queue.db");
    assert!(decision.is_entry(), "{decision:#?}");
    assert!(found.iter().all(|one| !one.text.contains("Let me look")));
    let caller = found.iter().find(|one| one.text.contains("only one caller"));
    assert!(caller.is_none_or(|caller| !caller.is_entry()));
    assert!(!decision.features.is_empty());
}

#[test]
fn a_number_stands_for_the_option_it_picks() {
    let menu = "There are three options:\n1. **Prompt** - ask at the first start\n2. **Flag** - a `--quiet` flag\n3. **Setting** - a `notify` key in the settings file\n\nWhich way should users turn the notices off?";
    let found = candidates(vec![
        person(1, "how could users turn the notices off?"),
        agent(2, menu),
        person(3, "3, but enabled by default"),
        working(4, "I'll add it.", vec![call(4, None, &["src/settings.rs"])]),
    ]);
    let chosen = entry(&found, "enabled by default");
    assert!(chosen.text.contains("`notify` key in the settings file"), "{}", chosen.text);
    assert_eq!(chosen.evidence[0].line, 3);
    assert_eq!(chosen.evidence[0].voice, Voice::Person);
    assert!(chosen.evidence.iter().any(|evidence| evidence.line == 2 && evidence.voice == Voice::Agent));
    assert!(
        found.iter().all(|one| !one.text.contains("ask at the first start")),
        "options nobody chose are left out"
    );
}

#[test]
fn an_answer_is_told_with_its_question() {
    let answer = Turn::prose(
        Author::Person,
        Channel::Answer,
        5,
        "Where should the cache live?\n→ In the project folder",
    );
    let found = candidates(vec![person(1, "add a cache"), agent(3, "One question first."), answer]);
    let told = entry(&found, "In the project folder");
    assert!(told.text.contains("Where should the cache live?"), "{}", told.text);
}

#[test]
fn a_commit_message_is_read() {
    let command = "git commit -m \"Retry uploads twice\n\nThe storage service drops every tenth connection, so uploads are retried twice before they fail.\"";
    let found = candidates(vec![
        person(1, "make uploads more robust"),
        working(2, "", vec![call(2, None, &["src/upload.rs"]), call(3, Some(command), &[])]),
    ]);
    let told = entry(&found, "retried twice");
    assert_eq!(told.evidence[0].line, 3);
}

#[test]
fn what_is_taken_back_weighs_less() {
    let report = "Added a hard limit of 80 characters for the title column.";
    let kept =
        candidates(vec![person(1, "titles are too long in the list"), agent(2, report), person(3, "thanks")]);
    let opposed = candidates(vec![
        person(1, "titles are too long in the list"),
        agent(2, report),
        person(3, "no, remove the hard limit of 80 characters for the title column again"),
        agent(4, "Removed the hard limit for the title column."),
    ]);
    let weight = |found: &[Candidate]| entry(found, "Added a hard limit").weight;
    let taken_back =
        opposed.iter().find(|one| one.text.contains("Added a hard limit")).map_or(0.0, |one| one.weight);
    assert!(taken_back < weight(&kept));
}

#[test]
fn summaries_and_injected_text_are_nobodys_words() {
    let summary =
        Turn::prose(Author::System, Channel::Summary, 1, "We decided to use `sqlite` for all state.");
    let skill = Turn::prose(Author::System, Channel::Injected, 2, "Always write the tests first.");
    assert!(candidates(vec![summary, skill]).is_empty());
    assert!(candidates(Vec::new()).is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn any_text_gives_short_titles_and_the_same_result_twice(texts in prop::collection::vec("[ -~\n→`*é]{0,200}", 1..6)) {
        let turns: Vec<Turn> = texts.iter().zip(1..).map(|(text, line)| if line % 2 == 1 { person(line, text) } else { agent(line, text) }).collect();
        let found = candidates(turns.clone());
        for one in &found {
            prop_assert!(one.title.split_whitespace().filter(|word| word.chars().any(char::is_alphanumeric)).count() <= 10, "{}", one.title);
            prop_assert!((0.0..=1.0).contains(&one.weight));
            prop_assert!(!one.evidence.is_empty() && !one.text.is_empty());
        }
        prop_assert_eq!(found, candidates(turns));
    }
}
