//! Answers that an agent's own form records, with what each was offered with.

use lore_core::FormAnswer;

use super::alone::points_away;
use super::answer_title::{headed, title};
use super::cues::SpeechCue;
use super::heard::Mood;
use super::mood::hear;
use super::question::{
    asking_sentence, asks_of_the_moment, asks_what_was, is_no_choice, is_offer, is_unsure,
};
use super::reply::{SHORT_REPLY, ruling};
use super::{Language, Utterance};
use crate::extract::sentence::{plain, word_count};

/// Reads the answers that an agent's own form records.
pub(super) fn chosen(text: &str) -> Vec<Utterance> {
    let mut out = Vec::new();
    for recorded in FormAnswer::all_in(text) {
        let question = plain(recorded.question);
        let answer = plain(recorded.answer);
        let answer = answer.replace("(Recommended)", "").replace("(notes only)", "").trim().to_owned();
        let asked = asking_sentence(&question);
        if word_count(&answer) > 0
            && !is_offer(asked)
            && !asks_of_the_moment(asked)
            && !asks_what_was(asked)
            && !points_away(asked)
            && !is_unsure(&answer)
            && !is_no_choice(&answer)
            && !is_remark(&answer)
            && !answer.to_lowercase().starts_with("(no answer")
            && !answer.to_lowercase().contains("no answer provided")
        {
            out.push(told(recorded.heading, &question, &answer, text));
        }
    }
    out
}

/// "We already have a gangway, and it is wide": typed into the form, it says how things are and takes nothing.
fn is_remark(answer: &str) -> bool {
    let is_typed = !answer.contains(" (") && word_count(answer) > SHORT_REPLY;
    let heard = hear(answer, Language::of(answer));
    let is_told = matches!(heard.mood, Mood::Statement | Mood::Report | Mood::Question)
        || heard.mood == Mood::Practice && answer.to_lowercase().contains(" already ");
    is_typed && is_told && !heard.has(SpeechCue::Standing) && !heard.has(SpeechCue::Universal)
}

/// So much of what an option was offered with is kept beyond its first sentence, in characters: why it is so, and what it costs.
const OFFERED: usize = 240;

/// Parts a chosen option into its label and the first sentences of what it was offered with.
fn in_short(answer: &str) -> (String, String) {
    // "Both (of a kind) (one for each day)": the label may have brackets of its own.
    let parted = answer.split_once(") (").map(|(label, rest)| (format!("{label})"), rest));
    let Some((label, rest)) =
        parted.or_else(|| answer.split_once(" (").map(|(label, rest)| (label.trim().to_owned(), rest)))
    else {
        return (answer.to_owned(), answer.to_owned());
    };
    let (described, note) = rest.rsplit_once(')').unwrap_or((rest, ""));
    let mut kept = String::new();
    for sentence in described.split(". ") {
        if !kept.is_empty() && kept.chars().count() + sentence.chars().count() > OFFERED {
            break;
        }
        kept.push_str(if kept.is_empty() { "" } else { ". " });
        kept.push_str(sentence);
    }
    let kept = kept.trim_end_matches('.');
    let whole = match label.contains([':', '(']) || note.contains(char::is_alphanumeric) {
        true => format!("{label} ({kept}){note}"),
        false => format!("{label}: {kept}"),
    };
    (label, whole)
}

fn told(heading: Option<&str>, question: &str, answer: &str, quote: &str) -> Utterance {
    let (label, answer) = in_short(answer);
    let mut ruling = ruling(question, &answer, quote);
    let headed = heading.and_then(|heading| headed(heading, &label));
    ruling.title = headed.unwrap_or_else(|| title(question, &label, &answer));
    // A form records the question beside the answer.
    ruling.option = None;
    ruling.quote = quote.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    ruling
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_and_what_is_the_persons_decides_nothing() {
        let form = |question: &str| chosen(&format!("{question}\n→ The north pier"));
        assert_eq!(form("What is the address of your harbour office?"), []);
        assert_eq!(form("Which piers were closed in winter?"), []);
        assert_eq!(form("Where should ferries without a berth wait?").len(), 1);
    }

    #[test]
    fn remarks_and_the_plan_of_the_day_decide_nothing() {
        let form = |question: &str, answer: &str| chosen(&format!("{question}\n→ {answer}")).len();
        let berths = "How should we handle ferries that miss their berth?";
        assert_eq!(
            form(berths, "We already have a berth book, and the harbour master is writing a newer one"),
            0
        );
        assert_eq!(form(berths, "They always wait outside of the breakwater until the next bell rings"), 1);
        assert_eq!(form(berths, "Wait outside (They lie at anchor. The pilot calls them.)"), 1);
        assert_eq!(form("What would you like to repair today?", "The crane"), 0);
    }
}
