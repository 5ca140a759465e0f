//! Whether a prompt wants something changed: told by the grammar of its sentences, as rulings are.
//!
//! Questions, reports, thanks and orders that only look or tell want nothing changed. Whoever then changes something
//! all the same is noticed by that, so a wish that is not heard here is not lost.

use super::cues::SpeechCue;
use super::heard::{Heard, Mood};
use super::quoted::own_words;
use super::under_way::is_everyday_verb;
use super::words::words_of;
use super::{Language, Message};
use crate::extract::flaws::is_plain_verb;
use crate::extract::terms::is_common;

/// What is wanted stands at the beginning or the end of a prompt; what is longer was pasted, and a hook has no time.
const LONGEST: usize = 2_000;

/// Verbs whose order changes nothing in a project: looking, telling, trying out, waiting.
const LOOKS: &str = "analyse|analyze|answer|ask|assess|audit|be|benchmark|brainstorm|check|clarify|commit|compare|confirm|consider|continue|count|debug|describe|diagnose|discuss|elaborate|estimate|evaluate|examine|explain|explore|fetch|figure|find|get|give|go|guess|have|hear|help|hold|imagine|inspect|investigate|keep|know|learn|let|list|look|measure|note|open|outline|pause|ping|print|proceed|profile|propose|pull|read|recap|remember|repeat|reply|report|rerun|research|respond|review|run|scan|search|see|show|start|stop|suggest|summarise|summarize|talk|tell|test|thank|think|time|trace|try|understand|validate|verify|view|wait|walk|watch|\
    bedeuten|bleib|check|denk|entender|erklär|erkläre|erklären|explica|explícame|explique|frag|gib|guck|hör|lass|lies|mira|montre|montre-moi|mostra|muestra|muéstrame|nenn|olha|prüf|prüfe|prüfen|rat|regarde|revisa|saber|sag|savoir|schau|sehen|starte|such|suche|teste|testen|ver|vergleich|vergleiche|verifica|verstehen|voir|vérifie|warte|wart|wissen|zeig|zeige|öffne";
/// What is wanted of whoever only tells.
const TOLD: &str = "answer|comparison|diagram|estimate|explanation|idea|list|look|opinion|overview|review|second|status|summary|word|überblick|übersicht|liste|zusammenfassung|erklärung";
/// What stands before a request, and is none by itself.
const POLITE: &str = "also|and|auch|bitte|can|could|dann|just|kindly|kannst|könntest|now|need|please|pls|should|so|then|to|will|would|you|du|mal|jetzt|ok|okay";
/// Words for what was said before: "it should work" says how somebody takes it to be.
const POINTS_BACK: &str = "all|das|der|dies|die|es|everything|he|i|ich|it|man|one|she|sie|that|there|these|they|this|those|which|you|du";
/// Words that say what ought to be.
const OUGHT: &str = "should|shall|must|needs|need|has|have|soll|sollen|sollte|sollten|muss|müssen|debe|deben|doit|doivent|deve|devem|precisa|precisam";
/// Words before a thing: a verb in front of them is an order where nothing else says what is done.
const BEFORE_THINGS: &str = "a|all|an|any|each|every|it|its|my|our|that|the|their|them|these|this|those|both";
/// The same for German, with what an order is softened by.
const VOR_DINGEN: &str = "alle|alles|bitte|das|dem|den|der|die|diese|diesen|dieses|ein|eine|einen|es|ihn|im|mal|mir|sie|uns|unsere|unseren|wieder|jetzt|überall";
/// What is torn off a German verb and ends its sentence: "stell die Uhr um".
const TORN_OFF: &str =
    "ab|an|auf|aus|durch|ein|fest|frei|her|hin|hinzu|raus|rein|um|vor|weg|wieder|zu|zurück|zusammen";

/// Tells whether a prompt asks for a change in plain words.
pub fn wants_change(prompt: &str) -> bool {
    let cut: String = prompt.chars().take(LONGEST).collect();
    let own = own_words(&cut);
    let language = Language::of(&own);
    let message = Message::hear(&own, false, false);
    message.heard.iter().flatten().any(|heard| wants(heard, language))
}

fn wants(heard: &Heard, language: Language) -> bool {
    let words: Vec<String> = words_of(&heard.body).into_iter().map(|word| word.text).collect();
    let words = &words[words.iter().take_while(|word| is(word, POLITE)).count()..];
    let [first, rest @ ..] = words else { return false };
    let wished = wished(words);
    match heard.mood {
        Mood::Courtesy | Mood::Question | Mood::Report | Mood::Prohibition => false,
        _ if wished.is_some() => wished == Some(true),
        _ if heard.has(SpeechCue::Doubting) => false,
        Mood::Task | Mood::Order => !is(first, LOOKS) && !rest.is_empty(),
        Mood::Resolve => !rest.iter().take(3).any(|word| is(word, LOOKS)),
        // What is said to be likely is no wish.
        Mood::Duty => !heard.has(SpeechCue::Leaning) && ought(words),
        Mood::Fragment | Mood::Statement if language == Language::German => is_german_order(words),
        Mood::Fragment => language == Language::English && is_bare_order(words),
        Mood::Wish | Mood::Practice | Mood::Statement => false,
    }
}

/// Tells what a wish in the first person is for: something else than there is, or only to know.
fn wished(words: &[String]) -> Option<bool> {
    let texts: Vec<&str> = words.iter().map(String::as_str).collect();
    let rest = match texts.as_slice() {
        ["i" | "we", "want" | "need", rest @ ..]
        | ["i'd" | "id" | "we'd", "like", rest @ ..]
        | ["i" | "we", "would", "like", rest @ ..]
        | ["ich" | "wir", "will" | "wollen" | "möchte" | "möchten" | "brauche" | "brauchen", rest @ ..]
        | ["ich" | "wir", "hätte" | "hätten", "gern" | "gerne", rest @ ..]
        | ["je", "veux" | "voudrais", rest @ ..]
        | ["j'aimerais" | "quiero" | "queremos" | "quero", rest @ ..] => rest,
        _ => return None,
    };
    let told = rest.iter().take(5).any(|word| is(word, TOLD) || is(word, LOOKS));
    // In German what is to be done stands last.
    let done = rest.last().is_some_and(|word| is(word, LOOKS));
    Some(!rest.is_empty() && !told && !done)
}

/// "The button should be green", "we should store prices as integers"; not "it should work", "we should be fine".
fn ought(words: &[String]) -> bool {
    let Some(at) = words.iter().position(|word| is(word, OUGHT)) else { return false };
    let [first, ..] = words else { return false };
    let done = words[at + 1..].iter().find(|word| word.as_str() != "to");
    match first.as_str() {
        "we" | "wir" => at == 1 && done.is_some_and(|done| is_plain_verb(done) && !is(done, LOOKS)),
        _ => at > 0 && !is_pronoun(words) && done.is_some(),
    }
}

/// "It", "that" and "they" alone point back; "that button" and "die Knöpfe" name something.
fn is_pronoun(words: &[String]) -> bool {
    let [first, second, ..] = words else { return true };
    is(first, POINTS_BACK) && is(second, OUGHT)
}

/// Tells whether a sentence without any other verb begins with one: "kill the dev server", "bring back SQLite".
fn is_bare_order(words: &[String]) -> bool {
    let [first, second, _, ..] = words else { return false };
    let is_verb = !is_common(first) || is_plain_verb(first) || is_everyday_verb(first);
    let takes =
        is(second, BEFORE_THINGS) || is_everyday_verb(first) && !is_common(second) || second == "back";
    is_verb && takes && !is(first, LOOKS)
}

/// Tells whether a German sentence begins with what is to be done: a thing follows it, or the torn-off end of the verb
/// closes the sentence. "Läuft das" asks: so ends what somebody does, not what somebody shall do.
fn is_german_order(words: &[String]) -> bool {
    let [first, second, .., last] = words else { return false };
    let is_name = is_common(first) || is(first, VOR_DINGEN) || is(first, POINTS_BACK) || is(first, LOOKS);
    let told = first.ends_with('t') || first.ends_with("en");
    !is_name && is(second, VOR_DINGEN) && (is(last, TORN_OFF) || !told)
}

fn is(word: &str, phrases: &str) -> bool {
    phrases.split('|').any(|phrase| phrase == word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_requests_are_told_from_talk() {
        let check = |prompt: &str, expected: bool| assert_eq!(wants_change(prompt), expected, "{prompt}");
        for prompt in [
            "Store the prices as floats in the order models",
            "Prices should be floats",
            "I want SQLite again",
            "Wir wollen wieder SQLite nehmen, stell das um",
            "Stell die Uhr im Hafen auf Sommerzeit um",
            "Mach den Knopf blau",
            "Speichere die Preise als ganze Zahlen",
            "Bitte speichere die Preise als ganze Zahlen",
            "Der Knopf soll grün sein",
            "We want dark mode everywhere",
            "Cache the results for ten minutes",
            "can you sort the berths by length",
            "Hash passwords with argon2",
            "The session limit needs to be 40",
            "That's wrong, the price must be an integer",
            "we should store prices as integers",
            "I need a new endpoint for invoices",
            "Kill the dev server on exit",
            "Bring back SQLite",
            "Turn off caching",
            "Quiero que los precios sean enteros",
        ] {
            check(prompt, true);
        }
        for prompt in [
            "Run the tests",
            "Show me the log",
            "thanks, that looks good",
            "It should work now",
            "that should be fine",
            "I want to understand the parser",
            "I want to know why it fails",
            "I'd like a summary of the changes",
            "I like that",
            "the tests are still failing",
            "Tell me how it works",
            "we should talk about that later",
            "we should be fine",
            "You should look at the log first",
            "go on",
            "ok do it",
            "commit this",
            "good morning",
            "Could you look into this",
            "How should prices be stored",
            "Let me know when you are done",
            "Wait for the build",
            "Ask Bob about it",
            "Time for lunch",
            "Prices are floats now",
            "Push messages go through the relay",
            "in the morning then",
            "Läuft das jetzt",
            "Erklär mir das",
            "Ich möchte verstehen wie das geht",
            "Danke, das war alles",
            "Die Tests laufen wieder",
            "",
        ] {
            check(prompt, false);
        }
    }
}
