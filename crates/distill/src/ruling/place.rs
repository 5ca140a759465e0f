//! Verbs that no list knows, told by where they stand; and what states something by the order of its words.

use super::words::{Word, is_plural, words_of};
use crate::extract::flaws::{is_plain_verb, third_person};

/// Words for one thing that open a sentence about it.
const SINGULAR: [&str; 9] = ["the", "a", "an", "our", "this", "each", "every", "my", "one"];
/// Words between a verb and how much, how often or when.
const MEASURING: [&str; 18] = [
    "at", "on", "to", "after", "before", "over", "by", "with", "under", "until", "within", "every", "each",
    "between", "up", "down", "out", "off",
];
/// Words that stand behind a verb and seldom behind a noun.
const THROUGH: [&str; 6] = ["through", "via", "into", "onto", "within", "after"];
/// Words for how much and when.
const MEASURES: [&str; 28] = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve", "twice",
    "night", "noon", "midnight", "second", "seconds", "minute", "minutes", "hour", "hours", "day", "days",
    "week", "weeks", "month", "months",
];
/// Verbs that also say which things are meant: "debug builds", "exit codes".
const NAMING: [&str; 42] = [
    "alert", "archive", "audit", "backup", "batch", "build", "cache", "check", "commit", "crash", "debug",
    "deploy", "design", "download", "draft", "error", "exit", "export", "feature", "import", "log", "merge",
    "patch", "preview", "process", "push", "query", "queue", "record", "release", "report", "request",
    "return", "review", "schedule", "search", "session", "stage", "stream", "sync", "test", "upload",
];
/// Verbs of change that people tell of themselves.
const CHANGED: [&str; 8] =
    ["renamed", "moved", "switched", "replaced", "changed", "migrated", "swapped", "converted"];

/// Tells whether a word stands where a verb stands: "the lamp dims at nine", "letters leave through the gate".
pub(super) fn has_verb_by_place(texts: &[String]) -> bool {
    let word = |at: usize| texts.get(at).map_or("", String::as_str);
    let measures = |from: usize| {
        texts
            .iter()
            .skip(from)
            .any(|word| word.starts_with(|c: char| c.is_ascii_digit()) || MEASURES.contains(&word.as_str()))
    };
    let acts = |word: &str| {
        word.len() > 3
            && is_plural(word)
            && !word.ends_with("us")
            && !word.ends_with("is")
            && word.chars().all(|c| c.is_ascii_alphabetic())
    };
    let alone = SINGULAR.contains(&word(0))
        && (2..texts.len().min(6)).any(|at| {
            acts(word(at))
                && !is_plural(word(at - 1))
                && !texts[1..at].iter().any(|before| before == "of" || MEASURING.contains(&before.as_str()))
                && MEASURING.contains(&word(at + 1))
                && measures(at + 1)
        });
    let act = word(1);
    let many = is_plural(word(0))
        && !is_plural(act)
        && !act.ends_with("ly")
        && !act.ends_with("ed")
        && act.len() > 2
        && THROUGH.contains(&word(2))
        && texts.len() > 3;
    alone || many
}

/// Labels of what is no fact: a piece of work, how it goes, what is asked.
const OF_WORK: [&str; 22] = [
    "todo", "task", "status", "question", "problem", "bug", "issue", "error", "warning", "result", "results",
    "output", "example", "step", "next", "update", "build", "ci", "idea", "goal", "plan", "context",
];

/// "Berths at the north pier: 12", "night bell: never on Sundays", "keeper of the lamp: Ada": what something is called,
/// and what holds of it.
pub(super) fn is_labelled(body: &str) -> bool {
    let Some((label, value)) = body.split_once(": ") else { return false };
    let head: Vec<String> = label.split_whitespace().map(str::to_lowercase).collect();
    let value = value.trim().trim_end_matches('.');
    let opens = value.split_whitespace().next().unwrap_or_default();
    let bounds =
        ["never ", "always ", "only ", "not more than ", "no more than ", "at most ", "at least ", "max "];
    let tells = value.contains(|c: char| c.is_ascii_digit())
        || bounds.iter().any(|word| value.to_lowercase().starts_with(word))
        || opens.starts_with(char::is_uppercase) && !value.contains(". ");
    let states = |word: &String| {
        matches!(word.as_str(), "is" | "are" | "was" | "i" | "we" | "you" | "it" | "this" | "that")
    };
    (2..=6).contains(&head.len())
        && (1..=8).contains(&value.split_whitespace().count())
        && tells
        && !value.contains('?')
        && !OF_WORK.contains(&head[0].as_str())
        && !head.iter().any(states)
        && head.iter().all(|word| word.chars().any(char::is_alphabetic))
}

/// Tells whether the verb that opens a sentence only names the things it is about: "debug builds log over the
/// wire", "exit codes of the crane start at 64".
pub(super) fn opens_with_a_name(body: &[Word]) -> bool {
    let word = |at: usize| body.get(at).map_or("", |word: &Word| word.text.as_str());
    let clause = body.iter().position(|word| word.ends_clause).unwrap_or(body.len());
    let says = |at: usize| {
        let stands = at == 2 || !matches!(word(at - 1), "to" | "the" | "a" | "and" | "or" | "not" | "from");
        stands
            && is_plain_verb(word(at))
            && (MEASURING.contains(&word(at + 1)) || THROUGH.contains(&word(at + 1)))
    };
    NAMING.contains(&word(0)) && is_plural(word(1)) && (2..clause.min(8)).any(says)
}

/// "Ringing the bell in fog wakes the keeper": what comes of doing something, whoever does it.
pub(super) fn is_consequence(body: &[Word]) -> bool {
    const NO_DEED: [&str; 8] =
        ["during", "something", "nothing", "anything", "everything", "string", "thing", "being"];
    let Some(first) = body.first().map(|word| word.text.as_str()) else { return false };
    let is_deed = first.len() > 5 && first.ends_with("ing") && !NO_DEED.contains(&first);
    let clause = body.iter().position(|word| word.ends_clause).map_or(body.len(), |at| at + 1);
    let follows = |pair: &[Word]| {
        third_person(&pair[1].text)
            && !matches!(
                pair[0].text.as_str(),
                "the" | "a" | "an" | "our" | "of" | "for" | "with" | "all" | "it" | "that"
            )
    };
    let of_us = body.iter().any(|word| matches!(word.text.as_str(), "i" | "i'm" | "now" | "today" | "still"));
    is_deed && !of_us && body[..clause].windows(2).skip(1).any(follows)
}

/// "I renamed the quay, it is called Pier 4": what somebody changed, and how it is since.
pub(super) fn is_change_of_ones_own(body: &[Word]) -> bool {
    let word = |at: usize| body.get(at).map_or("", |word: &Word| word.text.as_str());
    let deed = if word(1) == "just" || word(1) == "have" { 2 } else { 1 };
    let since = |three: &[Word]| {
        three[0].ends_clause
            && matches!(three[1].text.as_str(), "it" | "it's" | "they" | "they're" | "that")
            && (three[1].text.contains('\'')
                || matches!(
                    three[2].text.as_str(),
                    "is" | "are" | "lives" | "live" | "goes" | "go" | "runs" | "sits"
                ))
    };
    matches!(word(0), "i" | "i've") && CHANGED.contains(&word(deed)) && body.windows(3).any(since)
}

/// "I halved the berths to 20", "I pinned the lamp at 40 watts": what somebody set, and to what.
pub(super) fn is_setting_of_ones_own(body: &[Word]) -> bool {
    const SET: &str = "set raised lowered halved doubled tripled cut capped pinned bumped limited increased \
                       decreased reduced shortened extended lengthened put";
    let word = |at: usize| body.get(at).map_or("", |word: &Word| word.text.as_str());
    let sets = |at: usize| SET.split(' ').any(|verb| verb == word(at));
    let deed = if matches!(word(1), "just" | "have" | "also") { 2 } else { 1 };
    let value = body.windows(2).any(|pair| {
        matches!(pair[0].text.as_str(), "to" | "at" | "below" | "by" | "from")
            && pair[1].text.starts_with(|c: char| c.is_ascii_digit())
    });
    matches!(word(0), "i" | "i've" | "we" | "we've") && sets(deed) && value
}

/// "Brass it is", "brass it is for the gates": somebody picks one of what there was.
pub(super) fn is_pick(body: &str) -> bool {
    const NO_CHOICE: &str = "this that so there as and if when then because sure how what who where why but or since \
                             whatever whichever funny weird strange done late time fine ok good";
    let words = words_of(body);
    let said = |at: usize| words.get(at).map_or("", |word: &Word| word.text.as_str());
    let Some(at) = (1..=PICKED).find(|at| said(*at) == "it" && said(at + 1) == "is") else { return false };
    let ends = words[at + 1].ends_clause
        || matches!(said(at + 2), "" | "for" | "as" | "from" | "now" | "then" | "again");
    ends && !words[..at].iter().any(|word| word.ends_clause || NO_CHOICE.split(' ').any(|no| no == word.text))
}

/// What is picked is named in so many words.
const PICKED: usize = 4;

/// "If a lamp gives no light write it down, don't guess": what to do whenever something is so, and what not.
pub(super) fn is_rule_for_a_case(body: &str) -> bool {
    let words = words_of(body);
    let said = |at: usize| words.get(at).map_or("", |word: &Word| word.text.as_str());
    let opens = matches!(said(0), "if" | "when" | "whenever");
    // "If you see it, don't …" and "if this fails …" speak of what is going on.
    let any = matches!(said(1), "a" | "an" | "any" | "no" | "some" | "someone" | "somebody" | "something");
    let forbids = words.windows(2).skip(3).any(|pair| {
        pair[0].ends_clause && matches!(pair[1].text.as_str(), "don't" | "dont" | "never" | "always" | "not")
    });
    opens && any && forbids
}

/// "Letters must not name the sender": what a thing is not allowed, whoever makes it.
pub(super) fn is_ban_on_a_thing(body: &str) -> bool {
    const TALK: &str = "i you we it this that these those they he she there your my";
    let words = words_of(body);
    let banned = words
        .iter()
        .skip(1)
        .take(BANNED)
        .position(|word| matches!(word.text.as_str(), "must" | "may" | "shall" | "mustn't" | "can"));
    let Some(at) = banned.map(|at| at + 1) else { return false };
    let denies = words[at].text == "mustn't"
        || words.get(at + 1).is_some_and(|next| matches!(next.text.as_str(), "not" | "never"));
    denies && words[..at].iter().all(|word| !TALK.split(' ').any(|no| no == word.text))
}

/// So many words name what is banned.
const BANNED: usize = 7;

/// "24 boats per page", "0.8 m/s": so many of something for each of something else, which is seldom of one day.
pub(super) fn is_rate(body: &str) -> bool {
    let words: Vec<String> = body.to_lowercase().split_whitespace().map(str::to_owned).collect();
    let is_number = |word: &String| word.starts_with(|c: char| c.is_ascii_digit());
    let per = |word: &String| {
        let parts: Vec<&str> = word.trim_end_matches(['.', ',']).split('/').collect();
        let is_unit = |part: &&str| (1..=6).contains(&part.len()) && part.chars().all(char::is_alphabetic);
        word == "per" || word != "and/or" && parts.len() == 2 && parts.iter().all(is_unit)
    };
    words.iter().enumerate().any(|(at, word)| is_number(word) && words.iter().skip(at + 1).take(3).any(per))
}

/// "Colour of the east pier: red": what is so of something that is named, and nothing else.
pub(super) fn is_labelled_value(body: &str) -> bool {
    const OF: [&str; 10] = ["of", "for", "in", "on", "per", "für", "von", "de", "do", "da"];
    const REPORTS: [&str; 9] =
        ["error", "warning", "note", "todo", "fixme", "output", "result", "step", "status"];
    let Some((label, value)) = body.trim_end_matches(['.', '!']).split_once(": ") else { return false };
    let words: Vec<String> = label.split_whitespace().map(str::to_lowercase).collect();
    let names =
        words.iter().skip(1).take(words.len().saturating_sub(2)).any(|word| OF.contains(&word.as_str()));
    (3..=8).contains(&words.len())
        && names
        && !REPORTS.contains(&words[0].as_str())
        && (1..=4).contains(&value.split_whitespace().count())
        && !value.contains([':', '?', '=', '('])
}

/// "Wer die Lampen putzt, ist Ada": a sentence that begins with who or what and tells it.
pub(super) fn is_cleft(sentence: &str) -> bool {
    const IS: [&str; 8] = ["é", "es", "est", "è", "ist", "is", "são", "sind"];
    let words: Vec<&str> = sentence.trim_end_matches(['.', '!', ' ']).split_whitespace().collect();
    let Some(at) = words.iter().rposition(|word| IS.contains(&word.to_lowercase().as_str())) else {
        return false;
    };
    let behind = &words[at + 1..];
    let names = |word: &&str| word.starts_with(char::is_uppercase);
    if is_english_cleft(&words) && !sentence.contains('?') {
        return true;
    }
    !sentence.contains('?') && at >= 3 && (1..=3).contains(&behind.len()) && behind.last().is_some_and(names)
}

/// "What I'd like on the pier is lamps of brass", "how guests pay is settled": told, and no question, since whoever it is
/// about stands before the verb.
fn is_english_cleft(words: &[&str]) -> bool {
    const WHO: [&str; 13] =
        ["i", "i'd", "we", "we'd", "you", "they", "people", "everybody", "the", "our", "my", "a", "an"];
    const ASKS: [&str; 14] = [
        "is", "are", "do", "does", "did", "was", "were", "can", "could", "should", "would", "will", "has",
        "have",
    ];
    let word = |at: usize| words.get(at).map_or(String::new(), |word| word.to_lowercase().replace('’', "'"));
    let opens = matches!(word(0).as_str(), "what" | "how" | "where" | "who");
    let told = WHO.contains(&word(1).as_str()) || word(1).ends_with('s') && !ASKS.contains(&word(1).as_str());
    // "What I want to know is whether …" asks all the same.
    let wants_to_know = words.iter().any(|word| matches!(*word, "know" | "wonder" | "whether" | "why"));
    let is = (3..words.len().saturating_sub(1)).any(|at| matches!(word(at).as_str(), "is" | "are"));
    opens && told && is && !ASKS.contains(&word(2).as_str()) && !wants_to_know
}

/// "Don't oil the lock twice, it jams": an order with what comes of the deed.
pub(super) fn is_reasoned(body: &str) -> bool {
    let mut clauses = body.split([',', ';', '–', '—']).map(str::trim);
    let deed = clauses.next().unwrap_or_default();
    let comes = |clause: &str| {
        let mut words = clause.split_whitespace().map(str::to_lowercase);
        let points =
            words.next().is_some_and(|word| matches!(word.as_str(), "it" | "that" | "this" | "they"));
        // "It breaks", not "it is late" and not "it took hours".
        let happens = words.next().is_some_and(|word| {
            word.len() > 3
                && word.ends_with('s')
                && !matches!(word.as_str(), "does" | "takes" | "looks" | "seems")
                || matches!(word.as_str(), "will" | "would" | "can")
        });
        points && happens
    };
    deed.split_whitespace().count() > 3 && (clauses.any(comes) || has_exception(deed))
}

/// "No barge leaves unless the keeper says so": who names the exception speaks of all the rest.
fn has_exception(deed: &str) -> bool {
    const EXCEPT: [&str; 10] = [
        " unless ",
        " except ",
        " without asking",
        " without my ",
        " without our ",
        " außer ",
        " es sei denn",
        " sauf ",
        " salvo ",
        " a menos que ",
    ];
    let lower = format!("{} ", deed.to_lowercase());
    EXCEPT.iter().any(|words| lower.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pick_a_setting_and_a_ban_are_told_by_their_form() {
        for pick in ["Brass it is.", "brass it is for the gates", "the old pier it is, then"] {
            assert!(is_pick(pick), "{pick}");
        }
        for none in ["So it is.", "What is it?", "that is how it is", "as bad as it is", "it is brass"] {
            assert!(!is_pick(none), "{none}");
        }
        assert!(is_setting_of_ones_own(&words_of("I halved the berths to 20, the pier is short")));
        assert!(!is_setting_of_ones_own(&words_of("I walked to the pier at noon")));
        assert!(is_ban_on_a_thing("Names of guests must not turn up on the board"));
        assert!(!is_ban_on_a_thing("you must not turn up here"));
        assert!(!is_ban_on_a_thing("Names of guests must be on the board"));
        assert!(is_rule_for_a_case("if a gauge gives nothing write a dash, dont make up a tide"));
        assert!(!is_rule_for_a_case("if you see it, don't touch it"));
    }
    use crate::ruling::words::words_of;

    #[test]
    fn a_verb_is_told_by_its_place() {
        let check = |text: &str, expected: bool| {
            let texts: Vec<String> = words_of(text).into_iter().map(|word| word.text).collect();
            assert_eq!(has_verb_by_place(&texts), expected, "{text}");
        };
        check("The lamp dims at nine", true);
        check("the tide gauge samples at 100 Hz", true);
        check("The kiosk reboots at 4am", true);
        check("Letters leave through the gate", true);
        check("the broken lamps on the pier", false);
        check("the list of lamps on quay 4", false);
        check("Letters quickly through the gate", false);
    }

    #[test]
    fn what_opens_as_an_order_may_name_things() {
        let check = |text: &str, expected| assert_eq!(opens_with_a_name(&words_of(text)), expected, "{text}");
        check("Debug builds log over the wire", true);
        check("Exit codes of the crane start at 64", true);
        check("test lamps on the pier", false);
        check("push messages to the relay", false);
        check("Move crates back into the shed", false);
    }

    #[test]
    fn a_label_with_its_value_states_something() {
        let check = |text: &str, expected| assert_eq!(is_labelled(text), expected, "{text}");
        check("Berths at the north pier: 12", true);
        check("night bell: never on Sundays", true);
        check("keeper of the lamp: Ada", true);
        check("push boats: not more than 3 a day", true);
        check("todo list: paint 3 boats", false);
        check("the bell is: 12", false);
        check("bell tower: is it 12 or 13?", false);
        check("2025-09-02 04:11: 3 boats", false);
    }

    #[test]
    fn what_comes_of_a_deed_is_no_report() {
        let check = |text: &str, expected| assert_eq!(is_consequence(&words_of(text)), expected, "{text}");
        check("ringing the bell while the lamp is on crashes the relay", true);
        check("running the tide table twice takes an hour", true);
        check("looking at the lamp now", false);
        check("Testing the gate, it works", false);
        check("string fields take 20 bytes", false);
    }

    #[test]
    fn who_changed_something_says_how_it_is_since() {
        let check =
            |text: &str, expected| assert_eq!(is_change_of_ones_own(&words_of(text)), expected, "{text}");
        check("I renamed the quay, it is called Pier 4 instead", true);
        check("I've moved the charts, they live in the shed", true);
        check("I moved the charts", false);
        check("I painted the quay, it is wet", false);
    }

    #[test]
    fn rates_and_orders_with_what_comes_of_the_deed_are_told() {
        let check = |body: &str, rate: bool, reasoned: bool| {
            assert_eq!((is_rate(body), is_reasoned(body)), (rate, reasoned), "{body}");
        };
        check("The register shows 24 boats per page.", true, false);
        check("the crane may turn at up to 0.8 m/s", true, false);
        check("Don't oil the old lock twice, it jams the gate.", false, true);
        check("Don't oil the old lock today, it is late.", false, false);
        check("The register shows 24 boats.", false, false);
        check("look at 3 and/or 4", false, false);
    }

    #[test]
    fn a_label_or_a_turned_sentence_tells_what_is_so() {
        for (said, labelled) in [
            ("Colour of the east pier: red.", true),
            ("Farbe für den Ostpier: rot", true),
            ("Error in the pier file: torn", false),
            ("colours: red", false),
            ("Look at the names of these: red?", false),
        ] {
            assert_eq!(is_labelled_value(said), labelled, "{said}");
        }
        assert!(is_cleft("Wer die Lampen putzt, ist Ada."));
        assert!(is_cleft("quem limpa as lanternas do cais é a Ada"));
        assert!(!is_cleft("quem limpa as lanternas do cais é a Ada?") && !is_cleft("what is Ada"));
        assert!(!is_cleft("who knows where the lamp is"));
    }
}
