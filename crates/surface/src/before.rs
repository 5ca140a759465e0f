//! What stood before what holds now, where a question asks for it: how it was, and why it was so.

use lore_core::{Article, Entry, LinkKind, Status};

use crate::answer::Quote;
use crate::evidence::voice_of;
use crate::filter::LookUp;
use crate::reader::{SearchError, Snapshot};
use crate::wording::{Sort, asked, offers};

/// A lead has so many lines.
const LINES: usize = 3;

/// What a question wants to know of the past.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Past {
    /// How it was before.
    Before,
    /// Why it is so, which may have been said of what stood before.
    Reason,
}

impl Past {
    /// Reads a question.
    pub(crate) fn of(question: &str) -> Option<Past> {
        const BEFORE: [&str; 8] = [
            "previously",
            "formerly",
            "beforehand",
            "vorher",
            "früher",
            "zuvor",
            "auparavant",
            "anteriormente",
        ];
        let lower = question.to_lowercase();
        let words: Vec<&str> =
            lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        let ends = words.last().is_some_and(|last| matches!(*last, "before" | "earlier"));
        // "What happens before a release?" asks for something else.
        let until_now = words.windows(2).any(|two| {
            matches!(two, ["used", "to"] | ["before" | "until", "now" | "that"] | ["previous" | "former", _])
        });
        if ends || until_now || words.iter().any(|word| BEFORE.contains(word)) {
            Some(Past::Before)
        } else {
            asked(question).contains(&Sort::Reason).then_some(Past::Reason)
        }
    }

    /// Returns what an entry said once that tells it.
    fn told_by(self, entry: &Entry) -> Option<String> {
        let article = Article::parse(&entry.body);
        let ended = entry.status == Status::Superseded;
        let mut once = article.claims().filter(|claim| ended && claim.is_current()).chain(&article.history);
        let tells = |text: &str| self == Past::Before || offers(text, Sort::Reason);
        // A section of reasons has them in whatever words.
        let why = article.why.first().filter(|_| self == Past::Reason && ended);
        why.or_else(|| once.find(|claim| tells(&claim.text))).map(|claim| claim.text.replace('\n', " "))
    }
}

/// Puts what stood before beside the line that answers, marked as what it is, where the question asks for it and
/// nothing that is told says it.
pub(crate) fn with_what_was(
    snapshot: &Snapshot<'_>,
    mut lead: Vec<Quote>,
    question: &str,
) -> Result<Vec<Quote>, SearchError> {
    let Some(past) = Past::of(question) else { return Ok(lead) };
    let is_told = |quote: &Quote| match past {
        Past::Before => matches!(quote.status.as_str(), "superseded" | "outdated"),
        Past::Reason => offers(&quote.text, Sort::Reason),
    };
    if lead.iter().any(is_told) {
        return Ok(lead);
    }
    for at in 0..lead.len() {
        let Some(card) = snapshot.card(&lead[at].source)?.filter(|_| lead[at].level == "entry") else {
            continue;
        };
        let mut pages = vec![card.entry.clone()];
        for name in card.entry.linked(LinkKind::Supersedes) {
            pages.extend(snapshot.card(name)?.map(|card| card.entry));
        }
        let by = LookUp::LinksTo(card.entry.id.to_string());
        let replaced =
            |entry: &Entry| entry.linked(LinkKind::SupersededBy).any(|name| name == card.entry.id.as_str());
        pages.extend(snapshot.find(&[by])?.into_iter().map(|card| card.entry).filter(replaced));
        let Some((entry, text)) = pages.iter().find_map(|entry| Some((entry, past.told_by(entry)?))) else {
            continue;
        };
        let was = Quote {
            text,
            status: Status::Superseded.word().to_owned(),
            unreviewed: entry.is_unreviewed(),
            source: entry.id.to_string(),
            voice: voice_of(entry),
            at: entry.created,
            ..lead[at].clone()
        };
        lead.insert(at + 1, was);
        lead.truncate(LINES);
        return Ok(lead);
    }
    Ok(lead)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_about_the_past_are_told_from_those_about_an_order() {
        let check =
            |question: &str, expected: Option<Past>| assert_eq!(Past::of(question), expected, "{question}");
        check("who kept the lighthouse before?", Some(Past::Before));
        check("What did the lamp use previously?", Some(Past::Before));
        check("which oil was used before that?", Some(Past::Before));
        check("who was the former keeper?", Some(Past::Before));
        check("why do we burn whale oil?", Some(Past::Reason));
        check("what is checked before a storm?", None);
        check("who keeps the lighthouse?", None);
    }
}
