//! Well-formed YAML into fields that know their place in the text.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use granit_parser::{Event, Parser, ScalarStyle, ScanError, Span, StructureStyle};

use super::node::Node;
use super::split::lines;

/// One top-level key with its value and the lines it owns.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Field {
    /// The key.
    pub(crate) key: String,
    /// Its value.
    pub(crate) node: Node,
    /// The line of the key, from one, in the text that was parsed.
    pub(crate) line: u32,
    /// The lines it owns, as bytes of the text that was parsed.
    pub(crate) span: Range<usize>,
    /// How far the key is indented.
    pub(crate) indent: usize,
    /// How the value is written.
    pub(crate) style: Style,
}

/// How a value is written, for those who edit it in place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Style {
    /// A scalar on one line, at these bytes.
    Inline(Range<usize>),
    /// A list or mapping in brackets, at these bytes.
    Flow(Range<usize>),
    /// A list with one item per line or more; where each item starts.
    Items(Vec<usize>),
    /// Anything else.
    Other,
}

/// Why a text is not one well-formed mapping.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Malformed {
    /// The line, from one, in the text that was parsed.
    pub(super) line: u32,
    /// What the parser says.
    pub(super) what: String,
}

/// The fields of a mapping, and whether each can be edited on its own.
#[derive(Debug, Default)]
pub(super) struct Parsed {
    pub(super) fields: Vec<Field>,
    /// Whether every key stands on a line of its own.
    pub(super) by_line: bool,
    /// Whether aliases were left out because they would expand to too much.
    pub(super) cut_aliases: bool,
}

/// How many values aliases may expand to in one file.
const ALIAS_BUDGET: usize = 2_000;
/// How deep lists and mappings may lie within each other: as deep as JSON that we import, and a
/// little more. Everything that walks a value takes a piece of the stack for each level.
const DEEPEST: usize = 132;
/// What is said of anything deeper.
pub(super) const TOO_DEEP: &str = "lists and mappings lie too deep within each other";

/// Reads a text that is one mapping.
pub(super) fn parse(text: &str) -> Result<Parsed, Malformed> {
    let options = granit_parser::options! { emit_comments: false };
    let mut builder = Builder { text, ..Builder::default() };
    for next in Parser::new_from_str_with_options(text, options) {
        let (event, span) = next.map_err(|error| malformed(&error))?;
        builder.take(event, span)?;
    }
    Ok(builder.finish())
}

fn malformed(error: &ScanError) -> Malformed {
    let line = u32::try_from(error.marker().line()).unwrap_or(1).max(1);
    // The parser has a limit of its own for brackets that it must look through at once.
    let what = error.info();
    Malformed { line, what: if what.contains("recursion") { TOO_DEEP.to_owned() } else { what } }
}

/// A collection that is still open.
enum Frame {
    List { items: Vec<Node>, anchor: usize },
    Map { pairs: Vec<(String, Node)>, key: Option<String>, anchor: usize },
}

#[derive(Default)]
struct Builder<'t> {
    text: &'t str,
    frames: Vec<Frame>,
    /// Anchored values by the parser's number.
    anchors: HashMap<usize, Node>,
    expanded: usize,
    documents: u32,
    /// The top-level key whose value is being read: name, place, line, column.
    current: Option<Field>,
    parsed: Parsed,
}

impl Builder<'_> {
    fn take(&mut self, event: Event<'_>, span: Span) -> Result<(), Malformed> {
        match event {
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents > 1 {
                    return Err(self.refuse(span, "a second document starts here"));
                }
            }
            Event::Scalar(text, style, anchor, tag) => {
                let is_text = tag.is_some_and(|tag| tag.is_yaml_core_schema_tag("str"));
                let node = scalar(text, style, is_text);
                self.remember(anchor, &node);
                if self.frames.is_empty() {
                    if node.is_empty() {
                        return Ok(());
                    }
                    return Err(self.refuse(span, "expected `key: value`"));
                }
                self.note_style(style_of_scalar(style, &span, self.text));
                self.place(node, span)?;
            }
            Event::SequenceStart(style, anchor, _) => {
                self.open(&span, style, true)?;
                self.frames.push(Frame::List { items: Vec::new(), anchor });
            }
            Event::MappingStart(style, anchor, _) => {
                self.open(&span, style, false)?;
                self.frames.push(Frame::Map { pairs: Vec::new(), key: None, anchor });
            }
            Event::SequenceEnd | Event::MappingEnd => self.close(span)?,
            Event::Alias(id) => {
                let node = self.expand(id);
                self.note_style(Style::Other);
                self.place(node, span)?;
            }
            Event::UnresolvedAlias(_) => return Err(self.refuse(span, "unknown alias")),
            _ => {}
        }
        Ok(())
    }

    fn refuse(&self, span: Span, what: &str) -> Malformed {
        Malformed { line: u32::try_from(span.start.line()).unwrap_or(1).max(1), what: what.to_owned() }
    }

    fn open(&mut self, span: &Span, style: StructureStyle, is_list: bool) -> Result<(), Malformed> {
        if self.frames.is_empty() {
            if is_list {
                return Err(self.refuse(*span, "expected `key: value`, found a list"));
            }
            self.parsed.by_line = style == StructureStyle::Block;
            return Ok(());
        }
        if let Some(Frame::Map { key: None, .. }) = self.frames.last() {
            return Err(self.refuse(*span, "a list or mapping stands where a key should"));
        }
        if self.frames.len() == DEEPEST {
            return Err(self.refuse(*span, TOO_DEEP));
        }
        let start = span.start.byte_offset().unwrap_or(0);
        match style {
            StructureStyle::Flow => self.note_style(Style::Flow(start..start)),
            StructureStyle::Block if is_list => self.note_style(Style::Items(Vec::new())),
            StructureStyle::Block => self.note_style(Style::Other),
        }
        self.note_item(span);
        Ok(())
    }

    fn close(&mut self, span: Span) -> Result<(), Malformed> {
        let (node, anchor) = match self.frames.pop() {
            Some(Frame::List { items, anchor }) => (Node::List(items), anchor),
            Some(Frame::Map { pairs, anchor, .. }) => (Node::Map(pairs), anchor),
            None => return Ok(()),
        };
        self.remember(anchor, &node);
        if self.frames.is_empty() {
            return Ok(());
        }
        if self.frames.len() == 1
            && let Some(Field { style: Style::Flow(at), .. }) = &mut self.current
        {
            at.end = span.end.byte_offset().unwrap_or(at.start);
        }
        self.attach(node);
        Ok(())
    }

    /// Notes how the value of a top-level key is written, when its first event comes.
    fn note_style(&mut self, style: Style) {
        let is_value = matches!(self.frames.as_slice(), [Frame::Map { key: Some(_), .. }]);
        if is_value && let Some(field) = &mut self.current {
            field.style = style;
        }
    }

    /// Notes where an item of a top-level list starts.
    fn note_item(&mut self, span: &Span) {
        if let [_, Frame::List { .. }] = self.frames.as_slice()
            && let Some(Field { style: Style::Items(starts), .. }) = &mut self.current
        {
            starts.push(span.start.byte_offset().unwrap_or(0));
        }
    }

    /// Puts a finished scalar or alias where it belongs: as a key, a value or an item.
    fn place(&mut self, node: Node, span: Span) -> Result<(), Malformed> {
        self.note_item(&span);
        let is_top = self.frames.len() == 1;
        if let Some(Frame::Map { key: open @ None, .. }) = self.frames.last_mut() {
            let name = match node {
                Node::Null => String::new(),
                Node::Plain(text) | Node::Text(text) => text,
                _ => return Err(self.refuse(span, "a list or mapping stands where a key should")),
            };
            *open = Some(name.clone());
            if is_top {
                self.start_field(name, &span);
            }
            return Ok(());
        }
        self.attach(node);
        Ok(())
    }

    fn attach(&mut self, node: Node) {
        let is_top = self.frames.len() == 1;
        match self.frames.last_mut() {
            Some(Frame::List { items, .. }) => items.push(node),
            Some(Frame::Map { key, pairs, .. }) => {
                let name = key.take().unwrap_or_default();
                if !is_top {
                    pairs.push((name, node));
                } else if let Some(mut field) = self.current.take() {
                    field.node = node;
                    self.parsed.fields.push(field);
                }
            }
            None => {}
        }
    }

    fn start_field(&mut self, key: String, span: &Span) {
        let at = span.start.byte_offset().unwrap_or(0);
        // Keys inside brackets have no lines of their own, and looking for them would take for ever.
        let line_start =
            if self.parsed.by_line { self.text[..at].rfind('\n').map_or(0, |i| i + 1) } else { at };
        if !self.text[line_start..at].trim().is_empty() {
            self.parsed.by_line = false;
        }
        self.current = Some(Field {
            key,
            node: Node::Null,
            line: u32::try_from(span.start.line()).unwrap_or(1).max(1),
            span: line_start..line_start,
            indent: at - line_start,
            style: Style::Other,
        });
    }

    fn remember(&mut self, anchor: usize, node: &Node) {
        if anchor > 0 && node.size() <= ALIAS_BUDGET {
            self.anchors.insert(anchor, node.clone());
        }
    }

    fn expand(&mut self, id: usize) -> Node {
        let Some(node) = self.anchors.get(&id) else {
            self.parsed.cut_aliases = true;
            return Node::Null;
        };
        self.expanded += node.size();
        if self.expanded > ALIAS_BUDGET {
            self.parsed.cut_aliases = true;
            return Node::Null;
        }
        node.clone()
    }

    fn finish(mut self) -> Parsed {
        let starts: Vec<usize> = self.parsed.fields.iter().skip(1).map(|field| field.span.start).collect();
        let ends = starts.into_iter().chain([self.text.len()]);
        for (field, end) in self.parsed.fields.iter_mut().zip(ends) {
            field.span.end = own_end(self.text, field.span.start, end);
        }
        self.parsed
    }
}

fn scalar(text: Cow<'_, str>, style: ScalarStyle, is_text: bool) -> Node {
    match style {
        ScalarStyle::Plain if is_text => Node::Text(text.into_owned()),
        ScalarStyle::Plain => match text.as_ref() {
            "" | "~" | "null" | "Null" | "NULL" => Node::Null,
            _ => Node::Plain(text.into_owned()),
        },
        _ => Node::Text(text.into_owned()),
    }
}

fn style_of_scalar(style: ScalarStyle, span: &Span, text: &str) -> Style {
    let Some(range) = span.byte_range() else { return Style::Other };
    let one_line = text.get(range.clone()).is_some_and(|raw| !raw.is_empty() && !raw.contains('\n'));
    match style {
        ScalarStyle::Literal | ScalarStyle::Folded => Style::Other,
        _ if one_line => Style::Inline(range),
        _ => Style::Other,
    }
}

/// Leaves the blank lines and comments above the next key to that key.
pub(super) fn own_end(text: &str, start: usize, end: usize) -> usize {
    let mut own = start;
    for (index, line) in lines(&text[..end], start).enumerate() {
        let content = &text[line.clone()];
        if index == 0 || !(content.trim().is_empty() || content.starts_with('#')) {
            own = line.end;
        }
    }
    own
}
