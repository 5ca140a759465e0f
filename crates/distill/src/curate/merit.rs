//! Whether a statement of an agent can stand on a page of its own, and how much speaks for giving it one.
//!
//! Extraction asks whether something was meant; this asks whether it will mean something to a
//! reader who was not there. Most true sentences of a session are of no use a week later: reports
//! on the state of a branch, requests, lists of edited files, answers that need their question.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use lore_core::text::has_elision;
use lore_core::{Backing, Candidate, Route};
use regex::Regex;

use crate::extract::flaws::{has_verb, is_poor, opens_without_subject};
use crate::extract::phrases::first_sentence;
use crate::ruling::is_torn;

/// What speaks for a candidate, and what keeps it from a page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Merit {
    /// How much speaks for it; what counts is set in [`Bars`](super::Bars).
    pub value: f64,
    /// Why it cannot open a page, where it cannot.
    pub unfit: Option<&'static str>,
}

/// What a person states without laying it down: enough for a page while a project is young.
const REMARK: f64 = 0.7;
/// More than any bar.
const LAID_DOWN: f64 = 2.0;
/// What another session that says the same adds, and a commit that does it.
pub(super) const AGAIN: f64 = 0.12;

/// More sessions than this do not make it truer.
const MOST_AGAIN: usize = 2;
/// Fewer words than this say too little.
const FEW_WORDS: usize = 8;
/// A first sentence of so few words that points at something points back.
const FEW_LEANING: usize = 6;
macro_rules! pattern {
    ($name:ident, $text:expr) => {
        static $name: LazyLock<Regex> =
            LazyLock::new(|| Regex::new($text).expect("the pattern is a constant"));
    };
}

pattern!(
    LEANING,
    r"(?xi)^[\W_]*(?:this|that|it|its|it's|these|those|they|they're|he|she|there|there's|here|here's|now|also|so|then|still|yes|no|ok|
    okay|done|both|neither|same|such|another|other|looking|based\ on|as\ (?:you|mentioned|expected|discussed)|in\ (?:this|that|both|either)\ case|
    for\ now|possible|let's|let\ me|which|however|but|and|or|otherwise|therefore|thus|alternatively|instead|interesting(?:ly)?|actually|
    (?:with|after|before)\ this|\#\d|option\ \w\b|different|various|[a-d][.)]\ )(?:\b|$)"
);
pattern!(RESUMPTION, r"(?i)^[^.]{10,}: (?:this|that|it|these|those|they|both)\b");
pattern!(SELF, r"\b(?:I|I'm|I've|I'll|I'd|my|me|myself)\b");
pattern!(YOU, r"(?i)\b(?:you|your|you're|you'll|you've)\b");
pattern!(
    STATE,
    r"(?xi)\b(?:(?:un)?staged|working\ tree|(?:ahead\ of|behind)\ (?:origin|main|master)|up\ to\ date|pushed|
    tests?\ (?:now\ |still\ |all\ )?(?:pass|fail)(?:es|s|ed|ing)?|all\ (?:unit\ |integration\ )?tests|(?:build|ci|lint(?:ing)?)\ (?:is|passes|passed|succeeds|clean)|
    compiles|resolved|rebas(?:ed|ing)|cherry-pick(?:ed|ing)?|ready\ (?:to|for)\ (?:merge|review)|try\ \w+ing|run\ (?:it\ )?again|
    (?:is|are)\ (?:(?:not|still|currently)\ )*(?:being|failing|broken|crashing|hanging)|
    (?:isn't|aren't|is\ not|are\ not|doesn't|don't)\ (?:properly\ )?(?:work(?:ing)?|load(?:ing)?|show(?:ing)?|appear(?:ing)?|initiali[sz]ed?)|
    no\ longer\ (?:showing|throwing|failing|appearing)|failed\ to|(?:issue|problem|bug)\ is\ similar|untracked|
    after\ (?:the\ )?(?:rebase|merge)|\d\d:\d\d:\d\d)\b"
);
pattern!(HASH, r"\b(?:[0-9]+[a-f]|[a-f]+[0-9])[0-9a-f]{3,38}\b");
pattern!(LINE_NUMBER, r"(?i)\.\w{1,5}:~?\d+|\blines? ~?\d+|\bL\d{2,}\b");
pattern!(TEST_NAME, r"\bTest[A-Z_]\w+|(?i)\b(?:assert|setup|arrange|expect(?:ed)?|got|fixture)\s*[:(]");
pattern!(ROW, r"; [A-Z][^;:.]{2,40}: ");
pattern!(
    OPTION,
    r"(?i): [A-D][.)] |^[A-D][.)] |\b(?:should|could|would) [^.:?]{0,40}\bbe:\s|^(?:another |other |alternative )?(?:options?|alternatives?|approach(?:es)?)\b[^.]{0,30}:"
);
// What was done to the code, which git tells: "Added …", "`x.rs`: moved …", "Models: updated …".
pattern!(
    CHANGE,
    r"(?xi)^[\W_]*(?:[^.:]{3,60}:\s+)?(?:completely\s+|fully\s+)?(?:re)?(?:added|updated|modified|moved|removed|renamed|
    extracted|refactored|created|changed|replaced|deleted|implemented|converted|switched|cleaned|simplified|introduced|adjusted|
    rewrote|wrote|made|deprecated|merged|split|restored|reverted|wrapped|propagated|reworked|extended|update|modify|create|rename|move|extract|
    refactor|delete|register|import|edit)\b
    |^[\W_]*[\w./-]+\.[a-z]{1,5}`?(?:\s*\([^)]*\))*\s*[.:—–-]\s"
);
pattern!(
    REASON,
    r"(?xi)\b(?:because|so\ that|since|to\ (?:avoid|prevent|ensure)|otherwise|instead\ of|rather\ than|which\ means|meaning|due\ to|
    root\ cause|the\ reason|in\ order\ to|caus(?:es|ing|ed)|prevents|avoids|ensures|therefore|without\ (?:it|this|that)|
    so\ (?:it|we|the|they|users?)|allowing|enabl(?:es|ing))\b"
);
pattern!(
    ROOT,
    r"(?xi)\broot\ cause\ (?:of|for|was|is)\b
    |(?:^|[,;]\ )(?:the\ |a\ )?(?:[\w'’-]+\ ){1,6}(?:does\ not\ |doesn't\ |did\ not\ |didn't\ )?(?:comes?|came|stems?|stemmed|results?|resulted)\ from\ (?:the|a|an|its|our)\b
    |(?:^|[,;]\ )(?:the\ |a\ )?(?:[\w'’-]+\ ){1,6}(?:is|are|was|were)\ (?:not\ )?(?:caused|produced|triggered)\ by\ (?:the|a|an|its|our)\b"
);
pattern!(
    HEDGE,
    r"(?i)\b(?:might|maybe|probably|likely|could|perhaps|seems?|appears?|possibly|possible|would|consider|i think|wonder|not sure|suggest(?:ed)?|recommend(?:ed)?)\b"
);
pattern!(WORK_ORDER, r"\b(?:PRs?|Tasks?|Phase|Step|Steps|Item) ?#?\d");
pattern!(
    STEP,
    r"(?i)^[\W_]*(?:set up|add|include|implement|write|call|pass|check|verify|ensure|build|run|use|make|keep track|track|store|handle|return|test|replace|remove|install|click|select|open|tracking|assigning|rendering|adding|using|checking)\b"
);
pattern!(
    REPLACED,
    r"(?i)^[\W_]*(?:the )?(?:original|previous|old|earlier|former) (?:[\w-]+ )?(?:loop|implementation|code|version|approach|logic|behaviou?r|function|regex|query|check)\b|^`[^`]+` ?(?:→|->|=>) ?`"
);
pattern!(
    OCCASION,
    r"(?i)^(?:the )?(?:existing |current |implementation |new |original )?plan\b|^(?:the )?next (?:run|step)|^merge (?:branch|pull|remote)|\bnew request\b|\bthe user (?:wants|asked|says|said)\b"
);
pattern!(
    SUPPOSED,
    r"(?i)\b(?:let's say|say we|suppose|imagine|what if|assuming|hypothetical\w*|for the sake of)\b"
);
pattern!(
    PASTED,
    r"(?i)^[\W_]*(?:error|warning|fatal|panic|messages?|traceback|exception|stderr|stdout|failed)\b[^a-z]*:|(?i)\b(?:Error Trace|exit status|stack trace):"
);
pattern!(
    EXAMPLE,
    r"\b(?:Session|User|Agent|Prompt|Commit|Turn|Case|Scenario|Step|Client|Process) (?:\d|[A-E])\b"
);
pattern!(ONE_ISSUE, r"(?:^|\W)#\d{2,}\b");
pattern!(BROKEN_OFF, r"\b(?:and|or|if|when|the|an?|of|to|with|AND|OR)\.(?:\s|$)");
pattern!(
    NAMELESS,
    r"^(?i:the) (?:fix|function|method|file|script|class|test|loop|caller|variable|check|comment|change|handler|block|line|section)s? (?:that |which )?[a-z]"
);
pattern!(WITHOUT_NAME, r"(?i)\b(?:this|that|it|these|those|them|both|one|there)\b");

/// Weighs a candidate.
pub fn merit(candidate: &Candidate) -> Merit {
    let again = independent([candidate]).saturating_sub(1);
    let lift = again.min(MOST_AGAIN) as f64 * AGAIN;
    match candidate.route {
        // What a person laid down has shown all it has to show.
        Route::Ruling => Merit { value: LAID_DOWN, unfit: None },
        // In a young project whatever people state is news; later it has to be said again.
        Route::Remark | Route::Choice => Merit { value: REMARK + lift, unfit: None },
        Route::Order => Merit { value: 0.0, unfit: None },
        Route::Statement => {
            let commit = candidate.backing == Backing::Commit;
            let first = first_sentence(&candidate.text);
            let about = About { text: &candidate.text, first, commit, title: &candidate.title };
            // What was traced to its root was meant to be known.
            let once = !commit && again == 0 && !ROOT.is_match(first);
            let unfit = about.unfit().or(once.then_some("an agent said it once"));
            Merit { value: candidate.weight + lift + if commit { AGAIN } else { 0.0 }, unfit }
        }
    }
}

/// Returns how much speaks for a subject that several candidates tell about, by the best that may open a page.
pub(super) fn merit_together<'a>(
    candidates: impl IntoIterator<Item = &'a Candidate> + Clone,
    form: bool,
) -> f64 {
    let fit = candidates.clone().into_iter().map(merit).filter(|merit| !form || merit.unfit.is_none());
    let best = fit.map(|merit| merit.value).fold(f64::NEG_INFINITY, f64::max);
    best + independent(candidates).saturating_sub(1).min(MOST_AGAIN) as f64 * AGAIN
}

/// Counts the sessions that tell of something independently: a session that was resumed in another
/// file brings its old words along, said at the same instants.
fn independent<'a>(candidates: impl IntoIterator<Item = &'a Candidate>) -> usize {
    let mut instants = BTreeSet::new();
    let mut sessions = BTreeSet::new();
    for evidence in candidates.into_iter().flat_map(|candidate| &candidate.evidence) {
        if evidence.at.is_none_or(|at| instants.insert(at)) {
            sessions.insert(evidence.session.as_str());
        }
    }
    sessions.len()
}

/// A statement of an agent and its circumstances.
struct About<'a> {
    text: &'a str,
    first: &'a str,
    commit: bool,
    title: &'a str,
}

impl About<'_> {
    /// Says why it cannot open a page.
    fn unfit(&self) -> Option<&'static str> {
        let leans = LEANING.is_match(self.first)
            || RESUMPTION.is_match(self.text) && !ROOT.is_match(self.first)
            || self.first.split_whitespace().count() <= FEW_LEANING && WITHOUT_NAME.is_match(self.first);
        let short = self.text.split_whitespace().count() < FEW_WORDS && !ROOT.is_match(self.first);
        let torn = BROKEN_OFF.is_match(self.text) || has_elision(self.text) || is_torn(self.text);
        let reasons = REASON.is_match(self.text);
        let flaws = [
            (self.asks(), "it asks"),
            (leans, "it leans on what was said before"),
            (SELF.is_match(self.text), "the agent speaks of itself"),
            (YOU.is_match(self.text), "it speaks to somebody"),
            (STATE.is_match(self.text), "it reports a passing state"),
            (HEDGE.is_match(self.text), "it is a guess"),
            (LINE_NUMBER.is_match(self.text), "it names lines, which move"),
            (TEST_NAME.is_match(self.text), "it describes a test"),
            (OPTION.is_match(self.text), "it is one of several options"),
            (ROW.is_match(self.text), "it is a row of a table"),
            (PASTED.is_match(self.text), "it was pasted from a terminal"),
            (short, "it is too short"),
            (OCCASION.is_match(self.text), "it is about the work at hand"),
            (ONE_ISSUE.is_match(self.text) && !self.commit, "it is about one issue"),
            (SUPPOSED.is_match(self.text), "it only supposes"),
            (WORK_ORDER.is_match(self.text), "it is about the order of work"),
            (REPLACED.is_match(self.first), "it is about what was replaced"),
            (CHANGE.is_match(self.text) && !(self.commit && reasons), "it tells what was changed"),
            (torn, "it breaks off"),
            (self.text.contains("──"), "it is a drawn line"),
            (NAMELESS.is_match(self.text), "it does not name what it is about"),
            (is_poor(self.title), "it has no good title"),
        ];
        // A commit names itself, and its subject is an order.
        let of_talk = [
            (HASH.is_match(self.text), "it is about one commit"),
            (opens_without_subject(self.text), "it lost its subject"),
            (EXAMPLE.is_match(self.text), "it walks through an example"),
            (STEP.is_match(self.text) && !reasons, "it is a step of a plan"),
            (!has_verb(self.title), "its title states nothing"),
        ];
        let of_talk = of_talk.iter().filter(|_| !self.commit);
        flaws.iter().chain(of_talk).find(|(holds, _)| *holds).map(|(_, reason)| *reason)
    }

    fn asks(&self) -> bool {
        self.first.ends_with('?') || self.text.trim_end().ends_with('?')
    }
}

#[cfg(test)]
mod tests {
    use lore_core::{Confidence, Evidence, Kind, SessionId, Voice};

    use super::*;

    fn said(text: &str) -> Candidate {
        let evidence = |session: &str| Evidence {
            session: SessionId::new(session),
            agent: "a".to_owned(),
            line: 1,
            quote: text.to_owned(),
            voice: Voice::Agent,
            at: None,
        };
        Candidate {
            kind: Kind::Decision,
            title: "How exports are written".to_owned(),
            text: text.to_owned(),
            confidence: Confidence::High,
            keywords: Vec::new(),
            files: Vec::new(),
            issue: None,
            evidence: vec![evidence("s"), evidence("t")],
            weight: 0.8,
            features: Vec::new(),
            at: None,
            route: lore_core::Route::Statement,
            backing: Backing::Words,
        }
    }

    #[track_caller]
    fn check(text: &str, unfit: Option<&str>) {
        assert_eq!(merit(&said(text)).unfit, unfit, "{text}");
    }

    #[test]
    fn what_needs_the_moment_cannot_open_a_page() {
        check("Exports are written to a temporary file first, then renamed.", None);
        check(
            "This also fixes the second problem with the export.",
            Some("it leans on what was said before"),
        );
        check(
            "The branch was pushed and the export works for all users.",
            Some("it reports a passing state"),
        );
        check(
            "Exports are failing because the temporary folder of the worker is not being created.",
            Some("it reports a passing state"),
        );
        check("I removed the second copy of the parser from the module.", Some("the agent speaks of itself"));
        check("Committed the change of the export format as 5fddc49c.", Some("it is about one commit"));
        check(
            "Model updates: Propagated the three interfaces into the view.",
            Some("it tells what was changed"),
        );
        check(
            "The original loop stopped after the first match of a bin.",
            Some("it is about what was replaced"),
        );
    }

    /// On projects that nobody had read, all that agents found once and rules kept was thrown away by its readers.
    #[test]
    fn what_an_agent_said_once_opens_no_page() {
        let text = "Exports are written to a temporary file first, then renamed.";
        let mut once = said(text);
        once.evidence.truncate(1);
        assert_eq!(merit(&once).unfit, Some("an agent said it once"));
        once.text = "Root cause of the slow exports: the index is never built.".to_owned();
        assert_eq!(merit(&once).unfit, None);
        once.text = text.to_owned();
        once.backing = Backing::Commit;
        assert_eq!(merit(&once).unfit, None);
    }

    #[test]
    fn other_sessions_and_a_commit_speak_for_a_statement() {
        let mut statement = said("Exports are written to a temporary file first, then renamed.");
        let twice = merit(&statement).value;
        statement.backing = Backing::Commit;
        let committed = merit(&statement).value;
        statement.evidence.truncate(1);
        let once = merit(&statement).value;
        assert!(committed > twice && committed > once && once > statement.weight);
    }
}
