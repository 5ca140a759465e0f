//! A base as one page of HTML that needs nothing else: no server, no network, no fonts from elsewhere.
//!
//! Everything that comes from the base travels as one JSON island and becomes text nodes; nothing is ever
//! parsed as HTML. The content security policy names the one script and the one style by their hashes
//! and forbids the rest, so that a mistake here could still run nothing.

mod http;
mod serve;

use std::process::{Command, Stdio};

use lore_core::{ContentHash, text};
use lore_engine::view::BaseView;

pub(crate) use self::serve::serve;
use crate::error::Failure;
use crate::ui::each_text;

/// The page with a name where each part goes.
const PAGE: &str = include_str!("page/page.html");
const STYLE: &str = concat!(
    include_str!("page/colours.css"),
    include_str!("page/frame.css"),
    include_str!("page/reading.css")
);
const SCRIPT: &str = concat!(
    "(() => {\n\"use strict\";\n",
    include_str!("page/dom.js"),
    include_str!("page/markdown.js"),
    include_str!("page/search.js"),
    include_str!("page/list.js"),
    include_str!("page/graph.js"),
    include_str!("page/entry.js"),
    include_str!("page/screens.js"),
    include_str!("page/serve.js"),
    include_str!("page/main.js"),
    "})();\n"
);

/// Where a page is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// From a file: it can only be read.
    File,
    /// From our door: a person can decide what waits.
    Served,
}

/// Writes the page of a base.
pub(crate) fn page(view: &BaseView, reading: Reading) -> Result<String, Failure> {
    let served = if reading == Reading::Served { " data-served" } else { "" };
    let title = format!("{} · lore", view.name);
    Ok(filled(&[
        ("SERVED", served),
        ("POLICY", &policy(reading)),
        ("TITLE", &escaped(&text::clean(&title))),
        ("STYLE", STYLE),
        ("DATA", &island(view)?),
        ("SCRIPT", SCRIPT),
    ]))
}

/// Returns a base as JSON, without characters that hide or turn what is read.
pub(crate) fn data(view: &BaseView) -> Result<String, Failure> {
    let failed =
        |error: serde_json::Error| Failure::environment("the base cannot be written as JSON", &error);
    let mut value = serde_json::to_value(view).map_err(failed)?;
    each_text(&mut value, &mut |said| {
        if let std::borrow::Cow::Owned(clean) = text::clean(said) {
            *said = clean;
        }
    });
    serde_json::to_string(&value).map_err(failed)
}

/// Says what a page may do: run the script it carries, look like the style it carries, nothing else.
pub(crate) fn policy(reading: Reading) -> String {
    let connect = if reading == Reading::Served { " connect-src 'self';" } else { "" };
    format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:;{connect} base-uri 'none'; \
         form-action 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
        fingerprint(SCRIPT),
        fingerprint(STYLE)
    )
}

/// Opens an address or a file in the user's browser.
pub(crate) fn open_in_browser(target: &str) -> Result<(), Failure> {
    let mut command = if cfg!(target_os = "macos") {
        Command::new("open")
    } else if cfg!(windows) {
        let mut command = Command::new("cmd");
        command.args(["/C", "start", ""]);
        command
    } else {
        Command::new("xdg-open")
    };
    command.arg(target).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.spawn().map(drop).map_err(|error| {
        Failure::environment("no browser could be opened", &error)
            .and_hint(format!("open `{target}` yourself"))
    })
}

/// Returns a base as JSON that can stand inside a script element: nothing in it can end that element.
fn island(view: &BaseView) -> Result<String, Failure> {
    let data = data(view)?;
    let mut out = String::with_capacity(data.len() + data.len() / 50);
    for c in data.chars() {
        match c {
            '<' => out.push_str("\\u003c"),
            '>' => out.push_str("\\u003e"),
            '&' => out.push_str("\\u0026"),
            '\u{2028}' => out.push_str("\\u2028"),
            '\u{2029}' => out.push_str("\\u2029"),
            c => out.push(c),
        }
    }
    Ok(out)
}

/// Puts each part where its name stands; what a part says is never looked at again.
fn filled(parts: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(PAGE.len() + parts.iter().map(|(_, text)| text.len()).sum::<usize>());
    for (number, piece) in PAGE.split("@@").enumerate() {
        let part = parts.iter().find(|(name, _)| number % 2 == 1 && *name == piece);
        out.push_str(part.map_or(piece, |(_, text)| text));
    }
    out
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Returns the SHA-256 of a text as a policy names it, in base 64.
fn fingerprint(text: &str) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let hash = ContentHash::of(text.as_bytes());
    let digit = |at: usize| hash.as_str().get(at..=at).and_then(|digit| u32::from_str_radix(digit, 16).ok());
    let bytes: Vec<u32> =
        (0..32).map(|at| digit(2 * at).unwrap_or(0) * 16 + digit(2 * at + 1).unwrap_or(0)).collect();
    let mut out = "sha256-".to_owned();
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0, |bits, byte| bits << 8 | byte) << (8 * (3 - three.len()));
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place) & 63) as usize];
            out.push(if place > three.len() { '=' } else { char::from(letter) });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_are_those_that_browsers_compute() {
        // printf '' | openssl dgst -sha256 -binary | base64, and the same of `abc`.
        assert_eq!(fingerprint(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
        assert_eq!(fingerprint("abc"), "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
    }

    #[test]
    fn the_policy_names_script_and_style_and_nothing_else_runs() {
        let policy = policy(Reading::File);
        assert!(policy.contains(&fingerprint(SCRIPT)) && policy.contains(&fingerprint(STYLE)));
        for forbidden in ["unsafe-inline", "unsafe-eval", "http:", "https:", "*", "connect-src"] {
            assert!(!policy.contains(forbidden), "{forbidden}: {policy}");
        }
    }

    #[test]
    fn the_script_parses_no_html_and_loads_nothing() {
        for forbidden in [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "new Function",
            "import(",
            "createContextualFragment",
            "DOMParser",
            "srcdoc",
            "XMLHttpRequest",
            "WebSocket",
            "</script",
        ] {
            assert!(!SCRIPT.contains(forbidden), "{forbidden}");
        }
        assert!(!STYLE.contains("url(") && !STYLE.contains("@import") && !STYLE.contains("</style"));
    }

    #[test]
    fn every_part_of_the_page_has_its_place_once() {
        let names: Vec<&str> = PAGE.split("@@").skip(1).step_by(2).collect();
        assert_eq!(names, ["SERVED", "POLICY", "TITLE", "STYLE", "DATA", "SCRIPT"]);
        let out = filled(&[("TITLE", "@@DATA@@"), ("DATA", "1")]);
        assert!(out.contains("<title>@@DATA@@</title>"), "what a part says is not looked at again");
    }
}
