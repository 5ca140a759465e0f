//! What somebody reports, guesses, feels or lacks at the moment: customers complain, something is broken since, somebody
//! must have touched it, always nice to see. Nothing of it is a rule, however much it sounds like one.

use super::trouble::is_trouble;
use super::words::{Word, words_of};

/// Verbs of those who complain, and how others say it.
const COMPLAINS: [&str; 8] =
    ["complain", "complains", "complained", "complaining", "grumble", "grumbles", "moan", "moans"];
const COMPLAIN_ABROAD: [&str; 10] = [
    "beschweren sich",
    "beschwert sich",
    "se quejan",
    "se queja",
    "se plaignent",
    "se plaint",
    "reclamam",
    "se queixam",
    "si lamentano",
    "klagen dat",
];
/// How something is that does not work.
const BROKEN: [&str; 34] = [
    "broken",
    "failing",
    "fails",
    "slow",
    "slower",
    "down",
    "flaky",
    "dead",
    "stuck",
    "crashes",
    "crashing",
    "hangs",
    "hanging",
    "freezes",
    "empty",
    "wrong",
    "unusable",
    "offline",
    "unreachable",
    "kaputt",
    "langsam",
    "rot",
    "tot",
    "roto",
    "rota",
    "lento",
    "cassé",
    "cassée",
    "lent",
    "quebrado",
    "rotto",
    "lenta",
    "stuk",
    "traag",
];
const SINCE: [&str; 8] = ["since", "seit", "seitdem", "desde", "depuis", "da", "sinds", "ever"];
/// So many words may stand between what is broken and since when.
const BETWEEN: usize = 3;
/// What people feel about what they see.
const FEELS: [&str; 30] = [
    "always nice to ",
    "always nice when ",
    "always nice seeing ",
    "always great to ",
    "always great when ",
    "always lovely to ",
    "always fun to ",
    "always fun when ",
    "always a pleasure",
    "always a joy",
    "always satisfying",
    "always funny ",
    "always sad to ",
    "always annoying ",
    "always good to see",
    "always good to hear",
    "always good to have",
    "never gets old",
    "never fails to ",
    "never a dull",
    "never boring",
    "immer schön ",
    "immer wieder schön",
    "immer nett ",
    "siempre es bonito",
    "siempre es un placer",
    "toujours un plaisir",
    "toujours agréable",
    "sempre bom ver",
    "sempre bello ",
];
/// Who may have done it.
const SOMEBODY: [&str; 14] = [
    "he",
    "she",
    "they",
    "someone",
    "somebody",
    "you",
    "i",
    "we",
    "jemand",
    "er",
    "wer",
    "alguien",
    "quelqu'un",
    "qualcuno",
];
/// What was done to something that is only pointed at, and when.
const POINTED: [&str; 8] = ["that", "it", "this", "them", "something", "those", "these", "anything"];
/// Until when something must have been done.
const DUE: [&str; 5] = ["by", "before", "until", "once", "when"];
/// Forms of past verbs that do not end as others do.
const DONE: [&str; 30] = [
    "been",
    "done",
    "gone",
    "left",
    "lost",
    "made",
    "put",
    "got",
    "gotten",
    "said",
    "seen",
    "taken",
    "broken",
    "broke",
    "forgotten",
    "forgot",
    "written",
    "run",
    "set",
    "cut",
    "come",
    "become",
    "had",
    "built",
    "sent",
    "thrown",
    "lit",
    "shut",
    "hit",
    "meant",
];
/// A want of fewer words is the start of a task.
const WANT: usize = 5;
/// Words by which a want is for all.
const FOR_ALL: [&str; 10] =
    ["everywhere", "always", "every", "each", "all", "only", "at", "per", "both", "never"];

/// Tells whether a sentence reports, guesses, feels or lacks something at the moment.
pub(super) fn is_reported(body: &str) -> bool {
    let lower = body.trim().to_lowercase().replace('’', "'");
    let feeling = lower.strip_prefix("it's ").or_else(|| lower.strip_prefix("its ")).unwrap_or(&lower);
    let words = words_of(body);
    FEELS.iter().any(|opening| feeling.starts_with(opening))
        || complains(&lower, &words)
        || is_broken_since(&words)
        || guesses(body, &words)
        || lacks(&words)
}

/// "The lamp fails at night. Always.": what goes wrong each time is no rule.
pub(super) fn is_failing(body: &str) -> bool {
    const FAILS: [&str; 12] = [
        "fails", "fail", "failed", "crashes", "crashed", "hangs", "breaks", "broke", "flickers", "errors",
        "freezes", "times",
    ];
    is_trouble(body) || words_of(body).iter().any(|word| FAILS.contains(&word.text.as_str()))
}

/// "Customers complain that the lamps go out", "guests report that …"; not "when guests complain, …".
fn complains(lower: &str, words: &[Word]) -> bool {
    const AHEAD: usize = 6;
    let said = |at: usize| words.get(at).map_or("", |word: &Word| word.text.as_str());
    let supposed = matches!(said(0), "when" | "if" | "whenever" | "once" | "wenn" | "si" | "se" | "als");
    let may = words
        .iter()
        .take(AHEAD)
        .any(|word| matches!(word.text.as_str(), "may" | "must" | "can" | "should" | "who"));
    let reports = |at: usize| {
        matches!(said(at), "report" | "reports" | "reported" | "reporting")
            && said(at + 1) == "that"
            && matches!(said(at + 2), "they" | "he" | "she" | "the" | "their" | "it" | "some")
    };
    let told = (1..words.len().min(AHEAD)).any(|at| COMPLAINS.contains(&said(at)) || reports(at));
    !supposed && !may && (told || COMPLAIN_ABROAD.iter().any(|words| lower.contains(words)))
}

/// "The winch is broken since we changed the oil".
fn is_broken_since(words: &[Word]) -> bool {
    (0..words.len()).any(|at| {
        let is_since = |word: &Word| SINCE.contains(&word.text.as_str());
        BROKEN.contains(&words[at].text.as_str())
            && words[at + 1..]
                .iter()
                .take(BETWEEN)
                .position(is_since)
                .is_some_and(|since| at + since + 2 < words.len())
            && !words.iter().any(|word| matches!(word.text.as_str(), "must" | "never" | "always" | "treat"))
    })
}

/// "Ada must have moved that on Friday", "somebody must have cut the rope"; not "boats must have left by noon".
fn guesses(body: &str, words: &[Word]) -> bool {
    let said = |at: usize| words.get(at).map_or("", |word: &Word| word.text.as_str());
    let at = (1..words.len().min(4)).find(|at| {
        matches!(said(*at), "must" | "may" | "might" | "could" | "can't" | "should" | "probably")
            && said(at + 1) == "have"
    });
    let was = at.map(|at| if matches!(said(at + 2), "just" | "already" | "been") { at + 3 } else { at + 2 });
    let Some(was) = was.filter(|was| said(*was).ends_with("ed") || DONE.contains(&said(*was))) else {
        return body.to_lowercase().contains(" debió de ") || body.to_lowercase().contains(" a dû ");
    };
    let due = words[was..].iter().any(|word| DUE.contains(&word.text.as_str()));
    // "Ada" is named, "boats" are of a sort.
    let named = body.split_whitespace().nth(1).is_some_and(|second| second.eq_ignore_ascii_case(said(1)))
        && at == Some(1)
        && body.starts_with(char::is_uppercase)
        && !said(0).ends_with('s');
    !due && (SOMEBODY.contains(&said(0)) || named || POINTED.contains(&said(was + 1)))
}

/// "We need night lamps": what is wanted next, with no word of what for.
fn lacks(words: &[Word]) -> bool {
    let said: Vec<&str> = words.iter().map(|word| word.text.as_str()).collect();
    let wanted = match said.as_slice() {
        ["we" | "i", "need", wanted @ ..] | ["necesitamos" | "precisamos", wanted @ ..] => wanted,
        ["wir", "brauchen", wanted @ ..] | ["il", "nous", "faut", wanted @ ..] => wanted,
        ["abbiamo", "bisogno", "di", wanted @ ..] => wanted,
        _ => return false,
    };
    let counted = wanted.iter().any(|word| word.contains(|c: char| c.is_ascii_digit()));
    said.len() <= WANT
        && !wanted.is_empty()
        && wanted[0] != "to"
        && !counted
        && !wanted.iter().any(|word| FOR_ALL.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_guesses_and_feelings_are_told_from_rules() {
        let check = |body: &str, expected: bool| assert_eq!(is_reported(body), expected, "{body}");
        check("guests complain that the lamps go out all the time", true);
        check("two pilots reported that they never hear the bell", true);
        check("Kunden beschweren sich, dass die Lampen immer ausgehen", true);
        check("The crane is broken since we switched to hemp", true);
        check("Der Kran ist kaputt seit dem Umzug", true);
        check("always nice to see that green lamp", true);
        check("it's always fun when the bell rings", true);
        check("Ada must have moved that on Friday", true);
        check("somebody must have cut the rope", true);
        check("the keeper must have lit it", true);
        check("We need night lamps", true);
        check("Wir brauchen neue Lampen", true);
        check("when guests complain that it is dark, light two lamps", false);
        check("Guests may complain at the office only", false);
        check("pilots report that to the office", false);
        check("Boats must have left the pier by noon", false);
        check("boats must have painted names", false);
        check("every ferry must have two lamps", false);
        check("always nice and slow at the pier", false);
        check("We need two lamps per pier", false);
        check("We need approval from the office before each tow", false);
        check("we need to keep the lamps lit", false);
        check("The pier is closed since the storm", false);
    }
}
