//! Two statements that look at odds and are not: the one is about some of what the other is about, or both forbid the same.

use std::collections::BTreeSet;

use super::compare::Side;
use super::lexicon::{self, Class};
use super::quantity;
use super::token::{is_stop, stem};

/// Words behind which stands for whom, where or when something holds.
const BEHIND: [&str; 14] =
    ["for", "of", "in", "on", "at", "to", "during", "from", "within", "inside", "by", "für", "para", "pour"];
/// Words that rule out everybody.
const NOBODY: [&str; 4] = ["nobody", "none", "noone", "niemand"];
/// Words that say how binding something is, and nothing of what it is about.
const BINDING: [&str; 12] =
    ["must", "may", "should", "shall", "can", "could", "be", "do", "does", "don't", "always", "ever"];
/// Words that forbid.
const FORBIDDING: [&str; 9] =
    ["no", "not", "never", "don't", "mustn't", "cannot", "can't", "shouldn't", "without"];

/// "Night ferries need 6 hands" and then "Ferries need 2 hands": the known one is about some of them, and says nothing else
/// but for the number.
pub(super) fn is_of_one_sort(known: &Side, arriving: &Side) -> bool {
    let (mine, theirs) = (known.in_english(), arriving.in_english());
    // "Due in 45 days" is no reason, "due to the tide" is.
    let is_reason = |at: &usize| {
        lexicon::is(&mine[*at], Class::Reason)
            && (mine[*at] != "due" || mine.get(at + 1).is_some_and(|next| next == "to"))
    };
    let mine = &mine[..(0..mine.len()).find(is_reason).unwrap_or(mine.len())];
    let tells = |word: &String| {
        !is_stop(word) && !is_number(word) && !quantity::is_unit(word) && !lexicon::is(word, Class::Verb)
    };
    let told: BTreeSet<String> = mine.iter().map(|word| stem(word)).collect();
    let said: BTreeSet<String> = theirs.iter().map(|word| stem(word)).collect();
    let numbers = |words: &[String]| words.iter().filter(|word| is_number(word)).cloned().collect::<Vec<_>>();
    let (held, given) = (numbers(mine), numbers(theirs));
    let goes_along = |at: usize| {
        let before = at.checked_sub(1).map(|at| mine[at].as_str());
        // "Night ferries", "to the islands".
        let names_a_sort = mine.get(at + 1).is_some_and(|next| tells(next) && said.contains(&stem(next)));
        let is_scope = mine[..at].iter().rev().take(2).any(|word| BEHIND.contains(&word.as_str()));
        names_a_sort && before.is_none_or(|word| !is_number(word)) || is_scope
    };
    let dropped: Vec<usize> =
        (0..mine.len()).filter(|at| tells(&mine[*at]) && !said.contains(&stem(&mine[*at]))).collect();
    held.len() == 1
        && given.len() == 1
        && held != given
        && !dropped.is_empty()
        && dropped.iter().all(|at| goes_along(*at))
        && theirs.iter().filter(|word| tells(word)).all(|word| told.contains(&stem(word)))
        && ![Class::Change, Class::Hint, Class::Remover, Class::Negator]
            .iter()
            .any(|class| arriving.reading.count(*class) > 0)
}

/// "Never ring at night" and "At night nobody rings", "only pilots may steer" and "nobody but pilots steers": the same is forbidden
/// in other words.
pub(super) fn forbids_the_same(known: &Side, arriving: &Side) -> bool {
    let (mine, theirs) = (Ban::of(known.in_english()), Ban::of(arriving.in_english()));
    let moved = |ban: &Ban| ban.opens_with_scope;
    mine.zip(theirs).is_some_and(|(mine, theirs)| {
        let sets = |ban: &Ban| ban.told.iter().cloned().collect::<BTreeSet<_>>();
        let same_order = mine.told == theirs.told;
        mine.only == theirs.only
            && mine.told.len() > 1
            && (same_order || sets(&mine) == sets(&theirs) && moved(&mine) != moved(&theirs))
    })
}

/// What a statement forbids, or lets only some do.
struct Ban {
    /// The stems of what it names, in order.
    told: Vec<String>,
    only: bool,
    opens_with_scope: bool,
}

impl Ban {
    /// Reads a statement that denies once, or says "only" and denies nothing.
    fn of(said: &[String]) -> Option<Ban> {
        let mut words: Vec<&str> = said.iter().map(String::as_str).collect();
        let but = |word: &str| matches!(word, "but" | "except" | "außer");
        let mut only = words.contains(&"only");
        if let Some(at) = (1..words.len()).find(|at| but(words[*at])) {
            let from = match words[at - 1] {
                word if NOBODY.contains(&word) => at - 1,
                "one" if at > 1 && words[at - 2] == "no" => at - 2,
                _ => return None,
            };
            words.drain(from..=at);
            only = true;
        }
        let denies = |word: &&&str| FORBIDDING.contains(word) || NOBODY.contains(word);
        let denials = words.iter().filter(denies).count();
        let is_ban = if only { denials == 0 } else { denials == 1 };
        let tells = |word: &&&str| {
            let small = is_stop(word) && !is_number(word);
            !small && !denies(word) && !BINDING.contains(word) && **word != "only"
        };
        let told: Vec<String> = words.iter().filter(tells).map(|word| stem(word)).collect();
        let opens_with_scope = words.first().is_some_and(|word| BEHIND.contains(word));
        is_ban.then_some(Ban { told, only, opens_with_scope })
    }
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit()) || crate::extract::terms::number_word(word).is_some()
}

#[cfg(test)]
mod tests {
    use lore_core::Kind;

    use super::super::statement::Statement;
    use super::*;

    fn side(text: &str) -> Side {
        Statement::plain(text, Kind::Fact).side_with(&|_| 1.0)
    }

    #[test]
    fn what_is_said_of_all_leaves_what_is_said_of_some() {
        let check = |known: &str, arriving: &str, expected: bool| {
            assert_eq!(is_of_one_sort(&side(known), &side(arriving)), expected, "{known} / {arriving}");
        };
        check("Night ferries need 6 hands.", "Ferries need 2 hands.", true);
        check("Tolls to the islands are due in 45 days.", "Tolls are due in 14 days.", true);
        check("Ferries need 6 hands.", "Ferries need 2 hands.", false);
        check("Ferries need 2 hands.", "Night ferries need 6 hands.", false);
        check("Night ferries need 6 hands.", "From now on ferries need 2 hands.", false);
        check("Night ferries need 6 hands.", "Cranes need 2 hands.", false);
        check("Ferries need 6 hands because of the tide.", "Ferries need 2 hands.", false);
    }

    #[test]
    fn the_same_forbidden_in_other_words_is_the_same() {
        let check = |known: &str, arriving: &str, expected: bool| {
            assert_eq!(forbids_the_same(&side(known), &side(arriving)), expected, "{known} / {arriving}");
        };
        check("Never ring on Sundays.", "On Sundays nobody rings.", true);
        check("Cranes must not block the pier.", "No crane blocks the pier.", true);
        check("Only pilots may steer ferries.", "Nobody but pilots may steer ferries.", true);
        check("Only pilots may steer ferries.", "No one except pilots steers ferries.", true);
        check("Never ring on Sundays.", "On Sundays everybody rings.", false);
        check("Only pilots may steer ferries.", "Nobody may steer ferries.", false);
        check("No crane blocks the pier.", "No pier blocks the crane.", false);
        check("Never ring on Sundays.", "Never ring on Mondays.", false);
    }
}
