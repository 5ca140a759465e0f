//! How it goes just now: what somebody is doing, how far it has come, that it still does not work. And an errand that
//! makes one thing, however much of it must be.

use super::under_way::is_everyday_verb;
use super::words::{FINITE, Word, words_of};
use crate::extract::flaws::third_person;

/// How people say that they speak of this moment.
const MOMENT: [&str; 42] = [
    "no change, ",
    "try went through",
    "is rebased and",
    "läuft jetzt",
    "klappt jetzt",
    "geht jetzt",
    "ça marche maintenant",
    "ahora funciona",
    "agora funciona",
    "getting somewhere",
    "no luck",
    "it now fails",
    "done means",
    "acabei de ",
    "acabo de ",
    "je viens de ",
    "ich habe gerade ",
    "'s running, ",
    "back in a minute",
    "be right back",
    "% through",
    "% done",
    "% finished",
    "looks good so far",
    "works so far",
    "so far so good",
    "no change whatsoever",
    "no change at all",
    "no difference at all",
    "still the same",
    "immer noch nicht",
    "geht nicht mehr seit",
    "gerade nochmal",
    "bin gerade",
    "j'attends",
    "je suis en train",
    "toujours pareil",
    "hace un rato",
    "sigue igual",
    "continua tudo",
    "continua igual",
    "nog steeds",
];
/// A remark of how it goes has few words.
const FEW: usize = 8;
/// What somebody is to make, write or tell, once.
const MAKES: [&str; 22] = [
    "write",
    "draft",
    "make",
    "create",
    "generate",
    "build",
    "explain",
    "describe",
    "summarise",
    "summarize",
    "compare",
    "sketch",
    "prepare",
    "show",
    "list",
    "find",
    "figure",
    "estimate",
    "translate",
    "plot",
    "convert",
    "schreib",
];
const ONE: [&str; 17] = [
    "a", "an", "me", "us", "what", "why", "how", "which", "out", "some", "another", "one", "mir", "bitte",
    "ein", "eine", "einen",
];
/// What is done once, whatever it is done to.
const ONCE: [&str; 10] = [
    "bump",
    "revert",
    "rerun",
    "restart",
    "rebase",
    "redeploy",
    "reinstall",
    "regenerate",
    "plot",
    "cherry-pick",
];
/// Words by which even an errand is for each time.
const EACH_TIME: [&str; 9] =
    ["always", "every", "each", "never", "whenever", "after", "immer", "jedes", "jede"];
/// What is asked for in the end of a complaint.
const MENDS: [&str; 8] = [
    "find out why",
    "fix it",
    "fix that",
    "sort it out",
    "look into it",
    "please fix",
    "please check",
    "have a look",
];

/// Tells whether a sentence says how it goes just now.
pub(super) fn is_progress(body: &str) -> bool {
    let lower = body.trim().trim_end_matches(['.', '!']).to_lowercase().replace('’', "'");
    let words = words_of(body);
    MOMENT.iter().any(|words| lower.contains(words))
        || is_at_work_now(&words)
        || is_still_so(body, &words)
        || has_been_so_long(&words)
}

/// "The bell has been silent for 40 minutes": for so long, and hardly for good.
fn has_been_so_long(words: &[Word]) -> bool {
    let is_span = |word: &Word| matches!(word.text.as_str(), "minutes" | "min" | "mins" | "hours" | "hour");
    let been =
        words.windows(2).any(|two| matches!(two[0].text.as_str(), "has" | "have") && two[1].text == "been");
    been && words.windows(3).any(|three| three[0].text == "for" && is_span(&three[2]))
}

/// "Oiling the gate now, takes two minutes": what is being done, told without who does it.
fn is_at_work_now(words: &[Word]) -> bool {
    let doing = words.first().is_some_and(|word| word.text.len() > 4 && word.text.ends_with("ing"));
    let head = words.iter().position(|word| word.ends_clause).map_or(words.len(), |at| at + 1);
    let head = &words[..head];
    let states = |word: &Word| FINITE.contains(&word.text.as_str());
    doing && head.iter().any(|word| word.text == "now") && !head.iter().any(states)
}

/// "The boat still drives in circles": a few words, and no name or number that would be worth knowing.
fn is_still_so(body: &str, words: &[Word]) -> bool {
    let still = words.iter().take(4).position(|word| word.text == "still");
    let is_plain = |word: &str| word.chars().all(|c| c.is_lowercase() || !c.is_alphabetic());
    let is_named = body.contains(|c: char| c.is_ascii_digit() || c == '`')
        || body.split_whitespace().skip(1).any(|word| !is_plain(word));
    let ours = words.first().is_some_and(|word| matches!(word.text.as_str(), "we" | "i" | "they"));
    words.len() <= FEW
        && !is_named
        && !ours
        && still.and_then(|at| words.get(at + 1)).is_some_and(|next| {
            matches!(next.text.as_str(), "not" | "doesn't" | "no" | "the" | "nothing")
                || third_person(&next.text)
                || is_everyday_verb(&next.text)
        })
}

/// "Write a song that must rhyme", "the bell never rings, find out why": done once, and then it is done.
pub(super) fn is_errand(body: &str) -> bool {
    let lower = body.trim().trim_end_matches(['.', '!']).to_lowercase();
    let words = words_of(body);
    let said = |at: usize| words.get(at).map_or("", |word: &Word| word.text.as_str());
    let at = usize::from(matches!(said(0), "please" | "pls" | "plz"));
    let makes = MAKES.contains(&said(at)) && ONE.contains(&said(at + 1)) || ONCE.contains(&said(at));
    let each = |word: &Word| EACH_TIME.contains(&word.text.as_str());
    let mends = lower
        .rsplit_once(',')
        .is_some_and(|(_, end)| MENDS.iter().any(|mends| end.trim_start().starts_with(mends)));
    // "It has to be under 400 letters, cut it please".
    let asked = lower.rsplit_once(',').is_some_and(|(_, end)| {
        let end: Vec<&str> = end.split_whitespace().collect();
        end.len() <= 4
            && end.iter().any(|word| matches!(*word, "it" | "them" | "that"))
            && end.iter().any(|word| matches!(*word, "please" | "pls" | "plz"))
    });
    // "In the list you just wrote": what somebody made a moment ago.
    let made = words.windows(2).any(|pair| pair[0].text == "you" && pair[1].text == "just");
    mends || (asked || made || makes) && !words.iter().any(each)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_it_goes_is_told_from_how_it_is() {
        let check = |body: &str, expected: bool| assert_eq!(is_progress(body), expected, "{body}");
        check("oiling the gate now, takes about two minutes", true);
        check("robot still drives in circles", true);
        check("the lamp still doesn't burn", true);
        check("the move is running, about 40% through", true);
        check("it now fails one line later than before, so we're getting somewhere", true);
        check("acabei de testar no barco, a lâmpada ainda treme", true);
        check("gerade nochmal getestet, geht immer noch nicht", true);
        check("danke, läuft jetzt, hätte nie gedacht dass es am Docht liegt", true);
        check("mooring now costs 10 crowns", false);
        check("towing is now done by the pilots", false);
        check("the west pier still uses Argand lamps", false);
        check("we still ring the bell at noon", false);
        check("Guests still need a ticket, even with a pass for the year and a letter", false);
    }

    #[test]
    fn what_is_made_once_is_an_errand() {
        let check = |body: &str, expected: bool| assert_eq!(is_errand(body), expected, "{body}");
        check("Write a song that must rhyme", true);
        check("please draft a reply that we come on Friday, not Wednesday", true);
        check("explain what the crane does, only the part behind the gate", true);
        check("the ledger always leaves out the last boat, find out why and mend it", true);
        check("the third line of the letter has to be under 400 words, cut it please", true);
        check("in the list you just wrote the depth must be 12, not 13", true);
        check("plot the depth per berth for tide 12", true);
        check("rebase before every crossing", false);
        check("Write a line into the ledger for every boat", false);
        check("Make a new list whenever the tide turns", false);
        check("Write the labels in Latin", false);
    }
}
