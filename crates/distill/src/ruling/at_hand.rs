//! What belongs to the work at hand: what to do next, what went wrong, a place in the code.

use super::grammar::begins_with_verb;
use super::words::{WORK, Word, words_of};
use crate::extract::flaws::is_plain_verb;

/// "Don't fix anything", "do not push": how far to go this time.
pub(super) fn forbids_work(body: &str) -> bool {
    let words = words_of(body);
    let changes =
        words.windows(2).take(4).any(|pair| pair[0].text == "any" && pair[1].text.starts_with("change"));
    changes || words.iter().take(4).any(|word| WORK.contains(&word.text.as_str()) && word.text != "do")
}

/// "Use the long ladder to look for the leak": for one piece of work.
pub(super) fn serves_work(body: &str) -> bool {
    let words = words_of(body);
    words.windows(2).any(|pair| pair[0].text == "to" && WORK.contains(&pair[1].text.as_str()))
}

/// Tells whether a later clause of a sentence says what to do about it.
pub(super) fn turns_to_work(body: &str) -> bool {
    let words = words_of(body);
    words
        .windows(2)
        .any(|pair| (pair[0].ends_clause || pair[0].text == "then") && WORK.contains(&pair[1].text.as_str()))
}

/// "The lamp hides the bell, move it": what to do about it stands in the last clause.
pub(super) fn ends_in_work(body: &str) -> bool {
    let words = words_of(body);
    words.windows(3).any(|three| {
        let it = matches!(three[2].text.as_str(), "it" | "them" | "this");
        three[0].ends_clause
            && is_plain_verb(&three[1].text)
            && it
            && !matches!(three[1].text.as_str(), "use" | "keep")
    })
}

/// "Since the last storm the bell rings twice, look at it": what went wrong, and what to do about it.
pub(super) fn tells_trouble(body: &str) -> bool {
    let first = words_of(body).into_iter().map(|word| word.text).next().unwrap_or_default();
    let words = words_of(body);
    // "…, please investigate": what precedes it is why.
    let mends =
        ["investigate", "fix", "check", "look", "debug", "repair", "correct", "find", "see", "hide", "try"];
    let asks =
        words.windows(2).any(|pair| pair[0].text == "please" && mends.contains(&pair[1].text.as_str()));
    let yours = words.get(1).is_some_and(|word| word.text == "you");
    matches!(first.as_str(), "since" | "after" | "when" | "if") && !yours && turns_to_work(body)
        || asks && words.len() > 4 && words[0].text != "please"
}

/// Tells whether a sentence begins with something to do, whatever stands in its first clause.
pub(super) fn begins_with_work(body: &str) -> bool {
    let first = words_of(body).into_iter().map(|word| word.text).find(|word| word != "please");
    begins_with_verb(body) || first.is_some_and(|word| WORK.contains(&word.as_str()) || is_plain_verb(&word))
}

/// "We should investigate the noise": what somebody means to do, on whatever occasion.
pub(super) fn is_plan_of_work(body: &str) -> bool {
    let words = words_of(body);
    let obliges = |word: &Word| matches!(word.text.as_str(), "should" | "need" | "must");
    // "The lamp needs to be checked", "… need to fix the lamp": there is something to mend.
    let mends = words.windows(3).any(|three| {
        matches!(three[0].text.as_str(), "need" | "needs" | "have" | "has")
            && three[1].text == "to"
            && matches!(three[2].text.as_str(), "fix" | "check" | "debug" | "investigate" | "repair")
    });
    mends
        || words.windows(3).any(|three| {
            let verb = if three[2].text == "to" { return false } else { &three[2].text };
            three[0].text == "we" && obliges(&three[1]) && WORK.contains(&verb.as_str())
        })
}

/// Tells whether a sentence speaks of a place in the code, as reviewers do: a call, a line.
pub(super) fn names_code(body: &str) -> bool {
    let plain: String = body.split('`').step_by(2).collect();
    let lower = plain.to_lowercase();
    let line = ["at line ", " line "]
        .iter()
        .any(|word| lower.split(word).skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_digit())));
    let place = plain.split_whitespace().any(|word| {
        word.rsplit_once(':').is_some_and(|(file, number)| {
            file.contains('.') && number.starts_with(|c: char| c.is_ascii_digit())
        })
    });
    let call = plain.contains("()") || lower.starts_with("//") || plain.split_whitespace().any(is_call);
    // "@src/gate.rs": a file handed over with the message.
    let handed =
        plain.split_whitespace().any(|word| word.starts_with('@') && word.contains(['.', '/', '\\']));
    line || place || call || handed
}

/// "gate.open(key)", and not "gate(s)".
fn is_call(word: &str) -> bool {
    word.split_once('(').is_some_and(|(name, rest)| {
        name.contains(['.', '_', ':']) && !name.starts_with("http") && rest.contains(')')
    })
}
