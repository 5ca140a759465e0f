//! A message of a person, sentence by sentence.

use lore_core::Kind;

use super::cues::SpeechCue;
use super::habit::is_habit;
use super::heard::{Heard, Mood};
use super::language::Language;
use super::mood::hear;
use super::occasion::Occasion;
use super::{announced, besides, features, form, quoted};
use crate::extract::segment::pieces;
use crate::extract::sentence::{is_day, word_count};

/// A message of a person, sentence by sentence.
pub(super) struct Message {
    pub(super) paragraphs: Vec<Vec<String>>,
    pub(super) heard: Vec<Vec<Heard>>,
    pub(super) occasion: Occasion,
}

impl Message {
    pub(super) fn hear(text: &str, at_work: bool, answers_an_offer: bool) -> Message {
        let language = Language::of(text);
        let paragraphs: Vec<Vec<String>> = pieces(text)
            .into_iter()
            .map(|piece| {
                piece
                    .sentences
                    .iter()
                    .flat_map(|sentence| casual(sentence))
                    .map(untagged)
                    .flat_map(apart)
                    .collect()
            })
            .collect();
        let words = paragraphs.iter().flatten().map(|sentence| word_count(sentence)).sum();
        let heard: Vec<Vec<Heard>> =
            paragraphs.iter().map(|paragraph| of_one_breath(paragraph, language)).collect();
        // Who asks for something besides tells what it takes, and who answers an offer speaks of it.
        let asks = heard
            .iter()
            .flatten()
            .any(|heard| matches!(heard.mood, Mood::Task | Mood::Question) && !is_habit(&heard.body));
        Message { paragraphs, heard, occasion: Occasion { words, at_work, asks: asks || answers_an_offer } }
    }

    /// Returns what is seen of each sentence; what became of the message is not in it.
    pub(super) fn features(&self) -> Vec<Vec<String>> {
        let sentences = self.paragraphs.iter().flatten().map(String::as_str);
        let spoken: Vec<(&str, &Heard)> = sentences.zip(self.heard.iter().flatten()).collect();
        let occasion = Occasion { at_work: false, ..self.occasion };
        (0..spoken.len()).map(|at| features::features(&spoken, at, occasion)).collect()
    }
}

/// A sentence with what the [`Classifier`](super::Classifier) is told about it.
#[derive(Debug, Clone, PartialEq)]
pub struct SeenSentence {
    /// The sentence as it stands in the message.
    pub text: String,
    /// What is seen of it, by name.
    pub features: Vec<String>,
    /// The sort of knowledge that its form says it is.
    pub form: Kind,
}

/// Returns the sentences of a message with what is seen of each, for fitting the [`Classifier`](super::Classifier).
pub fn seen(message: &str) -> Vec<SeenSentence> {
    let message = Message::hear(&quoted::own_words(message), false, false);
    let seen = message.features();
    let forms: Vec<Kind> = message.heard.iter().flatten().map(form::kind).collect();
    let sentences = message.paragraphs.into_iter().flatten().zip(seen).zip(forms);
    sentences.map(|((text, features), form)| SeenSentence { text, features, form }).collect()
}

/// Hears the sentences of a paragraph; "That's wrong." makes a correction of the next.
fn of_one_breath(sentences: &[String], language: Language) -> Vec<Heard> {
    let mut heard: Vec<Heard> = sentences.iter().map(|sentence| hear(sentence, language)).collect();
    for at in 1..heard.len() {
        let before = &heard[at - 1];
        let short = before.telling < 2 && word_count(&before.body) < 4;
        let denies = word_count(&before.body) < 5 && before.body.to_lowercase().starts_with("not ");
        if before.has(SpeechCue::Correcting) && short || denies {
            heard[at].correct();
        }
        // What it cost to find out is told to spare others the same.
        let told = announced::is_hard_won(&sentences[at - 1]) || announced::is_settled(&sentences[at - 1]);
        if told && !heard[at].has(SpeechCue::Past) {
            heard[at].inform();
        }
    }
    for at in 0..heard.len() {
        let before = at.checked_sub(1).map(|before| sentences[before].as_str());
        let announced =
            before.is_some_and(|before| before.ends_with(':') && announced::is_for_memory(before));
        if (announced || announced::is_for_memory(&sentences[at])) && !sentences[at].ends_with(':') {
            heard[at].inform();
            heard[at].to_be_kept = true;
        }
    }
    heard
}

/// "No brass on the gates, ok?": who asks whether that is all right lays it down.
fn untagged(sentence: String) -> String {
    const TAGS: [&str; 14] = [
        "ok",
        "okay",
        "alright",
        "all right",
        "deal",
        "agreed",
        "got it",
        "understood",
        "yes",
        "yeah",
        "ja",
        "vale",
        "d'accord",
        "va bene",
    ];
    let Some(told) = sentence.strip_suffix('?') else { return sentence };
    let lower = told.trim_end().to_lowercase();
    let tag =
        TAGS.iter().find_map(|tag| lower.strip_suffix(tag)?.strip_suffix([' ', ','])?.strip_suffix(','));
    // "Use the blue one, ok?" is of the moment.
    let bans = |word: &str| {
        matches!(
            word,
            "no" | "never" | "always" | "don't" | "dont" | "keine" | "nie" | "immer" | "nunca" | "mai"
        )
    };
    let tag = tag.filter(|told| told.split(|c: char| !c.is_alphanumeric() && c != '\'').any(bans));
    tag.and_then(|tag| told.get(..tag.len()))
        .map_or_else(|| sentence.clone(), |told| told.trim_end().to_owned())
}

/// Cuts an announcement off what it announces, and a piece of work off what is said besides.
fn apart(sentence: String) -> Vec<String> {
    if let Some((head, told)) = announced::announced(&sentence) {
        // It leads up to what is told and says nothing itself.
        return vec![format!("{head}:"), told.to_owned()];
    }
    match besides::besides(&sentence) {
        Some((head, told)) => vec![head.to_owned(), told.to_owned()],
        None => vec![sentence],
    }
}

/// Cuts what people who write in lower case leave in one piece.
pub(crate) fn casual(sentence: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut from = 0;
    let bytes = sentence.as_bytes();
    for (at, c) in sentence.char_indices() {
        let wide = matches!(c, '。' | '！' | '？');
        let ends = matches!(c, '.' | '!' | '?') && bytes.get(at + 1).is_some_and(|next| *next == b' ');
        let abbreviates = lore_core::text::abbreviates(&sentence[from..at]);
        if (wide || ends) && !abbreviates && !is_day(&sentence[from..at], &sentence[at + c.len_utf8()..]) {
            let end = at + c.len_utf8();
            out.push(sentence[from..end].trim().to_owned());
            from = end;
        }
    }
    out.push(sentence[from..].trim().to_owned());
    out.retain(|part| part.chars().any(char::is_alphanumeric));
    out
}
