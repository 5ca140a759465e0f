//! The one measure of how well a text fits what was asked, and the floor below which it does not.
//!
//! It rests on the words alone, not on how often they stand in a base: how common a word is in general
//! comes from the lists in `lore_core::words` and from the table that ships (the length of a word's
//! vector there grows with how rare the word is). So five entries are judged like five thousand.
//!
//! Three parts are added: the share of the telling words that the text has (coverage), how much these
//! words tell in all, and how near the two are in meaning (cosine of the sums of word vectors, each
//! weighted by how much the word tells).

mod measured;

use std::collections::HashSet;

use lore_core::Entry;
use lore_core::meaning::Vocabulary;
use lore_core::words::{Commonness, commonness};

pub(crate) use self::measured::current_words;
pub use self::measured::{Answering, Bearing};
pub(crate) use self::measured::{entry_fit, has_word, only_word_of, passage_fit};
use crate::inquiry::is_measure;
use crate::phrase::{Phrases, is_in_one, is_in_two};
use crate::spoken::{of_places, phrasal, spoken};
use crate::token;
use crate::wording::is_open_question;

/// What each part is worth.
///
/// Chosen by hand among some hundred settings on plain sentences and on six projects (questions of
/// people, questions nobody can answer, prompts about something else); the optimum is flat. On the six
/// projects, with floors a hundredth lower: 57 % of needed answers said, 94 % silent where nothing is
/// known, 98 % silent on everyday prompts. Sentences from other fields, which were looked at while
/// choosing: `crates/engine/tests/it/speaking`.
const COVERED: f64 = 0.4;
const TOLD: f64 = 0.4;
const NEAR: f64 = 0.4;
/// Two texts about nothing in common are this near in meaning, or nearer by chance.
const CHANCE: f64 = 0.3;
/// A prompt whose words tell less than this is an everyday one.
const TELLING: f64 = 0.4;
/// What two words tell at least that stand side by side in both texts.
const SIDE_BY_SIDE: f64 = 0.6;
/// What one word tells at least in an open question: there also everyday words say what it is about.
const ASKED: f64 = 0.3;
/// Words for the sort of thing that is asked for; an answer names the thing.
const SORTS: [&str; 26] = [
    "approach",
    "convention",
    "database",
    "engine",
    "format",
    "framework",
    "language",
    "library",
    "number",
    "package",
    "platform",
    "policy",
    "procedure",
    "process",
    "product",
    "provider",
    "rule",
    "service",
    "software",
    "solution",
    "strategy",
    "system",
    "tool",
    "value",
    "vendor",
    "version",
];
/// This share of what such a word tells remains.
const OF_A_SORT: f64 = 0.3;
/// A thing that is asked for is named by fewer words than this.
const FEW: usize = 4;
/// What follows the name of the thing that is asked for.
const VERBS: &[&str] = &[
    "am", "are", "can", "could", "did", "do", "does", "has", "have", "is", "may", "must", "shall", "should",
    "was", "were", "will", "would",
];
/// What one word tells at least where somebody looks for it by itself.
const SOUGHT: f64 = 0.5;
/// What words beside the one that ties a text to a prompt may tell before they tie it too.
const BESIDES: f64 = 0.25;
/// A word that tells more than this share of a prompt is what it is about.
const MOST: f64 = 0.5;
/// What tells more than this all together is a long text, and nothing covers all of that.
const LONG: f64 = 4.0;
/// What a person stands behind has to fit at least so well.
const FLOOR: f64 = 0.22;
/// Beyond that, what nobody has confirmed, …
const UNCONFIRMED: f64 = 0.30;
/// … and what was only said in a past session: the less sure it is, the dearer a false word.
const ONLY_SAID: f64 = 0.37;

/// Words about which something may be known, each with how much it tells.
pub(crate) struct Asked {
    words: Vec<(String, f64)>,
    all: f64,
    vector: Vec<f32>,
    vocabulary: Vocabulary,
    /// What is named by several words, each of which may tell nothing; only where nobody asked to be told.
    phrases: Phrases,
    /// Its neighbouring words, each as term and word, which others may write as one.
    in_two: Vec<((String, String), (String, String))>,
}

/// How sure the words are that may be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sureness {
    /// A person wrote or confirmed them.
    Confirmed,
    /// Curated by the machine alone.
    Unconfirmed,
    /// Said in a past session, and nobody curated it.
    Said,
}

impl Sureness {
    /// Tells how sure an entry is.
    pub(crate) fn of(entry: &Entry) -> Sureness {
        if entry.is_unreviewed() { Sureness::Unconfirmed } else { Sureness::Confirmed }
    }

    /// Says how well a text has to fit.
    pub(crate) const fn floor(self) -> f64 {
        match self {
            Sureness::Confirmed => FLOOR,
            Sureness::Unconfirmed => FLOOR + UNCONFIRMED,
            Sureness::Said => FLOOR + ONLY_SAID,
        }
    }
}

/// How well a text fits.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Fit {
    /// All together, from 0 to a little above 1.
    pub(crate) value: f64,
    /// The share of the telling words that the text has.
    pub(crate) covered: f64,
    /// How much the words that it has tell in all.
    pub(crate) told: f64,
    /// How near it is in meaning, from 0 to 1.
    pub(crate) near: f64,
}

impl Asked {
    /// Reads a prompt: words that everybody uses every day tell next to nothing, unless it is a question
    /// about how things are here.
    pub(crate) fn prompt(text: &str) -> Asked {
        let spoken = spoken(text);
        // How long or how much something is tells nothing of what it is about.
        let mut empty = phrasal(text);
        empty.extend(of_places(text));
        let asks = is_open_question(text);
        let tells = |(_, word): &&(String, String)| {
            !is_measure(word) && !empty.contains(&word.to_lowercase()) && (asks || !is_part_of_a_day(word))
        };
        let telling: Vec<(String, String)> = spoken.iter().filter(tells).cloned().collect();
        let asked = Asked::read(&telling, if asks { ASKED } else { 0.0 });
        Asked { phrases: Phrases::of(&spoken), ..asked }
    }

    /// An answer has to fit its question at least so well.
    pub(crate) const ANSWERS: f64 = 0.51;

    /// Reads a question that was put to us. “Which date library do we use?” is answered by a name: the word for what
    /// sort of thing is wanted tells little, as long as others say which one.
    pub(crate) fn question(text: &str) -> Asked {
        let mut asked = Asked::question_in_full(text);
        let sorts: HashSet<String> = SORTS
            .iter()
            .copied()
            .chain(sort_of_thing(text))
            .flat_map(token::tokens)
            .map(|token| token.term)
            .collect();
        let is_sort = |term: &String| sorts.contains(term);
        let named: f64 = asked.words.iter().filter(|(term, _)| !is_sort(term)).map(|(_, tells)| tells).sum();
        if named >= ASKED {
            for (_, tells) in asked.words.iter_mut().filter(|(term, _)| is_sort(term)) {
                *tells *= OF_A_SORT;
            }
            asked.all = asked.words.iter().map(|(_, tells)| tells).sum();
        }
        asked
    }

    /// Reads a question of which every word counts: in what was only said, much is near by chance.
    pub(crate) fn question_in_full(text: &str) -> Asked {
        Asked::read(&spoken(text), ASKED)
    }

    /// Lets names tell nothing, as long as other words say what is asked.
    pub(crate) fn without(mut self, names: &[String]) -> Asked {
        let own: HashSet<String> =
            names.iter().flat_map(|name| token::tokens(name)).map(|token| token.term).collect();
        let others: f64 =
            self.words.iter().filter(|(term, _)| !own.contains(term)).map(|(_, tells)| tells).sum();
        if others >= ASKED {
            self.words.retain(|(term, _)| !own.contains(term));
            self.all = others;
        }
        self
    }

    /// Reads what somebody looks for: every word that is not grammar is meant.
    pub(crate) fn search(text: &str) -> Asked {
        Asked::read(&spoken(text), SOUGHT)
    }

    fn read(spoken: &[(String, String)], least: f64) -> Asked {
        let vocabulary = Vocabulary::default();
        let mut words: Vec<(String, f64)> = Vec::new();
        let mut vector = Vec::new();
        for (term, word) in spoken {
            let known = vocabulary.look_up(word);
            let tells = if known.common == Commonness::Chat { 0.0 } else { known.tells.max(least) };
            if tells > 0.0 && words.iter().all(|(other, _)| other != term) {
                add(&mut vector, &known.vector, tells);
                words.push((term.clone(), tells));
            }
        }
        normalise(&mut vector);
        let all = words.iter().map(|(_, tells)| tells).sum();
        let in_two = spoken.windows(2).map(|pair| (pair[0].clone(), pair[1].clone())).collect();
        Asked { all, words, vector, vocabulary, phrases: Phrases::default(), in_two }
    }

    /// Tells whether the words say anything that one could know something about.
    pub(crate) fn is_telling(&self) -> bool {
        self.all >= TELLING
    }

    /// Tells whether several words together may name something that one could know something about.
    pub(crate) const fn may_name(&self) -> bool {
        !self.phrases.is_empty()
    }

    /// Tells whether an entry says something that the words name together.
    pub(crate) fn is_named_in(&self, entry: &Entry) -> bool {
        self.phrases.shared(&spoken(&current_words(entry))).next().is_some()
    }

    /// Measures a text of which only what fits at least so well matters; the rest counts by its words.
    pub(crate) fn fit_above(&self, text: &str, least: f64) -> Fit {
        self.fit_of_words(spoken(text), least)
    }

    fn fit_of_words(&self, spoken: Vec<(String, String)>, least: f64) -> Fit {
        let by_words = self.by_words(&spoken, &self.phrases);
        self.above(by_words, spoken, least)
    }

    /// Measures a text of which there are so many that words stand side by side in some of them by chance.
    fn fit_among_many(&self, text: &str, least: f64) -> Fit {
        let spoken = spoken(text);
        let by_words = self.by_words(&spoken, &Phrases::default());
        self.above(by_words, spoken, least)
    }

    fn above(&self, by_words: Fit, spoken: Vec<(String, String)>, least: f64) -> Fit {
        let may_be = by_words.value + NEAR * (1.0 - CHANCE) >= least;
        if may_be { self.by_meaning(by_words, spoken) } else { by_words }
    }

    fn by_words(&self, spoken: &[(String, String)], phrases: &Phrases) -> Fit {
        // Those that are asked about are few: looking for each is quicker than a set of all that are spoken.
        let in_one = |term: &String| {
            let of_it = self.in_two.iter().filter(|(first, second)| first.0 == *term || second.0 == *term);
            of_it.into_iter().any(|(first, second)| is_in_one(first, second, spoken))
        };
        let is_spoken = |term: &String| {
            spoken.iter().any(|(other, _)| other == term) || is_in_two(term, spoken) || in_one(term)
        };
        let told: f64 = self.words.iter().filter(|(term, _)| is_spoken(term)).map(|(_, tells)| tells).sum();
        let together = phrases
            .shared(spoken)
            .map(|(first, second)| SIDE_BY_SIDE - self.tells(first) - self.tells(second));
        let told = told + together.fold(0.0, f64::max);
        let covered = (told / self.all.clamp(f64::MIN_POSITIVE, LONG)).min(1.0);
        Fit { value: COVERED * covered + TOLD * told.min(1.0), covered, told, near: 0.0 }
    }

    fn by_meaning(&self, by_words: Fit, spoken: Vec<(String, String)>) -> Fit {
        let mut vector = Vec::new();
        let mut heard = HashSet::new();
        for (term, word) in spoken {
            if heard.insert(term) {
                let known = self.vocabulary.look_up(&word);
                add(&mut vector, &known.vector, known.tells);
            }
        }
        normalise(&mut vector);
        let near = f64::from(vector.iter().zip(&self.vector).map(|(a, b)| a * b).sum::<f32>()).max(0.0);
        Fit { value: by_words.value + NEAR * (near - CHANCE).max(0.0), near, ..by_words }
    }

    /// Says how much a word tells that was asked about.
    pub(crate) fn tells(&self, term: &str) -> f64 {
        self.words.iter().find(|(own, _)| own == term).map_or(0.0, |(_, tells)| *tells)
    }

    /// Returns the word that alone ties a text to a prompt of several; nothing where others tell something too, or
    /// where it is most of what is asked.
    pub(crate) fn only_word(&self, text: &str) -> Option<&str> {
        let spoken = spoken(text);
        if self.phrases.shared(&spoken).next().is_some() {
            return None;
        }
        let is_spoken = |term: &String| spoken.iter().any(|(other, _)| other == term);
        let held = || self.words.iter().filter(|(term, _)| is_spoken(term));
        let (word, tells) = held().max_by(|a, b| a.1.total_cmp(&b.1))?;
        let others: f64 = held().map(|(_, tells)| tells).sum::<f64>() - tells;
        (others < BESIDES && *tells < MOST * self.all).then_some(word)
    }

    /// Returns the words that tell something, for a search by meaning.
    pub(crate) fn gist(&self, text: &str) -> String {
        let tells = |term: &String| self.words.iter().any(|(own, _)| own == term) || self.phrases.has(term);
        let telling = spoken(text).into_iter().filter(|(term, _)| tells(term));
        telling.map(|(_, word)| word).collect::<Vec<_>>().join(" ")
    }
}

/// "That's enough for this evening": when somebody works says nothing of what they work on.
fn is_part_of_a_day(word: &str) -> bool {
    const PARTS: [&str; 10] = [
        "morning",
        "noon",
        "afternoon",
        "evening",
        "evenings",
        "midnight",
        "spring",
        "summer",
        "autumn",
        "winter",
    ];
    PARTS.contains(&word)
}

/// Returns the word that says what sort of thing is asked for: “which time zone do we store times in”.
fn sort_of_thing(question: &str) -> Option<&str> {
    let words: Vec<&str> =
        question.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| !word.is_empty()).collect();
    let is_any = |word: &str, of: &[&str]| of.iter().any(|one| word.eq_ignore_ascii_case(one));
    let asks = words.iter().position(|word| is_any(word, &["which", "what"]))?;
    let verb = words[asks + 1..].iter().take(FEW).position(|word| is_any(word, VERBS))?;
    (verb > 0).then(|| words[asks + verb])
}

/// Tells whether a word, or its stem, is one that anybody says to anybody or to a coding agent.
pub(crate) fn is_everyday(term: &str) -> bool {
    matches!(commonness(term), Commonness::Chat | Commonness::Prompt)
}

fn add(sum: &mut Vec<f32>, vector: &[f32], weight: f64) {
    if sum.is_empty() {
        sum.resize(vector.len(), 0.0);
    }
    sum.iter_mut().zip(vector).for_each(|(sum, value)| *sum += weight as f32 * value);
}

fn normalise(vector: &mut [f32]) {
    let length = vector.iter().map(|v| v * v).sum::<f32>().sqrt();
    if length > 0.0 {
        vector.iter_mut().for_each(|v| *v /= length);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sort_of_thing_that_is_asked_for_need_not_be_in_the_answer() {
        let fit = |question: &str, text: &str| Asked::question(question).fit_above(text, 0.0).value;
        let answers = |question: &str, text: &str| fit(question, text) >= Asked::ANSWERS;
        assert!(answers("which date library do we use?", "We use date-fns for dates, not moment."));
        assert!(answers("which database do we use for invoices?", "Invoices are stored in Postgres."));
        assert!(answers("which feature flag service do we have?", "Feature flags live in LaunchDarkly."));
        assert!(!answers("which database do we use?", "We use date-fns for dates, not moment."));
        assert!(!answers("which date library do we use?", "Deploys go out on Tuesdays only."));
    }

    #[test]
    fn everyday_prompts_tell_nothing() {
        for prompt in
            ["yes", "fix the failing test", "commit and push", "continue", "what does this error mean"]
        {
            assert!(!Asked::prompt(prompt).is_telling(), "{prompt}");
        }
        for prompt in ["which port does the proxy of the greenhouse use?", "renumber the footnotes"] {
            assert!(Asked::prompt(prompt).is_telling(), "{prompt}");
        }
        // Where a file lies says nothing of what it is about.
        assert!(!Asked::prompt("What does src/x.py do?").is_telling());
        assert!(Asked::prompt("What does src/mast.py do?").is_telling());
        for prompt in ["I have two hours left, continue", "how many hours are in a day", "wait 5 minutes"] {
            assert!(!Asked::prompt(prompt).is_telling(), "{prompt}");
        }
        // Whoever looks for a word means it.
        assert!(Asked::search("test").is_telling() && !Asked::search("the of").is_telling());
    }

    #[test]
    fn what_is_about_it_fits_better() {
        let asked = Asked::prompt("what is the maximum voltage of the turbine?");
        let fit = |text: &str| asked.fit_above(text, 0.0).value;
        let about = fit("The turbine must never run above 400 volts.");
        assert!(about > fit("Invoices are sent on Mondays.") + 0.3, "{about}");
        assert!(about > fit("The maximum is checked in the tests."), "{about}");
        assert!(fit("").abs() < 1e-9);
    }
}
