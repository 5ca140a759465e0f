//! Pages in the place of the words they were made of.

use lore_core::{Article, Entry, Status};

use super::rank::{Unit, What, terms, within};
use crate::filter::LookUp;
use crate::reader::{SearchError, Snapshot};
use crate::said::PassageHit;

/// A quotation that has more of a statement's words is where the statement was made.
const MADE: f64 = 0.6;

/// Finds the page that was made of a quotation.
///
/// A page's own words may fit a prompt less well than the longer ones it was made of. Where those are near
/// enough to be shown, the page is what an agent should see: it was checked, is shorter and can be looked up.
pub(super) fn made_of(
    snapshot: &Snapshot<'_>,
    hit: &PassageHit,
    quote: &Unit,
) -> Result<Option<Unit>, SearchError> {
    let record = LookUp::Record(hit.passage.session.clone(), hit.passage.line);
    let mut pages = snapshot.find(&[record])?.into_iter();
    let page = pages.find(|card| card.entry.status == Status::Current && is_made_of(&card.entry, quote));
    Ok(page.map(|card| Unit { what: What::Entry(Box::new(card)), score: quote.score }))
}

fn is_made_of(entry: &Entry, unit: &Unit) -> bool {
    let What::Said { quote, terms: quoted } = &unit.what else { return false };
    let article = Article::parse(&entry.body);
    let mut claims = article
        .current()
        .filter(|claim| entry.sources_of(claim).any(|source| source.resource == quote.source));
    claims.any(|claim| within(&terms(&claim.text), quoted) > MADE)
}
