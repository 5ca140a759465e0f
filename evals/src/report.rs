//! Figures by name, in the order they were taken.

use std::fmt::Write as _;

use serde_json::{Map, Value};

/// What a suite measured.
#[derive(Debug, Default)]
pub(crate) struct Report {
    figures: Map<String, Value>,
}

/// The forms in which a share over several projects is given beside its bare name.
pub(crate) const FORMS: [&str; 6] = ["mean", "worst", "worst_project", "pooled", "n", "of"];

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

    /// Returns all figures.
    pub(crate) fn figures(&self) -> &Map<String, Value> {
        &self.figures
    }

    /// Prints one JSON object.
    pub(crate) fn to_json(&self) -> String {
        Value::Object(self.figures.clone()).to_string()
    }

    /// Prints a line per figure, with its forms beside it.
    pub(crate) fn to_table(&self) -> String {
        let mut out = String::new();
        table("", &self.figures, &mut out);
        out
    }
}

fn table(prefix: &str, figures: &Map<String, Value>, out: &mut String) {
    for (name, value) in figures {
        let is_form = name.rsplit_once('.').is_some_and(|(of, form)| {
            FORMS.contains(&form) && figures.get(of).is_some_and(|figure| !figure.is_object())
        });
        match value {
            Value::Object(inner) => table(&format!("{prefix}{name}."), inner, out),
            _ if is_form => {}
            _ => {
                let _ = write!(out, "{:<44} {:<8}", format!("{prefix}{name}"), shown(value));
                for form in FORMS {
                    if let Some(value) = figures.get(&format!("{name}.{form}")) {
                        let _ = write!(out, " {form} {}", shown(value));
                    }
                }
                while out.ends_with(' ') {
                    out.pop();
                }
                out.push('\n');
            }
        }
    }
}

fn shown(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_stand_beside_their_figure_and_other_names_stand_alone() {
        let mut report = Report::default();
        report.set_number("junk", 0.25);
        report.set_number("junk.mean", 0.25);
        report.set("junk.n", 1);
        report.set("count.n", 3);
        let table = report.to_table();
        let lines: Vec<Vec<&str>> = table.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines, [vec!["junk", "0.25", "mean", "0.25", "n", "1"], vec!["count.n", "3"]]);
    }
}
