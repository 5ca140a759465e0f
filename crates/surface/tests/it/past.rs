//! What stood before, what was dismissed and what was true for a minute.

use lore_core::{Article, Claim, Kind, LinkKind, Status, Voice};
use lore_surface::{Answer, AskOptions, Card, Index, answer};

use crate::fixture::{card, filled, link, said, today};

fn asked(index: &Index, question: &str) -> Answer {
    let options =
        AskOptions { today: today(), budget: 400, as_of: None, projects: Vec::new(), own_names: Vec::new() };
    answer(&index.snapshot(), question, &options).unwrap()
}

#[test]
fn a_question_about_before_or_why_is_told_what_stood_before() {
    let mut old = card(
        Kind::Decision,
        "The lighthouse lamp burns whale oil",
        "The lighthouse lamp burns whale oil because it gives the whitest light.",
    );
    old.entry.status = Status::Superseded;
    let new = card(
        Kind::Fact,
        "The lighthouse lamp burns rapeseed oil",
        "The lighthouse lamp now burns rapeseed oil.",
    );
    link(&mut old, LinkKind::SupersededBy, &new);
    let index = filled(&[old, new]);
    for question in
        ["Why does the lighthouse lamp burn oil?", "Which oil did the lighthouse lamp burn before?"]
    {
        let given = asked(&index, question);
        assert!(given.lead[0].text.contains("rapeseed"), "{question} {given:#?}");
        let was = given.lead.iter().find(|quote| quote.text.contains("whitest light"));
        assert_eq!(was.map(|quote| quote.status.as_str()), Some("superseded"), "{question} {given:#?}");
    }
    let given = asked(&index, "Which oil does the lighthouse lamp burn?");
    assert!(given.lead.iter().all(|quote| !quote.text.contains("whitest")), "{given:#?}");
}

#[test]
fn the_history_of_a_page_tells_who_it_was_before() {
    let mut article = Article::default();
    article.lead.push(Claim::new("Ottilie keeps the north lighthouse.", Vec::new()));
    let past = lore_core::Standing::Past { until: None, replaced_by: None, reason: None };
    article
        .history
        .push(Claim { standing: past, ..Claim::new("Bartholomew keeps the north lighthouse.", Vec::new()) });
    let page = card(Kind::Fact, "Keeper of the north lighthouse", &article.render());
    let given = asked(&filled(&[page]), "Who kept the north lighthouse before?");
    let was = given.lead.iter().find(|quote| quote.text.contains("Bartholomew"));
    assert_eq!(was.map(|quote| quote.status.as_str()), Some("superseded"), "{given:#?}");
}

/// A page on which each claim was replaced by the next.
fn page_of(claims: &[&str]) -> Card {
    let (now, before) = claims.split_last().unwrap();
    let mut article = Article::default();
    article.lead.push(Claim::new(now, Vec::new()));
    for (at, text) in before.iter().enumerate() {
        let past = lore_core::Standing::Past {
            until: None,
            replaced_by: Some(claims[at + 1].to_owned()),
            reason: None,
        };
        article.history.push(Claim { standing: past, ..Claim::new(text, Vec::new()) });
    }
    card(Kind::Fact, now.trim_end_matches('.'), &article.render())
}

#[test]
fn what_took_the_place_of_an_answer_is_the_answer_whatever_its_words() {
    let check = |claims: &[&str], question: &str| {
        let index = filled(&[page_of(claims)]);
        let given = asked(&index, question);
        assert!(!given.abstained, "{question} {given:#?}");
        let now = claims.last().unwrap().trim_end_matches('.');
        assert!(given.lead[0].text.contains(now), "{question} {given:#?}");
        assert_eq!(given.lead[0].status, "current", "{question} {given:#?}");
        assert_eq!(given.lead[1].status, "superseded", "{question} {given:#?}");
    };
    check(
        &["Lamps are painted with tar.", "Lamps come with lacquer instead of tar."],
        "With what are lamps painted?",
    );
    check(
        &["The ferry is the Albatross.", "The Albatross is gone, passengers cross on a raft of barrels."],
        "What ferry do we use?",
    );
    check(
        &[
            "The ferry is the Albatross.",
            "The ferry is the Cormorant.",
            "The Cormorant sank. Passengers cross on a raft of barrels.",
        ],
        "What ferry do we use?",
    );
}

#[test]
fn what_was_dismissed_and_how_it_stood_for_a_minute_answer_nothing() {
    let question = "Which colour do the sails of the pilot boat have?";
    let sails = "The sails of the pilot boat have a red colour.";
    let mut index = filled(&[]);
    said(&mut index, &[(Voice::Person, sails), (Voice::Agent, "Noted.")]);
    assert!(asked(&index, question).lead.iter().any(|quote| quote.text.contains("red colour")));
    said(
        &mut index,
        &[
            (Voice::Person, sails),
            (Voice::Agent, "Noted."),
            (Voice::Person, "oh, that was Ada's dream, ignore it"),
        ],
    );
    let given = asked(&index, question);
    assert!(given.passages.iter().chain(&given.lead).all(|quote| !quote.text.contains("red")), "{given:#?}");
    said(&mut index, &[(Voice::Agent, "Started the bilge pump of the pilot boat; all tests pass.")]);
    let given = asked(&index, "Is the bilge pump of the pilot boat started?");
    assert!(given.lead.is_empty(), "{given:#?}");
}

#[test]
fn a_reason_is_told_behind_what_it_is_the_reason_of() {
    let mut article = Article::default();
    article.lead.push(Claim::new("The ferries moor at the stone pier.", Vec::new()));
    article.why.push(Claim::new("Ice broke the wooden pier where the ferries moored", Vec::new()));
    let page = card(Kind::Decision, "Ferries moor at the stone pier", &article.render());
    let index = filled(&[page]);
    for question in ["Where do the ferries moor?", "Why do the ferries not moor at the wooden pier?"] {
        let given = asked(&index, question);
        let text = &given.lead[0].text;
        let whole =
            "The ferries moor at the stone pier. (why: Ice broke the wooden pier where the ferries moored)";
        assert_eq!(text, whole, "{question} {given:#?}");
    }
}

#[test]
fn an_exception_is_told_beside_its_rule() {
    let rule = card(Kind::Fact, "All boats carry a red lantern", "All boats carry a red lantern.");
    let title = "Except for the tug, all boats carry a red lantern";
    let exception = card(Kind::Fact, title, &format!("{title}."));
    let given = asked(&filled(&[rule, exception]), "Do all boats carry a red lantern?");
    assert_eq!(given.lead.len(), 2, "{given:#?}");
    assert!(given.lead.iter().any(|quote| quote.text.contains("Except for the tug")), "{given:#?}");
}
