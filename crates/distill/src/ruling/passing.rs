//! What is said in passing and leaves nothing, however much its words sound like what lasts: a wish nobody decided on,
//! a question without its mark, something seen that looks wrong, an errand about yesterday's things.

use super::reported::is_reported;
use super::words::{Word, words_of};

/// How a wish begins that nobody acts on.
const WISHES: [&str; 16] = [
    "wish ",
    "i wish ",
    "we wish ",
    "if only ",
    "would be nice ",
    "would be cool ",
    "would be great ",
    "it would be nice ",
    "it would be cool ",
    "it would be great ",
    "ojalá ",
    "wäre schön ",
    "es wäre schön ",
    "wenn wir nur ",
    "si seulement ",
    "magari ",
];
/// How somebody asks around.
const ASKS_AROUND: [&str; 16] = [
    "anyone know",
    "anybody know",
    "does anyone ",
    "does anybody ",
    "has anyone ",
    "has anybody ",
    "weiß jemand ",
    "weiss jemand ",
    "kennt jemand ",
    "hat jemand ",
    "kann jemand ",
    "sabe alguien ",
    "alguien sabe ",
    "quelqu'un sait ",
    "qualcuno sa ",
    "weet iemand ",
];
/// How something looks that is not as it should be.
const AMISS: [&str; 14] = [
    "weird", "odd", "strange", "ugly", "broken", "wrong", "off", "awful", "terrible", "janky", "komisch",
    "seltsam", "raro", "bizarre",
];
/// Whose things are over by tomorrow.
const YESTERDAYS: [&str; 8] = [
    " de ayer",
    " von gestern",
    " d'hier",
    " di ieri",
    " de ontem",
    " van gisteren",
    " from yesterday",
    " of yesterday",
];

/// How somebody declines, or says what they thought all along.
const REMARKS: [&str; 8] = [
    "no need,",
    "no need for ",
    "not needed,",
    "always wondered ",
    "always thought ",
    "always hated ",
    "never noticed ",
    "never knew ",
];
/// What somebody is at just then.
const UNDER_HAND: [&str; 4] =
    ["in the middle of editing", "in the middle of it", "i'm on it", "have a branch open"];

/// Tells whether a sentence is said in passing.
pub(super) fn is_in_passing(body: &str) -> bool {
    let lower = body.trim().to_lowercase().replace('’', "'");
    let words = words_of(body);
    WISHES.iter().chain(&ASKS_AROUND).chain(&REMARKS).any(|opening| lower.starts_with(opening))
        || UNDER_HAND.iter().any(|words| lower.contains(words))
        || YESTERDAYS.iter().any(|end| lower.trim_end_matches(['.', '!']).ends_with(end))
        || looks_amiss(&words)
        || is_about_to_begin(&words)
        || is_at_it(&words)
        || hopes(&words)
        || is_reported(body)
}

/// "The lamp looks odd", "…, really ugly", "sale en blanco": seen, and not meant to be so.
fn looks_amiss(words: &[Word]) -> bool {
    let is_amiss = |word: &Word| AMISS.contains(&word.text.as_str());
    let looks = |word: &Word| {
        matches!(
            word.text.as_str(),
            "look" | "looks" | "looking" | "really" | "sieht" | "sehen" | "so" | "pretty" | "se"
        )
    };
    let seen = words.windows(2).any(|pair| looks(&pair[0]) && is_amiss(&pair[1]));
    let blank = words.windows(3).any(|three| {
        matches!(three[0].text.as_str(), "sale" | "salen" | "aparece" | "esce" | "sort")
            && matches!(three[1].text.as_str(), "en" | "in")
            && matches!(three[2].text.as_str(), "blanco" | "bianco" | "blanc")
    });
    // "Nothing may look odd in print" says how it must not be.
    let forbids = words
        .first()
        .is_some_and(|word| matches!(word.text.as_str(), "nothing" | "never" | "no" | "if" | "when"));
    (seen || blank) && !forbids
}

/// "The lamps are up, I'm looking at the log": what somebody does just now.
fn is_at_it(words: &[Word]) -> bool {
    const DOING: [&str; 10] = [
        "looking",
        "checking",
        "trying",
        "waiting",
        "testing",
        "reading",
        "working",
        "debugging",
        "investigating",
        "seeing",
    ];
    words
        .windows(2)
        .any(|pair| matches!(pair[0].text.as_str(), "i'm" | "im") && DOING.contains(&pair[1].text.as_str()))
}

/// "The tide review starts in 10 minutes": soon it will be over.
fn is_about_to_begin(words: &[Word]) -> bool {
    words.windows(4).any(|four| {
        let said: Vec<&str> = four.iter().map(|word| word.text.as_str()).collect();
        matches!(said[0], "starts" | "begins" | "start" | "begin" | "meeting" | "call" | "review")
            && said[1] == "in"
            && said[2].chars().all(|c| c.is_ascii_digit())
            && (said[3].starts_with("min") || said[3].starts_with("hour"))
    })
}

/// "We are going to be famous": a few words about what will become of us.
fn hopes(words: &[Word]) -> bool {
    const FEW: usize = 7;
    let said = |at: usize| words.get(at).map_or("", |word: &Word| word.text.as_str());
    words.len() <= FEW
        && matches!(said(0), "we" | "we're" | "i" | "i'm" | "this" | "it" | "it's")
        && words
            .windows(3)
            .any(|three| three[0].text == "going" && three[1].text == "to" && three[2].text == "be")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_leaves_nothing_is_told_from_what_lasts() {
        let check = |body: &str, expected: bool| assert_eq!(is_in_passing(body), expected, "{body}");
        check("wish we had a proper crane like the big ones", true);
        check("ojalá tuviéramos un faro", true);
        check("weiß jemand wo die alten Karten liegen", true);
        check("the lamp looks weird from the pier, stripes everywhere", true);
        check("ropes are frayed at the third post, really ugly", true);
        check("el plano sale en blanco", true);
        check("sube las cartas de ayer", true);
        check("We are going to be famous", true);
        check("We are going to charge for moorings from May on, the harbour board decided it", false);
        check("Nothing may look odd in print", false);
        check("no need, the pilot sits next to me", true);
        check("always wondered why the crane was slow", true);
        check("don't touch the ropes please, i'm in the middle of editing the list", true);
        check("always coil the ropes", false);
        check("The ferry leaves at nine", false);
        check("Tide review starts in 10 minutes (room 4)", true);
        check("The night watch starts in May", false);
        check("the lamps are up, im looking at the log", true);
        check("Use the odd berths for guests", false);
    }
}
