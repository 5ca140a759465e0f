//! Finds a title of at most ten words.

use std::sync::LazyLock;

use regex::Regex;

use crate::extract::passage::{Origin, Passage};
use crate::extract::phrases::without_label;
use crate::extract::sentence::word_count;
use crate::extract::shape::{opens_with_pronoun, speaks_of_self};
use crate::extract::wording::{capital, request, says_something, strip_openers};

/// Most words of a title.
const MOST: usize = 10;

static BREAK: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?x)\s+[-–—]+\s+|;\s|:\s|,\s+(?:but|so|and|which|because|since|as|if|when|where|unless|while|instead|giving|making|then)\b|\.\s|\s\(|,\s|\s(?:because|so\ that|since|which|unless|in\ order\ to|instead\ of|rather\ than|when|where|that|for|without|before|after|while|until|to\ avoid)\b")
        .expect("the pattern is a constant")
});
/// Where a phrase begins that a headline can do without.
static WEAK_BREAK: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\s(?:by|with|via|from|to|in|on|at|as|and|or|using|during|into|through|across|under|against|so|but|were|was|is|are|per|between|of)\s")
        .expect("the pattern is a constant")
});
static CONDITION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^(?:when|if|since|after|before|because|while|once|given|right now|currently|until)\b[^,]*,\s+(?:then\s+)?")
        .expect("the pattern is a constant")
});
/// Words that a headline can do without, the idlest first.
const FILLER: [&[&str]; 3] = [
    &[
        "just",
        "also",
        "now",
        "currently",
        "actually",
        "really",
        "simply",
        "already",
        "please",
        "then",
        "completely",
        "very",
        "basically",
        "definitely",
        "automatically",
        "correctly",
        "properly",
        "right",
    ],
    &["the"],
    &["a", "an"],
];
/// Words that cannot end a title.
const DANGLING: [&str; 51] = [
    "the", "a", "an", "and", "or", "but", "of", "in", "on", "at", "by", "to", "from", "with", "into", "for",
    "as", "is", "are", "was", "were", "be", "that", "which", "when", "if", "so", "because", "than", "its",
    "their", "this", "these", "it", "we", "you", "i", "not", "no", "any", "each", "will", "should", "can",
    "has", "have", "only", "both", "who", "while", "then",
];

/// Writes the title of a passage: the best headline that its sentences, its label or its lead give.
pub(crate) fn title(passage: &Passage) -> String {
    let several = passage.sentences.len() > 1;
    let lead = passage.lead.as_deref().filter(|lead| several && says_something(lead));
    let label = passage.label.as_deref().filter(|label| (3..=MOST).contains(&word_count(label)));
    let made = |sentence: &str, bonus: f64| {
        let bare = match passage.origin {
            Origin::Person => request(sentence),
            _ => without_label(strip_openers(sentence)).to_owned(),
        };
        let headline = headline(&bare);
        let quality = headline.quality() + bonus;
        (quality, headline)
    };
    // “The second one” is named by what the second one was.
    let taken = passage.referent.as_ref().filter(|(option, _)| !option.ends_with('?'));
    let mut made: Vec<(f64, Headline)> = passage
        .sentences
        .iter()
        .enumerate()
        .map(|(place, sentence)| made(sentence, if place == 0 { 0.4 } else { 0.0 }))
        .chain(passage.sentences.first().and_then(|first| after_label(first)).map(|rest| made(rest, 0.3)))
        .chain(lead.map(|lead| made(lead.trim_end_matches(':'), 0.3)))
        .chain(label.map(|label| made(label, 0.5)))
        .chain(taken.map(|(option, _)| made(option, 0.6)))
        .collect();
    // The first of equals.
    made.sort_by(|a, b| b.0.total_cmp(&a.0));
    let text = made.into_iter().next().map(|(_, headline)| headline.text).unwrap_or_default();
    let text = if passage.origin == Origin::Person { request(&text) } else { text };
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

/// A short line, and how it came to be short.
struct Headline {
    text: String,
    cut: Cut,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Cut {
    Nowhere,
    AtClause,
    AtPhrase,
    Anywhere,
}

impl Headline {
    /// Tells how well it would do above an article; more is better.
    fn quality(&self) -> f64 {
        let words = word_count(&self.text);
        let cut = match self.cut {
            Cut::Nowhere => 0.0,
            Cut::AtClause => -0.3,
            Cut::AtPhrase => -0.6,
            Cut::Anywhere => -1.5,
        };
        let mut quality = cut;
        if words < 3 {
            quality -= 2.0;
        } else if words < 4 {
            quality -= 0.4;
        }
        if opens_with_pronoun(&self.text) || speaks_of_self(&self.text) {
            quality -= 1.0;
        }
        let first = self.text.split_whitespace().next().unwrap_or_default().to_lowercase();
        if LEANING.contains(&first.trim_end_matches(',')) {
            quality -= 1.0;
        }
        if self.text.ends_with('?') {
            quality -= 0.8;
        }
        quality
    }
}

/// Tells whether a title would puzzle whoever reads it in a list.
pub(crate) fn is_poor(title: &str) -> bool {
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric() && c != '\'').to_lowercase();
    let words: Vec<String> = title.split_whitespace().map(bare).filter(|word| !word.is_empty()).collect();
    let (Some(first), Some(last)) = (words.first(), words.last()) else { return true };
    let hanging = ["it's", "that's", "there's", "here's", "they're", "we're", "i'm", "such", "also", "even"];
    let code = title.matches('`').count() >= 2 && last.len() < 3;
    let unbalanced = [('(', ')'), ('{', '}'), ('[', ']')]
        .iter()
        .any(|(open, close)| title.matches(*open).count() != title.matches(*close).count());
    words.len() < 3
        || unbalanced
        || opens_with_pronoun(title)
        || !code && (DANGLING.contains(&last.as_str()) || hanging.contains(&last.as_str()))
        || [
            "now", "also", "then", "so", "here", "here's", "there", "there's", "looking", "you", "you're",
            "i", "i'm", "i'd", "i've", "we're", "yes", "no", "yeah",
        ]
        .contains(&first.as_str())
}

/// Words that open a sentence which goes on from another one.
const LEANING: [&str; 33] = [
    "now",
    "also",
    "then",
    "so",
    "here",
    "here's",
    "there",
    "there's",
    "we",
    "you",
    "looking",
    "in",
    "with",
    "for",
    "which",
    "still",
    "instead",
    "otherwise",
    "returns",
    "uses",
    "if",
    "when",
    "shows",
    "sets",
    "allows",
    "looks",
    "checks",
    "handles",
    "contains",
    "adds",
    "based",
    "added",
    "updated",
];

/// Shortens a sentence to a headline: first whole, then without fillers, then at a clause, then by force.
fn headline(sentence: &str) -> Headline {
    let whole = |text: String| Headline { text, cut: Cut::Nowhere };
    let sentence = sentence
        .split_once(". ")
        .map_or(sentence, |(first, _)| if word_count(first) >= 4 { first } else { sentence });
    let sentence = without_parentheses(sentence.trim());
    if word_count(&sentence) <= MOST {
        return whole(sentence);
    }
    let mut terse = sentence;
    for fillers in FILLER {
        terse = without(&terse, fillers);
        if word_count(&terse) <= MOST {
            return whole(terse);
        }
    }
    // What comes first is the condition, not the point, where the sentence opens with one.
    let point = CONDITION.find(&terse).map_or(terse.as_str(), |found| terse[found.end()..].trim_start());
    let point = if word_count(point) >= 4 { point } else { terse.as_str() };
    if word_count(point) <= MOST {
        return whole(point.to_owned());
    }
    let at = |breaks: &Regex, cut: Cut| cut_at(point, breaks).map(|text| Headline { text, cut });
    at(&BREAK, Cut::AtClause)
        .or_else(|| at(&WEAK_BREAK, Cut::AtPhrase))
        .unwrap_or_else(|| Headline { text: forced(point), cut: Cut::Anywhere })
}

/// Takes the longest opening that ends at such a break and fits; code spans are never cut.
fn cut_at(text: &str, breaks: &Regex) -> Option<String> {
    let whole = |end: &usize| {
        let opening = &text[..*end];
        opening.matches('`').count().is_multiple_of(2) && opening.matches('"').count().is_multiple_of(2)
    };
    let fits = |end: &usize| (4..=MOST).contains(&word_count(&text[..*end]));
    let ends = breaks.find_iter(text).map(|found| found.start()).filter(whole).filter(fits);
    ends.last().map(|end| text[..end].to_owned())
}

fn forced(text: &str) -> String {
    let mut words: Vec<&str> = Vec::new();
    for word in text.split_whitespace() {
        if word_count(&words.join(" ")) >= MOST {
            break;
        }
        words.push(word);
    }
    while words.len() > 3 {
        let last = words[words.len() - 1].trim_end_matches([',', ';', ':', '.']).to_lowercase();
        let text = words.join(" ");
        let open = text.matches('`').count() % 2 == 1
            || text.matches('"').count() % 2 == 1
            || text.matches('(').count() > text.matches(')').count();
        if !open && !DANGLING.contains(&last.as_str()) {
            break;
        }
        words.pop();
    }
    words.join(" ")
}

fn without(text: &str, fillers: &[&str]) -> String {
    let kept: Vec<&str> =
        text.split_whitespace().filter(|word| !fillers.contains(&word.to_lowercase().as_str())).collect();
    kept.join(" ")
}

fn without_parentheses(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut depth, mut code) = (0_u32, false);
    let mut previous = ' ';
    for letter in text.chars() {
        match letter {
            '`' => {
                code = !code;
                if depth == 0 {
                    out.push(letter);
                }
            }
            '(' if !code && (previous.is_whitespace() || depth > 0) => depth += 1,
            ')' if !code && depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            _ => out.push(letter),
        }
        previous = letter;
    }
    if depth > 0 {
        return text.to_owned();
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Drops a code mark or quotation mark that lost its partner.
fn balanced(text: &str) -> String {
    let mut out = text.to_owned();
    for mark in ['`', '"'] {
        if out.matches(mark).count() % 2 == 1
            && let Some(at) = out.rfind(mark)
        {
            out.remove(at);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(sentence: &str, expected: &str) {
        let made = headline(sentence).text;
        assert_eq!(made, expected);
        assert!(word_count(&made) <= MOST);
    }

    #[test]
    fn headlines_are_short_and_whole() {
        check("Keep the old name", "Keep the old name");
        check(
            "The cache is now cleared on every start because stale entries were served to the users of the old version",
            "cache is cleared on every start",
        );
        check("Use `a b` (the new one)", "Use `a b`");
        check(
            "The inner reader can handle an empty tree from an older version by falling back to the base",
            "inner reader can handle empty tree from older version",
        );
    }
}
