//! `.claude/knowledge` stores: an `index.yaml` and entries in YAML, JSON or Markdown files.

use std::collections::{HashMap, HashSet};

use jiff::civil::Date;
use lore_core::{Curator, Diagnostic, Stamp};

use super::walk::{self, Found};
use super::{ImportOptions, ImportReport, Imported, Left, finish, first_sentence, okf, page, render};
use crate::format::fields::Fields;
use crate::format::node::Node;
use crate::format::{document, text_of};

/// What the index says about an entry, by the file it names.
type Listed = HashMap<String, Vec<(String, Node)>>;

/// Reads the index and every entry.
pub(super) fn read(files: &[Found], options: &ImportOptions, report: &mut ImportReport) {
    let is_index = |file: &Found| matches!(file.relative.as_str(), "index.yaml" | "index.yml" | "index.json");
    let is_setting =
        |file: &Found| matches!(file.relative.as_str(), "config.yaml" | "config.yml" | "config.json");
    let mut listed = Listed::new();
    let mut inline: Vec<Vec<(String, Node)>> = Vec::new();
    for file in files.iter().filter(|file| is_index(file)) {
        match data(file) {
            Ok((node, _)) => list(&node, None, &mut listed, &mut inline, report),
            Err(left) => report.left.push(left),
        }
    }
    let mut seen: HashSet<String> = HashSet::new();
    for file in files {
        seen.insert(file.relative.clone());
        if is_index(file) {
            report.left.push(leave(file, "the index; ours is generated anew"));
        } else if is_setting(file) {
            report.left.push(leave(file, "settings of another tool"));
        } else {
            let known = listed.get(&file.relative).cloned().unwrap_or_default();
            match entry(file, known, options) {
                Ok(imported) => report.entries.push(imported),
                Err(left) => report.left.push(left),
            }
        }
    }
    let arrived: HashSet<String> =
        report.entries.iter().flat_map(|imported| imported.entry.aliases.clone()).collect();
    missing(&listed, &seen, &inline, &arrived, report);
}

fn leave(file: &Found, why: &str) -> Left {
    Left { from: file.relative.clone(), why: why.to_owned() }
}

/// Reports what the index lists and nobody can find.
fn missing(
    listed: &Listed,
    seen: &HashSet<String>,
    inline: &[Vec<(String, Node)>],
    arrived: &HashSet<String>,
    report: &mut ImportReport,
) {
    let mut gone: Vec<&String> = listed.keys().filter(|file| !seen.contains(*file)).collect();
    gone.sort();
    for file in gone {
        report.left.push(Left {
            from: file.clone(),
            why: "listed in the index, but there is no such file".to_owned(),
        });
    }
    for pairs in inline {
        let id = text(pairs, "id").unwrap_or_default();
        if !arrived.contains(&id) {
            report.left.push(Left {
                from: "index.yaml".to_owned(),
                why: format!("`{id}` is listed without a file that holds it"),
            });
        }
    }
}

/// Reads a file of data as a mapping.
fn data(file: &Found) -> Result<(Node, Vec<Diagnostic>), Left> {
    let bytes = walk::read(file)?;
    let (text, odd) = text_of(&file.relative, &bytes);
    let mut diagnostics: Vec<Diagnostic> = odd.into_iter().collect();
    if file.ending() == "json"
        && let Ok(value) = serde_json::from_str(&text)
    {
        return Ok((Node::from_json(&value), diagnostics));
    }
    let (pairs, found) = document(&file.relative, &text);
    diagnostics.extend(found);
    if pairs.is_empty() {
        Err(leave(file, "nothing in it can be read"))
    } else {
        Ok((Node::Map(pairs), diagnostics))
    }
}

/// Collects every list of entries in the index, wherever it stands.
fn list(
    node: &Node,
    category: Option<&str>,
    listed: &mut Listed,
    inline: &mut Vec<Vec<(String, Node)>>,
    report: &mut ImportReport,
) {
    match node {
        Node::Map(pairs) if node.get("id").is_some() => {
            let mut pairs = pairs.clone();
            if let Some(category) =
                category.filter(|_| node.get("category").is_none() && node.get("type").is_none())
            {
                pairs.push(("category".to_owned(), Node::Text(category.to_owned())));
            }
            match text(&pairs, "file").or_else(|| text(&pairs, "path")) {
                Some(path) => match walk::refuse_path(&path) {
                    Some(why) => report.left.push(Left { from: path, why }),
                    None => {
                        listed.insert(path.trim_start_matches("./").to_owned(), pairs);
                    }
                },
                None => inline.push(pairs),
            }
        }
        Node::Map(pairs) => {
            for (key, value) in pairs {
                let category = if matches!(key.as_str(), "entries" | "categories" | "items") {
                    category
                } else {
                    Some(key.as_str())
                };
                list(value, category, listed, inline, report);
            }
        }
        Node::List(items) => items.iter().for_each(|item| list(item, category, listed, inline, report)),
        _ => {}
    }
}

fn text(pairs: &[(String, Node)], key: &str) -> Option<String> {
    let found = pairs.iter().rev().find(|(name, _)| name == key).and_then(|(_, node)| node.text());
    found.map(|text| text.trim().to_owned()).filter(|text| !text.is_empty())
}

/// Reads one entry; what the index says fills what the file does not.
fn entry(file: &Found, known: Vec<(String, Node)>, options: &ImportOptions) -> Result<Imported, Left> {
    let (mut fields, body, diagnostics) = match file.ending().as_str() {
        "md" => {
            let page = page(file)?;
            (page.fields, page.body, page.diagnostics)
        }
        "yaml" | "yml" | "json" => {
            let (node, diagnostics) = data(file)?;
            let Node::Map(pairs) = node else { return Err(leave(file, "it is not a mapping")) };
            if !["id", "type", "content", "title"].iter().any(|key| pairs.iter().any(|(name, _)| name == key))
            {
                return Err(leave(file, "it holds no entry"));
            }
            let (pairs, body) = unfolded(pairs);
            (Fields::from_pairs(&file.relative, pairs), body, diagnostics)
        }
        _ => return Err(leave(file, "neither YAML, JSON nor Markdown")),
    };
    for (key, node) in known {
        if !matches!(key.as_str(), "file" | "path") && fields.peek(&key).is_none() {
            fields.set(&key, node);
        }
    }
    settle(&mut fields);
    // Their ids are numbers and hashes; a title makes a name that people recognise.
    let title = fields.peek("title").and_then(Node::text).map(lore_core::slug);
    let path = title.map_or_else(|| file.relative.clone(), |slug| format!("{slug}.md"));
    let mut imported = finish(&file.relative, &path, fields, body, diagnostics);
    let entry = &mut imported.entry;
    if entry.description.is_none() {
        entry.description = first_sentence(&entry.body);
    }
    if entry.project.is_none() {
        entry.project.clone_from(&options.project);
    }
    if entry.sources.is_empty() {
        let resource = format!("knowledge/{}", file.relative);
        entry.sources.push(lore_core::Source::new(resource, lore_core::Voice::Agent));
    }
    if entry.generated.is_none() {
        entry.generated = Some(Stamp { by: "process:claude-knowledge".to_owned(), at: entry.created });
    }
    entry.curated_by = Curator::Mixed;
    Ok(imported)
}

/// Lifts `content`, `relationships` and `source` to the top, and makes Markdown of the prose.
fn unfolded(pairs: Vec<(String, Node)>) -> (Vec<(String, Node)>, String) {
    const TITLES: [&str; 4] = ["title", "issue_title", "name", "finding"];
    const LIFTED: [(&str, &str); 15] = [
        ("status", "status"),
        ("alternatives", "alternatives"),
        ("review_date", "review_date"),
        ("issue_type", "issue_type"),
        ("files_changed", "files"),
        ("tests_added", "tests_added"),
        ("time_to_resolve", "time_to_resolve"),
        ("agents_used", "agents_used"),
        ("pattern_type", "pattern_type"),
        ("occurrences", "occurrences"),
        ("severity", "severity"),
        ("category", "category"),
        ("related_patterns", "related"),
        ("confidence", "confidence"),
        ("domains", "domains"),
    ];
    let mut out = Vec::new();
    let mut prose = Vec::new();
    for (key, node) in pairs {
        match (key.as_str(), node) {
            ("content", Node::Map(content)) => {
                for (key, node) in content {
                    if key == "root_cause"
                        && let Some(category) = node.get("category")
                    {
                        out.push((key.clone(), category.clone()));
                    }
                    if key == "alternatives" {
                        prose.push((key.clone(), node.clone()));
                    }
                    match LIFTED.iter().find(|(theirs, _)| *theirs == key) {
                        Some((_, ours)) => out.push(((*ours).to_owned(), node)),
                        None if TITLES.contains(&key.as_str())
                            && !out.iter().any(|(key, _)| key == "title") =>
                        {
                            out.push(("title".to_owned(), node));
                        }
                        None => prose.push((key, node)),
                    }
                }
            }
            ("content", text @ (Node::Plain(_) | Node::Text(_))) => prose.push(("context".to_owned(), text)),
            ("relationships", Node::Map(edges)) => out.extend(edges),
            ("source", node @ Node::Map(_)) => out.push(("sources".to_owned(), cited(&node))),
            (_, node) => out.push((key, node)),
        }
    }
    (out, render::sections(&prose))
}

/// Turns `{type, ref, phase}` into evidence.
fn cited(node: &Node) -> Node {
    let text = |key: &str| node.get(key).and_then(Node::text).map(str::to_owned);
    let Some(reference) = text("ref") else { return Node::Null };
    let mut pairs = Vec::new();
    match reference.strip_prefix('#') {
        Some(issue) => {
            pairs.push(("resource".to_owned(), Node::Text(format!("issue://{issue}"))));
            pairs.push(("issue".to_owned(), Node::Text(issue.to_owned())));
        }
        None => pairs.push(("resource".to_owned(), Node::Text(reference))),
    }
    if let Some(kind) = text("type") {
        let phase = text("phase").map_or_else(String::new, |phase| format!(", {phase}"));
        pairs.push(("title".to_owned(), Node::Text(format!("{kind}{phase}"))));
    }
    Node::Map(pairs)
}

/// Brings types, tags, dates and titles into our form.
fn settle(fields: &mut Fields) {
    let word = |fields: &Fields, key: &str| fields.peek(key).and_then(Node::text).map(str::to_owned);
    let kind = word(fields, "type").and_then(|word| okf::kind_of(&word));
    let kind = kind.or_else(|| word(fields, "category").and_then(|word| okf::kind_of(&word)));
    if let Some(kind) = kind {
        let written = fields.take("type");
        if let Some((node, _)) = written
            && node.text() != Some(kind.word())
        {
            fields.unread.push(("type".to_owned(), node));
        }
        fields.set("type", Node::Plain(kind.word().to_owned()));
    }
    if let Some(Node::List(tags)) = fields.peek("tags").cloned() {
        let is_domain = |tag: &&Node| tag.text().is_some_and(|text| text.starts_with("domain:"));
        let domain = tags
            .iter()
            .find(is_domain)
            .and_then(Node::text)
            .map(|text| text["domain:".len()..].trim().to_owned());
        let others = tags.iter().filter(|tag| !is_domain(tag)).cloned().collect();
        if let Some(domain) = domain.filter(|domain| !domain.is_empty()) {
            fields.set("tags", Node::List(others));
            fields.set("domain", Node::Text(domain));
        }
    }
    if let Some(title) = word(fields, "title") {
        fields.set("title", Node::Text(first_line(&title)));
    }
    let id = word(fields, "id").unwrap_or_default();
    let dated = ["created", "created_at", "date"]
        .iter()
        .any(|key| fields.peek(key).is_some_and(|node| !node.is_empty()));
    if !dated && let Some(day) = day_of(&id) {
        fields.set("created", Node::Plain(day.to_string()));
    }
}

fn first_line(title: &str) -> String {
    let line = title.lines().next().unwrap_or_default().trim();
    let end = line.find(". ").unwrap_or(line.len());
    line[..end].trim_end_matches('.').to_owned()
}

/// Reads the day out of `KE-decision-20260115-ab12`.
fn day_of(id: &str) -> Option<Date> {
    let digits = id.split('-').find(|part| part.len() == 8 && part.bytes().all(|b| b.is_ascii_digit()))?;
    Date::strptime("%Y%m%d", digits).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use lore_core::Kind;

    #[test]
    fn their_types_are_our_kinds() {
        let check = |word: &str, kind: Kind| assert_eq!(okf::kind_of(word), Some(kind), "{word}");
        check("decision", Kind::Decision);
        check("resolution", Kind::Resolution);
        check("pattern", Kind::Pattern);
        check("feedback", Kind::Feedback);
        check("incident", Kind::Event);
        check("remediation_pattern", Kind::Pattern);
        assert_eq!(day_of("KE-decision-20260115-ab12"), Some(jiff::civil::date(2026, 1, 15)));
    }
}
