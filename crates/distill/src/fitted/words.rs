//! The words of a text, made alike where it does not matter which they are.

use crate::spelling::spelled;

/// Returns the words of a text and the marks between them.
pub(crate) fn tokens(text: &str) -> Vec<String> {
    text.split_whitespace().flat_map(tokens_of).collect()
}

/// Returns what stands between two blanks: a word and the marks around it.
///
/// Which number and which name it is says nothing about what a sentence does, nor whether somebody ends it with a
/// full stop.
fn tokens_of(chunk: &str) -> Vec<String> {
    const MARKS: [char; 6] = ['?', '!', ':', ',', ';', '…'];
    let word = chunk.trim_matches(|c: char| !c.is_alphanumeric() && c != '`');
    let begins = chunk.find(word).unwrap_or(0);
    let marks = |text: &str| text.chars().filter(|c| MARKS.contains(c)).map(String::from).collect::<Vec<_>>();
    let mut out = marks(&chunk[..begins]);
    if word.chars().any(is_written_without_blanks) {
        let letters: Vec<char> = word.chars().collect();
        out.extend(letters.windows(2).map(|two| two.iter().collect::<String>()));
    } else if !word.is_empty() {
        out.push(normal(word));
    }
    out.extend(marks(&chunk[begins + word.len()..]));
    out
}

fn normal(word: &str) -> String {
    let camel =
        || word.as_bytes().windows(2).any(|two| two[0].is_ascii_lowercase() && two[1].is_ascii_uppercase());
    if word.starts_with(|c: char| c.is_ascii_digit()) {
        "#".to_owned()
    } else if word.contains(['`', '_', '/', '.']) || camel() {
        "@".to_owned()
    } else {
        spelled(&word.to_lowercase().replace('’', "'")).to_owned()
    }
}

/// Japanese and Chinese letters.
fn is_written_without_blanks(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{4e00}'..='\u{9fff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_numbers_are_only_that() {
        let said = |chunk| tokens_of(chunk).join(" ");
        assert_eq!(said("(`lock.rs`),"), "@ ,");
        assert_eq!(said("25kg"), "#");
        assert_eq!(said("keyRing"), "@");
        assert_eq!(said("Don’t"), "don't");
        assert_eq!(said("鍵は外"), "鍵は は外");
        assert_eq!(said("--"), "");
        assert_eq!(tokens("Keys, please."), ["keys", ",", "please"]);
    }
}
