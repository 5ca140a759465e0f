//! What agents send to their hooks, as files: one for each agent, with places to be filled in.
//!
//! `{session}`, `{project}` and their like stand for what differs from call to call. The tests of the
//! program and the suites that measure it send the same messages.

use serde::Deserialize;
use serde_json::Value;

const FILES: [&str; 8] = [
    include_str!("claude-code.json"),
    include_str!("codex.json"),
    include_str!("gemini.json"),
    include_str!("opencode.json"),
    include_str!("copilot.json"),
    include_str!("cursor.json"),
    include_str!("pi.json"),
    include_str!("goose.json"),
];

/// An agent, as far as its hooks show.
#[derive(Debug, Deserialize)]
pub(crate) struct Caller {
    /// Its short name.
    pub(crate) agent: String,
    /// Where the text for the model stands in a reply.
    pub(crate) text: String,
    /// Where a refusal stands, and the word for it; nothing where it takes none.
    pub(crate) refusal: Option<(String, String)>,
    /// What stands in every message.
    common: Value,
    /// What it calls us with, in the order of a session.
    pub(crate) events: Vec<Call>,
}

/// One sort of call.
#[derive(Debug, Deserialize)]
pub(crate) struct Call {
    /// What happened: start, prompt, read, edit, run, failure, plan, approval, stop, compact, end.
    pub(crate) what: String,
    /// Our word for the event, as it stands in the agent's settings.
    pub(crate) event: String,
    /// Whether the agent shows its model what we reply.
    pub(crate) heard: bool,
    message: Value,
}

/// Lists every agent whose hooks call us.
pub(crate) fn callers() -> Vec<Caller> {
    FILES.iter().map(|text| serde_json::from_str(text).expect("the file is as described")).collect()
}

impl Caller {
    /// Returns the first call of a sort.
    pub(crate) fn call(&self, what: &str) -> Option<&Call> {
        self.events.iter().find(|call| call.what == what)
    }

    /// Writes the message of a call, its places filled in; what has no value is null.
    pub(crate) fn message(&self, call: &Call, values: &[(&str, &str)]) -> Value {
        let mut message = filled(&self.common, values);
        let own = filled(&call.message, values);
        if let (Some(message), Value::Object(own)) = (message.as_object_mut(), own) {
            message.extend(own);
        }
        message
    }
}

fn filled(value: &Value, values: &[(&str, &str)]) -> Value {
    match value {
        Value::String(text) if text == "{transcript}" => values
            .iter()
            .find(|(name, _)| *name == "transcript")
            .map_or(Value::Null, |(_, path)| (*path).into()),
        Value::String(text) => {
            // A text of JSON within JSON needs its quotes.
            let inner = text.starts_with("{\"");
            let fill = |text: String, (name, value): &(&str, &str)| {
                let value = if inner { quoted(value) } else { (*value).to_owned() };
                text.replace(&format!("{{{name}}}"), &value)
            };
            values.iter().fold(text.clone(), fill).into()
        }
        Value::Array(items) => items.iter().map(|item| filled(item, values)).collect(),
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| (name.clone(), filled(value, values))).collect()
        }
        other => other.clone(),
    }
}

fn quoted(value: &str) -> String {
    Value::from(value).to_string().trim_matches('"').to_owned()
}
