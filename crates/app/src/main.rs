//! The `lore` binary: parses arguments, runs one command, returns its exit code.

mod cli;
mod columns;
mod error;
mod loopback;
mod mcp;
mod pager;
mod screen;
mod ui;
mod view;

use std::process::ExitCode;

fn main() -> ExitCode {
    let args = match cli::Args::read() {
        Ok(args) => args,
        Err(failure) => return failure.report(&ui::Ui::new(ui::Output { json: true, quiet: false })).into(),
    };
    let ui = ui::Ui::new(args.output());
    let outcome = cli::run(&ui, args);
    match outcome {
        Ok(code) => code.into(),
        Err(failure) => failure.report(&ui).into(),
    }
}
