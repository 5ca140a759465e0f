//! Results on disk: what a suite printed, with when, where and on what it was measured.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::context::Failure;

/// What one run of a suite left.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Outcome {
    pub(crate) suite: String,
    /// The day of the run; empty where the file does not say.
    #[serde(default)]
    pub(crate) date: String,
    #[serde(default)]
    pub(crate) commit: String,
    #[serde(default)]
    pub(crate) machine: String,
    #[serde(default)]
    pub(crate) data: String,
    pub(crate) figures: Map<String, Value>,
}

impl Outcome {
    /// Notes a run of today on this machine.
    pub(crate) fn now(suite: &str, data: &Path, figures: Map<String, Value>) -> Outcome {
        let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let build = if cfg!(debug_assertions) { "debug" } else { "release" };
        Outcome {
            suite: suite.to_owned(),
            date: jiff::Timestamp::now().strftime("%Y-%m-%d").to_string(),
            commit: commit(),
            machine: format!(
                "{} {}, {cores} cores, {build} build",
                std::env::consts::OS,
                std::env::consts::ARCH
            ),
            data: digest(data),
            figures,
        }
    }

    /// Returns a figure as a number: truths are 0 or 1, lists count what they hold.
    pub(crate) fn number(&self, name: &str) -> Option<f64> {
        let value = self.figures.get(name).or_else(|| {
            let (outer, inner) = name.split_once('.')?;
            self.figures.get(outer)?.as_object()?.get(inner)
        })?;
        #[allow(clippy::cast_precision_loss, reason = "lists are short")]
        match value {
            Value::Number(number) => number.as_f64(),
            Value::Bool(holds) => Some(f64::from(u8::from(*holds))),
            Value::Array(list) => Some(list.len() as f64),
            _ => None,
        }
    }

    /// Writes it beside the others.
    pub(crate) fn save(&self, folder: &Path) -> Result<(), Failure> {
        std::fs::create_dir_all(folder)?;
        let text = serde_json::to_string_pretty(self)?;
        Ok(std::fs::write(folder.join(format!("{}.json", self.suite)), text + "\n")?)
    }
}

/// Reads every result of a folder; a file may also hold bare figures, as a suite prints them.
pub(crate) fn read(folder: &Path) -> Result<BTreeMap<String, Outcome>, Failure> {
    let mut found = BTreeMap::new();
    for file in std::fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let path = file?.path();
        let Some(suite) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".json")) else {
            continue;
        };
        let text = std::fs::read_to_string(&path)?;
        found.insert(suite.to_owned(), parse(suite, &text).map_err(|e| format!("{}: {e}", path.display()))?);
    }
    Ok(found)
}

fn parse(suite: &str, text: &str) -> Result<Outcome, Failure> {
    let value: Value = serde_json::from_str(text)?;
    if value.get("figures").is_some_and(Value::is_object) && value.get("suite").is_some() {
        return Ok(serde_json::from_value(value)?);
    }
    let Value::Object(figures) = value else { return Err("it holds no figures".into()) };
    let empty = String::new;
    Ok(Outcome {
        suite: suite.to_owned(),
        date: empty(),
        commit: empty(),
        machine: empty(),
        data: empty(),
        figures,
    })
}

fn commit() -> String {
    let git = |arguments: &[&str]| {
        let done = Command::new("git").args(arguments).output().ok().filter(|done| done.status.success())?;
        Some(String::from_utf8_lossy(&done.stdout).trim().to_owned())
    };
    let changed = git(&["status", "--porcelain", "-uno"]).is_some_and(|said| !said.is_empty());
    let commit = git(&["rev-parse", "--short=10", "HEAD"]).unwrap_or_default();
    if changed { format!("{commit} with changes") } else { commit }
}

/// Names data by what it holds and not by where it lies: the labels' sizes.
fn digest(data: &Path) -> String {
    let mut known = Vec::new();
    for folder in ["gold", "judged", "plain", "ground", "retrieval"] {
        let files = std::fs::read_dir(data.join(folder)).into_iter().flatten().flatten();
        let mut sizes: Vec<(std::ffi::OsString, u64)> =
            files.filter_map(|file| Some((file.file_name(), file.metadata().ok()?.len()))).collect();
        sizes.sort();
        known.push((folder, sizes));
    }
    let hash = lore_core::ContentHash::of(format!("{known:?}").as_bytes());
    hash.as_str().chars().take(10).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_with_or_without_their_circumstances() {
        let bare = parse("base", r#"{"junk": 0.25}"#).expect("has figures");
        assert_eq!((bare.suite.as_str(), bare.number("junk")), ("base", Some(0.25)));
        let folder = tempfile::tempdir().expect("there is a place for it");
        Outcome { date: "2026-03-01".to_owned(), ..bare }.save(folder.path()).expect("writes");
        let read = read(folder.path()).expect("reads");
        assert_eq!(read["base"].date, "2026-03-01");
        assert_eq!(read["base"].number("junk"), Some(0.25));
        assert!(parse("base", "[]").is_err());
    }

    #[test]
    fn lists_and_truths_are_numbers_too() {
        let text = r#"{"below": ["a", "b"], "right": true, "by": {"en": 0.5}, "name": "x"}"#;
        let outcome = parse("x", text).expect("has figures");
        let check = |name: &str, expected| assert_eq!(outcome.number(name), expected, "{name}");
        check("below", Some(2.0));
        check("right", Some(1.0));
        check("by.en", Some(0.5));
        check("name", None);
        check("missing", None);
    }
}
