//! Reads the structure of a message: sections, paragraphs, list items, table rows.

use crate::extract::sentence::{is_ornament, plain, sentences, word_count};

/// What a piece of a message looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    /// Running text.
    Paragraph,
    /// An item of a list, with what stands below it.
    Item,
    /// A row of a table.
    Row,
}

/// One paragraph, list item or table row, with the place it has in the message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) shape: Shape,
    /// Headings above it, the outermost first.
    pub(crate) headings: Vec<String>,
    /// The line that introduces the list or table it belongs to.
    pub(crate) lead: Option<String>,
    /// What an item opens with in bold, before a colon or dash.
    pub(crate) label: Option<String>,
    /// The number or letter of a list item.
    pub(crate) ordinal: Option<String>,
    /// The sentences, without markup.
    pub(crate) sentences: Vec<String>,
    /// Which list of the message it belongs to.
    pub(crate) list: Option<u32>,
    /// Whether a code block follows at once.
    pub(crate) before_code: bool,
}

impl Piece {
    pub(crate) fn words(&self) -> usize {
        self.sentences.iter().map(|sentence| word_count(sentence)).sum()
    }
}

/// Code of at most so many bytes can stand in a sentence.
const SHORT_CODE: usize = 100;

/// Reads a message into its pieces, in order. Code blocks, quotes and rules are left out.
pub(crate) fn pieces(text: &str) -> Vec<Piece> {
    let mut reader = Reader::default();
    for line in text.lines() {
        reader.line(line);
    }
    reader.flush();
    reader.done
}

#[derive(Default)]
struct Reader {
    done: Vec<Piece>,
    headings: Vec<(usize, String)>,
    paragraph: String,
    last_line_width: usize,
    item: Option<Item>,
    lead: Option<String>,
    lists: u32,
    in_list: bool,
    fence: Option<&'static str>,
    code: String,
    table: Option<Vec<String>>,
}

struct Item {
    indent: usize,
    ordinal: Option<String>,
    text: String,
    children: Vec<String>,
}

impl Reader {
    fn line(&mut self, line: &str) {
        let trimmed = line.trim();
        if let Some(fence) = self.fence {
            if trimmed.starts_with(fence) {
                self.fence = None;
                self.attach_code();
            } else if self.code.len() <= SHORT_CODE {
                self.code.push_str(trimmed);
                self.code.push('\n');
            }
            return;
        }
        for fence in ["```", "~~~"] {
            if trimmed.starts_with(fence) {
                self.flush_paragraph();
                self.fence = Some(fence);
                self.code.clear();
                return;
            }
        }
        if trimmed.is_empty() {
            self.flush_paragraph();
            self.table = None;
            return;
        }
        if trimmed.starts_with('>') || is_rule(trimmed) {
            self.flush();
            return;
        }
        if let Some((level, title)) = heading(trimmed) {
            self.flush();
            self.open_section(level, title);
            return;
        }
        if trimmed.starts_with('|') && trimmed.len() > 2 {
            self.row(trimmed);
            return;
        }
        let indent = line.len() - line.trim_start().len();
        if let Some((ordinal, rest)) = marker(trimmed) {
            self.start_item(indent, ordinal, rest);
        } else if self.item.is_some() && indent > 0 {
            self.continue_item(trimmed);
        } else {
            if self.item.is_some() {
                self.flush_item();
                self.in_list = false;
            }
            self.continue_paragraph(trimmed);
        }
    }

    fn open_section(&mut self, level: usize, title: &str) {
        self.headings.retain(|(known, _)| *known < level);
        let numbered = title.trim_start_matches(|c: char| c.is_ascii_digit());
        let title = numbered.strip_prefix(['.', ')']).unwrap_or(title);
        self.headings.push((level, plain(title).trim_end_matches(':').to_owned()));
        self.lead = None;
        self.in_list = false;
    }

    /// Puts a line of code into the sentence that introduces it; longer code is only noted.
    fn attach_code(&mut self) {
        let code = self.code.trim();
        let short = !code.is_empty() && code.len() <= SHORT_CODE && !code.contains(['\n', '`']);
        if let Some(item) = &mut self.item {
            let target = item.children.last_mut().unwrap_or(&mut item.text);
            if short && target.ends_with(':') {
                *target = format!("{target} `{code}`");
            }
            return;
        }
        let Some(last) = self.done.last_mut() else { return };
        match last.sentences.last_mut() {
            Some(sentence) if short && sentence.ends_with(':') => *sentence = format!("{sentence} `{code}`"),
            _ => last.before_code = true,
        }
    }

    fn continue_paragraph(&mut self, line: &str) {
        if !self.paragraph.is_empty() {
            // A wrapped line goes on in lower case, or is long and does not end a sentence.
            let open = !self.paragraph.ends_with(['.', ':', '!', '?']);
            let goes_on = line.starts_with(|c: char| c.is_lowercase() || matches!(c, '`' | '('));
            let wrapped = open
                && (goes_on && self.last_line_width >= 40 || (66..=100).contains(&self.last_line_width))
                && !line.starts_with(is_ornament);
            self.paragraph.push(if wrapped { ' ' } else { '\n' });
        }
        self.paragraph.push_str(line);
        self.last_line_width = line.chars().count();
    }

    fn continue_item(&mut self, line: &str) {
        if let Some(item) = &mut self.item {
            let target = item.children.last_mut().unwrap_or(&mut item.text);
            target.push(' ');
            target.push_str(line);
        }
    }

    fn start_item(&mut self, indent: usize, ordinal: Option<String>, rest: &str) {
        self.flush_paragraph();
        match &mut self.item {
            Some(item) if indent > item.indent => {
                item.children.push(rest.to_owned());
                return;
            }
            Some(_) => self.flush_item(),
            None => {}
        }
        if !self.in_list {
            self.in_list = true;
            self.lists += 1;
        }
        self.item = Some(Item { indent, ordinal, text: rest.to_owned(), children: Vec::new() });
    }

    fn row(&mut self, line: &str) {
        self.flush_paragraph();
        self.flush_item();
        let cells: Vec<String> = line
            .trim_matches('|')
            .split('|')
            .map(|cell| plain(&cell.replace("<br/>", " ").replace("<br>", " ")))
            .collect();
        if cells.iter().all(|cell| cell.chars().all(|c| matches!(c, '-' | ':' | ' '))) {
            return;
        }
        let Some(header) = self.table.clone() else {
            self.table = Some(cells);
            self.lists += 1;
            return;
        };
        // A column of numbers only counts the rows.
        let numbered = cells.first().is_some_and(|cell| cell.chars().all(|c| !c.is_alphabetic()));
        let skip = usize::from(numbered && cells.len() > 2);
        let first = cells.get(skip).cloned().unwrap_or_default();
        let bare = cells.len() - skip <= 2;
        let rest = cells.iter().zip(&header).skip(skip + 1).filter(|(cell, _)| !cell.is_empty());
        let parts: Vec<String> = rest
            .map(
                |(cell, name)| if bare || name.is_empty() { cell.clone() } else { format!("{name}: {cell}") },
            )
            .collect();
        let mut piece = self.piece(Shape::Row);
        piece.list = Some(self.lists);
        piece.sentences = vec![format!("{first}: {}", parts.join("; "))];
        self.done.push(piece);
    }

    fn piece(&self, shape: Shape) -> Piece {
        Piece {
            shape,
            headings: self.headings.iter().map(|(_, title)| title.clone()).collect(),
            lead: self.lead.clone(),
            label: None,
            ordinal: None,
            sentences: Vec::new(),
            list: None,
            before_code: false,
        }
    }

    fn flush(&mut self) {
        self.flush_item();
        self.flush_paragraph();
        self.table = None;
        self.in_list = false;
    }

    fn flush_item(&mut self) {
        let Some(item) = self.item.take() else { return };
        let (label, _) = split_label(&item.text);
        let mut piece = self.piece(Shape::Item);
        piece.label = label;
        piece.ordinal = item.ordinal;
        piece.list = Some(self.lists);
        piece.sentences = sentences(&item.text).into_iter().map(plain).collect();
        for child in &item.children {
            piece.sentences.extend(sentences(child).into_iter().map(plain));
        }
        piece.sentences.retain(|sentence| !sentence.is_empty());
        if !piece.sentences.is_empty() {
            self.done.push(piece);
        }
    }

    fn flush_paragraph(&mut self) {
        if self.paragraph.is_empty() {
            return;
        }
        let paragraph = std::mem::take(&mut self.paragraph);
        let trimmed = paragraph.trim();
        if let Some(title) = bold_heading(trimmed) {
            self.open_section(9, title);
            return;
        }
        let found: Vec<String> =
            sentences(trimmed).into_iter().map(plain).filter(|s| !s.is_empty()).collect();
        // A last sentence with a colon introduces what follows.
        self.lead = found.last().filter(|last| last.ends_with([':', '?'])).cloned();
        self.in_list = false;
        let (label, _) = split_label(trimmed);
        let lead = self.lead.take();
        let mut piece = self.piece(Shape::Paragraph);
        self.lead = lead;
        piece.label = label;
        piece.sentences = found;
        if !piece.sentences.is_empty() {
            self.done.push(piece);
        }
    }
}

fn is_rule(line: &str) -> bool {
    line.len() >= 3 && line.chars().all(|c| matches!(c, '-' | '=' | '*' | '_' | '─' | '━'))
}

fn heading(line: &str) -> Option<(usize, &str)> {
    let level = line.bytes().take_while(|byte| *byte == b'#').count();
    let title = line[level..].strip_prefix(' ')?;
    ((1..=6).contains(&level) && !title.trim().is_empty()).then(|| (level, title.trim()))
}

/// Returns the title when a paragraph is nothing but a short line in bold.
fn bold_heading(paragraph: &str) -> Option<&str> {
    let inner = paragraph.strip_prefix("**")?;
    let inner = inner.strip_suffix("**").or_else(|| inner.strip_suffix("**:"))?;
    (!inner.contains("**") && !inner.contains('\n') && word_count(inner) <= 9 && !inner.ends_with('.'))
        .then_some(inner)
}

/// Splits a list marker off a line: its number, if any, and the text.
fn marker(line: &str) -> Option<(Option<String>, &str)> {
    for bullet in ["- ", "* ", "+ ", "• ", "– "] {
        if let Some(rest) = line.strip_prefix(bullet) {
            let rest = rest.trim_start();
            let rest =
                ["[ ] ", "[x] ", "[X] "].iter().find_map(|box_| rest.strip_prefix(box_)).unwrap_or(rest);
            return (!rest.is_empty()).then_some((None, rest));
        }
    }
    let bare = line.strip_prefix("**").unwrap_or(line);
    let end = bare.find(['.', ')'])?;
    let number = bare[..end].trim_start_matches('(');
    let rest = bare[end + 1..].strip_prefix(' ').or_else(|| bare[end + 1..].strip_prefix("** "))?;
    let is_number = !number.is_empty() && number.len() <= 2 && number.chars().all(|c| c.is_ascii_digit());
    let is_letter =
        number.len() == 1 && bare.as_bytes()[end] == b')' && number.chars().all(char::is_alphanumeric);
    if !(is_number || is_letter) || rest.trim().is_empty() {
        return None;
    }
    Some((Some(number.to_lowercase()), rest.trim_start()))
}

/// Splits `**Label**: rest` or `**Label** - rest` into its two parts.
pub(crate) fn split_label(text: &str) -> (Option<String>, &str) {
    let Some(inner) = text.trim_start().strip_prefix("**") else { return (None, text) };
    let Some(end) = inner.find("**") else { return (None, text) };
    let label = plain(inner[..end].trim_end_matches([':', '.']));
    let rest = inner[end + 2..].trim_start().trim_start_matches([':', '-', '–', '—', '→']).trim_start();
    if label.is_empty() || word_count(&label) > 10 { (None, text) } else { (Some(label), rest) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(text: &str) -> Vec<String> {
        let render = |piece: Piece| {
            let place = piece.headings.join("/");
            let lead = piece.lead.unwrap_or_default();
            let ordinal = piece.ordinal.unwrap_or_default();
            format!("{place}|{lead}|{ordinal}|{}", piece.sentences.join(" ~ "))
        };
        pieces(text).into_iter().map(render).collect()
    }

    #[test]
    fn reads_sections_lists_and_paragraphs() {
        let text = "# Plan\n\nIntro here. More.\n\n**Steps:**\n\nDo this:\n1. First\n   - below\n2. **Second**: part\n\nEnd.";
        let expected = [
            "Plan|||Intro here. ~ More.",
            "Plan/Steps|||Do this:",
            "Plan/Steps|Do this:|1|First ~ below",
            "Plan/Steps|Do this:|2|Second: part",
            "Plan/Steps|||End.",
        ];
        assert_eq!(outline(text), expected);
    }

    #[test]
    fn leaves_out_code_and_reads_tables() {
        let text =
            "Look:\n```\ncode. Here.\nMore.\n```\n| Name | Use |\n|---|---|\n| `a` | first |\n> quoted";
        assert_eq!(outline(text), ["|||Look:", "|Look:||`a`: first"]);
        assert!(pieces(text)[0].before_code);
    }

    #[test]
    fn a_line_of_code_stays_in_its_sentence() {
        assert_eq!(outline("Run this:\n```\nmake all\n```"), ["|||Run this: `make all`"]);
        assert_eq!(outline("- Run this:\n  ```\n  make all\n  ```"), ["|||Run this: `make all`"]);
    }

    #[test]
    fn joins_wrapped_lines_only() {
        let wrapped = "This is a rather long line of text that was wrapped by hand\nin the middle of it.";
        assert_eq!(pieces(wrapped)[0].sentences.len(), 1);
        assert_eq!(pieces("short one\nAnother one")[0].sentences.len(), 2);
    }

    #[test]
    fn labels_are_split() {
        assert_eq!(split_label("**Name**: rest"), (Some("Name".to_owned()), "rest"));
        assert_eq!(split_label("plain"), (None, "plain"));
    }
}
