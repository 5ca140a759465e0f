//! The words of a sentence with each measure written in one way: "half an hour" is "30 min", "2 am" is "02:00".

use std::collections::BTreeSet;

use crate::extract::terms::number_word;

/// Words that count as one before a unit.
const ONE: [&str; 3] = ["a", "an", "one"];
/// Units of time with their seconds; of the longer ones no number of days is exact.
const TIMES: [(&[&str], u64); 6] = [
    (&["s", "sec", "secs", "second", "seconds"], 1),
    (&["m", "min", "mins", "minute", "minutes"], 60),
    (&["h", "hr", "hrs", "hour", "hours"], 3600),
    (&["d", "day", "days"], 86_400),
    (&["week", "weeks"], 604_800),
    (&["fortnight", "fortnights"], 1_209_600),
];
const MONTHS: [(&[&str], u64); 2] = [(&["month", "months"], 1), (&["year", "years", "yr", "yrs"], 12)];
/// Other units, each with the name that stands for all ways to write it.
const OTHERS: [(&[&str], &str); 11] = [
    (&["ms", "millis", "millisecond", "milliseconds"], "milliseconds"),
    (&["kb", "kilobyte", "kilobytes"], "kilobytes"),
    (&["mb", "megabyte", "megabytes"], "megabytes"),
    (&["gb", "gigabyte", "gigabytes"], "gigabytes"),
    (&["tb", "terabyte", "terabytes"], "terabytes"),
    (&["%", "percent", "prozent"], "percent"),
    (&["€", "eur", "euro", "euros"], "euro"),
    (&["£", "gbp"], "pounds sterling"),
    (&["$", "usd", "dollar", "dollars"], "dollars"),
    (&["kg", "kilo", "kilos", "kilogram", "kilograms"], "kilograms"),
    (&["km", "kilometre", "kilometres", "kilometer", "kilometers"], "kilometres"),
];

/// The words of a sentence, each measure in one form.
#[derive(Debug, Clone)]
pub(crate) struct Measured {
    words: Vec<String>,
    /// Those of them that are measures with a unit.
    measures: Vec<String>,
}

impl Measured {
    /// Writes the measures of a sentence in one way.
    pub(crate) fn of(text: &str) -> Measured {
        let split = pieces(text);
        let said: Vec<&str> = split.iter().map(String::as_str).collect();
        let (mut words, mut measures, mut at) = (Vec::new(), Vec::new(), 0);
        while at < said.len() {
            match measure(&said[at..]) {
                Some((length, written)) => {
                    measures.push(written.clone());
                    words.push(written);
                    at += length;
                }
                None => {
                    words.push(said[at].to_owned());
                    at += 1;
                }
            }
        }
        Measured { words, measures }
    }

    /// Tells whether two sentences are one but for how their measures are written.
    pub(crate) fn is_same_as(&self, other: &Measured) -> bool {
        self.measures.len().max(other.measures.len()) > 0 && self.words == other.words
    }

    /// Tells whether both give the same measures, each with its unit, however the rest is worded: "data goes after 24 months",
    /// "two years, then the data goes".
    pub(crate) fn gives_the_same(&self, other: &Measured) -> bool {
        let of = |measured: &Measured| -> BTreeSet<String> {
            let with_unit = measured.measures.iter().filter(|one| one.contains([' ', ':']));
            with_unit.cloned().collect()
        };
        let (mine, theirs) = (of(self), of(other));
        !mine.is_empty() && mine == theirs
    }
}

/// Splits into words in small letters; numbers and the signs and units at them stand apart.
fn pieces(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    for raw in text.split_whitespace() {
        let edge = |c: char| !c.is_alphanumeric() && !matches!(c, '%' | '€' | '$' | '£');
        let word = raw.trim_matches(edge).to_lowercase();
        let signs: &[char] = &['€', '$', '£'];
        let (sign, rest) = match word.strip_prefix(signs) {
            Some(rest) if rest.starts_with(|c: char| c.is_ascii_digit()) => (word.chars().next(), rest),
            _ => (None, word.as_str()),
        };
        let digits =
            rest.find(|c: char| !c.is_ascii_digit() && !matches!(c, '.' | ',' | ':')).unwrap_or(rest.len());
        let (number, unit) = rest.split_at(digits);
        let is_number = number.starts_with(|c: char| c.is_ascii_digit());
        if is_number && (unit.is_empty() || is_unit(unit)) {
            out.push(number.trim_end_matches(['.', ',', ':']).to_owned());
            out.extend((!unit.is_empty()).then(|| unit.to_owned()));
        } else if !rest.is_empty() {
            out.push(rest.to_owned());
        }
        out.extend(sign.map(String::from));
    }
    out
}

fn is_unit(word: &str) -> bool {
    let listed = TIMES.iter().chain(&MONTHS).any(|(words, _)| words.contains(&word));
    listed || OTHERS.iter().any(|(words, _)| words.contains(&word)) || matches!(word, "am" | "pm")
}

/// Reads the measure that a sentence goes on with: so many words, and how it is written.
fn measure(said: &[&str]) -> Option<(usize, String)> {
    let word = |at: usize| said.get(at).copied().unwrap_or_default();
    if let Some(found) = clock(word(0), word(1)) {
        return Some(found);
    }
    if word(0) == "half" && ONE.contains(&word(1)) {
        return Some((3, time(0.5, word(2))?));
    }
    let number = number(word(0)).or_else(|| {
        // "Twice a day" is no day.
        ONE.contains(&word(0)).then_some(1.0).filter(|_| is_unit(word(1)))
    })?;
    if let Some(written) = time(number, word(1)) {
        return Some((2, written));
    }
    let other = OTHERS.iter().find(|(words, _)| words.contains(&word(1)));
    match other {
        Some((_, unit)) => Some((2, format!("{number} {unit}"))),
        // "In two" and "in 2" are one.
        None => {
            number_word(word(0)).is_some().then(|| (1, number.to_string())).or_else(|| plain(word(0), number))
        }
    }
}

/// "2,50" and "2.5" are one number.
fn plain(word: &str, number: f64) -> Option<(usize, String)> {
    word.contains(['.', ',']).then(|| (1, number.to_string()))
}

fn time(number: f64, unit: &str) -> Option<String> {
    let of = |units: &[(&[&str], u64)]| {
        units.iter().find(|(words, _)| words.contains(&unit)).map(|(_, length)| number * *length as f64)
    };
    of(&TIMES)
        .map(|seconds| format!("{seconds} seconds"))
        .or_else(|| of(&MONTHS).map(|months| format!("{months} months")))
}

/// "2 am", "02:00", "14:30", "noon".
fn clock(first: &str, second: &str) -> Option<(usize, String)> {
    let told = |hours: u32, minutes: u32, length: usize| {
        (hours < 24 && minutes < 60).then(|| (length, format!("{hours:02}:{minutes:02}")))
    };
    match first {
        "noon" => return told(12, 0, 1),
        "midnight" => return told(0, 0, 1),
        _ => {}
    }
    let (hours, minutes) = first.split_once(':').unwrap_or((first, ""));
    let (hours, minutes) =
        (hours.parse::<u32>().ok()?, if minutes.is_empty() { 0 } else { minutes.parse().ok()? });
    match second {
        "am" => told(hours % 12, minutes, 2),
        "pm" => told(hours % 12 + 12, minutes, 2),
        _ => first.contains(':').then(|| told(hours, minutes, 1))?,
    }
}

/// Reads a number in digits, with either sign for its decimals, or in words.
fn number(word: &str) -> Option<f64> {
    if let Some(digits) = number_word(word) {
        return digits.parse().ok();
    }
    if !word.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    // "1,000" and "1.000" count thousands, "2,5" and "2.50" do not.
    let thousands = |sign: char| {
        let mut parts = word.split(sign);
        let first = parts.next().unwrap_or_default();
        let rest: Vec<&str> = parts.collect();
        (1..=3).contains(&first.len()) && !rest.is_empty() && rest.iter().all(|part| part.len() == 3)
    };
    let plain = match word {
        word if thousands(',') => word.replace(',', ""),
        word => word.replace(',', "."),
    };
    plain.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_measure_is_the_same_however_it_is_written() {
        let check = |one: &str, other: &str, expected: bool| {
            assert_eq!(Measured::of(one).is_same_as(&Measured::of(other)), expected, "{one} / {other}");
        };
        check("The timeout is 30 seconds.", "The timeout is 30s.", true);
        check("Crates of up to 5 MB are taken.", "crates of up to 5mb are taken", true);
        check("The lamp burns for 30 minutes.", "The lamp burns for half an hour", true);
        check("Crews wait 14 days.", "crews wait two weeks", true);
        check("A permit lasts a year.", "A permit lasts 12 months.", true);
        check("The bell rings at 2 am.", "The bell rings at 02:00.", true);
        check("The bell rings at 2 pm.", "the bell rings at 14:00", true);
        check("A trip costs 2.50 EUR.", "A trip costs 2,50 €.", true);
        check("A trip costs €2.50.", "A trip costs 2.5 euro.", true);
        check("Up to 1,000 boats fit.", "Up to 1000 boats fit.", true);
        check("Twelve boats fit.", "12 boats fit", true);
        check("The bell rings at 2 am.", "The bell rings at 2 pm.", false);
        check("The timeout is 30 seconds.", "The timeout is 30 minutes.", false);
        check("The timeout is 30 seconds.", "The timeout is 20s.", false);
        check("The timeout is 30ms.", "The timeout is 30us.", false);
        check("A trip costs 2 euro.", "A trip costs 2 dollars.", false);
        check("A trip costs 2.50 EUR.", "A trip costs 250 EUR.", false);
        check("The bell is loud.", "the bell is loud", false);
    }

    #[test]
    fn the_same_measure_is_known_among_other_words() {
        let check = |one: &str, other: &str, expected: bool| {
            assert_eq!(Measured::of(one).gives_the_same(&Measured::of(other)), expected, "{one} / {other}");
        };
        check("Crew lists are burnt after 24 months.", "we burn crew lists after two years", true);
        check("The gate is shut at 8 pm.", "the gate closes at 20:00", true);
        check("The gate is shut at 8 pm.", "the gate closes at 9 pm", false);
        check("The pier has 8 lamps.", "the pier got 8 lamps", false);
    }
}
