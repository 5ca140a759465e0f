//! Any Open Knowledge Format bundle.

use std::path::Path;

use lore_core::{Curator, Kind, Source, Voice};
use serde_json::Value;

use super::walk::Found;
use super::{ImportOptions, ImportReport, Imported, Left, Page, finish, first_sentence, page};
use crate::format::node::Node;

/// Reads every concept of a bundle.
pub(super) fn read(files: &[Found], options: &ImportOptions, report: &mut ImportReport) {
    for file in files {
        match entry(file, options) {
            Ok(imported) => report.entries.push(imported),
            Err(left) => report.left.push(left),
        }
    }
}

/// Tells whether an index says that it belongs to a bundle.
pub(super) fn is_bundle(root: &Path) -> bool {
    let index = Found { relative: "index.md".to_owned(), path: root.join("index.md") };
    page(&index).is_ok_and(|page| page.fields.peek("okf_version").is_some())
}

/// Tells whether a folder holds pages with a type, at its top or one folder below.
pub(super) fn has_concepts(root: &Path) -> bool {
    let is_concept = |file: &Found| {
        file.ending() == "md" && page(file).is_ok_and(|page| page.fields.peek("type").is_some())
    };
    let shallow = |file: &&Found| file.relative.matches('/').count() <= 1;
    super::walk::walk(root, &mut Vec::new()).iter().filter(shallow).any(is_concept)
}

fn entry(file: &Found, options: &ImportOptions) -> Result<Imported, Left> {
    let leave = |why: &str| Err(Left { from: file.relative.clone(), why: why.to_owned() });
    if matches!(file.name(), "index.md" | "log.md") {
        return leave("a generated page; ours is generated anew");
    }
    if file.ending() != "md" {
        return leave("not a Markdown file");
    }
    let Page { mut fields, body, diagnostics } = page(file)?;
    let foreign =
        fields.peek("type").and_then(Node::text).map(str::trim).filter(|word| word.parse::<Kind>().is_err());
    let foreign = foreign.filter(|word| !word.is_empty()).map(str::to_owned);
    if let Some(word) = &foreign {
        let kind = kind_of(word).unwrap_or(Kind::Fact);
        fields.set("type", Node::Plain(kind.word().to_owned()));
    }
    let mut imported = finish(&file.relative, &file.relative, fields, body, diagnostics);
    let entry = &mut imported.entry;
    if let Some(word) = foreign {
        entry.extra.insert("okf_type".to_owned(), Value::String(word));
    }
    // A bundle's own name for a concept is its path.
    let concept = file.relative.trim_end_matches(".md");
    if !concept.ends_with(entry.id.as_str()) && !entry.aliases.iter().any(|alias| alias == concept) {
        entry.aliases.push(concept.to_owned());
    }
    if entry.description.is_none() {
        entry.description = first_sentence(&entry.body);
    }
    if entry.project.is_none() {
        entry.project.clone_from(&options.project);
    }
    if entry.sources.is_empty() {
        entry.sources.push(Source::new(format!("okf/{}", file.relative), Voice::Agent));
    }
    if entry.generated.is_some()
        && entry.verified.is_empty()
        && !entry.extra.contains_key("original_curated_by")
    {
        entry.curated_by = match entry.curated_by {
            Curator::Human => Curator::Mixed,
            other => other,
        };
    }
    Ok(imported)
}

/// Maps the types that other producers use, where the meaning is clear.
pub(super) fn kind_of(word: &str) -> Option<Kind> {
    let plain = word.trim().to_lowercase().replace(['_', '-'], " ");
    plain.parse::<Kind>().ok().or(match plain.as_str() {
        "decision record" | "architecture decision" | "architecture decision record" => Some(Kind::Decision),
        "convention" | "guideline" | "best practice" | "playbook" | "runbook" | "remediation pattern" => {
            Some(Kind::Pattern)
        }
        "incident" | "postmortem" | "release" | "milestone" | "meeting" => Some(Kind::Event),
        "known issue" | "constraint" | "caveat" => Some(Kind::Limitation),
        "fix" | "bug fix" | "bugfix" | "troubleshooting" | "error" | "errors" => Some(Kind::Resolution),
        "component" | "service" | "system" | "module" | "design" => Some(Kind::Architecture),
        "lesson learned" | "learning" => Some(Kind::Lesson),
        "experiment" | "research" => Some(Kind::Spike),
        "review" | "review finding" | "finding" => Some(Kind::Feedback),
        _ => None,
    })
}
