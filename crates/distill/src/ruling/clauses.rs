//! Clauses behind a piece of work that lay something down for good.

use super::words::{Word, words_of};

/// "Moor at the buoy, never at the pier", "sort by tide, always": the order is one for good by its second clause.
pub(super) fn is_ordered_for_good(body: &str) -> bool {
    let words = words_of(body);
    // "…, never mind" takes back what was said.
    let dismisses =
        |word: &Word| matches!(word.text.as_str(), "mind" | "again" | "happened" | "worked" | "seen");
    (1..words.len()).any(|at| {
        let opens = words[at - 1].ends_clause && matches!(words[at].text.as_str(), "never" | "always");
        let last = words.get(at + 1).is_none();
        opens && at > 2 && !words.get(at + 1).is_some_and(dismisses) && (!last || words[at].text == "always")
    })
}

/// "Throw the empties out on the quay, they must never get aboard": what must never, or must always, be.
pub(super) fn must_never(body: &str) -> bool {
    let words = words_of(body);
    let must = |word: &Word| matches!(word.text.as_str(), "must" | "may" | "shall");
    words.windows(2).any(|pair| must(&pair[0]) && matches!(pair[1].text.as_str(), "never" | "always"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_clause_makes_an_order_one_for_good() {
        assert!(is_ordered_for_good("Moor at the buoy, never at the pier"));
        assert!(is_ordered_for_good("Print the tide tables in blue, always"));
        assert!(!is_ordered_for_good("Paint the crane red, never mind the rust"));
        assert!(!is_ordered_for_good("No, never"));
        assert!(must_never("Throw the empties out on the quay, they must never get aboard"));
        assert!(!must_never("It never got aboard"));
    }
}
