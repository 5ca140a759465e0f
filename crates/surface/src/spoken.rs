//! The words of a text as people say them.

use lore_core::words::Form;

use crate::token;

/// Lists the words of a text with their stems; a compound is its parts.
pub(crate) fn spoken(text: &str) -> Vec<(String, String)> {
    let text = without_contractions(text);
    let parts = token::tokens(&text).into_iter().filter(|token| token.form != Form::Whole);
    parts.map(|token| (token.term, token.word)).collect()
}

/// Takes off `'d`, `'ll`, `'re`, `'ve`, `'m`: `we'd` is no wedding.
fn without_contractions(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['\'', '’']) {
        let (before, after) = rest.split_at(at);
        out.push_str(before);
        let mark = after.chars().next().map_or(1, char::len_utf8);
        let end = after[mark..].find(|c: char| !c.is_alphabetic()).map_or(after.len(), |end| mark + end);
        let ending = after[mark..end].to_ascii_lowercase();
        if !matches!(ending.as_str(), "d" | "ll" | "re" | "ve" | "m") {
            out.push_str(&after[..end]);
        }
        rest = &after[end..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contractions_are_grammar() {
        assert_eq!(
            without_contractions("we'd say it's Nate’s, they'll don't"),
            "we say it's Nate’s, they don't"
        );
    }
}
