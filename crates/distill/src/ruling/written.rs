//! Sentences of a language that is written without blanks, Japanese, told by their endings.

use super::cues::{self, SpeechCue};
use super::heard::{Heard, Mood};
use super::language::Language;
use super::mood::ANYWHERE;

/// Takes a sentence of a language without blanks apart.
pub(super) fn hear_written(sentence: &str) -> Heard {
    let is = |sign| cues::is_written(Language::Japanese, sign, sentence);
    let signs: Vec<SpeechCue> =
        ANYWHERE.iter().chain(&[SpeechCue::Lasting]).copied().filter(|sign| is(*sign)).collect();
    let lays_down = is(SpeechCue::Universal) || is(SpeechCue::Standing) || is(SpeechCue::Obliging);
    // 「…で書いています」 is how it is done, 「書いてください」 asks for it.
    let ends = sentence.trim_end_matches(['。', '！', '.', ' ']);
    let goes_on =
        ["ています", "ている", "てあります", "てある", "ておきます"].iter().any(|end| ends.ends_with(end));
    let mood = if sentence.trim_end().ends_with(['？', '?']) || is(SpeechCue::Asking) {
        Mood::Question
    } else if is(SpeechCue::Forbidding) {
        Mood::Prohibition
    } else if is(SpeechCue::Requesting) && !lays_down && !goes_on {
        Mood::Task
    } else if is(SpeechCue::Thanking) {
        Mood::Courtesy
    } else if is(SpeechCue::Reporting) && !lays_down {
        Mood::Report
    } else if sentence.contains("ください") {
        if lays_down { Mood::Duty } else { Mood::Task }
    } else if is(SpeechCue::Obliging) {
        Mood::Duty
    } else if is(SpeechCue::Verb) {
        if lays_down { Mood::Practice } else { Mood::Statement }
    } else {
        Mood::Fragment
    };
    let telling = sentence.chars().filter(|c| c.is_alphanumeric()).count() / 4;
    let contrasts = sentence.contains("ではなく") || sentence.contains("じゃなく");
    let everlasting = is(SpeechCue::Firm) && is(SpeechCue::Universal);
    Heard {
        mood,
        body: sentence.trim().to_owned(),
        signs,
        contrasts,
        everlasting,
        under_way: false,
        english: false,
        to_be_kept: false,
        telling,
    }
}
