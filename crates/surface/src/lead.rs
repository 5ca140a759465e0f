//! The lead of an answer: what holds, in one to three lines, with what it replaced beside it.

use lore_core::Status;

use crate::answer::Quote;
use crate::evidence::Evidence;
use crate::weigh::Weighed;

/// A lead has so many lines, …
const LINES: usize = 3;
/// … each about this long.
const LINE: usize = 300;

/// Takes the lead out of the evidence: of each place the piece that says most, with what follows it.
pub(crate) fn lead(
    evidence: &Evidence,
    weighed: &Weighed,
    passages: &[Quote],
    taken: &[usize],
    fits: &dyn Fn(&str) -> bool,
) -> Vec<Quote> {
    let is_past = |quote: &Quote| {
        matches!(quote.status.as_str(), "earlier" | "superseded" | "outdated" | "possibly-replaced")
    };
    let mut out: Vec<Quote> = Vec::new();
    for quote in passages.iter().filter(|quote| !is_past(quote)) {
        let stands = |at: &&usize| {
            let piece = &evidence.pieces[**at];
            evidence.parents[piece.parent].source == quote.source && quote.text.contains(&piece.text)
        };
        let score = |at: &usize| weighed.scores[*at];
        let best = taken.iter().filter(stands).max_by(|a, b| score(a).total_cmp(&score(b)));
        let Some(best) = best else { continue };
        let piece = &evidence.pieces[*best];
        let mut text = piece.text.clone();
        let goes_on = |next: &usize| {
            let next = &evidence.pieces[*next];
            next.parent == piece.parent && next.status == piece.status
        };
        for next in (best + 1..evidence.pieces.len()).take_while(goes_on) {
            let more = &evidence.pieces[next].text;
            if text.chars().count() + more.chars().count() > LINE {
                break;
            }
            text = format!("{text} {more}");
        }
        if !out.is_empty() && !fits(&text) {
            continue;
        }
        out.push(Quote { text: text.replace('\n', " "), at: piece.at, ..quote.clone() });
        // What it replaced stands beside it, so that nobody takes the old for the new.
        let was = |at: &usize| {
            let past = &evidence.pieces[*at];
            past.parent == piece.parent
                && (past.status == Status::Superseded.word() || past.status == "possibly-replaced")
        };
        if out.len() == 1
            && let Some(past) = (0..evidence.pieces.len()).find(was).map(|at| &evidence.pieces[at])
        {
            let (text, status) = (past.text.replace('\n', " "), past.status.to_owned());
            out.push(Quote { text, at: past.at, status, ..quote.clone() });
        }
        if out.len() >= LINES {
            break;
        }
    }
    out.truncate(LINES);
    out
}
