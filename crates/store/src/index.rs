//! The generated lists: `index.md` at the root and in every folder that holds entries.
//!
//! A list depends only on the entries in and below its folder, so a write changes the lists on
//! its way to the root and no others. Lines are sorted and carry no totals except where a folder
//! is named in its parent and where the root tells a newcomer what there is; those lines are the only
//! ones that two branches can both change, and `.gitattributes` lets git keep both until the next
//! write puts them right.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use lore_core::text::counted;
use lore_core::{Confidence, Kind, Status};

use crate::{Summary, cache, contents, layout};

/// Longest description in a list.
const DESCRIPTION_LIMIT: usize = 160;
/// Counts the ways in which lines were written, so that a list in an older way is made again.
const LINES: u64 = 3;

/// How many entries a folder holds, and how good they are.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Tally {
    entries: u64,
    high: u64,
    medium: u64,
    low: u64,
    disputed: u64,
}

impl Tally {
    fn count(&mut self, summary: &Summary) {
        self.entries += 1;
        match summary.confidence {
            Some(Confidence::High) => self.high += 1,
            Some(Confidence::Medium) => self.medium += 1,
            Some(Confidence::Low) => self.low += 1,
            None => {}
        }
        self.disputed += u64::from(summary.status == Status::Disputed);
    }

    fn add(&mut self, other: Tally) {
        self.entries += other.entries;
        self.high += other.high;
        self.medium += other.medium;
        self.low += other.low;
        self.disputed += other.disputed;
    }

    fn text(self) -> String {
        let mut text = counted(self.entries, "entry", "entries");
        let parts = [(self.high, "high"), (self.medium, "medium"), (self.low, "low")];
        let parts: Vec<String> =
            parts.iter().filter(|(n, _)| *n > 0).map(|(n, word)| format!("{n} {word}")).collect();
        if !parts.is_empty() {
            let _ = write!(text, ": {}", parts.join(", "));
        }
        if self.disputed > 0 {
            let _ = write!(text, "; {} disputed", self.disputed);
        }
        text
    }
}

/// A folder with what its list shows.
#[derive(Debug, Default)]
struct Folder<'a> {
    entries: Vec<&'a Summary>,
    below: BTreeMap<&'a str, Tally>,
}

/// Every folder that holds entries, ready to be listed.
#[derive(Debug)]
pub(crate) struct Folders<'a> {
    folders: BTreeMap<&'a str, Folder<'a>>,
    all: Vec<&'a Summary>,
}

impl<'a> Folders<'a> {
    /// Sorts entries into their folders.
    pub(crate) fn of(summaries: impl Iterator<Item = &'a Summary>) -> Folders<'a> {
        let mut folders: BTreeMap<&str, Folder<'_>> = BTreeMap::from([("", Folder::default())]);
        let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
        let all: Vec<&Summary> = summaries.collect();
        let mut summaries = all.iter().copied().peekable();
        while let Some(first) = summaries.next() {
            // Entries come by path, so those of one folder mostly follow each other.
            let path = layout::parent(&first.path);
            let folder = folders.entry(path).or_default();
            let tally = tallies.entry(path).or_default();
            let mut next = Some(first);
            while let Some(summary) = next {
                folder.entries.push(summary);
                tally.count(summary);
                next = summaries.next_if(|next| layout::parent(&next.path) == path);
            }
        }
        // Deepest first, so that a folder is complete before its parent is told.
        let mut pending = tallies;
        while let Some((folder, tally)) = pending.pop_last() {
            if folder.is_empty() {
                continue;
            }
            let parent = layout::parent(folder);
            let name = &folder[parent.len()..];
            folders.entry(parent).or_default().below.insert(name.trim_start_matches('/'), tally);
            pending.entry(parent).or_default().add(tally);
        }
        Folders { folders, all }
    }

    /// Lists the folders, the root first as the empty path.
    pub(crate) fn paths(&self) -> impl Iterator<Item = &'a str> {
        self.folders.keys().copied()
    }

    /// Returns a number that changes whenever the list of this folder would.
    pub(crate) fn digest(&self, path: &str) -> u64 {
        let mix = |sum: u64, word: u64| (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23);
        let text = |sum, text: &str| mix(sum, cache::checksum(text.as_bytes()));
        let Some(folder) = self.folders.get(path) else { return 0 };
        if path.is_empty() {
            return text(LINES, &self.render(path));
        }
        let sum = folder
            .entries
            .iter()
            .fold(LINES, |sum, summary| mix(text(sum, &summary.path), summary.version.number()));
        folder.below.iter().fold(sum, |sum, (name, tally)| {
            let numbers = [tally.entries, tally.high, tally.medium, tally.low, tally.disputed];
            numbers.into_iter().fold(text(sum, name), mix)
        })
    }

    /// Writes the list of a folder.
    pub(crate) fn render(&self, path: &str) -> String {
        let Some(folder) = self.folders.get(path) else { return String::new() };
        if path.is_empty() { root(folder, &self.all) } else { list(folder) }
    }
}

/// Tells whether a list holds a line that no list of ours has: somebody wrote it by hand.
pub(crate) fn holds_writing(text: &str) -> bool {
    let is_ours = |line: &str| {
        let item = line.strip_prefix("* ").is_some_and(|rest| {
            rest.starts_with(['[', '*']) || rest.starts_with(|c: char| c.is_ascii_digit())
        });
        // What git leaves of two lists that it could not join.
        let joins = ["<<<<<<<", "=======", ">>>>>>>", "|||||||"].iter().any(|mark| line.starts_with(mark));
        line.trim().is_empty()
            || item
            || joins
            || line.starts_with('#')
            || line == "---"
            || line.starts_with("okf_version:")
    };
    text.lines().any(|line| !is_ours(line))
}

fn list(folder: &Folder<'_>) -> String {
    let mut out = String::new();
    for kind in Kind::ALL {
        let mut lines: Vec<(String, String)> = folder
            .entries
            .iter()
            .filter(|summary| summary.kind == kind)
            .map(|summary| (summary.title.to_lowercase(), line(summary)))
            .collect();
        lines.sort();
        section(&mut out, kind.heading(), lines.into_iter().map(|(_, line)| line));
    }
    let below = folder.below.iter().map(|(name, tally)| below(name, name, *tally));
    section(&mut out, "Folders", below);
    out
}

fn root(folder: &Folder<'_>, all: &[&Summary]) -> String {
    let mut out = String::from("---\nokf_version: \"0.2\"\n---\n\n");
    for group in ["Articles", "Experience"] {
        let topics =
            layout::TOPICS.iter().filter(|(name, _, of)| *of == group && folder.below.contains_key(name));
        let lines = topics.map(|(name, title, _)| below(name, title, folder.below[name]));
        section(&mut out, group, lines);
    }
    let known = |name: &str| layout::TOPICS.iter().any(|(topic, ..)| *topic == name);
    let other = folder.below.iter().filter(|(name, _)| !known(name));
    let own = {
        let mut lines: Vec<String> = folder.entries.iter().map(|summary| line(summary)).collect();
        lines.sort();
        lines
    };
    section(&mut out, "Other", own.into_iter().chain(other.map(|(name, tally)| below(name, name, *tally))));
    for (title, lines) in contents::sections(all) {
        section(&mut out, title, lines.into_iter());
    }
    out
}

fn section(out: &mut String, title: &str, lines: impl Iterator<Item = String>) {
    let mut lines = lines.peekable();
    if lines.peek().is_none() {
        return;
    }
    if !out.is_empty() && !out.ends_with("\n\n") {
        out.push('\n');
    }
    let _ = write!(out, "# {title}\n\n");
    for line in lines {
        out.push_str(&line);
        out.push('\n');
    }
}

fn below(name: &str, title: &str, tally: Tally) -> String {
    format!("* [{}]({}/{}) - {}", label(title), address(name), layout::INDEX, tally.text())
}

fn line(summary: &Summary) -> String {
    let name = summary.path.rsplit('/').next().unwrap_or(&summary.path);
    format!("* [{}]({}) -{}", label(&summary.title), address(name), told(summary))
}

/// Says about an entry what stands behind its title in every list.
pub(crate) fn told(summary: &Summary) -> String {
    let mut out = String::new();
    // Many a statement is its own title.
    let says_more = |text: &String| !text.is_empty() && text.trim_end_matches('.') != summary.title;
    let description = summary.description.as_deref().map(one_line).filter(says_more);
    let marks: Vec<&str> = summary
        .confidence
        .map(Confidence::word)
        .into_iter()
        .chain((summary.status != Status::Current).then(|| summary.status.word()))
        .collect();
    if let Some(text) = description {
        let _ = write!(out, " {text}");
    }
    if !marks.is_empty() {
        let _ = write!(out, " _{}_", marks.join(", "));
    }
    // Whoever meets a handle anywhere finds the file with `grep`.
    let _ = write!(out, " `{}`", summary.id.handle());
    out
}

/// Writes a link to an entry from a folder, as `[Title](path)`.
pub(crate) fn link(from: &str, summary: &Summary) -> String {
    let mut path = summary.path.as_str();
    let mut from = from;
    while let (Some((a, rest)), Some((b, others))) = (split(path), split(from)) {
        if a != b {
            break;
        }
        (path, from) = (rest, others);
    }
    let up = "../".repeat(from.split('/').filter(|part| !part.is_empty()).count());
    format!("[{}]({up}{})", label(&summary.title), address(path))
}

fn split(path: &str) -> Option<(&str, &str)> {
    path.split_once('/').or((!path.is_empty() && !path.ends_with(".md")).then_some((path, "")))
}

/// Puts text on one line of bearable length.
pub(crate) fn one_line(text: &str) -> String {
    let flat = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match flat.char_indices().nth(DESCRIPTION_LIMIT) {
        Some((at, _)) => {
            let cut = flat[..at].rfind(' ').unwrap_or(at);
            format!("{}…", flat[..cut].trim_end_matches([',', '.', ';', ':']))
        }
        None => flat,
    }
}

fn label(title: &str) -> String {
    let mut out = String::with_capacity(title.len());
    for c in title.split_whitespace().collect::<Vec<_>>().join(" ").chars() {
        if matches!(c, '[' | ']' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Escapes what would end a link early.
fn address(path: &str) -> String {
    let mut out = String::with_capacity(path.len());
    for c in path.chars() {
        match c {
            ' ' | '(' | ')' | '<' | '>' | '%' | '"' => {
                let _ = write!(out, "%{:02X}", u32::from(c));
            }
            _ => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_somebody_wrote_into_a_list_is_seen() {
        let ours = "---\nokf_version: \"0.2\"\n---\n\n# News\n\n* [Log](log.md) - What happened.\n* 3 more: `lore list`\n";
        assert!(!holds_writing(ours));
        assert!(!holds_writing("# Log\n\n## 2026-02-20\n\n* **Creation**: [A](a.md)\n"));
        assert!(!holds_writing("<<<<<<< HEAD\n* [A](a.md)\n=======\n* [B](b.md)\n>>>>>>> other\n"));
        assert!(holds_writing("# Handbook\n\nHow we work.\n"));
        assert!(holds_writing(&format!("{ours}\nask Ada first\n")));
    }
    use lore_core::{Curator, Entry, EntryId};

    fn summary(kind: Kind, title: &str, path: &str) -> Summary {
        let entry = Entry::new(EntryId::new(kind, jiff::civil::date(2026, 2, 20), title), kind, title);
        let version = crate::Version::of(title.as_bytes());
        Summary { path: path.to_owned(), version, ..Summary::of(&entry, Curator::Auto) }
    }

    #[test]
    fn the_root_follows_what_it_names() {
        let mut one = [summary(Kind::Fact, "One", "project/one.md")];
        one[0].created = Some(lore_core::Moment::Day(jiff::civil::date(2026, 2, 20)));
        let mut two = one.clone();
        two[0].title = "Two".to_owned();
        let digest = |entries: &[Summary]| Folders::of(entries.iter()).digest("");
        assert_ne!(digest(&one), digest(&two), "a title stands in the news");
    }

    #[test]
    fn lists_by_kind_with_folders_below() {
        let mut tool = summary(Kind::Lesson, "Pin [all] tools", "lessons/tooling/pin tools.md");
        tool.confidence = Some(Confidence::High);
        let mut fact = summary(Kind::Fact, "b fact", "lessons/b.md");
        fact.description = Some("Said\nonce".to_owned());
        fact.status = Status::Disputed;
        let limit = summary(Kind::Limitation, "A limit", "lessons/a.md");
        let other = summary(Kind::Fact, "A fact", "lessons/c.md");
        let own = summary(Kind::Fact, "Stray", "stray.md");
        let all = [limit, fact, other, tool, own];
        let folders = Folders::of(all.iter());
        assert_eq!(folders.paths().collect::<Vec<_>>(), ["", "lessons", "lessons/tooling"]);
        assert_eq!(
            folders.render("lessons"),
            "# Facts\n\n* [A fact](c.md) - `fac-v9ebbc`\n* [b fact](b.md) - Said once _disputed_ `fac-gzrzfx`\n\n\
             # Limitations\n\n* [A limit](a.md) - `lim-d27xav`\n\n\
             # Folders\n\n* [tooling](tooling/index.md) - 1 entry: 1 high\n"
        );
        assert_eq!(
            folders.render("lessons/tooling"),
            "# Lessons\n\n* [Pin \\[all\\] tools](pin%20tools.md) - _high_ `les-g4w4qf`\n"
        );
        assert_eq!(
            folders.render(""),
            "---\nokf_version: \"0.2\"\n---\n\n\
             # Experience\n\n* [Lessons](lessons/index.md) - 4 entries: 1 high; 1 disputed\n\n\
             # Other\n\n* [Stray](stray.md) - `fac-17rhrh`\n\n\
             # Disputed\n\n* [b fact](lessons/b.md) - Said once _disputed_ `fac-gzrzfx`\n\n\
             # News\n\n* [Log](log.md) - What happened, newest first.\n"
        );
    }

    #[test]
    fn the_digest_follows_the_list() {
        let one = [summary(Kind::Fact, "One", "project/one.md")];
        let two = [summary(Kind::Fact, "Two", "project/one.md")];
        let digest = |entries: &[Summary], path: &str| Folders::of(entries.iter()).digest(path);
        assert_ne!(digest(&one, "project"), digest(&two, "project"));
        assert_eq!(digest(&one, ""), digest(&two, ""));
        assert_ne!(digest(&one, ""), digest(&[], ""));
    }

    #[test]
    fn links_are_relative() {
        let check = |from: &str, path: &str, expected: &str| {
            assert_eq!(link(from, &summary(Kind::Fact, "T", path)), format!("[T]({expected})"));
        };
        check("", "project/a.md", "project/a.md");
        check("history", "history/a.md", "a.md");
        check("history", "project/a.md", "../project/a.md");
        check("a/b", "a/c/d.md", "../c/d.md");
        check("history", "a.md", "../a.md");
    }
}
