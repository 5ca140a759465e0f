//! One statement of what stands, held against each sentence of a wish.
//!
//! Words alone do not tell: a limit forbids what is beyond it, a prohibition holds in its place, and what must
//! come first is broken by whoever leaves it out.

use lore_core::text::joined_numbers;
use lore_core::words::is_stop_word;
use lore_distill::curate::{Against, Known, goes_against};
use lore_distill::extract::sentences_in;
use lore_ground::findings::words;
use lore_ground::limit::{Verdict, held_against, is_limit};

/// So many sentences of a plan are held against what stands.
const SENTENCES: usize = 60;
const DENIALS: [&str; 9] = ["never", "not", "don't", "mustn't", "no", "cannot", "can't", "nobody", "nothing"];
const PLACES: [&str; 10] = ["in", "inside", "within", "under", "below", "on", "at", "from", "for", "during"];
/// Who is addressed between a place and what is forbidden there.
const PERSONS: [&str; 8] = ["we", "you", "i", "do", "must", "should", "there", "is"];
/// What says that something has to be there or come first.
const DEMANDS: [&str; 12] = [
    "before", "first", "always", "must", "need", "needs", "require", "requires", "has", "have", "only",
    "every",
];
/// A place before a prohibition is not longer.
const LONGEST_PLACE: usize = 8;

/// Finds the sentence of a wish that does not keep to a claim, and says how.
pub(super) fn held<'w>(wish: &'w str, claim: &str, known: &dyn Known) -> Option<(Against, &'w str)> {
    let parts = wish.lines().flat_map(sentences_in).filter(|part| !part.trim_end().ends_with('?'));
    let claims: Vec<&str> = claim.split(';').flat_map(sentences_in).collect();
    let (limits, others): (Vec<&str>, Vec<&str>) = claims.into_iter().partition(|one| is_limit(one));
    let rest = if limits.is_empty() { claim.to_owned() } else { others.join(" ") };
    let rest = place_behind(&joined_numbers(&rest));
    parts.take(SENTENCES).find_map(|part| {
        let how = limits.iter().find_map(|limit| beyond(limit, part, known));
        how.or_else(|| against_rest(&rest, part, known)).map(|how| (how, part))
    })
}

/// What a limit says against a wish: its number, and nothing else that it names, is forbidden.
fn beyond(limit: &str, part: &str, known: &dyn Known) -> Option<Against> {
    match held_against(limit, part) {
        Some(Verdict::Breaks) => Some(Against::Forbidden),
        Some(Verdict::Keeps) => None,
        Some(Verdict::Differs) => Some(Against::OtherValue),
        None => {
            let (part, limit) = (joined_numbers(part), joined_numbers(limit));
            let found = goes_against(&part, &limit, known).map(|(how, _)| how);
            found.filter(|how| *how == Against::OtherValue)
        }
    }
}

fn against_rest(claim: &str, part: &str, known: &dyn Known) -> Option<Against> {
    if claim.is_empty() {
        return None;
    }
    match leaves_out(claim, part) {
        Some(true) => return Some(Against::Forbidden),
        Some(false) => return None,
        None => {}
    }
    let found = goes_against(&joined_numbers(part), claim, known).map(|(how, _)| how);
    let found = found.filter(|how| *how == Against::OtherValue || !is_elsewhere(claim, part));
    let other = || held_against(claim, part) == Some(Verdict::Differs);
    found.or_else(|| other().then_some(Against::OtherValue))
}

/// "In the shed never light a lamp" forbids the lamp and says where: told the other way round, as most say it.
fn place_behind(claim: &str) -> String {
    let said: Vec<&str> = claim.split_whitespace().collect();
    let is =
        |word: &str, of: &[&str]| of.contains(&word.to_lowercase().replace('’', "'").trim_end_matches(','));
    let denied = said.iter().take(LONGEST_PLACE).position(|word| is(word, &DENIALS));
    let Some(denied) = denied.filter(|at| *at > 1 && is(said[0], &PLACES)) else { return claim.to_owned() };
    let comma = said[..denied].iter().position(|word| word.ends_with(','));
    let mut end = comma.map_or(denied, |at| at + 1);
    while comma.is_none() && end > 1 && is(said[end - 1], &PERSONS) {
        end -= 1;
    }
    let place = said[..end].join(" ");
    let deed = said[end..].join(" ");
    let (deed, place) = (deed.trim_end_matches(['.', '!']), place.trim_end_matches(','));
    format!("{deed} {}{}.", place[..1].to_lowercase(), &place[1..])
}

/// Tells whether a claim and a wish name places, and none of the one is in one of the other.
fn is_elsewhere(claim: &str, wish: &str) -> bool {
    let (ruled, wanted) = (paths(claim), paths(wish));
    let within = |one: &str, other: &str| {
        one.strip_prefix(other).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    let meet = |one: &String| wanted.iter().any(|other| within(one, other) || within(other, one));
    !ruled.is_empty() && !wanted.is_empty() && !ruled.iter().any(meet)
}

/// Lists the paths that a statement names as a place: behind "in" and its like.
fn paths(said: &str) -> Vec<String> {
    let said: Vec<&str> = said.split_whitespace().collect();
    let places = said.windows(2).filter(|pair| PLACES.contains(&pair[0].to_lowercase().as_str()));
    let trimmed = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '_').to_lowercase();
    places.map(|pair| trimmed(pair[1])).filter(|word| word.contains('/')).collect()
}

/// Tells whether a wish leaves out what a claim demands, or has what the claim makes a condition; nothing where
/// it does neither.
fn leaves_out(claim: &str, wish: &str) -> Option<bool> {
    let low = claim.to_lowercase();
    let denied = low.split_whitespace().any(|word| DENIALS.contains(&word));
    let condition =
        ["without", "unless", "until"].iter().find_map(|word| behind(&low, word)).unwrap_or_default();
    let wish = wish.to_lowercase();
    let Some((deed, left)) = left_out(&wish) else {
        let wanted = words(&wish);
        let is_met = denied && !condition.is_empty() && condition.iter().all(|word| wanted.contains(word));
        return is_met.then_some(false);
    };
    if left.is_empty() {
        return None;
    }
    let holds = |words: &[String]| left.iter().all(|word| words.contains(word));
    if holds(&condition) {
        return Some(denied);
    }
    let claimed = telling(&low);
    let demands = low.split(|c: char| !c.is_alphanumeric()).any(|word| DEMANDS.contains(&word));
    let deed = deed.map(telling);
    let is_done =
        deed.is_none_or(|deed| deed.iter().any(|word| claimed.contains(word) && !left.contains(word)));
    (demands && !denied && holds(&claimed) && is_done).then_some(true)
}

/// Returns what a wish does without, and what it does then; who skips something does nothing else.
fn left_out(wish: &str) -> Option<(Option<&str>, Vec<String>)> {
    if let Some(at) = wish.find(" without ") {
        return Some((Some(&wish[..at]), behind(&wish[at..], "without").unwrap_or_default()));
    }
    let skips = ["skip", "omit", "bypass", "leave out", "do without"];
    skips.iter().find_map(|word| behind(wish, word)).map(|left| (None, left))
}

/// Lists what is said behind a word, up to the end of the clause; nothing where the word does not stand there.
fn behind(said: &str, word: &str) -> Option<Vec<String>> {
    let padded = format!(" {said} ");
    let at = padded.find(&format!(" {word} "))? + word.len() + 2;
    let rest = &padded[at..];
    let ends = [", ", ". ", "; ", " and ", " but ", " so ", " because ", " when ", " before "];
    let end = ends.iter().filter_map(|end| rest.find(end)).min().unwrap_or(rest.len());
    Some(telling(&rest[..end]))
}

/// Lists the words of a statement that are not grammar, by stems.
fn telling(said: &str) -> Vec<String> {
    let kept: Vec<&str> = said
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !is_stop_word(word) && *word != "first")
        .collect();
    words(&kept.join(" ")).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use lore_distill::curate::Base;

    use super::*;

    fn check(claim: &str, wish: &str, expected: Option<Against>) {
        let found = held(wish, claim, &Base::new([])).map(|(how, _)| how);
        assert_eq!(found, expected, "{claim} | {wish}");
    }

    #[test]
    fn a_limit_forbids_only_what_is_beyond_it() {
        let rule = "Never load more than 1 000 crates per cart.";
        check(rule, "Load 400 crates per cart", None);
        check(rule, "Load 40 000 crates per cart", Some(Against::Forbidden));
        check(rule, "Paint the crates of each cart", None);
        let rule = "Never use Brass; ring the bell at most every 40 minutes.";
        check(rule, "Ring the bell every hour", None);
        check(rule, "Ring the bell every minute", Some(Against::Forbidden));
        check(rule, "Use Brass for the bell", Some(Against::Forbidden));
        check(
            "A verdict needs two signed letters.",
            "A verdict needs three signed letters",
            Some(Against::OtherValue),
        );
    }

    #[test]
    fn a_prohibition_holds_in_its_place_however_it_is_told() {
        for rule in [
            "In src/ferry never print to the ledger.",
            "In src/ferry, we never print to the ledger.",
            "In src/ferry do not print to the ledger.",
            "Never print to the ledger in src/ferry.",
        ] {
            check(rule, "Print to the ledger in src/ferry", Some(Against::Forbidden));
            check(rule, "In src/ferry/tolls print to the ledger", Some(Against::Forbidden));
            check(rule, "Print to the ledger in src/harbour", None);
            check(rule, "Read the tide table in src/ferry", None);
        }
    }

    #[test]
    fn who_leaves_out_what_comes_first_goes_against_it() {
        for rule in [
            "Raise tools/flag.sh before any launch of the ferry.",
            "Always raise tools/flag.sh for a launch.",
            "Never launch the ferry without tools/flag.sh.",
            "No launch of the ferry unless tools/flag.sh is raised.",
        ] {
            check(rule, "Launch the ferry without tools/flag.sh", Some(Against::Forbidden));
            check(rule, "Raise tools/flag.sh, then launch the ferry", None);
        }
        check(
            "Always weigh the crates before loading.",
            "skip weighing the crates",
            Some(Against::Forbidden),
        );
        check("Always weigh the crates before loading.", "Paint the boat without weighing the crates", None);
        check("Always load without straw.", "Load the crates without straw", None);
        check("Never raise the flag before a launch.", "Launch without the flag", None);
    }
}
