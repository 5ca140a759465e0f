//! What a line need not be parsed for. Half of a file is said twice or says nothing.

use std::sync::LazyLock;

use memchr::memmem;

/// Tells by its first bytes that a record says nothing about the conversation.
pub(super) fn is_of_no_use(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("{\"type\":\"").filter(|rest| rest.ends_with('}')) else {
        return false;
    };
    let kind = rest.split('"').next().unwrap_or_default();
    matches!(
        kind,
        "file-history-snapshot"
            | "file-history-delta"
            | "content-replacement"
            | "attribution-snapshot"
            | "api-request"
            | "api-request-shape"
            | "api-request-blob"
            | "tools-used"
            | "cost-state"
            | "data-flow-records"
    )
}

/// Splits off what a tool left beside its result, which says the same again and is often the
/// larger half of a line.
///
/// A quote inside a text is escaped, so the key is found only where it is one. Where it is not
/// the last thing that matters, what is left is no record and the line is parsed whole.
pub(super) fn without_tool_use_result<'t>(text: &'t str, buffer: &mut String) -> Option<(String, &'t str)> {
    static KEY: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new(TOOL_USE_RESULT));
    let at = KEY.find(text.as_bytes()).filter(|_| text.ends_with('}'))?;
    let mut head = std::mem::take(buffer);
    head.clear();
    head.push_str(&text[..at]);
    head.push('}');
    Some((head, &text[at + TOOL_USE_RESULT.len()..]))
}

const TOOL_USE_RESULT: &str = ",\"toolUseResult\":";

/// Splits id and parent out of a progress record that is only noise, without parsing the rest.
pub(super) fn plain_progress(text: &str) -> Option<(&str, Option<&str>)> {
    const MARK: &str = "\"type\":\"progress\",\"data\":{\"type\":\"";
    static FINDER: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new(MARK));
    let head = &text[..text.floor_char_boundary(1000)];
    let at = FINDER.find(head.as_bytes())?;
    if text[at + MARK.len()..].starts_with("agent_progress") {
        return None;
    }
    let rest = text.strip_prefix("{\"parentUuid\":").filter(|rest| rest.ends_with('}'))?;
    let parent = match rest.strip_prefix('"') {
        Some(rest) => Some(rest.split('"').next()?),
        None => rest.starts_with("null,").then_some(None)?,
    };
    let tail = &text[text.ceil_char_boundary(text.len().saturating_sub(200))..];
    let (_, id) = tail.rsplit_once("\"uuid\":\"")?;
    Some((id.split('"').next()?, parent))
}
