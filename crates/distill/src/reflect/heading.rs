//! The title of a lesson: what to do, as much of it as a title holds.

use std::sync::LazyLock;

use regex::Regex;

use super::order::parted;
use super::remedy::{Remedy, capital};
use super::wording::lower_first;
use crate::extract::flaws::cannot_end;
use crate::extract::sentence::{word_count, words};

/// So many words and letters make a title.
const TITLE: std::ops::RangeInclusive<usize> = 4..=17;
const LETTERS: usize = 100;

impl Remedy {
    /// Returns it as a title, where it is an order: as much of it as a title holds.
    pub(super) fn order(&self) -> Option<String> {
        static ENDS: LazyLock<Regex> = LazyLock::new(|| {
            Regex::new(r"[,;:.] |[.]$| (?:that|which|to determine|so|because|whenever|where|when|before|until|rather than|instead of) | \(| — | – | -- ")
                .expect("a constant")
        });
        let shortened = |text: &str| {
            // A condition alone says nothing.
            let opened = parted(text).0.map_or(0, str::len);
            let bounds = ENDS.find_iter(text).map(|end| end.start()).chain([text.len()]);
            let titles = bounds.filter(|end| *end > opened).map(|end| text[..end].trim_end_matches('.'));
            titles.filter(|short| fits(short)).last().map(str::to_owned)
        };
        let whole = |text: &str| Some(text.trim_end_matches('.').to_owned()).filter(|text| fits(text));
        let title = || {
            let bare = BRACKETS.replace_all(&self.text, "");
            let known = whole(&self.text).or_else(|| whole(&bare)).or_else(|| shortened(&self.text));
            // What opens with a condition ends with as much of it as there is room for.
            known.or_else(|| {
                let (condition, main) = parted(&self.text);
                let main = shortened(&capital(main))?;
                let condition = lower_first(condition?);
                let ends = AT_LENGTH.find_iter(&condition).map(|end| end.start()).chain([condition.len()]);
                let with =
                    ends.map(|end| format!("{main} {}", &condition[..end])).filter(|title| fits(title));
                Some(with.last().unwrap_or(main))
            })
        };
        self.is_order.then(title).flatten()
    }
}

/// What stands in brackets.
static BRACKETS: LazyLock<Regex> = LazyLock::new(|| Regex::new(r" \([^()]*\)").expect("a constant"));
/// Where a condition may be cut.
static AT_LENGTH: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r" (?:for|in|of|and|or|on|with) | \(").expect("a constant"));
/// A name or a command.
static CODE: LazyLock<Regex> = LazyLock::new(|| Regex::new("`[^`]*`").expect("a constant"));

/// Tells whether the beginning of an order makes a title.
fn fits(short: &str) -> bool {
    let balanced = |sign: char| short.matches(sign).count().is_multiple_of(2);
    // What follows a colon or a dash is whole or not there.
    let bare = CODE.replace_all(short, "");
    let opens = [": ", " -- ", " — ", " – "].iter().any(|sign| bare.contains(sign));
    TITLE.contains(&word_count(short))
        && short.chars().count() <= LETTERS
        && balanced('`')
        && balanced('"')
        && short.matches('(').count() == short.matches(')').count()
        && !opens
        && !short.contains(". ")
        && !words(short).last().is_some_and(|last| cannot_end(&last))
}

#[cfg(test)]
mod tests {
    use super::super::remedy::Known;
    use super::*;

    #[test]
    fn an_order_makes_a_title_as_long_as_there_is_room() {
        let title = |text: &str| {
            let (known, from) = (Known::Asked, String::new());
            Remedy { known, text: text.to_owned(), is_order: true, from, score: 1.0 }.order()
        };
        for (text, expected) in [
            ("Set `lock: on` in the winch.", Some("Set `lock: on` in the winch")),
            (
                "Lock the chain after mooring (chain, rope, winch and whatever else holds the boat at the pier at night) and ring the bell.",
                Some("Lock the chain after mooring and ring the bell"),
            ),
            (
                "Keep a list of locks: the first one is for the chain, the second one for the rope and the last one for the boat.",
                Some("Keep a list of locks"),
            ),
            (
                "When leaving the boat for the night of a storm that the harbour has announced, write all three locks into the book: chain, rope, boat.",
                Some("Write all three locks into the book when leaving the boat for the night"),
            ),
            ("Lock it.", None),
        ] {
            assert_eq!(title(text).as_deref(), expected, "{text}");
        }
    }
}
