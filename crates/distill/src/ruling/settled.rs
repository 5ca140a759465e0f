//! Replies that settle a question for good, and what in a reply is not about it.

use super::Language;
use super::alone::points_away;
use super::lead::subject;
use super::qualified::is_qualified;
use super::question::{asking_sentence, is_offer};
use super::reply::{NAMED, SHORT_REPLY, says};
use crate::extract::sentence::{word_count, words};
use crate::extract::terms::{is_common, number_word};

/// "Yes, always" and "no, brass is enough" settle a question about a thing for good, however it was asked.
pub(super) fn settles(reply: &str, question: &str) -> bool {
    let lasting =
        ["from now on", "always", "by default", "every time", "in future", "in the future", "whenever"];
    let asked = question.to_lowercase();
    if matches!(reply.to_lowercase().trim_end_matches(['.', '!']), "yes" | "yes please" | "yep" | "no") {
        let for_good = lasting.iter().any(|words| asked.contains(words));
        return for_good && says(asking_sentence(question)) > NAMED;
    }
    if says_yes_or_no(reply, question) {
        return true;
    }
    if takes_a_number(reply, question) || sets_a_number(reply, question) || keeps_it(reply, question) {
        return true;
    }
    let Some((word, rest)) = reply.split_once([',', ' ']) else { return false };
    let rest = rest
        .trim()
        .trim_start_matches("please")
        .trim_start_matches([',', ' '])
        .trim_end_matches(['.', '!'])
        .to_lowercase();
    let named = says(asking_sentence(question)) >= NAMED && !points_away(asking_sentence(question));
    let for_good = [
        "always",
        "every time",
        "from now on",
        "immer",
        "siempre",
        "toujours",
        "sempre",
        "altijd",
        "never",
        "nie",
        "jamais",
        "nunca",
        "nooit",
    ]
    .iter()
    .any(|words| rest.strip_prefix(words).is_some_and(|rest| !rest.starts_with(char::is_alphanumeric)));
    let for_good = for_good
        || ["for every ", "for all ", "for each ", "in all ", "in every "]
            .iter()
            .any(|words| rest.starts_with(words));
    let value = word_count(&rest) > 2
        && word_count(&rest) <= SHORT_REPLY
        && rest.contains(|c: char| c.is_ascii_digit());
    let refuses =
        matches!(word.to_lowercase().as_str(), "no" | "nope" | "nah" | "nein" | "nö" | "non" | "não" | "nee");
    // Who is asked whether to replace something and says what stays needs no "no".
    if refuses && stays_with(&rest, question) || stays_with(&reply.to_lowercase(), question) {
        return true;
    }
    if is_qualified(reply, question) {
        return true;
    }
    match word.to_lowercase().as_str() {
        "yes" | "yep" | "yeah" | "ja" | "oui" | "sí" | "sì" | "sim" => named && for_good,
        "no" | "nope" | "nein" | "non" | "não" | "nee" => {
            named && (for_good || value && !points_away(&rest))
        }
        _ => false,
    }
}

/// "Shall lamps burn at noon?" "Nope": a bare yes or no to a question about a thing that the question names.
fn says_yes_or_no(reply: &str, question: &str) -> bool {
    const SAYS: [&str; 34] = [
        "yes",
        "no",
        "yep",
        "nope",
        "yeah",
        "nah",
        "yup",
        "yes please",
        "no thanks",
        "definitely",
        "definitely not",
        "absolutely",
        "absolutely not",
        "of course",
        "of course not",
        "certainly",
        "certainly not",
        "never",
        "always",
        "yes always",
        "no never",
        "ja",
        "nein",
        "oui",
        "non",
        "sí",
        "si",
        "sim",
        "não",
        "sì",
        "nee",
        "はい",
        "いいえ",
        "no way",
    ];
    /// Verbs that open a question about how a thing is to be.
    const ASKS: [&str; 14] = [
        "should", "shall", "may", "must", "can", "do", "does", "is", "are", "will", "soll", "sollen", "darf",
        "dürfen",
    ];
    let said = reply.to_lowercase().replace([',', '.', '!'], " ");
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    let asked = asking_sentence(question);
    let lower = asked.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let opens = words.next().is_some_and(|word| ASKS.contains(&word));
    // "Should I …" is about the work, "does it …" about what was said before.
    let leans = words.next().is_none_or(|word| {
        matches!(
            word,
            "i" | "we"
                | "you"
                | "it"
                | "this"
                | "that"
                | "these"
                | "those"
                | "there"
                | "they"
                | "ich"
                | "wir"
                | "das"
        )
    });
    SAYS.contains(&said.as_str())
        && opens
        && !leans
        && !lower.contains(" or ")
        && says(asked) > NAMED
        && !points_away(asked)
        && !is_offer(question)
}

/// A bare yes or no.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Said {
    Yes,
    No,
}

/// Reads a reply that says yes or no and nothing else.
pub(super) fn bare_answer(reply: &str) -> Option<Said> {
    let said = reply.to_lowercase().replace([',', '.', '!'], " ");
    let said = said.split_whitespace().collect::<Vec<_>>().join(" ");
    match said.as_str() {
        "yes" | "yep" | "yeah" | "yup" | "definitely" | "absolutely" | "of course" | "certainly" | "sure"
        | "ja" | "oui" | "sí" | "si" | "sim" | "sì" => Some(Said::Yes),
        "no" | "nope" | "nah" | "no way" | "definitely not" | "absolutely not" | "of course not"
        | "certainly not" | "never" | "no never" | "no thanks" | "nein" | "non" | "não" | "nee" => {
            Some(Said::No)
        }
        _ => None,
    }
}

/// "Torn down after 30 or after 90 days?" "90": one of two numbers that the question gives.
fn takes_a_number(reply: &str, question: &str) -> bool {
    let asked = asking_sentence(question);
    let numbers: Vec<&str> = asked
        .split(|c: char| !c.is_alphanumeric() && c != '.')
        .map(|word| word.trim_matches('.'))
        .filter(|word| word.starts_with(|c: char| c.is_ascii_digit()))
        .collect();
    let chosen = reply.split_whitespace().next().unwrap_or_default().trim_end_matches(['.', ',', '!']);
    let dutch = (Language::of(asked) == Language::Dutch).then_some(" of ");
    let or = [" or ", " oder ", " ou "].into_iter().chain(dutch);
    let or = or.into_iter().any(|word| asked.to_lowercase().contains(word));
    is_measure(reply)
        && or
        && numbers.contains(&chosen)
        && numbers.iter().any(|number| *number != chosen)
        && (says(asked) >= NAMED && !points_away(asked) || subject(question).is_some())
}

/// "May I throw the old tickets away?" "keep them, but in the cellar": leave that is not given, and where it goes instead.
fn keeps_it(reply: &str, question: &str) -> bool {
    const LEAVE: [&str; 5] = ["may i ", "can i ", "should i ", "shall i ", "darf ich "];
    const PARTS: [&str; 8] =
        ["remove", "drop", "delete", "throw", "retire", "get rid of", "uninstall", "take out"];
    let asked = asking_sentence(question).to_lowercase();
    let parts = LEAVE
        .iter()
        .filter_map(|leave| asked.strip_prefix(leave))
        .any(|deed| PARTS.iter().any(|part| deed.starts_with(part)));
    let lower = reply.to_lowercase();
    let keeps =
        ["keep it", "keep them", "leave it in", "leave them in"].iter().any(|keep| lower.starts_with(keep));
    parts && keeps && word_count(reply) > KEPT && says(&asked) >= NAMED && !points_away(&asked)
}

/// Who keeps something in more words than this says how.
const KEPT: usize = 3;

/// "I would take 150 kg." "make that 200", "leave it at one": another number than the one that was offered, or the old one.
fn sets_a_number(reply: &str, question: &str) -> bool {
    const SETS: [&str; 6] =
        ["make that ", "make it ", "leave it at ", "keep it at ", "leave that at ", "keep that at "];
    let lower = reply.to_lowercase();
    let Some(rest) = SETS.iter().find_map(|sets| lower.strip_prefix(sets)) else { return false };
    let set = rest.split([' ', ',', '.', ';']).next().unwrap_or_default();
    let is_number = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_digit()) || word == "one" || number_word(word).is_some()
    };
    is_number(set) && question.split_whitespace().any(is_number) && says(question) >= NAMED
}

/// "Keep brass", "we stay on iron": what was to be replaced stays, and the question names it.
fn stays_with(rest: &str, question: &str) -> bool {
    const STAYS: [&str; 16] = [
        "keep ",
        "we keep ",
        "let's keep ",
        "stay with ",
        "stay on ",
        "we stay with ",
        "we stay on ",
        "let's stay with ",
        "let's stay on ",
        "stick with ",
        "stick to ",
        "let's stick with ",
        "we stick with ",
        "behalte ",
        "wir bleiben bei ",
        "bleib bei ",
    ];
    let asked: Vec<String> = words(question).collect();
    STAYS.iter().filter_map(|stays| rest.strip_prefix(stays)).any(|kept| {
        let kept = kept.split([',', '.', ';']).next().unwrap_or(kept);
        word_count(kept) <= SHORT_REPLY && words(kept).any(|word| !is_common(&word) && asked.contains(&word))
    })
}

/// Tells whether a reply is a number, perhaps with its unit.
pub(super) fn is_measure(reply: &str) -> bool {
    let measure = reply.split([',', ';']).next().unwrap_or(reply);
    measure.starts_with(|c: char| c.is_ascii_digit()) && word_count(measure) < 3
}

/// "… sounds right, but twice": that the option pleases is said by taking it.
pub(super) fn without_approval(rest: &str) -> &str {
    const PLEASES: [&str; 6] = ["sounds ", "looks ", "is ", "seems ", "would be ", "it is"];
    const HOW: [&str; 12] = [
        "right", "good", "fine", "best", "better", "nice", "nicer", "ok", "okay", "great", "perfect",
        "enough",
    ];
    let lower = rest.to_ascii_lowercase();
    let Some(how) = PLEASES.iter().find_map(|pleases| lower.strip_prefix(pleases)) else { return rest };
    let behind = HOW.iter().filter_map(|word| how.trim_start().strip_prefix(word));
    let behind = behind.filter(|rest| !rest.starts_with(char::is_alphanumeric)).map(str::len).min();
    let rest = behind.and_then(|length| rest.get(rest.len() - length..)).unwrap_or(rest);
    rest.strip_prefix(" for me")
        .or_else(|| rest.strip_prefix(" to me"))
        .unwrap_or(rest)
        .trim_start_matches([',', '.', ';', ' '])
}

/// "Brass pls": what was chosen, without the courtesy behind it.
pub(super) fn without_courtesy(reply: &str) -> &str {
    const COURTESIES: [&str; 12] = [
        "please",
        "pls",
        "plz",
        "thanks",
        "thx",
        "thank you",
        "bitte",
        "danke",
        "merci",
        "por favor",
        "gracias",
        "grazie",
    ];
    let bare = reply.trim_end_matches(['.', '!', ' ']);
    let at = COURTESIES.iter().find_map(|words| {
        let at = bare.len().checked_sub(words.len())?;
        let ends = bare.get(at..).is_some_and(|end| end.eq_ignore_ascii_case(words));
        (ends && at > 0 && bare[..at].ends_with([' ', ','])).then_some(at)
    });
    at.map_or(reply, |at| bare[..at].trim_end_matches([' ', ',', '.']))
}

/// "…, please, and then go on with the tests": what to do next says nothing of what was chosen.
pub(super) fn without_errand(rest: &str) -> &str {
    let lower = rest.to_lowercase();
    let rest = if lower.starts_with("please") || lower.starts_with("bitte") {
        rest.split_once([',', ' ']).map_or("", |(_, rest)| rest).trim_start_matches([',', '.', ' '])
    } else {
        rest
    };
    let lower = rest.to_lowercase();
    let next = ["and then ", "then ", "and now ", "and go ", "and continue", "after that "];
    if next.iter().any(|words| lower.starts_with(words)) { "" } else { rest }
}
