//! Cline, Roo Code and Kilo Code: a folder for each task, with what the model and the person saw.
//!
//! `api_conversation_history.json` holds the messages as the model had them and is read first;
//! `ui_messages.json` beside it knows the times, and stands in where the first is missing.

mod history;
mod markup;
mod screen;

use std::path::Path;

use lore_core::Session;

use crate::conversation::Conversation;
use crate::json::{document, head_begins, parse_document};
use crate::{Input, Location, Places, ReadError, Reader};

const HISTORY: &str = "api_conversation_history.json";
const SCREEN: &str = "ui_messages.json";

/// Folders of the extensions within an editor's storage.
const EXTENSIONS: &[(&str, &str)] = &[
    ("saoudrizwan.claude-dev", "cline"),
    ("rooveterinaryinc.roo-cline", "roo"),
    ("kilocode.kilo-code", "kilo"),
];

/// Editors that the extensions run in.
const EDITORS: &[&str] = &["Code", "Code - Insiders", "VSCodium", "Cursor", "Windsurf"];

/// Reads the tasks of Cline and its relatives.
pub(super) struct Cline;

impl Reader for Cline {
    fn agent(&self) -> &'static str {
        "cline"
    }

    fn recognises(&self, path: &Path, head: &[u8]) -> bool {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let begins = head_begins(head, b'[');
        // The screen is read together with the history.
        begins && (name == HISTORY || (name == SCREEN && !path.with_file_name(HISTORY).exists()))
    }

    fn read(&self, input: &Input<'_>, sink: &mut dyn FnMut(Session)) -> Result<(), ReadError> {
        let folder =
            input.path.parent().and_then(Path::file_name).map(|name| name.to_string_lossy().into_owned());
        let mut talk = Conversation::new(input, variant_of(input.path), &folder.unwrap_or_default());
        let (content, findings) = document(input)?;
        let is_screen = input.path.file_name().is_some_and(|name| name == SCREEN);
        if is_screen {
            screen::read(&mut talk, &content);
        } else {
            if !input.is_detached() {
                let text = std::fs::read_to_string(input.path.with_file_name(SCREEN)).unwrap_or_default();
                screen::times(&mut talk, &parse_document(&text, "").0);
            }
            history::read(&mut talk, &content);
        }
        if talk.len() > 0 || !findings.is_empty() {
            talk.draft.add_diagnostics(findings);
            sink(talk.finish());
        }
        Ok(())
    }

    fn locations(&self, places: &Places) -> Vec<Location> {
        let mut found = Vec::new();
        for folder in places.application_folders() {
            for editor in EDITORS {
                for (extension, _) in EXTENSIONS {
                    let tasks = folder.join(editor).join("User/globalStorage").join(extension).join("tasks");
                    found.push(Location::folder(tasks, 1, &[HISTORY, SCREEN]));
                }
            }
        }
        let cline = places.folder("CLINE_DIR", ".cline");
        found.push(Location::folder(cline.join("data/tasks"), 1, &[HISTORY, SCREEN]));
        found
    }
}

/// Tells which of the relatives wrote a file.
fn variant_of(path: &Path) -> &'static str {
    let found = path.iter().find_map(|part| EXTENSIONS.iter().find(|(folder, _)| part == *folder));
    found.map_or("cline", |(_, name)| name)
}
