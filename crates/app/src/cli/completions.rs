//! `lore completions`

use clap::CommandFactory as _;
use clap_complete::Shell;

use super::Outcome;
use crate::error::Code;
use crate::ui::Ui;

#[derive(Debug, clap::Args)]
#[command(after_help = "Example:\n  lore completions bash > ~/.local/share/bash-completion/completions/lore")]
pub(super) struct Args {
    /// Your shell
    shell: Shell,
}

pub(super) fn run(ui: &Ui, args: &Args) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut super::Args::command(), "lore", &mut script);
    ui.print(String::from_utf8_lossy(&script));
    Ok(Code::Done)
}
