//! What a key changes, and what is to be done outside. Pure: the same board and key give the same.

use std::collections::BTreeSet;

use lore_engine::review::Ruling;

use super::board::{Board, Effect, Facet, Focus, Mode, Wanted};
use super::keys::{Act, BINDINGS, Key, meant};

/// The reason of a rejection where none is given.
pub(crate) const NO_REASON: &str = "not worth keeping";
/// So many entries are offered to choose another from.
pub(crate) const OFFERED: usize = 50;

/// Takes one key.
pub(crate) fn update(board: &mut Board, key: Key) -> Vec<Effect> {
    if key == Key::Ctrl('c') {
        return vec![Effect::Quit];
    }
    match std::mem::replace(&mut board.mode, Mode::List) {
        Mode::List => {
            board.notice = super::board::Notice::default();
            meant(key).map(|act| acted(board, act, key)).unwrap_or_default()
        }
        Mode::Search { before } => search(board, before, key),
        Mode::Why { names, typed } => why(board, names, typed, key),
        Mode::Pick { names, wanted, typed, at } => pick(board, Mode::Pick { names, wanted, typed, at }, key),
        Mode::Sure { names, ruling } => match key {
            Key::Char('y') => vec![Effect::Rule { names, ruling }],
            _ => {
                board.say("Nothing was done.");
                Vec::new()
            }
        },
        Mode::Help { top } => {
            let last = BINDINGS.len().saturating_sub(1);
            let to = match meant(key) {
                Some(Act::Down) => Some((top + 1).min(last)),
                Some(Act::Up) => Some(top.saturating_sub(1)),
                Some(Act::PageDown) => Some((top + board.height).min(last)),
                Some(Act::PageUp) => Some(top.saturating_sub(board.height)),
                _ => None,
            };
            if let Some(top) = to {
                board.mode = Mode::Help { top };
            }
            Vec::new()
        }
    }
}

fn acted(board: &mut Board, act: Act, key: Key) -> Vec<Effect> {
    let screen = isize::try_from(board.height.max(2) - 1).unwrap_or(1);
    match act {
        Act::Up => moved(board, -1),
        Act::Down => moved(board, 1),
        Act::PageUp => moved(board, -screen),
        Act::PageDown => moved(board, screen),
        Act::First => moved(board, isize::MIN / 2),
        Act::Last => moved(board, isize::MAX / 2),
        Act::Focus => {
            board.focus = match board.focus {
                Focus::List => Focus::Page,
                Focus::Page => Focus::Words,
                Focus::Words if board.zoomed => Focus::Page,
                Focus::Words => Focus::List,
            }
        }
        Act::Zoom => {
            board.zoomed = !board.zoomed;
            board.focus = if board.zoomed { Focus::Page } else { Focus::List };
        }
        Act::Help => board.mode = Mode::Help { top: 0 },
        Act::Search => board.mode = Mode::Search { before: board.search.clone() },
        Act::Group => {
            let at = board.grouping.and_then(|facet| Facet::ALL.iter().position(|other| *other == facet));
            board.grouping = Facet::ALL.get(at.map_or(0, |at| at + 1)).copied();
            board.list_again();
        }
        Act::OnlyKind => narrow(board, Facet::Kind),
        Act::OnlyState => narrow(board, Facet::State),
        Act::OnlyConfidence => narrow(board, Facet::Confidence),
        Act::Clear => {
            board.only.clear();
            board.search.clear();
            board.marked.clear();
            board.list_again();
        }
        Act::Mark => {
            if let Some(id) = board.current().map(|one| one.id.clone()) {
                if !board.marked.remove(&id) {
                    board.marked.insert(id);
                }
                board.go(1);
            }
        }
        Act::MarkAll => mark_all(board),
        Act::Quit => return vec![Effect::Quit],
        Act::Undo => return undo(board),
        Act::Edit | Act::Keep | Act::Side | Act::Both | Act::Reject | Act::Merge | Act::Replace
            if board.has_questions(&board.chosen()) =>
        {
            return answer(board, act);
        }
        Act::Edit => return edit(board),
        Act::Keep => return decide(board, Ruling::Keep),
        Act::Side => return side(board, key),
        Act::Both => return both(board),
        Act::Reject => ask(board, |names| Mode::Why { names, typed: String::new() }),
        Act::Merge => ask(board, |names| picking(names, Wanted::Into)),
        Act::Replace => ask(board, |names| picking(names, Wanted::Instead)),
    }
    Vec::new()
}

fn moved(board: &mut Board, by: isize) {
    match board.focus {
        Focus::List => board.go(by.clamp(-(board.listed.len() as isize), board.listed.len() as isize)),
        Focus::Page => board.scrolled[0] = board.scrolled[0].saturating_add_signed(by).min(LONGEST),
        Focus::Words => board.scrolled[1] = board.scrolled[1].saturating_add_signed(by).min(LONGEST),
    }
}

/// Nobody scrolls further; the view stops at the end of the text.
const LONGEST: usize = 1 << 20;

/// Goes to the next word of a facet, and after the last to all.
fn narrow(board: &mut Board, facet: Facet) {
    let words: Vec<String> = board.words_of(facet).into_iter().map(str::to_owned).collect();
    let at = board.only.get(&facet).and_then(|word| words.iter().position(|other| other == word));
    match words.get(at.map_or(0, |at| at + 1)) {
        Some(word) => board.only.insert(facet, word.clone()),
        None => board.only.remove(&facet),
    };
    board.list_again();
}

fn mark_all(board: &mut Board) {
    let shown: BTreeSet<String> = board
        .listed
        .iter()
        .filter_map(|line| match line {
            super::board::ListRow::Entry(at) => Some(board.waiting[*at].id.clone()),
            super::board::ListRow::Heading { .. } => None,
        })
        .collect();
    let is_all = shown.iter().all(|id| board.marked.contains(id));
    if is_all {
        board.marked.retain(|id| !shown.contains(id));
    } else {
        board.marked.extend(shown);
    }
}

fn undo(board: &mut Board) -> Vec<Effect> {
    match board.steps.pop() {
        Some(step) => vec![Effect::Undo(step)],
        None => {
            board.say("There is no step of this review to take back; `lore undo` takes back others.");
            Vec::new()
        }
    }
}

/// Says yes or no to a question; nothing else can be done with one.
fn answer(board: &mut Board, act: Act) -> Vec<Effect> {
    let mut names = board.chosen();
    match (act, names.pop()) {
        (Act::Keep | Act::Reject, Some(id)) if names.is_empty() => {
            vec![Effect::Answer { id, granted: act == Act::Keep }]
        }
        (Act::Keep | Act::Reject, _) => {
            board.say("Questions are answered one at a time; esc marks nothing.");
            Vec::new()
        }
        _ => {
            board.say("A question is granted with y or dismissed with x.");
            Vec::new()
        }
    }
}

fn edit(board: &mut Board) -> Vec<Effect> {
    match board.chosen().as_slice() {
        [] => Vec::new(),
        [one] => vec![Effect::Edit(one.clone())],
        _ => {
            board.say("Only one entry can be edited at a time; esc marks nothing.");
            Vec::new()
        }
    }
}

/// Decides about what is chosen; about several only after a yes.
fn decide(board: &mut Board, ruling: Ruling) -> Vec<Effect> {
    let names = board.chosen();
    decided(board, names, ruling)
}

fn decided(board: &mut Board, names: Vec<String>, ruling: Ruling) -> Vec<Effect> {
    match names.len() {
        0 => Vec::new(),
        1 => vec![Effect::Rule { names, ruling }],
        _ => {
            board.mode = Mode::Sure { names, ruling };
            Vec::new()
        }
    }
}

/// Says that a side is right, where the sides are on the screen.
fn side(board: &mut Board, key: Key) -> Vec<Effect> {
    let Key::Char(digit) = key else { return Vec::new() };
    let side = digit.to_digit(10).unwrap_or_default() as usize;
    if board.chosen().len() > 1 {
        board.say("Sides are chosen one entry at a time; esc marks nothing.");
        return Vec::new();
    }
    let sides = board.current_page().map_or(&[][..], |page| &page.sides);
    let Some(says) = sides.iter().find(|one| one.number == side).map(|one| one.text.clone()) else {
        let told = match sides.len() {
            0 => "It has no sides to choose from.".to_owned(),
            count => format!("It has {count} sides."),
        };
        board.say(told);
        return Vec::new();
    };
    let names = board.current().map(|one| one.id.clone()).into_iter().collect();
    decided(board, names, Ruling::Settle { side, says: Some(says) })
}

/// Says that all sides are right, where there are sides.
fn both(board: &mut Board) -> Vec<Effect> {
    let sides = board.current_page().map_or(0, |page| page.sides.len());
    if board.chosen().len() > 1 || sides == 0 {
        board.say("Sides are chosen one entry at a time, where it has any.");
        return Vec::new();
    }
    let names = board.current().map(|one| one.id.clone()).into_iter().collect();
    decided(board, names, Ruling::Both)
}

fn ask(board: &mut Board, mode: impl FnOnce(Vec<String>) -> Mode) {
    let names = board.chosen();
    if !names.is_empty() {
        board.mode = mode(names);
    }
}

fn picking(names: Vec<String>, wanted: Wanted) -> Mode {
    Mode::Pick { names, wanted, typed: String::new(), at: 0 }
}

fn search(board: &mut Board, before: String, key: Key) -> Vec<Effect> {
    match key {
        Key::Enter => {}
        Key::Esc => board.search = before,
        other => {
            typed(&mut board.search, other);
            board.mode = Mode::Search { before };
        }
    }
    board.list_again();
    Vec::new()
}

fn why(board: &mut Board, names: Vec<String>, mut reason: String, key: Key) -> Vec<Effect> {
    match key {
        Key::Esc => board.say("Nothing was done."),
        Key::Enter => {
            let why = if reason.trim().is_empty() { NO_REASON.to_owned() } else { reason.trim().to_owned() };
            return decided(board, names, Ruling::Reject { why });
        }
        other => {
            typed(&mut reason, other);
            board.mode = Mode::Why { names, typed: reason };
        }
    }
    Vec::new()
}

fn pick(board: &mut Board, mode: Mode, key: Key) -> Vec<Effect> {
    let Mode::Pick { names, wanted, typed: mut words, mut at } = mode else { return Vec::new() };
    let offered = board.matching(&names, &words, OFFERED);
    match key {
        Key::Esc => {
            board.say("Nothing was done.");
            return Vec::new();
        }
        Key::Enter => {
            if let Some(other) = offered.get(at).map(|one| one.id.clone()) {
                let ruling = match wanted {
                    Wanted::Into => Ruling::Merge { into: other },
                    Wanted::Instead => Ruling::Supersede { by: other },
                };
                return decided(board, names, ruling);
            }
        }
        Key::Up => at = at.saturating_sub(1),
        Key::Down => at = (at + 1).min(offered.len().saturating_sub(1)),
        other => {
            typed(&mut words, other);
            at = 0;
        }
    }
    board.mode = Mode::Pick { names, wanted, typed: words, at };
    Vec::new()
}

fn typed(text: &mut String, key: Key) {
    match key {
        Key::Char(letter) if !letter.is_control() => text.push(letter),
        Key::Backspace => drop(text.pop()),
        Key::Ctrl('u') => text.clear(),
        _ => {}
    }
}
