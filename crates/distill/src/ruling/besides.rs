//! What somebody says besides a piece of work, in one sentence with it: "paint the gate, and oh, the pier has 40 berths now".

use super::words::{WORK, words_of};
use crate::extract::flaws::is_plain_verb;
use crate::extract::sentence::word_count;

/// Words by which people turn to something else in the middle of a sentence.
const TURNS: [&str; 11] = [
    ", and oh ",
    ", oh and ",
    " oh and ",
    ", and btw ",
    ", btw ",
    ", and by the way ",
    ", by the way ",
    ", and fyi ",
    ", fyi ",
    " ps: ",
    " ps ",
];
/// … and those that begin a ban or a rule behind a piece of work.
const RULES: [&str; 8] = [
    " and don't ",
    " and dont ",
    " and do not ",
    " and never ",
    " but never ",
    " but don't ever ",
    " and always ",
    " but always ",
];
/// What is told besides has at least so many words.
const LEAST: usize = 5;

/// Parts a piece of work from what is said besides; nothing where a sentence says one thing.
pub(super) fn besides(sentence: &str) -> Option<(&str, &str)> {
    if !sets_to_work(sentence) {
        return None;
    }
    // Of other letters some change their length in lower case and would shift every place behind them.
    let lower = sentence.to_ascii_lowercase();
    let turn = TURNS.iter().find_map(|turn| lower.find(turn).map(|at| (at, at + turn.len())));
    // "…, and never touch X, it breaks": the ban with what comes of it; "… and never mind" is none.
    let rule = || {
        RULES.iter().find_map(|rule| {
            let at = lower.find(rule)?;
            let reasoned = lower[at + rule.len()..].contains([',', ';']) && lower[..at].ends_with(',');
            reasoned.then_some((at, at + " and ".len()))
        })
    };
    let (head, told) = turn.or_else(rule)?;
    let (head, told) = (sentence[..head].trim_end_matches([',', ' ']), sentence[told..].trim());
    (word_count(told) >= LEAST && word_count(head) > 1).then_some((head, told))
}

/// "Can you …", "please …", "paint …": a sentence that wants something done.
fn sets_to_work(sentence: &str) -> bool {
    let words = words_of(sentence);
    let said = |at: usize| words.get(at).map_or("", |word| word.text.as_str());
    let asks = matches!(said(0), "can" | "could" | "would" | "will") && said(1) == "you";
    let first = if matches!(said(0), "please" | "pls" | "now" | "ok" | "then") { said(1) } else { said(0) };
    asks || WORK.contains(&first) || is_plain_verb(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_besides_stands_by_itself() {
        let told = |sentence| besides(sentence).map(|(_, told)| told);
        assert_eq!(
            told("can you paint the gate, oil the crane, and oh the pier has 40 berths as of now"),
            Some("the pier has 40 berths as of now")
        );
        assert_eq!(
            told("write the tide table now, and don't trust the old gauge, it sticks at low water"),
            Some("don't trust the old gauge, it sticks at low water")
        );
        assert_eq!(told("paint the gate and never mind the crane"), None);
        assert_eq!(told("paint the gate and don't stop before noon"), None);
        assert_eq!(told("we light the lamps, and btw the pier has 40 berths now"), None);
        assert_eq!(told("paint it, btw nice work"), None);
    }
}
