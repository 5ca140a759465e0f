//! Things anyone types when trying the product, through the program that users run.
//!
//! Scored as the script beside the sets does it, with its names: every message is a session of its own
//! in a project that knows twenty other things, and what counts is what lies on the disk, and what the
//! program prints, afterwards.

mod everyday;
mod page;
mod reversed;
mod rows;
mod said;
mod stage;
mod tally;

use std::sync::Mutex;

use jiff::Timestamp;

use self::rows::{Kept, Known, Passing, Poison, Prompt, Reversal};
use self::stage::Stage;
use self::tally::Tally;
use crate::context::{Context, Failure};
use crate::report::Report;
use crate::suites::program::program;

/// Something to be done on a stage of one's own.
enum Job {
    Kept(Kept),
    Passing(Passing),
    Reversal(Reversal),
    Poison(Poison),
    Everyday(Vec<Prompt>, Vec<Kept>),
}

/// Runs all sets, several stages at a time.
pub(crate) fn run(context: &Context) -> Result<Report, Failure> {
    let program = program(context)?;
    let known: Vec<Known> = context.json_lines("plain/base20.jsonl")?;
    let jobs = Mutex::new(jobs(context)?);
    let all = jobs.lock().map_or(0, |jobs| jobs.len());
    let now: Timestamp =
        format!("{}T12:00:00Z", context.setting_text("now").unwrap_or("2026-11-15")).parse()?;
    let began = std::time::Instant::now();
    let work = || -> Result<Tally, Failure> {
        let mut stage = Stage::new(&program, &known)?;
        let mut tally = Tally::default();
        loop {
            let Some((job, left)) = jobs.lock().ok().and_then(|mut jobs| Some((jobs.pop()?, jobs.len())))
            else {
                return Ok(tally);
            };
            if left % 50 == 0 {
                eprintln!("{} of {all}", all - left);
            }
            match job {
                Job::Kept(row) => said::kept(&mut stage, &row, now, &mut tally)?,
                Job::Passing(row) => said::passing(&mut stage, &row, now, &mut tally)?,
                Job::Poison(row) => said::poison(&mut stage, &row, now, &mut tally)?,
                Job::Reversal(row) => reversed::reversal(&mut stage, &row, now, &mut tally)?,
                Job::Everyday(prompts, kept) => {
                    let own = Stage::new(&program, &everyday::entries(&kept))?;
                    everyday::everyday(&own, &prompts, &kept, &mut tally)?;
                }
            }
        }
    };
    let workers = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let done: Vec<Result<Tally, Failure>> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let end = |one: std::thread::ScopedJoinHandle<'_, Result<Tally, Failure>>| {
            one.join().unwrap_or_else(|_| Err("a stage broke down".into()))
        };
        running.into_iter().map(end).collect()
    });
    let mut tally = Tally::default();
    for one in done {
        tally.join(one?);
    }
    let mut report = Report::default();
    tally.write(&mut report);
    report.set_number("seconds", began.elapsed().as_secs_f64());
    tally.dumped.sort_by_key(|row| (row["set"].to_string(), row["id"].to_string()));
    context.dump(&tally.dumped)?;
    Ok(report)
}

/// Lists what is to be done; what takes longest is taken first, from the end.
fn jobs(context: &Context) -> Result<Vec<Job>, Failure> {
    let wanted = |set: &str| context.setting_text("only").is_none_or(|only| only == set);
    let mut jobs = Vec::new();
    if wanted("poisoned") {
        jobs.extend(context.json_lines("plain/poisoned.jsonl")?.into_iter().map(Job::Poison));
    }
    if wanted("nonstatements") {
        jobs.extend(context.json_lines("plain/nonstatements.jsonl")?.into_iter().map(Job::Passing));
    }
    if wanted("statements") {
        jobs.extend(context.json_lines("plain/statements.jsonl")?.into_iter().map(Job::Kept));
    }
    if wanted("reversals") {
        jobs.extend(context.json_lines("plain/reversals.jsonl")?.into_iter().map(Job::Reversal));
    }
    if wanted("everyday") {
        let prompts = context.json_lines("plain/everyday.jsonl")?;
        jobs.push(Job::Everyday(prompts, context.json_lines("plain/statements.jsonl")?));
    }
    Ok(jobs)
}
