//! When a question is about: `in mid January`, `on 12 February`, `nowadays`, `at first`.

use jiff::civil::Date;

/// What a question says about time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Period {
    /// Nothing.
    Unsaid,
    /// It asks for how things are.
    Now,
    /// It asks for how things began.
    First,
    /// It asks for how things were between two days, both included.
    Between(Date, Date),
}

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
const NOW: [&str; 10] = [
    "these days",
    "nowadays",
    "currently",
    "at the moment",
    "right now",
    "any more",
    "anymore",
    "today",
    "by now",
    "at present",
];
const FIRST: [&str; 5] = ["at first", "originally", "initially", "in the beginning", "used to"];

/// Words that put a question into the past …
const PAST: [&str; 21] = [
    "did", "didn", "was", "wasn", "were", "weren", "had", "hadn", "been", "ago", "began", "broke", "came",
    "chose", "fell", "gave", "knew", "ran", "took", "went", "wrote",
];
/// … those that do where nothing makes a present of them, as every verb with `ed`, …
const ENDED: [&str; 18] = [
    "bought", "brought", "built", "felt", "found", "heard", "held", "kept", "left", "lost", "made", "met",
    "paid", "said", "sent", "sold", "told", "won",
];
/// … and what makes a present of them: `are paid`, `can be changed`.
const PRESENT: [&str; 14] =
    ["am", "are", "be", "being", "can", "do", "does", "get", "gets", "is", "may", "must", "should", "will"];

/// Reads the time a question is about; a day without a year is the last one before `latest`.
///
/// “How long do refunds take in December?” asks for what holds each December: a time without a year narrows only a
/// question about the past.
pub(crate) fn period(question: &str, latest: Date) -> Period {
    let lower = question.to_lowercase();
    let mut dates = lower.split(|c: char| !c.is_ascii_digit() && c != '-');
    if let Some(day) = dates.find_map(|word| word.trim_matches('-').parse::<Date>().ok()) {
        return Period::Between(day, day);
    }
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    for (at, word) in words.iter().enumerate() {
        if let Some(month) = month(word, words.get(at + 1), at.checked_sub(1).map(|before| words[before])) {
            let year = words.iter().any(|word| is_year(word));
            // What came after a day is not what was known until then.
            let onwards = at.checked_sub(1).is_some_and(|before| matches!(words[before], "since" | "after"));
            return match (year || is_past(&words)) && !onwards {
                true => span(&words, at, month, latest),
                false => Period::Unsaid,
            };
        }
    }
    if FIRST.iter().any(|phrase| lower.contains(phrase)) {
        return Period::First;
    }
    if NOW.iter().any(|phrase| lower.contains(phrase)) || words.contains(&"now") {
        return Period::Now;
    }
    Period::Unsaid
}

/// Tells whether a question is about something that was said, done or so at a time.
fn is_past(words: &[&str]) -> bool {
    let ended = |word: &&str| ENDED.contains(word) || word.len() > 4 && word.ends_with("ed");
    let present = || words.iter().any(|word| PRESENT.contains(word));
    words.iter().any(|word| PAST.contains(word)) || words.iter().any(ended) && !present()
}

fn is_year(word: &str) -> bool {
    word.parse::<i16>().is_ok_and(|year| (1990..2100).contains(&year))
}

/// Reads a month by its name or its first three letters; `may` and `mar` need a number or a preposition.
fn month(word: &str, next: Option<&&str>, before: Option<&str>) -> Option<i8> {
    let short = |name: &str| word.len() == 3 && name.starts_with(word);
    let number = MONTHS.iter().position(|name| *name == word || short(name))?;
    let counted = next.copied().and_then(ordinal).is_some() || before.and_then(ordinal).is_some();
    let placed = before.is_some_and(|before| {
        ["in", "of", "mid", "early", "late", "since", "until", "by", "during", "before", "after", "last"]
            .contains(&before)
    });
    let plain = word != "may" && word != "mar" && word != "march";
    (plain || counted || placed).then_some(number as i8 + 1)
}

/// Reads `12`, `12th`, `2nd`, `3rd`, `1st`.
fn ordinal(word: &str) -> Option<i8> {
    let digits = word.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let suffix = &word[digits.len()..];
    let fits = ["", "st", "nd", "rd", "th"].contains(&suffix);
    digits.parse().ok().filter(|day| fits && (1..=31).contains(day))
}

fn span(words: &[&str], at: usize, month: i8, latest: Date) -> Period {
    let year = words.iter().find(|word| is_year(word)).and_then(|word| word.parse::<i16>().ok());
    let day = words.get(at + 1).and_then(|word| ordinal(word)).or_else(|| {
        let before = at.checked_sub(1).map(|before| words[before]);
        let before =
            if before == Some("of") { at.checked_sub(2).map(|before| words[before]) } else { before };
        before.and_then(ordinal)
    });
    let first = |year: i16| Date::new(year, month, 1).ok();
    let Some(start) = year.and_then(first).or_else(|| {
        first(latest.year()).filter(|start| *start <= latest).or_else(|| first(latest.year() - 1))
    }) else {
        return Period::Unsaid;
    };
    let end = start.last_of_month();
    let on = |day: i8| Date::new(start.year(), month, day).unwrap_or(end);
    if let Some(day) = day {
        return Period::Between(on(day), on(day));
    }
    let before: Vec<&str> = words[at.saturating_sub(3)..at].to_vec();
    let has = |wanted: &[&str]| before.iter().any(|word| wanted.contains(word));
    if has(&["mid", "middle"]) {
        Period::Between(on(10), on(20))
    } else if has(&["end", "late"]) {
        Period::Between(on(21), end)
    } else if has(&["early", "beginning", "start"]) {
        Period::Between(start, on(10))
    } else {
        Period::Between(start, end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    #[test]
    fn questions_say_when() {
        let check = |question: &str, expected: Period| {
            assert_eq!(period(question, date(2026, 2, 16)), expected, "{question}");
        };
        let days = |a: (i8, i8), b: (i8, i8)| Period::Between(date(2026, a.0, a.1), date(2026, b.0, b.1));
        check("Where did it live at the end of January?", days((1, 21), (1, 31)));
        check("What was the default in mid-January?", days((1, 10), (1, 20)));
        check("On February 12, what was planned?", days((2, 12), (2, 12)));
        check("On the 5th of Feb, what was planned?", days((2, 5), (2, 5)));
        check("What did we do in December?", Period::Between(date(2025, 12, 1), date(2025, 12, 31)));
        check("What held on 2026-01-03?", days((1, 3), (1, 3)));
        check("Where is it nowadays?", Period::Now);
        check("Why did it fail at first?", Period::First);
        check("May an agent amend commits?", Period::Unsaid);
        check("How does the march of time matter?", Period::Unsaid);
        check("Which port is used?", Period::Unsaid);
        check("How long do refunds take in December?", Period::Unsaid);
        check("How are invoices of January paid?", Period::Unsaid);
        check("What changed in January?", days((1, 1), (1, 31)));
        check("What have we said about refunds in January?", days((1, 1), (1, 31)));
        check("What did we decide since January?", Period::Unsaid);
        check("Who is on call in January 2026?", days((1, 1), (1, 31)));
    }
}
