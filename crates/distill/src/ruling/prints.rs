//! What a program printed, whichever program: told by the shape of its lines. People write lines of words, most of them
//! with one of the small words that hold a sentence together; programs write fields, places, numbers and marks.

use std::sync::LazyLock;

use regex::Regex;

use super::laid_down::carries_a_rule;
use super::language::Language;
use crate::extract::terms::is_common;

/// Where fewer of its pieces are words, a line is no sentence.
const WORDS: f64 = 0.5;
/// A line of so many pieces has a small word in it, if it is a sentence.
const ENOUGH: usize = 6;
/// So many named values make a record.
const VALUES: usize = 3;

/// Marks that stand in what programs print and hardly ever in what people type.
static MARKS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"(?x)
          0x[0-9a-fA-F]{2} | \w\(\) | :\d+[:)] | \.\w+:\d+ | ,\ line\ \d | \b[a-z]+\[\d+\] | \d\.\d{3}\b | \d\d:\d\d:\d\d
        | \b(?:ERROR|WARN|WARNING|FAILED|FAIL|FATAL|INFO|DEBUG|CONFLICT|Exception|Traceback|Backtrace)\b
        | ^\W*(?:error|warning|fatal|hint|note|debug\d?|info|err|warn)\b.{0,12}:
        | ^\s*--\ \w | ^\s*(?:==>|-->|✔|✘|⚠|HTTP/\d) | ^\s*-/\+ | ^\s*[~+]\ \w+ | ^\s*\[\d+/\d+\]
        | => | -> | >>> | <<< | [<>|=]\s*$ | \w=\S | :: | [│└╰─✓✗×●★➤ℹ\{\}] | ^\s*at\ \S | ^[\w.-]+-\d+\s+\|\s | ^\s*\[C\]: | \bstack\ traceback\b | \bin\ function\b | \bexit(?:ed\ with)?\ (?:code|status)
        | [=*\#_~^@+]{4,} | -{6,}"#,
    )
    .expect("the pattern is a constant")
});
/// A point of a list, which may be a few words.
static POINT: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\s*(?:[-*•]|\d+[.)])\s+").expect("the pattern is a constant"));
/// When a program wrote a line, at its beginning.
static STAMP: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"^\W*(?:\d+\.\d+\]|[A-Z][a-z]{2} +\d{1,2} \d\d:\d\d:\d\d|(?:\d\d)?\d\d[-/.]\d\d[-/.]\d\d[ T]\d\d:\d\d|\d\d:\d\d:\d\d)",
    )
    .expect("the pattern is a constant")
});
/// A statement in the language of databases, its words in capitals.
static QUERY: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^\s*(?:WITH \w+ AS \(|SELECT .+ FROM |INSERT INTO |UPDATE \w+ SET |DELETE FROM |CREATE TABLE |ALTER TABLE )")
        .expect("the pattern is a constant")
});
static VALUE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\w[=:]\S*\d").expect("the pattern is a constant"));

/// Tells whether a program printed a message; a rule that a person wrote above or below it is theirs.
pub(super) fn is_print(text: &str) -> bool {
    let lines: Vec<&str> = text.lines().filter(|line| !line.trim().is_empty()).collect();
    let printed = lines.iter().filter(|line| !is_prose(line)).count();
    match lines[..] {
        [] => false,
        [line] => {
            STAMP.is_match(line)
                || QUERY.is_match(line)
                || printed > 0 && VALUE.find_iter(line).count() >= VALUES
        }
        [head, ..] if is_measured(head, &lines[1..]) => true,
        [first, .., last] => {
            let is_theirs = |line: &str| is_prose(line) && carries_a_rule(line);
            2 * printed >= lines.len() && !is_theirs(first) && !is_theirs(last)
        }
    }
}

/// "tidemeter:" and below it line for line what it measured.
fn is_measured(head: &str, lines: &[&str]) -> bool {
    let by_name = head.trim_end().ends_with(':') && head.split_whitespace().count() == 1;
    let counts = |line: &&str| line.contains(|c: char| c.is_ascii_digit());
    let counted = lines.iter().filter(|line| counts(line)).count();
    // A rule without a number under it is somebody's.
    let is_ruled = lines.iter().any(|line| !counts(line) && carries_a_rule(line));
    by_name && lines.len() > 1 && 3 * counted >= 2 * lines.len() && !is_ruled
}

/// Tells whether a line is made of words.
fn is_prose(line: &str) -> bool {
    let body = POINT.replace(line, "");
    let pieces: Vec<&str> = body.split_whitespace().collect();
    if MARKS.is_match(&body) {
        return false;
    }
    let words: Vec<String> = pieces.iter().filter_map(|piece| word(piece)).collect();
    #[allow(clippy::cast_precision_loss, reason = "counts of words are far below the limit")]
    let is_of_words = words.len() as f64 >= WORDS * pieces.len() as f64;
    let is_point = body.len() < line.len();
    let holds_together =
        || Language::of(&body) != Language::English || words.iter().any(|word| is_common(word));
    is_of_words && (is_point || pieces.len() < ENOUGH || holds_together())
}

/// Returns a piece of a line as a word, where it is one: letters in one case, with what people put around them.
fn word(piece: &str) -> Option<String> {
    let bare = piece.trim_matches(|c: char| !c.is_alphanumeric());
    let is_word =
        !bare.is_empty() && bare.chars().all(|c| c.is_alphabetic() || matches!(c, '\'' | '’' | '-'));
    let mixes = bare.chars().zip(bare.chars().skip(1)).any(|(a, b)| a.is_lowercase() && b.is_uppercase());
    (is_word && !mixes).then(|| bare.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_meter_lists_is_printed() {
        assert!(is_print("tidemeter:\nWater 61\nWind 88 knots\nSwell must stay under 3 feet (now 6)"));
        assert!(!is_print("berths:\nferries use the north pier\ntugs use the south pier"));
    }

    #[test]
    fn what_has_the_shape_of_a_print_is_one() {
        for text in [
            "Apr 03 02:11:09 quay-2 kernel: bell 1-1.3: device descriptor read/64, error -110",
            "SLUICE RECAP ****************************\nquay-1 : ok=31 changed=2 failed=0\nquay-2 : ok=12 changed=0 failed=0",
            "tide[2]: *** No rule to make target 'boat.o', needed by 'libquay.a'.  Stop.\ntide: *** [quay:136: all] Error 2",
            "thrown 'no rope'\ncreated by quay.lan/boat.New in mooring 1\n\t/build/boat/pipe.go:48 +0x1a5\nexit status 2",
            "[ 412.883120] bell 3-1.4: new bell number 11\n[ 412.991450] bell 3-1.4: Product: Bell",
            "ferry=4 berth=12 state=moored rope=2",
        ] {
            assert!(is_print(text), "{text}");
        }
    }

    #[test]
    fn what_people_write_in_lines_is_theirs() {
        for text in [
            "Some notes on the harbour:\n- bells: brass, two per pier\n- boats: oak\n- lamps: `lamp --lit`",
            "never tow a ferry\nthe bell is rung twice",
            "From now on every boat gets this:\nROPE=2\nLAMP=lit",
            "Die Boote liegen am Ostkai.\nNie zwei an einem Ring.",
            "berth 12 = ferries only",
            "The toll is 10 crowns.",
            "bells: brass",
        ] {
            assert!(!is_print(text), "{text}");
        }
    }
}
