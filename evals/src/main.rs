//! Measures quality and speed; never shipped.
//!
//! `lore-evals <suite> --data DIR [--json] [--dump FILE]` runs one suite over a folder of recorded
//! data and prints its figures. Suites go through the same code that users run. `lore-evals check`
//! holds figures against the bars, `lore-evals report` writes the page of all of them.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods, clippy::type_complexity)]

mod bars;
mod benchmarks;
#[path = "../../crates/app/tests/payloads/mod.rs"]
mod callers;
mod cells;
mod context;
mod corpus;
mod report;
mod results;
mod suites;
mod words;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use crate::bars::{Bar, Bars};
use crate::context::{Context, ContextOptions, Failure};
use crate::results::Outcome;

/// Measure one claim on recorded data
#[derive(Debug, Parser)]
#[command(name = "lore-evals", version)]
struct Args {
    /// Suite to run; or `list`, `check` (hold figures against the bars), `report` (write the page of figures)
    suite: String,
    #[command(flatten)]
    context: ContextOptions,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
    /// Folder with results: a suite writes its own there, `check` and `report` read all
    #[arg(long, value_name = "DIR")]
    results: Option<PathBuf>,
    /// Only the bars of these suites, for `check`
    #[arg(long = "suite", value_name = "NAME", num_args = 1..)]
    only: Vec<String>,
    /// Where `report` writes its page
    #[arg(long, value_name = "FILE", default_value = "docs/benchmarks.md")]
    out: PathBuf,
}

fn main() -> ExitCode {
    let args = Args::parse();
    match run(args) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(3)
        }
    }
}

fn run(args: Args) -> Result<ExitCode, Failure> {
    match args.suite.as_str() {
        "list" => {
            for (name, about, _) in suites::ALL {
                println!("{name:<14} {about}");
            }
            Ok(ExitCode::SUCCESS)
        }
        "check" => check(args),
        "report" => {
            let Some(folder) = &args.results else {
                eprintln!("error: there are no results to report\nhint: lore-evals report --results DIR");
                return Ok(ExitCode::from(2));
            };
            std::fs::write(&args.out, benchmarks::page(&Bars::shipped()?, &results::read(folder)?))?;
            println!("wrote {}", args.out.display());
            Ok(ExitCode::SUCCESS)
        }
        name => {
            let Some((name, _, run)) = suites::ALL.iter().find(|(own, ..)| *own == name) else {
                eprintln!("error: there is no suite `{name}`\nhint: lore-evals list");
                return Ok(ExitCode::from(2));
            };
            let data = args.context.data.clone();
            let report = run(&Context::new(args.context))?;
            if let Some(folder) = &args.results {
                Outcome::now(name, &data, report.figures().clone()).save(folder)?;
            }
            if args.json {
                println!("{}", report.to_json());
            } else {
                print!("{}", report.to_table());
            }
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Holds results against the bars; without results the suites are run.
fn check(args: Args) -> Result<ExitCode, Failure> {
    let bars = Bars::shipped()?;
    let wanted = |bar: &&Bar| args.only.is_empty() || args.only.contains(&bar.suite);
    let wanted: Vec<&Bar> = bars.bar.iter().filter(wanted).collect();
    if wanted.is_empty() {
        eprintln!(
            "error: there is no bar for `{}`\nhint: evals/thresholds.toml lists them",
            args.only.join(" ")
        );
        return Ok(ExitCode::from(2));
    }
    let found = match &args.results {
        Some(folder) => results::read(folder)?,
        None => {
            let data = args.context.data.clone();
            let context = Context::new(args.context);
            let mut found: BTreeMap<String, Outcome> = BTreeMap::new();
            for (name, _, run) in
                suites::ALL.iter().filter(|(name, ..)| wanted.iter().any(|bar| bar.suite == *name))
            {
                eprintln!("{name} …");
                let report = run(&context)?;
                found.insert((*name).to_owned(), Outcome::now(name, &data, report.figures().clone()));
            }
            found
        }
    };
    let (table, fine) = bars::check(&wanted, &found);
    print!("{table}");
    Ok(if fine { ExitCode::SUCCESS } else { ExitCode::from(1) })
}
