//! Words that are written large because a sentence begins with them.
//!
//! Such a word may be a name, so it has to stand somewhere in the packet; unless its form or its place
//! says that it is an ordinary word.

use lore_core::words::{Commonness, commonness};

use super::words::{PALE, TOKEN, goes_on, is_code, is_large, push};
use crate::curate::lexicon;
use crate::curate::token::is_stop;

/// Words that open a sentence and join it to the one before, or to its subject; nobody bears them as a name.
const JOINTS: [&str; 105] = [
    "above",
    "across",
    "additionally",
    "afterwards",
    "against",
    "ahead",
    "along",
    "alongside",
    "although",
    "amid",
    "among",
    "amongst",
    "apart",
    "around",
    "aside",
    "atop",
    "because",
    "before",
    "behind",
    "below",
    "beneath",
    "beside",
    "besides",
    "between",
    "beyond",
    "concerning",
    "consequently",
    "despite",
    "down",
    "during",
    "elsewhere",
    "eventually",
    "except",
    "excluding",
    "following",
    "formerly",
    "furthermore",
    "given",
    "hence",
    "here",
    "however",
    "initially",
    "inside",
    "instead",
    "like",
    "likewise",
    "meanwhile",
    "merely",
    "moreover",
    "near",
    "nevertheless",
    "notwithstanding",
    "numerous",
    "off",
    "onto",
    "opposite",
    "originally",
    "otherwise",
    "out",
    "outside",
    "over",
    "per",
    "plain",
    "plus",
    "previously",
    "rarely",
    "rationale",
    "reason",
    "reasons",
    "regarding",
    "regardless",
    "several",
    "since",
    "solely",
    "there",
    "therefore",
    "though",
    "throughout",
    "thus",
    "till",
    "together",
    "toward",
    "towards",
    "under",
    "underneath",
    "unless",
    "unlike",
    "until",
    "up",
    "upon",
    "various",
    "versus",
    "via",
    "whatever",
    "whenever",
    "where",
    "whereas",
    "wherein",
    "wherever",
    "whichever",
    "whoever",
    "with",
    "within",
    "without",
    "yet",
];
/// Words for people that no product is called by.
const PEOPLE: [&str; 12] = [
    "agents",
    "anyone",
    "authors",
    "callers",
    "developers",
    "everyone",
    "maintainers",
    "owners",
    "people",
    "readers",
    "someone",
    "users",
];
/// Numbers in words.
const COUNTS: [&str; 13] = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
    "dozens",
];
/// Words for how things are, which nobody bears as a name.
const QUALITIES: [&str; 67] = [
    "additional",
    "automatic",
    "broken",
    "certain",
    "concurrent",
    "correct",
    "current",
    "deliberate",
    "duplicate",
    "earlier",
    "empty",
    "existing",
    "expired",
    "external",
    "failed",
    "failing",
    "fewer",
    "final",
    "further",
    "future",
    "generated",
    "hidden",
    "ignored",
    "incoming",
    "individual",
    "initial",
    "internal",
    "invalid",
    "larger",
    "later",
    "local",
    "longer",
    "lost",
    "mandatory",
    "manual",
    "missing",
    "mixed",
    "multiple",
    "nested",
    "newer",
    "older",
    "optional",
    "outgoing",
    "parallel",
    "partial",
    "past",
    "pending",
    "private",
    "public",
    "recent",
    "remaining",
    "remote",
    "repeated",
    "separate",
    "shared",
    "shorter",
    "smaller",
    "stale",
    "temporary",
    "throwaway",
    "tracked",
    "unknown",
    "untracked",
    "unused",
    "unwanted",
    "visible",
    "wrong",
];
/// Words that head a list or a remark: “Known risks: …”, “Remedy: …”.
const HEADS: [&str; 30] = [
    "known",
    "remedy",
    "workaround",
    "workarounds",
    "cause",
    "causes",
    "effect",
    "consequence",
    "consequences",
    "symptom",
    "symptoms",
    "exception",
    "exceptions",
    "limit",
    "limits",
    "risk",
    "risks",
    "goal",
    "goals",
    "example",
    "examples",
    "alternative",
    "alternatives",
    "drawback",
    "drawbacks",
    "outcome",
    "background",
    "caveat",
    "caveats",
    "open",
];
/// So many words may stand before the colon of a list.
const HEADING: usize = 4;
/// Verbs behind a subject: what stands before them is what the sentence is about, perhaps a name.
const BEHIND_A_SUBJECT: [&str; 16] = [
    "is", "are", "was", "were", "has", "have", "had", "does", "do", "can", "may", "must", "will", "should",
    "would", "cannot",
];
/// Participles that open a remark without its subject: “Checked on two ships: …”. No ending tells them
/// from names such as Memcached.
const PARTICIPLES: [&str; 50] = [
    "accepted",
    "added",
    "agreed",
    "based",
    "built",
    "changed",
    "checked",
    "chosen",
    "compared",
    "confirmed",
    "considered",
    "decided",
    "deferred",
    "dropped",
    "excluded",
    "failed",
    "failing",
    "finished",
    "fixed",
    "given",
    "included",
    "introduced",
    "keeping",
    "kept",
    "leaving",
    "lost",
    "made",
    "measured",
    "merged",
    "missing",
    "moved",
    "noted",
    "observed",
    "passing",
    "planned",
    "postponed",
    "rejected",
    "removed",
    "renamed",
    "replaced",
    "running",
    "shipped",
    "starting",
    "stored",
    "tested",
    "tried",
    "used",
    "using",
    "verified",
    "written",
];
/// Endings of adverbs; a name ends in a bare “ly”.
const ADVERBS: [&str; 9] = ["ately", "ally", "ently", "antly", "ively", "ously", "edly", "ably", "ibly"];
/// The shortest word of a quality, “Uniqueness”; shorter ones are lakes and beers.
const QUALITY: usize = 8;
/// The shortest gerund; shorter words with its ending are names as often: `Spring`, `Bing`.
const GERUND: usize = 6;
/// The shortest word that is told by its plural.
const SINGULAR: usize = 4;

/// Lists the words that open a sentence and may be names as well as ordinary words.
pub(super) fn openings(text: &str) -> Vec<String> {
    let plain = text.replace('`', " x ");
    let mut out = Vec::new();
    for found in TOKEN.find_iter(&plain) {
        let token = found.as_str().trim_matches(['.', ':', '-', '/']);
        let lower = token.to_lowercase();
        let known = is_stop(&lower)
            || lexicon::classes_of(&lower) != 0
            || PALE.contains(&lower.as_str())
            || JOINTS.contains(&lower.as_str())
            || PEOPLE.contains(&lower.as_str())
            || COUNTS.contains(&lower.as_str())
            || QUALITIES.contains(&lower.as_str());
        let opens = !goes_on(&plain[..found.start()]) && is_large(token) && !is_code(token);
        if opens && !known && !is_everyday(&lower, &plain[found.end()..]) {
            push(&mut out, token);
        }
    }
    out
}

/// Tells whether the form of a word and what follows it show that it is none but an ordinary one.
fn is_everyday(word: &str, behind: &str) -> bool {
    let next: String = behind.trim_start().chars().take_while(|c| c.is_alphabetic()).collect();
    let is_list = || {
        let head: String = behind.chars().take_while(|c| !matches!(c, ':' | '.' | ',' | ';')).collect();
        behind[head.len()..].starts_with(':') && head.split_whitespace().count() < HEADING
    };
    if HEADS.contains(&word) {
        return is_list();
    }
    if word.ends_with("ness") && word.chars().count() >= QUALITY || is_plural(word) {
        return true;
    }
    // “Raising the limit …”, “Checked on …”: a verb with what belongs to it, and not a subject before its verb.
    let is_subject = BEHIND_A_SUBJECT.contains(&next.as_str()) || next.ends_with('s');
    let leads = next.starts_with(char::is_lowercase) && !is_subject;
    let is_gerund = || {
        let root = word.strip_suffix("ing").filter(|_| word.chars().count() >= GERUND);
        root.is_some_and(|root| root.contains(['a', 'e', 'i', 'o', 'u', 'y']))
    };
    let is_adverb = || ADVERBS.iter().any(|ending| word.ends_with(ending));
    leads && (is_gerund() || is_adverb() || PARTICIPLES.contains(&word))
}

/// Several of what everybody has a word for: “Totals”. One of them may be a name, “Total”.
fn is_plural(word: &str) -> bool {
    let one = word.strip_suffix('s').filter(|one| !one.ends_with(['s', 'u', 'i']));
    one.is_some_and(|one| one.len() >= SINGULAR && commonness(one) != Commonness::Rare)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_words_may_open_a_sentence_and_names_are_asked_for() {
        let check = |text: &str, expected: &[&str]| assert_eq!(openings(text), expected, "{text}");
        check("Raising the pending limit belongs in the client.", &[]);
        check("It rotates. Losing a minute of tickets is accepted.", &[]);
        check("Checked on two ferries: both are free.", &[]);
        check("Deliberately left out: refunds and seats.", &[]);
        check("Uniqueness of a seat is checked. Among the crews nobody does.", &[]);
        check("Against the tide nobody sails. Beside the bell hangs a rope.", &[]);
        check("Several ferries share a berth. Behind the bar the sea is rough.", &[]);
        check("Someone has to ring. Four of them do. Lost on deck they are printed again.", &[]);
        check("Past tickets are kept. Failing printers are swapped. Lost ones too.", &[]);
        check("Known risks: the tide and a full car deck.", &[]);
        check("Remedy: print the ticket again.", &[]);
        check("Totals of the day are printed. Mistakes are not.", &[]);
        check("Kubernetes prints nothing.", &["Kubernetes"]);
        check("Remedy is the queue of tickets.", &["Remedy"]);
        check("Terraform keeps the state.", &["Terraform"]);
        check("Terraform: the state is kept.", &["Terraform"]);
        check("Fastly left the region.", &["Fastly"]);
        check("Grammarly checks the page.", &["Grammarly"]);
        check("Spring the framework is used.", &["Spring"]);
        check("Bing is asked first.", &["Bing"]);
        check("Memcached keeps tickets.", &["Memcached"]);
        check("Memcached holds the queue.", &["Memcached"]);
        check("Unleashed is the queue of tickets.", &["Unleashed"]);
    }
}
