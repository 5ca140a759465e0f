//! What can be seen of a sentence in its message, by name: its words, and what grammar makes of it.

use super::alone::{is_torn, points_away};
use super::at_hand::{ends_in_work, is_plan_of_work, tells_trouble};
use super::force::{head_of, is_complaint, is_firm, is_plain_order, is_until, obeys_the_forms};
use super::form::{
    self, is_built, is_chat, is_printed, is_set, is_standing_use, is_undertaking, is_way_of_a_sort,
    wants_a_thing,
};
use super::grammar::begins_with_verb;
use super::habit::is_habit;
use super::heard::Heard;
use super::occasion::{Occasion, belongs_to_work};
use super::ours::{is_our_way, is_plain_fact};
use super::outlives::{begins_with_use, outlives_work};
use super::trouble::is_trouble;
use super::values::{is_so_many_per, is_value_for};
use crate::fitted;

/// So many neighbouring words are looked at together.
const NEIGHBOURS: usize = 3;
/// The ends of words of more letters are looked at.
const LONG_WORD: usize = 5;
/// So many letters are the end of a word.
const ENDING: usize = 3;

/// Returns what is seen of one sentence of a message.
pub(super) fn features(message: &[(&str, &Heard)], at: usize, occasion: Occasion) -> Vec<String> {
    let Some((sentence, heard)) = message.get(at) else { return Vec::new() };
    let mut seen = words(sentence);
    seen.push(format!("place {}", place(at, message.len())));
    let mut grammar = marks(heard, occasion);
    grammar.extend(heard.signs().iter().map(|sign| format!("{sign:?}")));
    let said = obeys_the_forms(heard, occasion);
    grammar.push(format!("forms {said}"));
    let mood = format!("{:?}", heard.mood);
    seen.extend(grammar.iter().map(|mark| format!("{mood} + {mark}")));
    seen.extend(grammar.into_iter().map(|mark| format!("= {mark}")));
    seen.push(format!("telling {}", heard.telling.min(4)));
    seen.push(format!("kind {:?}", form::kind(heard)));
    for (side, next) in [("before", at.checked_sub(1)), ("after", Some(at + 1))] {
        if let Some((_, next)) = next.and_then(|next| message.get(next)) {
            seen.push(format!("{side} {:?}", next.mood));
        }
    }
    if occasion.asks {
        seen.push("asks".to_owned());
        seen.push(format!("asks {mood}"));
    }
    seen.push(format!("mood {mood}"));
    seen.sort_unstable();
    seen.dedup();
    seen
}

/// Where a sentence stands.
fn place(at: usize, of: usize) -> &'static str {
    match at {
        _ if of == 1 => "alone",
        0 => "first",
        _ if at + 1 == of => "last",
        _ => "amid",
    }
}

/// Returns what grammar makes of a sentence.
fn marks(heard: &Heard, occasion: Occasion) -> Vec<String> {
    let body = &heard.body;
    let marks = [
        ("belongs to work", belongs_to_work(heard, occasion)),
        ("built", is_built(body)),
        ("chat", is_chat(body)),
        ("complaint", is_complaint(heard)),
        ("contrasts", heard.contrasts),
        ("ends in work", ends_in_work(body)),
        ("english", heard.english),
        ("everlasting", heard.everlasting),
        ("firm", is_firm(heard, occasion.words)),
        ("habit", is_habit(body)),
        ("our way", is_our_way(heard)),
        ("outlives work", outlives_work(heard)),
        ("plain fact", is_plain_fact(heard)),
        ("plain order", is_plain_order(heard)),
        ("plan of work", is_plan_of_work(body)),
        ("points away", points_away(head_of(body))),
        ("printed", is_printed(body)),
        ("set", is_set(heard)),
        ("so many per", is_so_many_per(body)),
        ("standing use", is_standing_use(body)),
        ("tells trouble", tells_trouble(body)),
        ("torn", is_torn(body)),
        ("trouble", is_trouble(body)),
        ("under way", heard.under_way),
        ("undertaking", is_undertaking(body)),
        ("until", is_until(heard)),
        ("use", begins_with_use(body)),
        ("value for", is_value_for(body)),
        ("verb", begins_with_verb(body)),
        ("wants a thing", wants_a_thing(body)),
        ("way of a sort", is_way_of_a_sort(body)),
    ];
    marks.into_iter().filter(|(_, seen)| *seen).map(|(name, _)| name.to_owned()).collect()
}

/// Returns the words of a sentence alone and with their neighbours, the ends of long ones, and how many there are.
fn words(sentence: &str) -> Vec<String> {
    let mut tokens = vec!["^".to_owned()];
    tokens.extend(fitted::words::tokens(sentence));
    tokens.push("$".to_owned());
    let mut seen: Vec<String> =
        (1..=NEIGHBOURS).flat_map(|size| tokens.windows(size).map(|near| near.join(" "))).collect();
    let long = |token: &&String| token.chars().count() > LONG_WORD && token.chars().all(char::is_alphabetic);
    seen.extend(tokens.iter().filter(long).map(|token| {
        let letters: Vec<char> = token.chars().collect();
        format!("-{}", letters[letters.len() - ENDING..].iter().collect::<String>())
    }));
    seen.push(format!("length {}", (tokens.len() / 4).min(6)));
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_seen_with_their_neighbours_and_ends() {
        let seen = words("Lanterns hang here.");
        for word in ["^ lanterns hang", "hang", "here $", "-rns", "length 1"] {
            assert!(seen.iter().any(|one| one == word), "{word}: {seen:?}");
        }
    }
}
