//! Prompts of every day through the hook: silence where nothing is needed, the one entry where it is.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::rows::{Kept, Known, Prompt, all};
use super::stage::Stage;
use super::tally::Tally;
use crate::context::Failure;

/// Makes the entries of a base that knows everything that must be kept.
pub(super) fn entries(kept: &[Kept]) -> Vec<Known> {
    let entry = |row: &Kept| {
        let (headline, opening) = match &row.asked {
            Some(asked) => {
                (format!("{}: {}", asked.trim_end_matches('?'), row.keep), format!("{asked} Answer: "))
            }
            None => (row.keep.clone(), String::new()),
        };
        let title: Vec<&str> = headline.split_whitespace().take(9).collect();
        Known { kind: row.kind.clone(), title: title.join(" "), text: format!("{opening}{}", row.keep) }
    };
    kept.iter().map(entry).collect()
}

/// Sends every prompt through the hook of an agent, each as a session of its own.
pub(super) fn everyday(
    stage: &Stage,
    prompts: &[Prompt],
    kept: &[Kept],
    tally: &mut Tally,
) -> Result<(), Failure> {
    stage.again()?;
    for row in prompts {
        let event = json!({
            "session_id": row.id, "hook_event_name": "UserPromptSubmit",
            "cwd": stage.project().display().to_string(), "prompt": row.prompt,
        });
        let said = stage.text(&["hook", "claude-code"], Some(&event.to_string()))?;
        let told = match serde_json::from_str::<Value>(&said) {
            Ok(json) => {
                json["hookSpecificOutput"]["additionalContext"].as_str().unwrap_or_default().to_owned()
            }
            Err(_) => said,
        };
        let given = given(&told, kept)?;
        count(row, &given, tally);
        tally.dump(json!({
            "set": "everyday", "id": row.id, "needs": row.needs, "got": given, "silent": told.trim().is_empty(),
        }));
    }
    Ok(())
}

/// Tells by its text which statements an agent was given.
fn given(told: &str, kept: &[Kept]) -> Result<BTreeSet<String>, Failure> {
    let mut out = BTreeSet::new();
    if told.trim().is_empty() {
        return Ok(out);
    }
    for row in kept {
        if all(&row.must, told)? {
            out.insert(row.id.clone());
        }
    }
    if out.is_empty() {
        out.insert("something else".to_owned());
    }
    Ok(out)
}

fn count(row: &Prompt, given: &BTreeSet<String>, tally: &mut Tally) {
    let others =
        given.iter().filter(|id| !row.tolerate.contains(id) && row.needs.as_ref() != Some(*id)).count();
    let Some(needed) = &row.needs else {
        tally.count("quiet_when_nothing_needed", others == 0);
        if others > 0 {
            let prompt: String = row.prompt.chars().take(50).collect();
            tally.note("noise_on", prompt);
        }
        return;
    };
    let right = given.contains(needed);
    tally.count("needed_entry_given", right);
    tally.count("exactly_that", right && others == 0);
    tally.add("others_per_prompt", others, 1);
    if row.hard {
        tally.count("hard", right);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::Cell;

    fn kept(id: &str, must: &str) -> Kept {
        let row = json!({
            "id": id, "said": "", "keep": "the kiln is fired on Fridays", "kind": "fact", "must": [must],
            "form": "fact", "lang": "en",
        });
        serde_json::from_value(row).expect("is a row")
    }

    #[test]
    fn what_was_given_is_told_by_its_text() {
        let known = [kept("kiln", "friday"), kept("glaze", "glaze")];
        let check = |told: &str, expected: &[&str]| {
            let given = given(told, &known).expect("has patterns");
            assert_eq!(given.iter().map(String::as_str).collect::<Vec<_>>(), expected);
        };
        check(" \n", &[]);
        check("the kiln is fired on Fridays", &["kiln"]);
        check("clay is wedged twice", &["something else"]);
    }

    #[test]
    fn silence_and_the_one_entry_count_and_more_does_not() {
        let check = |needs: Option<&str>, given: &[&str], expected: &[(&str, usize, usize)]| {
            let row: Prompt = serde_json::from_value(json!({
                "id": "x", "prompt": "p", "needs": needs, "tolerate": ["near"], "hard": true,
            }))
            .expect("is a row");
            let mut tally = Tally::default();
            count(&row, &given.iter().map(|id| (*id).to_owned()).collect(), &mut tally);
            for (figure, part, whole) in expected {
                assert_eq!(tally.cell(figure), Cell { part: *part, whole: *whole }, "{figure} {given:?}");
            }
        };
        check(None, &[], &[("quiet_when_nothing_needed", 1, 1)]);
        check(None, &["near"], &[("quiet_when_nothing_needed", 1, 1)]);
        check(None, &["kiln"], &[("quiet_when_nothing_needed", 0, 1)]);
        let all = |right, exact, others| {
            [
                ("needed_entry_given", right, 1),
                ("exactly_that", exact, 1),
                ("others_per_prompt", others, 1),
                ("hard", right, 1),
            ]
        };
        check(Some("kiln"), &["kiln", "near"], &all(1, 1, 0));
        check(Some("kiln"), &["kiln", "glaze"], &all(1, 0, 1));
        check(Some("kiln"), &[], &all(0, 0, 0));
    }

    #[test]
    fn an_answer_is_known_with_its_question() {
        let mut row = kept("kiln", "x");
        row.asked = Some("When is the kiln fired?".to_owned());
        row.keep = "Fridays".to_owned();
        let entry = entries(&[row]).remove(0);
        assert_eq!(entry.title, "When is the kiln fired: Fridays");
        assert_eq!(entry.text, "When is the kiln fired? Answer: Fridays");
    }
}
