//! What nobody decided: a person who puts off what an agent says has not accepted it, and who has a text explained or
//! translated does not say what it says.

use crate::wording::objects;

/// Opens or makes up the sentence of somebody who does not decide yet.
const PUTTING_OFF: [&str; 54] = [
    "let me think",
    "let me sleep on",
    "let me ask",
    "let me check with",
    "let me talk to",
    "let me get back",
    "think about it",
    "think about that",
    "think it over",
    "think it through",
    "need to think",
    "have to think",
    "want to think",
    "have to ask",
    "need to ask",
    "must ask",
    "i'll ask",
    "i will ask",
    "have to check with",
    "need to check with",
    "have to talk",
    "need to talk",
    "have to discuss",
    "need to discuss",
    "i'll discuss",
    "get back to you",
    "i'll decide",
    "decide later",
    "decide tomorrow",
    "decide that later",
    "not decided",
    "haven't decided",
    "can't decide",
    "undecided",
    "not sure about",
    "not sure yet",
    "not convinced",
    "hold off",
    "maybe later",
    "lass mich überlegen",
    "muss überlegen",
    "muss nachdenken",
    "muss darüber nachdenken",
    "denke darüber nach",
    "überlege es mir",
    "muss erst",
    "noch nicht entschieden",
    "laisse-moi réfléchir",
    "dois réfléchir",
    "vais réfléchir",
    "dois demander",
    "déjame pensar",
    "tengo que pensar",
    "tengo que preguntar",
];
/// So much of a message says whether it puts something off.
const OPENING: usize = 160;
/// How an agent proposes something.
const PROPOSING: [&str; 26] = [
    "i suggest",
    "i'd suggest",
    "i would suggest",
    "i propose",
    "i'd propose",
    "i would propose",
    "i recommend",
    "i'd recommend",
    "i would recommend",
    "my suggestion",
    "my proposal",
    "my recommendation",
    "i'd go with",
    "i would go with",
    "i'd use",
    "i would use",
    "we could",
    "we should",
    "you could",
    "you should",
    "how about",
    "what about",
    "let's",
    "ich schlage vor",
    "ich würde",
    "je propose",
];

/// What somebody has done to a text that follows.
const ABOUT_TEXTS: [&str; 36] = [
    "explain",
    "translate",
    "shorten",
    "summarise",
    "summarize",
    "rephrase",
    "reword",
    "rewrite",
    "paraphrase",
    "proofread",
    "interpret",
    "decode",
    "simplify",
    "condense",
    "polish",
    "correct",
    "analyse",
    "analyze",
    "erkläre",
    "erklär",
    "übersetze",
    "übersetz",
    "kürze",
    "formuliere",
    "korrigiere",
    "explique",
    "traduis",
    "traduisez",
    "résume",
    "raccourcis",
    "corrige",
    "explica",
    "traduce",
    "resume",
    "spiega",
    "traduci",
];
/// What is said before such an order.
const BEFORE_ORDERS: [&str; 14] = [
    "please", "can", "could", "would", "you", "bitte", "kannst", "du", "mir", "peux", "tu", "puedes", "hi",
    "hey",
];
/// The text follows behind so many words.
const ORDER: usize = 12;

/// Tells whether a message opens with an order about a text that follows it: "Explain this error: …".
pub(crate) fn orders_about_a_text(message: &str) -> bool {
    let Some((order, _)) = message.split_once(':') else { return false };
    let lower = order.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let is_one = !order.contains(['.', '?', '!', '\n']) && words.len() <= ORDER;
    let verb = words.iter().find(|word| !BEFORE_ORDERS.contains(word));
    is_one && verb.is_some_and(|verb| ABOUT_TEXTS.contains(verb))
}

/// Tells whether a person puts off what was just said to them: "hm, let me think about it".
pub(crate) fn defers(text: &str) -> bool {
    let opening: String = text.chars().take(OPENING).collect::<String>().to_lowercase().replace('’', "'");
    PUTTING_OFF.iter().any(|words| opening.contains(words))
}

/// Tells whether a person refuses what was just said to them.
pub(crate) fn refuses(text: &str) -> bool {
    objects(text)
}

/// Tells whether an agent proposes something, and leaves it to whoever hears it.
pub(crate) fn proposes(sentence: &str) -> bool {
    let lower = sentence.to_lowercase().replace('’', "'");
    PROPOSING.iter().any(|words| lower.contains(words))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_puts_something_off_has_not_accepted_it() {
        for text in [
            "hm let me think about it",
            "I have to ask Ottilie first",
            "I’ll decide that later.",
            "Muss erst die Hafenmeisterin fragen",
        ] {
            assert!(defers(text), "{text}");
        }
        for text in ["yes, do it", "I think the hull is dry", "Fine. Check the ropes.", "Ask at the pier"] {
            assert!(!defers(text), "{text}");
        }
        assert!(refuses("No, use rope.") && !refuses("Now use rope."));
    }

    #[test]
    fn an_order_about_a_text_is_told_from_a_statement_with_a_colon() {
        for text in [
            "Explain this notice: boats are moored at night.",
            "please translate: das Boot",
            "Kürze das hier: das Boot liegt am Pier",
        ] {
            assert!(orders_about_a_text(text), "{text}");
        }
        for text in [
            "Translate the notices. One rule: boats are moored at night.",
            "One rule: explain every knot.",
            "Explain the knot.",
        ] {
            assert!(!orders_about_a_text(text), "{text}");
        }
    }

    #[test]
    fn what_an_agent_proposes_is_told_from_what_it_says() {
        assert!(proposes("I'd suggest that the hull is tarred."));
        assert!(proposes("Let’s tar the hull."));
        assert!(!proposes("The hull is tarred in spring."));
    }
}
