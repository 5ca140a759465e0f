//! What stands in a base, claim by claim, with the files and records it cites.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{BufRead as _, BufReader};

use lore_core::{Article, Claim, Entry, Status};
use lore_engine::Engine;
use lore_engine::entries::Filter;
use serde::Serialize;

use crate::context::Failure;
use crate::corpus::{Corpus, Transcript};
use crate::words::Words;

/// One claim of an article.
#[derive(Debug, Clone, Default)]
pub(super) struct Stated {
    pub(super) page: String,
    pub(super) title: String,
    pub(super) kind: &'static str,
    pub(super) text: String,
    pub(super) words: Words,
    pub(super) cited: Vec<Cited>,
    /// Whether it is presented as holding, without a mark.
    pub(super) is_current: bool,
}

/// A record that a claim cites.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(super) struct Cited {
    /// The files in which its session stands; usually one.
    pub(super) files: Vec<String>,
    pub(super) line: u32,
    pub(super) voice: &'static str,
}

/// A base, taken apart.
#[derive(Default)]
pub(super) struct Standing {
    pub(super) articles: usize,
    pub(super) claims: Vec<Stated>,
    /// The text of each page.
    pub(super) pages: BTreeMap<String, String>,
}

impl Stated {
    /// Returns what patterns are matched against.
    pub(super) fn whole(&self) -> String {
        format!("{}\n{}", self.title, self.text)
    }
}

impl Standing {
    /// Reads every article of a base.
    pub(super) fn read(engine: &Engine, corpus: &Corpus) -> Result<Standing, Failure> {
        let mut standing = Standing::default();
        for item in engine.list(&Filter::default())? {
            let shown = engine.show(item.id.as_str())?;
            standing.articles += 1;
            let article = Article::parse(&shown.entry.body);
            let current: BTreeSet<*const Claim> = article.current().map(std::ptr::from_ref).collect();
            for claim in article.claims() {
                let holds = current.contains(&std::ptr::from_ref(claim)) && claim.is_current();
                standing.claims.push(Stated {
                    page: shown.path.clone(),
                    title: shown.entry.title.clone(),
                    kind: shown.entry.kind.word(),
                    text: claim.text.clone(),
                    words: Words::of(&claim.text),
                    cited: cited(&shown.entry, claim, corpus),
                    is_current: holds && shown.entry.status == Status::Current,
                });
            }
            standing.pages.insert(shown.path, shown.text);
        }
        Ok(standing)
    }

    /// Lists the claims that are presented as holding.
    pub(super) fn current(&self) -> impl Iterator<Item = &Stated> {
        self.claims.iter().filter(|claim| claim.is_current)
    }
}

fn cited(entry: &Entry, claim: &Claim, corpus: &Corpus) -> Vec<Cited> {
    let mut out = Vec::new();
    for source in entry.sources_of(claim) {
        let Some(session) = &source.session else { continue };
        let files: Vec<String> = corpus.files_of(session.as_str()).map(str::to_owned).collect();
        let lines = source.lines.iter();
        out.extend(lines.map(|line| Cited { files: files.clone(), line: *line, voice: source.voice.word() }));
    }
    out
}

/// What stands in cited records, read from the files themselves and not through the product.
pub(super) struct Records {
    text: BTreeMap<(String, u32), String>,
}

impl Records {
    /// Reads the records that claims cite.
    pub(super) fn read(claims: &[&Stated], corpus: &Corpus) -> Result<Records, Failure> {
        let mut wanted: BTreeMap<&str, BTreeSet<u32>> = BTreeMap::new();
        for cited in claims.iter().flat_map(|claim| &claim.cited) {
            for file in &cited.files {
                wanted.entry(file).or_default().insert(cited.line);
            }
        }
        let mut text = BTreeMap::new();
        for transcript in &corpus.transcripts {
            let Some(lines) = wanted.get(transcript.file.as_str()) else { continue };
            let mut put = |line: u32, said: String| text.insert((transcript.file.clone(), line), said);
            // In a document a record is what its reader counts.
            for line in lines {
                if let Some(said) = transcript.said.get(line) {
                    put(*line, said.clone());
                }
            }
            // A document that holds messages counts them, calls of tools included.
            let document: Option<serde_json::Value> = if is_document(transcript)? {
                serde_json::from_slice(&std::fs::read(&transcript.path)?).ok()
            } else {
                None
            };
            if let Some(document) = document {
                let messages = document.get("messages").unwrap_or(&document).as_array();
                for line in lines {
                    let message =
                        messages.and_then(|messages| messages.get((*line as usize).checked_sub(1)?));
                    if let Some(message) = message {
                        let mut strings = transcript.said.get(line).cloned().unwrap_or_default();
                        collect(message, &mut strings);
                        put(*line, strings);
                    }
                }
                continue;
            }
            if !transcript.file.ends_with(".jsonl") {
                continue;
            }
            for (at, line) in BufReader::new(File::open(&transcript.path)?).split(b'\n').enumerate() {
                let number = u32::try_from(at + 1).unwrap_or(u32::MAX);
                let line = line?;
                if lines.contains(&number)
                    && let Ok(record @ serde_json::Value::Object(_)) = serde_json::from_slice(&line)
                {
                    let mut strings = String::new();
                    collect(&record, &mut strings);
                    put(number, strings);
                }
            }
        }
        Ok(Records { text })
    }

    /// Returns the text of a cited record.
    pub(super) fn text(&self, cited: &Cited) -> Option<&str> {
        cited.files.iter().find_map(|file| self.text.get(&(file.clone(), cited.line))).map(String::as_str)
    }

    /// Tells whether the cited records hold most of a claim's words.
    pub(super) fn hold(&self, claim: &Stated) -> bool {
        let said: Vec<&str> = claim.cited.iter().filter_map(|cited| self.text(cited)).collect();
        claim.words.mostly_in(&Words::of(&said.join("\n")))
    }

    #[cfg(test)]
    pub(super) fn made_up(rows: &[(&str, u32, &str)]) -> Records {
        let row = |(file, line, text): &(&str, u32, &str)| (((*file).to_owned(), *line), (*text).to_owned());
        Records { text: rows.iter().map(row).collect() }
    }
}

/// Tells whether a file is one JSON value and not a line for each record.
fn is_document(transcript: &Transcript) -> Result<bool, Failure> {
    let mut first = Vec::new();
    BufReader::new(File::open(&transcript.path)?).read_until(b'\n', &mut first)?;
    let opens = matches!(first.trim_ascii_start().first(), Some(b'{' | b'['));
    let whole = serde_json::from_slice::<serde::de::IgnoredAny>(&first).is_ok();
    Ok(opens && (!whole || transcript.file.ends_with(".json")))
}

/// Collects every string of a JSON value.
fn collect(value: &serde_json::Value, out: &mut String) {
    match value {
        serde_json::Value::String(text) => {
            out.push_str(text);
            out.push('\n');
        }
        serde_json::Value::Array(inner) => inner.iter().for_each(|one| collect(one, out)),
        serde_json::Value::Object(inner) => inner.values().for_each(|one| collect(one, out)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_are_lines_or_the_messages_of_a_document() {
        let folder = tempfile::tempdir().expect("there is a place for it");
        let check = |name: &str, text: &str, line: u32, expected: Option<&str>| {
            let path = folder.path().join(name);
            std::fs::write(&path, text).expect("can be written");
            let transcript = Transcript::made_up(name, &path);
            let corpus = Corpus::made_up(vec![transcript]);
            let cited = Cited { files: vec![name.to_owned()], line, voice: "agent" };
            let claim = Stated { cited: vec![cited.clone()], ..Stated::default() };
            let records = Records::read(&[&claim], &corpus).expect("can be read");
            assert_eq!(records.text(&cited).map(str::trim), expected, "{name} {line}");
        };
        let lines = "{\"said\": \"fire the kiln\"}\n{\"said\": \"mix the glaze\"}\n";
        check("a.jsonl", lines, 2, Some("mix the glaze"));
        check("a.jsonl", lines, 3, None);
        check("a.jsonl", "not json\n", 1, None);
        let document = "{\n \"messages\": [{\"call\": {\"run\": \"fire the kiln\"}}]\n}\n";
        check("b.jsonl", document, 1, Some("fire the kiln"));
        check("b.json", document, 1, Some("fire the kiln"));
        check("b.json", document, 2, None);
    }
}
