//! How many edits a packet holds: what speaks briefly in many sessions is not cut short.

use lore_core::{
    DecidedBy, Edit, Kind, LineClass, Op, Packet, PacketSession, ProofMark, Proofread, SessionId,
};

use super::proofs::{bare, packet_of};
use crate::curator::verify;

const SAID: [&str; 24] = [
    "apples",
    "pears",
    "plums",
    "quinces",
    "cherries",
    "berries",
    "walnuts",
    "almonds",
    "grapes",
    "figs",
    "olives",
    "lemons",
    "melons",
    "peaches",
    "apricots",
    "currants",
    "medlars",
    "chestnuts",
    "hops",
    "barley",
    "clover",
    "thyme",
    "lavender",
    "willows",
];

fn orchard(lines: usize, sessions: usize) -> (Packet, Vec<(usize, Edit)>) {
    let said: Vec<String> =
        SAID.iter().take(lines).map(|crop| format!("never water the {crop} at noon, they burn")).collect();
    let said: Vec<(LineClass, &str)> = said.iter().map(|line| (LineClass::Typed, line.as_str())).collect();
    let mut packet = packet_of("orchard", &said, &[]);
    packet.sessions = (0..sessions)
        .map(|at| PacketSession {
            session: SessionId::new(format!("orchard-{at}")),
            ..packet.sessions[0].clone()
        })
        .collect();
    for (at, line) in packet.lines.iter_mut().enumerate() {
        line.session = packet.sessions[at % sessions].session.clone();
    }
    let edit = |(at, crop): (usize, &&str)| {
        let line = u32::try_from(at + 1).unwrap();
        let edit = Edit {
            kind: Some(Kind::Preference),
            title: Some(format!("No water for {crop} at noon")),
            text: Some(format!("The {crop} are never watered at noon, since they burn.")),
            decided_by: Some(DecidedBy::Person),
            ..Edit::new(Op::New, vec![line])
        };
        (at + 1, edit)
    };
    let edits = SAID.iter().take(lines).enumerate().map(edit).collect();
    (packet, edits)
}

/// Counts the edits that are too many.
fn marked(proofs: &[Proofread], mark: ProofMark) -> usize {
    let is_over =
        |proof: &&Proofread| proof.remarks.iter().any(|remark| remark.rule == "V16" && remark.mark == mark);
    proofs.iter().filter(is_over).count()
}

/// An honest answer to ten short sessions lost a third of its edits.
#[test]
fn each_session_and_whatever_people_typed_makes_room_for_more() {
    let (packet, edits) = orchard(24, 10);
    let proofs = verify(&edits, &bare(&packet));
    assert_eq!((marked(&proofs, ProofMark::Flagged), marked(&proofs, ProofMark::Refused)), (0, 0));
    let (packet, edits) = orchard(24, 1);
    let proofs = verify(&edits, &bare(&packet));
    assert_eq!(marked(&proofs, ProofMark::Refused), 0, "what is beyond is looked at and not lost");
    assert_eq!(marked(&proofs, ProofMark::Flagged), 9);
    let twice: Vec<(usize, Edit)> = edits.iter().chain(&edits).cloned().collect();
    assert_eq!(
        marked(&verify(&twice, &bare(&packet)), ProofMark::Refused),
        18,
        "what is far beyond is refused"
    );
}
