//! What a sentence says of what held before by naming it: that it was not good enough, that it ran out; and that it only
//! says again what was said.

use super::token::stem;
use crate::extract::terms::number_word;

/// What one says of what was not good enough, behind its name.
const FELL_SHORT: [&str; 14] = [
    "too", "not", "never", "way", "far", "just", "simply", "clearly", "overkill", "wasn't", "painful",
    "annoying", "nonsense", "wrong",
];
/// How one says that something is not to be had any more, behind its name.
const GONE: [&[&str]; 20] = [
    &["se", "acabó"],
    &["acabou"],
    &["ist", "geschichte"],
    &["est", "fini"],
    &["ran", "out"],
    &["runs", "out"],
    &["expired"],
    &["is", "gone"],
    &["are", "gone"],
    &["is", "history"],
    &["is", "dead"],
    &["is", "out"],
    &["shut", "down"],
    &["shuts", "down"],
    &["closed", "down"],
    &["went", "away"],
    &["was", "switched", "off"],
    &["got", "switched", "off"],
    &["was", "cancelled"],
    &["was", "canceled"],
];
/// Between a name and what became of it may stand so many words: "our Brass contract ran out".
const BETWEEN: usize = 2;
/// How people say that they said it before.
const AGAIN: [&str; 43] = [
    "as always",
    "as ever",
    "as usual",
    "like always",
    "wie immer",
    "just to repeat",
    "to repeat",
    "ya lo sabes",
    "wie du weißt",
    "just confirming",
    "just to confirm",
    "like i told you",
    "as i told you",
    "like i said",
    "as i said",
    "as we said",
    "as mentioned",
    "as discussed",
    "i already said",
    "i said it before",
    "once again",
    "again and again",
    "still so",
    "still holds",
    "still stands",
    "still true",
    "still valid",
    "said it before",
    "saying it again",
    "hasn't moved",
    "hasn't changed",
    "didn't change",
    "nach wie vor",
    "gilt weiterhin",
    "ya se dijo",
    "sigue igual",
    "toujours valable",
    "wie gesagt",
    "wie schon gesagt",
    "ya lo dije",
    "como dije",
    "comme je l'ai dit",
    "como já disse",
];

/// "25 boats at a time, 5 was way too few": the value that held is named as the one that did not do.
pub(super) fn outgrows(known: &[String], arriving: &[String]) -> bool {
    let is_value = |word: &str| word.starts_with(|c: char| c.is_ascii_digit()) || is_counted(word);
    let named = |word: &String| is_value(word) && known.contains(word);
    let other = |word: &String| is_value(word) && !known.contains(word);
    let fell_short = arriving.windows(3).any(|three| {
        named(&three[0])
            && matches!(three[1].as_str(), "was" | "were" | "wasn't" | "weren't" | "is" | "isn't")
            && (three[1].ends_with("n't") || FELL_SHORT.contains(&three[2].as_str()))
    });
    fell_short && arriving.iter().any(other)
}

fn is_counted(word: &str) -> bool {
    word == "one" || number_word(word).is_some()
}

/// "Our Brass contract ran out in May, the lamps come from Glass": what is known is named, is not to be had any more, and
/// something else is said. The first word may be anybody's, and a word of the day is no name.
pub(super) fn ran_out(known: &[String], arriving: &[String]) -> bool {
    let stems: Vec<String> = known.iter().map(|word| stem(word)).collect();
    let named = |word: &String| word.len() > 3 && stems.contains(&stem(word));
    let gone = |at: usize| {
        (at + 1..=at + 1 + BETWEEN).any(|from| {
            GONE.iter().any(|words| arriving.get(from..from + words.len()).is_some_and(|said| said == *words))
        })
    };
    let at = (0..arriving.len()).find(|at| named(&arriving[*at]) && gone(*at));
    let told_besides = |at: usize| arriving.len() - at > BETWEEN + 4;
    // "The old key expired" is of a day; what is named has to be known by its name, and not by the first word of it.
    at.is_some_and(told_besides)
}

/// Tells whether somebody says that they say it again: then nothing changed.
pub(super) fn says_again(arriving: &[String]) -> bool {
    let said = format!(" {} ", arriving.join(" "));
    AGAIN.iter().any(|words| said.contains(&format!(" {words} ")))
}

#[cfg(test)]
mod tests {
    use super::super::slot::plain_words;
    use super::*;

    #[test]
    fn what_did_not_do_is_over() {
        let check = |known: &str, arriving: &str, expected: bool| {
            assert_eq!(outgrows(&plain_words(known), &plain_words(arriving)), expected, "{arriving}");
        };
        check("A pier takes 5 boats at a time.", "25 boats per pier, 5 was way too few", true);
        check("Ring three times at most.", "ring up to eight times, three was not enough", true);
        check("A pier takes 5 boats at a time.", "5 was a good year for boats", false);
        check("A pier takes 5 boats at a time.", "In the storm 9 was too many", false);
        check("A pier takes 5 boats at a time.", "5 was not enough", false);
    }

    #[test]
    fn what_is_not_to_be_had_is_over() {
        let check = |known: &str, arriving: &str, expected: bool| {
            assert_eq!(ran_out(&plain_words(known), &plain_words(arriving)), expected, "{arriving}");
        };
        check(
            "Lamps are bought from Brass.",
            "our Brass contract ran out in May, the lamps come from Glass",
            true,
        );
        check(
            "Lamps are bought from Brass.",
            "the oil ran out in May, the keeper walked to the shop for more",
            false,
        );
        check("Lamps are bought from Brass.", "Brass ran out", false);
    }

    #[test]
    fn what_is_said_again_is_not_new() {
        assert!(says_again(&plain_words("like I told you, lamps stay out of the hold")));
        assert!(says_again(&plain_words("las lámparas las enciende el farero, ya lo dije")));
        assert!(!says_again(&plain_words("I told the pilot that lamps stay out of the hold")));
    }
}
