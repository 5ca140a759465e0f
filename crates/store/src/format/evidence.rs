//! `sources`, `generated` and `verified`: the OKF keys with structure, both ways.

use lore_core::{Level, Moment, SessionId, Source, Stamp, Voice};

use super::fields::{Fields, strings};
use super::node::Node;

/// Takes the evidence. A bare text is a resource; a bare mapping is a list of one.
pub(super) fn sources(fields: &mut Fields) -> Vec<Source> {
    let Some((node, line)) = fields.take("sources") else { return Vec::new() };
    let items = match node {
        Node::List(items) => items,
        Node::Null => Vec::new(),
        other => vec![other],
    };
    let mut out = Vec::new();
    for item in &items {
        match source(item) {
            Some(source) => out.push(source),
            None if item.is_empty() => {}
            None => {
                let hint = "write `- resource: <session, link or file>`";
                fields.report(
                    Level::Warning,
                    "source-without-resource",
                    line,
                    "a source names no resource",
                    hint,
                );
                fields.unread.push(("sources".to_owned(), item.clone()));
            }
        }
    }
    out
}

fn source(node: &Node) -> Option<Source> {
    if let Some(text) = node.text() {
        let text = text.trim();
        return (!text.is_empty()).then(|| Source::new(text, guess_voice(text, None)));
    }
    let text = |key: &str| {
        let found = node.get(key).and_then(Node::text).map(str::trim).filter(|text| !text.is_empty());
        found.map(str::to_owned)
    };
    let moment = |key: &str| text(key).and_then(|text| text.parse::<Moment>().ok());
    let session = text("session");
    // The originals name only an issue or a session; that is a place as well.
    let resource = text("resource")
        .or_else(|| session.as_ref().map(|session| format!("session://{session}")))
        .or_else(|| text("issue").map(|issue| format!("issue://{}", issue.trim_start_matches('#'))))
        .or_else(|| text("commit").map(|commit| format!("commit://{commit}")))?;
    let voice = text("voice").and_then(|word| Voice::from_word(&word.to_ascii_lowercase()));
    let voice = voice.unwrap_or_else(|| guess_voice(&resource, text("author").as_deref()));
    let lines = match node.get("lines").or_else(|| node.get("line")) {
        Some(node) => {
            strings(std::slice::from_ref(node)).iter().filter_map(|text| text.parse().ok()).collect()
        }
        None => Vec::new(),
    };
    Some(Source {
        id: text("id"),
        resource,
        voice,
        title: text("title"),
        session: session.map(SessionId::new),
        lines,
        issue: text("issue").map(|issue| issue.trim_start_matches('#').to_owned()),
        commit: text("commit"),
        at: moment("at"),
    })
}

/// Guesses whose words a source of another tool holds; never a person without being told.
fn guess_voice(resource: &str, author: Option<&str>) -> Voice {
    match author {
        Some(author) if author.starts_with("human:") => Voice::Person,
        _ if resource.starts_with("http://") || resource.starts_with("https://") => Voice::Web,
        _ => Voice::Agent,
    }
}

/// Takes one `{by, at}`.
pub(super) fn generated(fields: &mut Fields) -> Option<Stamp> {
    let (node, line) = fields.take("generated")?;
    let found = stamp(&node);
    report_stamp(fields, "generated", &node, line, found.is_some());
    found
}

/// Takes a list of `{by, at}`; a bare mapping is a list of one.
pub(super) fn verified(fields: &mut Fields) -> Vec<Stamp> {
    let Some((node, line)) = fields.take("verified") else { return Vec::new() };
    let items = match node {
        Node::List(items) => items,
        other => vec![other],
    };
    let mut out = Vec::new();
    for item in items {
        let found = stamp(&item);
        report_stamp(fields, "verified", &item, line, found.is_some());
        out.extend(found);
    }
    out
}

fn stamp(node: &Node) -> Option<Stamp> {
    let text = |key: &str| node.get(key).and_then(Node::text).map(str::trim).filter(|text| !text.is_empty());
    let by = text("by")?.to_owned();
    Some(Stamp { by, at: text("at").and_then(|text| text.parse().ok()) })
}

fn report_stamp(fields: &mut Fields, key: &str, node: &Node, line: u32, is_read: bool) {
    if !is_read && !node.is_empty() {
        let message = format!("`{key}` does not say by whom");
        fields.report(
            Level::Warning,
            "stamp-without-by",
            line,
            message,
            "write `by: human:<name>` and `at: <date>`",
        );
        fields.unread.push((key.to_owned(), node.clone()));
    }
}

/// Writes the evidence.
pub(super) fn sources_node(sources: &[Source]) -> Node {
    Node::List(sources.iter().map(source_node).collect())
}

fn source_node(source: &Source) -> Node {
    let mut pairs = Vec::new();
    let mut put = |key: &str, text: Option<&str>| {
        if let Some(text) = text {
            pairs.push((key.to_owned(), Node::Text(text.to_owned())));
        }
    };
    put("id", source.id.as_deref());
    put("resource", Some(&source.resource));
    put("title", source.title.as_deref());
    put("voice", Some(source.voice.word()));
    put("session", source.session.as_ref().map(SessionId::as_str));
    if !source.lines.is_empty() {
        let lines = source.lines.iter().map(|line| Node::Plain(line.to_string())).collect();
        pairs.push(("lines".to_owned(), Node::List(lines)));
    }
    let mut put = |key: &str, text: Option<&str>| {
        if let Some(text) = text {
            pairs.push((key.to_owned(), Node::Text(text.to_owned())));
        }
    };
    put("issue", source.issue.as_deref());
    put("commit", source.commit.as_deref());
    if let Some(at) = source.at {
        pairs.push(("at".to_owned(), moment_node(at)));
    }
    Node::Map(pairs)
}

/// Writes one `{by, at}`.
pub(super) fn stamp_node(stamp: &Stamp) -> Node {
    let mut pairs = vec![("by".to_owned(), Node::Text(stamp.by.clone()))];
    if let Some(at) = stamp.at {
        pairs.push(("at".to_owned(), moment_node(at)));
    }
    Node::Map(pairs)
}

/// Writes a day plainly and an instant as text, which no parser turns into its local time.
pub(super) fn moment_node(moment: Moment) -> Node {
    match moment {
        Moment::Day(day) => Node::Plain(day.to_string()),
        Moment::Instant(at) => Node::Text(at.to_string()),
    }
}
