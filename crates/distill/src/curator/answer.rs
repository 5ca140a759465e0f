//! Reading an answer: lenient about what stands around the edits, strict about each of them.

use std::collections::BTreeMap;

use lore_core::{DecidedBy, Edit, EditScope, Kind, Op, Was};
use serde_json::{Map, Value};

use super::json::{object_with, objects_of_cut_array};
use crate::article::is_article;

/// So many edits of one answer are read at all.
const EDITS: usize = 60;
/// So much is kept of an edit that could not be read, in characters.
const AS_WRITTEN: usize = 1_500;
/// So many questions for people are kept.
const QUESTIONS: usize = 3;
/// The longest fields, in characters; they stand in the schema too. Nobody counts while writing, so
/// they are a quarter longer than what is wanted.
const TITLE: usize = 112;
const TEXT: usize = 650;
const REASON: usize = 300;
const WAS: usize = 375;
const QUESTION: usize = 240;
/// More lines than these say nothing any more; of fewer, those that say most are kept.
const LINES: usize = 24;

/// What was read from an answer.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct EditAnswer {
    /// The packet it says it answers.
    pub packet: Option<String>,
    /// Its edits with their places from one, or why one could not be read.
    pub edits: Vec<(usize, Result<Edit, String>)>,
    /// Edits that could not be read, as they were written: somebody may be asked to mend them.
    pub as_written: Vec<(usize, String)>,
    /// The edits of an earlier answer that these are said again for (`n`), by their places here.
    pub again: BTreeMap<usize, usize>,
    /// What the editor would ask a person.
    pub unsure: Vec<Unsure>,
    /// What was read and left out, in words.
    pub left_out: Vec<String>,
    /// What was odd, in words; none of it matters.
    pub notes: Vec<String>,
    /// Whether it ends before its end.
    pub cut_off: bool,
}

/// A question for a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsure {
    /// The lines it is about.
    pub lines: Vec<u32>,
    /// The question.
    pub question: String,
}

/// There are no edits in an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NoEdits {
    /// There is no JSON in it.
    #[error("the answer holds no JSON object with `edits`")]
    NotJson,
    /// The edits are something else than a list.
    #[error("`edits` is not a list")]
    NotAList,
}

/// Reads an answer in the form `lore.edits/1`.
pub fn read_answer(text: &str) -> Result<EditAnswer, NoEdits> {
    let mut out = EditAnswer::default();
    let Some(object) = object_with(text, "edits") else {
        let found = objects_of_cut_array(text, "edits").ok_or(NoEdits::NotJson)?;
        out.cut_off = true;
        out.notes.push("the answer was cut off; its whole edits were read".to_owned());
        out.take_edits(&found);
        return Ok(out);
    };
    let Some(Value::Array(edits)) = object.get("edits") else { return Err(NoEdits::NotAList) };
    out.packet = object.get("packet").and_then(Value::as_str).map(str::to_owned);
    out.take_edits(edits);
    out.take_questions(object.get("unsure"));
    for name in object.keys().filter(|name| !matches!(name.as_str(), "packet" | "edits" | "unsure" | "looks"))
    {
        out.notes.push(format!("`{}` is not a field of an answer", shown(name)));
    }
    Ok(out)
}

impl EditAnswer {
    /// Tells whether every part of it has the form that was asked for.
    pub fn is_well_formed(&self) -> bool {
        self.packet.is_some() && !self.cut_off && self.edits.iter().all(|(_, edit)| edit.is_ok())
    }

    fn take_edits(&mut self, values: &[Value]) {
        for (at, value) in values.iter().enumerate().take(EDITS) {
            if is_idle(value) {
                self.left_out.push(format!("edit {} says itself that nobody would miss it (`risk`)", at + 1));
                continue;
            }
            let read = match value {
                Value::Object(fields) => edit(fields, &mut self.notes),
                _ => Err("an edit is not an object".to_owned()),
            };
            if read.is_err() {
                self.as_written.push((at + 1, value.to_string().chars().take(AS_WRITTEN).collect()));
            }
            if let Some(n) = value.get("n").and_then(Value::as_u64).and_then(|n| usize::try_from(n).ok()) {
                self.again.insert(at + 1, n);
            }
            self.edits.push((at + 1, read));
        }
        if values.len() > EDITS {
            self.notes.push(format!("{} edits were handed in, the first {EDITS} were read", values.len()));
        }
    }

    fn take_questions(&mut self, value: Option<&Value>) {
        for item in value.and_then(Value::as_array).into_iter().flatten().take(QUESTIONS) {
            let question = item.get("question").and_then(Value::as_str).unwrap_or_default().trim();
            let lines = item.get("lines").and_then(Value::as_array).into_iter().flatten();
            let lines: Vec<u32> =
                lines.filter_map(Value::as_u64).filter_map(|n| u32::try_from(n).ok()).collect();
            if !question.is_empty() && question.chars().count() <= QUESTION {
                self.unsure.push(Unsure { lines, question: question.to_owned() });
            }
        }
    }
}

/// The fields of an edit; they stand in the schema too.
pub(super) const FIELDS: [&str; 12] =
    ["n", "op", "risk", "entry", "kind", "title", "text", "reason", "lines", "decided_by", "was", "scope"];

/// What editors write for no risk, or no reason, at all.
const NOTHING: [&str; 8] = ["-", "n/a", "no", "none", "nothing", "no risk", "not given", "not stated"];

fn says_nothing(text: &str) -> bool {
    NOTHING.contains(&text.trim().trim_end_matches('.').to_lowercase().as_str())
}

/// Tells whether the editor himself says that nobody would get anything wrong without an edit.
fn is_idle(fields: &Value) -> bool {
    fields.get("risk").and_then(Value::as_str).is_some_and(says_nothing)
}

fn edit(fields: &Map<String, Value>, notes: &mut Vec<String>) -> Result<Edit, String> {
    for name in fields.keys().filter(|name| !FIELDS.contains(&name.as_str())) {
        notes.push(format!("`{}` is not a field of an edit", shown(name)));
    }
    let op = word(fields, "op", |word| exact(Op::ALL, Op::word, word))?.ok_or("`op` is missing")?;
    let lines = fields.get("lines").ok_or("`lines` is missing")?;
    let lines = numbers(lines, "lines")?;
    let was = fields.get("was").map(|value| was(value, &lines)).transpose()?;
    if lines.is_empty() || lines.len() > LINES {
        return Err(format!("`lines` has {} numbers, 1 to {LINES} are asked for", lines.len()));
    }
    let kind = |word: &str| Kind::ALL.into_iter().find(|kind| kind.word() == word && is_article(*kind));
    Ok(Edit {
        op,
        // It is written nowhere, so nothing hangs on its form.
        risk: fields
            .get("risk")
            .and_then(Value::as_str)
            .filter(|risk| !risk.trim().is_empty())
            .map(str::to_owned),
        entry: text(fields, "entry", usize::MAX)?,
        kind: word(fields, "kind", kind)?,
        title: text(fields, "title", TITLE)?,
        text: text(fields, "text", TEXT)?,
        reason: text(fields, "reason", REASON)?.filter(|said| !said.trim().is_empty() && !says_nothing(said)),
        lines,
        decided_by: word(fields, "decided_by", |word| exact(DecidedBy::ALL, DecidedBy::word, word))?,
        was,
        scope: word(fields, "scope", |word| exact(EditScope::ALL, EditScope::word, word))?,
    })
}

/// Reads what was before. Where it names no lines it rests on those of its edit, and is left out if they do not say it.
fn was(value: &Value, own: &[u32]) -> Result<Was, String> {
    let Value::Object(fields) = value else { return Err("`was` is not an object".to_owned()) };
    if let Some(name) = fields.keys().find(|name| !matches!(name.as_str(), "text" | "lines")) {
        return Err(format!("`{}` is not a field of `was`", shown(name)));
    }
    let said = text(fields, "text", WAS)?.ok_or("`was` has no `text`")?;
    let lines = fields.get("lines").map(|lines| numbers(lines, "was.lines")).transpose()?;
    Ok(Was { text: said, lines: lines.unwrap_or_else(|| own.to_vec()) })
}

fn exact<T: Copy>(all: &[T], word_of: fn(T) -> &'static str, word: &str) -> Option<T> {
    all.iter().copied().find(|value| word_of(*value) == word)
}

fn word<T>(
    fields: &Map<String, Value>,
    name: &str,
    read: impl Fn(&str) -> Option<T>,
) -> Result<Option<T>, String> {
    let Some(value) = fields.get(name) else { return Ok(None) };
    let word = value.as_str().ok_or_else(|| format!("`{name}` is not a text"))?;
    read(word).map(Some).ok_or_else(|| format!("`{}` is not a value of `{name}`", shown(word)))
}

fn text(fields: &Map<String, Value>, name: &str, limit: usize) -> Result<Option<String>, String> {
    let Some(value) = fields.get(name) else { return Ok(None) };
    let text = value.as_str().ok_or_else(|| format!("`{name}` is not a text"))?;
    match text.chars().count() {
        length if length > limit => {
            Err(format!("`{name}` has {length} characters, at most {limit} are taken"))
        }
        _ => Ok(Some(text.to_owned())),
    }
}

fn numbers(value: &Value, name: &str) -> Result<Vec<u32>, String> {
    let list = value.as_array().ok_or_else(|| format!("`{name}` is not a list"))?;
    // `4.0` is an integer to a schema.
    let whole = |value: &Value| {
        value.as_u64().or_else(|| value.as_f64().filter(|n| n.fract() == 0.0 && *n >= 1.0).map(|n| n as u64))
    };
    let number =
        |value: &Value| whole(value).filter(|n| *n >= 1).map(|n| u32::try_from(n).unwrap_or(u32::MAX));
    list.iter()
        .map(|value| {
            number(value).ok_or_else(|| format!("`{name}` holds something that is not a line number"))
        })
        .collect()
}

fn shown(word: &str) -> String {
    word.chars().filter(|c| !c.is_control()).take(40).collect()
}
