//! “Should we let two boats lie at one berth?” “No”: the question turned into what was decided.

use super::Utterance;
use super::alone::points_away;
use super::question::asking_sentence;
use super::reply::{ruling, says};
use super::settled::{Said, bare_answer};
use super::wording;
use crate::extract::sentence::word_count;

/// How an agent asks what is to be, and not what it is to do.
const ASKS: [&str; 8] = [
    "should we ",
    "shall we ",
    "do we want to ",
    "do we still want to ",
    "are we going to ",
    "do we want ",
    "do we need to ",
    "do we need ",
];
/// What people do as a rule. Whatever else follows "should we" is a piece of work.
const STANDING: [&str; 62] = [
    "accept", "allow", "archive", "ban", "bill", "cap", "charge", "collect", "count", "cover", "deliver",
    "deny", "display", "encrypt", "enforce", "expose", "forbid", "grant", "have", "hide", "honour", "ignore",
    "include", "keep", "let", "limit", "list", "lock", "log", "mask", "notify", "offer", "permit", "prefer",
    "prohibit", "publish", "record", "refund", "refuse", "reject", "remember", "remind", "require",
    "restrict", "retain", "return", "round", "save", "sell", "send", "serve", "share", "ship", "show",
    "store", "support", "tolerate", "track", "treat", "trust", "use", "warn",
];
/// What an answer depends on that is not told with it, and words that a turned question cannot keep.
const OPEN: [&str; 14] = [
    " or ", " now", " first", " today", " instead", " here", " next", " already", " any ", " also ", " too",
    " yet", " either ", " anyway",
];
/// A question about a thing has so many telling words.
const NAMED: usize = 2;
/// A decision of fewer words does not say of what.
const WHOLE: usize = 4;

/// Turns a question of that sort and its bare answer into the decision.
pub(super) fn turned(question: &str, reply: &str) -> Option<Utterance> {
    let said = bare_answer(reply)?;
    let asked = asking_sentence(question).trim_end_matches(['?', ' ']);
    // Only what is asked in plain words, with nothing before it.
    let lower = asked.to_ascii_lowercase();
    let ask = ASKS.iter().find(|ask| lower.starts_with(**ask))?;
    let rest = asked.get(ask.len()..)?.trim();
    let verb = rest.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default().to_lowercase();
    let wants = ask.ends_with("want ") || ask.ends_with("need ");
    let padded = format!(" {} ", rest.to_lowercase());
    let open = OPEN.iter().any(|word| padded.contains(word)) || rest.contains([':', ';', '(']);
    let stands = STANDING.contains(&verb.as_str()) || wants && says(rest) >= NAMED;
    if !stands || open || says(rest) < NAMED || word_count(rest) < WHOLE || points_away(rest) {
        return None;
    }
    let deed = match wants {
        true if ask.ends_with("want ") => format!("want {rest}"),
        true => format!("need {rest}"),
        false => rest.to_owned(),
    };
    let text = match said {
        Said::Yes => format!("We {deed}"),
        Said::No => format!("We do not {deed}"),
    };
    let told = ruling(question, &text, reply);
    Some(Utterance { title: wording::title(&text), ..told })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_answer_turns_what_was_asked() {
        let check = |question: &str, reply: &str, expected: Option<&str>| {
            assert_eq!(
                turned(question, reply).map(|said| said.title).as_deref(),
                expected,
                "{question} {reply}"
            );
        };
        let berth = "Should we allow more than one boat per berth?";
        check(berth, "no", Some("We do not allow more than one boat per berth"));
        check(berth, "Yes.", Some("We allow more than one boat per berth"));
        check("Do we want two lamps on each pier?", "nope", Some("We do not want two lamps on each pier"));
        check("Do we want to charge guests for the berths?", "yes", Some("We charge guests for the berths"));
        check("Should we mend the lamp of the pier?", "no", None);
        check("Should we keep the lamp or the bell of the pier?", "no", None);
        check("Should we keep it?", "no", None);
        check("Should we use the brass lamps for the pier first?", "yes", None);
        check(berth, "no, that is too much", None);
    }
}
