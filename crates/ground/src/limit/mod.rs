//! Limits: what a rule lets a number be, and whether a wish or a value keeps to it.
//!
//! "Never more than 40 crates per cart" does not rule out crates and carts. It rules out 41.

mod quantity;

use std::collections::BTreeSet;

use lore_core::words::is_stop_word;
use quantity::{END, Of, Quantity, is_unit, quantities, words};

use crate::findings::stem;

/// What a wish makes of a limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// Its number is one that the limit allows.
    Keeps,
    /// Its number is beyond the limit.
    Breaks,
    /// It gives another number where the rule names one exactly.
    Differs,
}

/// What a comparison says of what is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Sense {
    More,
    Less,
    /// More of them in the same time.
    Faster,
    Slower,
    AtLeast,
    AtMost,
}

/// What stands before a number that limits it, the longer ones first.
const COMPARISONS: [(&str, Sense); 42] = [
    ("at least", Sense::AtLeast),
    ("minimum", Sense::AtLeast),
    ("at most", Sense::AtMost),
    ("up to", Sense::AtMost),
    ("limited to", Sense::AtMost),
    ("capped at", Sense::AtMost),
    ("maximum", Sense::AtMost),
    ("max", Sense::AtMost),
    ("more often", Sense::Faster),
    ("more frequently", Sense::Faster),
    ("faster", Sense::Faster),
    ("quicker", Sense::Faster),
    ("less often", Sense::Slower),
    ("less frequently", Sense::Slower),
    ("slower", Sense::Slower),
    ("rarer", Sense::Slower),
    ("more", Sense::More),
    ("greater", Sense::More),
    ("larger", Sense::More),
    ("bigger", Sense::More),
    ("higher", Sense::More),
    ("longer", Sense::More),
    ("later", Sense::More),
    ("older", Sense::More),
    ("wider", Sense::More),
    ("above", Sense::More),
    ("over", Sense::More),
    ("beyond", Sense::More),
    ("exceed", Sense::More),
    ("exceeds", Sense::More),
    ("exceeding", Sense::More),
    ("less", Sense::Less),
    ("fewer", Sense::Less),
    ("smaller", Sense::Less),
    ("lower", Sense::Less),
    ("shorter", Sense::Less),
    ("sooner", Sense::Less),
    ("earlier", Sense::Less),
    ("younger", Sense::Less),
    ("narrower", Sense::Less),
    ("below", Sense::Less),
    ("under", Sense::Less),
];
/// What stands behind a number that limits it.
const BEHIND: [(&str, Sense); 8] = [
    ("or more", Sense::AtLeast),
    ("or longer", Sense::AtLeast),
    ("or above", Sense::AtLeast),
    ("at least", Sense::AtLeast),
    ("or less", Sense::AtMost),
    ("or fewer", Sense::AtMost),
    ("or below", Sense::AtMost),
    ("at most", Sense::AtMost),
];
/// Words between a comparison and its number.
const FILLERS: [&str; 14] =
    ["than", "every", "each", "once", "a", "an", "the", "of", "is", "are", "be", "about", "exactly", "any"];
const DENIALS: [&str; 8] = ["never", "not", "no", "cannot", "nor", "without", "avoid", "nothing"];
/// Without one of these, "more than 5" only tells what was so.
const DEMANDS: [&str; 13] = [
    "must", "should", "shall", "need", "needs", "has", "have", "always", "keep", "keeps", "require",
    "requires", "only",
];
/// Words for how often something comes, where no "every" says it.
const OFTEN: [&str; 9] =
    ["interval", "intervals", "frequency", "period", "pause", "wait", "again", "apart", "between"];
/// Two statements share so many words beside the number, or how the limit begins, to be of one thing.
const SHARED: usize = 2;
/// A number that is named exactly is that of another statement only where it shares most of its words.
const EXACT: f64 = 0.6;
/// A number given in addition is not the number that there shall be.
const MORE: [&str; 5] = ["more", "another", "additional", "extra", "further"];

/// From where to where a number may go.
#[derive(Debug, Clone, PartialEq)]
struct Limit {
    quantity: Quantity,
    is_least: bool,
    /// Whether the number itself is within.
    takes_it: bool,
}

impl Limit {
    fn allows(&self, value: f64) -> bool {
        let limit = self.quantity.value;
        let same = (value - limit).abs() <= limit.abs() * 1e-9;
        if same { self.takes_it } else { (value > limit) == self.is_least }
    }
}

/// Tells whether a statement limits a number.
pub fn is_limit(rule: &str) -> bool {
    let words = words(rule);
    !limits(&words, &quantities(&words)).is_empty()
}

/// Says what a wish makes of a number that a rule limits or names; nothing where they are not about the same.
pub fn held_against(rule: &str, wish: &str) -> Option<Verdict> {
    let (rule, wish) = (words(rule), words(wish));
    let (ruled, wanted) = (quantities(&rule), quantities(&wish));
    let limits = limits(&rule, &ruled);
    let wanted: Vec<&Quantity> = wanted.iter().filter(|one| is_wanted(&wish, one)).collect();
    let about = content(&rule);
    let told: BTreeSet<String> = content(&wish).into_iter().collect();
    if limits.is_empty() {
        let plain = |words: &[String], one: &Quantity| !denies(clause_before(words, one));
        let ruled: Vec<&Quantity> = ruled.iter().filter(|one| plain(&rule, one)).collect();
        let wanted: Vec<&Quantity> = wanted.into_iter().filter(|one| plain(&wish, one)).collect();
        return exactly(&ruled, &wanted, &about, &told);
    }
    // A wish that forbids wants none of what it names, unless it limits it too.
    if denies(&wish) && self::limits(&wish, &quantities(&wish)).is_empty() {
        return None;
    }
    let mut verdict = None;
    for limit in &limits {
        let counted = counted(&limit.quantity);
        let shared = about.iter().filter(|word| told.contains(*word) && !counted.contains(*word)).count();
        let begins =
            about.iter().find(|word| !counted.contains(*word)).is_some_and(|word| told.contains(word));
        for one in wanted.iter().filter(|one| limit.quantity.goes_with(one)) {
            let is_same = shared >= SHARED || begins && one.of != Of::Untold;
            // How long something lasts is not how often it comes, unless the words say that it is meant.
            let is_same = is_same
                && match (limit.quantity.is_interval, one.is_interval) {
                    (true, false) => tells_how_often(&wish) || told.iter().all(|word| about.contains(word)),
                    (false, true) => limit.quantity.of != one.of || tells_how_often(&rule),
                    _ => true,
                };
            match (is_same, limit.allows(one.value)) {
                (false, _) => {}
                (true, true) => verdict = verdict.or(Some(Verdict::Keeps)),
                (true, false) => verdict = Some(Verdict::Breaks),
            }
        }
    }
    verdict
}

/// Says that a wish gives another number of the same things, where both say nearly the same otherwise.
fn exactly(
    ruled: &[&Quantity],
    wanted: &[&Quantity],
    about: &[String],
    told: &BTreeSet<String>,
) -> Option<Verdict> {
    for rule in ruled.iter().filter(|one| matches!(one.of, Of::Things(_))) {
        let counted = counted(rule);
        let shared: Vec<&String> = about.iter().filter(|word| told.contains(*word)).collect();
        let is_same = shared.iter().any(|word| !counted.contains(*word))
            && shared.len() as f64 >= EXACT * about.len() as f64;
        let mut theirs = wanted.iter().filter(|one| matches!(one.of, Of::Things(_)) && rule.goes_with(one));
        let same = |one: &&Quantity| (one.value - rule.value).abs() < 1e-9;
        if let Some(first) = theirs.next().filter(|_| is_same)
            && !same(first)
            && !theirs.any(same)
        {
            return Some(Verdict::Differs);
        }
    }
    None
}

fn counted(quantity: &Quantity) -> BTreeSet<String> {
    match &quantity.of {
        Of::Things(words) => words.clone(),
        Of::Rate(word) => BTreeSet::from([word.clone()]),
        Of::Measure(_) | Of::Untold => BTreeSet::new(),
    }
}

/// Tells whether a number is what shall be: not what was, and not what is added to it.
fn is_wanted(words: &[String], one: &Quantity) -> bool {
    let before = one.start.checked_sub(1).map_or(END, |at| words[at].as_str());
    let was = before == "from" && words[one.end.min(words.len())..].iter().take(4).any(|word| word == "to");
    let instead = before == "of" && one.start > 1 && words[one.start - 2] == "instead";
    let adds = words[one.start..].iter().take(3).any(|word| MORE.contains(&word.as_str()));
    !was && !instead && !adds
}

fn limits(words: &[String], quantities: &[Quantity]) -> Vec<Limit> {
    quantities.iter().filter_map(|one| limit(words, one)).collect()
}

/// Returns what stands before a number in its clause.
fn clause_before<'w>(words: &'w [String], quantity: &Quantity) -> &'w [String] {
    let clause = words[..quantity.start].iter().rposition(|word| word == END).map_or(0, |at| at + 1);
    &words[clause..quantity.start]
}

fn denies(words: &[String]) -> bool {
    words.iter().any(|word| DENIALS.contains(&word.as_str()))
}

/// Tells whether a statement speaks of the time from one to the next.
fn tells_how_often(words: &[String]) -> bool {
    words.iter().any(|word| OFTEN.contains(&word.as_str()))
}

fn limit(words: &[String], quantity: &Quantity) -> Option<Limit> {
    let mut before = clause_before(words, quantity);
    while let Some((last, rest)) = before.split_last()
        && FILLERS.contains(&last.as_str())
    {
        before = rest;
    }
    let said = format!(" {}", before.join(" "));
    let ahead = COMPARISONS.iter().find(|(words, _)| said.ends_with(&format!(" {words}")));
    let after = format!("{} ", words[quantity.end..].iter().take(2).cloned().collect::<Vec<_>>().join(" "));
    let behind = || BEHIND.iter().find(|(words, _)| after.starts_with(&format!("{words} ")));
    let (_, sense) = ahead.or_else(behind)?;
    let has = |these: &[&str]| before.iter().any(|word| these.contains(&word.as_str()));
    let denied = denies(before);
    let compares = !matches!(sense, Sense::AtLeast | Sense::AtMost);
    if compares && !denied && !has(&DEMANDS) {
        return None;
    }
    let is_time = quantity.of == Of::Measure("second");
    let is_least = match sense {
        Sense::AtLeast | Sense::More => !quantity.is_interval || is_length(before),
        Sense::AtMost | Sense::Less => quantity.is_interval && !is_length(before),
        Sense::Faster => !is_time,
        Sense::Slower => is_time,
    };
    // "Never more than" is at most; "must be more than" leaves out the number itself.
    let is_least = if compares && denied { !is_least } else { is_least };
    Some(Limit { quantity: quantity.clone(), is_least, takes_it: !compares || denied })
}

/// Tells whether what is compared is how long a time is, and not how often something happens.
fn is_length(before: &[String]) -> bool {
    let last = before.last().map_or("", String::as_str);
    !matches!(last, "more" | "less" | "least" | "most" | "fewer" | "minimum" | "maximum")
}

/// Lists what a statement is about, by stems: without its numbers, its units and how it compares.
fn content(words: &[String]) -> Vec<String> {
    let compares = |word: &str| COMPARISONS.iter().any(|(words, _)| words.split(' ').any(|one| one == word));
    let tells = |word: &&String| {
        word.len() > 1
            && !is_stop_word(word)
            && !is_unit(word)
            && !compares(word)
            && !DENIALS.contains(&word.as_str())
            && !DEMANDS.contains(&word.as_str())
            && !matches!(word.as_str(), "per" | "within" | "every" | "than" | "times" | "limit" | "set")
            && quantities(&[(*word).clone()]).is_empty()
    };
    words.iter().filter(tells).map(|word| stem(word)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rule: &str, wish: &str, expected: Option<Verdict>) {
        assert_eq!(held_against(rule, wish), expected, "{rule} | {wish}");
    }

    #[test]
    fn an_interval_is_smaller_the_faster_it_is() {
        for rule in [
            "Never ring the bell faster than every 40 minutes.",
            "Do not ring the bell more often than every 40 minutes.",
            "Ring the bell at most every 40 minutes.",
            "Don't ring the bell more than once every 40 minutes.",
            "Wait at least 40 minutes before ringing the bell again.",
        ] {
            check(rule, "Ring the bell every 40 minutes", Some(Verdict::Keeps));
            check(rule, "ring the bell every 2 hours", Some(Verdict::Keeps));
            check(rule, "Ring the bell every 600 seconds", Some(Verdict::Breaks));
            check(rule, "Ring the bell twice an hour", Some(Verdict::Breaks));
            check(rule, "Oil the hinges every 5 minutes", None);
        }
        for rule in
            ["Never ring the bell slower than every 40 minutes.", "Ring the bell at least every 40 minutes."]
        {
            check(rule, "ring the bell every 2 hours", Some(Verdict::Breaks));
            check(rule, "ring the bell every 10 minutes", Some(Verdict::Keeps));
        }
        check(
            "Never ring the bell more than 3 times per hour",
            "ring the bell every minute",
            Some(Verdict::Breaks),
        );
    }

    #[test]
    fn a_number_is_held_against_the_side_it_may_not_leave() {
        let most = [
            "Never load more than 1 000 crates per cart.",
            "Load at most 1000 crates per cart.",
            "A cart must not load over 1,000 crates.",
            "Carts load 1000 crates or fewer.",
            "Load up to 1000 crates per cart.",
        ];
        for rule in most {
            check(rule, "Load 500 crates per cart", Some(Verdict::Keeps));
            check(rule, "load 1000 crates onto each cart", Some(Verdict::Keeps));
            check(rule, "Load 1 200 crates per cart", Some(Verdict::Breaks));
            check(rule, "change the cart load from 2000 to 900 crates", Some(Verdict::Keeps));
            check(rule, "Load 5000 lamps per cart", None);
            check(rule, "Load the cart", None);
        }
        check("Never keep a kiln below 200 degrees", "keep the kiln at 150 degrees", Some(Verdict::Breaks));
        check("Never keep a kiln below 200 degrees", "keep the kiln at 250 degrees", Some(Verdict::Keeps));
        check("Uploads must stay under 20 MB", "let uploads grow to 2 GB", Some(Verdict::Breaks));
        check("Uploads must stay under 20 MB", "shrink uploads to 900 kB", Some(Verdict::Keeps));
        check(
            "Never send more than 5 letters per second",
            "send 600 letters per minute",
            Some(Verdict::Breaks),
        );
        check("Never send more than 5 letters per second", "send 2 letters/s", Some(Verdict::Keeps));
        check("Never sail later than 16:00", "sail at 17:30", Some(Verdict::Breaks));
        check("Never sail later than 16:00", "sail at 9:05", Some(Verdict::Keeps));
        check(
            "The sails of the boat must be kept at least 30 days",
            "turn the sails of the boat every hour",
            None,
        );
        check("Ring the bell at most every 40 minutes", "ring the bell with a timeout of 5 seconds", None);
        check("The firing took more than 5 minutes.", "stop the firing after 2 minutes", None);
    }

    #[test]
    fn names_tell_their_unit() {
        let rule = "Never ring the bell faster than every 40 seconds";
        check(rule, "RING_BELL_SECONDS = 40", Some(Verdict::Keeps));
        check(rule, "set bellRingSeconds to 8", Some(Verdict::Breaks));
    }

    #[test]
    fn another_number_of_the_same_things_is_told() {
        let rule = "A verdict needs two signed letters";
        check(rule, "A verdict needs three signed letters", Some(Verdict::Differs));
        check(rule, "Issue the verdict after 3 letters, it needs no more", Some(Verdict::Differs));
        check(
            "A verdict needs two signed letters, not one.",
            "a verdict needs three letters",
            Some(Verdict::Differs),
        );
        check("Never ask for two signed letters", "ask for three signed letters", None);
        check(rule, "a verdict needs 2 signed letters", None);
        check(rule, "the verdict needs two more letters", None);
        check(rule, "Print four letters", None);
    }
}
