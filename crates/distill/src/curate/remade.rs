//! What became of a thing: several were made one, one was brought to another version, somebody else has its charge.

use super::token::stem;
use crate::extract::flaws::is_plain_verb;
use crate::extract::terms::is_common;
use crate::extract::terms::number_word;

/// Verbs by which several things become one, or one several.
const MADE_INTO: [&str; 16] = [
    "merged",
    "folded",
    "combined",
    "joined",
    "consolidated",
    "unified",
    "collapsed",
    "rolled",
    "split",
    "broken",
    "broke",
    "divided",
    "rewrote",
    "rewritten",
    "turned",
    "converted",
];
/// Verbs by which one thing gets another version.
const RAISED: [&str; 11] = [
    "upgraded",
    "upgrade",
    "updated",
    "bumped",
    "bump",
    "moved",
    "went",
    "downgraded",
    "jumped",
    "raised",
    "lifted",
];
/// Words that say since when.
const SINCE: [&str; 12] = [
    "now",
    "today",
    "since",
    "nowadays",
    "finally",
    "meanwhile",
    "agora",
    "ahora",
    "jetzt",
    "maintenant",
    "ora",
    "nu",
];
/// Words of who does something, or to whom one goes with it.
const CHARGES: [&str; 26] = [
    "owns",
    "own",
    "owner",
    "maintains",
    "leads",
    "manages",
    "reviews",
    "approves",
    "handles",
    "answers",
    "ask",
    "asks",
    "go",
    "goes",
    "ping",
    "contact",
    "responsible",
    "charge",
    "care",
    "decides",
    "takes",
    "tag",
    "runs",
    "does",
    "signs",
    "looks",
];
/// Short names by which everybody calls a thing, and what it is.
const SHORT: [(&str, &str); 8] = [
    ("k8s", "kubernetes"),
    ("postgres", "postgresql"),
    ("js", "javascript"),
    ("ts", "typescript"),
    ("tf", "terraform"),
    ("elastic", "elasticsearch"),
    ("mongo", "mongodb"),
    ("golang", "go"),
];

fn same(one: &str, other: &str) -> bool {
    let whole = |word: &str| {
        SHORT.iter().find(|(short, _)| *short == word).map_or(word, |(_, whole)| *whole).to_owned()
    };
    one == other || stem(one) == stem(other) || whole(one) == whole(other)
}

fn is_told(known: &[String], word: &str) -> bool {
    known.iter().any(|known| same(known, word))
}

fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit())
}

/// A word that says what a sentence is about.
fn tells(word: &str) -> bool {
    word.chars().count() > 2 && !is_common(word) && !is_number(word)
}

/// "Merged the east and the west list into one ledger": all that was made into something else is known, and what it became is
/// not.
pub(super) fn makes_into(known: &[String], arriving: &[String]) -> bool {
    let Some(verb) = arriving.iter().position(|word| MADE_INTO.contains(&word.as_str())) else {
        return false;
    };
    let Some(into) = arriving[verb..].iter().position(|word| word == "into").map(|at| at + verb) else {
        return false;
    };
    let before = if into == verb + 1 { &arriving[..verb] } else { &arriving[verb + 1..into] };
    let mut what = before.iter().filter(|word| tells(word)).peekable();
    what.peek().is_some()
        && what.all(|word| is_told(known, word))
        && arriving[into + 1..].iter().take(4).any(|word| tells(word) && !is_told(known, word))
}

/// "The crane runs version 3", "upgraded the crane to 4.1": another version of what is known in one.
pub(super) fn brings_to_another_version(known: &[String], arriving: &[String]) -> bool {
    let raised = arriving.iter().position(|word| RAISED.contains(&word.as_str()));
    let announced = arriving.iter().any(|word| SINCE.contains(&word.as_str()))
        || arriving.windows(2).any(|pair| pair[0] == "as" && pair[1] == "of");
    let old: Vec<&String> = known.iter().filter(|word| is_number(word)).collect();
    let new: Vec<usize> = (1..arriving.len()).filter(|at| is_number(&arriving[*at])).collect();
    let ([old], [new]) = (old.as_slice(), new.as_slice()) else { return false };
    if arriving[*new] == **old {
        return false;
    }
    // "Brass 9", "Brass 13": the number stands right behind the same name in both.
    let named = |said: &[String], at: usize| said.get(at.wrapping_sub(1)).filter(|word| tells(word)).cloned();
    let place = known.iter().position(|word| word == *old).unwrap_or_default();
    let of_one_name = matches!((named(known, place), named(arriving, *new)), (Some(one), Some(other)) if same(&one, &other));
    // Berth 843 is a place; versions are small, or have a point.
    let is_version = |word: &str| word.contains('.') || word.parse::<u32>().is_ok_and(|number| number < 100);
    let Some(verb) = raised.filter(|verb| verb < new) else {
        return announced && of_one_name && is_version(old) && is_version(&arriving[*new]);
    };
    let to = arriving[verb..*new].iter().rposition(|word| word == "to").map(|at| at + verb);
    let of_it = || {
        let thing = to.map_or(&arriving[verb + 1..*new], |to| &arriving[verb + 1..to]);
        let mut thing = thing.iter().filter(|word| tells(word)).peekable();
        thing.peek().is_some() && thing.all(|word| is_told(known, word))
    };
    of_one_name || to.is_some_and(|to| to + 1 == *new) && of_it()
}

/// "Questions about the tide go to Ada", "Bea answers questions about the tide": somebody else is who one goes to.
pub(super) fn has_another_charge(known: &[String], arriving: &[String]) -> bool {
    let charges = |said: &[String]| said.iter().any(|word| CHARGES.contains(&word.as_str()));
    let about = |said: &[String]| -> Vec<String> {
        let told = said.iter().filter(|word| tells(word) && !CHARGES.contains(&word.as_str()));
        told.map(|word| stem(word)).collect()
    };
    let (mine, theirs) = (about(known), about(arriving));
    let own = |these: &[String], those: &[String]| these.iter().filter(|word| !those.contains(word)).count();
    let shared = theirs.iter().filter(|word| mine.contains(word)).count();
    // "Ada handed the tide tables over to Bea".
    let hands_over = arriving.iter().position(|word| {
        matches!(word.as_str(), "handed" | "passed" | "gave" | "hands" | "passes" | "transferred")
    });
    let handed = hands_over.is_some_and(|at| {
        let what = arriving[at + 1..].iter().take_while(|word| *word != "to");
        let mut what = what.filter(|word| tells(word) && *word != "over").peekable();
        let from = arriving[..at].iter().any(|word| is_told(known, word));
        from && what.peek().is_some() && what.all(|word| is_told(known, word))
    });
    handed
        || charges(known)
            && charges(arriving)
            && shared >= 2
            && own(&mine, &theirs) == 1
            && own(&theirs, &mine) == 1
}

/// Tells whether two sentences bound the same thing from two sides: "at least 4 boats", "9 boats at most", "full with 9".
pub(super) fn bound_two_sides(known: &[String], arriving: &[String]) -> bool {
    const LEAST: [&str; 5] = ["least", "minimum", "min", "fewest", "smallest"];
    const MOST: [&str; 9] =
        ["most", "maximum", "max", "full", "limit", "cap", "biggest", "largest", "capped"];
    let has = |said: &[String], words: &[&str]| said.iter().any(|word| words.contains(&word.as_str()));
    let one_side = |one: &[String], other: &[String]| {
        has(one, &LEAST) && has(other, &MOST) && !has(one, &MOST) && !has(other, &LEAST)
    };
    // "Never below 4 knots", "never above 9".
    let below =
        |said: &[String]| has(said, &["below", "under", "less"]) && has(said, &["never", "not", "no"]);
    let above = |said: &[String]| has(said, &["above", "over", "more"]) && has(said, &["never", "not", "no"]);
    // "At least 5 minutes", "no more than an hour".
    let least = |said: &[String]| has(said, &["least", "minimum", "min"]) && !above(said);
    one_side(known, arriving)
        || one_side(arriving, known)
        || least(known) && above(arriving) && !has(arriving, &LEAST)
        || above(known) && least(arriving) && !has(known, &LEAST)
        || below(known) && above(arriving) && !above(known)
        || above(known) && below(arriving) && !below(known)
}

/// "Always ring the bell before a boat leaves": the order of two things.
pub(super) fn says_what_is_first(said: &[String]) -> bool {
    said.iter().any(|word| matches!(word.as_str(), "before" | "until" | "first"))
}

/// "An exam has 40 questions", "55 questions": so many of something, and now so many, of the same.
pub(super) fn recounts(known: &[String], arriving: &[String]) -> bool {
    let counts =
        |word: &str| word.chars().all(|c| c.is_ascii_digit()) || word == "one" || number_word(word).is_some();
    let counted = |said: &'_ [String]| -> Option<(String, String)> {
        let mut pairs = said.windows(2).filter(|pair| counts(&pair[0]) && tells(&pair[1]));
        let first = pairs.next()?;
        (pairs.next().is_none()).then(|| (first[0].clone(), stem(&first[1])))
    };
    let (Some((one, thing)), Some((other, same))) = (counted(known), counted(arriving)) else { return false };
    let about = |word: &&String| tells(word) && stem(word) != thing;
    one != other && thing == same && arriving.iter().any(|word| about(&word) && is_told(known, word))
}

/// "The ferry calls at berth 20", "the ferry left berth 20 and had to go to berth 15": the number that held, and another.
pub(super) fn goes_to_another_number(known: &[String], arriving: &[String]) -> bool {
    let numbers =
        |said: &[String]| -> Vec<usize> { (0..said.len()).filter(|at| is_number(&said[*at])).collect() };
    let (mine, theirs) = (numbers(known), numbers(arriving));
    let ([old], [first, second]) = (mine.as_slice(), theirs.as_slice()) else { return false };
    let (old, first, second) = (*old, *first, *second);
    let (gone, come) = (&arriving[first], &arriving[second]);
    let joins =
        arriving[first + 1..second].iter().any(|word| matches!(word.as_str(), "so" | "therefore" | "hence"))
            && arriving[..second]
                .last()
                .is_some_and(|word| matches!(word.as_str(), "to" | "port" | "on" | "at" | "with"));
    *gone == known[old]
        && come != gone
        && joins
        && arriving.iter().any(|word| tells(word) && is_told(known, word))
}

/// "The list closes at 80 people", "no more than 80 people get onto the list": the same bound, said by what is beyond it.
pub(super) fn bounds_again(known: &[String], arriving: &[String]) -> bool {
    let numbers =
        |said: &'_ [String]| -> Vec<String> { said.iter().filter(|word| is_number(word)).cloned().collect() };
    let beyond =
        arriving.windows(2).any(|two| {
            matches!(two[0].as_str(), "no" | "not" | "nothing" | "nobody" | "none")
                && matches!(
                    two[1].as_str(),
                    "more" | "less" | "below" | "under" | "above" | "over" | "older" | "later"
                )
        }) || arriving.windows(3).any(|three| three[0] == "as" && three[1] == "it" && three[2] == "gets");
    let (mine, theirs) = (numbers(known), numbers(arriving));
    beyond && !mine.is_empty() && mine == theirs
}

/// "No boat leaves before the bell rang", "nobody sails without a pilot": what has to be, said by what must not be without it.
pub(super) fn demands_first(said: &[String]) -> bool {
    let denies = |word: &String| matches!(word.as_str(), "no" | "nobody" | "never" | "nothing" | "none");
    said.iter().take(3).any(denies)
        && said.iter().skip(2).any(|word| matches!(word.as_str(), "before" | "without" | "unless" | "until"))
}

/// "The east crane runs on oil", "we took the oil out of the west crane": another one of what bears the same name.
pub(super) fn speaks_of_another(known: &[String], arriving: &[String]) -> bool {
    const NO_KIND: &str = "old new all each every any both same whole main current existing default other";
    let is_kind = |word: &str| tells(word) && !NO_KIND.split(' ').any(|no| no == word);
    // Behind an article, or as the first word of all: "swapped oil" is what was done with it.
    let article = |said: &[String], at: usize| at > 1 && matches!(said[at - 2].as_str(), "the" | "our");
    let of_kind = |said: &'_ [String], at: usize| {
        let opens = at == 1 && !is_plain_verb(&said[0]);
        (opens || article(said, at)) && tells(&said[at]) && is_kind(&said[at - 1])
    };
    (1..arriving.len()).filter(|at| of_kind(arriving, *at)).any(|ref at| {
        let place = known.iter().position(|word| same(word, &arriving[*at]));
        place.is_some_and(|place| {
            of_kind(known, place)
                && (article(known, place) || article(arriving, *at))
                && !is_told(known, &arriving[*at - 1])
                && !is_told(arriving, &known[place - 1])
        })
    })
}

/// "Hive 1 sends every 10 minutes", "hive 2 sends every 2 hours": the same of the next in a series.
pub(super) fn counts_another(known: &[String], arriving: &[String]) -> bool {
    let numbers = |said: &[String]| said.iter().filter(|word| is_number(word)).count();
    let is_place = |word: &str| word.len() < 3 && word.chars().all(|c| c.is_ascii_digit());
    let of = |said: &'_ [String]| -> Vec<(String, String)> {
        let pairs = said.windows(2).filter(|pair| is_place(&pair[1]) && tells(&pair[0]));
        pairs.map(|pair| (stem(&pair[0]), pair[1].clone())).collect()
    };
    let (mine, theirs) = (of(known), of(arriving));
    numbers(known) > 1
        && numbers(arriving) > 1
        && mine.iter().any(|(thing, place)| theirs.iter().any(|(other, at)| other == thing && at != place))
}

#[cfg(test)]
mod tests {
    use super::super::slot::plain_words;
    use super::*;

    fn both(known: &str, arriving: &str) -> (Vec<String>, Vec<String>) {
        (plain_words(known), plain_words(arriving))
    }

    #[test]
    fn what_was_made_into_something_else_is_no_more() {
        let check = |known: &str, arriving: &str, expected: bool| {
            let (known, arriving) = both(known, arriving);
            assert_eq!(makes_into(&known, &arriving), expected, "{arriving:?}");
        };
        let known = "There are two lists, east.book and west.book.";
        check(known, "merged east.book and west.book into one ledger", true);
        check(known, "we merged the crane branch into the harbour", false);
        check(known, "east.book and west.book were merged into a ledger", true);
        check(known, "looked into the lists", false);
    }

    #[test]
    fn another_version_is_another() {
        let check = |known: &str, arriving: &str, expected: bool| {
            let (known, arriving) = both(known, arriving);
            assert_eq!(brings_to_another_version(&known, &arriving), expected, "{arriving:?}");
        };
        check("k8s version on the pier is 1.27", "upgraded Kubernetes to 1.31", true);
        check("We tow with Gullmotor 9", "the tugs are at Gullmotor 13 as of today", true);
        check("We tow with Gullmotor 9", "the ferry has Gullmotor 13", false);
        check("The panel uses berth 843.", "The new guest panel uses berth 943 now.", false);
        check("The crane lifts 9 tons.", "upgraded the lamps to 4", false);
        check("The crane lifts 9 tons.", "at 4 the crane was upgraded", false);
    }

    #[test]
    fn who_has_a_charge_changes() {
        let check = |known: &str, arriving: &str, expected: bool| {
            let (known, arriving) = both(known, arriving);
            assert_eq!(has_another_charge(&known, &arriving), expected, "{arriving:?}");
        };
        check(
            "Questions about the tide tables go to Ada.",
            "Bea answers questions about the tide tables",
            true,
        );
        check("Questions about the tide tables go to Ada.", "Ada answers questions about the cranes", false);
        check("Ada looks after the tide tables.", "Ada handed the tide tables over to Bea on Friday", true);
        check("Ada looks after the tide tables.", "Ada handed the keys over to Bea", false);
        check("Ada owns the tide tables.", "the tide tables are printed in May", false);
    }

    #[test]
    fn another_of_the_same_name_is_another() {
        let (known, arriving) = both("the east crane runs on oil", "swapped oil for steam in the west crane");
        assert!(speaks_of_another(&known, &arriving));
        let (known, arriving) = both("the east crane runs on oil", "the east crane runs on steam now");
        assert!(!speaks_of_another(&known, &arriving));
        let (known, arriving) = both("Hive 1 sends every 10 minutes.", "hive 2 sends every 2 hours");
        assert!(counts_another(&known, &arriving));
        let (known, arriving) = both("Hive 1 sends every 10 minutes.", "hive 1 sends every 2 hours");
        assert!(!counts_another(&known, &arriving));
    }

    #[test]
    fn another_count_is_a_change_and_the_same_bound_is_none() {
        let (known, arriving) =
            both("A pass has 40 trips.", "a pass has 55 trips as of today, don't print more");
        assert!(recounts(&known, &arriving));
        let (known, arriving) = both("A pass has 40 trips.", "the pier has 40 boats");
        assert!(!recounts(&known, &arriving));
        let (known, arriving) =
            both("The ferry calls on 5020.", "the office blocks 5020 so the ferry went to 15020");
        assert!(goes_to_another_number(&known, &arriving));
        let (known, arriving) =
            both("The list closes at 80 boats.", "no more than 80 boats get onto the list");
        assert!(bounds_again(&known, &arriving));
        let (known, arriving) =
            both("The list closes at 80 boats.", "no more than 60 boats get onto the list");
        assert!(!bounds_again(&known, &arriving));
    }

    #[test]
    fn two_bounds_and_a_condition_stand_beside() {
        let (known, arriving) = both("You need at least 4 crew to sail.", "With 60 guests a boat is full.");
        assert!(bound_two_sides(&known, &arriving));
        assert!(demands_first(&plain_words("no boat leaves before two keepers have seen it")));
        assert!(!demands_first(&plain_words("two keepers see each boat before it leaves")));
    }
}
