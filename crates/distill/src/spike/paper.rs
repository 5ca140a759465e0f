//! The papers of a spike as people read them. `DECISION.md` is written from `spike.md` and the
//! measurements; nothing of it is read back.

use std::fmt::Write as _;

use lore_core::{Entry, Spike, SpikeOutcome};

use super::decide::interval;
use super::{Decided, ENOUGH, Measured, how_often};

/// Quotes a text as a value of front matter.
fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_else(|_| "\"\"".to_owned())
}

fn front(what: &str, entry: &Entry) -> String {
    let name = what.strip_prefix("spike-").unwrap_or(what);
    let name: String =
        name.chars().take(1).flat_map(char::to_uppercase).chain(name.chars().skip(1)).collect();
    format!(
        "---\ntype: {what}\ntitle: {}\nspike: {}\n---\n\n",
        quoted(&format!("{name}: {}", entry.title)),
        entry.id
    )
}

/// Writes the page of the spike itself, below its front matter.
pub fn page(entry: &Entry, spike: &Spike, answer: Option<&str>) -> String {
    let mut out = format!("# {}\n\n", entry.title);
    match answer {
        Some(answer) => {
            let _ = writeln!(out, "{answer}\n");
        }
        None => out.push_str("Not answered yet.\n\n"),
    }
    let _ = writeln!(out, "## Question\n\n{}\n", spike.question.as_deref().unwrap_or(&entry.title));
    if !spike.alternatives.is_empty() {
        out.push_str("## Alternatives\n\n");
        for name in &spike.alternatives {
            let simplest = spike.simplest.as_deref() == Some(name);
            let _ = writeln!(
                out,
                "- {name}{}",
                if simplest { " (the simplest: taken where the numbers do not say)" } else { "" }
            );
        }
        out.push('\n');
    }
    out.push_str("## Papers\n\n");
    for (file, what) in [
        ("HYPOTHESIS.md", "what is supposed, and why it matters"),
        ("EXPERIMENT.md", "what is run, and within which limits"),
    ] {
        let _ = writeln!(out, "- [{file}]({file}): {what}");
    }
    if answer.is_some() {
        out.push_str("- [DECISION.md](DECISION.md): what was measured, and what follows\n");
    }
    out
}

/// Writes the first paper.
pub fn hypothesis(entry: &Entry, spike: &Spike) -> String {
    let mut out = front("spike-hypothesis", entry);
    let _ = write!(
        out,
        "# Hypothesis\n\n## Question\n\n{}\n\n## What we suppose\n\n{}\n\n## Why it matters\n\n\
         What depends on the answer, and what it costs to be wrong.\n\n## What is known already\n\n\
         What was looked up: papers, releases, earlier spikes. What a look-up answers needs no experiment.\n\n\
         ## How we will know\n\nThe criteria stand in `spike.md`, so that code can compare them: one line each, such as\n\
         `wall_ms of A < 0.9 x B` or `peak_mb <= 200 MB`.\n",
        spike.question.as_deref().unwrap_or(&entry.title),
        spike.hypothesis.as_deref().unwrap_or("One sentence that the experiment can refute."),
    );
    out
}

/// Writes the second paper, ready to be filled in.
pub fn experiment(entry: &Entry, spike: &Spike) -> String {
    let mut out = front("spike-experiment", entry);
    out.push_str(
        "# Experiment\n\nWhat stands in the code blocks below is run, and nothing else. Each alternative runs in a place of\n\
         its own, one run of each in turn, with a clean environment. A run prints what it measured as\n\
         `metric=value` lines or as one JSON object in a line; `wall_ms`, `cpu_ms` and `peak_mb` are measured anyway.\n\n\
         ## Settings\n\n- repetitions: 10\n- warm-up: 1\n- time: 60 s\n- memory: 2048 MB\n- output: 1 MB\n- processes: 64\n\
         - place: copy\n\n## Prepare\n\nRun once in every place, before anything is measured.\n\n```sh\n# build what is needed\n```\n",
    );
    let unnamed = ["first".to_owned(), "second".to_owned()];
    let alternatives = if spike.alternatives.is_empty() { &unnamed[..] } else { &spike.alternatives };
    for name in alternatives {
        let _ = write!(out, "\n## Alternative: {name}\n\n```sh\n# what is measured\n```\n");
    }
    out
}

/// What the last paper says besides the decision itself.
pub struct Round<'a> {
    /// Which round it was.
    pub number: u32,
    /// When it was measured.
    pub on: String,
    /// How often each alternative was measured.
    pub repetitions: u32,
    /// Pictures, as metric and path.
    pub plots: &'a [(String, String)],
    /// The tracked table of numbers.
    pub table: &'a str,
}

/// Says the answer in one sentence.
pub fn answer(spike: &Spike, decided: &Decided, subject: &str) -> String {
    let asked = if subject.is_empty() { String::new() } else { format!(" for {subject}") };
    let numbers: Vec<String> = decided
        .criteria
        .iter()
        .take(2)
        .map(|one| format!("`{}` {} ({})", one.criterion, one.words(), one.shown))
        .collect();
    let numbers = numbers.join(", ");
    match (&decided.recommended, decided.outcome) {
        (None, _) => format!("None of {} will do{asked}: {numbers}", spike.alternatives.join(", ")),
        (Some(name), SpikeOutcome::Inconclusive) => {
            let rounds = match spike.rounds.unwrap_or(1) {
                1 => "1 round".to_owned(),
                rounds => format!("{rounds} rounds"),
            };
            format!("Inconclusive after {rounds}, take {name}{asked}: {}; {numbers}", decided.because)
        }
        (Some(name), _) => format!("Take {name}{asked}: {}; {numbers}", decided.because),
    }
}

/// Writes the last paper.
pub fn decision(
    entry: &Entry,
    spike: &Spike,
    decided: &Decided,
    measured: &Measured,
    round: &Round<'_>,
) -> String {
    let mut out = front("spike-decision", entry);
    let _ = write!(
        out,
        "# Decision\n\n*Written from `spike.md` and the measurements; changes made here are not read.*\n\n\
         **{}.** {}\n\n",
        decided.outcome,
        entry.description.as_deref().unwrap_or_default()
    );
    out.push_str("## Recommendation\n\n");
    match &decided.recommended {
        Some(name) => {
            let _ = writeln!(out, "Take **{name}**: {}.\n", decided.because);
        }
        None => {
            let _ = writeln!(out, "Take none of them: {}.\n", decided.because);
        }
    }
    out.push_str("## Criteria\n\n| criterion | measured | |\n|---|---|---|\n");
    for one in &decided.criteria {
        let _ = writeln!(out, "| `{}` | {} | {} |", one.criterion, one.shown, one.words());
    }
    if let Some(warning) = decided.warning() {
        let _ = writeln!(out, "\nLess sure: {warning}.");
    }
    let metrics = shown_metrics(decided, measured);
    let spread = |name: &str, metric: &String| measured.spread(name, metric);
    let all =
        measured.alternatives.iter().flat_map(|name| metrics.iter().filter_map(|one| spread(name, one)));
    let counts: Vec<usize> = all.map(|spread| spread.count).collect();
    let most = counts.iter().copied().max().unwrap_or(0);
    // A metric that some runs did not print says less than the rest of the table.
    let is_thin = |count: usize| count < most && count < ENOUGH;
    let thin = match counts.iter().any(|count| is_thin(*count)) {
        true => {
            " Where fewer numbers than repetitions are there, and fewer than six, the cell says how many."
        }
        false => "",
    };
    let _ = write!(
        out,
        "\n## Measurements\n\nRound {}, {}; {} repetitions, one of each in turn. Median, and in brackets the interval it lies in\n\
         {}.{thin}\n\n",
        round.number,
        round.on,
        round.repetitions,
        how_often(most)
    );
    let _ = writeln!(out, "| alternative | {} |\n|---|{}", metrics.join(" | "), "---|".repeat(metrics.len()));
    for name in &measured.alternatives {
        let cells: Vec<String> = metrics
            .iter()
            .map(|metric| match spread(name, metric) {
                Some(spread) if is_thin(spread.count) => {
                    format!("{} (of {})", interval(&spread), spread.count)
                }
                Some(spread) => interval(&spread),
                None => "–".to_owned(),
            })
            .collect();
        let _ = writeln!(out, "| {name} | {} |", cells.join(" | "));
    }
    out.push('\n');
    for (name, why) in &measured.failed {
        let _ = writeln!(out, "`{name}` failed: {why}.\n");
    }
    for (metric, path) in round.plots {
        let _ = writeln!(out, "![{metric}]({path})\n");
    }
    let _ = writeln!(out, "Every number stands in [{0}]({0}).\n", round.table);
    if !spike.conditions.is_empty() || !entry.depends_on.is_empty() {
        out.push_str("## Found under\n\n");
        for condition in spike.conditions.iter().chain(&entry.depends_on) {
            let _ = writeln!(out, "- {condition}");
        }
    }
    out
}

/// Lists the metrics worth showing: those of the criteria, then what every run has, then the rest.
pub fn shown_metrics(decided: &Decided, measured: &Measured) -> Vec<String> {
    let there = measured.metrics();
    let asked = decided.criteria.iter().map(|one| one.criterion.metric.as_str());
    let always = ["wall_ms", "cpu_ms", "peak_mb"].into_iter();
    let mut shown: Vec<String> = Vec::new();
    for metric in asked.chain(always).chain(there.iter().copied()) {
        if there.contains(&metric) && metric != "exit" && !shown.iter().any(|one| one == metric) {
            shown.push(metric.to_owned());
        }
    }
    shown.truncate(8);
    shown
}

/// Writes all numbers as a table that other programs read, a line per repetition.
pub fn table(measured: &Measured) -> String {
    let metrics = measured.metrics();
    let mut out = format!("alternative,repetition,{}\n", metrics.join(","));
    for name in &measured.alternatives {
        let most = metrics.iter().map(|metric| measured.of(name, metric).len()).max().unwrap_or(0);
        for at in 0..most {
            let cell = |metric: &&str| {
                measured.of(name, metric).get(at).copied().flatten().map_or_else(String::new, precise)
            };
            let cells: Vec<String> = metrics.iter().map(cell).collect();
            let quoted = if name.contains([',', '"']) {
                format!("\"{}\"", name.replace('"', "\"\""))
            } else {
                name.clone()
            };
            let _ = writeln!(out, "{quoted},{},{}", at + 1, cells.join(","));
        }
    }
    out
}

fn precise(value: f64) -> String {
    let text = format!("{value:.4}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
