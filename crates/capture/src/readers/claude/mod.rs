//! Claude Code: one JSON record per line, a tree by `uuid` and `parentUuid`.

mod chain;
mod people;
mod queue;
mod skip;
mod slug;
mod thread;
mod transcript;
mod wire;

use std::path::Path;

use lore_core::Session;
use memchr::memmem;

use self::transcript::Transcript;
use crate::{Input, Location, Places, ReadError, Reader};

const AGENT: &str = "claude-code";

/// Records that may stand before the first one of the conversation.
const OPENING_KINDS: &[&str] = &[
    "file-history-snapshot\"",
    "queue-operation\"",
    "summary\",\"summary\"",
    "permission-mode\"",
    "custom-title\"",
    "ai-title\"",
    "last-prompt\"",
    "agent-name\"",
    "worktree-state\"",
    "derived-from\"",
    "pr-link\"",
];

/// Reads the transcripts of Claude Code, of every version so far.
#[derive(Debug)]
pub(crate) struct ClaudeCode;

impl Reader for ClaudeCode {
    fn agent(&self) -> &'static str {
        AGENT
    }

    fn recognises(&self, path: &Path, head: &[u8]) -> bool {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if !name.contains(".jsonl") {
            return false;
        }
        let has = |mark: &str| memmem::find(head, mark.as_bytes()).is_some();
        let record =
            has("\"sessionId\":") && (has("\"parentUuid\":") || (has("\"uuid\":") && has("\"cwd\":")));
        let opening = head.strip_prefix(b"{\"type\":\"").unwrap_or_default();
        record
            || OPENING_KINDS.iter().any(|kind| opening.starts_with(kind.as_bytes()))
            || (has("\"parentUuid\":") && has("\"isSidechain\":"))
    }

    fn read(&self, input: &Input<'_>, sink: &mut dyn FnMut(Session)) -> Result<(), ReadError> {
        let mut lines = input.lines()?;
        let mut transcript = Transcript::new(input);
        while let Some(line) = lines.next_line() {
            transcript.line(line.number, line.bytes, line.ended);
        }
        let findings = lines.diagnostics(transcript.main.draft.file());
        transcript.main.draft.add_diagnostics(findings);
        transcript.finish(sink);
        Ok(())
    }

    fn locations(&self, places: &Places) -> Vec<Location> {
        let own = places.folder("CLAUDE_CONFIG_DIR", ".claude").join("projects");
        let mut found = vec![Location::folder(own, 5, &[".jsonl"])];
        for folder in places.application_folders() {
            for name in ["claude-code-sessions", "local-agent-mode-sessions"] {
                found.push(Location::folder(folder.join("Claude").join(name), 8, &[".jsonl"]));
            }
        }
        found
    }

    fn belongs(&self, path: &Path, folders: &[&Path]) -> Option<bool> {
        slug::may_belong(path, folders)
    }
}
