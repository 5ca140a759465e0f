//! What a confirmation is worth once the machine has gone on: whoever confirmed the old words has not confirmed the new.

use std::collections::BTreeSet;

use lore_core::{Article, Claim, one_line};

/// Tells whether something that was confirmed gave way to something that was not. What is only added, disputed or
/// moved leaves the words standing that somebody confirmed.
pub(super) fn is_replaced(before: &Article, now: &Article) -> bool {
    let stood = words(before.current());
    let stands = words(now.current());
    let shown: BTreeSet<String> = words(before.conflict.iter().chain(&before.doubted));
    let is_open = words(now.conflict.iter());
    let fell = stood.iter().any(|claim| !stands.contains(claim) && !is_open.contains(claim));
    let came = stands.iter().any(|claim| !stood.contains(claim) && !shown.contains(claim));
    fell && came
}

/// Claims by what they say, however they are spelled.
fn words<'a>(claims: impl Iterator<Item = &'a Claim>) -> BTreeSet<String> {
    claims.map(|claim| one_line(&claim.text).to_lowercase().trim_end_matches('.').to_owned()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_took_the_place_of_confirmed_words_is_unconfirmed() {
        let check = |before: &str, now: &str, expected: bool| {
            let found = is_replaced(&Article::parse(before), &Article::parse(now));
            assert_eq!(found, expected, "{before} / {now}");
        };
        let old = "The lamp is lit at six.[^s1]\n";
        let history = "## History\n\n- The lamp is lit at six.[^s1]\n";
        check(old, &format!("The lamp is lit at seven.[^s2]\n\n{history}"), true);
        let doubted = "## Possibly replaced\n\n- The lamp is lit at six.[^s1]\n";
        check(old, &format!("The lamp is lit at seven.[^s2]\n\n{doubted}"), true);
        check(old, "the lamp is lit at six[^s1][^s2]\n", false);
        check(old, "The lamp is lit at six.[^s1]\n\n## Key facts\n\n- It hangs at the pier.[^s2]\n", false);
        check(
            old,
            "## Conflict\n\n- The lamp is lit at six.[^s1]\n- The lamp is lit at seven.[^s2]\n",
            false,
        );
        check(old, history, false);
        // What was doubted holds after all.
        check(&format!("The lamp is lit at seven.[^s2]\n\n{doubted}"), &format!("{old}\n"), false);
    }
}
