//! What a signal says, sentence by sentence: list items are sentences too, and labels are not.

use std::sync::LazyLock;

use regex::Regex;

use super::Friction;
use super::remedy::{ADVISES, capital};
use crate::extract::sentence::{plain, sentences, word_count};

/// So many items of a list are told with the line that opens it.
const ITEMS: usize = 3;
/// And no more words than this.
const TOGETHER: usize = 56;

/// A line, the mark of a list item before it, and whether it is one.
static ITEM: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"^\s*(?:[-*+]|\(?\d{1,2}[.)])\s+(?:\[[ x]\]\s+)?").expect("a constant"));
/// A word or two before a colon that name what follows.
static LABEL: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:\*\*([^*]{2,70}?)[:.]?\*\*\s*(?:[:.—–]|--|-\s)?|([A-Z][\w-]*(?: [\w-]+){0,2}):)\s+")
        .expect("a constant")
});
/// A label that says: what follows is what to do.
static ASKS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(fix|fixes|remedy|remediation|mitigation|solution|workaround|recommend\w*|suggest\w*|action|convention needed|rule|prevention|improvement|next step|to do|todo)\b")
        .expect("a constant")
});

/// Says that it is nothing new, and then what.
static PATTERN: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:This|It) is (?:\w+ (?:latest|another) instance of )?(?:an?|the|another) (?:recurring|common|known|familiar|systemic|systematic) (?:pattern|problem|issue|theme)(?: where| in which| of|:| —| –| --) ")
        .expect("a constant")
});

/// Where in a signal a sentence stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    /// Under what is to be done, or after a label that says so.
    Remedy,
    /// Under what may be behind it.
    Cause,
    /// In what happened, or what was going on.
    Story,
}

/// A sentence of a signal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Said {
    pub(super) part: Part,
    pub(super) text: String,
    /// The line or list item it stands in.
    pub(super) line: usize,
}

/// Lists the sentences of a signal: what to do first, then causes, then what happened.
pub(super) fn said(signal: &Friction) -> Vec<Said> {
    let mut found = Vec::new();
    for (part, text) in [
        (Part::Remedy, &signal.remedy),
        (Part::Cause, &signal.cause),
        (Part::Story, &signal.happened),
        (Part::Story, &signal.context),
    ] {
        sentences_of(part, text, &mut found);
    }
    found
}

fn sentences_of(part: Part, text: &str, found: &mut Vec<Said>) {
    let mut lines = unwrapped(text).into_iter().peekable();
    while let Some(mut line) = lines.next() {
        if line.ends_with(':') {
            let mut items = Vec::new();
            while let Some(item) = lines.next_if(|next| next.is_empty() || ITEM.is_match(next)) {
                let item = ITEM.replace(&item, "").trim().trim_end_matches(['.', ';', ',']).to_owned();
                items.extend(Some(item).filter(|item| !item.is_empty()));
            }
            // Steps of one remedy are told together; otherwise the items speak for themselves.
            let together = format!("{} {}", line, items[..items.len().min(ITEMS)].join("; "));
            if ADVISES.is_match(&line) && word_count(&together) <= TOGETHER {
                line = together;
            } else {
                let part = if ASKS.is_match(&line) { Part::Remedy } else { part };
                for item in &items {
                    sentences_of(part, &format!("- {item}"), found);
                }
            }
        }
        let number = found.last().map_or(0, |last| last.line + 1);
        let is_item = ITEM.is_match(&line);
        let bare = ITEM.replace(&line, "");
        let bare = bare.trim_start_matches(['>', ' ']);
        let (part, bare) = without_label(part, bare);
        // What opens a list says nothing without it.
        for sentence in sentences(&bare).into_iter().filter(|sentence| !sentence.ends_with(':')) {
            let (part, sentence) = without_label(part, &PATTERN.replace(sentence, ""));
            let mut text = capital(&plain(&sentence));
            let ends = text.ends_with(['.', '!', '?', ':', '…', '"', '”']);
            if (is_item || part == Part::Remedy || text.contains(": ")) && !ends {
                text.push('.');
            }
            found.push(Said { part, text, line: number });
        }
    }
}

/// Joins lines that were broken for their length; tables and blocks of code are no sentences.
fn unwrapped(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut in_code = false;
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            in_code = !in_code;
            found.push(String::new());
            continue;
        }
        if in_code || line.trim_start().starts_with(['|', '#']) {
            continue;
        }
        let goes_on = !line.trim().is_empty() && !ITEM.is_match(line) && !line.starts_with(['*', '>']);
        match found.last_mut() {
            Some(last) if goes_on && !last.is_empty() && !last.ends_with(':') => {
                last.push(' ');
                last.push_str(line.trim());
            }
            _ => found.push(line.trim().to_owned()),
        }
    }
    found
}

/// Takes a label off, and heeds what it says of the rest.
fn without_label(part: Part, line: &str) -> (Part, String) {
    let Some(label) = LABEL.captures(line) else { return (part, line.to_owned()) };
    let rest = &line[label.get(0).map_or(0, |all| all.end())..];
    let name = label.get(1).or(label.get(2)).map_or("", |name| name.as_str());
    let asks = ASKS.is_match(name);
    // A name in bold that the sentence goes on with is no label.
    let stands_alone = rest.chars().next().is_some_and(|first| first.is_uppercase() || first == '`' || asks);
    if !stands_alone || rest.split_whitespace().count() < 4 {
        return (part, line.to_owned());
    }
    let mut letters = rest.chars();
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    (if asks { Part::Remedy } else { part }, first + letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::super::tests::friction;
    use super::*;

    fn heard(cause: &str) -> Vec<(Part, String)> {
        let signal = Friction { cause: cause.to_owned(), happened: String::new(), ..friction(1, "t", "p") };
        said(&signal).into_iter().map(|said| (said.part, said.text)).collect()
    }

    #[test]
    fn items_are_sentences_and_labels_are_not() {
        let said = heard(
            "1. **No checklist**: The mooring is treated as the end of the trip\n2. **Recommended fix**: Add a checklist to the logbook",
        );
        assert_eq!(
            said,
            [
                (Part::Cause, "The mooring is treated as the end of the trip.".to_owned()),
                (Part::Remedy, "Add a checklist to the logbook.".to_owned()),
            ]
        );
    }

    #[test]
    fn a_line_that_opens_a_list_is_told_with_it() {
        let said = heard("The winch should refuse to turn when:\n- the brake is on\n- the chain is locked.");
        let last = said.last().expect("the line with its items");
        assert_eq!(last.1, "The winch should refuse to turn when: the brake is on; the chain is locked.");
        assert_eq!(heard("It does not have a way to:"), []);
    }

    #[test]
    fn a_broken_line_is_one_sentence() {
        let said =
            heard("- There is no stop that blocks the winch\n  until the brake is off.\n- Nobody\n  looks.");
        assert_eq!(said[0].1, "There is no stop that blocks the winch until the brake is off.");
        assert_eq!(heard("```\nshould not be read\n```\n| a | should |"), []);
    }

    #[test]
    fn that_it_is_nothing_new_is_not_told_with_it() {
        let said = heard("This is the latest instance of a recurring pattern where mates forget the lock.");
        assert_eq!(said[0].1, "Mates forget the lock.");
    }

    #[test]
    fn a_fix_in_a_sentence_is_heeded() {
        let said = heard("The chain slips. Fix: the winch should lock it before the engine stops.");
        assert_eq!(said[1], (Part::Remedy, "The winch should lock it before the engine stops.".to_owned()));
    }
}
