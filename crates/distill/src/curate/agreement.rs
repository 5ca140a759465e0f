//! Statements that look at odds and agree: one goes on where the other ends, both deny the same, or the known one holds for a
//! part of what the other speaks of.

use std::collections::BTreeSet;

use super::compare::Side;
use super::difference::Difference;
use super::lexicon::{self, Class};
use super::reading::Term;
use super::token::{Form, is_stop, stem};
use super::told::is_scoped_away;

/// Words behind which stands for what, or where, something holds.
const SCOPES: [&str; 9] = ["for", "of", "in", "on", "at", "during", "from", "within", "inside"];
/// The noun stands within so many words behind them.
const WITHIN: usize = 3;
/// Words that say nothing of what is meant when they are all that is left.
const EMPTY: [&str; 10] =
    ["all", "every", "each", "now", "general", "default", "total", "currently", "any", "today"];

/// "Tickets are good for 20 days", "tickets are good for 20 days; crews are told a day before": all that is known is said again,
/// and something that takes nothing of it back.
pub(super) fn goes_on(known: &Side, arriving: &Side) -> bool {
    let (mine, theirs) = (known.in_english(), arriving.in_english());
    if mine.is_empty() || theirs.len() <= mine.len() {
        return false;
    }
    let Some(at) = theirs.windows(mine.len()).position(|run| run == mine) else { return false };
    let mut rest = theirs[..at].iter().chain(&theirs[at + mine.len()..]);
    let takes_back = |word: &String| {
        let word = word.replace('\'', "");
        [Class::Change, Class::Remover, Class::Negator, Class::Hint, Class::Exception]
            .into_iter()
            .any(|class| lexicon::is(&word, class))
            || matches!(word.as_str(), "was" | "were" | "but" | "only" | "until" | "used" | "wrong")
    };
    !rest.any(takes_back)
}

/// "Crew lists are burnt after 24 months", "we burn crew lists after two years": the same measures, and nothing taken back.
pub(super) fn measures_the_same(known: &Side, arriving: &Side) -> bool {
    let changes = |class: &Class| arriving.reading.count(*class) > 0;
    let denies = arriving.reading.count(Class::Negator) != known.reading.count(Class::Negator);
    known.measured.gives_the_same(&arriving.measured)
        && !denies
        && ![Class::Change, Class::Remover, Class::Hint].iter().any(changes)
}

/// "We moved from brass to iron", "the bolts are of iron, not of brass": what the one denies the other denies too, and all that it
/// names is known.
pub(super) fn is_of_one_mind(known: &Side, arriving: &Side) -> bool {
    let names = |side: &'_ Side, denied: bool| -> BTreeSet<String> {
        let named = side.reading.terms.iter().filter(|term| !term.part && term.denied == denied);
        named.filter(|term| term.form != Form::Word).map(|term| term.stem.clone()).collect()
    };
    let (gone, held) = (names(arriving, true), names(arriving, false));
    let (known_gone, known_held) = (names(known, true), names(known, false));
    !gone.is_empty() && !held.is_empty() && gone.is_subset(&known_gone) && held.is_subset(&known_held)
}

/// "Boats of guests leave at nine", "boats now leave at ten": the known one is about some of what the other speaks of, and that
/// says nothing which the known one does not name.
pub(super) fn is_of_a_part(known: &Side, arriving: &Side) -> bool {
    // Who gives something up gives it up for all that it was for.
    let gives_up = |side: &Side| side.reading.count(Class::Negator) + side.reading.count(Class::Remover) > 0;
    if gives_up(known) || gives_up(arriving) {
        return false;
    }
    let (mine, theirs) = (known.in_english(), arriving.in_english());
    // A reason is no scope.
    let reason = mine.iter().position(|word| lexicon::is(word, Class::Reason)).unwrap_or(mine.len());
    let mine = &mine[..reason];
    let told: BTreeSet<String> = theirs.iter().map(|word| stem(word)).collect();
    let spoken: BTreeSet<String> = mine.iter().map(|word| stem(word)).collect();
    let (own, others) = (scopes(mine), scopes(theirs));
    // "In the shed" and "in the boat" are two values of one place.
    let is_another = |word: &str| others.iter().any(|(same, _)| *same == word);
    let has_own = own
        .iter()
        .any(|(word, told_of)| !is_another(word) && told_of.iter().any(|stem| !told.contains(stem)));
    // What follows the scope of the known one is all that tells them apart, but for the value.
    let is_general = others.iter().all(|(_, told_of)| told_of.iter().all(|stem| spoken.contains(stem)));
    let value = |term: &Term| {
        term.form == Form::Number || term.form == Form::Name || lexicon::is_in_a_set(&term.stem)
    };
    let mut shared = 0;
    let says_the_rest = arriving.reading.terms.iter().filter(|term| !term.part).all(|term| {
        let is_known = known.reading.terms.iter().any(|known| known.stem == term.stem);
        shared += usize::from(is_known && !value(term));
        is_known
            || value(term)
            || [Class::Change, Class::Hint, Class::Verb]
                .iter()
                .any(|class| lexicon::is_stem(&term.stem, *class))
    });
    has_own && is_general && says_the_rest && shared > 0
}

/// Lists the words that say for what, or where, something holds, each with the stems of what stands behind it.
fn scopes(said: &[String]) -> Vec<(&str, Vec<String>)> {
    let opens = |at: &usize| SCOPES.contains(&said[*at].as_str());
    let behind = |at: usize| {
        let inner = said[at + 1..].iter().take(WITHIN).take_while(|word| !SCOPES.contains(&word.as_str()));
        let stems = inner.filter(|word| is_telling(word)).map(|word| stem(word)).collect();
        (said[at].as_str(), stems)
    };
    (0..said.len()).filter(opens).map(behind).collect()
}

/// "The barge runs on oil 4", "the ferry now runs on oil 9": the same is said of something else.
pub(super) fn is_said_of_another(known: &Side, arriving: &Side) -> bool {
    let part = |side: &'_ Side, wanted: &dyn Fn(&Term) -> bool| -> BTreeSet<String> {
        let terms = side.reading.terms.iter().filter(|term| !term.part && term.clause == 0 && wanted(term));
        terms.map(|term| term.stem.clone()).collect()
    };
    let says = |term: &Term| {
        ![Class::Hint, Class::Change].iter().any(|class| lexicon::is_stem(&term.stem, *class))
            && term.form != Form::Number
    };
    let head = |term: &Term| term.head && says(term);
    let rest = |term: &Term| !term.head && says(term);
    let (one, other) = (part(known, &head), part(arriving, &head));
    let (of_one, of_other) = (part(known, &rest), part(arriving, &rest));
    let named_at_all = |these: &BTreeSet<String>, side: &Side| {
        side.reading.terms.iter().any(|term| these.contains(&term.stem))
    };
    !one.is_empty()
        && !other.is_empty()
        && !named_at_all(&one, arriving)
        && !named_at_all(&other, known)
        && verb(known).is_some_and(|own| verb(arriving) == Some(own))
        && !of_one.is_empty()
        && of_one == of_other
}

/// The verb of a statement, where it says more than that something is.
fn verb(side: &Side) -> Option<String> {
    let told = side.in_english().iter().find(|word| lexicon::is(word, Class::Verb))?;
    (!is_stop(told)).then(|| stem(told))
}

/// "We don't keep the names of guests", "we keep the names of pilots": the same deed, and another's.
pub(super) fn is_of_others(known: &Side, arriving: &Side) -> bool {
    let complements = |side: &Side| -> Vec<(String, BTreeSet<String>)> {
        let said = side.in_english();
        let of = |at: usize| matches!(said[at].as_str(), "of" | "for");
        (1..said.len())
            .filter(|at| of(*at) && !is_stop(&said[*at - 1]))
            .map(|at| {
                let behind = said[at + 1..].iter().take_while(|word| !SCOPES.contains(&word.as_str()));
                let whose = behind.take(WITHIN).filter(|word| is_telling(word)).map(|word| stem(word));
                (stem(&said[at - 1]), whose.collect())
            })
            .filter(|(_, whose): &(String, BTreeSet<String>)| !whose.is_empty())
            .collect()
    };
    let (mine, theirs) = (complements(known), complements(arriving));
    mine.iter().any(|(thing, whose)| {
        theirs.iter().any(|(same, others)| {
            let named = |word: &String| arriving.in_english().iter().any(|said| stem(said) == *word);
            same == thing && whose.is_disjoint(others) && !whose.iter().any(named)
        })
    })
}

/// "Only in the bay, the rest stays as it is": who says so narrows what is known.
pub(super) fn leaves_the_rest(arriving: &Side) -> bool {
    let said = arriving.in_english();
    let rest = |pair: &[String]| {
        matches!(pair[0].as_str(), "rest" | "others" | "else")
            && matches!(
                pair[1].as_str(),
                "stays" | "stay" | "remains" | "remain" | "keeps" | "keep" | "is" | "are"
            )
    };
    said.windows(2).any(rest)
        && said.iter().any(|word| {
            matches!(
                word.as_str(),
                "stays" | "stay" | "remains" | "remain" | "keeps" | "keep" | "unchanged" | "before"
            )
        })
}

fn is_telling(word: &str) -> bool {
    !is_stop(word)
        && !EMPTY.contains(&word)
        && !word.starts_with(|c: char| c.is_ascii_digit())
        && !lexicon::is(word, Class::Verb)
        && !super::quantity::is_unit(word)
}

/// "Never sail at night", "sailing at night is fine in the bay": an exception beside the rule, unless it says "now".
pub(super) fn is_allowed_somewhere(known: &Side, arriving: &Side) -> bool {
    known.reading.count(Class::Negator) > 0
        && arriving.reading.count(Class::Permission) > 0
        && arriving.reading.count(Class::Negator) == 0
        && is_scoped_away(&known.said, &arriving.said)
}

/// "The lamp is lit at six, since it is dark by then": all that is known is said again, and why it is so.
pub(super) fn says_why(known: &Side, arriving: &Side, difference: &Difference) -> bool {
    let numbers = |side: &Side| -> BTreeSet<String> {
        side.reading.of_form(Form::Number).map(|term| term.stem.clone()).collect()
    };
    difference.holds_known
        && difference.turned <= 0.0
        && !difference.announced
        && arriving.reading.count(Class::Reason) > 0
        && numbers(known).is_subset(&numbers(arriving))
}

#[cfg(test)]
mod tests {
    use lore_core::Kind;

    use super::super::statement::Statement;
    use super::*;

    fn both(known: &str, arriving: &str) -> (Side, Side) {
        let side = |text: &str| Statement::plain(text, Kind::Fact).side_with(&|_| 1.0);
        (side(known), side(arriving))
    }

    #[test]
    fn what_is_said_again_and_goes_on_takes_nothing_back() {
        let check = |known: &str, arriving: &str, expected: bool| {
            let (known, arriving) = both(known, arriving);
            assert_eq!(goes_on(&known, &arriving), expected, "{:?}", arriving.said);
        };
        check(
            "Lanterns burn for 40 minutes.",
            "Lanterns burn for 40 minutes; the keeper rings 5 minutes before.",
            true,
        );
        check("Lanterns burn for 40 minutes.", "Lanterns burn for 40 minutes on the pier.", true);
        check("Lanterns burn for 40 minutes.", "Lanterns burn for 40 minutes no longer.", false);
        check("Lanterns burn for 40 minutes.", "Lanterns burn for 90 minutes.", false);
    }

    #[test]
    fn who_denies_the_same_agrees() {
        let check = |known: &str, arriving: &str, expected: bool| {
            let (known, arriving) = both(known, arriving);
            assert_eq!(is_of_one_mind(&known, &arriving), expected, "{:?}", arriving.said);
        };
        check("We moved from Brass to Copper for bolts.", "The bolts are from Copper, not Brass.", true);
        check("We use Brass for bolts.", "The bolts are from Copper, not Brass.", false);
    }

    #[test]
    fn what_holds_for_a_part_stays_when_the_whole_changes() {
        let check = |known: &str, arriving: &str, expected: bool| {
            let (known, arriving) = both(known, arriving);
            assert_eq!(is_of_a_part(&known, &arriving), expected, "{:?}", arriving.said);
        };
        check("The toll for barges is 7 %.", "The toll is now 21 %.", true);
        check("We use Brass 6 in the bay.", "We now use Brass 8.", true);
        check("Crates of guests are limited to 200 kg.", "Crates are now limited to 50 kg.", true);
        check("The toll is 19 %.", "The toll is now 21 %.", false);
        check("The toll for barges is 7 %.", "The toll for barges is now 9 %.", false);
        check("The toll for barges is 7 %.", "Barges now pay a toll of 9 %.", false);
        check(
            "Use Brass for all bolts, because it is checked in the yard.",
            "Move all bolts to Copper.",
            false,
        );
        check("Use Brass in the bay.", "Use Copper. Brass no longer works.", false);
        check("The charts hang in the office.", "The charts hang in the boathouse now.", false);
    }

    #[test]
    fn the_same_of_something_else_stands_beside() {
        let (known, arriving) = both("The barge runs on Oil 18.", "The ferry now runs on Oil 22.");
        assert!(is_said_of_another(&known, &arriving));
        let (known, arriving) = both("The barge runs on Oil 18.", "The barge now runs on Oil 22.");
        assert!(!is_said_of_another(&known, &arriving));
        let (known, arriving) =
            both("We don't write down names of guests.", "We write down the names of the pilots.");
        assert!(is_of_others(&known, &arriving));
        let (known, arriving) =
            both("We don't write down names of guests.", "We write down the names of guests now.");
        assert!(!is_of_others(&known, &arriving));
    }
}
