//! What a line need not be parsed for. Half of a file is said twice or says nothing.

use std::sync::LazyLock;

use memchr::{memchr, memmem};

/// Tells by its first bytes that a record says nothing about the conversation.
pub(super) fn is_of_no_use(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"{\"type\":\"").filter(|rest| rest.ends_with(b"}")) else {
        return false;
    };
    let kind = rest.split(|byte| *byte == b'"').next().unwrap_or_default();
    matches!(
        kind,
        b"file-history-snapshot"
            | b"file-history-delta"
            | b"content-replacement"
            | b"attribution-snapshot"
            | b"api-request"
            | b"api-request-shape"
            | b"api-request-blob"
            | b"tools-used"
            | b"cost-state"
            | b"data-flow-records"
    )
}

/// Splits id and parent out of a progress record that is only noise, without parsing the rest.
pub(super) fn plain_progress(line: &[u8]) -> Option<(&[u8], Option<&[u8]>)> {
    static TYPE: LazyLock<memmem::Finder<'static>> = LazyLock::new(|| memmem::Finder::new("\"type\":\""));
    static ID: LazyLock<memmem::FinderRev<'static>> = LazyLock::new(|| memmem::FinderRev::new("\"uuid\":\""));
    let rest = line.strip_prefix(b"{\"parentUuid\":").filter(|rest| rest.ends_with(b"}"))?;
    // Within a string its quotes would be escaped.
    let at = TYPE.find(&line[..line.len().min(1000)])? + TYPE.needle().len();
    let kind = line[at..].strip_prefix(b"progress\",\"data\":{\"type\":\"")?;
    if kind.starts_with(b"agent_progress") {
        return None;
    }
    let parent = match rest.strip_prefix(b"\"") {
        Some(rest) => Some(up_to_quote(rest)?),
        None => rest.starts_with(b"null,").then_some(None)?,
    };
    let tail = &line[line.len().saturating_sub(200)..];
    let id = &tail[ID.rfind(tail)? + ID.needle().len()..];
    Some((up_to_quote(id)?, parent))
}

fn up_to_quote(bytes: &[u8]) -> Option<&[u8]> {
    bytes.get(..memchr(b'"', bytes)?)
}
