//! The words by which questions are taken apart.

use super::Measure;

/// Words that stand between two alternatives.
pub(super) const CONNECTIVES: [&str; 7] = ["or", "vs", "versus", "than", "against", "beat", "beats"];

/// Words that open a clause of its own after “or”: “or do we need X”, “or is X enough”.
pub(super) const OPENERS: [&str; 9] = ["do", "does", "is", "are", "can", "could", "would", "should", "will"];

/// Words after which a place, a limit or a purpose follows, so that a name ends before them.
pub(super) const PREPOSITIONS: [&str; 27] = [
    "for", "with", "without", "in", "on", "at", "under", "within", "when", "if", "to", "as", "over", "by",
    "from", "of", "across", "while", "unless", "into", "during", "using", "through", "via", "per", "between",
    "compared",
];

/// Prepositions after which a condition follows rather than the subject.
pub(super) const CONDITIONAL: [&str; 11] =
    ["with", "without", "under", "on", "in", "at", "across", "if", "unless", "within", "over"];

/// Verbs that put one thing before another: “prefer X over Y”.
pub(super) const PREFERRING: [&str; 11] = [
    "prefer",
    "prefers",
    "preferred",
    "favour",
    "favor",
    "choose",
    "pick",
    "select",
    "take",
    "want",
    "recommend",
];

/// Prepositions after which the means may stand: “faster with X”.
pub(super) const MEANS: [&str; 4] = ["with", "using", "by", "through"];

/// Verbs that say that something is chosen, and not what it does.
pub(super) const CHOOSING: [&str; 32] = [
    "use", "using", "take", "choose", "pick", "need", "adopt", "prefer", "want", "try", "go", "switch",
    "migrate", "move", "keep", "stay", "we", "our", "i", "you", "should", "shall", "must", "may", "could",
    "would", "can", "be", "run", "written", "rendered", "select",
];

/// Articles and other small words that may stand before a name.
pub(super) const DETERMINERS: [&str; 9] = ["a", "an", "the", "our", "this", "that", "these", "any", "some"];

/// Words that judge, and so end a name: “is X good enough”, “does X suffice”.
pub(super) const JUDGING: [&str; 23] = [
    "suffice",
    "suffices",
    "sufficient",
    "enough",
    "fine",
    "good",
    "ok",
    "okay",
    "better",
    "best",
    "worse",
    "worth",
    "more",
    "less",
    "fast",
    "accurate",
    "viable",
    "feasible",
    "work",
    "works",
    "possible",
    "quick",
    "right",
];

/// Words of asking and judging that say nothing of the subject.
pub(super) const EMPTY: [&str; 66] = [
    "should",
    "shall",
    "we",
    "our",
    "us",
    "use",
    "using",
    "used",
    "take",
    "choose",
    "pick",
    "prefer",
    "you",
    "instead",
    "need",
    "needs",
    "better",
    "best",
    "good",
    "enough",
    "fine",
    "suffice",
    "sufficient",
    "or",
    "vs",
    "versus",
    "than",
    "which",
    "what",
    "is",
    "are",
    "be",
    "do",
    "does",
    "can",
    "could",
    "would",
    "will",
    "may",
    "must",
    "a",
    "an",
    "the",
    "for",
    "of",
    "to",
    "and",
    "it",
    "its",
    "more",
    "less",
    "most",
    "over",
    "beat",
    "beats",
    "against",
    "compared",
    "give",
    "gives",
    "run",
    "lift",
    "has",
    "have",
    "as",
    "not",
    "exceed",
];

/// Verbs that a purpose may be told with or without, each in its forms: “storing orders” and “orders”.
pub(super) const ACTING: [&[&str]; 13] = [
    &["make", "makes", "made", "making"],
    &["go", "goes", "going"],
    &["keep", "keeps", "kept", "keeping"],
    &["store", "stores", "stored", "storing"],
    &["serve", "serves", "served", "serving"],
    &["suit", "suits"],
    &["send", "sends", "sent", "sending"],
    &["start", "starts", "started", "starting"],
    &["write", "writes", "written", "writing"],
    &["finish", "finishes", "finished"],
    &["answer", "answers", "answering"],
    &["compute", "computes", "computed", "computing"],
    &["reason", "handle", "handles", "handled", "handling"],
];

/// Words that tell what is measured.
pub(super) const MEASURES: [(Measure, &[&str]); 5] = [
    (
        Measure::Memory,
        &["memory", "ram", "resident", "rss", "heap", "allocation", "allocations", "footprint"],
    ),
    (
        Measure::Size,
        &[
            "smaller", "shrink", "shrinks", "size", "compact", "larger", "bigger", "smallest", "largest",
            "bundle",
        ],
    ),
    (
        Measure::Accuracy,
        &[
            "accurate",
            "accuracy",
            "precision",
            "precise",
            "recall",
            "correct",
            "quality",
            "reliable",
            "exact",
            "f1",
        ],
    ),
    (Measure::Cost, &["cheaper", "cheap", "cost", "costs", "price", "expensive", "money", "bill"]),
    (
        Measure::Time,
        &[
            "faster",
            "fastest",
            "fast",
            "quicker",
            "quickest",
            "quick",
            "quickly",
            "speed",
            "slower",
            "slowest",
            "latency",
            "throughput",
            "time",
            "sooner",
            "performance",
            "duration",
        ],
    ),
];

/// Words of things that are told by papers, not by measuring.
pub(super) const PAPERS: [&str; 9] = [
    "support",
    "licence",
    "license",
    "documented",
    "documentation",
    "stored",
    "available",
    "allowed",
    "compatible",
];

/// Endings by which one name has two spellings: `Postgres` and `PostgreSQL`, `Mongo` and `MongoDB`.
pub(super) const ENDINGS: [&str; 6] = ["ql", "sql", "db", "js", "lang", "mq"];
