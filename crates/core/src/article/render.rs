//! From claims to Markdown.

use std::fmt::{Display, Write as _};

use super::Article;
use crate::{Claim, Standing};

/// Heading of the reasons.
pub const WHY: &str = "Why";
/// Heading of further things known.
pub const FACTS: &str = "Key facts";
/// Heading of what is not settled.
pub const CONFLICT: &str = "Conflict";
/// Heading of what a later claim seems to have replaced.
pub const DOUBTED: &str = "Possibly replaced";
/// Heading of the words it rests on.
pub const CONTEXT: &str = "Context";
/// Heading of what held once.
pub const HISTORY: &str = "History";
/// Heading of the neighbours.
pub const RELATED: &str = "Related";

/// The sentence that opens a conflict section.
pub const UNSETTLED: &str = "The sources contradict each other and nobody has decided yet.";

pub(super) fn article(article: &Article) -> String {
    let mut out = String::new();
    lead(&article.lead, &mut out);
    list(WHY, &article.why, &mut out);
    list(FACTS, &article.facts, &mut out);
    if !article.conflict.is_empty() {
        heading(CONFLICT, &mut out);
        let _ = writeln!(out, "{UNSETTLED}\n");
        article.conflict.iter().for_each(|claim| item(claim, &mut out));
    }
    list(DOUBTED, &article.doubted, &mut out);
    if !article.context.is_empty() {
        heading(CONTEXT, &mut out);
        for quote in &article.context {
            let _ = writeln!(out, "- {}: “{}”[^{}]", quote.said, quote.words, quote.source);
        }
    }
    for section in &article.other {
        heading(&section.heading, &mut out);
        if !section.body.is_empty() {
            let _ = writeln!(out, "{}", section.body);
        }
    }
    list(HISTORY, &article.history, &mut out);
    if !article.related.is_empty() {
        heading(RELATED, &mut out);
        for related in &article.related {
            let _ = writeln!(out, "- [{}]({})", related.title, related.path);
        }
    }
    if !article.notes.is_empty() {
        separate(&mut out);
        for note in &article.notes {
            let _ = writeln!(out, "[^{}]: {}", note.id, note.text);
        }
    }
    out
}

/// Claims with sources run on as one paragraph; a person's sentence without any stands alone.
fn lead(claims: &[Claim], out: &mut String) {
    let mut open = false;
    for claim in claims {
        if claim.sources.is_empty() {
            separate(out);
            let _ = writeln!(out, "{}", escaped(&claim.text));
            open = false;
            continue;
        }
        if open {
            out.pop();
            out.push(' ');
            out.push_str(&claim.text);
        } else {
            separate(out);
            out.push_str(&escaped(&claim.text));
        }
        marks(claim, out);
        out.push('\n');
        open = true;
    }
}

fn list(name: &str, claims: &[Claim], out: &mut String) {
    if !claims.is_empty() {
        heading(name, out);
        claims.iter().for_each(|claim| item(claim, out));
    }
}

fn item(claim: &Claim, out: &mut String) {
    let _ = write!(out, "- {}", claim.text);
    marks(claim, out);
    out.push('\n');
    match &claim.standing {
        Standing::Current | Standing::Disputed { said: None } => {}
        Standing::Disputed { said: Some(said) } => {
            let _ = writeln!(out, "  Said by {said}");
        }
        Standing::PossiblyReplaced { since, by, reason } => {
            below("Since ", since.as_ref(), out);
            below("Possibly replaced by: ", by.as_ref(), out);
            below("Reason: ", reason.as_ref(), out);
        }
        Standing::Past { until, replaced_by, reason } => {
            below("Until ", until.as_ref(), out);
            below("Replaced by: ", replaced_by.as_ref(), out);
            below("Reason: ", reason.as_ref(), out);
        }
    }
}

/// Writes a line below an item, where there is something to say.
fn below(name: &str, value: Option<&impl Display>, out: &mut String) {
    if let Some(value) = value {
        let _ = writeln!(out, "  {name}{value}");
    }
}

fn marks(claim: &Claim, out: &mut String) {
    for source in &claim.sources {
        let _ = write!(out, "[^{source}]");
    }
}

fn heading(name: &str, out: &mut String) {
    separate(out);
    let _ = writeln!(out, "## {name}\n");
}

fn separate(out: &mut String) {
    if !out.is_empty() && !out.ends_with("\n\n") {
        out.push('\n');
    }
}

/// Keeps a paragraph from reading as a heading, a list, a quotation or a footnote.
fn escaped(text: &str) -> String {
    if needs_escape(text) { format!("\\{text}") } else { text.to_owned() }
}

pub(super) fn needs_escape(text: &str) -> bool {
    let first = text.as_bytes().first().copied();
    matches!(first, Some(b'#' | b'-' | b'*' | b'+' | b'>' | b'\\' | b'|'))
        || text.starts_with("```")
        || text.starts_with("~~~")
}
