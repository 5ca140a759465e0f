//! `lore` alone: where you are and what to do next.

use lore_engine::{Engine, Error};

use super::{Global, Outcome};
use crate::error::Code;
use crate::ui::{Tone, Ui, counted, paint};

pub(super) fn run(ui: &Ui, global: &Global) -> Outcome {
    let world = global.world()?;
    let opened = if global.personal { Engine::open_personal(world) } else { Engine::open(world) };
    match opened {
        Ok(engine) => {
            let status = engine.status()?;
            if ui.is_json() {
                ui.json("lore.status/1", &status);
                return Ok(Code::Done);
            }
            let entries = counted(status.entries, "entry", "entries");
            ui.line(format!("{} {entries} in {}", paint(Tone::Strong, "lore:"), status.base));
            if let Some(line) = status.news.line(engine.world().now) {
                ui.line(line);
            }
            let mut next = Vec::new();
            if status.entries == 0 {
                next.push(("lore new \"…\"", "write the first entry"));
                next.push(("lore import PATH", "take in another tool's store"));
            } else {
                next.push(("lore list", "see what is known"));
                next.push(("lore show ID", "read an entry"));
            }
            if !status.disputed.is_empty() {
                next.push(("lore list --status disputed", "settle what is disputed"));
            }
            if status.problems > 0 || !status.broken_links.is_empty() {
                next.push(("lore check", "see what is wrong with some files"));
            }
            suggestions(ui, &next);
        }
        Err(error @ (Error::NoBase(_) | Error::NoPersonalBase(_))) if !ui.is_json() => {
            ui.line(format!("{} {error}", paint(Tone::Strong, "lore:")));
            let init = if global.personal { "lore init --personal" } else { "lore init" };
            suggestions(ui, &[(init, "make one"), ("lore help", "see all commands")]);
        }
        Err(error) => return Err(error.into()),
    }
    Ok(Code::Done)
}

fn suggestions(ui: &Ui, next: &[(&str, &str)]) {
    ui.line("");
    for (command, what) in next {
        ui.line(format!("  {}  {what}", paint(Tone::Name, format!("{command:<28}"))));
    }
}
