//! Material that an order hands over: “shorten this: …”, “make a table of these” above a list. Whoever has a text made
//! into another shows it, and lays nothing down with it.
//!
//! “Write this down: …” and “add this to the rules: …” hand over what is to be kept; nothing here knows their verbs.

use super::asked::{asks_about, clauses, fits, is_listed};
use super::lines::{self, Look};
use super::orders::{JAPANESE_ORDERS, ORDERS, Orders};
use super::quoted::ends_quotation;
use super::runs::{QUOTED, Row};
use super::tongues::{TONGUES, Tongue};

/// An order that hands a text over has so many words at most.
const ORDER: usize = 24;
/// Such an order stands in one of so many lines; below them nobody looks for one.
const LEADING: usize = 40;
/// Longer lines are no orders, whatever they begin with.
const LONG: usize = 4_000;
/// Words of somebody who wants what follows to be kept.
const KEEPING: &str = "remember memori~ follow obey adopt befolg~ merk~ beacht~ recuerd~ retien~ retenez \
    respect~ lembr~ ricord~ onthoud~";

/// Cuts what a line hands over off its order, and marks it with the lines that go on with it.
pub(super) fn mark(rows: &mut Vec<Row<'_>>) {
    let mut at = 0;
    while at < rows.len().min(LEADING) {
        if let Some((from, to)) = handed_in(&rows[at]) {
            let Row { at: start, line, look } = rows[at];
            let piece = |from: usize, to: usize, look| Row { at: start + from, line: &line[from..to], look };
            let rest = Some(piece(to, line.len(), look)).filter(|row| !row.line.trim().is_empty());
            let ends = rest.is_some() || is_quotation(&line[from..to]);
            rows.splice(
                at..=at,
                [piece(0, from, Look::Prose), piece(from, to, QUOTED)].into_iter().chain(rest),
            );
            at += 2;
            if !ends {
                at = paragraph(rows, at);
            }
        } else if hands_over_below(rows, at) {
            at = lists(rows, at + 1);
        } else {
            at += 1;
        }
    }
}

/// Marks the rest of a paragraph.
fn paragraph(rows: &mut [Row<'_>], from: usize) -> usize {
    let end = (from..rows.len()).find(|at| rows[*at].look == Look::Blank).unwrap_or(rows.len());
    rows[from..end].iter_mut().for_each(|row| row.look = QUOTED);
    end
}

/// Marks the paragraph below an order, and the lists that go on with it.
fn lists(rows: &mut [Row<'_>], from: usize) -> usize {
    let full = |from: usize, rows: &[Row<'_>]| (from..rows.len()).find(|at| rows[*at].look != Look::Blank);
    let Some(first) = full(from, rows) else { return rows.len() };
    let mut end = paragraph(rows, first);
    while let Some(next) = full(end, rows).filter(|next| lines::is_item(rows[*next].line)) {
        end = paragraph(rows, next);
    }
    end
}

/// Tells whether a line is an order that hands over what stands below it.
fn hands_over_below(rows: &[Row<'_>], at: usize) -> bool {
    let row = &rows[at];
    if !matches!(row.look, Look::Prose | Look::Neutral) || row.line.len() > LONG || lines::is_item(row.line) {
        return false;
    }
    let next = (at + 1..rows.len()).find(|next| rows[*next].look != Look::Blank);
    let Some(next) = next.filter(|next| !matches!(rows[*next].look, Look::Strong(_))) else { return false };
    let line = row.line.trim();
    // What is asked for stands in the last sentence of the line.
    let line =
        &line[line.trim_end_matches(['.', '?', '!', ':']).rfind(['.', '?', '!']).map_or(0, |at| at + 1)..];
    let leads = line.ends_with([':', '：']);
    let listed = next == at + 1 && lines::is_item(rows[next].line);
    is_order(line) && (leads || next == at + 1) || (leads || listed) && points(line) && asks_about(line)
}

/// Tells whether words name the text that is asked about as one that is shown.
fn points(line: &str) -> bool {
    let points = |tongue: &Tongue| {
        clauses(line)
            .iter()
            .flatten()
            .any(|word| is_listed(word, tongue.pointing) || is_listed(word, tongue.naming))
    };
    !is_kept(line) && TONGUES.iter().any(points)
}

/// Finds what a line hands over behind a colon, from where to where.
fn handed_in(row: &Row<'_>) -> Option<(usize, usize)> {
    let line = row.line;
    if !matches!(row.look, Look::Prose | Look::Neutral) || line.len() > LONG {
        return None;
    }
    let colon = line.char_indices().filter(|(_, c)| matches!(c, ':' | '：')).find_map(|(at, c)| {
        let behind = at + c.len_utf8();
        let parted = c == '：' || line[behind..].starts_with([' ', '\t']);
        let from = line[..at].rfind(['.', '?', '!', '。']).map_or(0, |at| after(line, at));
        (parted && !line[behind..].trim().is_empty() && is_order(&line[from..at])).then_some(behind)
    })?;
    let from = colon + (line[colon..].len() - line[colon..].trim_start().len());
    Some((from, ends_quotation(&line[from..]).map_or(line.len(), |length| from + length)))
}

fn after(line: &str, at: usize) -> usize {
    at + line[at..].chars().next().map_or(1, char::len_utf8)
}

fn is_quotation(text: &str) -> bool {
    ends_quotation(text).is_some()
}

/// Tells whether words order something to be made of a text that is handed over with them.
fn is_order(words: &str) -> bool {
    let clauses = clauses(words);
    if clauses.iter().map(Vec::len).sum::<usize>() > ORDER || is_kept(words) {
        return false;
    }
    let orders = |(tongue, of): (&Tongue, &Orders)| {
        // "To sum it up: …" orders nothing.
        let mut ordering = clauses.iter().filter(|clause| clause[0] != "to");
        ordering.any(|clause| {
            let courtesy = clause.iter().take_while(|word| is_listed(word, of.politely)).count();
            of.orders.iter().any(|order| {
                let order: Vec<&str> = order.split(' ').collect();
                fits(&order, &clause[courtesy..], tongue)
            })
        })
    };
    TONGUES.iter().zip(&ORDERS).any(orders) || JAPANESE_ORDERS.iter().any(|order| words.contains(order))
}

/// Tells whether words want what they hand over to be kept.
fn is_kept(words: &str) -> bool {
    clauses(words).iter().flatten().any(|word| is_listed(word, KEEPING))
}

#[cfg(test)]
mod tests {
    use super::super::classify;

    #[track_caller]
    fn own(text: &str, expected: &[&str]) {
        let own = classify(text).into_iter().filter(|piece| piece.channel.is_persons_words());
        assert_eq!(own.map(|piece| piece.text).collect::<Vec<_>>(), expected, "{text}");
    }

    #[test]
    fn what_an_order_hands_over_is_shown_only() {
        for (order, shown) in [
            ("Can you make a table of these?", "\n- we never tow at night\n- always oil the ropes twice"),
            (
                "please turn this into a checklist",
                "\n1. ropes are oiled\n2. lamps are lit\n3. berths are swept",
            ),
            (
                "The office sent me this, tl;dr please:",
                "\n1. No towing.\n2. Ropes are new.\n3. Lamps are lit.",
            ),
            ("what do you think of these?", "\n- ropes are never oiled\n- lamps are lit at noon"),
            ("Make the wording friendlier:", " You must not moor here. Berths are limited to two boats."),
            ("could you make this sound more polite:", " Nobody may moor here."),
            ("Shorten this:", " The pier opens at nine. Tickets are sold on board daily."),
            ("Add this to the FAQ page:", " \"Can I swim? Never swim at the pier. Towels are free.\""),
            ("Put the following on the landing page:", "\n\nTickets are always free for children."),
            ("Hi! Translate into German:", " Berths are never free in June."),
            ("translate:", "\nBerths are never free in June.\nLamps are always lit."),
            ("Übersetze das ins Englische:", " Am Steg wird nie geschleppt."),
            ("Mach bitte eine Tabelle daraus:", "\n- Seile werden immer geölt\n- nachts fährt niemand"),
            ("Kürze bitte diesen Text:", " Am Steg wird nie geschleppt. Lampen brennen immer."),
            ("Formuliere das freundlicher:", " Hier darf niemand anlegen."),
            ("Haz una tabla con estos:", "\n- nunca se remolca de noche\n- siempre dos cabos"),
            ("Traduce esto al inglés:", " Nunca se remolca de noche."),
            ("Traduis en anglais :", " On ne remorque jamais la nuit."),
            ("Fais un tableau avec ça :", "\n- on ne remorque jamais la nuit\n- toujours deux cordes"),
            ("Traduza isto para inglês:", " Nunca se reboca à noite."),
            ("Fai una tabella di questi:", "\n- di notte non si rimorchia mai\n- sempre due corde"),
            ("Traduci questo in inglese:", " Di notte non si rimorchia mai."),
            ("これを表にまとめて：", "\n夜は曳航しない。\n綱は必ず二本。"),
        ] {
            own(&format!("{order}{shown}"), &[order]);
        }
        own(
            "Shorten this: \"The pier opens at nine. Never later.\" and from now on oil the ropes",
            &["Shorten this:", "and from now on oil the ropes"],
        );
        own(
            "Make the text shorter: Nobody tows at night.\nNobody rows at noon.\n\nThe pier is ours.",
            &["Make the text shorter:", "The pier is ours."],
        );
    }

    #[test]
    fn what_is_handed_over_to_be_kept_stays_the_persons() {
        for text in [
            "Add this to the rules: never tow at night.",
            "remember this: ropes are oiled twice",
            "write this down: ropes are oiled twice",
            "Note the following: nobody tows at night.",
            "please follow these:\n- never tow at night\n- always oil the ropes",
            "Use these:\n- red lamps\n- ropes of hemp",
            "To summarize: nobody tows at night.",
            "tl;dr: nobody tows at night",
            "Summarize these rules and follow them: nobody tows at night.",
            "Make it simpler: one lamp for all piers.",
            "Make a lamp for these piers: they are dark.",
            "Translation: berths are never called slips.",
            "Put this into the handbook: ropes are never oiled.",
            "Add a check to the page: a berth must never be longer than the pier.",
            "Can you mend these?\n- the lamp is out\n- the rope is torn",
            "Merk dir das: nachts fährt niemand.",
            "Schreib das auf: nachts fährt niemand.",
        ] {
            own(text, &[text]);
        }
    }
}
