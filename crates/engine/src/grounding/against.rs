//! What stands against a wish: rules and decisions that it does not keep to.

use std::collections::BTreeSet;

use lore_core::{Article, Claim, Entry, Kind, Status, Voice};
use lore_distill::curate::Against;
use lore_ground::prompt::only_asks;
use serde::{Deserialize, Serialize};

use super::held::held;
use crate::curate::known_at;
use crate::{Engine, Error};

/// What lays something down. Facts are changed by work, and nobody has to be asked.
const LAYS_DOWN: [Kind; 4] = [Kind::Decision, Kind::Preference, Kind::Limitation, Kind::Architecture];
/// So many entries are held against each sentence of a wish, and so many sentences are looked at.
const NEAR: usize = 6;
const LINES: usize = 30;

/// An entry that a wish does not keep to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opposing {
    /// The entry, in short.
    pub id: String,
    /// What it says.
    pub says: String,
    /// What is wanted.
    pub wanted: String,
    /// Whether it forbids that, or says another value.
    pub forbids: bool,
}

impl Opposing {
    /// Says it without anybody's words.
    pub fn short(&self) -> String {
        format!("{} {}", self.id, if self.forbids { "rules this out" } else { "says otherwise" })
    }

    /// Says both sides in a sentence.
    pub fn line(&self) -> String {
        format!("{}: “{}”; wanted is “{}”", self.short(), self.says, self.wanted)
    }
}

impl Engine {
    /// Lists what stands against a wish or a plan; a question wants nothing.
    pub(crate) fn against(&self, wish: &str) -> Result<Vec<Opposing>, Error> {
        // What a person laid down holds until a person decides, whoever says otherwise meanwhile.
        let holds = |entry: &Entry| entry.status == Status::Disputed && entry.rests_on_a_person();
        Ok(self.opposing(wish, &holds)?.into_iter().map(|(_, opposing)| opposing).collect())
    }

    /// The same with the entries; which disputed ones count is for the caller to say.
    pub(crate) fn opposing(
        &self,
        wish: &str,
        though_disputed: &dyn Fn(&Entry) -> bool,
    ) -> Result<Vec<(Entry, Opposing)>, Error> {
        if only_asks(wish) {
            return Ok(Vec::new());
        }
        let snapshot = self.store.snapshot()?;
        let lines: Vec<&str> = wish.lines().filter(|line| !line.trim().is_empty()).take(LINES).collect();
        let found = known_at(self.store.work(), &snapshot, |known| {
            let mut seen = BTreeSet::new();
            let mut found = Vec::new();
            for entry in lines.iter().flat_map(|line| known.similar(line, NEAR)) {
                let holds = entry.status == Status::Current || though_disputed(&entry);
                // What a person handed in may be an order, whatever it was filed as.
                let is_told = entry.kind == Kind::Fact && entry.rests_on_a_person();
                let holds = holds && (is_told || LAYS_DOWN.contains(&entry.kind));
                if !holds || !seen.insert(entry.id.clone()) {
                    continue;
                }
                let article = Article::parse(&entry.body);
                let disputed = article.conflict.iter().filter(|claim| is_said_by_a_person(claim, &entry));
                let against = article.current().chain(disputed).find_map(|claim| {
                    let (how, part) = held(wish, &claim.text, known)?;
                    let counts = LAYS_DOWN.contains(&entry.kind) || orders(how, &claim.text);
                    counts.then(|| (how, part, claim.text.clone()))
                });
                if let Some((how, wanted, says)) = against {
                    let opposing = Opposing {
                        id: lore_core::handle::shown(entry.id.as_str()),
                        says,
                        wanted: wanted.trim().to_owned(),
                        forbids: how == Against::Forbidden,
                    };
                    found.push((entry, opposing));
                }
            }
            found
        });
        Ok(found)
    }
}

/// Tells whether a fact is an order that a wish breaks: how things are is changed by work, what has to be is not.
fn orders(how: Against, claim: &str) -> bool {
    const HAS_TO_BE: [&str; 8] = ["must", "need", "needs", "require", "requires", "always", "never", "only"];
    let mut words = claim.split(|c: char| !c.is_alphanumeric());
    how == Against::Forbidden || words.any(|word| HAS_TO_BE.contains(&word.to_lowercase().as_str()))
}

/// Tells whether a person stands behind a claim; one without sources was written by hand.
fn is_said_by_a_person(claim: &Claim, entry: &Entry) -> bool {
    let mut sources =
        entry.sources.iter().filter(|source| source.id.as_ref().is_some_and(|id| claim.sources.contains(id)));
    claim.sources.is_empty() || sources.any(|source| source.voice == Voice::Person)
}
