//! What the wording of a question asks for, and what the wording of a piece of text offers.
//!
//! Plain signs that hold in any project: a question that begins with `why` is answered by reasons, one
//! that begins with `how many` by numbers; `let me look` answers nothing.

use crate::token::tokens;

/// What a question asks for, and a piece of text may offer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sort {
    /// A reason.
    Reason,
    /// A number or a version.
    Number,
    /// A name of code: a path, a flag, a setting, a branch.
    Code,
    /// Whether something holds: no, not, only, removed, by default.
    Verdict,
    /// A time or an occasion.
    Occasion,
    /// A way to do something.
    Way,
    /// The name of somebody or something.
    Name,
}

const AUXILIARIES: &[&str] = &[
    "do", "does", "did", "is", "are", "was", "were", "can", "could", "may", "should", "will", "has", "have",
    "am",
];
const THINGS: &[&str] = &[
    "file",
    "branch",
    "command",
    "flag",
    "switch",
    "setting",
    "key",
    "tool",
    "hook",
    "path",
    "repository",
    "label",
    "variable",
    "option",
    "folder",
    "port",
];

/// Reads what a question asks for.
pub(crate) fn asked(question: &str) -> Vec<Sort> {
    let lower = question.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let first = words.first().copied().unwrap_or_default();
    let second = words.get(1).copied().unwrap_or_default();
    let has = |word: &str| words.contains(&word);
    let mut out = Vec::new();
    if has("why") || has("reason") || has("cause") {
        out.push(Sort::Reason);
    }
    let measured = ["many", "big", "much", "long", "far", "old", "large", "often"].contains(&second);
    if (first == "how" && measured) || has("version") || has("minimum") || has("maximum") || has("size") {
        out.push(Sort::Number);
    }
    if has("where") || has("called") || (has("which") && THINGS.iter().any(|thing| has(thing))) {
        out.push(Sort::Code);
    }
    if AUXILIARIES.contains(&first) || has("still") || has("allowed") {
        out.push(Sort::Verdict);
    }
    if has("when") {
        out.push(Sort::Occasion);
    }
    if first == "how" && !measured {
        out.push(Sort::Way);
    }
    if has("who") || has("whose") || has("name") {
        out.push(Sort::Name);
    }
    out
}

/// Tells whether somebody asks how things are here, rather than speaks to the agent about what it is
/// doing: a whole question that points at nothing in the conversation (no deixis).
pub(crate) fn is_open_question(text: &str) -> bool {
    const OPENINGS: &[&str] = &["what", "why", "which", "who", "whose", "where", "when", "how"];
    const BEFORE: &[&str] = &["in", "from", "at", "on", "to", "under", "for", "if", "after", "before"];
    const MODALS: &[&str] = &["shall", "must"];
    const POINTING: &[&str] = &[
        "it", "this", "that", "these", "those", "you", "your", "yours", "me", "my", "mine", "again", "above",
        "here", "them", "they", "yet", "next",
    ];
    let lower = text.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric() && c != '\'').filter(|word| !word.is_empty()).collect();
    let [first, .., _] = words.as_slice() else { return false };
    let marked = text.trim_end().ends_with('?');
    let polar = AUXILIARIES.contains(first) || MODALS.contains(first) || BEFORE.contains(first);
    let opens = OPENINGS.contains(first) || (marked && polar);
    words.len() >= 4 && opens && !words.iter().any(|word| POINTING.contains(word))
}

/// Tells whether a text makes an exception: what else it says is then no repetition of the rule.
pub(crate) fn excepts(text: &str) -> bool {
    const EXCEPTING: [&str; 24] = [
        "except",
        "excepting",
        "excluding",
        "unless",
        "apart from",
        "aside from",
        "other than",
        "but not",
        "with the exception of",
        "außer",
        "ausgenommen",
        "ausser",
        "abgesehen von",
        "mit ausnahme",
        "es sei denn",
        "sauf",
        "excepté",
        "hormis",
        "à moins que",
        "excepto",
        "salvo",
        "a menos que",
        "tranne",
        "eccetto",
    ];
    let lower = text.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let spoken = format!(" {} ", words.join(" "));
    EXCEPTING.iter().any(|words| spoken.contains(&format!(" {words} ")))
}

/// Marks a text as the reason of what stands before it, unless it says so itself.
pub(crate) fn reason(text: &str) -> String {
    const SAYING: [&str; 12] = [
        "because ",
        "since ",
        "so that ",
        "otherwise ",
        "due to ",
        "weil ",
        "damit ",
        "sonst ",
        "parce que ",
        "car ",
        "porque ",
        "perché ",
    ];
    let lower = text.to_lowercase();
    if SAYING.iter().any(|word| lower.starts_with(word)) {
        format!("({text})")
    } else {
        format!("(why: {text})")
    }
}

/// Tells whether a piece of text offers what is asked for.
pub(crate) fn offers(text: &str, sort: Sort) -> bool {
    let any = |wanted: &[&str]| {
        text.split(|c: char| !c.is_alphanumeric() && c != '\'')
            .any(|word| wanted.iter().any(|wanted| word.eq_ignore_ascii_case(wanted)))
    };
    match sort {
        Sort::Reason => {
            any(&[
                "because",
                "since",
                "otherwise",
                "reason",
                "therefore",
                "means",
                "would",
                "avoid",
                "instead",
            ]) || text.contains("due to")
                || text.contains("so that")
        }
        Sort::Number => text.contains(|c: char| c.is_ascii_digit()),
        Sort::Code => {
            text.contains('`')
                || text.contains("--")
                || text.split_whitespace().any(|word| {
                    let inner = word.trim_matches(|c: char| !c.is_alphanumeric());
                    inner.contains(['/', '_']) || inner.contains('.') && !inner.ends_with('.')
                })
        }
        Sort::Verdict => any(&[
            "no",
            "not",
            "never",
            "removed",
            "remove",
            "only",
            "must",
            "should",
            "always",
            "instead",
            "don't",
            "doesn't",
            "can't",
            "cannot",
            "won't",
            "yes",
            "dropped",
            "deprecated",
            "off",
            "default",
        ]),
        Sort::Occasion => {
            any(&["when", "after", "before", "during", "until", "once", "every", "each", "start", "end"])
        }
        Sort::Way => {
            text.contains('`')
                || any(&[
                    "use", "run", "set", "add", "via", "by", "with", "through", "using", "call", "create",
                ])
        }
        Sort::Name => {
            text.split_whitespace().skip(1).any(|word| word.starts_with(|c: char| c.is_uppercase()))
        }
    }
}

/// Tells whether a person objects to what was just said or done.
pub(crate) fn objects(text: &str) -> bool {
    const OPENINGS: &[&str] = &[
        "no",
        "nope",
        "nah",
        "don't",
        "dont",
        "stop",
        "never",
        "wrong",
        "that's wrong",
        "thats wrong",
        "not like that",
        "undo",
        "revert",
        "nein",
        "nicht",
        "niemals",
        "non",
        "jamais",
        "nunca",
        "nee",
    ];
    let start = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    OPENINGS.iter().any(|opening| {
        let head = start.get(..opening.len()).is_some_and(|head| head.eq_ignore_ascii_case(opening));
        head && !start[opening.len()..].starts_with(char::is_alphanumeric)
    })
}

/// Tells whether a piece of text says in so many words that something is not as it was.
pub(crate) fn tells_of_change(text: &str) -> bool {
    const STEMS: &[&str] = &["remov", "renam", "replac", "deprecat", "dropp", "revert", "switch", "abandon"];
    const PHRASES: &[&str] =
        &["no longer", "not any more", "anymore", "instead of", "used to be", "moved from", "changed from"];
    let lower = text.to_lowercase();
    PHRASES.iter().any(|phrase| lower.contains(phrase))
        || lower
            .split(|c: char| !c.is_alphanumeric())
            .any(|word| STEMS.iter().any(|stem| word.starts_with(stem)))
}

/// Tells whether a text lays down how things are to be done every time, not what to do once.
pub(crate) fn holds_always(text: &str) -> bool {
    let lower = text.to_lowercase();
    lower.split(|c: char| !c.is_alphanumeric()).any(|word| matches!(word, "always" | "never"))
        || lower.contains("from now on")
}

/// Tells whether a piece of text is rather data than words.
pub(crate) fn is_data(text: &str) -> bool {
    let all = text.chars().count().max(1);
    let plain = text.chars().filter(|c| c.is_alphabetic() || *c == ' ').count();
    plain * 10 < all * 7
}

/// Tells whether a word only says when, so that its absence says nothing about what is known.
pub(crate) fn is_about_time(word: &str) -> bool {
    const WORDS: &[&str] = &[
        "january",
        "february",
        "march",
        "april",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
        "nowadays",
        "currently",
        "today",
        "mid",
        "early",
        "late",
        "originally",
        "initially",
        "somebody",
        "someone",
        "something",
        "anybody",
        "anyone",
    ];
    WORDS.contains(&word) || word.chars().all(|c| c.is_ascii_digit()) && tokens(word).len() == 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_exception_is_told_from_a_rule() {
        for text in ["Except for the tug, all boats are red.", "All boats are red, außer dem Schlepper."] {
            assert!(excepts(text), "{text}");
        }
        assert!(!excepts("All boats are red.") && !excepts("An exceptional boat is red."));
    }

    #[test]
    fn questions_ask_for_something() {
        let check = |question: &str, expected: &[Sort]| assert_eq!(asked(question), expected, "{question}");
        check("Why is there no lock?", &[Sort::Reason]);
        check("How many retries are made?", &[Sort::Number]);
        check("Which flag turns it off?", &[Sort::Code]);
        check("Is the queue still around?", &[Sort::Verdict]);
        check("How do I reset it?", &[Sort::Way]);
    }

    #[test]
    fn open_questions_point_at_nothing_in_the_conversation() {
        for question in ["May I commit straight onto the default branch?", "which tests run before a release"]
        {
            assert!(is_open_question(question), "{question}");
        }
        for other in
            ["what does this error mean", "why did it fail?", "run the tests", "can you add a test?", "why?"]
        {
            assert!(!is_open_question(other), "{other}");
        }
    }

    #[test]
    fn texts_offer_something() {
        assert!(offers("It fails because the lock is held", Sort::Reason));
        assert!(offers("Use `--force`", Sort::Code) && offers("see src/lock.rs", Sort::Code));
        assert!(!offers("It was fine", Sort::Code) && !offers("It was fine", Sort::Number));
        assert!(tells_of_change("It was renamed") && tells_of_change("It is no longer so"));
        assert!(!tells_of_change("It is called the writer") && !tells_of_change("It is not so now"));
        assert!(holds_always("Never amend what was pushed") && !holds_always("Add a flag for every port"));
        assert!(is_data("│ 12 │ 0x3f │ 17 │") && !is_data("The lock is held by the writer"));
    }
}
