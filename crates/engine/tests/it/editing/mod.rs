//! An editor on the way that users run: packets, answers, one transaction each.

mod deaths;
mod handing;
mod hostile;
mod moved;
mod undone;
mod weak;
mod wording;

use std::collections::BTreeSet;
use std::path::PathBuf;

use lore_core::{Op, ProofMark};
use lore_engine::Engine;
use lore_engine::config::Layer;
use lore_engine::curator::{
    Backlog, EditOptions, EditReport, Errand, Model, ModelError, ModelReply, ModelRequest,
};
use lore_engine::review::{Cause, Ruling};
use lore_engine::sessions::SessionFilter;
use lore_testutils::ScriptedModel;
use serde_json::{Value, json};

use crate::stage::{Stage, usual};

/// A scripted model as the engine asks it.
pub(super) struct Scripted(pub(super) ScriptedModel);

impl Model for Scripted {
    fn name(&self) -> &str {
        "scripted"
    }

    fn ask(&self, request: &ModelRequest<'_>) -> Result<ModelReply, ModelError> {
        if request.errand == Errand::Look {
            // The second look of this editor believes what it wrote.
            let claims = request.text.lines().filter_map(|line| line.strip_prefix("CLAIM ")?.split_once(':'));
            let looks: serde_json::Map<String, Value> =
                claims.map(|(number, _)| (number.to_owned(), "entailed".into())).collect();
            return Ok(ModelReply::of(json!({ "looks": looks }).to_string()));
        }
        let failed = |why: String| ModelError::Unreachable("scripted".to_owned(), why);
        self.0.answer(request.text).map(ModelReply::of).map_err(failed)
    }
}

pub(super) fn sessions() -> SessionFilter {
    SessionFilter { path: Some(PathBuf::from("sessions")), ..SessionFilter::default() }
}

pub(super) fn options() -> EditOptions {
    EditOptions { filter: sessions(), ..EditOptions::default() }
}

pub(super) fn backlog(engine: &Engine) -> Backlog {
    engine.backlog(&sessions(), &|_, _| {}).expect("can be listed")
}

pub(super) fn run(stage: &Stage, model: &dyn Model) -> EditReport {
    run_with(stage, model, &options())
}

pub(super) fn run_with(stage: &Stage, model: &dyn Model, options: &EditOptions) -> EditReport {
    stage.engine().edit_with(model, options, &|_| {}, &|_, _| {}).expect("runs")
}

/// Answers a packet with one edit for each of these: words of a line, kind, title and text.
pub(super) fn editor(known: &'static [(&'static str, &'static str, &'static str, &'static str)]) -> Scripted {
    Scripted(ScriptedModel::new(move |_, text| Ok(answer(text, known))))
}

pub(super) fn answer(text: &str, known: &[(&str, &str, &str, &str)]) -> String {
    let edit = |(words, kind, title, said): &(&str, &str, &str, &str)| {
        let line = ScriptedModel::line_with(text, words)?;
        Some(
            json!({ "op": "new", "kind": kind, "title": title, "text": said, "lines": [line], "decided_by": "person" }),
        )
    };
    let edits: Vec<Value> = known.iter().filter_map(edit).collect();
    json!({ "packet": ScriptedModel::packet_in(text), "edits": edits }).to_string()
}

pub(super) const USUAL: &[(&str, &str, &str, &str)] = &[
    (
        "Never use floating point",
        "preference",
        "Money in integer cents",
        "Floating point is never used for money; all amounts are integer cents.",
    ),
    (
        "No, we do not want Redis",
        "decision",
        "Mails from the PostgreSQL queue table",
        "Confirmation mails are sent from the existing PostgreSQL queue table, not from Redis.",
    ),
    (
        "always write log lines",
        "preference",
        "Log lines as JSON",
        "Log lines are always written as JSON, one object per line.",
    ),
];

fn written(report: &EditReport) -> Vec<(Op, ProofMark)> {
    report.packets.iter().flat_map(|packet| &packet.edits).map(|edit| (edit.op, edit.mark)).collect()
}

#[test]
fn what_waits_is_edited_in_the_order_of_time_and_once() {
    let stage = usual();
    let waiting = backlog(&stage.engine());
    // `lore status` told the length of the sessions alone, a tenth of what `lore curate` foretold.
    let told = stage.engine().editing();
    assert_eq!((told.waiting, told.tokens), (waiting.sessions.len(), waiting.cost().sent));
    assert!(waiting.cost().sent > waiting.sessions.iter().map(|one| one.tokens).sum(), "{waiting:?}");
    let names: Vec<&str> = waiting.sessions.iter().map(|one| one.session.as_str()).collect();
    assert_eq!(names, ["s-money", "s-mail", "s-logs"]);
    let model = editor(USUAL);
    let report = run(&stage, &model);
    assert_eq!(model.0.asked().len(), 1, "three short sessions are one packet: {report:#?}");
    assert_eq!(written(&report), [(Op::New, ProofMark::Applied); 3], "{report:#?}");
    assert_eq!((report.left, report.stopped.as_ref()), (0, None));
    assert!(report.tokens_in > 500 && report.tokens_out > 50);
    let (_, money) = stage.article_with("Money in integer cents");
    assert!(money.contains("by: model scripted"), "{money}");
    assert!(money.contains("session://claude-code/s-money"), "{money}");
    assert!(backlog(&stage.engine()).sessions.is_empty());
    let again = run(&stage, &model);
    assert_eq!((again.packets.len(), model.0.asked().len()), (0, 1));
    // Rules leave alone what an editor went through.
    assert_eq!(stage.curate().created, []);
}

#[test]
fn what_rules_wrote_gives_way_to_the_editor_and_is_shown_to_the_next() {
    let stage = usual();
    stage.curate();
    let before = stage.articles();
    let (draft, _) = before.iter().find(|(_, text)| text.contains("queue table")).expect("rules keep it");
    let model = editor(USUAL);
    run(&stage, &model);
    let shown = model.0.asked().remove(0);
    assert!(shown.contains("NEAREST ENTRIES\ndrafts of lines:\ne1 ["), "{shown}");
    assert_eq!(
        shown.matches("Redis. Use the existing").count(),
        1,
        "its lines say all that a draft says: {shown}"
    );
    let edited = stage.articles();
    assert!(edited[draft].contains("status: superseded"), "{}", edited[draft]);
    // To who edits a later session, what rules wrote elsewhere is shown like anything else.
    let mut stage = usual();
    stage.curate();
    run(&stage, &editor(&[]));
    assert_eq!(stage.articles(), before, "no edits change nothing");
    stage.day = 1;
    stage.session(
        "s-next",
        20,
        &[("user", "Which queue do confirmation mails go through, and is Redis in use?")],
    );
    let model = editor(&[]);
    run(&stage, &model);
    let shown = model.0.asked().remove(0);
    assert!(shown.contains("\ne1  ") && shown.contains("PostgreSQL queue table"), "{shown}");
}

#[test]
fn a_session_that_grew_is_shown_from_where_the_editor_left_it() {
    let stage = Stage::new();
    stage.session("s-1", 1, &crate::stage::MONEY[..2]);
    run(&stage, &editor(&[]));
    let mut turns = crate::stage::MONEY.to_vec();
    turns.push(("user", "Prices are always shown with the sign of the currency in front."));
    stage.session("s-1", 1, &turns);
    let model = editor(&[]);
    run(&stage, &model);
    let shown = model.0.asked().remove(0);
    assert!(shown.contains("old P: Never use floating point"), "{shown}");
    assert!(shown.contains("P: Prices are always shown"), "{shown}");
}

#[test]
fn nothing_is_asked_twice_and_a_rehearsal_writes_nothing() {
    let stage = usual();
    let before = stage.base();
    let model = editor(USUAL);
    let rehearsal = EditOptions { dry_run: true, ..options() };
    let first = run_with(&stage, &model, &rehearsal);
    assert_eq!((written(&first).len(), first.run.as_ref()), (3, None));
    assert_eq!(stage.base(), before);
    let second = run(&stage, &model);
    assert!(second.remembered >= 1, "{second:#?}");
    assert_eq!((second.tokens_in, model.0.asked().len()), (0, 1));
    stage.article_with("Log lines as JSON");
}

#[test]
fn a_run_is_taken_back_as_a_whole() {
    let stage = usual();
    let before = stage.articles();
    let report = run_with(&stage, &editor(USUAL), &EditOptions { apart: true, ..options() });
    assert_eq!(report.packets.len(), 3);
    let run = report.run.expect("something was written");
    let undone = stage.engine().undo(Some(&run), false).expect("can be taken back");
    assert_eq!((undone.removed.len(), undone.left.len()), (3, 0), "{undone:#?}");
    assert_eq!(stage.articles(), before);
    assert!(backlog(&stage.engine()).sessions.is_empty(), "what was read counts as read");
}

#[test]
fn what_two_packets_of_a_run_touched_is_taken_back_through_both() {
    let stage = Stage::new();
    let said = |more: &'static str| [("user", more), ("assistant", "Noted.")];
    stage.session("s-cash", 1, &said("Crews sell tickets in cash, the coins go to the harbour office."));
    stage.session(
        "s-card",
        2,
        &said("Crews also sell tickets by card on Sundays, the harbour office is closed then."),
    );
    let model = Scripted(ScriptedModel::new(|_, text| {
        let near =
            text.lines().find(|line| line.contains("Tickets are sold in cash") && line.starts_with('e'));
        let edit = match near.and_then(|line| line.split_whitespace().next()) {
            Some(entry) => {
                json!({ "op": "adds", "entry": entry, "lines": [ScriptedModel::line_with(text, "by card")],
                "text": "On Sundays crews also sell tickets by card, because the harbour office is closed." })
            }
            None => {
                json!({ "op": "new", "kind": "decision", "title": "Tickets are sold in cash", "decided_by": "person",
                "text": "Crews sell tickets in cash, and the coins go to the harbour office.",
                "lines": [ScriptedModel::line_with(text, "in cash")] })
            }
        };
        Ok(json!({ "packet": ScriptedModel::packet_in(text), "edits": [edit] }).to_string())
    }));
    let report = run_with(&stage, &model, &EditOptions { apart: true, ..options() });
    assert_eq!(
        written(&report),
        [(Op::New, ProofMark::Applied), (Op::Adds, ProofMark::Applied)],
        "{report:#?}"
    );
    let run = report.run.expect("something was written");
    let rehearsed = stage.engine().undo(Some(&run), true).expect("can be rehearsed");
    assert_eq!((rehearsed.removed.len(), rehearsed.left.len()), (1, 0), "{rehearsed:#?}");
    let undone = stage.engine().undo(Some(&run), false).expect("can be taken back");
    assert_eq!((&undone.removed, &undone.restored), (&rehearsed.removed, &rehearsed.restored));
    assert!(stage.articles().is_empty(), "{:#?}", stage.articles());
    stage.engine().undo(undone.undone_by.as_deref(), false).expect("can be brought back");
    let (_, text) = stage.article_with("Tickets are sold in cash");
    assert!(text.contains("by card"), "all of it is: {text}");
}

#[test]
fn a_persons_text_is_only_asked_about() {
    let stage = usual();
    run(&stage, &editor(USUAL));
    let engine = stage.engine();
    let (path, _) = stage.article_with("Log lines as JSON");
    let id = path.rsplit('/').next().and_then(|name| name.strip_suffix(".md")).expect("is a file").to_owned();
    engine.review(&id, Ruling::Keep, false).expect("can be kept");
    let confirmed = stage.base().remove(&path);
    stage.session(
        "s-later",
        9,
        &[
            ("user", "Log lines are written as plain text from now on, JSON was too long."),
            ("assistant", "Agreed."),
        ],
    );
    let model = Scripted(ScriptedModel::new(|_, text| {
        let near = text.lines().find(|line| line.contains("Log lines as JSON")).unwrap_or_default();
        let entry = near.split_whitespace().next().unwrap_or_default();
        let line = ScriptedModel::line_with(text, "plain text from now on");
        let edit = json!({ "op": "supersedes", "entry": entry, "kind": "preference", "title": "Log lines as plain text",
            "text": "Log lines are written as plain text, because JSON was too long.", "lines": [line], "decided_by": "person" });
        Ok(json!({ "packet": ScriptedModel::packet_in(text), "edits": [edit],
            "unsure": [{ "lines": [line], "question": "Also in tests?" }] })
        .to_string())
    }));
    let report = run(&stage, &model);
    assert_eq!(written(&report), [(Op::Supersedes, ProofMark::Proposal)], "{report:#?}");
    assert_eq!(stage.base().remove(&path), confirmed, "not a byte of it changes");
    let questions = stage.engine().edit_questions();
    assert_eq!(questions.len(), 2, "{questions:#?}");
    let proposal = questions.iter().find(|one| !one.proposals.is_empty()).expect("one proposes something");
    assert!(proposal.lines[0].words.contains("plain text"), "{proposal:#?}");
    let before = stage.base()[&path].clone();
    let mended = before.replacen("\n\n## ", "\n\nOnly the harbour office reads them.\n\n## ", 1);
    assert_ne!(mended, before);
    stage.repo.write(&format!("knowledge/{path}"), &mended);
    let refused = stage.engine().grant(&proposal.id, false).expect_err("somebody changed it since");
    assert!(refused.to_string().contains("was changed since"), "{refused}");
    assert_eq!(stage.base()[&path], mended);
    stage.repo.write(&format!("knowledge/{path}"), &before);
    stage.engine().grant(&proposal.id, false).expect("a person may");
    assert!(stage.base()[&path].contains("status: superseded"));
    stage.article_with("Log lines as plain text");
    let other = questions.iter().find(|one| one.proposals.is_empty()).expect("one only asks");
    assert!(stage.engine().grant(&other.id, false).is_err(), "a mere question proposes nothing");
    stage.engine().dismiss(&other.id, false).expect("can be closed");
    assert!(stage.engine().edit_questions().is_empty());
    assert_eq!(stage.engine().status().expect("has one").editing.questions, 0);
}

#[test]
fn a_model_that_fails_is_asked_once_and_then_left_alone() {
    let mut stage = usual();
    let model = Scripted(ScriptedModel::new(|_, _| Err("nobody there".to_owned())));
    let apart = EditOptions { apart: true, ..options() };
    let report = run_with(&stage, &model, &apart);
    assert_eq!((model.0.asked().len(), report.packets.len(), report.left), (1, 0, 3));
    assert_eq!((report.tokens_in, report.tokens_out), (0, 0), "what is not answered is not spent");
    assert!(report.stopped.as_deref().is_some_and(|why| why.contains("nobody there")));
    run_with(&stage, &model, &apart);
    assert_eq!(model.0.asked().len(), 1, "it is left alone for a while");
    assert!(stage.engine().status().expect("has one").editing.pause.is_some());
    stage.day = 1;
    run_with(&stage, &model, &apart);
    assert_eq!(model.0.asked().len(), 2, "a day later it is asked again");
    let insisted = run_with(&stage, &editor(USUAL), &EditOptions { insist: true, ..options() });
    assert_eq!(written(&insisted).len(), 3, "nothing was lost: {insisted:#?}");
}

#[test]
fn a_run_and_a_day_have_their_budgets() {
    let stage = usual();
    let engine = stage.engine();
    engine.config_set(Layer::User, "curate.tokens_per_run", Some("4000")).expect("can be set");
    let apart = EditOptions { apart: true, ..options() };
    let report = run_with(&stage, &editor(USUAL), &apart);
    assert!(report.stopped.as_deref().is_some_and(|why| why.contains("tokens_per_run")), "{report:#?}");
    assert!((1..3).contains(&report.packets.len()), "{report:#?}");
    engine.config_set(Layer::User, "curate.tokens_per_run", Some("60000")).expect("can be set");
    engine.config_set(Layer::User, "curate.tokens_per_day", Some("100")).expect("can be set");
    let report = run_with(&stage, &editor(USUAL), &apart);
    assert!(report.stopped.as_deref().is_some_and(|why| why.contains("tokens_per_day")), "{report:#?}");
    assert_eq!(report.packets.len(), 0);
}

#[test]
fn private_sessions_and_the_one_that_goes_on_are_shown_to_nobody() {
    let stage = usual();
    stage.engine().config_set(Layer::User, "curate.private", Some("[\"s-mail\"]")).expect("can be set");
    let waiting = backlog(&stage.engine());
    assert_eq!((waiting.sessions.len(), waiting.private), (2, 1));
    let mut world = stage.world();
    world.variables.insert("CLAUDECODE".to_owned(), "1".to_owned());
    world.variables.insert("CLAUDE_SESSION_ID".to_owned(), "s-logs".to_owned());
    let asked = backlog(&Engine::open(world).expect("opens"));
    let names: BTreeSet<&str> = asked.sessions.iter().map(|one| one.session.as_str()).collect();
    assert_eq!(names, BTreeSet::from(["s-money"]));
    let model = editor(&[]);
    run(&stage, &model);
    assert!(model.0.asked().iter().all(|shown| !shown.contains("Redis")));
}

#[test]
fn sessions_of_subagents_and_without_a_person_do_not_wait() {
    let stage = Stage::new();
    stage.session(
        "s-1",
        1,
        &[("assistant", "I looked at the migration and found that it is not reversible.")],
    );
    assert_eq!(backlog(&stage.engine()).sessions, []);
}

#[test]
fn what_users_take_out_is_not_shown() {
    let stage = Stage::new();
    stage.session(
        "s-1",
        1,
        &[("user", "Ship orders of ACME-4711 always through the depot at /home/ada/depot, never by mail.")],
    );
    stage.engine().config_set(Layer::User, "redact.patterns", Some("ACME-[0-9]+")).expect("can be set");
    let model = editor(&[]);
    run(&stage, &model);
    let shown = model.0.asked().remove(0);
    assert!(shown.contains("through the depot") && !shown.contains("4711"), "{shown}");
    assert!(shown.contains("~/depot") && !shown.contains("/home/ada"), "{shown}");
}

#[test]
fn what_was_refused_goes_back_to_the_model_once_with_its_own_words() {
    let stage = usual();
    let model = Scripted(ScriptedModel::new(|_, text| {
        let mut answer: Value = serde_json::from_str(&answer(text, USUAL)).expect("is JSON");
        if !text.contains("As they were:") {
            let long = "Log lines are always written as JSON, one object per line. ".repeat(12);
            answer["edits"][0]["text"] = "Money is kept in Oracle 12 on server-9.".into();
            answer["edits"][2]["text"] = long.into();
        }
        Ok(answer.to_string())
    }));
    let report = run(&stage, &model);
    let asked = model.0.asked();
    assert_eq!(asked.len(), 2, "one repair: {report:#?}");
    let again = asked[1].split_once("As they were:").expect("is a repair").1;
    assert!(again.contains("Oracle 12") && again.contains("one object per line. Log lines"), "{again}");
    stage.article_with("Money in integer cents");
    stage.article_with("Log lines as JSON");
    stage.article_with("Mails from the PostgreSQL queue table");
    assert_eq!(stage.articles().len(), 3, "nothing twice: {report:#?}");
}

/// What a person said was out of date at once, and no output said so.
#[test]
fn a_person_is_asked_whether_what_they_said_in_passing_goes_and_a_rule_stays() {
    let stage = Stage::new();
    stage.session(
        "s-errand",
        1,
        &[
            ("assistant", "The ticket page is done."),
            ("user", "We sell the tickets in the harbour office, the crews are ashore."),
            ("assistant", "Good, the page says so."),
            ("user", "Never deploy on Fridays, the harbour is closed on weekends."),
            ("assistant", "Understood."),
        ],
    );
    stage.curate();
    let drafts = stage.articles().len();
    assert_eq!(drafts, 2, "{:#?}", stage.articles());
    let model = Scripted(ScriptedModel::new(|_, text| {
        let edits: Vec<Value> = ["e1", "e2"]
            .map(|entry| json!({ "op": "drop", "entry": entry, "lines": [1, 2] }))
            .into_iter()
            .collect();
        Ok(json!({ "packet": ScriptedModel::packet_in(text), "edits": edits }).to_string())
    }));
    let report = run(&stage, &model);
    let mut marks: Vec<ProofMark> = written(&report).into_iter().map(|(_, mark)| mark).collect();
    marks.sort();
    assert_eq!(marks, [ProofMark::Proposal, ProofMark::Refused], "{report:#?}");
    let (_, text) = stage.article_with("harbour office");
    assert!(!text.contains("outdated"), "nothing happens before somebody said so: {text}");
    let engine = stage.engine();
    let asked = engine.edit_questions();
    let [question] = asked.as_slice() else { panic!("{asked:#?}") };
    assert!(question.title.starts_with("drop: ") && question.entry.is_some(), "{question:#?}");
    engine.grant(&question.id, false).expect("a person may say yes");
    let (_, text) = stage.article_with("harbour office");
    assert!(text.contains("status: outdated"), "{text}");
}

#[test]
fn a_draft_of_an_agents_words_is_set_aside_until_a_person_keeps_it() {
    let stage = Stage::new();
    let chosen = "I went with MongoDB for the audit trail of the ticket page.";
    stage.session("s-chosen", 1, &[("user", "How far are we with the ticket page?"), ("assistant", chosen)]);
    stage.curate();
    assert_eq!(stage.articles().len(), 1, "{:#?}", stage.articles());
    let model = Scripted(ScriptedModel::new(|_, text| {
        let drop = json!({ "op": "drop", "entry": "e1", "lines": [2] });
        Ok(json!({ "packet": ScriptedModel::packet_in(text), "edits": [drop] }).to_string())
    }));
    let report = run(&stage, &model);
    assert_eq!(written(&report).into_iter().map(|(_, mark)| mark).collect::<Vec<_>>(), [ProofMark::Applied]);
    let engine = stage.engine();
    let pending = engine.to_review(&lore_engine::entries::Filter::default()).expect("can be listed");
    let aside: Vec<_> = pending.iter().filter(|one| one.cause == Cause::SetAside).collect();
    assert_eq!(aside.len(), 1, "{pending:#?}");
    let (_, text) = stage.article_with("audit trail");
    assert!(text.contains("status: outdated") && text.contains("set-aside: model scripted"), "{text}");
    engine.review(aside[0].item.id.as_str(), Ruling::Keep, false).expect("can be taken up again");
    let (_, text) = stage.article_with("audit trail");
    assert!(!text.contains("outdated") && !text.contains("set-aside"), "{text}");
}
