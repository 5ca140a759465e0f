//! Packets made for tests, and one edit read against them.

use lore_core::redact::Redactor;
use lore_core::{
    Edit, Entry, LineClass, NearEntry, Packet, PacketId, PacketLine, PacketSession, Proofread, SessionId,
};

use super::made::minute;
use crate::curator::{ProofContext, verify};

/// Makes a packet of one session out of lines, numbered from one; records are their tens.
pub(super) fn packet_of(session: &str, lines: &[(LineClass, &str)], near: &[&Entry]) -> Packet {
    let line = |(at, (class, text)): (usize, &(LineClass, &str))| {
        let number = u32::try_from(at + 1).unwrap();
        PacketLine {
            number,
            session: SessionId::new(session),
            agent: "claude-code".to_owned(),
            record: number * 10,
            class: *class,
            at: Some(minute(number)),
            old: false,
            text: (*text).to_owned(),
        }
    };
    let lines: Vec<PacketLine> = lines.iter().enumerate().map(line).collect();
    let up_to = lines.last().map_or(0, |line| line.record);
    let nearest = near.iter().enumerate();
    let nearest = nearest.map(|(at, entry)| NearEntry {
        short: format!("e{}", at + 1),
        id: entry.id.clone(),
        lines: Vec::new(),
    });
    Packet {
        id: PacketId::of(session),
        sessions: vec![PacketSession {
            session: SessionId::new(session),
            issue: None,
            up_to,
            day: None,
            files: Vec::new(),
        }],
        lines,
        nearest: nearest.collect(),
        fence: "12345678".to_owned(),
        text: String::new(),
    }
}

/// A packet beside which nothing is known.
pub(super) fn bare(packet: &Packet) -> ProofContext<'_> {
    ProofContext { packet, entries: &[], removed: &[], project: "", redactor: Redactor::standard() }
}

/// Proof-reads one edit.
pub(super) fn read_one(edit: Edit, packet: &Packet, entries: &[Entry]) -> Proofread {
    verify(&[(1, edit)], &ProofContext { entries, ..bare(packet) }).remove(0)
}

/// Proof-reads edits, a few at a time so that no cap cuts them.
pub(super) fn read_all(edits: &[Edit], packet: &Packet) -> Vec<Proofread> {
    let context = bare(packet);
    let few = |few: &[Edit]| verify(&few.iter().cloned().enumerate().collect::<Vec<_>>(), &context);
    edits.chunks(4).flat_map(few).collect()
}
