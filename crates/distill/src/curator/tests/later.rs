//! What the rest of a session takes back, only offers, or says of something else is looked at a second time.

use lore_core::{DecidedBy, Edit, Kind, LineClass, Op, Packet, ProofMark, Proofread};

use super::proofs::{packet_of, read_one};
use crate::curator::{LookAt, second_look};

use LineClass::{Closing, Passing, Typed};

fn packet(lines: &[(LineClass, &str)]) -> Packet {
    packet_of("mill", lines, &[])
}

fn read(text: &str, cited: &[u32], packet: &Packet) -> Proofread {
    let edit = Edit {
        kind: Some(Kind::Fact),
        title: Some("The mill".to_owned()),
        text: Some(text.to_owned()),
        decided_by: Some(DecidedBy::Nobody),
        ..Edit::new(Op::New, cited.to_vec())
    };
    read_one(edit, packet, &[])
}

/// Says whether a rule has the edit looked at a second time.
#[track_caller]
fn check(rule: &str, text: &str, cited: &[u32], packet: &Packet, expected: bool) {
    let proof = read(text, cited, packet);
    let is_flagged =
        proof.remarks.iter().any(|remark| remark.rule == rule && remark.mark == ProofMark::Flagged);
    assert!(proof.mark <= ProofMark::Flagged, "{text}: {:?}", proof.remarks);
    assert_eq!(is_flagged, expected, "{text}: {:?}", proof.remarks);
}

const GUESS: &str = "The flour clumps because the hopper valve sticks when the belt starts.";

#[test]
fn what_the_next_line_of_a_person_denies_is_doubted() {
    for denial in [
        "No, that is not it. Damp grain clumps, the silo roof leaks.",
        "nope, damp grain does it",
        "that's wrong, the silo roof leaks",
        "Nein, das Dach vom Silo ist undicht.",
        "no es eso, el techo gotea",
    ] {
        let packet = packet(&[(Typed, "the flour clumps again"), (Closing, GUESS), (Typed, denial)]);
        check("V20", GUESS, &[2], &packet, true);
        check("V20", "The flour does not clump because of the hopper valve.", &[2, 3], &packet, false);
    }
    for fine in ["no problem, go on", "great, replace the hopper valve", "Nothing else then"] {
        check("V20", GUESS, &[2], &packet(&[(Typed, "why?"), (Closing, GUESS), (Typed, fine)]), false);
    }
    let asked = packet(&[
        (Passing, GUESS),
        (Closing, "The sieve is new. Shall I paint the gate of the yard?"),
        (Typed, "no, leave the gate as it is"),
    ]);
    check("V20", GUESS, &[1], &asked, false);
}

#[test]
fn what_an_agent_finds_wrong_itself_is_doubted() {
    let packet = packet(&[
        (Passing, GUESS),
        (
            Closing,
            "The hopper valve moves freely, so that was wrong. The silo roof leaks and grain gets damp.",
        ),
    ]);
    check("V20", GUESS, &[1], &packet, true);
    check("V20", "The silo roof leaks and grain gets damp.", &[2], &packet, false);
}

#[test]
fn another_value_said_later_is_doubted() {
    let lines = [
        (Typed, "grind at most two sacks of rye per hour"),
        (Closing, "The mill grinds two sacks of rye per hour now."),
        (Typed, "actually no, make it five per hour, the baker waits"),
        (Closing, "It grinds five sacks of rye per hour."),
    ];
    let said = packet(&lines);
    check("V20", "At most two sacks of rye are ground per hour.", &[1], &said, true);
    check("V20", "At most five sacks of rye are ground per hour.", &[1, 3], &said, false);
    let plain = packet(&[
        (Typed, "keep the bran bins closed for 3 days after grinding"),
        (Closing, "Done."),
        (Typed, "the bran bins stay closed for 9 days after grinding"),
        (Typed, "sorry, can you also sweep the floor after grinding?"),
    ]);
    check("V20", "Bran bins are kept closed for 3 days after grinding.", &[1], &plain, true);
    check("V20", "The bran bins stay closed for 9 days after grinding.", &[3], &plain, false);
    let beside = packet(&[
        (Typed, "always shut gate 3 at 3 minutes past the hour, never earlier"),
        (Typed, "always shut gate 8 at 8 minutes past the hour, never earlier"),
    ]);
    check("V20", "Gate 3 is always shut at 3 minutes past the hour, never earlier.", &[1], &beside, false);
    let inline =
        packet(&[(Typed, "Ship the flour in paper sacks. no wait, ship the flour in 25 kg linen sacks")]);
    check("V20", "The flour is shipped in paper sacks.", &[1], &inline, true);
}

#[test]
fn what_a_later_session_gives_up_is_doubted() {
    let mut packet = packet(&[
        (Typed, "ok let's weigh the sacks with SackScale then"),
        (Typed, "SackScale no longer works for us, weigh the sacks by hand"),
    ]);
    packet.lines[1].session = lore_core::SessionId::new("later");
    check("V20", "Sacks are weighed with `SackScale`.", &[1], &packet, true);
    check("V20", "Sacks are not weighed with `SackScale`, but by hand.", &[2], &packet, false);
}

#[test]
fn a_second_look_sees_the_line_that_takes_it_back() {
    let packet = packet(&[(Closing, GUESS), (Typed, "No, that is not it. The silo roof leaks.")]);
    let proof = read(GUESS, &[1], &packet);
    assert!(
        proof.wanting.iter().any(|why| why.starts_with("line 2 may take it back")),
        "{:?}",
        proof.wanting
    );
    let asked = second_look(&[proof], &packet, &[], LookAt::Doubtful).expect("it is looked at");
    assert!(asked.contains("[2] P, not cited: No, that is not it."), "{asked}");
}

#[test]
fn what_is_only_offered_or_asked_is_doubted() {
    let lines = [
        (Typed, "the old stones wear out, what now?"),
        (
            Closing,
            "Stones wear out on wet grain. Options: a steel roller from the foundry, or a drying floor in the attic.",
        ),
        (Typed, "Let's buy the steel roller"),
        (Closing, "Should the sieve frame be made of ash wood?"),
    ];
    let packet = packet(&lines);
    check(
        "V21",
        "The mill has a drying floor in the attic, because stones wear out on wet grain.",
        &[2],
        &packet,
        true,
    );
    check(
        "V21",
        "A steel roller from the foundry is bought, because stones wear out on wet grain.",
        &[2, 3],
        &packet,
        false,
    );
    check("V21", "Stones wear out on wet grain.", &[2], &packet, false);
    check("V21", "The sieve frame is made of ash wood.", &[4], &packet, true);
    let answered = [(Closing, "Should the sieve frame be made of ash wood?"), (Typed, "yes please")];
    check("V21", "The sieve frame is made of ash wood.", &[1, 2], &packet_of("mill", &answered, &[]), false);
}

#[test]
fn a_number_said_of_something_else_is_doubted() {
    let lines = [
        (Typed, "Silo S-3 was opened at 40 degrees last night"),
        (Closing, "Noted."),
        (Passing, "The sieve is clean."),
        (Closing, "All is swept."),
        (Typed, "silo S-7 stands in the sun, S-7 is opened at 55 degrees"),
    ];
    let packet = packet(&lines);
    check("V22", "Silo S-3 is opened at 55 degrees, because it stands in the sun.", &[1, 5], &packet, true);
    check("V22", "Silo S-7 is opened at 55 degrees, because it stands in the sun.", &[1, 5], &packet, false);
}
