//! Words a passage so that it can be read without the session.

use std::sync::LazyLock;

use regex::Regex;

use crate::extract::lexicon::Cues;
use crate::extract::passage::{Origin, Passage};
use crate::extract::phrases::{ANSWERING, is_empty_word, without_label};
use crate::extract::segment::Shape;
use crate::extract::sentence::{word_count, words};
use crate::extract::shape::opens_with_pronoun;
use crate::extract::terms::{is_common, terms};

/// Openings that say nothing: assent, hesitation, politeness.
static OPENER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)^[\s\x22'(]*(?:ok(?:ay)?|yes|yeah|yep|yup|no|nope|sure|hmm?|ah|oh|so|well|and|but|also|right|great|perfect|good|nice|thanks|thank\ you|
        alright|actually|sorry|(?:my|the)\ point\ is|i\ mean|to\ be\ clear|done|got\ it|agreed|understood|confirmed|found\ it|exactly|correct|(?:good|great|excellent|nice|fair)\ (?:catch|point|question|idea|find|call)|you'?re\ right|
        makes\ sense|sounds\ good|i\ think|i\ guess|i\ believe|hey|hi|hello|please|now|then|basically|maybe|fair|excellent|interesting|whoops|oops|cool|q|or\ better|unfortunately|bottom\ line|in\ short|tl;dr|fortunately|notably|importantly|looking\ at\ [^,.:]{3,60}|
        i\ (?:have\ to|must|need\ to)\ (?:correct|revise)\ (?:my|the|an)\ (?:earlier\ |last\ |previous\ )?(?:finding|diagnosis|statement|claim|analysis|conclusion)[^,.:]{0,60}|
        correction|i\ was\ wrong(?:\ (?:about|there|here)[^,.:]{0,60})?)
        (?:\s*[,.!:;—–-]+\s*|\s+(?:but|and|so|then|please)\b[\s,]*)|^(?:so|and|but|well|yeah|yep|ok|okay)\s+",
    )
    .expect("the pattern is a constant")
});
/// A person's ways of asking for something, before the thing asked for.
static REQUEST: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)^(?:(?:can|could|would|will)\ (?:you|we)\ (?:please\ |also\ |just\ |maybe\ )*|(?:i\ think\ |i\ guess\ |maybe\ )?(?:we|you)\ should\ (?:also\ |just\ |probably\ |then\ )*
        |(?:i|we)(?:'d|\ would)?\ (?:do\ )?(?:also\ )?(?:want|like|need|prefer)\ (?:you\ |us\ )?to\ (?:also\ )?|let'?s\ (?:also\ |just\ |please\ |then\ |only\ |completely\ )?|please\ |now\ |also\ |then\ |just\ )+",
    )
    .expect("the pattern is a constant")
});
/// A heading that names the occasion of a message, not what is said under it.
static OCCASION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\?|\b(?:pr|bug|issue|step|task|phase|item|question|option|part|fix|comment|finding|attempt|round|test)s? *#?\d|#\d|\b(?:summary|review|feedback|recap|follow-up|this session|all changes|next steps|status)\b")
        .expect("the pattern is a constant")
});

/// A sentence that only says that something will be said.
static PREFACE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)^(?:(?:a|an|one|two|three|another|new|last|next|final|small|minor|quick|some|few|more|other|the|my|also|and|just|couple\ of|bit\ of)\s+)*
        (?:things?|changes?|comments?|questions?|ideas?|improvements?|updates?|issues?|requests?|notes?|feedback|points?|thoughts?|tasks?|items?|nits?|follow-?ups?|refinements?|tweaks?)
        \b[^.!?:]{0,40}[.!?:]*$",
    )
    .expect("the pattern is a constant")
});

/// Returns the sentences of a passage without a preface.
pub(crate) fn sentences(passage: &Passage) -> &[String] {
    match passage.sentences.split_first() {
        Some((first, rest)) if !rest.is_empty() && PREFACE.is_match(strip_openers(first)) => rest,
        _ => &passage.sentences,
    }
}

/// Writes the one to three sentences of a candidate.
pub(crate) fn statement(passage: &Passage) -> String {
    let mut sentences: Vec<String> = sentences(passage).iter().map(|sentence| tidy(sentence)).collect();
    if let Some(first) = sentences.first_mut() {
        *first = capital(without_label(strip_openers(first)));
    }
    if passage.origin == Origin::Person {
        return answer(passage, &sentences);
    }
    if let Some(subject) = subject(passage, sentences.first().map(String::as_str).unwrap_or_default()) {
        return format!("{subject}: {}", join(&sentences));
    }
    join(&sentences)
}

/// Words what a person said together with what it answers.
fn answer(passage: &Passage, sentences: &[String]) -> String {
    let said = join(sentences);
    match &passage.referent {
        Some((question, _)) if question.ends_with('?') => {
            format!("{}{ANSWERING}{question}”).", said.trim_end_matches('.'))
        }
        Some((option, _)) => {
            let option = capital(option.trim_end_matches(['.', ':']));
            format!("{option}. {said}")
        }
        None => said,
    }
}

/// Returns a person's sentence as the thing asked for, without the asking.
pub(crate) fn request(sentence: &str) -> String {
    let bare = strip_openers(sentence);
    let cut = REQUEST.find(bare).map_or(bare, |found| &bare[found.end()..]);
    if word_count(cut) >= 2 { capital(cut.trim_end_matches('?')) } else { capital(bare) }
}

/// Takes assent and politeness off the front of a sentence.
pub(crate) fn strip_openers(sentence: &str) -> &str {
    let mut rest = sentence.trim();
    while let Some(found) = OPENER.find(rest) {
        let after = rest[found.end()..].trim_start();
        if word_count(after) < 2 {
            break;
        }
        rest = after;
    }
    rest
}

/// Raises the first letter, unless a word in code or a path begins the sentence.
pub(crate) fn capital(text: &str) -> String {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) if first.is_lowercase() => {
            let word = text.split_whitespace().next().unwrap_or_default();
            if word.contains(['/', '_', '.', '(']) || word.chars().skip(1).any(char::is_uppercase) {
                return text.to_owned();
            }
            first.to_uppercase().chain(letters).collect()
        }
        _ => text.to_owned(),
    }
}

/// Finds what a list item, a row or a pronoun is about: the sentence or heading above it.
pub(crate) fn subject(passage: &Passage, first: &str) -> Option<String> {
    if let Some(context) = &passage.context
        && opens_with_pronoun(first)
    {
        return Some(context.trim_end_matches(['.', ':']).to_owned());
    }
    if passage.shape == Shape::Paragraph {
        return None;
    }
    let lead = passage.lead.as_deref().filter(|lead| says_something(lead));
    let heading = passage.headings.iter().rev().find(|heading| names_subject(heading)).map(String::as_str);
    let chosen = without_label(lead.or(heading)?.trim_end_matches(':'));
    (!first.starts_with(chosen)).then(|| strip_openers(chosen).to_owned())
}

/// Tells whether a line that introduces a list also says what the list is about.
pub(crate) fn says_something(lead: &str) -> bool {
    let cues = Cues::of(lead);
    let idle = cues.has("announcing")
        || cues.has("offering")
        || cues.has("courtesy")
        || opens_with_pronoun(lead)
        || lead.starts_with("Looking ")
        || words(lead).any(|word| word == "you" || word == "your");
    !idle && names_subject(lead) && (lead.contains('`') || terms(lead).len() >= 3)
}

fn names_subject(heading: &str) -> bool {
    !OCCASION.is_match(heading)
        && (heading.contains('`') || words(heading).any(|word| !is_common(&word) && !is_empty_word(&word)))
}

fn tidy(sentence: &str) -> String {
    let mut text = sentence.trim().trim_end_matches([':', ',']).trim_end().to_owned();
    if !text.ends_with(['.', '!', '?', '…', '"', '”', '`', ')']) {
        text.push('.');
    }
    text
}

fn join(sentences: &[String]) -> String {
    let mut out = String::new();
    for sentence in sentences {
        if !out.is_empty() {
            if !out.ends_with(['.', '!', '?', '…']) {
                out.push('.');
            }
            out.push(' ');
        }
        out.push_str(&capital(sentence));
    }
    if !out.ends_with(['.', '!', '?', '…']) {
        out.push('.');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openers_and_requests_are_taken_off() {
        assert_eq!(strip_openers("ok, so let's drop it"), "let's drop it");
        assert_eq!(strip_openers("Done. Raised the limit"), "Raised the limit");
        assert_eq!(strip_openers("No"), "No");
        assert_eq!(request("can you please rename the flag?"), "Rename the flag");
        assert_eq!(request("yes, I'd like to keep both names"), "Keep both names");
        assert_eq!(request("let's completely remove it now"), "Remove it now");
    }

    #[test]
    fn identifiers_keep_their_case() {
        assert_eq!(capital("fooBar is set"), "fooBar is set");
        assert_eq!(capital("src/x is read"), "src/x is read");
        assert_eq!(capital("the flag"), "The flag");
    }
}
