//! Whether a statement can stand on a page of its own, and how much speaks for giving it one.
//!
//! Extraction asks whether something was meant; this asks whether it will mean something to a
//! reader who was not there. Most true sentences of a session are of no use a week later: reports
//! on the state of a branch, requests, lists of edited files, answers that need their question.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use lore_core::text::has_elision;
use lore_core::{Candidate, Confidence, Route, Voice};
use regex::Regex;

use crate::extract::flaws::{has_verb, is_poor, opens_without_subject};
use crate::extract::phrases::{first_sentence, without_answer};
use crate::extract::terms::{Term, terms};

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
/// Fewer words than this say too little, from an agent and from a person.
const FEW_WORDS: (usize, usize) = (8, 5);
/// A person's statement longer than this is a story or was pasted.
const MANY_WORDS: usize = 70;
/// A person's statement this short must name what it is about.
const TERSE: usize = 14;
/// And an answer this short, whatever it answers.
const SHORT_ANSWER: usize = 7;
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
pattern!(
    PERSON_OPENING,
    r"(?xi)^[\W_]*(?:this|that|it|it's|these|those|they|he|she|there|here|so|then|what|why|how|any\ ideas|brainstorm|
    i(?:'m|\ am|'ve|\ have|\ just|\ only|\ was|\ see|\ ran|\ got|\ did|\ wonder|\ noticed)\b)\b"
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
pattern!(SITUATION, r"(?i)^[\W_]*(?:right now|currently|at the moment|as of now|today)\b");
pattern!(
    WISH,
    r"(?i)\b(?:should|must|let's|lets|want|like to|need|instead|remove|change|make|add|drop|rename|keep|replace|prefer|don't|do not|never|always)\b"
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
    HEDGE,
    r"(?i)\b(?:might|maybe|probably|likely|could|perhaps|seems?|appears?|possibly|possible|would|consider|i think|wonder|not sure|suggest(?:ed)?|recommend(?:ed)?)\b"
);
pattern!(
    REQUEST,
    r"(?xi)^[\W_]*(?:(?:please|can|could|would|you|we|let's|lets|ok|okay|now|then|also|just|yeah|yes|whoops|first|so|and|i'd|i|want|like|need|to)[\s,!.]+)*
    (?:(?:re)?check|(?:(?:have|take)\ a\ )?look|run|re-?run|commit|push|open|show|explain|tell|review|
    update\ (?:the\ )?(?:doc|pr|readme|desc|comment|branch|linear|issue|ticket)|continue|go|do|merge|rebase|investigate|find|debug|write|draft|
    create\ (?:[\w/.-]+\ ){0,4}(?:pr|branch|draft|linear|issue|ticket|commit)|tackle|definitely|address|fix|try|test|verify|double[-\ ]check|help|give|take|read|see|
    start|proceed|implement|examine|analy[sz]e|summari[sz]e|compare|think|figure|work\ on|put|make\ sure|ensure\ (?:that\ )?(?:it|this|all)|pull|fetch|
    clean\ up|walk|list|search|respond|reply|confirm|validate|talk|discuss|explore|generate|make\ a\ suggestion|tell|rephrase|remind|add\ (?:a\ |another\ |some\ )?(?:test|comment|note|option|log))\b"
);
pattern!(
    LASTING,
    r"(?xi)\b(?:always|never|from\ now\ on|every\ time|whenever|by\ default|prefer|in\ general|must|not\ allowed|
    instead\ of|rather\ than|stick\ (?:to|with))\b"
);
pattern!(WORK_ORDER, r"\b(?:PRs?|Tasks?|Phase|Step|Steps|Item) ?#?\d");
pattern!(
    STEP,
    r"(?i)^[\W_]*(?:set up|add|include|implement|write|call|pass|check|verify|ensure|build|run|use|make|keep track|track|store|handle|return|test|replace|remove|install|click|select|open|tracking|assigning|rendering|adding|using|checking)\b"
);
pattern!(PAST, r"(?i)\b(?:was|were|had|did|didn't|wasn't|weren't)\b");
pattern!(
    OCCASION,
    r"(?i)^(?:the )?(?:existing |current |implementation |new |original )?plan\b|^(?:the )?next (?:run|step)|^merge (?:branch|pull|remote)|\bnew request\b|\bpr plan\b|\bthe user (?:wants|asked|says|said)\b"
);
pattern!(
    ASSENT,
    r"(?i)\b(?:let's go|go ahead|move on|sounds good|do it|proceed|continue|yes please|lgtm|ship it|write the|note (?:both|it|that))\b"
);
pattern!(
    OFFER,
    r"(?i)in answer to “[^”]*\b(?:want me to|should i|shall i|do you want me|would you like me|ready to|does that match|match your understanding)\b"
);
pattern!(
    PASSING_BRANCH,
    r"(?i)\b(?:abandon|current branch|this branch|new branch|the branch we|(?:cut|create|make|open|start) a (?:\w+ )?branch)\b"
);
pattern!(
    SUPPOSED,
    r"(?i)\b(?:let's say|say we|suppose|imagine|what if|assuming|hypothetical\w*|for the sake of)\b"
);
pattern!(
    DIRECTIVE,
    r"(?xi)\b(?:should|must|always|never|let's|lets|use|using|keep|don't|do\ not|prefer|want|like|need|only|default|instead|add|remove|drop|
    rename|make|go\ with|no\ need|we\ (?:do|use|have|are|can)|store|show|hide|move|replace|change|support|require|allow|avoid|ignore|treat|
    call\ it|name|split|merge|return|set|write|skip|not|no\ longer|is|are)\b"
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
pattern!(MUSING, r"(?i)^[\W_]*i(?:'m| am) (?:also )?(?:thinking|wondering|not sure|curious)\b");
pattern!(
    NAMELESS,
    r"^(?i:the) (?:fix|function|method|file|script|class|test|loop|caller|variable|check|comment|change|handler|block|line|section)s? (?:that |which )?[a-z]"
);
pattern!(
    COMPLAINT,
    r"(?i)\b(?:is|are) (?:still |now |not |just )*(?:showing|failing|getting|happening|breaking|crashing|hanging|missing|broken|throwing|seeing)\b"
);
pattern!(WITHOUT_NAME, r"(?i)\b(?:this|that|it|these|those|them|both|one|there)\b");

/// Weighs a candidate.
pub fn merit(candidate: &Candidate) -> Merit {
    // What a person laid down has shown all it has to show.
    if candidate.route == Route::Ruling {
        return Merit { value: LAID_DOWN, unfit: None, parts: vec![("a person laid it down", LAID_DOWN)] };
    }
    // In a young project whatever people state is news; later it has to be said again.
    if candidate.route == Route::Remark {
        let again = independent([candidate]).saturating_sub(1).min(MOST_AGAIN) as f64 * AGAIN;
        return Merit { value: REMARK + again, unfit: None, parts: vec![("a person stated it", REMARK)] };
    }
    if candidate.route == Route::Order {
        return Merit { value: 0.0, unfit: None, parts: Vec::new() };
    }
    let person = candidate.voice() == Voice::Person;
    let is = |name: &str| candidate.features.iter().any(|(feature, _)| feature == name);
    let commit = is("stands in a commit message");
    let (text, answers) = without_answer(&candidate.text);
    let offered = OFFER.is_match(&candidate.text);
    let first = first_sentence(&text);
    let words = text.split_whitespace().count();
    let about =
        About { text: &text, first, words, person, commit, answers, offered, title: &candidate.title };
    let mut parts: Vec<(&'static str, f64)> = Vec::new();
    let mut add = |when: bool, name: &'static str, value: f64| {
        if when {
            parts.push((name, value));
        }
    };
    let reason = REASON.is_match(&text);
    let lists_changes = FILE_LABEL.is_match(&text) || CHANGE.is_match(&text);
    add(lists_changes && !reason, "lists changes without saying why", -0.25);
    add(lists_changes && reason, "lists changes", -0.05);
    add(!person && !commit && !reason && STEP.is_match(&text), "is a step of a plan", -0.25);
    add(person && words > MANY_WORDS, "long for a statement", -0.15);
    add(!person && YOU.is_match(&text), "speaks to the reader of the moment", -0.12);
    add(LINE_NUMBER.is_match(&text), "names lines, which move", -0.2);
    let tests =
        TESTS.is_match(first) || TESTS.is_match(&candidate.title) || TEST_WORD.is_match(&candidate.title);
    add(tests, "is about tests", -0.15);
    add(ROW.is_match(&text), "is a row of a table", -0.2);
    add(!person && !commit && is_medley(&text), "gathers things that have nothing in common", -0.2);
    add(text.contains('→') || text.contains("->"), "has an arrow", -0.1);
    add(text.matches('`').count() / 2 >= MANY_SPANS, "names many identifiers", -0.08);
    add(!person && !commit && ONE_ISSUE.is_match(&text), "is about one issue", -0.15);
    add(!commit && !has_verb(&candidate.title), "its title states nothing", -0.12);
    add(HEDGE.is_match(&text), "is hedged", -0.15);
    add(candidate.confidence == Confidence::Low, "was not said surely", -0.05);
    let nameless = person && !answers && words < TERSE && WITHOUT_NAME.is_match(&text);
    add(!person && !commit && PAST.is_match(first), "tells of something past", -0.08);
    add(nameless, "does not name what it is about", -0.25);
    add(reason, "says why", 0.1);
    add(RULE.is_match(&text), "states a rule", 0.06);
    add(person, "a person's word", 0.1);
    add(commit, "was committed", 0.12);
    let again = independent([candidate]).saturating_sub(1);
    add(again > 0, "said in other sessions too", AGAIN * again.min(MOST_AGAIN) as f64);
    let value = candidate.weight + parts.iter().map(|(_, value)| value).sum::<f64>();
    Merit { value, unfit: about.unfit(), parts }
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

/// A statement and its circumstances.
struct About<'a> {
    text: &'a str,
    first: &'a str,
    words: usize,
    person: bool,
    commit: bool,
    answers: bool,
    /// Whether it answers an offer of the agent to do something.
    offered: bool,
    title: &'a str,
}

impl About<'_> {
    /// Says why it cannot open a page.
    fn unfit(&self) -> Option<&'static str> {
        let few = if self.person { FEW_WORDS.1 } else { FEW_WORDS.0 };
        let request = self.person && REQUEST.is_match(self.first) && !LASTING.is_match(self.first);
        let opening = if self.person { &PERSON_OPENING } else { &AGENT_OPENING };
        let reasons = [
            (self.asks(), "it asks"),
            (!self.answers && opening.is_match(self.first), "it leans on what was said before"),
            (!self.person && RESUMPTION.is_match(self.text), "it leans on what was said before"),
            (!self.person && SELF.is_match(self.text), "the agent speaks of itself"),
            (STATE.is_match(self.text), "it reports a passing state"),
            (!self.commit && HASH.is_match(self.text), "it is about one commit"),
            (TEST_NAME.is_match(self.text), "it describes a test"),
            (!self.person && REPLY.is_match(self.text), "it answers somebody"),
            (OPTION.is_match(self.text), "it is one of several options"),
            (self.person && SITUATION.is_match(self.text) && !WISH.is_match(self.text), "it settles nothing"),
            (PASTED.is_match(self.text), "it was pasted from a terminal"),
            (self.words < few && !self.answers, "it is too short"),
            (request, "it asks for a piece of work"),
            (
                self.person && REQUEST.is_match(self.title) && !LASTING.is_match(self.title),
                "it asks for a piece of work",
            ),
            (OCCASION.is_match(self.text), "it is about the work at hand"),
            (
                self.answers && self.words < SHORT_ANSWER && WITHOUT_NAME.is_match(self.text),
                "it does not name what it is about",
            ),
            (self.offered && self.words < TERSE, "it only agrees"),
            (self.text.starts_with('#'), "it is about one issue"),
            (self.person && self.words < TERSE && ASSENT.is_match(self.text), "it only agrees"),
            (self.person && PASSING_BRANCH.is_match(self.text), "it is about a branch of the day"),
            (SUPPOSED.is_match(self.text), "it only supposes"),
            (self.person && !self.answers && !DIRECTIVE.is_match(self.text), "it settles nothing"),
            (WORK_ORDER.is_match(self.text), "it is about the order of work"),
            (!self.person && !self.commit && opens_without_subject(self.text), "it lost its subject"),
            (!self.person && !self.commit && EXAMPLE.is_match(self.text), "it walks through an example"),
            (
                !self.person
                    && self.first.split_whitespace().count() <= FEW_LEANING
                    && WITHOUT_NAME.is_match(self.first),
                "it leans on what was said before",
            ),
            (BROKEN_OFF.is_match(self.text) || has_elision(self.text), "it breaks off"),
            (self.person && MUSING.is_match(self.text), "it settles nothing"),
            (self.person && COMPLAINT.is_match(self.first), "it reports a passing state"),
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
    use lore_core::{Evidence, Kind, SessionId};

    use super::*;

    fn said(voice: Voice, text: &str) -> Candidate {
        Candidate {
            kind: Kind::Decision,
            title: "How exports are written".to_owned(),
            text: text.to_owned(),
            confidence: Confidence::High,
            keywords: Vec::new(),
            files: Vec::new(),
            issue: None,
            evidence: vec![Evidence {
                session: SessionId::new("s"),
                agent: "a".to_owned(),
                line: 1,
                quote: text.to_owned(),
                voice,
                at: None,
            }],
            weight: 0.8,
            features: Vec::new(),
            at: None,
            route: lore_core::Route::Statement,
        }
    }

    #[track_caller]
    fn check(voice: Voice, text: &str, unfit: Option<&str>) {
        assert_eq!(merit(&said(voice, text)).unfit, unfit, "{text}");
    }

    #[test]
    fn what_needs_the_moment_cannot_open_a_page() {
        check(Voice::Agent, "Exports are written to a temporary file first, then renamed.", None);
        check(
            Voice::Agent,
            "This also fixes the second problem with the export.",
            Some("it leans on what was said before"),
        );
        check(
            Voice::Agent,
            "The branch was pushed and the export works for all users.",
            Some("it reports a passing state"),
        );
        check(
            Voice::Agent,
            "I removed the second copy of the parser from the module.",
            Some("the agent speaks of itself"),
        );
        check(
            Voice::Agent,
            "Committed the change of the export format as 5fddc49c.",
            Some("it is about one commit"),
        );
        check(
            Voice::Person,
            "Can you look at the export, it should work.",
            Some("it asks for a piece of work"),
        );
        check(
            Voice::Person,
            "Let's have a look at our review feedback.",
            Some("it asks for a piece of work"),
        );
        check(Voice::Person, "Always run the formatter before committing.", None);
        check(Voice::Person, "Exports use UTC.", Some("it is too short"));
        check(Voice::Person, "UTC (in answer to “Which time zone do exports use?”).", None);
    }

    #[test]
    fn reasons_and_rules_speak_for_a_statement() {
        let value = |text: &str| merit(&said(Voice::Agent, text)).value;
        let bare = value("The export writes a temporary file and renames it at the end.");
        let why = value(
            "The export renames a temporary file at the end because readers must never see half of it.",
        );
        let list = value("`export.rs`: Updated the writer and added a helper for names.");
        assert!(why > bare && bare > list, "{why} {bare} {list}");
    }
}
