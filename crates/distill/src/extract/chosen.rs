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
    let found = CHOICE.captures(strip_openers(sentence).trim())?;
    let (verb, what) = (found["verb"].to_lowercase(), found["what"].trim());
    if !WORDS.contains(&what.split_whitespace().count()) || OF_THE_TALK.is_match(what) {
        return None;
    }
    let article = |what: &str| {
        let rest = ["a ", "an ", "the "].iter().find_map(|article| what.strip_prefix(article));
        capital(rest.unwrap_or(what))
    };
    let title = if verb.ends_with("against") { format!("Decided against {what}") } else { article(what) };
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
        for said in [
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
