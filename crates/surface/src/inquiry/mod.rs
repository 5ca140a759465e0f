//! Questions that an experiment could answer, taken apart and compared.
//!
//! A question such as “Should we use X or Y for Z, within 2 seconds?” has alternatives (X, Y), a subject
//! (Z), a measure (time) and conditions (2 seconds). Whether a spike answers it already is decided here
//! alone, by [`Inquiry::answered_by`], for whoever asks: `lore spike`, `lore surface` and `lore ask`.

mod alternatives;
mod compare;
mod cover;
mod lexicon;
mod parse;
mod quantity;

pub use compare::Fit;
pub use cover::{Already, AnsweredHow, KnownAnswer, already_answered};
use lore_core::text::joined_numbers;
pub use quantity::Quantity;
pub(crate) use quantity::is_measure;

/// What is asked, taken apart.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Inquiry {
    /// The question as it was put.
    pub text: String,
    /// What can be chosen from, as written.
    pub alternatives: Vec<String>,
    /// What it is for, in its own words.
    pub subject: String,
    /// What limits the choice, as written: platform, version, what must be done without.
    pub conditions: Vec<String>,
    /// For how much, and within what.
    pub quantities: Vec<Quantity>,
    /// By what it is to be told: time, memory, size, accuracy, cost.
    pub measure: Option<Measure>,
    /// What was measured for it, where its answer is known.
    measured: Vec<Measure>,
    /// Stems of the subject.
    terms: Vec<String>,
    /// Names that are neither alternatives nor conditions.
    names: Vec<String>,
}

/// What a choice is told by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Measure {
    /// How long it takes.
    Time,
    /// How much memory it takes.
    Memory,
    /// How large what comes out is.
    Size,
    /// How right it is.
    Accuracy,
    /// What it costs.
    Cost,
}

impl Measure {
    /// Returns its word.
    pub const fn word(self) -> &'static str {
        match self {
            Measure::Time => "time",
            Measure::Memory => "memory",
            Measure::Size => "size",
            Measure::Accuracy => "accuracy",
            Measure::Cost => "cost",
        }
    }
}

impl Inquiry {
    /// Takes a question apart; whatever the words, something comes out.
    pub fn parse(text: &str) -> Inquiry {
        let parsed = parse::parse(&joined_numbers(text));
        Inquiry { text: text.trim().to_owned(), ..parsed }
    }

    /// Adds alternatives that the question itself does not name.
    #[must_use]
    pub fn with_alternatives(mut self, alternatives: &[String]) -> Inquiry {
        for alternative in alternatives {
            if !self.alternatives.iter().any(|known| compare::same_thing(known, alternative)) {
                self.alternatives.push(alternative.clone());
            }
        }
        self
    }

    /// Adds the name of a metric that its answer was told by, such as `wall_ms`.
    #[must_use]
    pub fn with_metric(mut self, metric: &str) -> Inquiry {
        self.measured.extend(parse::measure_of(metric));
        self
    }

    /// Adds a condition or a scale that is told beside the question.
    #[must_use]
    pub fn with_condition(mut self, condition: &str) -> Inquiry {
        let told = parse::parse(&format!("for it under {}", joined_numbers(condition)));
        for quantity in told.quantities {
            if !self.quantities.contains(&quantity) {
                self.quantities.push(quantity);
            }
        }
        for one in told.conditions {
            if !self.conditions.contains(&one) {
                self.conditions.push(one);
            }
        }
        self
    }

    /// Tells whether looking it up would do: it asks where, what or whether something is supported, and
    /// nothing in it has to be measured.
    pub fn is_to_look_up(&self) -> bool {
        let first = self.text.split_whitespace().next().unwrap_or_default().to_lowercase();
        let asks_for_facts =
            ["where", "what", "who", "when", "which", "does", "is", "how"].contains(&first.as_str());
        let lower = self.text.to_lowercase();
        let of_papers = lexicon::PAPERS.iter().any(|word| lower.contains(word));
        self.alternatives.len() < 2
            && self.measure.is_none()
            && self.quantities.is_empty()
            && (matches!(first.as_str(), "where" | "what" | "who" | "when") || (asks_for_facts && of_papers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blanks_between_thousands_are_no_end_of_a_number() {
        let inquiry = Inquiry::parse("Does Ash or Birch carry 34 560 bricks?");
        assert_eq!(inquiry.text, "Does Ash or Birch carry 34 560 bricks?", "the words stay as they were");
        let scales: Vec<&str> = inquiry.quantities.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(scales, ["34560 bricks"]);
        assert!(!inquiry.subject.contains("34"), "{}", inquiry.subject);
        let told = inquiry.with_condition("12 000 posts");
        assert_eq!(told.quantities.len(), 2);
        assert!((told.quantities[1].value - 12_000.0).abs() < 1e-9);
    }

    #[test]
    fn questions_are_taken_apart() {
        let check = |text: &str, alternatives: &[&str], subject: &str| {
            let inquiry = Inquiry::parse(text);
            assert_eq!(inquiry.alternatives, alternatives, "{text}");
            assert_eq!(inquiry.subject, subject, "{text}");
        };
        check("Should we use Ash or Birch for the fence posts?", &["Ash", "Birch"], "fence posts");
        check("ash vs birch for fence posts", &["ash", "birch"], "fence posts");
        check(
            "Which of Ash, Birch and Cedar should we use for the posts?",
            &["Ash", "Birch", "Cedar"],
            "posts",
        );
        check("Is Ash harder than Birch for the posts?", &["Ash", "Birch"], "harder posts");
        check("Do we need Ash, or does Birch suffice for the posts?", &["Ash", "Birch"], "posts");
        check("Is dry Birch good enough for posts, or do we need Ash?", &["dry Birch", "Ash"], "posts");
        check("Should posts be cut by hand or with a saw?", &["hand", "saw"], "posts cut");
        check("Should we use Ash for the fence posts?", &["Ash"], "fence posts");
        check("Any reason to prefer Ash over Birch for the posts?", &["Ash", "Birch"], "reason posts");
        check("Should we use a saw instead of an axe for the posts?", &["saw", "axe"], "posts");
        check("Are the posts smaller with Ash than with Birch?", &["Ash", "Birch"], "posts");
        check("Are posts cut twice as fast with saws?", &["saws"], "posts cut twice");
        check("Would you choose Ash for posts over a swamp?", &["Ash"], "posts");
        check("Where are the fence posts stored?", &[], "Where fence posts stored");
        check("", &[], "");
    }

    #[test]
    fn conditions_and_measures_are_told_apart() {
        let inquiry = Inquiry::parse("Is Ash cheaper than Birch for 2000 posts on wet soil without a crane?");
        assert_eq!(inquiry.alternatives, ["Ash", "Birch"]);
        assert_eq!(inquiry.measure, Some(Measure::Cost));
        assert_eq!(inquiry.conditions, ["wet soil", "without crane"]);
        assert_eq!(inquiry.quantities.len(), 1);
        assert!(Inquiry::parse("Where are the posts stored?").is_to_look_up());
        assert!(!inquiry.is_to_look_up());
    }

    #[test]
    fn what_is_told_beside_the_question_counts() {
        let known = Inquiry::parse("Ash or Birch for the posts?").with_condition("10 thousand posts");
        let asked = Inquiry::parse("Ash or Birch for the posts, 10000 posts in all?");
        assert_eq!(asked.answered_by(&known), Fit::Full);
        assert_eq!(known.with_alternatives(&["birch".into(), "Cedar".into()]).alternatives.len(), 3);
    }
}
