//! What a person answered when the agent put questions through a tool.

use serde_json::Value;

use crate::json::Fields;

/// The tools by which agents put questions to a person, by their whole names: a server's tool may
/// well begin like one.
pub(crate) const QUESTIONERS: &[&str] = &[
    "AskUserQuestion",
    "ask_question",
    "ask_questions",
    "ask_user",
    "ask_user_question",
    "askQuestion",
    "askQuestions",
    "question",
    "request_user_input",
];

/// Finds the answers in a tool's result, in the forms that agents write them; the labels of chosen
/// options are looked up among the questions.
pub(crate) fn answers_of(questions: &Value, result: &Value) -> Vec<String> {
    let answers = result.get("answers").unwrap_or(&Value::Null);
    let each: Vec<&Value> = match answers {
        Value::Array(items) => items.iter().collect(),
        Value::Object(map) => map.values().collect(),
        _ => Vec::new(),
    };
    let texts = each.into_iter().map(|answer| words_of(questions, answer));
    texts.filter(|text| !text.trim().is_empty()).collect()
}

fn words_of(questions: &Value, answer: &Value) -> String {
    match answer {
        Value::String(text) => text.clone(),
        Value::Array(items) => joined(items.iter().filter_map(Value::as_str)),
        Value::Object(_) => {
            let chosen = answer.list("selectedOptionIds").iter().filter_map(Value::as_str);
            let labels = chosen.map(|id| label_of(questions, id, 0).unwrap_or(id));
            let given = answer.list("answers").iter().filter_map(Value::as_str);
            let typed = ["freeformText", "answer", "text"].iter().filter_map(|key| answer.text(key));
            joined(labels.chain(given).chain(typed))
        }
        _ => String::new(),
    }
}

fn joined<'v>(words: impl Iterator<Item = &'v str>) -> String {
    words.filter(|word| !word.trim().is_empty()).collect::<Vec<_>>().join(", ")
}

/// Finds what an option says, however deep it lies.
fn label_of<'v>(questions: &'v Value, id: &str, depth: usize) -> Option<&'v str> {
    if depth > 8 {
        return None;
    }
    match questions {
        Value::Array(items) => items.iter().find_map(|item| label_of(item, id, depth + 1)),
        Value::Object(map) => {
            if questions.text("id") == Some(id)
                && let Some(label) = questions.text("label")
            {
                return Some(label);
            }
            map.values().find_map(|item| label_of(item, id, depth + 1))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn answers_of_every_form_are_found() {
        let questions =
            json!({"questions": [{"id": "q", "options": [{"id": "a", "label": "the small one"}]}]});
        let check = |result: Value, expected: &[&str]| {
            assert_eq!(answers_of(&questions, &result), expected, "{result}");
        };
        check(
            json!({"answers": {"store": {"answers": ["SQLite", "keep it small"]}}}),
            &["SQLite, keep it small"],
        );
        check(json!({"answers": {"0": "No", "1": "  "}}), &["No"]);
        check(json!({"answers": [["Yes", "both"], []]}), &["Yes, both"]);
        check(json!({"answers": [{"selectedOptionIds": ["a"], "freeformText": ""}]}), &["the small one"]);
        check(json!({"answers": [{"selectedOptionIds": ["z"], "freeformText": "or none"}]}), &["z, or none"]);
        check(json!({"answers": 7}), &[]);
        check(json!("text"), &[]);
    }
}
