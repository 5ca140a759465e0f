//! Deviation between a plan and what came of it: PLAN, SUMMARY and VERIFICATION files of GSD projects.

use std::sync::LazyLock;

use lore_core::text::counted;
use lore_core::{Severity, SignalType};
use regex::Regex;

use super::{Sensed, cut};

/// So many repairs on the way mean that the plan did not fit.
const MANY_FIXES: usize = 3;
/// So many files beyond the plan are more than a helper or two.
const MANY_EXTRA: usize = 3;

static TASK_DONE: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"(?m)^\s*(?:\d+\.|-)\s+\*\*Task\b").expect("the pattern is a constant"));
static AUTO_FIX: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?m)^\s*(?:#+\s*|-\s+)?(?:\*\*)?\s*(?:\d+\.\s*)?\[Rule\s*(\d)[^\]]*\]\s*(.+?)(?:\*\*)?\s*$")
        .expect("the pattern is a constant")
});
static PATH: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"`?((?:[\w.@~-]+/)+[\w.@-]+|[\w-]+\.[a-z]{1,5})`?").expect("the pattern is a constant")
});

/// One plan with what was written about it.
#[derive(Debug, Clone, Copy, Default)]
pub struct PlanPapers<'a> {
    /// The phase, by its number or the name of its folder.
    pub phase: &'a str,
    /// The plan within the phase.
    pub plan: &'a str,
    /// The text of the plan.
    pub planned: &'a str,
    /// The text of the summary, where there is one.
    pub summary: Option<&'a str>,
    /// Whether a later plan of the phase was finished.
    pub is_passed_over: bool,
}

/// Finds what a plan promised and did not bring, what came on top, and what had to be repaired.
pub fn sense_plan(papers: &PlanPapers<'_>) -> Vec<Sensed> {
    let mut found = Vec::new();
    let Some(summary) = papers.summary else {
        if papers.is_passed_over {
            let title = format!("Plan {} was left without a summary", papers.plan);
            let mut signal = raise(papers, SignalType::Deviation, Severity::Medium, title);
            signal.happened = "A later plan of the phase was finished; this one has no summary.".to_owned();
            signal.why.push("no SUMMARY although later plans have one".to_owned());
            signal.subject = format!("plan left {} {}", papers.phase, papers.plan);
            found.push(signal);
        }
        return found;
    };
    found.extend(undone(papers, summary));
    found.extend(scope(papers, summary));
    found.extend(repairs(papers, summary));
    found.extend(stated(papers, summary));
    found.extend(troubles(papers, summary));
    if found.is_empty() {
        found.extend(smooth(papers, summary));
    }
    found
}

/// Finds the gaps that the verification of a phase names; a failed phase is flagged.
pub fn sense_verification(phase: &str, text: &str) -> Option<Sensed> {
    let status = field(text, "status")?.to_lowercase();
    let gaps: Vec<String> = text
        .lines()
        .filter(|line| line.starts_with('|') && (line.contains('✗') || line.contains("FAILED")))
        .filter_map(|line| line.split('|').map(str::trim).find(|cell| cell.len() > 12))
        .map(|cell| cut(cell, 160))
        .collect();
    let (severity, told) = match status.as_str() {
        "gaps_found" | "gaps-found" => (Severity::High, "gaps were found"),
        "failed" => (Severity::Critical, "the phase failed"),
        "human_needed" | "human-needed" => (Severity::Low, "a person has to look"),
        _ => return None,
    };
    let papers = PlanPapers { phase, ..PlanPapers::default() };
    let title = format!("Phase {phase}: {told} when it was verified");
    let mut signal = raise(&papers, SignalType::Deviation, severity, title);
    let score = field(text, "score").map(|score| format!(" ({score})")).unwrap_or_default();
    signal.happened = format!("The verification of the phase says `{status}`{score}.");
    signal.context = gaps.join("\n");
    signal.why.push(format!("VERIFICATION status {status}, {} gaps named", gaps.len()));
    signal.subject = format!("verification {phase}");
    signal.plan = None;
    Some(signal)
}

/// Lists the signals that a plan says it resolves.
pub fn resolves(plan: &str) -> Vec<String> {
    list(plan, "resolves_signals").into_iter().filter(|name| !name.is_empty()).collect()
}

fn raise(papers: &PlanPapers<'_>, sort: SignalType, severity: Severity, title: String) -> Sensed {
    Sensed {
        phase: Some(papers.phase.to_owned()),
        plan: Some(papers.plan.to_owned()).filter(|plan| !plan.is_empty()),
        ..Sensed::new(sort, severity, title)
    }
}

/// Compares the tasks of the plan with those the summary has a commit for.
fn undone(papers: &PlanPapers<'_>, summary: &str) -> Option<Sensed> {
    let planned = papers.planned.matches("<task").count();
    let section = section(summary, "Task Commits")?;
    let done = TASK_DONE.find_iter(section).count();
    if planned == 0 || done == 0 || done >= planned {
        return None;
    }
    let title = format!("Plan {}: {done} of {planned} tasks have a commit", papers.plan);
    let severity = if done * 2 < planned { Severity::High } else { Severity::Medium };
    let mut signal = raise(papers, SignalType::Deviation, severity, title);
    signal.happened = format!("The plan has {planned} tasks, the summary lists commits for {done}.");
    signal.why.push(format!("{planned} tasks planned, {done} committed"));
    signal.subject = format!("tasks undone {} {}", papers.phase, papers.plan);
    Some(signal)
}

/// Compares the files the plan names with those the summary says were changed.
fn scope(papers: &PlanPapers<'_>, summary: &str) -> Option<Sensed> {
    let planned = list(papers.planned, "files_modified");
    let section = section(summary, "Files Created/Modified")?;
    let touched: Vec<String> = section
        .lines()
        .filter(|line| line.trim_start().starts_with(['-', '*']))
        .filter_map(|line| Some(PATH.captures(line)?[1].to_owned()))
        .filter(|path| path.contains('/'))
        .collect();
    if planned.is_empty() || touched.is_empty() {
        return None;
    }
    let is_same = |a: &str, b: &str| a == b || a.ends_with(&format!("/{b}")) || b.ends_with(&format!("/{a}"));
    let within = |path: &String| planned.iter().any(|known| is_same(known, path) || covers(known, path));
    let is_paper = |path: &String| path.contains(".planning/");
    let extra: Vec<&String> = touched.iter().filter(|path| !within(path) && !is_paper(path)).collect();
    let left: Vec<&String> = planned
        .iter()
        .filter(|path| {
            !is_paper(path) && !touched.iter().any(|done| is_same(done, path) || covers(path, done))
        })
        .collect();
    if extra.is_empty() && left.len() * 2 <= planned.len() {
        return None;
    }
    let many = extra.len() >= MANY_EXTRA;
    let title = if extra.is_empty() {
        let left = counted(left.len(), "planned file was", "planned files were");
        format!("Plan {}: {left} not touched", papers.plan)
    } else {
        let files = counted(extra.len(), "file beyond the plan was", "files beyond the plan were");
        format!("Plan {}: {files} changed", papers.plan)
    };
    let severity = if many { Severity::Medium } else { Severity::Low };
    let mut signal = raise(papers, SignalType::Deviation, severity, title);
    let names =
        |paths: &[&String]| paths.iter().map(|path| format!("`{path}`")).collect::<Vec<_>>().join(", ");
    if !extra.is_empty() {
        signal.happened = format!("Changed and not planned: {}.", names(&extra));
    }
    if !left.is_empty() {
        signal.context = format!("Planned and not changed: {}.", names(&left));
    }
    signal.why.push(format!("{} planned, {} touched, {} extra", planned.len(), touched.len(), extra.len()));
    signal.subject = format!("scope {} {}", papers.phase, papers.plan);
    signal.files = extra.into_iter().cloned().collect();
    Some(signal)
}

/// Tells whether a planned pattern or folder covers a path.
fn covers(planned: &str, path: &str) -> bool {
    match planned.split_once('*') {
        Some((before, _)) => !before.is_empty() && path.contains(before),
        None => planned.ends_with('/') && path.starts_with(planned),
    }
}

/// Finds what was repaired on the way without being planned.
fn repairs(papers: &PlanPapers<'_>, summary: &str) -> Option<Sensed> {
    let fixes: Vec<String> = AUTO_FIX
        .captures_iter(summary)
        .map(|found| cut(found[2].trim_matches(['*', ' ', ':', '-']), 120))
        .filter(|fix| !fix.is_empty())
        .collect();
    let first = fixes.first()?;
    let title = match fixes.len() {
        1 => format!("Repaired on the way: {first}"),
        count => format!("{count} repairs on the way, first: {first}"),
    };
    let severity = if fixes.len() >= MANY_FIXES { Severity::Medium } else { Severity::Low };
    let mut signal = raise(papers, SignalType::Deviation, severity, cut(&title, 110));
    signal.happened = fixes.iter().map(|fix| format!("- {fix}")).collect::<Vec<_>>().join("\n");
    signal.cause = cause(summary);
    signal.why.push(format!("{} auto-fixed issues in the summary", fixes.len()));
    signal.subject = format!("repairs {} {}", papers.phase, papers.plan);
    Some(signal)
}

/// Finds what the summary itself calls a deviation, beside the repairs.
fn stated(papers: &PlanPapers<'_>, summary: &str) -> Option<Sensed> {
    let section = section(summary, "Deviations from Plan").or_else(|| {
        let both = section(summary, "Decisions & Deviations").or_else(|| section(summary, "Deviations"))?;
        // Where decisions stand in the same section, only what is headed as a deviation counts.
        let at = both.find("Deviations").map(|at| &both[at..]);
        Some(at.unwrap_or(both))
    })?;
    let text: Vec<&str> = section
        .lines()
        .map(str::trim)
        .filter(|line| line.len() > 24 && !line.starts_with('#') && !AUTO_FIX.is_match(line))
        .filter(|line| !line.to_lowercase().contains("auto-fixed"))
        .collect();
    let first = text.first()?.trim_start_matches(['-', '*', ' ']);
    let lower = first.to_lowercase();
    let is_none = ["none", "no deviation", "plan executed exactly", "**none", "no significant"]
        .iter()
        .any(|word| lower.starts_with(word))
        || lower.contains("executed exactly as");
    if is_none || AUTO_FIX.is_match(section) {
        return None;
    }
    let plain = first.replace("**", "");
    let title = cut(plain.split(". ").next().unwrap_or(&plain).trim_end_matches(['.', ':']), 110);
    let mut signal = raise(papers, SignalType::Deviation, Severity::Low, title);
    signal.happened = cut(&text.join("\n"), 1200);
    signal.why.push("the summary states a deviation".to_owned());
    signal.subject = format!("stated deviation {} {}", papers.phase, papers.plan);
    Some(signal)
}

/// Finds troubles that the summary tells of, and checks that failed.
fn troubles(papers: &PlanPapers<'_>, summary: &str) -> Vec<Sensed> {
    let mut found = Vec::new();
    if let Some(section) = section(summary, "Issues Encountered") {
        let text: Vec<&str> =
            section.lines().map(str::trim).filter(|line| line.len() > 20 && !line.starts_with('#')).collect();
        let lower = text.first().map(|line| line.to_lowercase()).unwrap_or_default();
        let lower = lower.trim_start_matches(['-', '*', ' ']);
        if !text.is_empty() && !lower.starts_with("none") && !lower.starts_with("no ") {
            let plain = text[0].trim_start_matches(['-', '*', ' ']).replace("**", "");
            let title = cut(plain.split(". ").next().unwrap_or(&plain).trim_end_matches('.'), 110);
            let mut signal = raise(papers, SignalType::Struggle, Severity::Low, title);
            signal.happened = cut(&text.join("\n"), 1200);
            signal.why.push("issues are told under Issues Encountered".to_owned());
            signal.subject = format!("issues {} {}", papers.phase, papers.plan);
            found.push(signal);
        }
    }
    if summary.lines().any(|line| line.contains("Self-Check") && line.contains("FAILED")) {
        let title = format!("Plan {}: its own check failed", papers.plan);
        let mut signal = raise(papers, SignalType::Deviation, Severity::High, title);
        signal.happened = "The summary ends with a failed self-check.".to_owned();
        signal.why.push("Self-Check: FAILED".to_owned());
        signal.subject = format!("self-check {} {}", papers.phase, papers.plan);
        found.push(signal);
    }
    found
}

/// Finds a plan that went through as written and left something to do again.
fn smooth(papers: &PlanPapers<'_>, summary: &str) -> Option<Sensed> {
    let pattern = list(summary, "patterns-established").into_iter().next()?;
    let passed = summary.lines().any(|line| line.contains("Self-Check") && line.contains("PASSED"))
        || summary.to_lowercase().contains("executed exactly as");
    passed.then(|| {
        let mut signal =
            raise(papers, SignalType::GoodPattern, Severity::Low, cut(pattern.trim_end_matches('.'), 110));
        signal.is_positive = true;
        signal.happened = format!("The plan went through as written. {pattern}");
        signal.why.push("no deviation, and a pattern is named as established".to_owned());
        signal.subject = format!("smooth {} {}", papers.phase, papers.plan);
        signal
    })
}

fn cause(summary: &str) -> Option<String> {
    let line = summary.lines().find_map(|line| line.trim().strip_prefix("- **Issue:**"))?;
    Some(cut(line.trim(), 300))
}

/// Returns the text below a heading, up to the next of its level.
fn section<'t>(text: &'t str, heading: &str) -> Option<&'t str> {
    let start = text.match_indices("\n## ").find_map(|(at, _)| {
        let line_end = text[at + 4..].find('\n').map(|end| at + 4 + end)?;
        (text[at + 4..line_end].trim() == heading).then_some(line_end + 1)
    })?;
    let rest = &text[start..];
    Some(rest.find("\n## ").map_or(rest, |end| &rest[..end]))
}

/// Reads a plain value of the front matter.
fn field<'t>(text: &'t str, key: &str) -> Option<&'t str> {
    front(text).lines().find_map(|line| {
        let value = line.strip_prefix(key)?.strip_prefix(':')?.trim();
        (!value.is_empty()).then(|| value.trim_matches('"'))
    })
}

/// Reads a list of the front matter, in any of the forms in which people write one.
fn list(text: &str, key: &str) -> Vec<String> {
    let mut lines = front(text).lines();
    let Some(first) = lines.find_map(|line| line.strip_prefix(key)?.strip_prefix(':')) else {
        return Vec::new();
    };
    let clean = |item: &str| item.trim().trim_matches(['"', '\'', '`', ',']).trim().to_owned();
    let mut joined = first.trim().to_owned();
    if joined.is_empty() || joined == "[" {
        let mut items = Vec::new();
        for line in lines {
            let text = line.trim();
            if line.starts_with([' ', '\t', '-']) || text == "]" || text == "[" {
                if let Some(item) = text.strip_prefix("- ") {
                    items.push(clean(item));
                    continue;
                }
                joined.push_str(text);
                continue;
            }
            break;
        }
        if !items.is_empty() {
            return items;
        }
    }
    let inner = joined.trim_start_matches('[').trim_end_matches(']');
    inner.split(',').map(clean).filter(|item| !item.is_empty()).collect()
}

fn front(text: &str) -> &str {
    let Some(rest) = text.strip_prefix("---\n") else { return "" };
    rest.find("\n---").map_or(rest, |end| &rest[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLAN: &str = "---\nphase: 4\nplan: 02\nfiles_modified:\n  - src/pier.rs\n  - src/rope.rs\n---\n\n<task>a</task>\n<task>b</task>\n";

    fn found(summary: &str) -> Vec<(SignalType, Severity, String)> {
        let papers = PlanPapers {
            phase: "4",
            plan: "02",
            planned: PLAN,
            summary: Some(summary),
            is_passed_over: false,
        };
        sense_plan(&papers).into_iter().map(|one| (one.signal_type, one.severity, one.title)).collect()
    }

    #[test]
    fn tasks_files_and_repairs_are_compared() {
        let summary = "---\nphase: 4\n---\n\n## Task Commits\n\n1. **Task 1: a** - `abc`\n\n\
            ## Files Created/Modified\n\n- `src/pier.rs` - moved\n- `src/crane.rs` - new\n\n\
            ## Deviations from Plan\n\n### Auto-fixed Issues\n\n**1. [Rule 1 - Bug] The rope was too short**\n- **Issue:** It was measured dry\n";
        let told = found(summary);
        assert_eq!(
            told,
            [
                (SignalType::Deviation, Severity::Medium, "Plan 02: 1 of 2 tasks have a commit".to_owned()),
                (
                    SignalType::Deviation,
                    Severity::Low,
                    "Plan 02: 1 file beyond the plan was changed".to_owned()
                ),
                (
                    SignalType::Deviation,
                    Severity::Low,
                    "Repaired on the way: The rope was too short".to_owned()
                ),
            ]
        );
    }

    #[test]
    fn what_went_as_planned_raises_nothing_but_praise() {
        let summary = "---\npatterns-established:\n  - \"Measure ropes wet\"\n---\n\n## Deviations from Plan\n\nNone - plan executed exactly as written.\n";
        assert_eq!(
            found(summary),
            [(SignalType::GoodPattern, Severity::Low, "Measure ropes wet".to_owned())]
        );
        assert_eq!(found("## Accomplishments\n\n- done\n"), []);
    }

    #[test]
    fn gaps_of_a_phase_are_flagged() {
        let text = "---\nphase: 4\nstatus: gaps_found\nscore: 4/5\n---\n\n| # | Truth | Status |\n|---|---|---|\n| 1 | The pier holds ten boats | ✗ FAILED |\n";
        let signal = sense_verification("4", text).expect("gaps are told");
        assert_eq!(signal.severity, Severity::High);
        assert_eq!(signal.context, "The pier holds ten boats");
        assert_eq!(sense_verification("4", "---\nstatus: passed\n---\n"), None);
    }
}
