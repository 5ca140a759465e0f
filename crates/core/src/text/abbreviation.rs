//! Full stops that end no sentence.

/// Words after which a full stop does not end a sentence.
const ABBREVIATIONS: [&str; 24] = [
    "e.g", "i.e", "etc", "vs", "cf", "approx", "incl", "no", "nr", "ca", "fig", "resp", "a.k.a", "dr", "mr",
    "mrs", "ms", "prof", "st", "sr", "ie", "eg", "p", "pp",
];

/// Words behind which a German number with a full stop is an ordinal: "im 2. Stock", "am 3. Mai".
const BEFORE_ORDINALS: [&str; 17] = [
    "im", "am", "vom", "zum", "zur", "beim", "der", "dem", "den", "des", "das", "jeder", "jeden", "jedem",
    "jedes", "seit", "ab",
];

/// Tells whether a text ends in a word that a full stop cuts short, in somebody's initial, or in a number that the full
/// stop makes an ordinal; the stop is not part of it.
pub fn is_cut_short(before: &str) -> bool {
    abbreviates(before) || last_word(before).is_some_and(is_initial) || is_ordinal(before)
}

/// Tells whether a text ends in a word that a full stop cuts short.
pub fn abbreviates(before: &str) -> bool {
    last_word(before).is_some_and(|last| ABBREVIATIONS.iter().any(|known| last.eq_ignore_ascii_case(known)))
}

/// Returns the first sentence and the rest, where there is more than one.
pub fn first_and_rest(text: &str) -> Option<(&str, &str)> {
    let ends = |(at, _): &(usize, &str)| !is_cut_short(&text[..*at]);
    let (at, stop) = text.match_indices(". ").find(ends)?;
    Some((&text[..at], &text[at + stop.len()..]))
}

fn last_word(text: &str) -> Option<&str> {
    text.rsplit(|c: char| c.is_whitespace() || c == '(').next()
}

fn is_ordinal(before: &str) -> bool {
    let mut words = before.rsplit(char::is_whitespace);
    let is_short =
        |number: &str| (1..=2).contains(&number.len()) && number.bytes().all(|b| b.is_ascii_digit());
    let leads = |word: &str| BEFORE_ORDINALS.iter().any(|known| word.eq_ignore_ascii_case(known));
    words.next().is_some_and(is_short) && words.next().is_some_and(leads)
}

fn is_initial(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(char::is_uppercase) && letters.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn initials_and_abbreviations_end_nothing() {
        let check = |text: &str, expected: Option<&str>| {
            assert_eq!(first_and_rest(text).map(|(first, _)| first), expected, "{text}");
        };
        check("The invoice goes to Mr. J. R. Okafor, not to the ward.", None);
        check(
            "Orders are confirmed within 2 hours, i.e. before the truck leaves. Later ones wait.",
            Some("Orders are confirmed within 2 hours, i.e. before the truck leaves"),
        );
        check("Die Waage steht im 2. Stock neben dem Aufzug.", None);
        check("Am 3. Mai wird gewogen. Danach nicht.", Some("Am 3. Mai wird gewogen"));
        check("The limit is 12. Later ones wait.", Some("The limit is 12"));
        check("We use it. Because.", Some("We use it"));
        check("", None);
    }
}
