//! A sentence taken apart, with what it does.

use super::cues::SpeechCue;

/// What a sentence does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Mood {
    /// Thanks, greets, agrees.
    Courtesy,
    /// Wants to know something.
    Question,
    /// Wants a piece of work done.
    Task,
    /// Says how things stand at the moment, or what the speaker just did.
    Report,
    /// Forbids something.
    Prohibition,
    /// Orders something in a bare imperative.
    Order,
    /// Proposes something for all: "let's …".
    Resolve,
    /// Says what the speaker wants.
    Wish,
    /// Says what those who work on it do, use, decided.
    Practice,
    /// Says what must, should or may be.
    Duty,
    /// States how something is.
    Statement,
    /// No sentence at all.
    Fragment,
}

impl Mood {
    /// Returns the word that is shown to people who ask why.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Mood::Courtesy => "a courtesy",
            Mood::Question => "a question",
            Mood::Task => "a task",
            Mood::Report => "a report",
            Mood::Prohibition => "a prohibition",
            Mood::Order => "an order",
            Mood::Resolve => "a resolve",
            Mood::Wish => "a wish",
            Mood::Practice => "a practice",
            Mood::Duty => "a duty",
            Mood::Statement => "a statement",
            Mood::Fragment => "a fragment",
        }
    }
}

/// A sentence taken apart.
#[derive(Debug, Clone)]
pub(super) struct Heard {
    pub(super) mood: Mood,
    /// The sentence without what stands before the matter.
    pub(super) body: String,
    pub(super) signs: Vec<SpeechCue>,
    /// Whether it says "not this but that".
    pub(super) contrasts: bool,
    /// Whether it says "always", "never" or "no longer".
    pub(super) everlasting: bool,
    /// Whether it tells a change, or a habit, as something that is going on: "we're using brass".
    pub(super) under_way: bool,
    /// Whether it is in English, whose small words we know.
    pub(super) english: bool,
    /// Whether it was told to be remembered, in so many words: "for the record: …".
    pub(super) to_be_kept: bool,
    /// How many words say what it is about.
    pub(super) telling: usize,
}

impl Heard {
    /// Takes the sentence for the correction that the one before announced: "That's wrong."
    pub(super) fn correct(&mut self) {
        self.signs.push(SpeechCue::Correcting);
    }

    /// Takes the sentence for what the one before announced: "This took me two days."
    pub(super) fn inform(&mut self) {
        self.signs.push(SpeechCue::Informing);
        // What is announced is no news of the day.
        if self.mood == Mood::Report {
            self.mood = Mood::Statement;
        }
    }

    /// Returns the cues that were found in it.
    pub(super) fn signs(&self) -> &[SpeechCue] {
        &self.signs
    }

    pub(super) fn has(&self, sign: SpeechCue) -> bool {
        self.signs.contains(&sign)
    }
}
