//! What a person shows of somebody else's words: paragraphs in quotation marks.

/// Marks that open a quotation, and those that close it.
const MARKS: [(char, char); 4] = [('"', '"'), ('“', '”'), ('«', '»'), ('„', '“')];

/// Returns a message without the paragraphs that are quotations from their beginning to their end.
pub(super) fn own_words(message: &str) -> String {
    let mut out = String::with_capacity(message.len());
    let mut until: Option<char> = None;
    for line in message.lines() {
        let text = line.trim();
        if until.is_none() {
            let opens = MARKS.iter().find(|(open, _)| text.starts_with(*open));
            // A word in quotation marks at the beginning of a sentence is not a quotation.
            until = opens.map(|(_, close)| *close).filter(|close| !ends_inside(text, *close));
        }
        match until {
            None => {
                out.push_str(line);
                out.push('\n');
            }
            Some(close) if ends(text, close) => until = None,
            Some(_) => {}
        }
    }
    out
}

/// Tells whether a line closes its quotation before its end and goes on.
fn ends_inside(text: &str, close: char) -> bool {
    let inner: String = text.chars().skip(1).collect();
    inner.find(close).is_some_and(|at| inner[at + close.len_utf8()..].chars().any(char::is_alphanumeric))
}

fn ends(text: &str, close: char) -> bool {
    text.trim_end_matches(['.', ',', '!', '?']).ends_with(close) && text.chars().count() > 1
}

/// Tells whether a sentence stands in a text, whatever its marks.
pub(super) fn stands_in(sentence: &str, text: &str) -> bool {
    let plain = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    plain(text).contains(&plain(sentence))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_are_somebody_elses() {
        let check = |text: &str, expected: &str| assert_eq!(own_words(text).trim(), expected, "{text}");
        check(
            "is that true?\n\n\"We always sail at night.\nNever ask.\"\n\nI doubt it",
            "is that true?\n\n\nI doubt it",
        );
        check("\"Gull\" is the name of the boat", "\"Gull\" is the name of the boat");
        check("never sail at night", "never sail at night");
        assert!(stands_in("Never sail.", "they never SAIL!"));
    }
}
