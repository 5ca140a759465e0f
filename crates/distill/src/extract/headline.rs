//! Shortens a sentence to a headline.

use std::sync::LazyLock;

use lore_core::text::{first_and_rest, is_cut_short};
use regex::Regex;

use crate::extract::flaws::cannot_end;
use crate::extract::sentence::word_count;

/// Most words of a title.
pub(crate) const MOST: usize = 10;

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

/// A short line, and how it came to be short.
pub(crate) struct Headline {
    pub(crate) text: String,
    pub(crate) cut: Cut,
}

/// Where a sentence was cut to make it short.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Cut {
    Nowhere,
    AtClause,
    AtPhrase,
    Anywhere,
}

/// Shortens a sentence to a headline: first whole, then without fillers, then at a clause, then by force.
pub(crate) fn headline(sentence: &str, most: usize) -> Headline {
    let whole = |text: String| Headline { text, cut: Cut::Nowhere };
    let sentence = first_and_rest(sentence)
        .map_or(sentence, |(first, _)| if word_count(first) >= 4 { first } else { sentence });
    let sentence = without_parentheses(sentence.trim());
    if word_count(&sentence) <= most {
        return whole(sentence);
    }
    let mut terse = sentence;
    for fillers in FILLER {
        terse = without(&terse, fillers);
        if word_count(&terse) <= most {
            return whole(terse);
        }
    }
    // What comes first is the condition, not the point, where the sentence opens with one.
    let point = CONDITION.find(&terse).map_or(terse.as_str(), |found| terse[found.end()..].trim_start());
    let point = if word_count(point) >= 4 { point } else { terse.as_str() };
    if word_count(point) <= most {
        return whole(point.to_owned());
    }
    let at = |breaks: &Regex, cut: Cut| cut_at(point, breaks, most).map(|text| Headline { text, cut });
    at(&BREAK, Cut::AtClause)
        .or_else(|| at(&WEAK_BREAK, Cut::AtPhrase))
        .unwrap_or_else(|| Headline { text: forced(point, most), cut: Cut::Anywhere })
}

/// Takes the longest opening that ends at such a break and fits; code spans are never cut.
fn cut_at(text: &str, breaks: &Regex, most: usize) -> Option<String> {
    let whole = |end: &usize| {
        let opening = &text[..*end];
        opening.matches('`').count().is_multiple_of(2) && opening.matches('"').count().is_multiple_of(2)
    };
    let fits = |end: &usize| (4.min(most)..=most).contains(&word_count(&text[..*end]));
    let stops =
        |found: &regex::Match<'_>| !(found.as_str().starts_with('.') && is_cut_short(&text[..found.start()]));
    let ends = breaks.find_iter(text).filter(stops).map(|found| found.start()).filter(whole).filter(fits);
    ends.last().map(|end| text[..end].to_owned())
}

fn forced(text: &str, most: usize) -> String {
    let mut words: Vec<&str> = Vec::new();
    for word in text.split_whitespace() {
        if word_count(&words.join(" ")) >= most {
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
        if !open && !cannot_end(&last) {
            break;
        }
        words.pop();
    }
    words.join(" ")
}

fn without(text: &str, fillers: &[&str]) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    // “From now on” is one word in three.
    let stands = |at: usize| words[at] == "now" && at > 0 && words[at - 1].eq_ignore_ascii_case("from");
    let kept = words
        .iter()
        .enumerate()
        .filter(|(at, word)| stands(*at) || !fillers.contains(&word.to_lowercase().as_str()));
    kept.map(|(_, word)| *word).collect::<Vec<_>>().join(" ")
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
pub(crate) fn balanced(text: &str) -> String {
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
        let made = headline(sentence, MOST).text;
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
            "From now on the rounding of all amounts is done by the one shared helper",
            "From now on rounding of all amounts is done",
        );
        check(
            "The inner reader can handle an empty tree from an older version by falling back to the base",
            "inner reader can handle empty tree from older version",
        );
    }
}
