//! How long a question takes in a process that has just begun, and how long the index takes.

use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Instant;

use lore_core::recall::Query;
use lore_core::{Entry, EntryId, Kind, Moment};
use lore_surface::{Card, Index, Level, Location, StaticTable};

use crate::context::{Context, Failure};
use crate::report::Report;

/// Distinct words of the made-up language.
const WORDS: u64 = 30_000;
/// Questions asked per size.
const QUESTIONS: usize = 40;
/// Entries handed over at once while filling.
const BATCH: usize = 4096;

/// Fills an index of each size, then asks from processes of their own.
pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let child = context.setting("child", usize::MAX);
    if child != usize::MAX {
        return ask(context, child);
    }
    let mut report = Report::default();
    let most = context.setting("entries", 100_000);
    for size in [10_000, 100_000].into_iter().filter(|size| *size <= most) {
        let folder = tempfile::Builder::new().disable_cleanup(true).tempdir()?;
        eprintln!("{:?}", folder.path());
        let mut index = open(folder.path())?;
        let start = Instant::now();
        fill(&mut index, size)?;
        report.set_number(&format!("{size}.build_s"), start.elapsed().as_secs_f64());
        report.set_number(&format!("{size}.update_ms"), update(&mut index, size)?);
        drop(index);
        let idle = spawn_all(folder.path(), |_| 0)?;
        let asked = spawn_all(folder.path(), |number| number + 1)?;
        report.set_number(&format!("{size}.idle_p50_ms"), idle.0);
        report.set_number(&format!("{size}.cold_p50_ms"), asked.0);
        report.set_number(&format!("{size}.cold_p95_ms"), asked.1);
        let index = open(folder.path())?;
        let mut warm = Vec::new();
        for number in 0..QUESTIONS {
            let start = Instant::now();
            index.snapshot().search(&question(number), today())?;
            warm.push(start.elapsed().as_secs_f64() * 1000.0);
        }
        report.set_number(&format!("{size}.warm_p50_ms"), percentile(&mut warm, 0.5));
    }
    Ok(report)
}

fn open(folder: &std::path::Path) -> Result<Index, Failure> {
    Ok(Index::open(&Location::Folder(folder.to_owned()), Some(Arc::new(StaticTable::shipped())))?)
}

fn fill(index: &mut Index, size: usize) -> Result<(), Failure> {
    let mut writer = index.writer()?;
    writer.clear(Level::Entries)?;
    let mut done = 0;
    while done < size {
        let cards: Vec<Card> = (done..size.min(done + BATCH)).map(card).collect();
        writer.put(&cards)?;
        done += cards.len();
    }
    writer.commit(Level::Entries, "")?;
    Ok(writer.finish()?)
}

/// Changes one entry and waits until it can be found; the middle of some tries, in milliseconds.
fn update(index: &mut Index, size: usize) -> Result<f64, Failure> {
    let mut times = Vec::new();
    for round in 0..9 {
        let mut changed = card(round * 7 % size);
        let mark = format!("zzmark{round}");
        changed.entry.title = format!("{} {mark}", changed.entry.title);
        let start = Instant::now();
        let mut writer = index.writer()?;
        writer.put(&[changed])?;
        writer.commit(Level::Entries, "")?;
        drop(writer);
        let hits = index.snapshot().search(&Query::text(mark), today())?;
        if hits.is_empty() {
            return Err("the changed entry is not found".into());
        }
        times.push(start.elapsed().as_secs_f64() * 1000.0);
    }
    Ok(percentile(&mut times, 0.5))
}

/// Runs this program once per question and returns the median and the 95th percentile of its life.
fn spawn_all(folder: &std::path::Path, child: impl Fn(usize) -> usize) -> Result<(f64, f64), Failure> {
    let program = std::env::current_exe()?;
    let mut times = Vec::new();
    for number in 0..QUESTIONS {
        let start = Instant::now();
        let status = Command::new(&program)
            .args(["query-perf", "--json", "--set", &format!("child={}", child(number)), "--data"])
            .arg(folder)
            .stdout(Stdio::null())
            .status()?;
        if !status.success() {
            return Err("the child process failed".into());
        }
        times.push(start.elapsed().as_secs_f64() * 1000.0);
    }
    let middle = percentile(&mut times, 0.5);
    Ok((middle, percentile(&mut times, 0.95)))
}

/// What the child does: nothing for 0, else one question.
fn ask(context: &Context, child: usize) -> Result<Report, Failure> {
    let mut report = Report::default();
    if child > 0 {
        let start = Instant::now();
        let index = open(&context.data(""))?;
        let opened = start.elapsed();
        let hits = index.snapshot().search(&question(child - 1), today())?;
        report.set("hits", hits.len());
        report.set_number("open_ms", opened.as_secs_f64() * 1000.0);
        report.set_number("inside_ms", start.elapsed().as_secs_f64() * 1000.0);
    }
    Ok(report)
}

/// Every third question is as long as a prompt; the others are as long as a search.
fn question(number: usize) -> Query {
    let mut random = Random(number as u64 * 977 + 5);
    let length = if number % 3 == 2 { 60 } else { 6 };
    let mut words: Vec<String> = (0..length).map(|_| random.word()).collect();
    words.push("how do we use the".to_owned());
    Query::text(words.join(" "))
}

fn card(number: usize) -> Card {
    let mut random = Random(number as u64 + 1);
    let kind = Kind::ALL[number % Kind::ALL.len()];
    let mut text =
        |words: usize| -> String { (0..words).map(|_| random.word()).collect::<Vec<_>>().join(" ") };
    let title = text(7);
    let description = text(16);
    let body =
        (0..5).map(|_| format!("The {} is for {}.", text(12), text(10))).collect::<Vec<_>>().join("\n\n");
    let date = jiff::civil::date(2026, 1, 1).saturating_add(jiff::Span::new().days((number % 300) as i64));
    let id = EntryId::new(kind, date, &format!("{title} {number}"));
    let mut entry = Entry::new(id.numbered(u32::try_from(number).unwrap_or(0)), kind, title);
    entry.description = Some(description);
    entry.body = body;
    entry.created = Some(Moment::Day(date));
    entry.tags = vec![format!("area{}/part{}", number % 40, number % 7)];
    entry.domain = Some(format!("area{}", number % 40));
    entry.files = vec![format!("src/area{}/file{}.rs", number % 40, number % 900)];
    Card { path: format!("{}/{}.md", kind.topic(), entry.id), entry, stamp: number.to_string() }
}

fn today() -> Moment {
    Moment::Day(jiff::civil::date(2026, 11, 1))
}

fn percentile(times: &mut [f64], share: f64) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(((times.len() - 1) as f64 * share).round() as usize).copied().unwrap_or(0.0)
}

/// A small generator of numbers that look random and are the same every time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Draws a word; few are common and most are rare, as in any language.
    fn word(&mut self) -> String {
        let share = (self.next() >> 11) as f64 / (1u64 << 53) as f64;
        let mut rank = ((WORDS as f64).powf(share) - 1.0) as u64;
        const SYLLABLES: [&str; 16] = [
            "ka", "lo", "mi", "ter", "sen", "ru", "bo", "fin", "da", "pel", "zu", "gra", "ne", "vo", "hi",
            "cas",
        ];
        let mut word = String::new();
        for _ in 0..4 {
            word.push_str(SYLLABLES[(rank % 16) as usize]);
            rank /= 16;
            if rank == 0 {
                break;
            }
        }
        word
    }
}
