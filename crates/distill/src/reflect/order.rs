//! Advice as an order: whoever says that the planner should check the tide says to have it checked.

use std::sync::LazyLock;

use lore_core::words::{Commonness, commonness};
use regex::Regex;

use super::remedy::capital;
use super::verb::{participle, plain_form};
use super::wording::lower_first;
use crate::extract::flaws::{is_plain_verb, past, third_person};
use crate::extract::sentence::{word_count, words};
use crate::extract::terms::is_common;

/// Says first that it is one way of several, or that it is the fix.
static HEDGE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^(?:(?:alternatively|ideally|additionally|at (?:a )?minimum|in addition|going forward|in future|longer[- ]term|structurally|specifically|instead|better|therefore|thus),? |(?:the|an?|one|our)(?: \w+)? (?:fix|solution|workaround|remedy|resolution|mitigation) (?:is|was|would be) (?:simply |just )?to )")
        .expect("a constant")
});
/// Says who or what should do something.
static SHOULD: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?P<who>.{2,110}?) (?:(?:should|must|ought to|needs? to|(?:has|have) to) (?:(?P<how>not|never|always|also|only|either|explicitly|automatically|first|probably|likely) )?|could (?:also |explicitly )?)(?P<do>[a-z-]+) (?P<what>.+)$")
        .expect("a constant")
});
/// Says what doing something would have spared.
static DOING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?P<doing>[A-Z]\w+ing) (?P<what>.+?)[ ,—–-]* (?:would|could) (?:likely |probably )?(?:have )?(?:prevent|avoid|catch|caught|fix|eliminat|reduc|clos|mak|made|help)\w*\b.*$")
        .expect("a constant")
});
/// Says what something that is not there would have spared.
static THING: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?P<what>(?:An?|Explicit|Automated|Automatic) .+?) (?P<would>would (?:likely |probably )?(?:have )?(?:prevent|avoid|catch|caught|fix|eliminat)\w*\b.*)$")
        .expect("a constant")
});
/// Says that something is needed.
static NEEDED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^(?:(?:fixing|solving) (?:it|this|that) (?:likely |probably )?requires (?P<whole>an? .+)|(?P<what>an? .{8,}?) (?:is|was|may be|might be) (?:also )?needed(?P<rest>.*))$")
        .expect("a constant")
});
/// Says what the fix would have something do.
static FOR: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)^(?:the|an?|one)(?: \w+)? fix (?:is|was|would be) for (?P<who>.{3,60}?) to (?P<do>[a-z]+ .+)$",
    )
    .expect("a constant")
});
/// Says that something is needed, and gives an example of somebody doing it.
static EXAMPLE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:is|are|may be|might be|would be) needed \((?:e\.g\.|such as|for example|for instance),? (?P<who>[^(),]{3,50}?) (?P<how>explicitly |always |automatically )?(?P<doing>[a-z]{3,}ing) (?P<what>[^()]+)\)$")
        .expect("a constant")
});
/// Says where it is to be done, and then what.
static WHERE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^(?:the|an?) fix (?:should be|is|belongs|goes) (?P<place>in [^:]{3,60}): (?P<what>.+)$")
        .expect("a constant")
});
/// Tells what helped.
static HELPED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(?:fixed|resolved|solved|worked around|unblocked) (?:this |it )?by (?P<doing>\w+ing) (?P<what>.+)$")
        .expect("a constant")
});

/// Says what is not to be done in its place.
static NOT_DONE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r",? (?:and )?not (?P<stem>[a-z]{2,})ed$").expect("a constant"));

/// What somebody or something says.
static QUOTED: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r#""[^"]*"|“[^”]*”|`[^`]*`"#).expect("a constant"));

/// Words that open a condition.
const OPENS: [&str; 9] = ["when", "whenever", "if", "before", "after", "for", "while", "once", "during"];
/// Who is asked when nobody in particular is.
const ANYBODY: [&str; 12] = [
    "we",
    "you",
    "one",
    "people",
    "engineers",
    "developers",
    "authors",
    "everybody",
    "everyone",
    "teams",
    "the team",
    "users",
];

/// Says the same as an order, where it can be told without guessing.
pub(super) fn ordered(text: &str) -> Option<String> {
    let whole = text.trim().trim_end_matches('.');
    let bare = capital(&HEDGE.replace(whole, ""));
    if let Some(found) = WHERE.captures(&bare).filter(|found| is_order(&capital(&found["what"]))) {
        return Some(format!("{} ({}).", capital(&found["what"]), &found["place"]));
    }
    let (condition, main) = parted(&bare);
    let main = capital(main);
    let order = if is_order(&main) { main } else { turned(&main)? };
    Some(match condition {
        Some(condition) => format!("{condition}, {}.", lower_first(&order)),
        None => format!("{order}."),
    })
}

/// Parts the condition that opens a sentence from what it is about.
pub(super) fn parted(text: &str) -> (Option<&str>, &str) {
    let first = words(text).next().unwrap_or_default();
    match text.split_once(", ") {
        Some((condition, main)) if OPENS.contains(&first.as_str()) && is_condition(condition) => {
            (Some(condition), main)
        }
        _ => (None, text),
    }
}

fn is_condition(text: &str) -> bool {
    let aside = ["for example", "for instance", "for now", "if needed", "if possible", "if any"];
    word_count(text) > 1 && !aside.contains(&text.to_lowercase().as_str())
}

fn turned(main: &str) -> Option<String> {
    if let Some(found) = DOING.captures(main) {
        let verb = plain_form(&found["doing"].to_lowercase())?;
        return Some(format!("{} {}", capital(&verb), &found["what"]));
    }
    if let Some(found) = THING.captures(main) {
        let what = lower_first(&found["what"]);
        let points =
            words(&found["would"]).any(|word| ["this", "that", "it", "these"].contains(&word.as_str()));
        return Some(if points {
            format!("Add {what}")
        } else {
            format!("Add {what}: it {}", &found["would"])
        });
    }
    if let Some(found) = NEEDED.captures(main) {
        let what = found.name("whole").or(found.name("what"))?.as_str();
        let rest = found.name("rest").map_or("", |rest| rest.as_str());
        return Some(format!("Add {}{rest}", lower_first(what)));
    }
    if let Some(found) = FOR.captures(main).filter(|found| is_name(&found["who"])) {
        return Some(format!("Have {} {}", inside(&found["who"]), &found["do"]));
    }
    if let Some(found) = EXAMPLE.captures(main) {
        let verb = plain_form(&found["doing"].to_lowercase())?;
        let how = found.name("how").map_or("", |how| how.as_str());
        let who = inside(&found["who"]);
        return is_name(&who).then(|| format!("Have {who} {how}{verb} {}", &found["what"]));
    }
    if let Some(found) = HELPED.captures(main) {
        let verb = plain_form(&found["doing"].to_lowercase())?;
        return Some(format!("{} {}", capital(&verb), &found["what"]));
    }
    if let Some(rest) = main.strip_prefix("Should ") {
        return Some(capital(rest));
    }
    if let Some(rest) = main.strip_prefix("Consider ") {
        let (doing, what) = rest.split_once(' ')?;
        return Some(format!("{} {what}", capital(&plain_form(doing)?)));
    }
    let found = SHOULD.captures(main)?;
    should(&found["who"], found.name("how").map_or("", |how| how.as_str()), &found["do"], &found["what"])
}

/// Says to somebody what something should do or have done to it.
fn should(who: &str, how: &str, verb: &str, what: &str) -> Option<String> {
    if !is_name(who) || verb == "not" {
        return None;
    }
    let anybody = ANYBODY.contains(&who.to_lowercase().as_str());
    let who = inside(who);
    let adverb = if ["always", "only", "explicitly", "automatically", "first"].contains(&how) {
        format!("{how} ")
    } else {
        String::new()
    };
    let end = what.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(what.len());
    let (first, rest) = what.split_at(end);
    if verb == "be" {
        // Who is to do it stands at the end: it is not turned twice.
        if rest.starts_with(" by ")
            && !rest.split_whitespace().nth(1).is_some_and(|word| word.ends_with("ing"))
        {
            return None;
        }
        return Some(match (participle(first), how) {
            (Some(verb), "not" | "never") => format!("Never {verb} {who}{rest}"),
            (Some(verb), _) => {
                let rest = NOT_DONE.replace(rest, " instead of ${stem}ing them");
                format!("{} {who}{rest}", capital(&format!("{adverb}{verb}")))
            }
            (None, "not" | "never") => return None,
            (None, _) if past(first) || first.ends_with("ed") => return None,
            (None, _) if first == "able" => format!("Let {who}{}", rest.replacen(" to ", " ", 1)),
            (None, _) => format!("Make {who} {what}"),
        });
    }
    if ["have", "work", "exist", "remain", "know", "happen", "seem"].contains(&verb) {
        let gives =
            verb == "have" && matches!(first, "a" | "an" | "its" | "their" | "explicit") && how.is_empty();
        return gives.then(|| format!("Give {who} {what}"));
    }
    Some(match how {
        "not" | "never" if anybody => format!("Never {verb} {what}"),
        "not" | "never" => format!("Do not let {who} {verb} {what}"),
        _ if anybody => capital(&format!("{adverb}{verb} {what}")),
        "either" => format!("Have {who} either {verb} {what}"),
        _ => format!("Have {who} {adverb}{verb} {what}"),
    })
}

/// Writes a name as it stands within a sentence.
fn inside(name: &str) -> String {
    let first = words(name).next().unwrap_or_default();
    if commonness(&first) == Commonness::Rare { name.to_owned() } else { lower_first(name) }
}

/// Tells whether a phrase names who or what, and does not say anything of it.
pub(super) fn is_name(who: &str) -> bool {
    const NOBODY: [&str; 22] = [
        "it", "they", "this", "that", "these", "those", "there", "which", "who", "what", "he", "she", "i",
        "nothing", "nobody", "and", "but", "or", "so", "such", "because", "then",
    ];
    const SAYS: [&str; 12] =
        ["is", "are", "was", "were", "has", "had", "does", "did", "if", "because", "when", "while"];
    let first = words(who).next().unwrap_or_default();
    // “Checking the chain should …” is about what somebody does.
    let does = first.ends_with("ing") && plain_form(&first).is_some_and(|verb| is_plain_verb(&verb));
    !does
        && !who.contains([',', ':', ';', '?'])
        && !who.contains(" -- ")
        && !who.contains(" — ")
        && !NOBODY.contains(&first.as_str())
        && !words(who).any(|word| SAYS.contains(&word.as_str()))
        && who.matches('`').count().is_multiple_of(2)
        && who.matches('(').count() == who.matches(')').count()
}

/// Tells whether a sentence is an order: "Lock the chain", "When it rains, always lock the chain".
pub(super) fn is_order(text: &str) -> bool {
    let (condition, main) = parted(text);
    let adverbs = ["always", "never", "explicitly", "also", "only", "first", "then", "automatically"];
    let verb = words(main).find(|word| !adverbs.contains(&word.as_str())).unwrap_or_default();
    // "Forward-bias" is no order, "Cross-reference" is.
    let opening = main.split_whitespace().next().unwrap_or_default();
    if opening.split_once('-').is_some_and(|(_, rest)| !words(rest).all(|word| is_plain_verb(&word))) {
        return false;
    }
    // "Do not leave before …" says what is not to be done.
    if main.to_lowercase().starts_with("do not ") || main.to_lowercase().starts_with("don't ") {
        return true;
    }
    // "When it rains, always …": what comes then is an order, whatever its verb.
    let urged = condition.is_some() && words(main).next().is_some_and(|word| word != verb);
    let spoken = QUOTED.replace_all(main, " ");
    // "Have the mate lock it" is one, "have been locked" is not.
    let has = verb == "have" && !spoken.contains(" been ");
    has || (urged || is_plain_verb(&verb)) && verb != "accept" && !is_noun_phrase(&spoken)
}

/// Tells whether a sentence has the shape of an order, whatever its verb: "Query `log` for it", "Grease the winch".
pub(super) fn is_shaped(text: &str) -> bool {
    const OBJECTS: [&str; 10] = ["the", "a", "an", "each", "every", "all", "any", "its", "their", "both"];
    let mut own = text.split_whitespace();
    let (first, second) = (own.next().unwrap_or_default(), own.next().unwrap_or_default());
    let verb = first.to_lowercase();
    let ends = ["ing", "ed", "ly", "s"].iter().any(|end| verb.ends_with(end));
    verb.len() > 3
        && verb.chars().all(char::is_alphabetic)
        && !ends
        && !is_common(&verb)
        && (OBJECTS.contains(&second) || second.starts_with('`'))
        && !is_noun_phrase(&QUOTED.replace_all(text, " "))
}

/// Tells a noun from an order that is written the same: "Test isolation is missing", "Plan accuracy …".
fn is_noun_phrase(text: &str) -> bool {
    const FINITE: [&str; 13] =
        ["is", "are", "was", "were", "has", "have", "had", "does", "did", "lacks", "should", "must", "needs"];
    const SUBORDINATE: [&str; 13] = [
        "that", "which", "if", "when", "whether", "so", "because", "where", "what", "how", "until", "before",
        "after",
    ];
    const THINGS: [&str; 9] =
        ["tool", "command", "script", "workflow", "agent", "hook", "step", "function", "job"];
    const NOUNS: [&str; 25] = [
        "test", "plan", "check", "guard", "branch", "release", "commit", "build", "log", "index", "hook",
        "gate", "project", "model", "push", "merge", "run", "pull", "deploy", "review", "audit", "update",
        "change", "fix", "install",
    ];
    let own: Vec<String> =
        words(text).take_while(|word| !SUBORDINATE.contains(&word.as_str())).take(14).collect();
    let first = own.first().map_or("", String::as_str);
    // “Write tool overwrites files”: what is named by its verb does something.
    let does = own.get(1).is_some_and(|word| THINGS.contains(&word.as_str()))
        && own.get(2).is_some_and(|word| third_person(word));
    // “Work naturally went on”, “Write commands always wrap it”: what does something in some manner is no order.
    let in_a_manner = own.windows(3).take(4).any(|three| {
        const JOINS: [&str; 4] = ["and", "or", "but", "then"];
        const OFTEN: [&str; 5] = ["always", "never", "often", "usually", "rarely"];
        let manner = OFTEN.contains(&three[1].as_str()) || three[1].len() > 4 && three[1].ends_with("ly");
        let acts = past(&three[2]) || third_person(&three[2]) || is_plain_verb(&three[2]);
        manner && acts && !JOINS.contains(&three[0].as_str())
    });
    let does = does || in_a_manner;
    // “Give it a hook: it would have …” says so of something else.
    let said = text.split(": ").next().unwrap_or(text);
    let said = words(said).take_while(|word| !SUBORDINATE.contains(&word.as_str())).count().min(14);
    does || own.iter().take(said).skip(1).any(|word| FINITE.contains(&word.as_str()))
        || NOUNS.contains(&first) && own.iter().skip(1).take(3).any(|word| past(word) || word.ends_with("ed"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_should_be_is_told_as_an_order() {
        for (told, expected) in [
            ("The mate should lock the chain after mooring.", "Have the mate lock the chain after mooring."),
            (
                "Sails longer than a mast should be folded, not rolled.",
                "Fold sails longer than a mast instead of rolling them.",
            ),
            (
                "When it rains, the winch should be covered with the tarp.",
                "When it rains, cover the winch with the tarp.",
            ),
            ("Chains should never be left on the deck.", "Never leave chains on the deck."),
            (
                "Adding a second lock -- one on the winch -- would have prevented the drift.",
                "Add a second lock -- one on the winch.",
            ),
            ("A note about the tide would prevent this recurrence.", "Add a note about the tide."),
            (
                "A note beside the winch would have caught the rust.",
                "Add a note beside the winch: it would have caught the rust.",
            ),
            ("Consider painting the buoy red.", "Paint the buoy red."),
            ("The proper fix is to lock the chain twice.", "Lock the chain twice."),
            ("Fixing it likely requires a list that every mate reads.", "Add a list that every mate reads."),
            (
                "The fix should be in `moor.md`: after mooring, lock the chain.",
                "After mooring, lock the chain (in `moor.md`).",
            ),
            ("Alternatively, mates could check the lock at dusk.", "Have mates check the lock at dusk."),
            ("The lock should be part of the mooring list.", "Make the lock part of the mooring list."),
            ("The winch must have a guard against rain.", "Give the winch a guard against rain."),
            ("We should check the chain before every trip.", "Check the chain before every trip."),
            ("The winch should not turn without oil.", "Do not let the winch turn without oil."),
            ("The chain was fixed by adding a link to it.", "Add a link to it."),
        ] {
            assert_eq!(ordered(told).as_deref(), Some(expected), "{told}");
        }
    }

    #[test]
    fn what_cannot_be_turned_without_guessing_is_left() {
        for told in [
            "It should be locked by the mate.",
            "The chain, which rusts, should hold.",
            "The chain should be checked by whoever leaves last.",
            "The chain is old and should be replaced.",
            "The tide is high.",
        ] {
            assert_eq!(ordered(told), None, "{told}");
        }
    }
}
