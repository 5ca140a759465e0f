//! What shows in a question's form to whom it belongs: one number per sign, between 0 and 1.

use std::sync::LazyLock;

use regex::Regex;

/// How many signs there are.
pub const SIGNS: usize = 25;

/// Their names, in the order of the numbers; the last is there always.
pub const SIGN_NAMES: [&str; SIGNS] = [
    "we_our",
    "past",
    "when_back",
    "memory",
    "person",
    "state",
    "project_noun",
    "asked_to_tell",
    "place",
    "code_nouns",
    "mechanism",
    "named_code",
    "long",
    "short",
    "no_mark",
    "title",
    "how_to",
    "trouble",
    "indefinite",
    "definite",
    "version",
    "product",
    "first_person",
    "latest_outside",
    "bias",
];

macro_rules! pattern {
    ($name:ident, $pattern:expr) => {
        static $name: LazyLock<Regex> = LazyLock::new(|| Regex::new($pattern).expect("the pattern is fixed"));
    };
}

pattern!(WE_OUR, r#"(?i)\b(we|we've|we'd|our|ours|us)\b"#);
pattern!(
    PAST,
    r#"(?i)\b(did|was|were|had|been|used to|originally|original|initially|previously|previous|before|earlier|already|so far|anymore|no longer)\b"#
);
pattern!(
    WHEN_BACK,
    r#"(?i)\b(last (time|week|month|night|session|sprint|year)|yesterday|the other day|recently|ago|this morning|past (week|month|session)s?|since (last|monday|tuesday|wednesday|thursday|friday))\b"#
);
pattern!(
    MEMORY,
    r#"(?i)\b(remember|remind|recall|discuss\w*|decid\w*|decision|agreed?|chose|chosen|choose|prefer\w*|accomplish\w*|mention\w*|conclu\w+|settled|promised|planned|learned|rationale|switch(ed)?|replaced?|migrat(ed|ion)|root cause|what (caused|went wrong)|lessons?|resolved|solved|appeared|happened|fixed)\b"#
);
pattern!(
    PERSON,
    r#"(?i)\b(the|this|that) (developer|user|team|client|customer|reviewer|maintainer|colleague)('s|s)?\b|\b(he|she|they|his|her)\b"#
);
pattern!(
    STATE,
    r#"(?i)\b(current(ly)?|now|right now|status|pending|still|latest|these days|at the moment|established|(is|are|gets?|get) (used|handled|configured|set up|stored|deployed|enforced|sent|attached|restricted|addressed|run|pinned)|set ?up|exact(ly)?|specific(ally)?|approach|strategy|convention|policy|stack)\b"#
);
pattern!(
    PROJECT_NOUN,
    r#"(?i)\b((the|this|that|both|each|my|either) ([\w-]+ )?(projects?|app|api|service|dashboard|backend|frontend|pipeline|deployment|endpoint|setup|feature|ticket|issue|pr|branch|release|website|site|bot|base)|[a-z]+-(api|app|service|ui|web|cli|server|worker)s?)\b"#
);
pattern!(
    ASKED_TO_TELL,
    r#"(?i)\b(remind me|tell me|walk me through|summari[sz]e|catch me up|bring me up|what's (left|next)|where (do|does|did) .* stand|what do (we|you) know)\b"#
);
pattern!(
    PLACE,
    r#"(?i)\b(codebase|code base|source code|repo(sitory)?|implemented|defined|located|declared|instantiated|call(ed|ers?|s) (by|from|of|site)|invoked|where (in|is|are|does|would)|which (file|class|function|method|module|package|test|component)s?|entry point)\b"#
);
pattern!(
    MECHANISM,
    r#"(?i)\b(how (does|do|is|are) (the|this|its|\w+'s|[A-Z_]\w*)|mechanism|control flow|data flow|dependenc\w+|hierarchy|architectur\w+|design pattern|pattern|semantics|internally|side effects?|interact\w*|inherit\w*|overrid\w*|delegat\w*|coordinat\w*|responsib\w+|validat\w+|initiali[sz]\w+)\b"#
);
pattern!(
    HOW_TO,
    r#"(?i)\b(how (to|do i|do you|can i|can you|can we|could i|should i|would i|do we|does one|can one)|is it possible|is there (a|an|any)|can (i|you|someone|anyone)\b|should i|what('s| is| are) the (best|difference|fastest|easiest|right|correct|proper|recommended|simplest)|best (way|practices?)|vs\.?|versus|difference between|alternatives? to|tutorials?|examples? of|recommend\w*|any (way|idea|library|tool|good)|why (can't|doesn't|won't|isn't|is my|does my|am i)|does (anyone|an?|any)|what does .* mean|how much|where (can|should|do) i)\b"#
);
pattern!(
    TROUBLE,
    r#"(?i)\b(error|exception|fail(s|ing|ed)?|not (working|found|showing|loading|able|recognized)|doesn'?t|can'?t|cannot|won'?t|isn'?t|problem|issue with|unable|crash(es|ing)?|warning|undefined|unexpected|trouble|stuck)\b"#
);
pattern!(INDEFINITE, r#"(?i)\b(an?|any|some|multiple|several|another)\b"#);
pattern!(DEFINITE, r#"(?i)\b(the|this|that|its)\b"#);
pattern!(VERSION, r#"(?i)\b[A-Za-z+#]+ ?\d+(\.\d+)*\b|\b\d+\.\d+\b|\b(19|20)\d\d\b"#);
pattern!(FIRST_PERSON, r#"(?i)\b(i|my|i'm|i've|me)\b"#);
pattern!(
    LATEST_OUTSIDE,
    r#"(?i)\b(latest version|newest|release notes|changelog of|deprecat\w+|cve|vulnerab\w+|pricing|licen[cs]e of|documentation (for|of)|docs (for|of)|official|support(s|ed)? (in|by|for)|compatib\w+|20(2[4-9]))\b"#
);
pattern!(
    CODE_NOUNS,
    r#"(?i)\b(class(es)?|methods?|functions?|modules?|parameters?|attributes?|decorators?|propert(y|ies)|interfaces?|instances?|exceptions?|iterators?|parsers?|constructors?|subclass(es)?|mixins?|objects?|variables?|arguments?|handlers?|wrappers?|callbacks?|fixtures?|types?|fields?|enums?|structs?|traits?|signatures?|loops?|nodes?|registry|factory|adapters?|middleware|serializ\w+|test case|helper)\b"#
);
pattern!(
    NAMED_CODE,
    r#"`[^`]+`|\b[a-z]+[A-Z]\w*|\b[A-Z][a-z0-9]+[A-Z]\w*|\b\w*[a-z]_[a-z]\w*|\b_\w+|\b\w+\.\w+\.\w+|\b\w+\(\)|\b\w+::\w+|\b[\w/-]+\.(py|rs|ts|tsx|js|go|java|c|h|rb|md|toml|json|ya?ml)\b"#
);
pattern!(
    ASKS,
    r#"(?i)^\W*(what|where|when|why|who|which|how|is|are|was|were|do|does|did|can|could|should|would|will|has|have|had|am|(?:in|on|at|for|to|from|by|with|under|through|of|since|until) (?:what|which|whom|whose|when|where)|tell|explain|show|remind|list|describe|summari[sz]e|find)\b"#
);
pattern!(WORD, r#"[\w'+#.-]+"#);

/// Looks at a question.
pub fn signs(question: &str) -> [f64; SIGNS] {
    let words: Vec<&str> = WORD.find_iter(question).map(|word| word.as_str()).collect();
    let has = |pattern: &Regex| f64::from(u8::from(pattern.is_match(question)));
    let share =
        |pattern: &Regex, most: usize| pattern.find_iter(question).take(most).count() as f64 / most as f64;
    let is_product = |word: &&&str| {
        word.starts_with(|c: char| c.is_ascii_uppercase())
            && !matches!(**word, "I" | "I'm" | "I've")
            && NAMED_CODE.find(word).is_none_or(|found| found.start() > 0)
    };
    let products = words.iter().skip(1).filter(is_product).take(3).count() as f64 / 3.0;
    let length = words.len() as f64;
    [
        has(&WE_OUR),
        has(&PAST),
        has(&WHEN_BACK),
        has(&MEMORY),
        has(&PERSON),
        has(&STATE),
        has(&PROJECT_NOUN),
        has(&ASKED_TO_TELL),
        has(&PLACE),
        share(&CODE_NOUNS, 4),
        has(&MECHANISM),
        share(&NAMED_CODE, 3),
        (length - 12.0).clamp(0.0, 20.0) / 20.0,
        f64::from(u8::from(words.len() <= 6)),
        f64::from(u8::from(!question.trim_end().ends_with('?'))),
        1.0 - has(&ASKS),
        has(&HOW_TO),
        has(&TROUBLE),
        share(&INDEFINITE, 3),
        share(&DEFINITE, 3),
        has(&VERSION),
        products,
        has(&FIRST_PERSON),
        has(&LATEST_OUTSIDE),
        1.0,
    ]
}

/// Lists the names of code in a question, as they are written.
pub(super) fn named_code(question: &str) -> Vec<String> {
    NAMED_CODE
        .find_iter(question)
        .map(|found| found.as_str().trim_matches('`').trim_end_matches("()").to_owned())
        .collect()
}
