//! Answers to a question of the agent: with what was meant, not "B".

use lore_core::{Kind, Route};

use super::alone::points_away;
use super::answer_title::title;
use super::cues::SpeechCue;
use super::heard::Mood;
use super::lead::{before_options, needs_lead, with_lead};
use super::mood::hear;
use super::options::{inline_options, meant, names, options_of, picked};
use super::question::{
    asking_sentence, asks_of_the_moment, asks_what_was, each_answered, enumerated, is_item, is_no_choice,
    is_offer, is_open, is_unsure, last_question, offers_to_work,
};
use super::settled::{is_measure, settles, without_approval, without_courtesy, without_errand};
use super::suggested::{suggested, takes_the_suggestion};
use super::turned::turned;
use super::{Language, Utterance};
use crate::extract::sentence::word_count;
use crate::extract::terms::is_common;
use crate::extract::wording::capital;

/// A reply of more words is a message of its own.
const LONG_REPLY: usize = 40;

/// Reads a reply to the question that ends an agent's message.
///
/// Where the agent went to work on it, most replies say what to do next; then only an option that was
/// taken for a question about the thing counts, and what else was said to it is part of the talk.
pub(super) fn answer(reply: &str, asked: &str, at_work: bool) -> Option<Utterance> {
    let reply = reply.trim();
    if asked.is_empty() || word_count(reply) > LONG_REPLY || reply.ends_with('?') || reply.contains('\n') {
        return None;
    }
    let question = last_question(asked)?;
    // Amid work what was said before the question belongs to the talk.
    let question = if at_work { question } else { with_lead(asked, question) };
    let reply = without_courtesy(reply);
    let options = options_of(asked, &question);
    let named = if at_work && options.len() < 2 { asking_sentence(&question) } else { &question };
    let empty = asks_of_the_moment(if options.len() > 1 { before_options(named) } else { named });
    let listed = enumerated(asked).filter(|_| !at_work);
    if let Some(text) = listed.and_then(|questions| each_answered(&questions, reply)) {
        return Some(ruling(&question, &text, reply));
    }
    if is_no_choice(reply) && in_own_words(reply, &question).is_none()
        || is_item(&question) && inline_options(&question).len() < 2
        || asks_what_was(asking_sentence(&question))
        || at_work && !asks_about_a_thing(&question) && !offers_a_choice(&question, &options)
    {
        return None;
    }
    if let Some(own) = in_own_words(reply, &question).filter(|_| !empty && !at_work) {
        return Some(ruling(&question, own, reply));
    }
    let several = if empty { None } else { enumerated(&question) };
    if let Some(text) = several.and_then(|questions| each_answered(&questions, reply)) {
        return Some(ruling(&question, &text, reply));
    }
    if let Some(option) = suggested(&question).filter(|_| !at_work && takes_the_suggestion(reply)) {
        let title = title(&question, &option, &option);
        return Some(Utterance { title, ..ruling(&question, &option, reply) });
    }
    // "Which do you prefer?" asks about nothing; an option that was spelt out says it itself.
    let spelt_out = |option: &str| {
        // "I run it first, then merge" spells out the agent's work.
        let of_work = points_away(option) || format!(" {option} ").contains(" I ");
        let whole = !at_work && word_count(option) >= WHOLE_OPTION && !of_work;
        let named = !empty || whole && !is_offer(&question);
        named && !offers_to_work(&question)
    };
    if let Some((option, rest)) = picked(reply, &options).filter(|(option, _)| spelt_out(option)) {
        let option = option.trim_end_matches(['.', ',', ';', '?']).to_owned();
        let rest = rest.trim_start_matches([',', '.', ':', ';', '-', ' ', ')']).trim();
        // "1 and 2" takes more than one.
        let more = rest.trim_start_matches("and ").trim_start_matches(['&', '+', ' ']);
        if more.starts_with(|c: char| c.is_ascii_digit()) && word_count(more) < 2 {
            return None;
        }
        let rest = rest.strip_prefix("one").map_or(rest, |rest| rest.trim_start_matches([',', '.', ' ']));
        let rest = without_errand(without_approval(rest));
        let text = if rest.is_empty() { option.clone() } else { format!("{option}, {rest}") };
        if is_no_choice(&text) {
            return None;
        }
        // Why it was chosen stands on the page.
        let title = title(&question, &option, &text);
        return Some(Utterance { title, option: Some(option), ..ruling(&question, &text, reply) });
    }
    // "-9999", "NaN pls", "brass, the others rust": the very words of an option, and perhaps why.
    let choice = reply.split([',', ';']).next().unwrap_or(reply).trim_end_matches(['.', '!', ' ']);
    if !empty && !is_unsure(reply) && offers_a_choice(&question, &options) && is_option(choice, &options) {
        let label = label_of(choice, &options);
        let title = title(&without_options(&question), &label, reply);
        return Some(Utterance { title, ..ruling(&question, reply, reply) });
    }
    // Whatever else is said to "which do you prefer?", or amid work, needs the talk around it.
    if empty || at_work {
        return None;
    }
    if let Some(decided) = turned(&question, reply) {
        return Some(decided);
    }
    if refuses_leave(&question, reply) {
        return Some(ruling(&question, reply, reply));
    }
    if settles(reply, &question) {
        return Some(ruling(&question, reply, reply));
    }
    // Named in words: the reply takes up an option, or the question leaves it open what is.
    // A word or two do not tell their language.
    let heard = hear(reply, Language::of(&format!("{question} {reply}")));
    // "Brass, the others use it as well": the choice, and why.
    let choice = reply.split([',', ';', '.']).next().unwrap_or(reply);
    // "Take the newer, and warn": the choice, in words of an order.
    let takes = reply.to_lowercase().starts_with("take ") && names(reply, &options);
    let does = match heard.mood {
        // "Open. Nobody waits outside": the word of the option, which is a verb.
        Mood::Order | Mood::Task if takes || word_count(choice) <= 2 && names(choice, &options) => true,
        Mood::Question | Mood::Task | Mood::Report | Mood::Courtesy => false,
        Mood::Order => {
            heard.has(SpeechCue::Standing) || heard.has(SpeechCue::Universal) || names(reply, &options)
        }
        _ => true,
    };
    let unclear = points_away(asking_sentence(&question)) && options.len() < 2;
    let takes_up = names(reply, &options) && word_count(reply) <= SHORT_REPLY
        || names(choice, &options) && word_count(choice) <= SPELT_OUT;
    let lower = format!(" {} ", question.to_lowercase());
    let open = is_open(&question);
    // "What is the least depth that a boat needs to work on?" offers nothing.
    if is_offer(&question) && !takes_up && !open || unclear || is_unsure(reply) {
        return None;
    }
    // A Portuguese "o" is an article.
    let or = matches!(Language::of(&question), Language::Spanish | Language::Italian).then_some(" o ");
    let alternatives = [" or ", " oder ", " ou "].into_iter().chain(or).any(|word| lower.contains(word));
    let bare = matches!(
        reply.to_lowercase().trim_end_matches(['.', '!']),
        "yes"
            | "no"
            | "ok"
            | "sure"
            | "yep"
            | "yeah"
            | "y"
            | "n"
            | "do it"
            | "go"
            | "go ahead"
            | "yes please"
            | "all"
            | "all of them"
            | "both"
            | "none"
            | "neither"
            | "correct"
            | "right"
            | "exactly"
            | "proceed"
    ) || reply
        .split(|c: char| !c.is_alphanumeric())
        .all(|word| word.parse::<u32>().is_ok() || word.len() < 5 && is_common(&word.to_lowercase()))
        || reply.to_lowercase().starts_with("yeah ") && word_count(reply) < SPELT_OUT + 1;
    // "How many boats may lie at the pier?" "40"
    let counted =
        open && options.is_empty() && says(asking_sentence(&question)) >= NAMED && is_measure(reply);
    if counted {
        return Some(ruling(&question, reply, reply));
    }
    if !does || bare || !(open || alternatives) {
        return None;
    }
    let said = ruling(&question, reply, reply);
    let title = match word_count(choice) <= SPELT_OUT && names(choice, &options) {
        true => title(&question, &label_of(choice, &options), reply),
        false => said.title,
    };
    (names(reply, &options) || open && word_count(reply) <= SHORT_REPLY)
        .then_some(Utterance { title, ..said })
}

/// Says what was chosen: the option that the words of a choice take up, or these words.
fn label_of(choice: &str, options: &[(Vec<String>, String)]) -> String {
    let lower = choice.to_lowercase();
    let bare = COMMENTS.iter().find_map(|comment| choice.get(..lower.strip_suffix(comment)?.len()));
    meant(bare.unwrap_or(choice), options).unwrap_or_else(|| choice.to_owned())
}

/// "May I throw away old tickets?" "No!! Stamp them as void, they have to stay": leave that is not given, and what is done
/// instead.
fn refuses_leave(question: &str, reply: &str) -> bool {
    let asked = asking_sentence(question).to_lowercase();
    let asks =
        ["may i ", "can i ", "should i ", "am i allowed to ", "darf ich ", "puedo ", "puis-je ", "posso "]
            .iter()
            .any(|opening| asked.trim_start_matches(|c: char| !c.is_alphabetic()).starts_with(opening));
    let lower = reply.to_lowercase();
    let denies = ["no", "nope", "never", "nein", "non", "não"].iter().any(|no| {
        lower.strip_prefix(no).is_some_and(|rest| rest.starts_with(|c: char| !c.is_alphanumeric()))
    });
    // "The old tickets" are some of a sort, "this ticket" is the one at hand.
    asks && denies
        && word_count(reply) > SPELT_OUT
        && says(&asked) >= NAMED
        && !points_away(&asked)
        && !OF_WORK.iter().any(|word| asked.contains(word))
}

/// "Which value should I use, 5 or 7?", "How are swaps approved? A) … B) …": what is asked for is one of several, and
/// what they are options for is named.
fn offers_a_choice(question: &str, options: &[(Vec<String>, String)]) -> bool {
    let asked = asking_sentence(question);
    let opens = [
        "which",
        "what",
        "where",
        "how",
        "should the",
        "should we use",
        "should i use",
        "shall i use",
        "shall we use",
        "do we use",
        "welche",
        "was soll",
        "wie",
        "soll ich",
        "sollen wir",
    ];
    // "Tickets can last a day or a week. Which do you prefer?": the options say what they are for.
    let asked = if asks_of_the_moment(asked) { question } else { asked };
    let lower = asking_sentence(question).trim_start().to_lowercase();
    let told: usize = options.iter().map(|(_, option)| says(option)).max().unwrap_or_default();
    options.len() > 1
        && opens.iter().any(|word| lower.starts_with(word))
        && says(asked) > 0
        && says(asked) + told >= NAMED
        && !offers_to_work(question)
        && !points_away(asked)
        && !OF_WORK.iter().any(|word| lower.contains(word))
}

/// "None of these. Paint it green": no option was taken, and what is wanted is said.
fn in_own_words<'r>(reply: &'r str, question: &str) -> Option<&'r str> {
    let lower = reply.to_ascii_lowercase();
    let none = ["none of these", "none of those", "none of them", "neither"];
    let refused = none.iter().find(|words| lower.starts_with(**words))?;
    let own = reply.get(refused.len()..)?.trim_start_matches([',', '.', ':', ';', '-', ' ']);
    let asked = asking_sentence(question);
    let is_told = word_count(own) >= SPELT_OUT && !own.contains('?') && !is_unsure(own) && !is_no_choice(own);
    (is_told && says(asked) >= NAMED && !is_offer(question) && !offers_to_work(question)).then_some(own)
}

/// What a question names that is about the order of work.
const OF_WORK: [&str; 6] = [" next", " first", " start", " proceed", " continue", " do you want"];

/// "Which value should I use, 5 or 7?": what is asked, without what it may be.
fn without_options(question: &str) -> String {
    let before = question.rfind(" or ").map_or(question, |at| &question[..at]);
    match before.rfind(", ").map(|at| &question[..at]) {
        Some(asked) if says(asked) > 1 => format!("{asked}?"),
        _ => question.to_owned(),
    }
}

/// What people put behind the option that they take.
const COMMENTS: [&str; 12] = [
    " ofc",
    " of course",
    " works",
    " ok",
    " sounds nicer",
    " sounds better",
    " sounds good",
    " is better",
    " is nicer",
    " is fine",
    " it is",
    " obviously",
];

/// Tells whether some words are an option, word for word.
fn is_option(choice: &str, options: &[(Vec<String>, String)]) -> bool {
    let bare = |text: &str| {
        let text = text.trim().to_lowercase();
        let text = COMMENTS.iter().find_map(|comment| text.strip_suffix(comment)).unwrap_or(&text).to_owned();
        text.trim_matches(['"', '`', '\'', '.', '?', ' ']).to_owned()
    };
    let said = bare(choice);
    if said.chars().count() < SHORT_OPTION {
        return options.iter().any(|(_, option)| bare(option) == said);
    }
    // "Should I use brass or plain iron for the gate?": the first stands at the end of what comes before, the last at the
    // beginning of what follows.
    let first = options.first().is_some_and(|(_, option)| bare(option).ends_with(&format!(" {said}")));
    let last = options.last().is_some_and(|(_, option)| bare(option).starts_with(&format!("{said} ")));
    first || last || options.iter().any(|(_, option)| bare(option) == said)
}

/// Fewer letters may end or begin anything.
const SHORT_OPTION: usize = 4;

/// Tells whether a question says what it is about, and is neither leave to work nor talk.
fn asks_about_a_thing(question: &str) -> bool {
    let asked = asking_sentence(question);
    says(asked) >= NAMED && !is_offer(question) && !offers_to_work(question) && !points_away(asked)
}

/// How many words of a text say what it is about.
pub(super) fn says(text: &str) -> usize {
    text.split_whitespace().filter(|word| !is_common(&word.to_lowercase())).count()
}

/// A question of so many telling words names its subject.
pub(super) const NAMED: usize = 3;

/// Tells whether the agent's last words offer to do something.
pub(super) fn answers_an_offer(asked: &str) -> bool {
    last_question(asked).is_some_and(|question| is_offer(&question) || offers_to_work(&question))
}

/// An option of so many words says what it is about.
const SPELT_OUT: usize = 4;
/// An option of fewer words does not say what it is an option for.
const WHOLE_OPTION: usize = 7;

/// A reply of so few words to an open question answers it, whatever it says.
pub(super) const SHORT_REPLY: usize = 8;

/// Words an answer: what was chosen, and what for.
pub(super) fn ruling(question: &str, answer: &str, quote: &str) -> Utterance {
    // What was said before the question is cited; it is repeated where the question says little.
    let asked = asking_sentence(question);
    let subject = if says(asked) >= TELLING && !needs_lead(asked) { asked } else { question };
    let subject = subject.trim().trim_end_matches(['?', '.', ' ']).trim();
    let answer = capital(answer.trim().trim_end_matches('.'));
    Utterance {
        title: title(question, &answer, &answer),
        text: format!("{answer} (in answer to “{subject}?”)."),
        quote: quote.trim().to_owned(),
        kind: Kind::Decision,
        // The words of the question are the agent's: its record is cited too.
        option: Some(question.to_owned()),
        route: Route::Ruling,
        why: "an answer",
    }
}

/// A question of so many telling words says what it is about.
const TELLING: usize = 4;

#[cfg(test)]
mod tests;
