//! `lore export`

use std::path::{Path, PathBuf};

use lore_engine::Engine;
use lore_engine::export::{ExportForm, ExportOptions, FolderForm, FolderOptions, FolderWritten};

use super::{Outcome, list};
use crate::error::Code;
use crate::ui::{Tone, Ui, counted, paint, sanitised};

/// So many files are named; the rest is counted.
const NAMED: usize = 12;
const RULE: (&str, &str) = ("confirmed rule", "confirmed rules");

#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  lore export --status current > knowledge.md\n  lore export --agents-md --dry-run\n  lore export --adr docs/decisions\n  lore export --mdbook book && mdbook build book\n  lore export --obsidian ~/vault/project"
)]
pub(super) struct Args {
    /// Write the rules that people confirmed into AGENTS.md, between marks; from then on workers keep them current
    #[arg(long, group = "target")]
    agents_md: bool,
    /// Keep a folder of numbered decision records (ADR): numbers stay, the status follows the entry
    #[arg(long, value_name = "DIR", group = "target")]
    adr: Option<PathBuf>,
    /// Keep a book for mdBook: book.toml, a summary, a page for each entry
    #[arg(long, value_name = "DIR", group = "target")]
    mdbook: Option<PathBuf>,
    /// Keep notes for Obsidian, linked, with tags and aliases
    #[arg(long, value_name = "DIR", group = "target")]
    obsidian: Option<PathBuf>,
    /// Also replace what somebody changed in what we wrote
    #[arg(long, requires = "target")]
    replace: bool,
    /// Also take what is tagged `private`
    #[arg(long, conflicts_with = "agents_md")]
    private: bool,
    /// Show what would be written and write nothing
    #[arg(long, requires = "target")]
    dry_run: bool,
    #[command(flatten)]
    filter: list::FilterArgs,
}

impl Args {
    fn folder(&self) -> Option<(FolderForm, &Path)> {
        let adr = self.adr.as_deref().map(|folder| (FolderForm::Adr, folder));
        let mdbook = self.mdbook.as_deref().map(|folder| (FolderForm::Mdbook, folder));
        adr.or(mdbook).or(self.obsidian.as_deref().map(|folder| (FolderForm::Obsidian, folder)))
    }
}

pub(super) fn run(ui: &Ui, engine: &Engine, args: &Args) -> Outcome {
    if args.agents_md {
        return rules(ui, engine, args);
    }
    let filter = args.filter.clone().resolve(engine)?;
    if let Some((form, folder)) = args.folder() {
        let options =
            FolderOptions { filter, private: args.private, replace: args.replace, dry_run: args.dry_run };
        return pages(ui, form, &engine.export_folder(form, folder, &options)?);
    }
    let form = if ui.is_json() { ExportForm::Json } else { ExportForm::Markdown };
    let done = engine.export(form, &ExportOptions { filter, private: args.private })?;
    match form {
        ExportForm::Json => ui.json_lines(&done.text),
        ExportForm::Markdown => ui.print(done.text),
    }
    left_out(ui, done.left_out);
    Ok(Code::Done)
}

/// Says what stayed at home and how to take it along.
fn left_out(ui: &Ui, count: usize) {
    if count > 0 {
        let entries = counted(count, "private entry is", "private entries are");
        ui.note(format!("{entries} left out; `--private` takes that along too."));
    }
}

fn pages(ui: &Ui, form: FolderForm, done: &FolderWritten) -> Outcome {
    let code = if done.theirs.is_empty() { Code::Done } else { Code::No };
    if ui.is_json() {
        let schema = match form {
            FolderForm::Adr => "lore.export.adr/1",
            FolderForm::Mdbook => "lore.export.mdbook/1",
            FolderForm::Obsidian => "lore.export.obsidian/1",
        };
        ui.json(schema, done);
        return Ok(code);
    }
    let would = if done.dry_run { "would be " } else { "" };
    ui.line(format!(
        "{}: {}; {} {would}written, {} unchanged, {} {would}removed",
        sanitised(&done.folder.display().to_string()),
        counted(done.entries, "entry", "entries"),
        counted(done.written.len(), "file", "files"),
        done.unchanged,
        done.removed.len()
    ));
    if done.dry_run {
        named(ui, "write ", &done.written);
    }
    named(ui, "remove", &done.removed);
    named(ui, "left  ", &done.theirs);
    if !done.theirs.is_empty() {
        ui.note("What somebody wrote or changed is left as it is; `--replace` writes our own pages anew.");
    }
    left_out(ui, done.left_out);
    Ok(code)
}

fn named(ui: &Ui, what: &str, paths: &[String]) {
    for path in paths.iter().take(NAMED) {
        ui.line(format!("  {} {}", paint(Tone::Faint, what), sanitised(path)));
    }
    if paths.len() > NAMED {
        ui.line(paint(Tone::Faint, format!("  {what} {} more", paths.len() - NAMED)));
    }
}

fn rules(ui: &Ui, engine: &Engine, args: &Args) -> Outcome {
    let done = engine.write_rules(args.replace, args.dry_run)?;
    if ui.is_json() {
        ui.json("lore.export.agents_md/1", &done);
    } else if args.dry_run {
        ui.print(sanitised(&done.text));
    } else if done.theirs {
        ui.line("AGENTS.md: left as it is, because somebody changed what stands between the marks");
        ui.note("`--replace` writes it anew, `--dry-run` shows how it would be.");
    } else {
        let what = match (done.changed, done.rules) {
            (true, 0) => "the block is gone, because no rule is confirmed".to_owned(),
            (false, 0) => "no rule is confirmed yet; `lore review` does that".to_owned(),
            (true, count) => format!("{} written", counted(count, RULE.0, RULE.1)),
            (false, count) => format!("{}, nothing to do", counted(count, RULE.0, RULE.1)),
        };
        ui.line(format!("AGENTS.md: {what}"));
    }
    Ok(if done.theirs { Code::No } else { Code::Done })
}
