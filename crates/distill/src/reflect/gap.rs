//! A gap turned round: whoever says that a workflow has no step for something says that it should have one.

use std::sync::LazyLock;

use regex::Regex;

use super::order::is_name;
use super::remedy::{ONCE, VAGUE, capital};
use super::verb::plain_form;
use super::wording::lower_first;
use crate::extract::flaws::{is_plain_verb, third_person};
use crate::extract::sentence::{word_count, words};

/// Lacks something that can be given.
static LACKS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^(?P<who>.{3,160}?),? (?:currently |still |simply |also )*(?:lacks?|has no|have no|(?:does not|doesn't|do not|don't) have) (?P<what>.+)$")
        .expect("a constant")
});
/// Leaves something undone that it could do.
static OMITS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^(?P<who>.{3,160}?),? (?:currently |still |also |itself )*(?:does not|doesn't|do not|don't) (?:currently |explicitly |also |actually )?(?P<verb>[a-z]+) (?P<what>.+)$")
        .expect("a constant")
});
/// Names what is not there.
static ABSENT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^(?:there (?:is|was|are|were) (?:currently |still )?no|no|missing) (?P<what>.+?)(?: (?:exists?|existed|is defined|was defined)\b(?P<rest>.*))?$")
        .expect("a constant")
});
/// What begins here tells what came of it.
static AFTERTHOUGHT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)(?:,? (?:so|meaning|causing|because|since|leaving|resulting|and (?:it|so|the|this|no|there))\b|, (?:and no|which|making)\b|;| — | – | -- ).*$")
        .expect("a constant")
});
/// Tells what was never done.
static NEVER: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^(?P<what>(?:the|an?|our|each) .{3,60}?) (?:was|were|has been|have been) never (?P<verb>updated|added|implemented|removed|documented|deleted|tested|checked|enabled|configured|migrated|registered|wired|cleaned|renamed)\b(?P<rest>.*)$")
        .expect("a constant")
});
/// Tells what is left undone.
static UNDONE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^(?P<what>.{3,80}?) (?:(?:is|are) not|isn't|aren't) (?:currently |yet |explicitly )?(?P<verb>automated|committed|configured|checked|documented|enforced|logged|persisted|pinned|recorded|tested|tracked|validated|verified)\b(?P<rest>.*)$")
        .expect("a constant")
});
/// Tells what comes of it that something is not there.
static WITHOUT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^without (?P<what>an? [^,]{6,}?),(?P<end>”?) (?P<else>.+)$").expect("a constant")
});
/// Where one statement ends and the next begins.
static CLAUSES: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?:,|;) (?:but|yet) | — | – | -- |; ").expect("a constant"));
/// Goes on to state something else.
static STATES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^(?:there \w+ )?no (?:[^ ]+ ){0,12}?(?:is|was|were|are|has|remains?|occurred|ran|passed|failed|happened|took|came|did|had|could|would|said|says|told|led|made|got|gave|found|saw|left|kept|brought)\b")
        .expect("a constant")
});
/// Tells what somebody or something did.
static DID: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^(?:there \w+ )?no .*\b\w+ed (?:an?|the)\b|, no ").expect("a constant")
});
/// Joins a statement to the one before.
static JOINS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)^(?:but|and|so|yet|while|because|since) ").expect("a constant"));
/// Ends with something that was named before.
static POINTS: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?i)\b(?:it|them|him|her)$").expect("a constant"));
/// What somebody or something says.
static QUOTED: LazyLock<Regex> = LazyLock::new(|| Regex::new(r#""[^"]*"|“[^”]*”"#).expect("a constant"));
/// Says it by pointing at something else.
static LEANS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:equivalent|such|similar|corresponding|this|these|those)\b").expect("a constant")
});

/// Turns a gap into what closes it, in the same words: the first of its statements that names one.
pub(super) fn turned(text: &str) -> Option<String> {
    let whole = text.trim_end_matches(['.', '!']);
    if let Some(found) = WITHOUT.captures(whole).filter(|_| !ONCE.is_match(whole)) {
        let what = format!("{}{}", &found["what"], &found["end"]);
        return is_thing(&what).then(|| format!("Add {what}: without it, {}.", &found["else"]));
    }
    CLAUSES.split(whole).find_map(closed)
}

fn closed(clause: &str) -> Option<String> {
    let short = AFTERTHOUGHT.replace(JOINS.replace(clause, "").trim(), "").into_owned();
    let names_one = short.bytes().filter(u8::is_ascii_digit).count() > 2;
    let balanced = short.matches('(').count() == short.matches(')').count()
        && short.matches('`').count().is_multiple_of(2);
    if ONCE.is_match(&short)
        || names_one
        || DID.is_match(&short)
        || POINTS.is_match(&short)
        || VAGUE.is_match(&short)
        || !balanced
        || LEANS.is_match(&QUOTED.replace_all(&short, " "))
    {
        return None;
    }
    if let Some(found) = NEVER.captures(&short) {
        let verb = plain_form(&found["verb"].to_lowercase())?;
        return Some(format!("{} {}{}.", capital(&verb), lower_first(&found["what"]), &found["rest"]));
    }
    if let Some(found) = UNDONE.captures(&short).filter(|found| is_name(&found["what"])) {
        let verb = plain_form(&found["verb"].to_lowercase())?;
        return Some(
            format!("{} {}{}.", capital(&verb), lower_first(&found["what"]), &found["rest"])
                .replace(" anywhere", ""),
        );
    }
    if let Some(found) = ABSENT.captures(&short).filter(|_| !STATES.is_match(&before_clause(&short))) {
        let what = format!("{}{}", &found["what"], found.name("rest").map_or("", |rest| rest.as_str()));
        return (is_thing(&what) && !states(&what)).then(|| ended(&format!("Add {}", with_article(&what))));
    }
    if let Some(found) = LACKS.captures(&short) {
        let (who, what) = (actor(&found["who"])?, &found["what"]);
        let what = what.trim_start_matches("existing ").replace(" at all", "");
        let what = what.as_str();
        return is_thing(what).then(|| ended(&format!("Give {who} {}", with_article(what))));
    }
    let found = OMITS.captures(&short)?;
    let who = actor(&found["who"])?;
    let verb = found["verb"].to_lowercase();
    let does = is_plain_verb(&verb) && !PASSIVE.contains(&verb.as_str());
    does.then(|| ended(&format!("Make {who} {verb} {}", &found["what"])))
}

/// Tells whether a phrase goes on to say what its noun does: "no plan mentioned the sail".
fn states(what: &str) -> bool {
    let head = head(what);
    let own: Vec<&str> = head.split_whitespace().collect();
    let inner = own.iter().skip(1).take(own.len().saturating_sub(2));
    inner.into_iter().any(|word| !word.contains(['`', '-']) && (third_person(word) || word.ends_with("ed")))
}

/// Closes a sentence, unless it ends with somebody else's.
fn ended(text: &str) -> String {
    let is_closed = [".\"", ".”", "?\"", "?”", "!\"", "!”"].iter().any(|end| text.ends_with(end));
    if is_closed { text.to_owned() } else { format!("{text}.") }
}

/// Returns the words up to the first clause that hangs on them.
fn before_clause(text: &str) -> String {
    const OPENS: [&str; 10] =
        ["that", "which", "until", "when", "to", "whether", "who", "where", "if", "because"];
    let own = text.split_whitespace().take_while(|word| !OPENS.contains(&word.to_lowercase().as_str()));
    own.collect::<Vec<_>>().join(" ")
}

/// Verbs of what is so or not: nobody can be told to do them.
const PASSIVE: [&str; 27] = [
    "exist",
    "have",
    "matter",
    "know",
    "understand",
    "seem",
    "need",
    "match",
    "appear",
    "work",
    "apply",
    "realize",
    "notice",
    "mean",
    "happen",
    "belong",
    "look",
    "feel",
    "want",
    "use",
    "get",
    "find",
    "think",
    "account",
    "change",
    "go",
    "come",
];

/// Names who is to do it; people and their agents are not repaired.
fn actor(text: &str) -> Option<String> {
    const SOMEBODY: [&str; 23] = [
        "i",
        "we",
        "you",
        "he",
        "she",
        "it",
        "they",
        "this",
        "that",
        "which",
        "who",
        "agent",
        "assistant",
        "user",
        "users",
        "developer",
        "nobody",
        "model",
        "executor",
        "people",
        "one",
        "there",
        "what",
    ];
    // “The workflow merges the branch but does not …”: the workflow is to do it.
    let own: Vec<&str> = text.split_whitespace().collect();
    let bare = |word: &str| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    let verb = own.iter().skip(1).position(|word| !word.contains('`') && third_person(&bare(word)));
    let own = match verb {
        Some(at) if own.last() == Some(&"but") || own.last() == Some(&"and") => &own[..=at],
        Some(_) => return None,
        None => &own[..],
    };
    let last = bare(own.last()?);
    // “The agent” is somebody, “the agent workflow” is not.
    let named = [own.first(), own.last()].into_iter().flatten();
    let somebody = named.into_iter().any(|word| SOMEBODY.contains(&bare(word).as_str()))
        || own.iter().any(|word| word.contains([',', ':']));
    if somebody || own.len() > 7 || last.is_empty() {
        return None;
    }
    let name = own.join(" ");
    let first = own[0];
    // A name alone is a product or a person, and how it is.
    if own.len() == 1 && !first.contains(['`', '-', '.', '/', '_']) {
        return None;
    }
    let is_article = matches!(first.to_lowercase().as_str(), "the" | "a" | "an" | "our" | "each" | "every");
    Some(match is_article {
        true => format!("{}{}", first.to_lowercase(), &name[first.len()..]),
        false if first.starts_with('`') || first.chars().skip(1).any(char::is_uppercase) => name,
        // Two words that begin with capitals are a name.
        false if own.get(1).is_some_and(|word| word.starts_with(char::is_uppercase)) => name,
        false => format!("the {}{}", first.to_lowercase(), &name[first.len()..]),
    })
}

/// Tells whether what is missing is a thing that can be made.
fn is_thing(what: &str) -> bool {
    const NOTHING: [&str; 31] = [
        "workaround",
        "way",
        "ways",
        "evidence",
        "reason",
        "indication",
        "data",
        "sign",
        "need",
        "one",
        "longer",
        "such",
        "idea",
        "time",
        "issue",
        "issues",
        "problem",
        "problems",
        "errors",
        "error",
        "effect",
        "impact",
        "difference",
        "change",
        "changes",
        "loss",
        "harm",
        "matter",
        "more",
        "other",
        "doubt",
    ];
    let head = head(what);
    let first = words(what).next().unwrap_or_default();
    word_count(what) >= 2
        && !NOTHING.contains(&first.as_str())
        && !words(&head).last().is_some_and(|last| NOTHING.contains(&last.as_str()))
}

/// Returns the words up to the noun that a phrase is about.
fn head(what: &str) -> String {
    const AFTER: [&str; 22] = [
        "that", "which", "to", "for", "in", "of", "between", "on", "at", "from", "with", "before", "after",
        "when", "whether", "who", "across", "within", "against", "about", "by", "during",
    ];
    let own: Vec<&str> = what
        .split_whitespace()
        .take_while(|word| !AFTER.contains(&word.to_lowercase().as_str()) && !word.starts_with('('))
        .collect();
    own.join(" ")
}

fn with_article(what: &str) -> String {
    let first = what.split_whitespace().next().unwrap_or_default();
    let lower = first.to_lowercase();
    let bare = match lower.as_str() {
        "any" => what[first.len()..].trim_start(),
        "a" | "an" | "the" | "both" => return format!("{lower}{}", &what[first.len()..]),
        _ => what,
    };
    let head = head(bare);
    let noun = words(&head).last().unwrap_or_default();
    let is_many = noun.ends_with('s') && !noun.ends_with("ss");
    let is_mass = ["logic", "support", "code", "awareness"].contains(&noun.as_str())
        || [
            "ness",
            "ance",
            "ence",
            "ment",
            "lidation",
            "mentation",
            "tomation",
            "gration",
            "fication",
            "ity",
            "ing",
            "age",
        ]
        .iter()
        .any(|end| noun.ends_with(end))
        || head.contains(" or ")
        || head.contains(" and ")
        || head.contains(',');
    if is_many || is_mass {
        return bare.to_owned();
    }
    let sound = bare.trim_start_matches(['`', '"', '“']).chars().next().unwrap_or('x').to_ascii_lowercase();
    format!("{} {bare}", if "aeiou".contains(sound) { "an" } else { "a" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gap_is_turned_round_in_its_own_words() {
        for (gap, expected) in [
            (
                "The mooring plan has no step to lock the chain, so it slips.",
                "Give the mooring plan a step to lock the chain.",
            ),
            (
                "There is no alarm that rings when the chain slips.",
                "Add an alarm that rings when the chain slips.",
            ),
            ("No written checklist for the mate.", "Add a written checklist for the mate."),
            (
                "The wind turned, but the mooring plan has no step that names chain, rope, and winch.",
                "Give the mooring plan a step that names chain, rope, and winch.",
            ),
            ("No watch list exists to call the mate.", "Add a watch list to call the mate."),
            ("The winch stops at night but does not lock the chain.", "Make the winch lock the chain."),
            ("`chain_lock` doesn't check the brake.", "Make `chain_lock` check the brake."),
            (
                "It was seen twice — the label was never updated to say which chain it is.",
                "Update the label to say which chain it is.",
            ),
            (
                "Without a lock on the chain, the boat drifts at night.",
                "Add a lock on the chain: without it, the boat drifts at night.",
            ),
            ("The agent workflow has no step for the tide.", "Give the agent workflow a step for the tide."),
            (
                "The lock is not checked as part of mooring: chain, rope and winch.",
                "Check the lock as part of mooring: chain, rope and winch.",
            ),
            ("Precedence of the winches is not enforced anywhere.", "Enforce precedence of the winches."),
            ("The harbour lacks tide tables for the winter.", "Give the harbour tide tables for the winter."),
        ] {
            assert_eq!(turned(gap).as_deref(), Some(expected), "{gap}");
        }
    }

    #[test]
    fn what_nobody_can_close_is_no_gap() {
        for told in [
            "The mooring plan did not lock the chain.",
            "He doesn't know the tide.",
            "The busy agent does not lock the chain.",
            "There is no evidence of a broken chain.",
            "There was no way to tell the chains apart.",
            "No workaround exists within the rules of the harbour.",
            "No chain was lost that night.",
            "No rope, no chain, no lock on the boat.",
            "The boat had no lock when it was looked at.",
            "No plan mentioned the chain as a danger.",
            "No single watch currently owns the chain.",
            "The list of the mooring plan doesn't include it.",
            "No watch of the harbour noticed the boat.",
            "The harbour lacks proper discipline.",
            "The mooring plan of 2026-03-01 has no lock.",
            "The winch has no such lock.",
        ] {
            assert_eq!(turned(told), None, "{told}");
        }
    }
}
