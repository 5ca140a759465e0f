//! What a prompt wants: a change, or only an answer.

/// Words that ask for a change.
const CHANGE: &str = "add|allow|apply|avoid|build|bump|change|cleanup|clean up|convert|create|delete|deploy|design|disable|drop|enable|extend|extract|finish|fix|get rid of|handle|implement|improve|install|integrate|introduce|let's|make|merge|migrate|modify|move|optimise|optimize|patch|plan|port|publish|push|refactor|release|remove|rename|replace|resolve|revert|rewrite|set up|setup|ship|simplify|split|support|switch|update|upgrade|use|wire|write";
/// Words with which a prompt begins that only asks.
const ONLY_ASKS: &str = "what|why|where|when|who|which|how does|how do|how did|how is|how are|how come|how many|how much|how long|is|are|was|were|does|did|do we|do you|do i|has|have|explain|describe|show|list|tell me|summarise|summarize|review|read|look at|find";

/// Tells whether a prompt asks for a change, not only for an answer.
pub fn asks_for_change(prompt: &str) -> bool {
    !only_asks(prompt) && words(prompt).any(|rest| begins_with(rest, CHANGE))
}

/// Tells whether a prompt wants to know something, and nothing else.
pub fn only_asks(prompt: &str) -> bool {
    let prompt = prompt.trim();
    let first = prompt.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let first = first.trim_start_matches(|c: char| !is_word(c));
    begins_with(first, ONLY_ASKS) && prompt.len() < 400
}

/// Tells whether a text begins with one of some phrases, whole and whatever the case. Compiling a pattern of
/// them (a regular expression) took longer than all else that a hook does with a prompt.
fn begins_with(text: &str, phrases: &str) -> bool {
    let is_there = |phrase: &str| {
        let head = text.as_bytes().get(..phrase.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(phrase.as_bytes()))
            && !text[phrase.len()..].starts_with(is_word)
    };
    let first = text.as_bytes().first().map(u8::to_ascii_lowercase);
    phrases.split('|').filter(|phrase| phrase.as_bytes().first().copied() == first).any(is_there)
}

/// Lists what is left of a text from each of its words on.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let mut before = false;
    text.char_indices().filter_map(move |(at, c)| {
        let begins = is_word(c) && !before;
        before = is_word(c);
        begins.then(|| &text[at..])
    })
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use regex::Regex;

    use super::*;

    /// The same as one pattern would say; it is only too slow to make for each prompt.
    fn by_pattern(prompt: &str) -> bool {
        let [asks, change] = [ONLY_ASKS, CHANGE].map(|phrases| phrases.replace(' ', "[ ]"));
        let asks = Regex::new(&format!(r"(?i)^\W*(?:{asks})\b")).unwrap();
        let change = Regex::new(&format!(r"(?i)\b(?:{change})\b")).unwrap();
        let prompt = prompt.trim();
        let first = prompt.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        !(asks.is_match(first) && prompt.len() < 400) && change.is_match(prompt)
    }

    proptest::proptest! {
        #[test]
        fn words_are_found_as_a_pattern_finds_them(
            parts in proptest::collection::vec(proptest::sample::select(vec![
                "add", "Adding", "reuse", "USE", "let's", "clean", "up", "cleanup", "how", "do", "we", "what", "is",
                "fix_it", "fix", "größe", "é", "-", "_", "'", "?", ".", " ", " ", " ", "\n", "«", "set", "get rid of",
            ]), 0..12),
        ) {
            let prompt = parts.concat();
            proptest::prop_assert_eq!(asks_for_change(&prompt), by_pattern(&prompt), "{:?}", prompt);
        }
    }

    #[test]
    fn wishes_are_told_from_questions() {
        let check = |prompt: &str, expected: bool| assert_eq!(asks_for_change(prompt), expected, "{prompt}");
        check("Add a --quiet flag to the export command", true);
        check("the login page crashes, please fix it", true);
        check("Can you rename the column?", true);
        check("What does the export command do?", false);
        check("why did you change the parser?", false);
        check("thanks", false);
    }
}
