//! What is kept of a session when only the conversation is wanted.

use lore_capture::{Input, Keep, ReadOptions, Reader};
use lore_core::session::{FileAction, Outcome, ToolCall};
use lore_core::{Session, command};

use crate::support::{cases, fixture};

fn read(reader: &dyn Reader, input: &Input<'_>) -> Vec<Session> {
    let mut sessions = Vec::new();
    reader.read(input, &mut |session| sessions.push(session)).expect("content is no error");
    sessions
}

fn changes_files(call: &ToolCall) -> bool {
    call.files.iter().any(|touch| touch.action != FileAction::Read)
}

#[test]
fn the_conversation_is_everything_but_what_tools_said_when_they_worked() {
    let everything = ReadOptions::default();
    let conversation = ReadOptions { keep: Keep::Conversation, ..ReadOptions::default() };
    let (mut outputs, mut edits) = (0, 0);
    for (path, bytes, reader) in cases() {
        let mut expected = read(reader, &Input::bytes(&path, &bytes, &everything));
        let mut found = read(reader, &Input::bytes(&path, &bytes, &conversation));
        for session in &mut expected {
            for call in session.turns.iter_mut().flat_map(|turn| &mut turn.tool_calls) {
                outputs += usize::from(!call.output.is_empty());
                edits += usize::from(changes_files(call));
                // The fixtures' failures, tests and commits are short enough to be kept whole.
                let tells = |line: &String| command::runs_tests(line) || command::makes_commit(line);
                if call.outcome != Outcome::Failed && !call.command.as_ref().is_some_and(tells) {
                    call.output.clear();
                }
                if !changes_files(call) {
                    call.arguments.clear();
                }
            }
        }
        // What is not kept is not redacted either.
        expected.iter_mut().chain(&mut found).for_each(|session| session.redactions = 0);
        assert_eq!(found, expected, "{}", path.display());
    }
    assert!(outputs > 10 && edits > 5, "the fixtures have {outputs} outputs and {edits} edits");
}

#[test]
fn phrases_are_found_in_what_tools_printed_and_nowhere_else() {
    let phrases =
        ["fares::winter ... FAILED".to_owned(), "where do fares live".to_owned(), "no such words".to_owned()];
    let listen = lore_capture::Phrases::new(&phrases).map(std::sync::Arc::new);
    let options = ReadOptions { listen, ..ReadOptions::default() };
    let path = fixture("claude-code/0a11d000-0000-4000-8000-000000000002.jsonl");
    let mut printed = Vec::new();
    lore_capture::read_path(&path, &options, &mut |session| {
        assert!(session.turns.iter().all(|turn| turn.blocks.is_empty()), "nothing else is kept");
        printed.extend(session.printed.iter().map(|hit| (hit.phrase, hit.line)));
    })
    .expect("can be read");
    assert_eq!(printed, [(0, 9), (1, 15)], "the failing test, and the question that a tool put");
}
