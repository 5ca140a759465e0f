//! Full stops that end no sentence.

/// Words after which a full stop does not end a sentence.
const ABBREVIATIONS: [&str; 24] = [
    "e.g", "i.e", "etc", "vs", "cf", "approx", "incl", "no", "nr", "ca", "fig", "resp", "a.k.a", "dr", "mr",
    "mrs", "ms", "prof", "st", "sr", "ie", "eg", "p", "pp",
];

/// Tells whether a text ends in a word that a full stop cuts short, or in somebody's initial; the stop is not part of it.
pub fn is_cut_short(before: &str) -> bool {
    abbreviates(before) || last_word(before).is_some_and(is_initial)
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
        check("We use it. Because.", Some("We use it"));
        check("", None);
    }
}
