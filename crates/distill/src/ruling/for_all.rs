//! "For anything of brass use the soft brush": what goes for all of a sort, said as an order.

use super::words::{Word, words_of};

/// Words with which one says what for.
const FOR: [&str; 12] =
    ["for", "with", "in", "on", "für", "bei", "pour", "para", "per", "con", "avec", "com"];
/// … and that all of a sort are meant.
const ALL: [&str; 22] = [
    "anything",
    "everything",
    "any",
    "every",
    "each",
    "all",
    "whatever",
    "alles",
    "alle",
    "jede",
    "jeden",
    "jedes",
    "jedem",
    "tout",
    "toute",
    "tous",
    "toutes",
    "todo",
    "todos",
    "cada",
    "tutti",
    "ogni",
];
/// What is ordered of all of a sort, and not of what is at hand.
const DO: [&str; 40] = [
    "use", "take", "write", "put", "keep", "prefer", "name", "call", "store", "save", "show", "format",
    "treat", "round", "escape", "return", "sort", "quote", "sign", "tag", "prefix", "encode", "set", "add",
    "always", "never", "don't", "nimm", "nehmt", "benutze", "verwende", "schreib", "utilise", "utilisez",
    "prends", "usa", "usad", "use", "prendi", "scrivi",
];
/// The sort is named in so many words.
const NAMED: usize = 10;

/// Tells whether a sentence says what to do for all of a sort. "For all the lamps that we hung" are those at hand.
pub(super) fn is_rule_for_all(body: &str) -> bool {
    let words = words_of(body);
    let said = |at: usize| words.get(at).map_or("", |word: &Word| word.text.as_str());
    let of_some = matches!(
        said(2),
        "the"
            | "these"
            | "those"
            | "this"
            | "that"
            | "my"
            | "your"
            | "of"
            | "three"
            | "four"
            | "die"
            | "diese"
    );
    let deed = words.iter().take(NAMED).skip(2).position(|word| DO.contains(&word.text.as_str()));
    let Some(deed) = deed.map(|at| at + 2) else { return false };
    // "For everything that we put there": the deed belongs to the sort.
    let told = matches!(
        said(deed - 1),
        "to" | "we" | "i" | "you" | "they" | "that" | "which" | "who" | "can" | "may" | "a" | "the"
    );
    FOR.contains(&said(0)) && ALL.contains(&said(1)) && !of_some && !told && words.len() > deed + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_for_all_of_a_sort_is_told_from_what_is_at_hand() {
        let check = |body: &str, expected: bool| assert_eq!(is_rule_for_all(body), expected, "{body}");
        check("For anything with brass in it use the soft brush, also in the hall", true);
        check("for every new berth write a card", true);
        check("With all guests of the harbour use their last names", true);
        check("Für alle Lampen nimm das dünne Öl", true);
        check("For all the lamps that we hung use oil", false);
        check("For everything that we put there the keeper has a key", false);
        check("For every lamp there is a hook", false);
        check("For the lamp use oil", false);
    }
}
