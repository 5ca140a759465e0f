//! What an agent is told at the start of a session and with its prompts.

mod files;
mod prompt;
mod session;
mod start;
mod work;

use lore_capture::hook::Begun;
use lore_core::text::tokens;
use lore_core::{Moment, Status, Voice, sentinel};
use lore_surface::{Age, Pick, PickReason, Snapshot, age};
pub use lore_surface::{Considered, Verdict};
use serde::Serialize;

use crate::query::Across;
use crate::told::Because;
use crate::usage::Use;
use crate::verdicts::Judged;
use crate::{Engine, Error};

/// When something is to be said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Occasion {
    /// A session begins: how people here want things done.
    Begin(Begun),
    /// A prompt was sent: what is known about it, and not said before.
    Prompt(String),
    /// Somebody asks for both at once.
    Whole(String),
    /// Files are about to be changed: what people laid down about them, and not said before.
    Files(Vec<String>),
    /// A command failed: what was learned from such failures, and not said before.
    Failure {
        /// The command line.
        command: String,
        /// What it printed.
        error: String,
    },
}

impl Occasion {
    /// Names it in the record of what agents were given, with what was asked.
    pub fn told_as(&self) -> (&'static str, String) {
        match self {
            Occasion::Begin(_) => ("session-start", String::new()),
            Occasion::Prompt(text) | Occasion::Whole(text) => ("prompt", text.clone()),
            Occasion::Files(files) => ("edit", files.join(" ")),
            Occasion::Failure { command, .. } => ("failure", command.clone()),
        }
    }
}

/// How to choose what is said.
#[derive(Debug, Clone, PartialEq)]
pub struct ContextOptions {
    /// When.
    pub occasion: Occasion,
    /// The session, so that nothing is said twice in it.
    pub session: Option<String>,
    /// What it may cost, instead of the setting.
    pub budget: Option<usize>,
    /// Also say what was considered.
    pub debug: bool,
    /// Whose bases are asked; the user's own is not among them.
    pub across: Across,
}

impl ContextOptions {
    /// Takes the settings as they are.
    pub fn new(occasion: Occasion) -> ContextOptions {
        ContextOptions { occasion, session: None, budget: None, debug: false, across: Across::Here }
    }
}

/// What is said.
#[derive(Debug, Clone, PartialEq, Default, Serialize)]
pub struct Context {
    /// The text for the agent, between our marks; empty where there is nothing to say.
    pub text: String,
    /// What it costs: four characters are a token.
    pub tokens: usize,
    /// What it was allowed to cost.
    pub budget: usize,
    /// Whether something critical exceeded that.
    pub over_budget: bool,
    /// The entries in it, in their order.
    pub items: Vec<ContextItem>,
    /// The places in past sessions it quotes.
    pub said: Vec<String>,
    /// What it quotes there, in its order, each with whose words they are.
    pub quotations: Vec<Quotation>,
    /// The passages it quotes there: a place may have several.
    #[serde(skip)]
    quoted: Vec<String>,
    /// How well each of those fitted.
    #[serde(skip)]
    fitted: Vec<(String, f64)>,
    /// What fitted in relevance and not in the budget.
    pub dropped: Vec<String>,
    /// Why nothing is said, where nothing is.
    pub silent: Option<String>,
    /// Every entry that was considered; only where that was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub considered: Vec<Considered>,
}

/// Words of a past session that are shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Quotation {
    /// Where they were said.
    pub source: String,
    /// Whose words they are.
    pub voice: Voice,
    /// When they were said.
    pub at: Option<Moment>,
}

/// One entry that is shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ContextItem {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
    /// The project it is from, where it is not this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub project: Option<String>,
    /// Why it is shown.
    #[serde(flatten)]
    pub reason: PickReason,
    /// Its status.
    pub status: Status,
    /// How sure we are.
    pub confidence: Option<lore_core::Confidence>,
    /// Days since it changed.
    pub days: Option<u32>,
    /// The band of its age.
    pub age: Age,
    /// Whether its conditions hold; nothing where it has none.
    pub freshness: Option<String>,
    /// What says so.
    pub evidence: Vec<String>,
    /// Whether something shown with it seems to have taken its place, and nobody has decided.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub possibly_replaced: bool,
    /// Whether all of it was said: what was cut off is not known yet.
    #[serde(skip)]
    pub is_whole: bool,
    /// How well it fitted.
    #[serde(skip)]
    pub score: f64,
}

impl Context {
    /// Tells whether there is nothing to say.
    pub fn is_silent(&self) -> bool {
        self.text.is_empty()
    }

    /// Says what it rests on, and why each has its place.
    pub fn because(&self) -> Vec<Because> {
        let entry = |item: &ContextItem| {
            let why = match &item.reason {
                PickReason::Preference => "preference",
                PickReason::Match => "match",
                PickReason::Disputed => "disputed",
                PickReason::Company { .. } => "company",
            };
            Because { source: item.id.clone(), why: why.to_owned(), score: Some(item.score) }
        };
        let said = |(source, score): &(String, f64)| Because {
            source: source.clone(),
            why: "said".to_owned(),
            score: Some(*score),
        };
        self.items.iter().map(entry).chain(self.fitted.iter().map(said)).collect()
    }

    /// Counts the passages that are quoted; a place in a session may have several.
    pub fn quotations(&self) -> usize {
        self.quoted.len()
    }
}

/// A session's start may take this share of the budget; the rest is for its first prompt.
const START_SHARE: f64 = 0.6;
/// After so many prompts about which something was said, a session hears only of disputes.
const ENOUGH: usize = 12;
/// What an agent is told about the rules.
const PREFACE_START: &str =
    "Rules people set here (reference data; what the user says now comes first; `lore show ID` tells more):";

impl Engine {
    /// Chooses what an agent is told.
    pub fn context(&self, options: &ContextOptions) -> Result<Context, Error> {
        let mut seen = self.seen(options.session.as_deref());
        let budget = options.budget.unwrap_or(self.settings.context.budget);
        let mut context = Context { budget, ..Context::default() };
        let mut text = String::new();
        let (begins, prompt) = match &options.occasion {
            Occasion::Begin(begun) => {
                if *begun == Begun::Emptied {
                    seen.clear();
                }
                (*begun != Begun::Resumed || seen.is_empty(), None)
            }
            Occasion::Prompt(prompt) => (seen.owed, Some(prompt.as_str())),
            Occasion::Whole(prompt) => {
                (true, Some(prompt.as_str()).filter(|prompt| !prompt.trim().is_empty()))
            }
            Occasion::Files(_) | Occasion::Failure { .. } => (false, None),
        };
        if begins {
            seen.owed = false;
            let share = (budget as f64 * START_SHARE) as usize;
            text.push_str(&self.say_rules(share, &seen.told(&options.occasion), &mut context)?);
            if matches!(options.occasion, Occasion::Begin(_)) {
                text.push_str(&self.say_news()?);
            }
        }
        if prompt.is_some()
            && let Some(owed) = self.owed_answers(options.session.as_deref())
        {
            text.push_str(&owed);
        }
        if let Some(prompt) = prompt {
            let left = budget.saturating_sub(tokens(&text));
            let about = self.say_about(prompt, (left, &text), &seen, options, &mut context)?;
            text.push_str(&about);
            // Who heard much in this session hears only of entries.
            if seen.prompts < ENOUGH && options.across == Across::Here {
                let left = budget.saturating_sub(tokens(&text));
                let heard = (options.session.as_deref(), &seen.ids);
                text.push_str(&self.say_written(prompt, left, heard, &mut context));
            }
            seen.prompts += usize::from(context.silent.is_none());
        } else if let Some(said) = self.say_at_work(&options.occasion, &mut seen, &mut context)? {
            text.push_str(&said);
        } else if context.items.is_empty() && text.is_empty() {
            context.silent = Some("there are no rules, or they were said before".to_owned());
        }
        if !text.is_empty() {
            // Rules are told also where nothing is known about the prompt.
            (context.text, context.silent) = (sentinel::wrap(&text), None);
            context.tokens = tokens(&context.text);
        }
        if !text.is_empty() || matches!(options.occasion, Occasion::Files(_)) {
            // What cannot be remembered may be said again; that is better than not to say it.
            if let Err(error) = self.note_said(options.session.as_deref(), seen, &context) {
                tracing::debug!(%error, "what was said is not remembered");
            }
        }
        Ok(context)
    }

    /// Tells whether the settings ask for what was considered.
    pub fn debugs_context(&self) -> bool {
        self.settings.context.debug
    }

    /// Brings the index and the start of a session into step with the base.
    pub(crate) fn bring_into_step(&self) -> Result<(), Error> {
        self.say_rules(0, &Default::default(), &mut Context::default()).map(|_| ())
    }

    /// Brings the index into step behind something a person did, so that the next prompt finds it: a hook has no time to
    /// make one. Where that fails, a worker does it.
    pub(crate) fn leave_in_step(&self) {
        if let Err(error) = self.bring_into_step() {
            tracing::warn!(%error, "the index is left to a worker");
        }
    }

    /// Runs something on the index, first brought into step where something changed.
    pub(crate) fn on_index<T>(
        &self,
        work: impl Fn(&Snapshot<'_>) -> Result<T, lore_surface::SearchError>,
    ) -> Result<T, Error> {
        // While a worker curates, what was known a moment ago serves; it brings the index into step.
        if self.is_in_step() || self.is_working() {
            let index = self.open_index()?;
            if index.to_fill(lore_surface::Level::Entries).is_none()
                && let Ok(value) = work(&index.snapshot())
            {
                return Ok(value);
            }
        }
        let value = self.with_library(|index| work(&index.snapshot()))?;
        self.note_step();
        Ok(value)
    }
}

pub(crate) fn item(pick: &Pick, judged: Judged, today: Moment) -> ContextItem {
    let entry = &pick.card.entry;
    let (age, days) = age(entry, today);
    ContextItem {
        id: entry.id.to_string(),
        title: entry.title.clone(),
        project: None,
        reason: pick.reason.clone(),
        status: entry.status,
        confidence: entry.confidence,
        days,
        age,
        freshness: judged.standing.word,
        evidence: judged.evidence,
        possibly_replaced: pick.replaced_by.is_some(),
        is_whole: true,
        score: pick.score,
    }
}

impl Engine {
    /// Writes down what was shown: in the session's own record and for `lore usage`.
    fn note_said(
        &self,
        session: Option<&str>,
        mut seen: session::Seen,
        context: &Context,
    ) -> Result<(), Error> {
        let Some(session) = session else { return Ok(()) };
        let ours = context.items.iter().filter(|item| item.project.is_none());
        let ids: Vec<String> = ours.map(|item| item.id.clone()).collect();
        seen.ids.extend(context.items.iter().filter(|item| item.is_whole).map(|item| item.id.clone()));
        seen.ids.extend(context.quoted.iter().cloned());
        self.save_seen(session, &seen)?;
        self.record_uses(session, ids.into_iter().map(|id| (id, Use::Surfaced)))
    }
}
