//! What rules wrote from a record before an editor read it: drafts of the same words.
//!
//! An editor is not shown them, since it has the lines themselves, and need not spend words on them.
//! A draft gives way to the edit that cites its lines and says what it says; what no edit says stays.

use std::collections::BTreeSet;

use lore_core::{Article, Entry, SessionId, Status, Voice};

use super::deed::Deed;
use crate::curator::numbers::numbers;
use crate::curator::verify::{denies, is_protected};
use crate::curator::words::{Cover, names};
use crate::extract::phrases::ANSWERING;

/// So much of a draft must be said by the edit that replaces it.
const SAID: f64 = 0.5;

/// Tells whether rules wrote an entry from these records alone and nobody has touched it since.
pub fn is_draft(entry: &Entry, holds: impl Fn(&SessionId, u32) -> bool) -> bool {
    matches!(entry.status, Status::Current | Status::Disputed)
        && !is_protected(entry)
        && !entry.is_edited()
        && !entry.sources.is_empty()
        && entry.sources.iter().all(|source| {
            let here = |session: &SessionId| source.lines.iter().all(|line| holds(session, *line));
            !source.lines.is_empty() && source.session.as_ref().is_some_and(here)
        })
}

/// Tells whether an edit says what a draft says, from the same lines.
pub(super) fn gives_way(draft: &Entry, deed: &Deed<'_>) -> bool {
    let cited: BTreeSet<(&SessionId, u32)> = deed.cited().collect();
    let rests = |voice: Option<Voice>| {
        let own = draft.sources.iter().filter(move |source| voice.is_none_or(|voice| source.voice == voice));
        own.flat_map(|source| {
            source.session.iter().flat_map(|session| source.lines.iter().map(move |line| (session, *line)))
        })
    };
    if !rests(Some(Voice::Person)).all(|line| cited.contains(&line))
        || !rests(None).any(|line| cited.contains(&line))
    {
        return false;
    }
    let said = deed.words();
    let cover = Cover::of([said.as_str()]);
    let article = Article::parse(&draft.body);
    article.current().chain(&article.conflict).all(|claim| {
        // What was asked is no part of what was answered: it names what was not chosen, too.
        let text = claim.text.split(ANSWERING).next().unwrap_or_default();
        cover.share(text) >= SAID
            && (!denies(text) || denies(&said))
            && names(text).iter().all(|name| cover.has_name(name))
            && numbers(text).iter().all(|(_, ways)| cover.has_number(ways))
    })
}
