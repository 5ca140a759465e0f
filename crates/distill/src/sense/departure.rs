//! Deviation within a session: what was agreed, and what the agent then did.

use lore_core::session::{Author, Channel, Outcome};
use lore_core::{Severity, SignalType};

use super::{Sensed, cues, cut, said};
use crate::extract::scene::{Scene, is_person};

/// Prose of an agent that is longer than so many characters is a report, which tells of much.
const REPORT: usize = 1500;
/// So many sentences are heard.
const HEARD: usize = 6;
/// Departures within so many records are one.
const NEAR: u32 = 8;

/// What a person may forbid and a command then does: the words of each.
const DEEDS: [(&str, &[&str], &[&str]); 6] = [
    ("amending a commit", &["amend"], &["--amend"]),
    ("stashing", &["stash"], &["git stash"]),
    ("pushing", &["push"], &["git push"]),
    ("committing", &["commit"], &["git commit"]),
    ("forcing a push", &["force push", "force-push"], &["push --force", "push -f", "--force-with-lease"]),
    ("leaving checks out", &["no-verify", "skip the hook", "bypass"], &["--no-verify"]),
];

/// Finds departures from what was agreed.
pub(super) fn departures(scene: &Scene<'_>) -> Vec<Sensed> {
    let mut found = announced(scene);
    found.extend(against_orders(scene));
    found.extend(around_checks(scene));
    found.sort_by_key(|signal| signal.line);
    let mut last: Option<u32> = None;
    found.retain(|signal| {
        let new = last.is_none_or(|last| signal.line.saturating_sub(last) > NEAR);
        if new {
            last = Some(signal.line);
        }
        new
    });
    found
}

/// Finds where the agent itself says that it leaves the plan.
fn announced(scene: &Scene<'_>) -> Vec<Sensed> {
    let mut found = Vec::new();
    for view in &scene.views {
        let turn = view.turn;
        if turn.author != Author::Agent || turn.channel != Channel::Reply {
            continue;
        }
        for block in turn.blocks.iter().filter(|block| block.text.len() <= REPORT) {
            let sentences = said::sentences(&block.text);
            let own = sentences.iter().take(HEARD).filter(|sentence| !sentence.ends_with('?'));
            let Some((sentence, words)) =
                own.filter_map(|sentence| Some((sentence, cues::find("departs", sentence)?))).next()
            else {
                continue;
            };
            let harm = cues::find("ruins", sentence).is_some();
            found.push(Sensed {
                line: block.line,
                at: turn.at,
                happened: sentence.clone(),
                context: "The agent said so itself while at work.".to_owned(),
                why: vec![format!("departs: “{}”", cut(words, 80))],
                subject: format!("departs {}", super::work::error_shape(&cut(sentence, 80))),
                ..Sensed::new(
                    SignalType::Deviation,
                    if harm { Severity::High } else { Severity::Medium },
                    cut(sentence.trim_end_matches('.'), 110),
                )
            });
        }
    }
    found
}

/// Finds commands that do what a person has forbidden in this session.
fn against_orders(scene: &Scene<'_>) -> Vec<Sensed> {
    let mut forbidden: Vec<usize> = Vec::new();
    let mut found = Vec::new();
    for view in &scene.views {
        if is_person(view.turn) {
            for sentence in said::sentences(&view.turn.text()) {
                let lower = sentence.to_lowercase();
                for (deed, (_, words, _)) in DEEDS.iter().enumerate() {
                    if !words.iter().any(|word| lower.contains(word)) {
                        continue;
                    }
                    // Who names it without forbidding it allows it again.
                    forbidden.retain(|known| *known != deed);
                    if forbids(&lower, words) {
                        forbidden.push(deed);
                    }
                }
            }
        }
        for call in view.turn.tool_calls.iter().filter(|call| call.outcome == Outcome::Done) {
            let Some(command) = &call.command else { continue };
            for (deed, (name, _, traces)) in DEEDS.iter().enumerate() {
                if forbidden.contains(&deed) && traces.iter().any(|trace| command.contains(trace)) {
                    forbidden.retain(|known| *known != deed);
                    found.push(Sensed {
                        line: call.line,
                        at: view.turn.at,
                        happened: format!("The person had forbidden {name}; the agent did it all the same."),
                        context: format!("It ran `{}`.", cut(&super::work::command_head(command), 80)),
                        why: vec![format!("{name} was forbidden earlier in the session")],
                        subject: format!("against orders {name}"),
                        command: Some(super::work::command_head(command)),
                        ..Sensed::new(
                            SignalType::Deviation,
                            Severity::High,
                            format!("Done although it was forbidden: {name}"),
                        )
                    });
                }
            }
        }
    }
    found
}

/// Tells whether a sentence forbids a deed altogether: "never push to main" forbids a way of doing it.
fn forbids(sentence: &str, words: &[&str]) -> bool {
    const QUALIFIERS: [&str; 16] = [
        "to", "on", "without", "until", "unless", "before", "if", "directly", "into", "with", "yet", "when",
        "through", "by", "back", "for",
    ];
    ["don't ", "do not ", "dont ", "never ", "stop ", "no more "].iter().any(|opening| {
        sentence.match_indices(opening).any(|(at, _)| {
            let rest = sentence[at + opening.len()..].trim_start_matches("ever ").trim_start_matches("just ");
            let named = words.iter().any(|word| rest.starts_with(word));
            named && !rest.split_whitespace().take(5).any(|word| QUALIFIERS.contains(&word))
        })
    })
}

/// Finds commits that leave the checks out, where nobody asked for that.
fn around_checks(scene: &Scene<'_>) -> Vec<Sensed> {
    let mut asked = false;
    let mut found = Vec::new();
    for view in &scene.views {
        if is_person(view.turn) {
            let text = view.turn.text().to_lowercase();
            asked |= text.contains("no-verify")
                || text.contains("skip the hook")
                || text.contains("without hooks");
        }
        for call in &view.turn.tool_calls {
            let Some(command) = &call.command else { continue };
            let words: Vec<&str> = command.split_whitespace().collect();
            let commits = words.windows(2).any(|two| matches!(two, ["git", "commit" | "push"]));
            if commits && !asked && words.contains(&"--no-verify") {
                found.push(Sensed {
                    line: call.line,
                    at: view.turn.at,
                    happened: "The agent committed or pushed without the checks of the repository."
                        .to_owned(),
                    context: "Nobody had asked for leaving them out.".to_owned(),
                    why: vec!["`--no-verify` without being asked".to_owned()],
                    subject: "around checks".to_owned(),
                    command: Some(super::work::command_head(command)),
                    ..Sensed::new(
                        SignalType::Deviation,
                        Severity::High,
                        "Checks were left out with --no-verify",
                    )
                });
            }
        }
    }
    found
}
