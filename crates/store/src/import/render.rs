//! Structured content as Markdown that reads as if someone had written it.

use std::fmt::Write as _;

use crate::format::node::Node;

/// Renders each key as a section, in order.
pub(super) fn sections(pairs: &[(String, Node)]) -> String {
    let mut out = String::new();
    for (key, node) in pairs {
        if node.is_empty() {
            continue;
        }
        let _ = writeln!(out, "## {}\n", words(key));
        section(&mut out, key, node);
        out.push('\n');
    }
    format!("{}\n", out.trim_end())
}

fn section(out: &mut String, key: &str, node: &Node) {
    match node {
        Node::Null => {}
        Node::Plain(text) | Node::Text(text) if is_code(key) => fenced(out, "", text),
        Node::Plain(text) | Node::Text(text) => {
            let _ = writeln!(out, "{}", text.trim());
        }
        Node::List(items) => items.iter().for_each(|item| bullet(out, item, 0)),
        Node::Map(pairs) => {
            let language = node.get("language").and_then(Node::text).unwrap_or_default();
            for (name, value) in pairs {
                match value.text() {
                    _ if name == "language" => {}
                    Some(text) if is_code(name) => fenced(out, language, text),
                    _ => labelled(out, name, value, 0),
                }
            }
        }
    }
}

fn is_code(key: &str) -> bool {
    matches!(key, "code" | "code_example" | "code_snippet" | "command")
}

fn fenced(out: &mut String, language: &str, code: &str) {
    let fence = if code.contains("```") { "~~~~" } else { "```" };
    let _ = writeln!(out, "{fence}{language}\n{}\n{fence}", code.trim_end());
}

fn bullet(out: &mut String, node: &Node, depth: usize) {
    let pad = "  ".repeat(depth);
    match node {
        Node::Null => {}
        Node::Plain(text) | Node::Text(text) => {
            let text = text.trim().replace('\n', &format!("\n{pad}  "));
            let _ = writeln!(out, "{pad}- {text}");
        }
        Node::List(items) => items.iter().for_each(|item| bullet(out, item, depth + 1)),
        Node::Map(pairs) => {
            let short: Vec<String> = pairs
                .iter()
                .filter_map(|(key, value)| Some(format!("**{}:** {}", words(key), value.text()?.trim())))
                .collect();
            if !short.is_empty() {
                let _ = writeln!(out, "{pad}- {}", short.join("; ").replace('\n', " "));
            }
            for (key, value) in pairs.iter().filter(|(_, value)| value.text().is_none()) {
                labelled(out, key, value, depth + 1);
            }
        }
    }
}

fn labelled(out: &mut String, key: &str, node: &Node, depth: usize) {
    if node.is_empty() {
        return;
    }
    let pad = "  ".repeat(depth);
    match node.text() {
        Some(text) => {
            let _ = writeln!(out, "{pad}- **{}:** {}", words(key), text.trim().replace('\n', " "));
        }
        None => {
            let _ = writeln!(out, "{pad}- **{}:**", words(key));
            match node {
                Node::Map(pairs) => {
                    pairs.iter().for_each(|(key, value)| labelled(out, key, value, depth + 1));
                }
                Node::List(items) => items.iter().for_each(|item| bullet(out, item, depth + 1)),
                _ => {}
            }
        }
    }
}

fn words(key: &str) -> String {
    crate::format::title::from_slug(key)
}
