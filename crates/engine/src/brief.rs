//! What a colleague would say before the work begins.

use lore_core::Moment;
use lore_core::recall::{Hit, Query};
use lore_surface::{Advice, ContextBrief};
use serde::Serialize;

use crate::query::Said;
use crate::written::Written;
use crate::{Engine, Error};

/// What the work is about.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Topic {
    /// The issue, without `#`.
    pub issue: Option<String>,
    /// Its text, or any words that say what is to be done.
    pub text: String,
    /// Files that will be touched.
    pub files: Vec<String>,
    /// The part of the system.
    pub domain: Option<String>,
}

/// What is known around it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Briefing {
    /// What it is about and what was found.
    pub summary: String,
    /// Patterns and decisions that hold.
    pub must_know: Vec<Hit>,
    /// Issues that were solved.
    pub past_issues: Vec<PastIssue>,
    /// What proved bad.
    pub anti_patterns: Vec<Hit>,
    /// Whom to ask, and why.
    pub agents: Vec<Recommended>,
    /// What AGENTS.md, rules and decision records say about it, with file and line.
    pub written: Vec<Written>,
    /// What was said about it in past sessions: uncurated.
    pub said: Vec<Said>,
    /// All of it as Markdown.
    pub markdown: String,
}

/// An issue that was solved.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PastIssue {
    /// Its entry.
    pub hit: Hit,
    /// How it went and how long it took, as far as the entry tells.
    pub outcome: String,
}

/// An agent that did well.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Recommended {
    /// The agent.
    pub agent: String,
    /// Why, with the figures.
    pub because: String,
}

impl Engine {
    /// Gathers what is known around an issue or some words.
    pub fn brief(&self, topic: &Topic) -> Result<Briefing, Error> {
        let is_empty = topic.issue.is_none()
            && topic.text.trim().is_empty()
            && topic.files.is_empty()
            && topic.domain.is_none();
        if is_empty {
            return Err(Error::request("a brief needs a subject", "give an issue number, words, or --files"));
        }
        let query = Query {
            text: topic.text.clone(),
            issue: topic.issue.clone(),
            files: topic.files.clone(),
            domain: topic.domain.clone(),
            ..Query::default()
        };
        let today = Moment::Instant(self.world.now);
        let recommended = self.recommended(topic.domain.as_deref(), &topic.files);
        let advice: Vec<Advice> =
            recommended.into_iter().map(|one| Advice { agent: one.agent, because: one.because }).collect();
        let excluded = self.exclusion()?;
        let (mut made, said) = self.with_library(|index| {
            let made = index.snapshot().context_brief(&query, today, advice.clone())?;
            let about = Query { issue: None, ..query.clone() };
            Ok((made, crate::query::said(index, &about, &excluded, 3)?))
        })?;
        let past = made.past_issues.iter_mut().map(|(hit, _)| hit);
        self.mark_hits(made.must_know.iter_mut().chain(&mut made.anti_patterns).chain(past), self)?;
        Ok(Briefing::of(made, self.written_about(&topic.text), said))
    }
}

impl Engine {
    /// Asks the `gh` program for the text of an issue; only done when a person asks for it.
    pub fn issue_from_gh(&self, issue: Option<&str>) -> Result<String, Error> {
        let Some(issue) = issue else {
            return Err(Error::request("which issue?", "give its number first: lore brief 42 --gh"));
        };
        let hint = "give the text yourself: lore brief 42 --text FILE";
        let output = std::process::Command::new("gh")
            .args(["issue", "view", issue, "--json", "title,body", "--template", "{{.title}}\n\n{{.body}}"])
            .current_dir(self.project())
            .output()
            .map_err(|_| Error::request("the program `gh` is not here", hint))?;
        if !output.status.success() {
            let why = String::from_utf8_lossy(&output.stderr).lines().next().unwrap_or_default().to_owned();
            return Err(Error::request(format!("`gh` could not give issue {issue}: {why}"), hint));
        }
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }
}

impl Briefing {
    /// Tells whether nothing at all is known.
    pub fn is_empty(&self) -> bool {
        self.must_know.is_empty()
            && self.past_issues.is_empty()
            && self.anti_patterns.is_empty()
            && self.written.is_empty()
            && self.said.is_empty()
    }

    fn of(made: ContextBrief, written: Vec<Written>, said: Vec<Said>) -> Briefing {
        let mut markdown = made.to_markdown();
        if !written.is_empty() {
            markdown.push_str("\n### Written in Files\n\n");
            for one in &written {
                let standing = one.standing.word();
                markdown.push_str(&format!("- {} ({}:{}, {standing})\n", one.text, one.file, one.line));
            }
        }
        if !said.is_empty() {
            markdown.push_str("\n### Said in Past Sessions (uncurated)\n\n");
            for one in &said {
                let day = one.at.map(|at| format!("{}, ", at.date())).unwrap_or_default();
                let who = if one.voice == lore_core::Voice::Person { "a person" } else { "an agent" };
                markdown.push_str(&format!(
                    "- {} ({day}{who}, {})\n",
                    one.text.replace('\n', " "),
                    one.source
                ));
            }
        }
        let past = |(hit, outcome)| PastIssue { hit, outcome };
        let agent = |advice: Advice| Recommended { agent: advice.agent, because: advice.because };
        Briefing {
            summary: made.summary,
            must_know: made.must_know,
            past_issues: made.past_issues.into_iter().map(past).collect(),
            anti_patterns: made.anti_patterns,
            agents: made.agents.into_iter().map(agent).collect(),
            written,
            said,
            markdown,
        }
    }
}
