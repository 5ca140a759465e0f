//! Hooks and the worker behind them: never in the way, never stuck on one session.

use std::panic::{AssertUnwindSafe, catch_unwind};

use lore_engine::curate::CurateOptions;
use lore_engine::hook::{HookReply, WorkOptions, answer, work};
use lore_engine::sessions::SessionFilter;

use crate::stage::{MONEY, Stage};

fn ended(stage: &Stage, session: &str, transcript: &str) -> HookReply {
    let message = serde_json::json!({
        "session_id": session, "hook_event_name": "SessionEnd", "cwd": stage.project(), "reason": "exit",
        "transcript_path": stage.project().join(transcript),
    });
    answer(stage.world(), "claude-code", "session-end", message.to_string().as_bytes())
}

fn prompted(stage: &Stage, session: &str, prompt: &str) -> HookReply {
    let message = serde_json::json!({
        "session_id": session, "hook_event_name": "UserPromptSubmit", "cwd": stage.project(), "prompt": prompt,
        "transcript_path": stage.project().join("x.jsonl"),
    });
    answer(stage.world(), "claude-code", "user-prompt-submit", message.to_string().as_bytes())
}

fn begun(stage: &Stage, session: &str) -> HookReply {
    let message = serde_json::json!({
        "session_id": session, "hook_event_name": "SessionStart", "cwd": stage.project(), "source": "startup",
        "transcript_path": stage.project().join("x.jsonl"),
    });
    answer(stage.world(), "claude-code", "session-start", message.to_string().as_bytes())
}

/// Settings that nobody could read were taken for none, and what was to be left out was kept.
#[test]
fn hooks_keep_and_say_nothing_while_settings_cannot_be_read() {
    let stage = Stage::new();
    let id = "5e551011-0000-4000-8000-000000000001";
    stage.session_at("good.jsonl", id, 0, MONEY);
    stage.engine().query(&lore_core::recall::Query::text("money")).expect("the index is built");
    stage.repo.write("knowledge/.lore/config.toml", "<<<<<<< HEAD\n[topics]\nexclude = [\"money\"]\n");
    for reply in
        [begun(&stage, id), prompted(&stage, id, "how is money kept?"), ended(&stage, id, "good.jsonl")]
    {
        assert_eq!(reply, HookReply::default());
    }
    work(stage.world(), now()).expect_err("no worker reads it");
    assert!(stage.articles().is_empty());
    assert_eq!(stage.engine().waiting().sessions(), 1, "it waits until somebody mends them");
    stage.repo.write("knowledge/.lore/config.toml", "");
    assert_eq!(work(stage.world(), now()).expect("the worker ends").sessions, 1);
}

fn now() -> WorkOptions {
    WorkOptions { at_once: true, ..WorkOptions::default() }
}

/// `lore doctor` went on saying that a session waits after `lore curate` had read it.
#[test]
fn what_was_curated_by_hand_does_not_wait_any_more() {
    let stage = Stage::new();
    let (one, two) = ("5e551011-0000-4000-8000-000000000001", "5e551011-0000-4000-8000-000000000002");
    stage.session_at("sessions/one.jsonl", one, 0, MONEY);
    stage.session_at("elsewhere/two.jsonl", two, 0, MONEY);
    ended(&stage, one, "sessions/one.jsonl");
    ended(&stage, two, "elsewhere/two.jsonl");
    let filter = SessionFilter { path: Some(stage.project().join("sessions")), ..SessionFilter::default() };
    let options = |dry_run| CurateOptions { filter: filter.clone(), dry_run, ..CurateOptions::default() };
    stage.engine().curate(&options(true), &|_, _| {}).expect("can be rehearsed");
    assert_eq!(stage.engine().waiting().sessions(), 2, "a rehearsal reads nothing for good");
    stage.engine().curate(&options(false), &|_, _| {}).expect("can be curated");
    assert_eq!(stage.engine().waiting().sessions(), 1, "only what lies elsewhere waits");
}

/// A session that could not be read took the one beside it along, at every session end.
#[test]
fn a_session_that_fails_twice_is_set_aside_and_the_one_beside_it_is_curated() {
    let stage = Stage::new();
    stage.session_at("good.jsonl", "5e551011-0000-4000-8000-000000000001", 0, MONEY);
    stage.repo.write("bad.tar.gz", "no archive at all");
    ended(&stage, "5e551011-0000-4000-8000-000000000001", "good.jsonl");
    ended(&stage, "5e551011-0000-4000-8000-000000000002", "bad.tar.gz");
    let first = work(stage.world(), now()).expect("the worker ends");
    assert_eq!((first.sessions, first.set_aside), (1, 0), "{first:?}");
    assert!(!stage.articles().is_empty(), "the good one is curated at once");
    assert_eq!(stage.engine().set_aside(), []);
    let second = work(stage.world(), now()).expect("the worker ends");
    assert_eq!((second.sessions, second.set_aside), (0, 1), "{second:?}");
    let aside = stage.engine().set_aside();
    assert_eq!(aside.len(), 1, "{aside:?}");
    assert!(
        aside[0].transcript.ends_with("bad.tar.gz") && aside[0].reason.contains("cannot read"),
        "{aside:?}"
    );
    assert!(aside[0].retry().starts_with("lore curate --sessions "), "{aside:?}");
    assert_eq!(stage.engine().status().expect("there is a status").set_aside, aside);
    assert_eq!(stage.engine().waiting().sessions(), 0, "nothing is tried again by itself");
    ended(&stage, "5e551011-0000-4000-8000-000000000002", "bad.tar.gz");
    let third = work(stage.world(), now()).expect("the worker ends");
    assert_eq!((third.sessions, third.set_aside), (0, 0), "also not when it ends once more: {third:?}");
}

/// Whatever had been read of a session once hid its failures for good, and its notes were thrown away for good too.
#[test]
fn a_session_is_set_aside_until_more_of_it_is_read() {
    let stage = Stage::new();
    let id = "5e551011-0000-4000-8000-000000000001";
    stage.session(id, 0, &MONEY[..1]);
    stage.curate();
    stage.repo.write("bad.tar", "no archive at all");
    set_aside(&stage, id, "bad.tar");
    assert_eq!(stage.engine().set_aside().len(), 1, "what was read before does not count");
    stage.session(id, 0, MONEY);
    stage.curate();
    assert_eq!(stage.engine().set_aside(), []);
    ended(&stage, id, "bad.tar");
    work(stage.world(), now()).expect("the worker ends");
    assert_eq!(stage.engine().waiting().sessions(), 1, "it waits for its second try");
}

/// Only a worker could take back that a session had failed.
#[test]
fn a_session_that_is_curated_by_hand_begins_anew() {
    let stage = Stage::new();
    let id = "5e551011-0000-4000-8000-000000000001";
    let bad = || stage.repo.write("bad.tar", "no archive at all");
    let curate = |dry_run: bool| {
        let filter = SessionFilter { path: Some("bad.tar".into()), ..SessionFilter::default() };
        let options = CurateOptions { filter, dry_run, ..CurateOptions::default() };
        stage.engine().curate(&options, &|_, _| {}).expect("curation works")
    };
    bad();
    set_aside(&stage, id, "bad.tar");
    curate(false);
    assert_eq!(stage.engine().set_aside().len(), 1, "it cannot be read by hand either");
    // An archive with nothing in it.
    stage.repo.write("bad.tar", "\0".repeat(1024));
    curate(true);
    assert_eq!(stage.engine().set_aside().len(), 1, "that was a rehearsal");
    curate(false);
    assert_eq!(stage.engine().set_aside(), []);
    bad();
    ended(&stage, id, "bad.tar");
    work(stage.world(), now()).expect("the worker ends");
    assert_eq!(stage.engine().waiting().sessions(), 1, "it waits for its second try");
}

/// The file was taken for read although nothing of it had been, and the second look found nothing new in it.
#[test]
fn a_session_that_its_file_calls_otherwise_is_curated() {
    let stage = Stage::new();
    let slug: String = stage.project().display().to_string();
    let slug: String = slug.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect();
    let path = format!("home/.claude/projects/{slug}/as-the-hook-says.jsonl");
    stage.session_at(&path, "5e551011-0000-4000-8000-000000000001", 0, MONEY);
    let message = serde_json::json!({
        "session_id": "as-the-hook-says", "hook_event_name": "SessionEnd", "cwd": stage.project(), "reason": "exit",
    });
    answer(stage.world(), "claude-code", "session-end", message.to_string().as_bytes());
    let worked = work(stage.world(), now()).expect("the worker ends");
    assert_eq!((worked.sessions, stage.articles().is_empty()), (1, false), "{worked:?}");
}

/// Lets a session end that cannot be read, and workers try it as often as they do.
fn set_aside(stage: &Stage, session: &str, transcript: &str) {
    ended(stage, session, transcript);
    work(stage.world(), now()).expect("the worker ends");
    let worked = work(stage.world(), now()).expect("the worker ends");
    assert_eq!((worked.set_aside, stage.engine().waiting().sessions()), (1, 0), "{worked:?}");
}

/// The prompt hook built a cold index inside the hook.
#[test]
fn a_hook_never_builds_and_a_session_that_began_unheard_is_told_later() {
    let stage = Stage::new();
    stage.session("5e551011-0000-4000-8000-000000000001", 0, MONEY);
    stage.curate();
    // Curating leaves an index and the start of a session behind.
    let index = stage.engine_state("cache/index");
    std::fs::remove_dir_all(stage.engine_state("cache")).expect("what is kept can be removed");
    for reply in [begun(&stage, "s1"), prompted(&stage, "s1", "Do we use floating point for money?")] {
        assert_eq!(reply.output, None, "there is nothing to answer from");
        assert!(reply.work.is_some(), "a worker is asked for");
        assert!(!index.exists(), "nothing is built");
    }
    work(stage.world(), WorkOptions::default()).expect("the worker ends");
    let told = prompted(&stage, "s1", "Do we use floating point for money?");
    assert!(told.output.as_deref().is_some_and(|text| text.contains("integer cents")), "{told:?}");
    assert!(
        told.output.as_deref().is_some_and(|text| text.contains("Rules people set")),
        "the start is owed"
    );
    assert_eq!(told.work, None);
    let begun = begun(&stage, "s2");
    assert!(begun.output.is_some() && begun.work.is_none(), "{begun:?}");
}

/// A worker that only brought the index into step went without another look, and what had ended meanwhile waited
/// for the next session.
#[test]
fn what_ends_while_the_index_is_brought_into_step_is_curated() {
    let stage = Stage::new();
    stage.session("5e551011-0000-4000-8000-000000000009", 0, MONEY);
    stage.curate();
    let ids: Vec<String> = (1..=5).map(|n| format!("5e551011-0000-4000-8000-00000000000{n}")).collect();
    for id in &ids {
        stage.session_at(&format!("{id}.jsonl"), id, 1, MONEY);
    }
    std::fs::remove_dir_all(stage.engine_state("cache")).expect("what is kept can be removed");
    let asked_for_another = std::thread::scope(|scope| {
        let worker = scope.spawn(|| work(stage.world(), WorkOptions::default()));
        while !stage.engine().is_working() && !worker.is_finished() {
            std::thread::yield_now();
        }
        let replies: Vec<HookReply> =
            ids.iter().map(|id| ended(&stage, id, &format!("{id}.jsonl"))).collect();
        worker.join().expect("it does not panic").expect("the worker ends");
        replies.iter().any(|reply| reply.work.is_some())
    });
    assert!(asked_for_another || stage.engine().waiting().sessions() == 0, "they wait and nobody comes");
}

#[test]
fn an_edit_by_hand_is_told_and_a_damaged_index_is_left_to_the_worker() {
    let stage = Stage::new();
    stage.session("5e551011-0000-4000-8000-000000000001", 0, MONEY);
    stage.curate();
    work(stage.world(), WorkOptions::default()).expect("the worker ends");
    let (path, text) = stage
        .articles()
        .into_iter()
        .find(|(_, text)| text.contains("floating point"))
        .expect("there is an article");
    // As editors save: beside it, and then into its place.
    let beside = stage.repo.write("saved.md", text.replace("integer cents", "whole cents"));
    std::fs::rename(beside, stage.project().join("knowledge").join(path)).expect("a file can be moved");
    let told = prompted(&stage, "s1", "Do we use floating point for money?");
    assert!(told.output.as_deref().is_some_and(|text| text.contains("whole cents")), "{told:?}");
    each(stage.engine_state("cache/index"), |file| {
        std::fs::write(file, b"\0\x01garbage").expect("a file can be written");
    });
    let silent = prompted(&stage, "s2", "Do we use floating point for money?");
    assert_eq!(silent.output, None);
    work(stage.world(), WorkOptions::default()).expect("the worker ends");
    let told = prompted(&stage, "s3", "Do we use floating point for money?");
    assert!(told.output.is_some(), "it was made again");
}

/// Does something to every file below a folder.
fn each(folder: std::path::PathBuf, change: impl Fn(&std::path::Path)) {
    let mut folders = vec![folder];
    while let Some(folder) = folders.pop() {
        for file in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            if file.path().is_dir() { folders.push(file.path()) } else { change(&file.path()) }
        }
    }
}

/// Makes payloads as agents never send them.
fn payloads(stage: &Stage) -> Vec<Vec<u8>> {
    let cwd = stage.project().display().to_string();
    let whole = serde_json::json!({
        "session_id": "s1", "hook_event_name": "UserPromptSubmit", "cwd": cwd, "permission_mode": "default",
        "prompt": "Do we use floating point for money?", "transcript_path": stage.project().join("x.jsonl"),
        "source": "startup", "reason": "exit",
    });
    let text = whole.to_string();
    let mut all: Vec<Vec<u8>> = (0..text.len()).map(|end| text.as_bytes()[..end].to_vec()).collect();
    let strange = [
        serde_json::json!(null),
        serde_json::json!(true),
        serde_json::json!(-7.5e300),
        serde_json::json!([[[]]]),
        serde_json::json!({ "a": {} }),
        serde_json::json!(""),
        serde_json::json!("\u{0}\u{1b}[2J\u{202e}"),
        serde_json::json!("../../../../etc/passwd"),
        serde_json::json!("/no/such/folder/anywhere"),
        serde_json::json!("x".repeat(70_000)),
        serde_json::json!("</lorekeep-context>"),
    ];
    for key in whole.as_object().expect("an object").keys() {
        for value in &strange {
            let mut one = whole.clone();
            one[key] = value.clone();
            all.push(one.to_string().into_bytes());
        }
        let mut one = whole.clone();
        one.as_object_mut().expect("an object").remove(key);
        all.push(one.to_string().into_bytes());
    }
    for at in 0..text.len() {
        for byte in [0u8, 0xff] {
            let mut one = text.clone().into_bytes();
            one[at] = byte;
            all.push(one);
        }
    }
    for depth in [100, 1_000, 100_000] {
        all.push("[".repeat(depth).into_bytes());
        all.push(format!("{}\"prompt\": {}", "{\"a\":".repeat(depth), "[".repeat(depth)).into_bytes());
    }
    all.push(vec![0xff; 100_000]);
    all.push(b"\xef\xbb\xbf".iter().chain(text.as_bytes()).copied().collect());
    all.push(text.repeat(3).into_bytes());
    all
}

/// What is done to a project.
type Damage = fn(&Stage);

/// Damages a base or the state behind it.
fn damages() -> Vec<(&'static str, Damage)> {
    let damages: Vec<(&'static str, Damage)> = vec![
        ("nothing", |_| {}),
        ("garbage files", |stage| {
            for (at, text) in
                ["---\nid: [", "---\n---", "\0\0\0", "---\ntitle: &a [*a, *a]\n---\n", ""].iter().enumerate()
            {
                stage.repo.write(&format!("knowledge/decisions/garbage-{at}.md"), *text);
            }
        }),
        ("broken settings", |stage| {
            drop(stage.repo.write("knowledge/.lore/config.toml", "[context]\nbudget = \"many\"\n"));
        }),
        ("another format", |stage| drop(stage.repo.write("knowledge/.lore/format", "99\n"))),
        ("truncated index", |stage| {
            each(stage.engine_state("cache/index"), |file| {
                let bytes = std::fs::read(file).unwrap_or_default();
                std::fs::write(file, &bytes[..bytes.len() / 2]).expect("a file can be written");
            });
        }),
        ("garbage index", |stage| {
            each(stage.engine_state("cache/index"), |file| {
                std::fs::write(file, b"{]\xff").expect("a file can be written")
            });
        }),
        ("garbage state", |stage| {
            each(stage.engine_state("."), |file| {
                std::fs::write(file, b"\x00{]\xff").expect("a file can be written")
            });
        }),
        ("no index", |stage| drop(std::fs::remove_dir_all(stage.engine_state("cache/index")))),
        ("index is a file", |stage| {
            drop(std::fs::remove_dir_all(stage.engine_state("cache/index")));
            std::fs::write(stage.engine_state("cache/index"), b"x").expect("a file can be written");
        }),
        ("no base", |stage| drop(std::fs::remove_dir_all(stage.project().join("knowledge")))),
        ("base is a file", |stage| {
            drop(std::fs::remove_dir_all(stage.project().join("knowledge")));
            stage.repo.write("knowledge", "x");
        }),
    ];
    damages
}

/// Whatever arrives, on whatever base: no panic, and nothing is said but an answer in the agent's own form.
#[test]
fn hostile_messages_and_bases_are_answered_with_silence_or_an_answer() {
    let mut count = 0;
    let sound = Stage::new();
    sound.session("5e551011-0000-4000-8000-000000000001", 0, MONEY);
    sound.curate();
    work(sound.world(), WorkOptions::default()).expect("the worker ends");
    for (name, damage) in damages() {
        let stage = sound.copied();
        damage(&stage);
        let payloads = payloads(&stage);
        // On a sound base all of them, on a damaged one a sample and the right one.
        let step = if name == "nothing" { 1 } else { 29 };
        let events = ["session-start", "user-prompt-submit", "session-end", "no-such-event", ""];
        for (at, payload) in payloads.iter().enumerate().filter(|(at, _)| at % step == 0) {
            let event = events[at % events.len()];
            let agent = if at % 31 == 30 { "nobody" } else { "claude-code" };
            let reply = catch_unwind(AssertUnwindSafe(|| answer(stage.world(), agent, event, payload)));
            let Ok(reply) = reply else { panic!("{name}: {event} {}", String::from_utf8_lossy(payload)) };
            if let Some(output) = reply.output {
                let said: serde_json::Value = serde_json::from_str(&output).expect("an answer is JSON");
                assert!(said["hookSpecificOutput"]["additionalContext"].is_string(), "{name}: {output}");
            }
            count += 1;
        }
    }
    assert!(count >= 1_000, "{count}");
}

#[test]
fn a_message_that_cannot_be_read_is_told_by_the_doctor() {
    let stage = Stage::new();
    let reply = answer(stage.world(), "claude-code", "UserPromptSubmit", b"garbage");
    assert_eq!(reply, HookReply::default());
    let log = std::fs::read_to_string(stage.engine_state("hook.log")).expect("is in the state of the base");
    assert!(log.contains("claude-code UserPromptSubmit: the hook's message cannot be read"), "{log}");
    let found = lore_engine::doctor::examine(&stage.world()).expect("can be looked at").findings;
    let told = found.iter().find(|finding| finding.what.contains("cannot be read")).expect("is told");
    assert!(!told.grave && told.hint.contains("hook.log"), "{told:?}");
}
