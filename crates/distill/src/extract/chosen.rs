//! What an agent tells that it chose: "I went with Brass for the lamps." Whoever comes later takes it for settled, and
//! whoever says otherwise has to find it.

use std::sync::LazyLock;

use regex::Regex;

use crate::extract::wording::{capital, strip_openers};

static CHOICE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x)^(?:I|We)(?:['’]ve|\ have)?\ (?:also\ |just\ |therefore\ |then\ )?
          (?P<verb>(?i:decided\ (?:to|on|against|that)|chose(?:\ to)?|chosen(?:\ to)?|went\ (?:with|for)|settled\ (?:on|for)|picked|opted\ (?:for|to)))
          \ (?P<what>[^?]+?)\.?$",
    )
    .expect("the pattern is a constant")
});
/// What an agent tells that it made so, with how: "I set the lamps to amber", "I built the gate as a drawbridge".
static MADE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x)^(?:I|We)(?:['’]ve|\ have)?\ (?:also\ |just\ |therefore\ |then\ |recommend(?:ed)?\ and\ )?
          (?:(?P<set>(?i:set|defaulted))\ (?P<thing>[^?,;]+?)\ to\ (?P<value>[^?,;]+?)
            |(?P<put>(?i:put|capped|limited|pinned|raised|lowered|increased|reduced))\ (?P<what_is>[^?,;]+?)\ (?P<at>(?:at|to|below|above)\ [^?,;]*\d[^?,;]*?)
            |(?P<made>(?i:implemented|built|modell?ed|stored|designed))\ (?P<what>[^?,;]+?)\ (?P<how>as\ [^?;]+?)
            |(?P<with>(?i:set\ up|wired))\ (?P<with_what>[^?,;]+?)\ (?P<with_how>with\ [^?,;]+?)
            |(?P<used>(?i:used))\ (?P<tool>[^?,;]+?)\ (?P<purpose>(?:for|as)\ [^?,;]+?)
            |(?P<placed>(?i:put|placed|moved))\ (?P<placed_what>[^?,;]+?)\ (?P<placed_where>into\ [^?,;]+?)
            |(?P<keep>(?i:keep|kept|store|cache|cached|hold))\ (?P<kept_what>[^?,;]+?)\ (?P<kept_where>(?:only\ )?(?:in|on|as)\ [^?,;]+?))\.?$",
    )
    .expect("the pattern is a constant")
});
/// What follows on how something was made: what it is for, that the agent chose it or would leave it so.
static AFTERTHOUGHT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?xi)\s*[;,–—-]+\s+(?:that|this|which|it)\ (?:is|was)\ (?:what|how|the)\b[^?]*$
          |\s*[;,–—-]+\s+(?:i\ (?:recommend|suggest|would\ (?:keep|leave)|propose)|so\ that)\b[^?]*$",
    )
    .expect("the pattern is a constant")
});
/// "…, handled by a wrapper that I placed in the cellar": who placed it is told in passing.
static PLACED: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x)^(?P<what>\p{Lu}[^?;]*?)\ (?:that|which)\ I(?:['’]ve|\ have)?\ (?P<verb>placed|put|added|wrote|built|introduced|made|set\ up)(?P<rest>\b[^?;]*?)\.?$",
    )
    .expect("the pattern is a constant")
});
/// "For the lamps I pulled in Brass."
static FOR: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?x)^For\ (?P<purpose>[^?,;]+?),?\ (?:I|we)(?:['’]ve|\ have)?\ (?:pulled\ in|picked|chose|used|added|took|went\ with)\ (?P<tool>[^?,;]+?)\.?$",
    )
    .expect("the pattern is a constant")
});
/// What an agent says behind how something is: "…; I chose that as a sensible default".
static ITS_OWN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?xi)^(?P<what>\p{L}[^?;]+?)\s*[;,–—-]+\s+
          (?:i\ (?:implemented|built|did|made|wired|designed)\ (?:it|that|this)\ (?:that\ way|like\ (?:that|this)|so)\b.*
            |(?:that|this|which)\ is\ how\ i\ (?:implemented|built|did|made|wired|designed|wrote)\ (?:it|that|this)\b.*
            |i\ (?:chose|decided)\ to\ .*
            |i\ (?:chose|picked|took)\ (?:[\w-]+\ ){1,3}(?:to|for|because|since|so\ that)\ .*
            |i\ (?:chose|picked|went\ with|settled\ on|decided\ on)\ (?:that|this|it)\b.*
            |(?:that|this|which)\ is\ (?:the\ \w+|what)\ i\ (?:chose|picked|went\ (?:with|for)|settled\ on|used)\b.*)$",
    )
    .expect("the pattern is a constant")
});
/// Who speaks of the talk, or of oneself, tells how it went on.
static OF_THE_TALK: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?i)\b(?:i|i'm|i've|i'll|me|my|myself|you|your|this|it|these|those|them|here|first|next|instead)\b",
    )
    .expect("the pattern is a constant")
});
/// What is chosen is named in so many words.
const WORDS: std::ops::RangeInclusive<usize> = 3..=24;

/// What was chosen, told of the agent.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Chosen {
    pub(crate) title: String,
    pub(crate) text: String,
}

/// Returns what an agent's sentence tells that it chose.
pub(crate) fn chosen(sentence: &str) -> Option<Chosen> {
    let sentence = strip_openers(sentence).trim();
    let deed = AFTERTHOUGHT.replace(sentence, "");
    fetched(sentence)
        .or_else(|| made(&deed))
        .or_else(|| its_own(sentence))
        .or_else(|| placed(sentence))
        .or_else(|| picked(sentence))
}

/// Tells whether something is named in so many words, and without the talk.
fn is_named(what: &str) -> bool {
    WORDS.contains(&what.split_whitespace().count()) && !OF_THE_TALK.is_match(what)
}

fn made(sentence: &str) -> Option<Chosen> {
    let found = MADE.captures(sentence)?;
    let group = |name: &str| found.name(name).map(|part| part.as_str().trim());
    let (deed, what, how) = match (group("set"), group("made")) {
        (Some(_), _) => ("set", group("thing")?, format!("to {}", group("value")?)),
        _ if group("with").is_some() => (group("with")?, group("with_what")?, group("with_how")?.to_owned()),
        _ if group("placed").is_some() => {
            (group("placed")?, group("placed_what")?, group("placed_where")?.to_owned())
        }
        _ if group("keep").is_some() => ("kept", group("kept_what")?, group("kept_where")?.to_owned()),
        _ if group("put").is_some() => (group("put")?, group("what_is")?, group("at")?.to_owned()),
        (_, Some(made)) => (made, group("what")?, group("how")?.to_owned()),
        _ => ("used", group("tool")?, group("purpose")?.to_owned()),
    };
    let deed = deed.to_lowercase();
    let all = format!("{what} {how}");
    let title = match deed.as_str() {
        "used" => all.clone(),
        deed => format!("{} {deed} {how}", without_article(what)),
    };
    is_named(&all)
        .then(|| Chosen { title: capital(without_article(&title)), text: format!("The agent {deed} {all}.") })
}

fn fetched(sentence: &str) -> Option<Chosen> {
    let found = FOR.captures(sentence)?;
    let all = format!("{} for {}", found["tool"].trim(), found["purpose"].trim());
    is_named(&all)
        .then(|| Chosen { title: capital(without_article(&all)), text: format!("The agent took {all}.") })
}

fn its_own(sentence: &str) -> Option<Chosen> {
    let found = ITS_OWN.captures(sentence)?;
    let what = found["what"].trim();
    let title = capital(without_article(what));
    // "The first page" of something is no step of the talk.
    let named = is_named(&what.replace(" first ", " ").replace(" next ", " "));
    named.then(|| Chosen { title, text: format!("{what}; the agent chose that.") })
}

fn placed(sentence: &str) -> Option<Chosen> {
    let found = PLACED.captures(sentence)?;
    let (what, how) = (found["what"].trim(), format!("{}{}", &found["verb"], found["rest"].trim_end()));
    let all = format!("{what} {how}");
    // "A wrapper that I added" alone says what was done, not how things are.
    let states = what.split_whitespace().any(|word| matches!(word, "is" | "are" | "by" | "through" | "via"));
    (states && is_named(&all)).then(|| Chosen {
        title: capital(without_article(what)),
        text: format!("{what} that the agent {how}."),
    })
}

fn without_article(what: &str) -> &str {
    ["a ", "an ", "the ", "The ", "A ", "An "]
        .iter()
        .find_map(|article| what.strip_prefix(article))
        .unwrap_or(what)
}

fn picked(sentence: &str) -> Option<Chosen> {
    let found = CHOICE.captures(sentence)?;
    let (verb, what) = (found["verb"].to_lowercase(), found["what"].trim());
    if !is_named(what) {
        return None;
    }
    let title = match verb.ends_with("against") {
        true => format!("Decided against {what}"),
        false => capital(without_article(what)),
    };
    Some(Chosen { title, text: format!("The agent {verb} {what}.") })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_chosen_is_told_of_the_agent() {
        let check = |said: &str, title: &str, text: &str| {
            assert_eq!(chosen(said), Some(Chosen { title: title.to_owned(), text: text.to_owned() }));
        };
        check(
            "I went with Brass for the lamps.",
            "Brass for the lamps",
            "The agent went with Brass for the lamps.",
        );
        check(
            "Done. I've decided to keep the logbook in the office.",
            "Keep the logbook in the office",
            "The agent decided to keep the logbook in the office.",
        );
        check(
            "I settled on a crew of 5 for the night ferry.",
            "Crew of 5 for the night ferry",
            "The agent settled on a crew of 5 for the night ferry.",
        );
        check(
            "I decided that the ferry carries one big crate.",
            "Ferry carries one big crate",
            "The agent decided that the ferry carries one big crate.",
        );
        check(
            "I set the colour of the pier lamps to amber.",
            "Colour of the pier lamps set to amber",
            "The agent set the colour of the pier lamps to amber.",
        );
        check(
            "I implemented the gate as a drawbridge that is raised at night.",
            "Gate implemented as a drawbridge that is raised at night",
            "The agent implemented the gate as a drawbridge that is raised at night.",
        );
        check(
            "I recommend and used Brass fittings for the lamp table.",
            "Brass fittings for the lamp table",
            "The agent used Brass fittings for the lamp table.",
        );
        check(
            "The lamps are put out after 90 minutes; I chose that as a sensible default.",
            "Lamps are put out after 90 minutes",
            "The lamps are put out after 90 minutes; the agent chose that.",
        );
        check(
            "For the lamps of the pier I pulled in Brass.",
            "Brass for the lamps of the pier",
            "The agent took Brass for the lamps of the pier.",
        );
        check(
            "I put the lamps of the pier at 40 watts.",
            "Lamps of the pier put at 40 watts",
            "The agent put the lamps of the pier at 40 watts.",
        );
        check(
            "Tide tables are printed at noon, I implemented it that way.",
            "Tide tables are printed at noon",
            "Tide tables are printed at noon; the agent chose that.",
        );
        check(
            "I set up the lamps of the pier with Brass.",
            "Lamps of the pier set up with Brass",
            "The agent set up the lamps of the pier with Brass.",
        );
        check(
            "I modelled the tides as a table per week; that is what the gate reads.",
            "Tides modelled as a table per week",
            "The agent modelled the tides as a table per week.",
        );
        check(
            "I put the names of the lamps into a chart in the office; I recommend keeping it there.",
            "Names of the lamps put into a chart in the office",
            "The agent put the names of the lamps into a chart in the office.",
        );
        check(
            "I keep the list of a ferry guest only in memory.",
            "List of a ferry guest kept only in memory",
            "The agent kept the list of a ferry guest only in memory.",
        );
        check(
            "The gate asks the tide gauge every 2 seconds; I chose polling to keep it simple.",
            "Gate asks the tide gauge every 2 seconds",
            "The gate asks the tide gauge every 2 seconds; the agent chose that.",
        );
        check(
            "The tide check sits in the gate, that is how I built it.",
            "Tide check sits in the gate",
            "The tide check sits in the gate; the agent chose that.",
        );
        check(
            "Delays of the gate are handled by a wrapper that I placed in the cellar.",
            "Delays of the gate are handled by a wrapper",
            "Delays of the gate are handled by a wrapper that the agent placed in the cellar.",
        );
        for said in [
            "The wrapper that I added to the gate.",
            "I keep this in mind.",
            "I keep looking at the lamps.",
            "I put the lamps of the pier back.",
            "I set it to amber.",
            "I used the ladder.",
            "I implemented this as you said.",
            "I built the gate, as agreed.",
            "I decided to look at the lamps first.",
            "I went with it.",
            "I picked up where you left off yesterday evening.",
            "Should I have decided to use Brass for the lamps?",
            "I oiled the lamps of the pier.",
        ] {
            assert_eq!(chosen(said), None, "{said}");
        }
    }
}
