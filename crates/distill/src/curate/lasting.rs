//! What an agent says that outlives its session.
//!
//! Nearly all of what agents write is of the moment: status, plans, narration, what git tells
//! anyway. Without an editor only the few forms are kept that last in almost every project: how
//! something came about, and a reason that limits what can be done. The rest stays findable as what
//! was said, and waits for an editor.

use std::sync::LazyLock;

use lore_core::{Candidate, Kind, Route, Voice};
use regex::Regex;

use crate::ruling::{begins_with_verb, is_finite};

/// A statement with fewer words gives no reason worth keeping.
const ENOUGH: usize = 15;

macro_rules! words {
    ($name:ident, $text:expr) => {
        static $name: LazyLock<Regex> =
            LazyLock::new(|| Regex::new($text).expect("the pattern is a constant"));
    };
}

words!(
    ROOT,
    r"(?i)\b(?:root cause (?:is|was|of)|turns out|turned out|(?:was|is|are|were) (?:not )?(?:caused|produced|triggered) by|(?:comes?|came|stems?|stemmed|results?|resulted) from|the (?:real|actual) (?:cause|reason|problem) (?:is|was))\b"
);
words!(
    REASON,
    r"(?i)\b(?:because|since|so that|otherwise|due to|to avoid|to prevent|which means|therefore|in order to)\b"
);
words!(
    LIMIT,
    r"(?i)\b(?:not|never|cannot|can't|doesn't|don't|isn't|aren't|won't|without|no longer|only|must|at most|limit\w*|fails?|breaks?|silently|unsupported|rather than|instead of)\b"
);
// Words of the moment: the speaker, the reader, what is done, planned, doubted or pointed at.
words!(
    MOMENT,
    r"(?i)\b(?:i|i'm|i've|i'll|i'd|my|me|let me|let's|you|your|will|would|could|might|may|maybe|perhaps|going to|plan(?:s|ned)?|propos\w+|option|alternatively|consider|recommend\w*|suggest\w*|todo|verify|verified|added|removed|committed|prioriti[sz]ed|scenarios?|tasks?|steps?|phase|next|now|currently|already|still|yet|today|done|ready|complete[ds]?|completed|successful\w*|pass(?:es|ed|ing)?|pending|remaining|in progress|should i|want)\b"
);
words!(
    POINTS,
    r"(?i)^(?:this|that|it|these|they|those|here|there|the (?:fix|change|issue|problem|plan|commit|script|tests?|error|above))\b"
);
words!(LABEL, r"^[^:.`]{3,60}: ");
words!(
    ORDER,
    r"(?i)^(?:add|update|remove|fix|create|move|rename|change|replace|implement|refactor|improve|extract|introduce|switch|convert|migrate|enable|disable|set|make|delete|drop|run|use|check|verify|test|ensure|keep|build|write|open|click|restart|install|review|start|stop|commit|push|wait)\b"
);

/// Tells whether a statement is only of the moment in which it was made.
pub(super) fn passes(candidate: &Candidate) -> bool {
    // Whose words they are; that a person asked for them does not make them theirs.
    let agents = candidate.evidence.first().is_some_and(|evidence| evidence.voice < Voice::Person);
    candidate.route == Route::Order || candidate.route == Route::Statement && agents && !lasts(candidate)
}

fn lasts(candidate: &Candidate) -> bool {
    let text = candidate.text.trim();
    let body = LABEL.replace(text, "");
    // Commits begin with a verb, and git keeps them.
    let is_order = ORDER.is_match(&body) || begins_with_verb(&body);
    if text.contains('?') || MOMENT.is_match(text) || POINTS.is_match(&body) || is_order {
        return false;
    }
    let words = text.split_whitespace().count();
    let because = REASON.is_match(text) && LIMIT.is_match(text) && words >= ENOUGH;
    ROOT.is_match(text) || (because || candidate.kind == Kind::Architecture) && states(&body)
}

/// "The crane cannot turn while …" states something; "Grease the crane", "Only shown where it is used", "we keep the old crane" are
/// notes of what is to be done.
fn states(body: &str) -> bool {
    let first = body.split(". ").next().unwrap_or(body).to_lowercase();
    let words: Vec<&str> = first
        .split(|c: char| c.is_whitespace() || matches!(c, ',' | ';'))
        .filter(|word| !word.is_empty())
        .collect();
    let opens = words.first().copied().unwrap_or_default();
    let leads = |word: &&str| {
        !matches!(*word, "when" | "if" | "because" | "so" | "since" | "that" | "which" | "where")
    };
    let named = matches!(opens, "the" | "a" | "an");
    !matches!(opens, "we" | "only" | "no")
        && (named || words.iter().copied().take_while(leads).any(is_finite))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_came_of_what_lasts_and_what_is_being_done_passes() {
        let check = |text: &'static str, expected: bool| {
            assert_eq!(passes(&crate::curate::tests::said_by_agent(text)), !expected, "{text}");
        };
        check("The root cause of the empty list was a stale cache key that ignored the tenant.", true);
        check(
            "The importer reads the file twice because the parser cannot seek backwards in a compressed stream.",
            true,
        );
        check("All tests pass and the branch is ready.", false);
        check("Next I will move the parser because it cannot seek backwards in a compressed stream.", false);
        check(
            "Add a retry to the uploader because the network is not reliable in the warehouse at all.",
            false,
        );
        check("The uploader has a retry.", false);
        check(
            "Pre-sort berths by depth before the tide table is built, so that no boat is sent to a dry one.",
            false,
        );
        check(
            "Tide table: Only shown where a berth was asked for, so that it does not hide the chart behind it.",
            false,
        );
        check(
            "We keep the old chart and bring back the depths, because without them no pilot can tell them apart.",
            false,
        );
        check(
            "Align the labels of the berths because the board cannot tell them apart without a common edge.",
            false,
        );
    }
}
