//! A file taken apart: fields with their places, body, and what was odd on the way.

use std::borrow::Cow;

use lore_core::text::repair_mojibake;
use lore_core::{Diagnostic, Level};

use super::node::Node;
use super::parse::{Field, parse};
use super::salvage::salvage;
use super::split::{Fence, Parts, line_number, split};

/// A file taken apart.
#[derive(Debug)]
pub(crate) struct Scanned {
    pub(super) parts: Parts,
    /// The top-level keys in their order; places are bytes of the front matter.
    pub(crate) fields: Vec<Field>,
    /// Whether each key can be changed on its own.
    pub(super) by_line: bool,
    /// How many lines stand above the front matter.
    pub(crate) above: u32,
    /// The Markdown, with `\n` between lines and mojibake mended.
    pub(crate) body: String,
    pub(crate) diagnostics: Vec<Diagnostic>,
}

/// Takes a text apart.
pub(crate) fn scan(path: &str, text: &str) -> Scanned {
    let parts = split(text);
    let yaml = &text[parts.yaml.clone()];
    let above = line_number(text, parts.yaml.start) - 1;
    let mut out = Scanned {
        fields: Vec::new(),
        by_line: true,
        above,
        body: body_text(&text[parts.body..]),
        diagnostics: Vec::new(),
        parts,
    };
    match out.parts.fence {
        Fence::Closed => {}
        Fence::None => {
            let found = Diagnostic::new(Level::Note, "no-front-matter", path, "the file has no front matter");
            out.diagnostics
                .push(found.at_line(1).with_hint("start the file with `---`, `type: …` and `---`"));
            return out;
        }
        Fence::Open => {
            let line = line_number(text, out.parts.yaml.end);
            let found =
                Diagnostic::new(Level::Warning, "front-matter-open", path, "the front matter does not end");
            out.diagnostics.push(
                found.at_line(line).with_hint(format!("put `---` on a line of its own before line {line}")),
            );
        }
    }
    read_fields(path, yaml, &mut out);
    mend_mojibake(path, text, &mut out);
    out
}

fn read_fields(path: &str, yaml: &str, out: &mut Scanned) {
    match parse(yaml) {
        Ok(parsed) => {
            if parsed.cut_aliases {
                let message = "aliases expand to too much and were left out";
                let found = Diagnostic::new(Level::Error, "yaml-alias-bomb", path, message);
                out.diagnostics.push(
                    found.at_line(out.above + 1).with_hint("write the values out instead of using `*`"),
                );
            }
            out.by_line = parsed.by_line || parsed.fields.is_empty();
            out.fields = parsed.fields;
        }
        Err(_) => {
            let salvaged = salvage(yaml);
            for mended in salvaged.mended {
                let found = Diagnostic::new(Level::Warning, mended.code, path, mended.what);
                out.diagnostics.push(found.at_line(out.above + mended.line).with_hint(mended.hint));
            }
            out.fields = salvaged.fields;
        }
    }
}

/// Mends values that were encoded twice; the body has been mended already.
fn mend_mojibake(path: &str, text: &str, out: &mut Scanned) {
    let Some(at) = garbled_at(text) else { return };
    let mut mended = matches!(repair_mojibake(&text[out.parts.body..]), Cow::Owned(_));
    for field in &mut out.fields {
        mended |= repair(&mut field.node);
    }
    // The name of a key stays as it is, whatever it looks like: nothing else may be found by it.
    if !mended {
        return;
    }
    let message = "text was encoded twice (mojibake); it is read as it was meant";
    let found = Diagnostic::new(Level::Note, "mojibake", path, message);
    out.diagnostics
        .push(found.at_line(line_number(text, at)).with_hint("save the file as UTF-8 with the mended text"));
}

/// Finds the first line that mending would change.
fn garbled_at(text: &str) -> Option<usize> {
    if !may_be_garbled(text) || !matches!(repair_mojibake(text), Cow::Owned(_)) {
        return None;
    }
    super::split::lines(text, 0)
        .find(|line| matches!(repair_mojibake(&text[line.clone()]), Cow::Owned(_)))
        .map(|line| line.start)
}

/// Mends every text in a value and tells whether there was anything to mend.
pub(super) fn repair(node: &mut Node) -> bool {
    match node {
        Node::Null => false,
        Node::Plain(text) | Node::Text(text) => {
            let Cow::Owned(mended) = repair_mojibake(text) else { return false };
            *text = mended;
            true
        }
        Node::List(items) => items.iter_mut().fold(false, |any, item| repair(item) | any),
        Node::Map(pairs) => pairs.iter_mut().fold(false, |any, (_, node)| repair(node) | any),
    }
}

/// Brings Markdown into the form in which entries hold it: no blank lines above, `\n`, no mojibake.
pub(super) fn body_text(raw: &str) -> String {
    let start = super::split::skip_blank(raw, 0);
    let lines = super::split::plain_breaks(&raw[start..]);
    if !may_be_garbled(&lines) {
        return lines.into_owned();
    }
    match repair_mojibake(&lines) {
        Cow::Owned(mended) => mended,
        Cow::Borrowed(_) => lines.into_owned(),
    }
}

/// Tells quickly that nothing can need mending: every garbled run opens with this byte.
fn may_be_garbled(text: &str) -> bool {
    memchr::memchr(0xc3, text.as_bytes()).is_some()
}
