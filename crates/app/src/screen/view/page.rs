//! The entry or the question that is meant, and the words it rests on.

use lore_core::{Article, SessionId, Status};
use lore_engine::curator::EditQuestion;
use lore_engine::review::ReviewPage;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::text::Line;

use super::{FAINT, Palette, STRONG, flowed, framed, put};
use crate::screen::board::{Board, Facet, Focus, Leaf};
use crate::screen::text::{one_line, safe};

/// No more of a text than this is laid out: a screen shows a few thousand characters.
const LONGEST: usize = 24_000;

/// Cuts a text that is longer than anybody reads here.
fn part(text: &str) -> &str {
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => &text[..at],
        None => text,
    }
}

pub(super) fn page(board: &Board, palette: Palette, frame: &mut Frame<'_>, area: Rect) {
    let block = framed("page", board.focus == Focus::Page, palette);
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let width = usize::from(inner.width).saturating_sub(1);
    let Some(one) = board.current() else { return };
    let mut lines = Vec::new();
    put(&mut lines, &one.title, width, STRONG);
    let facets: Vec<&str> = Facet::ALL.iter().map(|facet| one.facet(*facet)).collect();
    put(&mut lines, &format!("{} · {} · {}", one.handle, facets.join(" · "), one.day), width, FAINT);
    if let Some(note) = &one.note {
        put(&mut lines, note, width, palette.tinted(Color::Yellow));
    }
    lines.push(Line::raw(""));
    match board.current_leaf() {
        None => lines.push(Line::styled("…", FAINT)),
        Some(Leaf::Entry(page)) => body(page, width, palette, &mut lines),
        Some(Leaf::Question(question)) => asked(question, width, palette, &mut lines),
    }
    flowed(lines, board.scrolled[0], frame, inner);
}

fn body(page: &ReviewPage, width: usize, palette: Palette, lines: &mut Vec<Line<'static>>) {
    let entry = &page.shown.entry;
    for side in &page.sides {
        let said = side.said.as_deref().map(|said| format!(" ({said})")).unwrap_or_default();
        let text = one_line(&format!("{}  {}{said}", side.number, side.text));
        put(lines, &text, width, palette.tinted(Color::Red));
    }
    if !page.sides.is_empty() {
        put(lines, "The number of a side says that it is right, 0 that all are.", width, FAINT);
        lines.push(Line::raw(""));
    }
    if entry.status != Status::Current && page.sides.is_empty() {
        put(lines, &format!("It is {}.", entry.status.word()), width, palette.tinted(Color::Yellow));
    }
    // Its title is above, and what footnotes say is shown as the words it rests on.
    let is_shown = |line: &&str| !line.starts_with("# ") && !line.starts_with("[^");
    let text: Vec<&str> = part(&entry.body).lines().filter(is_shown).collect();
    let text = text.join("\n");
    put(lines, &safe(without_notes(&text).trim()), width, Style::new());
}

fn asked(question: &EditQuestion, width: usize, palette: Palette, lines: &mut Vec<Line<'static>>) {
    put(lines, &safe(&question.question), width, palette.tinted(Color::Yellow));
    let about =
        question.entry.as_ref().map(|entry| format!(", about {}", entry.handle())).unwrap_or_default();
    put(lines, &one_line(&format!("asked by {}{about}", question.by)), width, FAINT);
    if let Some(text) = &question.text {
        lines.push(Line::raw(""));
        put(lines, &safe(&format!("+ {}", part(text))), width, palette.tinted(Color::Green));
    }
    lines.push(Line::raw(""));
    let keys = match question.proposals.is_empty() {
        true => "It proposes nothing: x closes it; `lore learn` writes an answer down.",
        false => "y does it, x asks no more of this.",
    };
    put(lines, keys, width, FAINT);
}

pub(super) fn words(board: &Board, palette: Palette, frame: &mut Frame<'_>, area: Rect) {
    let block = framed("rests on", board.focus == Focus::Words, palette);
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let width = usize::from(inner.width).saturating_sub(1);
    let mut lines = Vec::new();
    if let Some(Leaf::Question(question)) = board.current_leaf() {
        for line in &question.lines {
            let day = line.at.map(|at| format!(" · {}", at.date())).unwrap_or_default();
            let place = format!("{}#L{}", line.session.short(), line.line);
            put(&mut lines, &one_line(&format!("{}{day} · {place}", line.voice)), width, STRONG);
            put(&mut lines, &safe(part(line.words.trim())), width, Style::new());
            lines.push(Line::raw(""));
        }
        return flowed(lines, board.scrolled[1], frame, inner);
    }
    let Some(page) = board.current_page() else { return };
    for cited in &page.rests_on {
        let day = cited.at.map(|at| format!(" · {}", at.date())).unwrap_or_default();
        let said = format!("{}{day} · {}", cited.voice.word(), place(&cited.place));
        put(&mut lines, &one_line(&said), width, STRONG);
        let quoted = cited.quoted.iter().filter(|_| cited.around.is_none());
        for quote in quoted {
            put(&mut lines, &safe(&format!("“{quote}”")), width, Style::new());
        }
        if let Some(around) = &cited.around {
            put(&mut lines, &safe(part(around.trim())), width, Style::new());
        }
        if let Some(note) = &cited.note {
            put(&mut lines, &one_line(note), width, FAINT);
        }
        lines.push(Line::raw(""));
    }
    if page.rests_on.is_empty() {
        let said = if Article::parse(&page.shown.entry.body).claims().next().is_some() {
            "Nothing is cited."
        } else {
            "It says nothing yet."
        };
        put(&mut lines, said, width, FAINT);
    }
    flowed(lines, board.scrolled[1], frame, inner);
}

/// Names a place in a session by its agent and as `lore open` takes it; anything else as it is.
fn place(place: &str) -> String {
    let parts = place.strip_prefix("session://").and_then(|rest| rest.split_once('/'));
    let Some((agent, rest)) = parts else { return place.to_owned() };
    let (id, line) = rest.split_once('#').unwrap_or((rest, ""));
    format!("{agent} {}#{line}", SessionId::new(id).short())
}

/// Takes the signs of footnotes out of a text.
fn without_notes(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("[^") {
        out.push_str(&rest[..at]);
        rest = match rest[at..].find(']') {
            Some(end) => &rest[at + end + 1..],
            None => {
                out.push_str("[^");
                &rest[at + 2..]
            }
        };
    }
    out + rest
}
