//! What is kept of a session when only the conversation is wanted.

use lore_capture::{Input, Keep, ReadOptions, Reader};
use lore_core::Session;
use lore_core::session::{FileAction, ToolCall};

use crate::support::cases;

fn read(reader: &dyn Reader, input: &Input<'_>) -> Vec<Session> {
    let mut sessions = Vec::new();
    reader.read(input, &mut |session| sessions.push(session)).expect("content is no error");
    sessions
}

fn changes_files(call: &ToolCall) -> bool {
    call.files.iter().any(|touch| touch.action != FileAction::Read)
}

#[test]
fn the_conversation_is_everything_but_what_tools_said() {
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
                call.output.clear();
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
