//! Figures by name, in the order they were taken.

use std::fmt::Write as _;

use serde_json::{Map, Value};

/// What a suite measured.
#[derive(Debug, Default)]
pub(crate) struct Report {
    figures: Map<String, Value>,
}

impl Report {
    /// Adds a figure.
    pub(crate) fn set(&mut self, name: &str, value: impl Into<Value>) {
        self.figures.insert(name.to_owned(), value.into());
    }

    /// Adds a figure between 0 and 1, or a time, rounded so that reports can be read and compared.
    pub(crate) fn set_number(&mut self, name: &str, value: f64) {
        let rounded = (value * 10_000.0).round() / 10_000.0;
        self.set(name, serde_json::Number::from_f64(rounded).map_or(Value::Null, Value::Number));
    }

    /// Prints one JSON object.
    pub(crate) fn to_json(&self) -> String {
        Value::Object(self.figures.clone()).to_string()
    }

    /// Prints a line per figure.
    pub(crate) fn to_table(&self) -> String {
        let mut out = String::new();
        table("", &self.figures, &mut out);
        out
    }
}

fn table(prefix: &str, figures: &Map<String, Value>, out: &mut String) {
    for (name, value) in figures {
        match value {
            Value::Object(inner) => table(&format!("{prefix}{name}."), inner, out),
            _ => {
                let _ = writeln!(out, "{:<44} {value}", format!("{prefix}{name}"));
            }
        }
    }
}
