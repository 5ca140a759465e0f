//! What sources found: claims with evidence, how sure they are, where they contradict each other.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use lore_core::words::{Commonness, commonness};
use regex::Regex;
use serde::{Deserialize, Serialize};

use crate::limit::{Verdict, held_against, is_limit};
use crate::router::SourceKind;

/// From here on nobody needs to be asked any more.
pub const HIGH: f64 = 0.75;
/// No source, nor several together, is ever surer than this.
pub const CERTAIN: f64 = 0.95;
/// Below this an answer is not sure enough to rest on.
pub const LOW: f64 = 0.4;
/// What tells more than this all together is a whole plan, and nothing speaks of all of that.
const LONG: f64 = 6.0;

/// What was noticed while a question was looked into.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Code {
    /// No source could answer.
    #[serde(rename = "GR-001")]
    AllFailed,
    /// A source took too long.
    #[serde(rename = "GR-002")]
    TimedOut,
    /// What was found is not sure.
    #[serde(rename = "GR-003")]
    LowConfidence,
    /// Sources contradict each other.
    #[serde(rename = "GR-004")]
    Conflict,
    /// Something secret was taken out of the question.
    #[serde(rename = "GR-005")]
    Sanitised,
}

impl Code {
    /// Returns its number.
    pub fn number(self) -> &'static str {
        match self {
            Code::AllFailed => "GR-001",
            Code::TimedOut => "GR-002",
            Code::LowConfidence => "GR-003",
            Code::Conflict => "GR-004",
            Code::Sanitised => "GR-005",
        }
    }

    /// Says it in words.
    pub fn says(self) -> &'static str {
        match self {
            Code::AllFailed => "no source could answer",
            Code::TimedOut => "a source took too long; this is what the others found",
            Code::LowConfidence => "what was found is not sure",
            Code::Conflict => "sources contradict each other",
            Code::Sanitised => "something secret was taken out of the question",
        }
    }
}

/// Something a source says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// The source.
    pub source: SourceKind,
    /// What it says.
    pub text: String,
    /// How sure it is, from 0 to 1, by what it rests on.
    pub confidence: f64,
    /// Where it stands: `file:line`, an entry, a session, a commit, an address.
    pub at: String,
    /// How it stands there: `definition`, `usage`, `passage`, `commit`, or an entry's status.
    pub how: String,
}

/// Two sources that do not say the same.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Disagreement {
    /// What it is about.
    pub about: String,
    /// The side that counts: the surer one.
    pub kept: Finding,
    /// The other side.
    pub other: Finding,
    /// Both in a sentence.
    pub summary: String,
}

/// Finds where sources contradict each other on what was asked; the surer side is kept.
pub fn disagreements(question: &str, findings: &[Finding]) -> Vec<Disagreement> {
    let asked = words(question);
    // What git remembers was so then, and nobody says that it is so now.
    let findings: Vec<&Finding> =
        findings.iter().filter(|one| !matches!(one.how.as_str(), "commit" | "blame")).collect();
    let mut found: Vec<Disagreement> = Vec::new();
    for (at, one) in findings.iter().enumerate() {
        for other in findings.iter().skip(at + 1).filter(|other| other.source != one.source) {
            let Some((about, left, right)) = differ(&asked, &one.text, &other.text) else { continue };
            let about = as_asked(question, &about);
            let is_first = one.confidence >= other.confidence;
            let (kept, other) = if is_first { (*one, *other) } else { (*other, *one) };
            let (mine, theirs) = if is_first { (left, right) } else { (right, left) };
            let pair = (kept.source, other.source);
            if found
                .iter()
                .any(|known| known.about == about && (known.kept.source, known.other.source) == pair)
            {
                continue;
            }
            let summary = format!(
                "{} says {mine} ({}), {} says {theirs} ({})",
                kept.source.word(),
                kept.at,
                other.source.word(),
                other.at
            );
            found.push(Disagreement { about, kept: kept.clone(), other: other.clone(), summary });
        }
    }
    found
}

/// Returns the word of the question that a stem came from.
fn as_asked(question: &str, about: &str) -> String {
    let mut words = question.split(|c: char| !c.is_alphanumeric());
    words.find(|word| stem(word) == about).map_or_else(|| about.to_owned(), str::to_lowercase)
}

/// Says what two texts give differently for the same word: another value, or yes and no.
fn differ(asked: &BTreeSet<String>, one: &str, other: &str) -> Option<(String, String, String)> {
    if let Some(found) = limited(asked, one, other) {
        return found;
    }
    let (left, right) = (values(asked, one), values(asked, other));
    for (word, value) in &left {
        let theirs: Vec<&String> =
            right.iter().filter(|(name, _)| name == word).map(|(_, value)| value).collect();
        let same = left.iter().any(|(name, value)| name == word && theirs.contains(&value));
        if let Some(their) = theirs.first()
            && !same
        {
            return Some((word.clone(), format!("`{value}`"), format!("`{their}`")));
        }
    }
    clauses(one).find_map(|one| clauses(other).find_map(|other| turned(asked, one, other)))
}

/// Says what comes of a limit that one text sets and a number that the other gives; nothing where none of them sets one.
fn limited(asked: &BTreeSet<String>, one: &str, other: &str) -> Option<Option<(String, String, String)>> {
    let (mine, theirs) = (is_limit(one), is_limit(other));
    let verdict = match (mine, theirs) {
        (true, false) => held_against(one, other)?,
        (false, true) => held_against(other, one)?,
        _ => return None,
    };
    let about = words(one).into_iter().find(|word| asked.contains(word) && words(other).contains(word));
    let said = |sets: bool| if sets { "a limit" } else { "a number beyond it" }.to_owned();
    Some(about.filter(|_| verdict == Verdict::Breaks).map(|about| (about, said(mine), said(theirs))))
}

/// Lists the parts of a text of which each says something by itself: a "not" counts for its own alone.
fn clauses(text: &str) -> impl Iterator<Item = &str> {
    text.split([';', '\n', ',']).flat_map(|part| part.split(". ")).filter(|part| !part.trim().is_empty())
}

/// Says what the one affirms and the other denies of what was asked.
fn turned(asked: &BTreeSet<String>, one: &str, other: &str) -> Option<(String, String, String)> {
    let (mine, theirs) = (words(one), words(other));
    let shared: Vec<&String> = mine.intersection(&theirs).filter(|word| asked.contains(*word)).collect();
    let close = mine.intersection(&theirs).count() * 2 >= mine.len().min(theirs.len()).max(1);
    let (no, not) = (is_negated(one), is_negated(other));
    // "Never more than 5" denies what is beyond, and not that there are any.
    let compares = is_limit(one) || is_limit(other);
    let about = shared.first().filter(|_| close && shared.len() >= 2 && no != not && !compares)?;
    let word = |is_no: bool| if is_no { "no".to_owned() } else { "yes".to_owned() };
    Some(((*about).clone(), word(no), word(not)))
}

/// Lists the values that stand right after the words that were asked for.
fn values(asked: &BTreeSet<String>, text: &str) -> Vec<(String, String)> {
    static TOKEN: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"v?\d[\w.:-]*|[\p{L}][\p{L}\p{N}]*").expect("the pattern is fixed"));
    let tokens: Vec<&str> = TOKEN.find_iter(text).map(|token| token.as_str()).collect();
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        let word = stem(token);
        if !asked.contains(&word) {
            continue;
        }
        let after = tokens[at + 1..].iter().take(4);
        let value = after.take_while(|next| !asked.contains(&stem(next))).find(|next| is_value(next));
        if let Some(value) = value {
            found.push((word, value.trim_end_matches(['.', ':', '-']).to_lowercase()));
        }
    }
    found
}

fn is_value(token: &str) -> bool {
    token.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit())
        || matches!(token.to_lowercase().as_str(), "true" | "false" | "enabled" | "disabled" | "on" | "off")
}

fn is_negated(text: &str) -> bool {
    static NOT: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)\b(not|never|no longer|cannot|without|none)\b|n't\b").expect("the pattern is fixed")
    });
    NOT.is_match(text)
}

/// Lists the words of a text that mean something, by their stems.
pub fn words(text: &str) -> BTreeSet<String> {
    const EMPTY: &[&str] = &[
        "the", "what", "which", "where", "when", "does", "do", "did", "is", "are", "was", "were", "how",
        "why", "and", "for", "with", "that", "this", "should", "would", "can", "our", "use", "uses", "used",
        "to", "of", "in", "on", "we", "it", "an", "by", "has", "have", "be", "or", "at", "as", "you", "your",
        "from", "there",
    ];
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| word.len() > 1 && !EMPTY.contains(&word.to_lowercase().as_str()))
        .filter(|word| !word.chars().all(|c| c.is_ascii_digit()))
        .map(stem)
        .collect()
}

/// Says what share of what a question tells a text has words for, from 0 to 1.
///
/// Words that stand in any text tell little: whoever shares only these has not spoken of what was asked.
pub fn shared(question: &str, text: &str) -> f64 {
    let said = words(text);
    let (mut all, mut told) = (0.0, 0.0);
    let mut heard = BTreeSet::new();
    for word in question.split(|c: char| !c.is_alphanumeric()) {
        let low = word.to_lowercase();
        for stem in words(&low).into_iter().filter(|stem| heard.insert(stem.clone())) {
            let tells = match commonness(&low) {
                Commonness::Chat => 0.1,
                Commonness::Prompt => 0.2,
                Commonness::Software | Commonness::English => 0.5,
                Commonness::Rare => 1.0,
            };
            all += tells;
            told += if said.contains(&stem) { tells } else { 0.0 };
        }
    }
    (told / f64::min(all, LONG).max(f64::MIN_POSITIVE)).min(1.0)
}

pub(crate) fn stem(word: &str) -> String {
    thread_local! {
        static STEMMER: frostem::Stemmer = frostem::Stemmer::new(frostem::Algorithm::English);
    }
    STEMMER.with(|stemmer| stemmer.stem(&word.to_lowercase()).into_owned())
}

/// Says how sure all findings together make us: the surest, a little more where another source agrees.
pub fn confidence(findings: &[Finding], disagreements: &[Disagreement]) -> f64 {
    let Some(best) = findings.iter().max_by(|a, b| a.confidence.total_cmp(&b.confidence)) else { return 0.0 };
    let second = findings.iter().filter(|one| one.source != best.source && one.confidence >= LOW).count();
    let agrees = if disagreements.is_empty() && second > 0 { 0.05 } else { 0.0 };
    let against = if disagreements.is_empty() { 0.0 } else { 0.1 };
    (best.confidence + agrees - against).clamp(0.0, CERTAIN)
}

/// Says what to do with what was found.
pub fn recommendation(findings: &[Finding], disagreements: &[Disagreement], confidence: f64) -> String {
    if findings.is_empty() {
        return "nothing was found: look for yourself before you build on an assumption".to_owned();
    }
    if let Some(first) = disagreements.first() {
        return format!(
            "review before delivery: {}. Until then {} counts, being surer",
            first.summary,
            first.kept.source.word()
        );
    }
    if confidence < LOW {
        return "what was found is thin: verify it by hand before you rest on it".to_owned();
    }
    "go on; cite what was found".to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn finding(source: SourceKind, text: &str, confidence: f64) -> Finding {
        let at = format!("{}:1", source.word());
        Finding { source, text: text.to_owned(), confidence, at, how: "passage".to_owned() }
    }

    #[test]
    fn another_value_for_what_was_asked_is_a_disagreement() {
        let check = |question: &str, one: &str, other: &str, about: Option<&str>| {
            let findings = [finding(SourceKind::Repo, one, 0.9), finding(SourceKind::Web, other, 0.5)];
            let found = disagreements(question, &findings);
            assert_eq!(found.first().map(|one| one.about.as_str()), about, "{question}: {one} | {other}");
            assert!(found.iter().all(|one| one.kept.source == SourceKind::Repo));
        };
        check(
            "Which port does the gateway use?",
            "port = 8080",
            "The gateway listens on port 9090.",
            Some("port"),
        );
        check("Which port does the gateway use?", "port = 8080", "it listens on port 8080", None);
        check("Which port does the gateway use?", "port = 8080", "Gateway 3 was released in 2024", None);
        check(
            "Is the retry queue durable?",
            "the retry queue is durable",
            "the retry queue is not durable",
            Some("durable"),
        );
        check(
            "Is the retry queue durable?",
            "the retry queue is durable; do not drain it by hand",
            "the retry queue is durable",
            None,
        );
        check("Is the retry queue durable?", "the retry queue is durable", "not a word about it", None);
    }

    #[test]
    fn a_limit_and_a_number_within_it_agree() {
        let check = |one: &str, other: &str, expected: Option<&str>| {
            let question = "How often is the harbour bell rung?";
            let findings = [finding(SourceKind::Repo, one, 0.9), finding(SourceKind::History, other, 0.5)];
            let found = disagreements(question, &findings);
            let summary = found.first().map(|one| one.summary.as_str());
            assert_eq!(summary, expected, "{one} | {other}");
        };
        let rule = "Never ring the harbour bell faster than every 300 seconds.";
        check("RING_HARBOUR_BELL_SECONDS = 300", rule, None);
        check("ring the harbour bell every 600 seconds", rule, None);
        let beyond = "repo says a number beyond it (repo:1), history says a limit (history:1)";
        check("RING_HARBOUR_BELL_SECONDS = 20", rule, Some(beyond));
        check("the harbour bell is rung by hand", rule, None);
    }

    #[test]
    fn agreement_makes_surer_and_disagreement_less_sure() {
        let findings = [finding(SourceKind::Repo, "a", 0.7), finding(SourceKind::History, "a", 0.6)];
        assert!(confidence(&findings, &[]) > 0.7);
        let against = Disagreement {
            about: "a".to_owned(),
            kept: findings[0].clone(),
            other: findings[1].clone(),
            summary: String::new(),
        };
        assert!(confidence(&findings, &[against]) < 0.7);
        assert!(confidence(&[], &[]) <= 0.0);
    }

    #[test]
    fn common_words_share_little() {
        let question = "How does the payment gateway retry failed Stripe webhooks?";
        let common = shared(question, "the worker does not retry what failed");
        let telling = shared(question, "stripe: webhooks of payments are tried again");
        assert!(common < 0.3 && telling > 0.5, "{common} {telling}");
        assert!((shared(question, question) - 1.0).abs() < 1e-9);
        assert!(shared("", "anything") <= 0.0);
    }

    #[test]
    fn numbers_do_not_move() {
        let all = [Code::AllFailed, Code::TimedOut, Code::LowConfidence, Code::Conflict, Code::Sanitised];
        let numbers: Vec<String> = all
            .iter()
            .map(|code| serde_json::to_string(code).unwrap().trim_matches('"').to_owned())
            .collect();
        assert_eq!(numbers, ["GR-001", "GR-002", "GR-003", "GR-004", "GR-005"]);
        assert!(all.iter().zip(&numbers).all(|(code, number)| code.number() == number));
    }
}
