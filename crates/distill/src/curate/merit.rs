//! Whether a statement of an agent can stand on a page of its own, and how much speaks for giving it one.
//!
//! Extraction asks whether something was meant; this asks whether it will mean something to a
//! reader who was not there. Most true sentences of a session are of no use a week later: reports
//! on the state of a branch, requests, lists of edited files, answers that need their question.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use lore_core::text::has_elision;
use lore_core::{Candidate, Confidence, Route};
use regex::Regex;

use crate::extract::flaws::{has_verb, is_poor, opens_without_subject};
use crate::extract::phrases::first_sentence;
use crate::extract::terms::{Term, terms};
use crate::ruling::is_torn;

/// What speaks for a candidate and what against it.
#[derive(Debug, Clone, PartialEq)]
pub struct Merit {
    /// How much speaks for it; what counts is set in [`Bars`](super::Bars).
    pub value: f64,
    /// Why it cannot open a page, where it cannot.
    pub unfit: Option<&'static str>,
    /// What was added to or taken from the weight that extraction gave.
    pub parts: Vec<(&'static str, f64)>,
}

/// What a person states without laying it down: enough for a page while a project is young.
const REMARK: f64 = 0.7;
/// More than any bar.
const LAID_DOWN: f64 = 2.0;
/// What another session that says the same adds.
pub(super) const AGAIN: f64 = 0.12;

/// More sessions than this do not make it truer.
const MOST_AGAIN: usize = 2;
/// Fewer words than this say too little.
const FEW_WORDS: usize = 8;
/// Items of so few words are the points of a talk, not statements.
const FEW_PER_ITEM: usize = 7;
/// A first sentence of so few words that points at something points back.
const FEW_LEANING: usize = 6;
/// More code spans than this make a list, not a sentence.
const MANY_SPANS: usize = 4;

macro_rules! pattern {
    ($name:ident, $text:expr) => {
        static $name: LazyLock<Regex> =
            LazyLock::new(|| Regex::new($text).expect("the pattern is a constant"));
    };
}

pattern!(
    AGENT_OPENING,
    r"(?xi)^[\W_]*(?:this|that|it|its|it's|these|those|they|they're|he|she|there|there's|here|here's|now|also|so|then|still|yes|no|ok|
    okay|done|both|neither|same|such|another|other|looking|based\ on|as\ (?:you|mentioned|expected|discussed)|in\ this\ (?:case|pr|branch|session)|
    for\ now|scenario|possible|let's|let\ me|which|however|but|and|or|otherwise|therefore|thus|alternatively|instead|interesting(?:ly)?|actually|
    in\ (?:that|both|either)\ case|with\ (?:this|that)|(?:after|before)\ this|\#\d|option\ \w\b|different|various|[a-d][.)]\ )(?:\b|$)"
);
pattern!(RESUMPTION, r"(?i)^[^.]{10,}: (?:this|that|it|these|those|they|both)\b");
pattern!(SELF, r"\b(?:I|I'm|I've|I'll|I'd|my|me|myself)\b");
pattern!(YOU, r"(?i)\b(?:you|your|you're|you'll|you've)\b");
pattern!(
    STATE,
    r"(?xi)\b(?:unstaged|staged\ changes|working\ tree|ahead\ of|behind\ (?:origin|main|master)|up\ to\ date|force[-\ ]push(?:ed)?|pushed|
    tests?\ (?:now\ |still\ |all\ )?pass(?:es|ed|ing)?|all\ (?:unit\ |integration\ )?tests|lint(?:ing)?\ (?:is|passes|clean)|0\ issues|
    ci\ (?:is|passes|passed)|build\ succeeds|compiles|resolved\ (?:the\ )?(?:merge\ )?conflicts?|rebas(?:ed|ing)|cherry-pick(?:ed|ing)?|
    pr\ (?:description|body|title|comments?)|review\ comments?|ready\ (?:to|for)\ (?:merge|review)|try\ \w+ing|run\ (?:it\ )?again|
    (?:is|are)\ (?:(?:not|still|currently)\ )*(?:being|failing|broken|crashing|hanging)|
    (?:isn't|aren't|is\ not|are\ not|doesn't|don't)\ (?:properly\ )?(?:work(?:ing)?|load(?:ing)?|show(?:ing)?|appear(?:ing)?|initiali[sz]ed?)|
    no\ longer\ (?:showing|throwing|failing|appearing)|failed\ to|debug\ (?:shows|output)|(?:issue|problem|bug)\ is\ similar|
    replied|follow-up\ issues?|untracked\ files?|(?:push|ci)\ will|HEAD's|both\ sides|after\ (?:the\ )?(?:rebase|merge)|merge\ conflicts?|nolint|\d\d:\d\d:\d\d|pr-able|plan\ (?:is\ )?complete|saved\ to\ [A-Z]+-\d+|test\ (?:passed|failed))\b"
);
pattern!(HASH, r"\b(?:[0-9]+[a-f]|[a-f]+[0-9])[0-9a-f]{3,38}\b");
pattern!(LINE_NUMBER, r"(?i)\.\w{1,5}:~?\d+|\blines? ~?\d+|\bL\d{2,}\b");
pattern!(TEST_NAME, r"\bTest[A-Z_]\w+|(?i)\b(?:assert|setup|arrange|expect(?:ed)?|got|fixture)\s*[:(]");
pattern!(
    TESTS,
    r"(?i)^the tests?\b|\btests? (?:for|that|cover|case|verif)|\badd(?:ed)? (?:\w+ )?tests?\b|\btest cases?\b"
);
pattern!(TEST_WORD, r"(?i)\btests?\b");
pattern!(ROW, r"; [A-Z][^;:.]{2,40}: ");
pattern!(
    OPTION,
    r"(?i): [A-D][.)] |^[A-D][.)] |\bone question\b|\b(?:should|could|would) [^.:?]{0,40}\bbe:\s|^(?:another |other |alternative )?(?:options?|alternatives?|approach(?:es)?)\b[^.]{0,30}:"
);
pattern!(
    CHANGE,
    r"(?xi)^[\W_]*(?:(?:in|for)\ )?(?:`[^`]+`\s*(?:\([^)]*\))?\s*[:—–-]+\s*)?(?:re)?(?:added|updated|modified|moved|removed|renamed|
    extracted|refactored|created|changed|replaced|deleted|implemented|converted|switched|cleaned|simplified|introduced|adjusted|
    rewrote|wrote|made|deprecated|merged|split|resolved|restored|reverted|wrapped|update|modify|create|rename|move|extract|refactor|
    delete|register|import)\b"
);
pattern!(
    FILE_LABEL,
    r"(?xi)^[\W_]*[\w./-]+\.(?:go|rs|tsx?|jsx?|py|md|json|toml|ya?ml|rb|java|kt|c|h|cpp|cs|php|sh|sql|html|css|swift|ex|scala)`?
    (?:\s*\([^)]*\))*\s*[.:—–-]"
);
pattern!(
    REASON,
    r"(?xi)\b(?:because|so\ that|since|to\ (?:avoid|prevent|ensure)|otherwise|instead\ of|rather\ than|which\ means|meaning|due\ to|
    root\ cause|the\ reason|in\ order\ to|caus(?:es|ing|ed)|prevents|avoids|ensures|therefore|without\ (?:it|this|that)|
    so\ (?:it|we|the|they|users?)|allowing|enabl(?:es|ing))\b"
);
pattern!(
    RULE,
    r"(?xi)\b(?:always|never|must|should(?:n't)?|don't|do\ not|only|every|each|by\ default|defaults?\ to|prefer|requires?|required|
    no\ longer|not\ supported|cannot|can't|won't|limit(?:ed|ation|s)?|at\ (?:most|least)|convention|policy|invariant|
    guarantee[sd]?|source\ of\ truth|backwards?[-\ ]compat\w*)\b"
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
    DONE,
    r"(?xi)^[^.:]{3,60}:\s+(?:completely\s+|fully\s+)?(?:added|updated|modified|moved|removed|renamed|extracted|refactored|created|changed|
    replaced|deleted|implemented|converted|switched|introduced|propagated|adjusted|rewrote|made|merged|split|reworked|extended)\b
    |^[\W_]*(?:modify|update|create|edit):\s"
);
pattern!(
    REPLACED,
    r"(?i)^[\W_]*(?:the )?(?:original|previous|old|earlier|former) (?:[\w-]+ )?(?:loop|implementation|code|version|approach|logic|behaviou?r|function|regex|query|check)\b|^`[^`]+` ?(?:→|->|=>) ?`"
);
pattern!(PAST, r"(?i)\b(?:was|were|had|did|didn't|wasn't|weren't)\b");
pattern!(
    OCCASION,
    r"(?i)^(?:the )?(?:existing |current |implementation |new |original )?plan\b|^(?:the )?next (?:run|step)|^merge (?:branch|pull|remote)|\bnew request\b|\bpr plan\b|\bthe user (?:wants|asked|says|said)\b"
);
pattern!(
    SUPPOSED,
    r"(?i)\b(?:let's say|say we|suppose|imagine|what if|assuming|hypothetical\w*|for the sake of)\b"
);
pattern!(
    REPLY,
    r"(?i)\byou(?:['’]re| are) (?:absolutely )?right\b|\bgood (?:point|catch|question)\b|\bas you (?:said|suggested|noted)\b"
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
    // What a person laid down has shown all it has to show.
    if candidate.route == Route::Ruling {
        return Merit { value: LAID_DOWN, unfit: None, parts: vec![("a person laid it down", LAID_DOWN)] };
    }
    // In a young project whatever people state is news; later it has to be said again.
    if matches!(candidate.route, Route::Remark | Route::Choice) {
        let again = independent([candidate]).saturating_sub(1).min(MOST_AGAIN) as f64 * AGAIN;
        let is_remark = candidate.route == Route::Remark;
        let why = if is_remark { "a person stated it" } else { "an agent chose it" };
        return Merit { value: REMARK + again, unfit: None, parts: vec![(why, REMARK)] };
    }
    if candidate.route == Route::Order {
        return Merit { value: 0.0, unfit: None, parts: Vec::new() };
    }
    let is = |name: &str| candidate.features.iter().any(|(feature, _)| feature == name);
    let commit = is("stands in a commit message");
    let text = candidate.text.as_str();
    let first = first_sentence(text);
    let about = About { text, first, commit, title: &candidate.title };
    let mut parts: Vec<(&'static str, f64)> = Vec::new();
    let mut add = |when: bool, name: &'static str, value: f64| {
        if when {
            parts.push((name, value));
        }
    };
    let reason = REASON.is_match(text);
    let lists_changes = FILE_LABEL.is_match(text) || CHANGE.is_match(text);
    add(lists_changes && !reason, "lists changes without saying why", -0.25);
    add(lists_changes && reason, "lists changes", -0.05);
    add(!commit && !reason && STEP.is_match(text), "is a step of a plan", -0.25);
    add(YOU.is_match(text), "speaks to the reader of the moment", -0.12);
    add(LINE_NUMBER.is_match(text), "names lines, which move", -0.2);
    let tests =
        TESTS.is_match(first) || TESTS.is_match(&candidate.title) || TEST_WORD.is_match(&candidate.title);
    add(tests, "is about tests", -0.15);
    add(ROW.is_match(text), "is a row of a table", -0.2);
    add(!commit && is_medley(text), "gathers things that have nothing in common", -0.2);
    add(text.contains('→') || text.contains("->"), "has an arrow", -0.1);
    add(text.matches('`').count() / 2 >= MANY_SPANS, "names many identifiers", -0.08);
    add(!commit && ONE_ISSUE.is_match(text), "is about one issue", -0.15);
    add(!commit && !has_verb(&candidate.title), "its title states nothing", -0.12);
    add(HEDGE.is_match(text), "is hedged", -0.15);
    add(candidate.confidence == Confidence::Low, "was not said surely", -0.05);
    add(!commit && PAST.is_match(first), "tells of something past", -0.08);
    add(reason, "says why", 0.1);
    add(RULE.is_match(text), "states a rule", 0.06);
    add(commit, "was committed", 0.12);
    let again = independent([candidate]).saturating_sub(1);
    add(again > 0, "said in other sessions too", AGAIN * again.min(MOST_AGAIN) as f64);
    let value = candidate.weight + parts.iter().map(|(_, value)| value).sum::<f64>();
    // What was traced to its root was meant to be known.
    let once = !commit && again == 0 && !ROOT.is_match(first);
    let unfit = about.unfit().or(once.then_some("an agent said it once"));
    Merit { value, unfit, parts }
}

/// Tells whether several sentences share no word that matters: short items of a list without a subject.
fn is_medley(text: &str) -> bool {
    let parts: Vec<&str> = text.split(". ").collect();
    let words: Vec<BTreeSet<Term>> = parts.iter().map(|part| terms(part)).collect();
    let shared = |at: usize| {
        words.iter().enumerate().any(|(other, theirs)| other != at && !theirs.is_disjoint(&words[at]))
    };
    let words_of = |part: &str| part.split_whitespace().count();
    let terse = parts.iter().map(|part| words_of(part)).sum::<usize>() <= parts.len() * FEW_PER_ITEM;
    parts.len() > 2 && !first_sentence(text).contains(": ") && (terse || !(0..parts.len()).any(shared))
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
        let leans = AGENT_OPENING.is_match(self.first)
            || RESUMPTION.is_match(self.text) && !ROOT.is_match(self.first)
            || self.first.split_whitespace().count() <= FEW_LEANING && WITHOUT_NAME.is_match(self.first);
        let reasons = [
            (self.asks(), "it asks"),
            (leans, "it leans on what was said before"),
            (SELF.is_match(self.text), "the agent speaks of itself"),
            (STATE.is_match(self.text), "it reports a passing state"),
            (!self.commit && HASH.is_match(self.text), "it is about one commit"),
            (TEST_NAME.is_match(self.text), "it describes a test"),
            (REPLY.is_match(self.text), "it answers somebody"),
            (OPTION.is_match(self.text), "it is one of several options"),
            (PASTED.is_match(self.text), "it was pasted from a terminal"),
            (
                self.text.split_whitespace().count() < FEW_WORDS && !ROOT.is_match(self.first),
                "it is too short",
            ),
            (OCCASION.is_match(self.text), "it is about the work at hand"),
            (self.text.starts_with('#'), "it is about one issue"),
            (SUPPOSED.is_match(self.text), "it only supposes"),
            (WORK_ORDER.is_match(self.text), "it is about the order of work"),
            (!self.commit && opens_without_subject(self.text), "it lost its subject"),
            (!self.commit && EXAMPLE.is_match(self.text), "it walks through an example"),
            (!self.commit && DONE.is_match(self.text), "it tells what was changed"),
            (REPLACED.is_match(self.first), "it is about what was replaced"),
            (BROKEN_OFF.is_match(self.text) || has_elision(self.text) || is_torn(self.text), "it breaks off"),
            (self.text.contains("──"), "it is a drawn line"),
            (NAMELESS.is_match(self.text), "it does not name what it is about"),
            (is_poor(self.title), "it has no good title"),
        ];
        reasons.iter().find(|(holds, _)| *holds).map(|(_, reason)| *reason)
    }

    fn asks(&self) -> bool {
        self.first.ends_with('?') || self.text.trim_end().ends_with('?')
    }
}

#[cfg(test)]
mod tests {
    use lore_core::{Evidence, Kind, SessionId, Voice};

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
        once.features.push(("stands in a commit message".to_owned(), 1.0));
        assert_eq!(merit(&once).unfit, None);
    }

    #[test]
    fn reasons_and_rules_speak_for_a_statement() {
        let value = |text: &str| merit(&said(text)).value;
        let bare = value("The export writes a temporary file and renames it at the end.");
        let why = value(
            "The export renames a temporary file at the end because readers must never see half of it.",
        );
        let list = value("`export.rs`: Updated the writer and added a helper for names.");
        assert!(why > bare && bare > list, "{why} {bare} {list}");
    }
}
