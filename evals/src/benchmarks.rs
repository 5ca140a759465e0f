//! The page of figures: every bar, met or not, and every suite with when, where and on what it was measured.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::{Map, Value};

use crate::bars::{Bar, Bars};
use crate::report::FORMS;
use crate::results::Outcome;

/// Writes the page as Markdown.
pub(crate) fn page(bars: &Bars, results: &BTreeMap<String, Outcome>) -> String {
    let mut out = String::from(
        "# Benchmarks\n\n\
         Written by `lore-evals report` from results of `lore-evals SUITE --results DIR`; the bars are those of\n\
         `evals/thresholds.toml`. The data are public transcripts of real projects with labels by hand; they are\n\
         not part of this repository. A share over projects is given as mean, worst (projects with at least 15\n\
         labels) and pooled. \"Not run\" means that no result was there, not that the bar is met.\n\n",
    );
    let met: Vec<(&Bar, (&str, String))> =
        bars.bar.iter().map(|bar| (bar, bar.met(results.get(&bar.suite)).words())).collect();
    let count = |word: &str| met.iter().filter(|(_, (own, _))| *own == word).count();
    let _ = writeln!(
        out,
        "## Bars\n\n{} met, {} not met, {} not run.\n\n| suite | figure | bar | measured | |\n|---|---|---|---|---|",
        count("met"),
        count("not met"),
        count("not run")
    );
    for (bar, (word, value)) in &met {
        let _ = writeln!(out, "| {} | {} | {} | {value} | {word} |", bar.suite, bar.figure, bar.words());
    }
    for outcome in results.values() {
        suite(outcome, &mut out);
    }
    out
}

fn suite(outcome: &Outcome, out: &mut String) {
    let _ = writeln!(out, "\n## {}\n", outcome.suite);
    let told = [
        ("measured", &outcome.date),
        ("commit", &outcome.commit),
        ("machine", &outcome.machine),
        ("data", &outcome.data),
    ];
    let told = told.iter().filter(|(_, value)| !value.is_empty());
    let mut told: Vec<String> = told.map(|(name, value)| format!("{name} {value}")).collect();
    let left_out = outcome.figures.get("left_out").and_then(Value::as_array);
    if let Some(names) = left_out.filter(|names| !names.is_empty()) {
        told.push(format!("{} projects left out", names.len()));
    }
    if !told.is_empty() {
        let _ = writeln!(out, "{}\n", told.join(" · "));
    }
    let _ = writeln!(out, "| figure | value | mean | worst | pooled | cases |\n|---|---|---|---|---|---|");
    for (name, value) in &outcome.figures {
        let is_form = name
            .rsplit_once('.')
            .is_some_and(|(of, form)| FORMS.contains(&form) && outcome.figures.contains_key(of));
        if is_form || !is_plain(value) {
            continue;
        }
        let form = |form: &str| outcome.figures.get(&format!("{name}.{form}")).map(shown).unwrap_or_default();
        let cases = match (form("n"), form("of")) {
            (n, of) if !n.is_empty() && !of.is_empty() => format!("{n} of {of}"),
            _ => String::new(),
        };
        let _ = writeln!(
            out,
            "| {name} | {} | {} | {} | {} | {cases} |",
            shown(value),
            form("mean"),
            form("worst"),
            form("pooled")
        );
    }
    projects(&outcome.figures, out);
}

/// Shows single projects by number: what they are called does not matter here.
fn projects(figures: &Map<String, Value>, out: &mut String) {
    let Some(Value::Object(projects)) = figures.get("projects") else { return };
    let mut names: Vec<&String> = Vec::new();
    for row in projects.values().filter_map(Value::as_object) {
        names.extend(row.iter().filter(|(_, value)| value.is_number()).map(|(name, _)| name));
    }
    names.sort();
    names.dedup();
    if names.is_empty() {
        return;
    }
    let heads: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
    let _ = writeln!(out, "\n| project | {} |\n|---|{}", heads.join(" | "), "---|".repeat(names.len()));
    for (at, row) in projects.values().filter_map(Value::as_object).enumerate() {
        let cells: Vec<String> =
            names.iter().map(|name| row.get(*name).map(shown).unwrap_or_default()).collect();
        let _ = writeln!(out, "| {} | {} |", at + 1, cells.join(" | "));
    }
}

fn is_plain(value: &Value) -> bool {
    matches!(value, Value::Number(_) | Value::Bool(_))
}

fn shown(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_shows_every_bar_and_any_suite() {
        let Value::Object(figures) = serde_json::json!({
            "right": 0.5, "right.mean": 0.5, "right.n": 1, "right.of": 2, "left_out": ["a"],
            "projects": {"kiln": {"right": 0.5, "right.n": "1 of 2"}},
        }) else {
            unreachable!("is an object")
        };
        let outcome = Outcome {
            suite: "pottery".to_owned(),
            date: "2026-03-01".to_owned(),
            commit: "abc".to_owned(),
            machine: String::new(),
            data: String::new(),
            figures,
        };
        let bars = Bars::shipped().expect("is right");
        let page = page(&bars, &BTreeMap::from([("pottery".to_owned(), outcome)]));
        assert!(page.contains(&format!("0 met, 0 not met, {} not run", bars.bar.len())), "{page}");
        assert!(
            page.contains("## pottery\n\nmeasured 2026-03-01 · commit abc · 1 projects left out"),
            "{page}"
        );
        assert!(page.contains("| right | 0.5 | 0.5 |  |  | 1 of 2 |"), "{page}");
        assert!(page.contains("| 1 | 0.5 |") && !page.contains("kiln"), "{page}");
    }
}
