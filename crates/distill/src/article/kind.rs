//! What sort of page a sentence makes, where its form says so beyond doubt: who has something in charge and in which state
//! something is are no rules that people set.

use std::sync::LazyLock;

use lore_core::Kind;
use regex::Regex;

use crate::ruling::carries_a_rule;

/// Who has something in charge, seen from either side.
static IN_CHARGE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)^[^,;:]{2,60}?\s(?:
            (?:also\s|now\s|still\s)?(?:owns|own|looks\safter|takes\scare\sof)
            |(?:is|are)\s(?:now\s|still\s|also\s)?(?:the\sowners?\sof|in\scharge\sof|responsible\sfor|accountable\sfor|owned\sby|maintained\sby|looked\safter\sby)
            |(?:ist|sind)\s(?:jetzt\s|nun\s|auch\s)?(?:zuständig|verantwortlich)\sfür
            |gehört
        )\s\S",
    )
    .expect("the pattern is a constant")
});

/// The state that something is in, and whether that is a limit to whoever works with it.
static STATE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"(?ix)^[^,;:]{2,80}?\s(?:is|are)\s(?:now\s|still\s|already\s)?(?:
            (?P<limit>read[-\s]?only|write[-\s]?only|immutable|unavailable|invalid|invisible)
            |available|valid|visible|empty
        )\b[^,;:]{0,40}$",
    )
    .expect("the pattern is a constant")
});

/// Words of whoever speaks or is spoken to: what they are to do is a rule, however it is put.
const PERSONS: [&str; 9] = ["i", "we", "you", "please", "let", "make", "keep", "ensure", "if"];

/// Returns the kind of a sentence that was heard as some kind.
pub fn kind_by_form(kind: Kind, text: &str) -> Kind {
    let sentence = text.trim().trim_end_matches(['.', '!']);
    let opening = sentence.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_lowercase();
    let is_taken_for_a_rule = matches!(kind, Kind::Preference | Kind::Limitation);
    if !is_taken_for_a_rule || PERSONS.contains(&opening.as_str()) || carries_a_rule(text) {
        return kind;
    }
    if IN_CHARGE.is_match(sentence) {
        return Kind::Fact;
    }
    match STATE.captures(sentence) {
        Some(state) if state.name("limit").is_some() => Kind::Limitation,
        Some(_) => Kind::Fact,
        None => kind,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_it_and_how_it_stands_are_no_rules() {
        let check = |text: &str, expected: Kind| {
            assert_eq!(kind_by_form(Kind::Preference, text), expected, "{text}");
        };
        check("Prof. Abara owns the bell tower.", Kind::Fact);
        check("The bell tower is now owned by Prof. Abara", Kind::Fact);
        check("Mrs. Quist is in charge of the ticket office.", Kind::Fact);
        check("Frau Quist ist zuständig für die Kasse.", Kind::Fact);
        check("Log books older than 7 years are read only.", Kind::Limitation);
        check("Log books older than 7 years are read-only", Kind::Limitation);
        check("The old charts are still available in the archive.", Kind::Fact);
        check("Log books must always be read only.", Kind::Preference);
        check("Each boat owns its ropes, never borrow one.", Kind::Preference);
        check("Keep log books read only", Kind::Preference);
        check("Log books are written in ink.", Kind::Preference);
        check("We own the bell tower code review.", Kind::Preference);
        assert_eq!(kind_by_form(Kind::Decision, "Prof. Abara owns the bell tower."), Kind::Decision);
    }
}
