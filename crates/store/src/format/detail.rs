//! What each kind adds to front matter, both ways.

use lore_core::{
    Alternative, Decision, Detail, Feedback, Kind, Lesson, LifecycleState, Pattern, PatternType, Resolution,
    Severity, Signal, SignalType, Spike, SpikeOutcome, SpikeState,
};

use super::encode::{Pairs, list, put, put_list, put_word};
use super::evidence::moment_node;
use super::fields::{Fields, strings, words};
use super::node::Node;

/// Takes the keys of a kind.
pub(super) fn read(fields: &mut Fields, kind: Kind) -> Detail {
    match kind {
        Kind::Decision => Detail::Decision(Decision {
            alternatives: alternatives(fields),
            review_date: fields.moment("review_date"),
        }),
        Kind::Resolution => Detail::Resolution(Resolution {
            issue_type: fields.text("issue_type"),
            root_cause: fields.text("root_cause"),
            time_to_resolve: fields.text("time_to_resolve"),
            agents_used: fields.list("agents_used"),
            tests_added: fields.list("tests_added"),
        }),
        Kind::Pattern => Detail::Pattern(Pattern {
            pattern_type: fields
                .word("pattern_type", PatternType::from_word, || words(PatternType::ALL, |word| word.word())),
        }),
        Kind::Feedback => {
            Detail::Feedback(Feedback { severity: severity(fields), category: fields.text("category") })
        }
        Kind::Signal => Detail::Signal(signal(fields)),
        Kind::Spike => Detail::Spike(Spike {
            question: fields.text("question"),
            alternatives: fields.list("alternatives"),
            constraint: fields.text("constraint"),
            scale: fields.text("scale"),
            simplest: fields.text("simplest"),
            criteria: fields.list("criteria"),
            conditions: fields.list("conditions"),
            rounds: fields.count("rounds"),
            asked_in: fields.text("asked_in"),
            hypothesis: fields.text("hypothesis"),
            outcome: fields
                .word("outcome", SpikeOutcome::from_word, || words(SpikeOutcome::ALL, |word| word.word())),
            state: fields.word("state", SpikeState::from_word, || words(SpikeState::ALL, |word| word.word())),
        }),
        Kind::Lesson => Detail::Lesson(Lesson {
            category: fields.text("category"),
            evidence_count: fields.count("evidence_count"),
            triggers: triggers(fields),
            confidence_log: fields.list("confidence_log"),
        }),
        Kind::Fact | Kind::Preference | Kind::Architecture | Kind::Limitation | Kind::Event => Detail::None,
    }
}

fn severity(fields: &mut Fields) -> Option<Severity> {
    fields.word("severity", Severity::from_word, || words(Severity::ALL, |word| word.word()))
}

/// Reads what shows a lesson unasked, one or several.
fn triggers(fields: &mut Fields) -> Vec<String> {
    let one = fields.text("trigger").filter(|trigger| !trigger.trim().is_empty());
    fields.list("triggers").into_iter().chain(one).collect()
}

fn signal(fields: &mut Fields) -> Signal {
    Signal {
        severity: severity(fields),
        signal_type: fields
            .word("signal_type", SignalType::from_word, || words(SignalType::ALL, |word| word.word())),
        polarity: fields.text("polarity"),
        phase: fields.text("phase"),
        plan: fields.text("plan"),
        detection_method: fields.text("detection_method"),
        subject: fields.text("subject"),
        command: fields.text("command"),
        error: fields.text("error"),
        lifecycle_state: fields
            .word(
                "lifecycle_state",
                |word| LifecycleState::from_word(&word.to_ascii_lowercase()),
                || words(&LifecycleState::ALL, |state| state.word()),
            )
            .unwrap_or_default(),
        lifecycle_log: fields.list("lifecycle_log"),
    }
}

fn alternatives(fields: &mut Fields) -> Vec<Alternative> {
    let Some((node, _)) = fields.take("alternatives") else { return Vec::new() };
    let items = match node {
        Node::List(items) => items,
        other => vec![other],
    };
    let read = |item: &Node| {
        let text = |key: &str| item.get(key).and_then(Node::text).map(|text| text.trim().to_owned());
        match text("option") {
            Some(option) => Some(Alternative { option, rejected_because: text("rejected_because") }),
            None => {
                let option = strings(std::slice::from_ref(item)).join(", ");
                (!option.is_empty()).then_some(Alternative { option, rejected_because: None })
            }
        }
    };
    items.iter().filter_map(read).collect()
}

/// Writes the keys of a kind.
pub(super) fn write(detail: &Detail, out: &mut Pairs) {
    match detail {
        Detail::None => {}
        Detail::Decision(decision) => {
            if !decision.alternatives.is_empty() {
                let items = decision.alternatives.iter().map(alternative_node).collect();
                out.push(("alternatives".into(), Node::List(items)));
            }
            if let Some(day) = decision.review_date {
                out.push(("review_date".into(), moment_node(day)));
            }
        }
        Detail::Resolution(resolution) => {
            put(out, "issue_type", resolution.issue_type.as_deref());
            put(out, "root_cause", resolution.root_cause.as_deref());
            put(out, "time_to_resolve", resolution.time_to_resolve.as_deref());
            put_list(out, "agents_used", &resolution.agents_used);
            put_list(out, "tests_added", &resolution.tests_added);
        }
        Detail::Pattern(pattern) => {
            put_word(out, "pattern_type", pattern.pattern_type.map(PatternType::word));
        }
        Detail::Feedback(feedback) => {
            put_word(out, "severity", feedback.severity.map(Severity::word));
            put(out, "category", feedback.category.as_deref());
        }
        Detail::Signal(signal) => write_signal(signal, out),
        Detail::Spike(spike) => {
            put(out, "question", spike.question.as_deref());
            put_list(out, "alternatives", &spike.alternatives);
            put(out, "constraint", spike.constraint.as_deref());
            put(out, "scale", spike.scale.as_deref());
            put(out, "simplest", spike.simplest.as_deref());
            put(out, "hypothesis", spike.hypothesis.as_deref());
            put_list(out, "criteria", &spike.criteria);
            put_list(out, "conditions", &spike.conditions);
            if let Some(rounds) = spike.rounds {
                out.push(("rounds".into(), Node::Plain(rounds.to_string())));
            }
            put(out, "asked_in", spike.asked_in.as_deref());
            put_word(out, "outcome", spike.outcome.map(SpikeOutcome::word));
            put_word(out, "state", spike.state.map(SpikeState::word));
        }
        Detail::Lesson(lesson) => {
            put(out, "category", lesson.category.as_deref());
            if let Some(count) = lesson.evidence_count {
                out.push(("evidence_count".into(), Node::Plain(count.to_string())));
            }
            put_list(out, "triggers", &lesson.triggers);
            put_list(out, "confidence_log", &lesson.confidence_log);
        }
    }
}

fn write_signal(signal: &Signal, out: &mut Pairs) {
    put_word(out, "severity", signal.severity.map(Severity::word));
    put_word(out, "signal_type", signal.signal_type.map(SignalType::word));
    put(out, "polarity", signal.polarity.as_deref());
    put(out, "phase", signal.phase.as_deref());
    put(out, "plan", signal.plan.as_deref());
    put(out, "detection_method", signal.detection_method.as_deref());
    put(out, "subject", signal.subject.as_deref());
    put(out, "command", signal.command.as_deref());
    put(out, "error", signal.error.as_deref());
    put_word(out, "lifecycle_state", Some(signal.lifecycle_state.word()));
    if !signal.lifecycle_log.is_empty() {
        out.push(("lifecycle_log".into(), list(&signal.lifecycle_log)));
    }
}

fn alternative_node(alternative: &Alternative) -> Node {
    let mut pairs = vec![("option".to_owned(), Node::Text(alternative.option.clone()))];
    if let Some(why) = &alternative.rejected_because {
        pairs.push(("rejected_because".to_owned(), Node::Text(why.clone())));
    }
    Node::Map(pairs)
}
