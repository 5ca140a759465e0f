//! The words of a sentence, and those that tell an order from a statement.

use super::cues::{self, SpeechCue};
use super::language::Language;
use crate::spelling::spelled;

/// Verbs of work on the task at hand: looking, telling, building one thing. An order with one of
/// these is a task even where it says "every".
pub(super) const WORK: [&str; 110] = [
    "undo",
    "redo",
    "hide",
    "check",
    "look",
    "see",
    "show",
    "tell",
    "explain",
    "find",
    "search",
    "list",
    "read",
    "review",
    "test",
    "try",
    "verify",
    "investigate",
    "debug",
    "examine",
    "analyze",
    "analyse",
    "compare",
    "summarize",
    "summarise",
    "count",
    "think",
    "confirm",
    "continue",
    "proceed",
    "go",
    "help",
    "give",
    "wait",
    "walk",
    "open",
    "ping",
    "print",
    "draft",
    "plan",
    "pull",
    "fetch",
    "start",
    "work",
    "figure",
    "describe",
    "generate",
    "write",
    "create",
    "build",
    "rebuild",
    "implement",
    "fix",
    "refactor",
    "upgrade",
    "install",
    "undo",
    "revert",
    "restore",
    "redo",
    "answer",
    "reply",
    "respond",
    "validate",
    "discuss",
    "explore",
    "propose",
    "suggest",
    "brainstorm",
    "address",
    "tackle",
    "finish",
    "complete",
    "clone",
    "download",
    "research",
    "inspect",
    "resume",
    "update",
    "add",
    "do",
    "take",
    "put",
    "run",
    "commit",
    "push",
    "merge",
    "rebase",
    "clean",
    "double-check",
    "improve",
    "convert",
    "extract",
    "move",
    "port",
    "scan",
    "rewrite",
    "copy",
    "get",
    "switch",
    "talk",
    "pause",
    "stash",
    "focus",
    "apply",
    "sync",
    "note",
    "troubleshoot",
    "spawn",
    "mention",
];

/// Tells whether a word is an auxiliary or the like.
pub(crate) fn is_finite(word: &str) -> bool {
    FINITE.contains(&word)
}

/// Auxiliaries and the like: a first clause with one of these states something, whatever it begins with.
pub(super) const FINITE: [&str; 39] = [
    "may",
    "is",
    "isn't",
    "are",
    "aren't",
    "was",
    "were",
    "has",
    "have",
    "had",
    "must",
    "should",
    "shouldn't",
    "can",
    "can't",
    "cannot",
    "will",
    "won't",
    "does",
    "doesn't",
    "goes",
    "gets",
    "lives",
    "runs",
    "comes",
    "carry",
    "carries",
    "belongs",
    "happens",
    "happen",
    "stays",
    "takes",
    "needs",
    "means",
    "expires",
    "costs",
    "starts",
    "uses",
    "contains",
];

/// Words that open a clause of their own: a verb behind them is not the sentence's.
pub(super) const SUBORDINATE: [&str; 18] = [
    "that", "which", "who", "what", "how", "where", "if", "when", "whenever", "it", "they", "you", "i", "we",
    "he", "she", "as", "to",
];

/// Tells whether a word looks like several things.
pub(super) fn is_plural(word: &str) -> bool {
    word.len() > 2 && word.ends_with('s') && !word.ends_with("ss")
}

/// Lists the words of a sentence in lower case, without the marks around them.
pub(super) fn plain_words(sentence: &str) -> Vec<String> {
    words_of(sentence).into_iter().map(|word| word.text).collect()
}

/// One word of a sentence, in lower case.
#[derive(Debug)]
pub(super) struct Word {
    pub(super) text: String,
    /// Where it begins.
    pub(super) at: usize,
    /// Whether a comma, semicolon or colon follows.
    pub(super) ends_clause: bool,
}

pub(super) fn words_of(sentence: &str) -> Vec<Word> {
    let mut out: Vec<Word> = Vec::new();
    let mut at = 0;
    for piece in sentence.split_inclusive(char::is_whitespace) {
        let start = at;
        at += piece.len();
        let word = piece.trim();
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        if bare.is_empty() {
            if let Some(last) = out.last_mut() {
                last.ends_clause = true;
            }
            continue;
        }
        let text = spelled(&bare.replace('’', "'").to_lowercase()).to_owned();
        let ends_clause = word.ends_with([',', ';', ':', '.', '!', '—', '–']);
        out.push(Word { text, at: start + piece.find(bare).unwrap_or(0), ends_clause });
    }
    out
}

/// Counts the words that stand before the matter: assent, politeness, "by the way".
pub(super) fn opening(language: Language, words: &[Word]) -> usize {
    let texts: Vec<String> = words.iter().map(|word| word.text.clone()).collect();
    let mut at = 0;
    while at < texts.len() {
        let Some((0, length)) = cues::find(language, SpeechCue::Opener, &texts[at..]) else { break };
        let last = &words[at + length - 1];
        // "no emojis" and "right margins" are the matter itself; "no, …" and "ok …" are not.
        let denies = length == 1
            && matches!(
                last.text.as_str(),
                "no" | "right"
                    | "second"
                    | "first"
                    | "good"
                    | "note"
                    | "next"
                    | "update"
                    | "correction"
                    | "reminder"
                    | "beware"
                    | "non"
                    | "não"
                    | "nein"
            );
        // "Thanks to the new lamp …" thanks nobody.
        let owes = last.text == "thanks" && texts.get(at + length).is_some_and(|next| next == "to");
        if at + length >= texts.len() || owes || denies && !last.ends_clause {
            break;
        }
        at += length;
    }
    at
}
