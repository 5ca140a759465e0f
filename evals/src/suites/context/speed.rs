//! How long an agent waits for us, in processes that have just begun.

use std::path::Path;
use std::time::Instant;

use jiff::Timestamp;
use lore_engine::{Engine, InitOptions};

use super::world;
use crate::context::{Context, Failure};
use crate::report::Report;
use crate::suites::program::Lore;

/// Each is measured this often.
const RUNS: usize = 40;

pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let entries = context.setting("entries", 10_000);
    let scratch = tempfile::tempdir()?;
    let project = scratch.path().join("project");
    std::fs::create_dir_all(&project)?;
    let world = world(&project, "2026-02-20T12:00:00Z".parse::<Timestamp>()?);
    Engine::init(&world, &InitOptions { project: Some(project.clone()), ..InitOptions::default() })?;
    fill(&project, entries)?;
    let lore = Lore::found(context, &project)?;
    // The first run makes cache and index; it is not what an agent meets every day.
    let first = lore.time(&["context", "--prompt", "warm up the shelf"], "")?;
    let mut report = Report::default();
    report.set("entries", entries);
    report.set_number("first_run_ms", first);
    let version = report_times(&mut report, "version", || lore.time(&["--version"], ""))?;
    let mut number = 0;
    let told = report_times(&mut report, "context", || {
        number += 1;
        let prompt = format!("why does the {} of the {} fail", word(number * 7), word(number * 13));
        lore.time(&["context", "--prompt", &prompt], "")
    })?;
    report.set_number("context_of_version", told / version);
    let message = |event: &str, more: &str| {
        let cwd = project.display();
        format!(
            "{{\"session_id\":\"s-1\",\"hook_event_name\":\"{event}\",\"cwd\":\"{cwd}\",\
             \"transcript_path\":\"{cwd}/none.jsonl\"{more}}}"
        )
    };
    let hook = |event: &str, more: &str| lore.time(&["hook", "claude-code", event], &message(event, more));
    report_times(&mut report, "hook_start", || hook("SessionStart", ",\"source\":\"clear\""))?;
    report_times(&mut report, "hook_prompt", || {
        number += 1;
        let prompt =
            format!(",\"prompt\":\"why does the {} of the {} fail\"", word(number), word(number * 3));
        hook("UserPromptSubmit", &prompt)
    })?;
    report_times(&mut report, "hook_end", || hook("SessionEnd", ",\"reason\":\"other\""))?;
    freshness(&project, &mut report)?;
    Ok(report)
}

/// Judges fifty conditions twice over the same project.
fn freshness(project: &Path, report: &mut Report) -> Result<(), Failure> {
    let mut lock = String::from("version = 4\n");
    for number in 0..50 {
        lock.push_str(&format!("\n[[package]]\nname = \"crate-{number}\"\nversion = \"1.{number}.0\"\n"));
        let file = project.join(format!("src/module{number}.rs"));
        std::fs::create_dir_all(file.parent().ok_or("no folder")?)?;
        std::fs::write(file, format!("pub fn function{number}() {{}}\n"))?;
    }
    std::fs::write(project.join("Cargo.lock"), lock)?;
    std::fs::write(project.join("Cargo.toml"), "[package]\nname = \"sample\"\nversion = \"0.1.0\"\n")?;
    let condition = |number: usize| match number % 3 {
        0 => format!("crate-{number} >= 1.2"),
        1 => format!("src/module{number}.rs exists"),
        _ => format!("symbol function{number} in src/module{number}.rs"),
    };
    let conditions: Vec<String> = (0..50).map(condition).collect();
    let engine = Engine::open(world(project, "2026-02-20T12:00:00Z".parse::<Timestamp>()?))?;
    let judge = || -> Result<(f64, usize), Failure> {
        let start = Instant::now();
        let judged = engine.judge_conditions(&conditions)?;
        Ok((start.elapsed().as_secs_f64() * 1000.0, judged))
    };
    let (cold, told) = judge()?;
    let mut warm = Vec::new();
    for _ in 0..RUNS {
        warm.push(judge()?.0);
    }
    warm.sort_by(f64::total_cmp);
    report.set("freshness_told", told);
    report.set_number("freshness_50_cold_ms", cold);
    report.set_number("freshness_50_warm_ms", warm[warm.len() / 2]);
    Ok(())
}

fn report_times(
    report: &mut Report,
    name: &str,
    mut run: impl FnMut() -> Result<f64, Failure>,
) -> Result<f64, Failure> {
    let mut times = Vec::new();
    for _ in 0..RUNS {
        times.push(run()?);
    }
    times.sort_by(f64::total_cmp);
    let middle = times[times.len() / 2];
    report.set_number(&format!("{name}_p50_ms"), middle);
    report.set_number(&format!("{name}_p95_ms"), times[times.len() * 95 / 100]);
    Ok(middle)
}

/// Writes entries as files, as a clone would bring them.
pub(in crate::suites) fn fill(project: &Path, entries: usize) -> Result<(), Failure> {
    const KINDS: [(&str, &str, &str); 4] = [
        ("decision", "dec", "decisions"),
        ("fact", "fac", "project"),
        ("architecture", "arc", "architecture"),
        ("preference", "prf", "preferences"),
    ];
    for number in 0..entries {
        // Preferences are few in any base.
        let (kind, prefix, folder) = KINDS[if number % 50 == 0 { 3 } else { number % 3 }];
        let some = |seed: usize| word(number * 31 + seed * 17);
        let title = format!("The {} of the {} {}", some(1), some(2), number);
        let slug = format!("entry-{number}");
        let text = format!(
            "---\nid: {prefix}-2026-01-{:02}-{slug}\ntype: {kind}\ntitle: \"{title}\"\ndescription: \"{} {}\"\n\
             tags: [{}, {}]\ncreated: 2026-01-{:02}\nstatus: current\nconfidence: high\nrelated: [{prefix}-2026-01-01-entry-{}]\n---\n\n\
             {title} uses {} because {} and {} need {}. It was {} before {}.\n",
            number % 28 + 1,
            some(3),
            some(4),
            some(5),
            some(6),
            number % 28 + 1,
            number / 28 * 28,
            some(7),
            some(8),
            some(9),
            some(10),
            some(11),
            some(12)
        );
        let path = project.join("knowledge").join(folder);
        std::fs::create_dir_all(&path)?;
        std::fs::write(path.join(format!("{slug}.md")), text)?;
    }
    Ok(())
}

/// A made-up language of a few thousand words.
pub(in crate::suites) fn word(seed: usize) -> String {
    const PARTS: [&str; 16] = [
        "bo", "ka", "ri", "te", "lu", "san", "mi", "dor", "fen", "gal", "hu", "per", "vi", "zo", "qua", "ny",
    ];
    let mixed = seed.wrapping_mul(2_654_435_761) >> 3;
    (0..3).map(|at| PARTS[(mixed >> (4 * at)) % 16]).collect()
}
