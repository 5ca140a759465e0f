//! The form of an answer to a packet, as `curate_submit` describes it: the published one, read by the same reader as
//! every other answer, so that whatever a packet asks for can be handed in.

use lore_engine::curator::answer_form;
use schemars::{Schema, SchemaGenerator};
use serde_json::Value;

/// What models read beside each field of an edit.
const ABOUT: [(&str, &str); 12] = [
    ("n", "Only to say an edit again: the number it had."),
    ("op", "What the edit does, as the packet explains it."),
    ("risk", "In five words, what somebody new would get wrong without it."),
    ("entry", "The entry it is about, such as e3; left out for a new one."),
    ("kind", "With new and supersedes."),
    ("title", "At most ten words; with new and supersedes."),
    ("text", "One to three sentences that stand alone and say only what the lines say."),
    ("reason", "Why it is so, in the words of the lines."),
    ("lines", "The numbers of all lines it rests on."),
    ("decided_by", "Who decided; left out, it is seen in the lines."),
    ("was", "What the session first said or did and then gave up, with its lines."),
    ("scope", "project, or person for what holds wherever this person works."),
];

/// What the published form has room for and nobody takes yet: offered, it would be asked for in vain.
const NOT_TAKEN: &str = "split";

/// Describes the edits.
pub(super) fn edits(_: &mut SchemaGenerator) -> Schema {
    let mut form = part("edits");
    let fields = &mut form["items"]["properties"];
    if let Some(ops) = fields["op"]["enum"].as_array_mut() {
        ops.retain(|op| op != NOT_TAKEN);
    }
    for (name, about) in ABOUT {
        if let Some(field) = form["items"]["properties"].get_mut(name) {
            field["description"] = about.into();
        }
    }
    schema(form, "The edits, as the packet asks for them. Each is checked alone; none is a fine answer.")
}

/// Describes the questions.
pub(super) fn unsure(_: &mut SchemaGenerator) -> Schema {
    schema(part("unsure"), "What you would ask a person; at most three.")
}

/// Describes what a second look says.
pub(super) fn looks(_: &mut SchemaGenerator) -> Schema {
    let about = "Only with the second hand-in, where `ask` shows claims: for each claim by its number whether its \
        lines say it; partly with the claim again, without what they do not say.";
    schema(part("looks"), about)
}

fn part(name: &str) -> Value {
    let mut form = answer_form();
    form["properties"][name].take()
}

fn schema(mut form: Value, about: &str) -> Schema {
    form["description"] = about.into();
    Schema::try_from(form).unwrap_or_default()
}

/// Leaves out of edits what says nothing: many clients fill every field that a schema names.
pub(super) fn said(mut edits: Vec<Value>) -> Vec<Value> {
    for fields in edits.iter_mut().filter_map(Value::as_object_mut) {
        fields.retain(|name, value| match value {
            Value::Null => false,
            Value::String(text) => !text.trim().is_empty(),
            Value::Number(number) => name != "n" || number.as_u64() != Some(0),
            Value::Object(was) => {
                name != "was"
                    || was
                        .get("text")
                        .is_none_or(|text| text.as_str().is_none_or(|text| !text.trim().is_empty()))
            }
            _ => true,
        });
    }
    edits
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_field_of_an_edit_is_explained() {
        let form = part("edits");
        let known = form["items"]["properties"].as_object().unwrap();
        let mut named: Vec<&str> = ABOUT.iter().map(|(name, _)| *name).collect();
        named.sort_unstable();
        assert_eq!(
            known.keys().map(String::as_str).collect::<std::collections::BTreeSet<_>>(),
            named.into_iter().collect()
        );
    }

    #[test]
    fn only_what_is_taken_is_offered() {
        let offered = edits(&mut SchemaGenerator::default()).to_value().to_string();
        assert!(offered.contains("supersedes") && !offered.contains(NOT_TAKEN), "{offered}");
    }

    #[test]
    fn what_says_nothing_is_left_out() {
        let full = json!({ "n": 0, "op": "new", "entry": "", "reason": null, "was": { "text": " ", "lines": [] },
            "risk": "x", "lines": [4] });
        assert_eq!(
            said(vec![full, json!("new")]),
            [json!({ "op": "new", "risk": "x", "lines": [4] }), json!("new")]
        );
        let was = json!({ "n": 2, "op": "new", "was": { "text": "x" }, "lines": [] });
        assert_eq!(said(vec![was.clone()]), [was]);
    }
}
