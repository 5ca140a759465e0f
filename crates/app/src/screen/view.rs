//! The board on the screen. Pure: the same board and size give the same picture.

mod page;

use lore_engine::review::Ruling;
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Borders, Clear, Paragraph};

use self::page::{page, words};
use super::board::{Awaiting, Board, Facet, Focus, ListRow, Mode, Wanted};
use super::keys::{Act, BINDINGS, Binding};
use super::text::{one_line, wrapped};
use super::update::OFFERED;
use crate::columns::{columns, cut};
use crate::ui::counted;

/// From this width on the list shows confidence and day too.
const ROOMY: usize = 48;

/// Whether colours are wanted; none of them says anything alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Palette {
    Colours,
    Plain,
}

impl Palette {
    fn tinted(self, colour: Color) -> Style {
        match self {
            Palette::Colours => Style::new().fg(colour),
            Palette::Plain => Style::new(),
        }
    }
}

const STRONG: Style = Style::new().add_modifier(Modifier::BOLD);
const FAINT: Style = Style::new().add_modifier(Modifier::DIM);

/// Where everything lies.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Regions {
    head: Rect,
    pub(crate) list: Rect,
    page: Rect,
    words: Rect,
    foot: Rect,
}

/// Divides the screen.
pub(crate) fn regions(area: Rect, zoomed: bool) -> Regions {
    let [head, middle, foot] =
        Layout::vertical([Constraint::Length(1), Constraint::Min(0), Constraint::Length(1)]).areas(area);
    let left = if zoomed { 0 } else { 42 };
    let [list, right] = Layout::horizontal([Constraint::Percentage(left), Constraint::Min(0)]).areas(middle);
    let side_by_side = right.width >= 100;
    let parts = [Constraint::Percentage(if side_by_side { 55 } else { 60 }), Constraint::Min(0)];
    let [page, words] = match side_by_side {
        true => Layout::horizontal(parts).areas(right),
        false => Layout::vertical(parts).areas(right),
    };
    Regions { head, list, page, words, foot }
}

/// Draws the board.
pub(crate) fn draw(board: &Board, palette: Palette, frame: &mut Frame<'_>) {
    let regions = regions(frame.area(), board.zoomed);
    frame.render_widget(Paragraph::new(head(board, usize::from(regions.head.width))), regions.head);
    if !board.zoomed {
        list(board, palette, frame, regions.list);
    }
    page(board, palette, frame, regions.page);
    words(board, palette, frame, regions.words);
    frame.render_widget(Paragraph::new(foot(board, palette, usize::from(regions.foot.width))), regions.foot);
    match &board.mode {
        Mode::Pick { names, wanted, typed, at } => {
            let picture = Picked { names, wanted: *wanted, typed, at: *at };
            pick(board, palette, frame, &picture);
        }
        Mode::Help { top } => help(*top, palette, frame),
        _ => {}
    }
}

fn head(board: &Board, width: usize) -> Line<'static> {
    let disputed = board.waiting.iter().filter(|one| one.facet(Facet::State) == "disputed").count();
    let mut text = format!(" lore review · {}", counted(board.waiting.len(), "waits", "wait"));
    if disputed > 0 {
        text.push_str(&format!(", {disputed} disputed"));
    }
    let shown = board.listed.iter().filter(|line| matches!(line, ListRow::Entry(_))).count();
    if shown < board.waiting.len() {
        text.push_str(&format!(" · {shown} shown"));
    }
    for (facet, word) in &board.only {
        text.push_str(&format!(" · {} {word}", facet.word()));
    }
    if !board.search.is_empty() && !matches!(board.mode, Mode::Search { .. }) {
        text.push_str(&format!(" · “{}”", one_line(&board.search)));
    }
    if let Some(facet) = board.grouping {
        text.push_str(&format!(" · by {}", facet.word()));
    }
    if !board.marked.is_empty() {
        text.push_str(&format!(" · {} marked", board.marked.len()));
    }
    Line::styled(cut(&text, width).into_owned(), STRONG)
}

fn framed(title: &str, is_meant: bool, palette: Palette) -> Block<'static> {
    let style = if is_meant { palette.tinted(Color::Cyan).add_modifier(Modifier::BOLD) } else { FAINT };
    Block::new().borders(Borders::TOP).border_style(style).title(format!(" {title} "))
}

fn list(board: &Board, palette: Palette, frame: &mut Frame<'_>, area: Rect) {
    let block = framed("waits for you", board.focus == Focus::List, palette);
    let inner = block.inner(area);
    frame.render_widget(block, area);
    let (height, width) = (usize::from(inner.height), usize::from(inner.width).saturating_sub(1));
    if board.listed.is_empty() {
        let text =
            if board.waiting.is_empty() { "Nothing waits for you." } else { "Nothing fits; esc shows all." };
        frame.render_widget(Paragraph::new(cut(text, width).into_owned()), inner);
        return;
    }
    // The line that is meant stays in the middle, as far as there is something around it.
    let top = board.cursor.saturating_sub(height / 2).min(board.listed.len().saturating_sub(height));
    let lines = board.listed.iter().enumerate().skip(top).take(height).map(|(at, line)| match line {
        ListRow::Heading { word, count } => {
            Line::styled(cut(&format!("{word} ({count})"), width).into_owned(), STRONG)
        }
        ListRow::Entry(number) => row(board, &board.waiting[*number], at == board.cursor, width, palette),
    });
    frame.render_widget(Paragraph::new(lines.collect::<Vec<_>>()), inner);
}

fn row(board: &Board, one: &Awaiting, is_meant: bool, width: usize, palette: Palette) -> Line<'static> {
    let mark = if board.marked.contains(&one.id) { '*' } else { ' ' };
    let pointer = if is_meant { '>' } else { ' ' };
    let kind: String = one.handle.split('-').next().unwrap_or_default().chars().take(3).collect();
    let state: String = one.facet(Facet::State).chars().take(3).collect();
    let start = format!("{pointer}{mark}{kind:<3} {state:<3} ");
    let end = if width >= ROOMY {
        format!(" {:<7} {}", cut(one.facet(Facet::Confidence), 7), one.day)
    } else {
        String::new()
    };
    let room = width.saturating_sub(columns(&start) + columns(&end));
    let title = cut(&one.title, room).into_owned();
    let space = " ".repeat(room.saturating_sub(columns(&title)));
    let style = match (is_meant, one.facet(Facet::State)) {
        (true, _) => Style::new().add_modifier(Modifier::REVERSED),
        (_, "disputed" | "rejected") => palette.tinted(Color::Red),
        _ => Style::new(),
    };
    Line::from(vec![Span::raw(start), Span::raw(title), Span::raw(space), Span::styled(end, FAINT)])
        .style(style)
}

/// Draws lines that are laid out already, from where they are scrolled to.
fn flowed(lines: Vec<Line<'static>>, scrolled: usize, frame: &mut Frame<'_>, area: Rect) {
    let last = lines.len().saturating_sub(usize::from(area.height));
    let shown: Vec<Line<'_>> =
        lines.into_iter().skip(scrolled.min(last)).take(usize::from(area.height)).collect();
    frame.render_widget(Paragraph::new(shown), area);
}

fn put(lines: &mut Vec<Line<'static>>, text: &str, width: usize, style: Style) {
    lines.extend(wrapped(text, width).into_iter().map(|line| Line::styled(line, style)));
}

/// Says what a decision about several entries would do.
fn question(names: &[String], ruling: &Ruling) -> String {
    let what = match ruling {
        Ruling::Keep => "Keep".to_owned(),
        Ruling::Reject { why } => format!("Reject, because “{why}”,"),
        Ruling::Merge { into } => format!("Merge into {}:", lore_core::handle::shown(into)),
        Ruling::Supersede { by } => format!("Replaced by {}:", lore_core::handle::shown(by)),
        Ruling::Settle { side, .. } => format!("Side {side} is right in"),
        Ruling::Both => "All sides are right in".to_owned(),
    };
    format!("{what} {}? y does it, any other key does not", counted(names.len(), "entry", "entries"))
}

fn foot(board: &Board, palette: Palette, width: usize) -> Line<'static> {
    let said = |text: String, style: Style| {
        Line::styled(cut(&format!(" {}", one_line(&text)), width).into_owned(), style)
    };
    match &board.mode {
        Mode::Search { .. } => said(format!("/{}▏ enter shows, esc does not", board.search), STRONG),
        Mode::Why { names, typed } => {
            let what =
                if names.len() > 1 { counted(names.len(), "entry", "entries") } else { "it".to_owned() };
            said(format!("reject {what}, why? {typed}▏ enter rejects, esc does not"), STRONG)
        }
        Mode::Sure { names, ruling } => {
            said(question(names, ruling), palette.tinted(Color::Yellow).patch(STRONG))
        }
        Mode::Pick { .. } => {
            said("type words of it, up and down choose, enter takes it, esc does not".to_owned(), FAINT)
        }
        Mode::Help { .. } => said("any other key goes back".to_owned(), FAINT),
        Mode::List if !board.notice.text.is_empty() => {
            let style = if board.notice.is_bad { palette.tinted(Color::Red).patch(STRONG) } else { STRONG };
            said(board.notice.text.clone(), style)
        }
        Mode::List => {
            let named = BINDINGS.iter().filter(|binding| !binding.short.is_empty());
            // The ways on and out come first: a narrow screen shows the beginning.
            let (first, rest): (Vec<&Binding>, Vec<&Binding>) =
                named.partition(|binding| matches!(binding.act, Act::Help | Act::Quit));
            let keys: Vec<String> =
                first.into_iter().chain(rest).map(|one| format!("{} {}", one.written, one.short)).collect();
            said(keys.join("  "), FAINT)
        }
    }
}

/// A window over the board.
fn window(title: &str, palette: Palette, frame: &mut Frame<'_>) -> Rect {
    let area = frame.area();
    let (width, height) = (area.width.saturating_sub(4).min(92), area.height.saturating_sub(2).min(30));
    let (x, y) = ((area.width - width) / 2, (area.height - height) / 2);
    let area = Rect { x, y, width, height };
    let block = Block::new()
        .borders(Borders::ALL)
        .border_style(palette.tinted(Color::Cyan))
        .title(format!(" {title} "));
    let inner = block.inner(area);
    frame.render_widget(Clear, area);
    frame.render_widget(block, area);
    inner
}

struct Picked<'p> {
    names: &'p [String],
    wanted: Wanted,
    typed: &'p str,
    at: usize,
}

fn pick(board: &Board, palette: Palette, frame: &mut Frame<'_>, picture: &Picked<'_>) {
    let title = match picture.wanted {
        Wanted::Into => "merge into which entry?",
        Wanted::Instead => "which entry holds instead?",
    };
    let inner = window(title, palette, frame);
    let (width, height) = (usize::from(inner.width), usize::from(inner.height).saturating_sub(1));
    let mut lines =
        vec![Line::styled(cut(&format!("{}▏", one_line(picture.typed)), width).into_owned(), STRONG)];
    let offered = board.matching(picture.names, picture.typed, OFFERED);
    let top = picture.at.saturating_sub(height.saturating_sub(1));
    for (at, one) in offered.iter().enumerate().skip(top).take(height) {
        let text = format!("{:<10} {:<12} {}", one.handle, one.kind, one.title);
        let style =
            if at == picture.at { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
        lines.push(Line::styled(cut(&text, width).into_owned(), style));
    }
    if offered.is_empty() {
        lines.push(Line::styled("No entry has these words.", FAINT));
    }
    frame.render_widget(Paragraph::new(lines), inner);
}

fn help(top: usize, palette: Palette, frame: &mut Frame<'_>) {
    let inner = window("keys", palette, frame);
    let width = usize::from(inner.width);
    let lines: Vec<Line<'static>> = BINDINGS
        .iter()
        .map(|binding| {
            Line::raw(cut(&format!("{:<10} {}", binding.written, binding.says), width).into_owned())
        })
        .collect();
    flowed(lines, top, frame, inner);
}
