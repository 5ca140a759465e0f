//! The same thing in another state, with another measure, or given up by its name: told by a few words of both sentences,
//! however else they are put.

use super::token::stem;
use crate::extract::terms::{is_common, number_word};

/// States of which a thing has one, and the other.
const STATES: [(&[&str], &[&str]); 9] = [
    (
        &["cost", "costs", "paid", "kostet", "cuesta", "custa", "coûte", "costa"],
        &["free", "kostenlos", "gratis", "gratuit", "gratuito"],
    ),
    (&["everybody", "everyone", "anybody", "anyone"], &["nobody", "no-one"]),
    (&["enabled"], &["disabled"]),
    (&["public"], &["private"]),
    (&["required", "mandatory", "compulsory"], &["optional", "voluntary"]),
    (&["allowed", "permitted"], &["forbidden", "prohibited", "banned"]),
    (&["manual", "manually"], &["automatic", "automatically", "automated"]),
    (&["visible", "shown"], &["hidden", "invisible"]),
    (&["obligatorio", "obligatoria"], &["opcional"]),
];
/// What may stand before "on" and "off" where they are a state, and behind.
const STANDS: [&str; 14] = [
    "is", "are", "be", "was", "stays", "stay", "remains", "turned", "switched", "default", "defaults",
    "goes", "comes", "keep",
];
const FOLLOWS: [&str; 15] = [
    "by",
    "default",
    "unless",
    "until",
    "if",
    "now",
    "again",
    "starting",
    "since",
    "everywhere",
    "for",
    "from",
    "and",
    "but",
    "only",
];
/// A word of fewer letters is no subject.
const TELLING: usize = 4;
/// Two measures of one thing have so many words in common that say of what.
const SHARED: usize = 2;
/// Words of a lower bound, and of an upper one: they stand beside each other.
const LEAST: [&str; 7] = ["least", "minimum", "min", "more", "from", "start", "above"];
const MOST: [&str; 10] = ["most", "maximum", "max", "fewer", "less", "up", "end", "ends", "below", "until"];
const UNITS: [(&[&str], Measure); 12] = [
    (&["ms", "millisecond", "milliseconds"], (0, 0)),
    (&["s", "sec", "secs", "second", "seconds", "sekunden", "segundos", "secondes", "secondi"], (0, 1)),
    (&["min", "mins", "minute", "minutes", "minuten", "minutos", "minuti"], (0, 2)),
    (&["h", "hr", "hrs", "hour", "hours", "stunden", "horas", "heures", "ore", "uur"], (0, 3)),
    (&["d", "day", "days", "tage", "tagen", "días", "dias", "jours", "giorni", "dagen"], (0, 4)),
    (&["week", "weeks", "wochen", "semanas", "semaines", "settimane", "weken"], (0, 5)),
    (&["month", "months", "monate", "monaten", "meses", "mois", "mesi", "maanden"], (0, 6)),
    (&["year", "years", "jahre", "jahren", "años", "anos", "ans", "anni", "jaar"], (0, 7)),
    (&["kb", "kib"], (1, 1)),
    (&["mb", "mib"], (1, 2)),
    (&["gb", "gib"], (1, 3)),
    (&["%", "percent", "prozent"], (2, 0)),
];
/// What is measured, and the place of the unit among its like.
type Measure = (u8, i32);
/// Units farther apart measure different things.
const FAR: i32 = 2;

/// "The lamp is off unless somebody lights it", "the lamp is on by default": the other state of the same thing.
pub(super) fn switches(known: &[String], arriving: &[String]) -> bool {
    let turned = state(known).zip(state(arriving)).is_some_and(|(a, b)| a.0 == b.0 && a.1 != b.1);
    turned && shared(known, arriving) > 0
}

/// Returns which state a sentence tells, where it tells one: the pair, and the side of it.
fn state(said: &[String]) -> Option<(usize, bool)> {
    let mut found: Vec<(usize, bool)> = Vec::new();
    for (at, word) in said.iter().enumerate() {
        let near = |at: Option<usize>| at.and_then(|at| said.get(at)).map_or("", String::as_str);
        let stands = STANDS.contains(&near(at.checked_sub(1)));
        let follows = matches!(near(Some(at + 1)), "") || FOLLOWS.contains(&near(Some(at + 1)));
        if matches!(word.as_str(), "on" | "off") && stands && follows {
            found.push((STATES.len(), word == "on"));
        }
        let pairs = STATES.iter().enumerate();
        found.extend(
            pairs.clone().filter(|(_, (one, _))| one.contains(&word.as_str())).map(|(pair, _)| (pair, true)),
        );
        found.extend(
            pairs.filter(|(_, (_, other))| other.contains(&word.as_str())).map(|(pair, _)| (pair, false)),
        );
    }
    found.dedup();
    let [only] = found[..] else { return None };
    let denies = |at: usize| {
        let more = said.get(at + 1).is_some_and(|next| matches!(next.as_str(), "just" | "only"));
        matches!(said[at].as_str(), "not" | "never" | "no") && !more || said[at].ends_with("n't")
    };
    let denied = (0..said.len()).any(denies);
    Some((only.0, only.1 != denied))
}

/// "A day pass holds for 12 hours", "day pass: two days, no longer": one measure each, of one sort, of the same thing.
pub(super) fn remeasures(known: &[String], arriving: &[String]) -> bool {
    let (Some(one), Some(other)) = (measure(known), measure(arriving)) else { return false };
    let alike = one.1.0 == other.1.0 && (one.1.1 - other.1.1).abs() <= FAR && !is_as_long(&one, &other);
    let bound = |said: &[String], words: &[&str]| said.iter().any(|word| words.contains(&word.as_str()));
    let two_bounds =
        bound(known, &LEAST) && bound(arriving, &MOST) || bound(known, &MOST) && bound(arriving, &LEAST);
    alike && !two_bounds && shared(known, arriving) >= SHARED
}

/// "At most one bell an hour", "no, make it two every three hours": another number for what was given one, and who says so names
/// nothing else.
pub(super) fn makes_it(known: &[String], arriving: &[String]) -> bool {
    const OPENS: [&str; 14] = [
        "actually", "no", "nope", "wait", "sorry", "ok", "okay", "hmm", "well", "then", "better", "rather",
        "please", "and",
    ];
    let rest: Vec<&String> = arriving.iter().skip_while(|word| OPENS.contains(&word.as_str())).collect();
    let makes = matches!(rest.as_slice(), [make, it, ..]
        if matches!(make.as_str(), "make" | "let's" | "lets" | "set") && matches!(it.as_str(), "it" | "that" | "them" | "say" | "make"));
    let is_number = |word: &&String| {
        word.starts_with(|c: char| c.is_ascii_digit()) || number(word).is_some_and(|_| word.len() > 2)
    };
    let of = |said: &mut dyn Iterator<Item = &String>| -> Vec<String> {
        said.filter(is_number).map(|word| number(word).unwrap_or(word).to_owned()).collect()
    };
    let (old, new) = (of(&mut known.iter()), of(&mut rest.into_iter()));
    makes && !old.is_empty() && !new.is_empty() && old != new
}

/// Returns the only measure of a sentence, as a number and its unit.
fn measure(said: &[String]) -> Option<(String, Measure)> {
    let unit = |word: &str| UNITS.iter().find(|(words, _)| words.contains(&word)).map(|(_, unit)| *unit);
    let mut found = Vec::new();
    for (at, word) in said.iter().enumerate() {
        let digits = word.trim_end_matches(|c: char| !c.is_ascii_digit());
        let next = said.get(at + 1).and_then(|next| unit(next));
        if !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',')) {
            let own = unit(&word[digits.len()..]);
            found.extend(own.or(next).map(|unit| (digits.to_owned(), unit)));
        } else if let Some(number) = number(word) {
            found.extend(next.map(|unit| (number.to_owned(), unit)));
        }
    }
    let [only] = &found[..] else { return None };
    Some(only.clone())
}

/// "21 days", "three weeks".
fn is_as_long(one: &(String, Measure), other: &(String, Measure)) -> bool {
    const SECONDS: [f64; 8] = [0.001, 1.0, 60.0, 3600.0, 86_400.0, 604_800.0, 2_592_000.0, 31_536_000.0];
    let seconds = |(number, (sort, place)): &(String, Measure)| -> Option<f64> {
        let unit = usize::try_from(*place).ok().filter(|_| *sort == 0).and_then(|at| SECONDS.get(at))?;
        Some(number.replace(',', ".").parse::<f64>().ok()? * unit)
    };
    one == other
        || seconds(one).zip(seconds(other)).is_some_and(|(one, other)| (one - other).abs() < one * 0.001)
}

/// Before a unit "one" and "an" are numbers too.
fn number(word: &str) -> Option<&'static str> {
    match word {
        "a" | "an" | "one" => Some("1"),
        word => number_word(word),
    }
}

/// Counts the words of both that say what they are about.
fn shared(known: &[String], arriving: &[String]) -> usize {
    let known: Vec<String> = known.iter().map(|word| stem(word)).collect();
    let telling = |word: &&String| {
        word.chars().count() >= TELLING
            && !is_common(word)
            && !STANDS.contains(&word.as_str())
            && !FOLLOWS.contains(&word.as_str())
            && !UNITS.iter().any(|(words, _)| words.contains(&word.as_str()))
            && !STATES
                .iter()
                .any(|(one, other)| one.contains(&word.as_str()) || other.contains(&word.as_str()))
    };
    let mut both: Vec<String> =
        arriving.iter().filter(telling).map(|word| stem(word)).filter(|word| known.contains(word)).collect();
    both.sort();
    both.dedup();
    both.len()
}

/// "No Brass any more, it rusts": what is known is named, and nothing else is said of it.
pub(super) fn drops_by_name(known: &[String], arriving: &[String]) -> bool {
    let said = |at: usize| arriving.get(at).map_or("", String::as_str);
    let ends = matches!(said(2), "anymore" | "longer") || said(2) == "any" && said(3) == "more";
    let denies =
        |word: &String| matches!(word.as_str(), "no" | "not" | "never" | "without") || word.ends_with("n't");
    said(0) == "no"
        && ends
        && said(1).len() > 1
        && !is_common(said(1))
        && !known.iter().any(denies)
        && known.iter().any(|word| word == said(1))
}

#[cfg(test)]
mod tests {
    use super::super::slot::plain_words;
    use super::*;

    fn both(known: &str, arriving: &str) -> (Vec<String>, Vec<String>) {
        (plain_words(known), plain_words(arriving))
    }

    #[test]
    fn the_other_state_of_a_thing_is_a_change() {
        let check = |known: &str, arriving: &str, expected: bool| {
            let (known, arriving) = both(known, arriving);
            assert_eq!(switches(&known, &arriving), expected, "{known:?} {arriving:?}");
        };
        check(
            "the foghorn is off unless somebody turns it on at the pier",
            "the foghorn is on by default from May",
            true,
        );
        check("Foghorns are disabled at night.", "foghorns should be enabled at night too", true);
        check("Lifejackets are optional for guests.", "lifejackets are required, even for guests", true);
        check("The foghorn is on the pier.", "The foghorn is off by default.", false);
        check("The foghorn is off by default.", "The lamp is on by default.", false);
        check("Lifejackets are not optional.", "lifejackets are required", false);
    }

    #[test]
    fn another_measure_of_a_thing_is_a_change() {
        let check = |known: &str, arriving: &str, expected: bool| {
            let (known, arriving) = both(known, arriving);
            assert_eq!(remeasures(&known, &arriving), expected, "{known:?} {arriving:?}");
        };
        check("Guest passes are good for 48h at the gate.", "guest passes: one day, not longer", true);
        check("Guest passes are good for 48h.", "guest passes are good for 48 h", false);
        check("A guest pass is good for 21 days.", "guests get a pass for three weeks", false);
        check("Le délai d'un bateau au quai est de 10 jours.", "on passe le délai au quai à 21 jours", true);
        check("Guest passes last at least 2 days.", "guest passes last at most 9 days", false);
        check("Guest passes are good for 48h.", "crew passes are good for a week", false);
        check("The ferry waits 2 minutes and leaves in 3 hours.", "the ferry waits 5 minutes", false);
    }

    #[test]
    fn who_makes_it_another_number_changes_it() {
        let check = |known: &str, arriving: &str, expected: bool| {
            let (known, arriving) = both(known, arriving);
            assert_eq!(makes_it(&known, &arriving), expected, "{arriving:?}");
        };
        check("At most one bell per boat per hour.", "actually no, make it one per three hours", true);
        check("The lamp burns for 20 minutes.", "make it 45, the tide is slow", true);
        check("The lamp burns for 20 minutes.", "make it red", false);
        check("The lamp burns all night.", "make it 45", false);
    }

    #[test]
    fn what_is_dropped_by_its_name_is_over() {
        let check = |known: &str, arriving: &str, expected: bool| {
            let (known, arriving) = both(known, arriving);
            assert_eq!(drops_by_name(&known, &arriving), expected, "{known:?} {arriving:?}");
        };
        check("we sell a .map and a .chart", "no chart anymore, four were sold", true);
        check("we sell maps", "no chart any more", false);
        check("no chart is sold", "no chart anymore", false);
    }
}
