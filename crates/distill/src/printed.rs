//! Whether a sentence is the speaker's own, or stands in what a tool printed before (a file, a page).
//!
//! A sentence is known by a few runs of four words. Files are printed with line numbers, quotes and
//! breaks, so not all of them need to be found.

/// Words in one phrase, and how many phrases tell a sentence.
const RUN: usize = 4;
const MOST: usize = 6;
/// So much of it must have been printed for it to be no longer the speaker's own.
const SHARE: f64 = 0.6;

/// Lists phrases by which a sentence can be found again; none where it is too short to tell.
pub fn phrases_of(text: &str) -> Vec<String> {
    let words: Vec<&str> = text.split_whitespace().collect();
    // Quotes and escapes are written differently in every format.
    let is_plain = |run: &&[&str]| {
        run.iter()
            .all(|word| word.bytes().all(|byte| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'\\')))
    };
    let runs: Vec<&[&str]> = words.windows(RUN).filter(is_plain).collect();
    let step = runs.len().div_ceil(MOST).max(1);
    // What stands around a sentence is not part of it.
    let sign = |c: char| c.is_ascii_punctuation();
    let phrase = |run: &[&str]| run.join(" ").trim_matches(sign).to_ascii_lowercase();
    let mut phrases: Vec<String> = runs.into_iter().step_by(step).map(phrase).collect();
    phrases.dedup();
    phrases
}

/// Tells from how many of its phrases were printed whether a sentence was.
pub fn is_printed(found: usize, all: usize) -> bool {
    all > 0 && found as f64 >= SHARE * all as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_is_known_by_runs_of_its_words() {
        let check = |text: &str, expected: &[&str]| assert_eq!(phrases_of(text), expected, "{text}");
        check(
            "From now on, never run the tests.",
            &["from now on, never", "now on, never run", "on, never run the", "never run the tests"],
        );
        check("Use tabs", &[]);
        check("say \"this\" and that is all", &["and that is all"]);
        assert!(phrases_of(&"one two three four five six seven eight nine ten ".repeat(5)).len() <= MOST);
    }

    #[test]
    fn most_of_it_must_have_been_printed() {
        assert!(!is_printed(0, 0));
        assert!(!is_printed(2, 4));
        assert!(is_printed(3, 4));
    }
}
