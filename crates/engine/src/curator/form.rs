//! The published form of what an editor hands in, for doors that describe their arguments.

use lore_distill::curator::{EDITS_SCHEMA, LOOKS_SCHEMA};
use serde_json::Value;

/// Returns the JSON schema of an answer with all that one may hold: `packet`, `edits`, `unsure`, and `looks` of the
/// second hand-in.
pub fn answer_form() -> Value {
    let read = |text: &str| serde_json::from_str::<Value>(text).unwrap_or_default();
    let mut form = read(EDITS_SCHEMA);
    form["properties"]["looks"] = read(LOOKS_SCHEMA);
    form
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_part_of_an_answer_has_its_form() {
        let form = answer_form();
        for part in ["packet", "edits", "unsure", "looks"] {
            assert!(form["properties"][part]["type"].is_string(), "{part}: {form}");
        }
    }
}
