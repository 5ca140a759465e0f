//! The second look and the repair round.

use std::collections::BTreeMap;

use lore_core::redact::Redactor;
use lore_core::text::tokens;
use lore_core::{Confidence, DecidedBy, Edit, Kind, LineClass, Op, Packet, ProofMark, Proofread, Voice};

use super::made::entry_of;
use super::proofs::{bare, packet_of};
use crate::curator::{
    EditAnswer, Glance, LookAt, ProofContext, ProofSheet, Remainder, Renamed, mend, proofread,
    read_remainders, read_second_look, repair, second_look, settle, shortened,
};

fn ferry() -> Packet {
    packet_of(
        "ferry",
        &[
            (LineClass::Typed, "tickets are printed on board, and crews may sell them in cash"),
            (LineClass::Closing, "Tickets are printed on board with the `ThermalPrinter` of the bridge."),
            (LineClass::Typed, "never sell tickets after the ferry has left"),
        ],
        &[],
    )
}

fn new(text: &str, lines: &[u32]) -> Edit {
    Edit {
        kind: Some(Kind::Decision),
        title: Some("Tickets on board".to_owned()),
        text: Some(text.to_owned()),
        decided_by: Some(DecidedBy::Person),
        ..Edit::new(Op::New, lines.to_vec())
    }
}

fn sheet(edits: Vec<Edit>, packet: &Packet) -> ProofSheet {
    let edits = edits.into_iter().enumerate().map(|(at, edit)| (at + 1, Ok(edit))).collect();
    let context = bare(packet);
    proofread(&EditAnswer { edits, ..EditAnswer::default() }, &context)
}

#[test]
fn a_flagged_claim_is_shown_with_its_lines_and_applied_only_if_they_say_it() {
    let packet = ferry();
    let edits = vec![
        new("Tickets are not printed on board, and crews may sell them in cash.", &[1]),
        new("Tickets are printed on board.", &[1]),
    ];
    let first = sheet(edits, &packet).proofs;
    assert_eq!(
        first.iter().map(|proof| proof.mark).collect::<Vec<_>>(),
        [ProofMark::Flagged, ProofMark::Applied]
    );
    let asked = second_look(&first, &packet, &[], LookAt::Doubtful).unwrap();
    assert!(
        asked.contains("CLAIM 1: Tickets are not printed") && asked.contains("[1] P: tickets are printed")
    );
    assert!(!asked.contains("CLAIM 2") && !asked.contains("ThermalPrinter"), "{asked}");
    let after = |answer: &str| {
        let mut proofs = first.clone();
        settle(&mut proofs, &read_second_look(answer), &packet);
        (proofs[0].mark, proofs[0].confidence)
    };
    assert_eq!(after("{\"looks\":{\"1\":\"entailed\"}}"), (ProofMark::Applied, Confidence::Medium));
    for word in ["partly", "no", "contradicts", "surely", ""] {
        assert_eq!(after(&format!("{{\"looks\":{{\"1\":\"{word}\"}}}}")).0, ProofMark::Proposal, "{word}");
    }
    assert_eq!(after("I cannot tell.").0, ProofMark::Proposal);
    assert_eq!(
        read_second_look("so: {\"looks\":{\"3\":\"no\",\"x\":\"no\",\"4\":7}}"),
        BTreeMap::from([(3, Glance::No)])
    );
}

#[test]
fn whoever_did_not_write_it_also_says_whether_anybody_would_miss_it() {
    let packet = ferry();
    let edits = vec![
        new("Tickets are printed on board.", &[1]),
        new("Never sell tickets after the ferry has left.", &[3]),
    ];
    let first = sheet(edits, &packet).proofs;
    assert!(first.iter().all(Proofread::is_applied), "{first:?}");
    assert_eq!(second_look(&first, &packet, &[], LookAt::Doubtful), None);
    let asked = second_look(&first, &packet, &[], LookAt::Everything).unwrap();
    assert!(asked.contains("CLAIM 1") && asked.contains("CLAIM 2") && asked.contains(" idle: "), "{asked}");
    let mut second = first.clone();
    second[0].edit.risk = Some("sells tickets at the quay, where nobody can print them".to_owned());
    let asked = second_look(&second, &packet, &[], LookAt::Everything).unwrap();
    assert!(
        !asked.contains("CLAIM 1") && asked.contains("CLAIM 2"),
        "whoever wrote it says its worth: {asked}"
    );
    let after = |word: &str| {
        let mut proofs = first.clone();
        let answer = format!("{{\"looks\":{{\"1\":\"{word}\",\"2\":\"{word}\"}}}}");
        settle(&mut proofs, &read_second_look(&answer), &packet);
        [proofs[0].mark, proofs[1].mark]
    };
    assert_eq!(after("idle"), [ProofMark::Refused, ProofMark::Applied], "what a person laid down is kept");
    assert_eq!(after("entailed"), [ProofMark::Applied; 2]);
    assert_eq!(after("nothing"), [ProofMark::Applied; 2], "nobody has to look at what is covered");
    assert_eq!(after("partly"), [ProofMark::Lowered; 2]);
    assert_eq!(after("no"), [ProofMark::Proposal; 2]);
}

#[test]
fn what_a_second_look_leaves_of_a_claim_is_still_that_claim() {
    let packet = ferry();
    let text = "Tickets are not printed on board of the ferry, and crews sell them in cash at the quay.";
    let title = Some("Tickets are not printed on board".to_owned());
    let edit = Edit { title, ..new(text, &[1]) };
    let rest_of = |text: &str, title: Option<&str>| Remainder {
        text: text.to_owned(),
        title: title.map(str::to_owned),
    };
    let left = |rest: &str| shortened(&edit, &rest_of(rest, None)).and_then(|edit| edit.text);
    let whole = "Tickets are not printed on board of the ferry.";
    assert_eq!(left(whole), Some(whole.to_owned()));
    for gone in ["Crews sell tickets at the quay.", "Crews drink rum on board.", "Tickets.", text] {
        assert_eq!(left(gone), None, "{gone}: the title would say what is gone, or it is another claim");
    }
    let turned = "Tickets are printed on board of the ferry, and crews sell them.";
    let read = |edit: Edit| sheet(vec![edit], &packet).proofs.remove(0).mark;
    assert_eq!(left(turned), None, "the title would say the opposite");
    assert_eq!(read(shortened(&edit, &rest_of(whole, None)).unwrap()), ProofMark::Flagged);
    let titled = rest_of("Crews sell tickets in cash at the quay.", Some("Tickets are sold in cash"));
    assert_eq!(shortened(&edit, &titled).and_then(|edit| edit.title), titled.title, "another title fits");
    let loose = rest_of("Crews sell tickets in cash at the quay.", Some("Rum is free"));
    assert_eq!(shortened(&edit, &loose), None);
    let answer = "{\"looks\":{\"1\":{\"partly\":\"Crews  sell them.\"},\"2\":\"partly\",\"3\":{\"no\":\"x\"},\
                  \"4\":{\"title\":\"Sold ashore\",\"partly\":\"Sold.\"}}}";
    let expected = [(1, rest_of("Crews sell them.", None)), (4, rest_of("Sold.", Some("Sold ashore")))];
    assert_eq!(read_remainders(answer), BTreeMap::from(expected));
    let glances = [(1, Glance::Partly), (2, Glance::Partly), (3, Glance::No), (4, Glance::Partly)];
    assert_eq!(read_second_look(answer), BTreeMap::from(glances));
}

#[test]
fn a_title_need_not_deny_what_its_text_denies_on_the_way() {
    let text = "Tickets are printed ashore, never on board, because the ship has no room for printers; \
                crews sell them in cash and without a receipt.";
    let edit = Edit { title: Some("Tickets are printed ashore".to_owned()), ..new(text, &[1]) };
    let rest = |text: &str, title: Option<&str>| Remainder {
        text: text.to_owned(),
        title: title.map(str::to_owned),
    };
    let left = "Tickets are printed ashore, never on board, because the ship has no room for printers.";
    assert_eq!(shortened(&edit, &rest(left, None)).and_then(|edit| edit.title), edit.title);
    let other = Some("Ships have no printers for tickets");
    assert_eq!(shortened(&edit, &rest(left, other)).and_then(|edit| edit.title).as_deref(), other);
    // Where what is left says the opposite of what was claimed, the title has to say that too.
    let denied = Edit {
        title: Some("Printers stay dry in the hold".to_owned()),
        ..new("Printers stay dry in the cold hold below deck, and crews sell tickets.", &[1])
    };
    assert_eq!(shortened(&denied, &rest("Printers do not stay dry in the hold below deck.", None)), None);
}

#[test]
fn what_replaces_or_disputes_is_always_looked_at_again() {
    let old = entry_of(Kind::Fact, "Tickets ashore", "Tickets are printed ashore.", Voice::Agent);
    let packet = packet_of(
        "ferry",
        &[(LineClass::Closing, "Tickets are printed on board, no longer ashore.")],
        &[&old],
    );
    let edit = Edit {
        op: Op::Supersedes,
        entry: Some("e1".to_owned()),
        ..new("Tickets are printed on board.", &[1])
    };
    let entries = [old];
    let context = ProofContext {
        packet: &packet,
        entries: &entries,
        removed: &[],
        project: "",
        redactor: Redactor::standard(),
    };
    let proofs =
        proofread(&EditAnswer { edits: vec![(1, Ok(edit))], ..EditAnswer::default() }, &context).proofs;
    let asked = second_look(&proofs, &packet, &entries, LookAt::Doubtful).unwrap();
    assert!(asked.contains("it supersedes the entry: Tickets are printed ashore."), "{asked}");
}

#[test]
fn a_repair_names_what_was_refused_and_takes_no_more_than_that() {
    let packet = ferry();
    let bad = new("Tickets are printed on board with a Zebra printer.", &[1]);
    let good = new("Crews may sell tickets in cash on board.", &[1]);
    let first = sheet(vec![bad.clone(), good.clone()], &packet);
    let asked = repair(&first).unwrap();
    assert!(asked.contains("- 1, new “Tickets on board”") && asked.contains("`Zebra`"), "{asked}");
    let mended = new("Tickets are printed on board with the `ThermalPrinter` of the bridge.", &[2]);
    let extra = new("Tickets are printed on board.", &[1]);
    let second = sheet(vec![good.clone(), bad.clone(), mended.clone(), extra], &packet);
    let whole = mend(first, second, Renamed::Asked);
    let taken: Vec<&str> =
        whole.proofs.iter().filter(|proof| proof.is_applied()).map(|proof| proof.edit.said()).collect();
    assert_eq!(taken, [good.said(), mended.said()]);
    let none = sheet(vec![good], &packet);
    assert_eq!(repair(&none), None);
    let stray = Edit { op: Op::Refines, entry: Some("e9".to_owned()), ..new("Crews sell.", &[1]) };
    let stray = sheet(vec![new("Crews sell tickets.", &[1, 99]), stray], &packet);
    let asked = repair(&stray).unwrap();
    assert!(asked.contains("- 1, new") && asked.contains("line 99 does not exist"), "{asked}");
    assert!(asked.contains("- 2, refines") && asked.contains("`e9` is not an entry"), "{asked}");
    let long = sheet(vec![bad; 4], &packet);
    assert!(tokens(&repair(&long).unwrap()) <= 400);
}
