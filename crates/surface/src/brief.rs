//! Hits as a text within a budget: one line each first, then as much more as fits.

use lore_core::handle::shown;
use lore_core::recall::Query;
use lore_core::text::counted;
use lore_core::text::tokens;
use lore_core::{Detail, EntryId, Hit, Kind, Moment, PatternType, Status};

use crate::context::likeness;
use crate::reader::{SearchError, Snapshot};

/// What was made of some hits.
#[derive(Debug, Clone, PartialEq)]
pub struct Brief {
    /// Markdown, one list item per entry, each with its citation.
    pub text: String,
    /// What it costs.
    pub tokens: usize,
    /// The entries that are in it, in their order.
    pub included: Vec<EntryId>,
    /// The entries that did not fit.
    pub dropped: Vec<EntryId>,
    /// Whether something critical made it longer than the budget.
    pub over_budget: bool,
}

/// Writes one line per hit, best first, and extends them in order while the budget lasts.
///
/// What `critical` names is never dropped, whatever the budget.
pub fn brief(hits: &[Hit], budget: usize, critical: impl Fn(&Hit) -> bool) -> Brief {
    let mut lines: Vec<(usize, String)> = Vec::new();
    let mut spent = 0;
    let mut dropped = Vec::new();
    let mut over_budget = false;
    for (at, hit) in hits.iter().enumerate() {
        let line = one_line(hit);
        let cost = tokens(&line) + 1;
        let fits = spent + cost <= budget;
        if fits || critical(hit) {
            over_budget |= !fits;
            spent += cost;
            lines.push((at, line));
        } else {
            dropped.push(hit.id.clone());
        }
    }
    for (at, line) in &mut lines {
        let more = format!("{line}\n  {}", hits[*at].snippet.replace('\n', " "));
        let cost = tokens(&more) - tokens(line);
        if !hits[*at].snippet.is_empty() && spent + cost <= budget {
            spent += cost;
            *line = more;
        }
    }
    let included = lines.iter().map(|(at, _)| hits[*at].id.clone()).collect();
    let text: String = lines.into_iter().map(|(_, line)| line + "\n").collect();
    Brief { tokens: tokens(&text), text, included, dropped, over_budget }
}

/// Writes a hit on one line: what it says, what is the matter with it, where it stands.
pub fn one_line(hit: &Hit) -> String {
    let mark = match hit.status {
        Status::Current => String::new(),
        Status::Superseded if !hit.replaced_by.is_empty() => {
            let by: Vec<String> = hit.replaced_by.iter().map(|id| shown(id)).collect();
            format!(" (superseded by [{}])", by.join("], ["))
        }
        status => format!(" ({status})"),
    };
    let broken = hit.broken.as_ref().map(|why| format!(" (no longer holds: {why})")).unwrap_or_default();
    format!("- {}{mark}{broken} [{}]", hit.title.trim_end_matches('.'), hit.id.handle())
}

/// How well an agent does in a domain.
#[derive(Debug, Clone, PartialEq)]
pub struct Advice {
    /// The agent.
    pub agent: String,
    /// Why, with the figures.
    pub because: String,
}

/// What proved good or bad in general: rare, and worth a word also where it is less alike.
const GENERAL: [Kind; 3] = [Kind::Pattern, Kind::Lesson, Kind::Feedback];
/// What holds now.
const HOLDS: [Kind; 5] = [Kind::Decision, Kind::Preference, Kind::Architecture, Kind::Limitation, Kind::Fact];
/// What happened.
const PAST: [Kind; 3] = [Kind::Resolution, Kind::Spike, Kind::Event];
/// What is less alike than this share of the best is filler.
const RELATED: f64 = 0.4;
/// So is what has less of its words: all of a project is a little alike in meaning.
const WORDED: f64 = 0.2;

/// What a colleague would say before the work begins.
#[derive(Debug, Clone, PartialEq)]
pub struct ContextBrief {
    /// What it is about and what was found.
    pub summary: String,
    /// Patterns, and what holds: decisions, facts, limits, disputed ones too.
    pub must_know: Vec<Hit>,
    /// Issues that were solved, with outcome and time.
    pub past_issues: Vec<(Hit, String)>,
    /// What proved bad.
    pub anti_patterns: Vec<Hit>,
    /// Whom to ask.
    pub agents: Vec<Advice>,
}

impl Snapshot<'_> {
    /// Gathers what is known around an issue or some words.
    pub fn context_brief(
        &self,
        query: &Query,
        today: Moment,
        agents: Vec<Advice>,
    ) -> Result<ContextBrief, SearchError> {
        let told: Vec<Kind> = [&GENERAL[..], &HOLDS, &PAST].concat();
        let best = self.search(&Query { kinds: told, limit: Some(1), ..query.clone() }, today)?;
        let (like, words) =
            best.first().map_or((0.0, 0.0), |hit| (likeness(&hit.matched), hit.matched.lexical));
        // What belongs to the issue or is about the files need not have their words.
        let tied = query.issue.is_some() || !query.files.is_empty();
        let of = |kinds: &[Kind], limit: usize| -> Result<Vec<Hit>, SearchError> {
            let query = Query { kinds: kinds.to_vec(), limit: Some(limit), ..query.clone() };
            let hits = self.above_the_floor(&query, self.about_issue(&query, today)?)?;
            let wanted = |hit: &Hit| {
                kinds.contains(&hit.kind)
                    && matches!(hit.status, Status::Current | Status::Disputed)
                    && (tied
                        || GENERAL.contains(&hit.kind)
                        || (likeness(&hit.matched) >= RELATED * like
                            && hit.matched.lexical >= WORDED * words))
            };
            Ok(hits.into_iter().filter(wanted).collect())
        };
        let is_anti = |hit: &Hit| -> Result<bool, SearchError> {
            let card = self.card(hit.id.as_str())?;
            Ok(card.is_some_and(|card| {
                matches!(card.entry.detail, Detail::Pattern(p) if p.pattern_type == Some(PatternType::AntiPattern))
            }))
        };
        let (mut good, mut anti_patterns) = (Vec::new(), Vec::new());
        for hit in of(&[Kind::Pattern, Kind::Lesson], 8)? {
            if is_anti(&hit)? { anti_patterns.push(hit) } else { good.push(hit) }
        }
        let decisions = of(&HOLDS, 6)?;
        good.truncate(5);
        anti_patterns.extend(of(&[Kind::Feedback], 3)?);
        anti_patterns.truncate(4);
        let mut must_know: Vec<Hit> = decisions.into_iter().take(5).chain(good).collect();
        must_know.sort_by(|a, b| b.score.total_cmp(&a.score));
        let mut past_issues = Vec::new();
        for hit in of(&PAST, 4)? {
            let outcome = self.outcome(&hit)?;
            past_issues.push((hit, outcome));
        }
        let found = must_know.len() + past_issues.len() + anti_patterns.len();
        let subject = query.issue.as_ref().map_or_else(
            || format!("“{}”", query.text.lines().next().unwrap_or_default().trim()),
            |issue| format!("issue #{}", issue.trim_start_matches('#')),
        );
        let domain = query.domain.as_ref().map_or_else(String::new, |domain| format!(" in {domain}"));
        let summary = match found {
            0 => format!("Nothing is known yet about {subject}{domain}."),
            _ => format!("{} on {subject}{domain}.", counted(found, "entry bears", "entries bear")),
        };
        Ok(ContextBrief { summary, must_know, past_issues, anti_patterns, agents })
    }

    /// Says how a past issue went, as far as its entry tells.
    fn outcome(&self, hit: &Hit) -> Result<String, SearchError> {
        let Some(card) = self.card(hit.id.as_str())? else { return Ok(String::new()) };
        let mut parts = Vec::new();
        match &card.entry.detail {
            Detail::Resolution(resolution) => {
                parts.extend(resolution.root_cause.as_ref().map(|cause| format!("cause: {cause}")));
                parts.extend(resolution.time_to_resolve.as_ref().map(|time| format!("took {time}")));
            }
            Detail::Spike(spike) => parts.extend(spike.outcome.map(|outcome| format!("outcome: {outcome}"))),
            _ => {}
        }
        parts.extend(card.entry.issues.first().map(|issue| format!("#{}", issue.trim_start_matches('#'))));
        Ok(parts.join(", "))
    }
}

impl ContextBrief {
    /// Writes it as Markdown; a section without anything in it is left out.
    pub fn to_markdown(&self) -> String {
        let mut out = format!("## Context Brief\n\n### Summary\n\n{}\n", self.summary);
        let mut section = |title: &str, items: Vec<String>| {
            if !items.is_empty() {
                out.push_str(&format!("\n### {title}\n\n{}\n", items.join("\n")));
            }
        };
        let said = |hit: &Hit| {
            let snippet = hit.snippet.replace('\n', " ");
            // Many a statement is its own title.
            let says_more = snippet.trim_end_matches('.') != hit.title && !snippet.is_empty();
            if says_more { format!("{}: {snippet}", one_line(hit)) } else { one_line(hit) }
        };
        let numbered =
            |(at, hit): (usize, &Hit)| format!("{}. {}", at + 1, said(hit).trim_start_matches("- "));
        section("Must-Know", self.must_know.iter().enumerate().map(numbered).collect());
        let past = self.past_issues.iter().map(|(hit, outcome)| {
            if outcome.is_empty() { said(hit) } else { format!("{} ({outcome})", said(hit)) }
        });
        section("Related Past Issues", past.collect());
        section("Anti-Patterns to Avoid", self.anti_patterns.iter().map(said).collect());
        let agents = self.agents.iter().map(|advice| format!("- {}: {}", advice.agent, advice.because));
        section("Recommended Agents", agents.collect());
        out
    }
}
