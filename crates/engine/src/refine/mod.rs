//! Better words for candidates: from a model the user configured, or from an agent that asks for
//! them and hands them back (C-04).
//!
//! Whatever a model or an agent says is checked against the words that are cited. Whatever goes
//! wrong, the heuristic result stands and the report says so. Only redacted text goes out.

mod answers;
mod command;
#[cfg(feature = "model-http")]
mod http;
mod offer;

use std::time::Duration;

use lore_core::Candidate;
use lore_core::redact::Redactor;
use lore_distill::model::{Budget, Model, ModelError, refine};
use serde::Serialize;
use serde_json::Value;

use self::answers::Kept;
pub use self::offer::{Offer, OfferOptions, RefineReport};
use crate::env::{ANTHROPIC_API_KEY, LORE_MODEL_KEY, OPENAI_API_KEY};
use crate::{Engine, Error};

/// So many candidates go into one prompt.
const AT_ONCE: usize = 20;

/// What a model did in a run.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct Refinement {
    /// The model.
    pub model: String,
    /// Candidates it was asked about.
    pub asked: usize,
    /// Candidates it worded better.
    pub reworded: usize,
    /// Tokens that were spent, by our estimate.
    pub tokens: usize,
    /// What did not go as asked.
    pub notes: Vec<String>,
}

impl Engine {
    /// Asks the configured model about candidates that may be written; without one, all stay as they are.
    pub(crate) fn refined(
        &self,
        candidates: Vec<Candidate>,
        floor: f64,
    ) -> (Vec<Candidate>, Option<Refinement>) {
        let model = match self.language_model() {
            Ok(Some(model)) => model,
            Ok(None) => return (candidates, None),
            Err(error) => {
                let notes = vec![format!("not refined: {error}")];
                return (candidates, Some(Refinement { notes, ..Refinement::default() }));
            }
        };
        let settings = &self.settings.refine;
        let mut budget = Budget { tokens: settings.budget };
        let mut answers = Kept::new(self.store.shared());
        let mut told = Refinement { model: model.name().to_owned(), ..Refinement::default() };
        let (mut strong, weak): (Vec<Candidate>, Vec<Candidate>) =
            candidates.into_iter().partition(|candidate| candidate.weight >= floor);
        // The best first: the budget may not last for all.
        strong.sort_by(|a, b| b.weight.total_cmp(&a.weight).then_with(|| a.text.cmp(&b.text)));
        let mut out = Vec::with_capacity(strong.len() + weak.len());
        for batch in strong.chunks(AT_ONCE) {
            told.asked += batch.len();
            let done = refine(batch.to_vec(), model.as_ref(), &mut budget, &mut answers);
            told.reworded += done.reworded;
            told.notes.extend(done.notes.into_iter().filter(|note| !note.is_empty()));
            out.extend(done.candidates);
        }
        told.notes.dedup();
        told.tokens = settings.budget - budget.tokens;
        out.extend(weak);
        (out, Some(told))
    }

    /// Returns the model that the settings name.
    fn language_model(&self) -> Result<Option<Box<dyn Model>>, Error> {
        let settings = &self.settings.refine;
        let patience = Duration::from_secs(settings.timeout.max(1));
        let needs = |what: &str, key: &str| {
            Error::request(
                format!("`refine.provider` is `{}`, but {what} is not set", settings.provider),
                format!("run `lore config set {key} …`, or `lore config set refine.provider none`"),
            )
        };
        let model: Box<dyn Model> = match settings.provider.as_str() {
            "" | "none" => return Ok(None),
            "command" if settings.command.trim().is_empty() => {
                return Err(needs("the command", "refine.command"));
            }
            "command" => Box::new(command::Program::new(&settings.command, patience)),
            "openai" | "anthropic" if settings.model.trim().is_empty() => {
                return Err(needs("the model", "refine.model"));
            }
            "openai" => self.service(OPENAI_API_KEY, patience)?,
            "anthropic" => self.service(ANTHROPIC_API_KEY, patience)?,
            other => {
                return Err(Error::request(
                    format!("`{other}` is not a provider of models"),
                    "set `refine.provider` to none, openai, anthropic or command",
                ));
            }
        };
        let patterns = &self.settings.redact.patterns;
        Ok(Some(Box::new(Guarded { inner: model, redactor: Redactor::with_patterns(patterns)? })))
    }

    #[cfg(feature = "model-http")]
    fn service(&self, variable: &str, patience: Duration) -> Result<Box<dyn Model>, Error> {
        let settings = &self.settings.refine;
        let dialect =
            if settings.provider == "openai" { http::Dialect::OpenAi } else { http::Dialect::Anthropic };
        let key = self.world.variable(LORE_MODEL_KEY).or_else(|| self.world.variable(variable));
        Ok(Box::new(http::Service::new(dialect, &settings.endpoint, &settings.model, key, patience)))
    }

    #[cfg(not(feature = "model-http"))]
    fn service(&self, _: &str, _: Duration) -> Result<Box<dyn Model>, Error> {
        let _ = LORE_MODEL_KEY;
        Err(Error::request(
            "this program was built without models behind an address",
            "set `refine.provider` to `command`, or build it with the feature `model-http`",
        ))
    }
}

/// Lets nothing out that redaction would change, a pattern set since the sessions were read included.
struct Guarded {
    inner: Box<dyn Model>,
    redactor: Redactor,
}

impl Model for Guarded {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn complete(&self, prompt: &str, schema: &Value) -> Result<String, ModelError> {
        self.inner.complete(&self.redactor.redact(prompt).text, schema)
    }
}
