//! What holds whatever an editor hands in.

use lore_core::{Curator, DecidedBy, Edit, Entry, Kind, LineClass, Op, Packet, Stamp, Status, Voice, Was};
use proptest::prelude::*;

use super::applying::Shelf;
use super::fields::invented;
use super::made::entry_of;
use super::proofs::{packet_of, read_one};
use crate::curator::read_answer;

/// What is said in the packet below, and things that are not.
const TEXTS: [&str; 9] = [
    "Crews sell tickets in cash.",
    "Crews sell tickets by card, not in cash, because coins were stolen.",
    "Tickets are printed on board.",
    "Tickets are printed ashore and no longer on board.",
    "The `FareBook` holds 40 fares.",
    "The fare table is read once at start.",
    "The gateway is down on Sundays.",
    "Children travel free of charge.",
    "Stowaways sleep in the engine room.",
];

fn base() -> Vec<Entry> {
    let mut human = entry_of(Kind::Decision, "Cash", "Crews sell tickets in cash.", Voice::Person);
    human.curated_by = Curator::Human;
    let mut confirmed = entry_of(Kind::Fact, "Print", "Tickets are printed on board.", Voice::Agent);
    confirmed.verified.push(Stamp { by: "human:ada".to_owned(), at: None });
    let mut mixed =
        entry_of(Kind::Preference, "Fares", "The fare table is read once at start.", Voice::Person);
    mixed.curated_by = Curator::Mixed;
    let ruling =
        entry_of(Kind::Decision, "Children", "Children travel free of charge on board.", Voice::Person);
    let fact = entry_of(Kind::Fact, "Gateway", "The gateway is up on Sundays.", Voice::Agent);
    vec![human, confirmed, mixed, ruling, fact]
}

fn packet(near: &[Entry]) -> Packet {
    packet_of(
        "ferry",
        &[
            (LineClass::Typed, "crews sell tickets by card from now on, not in cash, coins were stolen"),
            (
                LineClass::Closing,
                "Tickets are printed ashore and no longer on board; the `FareBook` holds 40 fares.",
            ),
            (LineClass::Pasted, "Stowaways sleep in the engine room. Children pay the full fare on board."),
            (LineClass::Passing, "The fare table is read once at start, and the gateway is down on Sundays."),
            (LineClass::Typed, "ok"),
            (LineClass::Typed, "children travel with a ticket of their own, free of charge no more"),
        ],
        &near.iter().collect::<Vec<_>>(),
    )
}

fn edits() -> impl Strategy<Value = Edit> {
    let text = prop::sample::select(&TEXTS[..]);
    let op = prop::sample::select(Op::ALL);
    let by = prop::option::of(prop::sample::select(DecidedBy::ALL));
    let was = prop::option::of((prop::sample::select(&TEXTS[..]), prop::collection::vec(1u32..8, 0..3)));
    (
        op,
        1usize..7,
        text,
        prop::collection::vec(1u32..8, 1..4),
        by,
        was,
        prop::option::of(prop::sample::select(&TEXTS[..])),
    )
        .prop_map(|(op, entry, text, lines, decided_by, was, reason)| Edit {
            entry: Some(format!("e{entry}")),
            kind: Some(if entry % 2 == 0 { Kind::Fact } else { Kind::Decision }),
            title: Some(text.trim_end_matches('.').to_owned()),
            text: Some(text.to_owned()),
            decided_by,
            was: was.map(|(text, lines)| Was { text: text.to_owned(), lines }),
            reason: reason.map(str::to_owned),
            ..Edit::new(op, lines)
        })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn a_persons_words_and_rulings_stand(edits in prop::collection::vec(edits(), 1..5)) {
        let before = base();
        let packet = packet(&before);
        let mut shelf = Shelf(before.clone());
        for edit in edits {
            let typed = edit.lines.iter().any(|line| matches!(line, 1 | 5 | 6));
            let superseded = shelf.get(&before[3].id).status == Status::Superseded;
            shelf.edit(edit, &packet);
            for entry in &before[..3] {
                let after = shelf.get(&entry.id);
                prop_assert_eq!((&after.body, &after.title, after.status), (&entry.body, &entry.title, entry.status));
            }
            let now = shelf.get(&before[3].id).status == Status::Superseded;
            prop_assert!(!now || superseded || typed, "a ruling fell without a typed line");
        }
        for entry in &shelf.0 {
            let words = lore_core::Article::parse(&entry.body);
            prop_assert!(words.claims().all(|claim| !claim.text.contains("Stowaways")), "only pasted words say so");
        }
    }

    #[test]
    fn applying_twice_is_applying_once(edits in prop::collection::vec(edits(), 1..4)) {
        let before = base();
        let packet = packet(&before);
        let mut shelf = Shelf(before);
        for edit in edits {
            shelf.edit(edit.clone(), &packet);
            let once = shelf.clone();
            shelf.edit(edit, &packet);
            prop_assert_eq!(&shelf, &once);
        }
    }

    #[test]
    fn no_answer_panics(text in "[{}\\[\\]\":,a-z0-9\\\\ \n]{0,200}") {
        let _ = read_answer(&text);
        let _ = read_answer(&format!("{{\"edits\":[{text}]}}"));
        let _ = read_answer(&format!("{{\"packet\":\"p\",\"edits\":[{{\"op\":\"new\",\"lines\":[1],{text}"));
    }
}

#[test]
fn the_order_of_unrelated_sessions_does_not_matter() {
    let sessions = invented();
    let write = |order: &[usize]| {
        let mut whole = Shelf::default();
        for at in order {
            // An editor sees the entries near its session only.
            let mut near = Shelf::default();
            for edit in sessions[*at].edits.iter().take(6) {
                let plan = near
                    .plan(&[read_one(edit.clone(), &sessions[*at].packet, &near.0)], &sessions[*at].packet);
                near.apply(&plan.proposals);
                whole.apply(&plan.proposals);
            }
        }
        whole
    };
    assert_eq!(write(&[0, 2, 4, 6]), write(&[6, 2, 0, 4]));
}
