//! What an agent suggests in its question, and replies that take it.

use super::alone::points_away;
use super::question::{is_offer, offers_to_work};
use super::reply::{NAMED, says};
use crate::extract::sentence::word_count;

/// Words by which an agent says what it would choose.
const SUGGESTS: [&str; 14] = [
    "i would suggest ",
    "i'd suggest ",
    "i suggest ",
    "i would recommend ",
    "i'd recommend ",
    "i recommend ",
    "i propose ",
    "i'd propose ",
    "i'd go with ",
    "i would go with ",
    "i'd take ",
    "i would take ",
    "my suggestion is ",
    "my recommendation is ",
];
/// Replies that take what was suggested, behind a yes or alone.
const TAKES: [&str; 22] = [
    "take your suggestion",
    "your suggestion",
    "take your recommendation",
    "your recommendation",
    "go with your suggestion",
    "go with your recommendation",
    "go with that",
    "go with it",
    "let's go with that",
    "lets go with that",
    "as you suggest",
    "as you suggested",
    "like you suggest",
    "what you suggest",
    "what you suggested",
    "as suggested",
    "as recommended",
    "agreed",
    "i agree",
    "sounds right",
    "do that",
    "that one",
];
/// A yes alone is enough where nothing but the suggestion was asked about.
const YES: [&str; 12] =
    ["yes", "yep", "yeah", "ok", "okay", "sure", "fine", "fine with me", "ja", "oui", "sí", "sim"];
/// What is suggested ends here.
const ENDS: [&str; 9] =
    ["; ", ". ", "? ", " because ", " since ", " – ", " — ", ", alternativ", ", the alternative"];
/// A suggestion of more words is a plan.
const LONG: usize = 12;

/// "For double berths I would suggest a bell; alternatives are a flag or a lamp. OK?": what is suggested, where the question
/// says what for.
pub(super) fn suggested(question: &str) -> Option<String> {
    let lower = question.to_ascii_lowercase();
    let from = SUGGESTS.iter().find_map(|words| Some(lower.find(words)? + words.len()))?;
    let rest = question.get(from..)?;
    let end = ENDS.iter().filter_map(|end| rest.find(end)).min().unwrap_or(rest.len());
    let told = rest[..end].trim_end_matches(['?', '.', ',', ';', ' ']);
    let opens = told.split_whitespace().next().unwrap_or_default();
    // "I suggest we merge it first", "I'd recommend to …" is work.
    let is_deed = matches!(opens, "we" | "you" | "that" | "to" | "doing" | "it" | "this");
    let named = says(question) >= NAMED && !is_offer(question) && !offers_to_work(question);
    (named && !is_deed && !points_away(told) && (1..=LONG).contains(&word_count(told)))
        .then(|| told.to_owned())
}

/// "Yes, take your suggestion", "agreed".
pub(super) fn takes_the_suggestion(reply: &str) -> bool {
    let plain = |text: &str| text.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let reply = plain(reply);
    let without_yes = YES.iter().find_map(|yes| {
        let rest = reply.strip_prefix(yes)?;
        rest.starts_with(|c: char| !c.is_alphanumeric()).then(|| plain(rest))
    });
    let said = without_yes.as_deref().unwrap_or(&reply);
    let said = said.strip_suffix(" please").or_else(|| said.strip_suffix(" pls")).unwrap_or(said);
    TAKES.contains(&said) || YES.contains(&said)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_suggested_can_be_taken() {
        let asked =
            "For boats that share a berth I would suggest a bell; alternatives are a flag or a lamp. OK?";
        assert_eq!(suggested(asked).as_deref(), Some("a bell"));
        assert_eq!(suggested("I suggest we paint the crane first, OK?"), None);
        assert_eq!(suggested("Which lamp shall the pier have?"), None);
        for reply in ["yes take your suggestion", "Agreed.", "ok", "yes, go with that please"] {
            assert!(takes_the_suggestion(reply), "{reply}");
        }
        for reply in ["no", "yes but with a flag", "your suggestion is odd"] {
            assert!(!takes_the_suggestion(reply), "{reply}");
        }
    }
}
