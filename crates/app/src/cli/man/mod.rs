//! `lore man`

mod markdown;

use std::path::PathBuf;

use clap::CommandFactory as _;

use super::Outcome;
use crate::error::{Code, Failure};
use crate::ui::Ui;

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  lore man > lore.1\n  lore man install | man -l -\n  lore man --out ~/.local/share/man/man1\n  lore man --markdown > docs/commands.md"
)]
pub(super) struct Args {
    /// A command, for its own page
    command: Option<String>,
    /// Write the pages of all commands into this folder
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    out: Option<PathBuf>,
    /// Print one Markdown page of all commands
    #[arg(long, conflicts_with_all = ["command", "out"])]
    markdown: bool,
}

pub(super) fn run(ui: &Ui, args: &Args) -> Outcome {
    let mut whole = super::Args::command();
    whole.build();
    if args.markdown {
        ui.print_whole(&markdown::page(&whole));
        return Ok(Code::Done);
    }
    if let Some(folder) = &args.out {
        let failed = |error: std::io::Error| Failure::environment("cannot write the manual pages", &error);
        std::fs::create_dir_all(folder).map_err(failed)?;
        clap_mangen::generate_to(whole, folder).map_err(failed)?;
        if ui.is_json() {
            ui.json("lore.page/1", &serde_json::json!({ "folder": folder }));
        } else {
            ui.line(format!("the manual pages are in {}", folder.display()));
        }
        return Ok(Code::Done);
    }
    let command = match &args.command {
        None => whole,
        Some(name) => whole.find_subcommand(name).cloned().ok_or_else(|| {
            Failure::usage(format!("there is no command `{name}`"), "`lore --help` lists them")
        })?,
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command)
        .render(&mut page)
        .map_err(|e| Failure::environment("cannot render the manual page", &e))?;
    ui.print_whole(&String::from_utf8_lossy(&page));
    Ok(Code::Done)
}
