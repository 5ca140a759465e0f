//! From lines to packets: within a budget, the same words always giving the same text.

use std::fmt::Write as _;

use lore_core::session::Session;
use lore_core::text::tokens;
use lore_core::{Entry, LineClass, Packet, PacketId, PacketLine, PacketSession, SessionId, hash};

use super::apply::is_draft;
use super::digest::{SessionDigest, digest};
use super::given_up::GivenUp;
use super::instructions::INSTRUCTIONS;
use super::nearest;
use super::tidy::cut_to;

/// How much a packet may hold, in our own estimate of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PacketBudget {
    /// For the lines of sessions.
    pub record: usize,
    /// For the entries beside them.
    pub nearest: usize,
    /// So many packets of one session at a time; what is left waits.
    pub packets: usize,
}

impl Default for PacketBudget {
    fn default() -> PacketBudget {
        PacketBudget { record: 6_400, nearest: 1_000, packets: 3 }
    }
}

/// Where room is short, what an agent says in passing is cut to this, and its last words to that.
const SHORT_PASSING: usize = 220;
const SHORT_CLOSING: usize = 700;
/// Of a packet before, so many lines are shown again.
const OLD_LINES: usize = 6;
/// What a number, a mark and a line break cost at most.
const LINE_COST: usize = 5;
/// So many edits are asked for at most: these, and one more for so many tokens of the record. More are taken: one for so
/// many lines that people typed, where these are more, and one for each session beyond the first. To ask for as many was
/// tried: editors fill the room they are given, and what they filled it with was noise.
const FEW_EDITS: usize = 4;
const TOKENS_AN_EDIT: usize = 600;
const TYPED_AN_EDIT: usize = 4;

/// Makes the packets of one session from the first record behind `from_line` on.
pub fn packet(session: &Session, from_line: u32, nearest: &[Entry], budget: &PacketBudget) -> Vec<Packet> {
    let digests: Vec<SessionDigest> = digest(session, from_line).into_iter().collect();
    packets(&digests, nearest, budget)
}

/// Sorts sessions of one project into batches that fit into one packet each; long ones stand alone.
pub fn batches(digests: Vec<SessionDigest>, budget: &PacketBudget) -> Vec<Vec<SessionDigest>> {
    let mut out: Vec<Vec<SessionDigest>> = Vec::new();
    let mut room = 0;
    for digest in digests {
        let cost = tokens(&digest.head) + cost_of(&digest.lines);
        match out.last_mut() {
            Some(batch) if cost <= room => batch.push(digest),
            _ => {
                room = budget.record;
                out.push(vec![digest]);
            }
        }
        room = room.saturating_sub(cost);
    }
    out
}

/// Makes the packets of a batch: one, or several where a single session is too long for one.
pub fn packets(digests: &[SessionDigest], nearest: &[Entry], budget: &PacketBudget) -> Vec<Packet> {
    if digests.is_empty() {
        return Vec::new();
    }
    let heads: usize = digests.iter().map(|digest| tokens(&digest.head)).sum();
    let whole: usize = digests.iter().map(|digest| cost_of(&digest.lines)).sum();
    if heads + whole <= budget.record {
        let parts = digests.iter().map(|digest| (digest, digest.lines.clone(), digest.until)).collect();
        return vec![write(parts, nearest, budget)];
    }
    let mut out = Vec::new();
    for digest in digests {
        let room = budget.record.saturating_sub(tokens(&digest.head)).max(LINE_COST);
        let chunks = split(fit(digest.lines.clone(), room), room);
        let last = chunks.len();
        for (at, chunk) in chunks.into_iter().enumerate().take(budget.packets.max(1)) {
            let end = chunk.last().map_or(digest.until, |line| line.record);
            let until = if at + 1 == last { digest.until } else { end };
            out.push(write(vec![(digest, chunk, until)], nearest, budget));
        }
    }
    out
}

fn cost(line: &PacketLine) -> usize {
    // Lines below the first are indented by four.
    tokens(&line.text) + line.text.matches('\n').count() + LINE_COST
}

fn cost_of(lines: &[PacketLine]) -> usize {
    lines.iter().map(cost).sum()
}

/// Makes lines shorter and fewer, the least telling first, until they fit or nothing more can go.
fn fit(mut lines: Vec<PacketLine>, room: usize) -> Vec<PacketLine> {
    if cost_of(&lines) <= room {
        return lines;
    }
    shorten(&mut lines, LineClass::Passing, SHORT_PASSING);
    let mut total = cost_of(&lines);
    let mut passing: Vec<(usize, u32, usize)> = lines
        .iter()
        .enumerate()
        .filter(|(_, line)| line.class == LineClass::Passing)
        .map(|(at, line)| (line.text.chars().count(), line.record, at))
        .collect();
    passing.sort_unstable();
    let mut gone = Vec::new();
    for (_, _, at) in passing {
        if total <= room {
            break;
        }
        total -= cost(&lines[at]);
        gone.push(at);
    }
    gone.sort_unstable();
    let mut at = 0;
    lines.retain(|_| {
        at += 1;
        gone.binary_search(&(at - 1)).is_err()
    });
    if cost_of(&lines) > room {
        shorten(&mut lines, LineClass::Closing, SHORT_CLOSING);
    }
    lines
}

fn shorten(lines: &mut [PacketLine], class: LineClass, limit: usize) {
    for line in lines.iter_mut().filter(|line| line.class == class) {
        line.text = cut_to(&line.text, limit);
    }
}

/// Cuts where a person speaks; a stretch that is too long by itself is cut between lines.
fn split(lines: Vec<PacketLine>, room: usize) -> Vec<Vec<PacketLine>> {
    if cost_of(&lines) <= room {
        return vec![lines];
    }
    let mut stretches: Vec<Vec<PacketLine>> = Vec::new();
    for line in lines {
        match stretches.last_mut() {
            Some(stretch) if line.class != LineClass::Typed || stretch.iter().all(|line| line.old) => {
                stretch.push(line)
            }
            _ => stretches.push(vec![line]),
        }
    }
    let mut chunks: Vec<Vec<PacketLine>> = vec![Vec::new()];
    for stretch in stretches {
        let fits_alone = cost_of(&stretch) <= room;
        if fits_alone && room_in(&chunks, room) < cost_of(&stretch) {
            begin(&mut chunks, room);
        }
        for line in stretch {
            if room_in(&chunks, room) < cost(&line) {
                begin(&mut chunks, room);
            }
            if let Some(chunk) = chunks.last_mut() {
                chunk.push(line);
            }
        }
    }
    chunks
}

fn room_in(chunks: &[Vec<PacketLine>], room: usize) -> usize {
    room.saturating_sub(chunks.last().map_or(0, |chunk| cost_of(chunk)))
}

/// Begins the next packet; where this one holds nothing new yet, what it repeats makes room instead.
fn begin(chunks: &mut Vec<Vec<PacketLine>>, room: usize) {
    match chunks.last_mut() {
        Some(chunk) if chunk.iter().all(|line| line.old) => chunk.clear(),
        _ => {
            let before = context(chunks, room / 4);
            chunks.push(before);
        }
    }
}

/// Repeats the last lines of a packet at the head of the next one, as far as there is room for them.
fn context(chunks: &[Vec<PacketLine>], room: usize) -> Vec<PacketLine> {
    let last = chunks.last().map_or(&[][..], Vec::as_slice);
    let mut lines: Vec<PacketLine> = last[last.len().saturating_sub(OLD_LINES)..].to_vec();
    for line in &mut lines {
        line.old = true;
        line.text = cut_to(&line.text, SHORT_PASSING);
    }
    while !lines.is_empty() && cost_of(&lines) > room {
        lines.remove(0);
    }
    lines
}

type Share<'d> = (&'d SessionDigest, Vec<PacketLine>, u32);

fn write(parts: Vec<Share<'_>>, nearest: &[Entry], budget: &PacketBudget) -> Packet {
    let is_new = |session: &SessionId, record: u32| {
        let own = parts.iter().find(|(digest, ..)| digest.session == *session);
        own.is_some_and(|(digest, ..)| digest.is_new(record))
    };
    let (drafts, others): (Vec<&Entry>, Vec<&Entry>) =
        nearest.iter().partition(|entry| is_draft(entry, is_new));
    let said: Vec<&PacketLine> = parts.iter().flat_map(|(_, share, _)| share).collect();
    let others = nearest::in_doubt_first(others, &GivenUp::of(&said));
    let (mut near, mut entries) = nearest::show(&others, budget.nearest);
    let mut record = String::new();
    let mut lines: Vec<PacketLine> = Vec::new();
    let mut sessions = Vec::new();
    for (digest, share, up_to) in parts {
        let _ = writeln!(record, "{}", digest.head);
        for mut line in share {
            line.number = u32::try_from(lines.len() + 1).unwrap_or(u32::MAX);
            let old = if line.old { "old " } else { "" };
            let text = line.text.replace('\n', "\n    ");
            let _ = writeln!(record, "[{}] {old}{}: {text}", line.number, line.class.mark());
            lines.push(line);
        }
        sessions.push(PacketSession {
            session: digest.session.clone(),
            issue: digest.issue.clone(),
            up_to,
            day: digest.day,
            files: digest.files.clone(),
        });
    }
    entries.push_str(&nearest::show_drafts(&drafts, &lines, &mut near));
    let fence = fence(&entries, &record);
    let id = PacketId::of(&format!("{entries}\n{record}"));
    let entries = if entries.is_empty() { "none\n".to_owned() } else { entries };
    let most = FEW_EDITS + cost_of(&lines) / TOKENS_AN_EDIT;
    let text = format!(
        "{INSTRUCTIONS}\n\nPacket {id}, at most {most} edits, record between the lines with {fence}.\n\nNEAREST ENTRIES\n{entries}\n\
         RECORD {fence}\n{record}END {fence}\n"
    );
    Packet { id, sessions, lines, nearest: near, fence, text }
}

/// Says how many edits a packet holds, in halves: who speaks briefly in many sessions lays down as much as who speaks at
/// length in one.
fn halves(record: usize, lines: &[PacketLine], sessions: usize) -> usize {
    let typed = lines.iter().filter(|line| line.class == LineClass::Typed && !line.old).count();
    let by_length = (2 * record / TOKENS_AN_EDIT).max(2 * typed / TYPED_AN_EDIT);
    2 * (FEW_EDITS + sessions.saturating_sub(1)) + by_length
}

/// Says how many edits of a packet are taken without a doubt: half as many more as it holds, since nobody counts while
/// writing.
pub(super) fn edits_taken(packet: &Packet) -> usize {
    let record: usize = packet.lines.iter().map(|line| tokens(&line.text)).sum();
    halves(record, &packet.lines, packet.sessions.len()) * 3 / 4
}

/// Chooses eight digits that stand nowhere else; who writes the record cannot know them beforehand.
pub(super) fn fence(entries: &str, record: &str) -> String {
    let mut round: u64 = 0;
    loop {
        let key = hash::key(&[b"fence", entries.as_bytes(), record.as_bytes(), &round.to_le_bytes()]);
        let digits = format!("{:08}", key % 100_000_000);
        if !record.contains(&digits) && !entries.contains(&digits) {
            return digits;
        }
        round += 1;
    }
}
