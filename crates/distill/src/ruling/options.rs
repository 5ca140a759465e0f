//! The options a question gives, and which of them a reply takes.

use super::answer_title::circumstances;
use super::language::Language;
use super::lead;
use super::question::asking_sentence;
use crate::extract::choice;
use crate::extract::segment::pieces;
use crate::extract::sentence::plain;
use crate::extract::terms::is_common;

/// Keys an option can have.
const KEYS: [&[&str]; 5] = [
    &["1", "2", "3", "4", "5", "6"],
    &["a", "b", "c", "d", "e", "f"],
    &["i", "ii", "iii", "iv"],
    &["first", "second", "third", "fourth"],
    &["1st", "2nd", "3rd", "4th"],
];

/// Who is asked, before the first of the options.
const FRAMES: [&str; 21] = [
    "should i use ",
    "should we use ",
    "shall i use ",
    "shall we use ",
    "would you like ",
    "should it ",
    "should we ",
    "should i ",
    "should they ",
    "shall it ",
    "shall we ",
    "shall i ",
    "would you ",
    "do you want to ",
    "do you want ",
    "do we ",
    "can we ",
    "may i ",
    "soll ich ",
    "sollen wir ",
    "soll es ",
];

/// What stands before the choice itself.
const FILLERS: &[&str] = &[
    "ok ",
    "ok, ",
    "yes, ",
    "yes ",
    "option ",
    "number ",
    "nr ",
    "the ",
    "die ",
    "das ",
    "den ",
    "la ",
    "le ",
    "el ",
    "il ",
    "a ",
    "de ",
    "let's do ",
    "lets do ",
    "go with ",
    "i'd take ",
    "i take ",
    "take ",
    "go for ",
];

/// What follows the letter of an option that was taken: "a sounds right", "b but slower".
const GOES_ON: [&str; 16] = [
    "but ", "and ", "with ", "please", "is ", "it is", "sounds ", "looks ", "seems ", "works", "would ",
    "because ", "since ", "- ", "– ", "— ",
];

/// Lists how an ordinal is said in the languages we know.
fn ordinal_words(english: &str) -> Vec<String> {
    let foreign: &[&str] = match english {
        "first" => &[
            "erste",
            "ersten",
            "erstes",
            "première",
            "premier",
            "primera",
            "primero",
            "primeira",
            "primeiro",
            "prima",
            "primo",
            "eerste",
        ],
        "second" => &[
            "zweite",
            "zweiten",
            "zweites",
            "deuxième",
            "seconde",
            "second",
            "segunda",
            "segundo",
            "seconda",
            "secondo",
            "tweede",
        ],
        _ => &[],
    };
    std::iter::once(english).chain(foreign.iter().copied()).map(str::to_owned).collect()
}

/// Lists the options of a question with the keys that name them.
pub(super) fn options_of(asked: &str, question: &str) -> Vec<(Vec<String>, String)> {
    let inline = inline_options(question);
    if inline.len() > 1 {
        return by_place(inline);
    }
    let pieces = pieces(asked);
    let keys = choice::options(&pieces);
    let listed: Vec<(Vec<String>, String)> = pieces
        .iter()
        .zip(keys)
        .filter_map(|(piece, key)| Some((vec![key?], choice::describe(piece))))
        .filter(|(_, text)| !text.is_empty())
        .collect();
    if listed.len() > 1 {
        return by_place(listed);
    }
    let keyed = keyed_lines(asked);
    if keyed.len() > 1 {
        return by_place(keyed);
    }
    by_place(named_options(question).into_iter().map(|option| (Vec::new(), option)).collect())
}

/// Lists the lines that stand behind keys, whatever leads up to them.
fn keyed_lines(asked: &str) -> Vec<(Vec<String>, String)> {
    let keyed = |line: &str| {
        let line = line.trim().trim_start_matches(['(', '-', '*', ' ']);
        // "Option A: …"
        let line = ["Option ", "option "].iter().find_map(|name| line.strip_prefix(name)).unwrap_or(line);
        let (key, rest) = line.split_once([')', '.', ':'])?;
        let key = key.trim_matches('*').to_lowercase();
        let is_key = KEYS.iter().take(2).any(|family| family.contains(&key.as_str()));
        let rest = plain(rest.trim_start_matches(['*', ' ']));
        (is_key && !rest.is_empty() && !rest.ends_with('?')).then(|| (vec![key], rest))
    };
    asked.lines().filter_map(keyed).collect()
}

/// Lets "second one" name the second, and "the latter" the last of two.
fn by_place(mut options: Vec<(Vec<String>, String)>) -> Vec<(Vec<String>, String)> {
    let of = options.len();
    let two = of == 2;
    for (at, (keys, _)) in options.iter_mut().enumerate() {
        keys.extend(KEYS[3].get(at).into_iter().flat_map(|word| ordinal_words(word)));
        keys.extend(KEYS[4].get(at).map(|word| (*word).to_owned()));
        let middle = of == 3 && at == 1;
        keys.extend(middle.then(|| "middle".to_owned()));
        keys.extend((at + 1 == of).then(|| "last".to_owned()));
        if two {
            keys.push(["former", "latter"][at].to_owned());
        }
    }
    options
}

/// Finds `A) … B) …` or `(1) … or (2) …` in one line.
pub(super) fn inline_options(question: &str) -> Vec<(Vec<String>, String)> {
    for family in KEYS.iter().take(3) {
        let mut places: Vec<(usize, usize, &str)> = Vec::new();
        for key in *family {
            let found = [format!("{key})"), format!("{key}."), format!("{key} - "), format!("option {key}:")]
                .into_iter()
                .find_map(|mark| {
                    let from = places.last().map_or(0, |(_, end, _)| *end);
                    // Of other letters some are longer in lower case, and places behind them would be others.
                    let lower = question.to_ascii_lowercase();
                    let at =
                        lower.get(from..)?.match_indices(&mark).map(|(at, _)| at + from).find(|at| {
                            lower[..*at].chars().next_back().is_none_or(|c| c == ' ' || c == '(')
                        })?;
                    Some((at, at + mark.len()))
                });
            let Some((at, end)) = found else { break };
            places.push((at, end, key));
        }
        if places.len() > 1 {
            let ends = places.iter().skip(1).map(|(at, ..)| *at).chain([question.len()]);
            return places
                .iter()
                .zip(ends)
                .map(|((_, from, key), to)| {
                    let text = question[*from..to]
                        .trim()
                        .trim_end_matches(['(', ' '])
                        .trim_end_matches([',', ';', '?', '.']);
                    // "2. a green one. Which do you prefer?"
                    let text = text.split(". ").next().unwrap_or(text);
                    let text = text.strip_suffix(" or").unwrap_or(text).trim_end_matches([',', ' ']);
                    (vec![(*key).to_owned()], text.to_owned())
                })
                .collect();
        }
    }
    Vec::new()
}

/// Finds `x, y, or z` behind a colon, or `x or y`.
fn named_options(question: &str) -> Vec<String> {
    let list = question.rsplit_once(':').map_or(question, |(_, list)| list);
    // "I'll build the gate. Of brass or of iron?": what is asked stands behind what is told.
    let asking = asking_sentence(list);
    let list = if asking.contains(" or ") { asking } else { list };
    let list = list.trim().trim_end_matches('?');
    let list = list.split("? ").next().unwrap_or(list).split(". ").next().unwrap_or(list);
    // Other languages have their own word for it.
    let dutch = Language::of(question) == Language::Dutch;
    let list = &if dutch { list.replace(" of ", " or ") } else { list.to_owned() };
    // A Portuguese "o" is an article.
    let spanish = matches!(Language::of(list), Language::Spanish | Language::Italian) || list.contains('¿');
    let list = &if spanish { list.replace(" o ", " or ") } else { list.clone() };
    let list = &[" oder ", " ou "].iter().fold(list.clone(), |list, or| list.replace(or, " or "));
    if !list.contains(" or ") {
        return Vec::new();
    }
    // "For the shed, should I …": what it is for is no option.
    let list = circumstances(list).map_or(list.as_str(), |(_, rest)| rest);
    let joined = list.replace(", or ", ", ").replace(" or ", ", ");
    let mut options: Vec<String> =
        joined.split(", ").map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect();
    if let [first, next, ..] = options.as_mut_slice() {
        *first = without_frame(first, next);
    }
    options
}

/// "Would you rather have a rope" beside "a chain" is a rope: both begin with the same small word, or the first behind those
/// who are asked.
fn without_frame(first: &str, next: &str) -> String {
    let lower = first.to_lowercase();
    let opens = next.split_whitespace().next().unwrap_or_default().to_lowercase();
    let is_small = opens.chars().count() < 5 && is_common(&opens);
    if let Some(at) = lower.rfind(&format!(" {opens} ")).filter(|_| is_small) {
        return first.get(at + 1..).unwrap_or(first).to_owned();
    }
    let asked = FRAMES.iter().find_map(|frame| lower.strip_prefix(frame));
    let rest = asked.and_then(|rest| first.get(first.len() - rest.len()..));
    rest.map_or_else(|| first.to_owned(), |rest| rest.trim_start_matches("rather ").to_owned())
}

/// Finds the option whose key opens a reply, and what follows it.
pub(super) fn picked<'r>(reply: &'r str, options: &[(Vec<String>, String)]) -> Option<(String, &'r str)> {
    let lower = reply.to_ascii_lowercase();
    let opening = lower.trim_start_matches(|c: char| !c.is_alphanumeric());
    let skipped = reply.len() - opening.len();
    let mut at = 0;
    // "Number two": the key in words.
    for (word, digit) in [("one", "1"), ("two", "2"), ("three", "3"), ("four", "4")] {
        let spelt = ["number ", "option ", "nr "].iter().find_map(|filler| opening.strip_prefix(filler));
        let rest = spelt.and_then(|rest| rest.strip_prefix(word));
        if let Some(rest) = rest.filter(|rest| !rest.starts_with(char::is_alphanumeric)) {
            let option = options.iter().find(|(keys, _)| keys.iter().any(|key| key == digit))?;
            return Some((option.1.clone(), &reply[reply.len() - rest.len()..]));
        }
    }
    // "A sounds right" begins with no article.
    let letter = opening
        .split_once(' ')
        .is_some_and(|(key, rest)| key.len() == 1 && GOES_ON.iter().any(|next| rest.starts_with(next)));
    // "Go with the first": one behind the other.
    for _ in 0..2 {
        for filler in FILLERS.iter().filter(|_| !letter) {
            if let Some(rest) = opening[at..].strip_prefix(filler) {
                at = opening.len() - rest.len();
            }
        }
    }
    let rest = &opening[at..];
    let (_, option, length) = options.iter().find_map(|(keys, option)| {
        let key = keys.iter().find(|key| {
            rest.strip_prefix(key.as_str()).is_some_and(|after| {
                after.is_empty() || after.starts_with([',', '.', ')', ':', ' ', ';', '!'])
            })
        })?;
        Some((key, option.clone(), key.len()))
    })?;
    // "a new file is fine" begins with a letter and picks nothing.
    let after = &rest[length..];
    let word = rest[..length].chars().all(|c| c.is_ascii_alphabetic()) && length == 1;
    if word && after.starts_with(' ') && !GOES_ON.iter().any(|next| after.trim_start().starts_with(next)) {
        return None;
    }
    Some((option, reply.get(skipped + at + length..)?))
}

/// Returns the option that some words take up and no other does, without what it was asked with: "the table" for "a table in
/// the hall".
pub(super) fn meant(choice: &str, options: &[(Vec<String>, String)]) -> Option<String> {
    let telling = |text: &str| -> Vec<String> {
        let words = text.to_lowercase();
        let words =
            words.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty() && !is_common(word));
        words.map(str::to_owned).collect()
    };
    let said = telling(choice);
    let takes = |option: &&(Vec<String>, String)| {
        let told = telling(&option.1);
        said.iter().all(|word| told.contains(word))
    };
    let mut found = options.iter().filter(takes);
    let (_, option) = found.next().filter(|_| !said.is_empty())?;
    let asks = option
        .split_whitespace()
        .next()
        .is_some_and(|word| lead::ASKS.contains(&word.to_lowercase().as_str()));
    let whole = option.split_whitespace().count() <= WHOLE && !option.contains(['"', '?']);
    // "Brass or iron for the gate": what it is for stands behind the last.
    let option = option.split(" for ").next().unwrap_or(option);
    (found.next().is_none() && !asks && whole).then(|| option.to_owned())
}

/// An option of more words is told in short by whoever takes it.
const WHOLE: usize = 8;

/// Tells whether a reply names one of the options.
pub(super) fn names(reply: &str, options: &[(Vec<String>, String)]) -> bool {
    let words = |text: &str| -> Vec<String> {
        text.to_lowercase()
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| word.chars().count() > 2)
            .map(str::to_owned)
            .collect()
    };
    let said = words(reply);
    // "B-2" of "Pier/B-1 or Pier/B-2": what tells them apart.
    let first = reply.split([',', ' ', ';']).next().unwrap_or_default().trim_end_matches('.').to_lowercase();
    let ends = |option: &str| {
        option.to_lowercase().strip_suffix(&first).is_some_and(|rest| rest.ends_with(['/', ' ', '-']))
    };
    if first.contains(|c: char| c.is_ascii_digit()) && options.iter().any(|(_, option)| ends(option)) {
        return true;
    }
    options.iter().any(|(_, option)| words(option).iter().any(|word| said.contains(word)))
}
