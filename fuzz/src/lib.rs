//! What the fuzz targets of the readers share.

use std::path::Path;

use lore_capture::{HEAD, Input, ReadOptions, readers};

/// Gives bytes to one agent's reader under each name that its files may have.
///
/// Content never makes a reader panic or fail, and no turn is empty.
pub fn read(agent: &str, names: &[&str], bytes: &[u8]) {
    // Databases are SQLite's to parse, and need a file of their own.
    if bytes.starts_with(b"SQLite format 3\0") {
        return;
    }
    let options = ReadOptions::default();
    let reader = readers().iter().find(|reader| reader.agent() == agent).expect("is registered");
    for name in names {
        let path = Path::new(name);
        reader.recognises(path, &bytes[..bytes.len().min(HEAD)]);
        let input = Input::bytes(path, bytes, &options);
        let outcome = reader.read(&input, &mut |session| {
            for turn in &session.turns {
                assert!(turn.line() > 0, "every turn has its place");
                assert!(turn.blocks.iter().all(|block| !block.text.trim().is_empty()));
            }
        });
        outcome.expect("content is never an error");
    }
}
