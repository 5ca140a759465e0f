//! `lore review` on the whole screen.
//!
//! The board is plain data ([`board`]), a key changes it ([`mod@update`]), the picture follows from it
//! ([`view`]); only this file touches the terminal and the engine. Whatever is decided goes through
//! the same use cases as `lore review keep` and its neighbours.

mod board;
mod keys;
#[cfg(test)]
mod tests;
mod text;
mod update;
mod view;

use std::io;
use std::time::Duration;

use lore_engine::Engine;
use lore_engine::entries::Filter;
use lore_engine::review::{CitedWords, Pending, ReviewPage, Reviewed, Ruling};
use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::Rect;

use self::board::{Awaiting, Board, Effect, Heir, Leaf, Stride};
use self::keys::Key;
use self::update::update;
use self::view::Palette;
use crate::error::Failure;
use crate::ui::counted;

/// Keys that come faster than this move the list without opening every page on the way.
const CALM: Duration = Duration::from_millis(40);
/// Nothing is left to do; whatever comes wakes us.
const LONG: Duration = Duration::from_secs(3600);

/// What the screen needs from outside.
pub(crate) struct Outside<'d> {
    pub(crate) engine: &'d Engine,
    /// Lists the entries that wait.
    pub(crate) waiting: &'d dyn Fn(&Engine) -> Result<Vec<Pending>, Failure>,
    /// Opens an entry in the editor.
    pub(crate) edit: &'d dyn Fn(&Engine, &str) -> Result<(), Failure>,
}

/// The screen, given back to the shell however the review ends; ratatui does so for a panic.
struct Borrowed {
    terminal: DefaultTerminal,
}

impl Borrowed {
    fn take() -> io::Result<Borrowed> {
        Ok(Borrowed { terminal: ratatui::try_init()? })
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        ratatui::restore();
    }
}

/// Lets a person review until they stop.
pub(crate) fn review(outside: &Outside<'_>) -> Result<(), Failure> {
    let (waiting, heirs) = read(outside)?;
    let mut board = Board::new(waiting, heirs);
    if let Some(place) = outside.engine.review_place() {
        board.return_to(&place);
    }
    let palette = if outside.engine.world().wants_colour() { Palette::Colours } else { Palette::Plain };
    let mut screen = Borrowed::take().map_err(failed)?;
    // What was decided is left out at once; the list is read again when the keys rest.
    let mut is_stale = false;
    loop {
        let size = screen.terminal.size().map_err(failed)?;
        let area = Rect::new(0, 0, size.width, size.height);
        board.height = usize::from(view::regions(area, false).list.height.saturating_sub(1));
        screen.terminal.draw(|frame| view::draw(&board, palette, frame)).map_err(failed)?;
        let is_calm = !is_stale && !wants_page(&board) && !wants_words(&board);
        if !event::poll(if is_calm { LONG } else { CALM }).map_err(failed)? {
            rest(outside, &mut board, &mut is_stale);
            continue;
        }
        // Everything that was typed meanwhile counts before the next picture.
        while event::poll(Duration::ZERO).map_err(failed)? {
            let Some(key) = key(&event::read().map_err(failed)?) else { continue };
            for effect in update(&mut board, key) {
                match effect {
                    Effect::Quit => {
                        outside.engine.keep_review_place(&board.place());
                        return Ok(());
                    }
                    Effect::Edit(id) => {
                        drop(screen);
                        let done = edited(outside, &mut board, &id);
                        screen = Borrowed::take().map_err(failed)?;
                        is_stale |= done;
                    }
                    Effect::Rule { names, ruling } => is_stale |= ruled(outside, &mut board, &names, &ruling),
                    Effect::Answer { id, granted } => {
                        is_stale |= settled(outside, &mut board, &id, granted);
                    }
                    Effect::Undo(step) => is_stale |= undone(outside, &mut board, step),
                }
            }
        }
    }
}

/// Does what there is to do while no key comes: the list first, then the page, then the transcripts.
fn rest(outside: &Outside<'_>, board: &mut Board, is_stale: &mut bool) {
    if *is_stale {
        *is_stale = false;
        match read(outside) {
            Ok((waiting, heirs)) => board.fill(waiting, heirs),
            Err(failure) => board.complain(failure.to_string()),
        }
        return;
    }
    let Ok(engine) = outside.engine.at_present() else { return };
    if wants_page(board) {
        let Some(id) = board.current().map(|one| one.id.clone()) else { return };
        let leaf = match board.has_questions(std::slice::from_ref(&id)) {
            false => engine.review_page(&id).map(|page| Leaf::Entry(Box::new(page))),
            true => engine.edit_question(&id).map(|asked| Leaf::Question(Box::new(asked))),
        };
        match leaf {
            Ok(leaf) => board.leaf = Some(leaf),
            Err(error) => {
                // It went meanwhile; the list is behind.
                board.complain(error.to_string());
                board.leave_out(&[id]);
                *is_stale = true;
            }
        }
        return;
    }
    if let Some(cited) = open_page(board).and_then(|page| page.rests_on.iter_mut().find(|one| is_open(one))) {
        engine.look_up(cited);
        // What was looked up in vain is not looked up again.
        cited.around.get_or_insert_with(|| cited.quoted.join("\n"));
    }
}

fn open_page(board: &mut Board) -> Option<&mut ReviewPage> {
    match board.leaf.as_mut()? {
        Leaf::Entry(page) => Some(page),
        Leaf::Question(_) => None,
    }
}

fn is_open(cited: &CitedWords) -> bool {
    cited.around.is_none()
}

fn wants_page(board: &Board) -> bool {
    board.current().is_some() && board.current_leaf().is_none()
}

fn wants_words(board: &Board) -> bool {
    board.current_page().is_some_and(|page| page.rests_on.iter().any(is_open))
}

fn read(outside: &Outside<'_>) -> Result<(Vec<Awaiting>, Vec<Heir>), Failure> {
    let engine = outside.engine.at_present()?;
    let (questions, pending) = (engine.edit_questions(), (outside.waiting)(&engine)?);
    let waiting = questions.iter().map(Awaiting::asked).chain(pending.iter().map(Awaiting::of)).collect();
    let heirs = engine.list(&Filter::default())?.iter().map(Heir::of).collect();
    Ok((waiting, heirs))
}

/// Does what was decided; tells whether something changed.
fn ruled(outside: &Outside<'_>, board: &mut Board, names: &[String], ruling: &Ruling) -> bool {
    let done = outside.engine.at_present().and_then(|engine| engine.review_all(names, ruling, false));
    match done {
        Ok(done) => {
            let told = told(&done);
            if let Some(run) = done.iter().find_map(|one| one.run.clone()) {
                board.steps.push(Stride { run, told: told.clone() });
            }
            board.marked.clear();
            board.leave_out(names);
            board.say(told);
            true
        }
        Err(error) => {
            board.complain(sentence(&error));
            // It may be refused because what is on the screen is no longer so.
            board.leaf = None;
            false
        }
    }
}

/// Says yes or no to a question; tells whether something changed.
fn settled(outside: &Outside<'_>, board: &mut Board, id: &str, granted: bool) -> bool {
    let done = || -> Result<Option<String>, lore_engine::Error> {
        let engine = outside.engine.at_present()?;
        let before = engine.last_run();
        match granted {
            true => engine.grant(id, false)?,
            false => engine.dismiss(id, false)?,
        };
        Ok(engine.last_run().filter(|run| Some(run) != before.as_ref()))
    };
    let told = format!("{} {id}", if granted { "granted" } else { "dismissed" });
    match done() {
        Ok(run) => {
            board.say(if run.is_some() { format!("{told}; u takes it back") } else { told.clone() });
            board.steps.extend(run.map(|run| Stride { run, told }));
            board.leave_out(&[id.to_owned()]);
            true
        }
        Err(error) => {
            board.complain(sentence(&error));
            false
        }
    }
}

/// Says what was done.
fn told(done: &[Reviewed]) -> String {
    let Some(first) = done.first() else { return String::new() };
    let what = match done.len() {
        1 => first.id.handle().to_string(),
        count => counted(count, "entry", "entries"),
    };
    format!("{} {what}; u takes it back", crate::cli::review::verb(&first.ruling))
}

fn undone(outside: &Outside<'_>, board: &mut Board, step: Stride) -> bool {
    let done = outside.engine.at_present().and_then(|engine| engine.undo(Some(&step.run), false));
    match done {
        Ok(report) if report.left.is_empty() => {
            let what = step.told.split(';').next().unwrap_or_default();
            board.say(format!("taken back: {what}"));
            board.leaf = None;
            true
        }
        Ok(report) => {
            let left: Vec<String> =
                report.left.iter().map(|one| format!("{} {}", one.path, one.why)).collect();
            board.complain(format!("not all is taken back: {}", left.join(", ")));
            board.leaf = None;
            true
        }
        Err(error) => {
            board.complain(sentence(&error));
            board.steps.push(step);
            false
        }
    }
}

fn edited(outside: &Outside<'_>, board: &mut Board, id: &str) -> bool {
    let done = || -> Result<Option<String>, Failure> {
        let engine = outside.engine.at_present()?;
        let before = engine.last_run();
        (outside.edit)(&engine, id)?;
        Ok(engine.last_run().filter(|run| Some(run) != before.as_ref()))
    };
    board.leaf = None;
    match done() {
        Ok(Some(run)) => {
            board.steps.push(Stride { run, told: "edited it".to_owned() });
            board.say("edited; u takes it back");
            true
        }
        Ok(None) => {
            board.say("Nothing was changed.");
            false
        }
        Err(failure) => {
            board.complain(failure.to_string());
            true
        }
    }
}

/// Says on one line what went wrong and what to do.
fn sentence(error: &lore_engine::Error) -> String {
    let hints = error.hints();
    let hint = hints.first().map(|hint| format!(" ({hint})")).unwrap_or_default();
    format!("{error}{hint}")
}

fn failed(source: io::Error) -> Failure {
    Failure::environment("the terminal does not answer", &source)
}

/// Reads a key of the terminal; what is no key of ours is nothing.
fn key(event: &Event) -> Option<Key> {
    let Event::Key(KeyEvent { code, modifiers, kind, .. }) = event else { return None };
    if *kind == KeyEventKind::Release {
        return None;
    }
    Some(match code {
        KeyCode::Char(letter) if modifiers.contains(KeyModifiers::CONTROL) => {
            Key::Ctrl(letter.to_ascii_lowercase())
        }
        KeyCode::Char(letter) => Key::Char(*letter),
        KeyCode::Enter => Key::Enter,
        KeyCode::Esc => Key::Esc,
        KeyCode::Backspace => Key::Backspace,
        KeyCode::Tab => Key::Tab,
        KeyCode::Up => Key::Up,
        KeyCode::Down => Key::Down,
        KeyCode::PageUp => Key::PageUp,
        KeyCode::PageDown => Key::PageDown,
        KeyCode::Home => Key::Home,
        KeyCode::End => Key::End,
        _ => return None,
    })
}
