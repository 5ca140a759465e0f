//! What rules wrote from the lines of a packet gives way to the edit that says it.

use lore_core::{
    DecidedBy, Edit, Entry, Kind, LineClass, LinkKind, Op, Packet, ProofMark, Proposal, Source, Stamp,
    Status, Voice,
};

use super::applying::Shelf;
use super::made::{entry_of, minute};
use super::proofs::{packet_of, read_one};
use crate::curator::is_draft;

const RULED: &str = "no, tickets never go by mail, we had 40 complaints about it";

fn packet() -> Packet {
    packet_of(
        "ferry",
        &[
            (LineClass::Closing, "I could send the tickets by mail through `Mailgun`."),
            (LineClass::Typed, RULED),
            (LineClass::Closing, "Understood: tickets are handed out at the gate."),
        ],
        &[],
    )
}

/// An entry that rules wrote from these lines of the packet.
fn draft(title: &str, text: &str, lines: &[(u32, Voice)]) -> Entry {
    let mut entry = entry_of(Kind::Decision, title, text, Voice::Person);
    let session = lore_core::SessionId::new("ferry");
    let source = |(at, (line, voice)): (usize, &(u32, Voice))| Source {
        id: Some(format!("s{}", at + 1)),
        at: Some(minute(*line)),
        ..Source::session_line("claude-code", &session, line * 10, *voice)
    };
    entry.sources = lines.iter().enumerate().map(source).collect();
    entry
}

fn edit(text: &str, lines: &[u32]) -> Edit {
    Edit {
        kind: Some(Kind::Preference),
        title: Some("Tickets at the gate".to_owned()),
        text: Some(text.to_owned()),
        decided_by: Some(DecidedBy::Person),
        ..Edit::new(Op::New, lines.to_vec())
    }
}

/// Says whether a draft gave way to an edit.
fn check(draft: &Entry, edit: Edit) -> bool {
    let mut shelf = Shelf(vec![draft.clone()]);
    shelf.edit(edit, &packet());
    let after = shelf.get(&draft.id);
    let next = after.linked(LinkKind::SupersededBy).next().map(str::to_owned);
    let new = shelf.0.iter().find(|entry| entry.id != draft.id);
    let says_so = new.is_some_and(|new| new.linked(LinkKind::Supersedes).any(|id| id == draft.id.as_str()));
    assert_eq!((after.status == Status::Superseded, says_so), (next.is_some(), next.is_some()));
    next.is_some()
}

#[test]
fn a_draft_gives_way_to_the_edit_that_says_it_from_the_same_line() {
    let ruled = draft("Tickets never go by mail", "No, tickets never go by mail.", &[(2, Voice::Person)]);
    let said = "Tickets never go by mail, because of 40 complaints; they are handed out at the gate.";
    assert!(check(&ruled, edit(said, &[2, 3])));
    assert!(
        !check(&ruled, edit("Tickets are handed out at the gate.", &[2, 3])),
        "what the edit does not say stays"
    );
    let gate = draft("Gate", "Tickets are handed out at the gate.", &[(2, Voice::Person), (3, Voice::Agent)]);
    let all = "All tickets are handed out at the gate.";
    assert!(check(&gate, edit(all, &[2, 3])));
    assert!(!check(&gate, edit(all, &[3])), "a person's words give way only to their own line");
    let turned = edit("Tickets go by mail through `Mailgun`.", &[1, 2]);
    assert!(!check(&ruled, turned), "a ruling does not give way to its opposite");
    let named = draft("Mail", "Tickets go by mail through `Mailgun`, as in 2019.", &[(1, Voice::Agent)]);
    assert!(!check(&named, edit("Tickets could go by mail through `Mailgun`.", &[1])), "2019 would be lost");
}

#[test]
fn what_was_asked_need_not_be_said_by_the_edit() {
    let text =
        "At the gate (in answer to “Where are tickets handed out: at the `Kiosk` or at the gate in 2019?”).";
    let answered = draft("Tickets", text, &[(2, Voice::Person)]);
    assert!(check(&answered, edit("Tickets are handed out at the gate.", &[2, 3])));
}

#[test]
fn what_a_person_grants_replaces_the_draft_too() {
    let ruled = draft("Tickets never go by mail", "No, tickets never go by mail.", &[(2, Voice::Person)]);
    let shelf = Shelf(vec![ruled.clone()]);
    let said = edit("Tickets never go by mail, because of 40 complaints.", &[2]);
    let mut proof = read_one(said, &packet(), &shelf.0);
    proof.mark = ProofMark::Proposal;
    let planned = shelf.plan(&[proof], &packet());
    let gives_way = planned.questions.iter().any(|(_, proposal)| match proposal {
        Proposal::Replace { entry, .. } => entry.id == ruled.id && entry.status == Status::Superseded,
        _ => false,
    });
    assert!(gives_way && planned.proposals.is_empty(), "{planned:?}");
}

#[test]
fn only_what_nobody_touched_is_a_draft() {
    let here = |session: &lore_core::SessionId, line: u32| session.as_str() == "ferry" && line <= 30;
    let plain = draft("Mail", "Tickets never go by mail.", &[(2, Voice::Person)]);
    assert!(is_draft(&plain, here));
    let mut confirmed = plain.clone();
    confirmed.verified.push(Stamp { by: "human:ada".to_owned(), at: None });
    let mut edited = plain.clone();
    edited.extra.insert("edited".to_owned(), serde_json::json!({ "by": "model x" }));
    let later = draft("Mail", "Tickets never go by mail.", &[(2, Voice::Person), (9, Voice::Agent)]);
    let mut elsewhere = plain.clone();
    elsewhere.sources.push(entry_of(Kind::Fact, "x", "x", Voice::Agent).sources.remove(0));
    let mut nobodys = plain;
    nobodys.sources.clear();
    for other in [confirmed, edited, later, elsewhere, nobodys] {
        assert!(!is_draft(&other, here), "{other:#?}");
    }
}

/// Says what becomes of a drop of a draft of the packet.
fn dropped(entry: &Entry, others: &[Entry]) -> lore_core::ProofMark {
    let mut packet = packet();
    packet.nearest.push(lore_core::NearEntry {
        short: "e1".to_owned(),
        id: entry.id.clone(),
        lines: vec![1],
    });
    let entries: Vec<Entry> = std::iter::once(entry).chain(others).cloned().collect();
    let edit = Edit { entry: Some("e1".to_owned()), ..Edit::new(Op::Drop, vec![1]) };
    super::proofs::read_one(edit, &packet, &entries).mark
}

/// What a person said was out of date at once, and nobody was told.
#[test]
fn only_a_draft_that_lays_nothing_down_is_set_aside() {
    use lore_core::ProofMark::{Applied, Proposal, Refused};
    let errand = draft("Gate", "Push the gate page up and get it merged.", &[(3, Voice::Person)]);
    assert_eq!(dropped(&errand, &[]), Proposal, "a person is asked about their own words");
    let agents = draft("Gate", "Push the gate page up and get it merged.", &[(3, Voice::Agent)]);
    assert_eq!(dropped(&agents, &[]), Applied);
    let rule = draft("Gate", "The gate page must be merged by two people.", &[(3, Voice::Person)]);
    assert_eq!(dropped(&rule, &[]), Refused);
    let of_a_rule = draft("Mail", "Tickets by mail.", &[(2, Voice::Person)]);
    assert_eq!(dropped(&of_a_rule, &[]), Refused, "the line it was taken from lays something down");
    let mut confirmed = errand.clone();
    confirmed.verified.push(Stamp { by: "human:ada".to_owned(), at: None });
    assert_eq!(dropped(&confirmed, &[]), Refused);
    let mut seen_elsewhere = errand.clone();
    seen_elsewhere.sources.push(entry_of(Kind::Fact, "x", "x", Voice::Person).sources.remove(0));
    assert_eq!(dropped(&seen_elsewhere, &[]), Refused, "another session says it too");
    let mut leaning = entry_of(Kind::Fact, "Other", "Other words.", Voice::Agent);
    leaning.links.push(lore_core::Link::new(LinkKind::DerivedFrom, errand.id.as_str()));
    assert_eq!(dropped(&errand, &[leaning]), Refused, "something rests on it");
}

#[test]
fn a_draft_that_is_worded_anew_leaves_no_raw_words_behind() {
    let raw = draft("Gate", "Ok so let us hand tickets out at the gate I guess.", &[(2, Voice::Person)]);
    let mut packet = packet();
    packet.nearest.push(lore_core::NearEntry { short: "e1".to_owned(), id: raw.id.clone(), lines: vec![2] });
    let mut shelf = Shelf(vec![raw.clone()]);
    let said = "Tickets never go by mail, because of 40 complaints about it.";
    shelf.edit(Edit { op: Op::Refines, entry: Some("e1".to_owned()), ..edit(said, &[2]) }, &packet);
    let after = shelf.get(&raw.id);
    assert!(after.body.contains(said), "{}", after.body);
    assert!(!after.body.contains("I guess"), "{}", after.body);
}

/// The page of a rule was dated by the day of another sentence of its draft, and kept the rule as possibly replaced too.
#[test]
fn of_a_draft_of_two_statements_the_one_that_is_meant_is_worded_anew() {
    let mut mixed =
        draft("Gate", "Tickets are stamped at the gate.", &[(2, Voice::Person), (3, Voice::Agent)]);
    mixed.body = "Tickets are stamped at the gate.[^s2]\n\n## Possibly replaced\n\n- No, tickets never go by mail.[^s1]\n  \
        Since 2026-03-02\n  Possibly replaced by: Tickets are stamped at the gate.\n\n[^s1]: One\n[^s2]: Two\n"
        .to_owned();
    let mut packet = packet();
    packet.nearest.push(lore_core::NearEntry {
        short: "e1".to_owned(),
        id: mixed.id.clone(),
        lines: vec![2],
    });
    let mut shelf = Shelf(vec![mixed.clone()]);
    let said = "Tickets never go by mail, because of 40 complaints about it.";
    shelf.edit(Edit { op: Op::Refines, entry: Some("e1".to_owned()), ..edit(said, &[2]) }, &packet);
    let article = lore_core::Article::parse(&shelf.get(&mixed.id).body);
    let told = |claims: &[lore_core::Claim]| -> Vec<(String, Vec<String>)> {
        claims.iter().map(|claim| (claim.text.clone(), claim.sources.clone())).collect()
    };
    assert_eq!(told(&article.lead), [(said.to_owned(), vec!["s1".to_owned()])]);
    assert_eq!(
        told(&article.facts),
        [("Tickets are stamped at the gate.".to_owned(), vec!["s2".to_owned()])]
    );
    assert_eq!(told(&article.doubted), []);
}
