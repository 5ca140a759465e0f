//! Numbers that are written as words: one list for every stage.

/// What is said in digits in English. `One` is left out: it is a pronoun as often.
const DIGITS: [(&str, &str); 29] = [
    ("zero", "0"),
    ("two", "2"),
    ("three", "3"),
    ("four", "4"),
    ("five", "5"),
    ("six", "6"),
    ("seven", "7"),
    ("eight", "8"),
    ("nine", "9"),
    ("ten", "10"),
    ("eleven", "11"),
    ("twelve", "12"),
    ("thirteen", "13"),
    ("fourteen", "14"),
    ("fifteen", "15"),
    ("sixteen", "16"),
    ("seventeen", "17"),
    ("eighteen", "18"),
    ("nineteen", "19"),
    ("twenty", "20"),
    ("thirty", "30"),
    ("forty", "40"),
    ("fifty", "50"),
    ("sixty", "60"),
    ("seventy", "70"),
    ("eighty", "80"),
    ("ninety", "90"),
    ("hundred", "100"),
    ("thousand", "1000"),
];

/// The same in other languages, as far as no English word is written so.
const ELSEWHERE: [&[&str]; 3] = [
    &[
        "zwei",
        "drei",
        "vier",
        "fünf",
        "sechs",
        "sieben",
        "acht",
        "neun",
        "zehn",
        "elf",
        "zwölf",
        "dreizehn",
        "vierzehn",
        "fünfzehn",
        "sechzehn",
        "siebzehn",
        "achtzehn",
        "neunzehn",
        "zwanzig",
        "dreißig",
        "vierzig",
        "fünfzig",
        "sechzig",
        "siebzig",
        "achtzig",
        "neunzig",
        "hundert",
        "tausend",
    ],
    &[
        "deux",
        "trois",
        "quatre",
        "cinq",
        "sept",
        "huit",
        "neuf",
        "dix",
        "onze",
        "douze",
        "treize",
        "quatorze",
        "quinze",
        "seize",
        "vingt",
        "trente",
        "quarante",
        "cinquante",
        "soixante",
    ],
    &[
        "dos",
        "tres",
        "cuatro",
        "cinco",
        "seis",
        "siete",
        "ocho",
        "nueve",
        "diez",
        "doce",
        "trece",
        "catorce",
        "quince",
        "dieciséis",
        "diecisiete",
        "dieciocho",
        "diecinueve",
        "veinte",
        "treinta",
        "cuarenta",
        "cincuenta",
        "sesenta",
        "setenta",
        "ochenta",
        "noventa",
    ],
];

/// Returns the digits of a number that is written as an English word.
pub fn number_word(word: &str) -> Option<&'static str> {
    let lower = word.to_lowercase();
    DIGITS.iter().find(|(name, _)| *name == lower).map(|(_, digits)| *digits)
}

/// Tells whether a word is a number, in one of several languages.
pub fn is_number_word(word: &str) -> bool {
    let lower = word.to_lowercase();
    number_word(&lower).is_some() || ELSEWHERE.iter().any(|words| words.contains(&lower.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_below_a_hundred_begins_with_a_known_word() {
        for (word, digits) in [("Fourteen", "14"), ("nineteen", "19"), ("eighty", "80")] {
            assert_eq!(number_word(word), Some(digits));
        }
        assert!(is_number_word("vierzehn") && is_number_word("Quinze") && is_number_word("quince"));
        assert!(number_word("one").is_none() && !is_number_word("once") && !is_number_word("tension"));
    }
}
