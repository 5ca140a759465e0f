//! A signal in few words for somebody who is to tell its lesson: what happened, why, and above all what to do.

use std::collections::BTreeSet;

use super::Friction;
use super::remedy::asks;
use super::said::{Part, Said, said};
use crate::extract::sentence::word_count;

/// Fewer words of a sentence say nothing by themselves.
const FEWEST: usize = 3;

/// Tells a signal in about so many characters: the sentences that count most, in the order they stand in.
pub(crate) fn gist(signal: &Friction, most: usize) -> String {
    let mut seen = BTreeSet::new();
    let mut sentences: Vec<Said> =
        said(signal).into_iter().filter(|said| word_count(&said.text) >= FEWEST).collect();
    sentences.retain(|said| seen.insert(said.text.clone()));
    let first = sentences.iter().position(|said| said.part == Part::Story);
    let weight = |at: usize, said: &Said| match said.part {
        _ if first == Some(at) => 0,
        _ if asks(said) => 1,
        Part::Remedy => 2,
        Part::Cause => 3,
        Part::Story => 4,
    };
    let mut order: Vec<usize> = (0..sentences.len()).collect();
    order.sort_by_key(|at| (weight(*at, &sentences[*at]), *at));
    let mut kept: BTreeSet<usize> = BTreeSet::new();
    let mut length = signal.title.chars().count();
    for at in order {
        let more = sentences[at].text.chars().count() + 1;
        if length + more <= most || kept.is_empty() {
            length += more;
            kept.insert(at);
        }
    }
    let mut out = format!("{}.", signal.title.trim_end_matches('.'));
    for part in [Part::Story, Part::Cause, Part::Remedy] {
        for at in kept.iter().filter(|at| sentences[**at].part == part) {
            out.push(' ');
            let text = sentences[*at].text.as_str();
            out.push_str(text);
            out.push_str(if text.ends_with(['.', '!', '?', '"', '”', ')']) { "" } else { "." });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::tests::friction;
    use super::*;

    #[test]
    fn what_to_do_is_told_whatever_else_is_left_out() {
        let signal = Friction {
            happened: format!("The chain slipped at night. {}", "Then the boat drifted a little. ".repeat(9)),
            cause: "The brake was wet. The winch has no guard against rain.".to_owned(),
            remedy: "- Cover the winch after mooring".to_owned(),
            ..friction(1, "The chain slips", "1")
        };
        assert_eq!(
            gist(&signal, 150),
            "The chain slips. The chain slipped at night. The brake was wet. The winch has no guard against rain. Cover the winch after mooring."
        );
        let short = gist(&signal, 80);
        assert!(short.contains("Cover the winch") && !short.contains("drifted"), "{short}");
    }
}
