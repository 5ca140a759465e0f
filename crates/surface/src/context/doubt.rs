//! What may have been replaced, beside what seems to have taken its place: the newer is told first.

use lore_core::article::DOUBTED;
use lore_core::{Article, Entry, Status};

use super::choose::Pick;

/// Marks what another of the entries seems to have replaced, and puts that one before it.
pub(super) fn doubt(picks: &mut Vec<Pick>) {
    for old in (0..picks.len()).rev() {
        let seems_replaced = |newer: &Pick| replaces(&newer.card.entry, &picks[old].card.entry);
        let Some(new) = picks.iter().position(seems_replaced).filter(|new| *new != old) else { continue };
        let by = picks[new].card.entry.id.clone();
        let score = picks[new].score.max(picks[old].score);
        picks[old].replaced_by = Some(by);
        picks[new].score = score;
        if new > old {
            let newer = picks.remove(new);
            picks.insert(old, newer);
        }
    }
}

/// Tells whether an entry names a statement of another as possibly replaced.
fn replaces(newer: &Entry, older: &Entry) -> bool {
    let stands = older.status == Status::Current && newer.id != older.id;
    if !stands || !newer.body.contains(&format!("## {DOUBTED}")) {
        return false;
    }
    let bare = |text: &str| text.trim_end_matches('.').to_lowercase();
    let older = Article::parse(&older.body);
    let said: Vec<String> = older.current().map(|claim| bare(&claim.text)).collect();
    Article::parse(&newer.body).doubted.iter().any(|claim| said.contains(&bare(&claim.text)))
}
