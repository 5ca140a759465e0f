//! What two claims have in common, and why they are judged so, in words.

use super::compare::{Features, Order};
use super::judgement::Relation;

/// Tells how much two claims on one subject have in common.
///
/// Only the same sentence says the same; whatever else differs might be what matters.
pub(super) fn content(features: &Features) -> Relation {
    let on = |name: &str| features.get(name).is_some_and(|value| *value > 0.5);
    match (on("holds_known"), on("holds_arriving")) {
        // The same words in another order say which comes first, and the same of another thing is another claim.
        (true, true) if on("reordered") => Relation::Neighbours,
        (true, _) if on("other_subject") => Relation::Neighbours,
        (true, true) => Relation::Same,
        (true, false) => Relation::Refines,
        (false, _) => Relation::Neighbours,
    }
}

/// Puts the strongest evidence into words.
pub(super) fn reasons(relation: Relation, features: &Features, order: Order) -> Vec<String> {
    let get = |name: &str| features.get(name).copied().unwrap_or(0.0);
    let mut out = Vec::new();
    let mut say = |on: bool, words: &str| {
        if on {
            out.push(words.to_owned());
        }
    };
    match relation {
        Relation::Conflict => {
            let denies = get("turned") > 0.3 || get("denies_known").max(get("known_denies")) > 0.3;
            say(denies && get("both_deny") < 0.5, "the one affirms what the other denies");
            say(get("clause_value") >= 0.5, "it gives another value in the same sentence");
            say(get("names_old") > 0.5, "it names what held before");
            say(get("announced") > 0.5, "its words announce a change");
            say(order == Order::Later, "it was said later");
        }
        Relation::Same => say(true, "it says what is known already"),
        Relation::Refines => say(true, "it says what is known and adds detail"),
        Relation::Neighbours => {
            say(get("subject") > 0.5, "it is about the same subject");
            say(get("same_name") > 0.5, "it names the same thing");
            say(get("containment") > 0.3, "it shares the words that matter");
        }
        Relation::Apart => say(true, "nothing known is about the same subject"),
    }
    if out.is_empty() {
        out.push("taken together, the evidence says so".to_owned());
    }
    out
}
