//! `lore view`

use std::path::PathBuf;

use lore_engine::Engine;
use lore_engine::view::{ViewOptions, ViewTotals};
use serde::Serialize;

use super::{Outcome, show};
use crate::error::Code;
use crate::loopback::Loopback;
use crate::ui::{Tone, Ui, counted, paint, sanitised};
use crate::view::{Reading, open_in_browser, page, serve};

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  lore view --open\n  lore view --out knowledge.html\n  lore view --serve --open"
)]
pub(super) struct Args {
    /// Write the page to this file, instead of where the base keeps its own state; `-` prints it
    #[arg(long, value_name = "FILE", conflicts_with = "serve")]
    out: Option<PathBuf>,
    /// Open it in your browser
    #[arg(long)]
    open: bool,
    /// Also show what is tagged `private`, and what editors asked, which quotes your sessions
    #[arg(long)]
    private: bool,
    /// Serve the page on this machine alone, so that you can keep, reject and settle on it; Ctrl-C ends it
    #[arg(long)]
    serve: bool,
    /// The port to serve it on, instead of any that is free
    #[arg(long, value_name = "N", requires = "serve", default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Say what would be written and write nothing
    #[arg(long, conflicts_with_all = ["serve", "open"])]
    dry_run: bool,
    /// One entry, which `lore show` shows
    #[arg(hide = true, conflicts_with_all = ["out", "open", "private", "serve", "dry_run"])]
    name: Option<String>,
}

#[derive(Debug, Serialize)]
struct Written<'a> {
    path: String,
    bytes: usize,
    #[serde(flatten)]
    totals: &'a ViewTotals,
    dry_run: bool,
}

impl Args {
    /// Tells whether a person can decide something with it.
    pub(super) fn serves(&self) -> bool {
        self.serve
    }

    /// Tells whether the page goes to standard output.
    pub(super) fn prints(&self) -> bool {
        self.out.as_ref().is_some_and(|out| out.as_os_str() == "-")
    }

    /// Returns what `lore show` takes, where one entry is named.
    pub(super) fn one_entry(&self) -> Option<show::Args> {
        self.name.clone().map(show::Args::of)
    }
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: &Args) -> Outcome {
    if args.serve {
        return served(ui, engine, args);
    }
    let view = engine.base_view(ViewOptions {
        private: args.private,
        questions: args.private,
        ..ViewOptions::default()
    })?;
    let page = page(&view, Reading::File)?;
    if args.prints() {
        ui.print(page);
        return Ok(Code::Done);
    }
    let path = engine.write_page(args.out.as_deref(), &page, args.dry_run)?;
    let told = path.display().to_string();
    if ui.is_json() {
        let written =
            Written { path: told.clone(), bytes: page.len(), totals: &view.totals, dry_run: args.dry_run };
        ui.json("lore.view.page/1", &written);
    } else {
        let would = if args.dry_run { "would write " } else { "" };
        let left_out = match view.totals.left_out {
            0 => String::new(),
            count => format!(", {count} private left out"),
        };
        ui.line(format!(
            "{would}{}  {}",
            sanitised(&told),
            paint(
                Tone::Faint,
                format!(
                    "{}{left_out}, {} KB",
                    counted(view.totals.entries, "entry", "entries"),
                    page.len().div_ceil(1024)
                )
            )
        ));
        if !args.open && !args.dry_run {
            ui.note("It needs nothing else: open it, send it, put it on a page. `--open` opens it, `--serve` lets you decide.");
        }
    }
    if args.open {
        open_in_browser(&told)?;
    }
    Ok(Code::Done)
}

fn served(ui: &Ui, engine: &Engine, args: &Args) -> Outcome {
    let options =
        ViewOptions { private: args.private, questions: true, versions: true, ..ViewOptions::default() };
    // What cannot be read is said now and not to a browser.
    engine.base_view(options)?;
    let (listener, door) = Loopback::open(args.port)?;
    let address = format!("{}/{}/", door.address(), door.secret());
    if ui.is_json() {
        ui.json("lore.view.served/1", &serde_json::json!({ "address": address }));
    } else {
        ui.line(&address);
        ui.note("Only this machine can open it, and only with this address. Ctrl-C ends it.");
    }
    if args.open {
        open_in_browser(&address)?;
    }
    serve(engine, &listener, &door, options)?;
    Ok(Code::Done)
}
