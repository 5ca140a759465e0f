//! Words a lesson out of its signals' own sentences: the most central tells it, whoever says what to do
//! about it recommends.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use lore_core::SignalType;
use regex::Regex;

use super::likeness::Likeness;
use super::weigh::Weighed;
use super::{Friction, Insight};
use crate::extract::sentence::{plain, sentences, word_count};
use crate::extract::terms::{overlap, terms};

/// Most subject words of a lesson.
const SUBJECTS: usize = 5;
/// Most triggers of a lesson.
const TRIGGERS: usize = 4;
/// A recommendation of fewer or more words is none.
const ADVICE: std::ops::RangeInclusive<usize> = 6..=48;

static ADVISES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(should( not)?|must( not)?|needs? to|ought to|have to|has to|instead of|rather than|could be (prevented|avoided|caught|fixed)|would (prevent|avoid|catch|fix)|the fix (is|would be)|fix:|prevent\w* by|require[sd]?|enforce[sd]?|add an?\b|always|never|before (merging|committing|releasing|pushing|executing|planning))\b")
        .expect("the pattern is a constant")
});
static EXPLAINS: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)\b(because|root cause|since|due to|no (check|gate|rule|mechanism|guard|step|test|enforcement|validation)|lacks?|lacking|missing|without|there is no|does not|doesn't|did not|never|not (checked|enforced|verified|automated|validated))\b")
        .expect("the pattern is a constant")
});
/// Words of each category, for telling what a lesson is about.
const CATEGORIES: [(&str, &[&str]); 6] = [
    (
        "testing",
        &[
            "test",
            "tests",
            "tdd",
            "coverage",
            "flaky",
            "suite",
            "assert",
            "fixture",
            "mock",
            "ci",
            "verification",
        ],
    ),
    (
        "environment",
        &[
            "install",
            "installer",
            "path",
            "node",
            "env",
            "docker",
            "permission",
            "machine",
            "version",
            "shell",
            "credential",
            "token",
            "runtime",
            "profile",
        ],
    ),
    (
        "tooling",
        &[
            "script", "cli", "hook", "sensor", "tool", "lint", "linter", "command", "editor", "build",
            "workflow", "template",
        ],
    ),
    (
        "external",
        &["api", "upstream", "network", "provider", "fork", "rate", "remote", "npm", "github", "service"],
    ),
    (
        "architecture",
        &[
            "schema",
            "module",
            "dependency",
            "import",
            "design",
            "interface",
            "migration",
            "contract",
            "refactor",
            "cycle",
            "data",
        ],
    ),
    (
        "workflow",
        &[
            "plan",
            "scope",
            "commit",
            "branch",
            "review",
            "merge",
            "release",
            "deviation",
            "phase",
            "handoff",
            "cleanup",
            "summary",
            "declared",
            "approval",
        ],
    ),
];

/// Words a group.
pub(super) fn worded(
    signals: &[Friction],
    likeness: &Likeness,
    group: &[usize],
    weighed: &Weighed,
) -> Insight {
    let mut central: Vec<usize> = group.to_vec();
    central
        .sort_by(|a, b| likeness.to_group(*b, group).total_cmp(&likeness.to_group(*a, group)).then(a.cmp(b)));
    let subjects = likeness.subjects(group, SUBJECTS);
    let heart = &signals[central[0]];
    let positive = group.iter().all(|at| signals[*at].positive);
    let ordered: Vec<&Friction> = central.iter().map(|at| &signals[*at]).collect();
    let title = title(heart);
    let cause = sentence_of(&ordered, &EXPLAINS, &subjects);
    let advice = sentence_of(&ordered, &ADVISES, &subjects);
    let seen = format!("seen {} times in {} places", group.len(), weighed.places);
    let lesson = match &cause {
        Some(cause) if !positive => format!("{title} ({seen}): {}", lower_first(cause)),
        _ if positive => format!("{title}: it went well {} times in {} places.", group.len(), weighed.places),
        _ => format!("{title} ({seen})."),
    };
    let recommendation = match advice {
        Some(advice) => advice,
        None if positive => format!("Keep doing it: {}", lower_first(&first_sentence(&heart.happened))),
        None => fallback(heart, &subjects, cause.as_deref()),
    };
    Insight {
        lesson,
        applies: applies(&ordered, &subjects),
        recommendation,
        category: category(&ordered, &subjects),
        confidence: weighed.confidence,
        tags: subjects.iter().map(|word| lore_core::slug(word)).filter(|tag| tag.len() > 2).collect(),
        triggers: triggers(&ordered),
        evidence: group.to_vec(),
        against: weighed.against.clone(),
        places: weighed.places,
        severity: weighed.severity,
        positive,
        title,
    }
}

/// Takes numbers of plans and phases off a title, so that it can stand for more than one occasion.
fn title(heart: &Friction) -> String {
    static OCCASION: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)\b(?:in |during |for |of |after |on )?(?:the )?(?:plan|phase|wave|task)s?[ -]?\d[\d.a-z-]*(?:\s+(?:and|task|plan)\s+[\d.-]+)*|\bphase\d+\b|\bplan\d+\b|^(?:\d[\d.-]*\s+)+|\s+\d+(?:\s\d+)+$")
            .expect("the pattern is a constant")
    });
    let plain = OCCASION.replace_all(heart.title.trim(), " ");
    let words: Vec<&str> = plain.split_whitespace().collect();
    let text = words.join(" ").trim_matches([' ', ':', '-', ',', '—']).to_owned();
    let text = if word_count(&text) >= 3 { text } else { heart.title.trim().to_owned() };
    let mut letters = text.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string()).unwrap_or_default();
    first + letters.as_str()
}

/// Finds the sentence of a kind that says most about the subjects, of the most central signals first.
fn sentence_of(ordered: &[&Friction], pattern: &Regex, subjects: &[String]) -> Option<String> {
    let wanted = terms(&subjects.join(" "));
    let mut best: Option<(f64, String)> = None;
    for (place, signal) in ordered.iter().enumerate() {
        for text in [&signal.cause, &signal.happened] {
            for line in text.lines() {
                for sentence in sentences(line) {
                    let sentence = plain(sentence.trim_start_matches(['-', '*', '>', ' ']));
                    let sentence = sentence
                        .trim()
                        .trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | ' '))
                        .to_owned();
                    let words = word_count(&sentence);
                    if !ADVICE.contains(&words)
                        || !sentence.ends_with(['.', '!'])
                        || !pattern.is_match(&sentence)
                    {
                        continue;
                    }
                    // A sentence about one commit or one line is no advice for the next time.
                    let is_local = sentence.matches('`').count() > 6 || sentence.contains("http");
                    #[allow(clippy::cast_precision_loss, reason = "groups are small")]
                    let score = overlap(&terms(&sentence), &wanted)
                        - 0.04 * place as f64
                        - if is_local { 0.3 } else { 0.0 }
                        - if words > 34 { 0.1 } else { 0.0 };
                    if best.as_ref().is_none_or(|(known, _)| score > *known) {
                        best = Some((score, sentence));
                    }
                }
            }
        }
    }
    best.map(|(_, sentence)| sentence)
}

fn fallback(heart: &Friction, subjects: &[String], cause: Option<&str>) -> String {
    match (&heart.command, &heart.error, cause) {
        (Some(command), Some(error), _) => {
            format!("Before running `{command}` again, deal with what it said: {error}")
        }
        (_, _, Some(cause)) => format!("Look for this before going on: {}", lower_first(cause)),
        _ => format!(
            "When {} comes up, look at the evidence below before doing the same again.",
            subjects.iter().take(3).cloned().collect::<Vec<_>>().join(", ")
        ),
    }
}

fn applies(ordered: &[&Friction], subjects: &[String]) -> String {
    let mut parts = Vec::new();
    let about = subjects.iter().take(4).cloned().collect::<Vec<_>>().join(", ");
    if !about.is_empty() {
        parts.push(format!("Work that has to do with {about}."));
    }
    let commands: BTreeSet<&str> = ordered.iter().filter_map(|one| one.command.as_deref()).collect();
    if !commands.is_empty() {
        let named: Vec<String> = commands.into_iter().take(3).map(|command| format!("`{command}`")).collect();
        parts.push(format!("Before running {}.", named.join(", ")));
    }
    let files: BTreeSet<&str> = ordered.iter().flat_map(|one| &one.files).map(String::as_str).collect();
    if !files.is_empty() {
        let named: Vec<String> = files.into_iter().take(3).map(|file| format!("`{file}`")).collect();
        parts.push(format!("When changing {}.", named.join(", ")));
    }
    parts.join(" ")
}

fn category(ordered: &[&Friction], subjects: &[String]) -> &'static str {
    if ordered.iter().filter(|one| one.signal_type == Some(SignalType::Config)).count() * 2 > ordered.len() {
        return "environment";
    }
    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    let told: Vec<String> =
        ordered.iter().map(|one| format!("{} {}", one.title, one.tags.join(" ").replace('-', " "))).collect();
    let told = told.join(" ");
    let own = crate::extract::sentence::words(&told).map(|word| (word, 1));
    let words = subjects.iter().map(|word| (word.to_lowercase(), 3)).chain(own);
    for (word, weight) in words {
        for (name, known) in CATEGORIES {
            if known.contains(&word.as_str()) {
                *counts.entry(name).or_default() += weight;
            }
        }
    }
    let order = |name: &str| CATEGORIES.iter().position(|(own, _)| *own == name).unwrap_or(0);
    counts.into_iter().max_by_key(|(name, count)| (*count, order(name))).map_or("workflow", |(name, _)| name)
}

/// Lists the conditions under which the lesson should speak by itself: errors and commands that recurred.
fn triggers(ordered: &[&Friction]) -> Vec<String> {
    let mut counts: BTreeMap<String, u32> = BTreeMap::new();
    for one in ordered {
        let own = [
            one.error.as_deref().and_then(lore_core::trigger::of_error),
            one.command.as_deref().and_then(lore_core::trigger::of_command),
        ];
        for trigger in own.into_iter().flatten() {
            *counts.entry(trigger).or_default() += one.times.max(1);
        }
    }
    let mut found: Vec<(String, u32)> = counts.into_iter().filter(|(_, times)| *times > 1).collect();
    // An error says more than the command that ended with it.
    found.sort_by(|a, b| {
        (b.0.starts_with("error"), b.1).cmp(&(a.0.starts_with("error"), a.1)).then(a.0.cmp(&b.0))
    });
    let has_error = found.iter().any(|(trigger, _)| trigger.starts_with("error"));
    found.retain(|(trigger, _)| !has_error || trigger.starts_with("error"));
    found.into_iter().take(TRIGGERS).map(|(trigger, _)| trigger).collect()
}

fn first_sentence(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    plain(sentences(line).first().copied().unwrap_or(line))
}

/// Writes the first letter small, unless the first word is a name.
fn lower_first(text: &str) -> String {
    let first = text.split_whitespace().next().unwrap_or_default();
    let is_word = first.chars().skip(1).all(|c| c.is_lowercase() || !c.is_alphabetic());
    let mut letters = text.chars();
    match letters.next() {
        Some(letter) if is_word && first.len() > 1 => {
            letter.to_lowercase().collect::<String>() + letters.as_str()
        }
        _ => text.to_owned(),
    }
}
