//! How often something is: "every two weeks", "weekly", "twice a day".

use super::token::{is_stop, stem};
use crate::extract::terms::number_word;

/// Units of time with how many hours they last.
const UNITS: [(&[&str], f64); 8] = [
    (&["minute", "minutes"], 1.0 / 60.0),
    (&["hour", "hours"], 1.0),
    (&["day", "days", "night", "nights", "morning", "mornings", "evening", "evenings"], 24.0),
    (&["week", "weeks"], 168.0),
    (&["fortnight"], 336.0),
    (&["month", "months"], 730.0),
    (&["quarter", "quarters"], 2190.0),
    (&["year", "years"], 8760.0),
];
/// Words that say it alone.
const ALONE: [(&[&str], f64); 7] = [
    (&["hourly"], 1.0),
    (&["daily", "nightly"], 24.0),
    (&["weekly"], 168.0),
    (&["fortnightly", "biweekly"], 336.0),
    (&["monthly"], 730.0),
    (&["quarterly"], 2190.0),
    (&["yearly", "annually"], 8760.0),
];
const DAYS: [&str; 7] = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/// "We sail every two weeks", "we sail weekly": the same, and not as often.
pub(super) fn recurs_otherwise(known: &[String], arriving: &[String]) -> bool {
    let (Some(one), Some(other)) = (period(known), period(arriving)) else { return false };
    let is_equal = (one.hours - other.hours).abs() < one.hours * 0.01;
    let said = |said: &[String], period: &Period| -> Vec<String> {
        let own = said.iter().enumerate().filter(|(at, _)| !(period.from..period.to).contains(at));
        own.filter(|(_, word)| !is_stop(word)).map(|(_, word)| stem(word)).collect()
    };
    let (mine, theirs) = (said(known, &one), said(arriving, &other));
    let shared = theirs.iter().filter(|word| mine.contains(word)).count();
    !is_equal && shared > 0 && shared * 2 >= mine.len().min(theirs.len())
}

/// How often something is, and where that is said.
struct Period {
    hours: f64,
    from: usize,
    to: usize,
}

/// Returns the only period that a sentence tells.
fn period(said: &[String]) -> Option<Period> {
    let word = |at: usize| said.get(at).map_or("", String::as_str);
    let unit = |at: usize| {
        let own = UNITS.iter().find(|(words, _)| words.contains(&word(at))).map(|(_, hours)| *hours);
        own.or(DAYS.contains(&word(at).trim_end_matches('s')).then_some(168.0))
    };
    let mut found: Vec<Period> = Vec::new();
    let mut at = 0;
    while at < said.len() {
        let alone = ALONE.iter().find(|(words, _)| words.contains(&word(at))).map(|(_, hours)| (*hours, 1));
        let each = || {
            if !matches!(word(at), "every" | "each") {
                return None;
            }
            if matches!(word(at + 1), "other" | "second") {
                return Some((unit(at + 2)? * 2.0, 3));
            }
            match number(word(at + 1)) {
                Some(times) => Some((unit(at + 2)? * times, 3)),
                None => Some((unit(at + 1)?, 2)),
            }
        };
        let per = || {
            let (times, rest) = match word(at) {
                "once" => (1.0, at + 1),
                "twice" => (2.0, at + 1),
                count if matches!(word(at + 1), "times") => (number(count)?, at + 2),
                _ => return None,
            };
            let joins = matches!(word(rest), "a" | "an" | "per" | "every" | "each");
            (joins && times > 0.0).then(|| Some((unit(rest + 1)? / times, rest + 2 - at)))?
        };
        match alone.or_else(each).or_else(per) {
            Some((hours, length)) => {
                found.push(Period { hours, from: at, to: at + length });
                at += length;
            }
            None => at += 1,
        }
    }
    let mut found = found.into_iter();
    found.next().filter(|_| found.next().is_none())
}

fn number(word: &str) -> Option<f64> {
    number_word(word).unwrap_or(word).parse().ok()
}

#[cfg(test)]
mod tests {
    use super::super::slot::plain_words;
    use super::*;

    #[test]
    fn another_period_of_the_same_is_a_change() {
        let check = |known: &str, arriving: &str, expected: bool| {
            assert_eq!(recurs_otherwise(&plain_words(known), &plain_words(arriving)), expected, "{arriving}");
        };
        check("We oil the locks every two weeks.", "we oil the locks weekly", true);
        check("We oil the locks every two weeks.", "the locks are oiled once a month", true);
        check("The tide table is printed daily.", "The tide table is printed every day.", false);
        check("The tide table is printed daily.", "The crane is oiled weekly.", false);
        check("Ring the bell twice a day.", "ring the bell every 12 hours", false);
        check("Ring the bell twice a day.", "ring the bell three times a day", true);
        check("The crew meets every Monday.", "The crew meets daily.", true);
    }
}
