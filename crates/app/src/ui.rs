//! The only file that prints: for people, for pipes, or as JSON; and it sanitises what it prints.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "this is the one place that prints")]

use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use anstyle::{AnsiColor, Style};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
pub(crate) use lore_core::text::counted;
use lore_core::{sentinel, text};
use serde::Serialize;

use crate::columns;

/// What the user asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Output {
    /// Machine output.
    pub(crate) json: bool,
    /// No progress and no notes.
    pub(crate) quiet: bool,
}

/// Talks to the user.
#[derive(Debug)]
pub(crate) struct Ui {
    output: Output,
    /// Whether an agent reads it, so that nothing said here may look like anybody's mark.
    breaks_marks: Cell<bool>,
    /// What is printed until the end, where an agent reads it.
    held: RefCell<Option<String>>,
    /// What is printed until the end, where it may be shown page by page; and by which command.
    paged: RefCell<Option<Paged>>,
    /// What was printed, where it is to be written down.
    record: RefCell<Option<String>>,
    /// Everything that was said, where nothing is printed at all.
    kept: Option<RefCell<String>>,
}

/// Output that may be long.
#[derive(Debug)]
struct Paged {
    text: String,
    command: String,
    /// Whether the user has options for `less`.
    has_options: bool,
}

/// What a piece of text means; each has a colour, none is told by the colour alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tone {
    /// The subject.
    Strong,
    /// Less important.
    Faint,
    /// All is well.
    Good,
    /// Look at it.
    Warn,
    /// Wrong.
    Bad,
    /// A name or an id.
    Name,
}

impl Tone {
    fn style(self) -> Style {
        let colour = |colour: AnsiColor| Style::new().fg_color(Some(colour.into()));
        match self {
            Tone::Strong => Style::new().bold(),
            Tone::Faint => Style::new().dimmed(),
            Tone::Good => colour(AnsiColor::Green),
            Tone::Warn => colour(AnsiColor::Yellow),
            Tone::Bad => colour(AnsiColor::Red),
            Tone::Name => colour(AnsiColor::Cyan),
        }
    }
}

/// Wraps a text in its colour; the printer drops colours where they are not wanted.
pub(crate) fn paint(tone: Tone, text: impl AsRef<str>) -> String {
    let style = tone.style();
    format!("{style}{}{style:#}", sanitised(text.as_ref()))
}

/// Removes everything from quoted text that could steer a terminal.
pub(crate) fn sanitised(text: &str) -> Cow<'_, str> {
    text::clean(text)
}

/// Cuts a text to a number of columns, on one line.
pub(crate) fn cut(text: &str, width: usize) -> String {
    let mut text = sanitised(text);
    if text.contains('\n') {
        text = Cow::Owned(text.split_whitespace().collect::<Vec<_>>().join(" "));
    }
    columns::cut(&text, width).into_owned()
}

/// Writes a word as a shell wants it.
pub(crate) fn shell_word(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:=%~".contains(c);
    match word {
        _ if !word.is_empty() && word.chars().all(is_plain) => word.to_owned(),
        _ if word.contains(['"', '$', '`', '\\', '!']) => format!("'{}'", word.replace('\'', "'\\''")),
        _ => format!("\"{word}\""),
    }
}

impl Ui {
    /// Makes a printer.
    pub(crate) fn new(output: Output) -> Ui {
        Ui {
            output,
            breaks_marks: Cell::new(false),
            held: RefCell::new(None),
            paged: RefCell::new(None),
            record: RefCell::new(None),
            kept: None,
        }
    }

    /// Makes a printer that prints nothing and keeps everything, data and talk in their order.
    pub(crate) fn keeping(output: Output) -> Ui {
        Ui { kept: Some(RefCell::default()), ..Ui::new(output) }
    }

    /// Returns what was kept, with its colours.
    pub(crate) fn kept(self) -> String {
        self.kept.map(RefCell::into_inner).unwrap_or_default()
    }

    /// Tells whether machine output was asked for.
    pub(crate) fn is_json(&self) -> bool {
        self.output.json
    }

    /// Prints a text that is made for a file or another program, as it is or inside one object.
    pub(crate) fn print_whole(&self, text: &str) {
        if self.is_json() {
            self.json("lore.page/1", &serde_json::json!({ "text": text }));
        } else {
            self.print(text);
        }
    }

    /// Breaks what could be taken for a mark in everything that is said from here on, because an agent
    /// will read it. On a terminal all stays as it is.
    pub(crate) fn break_marks(&self) {
        self.breaks_marks.set(self.kept.is_some() || !io::stdout().is_terminal());
    }

    fn broken<'t>(&self, text: &'t str) -> Cow<'t, str> {
        if self.breaks_marks.get() { sentinel::clean(text) } else { Cow::Borrowed(text) }
    }

    /// Holds what is printed back until [`Ui::release`], because an agent will read it: it quotes
    /// what anybody wrote, so it is fenced as a whole. On a terminal, as JSON and with nothing to
    /// print all stays as it is.
    pub(crate) fn hold(&self) {
        self.break_marks();
        if !self.output.json && self.breaks_marks.get() {
            self.held.replace(Some(String::new()));
        }
    }

    /// Prints what was held back.
    pub(crate) fn release(&self) {
        if let Some(text) = self.held.take().filter(|text| !text.trim().is_empty()) {
            // Colours are for people.
            self.give(&format!("{}\n", sentinel::wrap(&anstream::adapter::strip_str(&text).to_string())));
        }
    }

    /// Shows what is printed from here on page by page where it turns out to be long, on a terminal alone.
    pub(crate) fn page(&self, command: String, has_options: bool) {
        if !self.output.json && self.kept.is_none() && io::stdout().is_terminal() {
            self.paged.replace(Some(Paged { text: String::new(), command, has_options }));
        }
    }

    /// Shows what was printed since.
    pub(crate) fn turn_over(&self) {
        let Some(Paged { text, command, has_options }) = self.paged.take() else { return };
        if crate::pager::is_long(&text) {
            let plain = anstream::AutoStream::choice(&io::stdout()) == anstream::ColorChoice::Never;
            let shown = if plain { anstream::adapter::strip_str(&text).to_string() } else { text.clone() };
            if crate::pager::show(&shown, &command, has_options) {
                return;
            }
        }
        self.out(&text);
    }

    /// Remembers what is printed from here on.
    pub(crate) fn record(&self) {
        self.record.replace(Some(String::new()));
    }

    /// Returns what was printed since, as it was printed.
    pub(crate) fn recorded(&self) -> Option<String> {
        self.record.take().filter(|text| !text.trim().is_empty())
    }

    /// Prints text to standard output; a closed pipe ends the program quietly.
    pub(crate) fn print(&self, text: impl AsRef<str>) {
        if let Some(held) = self.held.borrow_mut().as_mut() {
            held.push_str(text.as_ref());
            return;
        }
        self.give(&self.broken(text.as_ref()));
    }

    /// Prints what nothing has to be done to any more.
    fn give(&self, text: &str) {
        if let Some(record) = self.record.borrow_mut().as_mut() {
            record.push_str(&anstream::adapter::strip_str(text).to_string());
        }
        if let Some(kept) = &self.kept {
            kept.borrow_mut().push_str(text);
            return;
        }
        if let Some(paged) = self.paged.borrow_mut().as_mut() {
            paged.text.push_str(text);
            return;
        }
        self.out(text);
    }

    fn out(&self, text: &str) {
        let mut out = anstream::AutoStream::auto(io::stdout().lock());
        quiet_on_closed_pipe(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
    }

    /// Prints a line for somebody who may not care: what cannot be written is not.
    pub(crate) fn offer(&self, text: impl AsRef<str>) {
        let mut out = io::stdout().lock();
        let _ = out.write_all(format!("{}\n", text.as_ref()).as_bytes()).and_then(|()| out.flush());
    }

    /// Prints a line to standard output.
    pub(crate) fn line(&self, text: impl AsRef<str>) {
        self.print(format!("{}\n", text.as_ref()));
    }

    /// Prints one JSON object, named and versioned.
    pub(crate) fn json<T: Serialize>(&self, schema: &str, value: &T) {
        let mut object = serde_json::Map::new();
        object.insert("schema".to_owned(), schema.into());
        match unmarked(value) {
            Ok(serde_json::Value::Object(fields)) => object.extend(fields),
            Ok(other) => {
                object.insert("items".to_owned(), other);
            }
            Err(error) => {
                object.insert("error".to_owned(), error.to_string().into());
            }
        }
        let text = serde_json::to_string_pretty(&object).unwrap_or_default();
        self.give(&format!("{text}\n"));
    }

    /// Prints objects, one to a line.
    pub(crate) fn json_lines(&self, lines: &str) {
        for line in lines.lines() {
            let object = serde_json::from_str::<serde_json::Value>(line).and_then(|object| unmarked(&object));
            self.give(&format!("{}\n", object.map(|object| object.to_string()).unwrap_or_default()));
        }
    }

    /// Says something that is not data.
    pub(crate) fn note(&self, text: impl AsRef<str>) {
        let text = self.broken(text.as_ref());
        if let Some(kept) = &self.kept {
            kept.borrow_mut().push_str(&format!("{text}\n"));
        } else if !self.output.quiet && !self.output.json {
            let mut err = anstream::AutoStream::auto(io::stderr().lock());
            let _ = writeln!(err, "{text}");
        }
    }

    /// Says what failed, why, and what to do next.
    pub(crate) fn error(&self, sentence: &str, causes: &[String], hints: &[String]) {
        if self.output.json {
            let error = serde_json::json!({ "message": sentence, "causes": causes, "hints": hints });
            self.json("lore.error/1", &serde_json::json!({ "error": error }));
            return;
        }
        let mut said = vec![format!("{} {}", paint(Tone::Bad, "error:"), sanitised(sentence))];
        said.extend(causes.iter().map(|cause| format!("  because {}", sanitised(cause))));
        said.extend(hints.iter().map(|hint| format!("{} {}", paint(Tone::Name, "hint:"), sanitised(hint))));
        let said = said.join("\n");
        let said = self.broken(&said);
        if let Some(kept) = &self.kept {
            kept.borrow_mut().push_str(&format!("{said}\n"));
            return;
        }
        let mut err = anstream::AutoStream::auto(io::stderr().lock());
        let _ = writeln!(err, "{said}");
    }

    /// Shows how far something is; invisible in pipes, with `--json` and `--quiet`.
    pub(crate) fn progress(&self, what: &str) -> Progress {
        let hidden =
            self.output.quiet || self.output.json || self.kept.is_some() || !io::stderr().is_terminal();
        let target = if hidden { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
        let bar = ProgressBar::with_draw_target(Some(0), target);
        if let Ok(style) = ProgressStyle::with_template("{msg} {bar:30} {pos}/{len} {eta}") {
            bar.set_style(style);
        }
        bar.set_message(what.to_owned());
        bar.enable_steady_tick(Duration::from_millis(200));
        Progress(bar)
    }
}

/// A progress bar that goes away when it is dropped.
#[derive(Debug)]
pub(crate) struct Progress(ProgressBar);

impl Progress {
    /// Says what is being done now.
    pub(crate) fn say(&self, what: &str) {
        self.0.set_message(what.to_owned());
    }

    /// Says how much is done, and of how much.
    pub(crate) fn at(&self, done: u64, total: u64) {
        self.0.set_length(total);
        self.0.set_position(done);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// A folder of ours to remove where the program ends early.
static SCRATCH: OnceLock<PathBuf> = OnceLock::new();

/// Remembers a throw-away folder, so that it goes also when nobody reads to the end.
pub(crate) fn throw_away(folder: &Path) {
    let _ = SCRATCH.set(folder.to_owned());
}

/// Changes every text of a JSON value, wherever it stands.
pub(crate) fn each_text(value: &mut serde_json::Value, change: &mut dyn FnMut(&mut String)) {
    match value {
        serde_json::Value::String(text) => change(text),
        serde_json::Value::Array(items) => items.iter_mut().for_each(|item| each_text(item, change)),
        serde_json::Value::Object(fields) => fields.values_mut().for_each(|field| each_text(field, change)),
        _ => {}
    }
}

/// Makes JSON in which nothing quoted may speak for another: whoever reads it is a program, and often an agent.
fn unmarked<T: Serialize>(value: &T) -> serde_json::Result<serde_json::Value> {
    let mut value = serde_json::to_value(value)?;
    each_text(&mut value, &mut |text| {
        if !names_a_person(text)
            && let Cow::Owned(clean) = sentinel::fenced(text)
        {
            *text = clean;
        }
    });
    Ok(value)
}

/// `human:Ada`: who did something, and no turn of a talk.
fn names_a_person(text: &str) -> bool {
    text.strip_prefix("human:").is_some_and(|name| {
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '.' | '_' | '@' | '+' | '-' | '\'');
        name.starts_with(char::is_alphanumeric)
            && name.chars().count() <= LONGEST_NAME
            && name.split(' ').count() <= 3
            && name.chars().all(is_plain)
    })
}

const LONGEST_NAME: usize = 60;

/// Ends the program without a word when nobody reads any more.
#[allow(clippy::disallowed_methods, reason = "a folder that is thrown away is no knowledge")]
fn quiet_on_closed_pipe(result: io::Result<()>) {
    if let Err(error) = result {
        if let Some(folder) = SCRATCH.get() {
            let _ = std::fs::remove_dir_all(folder);
        }
        let code = if error.kind() == io::ErrorKind::BrokenPipe { 0 } else { 3 };
        std::process::exit(code);
    }
}
