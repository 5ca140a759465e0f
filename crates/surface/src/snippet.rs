//! The sentences that matter for a query, whole.

use lore_core::text::{has_elision, is_cut_short};
use lore_core::{Article, Entry};
use unicode_segmentation::UnicodeSegmentation;

use crate::query::Word;
use crate::token;

/// A snippet is about this long.
const WANTED: usize = 220;

/// Picks the best sentences of an entry for a query.
pub(crate) fn of_entry(entry: &Entry, words: &[Word]) -> String {
    let description = entry.description.as_deref().unwrap_or_default();
    let body = best(&standing(entry), words, WANTED);
    if words.is_empty() || body.is_empty() {
        return if description.is_empty() { body } else { description.to_owned() };
    }
    let score = |text: &str| weigh(text, words);
    if score(description) >= score(&body) && !description.is_empty() { description.to_owned() } else { body }
}

/// Returns what an entry says now: no footnotes, no links to neighbours, nothing that was replaced.
fn standing(entry: &Entry) -> String {
    let article = Article::parse(&entry.body);
    let claims = article.current().chain(&article.conflict).map(|claim| claim.text.as_str());
    let sections = article.other.iter().map(|section| section.body.as_str());
    let text = claims.chain(sections).collect::<Vec<_>>().join("\n");
    if text.trim().is_empty() { entry.body.clone() } else { text }
}

/// Picks the sentences of a text that say most about a query, within a length.
pub fn excerpt(text: &str, query: &str, wanted: usize) -> String {
    best(text, &crate::query::words(query), wanted)
}

/// Picks the run of whole sentences that says most about the words within a length.
pub(crate) fn best(text: &str, words: &[Word], wanted: usize) -> String {
    let sentences = sentences(text);
    let scores: Vec<f32> = sentences.iter().map(|sentence| weigh(sentence, words)).collect();
    let Some(top) = (0..sentences.len()).max_by(|a, b| {
        // Of equally good ones the first, because texts open with what matters.
        scores[*a].total_cmp(&scores[*b]).then(b.cmp(a))
    }) else {
        return String::new();
    };
    let (mut first, mut last) = (top, top);
    let mut length = sentences[top].len();
    loop {
        let after = sentences.get(last + 1).map(|next| (next.len(), scores[last + 1]));
        let before = first.checked_sub(1).map(|at| (sentences[at].len(), scores[at]));
        let take_after = match (before, after) {
            (None, None) => break,
            (None, Some(_)) => true,
            (Some(_), None) => false,
            (Some(before), Some(after)) => after.1 >= before.1,
        };
        let (next, _) = if take_after { after } else { before }.expect("one of the two is there");
        if length + next + 1 > wanted {
            break;
        }
        length += next + 1;
        if take_after { last += 1 } else { first -= 1 }
    }
    sentences[first..=last].join(" ")
}

/// Splits Markdown into sentences, list items and headings, without their marks.
pub(crate) fn sentences(text: &str) -> Vec<&str> {
    let mut out = Vec::new();
    for line in text.lines() {
        let line = line.trim().trim_start_matches(['#', '>', '*', '-', '|', ' ']).trim();
        if line.is_empty() || line.starts_with("```") || has_elision(line) {
            continue;
        }
        out.extend(sentences_of(line));
    }
    out
}

/// Splits a line at the ends of sentences; initials and abbreviations end none.
fn sentences_of(line: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut from = 0;
    for (at, piece) in line.split_sentence_bound_indices() {
        let end = at + piece.len();
        let is_open = piece.trim_end().strip_suffix('.').is_some_and(is_cut_short);
        if !is_open || end == line.len() {
            out.push(line[from..end].trim());
            from = end;
        }
    }
    out.retain(|sentence| sentence.chars().any(char::is_alphanumeric));
    out
}

/// Weighs a sentence: the distinct words of the query it has, a little less for being long.
pub(crate) fn weigh(sentence: &str, words: &[Word]) -> f32 {
    let may_match = |word: &str| words.iter().any(|sought| may_share_stem(&sought.term, word));
    let mut terms: Vec<String> =
        token::tokens_stemmed(sentence, may_match).into_iter().map(|token| token.term).collect();
    if terms.is_empty() {
        return 0.0;
    }
    terms.sort_unstable();
    terms.dedup();
    let has = |word: &&Word| terms.binary_search(&word.term).is_ok();
    let sum: f32 = words.iter().filter(has).map(|word| word.weight).sum();
    sum / (8.0 + terms.len() as f32).ln()
}

/// Tells whether a word may have a stem, without stemming it: a stem begins as its word does, but for
/// `die` and its like, which `dying` has.
fn may_share_stem(stem: &str, word: &str) -> bool {
    let letter = |byte: &u8| if *byte == b'y' { b'i' } else { *byte };
    stem.bytes().take(2).map(|byte| letter(&byte)).eq(word.as_bytes().iter().take(2).map(letter))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query;

    #[test]
    fn footnotes_neighbours_and_the_past_are_not_shown() {
        let mut entry = Entry::new("fac-2026-01-01-lock".parse().unwrap(), lore_core::Kind::Fact, "Lock");
        entry.body =
            "The lock is a file.[^s1]\n\n## History\n\n- The lock is a socket.[^s1]\n  Until 2026-01-01\n\n\
                      ## Related\n\n- [The lock of old](lock.md)\n\n[^s1]: A person, `lock`\n"
                .to_owned();
        assert_eq!(of_entry(&entry, &query::words("lock socket")), "The lock is a file.");
    }

    #[test]
    fn whatever_shares_a_stem_begins_alike() {
        for word in ["dying", "lying", "skies", "using", "idly", "generously", "happily", "yes", "as", "ox"] {
            let stem = &token::tokens(word)[0].term;
            assert!(may_share_stem(stem, word), "{stem} {word}");
        }
        assert!(!may_share_stem("lock", "file"));
    }

    #[test]
    fn the_sentence_with_the_words_is_picked_whole() {
        let text = "# Locks\n\nWe use files. The writer lock is held for a commit only, never for a search. \
                    Nothing else is locked.\n\n- Readers never wait.";
        let found = best(text, &query::words("how long is the writer lock held"), 80);
        assert_eq!(found, "The writer lock is held for a commit only, never for a search.");
        assert_eq!(best("", &query::words("x"), 80), "");
    }
}
