//! Sessions that lie inside the project are the project's, wherever they ran.

use lore_engine::curate::CurateOptions;
use lore_engine::sessions::SessionFilter;

use crate::stage::Stage;

fn with_state() -> Stage {
    let stage = Stage::new();
    let entry = |id: &str, parent: Option<&str>, role: &str, text: &str| {
        serde_json::json!({
            "type": "message", "id": id, "parentId": parent, "timestamp": "2026-02-01T10:00:00.000Z",
            "message": {"role": role, "content": [{"type": "text", "text": text}], "timestamp": 1},
        })
    };
    let header = serde_json::json!({
        "type": "session", "version": 3, "id": "p-1", "timestamp": "2026-02-01T10:00:00.000Z",
        "cwd": "/home/runner/ferry",
    });
    let lines = [
        header,
        entry("a", None, "user", "From now on always call the product Ferry, never Boat. That is decided."),
        entry("b", Some("a"), "assistant", "Understood. The product is called Ferry from now on."),
    ];
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    stage.repo.write(".GITCLAW/state/sessions/2026-02-01_p-1.jsonl", text);
    let issue = r#"{"issueNumber": 42, "sessionPath": ".GITCLAW/state/sessions/2026-02-01_p-1.jsonl"}"#;
    stage.repo.write(".GITCLAW/state/issues/42.json", issue);
    stage
}

#[test]
fn sessions_in_the_projects_own_state_are_curated_with_their_issue() {
    let stage = with_state();
    let report = stage.engine().curate(&CurateOptions::default(), &|_, _| {}).expect("curation works");
    assert_eq!((report.sources, report.fresh), (1, 1));
    let (_, text) = stage.article_with("Ferry");
    assert!(text.contains("session: p-1"), "{text}");
    assert!(text.contains("42"), "{text}");
    let list =
        stage.engine().archive().and_then(|archive| archive.list(&SessionFilter::default(), &|_, _| {}));
    assert_eq!(list.map(|list| list.sessions.len()).ok(), Some(1));
}

#[test]
fn an_entry_is_found_by_its_issue() {
    let stage = with_state();
    stage.engine().curate(&CurateOptions::default(), &|_, _| {}).expect("curation works");
    let filter = lore_engine::entries::Filter { issue: Some("42".to_owned()), ..Default::default() };
    let found = stage.engine().list(&filter).expect("can be listed");
    assert!(!found.is_empty());
}
