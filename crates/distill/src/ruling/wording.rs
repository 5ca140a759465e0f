//! A ruling on a page: in the person's words, with a title that can stand in a list.

use crate::extract::wording::capital;

/// Most words of a title.
const TITLE: usize = 12;

/// Joins the sentences of a ruling, each as it was said.
pub(super) fn text(sentences: &[&str]) -> String {
    let mut out = String::new();
    for sentence in sentences {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&capital(sentence.trim()));
        if !out.ends_with(['.', '!', '?', '…', '"', '”', '。', '！', '？']) {
            out.push('.');
        }
    }
    out
}

/// Makes the sentence its own title; a long one ends at a clause.
pub(super) fn title(sentence: &str) -> String {
    let whole = sentence.trim().trim_end_matches(['.', '!', ',', ';', ':', '。', '！']);
    let words: Vec<&str> = whole.split_whitespace().collect();
    if words.len() <= TITLE {
        return capital(whole);
    }
    let ends = |at: &usize| words[at - 1].ends_with([',', ';', ':', '.']);
    let clause = (4..=TITLE).rev().find(ends);
    if let Some(cut) = clause {
        let first = words[0].to_lowercase();
        // "When the tide is out, boats stay in": the point stands behind the circumstances.
        let rest = words[cut..].join(" ");
        if LEADING_UP.contains(&first.as_str()) && words.len() - cut >= 4 {
            return title(&rest);
        }
        return capital(words[..cut].join(" ").trim_end_matches([',', ';', ':', '.']));
    }
    capital(words[..whole_words(&words)].join(" ").trim_end_matches([',', ';', ':', '.']))
}

/// Words that open the circumstances of what a sentence says.
const LEADING_UP: [&str; 20] = [
    "if", "when", "whenever", "as", "since", "because", "coz", "cause", "after", "before", "once", "while",
    "for", "with", "in", "based", "given", "although", "though", "first",
];

/// Avoids ending on a word that leads on.
fn whole_words(words: &[&str]) -> usize {
    let mut end = TITLE;
    while end > 4 && crate::extract::flaws::cannot_end(&words[end - 1].to_lowercase()) {
        end -= 1;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_the_sentence_or_its_first_clause() {
        assert_eq!(title("never water the cactus on sundays."), "Never water the cactus on sundays");
        assert_eq!(
            title(
                "the archive must stay closed between ten and two, because the keeper who has the key is away then"
            ),
            "The archive must stay closed between ten and two"
        );
        assert_eq!(
            title(
                "when the tide is out, boats that have no keel stay in the harbour until the next bell rings"
            ),
            "Boats that have no keel stay in the harbour until the next"
        );
    }

    #[test]
    fn sentences_are_joined_as_they_were_said() {
        assert_eq!(text(&["no candles. ever", "they drip"]), "No candles. ever. They drip.");
    }
}
