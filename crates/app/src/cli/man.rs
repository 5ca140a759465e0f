//! `lore man`

use clap::CommandFactory as _;

use super::Outcome;
use crate::error::{Code, Failure};
use crate::ui::Ui;

pub(super) fn run(ui: &Ui) -> Outcome {
    let mut page = Vec::new();
    clap_mangen::Man::new(super::Args::command())
        .render(&mut page)
        .map_err(|e| Failure::environment("cannot render the manual page", &e))?;
    ui.print(String::from_utf8_lossy(&page));
    Ok(Code::Done)
}
