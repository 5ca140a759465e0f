//! Finds a title of at most ten words.

use std::sync::LazyLock;

use regex::Regex;

use crate::extract::passage::{Origin, Passage};
use crate::extract::sentence::word_count;
use crate::extract::shape::opens_with_pronoun;
use crate::extract::wording::{capital, request, says_something, strip_openers};

/// Most words of a title.
const MOST: usize = 10;

static BREAK: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?x)\s+[-–—]+\s+|;\s|:\s|,\s+(?:but|so|and|which|because|since|as|if|when|where|unless|while|instead|giving|making|then)\b|\.\s|\s\(|,\s|\s(?:because|so\ that|since|which|unless|in\ order\ to|instead\ of|rather\ than|when|where|that|for|without|before|after|while|until|to\ avoid)\b")
        .expect("the pattern is a constant")
});
static CONDITION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^(?:when|if|since|after|before|because|while|once|given|right now|currently|until)\b[^,]*,\s+(?:then\s+)?")
        .expect("the pattern is a constant")
});
/// Words that a headline can do without.
const FILLER: [&str; 22] = [
    "the",
    "a",
    "an",
    "just",
    "also",
    "now",
    "currently",
    "actually",
    "really",
    "simply",
    "always-on",
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
];
/// Words that cannot end a title.
const DANGLING: [&str; 47] = [
    "the", "a", "an", "and", "or", "but", "of", "in", "on", "at", "by", "to", "from", "with", "into", "for",
    "as", "is", "are", "was", "were", "be", "that", "which", "when", "if", "so", "because", "than", "its",
    "their", "this", "these", "it", "we", "you", "i", "not", "no", "any", "each", "will", "should", "can",
    "has", "have", "only",
];

/// Writes the title of a passage.
pub(crate) fn title(passage: &Passage) -> String {
    let lead = passage.lead.as_deref().filter(|lead| passage.sentences.len() > 1 && says_something(lead));
    let sentence = lead.map_or_else(|| best_sentence(passage), |lead| lead.trim_end_matches(':'));
    let bare =
        if passage.origin == Origin::Person { request(sentence) } else { strip_openers(sentence).to_owned() };
    let label = passage
        .label
        .as_deref()
        .filter(|_| lead.is_none())
        .filter(|label| (3..=MOST).contains(&word_count(label)));
    let text = label.map_or_else(|| headline(&bare), headline);
    let text = text.trim_matches(|c: char| {
        c.is_whitespace() || matches!(c, '.' | ',' | ':' | ';' | '-' | '–' | '—' | '?' | '!')
    });
    capital(&balanced(text))
}

fn best_sentence(passage: &Passage) -> &str {
    let long_enough = |sentence: &&String| word_count(sentence) >= 4;
    let telling = |sentence: &&String| {
        long_enough(sentence) && !opens_with_pronoun(sentence) && !sentence.ends_with('?')
    };
    let all = &passage.sentences;
    let found = all.iter().find(telling).or_else(|| all.iter().find(long_enough)).or_else(|| all.first());
    found.map(String::as_str).unwrap_or_default()
}

/// Shortens a sentence to a headline: first whole, then without fillers, then at a clause, then by force.
fn headline(sentence: &str) -> String {
    let sentence = sentence
        .split_once(". ")
        .map_or(sentence, |(first, _)| if word_count(first) >= 4 { first } else { sentence });
    let sentence = without_parentheses(sentence.trim());
    if word_count(&sentence) <= MOST {
        return sentence;
    }
    let terse = without_fillers(&sentence);
    if word_count(&terse) <= MOST {
        return terse;
    }
    // What comes first is the condition, not the point, where the sentence opens with one.
    let point = CONDITION.find(&terse).map_or(terse.as_str(), |found| terse[found.end()..].trim_start());
    let point = if word_count(point) >= 4 { point } else { terse.as_str() };
    if word_count(point) <= MOST {
        return point.to_owned();
    }
    clause(point).unwrap_or_else(|| forced(point))
}

/// Takes the longest opening that ends with a clause and fits; code spans are never cut.
fn clause(text: &str) -> Option<String> {
    let whole = |end: &usize| {
        let opening = &text[..*end];
        opening.matches('`').count().is_multiple_of(2) && opening.matches('"').count().is_multiple_of(2)
    };
    let fits = |end: &usize| (4..=MOST).contains(&word_count(&text[..*end]));
    let ends = BREAK.find_iter(text).map(|found| found.start()).filter(whole).filter(fits);
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

fn without_fillers(text: &str) -> String {
    let kept: Vec<&str> =
        text.split_whitespace().filter(|word| !FILLER.contains(&word.to_lowercase().as_str())).collect();
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
        let made = headline(sentence);
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
    }
}
