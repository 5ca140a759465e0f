//! The grammar of a sentence: where its verb stands, whether it orders, asks, proposes or sets against.

use super::cues::{self, SpeechCue};
use super::language::Language;
use super::under_way::is_everyday_deed;
use super::words::{FINITE, SUBORDINATE, WORK, Word, is_plural, words_of};
use crate::extract::flaws::is_plain_verb;
use crate::extract::terms::is_common;

/// Tells whether a sentence turns into a question: by its mark, by "right" at its end, or by a last
/// clause whose verb stands before its subject.
pub(super) fn asks_in_the_end(sentence: &str, body: &[Word]) -> bool {
    let marked = sentence.match_indices('?').any(|(at, _)| {
        let rest = &sentence[at + 1..];
        rest.starts_with([' ', '?', '!']) && !rest.contains(['"', '”'])
    });
    // "So that the totals stay right" says how they are, "the totals are right" and "to the right" too.
    let says_how = body.len() > 1
        && matches!(
            body[body.len() - 2].text.as_str(),
            "stay"
                | "stays"
                | "is"
                | "are"
                | "be"
                | "get"
                | "gets"
                | "keep"
                | "come"
                | "comes"
                | "the"
                | "go"
                | "goes"
                | "remain"
                | "remains"
        );
    let tagged = body.len() > 3
        && !says_how
        && body.last().is_some_and(|word| matches!(word.text.as_str(), "right" | "correct" | "no" | "yes"))
        && body[..body.len() - 1].iter().any(|word| FINITE.contains(&word.text.as_str()));
    let named = body.first().is_some_and(|word| {
        matches!(word.text.as_str(), "q" | "question") && word.ends_clause || word.text == "whether"
    });
    // "If the gate is shut doesn't that mean …", "…, isn't it …"
    let denies = |word: &str| {
        matches!(
            word,
            "doesn't"
                | "isn't"
                | "aren't"
                | "wouldn't"
                | "shouldn't"
                | "couldn't"
                | "don't"
                | "didn't"
                | "won't"
        )
    };
    let asked = |word: &str| {
        matches!(word, "that" | "it" | "we" | "they" | "this" | "you" | "there" | "these" | "those")
    };
    let turned = body.windows(2).skip(1).any(|pair| denies(&pair[0].text) && asked(&pair[1].text));
    marked || tagged || named || turned
}

/// Tells whether the verb stands before its subject, as in a question without its mark.
pub(super) fn is_inverted(texts: &[String]) -> bool {
    let [verb, next, _, ..] = texts else { return false };
    match verb.as_str() {
        "should" | "could" | "would" | "can" | "will" | "shall" | "may" | "shouldn't" | "wouldn't" => {
            !is_plain_verb(next)
                && !matches!(next.as_str(), "not" | "be" | "also" | "always" | "never" | "only")
        }
        "is" | "are" | "was" | "were" | "does" | "did" | "has" | "isn't" | "aren't" | "doesn't" => {
            next != "not"
        }
        "do" | "have" => {
            matches!(next.as_str(), "we" | "you" | "they" | "i" | "the" | "these" | "those" | "any" | "it")
        }
        _ => false,
    }
}

/// Tells whether a plain verb follows a subject in the plural: "pages show 24 rows", "boats from outside
/// need two pilots".
pub(super) fn has_plain_verb(texts: &[String]) -> bool {
    let does = |word: &str| is_plain_verb(word) || is_everyday_deed(word);
    let Some(at) = texts.iter().take(4).position(|word| is_plural(word)) else { return false };
    let between = [
        "to", "a", "an", "the", "of", "for", "and", "or", "with", "in", "on", "from", "at", "by", "no", "not",
    ];
    texts.windows(2).skip(at).take(6).any(|pair| does(&pair[1]) && !between.contains(&pair[0].as_str()))
}

/// Returns what is proposed, behind a "let's" that opens the sentence or a clause of it.
pub(super) fn proposal<'a>(language: Language, body: &[Word], texts: &'a [String]) -> Option<&'a [String]> {
    (0..texts.len()).find_map(|at| {
        let opens = at == 0
            || body[at - 1].ends_clause
            || matches!(body[at - 1].text.as_str(), "so" | "and" | "but" | "then");
        let (0, length) = cues::find(language, SpeechCue::Proposing, &texts[at..])? else { return None };
        opens.then(|| &texts[at + length..])
    })
}

/// Words between "let's" and what is to be done.
pub(super) const FILLERS: [&str; 12] =
    ["not", "just", "also", "only", "please", "completely", "then", "all", "now", "first", "maybe", "simply"];

/// Tells whether "go" or "do" chooses rather than begins: "let's go with X".
pub(super) fn goes_with(texts: &[String]) -> bool {
    texts.windows(2).any(|pair| pair[0] == "go" && matches!(pair[1].as_str(), "with" | "for" | "back"))
}

/// Tells whether the subject is "we" and the next word what we do.
pub(super) fn is_practice(language: Language, texts: &[String]) -> bool {
    let subject = cues::find(language, SpeechCue::Ours, texts);
    subject.is_some_and(|(at, length)| {
        !POSSESSIVE.contains(&texts[at].as_str())
            && texts.get(at + length).is_some_and(|next| is_verb_form(next))
    })
}

/// Words for whose something is: what follows is the thing and not what is done.
const POSSESSIVE: [&str; 15] = [
    "our", "ours", "us", "unser", "unsere", "unserem", "unseren", "notre", "nos", "nuestro", "nuestra",
    "nuestros", "nosso", "nossa", "nossos",
];

/// Words behind "we" that do not say what we do.
const NOT_DOING: [&str; 14] = [
    "should", "could", "can", "may", "might", "would", "need", "have", "are", "were", "all", "both", "will",
    "want",
];

fn is_verb_form(word: &str) -> bool {
    is_plain_verb(word)
        || word.chars().all(char::is_alphabetic) && !NOT_DOING.contains(&word) && !is_common(word)
        || matches!(
            word,
            "don't"
                | "dont"
                | "do"
                | "never"
                | "always"
                | "only"
                | "also"
                | "still"
                | "stay"
                | "support"
                | "decided"
                | "decide"
        )
        || word.strip_suffix("ed").is_some_and(|stem| stem.len() > 2)
}

/// Tells whether a sentence begins with the plain form of a verb.
pub(crate) fn begins_with_verb(body: &str) -> bool {
    words_of(body).first().is_some_and(|word| is_plain_verb(&word.text))
}

/// Tells whether a sentence is a bare imperative: it begins with the plain form of a verb, and
/// nothing in its first clause states something.
pub(super) fn is_order(body: &[Word]) -> bool {
    let lead = body
        .iter()
        .position(|word| !matches!(word.text.as_str(), "always" | "only" | "also" | "just" | "please"));
    let Some(lead) = lead else { return false };
    if !is_plain_verb(&body[lead].text) && !WORK.contains(&body[lead].text.as_str()) {
        return false;
    }
    let mut previous = "";
    // "Push messages go through the relay" is about messages, "make messages go through it" is not.
    let causes = matches!(
        body[lead].text.as_str(),
        "make" | "let" | "have" | "help" | "see" | "watch" | "check" | "ensure"
    );
    for word in &body[lead..] {
        let of_many = !causes && is_plural(previous) && OF_MANY.contains(&word.text.as_str());
        let states = (FINITE.contains(&word.text.as_str()) || of_many)
            && !SUBORDINATE.contains(&previous)
            && word.at != body[lead].at;
        if states {
            return false;
        }
        if word.ends_clause {
            break;
        }
        previous = &word.text;
    }
    true
}

/// What several things do.
const OF_MANY: [&str; 16] = [
    "go", "come", "run", "live", "use", "get", "need", "belong", "start", "end", "stay", "sit", "take",
    "carry", "happen", "expire",
];

/// Tells whether a sentence sets one thing against another: "X, not Y", "instead of", "rather than".
pub(super) fn contrasts(texts: &[String]) -> bool {
    texts.iter().any(|word| {
        matches!(word.as_str(), "instead" | "rather" | "statt" | "not" | "nicht" | "pas" | "never" | "no")
    })
}

/// Tells whether a word says that it holds, or is over, without exception and without doubt: "always",
/// "never", "no longer".
pub(super) fn is_everlasting(language: Language, texts: &[String]) -> bool {
    const FOREIGN: [&str; 12] = [
        "nie", "niemals", "immer", "nunca", "siempre", "jamais", "toujours", "sempre", "mai", "nooit",
        "altijd", "jamás",
    ];
    const NO_LONGER: [[&str; 2]; 7] = [
        ["niet", "meer"],
        ["nicht", "mehr"],
        ["ya", "no"],
        ["já", "não"],
        ["não", "mais"],
        ["non", "più"],
        ["ne", "plus"],
    ];
    let foreign = language != Language::English;
    if foreign && texts.iter().any(|word| FOREIGN.contains(&word.as_str())) {
        return true;
    }
    if foreign && texts.windows(2).any(|pair| NO_LONGER.iter().any(|two| pair == two)) {
        return true;
    }
    (0..texts.len()).any(|at| {
        let says = |sign| matches!(cues::find(language, sign, &texts[at..]), Some((0, _)));
        let before = at.checked_sub(1).map_or("", |at| texts[at].as_str());
        let denied = before == "not" || before.ends_with("n't");
        match texts[at].as_str() {
            // "Not always" is how it goes, and "do nothing" what to do.
            "always" if denied => false,
            "nothing" | "nobody" if at > 0 => false,
            // What is preferred or set by default says so elsewhere.
            "instead" | "by" => false,
            _ => says(SpeechCue::Firm) && (says(SpeechCue::Universal) || says(SpeechCue::Standing)),
        }
    })
}
