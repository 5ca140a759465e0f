//! What went wrong, as people report it: since when, after what, and what does not do what it should.

use super::words::{Word, words_of};

/// Tells whether a sentence reports that something does not work.
pub(crate) fn is_trouble(body: &str) -> bool {
    let lower = format!(" {} ", body.to_lowercase().replace('’', "'"));
    let words = words_of(body);
    SINCE.iter().any(|since| lower.contains(since))
        || is_walked_through(&words)
        || fails_to(&words)
        || comes_out_wrong(&words)
}

/// When it began, seen from somebody who suffers from it.
const SINCE: [&str; 30] = [
    " since the update",
    " since the upgrade",
    " since the deploy",
    " since the release",
    " since this morning",
    " since yesterday",
    " since your ",
    " since you ",
    " since the last ",
    " since a few ",
    " after your change",
    " after your fix",
    " after your last ",
    " after your edit",
    " after your commit",
    " with your change",
    " your last change",
    " your last commit",
    " i get a ",
    " i get an ",
    " i'm getting ",
    " seit deiner ",
    " seit deinem ",
    " seit heute morgen",
    " depuis ta ",
    " depuis ton ",
    " desde tu ",
    " desde a tua ",
    " dalla tua ",
    " sinds je ",
];

/// "When I ring the bell the gate opens twice": how to see it.
fn is_walked_through(words: &[Word]) -> bool {
    let said = |at: usize| words.get(at).map_or("", |word: &Word| word.text.as_str());
    match (said(0), said(1)) {
        ("every" | "each", "time") => said(2) == "i",
        ("as", "soon") => said(3) == "i",
        ("when" | "whenever" | "if" | "once" | "everytime", who) => who == "i",
        _ => false,
    }
}

/// What a thing is there to do: who says that it does not reports a fault.
const FUNCTION: [&str; 20] = [
    "work", "works", "load", "loads", "finish", "finishes", "open", "opens", "respond", "responds",
    "compile", "compiles", "connect", "connects", "render", "renders", "react", "reacts", "loading",
    "working",
];

/// "The gate never opens", "the bell doesn't work any more".
fn fails_to(words: &[Word]) -> bool {
    words.windows(2).any(|pair| {
        let denies = matches!(
            pair[0].text.as_str(),
            "never" | "doesn't" | "doesnt" | "don't" | "not" | "won't" | "isn't"
        );
        denies && FUNCTION.contains(&pair[1].text.as_str())
    }) && !words.first().is_some_and(|word| matches!(word.text.as_str(), "never" | "don't" | "do" | "please"))
}

/// "… opens twice", "… comes out empty": seen, and not meant.
fn comes_out_wrong(words: &[Word]) -> bool {
    let seen = |word: &Word| matches!(word.text.as_str(), "twice" | "empty" | "blank" | "garbled" | "upside");
    let does = |word: &Word| {
        matches!(
            word.text.as_str(),
            "opens"
                | "prints"
                | "shows"
                | "appears"
                | "fires"
                | "renders"
                | "comes"
                | "blinks"
                | "loads"
                | "displays"
        )
    };
    words.iter().any(seen) && words.iter().any(does)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_do_what_it_should_is_trouble() {
        let check = |body: &str, expected: bool| assert_eq!(is_trouble(body), expected, "{body}");
        check("the bell rings every second hour since this morning", true);
        check("Every time I ring the bell, the gate jumps back", true);
        check("When I ring the bell the gate always opens twice", true);
        check("The ferry never opens its doors if no guest waits", true);
        check("the horn doesn't work any more after your change", true);
        check("De bel luidt niet meer sinds je laatste wijziging", true);
        check("Keys never leave the house", false);
        check("never open the east gate", false);
        check("The ferry leaves twice a day", false);
        check("We take no cash since the fire", false);
    }
}
