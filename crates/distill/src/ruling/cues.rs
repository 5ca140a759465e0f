//! The words by which people lay something down, per language. The words are data, in `cues.txt`.

use std::collections::HashMap;
use std::sync::LazyLock;

use super::language::Language;

/// What a cue is a sign of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum SpeechCue {
    /// Stands before what is meant.
    Opener,
    /// Announces something that the other should know.
    Informing,
    /// Corrects what was said or done last.
    Correcting,
    /// Wants to know something.
    Asking,
    /// Wants something to be done now.
    Requesting,
    /// Forbids.
    Forbidding,
    /// Proposes to do something together.
    Proposing,
    /// Says what one wants.
    Wanting,
    /// Holds without exception.
    Universal,
    /// Holds from here on, or no longer.
    Standing,
    /// Leaves no doubt that it holds.
    Firm,
    /// Says in so many words that it holds from here on.
    Lasting,
    /// Says what must or may be.
    Obliging,
    /// Speaks for those who work on it.
    Ours,
    /// Holds for this once.
    Once,
    /// Is not sure.
    Doubting,
    /// Says how things stand at the moment.
    Reporting,
    /// Thanks, greets or agrees.
    Thanking,
    /// Makes a statement of a row of words.
    Verb,
    /// Tells of something past.
    Past,
    /// Says when it happened.
    When,
    /// Says what does not go.
    Limit,
    /// Gives a reason.
    Reason,
    /// Leans on the sentence before.
    Leaning,
}

const SIGNS: [(&str, SpeechCue); 24] = [
    ("opener", SpeechCue::Opener),
    ("informing", SpeechCue::Informing),
    ("correcting", SpeechCue::Correcting),
    ("asking", SpeechCue::Asking),
    ("requesting", SpeechCue::Requesting),
    ("forbidding", SpeechCue::Forbidding),
    ("proposing", SpeechCue::Proposing),
    ("wanting", SpeechCue::Wanting),
    ("universal", SpeechCue::Universal),
    ("standing", SpeechCue::Standing),
    ("firm", SpeechCue::Firm),
    ("lasting", SpeechCue::Lasting),
    ("obliging", SpeechCue::Obliging),
    ("ours", SpeechCue::Ours),
    ("once", SpeechCue::Once),
    ("doubting", SpeechCue::Doubting),
    ("reporting", SpeechCue::Reporting),
    ("thanking", SpeechCue::Thanking),
    ("verb", SpeechCue::Verb),
    ("past", SpeechCue::Past),
    ("when", SpeechCue::When),
    ("limit", SpeechCue::Limit),
    ("reason", SpeechCue::Reason),
    ("leaning", SpeechCue::Leaning),
];

static CUES: LazyLock<CueBook> = LazyLock::new(|| CueBook::read(include_str!("cues.txt")));

/// All phrases, by language and sign.
struct CueBook {
    phrases: HashMap<(Language, SpeechCue), Phrases>,
}

/// The phrases of one sign.
#[derive(Default)]
struct Phrases {
    /// By their first word.
    by_word: HashMap<&'static str, Vec<Phrase>>,
    /// As they are written, for languages without blanks.
    written: Vec<&'static str>,
}

struct Phrase {
    words: Vec<&'static str>,
    at_start: bool,
    /// Nothing of its clause may follow.
    at_end: bool,
    open_end: bool,
}

impl Phrase {
    fn fits(&self, words: &[String]) -> bool {
        let (last, before) = self.words.split_last().expect("a phrase has a word");
        words.len() >= self.words.len()
            && before.iter().zip(words).all(|(wanted, word)| wanted == word)
            && match self.open_end {
                true => words[before.len()].starts_with(last),
                false => words[before.len()] == *last,
            }
    }
}

impl CueBook {
    fn read(text: &'static str) -> CueBook {
        let mut phrases: HashMap<(Language, SpeechCue), Phrases> = HashMap::new();
        let mut section = None;
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                section = name.split_once('.').and_then(|(language, sign)| {
                    let sign = SIGNS.iter().find(|(word, _)| *word == sign)?.1;
                    Some((Language::from_code(language)?, sign))
                });
                continue;
            }
            let Some(section) = section else { continue };
            let known = phrases.entry(section).or_default();
            for written in line.split('|').map(str::trim).filter(|written| !written.is_empty()) {
                let at_start = written.starts_with('^');
                let plain = written.trim_start_matches('^').trim_end_matches(['*', '$']);
                let words: Vec<&'static str> = plain.split(' ').collect();
                known.written.push(plain);
                let (at_end, open_end) = (written.ends_with('$'), written.ends_with('*'));
                let phrase = Phrase { words, at_start, at_end, open_end };
                // A phrase whose only word has an open end is found under no whole word.
                let key = if phrase.open_end && phrase.words.len() == 1 { "" } else { phrase.words[0] };
                known.by_word.entry(key).or_default().push(phrase);
            }
        }
        CueBook { phrases }
    }
}

/// Finds the first cue of a sign and returns where it begins and how many words it has.
pub(super) fn find(language: Language, sign: SpeechCue, words: &[String]) -> Option<(usize, usize)> {
    let phrases = CUES.phrases.get(&(language, sign))?;
    (0..words.len()).find_map(|at| {
        let known = [words[at].as_str(), ""].into_iter().filter_map(|key| phrases.by_word.get(key)).flatten();
        let ends = |phrase: &Phrase| {
            words
                .get(at + phrase.words.len())
                .is_none_or(|next| matches!(next.as_str(), "now" | "again" | "and" | "but"))
        };
        let fits = |phrase: &&Phrase| {
            (!phrase.at_start || at == 0) && (!phrase.at_end || ends(phrase)) && phrase.fits(&words[at..])
        };
        known.filter(fits).map(|phrase| phrase.words.len()).max().map(|length| (at, length))
    })
}

/// Tells whether a text written without blanks holds a cue.
pub(super) fn is_written(language: Language, sign: SpeechCue, text: &str) -> bool {
    let phrases = CUES.phrases.get(&(language, sign));
    phrases.is_some_and(|phrases| phrases.written.iter().any(|written| text.contains(written)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn phrases_are_found_where_they_may_stand() {
        let check = |sign, text: &str, expected| {
            assert_eq!(find(Language::English, sign, &words(text)), expected, "{text}");
        };
        check(SpeechCue::Standing, "tabs from now on", Some((1, 3)));
        check(SpeechCue::Forbidding, "never on fridays", Some((0, 1)));
        check(SpeechCue::Forbidding, "it never ends", None);
        check(SpeechCue::Doubting, "a hypothetically fast one", Some((1, 1)));
        check(SpeechCue::Universal, "allowances differ", None);
    }

    #[test]
    fn every_section_has_a_name_that_is_known() {
        for line in include_str!("cues.txt").lines().filter(|line| line.starts_with('[')) {
            let (language, sign) = line.trim_matches(['[', ']']).split_once('.').unwrap();
            assert!(Language::from_code(language).is_some(), "{line}");
            assert!(SIGNS.iter().any(|(word, _)| *word == sign), "{line}");
        }
    }
}
