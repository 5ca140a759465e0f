//! Taking the base elsewhere: one Markdown document, JSON lines, or a copy of the bundle.

use std::fmt::Write as _;

use lore_core::{Entry, Kind, Status};
use serde::Serialize;

use crate::entries::Filter;
use crate::view::heading;
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
                        let _ = write!(out, "\n## {}\n", heading(kind));
                        of_kind.for_each(|stored| article(&stored.entry, &mut out));
                    }
                }
            }
        }
        Ok(out)
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
