//! Measures quality and speed; never shipped.
//!
//! `lore-evals <suite> --data DIR [--json] [--dump FILE]` runs one suite over a folder of recorded
//! data and prints its figures. Suites go through the same code that users run.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods, clippy::type_complexity)]

mod cells;
mod context;
mod corpus;
mod report;
mod suites;
mod words;

use std::process::ExitCode;

use clap::Parser;

use crate::context::{Context, ContextOptions};

/// Measure one claim on recorded data
#[derive(Debug, Parser)]
#[command(name = "lore-evals", version)]
struct Args {
    /// Suite to run, or `list`
    suite: String,
    #[command(flatten)]
    context: ContextOptions,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
}

fn main() -> ExitCode {
    let args = Args::parse();
    if args.suite == "list" {
        for (name, about, _) in suites::ALL {
            println!("{name:<12} {about}");
        }
        return ExitCode::SUCCESS;
    }
    let Some((_, _, run)) = suites::ALL.iter().find(|(name, ..)| *name == args.suite) else {
        eprintln!("error: there is no suite `{}`\nhint: lore-evals list", args.suite);
        return ExitCode::from(2);
    };
    let json = args.json;
    let context = Context::new(args.context);
    match run(&context) {
        Ok(report) if json => println!("{}", report.to_json()),
        Ok(report) => print!("{}", report.to_table()),
        Err(error) => {
            eprintln!("error: {error}");
            return ExitCode::from(3);
        }
    }
    ExitCode::SUCCESS
}
