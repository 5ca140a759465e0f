//! Answers to a question of the agent: with what was meant, not "B".

use lore_core::{FormAnswer, Kind, Route};

use super::alone::points_away;
use super::answer_title::{headed, title};
use super::cues::SpeechCue;
use super::mood::{Mood, hear};
use super::options::{names, options_of, picked};
use super::question::{
    asking_sentence, asks_of_the_moment, asks_what_was, each_answered, enumerated, is_item, is_no_choice,
    is_offer, is_unsure, last_question, offers_to_work,
};
use super::settled::{is_measure, settles, without_errand};
use super::{Language, Utterance};
use crate::extract::sentence::{plain, word_count};
use crate::extract::terms::is_common;
use crate::extract::wording::capital;

/// A reply of more words is a message of its own.
const LONG_REPLY: usize = 40;
/// Reads the answers that an agent's own form records.
pub(super) fn chosen(text: &str) -> Vec<Utterance> {
    let mut out = Vec::new();
    for recorded in FormAnswer::all_in(text) {
        let question = plain(recorded.question);
        let answer = plain(recorded.answer);
        let answer = answer.replace("(Recommended)", "").replace("(notes only)", "").trim().to_owned();
        let asked = asking_sentence(&question);
        if word_count(&answer) > 0
            && !is_offer(asked)
            && !asks_of_the_moment(asked)
            && !asks_what_was(asked)
            && !points_away(asked)
            && !is_unsure(&answer)
            && !is_no_choice(&answer)
            && !is_remark(&answer)
            && !answer.to_lowercase().starts_with("(no answer")
            && !answer.to_lowercase().contains("no answer provided")
        {
            out.push(told(recorded.heading, &question, &answer, text));
        }
    }
    out
}

/// "We already have a gangway, and it is wide": typed into the form, it says how things are and takes nothing.
fn is_remark(answer: &str) -> bool {
    let is_typed = !answer.contains(" (") && word_count(answer) > SHORT_REPLY;
    let heard = hear(answer, Language::of(answer));
    let is_told = matches!(heard.mood, Mood::Statement | Mood::Report | Mood::Question)
        || heard.mood == Mood::Practice && answer.to_lowercase().contains(" already ");
    is_typed && is_told && !heard.has(SpeechCue::Standing) && !heard.has(SpeechCue::Universal)
}

/// So much of what an option was offered with is kept beyond its first sentence, in characters: why it is so, and what it costs.
const OFFERED: usize = 240;

/// Parts a chosen option into its label and the first sentences of what it was offered with.
fn in_short(answer: &str) -> (String, String) {
    // "Both (of a kind) (one for each day)": the label may have brackets of its own.
    let parted = answer.split_once(") (").map(|(label, rest)| (format!("{label})"), rest));
    let Some((label, rest)) =
        parted.or_else(|| answer.split_once(" (").map(|(label, rest)| (label.trim().to_owned(), rest)))
    else {
        return (answer.to_owned(), answer.to_owned());
    };
    let (described, note) = rest.rsplit_once(')').unwrap_or((rest, ""));
    let mut kept = String::new();
    for sentence in described.split(". ") {
        if !kept.is_empty() && kept.chars().count() + sentence.chars().count() > OFFERED {
            break;
        }
        kept.push_str(if kept.is_empty() { "" } else { ". " });
        kept.push_str(sentence);
    }
    let kept = kept.trim_end_matches('.');
    let whole = match label.contains([':', '(']) || note.contains(char::is_alphanumeric) {
        true => format!("{label} ({kept}){note}"),
        false => format!("{label}: {kept}"),
    };
    (label, whole)
}

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
    let empty = asks_of_the_moment(if at_work { asking_sentence(&question) } else { &question });
    let options = options_of(asked, &question);
    if is_no_choice(reply) && in_own_words(reply, &question).is_none()
        || is_item(&question)
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
        let rest = without_errand(rest);
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
        let title = title(&without_options(&question), choice, reply);
        return Some(Utterance { title, ..ruling(&question, reply, reply) });
    }
    // Whatever else is said to "which do you prefer?", or amid work, needs the talk around it.
    if empty || at_work {
        return None;
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
    if is_offer(&question) && !takes_up || unclear || is_unsure(reply) {
        return None;
    }
    let lower = format!(" {} ", question.to_lowercase());
    let open =
        ["which", "what", "where", "how", "when", "who"].iter().any(|word| begins_clause(&question, word))
            && ![" you ", " i ", " we do ", " next"].iter().any(|person| lower.contains(person));
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
    (names(reply, &options) || open && word_count(reply) <= SHORT_REPLY)
        .then(|| ruling(&question, reply, reply))
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
    let opens = ["which", "what", "where", "how", "should the", "welche", "was soll", "wie"];
    let lower = asked.trim_start().to_lowercase();
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
    let lower = reply.to_lowercase();
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
const COMMENTS: [&str; 10] = [
    " pls",
    " please",
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
    !said.is_empty() && options.iter().any(|(_, option)| bare(option) == said)
}

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

fn told(heading: Option<&str>, question: &str, answer: &str, quote: &str) -> Utterance {
    let (label, answer) = in_short(answer);
    let mut ruling = ruling(question, &answer, quote);
    let headed = heading.and_then(|heading| headed(heading, &label));
    ruling.title = headed.unwrap_or_else(|| title(question, &label, &answer));
    // A form records the question beside the answer.
    ruling.option = None;
    ruling.quote = quote.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    ruling
}

/// Words an answer: what was chosen, and what for.
fn ruling(question: &str, answer: &str, quote: &str) -> Utterance {
    // What was said before the question is cited; it is repeated where the question says little.
    let asked = asking_sentence(question);
    let subject = if says(asked) >= TELLING { asked } else { question };
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

fn begins_clause(question: &str, word: &str) -> bool {
    let lower = question.to_lowercase();
    lower.starts_with(word) || lower.contains(&format!(" {word} "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(asked: &str, reply: &str, expected: Option<&str>) {
        assert_eq!(answer(reply, asked, false).map(|ruling| ruling.text).as_deref(), expected, "{reply}");
    }

    #[test]
    fn each_of_two_questions_has_its_answer() {
        check(
            "Two points on the pier. First, do we sell maps? Second, do we close at ten?",
            "nope to the first, yes to the second but at 15",
            Some(
                "Do we sell maps? Nope; Do we close at ten? Yes but at 15 (in answer to “Two points on the pier. First, do we sell maps? Second, do we close at ten?”).",
            ),
        );
    }

    #[test]
    fn what_was_and_what_is_the_persons_decides_nothing() {
        check("Which boats were counted last year: ferries, tugs, or both?", "ferries and tugs", None);
        check("Were you asking about the berths or about the crane?", "the crane on the north pier", None);
        check("What should crews find first? A) a list of berths of the day B) all of the above", "B", None);
        let form = |question: &str| chosen(&format!("{question}\n→ The north pier"));
        assert_eq!(form("What is the address of your harbour office?"), []);
        assert_eq!(form("Which piers were closed in winter?"), []);
        assert_eq!(form("Where should ferries without a berth wait?").len(), 1);
    }

    #[test]
    fn remarks_and_the_plan_of_the_day_decide_nothing() {
        let form = |question: &str, answer: &str| chosen(&format!("{question}\n→ {answer}")).len();
        let berths = "How should we handle ferries that miss their berth?";
        assert_eq!(
            form(berths, "We already have a berth book, and the harbour master is writing a newer one"),
            0
        );
        assert_eq!(form(berths, "They always wait outside of the breakwater until the next bell rings"), 1);
        assert_eq!(form(berths, "Wait outside (They lie at anchor. The pilot calls them.)"), 1);
        assert_eq!(form("What would you like to repair today?", "The crane"), 0);
        let asked = "1. Paint the pier\n2. Paint the crane\n\nWhich approach?";
        check(asked, "1. just make sure the crew knows where the brushes are", None);
        check(asked, "let's go with option 1. i also wonder if we need two brushes", None);
    }

    #[test]
    fn what_was_meant_is_told() {
        check(
            "Which paint for the door? A) red B) green C) none",
            "B, but two coats",
            Some("Green, but two coats (in answer to “Which paint for the door? A) red B) green C) none?”)."),
        );
        check(
            "Should the old keys (1) be thrown away or (2) be kept for a year?",
            "2",
            Some(
                "Be kept for a year (in answer to “Should the old keys (1) be thrown away or (2) be kept for a year?”).",
            ),
        );
        check(
            "Ferry tickets: paper, cards, or both?",
            "second one, with a photo",
            Some("Cards, with a photo (in answer to “Ferry tickets: paper, cards, or both?”)."),
        );
        check(
            "Do you want me to keep the 9 foot berths in the harbour?",
            "no, 12 foot and up is enough",
            Some(
                "No, 12 foot and up is enough (in answer to “Do you want me to keep the 9 foot berths in the harbour?”).",
            ),
        );
        check(
            "Shall I ring the bell whenever the ferry leaves the pier?",
            "yes, always",
            Some("Yes, always (in answer to “Shall I ring the bell whenever the ferry leaves the pier?”)."),
        );
        check(
            "Should guests be able to moor their boats without a permit?",
            "yes, but only by day",
            Some(
                "Yes, but only by day (in answer to “Should guests be able to moor their boats without a permit?”).",
            ),
        );
        check("Should I oil all the ropes?", "yes, but only the long ones", None);
        check(
            "Should the harbour ledgers be kept in ink from now on?",
            "yes",
            Some("Yes (in answer to “Should the harbour ledgers be kept in ink from now on?”)."),
        );
        check("Should I keep the harbour ledgers in ink?", "yes", None);
        check(
            "There are two ways to mark a berth: 1. a painted number, 2. a small brass plate. Which one do you prefer?",
            "the second",
            Some(
                "A small brass plate (in answer to “There are two ways to mark a berth: 1. a painted number, 2. a small brass plate. Which one do you prefer?”).",
            ),
        );
        check(
            "I could replace the brass locks with iron ones, they last longer. Shall I?",
            "nah, keep brass",
            Some(
                "Nah, keep brass (in answer to “I could replace the brass locks with iron ones, they last longer. Shall I?”).",
            ),
        );
        check("I could replace the brass locks with iron ones. Shall I?", "no, keep going", None);
        check("Shall I ring the bell of the pier now?", "yes, do it", None);
        check(
            "Do you want idle berth permits torn up after 30 or after 90 days?",
            "90",
            Some("90 (in answer to “Do you want idle berth permits torn up after 30 or after 90 days?”)."),
        );
        check(
            "Is it OK to ring the fog bell at night?",
            "no, nothing between 10pm and 8am",
            Some(
                "No, nothing between 10pm and 8am (in answer to “Is it OK to ring the fog bell at night?”).",
            ),
        );
        check("Should I ring the fog bell of the pier?", "no, not now", None);
        check(
            "What is the maximum number of boats that may lie at the pier?",
            "40",
            Some("40 (in answer to “What is the maximum number of boats that may lie at the pier?”)."),
        );
        check(
            "Soll der Schlüssel am Haken oder im Kasten hängen?",
            "im Kasten",
            Some("Im Kasten (in answer to “Soll der Schlüssel am Haken oder im Kasten hängen?”)."),
        );
        check(
            "Ferry tickets for the islands: paper slips, or plastic cards?",
            "the second one please, and then go on with the boats",
            Some(
                "Plastic cards (in answer to “Ferry tickets for the islands: paper slips, or plastic cards?”).",
            ),
        );
        check(
            "Which name for the boat, \"Gull\" or \"Tern\"?",
            "Tern",
            Some("Tern (in answer to “Which name for the boat, \"Gull\" or \"Tern\"?”)."),
        );
        check(
            "Two questions. 1. Sell the boat? 2. Sell the pier as well?",
            "1 yes, 2 no, we need it",
            Some(
                "Sell the boat? Yes; Sell the pier as well? No; We need it (in answer to “Two questions. 1. Sell the boat? 2. Sell the pier as well?”).",
            ),
        );
    }

    #[test]
    fn the_very_words_of_an_option_are_an_answer_also_at_work() {
        let told =
            |asked: &str, reply: &str, at_work: bool| answer(reply, asked, at_work).map(|told| told.title);
        let depth = "Which depth should I write for dry berths, -99 or none?";
        assert_eq!(
            told(depth, "-99", true).as_deref(),
            Some("Which depth should I write for dry berths? -99")
        );
        let whole = told(depth, "-99, the port's chart reader chokes on blanks", true);
        assert_eq!(whole.as_deref(), Some("Which depth should I write for dry berths? -99"));
        let swaps =
            "How should berth swaps be approved?\nA) by the guests alone\nB) always by the harbour master";
        let chosen = told(swaps, "B, the harbour master wants to see every swap", true);
        assert_eq!(
            chosen.as_deref(),
            Some("How should berth swaps be approved? Always by the harbour master")
        );
        assert_eq!(told("Which berth should I paint first, 3 or 4?", "4", true), None, "the order of work");
        let gulls = "Should gulls be fed at the north pier or at the south pier in winter?";
        let reply = "the north pier floods in winter and the gulls know it";
        assert_eq!(told(gulls, reply, true), None, "part of the talk");
        assert_eq!(told("Shall I paint the berth or the pier?", "the pier", true), None, "leave to work");
        let stays = told(
            "Iron locks are out. Shall I replace the brass locks?",
            "stick with brass, iron rusts",
            false,
        );
        assert_eq!(stays.as_deref(), Some("Shall I replace the brass locks? Stick with brass, iron rusts"));
    }

    #[test]
    fn a_number_a_key_in_words_and_the_end_of_an_option_are_answers() {
        let told = |asked: &str, reply: &str| answer(reply, asked, false).map(|told| told.title);
        let weight = "Above which weight do I refuse a crate at the pier? I would take 150 kg.";
        assert!(told(weight, "make that 200, a crate of eels is heavy").is_some());
        let lamps = "May I raise the pier lamps from 1 to 10 watts?";
        assert!(told(lamps, "leave it at one, the cable gets warm otherwise").is_some());
        assert_eq!(told(lamps, "make it quick"), None);
        let berth = "A boat comes without papers. 1 - refuse the berth, 2 - moor and flag it, 3 - assume the usual papers?";
        assert!(
            told(berth, "number two, and paint it red").is_some_and(|title| title.contains("oor and flag"))
        );
        let gate = "When the gate has lost its power, shall it open or stay shut?";
        assert!(told(gate, "open. nobody sleeps on the pier because of us").is_some());
        let paint = "Before I order the paint for the boats: Pier/B-1 or Pier/B-2?";
        assert!(told(paint, "B-2, the salt does not eat it").is_some());
        assert_eq!(told("Shall I order the paint?", "B-2 is empty"), None);
        let eels = "What shall I do with lost crates: 1) sell them, 2) store them in the shed, 3) list them at the gate?";
        assert!(told(eels, "3").is_some_and(|title| title.contains("ist them at the gate")));
        let lamp = "May I remove the oil lamps of the pier?";
        assert!(told(lamp, "keep them, but behind the shed, the crews still use those").is_some());
        assert_eq!(told(lamp, "keep it"), None);
        let fog =
            "When the fog bell is broken, should the ferry wait, sound its horn, or turn back to the pier?";
        assert!(
            told(fog, "none of these. row out and light the lamps of the buoys")
                .is_some_and(|title| title.contains("ow out"))
        );
        assert_eq!(told(fog, "none of these"), None);
        assert!(told("Which name for the boat, Gull or Tern?", "Tern sounds nicer").is_some());
    }

    #[test]
    fn an_item_of_a_list_is_no_question() {
        check("1. Sell the boat\n2. Keep the boat\n3. Something else?", "3", None);
        check("Which paint for the door? A) red B) green C) none", "A and 2", None);
    }

    #[test]
    fn a_yes_to_an_offer_lays_nothing_down() {
        check("Shall I paint the door now?", "yes", None);
        check("Would you like me to continue with the garden?", "go ahead", None);
        check("The door is painted.", "now the garden", None);
    }
}
