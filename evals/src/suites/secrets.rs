//! Secrets: what the redactor takes out, what it leaves alone, and how fast.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::Instant;

use lore_core::redact::Redactor;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::context::{Context, Failure};
use crate::report::Report;

#[derive(Debug, Deserialize)]
struct Sample {
    text: String,
    /// Start and end of the secret, in characters.
    secret_span: Option<(usize, usize)>,
    source: String,
    kind: String,
}

#[derive(Debug, Serialize)]
struct Dumped {
    n: usize,
    spans: Vec<(usize, usize)>,
}

/// Hits out of all.
#[derive(Debug, Default, Clone, Copy)]
struct Share {
    hits: usize,
    all: usize,
}

impl Share {
    fn count(&mut self, hit: bool) {
        self.hits += usize::from(hit);
        self.all += 1;
    }

    fn ratio(self) -> f64 {
        if self.all == 0 { 0.0 } else { self.hits as f64 / self.all as f64 }
    }
}

/// Runs the suite.
pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let samples: Vec<Sample> = context.json_lines("ground/secrets.jsonl.gz")?;
    let redactor = Redactor::standard();
    let mut dumped = Vec::with_capacity(samples.len());
    let mut recall: BTreeMap<&str, BTreeMap<&str, Share>> = BTreeMap::new();
    let mut touched: BTreeMap<&str, Share> = BTreeMap::new();
    let mut settled = true;
    for (index, sample) in samples.iter().enumerate() {
        let redacted = redactor.redact(&sample.text);
        settled &= redactor.redact(&redacted.text).findings.is_empty();
        let spans: Vec<_> = redacted.findings.iter().map(|f| characters(&sample.text, &f.range)).collect();
        match (sample.kind.as_str(), sample.secret_span) {
            (kind @ ("positive" | "positive_hardform"), Some(secret)) => {
                let shares = recall.entry(kind).or_default();
                shares.entry(&sample.source).or_default().count(covers(&spans, secret));
            }
            (kind, _) => touched.entry(kind).or_default().count(!spans.is_empty()),
        }
        dumped.push(Dumped { n: index + 1, spans });
    }
    context.dump(&dumped)?;

    let mut report = Report::default();
    report.set("samples", samples.len());
    for (kind, name) in [("positive", "recall"), ("positive_hardform", "recall_hardform")] {
        let shares = recall.remove(kind).unwrap_or_default();
        let mut pooled = Share::default();
        for share in shares.values() {
            pooled.hits += share.hits;
            pooled.all += share.all;
        }
        report.set_number(name, pooled.ratio());
        report.set(&format!("{name}_by_source"), by_name(&shares));
    }
    report.set_number("fp", touched.get("real_negative").copied().unwrap_or_default().ratio());
    report.set("touched_by_kind", by_name(&touched));
    report.set("api_key_exact", redactor.redact("API_KEY=abc123").text == "API_KEY=[REDACTED]");
    report.set("idempotent", settled);
    report.set("mb_per_second", speeds(context)?);
    Ok(report)
}

fn by_name(shares: &BTreeMap<&str, Share>) -> Map<String, Value> {
    let round = |value: f64| (value * 10_000.0).round() / 10_000.0;
    let figure = |(name, share): (&&str, &Share)| {
        ((*name).to_owned(), Value::from(format!("{} ({}/{})", round(share.ratio()), share.hits, share.all)))
    };
    shares.iter().map(figure).collect()
}

/// Turns a range of bytes into one of characters.
fn characters(text: &str, range: &std::ops::Range<usize>) -> (usize, usize) {
    let start = text[..range.start].chars().count();
    (start, start + text[range.clone()].chars().count())
}

/// Tells whether at least nine tenths of the secret are covered.
fn covers(spans: &[(usize, usize)], secret: (usize, usize)) -> bool {
    let length = secret.1.saturating_sub(secret.0);
    let covered: usize =
        spans.iter().map(|span| span.1.min(secret.1).saturating_sub(span.0.max(secret.0))).sum();
    length > 0 && covered * 10 >= length * 9
}

/// Measures one core on the kinds of text that transcripts hold.
fn speeds(context: &Context) -> Result<Map<String, Value>, Failure> {
    let cap = context.setting("megabytes", 32) << 20;
    let mut kinds: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    let mut sizes: BTreeMap<&str, usize> = BTreeMap::new();
    for folder in context.unpacked("transcripts")?.values() {
        for path in transcripts(folder)? {
            for line in BufReader::new(File::open(&path)?).lines().map_while(Result::ok) {
                let mut keep = |kind, text: String| {
                    let size = sizes.entry(kind).or_default();
                    if *size < cap {
                        *size += text.len();
                        kinds.entry(kind).or_default().push(text);
                    }
                };
                if let Ok(value) = serde_json::from_str(&line) {
                    strings("", value, &mut keep);
                }
                keep("json_lines", line);
            }
        }
    }
    let mut figures = Map::new();
    for (kind, texts) in kinds {
        let bytes: usize = texts.iter().map(String::len).sum();
        let (wall, busy) = (Instant::now(), busy_seconds());
        let findings: usize = texts.iter().map(|text| Redactor::standard().redact(text).findings.len()).sum();
        let wall = wall.elapsed().as_secs_f64();
        let busy = busy_seconds().zip(busy).map_or(wall, |(after, before)| after - before);
        let speed = |seconds: f64| Value::from((bytes as f64 / 1e6 / seconds).round());
        figures.insert(kind.to_owned(), speed(busy));
        figures.insert(format!("{kind}_wall"), speed(wall));
        figures.insert(format!("{kind}_findings"), Value::from(findings));
    }
    Ok(figures)
}

/// Returns how long this thread has been on a core, where the system tells: on a machine that is shared,
/// the time on the wall says little about one core.
fn busy_seconds() -> Option<f64> {
    let line = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(line.split(' ').next()?.parse::<f64>().ok()? / 1e9)
}

/// Hands over the texts of a record: prose under `text`, output of tools under the other names.
fn strings(key: &str, value: Value, keep: &mut impl FnMut(&'static str, String)) {
    match value {
        Value::String(text) if text.len() >= 40 => match key {
            "text" => keep("prose", text),
            "content" | "stdout" | "output" => keep("tool_output", text),
            _ => {}
        },
        Value::Array(items) => items.into_iter().for_each(|item| strings(key, item, keep)),
        Value::Object(fields) => fields.into_iter().for_each(|(key, value)| strings(&key, value, keep)),
        _ => {}
    }
}

fn transcripts(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for item in std::fs::read_dir(folder)? {
            let path = item?.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "jsonl") {
                files.push(path);
            }
        }
    }
    files.sort();
    Ok(files)
}
