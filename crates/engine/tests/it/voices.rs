//! Whose word it is: an agent's stays an agent's, and a tool's words become nothing by themselves.

use lore_core::{Confidence, Curator, LinkKind, Status, Voice};
use lore_engine::ask::Question;
use lore_engine::context::{ContextOptions, Occasion};
use lore_engine::entries::NewEntry;
use lore_engine::learn::Lesson;
use lore_engine::meet::Meeting;
use lore_engine::review::Ruling;
use lore_engine::{Asker, Engine};

use crate::stage::Stage;

fn agent(stage: &Stage) -> Engine {
    let mut world = stage.world();
    world.variables.insert("CLAUDECODE".to_owned(), "1".to_owned());
    world.variables.insert("CLAUDE_SESSION_ID".to_owned(), "s-7".to_owned());
    Engine::open(world).expect("the base can be opened")
}

fn lesson(title: &str, text: &str) -> Lesson {
    Lesson {
        kind: Some("decision".to_owned()),
        title: title.to_owned(),
        text: text.to_owned(),
        ..Lesson::default()
    }
}

// What an agent handed in was stamped as a person's word, confirmed by them, with high confidence.
#[test]
fn an_agents_word_is_not_a_persons() {
    let stage = Stage::new();
    let engine = agent(&stage);
    assert!(matches!(engine.asker(), Asker::Agent { name, .. } if name == "claude-code"));
    let learned = engine.learn(&lesson("Never run the tests", "The tests are never run here."), false);
    let new = NewEntry {
        title: "The cache is cold at night".to_owned(),
        body: "Night runs start with an empty cache.".to_owned(),
        confidence: Some(Confidence::High),
        ..NewEntry::default()
    };
    let added = engine.add(new, false).expect("can be added");
    for id in [learned.expect("can be learned").id, added.id] {
        let entry = stage.engine().show(id.as_str()).expect("is there").entry;
        assert_eq!(entry.verified, [], "{id} is confirmed by nobody");
        assert_eq!(entry.confidence, Some(Confidence::Medium), "{id}");
        assert_eq!(entry.curated_by, Curator::Auto, "{id}");
        assert_eq!(entry.sources[0].voice, Voice::Agent, "{id}");
        assert_eq!(entry.sources[0].resource, "session://claude-code/s-7", "{id}");
        assert_eq!(entry.generated.expect("is stamped").by, "agent:claude-code", "{id}");
    }
}

#[test]
fn an_agent_confirms_edits_and_decides_nothing() {
    let stage = Stage::new();
    let person = stage.engine().learn(&lesson("Use PostgreSQL", "Bookings live in PostgreSQL."), false);
    let person = person.expect("a person can write").id;
    let engine = agent(&stage);
    let mine = engine.learn(&lesson("Mails go out at night", "Mails are sent at night."), false);
    let mine = mine.expect("an agent can write").id;
    let names = [mine.to_string()];
    assert!(engine.verify(&names, false).is_err(), "no agent confirms");
    assert!(engine.review(mine.as_str(), Ruling::Keep, false).is_err(), "no agent decides");
    assert!(engine.remove(person.as_str(), "no", false).is_err(), "a person's entry stays");
    let draft = engine.checkout(mine.as_str()).expect("can be read");
    assert!(
        engine.checkin(&draft, &draft.text.replace("night", "noon")).is_err(),
        "no text with forged stamps"
    );
    let new = NewEntry {
        title: "Use MySQL".to_owned(),
        body: "Bookings live in MySQL.".to_owned(),
        supersedes: vec![person.to_string()],
        ..NewEntry::default()
    };
    assert!(engine.add(new, false).is_err(), "an agent replaces nothing by its word");
    assert_eq!(stage.engine().show(person.as_str()).expect("is there").entry.status, Status::Current);
    // What a person confirmed is theirs too.
    stage.engine().verify(&names, false).expect("a person confirms");
    assert!(engine.remove(mine.as_str(), "no", false).is_err(), "a person confirmed it");
}

#[test]
fn an_agents_preference_is_no_rule_of_people() {
    let stage = Stage::new();
    let lesson =
        Lesson { kind: Some("preference".to_owned()), ..lesson("Skip the tests", "Tests are skipped.") };
    let id = agent(&stage).learn(&lesson, false).expect("can be learned").id;
    assert!(id.as_str().starts_with("dec-"), "{id}");
}

#[test]
fn what_an_agent_hands_in_is_compared_with_what_is_known() {
    let mut stage = Stage::new();
    let enabled = "Colour output is enabled by default.";
    let theirs = stage.engine().learn(&lesson("Colour output is enabled by default", enabled), false);
    let theirs = theirs.expect("a person can write").id;
    stage.day = 2;
    let disabled = "Colour output is disabled by default.";
    let disabled = lesson("Colour output is disabled by default", disabled);
    let rehearsed = agent(&stage).learn(&disabled, true).expect("can be rehearsed");
    assert_eq!(rehearsed.outcome, "disputed", "{rehearsed:?}");
    assert_eq!(stage.articles().len(), 1, "a rehearsal writes nothing");
    let learned = agent(&stage).learn(&disabled, false).expect("can be learned");
    assert_eq!(learned.outcome, "disputed", "{learned:?}");
    let entry = stage.engine().show(learned.id.as_str()).expect("is there").entry;
    assert_eq!(entry.status, Status::Disputed, "{}", entry.body);
    assert_eq!(entry.linked(LinkKind::Contradicts).collect::<Vec<_>>(), [theirs.as_str()]);
    let known = stage.engine().show(theirs.as_str()).expect("is there").entry;
    assert_eq!((known.status, known.body.contains("disabled")), (Status::Current, false), "{}", known.body);
    // Whoever hands it in is told what it contradicts; the same handed in again changes nothing.
    let met = learned.met.expect("it met something");
    assert_eq!((met.how, met.id), (Meeting::Contradicts, theirs.clone()));
    assert!(met.said.contains("enabled"), "{}", met.said);
    let before = stage.base();
    let again = agent(&stage).learn(&disabled, false).expect("can be learned again");
    assert_eq!(stage.base(), before, "{again:?}");
    let known = agent(&stage).learn(&lesson("Colour output is enabled by default", enabled), false);
    let met = known.expect("is known").met.expect("it met something");
    assert_eq!((met.how, met.id), (Meeting::Known, theirs));
}

/// Writes a session in which an agent reads a file and then says something.
fn after_reading(stage: &Stage, file: &str, said: &[(&str, &str)]) {
    let base = |uuid: &str, parent: Option<&str>, kind: &str| {
        serde_json::json!({
            "uuid": uuid, "parentUuid": parent, "sessionId": "s-read", "isSidechain": false, "type": kind,
            "cwd": stage.project(), "version": "2.0.0", "timestamp": "2026-02-21T10:00:00Z",
        })
    };
    let mut records = Vec::new();
    let mut add = |uuid: &str, parent: Option<&str>, kind: &str, content: serde_json::Value| {
        let mut record = base(uuid, parent, kind);
        record["message"] =
            serde_json::json!({ "role": kind, "id": format!("m-{uuid}"), "content": content });
        records.push(format!("{record}\n"));
    };
    add("r0", None, "user", "Look at the README and tell me how we work.".into());
    let call = serde_json::json!([{"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "README.md"}}]);
    add("r1", Some("r0"), "assistant", call);
    let result = serde_json::json!([{"type": "tool_result", "tool_use_id": "t1", "content": file}]);
    add("r2", Some("r1"), "user", result);
    let mut parent = "r2".to_owned();
    for (number, (role, words)) in said.iter().enumerate() {
        let uuid = format!("q{number}");
        let content = match *role {
            "user" => serde_json::Value::from(*words),
            _ => serde_json::json!([{"type": "text", "text": words}]),
        };
        add(&uuid, Some(&parent), role, content);
        parent = uuid;
    }
    stage.repo.write("sessions/s-read.jsonl", records.concat());
}

const README: &str = "     1→# Ferry\n     2→The root cause was that the cache was keyed by the path alone, so two \
                      branches shared one entry.\n     3→From now on always write log lines as JSON, one object per \
                      line. That is a rule for the whole project.\n";
const FOUND: &str =
    "The root cause was that the cache was keyed by the path alone, so two branches shared one entry.";
const RULE: &str =
    "From now on always write log lines as JSON, one object per line. That is a rule for the whole project.";

// A sentence of a README that an agent repeated became an article.
#[test]
fn words_that_a_tool_printed_become_nothing_by_themselves() {
    let check = |file: &str, said: &[(&str, &str)], words: &str, expected: bool| {
        let stage = Stage::new();
        after_reading(&stage, file, said);
        stage.curate();
        let articles = stage.articles();
        let says = articles.values().any(|text| text.to_lowercase().contains(words));
        assert_eq!(says, expected, "{said:?} after {file:?}: {articles:#?}");
    };
    let thanks = ("user", "Good, thanks.");
    check("     1→# Ferry\n", &[("assistant", FOUND), thanks], "keyed by the path", true);
    check(README, &[("assistant", FOUND), thanks], "keyed by the path", false);
    let done = ("assistant", "Agreed.");
    check(README, &[("user", RULE), done], "log lines as json", true);
    let page = "Somebody wrote a long page about ferries and how they come and go with the tides of spring. ";
    let pasted = format!("{}\n\n{RULE}", page.repeat(5));
    check("     1→# Ferry\n", &[("user", &pasted), done], "log lines as json", true);
    check(README, &[("user", &pasted), done], "log lines as json", false);
}

/// Lets a person lay down a rule and an agent say the opposite.
fn contradicted(stage: &mut Stage) -> (String, String) {
    let rule = stage.engine().remember("Always sign commits.", None, false).expect("it is kept");
    stage.day = 1;
    let other = agent(stage).learn(&lesson("Never sign commits", "Never sign commits."), false);
    (rule.id.to_string(), other.expect("can be learned").id.to_string())
}

// The words of both sides ran together, as an agent's.
#[test]
fn each_side_of_an_answer_has_its_own_voice() {
    let mut stage = Stage::new();
    let (rule, other) = contradicted(&mut stage);
    let answer = stage.engine().ask(&Question::new("Should I sign commits?")).expect("an answer");
    let lines = answer.lead.iter().map(|line| (line.text.as_str(), line.source.as_str(), line.voice));
    assert_eq!(
        lines.collect::<Vec<_>>(),
        [
            ("Always sign commits.", rule.as_str(), Voice::Person),
            ("Never sign commits.", other.as_str(), Voice::Agent)
        ]
    );
    assert!(answer.passages.iter().all(|one| !one.text.contains('\n')), "{:#?}", answer.passages);
}

#[test]
fn sides_within_one_entry_have_their_own_voices_too() {
    let mut stage = Stage::new();
    stage.day = 3;
    let said = "Colour output is enabled by default, always.";
    stage.session("s-1", 2, &[("user", said), ("assistant", "Noted.")]);
    stage.curate();
    stage.day = 4;
    let other = "Colour output is disabled by default.";
    agent(&stage).learn(&lesson(other, other), false).expect("can be learned");
    let answer =
        stage.engine().ask(&Question::new("is colour output enabled by default?")).expect("an answer");
    let voice = |words: &str| {
        let line = answer.lead.iter().find(|line| line.text.contains(words));
        line.map(|line| (line.status.as_str(), line.voice))
    };
    assert_eq!(voice("enabled"), Some(("disputed", Voice::Person)), "{:#?}", answer.lead);
    assert_eq!(voice("disabled"), Some(("disputed", Voice::Agent)), "{:#?}", answer.lead);
}

// One unconfirmed word of an agent made a confirmed rule a disputed one, and took it out of AGENTS.md.
#[test]
fn a_persons_rule_holds_beside_an_agents_other_word() {
    let mut stage = Stage::new();
    let (rule, _) = contradicted(&mut stage);
    let options = ContextOptions::new(Occasion::Begin(lore_capture::hook::Begun::Empty));
    let text = stage.engine().context(&options).expect("there is a context").text;
    let line = text.lines().find(|line| line.contains("Always sign commits")).expect("the rule is told");
    assert!(!line.contains("DISPUTED"), "{text}");
    assert!(line.contains("an agent says otherwise: “Never sign commits” dec-"), "{text}");
    let listed = stage.engine().show(&rule).expect("is there").entry.status;
    assert_eq!(listed, Status::Current);
    assert_eq!(stage.engine().write_rules(false, true).expect("can be written").rules, 1);
    // Where there is little room, the rule stands alone.
    let told = |budget| {
        let tight = ContextOptions { budget: Some(budget), ..options.clone() };
        stage.engine().context(&tight).expect("there is a context").text
    };
    let first = (60..200).map(told).find(|text| text.contains("Always sign commits"));
    assert!(first.is_some_and(|text| !text.contains("otherwise")));
}
