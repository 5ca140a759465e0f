//! What a question is about, where the sentence that asks does not say so: the sentence before it does.

use super::alone::points_away;
use super::question::asking_sentence;
use super::reply::says;
use crate::extract::sentence::{plain, word_count};

/// A sentence of more words tells more than what is asked about.
const LONG: usize = 30;
/// Keys with which options begin.
const KEYS: [&str; 9] = ["a)", "b)", "c)", "1)", "2)", "3)", "1.", "2.", "3."];
/// What stands between a subject and the ways there are to go about it.
const OFFERED: [&str; 20] = [
    " there are ",
    " there is ",
    " there's ",
    " i see ",
    " i can ",
    " i could ",
    " i would ",
    " we can ",
    " we could ",
    " we have ",
    " you can ",
    " you could ",
    " gibt es ",
    " kann ich ",
    " können wir ",
    " il y a ",
    " hay ",
    " há ",
    " ci sono ",
    " puedo ",
];
/// Words with which a sentence asks.
pub(super) const ASKS: [&str; 58] = [
    "should", "shall", "would", "could", "can", "may", "must", "will", "do", "does", "did", "is", "are",
    "has", "have", "which", "what", "where", "when", "who", "whose", "how", "why", "in", "on", "at", "after",
    "until", "by", "from", "soll", "sollen", "darf", "welche", "welcher", "welches", "was", "wo", "wie",
    "wann", "wer", "ist", "sind", "kann", "quel", "quelle", "faut", "doit", "où", "comment", "qué", "cuál",
    "dónde", "debe", "qual", "quale", "onde", "deve",
];
/// What is said of the ways before what they are for.
const WAYS: [&str; 8] =
    ["ways", "options", "possibilities", "approaches", "choices", "wege", "façons", "formas"];

/// Puts the sentence before a question in front of it, where the question needs it and does not have it.
pub(super) fn with_lead(asked: &str, question: String) -> String {
    if !needs_lead(asking_sentence(&question)) || before(&question).is_some() {
        return question;
    }
    match told_before(asked, &question) {
        Some(lead) => format!("{} {question}", ended(&lead)),
        None => question,
    }
}

/// Tells whether a sentence that asks leaves open what it asks about: "should it …", "which one?", a bare list of options.
pub(super) fn needs_lead(asking: &str) -> bool {
    let asks = before_options(asking);
    points_away(asks) || says(asks) < 2 || is_bare_list(asking)
}

/// Returns what a question is about, out of the sentence before the one that asks.
pub(super) fn subject(question: &str) -> Option<String> {
    needs_lead(asking_sentence(question)).then(|| before(question).map(named)).flatten()
}

/// "Paper, cards, or a bell?": nothing asks, and nothing says what for.
fn is_bare_list(asking: &str) -> bool {
    let lower = asking.to_lowercase();
    let lists = [" or ", " oder ", " ou "].iter().any(|or| lower.contains(or));
    let purpose = [" for ", " für ", " pour ", " para ", " per "].iter().any(|words| lower.contains(words));
    let opens = lower.split(|c: char| !c.is_alphabetic()).find(|word| !word.is_empty()).unwrap_or_default();
    lists && !purpose && !lower.contains(':') && !ASKS.contains(&opens)
}

/// Returns the last sentence before the one that asks that is no option itself.
fn before(question: &str) -> Option<&str> {
    let asking = asking_sentence(question);
    let at = question.find(asking)?;
    // What begins with an option has nothing before it but options.
    if opens_with_key(question) {
        return None;
    }
    let lists =
        |rest: &str| [" or ", " oder ", " ou "].iter().any(|or| rest.contains(or)) || opens_with_key(rest);
    // "There are two ways: brass or iron."
    let lead = |sentence: &'_ str| {
        sentence.find(": ").filter(|at| lists(&sentence[at + 2..])).unwrap_or(sentence.len())
    };
    let told = question[..at].split_inclusive(". ").map(|sentence| sentence[..lead(sentence)].trim());
    told.filter(|sentence| tells(sentence)).last()
}

/// Finds that sentence in what was said before the question.
fn told_before(asked: &str, question: &str) -> Option<String> {
    let opens: String = question.chars().take(12).collect();
    let at = asked.lines().map(plain).collect::<Vec<_>>();
    let line = at.iter().rposition(|line| line.contains(&opens))?;
    let told = at[..line].iter().rfind(|line| !line.is_empty() && tells(line))?;
    let last = told.split(". ").map(str::trim).filter(|sentence| tells(sentence)).last()?;
    (word_count(last) <= LONG && !last.contains('?')).then(|| last.to_owned())
}

/// Tells whether a sentence says something and is no item of a list.
fn tells(sentence: &str) -> bool {
    says(sentence) > 1 && !opens_with_key(sentence) && !sentence.starts_with(['-', '*', '`'])
}

fn opens_with_key(text: &str) -> bool {
    let opens = text.trim_start_matches(['(', '-', '*', ' ']).to_lowercase();
    // "Option A: …"
    let named = opens.strip_prefix("option ").and_then(|rest| rest.get(1..));
    KEYS.iter().any(|key| opens.starts_with(key))
        || named.is_some_and(|rest| rest.starts_with([':', ')', '.']))
}

/// "For the log of the ferries I see two ways" is about the log of the ferries.
fn named(lead: &str) -> String {
    let lead = lead.trim_end_matches([':', '.', ' ', ';']);
    let lower = lead.to_lowercase();
    let padded = format!(" {lower}");
    let ways = WAYS.iter().find_map(|ways| {
        let rest = lead.get(padded.find(&format!(" {ways} "))? + ways.len() + 1..)?;
        let rest = ["to ", "for ", "of "].iter().find_map(|word| rest.strip_prefix(word))?;
        OFFERED.iter().any(|offered| padded.starts_with(offered)).then_some(rest)
    });
    if let Some(ways) = ways {
        return ways.to_owned();
    }
    let offered = OFFERED.iter().filter_map(|offered| lower.find(offered)).min();
    let about = offered.and_then(|at| lead.get(..at)).unwrap_or(lead).trim_end_matches([',', ' ']);
    let (opens, rest) = about.split_once(' ').unwrap_or(("", about));
    let is_for = matches!(opens.to_lowercase().as_str(), "for" | "with" | "für" | "pour" | "para" | "per");
    if is_for && offered.is_some() { rest.to_owned() } else { about.to_owned() }
}

/// Returns what a sentence asks before its first option.
pub(super) fn before_options(asking: &str) -> &str {
    let lower = asking.to_ascii_lowercase();
    let key = KEYS
        .iter()
        .filter_map(|key| lower.find(&format!(" {key}")).or_else(|| lower.find(&format!("({key}"))));
    key.min().and_then(|at| asking.get(..at)).unwrap_or(asking)
}

fn ended(lead: &str) -> String {
    if lead.ends_with(['.', ':', '!', '?', '。']) { lead.to_owned() } else { format!("{lead}.") }
}
