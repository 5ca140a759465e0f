//! How fast Claude Code's files are read, beside a search for one word in the same files.
//!
//! Both do it several times in turn and are taken at their best, with everything in the cache. On
//! one thread the time they worked is compared, on all cores the time until they were done. Files
//! are read in two ways: as curation reads them (what was said, run and changed), and with
//! everything that can be kept, tools' output above all.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use lore_capture::{Input, Keep, ReadOptions, read_path};
use rayon::prelude::*;
use serde_json::Value;

use super::Counts;
use crate::context::Failure;
use crate::report::Report;

/// How often each is timed.
const ROUNDS: usize = 5;
/// Searches in a row: their time is counted in hundredths of a second, and one takes few of them.
const SEARCHES: u32 = 4;

/// The least time that one way of reading took.
struct Reading {
    options: ReadOptions,
    one: f64,
    all: f64,
}

impl Reading {
    fn new(keep: Keep) -> Reading {
        let options = ReadOptions { keep, ..ReadOptions::default() };
        Reading { options, one: f64::MAX, all: f64::MAX }
    }

    fn time_one(&mut self, files: &[PathBuf]) {
        let begin = Clock::start();
        files.iter().for_each(|file| self.read_and_drop(file));
        self.one = self.one.min(begin.elapsed().as_secs_f64());
    }

    fn time_all(&mut self, files: &[PathBuf]) {
        let begin = Instant::now();
        files.par_iter().for_each(|file| self.read_and_drop(file));
        self.all = self.all.min(begin.elapsed().as_secs_f64());
    }

    fn read_and_drop(&self, file: &Path) {
        // What fails was counted before.
        let _ = read_path(file, &self.options, &mut |session| {
            std::hint::black_box(session);
        });
    }
}

/// Times everything and adds it to the report.
pub(super) fn add(report: &mut Report, counts: &Counts, files: &[PathBuf]) -> Result<(), Failure> {
    let megabytes = counts.bytes as f64 / 1e6;
    let hygiene = counts.hygiene.as_secs_f64();
    let mut conversation = Reading::new(Keep::Conversation);
    let mut everything = Reading::new(Keep::Everything);
    let mut lines = f64::MAX;
    let (mut search_one, mut search_all) = (None, None);
    for _ in 0..ROUNDS {
        conversation.time_one(files);
        search_one = least(search_one, ripgrep(files, "-j1").map(|times| times.worked));
        everything.time_one(files);
        conversation.time_all(files);
        search_all = least(search_all, ripgrep(files, "-j0").map(|times| times.passed));
        everything.time_all(files);
        let begin = Clock::start();
        files.iter().try_for_each(|file| split_into_lines(file))?;
        lines = lines.min(begin.elapsed().as_secs_f64());
    }
    report.set_number("claude_megabytes", megabytes);
    report.set_number("lines_only_seconds", lines);
    for (name, search) in [("ripgrep_seconds", search_one), ("ripgrep_all_cores_seconds", search_all)] {
        report.set(name, search.map_or(Value::Null, Value::from));
    }
    for (prefix, reading) in [("", &conversation), ("everything_", &everything)] {
        let mut set = |name: &str, number: f64| report.set_number(&format!("{prefix}{name}"), number);
        set("read_seconds", reading.one);
        set("mb_per_second", megabytes / reading.one);
        set("all_cores_seconds", reading.all);
        set("all_cores_mb_per_second", megabytes / reading.all);
        if let (Some(one), Some(all)) = (search_one, search_all) {
            set("times_ripgrep", reading.one / one);
            set("times_ripgrep_all_cores", reading.all / all);
        }
    }
    report.set_number("hygiene_seconds", hygiene);
    report.set_number("hygiene_mb_per_second", counts.text_bytes as f64 / 1e6 / hygiene);
    report.set_number("parser_mb_per_second", megabytes / (everything.one - hygiene).max(1e-9));
    Ok(())
}

/// Does no more than any reader has to: takes the bytes in and finds where lines end.
fn split_into_lines(file: &Path) -> Result<(), Failure> {
    let options = ReadOptions::default();
    let mut lines = Input::file(file, &options).lines()?;
    while let Some(line) = lines.next_line() {
        std::hint::black_box(line);
    }
    Ok(())
}

fn least(best: Option<f64>, now: Option<f64>) -> Option<f64> {
    let now = now.filter(|seconds| *seconds > 0.0);
    best.into_iter().chain(now).min_by(f64::total_cmp)
}

/// What a search took.
struct Times {
    worked: f64,
    passed: f64,
}

/// Times `rg -c '"type"'` over the files, where it is installed.
fn ripgrep(files: &[PathBuf], threads: &str) -> Option<Times> {
    let (begin, before) = (Instant::now(), work_of_children());
    for _ in 0..SEARCHES {
        for some in files.chunks(500) {
            let mut command = Command::new("rg");
            command.args(["-c", threads, "\"type\""]).args(some).stdout(Stdio::null()).stderr(Stdio::null());
            command.status().ok()?;
        }
    }
    let each = 1.0 / f64::from(SEARCHES);
    let passed = begin.elapsed().as_secs_f64() * each;
    let worked = match (before, work_of_children()) {
        (Some(before), Some(now)) => (now - before) * each,
        _ => passed,
    };
    Some(Times { worked, passed })
}

/// The time finished children worked, as the system counts it.
fn work_of_children() -> Option<f64> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let ticks = |at: usize| fields.get(at)?.parse::<f64>().ok();
    Some((ticks(13)? + ticks(14)?) / 100.0)
}

/// The time this thread spent working, where the system tells; other programs do not count.
pub(super) struct Clock {
    wall: Instant,
    work: Option<Duration>,
}

impl Clock {
    pub(super) fn start() -> Clock {
        Clock { wall: Instant::now(), work: Clock::work() }
    }

    pub(super) fn elapsed(&self) -> Duration {
        match (self.work, Clock::work()) {
            (Some(before), Some(now)) => now.saturating_sub(before),
            _ => self.wall.elapsed(),
        }
    }

    fn work() -> Option<Duration> {
        let text = fs::read_to_string("/proc/thread-self/schedstat").ok()?;
        text.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
    }
}

/// Reads the most memory this process ever held, where the system tells.
pub(super) fn peak_memory() -> Option<u64> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024)
}
