//! What an agent's question is after: the thing, leave to work, or how the person is placed just then.

use crate::extract::sentence::{plain, word_count};
use crate::extract::terms::is_common;
use crate::extract::wording::capital;

/// Questions that offer work: whatever is answered to one of them lays nothing down.
const OFFERS: [&str; 36] = [
    "today",
    "for the day",
    "do you want",
    "right now",
    "this session",
    "approve",
    "approval",
    "before i ",
    "would you like",
    "want me to",
    "want to",
    "may i",
    "can i",
    "how can i",
    "what should i do",
    "what would you",
    "what do you want",
    "where do you want",
    "let me know",
    "ready to",
    "anything else",
    "is there anything",
    "does that",
    "does this",
    "make sense",
    "shall we",
    "go ahead",
    "proceed",
    "continue",
    "you'd like",
    "gets worked",
    "work on",
    "next step",
    "rework",
    "be committed",
    "thoughts?",
];
/// `Should I …` asks about the thing where it goes on with one of these.
const ABOUT_THE_THING: [&str; 14] = [
    "use", "keep", "name", "call", "store", "put", "pick", "choose", "prefer", "target", "support",
    "default", "treat", "allow",
];

fn is_about_the_thing(rest: &str) -> bool {
    let verb = rest.split(|c: char| !c.is_alphabetic()).next().unwrap_or_default();
    ABOUT_THE_THING.contains(&verb)
}

/// Tells whether a question offers work instead of asking about the thing.
pub(super) fn is_offer(question: &str) -> bool {
    let lower = question.to_lowercase();
    let asks_leave = ["should i ", "shall i "]
        .iter()
        .any(|opening| lower.split(opening).skip(1).any(|rest| !is_about_the_thing(rest)));
    asks_leave || OFFERS.iter().any(|offer| lower.contains(offer))
}

/// Tells whether the agent asks in so many words what it is to do next.
pub(super) fn offers_to_work(question: &str) -> bool {
    let lower = question.to_lowercase();
    // "What shall I do with old tickets?" asks what becomes of them.
    let of_a_thing = ["what shall i do with ", "what should i do with "];
    let lower = of_a_thing.iter().fold(lower, |lower, words| lower.replace(words, "what becomes of "));
    // "Shall I put the oars into the shed or into the boat?" asks where they go.
    let offers = lower.split("shall i ").skip(1).any(|rest| !is_about_the_thing(rest));
    offers || ["me to ", "before you "].iter().any(|words| lower.contains(words))
}

/// Tells whether a question wants to know what was or what the person meant: whatever is answered decides nothing.
pub(super) fn asks_what_was(question: &str) -> bool {
    let lower = question.trim_start_matches(|c: char| !c.is_alphabetic()).to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty());
    let is_past = |word: &str| matches!(word, "was" | "were" | "did");
    let Some(first) = words.next() else { return false };
    let asks = matches!(first, "what" | "which" | "who" | "where" | "when" | "how" | "why");
    is_past(first) || asks && words.take(PAST_WITHIN).any(is_past)
}

/// So many words may stand between "which" and its "were".
const PAST_WITHIN: usize = 5;

/// Tells whether a question wants to know what the person has, knows or can do just then.
pub(super) fn asks_of_the_moment(question: &str) -> bool {
    let lower = question.trim_start_matches(|c: char| !c.is_alphabetic()).to_lowercase();
    let asks = [
        "do you know",
        "do you have",
        "do you see",
        "can you",
        "could you",
        "did you",
        "have you",
        "are you",
        "is your",
        "are your",
        "were you",
    ];
    let mut words = lower.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty());
    // "Which would you prefer?" names nothing that an answer could be about.
    let empty = words.all(|word| is_common(word) || EMPTY.contains(&word) || word.chars().count() < 2);
    // "What is the address of your server?"
    let of_theirs = ["what is ", "what's ", "what are ", "where is ", "who is "];
    let theirs = lower.contains(" your ") && of_theirs.iter().any(|opening| lower.starts_with(opening));
    let of_the_day = [" today", " this session", " right now", " now?"].iter().any(|day| lower.contains(day));
    empty
        || theirs
        || of_the_day
        || asks.iter().any(|opening| lower.starts_with(opening))
        || lower.contains(" for you?")
}

/// Words of questions that do not say what is asked about.
const EMPTY: [&str; 22] = [
    "prefer",
    "preference",
    "option",
    "options",
    "approach",
    "interests",
    "like",
    "want",
    "think",
    "sounds",
    "something",
    "else",
    "priority",
    "order",
    "above",
    "choose",
    "pick",
    "best",
    "direction",
    "what's",
    "work",
    "one",
];

/// Returns the sentence of a question that asks, without what was said before it and after it.
pub(super) fn asking_sentence(question: &str) -> &str {
    let question = question.trim();
    let Some(end) = question.char_indices().find_map(|(at, c)| {
        let next = question[at + c.len_utf8()..].chars().next();
        (c == '?' && next.is_none_or(|next| next.is_whitespace() || matches!(next, '"' | '”' | ')')))
            .then_some(at)
    }) else {
        return question;
    };
    let ends = |pair: &str| [". ", "! ", "; "].contains(&pair);
    let from = (0..end).rev().find(|at| question.get(*at..at + 2).is_some_and(ends)).map_or(0, |at| at + 2);
    question[from..=end].trim()
}

/// Tells whether an option that was taken decides nothing: the person wants to say it in own words.
pub(super) fn is_no_choice(answer: &str) -> bool {
    let lower = answer.to_lowercase();
    // "All of the above" is about a list that is not told with it.
    let opens = [
        "other",
        "something else",
        "none of",
        "let me ",
        "i'll ",
        "i will ",
        "i have ",
        "all of the above",
        "all of them",
        "all three",
        "all four",
        "all of these",
    ];
    let holds = ["let me ", "not quite", "in my own words", "needs changes", "tell you"];
    matches!(lower.trim_end_matches('.'), "neither" | "none" | "redirect")
        || opens.iter().any(|word| lower.starts_with(word))
        || holds.iter().any(|word| lower.contains(word))
        || lower.trim_end().ends_with([':', '?'])
        || lower.contains("? ")
}

/// Tells whether a reply leaves it open: it doubts, asks back, or puts it off.
pub(super) fn is_unsure(reply: &str) -> bool {
    let lower = format!(" {} ", reply.to_lowercase().replace([',', '.', ';', '(', ')'], " "));
    let opens = ["or is ", "is it ", "question:", "hmm", "not sure", "honestly"];
    [" maybe ", " perhaps ", " no idea ", " not sure ", " i wonder ", " i guess ", " later "]
        .iter()
        .any(|word| lower.contains(word))
        || opens.iter().any(|word| lower.trim_start().starts_with(word))
}

/// "Which lamp shall the pier have?": what is asked for is left open, and it is not about those who talk.
pub(super) fn is_open(question: &str) -> bool {
    const OPENS: [&str; 40] = [
        "which", "what", "what's", "where", "how", "when", "who", "welche", "welcher", "welches", "welchen",
        "wie", "wo", "wohin", "wann", "wer", "quel", "quelle", "quels", "quelles", "où", "quand", "combien",
        "qui", "qué", "cuál", "cuánto", "cuántos", "cuántas", "dónde", "cuándo", "quién", "qual", "quantos",
        "quantas", "onde", "quem", "quale", "quanti", "dove",
    ];
    const TALK: [&str; 9] = [" you ", " i ", " we do ", " are we ", " next", " ich ", " du ", " je ", " tu "];
    let lower = format!(" {} ", question.to_lowercase().replace(['¿', '(', '“', '"'], ""));
    OPENS.iter().any(|word| lower.contains(&format!(" {word} ")))
        && !TALK.iter().any(|word| lower.contains(word))
}

/// Returns the last question of a message, with the options that follow it in the same paragraph.
pub(super) fn last_question(asked: &str) -> Option<String> {
    let paragraphs: Vec<&str> = asked.split("\n\n").map(str::trim).filter(|text| !text.is_empty()).collect();
    let tail = paragraphs.iter().rev().take(3).find(|text| text.contains('?'))?;
    let line = tail.lines().rev().find(|line| line.contains('?'))?;
    let line = plain(line);
    // All of a short line: options may stand on either side of the mark.
    if word_count(&line) <= 45 { Some(line) } else { sentence_with_mark(&line) }
}

fn sentence_with_mark(line: &str) -> Option<String> {
    let end = line.rfind('?')?;
    let start = line[..end].rfind(['.', '!', '?']).map_or(0, |at| at + 1);
    Some(line[start..=end].trim().to_owned())
}

/// Splits `1. …? 2. …?` into its questions, on one line or on lines of their own.
pub(super) fn enumerated(asked: &str) -> Option<Vec<String>> {
    const MARKS: [[&str; 3]; 5] = [
        ["1.", "1)", "First, "],
        ["2.", "2)", "Second, "],
        ["3.", "3)", "Third, "],
        ["4.", "4)", "Fourth, "],
        ["5.", "5)", "Fifth, "],
    ];
    let mut places: Vec<(usize, usize)> = Vec::new();
    for marks in MARKS {
        let from = places.last().map_or(0, |(_, end)| *end);
        let opens = |at: usize| asked[..at].chars().next_back().is_none_or(|c| c.is_whitespace() || c == '(');
        let found = marks.iter().find_map(|mark| {
            let places = asked.get(from..)?.match_indices(mark).map(|(at, _)| at + from);
            // "Keep brass 2.5?" is no second point.
            let stands =
                |at: usize| asked[at + mark.len()..].starts_with(char::is_whitespace) || mark.ends_with(' ');
            places.into_iter().find(|at| opens(*at) && stands(*at)).map(|at| (at, at + mark.len()))
        });
        let Some(found) = found else { break };
        places.push(found);
    }
    let ends = places.iter().skip(1).map(|(at, _)| *at).chain([asked.len()]);
    let parts: Vec<String> =
        places.iter().zip(ends).map(|((_, from), to)| plain(asked[*from..to].trim())).collect();
    (parts.len() > 1 && parts.iter().all(|part| part.trim().ends_with('?'))).then_some(parts)
}

/// Tells whether a message answers several questions point by point: its points need theirs.
pub(super) fn answers_by_number(reply: &str, asked: &str) -> bool {
    let numbered = |line: &&str| {
        let rest = line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit());
        rest.len() < line.trim_start().len() && rest.starts_with(['.', ')', ':', ' ', '-'])
    };
    asked.matches('?').count() > 1 && reply.lines().filter(numbered).count() > 1
}

/// "No to the first", "yes to the second but 15 boats": what is said to one of two questions.
fn said_to(part: &str, at: usize) -> Option<String> {
    let of = ["first", "second"].get(at)?;
    let names =
        [format!(" to the {of}"), format!(" to {of}"), format!(" for the {of}"), format!(" on the {of}")];
    names.iter().find(|name| part.contains(name.as_str())).map(|name| part.replacen(name.as_str(), "", 1))
}

/// Joins questions with their answers in `1 yes, 2 no`.
pub(super) fn each_answered(questions: &[String], reply: &str) -> Option<String> {
    let mut out = Vec::new();
    for (at, question) in questions.iter().enumerate() {
        let key = (at + 1).to_string();
        let said = reply.split([',', ';']).find_map(|part| {
            let part = part.trim_start();
            match part.strip_prefix(&key) {
                Some(said) => Some(said.trim_start_matches([')', '.', ':', ' ']).to_owned()),
                None => said_to(part, at),
            }
        })?;
        out.push(format!("{} {}", capital(question), capital(said.trim())));
    }
    let is_told = |part: &&str| !part.trim_start().starts_with(|c: char| c.is_ascii_digit());
    let rest = reply.split([',', ';']).skip(questions.len()).filter(is_told).collect::<Vec<_>>().join(",");
    if !rest.trim().is_empty() {
        out.push(capital(rest.trim()));
    }
    Some(out.join("; "))
}

/// "3. Something else?" is an option with a mark.
pub(super) fn is_item(question: &str) -> bool {
    let rest = question.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.len() < question.len() && rest.starts_with(['.', ')']) && question.matches('?').count() == 1
}
