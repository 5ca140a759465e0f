//! What a sentence of a person does: lay something down, ask, order a piece of work, report, thank.
//!
//! Told by the grammar of the sentence (its speech act), never by its subject: an order that holds
//! for all cases is a rule, one for this button is a task; "the limit is 8 MB" is a statement, "it
//! works now" a report.

use super::aside::{corrects_by_name, only_here};
use super::cues::{self, SpeechCue};
use super::form::is_way_of_a_sort;
use super::grammar::{
    FILLERS, asks_in_the_end, contrasts, goes_with, has_plain_verb, is_everlasting, is_inverted, is_order,
    is_practice, proposal,
};
use super::heard::{Heard, Mood};
use super::language::Language;
use super::place::{
    has_verb_by_place, is_change_of_ones_own, is_cleft, is_consequence, is_labelled, is_setting_of_ones_own,
    opens_with_a_name,
};
use super::under_way::{is_everyday_verb, is_ongoing_habit, tells_a_change};
use super::values::is_numbered_for;
use super::words::{WORK, Word, opening, words_of};
use super::written::hear_written;
use crate::extract::flaws::{is_plain_verb, third_person};
use crate::extract::terms::is_common;

/// Takes a sentence apart.
pub(super) fn hear(sentence: &str, language: Language) -> Heard {
    if language == Language::Japanese {
        return hear_written(sentence);
    }
    let words = words_of(sentence);
    let opened = opening(language, &words);
    let body = &words[opened..];
    // "I really don't want …" wants no less.
    let stressed = |at: usize| {
        at == 1
            && matches!(body[0].text.as_str(), "i" | "we")
            && matches!(body[1].text.as_str(), "really" | "honestly" | "definitely" | "simply" | "absolutely")
    };
    let said = body.iter().enumerate().filter(|(at, _)| !stressed(*at));
    let texts: Vec<String> = said.map(|(_, word)| word.text.clone()).collect();
    let all: Vec<String> = words.iter().map(|word| word.text.clone()).collect();
    let mut signs: Vec<SpeechCue> =
        ANYWHERE.iter().copied().filter(|sign| cues::find(language, *sign, &texts).is_some()).collect();
    // "Ok so the decision is: …" announces behind its first words, too.
    let opens = |sign: &SpeechCue| (0..=opened).any(|at| cues::find(language, *sign, &all[at..]).is_some());
    signs.extend([SpeechCue::Correcting, SpeechCue::Informing, SpeechCue::Lasting].into_iter().filter(opens));
    // "Boats from today to Sunday": a span of days.
    let span = |three: &[String]| {
        three[0] == "from" && three[1] == "today" && matches!(three[2].as_str(), "to" | "until" | "till")
    };
    if texts.windows(3).any(span) {
        signs.retain(|sign| !matches!(sign, SpeechCue::Lasting | SpeechCue::Standing));
    }
    if corrects_by_name(body) {
        signs.retain(|sign| *sign != SpeechCue::Leaning);
        signs.push(SpeechCue::Correcting);
    }
    // "You keep writing X, here it is called Y".
    let complains = matches!(texts.as_slice(), [you, keep, ..] if you == "you" && matches!(keep.as_str(), "keep" | "always"));
    if complains && body.iter().rev().skip(2).any(|word| word.ends_clause) {
        signs.push(SpeechCue::Correcting);
    }
    if texts.iter().take(5).any(|word| matches!(word.as_str(), "agreed" | "decided")) {
        signs.retain(|sign| *sign != SpeechCue::Leaning);
    }
    if signs.contains(&SpeechCue::Once) && only_here(language, body) {
        signs.retain(|sign| *sign != SpeechCue::Once);
    }
    let telling = texts.iter().filter(|word| !is_common(word)).count();
    let at = words.get(opened).map_or(sentence.len(), |word| word.at);
    // What is in code marks keeps them, and `/tides`, `@pier` and `--dry` are called so.
    let at = sentence[..at].trim_end_matches(['`', '/', '@', '$', '~', '_', '-']).len();
    let mut heard = Heard {
        mood: Mood::Fragment,
        body: sentence[at..].trim().to_owned(),
        signs,
        contrasts: contrasts(&texts),
        everlasting: is_everlasting(language, &texts),
        under_way: language == Language::English && (tells_a_change(&texts) || is_ongoing_habit(&texts)),
        english: language == Language::English,
        to_be_kept: false,
        telling,
    };
    heard.mood = mood(sentence, language, &all, body, &texts, &heard);
    heard
}

/// Signs that count wherever they stand.
pub(super) const ANYWHERE: [SpeechCue; 14] = [
    SpeechCue::Firm,
    SpeechCue::Universal,
    SpeechCue::Standing,
    SpeechCue::Obliging,
    SpeechCue::Ours,
    SpeechCue::Once,
    SpeechCue::Doubting,
    SpeechCue::Reporting,
    SpeechCue::Reason,
    SpeechCue::Leaning,
    SpeechCue::Past,
    SpeechCue::When,
    SpeechCue::Limit,
    SpeechCue::Verb,
];

fn mood(
    sentence: &str,
    language: Language,
    all: &[String],
    body: &[Word],
    texts: &[String],
    heard: &Heard,
) -> Mood {
    let begins = |sign| cues::find(language, sign, texts).is_some_and(|(at, _)| at == 0);
    if texts.is_empty() || courteous(language, all, texts, heard) {
        return Mood::Courtesy;
    }
    if sentence.trim_end_matches(['"', ')', '*', '”', ' ', '!']).ends_with(['?', '？'])
        || language == Language::English && asks_in_the_end(sentence, body)
    {
        return Mood::Question;
    }
    // "I was wondering whether …" asks, and lays nothing down.
    let wonders =
        texts.iter().take(4).any(|word| matches!(word.as_str(), "wonder" | "wondering" | "wondered"));
    if wonders || begins(SpeechCue::Asking) && !is_cleft(sentence) {
        return Mood::Question;
    }
    if is_numbered_for(sentence) {
        return Mood::Fragment;
    }
    let asks_somebody = texts[0] == "ask" && texts.iter().any(|word| word == "whether");
    // "Bitte schreib immer …" asks for it every time.
    let always = language != Language::English && heard.has(SpeechCue::Universal);
    if begins(SpeechCue::Requesting) || asks_somebody {
        return if always { Mood::Order } else { Mood::Task };
    }
    let asks_you = |pair: &[Word]| {
        pair[0].ends_clause
            && matches!(pair[1].text.as_str(), "will" | "can" | "could" | "would" | "do" | "should")
    };
    let turns_to_you = body.windows(3).any(|three| asks_you(&three[..2]) && three[2].text == "you");
    // "… or was that only for ferries": the other half of a question.
    // "CAN ids below 0x100 are reserved": a name in capitals is none of the verbs that ask.
    let name = sentence.split_whitespace().next().unwrap_or_default();
    let is_name = name.chars().count() > 1 && name.chars().all(char::is_uppercase);
    let or_else = texts[0] == "or" && is_inverted(&texts[1..]);
    if language == Language::English && (or_else || is_inverted(texts) && !is_name || turns_to_you) {
        return Mood::Question;
    }
    let first = texts[0].as_str();
    // "No boats found." is what somebody saw.
    let saw = texts
        .iter()
        .skip(1)
        .any(|word| matches!(word.as_str(), "found" | "provided" | "given" | "detected" | "available"));
    // A Spanish "no" is "not".
    let nothing = language == Language::English && matches!(first, "no" | "zero") && texts.len() > 1 && !saw;
    // "Don't forget the lamp" is something to do.
    let reminds = texts.iter().take(3).any(|word| word == "forget") && !heard.has(SpeechCue::Universal);
    // "Stop the pumps" is done once, "stop oiling the locks" every day.
    let ends = matches!(first, "stop" | "quit")
        && texts.len() < 5
        && texts.get(1).is_some_and(|next| matches!(next.as_str(), "the" | "it" | "this" | "that" | "all"));
    // "Stop painting and tell me why it is red": what to do now.
    let turns = matches!(first, "stop" | "quit")
        && texts
            .windows(2)
            .any(|pair| pair[0] == "and" && (WORK.contains(&pair[1].as_str()) || is_plain_verb(&pair[1])));
    // "Stop, the lamps are new": a call.
    let calls = matches!(first, "stop" | "wait") && body[0].ends_clause;
    if reminds || ends || turns || calls {
        return Mood::Task;
    }
    // "No longer leaking, great": what somebody sees.
    if matches!(texts, [no, longer, verb, ..] if no == "no" && longer == "longer" && verb.ends_with("ing")) {
        return Mood::Report;
    }
    if begins(SpeechCue::Forbidding) || nothing {
        return Mood::Prohibition;
    }
    if let Some(proposed) = proposal(language, body, texts) {
        let verb = proposed.iter().find(|word| !FILLERS.contains(&word.as_str()));
        let works = verb.is_some_and(|verb| WORK.contains(&verb.as_str()) && !goes_with(proposed));
        // "Let's take brass rather than iron", "… with brass, not with iron" chooses, whatever the verb.
        let takes = verb.is_some_and(|verb| matches!(verb.as_str(), "take" | "use" | "go"));
        let chooses = texts.iter().any(|word| {
            matches!(word.as_str(), "rather" | "instead" | "over" | "not") || takes && word == "for"
        });
        // "Let's try 10 lamps instead of 20" is for once, whatever comes of it.
        let tries = verb.is_some_and(|verb| verb == "try");
        // "Let's think of a lamp for whenever a boat comes".
        let thinks =
            verb.is_some_and(|verb| matches!(verb.as_str(), "think" | "discuss" | "brainstorm" | "figure"));
        return match thinks || works && (tries || !chooses) && !heard.has(SpeechCue::Lasting) {
            true => Mood::Task,
            false => Mood::Resolve,
        };
    }
    // "Look up the page which says that …" sends somebody to look, whatever the page says.
    let looks = matches!(first, "look" | "find" | "check" | "tell" | "explain" | "see")
        && texts.get(1).is_some_and(|next| {
            matches!(
                next.as_str(),
                "up" | "at"
                    | "into"
                    | "for"
                    | "out"
                    | "me"
                    | "whether"
                    | "if"
                    | "the"
                    | "all"
                    | "which"
                    | "again"
            )
        });
    // "Row over and report on the nets": who is to tell what was found has an errand, whatever the verb.
    let reports_back = language == Language::English
        && texts.windows(3).any(|three| match three[1].as_str() {
            "report" => matches!(three[2].as_str(), "back" | "on" | "what" | "the" | "how"),
            "tell" | "show" | "give" | "let" => three[2] == "me",
            _ => false,
        } && three[0] == "and");
    if (looks || reports_back) && !heard.has(SpeechCue::Lasting) {
        return Mood::Task;
    }
    if is_way_of_a_sort(sentence) {
        return Mood::Order;
    }
    if language == Language::English && is_labelled(sentence) {
        return Mood::Statement;
    }
    // A sentence that begins with code is about the code.
    let quoted = body.first().is_some_and(|word| sentence[..word.at].ends_with('`'));
    if language == Language::English && !quoted && is_order(body) && !opens_with_a_name(body) {
        let verb = texts
            .iter()
            .find(|word| !matches!(word.as_str(), "always" | "only"))
            .map_or(first, String::as_str);
        // "Rename it everywhere" is done once.
        let once = matches!(verb, "rename" | "replace" | "move" | "convert" | "delete" | "remove" | "update")
            && first != "always";
        if once && !heard.has(SpeechCue::Lasting) {
            return Mood::Task;
        }
        return if WORK.contains(&verb)
            && first != "always"
            && (verb == "think" || !heard.has(SpeechCue::Lasting))
        {
            Mood::Task
        } else {
            Mood::Order
        };
    }
    if begins(SpeechCue::Wanting) {
        return Mood::Wish;
    }
    if heard.under_way {
        return Mood::Practice;
    }
    let oneself = matches!(first, "i" | "i'm" | "i've" | "ive" | "i'll" | "ich" | "je" | "eu" | "yo")
        || first == "im" && language == Language::English;
    if oneself {
        // "I took it out again, we fetch it each time": what was done, and what is done now.
        let ours = heard.has(SpeechCue::Ours) && is_practice(language, texts);
        return match () {
            () if ours => Mood::Practice,
            () if is_change_of_ones_own(body) || is_setting_of_ones_own(body) => Mood::Statement,
            () => Mood::Report,
        };
    }
    // "Errors get wrapped" is about errors, and so are "error messages" and "crash reports".
    let of_errors = matches!(first, "error" | "errors") && heard.has(SpeechCue::Ours)
        || texts.windows(2).any(|pair| {
            matches!(
                pair[0].as_str(),
                "error" | "errors" | "crash" | "failed" | "failing" | "missing" | "empty"
            ) && ERROR_THINGS.contains(&pair[1].as_str())
        });
    // "We track our errors in the ledger" is what we do.
    let ours = first == "we"
        && texts.get(1).is_some_and(|verb| {
            !matches!(verb.as_str(), "have" | "get" | "got" | "see" | "had" | "are" | "still")
        });
    let reports = heard.has(SpeechCue::Reporting)
        && !is_consequence(body)
        && !is_warning(heard, texts)
        && !ours
        && !of_errors
        && !heard.has(SpeechCue::Obliging)
        && !heard.has(SpeechCue::Universal);
    if reports && !heard.has(SpeechCue::Reason) && !heard.contrasts {
        return Mood::Report;
    }
    if heard.has(SpeechCue::Ours) && heard.has(SpeechCue::Verb) || is_practice(language, texts) {
        return Mood::Practice;
    }
    if heard.has(SpeechCue::Obliging) {
        return Mood::Duty;
    }
    let states = |word: &String| {
        third_person(word)
            || is_everyday_verb(word)
            || word.ends_with('s') && is_plain_verb(word.trim_end_matches('s'))
    };
    if heard.has(SpeechCue::Verb)
        || texts.iter().skip(1).any(states)
        || has_plain_verb(texts)
        || opens_with_a_name(body)
    {
        return Mood::Statement;
    }
    // "We're on the yearly plan": how those who work on it stand.
    let stands = first == "we're" && texts.len() > 4 && matches!(texts[1].as_str(), "on" | "with" | "under");
    if language == Language::English && (stands || has_verb_by_place(texts)) {
        return Mood::Statement;
    }
    // Of other languages we know few verbs; what is whole and asks for nothing states something.
    if language != Language::English && texts.len() > 3 && !heard.has(SpeechCue::Reporting) {
        return Mood::Statement;
    }
    Mood::Fragment
}

/// "Careful: the crane stops if the tide is out": what happens whenever something is so, announced as such.
pub(super) fn is_warning(heard: &Heard, texts: &[String]) -> bool {
    const WHENEVER: [&str; 12] =
        ["if", "when", "whenever", "unless", "wenn", "falls", "sobald", "si", "cuando", "quand", "se", "als"];
    heard.has(SpeechCue::Informing) && texts.iter().any(|word| WHENEVER.contains(&word.as_str()))
}

/// What is called after an error and is none.
const ERROR_THINGS: [&str; 28] = [
    "message",
    "messages",
    "report",
    "reports",
    "code",
    "codes",
    "page",
    "pages",
    "log",
    "logs",
    "handling",
    "tracking",
    "rate",
    "rates",
    "budget",
    "boundary",
    "boundaries",
    "response",
    "responses",
    "jobs",
    "values",
    "fields",
    "texts",
    "text",
    "dumps",
    "dump",
    "handler",
    "handlers",
];

/// Tells whether a sentence only thanks, greets or agrees.
fn courteous(language: Language, all: &[String], texts: &[String], heard: &Heard) -> bool {
    let thanks =
        |words: &[String]| cues::find(language, SpeechCue::Thanking, words).is_some_and(|(at, _)| at == 0);
    let short = all.len() <= 6 && !heard.has(SpeechCue::Universal) && !heard.has(SpeechCue::Obliging);
    short && (thanks(all) || thanks(texts))
        || texts.iter().all(|word| is_common(word) && word.len() < 6) && texts.len() < 3 && heard.telling == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(sentence: &str, expected: Mood) {
        let heard = hear(sentence, Language::of(sentence));
        assert_eq!(heard.mood, expected, "{sentence}: {heard:?}");
    }

    #[test]
    fn a_name_keeps_the_marks_it_begins_with() {
        let body = |text: &str| hear(text, Language::English).body;
        assert_eq!(body("/tides needs no key"), "/tides needs no key");
        assert_eq!(body("btw @pier/ropes is pinned"), "@pier/ropes is pinned");
        assert_eq!(body("- gates are shut at night"), "gates are shut at night");
    }

    #[test]
    fn what_asks_without_a_mark_at_its_end() {
        check("If the gate is shut doesn't that mean we can use the bridge", Mood::Question);
        check("the keeper is then responsible for the keys right", Mood::Question);
        check("Q: are there keys that can be thrown away?a.", Mood::Question);
        check("Whether they fit the rules and we should keep them", Mood::Question);
        check("the label \"who goes there?\" is painted in red", Mood::Statement);
        check("we don't take cash and they know", Mood::Practice);
        check("`make bread` burns the crust as well, use `make rolls`", Mood::Statement);
        check("errors in our ledger get marked in red", Mood::Practice);
    }

    #[test]
    fn what_is_called_out_tried_or_seen_lays_nothing_down() {
        check("Stop painting and explain the colours to the crew", Mood::Task);
        check("Stop, the keeper has a new lamp - see his letter", Mood::Task);
        check("let's try 10 knots instead of 12 for the small boats", Mood::Task);
        check("No longer leaking, great!", Mood::Report);
        let span = hear("list the boats from today to Sunday", Language::English);
        assert!(!span.has(SpeechCue::Lasting), "{span:?}");
        assert!(hear("the gate is shut at ten from today", Language::English).has(SpeechCue::Lasting));
    }

    #[test]
    fn what_lays_something_down() {
        check("never water the cactus on sundays", Mood::Prohibition);
        check("no candles in the reading room", Mood::Prohibition);
        check("don't lend maps to tourists", Mood::Prohibition);
        check("ok, always use the green folder for invoices", Mood::Order);
        check("no, use the brass key. not the steel one", Mood::Order);
        check("let's keep the harbour office closed in winter", Mood::Resolve);
        check("the east gate never worked, so let's close it for good", Mood::Resolve);
        check("I prefer short letters", Mood::Wish);
        check("we ship on Mondays only", Mood::Practice);
        check("btw we moved from paper tickets to cards last week", Mood::Practice);
        check("The ferry must not leave after ten", Mood::Duty);
        check("The archive holds 900 boxes", Mood::Statement);
        check("Save points carry a number and old ones have to load", Mood::Duty);
        check("Die Belege sind immer dreistellig.", Mood::Statement);
        check("Bitte niemals auf den Rasen treten.", Mood::Prohibition);
        check("名前は必ず漢字で書いてください。", Mood::Duty);
        check("the pilot speaks to the keeper over a horn", Mood::Statement);
        check("Push carts go through the east gate", Mood::Statement);
        check("Error messages for guests are painted in red", Mood::Statement);
        check("the ferry is deployed on Fridays", Mood::Statement);
        check("switched the lamps over to oil yesterday", Mood::Practice);
        check("I'm raising the fee for the locks, 3 crowns will do", Mood::Practice);
        check("we're using brass for the gates", Mood::Practice);
        check("La tassa per i pontili è 12 corone.", Mood::Statement);
        check("de sleutels staan altijd in de hal", Mood::Statement);
    }

    #[test]
    fn what_passes() {
        check("thanks, looks great!", Mood::Courtesy);
        check("ok", Mood::Courtesy);
        check("why is the door so slow today", Mood::Question);
        check("whats taking the door so long at night", Mood::Question);
        check("do we always have to knock here?", Mood::Question);
        check("should the bell ring twice or will that wake the guests", Mood::Question);
        check("is the gate shut by now", Mood::Question);
        check("can you paint the door", Mood::Task);
        check("please write a letter to the museum", Mood::Task);
        check("go through every drawer in the hall and tell me what is missing", Mood::Task);
        check("we need a script that counts all tickets", Mood::Task);
        check("row into the lagoon and report on the nets", Mood::Task);
        check("paddle over and tell me how deep it is", Mood::Task);
        check("let's move on to the garden", Mood::Task);
        check("rename the gull everywhere in the ledger", Mood::Task);
        check("make the boats go through the east gate", Mood::Order);
        check("the ferry is deployed", Mood::Report);
        check("I merged it", Mood::Report);
        check("I took the lamp out again, we light the hall by day", Mood::Practice);
        check("still broken, same message as before", Mood::Report);
        check("ledgers", Mood::Fragment);
        check("schreib mir bitte einen Brief", Mood::Task);
        check("このテストを直してください", Mood::Task);
    }
}
