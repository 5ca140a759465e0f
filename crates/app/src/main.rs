//! The `lore` binary: parses arguments, runs one command, returns its exit code.

mod cli;
mod error;
mod loopback;
mod mcp;
mod pager;
mod screen;
mod ui;
mod view;

use std::process::ExitCode;

fn main() -> ExitCode {
    let args = cli::Args::read();
    let ui = ui::Ui::new(args.output());
    let outcome = cli::run(&ui, args);
    match outcome {
        Ok(code) => code.into(),
        Err(failure) => failure.report(&ui).into(),
    }
}
