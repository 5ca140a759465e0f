//! Bringing a folder of pages into step with the base, and leaving alone what is not ours.
//!
//! Each file we write ends with a mark: for which form, of which entry, and the hash of everything above it.
//! A file without a mark is somebody's; one whose hash no longer fits was edited by somebody since.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use lore_core::ContentHash;
use lore_store::derived::Derived;
use serde::Serialize;

use super::FolderForm;
use crate::Error;

/// The mark of a file that is about no single entry.
pub(super) const NONE: &str = "-";

/// A file as it is to be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Leaf {
    /// Its path in the folder, with `/` between parts.
    pub(super) path: String,
    /// The entry it is about, or [`NONE`].
    pub(super) entry: String,
    /// Its text without the mark.
    pub(super) text: String,
}

/// A file of ours as it stands in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Marked {
    /// The entry it is about.
    pub(super) entry: String,
    /// Whether it is as we left it.
    pub(super) intact: bool,
}

/// What became of a folder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FolderWritten {
    /// The folder.
    pub folder: PathBuf,
    /// How many entries stand in it.
    pub entries: usize,
    /// How many wanted entries are left out because they are private.
    pub left_out: usize,
    /// Files that were written or written anew.
    pub written: Vec<String>,
    /// Files that are as they have to be.
    pub unchanged: usize,
    /// Files of ours that no longer apply and were removed.
    pub removed: Vec<String>,
    /// Files that somebody wrote or changed, so that they were left alone.
    pub theirs: Vec<String>,
    /// Whether only a rehearsal was asked for.
    pub dry_run: bool,
}

/// How many entries a folder is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Amount {
    /// Those that stand in it.
    pub(super) entries: usize,
    /// Those that are wanted and left out because they are private.
    pub(super) left_out: usize,
}

/// How a folder is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Writing {
    /// The word of the form, which is part of every mark.
    pub(super) form: &'static str,
    /// Also replace files of ours that somebody changed.
    pub(super) replace: bool,
    /// Write nothing.
    pub(super) dry_run: bool,
}

/// Lists the files of a form in a folder, with their marks; hidden folders and links are not looked into.
pub(super) fn marked(folder: &Path, form: &str) -> BTreeMap<String, Marked> {
    let mut found = BTreeMap::new();
    let mut folders = vec![String::new()];
    while let Some(below) = folders.pop() {
        let Ok(listing) = std::fs::read_dir(folder.join(&below)) else { continue };
        for item in listing.flatten() {
            let Ok(name) = item.file_name().into_string() else { continue };
            let Ok(sort) = item.file_type() else { continue };
            let path = if below.is_empty() { name.clone() } else { format!("{below}/{name}") };
            if sort.is_dir() && !name.starts_with('.') {
                folders.push(path);
            } else if sort.is_file() && (name.ends_with(".md") || name == "book.toml") {
                let text = std::fs::read_to_string(folder.join(&path)).unwrap_or_default();
                found.extend(read_mark(&text, form).map(|mark| (path, mark)));
            }
        }
    }
    found
}

/// Brings a folder into step: writes what is new or changed, removes what no longer applies.
pub(super) fn write(
    folder: &Path,
    leaves: &[Leaf],
    amount: Amount,
    writing: Writing,
    is_ours: &dyn Fn(&str) -> bool,
) -> Result<FolderWritten, Error> {
    let mut there = marked(folder, writing.form);
    // Records lie side by side, and what lies below them is another export's.
    there.retain(|path, _| writing.form != FolderForm::Adr.word() || !path.contains('/'));
    let derived = Derived::ordinary(folder);
    let mut done = FolderWritten {
        folder: folder.to_owned(),
        entries: amount.entries,
        left_out: amount.left_out,
        written: Vec::new(),
        unchanged: 0,
        removed: Vec::new(),
        theirs: Vec::new(),
        dry_run: writing.dry_run,
    };
    let may = |mark: Option<&Marked>| mark.is_some_and(|mark| mark.intact || writing.replace);
    for leaf in leaves {
        let text = with_mark(leaf, writing.form);
        let path = folder.join(&leaf.path);
        match std::fs::symlink_metadata(&path) {
            Ok(_) if std::fs::read(&path).is_ok_and(|now| now == text.as_bytes()) => done.unchanged += 1,
            Ok(_) if !may(there.get(&leaf.path)) => done.theirs.push(leaf.path.clone()),
            _ => {
                if !writing.dry_run {
                    derived.write(&leaf.path, text.as_bytes())?;
                }
                done.written.push(leaf.path.clone());
            }
        }
    }
    let wanted: HashSet<&str> = leaves.iter().map(|leaf| leaf.path.as_str()).collect();
    for (path, mark) in &there {
        if wanted.contains(path.as_str()) {
            continue;
        }
        // What tells of an entry that this base never held is another base's.
        if !may(Some(mark)) || mark.entry != NONE && !is_ours(&mark.entry) {
            done.theirs.push(path.clone());
            continue;
        }
        if !writing.dry_run {
            derived.remove(path)?;
            // A folder in which nothing is left goes too; one in which something is does not.
            if let Some(parent) = folder.join(path).parent().filter(|parent| *parent != folder) {
                let _ = std::fs::remove_dir(parent);
            }
        }
        done.removed.push(path.clone());
    }
    Ok(done)
}

fn with_mark(leaf: &Leaf, form: &str) -> String {
    let text = format!("{}\n", leaf.text.trim_end());
    let entry: String =
        leaf.entry.chars().filter(|c| c.is_ascii_alphanumeric() || "-._/".contains(*c)).collect();
    let (open, close) = if leaf.path.ends_with(".toml") { ("#", "") } else { ("<!--", " -->") };
    format!("{text}\n{open} lore export {form} {entry} {}{close}\n", hash(&text))
}

/// Tells whether a text is a page of ours, of whatever form, as we left it: it says nothing that the base does not.
pub(crate) fn is_page(text: &str) -> bool {
    text.contains(" lore export ") && mark_of(text).is_some_and(|(_, mark)| mark.intact)
}

/// Reads the mark at the end of a file, where it is one of this form.
fn read_mark(text: &str, form: &str) -> Option<Marked> {
    mark_of(text).filter(|(of, _)| of == form).map(|(_, mark)| mark)
}

/// Reads the mark of a file and the form it is of. What somebody wrote below it makes the file theirs, not another.
fn mark_of(text: &str) -> Option<(String, Marked)> {
    // Git may have given the lines other ends.
    let text = text.replace('\r', "");
    let text = text.trim_end();
    let begins = [text.rfind("\n\n<!-- lore export "), text.rfind("\n\n# lore export ")];
    let at = begins.into_iter().flatten().max()?;
    let (above, mark) = (&text[..at], &text[at + 2..]);
    let (mark, below) = mark.split_once('\n').unwrap_or((mark, ""));
    let in_comment = mark.strip_prefix("<!-- ").and_then(|mark| mark.strip_suffix(" -->"));
    let mut words = in_comment.or_else(|| mark.strip_prefix("# "))?.strip_prefix("lore export ")?.split(' ');
    let (of, entry, known) = (words.next()?, words.next()?, words.next()?);
    let intact = hash(&format!("{above}\n")) == known && words.next().is_none() && below.is_empty();
    Some((of.to_owned(), Marked { entry: entry.to_owned(), intact }))
}

fn hash(text: &str) -> String {
    ContentHash::of(text.as_bytes()).short().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_tells_whose_a_file_is() {
        let leaf = |path: &str| Leaf {
            path: path.to_owned(),
            entry: "dec-1".to_owned(),
            text: "# One\n\nText.\n\n".to_owned(),
        };
        for path in ["a.md", "book.toml"] {
            let text = with_mark(&leaf(path), "adr");
            let mark = read_mark(&text, "adr").expect("it is ours");
            assert_eq!(mark, Marked { entry: "dec-1".to_owned(), intact: true }, "{text}");
            assert_eq!(read_mark(&text, "mdbook"), None, "of another form");
            assert!(
                read_mark(&text.replace('\n', "\r\n"), "adr").is_some_and(|mark| mark.intact),
                "line ends"
            );
            assert!(read_mark(&text.replace("Text", "Mine"), "adr").is_some_and(|mark| !mark.intact));
        }
        let below = format!("{}\nMy own remark.\n", with_mark(&leaf("a.md"), "adr"));
        assert!(read_mark(&below, "adr").is_some_and(|mark| !mark.intact), "it was given a second number");
        assert_eq!(read_mark("# Somebody's\n", "adr"), None);
        assert_eq!(read_mark("", "adr"), None);
    }
}
