//! Numbers with what they count, so that one scale can be told from another.

/// A number and its unit.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantity {
    /// How much, in the base of its unit: seconds, bytes, or as counted.
    pub value: f64,
    /// Of what, as a stem.
    pub unit: String,
    /// As it was written.
    pub text: String,
}

/// Two quantities of one unit are the same scale up to this factor.
const SAME_SCALE: f64 = 2.0;

/// Units that can be told in each other, with what one of them is worth.
const UNITS: [(&str, f64, &[&str]); 14] = [
    ("second", 1e-9, &["ns", "nanosecond", "nanoseconds"]),
    ("second", 1e-6, &["us", "µs", "microsecond", "microseconds"]),
    ("second", 1e-3, &["ms", "millisecond", "milliseconds"]),
    ("second", 1.0, &["s", "sec", "secs", "second", "seconds"]),
    ("second", 60.0, &["min", "mins", "minute", "minutes"]),
    ("second", 3600.0, &["h", "hour", "hours"]),
    ("second", 86400.0, &["day", "days"]),
    ("byte", 1.0, &["byte", "bytes"]),
    ("byte", 1e3, &["kb", "kib", "kilobyte", "kilobytes"]),
    ("byte", 1e6, &["mb", "mib", "megabyte", "megabytes"]),
    ("byte", 1e9, &["gb", "gib", "gigabyte", "gigabytes"]),
    ("byte", 1e12, &["tb", "tib", "terabyte", "terabytes"]),
    ("second", 604_800.0, &["week", "weeks"]),
    ("percent", 1.0, &["%", "percent"]),
];

/// Further units, in the singular; what is measured in them says nothing of what it is about.
const MEASURES: [&str; 31] = [
    "month",
    "year",
    "fortnight",
    "decade",
    "century",
    "euro",
    "dollar",
    "pound",
    "cent",
    "franc",
    "yen",
    "metre",
    "meter",
    "kilometre",
    "kilometer",
    "centimetre",
    "centimeter",
    "millimetre",
    "millimeter",
    "km",
    "mile",
    "inch",
    "feet",
    "gram",
    "kilo",
    "kilogram",
    "kg",
    "tonne",
    "litre",
    "liter",
    "degree",
];

/// Tells whether a word is a unit of time or of measure, in one or many.
pub(crate) fn is_measure(word: &str) -> bool {
    let singular = word.strip_suffix('s').unwrap_or(word);
    word.len() > 1
        && (UNITS.iter().any(|(.., names)| names.contains(&word))
            || MEASURES.contains(&singular)
            || matches!(word, "centuries" | "inches"))
}

/// Words and letters that multiply.
const TIMES: [(&str, f64); 9] = [
    ("k", 1e3),
    ("thousand", 1e3),
    ("m", 1e6),
    ("million", 1e6),
    ("bn", 1e9),
    ("billion", 1e9),
    ("dozen", 12.0),
    ("hundred", 1e2),
    ("trillion", 1e12),
];

impl Quantity {
    /// Returns what a unit is told in at last: `second` for `ms`, `byte` for `kb`.
    pub(super) fn base_of(unit: &str) -> Option<&'static str> {
        UNITS.iter().find(|(.., names)| names.contains(&unit)).map(|(base, ..)| *base)
    }

    /// Tells whether the other is of the same unit, and no other scale.
    pub(super) fn fits(&self, other: &Quantity) -> bool {
        self.unit == other.unit && {
            let (low, high) = (self.value.min(other.value), self.value.max(other.value));
            if low <= 0.0 { high <= 0.0 } else { high / low < SAME_SCALE + 1e-9 }
        }
    }

    /// Reads a quantity at the start of some words; says how many words it takes.
    ///
    /// `stem` gives the stem of the unit. A number without a unit is none: it is a version or a name.
    pub(super) fn read(words: &[&str], stem: impl Fn(&str) -> String) -> Option<(Quantity, usize)> {
        let first = words.first()?;
        let (mut value, rest) = number(first)?;
        let mut unit = rest.trim_start_matches('-').to_owned();
        let mut used = 1;
        let times = |word: &str| TIMES.iter().find(|(name, _)| *name == word).map(|(_, times)| *times);
        let is_known = |word: &str| UNITS.iter().any(|(.., names)| names.contains(&word));
        // What is glued to a number is mostly part of a name, as in `8B` or `1080p`.
        if !rest.is_empty()
            && !rest.starts_with('-')
            && !rest.contains('/')
            && times(&rest).is_none()
            && !is_known(&rest)
        {
            return None;
        }
        if let Some(factor) = times(&unit) {
            value *= factor;
            unit.clear();
        }
        if unit.is_empty() {
            if let Some(factor) = words.get(used).and_then(|word| times(&word.to_lowercase())) {
                value *= factor;
                used += 1;
            }
            unit = words.get(used).map(|word| word.to_lowercase()).filter(|word| is_unit(word))?;
            used += 1;
        }
        // A rate is another unit than what it counts.
        let mut rate = unit.split_once('/').map(|(_, per)| per.to_owned());
        let mut counted = unit.split('/').next().unwrap_or_default().to_owned();
        if let [per, each, ..] = words.get(used..).unwrap_or_default()
            && (per.eq_ignore_ascii_case("per") || (*per == "a" && each.eq_ignore_ascii_case("second")))
        {
            rate = Some(each.to_lowercase());
            used += 2;
        }
        let known = UNITS.iter().find(|(.., names)| names.contains(&counted.as_str()));
        if let Some((base, worth, _)) = known {
            value *= worth;
            counted = (*base).to_owned();
        } else {
            counted = stem(&counted);
        }
        let rate = rate.map(|per| {
            let per = UNITS.iter().find(|(.., names)| names.contains(&per.as_str()));
            format!("/{}", per.map_or("each", |(base, ..)| base))
        });
        let unit = format!("{counted}{}", rate.unwrap_or_default());
        Some((Quantity { value, unit, text: words[..used].join(" ") }, used))
    }
}

/// Reads the number that opens a word, and returns what follows it.
fn number(word: &str) -> Option<(f64, String)> {
    let plain = word.replace(',', "");
    let end = plain.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(plain.len());
    let value: f64 = plain[..end].trim_end_matches('.').parse().ok()?;
    Some((value, plain[end..].to_lowercase()))
}

/// Tells whether a word can be what is counted.
fn is_unit(word: &str) -> bool {
    word == "%"
        || (word.chars().all(|c| c.is_alphabetic() || matches!(c, '/' | '-'))
            && !super::parse::is_small(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<(f64, String)> {
        let words: Vec<&str> = text.split_whitespace().collect();
        Quantity::read(&words, str::to_owned).map(|(quantity, _)| (quantity.value, quantity.unit))
    }

    #[test]
    fn numbers_are_read_with_what_they_count() {
        let check = |text: &str, value: f64, unit: &str| {
            let (found, of) = read(text).expect(text);
            assert!((found - value).abs() < 1e-9 * value.abs().max(1.0), "{text}: {found}");
            assert_eq!(of, unit, "{text}");
        };
        check("10 thousand rows", 10_000.0, "rows");
        check("50 million rows", 5e7, "rows");
        check("200k messages per second", 200_000.0, "messages/second");
        check("500 messages/s", 500.0, "messages/second");
        check("2,000 sprites", 2000.0, "sprites");
        check("250 ms", 0.25, "second");
        check("5 minutes", 300.0, "second");
        check("20 kB if", 20_000.0, "byte");
        check("5% packet", 5.0, "percent");
        assert_eq!(read("14"), None);
        assert_eq!(read("3.9 and"), None);
        assert_eq!(read("postgres"), None);
    }

    #[test]
    fn a_scale_is_the_same_within_a_factor() {
        let of = |value: f64| Quantity { value, unit: "row".into(), text: String::new() };
        assert!(of(1000.0).fits(&of(1500.0)));
        assert!(!of(1000.0).fits(&of(5000.0)));
        assert!(!of(1000.0).fits(&Quantity { unit: "byte".into(), ..of(1000.0) }));
    }
}
