//! Stretches of a text that a program wrote, among a person's own words.
//!
//! One odd line says little; several in a row do. What stands around them stays the person's.

use std::ops::Range;

use lore_core::session::Telltale;

use super::lines::{self, Look, look};
use super::quoted;

/// A stretch that nobody typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) bytes: Range<usize>,
    pub(super) telltale: Telltale,
}

/// One line and what it looks like.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<'a> {
    pub(super) at: usize,
    pub(super) line: &'a str,
    pub(super) look: Look,
}

/// Fewest lines of a program where none of them is certain.
const WEAK_LINES: usize = 3;

/// A single line of a program is only taken for one if it is as long as this.
const LONG_LINE: usize = 240;

/// Snippets of code or data that are shorter may have been typed.
const SNIPPET: usize = 120;

/// Most lines of prose in a row within the output of a program.
const PROSE_WITHIN: usize = 2;

/// The same below a shell's prompt: what is printed there may be anything.
const PROSE_IN_SHELL: usize = 40;

/// How many lines anyone types at the beginning and at the end of a text.
const TYPED: usize = 100;

/// Fewest lines in a row that are set in.
const INDENTED: usize = 4;

/// Most lines in a row that could be either.
const OTHERS_WITHIN: usize = 6;

/// What stands in a quotation.
pub(super) const QUOTED: Look = Look::Strong(Telltale::Quotation);

/// Finds the stretches that nobody typed, in their order.
pub(super) fn runs(text: &str) -> Vec<Run> {
    // Nearly all messages are short; they were typed, but for what they hand over behind a colon or speak at an hour.
    if !text.contains('\n') && text.len() < LONG_LINE && !text.contains([':', '：']) {
        return Vec::new();
    }
    let mut rows = rows_of(text);
    indented(&mut rows);
    fences(&mut rows);
    differences(&mut rows);
    quoted::mark(&mut rows);
    let mut found = Vec::new();
    let mut at = 0;
    while at < rows.len() {
        let Some(first) = rows[at].look.telltale() else {
            at += 1;
            continue;
        };
        let end = run_end(&rows, at);
        if is_convincing(&rows[at..end]) {
            let mut run = run(text, &rows, at..end, first);
            let before = found.last().map_or(0, |run: &Run| run.bytes.end);
            run.bytes.start = run.bytes.start.max(before);
            found.push(run);
        }
        at = end;
    }
    found
}

/// Looks at every line, but for the middle of a text that is longer than anyone types: its lines
/// are taken to be like those before them.
fn rows_of(text: &str) -> Vec<Row<'_>> {
    let count = text.lines().count();
    let mut last = Look::Neutral;
    let each = text.split_inclusive('\n').enumerate().map(|(number, line)| {
        if number < TYPED || number + TYPED > count || last.telltale().is_none() {
            last = look(line);
        }
        Row { at: offset(text, line), line, look: last }
    });
    each.collect()
}

fn offset(text: &str, line: &str) -> usize {
    line.as_ptr() as usize - text.as_ptr() as usize
}

/// Marks lines that are set in, several of them in a row: terminals do that, and people only below
/// an item of a list.
fn indented(rows: &mut [Row<'_>]) {
    let is_in = |row: &Row<'_>| row.line.starts_with([' ', '\t']) && !lines::is_item(row.line);
    let mut at = 0;
    while at < rows.len() {
        let ends = |row: &Row<'_>| row.look != Look::Blank && !is_in(row);
        let end = rows[at..].iter().position(ends).map_or(rows.len(), |length| at + length);
        let below_item = at > 0 && lines::is_item(rows[at - 1].line);
        let count = rows[at..end].iter().filter(|row| is_in(row) && row.look != Look::Blank).count();
        if count >= INDENTED && !below_item {
            let unsure = |row: &&mut Row<'_>| matches!(row.look, Look::Prose | Look::Neutral);
            rows[at..end].iter_mut().filter(unsure).for_each(|row| row.look = Look::Weak(Telltale::Screen));
        }
        at = end + 1;
    }
}

/// Looks at what stands between fences as a whole: two lines of code are typed quickly, and prose
/// between fences is prose.
fn fences(rows: &mut [Row<'_>]) {
    let mut open: Option<usize> = None;
    for at in 0..=rows.len() {
        let mark = rows.get(at).map(|row| row.line.trim_start().starts_with("```"));
        match (open, mark) {
            (None, Some(true)) => open = Some(at),
            (Some(from), Some(true) | None) => {
                let end = (at + 1).min(rows.len());
                fence(&mut rows[from..end]);
                open = None;
            }
            _ => {}
        }
    }
}

fn fence(rows: &mut [Row<'_>]) {
    let inner = || rows.iter().skip(1).filter(|row| !row.line.trim_start().starts_with("```"));
    let spoken = inner().filter(|row| matches!(row.look, Look::Prose)).count();
    let made: Vec<Telltale> = inner().filter_map(|row| row.look.telltale()).collect();
    let full = inner().filter(|row| row.look != Look::Blank).count();
    let of_program = full > 2 && made.len() >= spoken;
    let telltale = made.first().copied().unwrap_or(Telltale::Code);
    for row in rows.iter_mut() {
        row.look = if of_program { Look::Strong(telltale) } else { Look::Prose };
    }
}

/// Marks the lines of a difference between files, which look like anything.
fn differences(rows: &mut [Row<'_>]) {
    let mut within = false;
    for row in rows {
        let line = row.line.trim_end();
        let opens = line.starts_with("diff --git ")
            || (line.starts_with("@@ -") && line[3..].contains("@@"))
            || line.starts_with("--- a/")
            || line.starts_with("+++ b/");
        within = opens
            || (within
                && (line.is_empty()
                    || line.starts_with(['+', '-', ' ', '\\'])
                    || line.starts_with("index ")));
        if within && !line.is_empty() {
            row.look = Look::Strong(Telltale::Diff);
        }
    }
}

/// Goes on from a line of a program for as long as such lines keep coming.
fn run_end(rows: &[Row<'_>], from: usize) -> usize {
    let quotes = rows[from].look == QUOTED;
    let (mut end, mut prose, mut others, mut made) = (from + 1, 0, 0, 1);
    let mut shell = lines::is_prompt(rows[from].line);
    for (at, row) in rows.iter().enumerate().skip(from + 1) {
        match row.look {
            Look::Blank => continue,
            _ if quotes && row.look != QUOTED => break,
            QUOTED if !quotes && !shell => break,
            Look::Weak(_) | Look::Strong(_) => {
                shell |= lines::is_prompt(row.line);
                (end, prose, others) = (at + 1, 0, 0);
                made += 1;
            }
            // What a shell prints stands right below the command.
            Look::Prose | Look::Neutral if is_output(rows, at, end) => (end, prose, others) = (at + 1, 0, 0),
            Look::Neutral => others += 1,
            Look::Prose => prose += 1,
        }
        // A few lines that read like words are normal in a long output, at its beginning not.
        let (most_prose, most_others) = match () {
            () if shell && !quoted::speaks(row.line) => (PROSE_IN_SHELL, PROSE_IN_SHELL),
            () if made < 4 => (0, OTHERS_WITHIN),
            () => (PROSE_WITHIN, OTHERS_WITHIN),
        };
        if prose > most_prose || others > most_others {
            break;
        }
    }
    end
}

/// Tells whether a line follows a line of a screen directly and does not speak to anyone.
fn is_output(rows: &[Row<'_>], at: usize, end: usize) -> bool {
    let words = rows[at].line.trim();
    let begins = words.chars().next().is_some_and(|first| !first.is_lowercase());
    let is_below = at == end && rows[at - 1].look == Look::Strong(Telltale::Screen);
    is_below && begins && !words.ends_with('?') && !quoted::speaks(words)
}

fn is_convincing(rows: &[Row<'_>]) -> bool {
    let made = rows.iter().filter(|row| row.look.telltale().is_some()).count();
    let strong = rows.iter().any(|row| matches!(row.look, Look::Strong(_)));
    let full = rows.iter().filter(|row| row.look != Look::Blank).count();
    let bytes: usize = rows.iter().map(|row| row.line.trim().len()).sum();
    let snippet = rows
        .iter()
        .all(|row| !matches!(row.look, Look::Strong(_) | Look::Weak(Telltale::Log | Telltale::Screen)));
    let shell = rows.iter().filter(|row| lines::is_prompt(row.line)).count();
    match rows[0].look {
        QUOTED => true,
        _ if shell > 0 && full >= 2 => true,
        _ if made * 2 < full => false,
        _ if snippet => made >= WEAK_LINES && (bytes >= SNIPPET || made >= 2 * WEAK_LINES),
        _ if strong => full >= 2 || bytes >= LONG_LINE,
        _ => made >= WEAK_LINES || bytes >= LONG_LINE,
    }
}

/// Cuts a run out, with what stands of it on the line above and without the words behind it.
fn run(text: &str, rows: &[Row<'_>], range: Range<usize>, first: Telltale) -> Run {
    let (from, to) = (range.start, range.end);
    let last = rows[to - 1];
    let mut bytes = rows[from].at..last.at + last.line.len();
    let quotes = first == Telltale::Quotation;
    if from > 0 && rows[from - 1].look == Look::Prose && !quotes {
        bytes.start = begins_within(&rows[from - 1]).unwrap_or(bytes.start);
    }
    if to == rows.len() && to - from > 1 && !quotes {
        bytes.end = ends_within(text, &rows[from..to]).unwrap_or(bytes.end);
    }
    Run { bytes, telltale: prevailing(&rows[from..to], first) }
}

/// Finds where the program's words begin on a line that a person began.
fn begins_within(row: &Row<'_>) -> Option<usize> {
    let begins = |mark: &str| {
        row.line.match_indices(mark).map(|(at, mark)| at + mark.len()).find(|at| {
            let rest = row.line[*at..].trim_start();
            rest.len() >= 10 && look(rest).telltale().is_some()
        })
    };
    [": ", "   "].into_iter().filter_map(begins).min().map(|at| row.at + at)
}

/// Finds where a person goes on behind the last line: a sentence, where no line before had one.
fn ends_within(text: &str, rows: &[Row<'_>]) -> Option<usize> {
    let (last, before) = rows.split_last()?;
    if before.iter().any(|row| sentence_behind(row.line).is_some()) {
        return None;
    }
    let at = last.at + sentence_behind(last.line)?;
    text.is_char_boundary(at).then_some(at)
}

fn sentence_behind(line: &str) -> Option<usize> {
    let mut ends = line.match_indices(". ").map(|(at, _)| at + 2);
    ends.find(|at| {
        let rest = line[*at..].trim();
        rest.starts_with(char::is_uppercase)
            && rest.split_whitespace().count() >= 4
            && look(rest) == Look::Prose
    })
}

/// Returns what most lines of a run are.
fn prevailing(rows: &[Row<'_>], first: Telltale) -> Telltale {
    let mut counts: Vec<(Telltale, usize)> = Vec::new();
    for telltale in rows.iter().filter_map(|row| row.look.telltale()) {
        match counts.iter_mut().find(|(known, _)| *known == telltale) {
            Some((_, count)) => *count += 1,
            None => counts.push((telltale, 1)),
        }
    }
    let most = counts.iter().map(|(_, count)| *count).max().unwrap_or_default();
    counts.into_iter().find(|(_, count)| *count == most).map_or(first, |(telltale, _)| telltale)
}
