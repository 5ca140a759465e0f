//! Replies that say yes or no within bounds: "yes, but only by day", "no, not in the cellar". The bounds are the point.

use super::alone::points_away;
use super::question::{asking_sentence, is_offer, is_unsure};
use super::reply::{NAMED, says};
use super::words::FINITE;
use crate::extract::flaws::third_person;
use crate::extract::sentence::word_count;

/// An answer of more words is a message of its own.
const WHOLE: usize = 16;

/// What says yes, and what says no.
pub(super) const YES: [&str; 15] = [
    "yes", "yep", "yeah", "yup", "sure", "ok", "okay", "fine", "ja", "oui", "ouais", "sí", "si", "sim", "sì",
];
pub(super) const NO: [&str; 9] = ["no", "nope", "nah", "nein", "nö", "non", "não", "nee", "never"];
/// What bounds a yes that was not said.
const ONLY: [&str; 8] = ["only ", "nur ", "seulement ", "uniquement ", "sólo ", "solo ", "só ", "soltanto "];
/// What joins the bounds to a yes.
const BUT: [&str; 8] = ["but ", "though ", "aber ", "mais ", "pero ", "mas ", "ma ", "maar "];
/// Words that open a bound.
const BOUNDS: [&str; 42] = [
    "only ",
    "not ",
    "never ",
    "just ",
    "nothing ",
    "nobody ",
    "no one ",
    "except ",
    "unless ",
    "as long as ",
    "provided ",
    "if ",
    "when ",
    "without ",
    "nur ",
    "nicht ",
    "nichts ",
    "niemand ",
    "nie ",
    "außer ",
    "wenn ",
    "solange ",
    "ohne ",
    "seulement ",
    "uniquement ",
    "pas ",
    "jamais ",
    "sauf ",
    "si ",
    "solo ",
    "sólo ",
    "no ",
    "nunca ",
    "salvo ",
    "só ",
    "somente ",
    "apenas ",
    "não ",
    "se ",
    "soltanto ",
    "non ",
    "tranne ",
];
/// Words behind "only" and "not" that say where, when or for whom.
const CIRCUMSTANCES: [&str; 44] = [
    "for", "in", "on", "at", "by", "with", "without", "from", "to", "under", "over", "during", "before",
    "after", "until", "if", "when", "while", "where", "via", "as", "behind", "inside", "outside", "für",
    "im", "bei", "mit", "wenn", "vor", "nach", "pour", "dans", "avec", "sur", "para", "en", "con", "si",
    "em", "com", "per", "nel", "se",
];
/// What an agent asks leave for that stays so afterwards.
const CHANGES: [&str; 36] = [
    "raise",
    "lower",
    "increase",
    "decrease",
    "reduce",
    "set",
    "change",
    "move",
    "switch",
    "migrate",
    "convert",
    "upgrade",
    "downgrade",
    "bump",
    "replace",
    "rename",
    "drop",
    "remove",
    "delete",
    "retire",
    "disable",
    "enable",
    "turn",
    "cap",
    "limit",
    "log",
    "cache",
    "keep",
    "use",
    "allow",
    "expose",
    "add",
    "cut",
    "double",
    "publish",
    "deprecate",
];
/// How an agent asks leave.
const LEAVE: [&str; 12] = [
    "may i ",
    "can i ",
    "should i ",
    "shall i ",
    "should we ",
    "shall we ",
    "can we ",
    "do you want me to ",
    "would you like me to ",
    "want me to ",
    "ok to ",
    "okay to ",
];
/// Bounds of the day: what is to be done first, or later.
const OF_THE_DAY: [&str; 18] = [
    " first ",
    " now ",
    " yet ",
    " today ",
    " tomorrow ",
    " tonight ",
    " later ",
    " please ",
    " let me ",
    " wait ",
    " make sure ",
    " be careful ",
    " quick ",
    " quickly ",
    " erst ",
    " jetzt ",
    " heute ",
    " i ",
];

/// Tells whether a reply is a yes or a no with its bounds, to a question that names what they bound.
pub(super) fn is_qualified(reply: &str, question: &str) -> bool {
    let Some((agrees, rest)) = parted(reply) else { return false };
    let asked = asking_sentence(question).to_lowercase();
    // "Is it fine to …" points at nothing.
    let fine = [" ok to ", " okay to ", " fine to ", " alright to "];
    let matter = fine.iter().find_map(|words| Some(asked.find(words)? + words.len()));
    let matter = matter.and_then(|at| asked.get(at..)).unwrap_or(&asked);
    // Why stands behind it.
    let rest = rest.split(['.', '!', ';']).next().unwrap_or(&rest).to_owned();
    let said = format!(" {} ", rest.replace([',', '.', ';', '!'], " "));
    let of_the_day = OF_THE_DAY.iter().any(|words| said.contains(words));
    let whole = (2..=WHOLE).contains(&word_count(&rest));
    if !whole || of_the_day || is_unsure(reply) || points_away(matter) {
        return false;
    }
    let offers = is_offer(question);
    // "Should boats …?" "Yes, but count them": what is asked about is what is meant.
    let joined = agrees && !offers && BUT.iter().any(|but| reply.to_lowercase().contains(&format!(" {but}")));
    let points = points_away(&rest)
        && !(joined && says(&rest) > 0 && !points_away(&rest.replace(" it", "").replace(" them", "")));
    if points {
        return false;
    }
    let bound = BOUNDS.iter().find_map(|words| rest.strip_prefix(words));
    match agrees {
        false => says(matter) > 1 && bound.is_some() && word_count(&rest) > 2,
        true if offers => {
            says(matter) >= NAMED && changes(&asked) && (bound.is_some_and(is_circumstance) || limits(&rest))
        }
        true => says(matter) >= NAMED && (bound.is_some() || joined || limits(&rest)),
    }
}

/// Returns the bounds of a yes or a no alone, where they say for themselves that they bound.
pub(super) fn bounds(label: &str) -> Option<String> {
    let (_, rest) = parted(label)?;
    let keeps = rest.starts_with("keep ") || rest.starts_with("leave ");
    let told = keeps || BOUNDS.iter().any(|words| rest.starts_with(words));
    told.then(|| label.get(label.len() - rest.len()..).unwrap_or(&rest).to_owned())
}

/// Parts a reply into its yes or no and what follows; a yes needs a word that joins or bounds.
fn parted(reply: &str) -> Option<(bool, String)> {
    let lower = reply.trim().trim_end_matches(['.', '!']).to_lowercase();
    let behind = |words: &[&str]| {
        words.iter().find_map(|word| {
            let rest = lower.strip_prefix(word)?;
            rest.starts_with([',', ' ', '.', ';', ':', '!', '-', '–', '—'])
                .then(|| rest.trim_start_matches([',', ' ', '.', ';', ':', '!', '-', '–', '—']).to_owned())
        })
    };
    if let Some(rest) = behind(&NO) {
        let rest = rest.strip_prefix("please ").map_or(rest.clone(), str::to_owned);
        return Some((false, rest));
    }
    // "Only for guests": a yes with its bounds.
    let only = ONLY.iter().any(|only| lower.starts_with(only)).then(|| lower.clone());
    let rest = only.or_else(|| behind(&YES))?;
    let joined = BUT.iter().find_map(|but| rest.strip_prefix(but));
    let bounded = BOUNDS.iter().any(|words| rest.starts_with(words));
    joined.map(|rest| (true, rest.trim().to_owned())).or_else(|| bounded.then_some((true, rest)))
}

/// "Only for guests", "not in winter", and not "only the long ones".
fn is_circumstance(rest: &str) -> bool {
    rest.split_whitespace().next().is_some_and(|word| CIRCUMSTANCES.contains(&word))
}

/// "The winch stays as it is", "keep the last three": what is left out of what was asked.
fn limits(rest: &str) -> bool {
    const WHO: [&str; 10] = ["you", "let", "this", "that", "it", "do", "don't", "check", "then", "and"];
    let words: Vec<&str> =
        rest.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()).collect();
    let opens = words.first().copied().unwrap_or_default();
    let states = words.iter().skip(1).any(|word| FINITE.contains(word) || third_person(word));
    let leaves = matches!(opens, "keep" | "leave") && words.len() > 2;
    leaves || words.len() > 2 && states && !WHO.contains(&opens)
}

/// Tells whether an agent asks leave for something that stays so.
fn changes(asked: &str) -> bool {
    LEAVE.iter().any(|leave| {
        asked.split(leave).skip(1).any(|rest| {
            let verb = rest.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
            CHANGES.contains(&verb)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_yes_or_no_within_bounds_answers_what_is_named() {
        let check = |asked: &str, reply: &str, expected: bool| {
            assert_eq!(is_qualified(reply, asked), expected, "{asked} {reply}");
        };
        let moor = "Should guests be able to moor their boats without a permit?";
        check(moor, "yes, but only by day", true);
        check(moor, "yes but the keeper has to know their names", true);
        check(moor, "no, not in winter", true);
        check(moor, "no, only members of the club", true);
        check(moor, "ja, aber nur im Sommer", true);
        check(moor, "yes, but let me think", false);
        check(moor, "yes but not yet", false);
        check(moor, "no, not now", false);
        let lamps = "Shall I raise the number of pier lamps to 12 per berth?";
        check(lamps, "yes but only for the ferries", true);
        check(lamps, "yes, but the north pier stays at 4", true);
        check(lamps, "yes but be careful with the cable", false);
        check("May I remove the old lamps of the pier?", "yes but keep the last three", true);
        check("Should I oil all the ropes of the pier?", "yes, but only for the ferries", false);
        check("Should I oil all the ropes?", "yes, but only the long ones", false);
        check("Should it burn?", "yes but only by day", false);
    }
}
