//! V22: a number and the name it is said of stand together somewhere in the lines.
//!
//! Two cited lines can cover every word of a sentence and speak of two things: the name is from one of them and the
//! number from the other.

use lore_core::PacketLine;

use super::{Galley, Noticed, Room};
use crate::curator::numbers::numbers;
use crate::curator::words::{Cover, names};
use crate::extract::sentence::sentences;

/// So many lines on, somebody may still speak of what was named: who answers does not name it again.
const NEXT: u32 = 2;

/// V22: a number whose line names something else, and never what the sentence names, is looked at a second time.
pub(super) fn belongs_together(galley: &mut Galley<'_>, room: &Room<'_>) -> Noticed {
    if !galley.speaks() {
        return Noticed::Fine;
    }
    torn(galley, room).map_or(Noticed::Fine, Noticed::Flag)
}

fn torn(galley: &Galley<'_>, room: &Room<'_>) -> Option<String> {
    let known = galley.cover(&[], room);
    let cited = galley.cited(room);
    for sentence in sentences(galley.edit.said()) {
        let own = names(sentence);
        if own.is_empty() {
            continue;
        }
        let inside = |written: &str| own.iter().any(|name| name.contains(written));
        for (written, ways) in numbers(sentence) {
            if inside(&written) || known.has_number(&ways) || room.heading.has_number(&ways) {
                continue;
            }
            let with: Vec<&PacketLine> = cited
                .iter()
                .copied()
                .filter(|line| Cover::of([line.text.as_str()]).has_number(&ways))
                .collect();
            let Some(first) = with.first() else { continue };
            let is_named = |line: &&PacketLine| {
                let near = |(other, cover): &(&PacketLine, &Cover)| {
                    other.session == line.session
                        && other.number.abs_diff(line.number) <= NEXT
                        && own.iter().any(|name| cover.has_name(name))
                };
                room.context.packet.lines.iter().zip(&room.lines).any(|pair| near(&pair))
            };
            // A line that names nothing goes on with what was spoken of.
            let is_of_another = |line: &&PacketLine| !names(&line.text).is_empty();
            if !with.iter().any(is_named) && with.iter().all(is_of_another) {
                return Some(format!(
                    "{written} stands in line {} beside another name, `{}` stands elsewhere: say of what it is",
                    first.number, own[0]
                ));
            }
        }
    }
    None
}
