//! "The harbour office signed it off: boats may lie two nights": who announces something tells behind the colon what it
//! is, and that stands by itself.

use crate::extract::sentence::word_count;

/// Words by which people tell that something is settled.
const SETTLED: [&str; 22] = [
    "signed",
    "settle",
    "settled",
    "decided",
    "decide",
    "agreed",
    "agree",
    "approved",
    "confirmed",
    "voted",
    "concluded",
    "resolved",
    "ruled",
    "entschieden",
    "beschlossen",
    "geeinigt",
    "decidido",
    "decidimos",
    "acordamos",
    "décidé",
    "convenu",
    "deciso",
];
/// Where people settle something: “After the call with the office: …”.
const TALKS: [&str; 9] =
    ["call", "discussion", "meeting", "planning", "retro", "review", "standup", "sync", "workshop"];
/// How people lead up to something small that they want to say before it goes on.
const LEADING: [&str; 34] = [
    "ah and beware",
    "and beware",
    "beware",
    "you did it again",
    "something ",
    "quick one",
    "quick thing",
    "quick note",
    "small thing",
    "small note",
    "one thing",
    "one more thing",
    "one last thing",
    "one note",
    "another thing",
    "while you",
    "before you",
    "listen",
    "this one is important",
    "this is important",
    "important thing",
    "pay attention",
    "please remember",
    "remember this",
    "write this down",
    "write it down",
    "note this",
    "note the following",
    "please note the following",
    "please write this down",
    "add this to the rules",
    "add this to our rules",
    "put this into the rules",
    "schreib das auf",
];
/// Words of somebody who was not understood.
const MISREAD: [&str; 4] = ["misunderstood", "misread", "misheard", "mistaken"];
/// An announcement has at most so many words.
const SHORT: usize = 12;
/// What is announced has at least so many.
const LEAST: usize = 4;

/// Cuts an announcement off what it announces; nothing where a sentence has none.
pub(super) fn announced(sentence: &str) -> Option<(&str, &str)> {
    let (head, told) = sentence.split_once(": ")?;
    let (head, told) = (head.trim(), told.trim());
    let words = || head.split(|c: char| !c.is_alphanumeric());
    // "Decision: …" is a label of one word, which is known as such.
    let is_short = (2..=SHORT).contains(&word_count(head));
    let lower = head.to_lowercase();
    // "Beware of the tide book: …" names what it is about.
    if lower.contains("beware of ") || lower.contains("careful with ") {
        return None;
    }
    let settles = settles(head);
    // "Before you start: …", "you misunderstood that: …".
    let leads = LEADING.iter().any(|words| lower.starts_with(words));
    let leads = leads
        && (!lower.starts_with("something ") || words().any(|word| word == "noticed" || word == "found"));
    // "This took me two hours: the lid was shut" tells of that day.
    let past = told
        .split(' ')
        .any(|word| matches!(word, "was" | "were" | "had" | "got" | "did" | "war" | "estaba" | "était"));
    let leads = leads || is_hard_won(head) && !past;
    let corrects = words().any(|word| MISREAD.contains(&word.to_lowercase().as_str()));
    (is_short
        && (settles || leads || corrects)
        && word_count(told) >= LEAST
        && !head.contains(['`', '"', '?']))
    .then_some((head, told))
}

/// Tells whether words say that something is settled or was talked over: "the office signed it off", "talked it through".
fn settles(head: &str) -> bool {
    const CHANGES: [&str; 5] =
        ["change of plan", "change of plans", "planänderung", "cambio de planes", "mudança de planos"];
    let lower = head.to_lowercase();
    let said = |of: &[&str]| lower.split(|c: char| !c.is_alphanumeric()).any(|word| of.contains(&word));
    let after =
        ["after ", "following ", "from "].iter().any(|opens| lower.starts_with(opens)) && said(&TALKS);
    let talked =
        said(&["talked", "discussed", "chatted", "besprochen", "discutido", "discuté", "hablado", "parlato"]);
    said(&SETTLED) || CHANGES.contains(&lower.as_str()) || after || talked
}

/// "One thing to remember: …", "for the record: …", "keep in mind that …": what follows is told to be kept.
pub(super) fn is_for_memory(sentence: &str) -> bool {
    const KEPT: [&str; 34] = [
        "for the record",
        "for future reference",
        "for later reference",
        "one thing to remember",
        "something to remember",
        "thing to remember",
        "things to remember",
        "to remember",
        "worth remembering",
        "remember that",
        "remember this",
        "please remember",
        "remember",
        "keep in mind",
        "keep in mind that",
        "bear in mind",
        "bear in mind that",
        "don't forget that",
        "fürs protokoll",
        "zur erinnerung",
        "zum merken",
        "merk dir",
        "denk daran",
        "que conste",
        "para que conste",
        "recuerda que",
        "pour mémoire",
        "à retenir",
        "retiens que",
        "para constar",
        "lembra que",
        "da ricordare",
        "ricorda che",
        "onthoud dat",
    ];
    let lower = sentence.trim_start_matches(|c: char| !c.is_alphabetic()).to_lowercase().replace('’', "'");
    let lower = ["and ", "also ", "but ", "ok ", "one more ", "please ", "another ", "one "]
        .iter()
        .fold(lower.as_str(), |rest, opening| rest.strip_prefix(opening).unwrap_or(rest));
    KEPT.iter().any(|words| {
        lower.strip_prefix(words).is_some_and(|rest| {
            let joined = words.ends_with(" that")
                || words.ends_with(" que")
                || words.ends_with(" che")
                || words.ends_with(" dat");
            // "Remember to oil it" is an errand.
            rest.starts_with([':', ',']) || joined && rest.starts_with(' ')
        })
    })
}

/// Tells whether a sentence does nothing but announce what was settled.
pub(super) fn is_settled(sentence: &str) -> bool {
    sentence.strip_suffix(':').is_some_and(settles)
}

/// "This took me two evenings", "learned the hard way": what it cost to find out what follows.
pub(super) fn is_hard_won(head: &str) -> bool {
    const COSTS: [&str; 16] = [
        "took",
        "cost",
        "costs",
        "lost",
        "spent",
        "wasted",
        "burned",
        "gekostet",
        "verloren",
        "gesucht",
        "gebraucht",
        "perdí",
        "costó",
        "perdu",
        "coûté",
        "perso",
    ];
    const TIME: [&str; 34] = [
        "hour",
        "hours",
        "day",
        "days",
        "evening",
        "evenings",
        "afternoon",
        "morning",
        "night",
        "nights",
        "weekend",
        "week",
        "weeks",
        "ages",
        "forever",
        "stunde",
        "stunden",
        "tag",
        "tage",
        "abend",
        "abende",
        "woche",
        "heure",
        "heures",
        "jour",
        "jours",
        "soirée",
        "hora",
        "horas",
        "día",
        "días",
        "tarde",
        "ora",
        "ore",
    ];
    let lower = head.to_lowercase();
    let said = |of: &[&str]| lower.split(|c: char| !c.is_alphanumeric()).any(|word| of.contains(&word));
    // "The move of the ledger took two days" is about the move.
    const OPENS: [&str; 30] = [
        "this", "that", "it", "took", "cost", "lost", "spent", "wasted", "i", "we", "learned", "learnt",
        "found", "and", "das", "hat", "ich", "wir", "me", "nos", "he", "hemos", "perdí", "ça", "j'ai", "on",
        "mi", "ho", "ci", "custou",
    ];
    let opens =
        lower.split([' ', ',']).find(|word| !word.is_empty()).is_some_and(|word| OPENS.contains(&word));
    opens && word_count(head) <= SHORT && (said(&COSTS) && said(&TIME) || lower.contains("the hard way"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_announced_stands_behind_the_colon() {
        let told = |sentence| announced(sentence).map(|(_, told)| told);
        assert_eq!(
            told("the office signed it off: boats may lie two nights"),
            Some("boats may lie two nights")
        );
        assert_eq!(
            told("Let's settle this: the pier gets lamps of brass."),
            Some("the pier gets lamps of brass.")
        );
        assert_eq!(told("change of plan: the pier gets lamps"), Some("the pier gets lamps"));
        assert_eq!(told("After the call this morning: no lamps on the pier"), Some("no lamps on the pier"));
        assert_eq!(
            told("quick one before you paint: we don't lend the brass key"),
            Some("we don't lend the brass key")
        );
        assert_eq!(
            told("while you are at the pier: berths stay numbered from north"),
            Some("berths stay numbered from north")
        );
        assert_eq!(
            told("You misunderstood that: a tide is six hours long."),
            Some("a tide is six hours long.")
        );
        assert_eq!(
            told("something Ada noticed: the crane stops at low tide"),
            Some("the crane stops at low tide")
        );
        assert_eq!(
            told("this cost me two nights: the crane silently drops every third crate"),
            Some("the crane silently drops every third crate")
        );
        assert_eq!(
            told("learned the hard way: ropes of hemp rot in a week"),
            Some("ropes of hemp rot in a week")
        );
        assert_eq!(told("add this to the rules: never tow a ferry"), Some("never tow a ferry"));
        assert_eq!(told("Write this down: ropes are oiled twice"), Some("ropes are oiled twice"));
        assert_eq!(told("the ferry took the crates: all four of them"), None);
        assert_eq!(told("something for later: paint the pier in green"), None);
        assert_eq!(told("after the lamps: paint the pier in green"), None);
        assert_eq!(told("Decided: the pier gets lamps"), None);
        assert_eq!(told("the colours of the pier: red, green, blue and white"), None);
        assert_eq!(told("We decided: yes"), None);
        assert_eq!(told("beware of the tide book: its times are in summer time"), None);
    }
}
