//! A value of front matter as it stands in the file: text first, meaning later.

use serde_json::{Map, Number, Value};

/// One YAML value. Scalars keep their text, so that `1.10` stays a version.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) enum Node {
    /// Nothing, `~` or `null`.
    #[default]
    Null,
    /// A word, number or date without quotes.
    Plain(String),
    /// Text: in quotes or in a block.
    Text(String),
    /// A list.
    List(Vec<Node>),
    /// A mapping, in its order; of equal keys the last one counts.
    Map(Vec<(String, Node)>),
}

impl Node {
    /// Returns the text of a scalar.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Node::Plain(text) | Node::Text(text) => Some(text),
            _ => None,
        }
    }

    /// Finds a key of a mapping.
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        match self {
            Node::Map(pairs) => pairs.iter().rev().find(|(name, _)| name == key).map(|(_, node)| node),
            _ => None,
        }
    }

    /// Tells whether there is nothing in it.
    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Node::Null => true,
            Node::Plain(text) | Node::Text(text) => text.trim().is_empty(),
            Node::List(items) => items.is_empty(),
            Node::Map(pairs) => pairs.is_empty(),
        }
    }

    /// Names the sort of value in a diagnostic.
    pub(crate) fn sort(&self) -> &'static str {
        match self {
            Node::Null => "nothing",
            Node::Plain(_) | Node::Text(_) => "a text",
            Node::List(_) => "a list",
            Node::Map(_) => "a mapping",
        }
    }

    /// Counts the values in it, itself included.
    pub(crate) fn size(&self) -> usize {
        match self {
            Node::List(items) => 1 + items.iter().map(Node::size).sum::<usize>(),
            Node::Map(pairs) => 1 + pairs.iter().map(|(_, node)| node.size()).sum::<usize>(),
            _ => 1,
        }
    }

    /// Turns it into JSON. A number that would not print back the same stays text.
    pub(crate) fn to_json(&self) -> Value {
        match self {
            Node::Null => Value::Null,
            Node::Text(text) => Value::String(text.clone()),
            Node::Plain(text) => match text.as_str() {
                "true" => Value::Bool(true),
                "false" => Value::Bool(false),
                _ => number(text).map_or_else(|| Value::String(text.clone()), Value::Number),
            },
            Node::List(items) => Value::Array(items.iter().map(Node::to_json).collect()),
            Node::Map(pairs) => {
                let map: Map<String, Value> =
                    pairs.iter().map(|(key, node)| (key.clone(), node.to_json())).collect();
                Value::Object(map)
            }
        }
    }

    /// Makes the value that JSON stands for.
    pub(crate) fn from_json(value: &Value) -> Node {
        match value {
            Value::Null => Node::Null,
            Value::Bool(flag) => Node::Plain(flag.to_string()),
            Value::Number(number) => Node::Plain(number.to_string()),
            Value::String(text) => Node::Text(text.clone()),
            Value::Array(items) => Node::List(items.iter().map(Node::from_json).collect()),
            Value::Object(map) => {
                Node::Map(map.iter().map(|(key, value)| (key.clone(), Node::from_json(value))).collect())
            }
        }
    }
}

fn number(text: &str) -> Option<Number> {
    if !text.starts_with(|c: char| c.is_ascii_digit() || c == '-') {
        return None;
    }
    let whole = text.parse::<i64>().ok().map(Number::from);
    let found = whole.or_else(|| text.parse::<f64>().ok().and_then(Number::from_f64))?;
    (found.to_string() == text).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_do_not_print_back_stay_text() {
        let check = |text: &str, json: &str| {
            assert_eq!(Node::Plain(text.to_owned()).to_json().to_string(), json, "{text}");
        };
        check("12", "12");
        check("-0.5", "-0.5");
        check("1.10", "\"1.10\"");
        check("007", "\"007\"");
        check("1e3", "\"1e3\"");
        check("true", "true");
        check("yes", "\"yes\"");
        check("99999999999999999999", "\"99999999999999999999\"");
    }
}
