//! The sides between which a person is to choose.

use lore_core::{Article, Claim, Entry, Standing, text};
use lore_store::Snapshot;
use serde::Serialize;

use super::apart;
use crate::Error;

/// One side of a dispute.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Side {
    /// Its number, from 1 on.
    pub number: usize,
    /// What it says.
    pub text: String,
    /// Who said it and when, in words.
    pub said: Option<String>,
}

/// Lists the sides of a dispute, within an entry or between entries.
pub(super) fn sides(snapshot: &Snapshot, entry: &Entry) -> Vec<Side> {
    let within = claims_in_question(&Article::parse(&entry.body));
    if within.is_empty() { apart::sides(snapshot, entry) } else { within }
}

/// Refuses where a number stands for another sentence than whoever chose it was shown.
pub(super) fn still_says(sides: &[Side], number: usize, says: &str) -> Result<(), Error> {
    if sides.iter().any(|side| side.number == number && text::clean(&side.text) == text::clean(says)) {
        return Ok(());
    }
    Err(Error::request("the sides changed since they were shown", "look at it again as it is now"))
}

pub(super) fn claims_in_question(article: &Article) -> Vec<Side> {
    let side = |(at, claim): (usize, &Claim)| Side {
        number: at + 1,
        text: claim.text.clone(),
        said: match &claim.standing {
            Standing::Disputed { said } => said.clone(),
            Standing::PossiblyReplaced { since: Some(since), .. } => {
                Some(format!("held before {}, possibly replaced since", since.date()))
            }
            _ => None,
        },
    };
    let (newer, older) = in_question(article);
    newer.into_iter().chain(older).enumerate().map(side).collect()
}

/// Lists the claims between which a person is to choose: the sides of a dispute, else what holds now
/// and what it seems to have replaced.
pub(crate) fn in_question(article: &Article) -> (Vec<&Claim>, Vec<&Claim>) {
    if !article.conflict.is_empty() {
        return (article.conflict.iter().collect(), Vec::new());
    }
    let replaces = |claim: &&Claim| {
        article.doubted.iter().any(|old| {
            matches!(&old.standing, Standing::PossiblyReplaced { by: Some(by), .. } if *by == claim.text)
        })
    };
    let newer: Vec<&Claim> = article.current().filter(replaces).collect();
    (newer, article.doubted.iter().collect())
}

/// Takes the claims in question out of the article: the one that is right, and the others.
pub(super) fn parted(article: &mut Article, right: usize) -> (Claim, Vec<Claim>) {
    let (newer, older) = in_question(article);
    let mut all: Vec<Claim> = newer.into_iter().chain(older).cloned().collect();
    article.conflict.clear();
    article.doubted.clear();
    for part in [&mut article.lead, &mut article.why, &mut article.facts] {
        part.retain(|claim| !all.contains(claim));
    }
    (all.remove(right), all)
}
