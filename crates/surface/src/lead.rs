//! The lead of an answer: what holds, in one to three lines, with what it replaced beside it.

use lore_core::{Article, Entry, LinkKind, Standing, Status, Voice};

use crate::answer::Quote;
use crate::evidence::{Evidence, Piece, voice_of};
use crate::index::Level;
use crate::reader::{SearchError, Snapshot};
use crate::score::company;
use crate::weigh::Weighed;
use crate::wording::reason;

/// A lead has so many lines, …
const LINES: usize = 3;
/// … each about this long.
const LINE: usize = 300;
/// What replaced something may have been replaced itself, so many times.
const REPLACED: usize = 8;

/// Takes the lead out of the evidence: of each place the piece that says most, with what follows it.
pub(crate) fn lead(
    evidence: &Evidence,
    weighed: &Weighed,
    passages: &[Quote],
    taken: &[usize],
    fits: &dyn Fn(&str) -> bool,
    dated: bool,
) -> Vec<Quote> {
    let is_past = |quote: &Quote| {
        matches!(quote.status.as_str(), "earlier" | "superseded" | "outdated" | "possibly-replaced")
    };
    let mut out: Vec<Quote> = Vec::new();
    for quote in passages.iter().filter(|quote| !is_past(quote)) {
        let stands = |at: &&usize| {
            let piece = &evidence.pieces[**at];
            evidence.parents[piece.parent].source == quote.source
                && quote.text.contains(&piece.text)
                && evidence.says_something(**at)
        };
        let score = |at: &usize| weighed.scores[*at];
        let best = taken.iter().filter(stands).max_by(|a, b| score(a).total_cmp(&score(b)));
        let Some(best) = best else { continue };
        let piece = &evidence.pieces[*best];
        let text = with_what_follows(evidence, *best);
        let is_told = |line: &Quote| line.source == quote.source && line.text == text;
        // A page that fits may have said something else then.
        let page_fits = || evidence.pieces.iter().any(|one| one.parent == piece.parent && fits(&one.text));
        let may_stand = match out.is_empty() {
            true => !dated || fits(&text) || page_fits(),
            false => fits(&text) && !out.iter().any(is_told),
        };
        if !may_stand {
            continue;
        }
        out.push(Quote { text, at: piece.at, voice: piece.voice, ..quote.clone() });
        // Each side of a dispute is a line of its own: they are not the same person's words.
        let mut told = piece.side;
        for at in 0..evidence.pieces.len() {
            let other = &evidence.pieces[at];
            let is_against = other.parent == piece.parent && other.side.is_some() && other.side != piece.side;
            if out.len() < LINES && piece.side.is_some() && is_against && other.side != told {
                told = other.side;
                let text = with_what_follows(evidence, at);
                out.push(Quote { text, at: other.at, voice: other.voice, ..quote.clone() });
            }
        }
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

/// Returns a piece with what follows it in the same standing, on one line; a reason behind what it is the reason of.
fn with_what_follows(evidence: &Evidence, at: usize) -> String {
    let piece = &evidence.pieces[at];
    let mut text = piece.text.clone();
    if piece.is_reason {
        let is_stated = |one: &&Piece| {
            one.parent == piece.parent && one.status == piece.status && !one.is_reason && !one.asks
        };
        let stated = evidence.pieces.iter().find(is_stated);
        text = stated.map_or(text, |stated| format!("{} {}", stated.text, reason(&piece.text)));
        return text.replace('\n', " ");
    }
    let goes_on = |next: &&Piece| {
        let is_beside = next.parent == piece.parent && next.side == piece.side;
        is_beside && next.status == piece.status && !next.asks
    };
    for next in evidence.pieces[at + 1..].iter().take_while(goes_on) {
        if text.chars().count() + next.text.chars().count() > LINE {
            break;
        }
        let next = if next.is_reason { reason(&next.text) } else { next.text.clone() };
        text = format!("{text} {next}");
    }
    text.replace('\n', " ")
}

/// Leads with what took the place of a piece that no longer holds, and the piece beside it; nothing where nothing did.
pub(crate) fn replacement(
    snapshot: &Snapshot<'_>,
    evidence: &Evidence,
    weighed: &Weighed,
    at: usize,
) -> Result<Vec<Quote>, SearchError> {
    let past = &evidence.pieces[at];
    let parent = &evidence.parents[past.parent];
    let before = Quote {
        text: past.text.replace('\n', " "),
        status: past.status.to_owned(),
        unreviewed: parent.unreviewed,
        source: parent.source.clone(),
        level: "entry",
        voice: parent.voice,
        at: past.at,
        score: weighed.scores[at],
        gist: String::new(),
        sequence: 0,
    };
    // The page itself may say what holds now.
    let stands = |other: &&usize| {
        let piece = &evidence.pieces[**other];
        piece.parent == past.parent && matches!(piece.status, "current" | "disputed")
    };
    let took = successor(snapshot, parent.source.as_str(), &past.text)?.and_then(|claim| {
        let title = format!("{}: ", parent.title);
        let own = |at: usize| evidence.pieces[at].text.as_str();
        let own = |at: usize| own(at).strip_prefix(&title).unwrap_or(own(at));
        let says = |at: &usize| stands(&at) && claim.contains(own(*at));
        Some(((0..evidence.pieces.len()).find(says)?, claim))
    });
    let nearest = || weighed.order.iter().find(stands).map(|at| (*at, evidence.pieces[*at].text.clone()));
    if let Some((at, text)) = took.or_else(nearest) {
        let now = &evidence.pieces[at];
        let (text, status) = (text.replace('\n', " "), now.status.to_owned());
        return Ok(vec![Quote { text, status, at: now.at, ..before.clone() }, before]);
    }
    let mut name = parent.source.clone();
    for _ in 0..REPLACED {
        let Some(card) = snapshot.card(&name)? else { break };
        let beside = snapshot.guard(Level::Entries, || company(snapshot, &card))?;
        let Some((_, newer)) = beside.into_iter().find(|(kind, _)| *kind == LinkKind::SupersededBy) else {
            break;
        };
        let entry = newer.entry;
        if matches!(entry.status, Status::Current | Status::Disputed) {
            let now = Quote {
                text: claimed(&entry).replace('\n', " "),
                status: entry.status.word().to_owned(),
                unreviewed: entry.is_unreviewed(),
                source: entry.id.to_string(),
                voice: voice_of(&entry),
                at: entry.last_heard().or(entry.created),
                ..before.clone()
            };
            return Ok(vec![now, before]);
        }
        name = entry.id.to_string();
    }
    Ok(Vec::new())
}

/// Finds what a page says that took the place of something in it, be it in several steps.
fn successor(snapshot: &Snapshot<'_>, page: &str, past: &str) -> Result<Option<String>, SearchError> {
    let Some(card) = snapshot.card(page)? else { return Ok(None) };
    let article = Article::parse(&card.entry.body);
    let newer = |text: &str| {
        let claim = article.claims().find(|claim| !claim.is_current() && claim.text.contains(text))?;
        match &claim.standing {
            Standing::Past { replaced_by, .. } => replaced_by.clone(),
            Standing::PossiblyReplaced { by, .. } => by.clone(),
            Standing::Current | Standing::Disputed { .. } => None,
        }
    };
    let steps = std::iter::successors(newer(past), |text| newer(text));
    Ok(steps.take(REPLACED).last())
}

/// What an entry says, in its first words.
fn claimed(entry: &Entry) -> String {
    let article = Article::parse(&entry.body);
    // In a dispute its own side stands first.
    let first = article.current().next().or(article.conflict.first());
    first.map_or_else(|| entry.title.clone(), |claim| claim.text.clone())
}

/// Puts beside the first line what stands against it or changes a part of it in an entry of its own: nobody is told one
/// side alone.
pub(crate) fn with_other_sides(
    snapshot: &Snapshot<'_>,
    mut lead: Vec<Quote>,
) -> Result<Vec<Quote>, SearchError> {
    let Some(first) = lead.first().filter(|quote| quote.level == "entry").cloned() else { return Ok(lead) };
    let Some(card) = snapshot.card(&first.source)? else { return Ok(lead) };
    for (kind, other) in snapshot.guard(Level::Entries, || company(snapshot, &card))?.into_iter().rev() {
        let entry = &other.entry;
        let stands = matches!(entry.status, Status::Current | Status::Disputed)
            && matches!(kind, LinkKind::Contradicts | LinkKind::QualifiedBy);
        let text = claimed(entry);
        let is_told = |quote: &Quote| {
            let is_a_side = quote.status == Status::Disputed.word();
            quote.source == entry.id.as_str() || quote.text == text && !is_a_side
        };
        if !stands || lead.iter().any(is_told) {
            continue;
        }
        let beside = Quote {
            text,
            status: entry.status.word().to_owned(),
            source: entry.id.to_string(),
            unreviewed: entry.is_unreviewed(),
            voice: voice_of(entry),
            at: entry.last_heard().or(entry.created),
            ..first.clone()
        };
        // What the first quotes of the other is told in the other's name.
        let quoted = lead.iter().position(|quote| quote.text == beside.text);
        if let Some(at) = quoted {
            lead.remove(at);
        }
        // What a person laid down holds until a person decides.
        let holds = entry.status == Status::Current && entry.rests_on_a_person();
        let leads = holds && kind == LinkKind::Contradicts && first.voice < Voice::Person;
        lead.insert(if leads { 0 } else { quoted.unwrap_or(1) }, beside);
    }
    lead.truncate(LINES);
    Ok(lead)
}
