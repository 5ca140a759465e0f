//! The text below the front matter, taken apart so that nothing of it is lost, and put together.
//!
//! A strand is what can be changed by itself: a claim with its footnotes, a list item with what is
//! indented below it, a paragraph, a block of code. Strands are the same where they say the same;
//! which footnotes stand behind them is merged apart from the words.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use lore_core::article::{CONFLICT, CONTEXT, FACTS, HISTORY, RELATED, UNSETTLED, WHY};
use lore_core::one_line;

/// A body in parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Manuscript {
    /// The part above the first heading has none.
    pub(super) chapters: Vec<Chapter>,
    /// Footnotes, by key.
    pub(super) notes: Vec<(String, String)>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Chapter {
    pub(super) heading: String,
    pub(super) strands: Vec<Strand>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Strand {
    /// The words without the footnotes, by which it is recognised.
    pub(super) key: String,
    /// The text without the footnotes at its end.
    pub(super) text: String,
    /// What is indented below it.
    pub(super) below: String,
    pub(super) marks: Vec<String>,
    pub(super) seam: Seam,
}

/// How a strand follows the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Seam {
    /// After a blank line.
    Apart,
    /// On the next line, as items of a list do.
    Line,
    /// In the same paragraph.
    Space,
}

impl Manuscript {
    pub(super) fn parse(body: &str) -> Manuscript {
        let mut out = Manuscript { chapters: vec![Chapter::default()], notes: Vec::new() };
        let mut block: Vec<&str> = Vec::new();
        let (mut fence, mut seam): (Option<&str>, Seam) = (None, Seam::Apart);
        for line in body.lines() {
            let mark = ["```", "~~~"].into_iter().find(|mark| line.trim_start().starts_with(mark));
            if fence.is_some() || (mark.is_some() && !line.starts_with(' ')) {
                if fence.is_none() {
                    out.take(&mut block, seam);
                    seam = Seam::Apart;
                }
                block.push(line);
                fence = match (fence, mark) {
                    (None, mark) => mark,
                    (Some(open), Some(mark)) if open == mark => None,
                    (open, _) => open,
                };
                if fence.is_none() {
                    out.take(&mut block, Seam::Apart);
                }
                continue;
            }
            if let Some(heading) = line.strip_prefix("## ").map(str::trim).filter(|name| !name.is_empty()) {
                out.take(&mut block, seam);
                out.chapters.push(Chapter { heading: heading.to_owned(), strands: Vec::new() });
                seam = Seam::Apart;
            } else if let Some(note) = note(line) {
                out.take(&mut block, seam);
                out.notes.push(note);
            } else if line.trim().is_empty() {
                out.take(&mut block, seam);
                seam = Seam::Apart;
            } else if is_item(line) {
                let follows = !block.is_empty();
                out.take(&mut block, seam);
                seam = if follows { Seam::Line } else { Seam::Apart };
                block.push(line);
            } else {
                block.push(line);
            }
        }
        out.take(&mut block, seam);
        for chapter in out.chapters.iter_mut().filter(|chapter| is(&chapter.heading, CONFLICT)) {
            chapter.strands.retain(|strand| strand.text != UNSETTLED);
        }
        out
    }

    /// Adds a block as strands; a paragraph with footnotes holds one claim after each other.
    fn take(&mut self, block: &mut Vec<&str>, seam: Seam) {
        let lines = std::mem::take(block);
        let Some(first) = lines.first() else { return };
        let Some(chapter) = self.chapters.last_mut() else { return };
        if is_item(first) {
            let below = lines[1..].join("\n");
            chapter.strands.push(Strand::new(first, below, seam));
            return;
        }
        let whole = lines.join("\n");
        let plain =
            first.starts_with(['#', '|', '>']) || first.starts_with("```") || first.starts_with("~~~");
        if plain || !whole.contains("[^") {
            chapter.strands.push(Strand::new(&whole, String::new(), seam));
            return;
        }
        let (mut rest, mut seam) = (whole.as_str(), seam);
        while let Some(end) = end_of_claim(rest) {
            let (claim, after) = rest.split_at(end);
            chapter.strands.push(Strand::new(claim, String::new(), seam));
            (rest, seam) = (after.trim_start(), Seam::Space);
        }
        if !rest.trim().is_empty() {
            chapter.strands.push(Strand::new(rest, String::new(), seam));
        }
    }

    pub(super) fn render(&self) -> String {
        let mut out = String::new();
        for chapter in self.chapters.iter().filter(|c| !c.strands.is_empty() || !is_ours(&c.heading)) {
            if !chapter.heading.is_empty() {
                apart(&mut out);
                out.push_str(&format!("## {}\n", chapter.heading));
                if is(&chapter.heading, CONFLICT) {
                    out.push_str(&format!("\n{UNSETTLED}\n"));
                }
            }
            let mut before: Option<&Strand> = None;
            for strand in &chapter.strands {
                let item = |strand: &Strand| is_item(&strand.text);
                match (strand.seam, before) {
                    (Seam::Space, Some(before)) if !item(before) && !item(strand) => {
                        out.pop();
                        out.push(' ');
                    }
                    (Seam::Line, Some(before)) if item(before) => {}
                    (_, Some(before)) if item(before) && item(strand) => {}
                    _ => apart(&mut out),
                }
                strand.render(&mut out);
                before = Some(strand);
            }
        }
        if !self.notes.is_empty() {
            apart(&mut out);
            for (key, text) in &self.notes {
                out.push_str(&format!("[^{key}]: {text}\n"));
            }
        }
        out
    }

    /// Finds where a strand stands.
    pub(super) fn places(&self) -> BTreeMap<&str, (&str, &Strand)> {
        let all = self.chapters.iter().flat_map(|chapter| {
            chapter.strands.iter().map(|strand| (strand.key.as_str(), (chapter.heading.as_str(), strand)))
        });
        // Of what is said twice, the first counts.
        all.rev().collect()
    }

    /// Returns the heading of the page itself.
    pub(super) fn heading(&self) -> Option<&Strand> {
        let opening = self.chapters.iter().find(|chapter| chapter.heading.is_empty())?;
        opening.strands.first().filter(|strand| strand.text.starts_with("# "))
    }

    /// Takes out of the history what holds in the place of words, where that is not decided.
    pub(super) fn leave_open(&mut self, undecided: &BTreeSet<String>) {
        for chapter in self.chapters.iter_mut().filter(|chapter| is(&chapter.heading, HISTORY)) {
            for strand in chapter.strands.iter_mut().filter(|strand| undecided.contains(&strand.key)) {
                let until = strand.below.lines().filter(|line| line.trim_start().starts_with("Until "));
                strand.below = until.collect::<Vec<&str>>().join("\n");
            }
        }
    }

    /// Gives footnotes other keys.
    pub(super) fn rekeyed(mut self, keys: &HashMap<String, String>) -> Manuscript {
        let named = |key: &mut String| {
            if let Some(new) = keys.get(key.as_str()) {
                key.clone_from(new);
            }
        };
        for strand in self.chapters.iter_mut().flat_map(|chapter| &mut chapter.strands) {
            strand.marks.iter_mut().for_each(named);
        }
        self.notes.iter_mut().for_each(|(key, _)| named(key));
        self
    }

    /// Lists what it says, apart from what was and what only leads elsewhere.
    pub(super) fn says(&self) -> BTreeSet<(&str, &str)> {
        let is_one_of = |chapter: &Chapter, ours: &[&str]| ours.iter().any(|own| is(&chapter.heading, own));
        let told = self.chapters.iter().filter(|chapter| !is_one_of(chapter, &[HISTORY, CONTEXT, RELATED]));
        let mut out = BTreeSet::new();
        for chapter in told {
            // Below a side of a dispute stands who said it.
            let is_dispute = is_one_of(chapter, &[CONFLICT]);
            for strand in &chapter.strands {
                out.insert((strand.key.as_str(), if is_dispute { "" } else { strand.below.as_str() }));
            }
        }
        out
    }

    /// Lists what stands under a conflict.
    pub(super) fn disputes(&self) -> BTreeSet<&str> {
        let conflicts = self.chapters.iter().filter(|chapter| is(&chapter.heading, CONFLICT));
        conflicts.flat_map(|chapter| &chapter.strands).map(|strand| strand.key.as_str()).collect()
    }

    pub(super) fn chapter(&mut self, heading: &str) -> &mut Chapter {
        let at = self.chapters.iter().position(|chapter| is(&chapter.heading, heading));
        let at = at.unwrap_or_else(|| {
            // Ours stand in a fixed order, and what is not ours where its author put it.
            let order = |name: &str| ORDER.iter().position(|known| is(name, known));
            let wanted = order(heading);
            let after = |chapter: &Chapter| {
                wanted.is_some_and(|own| order(&chapter.heading).is_some_and(|at| at > own))
            };
            let at = self.chapters.iter().position(after).unwrap_or(self.chapters.len());
            self.chapters.insert(at, Chapter { heading: heading.to_owned(), strands: Vec::new() });
            at
        });
        &mut self.chapters[at]
    }
}

/// Our headings in their order; the part above the first comes before all.
const ORDER: [&str; 7] = ["", WHY, FACTS, CONFLICT, CONTEXT, HISTORY, RELATED];

impl Strand {
    fn new(text: &str, below: String, seam: Seam) -> Strand {
        let (text, marks) = unmarked(text);
        let key = key_of(&text);
        Strand { key, text, below, marks, seam }
    }

    fn render(&self, out: &mut String) {
        out.push_str(&self.text);
        self.marks.iter().for_each(|mark| out.push_str(&format!("[^{mark}]")));
        out.push('\n');
        if !self.below.is_empty() {
            out.push_str(&self.below);
            out.push('\n');
        }
    }

    /// Returns it as an item of a list, with a remark below it.
    pub(super) fn as_item(&self, below: String) -> Strand {
        let words = one_line(without_bullet(&self.text));
        Strand { text: format!("- {words}"), below, seam: Seam::Line, ..self.clone() }
    }

    pub(super) fn cite(&mut self, marks: &[String]) {
        for mark in marks {
            if !self.marks.contains(mark) {
                self.marks.push(mark.clone());
            }
        }
    }

    /// Tells whether it states something; headings, tables and code are only there.
    pub(super) fn states(&self) -> bool {
        !self.text.starts_with(['#', '|', '>'])
            && !self.text.starts_with("```")
            && !self.text.starts_with("~~~")
    }
}

pub(super) fn is(name: &str, ours: &str) -> bool {
    name.eq_ignore_ascii_case(ours)
}

fn is_ours(name: &str) -> bool {
    ORDER.iter().any(|known| is(name, known))
}

fn apart(out: &mut String) {
    if !out.is_empty() && !out.ends_with("\n\n") {
        out.push('\n');
    }
}

fn note(line: &str) -> Option<(String, String)> {
    let (key, text) = line.strip_prefix("[^")?.split_once("]:")?;
    let plain = !key.is_empty() && key.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_');
    plain.then(|| (key.to_owned(), text.trim().to_owned()))
}

fn is_item(line: &str) -> bool {
    without_bullet(line).len() != line.len()
}

pub(super) fn without_bullet(line: &str) -> &str {
    let bullet = ["- ", "* ", "+ "].into_iter().find_map(|mark| line.strip_prefix(mark));
    bullet.unwrap_or_else(|| {
        let digits = line.len() - line.trim_start_matches(|c: char| c.is_ascii_digit()).len();
        let numbered = (1..=3).contains(&digits).then(|| line[digits..].strip_prefix(". ")).flatten();
        numbered.unwrap_or(line)
    })
}

/// Finds the end of the first claim of a paragraph: after the footnotes that follow its words.
fn end_of_claim(text: &str) -> Option<usize> {
    let mut at = text.find("[^")?;
    while let Some(end) = text[at..].strip_prefix("[^").and_then(|tail| tail.find(']')) {
        at += 2 + end + 1;
    }
    (at > 0 && text[..at].ends_with(']')).then_some(at)
}

/// Splits the footnotes off the end of a text.
fn unmarked(text: &str) -> (String, Vec<String>) {
    let (mut rest, mut marks) = (text.trim_end(), Vec::new());
    while let Some((before, key)) = rest.strip_suffix(']').and_then(|rest| rest.rsplit_once("[^")) {
        if key.is_empty() || key.contains(char::is_whitespace) || key.contains(']') {
            break;
        }
        marks.insert(0, key.to_owned());
        rest = before;
    }
    (rest.to_owned(), marks)
}

pub(super) fn key_of(text: &str) -> String {
    one_line(without_bullet(text)).to_lowercase().trim_end_matches('.').to_owned()
}
