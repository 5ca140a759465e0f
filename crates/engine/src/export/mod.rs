//! Taking the base elsewhere: one Markdown document, JSON lines, or a folder that other programs read.

mod adr;
mod book;
mod folder;
mod inert;
mod prose;
mod vault;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::fmt::Write as _;
use std::path::Path;

use lore_core::{Entry, Kind, Status};
use lore_store::Summary;
use serde::Serialize;

pub use self::folder::FolderWritten;
pub(crate) use self::folder::is_page;
use self::folder::{Amount, Writing};
use crate::entries::Filter;
use crate::others::is_private;
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

/// What goes into one text.
#[derive(Debug, Clone, Default)]
pub struct ExportOptions {
    /// Which entries are wanted.
    pub filter: Filter,
    /// Also entries with the tag `private`.
    pub private: bool,
}

/// Entries as one text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exported {
    /// The text.
    pub text: String,
    /// How many wanted entries are left out because they are private.
    pub left_out: usize,
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
    /// Renders the wanted entries as one text; what is private is neither in it nor named by what is.
    pub fn export(&self, form: ExportForm, options: &ExportOptions) -> Result<Exported, Error> {
        let snapshot = self.store.snapshot()?;
        let stays = |summary: &Summary| !options.private && is_private(&summary.tags);
        let kept: Vec<&Summary> = snapshot.summaries().filter(|summary| stays(summary)).collect();
        let unnamed = Unnamed::of(&kept);
        let wanted: HashSet<&str> = snapshot
            .summaries()
            .filter(|summary| options.filter.fits(summary) && !stays(summary))
            .map(|summary| summary.path.as_str())
            .collect();
        let left_out = kept.iter().filter(|summary| options.filter.fits(summary)).count();
        let mut entries: Vec<_> = snapshot.read_all();
        entries.retain(|stored| wanted.contains(stored.path.as_str()));
        entries.sort_by(|a, b| a.entry.id.cmp(&b.entry.id));
        entries.iter_mut().for_each(|stored| unnamed.take_out_of(&mut stored.entry));
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
                let mut by_kind: HashMap<Kind, Vec<&Entry>> = HashMap::new();
                for stored in &entries {
                    by_kind.entry(stored.entry.kind).or_default().push(&stored.entry);
                }
                for kind in Kind::ALL {
                    if let Some(of_kind) = by_kind.get(&kind) {
                        let _ = write!(out, "\n## {}\n", kind.heading());
                        of_kind.iter().for_each(|entry| article(entry, &mut out));
                    }
                }
            }
        }
        Ok(Exported { text: out, left_out })
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
        let asked = |kind: Kind| {
            (kind != Kind::Signal || options.filter.kinds.contains(&kind))
                && (form != FolderForm::Adr || kind == Kind::Decision)
        };
        let fits = |summary: &Summary| asked(summary.kind) && options.filter.fits(summary);
        let wanted: BTreeSet<usize> = (0..view.entries.len())
            .filter(|at| snapshot.find(&view.entries[*at].id).is_some_and(fits))
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
        let stays = |summary: &Summary| !options.private && is_private(&summary.tags) && fits(summary);
        let left_out = snapshot.summaries().filter(|summary| stays(summary)).count();
        let writing = Writing { form: form.word(), replace: options.replace, dry_run: options.dry_run };
        let stones = self.store.tombstones();
        let is_ours = |entry: &str| {
            snapshot.find(entry).is_some() || stones.iter().any(|stone| stone.id.as_str() == entry)
        };
        folder::write(&folder, &leaves, Amount { entries, left_out }, writing, &is_ours)
    }
}

/// The names of entries that are left out, which what is taken along must not tell either: an id is made of a title.
struct Unnamed<'a> {
    names: HashSet<&'a str>,
    files: HashSet<&'a str>,
}

impl<'a> Unnamed<'a> {
    fn of(summaries: &[&'a Summary]) -> Unnamed<'a> {
        let aliases = summaries.iter().flat_map(|summary| summary.aliases.iter().map(String::as_str));
        let names = summaries.iter().map(|summary| summary.id.as_str()).chain(aliases).collect();
        Unnamed { names, files: summaries.iter().map(|summary| file_name(&summary.path)).collect() }
    }

    /// Takes the links to them out of an entry, and out of the list of links in its text.
    fn take_out_of(&self, entry: &mut Entry) {
        if self.names.is_empty() {
            return;
        }
        entry.links.retain(|link| !self.names.contains(link.target.as_str()));
        let leads_there = |line: &str| {
            let target = line.trim_start().strip_prefix("- [").and_then(|link| link.split_once("]("));
            let path = target.and_then(|(_, rest)| rest.split(')').next());
            path.is_some_and(|path| self.files.contains(file_name(path)))
        };
        let lines: Vec<&str> = entry.body.split_inclusive('\n').filter(|line| !leads_there(line)).collect();
        entry.body = lines.concat();
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
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
