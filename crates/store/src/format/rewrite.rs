//! Changes to a file that leave everything else as it stands, byte for byte.
//!
//! Every top-level key owns its lines. A changed value is replaced in place, as little of it as
//! can be; a new key goes to the end of the block. The result is read again, and what was asked
//! for must come out, or nothing is changed.

use std::collections::HashMap;
use std::ops::Range;

use lore_core::Entry;

use super::decode::{Known, decode};
use super::emit;
use super::encode::{Pairs, encode};
use super::fields::{Fields, find};
use super::node::Node;
use super::parse::{Field, Style};
use super::scan::{Scanned, body_text, scan};
use super::split::{Fence, line_break, lines, plain_breaks};

/// Why a file was left as it is.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RewriteError {
    /// The change does not come out when the result is read again.
    #[error("cannot write {keys} of `{id}` without damaging the rest of its front matter")]
    Mismatch {
        /// The entry.
        id: String,
        /// The keys in question.
        keys: String,
    },
}

/// How often the result is read again: values that were derived may have to be written out.
const ROUNDS: usize = 4;

/// Changes what differs between the entry and what the original says; everything else stays.
pub fn rewrite(original: &str, entry: &Entry) -> Result<String, RewriteError> {
    let wanted = as_read(entry);
    let after = encode(&wanted);
    let mut text = original.to_owned();
    let mut left: Vec<String> = Vec::new();
    for _ in 0..ROUNDS {
        let scanned = scan("", &text);
        let known = Known { path: "", settled: Some((&wanted.id, wanted.kind)) };
        let now = decode(Fields::new("", scanned.fields.clone(), 0), scanned.body.clone(), &known).entry;
        let before = encode(&now);
        let mut changed = differing(&before, &after);
        let body_changed = now.body != wanted.body;
        if changed.is_empty() && !body_changed {
            return Ok(text);
        }
        // What was derived from the file's name must not change with what is written now.
        changed.extend(
            ["id", "type"].into_iter().filter(|key| is_derived(&scanned.fields, key)).map(str::to_owned),
        );
        text = apply(&text, &scanned, &changed, &before, &after, body_changed.then_some(&*wanted.body));
        left = changed;
        if body_changed {
            left.push("body".to_owned());
        }
    }
    let keys: Vec<String> = left.iter().map(|key| format!("`{key}`")).collect();
    Err(RewriteError::Mismatch { id: entry.id.to_string(), keys: keys.join(", ") })
}

/// Returns the entry as it would be read after being written, so that the two can be compared.
fn as_read(entry: &Entry) -> Entry {
    let pairs = encode(entry).into_iter().map(|(key, node)| (key.into_owned(), node)).collect();
    let known = Known { path: "", settled: Some((&entry.id, entry.kind)) };
    let mut fields = Fields::from_pairs("", pairs);
    fields.repair();
    decode(fields, body_text(&entry.body), &known).entry
}

/// Tells whether the file itself does not say what it is called or what it is.
fn is_derived(fields: &[Field], key: &str) -> bool {
    let text = find(fields, key).and_then(|field| field.node.text()).unwrap_or_default().trim();
    if key == "id" { text.parse::<lore_core::EntryId>().is_err() } else { text.is_empty() }
}

fn value<'p>(pairs: &'p Pairs, key: &str) -> Option<&'p Node> {
    pairs.iter().find(|(name, _)| name == key).map(|(_, node)| node)
}

fn by_key(pairs: &Pairs) -> HashMap<&str, &Node> {
    pairs.iter().map(|(key, node)| (key.as_ref(), node)).collect()
}

/// Lists the keys whose values differ, in canonical order, removed ones last.
fn differing(before: &Pairs, after: &Pairs) -> Vec<String> {
    let (old, new) = (by_key(before), by_key(after));
    let changed = after.iter().filter(|(key, node)| old.get(key.as_ref()) != Some(&node));
    let removed = before.iter().filter(|(key, _)| !new.contains_key(key.as_ref()));
    changed.chain(removed).map(|(key, _)| key.clone().into_owned()).collect()
}

/// Makes the changes in the text.
fn apply(
    text: &str,
    scanned: &Scanned,
    changed: &[String],
    before: &Pairs,
    after: &Pairs,
    body: Option<&str>,
) -> String {
    let eol = line_break(text);
    let parts = &scanned.parts;
    let head = &text[..parts.yaml.start];
    let between = &text[parts.yaml.end..parts.body];
    let old_body = &text[parts.body..];
    let body = body.map_or_else(|| old_body.to_owned(), |body| new_body(old_body, body, eol));
    let with_breaks = |yaml: String| if eol == "\n" { yaml } else { yaml.replace('\n', eol) };
    if parts.fence == Fence::None {
        if changed.is_empty() {
            return format!("{head}{between}{body}");
        }
        let block = with_breaks(format!("---\n{}---\n\n", whole(after)));
        return format!("{head}{block}{}{body}", between.trim_start_matches(['\r', '\n']));
    }
    let yaml = &text[parts.yaml.clone()];
    let yaml = if scanned.by_line {
        edit(yaml, &scanned.fields, changed, before, after, eol)
    } else {
        with_breaks(whole(after))
    };
    let open_line = if between.is_empty() || between.ends_with('\n') { "" } else { eol };
    let gap = if old_body.is_empty() && !body.is_empty() && between.lines().count() < 2 { eol } else { "" };
    format!("{head}{yaml}{between}{open_line}{gap}{body}")
}

fn whole(pairs: &Pairs) -> String {
    let mut out = String::new();
    for (key, node) in pairs {
        emit::field(&mut out, key, node, 0);
    }
    out
}

/// Replaces the Markdown, keeping the bytes of the lines that did not change at its ends.
fn new_body(old: &str, new: &str, eol: &str) -> String {
    let old_lines: Vec<&str> = lines(old, 0).map(|line| &old[line]).collect();
    let new_lines: Vec<&str> = lines(new, 0).map(|line| &new[line]).collect();
    let same = |(old, new): &(&&str, &&str)| body_line(old) == **new;
    let head = old_lines.iter().zip(&new_lines).take_while(same).count();
    let tail = old_lines[head..].iter().rev().zip(new_lines[head..].iter().rev()).take_while(same).count();
    let mut out = old_lines[..head].concat();
    for line in &new_lines[head..new_lines.len() - tail] {
        out.push_str(line.trim_end_matches('\n'));
        if line.ends_with('\n') {
            out.push_str(eol);
        }
    }
    out.push_str(&old_lines[old_lines.len() - tail..].concat());
    out
}

fn body_line(raw: &str) -> String {
    lore_core::text::repair_mojibake(&plain_breaks(raw)).into_owned()
}

/// Changes the lines of single keys.
fn edit(
    yaml: &str,
    fields: &[Field],
    changed: &[String],
    before: &Pairs,
    after: &Pairs,
    eol: &str,
) -> String {
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    let mut fresh = String::new();
    let indent = fields.first().map_or(0, |field| field.indent);
    for key in changed {
        match (find(fields, key), value(after, key)) {
            (Some(field), Some(node)) => edits.push(replace(yaml, field, value(before, key), node)),
            (Some(field), None) => edits.push((field.span.clone(), String::new())),
            (None, Some(node)) => emit::field(&mut fresh, key, node, indent),
            (None, None) => {}
        }
    }
    if !fresh.is_empty() {
        // The hash closes the block wherever it already does.
        let last = fields.last().filter(|field| field.key == "content_hash");
        let at = last.map_or(yaml.len(), |field| field.span.start);
        if at > 0 && !yaml[..at].ends_with('\n') {
            fresh.insert(0, '\n');
        }
        edits.push((at..at, fresh));
    }
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let mut out = String::with_capacity(yaml.len() + 64);
    let mut at = 0;
    for (range, text) in edits {
        out.push_str(&yaml[at..range.start.max(at)]);
        out.push_str(&if eol == "\n" { text } else { text.replace('\n', eol) });
        at = range.end.max(at);
    }
    out.push_str(&yaml[at..]);
    out
}

/// Replaces as little of a value as can be.
fn replace(yaml: &str, field: &Field, before: Option<&Node>, after: &Node) -> (Range<usize>, String) {
    let node = before.map_or_else(|| after.clone(), |before| carried(after, &field.node, before));
    match (&field.style, &node) {
        (Style::Inline(range), Node::Plain(_) | Node::Text(_)) => {
            if let Some(text) = emit::scalar(&node) {
                return (range.clone(), text);
            }
        }
        (Style::Flow(range), Node::List(items)) if !range.is_empty() => {
            if let Some(text) = emit::flow(items) {
                return (range.clone(), text);
            }
        }
        (Style::Items(starts), Node::List(new)) => {
            if let Some(edit) = replace_items(yaml, field, starts, before, after, new) {
                return edit;
            }
        }
        _ => {}
    }
    let mut text = String::new();
    emit::field(&mut text, &field.key, &node, field.indent);
    if !yaml[field.span.clone()].ends_with('\n') && field.span.end == yaml.len() {
        text.truncate(text.len() - 1);
    }
    (field.span.clone(), text)
}

/// Replaces the items of a list that changed; the lines of the others stay.
fn replace_items(
    yaml: &str,
    field: &Field,
    starts: &[usize],
    before: Option<&Node>,
    after: &Node,
    carried: &[Node],
) -> Option<(Range<usize>, String)> {
    let (Some(Node::List(old)), Node::List(new)) = (before, after) else { return None };
    if old.len() != starts.len() || old.is_empty() {
        return None;
    }
    let line_start = |at: usize| yaml[..at].rfind('\n').map_or(0, |i| i + 1);
    let tops: Vec<usize> = starts.iter().map(|at| line_start(*at)).collect();
    let dashed = |top: &usize| yaml[*top..].trim_start_matches(' ').starts_with('-');
    if !tops.iter().all(dashed) || !tops.is_sorted_by(|a, b| a < b) || tops[0] <= field.span.start {
        return None;
    }
    let indent = yaml[tops[0]..].len() - yaml[tops[0]..].trim_start_matches(' ').len();
    let head = old.iter().zip(new).take_while(|(a, b)| a == b).count();
    let tail = old[head..].iter().rev().zip(new[head..].iter().rev()).take_while(|(a, b)| a == b).count();
    let top = |index: usize| tops.get(index).copied().unwrap_or(field.span.end);
    let range = top(head)..top(old.len() - tail);
    let mut text = String::new();
    if head == old.len() && !yaml[..range.start].ends_with('\n') {
        text.push('\n');
    }
    for node in &carried[head..new.len() - tail] {
        emit::item(&mut text, node, indent);
    }
    Some((range, text))
}

/// Carries what its author added inside a value over into the new one.
fn carried(new: &Node, file: &Node, before: &Node) -> Node {
    match (new, file, before) {
        (Node::Map(pairs), Node::Map(theirs), Node::Map(ours)) => {
            let known = |key: &String| ours.iter().chain(pairs).any(|(name, _)| name == key);
            let kept = theirs.iter().filter(|(key, _)| !known(key)).cloned();
            Node::Map(pairs.iter().cloned().chain(kept).collect())
        }
        (Node::List(items), _, Node::List(ours)) => {
            let theirs = match file {
                Node::List(theirs) => theirs.as_slice(),
                other => std::slice::from_ref(other),
            };
            if theirs.len() != ours.len() {
                return new.clone();
            }
            let carry = |item: &Node| {
                let same = |old: &&Node| {
                    old == &item
                        || (item.get("resource").is_some() && old.get("resource") == item.get("resource"))
                };
                let found = ours.iter().position(|old| same(&old));
                found.map_or_else(|| item.clone(), |at| carried(item, &theirs[at], &ours[at]))
            };
            Node::List(items.iter().map(carry).collect())
        }
        _ => new.clone(),
    }
}
