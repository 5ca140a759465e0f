//! Config: something ran with other settings than configured, or could not run with those it had.

use std::collections::{BTreeMap, BTreeSet};

use lore_core::session::{Author, Channel};
use lore_core::{Severity, SignalType};

use super::work::{error_shape, failed};
use super::{Sensed, cues, cut, said};
use crate::extract::scene::Scene;

/// Prose of an agent that is longer than so many characters is a report, which tells of much.
const REPORT: usize = 1500;
const HEARD: usize = 6;
/// The same mismatch is told once.
const SAME: usize = 60;
/// From this share of an agent's messages on, it is the model that ran.
const MOSTLY: f64 = 0.5;

/// What the project says should run, as far as it says so.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Configured {
    /// Names of models any of which is right, such as `opus`; none where nothing is said.
    pub models: Vec<String>,
    /// Where that is said.
    pub place: String,
}

impl Configured {
    /// Reads `.planning/config.json` of a GSD project: a profile stands for the models that may run.
    pub fn of_plan(text: &str) -> Configured {
        let value: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
        let profile = value.get("model_profile").and_then(serde_json::Value::as_str).unwrap_or_default();
        let models: &[&str] = match profile {
            "quality" => &["opus"],
            "balanced" => &["opus", "sonnet"],
            "budget" => &["sonnet", "haiku"],
            _ => &[],
        };
        let models = models.iter().map(|model| (*model).to_owned()).collect();
        Configured { models, place: format!(".planning/config.json (model_profile {profile})") }
    }

    /// Reads the settings of an agent: `model` names the one that is to run.
    pub fn of_agent(text: &str, place: &str) -> Configured {
        let value: serde_json::Value = serde_json::from_str(text).unwrap_or_default();
        let model = value.get("model").and_then(serde_json::Value::as_str).map(str::to_lowercase);
        let models = model.into_iter().filter(|model| model != "default").collect();
        Configured { models, place: format!("{place} (model)") }
    }
}

/// Finds what ran against the settings, and settings that stopped the work.
pub(super) fn mismatches(scene: &Scene<'_>, configured: &Configured) -> Vec<Sensed> {
    let mut found: Vec<Sensed> = other_model(scene, configured).into_iter().collect();
    let mut failures: BTreeSet<String> = BTreeSet::new();
    let mut add = |signal: Sensed| {
        if !found.iter().any(|known| known.subject == signal.subject) {
            found.push(signal);
        }
    };
    for view in &scene.views {
        let turn = view.turn;
        let speaks = turn.author == Author::Agent && turn.channel == Channel::Reply
            || turn.author == Author::System && turn.channel == Channel::Notice;
        for block in turn.blocks.iter().filter(|block| speaks && block.text.len() <= REPORT) {
            let sentences = said::sentences(&block.text);
            let heard = sentences.iter().take(HEARD).filter(|sentence| !sentence.ends_with('?'));
            for (sentence, words) in heard.filter_map(|one| Some((one, cues::find("misconfigured", one)?))) {
                // What stops every run is worse than what one can work around.
                let stops = turn.channel == Channel::Notice || block.text.len() < 300 && sentences.len() == 1;
                let severity = if stops { Severity::High } else { Severity::Medium };
                add(trouble((block.line, turn.at), severity, sentence, words));
            }
        }
        for call in turn.tool_calls.iter().filter(|call| failed(call)) {
            let mut lines = call.output.lines().map(str::trim).filter(|line| line.len() < 300);
            if let Some((line, words)) =
                lines.find_map(|line| Some((line, cues::find("misconfigured", line)?)))
            {
                let mut signal = trouble((call.line, turn.at), Severity::Low, line, words);
                // Once is a slip of the agent's; what comes again is how things are set up.
                if failures.insert(signal.subject.clone()) {
                    continue;
                }
                signal.command = call.command.as_deref().map(super::work::command_head);
                signal.error = Some(cut(line, 160));
                add(signal);
            }
        }
    }
    found
}

fn trouble(
    (line, at): (u32, Option<jiff::Timestamp>),
    severity: Severity,
    sentence: &str,
    words: &str,
) -> Sensed {
    Sensed {
        line,
        at,
        happened: cut(sentence, 300),
        context: "The settings or the environment stood in the way of the work.".to_owned(),
        why: vec![format!("misconfigured: “{}”", cut(words, 80))],
        subject: format!("config {}", cut(&error_shape(sentence), SAME)),
        ..Sensed::new(SignalType::Config, severity, cut(sentence.trim_end_matches('.'), 110))
    }
}

/// Compares the model that wrote most of a session with the one that was to.
fn other_model(scene: &Scene<'_>, configured: &Configured) -> Option<Sensed> {
    if configured.models.is_empty() {
        return None;
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for model in scene.views.iter().filter_map(|view| view.turn.model.as_deref()) {
        *counts.entry(model).or_default() += 1;
    }
    let total: usize = counts.values().sum();
    let (ran, times) = counts.into_iter().max_by_key(|(_, times)| *times)?;
    let fits = configured.models.iter().any(|model| ran.to_lowercase().contains(model.as_str()));
    if fits || crate::extract::terms::ratio(times, total) < MOSTLY || !ran.contains(char::is_alphabetic) {
        return None;
    }
    let first = scene.views.iter().find(|view| view.turn.model.as_deref() == Some(ran))?;
    let wanted = configured.models.join(" or ");
    Some(Sensed {
        line: first.turn.line(),
        at: first.turn.at,
        happened: format!(
            "`{ran}` wrote {times} of {total} messages; {} asks for {wanted}.",
            configured.place
        ),
        context: "The model that ran was not the one that was configured.".to_owned(),
        cause: Some("The setting was changed, overruled for this session, or never taken up.".to_owned()),
        why: vec![format!("{ran} is none of {wanted}")],
        subject: format!("config model {ran}"),
        ..Sensed::new(
            SignalType::Config,
            Severity::High,
            format!("`{ran}` ran where {wanted} was configured"),
        )
    })
}
