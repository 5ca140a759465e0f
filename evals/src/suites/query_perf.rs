//! How long the program itself takes, in processes that have just begun: a question, a context, the
//! index, and a change until it is found. Everything goes through the binary that users run.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use super::context::world;
use super::program::Lore;
use crate::context::{Context, Failure};
use crate::report::Report;

/// Distinct words of the made-up language.
const WORDS: u64 = 30_000;
/// Changes that are waited for.
const CHANGES: usize = 9;

/// Writes a base of each size, then asks from processes of their own.
///
/// `entries` says up to which size, `runs` how often each command runs.
pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let mut report = Report::default();
    let most = context.setting("entries", 100_000);
    let runs = context.setting("runs", 40).max(3);
    for size in [10_000, 100_000].into_iter().filter(|size| *size <= most) {
        let scratch = tempfile::tempdir()?;
        measure(context, scratch.path(), size, runs, &mut report)?;
    }
    Ok(report)
}

fn measure(
    context: &Context,
    scratch: &Path,
    size: usize,
    runs: usize,
    report: &mut Report,
) -> Result<(), Failure> {
    let project = scratch.join("project");
    std::fs::create_dir_all(&project)?;
    Command::new("git").args(["init", "--quiet"]).current_dir(&project).status()?;
    let world = world(&project, "2026-11-01T12:00:00Z".parse()?);
    let options = lore_engine::InitOptions { project: Some(project.clone()), ..Default::default() };
    lore_engine::Engine::init(&world, &options)?;
    fill(&project, size)?;
    let lore = Lore::found(context, &project)?;
    let mut set = |name: &str, value: f64| report.set_number(&format!("{size}.{name}"), value);

    // From nothing but files: all are read, the index is made, and the question is answered.
    set("index_build_s", lore.time(&["query", &question(0)], "")? / 1000.0);
    lore.time(&["context", "--prompt", &question(1)], "")?;
    let idle = times(runs, |_| lore.time(&["--version"], ""))?;
    let asked = times(runs, |number| lore.time(&["query", &question(number)], ""))?;
    let told = times(runs, |number| lore.time(&["context", "--prompt", &question(number)], ""))?;
    for (name, times) in [("version", &idle), ("query", &asked), ("context", &told)] {
        set(&format!("{name}_p50_ms"), percentile(times, 0.5));
        set(&format!("{name}_p95_ms"), percentile(times, 0.95));
    }
    set("context_of_version", percentile(&told, 0.5) / percentile(&idle, 0.5));
    let replaced = times(CHANGES, |round| change(&lore, size, round, Way::Replaced))?;
    let in_place = times(CHANGES, |round| change(&lore, size, round, Way::InPlace))?;
    set("change_replaced_p50_ms", percentile(&replaced, 0.5));
    set("change_in_place_p50_ms", percentile(&in_place, 0.5));
    Ok(())
}

/// How an editor saves.
#[derive(Clone, Copy, PartialEq)]
enum Way {
    Replaced,
    InPlace,
}

/// Changes one entry by hand and asks until it is found with its new words; milliseconds since the change.
fn change(lore: &Lore, size: usize, round: usize, way: Way) -> Result<f64, Failure> {
    let number = (round * 7919 + way as usize * 31 + 1) % size;
    let mark = format!("zzmark{}x{round}", way as usize);
    let path = path(&lore.project, number);
    let text = format!("{}\nNow it is {mark}.\n", std::fs::read_to_string(&path)?);
    let start = Instant::now();
    if way == Way::Replaced {
        let draft = path.with_extension("draft");
        std::fs::write(&draft, &text)?;
        std::fs::rename(&draft, &path)?;
    } else {
        std::fs::write(&path, &text)?;
    }
    // Whoever looks for a changed entry names it; the new word alone would do in a base of any
    // usual size, where every file is looked at each time.
    let asked = if way == Way::InPlace { format!("{} {mark}", title(number)) } else { mark.clone() };
    for _ in 0..100 {
        let output = lore.command(&["query", "--json", &asked]).stdin(Stdio::null()).output()?;
        if String::from_utf8_lossy(&output.stdout).contains(&format!("\"{mark}\"")) {
            return Ok(start.elapsed().as_secs_f64() * 1000.0);
        }
    }
    Err(format!("`{mark}` is not found after it was written to {}", path.display()).into())
}

fn times(runs: usize, mut run: impl FnMut(usize) -> Result<f64, Failure>) -> Result<Vec<f64>, Failure> {
    let mut times = (0..runs).map(&mut run).collect::<Result<Vec<f64>, Failure>>()?;
    times.sort_by(f64::total_cmp);
    Ok(times)
}

fn percentile(sorted: &[f64], share: f64) -> f64 {
    sorted.get(((sorted.len() - 1) as f64 * share).round() as usize).copied().unwrap_or(0.0)
}

/// Every third question is as long as a prompt; the others are as long as a search.
fn question(number: usize) -> String {
    let mut random = Random(number as u64 * 977 + 5);
    let length = if number % 3 == 2 { 60 } else { 6 };
    format!("how do we use the {}", random.text(length))
}

/// Writes entries as files, as a clone would bring them.
fn fill(project: &Path, entries: usize) -> Result<(), Failure> {
    for (_, _, folder) in KINDS {
        std::fs::create_dir_all(project.join("knowledge").join(folder))?;
    }
    for number in 0..entries {
        let mut random = Random(number as u64 + 1);
        let (kind, prefix, _) = kind(number);
        let (area, day) = (number % 40, number % 28 + 1);
        let title = random.title(number);
        let description = random.text(16);
        let body: String =
            (0..5).map(|_| format!("\nThe {} is for {}.\n", random.text(12), random.text(10))).collect();
        let text = format!(
            "---\nid: {prefix}-2026-01-{day:02}-entry-{number}\ntype: {kind}\ntitle: \"{title}\"\n\
             description: \"{description}\"\ntags: [area{area}/part{}]\ncreated: 2026-01-{day:02}\n\
             status: current\nconfidence: high\nfiles: [src/area{area}/file{}.rs]\n---\n{body}",
            number % 7,
            number % 900,
        );
        std::fs::write(path(project, number), text)?;
    }
    Ok(())
}

const KINDS: [(&str, &str, &str); 4] = [
    ("decision", "dec", "decisions"),
    ("fact", "fac", "project"),
    ("architecture", "arc", "architecture"),
    ("preference", "prf", "preferences"),
];

/// Preferences are few in any base.
fn kind(number: usize) -> (&'static str, &'static str, &'static str) {
    KINDS[if number.is_multiple_of(50) { 3 } else { number % 3 }]
}

fn path(project: &Path, number: usize) -> PathBuf {
    project.join("knowledge").join(kind(number).2).join(format!("entry-{number}.md"))
}

fn title(number: usize) -> String {
    Random(number as u64 + 1).title(number)
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

    fn title(&mut self, number: usize) -> String {
        format!("{} {number}", self.text(7))
    }

    fn text(&mut self, words: usize) -> String {
        (0..words).map(|_| self.word()).collect::<Vec<_>>().join(" ")
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
