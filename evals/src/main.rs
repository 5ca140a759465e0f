//! Measures quality and speed; never shipped.
//!
//! `lore-evals <suite> --data DIR [--json] [--dump FILE]` runs one suite over a folder of recorded
//! data and prints its figures. Suites go through the same code that users run.
#![allow(clippy::print_stdout, clippy::print_stderr, clippy::disallowed_methods, clippy::type_complexity)]

mod context;
mod report;
mod suites;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;

use crate::context::Context;

/// Measure one claim on recorded data
#[derive(Debug, Parser)]
#[command(name = "lore-evals", version)]
struct Args {
    /// Suite to run, or `list`
    suite: String,
    /// Folder with the recorded data
    #[arg(long, default_value = "data")]
    data: PathBuf,
    /// Folder with unpacked transcripts, instead of the archives in the data folder
    #[arg(long)]
    transcripts: Option<PathBuf>,
    /// Folder with bare clones as `<owner>+<name>/repo`
    #[arg(long)]
    repos: Option<PathBuf>,
    /// Folder with an embedding model in Hugging Face layout
    #[arg(long)]
    model: Option<PathBuf>,
    /// Write what the product produced, one JSON object per line
    #[arg(long)]
    dump: Option<PathBuf>,
    /// Print one JSON object instead of a table
    #[arg(long)]
    json: bool,
    /// Further settings of the suite, as `name=value`
    #[arg(long = "set", value_name = "NAME=VALUE")]
    settings: Vec<String>,
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
    let context = Context::new(args.data, args.transcripts, args.repos, args.model, args.dump, args.settings);
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
