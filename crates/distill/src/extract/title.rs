//! Finds a title of at most ten words.

use std::sync::LazyLock;

use regex::Regex;

use crate::extract::flaws::{flaws, has_verb};
use crate::extract::headline::{Cut, MOST, balanced, headline};
use crate::extract::passage::{Origin, Passage};
use crate::extract::phrases::without_label;
use crate::extract::segment::Shape;
use crate::extract::sentence::word_count;
use crate::extract::wording::{capital, request, says_something, sentences, strip_openers, subject};

/// Openings that announce the point of a sentence.
static ANNOUNCING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^(?:the )?(?:real |actual |core |main |underlying )?(?:bug|problem|issue|root cause|fix|reason|solution|insight|idea|point|goal|trick|catch|intent) (?:is|was)(?: that| to|:)? ")
        .expect("the pattern is a constant")
});

/// What a team says it does can be said as something to do.
static ACTING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?i:we)(?: (?:now|should|must|will|always|also|just|then|can|could))* (?:keep|use|store|show|add|skip|make|write|call|treat|avoid|prefer|check|return|run|track|compare|pass|move|rename|remove|put|read|set)\b")
        .expect("the pattern is a constant")
});

/// A question that asks what to do next.
static OFFERING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:want me to|should i|shall i|(?:do|would) you|ready to|sound(?:s)? (?:good|right)|are these|is (?:this|that)|does (?:this|that)|any of these|anything else|what would)\b")
        .expect("the pattern is a constant")
});
const OFFERED: f64 = 1.0;

/// What a piece of a sentence without a verb costs.
const TORN: f64 = 0.8;

/// Most words of what a list is about, where it stands before the title of an item.
const MOST_OF_SUBJECT: usize = 4;

/// A line that could stand above the passage, and how well it would do there.
struct Proposed {
    quality: f64,
    text: String,
}

/// Writes the title of a passage: the best headline that its sentences, its label or its lead give.
pub(crate) fn title(passage: &Passage) -> String {
    let sentences = sentences(passage);
    let several = sentences.len() > 1;
    let first = sentences.first().map(String::as_str).unwrap_or_default();
    // Who writes a commit writes its title first.
    let titled = passage.origin == Origin::Commit;
    let lead = passage.lead.as_deref().filter(|lead| (several || titled) && says_something(lead));
    let label = passage.label.as_deref().filter(|label| (3..=MOST).contains(&word_count(label)));
    let from = |sentence: &str, bonus: f64| propose(passage, sentence, bonus);
    let mut proposed: Vec<Proposed> = sentences
        .iter()
        .enumerate()
        .map(|(place, sentence)| from(sentence, if place == 0 { 0.4 } else { 0.0 }))
        .chain(after_label(first).map(|rest| from(rest, 0.3)))
        .chain(under_subject(passage, first))
        .chain(lead.map(|lead| from(lead.trim_end_matches(':'), if titled { 0.8 } else { 0.3 })))
        .chain(label.map(|label| from(label, 0.5)))
        .chain(passage.referent.as_ref().map(|(said, _)| taken(passage, said)))
        .collect();
    // The first of equals.
    proposed.sort_by(|a, b| b.quality.total_cmp(&a.quality));
    proposed.into_iter().next().map(|proposed| proposed.text).unwrap_or_default()
}

/// Writes the title of a statement that stands alone.
pub(crate) fn title_of(statement: &str) -> String {
    let first = crate::extract::phrases::first_sentence(statement);
    let bare = without_announcement(without_label(strip_openers(first)));
    let title = polish(&headline(bare, MOST).text);
    if title.is_empty() { capital(first.trim()) } else { title }
}

fn propose(passage: &Passage, sentence: &str, bonus: f64) -> Proposed {
    let bare = match passage.origin {
        Origin::Person => request(sentence),
        _ => without_label(strip_openers(sentence)).to_owned(),
    };
    let bare = without_announcement(&bare);
    let short = headline(bare, MOST);
    let text = if passage.origin == Origin::Person { request(&short.text) } else { short.text };
    let text = polish(&text);
    // What opens a passage may name its subject; what stands further down or was cut must say something.
    let torn = if (short.cut != Cut::Nowhere || bonus == 0.0) && !has_verb(&text) { TORN } else { 0.0 };
    Proposed { quality: bonus - price(short.cut) - price_of_shortness(&text) - torn - flaws(&text), text }
}

/// Returns the point of a sentence: what is the matter, or what is done.
fn without_announcement(sentence: &str) -> &str {
    let announced = ANNOUNCING.find(sentence).map(|found| found.end());
    // The verb stays.
    let done = || ACTING.find(sentence).and_then(|found| found.as_str().rfind(' ')).map(|at| at + 1);
    match announced.or_else(done) {
        Some(at) if word_count(&sentence[at..]) >= 4 => &sentence[at..],
        _ => sentence,
    }
}

/// “The second one” is named by what the second one was; a bare answer by its question.
fn taken(passage: &Passage, said: &str) -> Proposed {
    if !said.ends_with('?') {
        return propose(passage, said, 0.6);
    }
    // An offer to go on asks for leave, not about anything.
    let offered = if OFFERING.is_match(said) { OFFERED } else { 0.0 };
    let asked = polish(&headline(strip_openers(said), MOST).text);
    let text = format!("{asked}?");
    Proposed { quality: -offered - flaws(&text), text }
}

/// An item of a list is named after what the list is about and what the item says.
fn under_subject(passage: &Passage, first: &str) -> Option<Proposed> {
    if passage.shape == Shape::Paragraph || passage.origin == Origin::Person {
        return None;
    }
    let subject = subject(passage, first)?;
    let length = word_count(&subject);
    if !(1..=MOST_OF_SUBJECT).contains(&length) {
        return None;
    }
    let short = headline(without_label(strip_openers(first)), MOST - length);
    if word_count(&short.text) < 2 {
        return None;
    }
    let said = polish(&short.text);
    let text = format!("{}: {}", capital(&subject), lower(&said));
    Some(Proposed { quality: 0.3 - price(short.cut) - flaws(&text), text })
}

fn price(cut: Cut) -> f64 {
    match cut {
        Cut::Nowhere => 0.0,
        Cut::AtClause => 0.3,
        Cut::AtPhrase => 0.6,
        Cut::Anywhere => 1.5,
    }
}

fn price_of_shortness(text: &str) -> f64 {
    match word_count(text) {
        0..3 => 1.0,
        3 => 0.4,
        _ => 0.0,
    }
}

/// Lowers the first letter of an ordinary word.
fn lower(text: &str) -> String {
    let word = text.split_whitespace().next().unwrap_or_default();
    let ordinary = word.chars().skip(1).all(char::is_lowercase) && word.len() > 1;
    let mut letters = text.chars();
    match letters.next() {
        Some(first) if ordinary => first.to_lowercase().chain(letters).collect(),
        _ => text.to_owned(),
    }
}

fn polish(text: &str) -> String {
    let text = text.trim_matches(|c: char| {
        c.is_whitespace() || matches!(c, '.' | ',' | ':' | ';' | '-' | '–' | '—' | '?' | '!')
    });
    let text = balanced(text).replace(" :", ":").replace(" ,", ",");
    // A single word after the last comma is what is left of a clause.
    let text = match text.rsplit_once(", ") {
        Some((head, tail)) if word_count(tail) <= 1 && word_count(head) >= 4 => head,
        _ => text.as_str(),
    };
    capital(text)
}

/// Returns what a short label at the front of a sentence introduces, where that is a sentence too.
fn after_label(sentence: &str) -> Option<&str> {
    let (label, rest) = sentence.split_once(": ")?;
    (word_count(label) <= 4 && !label.contains('`') && word_count(rest) >= 5).then_some(rest)
}
