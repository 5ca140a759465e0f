//! Whether real files survive being read, changed and imported.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

use lore_core::{Moment, Source, Status, Voice};
use lore_store::format::{MAX_BYTES, read, rewrite, write};
use lore_store::import::{ImportOptions, detect, import};
use serde_json::{Map, Value, json};

use crate::context::{Context, Failure};
use crate::report::Report;

pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let mut report = Report::default();
    let mut rows = Vec::new();
    for (name, folder) in context.unpacked("stores")? {
        let mut files = Vec::new();
        collect(&folder, &mut files)?;
        files.sort();
        report.set(&name, measure(&folder, &files, &mut rows)?);
        let mut stores = Vec::new();
        find_stores(&folder, 0, &mut stores);
        for store in stores {
            let figures = measure_import(&store)?;
            report.set(&format!("{name}.import"), figures);
        }
    }
    context.dump(&rows)?;
    Ok(report)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    for item in std::fs::read_dir(folder)? {
        let item = item?;
        let kind = item.file_type()?;
        if kind.is_dir() {
            collect(&item.path(), files)?;
        } else if kind.is_file() && item.metadata()?.len() <= MAX_BYTES {
            files.push(item.path());
        }
    }
    Ok(())
}

/// Reads, rewrites and changes every file.
fn measure(root: &Path, files: &[PathBuf], rows: &mut Vec<Value>) -> Result<Value, Failure> {
    let mut sums: BTreeMap<&str, u64> = BTreeMap::new();
    let mut add = |name: &'static str, by: u64| *sums.entry(name).or_default() += by;
    let mut codes: BTreeMap<String, u64> = BTreeMap::new();
    let (mut read_time, mut rewrite_time) = (0.0, 0.0);
    for path in files {
        let bytes = std::fs::read(path)?;
        let relative = path.strip_prefix(root)?.to_string_lossy().into_owned();
        add("files", 1);
        let start = Instant::now();
        let found = read(&relative, &bytes);
        read_time += start.elapsed().as_secs_f64();
        let (Some(entry), Ok(text)) = (found.entry, String::from_utf8(bytes)) else {
            add("refused", 1);
            continue;
        };
        add("bytes", text.len() as u64);
        for diagnostic in &found.diagnostics {
            *codes.entry(diagnostic.code.clone()).or_default() += 1;
        }
        let start = Instant::now();
        let same = rewrite(&text, &entry).is_ok_and(|again| again == text);
        rewrite_time += start.elapsed().as_secs_f64();
        add("same_bytes", u64::from(same));
        let mut changed = entry.clone();
        changed.status = if entry.status == Status::Disputed { Status::Current } else { Status::Disputed };
        changed.updated = "2030-01-02T03:04:05Z".parse::<Moment>().ok();
        changed.sources.push(Source::new("session://eval/1#L1", Voice::Person));
        let (outcome, lost) = match rewrite(&text, &changed) {
            Ok(now) => ("changed", lost_lines(&text, &now)),
            Err(_) => ("change_refused", 0),
        };
        add(outcome, 1);
        add("changed_and_lost_nothing", u64::from(outcome == "changed" && lost == 0));
        let canonical = write(&entry);
        let back = read(&relative, canonical.as_bytes());
        add("canonical_reads_clean", u64::from(back.diagnostics.is_empty()));
        rows.push(json!({"file": relative, "same": same, "outcome": outcome, "lost": lost, "codes": found.diagnostics.iter().map(|d| &d.code).collect::<Vec<_>>()}));
    }
    let count = files.len().max(1) as f64;
    let mut figures: Map<String, Value> =
        sums.into_iter().map(|(name, sum)| (name.to_owned(), json!(sum))).collect();
    figures.insert("read_us".to_owned(), json!((read_time / count * 1e7).round() / 10.0));
    figures.insert("rewrite_us".to_owned(), json!((rewrite_time / count * 1e7).round() / 10.0));
    figures.insert("diagnostics".to_owned(), json!(codes));
    Ok(Value::Object(figures))
}

/// Counts lines of the old text that the new one no longer has, those that were to change aside.
fn lost_lines(old: &str, new: &str) -> usize {
    let mut there: BTreeMap<&str, i64> = BTreeMap::new();
    for line in new.split_inclusive('\n') {
        *there.entry(line).or_default() += 1;
    }
    let asked = |line: &&str| ["status:", "updated:", "id:"].iter().any(|key| line.starts_with(key));
    old.split_inclusive('\n')
        .filter(|line| !asked(line))
        .filter(|line| {
            let left = there.entry(line).or_default();
            *left -= 1;
            *left < 0
        })
        .count()
}

/// Finds the stores below a folder, not those inside other stores.
fn find_stores(folder: &Path, depth: usize, found: &mut Vec<PathBuf>) {
    let is_foreign = detect(folder).is_some_and(|kind| kind.word() != "okf");
    if is_foreign {
        found.push(folder.to_path_buf());
    } else if depth < 3
        && let Ok(listing) = std::fs::read_dir(folder)
    {
        let folders = listing.flatten().map(|item| item.path()).filter(|path| path.is_dir());
        folders.for_each(|path| find_stores(&path, depth + 1, found));
    }
}

fn measure_import(store: &Path) -> Result<Value, Failure> {
    let start = Instant::now();
    let report = import(store, &ImportOptions::default())?;
    let seconds = start.elapsed().as_secs_f64();
    let mut kinds: BTreeMap<&str, u64> = BTreeMap::new();
    let mut codes: BTreeMap<&str, u64> = BTreeMap::new();
    let mut clean = 0;
    for imported in &report.entries {
        *kinds.entry(imported.entry.kind.word()).or_default() += 1;
        imported.repaired.iter().for_each(|found| *codes.entry(&found.code).or_default() += 1);
        let text = write(&imported.entry);
        let back = read("x.md", text.as_bytes());
        clean += u64::from(back.diagnostics.is_empty() && back.entry.as_ref() == Some(&imported.entry));
    }
    let mut left: BTreeMap<&str, u64> = BTreeMap::new();
    report.left.iter().for_each(|it| *left.entry(&it.why).or_default() += 1);
    Ok(json!({
        "kind": report.kind.word(), "taken": report.entries.len(), "kinds": kinds, "repaired": codes, "left": left,
        "issue_sessions": report.issue_sessions.len(), "written_and_read_back": clean, "ms": (seconds * 1e4).round() / 10.0,
    }))
}
