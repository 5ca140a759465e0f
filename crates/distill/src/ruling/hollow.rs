//! What has the form of something laid down and says nothing that anybody could use later.

/// Words that leave open what is meant, where nothing else of the sentence says it.
const POINTING: [&str; 6] = ["that's", "that", "it's", "it", "this", "thats"];
const PREPOSITIONS: [&str; 12] =
    ["for", "in", "on", "at", "with", "until", "till", "after", "before", "by", "from", "every"];
const DETERMINERS: [&str; 10] = ["the", "a", "an", "this", "that", "these", "those", "my", "your", "our"];
const NUMBERED: [&str; 8] = ["first", "second", "third", "last", "other", "next", "former", "latter"];
/// Words by which an order is for this day.
const OF_THE_DAY: [&str; 6] = [" today", " tonight", " this afternoon", " this morning", " tomorrow", " yet"];
/// Words by which it begins on this day.
const FROM_THE_DAY: [&str; 6] =
    ["from today", "as of today", "starting today", "since today", "until today", "today's"];

/// Tells whether a sentence of a person lays down nothing, whatever its words are.
pub(super) fn is_hollow(text: &str) -> bool {
    let lower = text.trim().trim_end_matches(['.', '!']).to_lowercase().replace('’', "'");
    let words: Vec<&str> =
        lower.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric())).collect();
    match words[..] {
        [] => true,
        [one] => one.is_ascii(),
        _ => {
            is_complaint(&words)
                || is_reproach(&lower, &words)
                || is_outcry(&words)
                || is_supposed(&words)
                || matches!(words[..], ["for", "example" | "instance", ..])
                || points(&lower, &words)
                || is_order_of_the_day(&lower, &words)
        }
    }
}

/// "You never listen to me": about whoever is spoken to, and no "must".
fn is_complaint(words: &[&str]) -> bool {
    let obliges = ["must", "should", "have", "need", "may", "can", "shall", "ought", "push", "run", "use"];
    let says = matches!(words, ["you", "keep", "saying" | "telling" | "claiming" | "insisting", ..]);
    says || matches!(words, ["you", "never" | "always", ..])
        && !words.iter().any(|word| obliges.contains(word))
}

/// "You painted the wrong gate, not ours": what was done, and nothing of what is to be done.
fn is_reproach(lower: &str, words: &[&str]) -> bool {
    const DID: [&str; 12] =
        ["did", "made", "wrote", "forgot", "broke", "put", "ran", "took", "left", "went", "got", "built"];
    const RULES: [&str; 12] =
        ["we", "always", "never", "must", "should", "only", "every", "is", "are", "stop", "use", "please"];
    let is_past = |word: &str| word.len() > 4 && word.ends_with("ed") || DID.contains(&word);
    matches!(words, ["you", did, ..] if is_past(did))
        && !lower.contains(". ")
        && !words.iter().any(|word| RULES.contains(word))
}

/// "If we used brass we'd have to polish it": what would be, and is not.
fn is_supposed(words: &[&str]) -> bool {
    let would =
        |word: &&str| matches!(*word, "would" | "wouldn't" | "could" | "might") || word.ends_with("'d");
    // "If somebody were to ask" may well be a rule; "if we had a crane" is not.
    let ours = matches!(words, ["if", "we" | "i" | "you", past, ..]
        if past.ends_with("ed") || matches!(*past, "had" | "were" | "did" | "went" | "took" | "got" | "made" | "ran" | "wrote" | "kept"));
    ours && words.iter().skip(3).any(would)
}

/// "Always the same error": no verb says what is to be done.
fn is_outcry(words: &[&str]) -> bool {
    matches!(words, ["always" | "never", next, ..] if DETERMINERS.contains(next))
}

/// "Always take the second one", "for three years, that's the law": what it is about was said before.
fn points(lower: &str, words: &[&str]) -> bool {
    let one_of_several =
        matches!(words, [.., "the", which, "one"] if NUMBERED.contains(which)) && words.len() <= 6;
    let rest = lower.split_once(',').map(|(_, rest)| rest.trim_start());
    let hangs = PREPOSITIONS.contains(&words[0])
        && rest.and_then(|rest| rest.split_whitespace().next()).is_some_and(|word| POINTING.contains(&word));
    one_of_several || hangs
}

/// "Don't touch the gate today": tomorrow it does not hold.
fn is_order_of_the_day(lower: &str, words: &[&str]) -> bool {
    let orders = matches!(words[0], "don't" | "dont" | "never" | "please") || lower.starts_with("do not");
    let said = format!("{lower} ");
    let of_the_day = OF_THE_DAY.iter().any(|day| {
        said.match_indices(day).any(|(at, _)| !said[at + day.len()..].starts_with(char::is_alphanumeric))
    });
    orders && of_the_day && !FROM_THE_DAY.iter().any(|day| lower.contains(day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_said_to_the_other_or_as_an_example_is_hollow() {
        assert!(is_hollow("You keep saying the lamps are out, but they have always burnt."));
        // It was told to every agent as a rule.
        assert!(is_hollow("If we used brass we'd have to polish it"));
        assert!(!is_hollow("If a boat is late we wait for it"));
        assert!(is_hollow("For example, the gate should stay shut instead of creaking"));
        assert!(!is_hollow("You must never say the name of the boat on the radio"));
    }

    #[test]
    fn what_nobody_could_use_later_is_hollow() {
        let check = |text: &str, expected| assert_eq!(is_hollow(text), expected, "{text}");
        for text in [
            "Nope",
            "You oiled the locks of the shed, not those of the pier",
            "Agreed.",
            "You never listen to me",
            "always the same error, damn",
            "Always take the second one",
            "For three years, that's the law here",
            "Don't oil the lock today, Lena is working on it",
            "Don't open the gate yet.",
        ] {
            check(text, true);
        }
        for text in [
            "Use tabs",
            "You oiled the shed, we only oil the pier",
            "You must never sail alone",
            "Always oil the lock",
            "For three years we keep the ledger",
            "In winter, the gate stays shut",
            "Don't oil the lock from today on",
            "If I say go you never push to the pier",
            "常に灯りを消す",
        ] {
            check(text, false);
        }
    }
}
