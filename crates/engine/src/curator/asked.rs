//! Asking a model within what it may cost; what was answered before is remembered.

use lore_core::redact::Redactor;
use lore_core::{ContentHash, text::tokens};

use super::model::{Model, ModelError, ModelReply, ModelRequest};
use crate::Engine;

/// Names the form of packets and answers: another form is another question.
const PROTOCOL: &str = "lore.packet/1";
/// So much an answer may cost, in tokens.
const ANSWER: usize = 2_000;

/// Why a question was not answered.
pub(crate) enum Unanswered {
    /// The model is not there; nobody asks it again for a while.
    Model(ModelError),
    /// Its answers cannot be read.
    Unreadable(String),
    /// It would cost more than is left.
    Budget(String),
}

/// What a model said, and what it cost.
pub(crate) struct Asked {
    pub(crate) reply: ModelReply,
    pub(crate) sent: usize,
    pub(crate) got: usize,
    /// Whether it was known from before and cost nothing.
    pub(crate) remembered: bool,
}

impl Engine {
    /// Asks a model within what a run and a day may cost; what was answered before is remembered.
    pub(crate) fn ask_model(
        &self,
        model: &dyn Model,
        request: &ModelRequest<'_>,
        spent: usize,
        is_whole: &dyn Fn(&ModelReply) -> bool,
    ) -> Result<Asked, Unanswered> {
        // A pattern that was set since the session was read holds as well.
        let redactor = Redactor::with_patterns(&self.settings.redact.patterns)
            .map_err(|error| Unanswered::Budget(error.to_string()))?;
        let text = redactor.redact(request.text).text.into_owned();
        let key = ContentHash::of(format!("{PROTOCOL}\n{}\n{text}", model.name()).as_bytes());
        if let Some(known) = self.known_answer(&key) {
            return Ok(Asked { reply: ModelReply::of(known), sent: 0, got: 0, remembered: true });
        }
        let cost = tokens(&text) + ANSWER;
        let (run, today) = (&self.settings.curate, self.desk().spent_on(self.present()));
        if spent + cost > run.tokens_per_run {
            return Err(Unanswered::Budget(format!(
                "this run's {} tokens are used up (`curate.tokens_per_run`)",
                run.tokens_per_run
            )));
        }
        if today + cost > run.tokens_per_day {
            return Err(Unanswered::Budget(format!(
                "today's {} tokens are used up (`curate.tokens_per_day`)",
                run.tokens_per_day
            )));
        }
        let reply = model.ask(&ModelRequest { text: &text, ..*request }).map_err(Unanswered::Model)?;
        let (sent, got) = reply.tokens.unwrap_or_else(|| (tokens(&text), tokens(&reply.text)));
        if let Err(error) = self.at_desk(|desk| desk.spend(sent + got, self.present())) {
            tracing::debug!(%error, "what was spent is not remembered");
        }
        if is_whole(&reply) {
            self.remember_answer(&key, &reply.text);
        }
        Ok(Asked { reply, sent, got, remembered: false })
    }

    fn known_answer(&self, key: &ContentHash) -> Option<String> {
        std::fs::read_to_string(self.store.shared().path(&answer_file(key)).ok()?).ok()
    }

    fn remember_answer(&self, key: &ContentHash, answer: &str) {
        if let Err(error) = self.store.shared().write_text(&answer_file(key), answer) {
            tracing::debug!(%error, "an answer is not kept and may be asked for again");
        }
    }
}

fn answer_file(key: &ContentHash) -> String {
    let digits: String = key.as_str().chars().filter(char::is_ascii_hexdigit).collect();
    format!("cache/answers/{digits}.json")
}
