//! Long output, page by page, on a terminal.

use std::io::Write as _;
use std::process::{Command, Stdio};

use lore_engine::World;

/// Returns the command that shows long output page by page; nothing where nobody wants one.
pub(crate) fn of(world: &World) -> Option<String> {
    let wanted = world.pager().map(str::to_owned);
    let wanted = wanted.or_else(|| world.finds("less").then(|| "less".to_owned()))?;
    (!matches!(wanted.trim(), "" | "cat")).then_some(wanted)
}

/// Tells whether a text is longer than the terminal is high.
pub(crate) fn is_long(text: &str) -> bool {
    let Ok((columns, rows)) = ratatui::crossterm::terminal::size() else { return false };
    let wide = usize::from(columns.max(1));
    let rows_of = |line: &str| line.chars().count().div_ceil(wide).max(1);
    let plain = anstream::adapter::strip_str(text).to_string();
    // The prompt wants a row as well.
    plain.lines().map(rows_of).sum::<usize>() >= usize::from(rows)
}

/// Hands a text to the pager and waits until it is read; tells whether that was possible.
pub(crate) fn show(text: &str, command: &str, has_less_options: bool) -> bool {
    let mut pager = if cfg!(windows) { Command::new("cmd") } else { Command::new("sh") };
    pager.args([if cfg!(windows) { "/C" } else { "-c" }, command]).stdin(Stdio::piped());
    if !has_less_options {
        // Colours as they are, the screen left as it was, and no waiting on a short text.
        pager.env("LESS", "FRX");
    }
    let Ok(mut child) = pager.spawn() else { return false };
    if let Some(mut input) = child.stdin.take() {
        // Whoever has read enough closes it.
        let _ = input.write_all(text.as_bytes());
    }
    // A shell that does not find the program ends with 127.
    child.wait().is_ok_and(|status| status.code() != Some(127))
}
