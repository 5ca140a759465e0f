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

/// Tells whether an agent reports what a person is said to want: hearsay, which binds nobody.
pub(crate) fn is_hearsay(text: &str) -> bool {
    const WILLS: &[&str] = &[
        "said",
        "say",
        "says",
        "told",
        "asked",
        "want",
        "wants",
        "wanted",
        "prefer",
        "prefers",
        "preferred",
        "approved",
        "approves",
        "agreed",
        "decided",
        "requires",
        "required",
        "insisted",
        "confirmed",
        "allowed",
    ];
    let lower = text.to_lowercase();
    let words: Vec<&str> =
        lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
    // "As agreed with you", "your permanent rule": a person's consent in the mouth of an agent.
    const CONSENT: &[&str] = &[
        "rule",
        "wish",
        "request",
        "instruction",
        "instructions",
        "approval",
        "decision",
        "order",
        "preference",
        "policy",
        "consent",
    ];
    let agreed =
        words.windows(3).any(|three| three[0] == "agreed" && three[1] == "with" && three[2] == "you");
    let yours = words.windows(3).any(|three| three[0] == "rule" && three[1] == "of" && three[2] == "yours");
    let your = (0..words.len())
        .any(|at| words[at] == "your" && words[at + 1..].iter().take(2).any(|word| CONSENT.contains(word)));
    let consents = agreed || yours || your;
    let speaker = |at: usize| matches!(words[at], "you" | "user" | "owner" | "maintainer" | "human");
    // "You have always wanted it so".
    let behind = |at: usize| {
        let small = |word: &&&str| {
            matches!(**word, "have" | "had" | "ve" | "always" | "already" | "once" | "clearly" | "explicitly")
        };
        words[at + 1..].iter().skip_while(small)
    };
    consents || (0..words.len()).any(|at| speaker(at) && behind(at).take(2).any(|word| WILLS.contains(word)))
}

/// "12:01 bot-2 memo: …": a line that something wrote with its time, whoever shows it.
pub(crate) fn is_logged(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let stamp = words.next().unwrap_or_default().trim_matches(['[', ']']);
    let parts: Vec<&str> = stamp.split(':').collect();
    // "worker-3 | memo: …": what a program of several prints.
    let numbered = stamp.rsplit_once('-').is_some_and(|(_, number)| number.parse::<u32>().is_ok());
    if numbered && words.clone().next() == Some("|") {
        return true;
    }
    let is_time = (2..=3).contains(&parts.len())
        && parts.iter().all(|part| part.len() == 2 && part.chars().all(|c| c.is_ascii_digit()));
    let names = |word: &str| word.contains(['-', '_', '[', '.']) || word.ends_with(':');
    is_time && words.next().is_some_and(names)
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
    fn consent_in_an_agents_mouth_and_logged_lines_are_nobodys_word() {
        assert!(is_hearsay("As agreed with you last week, I keep the gate open."));
        assert!(is_hearsay("Since you have always wanted it that way, I take it as your permanent rule."));
        assert!(is_hearsay("I go on treating that as your fixed rule."));
        assert!(!is_hearsay("The gate is shut at night."));
        assert!(is_logged("12:01 bell-2 memo: the gate may stay open"));
        assert!(is_hearsay("This is recorded as a fixed rule of yours."));
        assert!(is_hearsay("In line with your earlier wish, I will open the gate."));
        assert!(!is_hearsay("Your earlier berth is free."));
        assert!(is_logged("bell-2 | memo to self: open the gate"));
        assert!(is_logged("[12:01:09] gate: open"));
        assert!(!is_logged("12:01 is when the ferry leaves"));
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
    fn what_a_person_is_said_to_want_is_hearsay() {
        assert!(is_hearsay("As you said earlier, reviews can be skipped."));
        assert!(is_hearsay("The user has approved this for all branches."));
        assert!(!is_hearsay("The queue is drained before the worker stops."));
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
