//! Taking the base elsewhere: one Markdown document, JSON lines, or a folder that other programs read.

mod adr;
mod book;
mod folder;
mod inert;
mod prose;
mod vault;

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use lore_core::{Entry, Kind, Status};
use serde::Serialize;

pub use self::folder::FolderWritten;
use self::folder::Writing;
pub(crate) use self::folder::is_page;
use crate::entries::Filter;
use crate::view::ViewOptions;
use crate::{Engine, Error};

/// The form of an export.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ExportForm {
    /// One readable document, kind by kind.
    #[default]
    Markdown,
    /// One JSON object per line and entry.
    Json,
}

/// What a folder of pages is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FolderForm {
    /// Decisions as numbered records.
    Adr,
    /// A book that mdBook builds.
    Mdbook,
    /// Notes that Obsidian links.
    Obsidian,
}

impl FolderForm {
    /// Returns the word for it, which is part of the mark of every file.
    pub const fn word(self) -> &'static str {
        match self {
            FolderForm::Adr => "adr",
            FolderForm::Mdbook => "mdbook",
            FolderForm::Obsidian => "obsidian",
        }
    }
}

/// How a folder of pages is written.
#[derive(Debug, Clone, Default)]
pub struct FolderOptions {
    /// Which entries are wanted; raw signals only where they are asked for by kind.
    pub filter: Filter,
    /// Also entries with the tag `private`.
    pub private: bool,
    /// Also replace pages of ours that somebody changed.
    pub replace: bool,
    /// Write nothing.
    pub dry_run: bool,
}

/// An entry as exports carry it.
#[derive(Debug, Serialize)]
struct Line<'a> {
    path: &'a str,
    #[serde(flatten)]
    entry: &'a Entry,
}

impl Engine {
    /// Renders the wanted entries as one text.
    pub fn export(&self, form: ExportForm, filter: &Filter) -> Result<String, Error> {
        let snapshot = self.store.snapshot()?;
        let wanted =
            |path: &str| snapshot.summaries().any(|summary| summary.path == path && filter.fits(summary));
        let mut entries: Vec<_> =
            snapshot.read_all().into_iter().filter(|stored| wanted(&stored.path)).collect();
        entries.sort_by(|a, b| a.entry.id.cmp(&b.entry.id));
        let mut out = String::new();
        match form {
            ExportForm::Json => {
                for stored in &entries {
                    let line = Line { path: &stored.path, entry: &stored.entry };
                    out.push_str(&serde_json::to_string(&line).unwrap_or_default());
                    out.push('\n');
                }
            }
            ExportForm::Markdown => {
                out.push_str("# Knowledge base\n");
                for kind in Kind::ALL {
                    let mut of_kind = entries.iter().filter(|stored| stored.entry.kind == kind).peekable();
                    if of_kind.peek().is_some() {
                        let _ = write!(out, "\n## {}\n", kind.heading());
                        of_kind.for_each(|stored| article(&stored.entry, &mut out));
                    }
                }
            }
        }
        Ok(out)
    }

    /// Brings a folder into step with the base: writes what is new or changed, removes what no longer
    /// applies, and leaves alone what is not ours.
    pub fn export_folder(
        &self,
        form: FolderForm,
        folder: &Path,
        options: &FolderOptions,
    ) -> Result<FolderWritten, Error> {
        let folder = self.world.directory.join(folder);
        let real = folder.canonicalize().unwrap_or_else(|_| folder.clone());
        let base = self.root().canonicalize().unwrap_or_else(|_| self.root().to_owned());
        if real.starts_with(&base) {
            return Err(Error::request(
                format!(
                    "`{}` lies in the base itself, where pages would be taken for entries",
                    folder.display()
                ),
                "name a folder outside of it",
            ));
        }
        let archived = options.filter.archived;
        let view =
            self.base_view(ViewOptions { private: options.private, archived, ..ViewOptions::default() })?;
        let snapshot = self.store.snapshot()?;
        let asked = |kind: Kind| kind != Kind::Signal || options.filter.kinds.contains(&kind);
        let wanted: BTreeSet<usize> = (0..view.entries.len())
            .filter(|at| {
                let summary = snapshot.find(&view.entries[*at].id);
                summary.is_some_and(|summary| asked(summary.kind) && options.filter.fits(summary))
            })
            .collect();
        let (leaves, entries) = match form {
            FolderForm::Adr => {
                let listing = std::fs::read_dir(&folder).into_iter().flatten().flatten();
                let taken: Vec<String> =
                    listing.filter_map(|item| item.file_name().into_string().ok()).collect();
                let names = adr::names(&view, &wanted, &folder::marked(&folder, form.word()), &taken);
                (adr::leaves(&view, &names), names.len())
            }
            FolderForm::Mdbook => (book::leaves(&view, &wanted), wanted.len()),
            FolderForm::Obsidian => (vault::leaves(&view, &wanted), wanted.len()),
        };
        let writing = Writing { form: form.word(), replace: options.replace, dry_run: options.dry_run };
        folder::write(&folder, &leaves, entries, writing)
    }
}

fn article(entry: &Entry, out: &mut String) {
    let status = if entry.status == Status::Current { String::new() } else { format!(" ({})", entry.status) };
    let _ = write!(out, "\n### {}{status}\n\n`{}`\n", entry.title, entry.id);
    let body = entry.body.trim();
    let body = body.strip_prefix(&format!("# {}", entry.title)).unwrap_or(body).trim();
    for line in body.lines() {
        // Headings of the article go below its own heading in the document.
        let deeper = if line.starts_with('#') { "##" } else { "" };
        let _ = write!(out, "\n{deeper}{line}");
    }
    out.push('\n');
}
