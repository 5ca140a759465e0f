//! Where each agent's sessions are looked for, as values of the environment say.

use std::collections::BTreeMap;
use std::path::PathBuf;

use lore_capture::{Places, readers};

fn check(variables: &[(&str, &str)], agent: &str, expected: &[&str]) {
    let variables: BTreeMap<String, String> =
        variables.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    let places = Places { home: PathBuf::from("/home/mira"), variables };
    let reader = readers().iter().find(|reader| reader.agent() == agent).expect("is registered");
    let found: Vec<String> = reader
        .locations(&places)
        .iter()
        .map(|location| location.path.to_string_lossy().replace('\\', "/"))
        .collect();
    for path in expected {
        assert!(found.iter().any(|place| place == path), "{agent}: {path} is not in {found:?}");
    }
}

#[test]
fn usual_places_are_known() {
    check(&[], "codex", &["/home/mira/.codex/sessions", "/home/mira/.codex/archived_sessions"]);
    check(&[], "gemini", &["/home/mira/.gemini/tmp"]);
    check(
        &[],
        "opencode",
        &["/home/mira/.local/share/opencode", "/home/mira/.local/share/opencode/storage/session"],
    );
    check(&[], "pi", &["/home/mira/.pi/agent/sessions", "/home/mira/.openclaw/agents"]);
    check(&[], "copilot", &["/home/mira/.copilot/session-state"]);
    check(
        &[],
        "cursor",
        &["/home/mira/.cursor/projects", "/home/mira/.config/Cursor/User/globalStorage/state.vscdb"],
    );
    check(&[], "goose", &["/home/mira/.local/share/goose/sessions"]);
    let cline = "/home/mira/.config/Code/User/globalStorage/saoudrizwan.claude-dev/tasks";
    check(&[], "cline", &[cline]);
}

#[test]
fn the_environment_moves_them() {
    check(&[("CODEX_HOME", "/x")], "codex", &["/x/sessions"]);
    check(&[("GEMINI_CLI_HOME", "/x")], "gemini", &["/x/.gemini/tmp"]);
    check(&[("GEMINI_HOME", "~/g")], "gemini", &["/home/mira/g/tmp"]);
    check(&[("XDG_DATA_HOME", "/x")], "opencode", &["/x/opencode"]);
    check(&[("OPENCODE_SQLITE_DB", "/x/o.db")], "opencode", &["/x/o.db"]);
    check(&[("OPENCODE_STORAGE_ROOT", "/x")], "opencode", &["/x/session"]);
    check(&[("PI_CODING_AGENT_DIR", "/x")], "pi", &["/x/sessions"]);
    check(&[("PI_SESSIONS_DIR", "/y")], "pi", &["/y"]);
    check(&[("COPILOT_HOME", "/x")], "copilot", &["/x/session-state"]);
    check(&[("GOOSE_PATH_ROOT", "/x")], "goose", &["/x/data/sessions"]);
    check(&[("AIDER_CHAT_HISTORY_FILE", "/x/h.md")], "aider", &["/x/h.md"]);
    check(&[("APPDATA", "/a")], "cursor", &["/a/Cursor/User/workspaceStorage"]);
}
