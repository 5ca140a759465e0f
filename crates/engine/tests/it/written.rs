//! What is already written counts, with a standing of its own, and is never copied.

use lore_core::recall::Query;
use lore_engine::ask::Question;
use lore_engine::brief::Topic;
use lore_engine::entries::NewEntry;
use lore_engine::hook::{WorkOptions, answer, work};
use lore_engine::written::WrittenStanding;

use crate::stage::Stage;

const AGENTS: &str = "# How we work\n\n- Database migrations are written by hand, never generated.\n- Indent Python files with tabs.\n\n<!-- lore:rules begin -->\n- Never use floating point for money.\n<!-- lore:rules end -->\n";
const RECORD: &str = "# 3. Message broker\n\n## Status\n\nAccepted\n\n## Decision\n\nEvents between services go through RabbitMQ.\n";

fn stage() -> Stage {
    let stage = Stage::with_git();
    stage.repo.write("AGENTS.md", AGENTS);
    stage.repo.write("docs/adr/0003-message-broker.md", RECORD);
    stage
        .repo
        .write(".cursor/rules/web.mdc", "---\nglobs: *.ts\n---\nComponents are functions, never classes.\n");
    stage
}

fn add(stage: &Stage, title: &str, kind: &str, body: &str) {
    let entry = NewEntry {
        title: title.to_owned(),
        kind: Some(kind.parse().expect("a kind")),
        body: body.to_owned(),
        ..NewEntry::default()
    };
    stage.engine().add(entry, false).expect("an entry can be written");
}

#[test]
fn files_are_shown_beside_entries_with_file_and_line_and_not_copied() {
    let stage = stage();
    let before = stage.base();
    let found = stage.engine().query(&Query::text("how are database migrations written")).expect("works");
    assert_eq!(found.written.len(), 1, "{found:?}");
    assert_eq!((found.written[0].file.as_str(), found.written[0].line), ("AGENTS.md", 3));
    assert_eq!(found.written[0].standing, WrittenStanding::File, "nobody committed it yet");
    let asked = stage.engine().ask(&Question::new("Which broker do events between services go through?"));
    let asked = asked.expect("works");
    assert!(
        asked.written.iter().any(|one| one.text.contains("RabbitMQ") && one.file.contains("0003")),
        "{asked:?}"
    );
    let other = stage.engine().query(&Query::text("how are Python releases generated")).expect("works");
    assert_eq!(other.written, [], "one word in common is not enough");
    let ours = stage.engine().query(&Query::text("floating point for money")).expect("works");
    assert_eq!(ours.written, [], "our own block is not read back");
    assert_eq!(stage.base(), before, "nothing is copied");
    // A change is seen at once.
    stage.repo.write("AGENTS.md", AGENTS.replace("by hand, never generated", "by the tool and reviewed"));
    let again = stage.engine().query(&Query::text("how are database migrations written")).expect("works");
    assert!(again.written[0].text.contains("by the tool"), "{again:?}");
}

#[test]
fn a_line_of_this_users_own_counts_as_theirs_and_any_can_be_confirmed() {
    let stage = stage();
    let standing = || {
        let found = stage.engine().query(&Query::text("how are database migrations written")).expect("works");
        found.written[0].standing
    };
    stage.repo.git(&["config", "user.email", "test@example.org"]);
    stage.repo.commit("rules");
    assert_eq!(standing(), WrittenStanding::Yours);
    stage.repo.git(&["config", "user.email", "somebody.else@example.org"]);
    assert_eq!(standing(), WrittenStanding::File);
    let engine = stage.engine();
    assert_eq!(engine.confirm_written("use-postgresql", false).expect("works"), None);
    assert!(engine.confirm_written("AGENTS.md:1", false).is_err(), "a heading says nothing");
    let confirmed = engine.confirm_written("AGENTS.md:3", false).expect("works").expect("a statement");
    assert!(confirmed.text.contains("migrations"));
    assert_eq!(standing(), WrittenStanding::Confirmed);
    stage.repo.write("AGENTS.md", AGENTS.replace("never generated", "or generated"));
    assert_eq!(standing(), WrittenStanding::File, "other words were not confirmed");
}

#[test]
fn a_ruling_against_a_file_is_shown_with_both_sides_and_neither_is_changed() {
    let stage = stage();
    add(&stage, "Indent Python files with spaces", "preference", "Indent Python files with spaces.");
    let found = stage.engine().disagreements().expect("works");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((found[0].file.as_str(), found[0].line), ("AGENTS.md", 4));
    assert!(found[0].says.contains("spaces") && found[0].written.contains("tabs"), "{found:?}");
    assert_eq!(stage.engine().known_disagreements(), found);
    assert_eq!(stage.repo.read("AGENTS.md"), AGENTS);
    let (_, article) = stage.article_with("spaces");
    assert!(article.contains("status: current"), "a file supersedes nothing: {article}");
}

#[test]
fn confirmed_rules_stand_in_agents_md_and_stay_current() {
    let stage = stage();
    stage.repo.write("AGENTS.md", "# How we work\n\nBe kind.\n");
    add(&stage, "Never use floats for money", "preference", "Never use floating point for money.");
    let engine = stage.engine();
    let done = engine.write_rules(false, false).expect("works");
    assert_eq!((done.rules, done.changed), (1, true));
    let text = stage.repo.read("AGENTS.md");
    assert!(text.starts_with("# How we work\n\nBe kind.\n\n<!-- lore:rules begin -->\n"), "{text}");
    assert!(text.contains("- Never use floating point for money. [prf-"), "{text}");
    assert!(!engine.write_rules(false, false).expect("works").changed, "twice is once");
    add(&stage, "Log lines are JSON", "preference", "Write log lines as JSON, one object per line.");
    lore_engine::hook::work(stage.world(), lore_engine::hook::WorkOptions::default())
        .expect("the worker ends");
    assert!(stage.repo.read("AGENTS.md").contains("one object per line"), "the worker keeps it current");
    let theirs = stage.repo.read("AGENTS.md").replace("- Never use", "- Please never use");
    stage.repo.write("AGENTS.md", &theirs);
    assert!(stage.engine().write_rules(false, false).expect("works").theirs, "somebody changed it");
    assert_eq!(stage.repo.read("AGENTS.md"), theirs);
    stage.engine().write_rules(true, false).expect("works");
    assert!(!stage.repo.read("AGENTS.md").contains("Please never"));
}

#[test]
fn a_brief_and_a_prompt_hear_of_decision_records_and_an_agent_not_of_what_it_loads() {
    let stage = Stage::new();
    let record = "# 3. The queue is a table\n\nStatus: accepted\n\nThe queue for confirmation mails is a Postgres table, not Redis.\n";
    stage.repo.write("docs/adr/0003-queue.md", record);
    let rule = "# Rules\n\n- Confirmation mails are rendered from templates in the mails folder.\n";
    stage.repo.write("AGENTS.md", rule);
    let topic =
        Topic { text: "the queue for confirmation mails: Postgres or Redis".to_owned(), ..Topic::default() };
    let brief = stage.engine().brief(&topic).expect("a brief can be made");
    assert_eq!(brief.written[0].file, "docs/adr/0003-queue.md", "{brief:?}");
    assert!(brief.markdown.contains("### Written in Files"), "{}", brief.markdown);
    assert!(brief.markdown.contains("(docs/adr/0003-queue.md:5, file)"), "{}", brief.markdown);

    work(stage.world(), WorkOptions::default()).expect("the worker ends");
    let prompt = |agent: &str, session: &str, text: &str| {
        let message = serde_json::json!({ "session_id": session, "cwd": stage.project(), "prompt": text });
        let reply = answer(stage.world(), agent, "user-prompt-submit", message.to_string().as_bytes());
        reply.output.unwrap_or_default()
    };
    let asked = "should the queue for confirmation mails stay a Postgres table or move to Redis?";
    let first = prompt("codex", "c-1", asked);
    assert!(first.contains("docs/adr/0003-queue.md:5") && first.contains("not Redis"), "{first}");
    assert!(!prompt("codex", "c-1", asked).contains("0003-queue"), "it is said once in a session");
    // Codex has AGENTS.md in its context; Gemini CLI has not.
    let about = "which templates in the mails folder are confirmation mails rendered from?";
    assert!(!prompt("codex", "c-2", about).contains("AGENTS.md"), "it is loaded already");
    let message = serde_json::json!({ "session_id": "g-1", "cwd": stage.project(), "prompt": about });
    let heard = answer(stage.world(), "gemini", "before-agent", message.to_string().as_bytes());
    assert!(heard.output.unwrap_or_default().contains("AGENTS.md:3"), "another agent's file may speak");
    for everyday in ["thanks", "please commit this", "rename the variable and run the tests again"] {
        assert!(!prompt("codex", "c-3", everyday).contains("docs/adr"), "{everyday}");
    }
    // A record that changed since is read again before it is quoted.
    stage
        .repo
        .write("docs/adr/0003-queue.md", "# 3. The queue\n\nStatus: superseded\n\nNothing of it holds.\n");
    assert!(!prompt("codex", "c-4", asked).contains("0003-queue"), "what is gone is not said");
}
