//! What people labelled, brought to one form: a place in the transcripts and words or patterns to find.

use std::collections::{BTreeMap, BTreeSet};

use fancy_regex::Regex;
use serde::Deserialize;

use super::claims::Stated;
use crate::context::{Context, Failure};
use crate::words::Words;

/// Records that lie this far apart still count as the same place.
const NEAR: u32 = 2;

/// Something that was said, and how to recognise it in a claim.
#[derive(Debug)]
pub(super) struct Spot {
    /// The files in which it was said.
    files: BTreeSet<String>,
    /// The record, where the place counts and not only the session.
    line: Option<(u32, u32)>,
    /// Patterns that a faithful claim matches, all of them.
    must: Vec<Regex>,
    /// Wordings, of which a claim shares six words of ten with at least one.
    wordings: Vec<Words>,
}

/// An item of the gold labels that the base should hold.
pub(super) struct Item {
    pub(super) spot: Spot,
    pub(super) is_ruling: bool,
    pub(super) is_preference: bool,
}

/// A statement that was judged by hand.
pub(super) struct Judged {
    pub(super) id: String,
    pub(super) keep: u8,
    pub(super) spot: Spot,
}

/// Two statements of which the newer made the older untrue.
pub(super) struct Change {
    pub(super) old: Spot,
    pub(super) new: Spot,
}

/// All labels of one project.
#[derive(Default)]
pub(super) struct Labels {
    pub(super) items: Vec<Item>,
    pub(super) noise: Vec<Spot>,
    pub(super) judged: Vec<Judged>,
    pub(super) changes: Vec<Change>,
}

impl Spot {
    /// Something that a pattern finds in what cites the session.
    fn by_pattern(files: BTreeSet<String>, must: &[String]) -> Result<Spot, Failure> {
        let must = must.iter().map(|text| Regex::new(&format!("(?im){text}"))).collect::<Result<_, _>>()?;
        Ok(Spot { files, line: None, must, wordings: Vec::new() })
    }

    /// Something that words find in what cites the record, or one near it.
    fn by_words(file: &str, line: u32, near: u32, wordings: &[&str]) -> Spot {
        let wordings = wordings.iter().map(|text| Words::of(text)).collect();
        let files = BTreeSet::from([file.to_owned()]);
        Spot { files, line: Some((line, near)), must: Vec::new(), wordings }
    }

    /// Tells whether it was said in one of some files.
    pub(super) fn is_in(&self, files: &BTreeSet<&str>) -> bool {
        self.files.iter().any(|file| files.contains(file.as_str()))
    }

    /// Tells whether a claim says it and cites where it was said.
    pub(super) fn stands_in(&self, claim: &Stated) -> bool {
        self.is_cited(claim)
            && self.must.iter().all(|pattern| pattern.is_match(&claim.whole()).unwrap_or(false))
            && (self.wordings.is_empty() || self.wordings.iter().any(|words| words.mostly_in(&claim.words)))
    }

    /// Tells whether a claim says the same, whichever of the two says more.
    fn is_said_by(&self, claim: &Stated) -> bool {
        self.is_cited(claim)
            && self.wordings.iter().any(|own| own.mostly_in(&claim.words) || claim.words.mostly_in(own))
    }

    fn is_cited(&self, claim: &Stated) -> bool {
        claim.cited.iter().any(|cited| {
            let is_near = self.line.is_none_or(|(line, near)| cited.line.abs_diff(line) <= near);
            is_near && cited.files.iter().any(|file| self.files.contains(file))
        })
    }

    fn likeness(&self, claim: &Stated) -> f64 {
        self.wordings.iter().map(|own| own.likeness(&claim.words)).fold(0.0, f64::max)
    }
}

impl Labels {
    /// Finds the judged statement that a claim is made of; of several, the one that is most like it.
    pub(super) fn judgement(&self, claim: &Stated) -> Option<&Judged> {
        let own = self.judged.iter().filter(|judged| judged.spot.is_said_by(claim));
        own.max_by(|a, b| a.spot.likeness(claim).total_cmp(&b.spot.likeness(claim)))
    }
}

#[derive(Debug, Deserialize)]
struct RawItem {
    id: String,
    corpus: String,
    file: String,
    role: String,
    #[serde(rename = "type")]
    kind: String,
    must: Vec<String>,
    confidence: String,
    status: Option<String>,
    #[serde(default)]
    also_in: Vec<serde_json::Value>,
}

#[derive(Debug, Deserialize)]
struct RawSession {
    file: String,
    read: String,
}

#[derive(Debug, Deserialize)]
struct RawNoise {
    corpus: String,
    file: String,
    line: u32,
    quote: String,
}

#[derive(Debug, Deserialize)]
struct RawPair {
    corpus: String,
    #[serde(alias = "old")]
    old_item: String,
    #[serde(alias = "new")]
    new_item: String,
    relation: String,
}

#[derive(Debug, Deserialize)]
struct RawJudged {
    id: String,
    corpus: String,
    file: String,
    line: u32,
    text: String,
    keep: u8,
}

#[derive(Debug, Deserialize)]
struct RawChange {
    corpus: String,
    old_file: String,
    old_line: u32,
    old: String,
    quote_old: String,
    new_file: String,
    new_line: u32,
    new: String,
    quote_new: String,
    relation: String,
}

/// Reads the labels of the projects that are wanted.
pub(super) fn read(context: &Context) -> Result<BTreeMap<String, Labels>, Failure> {
    let mut all: BTreeMap<String, Labels> = BTreeMap::new();
    gold(context, &mut all)?;
    judged(context, &mut all)?;
    all.retain(|project, _| context.is_wanted(project));
    Ok(all)
}

fn is_change(relation: &str) -> bool {
    matches!(relation, "supersedes" | "contradicts")
}

fn gold(context: &Context, all: &mut BTreeMap<String, Labels>) -> Result<(), Failure> {
    let items: Vec<RawItem> = context.json_lines("gold/items.jsonl")?;
    let sessions: Vec<RawSession> = context.json_lines("gold/sessions.jsonl")?;
    let pairs: Vec<RawPair> = context.json_lines("gold/changes.jsonl")?;
    let read: BTreeSet<&str> =
        sessions.iter().filter(|one| one.read != "partial").map(|one| one.file.as_str()).collect();
    let replaced: BTreeSet<&str> = pairs
        .iter()
        .filter(|pair| pair.relation == "supersedes")
        .map(|pair| pair.old_item.as_str())
        .collect();
    let by_id: BTreeMap<&str, &RawItem> = items.iter().map(|item| (item.id.as_str(), item)).collect();
    for item in &items {
        let holds = match item.status.as_deref() {
            Some(status) => status == "current",
            None => !replaced.contains(item.id.as_str()),
        };
        if holds && item.confidence != "low" && read.contains(item.file.as_str()) {
            all.entry(item.corpus.clone()).or_default().items.push(Item {
                spot: item.spot()?,
                is_ruling: item.role == "user",
                is_preference: item.kind == "preference",
            });
        }
    }
    for pair in pairs.iter().filter(|pair| is_change(&pair.relation)) {
        if let (Some(old), Some(new)) = (by_id.get(pair.old_item.as_str()), by_id.get(pair.new_item.as_str()))
        {
            let change = Change { old: old.spot()?, new: new.spot()? };
            all.entry(pair.corpus.clone()).or_default().changes.push(change);
        }
    }
    for noise in context.json_lines::<RawNoise>("gold/noise.jsonl")? {
        let spot = Spot::by_words(&noise.file, noise.line, 0, &[&noise.quote]);
        all.entry(noise.corpus).or_default().noise.push(spot);
    }
    Ok(())
}

impl RawItem {
    fn spot(&self) -> Result<Spot, Failure> {
        let sibling = |value: &serde_json::Value| {
            value.as_str().or_else(|| value.get("file").and_then(|file| file.as_str())).map(str::to_owned)
        };
        let siblings = self.also_in.iter().filter_map(sibling);
        Spot::by_pattern(siblings.chain([self.file.clone()]).collect(), &self.must)
    }
}

fn judged(context: &Context, all: &mut BTreeMap<String, Labels>) -> Result<(), Failure> {
    let candidates: Vec<RawJudged> = context.json_lines("judged/candidates.jsonl")?;
    let by_id: BTreeMap<&str, &RawJudged> = candidates.iter().map(|one| (one.id.as_str(), one)).collect();
    for pair in context.json_lines::<RawPair>("judged/pairs.jsonl")? {
        let sides = (by_id.get(pair.old_item.as_str()), by_id.get(pair.new_item.as_str()));
        if let (true, (Some(old), Some(new))) = (is_change(&pair.relation), sides) {
            let change = Change { old: old.spot(), new: new.spot() };
            all.entry(pair.corpus).or_default().changes.push(change);
        }
    }
    for change in context.json_lines::<RawChange>("judged/changes.jsonl")? {
        if is_change(&change.relation) {
            let side = |file: &str, line, words: [&str; 2]| Spot::by_words(file, line, NEAR, &words);
            let old = side(&change.old_file, change.old_line, [&change.quote_old, &change.old]);
            let new = side(&change.new_file, change.new_line, [&change.quote_new, &change.new]);
            all.entry(change.corpus).or_default().changes.push(Change { old, new });
        }
    }
    for one in &candidates {
        let judged = Judged { id: one.id.clone(), keep: one.keep, spot: one.spot() };
        all.entry(one.corpus.clone()).or_default().judged.push(judged);
    }
    Ok(())
}

impl RawJudged {
    fn spot(&self) -> Spot {
        Spot::by_words(&self.file, self.line, NEAR, &[&self.text])
    }
}

#[cfg(test)]
pub(super) mod made_up {
    use super::*;

    pub(in crate::suites::base) fn said(file: &str, line: u32, words: &str) -> Spot {
        Spot::by_words(file, line, NEAR, &[words])
    }

    pub(in crate::suites::base) fn passage(file: &str, line: u32, words: &str) -> Spot {
        Spot::by_words(file, line, 0, &[words])
    }

    pub(in crate::suites::base) fn pattern(file: &str, must: &str) -> Spot {
        Spot::by_pattern(BTreeSet::from([file.to_owned()]), &[must.to_owned()]).expect("is a pattern")
    }
}
