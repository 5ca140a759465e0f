//! Which sentences of a message make passages: what is left out, and what is told together.

use crate::extract::choice;
use crate::extract::lexicon::Cues;
use crate::extract::passage::Origin;
use crate::extract::segment::{Piece, Shape};
use crate::extract::sentence::{word_count, words};
use crate::extract::shape::Marks;
use crate::extract::wording::strip_openers;

/// At most so many sentences make one passage.
const MOST_SENTENCES: usize = 3;
/// And about so many words.
const MOST_WORDS: usize = 60;
/// Items shorter than this are told together with their neighbours.
const SHORT_ITEM: usize = 18;

/// Groups short neighbours of one list; everything else stands alone.
pub(super) fn grouped(pieces: &[Piece], options: &[Option<String>]) -> Vec<std::ops::Range<usize>> {
    let mut groups: Vec<std::ops::Range<usize>> = Vec::new();
    for index in 0..pieces.len() {
        let joins = groups.last().is_some_and(|group| {
            let first = &pieces[group.start];
            let piece = &pieces[index];
            let words: usize = pieces[group.clone()].iter().map(Piece::words).sum();
            piece.shape == Shape::Item
                && first.shape == Shape::Item
                && piece.list == first.list
                && group.len() < MOST_SENTENCES
                && options[index].is_none()
                && options[group.start].is_none()
                && piece.words() <= SHORT_ITEM
                && words <= SHORT_ITEM * group.len()
        });
        match groups.last_mut() {
            Some(group) if joins => group.end = index + 1,
            _ => groups.push(index..index + 1),
        }
    }
    groups
}

/// Leaves out sentences that only narrate, ask or greet.
pub(super) fn keep(piece: &Piece, origin: Origin) -> Vec<String> {
    let worth = |sentence: &&String| match origin {
        Origin::Person => !is_output(sentence) && !is_inquiry(sentence),
        Origin::Agent | Origin::Plan => {
            let cues = Cues::of(strip_openers(sentence));
            let idle = cues.has("announcing") || choice::is_asking(sentence);
            let empty = word_count(sentence) <= 4 && !sentence.contains('`') && !sentence.contains(':');
            // What a colon promises stands elsewhere: in a list that repeats it, or in code that is left out.
            let lead = sentence.ends_with(':');
            !idle && !empty && !lead
        }
        Origin::Commit => word_count(sentence) >= 3 && !answers_review(sentence),
    };
    piece.sentences.iter().filter(worth).cloned().collect()
}

/// Tells whether a sentence of a commit only says who asked for it.
fn answers_review(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let asked = ["review", "feedback", "comment"].iter().any(|word| lower.contains(word));
    lower.starts_with("address") && asked && word_count(sentence) <= 10
}

/// Tells whether a person only wants to know something; a request may have a question mark too.
fn is_inquiry(sentence: &str) -> bool {
    const ASKING: [&str; 24] = [
        "what", "which", "why", "how", "where", "when", "who", "is", "are", "was", "were", "do", "does",
        "did", "has", "have", "am", "any", "anything", "will", "would", "isn't", "aren't", "doesn't",
    ];
    let first = words(sentence)
        .find(|word| !matches!(word.as_str(), "and" | "so" | "but" | "ok" | "hm" | "hmm" | "also" | "then"));
    sentence.ends_with('?') && first.is_some_and(|first| ASKING.contains(&first.as_str()))
}

/// Tells whether a line was pasted from a terminal rather than written.
fn is_output(sentence: &str) -> bool {
    let prompt = [
        "$ ", "❯", "> ", "% ", "# ", "+ ", "remote:", "error:", "warning:", "fatal:", "hint:", "at ",
        "File \"", "✓", "✗", "⎿", "│", "├", "└",
    ];
    let marks = Marks::of(sentence);
    let code = [" = ", ":=", "=>", "){", ") {", "//", "func ", ");", "});", "!= "];
    prompt.iter().any(|start| sentence.starts_with(start))
        || marks.symbols > 0.12 && !sentence.contains('`') && code.iter().any(|mark| sentence.contains(mark))
        || marks.symbols > 0.28
        || !sentence.contains(' ') && marks.paths
}

/// Cuts a run of sentences into passages of bounded length.
pub(super) fn chunks(sentences: Vec<String>) -> Vec<Vec<String>> {
    let mut chunks: Vec<Vec<String>> = Vec::new();
    let mut words = 0;
    for sentence in sentences {
        let more = word_count(&sentence);
        match chunks.last_mut() {
            Some(chunk) if chunk.len() < MOST_SENTENCES && words + more <= MOST_WORDS => {
                chunk.push(sentence);
                words += more;
            }
            _ => {
                chunks.push(vec![sentence]);
                words = more;
            }
        }
    }
    chunks
}
